//! Resolves the names in a condition: fields, facts, and words of `where`.

use super::foreign::is_bare_text;
use super::misfits::misplaced_name;
use crate::compile::field::{self, TypedReference};
use crate::compile::head::host_name_finding;
use crate::compile::names::LayerNames;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::Head;
use crate::schema::FieldType;
use crate::syntax::{ast, bare_value};

/// Resolves a name to a reference; `None` if it is unknown. An unknown name is reported, unless it is the consequence
/// of another mistake.
pub(super) fn resolve_name(
    name: &ast::FieldName,
    head: &Head,
    names: &LayerNames<'_>,
    file: usize,
    in_where: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<TypedReference> {
    if let Some(single) = name.as_single_name()
        && let Some(named) = names.definition(file, &single.text)
    {
        diagnostics.extend(misplaced_name(single, named));
        return None;
    }
    if let Some(captured) = names.captures.resolve(name) {
        return captured.map_err(|error| diagnostics.push(*error)).ok();
    }
    let resolved =
        if in_where { field::resolve_where(name) } else { field::resolve(name, head, &|| names.visible_names(file)) };
    match resolved {
        Ok(typed) => Some(typed.in_zone(names.zone())),
        Err(_) if !in_where && let Some((typed, here)) = field::resolve_named_by_host(name, head) => {
            diagnostics.push(host_name_finding(name.span, here));
            Some(typed)
        }
        Err(_) if !in_where && field::is_where_word(name) => {
            diagnostics.push(
                Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{}` outside `where`", name.text()))
                    .label(name.span, "of which command?")
                    .help(format!("put it in parentheses after `where`: `runs \"…\" where ({} …)`", name.text())),
            );
            None
        }
        // The mistake in the head has been reported. Without its events, no field is known.
        Err(_) if head.events.is_empty() => None,
        // An item that could not be parsed has been reported, and may define this name.
        Err(_) if name.as_single_name().is_some_and(|single| names.may_be_unparsed(file, &single.text)) => None,
        Err(error) => {
            let error = names.captures.misnamed(name).unwrap_or(*error);
            names.account.report_unknown(name.span, error, diagnostics);
            None
        }
    }
}

/// Withdraws the suggestion for an unknown name that is used as a condition, if the suggested name is not a boolean:
/// the policy would not load with it either.
pub(super) fn withdraw_value(found: &mut Diagnostic, head: &Head, in_where: bool) {
    let Some(fix) = found.fix.as_deref().filter(|_| found.code == Code::UNKNOWN_FIELD) else { return };
    let segment = |text: &str| ast::Name { text: text.to_owned(), span: fix.span };
    let name = ast::FieldName { segments: fix.replacement.split('.').map(segment).collect(), span: fix.span };
    let resolved = if in_where { field::resolve_where(&name) } else { field::resolve(&name, head, &Vec::new) };
    if resolved.is_ok_and(|typed| !matches!(typed.ty, FieldType::Boolean | FieldType::Any)) {
        found.fix = None;
        found.help = Some("define it: `def NAME = …`, or compare a field: `rules help fields` lists them".to_owned());
    }
}

/// Resolves a name that is used as a value. A name that refers to nothing is reported as a text without quotes.
pub(super) fn resolve_name_or_text(
    name: &ast::FieldName,
    head: &Head,
    names: &LayerNames<'_>,
    file: usize,
    in_where: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<TypedReference> {
    // `var.dirs` or the like, if `dirs` is a `let`, or may be defined by an item that could not be parsed.
    if let [first, single] = name.segments.as_slice()
        && matches!(first.text.as_str(), "var" | "local" | "let" | "vars" | "locals" | "const" | "data" | "params")
        && (names.may_be_unparsed(file, &single.text) || names.definition(file, &single.text).is_some())
    {
        diagnostics.push(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", name.text()))
                .label(name.span, "a `let` has its name alone")
                .help(format!("write `{}`", single.text))
                .fix(name.span, single.text.clone()),
        );
        return None;
    }
    if let Some(captured) = names.captures.resolve(name) {
        return captured.map_err(|error| diagnostics.push(*error)).ok();
    }
    if is_bare_text(name, head, names, file, in_where) {
        diagnostics.push(bare_value(name));
        return None;
    }
    resolve_name(name, head, names, file, in_where, diagnostics)
}
