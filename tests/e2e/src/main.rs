//! Plays whole sessions of a real Claude Code with the program as its hook, in the supported versions, and of other
//! agents, and reports what differs from the expectations.
//!
//! `hookrules-e2e [--version VERSION] [--agent NAME] [--latest] [--keep] [--all] [TEXT]` plays the cases whose names
//! contain the text; with `--all` also those that are only played on demand. `--version` is one of Claude Code, and
//! leaves the other agents out; `--agent` plays all cases of one agent, or with `any` of each, and nothing else;
//! `--latest` plays the newest versions of these agents instead of the locked ones. A session runs offline: its model is
//! a script, and its home and its project are created for it. The payloads that Claude Code sends to hooks are compared
//! with the schema.

#![expect(clippy::disallowed_methods, reason = "it makes files, starts the host, and waits for it")]

mod agents;
mod api;
mod case;
mod cases;
mod check;
mod host;
mod loopback;
mod registration;
mod scratch;
mod screen;
mod session;
mod wire;

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use agents::{AGENTS, Agent, CASES, Table};
use case::Case;
use host::Version;
use wire::Differences;

/// How many sessions are played at a time. Each needs a core while it starts.
const AT_A_TIME: usize = 2;

fn main() -> ExitCode {
    match Wishes::read(std::env::args().skip(1)).and_then(|wishes| run(&wishes)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            say(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// The run that the arguments request.
#[derive(Default)]
struct Wishes {
    version: Option<Version>,
    /// An agent other than Claude Code, or `any`.
    agent: Option<String>,
    /// Only the cases whose names contain this.
    text: String,
    keep: bool,
    /// Also the cases that are only played on demand.
    all: bool,
    /// The newest version of each agent instead of the one that is locked.
    latest: bool,
}

impl Wishes {
    fn read(mut words: impl Iterator<Item = String>) -> io::Result<Self> {
        let mut wishes = Self::default();
        while let Some(word) = words.next() {
            match &*word {
                "--keep" => wishes.keep = true,
                "--all" => wishes.all = true,
                "--latest" => wishes.latest = true,
                "--agent" => {
                    let name = words.next().unwrap_or_default();
                    if name != "any" && AGENTS.iter().all(|agent| agent.name != name) {
                        return Err(io::Error::other(format!("no agent {name:?}")));
                    }
                    wishes.agent = Some(name);
                }
                "--version" => {
                    let name = words.next().unwrap_or_default();
                    let version = Version::ALL.iter().find(|version| version.name() == name).copied();
                    wishes.version = Some(version.ok_or_else(|| io::Error::other(format!("no version {name:?}")))?);
                }
                option if option.starts_with('-') => return Err(io::Error::other(format!("unknown option {option}"))),
                _ => wishes.text = word,
            }
        }
        if wishes.latest && wishes.agent.is_none() {
            wishes.agent = Some("any".to_owned());
        }
        Ok(wishes)
    }
}

/// One session, or several in a row.
enum Job<'a> {
    /// A case in one version of Claude Code, whose binary is at this path.
    ClaudeCode(&'a Case, Version, PathBuf),
    /// A case of another agent, whose packages are in this directory.
    Other(&'static Agent, &'static agents::Case, PathBuf),
}

/// Plays the requested cases. Returns whether all of them meet their expectations.
fn run(wishes: &Wishes) -> io::Result<bool> {
    if let Some(reason) = host::why_not() {
        say(&format!("skipped: {reason}"));
        return Ok(true);
    }
    let target = std::env::current_exe()?.parent().map(Path::to_owned).unwrap_or_default();
    let program = target.join("rules");
    if !program.is_file() {
        return Err(io::Error::other(format!("{} is not built: `cargo build`", program.display())));
    }
    let cache = target.parent().unwrap_or(&target).join("e2e");
    let mut cases = cases::all();
    cases.retain(|case| (wishes.all || !case.is_on_demand) && wishes.agent.is_none());
    let mut jobs = VecDeque::new();
    for version in Version::ALL.iter().filter(|version| wishes.version.is_none_or(|wish| wish == **version)) {
        let is_meant = |case: &&Case| case.versions.contains(version) && case.name.contains(&wishes.text);
        let meant: Vec<&Case> = cases.iter().filter(is_meant).collect();
        if !meant.is_empty() {
            let host = host::install(*version, &cache)?;
            jobs.extend(meant.into_iter().map(|case| Job::ClaudeCode(case, *version, host.clone())));
        }
    }
    jobs.extend(jobs_of_agents(wishes, &cache)?);
    if jobs.is_empty() {
        return Err(io::Error::other(format!("no case has {:?} in its name", wishes.text)));
    }
    Ok(play(jobs, &program, wishes.keep))
}

/// Returns the requested cases of agents other than Claude Code, and installs these agents.
fn jobs_of_agents(wishes: &Wishes, cache: &Path) -> io::Result<Vec<Job<'static>>> {
    let mut jobs = Vec::new();
    for agent in AGENTS.iter().filter(|_| wishes.version.is_none()) {
        let is_meant = |case: &&agents::Case| {
            let is_due = match wishes.agent.as_deref() {
                Some(name) => name == "any" || name == agent.name,
                None => wishes.all || agent.plays_by_default(case),
            };
            is_due && case.is_for(agent) && case.name.contains(&wishes.text)
        };
        let meant: Vec<&agents::Case> = CASES.iter().filter(is_meant).collect();
        if !meant.is_empty() {
            let packages = if wishes.latest {
                let (packages, newest) = host::install_newest(&agent.directory(), agent.version, cache)?;
                say(&format!("{} is played as {newest}", agent.title()));
                packages
            } else {
                host::install_packages(&agent.directory(), cache)?
            };
            if let Err(reason) = agent.program(&packages) {
                say(&format!("skipped: {}: {reason}", agent.title()));
                continue;
            }
            jobs.extend(meant.into_iter().map(|case| Job::Other(agent, case, packages.clone())));
        }
    }
    Ok(jobs)
}

/// What the sessions showed.
#[derive(Default)]
struct Findings {
    differences: Differences,
    table: Table,
    failed: usize,
}

/// Plays the jobs, a few at a time, and reports.
fn play(jobs: VecDeque<Job<'_>>, program: &Path, keep: bool) -> bool {
    let (start, count) = (Instant::now(), jobs.len());
    let jobs = Mutex::new(jobs);
    let findings = Mutex::new(Findings::default());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let job = jobs.lock().ok().and_then(|mut jobs| jobs.pop_front());
                    let Some(job) = job else { return };
                    let is_fine = match job {
                        Job::ClaudeCode(case, version, host) => one(case, version, &host, program, keep, &findings),
                        Job::Other(agent, case, packages) => {
                            one_of_agent(agent, case, &packages, program, keep, &findings)
                        }
                    };
                    if let (false, Ok(mut findings)) = (is_fine, findings.lock()) {
                        findings.failed += 1;
                    }
                }
            });
        }
    });
    let Ok(Findings { differences, table, failed }) = findings.into_inner() else { return false };
    list("The host sends what the schema does not know (news, not a failure):", &differences.unknown);
    list("The host contradicts the schema:", &differences.contradictions);
    if !table.is_empty() {
        say(&table.to_string());
    }
    say(&format!("{} of {count} sessions as they must be, {} s", count - failed, start.elapsed().as_secs()));
    failed == 0 && differences.contradictions.is_empty()
}

