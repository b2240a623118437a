//! The branches that a `git push` updates.

use crate::analysis::SimpleCommand;
use crate::argv::{Argv, GivenOption};
use crate::values::FieldValues;
use crate::word::{Cause, Unknown, UnknownPart, Word, WordPart};

impl SimpleCommand {
    /// Returns the names of the branches and tags that a `git push` updates or deletes at the remote: the field
    /// `push_target`. Other commands have no value.
    ///
    /// `current` is the current branch where the command runs, if it is known. That branch is pushed unless a refspec
    /// names another: git's configuration (`push.default`, the refspecs of the remote) is not read. `configured` is
    /// why an earlier command may have changed that configuration. With such a reason, or if the command itself sets
    /// the configuration, a refspec without a target may update any branch. Tags count only if they are named, not if
    /// `--tags` finds them.
    #[must_use]
    pub fn push_target(&self, current: Option<&str>, configured: Option<&Unknown>) -> FieldValues {
        let argv = self.argv();
        let subcommand = argv.subcommand();
        let is_git = argv.is_program("git");
        if !is_git || subcommand != Some("push") || argv.usage_option().is_some() {
            return FieldValues::default();
        }
        let configured = configured.cloned().or_else(|| self.configures_push(&argv));
        let is_here = self.directory() == self.cwd;
        let mut targets = PushTargets { values: FieldValues::default(), current, is_here, configured };
        targets.add_all(&argv);
        targets.values
    }

    /// Returns why the command itself configures the push target, if it does: `-c push.default=matching`,
    /// `GIT_CONFIG_COUNT=1`.
    fn configures_push(&self, argv: &Argv<'_>) -> Option<Unknown> {
        let is_setting = |given: &&GivenOption| given.is_global && matches!(&*given.name, "-c" | "--config-env");
        let mut values = argv.options.iter().filter(is_setting).filter_map(|given| given.value.as_ref());
        let value = values
            .find(|value| is_push_setting(value))
            .map(|value| Unknown::new(Cause::Branches, value.display_text()));
        let assignments = self.environment.iter().chain(&self.assignments);
        let mut variables =
            assignments.filter(|assignment| assignment.value.is_some() && assignment.name.starts_with("GIT_CONFIG"));
        value.or_else(|| variables.next().map(|variable| Unknown::new(Cause::Branches, variable.name.clone())))
    }
}

/// Whether a git setting determines, or may determine, the push target: `push.default`, `remote.origin.push`, or a
/// name with an unknown part.
pub(super) fn is_push_setting(word: &Word) -> bool {
    const SECTIONS: &[&str] = &["push.", "remote.", "branch.", "include.", "includeif."];
    let start = word.prefix().to_ascii_lowercase();
    match start.split_once('=') {
        None if word.known_text().is_none() => {
            SECTIONS.iter().any(|section| section.starts_with(&start) || start.starts_with(section))
        }
        _ => SECTIONS.iter().any(|section| start.starts_with(section)),
    }
}

/// Collects the targets of a push.
struct PushTargets<'a> {
    values: FieldValues,
    /// The current branch, if it is known.
    current: Option<&'a str>,
    /// Whether git runs in the command's own directory, whose current branch is `current`.
    is_here: bool,
    /// Why git may be configured to update branches other than those named; `None` if it is not.
    configured: Option<Unknown>,
}

