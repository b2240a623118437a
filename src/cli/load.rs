//! Loads the policy for a command: from the layers around the current directory, or from given paths.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory")]

use std::io::Read;
use std::path::{Path, PathBuf};

use hookrules_shell::path::normalise;

use super::print::Printer;
use super::{CommandOutcome, below};
use crate::diagnostic::render_all;
use crate::facts::resolve;
use crate::files::reason;
use crate::hooks::Registration;
use crate::layer::Layer;
use crate::limits::FILE_BYTES;
use crate::platform::paths::{portable, shown};
use crate::policy::Policy;
use crate::project::{self, MachinePlaces};
use crate::types::Payload;

/// Loads the given files and directories, or this machine's layers around the current directory if there are none.
/// The policy may have errors.
pub(super) fn load(paths: &[PathBuf]) -> Policy {
    load_around(&MachinePlaces::on_this_machine(std::env::current_dir().map(portable).ok()), paths)
}

/// Loads this machine's layers around a project. The policy may have errors.
pub(super) fn load_for(project: Option<PathBuf>) -> Policy {
    load_around(&MachinePlaces::on_this_machine(project), &[])
}

/// Loads the given files and directories, or the layers at these places if there are none.
fn load_around(places: &MachinePlaces, paths: &[PathBuf]) -> Policy {
    let loaded = match paths {
        [] => project::load(places),
        paths => project::load_paths(paths),
    };
    Policy::new(loaded.sources, &loaded.layers)
}

/// The argument that denotes standard input instead of a file.
pub(super) const STANDARD_INPUT: &str = "-";

/// Reads the text of a policy from standard input.
pub(super) fn read_standard_input(input: &mut impl Read) -> Result<String, String> {
    // One byte more than a file may have: the loader then sees that the text is too long, and reports that.
    let limit = u64::try_from(FILE_BYTES).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let read = input.take(limit).read_to_end(&mut bytes);
    read.map_err(|error| format!("standard input cannot be read: {}", reason(&error)))?;
    String::from_utf8(bytes).map_err(|_| "standard input is not UTF-8".to_owned())
}

/// Loads the policy of the project that contains a file, with standard input in place of the file's text. If that
/// policy does not include the file, loads the text alone.
pub(super) fn load_with_standard_input(file: &Path) -> Result<Policy, String> {
    let text = read_standard_input(&mut std::io::stdin().lock())?;
    let here = std::env::current_dir().map(portable).unwrap_or_else(|_| PathBuf::from("/"));
    let path = here.join(file);
    // An editor may run in another directory than the project: then the project is the one that contains the file's
    // `.rules`.
    let other_project = project::holder_of(&path).filter(|project| !here.starts_with(project));
    let places = MachinePlaces::on_this_machine(Some(other_project.unwrap_or(&here).to_path_buf()));
    let loaded = project::load_with_edit(&places, &path, &text);
    let resolved = resolve(&path);
    let is_included = loaded.sources.iter().any(|source| source.path.as_deref() == Some(&resolved));
    let loaded = if is_included { loaded } else { project::load_text(&shown(&file).to_string(), &text) };
    Ok(Policy::new(loaded.sources, &loaded.layers))
}

/// Returns the current directory; `None` if it no longer exists.
pub(super) fn current_directory() -> Option<PathBuf> {
    std::env::current_dir().map(portable).ok()
}

/// Returns the directory that the user gave, as an absolute path, or the current one if the user gave none.
pub(super) fn directory(named: Option<&Path>) -> Option<PathBuf> {
    let here = current_directory();
    match named {
        Some(named) => Some(absolute(named, here.as_deref().unwrap_or(Path::new("/")))),
        None => here,
    }
}

/// Makes a path that the user gave absolute and removes `.` and `..`, so it has the form that hosts send.
fn absolute(named: &Path, here: &Path) -> PathBuf {
    match named.to_str() {
        Some(text) => normalise(text, here, None),
        None => here.join(named),
    }
}

