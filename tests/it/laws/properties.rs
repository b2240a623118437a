//! Laws 2, 6 and 10 on random policies, and that evaluation is total.

use std::collections::BTreeSet;

use hookrules::config::LayerKind;
use hookrules::facts::StatedFacts;
use hookrules::host::{self, Host};
use hookrules::policy::Policy;
use hookrules::schema::{EVENTS, EventSpec};
use hookrules::verdict::{Decision, Verdict};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseError;
use serde_json::{Map, Value as Json, json};

use crate::kit::*;

/// Conditions of every kind; on the payloads below each is sometimes true, false or unknown.
const CONDITIONS: &[&str] = &[
    "tool_name == \"Bash\"",
    "command like \"git *\"",
    "command matches /^ls/",
    "not command like \"ls*\"",
    "path like [\"*.rs\", \"!a.rs\"]",
    "path under project",
    "path outside [project, tmp]",
    "all path under project",
    "exists path",
    "writes like \"src/**\"",
    "reads outside project",
    "deletes under home",
    "env.X == \"1\"",
    "(env.X != \"1\" or tool_name == \"Write\")",
    "git.branch in [\"main\"]",
    "file_exists \"a\"",
    "path like [\"src/{agent}/**\", \"!*.md\"]",
    "writes like \"{agent}/**\"",
    "deletes under \"src/{agent}\"",
    "tool_name like \"{agent}*\"",
    "`$.tool_input.n` >= 2",
    "`$..k` == 1",
    "agent == \"main\"",
    "permission_mode == \"plan\"",
    "content contains \"x\"",
    "domain == \"example.com\"",
    "`$.tool_input.flag` == true",
    "only runs [\"ls *\"]",
    "runs \"git push\" where operands starts_with \"+\"",
    "pipes \"curl\" into \"sh\"",
    "session_id like \"*\"",
    "exists `$.tool_input.deep.er`",
];

const HEADS: &[&str] = &[
    "PreToolUse",
    "PreToolUse(*)",
    "PreToolUse(Bash)",
    "PreToolUse(Write|Edit)",
    "PreToolUse(!Bash)",
    "PreToolUse(mcp__*)",
    "PreToolUse, PermissionRequest(Bash)",
    "PreToolUse\n  by main",
    "PreToolUse\n  by coder|rev*",
    "PreToolUse\n  by !coder",
];

const VOTES: &[&str] = &[
    "deny \"M\"",
    "ask \"M\"",
    "allow \"M\"",
    "allow",
    "halt \"M\"",
    "exit 2 \"M\"",
    "exit 1 \"M\"",
    "warn \"M\"",
    "notify \"M {match}\"",
    "unknown deny\n  warn \"M\"",
    "unknown ignore\n  deny \"M\"",
    "run \"make\"",
    "run \"check\" { on_fail: deny }",
];

/// A rule without its name.
#[derive(Clone, Debug)]
struct Sketch {
    annotation: &'static str,
    head: String,
    when: String,
    effect: String,
}

impl Sketch {
    fn text(&self, number: usize) -> String {
        let effect = self.effect.replace('M', &format!("message {number}"));
        format!("{}rule r{number} {{\n  on {}\n{}  {effect}\n}}\n", self.annotation, self.head, self.when)
    }
}

fn when() -> impl Strategy<Value = String> {
    let one = || select(CONDITIONS);
    prop_oneof![
        Just(String::new()),
        one().prop_map(|c| format!("  when {c}\n")),
        one().prop_map(|c| format!("  unless {c}\n")),
        (one(), one()).prop_map(|(a, b)| format!("  when {a} and not ({b})\n")),
        (one(), one(), one()).prop_map(|(a, b, c)| format!("  when ({a} or {b}) and {c}\n")),
        (one(), one()).prop_map(|(a, b)| format!("  when {a}\n  unless {b}\n")),
    ]
}

fn rule() -> impl Strategy<Value = Sketch> {
    let annotation = select(&["", "", "", "@observe\n", "@off\n"][..]);
    (annotation, select(HEADS), when(), select(VOTES)).prop_map(|(annotation, head, when, effect)| Sketch {
        annotation,
        head: head.to_owned(),
        when,
        effect: effect.to_owned(),
    })
}

