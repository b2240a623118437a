//! Programs that pack and unpack. The contents of an archive are unknown; the place where it is unpacked is known.

use super::accesses::FileAccesses;
use super::call::Call;
use super::paths::{as_exclusion, join, with, without};
use super::search;
use crate::access::{Certainty, Extent, FileAccess, Filter, Verb};
use crate::word::{Cause, Unknown, Word};

fn contents(archive: Option<&Word>) -> Unknown {
    Unknown::new(Cause::Packed, archive.map(Word::shown).unwrap_or_default())
}

/// Adds the files unpacked into a directory: the named members, else some files below it.
fn unpacked(directory: &Word, members: &[&Word], archive: Option<&Word>, accesses: &mut FileAccesses) {
    let is_plain = |word: &&Word| word.known().is_some_and(|name| !name.contains(['*', '?', '[']));
    for member in members.iter().filter(|word| is_plain(word)) {
        accesses.reaching(Verb::Writes, &join(directory, member), Extent::Whole);
    }
    if members.is_empty() || !members.iter().all(is_plain) {
        accesses.reaching(Verb::Writes, directory, Extent::Part(contents(archive)));
    }
}

pub(super) fn tar(call: &Call<'_>, accesses: &mut FileAccesses) {
    let here = Word::text(".");
    let directory = call.value(&["-C", "--directory", "--cd"]).unwrap_or(&here);
    let archive = call.value(&["-f", "--file"]);
    let members = call.operands();
    let extracts = call.has(&["-x", "--extract", "--get"]);
    let packs = call.has(&["-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate"]);
    // For options that are not known.
    let maybe = call.maybe_has().filter(|_| !extracts && !packs);
    if extracts || call.has(&["-t", "--list", "-d", "--diff", "--compare"]) {
        archive.into_iter().for_each(|archive| accesses.reads(archive));
    }
    if extracts && !call.has(&["-O", "--to-stdout"]) {
        unpacked(directory, members, archive, accesses);
    }
    if packs || call.has(&["--delete"]) {
        archive.into_iter().for_each(|archive| accesses.writes(archive));
    }
    if packs {
        let filter = Filter { except: search::excepted(call, &["--exclude"]), ..Filter::default() };
        for (at, member) in call.placed() {
            let path = join(&directory_at(call, at), member);
            accesses.below(Verb::Reads, &path, &filter);
            if call.has(&["--remove-files"]) {
                accesses.below(Verb::Deletes, &path, &filter);
            }
        }
        // The names come from a file or from standard input.
        for list in call.values(&["-T", "--files-from"]) {
            listed(list, accesses);
        }
    }
    let Some(why) = maybe else { return };
    for member in members {
        for verb in [Verb::Reads, Verb::Writes] {
            let extent = Extent::Below(Filter::default());
            accesses.add(FileAccess {
                verb,
                path: (*member).clone(),
                extent,
                certainty: Certainty::Maybe(why.clone()),
            });
        }
    }
}

/// Returns the directory that a word is relative to: each `-C` applies to the words after it, and is relative to the
/// one before.
fn directory_at(call: &Call<'_>, at: usize) -> Word {
    let before = call.given(&["-C", "--directory", "--cd"]).filter(|given| given.at < at);
    let directories = before.filter_map(|given| given.value.as_ref());
    directories.fold(Word::text("."), |directory, next| join(&directory, next))
}

/// Adds reads of the files named in a list.
fn listed(list: &Word, accesses: &mut FileAccesses) {
    accesses.reads(&Word::several(Unknown::new(Cause::Input, list.shown())));
}

pub(super) fn zip(call: &Call<'_>, accesses: &mut FileAccesses) {
    // After `-x` and `-i`, all words up to the next option are patterns.
    let (mut operands, mut except) = (Vec::new(), Vec::new());
    let mut at_list = 0;
    let mut list = None;
    for (at, operand) in call.placed() {
        let options = call.words.get(at_list..at).unwrap_or_default();
        list = options.iter().rev().find(|word| word.prefix().starts_with('-')).map_or(list, |word| word.known());
        at_list = at;
        match list {
            Some("-x" | "--exclude") => except.extend(as_exclusion(operand)),
            Some("-i" | "--include") => {}
            _ => operands.push(operand),
        }
    }
    let Some((archive, files)) = operands.split_first() else { return };
    accesses.writes(&extended(archive, ".zip"));
    if call.has(&["-d", "--delete"]) {
        return;
    }
    let filter = Filter { except: except.into(), ..Filter::default() };
    let is_below = call.has(&["-r", "--recurse-paths", "-R"]);
    for file in files {
        match is_below || filter != Filter::default() {
            true => accesses.below(Verb::Reads, file, &filter),
            false => accesses.reads(file),
        }
        if call.has(&["-m", "--move"]) {
            accesses.below(Verb::Deletes, file, &filter);
        }
    }
    if call.has(&["-@"]) {
        listed(&Word::text("zip"), accesses);
    }
}

