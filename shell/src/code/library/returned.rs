//! The return values of library functions, in families: one enum and one file of `returns` for each.

use super::ArgumentRef;

/// The return value of a call.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnValue {
    /// A value without effects.
    Data,
    /// An object without known methods.
    Object,
    Nothing,
    /// Data from the network.
    NetworkData,
    /// An open archive.
    Archive,
    /// The argument itself.
    SameArgument(ArgumentRef),
    /// The argument as text.
    AsText(ArgumentRef),
    /// The arguments of the program.
    ProgramArguments,
    /// An environment variable, or its default.
    EnvironmentVariable(ArgumentRef, ArgumentRef),
    PathObject(ReturnedPath),
    Found(FoundFiles),
    ArgumentText(ReturnedText),
    Decoded(DecodedText),
    ArgumentList(ReturnedList),
    Dictionary(ReturnedDictionary),
    Stream(ReturnedStream),
    Code(ReturnedCode),
}

/// A path, or a part of one.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedPath {
    /// A path object made of its arguments.
    New,
    /// A text: all of its arguments joined to one path.
    Joined,
    /// The parent of a path.
    Parent(ArgumentRef),
    /// The parent of a path object, as a path object.
    ParentPath,
    /// The last component of a path.
    Last(ArgumentRef),
    /// A path with `~` expanded.
    Expanded(ArgumentRef),
    /// A path with `~` expanded, below the second argument if there is one.
    ExpandedIn(ArgumentRef, ArgumentRef),
    /// An absolute path.
    Absolute(ArgumentRef),
    Home,
    HomePath,
    Directory,
    DirectoryPath,
    /// A path with another last component.
    WithName,
    WithSuffix,
    /// A path in the directory for temporary files.
    Temporary,
}

/// The files that a search in a directory finds.
#[derive(Clone, Copy)]
pub(in super::super) enum FoundFiles {
    /// The names in a directory.
    Names,
    /// Values of the same kind below a directory: its path, joined with an unknown rest.
    Below(ArgumentRef),
    /// The triples of a directory walk: the directory, its subdirectories, its files.
    Walk(ArgumentRef),
    /// Paths below a directory that match a pattern.
    Matches(ArgumentRef, ArgumentRef),
    /// The same, in its subdirectories too.
    MatchesBelow(ArgumentRef, ArgumentRef),
    /// Paths that match a glob, as in a shell.
    Glob(ArgumentRef),
}

/// A text made of other texts, or the parts of one.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedText {
    /// Formatted as `str.format` does.
    Formatted,
    /// A format with its values filled in.
    Filled(ArgumentRef),
    /// The elements of a list with a separator between them.
    JoinedBy(ArgumentRef, ArgumentRef),
    /// A text with some part replaced.
    Replaced,
    /// A text without surrounding blanks.
    Stripped,
    /// The words of a text.
    Split,
    /// The words of a text, split as a shell does.
    ShellWords(ArgumentRef),
}

/// A text that is decoded or encoded.
#[derive(Clone, Copy)]
pub(in super::super) enum DecodedText {
    /// A text decoded from base64.
    Base64(ArgumentRef),
    Hex(ArgumentRef),
    /// A text decoded from the encoding that the second argument names; unchanged without one.
    By(ArgumentRef, ArgumentRef),
    /// A percent-decoded text.
    Percent(ArgumentRef),
    /// The path of a `file:` URL.
    FilePath(ArgumentRef),
    /// A URL, resolved against another if there are two.
    Url(ArgumentRef, ArgumentRef),
    /// A text as JSON.
    Json(ArgumentRef),
    /// A list packed into bytes.
    Packed(ArgumentRef, ArgumentRef),
}

/// A list, or elements of one.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedList {
    /// A list of the elements of the argument.
    Listed(ArgumentRef),
    /// One of the elements of a list.
    One(ArgumentRef),
    /// The first element of a list, which is removed from it.
    Shifted(ArgumentRef),
    /// The last element of a list, which is removed from it.
    Popped(ArgumentRef),
    /// Elements of a list, which are removed from it.
    Spliced,
    /// Changes the list or dictionary that it is called on.
    Pushed,
    /// The numbers up to a limit.
    Range,
    /// The results of a callback for each of several values: `map`.
    Mapped(ArgumentRef, ArgumentRef),
    /// The values that a callback selects.
    Filtered(ArgumentRef, ArgumentRef),
    /// The values of a list or dictionary.
    EachValue(ArgumentRef),
    /// The indices or keys, with their values.
    EachItem(ArgumentRef),
}

/// A dictionary, or parts of one.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedDictionary {
    /// A value of a dictionary.
    Got,
    Values,
    Items,
    /// The keys and the values of a dictionary as one list.
    Flattened(ArgumentRef),
    /// A list of alternating keys and values as a dictionary.
    KeysOf(ArgumentRef),
    /// The first argument, with the properties of the others.
    Assigned,
}

/// An open file, or what is read from one or from standard input.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedStream {
    /// A file with this path.
    File(ArgumentRef),
    /// The path of an open file.
    PathOf(ArgumentRef),
    /// The contents of a file.
    Contents(ArgumentRef),
    /// The standard input.
    Input,
    /// A line of standard input.
    Line,
    /// The lines of files.
    Lines,
    /// The contents of the files in the program's arguments, or its standard input.
    OfArguments,
    /// The handle that Perl opens by a text that contains the mode.
    OpenedByText,
    /// The handle that Perl opens by a mode and a name.
    OpenedByMode,
}

/// A module, a function, or what evaluated code returns.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedCode {
    /// The module loader, `require`.
    Loader,
    /// A module by its name.
    Module(ArgumentRef),
    /// A member by its name.
    MemberOf(ArgumentRef, ArgumentRef),
    /// The value of evaluated code: unknown.
    Anything,
    /// A function compiled from source text: calling it yields the value of that text (`new Function(src)`).
    Made,
    /// The result of a callback that runs once a value is available: `then`.
    Then(ArgumentRef),
    /// A function with some arguments already bound.
    Partial,
    /// The current object: `super()`, `this`.
    Receiver,
}

impl ReturnValue {
    /// Whether the call itself calls the function that it is passed.
    pub(in super::super) fn calls_argument(self) -> bool {
        matches!(
            self,
            Self::SameArgument(_)
                | Self::ArgumentList(ReturnedList::Mapped(..) | ReturnedList::Filtered(..))
                | Self::Code(ReturnedCode::Then(_) | ReturnedCode::Partial)
        )
    }
}
