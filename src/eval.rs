//! Evaluation: judges an event by a rule set and returns a verdict. Pure, total, deterministic.
//!
//! Every rule that the event selects is judged (law 1); the strictest vote decides (law 2); effects are planned in
//! evaluation order (law 3). Nothing is performed here.

mod commands;
mod condition;
mod connects;
mod cost;
mod effects;
mod exact;
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
pub(crate) use exact::text_fit;
pub use guarded::{CheckedFiles, DirectoryEffect, GuardedChange, TouchExtent, change, is_possible_write_below, kind};
pub use marks::{marks_of_event, observed_marks_of_event};
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

/// A verdict, and how it came about.
#[derive(Debug)]
pub struct Evaluation {
    /// The verdict.
    pub verdict: Verdict,
    /// The judged rules, in evaluation order.
    pub trace: Trace,
    /// The votes of `@observe` rules, which do not affect the decision.
    pub observed: Vec<Vote>,
    /// The names of the `@observe` rules that match and have effects but no votes.
    pub observed_effects: Vec<String>,
    /// The cost of the judgement.
    pub cost: JudgingCost,
}

/// How much detail of a judgement the trace keeps.
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
    let Ok(evaluation) = JudgementInProgress::new(rules, context, detail).with_skipped_rules(rules).finish(context);
    evaluation
}

/// Judges an event. The trace may lack rules that do not match, because the index skips them.
///
/// # Errors
/// The rules cannot be read.
pub fn decide<R: Rules>(rules: &R, context: &Context<'_>, detail: TraceDetail) -> Result<Evaluation, R::Error> {
    JudgementInProgress::new(rules, context, detail).finish(context)
}

/// Judges an event like [`decide`], and calls `report_votes` with the votes of each rule on the original call as soon
/// as they are cast.
///
/// # Errors
/// The rules cannot be read.
pub fn decide_reporting_votes<R: Rules>(
    rules: &R,
    context: &Context<'_>,
    detail: TraceDetail,
    report_votes: &dyn Fn(&[Vote]),
) -> Result<Evaluation, R::Error> {
    JudgementInProgress { report_votes, ..JudgementInProgress::new(rules, context, detail) }.finish(context)
}

/// The judgement of one event in progress: first of the call, then of the rewritten call if rules rewrite it.
struct JudgementInProgress<'r, R> {
    rules: &'r R,
    detail: TraceDetail,
    /// All rules, so that the trace also has those that the index skipped; `None` if the trace may lack them.
    all_rules: Option<&'r RuleSet>,
    /// The function that is called with the votes of each rule on the original call.
    report_votes: &'r dyn Fn(&[Vote]),
    /// The verdict so far.
    plan: VerdictPlan<'r>,
    trace: Trace,
    cost: JudgingCost,
}

impl<'r, R: Rules> JudgementInProgress<'r, R> {
    fn new(rules: &'r R, context: &Context<'_>, detail: TraceDetail) -> Self {
        let plan = VerdictPlan::new(context.payload().event);
        Self {
            rules,
            detail,
            all_rules: None,
            report_votes: &|_| {},
            plan,
            trace: Trace::default(),
            cost: JudgingCost::default(),
        }
    }

    /// Makes the trace also include the rules that the index skips.
    fn with_skipped_rules(self, rules: &'r RuleSet) -> Self {
        Self { all_rules: Some(rules), ..self }
    }

