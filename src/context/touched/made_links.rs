//! The symbolic links that the commands of a text create, through which paths may lead to other directories.

use std::path::{Path, PathBuf};

use super::{TouchLocation, TouchedFile};
use crate::context::{Machine, PathForm, ShellText};
use hookrules_shell::Unknown;
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::files::{Verb, links_in_code};
use hookrules_shell::path::join;
use hookrules_shell::word::Cause;

/// A link that a command creates at a known path.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct MadeLink {
    path: PathBuf,
    by: CommandId,
    /// The paths that the link may lead to: those that its command reads.
    targets: Vec<PathBuf>,
}

impl Machine<'_> {
    /// Returns the paths to which a path leads through links that the text creates.
    pub(in crate::context) fn paths_through_links(&self, shell: &ShellText, path: &Path) -> Vec<PathBuf> {
        let links = self.made_links(shell).iter();
        let passing = links.filter_map(|link| Some((link, path.strip_prefix(&link.path).ok()?)));
        passing.flat_map(|(link, rest)| link.targets.iter().map(move |target| join(target, rest))).collect()
    }

    /// Returns why a path may lead to another directory when a command runs: an earlier command creates a link in
    /// that path.
    pub(in crate::context) fn earlier_link(
        &self,
        shell: &ShellText,
        id: CommandId,
        directory: &Path,
    ) -> Option<Unknown> {
        let mut passed = self.made_links(shell).iter().filter(|link| directory.starts_with(&link.path));
        let link = passed.find(|link| shell.analysis.may_run_before(link.by, id))?;
        let creator = shell.analysis.command(link.by)?;
        Some(Unknown::new(Cause::EarlierCommand, shell.display_command(creator)))
    }

    /// Returns the links that the text creates, cached. Most texts create none, and then their effects are not
    /// located.
    fn made_links<'s>(&self, shell: &'s ShellText) -> &'s [MadeLink] {
        let find = || {
            if !shell.analysis.commands.iter().any(creates_links) {
                return Vec::new();
            }
            let effects = self.effects(shell, PathForm::Lexical);
            let written = effects.iter().filter(|(verb, _)| *verb == Verb::Writes);
            let links = written.filter_map(|(_, touched)| {
                let by = touched.command.filter(|id| shell.analysis.command(*id).is_some_and(creates_links))?;
                let path = known_path(touched)?.to_path_buf();
                let is_read_by_command =
                    |verb: Verb, other: &TouchedFile| verb == Verb::Reads && other.command == Some(by);
                let targets = effects.iter().filter(|(verb, other)| is_read_by_command(*verb, other));
                let targets = targets.filter_map(|(_, other)| Some(known_path(other)?.to_path_buf())).collect();
                Some(MadeLink { path, by, targets })
            });
            links.collect()
        };
        self.cached(&shell.effects.made_links, find).as_slice()
    }
}

fn known_path(touched: &TouchedFile) -> Option<&Path> {
    match &touched.location {
        TouchLocation::Path(path) => Some(path),
        TouchLocation::OneOf { .. } => None,
    }
}

/// Whether a command creates links, or may do so.
fn creates_links(command: &SimpleCommand) -> bool {
    let argv = command.argv();
    match argv.name {
        Some("ln" | "gln" | "zf_ln" | "link") => true,
        Some("cp" | "gcp") => argv.options.iter().any(|option| option.has_spelling(&["-s", "--symbolic-link"])),
        _ => !links_in_code(command).is_empty(),
    }
}
