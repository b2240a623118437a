//! Law 10 for rules that ask about the past: random marks, rules, pasts and calls.

use std::collections::BTreeSet;

use hookrules::facts::{SessionPast, StatedFacts, known_past};
use hookrules::history::{Actor, CallDigest, Certainty, EventDigest, EventDoubt, History, Keys, PastEvent};
use hookrules::policy::Policy;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::json;

use super::generate::{calls, input};
use super::hold::{alike, policy_with};
use crate::kit::*;

/// Marks with every kind of key.
const MARKS: &str = r#"mark edited {
  on PostToolUse(Edit|Write|Bash)
  when writes like "*.rs"
  key match
}

mark looked {
  on PreToolUse(Read|Grep|Bash)
  key path
}

mark called {
  on PreToolUse
  key call
}

mark pushed {
  on PreToolUse(Bash)
  when runs "git push"
}
"#;

const KEYS: &[&str] = &["/project/a.rs", "/project/src", "/project/README", "git push", "/project/x"];

/// A condition about the past.
fn question() -> impl Strategy<Value = String> {
    let mark = || select(&["edited", "looked", "called", "pushed"][..]);
    let of = select(&["", "", " of path", " of match", " of call", " of command"][..]);
    let by = select(&["", "", " by same agent", " by another agent"][..]);
    let since = prop::option::weighted(0.4, mark());
    let within = select(&["", "", " within 10s", " within 1h"][..]);
    let form = select(&["happened {}", "not happened {}", "count {} >= 2", "count {} < 1", "count {} == 1"][..]);
    (form, mark(), of, by, since, within).prop_map(|(form, mark, of, by, since, within)| {
        let since = since.map(|mark| format!(" since {mark}")).unwrap_or_default();
        form.replace("{}", &format!("{mark}{of}{by}{since}{within}"))
    })
}

fn rule() -> impl Strategy<Value = String> {
    let head =
        select(&["PreToolUse", "PreToolUse(Bash)", "PreToolUse(Write|Edit)", "PreToolUse, PermissionRequest"][..]);
    let other = select(&["", "runs \"git\" and ", "path like \"*.rs\" and ", "writes like \"src/**\" and "][..]);
    let effect = select(
        &["deny \"{count pushed}\"", "ask \"M\"", "allow", "unknown deny\n  warn \"M\"", "warn \"{match}\""][..],
    );
    (head, other, question(), effect).prop_map(|(head, other, question, effect)| {
        format!("rule NAME {{\n  on {head}\n  when {other}{question}\n  {effect}\n}}\n")
    })
}

/// What a history says of an event: its mark among the policy's, its certainty, actor and keys, and how long ago it
/// was.
type StatedEvent = (Index, Certainty, Option<&'static str>, BTreeSet<&'static str>, bool, u64);

fn stated_event() -> impl Strategy<Value = StatedEvent> {
    let certainty =
        select(&[Certainty::Certain, Certainty::Possible(EventDoubt::Pipe), Certainty::Counted(EventDoubt::Pipe)][..]);
    let actor = prop::option::of(select(&["", "a1"][..]));
    let keys = prop::collection::btree_set(select(KEYS), 0..2);
    (any::<Index>(), certainty, actor, keys, prop::bool::weighted(0.2), 0..20_000_u64)
}

/// Returns a past in which a policy's marks remember some events.
fn past(policy: &Policy, events: &[StatedEvent], is_whole: bool) -> SessionPast {
    let marks: Vec<_> = policy.rules.marks().into_iter().collect();
    let now = 100_000;
    let known = marks.iter().copied().filter(|_| is_whole);
    let mut history = History { now: Some(now), ..History::known_from_start(known) };
    for ((mark, certainty, actor, keys, has_others, ago), moment) in events.iter().zip(1..) {
        let certain = keys.iter().map(|key| history.key(key)).collect();
        history.events.push(PastEvent {
            mark: *mark.get(&marks),
            certainty: *certainty,
            actor: actor.map_or(Actor::Unknown, |actor| Actor::Known(history.key(actor))),
            keys: Keys { certain, has_others: *has_others },
            event: EventDigest(moment),
            input: None,
            began: (*ago % 3 > 0).then_some(moment),
            reported: moment,
            may_end_later: *ago % 7 == 0,
            pattern: None,
            time: now - ago,
        });
    }
    if let Some(mark) = marks.first().filter(|_| is_whole) {
        history.begin(*mark, CallDigest(1), None, 1);
    }
    known_past(history)
}

proptest! {
    #[test]
    fn law_10_the_index_cannot_be_observed_by_rules_that_ask_about_the_past(
        rules in prop::collection::vec(rule(), 1..8),
        events in prop::collection::vec(stated_event(), 0..12),
        is_whole in any::<bool>(),
        calls in calls(input()),
    ) {
        let policy = policy_with(MARKS, &rules);
        let past = past(&policy, &events, is_whole);
        for given in calls {
            alike(&policy, &Given { facts: Box::new(StatedFacts::for_examples().with_past(past.clone())), ..given })?;
        }
    }
}

#[test]
fn the_rules_that_ask_about_the_past_load_and_know_it() {
    let rule = "rule NAME {\n  on PreToolUse(Edit)\n  when happened edited of path\n  deny \"M\"\n}\n".to_owned();
    let policy = policy_with(MARKS, &[rule]);
    assert_eq!(policy.rules.marks().len(), 4);
    let mark = policy.rules.marks().into_iter().collect::<Vec<_>>();
    let facts = |mark| {
        let mut history = History::known_from_start(policy.rules.marks());
        history.events.push(PastEvent {
            mark,
            certainty: Certainty::Certain,
            actor: Actor::Unknown,
            keys: Keys { certain: [history.key("/project/a.rs")].into(), has_others: false },
            event: EventDigest(1),
            input: None,
            began: Some(1),
            reported: 1,
            may_end_later: false,
            pattern: None,
            time: 1,
        });
        StatedFacts::for_examples().with_past(known_past(history))
    };
    let edit = || call("Edit", json!({ "file_path": "/project/a.rs", "old_string": "a", "new_string": "b" }));
    let denied = mark.iter().filter(|mark| {
        judge(&policy, &edit().with(facts(**mark))).verdict.decision() == hookrules::verdict::Decision::Deny
    });
    assert_eq!(denied.count(), 1);
}
