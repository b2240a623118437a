//! The command line of the searching process and of those that it starts.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::kind::Kind;
use crate::work::Work;

pub const HELP: &str = "\
Tries generated inputs, each within the limits of a real hook: 8 MiB of stack, and 1 MiB for every second batch; 2 s of
CPU time; 256 MiB of memory more than at rest. Prints what fails, and exits with 1 if anything did.

  --seconds N     stop after that time (default 120)
  --count N       stop after N inputs of each kind instead
  --only KIND     shell, text, code, others, payload, policy, import, index or layers; may be given several times
                  (default: all)
  --seed N        where the inputs begin (default: a new one each time, printed)
  --input N       try one input again; with --only
  --show N        print one input instead of trying it; with --only
  --list N        print the first N inputs of each kind instead, as JSON Lines
  --file PATH     with --input: try what is in this file in place of what the number stands for
  --stack MIB     the stack of every batch
  --out DIR       where failing inputs are kept (default: target/volume/failing in the repository)
";

/// The task to be done.
pub enum Task {
    Help,
    Search(Options),
    /// Tries one input again.
    Again(Options, u64),
    /// Prints one input to standard output.
    Show(Options, u64),
    /// Prints the first inputs of each kind to standard output.
    List(Options, u64),
    /// The work of a child process.
    Work(Work),
}

/// The extent of a search.
#[derive(Clone, Copy)]
pub enum Extent {
    Time(Duration),
    Count(u64),
}

/// The options of the search.
pub struct Options {
    pub extent: Extent,
    pub kinds: Vec<Kind>,
    pub seed: u64,
    /// In MiB; alternates between 8 and 1 if not given.
    pub stack: Option<u64>,
    pub out: PathBuf,
    pub file: Option<PathBuf>,
}

impl Options {
    pub fn of(mut words: impl Iterator<Item = String>) -> Result<Task, String> {
        let mut options = Self {
            extent: Extent::Time(Duration::from_secs(120)),
            kinds: Vec::new(),
            seed: new_seed(),
            stack: None,
            out: PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/volume/failing"),
            file: None,
        };
        let (mut again, mut show, mut list) = (None, None, None);
        while let Some(word) = words.next() {
            if word == "--help" {
                return Ok(Task::Help);
            }
            if word == "--work" {
                return Work::of(&words.collect::<Vec<_>>()).map(Task::Work);
            }
            let value = words.next().ok_or_else(|| format!("`{word}` needs a value, or is unknown; see --help"))?;
            match word.as_str() {
                "--seconds" => options.extent = Extent::Time(Duration::from_secs(number(&word, &value)?)),
                "--count" => options.extent = Extent::Count(number(&word, &value)?),
                "--only" => options.kinds.push(Kind::of(&value)?),
                "--seed" => options.seed = number(&word, &value)?,
                "--input" => again = Some(number(&word, &value)?),
                "--show" => show = Some(number(&word, &value)?),
                "--list" => list = Some(number(&word, &value)?),
                "--file" => {
                    let file = std::fs::canonicalize(&value).map_err(|error| format!("{value}: {error}"))?;
                    options.file = Some(file);
                }
                "--stack" => options.stack = Some(number(&word, &value)?),
                "--out" => options.out = PathBuf::from(value),
                _ => return Err(format!("`{word}` is no option; see --help")),
            }
        }
        if options.kinds.is_empty() {
            options.kinds = Kind::ALL.to_vec();
        }
        match (again.is_some() || show.is_some(), options.kinds.as_slice()) {
            (true, [_]) | (false, _) => {}
            (true, _) => return Err("which kind? One `--only` belongs to the number of an input".to_owned()),
        }
        Ok(match (again, show, list) {
            (_, Some(number), _) => Task::Show(options, number),
            (Some(number), None, _) => Task::Again(options, number),
            (None, None, Some(count)) => Task::List(options, count),
            (None, None, None) => Task::Search(options),
        })
    }
}

pub fn number<N: FromStr>(what: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("`{what}` takes a number, not `{text}`"))
}

fn new_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs() ^ u64::from(since.subsec_nanos()) << 20
}
