//! Proves that a change of the engine changes nothing that its users see: an old version and the present tree judge the
//! same inputs, and their results are compared byte for byte.
//!
//! `hookrules-gate` compares with the commit in `tests/gate/base`, `hookrules-gate --base COMMIT` with another one.
//! `hookrules-gate dump INPUTS OUTPUT` is the half that each version runs: it knows the types of its own version, and
//! the format of its output is the contract between the two (see [`dump`]).

#![expect(clippy::disallowed_methods, reason = "it reads the tree, and starts git, cargo and the old version")]

mod case;
mod compare;
mod dump;
mod inputs;
#[path = "../../differential/src/texts.rs"]
mod texts;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
Compares the commit that tests/gate/base names with the present tree: decisions, votes, effects, findings, fixes and
analyses of shell texts. Exits with 1 if anything differs, and with 2 if the comparison is impossible.

  --base COMMIT   compare with this commit instead
  --corpus DIR    the directory of further commands as JSON Lines (default: GATE_CORPUS, else ../shared/corpus)
  --generated N   the number of generated inputs of each kind (default 200)
  --seed N        where the generated inputs begin (default 35)
  --only TEXT     only the cases whose names contain this text
";

/// The options of a comparison.
struct Options {
    base: Option<String>,
    corpus: PathBuf,
    generated: u64,
    seed: u64,
    only: Option<String>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let result = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--help" | "-h"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        ["dump", inputs, output] => dump::run(Path::new(inputs), Path::new(output)).map(|()| true),
        _ => Options::read(&words).and_then(|options| compare::run(&options)),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("gate: {problem}");
            ExitCode::from(2)
        }
    }
}

impl Options {
    fn read(words: &[String]) -> Result<Self, String> {
        let named = std::env::var_os("GATE_CORPUS").map(PathBuf::from);
        let corpus = named.unwrap_or_else(|| root().join("../shared/corpus"));
        let mut options = Self { base: None, corpus, generated: 200, seed: 35, only: None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("`{word}` needs a value, or is unknown; see --help"))?;
            let number = || value.parse().map_err(|_| format!("`{word}` takes a number, not `{value}`"));
            match word.as_str() {
                "--base" => options.base = Some(value.clone()),
                "--corpus" => options.corpus = PathBuf::from(value),
                "--generated" => options.generated = number()?,
                "--seed" => options.seed = number()?,
                "--only" => options.only = Some(value.clone()),
                _ => return Err(format!("`{word}` is no option; see --help")),
            }
        }
        Ok(options)
    }
}

/// Returns the repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
