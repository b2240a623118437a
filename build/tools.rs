//! Reads the records of tools, `tools/*.toml`, and writes them as the table that `src/tool_records.rs` includes.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use toml::de::DeTable;

#[path = "../src/tool_records/kinds.rs"]
#[expect(unreachable_pub, reason = "the library shows it")]
mod kinds;
#[path = "../src/tool_records/read.rs"]
#[expect(unreachable_pub, reason = "the library shows it")]
mod read;
#[path = "../src/tool_records/template.rs"]
#[expect(dead_code, reason = "the library asks more of it")]
mod template;

use kinds::{RecordText, ToolRecord};
use read::ToolRecordMistake;

/// The directory of the records.
const TOOLS: &str = "tools";

/// Reads the records, and writes them, an index of their names, and the programs of their servers.
pub(crate) fn write(out: &Path) -> io::Result<()> {
    println!("cargo:rerun-if-changed={TOOLS}");
    println!("cargo:rerun-if-changed=src/tool_records");
    let mut files: Vec<_> = fs::read_dir(TOOLS)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut records: Vec<ToolRecord> = Vec::new();
    let mut programs: Vec<(String, String)> = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let mut mistakes = Vec::new();
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        records.extend(read_file(name, &text, &mut programs, &mut mistakes));
        for ToolRecordMistake { at, message, help, .. } in mistakes {
            let line = text.get(..at.start).unwrap_or_default().lines().count().max(1);
            println!("cargo::error={}:{line}: {message}; {help}", file.display());
        }
    }
    let mut index: Vec<(String, usize)> = Vec::new();
    for (number, record) in records.iter().enumerate() {
        index.extend(record.names.iter().map(|name| (index_name(name), number)));
    }
    index.sort();
    index.dedup();
    // Writing to a string does not fail.
    let mut code = String::from("pub(super) static RECORDS: &[ToolRecord] = &[\n");
    records.iter().for_each(|record| write_record(record, &mut code));
    code.push_str("];\npub(super) static INDEX: &[(&str, usize)] = &[\n");
    for (name, number) in index {
        let _written = writeln!(code, "({name:?}, {number}),");
    }
    code.push_str("];\npub(super) static PROGRAMS: &[(&str, &str)] = &[\n");
    for (server, program) in programs {
        let _written = writeln!(code, "({server:?}, {program:?}),");
    }
    code.push_str("];\n");
    fs::write(out.join("tool_records.rs"), code)
}

/// The keys of a file.
const KEYS: [&str; 4] = ["servers", "program", "from", "tool"];

fn read_file(
    name: &str,
    text: &str,
    programs: &mut Vec<(String, String)>,
    mistakes: &mut Vec<ToolRecordMistake>,
) -> Vec<ToolRecord> {
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let (at, message) = (error.span().unwrap_or(0..0), error.message().to_owned());
        mistakes.push(ToolRecordMistake { at, message, help: "write TOML".to_owned(), unknown: None });
    }
    let table = document.get_ref();
    let servers: Vec<RecordText> =
        table.get("servers").map(|value| read::parse_texts("servers", value, mistakes)).unwrap_or_default();
    let program = table.get("program").map(|value| read::parse_texts("program", value, mistakes)).unwrap_or_default();
    for program in program {
        programs.extend(servers.iter().map(|server| (server.to_string(), program.to_string())));
    }
    for key in table.keys().filter(|key| !KEYS.contains(&key.get_ref().as_ref())) {
        let message = format!("unknown key `{}`", key.get_ref());
        let help = format!("valid: {}", KEYS.map(|key| format!("`{key}`")).join(", "));
        mistakes.push(ToolRecordMistake { at: key.span(), message, help, unknown: None });
    }
    table.get("tool").map(|list| read::records(name, &servers, list, mistakes)).unwrap_or_default()
}

fn write_record(record: &ToolRecord, code: &mut String) {
    let ToolRecord { origin, names, servers, by_server, needs, commands, members } = record;
    let [names, servers, needs, commands] = [names, servers, needs, commands].map(|texts| texts_expression(texts));
    let members: String = members.iter().fold(String::new(), |mut code, member| {
        let _written = write!(
            code,
            "RecordMember {{ path: Cow::Borrowed({:?}), usage: MemberUsage::{:?} }}, ",
            member.path, member.usage
        );
        code
    });
    let _written = writeln!(
        code,
        "ToolRecord {{ origin: Cow::Borrowed({origin:?}), names: {names}, servers: {servers}, by_server: {by_server}, \
         needs: {needs}, commands: {commands}, members: Cow::Borrowed(&[{members}]) }},",
    );
}

fn texts_expression(texts: &[RecordText]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| format!("Cow::Borrowed({text:?})")).collect();
    format!("Cow::Borrowed(&[{}])", texts.join(", "))
}

/// Returns a name as it is in the index.
fn index_name(name: &str) -> String {
    kinds::comparable_name(name).collect()
}
