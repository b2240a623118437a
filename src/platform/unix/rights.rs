//! Owners and modes of files.

use std::fs::{DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use nix::unistd::geteuid;

/// The bit of a mode that lets every account write.
const WRITE_OTHERS: u32 = 0o002;

/// The bit of a mode that lets a group write.
const WRITE_GROUP: u32 = 0o020;

/// The account that owns a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owner(u32);

impl Owner {
    /// Returns the owner of a file.
    #[must_use]
    pub fn of(metadata: &Metadata) -> Self {
        Self(metadata.uid())
    }

    /// Returns the account for which this process acts.
    #[must_use]
    pub fn this_account() -> Self {
        Self(geteuid().as_raw())
    }

    /// Whether the account is neither this one nor root. Root has all rights anyway.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        self.0 != 0 && self != Self::this_account()
    }

    /// Returns an account other than this one.
    #[cfg(test)]
    pub(crate) fn another() -> Self {
        Self(geteuid().as_raw() + 1)
    }
}

/// Whether every account can write. Write permission of the group does not count: its members are assumed to be chosen
/// deliberately.
#[must_use]
pub fn is_world_writable(metadata: &Metadata) -> bool {
    metadata.mode() & WRITE_OTHERS != 0
}

/// Whether the owner is this account or root, and neither the group nor all accounts have write permission.
#[must_use]
pub fn is_private(metadata: &Metadata) -> bool {
    !Owner::of(metadata).is_foreign() && metadata.mode() & (WRITE_GROUP | WRITE_OTHERS) == 0
}

/// Returns the owner and the mode as bytes, which change with either.
#[must_use]
pub fn rights_bytes(metadata: &Metadata) -> [[u8; 4]; 2] {
    [metadata.uid().to_le_bytes(), metadata.mode().to_le_bytes()]
}

/// Whether a file can be executed by anyone.
#[must_use]
pub fn is_executable(_path: &Path, metadata: &Metadata) -> bool {
    metadata.is_file() && mode(metadata) & 0o111 != 0
}

/// Returns the permissions of a file, as Unix writes them.
#[must_use]
pub fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o777
}

/// Sets the permissions of a file, whatever the umask is.
///
/// # Errors
/// Fails if the system refuses.
pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// Sets the permissions of a file that is created.
pub fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    options.mode(mode)
}

/// Creates a directory and those above it with these permissions.
///
/// # Errors
/// Fails if the system refuses.
pub fn create_directories(path: &Path, mode: u32) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(mode).create(path)
}
