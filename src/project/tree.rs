//! Walks the directories of a working tree, with regard to git's ignore files and to the parts that others have
//! written. It knows nothing about policies.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::is_tree_root;
use crate::files;
use hookrules_shell::path::{IgnoreList, join};

/// The name of directories that contain the packages on which a JavaScript project depends.
const DEPENDENCIES: &str = "node_modules";
/// The maximum number of bytes that are read of an ignore file.
const MAX_IGNORES: u64 = 256 << 10;

/// Why a directory is not part of the project that contains it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForeignPart {
    /// It is in another working tree: a submodule, a clone, or a linked worktree.
    WorkingTree,
    /// It is in `node_modules`.
    Dependency,
}

/// A directory in a walk through a working tree.
pub(super) struct TreeDirectory {
    pub(super) path: PathBuf,
    /// Why the directory is not part of the project in which the walk began; `None` if it is part of it.
    pub(super) foreign: Option<ForeignPart>,
    /// The ignore lists of the directory and of those above it, the innermost first.
    ignores: Option<Rc<IgnoreChain>>,
}

impl TreeDirectory {
    /// Begins a walk at a directory. If git ignores that directory, the ignore lists above it do not apply.
    pub(super) fn start(path: &Path) -> Self {
        let above = ignores_above(path).filter(|above| !above.ignores(path));
        Self { path: path.to_path_buf(), foreign: None, ignores: IgnoreChain::below(above, path) }
    }

    /// Returns a subdirectory, or a link of this name; `None` if git ignores it.
    pub(super) fn subdirectory(&self, name: &OsStr) -> Option<Self> {
        let path = join(&self.path, name.as_ref());
        if self.ignores.as_ref().is_some_and(|ignores| ignores.ignores(&path)) {
            return None;
        }
        let foreign = match self.foreign {
            Some(part) => Some(part),
            None if name == DEPENDENCIES => Some(ForeignPart::Dependency),
            None => is_tree_root(&path).then_some(ForeignPart::WorkingTree),
        };
        let ignores = IgnoreChain::below(self.ignores.clone(), &path);
        Some(Self { path, foreign, ignores })
    }

    /// Returns a subdirectory that is part of the project; `None` if git ignores it, it is `node_modules`, or it is
    /// another working tree.
    pub(super) fn own_subdirectory(&self, name: &OsStr) -> Option<Self> {
        self.subdirectory(name).filter(|inner| inner.foreign.is_none())
    }
}

/// Whether a directory of a working tree is part of the project there: neither ignored, nor in `node_modules`, nor in
/// another working tree.
pub(super) fn is_part_of_tree(root: &Path, directory: &Path) -> bool {
    let mut inner = directory.strip_prefix(root).unwrap_or(Path::new("")).iter();
    inner.try_fold(TreeDirectory::start(root), |above, name| above.own_subdirectory(name)).is_some()
}

/// The ignore lists of a directory and of the directories above it.
struct IgnoreChain {
    directory: PathBuf,
    list: IgnoreList,
    above: Option<Rc<IgnoreChain>>,
}

impl IgnoreChain {
    /// Adds the ignore list of a directory to those above it, if the directory has one.
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

/// Returns the ignore lists of the directories above a project that are in its working tree.
fn ignores_above(project: &Path) -> Option<Rc<IgnoreChain>> {
    let mut above: Vec<&Path> = Vec::new();
    for directory in project.ancestors() {
        if directory != project {
            above.push(directory);
        }
        if is_tree_root(directory) {
            return above.iter().rev().fold(None, |chain, directory| IgnoreChain::below(chain, directory));
        }
    }
    None
}
