//! Starts a registered command line as the host does, with a harmless call and with one that every policy denies, and
//! checks the answers.
#![expect(clippy::disallowed_methods, reason = "a trial is about this machine, and it is timed")]

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::host::{Host, HostOutput};
use crate::host_settings::{AgentHook, Handler, RegisteredHook, StartForm};
use crate::platform::paths::{canonicalize, portable, shown};
use crate::platform::shell;
use crate::policy::Policy;

/// How long the hook may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The result of trying a command line.
pub(super) enum Trial {
    /// The hook gave an answer that the host can read, after this number of milliseconds.
    Answered(u128),
    /// It also denied the other call.
    Denied(u128),
    /// The command line was not started, for this reason.
    NotTried(String),
    /// The command line could not be started, or its answer is useless to the host: the problem as the end of a
    /// sentence.
    Failed(String),
}

/// Tries a registered command line. It is started only if it runs this very program and nothing else, because the
/// author of the settings chose everything else in it.
pub(super) fn try_registration(handler: &Handler, registered: &RegisteredHook, policy: &Policy) -> Trial {
    if let Some(why) = reason_not_to_start(registered) {
        return why;
    }
    let Some(command) = &handler.command else { return Trial::NotTried("it names no program".to_owned()) };
    let expression = match registered.form {
        StartForm::Exec => duct::cmd(command, &registered.words),
        StartForm::Shell { .. } => host_line(command),
    };
    try_calls(&expression, Host::CLAUDE_CODE, policy)
}

/// Tries a hook in the settings of another agent, with a call in that agent's format. `executable` is the file that the
/// agent starts, if its settings are executables.
pub(super) fn try_agent(host: Host, hook: &AgentHook, executable: Option<&Path>, policy: &Policy) -> Trial {
    match reason_not_to_start(&hook.registered) {
        Some(Trial::NotTried(_)) if find_program(&hook.registered.program).is_none() => {
            return Trial::Failed("cannot be started: its program is not there".to_owned());
        }
        Some(why) => return why,
        None => {}
    }
    let expression = match executable {
        Some(path) => duct::cmd(path, [""; 0]),
        None => host_line(&hook.command),
    };
    try_calls(&expression, host, policy)
}

/// Returns the command that runs a command line as hosts do.
fn host_line(line: &str) -> duct::Expression {
    let mut words = shell::command_line_words(line);
    let arguments = words.split_off(1);
    duct::cmd(words.pop().unwrap_or_default(), arguments)
}

/// Tries a command with a harmless call and, if there is a rule, with a call that every policy denies.
fn try_calls(expression: &duct::Expression, host: Host, policy: &Policy) -> Trial {
    let here = std::env::current_dir().map(portable).unwrap_or_default();
    let directory = shown(&here).to_string();
    let Some(harmless) = host.sample_call(&directory) else {
        return Trial::NotTried(format!("{} announces no calls", host.title()));
    };
    let milliseconds = match run_trial(expression, host, &harmless, &here) {
        Ok((_, milliseconds)) => milliseconds,
        Err(why) => return Trial::Failed(why),
    };
    let Some(nameless) = host.nameless_call(&directory).filter(|_| !policy.is_without_guard()) else {
        return Trial::Answered(milliseconds);
    };
    match run_trial(expression, host, &nameless, &here) {
        Ok((output, _)) if host.is_denial(&output) => Trial::Denied(milliseconds),
        Ok(_) => Trial::Failed("let a call pass that does not name its tool, which every policy denies".to_owned()),
        Err(why) => Trial::Failed(why),
    }
}

/// Returns why a command line is not started; `None` if it runs this very program and nothing else.
fn reason_not_to_start(registered: &RegisteredHook) -> Option<Trial> {
    let not_tried = |why: &str| Some(Trial::NotTried(why.to_owned()));
    if matches!(registered.form, StartForm::Shell { plain: false, .. }) {
        return not_tried("it runs something else as well");
    }
    if registered.words.first().is_none_or(|word| word != "hook") {
        return not_tried("it takes only whole payloads of its event");
    }
    let Some(program) = find_program(&registered.program) else {
        return match registered.program.contains('/') {
            true => not_tried("its program is not there"),
            false => Some(Trial::Failed("cannot be started: there is no such program on the PATH".to_owned())),
        };
    };
    let this_program = std::env::current_exe().and_then(|own| canonicalize(&own)).ok();
    if canonicalize(&program).ok() != this_program {
        return not_tried("it is another program than this one");
    }
    None
}

/// Starts a hook with a call, and returns its output and the time in milliseconds. The error is the end of a sentence:
/// why the host could not use the answer.
fn run_trial(
    expression: &duct::Expression,
    host: Host,
    payload: &Json,
    here: &Path,
) -> Result<(HostOutput, u128), String> {
    let started = Instant::now();
    let expression = expression.stdin_bytes(payload.to_string()).stdout_capture().stderr_capture().unchecked();
    let variable = host.project_variable();
    let expression = variable.into_iter().fold(expression, |expression, name| expression.env(name, here));
    let handle = match expression.start() {
        Ok(handle) => handle,
        Err(error) => return Err(format!("cannot be started: {}", crate::files::reason(&error))),
    };
    let output = match handle.wait_timeout(PATIENCE) {
        Ok(Some(output)) => output,
        _ => {
            let _gone = handle.kill();
            return Err(format!("gave no answer within {} s", PATIENCE.as_secs()));
        }
    };
    let elapsed = started.elapsed().as_millis();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let is_answer =
        stdout.trim().is_empty() || serde_json::from_str::<Json>(&stdout).is_ok_and(|answer| answer.is_object());
    let code = output.status.code().ok_or("was ended by a signal")?;
    match u8::try_from(code) {
        Ok(exit @ (0 | 2)) if is_answer => Ok((HostOutput { stdout, stderr, exit, deferred: None }, elapsed)),
        Ok(0 | 2) => Err("answered something that the host cannot read".to_owned()),
        _ => Err(format!("ended with {code}, which the host takes for a hook that failed")),
    }
}

/// Returns the path of a program as a shell finds it: a name with a slash is a path, and any other is on the `PATH`.
/// `None` if there is no such file.
fn find_program(program: &str) -> Option<std::path::PathBuf> {
    let path = Path::new(program);
    if program.contains('/') {
        return path.is_file().then(|| path.to_path_buf());
    }
    let directories = std::env::var_os("PATH")?;
    std::env::split_paths(&directories).map(|directory| directory.join(path)).find(|path| path.is_file())
}
