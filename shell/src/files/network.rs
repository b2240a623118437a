//! Programs that upload and download files.

use super::accesses::FileAccesses;
use super::call::{Call, in_directory};
use super::paths::{any, base_name, ends_in_slash, glob_word, is_directory, is_remote, of_file_url};
use super::rows::Use;
use crate::access::{Extent, Filter, Verb};
use crate::analysis::Simple;
use crate::word::{Cause, Part, Unknown, Word};

/// `curl`: output goes to the files that `-o` names, or with `-O` to the last name of the URL; both below
/// `--output-dir`.
pub(super) fn curl(call: &Call<'_>, accesses: &mut FileAccesses) {
    let directory = call.value(&["--output-dir"]);
    for out in call.values(&["-o", "--output"]) {
        accesses.writes(&in_directory(directory, &numbered(out)));
    }
    let urls = || call.operands().iter().copied().chain(call.values(&["--url"]));
    if call.has(&["-O", "--remote-name", "--remote-name-all"]) {
        for url in urls() {
            accesses.writes(&in_directory(directory, &url_name(url)));
        }
    }
    for url in urls() {
        of_file_url(url).iter().for_each(|file| accesses.reads(file));
    }
    // Without a `=`, it is a file. A certificate and its key are used, but not shown.
    for cookie in call.values(&["-b", "--cookie"]).filter(|cookie| !cookie.prefix().contains('=')) {
        accesses.reads(cookie);
    }
}

/// Replaces `#1` in a name, which means a part of the URL.
fn numbered(out: &Word) -> Word {
    let Some(text) = out.known().filter(|text| text.contains('#')) else { return out.clone() };
    let mut word = Word::default();
    for (at, piece) in text.split('#').enumerate() {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        if at == 0 {
            word.push(Part::Text(piece.to_owned()));
        } else if rest.len() < piece.len() {
            word.push(any());
            word.push(Part::Text(rest.to_owned()));
        } else {
            word.push(Part::Text(format!("#{piece}")));
        }
    }
    word
}

/// Returns the last name of a URL's path, or any name if it is not known.
fn url_name(url: &Word) -> Word {
    let own = match url.known() {
        Some(text) => Word::text(text.split(['?', '#']).next().unwrap_or(text)),
        None => url.clone(),
    };
    let has_path = own.known().is_none_or(|text| {
        let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
        rest.split_once('/').is_some_and(|(_, path)| !path.is_empty() && !path.ends_with('/'))
    });
    match base_name(&own).filter(|_| has_path) {
        Some(name) => name,
        None => Word::of(any()),
    }
}

pub(super) fn wget(call: &Call<'_>, accesses: &mut FileAccesses) {
    if call.has(&["--spider"]) {
        return;
    }
    if let Some(out) = call.value(&["-O", "--output-document"]) {
        return accesses.writes(out);
    }
    let directory = call.value(&["-P", "--directory-prefix"]);
    let here = Word::text(".");
    if call.has(&["-r", "--recursive", "-m", "--mirror", "-p", "--page-requisites", "-i", "--input-file"]) {
        let why = Unknown::new(Cause::Contents, call.operands().first().map(|url| url.shown()).unwrap_or_default());
        return accesses.reaching(Verb::Writes, directory.unwrap_or(&here), Extent::Part(why));
    }
    for url in call.operands() {
        let name = url_name(url);
        let is_any = *name.parts == [any()];
        let mut name = if is_any && url.known().is_some() { Word::text("index.html") } else { name };
        // Unlike curl, it keeps the query.
        let query = url.known().and_then(|text| text.split('#').next()?.split_once('?'));
        if let Some((_, query)) = query {
            name.push(Part::Text(format!("?{}", query.replace('/', "%2F"))));
        }
        accesses.writes(&in_directory(directory, &name));
    }
}

/// `socat`: addresses such as `OPEN:file` and a bare path are read and written.
pub(super) fn socat(call: &Call<'_>, accesses: &mut FileAccesses) {
    const FILES: &[&str] = &["open", "file", "gopen", "rdonly"];
    const MADE: &[&str] = &["creat", "create"];
    let addresses = call.operands().iter().flat_map(|word| match word.known() {
        Some(text) => text.split("!!").map(Word::text).collect(),
        None => vec![(*word).clone()],
    });
    for address in addresses.collect::<Vec<_>>() {
        let text = address.prefix();
        let (kind, file) = match text.split_once(':') {
            Some((kind, _)) => (kind.to_ascii_lowercase(), address.after(&format!("{kind}:"))),
            None if text.contains('/') => ("gopen".to_owned(), Some(address.clone())),
            None => continue,
        };
        let Some(file) = file else { continue };
        let file = file.known().and_then(|text| text.split(',').next()).map_or_else(|| file.clone(), Word::text);
        if FILES.contains(&kind.as_str()) {
            accesses.reads(&file);
        }
        if kind != "rdonly" && (FILES.contains(&kind.as_str()) || MADE.contains(&kind.as_str())) {
            accesses.writes(&file);
        }
    }
}

