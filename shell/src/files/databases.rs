//! Database clients: the accesses to files that the clients' own commands and some SQL functions name. SQL is not
//! parsed beyond that.

use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use crate::access::Verb;
use crate::word::{Cause, Unknown, Word};

/// Adds the accesses of `sqlite3`: to the database, which SQL statements may change, and to the files that its own
/// commands name.
pub(super) fn sqlite(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let Some(database) = call.operands().first() else { return };
    let is_file = database.known_text() != Some(":memory:");
    if is_file {
        accesses.add_read(database);
    }
    for text in call.operands().iter().skip(1).copied().chain(call.values(&["-cmd"])).filter_map(Word::known_text) {
        text.lines().for_each(|line| sqlite_line(line, accesses));
    }
    // DuckDB runs what `explain analyze` explains.
    let only_queries = !call.is_program(&["duckdb"]) && only_reads(call);
    let is_read_only = only_queries || call.has_option(&["-readonly", "--readonly"]);
    // SQL is not parsed further, so it may write.
    if is_file && !is_read_only {
        accesses.add_write(database);
    }
}

/// Whether all statements that a command runs are known, and none of them changes the database.
fn only_reads(call: &ParsedCommand<'_>) -> bool {
    let operands = call.operands().iter().skip(1).copied();
    let texts: Vec<Option<&str>> = operands.map(Word::known_text).collect();
    // Without statements among its words, the program runs those on its standard input.
    let texts = if texts.is_empty() { vec![call.stdin] } else { texts };
    let texts_of_options = call.values(&["-cmd"]).map(Word::known_text);
    !call.has_option(&["-init", "-A"])
        && texts.into_iter().chain(texts_of_options).all(|text| text.is_some_and(is_query))
}

/// Commands of `sqlite3` that do not change the database.
const READING_COMMANDS: &[&str] = &[
    "bail",
    "changes",
    "databases",
    "dbinfo",
    "dump",
    "echo",
    "eqp",
    "exit",
    "explain",
    "fullschema",
    "header",
    "headers",
    "help",
    "indexes",
    "indices",
    "lint",
    "mode",
    "nullvalue",
    "once",
    "output",
    "print",
    "prompt",
    "quit",
    "schema",
    "separator",
    "sha3sum",
    "show",
    "stats",
    "tables",
    "timer",
    "version",
    "width",
];

/// Whether a text for `sqlite3` consists only of queries and commands that certainly do not change the database.
fn is_query(text: &str) -> bool {
    let (commands, statements): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.trim_start().starts_with('.'));
    let is_reading_command = |line: &&str| {
        let command = line.trim_start().get(1..).unwrap_or_default();
        command.split_whitespace().next().is_some_and(|name| READING_COMMANDS.contains(&name.trim_end_matches(';')))
    };
    let statements = statements.join("\n");
    let is_reading_statement = |statement: &str| {
        let word = statement.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
        statement.is_empty() || ["select", "explain", "values"].iter().any(|query| word.eq_ignore_ascii_case(query))
    };
    commands.iter().all(is_reading_command) && statements.split(';').map(str::trim).all(is_reading_statement)
}

/// Adds the accesses of `duckdb`: those of SQLite, and those of statements that name files: `FROM 'x.csv'`,
/// `COPY t TO 'x.parquet'`.
pub(super) fn duckdb(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    sqlite(call, accesses);
    let statements = call.operands().iter().skip(1).copied().chain(call.values(&["-c", "-s", "-cmd"]));
    for text in statements.filter_map(Word::known_text).filter(|text| !text.trim_start().starts_with('.')) {
        literals(text, DUCKDB_READERS, Verb::Reads, accesses);
        add_literals_after(text, &["from", "join", "import database", "attach"], Verb::Reads, accesses);
        add_literals_after(text, &["to", "export database", "attach"], Verb::Writes, accesses);
    }
}

/// Functions of DuckDB that read the file named by their first argument.
const DUCKDB_READERS: &[&str] = &[
    "read_csv",
    "read_csv_auto",
    "read_parquet",
    "parquet_scan",
    "parquet_metadata",
    "parquet_schema",
    "read_json",
    "read_json_auto",
    "read_ndjson",
    "read_text",
    "read_blob",
    "read_xlsx",
    "sniff_csv",
];

/// Adds accesses to the files whose names are string literals after one of these words: `FROM 'x.csv'`.
fn add_literals_after(statement: &str, words: &[&str], verb: Verb, accesses: &mut FileAccesses) {
    let statement = format!(" {statement}").replace(['\n', '\t', '('], " ");
    let lower = statement.to_ascii_lowercase();
    for word in words {
        for (at, _) in lower.match_indices(&format!(" {word} ")) {
            let rest = statement.get(at + word.len() + 2..).unwrap_or_default().trim_start();
            if let Some((file, _)) = rest.strip_prefix('\'').and_then(|text| text.split_once('\'')) {
                // A `*` in the name is kept: a rule about `*.csv` also applies to `a/*.csv`.
                accesses.add_certain(verb, &Word::text(file));
            }
        }
    }
}

