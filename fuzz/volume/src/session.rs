//! The search: distributes inputs to processes, and reports failures.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::input::Generator;
use crate::kind::Kind;
use crate::machine::Machine;
use crate::minimise;
use crate::options::{Extent, Options};
use crate::work::{CPU, Progress, SLOW, WRONG, Work};

/// The stacks in MiB: the usual size for a main thread, and an eighth of it.
const STACKS: [u64; 2] = [8, 1];

/// The numbers of failures of one cause that are minimised, and that are kept; the others are only counted.
const MINIMISED: u64 = 2;
const KEPT: u64 = 20;

/// The way an input failed. Two inputs with the same cause may have one defect in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cause {
    /// A panic or a wrong answer, with the first line of its message.
    Wrong(String),
    /// It took too long.
    Slow,
    /// It took too much memory.
    Memory,
    /// It took too much stack.
    Stack,
    /// Any other end by a signal or a code.
    Death(String),
}

impl Cause {
    fn shown(&self) -> String {
        match self {
            Self::Wrong(said) => format!("wrong: {said}"),
            Self::Slow => format!("more than {} s of CPU time", CPU.as_secs()),
            Self::Memory => "more than 256 MiB of memory".to_owned(),
            Self::Stack => "the stack overflowed".to_owned(),
            Self::Death(how) => format!("death: {how}"),
        }
    }
}

/// A process that ended early.
pub struct Failure {
    pub number: u64,
    pub cause: Cause,
    pub said: String,
}

/// The results for a kind.
#[derive(Default)]
struct Tally {
    tried: u64,
    next: u64,
    failures: BTreeMap<Cause, u64>,
    slowest: (u64, u64),
    memory: u64,
    cpu: Duration,
}

/// The directories and files for the processes.
pub struct Bench {
    pub machine: PathBuf,
    progress: PathBuf,
    stderr: PathBuf,
}

/// Searches. Returns whether there were no failures.
pub fn search(options: &Options) -> Result<bool, String> {
    let bench = Bench::new()?;
    println!("seed {}", options.seed);
    let begun = Instant::now();
    let mut tallies: Vec<(Kind, Tally)> = options.kinds.iter().map(|kind| (*kind, Tally::default())).collect();
    let share = match options.extent {
        Extent::Time(time) => Some(time / u32::try_from(options.kinds.len()).unwrap_or(1)),
        Extent::Count(_) => None,
    };
    let mut told = Instant::now();
    for (kind, tally) in &mut tallies {
        let start = Instant::now();
        for round in 0_usize.. {
            let left = match (options.extent, share) {
                (Extent::Count(count), _) => count - tally.tried,
                (_, Some(share)) if start.elapsed() < share => u64::MAX,
                _ => 0,
            };
            if left == 0 {
                break;
            }
            let until = share.map(|share| start + share);
            let stack = options.stack.unwrap_or(STACKS[round % STACKS.len()]);
            let to = tally.next + kind.batch().min(left);
            let work = bench.work(*kind, options.seed, tally.next..to);
            let (tried, progress, failure) = bench.run(&work, stack, until)?;
            tally.add(tried, progress);
            if let Some(failure) = failure {
                tell(&bench, options, *kind, stack, &failure, tally)?;
            }
            if told.elapsed() > Duration::from_secs(60) {
                told = Instant::now();
                println!("  {}: {}", kind.name(), tally.shown());
            }
        }
        println!("{}: {}", kind.name(), tally.shown());
    }
    let failed: u64 = tallies.iter().flat_map(|(_, tally)| tally.failures.values()).sum();
    println!("{failed} failures in {} s; seed {}", begun.elapsed().as_secs(), options.seed);
    bench.remove();
    Ok(failed == 0)
}

/// Tries one input again, and prints the result.
pub fn again(options: &Options, number: u64) -> Result<bool, String> {
    let [kind] = options.kinds.as_slice() else { return Ok(false) };
    let bench = Bench::new()?;
    let mut work = bench.work(*kind, options.seed, number..number + 1);
    work.file.clone_from(&options.file);
    let mut passed = true;
    for stack in options.stack.map_or(STACKS.to_vec(), |stack| vec![stack]) {
        let (_, progress, failure) = bench.run(&work, stack, None)?;
        match failure {
            Some(failure) => println!("{stack} MiB of stack: {}\n{}", failure.cause.shown(), failure.said.trim_end()),
            None => println!("{stack} MiB of stack: it passes, in {} µs", progress.micros),
        }
        passed &= progress.number == number && bench.passed();
    }
    bench.remove();
    Ok(passed)
}

