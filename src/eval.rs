//! Evaluation: judges an event by a rule set, which results in a verdict. Pure, total, deterministic.
//!
//! Every rule that the event selects is judged (law 1); the strictest vote decides (law 2); effects are planned in
//! evaluation order (law 3). Nothing is performed here.

mod commands;
mod condition;
mod connects;
mod cost;
mod effects;
mod file_answers;
mod filled;
mod filter;
mod guarded;
mod marks;
mod measure;
mod message;
mod once;
mod only_runs;
mod opaque;
mod past;
mod places;
mod ran;
mod redact;
mod report;
mod rewrite;
mod runners;
mod scope;
mod select;
mod suspicion;
mod test;
mod touches;
mod trace;
mod truth;

pub use cost::JudgingCost;
pub use guarded::{CheckedFiles, DirectoryEffect, GuardedChange, TouchExtent, change, is_possible_write_below, kind};
pub use marks::marks_of_event;
#[cfg(feature = "internals")]
pub use message::VALUE_LIMIT;
pub use ran::denials_after_run;
pub use report::{EvaluationReport, PlannedEffect, effect_word, effect_words};
pub(crate) use runners::is_plain_runner;
pub use trace::{ConditionTrace, Matched, RuleJudgement, RuleOutcome, RuleRole, Trace};
pub use truth::Truth;

use std::cell::OnceCell;

use crate::context::{Context, LookupPlace, PathForm, Reason, Views};
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

/// A verdict, and how it was reached.
#[derive(Debug)]
pub struct Evaluation {
    /// The verdict.
    pub verdict: Verdict,
    /// The judged rules, in evaluation order.
    pub trace: Trace,
    /// The votes of `@observe` rules, which do not count for the decision.
    pub observed: Vec<Vote>,
    /// The names of the `@observe` rules that match and have effects but no votes.
    pub observed_effects: Vec<String>,
    /// The cost of the judgement.
    pub cost: JudgingCost,
}

/// How much of the judgement the trace keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceDetail {
    /// The trace has the outcome of each rule, with the reason of an unknown one.
    Outcomes,
    /// The trace also has every part of every condition, for people.
    Conditions,
}

/// Judges an event. The trace has every rule that the event selects.
#[must_use]
pub fn evaluate(rules: &RuleSet, context: &Context<'_>, detail: TraceDetail) -> Evaluation {
    let Ok(evaluation) = JudgementInProgress::new(rules, context, detail).complete_from(rules).finish(context);
    evaluation
}

/// Judges an event. The trace may lack rules that do not match, because the index skips them.
///
/// # Errors
/// The rules cannot be read.
pub fn decide<R: Rules>(rules: &R, context: &Context<'_>, detail: TraceDetail) -> Result<Evaluation, R::Error> {
    JudgementInProgress::new(rules, context, detail).finish(context)
}

/// Judges an event like [`decide`], and calls `tell` with the votes of each rule on the original call as soon as they
/// are cast.
///
/// # Errors
/// The rules cannot be read.
pub fn decide_reporting_votes<R: Rules>(
    rules: &R,
    context: &Context<'_>,
    detail: TraceDetail,
    tell: &dyn Fn(&[Vote]),
) -> Result<Evaluation, R::Error> {
    JudgementInProgress { tell, ..JudgementInProgress::new(rules, context, detail) }.finish(context)
}

/// The judgement of one event in progress: first of the call, then of the rewritten call.
struct JudgementInProgress<'r, R> {
    rules: &'r R,
    detail: TraceDetail,
    /// All rules, to complete the trace with the ones that the index skipped; `None` if the trace may lack them.
    all: Option<&'r RuleSet>,
    /// The function that is called with the votes of each rule on the original call.
    tell: &'r dyn Fn(&[Vote]),
    /// The verdict so far.
    plan: VerdictPlan<'r>,
    trace: Trace,
    cost: JudgingCost,
}

impl<'r, R: Rules> JudgementInProgress<'r, R> {
    fn new(rules: &'r R, context: &Context<'_>, detail: TraceDetail) -> Self {
        let plan = VerdictPlan::new(context.payload().event);
        Self { rules, detail, all: None, tell: &|_| {}, plan, trace: Trace::default(), cost: JudgingCost::default() }
    }

    /// Makes the trace include the rules that the index skips.
    fn complete_from(self, all: &'r RuleSet) -> Self {
        Self { all: Some(all), ..self }
    }

    /// Judges the call and, if it is rewritten, judges the rewritten call too.
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

