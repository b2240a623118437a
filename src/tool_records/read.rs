//! Parses tool records from TOML: from the built-in files, and from rules.toml. Every mistake is reported with its
//! position.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::kinds::{MemberUsage, RecordList, RecordMember, RecordText, ToolRecord};
use super::template;

/// A TOML value with its position in the text.
type TomlValue<'i> = Spanned<DeValue<'i>>;

/// A mistake in a tool record, for its author.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolRecordMistake {
    /// The byte range of the mistake in the text.
    pub at: Range<usize>,
    /// The description of the mistake.
    pub message: String,
    /// Advice on how to fix the mistake.
    pub help: String,
    /// The unknown key, if that is the mistake. [`keys`] returns the valid keys.
    pub unknown: Option<String>,
}

/// The maximum number of records in a file, and the maximum number of names, of commands, and of members for each use
/// in a record.
const MAX_RECORDS: usize = 500;
const MAX_ENTRIES: usize = 100;

/// The keys of a record other than the uses of members.
const KEYS: [&str; 6] = ["names", "servers", "by-server", "needs", "command", "from"];

/// Returns all keys of a record.
pub fn keys() -> impl Iterator<Item = &'static str> {
    KEYS.into_iter().chain(MemberUsage::KEYS.map(|(key, _)| key))
}

/// Parses a list of tables as records. `servers` are the words for the servers of all records in the file. A record
/// with a mistake is omitted.
pub fn records(
    origin: &str,
    servers: &[RecordText],
    list: &TomlValue<'_>,
    mistakes: &mut Vec<ToolRecordMistake>,
) -> Vec<ToolRecord> {
    let tables: Vec<_> = list.get_ref().as_array().into_iter().flatten().collect();
    if tables.is_empty() || tables.iter().any(|table| !table.get_ref().is_table()) {
        mistake(mistakes, list, "`tool` must be a list of tables", "write each record under `[[tool]]`");
        return Vec::new();
    }
    if tables.len() > MAX_RECORDS {
        mistake(mistakes, list, &format!("more than {MAX_RECORDS} records"), "leave out those that no rule needs");
        return Vec::new();
    }
    let read = |table: &&TomlValue<'_>| {
        let before = mistakes.len();
        let record = record(origin, servers, table, mistakes);
        record.filter(|_| mistakes.len() == before)
    };
    tables.iter().filter_map(read).collect()
}

/// Parses one record; `None` if the value is not a table.
fn record(
    origin: &str,
    servers: &[RecordText],
    value: &TomlValue<'_>,
    mistakes: &mut Vec<ToolRecordMistake>,
) -> Option<ToolRecord> {
    let table = value.get_ref().as_table()?;
    let mut record = ToolRecord {
        origin: Cow::Owned(origin.to_owned()),
        names: Cow::Borrowed(&[]),
        servers: RecordList::Owned(servers.to_vec()),
        by_server: false,
        needs: Cow::Borrowed(&[]),
        commands: Cow::Borrowed(&[]),
        members: Cow::Borrowed(&[]),
    };
    let mut members = Vec::new();
    for (key, value) in entries_in_source_order(table) {
        let name = key.get_ref().as_ref();
        match name {
            "names" => record.names = names(value, mistakes).into(),
            "servers" => record.servers = parse_texts(name, value, mistakes).into(),
            "by-server" => match value.get_ref().as_bool() {
                Some(by_server) => record.by_server = by_server,
                None => mistake(mistakes, value, "`by-server` must be a boolean", "write `true` or `false`"),
            },
            "needs" => record.needs = paths(name, value, mistakes).into(),
            "command" => record.commands = commands(value, mistakes).into(),
            // The source of the description is only for people.
            "from" => {}
            _ => match MemberUsage::KEYS.iter().find(|(key, _)| *key == name) {
                Some((_, usage)) => {
                    let paths = paths(name, value, mistakes).into_iter();
                    members.extend(paths.map(|path| RecordMember { path, usage: *usage }));
                }
                None => {
                    let help = keys().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
                    let (message, help) = (format!("unknown key `{name}` of a tool"), format!("valid: {help}"));
                    mistakes.push(ToolRecordMistake { at: key.span(), message, help, unknown: Some(name.to_owned()) });
                }
            },
        }
    }
    record.members = members.into();
    check_complete(&record, value, mistakes);
    Some(record)
}

