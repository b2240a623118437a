//! Loads the policy for a command: that of the current directory, or the paths given.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory")]

use std::io::Read;
use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::hook::{RegistrationArgs, registration};
use super::print::Printer;
use crate::diagnostic::render_all;
use crate::facts::resolve;
use crate::files::reason;
use crate::hooks::Registration;
use crate::host::Host;
use crate::host_settings::SettingsScope;
use crate::layer::Layer;
use crate::limits::FILE_BYTES;
use crate::policy::Policy;
use crate::project::{self, MachinePlaces};
use crate::types::Payload;

/// Loads this machine's layers around the current directory, or the given files and directories.
pub(super) fn load(paths: &[PathBuf]) -> Policy {
    load_around(&MachinePlaces::on_this_machine(std::env::current_dir().ok()), paths)
}

/// Loads this machine's layers around a project, regardless of their errors.
pub(super) fn load_for(project: Option<PathBuf>) -> Policy {
    load_around(&MachinePlaces::on_this_machine(project), &[])
}

fn load_around(places: &MachinePlaces, paths: &[PathBuf]) -> Policy {
    let loaded = match paths {
        [] => project::load(places),
        paths => project::load_paths(paths),
    };
    Policy::new(loaded.sources, &loaded.layers)
}

/// The path that denotes standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// Reads a policy from standard input.
pub(super) fn read_standard_input(input: &mut impl Read) -> Result<String, String> {
    // One more byte reveals that the text is too large, which the loader reports.
    let most = u64::try_from(FILE_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let read = input.take(most).read_to_end(&mut bytes);
    read.map_err(|error| format!("standard input cannot be read: {}", reason(&error)))?;
    String::from_utf8(bytes).map_err(|_| "standard input is not UTF-8".to_owned())
}

/// Loads a policy with standard input in place of a file: the policy of the project that contains the file, or else the
/// text alone.
pub(super) fn load_with_standard_input(file: &Path) -> Result<Policy, String> {
    let text = read_standard_input(&mut std::io::stdin().lock())?;
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let path = here.join(file);
    // An editor may run in any directory.
    let is_policy = |directory: &&Path| directory.file_name().is_some_and(|name| name == project::DIRECTORY);
    let around = path.ancestors().find(is_policy).and_then(Path::parent).filter(|project| !here.starts_with(project));
    let places = MachinePlaces::on_this_machine(Some(around.unwrap_or(&here).to_path_buf()));
    let loaded = project::load_with_edit(&places, &path, &text);
    let place = resolve(&path);
    let is_read = loaded.sources.iter().any(|source| source.path.as_deref() == Some(&place));
    let loaded = if is_read { loaded } else { project::load_text(&file.display().to_string(), &text) };
    Ok(Policy::new(loaded.sources, &loaded.layers))
}

/// Returns the directory that the user gave, or else the current one.
pub(super) fn directory(named: Option<&Path>) -> Option<PathBuf> {
    let here = std::env::current_dir().ok();
    match named {
        Some(named) => Some(here.as_deref().unwrap_or(Path::new("/")).join(named)),
        None => here,
    }
}

/// Locates the project of a payload.
pub(super) struct ProjectLocator {
    /// The project that the user gave.
    fixed: Option<PathBuf>,
    /// The registration of the hook whose answer is asked for.
    registration: Registration,
}

impl ProjectLocator {
    /// Uses the project that the user gave, else the one that a hook would use.
    pub(super) fn new(project: Option<&Path>, host: Host) -> Self {
        Self::for_registration(project, registration(host, &RegistrationArgs::default(), SettingsScope::Project, None))
    }

    /// Like [`ProjectLocator::new`], for a hook with this registration.
    pub(super) fn for_registration(project: Option<&Path>, registration: Registration) -> Self {
        let here = registration.start_directory.as_deref().unwrap_or(Path::new("/"));
        Self { fixed: project.map(|project| here.join(project)), registration }
    }

    /// Returns the project that the user gave.
    pub(super) fn fixed(&self) -> Option<PathBuf> {
        self.fixed.clone()
    }

    /// Returns the places of the policy for a payload.
    pub(super) fn places(&self, payload: &Payload) -> MachinePlaces {
        self.fixed_places().unwrap_or_else(|| self.registration.places(payload))
    }

    /// Returns the places of the policy if there is no payload, or more than one.
    pub(super) fn places_without_payload(&self) -> MachinePlaces {
        self.fixed_places().unwrap_or_else(|| self.registration.places_without_payload())
    }

    fn fixed_places(&self) -> Option<MachinePlaces> {
        let fixed = self.fixed.clone()?;
        Some(MachinePlaces { project: Some(fixed), ..self.registration.places.clone() })
    }
}

/// Loads a policy that must load completely, from the current directory or the given paths; prints its errors.
pub(super) fn load_whole(paths: &[PathBuf], printer: &mut Printer) -> Result<Policy, CommandOutcome> {
    load_whole_around(&MachinePlaces::on_this_machine(std::env::current_dir().ok()), paths, printer)
}

/// Loads a policy that must load completely, from these places or the given paths; prints its errors.
pub(super) fn load_whole_around(
    places: &MachinePlaces,
    paths: &[PathBuf],
    printer: &mut Printer,
) -> Result<Policy, CommandOutcome> {
    require_loaded(load_around(places, paths), paths, printer)
}

/// Loads a policy that must load completely, with the syntax trees of its layers; prints its errors.
pub(super) fn load_layers(paths: &[PathBuf], printer: &mut Printer) -> Result<(Policy, Vec<Layer>), CommandOutcome> {
    let loaded = match paths {
        [] => project::load(&MachinePlaces::on_this_machine(std::env::current_dir().ok())),
        paths => project::load_paths(paths),
    };
    let policy = require_loaded(Policy::new(loaded.sources, &loaded.layers), paths, printer)?;
    Ok((policy, loaded.layers))
}

/// Returns a policy if it loads completely; prints its errors.
pub(super) fn require_loaded(
    policy: Policy,
    paths: &[PathBuf],
    printer: &mut Printer,
) -> Result<Policy, CommandOutcome> {
    let errors: Vec<_> = policy.errors().cloned().collect();
    if !errors.is_empty() {
        let text = render_all(&errors, &policy.sources, printer.format());
        printer.err(&format!("{text}\nrules: the policy does not load\n"));
        return Err(CommandOutcome::Unreadable);
    }
    if !policy.is_found() {
        printer.err(&nothing(paths, printer));
        return Err(CommandOutcome::Unreadable);
    }
    Ok(policy)
}

/// Returns the message for a missing policy.
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

/// Ways to get a policy, each with what to write.
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
