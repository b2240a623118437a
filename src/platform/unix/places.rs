//! Directories that have the same purpose on every machine.

use std::path::{Path, PathBuf};

/// The directories in which systems have their zone files.
pub const ZONES: &[&str] = &[
    "/usr/share/zoneinfo",
    "/etc/zoneinfo",
    "/usr/lib/zoneinfo",
    "/usr/share/lib/zoneinfo",
    "/var/db/timezone/zoneinfo",
];

/// The directories below which the one that `TMPDIR` names may be.
pub const AROUND_OWN_TEMPORARY: &[&str] = &["/tmp", "/var/folders", "/run/user"];

/// The variable that names the account's own directory for temporary files.
pub const TEMPORARY_VARIABLE: &str = "TMPDIR";

/// The variable in which programs look for the home directory.
pub const HOME_VARIABLE: &str = "HOME";

/// Returns the directory of the administrator's policy.
#[must_use]
pub fn managed() -> PathBuf {
    PathBuf::from("/etc/rules")
}

/// Returns the directories of Claude Code's settings that an organisation manages.
#[must_use]
pub fn managed_claude_code() -> Vec<PathBuf> {
    ["/etc/claude-code", "/Library/Application Support/ClaudeCode"].map(PathBuf::from).to_vec()
}

/// Returns the directory of an account's state.
#[must_use]
pub fn state(home: &Path) -> PathBuf {
    home.join(".local/state/rules")
}

/// Returns the directory of an account's cache.
#[must_use]
pub fn cache(home: &Path) -> PathBuf {
    home.join(".cache/rules")
}

/// Returns the directories for temporary files that all accounts share.
#[must_use]
pub fn temporary() -> Vec<PathBuf> {
    ["/tmp", "/var/tmp"].map(PathBuf::from).to_vec()
}