    /// Judges the call and, if it is rewritten, the rewritten call, too.
    fn finish(mut self, context: &Context<'_>) -> Result<Evaluation, R::Error> {
        self.trace.rules = self.judge_call(context, |rule| rule.traits.mode != RuleMode::Off, Self::add_original)?;
        let rewritten = self.plan.rewrite(context);
        self.trace.rejudged.append(&mut self.plan.not_rewritten);
        if let Some(rewritten) = rewritten {
            let rewritten_context = context.with_payload(&rewritten);
            let can_change_decision = |rule: &Rule| rule.traits.mode == RuleMode::Active && rule.can_vote();
            let rejudged = self.judge_call(&rewritten_context, can_change_decision, Self::add_rewritten)?;
            self.trace.rejudged.extend(rejudged);
            self.plan.finish(&rewritten_context, context);
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

    /// Judges a call by the candidate rules for which `takes_part` is true. Each judgement is passed to `add`, which
    /// may change it.
    fn judge_call(
        &mut self,
        context: &Context<'_>,
        takes_part: fn(&Rule) -> bool,
        add: fn(&mut Self, &'r Rule, &mut RuleJudgement, &Context<'_>),
    ) -> Result<Vec<RuleJudgement>, R::Error> {
        let first_payload = context.payload().as_first_asked();
        // On a later event about a call, PreToolUse rules judge the call as it was on PreToolUse.
        let first_view = first_payload.as_ref().map(|payload| context.for_pre_tool_use(payload));
        let call = JudgedCall::new(context, first_view.as_ref());
        let mut judgements = Vec::new();
        let candidates = candidates(self.rules, &call, &mut self.cost)?;
        // Marks judge an ended call in the directory in which it began.
        let is_of_ended_call =
            context.payload().event.ends_call() && candidates.iter().any(|(_, rule, _)| rule.is_judged_where_begun());
        let begun_context = if is_of_ended_call { context.where_begun() } else { None };
        let begun_call = begun_context.as_ref().map(|context| JudgedCall::new(context, None));
        for (index, rule, role) in candidates {
            if !takes_part(rule) {
                continue;
            }
            let (call, context) = match (&begun_call, &begun_context) {
                (Some(call), Some(context)) if rule.is_judged_where_begun() => (call, context),
                _ => (&call, context),
            };
            let Some(mut judged) = call.judge(rule, index, role, self.detail) else { continue };
            self.cost.add(&judged);
            let view = call.view_of_rule(rule, judged.role);
            let view_in_place = judged.decisive_place(rule, context).map(|place| view.at_place(place));
            add(self, rule, &mut judged, view_in_place.as_ref().unwrap_or(view));
            judgements.push(judged);
        }
        self.cost.note_analysis(&call);
        Ok(match self.all_rules {
            Some(rules) => select::add_skipped_rules(rules, &call, judgements, self.detail, &takes_part),
            None => judgements,
        })
    }

    /// Adds the votes and effects of a rule on the original call, and reports the votes.
    fn add_original(&mut self, rule: &'r Rule, judged: &mut RuleJudgement, context: &Context<'_>) {
        let earlier_votes = self.plan.verdict.votes.len();
        self.plan.add(rule, judged.role, judged, context);
        match self.plan.verdict.votes.get(earlier_votes..) {
            None | Some([]) => {}
            Some(votes) => (self.report_votes)(votes),
        }
    }

    /// Adds the votes of a rule on the rewritten call. The rule's commands do not run again. So a rule that blocks
    /// only through a command is unknown if it did not match the original call, too.
    fn add_rewritten(&mut self, rule: &'r Rule, judged: &mut RuleJudgement, context: &Context<'_>) {
        let is_match = judged.outcome == RuleOutcome::Match;
        if is_match && rule.is_command_only_blocker() && !has_matched_before(&self.trace, judged.index) {
            judged.outcome = RuleOutcome::Unknown(Reason::needs_command());
        }
        self.plan.add_rejudged(rule, judged.role, judged, context);
    }
}

/// A call as the rules of each layer see it: on the current event and, on a later event about the same call such as a
/// permission request, also as it was on PreToolUse.
struct JudgedCall<'c> {
    /// The call on the current event.
    event_views: Views<'c>,
    /// The call as it was on PreToolUse; `None` if the current event is not a later one about a call.
    pre_tool_use_views: Option<Views<'c>>,
    /// The call as if it ran the commands in the files that it writes; computed for the first `@in_files` rule.
    in_files: OnceCell<Option<Context<'c>>>,
    /// The cached results of file tests.
    answers: FileAnswers,
}

impl<'c> JudgedCall<'c> {
    /// Creates the views of a call on the current event and, for a later event, on PreToolUse.
    fn new(current: &'c Context<'c>, pre_tool_use: Option<&'c Context<'c>>) -> Self {
        Self {
            event_views: Views::new(current),
            pre_tool_use_views: pre_tool_use.map(Views::new),
            in_files: OnceCell::new(),
            answers: FileAnswers::default(),
        }
    }

