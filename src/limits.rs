//! The limits of a policy: of a file, of a layer and of all layers, in one place.
//!
//! Within these limits, a hook that compiles every layer takes at most 2 s and 256 MB. The limits count work and not
//! time, so that a policy loads on every machine or on none.

/// The maximum size of one source file, in bytes.
pub const FILE_BYTES: usize = 1 << 20;

/// The maximum size of one rules.toml, in bytes.
pub const SETTINGS_BYTES: usize = 64 << 10;

/// The maximum size of one file with a record of a program, in bytes.
pub const PROGRAM_BYTES: usize = 64 << 10;

/// The maximum size of all records of programs in one directory, in bytes.
pub const PROGRAMS_BYTES: usize = 256 << 10;

/// The maximum number of files with records of programs in one directory.
pub const PROGRAM_FILES: usize = 500;

/// The maximum size of one file with the record of a host, in bytes.
pub const HOST_BYTES: usize = 64 << 10;

/// The maximum size of all records of hosts in one directory, in bytes.
pub const HOSTS_BYTES: usize = 256 << 10;

/// The maximum number of files with records of hosts in one directory.
pub const HOST_FILES: usize = 50;

/// The maximum length of a regex, in bytes: parsing one may take thousands of times its length.
pub const REGEX_BYTES: usize = 8 << 10;

/// The maximum depth of nested brackets in a source, including the body of a rule, and the maximum number of successive
/// `not`s.
pub const NESTING: usize = 64;

/// The maximum number of elements of a list or map, including those of lists that are spread into it.
pub const ELEMENTS: usize = 65_536;

/// The maximum number of findings that are reported for one file: nobody would read more.
pub const FINDINGS: usize = 50;

/// The number of parts that each file of a layer counts as, in addition to its contents; see [`LayerLimits::parts`].
pub const FILE_PARTS: u64 = 32;

/// The number of parts that each rule counts as, in addition to its contents.
pub const RULE_PARTS: u64 = 8;

/// The number of parts that an unresolved name counts as: it is compared with all names that it may mean.
pub const UNKNOWN_NAME_PARTS: u64 = 64;

/// The maximum number of parts of all layers together: a layer may have as many as the layers above it leave.
pub const POLICY_PARTS: u64 = 600_000;

/// The limits of a whole layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerLimits {
    /// The maximum size of all sources together, in bytes.
    pub bytes: u64,
    /// The maximum number of parts. A part is about one word or sign of a source, or one thing that a rule derives from
    /// it at each use: an element of a list, an alternative of a glob, a test of a definition.
    pub parts: u64,
    /// The maximum size of one regex: the number of states and transitions of its automaton.
    pub regex: u64,
    /// The maximum size of all regexes together, in the same unit.
    pub regexes: u64,
}

/// The limits of the administrator's layer, and of the user's.
pub const TRUSTED: LayerLimits = LayerLimits { bytes: 4 << 20, parts: 450_000, regex: 100_000, regexes: 10_000_000 };

/// The limits of a project's layer.
pub const PROJECT: LayerLimits = LayerLimits { bytes: 4 << 20, parts: 450_000, regex: 20_000, regexes: 10_000_000 };

/// The limits of the uncommitted layer of a project.
pub const LOCAL: LayerLimits = LayerLimits { bytes: 1 << 20, parts: 100_000, regex: 20_000, regexes: 1_000_000 };

/// Returns the number of additional parts that a text of `length` bytes counts as: one for every `each` bytes.
#[must_use]
pub fn parts_of_bytes(length: usize, each: usize) -> u64 {
    u64::try_from(length / each.max(1)).unwrap_or(u64::MAX)
}
