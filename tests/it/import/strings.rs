//! Any text survives: commands, messages, prompts and patterns are unchanged by an import.

use hookrules::verdict::Command;
use proptest::prelude::*;
use serde_json::json;

use super::{imported, policy_of};
use crate::kit::{event, judge};

/// Generates texts full of characters that are special to YAML, to a shell or to a policy.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{cwd}".to_owned()),
        Just("${HOME}".to_owned()),
        Just("$(x)".to_owned()),
        Just("\"\"\"".to_owned()),
        Just("'".to_owned()),
        Just("\\n".to_owned()),
        Just("\\{".to_owned()),
        Just("{{path}}".to_owned()),
        Just("# ".to_owned()),
        Just(": ".to_owned()),
        "[ a-z\\\\\"'{}$#/*|&;<>()\\[\\]!?~`=%-]{1,6}",
        "\\PC{1,4}",
    ];
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

/// Generates several lines of [`text`].
fn lines() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof![4 => text(), 1 => Just(String::new()), 1 => "[ \t]{1,3}"], 1..4)
        .prop_map(|lines| lines.join("\n"))
}

fn is_said(text: &str) -> bool {
    !text.trim().is_empty()
}

/// Returns the script for the shell, whichever shell runs it.
fn script(command: &Command) -> String {
    match command {
        Command::Shell { script, parameters } => {
            assert!(parameters.is_empty(), "a text of conclaude holds no values: {script}");
            script.clone()
        }
        Command::Argv(words) => {
            assert_eq!(words.get(..2).unwrap(), ["bash", "-c"]);
            words.last().unwrap().clone()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_command_and_its_message_come_out_as_they_went_in(run in text(), message in lines()) {
        prop_assume!(is_said(&run) && is_said(&message) && !run.trim_start().starts_with('#'));
        let yaml = json!({"stop": {"commands": [{"run": run, "message": message}]}});
        let policy = policy_of(&yaml.to_string());
        let verdict = judge(&policy, &event("Stop", json!({"stop_hook_active": false}))).verdict;
        prop_assert_eq!(verdict.runs.len(), 1);
        let only = verdict.runs.first().unwrap();
        prop_assert_eq!(script(&only.command), run);
        prop_assert_eq!(only.message.as_deref(), Some(message.trim_end_matches('\n')));
    }

    #[test]
    fn every_line_of_a_command_comes_out_once(run in lines()) {
        prop_assume!(is_said(&run));
        let yaml = json!({"subagentStop": {"commands": {"*": [{"run": run}]}}});
        let policy = policy_of(&yaml.to_string());
        let verdict = judge(&policy, &event("SubagentStop", json!({"agent_id": "a", "agent_type": "b"}))).verdict;
        let said = |text: &str| {
            let line = |line: &&str| is_said(line) && !line.trim_start().starts_with('#');
            text.split('\n').filter(line).map(str::to_owned).collect::<Vec<String>>()
        };
        let scripts: Vec<String> = verdict.runs.iter().map(|run| script(&run.command)).collect();
        prop_assert_eq!(said(&scripts.join("\n")), said(&run));
    }

    #[test]
    fn a_prompt_comes_out_as_it_went_in(prompt in lines()) {
        prop_assume!(is_said(&prompt) && !prompt.contains('@'));
        let yaml = json!({"userPromptSubmit": {"contextRules": [{"pattern": "x", "prompt": prompt}]}});
        let policy = policy_of(&yaml.to_string());
        let verdict = judge(&policy, &event("UserPromptSubmit", json!({"prompt": "x"}))).verdict;
        let texts: Vec<&str> = verdict.contexts.iter().map(|note| note.text.as_str()).collect();
        prop_assert_eq!(texts, [prompt.trim_end_matches('\n')]);
    }

    #[test]
    fn a_message_of_a_denial_comes_out_as_it_went_in(message in lines()) {
        prop_assume!(is_said(&message));
        let yaml = json!({"preToolUse": {"uneditableFiles": [{"pattern": "src/a.rs", "message": message}]}});
        let policy = policy_of(&yaml.to_string());
        let given = crate::kit::write("/project/src/a.rs", "");
        let verdict = judge(&policy, &given).verdict;
        prop_assert_eq!(verdict.message(), message.trim_end_matches('\n'));
    }

    #[test]
    fn a_pattern_without_wildcards_selects_its_own_name(name in "[a-zA-Z0-9_ .:^$!{}|()\\\\-]{1,8}") {
        prop_assume!(is_said(&name) && name != "." && !name.contains(".."));
        let yaml = json!({"subagentStop": {"commands": {name.clone(): [{"run": "echo"}]}}});
        let policy = policy_of(&yaml.to_string());
        let verdict = judge(&policy, &event("SubagentStop", json!({"agent_id": "a", "agent_type": name}))).verdict;
        prop_assert_eq!(verdict.runs.len(), 1);
    }

    #[test]
    fn any_mapping_is_imported_or_told_what_is_wrong(key in "\\PC{0,8}", value in text()) {
        let yaml = json!({key.clone(): value, "stop": {key: {"a": value}}}).to_string();
        match super::import(&yaml) {
            Ok(imported) => prop_assert!(!imported.notes.is_empty()),
            Err((found, _)) => prop_assert!(!found.is_empty()),
        }
    }
}

/// Returns a configuration with the given texts at every place for a text.
fn configuration(texts: &[String]) -> serde_json::Value {
    let mut texts = texts.iter().cycle().cloned();
    let mut next = || texts.next().unwrap();
    let command = |run: String, message: String| json!([{"run": run, "message": message, "showStdout": true}]);
    json!({
        "stop": {"commands": command(next(), next()), "infinite": true, "infiniteMessage": next()},
        "subagentStop": {"commands": {next(): command(next(), next()), "*": command(next(), next())}},
        "teammateIdle": {"commands": {next(): command(next(), next())}},
        "fileChanged": {"commands": {next(): command(next(), next())}},
        "postToolUse": {"commands": [{"run": next(), "tool": next()}]},
        "preToolUse": {
            "preventRootAdditionsMessage": next(),
            "uneditableFiles": [next(), {"pattern": next(), "message": next(), "agent": next()}],
            "preventAdditions": [next()],
            "toolUsageValidation": [
                {"tool": next(), "pattern": next(), "action": "block", "agent": next(), "message": next()},
                {"tool": "Bash", "pattern": "", "commandPattern": next(), "action": "allow", "matchMode": "prefix"},
                {"tool": "*", "pattern": next(), "commandPattern": next(), "action": "block"},
            ],
        },
        "permissionRequest": {"default": "deny", "allow": [next()], "deny": [next()]},
        "userPromptSubmit": {
            "contextRules": [{"pattern": next(), "prompt": next()}],
            "commands": [{"run": next(), "pattern": next()}],
            "slashCommands": {"commands": {next(): command(next(), next())}},
        },
        "worktreeCreate": {"command": next()},
        "notifications": {"enabled": true, "hooks": [next()]},
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 40, ..ProptestConfig::default() })]

    /// Either the resulting policy checks clean, or the import fails because of the source.
    #[test]
    fn no_text_makes_a_policy_that_does_not_check(
        texts in prop::collection::vec(prop_oneof![text(), lines(), "[a-z*/.]{1,8}"], 1..12),
    ) {
        // Mistakes end the import before there is a policy, so characters that cause them are removed step by step.
        let plain = |text: &String, marks: &[char]| text.replace(marks, "a");
        let tame: Vec<String> = texts.iter().map(|text| plain(text, &['[', ']', '(', ')', '*', '?', '+', '{'])).collect();
        let tamest: Vec<String> = tame.iter().map(|text| plain(text, &['\\', '.', '|', '}', '^', '\n'])).collect();
        for texts in [texts, tame, tamest] {
            if let Err((found, printed)) = super::import(&configuration(&texts).to_string()) {
                prop_assert!(found.iter().all(|found| found.code.name != "internal"), "{}", printed);
            }
        }
    }
}

#[test]
fn messages_that_look_like_fields_are_texts() {
    let text = "stop:\n  commands:\n    - run: echo\n      message: 'See {cwd} and ${cwd}.'\n";
    assert!(imported(text).policy.contains("message: \"See \\{cwd} and ${cwd}.\""));
}

#[test]
fn a_glob_with_brackets_that_a_policy_may_not_nest_is_told() {
    let text = format!("subagentStop:\n  commands:\n    \"{}9]\":\n      - run: echo\n", "[0-_".repeat(70));
    let (found, printed) = super::import(&text).err().unwrap();
    assert!(found.iter().all(|found| found.code.name != "internal"), "{printed}");
    assert!(printed.contains("too many `[`"), "{printed}");
}
