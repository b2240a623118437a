//! Encodes a verdict into exactly what Claude Code accepts for its event.
//!
//! INVARIANT: no key is ever null, `hookEventName` is the event's, standard output is empty or one complete object (on
//! WorktreeCreate a path). The host discards anything else and goes ahead.
//!
//! A denial is JSON, exit 2 and the reason on standard error together, so that each is a fallback for the others. Exit
//! 2 does not hide the JSON's reason, its context or its `continue: false` (seen on 2.1.330; on 2.1.197 too, but there
//! the session goes on after a denied call in any case).

use serde_json::{Map, Value as Json};

use crate::excerpt::Excerpt;
use crate::host::HostOutput;
use crate::host::only_denied::{ask_to_denial, rewrite_to_denial};
use crate::host::texts::{lines, paragraphs, reason};
use crate::schema::{Capabilities, Event};
use crate::verdict::{Decision, Verdict};

use super::is_system_message_shown;
use super::permission_request::{Interrupt, PermissionRequestHookOutput};
use super::subagent_start::SubagentStartHookOutput;

/// The note on an ask before a skill's command, which becomes a denial: the skill cannot wait for an answer.
const CANNOT_WAIT: &str = "A command in a skill cannot wait for an answer, so it does not run; the user can run it \
                           without the skill.";

/// The note on a rewrite of a skill's command.
const CANNOT_CHANGE: &str = "A command in a skill cannot be changed";

/// Encodes a verdict.
pub(in crate::host) fn encode(verdict: &Verdict) -> HostOutput {
    let of_skill = verdict.event == Event::PreSkillShellCommand;
    let only_denied = of_skill.then(|| ask_to_denial(&rewrite_to_denial(verdict, CANNOT_CHANGE), CANNOT_WAIT));
    let verdict = only_denied.as_ref().unwrap_or(verdict);
    let answer = ReducedVerdict::new(verdict);
    if verdict.event == Event::WorktreeCreate {
        answer.into_worktree_output(verdict)
    } else {
        answer.into_json_output(verdict)
    }
}

/// A verdict, reduced to what its event can carry.
struct ReducedVerdict {
    event: Event,
    decision: Decision,
    /// The reason of a decision that the event accepts.
    reason: Excerpt,
    /// For the user.
    messages: Vec<Excerpt>,
    /// For the agent.
    context: Excerpt,
    /// The whole new input.
    updated_input: Option<Map<String, Json>>,
    /// The whole new output. The host discards one of another shape than the old one, and reports that.
    updated_output: Option<Json>,
    /// The texts of `exit 2` effects.
    exit_two: Vec<Excerpt>,
}

/// Returns the decision that an event with these answers carries.
fn carried(decision: Decision, can: Capabilities) -> Decision {
    match decision {
        Decision::Halt if can.halt => Decision::Halt,
        Decision::Halt | Decision::Deny if can.deny => Decision::Deny,
        Decision::Ask if can.ask => Decision::Ask,
        Decision::Allow if can.allow => Decision::Allow,
        _ => Decision::Pass,
    }
}

