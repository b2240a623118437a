//! Versions of Claude Code that introduced a behaviour on which this program depends.

use crate::schema::HostVersion;

/// The first version that has every newer event that is registered only if a rule names it (`is_newer` in
/// `installation.rs`).
pub const HAS_NEWER_EVENTS: HostVersion = HostVersion::new(2, 1, 251);

/// The first version that ignores only the hook if a hook is invalid and does not guard calls. Older versions ignore
/// the whole file.
pub(super) const SALVAGES_HOOKS: HostVersion = HostVersion::new(2, 1, 257);

/// The first tested version that accepts the name of one server in place of a list of names. Older versions ignore a
/// file with such a name.
pub(super) const TAKES_SERVER_NAME: HostVersion = HostVersion::new(2, 1, 330);

/// The first version that knows `onFailure`.
pub const BLOCKS_FAILURES: HostVersion = HostVersion::new(2, 1, 295);
