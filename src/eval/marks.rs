//! What a mark remembers of an event, and how certainly the event happened.

use std::sync::Arc;

use crate::context::{Context, PathForm, Reason, ShellText, Views, actor};
use crate::history::{Certainty, EventDoubt, KeyTexts, PlannedMark, PlannedMoment};
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, Effect, KeySource, MarkPhase, MarkSpec, Patterns, Rule, ValueReference,
    WhereField, WhereFilter,
};
use crate::schema::Event;
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::path::NameCase;
use hookrules_shell::word::Directory;
use hookrules_shell::{ChainFlaw, plain_chain};

use super::condition::{AnswerCaches, ConditionJudge};
use super::file_answers::FileAnswers;
use super::{RuleJudgement, RuleOutcome, TraceDetail, Truth, judge_example};

/// Returns what a mark remembers of an event; `None` if the rule is not a mark, or the event is not one that it
/// marks.
pub(super) fn planned_mark(rule: &Rule, judged: &RuleJudgement, context: &Context<'_>) -> Option<PlannedMark> {
    if judged.outcome == RuleOutcome::NoMatch {
        return None;
    }
    // A mark has a single effect. The effects of other rules need not be decoded.
    let Some(Effect::Mark(spec)) = rule.effects.first() else { return None };
    let moment = match spec.phase {
        MarkPhase::Begins => PlannedMoment::Begins,
        MarkPhase::Happens => happened_moment(rule, spec, judged, context),
    };
    let actor = actor(context.payload()).map(str::to_owned);
    Some(PlannedMark { name: rule.display_name.clone(), id: spec.id, moment, actor })
}

/// Returns how an event happened: with which keys, how certainly, and whether it may end later.
fn happened_moment(rule: &Rule, spec: &MarkSpec, judged: &RuleJudgement, context: &Context<'_>) -> PlannedMoment {
    let answers = FileAnswers::default();
    let caches = AnswerCaches { commands: None, files: &answers };
    let form = if rule.looks_at_paths && judged.through_link { PathForm::Physical } else { PathForm::Lexical };
    let judge = || {
        let case = if context.machine().is_case_folding() { NameCase::Folded } else { NameCase::Exact };
        ConditionJudge::new(context, (form, case), rule, TraceDetail::Outcomes, caches)
    };
    let keys = match &spec.key {
        None => KeyTexts::default(),
        Some(KeySource::Match) => judge().matching_files(),
        // An unknown key may be any.
        Some(source) => {
            context.key_texts(source).unwrap_or_else(|_: Reason| KeyTexts { has_others: true, ..KeyTexts::default() })
        }
    };
    let doubt = doubt(rule, judged, context, judge);
    // Only PostToolUse reports a call that may still be running; an attempt or a failure is over.
    let ends_later = context.payload().event == Event::PostToolUse;
    PlannedMoment::Happens {
        certainty: doubt.map_or(Certainty::Certain, Certainty::Possible),
        keys,
        may_end_later: ends_later && may_end_later(context),
    }
}

/// Returns why an event of a mark may not have happened; `None` if it certainly did.
fn doubt<'j>(
    rule: &Rule,
    judged: &RuleJudgement,
    context: &Context<'j>,
    judge: impl FnOnce() -> ConditionJudge<'j>,
) -> Option<EventDoubt> {
    if judged.outcome != RuleOutcome::Match {
        return Some(EventDoubt::Condition);
    }
    let payload = context.payload();
    // Before the call runs, the mark is about the attempt, which is certain.
    if !payload.event.ends_call() {
        return None;
    }
    if payload.event == Event::PostToolUse && payload.origin.hides_failures {
        return Some(EventDoubt::Result);
    }
    let tests_commands = rule.when.as_ref().is_some_and(tests_commands_or_files);
    let shell = context.shell_text().filter(|_| tests_commands)?;
    // It is unknown which of several commands failed.
    if payload.event == Event::PostToolUseFailure && shell.analysis.iter().count() > 1 {
        return Some(EventDoubt::Chain);
    }
    if is_background_call(context) {
        return Some(EventDoubt::Background);
    }
    if let Err(flaw) = plain_chain(&shell.text) {
        return Some(match flaw {
            ChainFlaw::Pipe => EventDoubt::Pipe,
            ChainFlaw::Background => EventDoubt::Background,
            ChainFlaw::Shell => EventDoubt::Shell,
            ChainFlaw::Joined => EventDoubt::Chain,
        });
    }
    let when = rule.when.as_ref()?;
    StrictJudge { judge: judge(), context, shell, rule }.strictly(when).err()
}

/// Whether a condition tests what commands are, or what they do to files and over the network.
fn tests_commands_or_files(condition: &Condition) -> bool {
    let mut found = false;
    condition.visit_tests(&mut |test, _| {
        found |= matches!(
            test.kind,
            ConditionExpr::Command(_)
                | ConditionExpr::Touches { .. }
                | ConditionExpr::TouchesFilled { .. }
                | ConditionExpr::Connects(_)
        );
    });
    found
}

