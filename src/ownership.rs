//! Who besides this account has a say in a file or a directory: its owner, and whom its mode lets write.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

use nix::unistd::geteuid;

/// The bit of a mode that lets every account write.
const WRITE_OTHERS: u32 = 0o002;

/// The bit of a mode that lets a group write.
const WRITE_GROUP: u32 = 0o020;

/// Tells whether an account is neither this one nor root, which can do everything anyway.
#[must_use]
pub fn is_foreign(uid: u32) -> bool {
    uid != 0 && uid != geteuid().as_raw()
}

/// Tells whether every account can write something. A group is taken to be what its members made it.
#[must_use]
pub fn is_open(mode: u32) -> bool {
    mode & WRITE_OTHERS != 0
}

/// Tells whether nobody but this account and root can write something.
#[must_use]
pub fn is_private(metadata: &Metadata) -> bool {
    !is_foreign(metadata.uid()) && metadata.mode() & (WRITE_GROUP | WRITE_OTHERS) == 0
}
