//! The files named in a patch whose text is known: the standard input of `patch` and `git apply`, and the patch given
//! to `apply_patch`.

use super::accesses::FileAccesses;
use super::call::join_directory;
use crate::access::Verb;
use crate::word::Word;

/// The most names in a patch; one with more is not read.
const MOST: usize = 256;

/// How much of a path `patch` strips.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum StripLevel {
    /// This number of leading components.
    Leading(usize),
    /// All but its last name; or nothing, if its directories exist.
    All,
}

/// A file that a patch names, and what the patch does to it.
#[derive(PartialEq, Eq)]
struct PatchEntry<'t> {
    path: &'t str,
    verb: Verb,
}

/// Adds what a patch does to the files that it names. Returns `false` if it names no files, or in another format.
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

/// The lines with which agents' `apply_patch` begins and ends a patch.
const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// What such a patch does to the file named in a line.
#[derive(Clone, Copy)]
enum PatchStep {
    Add,
    Update,
    /// The updated file gets this name.
    Move,
    Delete,
}

const STEPS: &[(&str, PatchStep)] = &[
    ("*** Add File: ", PatchStep::Add),
    ("*** Update File: ", PatchStep::Update),
    ("*** Move to: ", PatchStep::Move),
    ("*** Delete File: ", PatchStep::Delete),
];

/// A file that a patch for `apply_patch` changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PatchedFile<'t> {
    /// Its path, as the patch names it.
    pub path: &'t str,
    /// Whether the patch creates it.
    pub is_new: bool,
}

/// Returns the files that a patch for `apply_patch` changes; `None` if it names no files, or in another format.
#[must_use]
pub fn patched_files(text: &str) -> Option<Vec<PatchedFile<'_>>> {
    if let Some(steps) = steps(text) {
        let file = |(step, path)| PatchedFile { path, is_new: matches!(step, PatchStep::Add) };
        return Some(steps.into_iter().map(file).collect());
    }
    let all = patched_entries(text, StripLevel::Leading(1)).filter(|all| !all.is_empty())?;
    Some(all.into_iter().map(|one| PatchedFile { path: one.path, is_new: false }).collect())
}

/// Returns the steps of a patch in the agents' format; `None` if it has none, or another format.
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

/// Adds what `apply_patch` does to the files that its patch names. Returns `false` if it names no files, or in another
/// format.
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

/// Returns the files that a patch names: those of each header and of each line that looks like one, so as to miss none.
fn patched_entries(text: &str, strip: StripLevel) -> Option<Vec<PatchEntry<'_>>> {
    let mut all: Vec<PatchEntry<'_>> = Vec::new();
    let mut old: Option<&str> = None;
    let mut is_read = false;
    for line in text.lines() {
        // git's own headers have no prefix to strip.
        let whole =
            ["rename from ", "rename to ", "copy from ", "copy to "].iter().find_map(|start| line.strip_prefix(start));
        if let Some(path) = whole {
            let verb = if line.starts_with("rename from ") { Verb::Deletes } else { Verb::Writes };
            push(&mut all, path, strip_whole(strip), verb)?;
            continue;
        }
        if let Some(pair) = line.strip_prefix("diff --git ") {
            // `a/x b/x`: a mode alone may change.
            let (first, second) = split_pair(pair)?;
            push(&mut all, first, strip, Verb::Writes)?;
            push(&mut all, second, strip, Verb::Writes)?;
            is_read = true;
            continue;
        }
        let header = ["--- ", "+++ ", "*** ", "Index: "].iter().find(|start| line.starts_with(**start));
        let Some(start) = header else {
            // `patch` removes a prefix that every line of a patch has.
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

/// Returns the stripped path; `None` for one in quotes, which is escaped.
fn strip_path(path: &str, strip: StripLevel) -> Option<&str> {
    if path.starts_with('"') {
        return None;
    }
    match strip {
        StripLevel::All => path.rsplit('/').next(),
        // A path with fewer directories becomes empty, and is skipped.
        StripLevel::Leading(count) => Some(path.splitn(count + 1, '/').nth(count).unwrap_or_default()),
    }
}

/// Adapts to the names after `rename from`, which have no `a/` prefix.
fn strip_whole(strip: StripLevel) -> StripLevel {
    match strip {
        StripLevel::Leading(count) => StripLevel::Leading(count.saturating_sub(1)),
        StripLevel::All => StripLevel::All,
    }
}

/// Splits `a/x b/x` in the middle: both names have the same length, or the only blank is the one between them.
fn split_pair(pair: &str) -> Option<(&str, &str)> {
    let middle = pair.len() / 2;
    match (pair.get(..middle), pair.get(middle..).and_then(|rest| rest.strip_prefix(' '))) {
        (Some(first), Some(second)) if pair.len() % 2 == 1 => Some((first, second)),
        _ => pair.split_once(' ').filter(|(_, second)| !second.contains(' ')),
    }
}

/// Returns how much `-p` strips of the paths; `otherwise` without that option. `None` if its value is not a known
/// number.
pub(super) fn strip(option: Option<&Word>, otherwise: StripLevel) -> Option<StripLevel> {
    match option {
        Some(count) => count.known_text()?.parse().ok().map(StripLevel::Leading),
        None => Some(otherwise),
    }
}
