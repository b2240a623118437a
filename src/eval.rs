//! Evaluation: a rule set and a context yield a verdict. Pure, total, deterministic.
//!
//! Every selected rule is judged (law 1); votes merge in a lattice (law 2); effects are planned in evaluation order
//! (law 3). Nothing is performed here.

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

pub use cost::JudgingCost;
pub use guarded::{CheckedFiles, DirectoryEffect, GuardedChange, TouchExtent, change, is_possible_write_below, kind};
#[cfg(feature = "internals")]
pub use message::VALUE_LIMIT;
pub use ran::denials_after_run;
pub use report::{EvaluationReport, PlannedEffect, effect_word, effect_words};

pub use trace::{ConditionTrace, RuleJudgement, RuleOutcome, RuleRole, Trace};
pub use truth::Truth;

use std::cell::OnceCell;

use crate::context::{Context, PathForm, Reason, Views};
use crate::ruleset::{CommandCoverage, Effect, HeadMatch, Rewrite, Rule, RuleMode, RuleSet, Rules, Template};
use crate::schema::Event;
use crate::types::Payload;
use crate::verdict::{Decision, Verdict, Vote};
use hookrules_shell::path::NameCase;

use condition::{AnswerCaches, ConditionJudge};
use effects::VerdictPlan;
use file_answers::FileAnswers;
use once::CommandTestCache;
use select::{candidates, select};

/// A verdict and its derivation.
#[derive(Debug)]
pub struct Evaluation {
    /// The verdict.
    pub verdict: Verdict,
    /// Every rule that was judged, in evaluation order.
    pub trace: Trace,
    /// The votes of `@observe` rules, which do not count.
    pub observed: Vec<Vote>,
    /// The matching `@observe` rules with effects but no votes.
    pub observed_effects: Vec<String>,
    /// The cost of the judgement.
    pub cost: JudgingCost,
}

/// The level of detail of the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceDetail {
    /// Outcomes and reasons.
    Outcomes,
    /// Every part of every condition, for people.
    Conditions,
}

/// Judges an event. The trace has every selected rule.
#[must_use]
pub fn evaluate(rules: &RuleSet, context: &Context<'_>, detail: TraceDetail) -> Evaluation {
    let Ok(evaluation) = Judgement::new(rules, context, detail).complete_from(rules).finish(context);
    evaluation
}

/// Judges an event. The trace has only some of the rules that do not match.
///
/// # Errors
/// The rules cannot be read.
pub fn decide<R: Rules>(rules: &R, context: &Context<'_>, detail: TraceDetail) -> Result<Evaluation, R::Error> {
    Judgement::new(rules, context, detail).finish(context)
}

/// Judges an event like [`decide`], and reports each vote on the original call as soon as it is cast.
///
/// # Errors
/// The rules cannot be read.
pub fn decide_telling<R: Rules>(
    rules: &R,
    context: &Context<'_>,
    detail: TraceDetail,
    tell: &dyn Fn(&[Vote]),
) -> Result<Evaluation, R::Error> {
    Judgement { tell, ..Judgement::new(rules, context, detail) }.finish(context)
}

/// The judgement of one event: of the call, then of the rewritten call.
struct Judgement<'r, R> {
    rules: &'r R,
    detail: TraceDetail,
    /// The rules that complete the trace: those that the index skipped do not match.
    all: Option<&'r RuleSet>,
    /// Receives each vote on the original call as soon as it is cast.
    tell: &'r dyn Fn(&[Vote]),
    plan: VerdictPlan<'r>,
    trace: Trace,
    cost: JudgingCost,
}

impl<'r, R: Rules> Judgement<'r, R> {
    fn new(rules: &'r R, context: &Context<'_>, detail: TraceDetail) -> Self {
        let plan = VerdictPlan::new(context.payload().event);
        Self { rules, detail, all: None, tell: &|_| {}, plan, trace: Trace::default(), cost: JudgingCost::default() }
    }

    fn complete_from(self, all: &'r RuleSet) -> Self {
        Self { all: Some(all), ..self }
    }

