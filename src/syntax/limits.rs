//! The bounds of a file, which keep a hostile or broken text from costing more than a look.

/// Bytes of a file.
pub(super) use crate::limits::FILE_BYTES as MAX_BYTES;

/// Brackets within brackets, the body of a rule included.
pub(super) const MAX_DEPTH: usize = 64;

/// `not` behind `not`.
pub(super) const MAX_NOTS: usize = 64;

/// Elements of a list or map.
pub(super) const MAX_ELEMENTS: usize = 65_536;

/// Diagnostics of a file; more would not be read.
pub(super) const MAX_DIAGNOSTICS: usize = 50;
