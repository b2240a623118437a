//! Starts two programs in turn, many times, and compares their wall time.
//!
//! `runner [--runs N] [--dir DIR] [--remove PATH] [--form people|row] --payload FILE -- A ARG… -- B ARG…`. Each start
//! gets the payload on its standard input, with the directory in place of `@DIR@`; the time runs from the start of the
//! process to its end, output read. Alternating the two spreads whatever else the machine does over both. `--remove`
//! takes a directory away before each start of A: what it keeps there is then cold.

#![expect(clippy::disallowed_methods, reason = "it starts processes and takes their time")]

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const USAGE: &str =
    "usage: runner [--runs N] [--dir DIR] [--remove PATH] [--form people|row] --payload FILE -- A ARG… -- B ARG…";
/// Starts that fill the caches and are not counted.
const WARM_UP: usize = 20;

/// What the command line says.
struct Plan {
    runs: usize,
    directory: String,
    /// What is taken away before each start of A.
    remove: Option<String>,
    /// One line for a table instead of lines for people.
    is_row: bool,
    payload: Vec<u8>,
    programs: [Vec<String>; 2],
}

fn main() -> io::Result<()> {
    let plan = plan(std::env::args().skip(1).collect())?;
    let [a, b] = &plan.programs;
    let cold = || match plan.remove.as_deref().map(std::fs::remove_dir_all) {
        Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    for _ in 0..WARM_UP.min(plan.runs) {
        cold()?;
        start(a, &plan)?;
        start(b, &plan)?;
    }
    let mut times = (Vec::with_capacity(plan.runs), Vec::with_capacity(plan.runs));
    for run in 0..plan.runs {
        cold()?;
        // Neither profits from always going second.
        if run % 2 == 0 {
            times.0.push(start(a, &plan)?);
            times.1.push(start(b, &plan)?);
        } else {
            times.1.push(start(b, &plan)?);
            times.0.push(start(a, &plan)?);
        }
    }
    report(&plan, times.0, times.1)
}

/// Reads the command line.
fn plan(args: Vec<String>) -> io::Result<Plan> {
    let usage = || io::Error::new(io::ErrorKind::InvalidInput, USAGE);
    let mut parts = args.split(|arg| arg == "--");
    let options = parts.next().ok_or_else(usage)?;
    let programs = [parts.next(), parts.next()].map(|part| part.unwrap_or_default().to_vec());
    if programs.iter().any(Vec::is_empty) || parts.next().is_some() {
        return Err(usage());
    }
    let (mut runs, mut directory, mut payload) = (500, ".".to_owned(), None);
    let (mut remove, mut is_row) = (None, false);
    for pair in options.chunks(2) {
        match pair {
            [name, value] if name == "--runs" => runs = value.parse().map_err(|_| usage())?,
            [name, value] if name == "--dir" => directory.clone_from(value),
            [name, value] if name == "--remove" => remove = Some(value.clone()),
            [name, value] if name == "--form" => is_row = value == "row",
            [name, value] if name == "--payload" => payload = Some(std::fs::read_to_string(value)?),
            _ => return Err(usage()),
        }
    }
    let payload = payload.ok_or_else(usage)?.replace("@DIR@", &directory).into_bytes();
    if runs == 0 {
        return Err(usage());
    }
    Ok(Plan { runs, directory, remove, is_row, payload, programs })
}

/// Starts a program once and returns how long it took.
fn start(program: &[String], plan: &Plan) -> io::Result<Duration> {
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
        match stdin.write_all(&plan.payload) {
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
    let columns: Vec<(f64, f64)> = [a, b]
        .into_iter()
        .map(|times| {
            let mut times: Vec<f64> = times.into_iter().map(millis).collect();
            times.sort_by(f64::total_cmp);
            (quantile(&times, 0.5), quantile(&times, 0.95))
        })
        .collect();
    let mut out = io::stdout().lock();
    if plan.is_row
        && let [(a, a95), (b, b95)] = columns.as_slice()
    {
        let difference = quantile(&differences, 0.5);
        return writeln!(out, "{a:.3}\t{a95:.3}\t{b:.3}\t{b95:.3}\t{:.2}\t{difference:+.3}", a / b);
    }
    writeln!(out, "{} starts each, in milliseconds", plan.runs)?;
    for ((median, p95), (program, label)) in columns.iter().zip(plan.programs.iter().zip(["A", "B"])) {
        writeln!(out, "{label}  median {median:7.3}  p95 {p95:7.3}  {}", program.join(" "))?;
    }
    if let [(a, _), (b, _)] = columns.as_slice() {
        writeln!(out, "A/B  {:.3}  paired difference {:+.3} ms", a / b, quantile(&differences, 0.5))?;
    }
    Ok(())
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Returns the nearest-rank quantile of sorted values.
fn quantile(sorted: &[f64], at: f64) -> f64 {
    let rank = (at * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}
