//! The files that a known patch names: one on the standard input of `patch` and `git apply`, or one given to
//! `apply_patch`.

use super::accesses::FileAccesses;
use super::call::join_directory;
use crate::access::Verb;
use crate::word::Word;

/// The maximum number of names in a patch. One with more counts as unknown.
const MOST: usize = 256;

/// How much of each path `patch` strips: the option `-p`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StripLevel {
    /// This number of leading components.
    Leading(usize),
    /// All directories, or nothing if the directories exist: the default of `patch`. Both paths count.
    All,
}

/// A file that a patch names, and the access to it.
#[derive(PartialEq, Eq)]
struct PatchEntry<'t> {
    path: &'t str,
    verb: Verb,
}

/// Adds the accesses of applying a patch to the files that it names, below a directory. Returns `false` if the patch
/// names no files, or its format is not known.
pub(super) fn apply_text(text: &str, strip: StripLevel, directory: Option<&Word>, accesses: &mut FileAccesses) -> bool {
    let Some(all) = patched_entries(text, strip).filter(|all| !all.is_empty()) else { return false };
    for one in all {
        let path = join_directory(directory, &Word::text(one.path));
        match one.verb {
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

/// What such a patch does to the file that a line names.
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
    let all = patched_entries(text, StripLevel::Leading(1)).filter(|all| !all.is_empty())?;
    Some(all.into_iter().map(|one| PatchedFile { path: one.path, is_new: false }).collect())
}

/// Returns the steps of a patch in the agents' format; `None` if it has no steps or too many, or another format.
fn steps(text: &str) -> Option<Vec<(PatchStep, &str)>> {
    let lines = || text.trim().lines().map(str::trim);
    if lines().next() != Some(BEGIN) || lines().next_back() != Some(END) {
        return None;
    }
    let step = |line| STEPS.iter().find_map(|(start, step)| Some((*step, str::strip_prefix(line, *start)?.trim())));
    let steps: Vec<(PatchStep, &str)> = lines().filter_map(step).collect();
    let is_whole = !steps.is_empty() && steps.len() <= MOST && steps.iter().all(|(_, path)| !path.is_empty());
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

/// Returns the files that a patch in the format of `diff` names, in each header and in each line that may be one, so
/// that none is missed; `None` if the names are uncertain.
fn patched_entries(text: &str, strip: StripLevel) -> Option<Vec<PatchEntry<'_>>> {
    let mut all: Vec<PatchEntry<'_>> = Vec::new();
    let mut old: Option<&str> = None;
    let mut is_read = false;
    for line in text.lines() {
        // The names in git's own headers have no `a/` prefix.
        let whole =
            ["rename from ", "rename to ", "copy from ", "copy to "].iter().find_map(|start| line.strip_prefix(start));
        if let Some(path) = whole {
            let verb = if line.starts_with("rename from ") { Verb::Deletes } else { Verb::Writes };
            push(&mut all, path, strip_whole(strip), verb)?;
            continue;
        }
        if let Some(pair) = line.strip_prefix("diff --git ") {
            // Both names count: the patch may only change the mode, without further headers.
            let (first, second) = split_pair(pair)?;
            push(&mut all, first, strip, Verb::Writes)?;
            push(&mut all, second, strip, Verb::Writes)?;
            is_read = true;
            continue;
        }
        let header = ["--- ", "+++ ", "*** ", "Index: "].iter().find(|start| line.starts_with(**start));
        let Some(start) = header else {
            // `patch` removes a prefix that every line has. Such a patch is not supported.
            let inner = line.trim_start_matches([' ', '\t', 'X', '-', '>']);
            if inner.len() < line.len() && (inner.starts_with("+++ ") || inner.starts_with("*** ")) {
                return None;
            }
            continue;
        };
        let path = line.get(start.len()..)?.split('\t').next()?.trim_end();
        if *start == "--- " || *start == "*** " {
            old = Some(path).filter(|path| *path != "/dev/null");
        }
        is_read |= *start == "+++ ";
        if path == "/dev/null" {
            // The old file is deleted.
            if let Some(gone) = old.filter(|_| *start == "+++ ") {
                push(&mut all, gone, strip, Verb::Deletes)?;
            }
            continue;
        }
        push(&mut all, path, strip, Verb::Writes)?;
    }
    is_read.then_some(all)
}

/// Adds a path to the files of a patch, with its directories stripped, and in full if that depends on existing
/// directories; `None` if there are too many files or the path is escaped.
fn push<'t>(all: &mut Vec<PatchEntry<'t>>, path: &'t str, strip: StripLevel, verb: Verb) -> Option<()> {
    let whole = Some(path).filter(|path| strip == StripLevel::All && path.contains('/') && !path.starts_with('"'));
    for path in whole.into_iter().chain([strip_path(path, strip)?]) {
        let one = PatchEntry { path, verb };
        if !path.is_empty() && !all.contains(&one) {
            all.push(one);
        }
    }
    (all.len() <= MOST).then_some(())
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

/// Returns how much is stripped of the names after `rename from`, which have no `a/` prefix: one less.
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

/// Returns how much of each path the value of `-p` strips; `otherwise` without that option. `None` if the value is
/// not a known number.
pub(super) fn strip(option: Option<&Word>, otherwise: StripLevel) -> Option<StripLevel> {
    match option {
        Some(count) => count.known_text()?.parse().ok().map(StripLevel::Leading),
        None => Some(otherwise),
    }
}
