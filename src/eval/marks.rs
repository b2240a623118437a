//! What a mark remembers of an event, and how certainly the event happened.

use std::cell::LazyCell;
use std::sync::Arc;

use crate::context::{CallStart, Context, PathForm, Reason, ShellText, Views, actor};
use crate::history::{Certainty, EventDoubt, KeyTexts, PlannedMark, PlannedMoment};
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, Effect, KeySource, MarkPhase, MarkSpec, Patterns, Rule, ValueReference,
    WhereField, WhereFilter,
};
use crate::schema::{Event, OUTPUT};
use crate::syntax::ast::FileVerb;
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::nested::goes_on_in_background;
use hookrules_shell::path::NameCase;
use hookrules_shell::word::Directory;
use hookrules_shell::{ChainFlaw, plain_chain, waits_at_end};

use super::commands::first_fitting;
use super::condition::{AnswerCaches, ConditionJudge};
use super::file_answers::FileAnswers;
use super::{RuleJudgement, RuleOutcome, TraceDetail, Truth, judge_example};

/// Returns what a mark remembers of an event; `None` if the rule is not a mark, or the event is not one that it
/// marks.
pub(super) fn planned_mark(rule: &Rule, judged: &RuleJudgement, context: &Context<'_>) -> Option<PlannedMark> {
    // Most rules do not match, and their effects need not be decoded.
    let missed = match judged.outcome {
        RuleOutcome::NoMatch => Some(missed_moment(rule, context)?),
        _ => None,
    };
    // A mark has a single effect. The effects of other rules need not be decoded.
    let Some(Effect::Mark(spec)) = rule.effects.first() else { return None };
    let moment = match (missed, spec.phase) {
        (Some(missed), _) => missed,
        (None, MarkPhase::Begins) => PlannedMoment::Begins(context.cwd().to_string_lossy().into_owned()),
        (None, MarkPhase::Happens) => happened_moment(rule, spec, judged, context),
    };
    let actor = actor(context.payload()).map(str::to_owned);
    Some(PlannedMark { name: rule.display_name.clone(), id: spec.id, moment, actor })
}

/// Returns that an event may have happened although the mark does not match: it tests files, and it is not known in
/// which directory the call began. `None` if it did not happen.
fn missed_moment(rule: &Rule, context: &Context<'_>) -> Option<PlannedMoment> {
    let is_about_files = || rule.is_judged_where_begun() && rule.when.as_ref().is_some_and(Condition::tests_files);
    if !context.payload().event.ends_call() || !is_about_files() || !matches!(context.call_start(), CallStart::Unknown)
    {
        return None;
    }
    let changes = |verb| {
        let touched = context.touched_files(verb, PathForm::Lexical);
        !touched.files.is_empty() || !touched.mentioned.is_empty() || touched.unknown.is_some()
    };
    [FileVerb::Reads, FileVerb::Writes, FileVerb::Deletes, FileVerb::Sends].into_iter().any(changes).then(|| {
        PlannedMoment::Happens {
            certainty: Certainty::Possible(EventDoubt::Directory),
            keys: KeyTexts { has_others: true, ..KeyTexts::default() },
            may_end_later: may_end_later(context),
            pattern: None,
        }
    })
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
        certainty: doubt.map_or(Certainty::Certain, |doubt| match spec.counts_possible && doubt.is_covered() {
            true => lasting_doubt(rule, context).map_or(Certainty::Counted(doubt), Certainty::Possible),
            false => Certainty::Possible(doubt),
        }),
        keys,
        may_end_later: ends_later && may_end_later(context),
        // Only the advice on an uncertain event names its command.
        pattern: doubt.and_then(|_| matched_pattern(rule, context)),
    }
}

/// Returns the number of the pattern in the only test of commands of a rule that a command of the call may match.
fn matched_pattern(rule: &Rule, context: &Context<'_>) -> Option<usize> {
    let ((patterns, _), shell) = rule.when.as_ref()?.only_command_test().zip(context.shell_text())?;
    shell.analysis.iter().find_map(|(_, command)| first_fitting(patterns, command))
}

/// Returns a doubt that `unknown counts` does not cover, in addition to those that it covers; `None` if there is none.
fn lasting_doubt(rule: &Rule, context: &Context<'_>) -> Option<EventDoubt> {
    if is_interrupted(context) {
        return Some(EventDoubt::Interrupted);
    }
    if may_end_later(context) {
        return Some(EventDoubt::Background);
    }
    // The condition was judged in a directory that may not be the right one.
    let is_elsewhere = rule.is_judged_where_begun() && matches!(context.call_start(), CallStart::Unknown);
    is_elsewhere.then_some(EventDoubt::Directory)
}

