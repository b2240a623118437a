//! Patterns and options in every place that has them: the resulting policy loads, and notes name patterns that match
//! nothing and options that differ.

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{imported, policy_of};
use crate::kit::{Given, bash, call, event, judge, shown};

/// Returns the notes about a configuration.
fn notes(yaml: &Json) -> Vec<String> {
    imported(&yaml.to_string()).notes.into_iter().map(|note| note.text).collect()
}

fn runs(yaml: &Json, given: &Given) -> usize {
    judge(&policy_of(&yaml.to_string()), given).verdict.runs.len()
}

fn stopped(name: &str) -> Given {
    event("SubagentStop", json!({"agent_id": "a1", "agent_type": name}))
}

fn at_stop(pattern: &str) -> Json {
    json!({"subagentStop": {"commands": {pattern: [{"run": "make"}]}}})
}

#[test]
fn alternatives_of_subagents_select_each_of_them() {
    for (pattern, names, others) in [
        ("{coder,tester}", &["coder", "tester"][..], &["{coder,tester}", "code"][..]),
        ("{test*,coder-[0-9]}", &["tests", "coder-1"], &["coder", "coder-x"]),
        ("a{b,{c,d}}", &["ab", "ac", "ad"], &["a", "abc"]),
        ("coder.*", &["coder.rust"], &["coder"]),
        ("^coder", &["^coder"], &["coder"]),
        ("coder$", &["coder$"], &["coder"]),
        ("coder,tester", &["coder,tester"], &["coder", "tester"]),
        ("coder, tester", &["coder, tester"], &["coder", "tester"]),
        ("coder|tester", &["coder|tester"], &["coder", "tester"]),
        ("{coder}", &["{coder}"], &["coder"]),
        ("!coder", &["!coder"], &["coder", "tester"]),
    ] {
        let yaml = at_stop(pattern);
        for name in names {
            assert_eq!(runs(&yaml, &stopped(name)), 1, "{pattern} on {name}");
        }
        for name in others {
            assert_eq!(runs(&yaml, &stopped(name)), 0, "{pattern} on {name}");
        }
    }
}

#[test]
fn a_pattern_that_matches_nothing_is_named() {
    for (yaml, part) in [
        (at_stop("coder,tester"), "`coder,tester`: no subagent's name has a `,`"),
        (at_stop("coder|tester"), "`coder|tester`: no subagent's name has a `|`"),
        (at_stop("{coder,tester}"), "`{coder,tester}`: the braces are alternatives here"),
        (
            json!({"permissionRequest": {"default": "deny", "allow": ["mcp__.*"]}}),
            "`mcp__.*`: no tool's name has a `.`",
        ),
        (
            json!({"permissionRequest": {"default": "deny", "deny": ["Bash(rm:*)"]}}),
            "`Bash(rm:*)`: no tool's name has a `(`",
        ),
        (
            json!({"postToolUse": {"commands": [{"run": "make", "tool": "Edit|Write"}]}}),
            "`Edit|Write`: no tool's name has a `|`",
        ),
        (
            json!({"preToolUse": {"toolUsageValidation": [
                {"tool": "Write|Edit", "pattern": "*.lock", "action": "block"},
            ]}}),
            "`Write|Edit`: conclaude compares whole names here",
        ),
        (
            json!({"preToolUse": {"uneditableFiles": [{"pattern": "*.lock", "agent": "coder,tester"}]}}),
            "`coder,tester`: no subagent's name has a `,`",
        ),
        (
            json!({"preToolUse": {"uneditableFiles": ["{package,tsconfig}.json"]}}),
            "`{package,tsconfig}.json`: the braces are alternatives here",
        ),
        (json!({"preToolUse": {"uneditableFiles": ["*.lock,.env*"]}}), "`*.lock,.env*`: one name with a `,` in it"),
        (json!({"preToolUse": {"uneditableFiles": ["^src/.*$"]}}), "`^src/.*$`: a glob here as in conclaude"),
        (
            json!({"preToolUse": {"toolUsageValidation": [
                {"tool": "Bash", "commandPattern": "rm {a,b}", "action": "block"},
            ]}}),
            "`rm {a,b}`: the braces are characters, as in conclaude",
        ),
        (json!({"teammateIdle": {"commands": {"a,b": [{"run": "make"}]}}}), "`a,b`: no name has a `,`"),
        (
            json!({"userPromptSubmit": {"slashCommands": {"commands": {"commit,push": [{"run": "make"}]}}}}),
            "`commit,push`: no name has a `,`",
        ),
    ] {
        let notes = notes(&yaml);
        assert!(notes.iter().any(|note| note.starts_with(part)), "{yaml}: {notes:?}");
    }
    for pattern in ["coder", "test*", "coder.*", "[ab]*", "my agent", "plugin:coder"] {
        assert!(notes(&at_stop(pattern)).is_empty(), "{pattern}");
    }
}

