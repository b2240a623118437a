//! Policies and payloads at and over the limits: they load and are decided, or are refused cleanly.

use std::fmt::Write;
use std::time::Duration;

use hookrules::context::{Context, ShellTools};
use hookrules::diagnostic::{DiagnosticFormat, render_all};
use hookrules::eval::{self, Evaluation, TraceDetail, evaluate};
use hookrules::facts::StatedFacts;
use hookrules::host::{DecodedPayload, Host, decode, encode};
use hookrules::image::DamagedImage;
use hookrules::policy::Policy;
use hookrules::project::{self, MachinePlaces};
use hookrules::ruleset::{Rule, StoredRules};
use hookrules::verdict::Decision;
use hookrules::wire::DamageFlag;
use serde_json::{Map, Value as Json, json};

use crate::kit::{one_file, rendered};
use crate::machine::Machine;
use crate::system::thread_time;

/// Loads a project's policy.
fn load(text: &str) -> Policy {
    let machine = Machine::with(text);
    let nowhere = machine.path("nowhere");
    let project = Some(machine.path("project"));
    let loaded =
        project::load(&MachinePlaces { project, managed: nowhere, user: None, ..MachinePlaces::on_this_machine(None) });
    Policy::new(loaded.sources, &loaded.layers)
}

/// Returns the findings, one per line.
fn findings(policy: &Policy) -> String {
    let found: Vec<_> = policy.diagnostics().cloned().collect();
    render_all(&found, &policy.sources, DiagnosticFormat::Short)
}

#[track_caller]
fn loads(text: &str) -> Policy {
    let policy = load(text);
    assert_eq!(findings(&policy), "");
    policy
}

#[track_caller]
fn decide(policy: &Policy, payload: &Json) -> Evaluation {
    let DecodedPayload::Event { payload, damage: None } = decode(Host::CLAUDE_CODE, payload.to_string().as_bytes())
    else {
        panic!("no event");
    };
    let facts = StatedFacts::from_json(&Map::new()).unwrap();
    let tools = ShellTools::default();
    evaluate(&policy.rules, &Context::new(&payload, "claude-code", &facts, &tools), TraceDetail::Outcomes)
}

fn bash(command: &str) -> Json {
    json!({ "hook_event_name": "PreToolUse", "cwd": "/project", "tool_name": "Bash", "tool_input": { "command": command } })
}

/// Checks a limit far above the actual time and far below that of backtracking, in this thread's CPU time.
#[track_caller]
fn within<T>(limit: Duration, what: impl FnOnce() -> T) -> T {
    let start = thread_time();
    let result = what();
    let took = thread_time() - start;
    assert!(took < limit, "{took:?}");
    result
}

fn rule(when: &str) -> String {
    format!("rule a {{\n  on PreToolUse(Bash)\n  when {when}\n  deny \"No.\"\n}}\n")
}

/// Wraps a core in `depth` brackets.
fn nested(open: &str, core: &str, close: &str, depth: usize) -> String {
    format!("{}{core}{}", open.repeat(depth), close.repeat(depth))
}

/// A kind of nesting, the text with this many levels, and the most levels that load.
type Brackets<'t> = (&'static str, &'t dyn Fn(usize) -> String, usize);

#[test]
fn nesting_up_to_the_limit_loads_and_beyond_it_is_refused() {
    // The braces of the rule are a level too.
    let parentheses = |depth| rule(&nested("(", "tool_name == \"Bash\"", ")", depth));
    let nots = |depth| rule(&nested("not (", "tool_name == \"Bash\"", ")", depth));
    let lists = |depth| format!("let a = {}\n", nested("[", "\"a\"", "]", depth));
    let rewrites = |depth: usize| {
        format!("rule a {{\n  on PreToolUse(Bash)\n  rewrite tool_input.x = {}\n}}\n", nested("[", "1", "]", depth))
    };
    let maps = |depth: usize| {
        let map = nested("{ a: ", "1", " }", depth);
        let rule =
            "rule a {\n  on PreToolUse(mcp__x__y)\n  deny \"No.\"\n\n  fires on mcp__x__y { tool_input: MAP }\n}\n";
        rule.replace("MAP", &map)
    };
    let kinds: [Brackets<'_>; 5] = [
        ("parentheses", &parentheses, 63),
        ("not", &nots, 63),
        ("lists", &lists, 64),
        ("lists in a rewrite", &rewrites, 63),
        ("maps", &maps, 62),
    ];
    for (what, text, most) in kinds {
        let told = findings(&load(&text(most)));
        assert!(!told.contains("R0004") && !told.contains("R0001"), "{what} {most}: {told}");
        for depth in [most + 1, most + 2, 1_000, 20_000] {
            let told = within(Duration::from_secs(10), || findings(&load(&text(depth))));
            assert!(told.contains("error R0004 too-deep-or-big"), "{what} {depth}: {told}");
            assert!(told.lines().count() <= 2, "{what} {depth}: {told}");
        }
    }
}

