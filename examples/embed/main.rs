//! A whole hook for Claude Code, as a program of its own, which needs the library without the command line:
//! `cargo run --no-default-features --example embed < payload.json`.

use std::env;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use hookrules::hook::{Hook, HookAnswer};

#[expect(clippy::disallowed_methods, reason = "the host names the project in the environment")]
fn main() -> ExitCode {
    let mut bytes = Vec::new();
    // The decoder reports what is missing after an error.
    let _partial = io::stdin().read_to_end(&mut bytes);
    let project = env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from).or_else(|| env::current_dir().ok());
    let hook = Hook::of_project(project.unwrap_or_default()).load();
    answer(&hook, &bytes, write)
}

/// Answers one event: `write` passes the answer on before records, notifications and the log are written.
pub(crate) fn answer<T>(hook: &Hook, bytes: &[u8], write: impl FnOnce(&HookAnswer) -> T) -> T {
    let event = match hook.decode(bytes) {
        Ok(event) => event,
        Err(answer) => return write(&answer),
    };
    let facts = hook.facts();
    let answered = hook.judge(&event, &facts).complete().perform().encode();
    let written = write(answered.answer());
    answered.settle();
    written
}

/// Writes an answer. Half of one would be none, so it blocks.
fn write(answer: &HookAnswer) -> ExitCode {
    let written = io::stdout().write_all(answer.stdout.as_bytes()).and_then(|()| io::stdout().flush());
    let _nobody_reads = io::stderr().write_all(answer.stderr.as_bytes());
    ExitCode::from(if written.is_ok() { answer.exit } else { 2 })
}
