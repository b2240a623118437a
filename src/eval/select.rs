//! The rules that an event may concern, and their roles.

use super::{Call, Cost, Detail, Judged, Outcome, Role, judge};
use crate::context::Context;
use crate::ruleset::{Rule, RuleSet, Rules, Selected};
use crate::schema::Event;

/// A rule with its index in evaluation order, and its role.
type Candidate<'r> = (usize, &'r Rule, Role);

/// Returns the rules that an event may concern, in evaluation order.
///
/// A permission request asks about the same call again: the PreToolUse rules that can stop it count too, for their
/// votes only (law 2). A skill's command raises no PreToolUse, so those rules count except for their commands. A rule
/// registered for both events has the role that its head selects here, in full if possible.
pub(super) fn candidates<'r, R: Rules>(
    rules: &'r R,
    call: &Call<'_>,
    cost: &mut Cost,
) -> Result<Vec<Candidate<'r>>, R::Error> {
    let event = call.event();
    let mut ids: Vec<u32> = Vec::new();
    let mut ask = |event: Event, role: Role| {
        for view in call.views(role).each() {
            let found = rules.candidates(event, view)?;
            cost.looked.push((event, found.looked));
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
    ask(event, Role::Full)?;
    if let Some(role) = Role::of_pre_tool_use(event) {
        ask(Event::PreToolUse, role)?;
    }
    let mut all = Vec::with_capacity(ids.len());
    for id in ids {
        let rule = rules.rule(id)?;
        all.extend(rule.and_then(|rule| in_role(id, rule, call)));
    }
    Ok(all)
}

/// Returns a rule in its role; `None` if it has no role.
fn in_role<'r>(id: u32, rule: &'r Rule, call: &Call<'_>) -> Option<Candidate<'r>> {
    let is_first_asked = call.first.is_some();
    let role = if !is_first_asked || select(rule, call.now.whole()) != Selected::No {
        Role::Full
    } else {
        Role::of_pre_tool_use(call.event()).filter(|role| counts(rule, *role))?
    };
    Some((usize::try_from(id).ok()?, rule, role))
}

/// Whether any part of a PreToolUse rule counts in a role.
pub(super) fn counts(rule: &Rule, role: Role) -> bool {
    match role {
        Role::Full | Role::PreToolUseWithoutCommands => true,
        Role::VotesOfPreToolUse => rule.votes_against() || rule.runs_against(),
    }
}

/// Whether the head of a rule selects the event, under any name of its subject.
pub(super) fn select(rule: &Rule, context: &Context<'_>) -> Selected {
    let payload = context.payload();
    let selected = rule.head.select(payload, || context.head_subject());
    let mut others = payload.other_names.iter().filter(|_| selected == Selected::No);
    let by_other = others
        .find_map(|name| Some(rule.head.select(payload, || Some(name))).filter(|selected| *selected != Selected::No));
    by_other.unwrap_or(selected)
}

/// Adds the relevant rules that the index skipped: they do not match.
pub(super) fn filled(
    rules: &RuleSet,
    call: &Call<'_>,
    mut judged: Vec<Judged>,
    detail: Detail,
    is_asked: &dyn Fn(&Rule) -> bool,
) -> Vec<Judged> {
    // Explanations for people cost the event's budget nothing.
    let payload = call.now.whole().payload();
    let (now, asked_first) = (call.now.whole().for_people(), payload.first_asked());
    let first = asked_first.as_ref().map(|payload| now.asked_again(payload));
    let apart = Call::new(&now, first.as_ref());
    let known = judged.len();
    for (id, rule) in relevant(rules, call.event()) {
        let Some((index, rule, role)) = in_role(id, rule, call).filter(|_| is_asked(rule)) else { continue };
        let before = judged.get(..known).unwrap_or_default();
        if before.binary_search_by_key(&index, |judged| judged.index).is_ok() {
            continue;
        }
        judged.extend(match detail {
            Detail::Outcomes if select(rule, call.seen_by(rule, role)) == Selected::No => None,
            Detail::Outcomes => Some(Judged {
                index,
                shown: rule.shown.clone(),
                role,
                outcome: Outcome::NoMatch,
                matched: None,
                parts: Vec::new(),
                through_link: false,
                steps: 0,
            }),
            Detail::Conditions => {
                judge(rule, index, role, apart.seen_by(rule, role), detail, &apart.answers).map(|judged| {
                    debug_assert!(
                        is_far(&judged.outcome),
                        "{}, which the index left out: {:?}",
                        rule.shown,
                        judged.outcome
                    );
                    Judged { outcome: Outcome::NoMatch, matched: None, ..judged }
                })
            }
        });
    }
    judged.sort_by_key(|judged| judged.index);
    judged
}

/// Returns the rules that an event concerns, with their positions, in evaluation order.
fn relevant(rules: &RuleSet, event: Event) -> Vec<(u32, &Rule)> {
    let mut all: Vec<(u32, &Rule)> = rules.on(event).collect();
    if Role::of_pre_tool_use(event).is_some() {
        all.extend(rules.on(Event::PreToolUse));
        all.sort_by_key(|(id, _)| *id);
        all.dedup_by_key(|(id, _)| *id);
    }
    all
}

/// Whether a rule that an index skipped may have this outcome: it does not match, or is unknown because explanations
/// for people have used up the budget of their own context.
fn is_far(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::NoMatch => true,
        Outcome::Match => false,
        Outcome::Unknown(reason) => reason.is_of_budget(),
    }
}
