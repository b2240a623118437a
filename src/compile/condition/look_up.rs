//! Resolves a name in a condition: a field, a fact, or a word of `where`.

use super::foreign::{bare_text, is_bare_text};
use super::misfits::misplaced;
use crate::compile::field::{self, Typed};
use crate::compile::names::Names;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::Head;
use crate::syntax::ast;

/// Resolves a name, and reports one that is unknown here.
pub(super) fn look_up(
    name: &ast::FieldName,
    head: &Head,
    names: &Names<'_>,
    file: usize,
    in_where: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Typed> {
    if let Some(single) = name.single()
        && let Some(named) = names.get(file, &single.text)
    {
        diagnostics.extend(misplaced(single, named));
        return None;
    }
    let resolved =
        if in_where { field::resolve_where(name) } else { field::resolve(name, head, &|| names.visible(file)) };
    match resolved {
        Ok(typed) => Some(typed),
        Err(_) if !in_where && field::is_where_word(name) => {
            diagnostics.push(
                Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{}` outside `where`", name.text()))
                    .label(name.span, "of which command?")
                    .help(format!("put it in parentheses after `where`: `runs \"…\" where ({} …)`", name.text())),
            );
            None
        }
        // A mistake in the head was reported; the fields of its events cannot be judged.
        Err(_) if head.events.is_empty() => None,
        // An item that could not be parsed was reported, and may define this name.
        Err(_) if name.single().is_some_and(|single| names.is_unread(file, &single.text)) => None,
        Err(error) => {
            names.account.report_unknown(name.span, *error, diagnostics);
            None
        }
    }
}

/// Resolves a name that is used as a value, and reports one that is probably a text without quotes.
pub(super) fn look_up_or_text(
    name: &ast::FieldName,
    head: &Head,
    names: &Names<'_>,
    file: usize,
    in_where: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Typed> {
    // `var.dirs`, if `dirs` is a `let`, or the item that defines it could not be parsed.
    if let [first, single] = name.segments.as_slice()
        && matches!(first.text.as_str(), "var" | "local" | "let" | "vars" | "locals" | "const" | "data" | "params")
        && (names.is_unread(file, &single.text) || names.get(file, &single.text).is_some())
    {
        diagnostics.push(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", name.text()))
                .label(name.span, "a `let` has its name alone")
                .help(format!("write `{}`", single.text))
                .fix(name.span, single.text.clone()),
        );
        return None;
    }
    if is_bare_text(name, head, names, file, in_where) {
        diagnostics.push(bare_text(name));
        return None;
    }
    look_up(name, head, names, file, in_where, diagnostics)
}
