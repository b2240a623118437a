//! Items: `use`, `let`, `def`, their scope, their limits.

use std::time::Duration;

use hookrules::config::LayerKind;
use hookrules::eval::RuleOutcome;
use hookrules::facts::StatedFacts;
use serde_json::json;

use crate::kit::*;
use crate::system::thread_time;

const LIB: &str = "let branches = [\"main\"]\nlet limit = 5\nlet mode = \"x\"\ndef on_main = git.branch in branches\n\
                   rule lib-rule {\n  on PreToolUse\n  when command in branches\n  deny \"lib\"\n}\n\
                   rule other {\n  on PreToolUse\n  when command == \"other\"\n  deny \"other\"\n}\n";

/// Checks the verdict of two files, one of which uses the other.
#[track_caller]
fn using(main: &str, given: &Given, expected: &str) {
    check_policy(&files(&[("a.rules", main), ("lib.rules", LIB)]), given, expected);
}

/// Checks for an error in two files.
#[track_caller]
fn refuses(main: &str, expected: &str) {
    let policy = compiled(&[(LayerKind::Project, &[("a.rules", main), ("lib.rules", LIB)])]);
    assert!(rendered(&policy).contains(expected), "{expected} is not in\n{}", rendered(&policy));
    assert!(policy.broken_layers().next().is_some());
}

#[test]
fn a_used_file_loads_once_and_its_names_are_seen() {
    using("use \"./lib.rules\"\n", &bash("main"), "deny by lib-rule: lib");
    using("use \"./lib.rules\"\nuse \"./lib.rules\"\n", &bash("main"), "deny by lib-rule: lib");
    let rule = "use \"./lib.rules\"\nrule mine {\n  on PreToolUse\n  when command in branches\n  warn \"w\"\n}\n";
    using(rule, &bash("main"), "deny by lib-rule: lib + warn \"w\"");
}

#[test]
fn with_replaces_a_let_by_a_value_of_its_type() {
    using("use \"./lib.rules\" with { branches: [\"dev\", \"rel\"] }\n", &bash("rel"), "deny by lib-rule: lib");
    using("use \"./lib.rules\" with { branches: [\"dev\"] }\n", &bash("main"), "pass");
    using("let mine = [\"dev\"]\nuse \"./lib.rules\" with { branches: mine }\n", &bash("dev"), "deny by lib-rule: lib");
    refuses("use \"./lib.rules\" with { branches: \"dev\" }\n", "`branches` is a list, not a string");
    refuses("use \"./lib.rules\" with { limit: \"5\" }\n", "`limit` is a number, not a string");
    refuses("use \"./lib.rules\" with { branchs: [\"dev\"] }\n", "unknown `let` `branchs`");
    refuses("use \"./lib.rules\" with { on_main: [\"dev\"] }\n", "unknown `let` `on_main`");
}

#[test]
fn except_leaves_rules_out() {
    using("use \"./lib.rules\" except lib-rule\n", &bash("main"), "pass");
    using("use \"./lib.rules\" except lib-rule\n", &bash("other"), "deny by other: other");
    refuses("use \"./lib.rules\" except lib-rul\n", "unknown rule `lib-rul`");
}

/// Checks the verdict of `std/git` with an exception.
#[track_caller]
fn git_except(exception: &str, command: &str, expected: &str) {
    let policy = files(&[("a.rules", &format!("use \"std/git\" except {exception}\n"))]);
    let given = bash(command).with(StatedFacts::for_examples().with_git_branch("topic"));
    let verdict = shown(&judge(&policy, &given).verdict);
    assert!(verdict.starts_with(expected), "{exception}: {command}: {verdict}");
}

