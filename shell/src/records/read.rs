//! Reads the files of records, and checks their keys and values. `resolve` then resolves the references between them.

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

use super::files::FilesTable;
use super::kinds::{DIALECTS, INCIDENTAL_CALLS, INPUTS, LANGUAGES};
use super::variables::{KINDS as VARIABLES, STARTUP};
use super::{
    AdditionContext, Arity, LongOptionSyntax, MAX_DEPTH, OperandEffect, OptionEffect, OptionRecord, PlacedNames,
    PlainValues, Record, RecordMistake, RecordReference, ShortOptionSyntax, SourcePlace, SubcommandSyntax,
    UnlistedSubcommand, WordSyntax, WrittenOption, report,
};

/// The values of the key `reading`.
const READINGS: &[(&str, WordSyntax)] = &[
    ("gnu", WordSyntax::Gnu),
    ("leading", WordSyntax::Leading),
    ("words", WordSyntax::Words),
    ("pairs", WordSyntax::Pairs),
    ("bundled", WordSyntax::Bundled),
    ("operands", WordSyntax::Operands),
];
/// The values of the key `long-options`.
const LONG_OPTIONS: &[(&str, LongOptionSyntax)] =
    &[("shortened", LongOptionSyntax::Shortened), ("whole", LongOptionSyntax::Whole)];
/// The values of the key `short-options`.
const SHORT_OPTIONS: &[(&str, ShortOptionSyntax)] =
    &[("attached", ShortOptionSyntax::Attached), ("equals", ShortOptionSyntax::Equals)];
/// The values of the key `subcommands`.
const SUBCOMMANDS: &[(&str, SubcommandSyntax)] = &[
    ("whole", SubcommandSyntax::Whole),
    ("shortened", SubcommandSyntax::Shortened),
    ("any-case", SubcommandSyntax::AnyCase),
];
/// The values of the key `unlisted`.
const UNLISTED: &[(&str, UnlistedSubcommand)] = &[
    ("other", UnlistedSubcommand::Other),
    ("alias", UnlistedSubcommand::Alias),
    ("script", UnlistedSubcommand::Script),
];
/// The values of the key `operands`.
const OPERANDS: &[(&str, OperandEffect)] = &[
    ("nothing", OperandEffect::Nothing),
    ("runs", OperandEffect::Runs),
    ("first-runs", OperandEffect::FirstRuns),
    ("expands", OperandEffect::Expands),
    ("writes", OperandEffect::Writes),
];

/// The keys of the table `[options]`, which are kinds of options, each with the value that such an option takes, and
/// with what it does. Further keys are `undo`, `both` and `implied`.
const KINDS: &[(&str, Arity, OptionEffect)] = &[
    ("flag", Arity::None, OptionEffect::Nothing),
    ("changes", Arity::None, OptionEffect::Writes),
    ("starts", Arity::None, OptionEffect::Runs),
    ("explains", Arity::None, OptionEffect::Explains),
    ("value", Arity::Value, OptionEffect::Nothing),
    ("reads", Arity::Value, OptionEffect::Reads),
    ("writes", Arity::Value, OptionEffect::Writes),
    ("runs", Arity::Value, OptionEffect::Runs),
    ("enters", Arity::Value, OptionEffect::Enters),
    ("attached", Arity::Attached, OptionEffect::Nothing),
    ("attached-writes", Arity::Attached, OptionEffect::Writes),
    ("attached-runs", Arity::Attached, OptionEffect::Runs),
    ("number", Arity::Number, OptionEffect::Nothing),
    ("long", Arity::Long, OptionEffect::Nothing),
    ("command", Arity::Command, OptionEffect::Runs),
];

/// The keys that only built-in records may have.
const BUILT_IN: &[&str] = &[
    "files",
    "network",
    "runs",
    "variables",
    "prints",
    "project",
    "as-written",
    "looks",
    "asks",
    "behind-dashes",
    "plain-values",
    "incidental",
    "incidental-call",
    "input",
    "language",
    "dialect",
    "startup",
];

type TomlKey<'i> = Spanned<DeString<'i>>;
type TomlValue<'i> = Spanned<DeValue<'i>>;

