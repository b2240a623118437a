//! Policies without rules on SubagentStop, which change nothing, and policies that do not load.

use serde_json::json;

use super::{listening, notified, noting, ran, stop};
use crate::kit::one_file;
use crate::machine::Machine;
use hookrules::diagnostic::{Diagnostic, DiagnosticFormat, render};

/// Returns the notification about a stop without any policy.
#[track_caller]
fn told_without_a_policy() -> String {
    let machine = Machine::new();
    listening(&machine);
    machine.hook(&stop(&machine, "coder")).is_silent();
    notified(&machine)
}

/// Specification 003: Config without subagentStop section
#[test]
fn without_rules_on_the_stop_the_user_is_notified_as_before() {
    let machine = Machine::with(
        "rule calls {\n  on PreToolUse\n  run \"echo call >> ran\"\n}\n\
         rule stops {\n  on Stop\n  run \"echo stop >> ran\"\n}\n",
    );
    listening(&machine);
    machine.hook(&stop(&machine, "coder")).is_silent();
    assert_eq!(notified(&machine), told_without_a_policy());
    assert_eq!(ran(&machine), Vec::<String>::new());

    // A user who did not ask for notifications gets none.
    machine.write("user/rules.toml", "");
    machine.hook(&stop(&machine, "coder")).is_silent();
    assert!(!machine.exists("home/told"));
}

/// Specification 003: Empty subagentStop configuration
#[test]
fn an_empty_policy_runs_nothing_and_the_user_is_notified_as_before() {
    for text in ["", "# Commands for subagents come here.\n", "let agents = [\"coder\"]\n"] {
        let machine = Machine::with(text);
        listening(&machine);
        machine.hook(&stop(&machine, "coder")).is_silent();
        assert_eq!(notified(&machine), told_without_a_policy());
        assert_eq!(ran(&machine), Vec::<String>::new());
    }
}

/// Specification 003: subagentStop config does not affect other hooks
#[test]
fn rules_on_the_stop_of_subagents_leave_other_events_alone() {
    let machine = Machine::with(&noting(&["*", "coder", "unknown"]));
    for name in
        ["Stop", "SessionEnd.other", "SubagentStart", "PreToolUse.Bash", "PostToolUse.Bash", "SessionStart.startup"]
    {
        let mut payload = machine.captured(&format!("2.1.330/{name}"));
        payload["agent_id"] = json!("a1");
        payload["agent_type"] = json!("coder");
        machine.hook(&payload).is_silent();
        assert_eq!(ran(&machine), Vec::<String>::new(), "{name}");
    }
    machine.hook(&stop(&machine, "coder")).is_silent();
    assert_eq!(ran(&machine), ["*", "coder"]);
    // And vice versa.
    let machine = Machine::with("rule stops {\n  on Stop, SessionEnd\n  run \"echo stop >> ran\"\n}\n");
    machine.hook(&stop(&machine, "coder")).is_silent();
    assert_eq!(ran(&machine), Vec::<String>::new());
}

/// Specification 003: Valid subagentStop configuration
#[test]
fn a_valid_policy_checks_clean() {
    let machine = Machine::with(
        "rule every {\n  on SubagentStop(*)\n  run \"make report\" { message: \"No report.\", show_stdout: true, \
         show_stderr: false, max_output_lines: 1 }\n\n  fires on SubagentStop(coder)\n}\n\n\
         rule some {\n  on SubagentStop(coder|*-tester|\"agent_[0-9]?\")\n  run [\"make\", \"lint\"] { timeout: 5m }\n\n  \
         fires on SubagentStop(agent_12)\n  quiet on SubagentStop(agent_x)\n}\n",
    );
    let checked = machine.rules(&["check"], "");
    assert_eq!((checked.exit, checked.stderr.as_str()), (0, ""), "{checked:?}");
    assert_eq!(checked.stdout, "no findings in 2 rules and 1 file; 3 examples passed\n");
}

/// Asserts that a rule has one mistake that keeps the policy from loading: its code and message, its place, its help.
#[track_caller]
fn refused(head: &str, effect: &str, expected: [&str; 3]) {
    let text = format!("rule r {{\n  {head}\n  {effect}\n}}\n");
    let policy = one_file(&text);
    assert_eq!(policy.broken_layers().count(), 1, "it loads: {text}");
    let found: Vec<&Diagnostic> = policy.diagnostics().collect();
    let [found] = found.as_slice() else { panic!("{found:?}") };
    let shown = render(found, &policy.sources, DiagnosticFormat::Short);
    let [message, place, help] = expected;
    assert!(shown.contains(message) && shown.starts_with(place), "{shown}");
    assert_eq!(found.help.as_deref(), Some(help), "{text}");

    let machine = Machine::with(&format!("{text}{}", noting(&["coder"])));
    let reply = machine.hook(&stop(&machine, "coder"));
    assert!(reply.warning().contains("does not load"), "{reply:?}");
    assert_eq!(ran(&machine), Vec::<String>::new(), "nothing of it counts");
}

/// Specification 003: Invalid command structure
#[test]
fn a_run_without_a_command_does_not_load() {
    let head = "on SubagentStop(coder)";
    let missing = "R0001 syntax: expected a command, found `{`";
    let nothing = "R0001 syntax: expected a command, found the end of the line";
    refused(
        head,
        "run { message: \"M\", show_stdout: true }",
        [missing, "project.rules:3:7", "write `run \"cargo fmt\"`"],
    );
    refused(head, "run", [nothing, "project.rules:3:6", "write `run \"cargo fmt\"`"]);
    refused(
        head,
        "run \" \" { message: \"M\" }",
        ["`run` without a command", "project.rules:3:7", "write the command"],
    );
    let empty = ["`run` without a program", "project.rules:3:7", "write [\"program\", \"argument\"]"];
    refused(head, "run []", empty);
}

/// Specification 003: Invalid maxOutputLines value
#[test]
fn fewer_than_one_line_of_output_does_not_load() {
    for value in ["0", "-1", "0.5", "2.5", "-0"] {
        let effect = format!("run \"make\" {{ max_output_lines: {value} }}");
        let message = "`max_output_lines` is a whole number of at least 1";
        refused("on SubagentStop(coder)", &effect, [message, "project.rules:3:34", "write 1 or more"]);
    }
    let machine = Machine::with("rule r {\n  on SubagentStop\n  run \"make\" { max_output_lines: 1 }\n}\n");
    assert_eq!(machine.rules(&["check"], "").exit, 0);
}

/// Specification 003: Pattern is empty string
#[test]
fn an_empty_pattern_does_not_load() {
    let help = "write a name, or `*` for everything";
    let effect = "run \"make\"";
    refused("on SubagentStop(\"\")", effect, ["R0401 invalid-pattern: an empty selector", "project.rules:2:19", help]);
    refused(
        "on SubagentStop(coder|\"\")",
        effect,
        ["R0401 invalid-pattern: an empty selector", "project.rules:2:25", help],
    );
    let none = ["missing selector in parentheses", "project.rules:2:19", "write a selector, or delete the parentheses"];
    refused("on SubagentStop()", effect, none);
}
