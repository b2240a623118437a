//! Finds JSON that a `run` writes around a placeholder: a quote or a line break in the value makes it invalid.

use super::FindingSink;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::LoadedFile;
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

/// Returns the finding about the first placeholder that is a value of a JSON object.
fn finding(text: &StringLiteral) -> Option<Diagnostic> {
    let key = |placeholder: &Placeholder| key_in_front(text.value.get(..placeholder.range.start)?);
    let (placeholder, key) = text.placeholders.iter().find_map(|it| Some((it, key(it)?)))?;
    let name = placeholder.name.text();
    Some(
        Diagnostic::new(Code::JSON_BY_HAND, format!("`{{{name}}}` inside JSON text"))
            .label(placeholder.name.span, "a quote or a line break in the value ends the JSON text")
            .help(format!(
                "let jq write it from the event, which is on standard input: `jq '{{{key}: .{}}}'`, and pipe that on: \
                 `| curl --json @- …`",
                payload_path(&name)
            )),
    )
}

/// Returns the key whose value follows a text in a JSON object: `text` for `{"text": "`, with or without backslashes
/// before the quotes.
fn key_in_front(before: &str) -> Option<String> {
    let plain = before.replace('\\', "");
    let (front, value) = plain.rsplit_once("\":")?;
    let key = front.rsplit('"').next()?;
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let inner = value.trim_start();
    let is_inside = inner.is_empty() || inner.strip_prefix('"').is_some_and(|text| !text.contains('"'));
    (is_key && is_inside && front.contains('{')).then(|| key.to_owned())
}