#[test]
fn nesting_that_is_never_closed_is_refused() {
    for open in ["(", "[", "{", "not (", "[[", "({["] {
        let told = within(Duration::from_secs(10), || findings(&load(&rule(&open.repeat(5_000)))));
        assert!(told.contains("error R00"), "{open}: {told}");
    }
}

#[test]
fn a_nested_regex_is_refused_or_loads_but_never_crashes() {
    for depth in [10, 100, 1_000, 50_000] {
        let pattern = nested("(", "a", ")", depth);
        let policy = within(Duration::from_secs(10), || load(&rule(&format!("command matches /{pattern}/"))));
        let told = findings(&policy);
        assert!(told.is_empty() || told.contains("R0401") || told.contains("R0004"), "{depth}: {told}");
        assert!(depth > 10 || told.is_empty(), "{told}");
    }
}

#[test]
fn regexes_that_backtrack_elsewhere_are_decided_in_no_time() {
    let long = "a".repeat(100_000);
    for (pattern, decision) in [
        ("(a+)+$", Decision::Pass),
        // Matches the empty text at the end.
        ("(a|a)*$", Decision::Deny),
        ("(a|aa)+$", Decision::Pass),
        ("(.*a){12}$", Decision::Pass),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", Decision::Pass),
        ("(a*)*b", Decision::Pass),
    ] {
        let policy = loads(&rule(&format!("command matches /{pattern}/")));
        let evaluation = within(Duration::from_secs(20), || decide(&policy, &bash(&format!("{long}!"))));
        assert_eq!(evaluation.verdict.decision(), decision, "{pattern}");
    }
}

#[test]
fn a_counted_repetition_loads_or_is_refused_at_load() {
    let mut loaded = Vec::new();
    for pattern in
        ["a{1000}", "(a{1000}){1000}", "((a{100}){100}){100}", "(\\w{255}){255}", "[\\s\\S]{100000}", "a{4294967295}"]
    {
        let policy = within(Duration::from_secs(20), || load(&rule(&format!("command matches /{pattern}/"))));
        let told = findings(&policy);
        assert!(told.is_empty() || told.contains("R0401"), "{pattern}: {told}");
        if told.is_empty() {
            // A pattern that loads can also be judged: one that is found too large only then would be a hole.
            let evaluation = within(Duration::from_secs(20), || decide(&policy, &bash(&"a".repeat(2_000_000))));
            assert_eq!(evaluation.verdict.decision(), Decision::Deny, "{pattern}: {:?}", evaluation.trace);
            loaded.push(pattern);
        }
    }
    assert!(loaded.contains(&"a{1000}") && loaded.len() < 6, "{loaded:?}");
    let policy = loads(&rule("command matches /a{1000}/"));
    assert_eq!(decide(&policy, &bash(&"a".repeat(1_000))).verdict.decision(), Decision::Deny);
    assert_eq!(decide(&policy, &bash(&"a".repeat(999))).verdict.decision(), Decision::Pass);
}

#[test]
fn ten_thousand_rules_load_and_decide() {
    let mut text = String::new();
    for number in 0..10_000 {
        writeln!(
            text,
            "rule r{number} {{\n  on PreToolUse(Bash)\n  when tool_input.command contains \"word{number}.\"\n  deny \"No {number}.\"\n}}"
        )
        .unwrap();
    }
    let start = thread_time();
    let policy = loads(&text);
    let loaded = thread_time() - start;
    let start = thread_time();
    let evaluation = decide(&policy, &bash("say word7777."));
    let decided = thread_time() - start;
    assert_eq!(evaluation.verdict.message(), "No 7777.");
    assert_eq!(decide(&policy, &bash("say nothing")).verdict.decision(), Decision::Pass);
    // Shown with `--nocapture`.
    assert!(loaded < Duration::from_secs(60) && decided < Duration::from_secs(5), "{loaded:?} {decided:?}");
    write_figures(&format!("10,000 rules: loaded in {loaded:?}, decided in {decided:?}"));
}

