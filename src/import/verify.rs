//! Checks the converted policy as `rules check` does.

use super::draft::{DraftExample, DraftRule, PolicyDraft};
use super::{ImportNote, NoteRank};
use crate::config::{self, LayerKind};
use crate::diagnostic::{Diagnostic, DiagnosticFormat, Levels, render_all};
use crate::layer::Layer;
use crate::policy::Policy;
use crate::span::Sources;
use crate::{examples, lint, syntax};

/// If the policy does not compile, removes each rule that does not compile even on its own. Returns a note with the
/// error for each.
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
                    let rank = rank_of(&rule);
                    notes.push(ImportNote { span: rule.source, rank, text: format!("{}; left out", error.message) });
                }
                None => draft.rules.push(rule),
            }
        }
    }
    draft.lets = lets;
    notes
}

/// Returns the rank of the notes on a rule, by its decision.
pub(super) fn rank_of(rule: &DraftRule) -> NoteRank {
    let begins_with = |word: &str| rule.effects.iter().any(|effect| effect.starts_with(word));
    match () {
        () if begins_with("deny") => NoteRank::Denial,
        () if begins_with("ask") => NoteRank::Question,
        () if begins_with("allow") => NoteRank::Permission,
        () => NoteRank::Text,
    }
}

/// Adds an `@allow` with a reason to each rule for every lint that reports it. Returns a note on each finding.
pub(super) fn accept_lints(draft: &mut PolicyDraft, reason: &str) -> Vec<ImportNote> {
    let mut notes = Vec::new();
    // Repeated because a finding that is accepted may have superseded another one, which is only now reported.
    loop {
        let mut is_complete = true;
        let (policy, findings) = compile(&draft.text(), "");
        for finding in findings.iter().filter(|finding| !finding.is_error()) {
            let rule_name = rule_name_of_finding(&policy, finding);
            let Some(rule) = draft.rules.iter_mut().find(|rule| Some(rule.name.as_str()) == rule_name) else {
                continue;
            };
            is_complete &= !accept_lint(rule, finding.code.name, reason);
            let text = format!("{}; kept unchanged", finding.message);
            let note = ImportNote { span: rule.source, rank: NoteRank::Text, text };
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        if is_complete {
            return notes;
        }
    }
}

/// Adds an `@allow` for a lint to a rule. Returns whether it is new.
fn accept_lint(rule: &mut DraftRule, lint: &'static str, reason: &str) -> bool {
    let is_new = !rule.accepted_lints.iter().any(|(known, _)| *known == lint);
    if is_new {
        rule.accepted_lints.push((lint, reason.to_owned()));
    }
    is_new
}

/// Returns the name of the rule whose source contains a finding.
fn rule_name_of_finding<'p>(policy: &'p Policy, finding: &Diagnostic) -> Option<&'p str> {
    let span = finding.span()?;
    let rules = policy.rules.rules().iter();
    let mut enclosing = rules.filter(|rule| rule.span.start <= span.start && span.end <= rule.span.end);
    enclosing.next().map(|rule| rule.name.as_str())
}

/// Returns the findings about a rule as the only one of a policy, without those about its examples.
pub(super) fn findings_of(rule: &DraftRule) -> Vec<Diagnostic> {
    compile(&alone(rule, Vec::new()).text(), "").1
}

/// Whether a rule loads and an example of it passes.
pub(super) fn holds(rule: &DraftRule, example: DraftExample) -> bool {
    holds_with(&[], rule, example)
}

/// Like [`holds`], for a rule that may use these `let`s.
pub(super) fn holds_with(lets: &[(String, Vec<String>)], rule: &DraftRule, example: DraftExample) -> bool {
    let draft = PolicyDraft { lets: lets.to_vec(), ..alone(rule, vec![example]) };
    let (policy, findings) = compile(&draft.text(), "");
    !findings.iter().any(Diagnostic::is_error) && wrong_examples(&policy).is_empty()
}

/// Returns a policy that consists of one rule, whose examples are replaced.
fn alone(rule: &DraftRule, examples: Vec<DraftExample>) -> PolicyDraft {
    PolicyDraft { lets: Vec::new(), rules: vec![DraftRule { examples, ..rule.clone() }] }
}

/// Returns a finding for each example that fails.
fn wrong_examples(policy: &Policy) -> Vec<Diagnostic> {
    policy.layers.iter().flat_map(|layer| examples::judge_layer(layer).failed).collect()
}

/// Checks a policy and its settings, and returns the findings as text, a line for each; empty if there are none.
pub(super) fn check(policy: &str, settings: &str) -> String {
    let (policy, mut findings) = compile(policy, settings);
    findings.extend(wrong_examples(&policy));
    render_all(&findings, &policy.sources, DiagnosticFormat::Short)
}

/// Compiles a policy with its settings, and returns it with all findings.
fn compile(policy: &str, settings: &str) -> (Policy, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let id = sources.add("imported.rules", None, policy);
    let settings = sources.add("rules.toml", None, settings);
    let (ast, mut diagnostics) = sources.file_by_id(id).map(syntax::parse).unwrap_or_default();
    let read = sources.file_by_id(settings).map(|source| config::parse(source, LayerKind::Project));
    let (settings, wrong) = read.unwrap_or_default();
    diagnostics.extend(wrong);
    let policy = Policy::new(sources, &[Layer { settings, ..Layer::from_single_file(id, (ast, diagnostics)) }]);
    let findings = lint::check_policy(&policy, &[], &Levels::default());
    (policy, findings)
}
