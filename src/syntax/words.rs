//! The keywords of the language, for checking names, for suggestions and for recovery. A test compares them with the
//! grammar.

/// The keywords that begin an item.
pub(super) const ITEMS: &[&str] = &["rule", "let", "def", "use", "test", "mark"];

/// The keywords that begin a clause of a rule.
pub(super) const CLAUSES: &[&str] = &[
    "on", "by", "when", "unless", "unknown", "deny", "ask", "allow", "halt", "exit", "context", "warn", "rewrite",
    "notify", "run", "record", "fires", "quiet",
];

/// The effects with a message that the user or the agent reads; only `allow` does not need one.
pub(super) const MESSAGE_EFFECTS: &[&str] = &["deny", "ask", "halt", "warn", "context", "allow"];

/// The operators that are words.
pub(super) const OPERATORS: &[&str] =
    &["in", "contains", "starts_with", "ends_with", "like", "matches", "under", "outside"];

/// Further reserved words, which can neither begin an operand nor name a `let` or `def`.
const OTHERS: &[&str] = &[
    "and",
    "or",
    "not",
    "into",
    "exists",
    "all",
    "only",
    "runs",
    "pipes",
    "reads",
    "writes",
    "deletes",
    "sends",
    "connects",
    "where",
    "file_exists",
    "file_size",
    "true",
    "false",
    "null",
];

/// Whether a word is reserved at the beginning of an operand.
pub(super) fn is_reserved(word: &str) -> bool {
    [CLAUSES, OPERATORS, OTHERS].iter().any(|words| words.contains(&word))
}
