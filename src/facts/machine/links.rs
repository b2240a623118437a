//! Resolves the symbolic links in a path, even those whose target does not exist.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::listing;
use crate::facts::Fact;
use crate::platform::paths::{portable, root};

/// The maximum number of links that are followed in one path, as in the kernel.
const MAX_LINKS: usize = 40;
/// The maximum number of entries in each cache.
const MAX_KNOWN: usize = 4_096;

/// What a path is, without following a link at its end.
#[derive(Clone, PartialEq, Eq, Debug)]
enum PathEntry {
    /// A link with this target.
    Link(PathBuf),
    /// The path does not exist, so nothing below it does.
    Missing,
    /// A directory or any other file.
    Other,
}

/// A cache of links. Each path is read once, so that all rules see the same state, and so that a replay of many
/// recorded calls does not read the same directories again.
#[derive(Debug, Default)]
pub(super) struct LinkCache {
    /// What each path that was examined is.
    entries: RefCell<HashMap<OsString, PathEntry>>,
    /// The result of resolving each path.
    resolved_paths: RefCell<HashMap<OsString, PathBuf>>,
    /// The names of the links in each directory that was listed.
    link_names: RefCell<HashMap<OsString, Fact<Vec<String>>>>,
}

impl LinkCache {
    /// Does what [`resolve`] does, with the state in which each path was first read.
    pub(super) fn resolve(&self, path: &Path) -> PathBuf {
        if is_plain(path) && self.is_link_free(path) {
            return path.to_path_buf();
        }
        if let Some(known) = self.resolved_paths.borrow().get(path.as_os_str()) {
            return known.clone();
        }
        let resolved = follow_links(path, |place| self.path_entry(place));
        cache_value(&self.resolved_paths, path, resolved.clone());
        resolved
    }

    /// Whether a path that [`is_plain`] contains no link. Most paths of a call are in a few directories, whose
    /// results are cached.
    fn is_link_free(&self, path: &Path) -> bool {
        let mut unread = Vec::new();
        for place in path.ancestors() {
            // INVARIANT: a path is cached only after the directories above it were found not to be links.
            match self.entries.borrow().get(place.as_os_str()) {
                Some(PathEntry::Link(_)) => return false,
                Some(PathEntry::Missing) => return true,
                Some(PathEntry::Other) => break,
                None if place.parent().is_none() => break,
                None => unread.push(place),
            }
        }
        while let Some(place) = unread.pop() {
            match self.path_entry(place) {
                PathEntry::Link(_) => return false,
                PathEntry::Missing => return true,
                PathEntry::Other => {}
            }
        }
        true
    }

    /// Returns the names of the links in a directory, as they were when it was first listed.
    pub(super) fn links_in_directory(&self, directory: &Path) -> Fact<Vec<String>> {
        if let Some(known) = self.link_names.borrow().get(directory.as_os_str()) {
            return known.clone();
        }
        let found = listing::links(directory);
        cache_value(&self.link_names, directory, found.clone());
        found
    }

    /// Returns what a path is, cached.
    fn path_entry(&self, place: &Path) -> PathEntry {
        if let Some(known) = self.entries.borrow().get(place.as_os_str()) {
            return known.clone();
        }
        let found = read_path_entry(place);
        cache_value(&self.entries, place, found.clone());
        found
    }
}

/// Whether a path is absolute and consists of plain names without `.` and `..`. Only a link can then change it.
fn is_plain(path: &Path) -> bool {
    let names = path.as_os_str().as_encoded_bytes().strip_prefix(b"/");
    let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..");
    names.is_some_and(|names| names.split(|byte| *byte == b'/').all(is_name))
}

/// Stores a value in a cache. A full cache is emptied first.
fn cache_value<T>(cache: &RefCell<HashMap<OsString, T>>, path: &Path, value: T) {
    let mut cache = cache.borrow_mut();
    if cache.len() >= MAX_KNOWN {
        cache.clear();
    }
    cache.insert(path.as_os_str().to_owned(), value);
}

/// Returns a path with every link resolved, even those whose target does not exist. Names that do not exist are kept.
///
/// The path must be absolute. A cycle of links ends after as many links as the kernel follows.
#[must_use]
pub fn resolve(path: &Path) -> PathBuf {
    follow_links(path, read_path_entry)
}

/// Reads what a path is, from the system.
fn read_path_entry(place: &Path) -> PathEntry {
    match fs::read_link(place) {
        Ok(target) => PathEntry::Link(target),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => PathEntry::Missing,
        Err(_) => PathEntry::Other,
    }
}

/// Resolves the links in a path. `entry_at` returns what a path is.
fn follow_links(path: &Path, entry_at: impl Fn(&Path) -> PathEntry) -> PathBuf {
    let mut resolved = root(path);
    let mut remaining: VecDeque<OsString> = names(path);
    let mut links_followed = 0;
    // How many names at the end of `resolved` do not exist, from the first missing one on. Nothing is read there.
    let mut missing_names = 0_usize;
    while let Some(name) = remaining.pop_front() {
        if name == ".." {
            resolved.pop();
            missing_names = missing_names.saturating_sub(1);
            continue;
        }
        resolved.push(&name);
        if missing_names > 0 {
            missing_names = missing_names.saturating_add(1);
            continue;
        }
        if links_followed == MAX_LINKS {
            continue;
        }
        match entry_at(&resolved) {
            PathEntry::Link(target) => {
                links_followed += 1;
                match target.is_absolute() {
                    true => resolved = root(&target),
                    false => {
                        resolved.pop();
                    }
                }
                let mut next_names = names(&target);
                next_names.append(&mut remaining);
                remaining = next_names;
            }
            PathEntry::Missing => missing_names = 1,
            PathEntry::Other => {}
        }
    }
    portable(resolved)
}

