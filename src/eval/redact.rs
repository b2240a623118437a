//! Rewrites of a tool's output. The rewrites of each rule are applied once, in evaluation order, each to the result
//! of the previous one.
//!
//! Their purpose is to hide something. So an output that could not be examined is withheld: if a rule is unknown, or
//! the event's budget is spent, a note replaces every text of the output.

use std::borrow::Cow;

use serde_json::Value as Json;

use crate::budget::Budget;
use crate::context::{Context, Reason};
use crate::escape::line;
use crate::ruleset::{Effect, LazyRegex, Rewrite, Rule, SearchFailure, Template, UnknownClause};
use crate::schema::{OUTPUT, is_word_of_output};

use super::rewrite::replacement;
use super::{Matched, RuleJudgement, RuleOutcome};

/// The maximum number of texts that are replaced by the full note. Later ones are replaced by [`WITHHELD`].
const MAX_FULL_NOTES: usize = 1_000;

/// The short note that replaces a text.
const WITHHELD: &str = "[withheld]";

/// The maximum number of characters of the reason in a note.
const REASON_LIMIT: usize = 200;

/// The rules that rewrite the output, in evaluation order.
#[derive(Default)]
pub(super) struct Redactor<'r> {
    /// Each rule with the value of `{match}`, or with the reason why it is unknown whether the rule matches.
    rules: Vec<(&'r Rule, Result<Option<Matched>, Reason>)>,
}

impl<'r> Redactor<'r> {
    /// Adds a rule, if it rewrites the output and either matches, or is unknown and has no `unknown ignore`.
    pub(super) fn add(&mut self, rule: &'r Rule, judged: &RuleJudgement) {
        // The outcome is tested first, so that the effects of a rule that does not match need not be decoded.
        if judged.outcome == RuleOutcome::NoMatch || redactions(rule).next().is_none() {
            return;
        }
        match &judged.outcome {
            RuleOutcome::Match => self.rules.push((rule, Ok(judged.matched.clone()))),
            RuleOutcome::Unknown(reason) if rule.unknown != UnknownClause::Ignore => {
                self.rules.push((rule, Err(reason.clone())))
            }
            RuleOutcome::Unknown(_) | RuleOutcome::NoMatch => {}
        }
    }

    /// Returns the rewritten output; `None` if it is unchanged.
    pub(super) fn apply(&self, context: &Context<'_>) -> Option<Json> {
        let original = context.payload().json.get(OUTPUT).filter(|_| !self.rules.is_empty())?;
        let mut output = Cow::Borrowed(original);
        for (rule, matched) in &self.rules {
            let redacted = matched.as_ref().map_err(Clone::clone);
            match redacted.and_then(|matched| redact_by_rule(rule, matched.as_ref(), &output, context)) {
                Ok(Some(redacted)) => output = Cow::Owned(redacted),
                Ok(None) => {}
                Err(reason) => {
                    let reason = line(&reason.sentence(), REASON_LIMIT);
                    output = Cow::Owned(withhold_output(original, &rule.display_name, &reason));
                    break;
                }
            }
        }
        match output {
            Cow::Owned(output) if output != *original => Some(output),
            _ => None,
        }
    }
}

/// Returns the regexes and replacements of a rule's output rewrites.
fn redactions(rule: &Rule) -> impl Iterator<Item = (&LazyRegex, &Template)> {
    rule.effects.iter().filter_map(|effect| match effect {
        Effect::Rewrite(rewrite @ Rewrite::Replace(_, regex, with)) if rewrite.is_of_output() => Some((regex, with)),
        _ => None,
    })
}

/// Applies the output rewrites of one rule, each to the result of the previous one; `None` if they change nothing.
fn redact_by_rule(
    rule: &Rule,
    matched: Option<&Matched>,
    output: &Json,
    context: &Context<'_>,
) -> Result<Option<Json>, Reason> {
    let budget = context.machine().budget();
    let why = |error: SearchFailure| Reason::from_search(error, None);
    let mut redacted: Option<Json> = None;
    for (regex, with) in redactions(rule) {
        let current = redacted.as_ref().unwrap_or(output);
        // Most outputs have no match and need no copy.
        if !has_match(current, None, regex, budget).map_err(why)? {
            continue;
        }
        let with = replacement(with, context, matched);
        let mut next = current.clone();
        let mut replace = |text: &mut String| -> Result<(), SearchFailure> {
            if let Some(replaced) = regex.replace_all(text, &with, budget)? {
                *text = replaced;
            }
            Ok(())
        };
        change_texts(&mut next, None, &mut replace).map_err(why)?;
        redacted = Some(next);
    }
    Ok(redacted)
}

/// Whether a regex matches in a text of an output, words that define the output's shape excluded. `member` is the
/// name of the member whose value is examined.
fn has_match(json: &Json, member: Option<&str>, regex: &LazyRegex, budget: &Budget) -> Result<bool, SearchFailure> {
    budget.charge(1)?;
    match json {
        Json::String(text) => Ok(!is_shape(member, text) && regex.is_match(text, budget)?),
        Json::Array(items) => {
            for item in items {
                if has_match(item, None, regex, budget)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Json::Object(members) => {
            for (name, value) in members {
                if has_match(value, Some(name), regex, budget)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => Ok(false),
    }
}

/// Changes every text of an output, except names of members and words that define the output's shape.
fn change_texts<E>(
    json: &mut Json,
    member: Option<&str>,
    change: &mut dyn FnMut(&mut String) -> Result<(), E>,
) -> Result<(), E> {
    match json {
        Json::String(text) if is_shape(member, text) => Ok(()),
        Json::String(text) => change(text),
        Json::Array(items) => items.iter_mut().try_for_each(|item| change_texts(item, None, change)),
        Json::Object(members) => {
            members.iter_mut().try_for_each(|(name, value)| change_texts(value, Some(name.as_str()), change))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => Ok(()),
    }
}

/// Whether a text is a word that defines the shape of the output, such as the value of `type`, which must not be
/// changed.
fn is_shape(member: Option<&str>, text: &str) -> bool {
    member.is_some_and(|member| is_word_of_output(member, text))
}

/// Returns an output of the same shape, in which a note replaces each text that is not empty.
fn withhold_output(output: &Json, rule: &str, reason: &str) -> Json {
    let note = format!("[withheld: `{rule}` cannot examine this output: {reason}]");
    let mut output = output.clone();
    let mut notes = 0;
    let mut withhold = |text: &mut String| -> Result<(), std::convert::Infallible> {
        if !text.is_empty() {
            notes += 1;
            WITHHELD.clone_into(text);
            if notes <= MAX_FULL_NOTES {
                text.clone_from(&note);
            }
        }
        Ok(())
    };
    let Ok(()) = change_texts(&mut output, None, &mut withhold);
    output
}
