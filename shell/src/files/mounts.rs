//! Finds the files of this machine that are mounted into a container: `-v "$PWD":/w`, `--mount type=bind,…`.
//!
//! An access in the container to such a file is an access to the file on this machine. All other files belong to the
//! container.

use super::StdinKind;
use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use super::paths::{extend, rebase_path};
use crate::access::{AccessExtent, FileAccess, Verb};
use crate::analysis::{Analysis, CommandScope, SimpleCommand};
use crate::word::{Word, WordPart};

/// Programs that start containers, and the subcommands with which they do.
const STARTERS: &[&str] = &["docker", "podman", "nerdctl"];
const STARTS: &[&str] = &["run", "create"];

/// A path of this machine that is mounted into a container.
struct Mount {
    /// The path on this machine, relative to the directory of the command that starts the container.
    outside: Word,
    /// The path in the container; `None` if the command does not state it.
    inside: Option<Word>,
}

/// Adds reads of the paths that a command mounts. For most directories this is only the path itself, because it is
/// unknown which files the container reads.
pub(super) fn handed_over(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    mounts(call).iter().for_each(|mount| add_handed_path(&mount.outside, accesses));
}

/// Adds a read of a path that is handed over to another program. A hidden directory (`~/.ssh`) includes everything in
/// it.
pub(super) fn add_handed_path(outside: &Word, accesses: &mut FileAccesses) {
    let name = outside.known_text().and_then(|path| path.trim_end_matches('/').rsplit('/').next());
    let is_hidden = name.is_some_and(|name| name.len() > 1 && name.starts_with('.') && !name.starts_with(".."));
    let extent = if is_hidden { AccessExtent::Everything } else { AccessExtent::PathOnly };
    accesses.add_with_extent(Verb::Reads, outside, extent);
}

/// Returns the mounts in the options of a command.
fn mounts(call: &ParsedCommand<'_>) -> Vec<Mount> {
    let volumes = call.values(&["-v", "--volume"]).filter_map(|volume| {
        let mut fields = split(volume, ':').into_iter();
        let outside = fields.next()?;
        fields.next().map(|inside| Mount { outside, inside: Some(inside) })
    });
    let mounts = call.values(&["--mount"]).filter_map(|mount| {
        let fields = split(mount, ',');
        let named =
            |starts: &[&str]| fields.iter().find_map(|field| starts.iter().find_map(|start| field.strip_prefix(start)));
        let is_volume = fields.iter().any(|field| matches!(field.known_text(), Some("type=volume" | "type=tmpfs")));
        let outside = named(&["source=", "src="]).filter(|_| !is_volume)?;
        Some(Mount { outside, inside: named(&["target=", "destination=", "dst="]) })
    });
    volumes.chain(mounts).filter(Mount::is_path).collect()
}

impl Mount {
    /// Whether the source is a path. A name without a slash is that of a volume. An unknown word is not taken for a
    /// path.
    fn is_path(&self) -> bool {
        let has_slash = |part: &WordPart| part.text().is_some_and(|text| text.contains('/'));
        self.outside.parts.iter().any(has_slash)
            || self.outside.known_text().is_some_and(|text| text.starts_with(['.', '~']))
    }

    /// Returns the path in the container without a trailing slash; `None` if it is not known or not absolute.
    fn container_path(&self) -> Option<&str> {
        let inside = self.inside.as_ref()?.known_text()?;
        inside.starts_with('/').then(|| inside.trim_end_matches('/'))
    }

    /// Translates the path of an access in the container into one on this machine. If the access is to everything below
    /// a directory that contains the mount, that is the mounted directory. `None` if the access does not affect the
    /// mount.
    fn local_path(&self, path: &Word, extent: &AccessExtent) -> Option<Word> {
        let inside = self.container_path()?;
        let is_below = |rest: &str| rest.is_empty() || rest.starts_with('/');
        if path.prefix().strip_prefix(inside).is_some_and(is_below) {
            let mut outside = self.outside.clone();
            extend(&mut outside, &path.strip_prefix(inside)?);
            return Some(outside);
        }
        let above = path.known_text()?.trim_end_matches('/');
        let is_above = *extent != AccessExtent::PathOnly && inside.strip_prefix(above).is_some_and(is_below);
        is_above.then(|| self.outside.clone())
    }
}

/// Returns the command of this machine that starts the container in which a command runs.
fn container_start<'a>(analysis: &'a Analysis, command: &SimpleCommand) -> Option<&'a SimpleCommand> {
    let starts_container = |outer: &&SimpleCommand| {
        let argv = outer.argv();
        outer.scope == CommandScope::Local
            && argv.name.is_some_and(|name| STARTERS.contains(&name))
            && argv.subcommands.iter().any(|word| word.known_text().is_some_and(|name| STARTS.contains(&name)))
    };
    command.outer_commands.iter().filter_map(|id| analysis.command(*id)).find(starts_container)
}

/// Returns those of the paths in a container that are in no mounted directory of this machine.
pub(super) fn unmounted(analysis: &Analysis, command: &SimpleCommand, mut paths: Vec<Word>) -> Vec<Word> {
    if let Some(outer) = container_start(analysis, command).filter(|_| !paths.is_empty()) {
        let mounts = mounts(&ParsedCommand::from_command(outer, StdinKind::Inherited));
        paths.retain(|path| !mounts.iter().any(|mount| mount.local_path(path, &AccessExtent::PathOnly).is_some()));
    }
    paths
}

/// Returns the accesses of a command in a container to files of this machine. `accesses_in_container` returns all of
/// its accesses.
pub(super) fn local_accesses(
    analysis: &Analysis,
    command: &SimpleCommand,
    accesses_in_container: impl FnOnce() -> Vec<FileAccess>,
) -> Vec<FileAccess> {
    let Some(outer) = container_start(analysis, command) else { return Vec::new() };
    let mounts = mounts(&ParsedCommand::from_command(outer, StdinKind::Inherited));
    if mounts.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for access in accesses_in_container() {
        let path = rebase_path(&access.path, &command.cwd, &outer.cwd);
        let mut local_paths: Vec<(usize, Word)> = mounts
            .iter()
            .filter_map(|mount| Some((mount.container_path()?.len(), mount.local_path(&path, &access.extent)?)))
            .collect();
        // A mount inside another one hides the files of the outer one there, so only the innermost mount is used.
        if access.extent == AccessExtent::PathOnly {
            local_paths = local_paths.into_iter().max_by_key(|(depth, _)| *depth).into_iter().collect();
        }
        found.extend(
            local_paths.iter().map(|(_, outside)| FileAccess {
                path: rebase_path(outside, &outer.cwd, &command.cwd),
                ..access.clone()
            }),
        );
    }
    found
}

/// Splits a word at a character. Only its known parts are split.
fn split(word: &Word, at: char) -> Vec<Word> {
    let mut fields = vec![Word::default()];
    for part in &word.parts {
        let mut pieces = part.text().map(|text| text.split(at)).into_iter().flatten();
        match (part, pieces.next()) {
            (WordPart::Text(_), Some(first)) => {
                fields.last_mut().into_iter().for_each(|field| field.push(WordPart::Text(first.to_owned())));
                fields.extend(pieces.map(Word::text));
            }
            (part, _) => fields.last_mut().into_iter().for_each(|field| field.push(part.clone())),
        }
    }
    fields
}