#[test]
fn an_exception_is_about_the_same_command() {
    let bots = "no-force-push where push_target like \"bot/*\"";
    git_except(bots, "git push -f origin bot/x", "pass");
    git_except(bots, "git push origin +bot/x", "pass");
    git_except(bots, "git push -f origin main", "deny");
    git_except(bots, "git push -f origin main && git push origin bot/x", "deny");
    git_except(bots, "git push origin bot/x && git push -f origin main", "deny");
    git_except(bots, "git push -f origin bot/x && git push -f origin bot/y", "pass");
    // Each value must satisfy the exception, and it must be known.
    git_except(bots, "git push -f origin bot/x topic", "deny");
    git_except(bots, "git push -f origin \"b$BRANCH\"", "deny");
    git_except(bots, "git push -f", "deny");
    // What is known in part may have a colon, and all tags are targets too.
    git_except(bots, "git push -f origin \"bot/$B\"", "deny");
    git_except(bots, "git push -f origin \"bot/$(cat f)\"", "deny");
    git_except(bots, "cat f | xargs -I{} git push -f origin bot/{}", "deny");
    git_except(bots, "git push -f --tags origin bot/x", "deny");
    // Nothing is so of no value.
    let vacuous = "no-force-push where not push_target like \"main\", no-push-to-protected";
    git_except(vacuous, "hg push -f", "deny by std/git/no-force-push");
    git_except(vacuous, "git push -f origin x", "pass");
    let vacuous = "no-force-push where push_target not like \"main\", no-push-to-protected";
    git_except(vacuous, "hg push -f", "deny by std/git/no-force-push");
    let others = "no-force-push where not push_target like \"topic*\"";
    git_except(others, "git push -f origin bot/x", "pass");
    git_except(others, "git push -f origin bot/x topic", "deny");
    git_except(others, "git push -f origin \"t$BRANCH\"", "deny");
    let other_than = "no-force-push where push_target != \"topic\"";
    git_except(other_than, "git push -f origin bot/x", "pass");
    git_except(other_than, "git push -f origin bot/x topic", "deny");
    // Several exceptions, and the rest of a `use`.
    let two = "no-force-push where push_target like \"bot/*\" or push_target like \"ci/*\", no-skipped-hooks";
    git_except(two, "git push -f origin ci/x", "pass");
    git_except(two, "git commit --no-verify", "pass");
    git_except(
        &format!("{bots} with {{ protected_branches: [\"bot/x\"] }}"),
        "git push -f origin bot/x",
        "deny by std/git/no-push-to-protected",
    );
}

#[test]
fn an_exception_is_about_the_event() {
    let on_topic = "no-force-push when git.branch == \"topic\"";
    git_except(on_topic, "git push -f origin main", "deny by std/git/no-push-to-protected");
    git_except(on_topic, "git push -f origin x", "pass");
    git_except("no-force-push when git.branch == \"other\"", "git push -f origin x", "deny");
    git_except("no-force-push when env.CI == \"1\"", "git push -f origin x", "deny");
    let refused =
        |exception: &str, expected: &str| refuses(&format!("use \"./lib.rules\" except {exception}\n"), expected);
    refuses("use \"std/git\" except std/git/no-force-push\n", "write `no-force-push`");
    refuses(
        "use \"std/filesystem\" except no-disk-writes where operands like \"/dev/loop*\"\n",
        "also holds without a command",
    );
    git_except("no-force-push\n  where push_target like \"bot/*\"", "git push -f origin bot/x", "pass");
    refused("lib-rule where program == \"x\"", "a rule that tests no command");
    refused("lib-rule when path like \"x\"", "is about the event");
    refused("lib-rule when runs \"x\"", "is about the event");
    refused("lib-rule when pth == \"x\"", "unknown field `pth`");
    refused("lib-rule if agent == \"x\"", "`if` behind the name of a rule");
    refused("lib-rul when agent == \"x\"", "unknown rule `lib-rul`");
}

