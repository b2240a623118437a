//! Encodes a verdict into the answer that a host accepts, by the forms of its record.
//!
//! INVARIANT: no member is ever null, and standard output is empty or one complete object (where the record says so, a
//! text or a path). A host discards anything else, and the call proceeds.

use hookrules_shell::quote;
use serde_json::{Map, Value as Json};

use super::fate::Audience;
use super::only_denied::{ask_to_denial, rewrite_to_denial};
use super::record::{AnswerForm, AnswerSlot, AnswerValue, HostEvent, HostRecord};
use super::texts::{lines, paragraphs, reason};
use super::translation;
use super::{HostOutput, SentAnswer, UnsentText};
use crate::excerpt::Excerpt;
use crate::schema::{Capabilities, Event};
use crate::types::PayloadOrigin;
use crate::verdict::{Decision, PlainExit, Verdict, Vote};

/// The sentence after the reason if a question becomes a denial, unless the record has another.
const CANNOT_ASK: &str = "Nobody can be asked here, so it is denied.";

/// The reason of a denial whose messages are blank: hosts ignore a denial without a reason.
const NO_REASON: &str = "The policy denies it.";

/// Encodes a verdict for the host that sent the payload, and returns what the output amounts to. `row` has the answers
/// that the host obeys on the event.
pub(super) fn encode(
    record: &HostRecord,
    row: &HostEvent,
    origin: &PayloadOrigin,
    verdict: &Verdict,
) -> (HostOutput, SentAnswer) {
    let only_denied = what_cannot_be_carried(record, row, origin, verdict);
    let verdict = only_denied.as_ref().unwrap_or(verdict);
    let mut answer = ReducedVerdict::new(row, origin, verdict);
    // A denial in the form of another command is one nevertheless.
    let sent = answer.sent();
    if let Some(member) = origin.refusal_member {
        answer.deny_by_command(member);
    }
    (if row.is_path_read { answer.into_worktree_output(verdict) } else { answer.into_output(verdict) }, sent)
}

/// Returns the verdict with a denial in place of a question or a rewrite that the host cannot carry out; `None` if there
/// is no such question or rewrite.
fn what_cannot_be_carried(
    record: &HostRecord,
    row: &HostEvent,
    origin: &PayloadOrigin,
    verdict: &Verdict,
) -> Option<Verdict> {
    let possible = verdict.event.spec().answers;
    let input = verdict.updated_input.as_ref().filter(|_| row.deny.is_some() && possible.rewrite);
    let cannot_rewrite = input.is_some_and(|input| {
        row.rewrite.is_none() || input.is_object() && translation::to_host(origin, input).is_none()
    });
    let cannot_ask = row.deny.is_some() && row.ask.is_none() && possible.ask && verdict.decision() == Decision::Ask;
    if !cannot_rewrite && !cannot_ask {
        return None;
    }
    let title = record.title;
    let beginning =
        row.cannot_rewrite.map_or_else(|| format!("The input of a call cannot be changed in {title}"), str::to_owned);
    let mut verdict = if cannot_rewrite { rewrite_to_denial(verdict, &beginning) } else { verdict.clone() };
    if cannot_ask {
        verdict = ask_to_denial(&verdict, row.cannot_ask.unwrap_or(CANNOT_ASK));
    }
    Some(verdict)
}

/// A verdict without what its event cannot carry, which became messages for the user.
struct ReducedVerdict<'r> {
    row: &'r HostEvent,
    /// The event's name, as the host has it.
    event_name: String,
    /// The decision, which the event can carry.
    decision: Decision,
    /// The reason of the decision.
    reason: Excerpt,
    /// The texts for the user.
    messages: Vec<Excerpt>,
    /// The text for the agent.
    context: Excerpt,
    /// The new input of the call, in the host's terms.
    updated_input: Option<Map<String, Json>>,
    /// The new output of the call.
    updated_output: Option<Json>,
    /// The messages of `exit 2` effects.
    exit_two: Vec<Excerpt>,
}

/// Returns the decision in the form that an event with these answers can carry: a halt may become a denial, and a
/// decision that the event cannot carry at all becomes a pass.
fn carried(event: Event, decision: Decision, can: Capabilities) -> Decision {
    match decision {
        Decision::Halt if can.halt => Decision::Halt,
        // A denial would make the agent go on.
        Decision::Halt if event == Event::Stop => Decision::Pass,
        Decision::Halt | Decision::Deny if can.deny => Decision::Deny,
        Decision::Ask if can.ask => Decision::Ask,
        Decision::Allow if can.allow => Decision::Allow,
        _ => Decision::Pass,
    }
}

