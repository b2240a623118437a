//! The environment of a command: variables about the subagent that stopped, and those that remain unchanged.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::{calling, nameless, ran, stop};
use crate::kit::rejects;
use crate::machine::{Machine, Reply, send};
use hookrules::verdict::STANDARD_VARIABLES;

type Variables = BTreeMap<String, String>;

/// Answers a stop in an environment, and returns that of the command.
#[track_caller]
fn environment(machine: &Machine, payload: &Json, given: &Variables) -> Variables {
    let mut command = machine.hook_command(&["claude-code"]);
    command.env_clear().envs(given);
    Reply::of(&send(command, payload.to_string().as_bytes())).is_silent();
    let told = machine.held().join("\n");
    let lines = told.lines().map(|line| line.split_once('=').unwrap_or_else(|| panic!("{told}")));
    lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// A policy whose command shows its environment to the user, without the additions of a shell.
const SHOW: &str = "rule show {\n  on SubagentStop\n  run [\"env\"] { show_stdout: true, env: { OWN: \"v\" } }\n}\n";

fn given(machine: &Machine) -> Variables {
    let home = machine.path("home").display().to_string();
    let path = std::env::var("PATH").unwrap();
    let project = machine.path("project").display().to_string();
    let given = [
        ("HOME", home.as_str()),
        ("PATH", &path),
        ("CLAUDE_PROJECT_DIR", &project),
        ("LANG", "C.UTF-8"),
        ("USER", "dev"),
        ("MINE", "1"),
        // As in an agent that a command of another agent started.
        ("CONCLAUDE_SUBAGENT_NAME", "parent"),
        ("CONCLAUDE_SUBAGENT_TYPE", "parent"),
    ];
    given.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
}

/// Returns the variables that every stop with this payload has, derived from the payload.
fn standard(payload: &Json, name: &str) -> Variables {
    let of = |field: &str| payload[field].as_str().unwrap().to_owned();
    [
        ("CONCLAUDE_SUBAGENT_NAME", name.to_owned()),
        ("CONCLAUDE_SESSION_ID", of("session_id")),
        ("CONCLAUDE_TRANSCRIPT_PATH", of("transcript_path")),
        ("CONCLAUDE_HOOK_EVENT", "SubagentStop".to_owned()),
        ("CONCLAUDE_CWD", of("cwd")),
        ("CONCLAUDE_AGENT_ID", of("agent_id")),
        ("CONCLAUDE_AGENT_TRANSCRIPT_PATH", of("agent_transcript_path")),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// Specification 003: Environment variables available in commands
#[test]
fn a_command_has_the_variables_of_the_stop() {
    let machine = Machine::with(SHOW);
    let payload = stop(&machine, "coder");
    let seen = environment(&machine, &payload, &given(&machine));
    let mut expected = standard(&payload, "coder");
    expected.insert("CONCLAUDE_SUBAGENT_TYPE".to_owned(), "coder".to_owned());
    let seen: Variables = seen.into_iter().filter(|(name, _)| name.starts_with("CONCLAUDE_")).collect();
    assert_eq!(seen, expected);
}

/// Specification 003: Subagent name in environment variable
#[test]
fn a_command_reads_the_name_as_a_variable() {
    let machine = Machine::with(
        "rule sh {\n  on SubagentStop(coder)\n  run \"echo \\\"sh $CONCLAUDE_SUBAGENT_NAME\\\" >> ran\"\n}\n\
         rule bash {\n  on SubagentStop(coder)\n  run [\"bash\", \"-c\", \"echo bash $CONCLAUDE_SUBAGENT_NAME >> ran\"]\n}\n",
    );
    machine.hook(&stop(&machine, "coder")).is_silent();
    assert_eq!(ran(&machine), ["sh coder", "bash coder"]);
    machine.hook(&nameless(&machine, &calling("Task", "coder"))).is_silent();
    assert_eq!(ran(&machine), ["sh coder", "bash coder", "sh coder", "bash coder"]);
}

/// Specification 003: Unknown subagent name in environment variable
#[test]
fn without_a_name_the_variable_is_unknown_and_the_others_are_there() {
    let machine = Machine::with(SHOW);
    let payload = nameless(&machine, "");
    let seen = environment(&machine, &payload, &given(&machine));
    let seen: Variables = seen.into_iter().filter(|(name, _)| name.starts_with("CONCLAUDE_")).collect();
    assert_eq!(seen, standard(&payload, "unknown"));
}

/// Specification 003: Environment variables do not conflict with system
#[test]
fn nothing_but_our_own_variables_is_set() {
    assert!(STANDARD_VARIABLES.iter().all(|name| name.starts_with("CONCLAUDE_")));
    let machine = Machine::with(SHOW);
    let given = given(&machine);
    let mut seen = environment(&machine, &stop(&machine, "coder"), &given);
    assert_eq!(seen.remove("OWN").as_deref(), Some("v"), "the rule's own");
    seen.retain(|name, _| !STANDARD_VARIABLES.contains(&name.as_str()));
    let mut untouched = given;
    untouched.retain(|name, _| !STANDARD_VARIABLES.contains(&name.as_str()));
    assert_eq!(seen, untouched);
    // Nor can a rule set one of our variables.
    for name in STANDARD_VARIABLES {
        let rule = format!("rule r {{\n  on SubagentStop\n  run \"true\" {{ env: {{ {name}: \"x\" }} }}\n}}\n");
        rejects(&rule, &format!("R0119 `{name}` cannot be set"));
    }
}
