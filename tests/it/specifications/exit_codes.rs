//! Specification 004: what exit codes and streams of a hook mean, seen in the messages of the agent.
//!
//! A policy whose command ends with a code → the process `rules hook wave` → the agent's messages.

mod agent;
mod contract;
mod edge_cases;
mod outcomes;

use hookrules::schema::Event;

use crate::hook::wave::Heard;
use crate::machine::Machine;

use agent::{Agent, Block, Message, RESULT, Role, for_model};

/// The events that the document covers.
const EVENTS: [Event; 4] = [Event::PreToolUse, Event::PostToolUse, Event::UserPromptSubmit, Event::Stop];

const PROMPT: &str = "Run the tests.";
const OUT: &str = "said on stdout";
const ERR: &str = "said on stderr";

/// Returns a policy of one rule.
fn rule(event: Event, effect: &str) -> String {
    format!("rule r {{\n  on {}\n  {effect}\n}}\n", event.name())
}

/// Returns a policy whose command writes to both streams and ends with a code.
fn command(event: Event, code: i32) -> String {
    rule(event, &format!("run \"echo {OUT}; echo {ERR} >&2; exit {code}\""))
}

/// Runs the agent through a turn in which the hook answers one event; for the others the host gets no output.
fn turn(policy: &str, event: Event) -> Agent {
    turn_on(&Machine::with(policy), event)
}

fn turn_on(machine: &Machine, registered: Event) -> Agent {
    let mut agent = Agent::default();
    agent.send_message(PROMPT, &|event| {
        if event == registered {
            return machine.wave(&machine.wave_payload(event.name()));
        }
        Heard { exit: 0, stdout: String::new(), stderr: String::new() }
    });
    agent
}

/// Returns the messages of a turn without any output of a hook.
fn undisturbed() -> Vec<Message> {
    let message = |role, block| Message { role, blocks: vec![block] };
    vec![
        message(Role::User, Block::Text(PROMPT.to_owned())),
        message(Role::Assistant, Block::Tool { result: Some(RESULT.to_owned()) }),
        message(Role::Assistant, Block::Text("Done.".to_owned())),
    ]
}

/// Specification 004: US-1.1 stdout of UserPromptSubmit at 0 is context
/// Specification 004: FR-004 stdout of UserPromptSubmit at 0 is captured and injected
/// Specification 004: FR-016 two user messages, the second with stdout
#[test]
fn what_a_prompts_hook_prints_is_a_second_message_of_the_user() {
    let agent = turn(&command(Event::UserPromptSubmit, 0), Event::UserPromptSubmit);
    assert_eq!(agent.user_says(), [PROMPT, OUT]);
    assert!(agent.requests[0].len() == 2 && agent.model_sees(OUT), "{agent:?}");
    assert!(agent.errors().is_empty() && !agent.user_sees(ERR), "{agent:?}");
}

/// Specification 004: US-1.2 stdout of any other hook at 0 is ignored
/// Specification 004: FR-005 stdout of every other hook is ignored
#[test]
fn what_any_other_hook_prints_is_seen_by_nobody_at_any_code() {
    for event in EVENTS.into_iter().filter(|event| *event != Event::UserPromptSubmit) {
        assert_eq!(turn(&command(event, 0), event).messages, undisturbed(), "{event:?}");
        for code in [1, 2, 77] {
            let agent = turn(&command(event, code), event);
            assert!(!agent.user_sees(OUT) && !agent.model_sees(OUT), "{event:?} {code}: {agent:?}");
        }
    }
}

/// Specification 004: US-1.3 stderr at 0 is ignored
#[test]
fn what_a_successful_hook_complains_of_is_seen_by_nobody() {
    for event in EVENTS {
        let agent = turn(&rule(event, &format!("run \"echo {ERR} >&2\"")), event);
        assert_eq!(agent.messages, undisturbed(), "{event:?}");
        assert_eq!((agent.calls, agent.stops), (1, 1));
    }
}

/// Specification 004: US-2.1 PreToolUse at 2 blocks the call and tells the agent
/// Specification 004: FR-006 PreToolUse at 2 blocks the call
/// Specification 004: FR-007 PreToolUse at 2 shows stderr to the agent
/// Specification 004: FR-017 a tool block with stderr as its result
#[test]
fn a_call_that_is_refused_does_not_run_and_the_agent_reads_why() {
    let agent = turn(&command(Event::PreToolUse, 2), Event::PreToolUse);
    assert_eq!((agent.calls, agent.result()), (0, Some(ERR)));
    assert!(agent.model_sees(ERR) && agent.errors().is_empty(), "{agent:?}");
}

/// Specification 004: US-2.2 PostToolUse at 2 tells the agent, which goes on
/// Specification 004: FR-008 PostToolUse at 2 shows stderr to the agent, which goes on
/// Specification 004: FR-018 a user message with stderr after PostToolUse
#[test]
fn what_is_wrong_with_a_call_that_has_run_is_told_to_the_agent() {
    let agent = turn(&command(Event::PostToolUse, 2), Event::PostToolUse);
    assert_eq!((agent.calls, agent.result()), (1, Some(RESULT)));
    assert_eq!(agent.user_says(), [PROMPT, ERR]);
    assert!(agent.requests.len() == 2 && agent.model_sees(ERR) && agent.errors().is_empty(), "{agent:?}");
}

