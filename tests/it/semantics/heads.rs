//! Heads: events, selectors, agents; the effect of annotations on a rule; plan mode.

use serde_json::json;

use crate::kit::*;
use hookrules::schema::{EVENTS, Subject};

/// Checks whether a head selects a payload.
#[track_caller]
fn selects(head: &str, given: &Given, expected: bool) {
    let text = format!("rule r {{\n  on {head}\n  warn \"w\"\n}}\n");
    check(&text, given, if expected { "pass + warn \"w\"" } else { "pass" });
}

#[test]
fn a_selector_is_a_glob_on_the_subject() {
    for (selectors, expected) in [
        ("Bash", true),
        ("BASH", false),
        // The name of the tool in other agents.
        ("bash", true),
        ("Ba*", true),
        ("*sh", true),
        ("B?sh", true),
        ("[AB]ash", true),
        ("[!B]ash", false),
        ("Read|Bash", true),
        ("Read|Write", false),
        ("!Read", true),
        ("!Bash", false),
        ("!Ba*|!Read", false),
        ("*|!Bash", false),
        ("B*|!Bash", false),
        ("\"Bash\"", true),
        ("\"B*\"", true),
        ("Bas", false),
        ("*", true),
        ("**", true),
    ] {
        selects(&format!("PreToolUse({selectors})"), &bash("x"), expected);
    }
    selects("PreToolUse(mcp__*__write*)", &call("mcp__db__write_row", json!({})), true);
    selects("PreToolUse(mcp__*__write*)", &call("mcp__db__read", json!({})), false);
    selects("PreToolUse(Task)", &call("Agent", json!({})), true);
    selects("PreToolUse(Agent)", &call("Task", json!({})), true);
    selects("PreToolUse(!Task)", &call("Agent", json!({})), false);
}

#[test]
fn a_dot_before_a_star_is_a_dot_in_names_that_have_dots() {
    let subagent = |name: &str| event("SubagentStop", json!({"agent_id": "a1", "agent_type": name}));
    let file = |path: &str| event("FileChanged", json!({"file_path": path, "event": "change"}));
    let model = |name: &str| event("PreModelSwitch", json!({"to_model": name, "from_model": "x"}));
    for (head, given, expected) in [
        ("SubagentStop(coder.*)", subagent("coder.rust"), true),
        ("SubagentStop(coder.*)", subagent("coder"), false),
        ("SubagentStop(\"[.]*\")", subagent(".hidden"), true),
        ("FileChanged(package.*)", file("/p/package.json"), true),
        ("FileChanged(package.*)", file("/p/packages"), false),
        ("FileChanged(.env.*)", file("/p/.env.local"), true),
        ("FileChanged(\"^notes$\")", file("/p/^notes$"), true),
        ("PreModelSwitch(claude-3.*)", model("claude-3.5-haiku"), true),
        ("PreModelSwitch(claude-3.*)", model("claude-37"), false),
    ] {
        selects(head, &given, expected);
    }
    by("coder.*|main", &event("PreToolUse", json!({"tool_name": "Bash", "tool_input": {"command": "x"}})), true);
    for (head, message) in [
        ("PreToolUse(mcp__.*)", "R0401 a selector is a glob, not a regex"),
        ("PreToolUse(\"^Bash\")", "R0401 a selector is a glob, not a regex"),
        ("PermissionRequest(\"Bash$\")", "R0401 a selector is a glob, not a regex"),
        ("SubagentStart(\"^coder$\")", "R0401 a selector is a glob, not a regex"),
        ("PreModelSwitch(\"claude-3.*$\")", "R0401 a selector is a glob, not a regex"),
    ] {
        rejects(&format!("rule r {{\n  on {head}\n  warn \"w\"\n}}\n"), message);
    }
}

