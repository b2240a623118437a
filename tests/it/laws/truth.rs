//! Laws 4 and 6: three-valued truth, what an unknown votes, and the same verdict twice.

use serde_json::json;

use crate::kit::Comes::{F, T, U};
use crate::kit::*;
use hookrules::eval::RuleOutcome;
use hookrules::facts::StatedFacts;

const DEFS: &str = "def t = tool_name == \"Bash\"\ndef f = tool_name == \"Read\"\ndef u = env.X == \"1\"\n\
                    let yes = true\nlet no = false\n";

fn unknown() -> Given {
    bash("x").with(Unreadable(StatedFacts::for_examples()))
}

#[test]
fn law_4_and_or_and_not_follow_kleene() {
    conditions_with(
        DEFS,
        &unknown(),
        &[
            ("t", T),
            ("f", F),
            ("u", U),
            ("not t", F),
            ("not f", T),
            ("not u", U),
            ("not not u", U),
            ("t and t", T),
            ("t and f", F),
            ("f and t", F),
            ("f and f", F),
            ("t and u", U),
            ("u and t", U),
            ("f and u", F),
            ("u and f", F),
            ("u and u", U),
            ("t or t", T),
            ("t or f", T),
            ("f or t", T),
            ("f or f", F),
            ("t or u", T),
            ("u or t", T),
            ("f or u", U),
            ("u or f", U),
            ("u or u", U),
            ("not (u and f)", T),
            ("not (u or t)", F),
            ("not (u or f)", U),
            ("yes", T),
            ("no", F),
            ("u and no", F),
            ("u or yes", T),
        ],
    );
    let nested = format!("{DEFS}def a = u and f\ndef b = not a\ndef c = u or b\ndef d = u and b\n");
    conditions_with(&nested, &unknown(), &[("a", F), ("b", T), ("c", T), ("d", U), ("not d", U)]);
}

#[test]
fn law_4_unless_is_and_not() {
    for (when, unless, expected) in [
        ("t", "f", "Match"),
        ("t", "t", "NoMatch"),
        ("t", "u", "Unknown"),
        ("f", "u", "NoMatch"),
        ("u", "t", "NoMatch"),
        ("u", "f", "Unknown"),
        ("u", "u", "Unknown"),
    ] {
        let rule = format!("{DEFS}rule r {{ on PreToolUse\n  when {when}\n  unless {unless}\n  warn \"w\"\n}}\n");
        let outcome = outcome_of(&policy(&rule), &unknown());
        assert!(format!("{outcome:?}").starts_with(expected), "{when} unless {unless}: {outcome:?}");
    }
    let alone = |unless: &str| format!("{DEFS}rule r {{ on PreToolUse\n  unless {unless}\n  warn \"w\"\n}}\n");
    assert_eq!(outcome_of(&policy(&alone("f")), &unknown()), RuleOutcome::Match);
    assert_eq!(outcome_of(&policy(&alone("t")), &unknown()), RuleOutcome::NoMatch);
}

#[test]
fn law_4_an_unknown_carries_its_reason_its_word_and_a_way_out() {
    let outcome = outcome("", "env.X == \"1\"", &unknown());
    let reason = outcome.reason().unwrap();
    assert_eq!(reason.fragment(), "`env` cannot be read: the variable X is not UTF-8");
    let hidden = outcome_of(&policy("rule r { on PreToolUse\n  when runs \"rm\"\n  deny \"no\"\n}\n"), &bash("$P x"));
    assert!(hidden.reason().unwrap().sentence().contains(": `$P`"), "{hidden:?}");
    let nameless = bash("x").set(json!({"agent_id": "a", "agent_type": ""}));
    let outcome = outcome_of(&policy("rule r { on PreToolUse\n  by coder\n  deny \"no\"\n}\n"), &nameless);
    assert!(outcome.reason().unwrap().help().is_some());
}

