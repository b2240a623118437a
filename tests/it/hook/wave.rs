//! `rules hook wave`: answers to a host that knows only an exit code and two streams.

use serde_json::{Value as Json, json};

use crate::machine::{Machine, send};
use crate::source::read;

/// The answer that Wave receives.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Heard {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Machine {
    /// Returns a payload of Wave, with its paths moved into this machine's project.
    #[track_caller]
    pub(crate) fn wave_payload(&self, event: &str) -> Json {
        let text = read(format!("tests/fixtures/payloads/wave/{event}.json"));
        serde_json::from_str(&text.replace("/home/dev/proj", self.path("project").to_str().unwrap())).unwrap()
    }

    /// Returns the answer to an event of Wave.
    #[track_caller]
    pub(crate) fn wave(&self, payload: &Json) -> Heard {
        self.wave_with(&["wave"], payload.to_string().as_bytes())
    }

    #[track_caller]
    fn wave_with(&self, args: &[&str], payload: &[u8]) -> Heard {
        let mut command = self.hook_command(args);
        command.env_remove("CLAUDE_PROJECT_DIR").env("WAVE_PROJECT_DIR", self.path("project"));
        let output = send(command, payload);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a stream is text");
        Heard {
            exit: output.status.code().expect("it ended by itself"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Heard {
    #[track_caller]
    fn blocks(&self, part: &str) {
        assert!(self.exit == 2 && self.stdout.is_empty() && self.stderr.contains(part), "{self:?}");
    }

    #[track_caller]
    fn shows(&self, part: &str) {
        assert!(!matches!(self.exit, 0 | 2) && self.stdout.is_empty() && self.stderr.contains(part), "{self:?}");
    }

    #[track_caller]
    fn is_silent(&self) {
        assert_eq!(*self, Heard { exit: 0, stdout: String::new(), stderr: String::new() });
    }
}

#[test]
fn a_denial_is_exit_2_and_the_reason() {
    let machine = Machine::with("rule no {\n  on PreToolUse(Bash)\n  deny \"Not here.\"\n}\n");
    let heard = machine.wave(&machine.wave_payload("PreToolUse"));
    assert_eq!(heard, Heard { exit: 2, stdout: String::new(), stderr: "Not here.\n".to_owned() });
    machine.wave(&machine.wave_payload("Stop")).is_silent();
}

#[test]
fn what_cannot_be_asked_is_denied() {
    let machine = Machine::with(
        "rule nod {\n  on PreToolUse(Bash), PermissionRequest\n  ask \"Sure?\"\n}\n\
         rule go {\n  on PreToolUse(Read)\n  allow \"Go.\"\n}\n",
    );
    let mut payload = machine.wave_payload("PreToolUse");
    machine.wave(&payload).blocks("Sure?\nThis host cannot ask");
    payload["tool_name"] = json!("Read");
    machine.wave(&payload).is_silent();
    machine.wave(&machine.wave_payload("PermissionRequest")).shows("Sure?");
}

#[test]
fn a_rewrite_tells_the_new_input_until_the_call_comes_so() {
    let machine = Machine::with(
        "rule cap {\n  on PreToolUse(Bash)\n  rewrite tool_input.command replace /cargo test/ with \"cargo nextest run\"\n}\n",
    );
    let mut payload = machine.wave_payload("PreToolUse");
    machine.wave(&payload).blocks("instead:\n{\"command\":\"cargo nextest run\"}");
    payload["tool_input"]["command"] = json!("cargo nextest run");
    machine.wave(&payload).is_silent();
}

#[test]
fn the_hosts_own_words_are_the_schemas() {
    let machine = Machine::with(
        "rule a {\n  on UserPromptSubmit\n  when prompt contains \"void\" and host == \"wave\"\n  deny \"A.\"\n}\n\
         rule b {\n  on SessionEnd(prompt_input_exit)\n  warn \"B.\"\n}\n\
         rule c {\n  on PreCompact\n  when custom_instructions contains \"test\"\n  warn \"C.\"\n}\n\
         rule d {\n  on SubagentStop(explor*)\n  deny \"D.\"\n}\n\
         rule e {\n  on CwdChanged\n  when new_cwd under project\n  warn \"E.\"\n}\n\
         rule f {\n  on WorktreeRemove\n  when worktree_path under project\n  warn \"F.\"\n}\n",
    );
    for (event, exit, told) in [
        ("UserPromptSubmit", 2, "A."),
        ("SessionEnd", 1, "B."),
        ("PreCompact", 1, "C."),
        ("SubagentStop", 2, "D."),
        ("CwdChanged", 1, "E."),
        ("WorktreeRemove", 1, "F."),
    ] {
        let heard = machine.wave(&machine.wave_payload(event));
        assert_eq!((heard.exit, heard.stderr), (exit, format!("{told}\n")), "{event}");
    }
}

#[test]
fn who_acts_is_told_apart() {
    let machine = Machine::with(
        "rule theirs {\n  on PreToolUse\n  by explorer\n  deny \"Explorers look.\"\n}\n\
         rule ours {\n  on PreToolUse\n  by main\n  warn \"Main.\"\n}\n",
    );
    let mut payload = machine.wave_payload("PreToolUse");
    assert_eq!(machine.wave(&payload).stderr, "Explorers look.\n");
    payload.as_object_mut().unwrap().remove("subagent_type");
    machine.wave(&payload).shows("Main.");
}

#[test]
fn the_project_is_the_one_that_the_host_names() {
    let machine = Machine::with("rule no {\n  on PreToolUse\n  deny \"No.\"\n}\n");
    let mut payload = machine.wave_payload("PreToolUse");
    payload["cwd"] = json!(machine.path("home"));
    machine.wave(&payload).blocks("No.");
}

#[test]
fn a_policy_that_does_not_load_blocks_what_it_would_ask_about() {
    let machine = Machine::with("rule a {\n  on PreToolUse\n  when tool_nam == \"Bash\"\n  deny \"No.\"\n}\n");
    let call = machine.wave_payload("PreToolUse");
    let heard = machine.wave(&call);
    heard.blocks("The project policy does not load");
    assert!(heard.stderr.contains("tool_nam") && heard.stderr.contains("cannot ask the user"), "{heard:?}");
    // Any other event gets the message once per session, and proceeds.
    machine.wave(&machine.wave_payload("Stop")).shows("does not load");
    machine.wave(&machine.wave_payload("Stop")).is_silent();
    machine.write("project/.rules/rules.toml", "on_error = \"allow\"\n");
    assert_ne!(machine.wave(&call).exit, 2);
}

#[test]
fn an_event_that_cannot_be_read_blocks() {
    let machine = Machine::with("rule go {\n  on PreToolUse\n  allow\n}\n");
    machine.wave_with(&["wave"], b"nonsense").blocks("cannot be read");
    let cut = br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"#;
    machine.wave_with(&["wave"], cut).blocks("This event is damaged");
    machine.wave(&json!({ "hook_event_name": "SomethingNew" })).is_silent();
}

/// The answer has this host's form even if the arguments are not understood.
#[test]
fn a_usage_error_blocks_what_it_would_ask_about() {
    let machine = Machine::with("rule go {\n  on PreToolUse\n  allow\n}\n");
    let call = machine.wave_payload("PreToolUse").to_string();
    for args in [&["wave", "--bogus"][..], &["--bogus", "wave"], &["--state-dir", "x", "wave", "more"]] {
        machine.wave_with(args, call.as_bytes()).blocks("arguments that rules does not know");
    }
    machine.wave_with(&["wve"], call.as_bytes()).blocks("no host has this name");
}

#[test]
fn a_session_starts_with_its_context_as_text() {
    let machine = Machine::with(
        "rule a {\n  on SessionStart\n  context \"Read GUIDE.md.\"\n}\n\
         rule b {\n  on SessionStart(clear)\n  run \"echo '{\\\"initialUserMessage\\\": \\\"rm\\\"}'\"\n}\n",
    );
    let mut payload = machine.wave_payload("SessionStart");
    assert_eq!(machine.wave(&payload).stdout, "Read GUIDE.md.");
    payload["source"] = json!("clear");
    let both = machine.wave(&payload);
    assert_eq!((both.exit, both.stdout.as_str()), (0, "Read GUIDE.md.\n\n{\"initialUserMessage\": \"rm\"}"));
}

#[test]
fn a_gate_lets_go_though_the_host_does_not_say_how_often_it_has_asked() {
    let machine = Machine::with(
        "rule gate {\n  on Stop\n  run \"exit 1\" { on_fail: deny, attempts: 2, message: \"Fix the tests.\" }\n}\n",
    );
    let stop = machine.wave_payload("Stop");
    machine.wave(&stop).blocks("Fix the tests.");
    machine.wave(&stop).blocks("Fix the tests.");
    machine.wave(&stop).shows("not met after 2 refusals");
    machine.wave(&stop).blocks("Fix the tests.");
}

/// Texts without a stream to their reader are logged; those for the user are also sent as a notification.
#[test]
fn what_the_host_has_no_stream_left_for_is_kept() {
    let machine = Machine::with(
        "rule brief {\n  on UserPromptSubmit\n  run \"echo CTX\"\n  run \"echo USERERR >&2; exit 1\"\n}\n\
         rule note {\n  on PreToolUse\n  context \"Use pnpm.\"\n}\n",
    );
    machine.write("home/notify.sh", "#!/bin/sh\nprintf '%s|' \"$@\" >> \"$HOME/told\"\n").mode("home/notify.sh", 0o755);
    let script = machine.path("home/notify.sh");
    machine.write("user/rules.toml", &format!("[notifications]\nchannel = \"command\"\ncommand = [{script:?}]\n"));
    let heard = machine.wave(&machine.wave_payload("UserPromptSubmit"));
    assert_eq!(heard, Heard { exit: 0, stdout: "CTX".to_owned(), stderr: String::new() });
    assert!(machine.decisions().contains("could not send this to the user beside its answer: USERERR"));
    assert!(machine.read("home/told").contains("rules: UserPromptSubmit|USERERR|"), "{}", machine.read("home/told"));

    std::fs::remove_file(machine.path("home/told")).unwrap();
    machine.wave(&machine.wave_payload("PreToolUse")).is_silent();
    assert!(machine.decisions().contains("could not send this to the agent beside its answer: Use pnpm."));
    assert!(!machine.exists("home/told"), "the user is told of what was theirs alone");
}
