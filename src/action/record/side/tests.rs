//! Side files that are added to their file or left alone, and additions that are interrupted at each step.
#![expect(clippy::disallowed_methods, reason = "the tests look at files")]

use std::io::Write;
#[cfg(unix)]
use std::os::unix::fs::symlink;

use serde_json::json;

use super::*;
use crate::action::record::tests::{NOTHING, Place};
use crate::platform::file::identity;
use crate::record_place::{SideFileWriter, side_of};

/// A file of each format.
const FILES: [&str; 2] = ["a.json", "a.jsonl"];

fn line(number: u64) -> String {
    format!("{{\"n\":{number}}}\n")
}

impl Place {
    fn state(&self) -> OpenDirectory {
        OpenDirectory::open(&self.at("state")).unwrap()
    }

    #[track_caller]
    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.at("state").join(name), text).unwrap();
    }

    fn numbers(&self, file: &str) -> Vec<u64> {
        let file = format!("state/{file}");
        if file.ends_with(".json") { self.array(&file) } else { self.lines(&file) }
    }

    /// Sets the modification time of a side file, in seconds.
    fn changed(&self, name: &str, seconds: u64) {
        let file = std::fs::File::options().append(true).open(self.at("state").join(name)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
    }

    #[track_caller]
    fn append_number(&self, file: &str, number: u64) {
        self.append(file, json!({ "n": number })).unwrap();
    }
}

#[test]
fn the_oldest_side_file_comes_first() {
    let place = Place::new();
    for file in FILES {
        place.append_number(file, 0);
        for (process, seconds, text) in
            [(7, 30, line(5) + &line(6)), (8, 10, line(1)), (10, 20, line(3)), (9, 20, line(4))]
        {
            let name = side_of(file, SideFileWriter::Process(process));
            place.put(&name, &text);
            place.changed(&name, seconds);
        }
        place.put(&side_of(file, SideFileWriter::Anyone), &line(2));
        place.changed(&side_of(file, SideFileWriter::Anyone), 15);
        place.append_number(file, 7);
        // Side files of the same age are sorted by name.
        assert_eq!(place.numbers(file), [0, 1, 2, 3, 4, 5, 6, 7], "{file}");
        assert_eq!(place.beside("state"), NOTHING);
    }
}

#[test]
fn a_side_file_of_another_file_is_not_touched() {
    let place = Place::new();
    for other in
        ["b.json.side-1.jsonl", "a.jsonl.side-1.jsonl", "a.json.x.side-1.jsonl", ".a.json.side-1.json", "a.json.side-1"]
    {
        place.put(other, &line(1));
        place.append_number("a.json", 0);
        assert_eq!(place.read(&format!("state/{other}")), line(1), "{other}");
    }
    assert_eq!(place.numbers("a.json"), [0; 5]);
}

