//! Loads the policy of a command: that of the current directory, or the one that was named.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory")]

use std::path::{Path, PathBuf};

use super::Outcome;
use super::print::Printer;
use crate::diagnostic::render_all;
use crate::hooks::{project_of, project_of_environment};
use crate::host::Host;
use crate::policy::Policy;
use crate::project::{self, Places};
use crate::types::Payload;

/// Loads the layers of this machine around the current directory, or the files and directories named.
pub(super) fn load(paths: &[PathBuf]) -> Policy {
    load_around(std::env::current_dir().ok(), paths)
}

/// Loads the layers of this machine around a project, whatever is wrong with them.
pub(super) fn load_for(project: Option<PathBuf>) -> Policy {
    load_around(project, &[])
}

fn load_around(project: Option<PathBuf>, paths: &[PathBuf]) -> Policy {
    let loaded = match paths {
        [] => project::load(&Places::of_machine(project)),
        paths => project::load_paths(paths),
    };
    Policy::new(loaded.sources, &loaded.layers)
}

/// Which project a payload is judged in.
pub(super) struct Around {
    /// The user has named it.
    fixed: Option<PathBuf>,
    named: Option<PathBuf>,
    here: Option<PathBuf>,
}

impl Around {
    /// The project is the one that the user names, else that which a hook would take, else the current directory.
    pub(super) fn new(project: Option<&Path>, host: Host) -> Self {
        let here = std::env::current_dir().ok();
        let fixed = project.map(|project| here.as_deref().unwrap_or(Path::new("/")).join(project));
        Self { fixed, named: project_of_environment(host), here }
    }

    /// Returns the project that the user has named.
    pub(super) fn fixed(&self) -> Option<PathBuf> {
        self.fixed.clone()
    }

    /// Returns the project that a payload is judged in.
    pub(super) fn project(&self, payload: &Payload) -> Option<PathBuf> {
        let hooks = || project_of(self.named.as_deref(), payload, self.here.as_deref());
        self.fixed.clone().or_else(hooks)
    }

    /// Returns the project where there is no payload, or more than one.
    pub(super) fn without_payload(&self) -> Option<PathBuf> {
        let named = self.named.as_ref().filter(|named| project::is_directory(named));
        self.fixed.as_ref().or(named).or(self.here.as_ref()).cloned()
    }
}

/// Loads a policy that must load as a whole, that of the current directory or the one named; what is wrong is printed.
pub(super) fn load_whole(paths: &[PathBuf], printer: &mut Printer) -> Result<Policy, Outcome> {
    load_whole_around(std::env::current_dir().ok(), paths, printer)
}

/// Loads a policy that must load as a whole, that of a project or the one named; what is wrong is printed.
pub(super) fn load_whole_around(
    project: Option<PathBuf>,
    paths: &[PathBuf],
    printer: &mut Printer,
) -> Result<Policy, Outcome> {
    let policy = load_around(project, paths);
    let errors: Vec<_> = policy.errors().cloned().collect();
    if !errors.is_empty() {
        let text = render_all(&errors, &policy.sources, printer.format());
        printer.err(&format!("{text}\nrules: the policy does not load\n"));
        return Err(Outcome::Unreadable);
    }
    if !policy.is_found() {
        printer.err(&nothing(paths));
        return Err(Outcome::Unreadable);
    }
    Ok(policy)
}

/// Returns what is said where there is no policy.
pub(super) fn nothing(paths: &[PathBuf]) -> String {
    let here = match paths {
        [] => "here or for this account".to_owned(),
        paths => {
            let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
            format!("in {}: it has no `.rules` file", names.join(" and "))
        }
    };
    format!("rules: no policy {here}\n{EXAMPLE}")
}

const EXAMPLE: &str = "  put a line into .rules/project.rules, such as the one that brings the rules for work with git:

    use \"std/git\"

  `rules list --packs` lists what else is written already; a rule of your own looks like this:

    rule secrets-stay-secret {
      on PreToolUse(Read|Edit|Write)
      when path like [\".env\", \"**/*.pem\"]
      deny \"`{match}` holds secrets. Ask the user to handle it.\"
    }
";
