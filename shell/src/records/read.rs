//! Reads files into records. This module knows the keys, but does not resolve references.

#[path = "read/files.rs"]
mod files;
#[path = "read/network.rs"]
mod network;
#[path = "read/prints.rs"]
mod prints;
#[path = "read/project.rs"]
mod project;
#[path = "read/runs.rs"]
mod runs;

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::files::Files;
use super::kinds::{DIALECTS, INPUTS, LANGUAGES};
use super::variables::{KINDS as VARIABLES, STARTUP};
use super::{
    Additions, Arity, Does, LongOptions, MAX_DEPTH, Mistake, OptionRecord, Place, Reading, Record, Reference,
    ShortOptions, Subcommands, Unlisted, Written, report,
};

/// How a program parses its words, by the TOML word.
const READINGS: &[(&str, Reading)] = &[
    ("gnu", Reading::Gnu),
    ("leading", Reading::Leading),
    ("words", Reading::Words),
    ("pairs", Reading::Pairs),
    ("bundled", Reading::Bundled),
    ("operands", Reading::Operands),
];
const LONG_OPTIONS: &[(&str, LongOptions)] = &[("shortened", LongOptions::Shortened), ("whole", LongOptions::Whole)];
const SHORT_OPTIONS: &[(&str, ShortOptions)] =
    &[("attached", ShortOptions::Attached), ("equals", ShortOptions::Equals)];
const SUBCOMMANDS: &[(&str, Subcommands)] = &[("whole", Subcommands::Whole), ("shortened", Subcommands::Shortened)];
const UNLISTED: &[(&str, Unlisted)] =
    &[("other", Unlisted::Other), ("alias", Unlisted::Alias), ("script", Unlisted::Script)];
const OPERANDS: &[(&str, Does)] = &[("nothing", Does::Nothing), ("runs", Does::Runs), ("writes", Does::Writes)];

/// The kinds of options: whether they take a value, and what they do.
const KINDS: &[(&str, Arity, Does)] = &[
    ("flag", Arity::None, Does::Nothing),
    ("changes", Arity::None, Does::Writes),
    ("starts", Arity::None, Does::Runs),
    ("explains", Arity::None, Does::Explains),
    ("value", Arity::Value, Does::Nothing),
    ("reads", Arity::Value, Does::Reads),
    ("writes", Arity::Value, Does::Writes),
    ("runs", Arity::Value, Does::Runs),
    ("enters", Arity::Value, Does::Enters),
    ("attached", Arity::Attached, Does::Nothing),
    ("attached-writes", Arity::Attached, Does::Writes),
    ("attached-runs", Arity::Attached, Does::Runs),
    ("long", Arity::Long, Does::Nothing),
    ("command", Arity::Command, Does::Runs),
];

/// The keys that only built-in records have.
const BUILT_IN: &[&str] = &[
    "files",
    "network",
    "runs",
    "variables",
    "prints",
    "project",
    "as-written",
    "input",
    "language",
    "dialect",
    "startup",
];

type Key<'i> = Spanned<DeString<'i>>;
type Value<'i> = Spanned<DeValue<'i>>;

