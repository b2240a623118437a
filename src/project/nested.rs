//! Finds the policies in directories in which a session is not: those below a project, and those that hold for a file
//! or a command of a call.

use std::cell::OnceCell;
use std::collections::{BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::find::has_policy;
use super::tree::{ForeignPart, TreeDirectory, is_part_of_tree};
use super::{DIRECTORY, is_in_directory, repository_root};
use crate::facts::{main_worktree, resolve};
use crate::platform::file;
use crate::platform::paths::portable;

/// The maximum number of directories that are listed.
const MAX_DIRECTORIES: usize = 10_000;
/// The maximum number of directories that are listed below those that a call changes as a whole.
const MAX_CHANGED_DIRECTORIES: usize = 2_000;
/// The maximum number of directories that are examined for packages of a workspace.
const MAX_PACKAGES: usize = 2_000;
/// The maximum number of policies that are found.
const MAX_POLICIES: usize = 200;

/// The policies below a project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NestedPolicies {
    /// The directories with policies that are part of the project, sorted by path.
    pub directories: Vec<PathBuf>,
    /// The directories with policies that are not part of the project, each with the reason.
    pub foreign: Vec<(PathBuf, ForeignPart)>,
    /// The limit that ended the search, as a noun (`200 policies`); `None` if the search is complete.
    pub limit: Option<String>,
}

/// A directory whose policy holds for what a call touches, but is not among those of the session.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NestedDirectory {
    /// The directory that holds the policy.
    pub path: PathBuf,
    /// Whether others have written the policy: the directory is in a repository of its own, in `node_modules`, or
    /// ignored by git. The policy still counts, since whoever works there could make any directory such a one.
    pub is_foreign: bool,
}

/// The search for policies that hold for what a call touches, but are not among those of the session. They are in the
/// directories between the root of the working tree and a file or command of the call.
pub struct NestedSearch<'s> {
    project: &'s Path,
    /// Looks up the linked worktrees of the project. Called only if a policy may be in one.
    worktrees: &'s dyn Fn() -> Vec<PathBuf>,
    trees: OnceCell<WorkingTrees>,
    /// The directories that were examined.
    visited: BTreeSet<OsString>,
    found: Vec<NestedDirectory>,
    /// How many more directories may be listed, below all directories that the call changes.
    listings_left: usize,
    /// Whether a limit ended a part of the search.
    is_incomplete: bool,
}

/// The working trees in which policies count. They are looked up only if there may be a policy.
struct WorkingTrees {
    /// The project directory with all links resolved.
    project: PathBuf,
    /// The roots of the project's working tree, both as its path is given and with links resolved, and of the other
    /// working trees of its repository.
    roots: Vec<PathBuf>,
}

impl<'s> NestedSearch<'s> {
    /// Begins the search for a session in a project. `worktrees` looks up the linked worktrees of the project.
    #[must_use]
    pub fn new(project: &'s Path, worktrees: &'s dyn Fn() -> Vec<PathBuf>) -> Self {
        Self {
            project,
            worktrees,
            trees: OnceCell::new(),
            visited: BTreeSet::new(),
            found: Vec::new(),
            listings_left: MAX_CHANGED_DIRECTORIES,
            is_incomplete: false,
        }
    }

    /// Looks for the policies that hold for a file or directory, following links. The path must be absolute and
    /// normalised.
    pub fn look_above(&mut self, path: &Path) {
        let mut has_link = false;
        let found_before = self.found.len();
        // One buffer for all paths, because nearly every call needs this.
        let mut rules = OsString::new();
        for directory in path.ancestors() {
            if is_in_directory(directory, self.project) || self.visited.contains(directory.as_os_str()) {
                break;
            }
            self.visited.insert(directory.as_os_str().to_owned());
            if directory.is_symlink() {
                // The policies for what is at the link or below it are found where it leads.
                has_link = true;
                self.found.truncate(found_before);
                continue;
            }
            rules.clear();
            [directory.as_os_str(), OsStr::new("/"), OsStr::new(DIRECTORY)].iter().for_each(|part| rules.push(part));
            let rules = Path::new(&rules);
            if rules.symlink_metadata().is_ok()
                && may_have_policy(rules)
                && let Some(root) = self.tree_root(directory)
            {
                let is_foreign = !is_part_of_tree(root, directory);
                self.found.push(NestedDirectory { path: directory.to_path_buf(), is_foreign });
            }
        }
        if has_link {
            self.look_above(&portable(resolve(path)));
        }
    }

