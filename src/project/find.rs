//! Which directories hold policy, whether they can be trusted, and which files are in them.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use super::seen::{Seen, as_kept};
use crate::files::{self, reason};

/// The most entries that are looked at in one layer directory.
const MAX_ENTRIES: usize = 10_000;
/// How deep sub-directories may lie.
const MAX_DEPTH: usize = 16;

/// The most bytes of a `.git` that is a file: a path.
const MAX_GIT_FILE: u64 = 64 * 1024;

/// A directory of a layer.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    pub(super) path: PathBuf,
    guarded: bool,
}

impl Directory {
    /// A directory that is found without anybody naming it: its owner and mode are checked.
    pub(super) fn guarded(path: &Path) -> Self {
        Self { path: path.to_path_buf(), guarded: true }
    }

    /// A directory that the user names.
    pub(super) fn named(path: &Path) -> Self {
        Self { path: path.to_path_buf(), guarded: false }
    }

    /// Returns the physical directory; `None` where there is none.
    ///
    /// # Errors
    /// Why it cannot be used. With `bases`, a link that leads out of all of them.
    pub(super) fn open(&self, bases: Option<&[PathBuf]>) -> Result<Option<PathBuf>, String> {
        // Most are not there. A link to nowhere is not the same as nothing.
        match fs::symlink_metadata(&self.path) {
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(reason(&error)),
            Ok(_) => {}
        }
        let physical = fs::canonicalize(&self.path).map_err(|error| reason(&error))?;
        let metadata = fs::metadata(&physical).map_err(|error| reason(&error))?;
        if !metadata.is_dir() {
            return Err("not a directory".to_owned());
        }
        if self.guarded {
            check_owner(&metadata)?;
            // Who can write the directory above can replace this one.
            let above =
                physical.parent().filter(|above| above.file_name().is_some_and(|name| name == super::DIRECTORY));
            if let Some(above) = above {
                let metadata = fs::metadata(above).map_err(|error| reason(&error))?;
                check_owner(&metadata).map_err(|problem| format!("the directory above is {problem}"))?;
            }
        }
        if bases.is_some_and(|bases| !bases.iter().any(|base| physical.starts_with(base))) {
            return Err("a link that leads out of the project".to_owned());
        }
        Ok(Some(physical))
    }
}

/// A directory of a layer that was looked for.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    /// Where it was looked for.
    pub(super) path: PathBuf,
    /// What [`Directory::open`] found.
    pub(super) physical: Result<Option<PathBuf>, String>,
}

impl Opened {
    pub(super) fn new(directory: &Directory, bases: Option<&[PathBuf]>) -> Self {
        Self { path: directory.path.clone(), physical: directory.open(bases) }
    }
}

/// What is in a layer directory.
#[derive(Default)]
pub(super) struct Listing {
    /// The sources, by path in byte order.
    pub(super) files: Vec<PathBuf>,
    /// Entries that cannot be sources although they look like some, and why.
    pub(super) refused: Vec<(PathBuf, String)>,
    /// What was looked at for it.
    pub(super) seen: Vec<Seen>,
}

/// Lists the `.rules` files of a directory and below, without hidden entries and its own `local` and `log`.
pub(super) fn list(directory: &Path) -> Listing {
    let mut listing = Listing::default();
    let mut left = vec![(directory.to_path_buf(), 0_usize)];
    let mut entries = 0;
    while let Some((dir, depth)) = left.pop() {
        let seen = Seen::before_listing(&dir);
        let mut found = Vec::new();
        let read = match fs::read_dir(&dir) {
            Ok(read) => read,
            Err(error) => {
                listing.refused.push((dir, reason(&error)));
                continue;
            }
        };
        for entry in read {
            entries += 1;
            if entries > MAX_ENTRIES {
                listing.refused.push((directory.to_path_buf(), format!("more than {MAX_ENTRIES} entries")));
                return listing;
            }
            let (path, kind) = match entry.and_then(|entry| Ok((entry.path(), entry.file_type()?))) {
                Ok(entry) => entry,
                Err(error) => {
                    listing.refused.push((dir.clone(), reason(&error)));
                    continue;
                }
            };
            let name = path.file_name().unwrap_or_default();
            found.push(as_kept(name, kind));
            let name = name.as_bytes();
            if name.starts_with(b".") || (depth == 0 && matches!(name, b"local" | b"log")) {
                continue;
            }
            let is_source = name.ends_with(b".rules");
            if kind.is_dir() && depth < MAX_DEPTH {
                left.push((path, depth + 1));
            } else if kind.is_dir() {
                listing.refused.push((path, format!("more than {MAX_DEPTH} directories deep")));
            } else if kind.is_symlink() && (is_source || path.is_dir()) {
                listing.refused.push((path, "a symbolic link".to_owned()));
            } else if kind.is_symlink() {
                listing.seen.push(Seen::no_directory(&path));
            } else if is_source {
                listing.files.push(path);
            }
        }
        listing.seen.push(seen.with_entries(found));
    }
    listing.files.sort_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
    listing.refused.sort();
    listing
}

/// Returns the directories from the repository's root down to a directory; without a repository it alone.
pub(super) fn up_to_repository(directory: &Path) -> Vec<PathBuf> {
    let up: Vec<&Path> = directory.ancestors().collect();
    let root = up.iter().position(|dir| is_repository(dir)).unwrap_or(0);
    up.into_iter().take(root + 1).rev().map(Path::to_path_buf).collect()
}

/// Tells whether a directory is the root of a repository: its `.git` is one, or leads to one. Anything else of
/// that name would take away the policy of the directories above.
fn is_repository(directory: &Path) -> bool {
    let dot_git = directory.join(".git");
    match fs::metadata(&dot_git) {
        // Most have none.
        Err(_) => return false,
        Ok(metadata) if metadata.is_dir() => {
            // A link to a branch without a commit leads nowhere.
            return fs::symlink_metadata(dot_git.join("HEAD")).is_ok_and(|head| !head.is_dir());
        }
        Ok(_) => {}
    }
    let text = files::read_following(&dot_git, MAX_GIT_FILE).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let leads_to = text.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("gitdir:")));
    leads_to.map(str::trim).is_some_and(|path| !path.is_empty() && directory.join(path).is_dir())
}

/// Refuses what another user than this one or root owns, and what everybody can write.
pub(super) fn check_owner(metadata: &Metadata) -> Result<(), String> {
    if metadata.uid() != 0 && metadata.uid() != geteuid().as_raw() {
        return Err("owned by another user".to_owned());
    }
    if metadata.mode() & 0o002 != 0 {
        return Err("writable by everybody".to_owned());
    }
    Ok(())
}

pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
