//! Database clients: some of their own commands, which may be among the statements, run others.

use super::call::Call;
use super::{Nested, Setting, What};
use crate::analysis::Scope;
use crate::nested::Code;
use crate::word::{Part, Word};

/// `sqlite3`: `.shell`, `.system`, a `|` before a file name, and functions that load code or start an editor.
pub(super) fn sqlite(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
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
            Some((name, rest)) if is_beginning(&name, &["shell", "system"]) => found.push(What::script(rest)),
            Some((name, rest)) if is_beginning(&name, &["load"]) => found.push(What::Foreign(Code::File(rest))),
            Some((name, rest)) if is_beginning(&name, TO_FILES) => found.extend(piped(&rest).map(What::script)),
            Some(_) => {}
            None if line.mentions("load_extension") || line.mentions("edit(") => found.push(What::foreign(line)),
            None => {}
        }
    }
    found.into_iter().map(|what| Nested::with(what, setting)).collect()
}

/// `psql`: `\! command`, backticks after another command, and a `|` before a file name. The server's commands run on
/// its own machine.
pub(super) fn psql(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let mut found: Vec<Nested> = Vec::new();
    for text in call.values("--command") {
        let is_own = text.prefix().trim_start().starts_with('\\');
        if let Some(command) = is_own.then(|| behind(text, "\\!")).flatten() {
            found.push(Nested::with(What::script(command), setting));
        } else if is_own {
            let command = backticks(text).or_else(|| program(text)).or_else(|| behind(text, "|"));
            found.extend(command.map(|command| Nested::with(What::script(command), setting)));
        } else if let Some(command) = program(text) {
            let setting = Setting { scope: Some(Scope::Remote), ..setting.clone() };
            found.push(Nested::with(What::script(command), &setting));
        }
    }
    let outputs = call.values("--output").filter_map(|file| file.after("|"));
    found.extend(outputs.map(|command| Nested::with(What::script(command), setting)));
    found
}

/// `mysql`: `\! command`, `system command`, and a pager that the statements set.
pub(super) fn mysql(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let mut found = Vec::new();
    for line in call.values("--execute").flat_map(lines) {
        let word = line.prefix().trim_start().split([' ', '\t']).next().unwrap_or_default();
        let named = matches!(word.to_ascii_lowercase().as_str(), "system" | "pager").then(|| behind(&line, word));
        let command = named.flatten().or_else(|| behind(&line, "\\!")).or_else(|| behind(&line, "\\P"));
        found.extend(command.map(What::script));
    }
    found.into_iter().map(|what| Nested::with(what, setting)).collect()
}

/// Returns what `psql` runs because of the statements on its standard input, each line treated as a value of `-c`.
pub(super) fn psql_input(call: &Call<'_>, input: &Word) -> Vec<Nested> {
    if call.has("--command") {
        return Vec::new();
    }
    lines(input).iter().flat_map(|line| psql(&Call::new(&with(call, "-c", line)), &Setting::default())).collect()
}

/// Returns what `mysql` runs because of the statements on its standard input.
pub(super) fn mysql_input(call: &Call<'_>, input: &Word) -> Vec<Nested> {
    let runs = || mysql(&Call::new(&with(call, "-e", input)), &Setting::default());
    if call.has("--execute") { Vec::new() } else { runs() }
}

/// Returns what `sqlite3` runs because of the statements on its standard input.
pub(super) fn sqlite_input(call: &Call<'_>, input: &Word) -> Vec<Nested> {
    let runs = || sqlite(&Call::new(&with(call, "x", input)), &Setting::default());
    if call.operand(1).is_some() { Vec::new() } else { runs() }
}

/// Returns the words of a client with statements after a given word.
fn with(call: &Call<'_>, before: &str, statements: &Word) -> Vec<Word> {
    call.words.iter().take(1).cloned().chain([Word::text(before), statements.clone()]).collect()
}

/// Returns the lines of a text.
pub(super) fn lines(text: &Word) -> Vec<Word> {
    let mut lines = vec![Word::default()];
    for part in &text.parts {
        let Part::Text(known) = part else {
            lines.last_mut().into_iter().for_each(|line| line.push(part.clone()));
            continue;
        };
        for (at, piece) in known.split('\n').enumerate() {
            if at > 0 {
                lines.push(Word::default());
            }
            lines.last_mut().into_iter().for_each(|line| line.push(Part::Text(piece.to_owned())));
        }
    }
    lines
}

/// Returns the name of a dot command, and the rest of its line.
fn dot_command(line: &Word) -> Option<(String, Word)> {
    let start = line.prefix().trim_start();
    let name = start.strip_prefix('.')?.split([' ', '\t']).next().unwrap_or_default().to_owned();
    let rest = behind(line, &format!(".{name}")).unwrap_or_default();
    Some((name, rest))
}

/// Whether a name abbreviates one of several, as the client allows.
fn is_beginning(name: &str, of: &[&str]) -> bool {
    !name.is_empty() && of.iter().any(|whole| whole.starts_with(name))
}

/// Returns the text after a mark that is in the known beginning.
fn behind(text: &Word, mark: &str) -> Option<Word> {
    let start = text.prefix();
    let end = start.find(mark)? + mark.len();
    let blanks = start.get(end..)?.len() - start.get(end..)?.trim_start().len();
    text.after(start.get(..end + blanks)?)
}

/// Returns the command after a `|` at the beginning of a name.
fn piped(rest: &Word) -> Option<Word> {
    let start = rest.prefix();
    let quoted = start.len() - start.trim_start_matches(['\'', '"']).len();
    let command = rest.after(&format!("{}|", start.get(..quoted)?))?;
    Some(match command.known() {
        Some(known) => Word::text(known.trim_end_matches(['\'', '"'])),
        None => command,
    })
}

/// Returns the first command in backticks.
fn backticks(text: &Word) -> Option<Word> {
    let rest = behind(text, "`")?;
    Some(match rest.known().and_then(|rest| rest.split_once('`')) {
        Some((command, _)) => Word::text(command),
        None => rest,
    })
}

/// Returns the command of `COPY … PROGRAM 'command'`.
fn program(text: &Word) -> Option<Word> {
    let lower = text.prefix().to_ascii_lowercase();
    let at = lower.find("program")?;
    let rest = behind(text, text.prefix().get(at..at + "program".len())?)?;
    let command = rest.after("'")?;
    Some(match command.known().and_then(|command| command.rsplit_once('\'')) {
        Some((command, _)) => Word::text(command.replace("''", "'")),
        None => command,
    })
}
