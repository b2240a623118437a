//! Finds conditions that parse but are meant in another language: words without quotes, and fields that only other
//! languages have.

use super::ConditionCompiler;
use crate::compile::field;
use crate::compile::names::{LayerNames, ScopedValue};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::Head;
use crate::span::Span;
use crate::syntax::ast::{self, ConditionKind, Operand, ValueKind};
use crate::syntax::{NamePlace, UnresolvedName, part_of_pattern, string_literal};

impl<'a> ConditionCompiler<'_, 'a> {
    /// Reports a `where` whose test belongs in the pattern. `None` if it did.
    pub(super) fn fits_pattern(&mut self, runs: &ast::RunsCondition, span: Span) -> Option<()> {
        let found = part_of_pattern(runs, span).or_else(|| self.option_of_pattern(runs));
        let fits = found.is_none().then_some(());
        self.diagnostics.extend(found);
        fits
    }

    /// Returns the finding about `runs "git commit" where message contains "x"`, which means an option of the pattern's
    /// program: `option "--message"`.
    fn option_of_pattern(&self, runs: &ast::RunsCondition) -> Option<Diagnostic> {
        let ValueKind::Text(pattern) = &runs.patterns.kind else { return None };
        let filter = runs.filter.as_ref()?;
        let name = unknown_operand(filter)?;
        if self.names.captures.resolve(name).is_some() || has_capture(filter, &name.text()) {
            return None;
        }
        let option = field::intended_option(&name.text(), &pattern.value, self.names.programs(pattern.span))?;
        let right = format!("option \"{option}\"");
        Some(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown word `{}` in `where`", name.text()))
                .label(name.span, "not a property of the command: one of its options?")
                .help(format!("write `{right}`"))
                .fix(name.span, right),
        )
    }

    /// Returns the finding about a comparison with a field that only other languages have: `content.length > 10`,
    /// `cmd contains "rm"`.
    pub(super) fn of_another_language(&self, file: usize, compare: &'a ast::AstComparison) -> Option<Diagnostic> {
        let Operand::Field(name) = &compare.operand else { return None };
        let is_captured = self.names.captures.resolve(name).is_some();
        let first = &name.segments.first()?.text;
        if self.head.events.is_empty() || is_captured || self.names.definition(file, first).is_some() {
            return None;
        }
        let (place, resolves) = match self.in_where {
            true => (NamePlace::Where, field::resolve_where(name)),
            false => (field::name_place(self.head), field::resolve(name, self.head, &Vec::new)),
        };
        resolves.is_err().then(|| UnresolvedName { name, place }.compared(compare))?
    }
}

/// Returns the first name on the left of a comparison in a `where` that is not a word of `where`.
fn unknown_operand(filter: &ast::AstCondition) -> Option<&ast::FieldName> {
    match &filter.kind {
        ConditionKind::And(parts) | ConditionKind::Or(parts) => parts.iter().find_map(unknown_operand),
        ConditionKind::Not(inner) => unknown_operand(inner),
        ConditionKind::Compare(compare) => match &compare.operand {
            Operand::Field(name) if name.as_single_name().is_some() && field::resolve_where(name).is_err() => {
                Some(name)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a regex in a condition has a group with this name.
fn has_capture(condition: &ast::AstCondition, name: &str) -> bool {
    match &condition.kind {
        ConditionKind::And(parts) | ConditionKind::Or(parts) => parts.iter().any(|part| has_capture(part, name)),
        ConditionKind::Not(inner) => has_capture(inner, name),
        ConditionKind::Compare(compare) => match &compare.value.kind {
            ValueKind::Regex(regex) => regex.pattern.contains(&format!("<{name}>")),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a name that is used as a value is unknown, and so is probably a text without quotes.
pub(super) fn is_bare_text(
    name: &ast::FieldName,
    head: &Head,
    names: &LayerNames<'_>,
    file: usize,
    in_where: bool,
) -> bool {
    let Some(first) = name.segments.first().map(|segment| segment.text.as_str()) else { return false };
    // `Cargo.toml` is probably a file, but `tool_input.comand` a misspelled field.
    let is_root =
        matches!(first, "tool_input" | "tool_response" | "git" | "env" | "path" | "input" | "payload" | "event");
    if name.as_single_name().is_none() && is_root {
        return false;
    }
    let is_named = names.definition(file, first).is_some()
        || names.may_be_unparsed(file, first)
        || names.captures.resolve(name).is_some()
        || names.captures.misnamed(name).is_some();
    if head.events.is_empty() || is_named || field::is_where_word(name) {
        return false;
    }
    let resolved =
        if in_where { field::resolve_where(name) } else { field::resolve(name, head, &|| names.visible_names(file)) };
    // There is a fix if the name is similar to the name of a field, so that a misspelled field is meant.
    resolved.is_err_and(|error| error.code == Code::UNKNOWN_FIELD && error.fix.is_none())
}

/// Returns the finding about a list in which at least two words are texts without quotes, and everything else is a
/// text or a number.
pub(super) fn bare_texts(
    scoped: ScopedValue<'_>,
    head: &Head,
    names: &LayerNames<'_>,
    in_where: bool,
) -> Option<Diagnostic> {
    let ValueKind::List(elements) = &scoped.value.kind else { return None };
    let mut bare = Vec::new();
    let mut written = Vec::new();
    for element in elements {
        let ast::AstElement::Value(value) = element else { return None };
        written.push(match &value.kind {
            ValueKind::Name(name) if is_bare_text(name, head, names, scoped.file, in_where) => {
                bare.push(name);
                string_literal(&name.text(), "")
            }
            ValueKind::Text(text) => string_literal(&text.value, ""),
            ValueKind::Number(_, digits) => digits.clone(),
            _ => return None,
        });
    }
    let [_, _, ..] = bare.as_slice() else { return None };
    let right = format!("[{}]", written.join(", "));
    let mut found = Diagnostic::new(Code::UNKNOWN_FIELD, "a list of words without quotes");
    for name in bare {
        found = found.label(name.span, "not a field: not quoted");
    }
    Some(found.help(format!("write `{right}`")).fix(scoped.value.span, right))
}
