//! Programs that upload and download files.

use super::accesses::FileAccesses;
use super::call::{ParsedCommand, join_directory};
use super::paths::{any_name, base_name, ends_in_slash, file_url_path, glob_word, is_directory, is_remote, join};
use super::rows::FileUse;
use crate::access::{AccessExtent, FileFilter, Verb};
use crate::analysis::SimpleCommand;
use crate::nested::ssh_setting;
use crate::word::{Cause, Unknown, Word, WordPart};

/// Adds the accesses of `curl`: writes of the files that `-o` names or, with `-O`, of files named like the last part of
/// a URL, both below `--output-dir`; and reads of `file:` URLs and of cookie files.
pub(super) fn curl(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let directory = call.value(&["--output-dir"]);
    for out in call.values(&["-o", "--output"]) {
        accesses.add_write(&join_directory(directory, &numbered(out)));
    }
    let urls = || call.operands().iter().copied().chain(call.values(&["--url"]));
    if call.has_option(&["-O", "--remote-name", "--remote-name-all"]) {
        for url in urls() {
            accesses.add_write(&join_directory(directory, &url_name(url)));
        }
    }
    for url in urls() {
        file_url_path(url).iter().for_each(|file| accesses.add_read(file));
    }
    // A value with a `=` is a cookie, not a file. Certificates and their keys do not count as read, because curl uses
    // them without showing them.
    for cookie in call.values(&["-b", "--cookie"]).filter(|cookie| !cookie.prefix().contains('=')) {
        accesses.add_read(cookie);
    }
}

/// Replaces `#1` in a name by a glob for any name, because curl replaces it by a part of the URL.
fn numbered(out: &Word) -> Word {
    let Some(text) = out.known_text().filter(|text| text.contains('#')) else { return out.clone() };
    let mut word = Word::default();
    for (at, piece) in text.split('#').enumerate() {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        if at == 0 {
            word.push(WordPart::Text(piece.to_owned()));
        } else if rest.len() < piece.len() {
            word.push(any_name());
            word.push(WordPart::Text(rest.to_owned()));
        } else {
            word.push(WordPart::Text(format!("#{piece}")));
        }
    }
    word
}

/// Returns the last name in the path of a URL, or a glob for any name if it is not known.
fn url_name(url: &Word) -> Word {
    let without_query = match url.known_text() {
        Some(text) => Word::text(text.split(['?', '#']).next().unwrap_or(text)),
        None => url.clone(),
    };
    let has_path = without_query.known_text().is_none_or(|text| {
        let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
        rest.split_once('/').is_some_and(|(_, path)| !path.is_empty() && !path.ends_with('/'))
    });
    match base_name(&without_query).filter(|_| has_path) {
        Some(name) => name,
        None => Word::of(any_name()),
    }
}

/// Adds the accesses of `wget`: writes of the downloaded files.
pub(super) fn wget(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if call.has_option(&["--spider"]) {
        return;
    }
    if let Some(out) = call.value(&["-O", "--output-document"]) {
        return accesses.add_write(out);
    }
    let directory = call.value(&["-P", "--directory-prefix"]);
    let here = Word::text(".");
    if call.has_option(&["-r", "--recursive", "-m", "--mirror", "-p", "--page-requisites", "-i", "--input-file"]) {
        let why =
            Unknown::new(Cause::Contents, call.operands().first().map(|url| url.display_text()).unwrap_or_default());
        return accesses.add_with_extent(Verb::Writes, directory.unwrap_or(&here), AccessExtent::UnknownPart(why));
    }
    for url in call.operands() {
        let name = url_name(url);
        let is_any = *name.parts == [any_name()];
        let mut name = if is_any && url.known_text().is_some() { Word::text("index.html") } else { name };
        // Unlike curl, wget keeps the query in the name.
        let query = url.known_text().and_then(|text| text.split('#').next()?.split_once('?'));
        if let Some((_, query)) = query {
            name.push(WordPart::Text(format!("?{}", query.replace('/', "%2F"))));
        }
        accesses.add_write(&join_directory(directory, &name));
    }
}

