//! Finds the directories with policy, checks whether they can be trusted, and lists their files.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::seen::{DirectoryLevel, DirectoryLister, LoadInput};
use crate::escape::line;
use crate::files::reason;
use crate::ownership::{self, is_foreign};

/// The maximum number of entries read in one layer directory.
pub(super) const MAX_ENTRIES: usize = 10_000;
/// The maximum depth of sub-directories.
const MAX_DEPTH: usize = 16;

/// The reason why something is not read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ReadRefusal {
    /// The problem, to be written after the name.
    pub(super) problem: String,
    /// Advice on what to do about it.
    pub(super) help: Option<String>,
}

impl ReadRefusal {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), help: None }
    }
}

/// The permitted owners of a directory and its contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PermittedOwners {
    /// Anybody: the user named it.
    Any,
    /// This account and root, and nobody else may have write access: it was found without being named.
    Checked,
}

impl PermittedOwners {
    /// Rejects what another account owns, and what every account can write.
    pub(super) fn check(self, path: &Path, metadata: &Metadata) -> Result<(), ReadRefusal> {
        if self == Self::Any {
            return Ok(());
        }
        if is_foreign(metadata.uid()) {
            let help = "replace it with a copy of your own, or remove it";
            return Err(ReadRefusal { help: Some(help.to_owned()), ..ReadRefusal::new("owned by another user") });
        }
        if is_open(metadata) {
            let help = format!("run `chmod o-w {}`", line(&path.display().to_string(), usize::MAX));
            return Err(ReadRefusal { help: Some(help), ..ReadRefusal::new("world-writable") });
        }
        Ok(())
    }
}

/// The directory of a layer, if it exists.
#[derive(Clone, Debug)]
pub(super) struct LayerDirectory {
    /// The path where it was looked for.
    pub(super) path: PathBuf,
    /// The physical directory; `None` if there is none.
    pub(super) physical: Result<Option<PathBuf>, ReadRefusal>,
}

impl LayerDirectory {
    /// Opens a directory if it exists.
    pub(super) fn new(path: PathBuf, owners: PermittedOwners) -> Self {
        Self { physical: open(&path, owners, ParentDirectory::Any), path }
    }

    /// Opens a directory in another one, if that exists.
    pub(super) fn in_directory(directory: &Self, name: &str) -> Self {
        let path = directory.path.join(name);
        match directory.physical {
            Ok(None) => Self { path, physical: Ok(None) },
            _ => Self::new(path, PermittedOwners::Checked),
        }
    }