/// Whether the call itself runs in the background.
fn is_background_call(context: &Context<'_>) -> bool {
    let payload = context.payload();
    let requested = payload.tool_input().and_then(|input| input.get("run_in_background"));
    // Claude Code names the task to which a command in the foreground was moved.
    let moved_task = payload.json.get("tool_response").and_then(|response| response.get("backgroundTaskId"));
    requested.is_some_and(|value| value.as_bool() != Some(false)) || moved_task.is_some_and(|task| !task.is_null())
}

/// Whether a command of the call may still run when the host reports its end.
fn may_end_later(context: &Context<'_>) -> bool {
    let in_background = |(_, command): (CommandId, &SimpleCommand)| command.in_background;
    is_background_call(context) || context.shell_text().is_some_and(|shell| shell.analysis.iter().any(in_background))
}

/// Judges whether a condition holds exactly: its commands certainly ran, with just these words and in the expected
/// directory.
struct StrictJudge<'s, 'j> {
    judge: ConditionJudge<'s>,
    context: &'s Context<'j>,
    shell: &'s ShellText,
    rule: &'s Rule,
}

impl StrictJudge<'_, '_> {
    /// Judges strictly a condition that holds by the usual judgement.
    ///
    /// # Errors
    /// Returns why it may not hold exactly.
    fn strictly(&mut self, condition: &Condition) -> Result<(), EventDoubt> {
        match &condition.kind {
            ConditionExpr::And(parts) => parts.iter().try_for_each(|part| self.strictly(part)),
            ConditionExpr::Or(parts) => {
                let mut doubts = Vec::new();
                for part in parts {
                    match self.strictly(part) {
                        Ok(()) => return Ok(()),
                        Err(doubt) => doubts.push(doubt),
                    }
                }
                // A doubt that the agent can remove is more useful than one that it cannot.
                Err(doubts.into_iter().find(|doubt| *doubt != EventDoubt::Condition).unwrap_or(EventDoubt::Condition))
            }
            ConditionExpr::Def(inner) => self.strictly(inner),
            ConditionExpr::Command(CommandTest::Runs { patterns, filter }) => {
                self.runs_exactly(patterns, filter.as_ref(), condition)
            }
            _ => self.plainly(condition),
        }
    }

    /// Judges a condition as for any rule; unknown counts as a doubt.
    fn plainly(&mut self, condition: &Condition) -> Result<(), EventDoubt> {
        match self.judge.judge(condition, &mut Vec::new()) {
            Truth::True => Ok(()),
            _ => Err(EventDoubt::Condition),
        }
    }

    /// Judges whether a command matches one of some patterns exactly, in the directory of the policy or in the one
    /// that the filter names.
    fn runs_exactly(
        &mut self,
        patterns: &Patterns,
        filter: Option<&WhereFilter>,
        condition: &Condition,
    ) -> Result<(), EventDoubt> {
        self.plainly(condition)?;
        let names_directory = filter.is_some_and(|filter| names_cwd(filter));
        let mut doubt = EventDoubt::MoreWords;
        for (id, command) in self.shell.analysis.iter() {
            let runs_by_itself = command.outer_commands.is_empty() && command.doubt.is_none() && !command.is_shadowed;
            if !runs_by_itself || !self.judge.is_exactly(patterns, &self.shell.analysis, id) {
                continue;
            }
            if !names_directory && !self.is_in_policy_directory(&command.cwd) {
                doubt = EventDoubt::Directory;
                continue;
            }
            let holds = filter.is_none_or(|filter| {
                self.judge.judge_filter(self.shell, (id, patterns), filter, &mut Vec::new()) == Truth::True
            });
            if holds {
                return Ok(());
            }
            doubt = EventDoubt::Condition;
        }
        Err(doubt)
    }

    fn is_in_policy_directory(&self, directory: &Directory) -> bool {
        let policy = self.rule.base.scope().or_else(|| self.context.machine().project());
        matches!(directory, Directory::Known(path) if Some(path.as_path()) == policy)
    }
}

/// Whether a filter tests the working directory of the command.
fn names_cwd(filter: &Condition) -> bool {
    let mut found = false;
    filter.visit_tests(&mut |test, is_negated| {
        let (ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source)) = &test.kind else { return };
        found |= !is_negated && matches!(source, ValueReference::Where(WhereField::Cwd));
    });
    found
}

/// Returns what those of `marks` that apply to an event remember of it.
#[must_use]
pub fn marks_of_event(marks: &[Arc<Rule>], context: &Context<'_>) -> Vec<PlannedMark> {
    let views = Views::new(context);
    let of_mark = |rule: &Arc<Rule>| {
        let view = views.for_layer(rule.layer);
        planned_mark(rule, &judge_example(rule, view, TraceDetail::Outcomes)?, view)
    };
    marks.iter().filter_map(of_mark).collect()
}
