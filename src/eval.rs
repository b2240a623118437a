//! Evaluation: rule set and context give a verdict. Pure, total, deterministic.
//!
//! Every selected rule is judged (law 1); votes merge in a lattice (law 2); effects are planned in evaluation
//! order (law 3). Nothing is performed here.

mod commands;
mod condition;
mod connects;
mod cost;
mod effects;
mod file_answers;
mod filter;
mod guarded;
mod message;
mod once;
mod opaque;
mod ran;
mod redact;
mod report;
mod rewrite;
mod select;
mod test;
mod touches;
mod trace;
mod truth;

pub use cost::Cost;
pub use guarded::{Change, Extent, Guarded, OnDirectories, change, kind, may_write_below};
#[cfg(feature = "internals")]
pub use message::VALUE_LIMIT;
pub use ran::denied_as_it_ran;
pub use report::{PlannedEffect, Report, effect_word, effect_words};

pub use trace::{Judged, Node, Outcome, Role, Trace};
pub use truth::Truth;

use std::cell::OnceCell;

use crate::context::{Context, Form, Reason, Views};
use crate::ruleset::{Commands, Effect, Mode, Rewrite, Rule, RuleSet, Rules, Selected, Template};
use crate::schema::Event;
use crate::types::Payload;
use crate::verdict::{Decision, Verdict, Vote};
use hookrules_shell::path::Case;

use condition::{Judge, Known};
use effects::Plan;
use file_answers::FileAnswers;
use once::Once;
use select::{candidates, select};

/// A verdict and how it came about.
#[derive(Debug)]
pub struct Evaluation {
    /// What follows.
    pub verdict: Verdict,
    /// Every rule that was looked at, in evaluation order.
    pub trace: Trace,
    /// What `@observe` rules would have voted.
    pub observed: Vec<Vote>,
    /// The `@observe` rules that match and would have done something else than vote.
    pub observed_effects: Vec<String>,
    /// What it took.
    pub cost: Cost,
}

/// How much the trace keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Outcomes and reasons.
    Outcomes,
    /// Every part of every condition, for people.
    Conditions,
}

/// Judges an event, and tells of every selected rule what came of it.
#[must_use]
pub fn evaluate(rules: &RuleSet, context: &Context<'_>, detail: Detail) -> Evaluation {
    let fill = |call: &Call<'_>, judged: Vec<Judged>, is_asked: &dyn Fn(&Rule) -> bool| {
        select::filled(rules, call, judged, detail, is_asked)
    };
    let Ok(evaluation) = judged(rules, context, detail, &fill, &|_| {});
    evaluation
}

/// Judges an event. Of the rules that do not match, the trace has some.
///
/// # Errors
/// The rules cannot be had.
pub fn decide<R: Rules>(rules: &R, context: &Context<'_>, detail: Detail) -> Result<Evaluation, R::Error> {
    decide_telling(rules, context, detail, &|_| {})
}

/// Judges an event as [`decide`] does, and tells each vote on the call as it came as soon as it is there.
///
/// # Errors
/// The rules cannot be had.
pub fn decide_telling<R: Rules>(
    rules: &R,
    context: &Context<'_>,
    detail: Detail,
    tell: &dyn Fn(&[Vote]),
) -> Result<Evaluation, R::Error> {
    judged(rules, context, detail, &|_, judged, _| judged, tell)
}

/// Adds to what came of a call the rules that were not looked at, of those that are asked about.
type Fill<'f> = dyn Fn(&Call<'_>, Vec<Judged>, &dyn Fn(&Rule) -> bool) -> Vec<Judged> + 'f;

