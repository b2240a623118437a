//! Records that a policy adds to the built-in table.
//!
//! They do not change the table itself: each pattern has a reference to the added records that it uses. A record that
//! is read at run time lives as long as the process, so that using it is as cheap as using a compiled one. An
//! identical record is stored once, however often a policy is loaded.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::dialect::DialectSet;

use super::{LookEnds, OperandEffect, Program, ProgramOption, built_in_program, program, without_version};
use crate::records::{self, OptionRecord, ProgramRecord, Record, RecordMistake, compile};

/// The work budget for the records of one source: several times the cost of the largest built-in ones.
const WORK: usize = 200_000;

/// Programs in addition to those of the built-in table.
///
/// ```
/// use hookrules_shell::programs::ReplaceableRecords;
/// use hookrules_shell::{Pattern, Programs};
///
/// let record = r#"
/// names = ["mycli"]
/// reading = "leading"
/// options = { value = ["--profile -p"] }
/// [[command]]
/// names = ["show"]
/// "#;
/// let mut programs = Programs::new();
/// let left_out = programs.read(&[("mycli.toml".to_owned(), record.to_owned())], ReplaceableRecords::Nothing);
/// assert!(left_out.is_ok_and(|left_out| left_out.is_empty()));
///
/// let pattern = Pattern::with_programs("mycli show *", &programs).expect("a pattern");
/// assert_eq!(pattern.programs(), &programs);
/// ```
#[derive(Clone, Default, Debug)]
pub struct Programs {
    /// The added programs; `None` for most policies. It is a pointer, because every pattern has this field.
    added: Option<Arc<AddedPrograms>>,
}

/// A set of added programs.
#[derive(Clone, Default, Debug)]
struct AddedPrograms {
    /// The programs, in the order in which they were added.
    all: Vec<&'static AddedProgram>,
    /// The same programs by name. A name of two programs leads to the one that was added first.
    by_name: BTreeMap<&'static str, &'static AddedProgram>,
}

/// Which records the records that are read may replace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplaceableRecords {
    /// The records of the built-in table.
    BuiltIn,
    /// No records.
    Nothing,
}

/// An added program, compiled from its record.
#[derive(Debug)]
struct AddedProgram {
    record: Arc<ProgramRecord>,
    program: Program,
    /// Its names that may have a version at their end.
    versioned: Vec<&'static str>,
}

/// Programs are equal if their records are.
impl PartialEq for Programs {
    fn eq(&self, other: &Self) -> bool {
        self.records().eq(other.records())
    }
}

impl Eq for Programs {}

impl Programs {
    /// Creates an empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self { added: None }
    }

    /// Reads records and adds them. Each is a file's path and its text: `tool.toml`, or `tool/show.toml` for a
    /// subcommand.
    ///
    /// The records may refer to built-in records and to the ones already added. A record is dropped if one of its
    /// names belongs to a record that it may not replace: it is returned as a [`RecordMistake`] at the place of that
    /// name.
    ///
    /// # Errors
    ///
    /// All mistakes in the records. No record is added then.
    pub fn read(
        &mut self,
        files: &[(String, String)],
        replaces: ReplaceableRecords,
    ) -> Result<Vec<RecordMistake>, Vec<RecordMistake>> {
        let known = |name: &str| self.program(name).map(|program| Record::from_compiled(&to_record(program)));
        let is_taken = |name: &str| match replaces {
            ReplaceableRecords::BuiltIn => self.added(name).is_some(),
            ReplaceableRecords::Nothing => self.has(name),
        };
        let compiled =
            compile(files, Some(records::AdditionContext { known: &known, is_taken: &is_taken, work: WORK }))?;
        self.extend(&Self::from_records(compiled.programs.into_iter().map(records::ResolvedRecord::into_record)));
        Ok(compiled.dropped)
    }

    /// Creates a set of programs from records.
    #[must_use]
    pub fn from_records(records: impl IntoIterator<Item = impl Into<Arc<ProgramRecord>>>) -> Self {
        let mut programs = Self::new();
        records.into_iter().for_each(|record| programs.push(cached_program(record.into())));
        programs
    }

    /// Returns the records.
    pub fn records(&self) -> impl Iterator<Item = &Arc<ProgramRecord>> {
        self.all().map(|added| &added.record)
    }

    /// Whether there are no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_none()
    }

    fn all(&self) -> impl Iterator<Item = &'static AddedProgram> {
        self.added.iter().flat_map(|added| added.all.iter().copied())
    }

    /// Adds the programs of another set. A name of two programs leads to the one that was added first.
    pub fn extend(&mut self, others: &Self) {
        match &self.added {
            None => self.added.clone_from(&others.added),
            Some(_) => others.all().for_each(|added| self.push(added)),
        }
    }

    /// Adds a program, unless the set contains it already.
    fn push(&mut self, added: &'static AddedProgram) {
        let existing = added.program.names.first().and_then(|name| self.find_exact(name));
        if existing.is_some_and(|existing| std::ptr::eq(existing, added)) {
            return;
        }
        let additions = Arc::make_mut(self.added.get_or_insert_default());
        additions.all.push(added);
        for name in added.program.names {
            additions.by_name.entry(name).or_insert(added);
        }
    }

    /// Returns the added programs that may affect how a command is parsed, given the names that its program may have.
    #[must_use]
    pub(crate) fn affecting_programs(&self, names: &[&str]) -> Self {
        // The name `tool-show` may be parsed as `tool show`.
        let outer = names.iter().filter_map(|name| name.split_once('-')).map(|(outer, _)| outer);
        let mut found = Self::new();
        for name in names.iter().copied().chain(outer) {
            self.find_exact(name).into_iter().chain(self.find_versioned(name)).for_each(|added| found.push(added));
        }
        found
    }

    /// Returns the added program with this base name, which may have a version at its end unless a built-in program
    /// has exactly this name.
    pub(crate) fn added(&self, name: &str) -> Option<&'static Program> {
        let versioned = || self.find_versioned(name).filter(|_| built_in_program(name).is_none());
        self.find_exact(name).or_else(versioned).map(|added| &added.program)
    }

    /// Returns the added program with exactly this name.
    fn find_exact(&self, name: &str) -> Option<&'static AddedProgram> {
        self.added.as_ref()?.by_name.get(name).copied()
    }

    /// Returns the added program for a name with a version at its end, such as `tool-3.2` or `tool3`.
    fn find_versioned(&self, name: &str) -> Option<&'static AddedProgram> {
        let bare = without_version(name);
        self.find_exact(bare).filter(|added| added.versioned.contains(&bare))
    }

    /// Whether there is a record for a program, or for the program and subcommand in its name: `git-push`.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let outer = || name.split_once('-').and_then(|(outer, inner)| self.program(outer)?.command(inner));
        self.program(name).is_some() || outer().is_some()
    }

    /// Returns the program with this base name: of an added record, else of the built-in table.
    #[must_use]
    pub fn program(&self, name: &str) -> Option<&'static Program> {
        self.added(name).or_else(|| program(name))
    }
}

