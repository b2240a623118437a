//! Which patterns match which subagents.

use std::time::Duration;

use serde_json::json;

use super::{noting, ran, stop};
use crate::kit::{Given, event, judge, loads, one_file, policy};
use crate::machine::Machine;
use hookrules::verdict::Run;

fn stopped(name: &str) -> Given {
    event("SubagentStop", json!({ "agent_id": "a1", "agent_type": name }))
}

/// Returns the commands to run when a subagent stops.
#[track_caller]
fn commands(text: &str, name: &str) -> Vec<Run> {
    judge(&policy(text), &stopped(name)).verdict.runs
}

/// Asserts which names a pattern matches and which it does not.
#[track_caller]
fn matches(pattern: &str, names: &[&str], others: &[&str]) {
    let text = noting(&[pattern]);
    for name in names {
        assert_eq!(commands(&text, name).len(), 1, "`{pattern}` does not match `{name}`");
    }
    for name in others {
        assert_eq!(commands(&text, name).len(), 0, "`{pattern}` matches `{name}`");
    }
}

/// Specification 003: Wildcard pattern configuration
#[test]
fn commands_of_the_wildcard_run_for_every_subagent() {
    let rule = "rule all {\n  on SubagentStop(*)\n  run \"echo one >> ran\" \
                { message: \"M\", show_stdout: true, show_stderr: true, max_output_lines: 7, timeout: 5s }\n  \
                run \"echo two >> ran\"\n}\n";
    for name in ["coder", "tester", "stuck", "general-purpose"] {
        let runs = commands(rule, name);
        let [first, second] = runs.as_slice() else { panic!("{runs:?}") };
        assert_eq!((first.source_text.as_str(), second.source_text.as_str()), ("echo one >> ran", "echo two >> ran"));
        assert_eq!(first.message.as_deref(), Some("M"));
        assert_eq!(
            (first.options.show_stdout, first.options.show_stderr, first.options.max_output_lines),
            (true, true, Some(7))
        );
        assert_eq!(first.timeout, Duration::from_secs(5));
        assert_eq!(
            (second.options.show_stdout, second.options.show_stderr, second.options.max_output_lines),
            (false, false, None)
        );

        let machine = Machine::with(rule);
        machine.hook(&stop(&machine, name)).is_silent();
        assert_eq!(ran(&machine), ["one", "two"], "{name}");
    }
}

/// Specification 003: Exact match pattern configuration
#[test]
fn commands_of_a_name_run_for_that_name_only() {
    let machine = Machine::with(&noting(&["coder"]));
    machine.hook(&stop(&machine, "coder")).is_silent();
    assert_eq!(ran(&machine), ["coder"]);
    for name in ["tester", "auto-coder", "Coder", "code", "coder "] {
        machine.hook(&stop(&machine, name)).is_silent();
        assert_eq!(ran(&machine), ["coder"], "{name}");
    }
}

/// Specification 003: Glob pattern configuration
#[test]
fn commands_of_a_glob_run_for_what_it_matches() {
    let machine = Machine::with(&noting(&["test*"]));
    machine.hook(&stop(&machine, "test-runner")).is_silent();
    machine.hook(&stop(&machine, "runner")).is_silent();
    assert_eq!(ran(&machine), ["test*"]);
    matches("t*r", &["tr", "tester"], &["test", "atr"]);
    matches("test?", &["tests", "test1"], &["test", "tester"]);
    matches("[ct]oder", &["coder", "toder"], &["oder", "moder"]);
    matches("[!c]oder", &["toder"], &["coder"]);
    matches("[a-c]1", &["a1", "c1"], &["d1", "-1"]);
}

/// Specification 003: Multiple pattern configuration
#[test]
fn patterns_of_all_kinds_stand_side_by_side() {
    let text = noting(&["*", "coder", "test*"]);
    loads(one_file(&text));
    let of = |name| commands(&text, name).into_iter().map(|run| run.rule).collect::<Vec<_>>();
    assert_eq!(of("coder"), ["r0", "r1"]);
    assert_eq!(of("tester"), ["r0", "r2"]);
    assert_eq!(of("stuck"), ["r0"]);
    assert_eq!(commands(&noting(&["coder", "test*"]), "stuck"), []);
}

/// Specification 003: Wildcard matches all subagents
#[test]
fn a_star_matches_every_name() {
    matches("*", &["coder", "tester", "stuck", "a", "a b/c:d", "unknown", "*"], &[]);
    let without = "rule r {\n  on SubagentStop\n  run \"true\"\n}\n";
    assert_eq!(commands(without, "coder").len(), 1);
}

/// Specification 003: Exact match pattern
#[test]
fn a_name_matches_itself_alone() {
    matches("coder", &["coder"], &["auto-coder", "coder-agent", "CODER", ""]);
}

/// Specification 003: Prefix glob pattern
#[test]
fn a_prefix_matches_what_begins_with_it() {
    matches("test*", &["tester", "test-runner", "testing", "test"], &["runner-test", "tes"]);
}

/// Specification 003: Suffix glob pattern
#[test]
fn a_suffix_matches_what_ends_with_it() {
    matches("*coder", &["coder", "auto-coder", "smart-coder"], &["coder-agent"]);
}

/// Specification 003: Character class glob pattern
#[test]
fn a_class_matches_one_of_its_characters() {
    matches("agent_[0-9]*", &["agent_1", "agent_2x", "agent_99test"], &["agent_x", "agent", "agent_"]);
}

/// Specification 003: Multiple patterns match same subagent
#[test]
fn every_pattern_that_matches_counts() {
    let runs = commands(&noting(&["*", "coder", "*coder", "tester"]), "coder");
    let shown: Vec<&str> = runs.iter().map(|run| run.source_text.as_str()).collect();
    assert_eq!(shown, ["echo '*' >> ran", "echo 'coder' >> ran", "echo '*coder' >> ran"]);
}
