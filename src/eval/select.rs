//! Selects the rules that may match an event, with their roles.

use super::{JudgedCall, JudgingCost, RuleJudgement, RuleOutcome, RuleRole, TraceDetail, judge};
use crate::context::Context;
use crate::ruleset::{HeadMatch, Rule, RuleSet, Rules};
use crate::schema::Event;

/// A rule with its index in evaluation order, and its role.
type CandidateRule<'r> = (usize, &'r Rule, RuleRole);

/// Returns the rules that may match an event, in evaluation order.
///
/// A permission request is about a call that PreToolUse was about, so the PreToolUse rules that can stop the call are
/// included for their votes (law 2). A skill's command causes no PreToolUse, so PreToolUse rules are included with
/// all effects but their commands. A rule for both events has the full role if its head selects this event.
pub(super) fn candidates<'r, R: Rules>(
    rules: &'r R,
    call: &JudgedCall<'_>,
    cost: &mut JudgingCost,
) -> Result<Vec<CandidateRule<'r>>, R::Error> {
    let event = call.event();
    let mut ids: Vec<u32> = Vec::new();
    let mut add_candidates = |event: Event, role: RuleRole| {
        for view in call.views(role).distinct() {
            let found = rules.candidates(event, view)?;
            cost.lookups.push((event, found.stats));
            if ids.is_empty() {
                ids = found.ids;
                continue;
            }
            ids.extend(found.ids);
            ids.sort_unstable();
            ids.dedup();
        }
        Ok(())
    };
    add_candidates(event, RuleRole::Full)?;
    if let Some(role) = RuleRole::for_pre_tool_use(event) {
        add_candidates(Event::PreToolUse, role)?;
    }
    let mut candidates = Vec::with_capacity(ids.len());
    for id in ids {
        let rule = rules.rule(id)?;
        candidates.extend(rule.and_then(|rule| candidate_in_role(id, rule, call)));
    }
    Ok(candidates)
}

/// Returns a rule with the role that it has for the call; `None` if it has none.
fn candidate_in_role<'r>(id: u32, rule: &'r Rule, call: &JudgedCall<'_>) -> Option<CandidateRule<'r>> {
    let is_later_event = call.pre_tool_use_views.is_some();
    let role = if !is_later_event || select(rule, call.event_views.lowest_layer()) != HeadMatch::No {
        RuleRole::Full
    } else {
        RuleRole::for_pre_tool_use(call.event()).filter(|role| has_counting_part(rule, *role))?
    };
    Some((usize::try_from(id).ok()?, rule, role))
}

/// Whether a rule for PreToolUse has an effect that counts in this role.
pub(super) fn has_counting_part(rule: &Rule, role: RuleRole) -> bool {
    match role {
        RuleRole::Full | RuleRole::PreToolUseWithoutCommands => true,
        RuleRole::VotesOfPreToolUse => rule.can_vote_against() || rule.has_command_votes(),
    }
}

/// Whether the head of a rule selects the event by any of the names of its subject. A plugin's tool also has a name
/// without the plugin. That name does not count for a rule that can allow, and does not select a call whose own name
/// the head excludes.
pub(super) fn select(rule: &Rule, context: &Context<'_>) -> HeadMatch {
    let payload = context.payload();
    let selects_by = |name: &str| rule.head.select(payload, || Some(name));
    let selected = rule.head.select(payload, || context.head_subject());
    let mut other_names = payload.other_names.iter().filter(|_| selected == HeadMatch::No);
    let selected_by_other =
        other_names.find_map(|name| Some(selects_by(name)).filter(|selected| *selected != HeadMatch::No));
    let selected = selected_by_other.unwrap_or(selected);
    let is_excluded = |name| rule.head.is_excluded(payload.event, name);
    if selected != HeadMatch::No || rule.can_allow || context.head_subject().is_some_and(is_excluded) {
        return selected;
    }
    let mut selected_without_plugin = HeadMatch::No;
    context.visit_names_without_plugin(&mut |name| {
        if selected_without_plugin == HeadMatch::No {
            selected_without_plugin = selects_by(name);
        }
    });
    selected_without_plugin
}

/// Adds the judgements of the rules that the event selects but the index skipped. None of them matches.
pub(super) fn add_skipped_rules(
    rules: &RuleSet,
    call: &JudgedCall<'_>,
    mut judged: Vec<RuleJudgement>,
    detail: TraceDetail,
    takes_part: &dyn Fn(&Rule) -> bool,
) -> Vec<RuleJudgement> {
    // The judgements are only for people, so they use a context with its own budget.
    let payload = call.event_views.lowest_layer().payload();
    let (current, first_payload) = (call.event_views.lowest_layer().for_messages(), payload.as_first_asked());
    let pre_tool_use = first_payload.as_ref().map(|payload| current.for_pre_tool_use(payload));
    let unbudgeted = JudgedCall::new(&current, pre_tool_use.as_ref());
    let judged_count = judged.len();
    for (id, rule) in rules_on_event(rules, call.event()) {
        let Some((index, rule, role)) = candidate_in_role(id, rule, call).filter(|_| takes_part(rule)) else {
            continue;
        };
        let judged_by_index = judged.get(..judged_count).unwrap_or_default();
        if judged_by_index.binary_search_by_key(&index, |judged| judged.index).is_ok() {
            continue;
        }
        judged.extend(match detail {
            TraceDetail::Outcomes if select(rule, call.view_of_rule(rule, role)) == HeadMatch::No => None,
            TraceDetail::Outcomes => Some(RuleJudgement {
                index,
                display_name: rule.display_name.clone(),
                role,
                outcome: RuleOutcome::NoMatch,
                matched: None,
                parts: Vec::new(),
                through_link: false,
                place: None,
                tree: None,
                steps: 0,
            }),
            TraceDetail::Conditions => {
                judge(rule, index, role, unbudgeted.view_of_rule(rule, role), detail, &unbudgeted.answers).map(
                    |judged| {
                        debug_assert!(
                            is_possible_if_skipped(&judged.outcome),
                            "{}, which the index left out: {:?}",
                            rule.display_name,
                            judged.outcome
                        );
                        RuleJudgement { outcome: RuleOutcome::NoMatch, matched: None, ..judged }
                    },
                )
            }
        });
    }
    judged.sort_by_key(|judged| judged.index);
    judged
}

/// Returns the rules whose heads name the event, and those for PreToolUse if they also apply to the event, with their
/// indices, in evaluation order.
fn rules_on_event(rules: &RuleSet, event: Event) -> Vec<(u32, &Rule)> {
    let mut found: Vec<(u32, &Rule)> = rules.rules_on_event(event).collect();
    if RuleRole::for_pre_tool_use(event).is_some() {
        found.extend(rules.rules_on_event(Event::PreToolUse));
        found.sort_by_key(|(id, _)| *id);
        found.dedup_by_key(|(id, _)| *id);
    }
    found
}

/// Whether a rule that the index skipped may have this outcome: it does not match, or is unknown because the separate
/// budget for explanations is exhausted.
fn is_possible_if_skipped(outcome: &RuleOutcome) -> bool {
    match outcome {
        RuleOutcome::NoMatch => true,
        RuleOutcome::Match => false,
        RuleOutcome::Unknown(reason) => reason.is_of_budget(),
    }
}
