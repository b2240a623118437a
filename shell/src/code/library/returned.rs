//! The return values of library functions, as rows of the tables describe them: one enum, and one file of `returns`,
//! for each family.

use super::ArgumentRef;

/// What a call returns. The references are to the arguments of the call.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnValue {
    /// Unknown data without effects, whose origin is that of the receiver and the arguments.
    Data,
    /// An object whose methods no table lists.
    Object,
    Nothing,
    /// Unknown data from the network.
    NetworkData,
    /// The archive that the call opens: `tarfile.open(x)`.
    Archive,
    /// The argument itself: `Promise.resolve(x)`.
    SameArgument(ArgumentRef),
    /// The argument converted to a text: `str(x)`.
    AsText(ArgumentRef),
    /// An unknown number of the program's arguments: `process.argv.slice(2)`.
    ProgramArguments,
    /// The environment variable that the first argument names. If it is unknown, it may also be the default value, the
    /// second argument.
    EnvironmentVariable(ArgumentRef, ArgumentRef),
    PathObject(ReturnedPath),
    /// The files that a search finds.
    Found(FoundFiles),
    /// A text made of the arguments, or its parts.
    ArgumentText(ReturnedText),
    /// A text that is decoded or encoded.
    Decoded(DecodedText),
    ArgumentList(ReturnedList),
    Dictionary(ReturnedDictionary),
    /// An open file, or what is read from one.
    Stream(ReturnedStream),
    /// A module, a function, or the value of evaluated code.
    Code(ReturnedCode),
}

/// A path, or a part of one. It is a text, unless a variant says that it is a path object.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedPath {
    /// A path object made of the receiver and the arguments.
    New,
    /// The receiver and the arguments joined to one path: a path object if the receiver is one, else a text.
    Joined,
    /// The parent of a path.
    Parent(ArgumentRef),
    /// The parent of the receiver, as a path object.
    ParentPath,
    /// The last component of a path.
    Last(ArgumentRef),
    /// A path in which `~` is expanded; a path object remains one.
    Expanded(ArgumentRef),
    /// A path in which `~` is expanded, joined to the directory in the second reference if there is one:
    /// `File.expand_path`.
    ExpandedIn(ArgumentRef, ArgumentRef),
    /// A path joined to the directory that the program changed to: `os.path.abspath`. It is not absolute if that
    /// directory is not.
    Absolute(ArgumentRef),
    /// The home directory.
    Home,
    /// The home directory, as a path object.
    HomePath,
    /// The working directory.
    Directory,
    /// The working directory, as a path object.
    DirectoryPath,
    /// The receiver with another last component: `path.with_name("x")`.
    WithName,
    /// The receiver with another extension: `path.with_suffix(".bak")`.
    WithSuffix,
    /// A path object for a new file in the directory for temporary files.
    Temporary,
    /// A new file in the directory for temporary files, which is open.
    TemporaryFile,
}

/// The files that a search in a directory finds, as an unknown number of values.
#[derive(Clone, Copy)]
pub(in super::super) enum FoundFiles {
    /// The names in a directory: `os.listdir(d)`.
    Names,
    /// Path objects below a directory: its path, joined with an unknown rest.
    Below(ArgumentRef),
    /// The triples of a directory walk (`os.walk`): the directory, its subdirectories, its files.
    Walk(ArgumentRef),
    /// Path objects below a directory (first reference) that match a pattern (second): `path.glob("*.py")`.
    Matches(ArgumentRef, ArgumentRef),
    /// Like `Matches`, but also in subdirectories: `path.rglob("*.py")`.
    MatchesBelow(ArgumentRef, ArgumentRef),
    /// Paths that match a glob: `glob.glob("src/*.py")`.
    Glob(ArgumentRef),
}

/// A text made of other texts, or the parts of one as a list.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedText {
    /// The receiver with the arguments in place of each `{}`: `"{}".format(x)`.
    Formatted,
    /// A format with the arguments in place of each `%s`: `sprintf`.
    Filled(ArgumentRef),
    /// The elements of a list (second reference) with a separator (first) between them.
    JoinedBy(ArgumentRef, ArgumentRef),
    /// The receiver with one text (first argument) replaced by another (second).
    Replaced(TextReplacement),
    /// The receiver without blanks at some of its ends.
    Stripped(TextEnds),
    /// A text without the blanks with which all of its lines begin: `textwrap.dedent`.
    Dedented(ArgumentRef),
    /// The parts of the receiver.
    Split(TextSplit),
    /// The words of a text, split as a shell does: `shlex.split`.
    ShellWords(ArgumentRef),
}

/// Which occurrences of a text are replaced, and by what.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum TextReplacement {
    /// All of them, by a text without special characters: Python's `replace`, PHP's `str_replace`.
    AllByText,
    /// All of them, by a text in which `$1` and `\\1` have a meaning: JavaScript's `replaceAll`, Ruby's `gsub`.
    AllByTemplate,
    /// The first one, by a text in which `$1` and `\\1` have a meaning: JavaScript's `replace`, Ruby's `sub`.
    FirstByTemplate,
}

/// The ends of a text from which blanks are removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum TextEnds {
    Both,
    Start,
    End,
    /// The newline at the end: `chomp`.
    LastNewline,
}

