//! Selectors that select nothing: a tool that does not exist, a value that the subject never has.

use super::Lint;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::ruleset::Rule;
use crate::schema::{Event, OTHER_TOOLS, Subject, TOOLS, Type};
use crate::span::Span;
use hookrules_shell::path::glob_matches;

pub(super) const LINT: Lint = Lint { codes: &[Code::UNKNOWN_TOOL, Code::ENUM_VALUE], check };

fn check(rule: &Rule, found: &mut Vec<Diagnostic>) {
    for selector in &rule.head.events {
        for (written, span) in selector.subjects.iter().flat_map(|list| list.written.iter()) {
            match selector.event.spec().subject {
                Subject::Tool => found.extend(tool(written, *span)),
                Subject::Field(field) => found.extend(value(selector.event, field, written, *span)),
                Subject::None | Subject::BaseName(_) => {}
            }
        }
    }
}

fn tool(written: &str, span: Span) -> Option<Diagnostic> {
    let known = || TOOLS.iter().map(|tool| tool.name).chain(OTHER_TOOLS.iter().copied()).chain(["Task"]);
    let is_open = written.contains(['*', '?', '[']) || written.starts_with("mcp__");
    if is_open || known().any(|name| name == written) {
        return None;
    }
    let near = nearest(written, known());
    let help = match near {
        Some(near) if near.eq_ignore_ascii_case(written) => format!("names are case-sensitive: write `{near}`"),
        Some(near) => format!("a tool named `{near}` exists"),
        None => "the book lists the tools; those of a server begin with `mcp__`".to_owned(),
    };
    let finding = Diagnostic::new(Code::UNKNOWN_TOOL, format!("unknown tool `{written}`"))
        .label(span, "selects nothing")
        .help(help);
    Some(match near {
        Some(near) => finding.fix(span, near),
        None => finding,
    })
}

fn value(event: Event, field: &str, written: &str, span: Span) -> Option<Diagnostic> {
    let Type::Enum(words) = event.fields().find(|known| known.name == field)?.ty else { return None };
    if words.iter().any(|word| glob_matches(written, word)) {
        return None;
    }
    let finding = Diagnostic::new(Code::ENUM_VALUE, format!("`{field}` is never `{written}`"))
        .label(span, "selects nothing")
        .help(format!("the book lists the values of `{field}` at `{}`", event.name()));
    Some(finding.meant(span, "value", written, words.iter().copied()))
}
