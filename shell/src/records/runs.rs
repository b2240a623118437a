//! The commands that programs run, from their records to the rows of `src/nested/runner.rs`.

use super::files::report_unknown_options;
use super::{OptionRecord, RecordMistake, ResolvedRecord, SourcePlace, report};

/// How the operands contain a command: the TOML word, and the Rust name.
pub(crate) const COMMANDS: &[(&str, &str)] =
    &[("words", "Words"), ("joined", "Joined"), ("each", "Each"), ("package", "Package")];

/// The keys that name a function, and the Rust name of its input.
pub(crate) const FUNCTIONS: &[(&str, &str)] = &[("by", "Own"), ("code-by", "Code"), ("all-by", "Marked")];

/// The role of an option's value.
pub(crate) const VALUES: &[(&str, &str)] =
    &[("script", "Script"), ("here", "Here"), ("words", "Words"), ("code", "Foreign"), ("code-file", "ForeignFile")];

/// Where a command runs if not on this machine.
pub(crate) const SCOPES: &[(&str, &str)] = &[("container", "Container"), ("remote", "Remote")];

/// The table `[runs]` of a record.
#[derive(Clone, Default)]
pub(crate) struct RunsTable {
    pub(crate) place: SourcePlace,
    /// The role of the operands, as a Rust name.
    pub(crate) form: Option<String>,
    /// The program that the operands are passed to.
    pub(crate) program: Option<String>,
    /// How many operands are its own.
    pub(crate) skip: i64,
    /// The roles of the values of options, with the spellings of these.
    pub(crate) values: Vec<(&'static str, Vec<String>)>,
    pub(crate) idle: Vec<String>,
    pub(crate) sets: Vec<String>,
    pub(crate) removes: Vec<String>,
    pub(crate) enters: Vec<String>,
    /// Without operands it is a shell that reads its standard input.
    pub(crate) is_shell: bool,
    /// `NAME=value` may precede the command.
    pub(crate) assigns: bool,
    pub(crate) scope: Option<&'static str>,
    pub(crate) elsewhere: OptionCondition,
    pub(crate) background: OptionCondition,
    pub(crate) repeats: bool,
    /// It closes the descriptors above standard error.
    pub(crate) closes_files: bool,
    pub(crate) in_this_shell: bool,
    /// A function of `src/nested` that returns what it runs of the statements on its standard input.
    pub(crate) input: Option<String>,
}

/// A condition on the options.
#[derive(Clone, Default)]
pub(crate) enum OptionCondition {
    #[default]
    Never,
    Always,
    With(Vec<String>),
    Without(Vec<String>),
}

impl OptionCondition {
    /// Returns the options that it depends on.
    pub(super) fn options(&self) -> &[String] {
        match self {
            Self::Never | Self::Always => &[],
            Self::With(options) | Self::Without(options) => options,
        }
    }
}

impl RunsTable {
    /// Returns its lists of options.
    fn lists(&self) -> impl Iterator<Item = &[String]> {
        let values = self.values.iter().map(|(_, names)| names.as_slice());
        let when = [self.elsewhere.options(), self.background.options()];
        let lists = [&self.idle, &self.sets, &self.removes, &self.enters].into_iter().map(Vec::as_slice);
        lists.chain(when).chain(values)
    }
}

/// Checks the table of a program or a subcommand against its options.
pub(crate) fn check(
    program: &ResolvedRecord,
    is_below: bool,
    options: Option<&[&OptionRecord]>,
    mistakes: &mut Vec<RecordMistake>,
) {
    let Some(runs) = &program.runs else { return };
    for names in runs.lists() {
        report_unknown_options("runs", &runs.place, names, options, mistakes);
    }
    if is_below && options.is_none() {
        let message = "`runs`: what is `as-written` has no subcommands where commands are read";
        report(mistakes, &runs.place, message, "say it of the program");
    }
}