/// How a text is split into parts. Further arguments, such as a limit, make the parts unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum TextSplit {
    /// At the separator; if the call has none, at blanks: Python's `split`.
    AtBlanks,
    /// At the separator; if the call has none, or it is `" "`, at blanks. Empty parts at the end are dropped: Ruby's
    /// `split`.
    AtBlanksOrSpace,
    /// At the separator; if the call has none, the whole text is one part: JavaScript's `split`, PHP's `explode`.
    AtSeparator,
    /// Into lines without the newlines: Python's `splitlines`.
    Lines,
    /// Into lines with the newlines: Ruby's `lines`.
    LinesWithEnds,
}

/// A text that is decoded or encoded.
#[derive(Clone, Copy)]
pub(in super::super) enum DecodedText {
    /// A text decoded from base64.
    Base64(ArgumentRef),
    /// A text decoded from hexadecimal digits.
    Hex(ArgumentRef),
    /// A text decoded from the encoding that the second reference names; unchanged without one:
    /// `Buffer.from(t, "base64")`.
    By(ArgumentRef, ArgumentRef),
    /// A text decoded from percent-encoding: `%2F` is `/`.
    Percent(ArgumentRef),
    /// The path of a `file:` URL.
    FilePath(ArgumentRef),
    /// A URL; unknown if the call resolves it against another URL, the second reference.
    Url(ArgumentRef, ArgumentRef),
    /// A value encoded as JSON.
    Json(ArgumentRef),
    /// A list packed into bytes by a format, the second reference: Ruby's `pack`.
    Packed(ArgumentRef, ArgumentRef),
    /// A text (first reference) that is unpacked by a format (second): Ruby's `unpack1`.
    Unpacked(ArgumentRef, ArgumentRef),
}

/// A list, or elements of one. Some of the calls also change the list.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedList {
    /// A new list of the elements of the argument: `list(x)`.
    Listed(ArgumentRef),
    /// One of the elements of a list: `list.sample`.
    One(ArgumentRef),
    /// The first element of a list, which is removed from it.
    Shifted(ArgumentRef),
    /// The last element of a list, which is removed from it.
    Popped(ArgumentRef),
    /// Elements of the receiver, which are removed from it: Perl's `splice`.
    Spliced,
    /// One of the arguments, after the call has changed the list or dictionary that it is called on:
    /// `list.append(x)`.
    ChangedReceiver,
    /// The numbers up to a limit: `range(3)`.
    Range,
    /// The results of a function (first reference) for each element of a list (second): `map`.
    Mapped(ArgumentRef, ArgumentRef),
    /// The elements of a list (second reference) that a function (first) selects: `filter`.
    Filtered(ArgumentRef, ArgumentRef),
    /// The values of a dictionary, or the elements of a list and of the lists after it: `array_merge($a, $b)`.
    EachValue(ArgumentRef),
    /// Pairs of each index or key and its value: `foreach ($list as $key => $value)`.
    EachItem(ArgumentRef),
}

/// A dictionary, or parts of one.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedDictionary {
    /// The receiver's value for the key in the first argument, or the default in the second: `d.get(key, default)`.
    ValueOfKey,
    /// The receiver's values.
    Values,
    /// Pairs of the receiver's keys and values.
    Items,
    /// The keys and the values of a dictionary as one list: a Perl hash in list context.
    Flattened(ArgumentRef),
    /// A dictionary made of a list of alternating keys and values: Perl's `{ a => 1 }`.
    FromKeysAndValues(ArgumentRef),
    /// The first argument, to which the call has added the entries of the others: `Object.assign(target, …)`.
    UpdatedTarget,
}

/// An open file, or what is read from a file or from standard input.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedStream {
    /// The file that the call opens, whose path is the argument.
    File(ArgumentRef),
    /// The path of an open file, as a text.
    PathOf(ArgumentRef),
    /// The contents of a file, given the file or its path.
    Contents(ArgumentRef),
    /// All of standard input: `sys.stdin.read()`.
    Input,
    /// A line of standard input: `input()`.
    Line,
    /// An unknown number of unknown lines of a file.
    Lines,
    /// The contents of the files that the program's arguments name, or its standard input if there are none: Perl's
    /// `<>`.
    OfArguments,
    /// The handle that a Perl `open` with two arguments opens. The second contains the mode: `open F, ">x"`.
    OpenedByText,
    /// The handle that a Perl `open` with a separate mode opens: `open F, ">", "x"`.
    OpenedByMode,
}

/// A module, a function, or the value of code that the call evaluates.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedCode {
    /// The function that loads modules, `require`.
    Loader,
    /// The module that the argument names: `import_module("os")`.
    Module(ArgumentRef),
    /// The member of an object (first reference) with a name (second): `getattr(o, "x")`.
    MemberOf(ArgumentRef, ArgumentRef),
    /// The value of the code that the call evaluated; unknown if it evaluated none.
    Anything,
    /// A function compiled from a source text, whose result is the value of that text: `new Function(text)`.
    CompiledFunction,
    /// The result of a function that is called with the receiver: `promise.then(f)`.
    Then(ArgumentRef),
    /// Unknown data in place of a function with bound arguments, `functools.partial(f, x)`: the function is called at
    /// once instead of later.
    Partial,
    /// The object of the current method: `super()`.
    Receiver,
}

impl ReturnValue {
    /// Whether evaluating the return value handles the functions among the arguments, so that they must not be called
    /// in addition: `map` calls them, and `Promise.resolve(f)` returns them uncalled.
    pub(in super::super) fn calls_argument(self) -> bool {
        matches!(
            self,
            Self::SameArgument(_)
                | Self::ArgumentList(ReturnedList::Mapped(..) | ReturnedList::Filtered(..))
                | Self::Code(ReturnedCode::Then(_) | ReturnedCode::Partial)
        )
    }
}