#[test]
fn each_event_has_its_own_subject() {
    for spec in EVENTS.iter().filter(|spec| spec.name != "WorktreeCreate") {
        let (field, value) = match spec.subject {
            Subject::None => {
                rejects(
                    &format!("rule r {{\n  on {}(x)\n  warn \"w\"\n}}\n", spec.name),
                    &format!("R0112 `{}` takes no selector", spec.name),
                );
                continue;
            }
            Subject::Tool => ("tool_name", "abc"),
            Subject::Field(field) => (field, "abc"),
            Subject::BaseName(field) => (field, "/x/y/abc"),
        };
        let given = event(spec.name, json!({field: value}));
        for (selector, expected) in [("abc", true), ("a*", true), ("x", false), ("!x", true), ("!abc", false)] {
            selects(&format!("{}({selector})", spec.name), &given, expected);
        }
    }
}

#[test]
fn a_subject_without_a_value_is_matched_only_without_a_selector_or_by_a_star() {
    for subject in [json!({"tool_name": null}), json!({"tool_name": ""}), json!({})] {
        let given = event("PreToolUse", subject);
        for (head, expected) in [
            ("PreToolUse", true),
            ("PreToolUse(*)", true),
            ("PreToolUse(\"*\")", true),
            ("PreToolUse(!x)", false),
            ("PreToolUse(a*)", false),
            ("*", true),
        ] {
            selects(head, &given, expected);
        }
    }
}

#[test]
fn on_star_is_every_event_but_two() {
    for spec in EVENTS {
        let given = event(spec.name, json!({}));
        let expected = !matches!(spec.name, "WorktreeCreate" | "MessageDisplay");
        let verdict = judge(&policy("rule r {\n  on *\n  warn \"w\"\n}\n"), &given).verdict;
        assert_eq!(!verdict.warnings.is_empty(), expected, "{}", spec.name);
    }
    rejects("rule r {\n  on *, Stop\n  warn \"w\"\n}\n", "R0112 `on *` with other events");
}

/// Checks whether `by` selects the agent.
#[track_caller]
fn by(selectors: &str, given: &Given, expected: bool) {
    selects(&format!("PreToolUse\n  by {selectors}"), given, expected);
}

#[test]
fn by_selects_who_acts() {
    let (main, coder) = (|| bash("x"), || bash("x").by("coder"));
    for (selectors, of_main, of_coder) in [
        ("main", true, false),
        ("!main", false, true),
        ("coder", false, true),
        ("!coder", true, false),
        ("cod*", false, true),
        ("main|coder", true, true),
        ("reviewer", false, false),
        ("!reviewer", true, true),
        ("*", true, true),
        ("*|!main", false, true),
        ("!main|!coder", false, false),
        ("\"coder\"", false, true),
        ("main|!coder", true, false),
    ] {
        by(selectors, &main(), of_main);
        by(selectors, &coder(), of_coder);
    }
    // A session may be started as an agent: it is main, but has that type.
    let started = bash("x").set(json!({"agent_type": "reviewer"}));
    by("main", &started, true);
    by("reviewer", &started, true);
    by("!main", &started, false);
    // A subagent may have the type `main`: that does not make it the main thread.
    by("main", &bash("x").by("main"), false);
}

#[test]
fn events_that_do_not_say_who_acts_take_no_by() {
    for spec in EVENTS.iter().filter(|spec| !spec.has_agent && spec.name != "WorktreeCreate") {
        rejects(
            &format!("rule r {{\n  on {}\n  by main\n  warn \"w\"\n}}\n", spec.name),
            &format!("R0112 `{}` takes no `by`", spec.name),
        );
    }
}

#[test]
fn off_and_observe_take_no_part() {
    let rule = |annotation: &str| {
        format!("{annotation}rule r {{\n  on PreToolUse\n  deny \"no\"\n  warn \"w\"\n  run \"x\"\n}}\n")
    };
    check(&rule(""), &bash("x"), "deny by r: no + warn \"w\" + run \"x\" []");
    check(&rule("@off\n"), &bash("x"), "pass");
    check(&rule("@observe\n"), &bash("x"), "pass");
    let observed = judge(&policy(&rule("@observe\n")), &bash("x")).observed;
    assert_eq!(observed.iter().map(|vote| vote.displayed_message()).collect::<Vec<_>>(), ["no"]);
    assert!(judge(&policy(&rule("@off\n")), &bash("x")).observed.is_empty());
    rejects("@off(now)\nrule r {\n  on Stop\n  deny \"x\"\n}\n", "R0119 invalid argument of `@off`");
    rejects("@of\nrule r {\n  on Stop\n  deny \"x\"\n}\n", "R0115 unknown annotation `@of`");
    rejects("@severity(extreme)\nrule r {\n  on Stop\n  deny \"x\"\n}\n", "R0119 invalid argument of `@severity`");
}