fn judged<R: Rules>(
    rules: &R,
    context: &Context<'_>,
    detail: Detail,
    fill: &Fill<'_>,
    tell: &dyn Fn(&[Vote]),
) -> Result<Evaluation, R::Error> {
    let mut trace = Trace::default();
    let mut cost = Cost::default();
    let mut plan = Plan::new(context.payload().event);
    let asked_first = context.payload().first_asked();
    let first = asked_first.as_ref().map(|payload| context.asked_again(payload));
    let call = Call::new(context, first.as_ref());
    let takes_part = |rule: &Rule| rule.traits.mode != Mode::Off;
    for (index, rule, role) in candidates(rules, &call, &mut cost)? {
        if !takes_part(rule) {
            continue;
        }
        let Some(judged) = call.judge(rule, index, role, detail) else { continue };
        cost.add(&judged);
        let known = plan.verdict.votes.len();
        plan.add(rule, judged.role, &judged, call.seen_by(rule, judged.role));
        match plan.verdict.votes.get(known..) {
            None | Some([]) => {}
            Some(votes) => tell(votes),
        }
        trace.rules.push(judged);
    }
    cost.close(&call);
    trace.rules = fill(&call, trace.rules, &takes_part);
    let rewritten = plan.rewrite(context);
    trace.again.append(&mut plan.not_rewritten);
    if let Some(rewritten) = rewritten {
        let after = context.with_payload(&rewritten);
        let asked_first = rewritten.first_asked();
        let first = asked_first.as_ref().map(|payload| after.asked_again(payload));
        let call = Call::new(&after, first.as_ref());
        let mut again = Vec::new();
        let decides = |rule: &Rule| rule.traits.mode == Mode::Active && rule.decides();
        for (index, rule, role) in candidates(rules, &call, &mut cost)? {
            if !decides(rule) {
                continue;
            }
            let Some(mut judged) = call.judge(rule, index, role, detail) else { continue };
            cost.add(&judged);
            if judged.outcome == Outcome::Match && rule.judges_by_command_alone() && !runs_anyway(&trace, index) {
                judged.outcome = Outcome::Unknown(Reason::needs_command());
            }
            plan.add_again(rule, judged.role, &judged, call.seen_by(rule, judged.role));
            again.push(judged);
        }
        cost.close(&call);
        trace.again.extend(fill(&call, again, &decides));
        plan.finish(&after, context);
        plan.keep_input(rewritten);
    } else if let Some(redacted) = plan.redact(context) {
        plan.finish(&context.with_payload(&redacted), context);
    } else {
        plan.finish(context, context);
    }
    rules.intact()?;
    Ok(Evaluation {
        verdict: plan.verdict,
        trace,
        observed: plan.observed,
        observed_effects: plan.observed_effects,
        cost,
    })
}

/// One call as it is asked about, and as PreToolUse asks about it, on another event about a call.
struct Call<'c> {
    now: Views<'c>,
    first: Option<Views<'c>>,
    /// The call as it runs what it writes, once a rule asked.
    in_files: OnceCell<Option<Context<'c>>>,
    /// What its rules have asked of files.
    answers: FileAnswers,
}

impl<'c> Call<'c> {
    fn new(now: &'c Context<'c>, first: Option<&'c Context<'c>>) -> Self {
        Self {
            now: Views::of(now),
            first: first.map(Views::of),
            in_files: OnceCell::new(),
            answers: FileAnswers::default(),
        }
    }

    /// Returns the event that is judged.
    fn event(&self) -> Event {
        self.now.whole().payload().event
    }

    /// Returns the views of those who are asked in this role.
    fn views(&self, role: Role) -> &Views<'c> {
        match role {
            Role::Full => &self.now,
            Role::VotesOfPreToolUse | Role::PreToolUseWithoutCommands => self.first.as_ref().unwrap_or(&self.now),
        }
    }

    /// Returns what a rule in this role sees.
    fn seen_by(&self, rule: &Rule, role: Role) -> &Context<'c> {
        self.views(role).seen_by(rule.layer)
    }

    /// Judges a rule. One of both events that does not match here may still have matched on PreToolUse.
    fn judge(&self, rule: &Rule, index: usize, role: Role, detail: Detail) -> Option<Judged> {
        let in_files = || self.in_files.get_or_init(|| self.now.whole().in_files()).as_ref();
        let judge = |role, view: &Context<'_>| judge(rule, index, role, view, detail, &self.answers);
        let judged = judge(role, self.seen_by(rule, role));
        let judged = or_in_files(rule, judged, in_files, |view| judge(role, view));
        let is_quiet = judged.as_ref().is_some_and(|judged| judged.outcome == Outcome::NoMatch);
        let of_first = Role::of_pre_tool_use(self.event()).filter(|role| select::counts(rule, *role));
        if role == Role::Full
            && is_quiet
            && let Some(role) = of_first
        {
            let first = judge(role, self.seen_by(rule, role));
            return first.filter(|first| first.outcome != Outcome::NoMatch).or(judged);
        }
        judged
    }
}

