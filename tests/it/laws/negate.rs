//! Law 5: a negation is the exact opposite; absent, null and several values.

use serde_json::json;

use crate::kit::Comes::{F, T};
use crate::kit::*;
use hookrules::facts::StatedFacts;

fn sample() -> Given {
    call(
        "mcp__db__query",
        json!({
            "text": "abc", "number": 5, "yes": true, "no": false, "nothing": null, "empty": "", "none": [],
            "several": ["a", "b"], "numbers": [1, 2], "mixed": ["a", 1, true, null, {"k": "v"}], "object": {"k": "v"},
            "path": "src/a.rs",
        }),
    )
}

#[test]
fn law_5_every_test_and_its_negation_are_opposites() {
    let fields = [
        "tool_input.text",
        "tool_input.number",
        "tool_input.yes",
        "tool_input.nothing",
        "tool_input.missing",
        "tool_input.empty",
        "tool_input.none",
        "tool_input.several",
        "tool_input.numbers",
        "tool_input.mixed",
        "tool_input.object",
        "`$.tool_input.several[*]`",
        "`$.tool_input.missing`",
        "tool_input.object.k",
    ];
    let tests = [
        "== \"a\"",
        "== \"abc\"",
        "== 5",
        "== true",
        "in [\"a\", \"x\"]",
        "in [5, 1]",
        "contains \"b\"",
        "starts_with \"a\"",
        "ends_with \"c\"",
        "like \"a*\"",
        "like [\"*\", \"!a\"]",
        "matches /^a/",
        "under \"/project\"",
        "outside \"/tmp\"",
        "< 5",
        "<= 5",
        "> 1",
        ">= 1",
    ];
    for field in fields {
        for test in tests {
            let is = outcome("", &format!("{field} {test}"), &sample());
            let not = outcome("", &format!("not {field} {test}"), &sample());
            let opposite = matches!(
                (&is, &not),
                (hookrules::eval::RuleOutcome::Match, hookrules::eval::RuleOutcome::NoMatch)
                    | (hookrules::eval::RuleOutcome::NoMatch, hookrules::eval::RuleOutcome::Match)
            );
            assert!(opposite, "{field} {test}: {is:?}, negated {not:?}");
            let word = test.split(' ').next().unwrap();
            let inner = if word == "==" {
                format!("{field} {}", test.replacen("==", "!=", 1))
            } else if word.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
                format!("{field} not {test}")
            } else {
                continue;
            };
            assert_eq!(outcome("", &inner, &sample()), not, "{inner}");
        }
    }
}

#[test]
fn law_5_without_a_value_a_comparison_is_false_and_its_negation_true() {
    for field in ["tool_input.missing", "tool_input.nothing", "tool_input.none", "`$.tool_input.nothing`", "agent_type"]
    {
        let agent = sample().set(json!({"agent_type": ""}));
        for (test, expected) in [
            ("FIELD == \"a\"", F),
            ("FIELD != \"a\"", T),
            ("FIELD in [\"a\"]", F),
            ("FIELD not in [\"a\"]", T),
            ("FIELD like \"*\"", F),
            ("FIELD not like \"*\"", T),
            ("FIELD matches //", F),
            ("exists FIELD", F),
            ("not exists FIELD", T),
            ("all FIELD == \"a\"", F),
            ("all FIELD != \"a\"", F),
            ("not all FIELD == \"a\"", T),
        ] {
            if test.contains("//") {
                continue;
            }
            conditions(&agent, &[(&test.replace("FIELD", field), expected)]);
        }
    }
    conditions(
        &sample(),
        &[("exists tool_input.empty", T), ("exists tool_input.object", T), ("tool_input.empty == \"\"", T)],
    );
}

#[test]
fn law_5_one_of_several_values_is_enough_and_a_negation_means_none() {
    conditions(
        &sample(),
        &[
            ("tool_input.several == \"a\"", T),
            ("tool_input.several != \"a\"", F),
            ("tool_input.several != \"x\"", T),
            ("tool_input.several not like \"a\"", F),
            ("`$.tool_input.several[*]` in [\"b\"]", T),
            ("`$.tool_input.several[*]` not in [\"b\"]", F),
            ("all tool_input.several in [\"a\", \"b\"]", T),
            ("all tool_input.several == \"a\"", F),
            ("all tool_input.several != \"x\"", T),
            ("all tool_input.several != \"a\"", F),
            ("all tool_input.several not like \"x*\"", T),
            ("not all tool_input.several == \"a\"", T),
            ("tool_input.numbers > 1", T),
            ("all tool_input.numbers > 1", F),
            ("all tool_input.numbers >= 1", T),
        ],
    );
}

#[test]
fn law_5_a_value_of_another_type_satisfies_no_comparison() {
    conditions(
        &sample(),
        &[
            ("tool_input.number == \"5\"", F),
            ("tool_input.number != \"5\"", T),
            ("tool_input.text == 5", F),
            ("tool_input.text > 1", F),
            ("tool_input.yes == \"true\"", F),
            ("tool_input.yes == 1", F),
            ("tool_input.number like \"5\"", F),
            ("tool_input.number contains \"5\"", F),
            ("tool_input.object == \"v\"", F),
            // The texts in an object are what the operators of texts compare.
            ("tool_input.object like \"*\"", T),
            ("tool_input.object like \"w\"", F),
            ("tool_input.text", F),
            ("tool_input.number", F),
            ("tool_input.yes", T),
            ("tool_input.no", F),
            ("not tool_input.missing", T),
            ("tool_input.mixed == \"a\"", T),
            ("tool_input.mixed == 1", T),
            ("tool_input.mixed == true", T),
            ("tool_input.mixed.k == \"v\"", T),
            ("all tool_input.mixed == \"a\"", F),
        ],
    );
}

#[test]
fn law_5_outside_is_no_negation_of_under() {
    conditions(
        &sample(),
        &[
            ("tool_input.path under project", T),
            ("tool_input.path outside project", F),
            ("tool_input.missing under project", F),
            ("tool_input.missing not under project", T),
            ("tool_input.missing outside project", F),
            ("tool_input.missing not outside project", T),
            ("tool_input.several outside [project, tmp]", F),
            ("tool_input.number outside project", F),
        ],
    );
    let two = call("mcp__fs__copy", json!({"paths": ["/project/a", "/etc/passwd"]}));
    conditions(
        &two,
        &[
            ("path under project", T),
            ("path outside project", T),
            ("path not under project", F),
            ("path not outside project", F),
            ("all path under project", F),
            ("all path outside project", F),
            ("all path outside \"/opt\"", T),
        ],
    );
}

#[test]
fn law_5_only_exists_sees_absence() {
    let given = bash("x").with(StatedFacts::for_examples().with_env("EMPTY", ""));
    conditions(
        &given,
        &[
            ("exists env.EMPTY", T),
            ("env.EMPTY == \"\"", T),
            ("exists env.GONE", F),
            ("env.GONE == \"\"", F),
            ("env.GONE != \"\"", T),
            ("exists git.branch", F),
            ("git.branch != \"main\"", T),
            ("git.worktree", F),
            ("not git.worktree", T),
            ("exists git.worktree", F),
            ("exists os", F),
            ("file_size \"a\" > 0", F),
            ("file_size \"a\" <= 0", F),
            ("not file_size \"a\" > 0", T),
            ("exists file_size \"a\"", F),
        ],
    );
    rejects(
        "rule r { on PreToolUse\n  when tool_name == null\n  deny \"x\"\n}\n",
        "R0106 a comparison with `null` is never true",
    );
}
