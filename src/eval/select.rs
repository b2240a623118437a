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
/// everything but their commands. A rule for both events has the full role if its head selects this event.
pub(super) fn candidates<'r, R: Rules>(
    rules: &'r R,
    call: &JudgedCall<'_>,
    cost: &mut JudgingCost,
) -> Result<Vec<CandidateRule<'r>>, R::Error> {
    let event = call.event();
    let mut ids: Vec<u32> = Vec::new();
    let mut ask = |event: Event, role: RuleRole| {
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
    ask(event, RuleRole::Full)?;
    if let Some(role) = RuleRole::for_pre_tool_use(event) {
        ask(Event::PreToolUse, role)?;
    }
    let mut all = Vec::with_capacity(ids.len());
    for id in ids {
        let rule = rules.rule(id)?;
        all.extend(rule.and_then(|rule| candidate_in_role(id, rule, call)));
    }
    Ok(all)
}

/// Returns a rule with the role that it has for the call; `None` if it has none.
fn candidate_in_role<'r>(id: u32, rule: &'r Rule, call: &JudgedCall<'_>) -> Option<CandidateRule<'r>> {
    let is_first_asked = call.pre_tool_use_views.is_some();
    let role = if !is_first_asked || select(rule, call.event_views.lowest_layer()) != HeadMatch::No {
        RuleRole::Full
    } else {
        RuleRole::for_pre_tool_use(call.event()).filter(|role| has_counting_part(rule, *role))?
    };
    Some((usize::try_from(id).ok()?, rule, role))
}

/// Whether a rule for PreToolUse has an effect that counts in a role.
pub(super) fn has_counting_part(rule: &Rule, role: RuleRole) -> bool {
    match role {
        RuleRole::Full | RuleRole::PreToolUseWithoutCommands => true,
        RuleRole::VotesOfPreToolUse => rule.can_vote_against() || rule.has_command_votes(),
    }
}

/// Whether the head of a rule selects the event, for any of the names of its subject. The name that a plugin's tool has
/// without the plugin neither counts for a rule that can allow, nor against an exclusion of its own name.
pub(super) fn select(rule: &Rule, context: &Context<'_>) -> HeadMatch {
    let payload = context.payload();
    let by_name = |name: &str| rule.head.select(payload, || Some(name));
    let selected = rule.head.select(payload, || context.head_subject());
    let mut others = payload.other_names.iter().filter(|_| selected == HeadMatch::No);
    let by_other = others.find_map(|name| Some(by_name(name)).filter(|selected| *selected != HeadMatch::No));
    let selected = by_other.unwrap_or(selected);
    let is_excluded = |name| rule.head.is_excluded(payload.event, name);
    if selected != HeadMatch::No || rule.can_allow || context.head_subject().is_some_and(is_excluded) {
        return selected;
    }
    let mut by_server = HeadMatch::No;
    context.visit_names_without_plugin(&mut |name| {
        if by_server == HeadMatch::No {
            by_server = by_name(name);
        }
    });
    by_server
}

/// Adds the judgements of the rules that the event selects but the index skipped. None of them matches.
pub(super) fn add_skipped_rules(
    rules: &RuleSet,
    call: &JudgedCall<'_>,
    mut judged: Vec<RuleJudgement>,
    detail: TraceDetail,
    is_asked: &dyn Fn(&Rule) -> bool,
) -> Vec<RuleJudgement> {
    // The judgements are for people only, so they use a context with a budget of its own.
    let payload = call.event_views.lowest_layer().payload();
    let (now, asked_first) = (call.event_views.lowest_layer().for_messages(), payload.as_first_asked());
    let first = asked_first.as_ref().map(|payload| now.for_pre_tool_use(payload));
    let apart = JudgedCall::new(&now, first.as_ref());
    let known = judged.len();
    for (id, rule) in relevant(rules, call.event()) {
        let Some((index, rule, role)) = candidate_in_role(id, rule, call).filter(|_| is_asked(rule)) else { continue };
        let before = judged.get(..known).unwrap_or_default();
        if before.binary_search_by_key(&index, |judged| judged.index).is_ok() {
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
            TraceDetail::Conditions => judge(rule, index, role, apart.view_of_rule(rule, role), detail, &apart.answers)
                .map(|judged| {
                    debug_assert!(
                        is_possible_if_skipped(&judged.outcome),
                        "{}, which the index left out: {:?}",
                        rule.display_name,
                        judged.outcome
                    );
                    RuleJudgement { outcome: RuleOutcome::NoMatch, matched: None, ..judged }
                }),
        });
    }
    judged.sort_by_key(|judged| judged.index);
    judged
}

/// Returns the rules whose heads name the event (or PreToolUse, if its rules count too), with their positions, in
/// evaluation order.
fn relevant(rules: &RuleSet, event: Event) -> Vec<(u32, &Rule)> {
    let mut all: Vec<(u32, &Rule)> = rules.rules_on_event(event).collect();
    if RuleRole::for_pre_tool_use(event).is_some() {
        all.extend(rules.rules_on_event(Event::PreToolUse));
        all.sort_by_key(|(id, _)| *id);
        all.dedup_by_key(|(id, _)| *id);
    }
    all
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
