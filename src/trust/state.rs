//! The state of a project's policy that a user trusts: the bytes of its sources, and of the files that its commands
//! run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::facts::{account_home, resolve};
use crate::files::{self, ReadError};
use crate::fingerprint::Fingerprint;
use crate::platform::paths::shown;
use crate::policy::{Policy, PolicyLayer};
use crate::project::{Discovery, LoadInput, MAX_PINNED, holder_of};
use crate::ruleset::{CommandTest, ConditionExpr, Effect, Rule};

use super::imports::{self, ModulePlace};
use super::listings::DirectoryFiles;
use super::loaded::{Content, FileLoad, FileLoads};
use super::named::NamedPaths;
use super::tasks::{files_beside, manifests_of_workspace, text_of_tasks};
use hookrules_shell::path::contains;

/// The maximum number of files that are pinned because commands name or load them.
const MAX_PINS: usize = 64;

/// The maximum number of paths that are tried, because a file that a command loads may be there.
const MAX_TRIED: usize = 1024;

/// A snapshot of a project's policy, whose files are pinned: recorded with the fingerprints of their bytes.
#[derive(Clone, Debug)]
pub struct PolicyState {
    /// The outermost directory of the project that has a policy, or else the project directory.
    pub root: PathBuf,
    /// The files of the snapshot, the sources first.
    pub pins: Vec<PinnedFile>,
    /// The reasons why the state cannot be trusted, a sentence each; empty if it can.
    pub problems: Vec<String>,
    /// A sentence for each thing that the commands run but that is not pinned.
    pub unpinned: Vec<String>,
}

/// A file of a state, with the bytes that it had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PinnedFile {
    /// Why the file belongs to the state.
    pub origin: PinReason,
    /// The path of the file, relative to the root if the file is below it.
    pub path: PathBuf,
    /// The fingerprint of the file's bytes, or of its tasks.
    pub fingerprint: Fingerprint,
    /// The text of the file or of its tasks; `None` if the bytes are not UTF-8.
    pub text: Option<String>,
}

/// Why a file belongs to the state of a policy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PinReason {
    /// The file is a source of the policy.
    Source,
    /// A command of the policy names the file, or loads it.
    Run,
    /// The setting `trust.files` names the file.
    Named,
    /// The setting `trust.files` names the file, and only the tasks that it defines are pinned.
    Tasks,
}

impl PinReason {
    /// Returns the name of the reason.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Run => "run",
            Self::Named => "named",
            Self::Tasks => "tasks",
        }
    }

    /// Whether the setting `trust.files` names the file.
    fn is_named(self) -> bool {
        matches!(self, Self::Named | Self::Tasks)
    }
}

/// The loads whose files are still to be pinned, and the files that were examined.
#[derive(Default)]
struct PendingLoads {
    loads: FileLoads,
    /// The files that were tried, whether they could be read or not.
    tried_files: BTreeSet<PathBuf>,
    /// The files that run, and may load other files.
    code: BTreeSet<PathBuf>,
    /// The files of `code` whose own loads have been added.
    followed: BTreeSet<PathBuf>,
    /// The directory listings whose files have been added.
    listed: BTreeSet<DirectoryFiles>,
}

impl PendingLoads {
    /// Adds each file of a directory that matches a listing to the loads.
    fn add_files_of(&mut self, listing: &DirectoryFiles, seen: &mut Vec<LoadInput>) {
        let (files, look) = LoadInput::list_files(&listing.directory);
        seen.push(look);
        let is_listed =
            |file: &PathBuf| file.file_name().and_then(|name| name.to_str()).is_some_and(|name| listing.has_name(name));
        self.loads.all.extend(files.into_iter().filter(is_listed).map(FileLoad::running_file));
    }
}

