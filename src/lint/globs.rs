//! Relations between path globs that can be determined from their text: whether two match no path together, and whether
//! one matches everything that another does.
//!
//! A "yes" is certain, except for links between directories; a glob with wildcards other than asterisks is not
//! analysed.

/// The directory where the paths of a glob begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    Anywhere,
    Project,
    Home,
    Machine,
}

/// The last component of a glob's paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Name<'g> {
    Any,
    Is(&'g str),
    Starts(&'g str),
    Ends(&'g str),
    Other,
}

/// A parsed path glob.
#[derive(Clone, Debug)]
pub(super) struct PathGlob<'g> {
    root: Root,
    /// The leading components without an asterisk.
    front: Vec<&'g str>,
    name: Name<'g>,
    /// Whether it matches a directory with everything below it.
    is_directory: bool,
    /// Whether it has no directory component.
    is_name_alone: bool,
}

impl<'g> PathGlob<'g> {
    /// Parses a glob without its `!`; `None` if it has wildcards other than asterisks.
    pub(super) fn new(glob: &'g str) -> Option<Self> {
        if !glob.is_ascii() || glob.contains(['[', ']', '{', '}', '?', '\\']) {
            return None;
        }
        let home = ["~/", "$HOME/"].into_iter().find_map(|home| glob.strip_prefix(home));
        let (root, rest) = match (home, glob.strip_prefix('/'), glob.strip_prefix("./"), glob.strip_prefix("**/")) {
            (Some(rest), ..) => (Root::Home, rest),
            (_, Some(rest), ..) => (Root::Machine, rest),
            (_, _, Some(rest), _) => (Root::Project, rest),
            (_, _, _, Some(rest)) => (Root::Anywhere, rest),
            _ if !glob.contains('/') => (Root::Anywhere, glob),
            _ => (Root::Project, glob),
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
            is_name_alone: root == Root::Anywhere && names.len() == 1,
            front,
            name: names.last().map_or(Name::Other, |name| name_of(name)),
        })
    }

    /// Creates the glob of a directory with everything below it.
    pub(super) fn below(directory: &'g str) -> Option<Self> {
        if directory.contains('*') {
            return None;
        }
        let read = Self::new(directory.trim_end_matches('/'))?;
        // A directory without a slash is relative to the project.
        let root = if read.root == Root::Anywhere { Root::Project } else { read.root };
        Some(Self { root, name: Name::Any, is_directory: true, is_name_alone: false, ..read })
    }

    /// Creates the glob of a single path.
    pub(super) fn exact(path: &'g str) -> Option<Self> {
        if path.contains('*') {
            return None;
        }
        let read = Self::new(path)?;
        // A path without a slash is relative to the project.
        let root = if read.root == Root::Anywhere { Root::Project } else { read.root };
        Some(Self { root, is_name_alone: false, ..read })
    }

    /// Whether no path is matched by both, regardless of case.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        self.is_elsewhere(other) || self.name.excludes(other.name)
    }

    /// Whether the directories of both are disjoint.
    pub(super) fn is_elsewhere(&self, other: &Self) -> bool {
        let differ = |(one, other): (&&str, &&str)| !one.eq_ignore_ascii_case(other);
        self.root == other.root && self.root != Root::Anywhere && self.front.iter().zip(&other.front).any(differ)
    }

    /// Whether this glob matches every path that the other matches.
    pub(super) fn covers(&self, other: &Self) -> bool {
        if self.is_name_alone {
            return self.name.covers(other.name);
        }
        let is_in = self.root == other.root && self.root != Root::Anywhere && other.front.starts_with(&self.front);
        self.is_directory && is_in
    }
}

fn name_of(name: &str) -> Name<'_> {
    let inner = name.trim_matches('*');
    if inner.contains('*') {
        return Name::Other;
    }
    match (inner, name.starts_with('*'), name.ends_with('*')) {
        ("", ..) => Name::Any,
        (_, false, false) => Name::Is(inner),
        (_, false, true) => Name::Starts(inner),
        (_, true, false) => Name::Ends(inner),
        (_, true, true) => Name::Other,
    }
}

fn starts(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|front| front.eq_ignore_ascii_case(start))
}

fn ends(text: &str, end: &str) -> bool {
    let at = text.len().checked_sub(end.len());
    at.and_then(|at| text.get(at..)).is_some_and(|back| back.eq_ignore_ascii_case(end))
}

impl Name<'_> {
    fn excludes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Is(one), Self::Is(other)) => !one.eq_ignore_ascii_case(other),
            (Self::Is(name), Self::Starts(start)) | (Self::Starts(start), Self::Is(name)) => !starts(name, start),
            (Self::Is(name), Self::Ends(end)) | (Self::Ends(end), Self::Is(name)) => !ends(name, end),
            (Self::Starts(one), Self::Starts(other)) => !starts(one, other) && !starts(other, one),
            (Self::Ends(one), Self::Ends(other)) => !ends(one, other) && !ends(other, one),
            _ => false,
        }
    }

    fn covers(self, other: Self) -> bool {
        match (self, other) {
            (Self::Any, _) => true,
            (Self::Is(one), Self::Is(other)) => one == other,
            (Self::Starts(start), Self::Is(other) | Self::Starts(other)) => other.starts_with(start),
            (Self::Ends(end), Self::Is(other) | Self::Ends(other)) => other.ends_with(end),
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
