//! The measurable outcomes: every affected event with every code, in every way that a policy can cause it.

use std::time::{Duration, Instant};

use hookrules::schema::Event;

use crate::hook::wave::Heard;
use crate::machine::Machine;

use super::agent::{Agent, RESULT};
use super::{ERR, EVENTS, OUT, PROMPT, command, rule, turn};

/// 0, 2, and others that shells and programs end with.
const CODES: [i32; 6] = [0, 1, 2, 3, 77, 255];

/// The meaning of a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Success,
    Blocking,
    NonBlocking,
}

fn class(code: i32) -> Class {
    match code {
        0 => Class::Success,
        2 => Class::Blocking,
        _ => Class::NonBlocking,
    }
}

/// Returns the policies that can cause a code, each with a name.
fn policies(event: Event, code: i32) -> Vec<(&'static str, String)> {
    let mut all = vec![("run", command(event, code))];
    if code != 0 {
        all.push(("exit", rule(event, &format!("exit {code} \"{ERR}\""))));
    }
    if code == 2 && event != Event::PostToolUse {
        all.push(("deny", rule(event, &format!("deny \"{ERR}\""))));
        all.push(("on_fail", rule(event, &format!("run \"exit 9\" {{ on_fail: deny, message: \"{ERR}\" }}"))));
    }
    all
}

/// Calls `see` with the turn for every event, code and policy.
fn each(mut see: impl FnMut(Event, Class, &Agent, &str)) {
    for event in EVENTS {
        for code in CODES {
            for (way, policy) in policies(event, code) {
                see(event, class(code), &turn(&policy, event), &format!("{} {code} {way}", event.name()));
            }
        }
    }
}

/// Whether the announced action was prevented.
fn is_prevented(event: Event, agent: &Agent) -> bool {
    match event {
        Event::PreToolUse => agent.calls == 0,
        Event::UserPromptSubmit => agent.requests.is_empty() && agent.user_says().is_empty(),
        Event::Stop => agent.stops > 1,
        // The call has already run.
        _ => false,
    }
}

/// Specification 004: SC-003 a blocking error always prevents what follows
#[test]
fn a_blocking_error_always_prevents_what_follows() {
    each(|event, class, agent, case| {
        let prevents = class == Class::Blocking && event != Event::PostToolUse;
        assert_eq!(is_prevented(event, agent), prevents, "{case}: {agent:?}");
    });
    // An effect that this host does not support prevents the call, too: nobody can be asked, and no input changed.
    for effect in ["ask \"Sure?\"", "halt \"Enough.\"", "rewrite tool_input.timeout = 9"] {
        let agent = turn(&rule(Event::PreToolUse, effect), Event::PreToolUse);
        assert!(is_prevented(Event::PreToolUse, &agent), "{effect}: {agent:?}");
    }
    let halted = turn(&rule(Event::UserPromptSubmit, "halt \"Enough.\""), Event::UserPromptSubmit);
    assert!(is_prevented(Event::UserPromptSubmit, &halted), "{halted:?}");
    // To halt is to let the agent stop.
    let halted = turn(&rule(Event::Stop, "halt \"Enough.\""), Event::Stop);
    assert!(!is_prevented(Event::Stop, &halted) && halted.errors() == ["Enough."], "{halted:?}");
}

/// Specification 004: SC-004 an error always reaches whom it concerns
#[test]
fn an_error_always_reaches_whom_it_concerns_and_nobody_else() {
    each(|event, class, agent, case| {
        let (user_alone, model) = match (class, event) {
            (Class::Success, _) => (false, false),
            (Class::Blocking, Event::UserPromptSubmit) | (Class::NonBlocking, _) => (true, false),
            (Class::Blocking, _) => (false, true),
        };
        assert_eq!(agent.errors().concat().contains(ERR), user_alone, "{case}: {agent:?}");
        assert_eq!(agent.model_sees(ERR), model, "{case}: {agent:?}");
        assert_eq!(agent.user_sees(ERR), user_alone || model, "{case}: {agent:?}");
    });
}

/// Returns commands with each exit code, each with the texts that the agent and the user should read on an event.
fn ways_to_end(event: Event, token: &str) -> [(String, Option<String>, Option<String>); 3] {
    let run = |end: &str| format!("run \"echo {token}-out; echo {token}-err >&2; exit {end}\"");
    let (out, err) = (format!("{token}-out"), format!("{token}-err"));
    let success = (event == Event::UserPromptSubmit).then_some(out);
    let blocking = match event {
        Event::UserPromptSubmit => (None, Some(err.clone())),
        _ => (Some(err.clone()), None),
    };
    [(run("0"), success, None), (run("2"), blocking.0, blocking.1), (run("1"), None, Some(err))]
}

