//! The git repository that a command works in, and the changes that earlier commands may have made to it.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::repository::RepositoryFact;
//! use hookrules_shell::{StartDirectories, analyse};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let text = "git switch -c topic && git push";
//! let analysis = analyse(text, &start);
//! let changes = analysis.repository_changes();
//! let (id, _) = analysis.iter().nth(1).expect("two commands");
//! assert!(changes.earlier_change(&analysis, id, RepositoryFact::Branch).is_some());
//! assert_eq!(changes.branch_checked_out(&analysis, id, text).as_deref(), Some("topic"));
//! ```

pub use crate::git_settings::{GitSettings, git_settings};

use std::path::Path;

use crate::analysis::{Analysis, RedirectKind, SimpleCommand};
use crate::argv::{Argv, GivenOption, program_name};
use crate::files::{contents, files_changed_by_words};
use crate::path::normalise;
use crate::programs::{OptionEffect, Programs};
use crate::stream::CommandId;
use crate::word::{Cause, Directory, Unknown, Word, WordPart};

/// A fact about the repository of a directory, which a condition may test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepositoryFact {
    /// The current branch.
    Branch,
    /// The URL of a remote.
    Remote,
    /// The branch that a push without a refspec updates.
    Push,
    /// Which repository it is, and whether the directory is a linked worktree.
    Repository,
}

impl RepositoryFact {
    /// All facts.
    pub const ALL: [Self; 4] = [Self::Branch, Self::Remote, Self::Push, Self::Repository];

    /// Returns the git subcommands that may change the fact with any arguments.
    fn changing_subcommands(self) -> &'static [&'static str] {
        match self {
            Self::Branch => &["bisect", "checkout", "clone", "init", "submodule", "switch", "symbolic-ref", "worktree"],
            Self::Remote => &["clone", "config", "init", "submodule", "worktree"],
            Self::Push => &["clone", "init", "submodule", "worktree"],
            Self::Repository => &["clone", "init", "submodule", "worktree"],
        }
    }
}

/// Whether a command only shows what others of its kind change: `git worktree list`.
fn shows_only(argv: &Argv<'_>) -> bool {
    let action = argv.subcommands.get(1).and_then(|word| word.known_text());
    action.is_some_and(|action| matches!(action, "list" | "status" | "log"))
}

/// Options with which `git branch` renames a branch, possibly the current one.
const RENAMES: &[&str] = &["-m", "-M", "--move"];

/// git's options that name a repository; they do not change the directory that it works in.
const REPOSITORY_OPTIONS: &[&str] = &["--git-dir", "--work-tree"];

/// The commands that only change the directory of those after them.
pub const MOVES: &[&str] = &["cd", "chdir", "pushd", "popd"];

impl SimpleCommand {
    /// Whether the command only changes the directory of those after it.
    #[must_use]
    pub fn only_moves(&self) -> bool {
        self.argv().name.is_some_and(|name| MOVES.contains(&name))
    }

    /// Returns the directory whose repository the program works in: [`Self::working_directory`], or unknown if git's
    /// options or a variable name another repository. Words are parsed by the built-in table and the added records.
    #[must_use]
    pub fn directory_with(&self, programs: &Programs) -> Directory {
        let argv = self.argv();
        let option = argv.options.iter().filter(|given| given.is_global && argv.is_program("git"));
        let option = option.map(|given| &*given.name).find(|name| REPOSITORY_OPTIONS.contains(name));
        let variable = ["GIT_DIR", "GIT_WORK_TREE"].into_iter().find(|name| {
            let set = self.environment.iter().chain(&self.assignments);
            set.rev().find(|assignment| assignment.name == *name).is_some_and(|last| last.value.is_some())
        });
        match (variable, option, self.working_directory(programs)) {
            (Some(name), _, _) | (None, Some(name), Directory::Known(_)) => Directory::Unknown(other_repository(name)),
            (None, _, directory) => directory,
        }
    }

    /// Like [`Self::directory_with`], by the built-in table alone.
    #[must_use]
    pub fn directory(&self) -> Directory {
        self.directory_with(&Programs::new())
    }

