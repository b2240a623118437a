//! Programs that read their operands, change them in place, or derive other files from them.

use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use super::patches::{self, StripLevel};
use super::paths::{any_name, append_text};
use crate::access::{AccessCertainty, AccessExtent, FileAccess, FileFilter, Verb};
use crate::files::StdinKind;
use crate::nested::{awk, sed};
use crate::parse::is_name;
use crate::word::{Cause, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// Adds the accesses of `yq`: reads of its files and, with `-i`, writes.
pub(super) fn yq(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let has_program = call.has_option(&["--from-file", "--expression"]);
    // A single operand such as `.a` is an expression, unless there is a file of that name. `.env` is more likely a
    // file.
    let is_expression =
        |word: &&Word| word.known_text().is_some_and(|text| text.starts_with('.') && !text.starts_with(".env"));
    let has_input = call.input == StdinKind::Provided;
    let only_has_expression = has_input && call.operands().first().is_some_and(is_expression);
    let skipped = usize::from(!has_program && (call.operands().len() > 1 || only_has_expression));
    let files = call.operands().get(skipped..).unwrap_or_default();
    let has_subcommand =
        matches!(call.operands().first().and_then(|word| word.known_text()), Some("eval" | "e" | "eval-all" | "ea"));
    let files = if has_subcommand { files.get(1..).unwrap_or_default() } else { files };
    change(call, files, &["-i", "--inplace", "--in-place"], accesses);
}

/// Adds the accesses of `sed`: to the files that its script names (`w file`), and to its operands.
pub(super) fn stream(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let skipped = usize::from(!call.has_option(&["-e", "--expression", "-f", "--file"]));
    let scripts = call.values(&["-e", "--expression"]).chain(call.operands().iter().take(skipped).copied());
    for (verb, file) in scripts.flat_map(sed::files) {
        accesses.add_certain(verb, &file);
    }
    change(call, call.operands().get(skipped..).unwrap_or_default(), &["-i", "--in-place", "-I"], accesses);
}

/// Adds the accesses of perl and ruby. With `-n` or `-p` they read their operands line by line, and with `-i` they
/// change them. Without `-e`, the first operand is a script, which they read.
pub(super) fn perl(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let operands = call.operands();
    let has_code = call.has_option(&["-e", "-E"]);
    let skipped = usize::from(!has_code);
    if !has_code && let Some(script) = operands.first() {
        accesses.add_read(script);
    }
    if call.has_option(&["-n", "-p", "-i"]) {
        change(call, operands.get(skipped..).unwrap_or_default(), &["-i"], accesses);
    }
}

/// Adds reads of files and, if one of the options in `in_place` is given, also writes of the files and of their
/// backups.
fn change(call: &ParsedCommand<'_>, files: &[&Word], in_place: &[&str], accesses: &mut FileAccesses) {
    let maybe = call.test_option();
    let backups: Vec<Word> = call.values(in_place).filter(|suffix| suffix.known_text() != Some("")).cloned().collect();
    for file in files {
        accesses.add_read(file);
        match &maybe {
            _ if call.has_option(in_place) => accesses.add_write(file),
            Some(why) => accesses.add_possible(Verb::Writes, file, why.clone()),
            None => {}
        }
        for suffix in &backups {
            accesses.add_write(&backup(file, suffix));
        }
    }
}

/// Returns the path of a backup: that of the file, followed by the suffix. If the suffix is unknown, or contains a `*`
/// for the name of the file, it is any name in the directory of the file.
fn backup(file: &Word, suffix: &Word) -> Word {
    match suffix.known_text() {
        Some(text) if !text.contains('*') => append_text(file, text),
        _ => {
            let mut near = super::paths::parent(file).map_or_else(Word::default, |parent| append_text(&parent, "/"));
            near.push(any_name());
            near
        }
    }
}

/// Adds the accesses of `awk`. The first operand is the program, unless an option states it, and an operand
/// `name=value` is not a file.
pub(super) fn program(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    const PROGRAM: &[&str] = &["-f", "--file", "-e", "--source", "-E", "--exec"];
    let skipped = usize::from(!call.has_option(PROGRAM));
    let programs = call.values(&["-e", "--source"]).chain(call.operands().iter().take(skipped).copied());
    for (verb, file) in programs.flat_map(awk::files) {
        accesses.add_certain(verb, &file);
    }
    let is_in_place = call.values(&["-i", "--include"]).any(|name| name.known_text() == Some("inplace"));
    for file in call.operands().get(skipped..).unwrap_or_default() {
        let start = file.prefix();
        if start.split_once('=').is_some_and(|(name, _)| is_name(name)) {
            continue;
        }
        accesses.add_read(file);
        if is_in_place {
            accesses.add_write(file);
        }
    }
}

/// Adds a read of the first operand and a write of the second.
pub(super) fn in_and_out(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let operands = call.operands();
    operands.first().into_iter().for_each(|file| accesses.add_read(file));
    operands.get(1).into_iter().for_each(|file| accesses.add_write(file));
}

/// Adds the accesses of `dd if=in of=out`.
pub(super) fn dd(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    for word in call.words.iter().skip(1) {
        if let Some(file) = word.strip_prefix("if=") {
            accesses.add_read(&file);
        }
        if let Some(file) = word.strip_prefix("of=") {
            accesses.add_write(&file);
        }
    }
}

/// Adds the accesses of `jq`: reads of the operands after the program, and of `FILE` in `--rawfile NAME FILE`.
pub(super) fn query(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    for (at, word) in call.words.iter().enumerate() {
        if matches!(word.known_text(), Some("--rawfile" | "--slurpfile" | "--argfile")) {
            call.words.get(at + 2).into_iter().for_each(|file| accesses.add_read(file));
        }
    }
    let skipped = usize::from(!call.has_option(&["-f", "--from-file"]));
    call.operands().iter().skip(skipped).for_each(|file| accesses.add_read(file));
}

/// Adds the accesses of `split` and `csplit`: writes of files whose names begin with a prefix.
pub(super) fn split(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let operands = call.operands();
    operands.first().into_iter().for_each(|file| accesses.add_read(file));
    let is_csplit = call.is_program(&["csplit", "gcsplit"]);
    let given_prefix = if is_csplit { call.value(&["-f", "--prefix"]) } else { operands.get(1).copied() };
    let mut part_name = given_prefix.cloned().unwrap_or_else(|| Word::text(if is_csplit { "xx" } else { "x" }));
    part_name.push(any_name());
    accesses.add_write(&part_name);
}

/// Adds the accesses of `patch`. With an operand, only that file is patched. Otherwise a known patch names the files,
/// relative to the directory in which it is applied; if the patch is unknown, unknown files are written.
pub(super) fn patch(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if call.has_option(&["--dry-run", "-C", "--check"]) {
        return;
    }
    let operands = call.operands();
    operands.get(1).into_iter().for_each(|file| accesses.add_read(file));
    call.values(&["-i", "--input"]).for_each(|file| accesses.add_read(file));
    if let Some(out) = call.value(&["-o", "--output"]) {
        return accesses.add_write(out);
    }
    let directory = call.value(&["-d", "--directory"]);
    if let Some(file) = operands.first() {
        let file = super::call::join_directory(directory, file);
        accesses.add_read(&file);
        return accesses.add_write(&file);
    }
    let names_files = !call.has_option(&["-i", "--input", "-e", "--ed", "-R"])
        && call
            .stdin
            .zip(patches::strip(call.value(&["-p", "--strip"]), StripLevel::All))
            .is_some_and(|(text, strip)| patches::apply_text(text, strip, directory, accesses));
    if names_files {
        return;
    }
    let here = directory.cloned().unwrap_or_else(|| Word::text("."));
    accesses.add_with_extent(
        Verb::Writes,
        &here,
        AccessExtent::UnknownPart(Unknown::new(Cause::ArchiveContents, "patch")),
    );
}

/// Adds the accesses of `apply_patch`. The patch, in the format of agents, is its operand or its standard input.
pub(super) fn apply_patch(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let patch_text = match call.operands().first() {
        Some(patch) => patch.known_text(),
        None => call.stdin,
    };
    let mut add_named_files = |patch: &str| {
        patches::apply_wrapped_patch(patch, accesses)
            || patches::apply_text(patch, StripLevel::Leading(1), None, accesses)
    };
    if !patch_text.is_some_and(&mut add_named_files) {
        let here = Word::text(".");
        accesses.add_with_extent(
            Verb::Writes,
            &here,
            AccessExtent::UnknownPart(Unknown::new(Cause::ArchiveContents, "apply_patch")),
        );
    }
}

/// Adds the read of `shuf file`. With `-e` and `-i`, the operands are not files.
pub(super) fn shuf(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if !call.has_option(&["-e", "--echo", "-i", "--input-range"]) {
        call.operands().first().into_iter().for_each(|file| accesses.add_read(file));
    }
}

/// Adds the write of `mktemp`. Without a template, or with `-t` or `-p`, the file is in a directory for temporary
/// files.
pub(super) fn mktemp(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if call.has_option(&["-u", "--dry-run"]) {
        return;
    }
    let directory = call.value(&["-p", "--tmpdir"]);
    let template = call.operands().first().copied();
    let is_temporary = template.is_none() || call.has_option(&["-t", "--tmpdir", "-p"]);
    let name = match template {
        Some(template) => fill_template(template),
        None => {
            let mut name = Word::text("tmp.");
            name.push(letters(10));
            name
        }
    };
    let temporary = Word::text("/tmp");
    let directory = directory.or_else(|| is_temporary.then_some(&temporary));
    accesses.add_write(&super::call::join_directory(directory, &name));
}

/// Returns an unknown part of a word that consists of `count` letters and digits.
fn letters(count: usize) -> WordPart {
    let why = Unknown::with_source(Cause::Glob, "X".repeat(count), ValueSource::RandomLetters(count));
    WordPart::Unknown(UnknownPart { reason: why, may_split: false })
}

/// The minimum number of `X`s in a template of `mktemp`.
const MIN_TEMPLATE_XS: usize = 3;

/// Returns a template with its last run of `X`s replaced by any letters and digits.
fn fill_template(template: &Word) -> Word {
    let split = template.known_text().and_then(|text| text.split_at_checked(text.rfind('X')? + 1));
    let Some((before, rest)) = split else { return template.clone() };
    let start = before.trim_end_matches('X');
    if before.len() - start.len() < MIN_TEMPLATE_XS {
        return template.clone();
    }
    let mut word = Word::text(start);
    word.push(letters(before.len() - start.len()));
    word.push(WordPart::Text(rest.to_owned()));
    word
}

/// Adds the accesses of `shred`.
pub(super) fn shred(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    for file in call.operands() {
        accesses.add_write(file);
        if call.has_option(&["-u", "--remove"]) {
            accesses.add_delete(file);
        }
    }
}

/// Adds the deletion of each operand, with everything below it.
pub(super) fn deletes_whole(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    for file in call.operands() {
        accesses.add_with_extent(Verb::Deletes, file, AccessExtent::Everything);
    }
}

/// Adds the accesses of `chmod`. The first operand is the mode, unless the mode looks like an option (`-x`).
pub(super) fn mode(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let is_mode =
        |name: &str| name.starts_with('-') && !name.starts_with("--") && name.contains(|c| "rwxXstugo".contains(c));
    let is_given = call.has_option(&["--reference"]) || call.argv.options.iter().any(|given| is_mode(&given.name));
    let extent = match call.has_option(&["-R", "--recursive"]) {
        true => AccessExtent::Below(FileFilter::default()),
        false => AccessExtent::PathOnly,
    };
    for file in call.operands().get(usize::from(!is_given)..).unwrap_or_default() {
        accesses.add_with_extent(Verb::Writes, file, extent.clone());
    }
}

/// Adds the accesses of an editor, which reads its files. It certainly writes them if one of its commands saves
/// (`+wq`), and otherwise may write them.
pub(super) fn editor(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    // A word such as `+12` or `+cmd` is a command.
    let takes_command = |word: &Word| {
        word.known_text().is_some_and(|text| {
            text == "--cmd" || text.starts_with('-') && !text.starts_with("--") && text.ends_with('c')
        })
    };
    // In other editors, the word after `-c` is not a command.
    let takes_commands = call.is_program(&["vim", "vi", "nvim", "ex", "gvim", "rvim", "rview", "rgvim"]);
    let pairs = call.words.iter().zip(call.words.iter().skip(1));
    let words_after_option: Vec<&Word> =
        pairs.filter(|(before, _)| takes_commands && takes_command(before)).map(|(_, word)| word).collect();
    let is_command =
        |word: &Word| word.prefix().starts_with('+') || words_after_option.iter().any(|one| std::ptr::eq(*one, word));
    let command_texts: Vec<&str> =
        call.words.iter().filter(|word| is_command(word)).filter_map(|word| word.known_text()).collect();
    let saves = command_texts.iter().copied().any(is_saving);
    // `ed`, and `ex` without a screen, take their commands from standard input.
    let input = call.stdin.filter(|_| call.is_program(&["ed", "red", "ex"]) || call.words.iter().any(is_silent));
    for file in command_texts.iter().copied().chain(input.into_iter().flat_map(str::lines)).flat_map(saved_files) {
        accesses.add_write(&Word::text(file));
    }
    for file in call.operands().iter().filter(|file| !is_command(file)) {
        accesses.add_read(file);
        match saves {
            true => accesses.add_write(file),
            false => {
                accesses.add_possible(
                    Verb::Writes,
                    file,
                    Unknown::new(Cause::Editing, call.program().unwrap_or_default()),
                );
            }
        }
    }
}

/// Whether a word makes `vim` run without a screen, so that it reads commands from standard input: `-es`.
fn is_silent(word: &Word) -> bool {
    word.known_text().is_some_and(|text| matches!(text, "-es" | "-Es" | "-e" | "-E"))
}

/// Returns the files that editor commands save to under another name: `w! copy`, `1,5w copy`, `redir! > log`.
fn saved_files(commands: &str) -> impl Iterator<Item = &str> {
    const SAVING: &[&str] = &[
        "w",
        "wr",
        "wri",
        "writ",
        "write",
        "W",
        "wq",
        "x",
        "sav",
        "save",
        "saveas",
        "up",
        "update",
        "mks",
        "mksession",
        "mkv",
        "mkview",
        "mk",
        "mkexrc",
        "mkvimrc",
        "redi",
        "redir",
        "wundo",
        "wv",
        "wviminfo",
        "wsh",
        "wshada",
    ];
    commands.split('|').filter_map(|command| {
        let bare = command.trim_start_matches(|c: char| c.is_ascii_digit() || "+:%,.$; ".contains(c));
        let end = bare.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(bare.len());
        let (name, rest) = bare.split_at_checked(end)?;
        let file = rest.trim_start_matches('!').trim_start_matches(['>', ' ', '\t']).trim_end();
        // `w !cmd` runs a command, and `%`, `#` and `$` stand for other texts.
        let is_file =
            !file.is_empty() && !file.starts_with(['!', '+']) && !file.contains(['%', '#', '$', '`', '*', ' ']);
        let is_filter = rest.starts_with(' ') && rest.trim_start().starts_with('!');
        (SAVING.contains(&name) && rest.starts_with(['!', ' ', '>']) && is_file && !is_filter).then_some(file)
    })
}

/// Whether one of the editor commands in a word saves the file: `wq`, `+x`, `%d|w!`.
fn is_saving(word: &str) -> bool {
    const SAVING: &[&str] =
        &["w", "wa", "wall", "wq", "wqa", "wqall", "write", "x", "xa", "xall", "xit", "up", "update"];
    let commands = word.trim_start_matches(['+', ':']).split('|');
    commands
        .map(|command| command.trim().trim_start_matches(':').trim_end_matches('!'))
        .any(|command| SAVING.contains(&command))
}

/// Adds the accesses of a program that lets an editor change a list of files, and then renames and deletes them
/// accordingly: `vidir DIRECTORY`.
pub(super) fn name_list(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let why = Unknown::new(Cause::Editing, call.program().unwrap_or_default());
    let here = Word::text(".");
    let named: Vec<&Word> = call.operands().iter().copied().filter(|word| !word.prefix().starts_with('-')).collect();
    let lists = if named.is_empty() { vec![&here] } else { named };
    let below = || AccessExtent::Below(FileFilter::default());
    for list in lists {
        for (verb, extent) in [(Verb::Deletes, AccessExtent::Everything), (Verb::Writes, below())] {
            accesses.add(FileAccess {
                verb,
                path: list.clone(),
                extent,
                certainty: AccessCertainty::Maybe(why.clone()),
            });
        }
    }
}

/// Adds the accesses of `rename`, which may give each file after the expression another name.
pub(super) fn rename(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if call.has_option(&["-n", "--nono", "--no-act", "--dry-run"]) {
        return;
    }
    for file in call.operands().get(1..).unwrap_or_default() {
        let why = Unknown::new(Cause::Editing, call.program().unwrap_or_default());
        accesses.add_read(file);
        accesses.add(FileAccess {
            verb: Verb::Deletes,
            path: (*file).clone(),
            extent: AccessExtent::Everything,
            certainty: crate::access::AccessCertainty::Maybe(why.clone()),
        });
        let near = super::paths::parent(file).unwrap_or_else(|| Word::text("."));
        accesses.add_with_extent(Verb::Writes, &near, AccessExtent::UnknownPart(why));
    }
}
