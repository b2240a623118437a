//! Encodes a verdict into the answer that Claude Code accepts for its event.
//!
//! INVARIANT: no member is ever null, `hookEventName` is the event's name, and standard output is empty or one
//! complete object (on WorktreeCreate a path, on PreCompact text). The host discards anything else, and the call
//! proceeds.
//!
//! A denial is sent in three forms at once: as JSON, as exit code 2, and as the reason on standard error. If the host
//! ignores one, the next one applies. Exit code 2 does not make the host ignore the reason, the context or the stop
//! of the agent in the JSON (observed on 2.1.330, and on 2.1.197 except that there the session goes on after any
//! denied call).

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

/// The sentence after the reason if a question about a skill's command becomes a denial.
const CANNOT_WAIT: &str = "A command in a skill cannot wait for an answer, so it does not run; the user can run it \
                           without the skill.";

/// The beginning of the reason if a rewrite of a skill's command becomes a denial.
const CANNOT_CHANGE: &str = "A command in a skill cannot be changed";

/// Encodes a verdict. On PreSkillShellCommand, questions and rewrites first become denials.
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

/// A verdict without what its event cannot carry, which became messages for the user.
struct ReducedVerdict {
    event: Event,
    /// The decision, which the event can carry.
    decision: Decision,
    /// The reason of the decision.
    reason: Excerpt,
    /// The texts for the user.
    messages: Vec<Excerpt>,
    /// The text for the agent.
    context: Excerpt,
    /// The new input of the call, which replaces the whole old one.
    updated_input: Option<Map<String, Json>>,
    /// The new output of the call. If its shape differs from the old output, the host discards it and reports that.
    updated_output: Option<Json>,
    /// The messages of `exit 2` effects, which go to standard error.
    exit_two: Vec<Excerpt>,
}

/// Returns the decision in the form that an event with these answers can carry: a halt may become a denial, and a
/// decision that the event cannot carry at all becomes a pass.
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
    /// Reduces a verdict to what its event can carry. Other texts become messages for the user.
    fn new(verdict: &Verdict) -> Self {
        let event = verdict.event;
        let can = event.spec().answers;
        let said = verdict.decision();
        let mut decision = carried(said, can);
        let mut reason = reason(verdict);
        let mut messages = Vec::new();
        if decision == Decision::Pass && said > Decision::Allow {
            // The event cannot carry the decision; at least the user reads the reason.
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
            // The host would discard the whole answer if the input were not an object, and run the call unchanged.
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

    /// Whether the announced action must not happen.
    ///
    /// A halt stops the agent but not the pending call, so the call is denied as well. On Stop, a denial would make
    /// the agent go on, so a halt there is no denial.
    fn is_denial(&self) -> bool {
        match self.decision {
            Decision::Deny => true,
            Decision::Halt => self.event.spec().answers.deny && self.event != Event::Stop,
            Decision::Pass | Decision::Allow | Decision::Ask => false,
        }
    }

    /// Returns the output for every event except WorktreeCreate.
    fn into_json_output(self, verdict: &Verdict) -> HostOutput {
        let dialog = self.event == Event::PermissionRequest;
        let mut top = Map::new();
        // A blocked prompt is erased, and nothing runs. With `continue: false` in addition, the host would keep the
        // prompt, and the model would read it in the next turn.
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

    /// Returns the members of `hookSpecificOutput`: the event's name, the given members, and the context. `None` if
    /// there is nothing but the name.
    fn with_event_name(&self, specific: Map<String, Json>) -> Option<Map<String, Json>> {
        let mut named = Map::new();
        named.insert("hookEventName".to_owned(), Json::from(self.event.name()));
        named.extend(specific);
        if !self.context.is_empty() && self.event != Event::PreCompact {
            named.insert("additionalContext".to_owned(), Json::from(self.context.as_str()));
        }
        (named.len() > 1).then_some(named)
    }

    /// Returns the members for events before a call or a change of the model.
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

    /// Returns the members for PostToolUse: the new output, if any. The call itself can no longer be denied.
    fn output(&self) -> Map<String, Json> {
        self.updated_output.iter().map(|output| ("updatedToolOutput".to_owned(), output.clone())).collect()
    }

    /// Returns the members for a question of an MCP server to the user: `decline` for a denial.
    fn elicitation(&self) -> Map<String, Json> {
        self.is_denial().then(|| ("action".to_owned(), Json::from("decline"))).into_iter().collect()
    }

    /// Returns the answer to a permission dialog, for which the host ignores the exit code and `continue`. `None`
    /// leaves the decision to the user.
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

    /// Returns the answer to the start of a subagent; `None` if there is no context for it.
    fn subagent(&self) -> Option<SubagentStartHookOutput> {
        Some(SubagentStartHookOutput::with_context(self.context.as_str()))
            .filter(|output| output.additional_context().is_some())
    }

    /// Returns the output for WorktreeCreate: the path on standard output, or exit code 2 with the reasons on
    /// standard error.
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

/// Returns a context in the form that PreCompact expects: plain text on standard output, as instructions for the
/// summary. A text that begins with `{` gets a line before it, so that the host does not parse it as an answer.
fn as_compaction_instructions(context: &str) -> String {
    if context.trim_start().starts_with('{') { format!("Note:\n{context}") } else { context.to_owned() }
}

/// Whether anyone reads the reason of a denial or the message of an `exit 2` on this event.
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
