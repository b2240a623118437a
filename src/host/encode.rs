//! Encodes a verdict into the answer that a host accepts, in the forms that its record states.
//!
//! INVARIANT: no member is ever null, and standard output is empty or one complete object, except where the record says
//! that it is a text or a path. A host discards anything else, and the call proceeds.

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

/// The sentence that follows the reason if a question becomes a denial, unless the record has another one.
const CANNOT_ASK: &str = "Nobody can be asked here, so it is denied.";

/// The reason of a denial whose messages are all blank, because hosts ignore a denial without a reason.
const NO_REASON: &str = "The policy denies it.";

/// Encodes a verdict for the host that sent the payload. Returns the output, and what it makes the host do. `row` has
/// the answers that the host obeys on the event.
pub(super) fn encode(
    record: &HostRecord,
    row: &HostEvent,
    origin: &PayloadOrigin,
    verdict: &Verdict,
) -> (HostOutput, SentAnswer) {
    let stricter = deny_what_cannot_be_carried(record, row, origin, verdict);
    let verdict = stricter.as_ref().unwrap_or(verdict);
    let mut answer = ReducedVerdict::new(row, origin, verdict);
    // Below, a denial may be turned into another command, but it still is a denial.
    let sent = answer.sent();
    if let Some(member) = origin.refusal_member {
        answer.deny_by_command(member);
    }
    (if row.is_path_read { answer.into_worktree_output(verdict) } else { answer.into_output(verdict) }, sent)
}

/// Replaces a question or a rewrite that the host cannot carry out by a denial. `None` if the verdict has no such
/// question or rewrite.
fn deny_what_cannot_be_carried(
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

/// A verdict reduced to what its event can carry. The rest has become messages for the user.
struct ReducedVerdict<'r> {
    row: &'r HostEvent,
    /// The event's name, in the words of the host.
    event_name: String,
    /// The decision, in a form that the event can carry.
    decision: Decision,
    /// The reason of the decision.
    reason: Excerpt,
    /// The texts for the user.
    messages: Vec<Excerpt>,
    /// The text for the agent.
    context: Excerpt,
    /// The new input of the call, with the host's names of its members.
    updated_input: Option<Map<String, Json>>,
    /// The new output of the call.
    updated_output: Option<Json>,
    /// The messages of `exit 2` effects.
    exit_two: Vec<Excerpt>,
}

/// Returns the decision in a form that an event with these capabilities can carry: a halt may become a denial, and a
/// decision that the event cannot carry in any form becomes a pass.
fn carried_decision(event: Event, decision: Decision, can: Capabilities) -> Decision {
    match decision {
        Decision::Halt if can.halt => Decision::Halt,
        // On Stop, a denial would make the agent go on, which is the opposite of a halt.
        Decision::Halt if event == Event::Stop => Decision::Pass,
        Decision::Halt | Decision::Deny if can.deny => Decision::Deny,
        Decision::Ask if can.ask => Decision::Ask,
        Decision::Allow if can.allow => Decision::Allow,
        _ => Decision::Pass,
    }
}

