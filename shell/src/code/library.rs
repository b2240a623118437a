//! Tables of library functions: one row per behaviour, with the qualified names of the functions that share it.
//!
//! The effect of a function on files is expressed as a command: `shutil.rmtree(x)` is `rm -rf -- x`. So everything
//! known of that command's files holds for the function, too.

mod javascript;
mod perl;
mod php;
mod python;
pub(super) mod returned;
mod ruby;

use super::CodeLanguage;
pub(super) use returned::ReturnValue;

/// Functions with the same behaviour.
pub(super) struct LibraryRow {
    /// Their qualified names; for a method, the type of its receiver: `path.unlink`.
    pub names: &'static [&'static str],
    pub effects: &'static [CallEffect],
    pub returns: ReturnValue,
}

/// An argument, by its index and by its name if it has one.
#[derive(Clone, Copy)]
pub(super) enum ArgumentRef {
    Argument(usize, &'static str),
    /// The receiver of a method.
    Receiver,
}

/// A word of the equivalent command.
#[derive(Clone, Copy)]
pub(super) enum EquivalentWord {
    Literal(&'static str),
    Argument(ArgumentRef),
    /// All arguments from an index on, with lists flattened.
    RemainingArguments(usize),
    /// The files in the program's arguments.
    ProgramFiles,
}

/// An effect of a call.
#[derive(Clone, Copy)]
pub(super) enum CallEffect {
    /// Does to files what this command does.
    LikeCommand(&'static [EquivalentWord]),
    /// Opens a file with a mode; without one it reads.
    Open(ArgumentRef, ArgumentRef),
    /// Opens something that may be a command or a URL: `open("|ls")`.
    OpenAny(ArgumentRef, ArgumentRef),
    /// Opens in Perl's way: the mode is before the name, `>x`, and a `|` at either end marks a command.
    OpenPerl(ArgumentRef),
    /// Opens in Perl's way with a separate mode.
    OpenPerlMode(ArgumentRef),
    /// Walks directories and calls a function with each path.
    Find,
    /// Replaces the content of a file by a text.
    Write(ArgumentRef, ArgumentRef),
    /// Appends a text to a file.
    Append(ArgumentRef, ArgumentRef),
    /// Runs a list of words, or a text if the call requests a shell.
    Run(ArgumentRef),
    /// Runs a text in a shell.
    Shell(ArgumentRef),
    /// Runs its arguments from an index on: several are a program and its arguments, a single one is a script.
    Command(usize),
    /// Like `Command`, while the program writes to its standard input.
    CommandInput(usize),
    /// Runs a text or a list of words, and writes to it if the mode allows that.
    Pipe(ArgumentRef, ArgumentRef),
    /// Runs a text or a list of words, writes to it, and may set the directory and the environment.
    Process(ArgumentRef, ArgumentRef, ArgumentRef),
    /// Replaces the process by a program. Its words begin at this index; the first is its `argv[0]`.
    ReplaceProcess(ArgumentRef, usize),
    /// Runs a program with a list of arguments, or in a shell.
    Program(ArgumentRef, ArgumentRef),
    /// Runs a file in a new process of the same interpreter.
    Fork(ArgumentRef),
    /// Evaluates a text in the program's own language.
    Evaluate(ArgumentRef),
    /// Evaluates its last argument; the parameters' names precede it.
    EvaluateLast,
    /// Requests a URL.
    Fetch(ArgumentRef),
    /// Connects to a host and port.
    Connect(ArgumentRef, ArgumentRef),
    /// Downloads a URL into a file.
    Download(ArgumentRef, ArgumentRef),
    /// Requests a URL, if the call contains this word.
    FetchIf(&'static str, ArgumentRef),
    /// Requests its argument, if that is a URL.
    FetchUrl(ArgumentRef),
    /// Sets an unknown variable.
    SetUnknownVariable,
    /// Sets an environment variable: `name=value`.
    PutVariable(ArgumentRef),
    /// Loads a file of the same language.
    Require(ArgumentRef),
    /// Loads a module; this only has an effect if the program wrote that file.
    Load(ArgumentRef),
    /// Connects to a host that is passed by name.
    ConnectNamed,
    ChangeDirectory(ArgumentRef),
    SetVariable(ArgumentRef, ArgumentRef),
    /// Runs something unseen.
    RunUnseen,
}

/// The row of some functions.
pub(super) const fn row(
    names: &'static [&'static str],
    effects: &'static [CallEffect],
    returns: ReturnValue,
) -> LibraryRow {
    LibraryRow { names, effects, returns }
}

/// The argument with this index and name.
pub(super) const fn argument(place: usize, name: &'static str) -> ArgumentRef {
    ArgumentRef::Argument(place, name)
}

/// What is known of a language's library.
struct Library {
    tables: &'static [&'static [LibraryRow]],
    /// Modules and functions without a relevant effect: they compute or print.
    plain_modules: &'static [&'static str],
    plain: &'static [&'static str],
    /// The beginnings of the names of such functions.
    plain_beginnings: &'static [&'static str],
    /// Beginnings of names, and those that the tables use instead.
    aliases: &'static [(&'static str, &'static str)],
    constants: &'static [(&'static str, &'static str)],
}

fn library(language: CodeLanguage) -> &'static Library {
    match language {
        CodeLanguage::Python => &python::LIBRARY,
        CodeLanguage::JavaScript => &javascript::LIBRARY,
        CodeLanguage::Ruby => &ruby::LIBRARY,
        CodeLanguage::Php => &php::LIBRARY,
        CodeLanguage::Perl => &perl::LIBRARY,
    }
}

/// Returns the row of a function.
pub(super) fn find_row(language: CodeLanguage, name: &str) -> Option<&'static LibraryRow> {
    library(language).tables.iter().flat_map(|rows| rows.iter()).find(|row| row.names.contains(&name))
}

/// Whether a call of this function has no relevant effect: it computes or prints.
pub(super) fn is_without_effect(language: CodeLanguage, name: &str) -> bool {
    let library = library(language);
    let begins = |beginning: &&str| name.starts_with(*beginning) && !name.contains('.');
    let is_of =
        |module: &&str| name.strip_prefix(*module).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':']));
    library.plain.contains(&name)
        || library.plain_beginnings.iter().any(begins)
        || library.plain_modules.iter().any(is_of)
}

/// Returns the name of a function as used in the table.
pub(super) fn canonical(language: CodeLanguage, name: &str) -> String {
    let mut name = name.to_owned();
    for (from, to) in library(language).aliases {
        if let Some(rest) = name.strip_prefix(from) {
            name = format!("{to}{rest}");
        }
    }
    if language == CodeLanguage::JavaScript && (name.starts_with("fs.") || name.starts_with("child_process.")) {
        name.truncate(name.strip_suffix("Sync").map_or(name.len(), str::len));
    }
    name
}

/// Returns the value of a constant.
pub(super) fn constant(language: CodeLanguage, name: &str) -> Option<&'static str> {
    library(language).constants.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
}
