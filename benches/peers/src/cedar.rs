//! Cedar: a `forbid` for each rule, and one `permit` for everything.

use cedar_policy::{
    Authorizer, Context, Entities, EntityUid, Policy, PolicyId, PolicySet, Request, RestrictedExpression,
};
use hookrules_benches::plain::{Call, Rule};

use crate::{Engine, Failure, Words, conjunction};

const WORDS: Words = Words {
    has: |member| Some(format!("context has {member}")),
    one_of: |member, list| format!("[{list}].contains(context.{member})"),
    equals: |member, text| format!("context.{member} == \"{text}\""),
    starts: |member, text| format!("context.{member} like \"{text}*\""),
    ends: |member, text| format!("context.{member} like \"*{text}\""),
    contains: |member, text| format!("context.{member} like \"*{text}*\""),
};

/// The only policy that is not a rule.
const PERMIT: &str = "permit";

pub(crate) struct Cedar {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
    requests: Vec<Request>,
}

impl Cedar {
    pub(crate) fn new(rules: &[Rule]) -> Result<Self, Failure> {
        let mut policies = PolicySet::new();
        policies.add(Policy::parse(Some(PolicyId::new(PERMIT)), "permit(principal, action, resource);")?)?;
        for rule in rules {
            let condition = conjunction(rule, &WORDS).join(" && ");
            let event = rule.event;
            let text = format!("forbid(principal, action == Action::\"{event}\", resource) when {{ {condition} }};");
            policies.add(Policy::parse(Some(PolicyId::new(&rule.name)), text)?)?;
        }
        let (authorizer, entities) = (Authorizer::new(), Entities::empty());
        Ok(Self { authorizer, policies, entities, requests: Vec::new() })
    }
}

impl Engine for Cedar {
    fn name(&self) -> &'static str {
        "cedar-policy"
    }

    fn prepare(&mut self, calls: &[Call]) -> Result<(), Failure> {
        for call in calls {
            let text =
                |(name, text): (&&str, &String)| ((*name).to_owned(), RestrictedExpression::new_string(text.clone()));
            let context = Context::from_pairs(call.members.iter().map(text))?;
            let agent: EntityUid = "Agent::\"agent\"".parse()?;
            let action: EntityUid = format!("Action::\"{}\"", call.event).parse()?;
            let machine: EntityUid = "Machine::\"machine\"".parse()?;
            self.requests.push(Request::new(agent, action, machine, context, None)?);
        }
        Ok(())
    }

    fn evaluate(&mut self, call: usize) -> Result<Vec<String>, Failure> {
        let request = self.requests.get(call).ok_or("no such call")?;
        let response = self.authorizer.is_authorized(request, &self.policies, &self.entities);
        if let Some(error) = response.diagnostics().errors().next() {
            return Err(format!("{error}").into());
        }
        let reasons = response.diagnostics().reason().map(ToString::to_string);
        Ok(reasons.filter(|name| name != PERMIT).collect())
    }
}
