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

use place::PhrasePlace;

/// The directory of the phrasebook.
const PHRASES: &str = "grammar/phrases";

/// The keys of a row. `from` and `at` may also be at the head of the file, for all its rows.
const KEYS: [&str; 7] = ["from", "at", "written", "means", "help", "label", "run"];

/// A row, for one of its spellings.
struct PhraseRow {
    means: String,
    help: String,
    label: String,
    run: String,
}

/// The rows of each place, by what is written.
type PhraseRows = BTreeMap<PhrasePlace, BTreeMap<String, PhraseRow>>;

/// A mistake in a file, and its place.
struct PhrasebookMistake(Range<usize>, String);

/// Reads the phrasebook, and writes the table.
pub(crate) fn write(out: &Path) -> io::Result<()> {
    println!("cargo:rerun-if-changed={PHRASES}");
    println!("cargo:rerun-if-changed=src/phrases/place.rs");
    let mut files: Vec<_> = fs::read_dir(PHRASES)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut rows = PhraseRows::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let mut mistakes = Vec::new();
        read_file(&text, &mut rows, &mut mistakes);
        for PhrasebookMistake(at, message) in mistakes {
            let line = text.get(..at.start).unwrap_or_default().matches('\n').count() + 1;
            println!("cargo::error={}:{line}: {message}", file.display());
        }
    }
    let mut code = "static TABLE: &[&[Phrase]] = &[\n".to_owned();
    for (place, _) in PhrasePlace::ALL {
        code.push_str("&[\n");
        for (written, PhraseRow { means, help, label, run }) in rows.get(place).into_iter().flatten() {
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
fn read_file(text: &str, rows: &mut PhraseRows, mistakes: &mut Vec<PhrasebookMistake>) {
    let (document, errors) = DeTable::parse_recoverable(text);
    mistakes
        .extend(errors.iter().map(|error| PhrasebookMistake(error.span().unwrap_or(0..0), error.message().to_owned())));
    let head = document.get_ref();
    check_keys(head, &["from", "at", "phrase"], mistakes);
    let Some(DeValue::Array(list)) = head.get("phrase").map(|value| value.get_ref()) else {
        return mistakes.push(PhrasebookMistake(0..0, "no `[[phrase]]`".to_owned()));
    };
    for row in list {
        match row.get_ref() {
            DeValue::Table(table) => read_row(table, head, row.span(), rows, mistakes),
            _ => mistakes.push(PhrasebookMistake(row.span(), "a phrase is a table: `[[phrase]]`".to_owned())),
        }
    }
}

fn check_keys(table: &DeTable<'_>, keys: &[&str], mistakes: &mut Vec<PhrasebookMistake>) {
    for key in table.keys().filter(|key| !keys.contains(&key.get_ref().as_ref())) {
        mistakes.push(PhrasebookMistake(
            key.span(),
            format!("unknown key `{}`; valid: {}", key.get_ref(), keys.join(", ")),
        ));
    }
}

/// Reads a row, once for each spelling.
fn read_row(
    table: &DeTable<'_>,
    head: &DeTable<'_>,
    span: Range<usize>,
    rows: &mut PhraseRows,
    mistakes: &mut Vec<PhrasebookMistake>,
) {
    check_keys(table, &KEYS, mistakes);
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
    let at = one("at");
    let Some((place, _)) = PhrasePlace::ALL.iter().copied().find(|(_, name)| *name == at) else {
        let known = PhrasePlace::ALL.iter().map(|(_, name)| *name).collect::<Vec<_>>().join("`, `");
        return mistakes.push(PhrasebookMistake(span, format!("`at` is one of `{known}`")));
    };
    if one("from").is_empty() {
        mistakes.push(PhrasebookMistake(span.clone(), "`from` names the language or program".to_owned()));
    }
    if ["means", "help", "run"].iter().all(|key| one(key).is_empty()) {
        mistakes.push(PhrasebookMistake(span.clone(), "a phrase has `means`, `help` or `run`".to_owned()));
    }
    let written = texts("written");
    if written.is_empty() {
        mistakes.push(PhrasebookMistake(span, "`written` is what authors write: a text or a list of texts".to_owned()));
    }
    for (span, written) in written {
        let row = PhraseRow { means: one("means"), help: one("help"), label: one("label"), run: one("run") };
        if rows.entry(place).or_default().insert(place.folded(&written), row).is_some() {
            mistakes.push(PhrasebookMistake(span, format!("`{written}` has another row as a {}", at)));
        }
    }
}