/// Specification 004: US-2.3 UserPromptSubmit at 2 erases the prompt and tells the user alone
/// Specification 004: FR-009 UserPromptSubmit at 2 blocks the prompt
/// Specification 004: FR-010 UserPromptSubmit at 2 erases the prompt
/// Specification 004: FR-011 UserPromptSubmit at 2 shows stderr to the user only
/// Specification 004: FR-019 no user message, an error block with stderr
#[test]
fn a_prompt_that_is_refused_is_erased_and_the_user_reads_why() {
    let agent = turn(&command(Event::UserPromptSubmit, 2), Event::UserPromptSubmit);
    assert_eq!(agent.messages, [Message { role: Role::Assistant, blocks: vec![Block::Error(ERR.to_owned())] }]);
    assert!(agent.requests.is_empty() && agent.calls == 0, "{agent:?}");
}

/// Specification 004: US-2.4 Stop at 2 keeps the agent going and tells it
/// Specification 004: FR-012 Stop at 2 blocks the stop
/// Specification 004: FR-013 Stop at 2 shows stderr to the agent
/// Specification 004: FR-021 a user message with stderr after Stop
#[test]
fn a_stop_that_is_refused_makes_the_agent_go_on() {
    let agent = turn(&command(Event::Stop, 2), Event::Stop);
    assert_eq!(agent.stops, 2, "it wanted to stop once more");
    assert_eq!(agent.user_says()[..2], [PROMPT, ERR]);
    assert!(agent.requests.len() == 3 && agent.model_sees(ERR) && agent.errors().is_empty(), "{agent:?}");
}

/// Specification 004: US-3.1 stderr at any other code is shown to the user
/// Specification 004: FR-014 a non-blocking error is shown to the user and work goes on
#[test]
fn any_other_complaint_is_shown_to_the_user_and_work_goes_on() {
    for event in EVENTS {
        let agent = turn(&command(event, 1), event);
        assert_eq!(agent.errors(), [ERR], "{event:?}");
        assert!(!agent.model_sees(ERR), "{event:?}");
        assert_eq!((agent.calls, agent.stops, agent.result()), (1, 1, Some(RESULT)), "{event:?}");
        assert_eq!(for_model(&agent.messages), undisturbed(), "{event:?}");
    }
}

/// Specification 004: US-3.2 stdout at any other code is ignored
#[test]
fn what_a_failing_hook_prints_is_seen_by_nobody() {
    for event in EVENTS {
        let agent = turn(&command(event, 3), event);
        assert!(!agent.user_sees(OUT) && !agent.model_sees(OUT), "{event:?}: {agent:?}");
        // A sentence replaces the missing standard error; standard output does not.
        let silent = turn(&rule(event, "run 'echo O\"\"UT; exit 3'"), event);
        assert_eq!(silent.errors(), ["`echo O\"\"UT; exit 3` failed with exit code 3"], "{event:?}");
    }
}

/// Specification 004: FR-001 0 is success
#[test]
fn zero_is_success() {
    for event in EVENTS {
        let agent = turn(&rule(event, "run \"exit 0\""), event);
        assert_eq!(agent.messages, undisturbed(), "{event:?}");
    }
}

/// Specification 004: FR-002 2 is a blocking error
#[test]
fn two_is_a_blocking_error() {
    let machine = |event| Machine::with(&command(event, 2));
    for event in EVENTS {
        let machine = machine(event);
        let heard = machine.wave(&machine.wave_payload(event.name()));
        assert_eq!(heard, Heard { exit: 2, stdout: String::new(), stderr: format!("{ERR}\n") }, "{event:?}");
    }
}

/// Specification 004: FR-003 any other code is a non-blocking error
#[test]
fn any_other_code_is_a_non_blocking_error() {
    for code in [1, 3, 77, 125, 128, 200, 255] {
        let machine = Machine::with(&command(Event::PreToolUse, code));
        let heard = machine.wave(&machine.wave_payload("PreToolUse"));
        assert_eq!(heard, Heard { exit: 1, stdout: String::new(), stderr: format!("{ERR}\n") }, "{code}");
    }
}

/// Specification 004: FR-015 the events are told apart
#[test]
fn one_command_comes_to_something_else_on_each_event() {
    let mut seen: Vec<Vec<Message>> = Vec::new();
    for event in EVENTS {
        let messages = turn(&command(event, 2), event).messages;
        assert!(!seen.contains(&messages), "{event:?}: {messages:?}");
        seen.push(messages);
    }
}

/// The host decides how it uses its blocks; this asserts that we send nothing for the model to read.
///
/// Specification 004: FR-020 an error block never reaches the model
#[test]
fn what_is_for_the_user_alone_is_on_standard_error_alone() {
    let errors = EVENTS.map(|event| (event, 1)).into_iter().chain([(Event::UserPromptSubmit, 2)]);
    for (event, code) in errors {
        let machine = Machine::with(&command(event, code));
        let heard = machine.wave(&machine.wave_payload(event.name()));
        assert_eq!(heard, Heard { exit: code, stdout: String::new(), stderr: format!("{ERR}\n") }, "{event:?} {code}");
        let agent = turn(&command(event, code), event);
        assert_eq!(agent.errors(), [ERR], "{event:?} {code}");
        assert!(!agent.model_sees(ERR), "{event:?} {code}: {agent:?}");
    }
}
