//! Which words of a program are run, as what, and in what setting: the table `[runs]` of its record in `programs/`,
//! compiled by the build script.

use super::call::{Call, Own};
use super::words::{self, join};
use super::{
    Nested, Setting, What, chroot, code, containers_and_remote, databases, git, make, placeholders, powershell,
    repeaters, runners, shells, terminals, tools, wrappers,
};
use crate::analysis::Scope;
use crate::by_name::{ByName, by_name};
use crate::nested::Code;
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
    pub(super) form: Form,
    /// Options whose value is run, and the form of the value.
    pub(super) values: &'static [(&'static str, Value)],
    /// Options with which it runs none of its operands.
    pub(super) idle: &'static [&'static str],
    /// What it runs without operands.
    pub(super) bare: Bare,
    /// Whether `NAME=value` may precede the command.
    pub(super) assigns: Assigns,
    /// Options whose value is `NAME=value`.
    pub(super) sets: &'static [&'static str],
    /// Options whose value is the name of a variable that is removed.
    pub(super) removes: &'static [&'static str],
    /// Options whose value is the directory in which the command runs.
    pub(super) enters: &'static [&'static str],
    /// The directory in which it runs without those.
    pub(super) place: WorkingDirectory,
    pub(super) scope: Scope,
    pub(super) times: Times,
    pub(super) waits: Waits,
    pub(super) process: Process,
    pub(super) files: OpenFiles,
    /// What it runs because of the statements on its standard input.
    pub(super) input: Option<RunInput>,
}

/// The form of the operands after its own.
#[derive(Clone, Copy)]
pub(super) enum Form {
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
    Own(Run),
    /// As the function determines; the first operand may be code or a file with code.
    Code(Run),
    /// As the function determines, which searches all words.
    Marked(Run),
}

