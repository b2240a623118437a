//! Converts `stop` and `worktreeCreate`.

use crate::import::conclaude::{ConclaudeCommand, StopConfig, StopContinuation};
use crate::import::draft::{DraftRule, DraftRunOptions};
use crate::import::names;
use crate::schema::Event;
use crate::syntax::string_literal;

use super::Mapper;
use super::runs::{DefaultTimeout, OutputRecipient, SectionDefaults};

/// How many times a failing command may prevent a stop. conclaude has no limit, but the host lets the agent stop after
/// this many refusals in a row.
const HOST_LIMIT: u32 = 8;

/// A number of attempts that is never reached, so it means no limit.
const ENDLESS: u32 = 1_000_000;

/// conclaude's default for `infiniteMessage`.
const DEFAULT_MESSAGE: &str = "continue working on the task";

impl Mapper<'_, '_> {
    /// Adds a rule for each command, and the `go-on` rule if `infinite` or `rounds` is set. As in conclaude, the first
    /// command that fails prevents the following ones.
    pub(super) fn stop(&mut self, stop: &StopConfig) {
        let defaults = SectionDefaults {
            on_fail: Some("deny"),
            attempts: Some(HOST_LIMIT),
            output: OutputRecipient::Agent,
            ..SectionDefaults::for_event(Event::Stop)
        };
        for command in &stop.commands {
            for run in self.runs(command, defaults) {
                let name = format!("{}-before-stop", names::command_name(&run.text));
                let effects = vec![run.effect];
                self.add_rule(
                    &name,
                    DraftRule { source: command.run.span, on: "Stop".to_owned(), effects, ..DraftRule::default() },
                );
            }
        }
        if let Some(continuation) = &stop.continuation {
            self.add_go_on_rule(continuation);
        }
    }

    /// Adds the `go-on` rule, which keeps the agent going. It runs a command that always fails, so that it comes after
    /// the other commands, and not at all if one of them fails. `attempts` limits how often it denies a stop.
    fn add_go_on_rule(&mut self, continuation: &StopContinuation) {
        let mut options = DraftRunOptions::default();
        options.add("on_fail", "deny");
        let message = continuation.message.as_ref().map(|message| message.value().trim_end_matches('\n'));
        options.add(
            "message",
            string_literal(message.filter(|message| !message.trim().is_empty()).unwrap_or(DEFAULT_MESSAGE), "    "),
        );
        let rounds = continuation.rounds.as_ref().map(|rounds| *rounds.value());
        options.add("attempts", rounds.unwrap_or(ENDLESS).to_string());
        let doc = match rounds {
            Some(1) => "Once everything passes, the agent goes on once more.".to_owned(),
            Some(rounds) => format!("Once everything passes, the agent goes on {rounds} times."),
            None => "Once everything passes, the agent goes on until the host itself lets it stop.".to_owned(),
        };
        let effects = vec![options.effect_with_options("run \"false\"")];
        self.add_rule(
            "go-on",
            DraftRule {
                source: continuation.span,
                docs: vec![doc],
                on: "Stop".to_owned(),
                effects,
                ..DraftRule::default()
            },
        );
    }

    /// Adds the rule with the command that creates a worktree.
    pub(super) fn worktree(&mut self, command: &ConclaudeCommand) {
        let defaults = SectionDefaults {
            timeout: DefaultTimeout::Own,
            variables: &[("CONCLAUDE_WORKTREE_NAME", "name")],
            ..SectionDefaults::for_event(Event::WorktreeCreate)
        };
        let effect = self.whole_script(command, defaults);
        let effects = vec![effect];
        self.add_rule(
            "make-the-worktree",
            DraftRule { source: command.run.span, on: "WorktreeCreate".to_owned(), effects, ..DraftRule::default() },
        );
    }
}
