//! Tests of the lines of journals, and of what a fold keeps.

use super::*;
use crate::history::{ActorQuery, EventDoubt, KeyTexts, PastQuery, TallyDoubt, key_digest};

const EDITED: MarkId = MarkId(0xe);
const TESTED: MarkId = MarkId(0x7);

fn planned(id: MarkId, keys: &[&str]) -> PlannedMark {
    let moment = PlannedMoment::Happens {
        certainty: Certainty::Certain,
        keys: KeyTexts { certain: keys.iter().map(|key| (*key).to_owned()).collect(), has_others: false },
        may_end_later: false,
        pattern: None,
    };
    PlannedMark { name: "m".to_owned(), id, moment, actor: Some(String::new()) }
}

fn begun(id: MarkId) -> PlannedMark {
    PlannedMark { moment: PlannedMoment::Begins("/project/a b".to_owned()), ..planned(id, &[]) }
}

fn written(event: Event, call: &str, time: u64) -> WrittenEvent<'_> {
    WrittenEvent { event, digest: Some(EventDigest(time)), call: Some(call), input: None, time }
}

/// Returns a journal with a start, and then the marks that `add` adds.
fn journal(add: impl FnOnce(&mut NewLines)) -> String {
    let mut lines = NewLines::head("5a17");
    lines.start(&BTreeSet::from([EDITED, TESTED]), 1_000);
    add(&mut lines);
    lines.text().to_owned()
}

fn add(lines: &mut NewLines, mark: &PlannedMark, of: WrittenEvent<'_>) {
    lines.mark(mark, of, |key| key_digest(b"5a17", key));
}

fn count(text: &str, mark: MarkId, since: Option<MarkId>) -> (usize, Option<usize>) {
    answer(text, &PastQuery { mark, keys: None, actor: None, since, within: None, judged: None })
}

/// Returns the numbers that answer a question, which do not depend on which lines are parsed.
fn answer(text: &str, query: &PastQuery<'_>) -> (usize, Option<usize>) {
    answer_at(text, query, None)
}

fn answer_at(text: &str, query: &PastQuery<'_>, now: Option<u64>) -> (usize, Option<usize>) {
    let whole = History { now, ..parse(text) };
    let journal = Journal::new(text.as_bytes().to_vec());
    let mut part = History { now, ..journal.stated().clone() };
    journal.add_events(query, &mut part);
    assert_eq!(part.known_from, whole.known_from, "{text}");
    let shown = |history: &History| {
        let tally = history.tally(query);
        let doubt = tally.doubt.map(|doubt| match doubt {
            TallyDoubt::Unseen => ("unseen", 0),
            TallyDoubt::Possible(event, _) => ("possible", event.reported),
            TallyDoubt::Later(event) => ("later", event.reported),
            TallyDoubt::Order(event) => ("order", event.reported),
            TallyDoubt::Key(event) => ("key", event.reported),
            TallyDoubt::Actor(event) => ("actor", event.reported),
            TallyDoubt::Time(event) => ("time", event.reported),
        });
        ((tally.least, tally.most), tally.last.map(|event| event.reported), doubt)
    };
    assert_eq!(shown(&part), shown(&whole), "{query:?} {now:?}\n{text}");
    shown(&whole).0
}

#[test]
fn what_is_written_is_read_again() {
    let text = journal(|lines| {
        add(lines, &begun(TESTED), written(Event::PreToolUse, "a", 1));
        add(lines, &planned(EDITED, &["/project/x"]), written(Event::PostToolUse, "b", 2));
        add(lines, &planned(TESTED, &[]), written(Event::PostToolUse, "a", 3));
    });
    let history = parse(&text);
    assert_eq!(history.known_from, BTreeMap::from([(EDITED, 0), (TESTED, 0)]));
    let [edited, tested] = history.events.as_slice() else { panic!("{history:?}") };
    assert_eq!((edited.began, edited.time, edited.event), (None, 2, EventDigest(2)));
    assert_eq!(edited.keys.certain, BTreeSet::from([history.key("/project/x")]));
    assert_eq!(edited.actor, Actor::Known(history.key("")));
    assert_eq!((tested.began, tested.reported), (Some(2), 4));
    // The edit ended while the tests ran.
    assert_eq!(count(&text, EDITED, Some(TESTED)), (1, Some(1)));
    assert!(!text.contains("/project/x"));
}

