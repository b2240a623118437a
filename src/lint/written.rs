//! Traversals of a policy's syntax tree.

use crate::syntax::ast::{
    ClauseKind, Condition, ConditionKind, Effect, EffectKind, Element, Example, FieldName, ItemKind, Key, Map, Operand,
    Text, Value, ValueKind,
};

/// Calls `see` with every condition of an item, each before its parts.
pub(super) fn conditions<'a>(item: &'a ItemKind, see: &mut dyn FnMut(&'a Condition)) {
    match item {
        ItemKind::Def(def) => within(&def.condition, see),
        ItemKind::Rule(rule) => {
            for clause in &rule.clauses {
                if let ClauseKind::When(condition) | ClauseKind::Unless(condition) = &clause.kind {
                    within(condition, see);
                }
            }
        }
        ItemKind::Use(_) | ItemKind::Let(_) | ItemKind::Test(_) => {}
    }
}

fn within<'a>(condition: &'a Condition, see: &mut dyn FnMut(&'a Condition)) {
    see(condition);
    match &condition.kind {
        ConditionKind::And(parts) | ConditionKind::Or(parts) | ConditionKind::Mixed(parts, _) => {
            parts.iter().for_each(|part| within(part, see));
        }
        ConditionKind::Not(inner) => within(inner, see),
        ConditionKind::Runs(runs) => runs.filter.iter().for_each(|filter| within(filter, see)),
        ConditionKind::Compare(_)
        | ConditionKind::Exists(_)
        | ConditionKind::Truth(_)
        | ConditionKind::Pipes(_)
        | ConditionKind::Touches(_)
        | ConditionKind::Connects(_) => {}
    }
}

/// Calls `see` with every single-word name in an item that may refer to a definition of the file.
pub(super) fn names<'a>(item: &'a ItemKind, see: &mut dyn FnMut(&'a str)) {
    match item {
        ItemKind::Use(used) => used.with.iter().for_each(|map| of_map(map, see)),
        ItemKind::Let(item) => of_value(&item.value, see),
        ItemKind::Def(_) => {}
        ItemKind::Rule(rule) => {
            for clause in &rule.clauses {
                match &clause.kind {
                    ClauseKind::Effect(effect) => of_effect(effect, see),
                    ClauseKind::Examples(_, examples) => examples.iter().for_each(|example| of_example(example, see)),
                    ClauseKind::On(_)
                    | ClauseKind::By(_)
                    | ClauseKind::When(_)
                    | ClauseKind::Unless(_)
                    | ClauseKind::Unknown(_) => {}
                }
            }
        }
        ItemKind::Test(test) => {
            for case in &test.cases {
                of_example(&case.given, see);
                case.expect.rewrites.iter().for_each(|(_, value)| of_value(value, see));
            }
        }
    }
    conditions(item, &mut |condition| match &condition.kind {
        ConditionKind::Compare(compare) => {
            of_operand(&compare.operand, see);
            of_compared(&compare.value, see);
        }
        ConditionKind::Exists(operand) | ConditionKind::Truth(operand) => of_operand(operand, see),
        ConditionKind::Runs(runs) => of_compared(&runs.patterns, see),
        ConditionKind::Pipes(pipes) => {
            of_compared(&pipes.from, see);
            of_compared(&pipes.into, see);
        }
        ConditionKind::Touches(touches) => of_compared(&touches.value, see),
        ConditionKind::Connects(test) => test.iter().for_each(|test| of_compared(&test.value, see)),
        ConditionKind::And(_) | ConditionKind::Or(_) | ConditionKind::Mixed(..) | ConditionKind::Not(_) => {}
    });
}

fn of_field<'a>(name: &'a FieldName, see: &mut dyn FnMut(&'a str)) {
    name.single().into_iter().for_each(|name| see(&name.text));
}

fn of_operand<'a>(operand: &'a Operand, see: &mut dyn FnMut(&'a str)) {
    match operand {
        Operand::Field(name) => of_field(name, see),
        Operand::File(_, value, _) => of_value(value, see),
        Operand::JsonPath(_) | Operand::Option(..) => {}
    }
}

/// A value that a condition compares with: its texts have no placeholders.
fn of_compared<'a>(value: &'a Value, see: &mut dyn FnMut(&'a str)) {
    match &value.kind {
        ValueKind::Text(_) => {}
        ValueKind::List(elements) => {
            for element in elements {
                match element {
                    Element::Value(value) => of_compared(value, see),
                    Element::Spread(name) => see(&name.text),
                }
            }
        }
        _ => of_value(value, see),
    }
}

fn of_value<'a>(value: &'a Value, see: &mut dyn FnMut(&'a str)) {
    match &value.kind {
        ValueKind::Name(name) => of_field(name, see),
        ValueKind::Text(text) => of_text(text, see),
        ValueKind::List(elements) => {
            for element in elements {
                match element {
                    Element::Value(value) => of_value(value, see),
                    Element::Spread(name) => see(&name.text),
                }
            }
        }
        ValueKind::Map(map) => of_map(map, see),
        ValueKind::Number(..)
        | ValueKind::Boolean(_)
        | ValueKind::Null
        | ValueKind::Duration(..)
        | ValueKind::Size(..)
        | ValueKind::Regex(_)
        | ValueKind::JsonPath(_) => {}
    }
}

fn of_map<'a>(map: &'a Map, see: &mut dyn FnMut(&'a str)) {
    for entry in &map.entries {
        match (&entry.key, &entry.value) {
            (_, Some(value)) => of_value(value, see),
            // In the shorthand, the key names the value.
            (Key::Name(name), None) => of_field(name, see),
            (Key::Text(_) | Key::File(..), None) => {}
        }
    }
}

fn of_text<'a>(text: &'a Text, see: &mut dyn FnMut(&'a str)) {
    text.placeholders.iter().for_each(|placeholder| of_field(&placeholder.name, see));
}

fn of_example<'a>(example: &'a Example, see: &mut dyn FnMut(&'a str)) {
    example.with.iter().chain(&example.fields).for_each(|map| of_map(map, see));
}

fn of_effect<'a>(effect: &'a Effect, see: &mut dyn FnMut(&'a str)) {
    effect.options.iter().for_each(|map| of_map(map, see));
    match &effect.kind {
        EffectKind::Deny(text)
        | EffectKind::Ask(text)
        | EffectKind::Allow(text)
        | EffectKind::Halt(text)
        | EffectKind::Exit(_, _, text)
        | EffectKind::Context(text)
        | EffectKind::Warn(text) => text.iter().for_each(|text| of_text(text, see)),
        EffectKind::RewriteSet(_, value) => of_value(value, see),
        EffectKind::RewriteReplace(_, value, text) => {
            of_value(value, see);
            of_text(text, see);
        }
        EffectKind::RewriteRuns(from, to) => [from, to].into_iter().for_each(|text| of_text(text, see)),
        EffectKind::Notify(title, body) => std::iter::once(title).chain(body).for_each(|text| of_text(text, see)),
        EffectKind::RunShell(text) | EffectKind::Record(text) => of_text(text, see),
        EffectKind::RunArgv(words, _) => words.iter().for_each(|text| of_text(text, see)),
    }
}
