//! Where a call works: the paths that it touches, and the directories of its commands.

use std::path::{Path, PathBuf};

use super::touched::TouchedFiles;
use super::{Context, Machine, PathForm, ShellText, TouchLocation, TouchReach, TouchedFile};
use crate::schema::{ToolSpec, tool_spec};
use crate::syntax::ast::FileVerb;
use hookrules_shell::Programs;
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::files::Verb;
use hookrules_shell::path::normalise;
use hookrules_shell::word::Directory;

/// The verbs of which a touched file is counted; what is sent is also read.
const VERBS: [FileVerb; 3] = [FileVerb::Reads, FileVerb::Writes, FileVerb::Deletes];

/// The most directories from which an unknown one is reached that are considered.
const MAX_STARTS: usize = 8;

/// Where a call works, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkPlaces {
    /// The paths that the call touches, with their links, and the directories of its commands.
    pub paths: Vec<PathBuf>,
    /// The directories of which it changes everything, or a part.
    pub changed_directories: Vec<PathBuf>,
}

impl Context<'_> {
    /// Returns where the call works.
    #[must_use]
    pub fn work_places(&self) -> WorkPlaces {
        let mut places = WorkPlaces::default();
        match self.shell_text() {
            Some(shell) => self.add_commands(shell, &mut places),
            None if self.call.tool_name.and_then(tool_spec).is_some_and(touches_only_named_files) => {
                let named = self.call.input_paths();
                // A tool for files resolves `..` before it follows a link.
                places.paths.extend(named.iter().map(|path| self.absolute(path, PathForm::Lexical)));
            }
            None => VERBS.into_iter().for_each(|verb| self.add_touches(verb, &mut places)),
        }
        // Each is listed with all below it.
        places.changed_directories.sort_unstable();
        places.changed_directories.dedup();
        places
    }

    /// Whether a command certainly touches a file in a directory, or everything below a directory that contains it.
    #[must_use]
    pub fn touches_below(&self, shell: &ShellText, id: CommandId, directory: &Path) -> bool {
        let find = || {
            let effects = self.machine.effects(shell, PathForm::Lexical).iter();
            let touching = effects.filter(|(_, file)| self.machine.is_touched_below(file, directory));
            touching.filter_map(|(_, file)| file.command.map(CommandId::index)).collect()
        };
        let mut known = shell.effects.below.borrow_mut();
        known.entry(directory.to_path_buf()).or_insert_with(find).contains(&id.index())
    }

    fn add_commands(&self, shell: &ShellText, places: &mut WorkPlaces) {
        for form in forms_of(&shell.text) {
            let effects = self.machine.effects(shell, *form);
            effects.iter().for_each(|(verb, file)| places.add_file(file, *verb != Verb::Reads));
        }
        // Code that cannot be read may mention files.
        if !shell.analysis.opaque.is_empty() || self.call.has_possible_command() {
            VERBS.into_iter().for_each(|verb| self.add_touches(verb, places));
        }
        let mut moves = PossibleMoves::default();
        for (_, command) in shell.analysis.iter().chain(shell.analysis.scripts()) {
            self.add_partly_known_words(command, places);
            if command.only_moves() {
                moves.add(command, self.machine.home());
                continue;
            }
            let directories = [&command.cwd, &command.working_directory(&Programs::new())];
            moves.is_needed |= directories.iter().any(|directory| matches!(directory, Directory::Unknown(_)));
            directories.into_iter().for_each(|directory| places.add_directory(directory));
        }
        if moves.is_needed {
            places.paths.append(&mut moves.entered);
            places.changed_directories.append(&mut moves.above);
        }
    }

    /// Adds the directories with which words of a command begin whose rest is unknown: `api` of `api/$FILE`. Where the
    /// shell may split such a word, its files may be anywhere.
    fn add_partly_known_words(&self, command: &SimpleCommand, places: &mut WorkPlaces) {
        let Directory::Known(cwd) = &command.cwd else { return };
        let words = command.words.iter().chain(command.redirects.iter().map(|redirect| &*redirect.target));
        for word in words.filter(|word| word.known_text().is_none()) {
            let beginning = word.prefix().rsplit('=').next().unwrap_or_default();
            if let Some((directory, _)) = beginning.rsplit_once('/') {
                places.paths.push(normalise(&format!("{directory}/"), cwd, self.machine.home()));
            }
        }
    }

    fn add_touches(&self, verb: FileVerb, places: &mut WorkPlaces) {
        let TouchedFiles { files, mentioned, .. } = self.touched_files(verb, PathForm::Lexical);
        files.iter().for_each(|file| places.add_file(file, verb != FileVerb::Reads));
        let mentioned = mentioned.iter().flat_map(|said| &said.paths);
        places.paths.extend(mentioned.map(|path| self.absolute(path, PathForm::Lexical)));
    }
}

