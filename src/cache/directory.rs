//! Opens the directory of compiled policies, which is used only if it is private to the account. A file in it never
//! changes: a new one is written under a temporary name, and then renamed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::platform::rights::{create_directories, is_private};
use crate::platform::{AccessMode, DirectoryHandle, LinkPolicy, file};
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
pub(super) struct CacheDirectory(DirectoryHandle);

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
        let directory = DirectoryHandle::open(path, LinkPolicy::Refuse).ok()?;
        is_private(&directory.metadata().ok()?).then(|| Self(directory))
    }

    /// Opens the directory, and creates it if it does not exist; `None` if it cannot be used.
    pub(super) fn make(path: &Path) -> Option<Self> {
        Self::open(path).or_else(|| {
            create_directories(path, 0o700).ok()?;
            Self::open(path)
        })
    }

    /// Opens the file of a compiled policy; `None` if it does not exist or is not private. Also returns the device
    /// number of its file system.
    pub(super) fn file(&self, name: &str) -> Option<(File, u64)> {
        let opened = self.0.open_file(&format!("{name}{FINAL_EXTENSION}"), AccessMode::Read, 0).ok()?;
        let metadata = opened.metadata().ok()?;
        (metadata.is_file() && is_private(&metadata)).then(|| (opened, file::numbers(&metadata).device))
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
        let create = || self.0.open_file(name, AccessMode::New, 0o600);
        let file = match create() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && self.is_abandoned(name) => {
                self.remove(name);
                create()
            }
            file => file,
        };
        file.ok()
    }

    /// Whether a file was last written so long ago that its process must have ended.
    fn is_abandoned(&self, name: &str) -> bool {
        let entry = self.0.entry(name);
        entry.is_ok_and(|entry| entry.modified.0.saturating_add(ABANDONED_AFTER) < super::unix_seconds())
    }

    /// Removes abandoned files, and the oldest compiled policies if there are too many.
    fn remove_unneeded_files(&self, now: FileTime) -> io::Result<()> {
        let names = self.0.names()?;
        let mut policies = Vec::new();
        for name in &names {
            let is_new = name.ends_with(NEW_EXTENSION);
            if !is_new && !name.ends_with(FINAL_EXTENSION) {
                continue;
            }
            let Ok(entry) = self.0.entry(name) else { continue };
            match is_new {
                true if entry.modified.0.saturating_add(ABANDONED_AFTER) < now.seconds => self.remove(name),
                true => {}
                false => policies.push((entry, name)),
            }
        }
        policies.sort_unstable();
        let mut bytes = 0_i64;
        for (number, (entry, name)) in policies.iter().rev().enumerate() {
            bytes = bytes.saturating_add(entry.size);
            if number >= MAX_POLICIES || (number > 0 && bytes > MAX_TOTAL_BYTES) {
                self.remove(name);
            }
        }
        Ok(())
    }

    /// Removes a file; a failure is ignored.
    fn remove(&self, name: &str) {
        let _gone = self.0.remove_file(name);
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
        self.directory.0.rename(&self.name, &self.final_name)?;
        self.directory.remove_unneeded_files(self.created.time)
    }
}

impl Drop for NewCacheFile {
    fn drop(&mut self) {
        // If the file was renamed, there is no file of this name.
        self.directory.remove(&self.name);
    }
}