#[test]
fn a_line_that_is_not_whole_may_have_been_anything() {
    let text = journal(|lines| {
        add(lines, &planned(EDITED, &[]), written(Event::PreToolUse, "a", 1));
        add(lines, &planned(EDITED, &[]), written(Event::PreToolUse, "b", 2));
    });
    assert_eq!(count(&text, EDITED, None), (2, Some(2)));
    let last = text.trim_end().rfind('\n').unwrap();
    for cut in last + 2..text.len() - 1 {
        let torn = text.get(..cut).unwrap();
        assert_eq!(count(torn, EDITED, None), (1, None), "{torn:?}");
        let completion = completion(u64::try_from(torn.len()).unwrap());
        let continued = format!("{torn}{completion}{}", text.lines().last().unwrap());
        assert_eq!(count(&format!("{continued}\n"), EDITED, None), (2, None), "{continued:?}");
    }
    for changed in [
        text.replace("000000000000000e", "000000000000000f"),
        text.replace("start", "stort"),
        text.replace("5a17", "5a18"),
    ] {
        assert_eq!(count(&changed, EDITED, None).1, None, "{changed}");
    }
    assert_eq!(count("", EDITED, None), (0, None));
    assert_eq!(count("\u{fffd}\u{0}\n#\n", EDITED, None), (0, None));
}

#[test]
fn a_mark_is_known_from_the_first_policy_that_has_it() {
    let mut lines = NewLines::head("5a17");
    lines.start(&BTreeSet::from([EDITED]), 1_000);
    lines.policy(&BTreeSet::from([EDITED, TESTED]));
    let known = parse(lines.text()).known_from;
    assert_eq!(known, BTreeMap::from([(EDITED, 0), (TESTED, 2)]));
    // Between two policies that have it, there was one without it.
    lines.policy(&BTreeSet::from([TESTED]));
    lines.policy(&BTreeSet::from([EDITED, TESTED]));
    let known = parse(lines.text()).known_from;
    assert_eq!(known, BTreeMap::from([(EDITED, 4), (TESTED, 2)]));
    assert_eq!(last_policy(lines.text()), Some(BTreeSet::from([EDITED, TESTED])));
    // A policy that nothing needed to write down again is in force from its first line on.
    let mut lines = NewLines::head("5a17");
    lines.start(&BTreeSet::from([EDITED, TESTED]), 1_000);
    add(&mut lines, &planned(TESTED, &[]), written(Event::PostToolUse, "a", 1));
    lines.policy(&BTreeSet::new());
    assert_eq!(count(lines.text(), EDITED, Some(TESTED)), (0, None));
    assert_eq!(parse(lines.text()).known_from, BTreeMap::new());
    add(&mut lines, &planned(TESTED, &[]), written(Event::PostToolUse, "b", 2));
    assert_eq!(parse(lines.text()).known_from, BTreeMap::from([(TESTED, 4)]));
    assert_eq!((count(lines.text(), TESTED, None), count(lines.text(), EDITED, None)), ((2, None), (0, None)));
    // Without a start, nothing is known of what came before.
    let mut lines = NewLines::head("5a17");
    lines.asked(&BTreeSet::from([TESTED]));
    lines.policy(&BTreeSet::from([EDITED, TESTED]));
    assert_eq!(parse(lines.text()).known_from, BTreeMap::from([(EDITED, 2), (TESTED, 1)]));
}

