//! Tables of library functions: one row for each behaviour, with the qualified names of the functions that share it.
//!
//! The effect of a function on files is expressed as a command: `shutil.rmtree(x)` is `rm -rf -- x`. So all that is
//! known about the files of that command holds for the function, too.

mod javascript;
mod perl;
mod php;
mod python;
pub(super) mod returned;
mod ruby;

use super::CodeLanguage;
pub(super) use returned::ReturnValue;

/// A row of a table: library functions with the same effects and the same kind of return value.
pub(super) struct LibraryRow {
    /// The qualified names of the functions: `os.remove`. The name of a method begins with the kind of its receiver:
    /// `path.unlink`.
    pub names: &'static [&'static str],
    pub effects: &'static [CallEffect],
    pub returns: ReturnValue,
}

/// A reference from a row of a table to a value of a call: an argument or the receiver.
#[derive(Clone, Copy)]
pub(super) enum ArgumentRef {
    /// The argument that is passed by position, at this index, or by this name; `""` if it has no name.
    Argument(usize, &'static str),
    /// The object that a method is called on.
    Receiver,
}

/// A word of the command that has the same effect on files as a function.
#[derive(Clone, Copy)]
pub(super) enum EquivalentWord {
    Literal(&'static str),
    Argument(ArgumentRef),
    /// All arguments from an index on, including the elements of lists.
    RemainingArguments(usize),
    /// The files that the program's own arguments name, for functions that read all of them, such as Perl's `<>`.
    ProgramFiles,
}

/// An effect of a call of a library function. Its references are to the arguments of the call.
#[derive(Clone, Copy)]
pub(super) enum CallEffect {
    /// Does to files what the command with these words does.
    LikeCommand(&'static [EquivalentWord]),
    /// Opens the file in the first reference with the mode in the second; without a mode, it is read.
    Open(ArgumentRef, ArgumentRef),
    /// Like `Open`, but the name may also be a command or a URL: `open("|ls")`.
    OpenAny(ArgumentRef, ArgumentRef),
    /// Opens what a Perl `open` with two arguments names: the mode precedes the file (`>x`), and a `|` at either end
    /// marks a command.
    OpenPerl(ArgumentRef),
    /// Opens what a Perl `open` with at least three arguments names; the reference is to the mode.
    OpenPerlMode(ArgumentRef),
    /// Calls a function with each file below some directories: Perl's `find`.
    Find,
    /// Replaces the content of a file (first reference) by a text (second).
    Write(ArgumentRef, ArgumentRef),
    /// Appends to a file (first reference) a text (second).
    Append(ArgumentRef, ArgumentRef),
    /// Runs a list of words as a command, or a text in a shell.
    Run(ArgumentRef),
    /// Runs a text in a shell.
    Shell(ArgumentRef),
    /// Runs a text in a shell of the machine to which the receiver is connected.
    RemoteShell(ArgumentRef),
    /// Runs the arguments from an index on: several are a program and its arguments, a single one is a script for a
    /// shell.
    Command(usize),
    /// Like `Command`, but the command's standard input is unknown, since the program writes to it.
    CommandInput(usize),
    /// Runs a text or a list of words (first reference). Its standard input is unknown if the mode (second) allows
    /// writing: `popen`.
    Pipe(ArgumentRef, ArgumentRef),
    /// Runs a text or a list of words with an unknown standard input; the other references are to its directory and
    /// its environment: `proc_open`.
    Process(ArgumentRef, ArgumentRef, ArgumentRef),
    /// Runs a program as `execv` does. The arguments begin at the index; the value before it is `argv[0]`, or a list
    /// of `argv[0]` and all arguments.
    ReplaceProcess(ArgumentRef, usize),
    /// Runs a program (first reference) with a list of arguments (second), or both in a shell if the call asks for
    /// one: `spawn`.
    Program(ArgumentRef, ArgumentRef),
    /// Runs a file in a new process of the same interpreter.
    Fork(ArgumentRef),
    /// Evaluates a text in the program's own language.
    Evaluate(ArgumentRef),
    /// Evaluates the last argument. The arguments before it are the names of parameters: `new Function("a", code)`.
    EvaluateLast,
    /// Requests a URL.
    Fetch(ArgumentRef),
    /// Connects to a host (first reference) and a port (second).
    Connect(ArgumentRef, ArgumentRef),
    /// Downloads a URL (first reference) into a file (second).
    Download(ArgumentRef, ArgumentRef),
    /// Requests a URL, if the source text of the call contains this word: `CURLOPT_URL`.
    FetchIf(&'static str, ArgumentRef),
    /// Requests the argument, if it is a URL.
    FetchUrl(ArgumentRef),
    /// Sets variables whose names are not known, as PHP's `extract` does: the values of all variables are unknown
    /// from then on.
    SetUnknownVariable,
    /// Sets an environment variable by a text of the form `name=value`: `putenv`.
    PutVariable(ArgumentRef),
    /// Loads a file of the same language as code: PHP's `include`.
    Require(ArgumentRef),
    /// Loads a module as code, if it is a file whose contents are known, such as one that the program wrote.
    Load(ArgumentRef),
    /// Connects to the host in a named argument: `PeerAddr => "host"`.
    ConnectNamed,
    ChangeDirectory(ArgumentRef),
    SetVariable(ArgumentRef, ArgumentRef),
    /// Runs code that the analysis does not see: `pickle.load`, `ctypes.CDLL`.
    RunUnseen,
    /// May do anything to the files that the call names: a method of an unknown object.
    RunNamed,
}

/// Makes a row of a table.
pub(super) const fn row(
    names: &'static [&'static str],
    effects: &'static [CallEffect],
    returns: ReturnValue,
) -> LibraryRow {
    LibraryRow { names, effects, returns }
}

/// Makes a reference to the argument with this index and name; `""` if it has no name.
pub(super) const fn argument(index: usize, name: &'static str) -> ArgumentRef {
    ArgumentRef::Argument(index, name)
}

/// The tables of a language's library, and the names without a row.
struct Library {
    /// The rows, in several lists.
    tables: &'static [&'static [LibraryRow]],
    /// Modules all of whose functions only compute or print, unless a row lists them.
    plain_modules: &'static [&'static str],
    /// Prefixes of the names of functions in the plain modules that may nevertheless have any effect.
    effective: &'static [&'static str],
    /// Functions that only compute or print.
    plain: &'static [&'static str],
    /// Prefixes of the names of functions that only compute or print. They only apply to names without a dot.
    plain_beginnings: &'static [&'static str],
    /// Prefixes of qualified names, each with the prefix that the tables use instead: `posix.` and `os.`.
    aliases: &'static [(&'static str, &'static str)],
    /// Items whose value is a known text: `os.sep` and `/`.
    constants: &'static [(&'static str, &'static str)],
}

