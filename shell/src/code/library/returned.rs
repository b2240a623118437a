//! The return values of library functions, in families: one enum and one file of `returns` for each.

use super::At;

/// The return value of a call.
#[derive(Clone, Copy)]
pub(in super::super) enum Gives {
    /// A value without effects.
    Data,
    /// An object without known methods.
    Object,
    Nothing,
    /// Data from the network.
    Network,
    /// An open archive.
    Archive,
    /// The argument itself.
    Same(At),
    /// The argument as text.
    AsText(At),
    /// The arguments of the program.
    Arguments,
    /// An environment variable, or its default.
    Variable(At, At),
    Path(ReturnedPath),
    Found(FoundFiles),
    Text(ReturnedText),
    Decoded(DecodedText),
    List(ReturnedList),
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
    Parent(At),
    /// The parent of a path object, as a path object.
    ParentPath,
    /// The last component of a path.
    Last(At),
    /// A path with `~` expanded.
    Expanded(At),
    /// A path with `~` expanded, below the second argument if there is one.
    ExpandedIn(At, At),
    /// An absolute path.
    Absolute(At),
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
    Below(At),
    /// The triples of a directory walk: the directory, its subdirectories, its files.
    Walk(At),
    /// Paths below a directory that match a pattern.
    Matches(At, At),
    /// The same, in its subdirectories too.
    MatchesBelow(At, At),
    /// Paths that match a glob, as in a shell.
    Glob(At),
}

/// A text made of other texts, or the parts of one.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedText {
    /// Formatted as `str.format` does.
    Formatted,
    /// A format with its values filled in.
    Filled(At),
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
}

/// A text that is decoded or encoded.
#[derive(Clone, Copy)]
pub(in super::super) enum DecodedText {
    /// A text decoded from base64.
    Base64(At),
    Hex(At),
    /// A text decoded from the encoding that the second argument names; unchanged without one.
    By(At, At),
    /// A percent-decoded text.
    Percent(At),
    /// The path of a `file:` URL.
    FilePath(At),
    /// A URL, resolved against another if there are two.
    Url(At, At),
    /// A text as JSON.
    Json(At),
    /// A list packed into bytes.
    Packed(At, At),
}

/// A list, or elements of one.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedList {
    /// A list of the elements of the argument.
    Listed(At),
    /// One of the elements of a list.
    One(At),
    /// The first element of a list, which is removed from it.
    Shifted(At),
    /// The last element of a list, which is removed from it.
    Popped(At),
    /// Elements of a list, which are removed from it.
    Spliced,
    /// Changes the list or dictionary that it is called on.
    Pushed,
    /// The numbers up to a limit.
    Range,
    /// The results of a callback for each of several values: `map`.
    Mapped(At, At),
    /// The values that a callback selects.
    Filtered(At, At),
    /// The values of a list or dictionary.
    EachValue(At),
    /// The indices or keys, with their values.
    EachItem(At),
}

/// A dictionary, or parts of one.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedDictionary {
    /// A value of a dictionary.
    Got,
    Values,
    Items,
    /// The keys and the values of a dictionary as one list.
    Flattened(At),
    /// A list of alternating keys and values as a dictionary.
    KeysOf(At),
    /// The first argument, with the properties of the others.
    Assigned,
}

/// An open file, or what is read from one or from standard input.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedStream {
    /// A file with this path.
    File(At),
    /// The path of an open file.
    PathOf(At),
    /// The contents of a file.
    Contents(At),
    /// The standard input.
    Input,
    /// A line of standard input.
    Line,
    /// The lines of files.
    Lines,
    /// The contents of the files in the program's arguments, or its standard input.
    OfArguments,
    /// The opened handle: of a text that contains the mode, or of a mode and a name.
    Opened,
    OpenedMode,
}

/// A module, a function, or what evaluated code returns.
#[derive(Clone, Copy)]
pub(in super::super) enum ReturnedCode {
    /// The module loader, `require`.
    Loader,
    /// A module by its name.
    Module(At),
    /// A member by its name.
    MemberOf(At, At),
    /// The value of evaluated code: unknown.
    Anything,
    /// A function compiled from source text: calling it yields the value of that text (`new Function(src)`).
    Made,
    /// The result of a callback that runs once a value is available: `then`.
    Then(At),
    /// A function with some arguments already bound.
    Partial,
    /// The current object: `super()`, `this`.
    Receiver,
}

impl Gives {
    /// Whether the call itself calls the function that it is passed.
    pub(in super::super) fn calls_argument(self) -> bool {
        matches!(
            self,
            Self::Same(_)
                | Self::List(ReturnedList::Mapped(..) | ReturnedList::Filtered(..))
                | Self::Code(ReturnedCode::Then(_) | ReturnedCode::Partial)
        )
    }
}
