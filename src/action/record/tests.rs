//! Records: where they may lie, what is refused, and several writers at once.
#![expect(clippy::disallowed_methods, reason = "the tests look at files and clocks, and run themselves again")]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;
use tempfile::TempDir;

use super::*;

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("project")).unwrap();
        std::fs::create_dir(directory.path().join("state")).unwrap();
        Self(directory)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn append(&self, file: &str, fields: Json) -> Result<(), String> {
        append(&record(file, fields), Some(&self.at("project")), Some(&self.at("state")))
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap()
    }
}

fn record(file: &str, fields: Json) -> Record {
    let fields = fields.as_object().unwrap().clone();
    Record { rule: "r".to_owned(), file: file.to_owned(), fields, times: Vec::new() }
}

#[test]
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
    append(&record, None, Some(&place.at("state"))).unwrap();
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
        assert!(problem.starts_with("r: `a.json` does not hold a JSON array; the record is in `a.side-"), "{problem}");
        assert_eq!(place.read("state/a.json"), damaged);
    }
    let side = format!("state/a.side-{}.jsonl", std::process::id());
    assert_eq!(place.read(&side), "{\"n\":1}\n".repeat(4));
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
        ("../x.jsonl", "`..`"),
        (".rules/log/../../x.jsonl", "`..`"),
        ("/tmp/x.jsonl", "an absolute path"),
        ("", "no name"),
        (".rules/x.jsonl", "below `.rules/log/`"),
        ("attempts/x.jsonl", "kept for"),
        ("log/x.jsonl", "kept for"),
    ] {
        let problem = place.append(file, json!({})).unwrap_err();
        assert!(problem.contains(why), "{problem}");
    }
    let without = append(&record(".rules/log/a.jsonl", json!({})), None, Some(&place.at("state"))).unwrap_err();
    assert!(without.contains("no project"), "{without}");
    assert!(append(&record("a.jsonl", json!({})), Some(&place.at("project")), None).is_err());
}

#[test]
fn links_pipes_and_second_names_are_refused() {
    let place = Place::new();
    std::fs::write(place.at("bashrc"), "kept").unwrap();
    std::fs::create_dir_all(place.at("project/.rules/log")).unwrap();
    let file = place.at("project/.rules/log/a.jsonl");

    symlink(place.at("bashrc"), &file).unwrap();
    assert!(place.append(".rules/log/a.jsonl", json!({})).unwrap_err().contains("link"));
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
fn a_held_lock_sends_the_record_beside() {
    let place = Place::new();
    for (file, lock) in [("a.jsonl", "a.jsonl"), ("a.json", ".a.json.lock")] {
        let holder = std::fs::File::create(place.at("state").join(lock)).unwrap();
        holder.lock().unwrap();
        let began = Instant::now();
        let problem = place.append(file, json!({ "n": 1 })).unwrap_err();
        assert!(problem.contains("is locked by another process; the record is in `a.side-"), "{problem}");
        assert!(began.elapsed() < Duration::from_secs(2));
    }
    let side = format!("state/a.side-{}.jsonl", std::process::id());
    assert_eq!(place.read(&side), "{\"n\":1}\n{\"n\":1}\n");
}

/// Set for the processes that the next test starts of itself: where they write.
const CHILD: &str = "RULES_TEST_RECORD_INTO";

fn write_a_few(directory: &Path) {
    let id = std::process::id();
    for number in 0..3 {
        for file in ["many.jsonl", "many.json"] {
            // A refusal for want of time still keeps the record, beside.
            let _ = append(&record(file, json!({ "id": id, "n": number })), None, Some(directory));
        }
    }
}

#[test]
fn many_processes_lose_nothing() {
    if let Some(directory) = std::env::var_os(CHILD) {
        return write_a_few(Path::new(&directory));
    }
    let place = Place::new();
    let (_, module) = module_path!().split_once("::").unwrap();
    let name = format!("{module}::many_processes_lose_nothing");
    let children: Vec<std::process::Child> = (0..32)
        .map(|_| {
            let mut command = std::process::Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", &name, "--test-threads=1"]).env(CHILD, place.at("state"));
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let lines: Vec<Json> =
        place.read("state/many.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let array: Vec<Json> = serde_json::from_str(&place.read("state/many.json")).unwrap();
    let beside: usize = std::fs::read_dir(place.at("state"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains(".side-"))
        .map(|path| std::fs::read_to_string(path).unwrap().lines().count())
        .sum();
    assert_eq!(lines.len() + array.len() + beside, 2 * 32 * 3);
    assert!(lines.len() + array.len() >= 32 * 3, "side files are for the rare case");
}
