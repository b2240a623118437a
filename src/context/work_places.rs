//! Where a call works: the paths that it touches, and the directories in which its commands run.

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

/// The verbs whose files count as touched. A file that is sent is also read.
const VERBS: [FileVerb; 3] = [FileVerb::Reads, FileVerb::Writes, FileVerb::Deletes];

/// The maximum number of directories that are tried as the start of a `cd` whose own directory is unknown.
const MAX_STARTS: usize = 8;

/// Where a call works, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkPlaces {
    /// The paths that the call touches, also after their links are resolved, and the directories in which its
    /// commands run.
    pub paths: Vec<PathBuf>,
    /// The directories in which the call changes everything, or an unknown part.
    pub changed_directories: Vec<PathBuf>,
    /// The directories in which the call selects packages of a workspace: `pnpm --filter api publish`.
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
        // The caller lists each with all below it.
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
        // Code that cannot be analysed may mention files.
        if !shell.analysis.opaque.is_empty() || self.call.has_possible_command() {
            VERBS.into_iter().for_each(|verb| self.add_touches(verb, places));
        }
        let mut has_unknown_directory = false;
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
            has_unknown_directory |= directories.iter().any(|directory| matches!(directory, Directory::Unknown(_)));
            directories.into_iter().for_each(|directory| places.add_directory(directory));
        }
        if has_unknown_directory {
            let mut moves = PossibleMoves::default();
            shell.analysis.commands.iter().for_each(|command| moves.add(command, shell, &self.machine));
            places.paths.append(&mut moves.entered);
            places.paths.extend(moves.above.iter().cloned());
            places.changed_directories.append(&mut moves.above);
        }
        for list in [&mut places.paths, &mut places.changed_directories] {
            let link_targets: Vec<PathBuf> =
                list.iter().flat_map(|path| self.machine.paths_through_links(shell, path)).collect();
            list.extend(link_targets);
        }
    }

    /// Returns the path of a directory. The root that git prints, as in `cd "$(git rev-parse --show-toplevel)"`, is
    /// looked up.
    ///
    /// # Errors
    /// It is unknown.
    pub fn located_directory<'d>(&self, directory: &'d Directory) -> Result<Cow<'d, Path>, &'d Unknown> {
        match directory {
            Directory::Known(path) => Ok(Cow::Borrowed(path)),
            Directory::Unknown(why) => match why.source.printed_value() {
                Some(PrintedValue::Root(git_cwd)) => self.machine.tree_root(git_cwd).map(Cow::Owned).ok_or(why),
                _ => Err(why),
            },
        }
    }

    /// Returns why a directory may lead elsewhere when a command runs: an earlier command of the text creates a link
    /// in its path.
    #[must_use]
    pub fn earlier_link(&self, shell: &ShellText, id: CommandId, directory: &Path) -> Option<Unknown> {
        self.machine.earlier_link(shell, id, directory)
    }

    /// Adds the known directories at the beginning of words whose rest is unknown: `api` of `api/$FILE`. The shell
    /// may split such a word, and then its files may be anywhere.
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

    /// Returns the path of a directory that a command enters from another one; if only the beginning of the path is
    /// known, the directory above the unknown part. `None` if the command names no directory.
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
        // A shape drops the names in front of a part that may be anything, such as `packages` of `packages/$1`. So
        // they are taken from the word.
        let known_names = entered.path.prefix().rsplit_once('/').and_then(|(above, _)| locate(&Word::text(above)));
        let above = match known_names {
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

    /// Adds a directory, unless it is unknown or equal to the path that was added last.
    fn add_directory(&mut self, directory: &Directory) {
        if let Directory::Known(path) = directory
            && self.paths.last() != Some(path)
        {
            self.paths.push(path.clone());
        }
    }
}

/// The directories that commands may enter. A command whose working directory is unknown may run in one of these:
/// `npm publish` in `test -d api && cd api; npm publish`.
#[derive(Default)]
struct PossibleMoves {
    /// The directories whose paths are known.
    entered: Vec<PathBuf>,
    /// The known beginnings of the other paths: `packages` of `cd packages/*`.
    above: Vec<PathBuf>,
}

impl PossibleMoves {
    /// Adds the directories that a command may enter, from its working directory or, if that is unknown, from those
    /// that were entered before.
    fn add(&mut self, command: &SimpleCommand, shell: &ShellText, machine: &Machine<'_>) {
        let directories = entered_directories(&shell.analysis, command);
        if directories.is_empty() {
            return;
        }
        let starts: Vec<Directory> = match &command.cwd {
            Directory::Unknown(_) if !self.entered.is_empty() => {
                self.entered.iter().take(MAX_STARTS).cloned().map(Directory::Known).collect()
            }
            directory => vec![directory.clone()],
        };
        for entered in &directories {
            for start in &starts {
                match machine.place_of_entered(entered, start, shell) {
                    Some((path, EnteredDepth::Itself)) => self.entered.push(path),
                    // Of a path that may be any, no beginning is known.
                    Some((path, EnteredDepth::Below)) if path.parent().is_some() => self.above.push(path),
                    Some(_) | None => {}
                }
            }
        }
    }
}

/// Returns the forms in which paths of a shell text must be computed. With `..`, the two can differ: `link/..` may
/// not be the directory that contains `link`.
fn forms_of(text: &str) -> &'static [PathForm] {
    if text.contains("/..") { &[PathForm::Lexical, PathForm::Physical] } else { &[PathForm::Lexical] }
}

/// Whether a tool touches exactly the files that its input names, neither files below them nor files that match a
/// glob.
fn touches_only_named_files(tool: &ToolSpec) -> bool {
    !tool.files.iter().any(|file| file.recursive || file.glob)
}

/// Returns the path of a touched file, or a directory that certainly contains it.
fn known_path(file: &TouchedFile) -> PathBuf {
    match &file.location {
        TouchLocation::Path(path) => path.clone(),
        TouchLocation::OneOf { shape, .. } => shape.known_beginning(),
    }
}

/// Returns the directory in which the touch of a file changes everything, or an unknown part; `None` if it changes a
/// single file.
fn changed_directory(file: &TouchedFile) -> Option<PathBuf> {
    match (&file.location, &file.reach) {
        (_, TouchReach::PathOnly) => None,
        (TouchLocation::Path(path), reach) if !file.guessed || *reach == TouchReach::Everything => Some(path.clone()),
        _ => None,
    }
}
