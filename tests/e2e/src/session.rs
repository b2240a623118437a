//! A case, played by the host: in print mode, or in a window.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use std::{fs, iter};

use serde_json::Value as Json;

use crate::api::{Api, Request};
use crate::case::{self, Case, Ends};
use crate::host::Version;
use crate::registration::Place;
use crate::scratch::{KEY, Scratch};
use crate::screen;
use crate::wire::Seen;

/// The time limit of one process of the host. A session takes one to three seconds; a machine may be busy.
pub(crate) const LONGEST: Duration = Duration::from_secs(90);

/// The observations of a session.
pub(crate) struct Session {
    pub(crate) version: Version,
    pub(crate) scratch: Scratch,
    /// The requests for messages, in order.
    pub(crate) requests: Vec<Request>,
    /// The output of the host in print mode, one JSON object per line.
    pub(crate) stream: Vec<Json>,
    /// The payloads that the host sent to hooks, in order.
    pub(crate) payloads: Vec<Seen>,
    /// Problems of the session itself.
    pub(crate) problems: Vec<String>,
}

/// Plays a case.
pub(crate) fn play(case: &Case, version: Version, host: &Path, program: &Path) -> io::Result<Session> {
    let scratch = Scratch::make(case, version, program)?;
    let root = scratch.root().display().to_string();
    let scripts: Vec<_> = case.scripts.iter().map(|script| script.within(&root)).collect();
    let api = Api::start(&scripts)?;
    let mut stream = Vec::new();
    let mut problems = Vec::new();
    // The host is found by its name, as on a user's machine.
    std::os::unix::fs::symlink(host, scratch.path("bin/claude"))?;
    run_commands(case, 0, &scratch, &mut problems)?;
    if case.steps.is_empty() {
        for (number, prompt) in case.prompts.iter().enumerate() {
            let mut command = command(host, case, &scratch, &api);
            command.args(["-p", prompt, "--output-format", "stream-json", "--verbose"]);
            if number > 0 {
                command.arg("--continue");
            }
            let (lines, problem) = printed(command)?;
            stream.extend(lines);
            problems.extend(problem);
            run_commands(case, number + 1, &scratch, &mut problems)?;
        }
    } else {
        problems.extend(screen::play(environment(&scratch, &api), host, case, &scratch)?.err());
        run_commands(case, 1, &scratch, &mut problems)?;
    }
    let payloads = scratch.payloads()?;
    Ok(Session { version, requests: api.requests(), stream, payloads, problems, scratch })
}

/// Runs the user's commands that are due after this number of host processes.
fn run_commands(case: &Case, after: usize, scratch: &Scratch, problems: &mut Vec<String>) -> io::Result<()> {
    for command in case.commands.iter().filter(|command| command.after == after) {
        problems.extend(run_command(command, scratch)?);
    }
    Ok(())
}

/// Runs a command of the user. Returns the problem, if any.
fn run_command(command: &case::Command, scratch: &Scratch) -> io::Result<Option<String>> {
    let root = scratch.root().display().to_string();
    let words: Vec<String> = command.words.iter().map(|word| word.replace("{root}", &root)).collect();
    let program = if command.program == "rules" { scratch.program.as_os_str() } else { command.program.as_ref() };
    let mut process = Command::new(program);
    process.args(&words).current_dir(scratch.project()).stdin(Stdio::null());
    process.env("HOME", scratch.home()).env("PATH", path(scratch)).env_remove("CLAUDE_CONFIG_DIR");
    let output = process.output()?;
    let expected = match command.ends {
        Ends::Well => 0,
        Ends::WithFindings => 1,
    };
    let said = [output.stdout, output.stderr].concat();
    let line = format!("{} {}", command.program, words.join(" "));
    Ok((output.status.code() != Some(expected))
        .then(|| format!("`{line}`: {}: {}", output.status, String::from_utf8_lossy(&said))))
}

fn command(host: &Path, case: &Case, scratch: &Scratch, api: &Api) -> Command {
    let mut command = Command::new(host);
    command.env_clear().envs(environment(scratch, api)).current_dir(scratch.project().join(case.directory));
    if case.registration.place == Place::Plugin {
        // The PATH of this machine may contain another `rules` than the one under test.
        command.env("PATH", format!("{}:/usr/bin:/bin", scratch.path("bin").display()));
        command.args(["--plugin-dir", concat!(env!("CARGO_MANIFEST_DIR"), "/../../plugin")]);
    }
    command.args(case.options);
    if !case.allowed.is_empty() {
        command.args(["--allowedTools", case.allowed]);
    }
    command
}