#[test]
fn in_plan_mode_an_allow_is_given_only_by_a_rule_that_names_the_mode() {
    let plan = || bash("x").set(json!({"permission_mode": "plan"}));
    let rule =
        |when: &str| format!("def mode = permission_mode == \"plan\"\nrule r {{\n  on PreToolUse\n{when}  allow\n}}\n");
    check(&rule(""), &plan(), "pass");
    check(&rule(""), &bash("x"), "allow by r");
    for when in [
        "permission_mode in [\"plan\", \"default\"]",
        "mode",
        "`$.permission_mode` == \"plan\"",
        "exists permission_mode",
    ] {
        check(&rule(&format!("  when {when}\n")), &plan(), "allow by r");
    }
    check(&rule("  unless permission_mode == \"default\"\n"), &plan(), "allow by r");
    check(&rule("  when tool_name == \"Bash\"\n"), &plan(), "pass");
    let request = event("PermissionRequest", json!({"tool_name": "Bash", "permission_mode": "plan"}));
    check("rule r {\n  on PermissionRequest\n  allow\n}\n", &request, "pass");
    // Only the allow is withheld.
    check("rule r {\n  on PreToolUse\n  allow\n  context \"c\"\n}\n", &plan(), "pass + context \"c\"");
}

#[test]
fn a_clause_stands_once_and_a_rule_has_a_head_and_an_effect() {
    rejects("rule r {\n  on Stop\n  on Stop\n  deny \"x\"\n}\n", "R0511 a second `on`");
    rejects(
        "rule r {\n  on Stop\n  when stop_hook_active\n  when stop_hook_active\n  deny \"x\"\n}\n",
        "R0511 a second `when`",
    );
    rejects("rule r {\n  deny \"x\"\n}\n", "R0505 `r` has no `on` clause");
    rejects("rule r {\n  on Stop\n}\n", "R0505 `r` has no effect");
    rejects("rule r {\n  on PreToolUse\n  deny \"a\"\n  ask \"b\"\n}\n", "R0506 one rule says");
}

#[test]
fn an_effect_that_the_event_cannot_carry_is_an_error() {
    for spec in EVENTS {
        let can = spec.answers;
        for (effect, possible) in [
            ("deny \"x\"", can.deny),
            ("ask \"x\"", can.ask),
            ("allow", can.allow),
            ("halt \"x\"", can.halt),
            ("context \"x\"", can.context),
            ("warn \"x\"", can.warn),
            ("exit 1 \"x\"", can.warn),
            ("rewrite tool_input.x = 1", can.rewrite && spec.name != "PostToolUse"),
            ("rewrite tool_response replace /x/ with \"\"", spec.name == "PostToolUse"),
            ("notify \"x\"", true),
            ("record \"f\" { session_id }", true),
            ("run \"x\" { on_fail: deny }", can.deny),
            ("run \"x\" { on_fail: context }", can.context),
            ("run \"x\" { on_fail: ask }", can.ask),
            ("run \"x\" { output: context }", can.context),
            ("run \"x\" { output: hook }", can.deny || can.ask),
        ] {
            let run = if spec.name == "WorktreeCreate" { "\n  run \"make\"" } else { "" };
            let policy = one_file(&format!("rule r {{\n  on {}\n  {effect}{run}\n}}\n", spec.name));
            let loads = policy.broken_layers().next().is_none();
            assert_eq!(loads, possible, "{} {effect}: {}", spec.name, rendered(&policy));
        }
    }
    rejects("rule r {\n  on WorktreeCreate\n  deny \"x\"\n}\n", "R0505 a rule on `WorktreeCreate` without a `run`");
}
