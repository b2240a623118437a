//! Finds the value references and the texts in tests and effects.

use crate::ruleset::{
    ArgvWord, Condition, ConditionExpr, DirOperand, Effect, FactName, KeySource, PolicyValue, RecordValue, Rewrite,
    RewriteValue, RunCommand, RunSpec, Template, TemplatePart, TouchTest, ValueReference, ValueTest,
};

/// Returns the reference whose value is tested; `None` for a test of commands, files or hosts.
pub(super) fn tested_reference(test: &Condition) -> Option<&ValueReference> {
    match &test.kind {
        ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source) | ConditionExpr::Truth(source) => {
            Some(source)
        }
        _ => None,
    }
}

/// Returns the references in the values that a test compares with, and the reference to the file that a tested fact is
/// about.
pub(super) fn compared_references(test: &Condition) -> Vec<&ValueReference> {
    let mut sources: Vec<&ValueReference> = match tested_reference(test) {
        Some(ValueReference::Fact(FactName::File(_, file) | FactName::OwnFile(_, _, file))) => file.references(),
        _ => Vec::new(),
    };
    match &test.kind {
        ConditionExpr::Compare { test, .. } => sources.extend(test.references()),
        ConditionExpr::Touches { test: TouchTest::Under(dirs) | TouchTest::Outside(dirs), .. } => {
            sources.extend(dir_references(dirs))
        }
        ConditionExpr::TouchesFilled { globs, .. } => sources.extend(globs.references()),
        _ => {}
    }
    sources
}

/// Returns the texts that a test compares a value, or a part of it, with. Paths and regexes are not included.
pub(super) fn compared_texts(test: &ValueTest) -> Vec<&str> {
    match test {
        ValueTest::Equal(value)
        | ValueTest::StartsWith(value)
        | ValueTest::EndsWith(value)
        | ValueTest::Contains(value) => value.as_text().into_iter().collect(),
        ValueTest::In(values) => values.iter().filter_map(PolicyValue::as_text).collect(),
        ValueTest::LikeText(globs) => globs.patterns().collect(),
        _ => Vec::new(),
    }
}

/// Returns the texts of an effect that people or agents read.
pub(super) fn effect_texts(effect: &Effect) -> Vec<&Template> {
    match effect {
        Effect::Vote { message, .. } | Effect::Exit { message, .. } => vec![message],
        Effect::Context(text) | Effect::Warn(text) => vec![text],
        Effect::Notify { title, body } => vec![title, body],
        Effect::Run(run) => run.message.iter().collect(),
        Effect::Rewrite(_) | Effect::Record(_) | Effect::Mark(_) => Vec::new(),
    }
}

/// Returns the text of a template without placeholders; `None` for any other template.
pub(super) fn constant_text(template: &Template) -> Option<&str> {
    match template.parts.as_slice() {
        [TemplatePart::Text(text)] => Some(text),
        _ => None,
    }
}

/// Returns the references in the placeholders and values of an effect.
pub(super) fn effect_references(effect: &Effect) -> Vec<&ValueReference> {
    match effect {
        Effect::Vote { message, .. } | Effect::Exit { message, .. } => message.references().collect(),
        Effect::Context(text) | Effect::Warn(text) => text.references().collect(),
        Effect::Notify { title, body } => title.references().chain(body.references()).collect(),
        Effect::Rewrite(Rewrite::Set(_, value)) => rewrite_value_references(value),
        Effect::Rewrite(Rewrite::Replace(_, _, text)) => text.references().collect(),
        Effect::Rewrite(Rewrite::Runs(_)) => Vec::new(),
        Effect::Mark(mark) => match &mark.key {
            Some(KeySource::Value(source)) => vec![source],
            Some(KeySource::Match | KeySource::Call) | None => Vec::new(),
        },
        Effect::Run(run) => run_references(run),
        Effect::Record(record) => {
            let values = record.fields.iter().flat_map(|(_, value)| match value {
                RecordValue::Text(text) => text.references().collect(),
                RecordValue::Source(source) => vec![source],
                RecordValue::Literal(_) | RecordValue::Null => Vec::new(),
            });
            record.file.references().chain(values).collect()
        }
    }
}

/// Returns the references in the command, the message and the options of a `run`.
fn run_references(run: &RunSpec) -> Vec<&ValueReference> {
    let command: Vec<&ValueReference> = match &run.command {
        RunCommand::Shell(_, sources) => sources.iter().collect(),
        RunCommand::Argv(words) => words.iter().flat_map(argv_word_references).collect(),
    };
    let texts = run.message.iter().chain(&run.cwd).chain(run.env.values());
    command.into_iter().chain(texts.flat_map(Template::references)).collect()
}

/// Returns the references in a word of a command that is written as a list.
fn argv_word_references(word: &ArgvWord) -> Vec<&ValueReference> {
    match word {
        ArgvWord::Text(text) => text.references().collect(),
        ArgvWord::Values(source) => vec![source],
    }
}

/// Returns the references in a value that a rewrite sets.
fn rewrite_value_references(value: &RewriteValue) -> Vec<&ValueReference> {
    match value {
        RewriteValue::Text(text) => text.references().collect(),
        RewriteValue::Source(source) => vec![source],
        RewriteValue::List(values) => values.iter().flat_map(rewrite_value_references).collect(),
        RewriteValue::Literal(_) | RewriteValue::Remove => Vec::new(),
    }
}

/// Returns the references in directories that come from the event.
fn dir_references(dirs: &[DirOperand]) -> impl Iterator<Item = &ValueReference> {
    dirs.iter().flat_map(DirOperand::references)
}
