//! Paths as policies use them: normalised text, containment, globs.
//!
//! All operations are on text. The module `facts` of the main crate finds out which files exist, where links lead and
//! what the roots are; this module knows neither files nor rules.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::path::{NameCase, PathGlobs, Roots, contains, normalise};
//!
//! let project = Path::new("/home/dev/app");
//! let secret = normalise("src/../.env", project, None);
//! assert_eq!(secret, Path::new("/home/dev/app/.env"));
//! assert!(contains(project, &secret));
//!
//! let roots = Roots { project: Some(project.into()), ..Roots::default() };
//! let globs = PathGlobs::new(&["**/.env*".to_owned()]).expect("globs");
//! assert!(globs.matches(&secret, &roots, NameCase::Exact));
//! ```

mod braces;
mod class;
mod drives;
mod fnmatch;
mod globs;
mod ignores;
mod required;
mod selector;
mod shape;
mod symbols;
mod wild;

use std::borrow::Cow;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

pub use braces::is_glob_unit_at;
pub(crate) use class::{CharClass, case_insensitive};
pub use drives::{absolute_on_drive, drive_of, shown_on_drive, text_on_drive};
pub(crate) use fnmatch::{excluding_glob, including_glob};
pub use globs::{
    LastNames, PathGlobs, PatternError, PatternProblem, TextGlobs, escape_glob, glob_parts, is_small_enough,
};
pub use ignores::IgnoreList;
pub use required::{RequiredPart, required_text};
pub use selector::{check_glob, glob_matches, intended_alternatives};
pub use shape::{PathPiece, PathShape, Possibility};
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// The directories that globs, and the words `project`, `home` and `tmp` in conditions, refer to; absolute and
/// normalised.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Roots {
    /// The project directory that the host reports.
    pub project: Option<PathBuf>,
    /// The linked worktrees of the project's repository.
    pub worktrees: Vec<PathBuf>,
    /// The home directory of the account.
    pub home: Option<PathBuf>,
    /// The directories for temporary files.
    pub tmp: Vec<PathBuf>,
}

/// How names are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameCase {
    /// Names are compared byte for byte.
    Exact,
    /// Names are compared after case folding and in NFC, as by case-insensitive file systems.
    Folded,
}

/// Returns the absolute path that a text denotes; the file system is not read.
///
/// A leading `~`, `$HOME` or `${HOME}` is the home directory, if `home` is given; `~name` is an ordinary name. A
/// relative path is resolved against `cwd`, which must be absolute. `..` removes the name before it and has no effect
/// at `/`. Repeated and trailing slashes are removed. A NUL stays: no file has such a path.
#[must_use]
pub fn normalise(text: &str, cwd: &Path, home: Option<&Path>) -> PathBuf {
    if is_normal(text) {
        return PathBuf::from(text);
    }
    let below_home = home.and_then(|home| Some((home, strip_home(text)?)));
    let (start, rest) = below_home.unwrap_or((cwd, text));
    // Most texts are plain names below a directory that is already normalised.
    if are_normal(rest)
        && !has_other_separators(rest)
        && !drives::has_own_drive(rest)
        && let Some(start) = start.to_str().filter(|start| is_normal(start))
    {
        return PathBuf::from([start, "/", rest].concat());
    }
    let mut path = PathBuf::from("/");
    for component in start.components().chain(Path::new(rest).components()) {
        match component {
            Component::Prefix(_) | Component::RootDir => path.push(component),
            Component::CurDir => {}
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
        }
    }
    with_slashes(path)
}

/// Whether a path in a policy is relative to a directory: it begins neither at a root nor at the home directory.
#[must_use]
pub fn is_relative(path: &str) -> bool {
    !path.starts_with('~') && !Path::new(path).has_root()
}

/// Whether a path has a `..` among its names.
pub(crate) fn goes_up(path: &str) -> bool {
    path.split('/').any(|name| name == "..")
}

/// Returns the path of a name or path in a directory, with slashes: [`Path::join`] writes the separator of the machine,
/// which no policy has.
#[must_use]
pub fn join(directory: &Path, rest: &Path) -> PathBuf {
    with_slashes(directory.join(rest))
}

/// Returns a path with slashes in place of the separators of the machine.
fn with_slashes(path: PathBuf) -> PathBuf {
    match path.to_str() {
        Some(text) if has_other_separators(text) => PathBuf::from(text.replace(MAIN_SEPARATOR, "/")),
        _ => path,
    }
}

/// Whether a text has separators of the machine that are not those of policies: a policy is written with slashes on
/// every machine.
fn has_other_separators(text: &str) -> bool {
    MAIN_SEPARATOR != '/' && text.contains(MAIN_SEPARATOR)
}

/// Whether a character separates the names of paths of the machine.
fn is_separator(c: char) -> bool {
    c == '/' || c == MAIN_SEPARATOR
}

/// Whether a text is an absolute path that [`normalise`] returns unchanged.
fn is_normal(text: &str) -> bool {
    text.strip_prefix('/').is_some_and(are_normal) && !has_other_separators(text)
}

/// Whether a text consists of names that [`normalise`] leaves unchanged: no `.`, no `..`, no empty name.
fn are_normal(names: &str) -> bool {
    names.split('/').all(|name| !matches!(name, "" | "." | ".."))
}

/// Whether a path is a directory or is below it, compared name by name.
#[must_use]
pub fn contains(dir: &Path, path: &Path) -> bool {
    path.starts_with(dir)
}

/// Like [`contains`], with names compared according to `case`.
#[must_use]
pub fn contains_by_case(dir: &Path, path: &Path, case: NameCase) -> bool {
    match case {
        NameCase::Exact => contains(dir, path),
        NameCase::Folded => {
            let fold_path = |path: &Path| PathBuf::from(fold(&path.to_string_lossy()).into_owned());
            contains(&fold_path(dir), &fold_path(path))
        }
    }
}

/// Returns a name in the form in which case-insensitive file systems compare names: case folded, in NFC.
///
/// Upper-casing and then lower-casing approximates full case folding: it also joins `ſ` and `s`, `ß` and `ss`.
#[must_use]
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    let cased = text.to_uppercase().to_lowercase();
    match is_nfc(&cased) {
        true => Cow::Owned(cased),
        false => Cow::Owned(cased.nfc().collect()),
    }
}

/// Returns the text after a leading `~`, `$HOME` or `${HOME}` and the slashes after that; `None` for other texts.
fn strip_home(text: &str) -> Option<&str> {
    let rest = ["~", "$HOME", "${HOME}"].into_iter().find_map(|mark| text.strip_prefix(mark))?;
    (rest.is_empty() || rest.starts_with('/')).then(|| rest.trim_start_matches('/'))
}

#[cfg(test)]
mod tests;
