//! Finds JSON that a `run` writes around a placeholder: a quote or a line break in the value makes it invalid.

use super::FindingSink;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::LoadedFile;
use crate::shell_text::{json_by_jq, json_key_before};
use crate::syntax::ast::{ClauseKind, EffectKind, ItemKind, Placeholder, StringLiteral};
use crate::syntax::payload_path;

/// Reports each such `run` in the files of a layer: `run "curl --json \"{\\\"text\\\": \\\"{message}\\\"}\" …"`.
pub(super) fn check(files: &[LoadedFile], findings: &mut FindingSink) {
    for item in files.iter().filter(|file| file.pack.is_none()).flat_map(|file| &file.ast.items) {
        let ItemKind::Rule(rule) = &item.kind else { continue };
        for clause in &rule.clauses {
            let ClauseKind::Effect(effect) = &clause.kind else { continue };
            let words = match &effect.kind {
                EffectKind::RunShell(text) => std::slice::from_ref(text),
                EffectKind::RunArgv(words, _) => words.as_slice(),
                _ => continue,
            };
            findings.extend(words.iter().find_map(finding));
        }
    }
}

/// Returns the finding about the first placeholder that is a value of a JSON object, or that is sent as JSON although
/// it is any text.
fn finding(text: &StringLiteral) -> Option<Diagnostic> {
    let key = |placeholder: &Placeholder| json_key_before(text.value.get(..placeholder.range.start)?);
    let inside = text.placeholders.iter().find_map(|it| Some((it, key(it)?)));
    if let Some((placeholder, key)) = inside {
        let name = placeholder.name.text();
        let command = match payload_path(&name) {
            Some(path) => format!("`jq '{{{key}: .{path}}}' | curl --json @- …`; the event is on standard input"),
            None => json_by_jq(&key, &name),
        };
        return Some(
            Diagnostic::new(Code::JSON_BY_HAND, format!("`{{{name}}}` inside JSON text"))
                .label(placeholder.name.span, "a quote or a line break in the value ends the JSON text")
                .help(format!("let jq write it: {command}")),
        );
    }
    let placeholder = text.placeholders.iter().find(|placeholder| is_sent_as_json(text, placeholder))?;
    let name = placeholder.name.text();
    Some(
        Diagnostic::new(Code::JSON_BY_HAND, format!("`{{{name}}}` is sent as JSON"))
            .label(placeholder.name.span, "the value is any text, without quotes around it")
            .help(format!("let jq write it: {}", json_by_jq("text", &name))),
    )
}

/// Whether a placeholder is the text that `curl` sends as JSON: its own value, or what `echo` or `printf` prints.
fn is_sent_as_json(text: &StringLiteral, placeholder: &Placeholder) -> bool {
    let before = text.value.get(..placeholder.range.start).unwrap_or_default();
    let after = text.value.get(placeholder.range.end..).unwrap_or_default();
    let command = before.rsplit(['|', ';', '&', '\n']).next().unwrap_or_default();
    let mut words = command.split_whitespace();
    let says_json = |text: &str| text.contains("--json") || text.contains("application/json");
    match words.next() {
        Some("echo" | "printf") => {
            after.split_once('|').is_some_and(|(_, sent)| sent.trim_start().starts_with("curl ") && says_json(sent))
        }
        Some("curl") => {
            let option = words.next_back().map(|word| word.trim_end_matches('"'));
            match option {
                Some("--json") => true,
                Some("-d" | "--data" | "--data-raw" | "--data-binary") => says_json(&text.value),
                _ => false,
            }
        }
        _ => false,
    }
}