    /// Returns the directory that the program works in: its cwd, adjusted by the options that enter a directory
    /// according to the records (`make -C infra`, `npm --prefix web`).
    #[must_use]
    pub fn working_directory(&self, programs: &Programs) -> Directory {
        let argv = self.argv_with(programs);
        let is_elsewhere = |given: &GivenOption| REPOSITORY_OPTIONS.contains(&&*given.name);
        let enters = |given: &&GivenOption| given.option.is_some_and(|option| option.does == OptionEffect::Enters);
        let mut directory = self.cwd.clone();
        for given in argv.options.iter().filter(enters).filter(|given| !is_elsewhere(given)) {
            let Some(value) = &given.value else { continue };
            directory = entered(directory, value);
        }
        directory
    }

    /// Whether the command, whose words are parsed as `argv`, may change a fact.
    fn changes_repository(&self, argv: &Argv<'_>, fact: RepositoryFact) -> bool {
        let words = || self.words.iter().skip(1).filter_map(|word| word.known_text());
        let subcommand = argv.subcommand();
        match subcommand {
            _ if argv.is_program("gh") || argv.name.is_some_and(|name| matches!(name, "glab" | "hub")) => {
                let is_changing = |word: &str| match fact {
                    RepositoryFact::Branch => matches!(word, "checkout" | "clone" | "develop"),
                    RepositoryFact::Remote | RepositoryFact::Push | RepositoryFact::Repository => word == "clone",
                };
                words().any(is_changing)
            }
            _ if !argv.is_program("git") => false,
            // After `--`, the operands are files, and the branch stays the same. A word that may split may be no word
            // at all.
            Some("checkout") if fact == RepositoryFact::Branch => {
                let names_files = argv
                    .after_dashes
                    .is_some_and(|first| argv.operands.iter().skip(first).any(|word| !word.may_split_at_blanks()));
                !names_files && !words().any(|word| matches!(word, "-p" | "--patch"))
            }
            // The current branch is the same before and after a rebase unless a second operand names another; if the
            // rebase stops on the way, HEAD is detached.
            Some("rebase") if fact == RepositoryFact::Branch => {
                let may_detach_head = |word: &str| {
                    matches!(word, "--continue" | "--skip" | "--abort" | "--quit" | "--root" | "-x" | "--exec")
                };
                argv.operands.len() > 1 || !argv.maybe_options.is_empty() || words().any(may_detach_head)
            }
            Some("branch") => fact == RepositoryFact::Branch && words().any(|word| RENAMES.contains(&word)),
            Some("worktree" | "submodule" | "bisect") if shows_only(argv) => false,
            Some("symbolic-ref") if argv.operands.len() == 1 && argv.maybe_options.is_empty() => {
                fact == RepositoryFact::Branch && words().any(|word| matches!(word, "-d" | "--delete" | "-m"))
            }
            Some("stash") => fact == RepositoryFact::Branch && words().any(|word| word == "branch"),
            Some("remote") if fact == RepositoryFact::Remote => {
                words().any(|word| matches!(word, "add" | "remove" | "rm" | "rename" | "set-url"))
            }
            Some("remote") if fact == RepositoryFact::Push => words().any(|word| matches!(word, "add" | "rename")),
            Some("config") if fact == RepositoryFact::Push => match git_settings(argv) {
                None | Some(GitSettings::Shows) => false,
                Some(GitSettings::Edits | GitSettings::Sections(_)) => true,
                Some(GitSettings::Sets { key, .. }) => super::push::is_push_setting(key),
            },
            Some(name) => fact.changing_subcommands().contains(&name) || argv.is_unlisted(),
            None => !argv.subcommands.is_empty() || argv.maybe_subcommand.is_some(),
        }
    }
}

