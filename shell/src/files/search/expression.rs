//! Reads the expression of `find`: which files below the starting points pass its tests.

use super::find::action_length;
use crate::access::{AccessExtent, FileFilter, FileSkipping};
use crate::files::paths::{as_exclusion, as_glob};
use crate::path::case_insensitive;
use crate::word::{Cause, Unknown, Word};

/// The files that pass an expression. It may include more files than `find` selects, but never fewer.
pub(super) struct FindSelection {
    /// The files below the starting points that may pass.
    pub(super) extent: AccessExtent,
    /// Why some of these files may not pass: a test depends on a property that the words do not show, such as the size.
    /// `None` if all pass.
    pub(super) doubt: Option<Unknown>,
}

/// Tests and actions that do not exclude any file, with the number of their arguments.
const NEUTRAL: &[(&str, usize)] = &[
    ("(", 0),
    (")", 0),
    ("-a", 0),
    ("-and", 0),
    ("-d", 0),
    ("-daystart", 0),
    ("-delete", 0),
    ("-depth", 0),
    ("-files0-from", 1),
    ("-fls", 1),
    ("-follow", 0),
    ("-fprint", 1),
    ("-fprint0", 1),
    ("-fprintf", 2),
    ("-ignore_readdir_race", 0),
    ("-ls", 0),
    ("-mount", 0),
    ("-noleaf", 0),
    ("-nowarn", 0),
    ("-print", 0),
    ("-print0", 0),
    ("-printf", 1),
    ("-regextype", 1),
    ("-true", 0),
    ("-warn", 0),
    ("-xdev", 0),
];

/// Tests and actions without an argument that exclude files by a property that is not known here.
const UNKNOWN_TESTS: &[&str] =
    &["-empty", "-executable", "-false", "-nogroup", "-nouser", "-prune", "-quit", "-readable", "-writable"];

/// Returns the files that pass an expression.
///
/// An expression is a list of alternatives (separated by `-o`), each with several tests. If every alternative tests
/// names, only files with these names pass. Tests that exclude names count only if there is a single alternative, or if
/// they prune directories at the beginning (`-name x -prune -o …`).
pub(super) fn parse_expression(starts: &[Word], expression: &[Word]) -> FindSelection {
    let start = match starts {
        [start] => start.known_text(),
        _ => None,
    };
    let mut reader = FindExpression { start, alternatives: 1, all_name_files: true, ..FindExpression::default() };
    let mut rest = expression;
    while let Some((tests, after)) = split_at_pruning(rest) {
        match pruned(tests, start) {
            Some(globs) => reader.pruned.extend(globs),
            None => reader.doubts("-prune"),
        }
        rest = after;
    }
    reader.read(rest);
    reader.close()
}

/// Splits an expression that begins by pruning directories, `TESTS -prune -o REST`, into the tests and the rest. `None`
/// if it does not begin like that.
fn split_at_pruning(expression: &[Word]) -> Option<(&[Word], &[Word])> {
    let at = expression.iter().position(|word| word.known_text() == Some("-prune"))?;
    let (tests, after) = expression.split_at_checked(at)?;
    let mut depth = 0_usize;
    for word in tests {
        match word.known_text() {
            Some("(") => depth += 1,
            Some(")") => depth = depth.saturating_sub(1),
            Some("-o" | "-or" | ",") if depth == 0 => return None,
            _ => {}
        }
    }
    let mut after = after.get(1..)?;
    while let [word, rest @ ..] = after {
        match word.known_text() {
            Some(")") => after = rest,
            Some("-o" | "-or") => return Some((tests, rest)),
            _ => return None,
        }
    }
    None
}

/// Returns the globs of the directories that the tests before `-prune` select. `None` if the tests are about more than
/// names.
fn pruned(tests: &[Word], start: Option<&str>) -> Option<Vec<String>> {
    let mut globs = Vec::new();
    let mut rest = tests;
    while let [word, after @ ..] = rest {
        rest = after;
        match word.known_text()? {
            "(" | ")" | "-o" | "-or" | "-a" | "-and" => {}
            "-type" => {
                let (kind, after) = after.split_first()?;
                rest = after;
                kind.known_text().filter(|kind| *kind == "d")?;
            }
            "-name" => {
                let (name, after) = after.split_first()?;
                rest = after;
                globs.push(format!("{}/", as_exclusion(name)?));
            }
            "-path" | "-wholename" => {
                let (path, after) = after.split_first()?;
                rest = after;
                globs.push(format!("{}/", included_glob(path.known_text()?, start)?));
            }
            _ => return None,
        }
    }
    Some(globs)
}

