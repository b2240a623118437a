//! The plain contract of a command, event by event: the table in `book/src/commands.md` shows the actual outcomes.

use hookrules::action::{self, EffectEnvironment};
use hookrules::config::NotificationChannel;
use hookrules::schema::Event;
use hookrules::verdict::{Decision, Verdict};
use serde_json::json;

use crate::generated::is_current;
use crate::kit;

/// The codes of the columns: success, a refusal, a failure, and no judgement.
const CODES: [i32; 4] = [0, 2, 77, 127];

/// Runs the command of a rule on an event and describes the outcome in words.
fn cell(event: Event, code: i32) -> String {
    // The quotes make the script differ from its output, so a sentence about the command is not mistaken for a stream.
    let script = format!("echo O\"\"UT; echo E\"\"RR >&2; exit {code}");
    let policy = kit::policy(&format!("rule r {{\n  on {}\n  run '{script}'\n}}\n", event.name()));
    let given = kit::event(event.name(), json!({ "tool_name": "Bash", "tool_input": { "command": "ls" } }));
    let verdict = kit::judge(&policy, &given).verdict;
    let directory = tempfile::tempdir().unwrap();
    let performed = action::perform(
        verdict,
        &EffectEnvironment {
            payload: &given.payload,
            stdin: b"{}",
            answers: event.spec().answers,
            project: Some(directory.path()),
            state_dir: None,
            agent_name: None,
            is_prompt_of_user: false,
            deadline: None,
            announces_failures: false,
            announces_successes: false,
            channel: &NotificationChannel::Bell,
        },
    );
    words(performed.verdict())
}

fn words(verdict: &Verdict) -> String {
    let mut words = Vec::new();
    let mut add = |what: &str, text: &str| {
        let with = match (text.contains("OUT"), text.contains("ERR")) {
            (true, false) => "stdout",
            (false, true) => "stderr",
            (false, false) => "that it failed",
            (true, true) => panic!("both streams in one text: {text}"),
        };
        words.push(format!("{what}: {with}"));
    };
    for vote in &verdict.votes {
        match vote.decision {
            Decision::Deny => add("denied", &vote.displayed_message()),
            Decision::Ask => add("asked", &vote.displayed_message()),
            other => panic!("{other:?}"),
        }
    }
    verdict.contexts.iter().for_each(|note| add("agent", &note.text));
    verdict.warnings.iter().for_each(|note| add("user", &note.text));
    if let Some(path) = &verdict.worktree_path {
        add("path", path);
    }
    words.join(", ")
}

#[test]
fn the_table_of_what_a_command_means_is_current() {
    let mut rows: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    for event in Event::ALL {
        let cells: Vec<String> = CODES.iter().map(|code| cell(*event, *code)).collect();
        match rows.iter_mut().find(|(_, known)| *known == cells) {
            Some((events, _)) => events.push(event.name()),
            None => rows.push((vec![event.name()], cells)),
        }
    }
    // The longest list, that of the events without peculiarities, comes last.
    rows.sort_by_key(|(events, _)| events.len());
    let mut table = "| event | 0 | 2 | any other | no judgement |\n|---|---|---|---|---|\n".to_owned();
    for (events, cells) in rows {
        let events: Vec<String> = events.iter().map(|name| format!("`{name}`")).collect();
        table.push_str(&format!("| {} | {} |\n", events.join(", "), cells.join(" | ")));
    }
    is_current("book/src/commands.md", "contract", &table);
}

/// All codes of a column have the same outcome.
#[test]
fn every_code_of_a_column_means_the_same() {
    for event in [Event::PreToolUse, Event::PostToolUse, Event::UserPromptSubmit, Event::Stop] {
        for code in [1, 3, 125, 128, 193, 255] {
            assert_eq!(cell(event, code), cell(event, 77), "{event:?} {code}");
        }
        for code in [126, 129, 137, 192] {
            assert_eq!(cell(event, code), cell(event, 127), "{event:?} {code}");
        }
    }
}