impl PolicyState {
    /// Returns the state of the project's layer and the local layer; `None` if neither exists.
    ///
    /// The sources are the texts that were compiled. Every other file that is read is added to `seen`.
    #[must_use]
    pub fn capture(policy: &Policy, discovery: &Discovery, seen: &mut Vec<LoadInput>) -> Option<Self> {
        let layers = || policy.layers.iter().filter(|layer| layer.exists && layer.kind.is_of_project());
        layers().next()?;
        let (root, project) = (discovery.root()?, discovery.project()?);
        let mut state = Self { root: root.to_path_buf(), pins: Vec::new(), problems: Vec::new(), unpinned: Vec::new() };
        for source in layers().flat_map(|layer| &layer.texts).filter_map(|id| policy.sources.file_by_id(*id)) {
            // A pack has no path: it is part of the program, not of the project.
            let Some(path) = &source.path else { continue };
            let fingerprint = Fingerprint::digest(source.text.as_bytes());
            state.add(PinReason::Source, path, fingerprint, Some(source.text.clone()));
        }
        let broken: Vec<&str> = layers().filter(|layer| !layer.is_loaded()).map(|layer| layer.kind.name()).collect();
        if !broken.is_empty() {
            state.problems.push(format!("the {} policy does not load; `rules check` says why", broken.join(" and ")));
        }
        for file in layers().flat_map(|layer| &layer.settings.trusted_files) {
            let settings = policy.sources.file_by_id(file.span.file).and_then(|source| source.path.as_deref());
            let Some(directory) = settings.and_then(holder_of) else { continue };
            state.pin_named_file(&directory.join(&file.path), seen);
        }
        let named: BTreeSet<PathBuf> =
            state.pins.iter().filter(|pin| pin.origin == PinReason::Named).map(|pin| root.join(&pin.path)).collect();
        let home = account_home();
        let mut names = NamedPaths::new(project, root, home.as_deref());
        for effect in layers().flat_map(layer_effects) {
            if let Effect::Run(spec) = effect {
                names.add(spec);
            }
        }
        if let Some(problem) = names.problem() {
            state.problems.push(problem);
            return Some(state);
        }
        for path in &names.found {
            match state.pin_file(PinReason::Run, path, seen) {
                Ok(()) => {}
                Err(UnpinnedReason::TooMany) => {
                    state.problems.push(format!("its commands name more than {MAX_PINS} files of the project"));
                    break;
                }
                Err(UnpinnedReason::Other(problem)) => state.problems.push(problem),
            }
        }
        let pending =
            PendingLoads { tried_files: names.found, loads: names.loads, code: named, ..PendingLoads::default() };
        state.pin_loads((project, home.as_deref()), pending, seen);
        state.note_approved_files(layers().flat_map(|layer| layer.rules.iter().map(std::convert::AsRef::as_ref)));
        Some(state)
    }

    /// Pins the files that the commands load, then the files that these load, and so on.
    fn pin_loads(
        &mut self,
        (project, home): (&Path, Option<&Path>),
        mut pending: PendingLoads,
        seen: &mut Vec<LoadInput>,
    ) {
        loop {
            for listing in std::mem::take(&mut pending.loads.listings) {
                // Directories outside the project are not part of its policy.
                if contains(&self.root, &listing.directory) && pending.listed.insert(listing.clone()) {
                    pending.add_files_of(&listing, seen);
                }
            }
            for load in std::mem::take(&mut pending.loads.all) {
                self.pin_files_of(&load, &mut pending, seen);
                if let Some(message) = load.unpinned_message.filter(|_| !load.files.iter().any(|file| self.has(file))) {
                    pending.loads.note(message);
                }
            }
            // Only files that run are followed. A file that is just an operand, as of a linter, loads nothing.
            let is_code = |pin: &&PinnedFile| {
                let path = self.root.join(&pin.path);
                let may_load = matches!(pin.origin, PinReason::Run | PinReason::Named);
                may_load && pending.code.contains(&path) && !pending.followed.contains(&path)
            };
            let Some(pin) = self.pins.iter().find(is_code) else { break };
            let path = self.root.join(&pin.path);
            if let Some(text) = &pin.text {
                let roots = pending.loads.roots.clone();
                imports::add(&path, text, ModulePlace { cwd: project, home, roots: &roots }, &mut pending.loads);
            }
            pending.followed.insert(path);
        }
        self.unpinned = pending.loads.unpinned;
    }