/// `name@file`, `name=@file`, `name:=@file`, `@file`.
pub(super) fn httpie(call: &Call<'_>, accesses: &mut FileAccesses) {
    for item in call.operands().iter().filter(|item| !item.prefix().contains("://")) {
        Use::Field.apply(item, &Extent::Alone, accesses);
    }
}

/// `gh repo clone OWNER/NAME [DIRECTORY]`.
pub(super) fn clone_named(call: &Call<'_>, accesses: &mut FileAccesses) {
    let name = call.operands().first().and_then(|name| base_name(name));
    call.operands().get(1).map(|word| (*word).clone()).or(name).iter().for_each(|path| accesses.writes(path));
}

/// `aws`: any value may be taken from a file: `--message file://f`, `--payload=fileb://f`.
pub(super) fn aws(call: &Call<'_>, accesses: &mut FileAccesses) {
    for word in call.words.iter().skip(1) {
        let value = if word.prefix().starts_with("--") { word.pair().map(|(_, value)| value) } else { None };
        let value = value.as_ref().unwrap_or(word);
        if let Some(file) = value.after("file://").or_else(|| value.after("fileb://")) {
            accesses.reads(&file);
        }
    }
}

/// `adb push FILE… PLACE`, whose last operand is on the device.
pub(super) fn pushed(call: &Call<'_>, accesses: &mut FileAccesses) {
    let Some((_, sources)) = call.operands().split_last() else { return };
    sources.iter().for_each(|source| accesses.below(Verb::Reads, source, &Filter::default()));
}

/// `adb pull PLACE… [FILE]`: without a file, the target has the same name.
pub(super) fn pulled(call: &Call<'_>, accesses: &mut FileAccesses) {
    let (target, sources) = match call.operands() {
        [source] => (None, vec![*source]),
        [sources @ .., target] => (Some(*target), sources.to_vec()),
        [] => return,
    };
    for source in sources {
        let name = source.known().and_then(|path| path.trim_end_matches('/').rsplit('/').next()).map(Word::text);
        match (target, name) {
            (Some(target), _) if !is_directory(target) => accesses.writes(target),
            (_, Some(name)) => accesses.writes(&in_directory(target, &name)),
            (Some(target), None) => accesses.writes(target),
            (None, None) => {}
        }
    }
}

/// Copies to the last operand; on both sides, the files on this machine are touched.
pub(super) fn cloud_copy(call: &Call<'_>, accesses: &mut FileAccesses) {
    let Some((target, sources)) = call.operands().split_last() else { return };
    let takes_along = call.is_under(&[&["mv", "move", "moveto"]]) || call.is_under(&[&["s3", "storage"], &["mv"]]);
    for source in sources.iter().filter(|source| !is_remote(source)) {
        accesses.below(Verb::Reads, source, &Filter::default());
        if takes_along {
            accesses.reaching(Verb::Deletes, source, Extent::Whole);
        }
    }
    if is_remote(target) {
        return;
    }
    let keeps = Keeps::of(call);
    for source in sources {
        let why = || Extent::Part(Unknown::new(Cause::Contents, source.shown()));
        match keeps.name(source).filter(|_| is_directory(target)) {
            Some(name) => {
                let copy = in_directory(Some(target), &name);
                accesses.writes(&copy);
                if keeps == Keeps::Tree {
                    accesses.reaching(Verb::Writes, &copy, why());
                }
            }
            None => {
                accesses.writes(target);
                accesses.reaching(Verb::Writes, target, why());
            }
        }
    }
}

/// How much of its name a source keeps in the directory that it is copied into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keeps {
    /// The whole name; the source is a file.
    File,
    /// The whole name; the source may be a directory.
    Tree,
    /// Nothing: its contents may be there instead.
    Nothing,
}