impl ReducedVerdict {
    fn new(verdict: &Verdict) -> Self {
        let event = verdict.event;
        let can = event.spec().answers;
        let said = verdict.decision();
        let mut decision = carried(said, can);
        let mut reason = reason(verdict);
        let mut messages = Vec::new();
        if decision == Decision::Pass && said > Decision::Allow {
            // The event cannot do it; at least the user learns of it.
            messages.push(std::mem::take(&mut reason));
        }
        let mut updated_input = None;
        let updated_output = verdict.updated_output.clone().filter(|_| event == Event::PostToolUse);
        match (&verdict.updated_input, decision) {
            (None, _) | (_, Decision::Deny | Decision::Halt) => {}
            (Some(_), Decision::Pass | Decision::Ask) if event == Event::PermissionRequest => {
                messages.push("the rewrite was not applied: on PermissionRequest it needs an allow".into());
            }
            (Some(_), _) if event == Event::PostToolUse => messages.push("the rewrite was not applied".into()),
            (Some(Json::Object(input)), _) if can.rewrite => updated_input = Some(input.clone()),
            // An input that is not an object would invalidate the whole answer, and the call would run unchanged.
            (Some(_), _) if can.rewrite => {
                decision = Decision::Ask;
                reason = "the rewritten input is not an object, so it was not applied".into();
            }
            (Some(_), _) => messages.push("the rewrite was not applied".into()),
        }
        messages.extend(verdict.warnings.iter().map(|note| note.text.clone()));
        let mut context = paragraphs(verdict.contexts.iter().map(|note| &note.text));
        if !can.context && !context.is_empty() {
            messages.push(std::mem::take(&mut context));
        }
        let mut exit_two = Vec::new();
        for exit in &verdict.exits {
            if exit.code == 2 && event != Event::PermissionRequest {
                exit_two.push(exit.message.as_str().into());
            } else {
                messages.push(exit.message.as_str().into());
            }
        }
        if !is_read(event) {
            messages.extend(exit_two.iter().cloned());
        }
        if matches!(decision, Decision::Deny | Decision::Halt) && !is_read(event) {
            messages.insert(0, reason.clone());
        }
        Self { event, decision, reason, messages, context, updated_input, updated_output, exit_two }
    }

    /// Whether the announced action is denied.
    ///
    /// Stopping the agent does not stop the pending call, so the call is denied as well. On Stop a denial would make
    /// the agent go on.
    fn is_denial(&self) -> bool {
        match self.decision {
            Decision::Deny => true,
            Decision::Halt => self.event.spec().answers.deny && self.event != Event::Stop,
            Decision::Pass | Decision::Allow | Decision::Ask => false,
        }
    }

    /// The answer to every event except WorktreeCreate.
    fn into_json_output(self, verdict: &Verdict) -> HostOutput {
        let dialog = self.event == Event::PermissionRequest;
        let mut top = Map::new();
        // A blocked prompt is erased, and nothing runs. If `continue: false` is added, the host keeps it, and the model
        // reads it in the next turn.
        let erases = self.event == Event::UserPromptSubmit;
        if self.decision == Decision::Halt && !dialog && !erases {
            top.insert("continue".to_owned(), Json::Bool(false));
            top.insert("stopReason".to_owned(), Json::from(self.reason.as_str()));
        }
        let specific = match self.event {
            Event::PermissionRequest => self.dialog(Interrupt::from(verdict.is_interrupting())).map(Map::from),
            Event::SubagentStart => self.subagent().map(Map::from),
            Event::PreToolUse | Event::PreSkillShellCommand | Event::PreModelSwitch => {
                self.with_event_name(self.permission())
            }
            Event::Elicitation | Event::ElicitationResult => self.with_event_name(self.elicitation()),
            Event::PostToolUse => self.with_event_name(self.output()),
            _ => {
                if self.is_denial() {
                    top.insert("decision".to_owned(), Json::from("block"));
                    top.insert("reason".to_owned(), Json::from(self.reason.as_str()));
                }
                self.with_event_name(Map::new())
            }
        };
        let mut held = lines(&self.messages);
        if is_system_message_shown(self.event)
            && let Some(message) = held.take()
        {
            top.insert("systemMessage".to_owned(), Json::from(message));
        }
        if let Some(specific) = specific {
            top.insert("hookSpecificOutput".to_owned(), Json::Object(specific));
        }
        let is_left = !self.is_denial() && self.exit_two.is_empty();
        let stdout = if self.event == Event::PreCompact && is_left {
            as_compaction_instructions(&self.context)
        } else if top.is_empty() {
            String::new()
        } else {
            Json::Object(top).to_string()
        };
        let denial = (self.is_denial() && !dialog).then_some(&self.reason);
        let exit = if denial.is_some() || !self.exit_two.is_empty() { 2 } else { 0 };
        let stderr = lines(denial.into_iter().chain(&self.exit_two));
        HostOutput { stdout, stderr: stderr.unwrap_or_default(), exit, deferred: held }
    }