/// Adds the accesses of `socat`: reads and writes of files in addresses, which are `OPEN:file` or a path.
pub(super) fn socat(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    const FILES: &[&str] = &["open", "file", "gopen", "rdonly"];
    const MADE: &[&str] = &["creat", "create"];
    let addresses = call.operands().iter().flat_map(|word| match word.known_text() {
        Some(text) => text.split("!!").map(Word::text).collect(),
        None => vec![(*word).clone()],
    });
    for address in addresses.collect::<Vec<_>>() {
        let text = address.prefix();
        let (kind, file) = match text.split_once(':') {
            Some((kind, _)) => (kind.to_ascii_lowercase(), address.strip_prefix(&format!("{kind}:"))),
            None if text.contains('/') => ("gopen".to_owned(), Some(address.clone())),
            None => continue,
        };
        let Some(file) = file else { continue };
        let file = file.known_text().and_then(|text| text.split(',').next()).map_or_else(|| file.clone(), Word::text);
        if FILES.contains(&kind.as_str()) {
            accesses.add_read(&file);
        }
        if kind != "rdonly" && (FILES.contains(&kind.as_str()) || MADE.contains(&kind.as_str())) {
            accesses.add_write(&file);
        }
    }
}

/// Adds reads of the files that the operands of `httpie` name: `name@file`, `name=@file`, `name:=@file`, `@file`.
pub(super) fn httpie(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    for item in call.operands().iter().filter(|item| !item.prefix().contains("://")) {
        FileUse::Field.apply(item, &AccessExtent::PathOnly, accesses);
    }
}

/// Adds a write of the directory that `gh repo clone OWNER/NAME [DIRECTORY]` creates.
pub(super) fn clone_named(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let name = call.operands().first().and_then(|name| base_name(name));
    call.operands().get(1).map(|word| (*word).clone()).or(name).iter().for_each(|path| accesses.add_write(path));
}

/// Returns the arguments of a call, with the value of `--option=value` in place of the whole word.
fn argument_values(call: &ParsedCommand<'_>) -> impl Iterator<Item = Word> {
    call.words.iter().skip(1).map(|word| {
        let value = word.prefix().starts_with("--").then(|| word.split_at_equals()).flatten();
        value.map_or_else(|| word.clone(), |(_, value)| value)
    })
}

/// Adds reads of the files from which `aws` takes values: `--message file://f`, `--payload=fileb://f`.
pub(super) fn aws(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    for value in argument_values(call) {
        // In the short form of a structure, `Key=a,Value@=file://x` names a file.
        let inner = value.prefix().find("@=").and_then(|at| value.strip_prefix(value.prefix().get(..at + 2)?));
        let value = inner.unwrap_or(value);
        if let Some(file) = value.strip_prefix("file://").or_else(|| value.strip_prefix("fileb://")) {
            accesses.add_read(&file);
        }
    }
}

/// Adds reads of the files in the arguments of `az`: `@FILE` and `name=@FILE`.
pub(super) fn az(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    for value in argument_values(call) {
        let named = value.split_at_equals().map(|(_, value)| value);
        if let Some(file) = [Some(&value), named.as_ref()].into_iter().flatten().find_map(|word| word.strip_prefix("@"))
        {
            accesses.add_read(&file);
        }
    }
}

/// Adds the write of the file to which `aws lambda invoke … OUT` writes the answer.
pub(super) fn aws_output(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    aws(call, accesses);
    call.operands().iter().for_each(|file| accesses.add_write(file));
}

/// Adds reads of the files of `adb push FILE… PATH`. The last operand is on the device.
pub(super) fn pushed(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let Some((target, sources)) = call.operands().split_last() else { return };
    accesses.add_elsewhere(Verb::Writes, (*target).clone());
    sources.iter().for_each(|source| accesses.add_below(Verb::Reads, source, &FileFilter::default()));
}

/// Adds the write of the target of `adb pull PATH… [FILE]`, whose sources are elsewhere. Without `FILE`, the target has
/// the name of the source.
pub(super) fn pulled(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let here = Word::text(".");
    let (target, sources) = match call.operands() {
        [source] => (&here, vec![*source]),
        [sources @ .., target] => (*target, sources.to_vec()),
        [] => return,
    };
    add_copies(target, &sources, KeptName::Tree, accesses);
}

/// Adds the accesses of a copy to or from a cloud service or a container. Only files on this machine are included.
pub(super) fn cloud_copy(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    copy_between(call, is_elsewhere, accesses);
}

/// Adds the accesses of a copy to or from a container of a cluster. As in `kubectl cp`, each word with a colon names
/// one: `namespace/pod:path`.
pub(super) fn cluster_copy(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    copy_between(call, |word| word.has_known_text(":"), accesses);
}

/// Whether a word names a path elsewhere: `host:path`, or `:path` where only one machine can be meant. `:local:` of
/// rclone is this machine.
fn is_elsewhere(word: &Word) -> bool {
    is_remote(word) || word.prefix().starts_with(':') && !word.prefix().starts_with(":local")
}

