//! What `rules install` needs to know about this machine: the path of the program, and the version of the host.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::host_settings::SettingsScope;
use crate::platform::paths::{canonicalize, portable, shown};
use crate::project::is_regular_file;
use crate::schema::HostVersion;

/// How long `claude --version` may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// This program, as a registration starts it.
pub(super) struct OwnProgram {
    /// The path of the program, or `rules` if the search path (`PATH`) is to find it.
    pub(super) name: String,
    /// Warnings for the user, e.g. that the program is not on the `PATH`.
    pub(super) notes: Vec<String>,
}

/// Returns the name by which a registration of this scope starts the program: `rules` for the settings that a project
/// shares, otherwise an absolute path.
pub(super) fn program(scope: SettingsScope) -> Result<OwnProgram, String> {
    let own = std::env::current_exe().map_err(|error| format!("where this program is cannot be known: {error}"))?;
    let on_path = own_path_on_search_path(&own);
    let mut notes = Vec::new();
    if scope == SettingsScope::Project {
        if on_path.is_none() {
            notes.push("`rules` is not on your PATH, where the project's registration looks for it".to_owned());
        }
        return Ok(OwnProgram { name: "rules".to_owned(), notes });
    }
    // A package manager replaces the target of a link on the `PATH`, so the path of the link stays valid.
    let path = portable(on_path.unwrap_or(own));
    let here = std::env::current_dir().map(portable).unwrap_or_default();
    if path.starts_with(&here) {
        notes.push(format!(
            "{} lies in this project, where an agent may change it; `{}` puts it elsewhere",
            shown(&path),
            installer_elsewhere(&path)
        ));
    }
    let name = path.to_str().ok_or_else(|| format!("{} is not UTF-8, and settings are", shown(&path)))?;
    Ok(OwnProgram { name: name.to_owned(), notes })
}

/// Returns the command that installs the program outside of the project, of the package manager that put it into it.
fn installer_elsewhere(path: &Path) -> &'static str {
    let is_in_environment = |directory: &Path| is_regular_file(&directory.join("pyvenv.cfg"));
    if path.iter().any(|part| part == "node_modules") {
        "npm install --global hookrules"
    } else if path.ancestors().any(is_in_environment) {
        "pipx install hookrules"
    } else {
        "cargo install"
    }
}

/// Returns the path of this program in a directory of the `PATH`; `None` if no `rules` there is this program.
fn own_path_on_search_path(own: &Path) -> Option<PathBuf> {
    let own = canonicalize(own).ok()?;
    let directories = std::env::var_os("PATH")?;
    let mut candidates = std::env::split_paths(&directories).filter(|directory| directory.is_absolute());
    candidates.find_map(|directory| {
        let candidate = directory.join(format!("rules{}", std::env::consts::EXE_SUFFIX));
        (canonicalize(&candidate).ok()? == own).then_some(candidate)
    })
}

/// Returns the version that `claude --version` prints; `None` if the host is not installed, does not answer in time,
/// or prints anything else.
pub(in crate::cli) fn host_version() -> Option<HostVersion> {
    let command = duct::cmd("claude", ["--version"]).stdin_null().stderr_null().stdout_capture().unchecked();
    let handle = command.start().ok()?;
    let output = handle.wait_timeout(PATIENCE).ok().flatten();
    let Some(output) = output else {
        let _gone = handle.kill();
        return None;
    };
    version_in(&String::from_utf8_lossy(&output.stdout))
}

/// Parses the output of the host: `2.1.330 (Claude Code)`.
fn version_in(text: &str) -> Option<HostVersion> {
    HostVersion::parse(text.split_whitespace().next()?)
}

/// Returns a random id of eight hexadecimal digits, which distinguishes this registration from others.
pub(super) fn new_id() -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{:08x}", random & 0xffff_ffff)
}

/// Whether git ignores a file. Also true outside a repository, where nothing can be committed by mistake.
pub(super) fn is_ignored_by_git(path: &Path) -> bool {
    let directory = path.parent().and_then(|above| above.ancestors().find(|dir| dir.is_dir()));
    let Some(directory) = directory else { return true };
    let command =
        duct::cmd("git", ["check-ignore", "-q", "--"].iter().map(std::ffi::OsStr::new).chain([path.as_os_str()]));
    let command = command.dir(directory).stdin_null().stderr_null().stdout_null().unchecked();
    // 1: it is not ignored; any other code: there is no repository, or no git.
    command.run().map_or(true, |output| output.status.code() != Some(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host_settings::BLOCKS_FAILURES;

    #[test]
    fn versions_are_read_and_compared_as_numbers() {
        assert_eq!(version_in("2.1.330 (Claude Code)\n"), Some(HostVersion::new(2, 1, 330)));
        assert_eq!(version_in("2.1.197-beta.1"), Some(HostVersion::new(2, 1, 197)));
        assert_eq!(version_in("command not found"), None);
        assert!(version_in("2.1.1000").unwrap() > BLOCKS_FAILURES);
    }

    #[test]
    fn the_program_moves_out_of_a_project_by_what_put_it_there() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("venv")).unwrap();
        std::fs::write(place.path().join("venv/pyvenv.cfg"), "home = /usr/bin\n").unwrap();
        for (path, command) in [
            ("node_modules/@hookrules/linux-x64/rules", "npm install --global hookrules"),
            ("venv/bin/rules", "pipx install hookrules"),
            ("target/release/rules", "cargo install"),
        ] {
            assert_eq!(installer_elsewhere(&place.path().join(path)), command, "{path}");
        }
    }

    #[test]
    fn two_installations_differ() {
        assert_ne!(new_id(), new_id());
        assert_eq!(new_id().len(), 8);
    }
}
