//! Maps `stop` and `worktreeCreate`.

use crate::import::conclaude::{ConclaudeCommand, StopConfig};
use crate::import::draft::{DraftRule, DraftRunOptions};
use crate::import::names;
use crate::schema::Event;
use crate::syntax::string_literal;

use super::Mapper;
use super::runs::{DefaultTimeout, OutputRecipient, SectionDefaults};

/// How many times a failing command may prevent a stop: conclaude has no limit, but the host lets the agent stop
/// after this many refusals in a row.
const HOST_LIMIT: u32 = 8;

/// The number of attempts that means no limit.
const ENDLESS: u32 = 1_000_000;

/// The message that conclaude uses without an `infiniteMessage`.
const GO_ON: &str = "continue working on the task";

impl Mapper<'_, '_> {
    /// Adds a rule for each command, and one that makes the agent go on if `infinite` or `rounds` is set. As in
    /// conclaude, the first command that fails prevents the following ones.
    pub(super) fn stop(&mut self, stop: &StopConfig) {
        let setting = SectionDefaults {
            on_fail: Some("deny"),
            attempts: Some(HOST_LIMIT),
            output: OutputRecipient::Agent,
            ..SectionDefaults::for_event(Event::Stop)
        };
        for command in &stop.commands {
            for run in self.runs(command, setting) {
                let name = format!("{}-before-stop", names::command_name(&run.text));
                let effects = vec![run.effect];
                self.add_rule(
                    &name,
                    DraftRule { source: command.run.span, on: "Stop".to_owned(), effects, ..DraftRule::default() },
                );
            }
        }
        let Some(goes_on) = &stop.continuation else { return };
        // The rule to go on runs a failing command, so that it comes after the other commands, and not at all if one
        // of them fails.
        let mut options = DraftRunOptions::default();
        options.add("on_fail", "deny");
        let message = goes_on.message.as_ref().map(|message| message.value().trim_end_matches('\n'));
        options.add(
            "message",
            string_literal(message.filter(|message| !message.trim().is_empty()).unwrap_or(GO_ON), "    "),
        );
        let rounds = goes_on.rounds.as_ref().map(|rounds| *rounds.value());
        options.add("attempts", rounds.unwrap_or(ENDLESS).to_string());
        let doc = match rounds {
            Some(1) => "Once everything passes, the agent goes on once more.".to_owned(),
            Some(rounds) => format!("Once everything passes, the agent goes on {rounds} times."),
            None => "Once everything passes, the agent goes on until the host itself lets it stop.".to_owned(),
        };
        let effects = vec![options.effect_with_options("run \"false\"")];
        self.add_rule(
            "go-on",
            DraftRule { source: goes_on.span, docs: vec![doc], on: "Stop".to_owned(), effects, ..DraftRule::default() },
        );
    }

    /// Adds the rule with the command that creates a worktree.
    pub(super) fn worktree(&mut self, command: &ConclaudeCommand) {
        let setting = SectionDefaults {
            timeout: DefaultTimeout::Own,
            variables: &[("CONCLAUDE_WORKTREE_NAME", "name")],
            ..SectionDefaults::for_event(Event::WorktreeCreate)
        };
        let effect = self.whole_script(command, setting);
        let effects = vec![effect];
        self.add_rule(
            "make-the-worktree",
            DraftRule { source: command.run.span, on: "WorktreeCreate".to_owned(), effects, ..DraftRule::default() },
        );
    }
}
