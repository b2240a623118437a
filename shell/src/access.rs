//! What a command does to a file: in which way, how far, and whether for certain.

use std::rc::Rc;

use crate::word::{Unknown, Word};

/// An access of a command to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileAccess {
    /// In which way.
    pub verb: Verb,
    /// The path, relative to [`Simple::cwd`](crate::Simple::cwd) where it does not begin with a `/`. A `~` in it is a name like any other.
    pub path: Word,
    /// How far it reaches.
    pub extent: Extent,
    /// Whether it happens at all.
    pub certainty: Certainty,
}

/// What happens to a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verb {
    /// Its contents are read, or it gets another name under which they can be.
    Reads,
    /// It is made or changed; its mode and owner belong to it.
    Writes,
    /// It is removed, or gets another name.
    Deletes,
    /// Its contents leave over the network.
    Sends,
}

impl Verb {
    /// Returns the word for it, as policies write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Deletes => "deletes",
            Self::Sends => "sends",
        }
    }
}

/// How far an access reaches beyond the path itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Not at all.
    Alone,
    /// To what exists below and passes the filter. With a filter the path itself has to pass it too.
    Below(Filter),
    /// To everything below, whether it exists or not: a deletion leaves nothing.
    Whole,
    /// Below it come the names that lie below this other path now and pass the filter: a copied or moved directory.
    Mirror(Word, Filter),
    /// To some of what is or could be below; which is not known.
    Part(Unknown),
}

/// Which files a program picks by itself. All that it is given share the globs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Globs of names, of which one has to match; none: every name does.
    pub only: Rc<[String]>,
    /// Globs of names, of which none may match, neither the file's nor a directory's above it.
    pub except: Rc<[String]>,
    /// What it makes of names that begin with a dot.
    pub hidden: Skipped,
    /// What it makes of files that git is told to ignore.
    pub ignored: Skipped,
    /// What it makes of directories: with this the path itself is none of what it picks where it is one.
    pub directories: Skipped,
}

/// Whether a program passes over files of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Skipped {
    /// It takes them as any other.
    #[default]
    No,
    /// It passes over them, unless they are named.
    Yes,
}

/// Whether an access happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// It does.
    Sure,
    /// It depends.
    Maybe(Unknown),
    /// It does where the directory that holds the path exists: the path is what a file becomes that is copied there.
    InDirectory,
    /// It does where there is such a file: git takes a word for one then, and refuses it where a revision is called so too.
    /// Else it depends.
    WherePresent(Unknown),
}

impl Certainty {
    /// Tells whether it does, now or where such a file is there.
    pub(super) fn is_sure_where_present(&self) -> bool {
        matches!(self, Self::Sure | Self::WherePresent(_))
    }
}