    /// Looks for the policies below a directory that a call changes, except in directories that git ignores. The path
    /// must be absolute and normalised.
    pub fn look_below(&mut self, directory: &Path) {
        let trees = self.trees();
        // If the directory contains working trees, each of them is searched.
        let roots = trees.roots.iter().filter(|root| is_in_directory(directory, root)).cloned();
        let mut starts: Vec<PathBuf> = roots.collect();
        if starts.is_empty() {
            let root = trees.root_around(directory);
            starts.extend(root.filter(|root| is_part_of_tree(root, directory)).map(|_| directory.to_path_buf()));
        }
        for start in starts {
            let NestedPolicies { directories, foreign, limit } = policies_below(&start, &mut self.listings_left);
            self.is_incomplete |= limit.is_some();
            let part_of_project = directories.into_iter().map(|path| NestedDirectory { path, is_foreign: false });
            let foreign = foreign.into_iter().map(|(path, _)| NestedDirectory { path, is_foreign: true });
            for found in part_of_project.chain(foreign).filter(|found| !is_in_directory(&found.path, self.project)) {
                if self.visited.insert(found.path.as_os_str().to_owned()) {
                    self.found.push(found);
                }
            }
        }
    }

    /// Looks for the policies of the packages of the workspace that contains a directory: those in directories up to
    /// two levels below the root of the working tree, or three for packages with a scope (`packages/@acme/api`).
    pub fn look_in_packages(&mut self, directory: &Path) {
        let Some(root) = self.trees().root_around(directory).map(Path::to_path_buf) else { return };
        let mut pending = VecDeque::from([(TreeDirectory::start(&root), 0)]);
        let mut packages_left = MAX_PACKAGES;
        while let Some((directory, depth)) = pending.pop_front() {
            for inner in subdirectories(&directory).into_iter().filter(|inner| inner.foreign.is_none()) {
                let Some(rest) = packages_left.checked_sub(1) else {
                    self.is_incomplete = true;
                    return;
                };
                packages_left = rest;
                self.look_above(&inner.path);
                let is_scope = inner.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('@'));
                if depth == 0 || is_scope {
                    pending.push_back((inner, depth + 1));
                }
            }
        }
    }

    /// Returns the directories of the policies, the outermost first, and whether there may be more of them.
    #[must_use]
    pub fn into_directories(mut self) -> (Vec<NestedDirectory>, bool) {
        self.found.sort();
        let is_incomplete = self.is_incomplete && !self.found.is_empty();
        (self.found, is_incomplete)
    }

    /// Returns the root of the working tree that contains a directory. `None` if it is not a working tree of the
    /// project's repository, or if the session has the policy of that directory.
    fn tree_root(&self, directory: &Path) -> Option<&Path> {
        let trees = self.trees();
        if is_in_directory(directory, &trees.project) { None } else { trees.root_around(directory) }
    }

    fn trees(&self) -> &WorkingTrees {
        self.trees.get_or_init(|| {
            let root = repository_root(self.project).unwrap_or_else(|| self.project.to_path_buf());
            let linked = (self.worktrees)().into_iter().filter_map(|worktree| repository_root(&worktree));
            let other_roots = std::iter::once(resolve(&root)).chain(linked).chain(main_worktree(&root));
            let other_roots: Vec<PathBuf> = other_roots.filter(|other| *other != root).collect();
            WorkingTrees { project: resolve(self.project), roots: std::iter::once(root).chain(other_roots).collect() }
        })
    }
}