/// Returns the tables of a language's library.
fn library(language: CodeLanguage) -> &'static Library {
    match language {
        CodeLanguage::Python => &python::LIBRARY,
        CodeLanguage::JavaScript => &javascript::LIBRARY,
        CodeLanguage::Ruby => &ruby::LIBRARY,
        CodeLanguage::Php => &php::LIBRARY,
        CodeLanguage::Perl => &perl::LIBRARY,
    }
}

/// Returns the row that lists a function; `None` if there is none.
pub(super) fn find_row(language: CodeLanguage, name: &str) -> Option<&'static LibraryRow> {
    library(language).tables.iter().flat_map(|rows| rows.iter()).find(|row| row.names.contains(&name))
}

/// Whether a function only computes or prints, so that a call has no effect that is recorded.
pub(super) fn is_without_effect(language: CodeLanguage, name: &str) -> bool {
    let library = library(language);
    let has_plain_prefix = |beginning: &&str| name.starts_with(*beginning) && !name.contains('.');
    let is_in_module = |module: &&str| {
        // A private item of a module may be another module: `random._os`.
        let rest = name.strip_prefix(*module).filter(|rest| !rest.contains("._"));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':']))
    };
    let has_effects = library.effective.iter().any(|beginning| name.starts_with(beginning));
    library.plain.contains(&name)
        || library.plain_beginnings.iter().any(has_plain_prefix)
        || library.plain_modules.iter().any(is_in_module) && !has_effects
}

/// Returns the qualified name that the tables use for a name: without aliases, and for Node.js without `Sync` at its
/// end.
pub(super) fn canonical(language: CodeLanguage, name: &str) -> String {
    let mut name = name.to_owned();
    if language == CodeLanguage::Python
        && let Some(module) = python::imported_module(&name)
    {
        name = module;
    }
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

/// Returns the text of a constant; `None` for any other name.
pub(super) fn constant(language: CodeLanguage, name: &str) -> Option<&'static str> {
    library(language).constants.iter().find(|(constant, _)| *constant == name).map(|(_, value)| *value)
}
