//! Finds and reads policy: the layers, their files in load order, what each `use` names.
//!
//! Every problem with a file or directory is a diagnostic of its layer; a layer with problems never hides another. What
//! the rules mean is not known here.
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
use crate::syntax::Examples;

use find::{Chain, Opened, Owners};
use load::Loader;

pub use seen::{Look, Moment, Seen, Stamp, Time};

/// The name of the directory that holds a project's policy.
pub const DIRECTORY: &str = ".rules";
/// The name of a layer's settings.
pub const SETTINGS: &str = "rules.toml";

/// The name of the directory with a layer's records of programs.
pub const PROGRAMS: &str = "programs";

/// The most bytes of a file that is pinned with a policy.
pub const MAX_PINNED: u64 = 16 << 20;

/// Tells whether a file by this name may be a source of a policy: rules, settings, or the record of a program.
#[must_use]
pub fn may_be_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rules")
        || path.file_name().is_some_and(|name| name == SETTINGS)
        || is_record(path) && path.iter().any(|name| name == PROGRAMS)
}

/// Tells whether a file by this name may be a source of a policy, wherever it lies.
fn is_source_name(name: &OsStr) -> bool {
    name.as_bytes().ends_with(b".rules") || is_record(Path::new(name))
}

/// Tells whether a file among the records of programs is one.
fn is_record(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml")
}

/// Where policy and state lie on a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// The administrator's policy.
    pub managed: PathBuf,
    /// The account's policy; `None` for an account without a home.
    pub user: Option<PathBuf>,
    /// The account's state: log, trust, counters.
    pub state: Option<PathBuf>,
    /// Where compiled policies are kept; `None` to keep none.
    pub cache: Option<PathBuf>,
    /// The host's project directory.
    pub project: Option<PathBuf>,
    /// Those that would be it and are gone, so that another one stands for them: the policy above them counts too.
    pub gone: Vec<PathBuf>,
    /// Whether the project's policy counts as it stands.
    pub trust: Trust,
}

/// Whether the policy of a project, its local one included, counts as it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// It does: the project has registered the hook itself, or the policy is only looked at.
    Given,
    /// It has to be trusted by the user, whose hook runs in every repository.
    Required,
}

impl Places {
    /// Returns the places of this machine and account. `HOME` and `XDG_*` have no say: project settings set them.
    #[must_use]
    pub fn of_machine(project: Option<PathBuf>) -> Self {
        let home = account_home();
        Self {
            managed: PathBuf::from("/etc/rules"),
            user: home.as_ref().map(|home| home.join(".config/rules")),
            state: home.as_ref().map(|home| home.join(".local/state/rules")),
            cache: home.as_ref().map(|home| home.join(".cache/rules")),
            project,
            gone: Vec::new(),
            trust: Trust::Given,
        }
    }
}

/// Every source that was read, and the layers made of them.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The texts; spans point into them.
    pub sources: Sources,
    /// One for each kind, in order; `rules check PATH` has one for each path.
    pub layers: Vec<Layer>,
    /// What was looked at, beside what [`Discovery`] looks at.
    pub seen: Vec<Seen>,
}

/// The directories of the layers, and which of them there are: the first half of loading.
#[derive(Clone, Debug)]
pub struct Discovery {
    /// The project directory, all links followed; where it does not exist, as far as the way to it goes.
    project: Option<PathBuf>,
    /// The outermost directory with policy of the project, or else the project directory.
    root: Option<PathBuf>,
    layers: Vec<LayerDirectories>,
}

#[derive(Clone, Debug)]
struct LayerDirectories {
    kind: LayerKind,
    /// The physical directories that no `use` leaves.
    bases: Vec<PathBuf>,
    directories: Vec<Opened>,
}

/// What there is where a layer was looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found<'d> {
    /// Nothing.
    Nothing,
    /// A directory; the physical one.
    There(&'d Path),
    /// Something that is not read, and why.
    Refused(&'d str),
}

/// Returns the project that a directory belongs to where the host names none: the nearest directory with a policy, else
/// the root of the repository, else the directory itself.
#[must_use]
pub fn project_around(directory: &Path) -> PathBuf {
    find::project_around(directory)
}

/// Tells whether a directory is there.
#[must_use]
pub fn is_directory(path: &Path) -> bool {
    path.is_dir()
}

/// Tells whether a file is there, at the end of all links.
#[must_use]
pub fn is_there(path: &Path) -> bool {
    path.is_file()
}

/// Returns what a link leads to in the end; nothing where the path is none.
#[must_use]
pub fn led_to(path: &Path) -> Option<PathBuf> {
    match link_at(path) {
        LinkAt::To(target) => Some(target),
        LinkAt::NoLink | LinkAt::Nothing => None,
    }
}

/// What stands at a path, as far as links go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkAt {
    /// A link, that leads there in the end.
    To(PathBuf),
    /// Something else, or what cannot be looked at.
    NoLink,
    /// Nothing, so that there is nothing below either.
    Nothing,
}