/// Two commands on one event, with all combinations of exit codes: neither output reaches a reader for whom it is not
/// meant.
///
/// Specification 004: SC-004 an error always reaches whom it concerns
#[test]
fn two_commands_do_not_speak_to_each_others_readers() {
    for event in EVENTS {
        for (first, first_agent, first_user) in ways_to_end(event, "first") {
            for (second, second_agent, second_user) in ways_to_end(event, "second") {
                let agent = turn(&rule(event, &format!("{first}\n  {second}")), event);
                let case = format!("{} {first} {second}: {agent:?}", event.name());
                let for_agent = [&first_agent, &second_agent].map(Option::as_deref);
                let for_user = [&first_user, &second_user].map(Option::as_deref);
                for text in ["first-out", "first-err", "second-out", "second-err"] {
                    assert!(!agent.model_sees(text) || for_agent.contains(&Some(text)), "{text} {case}");
                    let alone = agent.errors().concat().contains(text);
                    assert!(!alone || for_user.contains(&Some(text)), "{text} {case}");
                }
                // The reader with precedence gets every text: a blocked or informed one before a warned one.
                let said: Vec<&str> = for_agent.into_iter().flatten().collect();
                let erased = event == Event::UserPromptSubmit && is_prevented(event, &agent);
                assert!(erased || said.iter().all(|text| agent.model_sees(text)), "{case}");
                assert!(
                    !said.is_empty() && !erased || for_user.iter().flatten().all(|text| agent.user_sees(text)),
                    "{case}"
                );
            }
        }
    }
}

/// Specification 004: SC-005 a non-blocking error never stops work
#[test]
fn a_non_blocking_error_never_stops_work() {
    each(|_, class, agent, case| {
        if class == Class::NonBlocking {
            assert_eq!((agent.calls, agent.stops, agent.result()), (1, 1, Some(RESULT)), "{case}: {agent:?}");
            assert_eq!(agent.user_says(), [PROMPT], "{case}: {agent:?}");
            assert_eq!(agent.errors(), [ERR], "{case}: {agent:?}");
        }
    });
}

/// Infers the meaning of a hook's code from the messages alone.
fn read_off(event: Event, agent: &Agent) -> Class {
    let told = agent.user_says().contains(&ERR);
    match event {
        Event::UserPromptSubmit if agent.user_says().is_empty() => Class::Blocking,
        Event::PreToolUse if agent.result() == Some(ERR) => Class::Blocking,
        Event::PostToolUse | Event::Stop if told => Class::Blocking,
        _ if agent.errors().is_empty() => Class::Success,
        _ => Class::NonBlocking,
    }
}

/// Specification 004: SC-006 all of it shows in the messages of the agent
#[test]
fn what_a_code_meant_can_be_read_off_the_messages() {
    each(|event, class, agent, case| {
        assert_eq!(read_off(event, agent), class, "{case}: {agent:?}");
        let is_context = event == Event::UserPromptSubmit && class == Class::Success;
        assert_eq!(agent.user_says().contains(&OUT), is_context, "{case}: {agent:?}");
    });
}

/// Specification 004: SC-001 an exit code is interpreted within 100 ms
#[test]
fn the_exit_code_of_a_command_is_interpreted_as_soon_as_it_has_ended() {
    let said = Heard { exit: 2, stdout: String::new(), stderr: format!("{ERR}\n") };
    let machine = Machine::with(&command(Event::PreToolUse, 2));
    let heard = machine.wave(&machine.wave_payload("PreToolUse"));
    assert_eq!(heard, said);
    // The hook does not wait for a process that keeps the streams open: the host would get no answer until then.
    let machine = Machine::with(&rule(Event::PreToolUse, &format!("run \"sleep 20 & echo {ERR} >&2; exit 2\"")));
    let began = Instant::now();
    let heard = machine.wave(&machine.wave_payload("PreToolUse"));
    assert_eq!(heard, said);
    assert!(began.elapsed() < Duration::from_secs(15));
}

/// Specification 004: SC-002 10 KB of stdout are injected within 200 ms
#[test]
fn ten_kilobytes_of_standard_output_are_injected_byte_for_byte() {
    let lines: String = (0..1_000).map(|number| format!("{number:08}é\n")).collect();
    let text = lines.get(..10_240).unwrap_or(&lines).trim_end();
    assert!(text.len() > 10_000);
    let machine = Machine::with(&rule(Event::UserPromptSubmit, "run [\"cat\", \"context.txt\"]"));
    machine.write("project/context.txt", text);
    let agent = super::turn_on(&machine, Event::UserPromptSubmit);
    assert_eq!(agent.user_says(), [PROMPT, text]);
    assert!(agent.model_sees(text));
}