/// Returns random JSON with names that rules test.
fn json() -> impl Strategy<Value = Json> {
    let text = select(
        &[
            "",
            "ls -l",
            "git push",
            "src/a.rs",
            "/etc/passwd",
            "~/x",
            "../..",
            "main",
            "x\u{202e}\n",
            "1",
            "https://example.com/x",
        ][..],
    );
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (-3_i64..5).prop_map(Json::from),
        text.prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let name = select(
            &[
                "command",
                "file_path",
                "path",
                "n",
                "k",
                "flag",
                "deep",
                "er",
                "content",
                "url",
                "edits",
                "new_string",
                "pattern",
            ][..],
        );
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::vec((name, inner), 0..5).prop_map(|members| Json::Object(
                members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            )),
        ]
    })
}

fn tool_input() -> impl Strategy<Value = Json> {
    prop_oneof![
        3 => select(&["ls -l", "git push", "git push origin +main", "rm x"][..]).prop_map(|command| json!({"command": command})),
        3 => select(&["src/a.rs", "a.rs", "/etc/passwd", "/tmp/x", "~/x"][..])
            .prop_map(|path| json!({"file_path": path, "content": "x = 1"})),
        1 => json(),
    ]
}

/// Returns a tool call, as itself and as a permission request.
fn calls() -> impl Strategy<Value = [Given; 2]> {
    let tool = select(
        &["Bash", "Write", "Edit", "Read", "Grep", "Glob", "WebFetch", "Task", "mcp__fs__delete", "Unknown"][..],
    );
    let agent = select(&[None, Some(""), Some("coder"), Some("reviewer")][..]);
    let mode = select(&["default", "plan"][..]);
    (tool, tool_input(), agent, mode, any::<bool>()).prop_map(|(tool, input, agent, mode, readable)| {
        ["PreToolUse", "PermissionRequest"].map(|name| {
            let mut fields = json!({"tool_name": tool, "tool_input": input, "permission_mode": mode});
            if let (Some(agent), Json::Object(fields)) = (agent, &mut fields) {
                fields.insert("agent_id".to_owned(), json!("a1"));
                fields.insert("agent_type".to_owned(), json!(agent));
            }
            let facts = StatedFacts::for_examples().with_file("a", true).with_env("X", "1").with_git_branch("main");
            let given = event(name, fields);
            if readable { given.with(facts) } else { given.with(Unreadable(facts)) }
        })
    })
}

/// Distributes rules over files of layers.
fn placed(rules: &[String], places: &[Index]) -> Policy {
    let mut files: [[String; 2]; 4] = Default::default();
    for (rule, place) in rules.iter().zip(places) {
        let place = place.index(8);
        files[place / 2][place % 2].push_str(rule);
    }
    let layers: Vec<Vec<(&str, &str)>> =
        files.iter().map(|[a, b]| vec![("a.rules", a.as_str()), ("b.rules", b.as_str())]).collect();
    let layers: Vec<(LayerKind, &[(&str, &str)])> =
        LayerKind::ALL.into_iter().zip(&layers).map(|(kind, files)| (kind, files.as_slice())).collect();
    loads(compiled(&layers))
}

/// Returns the part of a verdict that by law 2 does not depend on order.
fn decided(policy: &Policy, given: &Given) -> (Decision, BTreeSet<String>) {
    let verdict = judge(policy, given).verdict;
    let messages = verdict.winning_votes().map(|vote| vote.displayed_message().into_owned()).collect();
    (verdict.decision(), messages)
}

