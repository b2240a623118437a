//! Programs that pack and unpack archives. Which files an archive contains is unknown, but the directory into which it
//! is unpacked is known.

use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use super::paths::{append_text, as_exclusion, join, strip_ending};
use super::search;
use crate::access::{AccessCertainty, AccessExtent, FileAccess, FileFilter, Verb};
use crate::word::{Cause, Unknown, Word};

/// Returns the reason for an unknown path: it is one of the contents of an archive.
fn contents(archive: Option<&Word>) -> Unknown {
    Unknown::new(Cause::ArchiveContents, archive.map(Word::display_text).unwrap_or_default())
}

/// Adds the writes of the files that are unpacked into a directory: of each named member and, if no member is named or
/// one is a pattern, of unknown files below the directory.
fn add_unpacked(directory: &Word, members: &[&Word], archive: Option<&Word>, accesses: &mut FileAccesses) {
    let is_plain = |word: &&Word| word.known_text().is_some_and(|name| !name.contains(['*', '?', '[']));
    for member in members.iter().filter(|word| is_plain(word)) {
        accesses.add_with_extent(Verb::Writes, &join(directory, member), AccessExtent::Everything);
    }
    if members.is_empty() || !members.iter().all(is_plain) {
        accesses.add_with_extent(Verb::Writes, directory, AccessExtent::UnknownPart(contents(archive)));
    }
}

/// Adds the accesses of `tar`. If the options are not fully known, every operand may be read or written.
pub(super) fn tar(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let here = Word::text(".");
    let directory = call.value(&["-C", "--directory", "--cd"]).unwrap_or(&here);
    let archive = call.value(&["-f", "--file"]);
    let members = call.operands();
    let extracts = call.has_option(&["-x", "--extract", "--get"]);
    let packs =
        call.has_option(&["-c", "--create", "-r", "--append", "-u", "--update", "-A", "--catenate", "--concatenate"]);
    // An unknown word may be one of the missing options.
    let maybe = call.test_option().filter(|_| !extracts && !packs);
    if extracts || call.has_option(&["-t", "--list", "-d", "--diff", "--compare"]) {
        archive.into_iter().for_each(|archive| accesses.add_read(archive));
    }
    if extracts && !call.has_option(&["-O", "--to-stdout"]) {
        add_unpacked(directory, members, archive, accesses);
    }
    if packs || call.has_option(&["--delete"]) {
        archive.into_iter().for_each(|archive| accesses.add_write(archive));
    }
    if packs {
        let filter = FileFilter { except: search::excluded_globs(call, &["--exclude"]), ..FileFilter::default() };
        for (at, member) in call.operands_with_indices() {
            let path = join(&effective_directory(call, at), member);
            accesses.add_below(Verb::Reads, &path, &filter);
            if call.has_option(&["--remove-files"]) {
                accesses.add_below(Verb::Deletes, &path, &filter);
            }
        }
        // The names come from a file or from standard input.
        for list in call.values(&["-T", "--files-from"]) {
            read_list(list, accesses);
        }
    }
    let Some(why) = maybe else { return };
    for member in members {
        for verb in [Verb::Reads, Verb::Writes] {
            let extent = AccessExtent::Below(FileFilter::default());
            accesses.add(FileAccess {
                verb,
                path: (*member).clone(),
                extent,
                certainty: AccessCertainty::Maybe(why.clone()),
            });
        }
    }
}

/// Returns the directory to which the word at an index is relative. Each `-C` applies to the words after it, and is
/// itself relative to the `-C` before it.
fn effective_directory(call: &ParsedCommand<'_>, at: usize) -> Word {
    let before = call.options_named(&["-C", "--directory", "--cd"]).filter(|given| given.word_index < at);
    let directories = before.filter_map(|given| given.value.as_ref());
    directories.fold(Word::text("."), |directory, next| join(&directory, next))
}

/// Adds a read of unknown files, whose names are in a list on standard input or in a file.
fn read_list(list: &Word, accesses: &mut FileAccesses) {
    accesses.add_read(&Word::unknown_words(Unknown::new(Cause::Input, list.display_text())));
}