/// Prints an input unchanged.
pub fn show(options: &Options, number: u64) -> Result<bool, String> {
    use std::io::Write;
    let [kind] = options.kinds.as_slice() else { return Ok(false) };
    let input = Generator::new().input(*kind, options.seed, number);
    std::io::stdout().write_all(&input).map_err(|error| error.to_string())?;
    Ok(true)
}

/// Prints the first inputs of each kind, each as a JSON object of its kind and its text, or of its bytes if it is none.
pub fn list(options: &Options, count: u64) -> Result<bool, String> {
    use std::io::Write;
    let generator = Generator::new();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for kind in &options.kinds {
        for number in 0..count {
            let row = match String::from_utf8(generator.input(*kind, options.seed, number)) {
                Ok(text) => serde_json::json!({ "kind": kind.name(), "number": number, "text": text }),
                Err(error) => {
                    serde_json::json!({ "kind": kind.name(), "number": number, "bytes": error.into_bytes() })
                }
            };
            writeln!(out, "{row}").map_err(|error| error.to_string())?;
        }
    }
    out.flush().map(|()| true).map_err(|error| error.to_string())
}

/// Keeps and minimises a failing input, and prints how to try it again.
fn tell(
    bench: &Bench,
    options: &Options,
    kind: Kind,
    stack: u64,
    failure: &Failure,
    tally: &mut Tally,
) -> Result<(), String> {
    let seen = tally.failures.entry(failure.cause.clone()).or_default();
    *seen += 1;
    if *seen > KEPT {
        return Ok(());
    }
    let (seen, number) = (*seen, failure.number);
    let write = |name: &str, bytes: &[u8]| -> Result<PathBuf, String> {
        let path = options.out.join(name);
        fs::create_dir_all(&options.out)
            .and_then(|()| fs::write(&path, bytes))
            .map_err(|error| format!("{name}: {error}"))?;
        Ok(path)
    };
    let input = Generator::new().input(kind, options.seed, number);
    let path = write(&format!("{}-{}-{number}", kind.name(), options.seed), &input)?;
    println!("{} {number}: {}", kind.name(), failure.cause.shown());
    println!("    {}", path.display());
    let again = format!("--only {} --seed {} --input {number} --stack {stack}", kind.name(), options.seed);
    println!("    again: cargo run --profile volume -p hookrules-volume -- {again}");
    if seen <= MINIMISED {
        let small = minimise::minimise(&input, |candidate| {
            let mut work = bench.work(kind, options.seed, number..number + 1);
            let file = bench.machine.join("candidate");
            fs::write(&file, candidate).map_err(|error| error.to_string())?;
            work.file = Some(file);
            let (_, _, found) = bench.run(&work, stack, None)?;
            Ok(found.is_some_and(|found| found.cause == failure.cause))
        })?;
        let path = write(&format!("{}-{}-{number}.min", kind.name(), options.seed), &small)?;
        println!("    minimised, {} bytes of {}: {}", small.len(), input.len(), path.display());
        println!("    {:?}", String::from_utf8_lossy(small.get(..300).unwrap_or(&small)));
    }
    for line in failure.said.lines().take(4) {
        println!("    | {}", line.chars().take(300).collect::<String>());
    }
    Ok(())
}

impl Tally {
    fn add(&mut self, tried: u64, progress: Progress) {
        self.tried += tried;
        self.next += tried;
        self.memory = self.memory.max(progress.memory);
        self.cpu += Duration::from_micros(progress.all);
        if progress.micros > self.slowest.1 {
            self.slowest = (progress.slowest, progress.micros);
        }
    }

    fn shown(&self) -> String {
        let rate = self.tried * 1_000_000 / u64::try_from(self.cpu.as_micros()).unwrap_or(u64::MAX).max(1);
        let mut text = format!(
            "{} inputs, {rate} for each second of CPU time; the slowest, {}, took {} ms; at most {} MiB",
            self.tried,
            self.slowest.0,
            self.slowest.1 / 1_000,
            self.memory >> 20
        );
        for (cause, count) in &self.failures {
            text.push_str(&format!("\n    {count} × {}", cause.shown()));
        }
        text
    }
}

