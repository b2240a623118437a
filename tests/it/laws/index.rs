//! Law 10: optimisations of the engine are invisible. A call is judged alike with and without the index.

use hookrules::context::{Context, ShellTools};
use hookrules::eval::{RuleOutcome, TraceDetail};
use hookrules::facts::MachineFacts;
use hookrules::image::ImageSection;
use hookrules::ruleset::index::Index;
use hookrules::schema::Event;
use proptest::prelude::*;
use serde_json::json;

use super::generate::{anything, near};
use super::hold::{alike, judged, policy_of};
use crate::kit::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn law_10_the_index_leaves_out_nothing_that_is_near((rules, calls) in near()) {
        let policy = policy_of(&rules);
        for given in &calls {
            alike(&policy, given)?;
        }
    }

    #[test]
    fn law_10_the_index_cannot_be_observed((rules, calls) in anything()) {
        let policy = policy_of(&rules);
        for given in &calls {
            alike(&policy, given)?;
        }
    }
}

/// The search for links follows the policy's path in any spelling.
#[test]
fn a_link_in_a_directory_of_any_spelling_is_found() {
    let machine = tempfile::tempdir().unwrap();
    let root = machine.path().canonicalize().unwrap();
    let (project, real) = (root.join("project"), root.join("data/real"));
    std::fs::create_dir_all(project.join("Src")).unwrap();
    std::fs::create_dir_all(&real).unwrap();
    crate::system::link(&real, project.join("Src/Gen"));
    let policy = policy_of(&[
        "rule NAME {\n  on PreToolUse\n  when path under \"Src/Gen\"\n  deny \"M\"\n}\n".to_owned(),
        "rule NAME {\n  on PreToolUse\n  when writes under \"Src/Gen\"\n  deny \"M\"\n}\n".to_owned(),
        "rule NAME {\n  on PreToolUse\n  when path == \"src/gen\"\n  deny \"M\"\n}\n".to_owned(),
    ]);
    let path = real.join("a");
    let given = write(path.to_str().unwrap(), "x").set(json!({"cwd": project}));
    let given = given.with(MachineFacts::new(Some(project)));
    let outcomes: Vec<RuleOutcome> = judged(&policy.rules, &given, TraceDetail::Outcomes)
        .trace
        .rules
        .into_iter()
        .map(|judged| judged.outcome)
        .collect();
    assert_eq!(outcomes, [RuleOutcome::Match, RuleOutcome::Match, RuleOutcome::NoMatch]);
    alike(&policy, &given).unwrap();
}

/// Nothing is in an empty list, for certain, unless the tested value is unknown.
#[test]
fn a_test_of_an_empty_list_is_unknown_where_its_subject_is() {
    let tests = [
        "runs nothing",
        "only runs nothing",
        "pipes nothing into nothing",
        "writes like nothing",
        "deletes under nothing",
        "path like nothing",
        "path under nothing",
        "agent in nothing",
        "command like nothing",
    ];
    for effect in ["deny \"M\"", "allow"] {
        let rules = tests.map(|test| format!("rule NAME {{\n  on PreToolUse\n  when {test}\n  {effect}\n}}\n"));
        let policy = policy_of(&rules);
        assert_eq!(policy.rules.rules().len(), tests.len());
        for command in ["eval \"$X\"", "git push", "rm -rf \"$X\"", "$P | $Q"] {
            alike(&policy, &bash(command)).unwrap();
        }
        alike(&policy, &write("/project/x", "x")).unwrap();
    }
}

