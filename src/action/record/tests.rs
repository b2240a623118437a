//! Records: permitted places, refusals, and concurrent writers.
#![expect(clippy::disallowed_methods, reason = "the tests look at files and clocks, and run themselves again")]

#[cfg(unix)]
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;
use tempfile::TempDir;

use super::*;

pub(super) struct Place(TempDir);

/// The expected list of side files, if there are none.
pub(super) const NOTHING: [&str; 0] = [];

impl Place {
    pub(super) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("project")).unwrap();
        std::fs::create_dir(directory.path().join("state")).unwrap();
        Self(directory)
    }

    pub(super) fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn append(&self, file: &str, fields: Json) -> Result<(), String> {
        one(self.append_in(None, &record(file, fields)))
    }

    fn append_in(&self, session: Option<&str>, record: &Record) -> Vec<String> {
        let (project, state) = (self.at("project"), self.at("state"));
        append(record, RecordScope { project: Some(&project), state_dir: Some(&state), session })
    }

    pub(super) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap()
    }

    /// Returns the `n` of every record in an array.
    #[track_caller]
    pub(super) fn array(&self, name: &str) -> Vec<u64> {
        let array: Vec<Json> = serde_json::from_str(&self.read(name)).unwrap();
        array.iter().map(|record| record["n"].as_u64().unwrap()).collect()
    }

    /// Returns the `n` of every record of a file of lines.
    #[track_caller]
    pub(super) fn lines(&self, name: &str) -> Vec<u64> {
        let parsed = |line: &str| serde_json::from_str::<Json>(line).unwrap();
        self.read(name).lines().map(|line| parsed(line)["n"].as_u64().unwrap()).collect()
    }

    /// Returns the names of the side files and claims in a directory.
    pub(super) fn beside(&self, directory: &str) -> Vec<String> {
        let directory = OpenDirectory::open(&self.at(directory)).unwrap();
        directory.names().unwrap().into_iter().filter(|name| name.contains(".side")).collect()
    }
}

/// Returns the only message, if there is one.
#[track_caller]
fn one(mut told: Vec<String>) -> Result<(), String> {
    assert!(told.len() < 2, "{told:?}");
    told.pop().map_or(Ok(()), Err)
}

fn record(file: &str, fields: Json) -> Record {
    let fields = fields.as_object().unwrap().clone();
    Record { rule: "r".to_owned(), file: file.to_owned(), fields, times: Vec::new() }
}

