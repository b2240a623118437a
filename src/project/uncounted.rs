//! Finds files in a `.rules` directory that look like policies but are not read.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::find::{MAX_DEPTH, MAX_ENTRIES};
use super::{DIRECTORY, HOSTS, PROGRAMS, SETTINGS, is_record};
use crate::escape::shell_word;
use crate::files;
use crate::platform::paths::canonicalize;
use crate::span::Sources;

/// The maximum number of bytes of a file that are searched for a rule.
const MAX_SEARCHED: u64 = 64 << 10;

/// A file that looks like a policy but is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UncountedFile {
    /// The path of the file.
    pub path: PathBuf,
    remedy: Remedy,
}

/// What the author of a file must do so that it is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Remedy {
    /// Whatever this sentence says.
    Do(&'static str),
    /// Convert it with `rules import`.
    Import { format: &'static str, reason: &'static str },
}

impl UncountedFile {
    /// Returns what the author must do so that the file is read; `shown` is its path as a message shows it.
    #[must_use]
    pub fn remedy(&self, shown: &str) -> String {
        match self.remedy {
            Remedy::Do(sentence) => sentence.to_owned(),
            Remedy::Import { format, reason } => {
                // A shell does not expand `~` in quotes.
                let (home, rest) = shown.strip_prefix("~/").map_or(("", shown), |rest| ("~/", rest));
                let file = shell_word(rest);
                format!("convert it with `rules import {format} {home}{file}`, then move it away: {reason}")
            }
        }
    }
}

/// Returns the files that look like policies and are not among the sources. They are searched in the `.rules`
/// directories of `project` and above, and in those that contain the sources.
#[must_use]
pub fn uncounted_files(project: Option<&Path>, sources: &Sources) -> Vec<UncountedFile> {
    let read: BTreeSet<&Path> = sources.iter().filter_map(|source| source.path.as_deref()).collect();
    let above = project.into_iter().flat_map(Path::ancestors).map(|directory| directory.join(DIRECTORY));
    let is_policy = |directory: &&Path| directory.file_name().is_some_and(|name| name == DIRECTORY);
    let of_sources = read.iter().filter_map(|path| path.ancestors().find(is_policy)).map(Path::to_path_buf);
    let directories: BTreeSet<PathBuf> =
        above.chain(of_sources).filter_map(|directory| canonicalize(&directory).ok()).collect();
    let mut found: Vec<UncountedFile> = directories.iter().flat_map(|top| uncounted_below(top, &read)).collect();
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Returns the files below a `.rules` directory that look like policies and are not in `read`.
fn uncounted_below(top: &Path, read: &BTreeSet<&Path>) -> Vec<UncountedFile> {
    let mut found = Vec::new();
    let mut pending = vec![(top.to_path_buf(), 0_usize)];
    let mut entries = 0;
    while let Some((directory, depth)) = pending.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MAX_ENTRIES {
                return found;
            }
            let path = entry.path();
            // Links are reported when the policy is loaded.
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < MAX_DEPTH {
                pending.push((path, depth + 1));
            } else if kind.is_file() && !read.contains(path.as_path()) {
                let remedy = remedy(top, &path);
                found.extend(remedy.map(|remedy| UncountedFile { path, remedy }));
            }
        }
    }
    found
}

