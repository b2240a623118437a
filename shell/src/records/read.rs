//! The files to records. It knows which keys there are, and nothing of what they refer to.

#[path = "read/files.rs"]
mod files;
#[path = "read/runs.rs"]
mod runs;

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::variables::KINDS as VARIABLES;
use super::{Mistake, Opt, Place, Record, Reference, report};

/// How a program reads its words: [`super::Record::reading`] as it is written, and in Rust.
const READINGS: &[(&str, &str)] = &[
    ("gnu", "Gnu"),
    ("leading", "Leading"),
    ("words", "Words"),
    ("pairs", "Pairs"),
    ("bundled", "Bundled"),
    ("operands", "Operands"),
];
const UNLISTED: &[(&str, &str)] = &[("other", "Other"), ("alias", "Alias")];
const OPERANDS: &[(&str, &str)] = &[("nothing", "Nothing"), ("runs", "Runs"), ("writes", "Writes")];

/// The kinds of options: whether they take a value, and what they do.
const KINDS: &[(&str, &str, &str)] = &[
    ("flag", "None", "Nothing"),
    ("changes", "None", "Writes"),
    ("starts", "None", "Runs"),
    ("explains", "None", "Explains"),
    ("value", "Value", "Nothing"),
    ("reads", "Value", "Reads"),
    ("writes", "Value", "Writes"),
    ("runs", "Value", "Runs"),
    ("enters", "Value", "Enters"),
    ("attached", "Attached", "Nothing"),
    ("attached-writes", "Attached", "Writes"),
    ("attached-runs", "Attached", "Runs"),
    ("long", "Long", "Nothing"),
    ("command", "Command", "Runs"),
];

type Key<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads the files; a file in a directory is a subcommand of the record that the directory is named after.
pub(super) fn read(files: &[(String, String)], mistakes: &mut Vec<Mistake>) -> Vec<Record> {
    let mut programs: Vec<Record> = Vec::new();
    // A shorter path comes first, so that the record of a directory is there before what it holds.
    let mut sorted: Vec<_> = files.iter().collect();
    sorted.sort_by_key(|(file, _)| (file.matches('/').count(), file));
    for (file, text) in sorted {
        let record = Reader { file, text, mistakes }.file();
        let (directory, stem) = stem(file);
        if !record.names.iter().any(|name| name == stem) {
            report(mistakes, &record.place, format!("the file is named `{stem}`, and `names` lacks that name"));
        }
        match below(&mut programs, directory) {
            Some(records) => records.push(record),
            None => report(mistakes, &record.place, format!("`{directory}.toml` is missing")),
        }
    }
    programs
}

/// Returns the directory of a file and its name without the extension.
fn stem(file: &str) -> (&str, &str) {
    let bare = file.strip_suffix(".toml").unwrap_or(file);
    bare.rsplit_once('/').unwrap_or(("", bare))
}

/// Returns the subcommands of the record that a directory is named after.
fn below<'r>(programs: &'r mut Vec<Record>, directory: &str) -> Option<&'r mut Vec<Record>> {
    if directory.is_empty() {
        return Some(programs);
    }
    let records = below(programs, stem(directory).0)?;
    let file = format!("{directory}.toml");
    Some(&mut records.iter_mut().find(|record| record.place.file == file)?.commands)
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    mistakes: &'a mut Vec<Mistake>,
}

