//! The types of tool records. The build script generates the built-in table with them, and the library parses others.

use std::borrow::Cow;

/// A text, built in or parsed.
pub(crate) type RecordText = Cow<'static, str>;

/// A list, built in or parsed.
pub(crate) type RecordList<T> = Cow<'static, [T]>;

/// A record of the tools of one server that have some names and take the same input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolRecord {
    /// Its source: the name of a built-in file, or `rules.toml`.
    pub origin: RecordText,
    /// Its names, without the server's, or in full (`mcp__SERVER__TOOL`).
    pub names: RecordList<RecordText>,
    /// Words in the names of its servers.
    pub servers: RecordList<RecordText>,
    /// Whether it only applies if the server's name contains one of [`ToolRecord::servers`].
    pub by_server: bool,
    /// The required members; a call without them is one of another tool.
    pub needs: RecordList<RecordText>,
    /// The equivalent commands of a call, in the format of [`super::template`].
    pub commands: RecordList<RecordText>,
    /// The members with a use, as dotted paths through objects and lists.
    pub members: RecordList<RecordMember>,
}

/// A member of a tool's input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordMember {
    /// Its dotted path.
    pub path: RecordText,
    /// Its use.
    pub usage: MemberUsage,
}

/// The use of a member of a tool's input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MemberUsage {
    /// Reads the file.
    Reads,
    /// Reads the file, or the files below the directory.
    ReadsBelow,
    /// Creates or changes the file.
    Writes,
    /// Removes the file, or the directory with its contents.
    Deletes,
    /// Only uses the name: lists the directory, or checks whether the file exists.
    Untouched,
    /// Runs it as shell text.
    Shell,
    /// Runs it as a notebook cell: Python with lines for a shell.
    Cell,
    /// Runs it as JavaScript in a web page.
    Page,
    /// Runs commands in it.
    Directory,
    /// Writes it somewhere.
    Content,
    /// Opens the URL.
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

/// Returns a name in its form for comparison: without letter case and without the separators of its words.
pub(crate) fn comparable_name(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase())
}
