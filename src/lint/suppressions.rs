//! Finds `@allow` annotations that accept no finding.

use super::findings::LintFinding;
use crate::diagnostic::{Acceptance, Code, Diagnostic};
use crate::policy::Policy;
use crate::span::Span;
use crate::syntax::ast::{Annotation, AnnotationArg, ItemKind};

/// Codes that are found only for some hosts, on some machines or by other commands. An `@allow` of one of them may be
/// needed there, even if it accepts nothing here.
const CODES_OF_OTHER_CHECKS: &[&Code] = &[
    Code::NOT_CARRIED,
    Code::NOT_SENT,
    Code::NOT_TOLD,
    Code::UNKNOWN_AGENT,
    Code::PROGRAM_NOT_FOUND,
    Code::SCRIPT_MISSING,
    Code::UNKNOWN_ZONE,
    Code::PATH_IN_SUBDIRECTORY,
    Code::REGISTRATION,
    Code::REGISTRATION_RISK,
    Code::EVENT_UNREGISTERED,
    Code::BAD_HOST,
    Code::WRONG_EXAMPLE,
    Code::SURVIVING_MUTANT,
    Code::UNUSED_ALLOW,
];

/// Returns a finding about each `@allow` that accepts none of the findings.
pub(super) fn unused_acceptances<'r>(policy: &Policy, findings: &[LintFinding<'r>]) -> Vec<LintFinding<'r>> {
    let is_used = |acceptance: &Acceptance| findings.iter().any(|finding| finding.is_accepted_by(acceptance));
    accepting_annotations(policy)
        .filter(|(_, name, over)| !is_used(&Acceptance { name: (*name).to_owned(), over: *over }))
        .map(|(annotation, name, _)| {
            let finding = Diagnostic::new(Code::UNUSED_ALLOW, format!("`@allow({name}, …)` accepts nothing"))
                .label(annotation.span, format!("no `{name}` is found here"))
                .help("remove it");
            LintFinding::without_rule(finding)
        })
        .collect()
}

/// Returns the `@allow` annotations of single items, each with the accepted name and the span of its item.
fn accepting_annotations(policy: &Policy) -> impl Iterator<Item = (&Annotation, &str, Span)> {
    // A layer that does not load has no findings of lints, so its annotations are not checked.
    let files = policy
        .layers
        .iter()
        .filter(|layer| layer.is_loaded())
        .flat_map(|layer| &layer.files)
        .filter(|file| file.pack.is_none());
    let items = files.flat_map(|file| &file.ast.items);
    let single_items = items.filter(|item| !matches!(item.kind, ItemKind::Use(_)));
    single_items.flat_map(|item| {
        let over = item.annotations.first().map_or(item.span, |first| first.span.joined_with(item.span));
        item.annotations.iter().filter_map(move |annotation| match annotation.args.first() {
            Some(AnnotationArg::Word(word)) if annotation.name.text == "allow" => {
                let is_elsewhere = CODES_OF_OTHER_CHECKS.iter().any(|code| code.name == word.text);
                (!is_elsewhere).then_some((annotation, word.text.as_str(), over))
            }
            _ => None,
        })
    })
}
