//! The files that a call reads, writes and deletes.

mod expand;
mod links;
mod named;
mod places;
mod shell;
mod tools;

pub(super) use shell::Effects;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use super::charge::Kept;
use super::{Context, Form, Reason};
use crate::schema::FileInput;
use crate::syntax::ast::FileVerb;
use hookrules_shell::path::Shape;
use hookrules_shell::{CommandId, Filter};

/// A file that a call touches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touched {
    /// Where it lies.
    pub at: At,
    /// What is touched beside it.
    pub reach: Reach,
    /// Why it may not be touched at all.
    pub doubt: Option<Reason>,
    /// The command that touches it.
    pub by: Option<CommandId>,
    /// That what lies below is touched too is a guess.
    pub guessed: bool,
}

/// Where a touched file lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// There: absolute, in the form that was asked for.
    Path(PathBuf),
    /// At one of these places, or, where the word is several, at some of them.
    Among {
        /// The places.
        shape: Shape,
        /// Why it is not known which.
        why: Reason,
        /// The word, for people.
        word: String,
    },
}

/// What is touched beside the path itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Nothing.
    Alone,
    /// What exists below and matches a search tool's own glob.
    Matching(Option<String>),
    /// What exists below and passes a program's filter.
    Below(Filter),
    /// What is below, whether it exists or not.
    Whole,
    /// What has the names below that lie below this other path now and pass the filter.
    Mirror(Box<At>, Filter),
    /// Some of what is or could be below.
    Part(Reason),
    /// What an archive or a patch brings, of which that is all that is known.
    Packed(Reason),
}

/// Text that may touch what it names, in a language that is not parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mentioned {
    /// The paths in it, as written.
    pub paths: Vec<String>,
    /// Why it is not known.
    pub why: Reason,
}

/// What a call touches, as far as it is known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Touches<'c> {
    /// These.
    pub files: Vec<Cow<'c, Touched>>,
    /// Maybe those that are named in here.
    pub mentioned: Vec<Mentioned>,
    /// Maybe any.
    pub unknown: Option<Reason>,
}

/// The files that a tool itself touches, by how and in which form, as they were first found.
#[derive(Default)]
pub(super) struct ByTool([[OnceCell<Kept<Vec<Touched>>>; 2]; 4]);

impl ByTool {
    fn cell(&self, verb: FileVerb, form: Form) -> &OnceCell<Kept<Vec<Touched>>> {
        let [reads, writes, deletes, sends] = &self.0;
        let [lexical, physical] = match verb {
            FileVerb::Reads => reads,
            FileVerb::Writes => writes,
            FileVerb::Deletes => deletes,
            FileVerb::Sends => sends,
        };
        match form {
            Form::Lexical => lexical,
            Form::Physical => physical,
        }
    }
}

impl Touched {
    /// A file that a tool names.
    fn of_tool(path: PathBuf, reach: Reach) -> Self {
        Self { at: At::Path(path), reach, doubt: None, by: None, guessed: false }
    }
}

impl Context<'_> {
    /// Tells whether a directory is known to lie there.
    #[must_use]
    pub fn is_directory(&self, path: &Path) -> bool {
        self.directory_exists(path) == Ok(Some(true))
    }

    /// Returns the files that the call touches in the way of the verb; in a `where`, the command at hand.
    #[must_use]
    pub fn touched(&self, verb: FileVerb, form: Form) -> Touches<'_> {
        if let Some(selected) = &self.selected {
            let mut touches = Touches::default();
            self.by_command(selected.shell, Some(selected.id), verb, form, &mut touches);
            return touches;
        }
        if self.names_too_much() {
            return Touches { unknown: Some(Reason::too_many_paths()), ..Touches::default() };
        }
        let unknown = self.has_unreadable_command().then(Reason::unreadable_command);
        let is_meant = |file: &FileInput| match verb {
            FileVerb::Reads => file.reads,
            FileVerb::Writes => file.writes,
            FileVerb::Deletes | FileVerb::Sends => false,
        };
        let unknown = unknown.or_else(|| self.unknown_files(is_meant));
        let mut touches = Touches { unknown, ..Touches::default() };
        touches.files.extend(self.of_tool(verb, form).iter().map(Cow::Borrowed));
        if let Some(shell) = self.shell_text() {
            self.by_command(shell, None, verb, form, &mut touches);
        }
        touches
    }

    /// Returns the files that the call touches in the way of the verb, for a vote that lets it go ahead.
    #[must_use]
    pub fn touched_for_allow(&self, verb: FileVerb, form: Form) -> Touches<'_> {
        if self.selected.is_some() || self.names_too_much() || !self.has_tool_record() {
            return self.touched(verb, form);
        }
        let unknown = self.has_unreadable_command().then(Reason::unreadable_command);
        let files = self.by_shape(verb, form).into_iter().map(Cow::Owned).collect();
        Touches { files, mentioned: Vec::new(), unknown }
    }
}

/// Tells whether a path names a device that is no file of anybody's.
fn is_device(path: &Path) -> bool {
    const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];
    if !["/dev", "/proc"].iter().any(|above| path.as_os_str().as_encoded_bytes().starts_with(above.as_bytes())) {
        return false;
    }
    DEVICES.iter().any(|device| path == Path::new(device))
        // The file of a descriptor is touched too, where it is known that it has one.
        || path.to_str().is_some_and(|path| hookrules_shell::descriptor_number(path).is_some())
        || ["/dev/tcp", "/dev/udp"].iter().any(|directory| path.starts_with(directory))
}
