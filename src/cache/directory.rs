//! The directory of compiled policies: private to the account, or not used. Its files never change: each is written
//! under another name, and then renamed.

use std::fs::{DirBuilder, File};
use std::io::{self, BufWriter, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, AtFlags, OFlag, openat, renameat};
use nix::sys::stat::{Mode, fstatat};
use nix::unistd::{UnlinkatFlags, unlinkat};

use crate::ownership::is_private;
use crate::project::{FileStamp, FileSystemMoment, FileTime};

/// The file extension of a compiled policy.
const KEPT: &str = ".policy";
/// The file extension of one that is being written.
const NEW: &str = ".new";

/// The maximum number of compiled policies; the oldest are removed. Projects come and go, and so do binaries.
const MOST: usize = 64;
/// The maximum total size in bytes; the newest is always kept.
const MOST_BYTES: i64 = 512 << 20;
/// The age in seconds at which an unfinished file is considered abandoned.
const ABANDONED: i64 = 3600;

/// The number of names to try for a new file: processes on several machines may have the same id.
const TRIES: usize = 3;

/// Distinguishes the files of one process.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The open directory.
#[derive(Debug)]
pub(super) struct CacheDirectory(OwnedFd);

/// A cache file that is being written.
#[derive(Debug)]
pub(super) struct NewCacheFile {
    directory: CacheDirectory,
    /// Its current name.
    name: String,
    /// Its final name.
    target: String,
    file: File,
    begun: FileSystemMoment,
}

impl CacheDirectory {
    /// Opens the directory if it exists and is private.
    pub(super) fn open(path: &Path) -> Option<Self> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let directory = File::from(openat(AT_FDCWD, path, flags, Mode::empty()).ok()?);
        is_private(&directory.metadata().ok()?).then(|| Self(directory.into()))
    }

    /// Opens the directory, and creates it if necessary.
    pub(super) fn make(path: &Path) -> Option<Self> {
        Self::open(path).or_else(|| {
            DirBuilder::new().recursive(true).mode(0o700).create(path).ok()?;
            Self::open(path)
        })
    }

    /// Opens the file of a compiled policy if it exists and is private; also returns its device.
    pub(super) fn file(&self, name: &str) -> Option<(File, u64)> {
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        let file = File::from(openat(&self.0, format!("{name}{KEPT}").as_str(), flags, Mode::empty()).ok()?);
        let metadata = file.metadata().ok()?;
        (metadata.is_file() && is_private(&metadata)).then_some((file, metadata.dev()))
    }

    /// Creates the file for a compiled policy.
    pub(super) fn create_file(self, name: &str) -> Option<NewCacheFile> {
        let target = format!("{name}{KEPT}");
        let (new, file) = (0..TRIES).find_map(|_| {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let new = format!(".{name}.{}-{count}{NEW}", std::process::id());
            let file = self.create(&new)?;
            Some((new, file))
        })?;
        // The time of the file itself: comparisons use the clock that stamps files.
        let begun = file.metadata().ok().map(|metadata| FileStamp::from_metadata(&metadata).creation_moment());
        let begun = begun.unwrap_or(FileSystemMoment { time: FileTime { seconds: i64::MIN, nanos: 0 }, device: 0 });
        Some(NewCacheFile { directory: self, name: new, target, file, begun })
    }

    /// Creates a file under an unused name. An abandoned file of that name is removed first: its writer was killed, and
    /// process ids are reused.
    fn create(&self, name: &str) -> Option<File> {
        let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let create = || openat(&self.0, name, flags, Mode::S_IRUSR | Mode::S_IWUSR);
        let file = match create() {
            Err(Errno::EEXIST) if self.is_abandoned(name) => {
                self.remove(name);
                create()
            }
            file => file,
        };
        file.ok().map(File::from)
    }

    fn is_abandoned(&self, name: &str) -> bool {
        let stat = fstatat(&self.0, name, AtFlags::AT_SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| stat.st_mtime.saturating_add(ABANDONED) < super::unix_seconds())
    }

    /// Removes files that are no longer needed.
    fn remove_unneeded_files(&self, now: FileTime) -> io::Result<()> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let mut kept = Vec::new();
        for entry in Dir::openat(&self.0, ".", flags, Mode::empty())?.iter() {
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            let is_new = name.ends_with(NEW);
            if !is_new && !name.ends_with(KEPT) {
                continue;
            }
            let Ok(stat) = fstatat(&self.0, name, AtFlags::AT_SYMLINK_NOFOLLOW) else { continue };
            match is_new {
                true if stat.st_mtime.saturating_add(ABANDONED) < now.seconds => self.remove(name),
                true => {}
                false => kept.push((stat.st_mtime, stat.st_mtime_nsec, stat.st_size, name.to_owned())),
            }
        }
        kept.sort_unstable();
        let mut bytes = 0_i64;
        for (number, (_, _, size, name)) in kept.iter().rev().enumerate() {
            bytes = bytes.saturating_add(*size);
            if number >= MOST || (number > 0 && bytes > MOST_BYTES) {
                self.remove(name);
            }
        }
        Ok(())
    }

    fn remove(&self, name: &str) {
        let _gone = unlinkat(&self.0, name, UnlinkatFlags::NoRemoveDir);
    }
}

impl NewCacheFile {
    /// Returns the time of its creation, by the clock of its file system.
    pub(super) fn creation_time(&self) -> FileSystemMoment {
        self.begun
    }

    /// Writes it and gives it its final name.
    pub(super) fn finish(self, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, &self.file);
        write(&mut out)?;
        out.flush()?;
        drop(out);
        renameat(&self.directory.0, self.name.as_str(), &self.directory.0, self.target.as_str())?;
        self.directory.remove_unneeded_files(self.begun.time)
    }
}

impl Drop for NewCacheFile {
    fn drop(&mut self) {
        // After a rename, no file has this name.
        self.directory.remove(&self.name);
    }
}
