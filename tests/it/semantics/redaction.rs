//! The meaning of `rewrite tool_response replace /…/ with "…"`: every text of an output, in the specified order, and
//! nothing is shown that could not be examined.

use std::rc::Rc;

use hookrules::budget::Budget;
use hookrules::context::{Context, ShellTools};
use hookrules::eval::{TraceDetail, evaluate};
use hookrules::facts::StatedFacts;
use hookrules::host::{Host, encode};
use serde_json::{Value as Json, json};

use crate::kit::*;

const KEYS: &str =
    "rule keys {\n  on PostToolUse\n  rewrite tool_response replace /ghp_[A-Za-z0-9]{4,}/ with \"[key]\"\n}\n";

fn after(tool: &str, output: Json) -> Given {
    event("PostToolUse", json!({"tool_name": tool, "tool_input": {"command": "x"}, "tool_response": output}))
}

fn bash_output(stdout: &str) -> Json {
    json!({"stdout": stdout, "stderr": "", "interrupted": false})
}

/// Returns the output that the model gets.
#[track_caller]
fn read_by_model(policy_text: &str, given: &Given) -> Json {
    let verdict = judge(&policy(policy_text), given).verdict;
    verdict.updated_output.unwrap_or_else(|| given.payload.json["tool_response"].clone())
}

#[test]
fn every_text_of_an_output_is_looked_at_and_all_else_stays() {
    for (output, expected) in [
        (bash_output("a ghp_abcd ghp_efgh"), bash_output("a [key] [key]")),
        (json!("ghp_abcd"), json!("[key]")),
        (
            json!([{"type": "text", "text": "ghp_abcd"}, {"type": "text", "text": "b", "n": [1.5, null, true]}]),
            json!([{"type": "text", "text": "[key]"}, {"type": "text", "text": "b", "n": [1.5, null, true]}]),
        ),
        (
            json!({"z": {"y": ["ghp_abcd", {"ghp_name": "xghp_abcdx"}]}, "a": 9_007_199_254_740_993_u64}),
            json!({"z": {"y": ["[key]", {"ghp_name": "x[key]"}]}, "a": 9_007_199_254_740_993_u64}),
        ),
    ] {
        check(KEYS, &after("Bash", output), &format!("pass + output {expected}"));
    }
    for output in [bash_output("nothing"), json!(""), json!(null), json!(5), json!([])] {
        check(KEYS, &after("Bash", output), "pass");
    }
    check(KEYS, &event("PostToolUse", json!({"tool_name": "Bash"})), "pass");
    check(KEYS, &bash("echo ghp_abcd"), "pass");
}

#[test]
fn the_words_that_say_what_shape_an_output_has_stay() {
    let all = "rule all {\n  on PostToolUse\n  rewrite tool_response replace /(?s).+/ with \"-\"\n}\n";
    let output = json!({"type": "text", "file": {"type": "text of mine", "content": "text"}, "mode": ["content"], "service_tier": "standard"});
    let expected =
        json!({"type": "text", "file": {"type": "-", "content": "-"}, "mode": ["-"], "service_tier": "standard"});
    check(all, &after("Read", output), &format!("pass + output {expected}"));
}

#[test]
fn rules_rewrite_in_evaluation_order_each_the_previous_result() {
    let text = "rule a {\n  on PostToolUse\n  rewrite tool_response replace /(\\w+)@(\\w+)/ with \"<$2>\"\n  \
                rewrite tool_response replace /<x>/ with \"x-{tool_name}\"\n}\n\
                rule b {\n  on PostToolUse\n  rewrite tool_response replace /x-Bash/ with \"$$\"\n}\n";
    assert_eq!(read_by_model(text, &after("Bash", json!("me@x you@y"))), json!("$ <y>"));
}

#[test]
fn a_rule_that_does_not_match_or_only_observes_rewrites_nothing() {
    let when = KEYS.replace("  rewrite", "  when command == \"x\"\n  rewrite");
    let output = json!("ghp_abcd");
    check(&when, &after("Bash", output.clone()), "pass + output \"[key]\"");
    check(&when.replace("\"x\"", "\"y\""), &after("Bash", output.clone()), "pass");
    check(&format!("@observe\n{KEYS}"), &after("Bash", output.clone()), "pass");
    check(&format!("@off\n{KEYS}"), &after("Bash", output), "pass");
}

