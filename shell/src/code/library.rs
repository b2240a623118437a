//! Tables of library functions: one row per behaviour, with the qualified names of the functions that share it.
//!
//! The effect of a function on files is expressed as a command: `shutil.rmtree(x)` is `rm -rf -- x`. So everything
//! known of that command's files holds for the function, too.

pub(super) mod javascript;
pub(super) mod perl;
pub(super) mod php;
pub(super) mod python;
pub(super) mod ruby;

use super::Language;

/// Functions with the same behaviour.
pub(super) struct Row {
    /// Their qualified names; for a method, the type of its receiver: `path.unlink`.
    pub names: &'static [&'static str],
    pub does: &'static [Does],
    pub gives: Gives,
}

/// An argument, by its index and by its name if it has one.
#[derive(Clone, Copy)]
pub(super) enum At {
    Argument(usize, &'static str),
    /// The receiver of a method.
    This,
}

/// A word of the equivalent command.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Is(&'static str),
    Of(At),
    /// All arguments from an index on, with lists flattened.
    Rest(usize),
    /// The files in the program's arguments.
    Arguments,
}

/// An effect of a call.
#[derive(Clone, Copy)]
pub(super) enum Does {
    /// Does to files what this command does.
    As(&'static [Part]),
    /// Opens a file with a mode; without one it reads.
    Open(At, At),
    /// Opens something that may be a command or a URL: `open("|ls")`.
    OpenAny(At, At),
    /// Opens in Perl's way: the mode is before the name, `>x`, and a `|` at either end marks a command.
    OpenText(At),
    /// Opens in Perl's way with a separate mode.
    OpenMode(At),
    /// Walks directories and calls a function with each path.
    Find,
    /// Replaces the content of a file by a text.
    Write(At, At),
    /// Appends a text to a file.
    Append(At, At),
    /// Runs a list of words, or a text if the call requests a shell.
    Run(At),
    /// Runs a text in a shell.
    Shell(At),
    /// Runs its arguments from an index on: several are a program and its arguments, a single one is a script.
    Command(usize),
    /// Like `Command`, while the program writes to its standard input.
    Piped(usize),
    /// Runs a text or a list of words, and writes to it if the mode allows that.
    Pipe(At, At),
    /// Runs a text or a list of words, writes to it, and may set the directory and the environment.
    Process(At, At, At),
    /// Replaces the process by a program. Its words begin at this index; the first is its `argv[0]`.
    Become(At, usize),
    /// Runs a program with a list of arguments, or in a shell.
    Program(At, At),
    /// Runs a file in a new process of the same interpreter.
    Fork(At),
    /// Evaluates a text in the program's own language.
    Code(At),
    /// Evaluates its last argument; the parameters' names precede it.
    CodeOf,
    /// Requests a URL.
    Fetch(At),
    /// Connects to a host and port.
    Connect(At, At),
    /// Downloads a URL into a file.
    Download(At, At),
    /// Requests a URL, if the call contains this word.
    FetchIf(&'static str, At),
    /// Requests its argument, if that is a URL.
    FetchUrl(At),
    /// Sets an unknown variable.
    Forget,
    /// Sets an environment variable: `name=value`.
    PutVariable(At),
    /// Loads a file of the same language.
    Require(At),
    /// Loads a module; this only has an effect if the program wrote that file.
    Load(At),
    /// Connects to a host that is passed by name.
    ConnectNamed,
    ChangeDirectory(At),
    SetVariable(At, At),
    /// Runs something unseen.
    Unseen,
}

/// The return value of a call.
#[derive(Clone, Copy)]
pub(super) enum Gives {
    /// A value without effects.
    Data,
    /// An object without known methods.
    Object,
    Nothing,
    /// The argument itself.
    Same(At),
    /// The argument as text.
    Text(At),
    /// A path object made of its arguments.
    Path,
    /// A text: all of its arguments joined to one path.
    Joined,
    /// The parent of a path.
    Parent(At),
    /// The last component of a path.
    Last(At),
    /// A path with `~` expanded.
    Expanded(At),
    /// An absolute path.
    Absolute(At),
    Home,
    HomePath,
    Directory,
    DirectoryPath,
    /// Values of the same kind below a directory: its path, joined with an unknown rest.
    Below(At),
    /// Paths below a directory that match a pattern.
    Matches(At, At),
    /// The same, in its subdirectories too.
    MatchesBelow(At, At),
    /// Paths that match a glob, as in a shell.
    Glob(At),
    /// The names in a directory.
    Names,
    /// The triples of a directory walk: the directory, its subdirectories, its files.
    Walk(At),
    /// A file with this path.
    File(At),
    /// The contents of a file.
    Contents(At),
    /// The standard input.
    Input,
    /// A line of standard input.
    Line,
    /// An open archive.
    Archive,
    /// The lines of files.
    Lines,
    /// Data from the network.
    Network,
    /// The arguments of the program.
    Arguments,
    /// A function compiled from source text: calling it yields the value of that text (`new Function(src)`).
    Made,
    /// An environment variable, or its default.
    Variable(At, At),
    /// The module loader, `require`.
    Loader,
    /// A module by its name.
    Module(At),
    /// A member by its name.
    MemberOf(At, At),
    /// The value of evaluated code: unknown.
    Anything,
    /// A path in the directory for temporary files.
    Temporary,
    /// A list of the argument.
    List(At),
    /// The results of a callback for each of several values: `map`.
    Mapped(At, At),
    /// The values that a callback selects.
    Filtered(At, At),
    /// The result of a callback that runs once a value is available: `then`.
    Then(At),
    /// A function with some arguments already bound.
    Partial,
    /// The current object: `super()`, `this`.
    Receiver,
    /// Formatted as `str.format` does.
    Formatted,
    /// The elements of a list with a separator between them.
    JoinedBy(At, At),
    /// A text with some part replaced.
    Replaced,
    /// A text without surrounding blanks.
    Stripped,
    /// The words of a text.
    Split,
    /// The words of a text, split as a shell does.
    ShellWords(At),
    /// A text decoded from base64.
    Base64(At),
    Hex(At),
    /// A text decoded from the encoding that the second argument names; unchanged without one.
    Decoded(At, At),
    /// A percent-decoded text.
    Percent(At),
    /// The path of a `file:` URL.
    FilePath(At),
    /// A URL, resolved against another if there are two.
    Url(At, At),
    /// A text as JSON.
    Json(At),
    /// The first argument, with the properties of the others.
    Assigned,
    /// Changes the list or dictionary that it is called on.
    Pushed,
    /// A value of a dictionary.
    Got,
    Values,
    Items,
    /// A path with another last component.
    WithName,
    WithSuffix,
    /// The numbers up to a limit.
    Range,
    /// A path with `~` expanded, below the second argument if there is one.
    ExpandedIn(At, At),
    /// The parent of a path object, as a path object.
    ParentPath,
    /// The path of an open file.
    PathOf(At),
    /// One of the elements of a list.
    One(At),
    /// The first element of a list, which is removed from it.
    Shifted,
    /// The last element of a list, which is removed from it.
    Popped,
    /// The same with the list as an argument.
    ShiftedOf(At),
    PoppedOf(At),
    /// The opened handle: of a text that contains the mode, or of a mode and a name.
    Opened,
    OpenedMode,
    /// Elements of a list, which are removed from it.
    Spliced,
    /// The keys and the values of a dictionary as one list.
    Flattened(At),
    /// A list of alternating keys and values as a dictionary.
    KeysOf(At),
    /// The values of a list or dictionary.
    EachValue(At),
    /// The indices or keys, with their values.
    EachItem(At),
    /// The contents of the files in the program's arguments, or its standard input.
    OfArguments,
    /// A format with its values filled in.
    Filled(At),
    /// A list packed into bytes.
    Packed(At, At),
}

/// The argument with this index and name.
pub(super) const fn a(place: usize, name: &'static str) -> At {
    At::Argument(place, name)
}

/// Returns the row of a function.
pub(super) fn row(language: Language, name: &str) -> Option<&'static Row> {
    let tables: &[&[Row]] = match language {
        Language::Python => &[python::ROWS, python::network::ROWS, python::methods::METHODS],
        Language::JavaScript => &[javascript::ROWS, javascript::METHODS],
        Language::Ruby => &[ruby::ROWS, ruby::methods::METHODS],
        Language::Php => &[php::ROWS, php::METHODS],
        Language::Perl => &[perl::ROWS, perl::METHODS],
    };
    tables.iter().flat_map(|rows| rows.iter()).find(|row| row.names.contains(&name))
}

/// Whether a call of this function has no relevant effect: it computes or prints.
pub(super) fn is_plain(language: Language, name: &str) -> bool {
    let (modules, functions) = match language {
        Language::Python => (python::PLAIN_MODULES, python::PLAIN),
        Language::JavaScript => (javascript::PLAIN_MODULES, javascript::PLAIN),
        Language::Ruby => (ruby::PLAIN_MODULES, ruby::PLAIN),
        Language::Php => (php::PLAIN_MODULES, php::PLAIN),
        Language::Perl => (perl::PLAIN_MODULES, perl::PLAIN),
    };
    let begins = |beginning: &&str| name.starts_with(*beginning) && !name.contains('.');
    functions.contains(&name)
        || language == Language::Php && php::PLAIN_BEGINNINGS.iter().any(begins)
        || modules
            .iter()
            .any(|module| name.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':'])))
}

