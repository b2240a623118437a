//! Which words of a program are run, and in which form and setting: the table `[runs]` of the program's record in
//! `programs/`, compiled by the build script.

use super::call::{OuterCommand, OwnOperands};
use super::words::{self, join};
use super::{
    NestedCommand, NestedSetting, Runnable, chroot, cloud_commands, code, containers_and_remote, databases, debuggers,
    editors, forwarders, git, make, placeholders, powershell, repeaters, runners, settings, shells, terminals, tools,
    wrappers,
};
use crate::analysis::CommandScope;
use crate::by_name::{NameTable, by_name};
use crate::nested::CodeSource;
use crate::word::{Cause, Unknown, Word};

/// The description of a program or a subcommand that runs other commands.
#[derive(Clone, Copy)]
pub(super) struct Runner {
    /// The names of the program.
    pub(super) names: &'static [&'static str],
    /// The subcommands that this row is about, from the outermost to the innermost, each with all its names.
    pub(super) under: &'static [&'static [&'static str]],
    /// The program that the operands are arguments of, with its first arguments, if they are not a complete command:
    /// `cargo`, `php artisan`.
    pub(super) program: Option<&'static str>,
    /// The number of leading operands to skip before the command that is run, such as the duration in `timeout 5 rm x`.
    pub(super) skip: usize,
    /// The form of the other operands.
    pub(super) form: OperandForm,
    /// The options whose value is run, and the form of the value.
    pub(super) values: &'static [(&'static str, OptionValueForm)],
    /// The files of the working directory that the program runs as code although no word names them: `Rakefile`.
    pub(super) loads: &'static [&'static str],
    /// The options with which none of the operands is run, such as `--list`.
    pub(super) idle: &'static [&'static str],
    /// What is run if there are no operands.
    pub(super) bare: BareRun,
    /// Whether `NAME=value` may precede the command, as for `env`.
    pub(super) assigns: AssignmentPrefix,
    /// The options whose value is `NAME=value`.
    pub(super) sets: &'static [&'static str],
    /// The options whose value is the name of a variable that is removed from the environment.
    pub(super) removes: &'static [&'static str],
    /// The options whose value is the directory in which the command runs.
    pub(super) enters: &'static [&'static str],
    /// The directory in which the command runs if none of the options in `enters` is given.
    pub(super) place: WorkingDirectory,
    /// Where the command runs: on this machine, on another one, in a container.
    pub(super) scope: CommandScope,
    /// Whether the command may run more than once.
    pub(super) times: RunRepetition,
    /// Whether the program waits until the command ends.
    pub(super) waits: WaitCondition,
    /// Whether the command runs in the process of the shell.
    pub(super) process: ProcessSharing,
    /// Whether the command inherits the descriptors above standard error.
    pub(super) files: InheritedDescriptors,
    /// Whether the name under which the program is called determines what it does.
    pub(super) identity: ProgramIdentity,
    /// The files of this machine that the command also has where it runs.
    pub(super) shared: SharedFiles,
    /// The function that finds what is run because of statements on standard input, as by `psql`.
    pub(super) input: Option<RunInputFunction>,
}

/// The form of the operands that are run.
#[derive(Clone, Copy)]
pub(super) enum OperandForm {
    /// A program with its arguments.
    Words,
    /// One text for a shell, joined from the operands with spaces: `ssh`.
    Joined,
    /// A text for a shell in each operand.
    Each,
    /// The name of a package, which is also that of its program, with the arguments: `npx`.
    Package,
    /// A program with its arguments, from the first word on that names no subcommand of the record: `rtk git push`.
    Unlisted,
    /// The operands are not run.
    Nothing,
    /// A form that the function handles; it usually returns a program with its arguments.
    Own(RunFunction),
    /// A form that the function handles, in which the first operand may be code or a file with code: `python`.
    Code(RunFunction),
    /// A form that the function handles by searching all words for a certain one, such as the `-exec` of `find`.
    Marked(RunFunction),
}