impl SimpleCommand {
    /// Returns the file of a `.git` directory that the command may write itself, without git doing it: `.git/HEAD`,
    /// `.git/config`.
    fn git_state_file_written_directly(&self) -> Option<String> {
        let is_in_git_directory = matches!(&self.cwd, Directory::Known(cwd) if cwd.iter().any(|name| name == ".git"));
        let mut targets = self.redirects.iter().filter(|redirect| {
            matches!(redirect.kind, RedirectKind::Write | RedirectKind::ReadWrite)
                && (names_git_state(&redirect.target)
                    || is_in_git_directory && !redirect.target.prefix().starts_with('/'))
        });
        if let Some(redirect) = targets.next() {
            return Some(redirect.target.display_text());
        }
        // Unlike the target of a redirection, a relative word may be no file, so only some names count.
        let names_state = |word: &Word| names_git_state(word) || is_in_git_directory && is_head_or_config(word);
        let mut words = self.words.iter().skip(1).filter(|word| names_state(word));
        let word = words.next()?;
        let is_editor = || self.words.first().and_then(program_name).and_then(contents).is_some_and(|row| row.edits);
        let is_written = is_editor() || files_changed_by_words(self).iter().any(names_state);
        is_written.then(|| word.display_text())
    }
}

/// Whether a path leads to files in `.git` that determine facts. Hooks, objects and the ignore list do not.
fn names_git_state(path: &Word) -> bool {
    const OTHERS: &[&str] = &["info/", "hooks/", "COMMIT_EDITMSG", "objects/"];
    path.parts.iter().filter_map(WordPart::literal_text).filter_map(|text| text.rsplit_once(".git/")).any(
        |(before, below)| {
            // An unknown part before `.git` may end in a slash.
            let is_component = before.is_empty() || before.ends_with(['/', '=']);
            is_component && !OTHERS.iter().any(|other| below.starts_with(other))
        },
    )
}

/// Whether a path relative to `.git` is a file that determines facts: `HEAD`, also that of a remote, or `config`.
fn is_head_or_config(path: &Word) -> bool {
    path.known_text().is_some_and(|path| path.ends_with("HEAD") || path.ends_with("config"))
}

/// The commands of a text that may change facts about the repository, found in one pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepositoryChanges {
    /// For each fact, the commands that may change it.
    changes: [FactChanges; RepositoryFact::ALL.len()],
    /// Why code that the analysis does not see may run and change facts; `None` if there is none.
    hidden: Option<Unknown>,
}

/// The commands that may change one fact.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct FactChanges {
    /// All of them, in the order of their ids.
    all: Vec<FactChange>,
    /// The first two that may run at any time. A second one is needed because a command cannot run before itself.
    at_any_time: Vec<FactChange>,
    /// The first two in loops, which may run again.
    in_loop: Vec<FactChange>,
    /// Whether one of them is in a nested text, where it has no position.
    has_nested: bool,
}

/// A command that may change a fact.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FactChange {
    command: CommandId,
    why: Unknown,
}

impl FactChanges {
    fn add(&mut self, change: FactChange, command: &SimpleCommand, analysis: &Analysis) {
        if analysis.runs_at_any_time(command) && self.at_any_time.len() < 2 {
            self.at_any_time.push(change.clone());
        }
        if command.in_loop && self.in_loop.len() < 2 {
            self.in_loop.push(change.clone());
        }
        self.has_nested |= command.span.is_none();
        self.all.push(change);
    }

    /// Returns a change that may happen before a command runs (see [`Analysis::may_run_before`]). The first changes are
    /// sufficient, except for changes by commands that read the output of this one.
    fn before(&self, id: CommandId, command: &SimpleCommand, analysis: &Analysis) -> Option<&FactChange> {
        let mut first = self.all.iter().take(2).chain(&self.at_any_time).chain(&self.in_loop);
        first.find(|change| analysis.may_run_before(change.command, id)).or_else(|| {
            let readers = analysis.downstream(command);
            self.all.iter().find(|change| readers.contains(&change.command))
        })
    }
}