/// Converts a glob of `-path` into a glob of a name that matches the same files, for globs of the form `./x`, `*/x` or
/// `./x*`. `None` for other globs.
fn included_glob(path: &str, start: Option<&str>) -> Option<String> {
    let (anchor, name) = match path_from_start(path, start) {
        Some(name) => ("/", name),
        None => ("", path.strip_prefix("*/")?),
    };
    let literal = name.strip_suffix('*').unwrap_or(name);
    is_literal(literal).then(|| format!("{anchor}{name}"))
}

/// A glob of names for the files that a `-path` selects.
struct SelectedName {
    glob: String,
    /// Whether the glob selects no other files.
    is_exact: bool,
}

/// Converts the glob of a `-path` without `!` into a glob of names, for a path without wildcards or behind `*/`. `None`
/// for other globs: a `*` of `-path` also matches slashes.
fn selected_name(path: &str, start: Option<&str>) -> Option<SelectedName> {
    if let Some(below) = path_from_start(path, start) {
        let (directory, name) = below.rsplit_once('/').map_or((None, below), |(above, name)| (Some(above), name));
        let is_plain = directory.is_none_or(|above| above.split('/').all(is_literal)) && is_literal(name);
        let glob = if directory.is_none() { format!("/{name}") } else { name.to_owned() };
        return is_plain.then_some(SelectedName { glob, is_exact: directory.is_none() });
    }
    let name = path.strip_prefix("*/")?;
    is_literal(name).then(|| SelectedName { glob: name.to_owned(), is_exact: true })
}

/// Converts a glob of `! -path` into the glob of the names that it excludes, for globs of the form `*/x/*`, `./x/*`,
/// `*/.*` or `*x*`. `None` for other globs.
fn excluded_glob(path: &str, start: Option<&str>) -> Option<String> {
    // If the name occurred in the path of the starting point, every file would be excluded.
    let is_elsewhere = |name: &str| start.is_some_and(|start| !start.contains(name));
    if let Some(name) = path_from_start(path, start) {
        let (literal, end) = name.strip_suffix("/*").map_or((name.strip_suffix('*')?, "*"), |name| (name, "/"));
        return is_literal(literal).then(|| format!("/{literal}{end}"));
    }
    if let Some(name) = path.strip_prefix("*/") {
        let (literal, end) = name.strip_suffix("/*").map_or((name.strip_suffix('*')?, "*"), |name| (name, "/"));
        return (is_literal(literal) && is_elsewhere(&format!("/{literal}"))).then(|| format!("{literal}{end}"));
    }
    let literal = path.strip_prefix('*')?.strip_suffix('*')?;
    (is_literal(literal) && is_elsewhere(literal)).then(|| format!("*{literal}*"))
}

/// Returns the part of a path below the starting point of the search; `None` if it is not below that.
fn path_from_start<'p>(path: &'p str, start: Option<&str>) -> Option<&'p str> {
    path.strip_prefix(start?.trim_end_matches('/'))?.strip_prefix('/')
}

/// Whether a text is a single name without wildcards.
fn is_literal(name: &str) -> bool {
    !name.is_empty() && !name.contains(['*', '?', '[', '\\', '/', '{', '!'])
}

/// The state while an expression is read.
#[derive(Default)]
struct FindExpression<'s> {
    /// The starting point of the search, if there is only one.
    start: Option<&'s str>,
    /// The globs of the names that tests require.
    only: Vec<String>,
    /// The globs of names that negated tests exclude.
    except: Vec<String>,
    /// The globs of the directories that are pruned.
    pruned: Vec<String>,
    /// The number of alternatives so far.
    alternatives: usize,
    /// Whether the current alternative tests names.
    names_files: bool,
    /// Whether all previous alternatives test names.
    all_name_files: bool,
    /// Why it is unknown which files pass; `None` if it is known.
    unreadable: Option<Unknown>,
    /// Why some of the files may not pass; `None` if all do.
    doubt: Option<Unknown>,
    /// Whether a `!` precedes the next test.
    is_negated: bool,
    /// Whether a `!` negates a whole group.
    negates_group: bool,
    /// Whether only the direct entries of the starting points are searched: `-maxdepth 1`.
    is_shallow: bool,
    /// Whether a test for the type excludes directories.
    skips_directories: bool,
}

