//! The project in which an event is judged: the hook, `rules explain` and `rules eval` agree on it.

use std::process::Command;

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Printed, Reply, send};

/// A policy whose message names the directory in which it was evaluated.
const POLICY: &str = "
rule named {
  on PreToolUse
  when project == \"named\"
  deny \"Judged in `named`.\"
}
rule cwd {
  on PreToolUse
  when project == \"cwd\"
  deny \"Judged in `cwd`.\"
}
rule here {
  on PreToolUse
  when project == \"here\"
  deny \"Judged in `here`.\"
}
";

/// How a payload or the environment specifies a directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stated {
    Absent,
    Gone,
    Relative,
    Present,
}

impl Stated {
    /// Returns the text that specifies the named directory; a relative path is relative to the process's directory.
    fn text(self, machine: &Machine, name: &str) -> Option<String> {
        Some(match self {
            Self::Absent => return None,
            Self::Gone => machine.path("gone").join(name).to_str().unwrap().to_owned(),
            Self::Relative => format!("../{name}"),
            Self::Present => machine.path(name).to_str().unwrap().to_owned(),
        })
    }
}

/// Returns a command that runs in the directory `here`, which may be gone by the time it starts.
fn in_here(machine: &Machine, here: Stated, command: &Command) -> Command {
    let mut shell = Command::new("/bin/sh");
    let script = match here {
        Stated::Present => "cd \"$0\" && exec \"$@\"",
        _ => "mkdir -p \"$0/gone\" && cd \"$0/gone\" && rmdir \"$0/gone\" && exec \"$@\"",
    };
    shell.arg("-c").arg(script).arg(machine.path("here")).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

#[test]
fn the_hook_and_what_explains_it_judge_in_the_same_project() {
    use Stated::{Absent, Gone, Present, Relative};

    let machine = Machine::new();
    machine.write(".rules/above.rules", POLICY);
    for name in ["named", "cwd", "here"] {
        machine.write(&format!("{name}/is-{name}"), "");
    }
    for named in [Absent, Gone, Relative, Present] {
        for cwd in [Absent, Gone, Relative, Present] {
            for here in [Gone, Present] {
                let case = format!("the host names {named:?}, cwd is {cwd:?}, the process's own is {here:?}");
                let expected = [(named, "named"), (cwd, "cwd"), (here, "here")];
                let expected = expected.into_iter().find(|(stated, _)| *stated == Present);
                let expected = expected.map_or(String::new(), |(_, name)| format!("Judged in `{name}`."));

                let mut payload = json!({
                    "session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Bash",
                    "tool_input": { "command": "ls" },
                });
                if let Some(cwd) = cwd.text(&machine, "cwd") {
                    payload["cwd"] = json!(cwd);
                }
                let run = |mut command: Command| {
                    command.env_remove("CLAUDE_PROJECT_DIR");
                    if let Some(named) = named.text(&machine, "named") {
                        command.env("CLAUDE_PROJECT_DIR", named);
                    }
                    machine.forget_claims();
                    send(in_here(&machine, here, &command), payload.to_string().as_bytes())
                };
                let hook = Reply::of(&run(machine.hook_command(&["claude-code"])));
                assert_eq!(hook.reason(), expected, "hook: {case}");

                // Without any directory there is no policy; only the hook treats that as having no answer.
                let is_nowhere = [named, cwd].iter().all(|stated| matches!(stated, Absent | Relative)) && here == Gone;
                let explain = Printed::of(&run(machine.command(&["explain"])));
                let eval = Printed::of(&run(machine.command(&["eval"])));
                if is_nowhere {
                    assert_eq!((explain.exit, eval.exit), (3, 3), "{case}");
                    continue;
                }
                let line = format!("\n  {expected}\n");
                let agrees = if expected.is_empty() {
                    !explain.stdout.contains("Judged")
                } else {
                    explain.stdout.contains(&line)
                };
                assert!(explain.exit == 0 && agrees, "explain: {case}: {explain:?}");
                // `eval` has one policy for all payloads, so the directory of one payload does not select it.
                if matches!(named, Absent | Relative) && here == Gone {
                    continue;
                }
                let decided: Json = serde_json::from_str(&eval.stdout).unwrap_or_else(|_| panic!("{case}: {eval:?}"));
                assert_eq!(decided["message"].as_str().unwrap_or_default(), expected, "eval: {case}");
            }
        }
    }
}

#[test]
fn the_policy_above_every_directory_that_is_gone_counts() {
    let deny = |name: &str| format!("rule {name} {{\n  on PreToolUse(Bash)\n  deny \"From {name}.\"\n}}\n");
    let machine = Machine::new();
    machine.write("a/.rules/a.rules", &deny("a")).write("b/.rules/b.rules", &deny("b"));
    machine.write("here/.rules/here.rules", &deny("here"));
    let mut payload = machine.bash("ls");
    payload["cwd"] = json!(machine.path("b/gone"));
    let mut command = machine.hook_command(&[]);
    command.env("CLAUDE_PROJECT_DIR", machine.path("a/gone")).current_dir(machine.path("here"));
    let reply = Reply::of(&send(command, payload.to_string().as_bytes()));
    for name in ["a", "b", "here"] {
        reply.denies(&format!("From {name}."));
    }
}

/// The effects of a rule apply to the project that its policy governs, wherever in it the agent is.
#[test]
fn effects_are_had_in_the_project_even_if_the_host_does_not_name_it() {
    const POLICY: &str = "rule noted {\n  on SubagentStop\n  record \".rules/log/stops.jsonl\" { agent: \"{agent}\" }\n  \
                          run \"pwd >> ran\"\n}\n";
    let answer = |machine: &Machine, cwd: &str, named: Option<&str>| {
        let mut payload = machine.event("SubagentStop");
        payload["agent_type"] = json!("coder");
        payload["cwd"] = json!(machine.path(cwd));
        let mut command = machine.hook_command(&[]);
        command.env_remove("CLAUDE_PROJECT_DIR");
        if let Some(named) = named {
            command.env("CLAUDE_PROJECT_DIR", machine.path(named));
        }
        machine.forget_claims();
        Reply::of(&send(command, payload.to_string().as_bytes())).is_silent();
    };
    let had_in = |machine: &Machine, directory: &str| {
        let record = machine.exists(&format!("{directory}/.rules/log/stops.jsonl"));
        assert_eq!(machine.exists(&format!("{directory}/ran")), record, "{directory}");
        record
    };

    // The nearest policy, skipping directories that only hold records.
    let machine = Machine::with(POLICY);
    machine.write("project/sub/.rules/log/old.jsonl", "").write("project/sub/deep/x", "");
    answer(&machine, "project/sub/deep", None);
    assert!(had_in(&machine, "project") && !had_in(&machine, "project/sub/deep") && !had_in(&machine, "project/sub"));

    // A policy of a subdirectory is nearer.
    let machine = Machine::with(POLICY);
    machine
        .write("project/sub/.rules/sub.rules", "rule quiet {\n  on Stop\n  warn \"Stopped.\"\n}\n")
        .write("project/sub/deep/x", "");
    answer(&machine, "project/sub/deep", None);
    assert!(had_in(&machine, "project/sub") && !had_in(&machine, "project"));

    // Without a policy in the project, the root of its repository.
    let machine = Machine::new();
    machine.write("user/own.rules", POLICY).write("project/sub/deep/x", "");
    answer(&machine, "project/sub/deep", None);
    assert!(had_in(&machine, "project") && !had_in(&machine, "project/sub/deep"));

    // Without either, the agent's directory.
    let machine = Machine::new();
    machine.write("user/own.rules", POLICY).write("elsewhere/deep/x", "");
    answer(&machine, "elsewhere/deep", None);
    assert!(had_in(&machine, "elsewhere/deep"));

    // The directory that the host names is the project, whatever its parents contain.
    let machine = Machine::with(POLICY);
    machine.write("project/sub/deep/x", "");
    answer(&machine, "project/sub/deep", Some("project/sub"));
    assert!(had_in(&machine, "project/sub") && !had_in(&machine, "project"));
}
