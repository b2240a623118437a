//! The packages of a workspace that commands work in without entering them: `pnpm --filter api publish`.

use std::path::{Path, PathBuf};

use super::{Context, ShellText};
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::path::normalise;
use hookrules_shell::project::{PackageSelection, package_selection};
use hookrules_shell::word::{Cause, Directory};
use hookrules_shell::{Programs, Unknown};

/// The packages of a workspace that a command selects, and the directory in which the command runs.
pub(super) struct SelectedPackages {
    pub(super) directory: PathBuf,
    selection: PackageSelection,
}

impl SelectedPackages {
    /// Returns the packages that a command selects; `None` if it selects none, or if its directory is unknown.
    pub(super) fn of(command: &SimpleCommand) -> Option<Self> {
        let argv = command.argv();
        let subcommands: Vec<&str> = argv.subcommands.iter().filter_map(|word| word.known_text()).collect();
        let words: Vec<Option<&str>> = command.words.iter().skip(1).map(|word| word.known_text()).collect();
        let selection = package_selection(argv.name?, &subcommands, &words);
        if selection.is_empty() {
            return None;
        }
        match command.working_directory(&Programs::new()) {
            Directory::Known(directory) => Some(Self { directory, selection }),
            Directory::Unknown(_) => None,
        }
    }

    /// Returns the selectors that are paths, made absolute: `./packages/api`.
    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let paths = self.selection.selectors.iter().filter(|selector| is_path(selector));
        paths.map(|path| normalise(path, &self.directory, None))
    }

    /// Returns the selector that may select a package at, above or below a directory. A package is assumed to have
    /// the name of its directory, perhaps with a scope: `@acme/api` is in `packages/api`.
    fn selector_of(&self, directory: &Path) -> Option<&str> {
        let common = self.directory.ancestors().find(|above| directory.starts_with(above))?;
        let names_below = directory.strip_prefix(common).ok()?;
        let overlaps = |path: PathBuf| directory.starts_with(&path) || path.starts_with(directory);
        let has_name = |selector: &str| {
            !selector.starts_with('.') && names_below.iter().any(|name| name == package_name(selector))
        };
        let selects = |selector: &&String| {
            has_name(selector) || is_path(selector) && overlaps(normalise(selector, &self.directory, None))
        };
        self.selection.selectors.iter().find(selects).map(String::as_str)
    }
}

/// Whether a selector may be a path.
fn is_path(selector: &str) -> bool {
    selector.contains('/') && !selector.starts_with('@')
}

/// Returns the name of a package without its scope, its version and the task: `api` of `@acme/api`, `api@1.2` and
/// `api:build`.
fn package_name(selector: &str) -> &str {
    let name = selector.rsplit('/').next().unwrap_or(selector);
    name.split(['@', ':', '#']).next().unwrap_or(name)
}

impl Context<'_> {
    /// Returns why a command may work below a directory although it runs elsewhere: it, or a command that runs it,
    /// selects packages of a workspace.
    #[must_use]
    pub fn selected_package(&self, shell: &ShellText, id: CommandId, directory: &Path) -> Option<Unknown> {
        let command = shell.analysis.command(id)?;
        let outer = command.outer_commands.iter().filter_map(|id| shell.analysis.command(*id));
        std::iter::once(command).chain(outer).find_map(|command| {
            let packages = SelectedPackages::of(command)?;
            let open_selection =
                || packages.selection.is_open.then(|| command.words.first().map(|word| word.display_text()));
            let word = packages.selector_of(directory).map(str::to_owned).or_else(|| open_selection().flatten())?;
            Some(Unknown::new(Cause::Directory, word))
        })
    }
}
