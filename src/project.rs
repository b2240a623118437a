//! Finds and reads policy: the layers, their files in load order, and the targets of each `use`.
//!
//! Every problem with a file or directory is a diagnostic of its layer; a layer with problems never hides another. The
//! meaning of the rules is not known here.
#![expect(clippy::disallowed_methods, reason = "this is the module that looks for policy in the file system")]

mod find;
mod load;
mod seen;

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::config::LayerKind;
use crate::escape::line;
use crate::facts::{account_home, resolve};
use crate::files;
use crate::layer::Layer;
use crate::limits::POLICY_PARTS;
use crate::span::Sources;
use crate::syntax::ExampleParsing;

use find::{LayerDirectory, PermittedOwners, PolicyChain};
use load::Loader;

pub use seen::{FileStamp, FileSystemMoment, FileTime, InputCheck, LoadInput};

/// The name of the directory that contains a project's policy.
pub const DIRECTORY: &str = ".rules";
/// The file name of a layer's settings.
pub const SETTINGS: &str = "rules.toml";

/// The name of the directory with a layer's records of programs.
pub const PROGRAMS: &str = "programs";

/// The maximum size of a file that is pinned with a policy, in bytes.
pub const MAX_PINNED: u64 = 16 << 20;

/// Whether a file with this path may be a source of a policy: rules, settings, or the record of a program.
#[must_use]
pub fn is_possible_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rules")
        || path.file_name().is_some_and(|name| name == SETTINGS)
        || is_record(path) && path.iter().any(|name| name == PROGRAMS)
}

/// Whether a file with this name may be a source of a policy, regardless of its directory.
fn is_source_name(name: &OsStr) -> bool {
    name.as_bytes().ends_with(b".rules") || is_record(Path::new(name))
}

/// Whether a file in the directory of records is one.
fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// The places of policy and state on a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachinePlaces {
    /// The administrator's policy.
    pub managed: PathBuf,
    /// The account's policy directory; `None` for an account without a home.
    pub user: Option<PathBuf>,
    /// The account's state directory: log, trust, counters.
    pub state: Option<PathBuf>,
    /// The directory of cached compiled policies; `None` to disable the cache.
    pub cache: Option<PathBuf>,
    /// The host's project directory.
    pub project: Option<PathBuf>,
    /// Former candidates for the project directory that no longer exist; the policy above them counts, too.
    pub missing_projects: Vec<PathBuf>,
    /// Whether the project's policy counts without the user's trust.
    pub trust: TrustRequirement,
}

/// Whether a project's policy, including its local one, needs the user's trust.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrustRequirement {
    /// No: the project has registered the hook itself, or the policy is only inspected.
    NotRequired,
    /// Yes: the user's own hook runs in every repository.
    Required,
}

impl MachinePlaces {
    /// Returns the places of this machine and account. `HOME` and `XDG_*` are ignored: project settings can set them.
    #[must_use]
    pub fn on_this_machine(project: Option<PathBuf>) -> Self {
        let home = account_home();
        Self {
            managed: PathBuf::from("/etc/rules"),
            user: home.as_ref().map(|home| home.join(".config/rules")),
            state: home.as_ref().map(|home| home.join(".local/state/rules")),
            cache: home.as_ref().map(|home| home.join(".cache/rules")),
            project,
            missing_projects: Vec::new(),
            trust: TrustRequirement::NotRequired,
        }
    }
}

/// Every source that was read, and the resulting layers.
#[derive(Clone, Debug, Default)]
pub struct LoadedSources {
    /// The texts that spans refer to.
    pub sources: Sources,
    /// One layer of each kind, in order; `rules check PATH` has one for each path.
    pub layers: Vec<Layer>,
    /// What was read in addition to the reads of [`Discovery`].
    pub inputs: Vec<LoadInput>,
}

/// The directories of the layers, and which of them exist: the first half of loading.
#[derive(Clone, Debug)]
pub struct Discovery {
    /// The project directory with all links resolved; if it does not exist, its nearest existing ancestor.
    project: Option<PathBuf>,
    /// The outermost directory with policy of the project, or else the project directory.
    root: Option<PathBuf>,
    layers: Vec<LayerDirectories>,
}

