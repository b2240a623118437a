//! Performed effects: a scene with a project and a state directory, and the runs shared by the tests below.
#![expect(clippy::disallowed_methods, reason = "the tests look at clocks and files")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use crate::schema::Event;
use crate::verdict::{Command, OnFail, OutputKind, RunOptions, Stdin, Vote};

use super::*;

pub(super) const NO_ANSWERS: Capabilities = Event::Notification.spec().answers;

/// Returns the answers that the host accepts on an event.
fn answers(event: Event) -> Capabilities {
    match event {
        Event::PreToolUse => Capabilities { deny: true, ask: true, allow: true, context: true, ..NO_ANSWERS },
        Event::UserPromptSubmit => Capabilities { deny: true, context: true, stdout_is_context: true, ..NO_ANSWERS },
        Event::SessionStart => Capabilities { context: true, stdout_is_context: true, ..NO_ANSWERS },
        Event::PostToolUse | Event::SubagentStart => Capabilities { context: true, ..NO_ANSWERS },
        Event::Stop | Event::SubagentStop => Capabilities { deny: true, ..NO_ANSWERS },
        _ => NO_ANSWERS,
    }
}

/// A temporary project and a state directory, with a payload.
struct Scene {
    directory: TempDir,
    payload: Payload,
    stdin: Vec<u8>,
    agent_name: Option<String>,
    deadline: Option<Instant>,
    channel: NotificationChannel,
}

impl Scene {
    fn new(event: Event) -> Self {
        let json = json!({ "session_id": "s1", "hook_event_name": format!("{event:?}"), "cwd": "/somewhere" });
        Self::with(event, json)
    }

    fn with(event: Event, json: serde_json::Value) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for name in ["project", "state"] {
            std::fs::create_dir(directory.path().join(name)).unwrap();
        }
        let stdin = json.to_string().into_bytes();
        let payload = Payload::new(event, json.as_object().unwrap().clone());
        Self { directory, payload, stdin, agent_name: None, deadline: None, channel: NotificationChannel::Bell }
    }

    fn project(&self) -> PathBuf {
        self.directory.path().join("project")
    }

    fn state(&self) -> PathBuf {
        self.directory.path().join("state")
    }

    fn perform(&self, verdict: Verdict) -> Verdict {
        self.performed(verdict).verdict
    }

    fn performed(&self, verdict: Verdict) -> PerformedVerdict {
        self.in_world(|world| perform(verdict, world))
    }

    fn in_world<T>(&self, act: impl FnOnce(&EffectEnvironment<'_>) -> T) -> T {
        let (project, state) = (self.project(), self.state());
        act(&EffectEnvironment {
            payload: &self.payload,
            stdin: &self.stdin,
            answers: answers(self.payload.event),
            project: Some(&project),
            state_dir: Some(&state),
            agent_name: self.agent_name.as_deref(),
            is_prompt_of_user: self.payload.event == Event::UserPromptSubmit,
            deadline: self.deadline,
            announces_failures: false,
            announces_successes: false,
            channel: &self.channel,
        })
    }

    fn run(&self, run: Run) -> Verdict {
        self.runs(vec![run])
    }

    fn runs(&self, runs: Vec<Run>) -> Verdict {
        self.perform(Verdict { runs, ..Verdict::pass(self.payload.event) })
    }
}

/// The options of a `run` in a rule that sets none.
pub(super) const PLAIN: RunOptions = RunOptions {
    show_stdout: false,
    show_stderr: false,
    max_output_lines: None,
    on_fail: None,
    notify: false,
    background: false,
    stdin: Stdin::Payload,
    output: OutputKind::Text,
    attempts: 3,
};

pub(super) fn sh(script: &str) -> Run {
    Run {
        rule: "r".to_owned(),
        command: Command::Shell { script: script.to_owned(), parameters: Vec::new() },
        source_text: "check".to_owned(),
        timeout: Duration::from_secs(20),
        message: None,
        cwd: None,
        env: BTreeMap::new(),
        options: PLAIN,
        denies: false,
    }
}

fn by(rule: &str, run: Run) -> Run {
    Run { rule: rule.to_owned(), ..run }
}

fn on_fail(on_fail: OnFail, run: Run) -> Run {
    Run { options: RunOptions { on_fail: Some(on_fail), ..run.options }, ..run }
}

fn hook(script: &str) -> Run {
    Run { options: RunOptions { output: OutputKind::Hook, ..PLAIN }, ..sh(script) }
}

/// Returns a command that runs a program of the system, independently of the tests' PATH.
fn argv(words: &[&str]) -> Run {
    let env = [("PATH".to_owned(), "/usr/bin:/bin".to_owned())].into();
    Run { command: Command::Argv(words.iter().map(|word| (*word).to_owned()).collect()), env, ..sh("") }
}

/// Returns all texts and decisions of a verdict in one line.
fn said(verdict: &Verdict) -> String {
    let votes = verdict
        .votes
        .iter()
        .map(|vote| format!("{} {}: {}", vote.author, vote.decision.keyword(), vote.displayed_message()));
    let contexts = verdict.contexts.iter().map(|note| format!("{} context: {}", note.author, note.text));
    let warnings = verdict.warnings.iter().map(|note| format!("{} warn: {}", note.author, note.text));
    votes.chain(contexts).chain(warnings).collect::<Vec<_>>().join(" | ")
}

#[track_caller]
fn check(event: Event, run: Run, expected: &str) {
    assert_eq!(said(&Scene::new(event).run(run)), expected);
}

mod contract;
mod processes;
mod settling;
