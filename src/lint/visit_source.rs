//! Traverses the syntax tree of a policy.

use crate::syntax::ast::{
    AstCondition, AstEffect, AstElement, AstMeasure, AstValue, ClauseKind, ConditionKind, EffectKind, Example,
    FieldName, ItemKind, MapKey, MapLiteral, Operand, PastEvents, StringLiteral, ValueKind,
};

/// Calls `see` with every condition of an item, at any depth: with a condition first, and then with its parts.
pub(super) fn visit_conditions<'a>(item: &'a ItemKind, see: &mut dyn FnMut(&'a AstCondition)) {
    match item {
        ItemKind::Def(def) => visit_condition(&def.condition, see),
        ItemKind::Rule(rule) => {
            for clause in &rule.clauses {
                if let ClauseKind::When(condition) | ClauseKind::Unless(condition) = &clause.kind {
                    visit_condition(condition, see);
                }
            }
        }
        ItemKind::Use(used) => {
            for narrowing in used.except.iter().filter_map(|exception| exception.narrowing.as_ref()) {
                visit_condition(narrowing.condition(), see);
            }
        }
        ItemKind::Let(_) | ItemKind::Test(_) => {}
    }
}

/// Calls `see` with a condition, and then with its parts at any depth.
fn visit_condition<'a>(condition: &'a AstCondition, see: &mut dyn FnMut(&'a AstCondition)) {
    see(condition);
    match &condition.kind {
        ConditionKind::And(parts) | ConditionKind::Or(parts) | ConditionKind::Mixed(parts, _) => {
            parts.iter().for_each(|part| visit_condition(part, see));
        }
        ConditionKind::Not(inner) => visit_condition(inner, see),
        ConditionKind::Runs(runs) => runs.filter.iter().for_each(|filter| visit_condition(filter, see)),
        ConditionKind::Compare(_)
        | ConditionKind::Exists(_)
        | ConditionKind::Truth(_)
        | ConditionKind::Pipes(_)
        | ConditionKind::Touches(_)
        | ConditionKind::Connects(_)
        | ConditionKind::Happened(_) => {}
    }
}

