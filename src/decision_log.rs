//! The decision log: the contents of its lines, how they are chained, where they are, and the readers.
//!
//! `action` writes it; this module writes nothing. Files are read through `files`, and the contents of a line are
//! untrusted: a damaged line just has less information.

mod chain;
mod entry;
mod find;
mod read;
mod replay;
mod select;
mod stats;

pub use chain::{ChainHead, LinePosition, is_unchained, is_whole};
pub use entry::{AskOutcome, LogEntry, LoggedUnknown, RuleVote};
pub use find::{directory_name, find};
pub use read::{DecisionLog, LogFollower, LogRecord};
pub use replay::{is_line_of_log, replay};
pub use select::{AskOutcomes, LineSelection, parse_earliest_time};
pub use stats::{DecisionCounts, DecisionKind, LogStats};

/// The current file of decisions; older ones have the suffix `.1` or `.2`.
pub const FILE: &str = "decisions.jsonl";

/// The file with the end of the chain; its lock is the log's.
pub const HEAD: &str = "decisions.chain";

/// The directory of lines whose writers could not get the lock in time.
pub const WAITING: &str = "waiting";

/// The directory with a marker for each ask with an unknown outcome.
pub const ASKED: &str = "asked";

/// A file that exceeds this size is rotated.
pub const LARGEST: u64 = 10 * 1024 * 1024;

/// The names of the files, the oldest first.
pub const NAMES: [&str; 3] = ["decisions.jsonl.2", "decisions.jsonl.1", FILE];