/// Adds the accesses of a copy between this machine and another place.
fn copy_between(call: &ParsedCommand<'_>, is_elsewhere: impl Fn(&Word) -> bool, accesses: &mut FileAccesses) {
    let Some((target, sources)) = call.operands().split_last() else { return };
    let moves =
        call.has_subcommands(&[&["mv", "move", "moveto"]]) || call.has_subcommands(&[&["s3", "storage"], &["mv"]]);
    for source in sources.iter().filter(|source| !is_elsewhere(source)) {
        accesses.add_below(Verb::Reads, source, &FileFilter::default());
        if moves {
            accesses.add_with_extent(Verb::Deletes, source, AccessExtent::Everything);
        }
    }
    if moves {
        sources
            .iter()
            .filter(|source| is_elsewhere(source))
            .for_each(|source| add_there(Verb::Deletes, source, accesses));
    }
    match is_elsewhere(target) {
        true => sources.iter().for_each(|source| add_copy_there(target, source, accesses)),
        false => add_copies(target, sources, KeptName::from_call(call), accesses),
    }
}

/// Adds the write of the copy of a file at a place elsewhere: `host:/srv`, or `host:/srv/NAME` if that is a directory.
pub(super) fn add_copy_there(target: &Word, source: &Word, accesses: &mut FileAccesses) {
    add_there(Verb::Writes, target, accesses);
    let name = path_there(source).as_ref().and_then(base_name);
    if let Some((directory, name)) = path_there(target).zip(name) {
        accesses.add_elsewhere(Verb::Writes, join(&directory, &name));
    }
}

/// Adds an access to the path in `host:path`.
pub(super) fn add_there(verb: Verb, place: &Word, accesses: &mut FileAccesses) {
    path_there(place).into_iter().for_each(|path| accesses.add_elsewhere(verb, path));
}

/// Returns the path in `host:path`, or the whole word if it has no colon; `None` for a URL.
fn path_there(place: &Word) -> Option<Word> {
    let mut path = Word::default();
    let mut is_behind = false;
    if place.literal().contains("://") {
        return None;
    }
    for part in &place.parts {
        match part {
            WordPart::Text(text) if !is_behind => {
                if let Some((_, behind)) = text.split_once(':') {
                    is_behind = true;
                    path.push(WordPart::Text(behind.to_owned()));
                }
            }
            part if is_behind => path.push(part.clone()),
            _ => {}
        }
    }
    Some(if is_behind { path } else { place.clone() })
}

/// Adds the writes of a target on this machine, to which the sources are copied.
fn add_copies(target: &Word, sources: &[&Word], kept_name: KeptName, accesses: &mut FileAccesses) {
    for source in sources {
        let why = || AccessExtent::UnknownPart(Unknown::new(Cause::Contents, source.display_text()));
        match kept_name.name(source).filter(|_| is_directory(target)) {
            Some(name) => {
                let copy = join_directory(Some(target), &name);
                accesses.add_write(&copy);
                if kept_name == KeptName::Tree {
                    accesses.add_with_extent(Verb::Writes, &copy, why());
                }
            }
            None => {
                accesses.add_write(target);
                accesses.add_with_extent(Verb::Writes, target, why());
            }
        }
    }
}

/// How the copy of a source is named in the target directory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeptName {
    /// The copy has the name of the source, which is a file.
    File,
    /// The copy has the name of the source, which may be a directory.
    Tree,
    /// The name is not known: the target may also directly contain the contents of the source.
    Nothing,
}

impl KeptName {
    /// Returns how a command names its copies, judging by its program and options.
    fn from_call(call: &ParsedCommand<'_>) -> Self {
        let is_recursive = call.has_option(&["-r", "-R", "--recursive"]);
        let is_copy =
            call.has_subcommands(&[&["cp", "mv"]]) || call.has_subcommands(&[&["s3", "storage"], &["cp", "mv"]]);
        match () {
            () if call.is_program(&["docker", "podman", "nerdctl"]) => Self::Tree,
            () if call.is_program(&["aws", "gsutil", "gcloud"]) && is_copy && !is_recursive => Self::File,
            () => Self::Nothing,
        }
    }

    /// Returns the name of the copy of a source, without host and directories. `None` if it is not known.
    fn name(self, source: &Word) -> Option<Word> {
        let is_open = self == Self::Nothing || ends_in_slash(source);
        let name = base_name(source).filter(|_| !is_open)?;
        match name.known_text().and_then(|name| name.rsplit_once(':')) {
            Some((_, "" | "." | "..")) => None,
            Some((_, name)) => Some(Word::text(name)),
            None => Some(name),
        }
    }
}

