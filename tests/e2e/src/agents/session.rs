//! One session of an agent: a scratch home and project, the stand-in for its model, and the agent in a headless run.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use serde_json::Value as Json;
use tempfile::TempDir;

use super::cases::{Action, Case, Hook, Step};
use super::dialects::{Call, Model};
use super::{Agent, Scope};
use crate::session::finished;

/// The prompt, which means nothing: the model is a script.
const PROMPT: &str = "GO NOW";

/// The program of each agent without commands as hooks, by the name of its record.
const BRIDGES: &[(&str, &str)] = &[("opencode", include_str!("../../../../hosts/opencode.js"))];

/// The observations of a session.
pub(super) struct Session {
    root: TempDir,
    /// The requests of the conversation, in order.
    pub(super) requests: Vec<Json>,
    /// What the agent printed.
    pub(super) output: String,
    /// Problems of the session itself.
    pub(super) problems: Vec<String>,
}

/// Plays a case. `packages` is the directory where npm has installed the agent, `program` is the program under test.
pub(super) fn play(agent: &Agent, case: &Case, packages: &Path, program: &Path) -> io::Result<Session> {
    let root = tempfile::Builder::new().prefix("rules-e2e-").tempdir()?;
    let project = root.path().canonicalize()?.join("project");
    let call = |step: Step| -> Option<Call> {
        match step {
            Step::Runs(command) => Some((agent.shell)(command)),
            Step::Writes(name) => Some((agent.write)(&project.join(name).to_string_lossy())),
            Step::Ends => None,
        }
    };
    let turns = match case.action {
        Action::Runs(command) => vec![call(Step::Runs(command))],
        Action::Writes(name) => vec![call(Step::Writes(name))],
        Action::Takes(steps) => steps.iter().map(|step| call(*step)).collect(),
    };
    let model = Model::start(agent.dialect, turns)?;
    let place = Place::make(agent, case, &root, &model.url(), program)?;
    let mut session = Session { root, requests: Vec::new(), output: String::new(), problems: Vec::new() };
    let again: &[&str] = if case.is_continued { agent.again } else { &[] };
    for words in [agent.setup, agent.words, again].into_iter().filter(|words| !words.is_empty()) {
        let run = finished(place.command(agent, words, packages)?)?;
        session.output.extend([run.stdout, run.stderr]);
        if !run.has_ended {
            session.problems.push("the agent did not end".to_owned());
        }
    }
    session.requests = model.requests();
    if session.requests.is_empty() {
        // Without a request, the absence of an effect proves nothing.
        session.problems.push(format!("the agent asked for no answer: {}", session.output.trim()));
    }
    Ok(session)
}

impl Session {
    /// Whether the project has a file.
    pub(super) fn has_file(&self, name: &str) -> bool {
        self.root.path().join("project").join(name).exists()
    }

    /// Writes the observations to files in the session's directory, keeps the directory and returns its path.
    pub(super) fn keep(self) -> io::Result<PathBuf> {
        let requests: String = self.requests.iter().map(|request| format!("{request}\n")).collect();
        fs::write(self.root.path().join("requests.jsonl"), requests)?;
        fs::write(self.root.path().join("output"), self.output)?;
        Ok(self.root.keep())
    }
}

/// The directories of a session, and the texts that depend on them.
struct Place {
    root: PathBuf,
    placeholders: Vec<(&'static str, String)>,
}

impl Place {
    /// Creates the files of an agent, and the policy of a case.
    fn make(agent: &Agent, case: &Case, root: &TempDir, url: &str, program: &Path) -> io::Result<Self> {
        let root = root.path().canonicalize()?;
        let at = |name: &str| root.join(name).display().to_string();
        let directories =
            ["config", "state", "cache", "managed"].map(|name| format!(" --{name}-dir '{}'", at(name))).concat();
        let program = match case.hook {
            Hook::Ours => program.display().to_string(),
            Hook::Missing => at("gone/rules"),
            Hook::Killed => at("bin/killed"),
        };
        let scope = match agent.scope {
            Scope::Project => "project",
            Scope::User => "user",
        };
        let bridge = BRIDGES.iter().find(|(name, _)| *name == agent.name).map(|(_, text)| *text);
        let placeholders = vec![
            // First: what it contains is not filled in.
            ("{hook}", format!("'{program}' hook {} --scope {scope}{directories}", agent.name)),
            ("{program}", program),
            ("{directories}", directories),
            ("{root}", root.display().to_string()),
            ("{home}", at("home")),
            ("{project}", at("project")),
            ("{url}", url.to_owned()),
            ("{prompt}", PROMPT.to_owned()),
            ("{bridge}", bridge.unwrap_or_default().to_owned()),
        ];
        let place = Self { root, placeholders };
        for directory in ["home", "project", "config", "state", "cache", "managed", "bin"] {
            fs::create_dir_all(place.root.join(directory))?;
        }
        place.write("bin/killed", "#!/bin/sh\nkill -9 $$\n", true)?;
        for file in agent.files {
            place.write(file.at, &place.filled(file.text), file.is_executable)?;
        }
        let policy = match agent.scope {
            Scope::Project => "project/.rules/project.rules",
            Scope::User => "config/user.rules",
        };
        place.write(policy, case.policy, false)?;
        Ok(place)
    }

    fn write(&self, name: &str, text: &str, is_executable: bool) -> io::Result<()> {
        let at = self.root.join(name);
        fs::create_dir_all(at.parent().unwrap_or(&at))?;
        fs::write(&at, text)?;
        if is_executable {
            fs::set_permissions(&at, fs::Permissions::from_mode(0o755))?;
        }
        Ok(())
    }

    fn filled(&self, text: &str) -> String {
        self.placeholders.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    /// Returns the command that starts the agent: of our environment only the PATH, and no address beyond loopback.
    fn command(&self, agent: &Agent, words: &[&str], packages: &Path) -> io::Result<Command> {
        let programs = packages.join("node_modules/.bin");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(agent.program(packages)?);
        command.args(words.iter().map(|word| self.filled(word))).current_dir(self.root.join("project")).env_clear();
        command.env("PATH", format!("{}:{}:{path}", self.root.join("bin").display(), programs.display()));
        command.env("HOME", self.root.join("home")).env("LANG", "C.UTF-8").env("TERM", "dumb");
        // An agent that looks for a new version, or reports on itself, finds nobody.
        for proxy in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            command.env(proxy, "http://127.0.0.1:9");
        }
        command.env("NO_PROXY", "127.0.0.1").env("no_proxy", "127.0.0.1");
        command.envs(agent.environment.iter().map(|(name, value)| (name, self.filled(value))));
        Ok(command)
    }
}