/// Reads the files; a file in a directory is a subcommand of the record that the directory is named after.
pub(super) fn read(
    files: &[(String, String)],
    additions: Option<Additions<'_>>,
    mistakes: &mut Vec<Mistake>,
) -> Vec<Record> {
    let mut programs: Vec<Record> = Vec::new();
    // Shorter paths come first, so that the record of a directory exists before its subcommands.
    let mut sorted: Vec<_> = files.iter().collect();
    sorted.sort_by_key(|(file, _)| (file.matches('/').count(), file));
    for (file, text) in sorted {
        let record = RecordReader::new(file, text, additions, mistakes).file();
        let (directory, stem) = stem(file);
        if !record.names.is_empty() && !record.names.iter().any(|name| name == stem) {
            let message = format!("the file is named `{stem}`, and `names` lacks that name");
            report(mistakes, &record.named, message, format!("add \"{stem}\", or rename the file"));
        }
        match below(&mut programs, directory) {
            Some(records) => records.push(record),
            None => {
                let message = format!("`{directory}.toml` is missing");
                report(mistakes, &record.place, message, "a directory has the subcommands of the record beside it");
            }
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

struct RecordReader<'a> {
    file: &'a str,
    text: &'a str,
    additions: Option<Additions<'a>>,
    /// The positions of the newlines.
    ends: Vec<usize>,
    mistakes: &'a mut Vec<Mistake>,
}

impl<'a> RecordReader<'a> {
    fn new(file: &'a str, text: &'a str, additions: Option<Additions<'a>>, mistakes: &'a mut Vec<Mistake>) -> Self {
        Self { file, text, additions, ends: text.match_indices('\n').map(|(at, _)| at).collect(), mistakes }
    }

    fn file(mut self) -> Record {
        let (document, errors) = DeTable::parse_recoverable(self.text);
        let is_toml = errors.is_empty();
        for error in errors {
            let message = error.message().lines().next().unwrap_or_default();
            let message = format!("not TOML: {message}");
            let help = "write `key = value` with strings in quotes, and `[section]` on a line of its own";
            self.bad(&error.span().unwrap_or(0..0), message, help);
        }
        let before = self.mistakes.len();
        let record = self.record(document.get_ref(), &(0..0), 0);
        if !is_toml {
            // A recovered document may not be what the author wrote: drop the mistakes found in it.
            self.mistakes.truncate(before);
        }
        record
    }

    fn record(&mut self, table: &DeTable<'_>, span: &Range<usize>, depth: usize) -> Record {
        let is_program = depth == 0 && !self.file.contains('/');
        let level = if is_program { Level::Program } else { Level::Subcommand };
        let mut record = Record { place: self.place(span), ..Record::default() };
        for (key, value) in sorted(table) {
            match &**key.get_ref() {
                word if self.is_reserved(word, level) => self.reserved(key),
                "files" => record.files = Some(self.files_at(level, key, value)),
                "command" => record.commands.extend(self.commands(key, value, depth)),
                _ if is_program && self.property_of_program(&mut record, key, value) => {}
                _ if self.property(&mut record, key, value) => {}
                other => {
                    let (message, help) = unknown(other, level, self.additions.as_ref());
                    self.bad(&key.span(), message, help);
                }
            }
        }
        if record.named == Place::default() {
            report(self.mistakes, &record.place, "`names` is missing", "write the names first: `names = [\"tool\"]`");
        }
        if record.is_as_written && (record.reading.is_some() || !record.options.is_empty() || !record.tracks.is_empty())
        {
            let help = "leave out that line, or `reading`, `tracks` and `options`";
            report(self.mistakes, &record.place, "what is `as-written` has no options", help);
        }
        record
    }

    /// Whether a key is for built-in records, and this one is added.
    fn is_reserved(&self, key: &str, level: Level) -> bool {
        self.additions.is_some() && (BUILT_IN.contains(&key) || key == "interpreter" && level == Level::Program)
    }

    fn reserved(&mut self, key: &Key<'_>) {
        let word: &str = key.get_ref();
        let help = match word {
            "interpreter" => "remove it, and mark what it executes: `operands = \"runs\"`, options that are `runs`",
            _ => "remove it, and write a rule about the program",
        };
        self.bad(&key.span(), format!("`{word}` is for built-in records"), help);
    }

    /// Reads a property that only a program has. Returns whether the key is one.
    fn property_of_program(&mut self, record: &mut Record, key: &Key<'_>, value: &Value<'_>) -> bool {
        match &**key.get_ref() {
            "versioned" => record.versioned = self.names(key, value),
            "interpreter" => record.is_interpreter = self.is_true(key, value),
            "prints" => record.prints = Some(self.prints(key, value)),
            "input" => record.reads_input = self.one_of(key, value, INPUTS),
            "language" => record.language = self.one_of(key, value, LANGUAGES),
            "dialect" => record.dialect = self.one_of(key, value, DIALECTS),
            "startup" => record.startup = self.by_kind(key, value, STARTUP),
            "variables" => record.variables = Some(self.by_kind(key, value, VARIABLES)),
            _ => return false,
        }
        true
    }

    /// Reads a property of a program or a subcommand. Returns whether the key is one.
    fn property(&mut self, record: &mut Record, key: &Key<'_>, value: &Value<'_>) -> bool {
        match &**key.get_ref() {
            "names" => self.named(record, key, value),
            "as-written" => record.is_as_written = self.is_true(key, value),
            "reading" => record.reading = self.one_of(key, value, READINGS),
            "long-options" => record.long_options = self.one_of(key, value, LONG_OPTIONS),
            "short-options" => record.short_options = self.one_of(key, value, SHORT_OPTIONS),
            "subcommands" => record.subcommands = self.one_of(key, value, SUBCOMMANDS),
            "aliases" => record.aliases = self.aliases(key, value),
            "tracks" => record.tracks = self.names(key, value),
            "unlisted" => record.unlisted = self.one_of(key, value, UNLISTED),
            "operands" => record.operands = self.one_of(key, value, OPERANDS),
            "like" => {
                record.like = self.string(key, value).map(|name| Reference { place: self.place(&key.span()), name });
            }
            "with" => record.with = self.references(key, value),
            "each" => record.each = self.references(key, value),
            "shares" => record.shares = self.references(key, value),
            "network" => record.network = Some(self.network(key, value)),
            "runs" => record.runs = Some(self.runs(key, value)),
            "project" => record.project = Some(self.project(key, value)),
            "from" => self.source(key, value),
            "options" => record.options = self.options(key, value),
            "set" => {
                let sets = self.table(key, value).into_iter().flat_map(sorted);
                record.sets.extend(sets.map(|(name, set)| (name.get_ref().to_string(), self.options(name, set))));
            }
            _ => return false,
        }
        true
    }

    /// Reads the table of effects on files; some keys are properties of a whole program.
    fn files_at(&mut self, level: Level, key: &Key<'_>, value: &Value<'_>) -> Files {
        let files = self.files(key, value);
        if files.follows_contents() && level == Level::Subcommand {
            let message =
                "`content`, `edits`, `streams`, `collects` and `unpacks` are said of a program, not of a subcommand";
            self.bad(&key.span(), message, "move it to `[files]` of the program");
        }
        files
    }

    fn commands(&mut self, key: &Key<'_>, value: &Value<'_>, depth: usize) -> Vec<Record> {
        if depth == MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} subcommands within each other");
            self.bad(&key.span(), message, "leave out the innermost");
            return Vec::new();
        }
        let mut commands = Vec::new();
        for command in self.array(key, value) {
            if let Some(table) = self.table(key, command) {
                commands.push(self.record(table, &command.span(), depth + 1));
            }
        }
        commands
    }

    /// Reads the names of a record, and reports those that cannot be the name of a command.
    fn named(&mut self, record: &mut Record, key: &Key<'_>, value: &Value<'_>) {
        record.names = self.names(key, value);
        record.named = self.place(&value.span());
        if let Some(names) = value.get_ref().as_array() {
            record.places = names.iter().map(|name| self.place(&name.span())).collect();
            if names.is_empty() {
                self.bad(&value.span(), "`names` is empty", "write a name: `names = [\"tool\"]`");
            }
        }
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || "/*?$`'\"\\;&|<>".contains(c);
        for (name, place) in record.names.iter().zip(&record.places) {
            if name.starts_with('-') || name.contains(is_odd) {
                let help = "write the name alone, without a path, options or quotes";
                report(self.mistakes, place, format!("no command is called `{}`", name.escape_debug()), help);
            }
        }
    }

    /// Reads groups of synonymous names of subcommands.
    fn aliases(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<(Place, Vec<String>)> {
        let mut all = Vec::new();
        for group in self.array(key, value) {
            if group.get_ref().as_array().is_none_or(|names| names.len() < 2) {
                let help = "write `aliases = [[\"remove\", \"rm\"]]`";
                self.bad(&group.span(), "`aliases` expects lists of two names or more", help);
            } else {
                all.push((self.place(&group.span()), self.names(key, group)));
            }
        }
        all
    }

    /// Checks the format of a record's source, which is for human readers only.
    fn source(&mut self, key: &Key<'_>, value: &Value<'_>) {
        let is_line = |text: &str| !text.trim().is_empty() && !text.contains('\n');
        if self.string(key, value).is_some_and(|text| !is_line(&text)) {
            self.bad(&value.span(), "`from` is one line", "write a manual with its version, or a URL");
        }
    }

    fn options(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<Written> {
        let mut options = Vec::new();
        for (kind, values) in self.table(key, value).into_iter().flat_map(sorted) {
            let word: &str = kind.get_ref();
            let found = KINDS.iter().find(|(name, ..)| *name == word);
            for value in self.array(kind, values) {
                let option = match (found, word) {
                    (Some((_, arity, does)), _) => self.string(kind, value).map(|names| {
                        let option = OptionRecord::new(spellings(&names).collect(), *arity, *does);
                        Written { place: self.place(&value.span()), option }
                    }),
                    (None, "undo" | "both") => self.combined(kind, value),
                    _ => None,
                };
                options.extend(option);
            }
            if found.is_none() && !matches!(word, "undo" | "both") {
                let kinds: Vec<_> = KINDS.iter().map(|(name, ..)| *name).collect();
                let help = format!("the kinds are {}, undo, both", kinds.join(", "));
                self.bad(&kind.span(), format!("unknown kind of option `{word}`"), help);
            }
        }
        options
    }

    /// Reads an option that cancels another one, or that is equivalent to several.
    fn combined(&mut self, kind: &Key<'_>, value: &Value<'_>) -> Option<Written> {
        let table = self.table(kind, value)?;
        let mut option = OptionRecord::new(vec![String::new()], Arity::None, Does::Nothing);
        for (key, value) in sorted(table) {
            match (&**key.get_ref(), &**kind.get_ref()) {
                ("names", _) => {
                    option.names = self.string(key, value).iter().flat_map(|names| spellings(names)).collect()
                }
                ("undoes", "undo") => option.undoes = self.string(key, value),
                ("means", "both") => option.means = self.names(key, value),
                (other, _) => self.bad(
                    &key.span(),
                    format!("unknown key `{other}`"),
                    "`undo` has names and undoes, `both` has names and means",
                ),
            }
        }
        if option.undoes.is_none() && option.means.is_empty() {
            self.bad(&value.span(), "it says no other option", "`undo` needs `undoes`, `both` needs `means`");
        }
        Some(Written { place: self.place(&value.span()), option })
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
                self.bad(
                    &value.span(),
                    format!("a name in `{}` is empty", key.get_ref()),
                    "write the name, or remove it",
                );
            }
            names.extend(name);
        }
        names
    }

    fn one_of<T: Copy>(&mut self, key: &Key<'_>, value: &Value<'_>, words: &[(&str, T)]) -> Option<T> {
        let word = self.string(key, value)?;
        let found = words.iter().find(|(name, _)| *name == word);
        if found.is_none() {
            let all: Vec<_> = words.iter().map(|(name, _)| *name).collect();
            let help = format!("write one of {}", all.join(", "));
            self.bad(&value.span(), format!("unknown {} `{word}`", key.get_ref()), help);
        }
        found.map(|(_, meant)| *meant)
    }

    fn is_true(&mut self, key: &Key<'_>, value: &Value<'_>) -> bool {
        let found = value.get_ref().as_bool();
        if found.is_none() {
            self.bad(
                &value.span(),
                format!("`{0}` is `true` or left out", key.get_ref()),
                "write `true` without quotes",
            );
        }
        found.unwrap_or_default()
    }

    fn string(&mut self, key: &Key<'_>, value: &Value<'_>) -> Option<String> {
        let found = value.get_ref().as_str().map(str::to_owned);
        if found.is_none() {
            self.bad(&value.span(), format!("`{}` expects text in quotes", key.get_ref()), "write \"…\"");
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
            let (key, span) = (key.get_ref(), value.span());
            let help = match &**key {
                "command" => "write `[[command]]`".to_owned(),
                "undo" | "both" => format!("write `{key} = [{{ … }}]`"),
                _ => format!("write `{key} = [\"…\"]`"),
            };
            self.bad(&span, format!("`{key}` expects a list"), help);
        }
        found.into_iter().flat_map(|values| values.iter())
    }

    fn table<'v, 'i>(&mut self, key: &Key<'_>, value: &'v Value<'i>) -> Option<&'v DeTable<'i>> {
        let found = value.get_ref().as_table();
        if found.is_none() {
            let (key, span) = (key.get_ref(), value.span());
            self.bad(&span, format!("`{key}` expects a table"), format!("write `[{key}]` on a line of its own"));
        }
        found
    }

    /// Reports a second definition.
    fn said_above(&mut self, key: &Key<'_>, what: &str) {
        let message = format!("`{}`: {what} is said above", key.get_ref());
        self.bad(&key.span(), message, "say it once");
    }

    fn bad(&mut self, span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let place = self.place(span);
        report(self.mistakes, &place, message, help);
    }

    fn place(&self, span: &Range<usize>) -> Place {
        let line = 1 + self.ends.partition_point(|end| *end < span.start);
        Place { file: self.file.to_owned(), span: span.clone(), line }
    }
}

