//! The policy that a command is about: that of the current directory, or the one that was named.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory")]

use std::path::PathBuf;

use super::Outcome;
use super::print::Printer;
use crate::diagnostic::render_all;
use crate::policy::Policy;
use crate::project::{self, Places};

/// Loads the layers of this machine around the current directory, or the files and directories named.
pub(super) fn load(paths: &[PathBuf]) -> Policy {
    let loaded = match paths {
        [] => project::load(&Places::of_machine(std::env::current_dir().ok())),
        paths => project::load_paths(paths),
    };
    Policy::new(loaded.sources, &loaded.layers)
}

/// Loads a policy that must load as a whole; what is wrong is printed.
pub(super) fn load_whole(paths: &[PathBuf], printer: &mut Printer) -> Result<Policy, Outcome> {
    let policy = load(paths);
    let errors: Vec<_> = policy.diagnostics().filter(|diagnostic| diagnostic.is_error()).cloned().collect();
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
        [] => "here, and none for this account".to_owned(),
        paths => {
            let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
            format!("in {}: no file there ends in `.rules`", names.join(" and "))
        }
    };
    format!("rules: no policy {here}\n{EXAMPLE}")
}

const EXAMPLE: &str = "  put rules into .rules/project.rules, for example:

    rule secrets-stay-secret {
      on PreToolUse(Read|Edit|Write)
      when path like [\".env\", \"**/*.pem\"]
      deny \"`{match}` holds secrets. Ask the user to handle it.\"
    }
";
