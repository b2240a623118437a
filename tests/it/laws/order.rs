//! Law 3: order governs effects only, and what counts as wildcard.

use serde_json::json;

use crate::kit::*;
use hookrules::config::LayerKind;

/// Returns the contexts of a call in their order.
#[track_caller]
fn contexts(policy: &hookrules::policy::Policy, given: &Given) -> Vec<String> {
    judge(policy, given).verdict.contexts.iter().map(|note| note.author.name().to_owned()).collect()
}

/// Checks whether a head is wildcard: a wildcard rule precedes an earlier one that is not.
#[track_caller]
fn is_wildcard(head: &str, given: &Given, expected: bool) {
    let event = given.payload.event.name();
    let text = format!(
        "rule selects {{ on {event}({})\n  warn \"s\"\n}}\nrule r {{ {head}\n  warn \"r\"\n}}\n",
        given.payload.nonempty_text("tool_name").or_else(|| given.payload.nonempty_text("source")).unwrap()
    );
    let verdict = judge(&policy(&text), given).verdict;
    let order: Vec<&str> = verdict.warnings.iter().map(|note| note.author.name()).collect();
    let wanted = if expected { ["r", "selects"] } else { ["selects", "r"] };
    assert_eq!(order, wanted, "{head}");
}

#[test]
fn law_3_the_head_alone_says_what_is_wildcard() {
    for head in [
        "on *",
        "on PreToolUse",
        "on PreToolUse(*)",
        "on PreToolUse(\"*\")",
        "on PreToolUse, PostToolUse",
        "on PreToolUse(*), PostToolUse",
        "on PreToolUse\n  by *",
        "on PreToolUse(*)\n  by \"*\"",
        "on PreToolUse\n  when tool_name == \"Bash\"",
    ] {
        is_wildcard(head, &bash("x"), true);
    }
    for head in [
        "on PreToolUse(Bash)",
        "on PreToolUse(B*)",
        "on PreToolUse(*|Bash)",
        "on PreToolUse(!Read)",
        "on PreToolUse(*|!Read)",
        "on PreToolUse, PostToolUse(Bash)",
        "on PreToolUse\n  by main",
        "on PreToolUse\n  by !coder",
        "on PreToolUse(**)",
    ] {
        is_wildcard(head, &bash("x"), false);
    }
    is_wildcard("on SessionStart", &event("SessionStart", json!({"source": "resume"})), true);
    is_wildcard("on SessionStart(resume|clear)", &event("SessionStart", json!({"source": "resume"})), false);
}

#[test]
fn law_3_wildcard_rules_come_first_each_group_in_source_order() {
    let rule = |name: &str, head: &str| format!("rule {name} {{ on {head}\n  context \"c\"\n}}\n");
    let text = [
        rule("tool-one", "PreToolUse(Bash)"),
        rule("wild-one", "PreToolUse"),
        rule("tool-two", "PreToolUse(B*)"),
        rule("wild-two", "PreToolUse(*)"),
    ]
    .concat();
    assert_eq!(contexts(&policy(&text), &bash("x")), ["wild-one", "wild-two", "tool-one", "tool-two"]);
}

#[test]
fn law_3_layers_then_files_in_load_order_then_position() {
    let rules = |names: &[(&str, &str)]| -> String {
        names.iter().map(|(name, head)| format!("rule {name} {{ on {head}\n  context \"c\"\n}}\n")).collect()
    };
    let both = |tool: &str, wild: &str| rules(&[(tool, "PreToolUse(Bash)"), (wild, "PreToolUse")]);
    let used = both("u-tool", "u-wild");
    let first = format!("use \"./z.rules\"\n{}", both("a-tool", "a-wild"));
    let managed = both("tool", "wild");
    let policy = loads(compiled(&[
        (LayerKind::Managed, &[("m.rules", &managed)]),
        (LayerKind::Project, &[("a.rules", &first), ("z.rules", &used)]),
        (LayerKind::Local, &[("l.rules", &managed)]),
    ]));
    assert_eq!(
        contexts(&policy, &bash("x")),
        ["managed/wild", "u-wild", "a-wild", "local/wild", "managed/tool", "u-tool", "a-tool", "local/tool"]
    );
}

#[test]
fn law_3_effects_of_a_rule_keep_their_order() {
    check(
        "rule r { on PreToolUse\n  context \"1\"\n  context \"2\"\n  run \"a\"\n  run \"b\"\n}\n",
        &bash("x"),
        "pass + context \"1\" + context \"2\" + run \"a\" [] + run \"b\" []",
    );
}