/// Returns what the author must do so that a file is read; `None` if the file does not look like a policy, or is
/// reported when the policy is loaded.
fn remedy(top: &Path, path: &Path) -> Option<Remedy> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    // Editors create such files for a moment.
    if name.ends_with('~') || name.starts_with(".#") || name.ends_with(".swp") || name.ends_with(".tmp") {
        return None;
    }
    let relative = path.strip_prefix(top).unwrap_or(path);
    let first = relative.iter().next().unwrap_or_default();
    let is_excluded = relative.iter().any(|part| part.to_string_lossy().starts_with('.')) || first == "log";
    let is_in = |name: &str| first == name || first == "local" && relative.iter().nth(1) == Some(OsStr::new(name));
    let rename = Remedy::Do("rename it so that it ends in `.rules`, or move it out of this directory");
    if path.extension().is_some_and(|extension| extension == "rules") {
        return is_excluded.then_some(Remedy::Do("move it: nothing hidden and nothing in `log` is read"));
    }
    if name.trim_start_matches('.').trim_end_matches(".toml").trim_end_matches(".tml") == "rules" {
        return (name.ends_with("ml") && !is_settings(relative))
            .then_some(Remedy::Do("settings are read from `rules.toml` directly in `.rules` or in `.rules/local`"));
    }
    // conclaude's own file is hidden.
    let is_in_hidden =
        relative.parent().is_some_and(|above| above.iter().any(|it| it.to_string_lossy().starts_with('.')));
    let may_be_foreign = !is_in_hidden && first != "log" && (!is_excluded || name.starts_with(".conclaude"));
    if let Some((_, remedy)) = FOREIGN.iter().find(|(is_foreign, _)| may_be_foreign && is_foreign(&name, path)) {
        return Some(*remedy);
    }
    if is_record(path) {
        if is_in(HOSTS) || !is_excluded && has_line(path, |line| line.starts_with("[events")) {
            return Some(Remedy::Do(HOST_RECORD));
        }
        let is_misplaced = !is_in(PROGRAMS) && !is_excluded && has_line(path, |line| line.starts_with("names = ["));
        return is_misplaced.then_some(Remedy::Do("records of programs are read from `.rules/programs`"));
    }
    if name.contains(".rule") {
        return Some(rename);
    }
    (!is_excluded && has_line(path, |line| begins_rule(line) || is_use(line))).then_some(rename)
}

/// What the author of a record of a host must do.
const HOST_RECORD: &str = "records of hosts are read from `~/.config/rules/hosts` and `/etc/rules/hosts`, never from a \
                           repository: it would decide how a denial is sent";

/// A test whether a file is a configuration of another program, given its name in lower case and its path, and what
/// the author must do with it.
type ForeignFile = (fn(&str, &Path) -> bool, Remedy);

/// The configurations of other programs, which must be converted.
const FOREIGN: [ForeignFile; 4] = [
    (
        |name, _| matches!(name.trim_start_matches('.'), "conclaude.yaml" | "conclaude.yml"),
        Remedy::Import { format: "conclaude", reason: "YAML is not read" },
    ),
    (
        |name, path| {
            name.ends_with(".md")
                && (name.starts_with("hookify.")
                    || has_line(path, |line| line.starts_with("event:"))
                        && has_line(path, |line| {
                            ["pattern:", "action:", "conditions:"].iter().any(|key| line.starts_with(key))
                        }))
        },
        Remedy::Import { format: "hookify", reason: "Markdown is not read" },
    ),
    (
        |name, path| name.ends_with(".json") && has_line(path, |line| line.contains("\"permissions\"")),
        Remedy::Import { format: "claude-permissions", reason: "JSON is not read" },
    ),
    (
        |name, path| name.ends_with(".toml") && has_line(path, |line| line.trim() == "[[rule]]"),
        Remedy::Import { format: "gemini-policy", reason: "it is a policy of Gemini CLI" },
    ),
];

/// Whether a path, relative to a `.rules` directory, is that of settings.
fn is_settings(inner: &Path) -> bool {
    inner == Path::new(SETTINGS) || inner == Path::new("local").join(SETTINGS)
}

/// Whether a file is a text with a line for which `is_meant` holds.
fn has_line(path: &Path, is_meant: impl Fn(&str) -> bool) -> bool {
    let Ok(bytes) = files::read(path, MAX_SEARCHED) else { return false };
    std::str::from_utf8(&bytes).is_ok_and(|text| text.lines().any(is_meant))
}

/// Whether a line begins a rule, as no line of a script or of prose does.
fn begins_rule(line: &str) -> bool {
    let name = line.strip_prefix("rule ").and_then(|rest| rest.split_once('{'));
    name.is_some_and(|(name, _)| name.ends_with(' ') && name.split_whitespace().count() == 1)
}

/// Whether a line uses a pack or another file, as no line of a script or of prose does.
fn is_use(line: &str) -> bool {
    let used = line.strip_prefix("use \"").and_then(|rest| rest.split_once('"'));
    used.is_some_and(|(name, rest)| {
        let rest = rest.trim_start();
        let is_end = rest.is_empty() || rest.starts_with('#');
        name.contains('/') && (is_end || rest.starts_with("except ") || rest.starts_with("with "))
    })
}