/// Whether the host reports that a call was interrupted.
fn is_interrupted(context: &Context<'_>) -> bool {
    context.payload().event == Event::PostToolUse && has_response_flag(context, &["interrupted"])
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
    if is_interrupted(context) {
        return Some(EventDoubt::Interrupted);
    }
    let when = rule.when.as_ref().filter(|when| when.tests_commands_or_files() || tests_command_text(when));
    if payload.event == Event::PostToolUseFailure && when.is_some_and(Condition::tests_files) {
        return Some(EventDoubt::Failed);
    }
    let (when, shell) = when.zip(context.shell_text())?;
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
    if matches!(context.call_start(), CallStart::Unknown) || context.began_elsewhere() {
        return Some(EventDoubt::Directory);
    }
    StrictJudge { judge: judge(), context, shell, rule }.strictly(when).err()
}

/// Whether a condition includes a test that the text of the command is a certain one.
fn tests_command_text(condition: &Condition) -> bool {
    let mut found = false;
    condition.visit_tests(&mut |test, is_negated| found |= !is_negated && test.is_test_of_command_text());
    found
}

/// Whether the call itself runs in the background.
fn is_background_call(context: &Context<'_>) -> bool {
    let payload = context.payload();
    let requested = payload.tool_input().and_then(|input| input.get("run_in_background"));
    // Claude Code names the task to which a command in the foreground was moved, and who moved it.
    requested.is_some_and(|value| value.as_bool() != Some(false))
        || has_response_flag(context, &["backgroundTaskId", "backgroundedByUser", "assistantAutoBackgrounded"])
}

/// Whether the response to a call has one of some members, with a value that is neither null nor false.
fn has_response_flag(context: &Context<'_>, names: &[&str]) -> bool {
    let response = context.payload().json.get(OUTPUT);
    let is_set = |name: &&str| {
        let value = response.and_then(|response| response.get(*name));
        value.is_some_and(|value| !value.is_null() && value.as_bool() != Some(false))
    };
    names.iter().any(is_set)
}

/// Whether a command of the call may still run when the host reports its end.
fn may_end_later(context: &Context<'_>) -> bool {
    is_background_call(context)
        || context.shell_text().is_some_and(|shell| {
            // The shell does not wait for the commands of a process substitution.
            let has_substitution = [">(", "<("].iter().any(|opening| shell.text.contains(opening));
            // The shell waits for its own commands only, and not for those of another shell that it starts.
            let waits = LazyCell::new(|| waits_at_end(&shell.text));
            let is_waited_for = |command: &SimpleCommand| command.outer_commands.is_empty() && *waits;
            has_substitution
                || shell.analysis.iter().any(|(_, command)| {
                    command.in_background && !is_waited_for(command) || goes_on_in_background(&command.words)
                })
        })
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
            // A text may be a further condition on commands or files, which say what ran.
            ConditionExpr::And(parts) if parts.iter().any(Condition::tests_commands_or_files) => {
                parts.iter().try_for_each(|part| match part.is_test_of_command_text() {
                    true => self.plainly(part),
                    false => self.strictly(part),
                })
            }
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
            _ if condition.is_test_of_command_text() => Err(EventDoubt::Text),
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
    observed_marks_of_event(marks, context, TraceDetail::Outcomes, &mut |_, _| {})
}

/// Like [`marks_of_event`]. `see` gets the result of each mark that the event selects, with a trace of this detail.
#[must_use]
pub fn observed_marks_of_event(
    marks: &[Arc<Rule>],
    context: &Context<'_>,
    detail: TraceDetail,
    see: &mut dyn FnMut(&Rule, &RuleJudgement),
) -> Vec<PlannedMark> {
    let begun_context = context.where_begun();
    let (views, begun_views) = (Views::new(context), begun_context.as_ref().map(Views::new));
    let of_mark = |rule: &Arc<Rule>| {
        let begun_views = begun_views.as_ref().filter(|_| rule.is_judged_where_begun());
        let view = begun_views.unwrap_or(&views).for_layer(rule.layer);
        let judged = judge_example(rule, view, detail)?;
        see(rule, &judged);
        planned_mark(rule, &judged, view)
    };
    marks.iter().filter_map(of_mark).collect()
}
