//! Finds problems with names in a file: unused definitions, definitions that hide other names, and meaningless names.

use std::collections::{BTreeMap, BTreeSet};

use super::FindingSink;
use super::visit_source::{visit_conditions, visit_names};
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::LoadedFile;
use crate::policy::PolicyLayer;
use crate::schema::Event;
use crate::span::{Sources, Span};
use crate::syntax::ast::{
    AstElement, AstValue, ConditionKind, Item, ItemKind, Name, Operator, RuleItemKind, ValueKind,
};

/// Names that say nothing about what they name.
const METASYNTACTIC: &[&str] =
    &["foo", "bar", "baz", "qux", "quux", "foobar", "foo-bar", "asdf", "xxx", "todo", "fixme", "untitled"];

/// Reports problems with the names in the files of a layer; packs are not checked.
pub(super) fn check(layer: &PolicyLayer, sources: &Sources, findings: &mut FindingSink) {
    let files = &layer.files;
    let used: BTreeSet<usize> = files.iter().flat_map(|file| file.uses.iter().copied().flatten()).collect();
    for (index, file) in files.iter().enumerate().filter(|(_, file)| file.pack.is_none()) {
        // A file that another one uses may define names only for that file. A file without rules is meant to be used.
        let has_rules = file.ast.items.iter().any(|item| matches!(item.kind, ItemKind::Rule(_)));
        if has_rules && !used.contains(&index) {
            report_unused(file, sources, findings);
        }
        report_hidden_definitions(file, files, findings);
        report_hidden_fields(file, layer, findings);
        for item in &file.ast.items {
            findings.extend(metasyntactic_name(item));
        }
    }
}

/// Returns the keyword and the name of a `let`, `def` or mark; `None` for any other item.
fn definition_name(item: &Item) -> Option<(&'static str, &Name)> {
    match &item.kind {
        ItemKind::Let(item) => Some(("let", &item.name)),
        ItemKind::Def(item) => Some(("def", &item.name)),
        ItemKind::Rule(item) if item.kind == RuleItemKind::Mark => Some(("mark", &item.name)),
        ItemKind::Use(_) | ItemKind::Rule(_) | ItemKind::Test(_) => None,
    }
}

/// Reports the definitions of a file that nothing in the file uses.
fn report_unused(file: &LoadedFile, sources: &Sources, findings: &mut FindingSink) {
    let mut used = BTreeSet::new();
    for item in &file.ast.items {
        visit_names(&item.kind, &mut |name| {
            used.insert(name);
        });
    }
    // Text that could not be parsed may use any of the definitions.
    if !file.ast.unparsed_names.is_empty() {
        return;
    }
    for item in &file.ast.items {
        let Some((word, name)) = definition_name(item).filter(|(_, name)| !used.contains(name.text.as_str())) else {
            continue;
        };
        let finding = Diagnostic::new(Code::UNUSED_DEFINITION, format!("nothing uses the `{word}` `{}`", name.text))
            .label(name.span, "defined here");
        // If the name of the `let` is in quotes somewhere, this is probably why the `let` seems unused.
        if let Some((quoted, are_braces_reported)) = quoted_name(file, &name.text) {
            if are_braces_reported {
                continue;
            }
            findings.push(
                finding
                    .label(quoted, "a text here, and not the `let`")
                    .help(format!("write `{}` without quotes", name.text)),
            );
            continue;
        }
        let finding = finding.help("remove it, or name it in a rule");
        let is_bare = item.docs.is_empty() && item.annotations.is_empty();
        findings.push(match line_span(sources, item.span).filter(|_| is_bare) {
            Some(span) => finding.fix_that_changes(span, ""),
            None => finding,
        });
    }
}