impl<'r> ReducedVerdict<'r> {
    /// Reduces a verdict to what its event can carry. Other texts become messages for the user.
    fn new(row: &'r HostEvent, origin: &PayloadOrigin, verdict: &Verdict) -> Self {
        let event = verdict.event;
        let can = row.capabilities();
        let said = verdict.decision();
        let mut decision = carried(event, said, can);
        let mut reason = reason(verdict);
        let mut messages = Vec::new();
        if decision == Decision::Pass && said > Decision::Allow {
            // The event cannot carry the decision; at least the user reads the reason.
            messages.push(std::mem::take(&mut reason));
        }
        let mut updated_input = None;
        match (&verdict.updated_input, decision) {
            (None, _) | (_, Decision::Deny | Decision::Halt) => {}
            (Some(_), decision) if row.rewrite_needs_allow && decision != Decision::Allow => {
                messages.push(format!("the rewrite was not applied: on {} it needs an allow", event.name()).into());
            }
            (Some(input @ Json::Object(_)), _) if row.rewrite.is_some() => {
                updated_input = translation::to_host(origin, input);
            }
            // The host would discard the whole answer if the input were not an object, and run the call unchanged.
            (Some(_), _) if row.rewrite.is_some() => {
                decision = if can.ask { Decision::Ask } else { carried(event, Decision::Deny, can) };
                reason = "the rewritten input is not an object, so it was not applied".into();
            }
            (Some(_), _) => messages.push("the rewrite was not applied".into()),
        }
        let updated_output = verdict.updated_output.clone().filter(|_| row.output.is_some());
        if verdict.updated_output.is_some() && updated_output.is_none() {
            messages.push("the output was not rewritten, and the agent reads the original".into());
        }
        messages.extend(verdict.warnings.iter().map(|note| note.text.clone()));
        let mut context = paragraphs(verdict.contexts.iter().map(|note| &note.text));
        if !can.context {
            // It is written for the agent. Where the schema has no context, the user gets it instead.
            let context = std::mem::take(&mut context);
            messages.extend((!context.is_empty() && !event.spec().answers.context).then_some(context));
        }
        let (exit_two, others) = exit_texts(row, verdict);
        messages.extend(others);
        if row.is_reason_unread {
            messages.extend(exit_two.iter().cloned());
        }
        if matches!(decision, Decision::Deny | Decision::Halt) {
            if reason.trim().is_empty() {
                reason = NO_REASON.into();
            }
            if row.is_reason_unread {
                messages.insert(0, reason.clone());
            }
        }
        let event_name = origin.event.clone().unwrap_or_else(|| event.name().to_owned());
        Self { row, event_name, decision, reason, messages, context, updated_input, updated_output, exit_two }
    }

    /// Returns what the host is to do.
    fn sent(&self) -> SentAnswer {
        SentAnswer {
            decision: self.decision,
            is_rewritten: self.updated_input.is_some() || self.updated_output.is_some(),
            has_context: !self.context.is_empty(),
        }
    }

    /// Replaces a denial with another input of the call: a command that prints the reason and fails. The reason is also
    /// added to the context, which the agent reads with its next request.
    fn deny_by_command(&mut self, member: &str) {
        if self.decision != Decision::Deny || self.row.rewrite.is_none() {
            return;
        }
        let command = format!("printf '%s\\n' {} >&2; exit 1", quote(self.reason.as_str()));
        self.decision = Decision::Pass;
        self.updated_input = Some(Map::from_iter([(member.to_owned(), Json::from(vec![command]))]));
        self.context = paragraphs([&self.reason, &self.context].into_iter().filter(|text| !text.is_empty()));
    }

