//! The tables `[variables]` and `[startup]` of a record: code that a program runs because of environment variables,
//! and files that a shell runs when it starts.

/// Variants of the Rust enum `VariableUse`, each with the environment variables whose values are used in this manner.
pub(crate) type VariablesTable = Vec<(&'static str, Vec<String>)>;

/// What the value of a variable is: the word in TOML, and the variant of `VariableUse`.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("script", "Script"),
    ("file", "File"),
    ("piped", "Piped"),
    ("home", "Home"),
    ("options", "Options"),
    ("code", "Code"),
    ("modules", "Modules"),
    ("code-text", "CodeText"),
    ("opener", "Opener"),
    ("libraries", "Libraries"),
];

/// Variants of the Rust enum `StartupCondition`, each with the files in the user's home that a shell runs under that
/// condition.
pub(crate) type StartupTable = Vec<(&'static str, Vec<String>)>;

/// When a shell runs a startup file: the word in TOML, and the variant of `StartupCondition`.
pub(super) const STARTUP: &[(&str, &str)] = &[("always", "Always"), ("interactive", "Interactive"), ("login", "Login")];