    /// Judges a call by the rules that are candidates and for which `takes_part` is true. Each judgement is passed to
    /// `add`, which may change it.
    fn judge_call(
        &mut self,
        context: &Context<'_>,
        takes_part: fn(&Rule) -> bool,
        add: fn(&mut Self, &'r Rule, &mut RuleJudgement, &Context<'_>),
    ) -> Result<Vec<RuleJudgement>, R::Error> {
        let asked_first = context.payload().as_first_asked();
        // On an event that follows another about the same call, PreToolUse rules are judged in the view of
        // PreToolUse.
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
            let in_place = judged.decisive_place(rule, context).map(|place| seen.at_place(place));
            add(self, rule, &mut judged, in_place.as_ref().unwrap_or(seen));
            all.push(judged);
        }
        self.cost.note_analysis(&call);
        Ok(match self.all {
            Some(rules) => select::add_skipped_rules(rules, &call, all, self.detail, &takes_part),
            None => all,
        })
    }

    /// Adds the votes and effects of a rule on the original call, and reports the votes.
    fn add_original(&mut self, rule: &'r Rule, judged: &mut RuleJudgement, context: &Context<'_>) {
        let known = self.plan.verdict.votes.len();
        self.plan.add(rule, judged.role, judged, context);
        match self.plan.verdict.votes.get(known..) {
            None | Some([]) => {}
            Some(votes) => (self.tell)(votes),
        }
    }

    /// Adds the votes of a rule on the rewritten call. Its commands do not run, so a rule that can only block through
    /// a command is unknown if it did not already match the original call.
    fn add_rewritten(&mut self, rule: &'r Rule, judged: &mut RuleJudgement, context: &Context<'_>) {
        let is_match = judged.outcome == RuleOutcome::Match;
        if is_match && rule.is_command_only_blocker() && !has_matched_before(&self.trace, judged.index) {
            judged.outcome = RuleOutcome::Unknown(Reason::needs_command());
        }
        self.plan.add_rejudged(rule, judged.role, judged, context);
    }
}

/// A call as the rules of each layer see it: on its own event and, on a later event about the same call such as a
/// permission request, also as on PreToolUse.
struct JudgedCall<'c> {
    /// The call on its own event.
    event_views: Views<'c>,
    /// The call as on PreToolUse; `None` if the event is not a later one about a call.
    pre_tool_use_views: Option<Views<'c>>,
    /// The call as if it ran the commands in the files that it writes; computed for the first `@in_files` rule.
    in_files: OnceCell<Option<Context<'c>>>,
    /// Cached results of file tests.
    answers: FileAnswers,
}

impl<'c> JudgedCall<'c> {
    /// Creates the views of a call on its event (`now`) and, if there is one, on PreToolUse (`first`).
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

    /// Returns the views of the call for rules in this role.
    fn views(&self, role: RuleRole) -> &Views<'c> {
        match role {
            RuleRole::Full => &self.event_views,
            RuleRole::VotesOfPreToolUse | RuleRole::PreToolUseWithoutCommands => {
                self.pre_tool_use_views.as_ref().unwrap_or(&self.event_views)
            }
        }
    }

    /// Returns the call as a rule in this role sees it.
    fn view_of_rule(&self, rule: &Rule, role: RuleRole) -> &Context<'c> {
        self.views(role).for_layer(rule.layer)
    }

    /// Judges a rule; `None` if its head does not select the event.
    ///
    /// On a later event about a call, a rule for both events that does not match is also judged as on PreToolUse.
    fn judge(&self, rule: &Rule, index: usize, role: RuleRole, detail: TraceDetail) -> Option<RuleJudgement> {
        // All rules of a policy see the same files.
        let written = || self.event_views.lowest_layer().for_written_files(rule.base.scope());
        let in_files = || self.in_files.get_or_init(written).as_ref();
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

/// If an `@in_files` rule does not match the call itself, judges it on the commands in the files that the call
/// writes, and returns the more decisive judgement. Any other judgement is returned unchanged.
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
    // The commands of the files are not those of the call.
    let settled =
        |judged: RuleJudgement| RuleJudgement { place: judged.place.as_ref().map(LookupPlace::before_all), ..judged };
    let there = in_files().and_then(judge).map(settled);
    match (judged, there) {
        (Some(judged), Some(there)) => Some(more_decisive_judgement(rule, judged, there)),
        (judged, _) => judged,
    }
}

/// Whether a rule matched the original call, so that its commands run.
fn has_matched_before(trace: &Trace, index: usize) -> bool {
    trace.rules.iter().any(|judged| judged.index == index && judged.outcome == RuleOutcome::Match)
}

/// Judges the head and the conditions of one rule; `None` if its head does not select the payload. A match becomes
/// unknown if a rewrite of the rule is impossible.
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
        let unknown = || rewrite::unknown_edit(rule, judged.matched.as_ref(), context);
        let reason = unreadable_rewrite(rule).or_else(|| rewrite::refused_rewrite(rule, payload)).or_else(unknown);
        judged.outcome = reason.map_or(RuleOutcome::Match, RuleOutcome::Unknown);
    }
    Some(RuleJudgement { index, display_name: rule.display_name.clone(), role, ..judged })
}