    /// Returns the form of the decision; `None` if nothing is decided.
    fn decided(&self) -> Option<&'r AnswerForm> {
        match self.decision {
            Decision::Pass => None,
            Decision::Allow => self.row.allow.as_ref(),
            Decision::Ask => self.row.ask.as_ref(),
            Decision::Deny => self.row.deny.as_ref(),
            Decision::Halt => self.row.halt.as_ref(),
        }
    }

    /// Returns the output for every event except WorktreeCreate.
    fn into_output(mut self, verdict: &Verdict) -> HostOutput {
        let row = self.row;
        let denies = matches!(self.decision, Decision::Deny | Decision::Halt);
        let mut held = lines(&self.messages);
        let message = held.take_if(|_| row.warn.is_some()).unwrap_or_default();
        let decided = self.decided();
        let has = |is: bool, form: &'r Option<AnswerForm>| form.as_ref().filter(|_| is);
        let forms = [
            decided,
            has(denies && verdict.is_interrupting(), &row.interrupt),
            has(self.updated_input.is_some(), &row.rewrite),
            has(self.updated_output.is_some(), &row.output),
            has(!message.is_empty(), &row.warn),
            has(!self.context.is_empty(), &row.context),
        ];
        let mut answer = Map::new();
        for form in forms.into_iter().flatten() {
            self.add_members(form.json, &message, &mut answer);
        }
        let exit_two = row.exit_2.as_ref().filter(|_| !self.exit_two.is_empty());
        let exit = decided.into_iter().chain(exit_two).map(|form| form.exit).max().unwrap_or_default();
        let reason = decided.filter(|form| form.stderr == Some(AnswerSlot::Reason)).map(|_| &self.reason);
        let stderr = lines(reason.into_iter().chain(&self.exit_two)).unwrap_or_default();
        let is_text = row.context.is_some_and(|form| form.stdout.is_some());
        let stdout = if !answer.is_empty() {
            Json::Object(texts_before_objects(answer)).to_string()
        } else if is_text && exit == 0 {
            as_text(&self.context)
        } else {
            String::new()
        };
        HostOutput { stdout, stderr, exit, deferred: held }
    }

    /// Adds the members of a form to an answer. Objects under the same name become one.
    fn add_members(&mut self, members: &[(&'static str, AnswerValue)], message: &str, answer: &mut Map<String, Json>) {
        for (name, value) in members {
            let value = match value {
                AnswerValue::Text(text) => Json::from(*text),
                AnswerValue::Flag(flag) => Json::Bool(*flag),
                AnswerValue::Members(members) => {
                    let inner = answer.entry(*name).or_insert_with(|| Json::Object(Map::new()));
                    if let Json::Object(inner) = inner {
                        self.add_members(members, message, inner);
                    }
                    continue;
                }
                AnswerValue::Slot(slot) => match self.fill(*slot, message) {
                    Some(value) => value,
                    None => continue,
                },
            };
            answer.insert((*name).to_owned(), value);
        }
    }

    /// Returns what the verdict has in a place of an answer; `None` if it has nothing there.
    fn fill(&mut self, slot: AnswerSlot, message: &str) -> Option<Json> {
        let text = match slot {
            AnswerSlot::Input => return self.updated_input.take().map(Json::Object),
            AnswerSlot::Output => return self.updated_output.take(),
            AnswerSlot::Reason => self.reason.as_str(),
            AnswerSlot::Context => self.context.as_str(),
            AnswerSlot::Event => &self.event_name,
            AnswerSlot::Message => message,
        };
        (!text.is_empty()).then(|| Json::from(text))
    }

    /// Returns the output for WorktreeCreate: the path on standard output, or exit code 2 with the reasons on
    /// standard error.
    fn into_worktree_output(self, verdict: &Verdict) -> HostOutput {
        let denied = self.decision == Decision::Deny;
        let path = verdict.worktree_path.as_deref().filter(|path| !path.trim().is_empty() && !denied);
        let said: Vec<Excerpt> = denied.then_some(self.reason).into_iter().chain(self.exit_two).collect();
        let failed = !said.is_empty() || (path.is_none() && !self.messages.is_empty());
        let texts: Vec<Excerpt> = said.into_iter().chain(self.messages).collect();
        let stderr = lines(&texts).unwrap_or_default();
        match path {
            Some(path) if !failed => HostOutput { stdout: format!("{path}\n"), stderr, ..HostOutput::default() },
            _ => HostOutput { stderr, exit: if failed { 2 } else { 0 }, ..HostOutput::default() },
        }
    }
}

/// Returns the texts of `exit 2` effects that the host reads as such, and those of all others.
fn exit_texts(row: &HostEvent, verdict: &Verdict) -> (Vec<Excerpt>, Vec<Excerpt>) {
    let is_exit_two = |exit: &&PlainExit| exit.code == 2 && row.exit_2.is_some();
    let (exit_two, others): (Vec<&PlainExit>, Vec<&PlainExit>) = verdict.exits.iter().partition(is_exit_two);
    let texts = |exits: Vec<&PlainExit>| exits.into_iter().map(|exit| exit.message.as_str().into()).collect();
    (texts(exit_two), texts(others))
}

/// Returns the contexts that the host cannot give to its agent on an event that can have them.
pub(super) fn unsent_contexts(row: &HostEvent, verdict: &Verdict) -> Vec<UnsentText> {
    let is_unsent = row.context.is_none() && verdict.event.spec().answers.context;
    let contexts = verdict.contexts.iter().filter(|_| is_unsent);
    contexts.map(|note| UnsentText { reader: Audience::Agent, text: note.text.as_str().to_owned() }).collect()
}

/// Returns the answer to an event of which nothing can be read: the host's own form that lets nothing happen.
pub(super) fn refusal(record: &HostRecord, reason: &str) -> HostOutput {
    let row = HostEvent { deny: Some(record.closed), ..HostEvent::EMPTY };
    let mut verdict = Verdict::pass(Event::PreToolUse);
    verdict.votes.push(Vote::from_program(Decision::Deny, reason.trim()));
    encode(record, &row, &PayloadOrigin::default(), &verdict).0
}

/// Returns an object with its texts before its objects, which are the longer ones.
fn texts_before_objects(answer: Map<String, Json>) -> Map<String, Json> {
    let (objects, texts): (Vec<_>, Vec<_>) = answer.into_iter().partition(|(_, value)| value.is_object());
    texts.into_iter().chain(objects).collect()
}

/// Returns a context as plain text. One that begins with `{` gets a line before it, so that the host does not parse it
/// as an answer.
fn as_text(context: &str) -> String {
    if context.trim_start().starts_with('{') { format!("Note:\n{context}") } else { context.to_owned() }
}