    fn finish(mut self, context: &Context<'_>) -> Result<Evaluation, R::Error> {
        self.trace.rules = self.judge_call(context, |rule| rule.traits.mode != RuleMode::Off, Self::add_original)?;
        let rewritten = self.plan.rewrite(context);
        self.trace.rejudged.append(&mut self.plan.not_rewritten);
        if let Some(rewritten) = rewritten {
            let after = context.with_payload(&rewritten);
            let decides = |rule: &Rule| rule.traits.mode == RuleMode::Active && rule.can_vote();
            let again = self.judge_call(&after, decides, Self::add_rewritten)?;
            self.trace.rejudged.extend(again);
            self.plan.finish(&after, context);
            self.plan.keep_input(rewritten);
        } else if let Some(redacted) = self.plan.redact(context) {
            self.plan.finish(&context.with_payload(&redacted), context);
        } else {
            self.plan.finish(context, context);
        }
        self.rules.check_intact()?;
        let VerdictPlan { verdict, observed, observed_effects, .. } = self.plan;
        Ok(Evaluation { verdict, trace: self.trace, observed, observed_effects, cost: self.cost })
    }

    /// Judges a call by the rules that take part; `add` passes each judgement on, and may change it before that.
    fn judge_call(
        &mut self,
        context: &Context<'_>,
        takes_part: fn(&Rule) -> bool,
        add: fn(&mut Self, &'r Rule, &mut RuleJudgement, &Context<'_>),
    ) -> Result<Vec<RuleJudgement>, R::Error> {
        let asked_first = context.payload().as_first_asked();
        let first = asked_first.as_ref().map(|payload| context.for_pre_tool_use(payload));
        let call = JudgedCall::new(context, first.as_ref());
        let mut all = Vec::new();
        for (index, rule, role) in candidates(self.rules, &call, &mut self.cost)? {
            if !takes_part(rule) {
                continue;
            }
            let Some(mut judged) = call.judge(rule, index, role, self.detail) else { continue };
            self.cost.add(&judged);
            let seen = call.view_of_rule(rule, judged.role);
            add(self, rule, &mut judged, seen);
            all.push(judged);
        }
        self.cost.note_analysis(&call);
        Ok(match self.all {
            Some(rules) => select::add_skipped_rules(rules, &call, all, self.detail, &takes_part),
            None => all,
        })
    }

    /// Adds the votes and effects of a rule on the original call.
    fn add_original(&mut self, rule: &'r Rule, judged: &mut RuleJudgement, context: &Context<'_>) {
        let known = self.plan.verdict.votes.len();
        self.plan.add(rule, judged.role, judged, context);
        match self.plan.verdict.votes.get(known..) {
            None | Some([]) => {}
            Some(votes) => (self.tell)(votes),
        }
    }

    /// Adds the votes of a rule on the rewritten call, for which no commands start.
    fn add_rewritten(&mut self, rule: &'r Rule, judged: &mut RuleJudgement, context: &Context<'_>) {
        let is_match = judged.outcome == RuleOutcome::Match;
        if is_match && rule.is_command_only_blocker() && !has_matched_before(&self.trace, judged.index) {
            judged.outcome = RuleOutcome::Unknown(Reason::needs_command());
        }
        self.plan.add_rejudged(rule, judged.role, judged, context);
    }
}

/// A call in the view of its event and, on another event about a call, in the view of PreToolUse.
struct JudgedCall<'c> {
    event_views: Views<'c>,
    pre_tool_use_views: Option<Views<'c>>,
    /// The call as it runs the commands in the files that it writes, cached.
    in_files: OnceCell<Option<Context<'c>>>,
    /// Cached file tests of its rules.
    answers: FileAnswers,
}

impl<'c> JudgedCall<'c> {
    fn new(now: &'c Context<'c>, first: Option<&'c Context<'c>>) -> Self {
        Self {
            event_views: Views::new(now),
            pre_tool_use_views: first.map(Views::new),
            in_files: OnceCell::new(),
            answers: FileAnswers::default(),
        }
    }

    /// Returns the event that is judged.
    fn event(&self) -> Event {
        self.event_views.lowest_layer().payload().event
    }