#[test]
#[cfg(unix)]
fn records_are_lines_in_the_project_or_the_state_directory() {
    let place = Place::new();
    place.append(".rules/log/a.jsonl", json!({ "b": 1, "a": "x\ny" })).unwrap();
    place.append(".rules/log/a.jsonl", json!({ "b": 2 })).unwrap();
    place.append("sub/b.jsonl", json!({ "b": 3 })).unwrap();
    assert_eq!(place.read("project/.rules/log/a.jsonl"), "{\"b\":1,\"a\":\"x\\ny\"}\n{\"b\":2}\n");
    assert_eq!(place.read("state/sub/b.jsonl"), "{\"b\":3}\n");
    let mode = std::fs::metadata(place.at("state/sub/b.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn the_first_record_of_a_machine_makes_the_state_directory() {
    let place = Place::new();
    std::fs::remove_dir(place.at("state")).unwrap();
    place.append("sub/b.jsonl", json!({ "b": 3 })).unwrap();
    assert_eq!(place.read("state/sub/b.jsonl"), "{\"b\":3}\n");
}

#[test]
fn the_log_directory_is_kept_out_of_git() {
    let place = Place::new();
    place.append(".rules/log/sub/a.jsonl", json!({})).unwrap();
    assert_eq!(place.read("project/.rules/log/.gitignore"), "*\n");
    std::fs::write(place.at("project/.rules/log/.gitignore"), "mine\n").unwrap();
    place.append(".rules/log/a.jsonl", json!({})).unwrap();
    assert_eq!(place.read("project/.rules/log/.gitignore"), "mine\n");
    place.append("a.jsonl", json!({})).unwrap();
    assert!(!place.at("state/.gitignore").exists());
}

#[test]
fn times_are_filled_in_where_they_stand() {
    let place = Place::new();
    let record = Record { times: vec!["at".to_owned()], ..record("a.jsonl", json!({ "a": 1, "at": null, "z": 2 })) };
    one(place.append_in(None, &record)).unwrap();
    let line = place.read("state/a.jsonl");
    assert!(line.starts_with("{\"a\":1,\"at\":\"2") && line.ends_with("Z\",\"z\":2}\n"), "{line}");
}

#[test]
fn a_json_file_is_an_array() {
    let place = Place::new();
    for number in 1..=3 {
        place.append(".rules/log/a.json", json!({ "n": number })).unwrap();
    }
    let expected = "[\n  {\"n\":1},\n  {\"n\":2},\n  {\"n\":3}\n]\n";
    assert_eq!(place.read("project/.rules/log/a.json"), expected);
}

#[test]
fn an_array_that_others_wrote_keeps_its_bytes() {
    let place = Place::new();
    let cases = [
        ("[]", "[\n  {}\n]\n"),
        (" \n", "[\n  {}\n]\n"),
        ("[ ]\n", "[\n  {}\n]\n"),
        ("[1e400,\n\t{\"a\":  \"]\"} ]", "[1e400,\n\t{\"a\":  \"]\"},\n  {}\n]\n"),
    ];
    for (before, after) in cases {
        std::fs::write(place.at("state/a.json"), before).unwrap();
        place.append("a.json", json!({})).unwrap();
        assert_eq!(place.read("state/a.json"), after);
    }
}

#[test]
fn a_damaged_array_is_left_alone() {
    let place = Place::new();
    for damaged in ["{\"a\":1}", "[1, 2", "[1] [2]", "no"] {
        std::fs::write(place.at("state/a.json"), damaged).unwrap();
        let problem = place.append("a.json", json!({ "n": 1 })).unwrap_err();
        let told = "r: `a.json` does not hold a JSON array; the record is in `a.json.side.jsonl` beside it";
        assert_eq!(problem, told);
        assert_eq!(place.read("state/a.json"), damaged);
    }
    assert_eq!(place.read("state/a.json.side.jsonl"), "{\"n\":1}\n".repeat(4));
    // Once the file is repaired, every waiting record is added to it.
    std::fs::write(place.at("state/a.json"), "[]").unwrap();
    place.append("a.json", json!({ "n": 2 })).unwrap();
    assert_eq!(place.array("state/a.json"), [1, 1, 1, 1, 2]);
    assert_eq!(place.beside("state"), NOTHING);
}

#[test]
fn a_line_that_another_writer_left_unfinished_swallows_nothing() {
    let place = Place::new();
    std::fs::write(place.at("state/a.jsonl"), "{\"torn\":").unwrap();
    place.append("a.jsonl", json!({ "n": 1 })).unwrap();
    assert_eq!(place.read("state/a.jsonl"), "{\"torn\":\n{\"n\":1}\n");
}

#[test]
fn places_outside_are_refused() {
    let place = Place::new();
    for (file, why) in [
        ("../x.jsonl", "a path to the outside"),
        (".rules/log/../../x.jsonl", "a path to the outside"),
        ("/tmp/x.jsonl", "an absolute path"),
        ("", "no file name"),
        (".rules/x.jsonl", "`.rules/` outside `.rules/log/`"),
        ("attempts/x.jsonl", "a directory of rules itself"),
        ("log/x.jsonl", "a directory of rules itself"),
        ("a.json.side-7.jsonl", "a name that rules itself uses"),
        (".rules/log/.gitignore", "a name that rules itself uses"),
    ] {
        let problem = place.append(file, json!({})).unwrap_err();
        assert_eq!(problem, format!("r: the record `{file}` was not written: it would go to {why}"));
    }
    assert!(!place.at("project/.rules").exists());
    let (project, state) = (place.at("project"), place.at("state"));
    let nowhere = RecordScope { project: None, state_dir: None, session: None };
    let without = append(&record(".rules/log/a.jsonl", json!({})), RecordScope { state_dir: Some(&state), ..nowhere });
    assert!(one(without).unwrap_err().contains("no project"));
    let without = append(&record("a.jsonl", json!({})), RecordScope { project: Some(&project), ..nowhere });
    assert!(one(without).unwrap_err().contains("no state directory"));
}

#[test]
#[cfg(unix)]
fn links_pipes_and_second_names_are_refused() {
    let place = Place::new();
    std::fs::write(place.at("bashrc"), "kept").unwrap();
    std::fs::create_dir_all(place.at("project/.rules/log")).unwrap();
    let file = place.at("project/.rules/log/a.jsonl");

    symlink(place.at("bashrc"), &file).unwrap();
    assert!(place.append(".rules/log/a.jsonl", json!({})).unwrap_err().ends_with(": `a.jsonl` is a link"));
    std::fs::remove_file(&file).unwrap();

    std::fs::hard_link(place.at("bashrc"), &file).unwrap();
    assert!(place.append(".rules/log/a.jsonl", json!({})).unwrap_err().contains("hard link"));
    std::fs::remove_file(&file).unwrap();

    nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert!(place.append(".rules/log/a.jsonl", json!({})).is_err());
    std::fs::rename(&file, place.at("project/.rules/log/a.json")).unwrap();
    assert!(place.append(".rules/log/a.json", json!({})).is_err());

    symlink(place.0.path(), place.at("project/.rules/log/sub")).unwrap();
    assert!(place.append(".rules/log/sub/bashrc", json!({})).unwrap_err().contains("`sub` is a link"));
    std::fs::remove_dir_all(place.at("project/.rules")).unwrap();
    symlink(place.at("state"), place.at("project/.rules")).unwrap();
    assert!(place.append(".rules/log/a.jsonl", json!({})).unwrap_err().contains("`.rules` is a link"));
    assert_eq!(place.read("bashrc"), "kept");
}

#[test]
fn an_array_that_is_too_large_is_left_alone() {
    let place = Place::new();
    let large = format!("[\"{}\"]", " ".repeat(8_000_000));
    std::fs::write(place.at("state/a.json"), &large).unwrap();
    let problem = place.append("a.json", json!({ "n": 1 })).unwrap_err();
    let told = "r: `a.json` is too large to rewrite; the record is in `a.json.side.jsonl` beside it";
    assert_eq!(problem, told);
    assert_eq!(place.read("state/a.json"), large);
}

#[test]
fn what_a_held_lock_sent_beside_is_in_the_file_before_the_next_record() {
    let place = Place::new();
    for (file, lock) in [("a.jsonl", "a.jsonl"), ("a.json", ".a.json.lock")] {
        let holder = std::fs::File::create(place.at("state").join(lock)).unwrap();
        holder.lock().unwrap();
        let began = Instant::now();
        let side = format!("{file}.side-{}.jsonl", std::process::id());
        for number in 1..=2 {
            let problem = place.append(file, json!({ "n": number })).unwrap_err();
            let told = format!("r: `{file}` is locked by another process; the record is in `{side}` beside it");
            assert_eq!(problem, told);
        }
        assert!(began.elapsed() < Duration::from_secs(2));
        assert_eq!(place.read(&format!("state/{side}")), "{\"n\":1}\n{\"n\":2}\n");
        drop(holder);
        place.append(file, json!({ "n": 3 })).unwrap();
        assert_eq!(place.beside("state"), NOTHING);
    }
    assert_eq!(place.read("state/a.jsonl"), "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n");
    assert_eq!(place.read("state/a.json"), "[\n  {\"n\":1},\n  {\"n\":2},\n  {\"n\":3}\n]\n");
}

#[test]
fn a_side_file_that_cannot_be_read_is_told_once_a_session() {
    let place = Place::new();
    for file in ["a.json", ".rules/log/a.jsonl", "sub/a.json"] {
        let base = if file.starts_with(".rules") { "project" } else { "state" };
        place.append(file, json!({ "n": 0 })).unwrap();
        std::fs::write(place.at(base).join(format!("{file}.side-7.jsonl")), "torn").unwrap();
        let tell = |session: Option<&str>| place.append_in(session, &record(file, json!({ "n": 1 }))).len();
        let told = [Some("s1"), Some("s1"), Some("s2"), Some("s1"), None, None].map(tell);
        assert_eq!(told, [1, 0, 1, 0, 1, 1], "{file}: without a session nobody knows what was told");
    }
}

/// Asserts that a place has each number exactly once, in both files.
#[track_caller]
fn holds_each_once(place: &Place, mut expected: Vec<u64>) {
    expected.sort_unstable();
    for mut is in [place.lines("state/many.jsonl"), place.array("state/many.json")] {
        is.sort_unstable();
        assert_eq!(is, expected);
    }
    assert_eq!(place.beside("state"), NOTHING);
}

/// No writer waits for a lock here, so most records go through side files, one for each writer.
#[test]
fn writers_that_wait_for_nobody_lose_nothing_and_leave_nothing() {
    let place = Place::new();
    let (writers, rounds) = (8, 60);
    let together = std::sync::Barrier::new(writers);
    // Checked at the end: a writer that panics earlier would leave the others waiting.
    let waiting = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for writer in 0..writers {
            let directory = OpenDirectory::open(&place.at("state")).unwrap();
            let (place, together, waiting) = (&place, &together, &waiting);
            scope.spawn(move || {
                for round in 0..rounds {
                    let line = format!("{{\"n\":{}}}\n", writer * rounds + round);
                    let own = SideFileWriter::Process(u32::try_from(writer).unwrap());
                    together.wait();
                    for file in ["many.json", "many.jsonl"] {
                        let told = put_record(&directory, file, line.as_bytes(), own, Duration::ZERO);
                        waiting.lock().unwrap().extend(told.err().map(|error| error.to_string()));
                    }
                    if together.wait().is_leader() {
                        waiting.lock().unwrap().extend(place.beside("state"));
                    }
                }
            });
        }
    });
    assert_eq!(*waiting.lock().unwrap(), NOTHING, "all were done with a round, and something waited");
    holds_each_once(&place, (0..u64::try_from(writers * rounds).unwrap()).collect());
}