/// Reads the files into one record for each program. The record in `git/push.toml` becomes that of a subcommand of the
/// one in `git.toml`.
pub(super) fn read(
    files: &[(String, String)],
    additions: Option<AdditionContext<'_>>,
    mistakes: &mut Vec<RecordMistake>,
) -> Vec<Record> {
    let mut programs: Vec<Record> = Vec::new();
    // Shorter paths come first, so that the record of a directory exists before its subcommands.
    let mut sorted: Vec<_> = files.iter().collect();
    sorted.sort_by_key(|(file, _)| (file.matches('/').count(), file));
    for (file, text) in sorted {
        let record = RecordReader::new(file, text, additions, mistakes).file();
        let (directory, stem) = split_file_name(file);
        if !record.names.is_empty() && !record.names.iter().any(|name| name == stem) {
            let message = format!("the file is named `{stem}`, and `names` lacks that name");
            report(mistakes, &record.names_place, message, format!("add \"{stem}\", or rename the file"));
        }
        match subcommands_at(&mut programs, directory) {
            Some(records) => records.push(record),
            None => {
                let message = format!("`{directory}.toml` is missing");
                report(mistakes, &record.place, message, "a directory has the subcommands of the record beside it");
            }
        }
    }
    programs
}

/// Returns the directory of a file, and its name without `.toml`.
fn split_file_name(file: &str) -> (&str, &str) {
    let bare = file.strip_suffix(".toml").unwrap_or(file);
    bare.rsplit_once('/').unwrap_or(("", bare))
}

/// Returns the list to which the records in a directory belong: the subcommands of the record with the same name as the
/// directory or, at the top, the programs. `None` if that record is missing.
fn subcommands_at<'r>(programs: &'r mut Vec<Record>, directory: &str) -> Option<&'r mut Vec<Record>> {
    if directory.is_empty() {
        return Some(programs);
    }
    let records = subcommands_at(programs, split_file_name(directory).0)?;
    let file = format!("{directory}.toml");
    Some(&mut records.iter_mut().find(|record| record.place.file == file)?.commands)
}

/// The state of reading one file.
struct RecordReader<'a> {
    file: &'a str,
    text: &'a str,
    /// What is needed to compile records that a policy adds; `None` for the built-in table.
    additions: Option<AdditionContext<'a>>,
    /// The positions of the newlines, in order.
    newlines: Vec<usize>,
    mistakes: &'a mut Vec<RecordMistake>,
}

impl<'a> RecordReader<'a> {
    fn new(
        file: &'a str,
        text: &'a str,
        additions: Option<AdditionContext<'a>>,
        mistakes: &'a mut Vec<RecordMistake>,
    ) -> Self {
        Self { file, text, additions, newlines: text.match_indices('\n').map(|(at, _)| at).collect(), mistakes }
    }

    /// Reads the whole file as one record.
    fn file(mut self) -> Record {
        let (document, errors) = DeTable::parse_recoverable(self.text);
        let is_toml = errors.is_empty();
        for error in errors {
            let message = error.message().lines().next().unwrap_or_default();
            let message = format!("not TOML: {message}");
            let help = "write `key = value` with strings in quotes, and `[section]` on a line of its own";
            self.report_at(&error.span().unwrap_or(0..0), message, help);
        }
        let mistakes_before = self.mistakes.len();
        let record = self.record(document.get_ref(), &(0..0), 0);
        if !is_toml {
            // After an error in the TOML, the parser goes on with what it could read. That may not be what the author
            // meant, so mistakes in it are dropped.
            self.mistakes.truncate(mistakes_before);
        }
        record
    }