impl Analysis {
    /// Finds the commands that may change facts about the repository.
    #[must_use]
    pub fn repository_changes(&self) -> RepositoryChanges {
        let hidden = self.opaque.iter().find(|opaque| opaque.text.is_none()).map(|opaque| opaque.reason.clone());
        let mut found = RepositoryChanges { hidden, ..RepositoryChanges::default() };
        for (id, command) in self.iter() {
            let file = command.git_state_file_written_directly();
            let argv = command.argv();
            if file.is_none() && argv.usage_option().is_some() {
                continue;
            }
            for (fact, changes) in RepositoryFact::ALL.into_iter().zip(&mut found.changes) {
                if file.is_none() && !command.changes_repository(&argv, fact) {
                    continue;
                }
                let words = || command.words.iter().map(Word::display_text).collect::<Vec<_>>().join(" ");
                let why = Unknown::new(Cause::EarlierCommand, file.clone().unwrap_or_else(words));
                changes.add(FactChange { command: id, why }, command, self);
            }
        }
        found
    }
}

impl RepositoryChanges {
    /// Returns the commands that may change a fact.
    fn changes_to(&self, fact: RepositoryFact) -> Option<&FactChanges> {
        RepositoryFact::ALL.into_iter().zip(&self.changes).find(|(other, _)| *other == fact).map(|(_, found)| found)
    }

    /// Returns the branch that is checked out when a command runs, if an earlier command of the text has certainly
    /// checked it out: `git switch -c topic && git push`. `text` is the analysed text.
    #[must_use]
    pub fn branch_checked_out(&self, analysis: &Analysis, id: CommandId, text: &str) -> Option<String> {
        let changes = self.changes_to(RepositoryFact::Branch).filter(|changes| {
            self.hidden.is_none() && !changes.has_nested && changes.at_any_time.is_empty() && changes.in_loop.is_empty()
        })?;
        let command = analysis.command(id)?;
        let is_alone = |other: &SimpleCommand| !other.in_background && other.piped_to.is_empty();
        let changer = changes.all.iter().rev().find(|other| other.command < id)?.command;
        let is_in_order = is_alone(command) && is_alone(analysis.command(changer)?) && !analysis.is_in_trap(command);
        is_in_order.then(|| analysis.branch_checked_out(changer, id, text)).flatten()
    }

    /// Returns why a fact may have another value when a command runs than before the text ran: an earlier command may
    /// change it, or unseen code may. `None` if the value is certainly the same.
    #[must_use]
    pub fn earlier_change(&self, analysis: &Analysis, id: CommandId, fact: RepositoryFact) -> Option<&Unknown> {
        let change = self.changes_to(fact).and_then(|changes| changes.before(id, analysis.command(id)?, analysis));
        change.map(|change| &change.why).or(self.hidden.as_ref())
    }
}

/// Returns the reason why the repository is unknown: `word`, an option or a variable, selects another one than that of
/// the directory.
fn other_repository(word: &str) -> Unknown {
    Unknown::new(Cause::Directory, word)
}

