//! What git runs because of what the text did before: settings that `git config` made, and hooks that the text wrote.

use super::Frame;
use super::simple::ExpandedCommand;
use crate::analysis::SimpleCommand;
use crate::argv::{base_name, parse_argv};
use crate::git_settings::{GitSettings, git_settings};
use crate::nested::{self, NestedCommand, Runnable};
use crate::word::Word;

/// A hook, as githooks(5) has it.
struct Hook {
    name: &'static str,
    /// The subcommands that run it.
    of: &'static [&'static str],
    /// Whether `--no-verify` skips it.
    is_check: bool,
}

const HOOKS: &[Hook] = &[
    check("pre-commit", &["commit"]),
    check("commit-msg", &["commit", "merge", "pull"]),
    hook("prepare-commit-msg", &["commit", "merge", "pull", "cherry-pick", "revert"]),
    hook("post-commit", &["commit", "cherry-pick", "revert"]),
    check("pre-merge-commit", &["merge", "pull"]),
    hook("post-merge", &["merge", "pull"]),
    hook("post-checkout", &["checkout", "switch"]),
    check("pre-rebase", &["rebase"]),
    hook("post-rewrite", &["rebase"]),
    check("pre-push", &["push"]),
    check("applypatch-msg", &["am"]),
    check("pre-applypatch", &["am"]),
    hook("post-applypatch", &["am"]),
    hook("pre-auto-gc", &["gc"]),
];

const fn hook(name: &'static str, of: &'static [&'static str]) -> Hook {
    Hook { name, of, is_check: false }
}

const fn check(name: &'static str, of: &'static [&'static str]) -> Hook {
    Hook { name, of, is_check: true }
}

impl Frame<'_> {
    /// Returns what a call of git runs because of the settings and hooks that the text made before it.
    pub(super) fn git_setup(&mut self, made: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        if made.name().map(base_name) != Some("git") {
            return Vec::new();
        }
        let settings = self.earlier_settings(made);
        if settings.is_empty() && self.interpreter.written.is_empty() {
            return Vec::new();
        }
        let words: Vec<Word> = made.values.iter().map(|value| value.word.clone()).collect();
        let mut found = match settings.as_slice() {
            [] => Vec::new(),
            settings => nested::with_git_settings(&words, settings),
        };
        if !self.interpreter.written.is_empty() {
            found.extend(self.written_hooks(&words, &settings));
        }
        found
    }

    /// Returns the settings that earlier calls of `git config` made, with their names in lower case.
    fn earlier_settings(&mut self, made: &ExpandedCommand<'_>) -> Vec<(String, Word)> {
        if !self.interpreter.spend(made.id.0) {
            return Vec::new();
        }
        let earlier = self.interpreter.commands.iter().take(made.id.0);
        let may_set = |command: &&SimpleCommand| {
            command.scope == self.context.scope && command.words.iter().any(|word| word.has_known_text("config"))
        };
        let settings = earlier.filter(may_set).filter_map(|command| {
            // A command keeps its arguments once they are parsed, and one that is being expanded has not all of them.
            match git_settings(&parse_argv(&command.words))? {
                GitSettings::Sets { key, value: Some(value) } => {
                    Some((key.known_text()?.to_ascii_lowercase(), value.clone()))
                }
                _ => None,
            }
        });
        settings.collect()
    }

    /// Returns the hooks that the text wrote and that a call of git runs.
    fn written_hooks(&mut self, words: &[Word], settings: &[(String, Word)]) -> Vec<NestedCommand> {
        let argv = parse_argv(words);
        let Some(command) = argv.subcommand() else { return Vec::new() };
        let skips = argv.options_named("--no-verify").next().is_some();
        let configured = settings.iter().rev().find(|(name, _)| name == "core.hookspath");
        let directory = configured.map_or(Some(".git/hooks"), |(_, directory)| directory.known_text());
        let Some(directory) = directory.map(str::to_owned) else { return Vec::new() };
        let run = HOOKS.iter().filter(|hook| hook.of.contains(&command) && !(skips && hook.is_check));
        let files = run.map(|hook| Word::text(format!("{directory}/{}", hook.name)));
        let written: Vec<Word> = files.filter(|file| self.written_file(file).is_some()).collect();
        written.into_iter().map(|file| NestedCommand::from(Runnable::File(file))).collect()
    }
}
