//! Finds rewrites that remove a subcommand, contradict each other, or match their own result.

use std::collections::BTreeMap;

use super::findings::{FindingSink, LintFinding};
use super::glob_as_text::shortened;
use super::sources::constant_text;
use super::{Lint, SourceTexts};
use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic};
use crate::lint::comparison::visit_tests;
use crate::ruleset::{ConditionExpr, Effect, LazyRegex, Rewrite, RewriteTarget, Rule, UnknownClause};
use crate::span::Span;
use crate::wire::to_bytes;
use hookrules_shell::Edit;
use hookrules_shell::programs::program;

pub(super) const LINT: Lint = Lint {
    codes: &[Code::SUBCOMMAND_DROPPED, Code::REWRITE_REPEATS, Code::REWRITE_CONFLICT, Code::ONE_SPELLING],
    check,
};

/// The maximum work for matching a regex against its own replacement.
const MAX_WORK: u64 = 100_000;

/// Reports rewrites of one rule that remove a subcommand, match their own result, or contradict each other.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    for (effect, span) in rewrite_effects(rule) {
        findings.extend(match effect {
            Rewrite::Runs(edit) => dropped_words_finding(edit, span).or_else(|| other_names_finding(rule, edit, span)),
            Rewrite::Replace(target, regex, text)
                if !matches!(target, RewriteTarget::Output | RewriteTarget::Command) =>
            {
                constant_text(text)
                    .filter(|_| !excludes_rewritten_calls(rule))
                    .and_then(|text| repeated_match_finding(regex, text, span))
            }
            _ => None,
        });
    }
    let mut first_values: BTreeMap<String, (Vec<u8>, Span)> = BTreeMap::new();
    for (target, value, span) in set_members(rule) {
        match first_values.get(&target) {
            Some((other, first_span)) if *other != value => findings.push(conflict_finding(&target, span, *first_span)),
            Some(_) => {}
            None => {
                first_values.insert(target, (value, span));
            }
        }
    }
}

/// Reports rules that apply to the same events and set one member to different values.
pub(super) fn check_conflicts<'r>(rules_on_same_events: &[&'r Rule], findings: &mut FindingSink<LintFinding<'r>>) {
    let mut first_values: BTreeMap<String, (Vec<u8>, Span, &Rule)> = BTreeMap::new();
    for rule in rules_on_same_events {
        for (target, value, span) in set_members(rule) {
            match first_values.get(&target) {
                Some((other, first_span, owner)) if *other != value && owner.name != rule.name => {
                    findings.push(LintFinding::for_rule(rule, conflict_finding(&target, span, *first_span)));
                }
                Some(_) => {}
                None => {
                    first_values.insert(target, (value, span, *rule));
                }
            }
        }
    }
}

/// Returns the `rewrite` effects of a rule, each with its span.
fn rewrite_effects(rule: &Rule) -> impl Iterator<Item = (&Rewrite, Span)> {
    rule.effects.iter().zip(rule.effect_spans.iter()).filter_map(|(effect, span)| match effect {
        Effect::Rewrite(rewrite) => Some((rewrite, *span)),
        _ => None,
    })
}

/// Returns the members that a rule sets, each as its name, the serialised value and the span of the rewrite.
fn set_members(rule: &Rule) -> impl Iterator<Item = (String, Vec<u8>, Span)> {
    rewrite_effects(rule).filter_map(|(rewrite, span)| match rewrite {
        Rewrite::Set(target, value) => Some((target_name(target)?, to_bytes(value), span)),
        _ => None,
    })
}

/// Returns the name of what a rewrite sets; `None` for the output.
fn target_name(target: &RewriteTarget) -> Option<String> {
    Some(match target {
        RewriteTarget::Input(path) => format!("tool_input.{}", path.join(".")),
        RewriteTarget::Command => "command".to_owned(),
        RewriteTarget::Path => "path".to_owned(),
        RewriteTarget::Content => "content".to_owned(),
        RewriteTarget::Url => "url".to_owned(),
        RewriteTarget::Output => return None,
    })
}