/// A function that returns what a call runs.
pub(super) type RunFunction = fn(&OuterCommand<'_>, &NestedSetting) -> Vec<NestedCommand>;

/// A function that returns what a call runs because of a text on its standard input.
pub(super) type RunInputFunction = fn(&OuterCommand<'_>, &Word) -> Vec<NestedCommand>;

/// The form of an option value that is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionValueForm {
    /// A text for a shell, in the setting of the program.
    Script,
    /// A text for a shell on this machine, even if the operands run elsewhere.
    Here,
    /// A program with its arguments, split at spaces.
    Words,
    /// Code in another language.
    Foreign,
    /// A file with code in another language.
    ForeignFile,
}

/// What a program runs if it gets no operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BareRun {
    /// The program runs no command.
    Nothing,
    /// A shell, which reads commands from its standard input.
    Shell,
}

/// Whether assignments precede the command among the operands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AssignmentPrefix {
    No,
    Leading,
}

/// The directory in which a command runs, compared with that of the outer command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkingDirectory {
    /// The directory of the outer command.
    Same,
    /// Another directory.
    Elsewhere,
    /// Another directory if one of these options is given.
    With(&'static [&'static str]),
    /// Another directory unless one of these options is given.
    Without(&'static [&'static str]),
}

/// How often a command runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RunRepetition {
    Once,
    /// More than once, possibly.
    Repeated,
}

/// When a program waits until its command ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitCondition {
    Always,
    Never,
    /// The program waits unless one of these options is given.
    NotWith(&'static [&'static str]),
    /// The program waits if one of these options is given.
    With(&'static [&'static str]),
}

/// The process in which a command runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ProcessSharing {
    /// A new process.
    Other,
    /// The process of the shell itself, as for `eval`.
    This,
}

/// Whether a command inherits the descriptors above standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum InheritedDescriptors {
    Kept,
    Closed,
}

/// Whether the name under which a program is called determines what it does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgramIdentity {
    Fixed,
    /// The program does what the program of that name does: `busybox` as `rm`.
    ByName,
}

/// The files of this machine that a command also has in a container, under another root or on another machine.
#[derive(Clone, Copy)]
pub(crate) struct SharedFiles {
    /// The options whose value mounts a path: `-v OUTSIDE:INSIDE`, `--mount source=OUTSIDE,target=INSIDE`.
    pub(crate) mounts: &'static [&'static str],
    /// The options whose value is the directory that is the root there.
    pub(crate) roots: &'static [&'static str],
    /// Whether the first operand is that directory.
    pub(crate) has_root_operand: bool,
    /// The options with which the command does not run in the same directory, with the same files in it; `None` if it
    /// never does.
    pub(crate) unless: Option<&'static [&'static str]>,
    /// The directory there that is the directory of the program here.
    pub(crate) project: Option<&'static str>,
}

/// Returns which files of this machine a command of these words has where it runs what it runs; `None` if it runs that
/// on this machine, with the same root.
pub(crate) fn shared_files(words: &[Word]) -> Option<SharedFiles> {
    let runner = find(&OuterCommand::new(words))?;
    let is_here = runner.scope == CommandScope::Local && runner.shared.roots.is_empty();
    (!is_here).then_some(runner.shared)
}

// `ROWS`: one list of rows for each program.
include!(concat!(env!("OUT_DIR"), "/runs.rs"));

static BY_NAME: NameTable<Runner> = by_name!(Runner, ROWS);

/// Returns the row of a command: among several that match, the one with the most subcommands; `None` if there is
/// none.
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

/// Returns what a client runs because of a text on its standard input, if the words of the client contain no
/// statements.
pub(crate) fn nested_from_input(words: &[Word], input: &Word) -> Vec<NestedCommand> {
    let call = OuterCommand::new(words);
    find(&call).and_then(|runner| Some((runner.input?)(&call, input))).unwrap_or_default()
}

/// Returns the patterns of the files that a command runs as code without a word that names them: `Rakefile`.
pub(crate) fn loaded_by_convention(words: &[Word]) -> &'static [&'static str] {
    let call = OuterCommand::new(words);
    let runner = find(&call).filter(|runner| !call.has_any_option(runner.idle));
    runner.map(|runner| runner.loads).unwrap_or_default()
}