/// Readers look as often as they can while others write.
#[test]
fn an_array_is_whole_whenever_somebody_looks() {
    let place = Place::new();
    std::thread::scope(|scope| {
        let start = |writer: u32| {
            let directory = OpenDirectory::open(&place.at("state")).unwrap();
            scope.spawn(move || {
                for number in 0..40_u64 {
                    let line = format!("{{\"n\":{}}}\n", u64::from(writer) * 40 + number);
                    put_record(
                        &directory,
                        "many.json",
                        line.as_bytes(),
                        SideFileWriter::Process(writer),
                        Duration::ZERO,
                    )
                    .unwrap();
                }
            })
        };
        let writers: Vec<_> = (0..8).map(start).collect();
        let mut most = 0;
        while !writers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            let Ok(text) = std::fs::read_to_string(place.at("state/many.json")) else { continue };
            let array: Vec<Json> = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert!(array.len() >= most, "it never loses an element");
            most = array.len();
        }
    });
    let mut all = place.array("state/many.json");
    all.sort_unstable();
    assert_eq!(all, (0..320).collect::<Vec<_>>());
}

/// The environment variable for the processes that the next tests start: their directory, and the first number to
/// record.
const CHILD: &str = "RULES_TEST_RECORD_INTO";

/// Runs a test again in its own process, with a directory to write to.
fn again(test: &str, place: &Place, first: u64) -> std::process::Child {
    let (_, module) = module_path!().split_once("::").unwrap();
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("{module}::{test}"), "--test-threads=1", "--nocapture"]);
    command.env(CHILD, format!("{first} {}", place.at("state").display()));
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::null()).spawn().unwrap()
}