/// Adds the accesses of one line for `sqlite3`: a command such as `.read file`, or SQL with functions that name files.
fn sqlite_line(line: &str, accesses: &mut FileAccesses) {
    let Some(command) = line.trim_start().strip_prefix('.') else {
        literals(line, &["readfile", "fsdir", "lsdir"], Verb::Reads, accesses);
        literals(line, &["writefile"], Verb::Writes, accesses);
        literals(line, &["attach", "attach database"], Verb::Reads, accesses);
        literals(line, &["attach", "attach database", "vacuum into"], Verb::Writes, accesses);
        return;
    };
    let mut words = words(command);
    let name = words.next().unwrap_or_default();
    let mut files = words.filter(|word| !word.starts_with(['-', '|']));
    match name {
        "read" | "import" | "restore" => files.next().into_iter().for_each(|file| accesses.add_read(&Word::text(file))),
        "output" | "once" | "log" | "clone" => {
            files.next().into_iter().for_each(|file| accesses.add_write(&Word::text(file)));
        }
        "backup" | "save" => files.last().into_iter().for_each(|file| accesses.add_write(&Word::text(file))),
        "open" => files.next().into_iter().for_each(|file| {
            accesses.add_read(&Word::text(file));
            accesses.add_write(&Word::text(file));
        }),
        _ => {}
    }
}

/// Adds the accesses of `psql` by its own commands such as `\copy`, which name files of this machine. Files that SQL
/// names are on the server.
pub(super) fn psql(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    for text in call.values(&["--command"]).filter_map(Word::known_text) {
        let Some(command) = text.trim_start().strip_prefix('\\') else { continue };
        let mut words = words(command);
        let name = words.next().unwrap_or_default();
        let arguments: Vec<&str> = words.collect();
        let is_file = |file: &&str| !file.starts_with(['|', '`']);
        let file = match name {
            "copy" => {
                let direction =
                    arguments.iter().position(|word| matches!(word.to_ascii_lowercase().as_str(), "from" | "to"));
                let direction = direction.and_then(|at| Some((arguments.get(at)?, arguments.get(at + 1)?)));
                let streams = ["program", "stdin", "stdout", "pstdin", "pstdout"];
                direction.filter(|(_, file)| !streams.contains(&file.to_ascii_lowercase().as_str())).map(
                    |(direction, file)| {
                        (*file, if direction.eq_ignore_ascii_case("from") { Verb::Reads } else { Verb::Writes })
                    },
                )
            }
            "i" | "ir" | "include" | "include_relative" | "lo_import" => {
                arguments.first().map(|file| (*file, Verb::Reads))
            }
            "o" | "out" | "g" | "gx" | "w" | "write" => arguments.first().map(|file| (*file, Verb::Writes)),
            "lo_export" => arguments.get(1).map(|file| (*file, Verb::Writes)),
            _ => None,
        };
        if let Some((file, verb)) = file.filter(|(file, _)| is_file(file)) {
            accesses.add_certain(verb, &Word::text(file));
        }
    }
}

/// Returns the words of a client's command, without quotes.
fn words(command: &str) -> impl Iterator<Item = &str> {
    let is_quote = |c: char| matches!(c, '\'' | '"');
    command.split_whitespace().map(move |word| word.trim_end_matches(';').trim_matches(is_quote))
}

/// Adds accesses to the files whose names are string literals after these names of functions or statements. If a
/// function has another argument than a literal, the file is unknown.
fn literals(statement: &str, names: &[&str], verb: Verb, accesses: &mut FileAccesses) {
    let lower = statement.to_ascii_lowercase();
    for name in names {
        for (at, _) in lower.match_indices(name) {
            let rest = statement.get(at + name.len()..).unwrap_or_default();
            // The argument of a function is in parentheses, that of a statement after a blank.
            let argument = rest.trim_start_matches(['(', ' ', '\t']);
            if argument.len() == rest.len() {
                continue;
            }
            match argument.strip_prefix('\'').and_then(|text| text.split_once('\'')) {
                // In `'a'||'b'`, the statement computes the name.
                Some((file, after_literal)) if !after_literal.trim_start().starts_with("||") => {
                    accesses.add_certain(verb, &Word::text(file))
                }
                _ if rest.trim_start().starts_with('(') => {
                    let why = Unknown::new(Cause::Foreign, *name);
                    accesses.add_possible(verb, &Word::unknown(why.clone()), why);
                }
                _ => {}
            }
        }
    }
}
