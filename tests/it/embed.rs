//! The example `embed`, a whole hook made of the library, answers like the program.

use serde_json::json;

use hookrules::hook::{Hook, HookAnswer};

use crate::machine::{Machine, send};

#[expect(dead_code, reason = "the test calls what its `main` calls")]
#[path = "../../examples/embed/main.rs"]
mod example;

const POLICY: &str = r#"
rule no-rm {
  on PreToolUse(Bash)
  when runs "rm"
  deny "No `{match}`."
}
rule no-push {
  on PreToolUse(Bash)
  when runs "git push"
  ask "Push?"
}
rule checked {
  on PreToolUse(Bash)
  when runs "make"
  run "echo not now >&2; exit 2"
  record "calls.jsonl" { command: tool_input.command }
}
rule greeting {
  on SessionStart
  context "Be careful."
  warn "This is a test."
}
"#;

/// Returns the answers of the example and of the program to the same bytes, each on a machine of its own, with all that
/// they leave behind.
fn answers(policy: &str, bytes: impl Fn(&Machine) -> Vec<u8>) -> [(HookAnswer, String); 2] {
    let [ours, theirs] = [Machine::with(policy), Machine::with(policy)];
    let hook = Hook::of_project(ours.path("project"))
        .managed_dir(ours.path("managed"))
        .config_dir(ours.path("user"))
        .state_dir(ours.path("state"))
        .trusting_project()
        .load();
    let answer = example::answer(&hook, &bytes(&ours), HookAnswer::clone);
    let output = send(theirs.hook_command(&["claude-code"]), &bytes(&theirs));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let mut expected = HookAnswer::default();
    expected.exit = output.status.code().unwrap().try_into().unwrap();
    (expected.stdout, expected.stderr) = (text(output.stdout), text(output.stderr));
    [(answer, ours), (expected, theirs)].map(|(answer, machine)| {
        let root = machine.path("").to_str().unwrap().to_owned();
        let mut shown = answer.clone();
        shown.stdout = answer.stdout.replace(&root, "/");
        shown.stderr = answer.stderr.replace(&root, "/");
        (shown, left(&machine))
    })
}

/// Returns what the hook has recorded, and the rules and the policy in the log.
fn left(machine: &Machine) -> String {
    let records = if machine.exists("state/calls.jsonl") { machine.read("state/calls.jsonl") } else { String::new() };
    let log = if machine.exists("state/log") { machine.decisions() } else { String::new() };
    let lines = log.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{} {} {} {}", line["event"], line["decision"], line["rules"], line["policy"])
    });
    records + &lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_answers_like_the_program() {
    let call = |command: &'static str| move |machine: &Machine| machine.bash(command).to_string().into_bytes();
    type Bytes = Box<dyn Fn(&Machine) -> Vec<u8>>;
    let cases: Vec<(&str, Bytes, &str)> = vec![
        ("an ordinary call", Box::new(call("ls")), ""),
        ("a denied call", Box::new(call("rm a")), "No `rm"),
        ("a question", Box::new(call("git push")), "Push?"),
        ("a command that refuses", Box::new(call("make")), "not now"),
        ("the guard", Box::new(call("rm -r .rules")), "deny"),
        ("the guard alone", Box::new(call("touch .rules/a.rules")), "Is that intended?"),
        (
            "texts for both",
            Box::new(|machine: &Machine| {
                let mut event = machine.event("SessionStart");
                event["source"] = json!("startup");
                event.to_string().into_bytes()
            }),
            "Be careful.",
        ),
        (
            "half a payload",
            Box::new(move |machine: &Machine| {
                let mut bytes = call("ls")(machine);
                bytes.truncate(bytes.len() - 2);
                bytes
            }),
            "damaged",
        ),
        ("no payload", Box::new(|_: &Machine| b"nonsense".to_vec()), "cannot be read"),
        ("an unknown event", Box::new(|_: &Machine| br#"{"hook_event_name":"Nothing"}"#.to_vec()), ""),
    ];
    for (name, bytes, contains) in cases {
        for policy in [POLICY, "rule broken {\n"] {
            let [(answer, left), (expected, left_by_program)] = answers(policy, &bytes);
            assert_eq!(answer, expected, "{name}");
            assert_eq!(left, left_by_program, "{name}");
            let said = format!("{}{}", answer.stdout, answer.stderr);
            assert!(policy != POLICY || said.contains(contains), "{name}: {answer:?}");
            assert!(policy != POLICY || !contains.is_empty() || said.is_empty(), "{name}: {answer:?}");
        }
    }
}