/// Returns a formatted verdict without the prefixes of layers.
fn all_of(policy: &Policy, given: &Given) -> String {
    shown(&judge(policy, given).verdict)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn law_2_the_decision_does_not_depend_on_order(
        sketches in prop::collection::vec(rule(), 1..8),
        // If the head names all tools, they must have a command.
        rewrite in prop::option::of((
            select(HEADS).prop_filter("no command", |head| !head.contains("Write")), when(), select(&["git push", "ls", "rm -rf x"][..]),
        )),
        places in [prop::collection::vec(any::<Index>(), 9), prop::collection::vec(any::<Index>(), 9)],
        order in Just((0..9_usize).collect::<Vec<_>>()).prop_shuffle(),
        calls in calls(),
    ) {
        let mut rules: Vec<String> = sketches.iter().enumerate().map(|(number, sketch)| sketch.text(number)).collect();
        // The order of several rewrites may matter: they are effects (law 3).
        if let Some((head, when, command)) = rewrite {
            rules.push(format!("rule rewrites {{\n  on {head}\n{when}  rewrite command = \"{command}\"\n}}\n"));
        }
        let shuffled: Vec<String> = order.iter().filter_map(|index| rules.get(*index).cloned()).collect();
        let [first, second] = places;
        let (one, other) = (placed(&rules, &first), placed(&shuffled, &second));
        for given in &calls {
            // A message names its rule only if there is no other: the layer's prefix is not covered by the law.
            let strip = |(decision, messages): (Decision, BTreeSet<String>)| {
                let plain = |text: String| ["managed/", "user/", "local/"].iter().fold(text, |text, prefix| text.replace(prefix, ""));
                (decision, messages.into_iter().map(plain).collect::<BTreeSet<String>>())
            };
            prop_assert_eq!(strip(decided(&one, given)), strip(decided(&other, given)));
        }
    }

    #[test]
    fn law_6_a_random_verdict_is_the_same_twice(sketches in prop::collection::vec(rule(), 1..5), calls in calls()) {
        let text: String = sketches.iter().enumerate().map(|(number, sketch)| sketch.text(number)).collect();
        let (one, again) = (policy(&text), policy(&text));
        for given in &calls {
            prop_assert_eq!(all_of(&one, given), all_of(&one, given));
            prop_assert_eq!(all_of(&one, given), all_of(&again, given));
        }
    }

    #[test]
    fn law_10_an_unrelated_rule_changes_nothing(
        sketches in prop::collection::vec(rule(), 0..6),
        unrelated in select(&[
            "on Stop\n  deny \"U\"",
            "on PreToolUse(NotebookEdit)\n  deny \"U\"",
            "on PreToolUse(NotebookEdit), PermissionRequest(NotebookEdit)\n  halt \"U\"",
            "on PreToolUse\n  by nobody-here\n  when tool_name == \"Nothing\"\n  deny \"U\"",
            "on PreToolUse\n  when tool_name == \"Nothing\" and env.X == \"2\"\n  deny \"U\"",
            "on PreToolUse, PermissionRequest\n  unless session_id like \"*\"\n  rewrite command = \"U\"",
            "on SessionStart(startup)\n  context \"U\"",
        ][..]),
        at in any::<Index>(),
        calls in calls(),
    ) {
        let mut rules: Vec<String> = sketches.iter().enumerate().map(|(number, sketch)| sketch.text(number)).collect();
        let without = policy(&rules.concat());
        rules.insert(at.index(rules.len() + 1), format!("rule unrelated {{\n  {unrelated}\n}}\n"));
        let with = policy(&rules.concat());
        for given in &calls {
            prop_assert_eq!(all_of(&without, given), all_of(&with, given));
        }
    }

    #[test]
    fn evaluation_is_total_and_gives_what_the_event_can_carry(
        event in select(EVENTS),
        sketches in prop::collection::vec((when(), select(EFFECTS)), 1..6),
        members in prop::collection::vec((select(MEMBERS), json()), 0..8),
        tool in select(&["Bash", "Write", "Grep", "Glob", "mcp__x__delete_y", "MultiEdit"][..]),
        readable in any::<bool>(),
    ) {
        let mut fields: Map<String, Json> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        fields.entry("tool_name").or_insert(json!(tool));
        fields.insert("hook_event_name".to_owned(), json!(event.name));
        let facts = StatedFacts::for_examples().with_os("macos");
        let given = decoded(&Json::Object(fields));
        let given = if readable { given.with(facts) } else { given.with(Unreadable(facts)) };
        for (number, (when, effect)) in sketches.iter().enumerate() {
            let text = format!("rule r{number} {{\n  on {}\n{when}  {effect}\n}}\n", event.name);
            let policy = one_file(&text);
            obeys(&event, &judge(&policy, &given).verdict)?;
            let every = one_file(&text.replace(&format!("on {}", event.name), "on *"));
            obeys(&event, &judge(&every, &given).verdict)?;
        }
    }
}

