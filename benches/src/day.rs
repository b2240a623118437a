//! A day: the events of a long session, created from the calls that the tests treat as ordinary.
//!
//! # How they are weighted
//!
//! A session at the 90th percentile has 423 tool calls, and each is two events, before and after. In addition there are
//! a prompt and a stop for every [`CALLS_A_PROMPT`] calls, and the few events of a session's start, subagents and end.
//! The frequency of each tool ([`TOOLS`]) is chosen, not measured: shell calls and reads are most of what an agent does
//! while it programs, and edits most of the rest. Half of the shell commands only inspect (`inspections.txt`:
//! `git status`, `ls`, `rg`), which agents run over and over; the other half comes evenly from the two lists of a
//! developer's commands (`ordinary.txt`, `another-day.txt`), in which rare and costly commands are far more frequent
//! than in a session: that makes the day harder, not easier. The sizes of tool outputs ([`SIZES`]) have the long tail
//! of real outputs; Claude Code cuts them to 30,000 bytes. The calls are shuffled, the same way each time, so that
//! every n-th event is a fair sample if n is odd: every second event is the one after a call.

use std::fmt::Write as _;

/// The number of tool calls in a session.
pub const CALLS: usize = 423;

/// The number of calls that an agent makes for one prompt.
const CALLS_A_PROMPT: usize = 20;

/// The tool calls, one a line: `{"tool": NAME, "input": {…}}`.
const INPUTS: &str = include_str!("../../tests/fixtures/tools/ordinary.jsonl");

/// The shell commands, one a line, with `⏎` for a newline; the first list is used as often as the others together.
const COMMANDS: [&str; 3] = [
    include_str!("../../tests/fixtures/shell/inspections.txt"),
    include_str!("../../tests/fixtures/shell/ordinary.txt"),
    include_str!("../../tests/fixtures/shell/another-day.txt"),
];

/// The frequency of each tool per hundred calls; the last entry is for all other tools.
const TOOLS: &[(&str, usize)] =
    &[("Bash", 40), ("Read", 24), ("Edit", 17), ("Grep", 7), ("Glob", 4), ("Write", 4), ("", 4)];

/// The sizes of tool outputs in bytes, in turn.
const SIZES: &[usize] = &[0, 60, 300, 1_200, 4_000, 150, 800, 2_500, 9_000, 30_000];

/// The source of tool outputs: code, as most outputs are.
const TEXT: &str = include_str!("plain.rs");

/// Prompts of users.
const PROMPTS: &[&str] = &[
    "Please make the tests of the parser pass, and tell me what was wrong.",
    "go on",
    "The build fails on CI with `error[E0432]: unresolved import`. Can you find out why it works here?\n\nLog:\n  Compiling core v0.3.1\n  error: could not compile `core` (lib) due to 1 previous error",
    "Now the same for `web/src/App.tsx`, but keep the old props until the next release.",
    "What does `std::mem::take` do in src/queue.rs, and do we need it?",
    "Commit this with a message that says why, and open a pull request.",
    "No, not like that: the migration must be able to run twice. Look at how db/migrations/0001_users.sql does it.",
];

/// The directory of the fixtures' project.
const PROJECT: &str = "/project";

/// Members that every event has, with `@DIR@` for the directory.
const BASE: &str = r#""session_id":"0f6f594c-1c52-467e-91cb-802aeeefb331","transcript_path":"/home/user/.claude/projects/-home-user-project/0f6f594c-1c52-467e-91cb-802aeeefb331.jsonl","cwd":"@DIR@","prompt_id":"0bda57c6-b294-4ad6-82e7-87d522ff80ef","permission_mode":"default","effort":{"level":"medium"}"#;

