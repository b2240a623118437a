//! The tables `[variables]` and `[startup]` of a record: code that a program runs because of environment variables,
//! and files that a shell runs when it starts.

/// Environment variables, grouped by the variant of the Rust enum `VariableUse` for how their values are used.
pub(crate) type VariablesTable = Vec<(&'static str, Vec<String>)>;

/// What the value of a variable is, as pairs of the word in TOML and the variant of `VariableUse`.
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

/// Files in the user's home that a shell runs when it starts, grouped by the variant of the Rust enum
/// `StartupCondition` for when it does.
pub(crate) type StartupTable = Vec<(&'static str, Vec<String>)>;

/// When a shell runs a startup file, as pairs of the word in TOML and the variant of `StartupCondition`.
pub(super) const STARTUP: &[(&str, &str)] = &[("always", "Always"), ("interactive", "Interactive"), ("login", "Login")];
