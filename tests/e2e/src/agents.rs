//! Sessions of agents other than Claude Code: the same cases for each, and a description of what differs.

mod cases;
mod descriptions;
mod dialects;
mod session;
mod table;

use std::io;
use std::path::{Path, PathBuf};

pub(crate) use cases::{CASES, Case};
pub(crate) use descriptions::AGENTS;
pub(crate) use table::Table;

use cases::Outcome;
use dialects::{Call, Dialect};

use crate::host;

/// An agent in one version: how it is configured and started, and what is known only from playing it.
pub(crate) struct Agent {
    /// The name of its record, `hosts/NAME.toml`.
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// What is different from another description of the same agent, if anything.
    variant: &'static str,
    /// Whether it plays all cases by default. A session takes a second or two with a binary, and ten with a script.
    plays_by_default: bool,
    program: Program,
    dialect: Dialect,
    /// Whose settings register the hook, which is also where the policy is.
    scope: Scope,
    files: &'static [File],
    /// Words of a start of the program that sets it up, if there must be one.
    setup: &'static [&'static str],
    words: &'static [&'static str],
    /// Words that continue the last session in another process; empty if no case does.
    again: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    /// The call that runs a command.
    shell: fn(&str) -> Call,
    /// The call that writes a file, by its absolute path.
    write: fn(&str) -> Call,
    outcomes: Outcomes,
}

/// The program of an agent, among the packages that npm installs without their scripts.
enum Program {
    /// One that npm links under this name.
    Linked(&'static str),
    /// A binary in the package for this machine, whose name begins with the first text.
    Packaged(&'static str, &'static str),
}

/// What happens to a call that the record of the agent does not decide.
struct Outcomes {
    /// A file is denied.
    denied_file: Outcome,
    /// The program of the hook is not there.
    missing: Outcome,
    /// The program of the hook is killed.
    killed: Outcome,
    /// A rule warns, which is for the user.
    warned: Outcome,
}

/// Whose settings register the hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Scope {
    Project,
    User,
}

/// A file of a session. The placeholders `{root}`, `{project}`, `{home}`, `{url}` and `{hook}` are filled in, and
/// `{bridge}` is the plugin that this repository ships for the agent.
struct File {
    /// Relative to the root of the session, with its `home` and its `project`.
    at: &'static str,
    text: &'static str,
    is_executable: bool,
}

impl Agent {
    /// Returns the directory of its lock file, and of its installation.
    pub(crate) fn directory(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// Returns the path of its program. There may be none for this machine.
    pub(crate) fn program(&self, packages: &Path) -> io::Result<PathBuf> {
        let packages = packages.join("node_modules");
        match self.program {
            Program::Linked(name) => Ok(packages.join(".bin").join(name)),
            Program::Packaged(prefix, name) => host::binary(&packages, prefix, name),
        }
    }

    /// Returns what the reports call it.
    pub(crate) fn title(&self) -> String {
        format!("{} {} {}", self.name, self.version, self.variant).trim_end().to_owned()
    }

    /// Whether it plays a case unless others are requested.
    pub(crate) fn plays_by_default(&self, case: &Case) -> bool {
        self.plays_by_default || case.by_default.contains(&self.name)
    }
}

/// Plays a case. Returns what happened, and the problems; keeps the session's directory if there are any.
pub(crate) fn play(
    agent: &Agent,
    case: &Case,
    packages: &Path,
    program: &Path,
    keep: bool,
) -> io::Result<(Outcome, Vec<String>, Option<PathBuf>)> {
    let session = session::play(agent, case, packages, program)?;
    let (outcome, expected) = (case.outcome(&session), case.expected(agent)?);
    let mut problems = session.problems.clone();
    if outcome != expected {
        problems.push(format!("expected: {expected}; seen: {outcome}"));
    }
    let kept = if keep || !problems.is_empty() { Some(session.keep()?) } else { None };
    Ok((outcome, problems, kept))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use hookrules::host::Host;

    use super::*;

    #[test]
    fn each_agent_is_played_in_a_version_of_its_record() {
        for agent in AGENTS {
            let source = Host::from_name(agent.name).unwrap().source();
            assert!(source.contains(agent.version), "{}: {source}", agent.title());
        }
    }

    #[test]
    fn each_agent_has_a_lock_file_that_names_no_registry() {
        for agent in AGENTS {
            let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts").join(agent.directory());
            let lock = fs::read_to_string(directory.join("package-lock.json")).unwrap();
            assert!(lock.contains(&format!("\"version\": \"{}\"", agent.version)), "{}", agent.title());
            assert!(!lock.contains("\"resolved\""), "{}", agent.title());
        }
    }
}
