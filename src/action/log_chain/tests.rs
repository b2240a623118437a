//! Concurrent writers, writers that are stopped, and rotated files.
#![expect(clippy::disallowed_methods, reason = "the tests look at files")]

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value as Json;
use tempfile::TempDir;

use super::*;
use crate::decision_log::{DecisionLog, WAITING};

fn place() -> (TempDir, OpenDirectory) {
    let place = tempfile::tempdir().unwrap();
    let directory = OpenDirectory::open(place.path()).unwrap();
    (place, directory)
}

fn add(directory: &OpenDirectory, at: u64) {
    append(directory, format!("{{\"at\":{at}}}").as_bytes()).unwrap();
}

/// Returns the member `at` of every line in the order of the chain, which must be complete.
#[track_caller]
fn whole(place: &Path) -> Vec<u64> {
    let log = DecisionLog::read(place).unwrap();
    let verified = log.verify_chain();
    assert_eq!(verified.finding, None, "{verified:?}");
    let lines = log.records().filter_map(|record| serde_json::from_str::<Json>(&record.text).ok());
    lines.filter_map(|line| line["at"].as_u64()).collect()
}

#[test]
fn lines_are_chained_across_files_that_are_put_aside() {
    let (place, directory) = place();
    for at in 0..40 {
        append_within(&directory, format!("{{\"at\":{at}}}").as_bytes(), PATIENCE, 400).unwrap();
    }
    let kept = whole(place.path());
    assert!(
        kept.len() > 8 && kept.last() == Some(&39) && kept.windows(2).all(|pair| pair[0] + 1 == pair[1]),
        "{kept:?}"
    );
    let log = DecisionLog::read(place.path()).unwrap();
    assert_eq!(log.files.len(), 3);
    assert_eq!(log.verify_chain().numbers, Some((kept[0] + 1, 40)));
    std::fs::remove_file(place.path().join(NAMES[0])).unwrap();
    assert!(DecisionLog::read(place.path()).unwrap().verify_chain().finding.is_some());
}

#[test]
fn a_writer_that_finds_the_lock_held_leaves_its_line_for_the_next() {
    let (place, directory) = place();
    add(&directory, 0);
    let held = directory.locked(HEAD, AccessMode::Update, Duration::ZERO).unwrap().unwrap();
    for at in 1..4 {
        append_within(&directory, format!("{{\"at\":{at}}}").as_bytes(), Duration::ZERO, LARGEST).unwrap();
    }
    assert_eq!(std::fs::read_dir(place.path().join(WAITING)).unwrap().count(), 3);
    assert_eq!(DecisionLog::read(place.path()).unwrap().waiting.len(), 3);
    drop(held);
    add(&directory, 4);
    assert_eq!(whole(place.path()), [0, 1, 2, 3, 4]);
    assert!(!place.path().join(WAITING).exists());
}

#[test]
fn a_line_that_was_taken_in_and_not_removed_is_not_taken_in_again() {
    let (place, directory) = place();
    add(&directory, 0);
    let held = directory.locked(HEAD, AccessMode::Update, Duration::ZERO).unwrap().unwrap();
    append_within(&directory, b"{\"at\":1}", Duration::ZERO, LARGEST).unwrap();
    drop(held);
    let note = std::fs::read(place.path().join(HEAD)).unwrap();
    let name = std::fs::read_dir(place.path().join(WAITING)).unwrap().next().unwrap().unwrap().file_name();
    let waiting = place.path().join(WAITING).join(name);
    let line = std::fs::read(&waiting).unwrap();
    add(&directory, 2);
    // The writer that appended the waiting line was stopped before it changed the note.
    std::fs::create_dir(place.path().join(WAITING)).unwrap();
    std::fs::write(&waiting, line).unwrap();
    std::fs::write(place.path().join(HEAD), note).unwrap();
    add(&directory, 3);
    assert_eq!(whole(place.path()), [0, 1, 2, 3]);
    assert!(!place.path().join(WAITING).exists());
}

#[test]
fn a_waiting_line_that_says_itself_what_chains_it_is_not_taken_in() {
    let (place, directory) = place();
    std::fs::create_dir(place.path().join(WAITING)).unwrap();
    for (name, members) in [("1", "\"number\":7"), ("2", "\"after\":null"), ("3", "\"at\":3")] {
        let line = format!("{{\"waited\":\"{name}\",{members}}}");
        std::fs::write(place.path().join(WAITING).join(name), line).unwrap();
    }
    add(&directory, 4);
    assert_eq!(whole(place.path()), [3, 4]);
    assert_eq!(std::fs::read_dir(place.path().join(WAITING)).unwrap().count(), 2);
}