/// Returns an archive's name, with the ending appended if it has no extension.
fn extended(archive: &Word, ending: &str) -> Word {
    let has_ending = |name: &str| name.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if archive.known().is_some_and(|name| !has_ending(name) && name != "-") {
        with(archive, ending)
    } else {
        archive.clone()
    }
}

pub(super) fn unzip(call: &Call<'_>, accesses: &mut FileAccesses) {
    let Some(archive) = call.operands().first() else { return };
    accesses.reads(archive);
    if call.has(&["-l", "-p", "-c", "-t", "-v", "-Z", "-z"]) {
        return;
    }
    let here = Word::text(".");
    let directory = call.value(&["-d"]).unwrap_or(&here);
    // The members after `-x` are left out.
    let left_out = call.words.iter().position(|word| word.known() == Some("-x")).unwrap_or(usize::MAX);
    let taken = call.placed().skip(1).filter(|(at, _)| *at < left_out);
    let members: Vec<&Word> = taken.map(|(_, member)| member).collect();
    unpacked(directory, &members, Some(archive), accesses);
}

pub(super) fn gzip(call: &Call<'_>, accesses: &mut FileAccesses) {
    packed(call, ".gz", &[".gz", ".tgz", ".Z"], Original::Goes, accesses);
}

pub(super) fn bzip2(call: &Call<'_>, accesses: &mut FileAccesses) {
    packed(call, ".bz2", &[".bz2"], Original::Goes, accesses);
}

pub(super) fn xz(call: &Call<'_>, accesses: &mut FileAccesses) {
    packed(call, ".xz", &[".xz", ".lzma"], Original::Goes, accesses);
}

pub(super) fn zstd(call: &Call<'_>, accesses: &mut FileAccesses) {
    let original = if call.has(&["--rm"]) { Original::Goes } else { Original::Stays };
    let (ending, endings) = if call.is(&["lz4"]) { (".lz4", [".lz4"]) } else { (".zst", [".zst"]) };
    if let Some(out) = call.value(&["-o"]) {
        accesses.writes(out);
        return call.operands().iter().for_each(|file| accesses.reads(file));
    }
    packed(call, ending, &endings, original, accesses);
}

pub(super) fn expand(call: &Call<'_>, accesses: &mut FileAccesses) {
    const ENDINGS: &[&str] = &[".gz", ".Z", ".bz2", ".xz", ".lzma", ".zst", ".lz4"];
    let stays = call.has(&["-k", "--keep"]) || call.is(&["unzstd", "unlz4"]);
    for file in call.operands() {
        let original = if stays { Original::Stays } else { Original::Goes };
        unpack_one(call, file, ENDINGS, original, accesses);
    }
}

/// Whether a file is deleted once it is packed or unpacked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Original {
    Goes,
    Stays,
}

/// Packs each file into an archive next to it, or unpacks it with `-d`.
fn packed(call: &Call<'_>, ending: &str, endings: &[&str], original: Original, accesses: &mut FileAccesses) {
    let original = if call.has(&["-k", "--keep"]) { Original::Stays } else { original };
    let is_below = call.has(&["-r", "--recursive"]);
    for file in call.operands() {
        if call.has(&["-d", "--decompress", "--uncompress"]) {
            unpack_one(call, file, endings, original, accesses);
            continue;
        }
        match is_below {
            true => accesses.below(Verb::Reads, file, &Filter::default()),
            false => accesses.reads(file),
        }
        if is_streamed(call) {
            continue;
        }
        if is_below {
            accesses.reaching(Verb::Writes, file, Extent::Part(contents(Some(file))));
        } else {
            let suffix = call.value(&["-S", "--suffix"]).and_then(Word::known).unwrap_or(ending);
            accesses.writes(&with(file, suffix));
        }
        if original == Original::Goes {
            match is_below {
                true => accesses.below(Verb::Deletes, file, &Filter::default()),
                false => accesses.deletes(file),
            }
        }
    }
}

fn unpack_one(call: &Call<'_>, file: &Word, endings: &[&str], original: Original, accesses: &mut FileAccesses) {
    accesses.reads(file);
    if is_streamed(call) {
        return;
    }
    let unpacked = endings.iter().find_map(|ending| without(file, ending));
    accesses.writes(&unpacked.unwrap_or_else(|| file.clone()));
    if original == Original::Goes {
        accesses.deletes(file);
    }
}

/// Whether the result goes to standard output, or no file results.
fn is_streamed(call: &Call<'_>) -> bool {
    call.has(&["-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test"])
}

/// `7z a archive files`, `7z x archive -oDIR`.
pub(super) fn seven(call: &Call<'_>, accesses: &mut FileAccesses) {
    let [command, archive, files @ ..] = call.operands() else { return };
    match command.known() {
        Some("a" | "u") => {
            accesses.writes(archive);
            files.iter().for_each(|file| accesses.below(Verb::Reads, file, &Filter::default()));
            if call.words.iter().any(|word| word.known() == Some("-sdel")) {
                files.iter().for_each(|file| accesses.reaching(Verb::Deletes, file, Extent::Whole));
            }
        }
        Some("d" | "rn") => accesses.writes(archive),
        Some("x" | "e") => {
            accesses.reads(archive);
            let out = call.words.iter().find_map(|word| word.after("-o"));
            unpacked(&out.unwrap_or_else(|| Word::text(".")), files, Some(archive), accesses);
        }
        _ => accesses.reads(archive),
    }
}