impl<'r> ReducedVerdict<'r> {
    /// Reduces a verdict to what its event can carry. Texts that it cannot carry become messages for the user.
    fn new(row: &'r HostEvent, origin: &PayloadOrigin, verdict: &Verdict) -> Self {
        let event = verdict.event;
        let can = row.capabilities();
        let decision_of_rules = verdict.decision();
        let mut decision = carried_decision(event, decision_of_rules, can);
        let mut reason = reason(verdict);
        let mut messages = Vec::new();
        if decision == Decision::Pass && decision_of_rules > Decision::Allow {
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
                decision = if can.ask { Decision::Ask } else { carried_decision(event, Decision::Deny, can) };
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
            // A context is written for the agent. Only on an event that has none in the schema, the user gets it
            // instead.
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

    /// Returns what this answer makes the host do.
    fn sent(&self) -> SentAnswer {
        SentAnswer {
            decision: self.decision,
            is_rewritten: self.updated_input.is_some() || self.updated_output.is_some(),
            has_context: !self.context.is_empty(),
        }
    }

    /// Replaces a denial by another input of the call: a command, in `member`, that prints the reason and fails. The
    /// reason is also added to the context, which the agent reads with its next request.
    fn deny_by_command(&mut self, member: &str) {
        if self.decision != Decision::Deny || self.row.rewrite.is_none() {
            return;
        }
        let command = format!("printf '%s\\n' {} >&2; exit 1", quote(self.reason.as_str()));
        self.decision = Decision::Pass;
        self.updated_input = Some(Map::from_iter([(member.to_owned(), Json::from(vec![command]))]));
        self.context = paragraphs([&self.reason, &self.context].into_iter().filter(|text| !text.is_empty()));
    }

    /// Returns the form in which the host reads the decision; `None` for a pass.
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
        let mut text_to_user = lines(&self.messages);
        let message = text_to_user.take_if(|_| row.warn.is_some()).unwrap_or_default();
        let decision_form = self.decided();
        let form_if = |is: bool, form: &'r Option<AnswerForm>| form.as_ref().filter(|_| is);
        let forms = [
            decision_form,
            form_if(denies && verdict.is_interrupting(), &row.interrupt),
            form_if(self.updated_input.is_some(), &row.rewrite),
            form_if(self.updated_output.is_some(), &row.output),
            form_if(!message.is_empty(), &row.warn),
            form_if(!self.context.is_empty(), &row.context),
        ];
        let mut answer = Map::new();
        for form in forms.into_iter().flatten() {
            self.add_members(form.json, &message, &mut answer);
        }
        let exit_two = row.exit_2.as_ref().filter(|_| !self.exit_two.is_empty());
        let exit = decision_form.into_iter().chain(exit_two).map(|form| form.exit).max().unwrap_or_default();
        let reason = decision_form.filter(|form| form.stderr == Some(AnswerSlot::Reason)).map(|_| &self.reason);
        let stderr = lines(reason.into_iter().chain(&self.exit_two)).unwrap_or_default();
        let is_text = row.context.is_some_and(|form| form.stdout.is_some());
        let stdout = if !answer.is_empty() {
            Json::Object(texts_before_objects(answer)).to_string()
        } else if is_text && exit == 0 {
            as_text(&self.context)
        } else {
            String::new()
        };
        HostOutput { stdout, stderr, exit, deferred: text_to_user }
    }

    /// Adds the members of a form to an answer. If both have an object under the same name, the two are merged.
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

    /// Returns the value with which the verdict fills a slot of an answer; `None` if it has no such value.
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
        let reasons: Vec<Excerpt> = denied.then_some(self.reason).into_iter().chain(self.exit_two).collect();
        let fails = !reasons.is_empty() || (path.is_none() && !self.messages.is_empty());
        let texts: Vec<Excerpt> = reasons.into_iter().chain(self.messages).collect();
        let stderr = lines(&texts).unwrap_or_default();
        match path {
            Some(path) if !fails => HostOutput { stdout: format!("{path}\n"), stderr, ..HostOutput::default() },
            _ => HostOutput { stderr, exit: if fails { 2 } else { 0 }, ..HostOutput::default() },
        }
    }
}

/// Separates the texts of `exit` effects into those with code 2, if the host reads these in a special way, and all
/// others.
fn exit_texts(row: &HostEvent, verdict: &Verdict) -> (Vec<Excerpt>, Vec<Excerpt>) {
    let is_exit_two = |exit: &&PlainExit| exit.code == 2 && row.exit_2.is_some();
    let (exit_two, others): (Vec<&PlainExit>, Vec<&PlainExit>) = verdict.exits.iter().partition(is_exit_two);
    let texts = |exits: Vec<&PlainExit>| exits.into_iter().map(|exit| exit.message.as_str().into()).collect();
    (texts(exit_two), texts(others))
}

/// Returns the contexts that the host cannot give to the agent, on an event that has contexts in the schema.
pub(super) fn unsent_contexts(row: &HostEvent, verdict: &Verdict) -> Vec<UnsentText> {
    let is_unsent = row.context.is_none() && verdict.event.spec().answers.context;
    let contexts = verdict.contexts.iter().filter(|_| is_unsent);
    contexts.map(|note| UnsentText { reader: Audience::Agent, text: note.text.as_str().to_owned() }).collect()
}

/// Returns the answer to a payload that cannot be read: a denial in the form that the host's record has for that.
pub(super) fn refusal(record: &HostRecord, reason: &str) -> HostOutput {
    let row = HostEvent { deny: Some(record.closed), ..HostEvent::EMPTY };
    let mut verdict = Verdict::pass(Event::PreToolUse);
    verdict.votes.push(Vote::from_program(Decision::Deny, reason.trim()));
    encode(record, &row, &PayloadOrigin::default(), &verdict).0
}

/// Reorders the members of an answer: texts and flags come before objects, which are longer.
fn texts_before_objects(answer: Map<String, Json>) -> Map<String, Json> {
    let (objects, texts): (Vec<_>, Vec<_>) = answer.into_iter().partition(|(_, value)| value.is_object());
    texts.into_iter().chain(objects).collect()
}

/// Returns a context as plain text. If it begins with `{`, a line is put before it, so that the host does not parse it
/// as an answer.
fn as_text(context: &str) -> String {
    if context.trim_start().starts_with('{') { format!("Note:\n{context}") } else { context.to_owned() }
}
