//! Suggestions for unknown words in a `where`.

use super::WHERE_WORDS;
use crate::diagnostic::{Code, Diagnostic, nearest_name};
use crate::phrases::{self, PhrasePlace};
use crate::ruleset::PLACES;
use crate::syntax::{NamePlace, UnresolvedName, ast};
use hookrules_shell::Programs;

/// Returns the option that a word in a `where` means: `--message` for `message` after the pattern `git commit`.
/// `None` if the pattern's program has no such option.
pub(in crate::compile) fn intended_option(word: &str, pattern: &str, programs: &Programs) -> Option<String> {
    // These words more probably mean a property of the command than an option.
    if matches!(word, "branch" | "url" | "host" | "hostname" | "path" | "file" | "files" | "command" | "output") {
        return None;
    }
    let mut words = pattern.split_whitespace();
    let mut levels = vec![programs.program(words.next()?)?];
    for name in words {
        let Some(command) = levels.last().and_then(|program| program.command(name)) else { break };
        levels.push(command);
    }
    let translated = phrases::meaning(PhrasePlace::CommandOption, word);
    let spelled = |name: &str| match name.len() {
        1 => format!("-{name}"),
        _ => format!("--{}", name.replace('_', "-")),
    };
    let names = [Some(word), translated].into_iter().flatten().map(spelled);
    names.into_iter().find(|option| levels.iter().rev().any(|program| program.option(option).is_some()))
}

/// Returns the finding about an unknown word in a `where`, with a suggestion.
pub(super) fn unknown_where_word(name: &ast::FieldName) -> Diagnostic {
    let text = name.text();
    if let Some(found) = (UnresolvedName { name, place: NamePlace::Where }).alone(&|_| false) {
        return found;
    }
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown word `{text}` in `where`"))
        .label(name.span, "not a property of the command");
    if PLACES.contains(&text.as_str()) {
        let instead = format!("place == \"{text}\"");
        return found.help(format!("write `{instead}`")).fix(name.span, instead);
    }
    match nearest_name(&text, WHERE_WORDS.iter().copied().chain(["reads", "writes", "deletes", "sends", "connects"])) {
        Some(near) => found.help(format!("a word of `where` named `{near}` exists")),
        None => found.help(format!(
            "`where` tests the command alone: {}, operand 1, last operand, option \"-x\", env.NAME, reads, writes, deletes, sends, connects",
            WHERE_WORDS.join(", ")
        )),
    }
}