#[test]
fn a_torn_line_ends_where_it_was_torn() {
    for cut in [1, 10, 25] {
        let (place, directory) = place();
        add(&directory, 0);
        add(&directory, 1);
        let path = place.path().join(FILE);
        let mut bytes = std::fs::read(&path).unwrap();
        let torn = bytes[..cut].to_vec();
        bytes.extend(torn);
        std::fs::write(&path, bytes).unwrap();
        add(&directory, 2);
        assert_eq!(whole(place.path()), [0, 1, 2], "{cut}");
        let torn = DecisionLog::read(place.path()).unwrap().verify_chain().torn;
        assert_eq!(torn.iter().map(|place| place.line).collect::<Vec<_>>(), [3]);
    }
}

#[test]
fn a_writer_that_noted_nothing_leaves_no_gap() {
    let (place, directory) = place();
    add(&directory, 0);
    let note = std::fs::read(place.path().join(HEAD)).unwrap();
    add(&directory, 1);
    std::fs::write(place.path().join(HEAD), note).unwrap();
    add(&directory, 2);
    assert_eq!(whole(place.path()), [0, 1, 2]);
}

#[test]
fn a_note_that_is_gone_is_made_again_from_the_log() {
    for largest in [LARGEST, 1] {
        let (place, directory) = place();
        for at in 0..2 {
            append_within(&directory, format!("{{\"at\":{at}}}").as_bytes(), PATIENCE, largest).unwrap();
        }
        std::fs::remove_file(place.path().join(HEAD)).unwrap();
        append_within(&directory, b"{\"at\":2}", PATIENCE, largest).unwrap();
        assert_eq!(whole(place.path()), [0, 1, 2]);
    }
}

#[test]
fn what_was_cut_off_is_not_covered_up_by_the_next_line() {
    let (place, directory) = place();
    for at in 0..4 {
        add(&directory, at);
    }
    let path = place.path().join(FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    let kept: String = text.split_inclusive('\n').take(2).collect();
    std::fs::write(&path, kept).unwrap();
    add(&directory, 4);
    let finding = DecisionLog::read(place.path()).unwrap().verify_chain().finding.unwrap();
    assert_eq!(finding.to_string(), "decisions.jsonl:3: lines 3 to 4 of the log were removed before this one");
}

/// Runs `writers` concurrent writers with `lines` lines each, and returns the log's lines.
fn at_once(writers: u64, lines: u64, patience: Duration, largest: u64) -> (TempDir, Vec<u64>) {
    let (place, _) = place();
    std::thread::scope(|scope| {
        for writer in 0..writers {
            let path = place.path();
            scope.spawn(move || {
                let directory = OpenDirectory::open(path).unwrap();
                for line in 0..lines {
                    let body = format!("{{\"at\":{}}}", writer * lines + line);
                    append_within(&directory, body.as_bytes(), patience, largest).unwrap();
                }
            });
        }
    });
    // The next writer appends the lines that still wait. A program that another test starts can hold the lock until it
    // runs, so this line waits for as long as it takes.
    let last = format!("{{\"at\":{}}}", writers * lines);
    let directory = OpenDirectory::open(place.path()).unwrap();
    append_within(&directory, last.as_bytes(), Duration::from_secs(60), largest).unwrap();
    let kept = whole(place.path());
    (place, kept)
}

#[test]
fn writers_at_once_lose_nothing_and_break_no_chain() {
    for patience in [PATIENCE, Duration::ZERO] {
        let (_place, kept) = at_once(16, 40, patience, LARGEST);
        assert_eq!(kept.len(), 641);
        assert_eq!(kept.into_iter().collect::<BTreeSet<_>>(), (0..641).collect());
    }
}

#[test]
fn writers_at_once_put_files_aside_without_a_gap() {
    let (place, kept) = at_once(16, 40, Duration::ZERO, 20_000);
    let numbers = DecisionLog::read(place.path()).unwrap().verify_chain().numbers.unwrap();
    assert_eq!(numbers.1, 641);
    assert_eq!(kept.len() as u64, numbers.1 - numbers.0 + 1);
}
