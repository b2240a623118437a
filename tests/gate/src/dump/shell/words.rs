//! Words, and the causes and sources of what is unknown in them.

use hookrules_shell::analysis::{Assignment, CommandId};
use hookrules_shell::values::FieldValues;
use hookrules_shell::word::{Cause, Directory, PrintedValue, UnknownPart, ValueSource, WordPart};
use hookrules_shell::{Unknown, Word};
use serde_json::{Value as Json, json};

pub fn word(word: &Word) -> Json {
    let parts: Vec<Json> = word.parts.iter().map(part).collect();
    match &word.span {
        None => json!(parts),
        Some(span) => json!({ "span": [span.start, span.end], "parts": parts }),
    }
}

pub fn word_list(words: &[Word]) -> Json {
    words.iter().map(word).collect()
}

pub fn opt_word(one: Option<&Word>) -> Json {
    one.map_or(Json::Null, word)
}

fn part(part: &WordPart) -> Json {
    match part {
        WordPart::Text(text) => json!(text),
        WordPart::Glob(glob) => json!({ "glob": glob }),
        WordPart::Unknown(UnknownPart { reason: why, may_split: splits }) => {
            json!({ "unknown": unknown(why), "splits": splits })
        }
    }
}

pub fn assignments(all: &[Assignment]) -> Json {
    all.iter().map(|one| json!({ "name": one.name, "value": opt_word(one.value.as_ref()) })).collect()
}

pub fn values(values: &FieldValues) -> Json {
    json!({ "words": word_list(&values.words), "others": opt_unknown(values.others.as_ref()) })
}

pub fn directory(directory: &Directory) -> Json {
    match directory {
        Directory::Known(path) => json!(path.to_string_lossy()),
        Directory::Unknown(why) => unknown(why),
    }
}

pub fn opt_unknown(why: Option<&Unknown>) -> Json {
    why.map_or(Json::Null, unknown)
}

pub fn unknown(why: &Unknown) -> Json {
    json!({ "cause": cause(why.cause), "word": why.word, "source": source(&why.source) })
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Variable => "variable",
        Cause::Output => "output",
        Cause::Argument => "argument",
        Cause::Glob => "glob",
        Cause::Qualifier => "qualifier",
        Cause::Input => "input",
        Cause::Decoded => "decoded",
        Cause::ScriptFile => "script file",
        Cause::Task => "task",
        Cause::FileText => "file text",
        Cause::Foreign => "foreign",
        Cause::Computed => "computed",
        Cause::Library => "library",
        Cause::Syntax => "syntax",
        Cause::TooLong => "long",
        Cause::TooDeep => "deep",
        Cause::NulCharacter => "no text",
        Cause::Directory => "directory",
        Cause::Option => "option",
        Cause::Abbreviation => "abbreviation",
        Cause::Letters => "letters",
        Cause::Alias => "alias",
        Cause::Contents => "contents",
        Cause::ArchiveContents => "packed",
        Cause::FileSelection => "picked",
        Cause::Editing => "editing",
        Cause::Account => "account",
        Cause::AmbiguousWord => "meaning",
        Cause::Branches => "branches",
        Cause::EarlierCommand => "earlier",
        Cause::Descriptor => "descriptor",
        Cause::Peer => "peer",
        Cause::Dialect => "dialect",
    }
}

fn source(source: &ValueSource) -> Json {
    match source {
        ValueSource::Any => Json::Null,
        ValueSource::Output(_) => json!({ "output": source.printed_value().map(prints) }),
        ValueSource::Variable(name) => json!({ "variable": &**name }),
        ValueSource::BelowVariable(path) => json!({ "variable": path.name, "rest": path.rest }),
        ValueSource::ReadVariable(line) => {
            let from: Vec<usize> = line.writers.iter().map(|id| id.index()).collect();
            json!({ "line": line.name, "by": CommandId::index(line.reader), "from": from })
        }
        ValueSource::Defaulted(one) => {
            json!({ "defaulted": one.name, "default": one.default, "for_empty": one.for_empty })
        }
        ValueSource::DerivedVariable(name) => json!({ "changed": &**name }),
        ValueSource::IndirectVariable => json!("indirect"),
        ValueSource::Alternative => json!("alternative"),
        ValueSource::Number => json!("number"),
        ValueSource::Shell => json!("shell"),
        ValueSource::Process => json!("process"),
        ValueSource::Parent => json!("parent"),
        ValueSource::BelowDirectory => json!("below"),
        ValueSource::Name => json!("name"),
        ValueSource::GlobMatch(glob) => json!({ "matched": word(glob) }),
        // Its number only distinguishes the streams of one text.
        ValueSource::Stream(_) => json!("stream"),
        ValueSource::SearchResult => json!("found"),
        ValueSource::OneOfFiles => json!("each"),
        ValueSource::InputWords => json!("listed"),
        ValueSource::RandomLetters(count) => json!({ "letters": count }),
    }
}

fn prints(prints: &PrintedValue) -> Json {
    match prints {
        PrintedValue::Root(directory) => json!({ "root": directory.to_string_lossy() }),
        PrintedValue::Branch => json!("branch"),
        PrintedValue::Tag => json!("tag"),
        PrintedValue::Commits => json!("commits"),
        PrintedValue::Numbers => json!("numbers"),
        PrintedValue::Number => json!("number"),
        PrintedValue::Identifiers => json!("identifiers"),
        PrintedValue::TemporaryFile => json!("temporary file"),
        PrintedValue::TemporaryDirectory => json!("temporary directory"),
        PrintedValue::FromTemplate(template) => json!({
            "made": template.directory.as_ref().map(|path| path.to_string_lossy()),
            "before": template.before,
            "letters": template.letters,
            "after": template.after,
        }),
        PrintedValue::Name => json!("name"),
        PrintedValue::Plain => json!("plain"),
        PrintedValue::Program(name) => json!({ "program": &**name }),
    }
}
