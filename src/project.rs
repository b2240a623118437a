//! Finds and reads policies: the layers, their files in load order, and the files that each `use` refers to.
//!
//! Every problem with a file or directory is a finding about its layer, and a layer with problems never hides
//! another. What the rules mean is unknown here.
#![expect(clippy::disallowed_methods, reason = "this is the module that looks for policy in the file system")]

mod find;
mod host_records;
mod load;
mod nested;
mod places;
mod seen;
mod tree;
mod uncounted;

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::config::{LayerKind, PolicyBase, TimeZoneSetting};
use crate::escape::line;
use crate::facts::{account_home, resolve};
use crate::files;
use crate::layer::Layer;
use crate::limits::POLICY_PARTS;
pub use crate::platform::paths::is_in_directory;
use crate::platform::paths::{canonicalize, portable, shown};
use crate::span::Sources;
use crate::syntax::ExampleParsing;

use find::{LayerDirectory, ListedTree, PermittedOwners, PolicyChain};
use load::Loader;
use tree::TreeDirectory;

pub use host_records::{HostRecordFile, host_records, host_records_at};
pub use nested::{NestedDirectory, NestedPolicies, NestedSearch, last_change, nested_policies};
pub use places::{MachinePlaces, TrustRequirement};
pub use seen::{FileStamp, FileSystemMoment, FileTime, InputCheck, LoadInput};
pub use tree::ForeignPart;
pub use uncounted::{UncountedFile, uncounted_files};

/// The name of the directory with the policy of a project.
pub const DIRECTORY: &str = ".rules";
/// The name of the file with the settings of a layer.
pub const SETTINGS: &str = "rules.toml";

/// The name of the subdirectory of a project's `.rules` that holds the policy of one checkout.
const LOCAL_DIRECTORY: &str = "local";

/// The name of the subdirectory of a layer that holds its records of programs.
pub const PROGRAMS: &str = "programs";

/// The name of the subdirectory of the user's and the administrator's policy that holds their records of hosts.
pub const HOSTS: &str = "hosts";

/// The maximum size, in bytes, of a file whose content the user trusts along with the policy, such as a script that a
/// rule runs.
pub const MAX_PINNED: u64 = 16 << 20;

/// Whether a file with this path may be a source of a policy: rules, settings, or a record of a program.
#[must_use]
pub fn is_possible_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rules")
        || path.file_name().is_some_and(|name| name == SETTINGS)
        || is_record(path) && path.iter().any(|name| name == PROGRAMS)
}

/// Whether a file with this name may be a source of a policy, depending on its directory.
fn is_source_name(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(b".rules") || is_record(Path::new(name))
}

/// Whether a file has the extension of a record of a program.
fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// Whether a path is that of a record of a host: a TOML file in a directory `hosts`.
fn is_host_record(path: &Path) -> bool {
    is_record(path) && path.parent().and_then(Path::file_name).is_some_and(|name| name == HOSTS)
}

/// The layers that were loaded, with the texts of their files.
#[derive(Clone, Debug, Default)]
pub struct LoadedSources {
    /// The texts to which spans refer.
    pub sources: Sources,
    /// The layers: one of each kind, in order. For `rules check PATH…`, one for each path.
    pub layers: Vec<Layer>,
    /// The files and directories that were read besides those of the [`Discovery`].
    pub inputs: Vec<LoadInput>,
}

/// The first half of loading: the directories of all layers, and which of them exist.
#[derive(Clone, Debug)]
pub struct Discovery {
    /// The project directory with all links resolved; if it does not exist, its nearest existing ancestor.
    project: Option<PathBuf>,
    /// The outermost directory, of the project and those above it, that has a policy; else the project directory.
    root: Option<PathBuf>,
    /// The layers, each with the directories that were looked for.
    layers: Vec<LayerDirectories>,
    /// The `.rules` directories above the policy of a [`NestedDirectory`]. The policy inherits only their time zone.
    policies_around: Vec<LayerDirectory>,
    /// Whether the session is in the directory that holds the policy.
    nesting: Nesting,
}

/// Whether a session is in the directory that holds a policy, and if not, who wrote the policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nesting {
    /// The session is in the directory or below it.
    None,
    /// The session is elsewhere, so the policy only denies and asks.
    Own,
    /// The session is elsewhere, and others have written the policy.
    Foreign,
}

