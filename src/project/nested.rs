//! Finds the policies in the directories below a project.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::DIRECTORY;
use super::find::has_policy;
use crate::files;
use hookrules_shell::path::IgnoreList;

/// The most directories that are listed.
const MAX_DIRECTORIES: usize = 10_000;
/// The most policies that are found.
const MAX_POLICIES: usize = 200;
/// The most bytes of an ignore file that are read.
const MAX_IGNORES: u64 = 256 << 10;

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

/// Why a directory is no part of the project around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForeignPart {
    /// It is in a working tree of its own: a submodule, a clone, or a linked worktree.
    WorkingTree,
    /// It is in `node_modules`.
    Dependency,
}

/// A directory to be listed.
struct OpenDirectory {
    path: PathBuf,
    foreign: Option<ForeignPart>,
    /// The lists of the directories from the root to the parent, the innermost first.
    ignores: Option<Rc<IgnoreChain>>,
}

/// The ignore lists of a directory and of the directories above it.
struct IgnoreChain {
    directory: PathBuf,
    list: IgnoreList,
    above: Option<Rc<IgnoreChain>>,
}

impl IgnoreChain {
    /// Returns the list of a directory, added to those above it; the latter if the directory has none.
    fn below(above: Option<Rc<Self>>, directory: &Path) -> Option<Rc<Self>> {
        let read = |name: &str| files::read(&directory.join(name), MAX_IGNORES).ok();
        let texts = [".git/info/exclude", ".gitignore"].into_iter().filter_map(read);
        let text: String = texts.map(|bytes| String::from_utf8_lossy(&bytes).into_owned() + "\n").collect();
        if text.is_empty() {
            return above;
        }
        Some(Rc::new(Self { directory: directory.to_path_buf(), list: IgnoreList::parse(&text), above }))
    }

    /// Whether git ignores a directory: the innermost list with an entry for it decides.
    fn ignores(&self, directory: &Path) -> bool {
        let inner = directory.strip_prefix(&self.directory).unwrap_or(directory);
        let names: Vec<&str> = inner.iter().filter_map(OsStr::to_str).collect();
        let above = || self.above.as_ref().is_some_and(|above| above.ignores(directory));
        self.list.names_directory(&names).unwrap_or_else(above)
    }
}

/// Finds the policies in the directories below a project that git does not ignore. Links are not followed.
#[must_use]
pub fn nested_policies(project: &Path) -> NestedPolicies {
    let mut found = NestedPolicies::default();
    let above = ignores_above(project);
    let mut open = VecDeque::from([OpenDirectory { path: project.to_path_buf(), foreign: None, ignores: above }]);
    let mut listed = 0_usize;
    while let Some(directory) = open.pop_front() {
        listed += 1;
        if listed > MAX_DIRECTORIES {
            found.limit = Some(format!("{MAX_DIRECTORIES} directories"));
            break;
        }
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
fn subdirectories(directory: &OpenDirectory) -> Vec<OpenDirectory> {
    let ignores = IgnoreChain::below(directory.ignores.clone(), &directory.path);
    let Ok(entries) = fs::read_dir(&directory.path) else { return Vec::new() };
    let is_directory = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let mut names: Vec<_> = entries.flatten().filter(is_directory).map(|entry| entry.file_name()).collect();
    names.retain(|name| name != ".git" && name != DIRECTORY);
    names.sort();
    let open = names.into_iter().map(|name| {
        let path = directory.path.join(&name);
        let foreign = match &directory.foreign {
            Some(part) => Some(*part),
            None if name == "node_modules" => Some(ForeignPart::Dependency),
            None => path.join(".git").symlink_metadata().is_ok().then_some(ForeignPart::WorkingTree),
        };
        OpenDirectory { path, foreign, ignores: ignores.clone() }
    });
    open.filter(|open| !ignores.as_ref().is_some_and(|ignores| ignores.ignores(&open.path))).collect()
}

/// Returns the ignore lists of the directories above a project that are in its working tree.
fn ignores_above(project: &Path) -> Option<Rc<IgnoreChain>> {
    let mut above: Vec<&Path> = Vec::new();
    for directory in project.ancestors() {
        if directory != project {
            above.push(directory);
        }
        if directory.join(".git").symlink_metadata().is_ok() {
            return above.iter().rev().fold(None, |chain, directory| IgnoreChain::below(chain, directory));
        }
    }
    None
}
