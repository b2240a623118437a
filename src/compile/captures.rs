//! The names of captures: `prompt matches /(?<ticket>ABC-\d+)/` gives `ticket` its values in the rest of the rule.
//!
//! A capture has a value only where its test certainly held: in what follows in the same `and` chain, in `unless`, and
//! in the effects.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, nearest_name};
use crate::ruleset::{CaptureReference, LazyRegex, ValueReference};
use crate::schema::FieldType;
use crate::span::Span;
use crate::syntax::ast::{self, AstCondition, ConditionKind, FieldName, Name, ValueKind};

use super::field::{self, TypedReference};
use super::names::LayerNames;

/// The captures of the rule that is being compiled.
#[derive(Default)]
pub(super) struct Captures(RefCell<CaptureNames>);

/// The names of captures, by whether they have a value at the current condition.
#[derive(Default)]
struct CaptureNames {
    /// Those that have a value at the current condition.
    active: Vec<NamedCapture>,
    /// Those whose test is no longer in force, such as one in another part of an `or`: it may not have held.
    ended: Vec<EndedCapture>,
    /// All names that the conditions of the rule capture, for findings about a name that is used before its test.
    announced: Vec<Name>,
    /// The names that the definitions capture which the conditions use.
    of_definitions: BTreeSet<String>,
    /// Whether a regex of the conditions has a group.
    has_groups: bool,
}

struct NamedCapture {
    name: Name,
    source: ValueReference,
}

/// A capture whose test is no longer in force.
struct EndedCapture {
    name: Name,
    /// The regex of the test.
    regex: String,
    why: CaptureEnd,
}

/// Why a capture has no value in what follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CaptureEnd {
    /// Its test is in a `where`, which is about one command.
    Where,
    /// Its test is in one part of an `or`.
    Or,
    /// Its test is negated, or in an `unless`.
    Negation,
}

impl Captures {
    /// Forgets the captures of the previous rule, and collects the names that a rule with these conditions will
    /// capture.
    pub(super) fn begin<'a>(&self, conditions: impl Iterator<Item = &'a AstCondition>) {
        let mut announced = Vec::new();
        let mut has_groups = false;
        conditions.for_each(|condition| {
            add_announced(condition, &mut announced);
            has_groups = has_groups || any_group(condition);
        });
        *self.0.borrow_mut() = CaptureNames { announced, has_groups, ..CaptureNames::default() };
    }

    /// Returns the finding about an unknown name that resembles a capture, or is a capture whose test comes later.
    /// `None` for any other name.
    pub(super) fn misnamed(&self, name: &FieldName) -> Option<Diagnostic> {
        let name = name.as_single_name()?;
        let names = self.0.borrow();
        if let Some(later) = names.announced.iter().find(|later| later.text == name.text) {
            return Some(
                Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{}` has no value yet", name.text))
                    .label(name.span, "in front of the test that captures it")
                    .label(later.span, "captured here")
                    .help("put the test with the regex first, and this one behind its `and`"),
            );
        }
        let near = nearest_name(&name.text, names.active.iter().map(|capture| capture.name.text.as_str()))?;
        Some(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", name.text))
                .label(name.span, "not a field")
                .help(near_capture_help(near))
                .fix(name.span, near.to_owned()),
        )
    }

    /// Returns the name of the capture that an unknown placeholder probably means.
    pub(super) fn nearest(&self, name: &str) -> Option<String> {
        let names = self.0.borrow();
        nearest_name(name, names.active.iter().map(|capture| capture.name.text.as_str())).map(str::to_owned)
    }

    /// Hides all captures while a `def` is compiled, and returns them for [`Captures::show`].
    pub(super) fn hide(&self) -> Captures {
        Captures(RefCell::new(self.0.take()))
    }

    /// Restores captures that were hidden.
    pub(super) fn show(&self, hidden: Captures) {
        self.0.swap(&hidden.0);
    }

    /// Whether a regex of the rule has a group, named or not.
    pub(super) fn has_groups(&self) -> bool {
        self.0.borrow().has_groups
    }

    /// Whether a `def` captures a name, whose values only that `def` knows.
    pub(super) fn is_of_definition(&self, name: &str) -> bool {
        self.0.borrow().of_definitions.contains(name)
    }

    /// Remembers the names that a definition captures which the rule uses.
    pub(super) fn add_of_definition(&self, condition: &AstCondition) {
        let mut announced = Vec::new();
        add_announced(condition, &mut announced);
        self.0.borrow_mut().of_definitions.extend(announced.into_iter().map(|name| name.text));
    }

    /// Returns the number of captures with a value.
    pub(super) fn count(&self) -> usize {
        self.0.borrow().active.len()
    }

    /// Ends all captures after the first `count`: they have no value in what follows.
    pub(super) fn end_after(&self, count: usize, why: CaptureEnd) {
        let mut names = self.0.borrow_mut();
        let active = names.active.len().min(count);
        let ended: Vec<EndedCapture> = names
            .active
            .drain(active..)
            .map(|NamedCapture { name, source }| {
                let regex = match &source {
                    ValueReference::Capture(capture) => capture.regex.pattern().to_owned(),
                    _ => String::new(),
                };
                EndedCapture { name, regex, why }
            })
            .collect();
        names.ended.extend(ended);
    }

    /// Returns what a captured name refers to. `None` if the name is not captured; `Err` if the capture may have no
    /// value here.
    pub(super) fn resolve(&self, name: &FieldName) -> Option<Result<TypedReference, Box<Diagnostic>>> {
        let name = name.as_single_name()?;
        let names = self.0.borrow();
        if let Some(capture) = names.active.iter().find(|capture| capture.name.text == name.text) {
            return Some(Ok(TypedReference { source: capture.source.clone(), ty: FieldType::String }));
        }
        let all: Vec<&EndedCapture> = names.ended.iter().filter(|ended| ended.name.text == name.text).collect();
        let ended = all.first()?;
        Some(Err(Box::new(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{}` has no value here", name.text))
                .label(name.span, "its test may not have held")
                .label(ended.name.span, "captured here")
                .help(help_for_ended(&name.text, &all)),
        )))
    }

    pub(super) fn is_active(&self, name: &str) -> bool {
        self.0.borrow().active.iter().any(|capture| capture.name.text == name)
    }
}

