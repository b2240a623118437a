//! Runs one command: starts it in its own process group, writes its standard input, reads its output, and ends it in
//! time.
//!
//! The result is how the command ended and what it wrote; `judge` decides what that means.
#![expect(clippy::disallowed_methods, reason = "timeouts need a clock, and what did not start is looked for in PATH")]

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::path::Path;
use std::process::ExitStatus;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use duct::{Expression, Handle};

use crate::files;
use crate::platform::paths::shown;
use crate::platform::process::{ProcessGroup, add_arguments, expect_children, in_own_group, killed_by};
use crate::platform::rights::with_mode;
use crate::platform::{shell, stream};
use crate::schema::Event;
use crate::verdict::{Command, Run, Stdin};

use super::capture::Capture;
use super::termination::{self, Terminable};
use super::{EffectEnvironment, environment};

/// How long output is still read after the command has ended. A process that the command has started may keep the pipe
/// open, and the answer must be given within 100 ms.
const AFTER_EXIT: Duration = Duration::from_millis(80);

/// How long to wait for the reading threads while a pipe has unread output: on a busy machine they may not have run
/// yet.
const WHILE_READABLE: Duration = Duration::from_secs(2);

/// How long a process group may take to end after a request before it is killed.
const TERMINATION_GRACE: Duration = Duration::from_millis(200);

/// How many bytes of a stream are read at once.
const CHUNK: usize = 16 * 1024;

const NO_PROGRAM: &str = "program not found";

/// The maximum timeout, because an `Instant` cannot represent a time too far in the future.
const MAX_TIMEOUT: Duration = Duration::from_hours(24);

/// How much time is reserved for each later command, on events on which all commands run.
const TIME_PER_LATER_COMMAND: Duration = Duration::from_secs(60);

/// How a command ended, and what it had written by then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ProcessOutcome {
    pub(super) end: ProcessEnd,
    pub(super) stdout: Capture,
    pub(super) stderr: Capture,
}

/// How a command ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ProcessEnd {
    /// The command exited with this code.
    Exited(i32),
    /// The command was killed by this signal, which the hook had not sent.
    Killed(i32),
    /// The hook ended the command after this time.
    TimedOut(Duration),
    /// The command never ran, for this reason.
    NotStarted(String),
}

/// Runs a command until it ends or its time is over. On events about subagents, time is reserved for the commands in
/// `later`.
pub(super) fn run(run: &Run, later: &[Run], world: &EffectEnvironment<'_>) -> ProcessOutcome {
    let stdout = Arc::new(Mutex::new(Capture::default()));
    let stderr = Arc::new(Mutex::new(Capture::default()));
    let end = match run_with_captures(run, later, world, [&stdout, &stderr]) {
        Ok(end) => end,
        Err(error) => ProcessEnd::NotStarted(reason(run, world, &error)),
    };
    ProcessOutcome { end, stdout: take_capture(&stdout), stderr: take_capture(&stderr) }
}

/// One stream of a running command, to which a reading thread appends.
type SharedCapture = Arc<Mutex<Capture>>;

