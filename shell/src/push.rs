//! The branches that a `git push` updates.

use crate::analysis::SimpleCommand;
use crate::argv::{Argv, GivenOption};
use crate::values::FieldValues;
use crate::word::{Cause, Unknown, UnknownPart, Word, WordPart};

impl SimpleCommand {
    /// Returns the names of the branches and tags that a `git push` updates or deletes at the remote: `push_target`.
    ///
    /// `current` is the current branch at the place where the command runs, if there is one and it is known. It is the
    /// one that is pushed unless a refspec says otherwise: the `push.default` and the refspecs of the remote in git's
    /// configuration are not read. `configured` is the reason why an earlier command may have changed those; if it is
    /// set, or if the command itself configures them, a refspec without a target may update any branch. Only tags that
    /// are named are included, not those that `--tags` finds. Other commands have no value.
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
        targets.read(&argv);
        targets.values
    }

    /// Returns the command's own configuration of the push target: `-c push.default=matching`.
    fn configures_push(&self, argv: &Argv<'_>) -> Option<Unknown> {
        let is_setting = |given: &&GivenOption| given.is_global && matches!(&*given.name, "-c" | "--config-env");
        let mut values = argv.options.iter().filter(is_setting).filter_map(|given| given.value.as_ref());
        let value = values
            .find(|value| is_push_setting(value))
            .map(|value| Unknown::new(Cause::Branches, value.display_text()));
        let set = self.environment.iter().chain(&self.assignments);
        let mut variables = set.filter(|one| one.value.is_some() && one.name.starts_with("GIT_CONFIG"));
        value.or_else(|| variables.next().map(|one| Unknown::new(Cause::Branches, one.name.clone())))
    }
}

/// Whether a git setting determines, or may determine, the push target: `push.default`, `remote.origin.push`.
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

struct PushTargets<'a> {
    values: FieldValues,
    current: Option<&'a str>,
    /// Whether git runs in the command's own directory, to which `current` refers.
    is_here: bool,
    /// Why git may be configured to update other branches.
    configured: Option<Unknown>,
}

impl PushTargets<'_> {
    fn read(&mut self, argv: &Argv<'_>) {
        let is_given = |name: &str| argv.options_named(name).next().is_some();
        if is_given("--all") || is_given("--mirror") || is_given("--prune") {
            self.add_unknown_branches(
                ["--mirror", "--prune"].into_iter().find(|name| is_given(name)).unwrap_or("--all"),
            );
        }
        // The first operand is the remote.
        let mut refspecs = argv.operands.iter().skip(1).peekable();
        let breaks = argv.maybe_options.iter().find(|word| word.may_split_at_blanks());
        self.values.others = self.values.others.take().or_else(|| breaks.and_then(|word| word.unknown_reason()));
        if refspecs.peek().is_none() && !is_given("--tags") && self.values.others.is_none() {
            self.head();
        }
        while let Some(refspec) = refspecs.next() {
            match refspec.known_text() {
                // `tag v1` is `refs/tags/v1`.
                Some("tag") => refspecs.next().into_iter().for_each(|name| self.tag(name)),
                _ if is_given("--delete") => self.branch(&self.resolve_branch(refspec)),
                _ => self.refspec(refspec),
            }
        }
    }

    fn refspec(&mut self, word: &Word) {
        let word = &self.resolve_branch(word);
        if word.unknown_reason().is_some() && !word.prefix().contains(':') {
            // The target may follow an unknown part: `$FROM:main`.
            return match text_after_colon(word) {
                Some(target) => self.branch(&target),
                None => self.branch(word),
            };
        }
        let bare = word.strip_prefix("+").unwrap_or_else(|| word.clone());
        match bare.prefix().split_once(':') {
            None if matches!(bare.known_text(), Some("HEAD" | "@")) => self.head(),
            None => {
                // A refspec of the remote may map it to another branch.
                self.values.others = self.values.others.take().or_else(|| self.configured.clone());
                self.branch(&bare);
            }
            Some(("", "")) if bare.known_text().is_some() => self.add_unknown_branches(":"),
            Some((from, _)) => {
                let target = bare.strip_prefix(&format!("{from}:")).unwrap_or_default();
                self.branch(&target);
            }
        }
    }

    /// Replaces the command that prints the current branch by its name.
    fn resolve_branch(&self, word: &Word) -> Word {
        let Some(current) = self.current.filter(|_| self.is_here) else { return word.clone() };
        word.with_branch(current)
    }

    /// Adds a branch by its short or full name.
    fn branch(&mut self, word: &Word) {
        let short = ["refs/heads/", "heads/"].into_iter().find_map(|start| word.strip_prefix(start));
        if let Some(tag) = ["refs/tags/", "tags/"].into_iter().find_map(|start| word.strip_prefix(start)) {
            return self.tag(&tag);
        }
        let mut branch = Word::default();
        for part in short.unwrap_or_else(|| word.clone()).parts {
            match part {
                // `refs/heads/*:refs/heads/*`: all existing ones.
                WordPart::Text(text) if text.contains('*') => {
                    for (at, piece) in text.split('*').enumerate() {
                        if at > 0 {
                            let why = Unknown::new(Cause::Branches, word.display_text());
                            branch.push(WordPart::Unknown(UnknownPart { reason: why, may_split: false }));
                        }
                        branch.push(WordPart::Text(piece.to_owned()));
                    }
                }
                part => branch.push(part),
            }
        }
        self.values.push(&branch);
    }

    /// Adds a tag: by its name, or if that is unknown, by its full prefix, which shows that it is not a branch.
    fn tag(&mut self, name: &Word) {
        if name.known_text().is_some_and(|name| !name.contains('*')) {
            return self.values.push(name);
        }
        let mut full = Word::text("refs/tags/");
        name.parts.iter().for_each(|part| full.push(part.clone()));
        self.values.push(&full);
    }

    /// Adds the current branch.
    fn head(&mut self) {
        if let Some(why) = &self.configured {
            self.values.others = Some(why.clone());
            return;
        }
        match self.current {
            Some(branch) => self.values.words.push(Word::text(branch)),
            None => self.add_unknown_branches("HEAD"),
        }
    }

    fn add_unknown_branches(&mut self, word: &str) {
        self.values.others = Some(Unknown::new(Cause::Branches, word));
    }
}

/// Returns the text after the first known `:`, if an unknown part precedes it.
fn text_after_colon(word: &Word) -> Option<Word> {
    let at = word.parts.iter().position(|part| matches!(part, WordPart::Text(text) if text.contains(':')))?;
    let Some(WordPart::Text(text)) = word.parts.get(at) else { return None };
    let mut target = Word::text(text.split_once(':')?.1);
    word.parts.iter().skip(at + 1).for_each(|part| target.push(part.clone()));
    Some(target)
}

#[cfg(test)]
mod tests;
