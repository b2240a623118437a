//! Reads the phrasebook, `grammar/phrases/*.toml`, and writes the table that `src/phrases.rs` includes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::{fs, io};

use toml::de::{DeTable, DeValue};

#[path = "../src/phrases/place.rs"]
#[expect(unreachable_pub, reason = "the library shows it")]
mod place;

use place::Place;

/// The directory of the phrasebook.
const PHRASES: &str = "grammar/phrases";

/// The keys of a row. `from` and `at` may also be at the head of the file, for all its rows.
const KEYS: [&str; 7] = ["from", "at", "written", "means", "help", "label", "run"];

/// A row, for one of its spellings.
struct Row {
    means: String,
    help: String,
    label: String,
    run: String,
}

/// The rows of each place, by what is written.
type Rows = BTreeMap<Place, BTreeMap<String, Row>>;

/// A mistake in a file, and its place.
struct Mistake(Range<usize>, String);

/// Returns the name of a place in a file.
fn name(place: Place) -> &'static str {
    match place {
        Place::Tool => "tool",
        Place::Event => "event",
        Place::Field => "field",
        Place::PartOfPath => "part of a path",
        Place::Where => "where",
        Place::CommandOption => "option of a command",
        Place::Placeholder => "placeholder",
        Place::Variable => "variable",
        Place::Operator => "operator",
        Place::Comparison => "comparison",
        Place::Test => "test",
        Place::Value => "value",
        Place::Length => "length",
        Place::LowerCase => "lower case",
        Place::Directory => "directory",
        Place::PathPrefix => "beginning of a path",
        Place::Verb => "verb",
        Place::Keyword => "keyword",
        Place::Clause => "clause",
        Place::Item => "item",
        Place::EffectOption => "option of an effect",
        Place::Decision => "decision",
        Place::Filler => "superfluous word",
        Place::Block => "block of definitions",
        Place::EventKey => "event as a key",
        Place::Line => "line of another file",
    }
}

/// Reads the phrasebook, and writes the table.
pub(crate) fn write(out: &Path) -> io::Result<()> {
    println!("cargo:rerun-if-changed={PHRASES}");
    println!("cargo:rerun-if-changed=src/phrases/place.rs");
    let mut files: Vec<_> = fs::read_dir(PHRASES)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut rows = Rows::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let mut mistakes = Vec::new();
        of_file(&text, &mut rows, &mut mistakes);
        for Mistake(at, message) in mistakes {
            let line = text.get(..at.start).unwrap_or_default().matches('\n').count() + 1;
            println!("cargo::error={}:{line}: {message}", file.display());
        }
    }
    let mut code = format!("static TABLE: [&[Phrase]; {}] = [\n", Place::ALL.len());
    for place in Place::ALL {
        code.push_str("&[\n");
        for (written, Row { means, help, label, run }) in rows.get(&place).into_iter().flatten() {
            // Writing to a string does not fail.
            let _written = writeln!(
                code,
                "Phrase {{ written: {written:?}, means: {means:?}, help: {help:?}, label: {label:?}, run: {run:?} }},"
            );
        }
        code.push_str("],\n");
    }
    code.push_str("];\n");
    fs::write(out.join("phrases.rs"), code)
}

/// Reads a file.
fn of_file(text: &str, rows: &mut Rows, mistakes: &mut Vec<Mistake>) {
    let (document, errors) = DeTable::parse_recoverable(text);
    mistakes.extend(errors.iter().map(|error| Mistake(error.span().unwrap_or(0..0), error.message().to_owned())));
    let head = document.get_ref();
    known_keys(head, &["from", "at", "phrase"], mistakes);
    let Some(DeValue::Array(list)) = head.get("phrase").map(|value| value.get_ref()) else {
        return mistakes.push(Mistake(0..0, "no `[[phrase]]`".to_owned()));
    };
    for row in list {
        match row.get_ref() {
            DeValue::Table(table) => of_row(table, head, row.span(), rows, mistakes),
            _ => mistakes.push(Mistake(row.span(), "a phrase is a table: `[[phrase]]`".to_owned())),
        }
    }
}

fn known_keys(table: &DeTable<'_>, keys: &[&str], mistakes: &mut Vec<Mistake>) {
    for key in table.keys().filter(|key| !keys.contains(&key.get_ref().as_ref())) {
        mistakes.push(Mistake(key.span(), format!("unknown key `{}`; valid: {}", key.get_ref(), keys.join(", "))));
    }
}

/// Reads a row, once for each spelling.
fn of_row(table: &DeTable<'_>, head: &DeTable<'_>, span: Range<usize>, rows: &mut Rows, mistakes: &mut Vec<Mistake>) {
    known_keys(table, &KEYS, mistakes);
    let texts = |key: &str| -> Vec<(Range<usize>, String)> {
        let Some(value) = table.get(key).or_else(|| head.get(key)) else { return Vec::new() };
        match value.get_ref() {
            DeValue::String(text) => vec![(value.span(), text.to_string())],
            DeValue::Array(list) => {
                let text =
                    |value: &toml::Spanned<DeValue<'_>>| Some((value.span(), value.get_ref().as_str()?.to_owned()));
                list.iter().filter_map(text).collect()
            }
            _ => Vec::new(),
        }
    };
    let one = |key: &str| texts(key).into_iter().next().map(|(_, text)| text).unwrap_or_default();
    let place = one("at");
    let Some(place) = Place::ALL.into_iter().find(|known| name(*known) == place) else {
        let known = Place::ALL.map(name).join("`, `");
        return mistakes.push(Mistake(span, format!("`at` is one of `{known}`")));
    };
    if one("from").is_empty() {
        mistakes.push(Mistake(span.clone(), "`from` names the language or program".to_owned()));
    }
    if ["means", "help", "run"].iter().all(|key| one(key).is_empty()) {
        mistakes.push(Mistake(span.clone(), "a phrase has `means`, `help` or `run`".to_owned()));
    }
    let written = texts("written");
    if written.is_empty() {
        mistakes.push(Mistake(span, "`written` is what authors write: a text or a list of texts".to_owned()));
    }
    for (span, written) in written {
        let row = Row { means: one("means"), help: one("help"), label: one("label"), run: one("run") };
        if rows.entry(place).or_default().insert(place.folded(&written), row).is_some() {
            mistakes.push(Mistake(span, format!("`{written}` has another row as a {}", name(place))));
        }
    }
}
