//! Finds the directories with policies, checks whether other accounts can change them, and lists their files.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::seen::{DirectoryLevel, DirectoryLister, LoadInput};
use super::tree::TreeDirectory;
use crate::config::PolicyBase;
use crate::escape::line;
use crate::files::reason;
use crate::platform::paths::{canonicalize, shown};
use crate::platform::rights::{Owner, is_world_writable};

/// The maximum number of entries that are read in the directory of a layer, subdirectories included.
pub(super) const MAX_ENTRIES: usize = 10_000;
/// The maximum depth of subdirectories that are read.
pub(super) const MAX_DEPTH: usize = 16;

/// The reason why a file or directory is not read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ReadRefusal {
    /// The problem, as a clause that follows the name of the file: "owned by another user".
    pub(super) problem: String,
    /// Advice on what to do about it.
    pub(super) help: Option<String>,
}

impl ReadRefusal {
    /// Creates a refusal without help.
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), help: None }
    }
}

/// The accounts that may own or change a directory and its contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PermittedOwners {
    /// Any account, because the user named the directory.
    Any,
    /// Only this account and root may own them, and they must not be world-writable. This applies to directories that
    /// were found, not named by the user. A group may have write permission.
    Checked,
}

impl PermittedOwners {
    /// Rejects a file or directory that another account owns, or that is world-writable.
    pub(super) fn check(self, path: &Path, metadata: &Metadata) -> Result<(), ReadRefusal> {
        if self == Self::Any {
            return Ok(());
        }
        if Owner::of(metadata).is_foreign() {
            let help = "work in a checkout of your own, or replace it with a copy of your own";
            return Err(ReadRefusal { help: Some(help.to_owned()), ..ReadRefusal::new("owned by another user") });
        }
        if is_open(metadata) {
            let help = format!("run `chmod o-w {}`", line(&shown(&path).to_string(), usize::MAX));
            return Err(ReadRefusal { help: Some(help), ..ReadRefusal::new("world-writable") });
        }
        Ok(())
    }
}

/// The path of a layer's directory, and whether the directory exists.
#[derive(Clone, Debug)]
pub(super) struct LayerDirectory {
    /// The path at which the directory was looked for.
    pub(super) path: PathBuf,
    /// The path of the directory with all links resolved; `None` if there is no directory.
    pub(super) physical: Result<Option<PathBuf>, ReadRefusal>,
    /// How the directory that holds the policy is related to the project; `None` if no directory of the project holds
    /// the policy.
    pub(super) base: Option<PolicyBase>,
}

impl LayerDirectory {
    /// Looks for a directory at a path.
    pub(super) fn new(path: PathBuf, owners: PermittedOwners) -> Self {
        Self { physical: open_directory(&path, owners, ParentDirectory::Any), path, base: None }
    }

    /// Looks for a subdirectory of another directory, which need not exist.
    pub(super) fn in_directory(directory: &Self, name: &str) -> Self {
        let path = directory.path.join(name);
        let base = directory.base.clone();
        match directory.physical {
            Ok(None) => Self { path, physical: Ok(None), base },
            _ => Self { base, ..Self::new(path, PermittedOwners::Checked) },
        }
    }

    /// Returns the directory of the project that holds the policy: the parent of `.rules`. `None` if no directory of
    /// the project does.
    pub(super) fn holder(&self) -> Option<&Path> {
        self.base.as_ref()?;
        super::holder_of(&self.path)
    }

    /// Rejects the directory if it is a link that leads out of all these directories.
    pub(super) fn reject_outside(self, bases: &[PathBuf]) -> Self {
        let leads_out = |physical: &Option<PathBuf>| {
            physical.as_ref().is_some_and(|physical| !bases.iter().any(|base| physical.starts_with(base)))
        };
        let physical = match self.physical {
            Ok(physical) if leads_out(&physical) => Err(ReadRefusal::new("a link to outside the project")),
            physical => physical,
        };
        Self { physical, ..self }
    }
}

/// What is known about the directory that contains another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ParentDirectory<'p> {
    /// Nothing is known.
    Any,
    /// Its path has no links: it is a project directory, or an ancestor of the project directory that is given.
    Physical(Option<&'p Path>),
}

