//! Records and notifications together.

use crate::verdict::{Author, Notification, Record};

use super::*;
use crate::action::settle::{EffectTimeLimits, settle_with_limits};

fn record(file: &str) -> Record {
    Record { rule: "r".to_owned(), file: file.to_owned(), fields: serde_json::Map::new(), times: vec!["at".to_owned()] }
}

fn verdict(records: Vec<Record>, bodies: &[&str]) -> Verdict {
    let note = |body: &&str| Notification {
        author: Author::Rule("r".to_owned()),
        title: "t".to_owned(),
        body: (*body).to_owned(),
    };
    Verdict { records, notifications: bodies.iter().map(note).collect(), ..Verdict::pass(Event::Stop) }
}

#[test]
fn records_and_notifications_happen() {
    let mut scene = Scene::new(Event::Stop);
    let out = scene.state().join("told");
    let script = format!("echo \"$RULES_BODY\" >> '{}'", out.display());
    scene.channel = NotificationChannel::Command(["sh", "-c", &script].map(str::to_owned).to_vec());
    let problems = scene.in_world(|world| settle(&verdict(vec![record("a.jsonl")], &["done"]), world));
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(std::fs::read_to_string(out).unwrap(), "done\n");
    assert!(std::fs::read_to_string(scene.state().join("a.jsonl")).unwrap().starts_with("{\"at\":\"2"));
}

/// Each record waits for a lock that is held.
#[test]
fn records_are_bounded_together() {
    let scene = Scene::new(Event::Stop);
    let files: Vec<String> = (0..8).map(|number| format!("{number}.jsonl")).collect();
    let held: Vec<std::fs::File> =
        files.iter().map(|name| std::fs::File::create(scene.state().join(name)).unwrap()).collect();
    held.iter().for_each(|file| file.lock().unwrap());
    let verdict = verdict(files.iter().map(|name| record(name)).collect(), &["x"]);
    let bounds = EffectTimeLimits { records: Duration::from_millis(600), notifications: Duration::from_millis(400) };
    let began = Instant::now();
    let problems = scene.in_world(|world| settle_with_limits(&verdict, world, bounds));
    assert!(began.elapsed() >= Duration::from_secs(1), "{:?}", began.elapsed());
    assert!(problems.iter().any(|problem| problem.contains("is locked by another process")), "{problems:?}");
    assert!(problems.len() < 8, "they take two seconds: {problems:?}");
    assert_eq!(problems.last().unwrap(), "records and notifications were cut off after 1s");
}

#[test]
fn notifications_are_bounded_together_and_say_so() {
    let mut scene = Scene::new(Event::Stop);
    scene.channel = NotificationChannel::Command(["sh", "-c", "sleep 20"].map(str::to_owned).to_vec());
    let began = Instant::now();
    let problems = scene.in_world(|world| settle(&verdict(vec![record("a.jsonl")], &["x", "y"]), world));
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    assert_eq!(problems, ["r: the notification was cut off: its program did not finish"; 2]);
    assert!(scene.state().join("a.jsonl").exists());
}

#[test]
fn nothing_to_do_is_done_at_once() {
    let scene = Scene::new(Event::Stop);
    assert_eq!(scene.in_world(|world| settle(&verdict(Vec::new(), &[]), world)), Vec::<String>::new());
    assert_eq!(std::fs::read_dir(scene.state()).unwrap().count(), 0);
}
