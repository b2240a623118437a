//! Finds the policies in directories that a session is not in: those below a project, and those that hold for a file or
//! a command of a call.

use std::cell::OnceCell;
use std::collections::{BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::find::has_policy;
use super::tree::{ForeignPart, TreeDirectory, is_part_of_tree};
use super::{DIRECTORY, is_in_directory, repository_root};
use crate::facts::{main_worktree, resolve};

/// The most directories that are listed.
const MAX_DIRECTORIES: usize = 10_000;
/// The most directories that are listed below one that a call changes as a whole.
const MAX_CHANGED_DIRECTORIES: usize = 2_000;
/// The most directories that are examined for packages of a workspace.
const MAX_PACKAGES: usize = 2_000;
/// The most policies that are found.
const MAX_POLICIES: usize = 200;

/// The policies below a project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NestedPolicies {
    /// The directories that hold the policies of the project's own parts, in the order of their paths.
    pub directories: Vec<PathBuf>,
    /// The directories that hold a policy but are no part of the project, each with the reason.
    pub foreign: Vec<(PathBuf, ForeignPart)>,
    /// The limit at which the search ended, as a noun; `None` if it is complete.
    pub limit: Option<String>,
}

/// A directory with a policy that holds where a call works and that the session does not have.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NestedDirectory {
    /// The directory that holds the policy.
    pub path: PathBuf,
    /// Whether it is in a repository of its own, in `node_modules` or in a directory that git ignores, so that others have
    /// written the policy. It still counts: whoever works there could make any directory such a one.
    pub is_foreign: bool,
}

/// The search for the policies that hold where a call works and that the session does not have: those in the directories
/// between the root of the working tree and a file or command.
pub struct NestedSearch<'s> {
    project: &'s Path,
    /// The linked worktrees of the project, which are looked up if a policy may be in one.
    worktrees: &'s dyn Fn() -> Vec<PathBuf>,
    trees: OnceCell<WorkingTrees>,
    /// The directories that have been looked at.
    visited: BTreeSet<OsString>,
    found: Vec<NestedDirectory>,
    /// How many more directories may be listed, for all that the call changes.
    unlisted: usize,
    is_incomplete: bool,
}

/// The working trees in which policies count, which are looked up if there may be one.
struct WorkingTrees {
    /// The project directory with all links resolved.
    project: PathBuf,
    /// The roots of the project's working tree, as it is written and with links resolved, and of the others of its
    /// repository.
    roots: Vec<PathBuf>,
}

impl<'s> NestedSearch<'s> {
    /// Begins the search for a session in a project. The function returns the linked worktrees of the project.
    #[must_use]
    pub fn new(project: &'s Path, worktrees: &'s dyn Fn() -> Vec<PathBuf>) -> Self {
        Self {
            project,
            worktrees,
            trees: OnceCell::new(),
            visited: BTreeSet::new(),
            found: Vec::new(),
            unlisted: MAX_CHANGED_DIRECTORIES,
            is_incomplete: false,
        }
    }

    /// Looks for the policies that hold for a file or directory, also where links lead to another one. The path must be
    /// absolute and normalised.
    pub fn look_above(&mut self, path: &Path) {
        let mut has_link = false;
        let known = self.found.len();
        // One buffer for all names, because nearly every call comes here.
        let mut rules = OsString::new();
        for directory in path.ancestors() {
            if is_in_directory(directory, self.project) || self.visited.contains(directory.as_os_str()) {
                break;
            }
            self.visited.insert(directory.as_os_str().to_owned());
            if directory.is_symlink() {
                // What is at the link or below it is found where the link leads.
                has_link = true;
                self.found.truncate(known);
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
            self.look_above(&resolve(path));
        }
    }

    /// Looks for the policies in the directories below one that a call changes, in those that git does not ignore. The path
    /// must be absolute and normalised.
    pub fn look_below(&mut self, directory: &Path) {
        let trees = self.trees();
        // A directory that contains a working tree changes all of it.
        let roots = trees.roots.iter().filter(|root| is_in_directory(directory, root)).cloned();
        let mut starts: Vec<PathBuf> = roots.collect();
        if starts.is_empty() {
            let root = trees.root_around(directory);
            starts.extend(root.filter(|root| is_part_of_tree(root, directory)).map(|_| directory.to_path_buf()));
        }
        for start in starts {
            let NestedPolicies { directories, foreign, limit } = policies_below(&start, &mut self.unlisted);
            self.is_incomplete |= limit.is_some();
            let own = directories.into_iter().map(|path| NestedDirectory { path, is_foreign: false });
            let foreign = foreign.into_iter().map(|(path, _)| NestedDirectory { path, is_foreign: true });
            for found in own.chain(foreign).filter(|found| !is_in_directory(&found.path, self.project)) {
                if self.visited.insert(found.path.as_os_str().to_owned()) {
                    self.found.push(found);
                }
            }
        }
    }

    /// Looks for the policies of the packages of a workspace that a directory is in: those of the directories up to two
    /// levels below the root of the working tree, or three for the packages of a scope (`packages/@acme/api`).
    pub fn look_in_packages(&mut self, directory: &Path) {
        let Some(root) = self.trees().root_around(directory).map(Path::to_path_buf) else { return };
        let mut open = VecDeque::from([(TreeDirectory::start(&root), 0)]);
        let mut left = MAX_PACKAGES;
        while let Some((directory, depth)) = open.pop_front() {
            for inner in subdirectories(&directory).into_iter().filter(|inner| inner.foreign.is_none()) {
                let Some(rest) = left.checked_sub(1) else {
                    self.is_incomplete = true;
                    return;
                };
                left = rest;
                self.look_above(&inner.path);
                let is_scope = inner.path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('@'));
                if depth == 0 || is_scope {
                    open.push_back((inner, depth + 1));
                }
            }
        }
    }

