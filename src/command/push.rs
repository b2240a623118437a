//! The branches that a `git push` updates.

use super::asked::Values;
use super::{Argv, Cause, Hole, Part, Simple, Why, Word};

impl Simple {
    /// Returns the names of the branches that a `git push` updates or deletes at the remote: `push_target`.
    ///
    /// `current` is the branch that is checked out where the command runs, if there is one and it is known. It is what
    /// is pushed where no refspec says otherwise: `push.default` and the remote's own refspecs are not looked at. Tags
    /// are no branches. Other commands have no value.
    #[must_use]
    pub fn push_target(&self, current: Option<&str>) -> Values {
        let argv = self.argv();
        let subcommand = argv.dashed.or_else(|| argv.commands.first().and_then(|word| word.known()));
        let is_git = argv.tables.first().is_some_and(|table| table.names.contains(&"git"));
        if !is_git || subcommand != Some("push") || argv.explains().is_some() {
            return Values::default();
        }
        let mut targets = Targets { values: Values::default(), current };
        targets.read(&argv);
        targets.values
    }
}

struct Targets<'a> {
    values: Values,
    current: Option<&'a str>,
}

impl Targets<'_> {
    fn read(&mut self, argv: &Argv<'_>) {
        let is_given = |name: &str| argv.given(name).next().is_some();
        if is_given("--all") || is_given("--mirror") || is_given("--prune") {
            self.every(if is_given("--mirror") { "--mirror" } else { "--all" });
        }
        // The first operand is the remote.
        let mut refspecs = argv.operands.iter().skip(1).peekable();
        let breaks = argv.maybe_options.iter().find(|word| word.may_break());
        self.values.others = self.values.others.take().or_else(|| breaks.and_then(|word| word.why()));
        if refspecs.peek().is_none() && !is_given("--tags") && self.values.others.is_none() {
            self.head();
        }
        while let Some(refspec) = refspecs.next() {
            match refspec.known() {
                // `tag v1` is `refs/tags/v1`.
                Some("tag") => drop(refspecs.next()),
                _ if is_given("--delete") => self.branch(refspec),
                _ => self.refspec(refspec),
            }
        }
    }

    fn refspec(&mut self, word: &Word) {
        if word.why().is_some() && !word.prefix().contains(':') {
            // The target may stand behind what is not known: `$FROM:main`.
            return match behind_colon(word) {
                Some(target) => self.branch(&target),
                None => self.branch(word),
            };
        }
        let bare = word.after("+").unwrap_or_else(|| word.clone());
        match bare.prefix().split_once(':') {
            None if matches!(bare.known(), Some("HEAD" | "@")) => self.head(),
            None => self.branch(&bare),
            Some(("", "")) if bare.known().is_some() => self.every(":"),
            Some((from, _)) => {
                let target = bare.after(&format!("{from}:")).unwrap_or_default();
                self.branch(&target);
            }
        }
    }

    /// Adds a branch by its name or its full one.
    fn branch(&mut self, word: &Word) {
        let short = ["refs/heads/", "heads/"].into_iter().find_map(|start| word.after(start));
        if short.is_none() && ["refs/tags/", "tags/"].iter().any(|start| word.prefix().starts_with(start)) {
            return;
        }
        let mut branch = Word::default();
        for part in short.unwrap_or_else(|| word.clone()).parts {
            match part {
                // `refs/heads/*:refs/heads/*`: whichever there are.
                Part::Text(text) if text.contains('*') => {
                    for (at, piece) in text.split('*').enumerate() {
                        if at > 0 {
                            let why = Why::new(Cause::Branches, word.shown());
                            branch.push(Part::Hole(Hole { why, splits: false }));
                        }
                        branch.push(Part::Text(piece.to_owned()));
                    }
                }
                part => branch.push(part),
            }
        }
        self.values.push(&branch);
    }

    /// Adds the branch that is checked out.
    fn head(&mut self) {
        match self.current {
            Some(branch) => self.values.words.push(Word::text(branch)),
            None => self.every("HEAD"),
        }
    }

    fn every(&mut self, word: &str) {
        self.values.others = Some(Why::new(Cause::Branches, word));
    }
}

/// Returns what follows the first `:` that is known, where one follows what is not.
fn behind_colon(word: &Word) -> Option<Word> {
    let at = word.parts.iter().position(|part| matches!(part, Part::Text(text) if text.contains(':')))?;
    let Some(Part::Text(text)) = word.parts.get(at) else { return None };
    let mut target = Word::text(text.split_once(':')?.1);
    word.parts.iter().skip(at + 1).for_each(|part| target.push(part.clone()));
    Some(target)
}

#[cfg(test)]
mod tests;