/// Whether a command is a client that reads statements from its standard input, in which `\! ls` and the like run
/// commands.
#[must_use]
pub fn reads_statements(words: &[Word]) -> bool {
    find(&OuterCommand::new(words)).is_some_and(|runner| runner.input.is_some())
}

/// Whether an option of a command makes its program go on in the background after the command has ended, or leave what
/// it runs there: `wget --background`.
#[must_use]
pub fn goes_on_in_background(words: &[Word]) -> bool {
    let call = OuterCommand::new(words);
    // What a program always leaves behind is among the commands of the text, and without a command it leaves nothing.
    find(&call)
        .is_some_and(|runner| matches!(runner.waits, WaitCondition::NotWith(options) if call.has_any_option(options)))
}

/// Returns what runs if a program is called with another name as its `argv[0]`: for `busybox` as `rm`, that is `rm`.
pub(crate) fn called_as(name: &Word, words: &[Word]) -> Vec<Word> {
    let program = words.get(..1).unwrap_or_default();
    let is_by_name = find(&OuterCommand::new(program)).is_some_and(|row| row.identity == ProgramIdentity::ByName);
    let arguments = words.get(1..).unwrap_or_default();
    // The shell of a login has a name that begins with a dash.
    let name = name.strip_prefix("-").unwrap_or_else(|| name.clone());
    match is_by_name && !name.parts.is_empty() {
        true => std::iter::once(name).chain(arguments.iter().cloned()).collect(),
        false => words.to_vec(),
    }
}

/// Whether a program runs the command after it unchanged, on this machine: true of `sudo` and `nice`, false of a
/// package runner.
pub fn is_wrapper(name: &str) -> bool {
    let program = [Word::text(name)];
    let Some(runner) = find(&OuterCommand::new(&program)) else { return false };
    let command = Word::text("x");
    let own_operands = std::iter::repeat_n(Word::text("1"), runner.skip);
    let words: Vec<Word> = program.iter().cloned().chain(own_operands).chain([command.clone()]).collect();
    let runs_command =
        |nested: &NestedCommand| matches!(&nested.runnable, Runnable::Argv(words) if words.first() == Some(&command));
    let is_plain =
        runner.scope == CommandScope::Local && matches!(runner.form, OperandForm::Words | OperandForm::Own(_));
    is_plain && matches!(runner.runs(&OuterCommand::new(&words)).as_slice(), [only] if runs_command(only))
}

impl Runner {
    /// Returns how many operands belong to the program itself.
    pub(super) fn own_operands(&self) -> OwnOperands {
        match self.form {
            OperandForm::Code(_) => OwnOperands::With(self.skip),
            OperandForm::Marked(_) | OperandForm::Nothing | OperandForm::Unlisted => OwnOperands::None,
            _ => OwnOperands::Before(self.skip),
        }
    }

    /// Returns what a call runs, in the order of its words.
    pub(super) fn runs(&self, call: &OuterCommand<'_>) -> Vec<NestedCommand> {
        let mut setting = self.setting(call);
        let mut found: Vec<NestedCommand> = self.option_commands(call, &setting);
        if call.has_any_option(self.idle) {
            return found;
        }
        let mut tail = match self.form {
            OperandForm::Unlisted if self.program.is_some() => forwarders::arguments(call, self.skip),
            OperandForm::Unlisted => forwarders::handed_on(call, self.skip),
            _ => call.tail(self.skip),
        };
        if self.assigns == AssignmentPrefix::Leading {
            let assigned = tail.iter().map_while(words::assignment);
            setting.environment.extend(assigned);
            let is_assigned = |word: &&Word| words::assignment(word).is_some();
            tail = tail.get(tail.iter().take_while(is_assigned).count()..).unwrap_or_default();
        }
        let is_subcommand = call.argv.records.len() > self.under.len() + 1;
        let has_command =
            !matches!(self.form, OperandForm::Nothing) && (!tail.is_empty() || call.argv.operands.len() < self.skip);
        if self.bare == BareRun::Shell && found.is_empty() && !has_command && !is_subcommand {
            found.push(NestedCommand::new(Runnable::Input(Vec::new()), &setting));
            return found;
        }
        match self.form {
            OperandForm::Own(run) | OperandForm::Code(run) | OperandForm::Marked(run) => {
                found.extend(run(call, &setting))
            }
            OperandForm::Package => found.extend(runners::package(call, &setting)),
            OperandForm::Unlisted => {
                found.extend(self.operand_targets(tail).into_iter().map(|what| NestedCommand::new(what, &setting)));
                let possible = forwarders::possibly_handed_on(call, self.skip).filter(|_| self.program.is_none());
                found.extend(possible.into_iter().flat_map(|(words, why)| self.doubtful(words, &why, &setting)));
            }
            OperandForm::Words if tail.is_empty() && call.argv.operands.len() < self.skip => {}
            _ => found.extend(self.operand_targets(tail).into_iter().map(|what| NestedCommand::new(what, &setting))),
        }
        found
    }