#[test]
#[cfg(unix)]
fn links_pipes_and_second_names_are_left_alone() {
    let place = Place::new();
    place.put("notes", &line(9));
    let beside = |name: &str| place.at("state").join(name);
    symlink(beside("notes"), beside("a.json.side-1.jsonl")).unwrap();
    nix::unistd::mkfifo(&beside("a.json.side-2.jsonl"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    std::fs::hard_link(beside("notes"), beside("a.json.side-3.jsonl")).unwrap();
    std::fs::create_dir(beside("a.json.side-4.jsonl")).unwrap();
    symlink(beside("notes"), beside(".a.json.side-5.jsonl.1-2-3")).unwrap();
    let there = place.beside("state");
    assert_eq!(there.len(), 5);
    place.append_number("a.json", 1);
    place.append_number("a.json", 2);
    assert_eq!(place.numbers("a.json"), [1, 2]);
    assert_eq!((place.beside("state"), place.read("state/notes")), (there, line(9)));
}

#[test]
fn another_users_side_file_is_left_alone() {
    let place = Place::new();
    place.put("a.json.side-1.jsonl", &line(1));
    let (mine, other) = (Owner::this_account(), Owner::another());
    let taken = |user| SideFiles::lock_side_files_of_user(&place.state(), "a.json", |_, _| false, user).unwrap();
    assert_eq!((taken(mine).count(), taken(mine).remaining.names.len()), (1, 0));
    assert_eq!((taken(other).count(), taken(other).remaining.names.len()), (0, 1));
}

#[test]
fn a_side_file_that_is_being_written_is_left_to_its_writer() {
    let place = Place::new();
    let mut writer = place.state().locked("a.json.side-1.jsonl", AccessMode::Append, Duration::ZERO).unwrap().unwrap();
    writer.write_all(b"{\"n\":").unwrap();
    place.append_number("a.json", 0);
    writer.write_all(b"1}\n").unwrap();
    assert_eq!(place.read("state/a.json.side-1.jsonl"), line(1));
    drop(writer);
    place.append_number("a.json", 2);
    assert_eq!(place.numbers("a.json"), [0, 1, 2]);
}

#[test]
fn lines_that_are_no_records_stay_and_are_told() {
    let place = Place::new();
    for file in FILES {
        let side = side_of(file, SideFileWriter::Process(1));
        place.put(&side, &format!("{}no record\n\n{}[1]\n{{\"n\":", line(1), line(2)));
        let told = format!("r: `{side}` contains a line that is not a complete record; it was left there");
        assert_eq!(place.append(file, json!({ "n": 3 })), Err(told.clone()));
        assert_eq!(place.numbers(file), [1, 2, 3]);
        assert_eq!(place.read(&format!("state/{side}")), "no record\n[1]\n{\"n\":");
        // The side file is reported as long as it exists, and does no harm.
        assert_eq!(place.append(file, json!({ "n": 4 })), Err(told.clone()));
        assert_eq!(place.read(&format!("state/{side}")), "no record\n[1]\n{\"n\":");
        // A later process with the same ID appends to the side file.
        assert!(lines::append(&place.state(), &side, line(5).as_bytes(), Duration::ZERO).unwrap());
        assert_eq!(place.append(file, json!({ "n": 6 })), Err(told));
        assert_eq!(place.numbers(file), [1, 2, 3, 4, 5, 6]);
        std::fs::remove_file(place.at("state").join(side)).unwrap();
    }
}

#[test]
fn a_record_that_lacks_its_newline_alone_is_whole() {
    let place = Place::new();
    for file in FILES {
        place.put(&side_of(file, SideFileWriter::Process(1)), line(1).trim_end());
        place.append_number(file, 2);
        assert_eq!(place.numbers(file), [1, 2]);
    }
    assert_eq!(place.beside("state"), NOTHING);
}

#[test]
fn an_empty_side_file_is_removed() {
    let place = Place::new();
    place.put("a.json.side-1.jsonl", "");
    place.append_number("a.json", 1);
    assert_eq!((place.numbers("a.json"), place.beside("state")), (vec![1], Vec::new()));
}

#[test]
fn what_would_make_an_array_too_large_is_left() {
    let place = Place::new();
    let large = format!("{{\"n\":2,\"text\":\"{}\"}}\n", " ".repeat(7_999_000));
    place.put("a.json.side-1.jsonl", &line(1));
    place.put("a.json.side-2.jsonl", &large);
    place.put("a.json.side-3.jsonl", &large);
    for process in 1..=3 {
        place.changed(&format!("a.json.side-{process}.jsonl"), process);
    }
    place.append_number("a.json", 4);
    assert_eq!(place.numbers("a.json"), [1, 2, 4]);
    assert_eq!(place.beside("state"), ["a.json.side-3.jsonl"]);
}

/// More side files than are held open at once.
#[test]
fn many_side_files_are_folded_in_by_one_record() {
    let place = Place::new();
    let many = u64::try_from(MAX_SIDE_FILES).unwrap() + 50;
    for file in FILES {
        for process in 1..=many {
            place.put(&format!("{file}.side-{process}.jsonl"), &line(process));
        }
        place.append_number(file, 0);
        let mut numbers = place.numbers(file);
        numbers.sort_unstable();
        assert_eq!(numbers, (0..=many).collect::<Vec<_>>());
    }
    assert_eq!(place.beside("state"), NOTHING);
}

/// Performs the first steps of adding side files, as if the process had been killed after them.
fn cut_off(place: &Place, file: &str, steps: u32) {
    let state = place.state();
    let target = place.at("state").join(file);
    let mut sides = SideFiles::lock_side_files(&state, file, |_, _| panic!("there are no claims yet")).unwrap();
    assert_eq!(sides.count(), 2);
    let temporary = place.at("state").join(format!(".{file}.new"));
    let new = place.read(&format!("state/{file}"));
    let new = match new.trim_end().strip_suffix(']') {
        Some(inside) => {
            format!("{inside}, {} ]", String::from_utf8(sides.records()).unwrap().trim().replace('\n', ", "))
        }
        None => new + &String::from_utf8(sides.records()).unwrap(),
    };
    std::fs::write(&temporary, &new).unwrap();
    let written = crate::files::open(&temporary).unwrap();
    let length = std::fs::metadata(&target).unwrap().len();
    let array_mark = identity(&written, &written.metadata().unwrap()).unwrap();
    let mark = |before: u64| if file.ends_with(".json") { array_mark.clone() } else { (length + before).to_string() };
    if steps == 1 {
        // Interrupted between the first claim and the second.
        let side = &sides.locked[0];
        state.rename(&side.name, &format!(".{}.{}", side.origin, mark(0))).unwrap();
    }
    if steps >= 2 {
        assert!(sides.claim_all(&state, mark));
    }
    if steps >= 3 {
        if file.ends_with(".json") {
            std::fs::rename(&temporary, &target).unwrap();
        } else {
            std::fs::File::options().append(true).open(&target).unwrap().write_all(&sides.records()).unwrap();
        }
    }
    if steps >= 4 {
        drop(sides.locked.remove(0).remove(&state));
    }
}

#[test]
fn a_fold_that_was_cut_off_is_finished_and_nothing_comes_twice() {
    for file in FILES {
        for steps in 0..=4 {
            let place = Place::new();
            // The same records as before, so their contents do not show whether they have been added.
            place.append_number(file, 1);
            place.append_number(file, 1);
            for process in [7, 8] {
                place.put(&side_of(file, SideFileWriter::Process(process)), &line(1));
            }
            cut_off(&place, file, steps);
            // One of the processes, or a later one with the same ID, writes again meanwhile.
            let side = side_of(file, SideFileWriter::Process(7));
            assert!(lines::append(&place.state(), &side, line(2).as_bytes(), Duration::ZERO).unwrap());
            place.append_number(file, 3);
            let mut numbers = place.numbers(file);
            numbers.sort_unstable();
            assert_eq!((numbers, place.beside("state")), (vec![1, 1, 1, 1, 2, 3], Vec::new()), "{file}, step {steps}");
        }
    }
}

#[test]
fn two_claims_of_one_side_file_never_become_one() {
    let place = Place::new();
    place.put(".a.json.side-7.jsonl.1-2-3", &line(1));
    place.put(".a.json.side-7.jsonl.4-5-6", &line(2));
    place.put("a.json.side-7.jsonl", &line(3));
    assert_eq!(SideFiles::lock_side_files(&place.state(), "a.json", |_, _| false).unwrap().count(), 1);
    place.append_number("a.json", 4);
    let mut numbers = place.numbers("a.json");
    numbers.sort_unstable();
    assert_eq!((numbers, place.beside("state")), (vec![1, 2, 3, 4], Vec::new()));
}

#[test]
fn what_stays_of_a_claim_that_arrived_is_kept() {
    let place = Place::new();
    place.append_number("a.jsonl", 1);
    place.put(".a.jsonl.side-7.jsonl.0", &(line(1) + "torn"));
    assert!(place.append("a.jsonl", json!({ "n": 2 })).unwrap_err().contains("`a.jsonl.side-7.jsonl` contains a line"));
    assert_eq!(
        (place.numbers("a.jsonl"), place.beside("state")),
        (vec![1, 2], vec!["a.jsonl.side-7.jsonl".to_owned()])
    );
    assert_eq!(place.read("state/a.jsonl.side-7.jsonl"), "torn");
}

#[test]
fn a_line_that_would_spoil_the_array_is_left_beside_it() {
    let nested = |levels: usize| format!("{{\"deep\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
    for spoiled in [
        b"{\"n\":\"\xff\"}".to_vec(),
        nested(20_000).into_bytes(),
        nested(126).into_bytes(),
        b"{\"n\":7},{\"n\":8}".to_vec(),
        b"{\"n\":7} {\"n\":8}".to_vec(),
        b"[{\"n\":7}]".to_vec(),
        b"{\"n\":7".to_vec(),
        b"7".to_vec(),
    ] {
        for file in FILES {
            let place = Place::new();
            let side = side_of(file, SideFileWriter::Process(7));
            let lines = [line(1).into_bytes(), spoiled.clone(), b"\n".to_vec(), line(2).into_bytes()].concat();
            std::fs::write(place.at("state").join(&side), lines).unwrap();
            let told = place.append(file, json!({ "n": 3 })).unwrap_err();
            assert!(told.contains(&format!("`{side}` contains a line that is not a complete record")), "{told}");
            assert_eq!(place.numbers(file), [1, 2, 3]);
            let left = std::fs::read(place.at("state").join(&side)).unwrap();
            assert_eq!(left.trim_ascii(), spoiled.trim_ascii());
        }
    }
}

#[test]
fn nested_values_are_read_by_whoever_reads_the_array() {
    let place = Place::new();
    let deep =
        (0..500).fold(json!(1), |inner, _| if inner.is_array() { json!({ "a": inner }) } else { json!([inner]) });
    let record = json!({ "n": 2, "deep": deep });
    // One record waits in a side file, and the other one is in its file.
    let lock = std::fs::File::create(place.at("state/.a.json.lock")).unwrap();
    lock.lock().unwrap();
    place.append("a.json", record.clone()).unwrap_err();
    drop(lock);
    place.append("a.json", record).unwrap();
    assert_eq!(place.array("state/a.json"), [2, 2]);
    assert_eq!(place.beside("state"), NOTHING);
    assert!(place.read("state/a.json").contains("null"));
}
