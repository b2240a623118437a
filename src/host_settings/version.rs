//! The versions of Claude Code that introduced a behaviour on which this program depends.

use crate::schema::HostVersion;

/// The first version with all events that are missing in the oldest supported version.
pub const HAS_NEWER_EVENTS: HostVersion = HostVersion::new(2, 1, 251);

/// The first version that ignores only an invalid hook if the hook does not guard calls. Older versions ignore the
/// whole file.
pub(super) const SALVAGES_HOOKS: HostVersion = HostVersion::new(2, 1, 257);

/// The first measured version that accepts the name of one server in place of a list of names. Older versions ignore
/// the whole file.
pub(super) const TAKES_SERVER_NAME: HostVersion = HostVersion::new(2, 1, 330);

/// The first version that knows `onFailure`.
pub const BLOCKS_FAILURES: HostVersion = HostVersion::new(2, 1, 295);