impl Bench {
    fn new() -> Result<Self, String> {
        let root = std::env::temp_dir().join(format!("hookrules-volume-{}", std::process::id()));
        fs::create_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
        let root = fs::canonicalize(&root).map_err(|error| format!("{}: {error}", root.display()))?;
        Machine::make(&root).map_err(|error| format!("{}: {error}", root.display()))?;
        Ok(Self { progress: root.join("progress"), stderr: root.join("stderr"), machine: root })
    }

    fn remove(&self) {
        let _left_behind = fs::remove_dir_all(&self.machine);
    }

    fn work(&self, kind: Kind, seed: u64, numbers: std::ops::Range<u64>) -> Work {
        Work {
            kind,
            seed,
            from: numbers.start,
            to: numbers.end,
            machine: self.machine.clone(),
            progress: self.progress.clone(),
            file: None,
        }
    }

    fn passed(&self) -> bool {
        fs::read(&self.stderr).is_ok_and(|said| said.is_empty())
    }

    /// Has a process try inputs, and watches it. Returns the number of inputs tried, the process's progress, and its
    /// failure.
    fn run(&self, work: &Work, stack: u64, until: Option<Instant>) -> Result<(u64, Progress, Option<Failure>), String> {
        let told = |what: &str| {
            let what = what.to_owned();
            move |error: std::io::Error| format!("{what}: {error}")
        };
        let _not_there = fs::remove_file(&self.progress);
        let stderr = fs::File::create(&self.stderr).map_err(told("stderr"))?;
        let hard = getrlimit(Resource::RLIMIT_STACK).map_err(|error| error.to_string())?.1;
        // A process inherits its stack limit.
        setrlimit(Resource::RLIMIT_STACK, stack << 20, hard)
            .map_err(|error| format!("a stack of {stack} MiB: {error}"))?;
        let program = std::env::current_exe().map_err(told("this program"))?;
        let mut child = Command::new(program)
            .args(work.words())
            .current_dir(self.machine.join("project"))
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .map_err(told("a process cannot be started"))?;
        let mut pause = Duration::from_millis(1);
        let mut at = (u64::MAX, Duration::ZERO);
        let (status, ours) = loop {
            if let Some(status) = child.try_wait().map_err(told("wait"))? {
                break (status, None);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
            let (number, cpu) =
                (Progress::read(&self.progress).map_or(u64::MAX, |progress| progress.number), cpu_of(child.id()));
            if number != at.0 {
                at = (number, cpu);
            }
            let hangs = cpu.saturating_sub(at.1) > CPU + CPU / 2 && number != u64::MAX;
            if hangs || until.is_some_and(|until| Instant::now() > until) {
                child.kill().map_err(told("kill"))?;
                let status = child.wait().map_err(told("wait"))?;
                break (status, Some(hangs));
            }
        };
        let progress = Progress::read(&self.progress).unwrap_or(Progress { number: work.from, ..Progress::default() });
        let said = fs::read(&self.stderr).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let cause = match ours {
            Some(true) => Cause::Slow,
            Some(false) => return Ok((progress.number - work.from, progress, None)),
            None if status.success() => return Ok((work.to - work.from, progress, None)),
            None => cause(status, &said),
        };
        let failure = Failure { number: progress.number, cause, said };
        Ok((progress.number + 1 - work.from, progress, Some(failure)))
    }
}

/// Returns the cause of a process's end, from its status and its last output.
fn cause(status: ExitStatus, said: &str) -> Cause {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    match code {
        Some(SLOW) => Cause::Slow,
        Some(WRONG) => {
            Cause::Wrong(said.lines().find(|line| !line.is_empty()).unwrap_or_default().chars().take(120).collect())
        }
        _ if said.contains("has overflowed its stack") => Cause::Stack,
        _ if said.contains("memory allocation of") => Cause::Memory,
        _ => Cause::Death(status.signal().map_or_else(|| format!("{status}"), |signal| format!("signal {signal}"))),
    }
}

/// Returns the CPU time that a process has used, according to the system.
fn cpu_of(process: u32) -> Duration {
    let stat = fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat")).unwrap_or_default();
    // The name, in parentheses, may contain anything.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = [11, 12].iter().filter_map(|at| fields.get(*at)?.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}
