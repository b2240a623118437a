//! Lints: checks that report rules which load but are probably mistaken.
//!
//! Each lint has a file with its codes and its check. `rules check` runs the lints; the hook never does.

mod advice;
mod agents;
mod allow_on_part;
mod alternatives;
mod any_command;
mod as_pattern;
mod by_allows;
mod calls;
mod command_line_as_program;
mod command_text;
mod comparison;
mod conditions;
mod conflicting_audiences;
mod dead_pattern;
mod definitions;
mod dialog_only;
mod duplicate_rules;
mod exclusions;
mod exit_codes;
mod exit_gates;
mod fail_open;
mod findings;
mod flag_value;
mod foreign_pattern;
mod gates;
mod glob_as_text;
mod globs;
mod json_by_hand;
mod length_of_member;
mod lookalikes;
mod marks;
mod member_as_field;
mod milliseconds;
mod missing_values;
mod misspelled;
mod misspelled_member;
mod named_tools;
mod negations;
mod never_fires;
mod no_command;
mod no_record;
mod no_value;
mod not_an_operand;
mod on_host;
mod one_exempts_all;
mod one_spelling;
mod other_shells;
mod outvoted;
mod own_secrets;
mod own_word;
mod path_in_subdirectory;
mod path_text;
mod path_without_commands;
mod patterns;
mod place_as_text;
mod placeholder_value;
mod plugin_tools;
mod project_globs;
mod reason;
mod recorded_secrets;
mod redundant_elements;
mod regexes;
mod replaced_lets;
mod rewrite_of_text;
mod rewrite_without_allow;
mod rewrites;
mod run_directory;
mod run_time;
mod selectors;
mod set_as_text;
mod several_places;
mod sources;
mod split_command;
mod split_guard;
mod star_for_nothing;
mod star_for_subcommand;
mod star_reach;
mod stop_gate;
mod suppressions;
mod task_runners;
mod text_too_long;
mod unfilled;
mod untested_rules;
mod unwritten_message;
mod url_text;
mod vague_message;
mod values;
mod visit_source;
mod words_as_one;

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, Levels};
use crate::host::Host;
use crate::parallel;
use crate::policy::Policy;
use crate::ruleset::Rule;
use crate::span::Sources;

pub use agents::agent_findings;
use comparison::SourceTexts;
use findings::{FindingSink, each_rule, reportable_diagnostics};
pub use findings::{LintFinding, unaccepted_diagnostics};
use on_host::host_findings;
pub use on_host::{RuleOnHost, rules_on_host};
pub use path_in_subdirectory::path_in_subdirectory_findings;
pub use untested_rules::{has_example_of_kind, has_only_quiet_examples, untested_rules};

/// A check of a single rule, and the codes that its findings can have. The check does not see the findings of other
/// checks.
#[derive(Clone, Copy)]
struct Lint {
    codes: &'static [&'static Code],
    check: fn(&SourceTexts<'_>, &Rule, &mut FindingSink),
}

/// The number of rules in one unit of parallel work: small enough that all packs together keep several cores busy.
const RULES_PER_UNIT: usize = 32;

/// The lints that check one rule at a time. Lints about whole files or several rules are called in
/// `related_rule_findings` and `file_findings`.
const LINTS: &[Lint] = &[
    selectors::LINT,
    command_text::LINT,
    allow_on_part::LINT,
    dialog_only::LINT,
    no_command::LINT,
    text_too_long::LINT,
    glob_as_text::LINT,
    no_value::LINT,
    flag_value::LINT,
    path_text::LINT,
    url_text::LINT,
    regexes::LINT,
    redundant_elements::LINT,
    values::LINT,
    missing_values::LINT,
    one_exempts_all::LINT,
    one_spelling::LINT,
    misspelled::LINT,
    lookalikes::LINT,
    foreign_pattern::LINT,
    star_for_nothing::LINT,
    star_for_subcommand::LINT,
    star_reach::LINT,
    any_command::LINT,
    project_globs::LINT,
    exclusions::LINT,
    path_without_commands::LINT,
    named_tools::LINT,
    stop_gate::LINT,
    vague_message::LINT,
    words_as_one::LINT,
    milliseconds::LINT,
    misspelled_member::LINT,
    member_as_field::LINT,
    not_an_operand::LINT,
    unwritten_message::LINT,
    placeholder_value::LINT,
    rewrite_of_text::LINT,
    other_shells::LINT,
    gates::LINT,
    exit_gates::LINT,
    task_runners::LINT,
    split_command::LINT,
    place_as_text::LINT,
    several_places::LINT,
    rewrites::LINT,
    run_time::LINT,
    run_directory::LINT,
    by_allows::LINT,
    exit_codes::LINT,
    recorded_secrets::LINT,
    set_as_text::LINT,
    own_word::LINT,
    dead_pattern::LINT,
    marks::LINT,
    length_of_member::LINT,
    plugin_tools::LINT,
];

/// Returns the findings about a policy, its rules, and their use on these hosts, without accepted and superseded ones.
/// The level of a finding is set by the settings of its layer, unless `overrides` changes it.
#[must_use]
pub fn check_policy(policy: &Policy, hosts: &[Host], overrides: &Levels) -> Vec<Diagnostic> {
    check_with_lints(LINTS, policy, hosts, overrides)
}

