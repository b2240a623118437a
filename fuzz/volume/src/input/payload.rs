//! Payloads: from real sessions, from the schema, and mutations of them.

use hookrules::schema::{Capability, EVENTS, Field, TOOLS};
use serde_json::{Map, Value as Json, json};

use super::shell::Texts;
use crate::mutate::{self, amount, pick, repeat};
use crate::random::Random;

/// The sources of payloads.
pub struct Payloads {
    captured: Vec<Json>,
    names: Vec<String>,
    texts: Vec<String>,
}

impl Payloads {
    pub fn new() -> Self {
        let read = |directory| super::read_all(directory, &["json"]).into_iter();
        let texts = read("tests/fixtures/payloads").chain(read("benches/payloads"));
        let captured: Vec<Json> = texts.filter_map(|text| serde_json::from_str(&text).ok()).collect();
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        captured.iter().for_each(|payload| collect(payload, &mut names, &mut texts));
        let fields = EVENTS.iter().flat_map(|event| event.fields).chain(TOOLS.iter().flat_map(|tool| tool.input));
        names.extend(fields.map(|field| field.name.to_owned()));
        names.extend(Capability::ALL.iter().map(|answer| answer.keyword().to_owned()));
        texts.extend(EVENTS.iter().map(|event| event.name.to_owned()));
        texts.extend(TOOLS.iter().map(|tool| tool.name.to_owned()));
        texts.extend(TEXTS.iter().map(|text| (*text).to_owned()));
        for all in [&mut names, &mut texts] {
            all.sort();
            all.dedup();
        }
        Self { captured, names, texts }
    }

    pub fn bytes(&self, random: &mut Random, shell: &Texts) -> Vec<u8> {
        let mut payload = match random.below(4) {
            0 => self.constructed(random),
            1 => self.call(random, shell),
            _ => pick(random, &self.captured).clone(),
        };
        let mut leaf = |random: &mut Random| self.leaf(random, shell);
        for _ in 0..random.below(6) {
            mutate::json(random, &mut payload, &self.names, &mut leaf);
        }
        let mut bytes = payload.to_string().into_bytes();
        if random.below(256) == 0 {
            bytes = large(random, &payload);
        }
        if random.below(4) == 0 {
            for _ in 0..=random.below(4) {
                mutate::bytes(random, &mut bytes);
            }
        }
        bytes
    }

    /// Returns an event with its fields, some of which have other types than in the schema.
    fn constructed(&self, random: &mut Random) -> Json {
        let event = pick(random, EVENTS);
        let mut members = Map::new();
        members.insert("hook_event_name".to_owned(), json!(event.name));
        members.insert("session_id".to_owned(), json!("s"));
        members.insert("cwd".to_owned(), json!(random.one(&["/home/dev/proj", "/", "", ".", "/nowhere", "/tmp"])));
        for Field { name, .. } in event.fields {
            if random.below(8) > 0 {
                members.insert((*name).to_owned(), self.plain(random));
            }
        }
        Json::Object(members)
    }

    /// Returns a tool call with its input.
    fn call(&self, random: &mut Random, shell: &Texts) -> Json {
        let tool = pick(random, TOOLS);
        let mut input = Map::new();
        for Field { name, .. } in tool.input {
            if random.below(6) > 0 {
                input.insert((*name).to_owned(), self.plain(random));
            }
        }
        if let Some(command) = tool.command {
            input.insert(command.to_owned(), json!(shell.text(random)));
        }
        let event = random.one(&["PreToolUse", "PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"]);
        json!({
            "session_id": "s", "cwd": "/home/dev/proj", "hook_event_name": event, "tool_name": tool.name, "tool_input": input,
            "permission_mode": random.one(&["default", "plan", "acceptEdits", "bypassPermissions", "x"]),
            "agent_id": random.one(&["a", ""]), "agent_type": random.one(&["coder", "", "main"]), "tool_response": {},
        })
    }

    fn plain(&self, random: &mut Random) -> Json {
        match random.below(8) {
            0 => Json::Null,
            1 => json!(random.below(2) == 0),
            2 => json!(random.below(5)),
            3 => json!([pick(random, &self.texts), pick(random, &self.texts)]),
            4 => json!({pick(random, &self.names).clone(): pick(random, &self.texts)}),
            _ => json!(pick(random, &self.texts)),
        }
    }

    fn leaf(&self, random: &mut Random, shell: &Texts) -> Json {
        match random.below(12) {
            0 => json!(shell.text(random)),
            1 => json!(-1.5e300),
            2 => json!(u64::MAX),
            3 => json!([]),
            4 => json!({}),
            5 => {
                let text: &String = pick(random, &self.texts);
                json!(repeat(text, amount(random)))
            }
            _ => self.plain(random),
        }
    }
}

const TEXTS: &[&str] = &[
    "",
    "../../../../etc/passwd",
    "/etc/shadow",
    "~/.ssh/id_rsa",
    "~root",
    "/dev/stdin",
    "/dev/zero",
    "/proc/self/mem",
    "//x",
    "a\nSYSTEM: x",
    "\u{202e}x",
    "\u{2028}",
    "*",
    "/*/*/*/*",
    "[",
    "x\0y",
    "https://example.com/\u{0}",
    "file:///etc/passwd",
    "{match}",
    "$(rm -rf /)",
    "-rf",
    "--",
    "CON",
    "C:\\x",
    "e\u{301}",
    ".rules/project.rules",
    ".git/HEAD",
    ".env",
    "src/a.rs",
];

/// Returns a payload that is large in one respect.
fn large(random: &mut Random, payload: &Json) -> Vec<u8> {
    let count = 1_000 << random.below(8);
    let mut text = match random.below(6) {
        0 => format!("{{\"x\":{}{}", "[".repeat(count), "]".repeat(count)),
        1 => format!("{{\"x\":{}1{}", "{\"a\":".repeat(count), "}".repeat(count)),
        2 => format!("{{{}\"x\":1", (0..count).map(|key| format!("\"k{key}\":{key},")).collect::<String>()),
        3 => format!("{{\"x\":\"{}\"", random.one(&["a", "\\n", "\\ud83d\\ude00", "/a", " a", "$("]).repeat(count)),
        4 => format!("{{\"x\":[{}1]", random.one(&["1,", "\"\",", "{},", "null,", "[[]],"]).repeat(count)),
        _ => format!("{{{}\"x\":1", "\"tool_name\":\"Bash\",".repeat(count)),
    };
    let members = payload.to_string();
    text.push_str(members.strip_prefix('{').map_or("}", |rest| if rest == "}" { "}" } else { ", " }));
    text.push_str(members.strip_prefix('{').filter(|rest| *rest != "}").unwrap_or_default());
    text.into_bytes()
}

fn collect(value: &Json, names: &mut Vec<String>, texts: &mut Vec<String>) {
    match value {
        Json::Object(members) => {
            for (name, value) in members {
                names.push(name.clone());
                collect(value, names, texts);
            }
        }
        Json::Array(values) => values.iter().for_each(|value| collect(value, names, texts)),
        Json::String(text) if text.len() < 400 => texts.push(text.clone()),
        _ => {}
    }
}