/// Returns why the commands of an `sftp` are not known, if they are in a file.
fn batch_file(call: &ParsedCommand<'_>) -> Option<Unknown> {
    let file = call.value(&["-b"]).filter(|file| file.known_text() != Some("-") && call.is_program(&["sftp"]))?;
    Some(Unknown::new(Cause::FileText, file.display_text()))
}

/// Adds the accesses of the commands that `sftp` or `ftp` reads from standard input. If these are unknown, or in a
/// file, any file may be read or written.
pub(super) fn add_transfers(call: &ParsedCommand<'_>, command: &SimpleCommand, accesses: &mut FileAccesses) {
    if !call.is_program(&["sftp", "ftp", "tftp"]) {
        return;
    }
    let input = command.input();
    let unknown_input = || input.others.clone().or_else(|| input.words.iter().find_map(Word::unknown_reason));
    if let Some(why) = batch_file(call).or_else(unknown_input) {
        for verb in [Verb::Reads, Verb::Writes] {
            accesses.add_possible(verb, &Word::unknown(why.clone()), why.clone());
        }
        return;
    }
    let mut directory: Option<Word> = None;
    for line in input.words.iter().filter_map(Word::known_text).flat_map(str::lines) {
        // A line that begins with `!` is a shell command, which may read any file.
        let line = line.trim_start_matches(['-', '@', ' ', '\t']);
        if let Some(code) = line.strip_prefix('!') {
            let why = Unknown::new(Cause::Foreign, code);
            accesses.add_possible(Verb::Reads, &Word::unknown(why.clone()), why);
            continue;
        }
        let mut words = line.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        let command = words.next().unwrap_or_default().to_ascii_lowercase();
        let files: Vec<Word> = words.filter(|word| !word.starts_with('-')).map(glob_word).collect();
        let local = |file: &Word| join_directory(directory.as_ref(), file);
        match (&*command, files.as_slice()) {
            ("lcd", [to, ..]) => directory = Some(local(to)),
            ("rm" | "rmdir", files) if call.is_program(&["sftp"]) => {
                files.iter().for_each(|file| accesses.add_elsewhere(Verb::Deletes, file.clone()));
            }
            ("put" | "reput" | "append" | "send", [file, target @ ..]) => {
                match target.first() {
                    Some(target) => add_copy_there(target, file, accesses),
                    None => base_name(file).into_iter().for_each(|name| accesses.add_elsewhere(Verb::Writes, name)),
                }
                accesses.add_below(Verb::Reads, &local(file), &FileFilter::default());
            }
            ("mput", files) => {
                files.iter().for_each(|file| accesses.add_below(Verb::Reads, &local(file), &FileFilter::default()));
            }
            ("get" | "reget" | "recv", [_, file]) => accesses.add_write(&local(file)),
            ("get" | "reget" | "recv", [file]) => {
                base_name(file).iter().for_each(|file| accesses.add_write(&local(file)));
            }
            ("mget", files) => {
                files.iter().filter_map(base_name).for_each(|file| accesses.add_write(&local(&file)));
            }
            _ => {}
        }
    }
}

/// Adds the accesses of `tftp HOST -c put FILE [NAME]` and `tftp -p -l FILE HOST`, and of the same commands with
/// `get`.
pub(super) fn tftp(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let local = call.value(&["-l"]).or_else(|| call.value(&["-r"]));
    if call.has_option(&["-p"]) {
        local.into_iter().for_each(|file| accesses.add_read(file));
    } else if call.has_option(&["-g"]) {
        local.into_iter().for_each(|file| accesses.add_write(file));
    }
    let mut words = call.operands().iter().skip_while(|word| !matches!(word.known_text(), Some("put" | "get")));
    match (words.next().and_then(|word| word.known_text()), words.next(), words.next()) {
        (Some("put"), Some(file), _) => accesses.add_read(file),
        (Some("get"), Some(name), to) => accesses.add_write(to.unwrap_or(name)),
        _ => {}
    }
}

/// Adds the write of the file of known hosts that an option of `ssh` names.
pub(super) fn ssh(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let settings = call.values(&["-o"]).filter_map(ssh_setting);
    let files = settings.filter(|(name, _)| name.eq_ignore_ascii_case("userknownhostsfile"));
    files.for_each(|(_, file)| accesses.add_write(&file));
}

/// Adds writes of unknown files in the local directory of `sftp HOST DIR`. Which files these are depends on the
/// commands of the session.
pub(super) fn sftp(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if let Some(local) = call.operands().get(1) {
        let why =
            Unknown::new(Cause::Contents, call.operands().first().map(|from| from.display_text()).unwrap_or_default());
        accesses.add_with_extent(Verb::Writes, local, AccessExtent::UnknownPart(why));
    }
}
