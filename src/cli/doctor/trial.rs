//! Starts a registered command line as the host does, with a harmless call, and checks the answer.
#![expect(clippy::disallowed_methods, reason = "a trial is about this machine, and it is timed")]

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::host::Host;
use crate::host_settings::{Handler, RegisteredHook, StartForm};
use crate::schema::Event;

/// How long the hook may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The result of trying a command line.
pub(super) enum Trial {
    /// The hook gave an answer that the host can read, after this number of milliseconds.
    Answered(u128),
    /// The command line was not started, for this reason.
    NotTried(String),
    /// The command line could not be started, or its answer is useless to the host: the problem as the end of a
    /// sentence.
    Failed(String),
}

/// Tries a registered command line. It is started only if it runs this very program and nothing else, because the
/// author of the settings chose everything else in it.
pub(super) fn try_registration(handler: &Handler, registered: &RegisteredHook) -> Trial {
    if matches!(registered.form, StartForm::Shell { plain: false, .. }) {
        return Trial::NotTried("it runs something else as well".to_owned());
    }
    if registered.words.first().is_none_or(|word| word != "hook") {
        return Trial::NotTried("it takes only whole payloads of its event".to_owned());
    }
    let Some(program) = find_program(&registered.program) else {
        let why = match registered.program.contains('/') {
            true => return Trial::NotTried("its program is not there".to_owned()),
            false => "cannot be started: there is no such program on the PATH",
        };
        return Trial::Failed(why.to_owned());
    };
    let own = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    if std::fs::canonicalize(&program).ok() != own {
        return Trial::NotTried("it is another program than this one".to_owned());
    }
    let Some(command) = &handler.command else { return Trial::NotTried("it names no program".to_owned()) };
    let expression = match registered.form {
        StartForm::Exec => duct::cmd(command, &registered.words),
        StartForm::Shell { .. } => duct::cmd("sh", ["-c", command]),
    };
    tried(&expression)
}

/// Starts a hook with a harmless call, and checks that it answers in time and in a form that the host can read.
fn tried(expression: &duct::Expression) -> Trial {
    let here = std::env::current_dir().unwrap_or_default();
    let started = Instant::now();
    let expression = expression
        .stdin_bytes(payload(&here).to_string())
        .stdout_capture()
        .stderr_capture()
        .unchecked()
        .env(Host::ClaudeCode.project_variable(), &here);
    let handle = match expression.start() {
        Ok(handle) => handle,
        Err(error) => return Trial::Failed(format!("cannot be started: {}", crate::files::reason(&error))),
    };
    let output = match handle.wait_timeout(PATIENCE) {
        Ok(Some(output)) => output,
        _ => {
            let _gone = handle.kill();
            return Trial::Failed(format!("gave no answer within {} s", PATIENCE.as_secs()));
        }
    };
    let elapsed = started.elapsed().as_millis();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let is_answer =
        stdout.trim().is_empty() || serde_json::from_str::<Json>(&stdout).is_ok_and(|answer| answer.is_object());
    match output.status.code() {
        Some(0 | 2) if is_answer => Trial::Answered(elapsed),
        Some(0 | 2) => Trial::Failed("answered something that the host cannot read".to_owned()),
        Some(code) => Trial::Failed(format!("ended with {code}, which the host takes for a hook that failed")),
        None => Trial::Failed("was ended by a signal".to_owned()),
    }
}

/// Returns a call of a tool that does not exist, so that only rules about every tool apply to it.
fn payload(here: &Path) -> Json {
    json!({
        "hook_event_name": Event::PreToolUse.name(), "session_id": "rules-doctor", "transcript_path": "", "cwd": here,
        "permission_mode": "default", "tool_name": "RulesDoctor", "tool_input": {}, "tool_use_id": "rules-doctor",
    })
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
