//! The versions of Claude Code, and which events each of them has.

use std::fmt;

use super::Event;

/// The newest version of Claude Code whose events are in the table.
pub const NEWEST_KNOWN: HostVersion = HostVersion::new(2, 1, 332);

/// A version of Claude Code: 2.1.332.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HostVersion {
    major: u64,
    minor: u64,
    patch: u64,
}

impl HostVersion {
    /// Creates a version.
    #[must_use]
    pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Self { major, minor, patch }
    }

    /// Parses `2.1.332`, also with a suffix (`2.1.332-beta.1`) or with dashes (`2-1-332`); `None` if the text does
    /// not begin with three numbers.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split(['.', '-']).map(|number| number.parse().ok());
        Some(Self::new(numbers.next()??, numbers.next()??, numbers.next()??))
    }

    /// Returns the first version that has an event; `None` if every supported version has it.
    ///
    /// If the settings name an event that a version does not have, that version warns its user at the start.
    #[must_use]
    pub const fn first_with_event(event: Event) -> Option<Self> {
        match event {
            Event::PreModelSwitch | Event::PostModelSwitch | Event::DirectoryAdded => Some(Self::new(2, 1, 251)),
            Event::PreSkillShellCommand => Some(Self::new(2, 1, 332)),
            _ => None,
        }
    }

    /// Whether a version has an event; `None` if that is unknown, because the version is unknown and only some
    /// versions have the event.
    #[must_use]
    pub fn has_event(version: Option<Self>, event: Event) -> Option<bool> {
        match Self::first_with_event(event) {
            None => Some(true),
            Some(first) => version.map(|version| version >= first),
        }
    }
}

impl fmt::Display for HostVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