/// Returns the environment of the host: of ours only the PATH, and no address beyond loopback.
fn environment(scratch: &Scratch, api: &Api) -> Vec<(&'static str, String)> {
    vec![
        ("PATH", path(scratch)),
        ("HOME", scratch.home().display().to_string()),
        ("LANG", "C.UTF-8".to_owned()),
        ("TERM", "xterm-256color".to_owned()),
        ("ANTHROPIC_BASE_URL", api.url()),
        ("ANTHROPIC_API_KEY", KEY.to_owned()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        // Without this, the host asks its own questions when it runs as root.
        ("IS_SANDBOX", "1".to_owned()),
        ("DISABLE_AUTOUPDATER", "1".to_owned()),
        ("DISABLE_TELEMETRY", "1".to_owned()),
        ("DISABLE_ERROR_REPORTING", "1".to_owned()),
    ]
}

/// Returns the PATH, with the session's programs first.
fn path(scratch: &Scratch) -> String {
    format!("{}:{}", scratch.path("bin").display(), std::env::var("PATH").unwrap_or_default())
}

/// Runs a host in print mode, and returns its lines and the problem, if any.
fn printed(command: Command) -> io::Result<(Vec<Json>, Option<String>)> {
    let run = finished(command)?;
    let lines: Vec<Json> = run.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let problem = if !run.has_ended {
        Some(format!("the host was still running after {} s", LONGEST.as_secs()))
    } else if !lines.iter().any(|line| line["type"] == "result") {
        // Without a result, the absence of an effect proves nothing.
        Some(format!("the host printed no result: {}", run.stderr.trim()))
    } else {
        None
    };
    Ok((lines, problem))
}

/// A run of a host to its end, or to the time limit.
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Whether it ended before the time limit.
    pub(crate) has_ended: bool,
}

/// Runs a host without input.
pub(crate) fn finished(mut command: Command) -> io::Result<Run> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let streams = (collected(child.stdout.take()), collected(child.stderr.take()));
    let has_ended = ended(&mut child)?.is_some();
    // A process that the host left behind may keep a stream open.
    let text = |stream: mpsc::Receiver<String>| stream.recv_timeout(Duration::from_secs(5)).unwrap_or_default();
    Ok(Run { stdout: text(streams.0), stderr: text(streams.1), has_ended })
}

/// Waits for the end of a process, and kills it after the time limit.
fn ended(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > LONGEST {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Reads a stream to its end.
fn collected(stream: Option<impl Read + Send + 'static>) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // After an error, the bytes read so far are used.
            let _partial = stream.read_to_end(&mut bytes);
        }
        let _nobody_waits = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

impl Session {
    /// Returns the results of the processes, one per process.
    pub(crate) fn results(&self) -> impl Iterator<Item = &Json> {
        self.stream.iter().filter(|line| line["type"] == "result")
    }

    /// Returns the names of the tools whose calls were denied.
    pub(crate) fn denied(&self) -> Vec<&str> {
        let denials = self.results().filter_map(|result| result["permission_denials"].as_array()).flatten();
        denials.filter_map(|denial| denial["tool_name"].as_str()).collect()
    }

    /// Returns the requests of a conversation.
    pub(crate) fn requests_of(&self, conversation: &str) -> impl Iterator<Item = &Request> {
        self.requests.iter().filter(move |request| request.conversation == Some(conversation))
    }

    /// Returns the position of the first payload of an event.
    pub(crate) fn first(&self, event: &str) -> Option<usize> {
        self.payloads.iter().position(|seen| seen.event == event)
    }

    /// Writes the observations to files in the session's directory, keeps the directory and returns its path.
    pub(crate) fn keep(self) -> io::Result<std::path::PathBuf> {
        let lines =
            |values: &mut dyn Iterator<Item = String>| values.flat_map(|line| iter::once(line + "\n")).collect();
        let stream: String = lines(&mut self.stream.iter().map(Json::to_string));
        let requests: String = lines(&mut self.requests.iter().map(|request| request.body.to_string()));
        fs::write(self.scratch.path("stream.jsonl"), stream)?;
        fs::write(self.scratch.path("requests.jsonl"), requests)?;
        Ok(self.scratch.keep())
    }
}
