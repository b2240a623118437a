//! Findings about conditions by reasoning; no call refutes them.

use hookrules::diagnostic::{Diagnostic, Levels};
use hookrules::eval::RuleOutcome;
use hookrules::facts::StatedFacts;
use hookrules::host::Host;
use hookrules::lint;
use hookrules::policy::Policy;
use hookrules::schema::tool_spec;
use hookrules::span::Span;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value as Json, json};

use crate::kit::*;

fn found(policy: &Policy) -> Vec<Diagnostic> {
    lint::check_policy(policy, &[Host::CLAUDE_CODE], &everything())
}

/// Returns the names of the findings about a condition.
fn names(clauses: &str) -> Vec<&'static str> {
    let policy = policy(&format!("rule r {{\n  on PreToolUse\n  {clauses}\n  warn \"The user reads this.\"\n}}\n"));
    let mut names: Vec<&str> = found(&policy).iter().filter(|it| it.code.is_on).map(|it| it.code.name).collect();
    names.dedup();
    names
}

const NEVER: &str = "contradictory-condition";
const PART: &str = "constant-subcondition";

#[test]
fn conditions_are_reasoned_about() {
    let table: &[(&str, &[&str])] = &[
        ("permission_mode == \"plan\" and permission_mode == \"default\"", &[NEVER]),
        ("permission_mode == \"plan\" and permission_mode in [\"default\", \"auto\"]", &[NEVER]),
        ("permission_mode == \"plan\" and permission_mode != \"plan\"", &[NEVER]),
        ("permission_mode == \"plan\" and permission_mode starts_with \"x\"", &[NEVER]),
        ("permission_mode starts_with \"p\" and permission_mode like \"x*\"", &[NEVER]),
        ("permission_mode starts_with \"pl\" and permission_mode starts_with \"p\"", &[PART]),
        ("permission_mode starts_with \"p\" and permission_mode ends_with \"x\"", &[]),
        ("permission_mode == \"plan\" and permission_mode matches /^x/", &[NEVER]),
        ("permission_mode matches /^x/ and permission_mode matches /^y/", &[]),
        ("permission_mode == \"plan\" and not exists permission_mode", &[NEVER]),
        ("permission_mode == \"plan\" and exists permission_mode", &[PART]),
        ("permission_mode == \"plan\" or permission_mode in [\"plan\", \"auto\"]", &[PART]),
        ("(permission_mode == \"plan\" and permission_mode == \"auto\") or tool_name == \"Bash\"", &[PART]),
        ("permission_mode == \"plan\" and not permission_mode == \"auto\"", &[PART]),
        // With several values, different values may satisfy the tests.
        ("content == \"a\" and content == \"b\"", &[]),
        ("content == \"a\" and not content == \"b\"", &[]),
        ("content == \"a\" and content != \"a\"", &[NEVER]),
        ("all content starts_with \"a\" and all content starts_with \"b\"", &[NEVER]),
        ("all content starts_with \"a\" and content starts_with \"b\"", &[NEVER]),
        ("content starts_with \"a\" and content starts_with \"b\"", &[]),
        ("`$.tool_input.x` == \"a\" and `$.tool_input.x` == \"b\"", &[]),
        ("tool_input.x == \"a\" and tool_input.x == \"b\"", &[]),
        // Other texts name the same file.
        ("path == \"a\" and path == \"./a\"", &[]),
        ("cwd == \"/a\" and cwd == \"/a/../a\"", &[]),
        ("cwd == \"/a\" and not cwd == \"/a\"", &[NEVER]),
        // Without the test of files, git's state would be that of another place.
        ("git.branch == \"a\" and (deletes under project or git.branch == \"a\")", &[]),
        ("git.branch == \"a\" and (deletes under project or tool_name == \"Bash\") and deletes under project", &[PART]),
        ("git.branch == \"a\" and runs \"git\" and runs \"git push\"", &[]),
        ("agent == \"a\" and (deletes under project or agent == \"a\")", &[PART]),
        // Facts: if one is unknown, it is for each test.
        ("git.branch == \"a\" and git.branch == \"b\"", &[NEVER]),
        ("git.branch == \"a\" and git.branch in [\"a\", \"b\"]", &[PART]),
        ("env.CI == \"1\" and env.DEBUG == \"2\"", &[]),
        // Without a value both are false.
        ("permission_mode == \"plan\" or permission_mode != \"plan\"", &["tautology"]),
        // Possibly unknown, but never false.
        ("git.branch == \"a\" or git.branch != \"a\"", &["tautology"]),
        ("git.branch != \"a\" or git.branch != \"b\"", &["tautology"]),
        ("git.branch != \"a\" or git.branch == \"b\"", &[PART]),
        ("writes outside \"a\" or writes outside \"b\"", &["tautology"]),
        ("writes outside \"a\" or writes outside \"a/b\"", &[]),
        ("writes outside \"a\" or reads outside \"b\"", &[]),
        ("runs \"git push\" or not runs \"git push\"", &[]),
        ("runs \"git push\" and not runs \"git push\"", &[NEVER]),
        ("runs \"git push origin\" and not runs \"git push\"", &[NEVER]),
        ("runs \"git push origin\" and not runs [\"git pull\", \"git push\"]", &[NEVER]),
        ("runs \"git push\" and not runs \"git push origin\"", &[]),
        ("runs \"git push\" and not runs \"git push !--force\"", &[]),
        ("runs \"git push\" where operands == \"a\" and runs \"git push\" where operands == \"b\"", &[]),
        ("runs \"git push\" where (operands == \"a\" and operands == \"b\")", &[]),
        ("runs \"git push\" where (program == \"a\" and program == \"b\")", &[NEVER]),
        ("runs \"git push\" where (in_loop and not in_loop)", &[NEVER]),
        ("writes under \"a\" and not writes under \"a\"", &[NEVER]),
        ("writes under \"a\" and not writes under \"b\"", &[]),
    ];
    let mut wrong = Vec::new();
    for (condition, expected) in table {
        let names = names(&format!("when {condition}"));
        if names != *expected {
            wrong.push((condition, names));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn exceptions_are_compared_with_the_condition() {
    let covers: &[&str] = &["unless-covers-when"];
    let table: &[(&str, &[&str])] = &[
        ("when runs \"git push -f\"\n  unless runs \"git push\"", covers),
        ("when runs \"git push\"\n  unless runs \"git push -f\"", &[]),
        ("when permission_mode == \"plan\"\n  unless permission_mode in [\"plan\", \"auto\"]", covers),
        ("when permission_mode in [\"plan\", \"auto\"]\n  unless permission_mode == \"plan\"", &[]),
        ("unless permission_mode == \"plan\" or permission_mode != \"plan\"", covers),
        ("unless permission_mode == \"plan\" and permission_mode == \"auto\"", &[NEVER]),
    ];
    for (clauses, expected) in table {
        assert_eq!(names(clauses), *expected, "{clauses}");
    }
}

/// Atoms that often interact, of every class of sources.
const ATOMS: &[&str] = &[
    "permission_mode == \"plan\"",
    "permission_mode in [\"plan\", \"default\"]",
    "permission_mode != \"default\"",
    "permission_mode starts_with \"pl\"",
    "permission_mode like \"*n\"",
    "permission_mode matches /^d/",
    "exists permission_mode",
    "tool_name == \"Bash\"",
    "tool_name in [\"Edit\", \"Bash\"]",
    "tool_name like \"E*\"",
    "content == \"a\"",
    "content starts_with \"a\"",
    "content contains \"b\"",
    "all content starts_with \"a\"",
    "all content not contains \"b\"",
    "exists content",
    "tool_input.n > 2",
    "tool_input.n <= 2",
    "tool_input.n == 3",
    "tool_input.x == \"a\"",
    "tool_input.x == \"b\"",
    "tool_input.x == true",
    "tool_input.x",
    "all tool_input.x == \"a\"",
    "exists tool_input.x",
    "git.branch == \"main\"",
    "git.branch in [\"main\", \"topic\"]",
    "exists git.branch",
    "git.worktree",
    "agent == \"main\"",
    "agent like \"c*\"",
    "file_exists \"a\"",
    "path like \"*.rs\"",
    "path == \"a.rs\"",
    "path == \"./a.rs\"",
    "command contains \"git\"",
    "command starts_with \"git push\"",
    "runs \"git\"",
    "runs \"git push\"",
    "runs \"git push -f\"",
    "runs [\"git push\", \"rm\"]",
    "runs \"git push -f origin\"",
    "runs \"rm\" where operands == \"x\"",
    "only runs [\"git push\"]",
    "writes like \"*.rs\"",
    "deletes under project",
    "host == \"claude-code\"",
];

fn condition() -> impl Strategy<Value = String> {
    let atom = select(ATOMS).prop_map(str::to_owned);
    atom.prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|one| format!("not ({one})")),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|all| format!("({})", all.join(" and "))),
            prop::collection::vec(inner, 2..4).prop_map(|all| format!("({})", all.join(" or "))),
        ]
    })
}

