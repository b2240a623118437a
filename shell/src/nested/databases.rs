//! What database clients run: some of their own commands, which may be among the statements, run programs.

use super::call::OuterCommand;
use super::{NestedCommand, NestedSetting, Runnable, words};
use crate::analysis::CommandScope;
use crate::nested::CodeSource;
use crate::word::{Word, WordPart};

/// Returns what `sqlite3` runs: `.shell ls`, `.system ls`, the command after a `|` in place of a file name, and
/// functions that load code or start an editor.
pub(super) fn sqlite(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    const TO_FILES: &[&str] = &["output", "once", "import", "read", "excel"];
    let mut found = Vec::new();
    for line in call
        .argv
        .operands
        .iter()
        .copied()
        .skip(1)
        .chain(["-cmd", "-c", "-s"].into_iter().flat_map(|option| call.values(option)))
        .flat_map(lines)
    {
        match dot_command(&line) {
            Some((name, rest)) if abbreviates_any(&name, &["shell", "system"]) => found.push(Runnable::script(rest)),
            Some((name, rest)) if abbreviates_any(&name, &["load"]) => {
                found.push(Runnable::Foreign(CodeSource::File(rest)))
            }
            Some((name, rest)) if abbreviates_any(&name, TO_FILES) => match piped(&rest) {
                Some(command) => found.push(Runnable::script(command)),
                None if abbreviates_any(&name, &["read"]) => {
                    found.push(Runnable::Foreign(CodeSource::File(words::unquoted(&rest))))
                }
                None => {}
            },
            Some(_) => {}
            None if line.has_known_text("load_extension") || line.has_known_text("edit(") => {
                found.push(Runnable::foreign(line))
            }
            None => {}
        }
    }
    found.into_iter().map(|what| NestedCommand::new(what, setting)).collect()
}

/// Returns what `psql` runs: `\! command`, backticks after another command, and the command after a `|` in place of a
/// file name. `COPY … PROGRAM` runs on the server's machine.
pub(super) fn psql(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found: Vec<NestedCommand> = Vec::new();
    for text in call.values("--command") {
        let is_client_command = text.prefix().trim_start().starts_with('\\');
        if let Some(command) = is_client_command.then(|| text_after(text, "\\!")).flatten() {
            found.push(NestedCommand::new(Runnable::script(command), setting));
        } else if is_client_command {
            let command = backticks(text).or_else(|| copy_program(text)).or_else(|| text_after(text, "|"));
            found.extend(command.map(|command| NestedCommand::new(Runnable::script(command), setting)));
        } else if let Some(command) = copy_program(text) {
            let setting = NestedSetting { scope: Some(CommandScope::Remote), ..setting.clone() };
            found.push(NestedCommand::new(Runnable::script(command), &setting));
        }
    }
    let outputs = call.values("--output").filter_map(|file| file.strip_prefix("|"));
    found.extend(outputs.map(|command| NestedCommand::new(Runnable::script(command), setting)));
    found
}

/// Returns what `mysql` runs: `\! command`, `system command`, and a pager that the statements set.
pub(super) fn mysql(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found = Vec::new();
    for line in call.values("--execute").flat_map(lines) {
        let word = line.prefix().trim_start().split([' ', '\t']).next().unwrap_or_default();
        let named = matches!(word.to_ascii_lowercase().as_str(), "system" | "pager").then(|| text_after(&line, word));
        let command = named.flatten().or_else(|| text_after(&line, "\\!")).or_else(|| text_after(&line, "\\P"));
        found.extend(command.map(Runnable::script));
    }
    found.into_iter().map(|what| NestedCommand::new(what, setting)).collect()
}

/// Returns what `psql` runs because of the statements on its standard input, of which each line is treated as a value
/// of `-c`.
pub(super) fn psql_input(call: &OuterCommand<'_>, input: &Word) -> Vec<NestedCommand> {
    if call.has_option("--command") {
        return Vec::new();
    }
    lines(input)
        .iter()
        .flat_map(|line| psql(&OuterCommand::new(&words_with_statements(call, "-c", line)), &NestedSetting::default()))
        .collect()
}