/// Returns a rule for this event that is unknown, with these clauses.
fn rule(event: &str, clauses: &str) -> String {
    format!("rule r {{ on {event}\n  when env.X == \"1\"\n  {clauses}\n}}\n")
}

const REASON: &str = "`env` cannot be read: the variable X is not UTF-8";

/// Returns the message for something that `r` cannot judge.
fn doubt(what: &str, own: &str) -> String {
    let own = if own.is_empty() { ".".to_owned() } else { format!(": \"{own}\"") };
    format!("{what} cannot be judged: {REASON}\nIt may be what `r` guards against{own}")
}

#[test]
fn law_4_a_rule_that_can_block_asks_when_it_is_unknown() {
    for (effect, own) in [
        ("deny \"m\"", "m"),
        ("ask \"m\"", "m"),
        ("halt \"m\"", "m"),
        ("exit 2 \"m\"", "m"),
        ("run \"x\" { on_fail: deny, message: \"m\" }", "m"),
        ("run \"x\" { output: hook, message: \"m\" }", "m"),
    ] {
        check(&rule("PreToolUse", effect), &unknown(), &format!("ask by r: {}", doubt("`x`", own)));
    }
    check(&rule("PreToolUse", "run \"x\" { on_fail: deny }"), &unknown(), &format!("ask by r: {}", doubt("`x`", "")));
}

#[test]
fn law_4_a_rule_that_cannot_block_ignores_what_it_cannot_know() {
    for effect in [
        "allow",
        "context \"c\"",
        "warn \"w\"",
        "exit 1 \"m\"",
        "run \"x\"",
        "run \"x\" { on_fail: warn }",
        "rewrite command = \"y\"",
        "notify \"n\"",
        "record \"f.jsonl\" { session_id }",
    ] {
        check(&rule("PreToolUse", effect), &unknown(), "pass");
    }
}

#[test]
fn law_4_where_nobody_can_be_asked_the_default_is_a_warning() {
    for name in ["Stop", "SubagentStop", "UserPromptSubmit", "TaskCreated", "ConfigChange", "PreCompact"] {
        let given =
            event(name, json!({"agent_id": "a", "agent_type": "t"})).with(Unreadable(StatedFacts::for_examples()));
        check(&rule(name, "deny \"m\""), &given, &format!("pass + warn {:?}", doubt("This event", "m")));
        rejects(&rule(name, "unknown ask\n  deny \"m\""), &format!("R0514 `{name}` cannot carry `ask`"));
    }
    let post = event("PostToolUse", json!({"tool_name": "Bash", "tool_input": {}, "tool_response": {}}));
    let post = post.with(Unreadable(StatedFacts::for_examples()));
    check(&rule("PostToolUse", "halt \"m\""), &post, &format!("pass + warn {:?}", doubt("`Bash`", "m")));
    rejects(&rule("PostToolUse", "unknown deny\n  halt \"m\""), "R0514 `PostToolUse` cannot carry `deny`");
}

#[test]
fn law_4_the_unknown_clause_says_what_an_unknown_votes() {
    let says = |clause: &str, effect: &str| rule("PreToolUse", &format!("unknown {clause}\n  {effect}"));
    let certain = doubt("`x`", "m");
    check(&says("deny", "ask \"m\""), &unknown(), &format!("deny by r: {certain}"));
    check(&says("ask", "deny \"m\""), &unknown(), &format!("ask by r: {certain}"));
    check(&says("ignore", "deny \"m\""), &unknown(), "pass");
    check(&says("deny", "context \"c\""), &unknown(), &format!("deny by r: {}", doubt("`x`", "")));
    check(
        &rule("Stop", "unknown deny\n  deny \"m\""),
        &event("Stop", json!({})).with(Unreadable(StatedFacts::default())),
        &format!("deny by r: {}", doubt("This event", "m")),
    );
    rejects(&says("maybe", "deny \"m\""), "R0119 `unknown maybe` is not a vote");
}