/// Splits a path into its names, including `..`.
fn names(path: &Path) -> VecDeque<OsString> {
    let name = |component| match component {
        Component::Normal(name) => Some(name.to_os_string()),
        Component::ParentDir => Some(OsString::from("..")),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    };
    path.components().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::os::unix::fs::symlink;

    use super::super::tests::physical_dir;
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_are_resolved_as_far_as_they_exist() {
        let (_guard, dir) = physical_dir();
        fs::create_dir_all(dir.join("real/sub")).unwrap();
        symlink("real/sub", dir.join("inner")).unwrap();
        symlink(dir.join("inner"), dir.join("outer")).unwrap();
        symlink("nowhere/deep", dir.join("dangling")).unwrap();
        assert_eq!(resolve(&dir.join("outer/x/y")), dir.join("real/sub/x/y"));
        assert_eq!(resolve(&dir.join("dangling/x")), dir.join("nowhere/deep/x"));
        assert_eq!(resolve(&dir.join("missing/../x")), dir.join("x"));
        assert_eq!(resolve(&dir.join("inner/..")), dir.join("real"));
    }

    #[test]
    #[cfg(unix)]
    fn a_loop_of_links_ends() {
        let (_guard, dir) = physical_dir();
        symlink("b", dir.join("a")).unwrap();
        symlink("a", dir.join("b")).unwrap();
        assert!(resolve(&dir.join("a/x")).starts_with(&dir));
    }

    #[test]
    fn nothing_is_looked_for_below_what_is_missing() {
        let looked = RefCell::new(Vec::new());
        let look = |place: &Path| {
            looked.borrow_mut().push(place.to_path_buf());
            match place.to_str() {
                Some("/gone") => PathEntry::Missing,
                Some("/link") => PathEntry::Link("there/deep".into()),
                _ => PathEntry::Other,
            }
        };
        for (path, resolved, entries) in [
            ("/gone/a/b", "/gone/a/b", &["/gone"][..]),
            ("/gone/a/../../link/b", "/there/deep/b", &["/gone", "/link", "/there", "/there/deep", "/there/deep/b"]),
            ("/gone/../../a", "/a", &["/gone", "/a"]),
            ("/link/../x", "/there/x", &["/link", "/there", "/there/deep", "/there/x"]),
        ] {
            looked.borrow_mut().clear();
            assert_eq!(follow_links(Path::new(path), look), Path::new(resolved), "{path}");
            assert_eq!(*looked.borrow(), entries.iter().map(PathBuf::from).collect::<Vec<_>>(), "{path}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn it_is_found_from_the_directory_above_what_is_found_from_the_root() {
        let (_guard, dir) = physical_dir();
        fs::create_dir_all(dir.join("real/sub")).unwrap();
        fs::write(dir.join("real/file"), "").unwrap();
        symlink("real/sub", dir.join("inner")).unwrap();
        symlink(dir.join("inner"), dir.join("outer")).unwrap();
        symlink("nowhere/deep", dir.join("dangling")).unwrap();
        symlink("loop", dir.join("loop")).unwrap();
        let names = [
            "real",
            "real/sub/x/y",
            "inner",
            "inner/x",
            "outer/x/y",
            "dangling/x",
            "loop/x",
            "missing/x",
            "missing",
            "real/file/x",
            "real//sub/./x",
            "outer/../x",
            "missing/../inner/x",
            "real/",
            "",
        ];
        // Each is resolved first, and again once all the others are cached.
        for first in names {
            let links = LinkCache::default();
            for name in [first].iter().chain(&names).chain(&names) {
                let path = dir.join(name);
                assert_eq!(links.resolve(&path).as_os_str(), resolve(&path).as_os_str(), "{name} after {first}");
            }
        }
        assert_eq!(LinkCache::default().resolve(Path::new("/")), Path::new("/"));
    }

    #[test]
    #[cfg(unix)]
    fn what_was_seen_first_stands_and_little_is_remembered() {
        let (_guard, dir) = physical_dir();
        let links = LinkCache::default();
        assert_eq!(links.resolve(&dir.join("a/x")), dir.join("a/x"));
        symlink("b", dir.join("a")).unwrap();
        assert_eq!(links.resolve(&dir.join("a/x")), dir.join("a/x"));
        assert_eq!(links.resolve(&dir.join("a/y")), dir.join("a/y"));
        assert_eq!(resolve(&dir.join("a/y")), dir.join("b/y"));
        for number in 0..2 * MAX_KNOWN {
            links.resolve(&PathBuf::from(format!("/gone{number}/x")));
        }
        assert!(links.resolved_paths.borrow().len() <= MAX_KNOWN && links.entries.borrow().len() <= MAX_KNOWN);
        assert_eq!(links.resolve(&dir.join("a/x")), dir.join("b/x"));
    }
}