impl Reader<'_> {
    fn file(mut self) -> Record {
        let (document, errors) = DeTable::parse_recoverable(self.text);
        for error in errors {
            let message = error.message().lines().next().unwrap_or_default();
            let message = format!("not TOML: {message}");
            self.bad(&error.span().unwrap_or(0..0), message);
        }
        self.record(document.get_ref(), &(0..0), Depth::Program)
    }

    fn record(&mut self, table: &DeTable<'_>, span: &Range<usize>, depth: Depth) -> Record {
        let is_program = depth == Depth::Program && !self.file.contains('/');
        let mut record = Record { place: self.place(span), ..Record::default() };
        for (key, value) in sorted(table) {
            match &**key.get_ref() {
                "names" => record.names = self.names(key, value),
                "versioned" if is_program => record.versioned = self.names(key, value),
                "interpreter" if is_program => record.is_interpreter = self.is_true(key, value),
                "as-written" => record.is_as_written = self.is_true(key, value),
                "reading" => record.reading = self.one_of(key, value, READINGS),
                "unlisted" => record.unlisted = self.one_of(key, value, UNLISTED),
                "operands" => record.operands = self.one_of(key, value, OPERANDS),
                "like" => {
                    record.like =
                        self.string(key, value).map(|name| Reference { place: self.place(&key.span()), name });
                }
                "with" => record.with = self.references(key, value),
                "each" => record.each = self.references(key, value),
                "shares" => record.shares = self.references(key, value),
                "files" => record.files = Some(self.files(key, value)),
                "runs" => record.runs = Some(self.runs(key, value)),
                "variables" if is_program => record.variables = Some(self.by_kind(key, value, VARIABLES)),
                "from" => self.source(key, value),
                "options" => record.options = self.options(key, value),
                "set" => {
                    for (name, set) in self.table(key, value).into_iter().flat_map(sorted) {
                        record.sets.push((name.get_ref().to_string(), self.options(name, set)));
                    }
                }
                "command" => {
                    for command in self.array(key, value) {
                        if let Some(table) = self.table(key, command) {
                            record.commands.push(self.record(table, &command.span(), Depth::Subcommand));
                        }
                    }
                }
                other => self.bad(&key.span(), unknown(other, is_program)),
            }
        }
        if record.names.is_empty() {
            report(self.mistakes, &record.place, "`names` is missing".to_owned());
        }
        if record.is_as_written && (record.reading.is_some() || !record.options.is_empty()) {
            let message = "what is `as-written` has no options: leave out that line, or `reading` and `options`";
            report(self.mistakes, &record.place, message.to_owned());
        }
        record
    }

    /// Holds the source of a record to its shape. People read it, and nothing else does.
    fn source(&mut self, key: &Key<'_>, value: &Value<'_>) {
        let is_line = |text: &str| !text.trim().is_empty() && !text.contains('\n');
        if self.string(key, value).is_some_and(|text| !is_line(&text)) {
            self.bad(&value.span(), "`from` is one line: a manual with its version, or a URL".to_owned());
        }
    }

    fn options(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<Opt> {
        let mut options = Vec::new();
        for (kind, values) in self.table(key, value).into_iter().flat_map(sorted) {
            let word: &str = kind.get_ref();
            let found = KINDS.iter().find(|(name, ..)| *name == word);
            for value in self.array(kind, values) {
                let option = match (found, word) {
                    (Some((_, arity, does)), _) => self.string(kind, value).map(|names| Opt {
                        arity,
                        does,
                        ..Opt::new(self.place(&value.span()), &names)
                    }),
                    (None, "undo" | "both") => self.combined(kind, value),
                    _ => None,
                };
                options.extend(option);
            }
            if found.is_none() && !matches!(word, "undo" | "both") {
                let kinds: Vec<_> = KINDS.iter().map(|(name, ..)| *name).collect();
                let message =
                    format!("unknown kind of option `{word}`; the kinds are {}, undo, both", kinds.join(", "));
                self.bad(&kind.span(), message);
            }
        }
        options
    }

    /// Reads an option that takes another one back, or stands for several.
    fn combined(&mut self, kind: &Key<'_>, value: &Value<'_>) -> Option<Opt> {
        let table = self.table(kind, value)?;
        let mut option = Opt::new(self.place(&value.span()), "");
        for (key, value) in sorted(table) {
            match (&**key.get_ref(), &**kind.get_ref()) {
                ("names", _) => {
                    option.names = self.string(key, value).iter().flat_map(|names| spellings(names)).collect()
                }
                ("undoes", "undo") => option.undoes = self.string(key, value),
                ("means", "both") => option.means = self.names(key, value),
                (other, _) => self.bad(
                    &key.span(),
                    format!("unknown key `{other}`; `undo` has names and undoes, `both` has names and means"),
                ),
            }
        }
        if option.undoes.is_none() && option.means.is_empty() {
            self.bad(&value.span(), "it says no other option: `undo` needs `undoes`, `both` needs `means`".to_owned());
        }
        Some(option)
    }

    fn references(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<Reference> {
        let place = self.place(&key.span());
        self.names(key, value).into_iter().map(|name| Reference { place: place.clone(), name }).collect()
    }

    fn names(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<String> {
        let mut names = Vec::new();
        for value in self.array(key, value) {
            let name = self.string(key, value);
            if name.as_deref() == Some("") {
                self.bad(&value.span(), format!("a name in `{}` is empty", key.get_ref()));
            }
            names.extend(name);
        }
        names
    }

    fn one_of(&mut self, key: &Key<'_>, value: &Value<'_>, words: &[(&str, &'static str)]) -> Option<&'static str> {
        let word = self.string(key, value)?;
        let found = words.iter().find(|(name, _)| *name == word);
        if found.is_none() {
            let all: Vec<_> = words.iter().map(|(name, _)| *name).collect();
            self.bad(&value.span(), format!("unknown {} `{word}`; write one of {}", key.get_ref(), all.join(", ")));
        }
        found.map(|(_, rust)| *rust)
    }

    fn is_true(&mut self, key: &Key<'_>, value: &Value<'_>) -> bool {
        let found = value.get_ref().as_bool();
        if found.is_none() {
            self.bad(&value.span(), format!("`{}` is `true` or left out", key.get_ref()));
        }
        found.unwrap_or_default()
    }

    fn string(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<String> {
        let found = value.get_ref().as_str().map(str::to_owned);
        if found.is_none() {
            self.bad(&value.span(), format!("`{}` expects text in quotes", key.get_ref()));
        }
        found
    }

    fn array<'v, 'i>(
        &mut self,
        key: &Key<'_>,
        value: &'v Value<'i>,
    ) -> impl Iterator<Item = &'v Value<'i>> + use<'v, 'i> {
        let found = value.get_ref().as_array();
        if found.is_none() {
            self.bad(&value.span(), format!("`{}` expects a list", key.get_ref()));
        }
        found.into_iter().flat_map(|values| values.iter())
    }

    fn table<'v, 'i>(&mut self, key: &Key<'_>, value: &'v Value<'i>) -> Option<&'v DeTable<'i>> {
        let found = value.get_ref().as_table();
        if found.is_none() {
            self.bad(&value.span(), format!("`{}` expects a table", key.get_ref()));
        }
        found
    }

    fn bad(&mut self, span: &Range<usize>, message: String) {
        let place = self.place(span);
        report(self.mistakes, &place, message);
    }

    fn place(&self, span: &Range<usize>) -> Place {
        let before = self.text.bytes().take(span.start);
        Place { file: self.file.to_owned(), line: 1 + before.filter(|byte| *byte == b'\n').count() }
    }
}

/// What a table of a file is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Program,
    Subcommand,
}

fn unknown(key: &str, is_program: bool) -> String {
    match key {
        "versioned" | "interpreter" | "variables" if !is_program => {
            format!("`{key}` is said of a program, not of a subcommand")
        }
        _ => format!(
            "unknown key `{key}`; a record has names, versioned, interpreter, as-written, like, reading, unlisted, \
             operands, with, each, shares, options, files, runs, variables, from, set, command"
        ),
    }
}

/// Returns the entries of a table in the order in which they are written.
fn sorted<'t, 'i>(table: &'t DeTable<'i>) -> impl Iterator<Item = (&'t Key<'i>, &'t Value<'i>)> + use<'t, 'i> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries.into_iter()
}

fn spellings(names: &str) -> impl Iterator<Item = String> {
    names.split(' ').map(str::to_owned)
}

impl Opt {
    fn new(place: Place, names: &str) -> Self {
        Self {
            place,
            names: spellings(names).collect(),
            arity: "None",
            does: "Nothing",
            undoes: None,
            means: Vec::new(),
        }
    }
}
