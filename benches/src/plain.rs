//! A policy over ten events, with conditions that every engine has: equal, begins with, ends with, contains.
//!
//! [`Rule`] defines the meaning of a rule and [`fires`] its result, so that every engine can be checked.

use std::collections::BTreeMap;

use crate::mixed::rule;

/// The project that the events come from.
pub const PROJECT: &str = "/srv/app";

/// A rule: one event, some tools, one condition.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// The event.
    pub event: &'static str,
    /// The tools that it applies to; empty for all, and for events without tools.
    pub tools: &'static [&'static str],
    /// The condition.
    pub test: Test,
}

/// A condition on one member of an event.
#[derive(Clone, Debug)]
pub enum Test {
    /// A member is equal to this text.
    Equals(&'static str, String),
    /// A file is below this directory of the project.
    Below(String),
    /// A file's path ends with this text.
    EndsWith(String),
    /// A member begins with this text.
    StartsWith(&'static str, String),
    /// A member contains this text.
    Contains(&'static str, String),
}

/// The member of an event that holds the path of a tool's file.
pub const PATH: &str = "file_path";

/// The members of an event by name, including those of a tool's input.
pub type Members = BTreeMap<&'static str, String>;

/// An event.
#[derive(Clone, Debug)]
pub struct Call {
    /// The event's name.
    pub event: &'static str,
    /// Its members, `tool_name` among them.
    pub members: Members,
}

const FILES: &[&str] = &["Edit", "Write"];
const SHELL: &[&str] = &["Bash"];

/// A kind of rule: its tools, comparison, member and text; `{n}` in the text is the rule's number.
type Kind = (&'static [&'static str], &'static str, &'static str, &'static str);

/// The kinds of rules of each event, in turn.
const EVENTS: &[(&str, &[Kind])] = &[
    (
        "PreToolUse",
        &[
            (FILES, "below", PATH, "vendor/pkg{n}"),
            (SHELL, "contains", "command", "marker-{n}-"),
            (FILES, "ends", PATH, ".ext{n}"),
            (&[], "equals", "tool_name", "mcp__server{n}__write"),
        ],
    ),
    (
        "PostToolUse",
        &[
            (FILES, "below", PATH, "generated/{n}"),
            (SHELL, "starts", "command", "deploy-{n} "),
            (SHELL, "contains", "command", "stage-{n}-"),
        ],
    ),
    ("PostToolUseFailure", &[(&[], "contains", "error", "E{n}:"), (SHELL, "contains", "command", "retry-{n}-")]),
    ("UserPromptSubmit", &[(&[], "contains", "prompt", "ticket-{n}-"), (&[], "starts", "prompt", "/do{n} ")]),
    ("Stop", &[(&[], "contains", "last_assistant_message", "unsure-{n}-")]),
    (
        "SubagentStop",
        &[(&[], "equals", "agent_type", "coder{n}"), (&[], "contains", "last_assistant_message", "failed-{n}-")],
    ),
    ("SessionStart", &[(&[], "equals", "model", "model-{n}"), (&[], "starts", "cwd", "/srv/old{n}/")]),
    ("SessionEnd", &[(&[], "starts", "cwd", "/srv/gone{n}/")]),
    ("Notification", &[(&[], "contains", "message", "alert-{n}-")]),
    ("PreCompact", &[(&[], "contains", "custom_instructions", "keep-{n}-")]),
];

/// Returns this many rules, spread evenly over the ten events.
#[must_use]
pub fn rules(count: usize) -> Vec<Rule> {
    let one = |n: usize| {
        let (event, kinds) = EVENTS.get(n % EVENTS.len())?;
        let (tools, word, member, text) = kinds.get((n / EVENTS.len()) % kinds.len())?;
        let text = text.replace("{n}", &n.to_string());
        let test = match *word {
            "below" => Test::Below(text),
            "ends" => Test::EndsWith(text),
            "starts" => Test::StartsWith(member, text),
            "equals" => Test::Equals(member, text),
            _ => Test::Contains(member, text),
        };
        Some(Rule { name: format!("plain-{n}"), event, tools, test })
    };
    (0..count).filter_map(one).collect()
}

/// Returns calls for these rules: for each event, calls that no rule matches, and one that a rule matches.
#[must_use]
pub fn calls(rules: &[Rule]) -> Vec<Call> {
    let mut calls = Vec::new();
    for (event, kinds) in EVENTS {
        for (tools, ..) in *kinds {
            let call = quiet(event, tools);
            if !calls.iter().any(|known: &Call| known.event == *event && known.members == call.members) {
                calls.push(call);
            }
        }
        // Uses a rule from the middle, so that no engine profits from the order.
        let mine: Vec<&Rule> = rules.iter().filter(|rule| rule.event == *event).collect();
        if let Some(rule) = mine.get(mine.len() / 2) {
            calls.push(loud(rule));
        }
    }
    calls
}

/// Returns a call of the first tool that no rule matches.
fn quiet(event: &'static str, tools: &[&str]) -> Call {
    let mut members = Members::from([("cwd", PROJECT.to_owned())]);
    let mut put = |name, text: &str| members.insert(name, text.to_owned());
    match event {
        "PreToolUse" | "PostToolUse" | "PostToolUseFailure" => {
            if tools.contains(&"Edit") {
                put("tool_name", "Edit");
                put(PATH, "/srv/app/src/part/lib.rs");
            } else {
                put("tool_name", "Bash");
                put("command", "cd crates/part && cargo test --all-features 2>&1 | tail -n 20");
            }
            if event == "PostToolUseFailure" {
                put("error", "the command ended with exit code 1: two tests failed");
            }
        }
        "UserPromptSubmit" => {
            drop(put("prompt", "Please make the tests of the parser pass, and tell me what was wrong."))
        }
        "Stop" => drop(put("last_assistant_message", "The tests pass now. The parser had lost a token.")),
        "SubagentStop" => {
            put("agent_type", "tester");
            put("last_assistant_message", "All 212 tests pass.");
        }
        "SessionStart" => drop(put("model", "a-model")),
        "Notification" => drop(put("message", "The agent waits for your input")),
        "PreCompact" => drop(put("custom_instructions", "Keep what was decided about the parser.")),
        _ => {}
    }
    Call { event, members }
}

/// Returns a call that a rule matches.
fn loud(rule: &Rule) -> Call {
    let mut call = quiet(rule.event, rule.tools);
    let (member, text) = match &rule.test {
        Test::Equals(member, text) => (*member, text.clone()),
        Test::Below(directory) => (PATH, format!("{PROJECT}/{directory}/src/lib.rs")),
        Test::EndsWith(end) => (PATH, format!("{PROJECT}/src/name{end}")),
        Test::StartsWith(member, text) => (*member, format!("{text}and more")),
        Test::Contains(member, text) => (*member, format!("what has {text} in it")),
    };
    call.members.insert(member, text);
    call
}

/// Whether a rule fires on a call: the expected result for all engines.
#[must_use]
pub fn fires(rule: &Rule, call: &Call) -> bool {
    let member = |name: &str| call.members.get(name).map(String::as_str);
    let tool = rule.tools.is_empty() || member("tool_name").is_some_and(|tool| rule.tools.contains(&tool));
    let holds = match &rule.test {
        Test::Equals(name, text) => member(name) == Some(text),
        Test::Below(directory) => member(PATH).is_some_and(|path| path.starts_with(&format!("{PROJECT}/{directory}/"))),
        Test::EndsWith(end) => member(PATH).is_some_and(|path| path.ends_with(end.as_str())),
        Test::StartsWith(name, text) => member(name).is_some_and(|value| value.starts_with(text.as_str())),
        Test::Contains(name, text) => member(name).is_some_and(|value| value.contains(text.as_str())),
    };
    call.event == rule.event && tool && holds
}

/// Writes the rules in our own language.
#[must_use]
pub fn policy(rules: &[Rule]) -> Vec<String> {
    let one = |one: &Rule| {
        let head = match one.tools {
            [] => one.event.to_owned(),
            tools => format!("{}({})", one.event, tools.join("|")),
        };
        let condition = match &one.test {
            Test::Equals(member, text) => format!("{} == \"{text}\"", field(member)),
            Test::Below(directory) => format!("path like \"{directory}/**\""),
            Test::EndsWith(end) => format!("path like \"**/*{end}\""),
            Test::StartsWith(member, text) => format!("{} starts_with \"{text}\"", field(member)),
            Test::Contains(member, text) => format!("{} contains \"{text}\"", field(member)),
        };
        rule(&one.name, &head, &condition, "warn")
    };
    rules.iter().map(one).collect()
}

fn field(member: &str) -> &str {
    if member == "command" { "tool_input.command" } else { member }
}

/// Writes a call as the payload that a host sends; no text in the calls needs escapes.
#[must_use]
pub fn payload(call: &Call) -> String {
    let of_tool = |name: &&str| matches!(*name, PATH | "command");
    let member = |(name, text): (&&str, &String)| format!("\"{name}\":\"{text}\"");
    let input: Vec<String> = call.members.iter().filter(|(name, _)| of_tool(name)).map(member).collect();
    let rest: Vec<String> = call.members.iter().filter(|(name, _)| !of_tool(name)).map(member).collect();
    let input = if call.members.contains_key("tool_name") {
        format!(",\"tool_input\":{{{}}},\"tool_use_id\":\"toolu_1\"", input.join(","))
    } else {
        String::new()
    };
    let event = call.event;
    format!("{{\"session_id\":\"s\",\"hook_event_name\":\"{event}\",{}{input}}}", rest.join(","))
}