/// Returns the path of a directory with all links resolved; `None` if there is none. Above a project, a directory
/// counts as absent if only another account can have created it.
fn open_directory(
    path: &Path,
    owners: PermittedOwners,
    above: ParentDirectory<'_>,
) -> Result<Option<PathBuf>, ReadRefusal> {
    let refused = |error: io::Error| ReadRefusal::new(reason(&error));
    // Most directories do not exist, so this is tested first. A dangling link is not an absent directory.
    let entry = match fs::symlink_metadata(path) {
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(refused(error)),
        Ok(entry) => entry,
    };
    if let ParentDirectory::Physical(Some(project)) = above
        && Owner::of(&entry).is_foreign()
        && is_writable_by_others(path.parent().unwrap_or(path), project)
    {
        return Ok(None);
    }
    let (physical, metadata) = match above {
        ParentDirectory::Physical(_) if !entry.is_symlink() => (path.to_path_buf(), entry),
        _ => {
            let physical = canonicalize(path).map_err(refused)?;
            let metadata = fs::metadata(&physical).map_err(refused)?;
            (physical, metadata)
        }
    };
    if !metadata.is_dir() {
        return Err(ReadRefusal::new("not a directory"));
    }
    owners.check(path, &metadata)?;
    // An account that can write to the parent directory can replace this one.
    if let Some(above) =
        physical.parent().filter(|above| above.file_name().is_some_and(|name| name == super::DIRECTORY))
    {
        let metadata = fs::metadata(above).map_err(refused)?;
        let of_above = |refusal: ReadRefusal| ReadRefusal {
            problem: format!("the directory above is {}", refusal.problem),
            ..refusal
        };
        owners.check(above, &metadata).map_err(of_above)?;
    }
    Ok(Some(physical))
}

/// Whether other accounts than this one, root and the owner of the project can create files in a directory.
fn is_writable_by_others(directory: &Path, project: &Path) -> bool {
    let (Ok(directory), Ok(project)) = (fs::metadata(directory), fs::metadata(project)) else { return false };
    let owner = Owner::of(&directory);
    is_open(&directory) || owner.is_foreign() && owner != Owner::of(&project)
}

/// Whether a file is world-writable. The mode of a link has no meaning.
fn is_open(metadata: &Metadata) -> bool {
    !metadata.is_symlink() && is_world_writable(metadata)
}

/// The `.rules` directories with the policies of a project: in its own directory and in those above.
#[derive(Clone, Debug, Default)]
pub(super) struct PolicyChain {
    /// The project directory with all links resolved; if it does not exist, its nearest existing ancestor.
    pub(super) project: Option<PathBuf>,
    /// The `.rules` directories of the project and of each ancestor, the outermost first.
    pub(super) policies: Vec<LayerDirectory>,
    /// The directories outside of which no `use` and no link may lead. The first is the outermost directory above the
    /// project that has a policy, or else the project directory.
    pub(super) bases: Vec<PathBuf>,
    /// The `.rules` directories above a nested policy, which are not loaded, the outermost first.
    pub(super) around: Vec<LayerDirectory>,
}

impl PolicyChain {
    /// Looks for the policy in one directory in which a call works and the session is not.
    pub(super) fn nested(directory: &Path) -> Self {
        let mut chain = Self::find(directory, &[]);
        let nested_policy = chain.policies.pop();
        let nested = PolicyBase::Nested(directory.to_path_buf());
        let policies =
            nested_policy.map(|policy| LayerDirectory { base: Some(nested), ..policy }).into_iter().collect();
        Self { around: std::mem::replace(&mut chain.policies, policies), ..chain }
    }