/// Judges the conditions of a rule, regardless of its head.
///
/// Git and files are looked up in each place of the rule: an allow must hold in all of them, any other rule in one.
fn judge_conditions(rule: &Rule, context: &Context<'_>, detail: TraceDetail, answers: &FileAnswers) -> RuleJudgement {
    let once = CommandTestCache::default();
    let has_places = rule.has_places() || places::depends_on_trees(rule, context);
    // A rule that is judged in one place and one form asks nothing twice.
    let known = (has_places || rule.looks_at_paths).then_some(&once);
    let known = AnswerCaches { commands: known, files: answers };
    if !has_places {
        return judge_forms(rule, context, detail, known);
    }
    // A rule that fails on its commands alone fails in every place.
    if context.shell_text().is_some_and(places::has_few_commands)
        && ConditionJudge::new(context, (PathForm::Lexical, NameCase::Exact), rule, detail, known)
            .is_false_by_commands()
    {
        return judge_forms(rule, context, detail, known);
    }
    let places = places::places(rule, context, (&once, answers));
    let judged = places.into_iter().map(|place| {
        let mut judged = judge_forms(rule, &context.at_place(&place), detail, known);
        if let (RuleOutcome::Match, Some(reason), false) = (&judged.outcome, &place.doubt, rule.can_allow) {
            judged.outcome = RuleOutcome::Unknown(reason.clone());
        }
        RuleJudgement { place: Some(place), ..judged }
    });
    let judged = judged.reduce(|so_far, other| more_decisive_judgement(rule, so_far, other));
    let Some(judged) = judged else { return judge_forms(rule, context, detail, known) };
    let tree = judged.decisive_place(rule, context).and_then(|place| context.other_tree(place));
    RuleJudgement { tree, ..judged }
}

/// Returns the more decisive of two judgements of a rule: for a rule that can allow, the one that is further from a
/// match; for any other, the one that is nearer to a match. Returns the first if they are equal.
fn more_decisive_judgement(rule: &Rule, so_far: RuleJudgement, other: RuleJudgement) -> RuleJudgement {
    let (rank, before) = (other.outcome.rank(), so_far.outcome.rank());
    let steps = so_far.steps.saturating_add(other.steps);
    let counts = if rule.can_allow { rank < before } else { rank > before };
    RuleJudgement { steps, ..if counts { other } else { so_far } }
}

/// Judges the conditions of a rule for each form of paths: as given, and with symbolic links resolved.
///
/// An allow must hold in both forms, so that a link cannot make it hold; for any other rule one form is enough, so
/// that a link cannot hide a match. If the file system ignores case, other rules ignore it too, and an allow must
/// hold both with and without case, so that a `not` in it lets nothing through.
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

/// Judges one rule on the payload of an example, by its head and its conditions. The rule's mode is ignored: an
/// `@off` rule is judged too. `None` if its head does not select the payload.
#[must_use]
pub fn judge_example(rule: &Rule, context: &Context<'_>, detail: TraceDetail) -> Option<RuleJudgement> {
    let answers = FileAnswers::default();
    let judge = |view: &Context<'_>| judge(rule, 0, RuleRole::Full, view, detail, &answers);
    let judged = judge(context);
    let in_files = OnceCell::new();
    let view = || in_files.get_or_init(|| context.for_written_files(rule.base.scope())).as_ref();
    judge_files_if_unmatched(rule, judged, view, judge)
}

/// Returns why a rewrite of the rule is impossible, if one is: its regex is too big. The rule is then unknown, so
/// that the original call does not simply pass.
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

/// Whether the rule's allow does not count: the session is in plan mode, and the rule does not test the mode; or the
/// call may run another command than the one that was judged.
fn is_allow_withheld(rule: &Rule, context: &Context<'_>) -> bool {
    context.payload().nonempty_text("permission_mode") == Some("plan") && !rule.names_mode
        || context.call().has_possible_command()
}

/// Returns the votes of a rule's effects, without its commands: the decision, the message, and whether a denial
/// interrupts.
fn votes(rule: &Rule, event: Event) -> impl Iterator<Item = (Decision, &Template, bool)> {
    let answers = event.spec().answers;
    rule.effects.iter().filter_map(move |effect| match effect {
        Effect::Vote { decision, message, interrupt } => Some((*decision, message, *interrupt)),
        Effect::Exit { code: 2, message } if answers.deny => Some((Decision::Deny, message, false)),
        _ => None,
    })
}
