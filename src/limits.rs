//! The limits of a policy: of a file, of a layer and of all layers, in one place.
//!
//! Within these limits, a hook that compiles every layer takes at most 2 s and 256 MB. The limits count work and not
//! time, so that a policy loads on every machine or on none.

/// The most bytes of one source.
pub const FILE_BYTES: usize = 1 << 20;

/// The most bytes of one rules.toml.
pub const SETTINGS_BYTES: usize = 64 << 10;

/// The most bytes of one record of a program.
pub const PROGRAM_BYTES: usize = 64 << 10;

/// The most bytes of the records of programs in one directory.
pub const PROGRAMS_BYTES: usize = 256 << 10;

/// The most files with records of programs in one directory.
pub const PROGRAM_FILES: usize = 500;

/// The longest pattern of a regex, in bytes: parsing one may take thousands of times its length.
pub const REGEX_BYTES: usize = 8 << 10;

/// The deepest nesting of brackets in a source, the body of a rule included, and the most successive `not`s.
pub const NESTING: usize = 64;

/// The most elements of a list or map, including those of lists spread into it.
pub const ELEMENTS: usize = 65_536;

/// The most findings reported per file: nobody would read more.
pub const FINDINGS: usize = 50;

/// The parts that each file of a layer counts for, in addition to its contents; see [`LayerLimits::parts`].
pub const FILE_PARTS: u64 = 32;

/// The parts that each rule counts for, in addition to its contents.
pub const RULE_PARTS: u64 = 8;

/// The parts that an unresolved name counts for: it is compared with all names that it may mean.
pub const UNKNOWN_NAME_PARTS: u64 = 64;

/// The most parts of all layers: each layer may have as many as the layers above it leave.
pub const POLICY_PARTS: u64 = 600_000;

/// The limits of a whole layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerLimits {
    /// The most bytes of all sources together.
    pub bytes: u64,
    /// The most parts: words and signs of all sources, and everything that rules derive from them, such as the
    /// elements of a list, the alternatives of a glob and the tests of a definition, counted at each use.
    pub parts: u64,
    /// The largest size of one regex: the states and transitions of its automaton.
    pub regex: u64,
    /// The largest size of all regexes together.
    pub regexes: u64,
}

/// The limits of the administrator's layer, and of the user's.
pub const TRUSTED: LayerLimits = LayerLimits { bytes: 4 << 20, parts: 450_000, regex: 100_000, regexes: 10_000_000 };

/// The limits of a project's layer.
pub const PROJECT: LayerLimits = LayerLimits { bytes: 4 << 20, parts: 450_000, regex: 20_000, regexes: 10_000_000 };

/// The limits of the uncommitted layer of a project.
pub const LOCAL: LayerLimits = LayerLimits { bytes: 1 << 20, parts: 100_000, regex: 20_000, regexes: 1_000_000 };

/// Returns the additional parts that a text of `length` bytes counts for, at one part per `each` bytes.
#[must_use]
pub fn parts_of_bytes(length: usize, each: usize) -> u64 {
    u64::try_from(length / each.max(1)).unwrap_or(u64::MAX)
}