    /// Adds the event's name before the members of its own, and the context after them.
    fn with_event_name(&self, specific: Map<String, Json>) -> Option<Map<String, Json>> {
        let mut named = Map::new();
        named.insert("hookEventName".to_owned(), Json::from(self.event.name()));
        named.extend(specific);
        if !self.context.is_empty() && self.event != Event::PreCompact {
            named.insert("additionalContext".to_owned(), Json::from(self.context.as_str()));
        }
        (named.len() > 1).then_some(named)
    }

    /// The answer to a call or a change of the model.
    fn permission(&self) -> Map<String, Json> {
        let mut answer = Map::new();
        let word = match self.decision {
            Decision::Pass => None,
            Decision::Allow => Some("allow"),
            Decision::Ask => Some("ask"),
            Decision::Deny | Decision::Halt => Some("deny"),
        };
        if let Some(word) = word {
            answer.insert("permissionDecision".to_owned(), Json::from(word));
            if !self.reason.is_empty() {
                answer.insert("permissionDecisionReason".to_owned(), Json::from(self.reason.as_str()));
            }
        }
        if let Some(input) = &self.updated_input {
            // With `ask` the host shows the user the new input.
            answer.insert("updatedInput".to_owned(), Json::Object(input.clone()));
        }
        answer
    }

    /// The answer after a call, which cannot be denied any more.
    fn output(&self) -> Map<String, Json> {
        self.updated_output.iter().map(|output| ("updatedToolOutput".to_owned(), output.clone())).collect()
    }

    /// The answer to an MCP server's question.
    fn elicitation(&self) -> Map<String, Json> {
        self.is_denial().then(|| ("action".to_owned(), Json::from("decline"))).into_iter().collect()
    }

    /// The answer to a permission dialog, which ignores the exit code and `continue`.
    fn dialog(&self, interrupt: Interrupt) -> Option<PermissionRequestHookOutput> {
        if self.is_denial() {
            return Some(PermissionRequestHookOutput::deny(self.reason.as_str(), interrupt));
        }
        (self.decision == Decision::Allow).then(|| {
            self.updated_input
                .clone()
                .map_or_else(PermissionRequestHookOutput::allow, PermissionRequestHookOutput::allow_with)
        })
    }

    /// The answer to the start of a subagent; `None` without a context.
    fn subagent(&self) -> Option<SubagentStartHookOutput> {
        Some(SubagentStartHookOutput::with_context(self.context.as_str()))
            .filter(|output| output.additional_context().is_some())
    }

    /// The answer to WorktreeCreate: the path as a line, or a failure with its reason.
    fn into_worktree_output(self, verdict: &Verdict) -> HostOutput {
        let denied = self.decision == Decision::Deny;
        let path = verdict.worktree_path.as_deref().filter(|path| !path.trim().is_empty() && !denied);
        let said: Vec<Excerpt> = denied.then_some(self.reason.clone()).into_iter().chain(self.exit_two).collect();
        let failed = !said.is_empty() || (path.is_none() && !self.messages.is_empty());
        let texts: Vec<Excerpt> = said.into_iter().chain(self.messages).collect();
        let stderr = lines(&texts).unwrap_or_default();
        match path {
            Some(path) if !failed => HostOutput { stdout: format!("{path}\n"), stderr, ..HostOutput::default() },
            _ => HostOutput { stderr, exit: if failed { 2 } else { 0 }, ..HostOutput::default() },
        }
    }
}

/// Returns a context as PreCompact takes it, as instructions for the summary: raw standard output. Text that looks like
/// an object would also be parsed as an answer.
fn as_compaction_instructions(context: &str) -> String {
    if context.trim_start().starts_with('{') { format!("Note:\n{context}") } else { context.to_owned() }
}

/// Whether the reason of a denial, or the message of an `exit 2`, has a reader.
fn is_read(event: Event) -> bool {
    !matches!(
        event,
        Event::Elicitation
            | Event::ElicitationResult
            | Event::ConfigChange
            | Event::WorktreeRemove
            | Event::PermissionDenied
            | Event::Notification
            | Event::StopFailure
            | Event::InstructionsLoaded
            | Event::DirectoryAdded
            | Event::PostModelSwitch
            | Event::MessageDisplay
    )
}