/// Prints figures, for runs of the test with `--nocapture`.
fn write_figures(figures: &str) {
    eprintln!("{figures}");
}

#[test]
fn ten_thousand_patterns_of_one_list_are_matched() {
    let globs: Vec<String> = (0..10_000).map(|number| format!("\"dir{number}/**\"")).collect();
    let text = format!("let dirs = [{}]\n{}", globs.join(", "), rule("tool_input.command like dirs"));
    let policy = within(Duration::from_secs(60), || loads(&text));
    let evaluation = within(Duration::from_secs(60), || decide(&policy, &bash("dir9999/a")));
    assert_eq!(evaluation.verdict.decision(), Decision::Deny);
}

#[test]
fn a_list_over_its_limit_is_refused() {
    let elements = "1, ".repeat(65_537);
    let told = findings(&load(&format!("let a = [{elements}]\n")));
    assert!(told.contains("R0004"), "{told}");
}

#[test]
fn a_file_over_its_limit_is_refused() {
    let told = findings(&load(&"# a comment of thirty-two bytes.\n".repeat(40_000)));
    assert!(told.contains("R0004") || told.contains("R0921"), "{told}");
}

#[test]
fn a_filter_over_a_big_payload_is_decided() {
    let policy = loads(
        "rule a {\n  on PreToolUse(mcp__x__y)\n  when `$.tool_input.items[?(@.env == \"prod\")].name` == \"last\"\n  deny \"No.\"\n}\n\
         rule b {\n  on PreToolUse(mcp__x__y)\n  when `$..secret` == \"yes\"\n  deny \"Secret.\"\n}\n",
    );
    let mut items: Vec<Json> =
        (0..2_000).map(|number| json!({ "env": "test", "name": format!("n{number}") })).collect();
    items.push(json!({ "env": "prod", "name": "last", "deep": { "secret": "yes" } }));
    let call = |items: &[Json]| json!({ "hook_event_name": "PreToolUse", "tool_name": "mcp__x__y", "tool_input": { "items": items } });
    let evaluation = within(Duration::from_secs(60), || decide(&policy, &call(&items)));
    assert_eq!(evaluation.verdict.message(), "No.\nSecret.");
    items.pop();
    let evaluation = within(Duration::from_secs(60), || decide(&policy, &call(&items)));
    assert_eq!(evaluation.verdict.decision(), Decision::Pass);
}

#[test]
fn three_hundred_contexts_all_reach_the_agent() {
    let mut text = String::new();
    for number in 0..300 {
        writeln!(text, "rule r{number} {{\n  on SessionStart\n  context \"Context {number}.\"\n}}").unwrap();
    }
    let policy = loads(&text);
    let evaluation = decide(&policy, &json!({ "hook_event_name": "SessionStart", "source": "startup" }));
    let output = encode(Host::CLAUDE_CODE, &evaluation.verdict);
    let answer: Json = serde_json::from_str(&output.stdout).unwrap();
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!((0..300).all(|number| context.contains(&format!("Context {number}."))));
}

#[test]
fn three_hundred_denials_name_three_and_count_the_rest() {
    let mut text = String::new();
    for number in 0..300 {
        writeln!(text, "rule r{number} {{\n  on PreToolUse\n  deny \"Reason {number}.\"\n}}").unwrap();
    }
    let evaluation = decide(&loads(&text), &bash("ls"));
    assert_eq!(evaluation.verdict.message(), "Reason 0.\nReason 1.\nReason 2.\n(and 297 more rules say so)");
}

#[test]
fn a_huge_message_is_cut_and_still_an_answer() {
    for text in
        ["x".repeat(500_000), "ä\u{301}\u{1f600}".repeat(60_000), "a\\n".repeat(100_000), "\\\"".repeat(100_000)]
    {
        let policy = loads(&format!("rule a {{\n  on PreToolUse(Bash)\n  deny \"{text}\"\n}}\n"));
        let output = encode(Host::CLAUDE_CODE, &decide(&policy, &bash("ls")).verdict);
        let answer: Json = serde_json::from_str(&output.stdout).unwrap();
        let answer = &answer["hookSpecificOutput"];
        assert_eq!((output.exit, &answer["permissionDecision"]), (2, &json!("deny")));
        assert!(answer["permissionDecisionReason"].as_str().unwrap().chars().count() < 10_000);
        assert!(!output.stderr.is_empty() && output.stderr.chars().count() < 10_000);
    }
}

