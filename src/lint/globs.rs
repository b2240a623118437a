//! Relations between path globs, determined from their text: whether two globs match no path together, and whether
//! one glob matches everything that another one does.
//!
//! A `true` is certain, unless links connect directories. A glob with wildcards other than asterisks is not analysed.

/// The directory that the matching paths of a glob are below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GlobRoot {
    /// Any directory: `*.rs`, `**/x`.
    Anywhere,
    /// The project: `src/**`, `./x`.
    Project,
    /// The home directory: `~/x`.
    Home,
    /// The root of the file system: `/etc/**`.
    Machine,
}

/// Which last names of paths a glob matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LastComponent<'g> {
    /// The last name may be any: `*`, `**`.
    Any,
    /// The last name is this one.
    Exactly(&'g str),
    /// The last name begins with this: `a*`.
    Prefix(&'g str),
    /// The last name ends with this: `*a`.
    Suffix(&'g str),
    /// The glob restricts the last name in any other way: `*a*`, `a*b`.
    Other,
}

/// A path glob, as its parts.
#[derive(Clone, Debug)]
pub(super) struct PathGlob<'g> {
    root: GlobRoot,
    /// The names before the first one with an asterisk.
    front: Vec<&'g str>,
    name: LastComponent<'g>,
    /// Whether the glob matches everything below a directory: `src/**`.
    is_directory: bool,
    /// Whether the glob only restricts the last name of a path: `*.rs`, `**/*.rs`.
    is_name_alone: bool,
}

impl<'g> PathGlob<'g> {
    /// Parses a glob without its `!`. `None` if it has wildcards other than asterisks, is not ASCII, or has an empty
    /// name, `.` or `..` in it.
    pub(super) fn new(glob: &'g str) -> Option<Self> {
        if !glob.is_ascii() || glob.contains(['[', ']', '{', '}', '?', '\\']) {
            return None;
        }
        let home = ["~/", "$HOME/"].into_iter().find_map(|home| glob.strip_prefix(home));
        let (root, rest) = match (home, glob.strip_prefix('/'), glob.strip_prefix("./"), glob.strip_prefix("**/")) {
            (Some(rest), ..) => (GlobRoot::Home, rest),
            (_, Some(rest), ..) => (GlobRoot::Machine, rest),
            (_, _, Some(rest), _) => (GlobRoot::Project, rest),
            (_, _, _, Some(rest)) => (GlobRoot::Anywhere, rest),
            _ if !glob.contains('/') => (GlobRoot::Anywhere, glob),
            _ => (GlobRoot::Project, glob),
        };
        let names: Vec<&str> = rest.split('/').collect();
        if names.iter().any(|name| matches!(*name, "" | "." | "..")) {
            return None;
        }
        let front: Vec<&str> = names.iter().take_while(|name| !name.contains('*')).copied().collect();
        let is_directory = names.len() == front.len() + 1 && names.last() == Some(&"**");
        Some(Self {
            root,
            is_directory: is_directory && !front.is_empty(),
            is_name_alone: root == GlobRoot::Anywhere && names.len() == 1,
            front,
            name: names.last().map_or(LastComponent::Other, |name| last_component(name)),
        })
    }

    /// Returns the glob for everything below a directory; `None` as in [`Self::new`], or if there is an asterisk.
    pub(super) fn below_directory(directory: &'g str) -> Option<Self> {
        if directory.contains('*') {
            return None;
        }
        let parsed = Self::new(directory.trim_end_matches('/'))?;
        // A directory without a slash is relative to the project.
        let root = if parsed.root == GlobRoot::Anywhere { GlobRoot::Project } else { parsed.root };
        Some(Self { root, name: LastComponent::Any, is_directory: true, is_name_alone: false, ..parsed })
    }

    /// Returns the glob for a single path; `None` as in [`Self::new`], or if there is an asterisk.
    pub(super) fn from_path(path: &'g str) -> Option<Self> {
        if path.contains('*') {
            return None;
        }
        let parsed = Self::new(path)?;
        // A path without a slash is relative to the project.
        let root = if parsed.root == GlobRoot::Anywhere { GlobRoot::Project } else { parsed.root };
        Some(Self { root, is_name_alone: false, ..parsed })
    }

    /// Whether certainly no path is matched by both globs, regardless of letter case.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        self.has_disjoint_directory(other) || self.name.excludes(other.name)
    }

    /// Whether the globs certainly match only in different directories.
    pub(super) fn has_disjoint_directory(&self, other: &Self) -> bool {
        let differ = |(one, other): (&&str, &&str)| !one.eq_ignore_ascii_case(other);
        self.root == other.root && self.root != GlobRoot::Anywhere && self.front.iter().zip(&other.front).any(differ)
    }

    /// Whether this glob certainly matches every path that the other one matches.
    pub(super) fn covers(&self, other: &Self) -> bool {
        if self.is_name_alone {
            return self.name.covers(other.name);
        }
        let is_in = self.root == other.root && self.root != GlobRoot::Anywhere && other.front.starts_with(&self.front);
        self.is_directory && is_in
    }
}

