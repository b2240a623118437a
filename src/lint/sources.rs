//! The sources and texts in a test or an effect.

use crate::ruleset::{
    ArgvWord, Condition, Dir, Effect, FactName, Kind, Part, RecordValue, Rewrite, RewriteValue, RunCommand, RunSpec,
    Source, Template, Test, TouchTest, Value,
};

/// Returns the tested source.
pub(super) fn tested(test: &Condition) -> Option<&Source> {
    match &test.kind {
        Kind::Compare { source, .. } | Kind::Exists(source) | Kind::Truth(source) => Some(source),
        _ => None,
    }
}

/// Returns the sources that it is compared with, and that of a file it tests.
pub(super) fn compared(test: &Condition) -> Vec<&Source> {
    let mut sources: Vec<&Source> = match tested(test) {
        Some(Source::Fact(FactName::File(_, file) | FactName::OwnFile(_, file))) => {
            of_value(file).into_iter().collect()
        }
        _ => Vec::new(),
    };
    match &test.kind {
        Kind::Compare { test, .. } => sources.extend(of_comparison(test)),
        Kind::Touches { test: TouchTest::Under(dirs) | TouchTest::Outside(dirs), .. } => sources.extend(of_dirs(dirs)),
        _ => {}
    }
    sources
}

/// Returns the texts that a text, or a part of it, is compared with.
pub(super) fn texts_in(test: &Test) -> Vec<&str> {
    match test {
        Test::Equal(value) | Test::StartsWith(value) | Test::EndsWith(value) | Test::Contains(value) => {
            value.text().into_iter().collect()
        }
        Test::In(values) => values.iter().filter_map(Value::text).collect(),
        Test::LikeText(globs) => globs.patterns().collect(),
        _ => Vec::new(),
    }
}

/// Returns the texts of an effect that are shown to people or agents.
pub(super) fn texts_of(effect: &Effect) -> Vec<&Template> {
    match effect {
        Effect::Vote { message, .. } | Effect::Exit { message, .. } => vec![message],
        Effect::Context(text) | Effect::Warn(text) => vec![text],
        Effect::Notify { title, body } => vec![title, body],
        Effect::Run(run) => run.message.iter().collect(),
        Effect::Rewrite(_) | Effect::Record(_) => Vec::new(),
    }
}

/// Returns the text of a template without placeholders.
pub(super) fn plain(template: &Template) -> Option<&str> {
    match template.parts.as_slice() {
        [Part::Text(text)] => Some(text),
        _ => None,
    }
}

/// Returns the sources of an effect's placeholders and values.
pub(super) fn of_effect(effect: &Effect) -> Vec<&Source> {
    match effect {
        Effect::Vote { message, .. } | Effect::Exit { message, .. } => of_template(message).collect(),
        Effect::Context(text) | Effect::Warn(text) => of_template(text).collect(),
        Effect::Notify { title, body } => of_template(title).chain(of_template(body)).collect(),
        Effect::Rewrite(Rewrite::Set(_, value)) => of_rewrite(value),
        Effect::Rewrite(Rewrite::Replace(_, _, text)) => of_template(text).collect(),
        Effect::Rewrite(Rewrite::Runs(_)) => Vec::new(),
        Effect::Run(run) => of_run(run),
        Effect::Record(record) => {
            let values = record.fields.iter().flat_map(|(_, value)| match value {
                RecordValue::Text(text) => of_template(text).collect(),
                RecordValue::Source(source) => vec![source],
                RecordValue::Literal(_) | RecordValue::Null => Vec::new(),
            });
            of_template(&record.file).chain(values).collect()
        }
    }
}

fn of_run(run: &RunSpec) -> Vec<&Source> {
    let command: Vec<&Source> = match &run.command {
        RunCommand::Shell(_, sources) => sources.iter().collect(),
        RunCommand::Argv(words) => words.iter().flat_map(of_word).collect(),
    };
    let texts = run.message.iter().chain(&run.cwd).chain(run.env.values());
    command.into_iter().chain(texts.flat_map(of_template)).collect()
}

fn of_word(word: &ArgvWord) -> Vec<&Source> {
    match word {
        ArgvWord::Text(text) => of_template(text).collect(),
        ArgvWord::Values(source) => vec![source],
    }
}

fn of_rewrite(value: &RewriteValue) -> Vec<&Source> {
    match value {
        RewriteValue::Text(text) => of_template(text).collect(),
        RewriteValue::Source(source) => vec![source],
        RewriteValue::List(values) => values.iter().flat_map(of_rewrite).collect(),
        RewriteValue::Literal(_) | RewriteValue::Remove => Vec::new(),
    }
}

fn of_template(template: &Template) -> impl Iterator<Item = &Source> {
    template.parts.iter().filter_map(|part| match part {
        Part::Value(source) => Some(source),
        Part::Text(_) => None,
    })
}

fn of_comparison(test: &Test) -> Vec<&Source> {
    match test {
        Test::Equal(value)
        | Test::Order(_, value)
        | Test::Contains(value)
        | Test::StartsWith(value)
        | Test::EndsWith(value) => of_value(value).into_iter().collect(),
        Test::In(values) => values.iter().filter_map(of_value).collect(),
        Test::Under(dirs) | Test::Outside(dirs) => of_dirs(dirs).collect(),
        Test::LikeText(_) | Test::LikePath(_) | Test::Matches(_) => Vec::new(),
    }
}

fn of_value(value: &Value) -> Option<&Source> {
    match value {
        Value::Source(source) => Some(source),
        Value::Literal(_) => None,
    }
}

fn of_dirs(dirs: &[Dir]) -> impl Iterator<Item = &Source> {
    dirs.iter().filter_map(|dir| match dir {
        Dir::Source(source) => Some(source),
        Dir::Project | Dir::Tmp | Dir::Home | Dir::Literal(_) => None,
    })
}