/// Returns the name of a function as used in the table.
pub(super) fn canonical(language: Language, name: &str) -> String {
    let prefixes: &[(&str, &str)] = match language {
        Language::Python => &[
            ("posix.", "os."),
            ("nt.", "os."),
            ("posixpath.", "os.path."),
            ("ntpath.", "os.path."),
            ("builtins.", ""),
            ("__builtins__.", ""),
            ("__builtin__.", ""),
            ("os.environ.", "environment."),
            ("io.open", "open"),
            ("codecs.open", "open"),
            ("sys.modules.", ""),
        ],
        Language::JavaScript => &[
            ("fs.promises", "fs"),
            ("fs-extra", "fs"),
            ("graceful-fs", "fs"),
            ("path.posix.", "path."),
            ("globalThis.", ""),
            ("global.", ""),
            ("window.", ""),
        ],
        Language::Ruby => &[
            ("Kernel.", ""),
            ("this.", ""),
            ("Object.", ""),
            ("IO.", "File."),
            ("Process.spawn", "spawn"),
            ("Process.exec", "exec"),
            ("$stdin", "STDIN"),
            ("FileUtils.Verbose.", "FileUtils."),
        ],
        Language::Php => &[],
        Language::Perl => &[
            ("File::Path::", ""),
            ("File::Copy::", ""),
            ("File::Copy::Recursive::", ""),
            ("File::Find::", ""),
            ("File::Basename::", ""),
            ("File::Temp::", ""),
            ("List::Util::", ""),
            ("File::Spec::Functions::", ""),
        ],
    };
    let mut name = name.to_owned();
    for (from, to) in prefixes {
        if let Some(rest) = name.strip_prefix(from) {
            name = format!("{to}{rest}");
        }
    }
    if language == Language::JavaScript && (name.starts_with("fs.") || name.starts_with("child_process.")) {
        name.truncate(name.strip_suffix("Sync").map_or(name.len(), str::len));
    }
    name
}