#[derive(Clone, Debug)]
struct LayerDirectories {
    kind: LayerKind,
    /// The physical directories that contain everything a `use` may refer to.
    bases: Vec<PathBuf>,
    directories: Vec<LayerDirectory>,
}

/// The result of looking for a layer's directory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DirectoryLookup<'d> {
    /// Nothing.
    Absent,
    /// A directory, by its physical path.
    Present(&'d Path),
    /// Something that is not read, with the reason.
    Refused(&'d str),
}

/// Returns the project that a directory belongs to where the host names none: the nearest directory with a policy, else
/// the root of the repository, else the directory itself.
#[must_use]
pub fn project_around(directory: &Path) -> PathBuf {
    find::project_around(directory)
}

/// Whether a path is a directory.
#[must_use]
pub fn is_directory(path: &Path) -> bool {
    path.is_dir()
}

/// Whether a path is a file, with all links resolved.
#[must_use]
pub fn is_there(path: &Path) -> bool {
    path.is_file()
}

/// Returns the final target of a link; `None` if the path is not a link.
#[must_use]
pub fn final_link_target(path: &Path) -> Option<PathBuf> {
    match link_at(path) {
        LinkKind::Link(target) => Some(target),
        LinkKind::NoLink | LinkKind::Absent => None,
    }
}

/// Whether a path is a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkKind {
    /// A link, with its final target.
    Link(PathBuf),
    /// Something else, or something unreadable.
    NoLink,
    /// Absent, so that nothing is below it either.
    Absent,
}