/// Reports a record without names, or without any description.
fn check_complete(record: &ToolRecord, value: &TomlValue<'_>, mistakes: &mut Vec<ToolRecordMistake>) {
    if record.names.is_empty() {
        mistake(mistakes, value, "a record without `names`", "write `names = [\"TOOL\"]`");
    }
    if record.by_server && record.servers.is_empty() {
        let help = "write `servers = [\"SERVER\"]`, or leave `by-server` out";
        mistake(mistakes, value, "`by-server` without `servers`", help);
    }
    if record.members.is_empty() && record.commands.is_empty() {
        let help = "write what it does with its members, such as `reads = [\"path\"]`, or its `command`";
        mistake(mistakes, value, "a record that says nothing of the tool", help);
    }
}

/// Parses and checks the names of tools.
fn names(value: &TomlValue<'_>, mistakes: &mut Vec<ToolRecordMistake>) -> Vec<RecordText> {
    let names = parse_texts("names", value, mistakes);
    for (name, place) in names.iter().zip(value.get_ref().as_array().into_iter().flatten()) {
        if !name.chars().any(|c| c.is_ascii_alphanumeric()) || name.contains(['*', '?', '|', '[', '{']) {
            mistake(mistakes, place, &format!("`{name}` names no tool"), "write the tool's name as its server has it");
        }
    }
    names
}

/// Parses and checks the paths of members.
fn paths(key: &str, value: &TomlValue<'_>, mistakes: &mut Vec<ToolRecordMistake>) -> Vec<RecordText> {
    let paths = parse_texts(key, value, mistakes);
    for path in &paths {
        if let Err(wrong) = template::check_member_path(path) {
            mistake(mistakes, value, &format!("`{path}` is no member: {wrong}"), "write its name, or `OUTER.INNER`");
        }
    }
    paths
}

/// Parses and checks the equivalent commands.
fn commands(value: &TomlValue<'_>, mistakes: &mut Vec<ToolRecordMistake>) -> Vec<RecordText> {
    let commands = parse_texts("command", value, mistakes);
    if commands.len() > 1 && commands.iter().all(|command| !command.contains(char::is_whitespace)) {
        let help = format!("write it as one: `command = \"{}\"`", commands.join(" "));
        mistake(mistakes, value, "words of one command, each of them a command here", &help);
    }
    for command in &commands {
        if let Err(wrong) = template::parse(command) {
            let help = "write it like `git push [--force {force?}] {remote}`";
            mistake(mistakes, value, &format!("`{command}` is no command: {wrong}"), help);
        }
    }
    commands
}

/// Parses a text or a list of texts. Reports any other value, and empty texts.
pub(super) fn parse_texts(key: &str, value: &TomlValue<'_>, mistakes: &mut Vec<ToolRecordMistake>) -> Vec<RecordText> {
    let one =
        |value: &TomlValue<'_>| value.get_ref().as_str().filter(|text| !text.is_empty()).map(|text| text.to_owned());
    let read: Option<Vec<String>> = match value.get_ref().as_array() {
        Some(items) if !items.is_empty() => items.iter().map(one).collect(),
        Some(_) => None,
        None => one(value).map(|text| vec![text]),
    };
    match read {
        Some(texts) if texts.len() <= MAX_ENTRIES => texts.into_iter().map(Cow::Owned).collect(),
        Some(_) => {
            let message = format!("`{key}` has more than {MAX_ENTRIES} entries");
            mistake(mistakes, value, &message, "spread them over several records");
            Vec::new()
        }
        None => {
            let help = format!("write `{key} = \"…\"` or `{key} = [\"…\", \"…\"]`");
            mistake(mistakes, value, &format!("`{key}` must be a string or a list of strings"), &help);
            Vec::new()
        }
    }
}

/// Reports a mistake at a value.
fn mistake(mistakes: &mut Vec<ToolRecordMistake>, value: &TomlValue<'_>, message: &str, help: &str) {
    mistakes.push(ToolRecordMistake {
        at: value.span(),
        message: message.to_owned(),
        help: help.to_owned(),
        unknown: None,
    });
}

/// Returns the entries of a table in source order, which the table itself does not preserve.
fn entries_in_source_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(&'t Spanned<Cow<'i, str>>, &'t TomlValue<'i>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