/// If a condition compares something with a string literal that is the name of a definition, returns the span of the
/// literal, and whether it is a glob in braces, which another check reports.
fn quoted_name(file: &LoadedFile, name: &str) -> Option<(Span, bool)> {
    let in_braces = |text: &str| text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) == Some(name);
    let quoted_text = |value: &AstValue| match &value.kind {
        ValueKind::Text(text) if text.value == name => Some((text.span, false)),
        ValueKind::Text(text) if in_braces(&text.value) => Some((text.span, true)),
        _ => None,
    };
    let quoted_in_value = |value: &AstValue| match &value.kind {
        ValueKind::List(elements) => elements.iter().find_map(|element| match element {
            AstElement::Value(value) => quoted_text(value),
            AstElement::Spread(_) => None,
        }),
        _ => quoted_text(value),
    };
    let mut found = None;
    for item in &file.ast.items {
        visit_conditions(&item.kind, &mut |condition| {
            let value = match &condition.kind {
                ConditionKind::Compare(compare) => Some((&compare.value, compare.operator == Operator::Like)),
                ConditionKind::Touches(touches) => Some((&touches.value, touches.operator == Operator::Like)),
                ConditionKind::Connects(test) => test.as_ref().map(|test| (&test.value, false)),
                ConditionKind::Runs(runs) => Some((&runs.patterns, false)),
                _ => None,
            };
            let quoted = value.and_then(|(value, is_glob)| {
                quoted_in_value(value).map(|(span, in_braces)| (span, in_braces && is_glob))
            });
            found = found.or(quoted);
        });
    }
    found
}

/// Returns the span of an item with the newline after it; `None` if there is anything else on its lines.
fn line_span(sources: &Sources, span: Span) -> Option<Span> {
    let text = sources.file(span)?.text.as_str();
    let after = text.get(span.end as usize..)?;
    let before = text.get(..span.start as usize)?;
    let is_at_line_start = before.is_empty() || before.ends_with('\n');
    (is_at_line_start && after.starts_with('\n')).then(|| Span { end: span.end + 1, ..span })
}

/// Reports the definitions of a file that hide a definition with the same name in a file that it uses.
fn report_hidden_definitions(file: &LoadedFile, files: &[LoadedFile], findings: &mut FindingSink) {
    let mut definitions_in_use: BTreeMap<&str, &Name> = BTreeMap::new();
    for used in file.uses.iter().flatten().filter_map(|used| files.get(*used)) {
        for (_, name) in used.ast.items.iter().filter_map(definition_name) {
            definitions_in_use.entry(&name.text).or_insert(name);
        }
    }
    for (word, name) in file.ast.items.iter().filter_map(definition_name) {
        let Some(other) = definitions_in_use.get(name.text.as_str()) else { continue };
        findings.push(
            Diagnostic::new(Code::HIDDEN_NAME, format!("this `{word}` hides `{}` of a file in use", name.text))
                .label(name.span, "counts in this file alone")
                .label(other.span, "still counts there")
                .help(format!("write `use … with {{ {}: … }}` to replace it, or choose another name", name.text)),
        );
    }
}

/// Reports the definitions of a file that hide a field of an event which a rule in the file selects.
fn report_hidden_fields(file: &LoadedFile, layer: &PolicyLayer, findings: &mut FindingSink) {
    let mut defined = file.ast.items.iter().filter_map(definition_name).peekable();
    if defined.peek().is_none() {
        return;
    }
    let rules = layer.rules.iter().filter(|rule| rule.span.file == file.id);
    let events: BTreeSet<Event> = rules.flat_map(|rule| rule.head.event_set()).collect();
    for (word, name) in defined {
        let has_field = |event: &&Event| event.fields().any(|field| field.name == name.text);
        let Some(event) = events.iter().find(has_field) else { continue };
        let message = format!("this `{word}` hides the field `{}` of `{}`", name.text, event.name());
        findings.push(
            Diagnostic::new(Code::HIDDEN_FIELD, message)
                .label(name.span, "in this file the name is no field any more")
                .help(format!("choose another name, such as `my_{}`", name.text)),
        );
    }
}

/// Returns the finding about a rule or definition with a meaningless name.
fn metasyntactic_name(item: &Item) -> Option<Diagnostic> {
    let (word, name) = match &item.kind {
        ItemKind::Rule(rule) => ("rule", &rule.name),
        _ => definition_name(item)?,
    };
    METASYNTACTIC.contains(&name.text.to_lowercase().as_str()).then(|| {
        Diagnostic::new(Code::METASYNTACTIC_NAME, format!("`{}` says nothing about this `{word}`", name.text))
            .label(name.span, "a name for something that has none yet")
            .help("name it after what it is for: explanations, logs and tests show the name")
    })
}
