//! Calls that are equivalent to better-known ones: `curl -K FILE` is curl with the options in the file, and
//! `git show HEAD:a > a` is `git checkout HEAD -- a`.

use super::Frame;
use super::simple::ExpandedCommand;
use crate::analysis::RedirectKind;
use crate::argv::base_name;
use crate::nested::{self, NestedCommand, Runnable};
use crate::stream::StreamContent;
use crate::word::Word;

impl Frame<'_> {
    /// Returns the calls that a command is equivalent to; usually none.
    pub(super) fn equivalents(&mut self, made: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        match made.name().map(base_name) {
            Some("curl") => self.configured_equivalents(made),
            Some("git") => self.restored_checkout(made).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the calls of curl with the options from its configuration files, for each file whose content the text
    /// determines.
    fn configured_equivalents(&mut self, made: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        let may_name = |word: &Word| {
            let start = word.prefix();
            start.starts_with("--c") || start.starts_with('-') && start.contains('K')
        };
        if !made.values.iter().any(|value| may_name(&value.word)) {
            return Vec::new();
        }
        let words: Vec<Word> = made.values.iter().map(|value| value.word.clone()).collect();
        let mut found = Vec::new();
        for file in nested::configurations(&words) {
            if let StreamContent::Known(text) = self.read_file(made, &file).content {
                self.interpreter.spend(text.size());
                found.extend(nested::configured_command(&words, &text.word));
            }
        }
        found
    }

    /// Returns the `git checkout HEAD -- a` that `git show HEAD:a > a` is equivalent to.
    fn restored_checkout(&self, made: &ExpandedCommand<'_>) -> Option<NestedCommand> {
        let command = self.interpreter.commands.get(made.id.0).filter(|command| !command.redirects.is_empty())?;
        let argv = command.argv();
        let is_shown = argv.subcommands.first().and_then(|word| word.known_text());
        is_shown.filter(|name| matches!(*name, "show" | "cat-file"))?;
        let (commit, file) = argv.operands.iter().find_map(|word| word.known_text()?.split_once(':'))?;
        let is_it = |target: &Word| {
            target.known_text().is_some_and(|target| target.trim_start_matches("./") == file.trim_start_matches("./"))
        };
        let mut written = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Write);
        written.any(|redirect| is_it(&redirect.target)).then(|| {
            let words = ["git", "checkout", commit, "--", file].map(Word::text).to_vec();
            NestedCommand::from(Runnable::Argv(words))
        })
    }
}
