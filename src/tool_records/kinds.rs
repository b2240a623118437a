//! The types of tool records. The build script generates the built-in table with them, and the library parses the
//! records of rules.toml into them.

use std::borrow::Cow;

/// A text in a record: built into the program, or parsed from rules.toml.
pub(crate) type RecordText = Cow<'static, str>;

/// A list in a record: built into the program, or parsed from rules.toml.
pub(crate) type RecordList<T> = Cow<'static, [T]>;

/// Describes one or more tools of a server that take the same input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolRecord {
    /// The source of the record: the name of a built-in file, or `rules.toml`.
    pub origin: RecordText,
    /// The names of the tools: without the server's name (`push`), or in full (`mcp__SERVER__TOOL`).
    pub names: RecordList<RecordText>,
    /// Words that occur in the names of the servers of these tools.
    pub servers: RecordList<RecordText>,
    /// Whether the record applies only if the server's name contains one of [`ToolRecord::servers`].
    pub by_server: bool,
    /// The required members. A call without one of them is a call of another tool with the same name.
    pub needs: RecordList<RecordText>,
    /// The shell commands that are equivalent to a call, in the format of [`super::template`].
    pub commands: RecordList<RecordText>,
    /// The members that the tool uses as files, commands, texts or URLs.
    pub members: RecordList<RecordMember>,
}

/// A member of a tool's input, and how the tool uses it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordMember {
    /// The dotted path of the member, through objects and lists: `files.path`.
    pub path: RecordText,
    /// How the tool uses the member.
    pub usage: MemberUsage,
}

/// What a tool does with a member of its input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MemberUsage {
    /// The tool reads the file.
    Reads,
    /// The tool reads the file, or the files below the directory.
    ReadsBelow,
    /// The tool creates or changes the file.
    Writes,
    /// The tool removes the file, or the directory with its contents.
    Deletes,
    /// The tool only uses the name: it lists the directory, or checks whether the file exists.
    Untouched,
    /// The tool runs the text in a shell.
    Shell,
    /// The tool runs the text as a notebook cell: Python with lines for a shell.
    Cell,
    /// The tool runs the text as JavaScript in a web page.
    Page,
    /// The tool runs commands in the directory.
    Directory,
    /// The tool writes the text to a file.
    Content,
    /// The tool opens the URL.
    Url,
}

impl MemberUsage {
    /// All uses, with their keys in a record.
    pub const KEYS: [(&'static str, Self); 11] = [
        ("reads", Self::Reads),
        ("reads-below", Self::ReadsBelow),
        ("writes", Self::Writes),
        ("deletes", Self::Deletes),
        ("untouched", Self::Untouched),
        ("shell", Self::Shell),
        ("cell", Self::Cell),
        ("page", Self::Page),
        ("directory", Self::Directory),
        ("content", Self::Content),
        ("url", Self::Url),
    ];
}

/// Returns a name in a form for comparison: in lower case, and without the separators of its words.
pub(crate) fn comparable_name(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase())
}