/// Returns the first number and the directory, in a process that [`again`] has started.
fn started_again() -> Option<(u64, PathBuf)> {
    let told = std::env::var(CHILD).ok()?;
    let (first, directory) = told.split_once(' ').unwrap();
    Some((first.parse().unwrap(), PathBuf::from(directory)))
}

fn append_to_both(directory: &Path, number: u64) {
    for file in ["many.jsonl", "many.json"] {
        append(
            &record(file, json!({ "n": number })),
            RecordScope { project: None, state_dir: Some(directory), session: None },
        );
    }
}

#[test]
fn many_processes_lose_nothing_and_leave_nothing() {
    if let Some((first, directory)) = started_again() {
        return (first..first + 3).for_each(|number| append_to_both(&directory, number));
    }
    let place = Place::new();
    let test = "many_processes_lose_nothing_and_leave_nothing";
    let children: Vec<_> = (0..32).map(|child| again(test, &place, child * 3)).collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    holds_each_once(&place, (0..96).collect());
}

/// At any point of interruption, the records that were written remain, and no record occurs twice.
#[test]
fn processes_that_are_killed_lose_nothing_and_write_nothing_twice() {
    use std::io::{BufRead, BufReader};

    if let Some((first, directory)) = started_again() {
        for number in first..first + 10_000 {
            append_to_both(&directory, number);
            println!("wrote {number}");
        }
        return;
    }
    let place = Place::new();
    let test = "processes_that_are_killed_lose_nothing_and_write_nothing_twice";
    // Each process is killed while the others continue; its records show how far it came.
    let mut children: Vec<_> = (0..12).map(|child| (5 + child * 4, again(test, &place, child * 100_000))).collect();
    let mut wrote = Vec::new();
    for (enough, child) in &mut children {
        let told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let numbers = told.filter_map(|line| line.rsplit_once("wrote ")?.1.parse::<u64>().ok());
        wrote.extend(numbers.take(usize::try_from(*enough).unwrap()));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    append_to_both(&place.at("state"), 9_999_999);
    for numbers in [place.lines("state/many.jsonl"), place.array("state/many.json")] {
        let once: std::collections::BTreeSet<u64> = numbers.iter().copied().collect();
        assert_eq!(once.len(), numbers.len(), "some came twice: {numbers:?}");
        let lost: Vec<_> = wrote.iter().filter(|number| !once.contains(number)).collect();
        assert!(lost.is_empty(), "{lost:?}");
    }
    assert_eq!(place.beside("state"), NOTHING);
}
