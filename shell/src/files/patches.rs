//! Finds the files that a known patch names. The patch is on the standard input of `patch` or `git apply`, or it is
//! given to `apply_patch`.

use super::accesses::FileAccesses;
use super::call::join_directory;
use crate::access::Verb;
use crate::word::Word;

/// The maximum number of names in a patch. A patch with more names counts as unknown.
const MAX_NAMES: usize = 256;

/// How much of each path `patch` strips: the option `-p`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StripLevel {
    /// This number of leading components.
    Leading(usize),
    /// All directories, or nothing if the directories exist, which is the default of `patch`. Both paths are reported.
    All,
}

/// A file that a patch names, and the access to it.
#[derive(PartialEq, Eq)]
struct PatchEntry<'t> {
    path: &'t str,
    verb: Verb,
}

/// Adds the accesses of applying a patch to the files that it names, relative to a directory. Returns `false` if the
/// patch names no files, or its format is not known.
pub(super) fn apply_text(text: &str, strip: StripLevel, directory: Option<&Word>, accesses: &mut FileAccesses) -> bool {
    let Some(entries) = patched_entries(text, strip).filter(|entries| !entries.is_empty()) else { return false };
    for entry in entries {
        let path = join_directory(directory, &Word::text(entry.path));
        match entry.verb {
            Verb::Deletes => accesses.add_delete(&path),
            _ => {
                accesses.add_read(&path);
                accesses.add_write(&path);
            }
        }
    }
    true
}

/// The first and the last line of a patch in the format of agents' `apply_patch`.
const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// What a patch in that format does to the file that a line names.
#[derive(Clone, Copy)]
enum PatchStep {
    Add,
    Update,
    /// The file of the previous `Update` gets this name.
    Move,
    Delete,
}

/// The beginnings of the lines that name files, with their meaning.
const STEPS: &[(&str, PatchStep)] = &[
    ("*** Add File: ", PatchStep::Add),
    ("*** Update File: ", PatchStep::Update),
    ("*** Move to: ", PatchStep::Move),
    ("*** Delete File: ", PatchStep::Delete),
];

/// A file that a patch given to `apply_patch` changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PatchedFile<'t> {
    /// The path, as in the patch.
    pub path: &'t str,
    /// Whether the patch creates the file.
    pub is_new: bool,
}

/// Returns the files that a patch given to `apply_patch` changes; `None` if it names no files, or its format is not
/// known.
#[must_use]
pub fn patched_files(text: &str) -> Option<Vec<PatchedFile<'_>>> {
    if let Some(steps) = steps(text) {
        let file = |(step, path)| PatchedFile { path, is_new: matches!(step, PatchStep::Add) };
        return Some(steps.into_iter().map(file).collect());
    }
    let entries = patched_entries(text, StripLevel::Leading(1)).filter(|entries| !entries.is_empty())?;
    Some(entries.into_iter().map(|entry| PatchedFile { path: entry.path, is_new: false }).collect())
}

/// Returns the steps of a patch in the agents' format; `None` if it has no steps or too many, or another format.
fn steps(text: &str) -> Option<Vec<(PatchStep, &str)>> {
    let lines = || text.trim().lines().map(str::trim);
    if lines().next() != Some(BEGIN) || lines().next_back() != Some(END) {
        return None;
    }
    let step = |line| STEPS.iter().find_map(|(start, step)| Some((*step, str::strip_prefix(line, *start)?.trim())));
    let steps: Vec<(PatchStep, &str)> = lines().filter_map(step).collect();
    let is_whole = !steps.is_empty() && steps.len() <= MAX_NAMES && steps.iter().all(|(_, path)| !path.is_empty());
    is_whole.then_some(steps)
}

/// Adds the accesses of a patch in the agents' format. Returns `false` if it names no files, or has another format.
pub(super) fn apply_wrapped_patch(text: &str, accesses: &mut FileAccesses) -> bool {
    let Some(steps) = steps(text) else { return false };
    let mut updated = None;
    for (step, path) in steps {
        let path = Word::text(path);
        match step {
            PatchStep::Add => accesses.add_write(&path),
            PatchStep::Update => {
                accesses.add_read(&path);
                accesses.add_write(&path);
                updated = Some(path);
            }
            PatchStep::Move => {
                updated.iter().for_each(|from| accesses.add_delete(from));
                accesses.add_write(&path);
            }
            PatchStep::Delete => accesses.add_delete(&path),
        }
    }
    true
}

