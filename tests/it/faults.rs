//! Faults of a hook's environment, and its reaction: it answers correctly, answers by the failure policy, or ends in a
//! way that a registration with `onFailure: block`, or with `|| exit 2`, turns into a block. A call that a rule denies
//! or asks about never proceeds silently.

mod disk;
mod kept;
#[cfg(unix)]
mod process;

use std::process::{Command, Output};

use serde_json::Value as Json;

use crate::machine::{Machine, send};
use crate::system::signal;

/// Denies one command and asks about another.
const POLICY: &str = "rule no {\n  on PreToolUse(Bash)\n  when runs \"git push\"\n  deny \"No.\"\n}\n\
                      rule sure {\n  on PreToolUse(Bash)\n  when runs \"git tag\"\n  ask \"Sure?\"\n}\n";

/// The calls that the policy objects to.
const CALLS: [&str; 2] = ["git push", "git tag x"];

/// A host's interpretation of the end of a hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// The call is denied: exit code 2.
    Denied,
    /// The user is asked, by a valid answer.
    Asked,
    /// The hook failed, so `onFailure: block` and `|| exit 2` block.
    Failed,
    /// The call proceeds.
    Open,
}

fn end(output: &Output) -> End {
    let Some(code) = output.status.code() else {
        assert!(signal(output.status).is_some(), "{output:?}");
        return End::Failed;
    };
    let answer: Json = serde_json::from_slice(&output.stdout).unwrap_or_default();
    match (code, answer["hookSpecificOutput"]["permissionDecision"].as_str()) {
        (2, _) => End::Denied,
        (0, Some("deny")) => End::Denied,
        (0, Some("ask")) => End::Asked,
        (0, _) => End::Open,
        _ => End::Failed,
    }
}

/// Collects the open cases, to report all of them at once.
#[derive(Default)]
struct Matrix {
    wrong: Vec<String>,
}

impl Matrix {
    /// Checks that the call does not proceed.
    fn closed(&mut self, row: &str, output: &Output) {
        if end(output) == End::Open {
            self.wrong.push(format!("{row}: the call goes ahead: {output:?}"));
        }
    }

    /// Checks that the end is the same as without the fault.
    fn right(&mut self, row: &str, call: &str, output: &Output) {
        let expected = if call == CALLS[0] { End::Denied } else { End::Asked };
        let is = end(output);
        if is != expected {
            self.wrong.push(format!("{row}: {call}: {is:?}, not {expected:?}: {output:?}"));
        }
    }

    #[track_caller]
    fn done(self) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

/// Runs the hook of a machine on a call.
fn hook(machine: &Machine, call: &str) -> Output {
    send(machine.hook_command(&["claude-code"]), machine.bash(call).to_string().as_bytes())
}

/// Returns the hook of a machine, started by a shell with a prefix such as `ulimit -f 0;`, and a suffix after the
/// command such as `>&-`.
fn through_shell(machine: &Machine, before: &str, behind: &str) -> Command {
    let hook = machine.hook_command(&["claude-code"]);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{before} exec \"$0\" \"$@\" {behind}")).arg(hook.get_program()).args(hook.get_args());
    for (name, value) in hook.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.current_dir(machine.path("project"));
    shell
}