    /// Returns the directories that hold the policies, the outermost first, and whether there may be more of them.
    #[must_use]
    pub fn into_directories(mut self) -> (Vec<NestedDirectory>, bool) {
        self.found.sort();
        let is_incomplete = self.is_incomplete && !self.found.is_empty();
        (self.found, is_incomplete)
    }

    /// Returns the root of the working tree that a directory is in; `None` if that is not one of the project, or the
    /// session has the policy.
    fn tree_root(&self, directory: &Path) -> Option<&Path> {
        let trees = self.trees();
        if is_in_directory(directory, &trees.project) { None } else { trees.root_around(directory) }
    }

    fn trees(&self) -> &WorkingTrees {
        self.trees.get_or_init(|| {
            let root = repository_root(self.project).unwrap_or_else(|| self.project.to_path_buf());
            let linked = (self.worktrees)().into_iter().filter_map(|worktree| repository_root(&worktree));
            let others = std::iter::once(resolve(&root)).chain(linked).chain(main_worktree(&root));
            let others: Vec<PathBuf> = others.filter(|other| *other != root).collect();
            WorkingTrees { project: resolve(self.project), roots: std::iter::once(root).chain(others).collect() }
        })
    }
}

impl WorkingTrees {
    /// Returns the root of the innermost working tree that a directory is in.
    fn root_around(&self, directory: &Path) -> Option<&Path> {
        let around = self.roots.iter().filter(|root| is_in_directory(root, directory));
        around.max_by_key(|root| root.as_os_str().len()).map(PathBuf::as_path)
    }
}

/// Whether what is at a path called `.rules` may be a policy: a directory with more than records, or something that
/// cannot be read and is reported.
fn may_have_policy(rules: &Path) -> bool {
    fs::read_dir(rules).map_or(true, |_| has_policy(rules))
}

/// Returns when the policy in a directory, or the way to it from the project, last changed, in milliseconds since 1970; `None`
/// if that is not known. No program can set this time.
#[must_use]
pub fn last_change(directory: &Path, project: Option<&Path>, files: &[PathBuf]) -> Option<u64> {
    let is_around = |path: &Path| project.is_some_and(|project| project.starts_with(path));
    let rules = directory.join(DIRECTORY);
    let entries = fs::read_dir(&rules).ok()?.map(|entry| entry.map(|entry| entry.path()));
    let entries = entries.collect::<Result<Vec<_>, _>>().ok()?;
    let sources = files.iter().chain(&entries).map(PathBuf::as_path);
    let places = sources.clone().filter_map(Path::parent).chain([rules.as_path()]);
    // A directory that is moved here brings an old policy.
    let above = directory.ancestors().chain(places).filter(|path| !is_around(path));
    let changed = |path: &Path| {
        let times = [path.symlink_metadata().ok()?, path.metadata().ok()?];
        let times =
            times.map(|found| found.ctime().saturating_mul(1_000).saturating_add(found.ctime_nsec() / 1_000_000));
        u64::try_from(times.into_iter().max()?).ok()
    };
    sources.chain(above).map(changed).try_fold(0, |last, time| Some(last.max(time?)))
}

/// Finds the policies in the directories below a project that git does not ignore. Links are not followed.
#[must_use]
pub fn nested_policies(project: &Path) -> NestedPolicies {
    let mut left = MAX_DIRECTORIES;
    policies_below(project, &mut left)
}

/// Does what [`nested_policies`] does, and lists at most `left` directories, which it subtracts.
fn policies_below(project: &Path, left: &mut usize) -> NestedPolicies {
    let most = *left;
    let mut found = NestedPolicies::default();
    let mut open = VecDeque::from([TreeDirectory::start(project)]);
    while let Some(directory) = open.pop_front() {
        let Some(rest) = left.checked_sub(1) else {
            found.limit = Some(format!("{most} directories"));
            break;
        };
        *left = rest;
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
        open.extend(subdirectories(&directory));
    }
    found.directories.sort();
    found.foreign.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// Returns the subdirectories of a directory that are to be listed.
fn subdirectories(directory: &TreeDirectory) -> Vec<TreeDirectory> {
    let Ok(entries) = fs::read_dir(&directory.path) else { return Vec::new() };
    let is_directory = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let mut names: Vec<_> = entries.flatten().filter(is_directory).map(|entry| entry.file_name()).collect();
    names.retain(|name| name != ".git" && name != DIRECTORY);
    names.sort();
    names.iter().filter_map(|name| directory.subdirectory(name)).collect()
}