/// Tells whether a link stands at a path.
#[must_use]
pub fn link_at(path: &Path) -> LinkAt {
    match std::fs::read_link(path) {
        Ok(_) => LinkAt::To(resolve(path)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => LinkAt::Nothing,
        Err(_) => LinkAt::NoLink,
    }
}

/// Loads all four layers. A layer without any file is there too, with [`Layer::found`] false.
#[must_use]
pub fn load(places: &Places) -> Loaded {
    discover(places).load()
}

/// Loads all four layers as they would be if a file held this text.
#[must_use]
pub fn load_with_edit(places: &Places, path: &Path, text: &str) -> Loaded {
    load_with_edits(places, &[Edit::new(path, text)])
}

/// Loads all four layers as they would be if files held other texts. An edit of a path that no layer reads changes
/// nothing.
#[must_use]
pub fn load_with_edits(places: &Places, edits: &[Edit]) -> Loaded {
    discover(places).load_over(edits)
}

/// Loads files and directories that the user names, each as a project layer of its own.
///
/// A directory that has a `.rules` stands for it. Links in the names are followed.
#[must_use]
pub fn load_paths(paths: &[PathBuf]) -> Loaded {
    load_paths_with_edits(paths, &[])
}

/// Loads files and directories that the user names as they would be if files held other texts.
#[must_use]
pub fn load_paths_with_edits(paths: &[PathBuf], edits: &[Edit]) -> Loaded {
    let (mut sources, mut seen) = (Sources::default(), Vec::new());
    let layers = paths.iter().map(|path| load_path(path, edits, &mut sources, &mut seen)).collect();
    Loaded { sources, layers, seen }
}

/// Loads a text as a project layer of its own. It may use packs and no other files; `name` is what findings call it.
#[must_use]
pub fn load_text(name: &str, text: &str) -> Loaded {
    let (mut sources, mut seen) = (Sources::default(), Vec::new());
    let naming = Naming { project: None, root: None, home: None };
    let bases = (Vec::new(), Owners::Any);
    let mut loader = Loader::new(LayerKind::Project, u64::MAX, bases, &naming, &[], &mut sources, &mut seen);
    loader.text(name, text);
    let layers = vec![loader.finish()];
    Loaded { sources, layers, seen }
}

/// A text that takes the place of a file's.
#[derive(Clone, Debug)]
pub struct Edit {
    path: PathBuf,
    text: String,
}

impl Edit {
    /// Makes an edit of a file, which need not be there; the path is absolute.
    #[must_use]
    pub fn new(path: &Path, text: impl Into<String>) -> Self {
        Self { path: resolve(path), text: text.into() }
    }
}

/// Looks for the layers of some places.
#[must_use]
pub fn discover(places: &Places) -> Discovery {
    let chain = places.project.as_deref().map(|project| Chain::of(project, &places.gone));
    let Chain { project, policies, bases } = chain.unwrap_or_default();
    let root = bases.first().cloned();
    let local = policies.iter().map(|policy| Opened::within(policy, "local").kept_in(&bases)).collect();
    // A project's files may use each other anywhere in it; the other layers keep to themselves.
    let apart = |kind, place: Option<&PathBuf>| {
        let directories: Vec<Opened> =
            place.map(|path| Opened::new(path.clone(), Owners::Checked)).into_iter().collect();
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
    /// Tells whether there is no directory of any layer, so that there is nothing to load.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layers.iter().flat_map(|layer| &layer.directories).all(|opened| opened.physical == Ok(None))
    }

    /// Tells whether there may be anything of a layer: a directory that is not empty, or cannot be looked into.
    #[must_use]
    pub fn may_hold(&self, kind: LayerKind) -> bool {
        let layers = self.layers.iter().filter(|layer| layer.kind == kind);
        layers.flat_map(|layer| &layer.directories).any(|opened| match &opened.physical {
            Ok(None) => false,
            Ok(Some(physical)) => std::fs::read_dir(physical).map_or(true, |mut entries| entries.next().is_some()),
            Err(_) => true,
        })
    }

    /// Returns all that was found, so that two discoveries that load alike are told from others; nothing where a
    /// directory cannot be used.
    #[must_use]
    pub fn identity(&self) -> Option<Vec<Option<PathBuf>>> {
        // Where it was looked for follows from the project, so what is not there need not be told.
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

    /// Returns every directory that was looked for, by layer, and what was found there.
    pub fn directories(&self) -> impl Iterator<Item = (LayerKind, &Path, Found<'_>)> {
        self.layers.iter().flat_map(move |layer| {
            let kind = layer.kind;
            layer.directories.iter().map(move |opened| {
                let found = match &opened.physical {
                    Ok(None) => Found::Nothing,
                    Ok(Some(physical)) => Found::There(physical),
                    Err(refusal) => Found::Refused(&refusal.problem),
                };
                (kind, opened.path.as_path(), found)
            })
        })
    }

    /// Returns the project directory, all links followed.
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
    pub fn load(&self) -> Loaded {
        self.load_over(&[])
    }

    /// Loads what was found, for whoever only judges by it: packs without their examples.
    #[must_use]
    pub fn load_to_judge(&self) -> Loaded {
        self.loaded(&[], Examples::LeftOut)
    }

    fn load_over(&self, edits: &[Edit]) -> Loaded {
        self.loaded(edits, Examples::Read)
    }

    fn loaded(&self, edits: &[Edit], examples: Examples) -> Loaded {
        let (mut sources, mut seen) = (Sources::default(), Vec::new());
        let naming = Naming { project: self.project.clone(), root: self.root.clone(), home: account_home() };
        let mut left = POLICY_PARTS;
        let load = |layer: &LayerDirectories| {
            let bases = (layer.bases.clone(), Owners::Checked);
            let mut loader =
                Loader::new(layer.kind, left, bases, &naming, edits, &mut sources, &mut seen).reading(examples);
            layer.directories.iter().for_each(|directory| loader.directory(directory));
            let loaded = loader.finish();
            left = left.saturating_sub(loaded.files.iter().map(|file| file.ast.parts).fold(0, u64::saturating_add));
            loaded
        };
        let layers = self.layers.iter().map(load).collect();
        Loaded { sources, layers, seen }
    }
}

fn load_path(path: &Path, edits: &[Edit], sources: &mut Sources, seen: &mut Vec<Seen>) -> Layer {
    let here = std::env::current_dir().ok();
    let naming = Naming { project: here.clone(), root: here, home: None };
    let physical = match std::fs::canonicalize(path) {
        Ok(physical) => physical,
        Err(error) => {
            let bases = (Vec::new(), Owners::Any);
            let mut loader = Loader::new(LayerKind::Project, u64::MAX, bases, &naming, edits, sources, seen);
            loader.refuse(format!("`{}` cannot be opened: {}", path.display(), files::reason(&error)), None);
            return loader.finish();
        }
    };
    let directory = physical.join(DIRECTORY);
    let directory = if directory.is_dir() { directory } else { physical.clone() };
    let around = if physical.is_dir() { physical.as_path() } else { physical.parent().unwrap_or(&physical) };
    let bases: Vec<PathBuf> = Chain::of(around, &[]).bases.into_iter().take(1).collect();
    let opened = Opened::new(directory, Owners::Any).kept_in(&bases);
    let mut loader = Loader::new(LayerKind::Project, u64::MAX, (bases, Owners::Any), &naming, edits, sources, seen);
    match physical.is_dir() {
        true => loader.directory(&opened),
        false => loader.named_file(&physical),
    }
    loader.finish()
}

/// How files are called in diagnostics.
struct Naming {
    /// The project directory.
    project: Option<PathBuf>,
    /// The outermost directory that has policy of it.
    root: Option<PathBuf>,
    /// The account's home.
    home: Option<PathBuf>,
}

impl Naming {
    /// Returns the path from the project where it is below the root, else from `~`, else as it is; one line, whatever
    /// the name holds.
    fn name(&self, path: &Path) -> String {
        line(&self.shortest(path), usize::MAX)
    }

    fn shortest(&self, path: &Path) -> String {
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