/// Adds the accesses of `zip`.
pub(super) fn zip(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    // After `-x` and `-i`, all words up to the next option are patterns, not files.
    let (mut operands, mut except) = (Vec::new(), Vec::new());
    let mut after_previous = 0;
    let mut last_option = None;
    for (at, operand) in call.operands_with_indices() {
        let options = call.words.get(after_previous..at).unwrap_or_default();
        last_option = options
            .iter()
            .rev()
            .find(|word| word.prefix().starts_with('-'))
            .map_or(last_option, |word| word.known_text());
        after_previous = at;
        match last_option {
            Some("-x" | "--exclude") => except.extend(as_exclusion(operand)),
            Some("-i" | "--include") => {}
            _ => operands.push(operand),
        }
    }
    let Some((archive, files)) = operands.split_first() else { return };
    accesses.add_write(&with_extension(archive, ".zip"));
    if call.has_option(&["-d", "--delete"]) {
        return;
    }
    let filter = FileFilter { except: except.into(), ..FileFilter::default() };
    let is_below = call.has_option(&["-r", "--recurse-paths", "-R"]);
    for file in files {
        match is_below || filter != FileFilter::default() {
            true => accesses.add_below(Verb::Reads, file, &filter),
            false => accesses.add_read(file),
        }
        if call.has_option(&["-m", "--move"]) {
            accesses.add_below(Verb::Deletes, file, &filter);
        }
    }
    if call.has_option(&["-@"]) {
        read_list(&Word::text("zip"), accesses);
    }
}

/// Returns the name of an archive. If it has no extension, `ending` is appended.
fn with_extension(archive: &Word, ending: &str) -> Word {
    let has_ending = |name: &str| name.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if archive.known_text().is_some_and(|name| !has_ending(name) && name != "-") {
        append_text(archive, ending)
    } else {
        archive.clone()
    }
}

/// Adds the accesses of `unzip`.
pub(super) fn unzip(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let Some(archive) = call.operands().first() else { return };
    accesses.add_read(archive);
    if call.has_option(&["-l", "-p", "-c", "-t", "-v", "-Z", "-z"]) {
        return;
    }
    let here = Word::text(".");
    let directory = call.value(&["-d"]).unwrap_or(&here);
    // The members named after `-x` are not unpacked.
    let left_out = call.words.iter().position(|word| word.known_text() == Some("-x")).unwrap_or(usize::MAX);
    let taken = call.operands_with_indices().skip(1).filter(|(at, _)| *at < left_out);
    let members: Vec<&Word> = taken.map(|(_, member)| member).collect();
    add_unpacked(directory, &members, Some(archive), accesses);
}

/// Adds the accesses of `gzip`.
pub(super) fn gzip(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    pack_each(call, ".gz", &[".gz", ".tgz", ".Z"], OriginalFile::Goes, accesses);
}

/// Adds the accesses of `bzip2`.
pub(super) fn bzip2(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    pack_each(call, ".bz2", &[".bz2"], OriginalFile::Goes, accesses);
}

/// Adds the accesses of `xz`.
pub(super) fn xz(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    pack_each(call, ".xz", &[".xz", ".lzma"], OriginalFile::Goes, accesses);
}

/// Adds the accesses of `zstd` and `lz4`, which keep the original file unless `--rm` is given.
pub(super) fn zstd(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let original = if call.has_option(&["--rm"]) { OriginalFile::Goes } else { OriginalFile::Stays };
    let (ending, endings) = if call.is_program(&["lz4"]) { (".lz4", [".lz4"]) } else { (".zst", [".zst"]) };
    if let Some(out) = call.value(&["-o"]) {
        accesses.add_write(out);
        return call.operands().iter().for_each(|file| accesses.add_read(file));
    }
    pack_each(call, ending, &endings, original, accesses);
}

/// Adds the accesses of `brotli`, which keeps the original file unless `--rm` is given.
pub(super) fn brotli(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if let Some(out) = call.value(&["--output", "-o"]) {
        accesses.add_write(out);
    }
    let original = if call.has_option(&["--rm", "-j"]) { OriginalFile::Goes } else { OriginalFile::Stays };
    pack_each(call, ".br", &[".br"], original, accesses);
}

/// Adds the accesses of `compress`.
pub(super) fn compress(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    pack_each(call, ".Z", &[".Z"], OriginalFile::Goes, accesses);
}

/// Adds the accesses of programs that only unpack: `gunzip`, `unxz`, `unzstd`.
pub(super) fn expand(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    const ENDINGS: &[&str] = &[".gz", ".Z", ".bz2", ".xz", ".lzma", ".zst", ".lz4"];
    let stays = call.has_option(&["-k", "--keep"]) || call.is_program(&["unzstd", "unlz4"]);
    for file in call.operands() {
        let original = if stays { OriginalFile::Stays } else { OriginalFile::Goes };
        unpack_one(call, file, ENDINGS, original, accesses);
    }
}

