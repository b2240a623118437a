//! PowerShell texts and their translations: the commands, then their effects on files.

use std::path::Path;

use proptest::prelude::*;

use super::{decoded_command, translate};
use crate::access::{AccessCertainty, AccessExtent};
use crate::analysis::{Analysis, StartDirectories};
use crate::files::file_accesses;
use crate::interpret::{analyse, analyse_powershell};
use crate::word::{Word, WordPart};

/// One text per line, with `\n` for a newline in it; the following lines, which begin with a tab, are the expected
/// result.
const CASES: &str = include_str!("../../fixtures/powershell.txt");

const BATCH: &str = include_str!("../../fixtures/batch.txt");

fn start() -> StartDirectories<'static> {
    StartDirectories { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) }
}

fn shown(word: &Word) -> String {
    let part = |part: &WordPart| match part {
        WordPart::Text(text) => text.clone(),
        WordPart::Glob(text) => format!("«{text}»"),
        WordPart::Unknown(_) => "⟨⟩".to_owned(),
    };
    let text: String = word.parts.iter().map(part).collect();
    if text.is_empty() || text.contains(char::is_whitespace) { format!("{text:?}") } else { text }
}

/// Summarises an analysis, with a line for each command and for each unread part.
fn summary(analysis: &Analysis) -> Vec<String> {
    let mut lines = Vec::new();
    for (id, command) in analysis.iter() {
        if command.words.is_empty() && command.redirects.is_empty() {
            continue;
        }
        let mut line = command.words.iter().map(shown).collect::<Vec<_>>().join(" ");
        for access in file_accesses(analysis, command) {
            let verb = access.verb.word();
            let extent = if access.extent == AccessExtent::PathOnly { "" } else { " and below" };
            let maybe = if matches!(access.certainty, AccessCertainty::Maybe(_)) { "maybe " } else { "" };
            line.push_str(&format!(" | {maybe}{verb} {}{extent}", shown(&access.path)));
        }
        let code: Vec<String> = command
            .code_from
            .iter()
            .filter(|from| **from != id)
            .filter_map(|from| analysis.command(*from)?.words.first().map(shown))
            .collect();
        if !code.is_empty() {
            line.push_str(&format!(" | executes {}", code.join(", ")));
        }
        lines.push(line);
    }
    for opaque in &analysis.opaque {
        let line = format!(
            "? {:?} {}",
            opaque.reason.cause,
            opaque.text.as_ref().map(crate::UnseenText::as_str).unwrap_or_default()
        );
        lines.push(line.trim_end().replace('\n', "\\n"));
    }
    if lines.is_empty() {
        lines.push("nothing".to_owned());
    }
    lines
}

#[test]
fn texts_come_to_their_commands() {
    check(CASES, 200, |text| analyse_powershell(text, &start()));
}

#[test]
fn texts_of_cmd_come_to_their_commands() {
    let quoted = |text: &str| format!("cmd /c '{}'", text.replace('\'', "'\\''"));
    check(BATCH, 50, |text| {
        let mut analysis = analyse(&quoted(text), &start());
        // The command that runs the text.
        analysis.commands.first_mut().unwrap().words.clear();
        analysis
    });
}

/// Compares the analyses of texts with a fixture.
#[track_caller]
fn check(cases: &str, least: usize, analysed: impl Fn(&str) -> Analysis) {
    let mut found = String::new();
    let mut count = 0;
    for line in cases.lines() {
        if line.starts_with('\t') {
            continue;
        }
        found.push_str(line);
        found.push('\n');
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        count += 1;
        let text = line.replace("\\n", "\n");
        for one in summary(&analysed(&text)) {
            found.push_str(&format!("\t{one}\n"));
        }
    }
    assert!(count >= least, "only {count} texts");
    assert!(found == cases, "other than the fixture says; what they come to now:\n{found}");
}

#[test]
fn encoded_commands_are_utf_16_in_base64() {
    assert_eq!(decoded_command("cgBpACAAdgBpAGMAdABpAG0A").as_deref(), Some("ri victim"));
    assert_eq!(decoded_command("cgBpACAAdgBpAGMAdABpAG0A=").as_deref(), Some("ri victim"));
    assert_eq!(decoded_command("cm0="), Some("\u{6d72}".to_owned()));
    assert_eq!(decoded_command("cm"), None);
    assert_eq!(decoded_command("!"), None);
}