/// Calls `see` with every single-word name in an item that may be the name of a definition in the same file.
pub(super) fn visit_names<'a>(item: &'a ItemKind, see: &mut dyn FnMut(&'a str)) {
    match item {
        ItemKind::Use(used) => used.with.iter().for_each(|map| visit_map_names(map, see)),
        ItemKind::Let(item) => visit_value_names(&item.value, see),
        ItemKind::Def(_) => {}
        ItemKind::Rule(rule) => {
            for clause in &rule.clauses {
                match &clause.kind {
                    ClauseKind::Effect(effect) => visit_effect_names(effect, see),
                    ClauseKind::Examples(_, examples) => {
                        examples.iter().for_each(|example| visit_example_names(example, see))
                    }
                    ClauseKind::Key(key) => visit_operand_names(key, see),
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
                visit_example_names(&case.given, see);
                case.expect.rewrites.iter().for_each(|(_, value)| visit_value_names(value, see));
            }
        }
    }
    visit_conditions(item, &mut |condition| match &condition.kind {
        ConditionKind::Compare(compare) => {
            visit_operand_names(&compare.operand, see);
            visit_compared_names(&compare.value, see);
        }
        ConditionKind::Exists(operand) | ConditionKind::Truth(operand) => visit_operand_names(operand, see),
        ConditionKind::Runs(runs) => visit_compared_names(&runs.patterns, see),
        ConditionKind::Pipes(pipes) => {
            visit_compared_names(&pipes.from, see);
            visit_compared_names(&pipes.into, see);
        }
        ConditionKind::Touches(touches) => visit_compared_names(&touches.value, see),
        ConditionKind::Connects(test) => test.iter().for_each(|test| visit_compared_names(&test.value, see)),
        ConditionKind::Happened(events) => visit_past_names(events, see),
        ConditionKind::And(_) | ConditionKind::Or(_) | ConditionKind::Mixed(..) | ConditionKind::Not(_) => {}
    });
}

fn visit_field_name<'a>(name: &'a FieldName, see: &mut dyn FnMut(&'a str)) {
    name.as_single_name().into_iter().for_each(|name| see(&name.text));
}

/// Calls `see` with the names in an operand.
fn visit_operand_names<'a>(operand: &'a Operand, see: &mut dyn FnMut(&'a str)) {
    match operand {
        Operand::Field(name) => visit_field_name(name, see),
        Operand::File(_, value, _) => visit_value_names(value, see),
        Operand::Measure(AstMeasure::Length(operand) | AstMeasure::Count(operand), _) => {
            visit_operand_names(operand, see);
        }
        Operand::Measure(AstMeasure::Past(events), _) => visit_past_names(events, see),
        Operand::Measure(AstMeasure::Files(_), _)
        | Operand::Position(..)
        | Operand::JsonPath(_)
        | Operand::Option(..) => {}
    }
}

/// Calls `see` with the names of marks, of their keys, and of a duration.
fn visit_past_names<'a>(events: &'a PastEvents, see: &mut dyn FnMut(&'a str)) {
    std::iter::once(&events.mark).chain(&events.since).for_each(|mark| see(&mark.text));
    events.of.iter().for_each(|key| visit_operand_names(key, see));
    events.within.iter().for_each(|time| visit_value_names(time, see));
}

/// Calls `see` with the names in a value that a condition compares with. Texts are skipped: braces in them are not
/// placeholders.
fn visit_compared_names<'a>(value: &'a AstValue, see: &mut dyn FnMut(&'a str)) {
    match &value.kind {
        ValueKind::Text(_) => {}
        ValueKind::List(elements) => {
            for element in elements {
                match element {
                    AstElement::Value(value) => visit_compared_names(value, see),
                    AstElement::Spread(name) => see(&name.text),
                }
            }
        }
        _ => visit_value_names(value, see),
    }
}

/// Calls `see` with the names in a value, including those in placeholders of texts.
fn visit_value_names<'a>(value: &'a AstValue, see: &mut dyn FnMut(&'a str)) {
    match &value.kind {
        ValueKind::Name(name) => visit_field_name(name, see),
        ValueKind::Text(text) => visit_text_names(text, see),
        ValueKind::List(elements) => {
            for element in elements {
                match element {
                    AstElement::Value(value) => visit_value_names(value, see),
                    AstElement::Spread(name) => see(&name.text),
                }
            }
        }
        ValueKind::Map(map) => visit_map_names(map, see),
        ValueKind::Number(..)
        | ValueKind::Boolean(_)
        | ValueKind::Null
        | ValueKind::Duration(..)
        | ValueKind::Size(..)
        | ValueKind::TimeRange(..)
        | ValueKind::Regex(_)
        | ValueKind::JsonPath(_) => {}
    }
}

/// Calls `see` with the names in the values of a map.
fn visit_map_names<'a>(map: &'a MapLiteral, see: &mut dyn FnMut(&'a str)) {
    for entry in &map.entries {
        match (&entry.key, &entry.value) {
            (_, Some(value)) => visit_value_names(value, see),
            // In the shorthand `{ name }`, the key is also the name of the value.
            (MapKey::Name(name), None) => visit_field_name(name, see),
            (MapKey::Text(_) | MapKey::File(..) | MapKey::Tree(..), None) => {}
        }
    }
}

fn visit_text_names<'a>(text: &'a StringLiteral, see: &mut dyn FnMut(&'a str)) {
    for placeholder in &text.placeholders {
        visit_field_name(&placeholder.name, see);
        placeholder.counted.iter().for_each(|events| visit_past_names(events, see));
    }
}

fn visit_example_names<'a>(example: &'a Example, see: &mut dyn FnMut(&'a str)) {
    example.with.iter().chain(&example.fields).for_each(|map| visit_map_names(map, see));
}

/// Calls `see` with the names in the texts, values and options of an effect.
fn visit_effect_names<'a>(effect: &'a AstEffect, see: &mut dyn FnMut(&'a str)) {
    effect.options.iter().for_each(|map| visit_map_names(map, see));
    match &effect.kind {
        EffectKind::Deny(text)
        | EffectKind::Ask(text)
        | EffectKind::Allow(text)
        | EffectKind::Halt(text)
        | EffectKind::Exit(_, _, text)
        | EffectKind::Context(text)
        | EffectKind::Warn(text) => text.iter().for_each(|text| visit_text_names(text, see)),
        EffectKind::RewriteSet(_, value) => visit_value_names(value, see),
        EffectKind::RewriteReplace(_, value, text) => {
            visit_value_names(value, see);
            visit_text_names(text, see);
        }
        EffectKind::RewriteRuns(from, to) => [from, to].into_iter().for_each(|text| visit_text_names(text, see)),
        EffectKind::Notify(title, body) => {
            std::iter::once(title).chain(body).for_each(|text| visit_text_names(text, see))
        }
        EffectKind::RunShell(text) | EffectKind::Record(text) => visit_text_names(text, see),
        EffectKind::RunArgv(words, _) => words.iter().for_each(|text| visit_text_names(text, see)),
    }
}
