//! Collects the findings that a policy accepts with `@allow(finding, "reason")`, and where it accepts them.

use std::collections::BTreeSet;

use crate::diagnostic::Acceptance;
use crate::layer::{Layer, LoadedFile};
use crate::span::Span;
use crate::syntax::ast::{AnnotationArg, Item, ItemKind};

/// Returns the findings that the annotations of a layer accept, each with the span in which it is accepted. An
/// annotation above a `use` also applies to the used file and to all files that it uses in turn.
pub(super) fn acceptances(layer: &Layer) -> Vec<Acceptance> {
    let mut accepted = Vec::new();
    // A file that is used by several annotated `use`s is listed once.
    let mut listed = BTreeSet::new();
    for loaded in &layer.files {
        let mut uses = loaded.uses.iter();
        for item in &loaded.ast.items {
            let target = if matches!(item.kind, ItemKind::Use(_)) { uses.next().copied().flatten() } else { None };
            let names: Vec<&str> = accepted_names(item).collect();
            if names.is_empty() {
                continue;
            }
            let mut spans = vec![span_with_annotations(item)];
            spans.extend(used_files(layer, target).into_iter().map(file_span));
            for over in spans {
                let new = names.iter().filter(|name| listed.insert((**name, over)));
                accepted.extend(new.map(|name| Acceptance { name: (*name).to_owned(), over }));
            }
        }
    }
    accepted
}

/// Returns the names of the findings that the annotations of an item accept.
fn accepted_names(item: &Item) -> impl Iterator<Item = &str> {
    let allows = item.annotations.iter().filter(|annotation| annotation.name.text == "allow");
    let is_finding = |name: &str| crate::diagnostic::CODES.iter().any(|(code, _)| code.name == name);
    allows.filter_map(move |annotation| match annotation.args.first() {
        Some(AnnotationArg::Word(word)) => Some(word.text.as_str()).filter(|name| is_finding(name)),
        _ => None,
    })
}

/// Returns the span of an item including its annotations.
fn span_with_annotations(item: &Item) -> Span {
    item.annotations.first().map_or(item.span, |annotation| annotation.span.joined_with(item.span))
}

/// Returns a span of the whole file.
fn file_span(file: &LoadedFile) -> Span {
    Span::new(file.id, 0, usize::MAX)
}

/// Returns the file that a `use` names, and all files that it uses in turn.
fn used_files(layer: &Layer, target: Option<usize>) -> Vec<&LoadedFile> {
    let mut seen = BTreeSet::new();
    let mut next: Vec<usize> = target.into_iter().collect();
    while let Some(index) = next.pop() {
        if seen.insert(index) {
            next.extend(layer.files.get(index).into_iter().flat_map(|file| file.uses.iter().copied().flatten()));
        }
    }
    seen.into_iter().filter_map(|index| layer.files.get(index)).collect()
}
