//! Plays whole sessions of a real Claude Code with the program as its hook, in the supported versions, and reports what
//! differs from the expectations.
//!
//! `hookrules-e2e [--version VERSION] [--keep] [--all] [TEXT]` plays the cases whose names contain the text; with
//! `--all` also those that are only played on demand. A session runs offline: its model is a script, and its home and
//! its project are created for it. The payloads that the host sends to hooks are compared with the schema.

#![expect(clippy::disallowed_methods, reason = "it makes files, starts the host, and waits for it")]

mod api;
mod case;
mod cases;
mod check;
mod host;
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
    /// Only the cases whose names contain this.
    text: String,
    keep: bool,
    /// Also the cases that are only played on demand.
    all: bool,
}

impl Wishes {
    fn read(mut words: impl Iterator<Item = String>) -> io::Result<Self> {
        let mut wishes = Self::default();
        while let Some(word) = words.next() {
            match &*word {
                "--keep" => wishes.keep = true,
                "--all" => wishes.all = true,
                "--version" => {
                    let name = words.next().unwrap_or_default();
                    let version = Version::ALL.iter().find(|version| version.name() == name).copied();
                    wishes.version = Some(version.ok_or_else(|| io::Error::other(format!("no version {name:?}")))?);
                }
                option if option.starts_with('-') => return Err(io::Error::other(format!("unknown option {option}"))),
                _ => wishes.text = word,
            }
        }
        Ok(wishes)
    }
}

/// One case in one version.
struct Job<'a> {
    case: &'a Case,
    version: Version,
    host: PathBuf,
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
    cases.retain(|case| wishes.all || !case.is_on_demand);
    let mut jobs = VecDeque::new();
    for version in Version::ALL.iter().filter(|version| wishes.version.is_none_or(|wish| wish == **version)) {
        let host = host::install(*version, &cache)?;
        let meant = cases.iter().filter(|case| case.versions.contains(version) && case.name.contains(&wishes.text));
        jobs.extend(meant.map(|case| Job { case, version: *version, host: host.clone() }));
    }
    if jobs.is_empty() {
        return Err(io::Error::other(format!("no case has {:?} in its name", wishes.text)));
    }
    Ok(play(jobs, &program, wishes.keep))
}

/// Plays the jobs, a few at a time, and reports.
fn play(jobs: VecDeque<Job<'_>>, program: &Path, keep: bool) -> bool {
    let (start, count) = (Instant::now(), jobs.len());
    let jobs = Mutex::new(jobs);
    let differences = Mutex::new(Differences::default());
    let failed = Mutex::new(0_usize);
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let job = jobs.lock().ok().and_then(|mut jobs| jobs.pop_front());
                    let Some(job) = job else { return };
                    let is_fine = one(&job, program, keep, &differences);
                    if let (false, Ok(mut failed)) = (is_fine, failed.lock()) {
                        *failed += 1;
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or(count);
    let differences = differences.into_inner().unwrap_or_default();
    list("The host sends what the schema does not know (news, not a failure):", &differences.unknown);
    list("The host contradicts the schema:", &differences.contradictions);
    say(&format!("{} of {count} sessions as they must be, {} s", count - failed, start.elapsed().as_secs()));
    failed == 0 && differences.contradictions.is_empty()
}

/// Plays one job and reports on it.
fn one(job: &Job<'_>, program: &Path, keep: bool, differences: &Mutex<Differences>) -> bool {
    let (name, version, start) = (&job.case.name, job.version.name(), Instant::now());
    let session = match session::play(job.case, job.version, &job.host, program) {
        Ok(session) => session,
        Err(error) => {
            say(&format!("FAILED {version} {name}: {error}"));
            return false;
        }
    };
    if let Ok(mut differences) = differences.lock() {
        session.payloads.iter().for_each(|seen| differences.add(version, seen));
    }
    let failures = check::failures(job.case, &session);
    let took = Duration::from_millis(u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX));
    if failures.is_empty() {
        say(&format!("ok     {version} {name}, {took:.1?}"));
    } else {
        say(&format!("FAILED {version} {name}, {took:.1?}\n         {}", failures.join("\n         ")));
    }
    if keep || !failures.is_empty() {
        match session.keep() {
            Ok(place) => say(&format!("         kept in {}", place.display())),
            Err(error) => say(&format!("         not kept: {error}")),
        }
    }
    failures.is_empty()
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