/// Plays a case in one version of Claude Code and reports on it.
fn one(case: &Case, version: Version, host: &Path, program: &Path, keep: bool, findings: &Mutex<Findings>) -> bool {
    let (title, start) = (format!("{} {}", version.name(), case.name), Instant::now());
    let session = match session::play(case, version, host, program) {
        Ok(session) => session,
        Err(error) => {
            say(&format!("FAILED {title}: {error}"));
            return false;
        }
    };
    if let Ok(mut findings) = findings.lock() {
        session.payloads.iter().for_each(|seen| findings.differences.add(version.name(), seen));
    }
    let failures = check::failures(case, &session);
    report(&title, start, &failures);
    if keep || !failures.is_empty() {
        match session.keep() {
            Ok(place) => say(&format!("         kept in {}", place.display())),
            Err(error) => say(&format!("         not kept: {error}")),
        }
    }
    failures.is_empty()
}

/// Plays a case of another agent and reports on it.
fn one_of_agent(
    agent: &'static Agent,
    case: &'static agents::Case,
    packages: &Path,
    program: &Path,
    keep: bool,
    findings: &Mutex<Findings>,
) -> bool {
    let (title, start) = (format!("{} {}", agent.title(), case.name), Instant::now());
    let (outcome, problems, kept) = match agents::play(agent, case, packages, program, keep) {
        Ok(played) => played,
        Err(error) => {
            say(&format!("FAILED {title}: {error}"));
            return false;
        }
    };
    if let Ok(mut findings) = findings.lock() {
        findings.table.add(agent, case, outcome);
    }
    report(&title, start, &problems);
    if let Some(place) = kept {
        say(&format!("         kept in {}", place.display()));
    }
    problems.is_empty()
}

fn report(title: &str, start: Instant, problems: &[String]) {
    let took = Duration::from_millis(u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX));
    if problems.is_empty() {
        say(&format!("ok     {title}, {took:.1?}"));
    } else {
        say(&format!("FAILED {title}, {took:.1?}\n         {}", problems.join("\n         ")));
    }
}

fn list(title: &str, lines: &std::collections::BTreeSet<String>) {
    if !lines.is_empty() {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        say(&format!("{title}\n  {}", lines.join("\n  ")));
    }
}

fn say(text: &str) {
    // A failure to report cannot be reported.
    let _unprintable = writeln!(io::stdout().lock(), "{text}");
}
