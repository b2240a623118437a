//! Tests of questions about the past.

use super::*;

mod choices;

const EDITED: MarkId = MarkId(1);
const TESTED: MarkId = MarkId(2);

/// An event in a history that a test states.
#[derive(Clone, Copy)]
struct Stated {
    mark: MarkId,
    certainty: Certainty,
    began: Option<Moment>,
    may_end_later: bool,
}

const EDIT: Stated = Stated { mark: EDITED, certainty: Certainty::Certain, began: Some(0), may_end_later: false };
const TEST: Stated = Stated { mark: TESTED, ..EDIT };
const MAYBE: Certainty = Certainty::Possible(EventDoubt::Pipe);

/// Returns a history in which these events are reported one after the other, each of which began as it is stated, or when it
/// was reported.
fn history(events: &[Stated]) -> History {
    let mut history = History::known_from_start([EDITED, TESTED]);
    for (stated, moment) in events.iter().zip(1..) {
        history.events.push(PastEvent {
            mark: stated.mark,
            certainty: stated.certainty,
            actor: Actor::Known(history.key("")),
            keys: Keys::default(),
            event: EventDigest(moment),
            input: None,
            began: stated.began.map(|began| if began == 0 { moment } else { began }),
            reported: moment,
            may_end_later: stated.may_end_later,
            pattern: None,
            time: moment * 1_000,
        });
    }
    history
}

fn question(mark: MarkId, since: Option<MarkId>) -> PastQuery<'static> {
    PastQuery { mark, keys: None, actor: None, since, within: None, judged: None }
}

/// Returns the least and the most number of edits since the last test.
fn since(events: &[Stated]) -> (usize, Option<usize>) {
    let history = history(events);
    let tally = history.tally(&question(EDITED, Some(TESTED)));
    assert_eq!(tally.doubt.is_none(), tally.most == Some(tally.least), "{tally:?}");
    (tally.least, tally.most)
}

#[test]
fn what_counts_although_it_may_not_have_happened_is_like_what_did() {
    let counted = Certainty::Counted(EventDoubt::Pipe);
    let test = Stated { certainty: counted, ..TEST };
    assert_eq!(since(&[EDIT, test]), (0, Some(0)));
    assert_eq!(since(&[EDIT, Stated { certainty: counted, ..EDIT }]), (2, Some(2)));
    assert_eq!(since(&[EDIT, Stated { certainty: MAYBE, ..TEST }]), (0, Some(1)));
    for certainty in [Certainty::Certain, counted, MAYBE, Certainty::Possible(EventDoubt::Background)] {
        assert_eq!(Certainty::of_letter(certainty.letter()), Some(certainty));
    }
    assert_eq!((Certainty::of_letter('z'), Certainty::of_letter('Z')), (None, None));
}

#[test]
fn an_edit_counts_until_a_test_that_began_after_it() {
    assert_eq!(since(&[]), (0, Some(0)));
    assert_eq!(since(&[EDIT]), (1, Some(1)));
    assert_eq!(since(&[EDIT, TEST]), (0, Some(0)));
    assert_eq!(since(&[EDIT, TEST, EDIT]), (1, Some(1)));
    assert_eq!(since(&[TEST, EDIT, EDIT, TEST, EDIT]), (1, Some(1)));
    // The test began before the edit ended: the edit is not tested.
    let overlapping = Stated { began: Some(1), ..TEST };
    assert_eq!(since(&[EDIT, EDIT, overlapping]), (1, Some(1)));
    // When it began is not known, so that it may have begun before any edit.
    let unknown = Stated { began: None, ..TEST };
    assert_eq!(since(&[EDIT, unknown]), (0, Some(1)));
    assert_eq!(since(&[EDIT, unknown, EDIT]), (1, Some(2)));
}

#[test]
fn what_may_have_happened_counts_for_every_choice() {
    let maybe_test = Stated { certainty: MAYBE, ..TEST };
    let maybe_edit = Stated { certainty: MAYBE, ..EDIT };
    assert_eq!(since(&[EDIT, maybe_test]), (0, Some(1)));
    assert_eq!(since(&[EDIT, TEST, maybe_edit]), (0, Some(1)));
    assert_eq!(since(&[EDIT, maybe_test, EDIT]), (1, Some(2)));
    assert_eq!(since(&[maybe_edit, TEST]), (0, Some(0)));
    assert_eq!(since(&[EDIT, maybe_test, TEST]), (0, Some(0)));
    let all = history(&[EDIT, maybe_edit, EDIT]);
    let tally = all.tally(&question(EDITED, None));
    assert_eq!((tally.least, tally.most), (2, Some(3)));
}

#[test]
fn a_command_in_the_background_may_end_later() {
    let later = Stated { may_end_later: true, ..EDIT };
    assert_eq!(since(&[later, TEST]), (0, Some(1)));
    assert_eq!(since(&[later]), (1, Some(1)));
}

