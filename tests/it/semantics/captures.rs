//! Captures: `prompt matches /(?<ticket>ABC-\d+)/`.

use hookrules::facts::StatedFacts;
use serde_json::json;

use crate::kit::Comes::U;
use crate::kit::*;

const TICKET: &str = r"/(?<ticket>[A-Z]+-\d+)/";

fn rule(clauses: &str) -> String {
    format!("rule r {{\n  on PreToolUse, UserPromptSubmit\n  {clauses}\n}}\n")
}

fn prompt(text: &str) -> Given {
    event("UserPromptSubmit", json!({ "prompt": text }))
}

#[test]
fn a_text_shows_what_was_captured() {
    let shows = rule(&format!("when prompt matches {TICKET}\n  context \"About {{ticket}}.\""));
    check(&shows, &prompt("do ABC-12 now"), "pass + context \"About ABC-12.\"");
    check(&shows, &prompt("ABC-1, XY-22 and ABC-1"), "pass + context \"About ABC-1, XY-22.\"");
    check(&shows, &prompt("nothing"), "pass");
    // A group that took no part in a match has no value.
    let optional = rule("when prompt matches /a(?<rest>b)?/\n  context \"<{rest}>\"");
    check(&optional, &prompt("a"), "pass + context \"<>\"");
    check(&optional, &prompt("a ab"), "pass + context \"<b>\"");
    // Matches of nothing, and characters of several bytes.
    let empty = rule("when prompt matches /(?<none>x*)/\n  context \"<{none}>\"");
    check(&empty, &prompt("äx"), "pass + context \"<, x>\"");
}

#[test]
fn a_commit_names_the_ticket_of_its_branch() {
    let commits = rule(&format!(
        "when git.branch matches {TICKET} and runs \"git commit\" and not command contains ticket\n  deny \"Name {{ticket}}.\""
    ));
    let on = |branch: &str, command: &str| bash(command).with(StatedFacts::for_examples().with_git_branch(branch));
    check(&commits, &on("ABC-12-x", "git commit -m 'ABC-12: x'"), "pass");
    check(&commits, &on("ABC-12-x", "git commit -m 'ABC-1: x'"), "deny by r: Name ABC-12.");
    check(&commits, &on("topic", "git commit -m x"), "pass");
    let by_option = rule(&format!(
        "when git.branch matches {TICKET} and runs \"git commit\" where not option \"-m\" contains ticket\n  deny \"Name {{ticket}}.\""
    ));
    check(&by_option, &on("ABC-12-x", "git commit -m 'ABC-12: x'"), "pass");
    check(&by_option, &on("ABC-12-x", "git commit -m x && git commit -m ABC-12"), "deny by r: Name ABC-12.");
}

#[test]
fn several_captures_are_several_values() {
    let known = rule(&format!("when prompt matches {TICKET} and ticket in [\"A-1\", \"B-2\"]\n  warn \"w\""));
    check(&known, &prompt("C-3 and B-2"), "pass + warn \"w\"");
    check(&known, &prompt("C-3 and D-2"), "pass");
    let all = rule(&format!("when prompt matches {TICKET} and all ticket starts_with \"A\"\n  warn \"w\""));
    check(&all, &prompt("A-3 and B-2"), "pass");
    check(&all, &prompt("A-3 and AB-2"), "pass + warn \"w\"");
    let glob = rule("when prompt matches /in (?<area>\\w+)/ and path like \"src/{area}/**\"\n  warn \"w\"");
    check(&glob, &prompt("in api"), "pass");
}

#[test]
fn an_exception_and_a_nested_chain_know_captures() {
    let unless = rule(&format!("when prompt matches {TICKET}\n  unless ticket == \"A-1\"\n  warn \"{{ticket}}\""));
    check(&unless, &prompt("A-1"), "pass");
    check(&unless, &prompt("A-2"), "pass + warn \"A-2\"");
    let nested = rule("when prompt contains \"x\" or (prompt matches /(?<a>\\d+)/ and a == \"1\")\n  warn \"w\"");
    check(&nested, &prompt("2"), "pass");
    check(&nested, &prompt("1"), "pass + warn \"w\"");
    let left = rule("when git.branch matches /(?<t>[A-Z]+)/ and runs \"git commit\" where t == \"ABC\"\n  warn \"w\"");
    let on = |branch: &str| bash("git commit").with(StatedFacts::for_examples().with_git_branch(branch));
    check(&left, &on("ABC-1"), "pass + warn \"w\"");
    check(&left, &on("XY-1"), "pass");
    let own = rule(
        "when runs \"git commit\" where (option \"-m\" matches /(?<t>[A-Z]+)/ and not t == \"ABC\")\n  warn \"w\"",
    );
    check(&own, &bash("git commit -m ABC"), "pass");
    check(&own, &bash("git commit -m XYZ"), "pass + warn \"w\"");
    let filter = rule(
        "when runs \"cp\" where (operands matches /^(?<name>\\w+)\\.rs$/ and operands like \"out/{name}.rs\")\n  warn \"w\"",
    );
    check(&filter, &bash("cp a.rs out/a.rs"), "pass + warn \"w\"");
    check(&filter, &bash("cp a.rs out/b.rs"), "pass");
}

