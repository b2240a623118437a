//! Reads a project: the names of its files, and the few texts that matter for a first policy.
//!
//! The walk follows no link, and enters no directory of dependencies or build output and no other working tree. It
//! stops at fixed limits. What it omits is recorded in `ProjectTree::not_examined`.
#![expect(clippy::disallowed_methods, reason = "it lists the directories of a project")]

use std::collections::VecDeque;
use std::fs::{self, FileType};
use std::io::Read;
use std::path::Path;

use super::signs::package_managers;
use super::tree::{DirectoryAbove, ProjectTree, RepositoryLocation, join, name};
use crate::escape::line;
use crate::files::{self, ReadError, reason};
use crate::project::{is_tree_root, repository_root};
use hookrules_shell::project::task_files;

/// The maximum depth of directories that are listed; that of the project itself is 0.
const MAX_DEPTH: usize = 6;
/// The maximum number of entries that are read of one directory.
const MAX_IN_DIRECTORY: usize = 2_000;
/// The maximum number of entries that are read of all directories together.
const MAX_ENTRIES: usize = 20_000;
/// The maximum size of a text that is read, in bytes, and the maximum number of texts.
const MAX_TEXT: u64 = 256 << 10;
const MAX_TEXTS: usize = 200;
/// The number of bytes of a source that are read, to check whether it is marked as generated.
const HEAD: u64 = 1 << 10;
/// The maximum number of sources whose first bytes are read, in one directory and in total.
const MAX_HEADS_IN_DIRECTORY: usize = 64;
const MAX_HEADS: usize = 1_500;
/// The maximum number of directories above the project that are searched for a repository.
const MAX_ABOVE: usize = 16;
/// The maximum number of sentences about omissions; further omissions are counted.
const MAX_SENTENCES: usize = 8;

/// Directories of dependencies, output and caches, whose contents show nothing about the project.
const NOT_ENTERED: &[&str] = &[
    ".cache",
    ".git",
    ".gradle",
    ".hg",
    ".idea",
    ".mypy_cache",
    ".next",
    ".nuxt",
    ".output",
    ".rules",
    ".svelte-kit",
    ".svn",
    ".terraform",
    ".tox",
    ".venv",
    "DerivedData",
    "Pods",
    "__pycache__",
    "_build",
    "_site",
    "bower_components",
    "build",
    "coverage",
    "deps",
    "dist",
    "elm-stuff",
    "node_modules",
    "out",
    "target",
    "third_party",
    "tmp",
    "vendor",
    "venv",
];

/// Names of files whose text is read in any directory, as are task files such as `Makefile`.
const TEXTS: &[&str] = &[
    ".gitattributes",
    ".gitignore",
    "Cargo.toml",
    "Gemfile",
    "buf.gen.yaml",
    "composer.json",
    "package.json",
    "pyproject.toml",
    "schema.prisma",
    "sqlc.yaml",
    "sqlc.yml",
];

/// Paths of the settings of agents, which are read only in the project's root.
const SETTINGS: &[&str] = &[".claude/settings.json", ".claude/settings.local.json"];

/// File extensions of sources.
const SOURCES: &[&str] = &[
    "c", "cc", "cpp", "cs", "dart", "ex", "exs", "go", "h", "hpp", "java", "js", "jsx", "kt", "mjs", "php", "py", "rb",
    "rs", "scala", "swift", "ts", "tsx",
];

/// Reads the names and the relevant texts of a project.
#[must_use]
pub fn read_project(project: &Path) -> ProjectTree {
    let mut walk = ProjectWalk {
        project,
        tree: ProjectTree::default(),
        texts: 0,
        heads: 0,
        entries_left: MAX_ENTRIES,
        omitted: 0,
    };
    walk.walk_directories();
    walk.find_repository();
    walk.read_directories_above();
    if walk.omitted > 0 {
        let sentence = format!("and {} more were not looked at", walk.omitted);
        walk.tree.not_examined.push(sentence);
    }
    walk.tree
}

/// The state of a walk through a project.
struct ProjectWalk<'p> {
    project: &'p Path,
    tree: ProjectTree,
    /// The number of texts that were read so far.
    texts: usize,
    /// The number of sources whose first bytes were read so far.
    heads: usize,
    /// The number of directory entries that may still be read.
    entries_left: usize,
    /// The number of omissions without a sentence in `not_examined`.
    omitted: usize,
}

