//! Writes parts of the translation into bash.

use super::value::{PowerShellObject, PowerShellValue, PowerShellValueKind, ValuePiece, WildcardMode, paths};
use super::{UNKNOWN, quoted};

/// Returns an assignment of bash after which a variable is unknown, or a change to an unknown directory for the name
/// `cd`.
pub(super) fn make_unknown(name: &str) -> String {
    match name {
        "cd" => format!("cd \"${{{UNKNOWN}}}\"\n"),
        name => format!("{name}=\"${{{UNKNOWN}}}\"\n"),
    }
}

/// Returns a command that writes the value of an expression to the output.
pub(super) fn output_command(value: &PowerShellValue) -> String {
    match value.items.as_slice() {
        [] => String::new(),
        [item] => match item.as_slice() {
            [ValuePiece::Output(script)] => script.clone(),
            _ => format!("Write-Output {}", value.words().join(" ")),
        },
        _ => format!("Write-Output {}", value.words().join(" ")),
    }
}

/// Returns the words over which a loop iterates, given the value in its head.
pub(super) fn loop_words(list: &PowerShellValue) -> String {
    match list.kind {
        PowerShellValueKind::Files => {
            let words: Vec<String> = list.items.iter().flat_map(|item| paths(item, WildcardMode::Expanded)).collect();
            words.join(" ")
        }
        _ => list.words().join(" "),
    }
}

/// Returns a loop over words.
pub(super) fn loop_over_words(name: &str, words: &str, body: &str) -> String {
    format!("for {name} in {words}; do\n{}\ndone", body_or_no_op(body))
}

/// Returns a body, or an assignment without effect if it is empty: bash permits no empty body.
pub(super) fn body_or_no_op(body: &str) -> &str {
    if body.trim().is_empty() { "psloop=" } else { body }
}

/// Returns a loop in which a body may run any number of times.
pub(super) fn repeat_body(body: &str) -> String {
    format!("for psloop in ${{{UNKNOWN}}}; do\n{}\ndone", body_or_no_op(body))
}

/// Returns a condition in which a body may run or not.
pub(super) fn optional_body(body: &str) -> String {
    format!("case \"${{{UNKNOWN}}}\" in\n1)\n{body}\n;;\nesac\n")
}

/// Returns a name as a word, quoted if it may be a keyword of bash.
pub(super) fn name_word(name: &str) -> String {
    let is_plain = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if is_plain { name.to_owned() } else { quoted(name) }
}

/// Merges adjacent texts of an object.
pub(super) fn merge_texts(item: PowerShellObject) -> PowerShellObject {
    let mut merged = PowerShellObject::new();
    for piece in item {
        match (merged.last_mut(), piece) {
            (Some(ValuePiece::Text(text)), ValuePiece::Text(more)) => text.push_str(&more),
            (_, piece) => merged.push(piece),
        }
    }
    merged
}

/// Returns a translation as one command of bash, in braces if it is more than one.
pub(super) fn group_command(text: &str) -> String {
    match text.trim() {
        "" => "psloop=".to_owned(),
        text if text.contains('\n') || text.contains(" | ") || text.contains("&&") || text.contains("||") => {
            format!("{{\n{text}\n}}")
        }
        text => text.to_owned(),
    }
}
