//! Versions of Claude Code, and what each brought.

/// A version of the host.
pub type Version = (u64, u64, u64);

/// The first version that has every event which the oldest supported version lacks.
pub const HAS_NEWER_EVENTS: Version = (2, 1, 251);

/// The first version that ignores only an invalid hook where it does not guard calls. An older one ignores the file.
pub(super) const SALVAGES_HOOKS: Version = (2, 1, 257);

/// The first version that knows `onFailure`.
pub const BLOCKS_FAILURES: Version = (2, 1, 295);

/// The first version that raises PreSkillShellCommand.
pub(super) const ASKS_ABOUT_SKILL_COMMANDS: Version = (2, 1, 332);