/// A call of a tool with a record has one meaning for a denial and another for an allow, which no record opens.
#[test]
fn a_call_that_a_record_speaks_of_is_left_out_for_neither_effect() {
    let tests = [
        "reads like \"**/.env\"",
        "reads under \"src\"",
        "writes outside [project]",
        "deletes like \"**\"",
        "sends like \"**\"",
        "writes like \"*.md\" or runs \"git branch\"",
        "not reads under \"src\"",
        "not deletes outside [project]",
        "path like \"**/.env\"",
    ];
    let of_effect =
        |effect: &str| tests.map(|test| format!("rule NAME {{\n  on PreToolUse\n  when {test}\n  {effect}\n}}\n"));
    let policy = policy_of(&[of_effect("deny \"M\""), of_effect("allow"), of_effect("ask \"M\"")].concat());
    assert_eq!(policy.rules.rules().len(), 3 * tests.len());
    let inputs = [
        ("mcp__filesystem__read_file", json!({"path": "/project/.env"})),
        ("mcp__filesystem__read_file", json!({"path": "src/a.rs"})),
        ("mcp__filesystem__write_file", json!({"path": "/etc/x", "content": "x"})),
        ("mcp__filesystem__list_directory", json!({"path": "src"})),
        ("mcp__filesystem__read_file", json!({"name": "no path"})),
        ("mcp__filesystem__read_multiple_files", json!({"paths": ["src/a", {"path": ".env"}]})),
        ("mcp__git__git_branch", json!({"path": ".", "operation": "delete", "name": "x"})),
        ("mcp__supabase__execute_sql", json!({"project_id": "p", "query": "select 1"})),
        (
            "mcp__supabase__execute_sql",
            json!({"project_id": "p", "query": "select 1", "file": ".env", "command": "ls"}),
        ),
        ("mcp__github__issue_write", json!({"method": "create", "owner": "a", "repo": "b", "body": "see src/.env"})),
        ("mcp__fetch__fetch", json!({"url": "https://example.com", "file": "/project/.env"})),
    ];
    for (tool, input) in inputs {
        alike(&policy, &call(tool, input.clone())).unwrap_or_else(|error| panic!("{tool} {input}: {error}"));
    }
    let given = call("mcp__supabase__execute_sql", json!({"project_id": "p", "query": "select 1"}));
    let looked = judged(&policy.rules, &given, TraceDetail::Outcomes).cost.lookups;
    // Without a file or a command, only the rules that apply to every call are left.
    assert_eq!(looked[0].1.candidates, looked[0].1.always, "{looked:?}");
    assert!(looked[0].1.always < looked[0].1.rules, "{looked:?}");
}

/// If a call has more atoms than are looked up, some rules count as unknown.
#[test]
fn what_a_call_has_is_looked_up_within_bounds() {
    let text = "rule a {\n  on PreToolUse\n  when tool_input.note == \"n-199999\"\n  deny \"M\"\n}\n\
                rule b {\n  on PreToolUse\n  when tool_input.note == \"other\"\n  deny \"M\"\n}\n\
                rule c {\n  on PreToolUse\n  when tool_input.title == \"n\"\n  deny \"M\"\n}\n";
    let policy = policy(text);
    let of = |note: Vec<String>, title: &str| {
        let mut given = call("mcp__fs__note", json!({}));
        // More than is read of a payload.
        given.payload.json.insert("tool_input".to_owned(), json!({"note": note, "title": title}));
        let evaluation = judged(&policy.rules, &given, TraceDetail::Outcomes);
        let matched =
            evaluation.trace.rules.iter().map(|judged| judged.outcome == RuleOutcome::Match).collect::<Vec<_>>();
        (evaluation.cost.lookups[0].1, matched)
    };
    let (looked, matched) = of((0..200_000).map(|at| format!("n-{at}")).collect(), "n");
    assert_eq!((looked.candidates, looked.unknown), (3, 2), "{looked:?}");
    assert!(looked.atoms < 100, "{looked:?}");
    assert_eq!(matched, [true, false, true]);
    // Repeated values count once.
    let (looked, matched) = of((0..300_000).map(|at| ["n", "m"][at % 2].to_owned()).collect(), "m");
    assert_eq!((looked.candidates, looked.unknown, looked.atoms), (0, 0, 3), "{looked:?}");
    assert_eq!(matched, [false, false, false]);
}

/// Conditions of rules that differ in a number, and a call that only the seventh of each matches.
const NUMBERED: &[(&str, &str)] = &[
    ("tool_input.note == \"note-{n}\"", "note-7"),
    ("tool_input.note contains \"mark-{n}.\"", "a mark-7. here"),
    ("tool_input.note matches /\\bticket-{n}\\b/i", "see TICKET-7"),
    ("tool_input.note like \"draft-{n}-*\"", "draft-7-x"),
    ("tool_name == \"mcp__fs__note\" and tool_input.note in [\"a{n}\", \"b{n}\"]", "b7"),
    ("runs \"tool{n} push\"", "cd x && sudo tool7 push"),
    ("only runs [\"tool{n} x\"]", "tool7 x"),
    ("pipes \"tool{n}\" into \"sh\"", "tool7 x | sh"),
    ("path like [\"**/*.ext{n}\", \"!*.md\"]", "src/a.ext7"),
    ("path like \"pkg{n}/**\"", "pkg7/b/c.rs"),
    ("path under \"gen/part{n}\"", "gen/part7/c.rs"),
    ("writes like \"**/name{n}\"", "a/name7"),
    ("writes under \"made{n}\"", "made7/x"),
    ("(env.X == \"1\" or true_let) and not path like \"*.md\" and content contains \"word-{n}-\"", "a word-7- b"),
];