#[test]
fn nesting_is_bounded() {
    for (open, close) in [
        ("(", ")"),
        ("$(", ")"),
        ("@(", ")"),
        ("& {", "}"),
        ("\"$(", ")\""),
        ("if (1) {", "}"),
        ("!", ""),
        ("[a]", ""),
        ("% {", "}"),
        ("rm $(", ")"),
    ] {
        for count in [10, 100, 5000] {
            let text = format!("{}ri x{}", open.repeat(count), close.repeat(count));
            let translation = translate(&text);
            assert!(translation.script.len() <= crate::translation::max_length(&text), "{open}");
            assert!(analyse_powershell(&text, &start()).steps > 0);
        }
    }
}

#[test]
fn a_loop_that_does_not_move_comes_to_an_end() {
    let cursor = super::Cursor::new("a");
    while cursor.peek().is_some() {}
    assert_eq!(cursor.is_at_end(), Err(super::TranslationError::LimitExceeded));
}

/// Pieces of texts.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "Remove-Item",
            "ri",
            "victim",
            " ",
            "\n",
            ";",
            "|",
            "&&",
            "||",
            "&",
            ".",
            "(",
            ")",
            "$(",
            "@(",
            "@{",
            "{",
            "}",
            "'",
            "\"",
            "@'\n",
            "\n'@",
            "$x",
            "${x}",
            "=",
            "+=",
            "-r",
            "-Path",
            ":",
            ",",
            "if",
            "else",
            "foreach",
            "while",
            "function f",
            "param",
            "switch",
            "try",
            "catch",
            "return",
            "[IO.File]::Delete(",
            "[char]",
            "[",
            "]",
            "::",
            ">",
            "2>&1",
            "`",
            "#",
            "<#",
            "#>",
            "%",
            "?",
            "iex",
            "-join",
            "-f",
            "+",
            "-",
            "--%",
            "1",
            "..",
            "$_",
            ".Name",
            "$env:X",
            "é",
            "\u{e000}",
            "*",
        ][..],
    )
}

fn batch_piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "del",
            "rd",
            "/s",
            "/q",
            "x",
            " ",
            "\n",
            "&",
            "&&",
            "||",
            "|",
            "(",
            ")",
            "\"",
            "^",
            "%",
            "%X%",
            "%%i",
            "!X!",
            "if exist",
            "if",
            "==",
            "else",
            "for",
            "for /",
            "in",
            "do",
            "/f",
            "/d",
            "*",
            "set",
            "=",
            "echo",
            "call",
            ":",
            "start",
            "cd",
            "..",
            "\\",
            ">",
            "2>&1",
            "<",
            "rem",
            "powershell -c",
            "git push",
            "'",
            "$(x)",
            "`x`",
            "é",
        ][..],
    )
}

proptest! {
    #[test]
    fn texts_of_cmd_come_to_texts_of_bash(pieces in prop::collection::vec(batch_piece(), 0..16)) {
        let text = pieces.concat();
        let quoted = text.replace('\'', "'\\''");
        let analysis = analyse(&format!("cmd /c '{quoted}'"), &start());
        let is_syntax = analysis.opaque.iter().any(|opaque| opaque.reason.cause == crate::word::Cause::Syntax);
        prop_assert!(!is_syntax, "{text:?} came to {:?}", super::translate_batch(&text).script);
    }

    #[test]
    fn every_text_comes_to_something(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        let translation = translate(&text);
        prop_assert!(translation.script.len() <= 2 * crate::translation::max_length(&text));
        let first = analyse_powershell(&text, &start());
        prop_assert_eq!(first, analyse_powershell(&text, &start()));
    }

    #[test]
    fn what_is_translated_is_a_text_of_bash(pieces in prop::collection::vec(piece(), 0..12)) {
        let text = pieces.concat();
        let analysis = analyse_powershell(&text, &start());
        let is_syntax = analysis.opaque.iter().any(|opaque| opaque.reason.cause == crate::word::Cause::Syntax);
        prop_assert!(!is_syntax, "{text:?} came to {:?}", translate(&text).script);
    }
}
