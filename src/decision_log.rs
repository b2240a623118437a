//! The decision log: what a line of it says, how lines are chained, where they lie, and what reads them.
//!
//! `action` writes it; nothing here writes. Reading goes through `files`, and whatever a line says is taken for
//! somebody else's text: a damaged line is a line that says less.

mod chain;
mod entry;
mod find;
mod read;
mod replay;
mod select;
mod stats;

pub use chain::{Head, Position, is_unchained, is_whole};
pub use entry::{Ask, Entry, RuleVote, Unknown};
pub use find::{directory_name, find};
pub use read::{Follower, Log, Record};
pub use replay::{is_line_of_log, replay};
pub use select::{Endings, Selection, since};
pub use stats::{Count, Kind, Stats};

/// The file of decisions; older ones have `.1` and `.2` behind the name.
pub const FILE: &str = "decisions.jsonl";

/// What is noted of the end of the chain; its lock is the log's.
pub const HEAD: &str = "decisions.chain";

/// The directory of lines whose writers could not have the lock in time.
pub const WAITING: &str = "waiting";

/// The directory with a mark for each ask whose end is not known yet.
pub const ASKED: &str = "asked";

/// A larger file is put aside.
pub const LARGEST: u64 = 10 * 1024 * 1024;

/// The names of the files, the oldest first.
pub const NAMES: [&str; 3] = ["decisions.jsonl.2", "decisions.jsonl.1", FILE];
