//! Checks the converted policy as `rules check` does.

use super::ImportNote;
use super::draft::{DraftRule, PolicyDraft};
use crate::config::{self, LayerKind};
use crate::diagnostic::{Diagnostic, DiagnosticFormat, Levels, render_all};
use crate::layer::Layer;
use crate::policy::Policy;
use crate::span::Sources;
use crate::{lint, syntax};

/// The reason in the `@allow` of each accepted finding.
const REASON: &str = "as .conclaude.yaml has it";

/// If the policy does not compile, removes each rule that does not compile alone, and returns a note on each with its
/// error.
pub(super) fn leave_out_broken(draft: &mut PolicyDraft) -> Vec<ImportNote> {
    let is_sound = |text: &str| !compile(text, "").1.iter().any(Diagnostic::is_error);
    if is_sound(&draft.text()) {
        return Vec::new();
    }
    let mut notes = Vec::new();
    let PolicyDraft { lets, rules } = std::mem::take(draft);
    for rule in rules {
        let alone = PolicyDraft { lets: lets.clone(), rules: vec![rule] };
        let (_, findings) = compile(&alone.text(), "");
        let error = findings.into_iter().find(Diagnostic::is_error);
        for rule in alone.rules {
            match &error {
                Some(error) => {
                    notes.push(ImportNote { span: rule.source, text: format!("{}; left out", error.message) });
                }
                None => draft.rules.push(rule),
            }
        }
    }
    draft.lets = lets;
    notes
}

/// Adds an `@allow` to each rule for every lint that it violates, and returns a note on each finding.
pub(super) fn accept_lints(draft: &mut PolicyDraft) -> Vec<ImportNote> {
    let mut notes = Vec::new();
    // Repeated, because an accepted finding no longer supersedes another one, which is then reported.
    loop {
        let mut is_complete = true;
        let (policy, findings) = compile(&draft.text(), "");
        for finding in findings.iter().filter(|finding| !finding.is_error()) {
            let name = rule_name_of_finding(&policy, finding);
            let Some(rule) = draft.rules.iter_mut().find(|rule| Some(rule.name.as_str()) == name) else { continue };
            is_complete &= !accept_lint(rule, finding.code.name);
            let note = ImportNote { span: rule.source, text: format!("{}; kept unchanged", finding.message) };
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        if is_complete {
            return notes;
        }
    }
}

/// Adds an `@allow` for a lint to a rule; returns whether the rule did not have it yet.
fn accept_lint(rule: &mut DraftRule, lint: &'static str) -> bool {
    let is_new = !rule.accepted_lints.iter().any(|(known, _)| *known == lint);
    if is_new {
        rule.accepted_lints.push((lint, REASON.to_owned()));
    }
    is_new
}

/// Returns the name of the rule whose text contains a finding.
fn rule_name_of_finding<'p>(policy: &'p Policy, finding: &Diagnostic) -> Option<&'p str> {
    let span = finding.span()?;
    let rules = policy.rules.rules().iter();
    let mut around = rules.filter(|rule| rule.span.start <= span.start && span.end <= rule.span.end);
    around.next().map(|rule| rule.name.as_str())
}

/// Checks a policy and its settings, and returns the findings as text, a line for each; empty if there are none.
pub(super) fn check(policy: &str, settings: &str) -> String {
    let (policy, findings) = compile(policy, settings);
    render_all(&findings, &policy.sources, DiagnosticFormat::Short)
}

/// Compiles a policy with its settings, and returns it with all findings.
fn compile(policy: &str, settings: &str) -> (Policy, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let id = sources.add("conclaude.rules", None, policy);
    let settings = sources.add("rules.toml", None, settings);
    let (ast, mut diagnostics) = sources.file_by_id(id).map(syntax::parse).unwrap_or_default();
    let read = sources.file_by_id(settings).map(|source| config::parse(source, LayerKind::Project));
    let (settings, wrong) = read.unwrap_or_default();
    diagnostics.extend(wrong);
    let policy = Policy::new(sources, &[Layer { settings, ..Layer::from_single_file(id, (ast, diagnostics)) }]);
    let findings = lint::check_policy(&policy, &[], &Levels::default());
    (policy, findings)
}
