//! Which words of a program are run, as what, and in what setting: the table `[runs]` of its record in `programs/`,
//! compiled by the build script.

use super::call::{OuterCommand, OwnOperands};
use super::words::{self, join};
use super::{
    NestedCommand, NestedSetting, Runnable, chroot, code, containers_and_remote, databases, git, make, placeholders,
    powershell, repeaters, runners, shells, terminals, tools, wrappers,
};
use crate::analysis::CommandScope;
use crate::by_name::{NameTable, by_name};
use crate::nested::CodeSource;
use crate::word::{Cause, Word};

/// A program, or a subcommand, that runs others.
#[derive(Clone, Copy)]
pub(super) struct Runner {
    /// Names of the program.
    pub(super) names: &'static [&'static str],
    /// The subcommands, from the outermost to the innermost, each with all its names.
    pub(super) under: &'static [&'static [&'static str]],
    /// The program whose arguments the operands are.
    pub(super) program: Option<&'static str>,
    /// How many of the operands are its own.
    pub(super) skip: usize,
    /// The form of the others.
    pub(super) form: OperandForm,
    /// Options whose value is run, and the form of the value.
    pub(super) values: &'static [(&'static str, OptionValueForm)],
    /// Options with which it runs none of its operands.
    pub(super) idle: &'static [&'static str],
    /// What it runs without operands.
    pub(super) bare: BareRun,
    /// Whether `NAME=value` may precede the command.
    pub(super) assigns: AssignmentPrefix,
    /// Options whose value is `NAME=value`.
    pub(super) sets: &'static [&'static str],
    /// Options whose value is the name of a variable that is removed.
    pub(super) removes: &'static [&'static str],
    /// Options whose value is the directory in which the command runs.
    pub(super) enters: &'static [&'static str],
    /// The directory in which it runs without those.
    pub(super) place: WorkingDirectory,
    pub(super) scope: CommandScope,
    pub(super) times: RunRepetition,
    pub(super) waits: WaitCondition,
    pub(super) process: ProcessSharing,
    pub(super) files: InheritedDescriptors,
    /// What it runs because of the statements on its standard input.
    pub(super) input: Option<RunInputFunction>,
}

/// The form of the operands after its own.
#[derive(Clone, Copy)]
pub(super) enum OperandForm {
    /// A program with its arguments.
    Words,
    /// A text for a shell, joined by blanks.
    Joined,
    /// Each is a text for a shell.
    Each,
    /// A package's program, under the package's name, with its arguments.
    Package,
    /// Not run.
    Nothing,
    /// As the function determines; usually a program with its arguments.
    Own(RunFunction),
    /// As the function determines; the first operand may be code or a file with code.
    Code(RunFunction),
    /// As the function determines, which searches all words.
    Marked(RunFunction),
}