impl ProjectWalk<'_> {
    /// Walks breadth-first, so that the limits cut off the directories farthest from the root.
    fn walk_directories(&mut self) {
        let mut queue = VecDeque::from([(String::new(), 0)]);
        while let Some((directory, depth)) = queue.pop_front() {
            let mut heads = 0;
            for (name, kind) in self.list_directory(&directory) {
                let path = join(&directory, &name);
                if kind.is_symlink() {
                    self.note_omission(&path, "is a link");
                } else if kind.is_dir() && is_tree_root(&self.project.join(&path)) {
                    self.note_omission(&path, "is a working tree of its own");
                } else if kind.is_dir() {
                    if NOT_ENTERED.contains(&name.as_str()) {
                        // Not recorded as omitted, because nobody writes sources in these directories.
                    } else if depth < MAX_DEPTH {
                        queue.push_back((path.clone(), depth + 1));
                    } else {
                        self.note_omission(&path, "is too deep");
                    }
                    self.tree.directories.insert(path);
                } else if kind.is_file() {
                    self.read_if_relevant(&path, &mut heads);
                    self.tree.files.insert(path);
                }
            }
        }
    }

    /// Lists a directory, sorted by name, and notes entries beyond the limits.
    fn list_directory(&mut self, directory: &str) -> Vec<(String, FileType)> {
        let entries = match fs::read_dir(self.project.join(directory)) {
            Ok(entries) => entries,
            Err(error) => {
                self.note_omission(directory, &format!("cannot be listed: {}", reason(&error)));
                return Vec::new();
            }
        };
        let limit = MAX_IN_DIRECTORY.min(self.entries_left);
        let mut listed = Vec::new();
        // Takes one entry more than allowed, to notice that there are more.
        for entry in entries.take(limit + 1).filter_map(Result::ok) {
            let Ok(kind) = entry.file_type() else { continue };
            match entry.file_name().into_string() {
                Ok(name) => listed.push((name, kind)),
                Err(name) => {
                    self.note_omission(&join(directory, &name.to_string_lossy()), "has a name that is not UTF-8")
                }
            }
        }
        if listed.len() > limit {
            listed.truncate(limit);
            self.note_omission(directory, &format!("has more than {limit} entries, of which the others"));
        }
        self.entries_left -= listed.len();
        listed.sort_by(|(one, _), (other, _)| one.cmp(other));
        listed
    }

    /// Reads the text of a manifest or settings file, or the first bytes of a source.
    fn read_if_relevant(&mut self, path: &str, heads: &mut usize) {
        let name = name(path);
        let is_workflow = path.starts_with(".github/workflows/") && (name.ends_with(".yml") || name.ends_with(".yaml"));
        let is_task_file = || ["make", "just"].into_iter().any(|program| task_files(program).contains(&name));
        if TEXTS.contains(&name) || is_task_file() || SETTINGS.contains(&path) || is_workflow {
            if self.texts < MAX_TEXTS {
                self.texts += 1;
                self.read_text(path);
            } else {
                self.note_omission(path, "is one text too many");
            }
            return;
        }
        let is_source = name.rsplit_once('.').is_some_and(|(_, extension)| SOURCES.contains(&extension));
        if is_source && *heads < MAX_HEADS_IN_DIRECTORY && self.heads < MAX_HEADS {
            *heads += 1;
            self.heads += 1;
            self.read_head(path);
        }
    }

    /// Reads a whole text; notes an error, except that the file no longer exists.
    fn read_text(&mut self, path: &str) {
        match files::read(&self.project.join(path), MAX_TEXT) {
            Ok(bytes) => {
                self.tree.texts.insert(path.to_owned(), String::from_utf8_lossy(&bytes).into_owned());
            }
            // It was removed in the meantime.
            Err(ReadError::NotFound) => {}
            Err(error) => self.note_omission(path, &error.to_string()),
        }
    }

    /// Reads the first bytes of a source; errors are ignored.
    fn read_head(&mut self, path: &str) {
        let Ok(file) = files::open(&self.project.join(path)) else { return };
        let mut bytes = Vec::new();
        if file.take(HEAD).read_to_end(&mut bytes).is_ok() {
            self.tree.heads.insert(path.to_owned(), String::from_utf8_lossy(&bytes).into_owned());
        }
    }

    /// Finds the repository, and reads its refs if the project is its root.
    fn find_repository(&mut self) {
        if !self.is_directory(".git") {
            let is_elsewhere = self.project.ancestors().take(MAX_ABOVE + 1).any(is_tree_root);
            self.tree.repository = if is_elsewhere { RepositoryLocation::Outside } else { RepositoryLocation::None };
            return;
        }
        self.tree.repository = RepositoryLocation::Root;
        for file in [".git/HEAD", ".git/packed-refs"] {
            self.read_text(file);
        }
        for directory in ["refs/heads", "refs/remotes/origin"] {
            // If a directory on the path is a link, the refs may belong to another repository.
            let ends = directory.match_indices('/').map(|(index, _)| index).chain([directory.len()]);
            let mut prefixes = ends.filter_map(|end| directory.get(..end));
            if !prefixes.all(|prefix| self.is_directory(&format!(".git/{prefix}"))) {
                continue;
            }
            for (name, kind) in self.list_directory(&format!(".git/{directory}")) {
                if name == "HEAD" && kind.is_file() {
                    self.read_text(&format!(".git/{directory}/{name}"));
                } else if kind.is_dir() || kind.is_file() {
                    let end = if kind.is_dir() { "/" } else { "" };
                    self.tree.refs.insert(format!("{directory}/{name}{end}"));
                }
            }
        }
    }

    /// Reads which package managers the directories between the project and the root of its repository have.
    fn read_directories_above(&mut self) {
        let Some(root) = repository_root(self.project) else { return };
        let is_file = |path: &Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
        for directory in self.project.ancestors().skip(1).take_while(|above| above.starts_with(&root)).take(MAX_ABOVE) {
            let names = package_managers().flat_map(|(_, names)| names).copied();
            let files = names.filter(|name| is_file(&directory.join(name))).map(str::to_owned).collect();
            let manifest = Some(directory.join("package.json")).filter(|path| is_file(path));
            let text = manifest.and_then(|path| files::read(&path, MAX_TEXT).ok());
            let package_json = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            self.tree.above.push(DirectoryAbove { files, package_json });
        }
    }

    /// Whether a path of the project is a directory, and not a link to one.
    fn is_directory(&self, path: &str) -> bool {
        fs::symlink_metadata(self.project.join(path)).is_ok_and(|metadata| metadata.is_dir())
    }

    /// Adds a sentence about a path that was not examined. After [`MAX_SENTENCES`] of them, only counts the path.
    fn note_omission(&mut self, path: &str, why: &str) {
        if self.tree.not_examined.len() == MAX_SENTENCES {
            self.omitted += 1;
            return;
        }
        let shown = if path.is_empty() { "." } else { path };
        self.tree.not_examined.push(format!("`{}` {why}: not looked at", line(shown, 100)));
    }
}