/// The directories of one layer, whether they exist or not.
#[derive(Clone, Debug)]
struct LayerDirectories {
    kind: LayerKind,
    /// The directories, with all links resolved, that contain every file that a `use` may refer to.
    bases: Vec<PathBuf>,
    directories: Vec<LayerDirectory>,
}

/// Whether the directory of a layer exists and can be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DirectoryLookup<'d> {
    /// There is no such directory.
    Absent,
    /// The directory exists and can be read; its path with all links resolved.
    Present(&'d Path),
    /// The directory exists but is not read, for this reason.
    Refused(&'d str),
}

/// Returns the project that a directory belongs to if the host names none: the nearest directory with a policy, else
/// the root of the repository, else the directory itself.
#[must_use]
pub fn project_around(directory: &Path) -> PathBuf {
    find::project_around(directory)
}

/// Returns the root of the working tree that a directory is in: the nearest directory with a `.git`.
#[must_use]
pub fn repository_root(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|above| is_tree_root(above)).map(Path::to_path_buf)
}

/// Returns the directory that contains the `.rules` in which a file or directory is; `None` if it is in none.
#[must_use]
pub fn holder_of(path: &Path) -> Option<&Path> {
    path.ancestors().find(|above| above.file_name().is_some_and(|name| name == DIRECTORY))?.parent()
}

/// Whether a directory is the root of a working tree: it has a `.git`.
#[must_use]
pub fn is_tree_root(directory: &Path) -> bool {
    directory.join(".git").symlink_metadata().is_ok()
}

/// Whether a path, with links followed, is a directory.
#[must_use]
pub fn is_directory(path: &Path) -> bool {
    path.is_dir()
}

/// Whether a path, with all links followed, is a regular file.
#[must_use]
pub fn is_regular_file(path: &Path) -> bool {
    path.is_file()
}

/// Returns the final target of a symbolic link; `None` if the path is not a link.
#[must_use]
pub fn final_link_target(path: &Path) -> Option<PathBuf> {
    match link_at(path) {
        LinkKind::Link(target) => Some(target),
        LinkKind::NoLink | LinkKind::Absent => None,
    }
}

/// Whether there is a symbolic link at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkKind {
    /// A symbolic link, with its final target.
    Link(PathBuf),
    /// Something that is not a link, or cannot be examined.
    NoLink,
    /// Nothing. So nothing is below the path either.
    Absent,
}