fn some_call() -> impl Strategy<Value = Given> {
    let command = select(
        &[
            "git push",
            "git push -f",
            "git push --force origin",
            "git pull; rm x",
            "rm x",
            "ls",
            "$P push",
            "git $X",
            "rm $X",
            "eval \"$X\"",
            "echo 'git push'",
            "git push > a.rs",
        ][..],
    );
    let text = select(&["a", "b", "ab", "abc", "", "x"][..]);
    let values = select(vec![
        json!("a"),
        json!("b"),
        json!(["a", "b"]),
        json!(["a", true]),
        json!([]),
        json!(null),
        json!(true),
        json!(3),
        json!({"k": "a"}),
    ]);
    let number = select(vec![json!(1), json!(2), json!(3), json!(2.5), json!([1, 3]), json!("3"), json!(null)]);
    let input = prop_oneof![
        command.prop_map(|command| ("Bash", json!({"command": command}))),
        (text.clone(), select(&["a.rs", "/x/a.rs", "b"][..]))
            .prop_map(|(text, path)| ("Write", json!({"file_path": path, "content": text}))),
        (text.clone(), text).prop_map(|(one, other)| {
            ("MultiEdit", json!({"file_path": "a.rs", "edits": [{"new_string": one}, {"new_string": other}]}))
        }),
        (values, number).prop_map(|(x, n)| ("mcp__a__b", json!({"x": x, "n": n}))),
    ];
    let mode = select(&[None, Some("plan"), Some("default"), Some("auto")][..]);
    let agent = select(&[None, None, Some(""), Some("coder")][..]);
    let branch = select(&[None, Some("main"), Some("topic")][..]);
    (input, mode, agent, branch, any::<bool>()).prop_map(|((tool, mut input), mode, agent, branch, readable)| {
        if let (Json::Object(members), "mcp__a__b") = (&mut input, tool) {
            members.insert("content".to_owned(), json!(["a", "ab"]));
        }
        let mut fields = json!({"tool_name": tool, "tool_input": input, "permission_mode": mode});
        if let Some(agent) = agent {
            fields["agent_id"] = json!("a1");
            fields["agent_type"] = json!(agent);
        }
        let mut facts = StatedFacts::for_examples().with_file("a", true);
        if let Some(branch) = branch {
            facts = facts.with_git_branch(branch);
        }
        let given = event("PreToolUse", fields);
        if readable { given.with(facts) } else { given.with(Unreadable(facts)) }
    })
}