/// Returns whether a path is a link.
#[must_use]
pub fn link_at(path: &Path) -> LinkKind {
    match std::fs::read_link(path) {
        Ok(_) => LinkKind::Link(resolve(path)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => LinkKind::Absent,
        Err(_) => LinkKind::NoLink,
    }
}

/// Loads all four layers. A layer without any file is included, with [`Layer::exists`] false.
#[must_use]
pub fn load(places: &MachinePlaces) -> LoadedSources {
    discover(places).load()
}

/// Loads all four layers as if a file had this text.
#[must_use]
pub fn load_with_edit(places: &MachinePlaces, path: &Path, text: &str) -> LoadedSources {
    load_with_edits(places, &[FileEdit::new(path, text)])
}

/// Loads all four layers as if files had other texts. An edit of a path that no layer reads has no effect.
#[must_use]
pub fn load_with_edits(places: &MachinePlaces, edits: &[FileEdit]) -> LoadedSources {
    discover(places).load_edited(edits)
}

/// Loads files and directories that the user names, each as a separate project layer.
///
/// A directory that contains a `.rules` directory means that one. Links in the names are followed.
#[must_use]
pub fn load_paths(paths: &[PathBuf]) -> LoadedSources {
    load_paths_with_edits(paths, &[])
}

/// Loads files and directories that the user names as if files had other texts.
#[must_use]
pub fn load_paths_with_edits(paths: &[PathBuf], edits: &[FileEdit]) -> LoadedSources {
    let (mut sources, mut seen) = (Sources::default(), Vec::new());
    let layers = paths.iter().map(|path| load_path(path, edits, &mut sources, &mut seen)).collect();
    LoadedSources { sources, layers, inputs: seen }
}

/// Loads a text as a separate project layer. It may use packs, but no other files; findings refer to it as `name`.
#[must_use]
pub fn load_text(name: &str, text: &str) -> LoadedSources {
    let (mut sources, mut seen) = (Sources::default(), Vec::new());
    let naming = SourceNaming { project: None, root: None, home: None };
    let bases = (Vec::new(), PermittedOwners::Any);
    let mut loader = Loader::new(LayerKind::Project, u64::MAX, bases, &naming, &[], &mut sources, &mut seen);
    loader.load_text(name, text);
    let layers = vec![loader.finish()];
    LoadedSources { sources, layers, inputs: seen }
}

/// A text that replaces that of a file.
#[derive(Clone, Debug)]
pub struct FileEdit {
    path: PathBuf,
    text: String,
}

impl FileEdit {
    /// Makes an edit of a file, which need not exist; the path is absolute.
    #[must_use]
    pub fn new(path: &Path, text: impl Into<String>) -> Self {
        Self { path: resolve(path), text: text.into() }
    }
}

/// Looks for the layers of some places.
#[must_use]
pub fn discover(places: &MachinePlaces) -> Discovery {
    let chain = places.project.as_deref().map(|project| PolicyChain::find(project, &places.missing_projects));
    let PolicyChain { project, policies, bases } = chain.unwrap_or_default();
    let root = bases.first().cloned();
    let local =
        policies.iter().map(|policy| LayerDirectory::in_directory(policy, "local").reject_outside(&bases)).collect();
    // A project's files may use each other anywhere in it; the other layers are confined to themselves.
    let apart = |kind, place: Option<&PathBuf>| {
        let directories: Vec<LayerDirectory> =
            place.map(|path| LayerDirectory::new(path.clone(), PermittedOwners::Checked)).into_iter().collect();
        let bases = directories.iter().filter_map(|opened| opened.physical.clone().ok().flatten()).collect();
        LayerDirectories { kind, bases, directories }
    };
    let layers = vec![
        apart(LayerKind::Managed, Some(&places.managed)),
        apart(LayerKind::User, places.user.as_ref()),
        LayerDirectories { kind: LayerKind::Project, bases: bases.clone(), directories: policies },
        LayerDirectories { kind: LayerKind::Local, bases, directories: local },
    ];
    Discovery { project, root, layers }
}

impl Discovery {
    /// Whether no layer has a directory, so that there is nothing to load.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layers.iter().flat_map(|layer| &layer.directories).all(|opened| opened.physical == Ok(None))
    }

    /// Whether a layer may have any files: a directory that is not empty, or cannot be listed.
    #[must_use]
    pub fn has_possible_files(&self, kind: LayerKind) -> bool {
        let layers = self.layers.iter().filter(|layer| layer.kind == kind);
        layers.flat_map(|layer| &layer.directories).any(|opened| match &opened.physical {
            Ok(None) => false,
            Ok(Some(physical)) => std::fs::read_dir(physical).map_or(true, |mut entries| entries.next().is_some()),
            Err(_) => true,
        })
    }

    /// Returns an identity that is equal for discoveries that load the same; `None` if a directory cannot be used.
    #[must_use]
    pub fn identity(&self) -> Option<Vec<Option<PathBuf>>> {
        // The places that were searched follow from the project, so absent directories can be left out.
        let mut identity = vec![self.project.clone()];
        for layer in &self.layers {
            for opened in &layer.directories {
                if let Some(physical) = opened.physical.as_ref().ok()? {
                    identity.extend([Some(opened.path.clone()), Some(physical.clone())]);
                }
            }
            identity.push(None);
        }
        Some(identity)
    }

    /// Returns every directory that was looked for, by layer, and the result.
    pub fn directories(&self) -> impl Iterator<Item = (LayerKind, &Path, DirectoryLookup<'_>)> {
        self.layers.iter().flat_map(move |layer| {
            let kind = layer.kind;
            layer.directories.iter().map(move |opened| {
                let found = match &opened.physical {
                    Ok(None) => DirectoryLookup::Absent,
                    Ok(Some(physical)) => DirectoryLookup::Present(physical),
                    Err(refusal) => DirectoryLookup::Refused(&refusal.problem),
                };
                (kind, opened.path.as_path(), found)
            })
        })
    }

    /// Returns the project directory, with all links resolved.
    #[must_use]
    pub fn project(&self) -> Option<&Path> {
        self.project.as_deref()
    }

    /// Returns the outermost directory with policy of the project, or else the project directory.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Loads what was found.
    #[must_use]
    pub fn load(&self) -> LoadedSources {
        self.load_edited(&[])
    }

    /// Loads what was found, to judge events only: packs without their examples.
    #[must_use]
    pub fn load_to_judge(&self) -> LoadedSources {
        self.load_layers(&[], ExampleParsing::Disabled)
    }

    fn load_edited(&self, edits: &[FileEdit]) -> LoadedSources {
        self.load_layers(edits, ExampleParsing::Enabled)
    }

    fn load_layers(&self, edits: &[FileEdit], examples: ExampleParsing) -> LoadedSources {
        let (mut sources, mut seen) = (Sources::default(), Vec::new());
        let naming = SourceNaming { project: self.project.clone(), root: self.root.clone(), home: account_home() };
        let mut left = POLICY_PARTS;
        let load = |layer: &LayerDirectories| {
            let bases = (layer.bases.clone(), PermittedOwners::Checked);
            let mut loader =
                Loader::new(layer.kind, left, bases, &naming, edits, &mut sources, &mut seen).with_examples(examples);
            layer.directories.iter().for_each(|directory| loader.directory(directory));
            let loaded = loader.finish();
            left = left.saturating_sub(loaded.files.iter().map(|file| file.ast.parts).fold(0, u64::saturating_add));
            loaded
        };
        let layers = self.layers.iter().map(load).collect();
        LoadedSources { sources, layers, inputs: seen }
    }
}