    /// Returns the views for rules in this role.
    fn views(&self, role: RuleRole) -> &Views<'c> {
        match role {
            RuleRole::Full => &self.event_views,
            RuleRole::VotesOfPreToolUse | RuleRole::PreToolUseWithoutCommands => {
                self.pre_tool_use_views.as_ref().unwrap_or(&self.event_views)
            }
        }
    }

    /// Returns a rule's view in this role.
    fn view_of_rule(&self, rule: &Rule, role: RuleRole) -> &Context<'c> {
        self.views(role).for_layer(rule.layer)
    }

    /// Judges a rule. On another event about a call, a rule registered for both events that does not match may still
    /// match as on PreToolUse.
    fn judge(&self, rule: &Rule, index: usize, role: RuleRole, detail: TraceDetail) -> Option<RuleJudgement> {
        let in_files = || self.in_files.get_or_init(|| self.event_views.lowest_layer().for_written_files()).as_ref();
        let judge = |role, view: &Context<'_>| judge(rule, index, role, view, detail, &self.answers);
        let judged = judge(role, self.view_of_rule(rule, role));
        let judged = judge_files_if_unmatched(rule, judged, in_files, |view| judge(role, view));
        let is_quiet = judged.as_ref().is_some_and(|judged| judged.outcome == RuleOutcome::NoMatch);
        let of_first = RuleRole::for_pre_tool_use(self.event()).filter(|role| select::has_counting_part(rule, *role));
        if role == RuleRole::Full
            && is_quiet
            && let Some(role) = of_first
        {
            let first = judge(role, self.view_of_rule(rule, role));
            return first.filter(|first| first.outcome != RuleOutcome::NoMatch).or(judged);
        }
        judged
    }
}

/// If the rule does not match the call itself, judges it on the commands in the files that the call writes, unless it
/// covers only the call's own commands.
fn judge_files_if_unmatched<'c>(
    rule: &Rule,
    judged: Option<RuleJudgement>,
    in_files: impl FnOnce() -> Option<&'c Context<'c>>,
    judge: impl FnOnce(&Context<'_>) -> Option<RuleJudgement>,
) -> Option<RuleJudgement> {
    if rule.traits.commands == CommandCoverage::Call
        || judged.as_ref().is_none_or(|judged| judged.outcome == RuleOutcome::Match)
    {
        return judged;
    }
    let there = in_files().and_then(judge);
    match (judged, there) {
        (Some(judged), Some(there)) => Some(more_decisive_judgement(rule, judged, there)),
        (judged, _) => judged,
    }
}

/// Whether a rule matched the original input, so that its commands run.
fn has_matched_before(trace: &Trace, index: usize) -> bool {
    trace.rules.iter().any(|judged| judged.index == index && judged.outcome == RuleOutcome::Match)
}

/// Judges one rule; `None` if its head does not select the payload.
fn judge(
    rule: &Rule,
    index: usize,
    role: RuleRole,
    context: &Context<'_>,
    detail: TraceDetail,
    answers: &FileAnswers,
) -> Option<RuleJudgement> {
    let payload: &Payload = context.payload();
    let selected = select(rule, context);
    if selected == HeadMatch::No {
        return None;
    }
    let mut judged = judge_conditions(rule, context, detail, answers);
    if selected == HeadMatch::Unknown && judged.outcome != RuleOutcome::NoMatch {
        let open = payload.is_actor_unclear();
        judged.outcome = RuleOutcome::Unknown(if open { Reason::open_agent() } else { Reason::nameless_agent() });
    }
    if judged.outcome == RuleOutcome::Match {
        let unknown = || rewrite::unknown_edit(rule, judged.matched.as_deref(), context);
        let reason = unreadable_rewrite(rule).or_else(|| rewrite::refused_rewrite(rule, payload)).or_else(unknown);
        judged.outcome = reason.map_or(RuleOutcome::Match, RuleOutcome::Unknown);
    }
    Some(RuleJudgement { index, display_name: rule.display_name.clone(), role, ..judged })
}

/// Judges the conditions of a rule, regardless of its head.
///
/// Git and files are looked up where and when each command runs that a `runs` of the rule matches: an allow must hold
/// for all of these places, any other rule for one.
fn judge_conditions(rule: &Rule, context: &Context<'_>, detail: TraceDetail, answers: &FileAnswers) -> RuleJudgement {
    let once = CommandTestCache::default();
    // A rule that is judged in one place and one form asks nothing twice.
    let known = (rule.looks_at_surroundings || rule.looks_at_paths).then_some(&once);
    let known = AnswerCaches { commands: known, files: answers };
    // The command is not analysed for a rule that does not depend on its surroundings.
    let asks = || context.shell_text();
    let Some(shell) = rule.looks_at_surroundings.then(asks).flatten() else {
        return judge_forms(rule, context, detail, known);
    };
    // A rule that fails on its commands alone fails in every place.
    if commands::is_within_places(shell)
        && ConditionJudge::new(context, (PathForm::Lexical, NameCase::Exact), rule, detail, known)
            .is_false_by_commands()
    {
        return judge_forms(rule, context, detail, known);
    }
    let places = commands::places(rule, context, shell, (&once, answers));
    let judged =
        places.known.iter().map(|id| judge_forms(rule, &context.located_at_command(shell, *id), detail, known));
    let judged = judged.reduce(|so_far, other| more_decisive_judgement(rule, so_far, other));
    let judged = judged.unwrap_or_else(|| judge_forms(rule, context, detail, known));
    match places.left_out {
        Some(reason) => {
            let unknown =
                RuleJudgement { outcome: RuleOutcome::Unknown(reason), matched: None, steps: 0, ..judged.clone() };
            more_decisive_judgement(rule, judged, unknown)
        }
        None => judged,
    }
}