/// Returns the directory that a command is in after entering, from `directory`, the one that a word names.
fn entered(directory: Directory, word: &Word) -> Directory {
    match (word.known_text(), directory) {
        (Some(path), Directory::Known(directory)) => Directory::Known(normalise(path, &directory, None)),
        (Some(path), Directory::Unknown(_)) if path.starts_with('/') => {
            Directory::Known(normalise(path, Path::new("/"), None))
        }
        // The source is dropped, because it is the source of the outer directory and not of this one.
        (Some(_), Directory::Unknown(reason)) => Directory::Unknown(Unknown::new(reason.cause, reason.word)),
        (None, _) => {
            let cause = word.unknown_reason().map_or(Cause::Directory, |reason| reason.cause);
            Directory::Unknown(Unknown::for_word(cause, word))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::StartDirectories;
    use crate::interpret::analyse;

    /// Returns the reason why a fact may have changed before the last command of a text, and the directory of that
    /// command.
    fn last(text: &str, fact: RepositoryFact) -> (Option<String>, String) {
        let cwd = std::path::Path::new("/home/dev/proj");
        let analysis = analyse(text, &StartDirectories { cwd, home: None });
        let (id, command) = analysis.iter().last().unwrap();
        let place = match command.directory() {
            Directory::Known(path) => path.to_string_lossy().into_owned(),
            Directory::Unknown(why) => format!("? {}", why.word),
        };
        (analysis.repository_changes().earlier_change(&analysis, id, fact).map(|why| why.word.clone()), place)
    }

    #[test]
    fn a_checkout_before_a_command_changes_what_git_says() {
        for (text, expected) in [
            ("git checkout main && git push", Some("git checkout main")),
            ("git switch -c topic; git push", Some("git switch -c topic")),
            ("git co main; git push", Some("git co main")),
            ("gh pr checkout 7 && git push", Some("gh pr checkout 7")),
            ("git branch -m main && git push", Some("git branch -m main")),
            ("git checkout -- src/a.rs && git push", None),
            ("git checkout main -- src/a.rs && git push", None),
            ("git checkout main -- && git push", Some("git checkout main --")),
            ("git checkout main -- $FILES && git push", Some("git checkout main -- $FILES")),
            ("git checkout main -- \"$FILE\" && git push", None),
            ("git checkout main -- *.rs && git push", None),
            ("git branch --list && git push", None),
            ("git remote -v; git push", None),
            ("git add . && git commit -m x && git push", None),
            ("git push", None),
        ] {
            assert_eq!(last(text, RepositoryFact::Branch).0.as_deref(), expected, "{text}");
        }
        for (text, fact, expected) in [
            ("git remote set-url origin x; git push", RepositoryFact::Remote, Some("git remote set-url origin x")),
            ("git remote set-url origin x; git push", RepositoryFact::Branch, None),
            ("git checkout main; git push", RepositoryFact::Remote, None),
            ("git checkout main; git push", RepositoryFact::Repository, None),
            ("git init x; git push", RepositoryFact::Repository, Some("git init x")),
            (
                "git config push.default matching; git push",
                RepositoryFact::Push,
                Some("git config push.default matching"),
            ),
            (
                "git config remote.origin.push a:b; git push",
                RepositoryFact::Push,
                Some("git config remote.origin.push a:b"),
            ),
            ("git config \"$K\" x; git push", RepositoryFact::Push, Some("git config $K x")),
            ("git config -e; git push", RepositoryFact::Push, Some("git config -e")),
            ("git config user.name x; git push", RepositoryFact::Push, None),
            ("git config --get push.default; git push", RepositoryFact::Push, None),
            ("echo x > .git/HEAD; git commit", RepositoryFact::Branch, Some(".git/HEAD")),
            ("echo x | tee sub/.git/HEAD; git commit", RepositoryFact::Branch, Some("sub/.git/HEAD")),
            ("cd .git; echo x > HEAD; cd ..; git commit", RepositoryFact::Branch, Some("HEAD")),
            ("cp a .git/config; git push", RepositoryFact::Push, Some(".git/config")),
            ("gcp a .git/config; git push", RepositoryFact::Push, Some(".git/config")),
            ("gtruncate -s 0 .git/config; git push", RepositoryFact::Push, Some(".git/config")),
            ("touch .git/config; git push", RepositoryFact::Push, Some(".git/config")),
            ("shred -u .git/HEAD; git commit", RepositoryFact::Branch, Some(".git/HEAD")),
            ("cp .git/config a; git push", RepositoryFact::Push, None),
            ("nvim .git/config; git push", RepositoryFact::Push, Some(".git/config")),
            ("cat .git/HEAD; git commit", RepositoryFact::Branch, None),
            ("echo x >> .git/info/exclude; git commit", RepositoryFact::Branch, None),
            ("echo x > .gitignore; git commit", RepositoryFact::Branch, None),
        ] {
            assert_eq!(last(text, fact).0.as_deref(), expected, "{text}");
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
            ("make -C sub", "/home/dev/proj/sub"),
        ] {
            assert_eq!(last(text, RepositoryFact::Branch).1, expected, "{text}");
        }
    }
}
