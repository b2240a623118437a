//! Needs that people have, a third of them with a memory: what a policy for each decides.
//!
//! A reader who did not know the language wrote the policies `needs/ID.rules` from the book alone. Somebody else, who
//! did not see them, wrote the needs and their cases in `cases.jsonl`: the events of a session, and what is expected of
//! the last one. Two of fifty needs are not here, because they cannot be said: two calls directly after each other, and
//! a difference of two counts.

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::machine::Machine;
use crate::source::read;

#[derive(Deserialize)]
struct Need {
    id: String,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    events: Vec<Event>,
    #[serde(default)]
    facts: Map<String, Json>,
    expect: String,
    /// The commands that a rewrite may make.
    #[serde(default)]
    rewrite_to: Vec<String>,
    message_contains: Option<String>,
    context_contains: Option<String>,
}

#[derive(Deserialize)]
struct Event {
    payload: Map<String, Json>,
    time: Option<String>,
}

impl Need {
    /// Returns the lines for `rules eval`, in which each case has sessions of its own, and the last line of each case.
    fn lines(&self) -> (String, Vec<usize>) {
        let (mut lines, mut last) = (Vec::new(), Vec::new());
        for (number, case) in self.cases.iter().enumerate() {
            for Event { payload, time } in &case.events {
                let mut payload = payload.clone();
                let session = payload["session_id"].as_str().unwrap();
                payload.insert("session_id".to_owned(), format!("{session}-{number}").into());
                payload.entry("cwd").or_insert("/proj".into());
                let mut facts = case.facts.clone();
                for (fact, path) in [("project", "/proj"), ("git.root", "/proj"), ("home", "/home/dev")] {
                    facts.insert(fact.to_owned(), path.into());
                }
                lines.push(json!({ "payload": payload, "time": time, "facts": facts }).to_string());
            }
            last.push(lines.len() - 1);
        }
        (lines.join("\n"), last)
    }
}

impl Case {
    /// Whether a line that `rules eval` printed is what the case expects.
    fn is_met(&self, printed: &Json) -> bool {
        let effects = |kind: &str| -> Vec<String> {
            let all = printed["effects"].as_array().unwrap().iter();
            all.filter(|effect| effect["effect"] == kind).map(Json::to_string).collect()
        };
        let (contexts, rewrites) = (effects("context"), effects("rewrite"));
        let has = |texts: &[String], part: &str| texts.iter().any(|text| text.contains(part));
        let decision = printed["decision"].as_str().unwrap();
        let is_expected = match self.expect.as_str() {
            "context" => decision == "pass" && !contexts.is_empty(),
            "rewrite" => {
                let quoted = |command: &String| json!(command).to_string();
                self.rewrite_to.iter().any(|command| has(&rewrites, &quoted(command)))
            }
            "pass" => decision == "pass" && contexts.is_empty() && rewrites.is_empty(),
            other => decision == other,
        };
        let has_message = self
            .message_contains
            .as_ref()
            .is_none_or(|part| printed["message"].as_str().is_some_and(|message| message.contains(part)));
        is_expected && has_message && self.context_contains.as_ref().is_none_or(|part| has(&contexts, part))
    }
}

#[test]
fn what_people_need_can_be_said() {
    let machine = Machine::new();
    let needs: Vec<Need> = read("tests/fixtures/needs/cases.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    assert_eq!(needs.len(), 48);
    for need in &needs {
        let policy = read(format!("tests/fixtures/needs/{}.rules", need.id));
        machine.write("need.rules", &policy);
        let path = machine.path("need.rules");
        let checked = machine.rules(&["check", path.to_str().unwrap()], "");
        assert_eq!(checked.exit, 0, "{}: {checked:?}", need.id);
        assert!(need.cases.len() >= 4, "{}", need.id);
        let (lines, last) = need.lines();
        let printed = machine.rules(&["eval", "--policy", path.to_str().unwrap(), "-"], &lines);
        let printed: Vec<&str> = printed.stdout.lines().collect();
        for (number, (case, last)) in need.cases.iter().zip(last).enumerate() {
            let line: Json = serde_json::from_str(printed[last]).unwrap();
            assert!(case.is_met(&line), "{}, case {number}: {line}", need.id);
        }
    }
}
