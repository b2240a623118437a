//! What a record of a tool holds. The build script makes the built-in table of these types, the library reads more.

use std::borrow::Cow;

/// A text of the built-in table, or one that was read.
pub(crate) type Text = Cow<'static, str>;

/// A list of the built-in table, or one that was read.
pub(crate) type List<T> = Cow<'static, [T]>;

/// What is known of the tools of one server that go by some names and take the same input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolRecord {
    /// Where it is written: the name of a built-in file, `rules.toml` for the others.
    pub origin: Text,
    /// Its names, without the server's, or in full (`mcp__SERVER__TOOL`).
    pub names: List<Text>,
    /// Words of the names of its servers.
    pub servers: List<Text>,
    /// Whether it is only meant where the server's name has one of [`ToolRecord::servers`].
    pub by_server: bool,
    /// The members without which a call is one of another tool.
    pub needs: List<Text>,
    /// The commands that a call comes to, as [`super::template`] reads them.
    pub commands: List<Text>,
    /// The members that it does something with, as dotted paths through objects and lists.
    pub members: List<Member>,
}

/// A member of a tool's input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Where it is: names with dots between them.
    pub path: Text,
    /// What becomes of it.
    pub usage: Usage,
}

/// What a tool does with a member of its input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Usage {
    /// Reads the file.
    Reads,
    /// Reads the file, or the files below the directory.
    ReadsBelow,
    /// Creates or changes the file.
    Writes,
    /// Removes the file, or the directory with what is below.
    Deletes,
    /// Looks at the name alone: lists the directory, or tells whether the file is there.
    Untouched,
    /// Runs it as shell text.
    Shell,
    /// Runs it as a cell of a notebook: Python with lines for a shell.
    Cell,
    /// Runs it as JavaScript in a page of a browser.
    Page,
    /// Runs commands there.
    Directory,
    /// Writes it somewhere.
    Content,
    /// Opens the URL.
    Url,
}

impl Usage {
    /// Every use, and the key of a record that says so.
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

/// Returns a name as names are compared: without regard to letter case and to what stands between its words.
pub(crate) fn folded(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase())
}
