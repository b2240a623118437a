//! What an answer makes its host do, and why that may differ from what the policy decides.

use super::Host;
use super::fate::EffectFate;
use crate::schema::Capability;
use crate::verdict::{Decision, Verdict};

/// What the host does when it reads the output that it is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SentAnswer {
    /// The decision that the host carries out; a pass if the output has no decision.
    pub decision: Decision,
    /// Whether the output has a new input or output of the call.
    pub is_rewritten: bool,
    /// Whether the output has a context for the agent.
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

    /// Returns a sentence with the reason why the host gets another decision than the verdict's: "Codex CLI cannot ask
    /// on PreToolUse, so it is sent a denial". `None` if the decisions are equal.
    #[must_use]
    pub fn difference(self, host: Host, verdict: &Verdict) -> Option<String> {
        let wanted = verdict.decision();
        if wanted == self.decision {
            return None;
        }
        let is_carried = |answer| host.fate(verdict.event, answer) == Some(EffectFate::Carried);
        let capability = match wanted {
            Decision::Pass => None,
            Decision::Allow => Some(Capability::Allow),
            Decision::Ask => Some(Capability::Ask),
            Decision::Deny => Some(Capability::Deny),
            Decision::Halt => Some(Capability::Halt),
        };
        // If the verdict is a pass or an allow and the host gets more than that, the reason is a rewrite that it cannot
        // carry out. The same holds if it could carry out the decision itself.
        let is_stricter_for_rewrite = wanted < Decision::Ask && self.decision > Decision::Allow;
        let capability = capability.filter(|answer| !is_stricter_for_rewrite && !is_carried(*answer));
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