/// Returns what a call runs.
pub(super) type Run = fn(&Call<'_>, &Setting) -> Vec<Nested>;

/// Returns what a call runs because of a text on its standard input.
pub(super) type RunInput = fn(&Call<'_>, &Word) -> Vec<Nested>;

/// The form of an option's value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
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
pub(super) enum Bare {
    Nothing,
    /// A shell, which reads commands from its standard input.
    Shell,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Assigns {
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
pub(super) enum Times {
    Once,
    Repeated,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Waits {
    Always,
    Never,
    /// Not with one of these options.
    NotWith(&'static [&'static str]),
    /// Only with one of these.
    With(&'static [&'static str]),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Process {
    Other,
    This,
}

/// What becomes of the descriptors above standard error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenFiles {
    Kept,
    Closed,
}

// `ROWS`, the rows of each program in a list of their own.
include!(concat!(env!("OUT_DIR"), "/runs.rs"));

static BY_NAME: ByName<Runner> = by_name!(Runner, ROWS);

/// Returns the row of a command, if there is one; if several match, the one with the most subcommands.
pub(super) fn find(call: &Call<'_>) -> Option<&'static Runner> {
    let names = call.argv.tables.first().map_or(call.argv.name.as_slice(), |table| table.names);
    let fits = |runner: &&Runner| {
        names.iter().any(|name| runner.names.contains(name))
            && runner.under.iter().enumerate().all(|(at, names)| at < call.depth() && call.is(at + 1, names))
    };
    BY_NAME.near_any(names.iter().copied()).filter(fits).max_by_key(|runner| runner.under.len())
}

/// Returns what a client runs because of a text on its standard input, if its words contain no statements.
pub(crate) fn from_input(words: &[Word], input: &Word) -> Vec<Nested> {
    let call = Call::new(words);
    find(&call).and_then(|runner| Some((runner.input?)(&call, input))).unwrap_or_default()
}

/// Whether a command is a client that reads statements, possibly with shell commands, from its standard input.
#[must_use]
pub fn reads_statements(words: &[Word]) -> bool {
    find(&Call::new(words)).is_some_and(|runner| runner.input.is_some())
}

/// Whether a program runs the command after it unchanged, on this machine: `sudo`, `nice`. A package runner does not.
pub fn is_wrapper(name: &str) -> bool {
    let program = [Word::text(name)];
    let Some(runner) = find(&Call::new(&program)) else { return false };
    let command = Word::text("x");
    let own = std::iter::repeat_n(Word::text("1"), runner.skip);
    let words: Vec<Word> = program.iter().cloned().chain(own).chain([command.clone()]).collect();
    let is_it = |nested: &Nested| matches!(&nested.what, What::Argv(words) if words.first() == Some(&command));
    let is_plain = runner.scope == Scope::Local && matches!(runner.form, Form::Words | Form::Own(_));
    is_plain && matches!(runner.runs(&Call::new(&words)).as_slice(), [only] if is_it(only))
}

impl Runner {
    /// Returns which operands are the program's own.
    pub(super) fn own(&self) -> Own {
        match self.form {
            Form::Code(_) => Own::With(self.skip),
            Form::Marked(_) | Form::Nothing => Own::None,
            _ => Own::Before(self.skip),
        }
    }

    /// Returns what is run, in the order of the words.
    pub(super) fn runs(&self, call: &Call<'_>) -> Vec<Nested> {
        let mut setting = self.setting(call);
        let mut found: Vec<Nested> = self.of_options(call, &setting);
        if call.has_any(self.idle) {
            return found;
        }
        let mut tail = call.tail(self.skip);
        if self.assigns == Assigns::Leading {
            let assigned = tail.iter().map_while(words::assignment);
            setting.environment.extend(assigned);
            let is_assigned = |word: &&Word| words::assignment(word).is_some();
            tail = tail.get(tail.iter().take_while(is_assigned).count()..).unwrap_or_default();
        }
        let is_bare = tail.is_empty() && found.is_empty() && call.argv.operands.len() >= self.skip;
        if self.bare == Bare::Shell && is_bare {
            found.push(Nested::with(What::Input(Vec::new()), &setting));
            return found;
        }
        match self.form {
            Form::Own(run) | Form::Code(run) | Form::Marked(run) => found.extend(run(call, &setting)),
            Form::Package => found.extend(runners::package(call, &setting)),
            _ => found.extend(self.of_operands(tail).into_iter().map(|what| Nested::with(what, &setting))),
        }
        found
    }

    fn of_operands(&self, tail: &[Word]) -> Vec<What> {
        match (self.form, tail) {
            (_, []) | (Form::Nothing | Form::Package | Form::Own(_) | Form::Code(_) | Form::Marked(_), _) => Vec::new(),
            (Form::Joined, _) => vec![What::script(join(tail))],
            (Form::Each, _) => tail.iter().cloned().map(What::script).collect(),
            (Form::Words, _) => {
                vec![What::Argv(self.program.map(Word::text).into_iter().chain(tail.iter().cloned()).collect())]
            }
        }
    }

    fn of_options(&self, call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
        let mut found = Vec::new();
        for (option, value) in self.values {
            found.extend(call.values(option).filter_map(|word| match value {
                Value::Script => Some(Nested::with(What::script(word.clone()), setting)),
                Value::Here => Some(What::script(word.clone()).into()),
                Value::Words => Some(Nested::with(What::argv(&words::split(word))?, setting)),
                Value::Foreign => Some(Nested::with(What::foreign(word.clone()), setting)),
                Value::ForeignFile => Some(Nested::with(What::Foreign(Code::File(word.clone())), setting)),
            }));
        }
        found
    }

    /// Returns the differences of the command's setting.
    pub(super) fn setting(&self, call: &Call<'_>) -> Setting {
        let entered = self.enters.iter().find_map(|option| call.value(option)).cloned();
        let sets = self.sets.iter().flat_map(|option| call.values(option)).filter_map(words::assignment);
        let removed = self.removes.iter().flat_map(|option| call.values(option));
        let removes = removed
            .filter_map(|word| Some(crate::analysis::Assignment { name: word.known()?.to_owned(), value: None }));
        Setting {
            scope: Some(self.scope).filter(|scope| *scope != Scope::Local),
            directory: entered.or_else(|| self.is_elsewhere(call).then(|| elsewhere_of(call))),
            environment: removes.chain(sets).collect(),
            repeats: self.times == Times::Repeated,
            in_background: match self.waits {
                Waits::Always => false,
                Waits::Never => true,
                Waits::NotWith(options) => call.has_any(options),
                Waits::With(options) => !call.has_any(options),
            },
            in_this_shell: self.process == Process::This,
            closes_files: self.files == OpenFiles::Closed,
            ..Setting::default()
        }
    }

    fn is_elsewhere(&self, call: &Call<'_>) -> bool {
        match self.place {
            WorkingDirectory::Same => false,
            WorkingDirectory::Elsewhere => true,
            WorkingDirectory::With(options) => call.has_any(options),
            WorkingDirectory::Without(options) => !call.has_any(options),
        }
    }
}

/// Returns an unknown directory: the program chooses it.
fn elsewhere_of(call: &Call<'_>) -> Word {
    words::placed(Cause::Directory, call.program().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_name::finds_what_is_there;

    #[test]
    fn every_row_is_found_by_its_names() {
        finds_what_is_there(&BY_NAME, |runner| runner.names);
    }
}