#[test]
fn a_value_of_the_payload_in_a_message_is_cut_too() {
    let policy = loads("rule a {\n  on PreToolUse(Bash)\n  deny \"Not `{command}`.\"\n}\n");
    let output = encode(Host::CLAUDE_CODE, &decide(&policy, &bash(&"x".repeat(1_000_000))).verdict);
    let answer: Json = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    assert!(output.stdout.len() < 20_000, "{}", output.stdout.len());
}

#[test]
fn a_chain_of_definitions_that_doubles_is_no_trouble() {
    let policy = |length: usize| {
        let mut text = String::from("def d0 = tool_name == \"Bash\"\n");
        for number in 1..=length {
            let before = number - 1;
            writeln!(text, "def d{number} = d{before} and d{before}").unwrap();
        }
        text.push_str(&rule(&format!("d{length}")));
        text
    };
    let policy_of_ten = loads(&policy(10));
    let evaluation = within(Duration::from_secs(20), || decide(&policy_of_ten, &bash("ls")));
    assert!(evaluation.verdict.decision() >= Decision::Ask, "{:?}", evaluation.verdict);
    // Each is expanded and judged wherever it is named, so sixty of them would never end.
    let said = within(Duration::from_secs(20), || rendered(&one_file(&policy(60))));
    assert!(said.contains("takes the project policy over 450,000 parts"), "{said}");
}

/// Returns a chain of definitions, each named by the previous one.
fn chain(length: usize, link: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for number in 0..length {
        let next = link(&format!("d{}", number + 1));
        writeln!(text, "def d{number} = {next}").unwrap();
    }
    writeln!(text, "def d{length} = tool_name == \"Bash\"").unwrap();
    text
}

#[test]
fn a_chain_of_sixty_definitions_is_followed_and_a_long_one_refused_at_once() {
    let links: [fn(&str) -> String; 3] =
        [str::to_owned, |next| format!("{next} and tool_name == \"Bash\""), |next| format!("not not {next}")];
    for link in links {
        let policy = loads(&format!("{}{}", chain(45, link), rule("d0")));
        assert_eq!(decide(&policy, &bash("ls")).verdict.decision(), Decision::Deny);
        for length in [100, 10_000] {
            let forwards = chain(length, link);
            let backwards: String = forwards.lines().rev().flat_map(|line| [line, "\n"]).collect();
            for text in [forwards, backwards] {
                let told = within(Duration::from_secs(20), || findings(&load(&format!("{text}{}", rule("d0")))));
                assert!(told.contains("R0004"), "{length}: {told}");
            }
        }
    }
    loads(&format!("{}{}", chain(60, str::to_owned), rule("d0")));
}

/// Judges by the rules in an image.
fn by_image(image: Vec<u8>, payload: &Json) -> Result<Decision, DamagedImage> {
    let DecodedPayload::Event { payload, .. } = decode(Host::CLAUDE_CODE, payload.to_string().as_bytes()) else {
        panic!("no event");
    };
    let facts = StatedFacts::from_json(&Map::new()).unwrap();
    let tools = ShellTools::default();
    let context = Context::new(&payload, "claude-code", &facts, &tools);
    let evaluation = eval::decide(&StoredRules::open(image)?, &context, TraceDetail::Outcomes)?;
    Ok(evaluation.verdict.decision())
}

#[test]
fn what_is_found_to_be_damaged_while_it_is_judged_is_no_verdict() {
    let rule = "rule a {\n  on PreToolUse(Bash)\n  when runs \"git push (--force|-f)\"\n    or reads like \"*.key\"\n\
                \x20 unknown ignore\n  deny \"No.\"\n}\n";
    let image = load(rule).rules.image();
    let at = |bytes: &[u8]| image.windows(bytes.len()).position(|window| window == bytes).unwrap();
    for (bytes, tells, silent) in [
        // A word of a pattern, a glob, the text of an effect, each after its length.
        (&b"\x07--force"[..], "git push --force", "cat a.txt"),
        (&b"\x05*.key"[..], "cat a.key", "git push -f"),
        (&b"\x03No."[..], "git push --force", "ls"),
    ] {
        assert_eq!(by_image(image.clone(), &bash(tells)), Ok(Decision::Deny), "{bytes:?}");
        let mut damaged = image.clone();
        damaged[at(bytes) + 1] = 0xff;
        assert_eq!(by_image(damaged.clone(), &bash(tells)), Err(DamagedImage), "{bytes:?}");
        // Damage is harmless where nothing is read.
        assert!(by_image(damaged, &bash(silent)).is_ok(), "{bytes:?}");
    }
    for at in 0..image.len() {
        for bit in 0..8 {
            let mut damaged = image.clone();
            damaged[at] ^= 1 << bit;
            let _any = by_image(damaged, &bash("git push --force && cat a.key $X"));
        }
    }
}

