//! What programs run that their words do not say: what variables hold, and the files that a shell reads first.

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

/// Files in the user's home that a shell runs by itself, under when it does, in Rust.
pub(crate) type Startup = Vec<(&'static str, Vec<String>)>;

/// When a shell runs such a file: as it is written, and in Rust.
pub(super) const STARTUP: &[(&str, &str)] = &[("always", "Always"), ("interactive", "Interactive"), ("login", "Login")];