    /// Looks for the policies of a project: in its directory and in every ancestor, up to the root of the file
    /// system. `gone` lists other directories that may have been the project directory.
    ///
    /// Nothing else ends the search. Whoever works in the project could create or move a marker such as `.git`, and
    /// would silently remove the policies of the directories above. For the same reason, the ancestors of the
    /// project's path before links are resolved, and those of the directories in `gone`, are searched, too.
    pub(super) fn find(project: &Path, gone: &[PathBuf]) -> Self {
        let Some(physical) = project.ancestors().find_map(|dir| canonicalize(dir).ok()) else {
            return Self::default();
        };
        let mut directories: Vec<PathBuf> = physical.ancestors().map(Path::to_path_buf).collect();
        // The first `project_levels` directories are the project itself and its ancestors.
        let project_levels = directories.len();
        let other_paths = Some(project).filter(|project| physical != *project).into_iter();
        let other_paths = other_paths.chain(gone.iter().map(PathBuf::as_path));
        for dir in other_paths.flat_map(Path::ancestors).filter_map(|dir| canonicalize(dir).ok()) {
            if !directories.contains(&dir) {
                directories.push(dir);
            }
        }
        let look_for_policy = |(at, dir): (usize, &PathBuf)| {
            let path = dir.join(super::DIRECTORY);
            let parent = ParentDirectory::Physical(Some(physical.as_path()).filter(|physical| physical != dir));
            let base = match u32::try_from(at) {
                Ok(levels) if project == physical && at < project_levels => PolicyBase::at_level(levels),
                _ => base_of(dir, project),
            };
            LayerDirectory { physical: open_directory(&path, PermittedOwners::Checked, parent), path, base: Some(base) }
        };
        let looked_at: Vec<LayerDirectory> = directories.iter().enumerate().map(look_for_policy).collect();
        // The directories that have a `.rules`, even one that is refused.
        let holders =
            || directories.iter().zip(&looked_at).enumerate().filter(|(_, (_, opened))| opened.physical != Ok(None));
        let base = holders().take_while(|(at, _)| *at < project_levels).last().map_or(&physical, |(_, (dir, _))| dir);
        let other_bases = holders().filter(|(at, _)| *at >= project_levels).map(|(_, (dir, _))| dir);
        let bases: Vec<PathBuf> = [base].into_iter().chain(other_bases).cloned().collect();
        let policies = looked_at.into_iter().rev().map(|opened| opened.reject_outside(&bases)).collect();
        Self { project: Some(physical), policies, bases, around: Vec::new() }
    }
}

/// Returns how a directory is related to a project. If a link leads to the project, the directory above its path is
/// not the directory above the project. If the project does not exist, the directory above its path may exist.
fn base_of(directory: &Path, project: &Path) -> PolicyBase {
    let is_directory = |above: &Path| canonicalize(above).is_ok_and(|above| above == directory);
    let above = project.ancestors().find(|above| is_directory(above));
    above.map_or_else(|| PolicyBase::At(directory.to_path_buf()), |above| PolicyBase::of_directory(above, project))
}

/// Returns the project that a directory belongs to if the host names none: the nearest directory with a policy, else
/// the root of the repository, else the directory itself.
pub(super) fn project_around(directory: &Path) -> PathBuf {
    let policies = PolicyChain::find(directory, &[]).policies;
    let mut inside_out = policies.iter().rev().filter(|opened| matches!(&opened.physical, Ok(Some(_))));
    let nearest = inside_out.find(|opened| has_policy(&opened.path)).and_then(|opened| opened.path.parent());
    let nearest = nearest.map(Path::to_path_buf).or_else(|| super::repository_root(directory));
    nearest.unwrap_or_else(|| directory.to_path_buf())
}

/// Whether a `.rules` directory contains anything but `log`, the directory of the effect `record`.
pub(super) fn has_policy(rules: &Path) -> bool {
    let entries = fs::read_dir(rules).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| name != "log")
}

/// What kind of directory is listed, which determines which entries are skipped.
#[derive(Default)]
pub(super) enum ListedTree {
    /// A `.rules` directory, of which everything belongs to the policy.
    #[default]
    Policy,
    /// A directory of a project. Its foreign and ignored parts are skipped.
    Project(TreeDirectory),
}

impl ListedTree {
    /// Returns the kind for an entry of the directory; `None` if the entry is skipped.
    fn enter(&self, name: &OsStr, kind: fs::FileType) -> Option<Self> {
        match self {
            Self::Project(directory) if kind.is_dir() || kind.is_symlink() => {
                directory.own_subdirectory(name).map(Self::Project)
            }
            Self::Project(_) | Self::Policy => Some(Self::Policy),
        }
    }
}