/// Returns what `mysql` runs because of the statements on its standard input.
pub(super) fn mysql_input(call: &OuterCommand<'_>, input: &Word) -> Vec<NestedCommand> {
    let runs = || mysql(&OuterCommand::new(&words_with_statements(call, "-e", input)), &NestedSetting::default());
    if call.has_option("--execute") { Vec::new() } else { runs() }
}

/// Returns what `sqlite3` runs because of the statements on its standard input.
pub(super) fn sqlite_input(call: &OuterCommand<'_>, input: &Word) -> Vec<NestedCommand> {
    let runs = || sqlite(&OuterCommand::new(&words_with_statements(call, "x", input)), &NestedSetting::default());
    if call.operand(1).is_some() { Vec::new() } else { runs() }
}

/// Returns the words of a client with the word `before` and the statements as its only arguments.
fn words_with_statements(call: &OuterCommand<'_>, before: &str, statements: &Word) -> Vec<Word> {
    call.words.iter().take(1).cloned().chain([Word::text(before), statements.clone()]).collect()
}

/// Returns the lines of a text, which may contain unknown parts.
pub(super) fn lines(text: &Word) -> Vec<Word> {
    let mut lines = vec![Word::default()];
    for part in &text.parts {
        let WordPart::Text(known) = part else {
            lines.last_mut().into_iter().for_each(|line| line.push(part.clone()));
            continue;
        };
        for (at, piece) in known.split('\n').enumerate() {
            if at > 0 {
                lines.push(Word::default());
            }
            lines.last_mut().into_iter().for_each(|line| line.push(WordPart::Text(piece.to_owned())));
        }
    }
    lines
}

/// Returns the name of a dot command of `sqlite3` and the rest of its line; `None` if the line is not one.
fn dot_command(line: &Word) -> Option<(String, Word)> {
    let start = line.prefix().trim_start();
    let name = start.strip_prefix('.')?.split([' ', '\t']).next().unwrap_or_default().to_owned();
    let rest = text_after(line, &format!(".{name}")).unwrap_or_default();
    Some((name, rest))
}

/// Whether a name is one of `names` or an abbreviation of one, as the client allows.
fn abbreviates_any(name: &str, names: &[&str]) -> bool {
    !name.is_empty() && names.iter().any(|whole| whole.starts_with(name))
}

/// Returns the text after the first occurrence of `sign` and white space; `None` if the sign is not in the known text
/// at the start.
fn text_after(text: &Word, sign: &str) -> Option<Word> {
    let start = text.prefix();
    let end = start.find(sign)? + sign.len();
    let white_space = start.get(end..)?.len() - start.get(end..)?.trim_start().len();
    text.strip_prefix(start.get(..end + white_space)?)
}

/// Returns the command after a `|` at the start of a file name, which may be in quotes.
fn piped(rest: &Word) -> Option<Word> {
    let start = rest.prefix();
    let quotes = start.len() - start.trim_start_matches(['\'', '"']).len();
    let command = rest.strip_prefix(&format!("{}|", start.get(..quotes)?))?;
    Some(match command.known_text() {
        Some(known) => Word::text(known.trim_end_matches(['\'', '"'])),
        None => command,
    })
}

/// Returns the first command in backticks; `None` if there is none.
fn backticks(text: &Word) -> Option<Word> {
    let rest = text_after(text, "`")?;
    Some(match rest.known_text().and_then(|rest| rest.split_once('`')) {
        Some((command, _)) => Word::text(command),
        None => rest,
    })
}

/// Returns the command of `COPY … PROGRAM 'command'`; `None` for another statement.
fn copy_program(text: &Word) -> Option<Word> {
    let lower = text.prefix().to_ascii_lowercase();
    let at = lower.find("program")?;
    let rest = text_after(text, text.prefix().get(at..at + "program".len())?)?;
    let command = rest.strip_prefix("'")?;
    Some(match command.known_text().and_then(|command| command.rsplit_once('\'')) {
        Some((command, _)) => Word::text(command.replace("''", "'")),
        None => command,
    })
}
