//! The repository that a command works in, and what commands before it may have changed there.

use super::{Analysis, Cause, CommandId, Place, Simple, Why, read};
use crate::path::normalise;

/// Subcommands of git that change which branch is checked out, what a remote is, or where a repository lies.
const CHANGES: &[&str] = &[
    "bisect",
    "checkout",
    "clone",
    "config",
    "init",
    "rebase",
    "remote",
    "switch",
    "symbolic-ref",
    "update-ref",
    "worktree",
];

/// Words that make `git branch` rename one, which may be the one that is checked out.
const RENAMES: &[&str] = &["-m", "-M", "--move"];

impl Simple {
    /// Returns the directory that the program works in: its cwd, and where `git -C` leads from there.
    #[must_use]
    pub fn directory(&self) -> Place {
        let Place::Known(cwd) = &self.cwd else { return self.cwd.clone() };
        let argv = read(&self.words);
        if argv.tables.first().is_none_or(|table| !table.names.contains(&"git")) {
            return self.cwd.clone();
        }
        let mut directory = cwd.clone();
        for given in argv.options.iter().filter(|given| given.is_global) {
            match (&*given.name, given.value.as_ref()) {
                ("-C", Some(value)) => match (value.known(), value.why()) {
                    (Some(path), _) => directory = normalise(path, &directory, None),
                    (None, why) => return Place::Unknown(why.unwrap_or_else(|| elsewhere("-C"))),
                },
                ("--git-dir" | "--work-tree", _) => return Place::Unknown(elsewhere(&given.name)),
                _ => {}
            }
        }
        let variable = ["GIT_DIR", "GIT_WORK_TREE"].into_iter().find(|name| {
            let set = self.environment.iter().chain(&self.assignments);
            set.rev().find(|assignment| assignment.name == *name).is_some_and(|last| last.value.is_some())
        });
        match variable {
            Some(name) => Place::Unknown(elsewhere(name)),
            None => Place::Known(directory),
        }
    }

    /// Returns why the command may change what git says of a directory, if it may.
    fn changes_repository(&self) -> Option<Why> {
        let argv = read(&self.words);
        let named = |name: &str| argv.tables.first().is_some_and(|table| table.names.contains(&name));
        if argv.explains().is_some() {
            return None;
        }
        let words = || self.words.iter().skip(1).filter_map(|word| word.known());
        let subcommand = argv.dashed.or_else(|| argv.commands.first().and_then(|word| word.known()));
        let changes = match subcommand {
            _ if named("gh") || argv.name.is_some_and(|name| matches!(name, "glab" | "hub")) => {
                words().any(|word| matches!(word, "checkout" | "clone" | "develop"))
            }
            _ if !named("git") => false,
            // Files behind a `--`, or those of a commit, leave the branch as it is.
            Some("checkout") => argv.behind_dashes.is_none() && !words().any(|word| matches!(word, "-p" | "--patch")),
            Some("branch") => words().any(|word| RENAMES.contains(&word)),
            Some("stash") => words().any(|word| word == "branch"),
            Some("remote") => words().any(|word| matches!(word, "add" | "remove" | "rm" | "rename" | "set-url")),
            Some(name) => CHANGES.contains(&name) || argv.is_unlisted(),
            None => !argv.commands.is_empty() || argv.maybe_command.is_some(),
        };
        let shown = self.words.iter().map(super::Word::shown).collect::<Vec<_>>().join(" ");
        changes.then(|| Why::new(Cause::Earlier, shown))
    }
}

impl Analysis {
    /// Returns why what git says may be another thing when a command runs than before the text does: a command that may
    /// run before it changes that, or is not seen.
    #[must_use]
    pub fn repository_change_before(&self, id: CommandId) -> Option<Why> {
        let is_repeated = self.command(id).is_some_and(|command| command.in_loop);
        let before = self.iter().filter(|(other, command)| {
            *other < id || *other != id && (command.in_substitution || is_repeated && command.in_loop)
        });
        let change = before.into_iter().find_map(|(_, command)| command.changes_repository());
        let hidden = || self.opaque.iter().find(|opaque| opaque.text.is_none()).map(|opaque| opaque.why.clone());
        change.or_else(hidden)
    }
}

/// The repository is not the one of the directory.
fn elsewhere(word: &str) -> Why {
    Why::new(Cause::Directory, word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Start, analyse};

    /// Returns what may have changed before the last command of a text, and where that one works.
    fn last(text: &str) -> (Option<String>, String) {
        let cwd = std::path::Path::new("/home/dev/proj");
        let analysis = analyse(text, &Start { cwd, home: None });
        let (id, command) = analysis.iter().last().unwrap();
        let place = match command.directory() {
            Place::Known(path) => path.to_string_lossy().into_owned(),
            Place::Unknown(why) => format!("? {}", why.word),
        };
        (analysis.repository_change_before(id).map(|why| why.word), place)
    }

    #[test]
    fn a_checkout_before_a_command_changes_what_git_says() {
        for (text, expected) in [
            ("git checkout main && git push", Some("git checkout main")),
            ("git switch -c topic; git push", Some("git switch -c topic")),
            ("git co main; git push", Some("git co main")),
            ("gh pr checkout 7 && git push", Some("gh pr checkout 7")),
            ("git branch -m main && git push", Some("git branch -m main")),
            ("git remote set-url origin x; git push", Some("git remote set-url origin x")),
            ("git checkout -- src/a.rs && git push", None),
            ("git branch --list && git push", None),
            ("git remote -v; git push", None),
            ("git add . && git commit -m x && git push", None),
            ("git push", None),
        ] {
            assert_eq!(last(text).0.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn git_works_where_its_options_lead() {
        for (text, expected) in [
            ("git push", "/home/dev/proj"),
            ("cd sub && git push", "/home/dev/proj/sub"),
            ("git -C .. -C other push", "/home/dev/other"),
            ("git -C \"$X\" push", "? $X"),
            ("git --git-dir=/srv/x.git push", "? --git-dir"),
            ("GIT_DIR=/srv/x.git git push", "? GIT_DIR"),
            ("make -C sub", "/home/dev/proj"),
        ] {
            assert_eq!(last(text).1, expected, "{text}");
        }
    }
}