    /// Returns what the operands in `tail`, which follow the skipped ones, run; empty for a form that a function
    /// handles.
    fn operand_targets(&self, tail: &[Word]) -> Vec<Runnable> {
        match (self.form, tail) {
            (OperandForm::Words, []) if self.program.is_some() => vec![Runnable::Argv(self.program_words().collect())],
            (_, [])
            | (
                OperandForm::Nothing
                | OperandForm::Package
                | OperandForm::Own(_)
                | OperandForm::Code(_)
                | OperandForm::Marked(_),
                _,
            ) => Vec::new(),
            // The options of such a program are read up to its own operands, so that a `--` is among the words.
            (OperandForm::Words | OperandForm::Joined | OperandForm::Unlisted, [dashes, rest @ ..])
                if self.skip > 0 && !rest.is_empty() && dashes.known_text() == Some("--") =>
            {
                self.operand_targets(rest)
            }
            (OperandForm::Joined, _) => vec![Runnable::script(join(tail))],
            (OperandForm::Each, _) => tail.iter().cloned().map(Runnable::script).collect(),
            (OperandForm::Words | OperandForm::Unlisted, _) => {
                vec![Runnable::Argv(self.program_words().chain(tail.iter().cloned()).collect())]
            }
        }
    }

    /// Returns what `words` run if they are operands, which is doubtful.
    fn doubtful(&self, words: &[Word], why: &Unknown, setting: &NestedSetting) -> Vec<NestedCommand> {
        let found = self.operand_targets(words).into_iter();
        found.map(|what| NestedCommand { doubt: Some(why.clone()), ..NestedCommand::new(what, setting) }).collect()
    }

    /// Returns the words of the program that the operands are arguments of.
    fn program_words(&self) -> impl Iterator<Item = Word> {
        self.program.into_iter().flat_map(|program| program.split(' ')).map(Word::text)
    }

    /// Returns what the values of options run.
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

    /// Returns how the setting of the nested command differs from that of the outer command.
    pub(super) fn setting(&self, call: &OuterCommand<'_>) -> NestedSetting {
        let entered = self.enters.iter().find_map(|option| call.value(option)).cloned();
        let sets = self.sets.iter().flat_map(|option| call.values(option)).filter_map(words::assignment);
        let removed = self.removes.iter().flat_map(|option| call.values(option));
        let removes = removed
            .filter_map(|word| Some(crate::analysis::Assignment { name: word.known_text()?.to_owned(), value: None }));
        let shares_directory = self.shared.unless.is_some_and(|options| !call.has_any_option(options));
        let project = self.shared.project.map(Word::text);
        NestedSetting {
            shares_directory,
            scope: Some(self.scope).filter(|scope| *scope != CommandScope::Local),
            directory: entered
                .or(project)
                .or_else(|| (!shares_directory && self.is_elsewhere(call)).then(|| unknown_directory(call))),
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

    /// Whether the command runs in another directory, without a word that names it.
    fn is_elsewhere(&self, call: &OuterCommand<'_>) -> bool {
        match self.place {
            WorkingDirectory::Same => false,
            WorkingDirectory::Elsewhere => true,
            WorkingDirectory::With(options) => call.has_any_option(options),
            WorkingDirectory::Without(options) => !call.has_any_option(options),
        }
    }
}

/// Returns an unknown directory, which the program chooses.
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