#[test]
fn many_captures_are_all_values() {
    let words: Vec<String> = (0..800).map(|number| format!("w{number}")).collect();
    let last = rule("when prompt matches /(?<word>w\\d+)/ and word == \"w799\"\n  warn \"w\"");
    check(&last, &prompt(&words.join(" ")), "pass + warn \"w\"");
    let glob = rule("when prompt matches /(?<word>w\\d+)/ and cwd like \"/{word}\"\n  deny \"w\"");
    let asked = shown(&judge(&policy(&glob), &prompt(&words.join(" "))).verdict);
    assert!(asked.contains("more than 64 values"), "{asked}");
}

#[test]
fn a_value_that_is_not_known_captures_what_is_not_known() {
    let filter = |condition: &str| format!("runs \"cp\" where (operands matches /^(?<name>a)/ and {condition})");
    conditions(
        &bash("cp a \"$X\""),
        &[(&filter("name == \"b\""), U), (&filter("not name == \"b\""), U), (&filter("name == \"a\""), U)],
    );
}

#[test]
fn a_capture_whose_test_may_not_have_held_has_no_value() {
    let wrong = |clauses: &str, expected: &str| rejects(&rule(clauses), expected);
    let at = |condition: &str| format!("when {condition}\n  warn \"{{ticket}}\"");
    let here = "R0103 `ticket` has no value here";
    wrong(&at(&format!("prompt matches {TICKET} or command contains \"x\"")), here);
    wrong(&at(&format!("not prompt matches {TICKET}")), here);
    wrong(&at(&format!("prompt not matches {TICKET}")), here);
    wrong("when prompt matches /(?<git.branch>x)/\n  warn \"w\"", "R0119 a capture that nothing can name");
    wrong(&format!("when prompt == \"x\"\n  unless prompt matches {TICKET}\n  warn \"{{ticket}}\""), here);
    wrong(&at(&format!("runs \"x\" where operands matches {TICKET}")), here);
    wrong(&format!("when (prompt matches {TICKET} or prompt == \"x\") and ticket == \"A-1\"\n  warn \"w\""), here);
    let conflict = |name: &str, what: &str| {
        wrong(
            &format!("when prompt matches /(?<{name}>x)/\n  warn \"w\""),
            &format!("R0201 a capture with the name of {what}"),
        );
    };
    conflict("path", "a field or fact");
    conflict("prompt", "a field or fact");
    conflict("operands", "a field or fact");
    conflict("match", "a field or fact");
    // A name is taken if calls of tools have it: the rule may be copied to them.
    let on_prompt = |name: &str| {
        let text =
            format!("rule a {{\n  on UserPromptSubmit\n  when prompt matches /(?<{name}>x)/\n  warn \"w\"\n}}\n");
        rejects(&text, "R0201 a capture with the name of a field or fact");
    };
    ["path", "command", "tool_name", "tool_input", "permission_mode"].into_iter().for_each(on_prompt);
    rejects(
        &format!("let ticket = \"x\"\n{}", rule(&format!("when prompt matches {TICKET}\n  warn \"w\""))),
        "R0201 a capture with the name of a `let` or `def`",
    );
    wrong(
        &format!("when prompt matches {TICKET} and command matches {TICKET}\n  warn \"w\""),
        "R0201 a capture with the name of another capture",
    );
    wrong(
        &format!("when prompt matches {TICKET} and ticket matches /(?<n>1)/\n  warn \"w\""),
        "R0119 a capture in the text of a capture",
    );
    // A definition neither brings captures nor knows those of a rule.
    rejects(
        &format!("def named = prompt matches {TICKET}\n{}", rule("when named and ticket == \"A-1\"\n  warn \"w\"")),
        "R0103 unknown field `ticket`",
    );
}