/// Returns a rule with clauses.
fn rule(clauses: &str) -> Policy {
    policy(&format!("rule r {{\n  on PreToolUse\n  {clauses}\n  warn \"The user reads this.\"\n}}\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn what_is_found_about_conditions_holds_of_every_call(
        when in condition(),
        unless in prop::option::of(condition()),
        calls in prop::collection::vec(some_call(), 12),
    ) {
        let clauses = format!("when {when}{}", unless.map(|it| format!("\n  unless {it}")).unwrap_or_default());
        let policy = rule(&clauses);
        for finding in found(&policy) {
            let edited = finding.fix.as_ref().map(|fix| {
                let mut text = policy.sources.iter().next().unwrap().text.clone();
                text.replace_range(fix.span.range(), &fix.replacement);
                one_file(&text)
            });
            for call in &calls {
                let is = outcome_of(&policy, call);
                let message = format!("{clauses}: {} on {:?}: {is:?}", finding.message, call.payload.json);
                match finding.code.name {
                    "contradictory-condition" if finding.message.starts_with("the condition") => {
                        prop_assert!(is != RuleOutcome::Match, "{message}");
                    }
                    // A tool of a server may have what no tool of the table has.
                    "unreachable-rule" if finding.message.ends_with("built-in tool") && !is_built_in(call) => {}
                    "unless-covers-when" | "unreachable-rule" => prop_assert!(is != RuleOutcome::Match, "{message}"),
                    // Within a condition, the other tests next to the alternatives may still be false.
                    "tautology" if !is_of(&policy, &finding, &when) => {}
                    // One of the alternatives holds if their values can be read.
                    "tautology" if finding.message.starts_with("alternatives") => {
                        prop_assert!(clauses.contains("unless") || is != RuleOutcome::NoMatch, "{message}");
                    }
                    "tautology" => prop_assert!(clauses.contains("unless") || is == RuleOutcome::Match, "{message}"),
                    _ => {}
                }
                if let Some(edited) = &edited {
                    prop_assert!(edited.errors().next().is_none(), "{clauses}: {} {}", finding.message, rendered(edited));
                    let then = outcome_of(edited, call);
                    prop_assert_eq!(kind(&is), kind(&then), "{}", message);
                }
            }
        }
    }
}

/// Whether a finding is about a whole condition.
fn is_of(policy: &Policy, finding: &Diagnostic, condition: &str) -> bool {
    let text = |span: Span| policy.sources.file(span).map_or("", |file| file.slice(span));
    finding.span().map(text) == Some(condition)
}

/// Whether a call is one of a tool in the table.
fn is_built_in(call: &Given) -> bool {
    call.payload.json.get("tool_name").and_then(Json::as_str).is_some_and(|name| tool_spec(name).is_some())
}

/// Returns an outcome without the reason of an unknown, because only the first reason is reported.
fn kind(outcome: &RuleOutcome) -> &'static str {
    match outcome {
        RuleOutcome::Match => "match",
        RuleOutcome::NoMatch => "no match",
        RuleOutcome::Unknown(_) => "unknown",
    }
}

