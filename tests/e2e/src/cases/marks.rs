//! Rules that remember: what the host's sessions tell of the past, also after they were resumed or compacted.

use serde_json::json;

use crate::api::Turn;
use crate::case::{Case, Expect, MAIN, agent, bash, case, write};

/// The prompt of a process that continues the session.
const AGAIN: &str = "GO-AGAIN";
/// A subagent's prompt, and the key of its conversation.
const SUB: &str = "SUB-ONE";

/// A command of every machine takes the place of the tests.
pub(crate) const GATE: &str = r#"mark edited {
  on PostToolUse
  when writes like "src/**"
}
mark tested {
  on PostToolUse(Bash)
  when runs "ls src"
}
rule tests-before-stop {
  on Stop
  when happened edited since tested
  deny "MARK-TESTS"
  unknown deny
}
"#;

/// The same, in front of a call.
const PUSH: &str = r#"mark edited {
  on PostToolUse
  when writes like "src/**"
}
mark tested {
  on PostToolUse(Bash)
  when runs "ls src"
}
rule tests-before-push {
  on PreToolUse(Bash)
  when command == "touch pushed" and happened edited since tested
  deny "MARK-TESTS"
  unknown deny
}
"#;

/// The past as the next prompt shows it.
const PROMPTS: &str = r#"mark edited {
  on PostToolUse
  when writes like "src/**"
}
rule after-edits {
  on UserPromptSubmit
  when prompt contains "GO-AGAIN" and happened edited
  deny "MARK-PAST"
}
"#;

const LOOP: &str = r#"mark called {
  on PreToolUse(Bash)
  key call
}
rule no-loop {
  on PreToolUse(Bash)
  when count called of call >= 3
  deny "MARK-LOOP"
}
"#;

pub(super) fn cases() -> Vec<Case> {
    [gates(), resumed(), loops()].concat()
}

fn gates() -> Vec<Case> {
    let background = json!({ "command": "ls src", "description": "Do it", "run_in_background": true });
    vec![
        case("an_edit_holds_the_stop_until_the_tests_have_run")
            .policy(GATE)
            .model([write("src/a.txt", "one\n"), Turn::Says("I am done."), bash("ls src")])
            .expects([
                Expect::Told(MAIN, "MARK-TESTS"),
                Expect::Raised("Stop", 2),
                Expect::Requests(MAIN, 4),
                Expect::Result("subtype", "success"),
            ]),
        case("tests_that_may_have_failed_hold_the_stop_and_say_why")
            .policy(GATE)
            .model([write("src/a.txt", "one\n"), bash("ls src | cat"), Turn::Says("I am done."), bash("ls src")])
            .expects([Expect::Told(MAIN, "pipe"), Expect::Raised("Stop", 2), Expect::Requests(MAIN, 5)]),
        case("tests_in_the_background_have_not_ended")
            .policy(GATE)
            .model([
                write("src/a.txt", "one\n"),
                Turn::Calls(vec![("Bash", background)]),
                Turn::Says("I am done."),
                bash("ls src"),
            ])
            .expects([Expect::Told(MAIN, "background"), Expect::Raised("Stop", 2)]),
        case("an_edit_of_a_subagent_counts_in_its_session")
            .policy(GATE)
            // In newer versions the first stop comes while the subagent still works.
            .model([agent(SUB), Turn::Says("I am done."), Turn::Says("I am done."), bash("ls src")])
            .model_in(SUB, [write("src/a.txt", "one\n")])
            .expects([Expect::Made("src/a.txt"), Expect::Told(MAIN, "MARK-TESTS"), Expect::Raised("Stop", 3)]),
    ]
}

fn resumed() -> Vec<Case> {
    let (push, tests) = (|| bash("touch pushed"), || bash("ls src"));
    vec![
        case("a_session_that_is_continued_has_its_past")
            .policy(PUSH)
            .prompts(&[MAIN, AGAIN])
            .model([write("src/a.txt", "one\n"), Turn::Says("I am done."), push(), tests(), push()])
            .expects([Expect::Told(MAIN, "MARK-TESTS"), Expect::Made("pushed"), Expect::Denied("Bash")]),
        case("a_session_that_is_compacted_has_its_past")
            .policy(PROMPTS)
            .prompts(&[MAIN, "/compact", AGAIN])
            .model([write("src/a.txt", "one\n")])
            .expects([Expect::Raised("PreCompact", 1), Expect::Result("result", "MARK-PAST")]),
    ]
}

fn loops() -> Vec<Case> {
    let call = || bash("printf x >> log");
    vec![
        case("the_fourth_identical_call_is_denied").policy(LOOP).model([call(), call(), call(), call()]).expects([
            Expect::Is("log", "xxx"),
            Expect::Told(MAIN, "MARK-LOOP"),
            Expect::Denied("Bash"),
        ]),
        case("three_identical_calls_are_not_denied").policy(LOOP).model([call(), call(), call()]).expects([
            Expect::Is("log", "xxx"),
            Expect::NeverTold("MARK-LOOP"),
            Expect::NothingDenied,
        ]),
    ]
}