/// Returns the help for a capture that has no value any more.
fn help_for_ended(name: &str, ended: &[&EndedCapture]) -> String {
    match ended {
        [] | [EndedCapture { why: CaptureEnd::Negation, .. }, ..] => {
            "a capture has a value in the rest of its `and` chain, in `unless` and in the effects: join the tests with \
             `and`"
                .to_owned()
        }
        [EndedCapture { why: CaptureEnd::Where, .. }, ..] => format!(
            "a `where` is about one command: put the test of `{name}` into it, `where (… and …)`, with the parentheses; \
             a text shows the command by `{{match}}`"
        ),
        [one, other, ..] if let Some(joined) = joined_regex(name, &one.regex, &other.regex) => {
            format!("either part may hold: write one regex, `matches {joined}`")
        }
        _ => format!("either part may hold: capture it in one regex for both, such as `/(?:#|GH-)(?<{name}>…)/`"),
    }
}

/// Returns one regex for two that capture the same text behind different beginnings: `/(?:#|GH-)(?<issue>\d+)/`.
fn joined_regex(name: &str, one: &str, other: &str) -> Option<String> {
    let group = format!("(?<{name}>");
    let ((first, rest), (second, other_rest)) = (one.split_once(&group)?, other.split_once(&group)?);
    let is_alone = |beginning: &str| !beginning.is_empty() && !beginning.contains(['|', '^', '(', '/']);
    (rest == other_rest && is_alone(first) && is_alone(second) && !rest.contains('/'))
        .then(|| format!("/(?:{first}|{second}){group}{rest}/"))
}

/// Returns the help that proposes a capture.
pub(super) fn near_capture_help(near: &str) -> String {
    format!("a capture named `{near}` exists")
}

/// Returns the help for a use of a capture that only a definition has.
pub(super) fn capture_of_definition_help(name: &str) -> String {
    format!("a capture has its values in its own `def` alone: write the test with `(?<{name}>…)` in the rule itself")
}