/// Returns what has been captured, and leaves an empty capture.
fn take_capture(shared: &SharedCapture) -> Capture {
    std::mem::take(&mut *shared.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Returns how much of the remaining time `left` a command may take: on most events, all of it. On events on which
/// every command runs, up to a minute is reserved for each later one, but the command gets at least an equal share.
fn command_time_share(left: Duration, later: &[Run], event: Event) -> Duration {
    if !event.is_about_subagent() {
        return left;
    }
    let later: Vec<&Run> = later.iter().filter(|run| !run.options.background).collect();
    let reserved: Duration = later.iter().map(|run| run.timeout.min(TIME_PER_LATER_COMMAND)).sum();
    let share = left / u32::try_from(later.len()).unwrap_or(u32::MAX).saturating_add(1);
    left.saturating_sub(reserved).max(share)
}

/// Runs a command, and appends its output to the captures while it runs.
fn run_with_captures(
    run: &Run,
    later: &[Run],
    world: &EffectEnvironment<'_>,
    [stdout, stderr]: [&SharedCapture; 2],
) -> io::Result<ProcessEnd> {
    let left = world.deadline.map_or(MAX_TIMEOUT, |at| at.saturating_duration_since(Instant::now()));
    if left.is_zero() {
        return Ok(ProcessEnd::NotStarted("the host leaves it no time".to_owned()));
    }
    let left = command_time_share(left, later, world.payload.event);
    let timeout = run.timeout.min(left).min(MAX_TIMEOUT);
    let RunningCommand { handle, output: [out, err], input, terminable } = start_command(run, world)?;
    let (done_sender, done_receiver) = channel();
    let connect_streams = || -> io::Result<_> {
        let streams = [out.try_clone()?, err.try_clone()?];
        read_into(out, Arc::clone(stdout), done_sender.clone())?;
        read_into(err, Arc::clone(stderr), done_sender)?;
        if let Some(mut writer) = input {
            let payload = world.stdin.to_vec();
            // If the command does not read its input, this thread ends with EPIPE, or stays blocked until the hook
            // ends.
            Builder::new().spawn(move || writer.write_all(&payload))?;
        }
        Ok(streams)
    };
    // If a thread cannot be started, because the account has too many, the command must not run on without it.
    let streams = connect_streams().inspect_err(|_| kill_group(&handle))?;
    let end = match handle.wait_timeout(timeout)? {
        Some(output) => end_from_status(output.status),
        None => {
            end_group(&handle);
            ProcessEnd::TimedOut(timeout)
        }
    };
    drop(terminable);
    await_streams(&done_receiver, &streams);
    Ok(end)
}

/// A running command, and the hook's ends of its pipes.
struct RunningCommand {
    handle: Handle,
    /// Standard output and standard error.
    output: [PipeReader; 2],
    /// Standard input, if the command gets the payload.
    input: Option<PipeWriter>,
    /// Ends the command with the hook.
    terminable: Terminable,
}

/// Starts a command with pipes for its streams.
fn start_command(run: &Run, world: &EffectEnvironment<'_>) -> io::Result<RunningCommand> {
    let _told = expect_children()?;
    let (out, out_writer) = io::pipe()?;
    let (err, err_writer) = io::pipe()?;
    let expression = expression(run, world)?.unchecked();
    let expression = expression.stdout_file(out_writer).stderr_file(err_writer);
    let (expression, input) = match run.options.stdin {
        Stdin::None => (expression.stdin_null(), None),
        Stdin::Payload => {
            let (reader, writer) = io::pipe()?;
            (expression.stdin_file(reader), Some(writer))
        }
    };
    // INVARIANT: the expressions have copies of the child's ends of the pipes and do not outlive this function. If one
    // did, no reader would see the end of a stream.
    let (handle, terminable) = termination::start_terminable(&expression)?;
    Ok(RunningCommand { handle, output: [out, err], input, terminable })
}

/// Creates the command with its environment, directory and process group. The caller sets the streams.
pub(super) fn expression(run: &Run, world: &EffectEnvironment<'_>) -> io::Result<Expression> {
    let directory = environment::directory(run, world);
    let mut words: Vec<OsString> = match &run.command {
        Command::Shell { script, parameters } => shell::script_words(script, parameters).map_err(io::Error::other)?,
        Command::Argv(words) => words.iter().map(OsString::from).collect(),
    };
    if words.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it has no program"));
    }
    let arguments = words.split_off(1);
    let program = words.pop().unwrap_or_default();
    // A relative path to a program is relative to the command's directory.
    let program = match &directory {
        Some(directory) if program.to_string_lossy().contains('/') => directory.join(&program).into_os_string(),
        _ => program,
    };
    // The arguments are set in `before_spawn`, because duct would copy them for its messages, and a script is long.
    let mut expression = duct::cmd(program, Vec::<OsString>::new());
    if let Some(directory) = directory {
        expression = expression.dir(directory);
    }
    for (name, value) in environment::changes(run, world) {
        expression = match value {
            Some(value) => expression.env(name, value),
            None => expression.env_remove(name),
        };
    }
    Ok(expression.before_spawn(move |command| {
        add_arguments(command, &arguments);
        in_own_group(command);
        Ok(())
    }))
}

/// Returns why a command did not start. A missing directory is recognised here, because the system reports it like a
/// missing program.
pub(super) fn reason(run: &Run, world: &EffectEnvironment<'_>, error: &io::Error) -> String {
    match environment::directory(run, world) {
        Some(directory) if !Path::is_dir(&directory) => format!("there is no directory `{}`", shown(&directory)),
        _ if error.kind() == io::ErrorKind::NotFound => NO_PROGRAM.to_owned(),
        _ if error.kind() == io::ErrorKind::PermissionDenied => explain_permission_denied(run, world),
        _ => files::reason(error),
    }
}

/// Explains "permission denied" for a program that is searched for in PATH. The system reports it if the program is not
/// executable, but also if the program does not exist and a directory in PATH may not be searched.
fn explain_permission_denied(run: &Run, world: &EffectEnvironment<'_>) -> String {
    let refused = "permission denied".to_owned();
    let Command::Argv(words) = &run.command else { return refused };
    let Some(program) = words.first().filter(|program| !program.contains('/')) else { return refused };
    let directory_of_command = environment::directory(run, world).unwrap_or_default();
    let path = run.env.get("PATH").map(OsString::from).or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    let mut has_unsearchable = false;
    for directory in std::env::split_paths(&path) {
        match std::fs::metadata(directory_of_command.join(directory).join(program)) {
            Ok(found) if found.is_file() => return "the program is not executable".to_owned(),
            Ok(_) => {}
            Err(error) => has_unsearchable |= error.kind() == io::ErrorKind::PermissionDenied,
        }
    }
    let where_searched = if has_unsearchable { " in those directories of PATH that may be searched" } else { "" };
    format!("{NO_PROGRAM}{where_searched}")
}

/// Converts the exit status of a process.
fn end_from_status(status: ExitStatus) -> ProcessEnd {
    match (status.code(), killed_by(status)) {
        (Some(code), _) => ProcessEnd::Exited(code),
        (None, signal) => ProcessEnd::Killed(signal.unwrap_or_default()),
    }
}

/// Starts a thread that reads a stream to its end into a capture, and then sends to `done`.
fn read_into(pipe: PipeReader, into: SharedCapture, done: Sender<()>) -> io::Result<()> {
    Builder::new().spawn(move || {
        let mut pipe = BufReader::with_capacity(CHUNK, pipe);
        loop {
            let count = match pipe.fill_buf() {
                Ok([]) => break,
                Ok(bytes) => {
                    into.lock().unwrap_or_else(PoisonError::into_inner).push(bytes);
                    bytes.len()
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
                Err(_) => break,
            };
            pipe.consume(count);
        }
        let _ = done.send(());
    })?;
    Ok(())
}

/// Waits until both streams have been read to their end. The wait is short, unless a pipe has unread output.
fn await_streams(ended: &Receiver<()>, streams: &[PipeReader; 2]) {
    let exit = Instant::now();
    let mut unfinished = 2;
    while unfinished > 0 {
        let patience = if stream::is_any_readable(streams) { WHILE_READABLE } else { AFTER_EXIT };
        let left = patience.saturating_sub(exit.elapsed());
        if left.is_zero() {
            return;
        }
        if ended.recv_timeout(left.min(AFTER_EXIT)).is_ok() {
            unfinished -= 1;
        }
    }
}

/// Ends a command and everything in its process group: a request, a short grace period, and force.
fn end_group(handle: &Handle) {
    groups(handle).for_each(ProcessGroup::terminate);
    let _ = handle.wait_timeout(TERMINATION_GRACE);
    // Other processes of the group may ignore the request and outlive its leader.
    kill_group(handle);
}

/// Kills a command and everything in its process group at once.
pub(super) fn kill_group(handle: &Handle) {
    groups(handle).for_each(ProcessGroup::kill);
    let _ = handle.wait_timeout(TERMINATION_GRACE);
}

/// Returns the process groups of a command.
pub(super) fn groups(handle: &Handle) -> impl Iterator<Item = ProcessGroup> {
    handle.pids().into_iter().filter_map(ProcessGroup::of_leader)
}

/// Returns an unnamed file that contains the payload: a command can still read it after the hook has ended.
pub(super) fn payload_file(world: &EffectEnvironment<'_>) -> io::Result<File> {
    use std::io::Seek;
    let directory = world.state_dir.map_or_else(std::env::temp_dir, Path::to_path_buf);
    let nanos =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
    let path = directory.join(format!(".rules-{}-{nanos}", std::process::id()));
    let mut options = File::options();
    let mut file = with_mode(options.read(true).write(true).create_new(true), 0o600).open(&path)?;
    std::fs::remove_file(&path)?;
    file.write_all(world.stdin)?;
    file.rewind()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_hangs_leaves_time_for_those_behind_it() {
        let run = |timeout: u64| Run { timeout: Duration::from_secs(timeout), ..crate::action::tests::sh("true") };
        let allowed = |left: u64, later: &[Run], event: Event| {
            command_time_share(Duration::from_secs(left), later, event).as_secs()
        };
        let stop = Event::SubagentStop;
        assert_eq!(allowed(595, &[], stop), 595);
        assert_eq!(allowed(595, &[run(20), run(86_400)], stop), 515);
        assert_eq!(allowed(595, &vec![run(86_400); 16], stop), 35);
        assert_eq!(
            allowed(
                595,
                &[Run {
                    options: crate::verdict::RunOptions { background: true, ..crate::action::tests::PLAIN },
                    ..run(20)
                }],
                stop
            ),
            595
        );
        // On other events, the first command may take all of the time.
        assert_eq!(allowed(29, &[run(60)], Event::UserPromptSubmit), 29);
    }
}