/// Returns which last names of paths a name with asterisks matches.
fn last_component(name: &str) -> LastComponent<'_> {
    let inner = name.trim_matches('*');
    if inner.contains('*') {
        return LastComponent::Other;
    }
    match (inner, name.starts_with('*'), name.ends_with('*')) {
        ("", ..) => LastComponent::Any,
        (_, false, false) => LastComponent::Exactly(inner),
        (_, false, true) => LastComponent::Prefix(inner),
        (_, true, false) => LastComponent::Suffix(inner),
        (_, true, true) => LastComponent::Other,
    }
}

fn starts_with_folded(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|front| front.eq_ignore_ascii_case(start))
}

fn ends_with_folded(text: &str, end: &str) -> bool {
    let at = text.len().checked_sub(end.len());
    at.and_then(|at| text.get(at..)).is_some_and(|back| back.eq_ignore_ascii_case(end))
}

impl LastComponent<'_> {
    /// Whether certainly no name fits both descriptions.
    fn excludes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Exactly(one), Self::Exactly(other)) => !one.eq_ignore_ascii_case(other),
            (Self::Exactly(name), Self::Prefix(start)) | (Self::Prefix(start), Self::Exactly(name)) => {
                !starts_with_folded(name, start)
            }
            (Self::Exactly(name), Self::Suffix(end)) | (Self::Suffix(end), Self::Exactly(name)) => {
                !ends_with_folded(name, end)
            }
            (Self::Prefix(one), Self::Prefix(other)) => {
                !starts_with_folded(one, other) && !starts_with_folded(other, one)
            }
            (Self::Suffix(one), Self::Suffix(other)) => !ends_with_folded(one, other) && !ends_with_folded(other, one),
            _ => false,
        }
    }

    /// Whether certainly every name that fits the other description fits this one.
    fn covers(self, other: Self) -> bool {
        match (self, other) {
            (Self::Any, _) => true,
            (Self::Exactly(one), Self::Exactly(other)) => one == other,
            (Self::Prefix(start), Self::Exactly(other) | Self::Prefix(other)) => other.starts_with(start),
            (Self::Suffix(end), Self::Exactly(other) | Self::Suffix(other)) => other.ends_with(end),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(relation: fn(&PathGlob<'_>, &PathGlob<'_>) -> bool, yes: &[(&str, &str)], no: &[(&str, &str)]) {
        let of = |(one, other): &(&str, &str)| relation(&PathGlob::new(one).unwrap(), &PathGlob::new(other).unwrap());
        for pair in yes {
            assert!(of(pair), "{pair:?}");
        }
        for pair in no {
            assert!(!of(pair), "{pair:?}");
        }
    }

    #[test]
    fn globs_of_different_places_or_names_match_no_path_together() {
        check(
            |one, other| one.excludes(other),
            &[
                ("src/**", "lib/**"),
                ("*.ts", "*.js"),
                (".env", "*.md"),
                ("src/**/*.ts", "lib/*.ts"),
                ("/etc/**", "/usr/**"),
                ("~/.ssh/**", "~/.aws/**"),
                (".env*", "README.md"),
            ],
            &[
                ("src/**", "*.md"),
                ("src/**", "src/gen/**"),
                ("src/**", "**/lib/**"),
                ("src/**", "/src/**"),
                ("*.ts", "*.d.ts"),
                ("SRC/**", "src/**"),
                ("*a*", "*b*"),
                (".env*", "*.local"),
                ("./*", "src/**"),
            ],
        );
    }

    #[test]
    fn a_glob_covers_another_that_says_more() {
        check(
            |one, other| one.covers(other),
            &[
                ("**", "src/**"),
                ("*.pem", "server.pem"),
                (".env*", ".env.example"),
                ("src/**", "src/gen/**"),
                ("src/**", "src/a.rs"),
                ("**/*.rs", "src/*.rs"),
            ],
            &[
                ("src/**", "*.rs"),
                ("src/*", "src/gen/**"),
                ("*.rs", "src/**"),
                ("src/gen/**", "src/**"),
                ("src/**/*.rs", "src/a.rs"),
            ],
        );
    }
}