fn load_path(path: &Path, edits: &[FileEdit], sources: &mut Sources, seen: &mut Vec<LoadInput>) -> Layer {
    let here = std::env::current_dir().ok();
    let naming = SourceNaming { project: here.clone(), root: here, home: None };
    let physical = match std::fs::canonicalize(path) {
        Ok(physical) => physical,
        Err(error) => {
            let bases = (Vec::new(), PermittedOwners::Any);
            let mut loader = Loader::new(LayerKind::Project, u64::MAX, bases, &naming, edits, sources, seen);
            loader.refuse(format!("`{}` cannot be opened: {}", path.display(), files::reason(&error)), None);
            return loader.finish();
        }
    };
    let directory = physical.join(DIRECTORY);
    let directory = if directory.is_dir() { directory } else { physical.clone() };
    let around = if physical.is_dir() { physical.as_path() } else { physical.parent().unwrap_or(&physical) };
    let bases: Vec<PathBuf> = PolicyChain::find(around, &[]).bases.into_iter().take(1).collect();
    let opened = LayerDirectory::new(directory, PermittedOwners::Any).reject_outside(&bases);
    let mut loader =
        Loader::new(LayerKind::Project, u64::MAX, (bases, PermittedOwners::Any), &naming, edits, sources, seen);
    match physical.is_dir() {
        true => loader.directory(&opened),
        false => loader.named_file(&physical),
    }
    loader.finish()
}

/// How diagnostics refer to files.
struct SourceNaming {
    /// The project directory.
    project: Option<PathBuf>,
    /// The outermost directory with its policy.
    root: Option<PathBuf>,
    /// The account's home.
    home: Option<PathBuf>,
}

impl SourceNaming {
    /// Returns the path relative to the project if it is below the root, else relative to `~`, else unchanged; always
    /// on one line.
    fn name(&self, path: &Path) -> String {
        line(&self.shortest_name(path), usize::MAX)
    }

    fn shortest_name(&self, path: &Path) -> String {
        let root = self.root.as_deref().filter(|root| path.starts_with(root));
        if let (Some(root), Some(project)) = (root, self.project.as_deref()) {
            let within = project.ancestors().take_while(|dir| dir.starts_with(root));
            let shared = within.enumerate().find_map(|(up, dir)| Some((up, path.strip_prefix(dir).ok()?)));
            if let Some((up, rest)) = shared {
                return format!("{}{}", "../".repeat(up), rest.display());
            }
        }
        let in_home = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        in_home.map_or_else(|| path.display().to_string(), |inner| format!("~/{}", inner.display()))
    }
}

#[cfg(test)]
pub(crate) mod tests;