/// The subject of a record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Program,
    Subcommand,
}

/// Returns the message and the advice for an unknown key.
fn unknown(key: &str, level: Level, additions: Option<&Additions<'_>>) -> (String, &'static str) {
    match key {
        "versioned" | "interpreter" | "variables" | "prints" | "input" | "language" | "dialect" | "startup"
            if level == Level::Subcommand =>
        {
            (format!("`{key}` is said of a program, not of a subcommand"), "move it to the top of the program's file")
        }
        _ if additions.is_some() => (
            format!("unknown key `{key}`"),
            "a record has names, versioned, like, reading, long-options, short-options, subcommands, aliases, tracks, unlisted, \
             operands, with, each, shares, options, from, set, command",
        ),
        _ => (
            format!("unknown key `{key}`"),
            "a record has names, versioned, interpreter, as-written, like, reading, long-options, short-options, \
             subcommands, aliases, tracks, unlisted, operands, input, language, dialect, with, each, shares, options, files, \
             network, runs, variables, startup, prints, project, from, set, command",
        ),
    }
}

/// Returns the entries of a table in source order.
fn sorted<'t, 'i>(table: &'t DeTable<'i>) -> impl Iterator<Item = (&'t Key<'i>, &'t Value<'i>)> + use<'t, 'i> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries.into_iter()
}

fn spellings(names: &str) -> impl Iterator<Item = String> {
    names.split(' ').map(str::to_owned)
}

impl OptionRecord {
    fn new(names: Vec<String>, arity: Arity, does: Does) -> Self {
        Self { names, arity, does, undoes: None, means: Vec::new() }
    }
}
