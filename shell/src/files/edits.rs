//! Programs that read files, and those that change them in place.

use super::accesses::FileAccesses;
use super::call::Call;
use super::patches::{self, Strip};
use super::paths::{any, with};
use crate::access::{Extent, FileAccess, Filter, Verb};
use crate::nested::{awk, sed};
use crate::word::{Cause, Part, Source, Unknown, UnknownPart, Word};

/// `yq` reads its files, and with `-i` changes them.
pub(super) fn yq(call: &Call<'_>, accesses: &mut FileAccesses) {
    let has_program = call.has(&["--from-file", "--expression"]);
    let skipped = usize::from(!has_program && call.operands().len() > 1);
    let files = call.operands().get(skipped..).unwrap_or_default();
    let skips = matches!(call.operands().first().and_then(|word| word.known()), Some("eval" | "e" | "eval-all" | "ea"));
    let files = if skips { files.get(1..).unwrap_or_default() } else { files };
    change(call, files, &["-i", "--inplace", "--in-place"], accesses);
}

/// `sed`: a script may name files of its own.
pub(super) fn stream(call: &Call<'_>, accesses: &mut FileAccesses) {
    let skipped = usize::from(!call.has(&["-e", "--expression", "-f", "--file"]));
    let scripts = call.values(&["-e", "--expression"]).chain(call.operands().iter().take(skipped).copied());
    for (verb, file) in scripts.flat_map(sed::files) {
        accesses.at(verb, &file);
    }
    change(call, call.operands().get(skipped..).unwrap_or_default(), &["-i", "--in-place", "-I"], accesses);
}

/// With `-n` or `-p`, perl and ruby read their operands line by line; with `-i`, they change them, including those that
/// the code itself reads. Otherwise the first operand is the script, and what it does with the others is unknown.
pub(super) fn perl(call: &Call<'_>, accesses: &mut FileAccesses) {
    let operands = call.operands();
    let has_code = call.has(&["-e", "-E"]);
    let skipped = usize::from(!has_code);
    if !has_code && let Some(script) = operands.first() {
        accesses.reads(script);
    }
    if call.has(&["-n", "-p", "-i"]) {
        change(call, operands.get(skipped..).unwrap_or_default(), &["-i"], accesses);
    }
}

/// Reads files, and changes them with one of these options.
fn change(call: &Call<'_>, files: &[&Word], in_place: &[&str], accesses: &mut FileAccesses) {
    let maybe = call.maybe_has();
    let backups: Vec<Word> = call.values(in_place).filter(|suffix| suffix.known() != Some("")).cloned().collect();
    for file in files {
        accesses.reads(file);
        match &maybe {
            _ if call.has(in_place) => accesses.writes(file),
            Some(why) => accesses.maybe(Verb::Writes, file, why.clone()),
            None => {}
        }
        for suffix in &backups {
            accesses.writes(&backup(file, suffix));
        }
    }
}

/// Returns the name of a backup: the file's name with the suffix appended. If the suffix contains a `*`, which
/// represents the file's name, or is unknown, it is any name in the file's directory.
fn backup(file: &Word, suffix: &Word) -> Word {
    match suffix.known() {
        Some(text) if !text.contains('*') => with(file, text),
        _ => {
            let mut near = super::paths::parent(file).map_or_else(Word::default, |parent| with(&parent, "/"));
            near.push(any());
            near
        }
    }
}

/// `awk`: the first operand is the program, unless an option gives it; `name=value` is not a file.
pub(super) fn program(call: &Call<'_>, accesses: &mut FileAccesses) {
    const PROGRAM: &[&str] = &["-f", "--file", "-e", "--source", "-E", "--exec"];
    let skipped = usize::from(!call.has(PROGRAM));
    let programs = call.values(&["-e", "--source"]).chain(call.operands().iter().take(skipped).copied());
    for (verb, file) in programs.flat_map(awk::files) {
        accesses.at(verb, &file);
    }
    let is_in_place = call.values(&["-i", "--include"]).any(|name| name.known() == Some("inplace"));
    for file in call.operands().get(skipped..).unwrap_or_default() {
        let start = file.prefix();
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if start.split_once('=').is_some_and(|(name, _)| is_name(name)) {
            continue;
        }
        accesses.reads(file);
        if is_in_place {
            accesses.writes(file);
        }
    }
}

/// The first operand is read, the second written.
pub(super) fn in_and_out(call: &Call<'_>, accesses: &mut FileAccesses) {
    let operands = call.operands();
    operands.first().into_iter().for_each(|file| accesses.reads(file));
    operands.get(1).into_iter().for_each(|file| accesses.writes(file));
}

