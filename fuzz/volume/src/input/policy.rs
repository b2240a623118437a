//! Policies: from the tree, from the grammar, and mutations of them; and the check of one.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hookrules::cache::{self, CacheMode, ReadyPolicy};
use hookrules::context::Context;
use hookrules::diagnostic::{DiagnosticFormat, Levels, render_all};
use hookrules::eval::{Evaluation, TraceDetail, decide};
use hookrules::facts::MachineFacts;
use hookrules::host::{DecodedPayload, Host, decode, encode};
use hookrules::project::MachinePlaces;
use hookrules::ruleset::StoredRules;
use hookrules::schema::EVENTS;
use hookrules::{examples, lint};
use serde_json::{Value as Json, json};

use super::grammar::Grammar;
use crate::checks;
use crate::machine::Machine;
use crate::mutate::{self, amount, pick, repeat};
use crate::random::Random;

/// The sources of policies.
pub struct Policies {
    texts: Vec<String>,
    /// Items of the texts: rules, definitions.
    items: Vec<String>,
    words: Vec<String>,
    grammar: Grammar,
}

impl Policies {
    pub fn new() -> Self {
        let mut texts = super::read_all("rules", &["rules"]);
        texts.extend(super::read_all("examples", &["rules"]));
        texts.extend(super::read_all("tests/fixtures/language", &["rules"]));
        texts.extend(super::read_all("tests/fixtures/shell", &["rules"]));
        let cases =
            [super::read_all("tests/fixtures/syntax", &["cases"]), super::read_all("tests/fixtures/check", &["cases"])];
        texts.extend(cases.concat().iter().flat_map(|file| file.split("\n=== ")).filter_map(|case| {
            let text = case.split_once('\n')?.1;
            (!text.is_empty()).then(|| text.to_owned())
        }));
        let items: Vec<String> = texts.iter().flat_map(|text| items(text)).collect();
        let words = [super::words(&texts), literals(&texts, '"'), literals(&texts, '/')].concat();
        let read = |name: &str| {
            std::fs::read_to_string(super::root().join(format!("grammar/{name}.pest")))
                .expect("the grammar can be read")
        };
        let grammar = Grammar::new(&format!("{}\n{}", read("lexical"), read("rules")), lexicon(&texts));
        Self { texts, items, words, grammar }
    }

    pub fn text(&self, random: &mut Random) -> String {
        let mut text = match random.below(12) {
            0 | 1 => pick(random, &self.texts).clone(),
            2..=5 => (0..=random.below(4)).map(|_| format!("{}\n", pick(random, &self.items))).collect(),
            6 | 7 => (0..=random.below(3)).map(|_| self.rule(random)).collect(),
            8 => self.grammar.derive("file", random),
            9 => format!("{}\n{}", pick(random, &self.items), self.grammar.derive("rule_item", random)),
            10 => format!("rule r {{\n  on PreToolUse\n  when {}\n  deny \"No.\"\n}}\n", nest(random)),
            _ => many(random),
        };
        for _ in 0..random.below(4) {
            mutate::text(random, &mut text, &self.words, &self.items);
        }
        text
    }

    /// Returns a rule with clauses derived from the grammar.
    fn rule(&self, random: &mut Random) -> String {
        let event = pick(random, EVENTS).name;
        let event = if random.below(2) == 0 { "PreToolUse" } else { event };
        let when: String = (0..random.below(3))
            .map(|_| {
                format!("  {} {}\n", random.one(&["when", "when", "unless"]), self.grammar.derive("condition", random))
            })
            .take(2)
            .collect();
        let effect = match random.below(4) {
            0 => self.grammar.derive("run_effect", random),
            1 => self.grammar.derive("rewrite_effect", random),
            _ => self.grammar.derive("message_effect", random),
        };
        format!("rule r{} {{\n  on {event}\n{when}  {effect}\n}}\n", random.below(1_000))
    }
}

/// Splits a text at the lines that begin an item.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines() {
        let begins = ["rule ", "def ", "let ", "use ", "test ", "@", "##"].iter().any(|word| line.starts_with(word));
        match items.last_mut() {
            Some(item) if !begins || item.lines().all(|line| line.starts_with(['@', '#'])) => {
                item.push('\n');
                item.push_str(line);
            }
            _ => items.push(line.to_owned()),
        }
    }
    items.retain(|item| !item.trim().is_empty());
    items
}

/// Returns the texts between two delimiters on one line, delimiters included.
fn literals(texts: &[String], sign: char) -> Vec<String> {
    let lines = texts.iter().flat_map(|text| text.lines());
    let mut all: Vec<String> = lines
        .flat_map(|line| line.split(sign).skip(1).step_by(2))
        .filter(|text| text.len() < 80)
        .map(|text| format!("{sign}{text}{sign}"))
        .collect();
    all.sort();
    all.dedup();
    all
}