/// Whether a regex of a condition has a group whose text its author may want to show.
fn any_group(condition: &AstCondition) -> bool {
    match &condition.kind {
        ConditionKind::And(parts) | ConditionKind::Or(parts) | ConditionKind::Mixed(parts, _) => {
            parts.iter().any(any_group)
        }
        ConditionKind::Runs(runs) => runs.filter.iter().any(|filter| any_group(filter)),
        ConditionKind::Compare(compare) => match &compare.value.kind {
            ValueKind::Regex(regex) => regex.pattern.replace("\\(", "").replace("(?:", "").contains('('),
            _ => false,
        },
        _ => false,
    }
}

/// Collects the names of the groups in the regexes of a condition.
fn add_announced(condition: &AstCondition, announced: &mut Vec<Name>) {
    match &condition.kind {
        ConditionKind::And(parts) | ConditionKind::Or(parts) | ConditionKind::Mixed(parts, _) => {
            parts.iter().for_each(|part| add_announced(part, announced));
        }
        ConditionKind::Not(inner) => add_announced(inner, announced),
        ConditionKind::Runs(runs) => runs.filter.iter().for_each(|filter| add_announced(filter, announced)),
        ConditionKind::Compare(compare) => {
            let ValueKind::Regex(regex) = &compare.value.kind else { return };
            let groups = regex.pattern.split("(?").skip(1).filter_map(|rest| {
                let (name, _) = rest.trim_start_matches('P').strip_prefix('<')?.split_once('>')?;
                // `(?<=…)` and `(?<!…)`, which other languages have, are not groups.
                (!name.starts_with(['=', '!'])).then(|| name.to_owned())
            });
            announced.extend(groups.map(|text| Name { text, span: compare.value.span }));
        }
        _ => {}
    }
}

/// Adds the named groups of a regex as captures whose values come from `source`. Reports a name that already means
/// something else.
pub(super) fn add_captures(
    names: &LayerNames<'_>,
    file: usize,
    (head, source): (&crate::ruleset::Head, &ValueReference),
    (regex, span): (&LazyRegex, Span),
    diagnostics: &mut Vec<Diagnostic>,
) {
    // A regex without a named group is not compiled here.
    if !regex.pattern().contains("(?<") && !regex.pattern().contains("(?P<") {
        return;
    }
    let Ok(compiled) = regex.compiled() else { return };
    if matches!(source, ValueReference::Capture(_)) && compiled.capture_names().flatten().next().is_some() {
        diagnostics.push(
            Diagnostic::new(Code::BAD_VALUE, "a capture in the text of a capture")
                .label(span, "captures again")
                .help("capture both in the first regex, or write `(?:…)` here"),
        );
        return;
    }
    for group in compiled.capture_names().flatten() {
        let name = Name { text: group.to_owned(), span };
        if !group.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, format!("a capture that nothing can name: `{group}`"))
                    .label(span, "captured here")
                    .help("a name has letters, digits and `_`: `(?<ticket>…)`"),
            );
            continue;
        }
        let taken = meaning_of_name(names, file, head, &name);
        if let Some(taken) = taken {
            diagnostics.push(
                Diagnostic::new(Code::DUPLICATE_NAME, format!("a capture with the name of {taken}: `{group}`"))
                    .label(span, "its values would have no name")
                    .help(format!(
                        "choose another name, such as `my_{group}`, or write `(?:…)` if its text is not used"
                    )),
            );
            continue;
        }
        let capture = CaptureReference { values: source.clone(), regex: regex.clone(), group: group.to_owned() };
        let source = ValueReference::Capture(Box::new(capture));
        names.captures.0.borrow_mut().active.push(NamedCapture { name, source });
    }
}

/// Returns what else a name means, such as `a field` or a `let`; `None` if it is free.
fn meaning_of_name(
    names: &LayerNames<'_>,
    file: usize,
    head: &crate::ruleset::Head,
    name: &Name,
) -> Option<&'static str> {
    if names.captures.is_active(&name.text) {
        return Some("another capture");
    }
    if names.definition(file, &name.text).is_some() {
        return Some("a `let` or `def`");
    }
    let field = FieldName { segments: vec![ast::Name::clone(name)], span: name.span };
    // A rule that is copied from a prompt to calls of tools keeps its meaning: the fields of both are taken.
    let is_field = field::resolve_placeholder(&field, head, &Vec::new).is_ok()
        || field::is_where_word(&field)
        || field::is_field_of_calls(&name.text);
    is_field.then_some("a field or fact")
}