    /// Returns the current event.
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
    /// On a later event about a call, a rule for both events that does not match the current one is also judged on
    /// PreToolUse.
    fn judge(&self, rule: &Rule, index: usize, role: RuleRole, detail: TraceDetail) -> Option<RuleJudgement> {
        // All rules of a policy see the same files.
        let written = || self.event_views.lowest_layer().for_written_files(rule.base.scope());
        let in_files = || self.in_files.get_or_init(written).as_ref();
        let judge = |role, view: &Context<'_>| judge(rule, index, role, view, detail, &self.answers);
        let judged = judge(role, self.view_of_rule(rule, role));
        let judged = judge_files_if_unmatched(rule, judged, in_files, |view| judge(role, view));
        let is_no_match = judged.as_ref().is_some_and(|judged| judged.outcome == RuleOutcome::NoMatch);
        let earlier_role =
            RuleRole::for_pre_tool_use(self.event()).filter(|role| select::has_counting_part(rule, *role));
        if role == RuleRole::Full
            && is_no_match
            && let Some(role) = earlier_role
        {
            let earlier = judge(role, self.view_of_rule(rule, role));
            return earlier.filter(|earlier| earlier.outcome != RuleOutcome::NoMatch).or(judged);
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
    // The commands in the files are not commands of the call, before which facts could be looked up.
    let without_command =
        |judged: RuleJudgement| RuleJudgement { place: judged.place.as_ref().map(LookupPlace::before_all), ..judged };
    let judged_in_files = in_files().and_then(judge).map(without_command);
    match (judged, judged_in_files) {
        (Some(judged), Some(judged_in_files)) => Some(more_decisive_judgement(rule, judged, judged_in_files)),
        (judged, _) => judged,
    }
}

/// Whether a rule matched the original call, whose judgements are in `trace`.
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
        let is_unclear = payload.is_actor_unclear();
        judged.outcome = RuleOutcome::Unknown(if is_unclear { Reason::open_agent() } else { Reason::nameless_agent() });
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
/// Facts of git and files are looked up for each place of the rule: an allow must hold for all of them, any other
/// rule for one.
fn judge_conditions(rule: &Rule, context: &Context<'_>, detail: TraceDetail, answers: &FileAnswers) -> RuleJudgement {
    let cache = CommandTestCache::default();
    let has_places = rule.has_places() || places::depends_on_trees(rule, context);
    // A rule that is judged for one place and one form repeats no test.
    let commands = (has_places || rule.looks_at_paths).then_some(&cache);
    let caches = AnswerCaches { commands, files: answers };
    if !has_places {
        return judge_forms(rule, context, detail, caches);
    }
    // A rule that fails on its commands alone fails in every place.
    if context.shell_text().is_some_and(places::has_few_commands)
        && ConditionJudge::new(context, (PathForm::Lexical, NameCase::Exact), rule, detail, caches)
            .is_false_by_commands()
    {
        return judge_forms(rule, context, detail, caches);
    }
    let places = places::places(rule, context, (&cache, answers));
    let judged = places.into_iter().map(|place| {
        let mut judged = judge_forms(rule, &context.at_place(&place), detail, caches);
        if let (RuleOutcome::Match, Some(reason), false) = (&judged.outcome, &place.doubt, rule.can_allow) {
            judged.outcome = RuleOutcome::Unknown(reason.clone());
        }
        RuleJudgement { place: Some(place), ..judged }
    });
    let judged = judged.reduce(|so_far, other| more_decisive_judgement(rule, so_far, other));
    let Some(judged) = judged else { return judge_forms(rule, context, detail, caches) };
    let tree = judged.decisive_place(rule, context).and_then(|place| context.other_tree(place));
    RuleJudgement { tree, ..judged }
}

/// Returns the more decisive of two judgements of a rule: for a rule that can allow, the one that is further from a
/// match; for any other, the one that is nearer to a match. Returns the first if they are equal.
fn more_decisive_judgement(rule: &Rule, so_far: RuleJudgement, other: RuleJudgement) -> RuleJudgement {
    let (rank, rank_so_far) = (other.outcome.rank(), so_far.outcome.rank());
    let steps = so_far.steps.saturating_add(other.steps);
    let is_more_decisive = if rule.can_allow { rank < rank_so_far } else { rank > rank_so_far };
    RuleJudgement { steps, ..if is_more_decisive { other } else { so_far } }
}

/// Judges the conditions of a rule for each form of paths: as given, and with symbolic links resolved.
///
/// An allow must hold in both forms, so that a link cannot make it hold. For any other rule one form is enough, so
/// that a link cannot hide a match. If the file system ignores case, other rules ignore it, too, and an allow must
/// hold both with and without case, since a `not` could turn either into a match.
fn judge_forms(rule: &Rule, context: &Context<'_>, detail: TraceDetail, caches: AnswerCaches<'_>) -> RuleJudgement {
    let judge = |form, case| ConditionJudge::new(context, (form, case), rule, detail, caches).judge_rule();
    let machine_case = if context.machine().is_case_folding() { NameCase::Folded } else { NameCase::Exact };
    let first_case = if rule.can_allow { NameCase::Exact } else { machine_case };
    let mut decisive = judge(PathForm::Lexical, first_case);
    if !rule.looks_at_paths {
        return decisive;
    }
    let mut others = vec![(PathForm::Physical, first_case)];
    if machine_case != first_case {
        others.extend([(PathForm::Lexical, machine_case), (PathForm::Physical, machine_case)]);
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

/// Returns why a rewrite of the rule is impossible: its regex is too big. The rule is then unknown, so that the
/// original call does not simply pass. `None` if all its rewrites are possible.
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

/// Whether a rule's allow does not count, because the session is in plan mode and the rule does not test the mode, or
/// because the call may run another command than the one that was judged.
fn is_allow_withheld(rule: &Rule, context: &Context<'_>) -> bool {
    context.payload().nonempty_text("permission_mode") == Some("plan") && !rule.names_mode
        || context.call().has_possible_command()
}

/// Returns the votes that a rule itself casts on `event`, not those that its `run` commands may add later: the
/// decision, the message, and whether a denial also stops the agent.
fn votes(rule: &Rule, event: Event) -> impl Iterator<Item = (Decision, &Template, bool)> {
    let answers = event.spec().answers;
    rule.effects.iter().filter_map(move |effect| match effect {
        Effect::Vote { decision, message, interrupt } => Some((*decision, message, *interrupt)),
        Effect::Exit { code: 2, message } if answers.deny => Some((Decision::Deny, message, false)),
        _ => None,
    })
}