impl PushTargets<'_> {
    /// Adds the targets of all refspecs of a push, or the current branch if there are none.
    fn add_all(&mut self, argv: &Argv<'_>) {
        let is_given = |name: &str| argv.options_named(name).next().is_some();
        if is_given("--all") || is_given("--mirror") || is_given("--prune") {
            self.add_unknown_branches(
                ["--mirror", "--prune"].into_iter().find(|name| is_given(name)).unwrap_or("--all"),
            );
        }
        // The first operand is the remote.
        let mut refspecs = argv.operands.iter().skip(1).peekable();
        let splitting = argv.maybe_options.iter().find(|word| word.may_split_at_blanks());
        self.values.others = self.values.others.take().or_else(|| splitting.and_then(|word| word.unknown_reason()));
        if is_given("--tags") {
            let mut any_tag = Word::default();
            let reason = Unknown::new(Cause::Branches, "*");
            any_tag.push(WordPart::Unknown(UnknownPart { reason, may_split: false }));
            self.add_tag(&any_tag);
        }
        if refspecs.peek().is_none() && !is_given("--tags") && self.values.others.is_none() {
            self.add_current_branch();
        }
        while let Some(refspec) = refspecs.next() {
            match refspec.known_text() {
                // `tag v1` is `refs/tags/v1`.
                Some("tag") => refspecs.next().into_iter().for_each(|name| self.add_tag(name)),
                _ if is_given("--delete") => self.add_branch(&self.resolve_branch(refspec)),
                _ => self.add_refspec(refspec),
            }
        }
    }

    /// Adds the target of a refspec: `main`, `+from:to`, `HEAD`.
    fn add_refspec(&mut self, word: &Word) {
        let word = &self.resolve_branch(word);
        if word.unknown_reason().is_some() && !word.prefix().contains(':') {
            // The target may come after an unknown part: `$FROM:main`.
            return match text_after_colon(word) {
                Some(target) => self.add_branch(&target),
                None => self.add_branch(word),
            };
        }
        let bare = word.strip_prefix("+").unwrap_or_else(|| word.clone());
        match bare.prefix().split_once(':') {
            None if matches!(bare.known_text(), Some("HEAD" | "@")) => self.add_current_branch(),
            None => {
                // A refspec in the configuration of the remote may map the branch to another one.
                self.values.others = self.values.others.take().or_else(|| self.configured.clone());
                self.add_branch(&bare);
            }
            Some(("", "")) if bare.known_text().is_some() => self.add_unknown_branches(":"),
            Some((from, _)) => {
                let target = bare.strip_prefix(&format!("{from}:")).unwrap_or_default();
                self.add_branch(&target);
            }
        }
    }

    /// Replaces the output of a command that prints the current branch by the branch's name: `$(git branch
    /// --show-current)` in a word.
    fn resolve_branch(&self, word: &Word) -> Word {
        let Some(current) = self.current.filter(|_| self.is_here) else { return word.clone() };
        word.with_branch(current)
    }

    /// Adds a branch by its short or full name (`main`, `refs/heads/main`), or a tag by its full name.
    fn add_branch(&mut self, word: &Word) {
        let short = ["refs/heads/", "heads/"].into_iter().find_map(|start| word.strip_prefix(start));
        if let Some(tag) = ["refs/tags/", "tags/"].into_iter().find_map(|start| word.strip_prefix(start)) {
            return self.add_tag(&tag);
        }
        let mut branch = Word::default();
        for part in short.unwrap_or_else(|| word.clone()).parts {
            match part {
                // `refs/heads/*:refs/heads/*` means all existing branches.
                WordPart::Text(text) if text.contains('*') => {
                    for (index, piece) in text.split('*').enumerate() {
                        if index > 0 {
                            let reason = Unknown::new(Cause::Branches, word.display_text());
                            branch.push(WordPart::Unknown(UnknownPart { reason, may_split: false }));
                        }
                        branch.push(WordPart::Text(piece.to_owned()));
                    }
                }
                part => branch.push(part),
            }
        }
        self.values.push(&branch);
    }

    /// Adds a tag by its name. If the name is unknown, adds it with `refs/tags/`, which shows that it is not a
    /// branch.
    fn add_tag(&mut self, name: &Word) {
        if name.known_text().is_some_and(|name| !name.contains('*')) {
            return self.values.push(name);
        }
        let mut full = Word::text("refs/tags/");
        name.parts.iter().for_each(|part| full.push(part.clone()));
        self.values.push(&full);
    }

    /// Adds the current branch, or an unknown one if the configuration may name another.
    fn add_current_branch(&mut self) {
        if let Some(reason) = &self.configured {
            self.values.others = Some(reason.clone());
            return;
        }
        match self.current {
            Some(branch) => self.values.words.push(Word::text(branch)),
            None => self.add_unknown_branches("HEAD"),
        }
    }

    /// Records that the push may update any branch, because of a word.
    fn add_unknown_branches(&mut self, word: &str) {
        self.values.others = Some(Unknown::new(Cause::Branches, word));
    }
}

/// Returns the text after the first `:` that is known; `None` if there is none.
fn text_after_colon(word: &Word) -> Option<Word> {
    let index = word.parts.iter().position(|part| matches!(part, WordPart::Text(text) if text.contains(':')))?;
    let Some(WordPart::Text(text)) = word.parts.get(index) else { return None };
    let mut target = Word::text(text.split_once(':')?.1);
    word.parts.iter().skip(index + 1).for_each(|part| target.push(part.clone()));
    Some(target)
}

#[cfg(test)]
mod tests;