pub(super) fn dd(call: &Call<'_>, accesses: &mut FileAccesses) {
    for word in call.words.iter().skip(1) {
        if let Some(file) = word.after("if=") {
            accesses.reads(&file);
        }
        if let Some(file) = word.after("of=") {
            accesses.writes(&file);
        }
    }
}

/// `--rawfile name file`: two words belong to the option.
pub(super) fn query(call: &Call<'_>, accesses: &mut FileAccesses) {
    for (at, word) in call.words.iter().enumerate() {
        if matches!(word.known(), Some("--rawfile" | "--slurpfile" | "--argfile")) {
            call.words.get(at + 2).into_iter().for_each(|file| accesses.reads(file));
        }
    }
    let skipped = usize::from(!call.has(&["-f", "--from-file"]));
    call.operands().iter().skip(skipped).for_each(|file| accesses.reads(file));
}

/// `split`: the names of the output files begin with a prefix.
pub(super) fn split(call: &Call<'_>, accesses: &mut FileAccesses) {
    let operands = call.operands();
    operands.first().into_iter().for_each(|file| accesses.reads(file));
    let is_csplit = call.is(&["csplit", "gcsplit"]);
    let named = if is_csplit { call.value(&["-f", "--prefix"]) } else { operands.get(1).copied() };
    let mut made = named.cloned().unwrap_or_else(|| Word::text(if is_csplit { "xx" } else { "x" }));
    made.push(any());
    accesses.writes(&made);
}

/// `patch`: a patch names the files that it changes, below the directory in which it is applied; with an operand, it
/// changes that file alone.
pub(super) fn patch(call: &Call<'_>, accesses: &mut FileAccesses) {
    if call.has(&["--dry-run", "-C", "--check"]) {
        return;
    }
    let operands = call.operands();
    operands.get(1).into_iter().for_each(|file| accesses.reads(file));
    call.values(&["-i", "--input"]).for_each(|file| accesses.reads(file));
    if let Some(out) = call.value(&["-o", "--output"]) {
        return accesses.writes(out);
    }
    let directory = call.value(&["-d", "--directory"]);
    if let Some(file) = operands.first() {
        let file = super::call::in_directory(directory, file);
        accesses.reads(&file);
        return accesses.writes(&file);
    }
    let is_named = !call.has(&["-i", "--input", "-e", "--ed", "-R"])
        && call
            .stdin
            .zip(patches::strip(call.value(&["-p", "--strip"]), Strip::All))
            .is_some_and(|(text, strip)| patches::applied(text, strip, directory, accesses));
    if is_named {
        return;
    }
    let here = directory.cloned().unwrap_or_else(|| Word::text("."));
    accesses.reaching(Verb::Writes, &here, Extent::Part(Unknown::new(Cause::Packed, "patch")));
}

/// `apply_patch`: a patch in the agents' format, as the one operand or on the standard input.
pub(super) fn apply_patch(call: &Call<'_>, accesses: &mut FileAccesses) {
    let given = match call.operands().first() {
        Some(patch) => patch.known(),
        None => call.stdin,
    };
    let mut names =
        |patch: &str| patches::wrapped(patch, accesses) || patches::applied(patch, Strip::Leading(1), None, accesses);
    if !given.is_some_and(&mut names) {
        let here = Word::text(".");
        accesses.reaching(Verb::Writes, &here, Extent::Part(Unknown::new(Cause::Packed, "apply_patch")));
    }
}

/// `shuf file`; with `-e` and `-i`, its operands are not files.
pub(super) fn shuf(call: &Call<'_>, accesses: &mut FileAccesses) {
    if !call.has(&["-e", "--echo", "-i", "--input-range"]) {
        call.operands().first().into_iter().for_each(|file| accesses.reads(file));
    }
}

/// `mktemp`: without a template, or with `-t` or `-p`, the file is in a directory for temporary files.
pub(super) fn mktemp(call: &Call<'_>, accesses: &mut FileAccesses) {
    if call.has(&["-u", "--dry-run"]) {
        return;
    }
    let directory = call.value(&["-p", "--tmpdir"]);
    let template = call.operands().first().copied();
    let is_temporary = template.is_none() || call.has(&["-t", "--tmpdir", "-p"]);
    let name = match template {
        Some(template) => placed(template),
        None => {
            let mut name = Word::text("tmp.");
            name.push(letters(10));
            name
        }
    };
    let temporary = Word::text("/tmp");
    let directory = directory.or_else(|| is_temporary.then_some(&temporary));
    accesses.writes(&super::call::in_directory(directory, &name));
}