/// The files in the directory of a layer.
#[derive(Default)]
pub(super) struct LayerListing {
    /// The sources, sorted by path in byte order.
    pub(super) files: Vec<PathBuf>,
    /// The records of programs, sorted by path in byte order.
    pub(super) programs: Vec<PathBuf>,
    /// The entries that look like sources but are not read, each with the reason.
    pub(super) refused: Vec<(PathBuf, ReadRefusal)>,
    /// The directories that were read.
    pub(super) inputs: Vec<LoadInput>,
}

/// Lists the `.rules` files in a directory and its subdirectories, and the records of programs in its subdirectory
/// `programs`. Hidden entries, and the subdirectories `local` and `log`, are skipped. In a working tree, so are the
/// directories and links that are not part of the project.
pub(super) fn list(directory: &Path, owners: PermittedOwners, tree: ListedTree) -> LayerListing {
    let mut listing = LayerListing::default();
    let mut pending = vec![(directory.to_path_buf(), 0_usize, tree)];
    let mut entries = 0;
    while let Some((dir, depth, tree)) = pending.pop() {
        let mut lister =
            DirectoryLister::start(&dir, if depth == 0 { DirectoryLevel::Top } else { DirectoryLevel::Below });
        let read = match open_for_listing(&dir, owners) {
            Ok(read) => read,
            Err(refusal) => {
                listing.refused.push((dir, refusal));
                continue;
            }
        };
        for entry in read {
            entries += 1;
            if entries > MAX_ENTRIES {
                let refusal = ReadRefusal::new(format!("more than {MAX_ENTRIES} entries"));
                listing.refused.push((directory.to_path_buf(), refusal));
                return listing;
            }
            let (path, kind) = match entry.and_then(|entry| Ok((entry.path(), entry.file_type()?))) {
                Ok(entry) => entry,
                Err(error) => {
                    listing.refused.push((dir.clone(), ReadRefusal::new(reason(&error))));
                    continue;
                }
            };
            let name = path.file_name().unwrap_or_default();
            if !lister.add(name, kind) {
                continue;
            }
            let Some(inner) = tree.enter(name, kind) else { continue };
            if !kind.is_dir() {
                listing.add(path, kind, directory);
            } else if depth < MAX_DEPTH {
                pending.push((path, depth + 1, inner));
            } else {
                listing.refused.push((path, ReadRefusal::new(format!("more than {MAX_DEPTH} directories deep"))));
            }
        }
        listing.inputs.push(lister.into_input());
    }
    for files in [&mut listing.files, &mut listing.programs] {
        files.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    }
    listing.refused.sort();
    listing
}

/// Opens a directory for listing. It is rejected if others can write to it, because they could remove sources.
fn open_for_listing(directory: &Path, owners: PermittedOwners) -> Result<fs::ReadDir, ReadRefusal> {
    let read = fs::read_dir(directory).map_err(|error| ReadRefusal::new(reason(&error)))?;
    let metadata = fs::metadata(directory).map_err(|error| ReadRefusal::new(reason(&error)))?;
    owners.check(directory, &metadata).map(|()| read)
}

impl LayerListing {
    /// Adds an entry that is not a directory, if it is a source or a record. A link is rejected if it may lead to
    /// sources.
    fn add(&mut self, path: PathBuf, kind: fs::FileType, top: &Path) {
        let is_record = super::is_record(&path) && path.starts_with(top.join(super::PROGRAMS));
        let is_source = path.as_os_str().as_encoded_bytes().ends_with(b".rules");
        if kind.is_symlink() && (is_source || is_record || path.is_dir()) {
            self.refused.push((path, ReadRefusal::new("a symbolic link")));
        } else if kind.is_symlink() {
            // The target may become a directory, and the link would then be rejected.
            self.inputs.push(LoadInput::no_directory(&path));
        } else if is_record {
            self.programs.push(path);
        } else if is_source {
            self.files.push(path);
        }
    }
}

/// Whether an error means that a file does not exist.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