#[test]
fn the_deepest_condition_that_loads_is_decided() {
    let deep = |next: &str| nested("not (tool_name == \"Bash\" and ", next, ")", 15);
    for length in 1..40 {
        let policy = load(&format!("{}{}", chain(length, deep), rule("d0")));
        let told = findings(&policy);
        if !told.is_empty() {
            assert!(told.contains("R0004") && length > 5, "{told}");
            return;
        }
        assert!(decide(&policy, &bash("ls")).verdict.decision() <= Decision::Deny);
        let is_read = |rule: &Rule| Rule::from_bytes(rule.to_bytes(), &DamageFlag::default()).is_ok();
        assert!(policy.rules.rules().iter().all(|rule| is_read(rule)), "{length}");
    }
    panic!("never refused");
}

#[test]
fn a_ring_of_definitions_is_told_of_once_wherever_it_is_entered() {
    for first in ["c", "a", "b"] {
        let mut defs = ["def a = b\n", "def b = c\n", "def c = a\n"];
        defs.sort_by_key(|def| !def.starts_with(&format!("def {first}")));
        let told = findings(&load(&format!("{}{}{}", defs.concat(), rule("b"), rule("c").replace("rule a", "rule z"))));
        assert_eq!(told.matches("is defined by itself").count(), 1, "{told}");
    }
}

#[test]
fn a_search_with_an_absurd_glob_is_decided_as_one_without() {
    let machine = Machine::with("rule a {\n  on PreToolUse(Grep)\n  when reads like \"**/.env\"\n  deny \"No.\"\n}\n");
    machine.write("project/.env", "x");
    let deep = format!("{}{}", "{".repeat(60_000), "}".repeat(60_000));
    for glob in [deep, "{}".repeat(40_000), "{a}".repeat(40_000), "[".repeat(100_000), "*a".repeat(100_000)] {
        let input = json!({ "pattern": "x", "path": machine.path("project"), "glob": glob });
        let call = json!({ "hook_event_name": "PreToolUse", "cwd": machine.path("project"), "tool_name": "Grep", "tool_input": input });
        let outcome = machine.hook(&call);
        assert!(format!("{outcome:?}").contains("deny"), "{}: {outcome:?}", glob.len());
        let input = json!({ "path": machine.path("project"), "pattern": glob });
        let call = json!({ "hook_event_name": "PreToolUse", "cwd": machine.path("project"), "tool_name": "Glob", "tool_input": input });
        // Such a pattern terminates, regardless of its matches.
        machine.hook(&call);
    }
}

#[test]
fn an_absurd_glob_of_a_policy_is_refused_at_load() {
    let deep = format!("{}a{}", "{".repeat(60_000), "}".repeat(60_000));
    for glob in [deep, format!("{}a{}", "{".repeat(9), "}".repeat(9)), "{a}".repeat(40_000), "[a]".repeat(2_000)] {
        for field in ["path", "tool_input.file_path", "tool_name", "session_id"] {
            let text =
                format!("rule a {{\n  on PreToolUse(Edit)\n  when {field} like \"{glob}\"\n  deny \"No.\"\n}}\n");
            let told = within(Duration::from_secs(20), || findings(&load(&text)));
            assert!(told.contains("error R0"), "{}: {told}", glob.len());
        }
        // A selector has no alternatives: its braces are literal.
        within(Duration::from_secs(20), || {
            load(&format!("rule a {{\n  on PreToolUse(\"{glob}\")\n  deny \"No.\"\n}}\n"))
        });
    }
}

/// Returns a call of a foreign tool.
fn foreign(input: &Json) -> Json {
    json!({ "hook_event_name": "PreToolUse", "tool_name": "mcp__x__y", "tool_input": input })
}

fn on_foreign(when: &str) -> String {
    format!("rule a {{\n  on PreToolUse(mcp__x__y)\n  when {when}\n  deny \"No.\"\n}}\n")
}