#[test]
fn alternatives_are_written_out_on_files_and_names_and_not_in_commands() {
    let decision = |yaml: &Json, given: &Given| {
        let verdict = judge(&policy_of(&yaml.to_string()), given).verdict;
        shown(&verdict).split([' ', ':']).next().unwrap().to_owned()
    };
    let edit = |path: &str| call("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b"}));
    let files = json!({"preToolUse": {"uneditableFiles": ["{*.lock,docs/**}"]}});
    for (path, expected) in [("a/b.lock", "deny"), ("docs/x.md", "deny"), ("src/x.md", "pass")] {
        assert_eq!(decision(&files, &edit(&format!("/project/{path}"))), expected, "{path}");
    }
    let additions = json!({"preToolUse": {"preventRootAdditions": false, "preventAdditions": ["{dist,build/out}"]}});
    for (path, expected) in [("dist/x", "deny"), ("build/out/x", "deny"), ("build/x", "pass")] {
        let given = call("Write", json!({"file_path": format!("/project/{path}"), "content": ""}));
        assert_eq!(decision(&additions, &given), expected, "{path}");
    }
    let commands = json!({"preToolUse": {"toolUsageValidation": [
        {"tool": "Bash", "commandPattern": "rm {a,b}*", "action": "block"},
    ]}});
    for (command, expected) in [("rm {a,b} c", "deny"), ("rm a", "pass"), ("ls {a,b}", "pass")] {
        assert_eq!(decision(&commands, &bash(command)), expected, "{command}");
    }
    let idle = json!({"teammateIdle": {"commands": {"{ana,bo*}": [{"run": "make"}]}}});
    for (name, expected) in [("ana", 1), ("bob", 1), ("carl", 0)] {
        assert_eq!(runs(&idle, &event("TeammateIdle", json!({"teammate_name": name}))), expected, "{name}");
    }
    let slash = json!({"userPromptSubmit": {"slashCommands": {"commands": {"{/commit,/pr-*}": [{"run": "make"}]}}}});
    for (name, expected) in [("commit", 1), ("pr-new", 1), ("push", 0)] {
        let given = event("UserPromptExpansion", json!({"command_name": name, "prompt": "x"}));
        assert_eq!(runs(&slash, &given), expected, "{name}");
    }
}

#[test]
fn the_announcement_of_a_command_is_carried_over() {
    let yaml = |notifications: Json| {
        json!({
            "stop": {"commands": [{"run": "make", "notifyPerCommand": true}, {"run": "x", "notifyPerCommand": false}]},
            "notifications": notifications,
        })
    };
    let all = json!({"enabled": true, "hooks": ["*"], "showErrors": true, "showSuccess": true});
    let with = |key: &str, value: Json| {
        let mut settings = all.clone();
        settings[key] = value;
        settings
    };
    for (notifications, is_announced) in [
        (Json::Null, true),
        (all.clone(), true),
        (with("hooks", json!(["Stop"])), true),
        (with("hooks", json!(["SubagentStop"])), false),
        (with("enabled", json!(false)), false),
        (with("showSuccess", json!(false)), false),
    ] {
        let yaml = yaml(notifications);
        let stop = event("Stop", json!({"stop_hook_active": false}));
        let announced: Vec<bool> =
            judge(&policy_of(&yaml.to_string()), &stop).verdict.runs.iter().map(|run| run.options.notify).collect();
        assert_eq!(announced, [is_announced, false], "{yaml}");
        let notes = notes(&yaml);
        assert!(notes.len() == 1 && notes[0].starts_with("`notifyPerCommand`: "), "{yaml}: {notes:?}");
        assert_eq!(notes[0].ends_with("left out"), !is_announced && !notes[0].contains("show_errors"), "{notes:?}");
    }
}

/// Generates names and patterns with all the characters of globs, regexes and lists.
fn pattern() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,6}",
        Just(".*".to_owned()),
        Just("*".to_owned()),
        Just("{a,b}".to_owned()),
        Just(", ".to_owned()),
        "[a-zA-Z_,|{}()^$.*?!+/@:-]{1,3}",
    ];
    prop::collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 120, ..ProptestConfig::default() })]

    /// Each pattern that conclaude can read becomes a rule that loads.
    #[test]
    fn every_pattern_becomes_a_rule(pattern in pattern()) {
        let command = json!([{"run": "make"}]);
        for (yaml, rules) in [
            (at_stop(&pattern), 1),
            (json!({"permissionDenied": {"commands": {pattern.as_str(): command.clone()}}}), 1),
            (json!({"userPromptSubmit": {"slashCommands": {"commands": {pattern.as_str(): command}}}}), 1),
            (json!({"postToolUse": {"commands": [{"run": "make", "tool": pattern}]}}), 1),
            (json!({"permissionRequest": {"default": "deny", "deny": [pattern], "allow": ["Read"]}}), 3),
            (json!({"preToolUse": {"toolUsageValidation": [
                {"tool": "Bash", "commandPattern": pattern, "agent": pattern, "action": "block"},
            ]}}), 1),
            (json!({"preToolUse": {"uneditableFiles": [{"pattern": "*.lock", "agent": pattern}]}}), 1),
            (json!({"preToolUse": {"uneditableFiles": [pattern]}}), 1),
        ] {
            let mut yaml = yaml;
            yaml["preToolUse"]["preventRootAdditions"] = json!(false);
            match super::import(&yaml.to_string()) {
                // The pattern already matches everything.
                Ok(made) if pattern.trim_matches('*').is_empty() => prop_assert!(made.rules > 0),
                Ok(made) => prop_assert_eq!(made.rules, rules, "{}: {:?}", yaml, made.notes),
                Err((found, printed)) => {
                    prop_assert!(found.iter().all(|found| found.code.name != "internal"), "{}: {}", yaml, printed);
                }
            }
        }
    }
}
