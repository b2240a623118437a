//! Which registration acts on an event that several registrations see.

use super::*;

fn seen(event: u64, registration: u64, decides: DecisionRight) -> RegisteredEvent<'static> {
    let deadline = Some(Instant::now() + Duration::from_secs(5));
    RegisteredEvent { session: "s", event, registration, deadline, decides }
}

/// Checks which of the registrations `A` and `B` act.
#[track_caller]
fn check(state: &Path, arrivals: &str, expected: &str) {
    let acts = |who: char| {
        let part = claim_event(Some(state), &seen(7, u64::from(u32::from(who)), DecisionRight::Yes));
        match part {
            ProcessRole::Actor(claim) => {
                claim.expect("a claim").release();
                '!'
            }
            ProcessRole::Decider => '-',
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
        // Only one registration saw the first event.
        ("AABAB", "!!-!-"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        check(dir.path(), arrivals, expected);
        assert_eq!(OpenDirectory::open(&dir.path().join(CLAIMS)).unwrap().names().unwrap().len(), 1);
    }
}

#[test]
fn other_events_and_sessions_are_claimed_apart() {
    let dir = tempfile::tempdir().unwrap();
    let acts = |seen: &RegisteredEvent<'_>| matches!(claim_event(Some(dir.path()), seen), ProcessRole::Actor(_));
    assert!(acts(&seen(1, 1, DecisionRight::No)));
    assert!(acts(&seen(2, 2, DecisionRight::No)));
    assert!(acts(&RegisteredEvent { session: "t", ..seen(1, 2, DecisionRight::No) }));
    assert!(!acts(&seen(1, 2, DecisionRight::No)));
}

#[test]
fn who_died_over_it_is_followed_by_another() {
    let dir = tempfile::tempdir().unwrap();
    let ProcessRole::Actor(Some(died)) = claim_event(Some(dir.path()), &seen(1, 1, DecisionRight::Yes)) else {
        panic!("no claim")
    };
    drop(died);
    let ProcessRole::Actor(Some(second)) = claim_event(Some(dir.path()), &seen(1, 2, DecisionRight::Yes)) else {
        panic!("no claim")
    };
    second.release();
    assert!(matches!(claim_event(Some(dir.path()), &seen(1, 3, DecisionRight::Yes)), ProcessRole::Decider));
}

#[test]
fn who_acts_on_what_decides_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let ProcessRole::Actor(Some(first)) = claim_event(Some(dir.path()), &seen(1, 1, DecisionRight::Yes)) else {
        panic!("no claim")
    };
    std::thread::scope(|scope| {
        let second = scope
            .spawn(|| matches!(claim_event(Some(dir.path()), &seen(1, 2, DecisionRight::Yes)), ProcessRole::Decider));
        // A registration whose commands cannot decide is not waited for.
        assert!(matches!(claim_event(Some(dir.path()), &seen(1, 3, DecisionRight::No)), ProcessRole::Decider));
        first.release();
        assert!(second.join().unwrap());
    });
}

#[test]
fn what_was_claimed_long_before_does_not_count() {
    let mut entry = EventEntry::new(1);
    assert!(entry.record_arrival(1, 1_000));
    assert!(!entry.clone().record_arrival(2, 5_000));
    assert!(entry.clone().record_arrival(2, 12_000));
    // The clock was set back.
    assert!(EventEntry { at: 50_000, ..entry }.record_arrival(2, 1_000));
}

#[test]
fn where_nothing_can_be_kept_everyone_acts() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for state in [None, Some(file.path())] {
        for registration in 0..2 {
            assert!(matches!(claim_event(state, &seen(1, registration, DecisionRight::Yes)), ProcessRole::Actor(None)));
        }
    }
}

#[test]
fn the_files_are_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let directory = OpenDirectory::open_or_create_state(dir.path()).unwrap().open_or_create(CLAIMS).unwrap();
    for event in 0..1000 {
        let _part = claim_event(Some(dir.path()), &seen(event, 1, DecisionRight::No));
        assert!(text_of(&directory).len() <= MAX_FILE_BYTES);
    }
    for session in 0..200 {
        let session = format!("s{session}");
        let _part =
            claim_event(Some(dir.path()), &RegisteredEvent { session: &session, ..seen(1, 1, DecisionRight::No) });
    }
    assert!(directory.names().unwrap().len() <= super::super::sweep::MAX_FILES + 1);
}

/// The text of the file of the session `s`.
fn text_of(directory: &OpenDirectory) -> String {
    read_whole(&mut directory.file("s", AccessMode::Read).unwrap()).unwrap()
}

// A process can be killed at any time.
#[test]
fn no_moment_loses_the_counts_of_earlier_events() {
    let dir = tempfile::tempdir().unwrap();
    let acts =
        |event| matches!(claim_event(Some(dir.path()), &seen(event, 1, DecisionRight::No)), ProcessRole::Actor(None));
    assert!(acts(0));
    let directory = OpenDirectory::open(&dir.path().join(CLAIMS)).unwrap();
    let mut replaced = 0;
    for event in 1..1000 {
        let before = text_of(&directory);
        let mut file = directory.file("s", AccessMode::Read).unwrap();
        assert!(acts(event));
        // The file that was open only grows, and is as it was if another one has its name now.
        let after = read_whole(&mut file).unwrap();
        assert!(after.starts_with(&before), "{event}");
        if after == before {
            replaced += 1;
        }
        assert!(EventEntry::find_last(&text_of(&directory), event - 1).is_some(), "{event}");
        assert!(EventEntry::find_last(&text_of(&directory), event).is_some(), "{event}");
    }
    assert!(replaced > 1);
    assert_eq!(directory.names().unwrap().len(), 1);
}

#[test]
fn an_unfinished_line_does_not_count() {
    let dir = tempfile::tempdir().unwrap();
    let directory = OpenDirectory::open_or_create_state(dir.path()).unwrap().open_or_create(CLAIMS).unwrap();
    let acts = |event, registration| {
        let part = claim_event(Some(dir.path()), &seen(event, registration, DecisionRight::No));
        matches!(part, ProcessRole::Actor(None))
    };
    assert!(acts(1, 1));
    let line = EventEntry { event: 2, acted: 1, at: unix_milliseconds(), seen: vec![(3, 14)] }.line();
    let mut file = directory.file("s", AccessMode::Append).unwrap();
    file.write_all(line.trim_end().as_bytes()).unwrap();
    assert!(!acts(1, 2));
    assert!(acts(2, 4));
    assert_eq!(text_of(&directory).lines().count(), 4);
    assert_eq!(text_of(&directory).lines().filter_map(EventEntry::read).count(), 3);
    file.write_all(b"\xff").unwrap();
    assert!(acts(3, 1));
    assert!(!acts(3, 2));
}

#[test]
fn a_file_that_is_no_list_of_events_is_begun_anew() {
    for line in ["", "x", "1 2", "1 2 3 4", "0000000000000001 1 1 x=y"] {
        assert!(EventEntry::read(line).is_none(), "{line}");
    }
    let entry = EventEntry { event: 1, acted: 2, at: 3, seen: vec![(4, 5), (6, 7)] };
    assert_eq!(EventEntry::read(entry.line().trim_end()), Some(entry));
}