/// Returns what a call runs.
pub(super) type RunFunction = fn(&OuterCommand<'_>, &NestedSetting) -> Vec<NestedCommand>;

/// Returns what a call runs because of a text on its standard input.
pub(super) type RunInputFunction = fn(&OuterCommand<'_>, &Word) -> Vec<NestedCommand>;

/// The form of an option's value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionValueForm {
    /// A text for a shell.
    Script,
    /// A text for a shell on this machine, in any scope.
    Here,
    /// A program with its arguments, split at blanks.
    Words,
    /// Code in another language.
    Foreign,
    /// A file with code in another language.
    ForeignFile,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BareRun {
    Nothing,
    /// A shell, which reads commands from its standard input.
    Shell,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AssignmentPrefix {
    No,
    Leading,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkingDirectory {
    /// The outer command's directory.
    Same,
    /// Another directory.
    Elsewhere,
    /// Another directory with one of these options.
    With(&'static [&'static str]),
    /// Another directory without one of these.
    Without(&'static [&'static str]),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RunRepetition {
    Once,
    Repeated,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitCondition {
    Always,
    Never,
    /// Not with one of these options.
    NotWith(&'static [&'static str]),
    /// Only with one of these.
    With(&'static [&'static str]),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ProcessSharing {
    Other,
    This,
}

/// What becomes of the descriptors above standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum InheritedDescriptors {
    Kept,
    Closed,
}

// `ROWS`, the rows of each program in a list of their own.
include!(concat!(env!("OUT_DIR"), "/runs.rs"));

static BY_NAME: NameTable<Runner> = by_name!(Runner, ROWS);

/// Returns the row of a command, if there is one; if several match, the one with the most subcommands.
pub(super) fn find(call: &OuterCommand<'_>) -> Option<&'static Runner> {
    let names = call.argv.records.first().map_or(call.argv.name.as_slice(), |table| table.names);
    let fits = |runner: &&Runner| {
        names.iter().any(|name| runner.names.contains(name))
            && runner
                .under
                .iter()
                .enumerate()
                .all(|(at, names)| at < call.subcommand_count() && call.has_name_at(at + 1, names))
    };
    BY_NAME.candidates_of_any(names.iter().copied()).filter(fits).max_by_key(|runner| runner.under.len())
}

/// Returns what a client runs because of a text on its standard input, if its words contain no statements.
pub(crate) fn nested_from_input(words: &[Word], input: &Word) -> Vec<NestedCommand> {
    let call = OuterCommand::new(words);
    find(&call).and_then(|runner| Some((runner.input?)(&call, input))).unwrap_or_default()
}

/// Whether a command is a client that reads statements, possibly with shell commands, from its standard input.
#[must_use]
pub fn reads_statements(words: &[Word]) -> bool {
    find(&OuterCommand::new(words)).is_some_and(|runner| runner.input.is_some())
}

/// Whether a program runs the command after it unchanged, on this machine: `sudo`, `nice`. A package runner does not.
pub fn is_wrapper(name: &str) -> bool {
    let program = [Word::text(name)];
    let Some(runner) = find(&OuterCommand::new(&program)) else { return false };
    let command = Word::text("x");
    let own = std::iter::repeat_n(Word::text("1"), runner.skip);
    let words: Vec<Word> = program.iter().cloned().chain(own).chain([command.clone()]).collect();
    let is_it =
        |nested: &NestedCommand| matches!(&nested.runnable, Runnable::Argv(words) if words.first() == Some(&command));
    let is_plain =
        runner.scope == CommandScope::Local && matches!(runner.form, OperandForm::Words | OperandForm::Own(_));
    is_plain && matches!(runner.runs(&OuterCommand::new(&words)).as_slice(), [only] if is_it(only))
}

impl Runner {
    /// Returns which operands are the program's own.
    pub(super) fn own_operands(&self) -> OwnOperands {
        match self.form {
            OperandForm::Code(_) => OwnOperands::With(self.skip),
            OperandForm::Marked(_) | OperandForm::Nothing => OwnOperands::None,
            _ => OwnOperands::Before(self.skip),
        }
    }

    /// Returns what is run, in the order of the words.
    pub(super) fn runs(&self, call: &OuterCommand<'_>) -> Vec<NestedCommand> {
        let mut setting = self.setting(call);
        let mut found: Vec<NestedCommand> = self.option_commands(call, &setting);
        if call.has_any_option(self.idle) {
            return found;
        }
        let mut tail = call.tail(self.skip);
        if self.assigns == AssignmentPrefix::Leading {
            let assigned = tail.iter().map_while(words::assignment);
            setting.environment.extend(assigned);
            let is_assigned = |word: &&Word| words::assignment(word).is_some();
            tail = tail.get(tail.iter().take_while(is_assigned).count()..).unwrap_or_default();
        }
        let is_bare = tail.is_empty() && found.is_empty() && call.argv.operands.len() >= self.skip;
        if self.bare == BareRun::Shell && is_bare {
            found.push(NestedCommand::new(Runnable::Input(Vec::new()), &setting));
            return found;
        }
        match self.form {
            OperandForm::Own(run) | OperandForm::Code(run) | OperandForm::Marked(run) => {
                found.extend(run(call, &setting))
            }
            OperandForm::Package => found.extend(runners::package(call, &setting)),
            _ => found.extend(self.operand_targets(tail).into_iter().map(|what| NestedCommand::new(what, &setting))),
        }
        found
    }

    fn operand_targets(&self, tail: &[Word]) -> Vec<Runnable> {
        match (self.form, tail) {
            (_, [])
            | (
                OperandForm::Nothing
                | OperandForm::Package
                | OperandForm::Own(_)
                | OperandForm::Code(_)
                | OperandForm::Marked(_),
                _,
            ) => Vec::new(),
            (OperandForm::Joined, _) => vec![Runnable::script(join(tail))],
            (OperandForm::Each, _) => tail.iter().cloned().map(Runnable::script).collect(),
            (OperandForm::Words, _) => {
                vec![Runnable::Argv(self.program.map(Word::text).into_iter().chain(tail.iter().cloned()).collect())]
            }
        }
    }

    fn option_commands(&self, call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
        let mut found = Vec::new();
        for (option, value) in self.values {
            found.extend(call.values(option).filter_map(|word| match value {
                OptionValueForm::Script => Some(NestedCommand::new(Runnable::script(word.clone()), setting)),
                OptionValueForm::Here => Some(Runnable::script(word.clone()).into()),
                OptionValueForm::Words => Some(NestedCommand::new(Runnable::argv(&words::split(word))?, setting)),
                OptionValueForm::Foreign => Some(NestedCommand::new(Runnable::foreign(word.clone()), setting)),
                OptionValueForm::ForeignFile => {
                    Some(NestedCommand::new(Runnable::Foreign(CodeSource::File(word.clone())), setting))
                }
            }));
        }
        found
    }

    /// Returns the differences of the command's setting.
    pub(super) fn setting(&self, call: &OuterCommand<'_>) -> NestedSetting {
        let entered = self.enters.iter().find_map(|option| call.value(option)).cloned();
        let sets = self.sets.iter().flat_map(|option| call.values(option)).filter_map(words::assignment);
        let removed = self.removes.iter().flat_map(|option| call.values(option));
        let removes = removed
            .filter_map(|word| Some(crate::analysis::Assignment { name: word.known_text()?.to_owned(), value: None }));
        NestedSetting {
            scope: Some(self.scope).filter(|scope| *scope != CommandScope::Local),
            directory: entered.or_else(|| self.is_elsewhere(call).then(|| unknown_directory(call))),
            environment: removes.chain(sets).collect(),
            repeats: self.times == RunRepetition::Repeated,
            in_background: match self.waits {
                WaitCondition::Always => false,
                WaitCondition::Never => true,
                WaitCondition::NotWith(options) => call.has_any_option(options),
                WaitCondition::With(options) => !call.has_any_option(options),
            },
            in_this_shell: self.process == ProcessSharing::This,
            closes_files: self.files == InheritedDescriptors::Closed,
            ..NestedSetting::default()
        }
    }

    fn is_elsewhere(&self, call: &OuterCommand<'_>) -> bool {
        match self.place {
            WorkingDirectory::Same => false,
            WorkingDirectory::Elsewhere => true,
            WorkingDirectory::With(options) => call.has_any_option(options),
            WorkingDirectory::Without(options) => !call.has_any_option(options),
        }
    }
}

/// Returns an unknown directory: the program chooses it.
fn unknown_directory(call: &OuterCommand<'_>) -> Word {
    words::inserted_word(Cause::Directory, call.program().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_name::check_lookups;

    #[test]
    fn every_row_is_found_by_its_names() {
        check_lookups(&BY_NAME, |runner| runner.names);
    }
}