/// Judges a rule on what the call writes into files that run, where it holds there too and does not match by itself.
fn or_in_files<'c>(
    rule: &Rule,
    judged: Option<Judged>,
    in_files: impl FnOnce() -> Option<&'c Context<'c>>,
    judge: impl FnOnce(&Context<'_>) -> Option<Judged>,
) -> Option<Judged> {
    if rule.traits.commands == Commands::OfCall || judged.as_ref().is_none_or(|judged| judged.outcome == Outcome::Match)
    {
        return judged;
    }
    let there = in_files().and_then(judge);
    match (judged, there) {
        (Some(judged), Some(there)) => Some(more_decisive(rule, judged, there)),
        (judged, _) => judged,
    }
}

/// Tells whether a rule matched the input as it came, so that its commands are run.
fn runs_anyway(trace: &Trace, index: usize) -> bool {
    trace.rules.iter().any(|judged| judged.index == index && judged.outcome == Outcome::Match)
}

/// Judges one rule; `None` where its head does not select the payload.
fn judge(
    rule: &Rule,
    index: usize,
    role: Role,
    context: &Context<'_>,
    detail: Detail,
    answers: &FileAnswers,
) -> Option<Judged> {
    let payload: &Payload = context.payload();
    let selected = select(rule, context);
    if selected == Selected::No {
        return None;
    }
    let mut judged = judge_conditions(rule, context, detail, answers);
    if selected == Selected::Unknown && judged.outcome != Outcome::NoMatch {
        let open = payload.leaves_open_who_acts();
        judged.outcome = Outcome::Unknown(if open { Reason::open_agent() } else { Reason::nameless_agent() });
    }
    if judged.outcome == Outcome::Match {
        let unknown = || rewrite::unknown(rule, judged.matched.as_deref(), context);
        let reason = unreadable_rewrite(rule).or_else(|| rewrite::misfit(rule, payload)).or_else(unknown);
        judged.outcome = reason.map_or(Outcome::Match, Outcome::Unknown);
    }
    Some(Judged { index, shown: rule.shown.clone(), role, ..judged })
}

/// Judges the conditions of a rule, whatever its head says.
///
/// What git says and which files there are is judged where and when each of the commands runs that a `runs` of the rule
/// matches: an allow has to hold at every one of these places, all else at one.
fn judge_conditions(rule: &Rule, context: &Context<'_>, detail: Detail, answers: &FileAnswers) -> Judged {
    let once = Once::default();
    // Where a rule is judged in one place and one form, nothing is asked twice.
    let known = (rule.looks_at_surroundings || rule.looks_at_paths).then_some(&once);
    let known = Known { commands: known, files: answers };
    // The command is not analysed for a rule that asks nothing of it.
    let asks = || context.shell_text();
    let Some(shell) = rule.looks_at_surroundings.then(asks).flatten() else {
        return judge_forms(rule, context, detail, known);
    };
    // What does not match by its commands alone does so in no place.
    if commands::are_few(shell)
        && Judge::new(context, (Form::Lexical, Case::Exact), rule, detail, known).fails_at_once()
    {
        return judge_forms(rule, context, detail, known);
    }
    let places = commands::places(rule, context, shell, (&once, answers));
    let judged = places.known.iter().map(|id| judge_forms(rule, &context.beside(shell, *id), detail, known));
    let judged = judged.reduce(|so_far, other| more_decisive(rule, so_far, other));
    let judged = judged.unwrap_or_else(|| judge_forms(rule, context, detail, known));
    match places.left_out {
        Some(reason) => {
            let unknown = Judged { outcome: Outcome::Unknown(reason), matched: None, steps: 0, ..judged.clone() };
            more_decisive(rule, judged, unknown)
        }
        None => judged,
    }
}

