//! The code that programs run besides their arguments: from environment variables, and from a shell's startup files.

/// Names of variables, grouped by the Rust name of their role.
pub(crate) type VariablesTable = Vec<(&'static str, Vec<String>)>;

/// The role of a variable's value: the TOML word, and the Rust name.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("script", "Script"),
    ("file", "File"),
    ("piped", "Piped"),
    ("options", "Options"),
    ("code", "Code"),
    ("modules", "Modules"),
];

/// Files in the user's home that a shell runs automatically, grouped by the Rust name of the condition.
pub(crate) type StartupTable = Vec<(&'static str, Vec<String>)>;

/// The conditions for running such a file: the TOML word, and the Rust name.
pub(super) const STARTUP: &[(&str, &str)] = &[("always", "Always"), ("interactive", "Interactive"), ("login", "Login")];