    /// Reads the record in a table. `depth` is the number of records around it in the same file.
    fn record(&mut self, table: &DeTable<'_>, span: &Range<usize>, depth: usize) -> Record {
        let is_program = depth == 0 && !self.file.contains('/');
        let level = if is_program { RecordLevel::Program } else { RecordLevel::Subcommand };
        let mut record = Record { place: self.source_place(span), ..Record::default() };
        for (key, value) in sorted(table) {
            match &**key.get_ref() {
                word if self.is_reserved(word, level) => self.report_reserved(key),
                "names" => self.read_names(&mut record, level, key, value),
                "files" => record.files = Some(self.files_at(level, key, value)),
                "command" => record.commands.extend(self.commands(key, value, depth)),
                _ if is_program && self.property_of_program(&mut record, key, value) => {}
                _ if self.property(&mut record, key, value) => {}
                other => {
                    let (message, help) = unknown(other, level, self.additions.as_ref());
                    self.report_at(&key.span(), message, help);
                }
            }
        }
        if record.names_place == SourcePlace::default() {
            report(self.mistakes, &record.place, "`names` is missing", "write the names first: `names = [\"tool\"]`");
        }
        if record.is_as_written && (record.reading.is_some() || !record.options.is_empty() || !record.tracks.is_empty())
        {
            let help = "leave out that line, or `reading`, `tracks` and `options`";
            report(self.mistakes, &record.place, "what is `as-written` has no options", help);
        }
        record
    }

    /// Whether a key is only for built-in records, and this record is added by a policy.
    fn is_reserved(&self, key: &str, level: RecordLevel) -> bool {
        self.additions.is_some() && (BUILT_IN.contains(&key) || key == "interpreter" && level == RecordLevel::Program)
    }

    /// Reports a key that is only for built-in records.
    fn report_reserved(&mut self, key: &TomlKey<'_>) {
        let word: &str = key.get_ref();
        let help = match word {
            "interpreter" => "remove it, and mark what it executes: `operands = \"runs\"`, options that are `runs`",
            _ => "remove it, and write a rule about the program",
        };
        self.report_at(&key.span(), format!("`{word}` is for built-in records"), help);
    }

    /// Reads a key that only a program may have, but not a subcommand. Returns whether the key is one of these.
    fn property_of_program(&mut self, record: &mut Record, key: &TomlKey<'_>, value: &TomlValue<'_>) -> bool {
        match &**key.get_ref() {
            "versioned" => record.versioned = self.names(key, value),
            "interpreter" => record.is_interpreter = self.is_true(key, value),
            "prints" => record.prints = Some(self.prints_table(key, value)),
            "input" => record.reads_input = self.keyword(key, value, INPUTS),
            "incidental-call" => record.incidental_call = self.keyword(key, value, INCIDENTAL_CALLS),
            "language" => record.language = self.keyword(key, value, LANGUAGES),
            "dialect" => record.dialect = self.keyword(key, value, DIALECTS),
            "startup" => record.startup = self.names_by_keyword(key, value, STARTUP),
            "variables" => record.variables = Some(self.names_by_keyword(key, value, VARIABLES)),
            _ => return false,
        }
        true
    }