/// Whether the original file is deleted once it is packed or unpacked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OriginalFile {
    /// The original file is deleted.
    Goes,
    /// The original file is kept.
    Stays,
}

/// Adds the accesses of packing each operand into an archive next to it or, with `-d`, of unpacking it. `ending` is
/// that of the archive; `endings` are those that unpacking removes.
fn pack_each(
    call: &ParsedCommand<'_>,
    ending: &str,
    endings: &[&str],
    original: OriginalFile,
    accesses: &mut FileAccesses,
) {
    let original = if call.has_option(&["-k", "--keep"]) { OriginalFile::Stays } else { original };
    let is_below = call.has_option(&["-r", "--recursive"]);
    for file in call.operands() {
        if call.has_option(&["-d", "--decompress", "--uncompress"]) {
            unpack_one(call, file, endings, original, accesses);
            continue;
        }
        match is_below {
            true => accesses.add_below(Verb::Reads, file, &FileFilter::default()),
            false => accesses.add_read(file),
        }
        if is_streamed(call) {
            continue;
        }
        if is_below {
            accesses.add_with_extent(Verb::Writes, file, AccessExtent::UnknownPart(contents(Some(file))));
        } else {
            let suffix = call.value(&["-S", "--suffix"]).and_then(Word::known_text).unwrap_or(ending);
            accesses.add_write(&append_text(file, suffix));
        }
        if original == OriginalFile::Goes {
            match is_below {
                true => accesses.add_below(Verb::Deletes, file, &FileFilter::default()),
                false => accesses.add_delete(file),
            }
        }
    }
}

/// Adds the accesses of unpacking a file: the result is next to it, under its name without the ending.
fn unpack_one(
    call: &ParsedCommand<'_>,
    file: &Word,
    endings: &[&str],
    original: OriginalFile,
    accesses: &mut FileAccesses,
) {
    accesses.add_read(file);
    if is_streamed(call) {
        return;
    }
    let unpacked = endings.iter().find_map(|ending| strip_ending(file, ending));
    accesses.add_write(&unpacked.unwrap_or_else(|| file.clone()));
    if original == OriginalFile::Goes {
        accesses.add_delete(file);
    }
}

/// Whether no file is written, because the result goes to standard output, or the archive is only listed or tested.
fn is_streamed(call: &ParsedCommand<'_>) -> bool {
    call.has_option(&["-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test"])
}

/// Adds the accesses of `7z a archive files` and `7z x archive -oDIR`.
pub(super) fn seven(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let [command, archive, files @ ..] = call.operands() else { return };
    match command.known_text() {
        Some("a" | "u") => {
            accesses.add_write(archive);
            files.iter().for_each(|file| accesses.add_below(Verb::Reads, file, &FileFilter::default()));
            if call.words.iter().any(|word| word.known_text() == Some("-sdel")) {
                files.iter().for_each(|file| accesses.add_with_extent(Verb::Deletes, file, AccessExtent::Everything));
            }
        }
        Some("d" | "rn") => accesses.add_write(archive),
        Some("x" | "e") => {
            accesses.add_read(archive);
            let out = call.words.iter().find_map(|word| word.strip_prefix("-o"));
            add_unpacked(&out.unwrap_or_else(|| Word::text(".")), files, Some(archive), accesses);
        }
        _ => accesses.add_read(archive),
    }
}

/// Adds the accesses of `unrar x archive [members] [dir/]` and `rar a archive files`.
pub(super) fn rar(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let [command, archive, rest @ ..] = call.operands() else { return };
    match command.known_text() {
        Some("x" | "e") => {
            accesses.add_read(archive);
            let (directory, members) = match rest.split_last() {
                Some((last, before)) if super::paths::ends_in_slash(last) => ((*last).clone(), before),
                _ => (Word::text("."), rest),
            };
            add_unpacked(&directory, members, Some(archive), accesses);
        }
        Some("a" | "m" | "u") => {
            accesses.add_write(archive);
            rest.iter().for_each(|file| accesses.add_below(Verb::Reads, file, &FileFilter::default()));
        }
        _ => accesses.add_read(archive),
    }
}

