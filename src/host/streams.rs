//! Encodes a verdict into an exit code and two streams, for hosts that read no JSON.
//!
//! One answer reaches one reader only. With exit code 0, standard output is for the agent, if the event accepts
//! context. With 2, standard error is the reason for blocking or, after a call, a text for the agent. With any other
//! code, standard error is for the user. If a verdict has texts for both readers, the reason for blocking has
//! precedence, then come the texts for the agent, and then those for the user; the rest is not sent.

use serde_json::{Value as Json, json};

use super::fate::{Audience, EffectFate, fate};
use super::record::HostEvent;
use super::texts::{MAX_INPUT, lines, paragraphs, reason};
use super::{HostOutput, SentAnswer, UnsentText};
use crate::excerpt::{Excerpt, utf16_len};
use crate::schema::{Capabilities, Capability, Event};
use crate::verdict::{Decision, PlainExit, Verdict};

/// The exit code with which a text is shown to the user, unless a rule sets one.
const SHOWN_EXIT: u8 = 1;

/// The sentence after the reason if a question becomes a denial.
const CANNOT_ASK: &str = "This host cannot ask the user, so it is denied.";
/// The sentence after the reason if a halt becomes a denial, or a text, that the agent reads.
const CANNOT_HALT: &str = "This host cannot stop the agent: end your turn now.";
/// The sentence after the reason if a halt becomes a denial that the user reads.
const AGENT_GOES_ON: &str = "This host cannot stop the agent: the call is denied, and the agent goes on.";
/// The text for the user if the output of a call is to be rewritten.
const OUTPUT_NOT_REWRITTEN: &str =
    "the output was not rewritten: this host cannot change it, and the agent reads the original";
/// The text for the user if a call is rewritten on PermissionRequest without an allow.
const NEEDS_ALLOW: &str = "the rewrite was not applied: on PermissionRequest it needs an allow";

/// An encoded verdict.
pub(super) struct EncodedStreams {
    /// The output.
    pub(super) output: HostOutput,
    /// What the output makes the host do.
    pub(super) sent: SentAnswer,
    /// The texts that are not sent, with their readers.
    pub(super) unsent: Vec<UnsentText>,
}

/// Encodes a verdict as an exit code and text on one of the two streams.
pub(super) fn encode(row: &HostEvent, verdict: &Verdict) -> EncodedStreams {
    let supported = row.capabilities();
    let mut texts = ReaderTexts::new(row.reason_reader());
    texts.decide(verdict, &supported);
    texts.rewrite(verdict, &supported);
    texts.user.extend(verdict.updated_output.is_some().then(|| OUTPUT_NOT_REWRITTEN.into()));
    texts.agent.extend(verdict.contexts.iter().map(|note| note.text.clone()));
    texts.exit(verdict, &supported);
    texts.user.extend(verdict.warnings.iter().map(|note| note.text.clone()));
    texts.agent.retain(|text| !text.is_empty());
    texts.user.retain(|text| !text.is_empty());
    texts.into_output(verdict, &supported)
}

/// The texts of a verdict, separated by their readers.
struct ReaderTexts {
    /// Who reads the reason of a denial.
    reader: Audience,
    /// The decision that the host carries out.
    decision: Decision,
    /// The reason for blocking, if the action is blocked.
    refusal: Option<Excerpt>,
    /// The texts for the agent.
    agent: Vec<Excerpt>,
    /// The texts for the user.
    user: Vec<Excerpt>,
    /// The exit code of the first `exit` effect whose text is for the user.
    code: Option<u8>,
}

impl ReaderTexts {
    fn new(reader: Audience) -> Self {
        Self { reader, decision: Decision::Pass, refusal: None, agent: Vec::new(), user: Vec::new(), code: None }
    }

    /// Adds the reason of the decision: as a refusal if the action is blocked, and otherwise as a text for its reader.
    fn decide(&mut self, verdict: &Verdict, supported: &Capabilities) {
        let reason = reason(verdict);
        let answer = match verdict.decision() {
            Decision::Pass | Decision::Allow => return,
            Decision::Ask => Capability::Ask,
            Decision::Deny => Capability::Deny,
            Decision::Halt => Capability::Halt,
        };
        let reason_with = |note: &str| {
            let mut text = reason.clone();
            text.push_str(&format!("\n{note}"));
            text
        };
        let fate = fate(supported, self.reader, answer);
        self.decision = match fate {
            EffectFate::Carried => verdict.decision(),
            EffectFate::Denied(_) => Decision::Deny,
            _ => Decision::Pass,
        };
        match (answer, fate) {
            (Capability::Deny, EffectFate::Carried) => self.refusal = Some(reason),
            (Capability::Ask, EffectFate::Denied(_)) => self.refusal = Some(reason_with(CANNOT_ASK)),
            (Capability::Halt, EffectFate::Denied(Audience::Agent)) => self.refusal = Some(reason_with(CANNOT_HALT)),
            (Capability::Halt, EffectFate::Denied(Audience::User)) => self.refusal = Some(reason_with(AGENT_GOES_ON)),
            // Where the host carries out a halt, a block is one, because a blocked prompt starts nothing. But on Stop a
            // block would make the agent go on, so the reason is only shown.
            (Capability::Halt, EffectFate::Carried) if verdict.event != Event::Stop => self.refusal = Some(reason),
            (Capability::Halt, EffectFate::AgentReads) => self.agent.push(reason_with(CANNOT_HALT)),
            _ => self.user.push(reason),
        }
    }

