//! The table `[runs]` of a record: the commands and the code that a program runs. The build script writes it as the
//! rows of `src/nested/runner.rs`.

use super::files::report_unknown_options;
use super::{OptionRecord, RecordMistake, ResolvedRecord, SourcePlace, report};

/// How the operands contain a command, as pairs of the word in TOML and the variant of the Rust enum `OperandForm`.
pub(crate) const COMMANDS: &[(&str, &str)] =
    &[("words", "Words"), ("joined", "Joined"), ("each", "Each"), ("package", "Package"), ("unlisted", "Unlisted")];

/// The keys whose value is the path of a function that finds the command, each with the variant of `OperandForm` that
/// contains the function.
pub(crate) const FUNCTIONS: &[(&str, &str)] = &[("by", "Own"), ("code-by", "Code"), ("all-by", "Marked")];

/// How an option's value is run, as pairs of the word in TOML and the variant of the Rust enum `OptionValueForm`.
pub(crate) const VALUES: &[(&str, &str)] =
    &[("script", "Script"), ("here", "Here"), ("words", "Words"), ("code", "Foreign"), ("code-file", "ForeignFile")];

/// Where a command runs if not on this machine, as pairs of the word in TOML and the variant of the Rust enum
/// `CommandScope`.
pub(crate) const SCOPES: &[(&str, &str)] = &[("container", "Container"), ("cluster", "Cluster"), ("remote", "Remote")];

/// The table `[runs]` of a record.
#[derive(Clone, Default)]
pub(crate) struct RunsTable {
    pub(crate) place: SourcePlace,
    /// How the operands contain a command, as a variant of `OperandForm`.
    pub(crate) form: Option<String>,
    /// The program that gets the operands as its arguments: `kubectl` for `microk8s kubectl delete pod x`. It may be
    /// followed by arguments: `php artisan`.
    pub(crate) program: Option<String>,
    /// The number of operands before the command: 1 for the duration in `timeout 5 rm x`.
    pub(crate) skip: i64,
    /// The options whose values are run, grouped by the variant of `OptionValueForm` for how.
    pub(crate) values: Vec<(&'static str, Vec<String>)>,
    /// The files in its directory that the program runs as code although no word names them: `Rakefile`,
    /// `**/test_*.py`.
    pub(crate) loads: Vec<String>,
    /// Options with which the program does not run its operands.
    pub(crate) idle: Vec<String>,
    /// Options whose value is `NAME=value`, a variable for the command.
    pub(crate) sets: Vec<String>,
    /// Options whose value is the name of a variable that is removed for the command.
    pub(crate) removes: Vec<String>,
    /// Options whose value is the directory in which the command runs.
    pub(crate) enters: Vec<String>,
    /// Options whose value mounts a path of this machine where the command runs: `-v OUTSIDE:INSIDE`.
    pub(crate) mounts: Vec<String>,
    /// Options whose value is the directory that is the root where the command runs.
    pub(crate) roots: Vec<String>,
    /// Whether the first operand is that directory: `chroot DIRECTORY`.
    pub(crate) has_root_operand: bool,
    /// The condition under which the command runs in the same directory, with the same files in it.
    pub(crate) shares: OptionCondition,
    /// The directory there that is the directory of the program here, and in which the command runs.
    pub(crate) project: Option<String>,
    /// Whether the program is a shell that reads its standard input if there are no operands.
    pub(crate) is_shell: bool,
    /// Whether assignments, `NAME=value`, may precede the command.
    pub(crate) assigns: bool,
    /// Where the command runs, as a variant of `CommandScope`; `None` for this machine.
    pub(crate) scope: Option<&'static str>,
    /// The condition under which the command runs in a directory that only the program knows.
    pub(crate) elsewhere: OptionCondition,
    /// The condition under which the program does not wait for the command.
    pub(crate) background: OptionCondition,
    /// Whether the command may run several times.
    pub(crate) repeats: bool,
    /// Whether the program closes the descriptors above standard error before it starts the command.
    pub(crate) closes_files: bool,
    /// Whether the program acts as the program under whose name it is called: `busybox`.
    pub(crate) by_name: bool,
    /// Whether the command runs in the shell that calls the program: `eval`.
    pub(crate) in_this_shell: bool,
    /// The path of a function of `src/nested` that determines what the program runs because of its standard input, as
    /// `psql` does.
    pub(crate) input: Option<String>,
}

/// A condition on the options of a command.
#[derive(Clone, Default)]
pub(crate) enum OptionCondition {
    #[default]
    Never,
    Always,
    /// Holds if one of these options is given.
    With(Vec<String>),
    /// Holds if none of these options is given.
    Without(Vec<String>),
}

impl OptionCondition {
    /// Returns the options in the condition.
    pub(super) fn options(&self) -> &[String] {
        match self {
            Self::Never | Self::Always => &[],
            Self::With(options) | Self::Without(options) => options,
        }
    }
}

impl RunsTable {
    /// Returns the lists of options in the table.
    fn lists(&self) -> impl Iterator<Item = &[String]> {
        let values = self.values.iter().map(|(_, names)| names.as_slice());
        let when = [self.elsewhere.options(), self.background.options()];
        let lists = [&self.idle, &self.sets, &self.removes, &self.enters].into_iter().map(Vec::as_slice);
        lists.chain(when).chain(values)
    }
}

/// Reports the options in the table that the record does not have. Also reports the table itself, if it is that of a
/// subcommand whose words are not parsed.
pub(crate) fn check(
    program: &ResolvedRecord,
    is_subcommand: bool,
    options: Option<&[&OptionRecord]>,
    mistakes: &mut Vec<RecordMistake>,
) {
    let Some(runs) = &program.runs else { return };
    for names in runs.lists() {
        report_unknown_options("runs", &runs.place, names, options, mistakes);
    }
    if is_subcommand && options.is_none() {
        let message = "`runs`: what is `as-written` has no subcommands where commands are read";
        report(mistakes, &runs.place, message, "say it of the program");
    }
}