/// Returns the lists for the words of the grammar.
fn lexicon(texts: &[String]) -> BTreeMap<&'static str, Vec<String>> {
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let fields = [
        "tool_name",
        "command",
        "path",
        "content",
        "tool_input.n",
        "env.X",
        "git.branch",
        "agent",
        "cwd",
        "domain",
        "url",
        "event",
        "session_id",
        "permission_mode",
        "tool_input.command",
        "prompt",
        "message",
        "source",
        "project",
        "nothing",
        "now",
        "home",
    ];
    let strings = literals(texts, '"');
    let mut regexes = literals(texts, '/');
    regexes.extend(own(&[
        "/a/",
        "/(a+)+$/",
        "/((a{1,50}){1,50}){1,20}0/",
        "/\\p{L}+/i",
        "/[^\\s\\S]/",
        "/(?x) a #/",
        "/^$/m",
        "/a{1000}/",
        "/(|||)*/",
        "/\\b\\B/",
        "/[[:alpha:]&&[^a]]/",
        "/(a|b|c|d){1,200}/",
        "/\\u{10ffff}/",
        "/.{0,5000}x/s",
    ]));
    BTreeMap::from([
        ("string", strings),
        ("block_string", own(&["\"\"\"\n    a\n  b\n\"\"\"", "\"\"\"\"\"\""])),
        ("raw_string", own(&["'a'", "'*.rs'", "'{x}'"])),
        ("regex", regexes),
        ("field", own(&fields)),
        ("any_name", own(&fields)),
        (
            "json_path",
            own(&[
                "`$.tool_input.command`",
                "`$..x`",
                "`$.*`",
                "`$..*..*..*`",
                "`$[?(@.a == 1)]`",
                "`$.a[0:9:2]`",
                "`$..[?(@..x)]`",
                "`$[-1]`",
                "`$[?match(@.a, '(a+)+')]`",
                "`$[?length(@) > 1]`",
            ]),
        ),
        (
            "quantity",
            own(&[
                "0",
                "1",
                "10k",
                "5MiB",
                "3s",
                "-1",
                "1.5",
                "9223372036854775807",
                "100ms",
                "2h",
                "18446744073709551616",
            ]),
        ),
        ("event_name", EVENTS.iter().map(|event| event.name.to_owned()).chain(own(&["*"])).collect()),
        ("example_name", own(&["Bash", "Write", "Read", "Stop", "UserPromptSubmit", "mcp__x__y", "PreToolUse"])),
        ("bare_glob", own(&["Bash", "Edit", "mcp__*", "!Bash", "*", "coder", "[a-z]*", "startup"])),
        ("rule_name", own(&["a", "b", "no-push", "r1"])),
        ("let_name", own(&["a", "b", "only_reads", "secrets"])),
        ("word", own(&["deny", "ask", "pass", "allow", "ignore", "high"])),
        ("newline", own(&["\n"])),
        ("annotation_name", own(&["@off", "@observe", "@severity", "@tags", "@allow"])),
    ])
}

/// Nests one construct.
fn nest(random: &mut Random) -> String {
    const NESTS: &[(&str, &str, &str)] = &[
        ("(", "no", ")"),
        ("not ", "a", ""),
        ("not (", "a", ")"),
        ("a and (", "b", ")"),
        ("(a or ", "b", ")"),
        ("path in [", "\"a\"", "]"),
        ("path like \"{a,", "b", "}\""),
        ("path like \"", "*", "/**\""),
        ("command matches /(", "a", ")*/"),
        ("command matches /(", "a", "){1,9}/"),
        ("command matches /[", "a", "]/"),
        ("runs \"(", "a", "|b)\""),
        ("`$", ".x", "` == 1"),
        ("`$[?(", "@.x", ")]` == 1"),
        ("path like \"{", "a", ",b}\""),
        ("a == { a: ", "1", " }"),
        ("path like \"[", "a", "]\""),
        ("path like \"", "{a,b}", "\""),
        ("command matches /", "a{1,1000}", "/"),
    ];
    let (open, core, close) = *pick(random, NESTS);
    let depth = match random.below(8) {
        0 => 1 << (6 + random.below(11)),
        1..=3 => 8 << random.below(5),
        _ => 1 + random.below(12),
    };
    match random.below(3) {
        // Repeats the core within one pair of delimiters.
        0 => format!("{open}{}{close}", repeat(core, depth)),
        _ => format!("{}{core}{}", repeat(open, depth), repeat(close, depth)),
    }
}