    /// Replaces a rewrite, which such a host cannot carry out, by a refusal if the event can be blocked, and otherwise
    /// by a text for the user. Does nothing if the action is already refused.
    fn rewrite(&mut self, verdict: &Verdict, supported: &Capabilities) {
        let Some(input) = verdict.updated_input.as_ref().filter(|_| self.refusal.is_none()) else { return };
        if verdict.event == Event::PermissionRequest && verdict.decision() != Decision::Allow {
            self.user.push(NEEDS_ALLOW.into());
        } else if let EffectFate::Denied(reader) = fate(supported, self.reader, Capability::Rewrite) {
            self.refusal = Some(rewrite_refusal(input, reader).into());
            self.decision = Decision::Deny;
        } else {
            self.user.push("the rewrite was not applied".into());
        }
    }

    /// Adds the messages of `exit` effects, for the agent or the user depending on the code.
    fn exit(&mut self, verdict: &Verdict, supported: &Capabilities) {
        for PlainExit { rule, code, message } in &verdict.exits {
            let message = match message.as_str() {
                "" => format!("The rule {rule} exits with {code}.").into(),
                message => message.into(),
            };
            if *code == 2 && is_stderr_read_at_exit_2(supported) {
                self.agent.push(message);
                continue;
            }
            // The codes 0 and 2 are not used for a text for the user: with 0, nobody reads standard error, and with 2,
            // it is for another purpose.
            let code = u8::try_from(*code).ok().filter(|code| !matches!(code, 0 | 2));
            self.code = self.code.or(code);
            self.user.push(message);
        }
    }

    /// Chooses one reader, and returns the output for that one, and the texts for the other one as unsent.
    fn into_output(self, verdict: &Verdict, supported: &Capabilities) -> EncodedStreams {
        let Self { reader, decision, refusal, agent, user, code } = self;
        let mut sent = SentAnswer { decision, is_rewritten: false, has_context: false };
        let addressee = match (&refusal, agent.is_empty(), user.is_empty()) {
            (Some(_), ..) => reader,
            (None, false, _) if supported.context => Audience::Agent,
            (None, _, false) => Audience::User,
            (None, ..) => {
                let unsent = unsent_to(Audience::Agent, agent);
                return EncodedStreams { output: HostOutput::default(), sent, unsent };
            }
        };
        sent.has_context = addressee == Audience::Agent && !verdict.contexts.is_empty();
        let (sent_texts, unsent) = match addressee {
            Audience::Agent => (agent, unsent_to(Audience::User, user)),
            Audience::User => (user, unsent_to(Audience::Agent, agent)),
        };
        let texts = refusal.iter().chain(&sent_texts);
        let on_stderr =
            |text: Option<String>, exit| HostOutput { stderr: text.unwrap_or_default(), exit, ..HostOutput::default() };
        let output = match addressee {
            _ if refusal.is_some() => on_stderr(lines(texts), 2),
            Audience::User => on_stderr(lines(texts), code.unwrap_or(SHOWN_EXIT)),
            Audience::Agent if is_stderr_read_at_exit_2(supported) => {
                on_stderr(Some(paragraphs(texts).into_string()), 2)
            }
            Audience::Agent => {
                let text = paragraphs(texts).into_string();
                let stdout = if verdict.event == Event::SessionStart { quote_as_context(text) } else { text };
                HostOutput { stdout, ..HostOutput::default() }
            }
        };
        EncodedStreams { output, sent, unsent }
    }
}

/// Converts texts into unsent ones for this reader.
fn unsent_to(reader: Audience, texts: Vec<Excerpt>) -> Vec<UnsentText> {
    texts.into_iter().map(|text| UnsentText { reader, text: text.into_string() }).collect()
}

/// Whether exit code 2 does not block but passes standard error to the agent.
fn is_stderr_read_at_exit_2(supported: &Capabilities) -> bool {
    supported.context && !supported.stdout_is_context
}

/// Returns the reason of a denial that shows the rewritten input to its reader.
fn rewrite_refusal(input: &Json, reader: Audience) -> String {
    let shown_input = input.to_string();
    if !input.is_object() {
        return "the rewritten input is not an object, so the call is denied".to_owned();
    }
    if utf16_len(&shown_input) > MAX_INPUT {
        return "This call must run with another input, and this host cannot change it; the input is too long to be shown."
            .to_owned();
    }
    match reader {
        Audience::Agent => {
            format!(
                "This host cannot change the input of a call. Make the call again with this input instead:\n{shown_input}"
            )
        }
        Audience::User => format!(
            "This host cannot change the input of a call, so it is denied. The policy allows it with this input only:\n\
             {shown_input}"
        ),
    }
}

/// Returns a text as context for standard output. A text that the host might parse as JSON is put into a JSON object,
/// so that it is not taken for an answer.
fn quote_as_context(text: String) -> String {
    let trimmed = text.trim_start();
    let may_be_json = trimmed.starts_with(['{', '[', '"', '-'])
        || trimmed.starts_with(|c: char| c.is_ascii_digit())
        || matches!(trimmed.trim_end(), "true" | "false" | "null");
    if may_be_json { json!({ "additionalContext": text }).to_string() } else { text }
}