    /// Reads a key that programs and subcommands may have. Returns whether the key is one of these.
    fn property(&mut self, record: &mut Record, key: &TomlKey<'_>, value: &TomlValue<'_>) -> bool {
        match &**key.get_ref() {
            "as-written" => record.is_as_written = self.is_true(key, value),
            "reading" => record.reading = self.keyword(key, value, READINGS),
            "long-options" => record.long_options = self.keyword(key, value, LONG_OPTIONS),
            "short-options" => record.short_options = self.keyword(key, value, SHORT_OPTIONS),
            "subcommands" => record.subcommands = self.keyword(key, value, SUBCOMMANDS),
            "aliases" => record.aliases = self.aliases(key, value),
            "tracks" => record.tracks = self.names(key, value),
            "unlisted" => record.unlisted = self.keyword(key, value, UNLISTED),
            "operands" => record.operands = self.keyword(key, value, OPERANDS),
            "looks" => record.looks = self.looks(key, value),
            "asks" => record.asks = self.looks(key, value),
            "behind-dashes" => record.behind_dashes = Some(self.names(key, value)),
            "plain-values" => record.plain_values = Some(self.plain_values(key, value)),
            "incidental" => {
                let names = self.names(key, value);
                record.incidental = Some(PlacedNames { place: self.source_place(&key.span()), names });
            }
            "like" => {
                record.like =
                    self.string(key, value).map(|name| RecordReference { place: self.source_place(&key.span()), name });
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

    /// Reads the table `[files]`, and reports the keys that a subcommand may not have.
    fn files_at(&mut self, level: RecordLevel, key: &TomlKey<'_>, value: &TomlValue<'_>) -> FilesTable {
        let files = self.files(key, value);
        if files.follows_contents() && level == RecordLevel::Subcommand {
            let message =
                "`content`, `edits`, `streams`, `collects` and `unpacks` are said of a program, not of a subcommand";
            self.report_at(&key.span(), message, "move it to `[files]` of the program");
        }
        files
    }

    /// Reads the subcommands in `[[command]]`, unless they are nested too deeply.
    fn commands(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>, depth: usize) -> Vec<Record> {
        if depth == MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} subcommands within each other");
            self.report_at(&key.span(), message, "leave out the innermost");
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

    /// Reads the values with which options do nothing beyond the program's own work.
    fn plain_values(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> Vec<PlainValues> {
        let options = self.table(key, value).into_iter().flat_map(sorted);
        let values = options.map(|(option, values)| PlainValues {
            place: self.source_place(&option.span()),
            option: option.get_ref().to_string(),
            values: self.names(option, values),
        });
        values.collect()
    }

    /// Reads the names of a record, and reports those that no command can have, such as names with blanks, slashes or
    /// quotes, or with a dash at the beginning. A subcommand may begin with a slash: `schtasks /create`.
    fn read_names(&mut self, record: &mut Record, level: RecordLevel, key: &TomlKey<'_>, value: &TomlValue<'_>) {
        record.names = self.names(key, value);
        record.names_place = self.source_place(&value.span());
        if let Some(names) = value.get_ref().as_array() {
            record.name_places = names.iter().map(|name| self.source_place(&name.span())).collect();
            if names.is_empty() {
                self.report_at(&value.span(), "`names` is empty", "write a name: `names = [\"tool\"]`");
            }
        }
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || "/*?$`'\"\\;&|<>".contains(c);
        for (name, place) in record.names.iter().zip(&record.name_places) {
            let rest =
                name.strip_prefix('/').filter(|rest| matches!(level, RecordLevel::Subcommand) && !rest.is_empty());
            if name.starts_with('-') || rest.unwrap_or(name).contains(is_odd) {
                let help = "write the name alone, without a path, options or quotes";
                report(self.mistakes, place, format!("no command is called `{}`", name.escape_debug()), help);
            }
        }
    }

    /// Reads groups of names, each of which has several names of the same subcommand.
    fn aliases(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> Vec<(SourcePlace, Vec<String>)> {
        let mut groups = Vec::new();
        for group in self.array(key, value) {
            if group.get_ref().as_array().is_none_or(|names| names.len() < 2) {
                let help = "write `aliases = [[\"remove\", \"rm\"]]`";
                self.report_at(&group.span(), "`aliases` expects lists of two names or more", help);
            } else {
                groups.push((self.source_place(&group.span()), self.names(key, group)));
            }
        }
        groups
    }

    /// Reads the ends of patterns with which a command only looks or asks. `true` means any words.
    fn looks(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> Vec<String> {
        match value.get_ref().as_bool() {
            Some(true) => vec!["*".to_owned()],
            _ => self.names(key, value),
        }
    }

    /// Checks the key `from`, which tells readers what the record is based on, and is not used otherwise.
    fn source(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) {
        let is_line = |text: &str| !text.trim().is_empty() && !text.contains('\n');
        if self.string(key, value).is_some_and(|text| !is_line(&text)) {
            self.report_at(&value.span(), "`from` is one line", "write a manual with its version, or a URL");
        }
    }

    /// Reads the table `[options]`, which has a list of options for each kind.
    fn options(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> Vec<WrittenOption> {
        let mut options: Vec<WrittenOption> = Vec::new();
        let mut implications = Vec::new();
        for (kind, values) in self.table(key, value).into_iter().flat_map(sorted) {
            let word: &str = kind.get_ref();
            if word == "implied" {
                implications.push((kind, values));
                continue;
            }
            let known_kind = KINDS.iter().find(|(name, ..)| *name == word);
            for value in self.array(kind, values) {
                let option = match (known_kind, word) {
                    (Some((_, arity, does)), _) => self.string(kind, value).map(|names| {
                        let option = OptionRecord::new(spellings(&names).collect(), *arity, *does);
                        WrittenOption { place: self.source_place(&value.span()), option }
                    }),
                    (None, "undo" | "both") => self.combined_option(kind, value),
                    _ => None,
                };
                options.extend(option);
            }
            if known_kind.is_none() && !matches!(word, "undo" | "both") {
                let kinds: Vec<_> = KINDS.iter().map(|(name, ..)| *name).collect();
                let help = format!("the kinds are {}, undo, both, implied", kinds.join(", "));
                self.report_at(&kind.span(), format!("unknown kind of option `{word}`"), help);
            }
        }
        for (kind, values) in implications {
            for value in self.array(kind, values) {
                self.implied_option(kind, value, &mut options);
            }
        }
        options
    }

    /// Reads an entry of `implied`, and notes the implied option at each of the options that imply it.
    fn implied_option(&mut self, kind: &TomlKey<'_>, value: &TomlValue<'_>, options: &mut [WrittenOption]) {
        const FORM: &str = "`implied` has option, `--method=POST`, and by, a list of options";
        let Some(table) = self.table(kind, value) else { return };
        let (mut implied, mut by) = (None, Vec::new());
        for (key, value) in sorted(table) {
            match &**key.get_ref() {
                "option" => implied = self.string(key, value),
                "by" => by = self.names(key, value),
                other => self.report_at(&key.span(), format!("unknown key `{other}`"), FORM),
            }
        }
        let has_option =
            |name: &str| options.iter().any(|written| written.option.names.first().is_some_and(|own| own == name));
        let named = implied.as_deref().and_then(|text| text.split_once('=')).map(|(name, _)| name);
        if by.is_empty() || !named.is_some_and(has_option) {
            return self.report_at(&value.span(), "it implies no option of this record".to_owned(), FORM);
        }
        for name in by {
            match options.iter_mut().find(|written| written.option.names.contains(&name)) {
                Some(written) => written.option.implies.clone_from(&implied),
                None => self.report_at(
                    &value.span(),
                    format!("there is no option `{name}`"),
                    "name an option of this record",
                ),
            }
        }
    }

    /// Reads an option of the kind `undo`, which cancels another one, or `both`, which is short for several.
    fn combined_option(&mut self, kind: &TomlKey<'_>, value: &TomlValue<'_>) -> Option<WrittenOption> {
        let table = self.table(kind, value)?;
        let mut option = OptionRecord::new(vec![String::new()], Arity::None, OptionEffect::Nothing);
        for (key, value) in sorted(table) {
            match (&**key.get_ref(), &**kind.get_ref()) {
                ("names", _) => {
                    option.names = self.string(key, value).iter().flat_map(|names| spellings(names)).collect()
                }
                ("undoes", "undo") => option.undoes = self.string(key, value),
                ("means", "both") => option.means = self.names(key, value),
                (other, _) => self.report_at(
                    &key.span(),
                    format!("unknown key `{other}`"),
                    "`undo` has names and undoes, `both` has names and means",
                ),
            }
        }
        if option.undoes.is_none() && option.means.is_empty() {
            self.report_at(&value.span(), "it says no other option", "`undo` needs `undoes`, `both` needs `means`");
        }
        Some(WrittenOption { place: self.source_place(&value.span()), option })
    }

    /// Reads a list of names of other records or of sets of options.
    fn references(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> Vec<RecordReference> {
        let place = self.source_place(&key.span());
        self.names(key, value).into_iter().map(|name| RecordReference { place: place.clone(), name }).collect()
    }

    /// Reads a list of texts, and reports empty ones.
    fn names(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> Vec<String> {
        let mut names = Vec::new();
        for value in self.array(key, value) {
            let name = self.string(key, value);
            if name.as_deref() == Some("") {
                self.report_at(
                    &value.span(),
                    format!("a name in `{}` is empty", key.get_ref()),
                    "write the name, or remove it",
                );
            }
            names.extend(name);
        }
        names
    }

    /// Reads a text that has to be one of `words`, and returns the meaning of that word. Any other value is reported,
    /// and results in `None`.
    fn keyword<T: Copy>(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>, words: &[(&str, T)]) -> Option<T> {
        let word = self.string(key, value)?;
        let found = words.iter().find(|(name, _)| *name == word);
        if found.is_none() {
            let all_words: Vec<_> = words.iter().map(|(name, _)| *name).collect();
            let help = format!("write one of {}", all_words.join(", "));
            self.report_at(&value.span(), format!("unknown {} `{word}`", key.get_ref()), help);
        }
        found.map(|(_, meant)| *meant)
    }

    /// Reads a boolean. Any other value is reported, and results in `false`.
    fn is_true(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> bool {
        let found = value.get_ref().as_bool();
        if found.is_none() {
            self.report_at(
                &value.span(),
                format!("`{0}` is `true` or left out", key.get_ref()),
                "write `true` without quotes",
            );
        }
        found.unwrap_or_default()
    }

    /// Reads a text. Any other value is reported, and results in `None`.
    fn string(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> Option<String> {
        let found = value.get_ref().as_str().map(str::to_owned);
        if found.is_none() {
            self.report_at(&value.span(), format!("`{}` expects text in quotes", key.get_ref()), "write \"…\"");
        }
        found
    }

    /// Reads a list. Any other value is reported, and results in an empty one.
    fn array<'v, 'i>(
        &mut self,
        key: &TomlKey<'_>,
        value: &'v TomlValue<'i>,
    ) -> impl Iterator<Item = &'v TomlValue<'i>> + use<'v, 'i> {
        let found = value.get_ref().as_array();
        if found.is_none() {
            let (key, span) = (key.get_ref(), value.span());
            let help = match &**key {
                "command" => "write `[[command]]`".to_owned(),
                "undo" | "both" => format!("write `{key} = [{{ … }}]`"),
                _ => format!("write `{key} = [\"…\"]`"),
            };
            self.report_at(&span, format!("`{key}` expects a list"), help);
        }
        found.into_iter().flat_map(|values| values.iter())
    }

    /// Reads a table. Any other value is reported, and results in `None`.
    fn table<'v, 'i>(&mut self, key: &TomlKey<'_>, value: &'v TomlValue<'i>) -> Option<&'v DeTable<'i>> {
        let found = value.get_ref().as_table();
        if found.is_none() {
            let (key, span) = (key.get_ref(), value.span());
            self.report_at(&span, format!("`{key}` expects a table"), format!("write `[{key}]` on a line of its own"));
        }
        found
    }

    /// Reports that a key defines something that another key has defined already.
    fn report_duplicate(&mut self, key: &TomlKey<'_>, what: &str) {
        let message = format!("`{}`: {what} is defined above", key.get_ref());
        self.report_at(&key.span(), message, "define it once");
    }

    /// Reports a mistake at a byte range of the file.
    fn report_at(&mut self, span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let place = self.source_place(span);
        report(self.mistakes, &place, message, help);
    }

    /// Converts a byte range of the file into a position with its line number.
    fn source_place(&self, span: &Range<usize>) -> SourcePlace {
        let line = 1 + self.newlines.partition_point(|end| *end < span.start);
        SourcePlace { file: self.file.to_owned(), span: span.clone(), line }
    }
}

/// Whether a record describes a program or a subcommand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RecordLevel {
    Program,
    Subcommand,
}

/// Returns the message and the advice about a key that a record cannot have.
fn unknown(key: &str, level: RecordLevel, additions: Option<&AdditionContext<'_>>) -> (String, &'static str) {
    match key {
        "versioned" | "interpreter" | "variables" | "prints" | "input" | "language" | "dialect" | "startup"
            if level == RecordLevel::Subcommand =>
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
             subcommands, aliases, tracks, unlisted, operands, looks, asks, behind-dashes, plain-values, incidental, incidental-call, input, language, dialect, with, \
             each, shares, options, files, network, runs, variables, startup, prints, project, from, set, command",
        ),
    }
}

/// Returns the entries of a table in the order of the source. The parser does not keep that order.
fn sorted<'t, 'i>(table: &'t DeTable<'i>) -> impl Iterator<Item = (&'t TomlKey<'i>, &'t TomlValue<'i>)> + use<'t, 'i> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries.into_iter()
}

/// Splits the spellings of an option at blanks: `--force -f`.
fn spellings(names: &str) -> impl Iterator<Item = String> {
    names.split(' ').map(str::to_owned)
}

impl OptionRecord {
    fn new(names: Vec<String>, arity: Arity, does: OptionEffect) -> Self {
        Self { names, arity, does, undoes: None, means: Vec::new(), implies: None }
    }
}