impl Machine<'_> {
    fn is_touched_below(&self, file: &TouchedFile, directory: &Path) -> bool {
        let TouchLocation::Path(path) = &file.location else { return false };
        let contains_it = || file.reach != TouchReach::PathOnly && self.is_in_directory(path, directory);
        file.doubt.is_none() && (self.is_in_directory(directory, path) || contains_it())
    }
}

impl WorkPlaces {
    fn add_file(&mut self, file: &TouchedFile, is_change: bool) {
        self.paths.push(known_path(file));
        if is_change {
            self.changed_directories.extend(changed_directory(file));
        }
    }

    /// Adds a directory, unless it is unknown or was added last.
    fn add_directory(&mut self, directory: &Directory) {
        if let Directory::Known(path) = directory
            && self.paths.last() != Some(path)
        {
            self.paths.push(path.clone());
        }
    }
}

/// The directories that the commands which only change the directory may enter: where it is unknown in which directory a
/// command runs, it may be one of these, as in `test -d api && cd api; npm publish`.
#[derive(Default)]
struct PossibleMoves {
    /// The directories that are named.
    entered: Vec<PathBuf>,
    /// The directories above those of which only the beginning is known: `packages` of `cd packages/*`.
    above: Vec<PathBuf>,
    /// Whether the directory of a command is unknown.
    is_needed: bool,
}

impl PossibleMoves {
    /// Adds the directories that a command may enter, from where it is or from those that were entered before.
    fn add(&mut self, command: &SimpleCommand, home: Option<&Path>) {
        let from: Vec<PathBuf> = match &command.cwd {
            Directory::Known(cwd) => vec![cwd.clone()],
            Directory::Unknown(_) => self.entered.iter().take(MAX_STARTS).cloned().collect(),
        };
        for word in command.words.iter().skip(1) {
            let (path, list) = match (word.known_text(), word.prefix().rsplit_once('/')) {
                (Some(path), _) => (path, &mut self.entered),
                (None, Some((directory, _))) => (directory, &mut self.above),
                (None, None) => continue,
            };
            list.extend(from.iter().map(|from| normalise(path, from, home)));
        }
    }
}

/// Returns the forms in which the paths of a shell text may differ: `link/..` is not the directory of `link`.
fn forms_of(text: &str) -> &'static [PathForm] {
    if text.contains("/..") { &[PathForm::Lexical, PathForm::Physical] } else { &[PathForm::Lexical] }
}

/// Whether a tool touches exactly the files that its input names, not those below them or that match a glob.
fn touches_only_named_files(tool: &ToolSpec) -> bool {
    !tool.files.iter().any(|file| file.recursive || file.glob)
}

/// Returns the path of a touched file, or the directory that it is certainly below.
fn known_path(file: &TouchedFile) -> PathBuf {
    match &file.location {
        TouchLocation::Path(path) => path.clone(),
        TouchLocation::OneOf { shape, .. } => shape.known_beginning(),
    }
}

/// Returns the directory of which a call changes everything, or a part.
fn changed_directory(file: &TouchedFile) -> Option<PathBuf> {
    match (&file.location, &file.reach) {
        (_, TouchReach::PathOnly) => None,
        (TouchLocation::Path(path), reach) if !file.guessed || *reach == TouchReach::Everything => Some(path.clone()),
        _ => None,
    }
}