/// Returns the more decisive of two judgements of a rule, or the first if they are equal.
fn more_decisive_judgement(rule: &Rule, so_far: RuleJudgement, other: RuleJudgement) -> RuleJudgement {
    let (rank, before) = (other.outcome.rank(), so_far.outcome.rank());
    let steps = so_far.steps.saturating_add(other.steps);
    let counts = if rule.can_allow { rank < before } else { rank > before };
    RuleJudgement { steps, ..if counts { other } else { so_far } }
}

/// Judges the conditions of a rule in every form of paths.
///
/// A link must neither make an allow hold (it must hold in both forms of the paths) nor hide a match of any other rule
/// (either form is enough). If the file system folds names, a guard folds them; an allow must hold with exact and with
/// folded names, so that a negation in it opens nothing either.
fn judge_forms(rule: &Rule, context: &Context<'_>, detail: TraceDetail, known: AnswerCaches<'_>) -> RuleJudgement {
    let judge = |form, case| ConditionJudge::new(context, (form, case), rule, detail, known).rule();
    let guard = if context.machine().is_case_folding() { NameCase::Folded } else { NameCase::Exact };
    let first = if rule.can_allow { NameCase::Exact } else { guard };
    let mut decisive = judge(PathForm::Lexical, first);
    if !rule.looks_at_paths {
        return decisive;
    }
    let mut others = vec![(PathForm::Physical, first)];
    if guard != first {
        others.extend([(PathForm::Lexical, guard), (PathForm::Physical, guard)]);
    }
    for (form, case) in others {
        let judged = RuleJudgement { through_link: form == PathForm::Physical, ..judge(form, case) };
        decisive = more_decisive_judgement(rule, decisive, judged);
    }
    decisive
}

/// Judges one rule on one payload for an example: by its head and its conditions, regardless of its mode; `None` if its
/// head does not select the payload.
#[must_use]
pub fn judge_example(rule: &Rule, context: &Context<'_>, detail: TraceDetail) -> Option<RuleJudgement> {
    let answers = FileAnswers::default();
    let judge = |view: &Context<'_>| judge(rule, 0, RuleRole::Full, view, detail, &answers);
    let judged = judge(context);
    let in_files = OnceCell::new();
    let view = || in_files.get_or_init(|| context.for_written_files()).as_ref();
    judge_files_if_unmatched(rule, judged, view, judge)
}

/// Returns why a rewrite of the rule is impossible, if so: a regex that is too big must not let the original call pass.
fn unreadable_rewrite(rule: &Rule) -> Option<Reason> {
    rule.effects.iter().find_map(|effect| match effect {
        // The regexes of output rewrites are compiled when a text may match.
        Effect::Rewrite(rewrite) if rewrite.is_of_output() => None,
        Effect::Rewrite(Rewrite::Replace(_, regex, _)) => {
            regex.compiled().err().map(|reason| Reason::regex(reason, Some(regex.pattern())))
        }
        _ => None,
    })
}

/// Whether the rule's allow is withheld: the user is in plan mode, or the call may run another command than the one
/// that is judged.
fn is_allow_withheld(rule: &Rule, context: &Context<'_>) -> bool {
    context.payload().nonempty_text("permission_mode") == Some("plan") && !rule.names_mode
        || context.call().has_possible_command()
}

/// Returns the votes of a rule's own effects.
fn votes(rule: &Rule, event: Event) -> impl Iterator<Item = (Decision, &Template, bool)> {
    let answers = event.spec().answers;
    rule.effects.iter().filter_map(move |effect| match effect {
        Effect::Vote { decision, message, interrupt } => Some((*decision, message, *interrupt)),
        Effect::Exit { code: 2, message } if answers.deny => Some((Decision::Deny, message, false)),
        _ => None,
    })
}
