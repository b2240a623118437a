//! Finds the files of this machine that a command in a container, under another root or on another machine also has:
//! `-v "$PWD":/w`, `--mount type=bind,…`, `chroot .`. The records say which words name them.
//!
//! An access there to such a file is an access to the file on this machine. All other files belong to the other place.

use super::StdinKind;
use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use super::paths::{extend, join, rebase_path, strip_ending};
use crate::access::{AccessExtent, FileAccess, Verb};
use crate::analysis::{Analysis, CommandScope, SimpleCommand};
use crate::nested::{SharedFiles, shared_files};
use crate::word::{Directory, Word, WordPart};

/// Directories at the same path where a program runs its command in its own directory.
const SHARED: &[&str] = &["/home", "/Users", "/root", "/tmp"];

/// A path of this machine that is mounted into a container.
struct Mount {
    /// The path on this machine, relative to the directory of the command that starts the container.
    outside: Word,
    /// The path in the container; `None` if the command does not state it.
    inside: Option<Word>,
    /// Whether nothing there can be changed.
    is_read_only: bool,
}

/// Adds reads of the paths that a command mounts. For most directories this is only the path itself, because it is
/// unknown which files the container reads.
pub(super) fn handed_over(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let mounts = shared_files(call.words).into_iter().flat_map(|shared| mounts(call, shared));
    mounts.for_each(|mount| add_handed_path(&mount.outside, accesses));
}

/// Adds a read of a path that is handed over to another program. A hidden directory (`~/.ssh`) includes everything in
/// it.
pub(super) fn add_handed_path(outside: &Word, accesses: &mut FileAccesses) {
    let name = outside.known_text().and_then(|path| path.trim_end_matches('/').rsplit('/').next());
    let is_hidden = name.is_some_and(|name| name.len() > 1 && name.starts_with('.') && !name.starts_with(".."));
    let extent = if is_hidden { AccessExtent::Everything } else { AccessExtent::PathOnly };
    accesses.add_with_extent(Verb::Reads, outside, extent);
}

/// Returns the mounts of a command, in its options and by what its program shares with what it runs.
fn mounts(call: &ParsedCommand<'_>, shared: SharedFiles) -> Vec<Mount> {
    let mut found: Vec<Mount> = option_mounts(call, shared.mounts).filter(Mount::is_path).collect();
    let mount = |outside: &Word, inside: &str| Mount {
        outside: outside.clone(),
        inside: Some(Word::text(inside)),
        is_read_only: false,
    };
    let root_operand = call.operands().first().copied().filter(|_| shared.has_root_operand);
    found.extend(call.values(shared.roots).chain(root_operand).map(|root| mount(root, "/")));
    found.extend(shared.project.map(|project| mount(&Word::text("."), project)));
    if shared.unless.is_some_and(|options| !call.has_option(options)) {
        found.extend(SHARED.iter().map(|directory| mount(&Word::text(*directory), directory)));
    }
    found
}

/// Returns the mounts in the values of these options: `OUTSIDE:INSIDE[:ro]`, or fields such as `source=OUTSIDE`.
fn option_mounts<'c>(call: &'c ParsedCommand<'_>, names: &'c [&'c str]) -> impl Iterator<Item = Mount> + 'c {
    call.options_named(names).filter_map(|given| Some((given, given.value.as_ref()?))).flat_map(|(given, value)| {
        let fields = split(value, ',');
        let named =
            |starts: &[&str]| fields.iter().find_map(|field| starts.iter().find_map(|start| field.strip_prefix(start)));
        if let Some(outside) = named(&["source=", "src="]) {
            let has = |texts: &[&str]| {
                fields.iter().any(|field| field.known_text().is_some_and(|text| texts.contains(&text)))
            };
            let inside = named(&["target=", "destination=", "dst="]);
            let is_read_only = has(&["readonly", "readonly=true", "ro", "ro=true"]);
            return match has(&["type=volume", "type=tmpfs"]) {
                true => Vec::new(),
                false => vec![Mount { outside, inside, is_read_only }],
            };
        }
        let is_same_path = given.has_spelling(&["--bind", "-b", "--bind-ro"]);
        let is_read_only = given.has_spelling(&["--bind-ro"]);
        let mounted = |field: &Word| {
            let mut parts = split(field, ':').into_iter();
            let outside = parts.next()?;
            let inside = parts.next().or_else(|| is_same_path.then(|| outside.clone()))?;
            let is_read_only = is_read_only || parts.next().is_some_and(|mode| mode.known_text() == Some("ro"));
            Some(Mount { outside, inside: Some(inside), is_read_only })
        };
        let has_several = fields.iter().skip(1).any(|field| field.known_text() == Some("ro"));
        let found = fields.iter().filter_map(mounted);
        found.map(|mount| Mount { is_read_only: mount.is_read_only || has_several, ..mount }).collect()
    })
}

impl Mount {
    /// Whether the source is a path. A name without a slash is that of a volume. An unknown word is not taken for a
    /// path.
    fn is_path(&self) -> bool {
        let has_slash = |part: &WordPart| part.text().is_some_and(|text| text.contains('/'));
        self.outside.parts.iter().any(has_slash)
            || self.outside.known_text().is_some_and(|text| text.starts_with(['.', '~']))
    }

    /// Returns the path in the container, or where else the command runs, without a trailing slash; `None` if it is not known or not absolute.
    fn container_path(&self) -> Option<&str> {
        let inside = self.inside.as_ref()?.known_text()?;
        inside.starts_with('/').then(|| inside.trim_end_matches('/'))
    }

    /// Translates the path of an access where the command runs into one on this machine. If the access is to everything below
    /// a directory that contains the mount, that is the mounted directory. `None` if the access does not affect the
    /// mount.
    fn local_path(&self, path: &Word, extent: &AccessExtent) -> Option<Word> {
        let inside = self.container_path()?;
        let is_below = |rest: &str| rest.is_empty() || rest.starts_with('/');
        if path.prefix().strip_prefix(inside).is_some_and(is_below) {
            let below = path.strip_prefix(inside)?;
            // Below `/` the rest is the whole path.
            if self.outside.known_text() == Some("/") {
                return Some(below);
            }
            let mut outside = strip_ending(&self.outside, "/").unwrap_or_else(|| self.outside.clone());
            extend(&mut outside, &below);
            return Some(outside);
        }
        let above = path.known_text()?.trim_end_matches('/');
        let is_above = *extent != AccessExtent::PathOnly && inside.strip_prefix(above).is_some_and(is_below);
        is_above.then(|| self.outside.clone())
    }
}

/// Returns the commands in whose containers, roots or machines a command runs, the innermost first, up to the one on
/// this machine; each with its mounts.
fn places<'a>(analysis: &'a Analysis, command: &SimpleCommand) -> Vec<(&'a SimpleCommand, Vec<Mount>)> {
    let outer = command.outer_commands.iter().rev().filter_map(|id| analysis.command(*id));
    let changes_place = outer.filter_map(|outer| Some((outer, shared_files(&outer.words)?)));
    let mut found = Vec::new();
    for (outer, shared) in changes_place {
        found.push((outer, mounts(&ParsedCommand::from_command(outer, StdinKind::Inherited), shared)));
        if outer.scope == CommandScope::Local {
            break;
        }
    }
    found
}