#[test]
fn an_exception_names_files_as_a_whole() {
    let uses = |exception: &str| {
        format!("use \"./lib.rules\" except r {exception}\nrule a {{\n  on PreToolUse(X)\n  deny \"x\"\n}}\n")
    };
    let lib = "rule r {\n  on PreToolUse\n  when runs \"rm\"\n  deny \"r\"\n}\n";
    let check = |exception: &str, command: &str, expected: &str| {
        check_policy(&files(&[("a.rules", &uses(exception)), ("lib.rules", lib)]), &bash(command), expected);
    };
    check("where deletes under \"out\"", "rm out/a", "pass");
    check("where deletes under \"out\"", "rm out/a out/b; rm out/c", "pass");
    check("where deletes under \"out\"", "rm out/a src/b", "deny by r: r");
    check("where deletes under \"out\"", "rm out/a; rm src/b", "deny by r: r");
    check("where deletes under \"out\"", "rm $X", "deny by r: r");
    let policy =
        compiled(&[(LayerKind::Project, &[("a.rules", &uses("where deletes like \"out/*\"")), ("lib.rules", lib)])]);
    assert!(rendered(&policy).contains("one of several files"), "{}", rendered(&policy));
}

#[test]
fn an_exception_of_an_allow_may_be_uncertain() {
    let lib = "rule r {\n  on PreToolUse\n  when runs \"make\"\n  allow\n}\n";
    let uses = "use \"./lib.rules\" except r where operands like \"prod*\"\n";
    let policy = files(&[("a.rules", uses), ("lib.rules", lib)]);
    check_policy(&policy, &bash("make test"), "allow by r");
    for command in ["make prod", "make test prod-eu", "make $X"] {
        let verdict = shown(&judge(&policy, &bash(command)).verdict);
        assert!(!verdict.starts_with("allow"), "{command}: {verdict}");
    }
}

#[test]
fn two_uses_of_one_file_agree() {
    let twice = |first: &str, second: &str| format!("use \"./lib.rules\"{first}\nuse \"./lib.rules\"{second}\n");
    let differ = "one file used with different";
    refuses(&twice("", " except other"), differ);
    refuses(&twice(" with { limit: 1 }", " with { limit: 2 }"), differ);
    refuses(&twice(" with { limit: 1 }", ""), differ);
    refuses(&twice(" with { branches: [\"a\"] }", " with { branches: [\"a\", \"b\"] }"), differ);
    using(
        &twice(" with { limit: 1, mode: \"y\" }", " with { mode: \"y\", limit: 1 }"),
        &bash("main"),
        "deny by lib-rule: lib",
    );
}

#[test]
fn a_name_is_seen_in_its_file_and_in_those_that_use_it_only() {
    refuses("rule mine {\n  on PreToolUse\n  when on_main\n  warn \"w\"\n}\n", "unknown field `on_main`");
    let far = compiled(&[(
        LayerKind::Project,
        &[
            ("a.rules", "use \"./b.rules\"\nrule r {\n  on PreToolUse\n  when command in branches\n  warn \"w\"\n}\n"),
            ("b.rules", "use \"./lib.rules\"\n"),
            ("lib.rules", LIB),
        ],
    )]);
    assert!(far.broken_layers().next().is_some(), "a name is seen across two uses");
    // A policy's own name takes precedence over that of a used file.
    let own = "use \"./lib.rules\"\nlet branches = [\"mine\"]\nrule r {\n  on PreToolUse\n  when command in branches\n  warn \"w\"\n}\n";
    using(own, &bash("mine"), "pass + warn \"w\"");
    using(own, &bash("main"), "deny by lib-rule: lib");
}

#[test]
fn a_pack_is_used_by_its_name() {
    let policy = files(&[("a.rules", "use \"std/git\"\n")]);
    assert!(policy.rules.rules().iter().all(|rule| rule.display_name.starts_with("std/git/")));
    assert!(!policy.rules.rules().is_empty());
}