#[test]
fn what_is_off_is_found_where_it_is_asked_for() {
    let table = [
        ("rule-untested", "rule r {\n  on PreToolUse\n  warn \"The user reads this.\"\n}\n"),
        (
            "rule-tested-one-sided",
            "rule r {\n  on PreToolUse\n  when runs \"git push\"\n  warn \"Pushed.\"\n  fires on \"git push\"\n}\n",
        ),
    ];
    let vague = "rule r {\n  on PreToolUse\n  deny \"not allowed\"\n  fires on Bash \"ls\"\n}\n";
    for (name, text) in table.into_iter().chain([("vague-message", vague)]) {
        let policy = policy(text);
        let found: Vec<&str> = found(&policy).iter().map(|it| it.code.name).collect();
        assert_eq!(found, [name], "{text}");
        assert_eq!(lint::check_policy(&policy, &[Host::CLAUDE_CODE], &Levels::default()), [], "{text}");
    }
    let guard = |name: &str, effect: &str| {
        format!(
            "rule {name} {{\n  on PreToolUse\n  when runs \"git push\" and git.branch == \"main\"\n  {effect}\n}}\n"
        )
    };
    let text = ["warn \"A.\"", "notify \"B.\"", "run \"make\""]
        .map(|effect| guard(&format!("r{}", effect.len()), effect))
        .concat();
    let found: Vec<&str> =
        found(&policy(&text)).iter().map(|it| it.code.name).filter(|name| *name != "rule-untested").collect();
    assert_eq!(found, ["duplicated-guard"]);
}

#[test]
fn rules_of_two_layers_are_no_copies_of_each_other() {
    use hookrules::config::LayerKind;
    let text = "rule r {\n  on PreToolUse\n  when runs \"git push\"\n  deny \"Ask the user to push.\"\n}\n";
    let files: &[(&str, &str)] = &[("project.rules", text)];
    let policy = compiled(&[(LayerKind::User, files), (LayerKind::Project, files)]);
    assert_eq!(lint::check_policy(&policy, &[Host::CLAUDE_CODE], &Levels::default()), []);
}

#[test]
fn the_rules_of_the_packs_are_tested() {
    let mut untested = Vec::new();
    for (name, text) in hookrules::packs::PACKS {
        let found = lint::check_policy(&policy(text), &[Host::CLAUDE_CODE], &everything());
        let found = found.into_iter().filter(|it| ["rule-untested", "rule-tested-one-sided"].contains(&it.code.name));
        untested.extend(found.map(|it| format!("{name}: {}", it.message)));
    }
    assert!(untested.is_empty(), "{untested:#?}");
}