#[test]
fn what_was_not_seen_is_unknown() {
    let mut unseen = history(&[EDIT, TEST, EDIT]);
    unseen.known_from.remove(&EDITED);
    let tally = unseen.tally(&question(EDITED, None));
    assert_eq!((tally.least, tally.most, tally.doubt), (2, None, Some(TallyDoubt::Unseen)));
    let mut torn = history(&[EDIT, TEST]);
    torn.unseen_until.push(1);
    // The test began after what could not be read.
    assert_eq!(torn.tally(&question(EDITED, Some(TESTED))).most, Some(0));
    torn.unseen_until.push(3);
    assert_eq!(torn.tally(&question(EDITED, Some(TESTED))).most, None);
    let nothing = History::default();
    assert_eq!(nothing.tally(&question(EDITED, None)).most, None);
}

#[test]
fn an_event_is_not_in_its_own_past() {
    let all = history(&[EDIT, EDIT]);
    let tally = all.tally(&PastQuery { judged: Some(EventDigest(2)), ..question(EDITED, None) });
    assert_eq!((tally.least, tally.most), (1, Some(1)));
}

#[test]
fn keys_that_are_not_known_may_be_any() {
    let mut all = history(&[EDIT, EDIT, EDIT]);
    let (a, b) = (all.key("a"), all.key("b"));
    let keys = [Keys { certain: BTreeSet::from([a]), has_others: false }, Keys::default()];
    let open = Keys { certain: BTreeSet::new(), has_others: true };
    for (event, keys) in all.events.iter_mut().zip(keys.into_iter().chain([open.clone()])) {
        event.keys = keys;
    }
    let count = |keys: &Keys| {
        let tally = all.tally(&PastQuery { keys: Some(keys), ..question(EDITED, None) });
        (tally.least, tally.most)
    };
    assert_eq!(count(&Keys { certain: BTreeSet::from([a]), has_others: false }), (1, Some(2)));
    assert_eq!(count(&Keys { certain: BTreeSet::from([b]), has_others: false }), (0, Some(1)));
    assert_eq!(count(&Keys::default()), (0, Some(0)));
    assert_eq!(count(&open), (0, Some(2)));
}

#[test]
fn the_agent_is_the_same_another_or_unknown() {
    let mut all = history(&[EDIT, EDIT, EDIT]);
    let (main, coder) = (Actor::Known(all.key("")), Actor::Known(all.key("agent-1")));
    all.events[1].actor = coder.clone();
    all.events[2].actor = Actor::Unknown;
    let count = |now: &Actor, is_same| {
        let tally = all.tally(&PastQuery { actor: Some(ActorQuery { now, is_same }), ..question(EDITED, None) });
        (tally.least, tally.most)
    };
    assert_eq!((count(&main, true), count(&main, false)), ((1, Some(2)), (1, Some(2))));
    assert_eq!((count(&coder, true), count(&coder, false)), ((1, Some(2)), (1, Some(2))));
    assert_eq!(count(&Actor::Unknown, true), (0, Some(3)));
}

#[test]
fn a_time_is_counted_back_from_the_judged_event() {
    let all = History { now: Some(63_000), ..history(&[EDIT, EDIT, EDIT]) };
    let count = |history: &History, within| {
        let tally = history.tally(&PastQuery { within: Some(within), ..question(EDITED, None) });
        (tally.least, tally.most)
    };
    assert_eq!(count(&all, 60_000), (1, Some(1)));
    assert_eq!(count(&all, 61_000), (2, Some(2)));
    assert_eq!(count(&all, 59_999), (0, Some(0)));
    // The clock was set back, or is not known.
    assert_eq!(count(&History { now: Some(1_500), ..all.clone() }, 60_000), (1, Some(3)));
    assert_eq!(count(&History { now: None, ..all.clone() }, 60_000), (0, Some(3)));
}

#[test]
fn of_dropped_events_only_the_number_is_known() {
    let mut all = history(&[EDIT, TEST, EDIT]);
    all.dropped.insert(EDITED, (100, 0, 0));
    assert_eq!(all.tally(&question(EDITED, None)).least, 102);
    assert_eq!(all.tally(&question(EDITED, None)).most, Some(102));
    assert_eq!(all.tally(&question(EDITED, Some(TESTED))).most, Some(1));
    all.dropped.insert(EDITED, (100, 1, 0));
    assert_eq!(all.tally(&question(EDITED, None)).most, Some(103));
    let keys = Keys { certain: BTreeSet::from([all.key("a")]), has_others: false };
    assert_eq!(all.tally(&PastQuery { keys: Some(&keys), ..question(EDITED, None) }).most, None);
}
