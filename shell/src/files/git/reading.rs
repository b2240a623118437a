//! Distinguishes uses of git's subcommands that leave a repository unchanged (`git branch --list`) from others that
//! change it (`git branch -d x`).

use super::GitCall;
use crate::git_settings::{GitSettings, git_settings};

/// Options with which `git branch` or `git tag` changes existing branches or tags.
const CHANGING_OPTIONS: &[&str] = &[
    "-d",
    "--delete",
    "-D",
    "-m",
    "--move",
    "-M",
    "-c",
    "--copy",
    "-C",
    "-f",
    "--force",
    "-u",
    "--set-upstream-to",
    "--unset-upstream",
    "--edit-description",
];

/// Options with which `git branch` or `git tag` only lists or verifies what its operands name.
const LISTING_OPTIONS: &[&str] = &[
    "-l",
    "--list",
    "-n",
    "--verify",
    "--contains",
    "--no-contains",
    "--merged",
    "--no-merged",
    "--points-at",
    "--show-current",
];

impl GitCall<'_> {
    /// Whether a command only shows the repository (`git remote -v`), or fetches without changing a local branch. An
    /// unknown word may be any action.
    pub(super) fn leaves_repository(&self, name: &str) -> bool {
        let operands: Vec<Option<&str>> = self.before_dashes.iter().map(|word| word.known_text()).collect();
        let is_action =
            |actions: &[&str]| operands.first().is_some_and(|word| word.is_some_and(|it| actions.contains(&it)));
        let is_alone = operands.is_empty();
        let has = |names: &[&str]| self.call.argv.options.iter().any(|it| !it.is_global && it.has_spelling(names));
        match name {
            "bisect" => is_action(&["log", "view", "visualize"]),
            "branch" | "tag" => {
                !has(CHANGING_OPTIONS) && (is_alone || has(LISTING_OPTIONS) || name == "tag" && has(&["-v"]))
            }
            "config" => matches!(git_settings(&self.call.argv), None | Some(GitSettings::Shows)),
            // `main:topic` writes the branch `topic`.
            "fetch" => operands.iter().skip(1).all(|word| word.is_some_and(|it| !it.contains(':'))),
            "notes" => is_alone || is_action(&["list", "show", "get-ref"]),
            "reflog" => is_alone || is_action(&["show", "list", "exists"]),
            "remote" => is_alone || is_action(&["show", "get-url"]),
            "stash" | "worktree" => is_action(&["list", "show"]),
            "submodule" => is_alone || is_action(&["status", "summary"]),
            "symbolic-ref" => operands.len() == 1 && !has(&["-d", "--delete"]),
            _ => false,
        }
    }
}
