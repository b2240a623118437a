//! Rego, by regorus: a set of the names of the rules that fire.

use std::fmt::Write as _;

use hookrules_benches::plain::{Call, Rule};
use regorus::{CompiledPolicy, Engine as Regorus, Value};

use crate::{Engine, Failure, Words, conjunction};

const WORDS: Words = Words {
    // A missing member makes a body undefined.
    has: |_| None,
    one_of: |member, list| format!("input.{member} in {{{list}}}"),
    equals: |member, text| format!("input.{member} == \"{text}\""),
    starts: |member, text| format!("startswith(input.{member}, \"{text}\")"),
    ends: |member, text| format!("endswith(input.{member}, \"{text}\")"),
    contains: |member, text| format!("contains(input.{member}, \"{text}\")"),
};

/// The number of rules in a file.
const RULES: usize = 1_000;

pub(crate) struct Rego {
    policy: CompiledPolicy,
    inputs: Vec<Value>,
}

impl Rego {
    pub(crate) fn new(rules: &[Rule]) -> Result<Self, Failure> {
        let mut engine = Regorus::new();
        // A file may have at most a megabyte; a package may have many files.
        for (number, some) in rules.chunks(RULES).enumerate() {
            let mut text = String::from("package guard\n\nimport rego.v1\n");
            for rule in some {
                let condition = conjunction(rule, &WORDS).join("\n  ");
                let (name, event) = (&rule.name, rule.event);
                write!(text, "\nfires contains \"{name}\" if {{\n  input.event == \"{event}\"\n  {condition}\n}}\n")?;
            }
            engine.add_policy(format!("guard{number}.rego"), text)?;
        }
        let policy = engine.compile_with_entrypoint(&"data.guard.fires".into())?;
        Ok(Self { policy, inputs: Vec::new() })
    }
}

impl Engine for Rego {
    fn name(&self) -> &'static str {
        "regorus"
    }

    fn prepare(&mut self, calls: &[Call]) -> Result<(), Failure> {
        for call in calls {
            let mut members: serde_json::Map<String, serde_json::Value> =
                call.members.iter().map(|(name, text)| ((*name).to_owned(), text.as_str().into())).collect();
            members.insert("event".to_owned(), call.event.into());
            self.inputs.push(Value::from_json_str(&serde_json::Value::from(members).to_string())?);
        }
        Ok(())
    }

    fn evaluate(&mut self, call: usize) -> Result<Vec<String>, Failure> {
        let input = self.inputs.get(call).ok_or("no such call")?.clone();
        let fired = self.policy.eval_with_input(input)?;
        let mut names = Vec::new();
        for name in fired.as_set()?.iter() {
            names.push(name.as_string()?.to_string());
        }
        Ok(names)
    }
}
