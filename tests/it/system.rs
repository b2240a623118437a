//! What tests ask of the operating system. What Windows lacks ends a test there, and `tests/windows.txt` lists it.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

/// Returns the path of what is there, with links resolved and with slashes, as the program names it.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    hookrules::platform::paths::canonicalize(path).unwrap()
}

/// Returns the path of something that the build names, with its drive.
pub(crate) fn built(path: &str) -> PathBuf {
    hookrules::platform::paths::portable(std::path::absolute(path).unwrap())
}

/// Returns the path of the program `rules`.
pub(crate) fn program() -> String {
    built(env!("CARGO_BIN_EXE_rules")).into_os_string().into_string().unwrap()
}

pub(crate) use self::own::{file_number, link, make_fifo, mode, set_mode, signal, thread_time};

#[cfg(unix)]
mod own {
    use std::fs::{Metadata, Permissions, set_permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::os::unix::process::ExitStatusExt;

    use nix::sys::stat::Mode;
    use nix::sys::time::TimeValLike;
    use nix::time::{ClockId, clock_gettime};

    use super::{Duration, ExitStatus, Path};

    /// Creates a link, whose target need not exist.
    pub(crate) fn link(target: impl AsRef<Path>, path: impl AsRef<Path>) {
        symlink(target, path).unwrap();
    }

    /// Returns the permissions of a file.
    pub(crate) fn mode(path: impl AsRef<Path>) -> u32 {
        path.as_ref().symlink_metadata().unwrap().permissions().mode() & 0o7777
    }

    pub(crate) fn set_mode(path: impl AsRef<Path>, mode: u32) {
        set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    /// Creates a pipe without a writer: opening it blocks forever.
    pub(crate) fn make_fifo(path: &Path) {
        nix::unistd::mkfifo(path, Mode::S_IRUSR | Mode::S_IWUSR).unwrap();
    }

    /// Returns a number that another file has if it replaces this one.
    pub(crate) fn file_number(metadata: &Metadata) -> u64 {
        metadata.ino()
    }

    /// Returns the signal that ended a process.
    pub(crate) fn signal(status: ExitStatus) -> Option<i32> {
        status.signal()
    }

    /// Returns the CPU time of this thread, which excludes other load on the machine.
    pub(crate) fn thread_time() -> Duration {
        let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap();
        Duration::from_nanos(u64::try_from(time.num_nanoseconds()).unwrap())
    }
}

#[cfg(windows)]
mod own {
    use std::fs::Metadata;
    use std::os::windows::fs::{MetadataExt, symlink_dir, symlink_file};
    use std::sync::LazyLock;
    use std::time::Instant;

    use super::{Duration, ExitStatus, Path};

    /// Creates a link, whose target need not exist. Wine says that it did, and creates none.
    #[track_caller]
    pub(crate) fn link(target: impl AsRef<Path>, path: impl AsRef<Path>) {
        let (target, path) = (target.as_ref(), path.as_ref());
        let is_directory = path.parent().is_some_and(|parent| parent.join(target).is_dir());
        if is_directory { symlink_dir(target, path) } else { symlink_file(target, path) }.unwrap();
        assert!(path.symlink_metadata().is_ok_and(|found| found.is_symlink()), "needs links");
    }

    #[track_caller]
    pub(crate) fn mode(_path: impl AsRef<Path>) -> u32 {
        panic!("needs modes of Unix");
    }

    #[track_caller]
    pub(crate) fn set_mode(_path: impl AsRef<Path>, _mode: u32) {
        panic!("needs modes of Unix");
    }

    #[track_caller]
    pub(crate) fn make_fifo(_path: &Path) {
        panic!("needs pipes with names in directories");
    }

    /// Returns a number that another file has if it replaces this one.
    pub(crate) fn file_number(metadata: &Metadata) -> u64 {
        metadata.creation_time()
    }

    /// Returns the signal that ended a process: none, since there are no signals.
    pub(crate) fn signal(_status: ExitStatus) -> Option<i32> {
        None
    }

    /// Returns the time since the first call. std does not tell the CPU time of a thread.
    pub(crate) fn thread_time() -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}