#[test]
fn names_are_defined_once_and_not_over_those_of_the_language() {
    let rule = "rule r {\n  on Stop\n  deny \"x\"\n}\n";
    rejects(&format!("let a = 1\nlet a = 2\n{rule}"), "R0201 `a` is defined twice");
    rejects(&format!("let a = 1\ndef a = stop_hook_active\n{rule}"), "R0201 `a` is defined twice");
    for taken in [
        "path", "content", "command", "url", "domain", "event", "agent", "host", "project", "tmp", "home", "main",
        "os", "git", "env", "now",
    ] {
        rejects(&format!("let {taken} = 1\n{rule}"), &format!("R0903 `{taken}` is"));
        rejects(&format!("def {taken} = exists cwd\n{rule}"), &format!("R0903 `{taken}` is"));
    }
}

#[test]
fn a_let_or_def_wins_over_a_raw_field() {
    let text = "def message = tool_name == \"Bash\"\nlet source = [\"a\"]\n\
                rule r {\n  on PreToolUse\n  when message and command in source\n  deny \"{source}\"\n}\n";
    check(text, &bash("a"), "deny by r: a");
}

#[test]
fn definitions_that_lead_back_to_themselves_are_errors() {
    let rule = |condition: &str| format!("rule r {{\n  on PreToolUse\n  when {condition}\n  deny \"x\"\n}}\n");
    rejects(&format!("def a = b\ndef b = a\n{}", rule("a")), "R0907");
    rejects(&format!("def a = not a\n{}", rule("a")), "R0907");
    rejects(&format!("let a = [...b]\nlet b = [...a]\n{}", rule("command in a")), "R0907");
    rejects(&format!("let a = [...a, \"x\"]\n{}", rule("command in a")), "R0907");
}

#[test]
fn lists_have_a_limit_that_spreads_cannot_go_round() {
    let rule = "rule r {\n  on PreToolUse\n  when command in a\n  deny \"x\"\n}\n";
    let list = |count: usize| format!("let a = [{}]\n{rule}", vec!["\"x\""; count].join(", "));
    policy(&list(1_000));
    rejects(&list(65_537), "R0004 a list of more than 65536 elements");
    for seed in ["\"x\"", ""] {
        let mut doubling = format!("let l0 = [{seed}]\n");
        for n in 1..=40 {
            doubling.push_str(&format!("let l{n} = [...l{0}, ...l{0}]\n", n - 1));
        }
        let start = thread_time();
        rejects(&format!("{doubling}let a = [...l40]\n{rule}"), "R0004 a list of more than 65536 elements");
        let took = thread_time() - start;
        assert!(took < Duration::from_secs(20), "{took:?}");
    }
}

#[test]
fn defs_that_double_are_compiled_fast_and_judged_within_a_budget() {
    let mut text = "def d0 = command == \"x\"\n".to_owned();
    for n in 1..=15 {
        text.push_str(&format!("def d{n} = d{0} and d{0}\n", n - 1));
    }
    text.push_str("rule r {\n  on PreToolUse\n  when d15\n  deny \"no\"\n}\n");
    let start = thread_time();
    let policy = policy(&text);
    assert_eq!(outcome_of(&policy, &bash("y")), RuleOutcome::NoMatch);
    let outcome = outcome_of(&policy, &bash("x"));
    assert_eq!(outcome.reason().unwrap().fragment(), "the condition takes too many steps");
    let took = thread_time() - start;
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn a_def_is_judged_by_the_events_of_the_rule_that_uses_it() {
    let def = "def typed = prompt contains \"x\"\n";
    let rule = |event: &str| format!("{def}rule r {{\n  on {event}\n  when typed\n  warn \"w\"\n}}\n");
    check(&rule("UserPromptSubmit"), &event("UserPromptSubmit", json!({"prompt": "axb"})), "pass + warn \"w\"");
    rejects(&rule("Stop"), "R0104 `Stop` never carries `prompt`");
}