/// Any letters and digits, as many as `count`.
fn letters(count: usize) -> Part {
    let why = Unknown::of(Cause::Glob, "X".repeat(count), Source::Letters(count));
    Part::Unknown(UnknownPart { why, splits: false })
}

/// The fewest `X`s in a template.
const PLACES: usize = 3;

/// Returns a template with its last `X`s replaced by any letters and digits.
fn placed(template: &Word) -> Word {
    let split = template.known().and_then(|text| text.split_at_checked(text.rfind('X')? + 1));
    let Some((before, rest)) = split else { return template.clone() };
    let start = before.trim_end_matches('X');
    if before.len() - start.len() < PLACES {
        return template.clone();
    }
    let mut word = Word::text(start);
    word.push(letters(before.len() - start.len()));
    word.push(Part::Text(rest.to_owned()));
    word
}

pub(super) fn shred(call: &Call<'_>, accesses: &mut FileAccesses) {
    for file in call.operands() {
        accesses.writes(file);
        if call.has(&["-u", "--remove"]) {
            accesses.deletes(file);
        }
    }
}

pub(super) fn deletes_whole(call: &Call<'_>, accesses: &mut FileAccesses) {
    for file in call.operands() {
        accesses.reaching(Verb::Deletes, file, Extent::Whole);
    }
}

/// `chmod`: the first operand is the mode, unless the mode looks like an option (`-x`).
pub(super) fn mode(call: &Call<'_>, accesses: &mut FileAccesses) {
    let is_mode =
        |name: &str| name.starts_with('-') && !name.starts_with("--") && name.contains(|c| "rwxXstugo".contains(c));
    let is_given = call.has(&["--reference"]) || call.argv.options.iter().any(|given| is_mode(&given.name));
    let extent = match call.has(&["-R", "--recursive"]) {
        true => Extent::Below(Filter::default()),
        false => Extent::Alone,
    };
    for file in call.operands().get(usize::from(!is_given)..).unwrap_or_default() {
        accesses.reaching(Verb::Writes, file, extent.clone());
    }
}

/// An editor's actions are not seen: it may write the files that it opens.
pub(super) fn editor(call: &Call<'_>, accesses: &mut FileAccesses) {
    // `+12` and `+cmd` are commands.
    let takes_command = |word: &Word| {
        word.known().is_some_and(|text| {
            text == "--cmd" || text.starts_with('-') && !text.starts_with("--") && text.ends_with('c')
        })
    };
    // For other editors, `-c` is a flag.
    let takes_commands = call.is(&["vim", "vi", "nvim", "ex", "gvim", "rvim", "rview", "rgvim"]);
    let pairs = call.words.iter().zip(call.words.iter().skip(1));
    let commands: Vec<&Word> =
        pairs.filter(|(before, _)| takes_commands && takes_command(before)).map(|(_, word)| word).collect();
    let is_command =
        |word: &Word| word.prefix().starts_with('+') || commands.iter().any(|one| std::ptr::eq(*one, word));
    let is_written = call.words.iter().filter(|word| is_command(word)).filter_map(|word| word.known()).any(saves);
    for file in call.operands().iter().filter(|file| !is_command(file)) {
        accesses.reads(file);
        match is_written {
            true => accesses.writes(file),
            false => {
                accesses.maybe(Verb::Writes, file, Unknown::new(Cause::Editing, call.program().unwrap_or_default()));
            }
        }
    }
}

/// Whether one of the editor commands in a word saves the file: `wq`, `+x`, `%d|w!`.
fn saves(word: &str) -> bool {
    const SAVING: &[&str] =
        &["w", "wa", "wall", "wq", "wqa", "wqall", "write", "x", "xa", "xall", "xit", "up", "update"];
    let commands = word.trim_start_matches(['+', ':']).split('|');
    commands
        .map(|command| command.trim().trim_start_matches(':').trim_end_matches('!'))
        .any(|command| SAVING.contains(&command))
}

/// `rename`: each file after the expression may get another name.
pub(super) fn rename(call: &Call<'_>, accesses: &mut FileAccesses) {
    if call.has(&["-n", "--nono", "--no-act", "--dry-run"]) {
        return;
    }
    for file in call.operands().get(1..).unwrap_or_default() {
        let why = Unknown::new(Cause::Editing, call.program().unwrap_or_default());
        accesses.reads(file);
        accesses.add(FileAccess {
            verb: Verb::Deletes,
            path: (*file).clone(),
            extent: Extent::Whole,
            certainty: crate::access::Certainty::Maybe(why.clone()),
        });
        let near = super::paths::parent(file).unwrap_or_else(|| Word::text("."));
        accesses.reaching(Verb::Writes, &near, Extent::Part(why));
    }
}
