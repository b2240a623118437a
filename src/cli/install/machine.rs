//! What of this machine an installation has to know: where the program is, and which version of the host there is.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::host_settings::Scope;
use crate::schema::HostVersion;

/// How long the host is waited for to say its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// This program, as a registration names it.
pub(super) struct Program {
    pub(super) name: String,
    /// What the user should know about it.
    pub(super) notes: Vec<String>,
}

/// Returns the name of this program for a scope.
pub(super) fn program(scope: Scope) -> Result<Program, String> {
    let own = std::env::current_exe().map_err(|error| format!("where this program is cannot be known: {error}"))?;
    let on_path = on_path(&own);
    let mut notes = Vec::new();
    if scope == Scope::Project {
        if on_path.is_none() {
            notes.push("`rules` is not on your PATH, where the project's registration looks for it".to_owned());
        }
        return Ok(Program { name: "rules".to_owned(), notes });
    }
    // A package manager replaces the file that a link leads to, so the link is what stays.
    let path = on_path.unwrap_or(own);
    let here = std::env::current_dir().unwrap_or_default();
    if path.starts_with(&here) {
        notes.push(format!(
            "{} lies in this project, where an agent may change it; `cargo install` puts it elsewhere",
            path.display()
        ));
    }
    let name = path.to_str().ok_or_else(|| format!("{} is not UTF-8, and settings are", path.display()))?;
    Ok(Program { name: name.to_owned(), notes })
}

/// Returns where the search path has this very program.
fn on_path(own: &Path) -> Option<PathBuf> {
    let own = std::fs::canonicalize(own).ok()?;
    let directories = std::env::var_os("PATH")?;
    let mut candidates = std::env::split_paths(&directories).filter(|directory| directory.is_absolute());
    candidates.find_map(|directory| {
        let candidate = directory.join("rules");
        (std::fs::canonicalize(&candidate).ok()? == own).then_some(candidate)
    })
}

/// Asks the host for its version; nothing where there is none, or it says something else.
pub(in crate::cli) fn host_version() -> Option<HostVersion> {
    let asked = duct::cmd("claude", ["--version"]).stdin_null().stderr_null().stdout_capture().unchecked();
    let handle = asked.start().ok()?;
    let output = handle.wait_timeout(PATIENCE).ok().flatten();
    let Some(output) = output else {
        let _gone = handle.kill();
        return None;
    };
    version_in(&String::from_utf8_lossy(&output.stdout))
}

/// Reads `2.1.330 (Claude Code)`.
fn version_in(text: &str) -> Option<HostVersion> {
    let word = text.split_whitespace().next()?;
    let mut numbers = word.split('.').map(|part| part.split('-').next().and_then(|part| part.parse().ok()));
    Some((numbers.next()??, numbers.next()??, numbers.next()??))
}

/// Returns a word that no other installation has: the system chose it.
pub(super) fn new_id() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{:08x}", random & 0xffff_ffff)
}

/// Tells whether git leaves a file out, as far as the repository's own lists say; outside of one nothing needs to be.
pub(super) fn is_ignored_by_git(path: &Path) -> bool {
    let directory = path.parent().and_then(|above| above.ancestors().find(|dir| dir.is_dir()));
    let Some(directory) = directory else { return true };
    let asked =
        duct::cmd("git", ["check-ignore", "-q", "--"].iter().map(std::ffi::OsStr::new).chain([path.as_os_str()]));
    let asked = asked.dir(directory).stdin_null().stderr_null().stdout_null().unchecked();
    // 1: it does not; anything else is no repository, or no git.
    asked.run().map_or(true, |output| output.status.code() != Some(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host_settings::BLOCKS_FAILURES;

    #[test]
    fn versions_are_read_and_compared_as_numbers() {
        assert_eq!(version_in("2.1.330 (Claude Code)\n"), Some((2, 1, 330)));
        assert_eq!(version_in("2.1.197-beta.1"), Some((2, 1, 197)));
        assert_eq!(version_in("command not found"), None);
        assert!(version_in("2.1.1000").unwrap() > BLOCKS_FAILURES);
    }

    #[test]
    fn two_installations_differ() {
        assert_ne!(new_id(), new_id());
        assert_eq!(new_id().len(), 8);
    }
}
