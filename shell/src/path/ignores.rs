//! Lists of globs in the format of `.gitignore`: relative to one directory; the last match decides; `!` re-includes.

use super::braces::expand;
use super::globs::{EntryEffect, GlobEntry, GlobTable};

/// The maximum number of lines of a file that are read.
const MAX_LINES: usize = 1_000;

/// A list of globs that ignore files below one directory. Invalid lines are skipped.
#[derive(Clone, Default)]
pub struct IgnoreList {
    entries: GlobTable,
    /// Whether each entry matches only directories: `build/`.
    directories_alone: Vec<bool>,
}

impl IgnoreList {
    /// Parses the text of a file such as `.gitignore`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut list = Self::default();
        for line in text.lines().take(MAX_LINES) {
            // Blanks at the end of a line only count if a backslash escapes them.
            let trimmed = line.trim_end();
            let line = if trimmed.ends_with('\\') { line } else { trimmed };
            let is_comment = line.is_empty() || line.starts_with('#');
            let reincluded = line.strip_prefix('!').map(|glob| (EntryEffect::Excludes, glob));
            let (effect, glob) = reincluded.unwrap_or((EntryEffect::Includes, line));
            if !is_comment {
                list.add(effect, glob);
            }
        }
        list
    }

    /// Returns a list of globs, perhaps with braces, each of which ignores files.
    #[must_use]
    pub fn from_globs(globs: &[String]) -> Self {
        let mut list = Self::default();
        let globs = globs.iter().take(MAX_LINES).flat_map(|glob| expand(glob).unwrap_or_default());
        globs.for_each(|glob| list.add(EntryEffect::Includes, &glob));
        list
    }

    /// Collects the entries of other lists that re-include files, such as `!keep.log`.
    #[must_use]
    pub fn from_negated<'l>(lists: impl IntoIterator<Item = &'l Self>) -> Self {
        let mut negated = Self::default();
        for (entry, directories_alone) in lists.into_iter().flat_map(Self::entries).filter(|(entry, _)| entry.excludes)
        {
            negated.entries.add_entry(&entry);
            negated.directories_alone.push(directories_alone);
        }
        negated
    }

    /// Whether the list has no valid entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.directories_alone.is_empty()
    }

    /// Whether the list ignores a file, whose path relative to the list's directory consists of `names`:
    /// `Some(false)` if a `!` re-includes the file, and `None` if no entry matches.
    #[must_use]
    pub fn names_file(&self, names: &[&str]) -> Option<bool> {
        let mut entries = self.entries().rev();
        let (entry, _) = entries.find(|(entry, directories_alone)| !directories_alone && entry.matches_from(names))?;
        Some(!entry.excludes)
    }

    /// Like [`IgnoreList::names_file`], for a directory.
    #[must_use]
    pub fn names_directory(&self, names: &[&str]) -> Option<bool> {
        let (entry, _) = self.entries().rev().find(|(entry, _)| entry.matches_from(names))?;
        Some(!entry.excludes)
    }

    /// Returns the entries, each with whether it matches only directories.
    fn entries(&self) -> impl DoubleEndedIterator<Item = (GlobEntry<'_>, bool)> {
        self.entries.entries().zip(self.directories_alone.iter().copied())
    }

    /// Adds an entry, unless it is invalid or empty.
    fn add(&mut self, effect: EntryEffect, glob: &str) {
        let (glob, directories_alone) = glob.strip_suffix('/').map_or((glob, false), |glob| (glob, true));
        if glob.is_empty() {
            return;
        }
        // A glob with a slash before its end is relative to the list's directory; any other matches at any depth.
        let anchored = match glob.strip_prefix('/') {
            Some(_) => glob.to_owned(),
            None if glob.contains('/') => format!("/{glob}"),
            None => format!("/**/{glob}"),
        };
        if self.entries.add(effect, &anchored).is_ok() {
            self.directories_alone.push(directories_alone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(list: &str, path: &str, expected: Option<bool>) {
        let list = IgnoreList::parse(list);
        let names: Vec<&str> = path.trim_end_matches('/').split('/').collect();
        let is = if path.ends_with('/') { list.names_directory(&names) } else { list.names_file(&names) };
        assert_eq!(is, expected, "{path}");
    }

    #[test]
    fn a_list_is_read_as_git_reads_it() {
        let list = "# comment\n\n.env*\n!.env.example\n/target\nnode_modules/\ndocs/*.html\n**/gen/**\n*.log  \n\\#x\n";
        for (path, expected) in [
            (".env", Some(true)),
            ("a/b/.env.local", Some(true)),
            ("a/.env.example", Some(false)),
            ("target/", Some(true)),
            ("target", Some(true)),
            ("a/target", None),
            ("a/node_modules/", Some(true)),
            ("node_modules", None),
            ("docs/a.html", Some(true)),
            ("docs/b/a.html", None),
            ("x/docs/a.html", None),
            ("a/gen/x", Some(true)),
            ("x.log", Some(true)),
            ("#x", Some(true)),
            ("src/main.rs", None),
        ] {
            check(list, path, expected);
        }
        check("[", "[", None);
        check("!x\nx", "x", Some(true));
    }
}