/// Returns the value of a constant.
pub(super) fn constant(language: Language, name: &str) -> Option<&'static str> {
    let constants: &[(&str, &str)] = match language {
        Language::Python => &[
            ("os.sep", "/"),
            ("os.path.sep", "/"),
            ("os.curdir", "."),
            ("os.pardir", ".."),
            ("os.devnull", "/dev/null"),
            ("os.linesep", "\n"),
            ("os.name", "posix"),
            ("sys.executable", "python3"),
            ("__name__", "__main__"),
        ],
        Language::JavaScript => {
            &[("path.sep", "/"), ("process.execPath", "node"), ("process.argv0", "node"), ("os.EOL", "\n")]
        }
        Language::Ruby => {
            &[("File.SEPARATOR", "/"), ("File.Separator", "/"), ("File.NULL", "/dev/null"), ("$/", "\n"), ("$,", "")]
        }
        Language::Php => &[
            ("DIRECTORY_SEPARATOR", "/"),
            ("PHP_EOL", "\n"),
            ("PHP_BINARY", "php"),
            ("PHP_OS", "Linux"),
            ("PHP_OS_FAMILY", "Linux"),
        ],
        Language::Perl => &[("$^X", "perl"), ("$/", "\n"), ("$\"", " "), ("$,", "")],
    };
    constants.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
}
