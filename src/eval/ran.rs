//! Judges a call again after it has run, by the rules that deny: this reveals that a call ran which the policy
//! denies, because something changed between its judgement and its execution.

use super::message::message;
use super::select::candidates;
use super::{JudgedCall, JudgingCost, RuleOutcome, TraceDetail, votes};
use crate::context::Context;
use crate::ruleset::{RuleMode, Rules};
use crate::schema::Event;
use crate::verdict::{Decision, Vote};

/// The programs that change the working directory, to which paths are relative.
const MOVING: &[&str] = &["cd", "pushd", "popd", "chdir"];

/// Returns the votes of the PreToolUse rules that deny the call as it ran.
///
/// Rules that test git's state or the existence of files are excluded, because the call itself may have changed both.
/// A match only with symbolic links resolved is excluded too, because a link may have changed.
///
/// # Errors
/// The rules cannot be read.
pub fn denials_after_run<R: Rules>(rules: &R, context: &Context<'_>) -> Result<Vec<Vote>, R::Error> {
    let Some(payload) = context.payload().as_before_run() else { return Ok(Vec::new()) };
    let before = context.with_payload(&payload);
    let call = JudgedCall::new(&before, None);
    let mut denials = Vec::new();
    for (index, rule, role) in candidates(rules, &call, &mut JudgingCost::default())? {
        let denies = |(decision, ..): &(Decision, _, _)| *decision >= Decision::Deny;
        let takes_part = rule.traits.mode == RuleMode::Active && rule.can_deny;
        if !takes_part || rule.depends_on_surroundings || rule.looks_at_paths && is_directory_changing(&before) {
            continue;
        }
        let Some(judged) = call.judge(rule, index, role, TraceDetail::Outcomes) else { continue };
        if judged.outcome != RuleOutcome::Match || judged.through_link {
            continue;
        }
        let seen = call.view_of_rule(rule, role);
        let own = votes(rule, Event::PreToolUse).filter(denies);
        denials.extend(own.map(|(decision, text, _)| {
            Vote::from_rule(&rule.display_name, decision, message(text, seen, judged.matched.as_ref()))
        }));
    }
    rules.check_intact()?;
    Ok(denials)
}

/// Whether the call may have changed the working directory of the session.
fn is_directory_changing(context: &Context<'_>) -> bool {
    let moves = |name: &str| MOVING.contains(&name);
    context.shell_text().is_some_and(|shell| {
        let programs = shell.analysis.commands.iter().filter_map(|command| command.words.first());
        programs.into_iter().any(|program| program.known_text().is_none_or(moves))
    })
}
