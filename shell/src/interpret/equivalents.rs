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
    pub(super) fn equivalent_calls(&mut self, command: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        match command.name().map(base_name) {
            Some("curl") => self.configured_equivalents(command),
            Some("git") => self.restored_checkout(command).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns a call of curl for each of its configuration files with known content, with the options from that file.
    fn configured_equivalents(&mut self, command: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        let may_name = |word: &Word| {
            let start = word.prefix();
            start.starts_with("--c") || start.starts_with('-') && start.contains('K')
        };
        if !command.values.iter().any(|value| may_name(&value.word)) {
            return Vec::new();
        }
        let words: Vec<Word> = command.values.iter().map(|value| value.word.clone()).collect();
        let mut calls = Vec::new();
        for file in nested::configurations(&words) {
            if let StreamContent::Known(text) = self.read_file(command, &file).content {
                self.interpreter.spend(text.size());
                calls.extend(nested::configured_command(&words, &text.word));
            }
        }
        calls
    }

    /// Returns `git checkout HEAD -- a` for `git show HEAD:a > a`, to which it is equivalent.
    fn restored_checkout(&self, command: &ExpandedCommand<'_>) -> Option<NestedCommand> {
        let recorded = self.interpreter.commands.get(command.id.0).filter(|recorded| !recorded.redirects.is_empty())?;
        let argv = recorded.argv();
        let subcommand = argv.subcommands.first().and_then(|word| word.known_text());
        subcommand.filter(|name| matches!(*name, "show" | "cat-file"))?;
        let (commit, file) = argv.operands.iter().find_map(|word| word.known_text()?.split_once(':'))?;
        let is_same_file = |target: &Word| {
            target.known_text().is_some_and(|target| target.trim_start_matches("./") == file.trim_start_matches("./"))
        };
        let mut written = recorded.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Write);
        written.any(|redirect| is_same_file(&redirect.target)).then(|| {
            let words = ["git", "checkout", commit, "--", file].map(Word::text).to_vec();
            NestedCommand::from(Runnable::Argv(words))
        })
    }
}
