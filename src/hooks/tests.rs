//! A compiled policy that another program wrote: what is reported, and when.
#![expect(clippy::disallowed_methods, reason = "tests make files")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::*;
use crate::cache::tests::forge;

fn only_file(directory: &Path) -> PathBuf {
    let names: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [only] = names.as_slice() else { panic!("{names:?}") };
    only.clone()
}

#[test]
fn a_session_begins_with_what_the_sources_say() {
    let guard = tempfile::tempdir().unwrap();
    let dir = crate::platform::paths::canonicalize(guard.path()).unwrap();
    fs::create_dir_all(dir.join("repo/.rules")).unwrap();
    let policy = "rule a {\n  on PreToolUse(Bash)\n  when runs \"git push\"\n  deny \"No.\"\n}\n";
    fs::write(dir.join("repo/.rules/a.rules"), policy).unwrap();
    let places = MachinePlaces {
        managed: dir.join("etc"),
        user: Some(dir.join("user")),
        state: Some(dir.join("state")),
        cache: Some(dir.join("cache")),
        project: None,
        missing_projects: Vec::new(),
        trust: TrustRequirement::NotRequired,
    };
    let project = Some(dir.join("repo"));
    let registration = Registration {
        host: Host::CLAUDE_CODE,
        project,
        start_directory: None,
        places,
        requires_policy: false,
        problem: None,
    };
    let ask = |event: &str| {
        let payload = json!({
            "session_id": "s", "cwd": dir.join("repo"), "hook_event_name": event, "tool_name": "Bash",
            "tool_input": { "command": "git push" }, "source": "startup",
        });
        let mut answer = answer_event(payload.to_string().as_bytes(), &registration);
        let said = answer.output.stdout.clone();
        answer.settle();
        said
    };
    let log = || {
        let directory = dir.join("state/log");
        if !directory.exists() {
            return String::new();
        }
        fs::read_to_string(only_file(&directory).join("decisions.jsonl")).unwrap_or_default()
    };
    const TOLD: &str = "something else wrote it";
    assert!(ask("PreToolUse").contains("No."));
    assert_eq!(ask("SessionStart"), "", "what is right is not spoken of");
    forge(&only_file(&dir.join("cache")));
    assert_eq!(ask("PreToolUse"), "", "it holds");
    assert!(!log().contains(TOLD));
    let said = ask("SessionStart");
    assert!(said.contains("systemMessage") && said.contains(TOLD), "{said}");
    assert_eq!(log().matches(TOLD).count(), 1, "{}", log());
    assert!(ask("PreToolUse").contains("No."), "it was put right");
    assert_eq!(ask("SessionStart"), "");
    assert_eq!(log().matches(TOLD).count(), 1);
}