impl FindExpression<'_> {
    /// Notes that a test may exclude any file.
    fn doubts(&mut self, test: &str) {
        self.doubt.get_or_insert_with(|| Unknown::new(Cause::FileSelection, test));
    }

    /// Reads an expression, test by test.
    fn read(&mut self, expression: &[Word]) {
        let mut rest = expression;
        while let [word, after @ ..] = rest {
            let Some(text) = word.known_text() else {
                self.unreadable = self.unreadable.take().or_else(|| word.unknown_reason());
                rest = after;
                continue;
            };
            if matches!(text, "!" | "-not") {
                self.is_negated = !self.is_negated;
                self.negates_group |= after.first().is_some_and(|next| next.known_text() == Some("("));
                rest = after;
                continue;
            }
            let taken = self.read_test(text, after);
            rest = after.get(taken..).unwrap_or_default();
            self.is_negated = false;
        }
    }

    /// Reads a test, given the words after it. Returns the number of its arguments.
    fn read_test(&mut self, text: &str, after: &[Word]) -> usize {
        let value = after.first();
        let known = value.and_then(Word::known_text);
        match text {
            "-o" | "-or" | "," => {
                self.alternatives += 1;
                self.all_name_files &= self.names_files;
                self.names_files = false;
                return 0;
            }
            "-name" | "-iname" => self.read_name_test(text, value),
            "-maxdepth" if known == Some("1") => self.is_shallow = true,
            "-mindepth" if matches!(known, Some("0" | "1")) => {}
            "-type" if self.is_negated => self.skips_directories |= known == Some("d"),
            "-type" => self.skips_directories |= known.is_some_and(|kinds| !kinds.contains('d')),
            "-path" | "-wholename" | "-ipath" | "-iwholename"
                if !self.is_negated && known.is_some_and(|path| selected_name(path, self.start).is_some()) =>
            {
                self.read_path_of_name(text, known);
            }
            "-path" | "-wholename" | "-ipath" | "-iwholename" | "-regex" | "-iregex" if !self.is_negated => {
                let shown = value.map(Word::display_text).unwrap_or_default();
                self.unreadable.get_or_insert_with(|| Unknown::new(Cause::Glob, shown));
            }
            "-path" | "-wholename" => match known.and_then(|path| excluded_glob(path, self.start)) {
                Some(glob) => self.except.push(glob),
                None => self.doubts(text),
            },
            "-exec" | "-ok" | "-execdir" | "-okdir" => return action_length(after),
            _ if UNKNOWN_TESTS.contains(&text) => {
                self.doubts(text);
                return 0;
            }
            _ => match NEUTRAL.iter().find(|(name, _)| *name == text) {
                Some((_, count)) => return *count,
                None if text.starts_with('-') => self.doubts(text),
                None => return 0,
            },
        }
        1
    }

    /// Reads `-name` or `-iname`, with its glob.
    fn read_name_test(&mut self, text: &str, value: Option<&Word>) {
        let fold = |glob: String| if text == "-iname" { case_insensitive(&glob) } else { glob };
        let read = if self.is_negated { as_exclusion } else { as_glob };
        match (value.and_then(read).map(fold), self.is_negated) {
            (Some(glob), false) => {
                self.names_files = true;
                self.only.push(glob);
            }
            (Some(glob), true) => self.except.push(glob),
            (None, true) if value.and_then(Word::known_text).is_some() => self.doubts(text),
            (None, _) => self.unreadable = self.unreadable.take().or_else(|| value.and_then(Word::unknown_reason)),
        }
    }

    /// Reads a test of a path that selects files by their name: `-path './.env'`.
    fn read_path_of_name(&mut self, text: &str, path: Option<&str>) {
        self.names_files = true;
        if let Some(SelectedName { glob, is_exact }) = path.and_then(|path| selected_name(path, self.start)) {
            self.only.push(if text.starts_with("-i") { case_insensitive(&glob) } else { glob });
            if !is_exact {
                self.doubts(text);
            }
        }
    }

    /// Returns the files that pass, once the whole expression has been read.
    fn close(mut self) -> FindSelection {
        self.all_name_files &= self.names_files;
        if (self.negates_group || self.alternatives > 1) && !self.except.is_empty() {
            self.except.clear();
            self.doubts("-not");
        }
        if self.negates_group {
            self.all_name_files = false;
        }
        // A type applies to all results only if there is a single alternative.
        let skips_directories = self.skips_directories && self.alternatives == 1 && !self.negates_group;
        let doubt = self.doubt;
        let extent = match self.unreadable {
            // If every alternative tests names, the names restrict the files even if another test is unknown.
            Some(why) if !self.all_name_files => AccessExtent::UnknownPart(why),
            _ => {
                let only = match (self.all_name_files, self.is_shallow) {
                    (true, true) => self.only.iter().map(|glob| format!("/{}", glob.trim_start_matches('/'))).collect(),
                    (true, false) => self.only,
                    (false, true) => vec!["/*".to_owned()],
                    (false, false) => Vec::new(),
                };
                self.except.extend(self.pruned);
                AccessExtent::Below(FileFilter {
                    only: only.into(),
                    except: self.except.into(),
                    directories: if skips_directories { FileSkipping::Yes } else { FileSkipping::No },
                    ..FileFilter::default()
                })
            }
        };
        FindSelection { extent, doubt }
    }
}