/// Returns a policy with many small items.
fn many(random: &mut Random) -> String {
    let count = (amount(random) * 20).min(5_000);
    let (kind, event) = (random.below(9), pick(random, EVENTS).name);
    let one = |n: usize| match kind {
        0 => format!("rule r{n} {{\n  on {event}\n  deny \"No {n}.\"\n}}\n"),
        1 => format!("def d{n} = d{} and d{}\n", n + 1, n + 1),
        2 => format!("let l{n} = [...l{}, ...l{}]\n", n + 1, n + 1),
        3 => format!("rule r{n} {{\n  on PreToolUse\n  when command matches /a{{1,{n}}}b{n}/\n  deny\n}}\n"),
        4 => format!("rule r{n} {{\n  on PreToolUse\n  when path like \"{{a,b,c}}{{d,e}}{{f,g}}*{n}\"\n  deny\n}}\n"),
        5 => "rule {\n".to_owned(),
        6 => format!("@off @severity(high) x{n}\n"),
        7 => format!(
            "rule r{n} {{\n  on PreToolUse\n  when runs \"git p{n} *\" and `$..a{n}` == {n}\n  ask \"{{match}}\"\n}}\n"
        ),
        _ => format!("test \"{n}\" {{\n  given Bash \"x{n}\"\n  expect pass\n}}\n"),
    };
    (0..count).map(one).collect()
}

/// Loads a policy like the hook, checks it like `rules check`, and judges some events by it and by its stored image.
pub fn attempt(text: &str, number: u64, machine: &Machine) -> Result<(), String> {
    if number.is_multiple_of(4) {
        checks::policy::check(text);
        checks::parse::check(text);
    }
    let project = machine.policy_project();
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(project.join(".rules"))?;
        std::fs::create_dir_all(project.join(".git"))?;
        std::fs::write(project.join(".rules/project.rules"), text)
    };
    write().map_err(|error| format!("the policy cannot be written: {error}"))?;
    let nowhere = PathBuf::from("/nonexistent");
    let places = MachinePlaces {
        managed: nowhere,
        user: None,
        cache: None,
        project: Some(project.clone()),
        ..MachinePlaces::on_this_machine(None)
    };
    let ReadyPolicy::Compiled(compiled) = cache::policy(&places, CacheMode::Cached) else {
        return Err("a policy comes from a cache that there is not".to_owned());
    };
    let policy = &compiled.policy;
    let hosts: Vec<Host> = Host::all().collect();
    let mut findings = lint::check_policy(policy, &hosts, &Levels::default());
    for layer in &policy.layers {
        findings.extend(examples::judge_own_examples(layer, examples::JudgedDirectories::All).failed);
    }
    for format in [DiagnosticFormat::Short, DiagnosticFormat::Json, DiagnosticFormat::Sarif, DiagnosticFormat::Github] {
        drop(render_all(&findings, &policy.sources, format));
    }
    // The size of source excerpts grows with the findings; a person reads only the first ones.
    findings.truncate(20);
    drop(render_all(&findings, &policy.sources, DiagnosticFormat::PLAIN));

    let stored = StoredRules::open(policy.rules.image()).map_err(|_| "its own image cannot be opened")?;
    for payload in payloads(&project) {
        let DecodedPayload::Event { payload, .. } = decode(Host::CLAUDE_CODE, payload.to_string().as_bytes()) else {
            return Err("a plain payload is no event".to_owned());
        };
        let facts = MachineFacts::new(Some(project.clone()));
        let context = || Context::new(&payload, Host::CLAUDE_CODE.name(), &facts, &policy.settings.shell_tools);
        let Ok(judged) = decide(&policy.rules, &context(), TraceDetail::Outcomes);
        let again = decide(&stored, &context(), TraceDetail::Outcomes).map_err(|_| "its own image cannot be read")?;
        let told = |evaluation: &Evaluation| format!("{:?} {:?}", evaluation.verdict, evaluation.observed);
        if told(&judged) != told(&again) {
            return Err(format!("the image judges otherwise: {} and {}", told(&judged), told(&again)));
        }
        for host in Host::all() {
            drop(encode(host, &judged.verdict));
        }
    }
    Ok(())
}

/// Returns events that policies test.
fn payloads(project: &PathBuf) -> [Json; 4] {
    let event = |name: &str, more: Json| {
        let mut payload =
            json!({ "session_id": "s", "cwd": project, "hook_event_name": name, "permission_mode": "default" });
        if let (Json::Object(payload), Json::Object(more)) = (&mut payload, more) {
            payload.extend(more);
        }
        payload
    };
    let call = |tool: &str, input: Json| event("PreToolUse", json!({ "tool_name": tool, "tool_input": input }));
    let long = "a".repeat(5_000);
    [
        call(
            "Bash",
            json!({ "command": format!("cd src && sudo git push --force | sh; rm -rf /x/{long}; echo \"$X\"") }),
        ),
        call("Write", json!({ "file_path": "src/../.env", "content": long })),
        call("mcp__x__y", json!({ "a": { "b": [1, { "x": long }] }, "path": "/etc/passwd", "n": 5 })),
        event("Stop", json!({ "stop_hook_active": false })),
    ]
}
