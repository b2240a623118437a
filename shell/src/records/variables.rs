//! Variables that hold what programs run.

/// Names of variables, under what their values are in Rust.
pub(crate) type Variables = Vec<(&'static str, Vec<String>)>;

/// What the value of a variable is: as it is written, and in Rust.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("script", "Script"),
    ("file", "File"),
    ("piped", "Piped"),
    ("options", "Options"),
    ("code", "Code"),
    ("modules", "Modules"),
];