    /// Adds a sentence for each program of the project that a rule allows by its path and that is not pinned.
    fn note_approved_files<'r>(&mut self, rules: impl Iterator<Item = &'r Rule>) {
        let mut programs: BTreeSet<String> = BTreeSet::new();
        for condition in rules.filter(|rule| rule.can_allow).filter_map(|rule| rule.when.as_ref()) {
            condition.visit_tests(&mut |test, is_negated| {
                let ConditionExpr::Command(CommandTest::OnlyRuns { patterns }) = &test.kind else { return };
                let of_project = patterns.iter().filter(|pattern| !is_negated && pattern.project_directory().is_some());
                programs.extend(
                    of_project.filter_map(|pattern| pattern.text().split_whitespace().next().map(str::to_owned)),
                );
            });
        }
        for program in programs {
            let path = program.strip_prefix("./").unwrap_or(&program);
            if !self.pins.iter().any(|pin| pin.origin.is_named() && pin.path == Path::new(path)) {
                self.unpinned.push(format!("`{program}` is allowed, whatever is in that file: see `trust.files`"));
            }
        }
    }

    /// Whether the setting `trust.files` names a file of the state.
    #[must_use]
    pub fn has_named_files(&self) -> bool {
        self.pins.iter().any(|pin| pin.origin.is_named())
    }

    /// Whether a file is pinned in this state.
    fn has(&self, file: &Path) -> bool {
        let relative = file.strip_prefix(&self.root).unwrap_or(file);
        self.pins.iter().any(|pin| pin.path == relative)
    }

    /// Pins each candidate file of a load that exists in the project.
    fn pin_files_of(&mut self, load: &FileLoad, pending: &mut PendingLoads, seen: &mut Vec<LoadInput>) {
        for file in &load.files {
            if !contains(&self.root, file) {
                continue;
            }
            if load.content == Content::Code {
                pending.code.insert(file.clone());
            }
            if !pending.tried_files.insert(file.clone()) {
                continue;
            }
            if pending.tried_files.len() > MAX_TRIED {
                return pending.loads.note("its commands load more files than are looked for".to_owned());
            }
            match self.pin_file(PinReason::Run, file, seen) {
                Ok(()) => {}
                Err(UnpinnedReason::TooMany) => {
                    pending.loads.note(format!("its commands load more than {MAX_PINS} files"))
                }
                Err(UnpinnedReason::Other(problem)) => pending.loads.note(problem),
            }
        }
    }

    /// Returns the fingerprint of the whole state: the origins, paths and bytes of all its files.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let pieces: Vec<[Vec<u8>; 3]> = self
            .pins
            .iter()
            .map(|pin| {
                let path = pin.path.as_os_str().as_encoded_bytes().to_vec();
                [pin.origin.name().as_bytes().to_vec(), path, pin.fingerprint.hex().into_bytes()]
            })
            .collect();
        Fingerprint::digest_pieces(pieces.iter().flatten().map(Vec::as_slice))
    }

    /// Adds a file to the state.
    fn add(&mut self, origin: PinReason, path: &Path, fingerprint: Fingerprint, text: Option<String>) {
        let path = path.strip_prefix(&self.root).unwrap_or(path).to_path_buf();
        self.pins.push(PinnedFile { origin, path, fingerprint, text });
    }

    /// Pins a file that the settings name, and the files that decide what its tasks are. One that does not exist is a
    /// problem: a misspelled path would pin nothing.
    fn pin_named_file(&mut self, path: &Path, seen: &mut Vec<LoadInput>) {
        match self.pin_file(PinReason::Named, path, seen) {
            Ok(()) if self.has(path) => self.pin_files_of_tasks(path, seen),
            Ok(()) => {
                let shown = shown(path.strip_prefix(&self.root).unwrap_or(path));
                self.problems.push(format!("`{shown}`, which `trust.files` names, is no file"));
            }
            Err(UnpinnedReason::TooMany) => {
                self.problems.push(format!("`trust.files` names more than {MAX_PINS} files"));
            }
            Err(UnpinnedReason::Other(problem)) => self.problems.push(problem),
        }
    }

    /// Pins the files that decide what the tasks of a named file are, those of them that exist: the ones next to it, and
    /// the manifests of the packages in a workspace.
    fn pin_files_of_tasks(&mut self, path: &Path, seen: &mut Vec<LoadInput>) {
        let beside = files_beside(path);
        let mut files = beside.clone();
        for file in std::iter::once(path.to_path_buf()).chain(beside) {
            match manifests_of_workspace(&file, seen) {
                Ok(manifests) => files.extend(manifests),
                Err(problem) => self.problems.push(problem),
            }
        }
        for file in files {
            if self.has(&file) || !contains(&self.root, &file) {
                continue;
            }
            match self.pin_file(PinReason::Named, &file, seen) {
                Ok(()) => {}
                Err(UnpinnedReason::TooMany) => {
                    return self.problems.push(format!("`trust.files` leads to more than {MAX_PINS} files"));
                }
                Err(UnpinnedReason::Other(problem)) => self.problems.push(problem),
            }
        }
    }

    /// Pins a file, if it exists. For a link, the bytes of the target are pinned.
    fn pin_file(&mut self, origin: PinReason, path: &Path, seen: &mut Vec<LoadInput>) -> Result<(), UnpinnedReason> {
        let mut look = LoadInput::start_reading(path);
        let mut read = files::read(path, MAX_PINNED);
        if let Err(ReadError::Link) = read {
            let physical = resolve(path);
            seen.push(LoadInput::from_link(path, &physical));
            look = LoadInput::start_reading(&physical);
            read = files::read(&physical, MAX_PINNED);
        }
        let shown = || {
            let named_by = if origin == PinReason::Named { "`trust.files` names" } else { "it runs" };
            format!("`{}`, which {named_by},", shown(path.strip_prefix(&self.root).unwrap_or(path)))
        };
        match read {
            Ok(bytes) => {
                let is_counted =
                    |pin: &&PinnedFile| pin.origin != PinReason::Source && pin.origin.is_named() == origin.is_named();
                if self.pins.iter().filter(is_counted).count() >= MAX_PINS {
                    return Err(UnpinnedReason::TooMany);
                }
                seen.push(look.with_fingerprint(Fingerprint::digest(&bytes)));
                let tasks = text_of_tasks(path, &bytes).filter(|_| origin == PinReason::Named);
                let origin = if tasks.is_some() { PinReason::Tasks } else { origin };
                let bytes = tasks.map_or(bytes, String::into_bytes);
                self.add(origin, path, Fingerprint::digest(&bytes), String::from_utf8(bytes).ok());
            }
            // A directory is not recorded in `seen`: its time changes with its contents, which are not pinned.
            Err(ReadError::NotRegular) if crate::project::is_directory(path) => {}
            Err(ReadError::NotFound) => seen.push(look),
            Err(ReadError::TooBig(_)) => {
                seen.push(look);
                let limit = MAX_PINNED >> 20;
                return Err(UnpinnedReason::Other(format!("{} is larger than {limit} MiB", shown())));
            }
            Err(error) => {
                seen.push(look);
                return Err(UnpinnedReason::Other(format!("{} {error}", shown())));
            }
        }
        Ok(())
    }
}

/// Why a file is not pinned.
enum UnpinnedReason {
    /// There are too many pinned files already.
    TooMany,
    /// Another reason, as a sentence.
    Other(String),
}

/// Returns the effects of all rules of a layer.
fn layer_effects(layer: &PolicyLayer) -> impl Iterator<Item = &Effect> {
    layer.rules.iter().flat_map(|rule| rule.effects.iter())
}