/// Returns the events of a session in a project, each a line of JSON without its newline.
#[must_use]
pub fn events(project: &str) -> Vec<String> {
    let mut events = vec![event("SessionStart", r#""source":"startup","model":"claude-opus-4-6""#)];
    let mut made = Made::default();
    for (number, tool) in shuffled(tools()).into_iter().enumerate() {
        if number % CALLS_A_PROMPT == 0 {
            if number > 0 {
                events.push(stop());
            }
            let prompt = PROMPTS.get(number / CALLS_A_PROMPT % PROMPTS.len()).copied().unwrap_or_default();
            events.push(event("UserPromptSubmit", &format!("\"prompt\":{}", quoted(prompt))));
        }
        match number {
            70 | 210 | 350 => events.push(event("SubagentStart", AGENT)),
            110 | 250 | 390 => events.push(event("SubagentStop", &format!(r#"{AGENT},"agent_transcript_path":"/home/user/.claude/projects/-home-user-project/0f6f594c-1c52-467e-91cb-802aeeefb331/subagents/agent-aba0b4aa63c651396.jsonl",{STOPPED}"#))),
            150 | 300 => events.push(event("Notification", r#""message":"Claude is waiting for your input","notification_type":"idle_prompt""#)),
            320 => events.push(event("PreCompact", r#""trigger":"auto","custom_instructions":"""#)),
            _ => {}
        }
        let (before, after) = made.call(tool, number);
        events.extend([before, after]);
    }
    events.extend([stop(), event("SessionEnd", r#""reason":"prompt_input_exit""#)]);
    events.iter().map(|event| event.replace("@DIR@", project)).collect()
}

/// The members of a subagent's events.
const AGENT: &str = r#""agent_id":"aba0b4aa63c651396","agent_type":"general-purpose""#;

/// The members of a stop.
const STOPPED: &str = r#""stop_hook_active":false,"last_assistant_message":"The tests pass now. The parser had lost a token where a line ended in a comment; `src/parser.rs` says so.","background_tasks":[],"session_crons":[]"#;

fn stop() -> String {
    event("Stop", STOPPED)
}

fn event(name: &str, members: &str) -> String {
    format!("{{{BASE},\"hook_event_name\":\"{name}\",{members}}}")
}

/// Returns the tool of each call, according to its frequency.
fn tools() -> Vec<&'static str> {
    let mut tools: Vec<&str> =
        TOOLS.iter().flat_map(|(tool, of_hundred)| vec![*tool; CALLS * of_hundred / 100]).collect();
    // Fills the gap from rounding.
    tools.resize(CALLS, "Bash");
    tools
}

/// Shuffles a list, the same way each time.
fn shuffled<T>(mut list: Vec<T>) -> Vec<T> {
    let mut state: u64 = 14;
    for at in (1..list.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = usize::try_from(state >> 33).unwrap_or_default() % (at + 1);
        list.swap(at, other);
    }
    list
}

/// Counts the calls of each kind, so that each cycles through its list.
#[derive(Default)]
struct Made {
    commands: [usize; 3],
    shells: usize,
    inputs: Vec<(&'static str, usize)>,
    answers: usize,
}

impl Made {
    /// Creates a call of a tool, as the events before and after it.
    fn call(&mut self, tool: &'static str, number: usize) -> (String, String) {
        let (tool, input) = if tool == "Bash" { ("Bash", self.command()) } else { self.input(tool) };
        let members = format!(
            "\"tool_name\":\"{tool}\",\"tool_input\":{},\"tool_use_id\":\"toolu_{number:03}\"",
            in_directory(&input)
        );
        let size = SIZES.get(self.answers % SIZES.len()).copied().unwrap_or_default();
        self.answers += 1;
        let after = format!("{members},\"tool_response\":{},\"duration_ms\":28", answer(tool, &input, size));
        (event("PreToolUse", &members), event("PostToolUse", &after))
    }

    /// Returns the input of the next shell call.
    fn command(&mut self) -> String {
        let list = if self.shells.is_multiple_of(2) { 0 } else { 1 + self.shells / 2 % 2 };
        self.shells += 1;
        let (Some(made), Some(text)) = (self.commands.get_mut(list), COMMANDS.get(list)) else { return String::new() };
        let command = spread(text.lines().filter(|line| !line.starts_with("# ")), *made).unwrap_or_default();
        *made += 1;
        let command = quoted(&command.replace('⏎', "\n"));
        format!("{{\"command\":{command},\"description\":\"Do what the prompt says\"}}")
    }

    /// Returns the input of the next call of a tool; of any other tool if the name is empty.
    fn input(&mut self, tool: &'static str) -> (&'static str, String) {
        let is_named = |name: &str| TOOLS.iter().any(|(named, _)| *named == name);
        let calls = INPUTS.lines().filter_map(taken_apart);
        let calls = calls.filter(|(name, _)| if tool.is_empty() { !is_named(name) } else { *name == tool });
        let at = self.inputs.iter().position(|(of, _)| *of == tool).unwrap_or_else(|| {
            self.inputs.push((tool, 0));
            self.inputs.len() - 1
        });
        let Some((_, made)) = self.inputs.get_mut(at) else { return (tool, String::new()) };
        *made += 1;
        spread(calls, *made - 1).map_or((tool, String::new()), |(name, input)| (name, input.to_owned()))
    }
}

/// Returns the n-th element of a list, in an order such that a few of them are spread over the whole list.
fn spread<T>(list: impl Iterator<Item = T>, n: usize) -> Option<T> {
    let mut list: Vec<T> = list.collect();
    if list.is_empty() {
        return None;
    }
    // The length is not a multiple of the step, so every element occurs once before one is repeated.
    let step = if list.len().is_multiple_of(37) { 41 } else { 37 };
    Some(list.swap_remove(n * step % list.len()))
}

/// Splits a line of the calls into the tool and its input.
fn taken_apart(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("{\"tool\": \"")?.strip_suffix('}')?.split_once("\", \"input\": ")
}

/// Returns the output of a tool, with this many bytes of content.
fn answer(tool: &str, input: &str, size: usize) -> String {
    let text = quoted(&TEXT.chars().cycle().take(size).collect::<String>());
    match tool {
        "Bash" => {
            format!(r#"{{"stdout":{text},"stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}}"#)
        }
        "Read" => {
            let lines = size / 40 + 1;
            format!(
                r#"{{"type":"text","file":{{"filePath":"@DIR@/src/lib.rs","content":{text},"numLines":{lines},"startLine":1,"totalLines":{lines}}}}}"#
            )
        }
        "Edit" | "MultiEdit" => format!(
            r#"{{"filePath":"@DIR@/src/lib.rs","oldString":"a","newString":"b","originalFile":{text},"structuredPatch":[],"userModified":false,"replaceAll":false}}"#
        ),
        "Write" => format!(
            r#"{{"type":"create","filePath":"@DIR@/src/lib.rs","content":{text},"structuredPatch":[],"originalFile":null,"userModified":false}}"#
        ),
        "Grep" | "Glob" => {
            let files = size.min(4_000) / 40;
            let names: Vec<String> = (0..files).map(|n| format!("\"@DIR@/src/part{n}/lib.rs\"")).collect();
            format!(
                r#"{{"mode":"files_with_matches","filenames":[{}],"numFiles":{files},"totalFiles":{files}}}"#,
                names.join(",")
            )
        }
        _ => format!("{{\"content\":{text},\"of\":{}}}", quoted(input)),
    }
}

/// Replaces the fixtures' project directory where a path begins; a directory in the middle of a path may have the same
/// name.
fn in_directory(input: &str) -> String {
    let mut placed = String::new();
    let mut rest = input;
    while let Some((before, behind)) = rest.split_once(PROJECT) {
        let is_within = before.ends_with(|last: char| last.is_alphanumeric() || last == '.');
        placed.extend([before, if is_within { PROJECT } else { "@DIR@" }]);
        rest = behind;
    }
    placed + rest
}

/// Writes a text as a JSON string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            // Writing to memory cannot fail.
            char if char.is_control() => drop(write!(quoted, "\\u{:04x}", u32::from(char))),
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}
