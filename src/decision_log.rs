//! The decision log: the contents of its lines, their chain, the location of its files, and reading it.
//!
//! `action` writes the log; this module writes nothing. The contents of a line are untrusted: a damaged line only
//! yields less information.

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
pub use select::{AskOutcomes, LineSelection, parse_earliest_time, without_directory};
pub use stats::{DecisionCounts, DecisionKind, LogStats};

/// The current file of decisions; the rotated files have the suffix `.1` or `.2`.
pub const FILE: &str = "decisions.jsonl";

/// The file that records the last line of the chain. A writer of the log locks it.
pub const HEAD: &str = "decisions.chain";

/// The directory of lines that wait because their writers could not get the lock in time.
pub const WAITING: &str = "waiting";

/// The directory with a marker for each question to the user whose outcome is not known yet.
pub const ASKED: &str = "asked";

/// The size in bytes above which a file is rotated.
pub const LARGEST: u64 = 10 * 1024 * 1024;

/// The names of the files, the oldest first.
pub const NAMES: [&str; 3] = ["decisions.jsonl.2", "decisions.jsonl.1", FILE];
