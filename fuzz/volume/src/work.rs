//! A process that tries inputs: it records each one beforehand, and ends at the first failure.
//!
//! A panic is a failure, although the hook catches them; so is exceeding the memory limit, because the allocation
//! fails, and the time limit, which the process checks itself unless it hangs.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};

use crate::input::Generator;
use crate::kind::Kind;
use crate::machine::Machine;
use crate::options::number;

/// The limits for an input.
pub const CPU: Duration = Duration::from_secs(2);
pub const MEMORY: u64 = 256 << 20;

/// The exit code of a panic or a wrong answer.
pub const WRONG: u8 = 101;
/// The exit code of an input that took too long.
pub const SLOW: u8 = 102;

/// The inputs to try.
pub struct Work {
    pub kind: Kind,
    pub seed: u64,
    pub from: u64,
    pub to: u64,
    pub machine: PathBuf,
    /// The file that records the current input; see [`Progress`].
    pub progress: PathBuf,
    /// The file to try instead of the generated input.
    pub file: Option<PathBuf>,
}

impl Work {
    pub fn of(words: &[String]) -> Result<Self, String> {
        let [kind, seed, from, to, machine, progress, file @ ..] = words else {
            return Err("`--work` is for processes that this program starts".to_owned());
        };
        Ok(Self {
            kind: Kind::of(kind)?,
            seed: number("seed", seed)?,
            from: number("from", from)?,
            to: number("to", to)?,
            machine: PathBuf::from(machine),
            progress: PathBuf::from(progress),
            file: file.first().map(PathBuf::from),
        })
    }

    pub fn words(&self) -> Vec<String> {
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        let mut words = vec!["--work".to_owned(), self.kind.name().to_owned()];
        words.extend([self.seed, self.from, self.to].map(|number| number.to_string()));
        words.extend([path(&self.machine), path(&self.progress)]);
        words.extend(self.file.iter().map(path));
        words
    }
}

/// The progress of a process that tries inputs: a file of five numbers.
#[derive(Clone, Copy, Default)]
pub struct Progress {
    /// The current input.
    pub number: u64,
    /// The slowest input so far, and its CPU time in microseconds.
    pub slowest: u64,
    pub micros: u64,
    /// The peak memory so far, in bytes above the baseline.
    pub memory: u64,
    /// The CPU time of all inputs so far in microseconds, including generation.
    pub all: u64,
}

impl Progress {
    pub fn read(path: &PathBuf) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        let mut numbers = bytes.chunks_exact(8).filter_map(|bytes| Some(u64::from_le_bytes(bytes.try_into().ok()?)));
        let mut next = || numbers.next();
        Some(Self { number: next()?, slowest: next()?, micros: next()?, memory: next()?, all: next()? })
    }

    fn write(&self, file: &File) {
        let numbers = [self.number, self.slowest, self.micros, self.memory, self.all].map(u64::to_le_bytes);
        // Otherwise a crash would be attributed to another input.
        file.write_all_at(&numbers.concat(), 0).expect("progress can be written");
    }
}

pub fn run(work: &Work) -> ExitCode {
    let progress_file = OpenOptions::new().write(true).create(true).truncate(false).open(&work.progress);
    let progress_file = progress_file.expect("progress can be written");
    let stated = work.file.as_ref().map(|file| std::fs::read(file).expect("the input can be read"));
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{panic}");
        std::process::exit(i32::from(WRONG));
    }));
    let machine = Machine::at(&work.machine);
    let generator = Generator::new();
    let mut progress = Progress { number: work.from, ..Progress::default() };
    progress.write(&progress_file);
    // One-time allocations of a process belong to the baseline.
    let first = generator.input(work.kind, work.seed, u64::MAX);
    if stated.is_none() {
        drop(generator.attempt(work.kind, &first, work.seed, u64::MAX, &machine));
    }
    let at_rest = status("VmRSS:");
    bound_memory();
    let begun = cpu();
    for number in work.from..work.to {
        let input = stated.clone().unwrap_or_else(|| generator.input(work.kind, work.seed, number));
        progress.number = number;
        progress.write(&progress_file);
        let start = cpu();
        let result = generator.attempt(work.kind, &input, work.seed, number, &machine);
        let took = cpu() - start;
        if let Err(problem) = result {
            eprintln!("{problem}");
            return ExitCode::from(WRONG);
        }
        if took > CPU {
            eprintln!("it took {took:.1?} of CPU time");
            return ExitCode::from(SLOW);
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        if micros > progress.micros {
            (progress.slowest, progress.micros) = (number, micros);
        }
        // The system's peak value is correct at any time.
        if number.is_multiple_of(64) {
            progress.memory = status("VmHWM:").saturating_sub(at_rest);
        }
        progress.all = u64::try_from((cpu() - begun).as_micros()).unwrap_or(u64::MAX);
    }
    progress.memory = status("VmHWM:").saturating_sub(at_rest);
    progress.write(&progress_file);
    ExitCode::SUCCESS
}

/// Limits the memory of the process to this much more than it has.
fn bound_memory() {
    let limit = status("VmSize:") + MEMORY;
    let hard = getrlimit(Resource::RLIMIT_AS).map_or(nix::sys::resource::RLIM_INFINITY, |(_, hard)| hard);
    setrlimit(Resource::RLIMIT_AS, limit, hard).expect("memory can be bounded");
}

/// Returns a size in bytes from the system's status of this process.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() * 1024
}

/// Returns the CPU time that this process has used.
fn cpu() -> Duration {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("there is a clock of CPU time");
    Duration::from_nanos(u64::try_from(time.num_nanoseconds()).unwrap_or_default())
}
