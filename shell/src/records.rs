//! Records of programs, from TOML to Rust. `programs/README.md` says what a record may hold.
//!
//! Text in, text out: it reads no files. Every mistake is reported, with its file and line. The build script has this
//! module too, which is why it names its files.

#[path = "records/check.rs"]
mod check;
#[path = "records/files.rs"]
mod files;
#[path = "records/read.rs"]
mod read;
#[path = "records/resolve.rs"]
mod resolve;
#[path = "records/runs.rs"]
mod runs;
#[path = "records/variables.rs"]
mod variables;
#[path = "records/write.rs"]
mod write;

use std::fmt;

use files::Files;
use runs::Runs;

/// Compiles files, each a path and its text, in the order of their paths.
pub(crate) fn compile(files: &[(String, String)]) -> Result<Tables, Vec<Mistake>> {
    let mut mistakes = Vec::new();
    let records = read::read(files, &mut mistakes);
    let programs = resolve::resolve(&records, &mut mistakes);
    check::check(&programs, &mut mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    Ok(Tables {
        programs: write::write(&programs),
        files: files::write(&programs),
        runs: runs::write(&programs),
        variables: variables::write(&programs),
    })
}

/// What the records come to, in Rust.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tables {
    /// What `src/programs.rs` includes.
    pub(crate) programs: String,
    /// What `src/files/rows.rs` includes.
    pub(crate) files: String,
    /// What `src/nested/runner.rs` includes.
    pub(crate) runs: String,
    /// What `src/nested/environment.rs` includes.
    pub(crate) variables: String,
}

/// What is wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mistake {
    place: Place,
    message: String,
}

/// Where something is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Place {
    file: String,
    line: usize,
}

/// A program or a subcommand as it is written.
#[derive(Default)]
struct Record {
    place: Place,
    names: Vec<String>,
    /// Those of its names that may carry a version (`python3.12`).
    versioned: Vec<String>,
    is_interpreter: bool,
    reading: Option<&'static str>,
    /// Its words are read as if it had no record: it says what it does, and not how it is called.
    is_as_written: bool,
    unlisted: Option<&'static str>,
    operands: Option<&'static str>,
    like: Option<Reference>,
    /// The sets of options that it takes.
    with: Vec<Reference>,
    /// The sets of options that each of its subcommands takes.
    each: Vec<Reference>,
    /// The subcommands of others that it has too.
    shares: Vec<Reference>,
    options: Vec<Opt>,
    /// What it does to files.
    files: Option<Files>,
    /// What it runs in its turn.
    runs: Option<Runs>,
    /// Variables that hold what it runs.
    variables: Option<Variables>,
    sets: Vec<(String, Vec<Opt>)>,
    commands: Vec<Record>,
}

/// Names of variables, under what their values are in Rust.
type Variables = Vec<(&'static str, Vec<String>)>;

/// The name of something that is written elsewhere.
#[derive(Clone)]
struct Reference {
    place: Place,
    name: String,
}

/// An option. What it is stands in the words of `src/programs.rs`.
#[derive(Clone)]
struct Opt {
    place: Place,
    names: Vec<String>,
    arity: &'static str,
    does: &'static str,
    undoes: Option<String>,
    means: Vec<String>,
}

/// A program or a subcommand with everything that it takes from others.
#[derive(Default)]
struct Program {
    names: Vec<String>,
    versioned: Vec<String>,
    is_interpreter: bool,
    reading: &'static str,
    is_as_written: bool,
    unlisted: &'static str,
    operands: &'static str,
    /// Its own options.
    options: Vec<Opt>,
    /// Those that it takes from others: its own come first.
    shared: Vec<Vec<Opt>>,
    files: Option<Files>,
    runs: Option<Runs>,
    variables: Option<Variables>,
    commands: Vec<Program>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.place.file, self.place.line, self.message)
    }
}

/// Notes a mistake.
fn report(mistakes: &mut Vec<Mistake>, place: &Place, message: String) {
    mistakes.push(Mistake { place: place.clone(), message });
}
