//! Where a call works: the paths that it touches, and the directories of its commands.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::packages::SelectedPackages;
use super::touched::TouchedFiles;
use super::{Context, Machine, PathForm, ShellText, TouchLocation, TouchReach, TouchedFile};
use crate::schema::{ToolSpec, tool_spec};
use crate::syntax::ast::FileVerb;
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::files::{EnteredDepth, EnteredDirectory, Verb, entered_directories};
use hookrules_shell::path::normalise;
use hookrules_shell::word::{Directory, PrintedValue};
use hookrules_shell::{Programs, Unknown, Word};

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
    /// The directories in which it selects packages of their workspace.
    pub workspaces: Vec<PathBuf>,
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
        let mut is_unknown = false;
        for (_, command) in shell.analysis.iter().chain(shell.analysis.scripts()) {
            self.add_partly_known_words(command, places);
            if command.only_moves() {
                continue;
            }
            if let Some(packages) = SelectedPackages::of(command) {
                places.paths.extend(packages.paths());
                places.workspaces.push(packages.directory);
            }
            let directories = [&command.cwd, &command.working_directory(&Programs::new())];
            is_unknown |= directories.iter().any(|directory| matches!(directory, Directory::Unknown(_)));
            directories.into_iter().for_each(|directory| places.add_directory(directory));
        }
        if is_unknown {
            let mut moves = PossibleMoves::default();
            shell.analysis.commands.iter().for_each(|command| moves.add(command, shell, &self.machine));
            places.paths.append(&mut moves.entered);
            places.paths.extend(moves.above.iter().cloned());
            places.changed_directories.append(&mut moves.above);
        }
        for list in [&mut places.paths, &mut places.changed_directories] {
            let led: Vec<PathBuf> =
                list.iter().flat_map(|path| self.machine.paths_through_links(shell, path)).collect();
            list.extend(led);
        }
    }

    /// Returns the path of a directory, also of the root that git prints: `cd "$(git rev-parse --show-toplevel)"`.
    ///
    /// # Errors
    /// It is unknown.
    pub fn located_directory<'d>(&self, directory: &'d Directory) -> Result<Cow<'d, Path>, &'d Unknown> {
        match directory {
            Directory::Known(path) => Ok(Cow::Borrowed(path)),
            Directory::Unknown(why) => match why.source.printed_value() {
                Some(PrintedValue::Root(asked)) => self.machine.tree_root(asked).map(Cow::Owned).ok_or(why),
                _ => Err(why),
            },
        }
    }

    /// Returns why a directory may lead elsewhere when a command runs: an earlier command of the text creates a link
    /// there or above.
    #[must_use]
    pub fn earlier_link(&self, shell: &ShellText, id: CommandId, directory: &Path) -> Option<Unknown> {
        self.machine.earlier_link(shell, id, directory)
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

    /// Returns the path of a directory that a command enters from another one, or a directory above it as far as its names
    /// are known; `None` if it names none.
    fn place_of_entered(
        &self,
        entered: &EnteredDirectory,
        from: &Directory,
        shell: &ShellText,
    ) -> Option<(PathBuf, EnteredDepth)> {
        let locate = |word: &Word| self.word_location(word, from, shell, PathForm::Lexical);
        let shape = match locate(&entered.path)? {
            TouchLocation::Path(path) => return Some((path, entered.depth)),
            TouchLocation::OneOf { shape, .. } => shape,
        };
        if let Some(path) = shape.known_path() {
            return Some((path, entered.depth));
        }
        // A shape forgets what is in front of a part that may be anything: `packages/$1`.
        let written = entered.path.prefix().rsplit_once('/').and_then(|(above, _)| locate(&Word::text(above)));
        let above = match written {
            Some(TouchLocation::Path(above)) => above,
            _ => shape.known_beginning(),
        };
        Some((above, EnteredDepth::Below))
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

/// The directories that commands may enter: where it is unknown in which directory a command runs, it may be one of
/// these, as in `test -d api && cd api; npm publish`.
#[derive(Default)]
struct PossibleMoves {
    /// The directories that are named.
    entered: Vec<PathBuf>,
    /// The directories above those of which only the beginning is known: `packages` of `cd packages/*`.
    above: Vec<PathBuf>,
}

impl PossibleMoves {
    /// Adds the directories that a command may enter, from where it is or from those that were entered before.
    fn add(&mut self, command: &SimpleCommand, shell: &ShellText, machine: &Machine<'_>) {
        let directories = entered_directories(&shell.analysis, command);
        if directories.is_empty() {
            return;
        }
        let from: Vec<Directory> = match &command.cwd {
            Directory::Unknown(_) if !self.entered.is_empty() => {
                self.entered.iter().take(MAX_STARTS).cloned().map(Directory::Known).collect()
            }
            directory => vec![directory.clone()],
        };
        for directory in &directories {
            for from in &from {
                match machine.place_of_entered(directory, from, shell) {
                    Some((path, EnteredDepth::Itself)) => self.entered.push(path),
                    // A path that may be any has no beginning.
                    Some((path, EnteredDepth::Below)) if path.parent().is_some() => self.above.push(path),
                    Some(_) | None => {}
                }
            }
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
