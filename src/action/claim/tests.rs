//! The registration that acts on an event which several registrations see.

use super::*;

fn seen(event: u64, registration: u64, decides: Deciding) -> Seen<'static> {
    let deadline = Some(Instant::now() + Duration::from_secs(5));
    Seen { session: "s", event, registration, deadline, decides }
}

/// Checks which of the registrations `A` and `B` act.
#[track_caller]
fn check(state: &Path, arrivals: &str, expected: &str) {
    let acts = |who: char| {
        let part = claim(Some(state), &seen(7, u64::from(u32::from(who)), Deciding::Yes));
        match part {
            Part::Acts(claim) => {
                claim.expect("a claim").done();
                '!'
            }
            Part::Decides => '-',
        }
    };
    assert_eq!(arrivals.chars().map(acts).collect::<String>(), expected, "{arrivals}");
}

#[test]
fn one_of_two_registrations_acts_on_each_event() {
    for (arrivals, expected) in [
        ("AB", "!-"),
        ("BA", "!-"),
        ("AAA", "!!!"),
        ("ABAB", "!-!-"),
        ("ABBA", "!-!-"),
        ("AABB", "!!--"),
        ("ABC", "!--"),
        // Only one saw the first event.
        ("AABAB", "!!-!-"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        check(dir.path(), arrivals, expected);
        assert_eq!(Directory::open(&dir.path().join(CLAIMS)).unwrap().names().unwrap().len(), 3);
    }
}

#[test]
fn other_events_and_sessions_are_claimed_apart() {
    let dir = tempfile::tempdir().unwrap();
    let acts = |seen: &Seen<'_>| matches!(claim(Some(dir.path()), seen), Part::Acts(_));
    assert!(acts(&seen(1, 1, Deciding::No)));
    assert!(acts(&seen(2, 2, Deciding::No)));
    assert!(acts(&Seen { session: "t", ..seen(1, 2, Deciding::No) }));
    assert!(!acts(&seen(1, 2, Deciding::No)));
}

#[test]
fn who_died_over_it_is_followed_by_another() {
    let dir = tempfile::tempdir().unwrap();
    let Part::Acts(Some(died)) = claim(Some(dir.path()), &seen(1, 1, Deciding::Yes)) else { panic!("no claim") };
    drop(died);
    let Part::Acts(Some(second)) = claim(Some(dir.path()), &seen(1, 2, Deciding::Yes)) else { panic!("no claim") };
    second.done();
    assert!(matches!(claim(Some(dir.path()), &seen(1, 3, Deciding::Yes)), Part::Decides));
}

#[test]
fn who_acts_on_what_decides_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let Part::Acts(Some(first)) = claim(Some(dir.path()), &seen(1, 1, Deciding::Yes)) else { panic!("no claim") };
    std::thread::scope(|scope| {
        let second = scope.spawn(|| matches!(claim(Some(dir.path()), &seen(1, 2, Deciding::Yes)), Part::Decides));
        // A registration whose commands cannot decide is not waited for.
        assert!(matches!(claim(Some(dir.path()), &seen(1, 3, Deciding::No)), Part::Decides));
        first.done();
        assert!(second.join().unwrap());
    });
}

#[test]
fn what_was_claimed_long_before_does_not_count() {
    let mut entry = Entry::new(1);
    assert!(entry.arrive(1, 1_000));
    assert!(!entry.clone().arrive(2, 5_000));
    assert!(entry.clone().arrive(2, 12_000));
    // The clock was set back.
    assert!(Entry { at: 50_000, ..entry }.arrive(2, 1_000));
}

#[test]
fn where_nothing_can_be_kept_everyone_acts() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for state in [None, Some(file.path())] {
        for registration in 0..2 {
            assert!(matches!(claim(state, &seen(1, registration, Deciding::Yes)), Part::Acts(None)));
        }
    }
}

#[test]
fn the_files_are_bounded() {
    let dir = tempfile::tempdir().unwrap();
    for event in 0..500 {
        let _part = claim(Some(dir.path()), &seen(event, 1, Deciding::No));
    }
    let mut text = String::new();
    let directory = Directory::open(&dir.path().join(CLAIMS)).unwrap();
    directory.file("s", Access::Read).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text.lines().count(), EVENTS);
    for session in 0..200 {
        let session = format!("s{session}");
        let _part = claim(Some(dir.path()), &Seen { session: &session, ..seen(1, 1, Deciding::No) });
    }
    assert!(directory.names().unwrap().len() <= super::super::sweep::MOST + 3);
}

#[test]
fn a_file_that_is_no_list_of_events_is_begun_anew() {
    for line in ["", "x", "1 2", "1 2 3 4", "0000000000000001 1 1 x=y"] {
        assert!(Entry::read(line).is_none(), "{line}");
    }
    let entry = Entry { event: 1, acted: 2, at: 3, seen: vec![(4, 5), (6, 7)] };
    assert_eq!(Entry::read(entry.line().trim_end()), Some(entry));
}
