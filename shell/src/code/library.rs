//! What the functions of libraries do, as data: a row for those that do the same, by their whole names.
//!
//! What a function does to files is told by the command that does the same: `shutil.rmtree(x)` is `rm -rf -- x`. So what
//! is known of that command's files holds for it too.

pub(super) mod javascript;
pub(super) mod perl;
pub(super) mod php;
pub(super) mod python;
pub(super) mod ruby;

use super::Language;

/// Functions that do the same.
pub(super) struct Row {
    /// Their whole names; of a method, what it is a method of: `path.unlink`.
    pub names: &'static [&'static str],
    pub does: &'static [Does],
    pub gives: Gives,
}

/// Which argument: its place, and its name where it has one.
#[derive(Clone, Copy)]
pub(super) enum At {
    Argument(usize, &'static str),
    /// The value that a method is called of.
    This,
}

/// A word of a command that does the same.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Is(&'static str),
    Of(At),
    /// All arguments from one on, and what lists among them have.
    Rest(usize),
    /// The files that the program is called with.
    Arguments,
}

/// What a call does.
#[derive(Clone, Copy)]
pub(super) enum Does {
    /// To files, what this command does.
    As(&'static [Part]),
    /// It opens a file in a mode; without one it reads.
    Open(At, At),
    /// The same of what may be a command or a URL: `open("|ls")`.
    OpenAny(At, At),
    /// The same in Perl's way: the mode stands in front of the name, `>x`, and a `|` at either end is a command's.
    OpenText(At),
    /// The same with the mode on its own.
    OpenMode(At),
    /// It goes through directories and calls a function with what lies below.
    Find,
    /// It makes a file hold a text.
    Write(At, At),
    /// It puts a text behind what a file holds.
    Append(At, At),
    /// It runs a list of words, or a text where it is told so.
    Run(At),
    /// It has a shell run a text.
    Shell(At),
    /// It runs its arguments from one on: several are a program and its words, one alone is a text for a shell.
    Command(usize),
    /// The same, while the program writes to it.
    Piped(usize),
    /// It runs a text or a list of words, and writes to it in a mode that says so.
    Pipe(At, At),
    /// It runs a text or a list of words, writes to it, and may say where and in which environment.
    Process(At, At, At),
    /// It becomes a program, whose words begin at this place, and which is called by the first of them.
    Become(At, usize),
    /// It runs a program with a list of words, or in a shell.
    Program(At, At),
    /// It runs a file in a new process of the same interpreter.
    Fork(At),
    /// It runs a text in its own language.
    Code(At),
    /// The same of its last argument, behind the names of parameters.
    CodeOf,
    /// It gets what a URL leads to.
    Fetch(At),
    /// It talks to a host, at a port.
    Connect(At, At),
    /// It gets a URL's content into a file.
    Download(At, At),
    /// The same, where the call has this word.
    FetchIf(&'static str, At),
    /// It gets what it is given, where that is a URL.
    FetchUrl(At),
    /// It sets any variable.
    Forget,
    /// It sets a variable of the environment: `name=value`.
    PutVariable(At),
    /// It loads a file of the same language.
    Require(At),
    /// It loads a module, which counts where the text wrote it.
    Load(At),
    /// It talks to a host that names among the arguments say.
    ConnectNamed,
    ChangeDirectory(At),
    SetVariable(At, At),
    /// It runs what is not seen.
    Unseen,
}

/// What a call comes to.
#[derive(Clone, Copy)]
pub(super) enum Gives {
    /// What no effect comes from.
    Data,
    /// Something of whose methods nothing is known.
    Object,
    Nothing,
    /// What it was given there.
    Same(At),
    /// A text, of what it was given.
    Text(At),
    /// A path object of its arguments.
    Path,
    /// A text with all of its arguments as one path.
    Joined,
    /// The path without its last part.
    Parent(At),
    /// The path's last part.
    Last(At),
    /// The path with `~` replaced.
    Expanded(At),
    /// An absolute path.
    Absolute(At),
    Home,
    HomePath,
    Directory,
    DirectoryPath,
    /// Values of the kind that stands below a directory: its path and something behind it.
    Below(At),
    /// Paths that match a pattern below a directory.
    Matches(At, At),
    /// The same, in the directories below it too.
    MatchesBelow(At, At),
    /// Paths as a shell's glob makes them.
    Glob(At),
    /// The names in a directory.
    Names,
    /// What walks through a directory gives: the directory, the directories in it, the files in it.
    Walk(At),
    /// A file of this path.
    File(At),
    /// What a file holds.
    Contents(At),
    /// What comes on standard input.
    Input,
    /// A line of it.
    Line,
    /// An archive that is open.
    Archive,
    /// The lines of files.
    Lines,
    /// What the network sends.
    Network,
    /// The words that the program was called with.
    Arguments,
    /// A function that comes to what the code comes to that it is made of.
    Made,
    /// A variable of the environment, else what stands there.
    Variable(At, At),
    /// What loads modules.
    Loader,
    /// A module by its name.
    Module(At),
    /// A member by its name.
    MemberOf(At, At),
    /// What code comes to that is evaluated: nobody knows.
    Anything,
    /// Something in the directory for temporary files.
    Temporary,
    /// A list of what it was given.
    List(At),
    /// What the function gives that it is called with for each of several: `map`.
    Mapped(At, At),
    /// Those of some values that a function chooses.
    Filtered(At, At),
    /// What the function gives that it is called with, once a value is there.
    Then(At),
    /// The function with some of its arguments.
    Partial,
    /// What it was given is one: `super()`, `this`.
    Receiver,
    /// Formatted as `str.format` does.
    Formatted,
    /// The texts of a list with one between them.
    JoinedBy(At, At),
    /// A text with one part replaced.
    Replaced,
    /// A text without blanks around it.
    Stripped,
    /// The words of a text.
    Split,
    /// The words of a text as a shell splits them.
    ShellWords(At),
    /// A text that is decoded from base64.
    Base64(At),
    Hex(At),
    /// A text that is decoded from what the second argument names; without one it is taken as it is.
    Decoded(At, At),
    /// A text in which `%2e` stands for a dot.
    Percent(At),
    /// The path that a `file:` URL names.
    FilePath(At),
    /// A URL, within another where there is a second one.
    Url(At, At),
    /// A text as JSON has it.
    Json(At),
    /// The first argument, with what the others have.
    Assigned,
    /// It changes the list or the keys that it is a method of.
    Pushed,
    /// One of the values behind keys.
    Got,
    Values,
    Items,
    /// The path with another last part.
    WithName,
    WithSuffix,
    /// Numbers up to one.
    Range,
    /// A path, below a directory where there is a second argument, with `~` replaced.
    ExpandedIn(At, At),
    /// The directory of a path object.
    ParentPath,
    /// The path of a file that is open.
    PathOf(At),
    /// One of the values of a list.
    One(At),
    /// The first value of a list, which it takes out of it.
    Shifted,
    /// The last one.
    Popped,
    /// The same of an argument.
    ShiftedOf(At),
    PoppedOf(At),
    /// What was opened: by a text with its mode, by a mode and a name.
    Opened,
    OpenedMode,
    /// Some of the values of a list, which are taken out of it.
    Spliced,
    /// The keys and the values of keys as one list.
    Flattened(At),
    /// A list as keys and values.
    KeysOf(At),
    /// The values of a list or behind keys.
    EachValue(At),
    /// The places or keys, and the values behind them.
    EachItem(At),
    /// What the files hold that the program was called with, or its standard input.
    OfArguments,
    /// A format that is filled in.
    Filled(At),
    /// A list that is packed into bytes.
    Packed(At, At),
}

/// The first argument, and so on.
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

/// Tells whether nothing happens that counts when a function is called: it computes or prints.
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

/// Returns the name that the table has for a function.
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
