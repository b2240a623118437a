//! Versions of Claude Code, and what each brought.

use crate::schema::HostVersion;

/// The first version that has every event which the oldest supported version lacks.
pub const HAS_NEWER_EVENTS: HostVersion = (2, 1, 251);

/// The first version that ignores only an invalid hook where it does not guard calls. An older one ignores the file.
pub(super) const SALVAGES_HOOKS: HostVersion = (2, 1, 257);

/// The first version that knows `onFailure`.
pub const BLOCKS_FAILURES: HostVersion = (2, 1, 295);
