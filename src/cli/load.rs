//! Loads the policy of a command: that of the current directory, or the one that was named.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory")]

use std::io::Read;
use std::path::{Path, PathBuf};

use super::Outcome;
use super::hook::{Registered, registration};
use super::print::Printer;
use crate::diagnostic::render_all;
use crate::facts::resolve;
use crate::files::reason;
use crate::hooks::Registration;
use crate::host::Host;
use crate::host_settings::Scope;
use crate::layer::Layer;
use crate::limits::FILE_BYTES;
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

/// The path that stands for standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// Reads a policy from standard input, or says why it cannot be read.
pub(super) fn read_standard_input(input: &mut impl Read) -> Result<String, String> {
    // One byte more shows that it is too large, which is said at its place.
    let most = u64::try_from(FILE_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let read = input.take(most).read_to_end(&mut bytes);
    read.map_err(|error| format!("standard input cannot be read: {}", reason(&error)))?;
    String::from_utf8(bytes).map_err(|_| "standard input is not UTF-8".to_owned())
}

/// Loads a policy with standard input in the place of a file: that of the project that the file is in, or else the text
/// alone.
pub(super) fn load_with_standard_input(file: &Path) -> Result<Policy, String> {
    let text = read_standard_input(&mut std::io::stdin().lock())?;
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let path = here.join(file);
    // An editor may have been started anywhere.
    let is_policy = |directory: &&Path| directory.file_name().is_some_and(|name| name == project::DIRECTORY);
    let around = path.ancestors().find(is_policy).and_then(Path::parent).filter(|project| !here.starts_with(project));
    let places = Places::of_machine(Some(around.unwrap_or(&here).to_path_buf()));
    let loaded = project::load_with_edit(&places, &path, &text);
    let place = resolve(&path);
    let is_read = loaded.sources.iter().any(|source| source.path.as_deref() == Some(&place));
    let loaded = if is_read { loaded } else { project::load_text(&file.display().to_string(), &text) };
    Ok(Policy::new(loaded.sources, &loaded.layers))
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
    whole(load_around(places, paths), paths, printer)
}

/// Loads a policy that must load as a whole, and the trees of its layers; what is wrong is printed.
pub(super) fn load_layers(paths: &[PathBuf], printer: &mut Printer) -> Result<(Policy, Vec<Layer>), Outcome> {
    let loaded = match paths {
        [] => project::load(&Places::of_machine(std::env::current_dir().ok())),
        paths => project::load_paths(paths),
    };
    let policy = whole(Policy::new(loaded.sources, &loaded.layers), paths, printer)?;
    Ok((policy, loaded.layers))
}

/// Returns a policy if it loads as a whole; what is wrong with it is printed.
pub(super) fn whole(policy: Policy, paths: &[PathBuf], printer: &mut Printer) -> Result<Policy, Outcome> {
    let errors: Vec<_> = policy.errors().cloned().collect();
    if !errors.is_empty() {
        let text = render_all(&errors, &policy.sources, printer.format());
        printer.err(&format!("{text}\nrules: the policy does not load\n"));
        return Err(Outcome::Unreadable);
    }
    if !policy.is_found() {
        printer.err(&nothing(paths, printer));
        return Err(Outcome::Unreadable);
    }
    Ok(policy)
}

/// Returns what is said where there is no policy.
pub(super) fn nothing(paths: &[PathBuf], printer: &Printer) -> String {
    let here = match paths {
        [] => "here or for this account".to_owned(),
        paths => {
            let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
            format!("in {}: it has no `.rules` file", names.join(" and "))
        }
    };
    let mut text = printer.wrapped("", "  ", &format!("rules: no policy {here}"));
    for (said, example) in EXAMPLES {
        text.push_str(&printer.wrapped("  ", "  ", said));
        text.push_str(example);
    }
    text
}

/// What can be done about it, each with what to write.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "`rules init` proposes one for this project; or put a line into .rules/project.rules, such as the one that brings \
         the rules for work with git:",
        "
    use \"std/git\"

",
    ),
    (
        "`rules list --packs` lists what else is written already; a rule of your own looks like this:",
        "
    rule secrets-stay-secret {
      on PreToolUse
      when reads like [\".env\", \"**/*.pem\"]
      deny \"`{match}` holds secrets. Ask the user to handle it.\"
    }
",
    ),
];