#[test]
fn a_fold_answers_what_the_whole_journal_answers_or_says_that_it_is_unknown() {
    let text = journal(|lines| {
        for number in 0..300_u64 {
            let call = format!("c{number}");
            let of = |event| WrittenEvent {
                event,
                digest: Some(EventDigest(number)),
                call: Some(&call),
                input: None,
                time: number,
            };
            add(lines, &begun(TESTED), of(Event::PreToolUse));
            let mark = if number % 3 == 0 { planned(TESTED, &[]) } else { planned(EDITED, &["k"]) };
            add(lines, &mark, of(Event::PostToolUse));
        }
        let open = written(Event::PreToolUse, "open", 1_000);
        add(lines, &begun(TESTED), open);
    });
    let short = folded(&text).unwrap();
    assert!(short.len() < text.len() / 2, "{} of {}", short.len(), text.len());
    for (mark, since) in [(EDITED, None), (TESTED, None), (EDITED, Some(TESTED)), (TESTED, Some(EDITED))] {
        let (folded, whole) = (count(&short, mark, since), count(&text, mark, since));
        assert!(
            folded == whole || (folded.0 <= whole.0 && folded.1.is_none()),
            "{mark:?} {since:?} {folded:?} {whole:?}"
        );
    }
    assert_eq!(count(&short, EDITED, Some(TESTED)), count(&text, EDITED, Some(TESTED)));
    assert_eq!(count(&short, EDITED, None), (200, Some(200)));
    let history = parse(&short);
    assert_eq!(history.events.len(), 2 * KEPT_EVENTS);
    assert!(history.beginnings.contains_key(&(TESTED, CallDigest::of("open"))));
    let keys = Keys { certain: BTreeSet::from([history.key("k")]), has_others: false };
    let query = PastQuery { mark: EDITED, keys: Some(&keys), actor: None, since: None, within: None, judged: None };
    assert_eq!((history.tally(&query).least, history.tally(&query).most), (KEPT_EVENTS, None));
    // A fold of a fold keeps the numbers.
    let more = format!("{short}{}", {
        let mut lines = NewLines::default();
        (0..100).for_each(|time| add(&mut lines, &planned(EDITED, &[]), written(Event::PreToolUse, "x", time)));
        lines.text().to_owned()
    });
    assert_eq!(count(&folded(&more).unwrap(), EDITED, None), (300, Some(300)));
}

fn nested(lines: &mut NewLines, directory: &str, marks: &[MarkId], age: PolicyAge) {
    let policy = NestedMarks { directory: directory.to_owned(), marks: marks.iter().copied().collect(), age };
    lines.nested(&policy, |key| key_digest(b"5a17", key));
}

#[test]
fn marks_of_other_directories_are_known_since_their_policies_look_for_them() {
    let (old, new, late) = (MarkId(1), MarkId(2), MarkId(3));
    let text = journal(|lines| {
        nested(lines, "/api", &[old], PolicyAge::WholeSession);
        nested(lines, "/web", &[new], PolicyAge::Unclear);
        nested(lines, "/api", &[], PolicyAge::Unclear);
        nested(lines, "/api", &[old], PolicyAge::WholeSession);
        lines.missed();
        nested(lines, "/lib", &[late], PolicyAge::WholeSession);
    });
    let known_from = |lines: usize| {
        let part: String = text.split_inclusive('\n').take(lines + 2).collect();
        let known = parse(&part).known_from;
        [old, new, late].map(|mark| known.get(&mark).copied())
    };
    assert_eq!(known_from(1), [Some(0), None, None]);
    assert_eq!(known_from(2), [Some(0), Some(3), None]);
    // Between two policies with a mark, one without it missed events.
    assert_eq!(known_from(4), [Some(5), Some(3), None]);
    assert_eq!(known_from(6), [Some(6), Some(6), Some(7)]);
    // Without the beginning of the session, nothing is known of what was before.
    let mut lines = NewLines::head("5a17");
    nested(&mut lines, "/api", &[old], PolicyAge::WholeSession);
    assert_eq!(parse(lines.text()).known_from, BTreeMap::from([(old, 1)]));
}

/// Numbers that look random, and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Adds an entry of any kind.
fn add_any(lines: &mut NewLines, numbers: &mut Numbers, time: u64) {
    let id = [EDITED, TESTED][usize::try_from(numbers.below(2)).unwrap()];
    let call = format!("c{}", numbers.below(12));
    let events = [Event::PreToolUse, Event::PostToolUse, Event::PostToolUseFailure];
    let event = events[usize::try_from(numbers.below(3)).unwrap()];
    let digest = Some(EventDigest(if numbers.below(6) == 0 { numbers.below(time.max(1)) } else { time }));
    let of = WrittenEvent {
        event,
        digest,
        call: Some(&call).filter(|_| numbers.below(5) > 0).map(String::as_str),
        input: None,
        time: time * 1_000,
    };
    match numbers.below(60) {
        0 => lines.policy(&BTreeSet::from([id])),
        1 => lines.policy(&BTreeSet::from([EDITED, TESTED])),
        2 => lines.dropped(id, 3, 1),
        3 => lines.asked(&BTreeSet::from([id])),
        4..25 => add(lines, &begun(id), of),
        _ => {
            let keys = (0..numbers.below(3)).map(|_| format!("k{}", numbers.below(3))).collect();
            let certainty = match numbers.below(5) {
                0 => Certainty::Possible(EventDoubt::Pipe),
                1 => Certainty::Counted(EventDoubt::Chain),
                _ => Certainty::Certain,
            };
            let moment = PlannedMoment::Happens {
                certainty,
                keys: KeyTexts { certain: keys, has_others: numbers.below(8) == 0 },
                may_end_later: numbers.below(15) == 0,
                pattern: usize::try_from(numbers.below(3)).ok().filter(|number| *number < 2),
            };
            let actor = Some(format!("a{}", numbers.below(2))).filter(|_| numbers.below(6) > 0);
            add(lines, &PlannedMark { name: "m".to_owned(), id, moment, actor }, of);
        }
    }
}

