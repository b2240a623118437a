//! Judges a call again after it has run, by the rules that deny. This reveals that a call ran which the policy
//! denies, because something changed between its judgement and its execution.

use super::message::render_message;
use super::select::candidates;
use super::{JudgedCall, JudgingCost, RuleOutcome, TraceDetail, votes};
use crate::context::Context;
use crate::ruleset::{RuleMode, Rules};
use crate::schema::Event;
use crate::verdict::{Decision, Vote};

/// The programs that change the working directory, to which paths are relative.
const DIRECTORY_CHANGERS: &[&str] = &["cd", "pushd", "popd", "chdir"];

/// Returns the votes of the PreToolUse rules that deny the call as it ran.
///
/// Rules that test git's state or the existence of files are skipped, because the call itself may have changed both.
/// A match that holds only with symbolic links resolved is dropped, too, because a link may have changed.
///
/// # Errors
/// The rules cannot be read.
pub fn denials_after_run<R: Rules>(rules: &R, context: &Context<'_>) -> Result<Vec<Vote>, R::Error> {
    let Some(payload) = context.payload().as_before_run() else { return Ok(Vec::new()) };
    let context_before_run = context.with_payload(&payload);
    let call = JudgedCall::new(&context_before_run, None);
    let mut denials = Vec::new();
    for (index, rule, role) in candidates(rules, &call, &mut JudgingCost::default())? {
        let denies = |(decision, ..): &(Decision, _, _)| *decision >= Decision::Deny;
        let takes_part = rule.traits.mode == RuleMode::Active && rule.can_deny;
        if !takes_part
            || rule.depends_on_surroundings
            || rule.looks_at_paths && is_directory_changing(&context_before_run)
        {
            continue;
        }
        let Some(judged) = call.judge(rule, index, role, TraceDetail::Outcomes) else { continue };
        if judged.outcome != RuleOutcome::Match || judged.through_link {
            continue;
        }
        let view = call.view_of_rule(rule, role);
        let denials_of_rule = votes(rule, Event::PreToolUse).filter(denies);
        denials.extend(denials_of_rule.map(|(decision, text, _)| {
            Vote::from_rule(&rule.display_name, decision, render_message(text, view, judged.matched.as_ref()))
        }));
    }
    rules.check_intact()?;
    Ok(denials)
}

/// Whether the call may have changed the working directory of the session.
fn is_directory_changing(context: &Context<'_>) -> bool {
    let changes_directory = |name: &str| DIRECTORY_CHANGERS.contains(&name);
    context.shell_text().is_some_and(|shell| {
        let programs = shell.analysis.commands.iter().filter_map(|command| command.words.first());
        programs.into_iter().any(|program| program.known_text().is_none_or(changes_directory))
    })
}