/// Returns those of the paths in a container that are in no mounted directory of this machine.
pub(super) fn unmounted(analysis: &Analysis, command: &SimpleCommand, mut paths: Vec<Word>) -> Vec<Word> {
    if !paths.is_empty()
        && let [(_, mounts), ..] = &places(analysis, command)[..]
    {
        paths.retain(|path| !mounts.iter().any(|mount| mount.local_path(path, &AccessExtent::PathOnly).is_some()));
    }
    paths
}

/// Returns the accesses of a command elsewhere to files of this machine. `accesses_elsewhere` returns all of its
/// accesses.
pub(super) fn local_accesses(
    analysis: &Analysis,
    command: &SimpleCommand,
    accesses_elsewhere: impl FnOnce() -> Vec<FileAccess>,
) -> Vec<FileAccess> {
    let places = places(analysis, command);
    if places.is_empty() || places.iter().any(|(_, mounts)| mounts.is_empty()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for access in accesses_elsewhere() {
        let mut inside = vec![(access.path.clone(), &command.cwd)];
        for (outer, mounts) in &places {
            let changes = access.verb != Verb::Reads;
            let outside = |(path, cwd): &(Word, &Directory)| {
                outside_paths(mounts, path, cwd, &outer.cwd, &access.extent, changes)
            };
            inside = inside.iter().flat_map(outside).map(|path| (path, &outer.cwd)).collect();
        }
        found.extend(
            inside
                .into_iter()
                .map(|(path, cwd)| FileAccess { path: rebase_path(&path, cwd, &command.cwd), ..access.clone() }),
        );
    }
    found
}

/// Returns the paths outside that a path inside is, both relative to the directories there.
fn outside_paths(
    mounts: &[Mount],
    path: &Word,
    cwd: &Directory,
    outer_cwd: &Directory,
    extent: &AccessExtent,
    changes: bool,
) -> Vec<Word> {
    let is_relative = path.known_text().is_some_and(|text| !text.starts_with('/'));
    if is_relative && cwd == outer_cwd && mounts.iter().any(|mount| mount.inside.as_ref() == Some(&mount.outside)) {
        return vec![path.clone()];
    }
    let path = absolute_path(path, cwd);
    let local =
        |mount: &Mount| Some((mount.container_path()?.len(), mount.is_read_only, mount.local_path(&path, extent)?));
    let mut found: Vec<(usize, bool, Word)> = mounts.iter().filter_map(local).collect();
    // A mount inside another one hides the files of the outer one there, so only the innermost mount is used.
    if *extent == AccessExtent::PathOnly {
        found = found.into_iter().max_by_key(|(depth, ..)| *depth).into_iter().collect();
    }
    found.into_iter().filter(|(_, is_read_only, _)| !(changes && *is_read_only)).map(|(.., path)| path).collect()
}

/// Returns a path that is relative to a known directory as an absolute one.
pub(super) fn absolute_path(path: &Word, cwd: &Directory) -> Word {
    match cwd {
        Directory::Known(directory) if !matches!(path.parts.first(), Some(WordPart::Unknown(_))) => {
            join(&Word::text(directory.display().to_string()), path)
        }
        _ => path.clone(),
    }
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
