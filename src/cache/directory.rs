//! Opens the directory of compiled policies, which is used only if it is private to the account. A file in it never
//! changes: a new one is written under a temporary name, and then renamed.

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

/// The extension of the file of a compiled policy.
const FINAL_EXTENSION: &str = ".policy";
/// The extension of a file that is being written.
const NEW_EXTENSION: &str = ".new";

/// The maximum number of compiled policies. The oldest ones are removed, because projects and binaries come and go.
const MAX_POLICIES: usize = 64;
/// The maximum total size of the compiled policies in bytes. The newest one is always kept.
const MAX_TOTAL_BYTES: i64 = 512 << 20;
/// The age in seconds after which an unfinished file counts as abandoned.
const ABANDONED_AFTER: i64 = 3600;

/// The maximum number of names that are tried for a new file. Processes on machines that share a directory may have
/// the same id.
const MAX_TRIES: usize = 3;

/// A counter that makes the names of this process's files different.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The open directory of compiled policies.
#[derive(Debug)]
pub(super) struct CacheDirectory(OwnedFd);

/// A cache file that is being written.
#[derive(Debug)]
pub(super) struct NewCacheFile {
    directory: CacheDirectory,
    /// The temporary name of the file.
    name: String,
    /// The final name of the file.
    final_name: String,
    file: File,
    /// The time at which the file was created, by the clock of its file system.
    created: FileSystemMoment,
}

impl CacheDirectory {
    /// Opens the directory; `None` if it does not exist, is a symbolic link, or is not private to the account.
    pub(super) fn open(path: &Path) -> Option<Self> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let directory = File::from(openat(AT_FDCWD, path, flags, Mode::empty()).ok()?);
        is_private(&directory.metadata().ok()?).then(|| Self(directory.into()))
    }

    /// Opens the directory, and creates it if it does not exist; `None` if it cannot be used.
    pub(super) fn make(path: &Path) -> Option<Self> {
        Self::open(path).or_else(|| {
            DirBuilder::new().recursive(true).mode(0o700).create(path).ok()?;
            Self::open(path)
        })
    }

    /// Opens the file of a compiled policy; `None` if it does not exist or is not private. Also returns the device
    /// number of its file system.
    pub(super) fn file(&self, name: &str) -> Option<(File, u64)> {
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY | OFlag::O_CLOEXEC;
        let file = File::from(openat(&self.0, format!("{name}{FINAL_EXTENSION}").as_str(), flags, Mode::empty()).ok()?);
        let metadata = file.metadata().ok()?;
        (metadata.is_file() && is_private(&metadata)).then_some((file, metadata.dev()))
    }

    /// Creates a new file that will become the file of a compiled policy; `None` if that fails.
    pub(super) fn create_file(self, name: &str) -> Option<NewCacheFile> {
        let final_name = format!("{name}{FINAL_EXTENSION}");
        let (temporary_name, file) = (0..MAX_TRIES).find_map(|_| {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let temporary_name = format!(".{name}.{}-{count}{NEW_EXTENSION}", std::process::id());
            let file = self.create(&temporary_name)?;
            Some((temporary_name, file))
        })?;
        // The time is taken from the file, because it is compared with the times of other files.
        let created = file.metadata().ok().map(|metadata| FileStamp::from_metadata(&metadata).creation_moment());
        let created = created.unwrap_or(FileSystemMoment { time: FileTime { seconds: i64::MIN, nanos: 0 }, device: 0 });
        Some(NewCacheFile { directory: self, name: temporary_name, final_name, file, created })
    }

    /// Creates a file with this name; `None` if the name is in use. If a process that was killed left a file of this
    /// name, that is removed first.
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

    /// Whether a file was last written so long ago that its process must have ended.
    fn is_abandoned(&self, name: &str) -> bool {
        let stat = fstatat(&self.0, name, AtFlags::AT_SYMLINK_NOFOLLOW);
        stat.is_ok_and(|stat| stat.st_mtime.saturating_add(ABANDONED_AFTER) < super::unix_seconds())
    }

    /// Removes abandoned files, and the oldest compiled policies if there are too many.
    fn remove_unneeded_files(&self, now: FileTime) -> io::Result<()> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let mut policies = Vec::new();
        for entry in Dir::openat(&self.0, ".", flags, Mode::empty())?.iter() {
            let entry = entry?;
            let Ok(name) = entry.file_name().to_str() else { continue };
            let is_new = name.ends_with(NEW_EXTENSION);
            if !is_new && !name.ends_with(FINAL_EXTENSION) {
                continue;
            }
            let Ok(stat) = fstatat(&self.0, name, AtFlags::AT_SYMLINK_NOFOLLOW) else { continue };
            match is_new {
                true if stat.st_mtime.saturating_add(ABANDONED_AFTER) < now.seconds => self.remove(name),
                true => {}
                false => policies.push((stat.st_mtime, stat.st_mtime_nsec, stat.st_size, name.to_owned())),
            }
        }
        policies.sort_unstable();
        let mut bytes = 0_i64;
        for (number, (_, _, size, name)) in policies.iter().rev().enumerate() {
            bytes = bytes.saturating_add(*size);
            if number >= MAX_POLICIES || (number > 0 && bytes > MAX_TOTAL_BYTES) {
                self.remove(name);
            }
        }
        Ok(())
    }

    /// Removes a file; a failure is ignored.
    fn remove(&self, name: &str) {
        let _gone = unlinkat(&self.0, name, UnlinkatFlags::NoRemoveDir);
    }
}

impl NewCacheFile {
    /// Returns the time at which the file was created, by the clock of its file system.
    pub(super) fn creation_time(&self) -> FileSystemMoment {
        self.created
    }

    /// Writes the file, gives it its final name, and removes files that are no longer needed.
    pub(super) fn finish(self, write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, &self.file);
        write(&mut out)?;
        out.flush()?;
        drop(out);
        renameat(&self.directory.0, self.name.as_str(), &self.directory.0, self.final_name.as_str())?;
        self.directory.remove_unneeded_files(self.created.time)
    }
}

impl Drop for NewCacheFile {
    fn drop(&mut self) {
        // If the file was renamed, there is no file of this name.
        self.directory.remove(&self.name);
    }
}
