//! Encodes a verdict into an exit code and two streams, for hosts that read no JSON.
//!
//! One answer reaches one reader only. At exit code 0, standard output is for the agent, if the event accepts
//! context. At 2, standard error is the reason for blocking or, after a call, a text for the agent. At any other
//! code, standard error is for the user. If a verdict has texts for several readers, a block is sent rather than a
//! text for the agent, and that rather than a text for the user; the remaining texts are not sent.

use serde_json::{Value as Json, json};

use super::fate::{Audience, EffectFate, fate};
use super::record::HostEvent;
use super::texts::{MAX_INPUT, lines, paragraphs, reason};
use super::{HostOutput, SentAnswer, UnsentText};
use crate::excerpt::{Excerpt, utf16_len};
use crate::schema::{Capabilities, Capability, Event};
use crate::verdict::{Decision, PlainExit, Verdict};

/// The exit code that shows a text to the user, if no rule sets one.
const SHOW: u8 = 1;

/// The sentence after the reason if a question becomes a denial.
const CANNOT_ASK: &str = "This host cannot ask the user, so it is denied.";
/// The sentence after the reason if a halt becomes a denial, or a text, that the agent reads.
const CANNOT_HALT: &str = "This host cannot stop the agent: end your turn now.";
/// The sentence after the reason if a halt becomes a denial that the user reads.
const GOES_ON: &str = "This host cannot stop the agent: the call is denied, and the agent goes on.";
/// The text for the user about a rewrite of an output.
const SHOWN_AS_IT_CAME: &str =
    "the output was not rewritten: this host cannot change it, and the agent reads the original";
/// The text for the user about a rewrite on PermissionRequest without an allow.
const NEEDS_ALLOW: &str = "the rewrite was not applied: on PermissionRequest it needs an allow";

/// An encoded verdict.
pub(super) struct EncodedStreams {
    /// The output.
    pub(super) output: HostOutput,
    /// What the output amounts to.
    pub(super) sent: SentAnswer,
    /// The texts that are not sent.
    pub(super) unsent: Vec<UnsentText>,
}

/// Encodes a verdict.
pub(super) fn encode(row: &HostEvent, verdict: &Verdict) -> EncodedStreams {
    let takes = row.capabilities();
    let mut texts = ReaderTexts::new(row.reason_reader());
    texts.decide(verdict, &takes);
    texts.rewrite(verdict, &takes);
    texts.user.extend(verdict.updated_output.is_some().then(|| SHOWN_AS_IT_CAME.into()));
    texts.agent.extend(verdict.contexts.iter().map(|note| note.text.clone()));
    texts.exit(verdict, &takes);
    texts.user.extend(verdict.warnings.iter().map(|note| note.text.clone()));
    texts.agent.retain(|text| !text.is_empty());
    texts.user.retain(|text| !text.is_empty());
    texts.into_output(verdict, &takes)
}

/// The texts of a verdict, by reader.
struct ReaderTexts {
    /// Who reads the reason of a denial.
    reader: Audience,
    /// The decision that the host carries out.
    decision: Decision,
    /// The reason why the announced action is refused, if it is.
    refusal: Option<Excerpt>,
    /// The texts for the agent.
    agent: Vec<Excerpt>,
    /// The texts for the user.
    user: Vec<Excerpt>,
    /// The code of the first `exit` whose text is for the user.
    code: Option<u8>,
}

impl ReaderTexts {
    fn new(reader: Audience) -> Self {
        Self { reader, decision: Decision::Pass, refusal: None, agent: Vec::new(), user: Vec::new(), code: None }
    }

    /// Adds the reason of the decision: as the refusal if the action is blocked, otherwise as a text for its reader.
    fn decide(&mut self, verdict: &Verdict, takes: &Capabilities) {
        let reason = reason(verdict);
        let answer = match verdict.decision() {
            Decision::Pass | Decision::Allow => return,
            Decision::Ask => Capability::Ask,
            Decision::Deny => Capability::Deny,
            Decision::Halt => Capability::Halt,
        };
        let with = |note: &str| {
            let mut text = reason.clone();
            text.push_str(&format!("\n{note}"));
            text
        };
        let fate = fate(takes, self.reader, answer);
        self.decision = match fate {
            EffectFate::Carried => verdict.decision(),
            EffectFate::Denied(_) => Decision::Deny,
            _ => Decision::Pass,
        };
        match (answer, fate) {
            (Capability::Deny, EffectFate::Carried) => self.refusal = Some(reason),
            (Capability::Ask, EffectFate::Denied(_)) => self.refusal = Some(with(CANNOT_ASK)),
            (Capability::Halt, EffectFate::Denied(Audience::Agent)) => self.refusal = Some(with(CANNOT_HALT)),
            (Capability::Halt, EffectFate::Denied(Audience::User)) => self.refusal = Some(with(GOES_ON)),
            // A blocked prompt starts nothing, so it is a halt. On Stop, a block would make the agent go on, so the
            // reason is only shown.
            (Capability::Halt, EffectFate::Carried) if verdict.event != Event::Stop => self.refusal = Some(reason),
            (Capability::Halt, EffectFate::AgentReads) => self.agent.push(with(CANNOT_HALT)),
            _ => self.user.push(reason),
        }
    }

