//! Versions of Claude Code that introduced a feature.

use crate::schema::HostVersion;

/// The first version with every event that the oldest supported version lacks.
pub const HAS_NEWER_EVENTS: HostVersion = HostVersion::new(2, 1, 251);

/// The first version in which an invalid hook that does not guard calls costs only itself. An older one ignores the
/// file.
pub(super) const SALVAGES_HOOKS: HostVersion = HostVersion::new(2, 1, 257);

/// The first measured version that takes the name of one server for a list of names. An older one ignores the file.
pub(super) const TAKES_SERVER_NAME: HostVersion = HostVersion::new(2, 1, 330);

/// The first version that knows `onFailure`.
pub const BLOCKS_FAILURES: HostVersion = HostVersion::new(2, 1, 295);
