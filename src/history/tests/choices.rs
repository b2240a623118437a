//! Law 4 for the past: whatever is not known of a session's events, an answer holds for every choice of it.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;

const AGENTS: [&str; 2] = ["", "other"];
const KEYS: [&str; 3] = ["a", "b", "c"];
/// The moment of the judged event, in milliseconds.
const NOW: u64 = 9_000;

/// What really happened where a history does not know it.
#[derive(Clone, Debug)]
struct Choice {
    happened: bool,
    began: Index,
    ends_later: bool,
    other_key: Option<&'static str>,
    agent: &'static str,
}

fn choice() -> impl Strategy<Value = Choice> {
    let other_key = prop::option::of(select(&KEYS[..]));
    (any::<bool>(), any::<Index>(), any::<bool>(), other_key, select(&AGENTS[..])).prop_map(
        |(happened, began, ends_later, other_key, agent)| Choice { happened, began, ends_later, other_key, agent },
    )
}

/// An event of a history whose moment is given by its place, and several choices of what is unknown about it.
fn event() -> impl Strategy<Value = (PastEvent, Vec<Choice>)> {
    let mark = select(&[EDITED, TESTED][..]);
    let certainty = select(&[Certainty::Certain, Certainty::Counted(EventDoubt::Pipe), MAYBE][..]);
    let actor = prop::option::of(select(&AGENTS[..]));
    let keys = (prop::collection::btree_set(select(&KEYS[..]), 0..2), any::<bool>());
    let began = select(&[None, Some(0), Some(1), Some(2)][..]);
    let event = (mark, certainty, actor, keys, began, prop::bool::weighted(0.2));
    (event, prop::collection::vec(choice(), 64)).prop_map(
        |((mark, certainty, actor, (certain, has_others), began, may_end_later), choices)| {
            let salted = History::default();
            let event = PastEvent {
                mark,
                certainty,
                actor: actor.map_or(Actor::Unknown, |agent| Actor::Known(salted.key(agent))),
                keys: Keys { certain: certain.iter().map(|key| salted.key(key)).collect(), has_others },
                event: EventDigest(0),
                input: None,
                began,
                reported: 0,
                may_end_later,
                pattern: None,
                time: 0,
            };
            (event, choices)
        },
    )
}

/// An event of a mark as it really was.
struct RealEvent {
    mark: MarkId,
    began: Moment,
    ended: Moment,
    keys: BTreeSet<KeyDigest>,
    actor: KeyDigest,
    time: u64,
}

/// Returns the events that really happened, by one choice of what the history does not know.
fn real(history: &History, choices: &[Choice]) -> Vec<RealEvent> {
    let all = history.events.iter().zip(choices);
    let happened = all.filter(|(event, choice)| event.certainty.counts() || choice.happened);
    let real = happened.map(|(event, choice)| {
        let later = event.may_end_later && choice.ends_later;
        let mut keys = event.keys.certain.clone();
        keys.extend(choice.other_key.filter(|_| event.keys.has_others).map(|key| history.key(key)));
        RealEvent {
            mark: event.mark,
            began: event.began.unwrap_or_else(|| {
                Moment::try_from(choice.began.index(usize::try_from(event.reported).unwrap() + 1)).unwrap()
            }),
            ended: if later { Moment::MAX } else { event.reported },
            keys,
            actor: match event.actor {
                Actor::Known(actor) => actor,
                Actor::Unknown => history.key(choice.agent),
            },
            time: if later { NOW } else { event.time },
        }
    });
    real.collect()
}

/// Counts the events of a question among those that really happened.
fn count(events: &[RealEvent], query: &PastQuery<'_>) -> usize {
    let last = query.since.and_then(|mark| events.iter().filter(|event| event.mark == mark).map(|it| it.began).max());
    let counts = |event: &&RealEvent| {
        event.mark == query.mark
            && last.is_none_or(|last| event.ended > last)
            && query.keys.is_none_or(|keys| !keys.certain.is_disjoint(&event.keys))
            && query.actor.is_none_or(|asked| (*asked.now == Actor::Known(event.actor)) == asked.is_same)
            && query.within.is_none_or(|within| NOW - event.time <= within)
    };
    events.iter().filter(counts).count()
}

proptest! {
    #[test]
    fn an_answer_holds_for_every_choice_of_what_is_not_known(
        events in prop::collection::vec(event(), 0..7),
        key in prop::option::of(select(&KEYS[..])),
        asked in prop::option::of((select(&AGENTS[..]), any::<bool>())),
        since in prop::option::of(Just(TESTED)),
        within in prop::option::of(select(&[0, 3_000, 6_000][..])),
    ) {
        let mut history = History { now: Some(NOW), ..History::known_from_start([EDITED, TESTED]) };
        for ((event, _), moment) in events.iter().zip(1..) {
            let began = event.began.map(|began| began.min(moment));
            let event = PastEvent { began, event: EventDigest(moment), reported: moment, time: moment * 1_000, ..event.clone() };
            history.events.push(event);
        }
        let keys = key.map(|key| Keys { certain: [history.key(key)].into(), has_others: false });
        let now = Actor::Known(history.key(asked.map_or("", |(agent, _)| agent)));
        let actor = asked.map(|(_, is_same)| ActorQuery { now: &now, is_same });
        let query = PastQuery { mark: EDITED, keys: keys.as_ref(), actor, since, within, judged: None };
        let tally = history.tally(&query);
        prop_assert_eq!(tally.most == Some(tally.least), tally.doubt.is_none(), "{:?}", tally);
        for number in 0..64 {
            let choices: Vec<Choice> = events.iter().map(|(_, choices)| choices[number].clone()).collect();
            let counted = count(&real(&history, &choices), &query);
            prop_assert!(tally.least <= counted && tally.most.is_none_or(|most| counted <= most), "{counted}: {tally:?} {history:?}");
        }
    }
}
