//! CEL: a program for each rule; all of them run for each call.

use std::collections::HashMap;

use ::cel::{Context, Program, Value};
use hookrules_benches::plain::{Call, Rule};

use crate::{Engine, Failure, Words, conjunction};

const WORDS: Words = Words {
    has: |member| Some(format!("has(call.{member})")),
    one_of: |member, list| format!("call.{member} in [{list}]"),
    equals: |member, text| format!("call.{member} == \"{text}\""),
    starts: |member, text| format!("call.{member}.startsWith(\"{text}\")"),
    ends: |member, text| format!("call.{member}.endsWith(\"{text}\")"),
    contains: |member, text| format!("call.{member}.contains(\"{text}\")"),
};

pub(crate) struct Cel {
    programs: Vec<(String, Program)>,
    contexts: Vec<Context<'static, 'static>>,
}

impl Cel {
    pub(crate) fn new(rules: &[Rule]) -> Result<Self, Failure> {
        let mut programs = Vec::new();
        for rule in rules {
            let condition = conjunction(rule, &WORDS).join(" && ");
            let text = format!("call.event == \"{}\" && {condition}", rule.event);
            programs.push((rule.name.clone(), Program::compile(&text)?));
        }
        Ok(Self { programs, contexts: Vec::new() })
    }
}

impl Engine for Cel {
    fn name(&self) -> &'static str {
        "cel"
    }

    fn prepare(&mut self, calls: &[Call]) -> Result<(), Failure> {
        for call in calls {
            let mut members: HashMap<String, String> =
                call.members.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect();
            members.insert("event".to_owned(), call.event.to_owned());
            let mut context = Context::default();
            context.add_variable_from_value("call", members);
            self.contexts.push(context);
        }
        Ok(())
    }

    fn evaluate(&mut self, call: usize) -> Result<Vec<String>, Failure> {
        let context = self.contexts.get(call).ok_or("no such call")?;
        let mut fired = Vec::new();
        for (name, program) in &self.programs {
            if program.execute(context)? == Value::Bool(true) {
                fired.push(name.clone());
            }
        }
        Ok(fired)
    }
}