/// Adds the accesses of `cpio`.
pub(super) fn cpio(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let here = Word::text(".");
    if call.has_option(&["-i", "--extract"]) && !call.has_option(&["-t", "--list", "--to-stdout"]) {
        let directory = call.value(&["-D", "--directory"]).unwrap_or(&here);
        add_unpacked(directory, call.operands(), call.value(&["-F", "--file"]), accesses);
    }
    if call.has_option(&["-o", "--create", "-p", "--pass-through"]) {
        read_list(&Word::text("cpio"), accesses);
    }
    if call.has_option(&["-p", "--pass-through"])
        && let Some(directory) = call.operands().first()
    {
        accesses.add_with_extent(Verb::Writes, directory, AccessExtent::UnknownPart(contents(None)));
    }
}

/// Adds the accesses of `dpkg-deb -x ARCHIVE DIRECTORY` and `dpkg-deb -b DIRECTORY ARCHIVE`.
pub(super) fn deb(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let [first, rest @ ..] = call.operands() else { return };
    accesses.add_read(first);
    let second = rest.first();
    if call.has_option(&["--extract", "--vextract", "--raw-extract", "--control"]) {
        second.into_iter().for_each(|into| {
            accesses.add_with_extent(Verb::Writes, into, AccessExtent::UnknownPart(contents(Some(first))))
        });
    } else if call.has_option(&["--build"]) {
        second.into_iter().for_each(|archive| accesses.add_write(archive));
    }
}

/// Adds the accesses of `mksquashfs SOURCE… TARGET`.
pub(super) fn squashed(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let Some((target, sources)) = call.operands().split_last() else { return };
    sources.iter().for_each(|source| accesses.add_below(Verb::Reads, source, &FileFilter::default()));
    accesses.add_write(target);
}

/// Adds the accesses of `ar rcs archive files` and `ar x archive`.
pub(super) fn ar(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let output_directory = call.words.windows(2).find_map(|pair| match pair {
        [option, directory] if option.known_text() == Some("--output") => Some(directory),
        _ => None,
    });
    let is_argument = |word: &&Word| {
        !word.prefix().starts_with("--")
            && output_directory.is_none_or(|output_directory| !std::ptr::eq(output_directory, *word))
    };
    let mut words = call.words.iter().skip(1).filter(is_argument);
    let Some(operation) = words.next().and_then(Word::known_text) else { return };
    let operation = operation.trim_start_matches('-');
    let Some(archive) = words.next() else { return };
    if operation.starts_with(['r', 'q']) {
        accesses.add_write(archive);
        words.for_each(|file| accesses.add_read(file));
    } else if operation.starts_with(['d', 'm', 's']) {
        accesses.add_write(archive);
    } else {
        accesses.add_read(archive);
        if operation.starts_with('x') {
            let members: Vec<&Word> = words.collect();
            add_unpacked(output_directory.unwrap_or(&Word::text(".")), &members, Some(archive), accesses);
        }
    }
}

/// Adds the accesses of `pax`: `-w` packs the operands, `-r` unpacks the archive, and both together copy the operands
/// into the last one.
pub(super) fn pax(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let archive = call.value(&["-f"]);
    let (packs, unpacks) = (call.has_option(&["-w"]), call.has_option(&["-r"]));
    let (sources, target) = match call.operands().split_last() {
        Some((target, sources)) if packs && unpacks => (sources, Some(*target)),
        _ => (call.operands(), None),
    };
    if packs {
        sources.iter().for_each(|source| accesses.add_below(Verb::Reads, source, &FileFilter::default()));
        if sources.is_empty() {
            read_list(&Word::text("pax"), accesses);
        }
    }
    if let Some(target) = target {
        return accesses.add_with_extent(
            Verb::Writes,
            target,
            AccessExtent::UnknownPart(contents(sources.first().copied())),
        );
    }
    if packs {
        archive.into_iter().for_each(|archive| accesses.add_write(archive));
    } else {
        archive.into_iter().for_each(|archive| accesses.add_read(archive));
    }
    if unpacks {
        add_unpacked(&Word::text("."), sources, archive, accesses);
    }
}

/// Adds the accesses of Python's modules for archives (`python -m zipfile`): with `-c`, reads of the operands; with
/// `-e`, writes below the directory that the operand names, or below the working directory.
pub(super) fn python_module(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if call.has_option(&["--create", "-c"]) {
        return call.operands().iter().for_each(|file| accesses.add_read(file));
    }
    if call.has_option(&["--extract", "-e"]) {
        let here = Word::text(".");
        let target = call.operands().first().copied().unwrap_or(&here);
        let why = Unknown::new(Cause::ArchiveContents, call.program().unwrap_or_default());
        accesses.add_with_extent(Verb::Writes, target, AccessExtent::UnknownPart(why));
    }
}