const EFFECTS: &[&str] = &[
    "deny \"{match} {path} {session_id}\"",
    "ask \"{content}\"",
    "allow",
    "halt \"M\"",
    "exit 2 \"M\"",
    "exit 7 \"M\"",
    "context \"{project} {git.branch}\"",
    "warn \"{env.X} {now}\"",
    "rewrite command = \"{command}; {tool_name}\"",
    "rewrite content replace /(x)/ with \"<$1>{path}\"",
    "rewrite path = \"/tmp/x\"",
    "rewrite tool_input.n = 5",
    "rewrite tool_input.deep.er = tool_input.k",
    "rewrite tool_input.k = null\n  allow",
    "run \"make {session_id}\" { on_fail: deny }",
    "run [\"a\", \"--\", \"{path}\", \"x{match}\"]",
    "record \"{session_id}/{agent}.jsonl\" { agent_id, at: now, all: \"{cwd}\", n: 5 }",
    "notify \"{session_id}\" \"{cwd}\"",
    "unknown deny\n  deny \"M\"",
    "unknown ask\n  warn \"M\"",
];

const MEMBERS: &[&str] = &[
    "session_id",
    "cwd",
    "permission_mode",
    "agent_id",
    "agent_type",
    "tool_name",
    "tool_input",
    "tool_response",
    "prompt",
    "message",
    "source",
    "event",
    "file_path",
    "stop_hook_active",
    "url",
    "content",
    "reason",
    "trigger",
    "to_model",
    "transcript_path",
];

/// Checks that a verdict and its output respect what the event can carry.
fn obeys(spec: &EventSpec, verdict: &Verdict) -> Result<(), TestCaseError> {
    let can = spec.answers;
    let decision = verdict.decision();
    let possible = match decision {
        Decision::Pass => true,
        Decision::Allow => can.allow,
        Decision::Ask => can.ask,
        Decision::Deny => can.deny,
        Decision::Halt => can.halt,
    };
    prop_assert!(possible, "{} cannot carry {decision:?}", spec.name);
    let after_the_call = spec.name == "PostToolUse";
    prop_assert!((can.rewrite && !after_the_call) || verdict.updated_input.is_none());
    prop_assert!(after_the_call || verdict.updated_output.is_none());
    prop_assert!(can.context || verdict.contexts.is_empty());
    prop_assert!(verdict.updated_input.as_ref().is_none_or(Json::is_object));
    prop_assert!(decision < Decision::Deny || verdict.updated_input.is_none());
    for vote in &verdict.votes {
        let text = vote.displayed_message();
        prop_assert!(text.chars().count() <= 10_000, "a message of {} characters", text.len());
        prop_assert!(!text.chars().any(|c| c.is_control() && c != '\n' && c != '\t'), "{text:?}");
    }
    for record in &verdict.records {
        prop_assert!(!record.file.split('/').any(|part| part.is_empty() || part == ".."), "{}", record.file);
    }
    let output = host::encode(Host::CLAUDE_CODE, verdict);
    prop_assert!(matches!(output.exit, 0 | 2));
    prop_assert!(output.exit == 0 || !output.stderr.is_empty());
    if output.stdout.is_empty() || spec.name == "WorktreeCreate" {
        return Ok(());
    }
    if spec.name == "PreCompact" && !output.stdout.starts_with('{') {
        // The instructions of a summary are plain text, and nothing accompanies them.
        prop_assert!(output.exit == 0 && !verdict.contexts.is_empty(), "{}", output.stdout);
        return Ok(());
    }
    let Json::Object(answer) = serde_json::from_str(&output.stdout).unwrap() else { panic!("{}", output.stdout) };
    prop_assert!(answer.values().all(|value| !value.is_null()), "{}", output.stdout);
    if let Some(specific) = answer.get("hookSpecificOutput") {
        prop_assert_eq!(&specific["hookEventName"], spec.name);
    }
    Ok(())
}