    /// Rejects a link that leads out of all these directories.
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

/// What is known of the directory in which another one is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ParentDirectory<'p> {
    /// Nothing.
    Any,
    /// All links to it are resolved: it is a project, or an ancestor of one, which is given then.
    Physical(Option<&'p Path>),
}

/// Opens a directory. Above a project, a directory that only another account can have created counts as absent.
fn open(path: &Path, owners: PermittedOwners, above: ParentDirectory<'_>) -> Result<Option<PathBuf>, ReadRefusal> {
    let refused = |error: io::Error| ReadRefusal::new(reason(&error));
    // Most do not exist. A dangling link is not the same as absence.
    let entry = match fs::symlink_metadata(path) {
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(refused(error)),
        Ok(entry) => entry,
    };
    if let ParentDirectory::Physical(Some(project)) = above
        && is_foreign(entry.uid())
        && is_writable_by_others(path.parent().unwrap_or(path), project)
    {
        return Ok(None);
    }
    let (physical, metadata) = match above {
        ParentDirectory::Physical(_) if !entry.is_symlink() => (path.to_path_buf(), entry),
        _ => {
            let physical = fs::canonicalize(path).map_err(refused)?;
            let metadata = fs::metadata(&physical).map_err(refused)?;
            (physical, metadata)
        }
    };
    if !metadata.is_dir() {
        return Err(ReadRefusal::new("not a directory"));
    }
    owners.check(path, &metadata)?;
    // An account that can write the parent directory can replace this one.
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

/// Whether accounts other than this one, root and the owner of a project may create files in a directory.
fn is_writable_by_others(directory: &Path, project: &Path) -> bool {
    let (Ok(directory), Ok(project)) = (fs::metadata(directory), fs::metadata(project)) else { return false };
    is_open(&directory) || is_foreign(directory.uid()) && directory.uid() != project.uid()
}

/// Whether every account can write something; the mode of a link means nothing.
fn is_open(metadata: &Metadata) -> bool {
    !metadata.is_symlink() && ownership::is_open(metadata.mode())
}

/// The policy directories of a project and of its ancestors.
#[derive(Clone, Debug, Default)]
pub(super) struct PolicyChain {
    /// The project directory with all links resolved; if it does not exist, its nearest existing ancestor.
    pub(super) project: Option<PathBuf>,
    /// Its `.rules` directory and that of each ancestor, the outermost first.
    pub(super) policies: Vec<LayerDirectory>,
    /// The directories that no `use` and no link may leave; the first is that of the project.
    pub(super) bases: Vec<PathBuf>,
}

impl PolicyChain {
    /// Looks for the policy of a project: in its directory and in every ancestor, up to the root of the file system.
    ///
    /// Nothing else ends the search. Any marker that did, such as a `.git`, could be created or moved away by whoever
    /// works in the project, and the policy of the directories above would silently be lost. For the same reason, the
    /// ancestors of the project's unresolved name count in addition to those of its resolved path, and so do those of
    /// former candidates that are gone.
    pub(super) fn find(project: &Path, gone: &[PathBuf]) -> Self {
        let Some(physical) = project.ancestors().find_map(|dir| fs::canonicalize(dir).ok()) else {
            return Self::default();
        };
        let mut up: Vec<PathBuf> = physical.ancestors().map(Path::to_path_buf).collect();
        let above = up.len();
        let others = Some(project).filter(|project| physical != *project).into_iter();
        let others = others.chain(gone.iter().map(PathBuf::as_path));
        for dir in others.flat_map(Path::ancestors).filter_map(|dir| fs::canonicalize(dir).ok()) {
            if !up.contains(&dir) {
                up.push(dir);
            }
        }
        let look = |dir: &PathBuf| {
            let path = dir.join(super::DIRECTORY);
            let above = ParentDirectory::Physical(Some(physical.as_path()).filter(|physical| physical != dir));
            LayerDirectory { physical: open(&path, PermittedOwners::Checked, above), path }
        };
        let found: Vec<LayerDirectory> = up.iter().map(look).collect();
        let holders = || up.iter().zip(&found).enumerate().filter(|(_, (_, opened))| opened.physical != Ok(None));
        let base = holders().take_while(|(at, _)| *at < above).last().map_or(&physical, |(_, (dir, _))| dir);
        let elsewhere = holders().filter(|(at, _)| *at >= above).map(|(_, (dir, _))| dir);
        let bases: Vec<PathBuf> = [base].into_iter().chain(elsewhere).cloned().collect();
        let policies = found.into_iter().rev().map(|opened| opened.reject_outside(&bases)).collect();
        Self { project: Some(physical), policies, bases }
    }
}

/// Returns the project that a directory belongs to where the host names none: the nearest directory with a policy, else
/// the root of the repository, else the directory itself.
pub(super) fn project_around(directory: &Path) -> PathBuf {
    let policies = PolicyChain::find(directory, &[]).policies;
    let mut inside_out = policies.iter().rev().filter(|opened| matches!(&opened.physical, Ok(Some(_))));
    let with_policy = inside_out.find(|opened| has_policy(&opened.path)).and_then(|opened| opened.path.parent());
    let repository = || directory.ancestors().find(|above| above.join(".git").exists());
    with_policy.or_else(repository).unwrap_or(directory).to_path_buf()
}

/// Whether a `.rules` holds more than records.
fn has_policy(rules: &Path) -> bool {
    let entries = fs::read_dir(rules).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| name != "log")
}

/// The contents of a layer directory.
#[derive(Default)]
pub(super) struct LayerListing {
    /// The sources, sorted by path in byte order.
    pub(super) files: Vec<PathBuf>,
    /// The records of programs, sorted by path in byte order.
    pub(super) programs: Vec<PathBuf>,
    /// Entries that look like sources but cannot be, with the reason.
    pub(super) refused: Vec<(PathBuf, ReadRefusal)>,
    /// What was read for it.
    pub(super) inputs: Vec<LoadInput>,
}

/// Lists the `.rules` files in and below a directory, without hidden entries and its own `local` and `log`, and the
/// records of programs in and below its own `programs`.
pub(super) fn list(directory: &Path, owners: PermittedOwners) -> LayerListing {
    let mut listing = LayerListing::default();
    let mut left = vec![(directory.to_path_buf(), 0_usize)];
    let mut entries = 0;
    while let Some((dir, depth)) = left.pop() {
        let mut found =
            DirectoryLister::start(&dir, if depth == 0 { DirectoryLevel::Top } else { DirectoryLevel::Below });
        let read = match opened(&dir, owners) {
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
            if !found.add(path.file_name().unwrap_or_default(), kind) {
                continue;
            }
            if !kind.is_dir() {
                listing.add(path, kind, directory);
            } else if depth < MAX_DEPTH {
                left.push((path, depth + 1));
            } else {
                listing.refused.push((path, ReadRefusal::new(format!("more than {MAX_DEPTH} directories deep"))));
            }
        }
        listing.inputs.push(found.into_input());
    }
    for files in [&mut listing.files, &mut listing.programs] {
        files.sort_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
    }
    listing.refused.sort();
    listing
}

/// Opens a directory. If others can write it, they can remove sources from it.
fn opened(directory: &Path, owners: PermittedOwners) -> Result<fs::ReadDir, ReadRefusal> {
    let read = fs::read_dir(directory).map_err(|error| ReadRefusal::new(reason(&error)))?;
    let metadata = fs::metadata(directory).map_err(|error| ReadRefusal::new(reason(&error)))?;
    owners.check(directory, &metadata).map(|()| read)
}

impl LayerListing {
    /// Adds an entry that is no directory.
    fn add(&mut self, path: PathBuf, kind: fs::FileType, top: &Path) {
        let is_record = super::is_record(&path) && path.starts_with(top.join(super::PROGRAMS));
        let is_source = path.as_os_str().as_bytes().ends_with(b".rules");
        if kind.is_symlink() && (is_source || is_record || path.is_dir()) {
            self.refused.push((path, ReadRefusal::new("a symbolic link")));
        } else if kind.is_symlink() {
            self.inputs.push(LoadInput::no_directory(&path));
        } else if is_record {
            self.programs.push(path);
        } else if is_source {
            self.files.push(path);
        }
    }
}

pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
