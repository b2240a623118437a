//! Starts two programs in turn, many times, and compares their wall time.
//!
//! `runner [--runs N] [--dir DIR] [--remove PATH] [--form people|row|session] --payload FILE -- A ARG… -- B ARG…`. Each
//! start gets the payload on its standard input, with `@DIR@` replaced by the directory; the time is measured from the
//! start of the process to its end, output read. Alternating the two distributes other load over both. `--remove`
//! removes a directory before each start of A, so that its caches there are cold. For a session, the file holds a
//! payload on each line; both programs are started once for each, N times through, and the total time counts.

#![expect(clippy::disallowed_methods, reason = "it starts processes and takes their time")]

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const USAGE: &str = "usage: runner [--runs N] [--dir DIR] [--remove PATH] [--form people|row|session] --payload FILE \
                     -- A ARG… -- B ARG…";
/// Uncounted starts that fill the caches.
const WARM_UP: usize = 20;

/// The parsed command line.
struct Plan {
    runs: usize,
    directory: String,
    /// The directory that is removed before each start of A.
    remove: Option<String>,
    form: Form,
    /// The payloads of the starts, in turn.
    payloads: Vec<Vec<u8>>,
    programs: [Vec<String>; 2],
}

/// The format of the times.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Lines for people.
    People,
    /// One table row: medians and 95th percentiles in milliseconds, and the ratio and the difference of the medians.
    Row,
    /// One table row: the total time of each in seconds, their ratio, and the medians and 95th percentiles.
    Session,
}

fn main() -> io::Result<()> {
    let plan = plan(std::env::args().skip(1).collect())?;
    let [a, b] = &plan.programs;
    let cold = || match plan.remove.as_deref().map(std::fs::remove_dir_all) {
        Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    let starts = || (0..plan.runs * plan.payloads.len()).zip(plan.payloads.iter().cycle());
    for (_, payload) in starts().take(WARM_UP) {
        cold()?;
        start(a, payload, &plan)?;
        start(b, payload, &plan)?;
    }
    let mut times = (Vec::with_capacity(plan.runs), Vec::with_capacity(plan.runs));
    for (run, payload) in starts() {
        cold()?;
        // Neither program profits from always being second.
        if run % 2 == 0 {
            times.0.push(start(a, payload, &plan)?);
            times.1.push(start(b, payload, &plan)?);
        } else {
            times.1.push(start(b, payload, &plan)?);
            times.0.push(start(a, payload, &plan)?);
        }
    }
    report(&plan, times.0, times.1)
}

/// Parses the command line.
fn plan(args: Vec<String>) -> io::Result<Plan> {
    let usage = || io::Error::new(io::ErrorKind::InvalidInput, USAGE);
    let mut parts = args.split(|arg| arg == "--");
    let options = parts.next().ok_or_else(usage)?;
    let programs = [parts.next(), parts.next()].map(|part| part.unwrap_or_default().to_vec());
    if programs.iter().any(Vec::is_empty) || parts.next().is_some() {
        return Err(usage());
    }
    let (mut runs, mut directory, mut payload) = (500, ".".to_owned(), None);
    let (mut remove, mut form) = (None, Form::People);
    for pair in options.chunks(2) {
        match pair {
            [name, value] if name == "--runs" => runs = value.parse().map_err(|_| usage())?,
            [name, value] if name == "--dir" => directory.clone_from(value),
            [name, value] if name == "--remove" => remove = Some(value.clone()),
            [name, value] if name == "--form" => {
                form = match value.as_str() {
                    "people" => Form::People,
                    "row" => Form::Row,
                    "session" => Form::Session,
                    _ => return Err(usage()),
                }
            }
            [name, value] if name == "--payload" => payload = Some(std::fs::read_to_string(value)?),
            _ => return Err(usage()),
        }
    }
    let payload = payload.ok_or_else(usage)?.replace("@DIR@", &directory);
    let payloads: Vec<Vec<u8>> = match form {
        Form::Session => payload.lines().map(|line| line.as_bytes().to_vec()).collect(),
        Form::People | Form::Row => vec![payload.into_bytes()],
    };
    if runs == 0 || payloads.is_empty() {
        return Err(usage());
    }
    Ok(Plan { runs, directory, remove, form, payloads, programs })
}

/// Starts a program once and returns its run time.
fn start(program: &[String], payload: &[u8], plan: &Plan) -> io::Result<Duration> {
    let (name, args) = program.split_first().ok_or_else(|| io::Error::other(USAGE))?;
    let begin = Instant::now();
    let mut child = Command::new(name)
        .args(args)
        .current_dir(&plan.directory)
        .env("CLAUDE_PROJECT_DIR", &plan.directory)
        .env("WAVE_PROJECT_DIR", &plan.directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        match stdin.write_all(payload) {
            // A program need not read its input to the end.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
            _ => {}
        }
    }
    let output = child.wait_with_output()?;
    let time = begin.elapsed();
    match output.status.code() {
        Some(0 | 2) => Ok(time),
        _ => Err(io::Error::other(format!("{name} ended with {}", output.status))),
    }
}

/// Prints medians, 95th percentiles, their ratio, and the median of the paired differences.
fn report(plan: &Plan, a: Vec<Duration>, b: Vec<Duration>) -> io::Result<()> {
    let mut differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| millis(*a) - millis(*b)).collect();
    differences.sort_by(f64::total_cmp);
    let difference = quantile(&differences, 0.5);
    let [all_a, all_b] = [&a, &b].map(|times| times.iter().sum::<Duration>().as_secs_f64());
    let [(a, a95), (b, b95)] = [a, b].map(|times| {
        let mut times: Vec<f64> = times.into_iter().map(millis).collect();
        times.sort_by(f64::total_cmp);
        (quantile(&times, 0.5), quantile(&times, 0.95))
    });
    let mut out = io::stdout().lock();
    match plan.form {
        Form::Row => writeln!(out, "{a:.3}\t{a95:.3}\t{b:.3}\t{b95:.3}\t{:.2}\t{difference:+.3}", a / b),
        Form::Session => {
            let ratio = all_a / all_b;
            writeln!(out, "{all_a:.2}\t{all_b:.2}\t{ratio:.2}\t{a:.3}\t{a95:.3}\t{b:.3}\t{b95:.3}")
        }
        Form::People => {
            writeln!(out, "{} starts each, in milliseconds", differences.len())?;
            for ((median, p95, label), program) in [(a, a95, "A"), (b, b95, "B")].into_iter().zip(&plan.programs) {
                writeln!(out, "{label}  median {median:7.3}  p95 {p95:7.3}  {}", program.join(" "))?;
            }
            writeln!(out, "A/B  {:.3}  paired difference {difference:+.3} ms", a / b)
        }
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Returns the nearest-rank quantile of sorted values.
fn quantile(sorted: &[f64], at: f64) -> f64 {
    let rank = (at * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}
