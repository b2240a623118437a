//! Words, and the causes and sources of what is unknown in them.

use hookrules_shell::analysis::{Assignment, CommandId};
use hookrules_shell::values::Values;
use hookrules_shell::word::{Cause, Directory, Part, Prints, Source, UnknownPart};
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

fn part(part: &Part) -> Json {
    match part {
        Part::Text(text) => json!(text),
        Part::Glob(glob) => json!({ "glob": glob }),
        Part::Unknown(UnknownPart { why, splits }) => json!({ "unknown": unknown(why), "splits": splits }),
    }
}

pub fn assignments(all: &[Assignment]) -> Json {
    all.iter().map(|one| json!({ "name": one.name, "value": opt_word(one.value.as_ref()) })).collect()
}

pub fn values(values: &Values) -> Json {
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
        Cause::FileText => "file text",
        Cause::Foreign => "foreign",
        Cause::Computed => "computed",
        Cause::Library => "library",
        Cause::Syntax => "syntax",
        Cause::Long => "long",
        Cause::Deep => "deep",
        Cause::NoText => "no text",
        Cause::Directory => "directory",
        Cause::Option => "option",
        Cause::Abbreviation => "abbreviation",
        Cause::Letters => "letters",
        Cause::Alias => "alias",
        Cause::Contents => "contents",
        Cause::Packed => "packed",
        Cause::Picked => "picked",
        Cause::Editing => "editing",
        Cause::Account => "account",
        Cause::Meaning => "meaning",
        Cause::Branches => "branches",
        Cause::Earlier => "earlier",
        Cause::Descriptor => "descriptor",
        Cause::Peer => "peer",
        Cause::Dialect => "dialect",
    }
}

fn source(source: &Source) -> Json {
    match source {
        Source::Any => Json::Null,
        Source::Output(_) => json!({ "output": source.prints().map(prints) }),
        Source::Variable(name) => json!({ "variable": &**name }),
        Source::Line(line) => {
            let from: Vec<usize> = line.from.iter().map(|id| id.index()).collect();
            json!({ "line": line.name, "by": CommandId::index(line.by), "from": from })
        }
        Source::Defaulted(one) => {
            json!({ "defaulted": one.name, "default": one.default, "for_empty": one.for_empty })
        }
        Source::Changed(name) => json!({ "changed": &**name }),
        Source::Indirect => json!("indirect"),
        Source::Alternative => json!("alternative"),
        Source::Number => json!("number"),
        Source::Shell => json!("shell"),
        Source::Process => json!("process"),
        Source::Parent => json!("parent"),
        Source::Below => json!("below"),
        Source::Name => json!("name"),
        Source::Matched(glob) => json!({ "matched": word(glob) }),
        // Its number only distinguishes the streams of one text.
        Source::Stream(_) => json!("stream"),
        Source::Found => json!("found"),
        Source::Each => json!("each"),
        Source::Listed => json!("listed"),
        Source::Letters(count) => json!({ "letters": count }),
    }
}

fn prints(prints: &Prints) -> Json {
    match prints {
        Prints::Root(directory) => json!({ "root": directory.to_string_lossy() }),
        Prints::Branch => json!("branch"),
        Prints::Tag => json!("tag"),
        Prints::Commits => json!("commits"),
        Prints::TemporaryFile => json!("temporary file"),
        Prints::TemporaryDirectory => json!("temporary directory"),
        Prints::Made(template) => json!({
            "made": template.directory.as_ref().map(|path| path.to_string_lossy()),
            "before": template.before,
            "letters": template.letters,
            "after": template.after,
        }),
        Prints::Name => json!("name"),
        Prints::Plain => json!("plain"),
    }
}