/// Like [`check_policy`], with this list of lints.
fn check_with_lints(lints: &[Lint], policy: &Policy, hosts: &[Host], overrides: &Levels) -> Vec<Diagnostic> {
    let mut findings = collect_findings(lints, policy, hosts);
    let unused = suppressions::unused_acceptances(policy, &findings);
    findings.extend(unused);
    reportable_diagnostics(findings, &policy.accepted(), policy.weighing(overrides))
}

/// A part of the work of checking a policy; the cores share the units.
enum LintUnit<'p> {
    /// Comparisons of the rules with each other, and with the settings and examples of their layer.
    RelatedRules,
    /// The files of each layer.
    Files,
    /// The rules as each host would apply them.
    Hosts,
    /// The conditions of these rules.
    Conditions(&'p [Arc<Rule>]),
    /// All checks of a single rule, for these rules.
    Rules(&'p [Arc<Rule>]),
}

/// Returns the findings about a policy and its use on hosts, including accepted and superseded ones.
fn collect_findings<'p>(lints: &[Lint], policy: &'p Policy, hosts: &[Host]) -> Vec<LintFinding<'p>> {
    let chunks = || policy.rules.rules().chunks(RULES_PER_UNIT);
    // The units that cannot be divided come first: a long one at the end would leave the other cores idle.
    let mut units = vec![LintUnit::RelatedRules, LintUnit::Files, LintUnit::Hosts];
    let undivided_count = units.len();
    units.extend(chunks().map(LintUnit::Conditions));
    let conditions_end = units.len();
    units.extend(chunks().map(LintUnit::Rules));
    let mut findings_of_units = parallel::map(&units, |unit| match unit {
        LintUnit::RelatedRules => related_rule_findings(policy),
        LintUnit::Files => file_findings(policy),
        LintUnit::Hosts => host_findings(policy, hosts),
        LintUnit::Conditions(rules) => condition_findings(rules, &policy.sources),
        LintUnit::Rules(rules) => rule_findings(lints, rules, policy),
    });
    let rule_findings_of_units = findings_of_units.split_off(conditions_end.min(findings_of_units.len()));
    let condition_findings_of_units = findings_of_units.split_off(undivided_count.min(findings_of_units.len()));
    let mut findings: Vec<LintFinding<'_>> = policy.diagnostics().cloned().map(LintFinding::without_rule).collect();
    findings.extend(
        rule_findings_of_units.into_iter().chain(condition_findings_of_units).chain(findings_of_units).flatten(),
    );
    findings
}

/// Returns the findings of the lints about each of these rules of a policy.
fn rule_findings<'r>(lints: &[Lint], rules: &'r [Arc<Rule>], policy: &Policy) -> Vec<LintFinding<'r>> {
    let written = SourceTexts::new(&policy.sources).with_given(&policy.layers);
    each_rule(rules, |rule, findings| {
        for lint in lints {
            let mut sink = FindingSink::new();
            (lint.check)(&written, rule, &mut sink);
            let found = sink.into_vec();
            debug_assert!(found.iter().all(|finding| lint.codes.contains(&finding.code)));
            findings.extend(found);
        }
    })
}

/// Whether a rule is written in the policy itself, not in a pack. A rule of a pack counts as intended, even if `with`
/// changes its lists.
fn is_own(rule: &Rule) -> bool {
    !rule.name.contains('/')
}

/// Returns the findings about the conditions of the policy's own rules among these: constant or redundant ones, and
/// command patterns.
fn condition_findings<'r>(rules: &'r [Arc<Rule>], sources: &Sources) -> Vec<LintFinding<'r>> {
    each_rule(rules, |rule, findings| {
        if is_own(rule) {
            conditions::check(rule, sources, findings);
            patterns::check(rule, sources, findings);
            no_record::check(rule, sources, findings);
        }
    })
}

/// Returns the findings from comparing rules with other rules, and with the settings and examples of their layer.
fn related_rule_findings(policy: &Policy) -> Vec<LintFinding<'_>> {
    let rules = policy.rules.rules();
    let mut advice = advice::AdviceCheck::new(policy);
    let mut findings = FindingSink::new();
    findings.extend(each_rule(rules, |rule, findings| {
        if is_own(rule) {
            advice.check(rule, findings);
        }
    }));
    duplicate_rules::check(rules, &mut findings);
    outvoted::check(rules, &mut findings);
    rewrite_without_allow::check(rules, &mut findings);
    for layer in &policy.layers {
        untested_rules::check_rules(layer, &mut findings);
        fail_open::check(layer, &mut findings);
        split_guard::check(layer, &mut findings);
    }
    findings.into_vec()
}

/// Returns the findings about the files of each layer that loads.
fn file_findings(policy: &Policy) -> Vec<LintFinding<'_>> {
    let mut findings = FindingSink::new();
    for layer in policy.layers.iter().filter(|layer| layer.is_loaded()) {
        negations::check(&layer.files, &policy.sources, &mut findings);
        command_line_as_program::check(&layer.files, &mut findings);
        json_by_hand::check(&layer.files, &mut findings);
        selectors::check_examples(layer, &mut findings);
        own_secrets::check(&layer.files, &policy.sources, &mut findings);
        definitions::check(layer, &policy.sources, &mut findings);
        replaced_lets::check(layer, &policy.sources, &mut findings);
        untested_rules::check_repeated(layer, &policy.sources, &mut findings);
    }
    findings.into_vec().into_iter().map(LintFinding::without_rule).collect()
}

#[cfg(test)]
mod tests;