#[test]
fn nothing_is_shown_where_a_rule_is_unknown() {
    let when = KEYS.replace("  rewrite", "  when git.branch == \"main\"\n  rewrite");
    let output = json!({"type": "text", "stdout": "ghp_abcd", "stderr": "", "more": ["b", 1]});
    let unknown = |text: &str| {
        let given = after("Bash", output.clone()).with(Unreadable(StatedFacts::for_examples()));
        read_by_model(text, &given)
    };
    let note = "[withheld: `keys` cannot examine this output: ";
    let read = unknown(&when);
    assert_eq!((&read["type"], &read["stderr"], &read["more"][1]), (&json!("text"), &json!(""), &json!(1)));
    assert!(read["stdout"].as_str().unwrap().starts_with(note), "{read}");
    assert!(read["more"][0].as_str().unwrap().starts_with(note), "{read}");
    // Other rules neither restore the texts nor change the note.
    let other = "rule z {\n  on PostToolUse\n  rewrite tool_response replace /withheld/ with \"x\"\n}\n";
    assert_eq!(unknown(&format!("{when}{other}")), read);
    assert_eq!(unknown(&when.replace("  rewrite", "  unknown ignore\n  rewrite")), output);
}

#[test]
fn nothing_is_shown_of_what_the_account_does_not_suffice_for() {
    let rules = policy(KEYS);
    let given = after("Bash", bash_output(&format!("{} ghp_abcd", "a ".repeat(100_000))));
    let read = |units: u64| {
        let tools = ShellTools::default();
        let context = Context::new(&given.payload, Host::CLAUDE_CODE.name(), &*given.facts, &tools);
        let verdict =
            evaluate(&rules.rules, &context.with_budget(Rc::new(Budget::new(units))), TraceDetail::Outcomes).verdict;
        verdict.updated_output.map(|output| output["stdout"].as_str().unwrap().to_owned()).unwrap_or_default()
    };
    assert_eq!(read(10_000_000).split_off(199_990), "a a a a a  [key]");
    assert_eq!(
        read(10_000),
        "[withheld: `keys` cannot examine this output: judging this event takes more work than is allowed for one event]"
    );
    // A search that is quadratic in the length of a text exceeds the budget of the event.
    let square = KEYS.replace("ghp_[A-Za-z0-9]{4,}", "a(?:[^b]*b)?");
    let read = read_by_model(&square, &after("Bash", json!("a".repeat(1 << 20))));
    assert!(read.as_str().unwrap().starts_with("[withheld: "));
}

#[test]
fn an_output_of_many_texts_is_withheld_in_little_memory() {
    let when = KEYS.replace("  rewrite", "  when git.branch == \"main\"\n  rewrite");
    let given = after("Bash", json!(vec!["a"; 5_000])).with(Unreadable(StatedFacts::for_examples()));
    let read = read_by_model(&when, &given);
    assert_eq!(read.as_array().unwrap().len(), 5_000);
    assert_eq!(read[4_999], json!("[withheld]"));
    assert!(read.to_string().len() < 500_000);
}

#[test]
fn a_halt_beside_it_shows_nothing_either() {
    let halts = "rule stop {\n  on PostToolUse\n  halt \"Enough.\"\n}\n";
    let given = after("Bash", json!("ghp_abcd"));
    check(&format!("{KEYS}{halts}"), &given, "halt by stop: Enough. + output \"[key]\"");
    let one = KEYS.replace("  rewrite", "  halt \"Enough.\"\n  rewrite");
    let verdict = judge(&policy(&one), &given).verdict;
    let sent: Json = serde_json::from_str(&encode(Host::CLAUDE_CODE, &verdict).stdout).unwrap();
    assert_eq!(sent["hookSpecificOutput"]["updatedToolOutput"], json!("[key]"));
    assert_eq!(sent["continue"], json!(false));
}

#[test]
fn commands_get_the_rewritten_output() {
    let text = format!("{KEYS}rule log {{\n  on PostToolUse\n  run [\"log\", \"--\", \"{{tool_response}}\"]\n}}\n");
    check(&text, &after("Bash", json!("ghp_abcd")), "pass + output \"[key]\" + run [\"log\", \"--\", \"[key]\"]");
}

#[test]
fn an_output_is_rewritten_after_the_call_alone_and_as_a_whole() {
    let rule = |event: &str, rewrite: &str| format!("rule r {{\n  on {event}\n  rewrite {rewrite}\n}}\n");
    let output = "tool_response replace /a/ with \"b\"";
    for event in ["PreToolUse", "PermissionRequest", "PreToolUse, PostToolUse"] {
        rejects(&rule(event, output), "R0510 `P");
    }
    rejects(&rule("PostToolUseFailure", output), "R0502 `PostToolUseFailure` cannot carry `rewrite`");
    rejects(&rule("PostToolUse", "tool_response = \"b\""), "R0510 `tool_response` cannot be set");
    rejects(&rule("PostToolUse", "tool_response.stdout = \"b\""), "R0510 `tool_response.stdout` cannot be set");
    rejects(&rule("PostToolUse", "tool_response.stdout replace /a/ with \"b\""), "R0510 `tool_response.stdout` cannot");
    for input in ["command = \"x\"", "tool_input.command = \"x\"", "runs \"a\" to \"b\"", "path replace /a/ with \"b\""]
    {
        rejects(&rule("PostToolUse", input), "R0510 `PostToolUse` cannot change the input of a call");
    }
}