impl WorkingTrees {
    /// Returns the root of the innermost working tree that contains a directory.
    fn root_around(&self, directory: &Path) -> Option<&Path> {
        let containing = self.roots.iter().filter(|root| is_in_directory(root, directory));
        containing.max_by_key(|root| root.as_os_str().len()).map(PathBuf::as_path)
    }
}

/// Whether what is at a path called `.rules` may be a policy: a directory with more than the log of records, or
/// something that cannot be read and is reported.
fn may_have_policy(rules: &Path) -> bool {
    fs::read_dir(rules).map_or(true, |_| has_policy(rules))
}

/// Returns when the policy in a directory, or a directory between it and the project, last changed, in milliseconds
/// since 1970; `None` if that is unknown. It is the change time, which no program can set.
#[must_use]
pub fn last_change(directory: &Path, project: Option<&Path>, files: &[PathBuf]) -> Option<u64> {
    let is_around = |path: &Path| project.is_some_and(|project| project.starts_with(path));
    let rules = directory.join(DIRECTORY);
    let entries = fs::read_dir(&rules).ok()?.map(|entry| entry.map(|entry| entry.path()));
    let entries = entries.collect::<Result<Vec<_>, _>>().ok()?;
    let sources = files.iter().chain(&entries).map(PathBuf::as_path);
    let source_directories = sources.clone().filter_map(Path::parent).chain([rules.as_path()]);
    // The directories count, too, since a directory that is moved here may bring an old policy.
    let directories = directory.ancestors().chain(source_directories).filter(|path| !is_around(path));
    let changed = |path: &Path| {
        let times = [path.symlink_metadata().ok()?, path.metadata().ok()?];
        let times = times.map(|found| {
            let (seconds, nanos) = file::numbers(&found).changed;
            seconds.saturating_mul(1_000).saturating_add(nanos / 1_000_000)
        });
        u64::try_from(times.into_iter().max()?).ok()
    };
    sources.chain(directories).map(changed).try_fold(0, |last, time| Some(last.max(time?)))
}

/// Finds the policies in the directories below a project that git does not ignore. Links are not followed.
#[must_use]
pub fn nested_policies(project: &Path) -> NestedPolicies {
    let mut listings_left = MAX_DIRECTORIES;
    policies_below(project, &mut listings_left)
}

/// Does what [`nested_policies`] does, but lists at most `listings_left` directories, and deducts them from that
/// number.
fn policies_below(project: &Path, listings_left: &mut usize) -> NestedPolicies {
    let max_listings = *listings_left;
    let mut found = NestedPolicies::default();
    let mut pending = VecDeque::from([TreeDirectory::start(project)]);
    while let Some(directory) = pending.pop_front() {
        let Some(rest) = listings_left.checked_sub(1) else {
            found.limit = Some(format!("{max_listings} directories"));
            break;
        };
        *listings_left = rest;
        if directory.path != project && has_policy(&directory.path.join(DIRECTORY)) {
            if found.directories.len() + found.foreign.len() >= MAX_POLICIES {
                found.limit = Some(format!("{MAX_POLICIES} policies"));
                break;
            }
            match directory.foreign {
                Some(part) => found.foreign.push((directory.path.clone(), part)),
                None => found.directories.push(directory.path.clone()),
            }
        }
        pending.extend(subdirectories(&directory));
    }
    found.directories.sort();
    found.foreign.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// Returns the subdirectories of a directory in which policies are searched, in order of their names.
fn subdirectories(directory: &TreeDirectory) -> Vec<TreeDirectory> {
    let Ok(entries) = fs::read_dir(&directory.path) else { return Vec::new() };
    let is_directory = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let mut names: Vec<_> = entries.flatten().filter(is_directory).map(|entry| entry.file_name()).collect();
    names.retain(|name| name != ".git" && name != DIRECTORY);
    names.sort();
    names.iter().filter_map(|name| directory.subdirectory(name)).collect()
}
