//! Findings about rules that load but are probably a mistake.
//!
//! Each lint has a file with its codes and its check. Lints run in `rules check`, never in the hook.

mod absent;
mod advice;
mod agents;
mod alike;
mod allow_on_part;
mod any_command;
mod as_pattern;
mod by_allows;
mod calls;
mod command_text;
mod comparison;
mod conditions;
mod dead_pattern;
mod definitions;
mod dialog_only;
mod exclusions;
mod exit_codes;
mod exit_gates;
mod fail_open;
mod foreign_pattern;
mod found;
mod gates;
mod glob_as_text;
mod globs;
mod halves;
mod lookalikes;
mod milliseconds;
mod misspelled;
mod misspelled_member;
mod named_tools;
mod negations;
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
mod path_text;
mod path_without_commands;
mod patterns;
mod place_as_text;
mod placeholder_value;
mod project_globs;
mod reason;
mod recorded;
mod redundant;
mod regexes;
mod rewrite_of_text;
mod rewrite_without_allow;
mod rewrites;
mod run_time;
mod selectors;
mod set_as_text;
mod several_places;
mod sources;
mod split_command;
mod star_for_nothing;
mod star_for_subcommand;
mod starts;
mod stop_gate;
mod suppressions;
mod task_runners;
mod tested;
mod text_too_long;
mod two_readers;
mod unfilled;
mod unwritten_message;
mod url_text;
mod vague_message;
mod values;
mod words_as_one;
mod written;

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, Levels};
use crate::host::Host;
use crate::parallel;
use crate::policy::Policy;
use crate::ruleset::Rule;
use crate::span::Sources;

pub use agents::agents;
use comparison::Written;
pub use found::{Found, unaccepted};
use found::{each_rule, without_what_follows};
use on_host::on_host;
pub use tested::untested;

/// A check and the codes of its findings.
struct Lint {
    codes: &'static [&'static Code],
    check: fn(&Written<'_>, &Rule, &mut Vec<Diagnostic>),
}

/// The number of rules per unit of parallel work.
const PIECE: usize = 256;

const LINTS: &[Lint] = &[
    selectors::LINT,
    command_text::LINT,
    allow_on_part::LINT,
    dialog_only::LINT,
    no_command::LINT,
    text_too_long::LINT,
    glob_as_text::LINT,
    no_value::LINT,
    path_text::LINT,
    url_text::LINT,
    regexes::LINT,
    redundant::LINT,
    values::LINT,
    absent::LINT,
    one_exempts_all::LINT,
    one_spelling::LINT,
    misspelled::LINT,
    lookalikes::LINT,
    foreign_pattern::LINT,
    star_for_nothing::LINT,
    star_for_subcommand::LINT,
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
    by_allows::LINT,
    exit_codes::LINT,
    recorded::LINT,
    set_as_text::LINT,
    own_word::LINT,
    // Runs after the lints about single words of a pattern, whose findings take precedence.
    dead_pattern::LINT,
];

/// Returns the findings about a policy and its rules, for a host if one is given. Accepted findings are left out;
/// levels are set by the layers' settings, then by `asked`.
#[must_use]
pub fn all(policy: &Policy, host: Option<Host>, asked: &Levels) -> Vec<Diagnostic> {
    let mut found = everything(policy, host);
    let unused = suppressions::unused(policy, &found);
    found.extend(unused);
    without_what_follows(policy.weigh(unaccepted(found, &policy.accepted()), asked))
}

/// Returns the findings about a policy and its use on a host, including accepted ones.
fn everything(policy: &Policy, host: Option<Host>) -> Vec<Found<'_>> {
    let rules = policy.rules.rules();
    let alone = |finding: Diagnostic| Found { rule: None, finding };
    let mut found: Vec<Found<'_>> = policy.diagnostics().cloned().map(alone).collect();
    found.extend(by_itself(rules, &policy.sources));
    found.extend(in_context(policy));
    let mut of_files = Vec::new();
    for layer in policy.layers.iter().filter(|layer| layer.loads()) {
        negations::check(&layer.files, &policy.sources, &mut of_files);
        starts::check(&layer.files, &mut of_files);
        selectors::examples(layer, &mut of_files);
        own_secrets::check(&layer.files, &policy.sources, &mut of_files);
        definitions::check(layer, &policy.sources, &mut of_files);
        tested::repeated(layer, &policy.sources, &mut of_files);
    }
    found.extend(of_files.into_iter().map(alone));
    found.extend(host.into_iter().flat_map(|host| on_host(rules, host)));
    found
}

/// Returns the findings about each rule on its own; `sources` must include the texts of the rules.
fn by_itself<'r>(rules: &'r [Arc<Rule>], sources: &Sources) -> Vec<Found<'r>> {
    of_each(rules, || {
        let written = Written::new(sources);
        move |rule: &'r Rule, found: &mut Vec<Diagnostic>| {
            for lint in LINTS {
                let before = found.len();
                (lint.check)(&written, rule, found);
                debug_assert!(found.iter().skip(before).all(|finding: &Diagnostic| lint.codes.contains(&finding.code)));
            }
        }
    })
}

/// Collects the findings of a check about each rule on its own, on all cores. Each unit of work creates its own check,
/// which may cache lookups.
fn of_each<'r, C: FnMut(&'r Rule, &mut Vec<Diagnostic>)>(
    rules: &'r [Arc<Rule>],
    check: impl Fn() -> C + Sync,
) -> Vec<Found<'r>> {
    let pieces: Vec<&[Arc<Rule>]> = rules.chunks(PIECE).collect();
    parallel::map(&pieces, |piece| each_rule(piece, check())).into_iter().flatten().collect()
}

/// Returns the findings about rules in relation to each other, and about the truth of their conditions.
fn in_context(policy: &Policy) -> Vec<Found<'_>> {
    let rules = policy.rules.rules();
    // A pack's rules, as changed by `with`, are assumed to be what the user wants.
    let is_own = |rule: &Rule| !rule.name.contains('/');
    let mut found = of_each(rules, || {
        |rule: &Rule, found: &mut Vec<Diagnostic>| {
            if is_own(rule) {
                conditions::check(rule, &policy.sources, found);
                patterns::check(rule, &policy.sources, found);
                no_record::check(rule, &policy.sources, found);
            }
        }
    });
    let mut advice = advice::Advice::new(policy);
    found.extend(each_rule(rules, |rule, found| {
        if is_own(rule) {
            advice.check(rule, found);
        }
    }));
    alike::check(rules, &mut found);
    outvoted::check(rules, &mut found);
    rewrite_without_allow::check(rules, &mut found);
    for layer in &policy.layers {
        tested::rules(layer, &mut found);
        fail_open::check(layer, &mut found);
        halves::check(layer, &mut found);
    }
    found
}