#[test]
fn law_4_an_allow_never_fires_on_unknown() {
    check(&rule("PreToolUse", "allow"), &unknown(), "pass");
    check(&rule("PreToolUse", "unknown ask\n  allow \"m\""), &unknown(), &format!("ask by r: {}", doubt("`x`", "m")));
    rejects(&rule("PreToolUse", "unknown allow\n  allow"), "R");
    for condition in ["not env.X == \"1\"", "env.X != \"1\"", "tool_name == \"Bash\" and env.X == \"1\""] {
        let text = format!("rule r {{ on PreToolUse\n  when {condition}\n  allow\n}}\n");
        check(&text, &unknown(), "pass");
    }
}

#[test]
fn law_4_a_subagent_without_a_name_is_unknown_never_main() {
    let nameless = || bash("x").set(json!({"agent_id": "a1", "agent_type": ""}));
    let by = |selectors: &str| format!("rule r {{ on PreToolUse\n  by {selectors}\n  deny \"no\"\n}}\n");
    let reason = "`x` cannot be judged: the host does not say which type the acting subagent has: `agent_type`; \
                  `by !main` selects every subagent\nIt may be what `r` guards against: \"no\"";
    check(&by("coder"), &nameless(), &format!("ask by r: {reason}"));
    check(&by("!coder"), &nameless(), &format!("ask by r: {reason}"));
    check(&by("main"), &nameless(), "pass");
    check(&by("!main"), &nameless(), "deny by r: no");
    check(&by("*"), &nameless(), "deny by r: no");
    check(&by("main|coder"), &nameless(), &format!("ask by r: {reason}"));
    conditions(&nameless(), &[("agent == \"main\"", U), ("agent != \"main\"", U), ("exists agent_type", F)]);
}

#[test]
fn law_6_a_verdict_is_the_same_twice() {
    let text = format!(
        "{DEFS}rule a {{ on PreToolUse\n  when u or path like \"*.rs\"\n  deny \"{{command}}\"\n}}\n\
         rule b {{ on PreToolUse\n  rewrite command = \"y\"\n  record \"f\" {{ at: now }}\n}}\n"
    );
    let policy = policy(&text);
    let shown_twice = [shown(&judge(&policy, &unknown()).verdict), shown(&judge(&policy, &unknown()).verdict)];
    assert_eq!(shown_twice[0], shown_twice[1]);
}

#[test]
fn law_4_an_allow_is_not_opened_by_what_only_looks_like_a_command() {
    let given = || call("mcp__shell__exec", json!({"command": "rm -rf /"}));
    for condition in [
        "not runs \"rm *\"",
        "not only runs [\"ls *\"]",
        "runs \"rm *\"",
        "only runs [\"rm *\"]",
        "not pipes \"a\" into \"b\"",
    ] {
        let text = format!("rule r {{\n  on PreToolUse\n  when {condition}\n  allow\n}}\n");
        check(&text, &given(), "pass");
    }
}

#[test]
fn an_unknown_accuses_of_nothing_and_names_what_was_judged() {
    let text = "rule r { on PreToolUse\n  when env.X == \"1\" or reads like \".env\"\n  deny \"`{match}` holds secrets.\"\n}\n";
    check(text, &unknown(), &format!("ask by r: {}", doubt("`x`", "It holds secrets.")));
    let read = read("/project/src/a").with(Unreadable(StatedFacts::for_examples()));
    check(text, &read, &format!("ask by r: {}", doubt("`src/a`", "It holds secrets.")));
}

#[test]
fn a_match_below_a_directory_names_the_file_that_was_found() {
    let facts = StatedFacts::for_examples().with_file("src/.env", true);
    let grep = call("Grep", json!({"pattern": "p", "path": "/project/src"})).with(facts);
    for test in ["like \".env\"", "like \"**/.env\"", "under \"src/.env\""] {
        let text = format!("rule r {{ on PreToolUse\n  when reads {test}\n  deny \"{{match}}\"\n}}\n");
        check(&text, &grep, "deny by r: src/.env");
    }
}
