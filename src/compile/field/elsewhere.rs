//! Names that other languages have for fields and facts, and for values that this language does not offer.

use super::{Derived, Head, carries, derived, fact};
use crate::compile::head::tools;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::phrases::{self, Phrase, Place};
use crate::schema::{FieldLookup, field_type};
use crate::syntax::ast;

/// Returns the row for the part of a path that a name means: `extension`, `path.suffix`, `tool_input.file_path.name`.
pub(in crate::compile) fn part_of_path(name: &ast::FieldName, head: &Head) -> Option<&'static Phrase> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let (last, front) = segments.split_last()?;
    let is_of_path = matches!(front, ["path" | "file" | "file_path"] | ["tool_input", "file_path"]);
    if !(front.is_empty() || is_of_path) || !carries(head, "path", Derived::Path) {
        return None;
    }
    let behind_path = || phrases::find(Place::PartOfPath, &format!("path.{last}")).filter(|_| is_of_path);
    phrases::find(Place::PartOfPath, last).or_else(behind_path)
}

/// Returns the field, fact or member that a name of another language means.
pub(in crate::compile) fn field_meant(name: &str) -> Option<&'static str> {
    // Some names mean a whole test.
    phrases::meaning(Place::Field, name).filter(|means| !means.contains(' '))
}

/// Returns the operator of a shell test that fails when the author's comparison holds, so that the rule denies.
fn opposite(operator: ast::Operator, negated: bool) -> Option<&'static str> {
    use ast::Operator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let (holds, fails) = match operator {
        Greater => ("-gt", "-le"),
        GreaterEqual => ("-ge", "-lt"),
        Less => ("-lt", "-ge"),
        LessEqual => ("-le", "-gt"),
        Equal => ("-eq", "-ne"),
        NotEqual => ("-ne", "-eq"),
        _ => return None,
    };
    Some(if negated { holds } else { fails })
}

/// Reports `now.hour >= 18` and `now > "17:30"`, and proposes a command with the author's number.
pub(in crate::compile) fn time_of_day(name: &ast::FieldName, compare: &ast::Compare) -> Option<Diagnostic> {
    let written = match &compare.value.kind {
        ast::ValueKind::Number(_, digits) => digits.as_str(),
        ast::ValueKind::Text(text) => text.value.split(':').next()?,
        _ => return None,
    };
    let number: u32 = written.parse().ok().filter(|number| *number < 24)?;
    let opposite = opposite(compare.operator, compare.negated)?;
    let row = phrases::find(Place::Field, &format!("{} $operator $number", name.text()))?;
    let command = row.run.replace("$opposite", opposite).replace("$number", &number.to_string());
    Some(unknown_fact(name, row.label, delete_and_run(&command)))
}

/// Reports a fact that no condition knows.
fn unknown_fact(name: &ast::FieldName, why: &str, help: String) -> Diagnostic {
    let message = format!("`{}` is not known to a condition", name.text());
    Diagnostic::new(Code::UNKNOWN_FIELD, message).label(name.span, why).help(help)
}

/// Returns the help for a fact that a command finds out.
fn delete_and_run(command: &str) -> String {
    format!("delete the test, and write `run {command} {{ on_fail: deny }}` as the effect")
}

/// Reports another program's name for a field or fact, or a field prefixed with the name of the event.
pub(super) fn known_elsewhere(name: &ast::FieldName, text: &str, head: &Head) -> Option<Diagnostic> {
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{text}`")).label(name.span, "not a field");
    let first = name.segments.first().map_or("", |segment| segment.text.as_str());
    if let Some(part) = part_of_path(name, head) {
        return Some(found.help(part.help));
    }
    match phrases::find_name(Place::Field, text) {
        Some(Phrase { means, .. }) if means.contains(' ') => {
            return Some(found.help(format!("write `{means}`")).fix(name.span, *means));
        }
        Some(Phrase { label: "", help, .. }) if !help.is_empty() => return Some(found.help(*help)),
        Some(Phrase { label, help, run: "", .. }) if !label.is_empty() => {
            return Some(unknown_fact(name, label, (*help).to_owned()));
        }
        Some(Phrase { label, run, .. }) if !label.is_empty() => {
            return Some(unknown_fact(name, label, delete_and_run(run)));
        }
        _ => {}
    }
    let resolves = |segments: &[&str]| {
        let single =
            matches!(segments, [single] if derived(single).is_some_and(|(derived, _)| carries(head, single, derived)));
        // The input of a server's tool is unknown: any member may be meant.
        let is_member = |segments: &[&str]| matches!(segments, ["tool_input" | "tool_response", _, ..]);
        let raw = |event| match field_type(event, &tools(head, event), segments) {
            FieldLookup::Found(_) => true,
            FieldLookup::Open => is_member(segments),
            _ => false,
        };
        single || fact(segments).is_some() || head.event_set().into_iter().any(raw)
    };
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let alias = |text: &str| field_meant(text).map(str::to_owned);
    let whole = alias(text).or_else(|| match segments.as_slice() {
        // `tool_input.cmd` means a member of the input, or the field that replaces it for every tool.
        ["tool_input", last] => {
            let ours = alias(last)?;
            match resolves(&["tool_input", ours.as_str()]) {
                true => Some(format!("tool_input.{ours}")),
                // A name with a similar spelling is the better suggestion.
                false => nearest(last, ["file_path"]).is_none().then_some(ours),
            }
        }
        _ => None,
    });
    // `input.tool_name`, `payload.cwd`: the first segment is another language's name for the whole payload.
    let behind =
        segments.get(1..).filter(|rest| !rest.is_empty() && !resolves(&[first])).and_then(|rest| {
            match resolves(rest) {
                true => Some(rest.join(".")),
                false => alias(&rest.join(".")),
            }
        });
    let meant = whole.or(behind).filter(|meant| resolves(&meant.split('.').collect::<Vec<_>>()))?;
    Some(found.help(format!("write `{meant}`")).fix(name.span, meant))
}