/// `unrar x archive [members] [dir/]`, `rar a archive files`.
pub(super) fn rar(call: &Call<'_>, accesses: &mut FileAccesses) {
    let [command, archive, rest @ ..] = call.operands() else { return };
    match command.known() {
        Some("x" | "e") => {
            accesses.reads(archive);
            let (directory, members) = match rest.split_last() {
                Some((last, before)) if super::paths::ends_in_slash(last) => ((*last).clone(), before),
                _ => (Word::text("."), rest),
            };
            unpacked(&directory, members, Some(archive), accesses);
        }
        Some("a" | "m" | "u") => {
            accesses.writes(archive);
            rest.iter().for_each(|file| accesses.below(Verb::Reads, file, &Filter::default()));
        }
        _ => accesses.reads(archive),
    }
}

pub(super) fn cpio(call: &Call<'_>, accesses: &mut FileAccesses) {
    let here = Word::text(".");
    if call.has(&["-i", "--extract"]) && !call.has(&["-t", "--list", "--to-stdout"]) {
        let directory = call.value(&["-D", "--directory"]).unwrap_or(&here);
        unpacked(directory, call.operands(), call.value(&["-F", "--file"]), accesses);
    }
    if call.has(&["-o", "--create", "-p", "--pass-through"]) {
        listed(&Word::text("cpio"), accesses);
    }
    if call.has(&["-p", "--pass-through"])
        && let Some(directory) = call.operands().first()
    {
        accesses.reaching(Verb::Writes, directory, Extent::Part(contents(None)));
    }
}

/// `dpkg-deb -x ARCHIVE DIRECTORY`, `dpkg-deb -b DIRECTORY ARCHIVE`.
pub(super) fn deb(call: &Call<'_>, accesses: &mut FileAccesses) {
    let [first, rest @ ..] = call.operands() else { return };
    accesses.reads(first);
    let second = rest.first();
    if call.has(&["--extract", "--vextract", "--raw-extract", "--control"]) {
        second.into_iter().for_each(|into| accesses.reaching(Verb::Writes, into, Extent::Part(contents(Some(first)))));
    } else if call.has(&["--build"]) {
        second.into_iter().for_each(|archive| accesses.writes(archive));
    }
}

/// `mksquashfs SOURCE… TARGET`
pub(super) fn squashed(call: &Call<'_>, accesses: &mut FileAccesses) {
    let Some((target, sources)) = call.operands().split_last() else { return };
    sources.iter().for_each(|source| accesses.below(Verb::Reads, source, &Filter::default()));
    accesses.writes(target);
}

/// `ar rcs archive files`, `ar x archive`.
pub(super) fn ar(call: &Call<'_>, accesses: &mut FileAccesses) {
    let into = call.words.windows(2).find_map(|pair| match pair {
        [option, directory] if option.known() == Some("--output") => Some(directory),
        _ => None,
    });
    let is_own = |word: &&Word| !word.prefix().starts_with("--") && into.is_none_or(|into| !std::ptr::eq(into, *word));
    let mut words = call.words.iter().skip(1).filter(is_own);
    let Some(operation) = words.next().and_then(Word::known) else { return };
    let operation = operation.trim_start_matches('-');
    let Some(archive) = words.next() else { return };
    if operation.starts_with(['r', 'q']) {
        accesses.writes(archive);
        words.for_each(|file| accesses.reads(file));
    } else if operation.starts_with(['d', 'm', 's']) {
        accesses.writes(archive);
    } else {
        accesses.reads(archive);
        if operation.starts_with('x') {
            let members: Vec<&Word> = words.collect();
            unpacked(into.unwrap_or(&Word::text(".")), &members, Some(archive), accesses);
        }
    }
}

/// `pax`: `-w` packs the operands, `-r` unpacks, and both together copy into the last operand.
pub(super) fn pax(call: &Call<'_>, accesses: &mut FileAccesses) {
    let archive = call.value(&["-f"]);
    let (packs, unpacks) = (call.has(&["-w"]), call.has(&["-r"]));
    let (sources, target) = match call.operands().split_last() {
        Some((target, sources)) if packs && unpacks => (sources, Some(*target)),
        _ => (call.operands(), None),
    };
    if packs {
        sources.iter().for_each(|source| accesses.below(Verb::Reads, source, &Filter::default()));
        if sources.is_empty() {
            listed(&Word::text("pax"), accesses);
        }
    }
    if let Some(target) = target {
        return accesses.reaching(Verb::Writes, target, Extent::Part(contents(sources.first().copied())));
    }
    if packs {
        archive.into_iter().for_each(|archive| accesses.writes(archive));
    } else {
        archive.into_iter().for_each(|archive| accesses.reads(archive));
    }
    if unpacks {
        unpacked(&Word::text("."), sources, archive, accesses);
    }
}
