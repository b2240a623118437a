//! Checks whether other accounts can change a file or a directory, by its owner and mode.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

use nix::unistd::geteuid;

/// The bit of a mode that lets every account write.
const WRITE_OTHERS: u32 = 0o002;

/// The bit of a mode that lets a group write.
const WRITE_GROUP: u32 = 0o020;

/// Whether an account is neither this one nor root. Root has all rights anyway.
#[must_use]
pub fn is_foreign(uid: u32) -> bool {
    uid != 0 && uid != geteuid().as_raw()
}

/// Whether a mode lets every account write. Write permission of the group does not count: its members are assumed to
/// be chosen deliberately.
#[must_use]
pub fn is_open(mode: u32) -> bool {
    mode & WRITE_OTHERS != 0
}

/// Whether the owner is this account or root, and neither the group nor all accounts have write permission.
#[must_use]
pub fn is_private(metadata: &Metadata) -> bool {
    !is_foreign(metadata.uid()) && metadata.mode() & (WRITE_GROUP | WRITE_OTHERS) == 0
}
