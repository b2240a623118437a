//! The commands that git runs because of earlier commands of the text: of settings that `git config` made, and of hooks
//! that the text wrote.

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
    /// The subcommands of git that run it.
    subcommands: &'static [&'static str],
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

const fn hook(name: &'static str, subcommands: &'static [&'static str]) -> Hook {
    Hook { name, subcommands, is_check: false }
}

const fn check(name: &'static str, subcommands: &'static [&'static str]) -> Hook {
    Hook { name, subcommands, is_check: true }
}

impl Frame<'_> {
    /// Returns the commands that a call of git runs because of settings and hooks that the text made before it.
    pub(super) fn git_setup(&mut self, command: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        if command.name().map(base_name) != Some("git") {
            return Vec::new();
        }
        let settings = self.earlier_settings(command);
        if settings.is_empty() && self.interpreter.written.is_empty() {
            return Vec::new();
        }
        let words: Vec<Word> = command.values.iter().map(|value| value.word.clone()).collect();
        let mut commands = match settings.as_slice() {
            [] => Vec::new(),
            settings => nested::with_git_settings(&words, settings),
        };
        if !self.interpreter.written.is_empty() {
            commands.extend(self.written_hooks(&words, &settings));
        }
        commands
    }

    /// Returns the settings that earlier calls of `git config` made, with their names in lower case.
    fn earlier_settings(&mut self, command: &ExpandedCommand<'_>) -> Vec<(String, Word)> {
        if !self.interpreter.spend(command.id.0) {
            return Vec::new();
        }
        let earlier = self.interpreter.commands.iter().take(command.id.0);
        let may_set = |command: &&SimpleCommand| {
            command.scope == self.context.scope && command.words.iter().any(|word| word.has_known_text("config"))
        };
        let settings = earlier.filter(may_set).filter_map(|command| {
            // `SimpleCommand::argv` would cache the parsed arguments, but a command that is still being expanded does
            // not have all of them.
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
        let Some(subcommand) = argv.subcommand() else { return Vec::new() };
        let skips_checks = argv.options_named("--no-verify").next().is_some();
        let configured = settings.iter().rev().find(|(name, _)| name == "core.hookspath");
        let directory = configured.map_or(Some(".git/hooks"), |(_, directory)| directory.known_text());
        let Some(directory) = directory.map(str::to_owned) else { return Vec::new() };
        let hooks_to_run =
            HOOKS.iter().filter(|hook| hook.subcommands.contains(&subcommand) && !(skips_checks && hook.is_check));
        let files = hooks_to_run.map(|hook| Word::text(format!("{directory}/{}", hook.name)));
        let written: Vec<Word> = files.filter(|file| self.written_file(file).is_some()).collect();
        written.into_iter().map(|file| NestedCommand::from(Runnable::File(file))).collect()
    }
}