    /// Adds what becomes of a rewrite, which Wave cannot carry out: a refusal where a call can be blocked, otherwise
    /// a text for the user. Does nothing if the action is already refused.
    fn rewrite(&mut self, verdict: &Verdict, takes: &Capabilities) {
        let Some(input) = verdict.updated_input.as_ref().filter(|_| self.refusal.is_none()) else { return };
        if verdict.event == Event::PermissionRequest && verdict.decision() != Decision::Allow {
            self.user.push(NEEDS_ALLOW.into());
        } else if let EffectFate::Denied(reader) = fate(takes, self.reader, Capability::Rewrite) {
            self.refusal = Some(other_input(input, reader).into());
            self.decision = Decision::Deny;
        } else {
            self.user.push("the rewrite was not applied".into());
        }
    }

    /// Adds the messages of `exit` effects, for the agent or the user depending on the code.
    fn exit(&mut self, verdict: &Verdict, takes: &Capabilities) {
        for PlainExit { rule, code, message } in &verdict.exits {
            let message = match message.as_str() {
                "" => format!("The rule {rule} exits with {code}.").into(),
                message => message.into(),
            };
            if *code == 2 && is_stderr_read_at_exit_2(takes) {
                self.agent.push(message);
                continue;
            }
            // At 0 nobody reads standard error, and at 2 not on every event, so these codes are not used for a text
            // for the user.
            let code = u8::try_from(*code).ok().filter(|code| !matches!(code, 0 | 2));
            self.code = self.code.or(code);
            self.user.push(message);
        }
    }

    /// Chooses the reader, and returns the output for that reader and the texts for the other one.
    fn into_output(self, verdict: &Verdict, takes: &Capabilities) -> EncodedStreams {
        let Self { reader, decision, refusal, agent, user, code } = self;
        let mut sent = SentAnswer { decision, is_rewritten: false, has_context: false };
        let told_to = match (&refusal, agent.is_empty(), user.is_empty()) {
            (Some(_), ..) => reader,
            (None, false, _) if takes.context => Audience::Agent,
            (None, _, false) => Audience::User,
            (None, ..) => {
                let unsent = unsent_to(Audience::Agent, agent);
                return EncodedStreams { output: HostOutput::default(), sent, unsent };
            }
        };
        sent.has_context = told_to == Audience::Agent && !verdict.contexts.is_empty();
        let (told, unsent) = match told_to {
            Audience::Agent => (agent, unsent_to(Audience::User, user)),
            Audience::User => (user, unsent_to(Audience::Agent, agent)),
        };
        let texts = refusal.iter().chain(&told);
        let on_stderr =
            |text: Option<String>, exit| HostOutput { stderr: text.unwrap_or_default(), exit, ..HostOutput::default() };
        let output = match told_to {
            _ if refusal.is_some() => on_stderr(lines(texts), 2),
            Audience::User => on_stderr(lines(texts), code.unwrap_or(SHOW)),
            Audience::Agent if is_stderr_read_at_exit_2(takes) => on_stderr(Some(paragraphs(texts).into_string()), 2),
            Audience::Agent => {
                let text = paragraphs(texts).into_string();
                let stdout = if verdict.event == Event::SessionStart { quote_as_context(text) } else { text };
                HostOutput { stdout, ..HostOutput::default() }
            }
        };
        EncodedStreams { output, sent, unsent }
    }
}

/// Returns texts as unsent ones for this reader.
fn unsent_to(reader: Audience, texts: Vec<Excerpt>) -> Vec<UnsentText> {
    texts.into_iter().map(|text| UnsentText { reader, text: text.into_string() }).collect()
}

/// Whether exit code 2 passes standard error to the agent without blocking anything.
fn is_stderr_read_at_exit_2(takes: &Capabilities) -> bool {
    takes.context && !takes.stdout_is_context
}

/// Returns the reason of a denial that shows the rewritten input to its reader.
fn other_input(input: &Json, reader: Audience) -> String {
    let told = input.to_string();
    if !input.is_object() {
        return "the rewritten input is not an object, so the call is denied".to_owned();
    }
    if utf16_len(&told) > MAX_INPUT {
        return "This call must run with another input, and this host cannot change it; the input is too long to be shown."
            .to_owned();
    }
    match reader {
        Audience::Agent => {
            format!("This host cannot change the input of a call. Make the call again with this input instead:\n{told}")
        }
        Audience::User => format!(
            "This host cannot change the input of a call, so it is denied. The policy allows it with this input only:\n\
             {told}"
        ),
    }
}

/// Returns a text as context on standard output. A text that Wave might parse as JSON is put into a JSON object, so
/// that its members have no effect.
fn quote_as_context(text: String) -> String {
    let trimmed = text.trim_start();
    let may_be_json = trimmed.starts_with(['{', '[', '"', '-'])
        || trimmed.starts_with(|c: char| c.is_ascii_digit())
        || matches!(trimmed.trim_end(), "true" | "false" | "null");
    if may_be_json { json!({ "additionalContext": text }).to_string() } else { text }
}
