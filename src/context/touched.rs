//! The files that a call reads, writes and deletes.

mod expand;
mod links;
mod named;
mod places;
mod shell;
mod tools;

pub(super) use shell::ShellEffects;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use super::charge::CachedLookup;
use super::{Context, Machine, PathForm, Reason};
use crate::schema::FileInput;
use crate::syntax::ast::FileVerb;
use hookrules_shell::analysis::CommandId;
use hookrules_shell::files::FileFilter;
use hookrules_shell::path::PathShape;

/// A file that a call touches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TouchedFile {
    /// Its location.
    pub location: TouchLocation,
    /// What else is touched along with it.
    pub reach: TouchReach,
    /// Why it may not be touched at all, if that is uncertain.
    pub doubt: Option<Reason>,
    /// The command that touches it.
    pub command: Option<CommandId>,
    /// Whether it is only a guess that files below it are touched too.
    pub guessed: bool,
}

/// The location of a touched file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TouchLocation {
    /// An absolute path, in the form that was asked for.
    Path(PathBuf),
    /// One of these locations or, if the word is subject to splitting, some of them.
    OneOf {
        /// The locations.
        shape: PathShape,
        /// Why the exact location is unknown.
        why: Reason,
        /// The word, for people.
        word: String,
    },
}

/// What is touched along with the path itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TouchReach {
    /// Nothing.
    PathOnly,
    /// Existing files below that match a search tool's own glob.
    MatchingGlob(Option<String>),
    /// Existing files below that pass a program's filter.
    Below(FileFilter),
    /// Everything below, existing or not.
    Everything,
    /// The paths below whose counterparts exist below this other location and pass the filter.
    Mirror(Box<TouchLocation>, FileFilter),
    /// Some of the files that are or could be below.
    Part(Reason),
    /// The contents of an archive or a patch, otherwise unknown.
    Packed(Reason),
}

/// Paths in text of a language that is not parsed; it may touch them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MentionedPaths {
    /// The paths in it, as written.
    pub paths: Vec<String>,
    /// Why its effect is unknown.
    pub reason: Reason,
}

/// The files that a call touches, as far as they are known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TouchedFiles<'c> {
    /// The files.
    pub files: Vec<Cow<'c, TouchedFile>>,
    /// Texts whose files may be touched too.
    pub mentioned: Vec<MentionedPaths>,
    /// Why any other file may be touched, if so.
    pub unknown: Option<Reason>,
}

/// The files that a tool itself touches, by verb and form, cached.
#[derive(Default)]
pub(super) struct ToolTouches([[OnceCell<CachedLookup<Vec<TouchedFile>>>; 2]; 4]);

impl ToolTouches {
    fn cache_cell(&self, verb: FileVerb, form: PathForm) -> &OnceCell<CachedLookup<Vec<TouchedFile>>> {
        let [reads, writes, deletes, sends] = &self.0;
        let [lexical, physical] = match verb {
            FileVerb::Reads => reads,
            FileVerb::Writes => writes,
            FileVerb::Deletes => deletes,
            FileVerb::Sends => sends,
        };
        match form {
            PathForm::Lexical => lexical,
            PathForm::Physical => physical,
        }
    }
}

impl TouchedFile {
    /// Creates the touch of a file that a tool names.
    fn from_tool(path: PathBuf, reach: TouchReach) -> Self {
        Self { location: TouchLocation::Path(path), reach, doubt: None, command: None, guessed: false }
    }
}

impl Context<'_> {
    /// Returns the files that the call touches with this verb; in a `where`, those of the selected command.
    #[must_use]
    pub fn touched_files(&self, verb: FileVerb, form: PathForm) -> TouchedFiles<'_> {
        if let Some(selected) = &self.commands.selected {
            let mut touches = TouchedFiles::default();
            self.machine.add_command_touches(selected.shell, Some(selected.id), verb, form, &mut touches);
            return touches;
        }
        if self.call.has_too_many_files() {
            return TouchedFiles { unknown: Some(Reason::too_many_paths()), ..TouchedFiles::default() };
        }
        let unknown = self.call.has_unreadable_command().then(Reason::unreadable_command);
        let is_meant = |file: &FileInput| match verb {
            FileVerb::Reads => file.reads,
            FileVerb::Writes => file.writes,
            FileVerb::Deletes | FileVerb::Sends => false,
        };
        let unknown = unknown.or_else(|| self.call.unknown_files(is_meant));
        let mut touches = TouchedFiles { unknown, ..TouchedFiles::default() };
        touches.files.extend(self.tool_touches(verb, form).iter().map(Cow::Borrowed));
        if let Some(shell) = self.shell_text() {
            self.machine.add_command_touches(shell, None, verb, form, &mut touches);
        }
        touches
    }

    /// Returns the files that the call touches with this verb, as an allow sees them: without the tool's records.
    #[must_use]
    pub fn touched_files_for_allow(&self, verb: FileVerb, form: PathForm) -> TouchedFiles<'_> {
        if self.commands.selected.is_some() || self.call.has_too_many_files() || !self.call.has_tool_record() {
            return self.touched_files(verb, form);
        }
        let unknown = self.call.has_unreadable_command().then(Reason::unreadable_command);
        let files = self.touches_by_input_shape(verb, form).into_iter().map(Cow::Owned).collect();
        TouchedFiles { files, mentioned: Vec::new(), unknown }
    }
}

impl Machine<'_> {
    /// Whether a path is known to be a directory.
    #[must_use]
    pub fn is_directory(&self, path: &Path) -> bool {
        self.directory_exists(path) == Ok(Some(true))
    }
}

/// Whether a path is a device rather than a file with contents.
fn is_device(path: &Path) -> bool {
    const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];
    if !["/dev", "/proc"].iter().any(|above| path.as_os_str().as_encoded_bytes().starts_with(above.as_bytes())) {
        return false;
    }
    DEVICES.iter().any(|device| path == Path::new(device))
        // A descriptor with a known file also counts as a touch of that file.
        || path.to_str().is_some_and(|path| hookrules_shell::files::descriptor_number(path).is_some())
        || ["/dev/tcp", "/dev/udp"].iter().any(|directory| path.starts_with(directory))
}