#[test]
fn of_many_rules_those_are_judged_that_a_call_is_about() {
    const RULES: usize = 300;
    let mut text = String::from("let true_let = true\n");
    for (number, (condition, _)) in (0..RULES).flat_map(|number| NUMBERED.iter().map(move |row| (number, row))) {
        let condition = condition.replace("{n}", &number.to_string());
        text.push_str(&format!("rule NAME{} {{\n  on PreToolUse\n  when {condition}\n  warn \"M\"\n}}\n", text.len()));
    }
    let policy = policy(&text.replace("NAME", "r-"));
    for (condition, value) in NUMBERED {
        let given = match condition {
            condition if condition.contains("note") => call("mcp__fs__note", json!({"note": value})),
            condition if condition.contains("content") => write("/project/x", value),
            condition if condition.starts_with("path") || condition.starts_with("writes") => write(value, "x"),
            _ => bash(value),
        };
        let evaluation = judged(&policy.rules, &given, TraceDetail::Outcomes);
        let matched = evaluation.trace.rules.iter().filter(|judged| judged.outcome == RuleOutcome::Match).count();
        assert_eq!(matched, 1, "{condition}");
        // The input of a shell is unknown, and so are its file accesses: the rules of the four kinds that test either
        // count.
        let of_unknown = if condition.starts_with("pipes") { 4 * RULES as u32 } else { 0 };
        assert!(evaluation.cost.rules <= 3 + of_unknown, "{condition}: {:?}", evaluation.cost);
    }
}

/// If commands run in too many places, a rule about one of them is unknown, regardless of its other
/// conditions.
#[test]
fn a_rule_about_commands_in_many_places_is_not_left_out() {
    let policy = policy(
        "rule a {\n  on PreToolUse\n  when tool_input.note == \"n\" and runs \"git\" and git.branch == \"main\"\n  deny \"M\"\n}\n\
         rule b {\n  on PreToolUse\n  when not runs \"git\" and not tool_input.note == \"m\"\n  deny \"M\"\n}\n",
    );
    let places: Vec<String> = (0..12).map(|at| format!("cd /project/d{at} && git x")).collect();
    for command in [places.join("; "), "rm x".to_owned()] {
        for note in ["n", "m"] {
            alike(&policy, &call("Bash", json!({"command": command, "note": note}))).unwrap();
        }
    }
}

#[test]
fn an_index_is_the_same_each_time() {
    let text = "rule a {\n  on PreToolUse, Stop\n  when runs \"git\" or path like [\"*.rs\", \"src/**\"]\n  warn \"M\"\n}\n\
                rule b {\n  on *\n  when session_id contains \"abcdef\" or cwd under \"x/y\"\n  warn \"M\"\n}\n";
    let (one, other) = (policy(text), policy(text));
    for event in Event::ALL {
        assert_eq!(one.rules.index_bytes(*event), other.rules.index_bytes(*event), "{event:?}");
    }
    assert!(!one.rules.index_bytes(Event::Stop).is_empty());
}

/// A damaged index is rejected, or finds other rules: it never panics, and always terminates.
#[test]
fn a_damaged_index_harms_nothing() {
    let policy = policy(
        "rule a {\n  on PreToolUse\n  when runs \"git\" or path like [\"*.rs\", \"src/**\"]\n  warn \"M\"\n}\n\
         rule b {\n  on PreToolUse(Bash|Write)\n  when command contains \"abcdef\" or path under \"x/y\"\n  warn \"M\"\n}\n\
         rule c {\n  on PreToolUse\n  when content matches /secret-[0-9]+/\n  warn \"M\"\n}\n",
    );
    let given = [bash("git push abcdef"), write("x/y/a.rs", "a secret-1")];
    let tools = ShellTools::default();
    let contexts = given.each_ref().map(|given| Context::new(&given.payload, "claude-code", &*given.facts, &tools));
    let bytes = policy.rules.index_bytes(Event::PreToolUse);
    let found = |bytes: &[u8]| {
        let len = u64::try_from(bytes.len()).unwrap();
        let index = Index::open(bytes, ImageSection { position: 0, len }).ok()?;
        Some(contexts.each_ref().map(|context| index.candidates(bytes, context).map(|found| found.ids)))
    };
    assert_eq!(found(bytes), Some([Ok(vec![0, 2]), Ok(vec![0, 1, 2])]));
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = bytes.to_vec();
            bytes[at] ^= flip;
            found(&bytes);
        }
        found(&bytes[..at]);
    }
}