#[test]
fn the_lines_that_are_not_parsed_change_no_answer() {
    let mut numbers = Numbers(7);
    for round in 0..150 {
        let mut lines = NewLines::head("5a17");
        if round % 3 > 0 {
            lines.start(&BTreeSet::from([EDITED, TESTED]), 0);
        }
        let count = numbers.below(60);
        (1..=count).for_each(|time| add_any(&mut lines, &mut numbers, time));
        let text = lines.text().to_owned();
        for _ in 0..40 {
            let key = |number: u64| key_digest(b"5a17", &format!("k{number}"));
            let keys = Keys { certain: BTreeSet::from([key(numbers.below(3))]), has_others: numbers.below(6) == 0 };
            let now_actor = Actor::Known(key_digest(b"5a17", &format!("a{}", numbers.below(2))));
            let actor = ActorQuery { now: &now_actor, is_same: numbers.below(2) == 0 };
            let query = PastQuery {
                mark: [EDITED, TESTED][usize::try_from(numbers.below(2)).unwrap()],
                keys: Some(&keys).filter(|_| numbers.below(3) == 0),
                actor: Some(actor).filter(|_| numbers.below(4) == 0),
                since: [None, None, Some(EDITED), Some(TESTED)][usize::try_from(numbers.below(4)).unwrap()],
                within: Some(numbers.below(40_000)).filter(|_| numbers.below(3) == 0),
                judged: Some(EventDigest(numbers.below(count + 1))).filter(|_| numbers.below(3) == 0),
            };
            answer_at(&text, &query, Some(count * 1_000 + 500).filter(|_| numbers.below(8) > 0));
        }
    }
}

#[test]
fn a_call_has_the_directory_in_which_it_began() {
    for directory in ["/project", "/a b/%20/ä#c", "/"] {
        let begun = PlannedMark { moment: PlannedMoment::Begins(directory.to_owned()), ..planned(EDITED, &[]) };
        let text = journal(|lines| {
            add(lines, &begun, written(Event::PreToolUse, "call-1", 2_000));
            // A path that needs several blocks.
            let long = format!("{directory}/{}", "long".repeat(60));
            let begun = PlannedMark { moment: PlannedMoment::Begins(long), ..planned(EDITED, &[]) };
            add(lines, &begun, written(Event::PreToolUse, "call-2", 3_000));
        });
        let indexed = Journal::new(text.as_bytes().to_vec());
        let (first, second) = (CallDigest::of("call-1"), CallDigest::of("call-2"));
        assert_eq!(indexed.directory(first).as_deref(), Some(directory));
        assert!(indexed.directory(second).is_some_and(|long| long.ends_with("long")));
        assert_eq!(indexed.directory(CallDigest::of("call-3")), None);
        assert_eq!(parse(&text).directories.get(&first).map(String::as_str), Some(directory));
    }
}

#[test]
fn the_end_of_a_call_without_an_id_has_no_beginning() {
    let unnamed = WrittenEvent { call: None, ..written(Event::PostToolUse, "", 5_000) };
    let text = journal(|lines| {
        add(lines, &planned(EDITED, &[]), written(Event::PostToolUse, "a", 2_000));
        add(lines, &planned(TESTED, &[]), unnamed);
    });
    assert_eq!(parse(&text).events[1].began, None);
    assert_eq!(count(&text, EDITED, Some(TESTED)), (0, Some(1)));
}

#[test]
fn a_salt_names_its_session() {
    let salt = new_salt("s-1", 7);
    assert!(is_of_session(&salt, "s-1") && !is_of_session(&salt, "s-2"));
}