/// Finds the project whose policy judges a payload, as a hook does.
pub(super) struct ProjectLocator {
    /// The project that the user gave.
    fixed: Option<PathBuf>,
    /// The registration of the hook that would judge the payload.
    registration: Registration,
}

impl ProjectLocator {
    /// Creates a locator for the project that the user gave, or for the one that a hook with this registration would
    /// use.
    pub(super) fn for_registration(project: Option<&Path>, registration: Registration) -> Self {
        let here = registration.start_directory.as_deref().unwrap_or(Path::new("/"));
        let fixed = project.map(|project| absolute(project, here));
        Self { fixed, registration }
    }

    /// Returns the project that the user gave, if any.
    pub(super) fn fixed(&self) -> Option<PathBuf> {
        self.fixed.clone()
    }

    /// Returns the directories of the layers that judge a payload.
    pub(super) fn places(&self, payload: &Payload) -> MachinePlaces {
        self.fixed_places().unwrap_or_else(|| self.registration.places(payload))
    }

    /// Returns the directories of the layers if there is no payload, or if there are several.
    pub(super) fn places_without_payload(&self) -> MachinePlaces {
        self.fixed_places().unwrap_or_else(|| self.registration.places_without_payload())
    }

    /// Returns the directories of the layers for the project that the user gave, if any.
    fn fixed_places(&self) -> Option<MachinePlaces> {
        let fixed = self.fixed.clone()?;
        Some(MachinePlaces { project: Some(fixed), ..self.registration.places.clone() })
    }
}

/// Loads a policy from the given paths or around the current directory. If it has errors or does not exist, prints
/// that and returns the outcome as the error.
pub(super) fn load_whole(paths: &[PathBuf], printer: &mut Printer) -> Result<Policy, CommandOutcome> {
    load_whole_around(&MachinePlaces::on_this_machine(std::env::current_dir().map(portable).ok()), paths, printer)
}

/// Loads a policy from the given paths or from the layers at these places. If it has errors or does not exist, prints
/// that and returns the outcome as the error.
pub(super) fn load_whole_around(
    places: &MachinePlaces,
    paths: &[PathBuf],
    printer: &mut Printer,
) -> Result<Policy, CommandOutcome> {
    require_loaded(load_around(places, paths), paths, printer)
}

/// Loads a policy like [`load_whole`], and also returns the parsed layers.
pub(super) fn load_layers(paths: &[PathBuf], printer: &mut Printer) -> Result<(Policy, Vec<Layer>), CommandOutcome> {
    let loaded = match paths {
        [] => project::load(&MachinePlaces::on_this_machine(std::env::current_dir().map(portable).ok())),
        paths => project::load_paths(paths),
    };
    let policy = require_loaded(Policy::new(loaded.sources, &loaded.layers), paths, printer)?;
    Ok((policy, loaded.layers))
}

/// Returns the policy if it exists and has no errors; otherwise prints the errors and returns the outcome as the
/// error.
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
        printer.err(&missing_policy_message(paths, printer));
        return Err(CommandOutcome::Unreadable);
    }
    Ok(policy)
}

/// Returns the message that there is no policy, with two ways to write one.
pub(super) fn missing_policy_message(paths: &[PathBuf], printer: &Printer) -> String {
    let here = match paths {
        [] => "here or for this account".to_owned(),
        paths => {
            let names: Vec<String> = paths.iter().map(|path| format!("`{}`", shown(&path))).collect();
            format!("in {}: it has no `.rules` file", names.join(" and "))
        }
    };
    let below =
        if paths.is_empty() { below::sentence(std::env::current_dir().map(portable).ok().as_deref()) } else { None };
    if let Some(below) = below {
        let message = format!("rules: no policy {here}; {below}: run the command there, or write a policy here, too");
        return printer.wrapped("", "  ", &message);
    }
    let mut text = printer.wrapped("", "  ", &format!("rules: no policy {here}"));
    for (sentence, example) in EXAMPLES {
        text.push_str(&printer.wrapped("  ", "  ", sentence));
        text.push_str(example);
    }
    text
}

/// Ways to get a policy: a sentence, and the text to type.
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