#[test]
fn a_json_path_without_bounds_is_refused_at_load() {
    let union = "[\"a\",\"a\",\"a\",\"a\",\"a\"]".repeat(10);
    let counted = |depth| format!("$[?{}@.a{} > 9]", "count($[?".repeat(depth), "] > 9)".repeat(depth));
    for path in [
        format!("${union}"),
        format!("${}", "[0,0,0,0,0]".repeat(10)),
        format!("${}", ".a".repeat(17)),
        format!("$.{}", "a".repeat(2_000)),
        "$[?count($[?@.a > 9]) > 9]".to_owned(),
        "$.a[?@.b[?@.c]]".to_owned(),
        "$.a[?@.b[?(@.c == 1)]]".to_owned(),
        counted(9),
        counted(40),
        format!("$[?{}@.a{}]", "(".repeat(100), ")".repeat(100)),
        format!("$[?{}@.a{}]", "(".repeat(400), ")".repeat(400)),
        "$.a[?match(@.b, @.c)]".to_owned(),
        "$.a[?match(@.b, '(\\\\w{100}){20}')]".to_owned(),
    ] {
        let told = within(Duration::from_secs(5), || findings(&load(&on_foreign(&format!("`{path}` == 1")))));
        assert!(told.contains("R0402") || told.contains("jsonpath"), "{path}: {told}");
    }
    for path in ["$['a','b']['c','d'].e", "$..[?@.a == 'b' && (@.c || @.d > 1)].f", "$.a[?search(@.b, 'c[0-9]+')]"] {
        loads(&on_foreign(&format!("`{path}` == 1")));
    }
}

#[test]
fn a_json_path_that_would_take_too_long_is_unknown_and_not_false() {
    let items = |count: usize| json!((0..count).map(|number| json!({ "a": number, "b": "x" })).collect::<Vec<_>>());
    let (short, long) = (foreign(&json!({ "items": items(100) })), foreign(&json!({ "items": items(15_000) })));
    for path in ["$.tool_input.items[?@.a == 10].b", "$..b", "$.tool_input.items[*].b", "$.tool_input.items[::2].b"] {
        let policy = loads(&on_foreign(&format!("`{path}` == \"x\"")));
        assert_eq!(decide(&policy, &short).verdict.decision(), Decision::Deny, "{path}");
        let many = within(Duration::from_secs(20), || decide(&policy, &long));
        assert_eq!(many.verdict.decision(), Decision::Ask, "{path}");
        assert!(many.verdict.message().contains("too big for this JSONPath"), "{}", many.verdict.message());
    }
    let policy = loads(&on_foreign("`$.tool_input.items[?@.a == $.tool_input.first].b` == \"x\""));
    let call = |count| foreign(&json!({ "first": 10, "items": items(count) }));
    assert_eq!(decide(&policy, &call(50)).verdict.decision(), Decision::Deny);
    assert_eq!(decide(&policy, &call(5_000)).verdict.decision(), Decision::Ask);
    // A path of names only costs nothing, regardless of the members next to it.
    let policy = loads(&on_foreign("`$.tool_input.items[14999].b` == \"x\""));
    assert_eq!(decide(&policy, &long).verdict.decision(), Decision::Deny);
}

#[test]
fn a_long_name_in_a_payload_does_not_multiply() {
    let policy = loads(&on_foreign("`$..b` == \"x\""));
    let input = json!({ "n".repeat(1_000_000): vec![1; 50_000] });
    let evaluation = within(Duration::from_secs(20), || decide(&policy, &foreign(&input)));
    assert_eq!(evaluation.verdict.decision(), Decision::Ask);
}

#[test]
fn many_tests_of_one_huge_text_are_unknown_in_the_end() {
    let mut text = String::new();
    for number in 0..2_000 {
        let test = match number % 3 {
            0 => format!("matches /[a-f]{number}x+y/"),
            1 => format!("like \"*?{number}y\""),
            _ => format!("contains \"z{number}\""),
        };
        writeln!(text, "rule r{number} {{\n  on PreToolUse(Bash)\n  when command {test}\n  deny \"No.\"\n}}").unwrap();
    }
    let policy = loads(&text);
    assert_eq!(decide(&policy, &bash(&"a".repeat(1_000))).verdict.decision(), Decision::Pass);
    let evaluation = within(Duration::from_secs(120), || decide(&policy, &bash(&"a".repeat(5_000_000))));
    assert_eq!(evaluation.verdict.decision(), Decision::Ask);
    assert!(
        evaluation.verdict.message().contains("more work than is allowed for one event"),
        "{}",
        evaluation.verdict.message()
    );
    let few = loads(&rule("command matches /[a-f]+x/ or command like \"*b\" or command contains \"b\""));
    assert_eq!(decide(&few, &bash(&format!("{}b", "a".repeat(10_000_000)))).verdict.decision(), Decision::Deny);
}
