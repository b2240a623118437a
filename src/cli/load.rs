//! Loads the policy of a command: that of the current directory, or the one that was named.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory")]

use std::path::{Path, PathBuf};

use super::Outcome;
use super::hook::{Registered, registration};
use super::print::Printer;
use crate::diagnostic::render_all;
use crate::hooks::Registration;
use crate::host::Host;
use crate::host_settings::Scope;
use crate::policy::Policy;
use crate::project::{self, Places};
use crate::types::Payload;

/// Loads the layers of this machine around the current directory, or the files and directories named.
pub(super) fn load(paths: &[PathBuf]) -> Policy {
    load_around(&Places::of_machine(std::env::current_dir().ok()), paths)
}

/// Loads the layers of this machine around a project, whatever is wrong with them.
pub(super) fn load_for(project: Option<PathBuf>) -> Policy {
    load_around(&Places::of_machine(project), &[])
}

fn load_around(places: &Places, paths: &[PathBuf]) -> Policy {
    let loaded = match paths {
        [] => project::load(places),
        paths => project::load_paths(paths),
    };
    Policy::new(loaded.sources, &loaded.layers)
}

/// Returns a directory that the user names, or else the current one.
pub(super) fn directory(named: Option<&Path>) -> Option<PathBuf> {
    let here = std::env::current_dir().ok();
    match named {
        Some(named) => Some(here.as_deref().unwrap_or(Path::new("/")).join(named)),
        None => here,
    }
}

/// Which project a payload is judged in.
pub(super) struct Around {
    /// The user has named it.
    fixed: Option<PathBuf>,
    /// The hook whose answer is asked for.
    registration: Registration,
}

impl Around {
    /// The project is the one that the user names, else that which a hook would take.
    pub(super) fn new(project: Option<&Path>, host: Host) -> Self {
        Self::of(project, registration(host, &Registered::default(), Scope::Project, None))
    }

    /// As [`Around::new`], for a hook that is registered so.
    pub(super) fn of(project: Option<&Path>, registration: Registration) -> Self {
        let here = registration.here.as_deref().unwrap_or(Path::new("/"));
        Self { fixed: project.map(|project| here.join(project)), registration }
    }

    /// Returns the project that the user has named.
    pub(super) fn fixed(&self) -> Option<PathBuf> {
        self.fixed.clone()
    }

    /// Returns where the policy lies that a payload is judged by.
    pub(super) fn places(&self, payload: &Payload) -> Places {
        self.fixed_places().unwrap_or_else(|| self.registration.places_of(payload))
    }

    /// Returns where the policy lies where there is no payload, or more than one.
    pub(super) fn without_payload(&self) -> Places {
        self.fixed_places().unwrap_or_else(|| self.registration.places_without_payload())
    }

    fn fixed_places(&self) -> Option<Places> {
        let fixed = self.fixed.clone()?;
        Some(Places { project: Some(fixed), ..self.registration.places.clone() })
    }
}

/// Loads a policy that must load as a whole, that of the current directory or the one named; what is wrong is printed.
pub(super) fn load_whole(paths: &[PathBuf], printer: &mut Printer) -> Result<Policy, Outcome> {
    load_whole_around(&Places::of_machine(std::env::current_dir().ok()), paths, printer)
}

/// Loads a policy that must load as a whole, that of some places or the one named; what is wrong is printed.
pub(super) fn load_whole_around(places: &Places, paths: &[PathBuf], printer: &mut Printer) -> Result<Policy, Outcome> {
    let policy = load_around(places, paths);
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

const EXAMPLE: &str = "  `rules init` proposes one for this project; or put a line into .rules/project.rules, such as the one that brings the
  rules for work with git:

    use \"std/git\"

  `rules list --packs` lists what else is written already; a rule of your own looks like this:

    rule secrets-stay-secret {
      on PreToolUse(Read|Edit|Write)
      when path like [\".env\", \"**/*.pem\"]
      deny \"`{match}` holds secrets. Ask the user to handle it.\"
    }
";
