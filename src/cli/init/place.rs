//! The file that `rules init` writes: whether it may be written, and writing it without following a link.
#![expect(clippy::disallowed_methods, reason = "it looks at the directory that it writes into")]

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::CommandOutcome;
use crate::config::LayerKind;
use crate::diagnostic::{DiagnosticFormat, Levels, render_all};
use crate::files::reason;
use crate::host::Host;
use crate::lint;
use crate::platform::{AccessMode, DirectoryHandle, LinkPolicy};
use crate::policy::Policy;
use crate::project::{self, DIRECTORY, LoadedSources, MachinePlaces, load_with_edit};
use crate::syntax::ast::ItemKind;

/// The name of the file if the project has no policy.
const FIRST: &str = "project.rules";
/// The name of the file if the project has a policy already.
const ADDITIONAL: &str = "init.rules";

/// The file for the new policy.
pub(super) struct PolicyPlace {
    /// The project.
    pub(super) directory: PathBuf,
    /// The name of the file in `.rules`.
    file: &'static str,
    /// Whether the directory `.rules` already has a policy.
    pub(super) has_policy: bool,
    /// The directories above the project that have a policy, which also holds in the project.
    pub(super) above: Vec<PathBuf>,
}

/// What the existing policy of the project and of the directories above it contains.
#[derive(Default)]
pub(super) struct ExistingPolicy {
    /// The packs that it uses (`std/git`).
    pub(super) used_packs: BTreeSet<String>,
    /// The names of its rules.
    pub(super) rule_names: BTreeSet<String>,
}

impl PolicyPlace {
    /// Chooses the file for the new policy, and reads the existing policy.
    ///
    /// # Errors
    /// `.rules` is a link or not a directory, the policy does not load, or the file exists.
    pub(super) fn examine(directory: &Path) -> Result<(Self, ExistingPolicy), (String, CommandOutcome)> {
        let rules = directory.join(DIRECTORY);
        if fs::symlink_metadata(&rules).is_ok_and(|metadata| !metadata.is_dir()) {
            let problem = format!("`{DIRECTORY}` is not a directory, or is a link; nothing is written through it");
            return Err((problem, CommandOutcome::Findings));
        }
        let loaded = project::load(&places(directory));
        let (has_policy, existing) = read(&loaded, &rules);
        let policy = Policy::new(loaded.sources, &loaded.layers);
        if policy.broken_layers().any(|layer| layer.kind == LayerKind::Project) {
            let problem = "the policy that is there does not load; `rules check` says why";
            return Err((problem.to_owned(), CommandOutcome::Unreadable));
        }
        let file = if has_policy { ADDITIONAL } else { FIRST };
        if fs::symlink_metadata(rules.join(file)).is_ok() {
            let problem = format!(
                "`{DIRECTORY}/{file}` exists, and is not overwritten; move it into a file of another name, or remove it"
            );
            return Err((problem, CommandOutcome::Findings));
        }
        let above = policy.directories_above();
        Ok((Self { directory: directory.to_owned(), file, has_policy, above }, existing))
    }

    /// Returns the path of the file relative to the project, for display.
    pub(super) fn display_path(&self) -> String {
        format!("{DIRECTORY}/{}", self.file)
    }

    /// Checks a text as if it were already in its file. Returns as the error the findings that the policy does not
    /// have without it.
    pub(super) fn check(&self, text: &str) -> Result<(), String> {
        let places = places(&self.directory);
        let path = self.directory.join(DIRECTORY).join(self.file);
        let before = findings(project::load(&places));
        let after = findings(load_with_edit(&places, &path, text));
        let new: Vec<&str> = after.lines().filter(|line| !before.lines().any(|other| other == *line)).collect();
        if new.is_empty() { Ok(()) } else { Err(new.join("\n")) }
    }

    /// Writes the file. It must not exist yet, and `.rules` must not be a link.
    pub(super) fn write(&self, text: &str) -> Result<(), String> {
        let failed = |error: io::Error| format!("`{}` cannot be written: {}", self.display_path(), reason(&error));
        let project = DirectoryHandle::open(&self.directory, LinkPolicy::Follow).map_err(failed)?;
        // Discovery refuses a directory that other accounts can write; this mode is safe with any umask.
        match project.create_inner(DIRECTORY, 0o755) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            _ => {}
        }
        let rules = project.open_inner(DIRECTORY).map_err(failed)?;
        let mut file = rules.open_file(self.file, AccessMode::New, 0o644).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(|error| {
            drop(file);
            // A truncated policy would not load.
            let _gone = rules.remove_file(self.file);
            failed(error)
        })
    }
}

/// Returns the directories of the layers around a project, as a hook finds them.
fn places(directory: &Path) -> MachinePlaces {
    MachinePlaces::on_this_machine(Some(directory.to_owned()))
}

/// Returns whether any file of the project's policy is in `directory`, and what the policy contains.
fn read(loaded: &LoadedSources, directory: &Path) -> (bool, ExistingPolicy) {
    let mut existing = ExistingPolicy::default();
    let mut has_policy = false;
    for file in loaded.layers.iter().filter(|layer| layer.kind == LayerKind::Project).flat_map(|layer| &layer.files) {
        existing.used_packs.extend(file.pack.clone());
        for item in &file.ast.items {
            if let ItemKind::Rule(rule) = &item.kind {
                existing.rule_names.insert(rule.name.text.clone());
            }
        }
        let path = loaded.sources.file_by_id(file.id).and_then(|source| source.path.as_ref());
        has_policy |= path.is_some_and(|path| path.starts_with(directory));
    }
    (has_policy, existing)
}

/// Returns what `rules check` reports about loaded layers, one finding on each line.
fn findings(loaded: LoadedSources) -> String {
    let policy = Policy::new(loaded.sources, &loaded.layers);
    let found = lint::check_policy(&policy, &[Host::CLAUDE_CODE], &Levels::default());
    render_all(&found, &policy.sources, DiagnosticFormat::Short)
}