/// All records that the process has read, with the programs compiled from them.
static CACHE: Mutex<BTreeMap<Arc<ProgramRecord>, &'static AddedProgram>> = Mutex::new(BTreeMap::new());

/// Returns the program compiled from a record. It is compiled once, and never freed.
fn cached_program(record: Arc<ProgramRecord>) -> &'static AddedProgram {
    // A thread that panicked cannot have left the map inconsistent: a record is either in it or not.
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    cache.entry(record).or_insert_with_key(|record| {
        let (program, versioned) = (program_of(record), record.versioned.iter().map(|name| text(name)).collect());
        Box::leak(Box::new(AddedProgram { record: record.clone(), program, versioned }))
    })
}

/// Compiles a record into a program that lives as long as the process.
fn program_of(record: &ProgramRecord) -> Program {
    Program {
        names: texts(&record.names),
        reading: record.reading,
        long_options: record.long_options,
        short_options: record.short_options,
        subcommands: record.subcommands,
        aliases: list(record.aliases.iter().map(|names| texts(names))),
        far_aliases: list(
            record.aliases.iter().filter(|names| records::has_multi_word_name(names)).map(|names| texts(names)),
        ),
        tracks: texts(&record.tracks),
        options: options_of(&record.options),
        shared: list(record.shared.iter().map(|options| options_of(options))),
        commands: list(record.commands.iter().map(program_of)),
        unlisted: record.unlisted,
        operands: record.operands,
        is_interpreter: record.is_interpreter,
        is_runner: false,
        looks: LookEnds::NONE,
        behind_dashes: &[],
        plain_values: &[],
        incidental: &[],
        incidental_call: None,
        runs_scripts: false,
        reads_input: true,
        language: None,
        dialects: DialectSet::NONE,
    }
}

/// Converts a program back to a record from which it could have been compiled.
fn to_record(program: &Program) -> ProgramRecord {
    // A record cannot describe which of its words a program runs, so a record that is `like` this one inherits only
    // that the program runs something.
    let operands = if program.is_interpreter || program.is_runner { OperandEffect::Runs } else { program.operands };
    ProgramRecord {
        names: to_strings(program.names),
        versioned: Vec::new(),
        is_interpreter: program.is_interpreter,
        reading: program.reading,
        long_options: program.long_options,
        short_options: program.short_options,
        subcommands: program.subcommands,
        aliases: program.aliases.iter().map(|names| to_strings(names)).collect(),
        tracks: to_strings(program.tracks),
        unlisted: program.unlisted,
        operands,
        options: to_option_records(program.options),
        shared: program.shared.iter().map(|options| to_option_records(options)).collect(),
        commands: program.commands.iter().map(to_record).collect(),
    }
}

/// Converts options back to records of options.
fn to_option_records(options: &[ProgramOption]) -> Vec<OptionRecord> {
    let record = |ProgramOption { names, arity, does, undoes, means, implies }: &ProgramOption| OptionRecord {
        names: to_strings(names),
        arity: *arity,
        does: *does,
        undoes: undoes.map(str::to_owned),
        means: to_strings(means),
        implies: implies.map(str::to_owned),
    };
    options.iter().map(record).collect()
}

fn to_strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// Compiles records of options into options that are never freed.
fn options_of(options: &[OptionRecord]) -> &'static [ProgramOption] {
    list(options.iter().map(|OptionRecord { names, arity, does, undoes, means, implies }| ProgramOption {
        names: texts(names),
        arity: *arity,
        does: *does,
        undoes: undoes.as_deref().map(text),
        means: texts(means),
        implies: implies.as_deref().map(text),
    }))
}

fn texts(texts: &[String]) -> &'static [&'static str] {
    list(texts.iter().map(|element| text(element)))
}

/// Returns a copy of a text that is never freed.
fn text(text: &str) -> &'static str {
    Box::leak(Box::from(text))
}

/// Returns a list of values that is never freed.
fn list<T>(values: impl Iterator<Item = T>) -> &'static [T] {
    Box::leak(values.collect())
}
