//! What programs run in their turn, from their records to the rows of `src/nested/runner.rs`.

use std::fmt::Write as _;

use super::files::unlisted;
use super::{Mistake, Opt, Place, Program, report};

/// How a command stands in the operands: as it is written, and in Rust.
pub(super) const COMMANDS: &[(&str, &str)] = &[("words", "Words"), ("joined", "Joined"), ("each", "Each")];

/// The keys that name a function, and what it is given to read, in Rust.
pub(super) const FUNCTIONS: &[(&str, &str)] = &[("by", "Own"), ("code-by", "Code"), ("all-by", "Marked")];

/// What the value of an option is.
pub(super) const VALUES: &[(&str, &str)] =
    &[("script", "Script"), ("here", "Here"), ("words", "Words"), ("code", "Foreign"), ("code-file", "ForeignFile")];

/// Where a command runs, if it is not this machine.
pub(super) const SCOPES: &[(&str, &str)] = &[("container", "Container"), ("remote", "Remote")];

/// The table `[runs]` of a record.
#[derive(Clone, Default)]
pub(super) struct Runs {
    pub(super) place: Place,
    /// What the operands are, in Rust.
    pub(super) form: Option<String>,
    /// How many operands are its own.
    pub(super) skip: i64,
    /// What the values of options are, and their spellings.
    pub(super) values: Vec<(&'static str, Vec<String>)>,
    pub(super) idle: Vec<String>,
    pub(super) sets: Vec<String>,
    pub(super) removes: Vec<String>,
    pub(super) enters: Vec<String>,
    /// Without operands it is a shell.
    pub(super) is_shell: bool,
    /// `NAME=value` may stand in front of the command.
    pub(super) assigns: bool,
    pub(super) scope: Option<&'static str>,
    pub(super) elsewhere: When,
    pub(super) background: When,
    pub(super) repeats: bool,
    pub(super) in_this_shell: bool,
}

/// When something holds.
#[derive(Clone, Default)]
pub(super) enum When {
    #[default]
    Never,
    Always,
    With(Vec<String>),
    Without(Vec<String>),
}

impl When {
    /// Returns it as one of four names, those of the third and the fourth with their options.
    fn rust(&self, [never, always, with, without]: [&str; 4]) -> String {
        match self {
            Self::Never => never.to_owned(),
            Self::Always => always.to_owned(),
            Self::With(options) => format!("{with}(&{options:?})"),
            Self::Without(options) => format!("{without}(&{options:?})"),
        }
    }

    /// Returns it with other names for its options.
    fn spelled(&self, all: impl Fn(&[String]) -> Vec<String>) -> Self {
        match self {
            Self::Never => Self::Never,
            Self::Always => Self::Always,
            Self::With(options) => Self::With(all(options)),
            Self::Without(options) => Self::Without(all(options)),
        }
    }

    fn options(&self) -> &[String] {
        match self {
            Self::Never | Self::Always => &[],
            Self::With(options) | Self::Without(options) => options,
        }
    }
}

impl Runs {
    /// Tells whether it says that nothing is run: such a table keeps those of kin away.
    fn is_empty(&self) -> bool {
        self.form.is_none() && self.values.is_empty()
    }

    /// Returns its lists of options.
    fn lists(&self) -> impl Iterator<Item = &[String]> {
        let values = self.values.iter().map(|(_, names)| names.as_slice());
        let when = [self.elsewhere.options(), self.background.options()];
        let lists = [&self.idle, &self.sets, &self.removes, &self.enters].into_iter().map(Vec::as_slice);
        lists.chain(when).chain(values)
    }

    /// Returns it with every spelling of its options, for a program that has none of its own when it is called.
    fn spelled(&self, all: impl Fn(&[String]) -> Vec<String>) -> Self {
        Self {
            values: self.values.iter().map(|(value, names)| (*value, all(names))).collect(),
            idle: all(&self.idle),
            sets: all(&self.sets),
            removes: all(&self.removes),
            enters: all(&self.enters),
            elsewhere: self.elsewhere.spelled(&all),
            background: self.background.spelled(&all),
            ..self.clone()
        }
    }

    /// Returns where the command runs without the options that say it; another machine has other directories.
    fn directory(&self) -> String {
        let elsewhere = if self.scope.is_some() { &When::Always } else { &self.elsewhere };
        elsewhere.rust(["Same", "Elsewhere", "With", "Without"])
    }
}

/// Holds the table of a program or a subcommand to its options.
pub(super) fn check(program: &Program, is_below: bool, options: Option<&[&Opt]>, mistakes: &mut Vec<Mistake>) {
    let Some(runs) = &program.runs else { return };
    for names in runs.lists() {
        unlisted("runs", &runs.place, names, options, mistakes);
    }
    if is_below && options.is_none() {
        let message = "`runs`: what is `as-written` has no subcommands where commands are read".to_owned();
        report(mistakes, &runs.place, message);
    }
}

/// Writes the rows of the programs; those of each program in a list of their own.
pub(super) fn write(programs: &[Program]) -> String {
    let mut out = String::from("// Written by build.rs from the records in programs/.\n\n");
    out.push_str("pub(super) const ROWS: &[&[Runner]] = &[\n");
    for program in programs {
        let mut rows = String::new();
        row(program, program, &[], &mut rows);
        if !rows.is_empty() {
            let _infallible = writeln!(out, "&[\n{rows}],");
        }
    }
    out.push_str("];\n");
    out
}

/// Writes the row of a program or a subcommand, and those of the subcommands below.
fn row(program: &Program, at: &Program, under: &[&[String]], out: &mut String) {
    if let Some(runs) = at.runs.as_ref().filter(|runs| !runs.is_empty()) {
        let runs = &if program.is_as_written { runs.spelled(|names| at.all_spellings(names)) } else { runs.clone() };
        let Runs { place, skip, idle, sets, removes, enters, .. } = runs;
        let names = runs.values.iter().flat_map(|(value, names)| names.iter().map(move |name| (name, value)));
        let values: String = names.map(|(name, value)| format!("({name:?}, Value::{value}), ")).collect();
        let under: String = under.iter().map(|names| format!("&{names:?}, ")).collect();
        // What the compiler says of a function that does not exist shows its line, and with it the record.
        let _infallible = writeln!(
            out,
            "Runner {{ names: &{:?}, under: &[{under}],\nform: Form::{}, // programs/{}:{}\nskip: {skip}, \
             values: &[{values}], idle: &{idle:?}, sets: &{sets:?}, removes: &{removes:?}, enters: &{enters:?}, \
             bare: Bare::{}, assigns: Assigns::{}, scope: Scope::{}, place: WorkingDirectory::{}, times: Times::{}, \
             waits: Waits::{}, process: Process::{} }},",
            program.names,
            runs.form.as_deref().unwrap_or("Nothing"),
            place.file,
            place.line,
            if runs.is_shell { "Shell" } else { "Nothing" },
            if runs.assigns { "Leading" } else { "No" },
            runs.scope.unwrap_or("Local"),
            runs.directory(),
            if runs.repeats { "Repeated" } else { "Once" },
            runs.background.rust(["Always", "Never", "NotWith", "With"]),
            if runs.in_this_shell { "This" } else { "Other" },
        );
    }
    for command in &at.commands {
        let under: Vec<&[String]> = under.iter().copied().chain([command.names.as_slice()]).collect();
        row(program, command, &under, out);
    }
}
