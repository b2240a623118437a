//! Finds the default branch of a repository and its long-lived branches, from git's files.

use std::collections::BTreeSet;

use super::names::is_plain_branch;
use super::tree::{ProjectTree, RepositoryLocation};

/// The branches of a repository that matter to a policy.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ImportantBranches {
    /// The default branch of the remote, if known.
    pub(super) default: Option<String>,
    /// Globs for the branches to protect, which usually change by review; empty if the default list of `std/git`
    /// covers them.
    pub(super) protected: Vec<String>,
}

/// The names of long-lived branches, which usually change by review.
const LONG_LIVED: &[&str] = &["main", "master", "trunk", "develop", "production", "prod", "stable"];

/// The prefix of the names of release branches, and the glob for such branches.
const RELEASES: &[(&str, &str)] = &[("release/", "release/*"), ("release-", "release-*")];

/// The branches that `std/git` protects by default.
const DEFAULT_PROTECTED: &[&str] = &["main", "master", "release/*"];

/// Determines the default branch and the branches to protect; none if the repository's root is not the project.
pub(super) fn important_branches(tree: &ProjectTree) -> ImportantBranches {
    if tree.repository != RepositoryLocation::Root {
        return ImportantBranches::default();
    }
    let all = branch_names(tree);
    // Returns the branch that a symbolic ref names after a prefix: `main` for `ref: refs/heads/main`.
    let branch_in_ref = |file: &str, prefix: &str| {
        let branch = tree.text(file)?.trim().strip_prefix("ref: ")?.strip_prefix(prefix)?;
        is_plain_branch(branch).then(|| branch.to_owned())
    };
    let current = || branch_in_ref(".git/HEAD", "refs/heads/");
    let default = branch_in_ref(".git/refs/remotes/origin/HEAD", "refs/remotes/origin/")
        .or_else(|| ["main", "master"].into_iter().find(|name| all.contains(*name)).map(str::to_owned))
        // Else the current branch, if it is the only one or there is no commit yet.
        .or_else(|| if all.len() <= 1 { current() } else { None });
    let long_lived = LONG_LIVED.iter().filter(|name| all.contains(**name)).map(|name| (*name).to_owned());
    let releases = RELEASES.iter().filter(|(prefix, _)| all.iter().any(|name| name.starts_with(prefix)));
    let mut protected: Vec<String> = default.iter().cloned().collect();
    protected.extend(long_lived.filter(|name| Some(name) != default.as_ref()));
    protected.extend(releases.map(|(_, glob)| (*glob).to_owned()));
    // `with` replaces the list of the pack, so it is only needed for other branches, and must then repeat
    // `release/*`.
    if protected.iter().all(|glob| DEFAULT_PROTECTED.contains(&glob.as_str())) {
        protected.clear();
    } else if !protected.iter().any(|glob| glob == "release/*") {
        protected.push("release/*".to_owned());
    }
    ImportantBranches { default, protected }
}

/// Returns the names of all branches in packed and loose refs, local ones and those of `origin`.
fn branch_names(tree: &ProjectTree) -> BTreeSet<String> {
    const PREFIXES: [&str; 2] = ["refs/remotes/origin/", "refs/heads/"];
    let strip = |name: &str| PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).map(str::to_owned);
    let packed = tree.text(".git/packed-refs").unwrap_or_default();
    let packed = packed.lines().filter_map(|line| strip(line.split_once(' ')?.1.trim()));
    let loose = tree.refs.iter().filter_map(|name| strip(name));
    packed.chain(loose).filter(|name| is_plain_branch(name.trim_end_matches('/'))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> ImportantBranches {
        let mut tree = ProjectTree { repository: RepositoryLocation::Root, ..ProjectTree::default() };
        for (path, text) in files {
            if let Some(name) = path.strip_prefix(".git/").filter(|_| text.is_empty()) {
                tree.refs.insert(name.to_owned());
            }
            tree.texts.insert((*path).to_owned(), (*text).to_owned());
        }
        important_branches(&tree)
    }

    #[test]
    fn protected_branches_are_those_that_a_repository_has() {
        let origin = (".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/trunk\n");
        let packed = "# pack-refs with: peeled fully-peeled sorted\n1 refs/remotes/origin/develop\n2 refs/tags/production\n3 refs/remotes/origin/release-1.2\n";
        for (files, default, protected) in [
            (&[][..], None, &[][..]),
            (&[(".git/HEAD", "ref: refs/heads/main\n")], Some("main"), &[]),
            (&[(".git/HEAD", "ref: refs/heads/dev\n")], Some("dev"), &["dev", "release/*"]),
            (&[origin], Some("trunk"), &["trunk", "release/*"]),
            (&[origin, (".git/packed-refs", packed)], Some("trunk"), &["trunk", "develop", "release-*", "release/*"]),
            (
                &[
                    (".git/HEAD", "ref: refs/heads/topic\n"),
                    (".git/refs/heads/topic", ""),
                    (".git/refs/heads/main", ""),
                ],
                Some("main"),
                &[],
            ),
            (&[(".git/HEAD", "ref: refs/heads/a\"; x {y}\n")], None, &[]),
            (&[(".git/HEAD", "0123456789abcdef\n"), (".git/refs/heads/a", ""), (".git/refs/heads/b", "")], None, &[]),
        ] {
            let found = of(files);
            assert_eq!(
                (found.default.as_deref(), found.protected),
                (default, protected.iter().map(|it| (*it).to_owned()).collect()),
                "{files:?}"
            );
        }
    }
}