/// Examines whether there is a symbolic link at a path.
#[must_use]
pub fn link_at(path: &Path) -> LinkKind {
    match std::fs::read_link(path) {
        Ok(_) => LinkKind::Link(resolve(path)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => LinkKind::Absent,
        Err(_) => LinkKind::NoLink,
    }
}

/// Loads all four layers. A layer without files is included; its [`Layer::exists`] is false.
#[must_use]
pub fn load(places: &MachinePlaces) -> LoadedSources {
    discover(places).load()
}

/// Loads all four layers for events of other projects than that of `places`. A relative name in a policy is then
/// relative to the absolute path of the directory that holds the policy, not to the project.
#[must_use]
pub fn load_for_other_projects(places: &MachinePlaces) -> LoadedSources {
    let mut discovery = discover(places);
    for directory in discovery.layers.iter_mut().flat_map(|layer| &mut layer.directories) {
        directory.base = directory.holder().map(|holder| PolicyBase::At(holder.to_path_buf()));
    }
    discovery.load()
}

/// Loads all four layers as if the text of one file were `text`.
#[must_use]
pub fn load_with_edit(places: &MachinePlaces, path: &Path, text: &str) -> LoadedSources {
    load_with_edits(places, &[FileEdit::new(path, text)])
}

/// Loads all four layers as if some files had the texts of `edits`. An edit of a file that belongs to no layer has no
/// effect.
#[must_use]
pub fn load_with_edits(places: &MachinePlaces, edits: &[FileEdit]) -> LoadedSources {
    discover(places).load_edited(edits)
}

/// Loads files and directories that the user names, each as a project layer of its own.
///
/// For a directory that contains a `.rules` directory, the latter is loaded. Links in the paths are followed. In any
/// other directory, `node_modules`, ignored directories and other working trees are skipped, unless it is inside a
/// `.rules`.
#[must_use]
pub fn load_paths(paths: &[PathBuf]) -> LoadedSources {
    load_paths_with_edits(paths, &[])
}

/// Loads files and directories like [`load_paths`], as if some files had the texts of `edits`.
#[must_use]
pub fn load_paths_with_edits(paths: &[PathBuf], edits: &[FileEdit]) -> LoadedSources {
    let (mut sources, mut seen) = (Sources::default(), Vec::new());
    let layers = paths.iter().map(|path| load_path(path, edits, &mut sources, &mut seen)).collect();
    LoadedSources { sources, layers, inputs: seen }
}

/// Loads a text as a project layer of its own. The text may use packs, but no other files. Findings call the text
/// `name`.
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

/// A text that replaces that of a file while policies are loaded.
#[derive(Clone, Debug)]
pub struct FileEdit {
    path: PathBuf,
    text: String,
}

impl FileEdit {
    /// Creates an edit of a file, which need not exist. The path must be absolute.
    #[must_use]
    pub fn new(path: &Path, text: impl Into<String>) -> Self {
        Self { path: resolve(path), text: text.into() }
    }
}

/// Finds the directories of all layers.
#[must_use]
pub fn discover(places: &MachinePlaces) -> Discovery {
    let chain = places.project.as_deref().map(|project| PolicyChain::find(project, &places.missing_projects));
    let project_discovery = Discovery::from_chain(chain.unwrap_or_default());
    // The files of a project may use each other anywhere in the project. The other layers are confined to their own
    // directories.
    let separate_layer = |kind, place: Option<&PathBuf>| {
        let directories: Vec<LayerDirectory> =
            place.map(|path| LayerDirectory::new(path.clone(), PermittedOwners::Checked)).into_iter().collect();
        let bases = directories.iter().filter_map(|opened| opened.physical.clone().ok().flatten()).collect();
        LayerDirectories { kind, bases, directories }
    };
    let layers = [
        separate_layer(LayerKind::Managed, Some(&places.managed)),
        separate_layer(LayerKind::User, places.user.as_ref()),
    ];
    Discovery { layers: layers.into_iter().chain(project_discovery.layers).collect(), ..project_discovery }
}

/// Finds the policy in a directory in which a call works and the session is not.
#[must_use]
pub fn discover_nested(places: &MachinePlaces, directory: &NestedDirectory) -> Discovery {
    let discovery = Discovery::from_chain(PolicyChain::nested(&directory.path));
    let project = places.project.as_deref().map(resolve);
    let is_around = |project: &PathBuf| discovery.root.as_ref().is_some_and(|root| root.starts_with(project));
    let root = project.clone().filter(is_around).or(discovery.root.clone());
    let nesting = if directory.is_foreign { Nesting::Foreign } else { Nesting::Own };
    Discovery { project, root, nesting, ..discovery }
}

/// Loads the project's layers as a session in `directory`, below the project, would. The texts are added to `sources`
/// under the names that they have in the project, unless they are there already. Packs are loaded without their
/// examples.
#[must_use]
pub fn load_below(project: &Path, directory: &Path, sources: Sources) -> LoadedSources {
    let discovery = Discovery::from_chain(PolicyChain::find(directory, &[]));
    let root = PolicyChain::find(project, &[]).bases.into_iter().next();
    let naming = SourceNaming { project: Some(resolve(project)), root, home: account_home() };
    discovery.load_named(&naming, sources, &[], ExampleParsing::Disabled)
}

impl Discovery {
    /// Whether a layer other than the managed one has a directory, even one that cannot be used.
    #[must_use]
    pub fn has_directory_of_account(&self) -> bool {
        let layers = self.layers.iter().filter(|layer| layer.kind != LayerKind::Managed);
        layers.flat_map(|layer| &layer.directories).any(|opened| opened.physical != Ok(None))
    }

    /// Whether any layer may have files.
    #[must_use]
    pub fn may_have_policy(&self) -> bool {
        LayerKind::ALL.into_iter().any(|kind| self.has_possible_files(kind))
    }

    /// Whether a layer may have files: one of its directories is not empty, or cannot be listed.
    #[must_use]
    pub fn has_possible_files(&self, kind: LayerKind) -> bool {
        let layers = self.layers.iter().filter(|layer| layer.kind == kind);
        layers.flat_map(|layer| &layer.directories).any(|opened| match &opened.physical {
            Ok(None) => false,
            Ok(Some(physical)) => std::fs::read_dir(physical).map_or(true, |mut entries| entries.next().is_some()),
            Err(_) => true,
        })
    }

    /// Returns a list of paths that is equal for two discoveries if they load the same files; `None` if a directory
    /// cannot be used.
    #[must_use]
    pub fn identity(&self) -> Option<Vec<Option<PathBuf>>> {
        // The project determines in which places directories are looked for, so absent ones need not be included.
        let mut identity = vec![self.project.clone()];
        for layer in &self.layers {
            for opened in &layer.directories {
                if let Some(physical) = opened.physical.as_ref().ok()? {
                    let base = opened.base.as_ref().map(|base| PathBuf::from(base.prefix()));
                    identity.extend([Some(opened.path.clone()), Some(physical.clone()), base]);
                }
            }
            // This separates the layers.
            identity.push(None);
        }
        if self.nesting == Nesting::Foreign {
            identity.push(None);
        }
        Some(identity)
    }

    /// Returns every directory that was looked for, with its layer and whether it can be used.
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

    /// Returns the outermost directory above the project that has a policy; the project directory if none has.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Returns whether the session is in the directory that holds the policy.
    #[must_use]
    pub fn nesting(&self) -> Nesting {
        self.nesting
    }

    /// Loads the files in the directories that were found.
    #[must_use]
    pub fn load(&self) -> LoadedSources {
        self.load_edited(&[])
    }

    /// Loads the files for judging events only: packs are loaded without their examples.
    #[must_use]
    pub fn load_to_judge(&self) -> LoadedSources {
        self.load_layers(&[], ExampleParsing::Disabled)
    }

    /// Loads the files as if some of them had the texts of `edits`.
    fn load_edited(&self, edits: &[FileEdit]) -> LoadedSources {
        self.load_layers(edits, ExampleParsing::Enabled)
    }

    /// Returns the directories of the project's layers.
    fn from_chain(PolicyChain { project, policies, bases, around }: PolicyChain) -> Self {
        let root = bases.first().cloned();
        let local =
            policies.iter().map(|policy| LayerDirectory::in_directory(policy, LOCAL_DIRECTORY).reject_outside(&bases));
        let local = local.collect();
        let layers = vec![
            LayerDirectories { kind: LayerKind::Project, bases: bases.clone(), directories: policies },
            LayerDirectories { kind: LayerKind::Local, bases, directories: local },
        ];
        Self { project, root, layers, policies_around: around, nesting: Nesting::None }
    }

    fn load_layers(&self, edits: &[FileEdit], examples: ExampleParsing) -> LoadedSources {
        let naming = SourceNaming { project: self.project.clone(), root: self.root.clone(), home: account_home() };
        self.load_named(&naming, Sources::default(), edits, examples)
    }

    /// Loads all layers, one after another, and adds their texts to `sources`. Each layer may have as many parts as
    /// the layers before it have left.
    fn load_named(
        &self,
        naming: &SourceNaming,
        mut sources: Sources,
        edits: &[FileEdit],
        examples: ExampleParsing,
    ) -> LoadedSources {
        let mut seen = Vec::new();
        let mut parts_left = POLICY_PARTS;
        let shares_texts = sources.iter().next().is_some();
        let repository = self.project.as_deref().and_then(repository_root);
        // The time zone of the previous layer, if both layers are of the project.
        let mut inherited_zone: Option<TimeZoneSetting> = None;
        let load = |layer: &LayerDirectories| {
            let bases = (layer.bases.clone(), PermittedOwners::Checked);
            let mut loader = Loader::new(layer.kind, parts_left, bases, naming, edits, &mut sources, &mut seen)
                .with_examples(examples)
                .in_project(&layer.directories, repository.clone())
                .sharing_texts(shares_texts);
            layer.directories.iter().for_each(|directory| loader.load_directory(directory));
            loader.inherit_zone(&self.policies_around, inherited_zone.take());
            let loaded = loader.finish();
            inherited_zone = loaded.settings.zone.clone().filter(|_| layer.kind.is_of_project());
            parts_left =
                parts_left.saturating_sub(loaded.files.iter().map(|file| file.ast.parts).fold(0, u64::saturating_add));
            loaded
        };
        let layers = self.layers.iter().map(load).collect();
        LoadedSources { sources, layers, inputs: seen }
    }
}

/// A path that the user names.
struct NamedPath {
    /// The path with all links resolved.
    physical: PathBuf,
    /// The directories outside of which no `use` may lead.
    bases: Vec<PathBuf>,
    /// The directory with the policy, if the path is a directory.
    directory: LayerDirectory,
    /// The kind of that directory.
    tree: ListedTree,
}

impl NamedPath {
    /// Finds the policy at a path.
    ///
    /// # Errors
    /// The path cannot be opened.
    fn find(path: &Path) -> std::io::Result<Self> {
        let physical = canonicalize(path)?;
        let directory = physical.join(DIRECTORY);
        let directory = if directory.is_dir() { directory } else { physical.clone() };
        let start = if physical.is_dir() { physical.as_path() } else { physical.parent().unwrap_or(&physical) };
        let bases: Vec<PathBuf> = PolicyChain::find(start, &[]).bases.into_iter().take(1).collect();
        let is_policy = directory.iter().any(|name| name == DIRECTORY);
        let tree = if is_policy { ListedTree::Policy } else { ListedTree::Project(TreeDirectory::start(&directory)) };
        let directory = LayerDirectory::new(directory, PermittedOwners::Any).reject_outside(&bases);
        Ok(Self { physical, bases, directory, tree })
    }
}

/// Loads a file or directory, which the user names, as a layer of its own.
fn load_path(path: &Path, edits: &[FileEdit], sources: &mut Sources, seen: &mut Vec<LoadInput>) -> Layer {
    let here = std::env::current_dir().map(portable).ok();
    let naming = SourceNaming { project: here.clone(), root: here, home: None };
    let loader = |bases, sources, seen| {
        Loader::new(LayerKind::Project, u64::MAX, (bases, PermittedOwners::Any), &naming, edits, sources, seen)
    };
    match NamedPath::find(path) {
        Ok(NamedPath { physical, bases, directory, tree }) => {
            let mut loader = loader(bases, sources, seen).in_tree(tree).on_all_cores();
            match physical.is_dir() {
                true => loader.load_directory(&directory),
                false => loader.load_named_file(&physical),
            }
            loader.finish()
        }
        Err(error) => {
            let mut loader = loader(Vec::new(), sources, seen);
            loader.refuse(format!("`{}` cannot be opened: {}", shown(&path), files::reason(&error)), None);
            loader.finish()
        }
    }
}

/// Whether [`load_paths`] finds a policy in a directory, which may be one that is refused.
#[must_use]
pub fn has_policy(directory: &Path) -> bool {
    let naming = SourceNaming { project: None, root: None, home: None };
    let Ok(NamedPath { bases, directory, tree, .. }) = NamedPath::find(directory) else { return true };
    let (mut sources, mut seen) = (Sources::default(), Vec::new());
    let owners = (bases, PermittedOwners::Any);
    let loader = Loader::new(LayerKind::Project, u64::MAX, owners, &naming, &[], &mut sources, &mut seen);
    loader.in_tree(tree).has_sources(&directory)
}

/// Decides by which names findings refer to files.
struct SourceNaming {
    /// The project directory.
    project: Option<PathBuf>,
    /// The outermost directory above the project that has a policy; the project directory if none has.
    root: Option<PathBuf>,
    /// The account's home.
    home: Option<PathBuf>,
}

impl SourceNaming {
    /// Returns the name of a file: its path relative to the project if it is below the root, else relative to `~`,
    /// else unchanged. A name is always on one line.
    fn name(&self, path: &Path) -> String {
        line(&self.shortest_name(path), usize::MAX)
    }

    /// Like [`Self::name`], but the name may contain line breaks.
    fn shortest_name(&self, path: &Path) -> String {
        let root = self.root.as_deref().filter(|root| path.starts_with(root));
        if let (Some(root), Some(project)) = (root, self.project.as_deref()) {
            let ancestors_in_root = project.ancestors().take_while(|dir| dir.starts_with(root));
            let relative = ancestors_in_root.enumerate().find_map(|(up, dir)| Some((up, path.strip_prefix(dir).ok()?)));
            if let Some((up, rest)) = relative {
                return format!("{}{}", "../".repeat(up), shown(&rest));
            }
        }
        let in_home = self.home.as_ref().and_then(|home| path.strip_prefix(home).ok());
        in_home.map_or_else(|| shown(&path).to_string(), |inner| format!("~/{}", shown(&inner)))
    }
}

#[cfg(test)]
pub(crate) mod tests;
