//! The files that a call reads, writes and deletes.

mod ended;
mod expand;
mod links;
mod made_links;
mod named;
mod places;
mod shell;
mod temporary;
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
    /// The path of the file, or its possible paths.
    pub location: TouchLocation,
    /// The files below it that are touched, too.
    pub reach: TouchReach,
    /// The reason why the file may not be touched; `None` if it certainly is.
    pub doubt: Option<Reason>,
    /// The command that touches the file; `None` if the tool itself does.
    pub command: Option<CommandId>,
    /// Whether `reach` is only a guess, since the tool is unlisted and no record describes the member that names the
    /// file.
    pub guessed: bool,
}

/// The location of a touched file: a path, or a set of paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TouchLocation {
    /// An absolute path, in the form that the caller needs.
    Path(PathBuf),
    /// One of several possible paths, or several of them if the shell may split the word.
    OneOf {
        /// The set of possible paths.
        shape: PathShape,
        /// The reason why the exact path is unknown.
        why: Reason,
        /// The word of the command, for messages.
        word: String,
    },
}

/// The files below a path that are touched along with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TouchReach {
    /// No other files.
    PathOnly,
    /// The existing files below the path that match the glob of a search tool; all of them without a glob.
    MatchingGlob(Option<String>),
    /// The existing files below the path that pass the filter of a program: `grep -r --include='*.rs'`.
    Below(FileFilter),
    /// All paths below the path, whether they exist or not, as in a deletion of the directory.
    Everything,
    /// The paths below the path whose counterparts below this other location exist and pass the filter, as in a copy
    /// of that directory.
    Mirror(Box<TouchLocation>, FileFilter),
    /// Some of the files that exist or may be created below the path, for this reason.
    Part(Reason),
    /// The files that an archive or a patch contains, which is not read, for this reason.
    Packed(Reason),
}

/// The paths in a text whose language is not parsed. The text may touch these files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MentionedPaths {
    /// The paths as they are in the text, absolute or relative.
    pub paths: Vec<String>,
    /// The reason why the effect of the text is unknown.
    pub reason: Reason,
}

/// The files that a call touches.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TouchedFiles<'c> {
    /// The files that the call touches, or may touch.
    pub files: Vec<Cow<'c, TouchedFile>>,
    /// The texts that are not parsed and mention paths, which may be touched, too.
    pub mentioned: Vec<MentionedPaths>,
    /// The reason why the call may also touch any other file; `None` if it does not.
    pub unknown: Option<Reason>,
}

/// The files that a tool itself touches, cached for each verb and form of paths.
#[derive(Default)]
pub(super) struct ToolTouches([[OnceCell<CachedLookup<Vec<TouchedFile>>>; 2]; 4]);

impl ToolTouches {
    /// Returns the cell that caches the touches with this verb, in this form.
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
    /// Makes the certain touch of a file that the input of a tool names.
    fn from_tool(path: PathBuf, reach: TouchReach) -> Self {
        Self { location: TouchLocation::Path(path), reach, doubt: None, command: None, guessed: false }
    }
}

impl Context<'_> {
    /// Returns the files that the call touches with this verb or, in a `where`, those that the selected command
    /// touches.
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

    /// Returns the files that the call touches with this verb, as an allow must see them: every file that the input
    /// seems to name, even if a record of the tool says otherwise.
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
    /// Whether a path is known to be a directory, or a link to one.
    #[must_use]
    pub fn is_directory(&self, path: &Path) -> bool {
        self.directory_exists(path) == Ok(Some(true))
    }
}

/// Whether a path is a device, a descriptor or a network connection, not a file with contents: `/dev/null`,
/// `/dev/tcp/…`.
fn is_device(path: &Path) -> bool {
    const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];
    if !["/dev", "/proc"].iter().any(|above| path.as_os_str().as_encoded_bytes().starts_with(above.as_bytes())) {
        return false;
    }
    DEVICES.iter().any(|device| path == Path::new(device))
        // If the descriptor is open on a known file, the touch of that file is recorded elsewhere.
        || path.to_str().is_some_and(|path| hookrules_shell::files::descriptor_number(path).is_some())
        || ["/dev/tcp", "/dev/udp"].iter().any(|directory| path.starts_with(directory))
}
