//! What an answer amounts to for its host, and why that is not what the policy decides.

use super::Host;
use super::fate::EffectFate;
use crate::schema::Capability;
use crate::verdict::{Decision, Verdict};

/// What the output for a host amounts to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SentAnswer {
    /// The decision that the host carries out; a pass if it is sent none.
    pub decision: Decision,
    /// Whether the host is sent a new input or output of the call.
    pub is_rewritten: bool,
    /// Whether the agent is sent a context.
    pub has_context: bool,
}

impl SentAnswer {
    /// Returns the decision in a sentence: `a denial`.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self.decision {
            Decision::Pass => "no decision",
            Decision::Allow => "an allow",
            Decision::Ask => "a question",
            Decision::Deny => "a denial",
            Decision::Halt => "a halt",
        }
    }

    /// Returns the sentence that says why the host is sent another decision than that of the verdict: "Codex CLI cannot
    /// ask on PreToolUse, so it is sent a denial". `None` if it is sent the same.
    #[must_use]
    pub fn difference(self, host: Host, verdict: &Verdict) -> Option<String> {
        let decided = verdict.decision();
        if decided == self.decision {
            return None;
        }
        let is_carried = |answer| host.fate(verdict.event, answer) == Some(EffectFate::Carried);
        let capability = match decided {
            Decision::Pass => None,
            Decision::Allow => Some(Capability::Allow),
            Decision::Ask => Some(Capability::Ask),
            Decision::Deny => Some(Capability::Deny),
            Decision::Halt => Some(Capability::Halt),
        };
        // What blocks less is replaced with a block only because of a rewrite, and so is what the host carries out.
        let is_of_rewrite = decided < Decision::Ask && self.decision > Decision::Allow;
        let capability = capability.filter(|answer| !is_of_rewrite && !is_carried(*answer));
        let cannot = capability.unwrap_or(Capability::Rewrite).keyword();
        let (title, event) = (host.title(), verdict.event.name());
        Some(format!("{title} cannot {cannot} on {event}, so it is sent {}", self.noun()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::host::{encode, sent_answer};
    use crate::schema::Event;
    use crate::types::PayloadOrigin;
    use crate::verdict::Vote;

    fn sent(host: &str, decision: Decision, input: Option<&str>) -> (SentAnswer, Option<String>) {
        let mut verdict = Verdict::pass(Event::PreToolUse);
        verdict.votes.push(Vote::from_program(decision, "Why."));
        verdict.updated_input = input.map(|command| json!({ "command": command }));
        let host = Host::from_name(host).unwrap();
        let sent = sent_answer(host, &PayloadOrigin::default(), &verdict);
        (sent, sent.difference(host, &verdict))
    }

    #[test]
    fn what_a_host_cannot_do_is_sent_as_something_else() {
        let why = |host, decision, input| sent(host, decision, input).1.unwrap_or_default();
        assert_eq!(why("claude-code", Decision::Ask, None), "");
        assert_eq!(why("codex", Decision::Ask, None), "Codex CLI cannot ask on PreToolUse, so it is sent a denial");
        assert_eq!(
            why("codex", Decision::Allow, None),
            "Codex CLI cannot allow on PreToolUse, so it is sent no decision"
        );
        assert_eq!(
            why("qwen", Decision::Ask, Some("ls")),
            "Qwen Code cannot rewrite on PreToolUse, so it is sent a denial"
        );
        assert_eq!(why("wave", Decision::Ask, None), "Wave Agent cannot ask on PreToolUse, so it is sent a denial");
        assert_eq!(
            why("wave", Decision::Allow, Some("ls")),
            "Wave Agent cannot rewrite on PreToolUse, so it is sent a denial"
        );
    }

    #[test]
    fn a_denial_blocks_in_the_output_of_every_host() {
        for host in Host::all().filter(|host| host.capabilities(Event::PreToolUse).is_some_and(|can| can.deny)) {
            let mut verdict = Verdict::pass(Event::PreToolUse);
            verdict.votes.push(Vote::from_program(Decision::Deny, "The reason."));
            let sent = sent_answer(host, &PayloadOrigin::default(), &verdict);
            let output = encode(host, &verdict);
            assert_eq!(sent.decision, Decision::Deny, "{host:?}");
            assert!(output.stdout.contains("The reason.") || output.stderr.contains("The reason."), "{host:?}");
        }
    }
}