/// Returns the files that a patch in the format of `diff` names. Every line that may be a header is read, so that none
/// is missed. `None` if the names are uncertain.
fn patched_entries(text: &str, strip: StripLevel) -> Option<Vec<PatchEntry<'_>>> {
    let mut entries: Vec<PatchEntry<'_>> = Vec::new();
    let mut old_path: Option<&str> = None;
    let mut has_header = false;
    for line in text.lines() {
        // The names in git's own headers have no `a/` prefix.
        let path_after_keyword =
            ["rename from ", "rename to ", "copy from ", "copy to "].iter().find_map(|start| line.strip_prefix(start));
        if let Some(path) = path_after_keyword {
            let verb = if line.starts_with("rename from ") { Verb::Deletes } else { Verb::Writes };
            push(&mut entries, path, strip_whole(strip), verb)?;
            continue;
        }
        if let Some(pair) = line.strip_prefix("diff --git ") {
            // Both names are added, because a patch that only changes the mode has no further headers.
            let (first, second) = split_pair(pair)?;
            push(&mut entries, first, strip, Verb::Writes)?;
            push(&mut entries, second, strip, Verb::Writes)?;
            has_header = true;
            continue;
        }
        let header = ["--- ", "+++ ", "*** ", "Index: "].iter().find(|start| line.starts_with(**start));
        let Some(start) = header else {
            // `patch` removes a prefix that all lines have. Such patches are not supported here.
            let inner = line.trim_start_matches([' ', '\t', 'X', '-', '>']);
            if inner.len() < line.len() && (inner.starts_with("+++ ") || inner.starts_with("*** ")) {
                return None;
            }
            continue;
        };
        let path = line.get(start.len()..)?.split('\t').next()?.trim_end();
        if *start == "--- " || *start == "*** " {
            old_path = Some(path).filter(|path| *path != "/dev/null");
        }
        has_header |= *start == "+++ ";
        if path == "/dev/null" {
            // The old file is deleted.
            if let Some(deleted) = old_path.filter(|_| *start == "+++ ") {
                push(&mut entries, deleted, strip, Verb::Deletes)?;
            }
            continue;
        }
        push(&mut entries, path, strip, Verb::Writes)?;
    }
    has_header.then_some(entries)
}

/// Adds a path with its directories stripped and, if the stripping depends on whether directories exist, also in full.
/// `None` if there are too many files, or the path is escaped.
fn push<'t>(entries: &mut Vec<PatchEntry<'t>>, path: &'t str, strip: StripLevel, verb: Verb) -> Option<()> {
    let full_path = Some(path).filter(|path| strip == StripLevel::All && path.contains('/') && !path.starts_with('"'));
    for path in full_path.into_iter().chain([strip_path(path, strip)?]) {
        let entry = PatchEntry { path, verb };
        if !path.is_empty() && !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    (entries.len() <= MAX_NAMES).then_some(())
}

/// Returns a path with its directories stripped; `None` for a path in quotes, which is escaped.
fn strip_path(path: &str, strip: StripLevel) -> Option<&str> {
    if path.starts_with('"') {
        return None;
    }
    match strip {
        StripLevel::All => path.rsplit('/').next(),
        // A path with too few directories becomes empty, and `patch` skips it.
        StripLevel::Leading(count) => Some(path.splitn(count + 1, '/').nth(count).unwrap_or_default()),
    }
}

/// Returns how much is stripped from names after `rename from`: one component less, because they have no prefix `a/`.
fn strip_whole(strip: StripLevel) -> StripLevel {
    match strip {
        StripLevel::Leading(count) => StripLevel::Leading(count.saturating_sub(1)),
        StripLevel::All => StripLevel::All,
    }
}

/// Splits `a/x b/x` into its names: in the middle if both have the same length, or at the only blank.
fn split_pair(pair: &str) -> Option<(&str, &str)> {
    let middle = pair.len() / 2;
    match (pair.get(..middle), pair.get(middle..).and_then(|rest| rest.strip_prefix(' '))) {
        (Some(first), Some(second)) if pair.len() % 2 == 1 => Some((first, second)),
        _ => pair.split_once(' ').filter(|(_, second)| !second.contains(' ')),
    }
}

/// Returns how much of each path is stripped, given the value of `-p`. Without that option, it is `default`. `None` if
/// the value is not a known number.
pub(super) fn strip(option: Option<&Word>, default: StripLevel) -> Option<StripLevel> {
    match option {
        Some(count) => count.known_text()?.parse().ok().map(StripLevel::Leading),
        None => Some(default),
    }
}