impl Keeps {
    fn of(call: &Call<'_>) -> Self {
        let goes_below = call.has(&["-r", "-R", "--recursive"]);
        let is_single = call.is_under(&[&["cp", "mv"]]) || call.is_under(&[&["s3", "storage"], &["cp", "mv"]]);
        match () {
            () if call.is(&["docker", "podman", "nerdctl"]) => Self::Tree,
            () if call.is(&["aws", "gsutil", "gcloud"]) && is_single && !goes_below => Self::File,
            () => Self::Nothing,
        }
    }

    /// Returns the name of a source, without its host and its directories.
    fn name(self, source: &Word) -> Option<Word> {
        let is_open = self == Self::Nothing || ends_in_slash(source);
        let name = base_name(source).filter(|_| !is_open)?;
        match name.known().and_then(|name| name.rsplit_once(':')) {
            Some((_, "" | "." | "..")) => None,
            Some((_, name)) => Some(Word::text(name)),
            None => Some(name),
        }
    }
}

/// Adds what the commands do that `sftp` or `ftp` reads from its standard input or from a file.
pub(super) fn transfers(call: &Call<'_>, command: &Simple, accesses: &mut FileAccesses) {
    if !call.is(&["sftp", "ftp", "tftp"]) {
        return;
    }
    let input = command.input();
    let batch = call.value(&["-b"]).filter(|file| file.known() != Some("-") && call.is(&["sftp"]));
    let unseen = match batch {
        Some(file) => Some(Unknown::new(Cause::FileText, file.shown())),
        None => input.others.clone().or_else(|| input.words.iter().find_map(Word::why)),
    };
    if let Some(why) = unseen {
        for verb in [Verb::Reads, Verb::Writes] {
            accesses.maybe(verb, &Word::unknown(why.clone()), why.clone());
        }
        return;
    }
    let mut directory: Option<Word> = None;
    for line in input.words.iter().filter_map(Word::known).flat_map(str::lines) {
        // Shell code may do anything.
        let line = line.trim_start_matches(['-', '@', ' ', '\t']);
        if let Some(code) = line.strip_prefix('!') {
            let why = Unknown::new(Cause::Foreign, code);
            accesses.maybe(Verb::Reads, &Word::unknown(why.clone()), why);
            continue;
        }
        let mut words = line.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        let command = words.next().unwrap_or_default().to_ascii_lowercase();
        let files: Vec<Word> = words.filter(|word| !word.starts_with('-')).map(glob_word).collect();
        let here = |file: &Word| in_directory(directory.as_ref(), file);
        match (&*command, files.as_slice()) {
            ("lcd", [to, ..]) => directory = Some(here(to)),
            ("put" | "reput" | "append" | "send", [file, ..]) => {
                accesses.below(Verb::Reads, &here(file), &Filter::default());
            }
            ("mput", files) => {
                files.iter().for_each(|file| accesses.below(Verb::Reads, &here(file), &Filter::default()));
            }
            ("get" | "reget" | "recv", [_, file]) => accesses.writes(&here(file)),
            ("get" | "reget" | "recv", [file]) => {
                base_name(file).iter().for_each(|file| accesses.writes(&here(file)));
            }
            ("mget", files) => {
                files.iter().filter_map(base_name).for_each(|file| accesses.writes(&here(&file)));
            }
            _ => {}
        }
    }
}

/// `tftp HOST -c put FILE [NAME]`, `tftp -p -l FILE HOST`, and the same for `get`.
pub(super) fn tftp(call: &Call<'_>, accesses: &mut FileAccesses) {
    let local = call.value(&["-l"]).or_else(|| call.value(&["-r"]));
    if call.has(&["-p"]) {
        local.into_iter().for_each(|file| accesses.reads(file));
    } else if call.has(&["-g"]) {
        local.into_iter().for_each(|file| accesses.writes(file));
    }
    let mut words = call.operands().iter().skip_while(|word| !matches!(word.known(), Some("put" | "get")));
    match (words.next().and_then(|word| word.known()), words.next(), words.next()) {
        (Some("put"), Some(file), _) => accesses.reads(file),
        (Some("get"), Some(name), to) => accesses.writes(to.unwrap_or(name)),
        _ => {}
    }
}

/// `sftp`: which files it downloads depends on its commands.
pub(super) fn sftp(call: &Call<'_>, accesses: &mut FileAccesses) {
    if let Some(local) = call.operands().get(1) {
        let why = Unknown::new(Cause::Contents, call.operands().first().map(|from| from.shown()).unwrap_or_default());
        accesses.reaching(Verb::Writes, local, Extent::Part(why));
    }
}
