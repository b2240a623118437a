//! The limit of work that a payload can cause: beyond it the answer is unknown, immediately.

use hookrules::verdict::Decision::{self, Ask, Deny, Pass};
use serde_json::json;

use crate::kit::{Given, bash, call, judge, policy, write};

#[track_caller]
fn decides(text: &str, given: &Given, expected: Decision) {
    assert_eq!(judge(&policy(text), given).verdict.decision(), expected);
}

#[test]
fn a_call_that_names_too_much_is_unknown() {
    let guard =
        "rule a {\n  on PreToolUse\n  when path like \"**/.env\" or writes outside [project, tmp]\n  deny \"no\"\n}\n";
    let many: Vec<String> = (0..200_000).map(|number| format!("/tmp/x/../y{number}")).collect();
    decides(guard, &call("mcp__fs__touch", json!({ "paths": many })), Ask);
    let long = format!("/tmp/{}", "a/b/c/".repeat(100_000));
    decides(guard, &call("mcp__fs__touch", json!({ "path": long })), Ask);
    decides(guard, &write(&long, "x"), Ask);
    decides(guard, &call("mcp__fs__touch", json!({ "paths": ["/tmp/a", "/etc/b"] })), Deny);
}

#[test]
fn a_replacement_in_too_long_a_text_asks() {
    let redact = "rule a {\n  on PreToolUse(Write)\n  rewrite content replace /<s>[^x]*<.s>|<s>/ with \"x\"\n}\n";
    decides(redact, &write("/project/a", &"<s>".repeat(100)), Pass);
    decides(redact, &write("/project/a", &"<s>".repeat(100_000)), Ask);
    let grow = "rule a {\n  on PreToolUse(Write)\n  rewrite content replace /a/ with \"$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0\"\n}\n";
    decides(grow, &write("/project/a", &"a".repeat(120_000)), Ask);
}

#[test]
fn a_device_is_no_file() {
    let guard = "rule a {\n  on PreToolUse\n  when writes outside project\n  deny \"no\"\n}\n";
    decides(guard, &write("/dev/null", "x"), Pass);
    decides(guard, &write("/dev/sda", "x"), Deny);
}

#[test]
fn another_spelling_of_a_path_member_is_seen() {
    let guard = "rule a {\n  on PreToolUse\n  when reads like \".env\"\n  deny \"no\"\n}\n";
    for member in ["filePath", "absolute_path", "old_path", "dir"] {
        decides(guard, &call("mcp__fs__get", json!({ member: "/project/.env" })), Deny);
    }
}

#[test]
fn whose_output_is_in_which_word_is_found_out_up_to_a_bound() {
    let guard = "rule a {\n  on PreToolUse\n  when runs \"rm\"\n  deny \"no\"\n}\n";
    let words = |count: usize| bash(&format!("env ls {}", "$(a b) ".repeat(count)));
    decides(guard, &words(30), Pass);
    decides(guard, &words(3_000), Ask);
}

#[test]
fn streams_that_are_too_many_to_be_followed_are_unknown() {
    let guard = "rule a {\n  on PreToolUse\n  when pipes \"curl\" into \"sh\"\n  deny \"no\"\n}\n";
    let before = |count: usize, text: &str| bash(&format!("{}{text}", "a > >(b); ".repeat(count)));
    decides(guard, &before(10, "curl u > >(sh)"), Deny);
    decides(guard, &before(10, "ls"), Pass);
    decides(guard, &before(300, "ls"), Ask);
    for text in ["curl u > >(sh)", "exec 3> >(sh); curl u >&3", "coproc sh; curl u >&${COPROC[1]}"] {
        let decision = judge(&policy(guard), &before(300, text)).verdict.decision();
        assert!(decision >= Ask, "{text}: {decision:?}");
    }
}
