//! Owners and modes of files: every file is the account's own. [`super`] has the reasons.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// The extensions of files that the system starts, as `PATHEXT` lists them on every machine.
const EXECUTABLES: &[&str] = &["com", "exe", "bat", "cmd"];

/// The account that owns a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner(u8);

impl Owner {
    /// Returns the owner of a file: this account.
    #[must_use]
    pub fn of(_metadata: &Metadata) -> Self {
        Self::this_account()
    }

    /// Returns the account for which this process acts.
    #[must_use]
    pub fn this_account() -> Self {
        Self(0)
    }

    /// Whether the account is neither this one nor an administrator.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        self != Self::this_account()
    }

    /// Returns an account other than this one.
    #[cfg(test)]
    pub(crate) fn another() -> Self {
        Self(1)
    }
}

/// Whether every account can write. Metadata do not tell it.
#[must_use]
pub fn is_world_writable(_metadata: &Metadata) -> bool {
    false
}

/// Whether only this account and administrators can write. Metadata do not tell it.
#[must_use]
pub fn is_private(_metadata: &Metadata) -> bool {
    true
}

/// Returns bytes that change with the owner or the mode, which do not change.
#[must_use]
pub fn rights_bytes(_metadata: &Metadata) -> [[u8; 4]; 2] {
    [[0; 4]; 2]
}

/// Whether the system starts a file as a program.
#[must_use]
pub fn is_executable(path: &Path, metadata: &Metadata) -> bool {
    let is_program = |extension: &str| EXECUTABLES.iter().any(|known| extension.eq_ignore_ascii_case(known));
    metadata.is_file() && path.extension().and_then(|extension| extension.to_str()).is_some_and(is_program)
}

/// Returns the permissions of a file, as Unix writes them: those of a new one.
#[must_use]
pub fn mode(_metadata: &Metadata) -> u32 {
    0o644
}

/// Does nothing: a file inherits the rights of its directory.
///
/// # Errors
/// Never.
pub fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Does nothing: a file inherits the rights of its directory.
pub fn with_mode(options: &mut OpenOptions, _mode: u32) -> &mut OpenOptions {
    options
}

/// Creates a directory and those above it, which inherit their rights.
///
/// # Errors
/// Fails if the system refuses.
pub fn create_directories(path: &Path, _mode: u32) -> io::Result<()> {
    DirBuilder::new().recursive(true).create(path)
}