/// Returns the finding about a member that is set to two values.
fn conflict_finding(target: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(Code::REWRITE_CONFLICT, shortened("`", target, "` is set to two values"))
        .label(span, "the second value")
        .label(first, "the first, for the same calls")
        .help("only one of them can be sent: remove one, or give each a condition of its own")
}

/// Returns the finding about a rewrite that removes the subcommand:
/// `rewrite runs "npm install" to "npm --ignore-scripts"`.
fn dropped_words_finding(edit: &Edit, span: Span) -> Option<Diagnostic> {
    let (from, to) = edit.texts();
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split_whitespace().collect(), to.split_whitespace().collect());
    let name = *from.first()?;
    let is_flag = |word: &&str| word.starts_with(['-', '!']);
    let has_subcommands = program(name).is_some_and(|program| !program.commands.is_empty());
    let command = from.get(1).filter(|word| !is_flag(word) && **word != "*")?;
    let is_dropped = to.first() == Some(&name) && to.iter().skip(1).all(is_flag);
    if !has_subcommands || !is_dropped {
        return None;
    }
    let subcommand = command.trim_matches(['(', ')']).split('|').next()?;
    let rest = to.get(1..)?.join(" ");
    let right = format!("{name} {subcommand} {rest}");
    let addition = if subcommand == *command { "" } else { ", one line for each" };
    Some(
        Diagnostic::new(Code::SUBCOMMAND_DROPPED, shortened("this rewrite removes `", command, "`"))
            .label(
                span,
                format!("`{name} {subcommand} x` becomes `{}`", format!("{name} {rest}").trim_end().to_owned() + " x"),
            )
            .help(format!(
                "name it on both sides{addition}: `rewrite runs \"{name} {subcommand}\" to \"{}\"`",
                right.trim_end()
            )),
    )
}

/// Returns the finding about a rewrite of a command that has other names, which are not rewritten:
/// `rewrite runs "docker build" to …` leaves `docker image build` as it is.
fn other_names_finding(rule: &Rule, edit: &Edit, span: Span) -> Option<Diagnostic> {
    let (from, _) = edit.texts();
    let words: Vec<&str> = from.split_whitespace().collect();
    let (name, after_program) = words.split_first()?;
    let command = *after_program.iter().find(|word| !word.starts_with(['-', '!', '(', '*']))?;
    // An author who wrote `unknown …`, or a denial, has considered commands that cannot be rewritten.
    if rule.unknown != UnknownClause::Default || rule.can_block {
        return None;
    }
    let names = program(name)?.aliases.iter().find(|names| names.contains(&command))?;
    let others: Vec<String> = names
        .iter()
        .filter(|other| other.contains(' ') && !words.join(" ").contains(**other))
        .map(|other| format!("`{name} {other}`"))
        .collect();
    let first = others.first()?;
    let more = match others.len() {
        1 => " is".to_owned(),
        several => format!(" and {} more are", several - 1),
    };
    Some(
        Diagnostic::new(Code::ONE_SPELLING, shortened("a rewrite of `", from, "` under one of its names"))
            .label(span, format!("{first}{more} the same, and not rewritten"))
            .help("add `unknown deny`, which says so instead, or a rewrite for each name"),
    )
}

/// Whether a rule has an exception, which may exclude calls that have already been rewritten.
fn excludes_rewritten_calls(rule: &Rule) -> bool {
    let mut has_exception = false;
    visit_tests(rule, &mut |seen| {
        has_exception |= seen.is_exception || matches!(seen.test.kind, ConditionExpr::Compare { negated: true, .. });
    });
    has_exception
}

/// Returns the finding about a replacement that the regex matches again. `None` if replacing twice changes nothing
/// more, or if the replacement contains `$`.
fn repeated_match_finding(regex: &LazyRegex, text: &str, span: Span) -> Option<Diagnostic> {
    if text.contains('$') {
        return None;
    }
    let twice = regex.replace_all(text, text, &Budget::new(MAX_WORK)).ok()??;
    (twice != text).then(|| {
        Diagnostic::new(Code::REWRITE_REPEATS, "a rewrite of what it has written itself")
            .label(span, shortened("a call that is made again has `", &twice, "`"))
            .help("let the regex match only what is to be replaced, as with `^`, `$` or `\\b` around it")
    })
}
