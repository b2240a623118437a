//! Ours.

use hookrules::context::Context;
use hookrules::eval::{Detail, Outcome, decide};
use hookrules::facts::StatedFacts;
use hookrules::host::{Decoded, Host, decode};
use hookrules::policy::Policy;
use hookrules::types::Payload;
use hookrules_benches::plain::{self, Call, Rule};
use hookrules_inside::policy_of;

use crate::{Engine, Failure};

pub(crate) struct Ours {
    policy: Policy,
    facts: StatedFacts,
    payloads: Vec<Payload>,
}

impl Ours {
    pub(crate) fn new(rules: &[Rule]) -> Result<Self, Failure> {
        let policy = policy_of(rules)?;
        let project = ("project".to_owned(), plain::PROJECT.into());
        let facts = StatedFacts::from_json(&[project].into_iter().collect())?;
        Ok(Self { policy, facts, payloads: Vec::new() })
    }
}

impl Engine for Ours {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn prepare(&mut self, calls: &[Call]) -> Result<(), Failure> {
        for call in calls {
            let bytes = plain::payload(call);
            match decode(Host::CLAUDE_CODE, bytes.as_bytes()) {
                Decoded::Event { payload, damage: None } => self.payloads.push(payload),
                _ => return Err(format!("not a payload: {bytes}").into()),
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, call: usize) -> Result<Vec<String>, Failure> {
        let payload = self.payloads.get(call).ok_or("no such call")?;
        let context = Context::new(payload, Host::CLAUDE_CODE.name(), &self.facts, &self.policy.settings.shell_tools);
        let Ok(evaluation) = decide(&self.policy.rules, &context, Detail::Outcomes);
        let matched = evaluation.trace.rules.into_iter().filter(|judged| judged.outcome == Outcome::Match);
        Ok(matched.map(|judged| judged.shown).collect())
    }
}