/// Of two judgements of a rule, returns the one that counts: the first of two alike.
fn more_decisive(rule: &Rule, so_far: Judged, other: Judged) -> Judged {
    let (rank, before) = (other.outcome.rank(), so_far.outcome.rank());
    let steps = so_far.steps.saturating_add(other.steps);
    let counts = if rule.can_allow { rank < before } else { rank > before };
    Judged { steps, ..if counts { other } else { so_far } }
}

/// Judges the conditions of a rule in every form of paths.
///
/// A link must neither open a door (allow: both forms of the paths) nor hide one (all else: either form). Where
/// names fold, a guard folds them; an allow has to hold of them as they are written and folded, so that a negation
/// in it opens nothing either.
fn judge_forms(rule: &Rule, context: &Context<'_>, detail: Detail, known: Known<'_>) -> Judged {
    let judge = |form, case| Judge::new(context, (form, case), rule, detail, known).rule();
    let guard = if context.folds_names() { Case::Folded } else { Case::Exact };
    let first = if rule.can_allow { Case::Exact } else { guard };
    let mut decisive = judge(Form::Lexical, first);
    if !rule.looks_at_paths {
        return decisive;
    }
    let mut others = vec![(Form::Physical, first)];
    if guard != first {
        others.extend([(Form::Lexical, guard), (Form::Physical, guard)]);
    }
    for (form, case) in others {
        let judged = Judged { through_link: form == Form::Physical, ..judge(form, case) };
        decisive = more_decisive(rule, decisive, judged);
    }
    decisive
}

/// Judges one rule on one payload as an example does: by its head and its conditions, whatever its mode; `None` where its
/// head does not select the payload.
#[must_use]
pub fn judge_example(rule: &Rule, context: &Context<'_>, detail: Detail) -> Option<Judged> {
    let answers = FileAnswers::default();
    let judge = |view: &Context<'_>| judge(rule, 0, Role::Full, view, detail, &answers);
    let judged = judge(context);
    let in_files = OnceCell::new();
    let view = || in_files.get_or_init(|| context.in_files()).as_ref();
    or_in_files(rule, judged, view, judge)
}

/// Returns why a rewrite of the rule cannot be made, if so: a regex that is too big must not let the call pass as
/// it came.
fn unreadable_rewrite(rule: &Rule) -> Option<Reason> {
    rule.effects.iter().find_map(|effect| match effect {
        // What an output is searched for is compiled where a text could have it.
        Effect::Rewrite(rewrite) if rewrite.is_of_output() => None,
        Effect::Rewrite(Rewrite::Replace(_, regex, _)) => {
            regex.get().err().map(|reason| Reason::regex(reason, Some(regex.pattern())))
        }
        _ => None,
    })
}

/// Tells whether the rule's allow is withheld: the user only plans.
fn allow_is_withheld(rule: &Rule, context: &Context<'_>) -> bool {
    context.payload().text("permission_mode") == Some("plan") && !rule.names_mode
}

/// Returns the votes that a rule casts by its own effects.
fn votes(rule: &Rule, event: Event) -> impl Iterator<Item = (Decision, &Template, bool)> {
    let answers = event.spec().answers;
    rule.effects.iter().filter_map(move |effect| match effect {
        Effect::Vote { decision, message, interrupt } => Some((*decision, message, *interrupt)),
        Effect::Exit { code: 2, message } if answers.deny => Some((Decision::Deny, message, false)),
        _ => None,
    })
}
