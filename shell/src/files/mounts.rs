//! Files of this machine mounted below a directory of a container: `-v "$PWD":/w`, `--mount type=bind,…`.
//!
//! An access to such a file in the container is one to the file here. All other files are the container's.

use super::Input;
use super::accesses::FileAccesses;
use super::call::Call;
use super::paths::{extend, from_there};
use crate::access::{Extent, FileAccess, Verb};
use crate::analysis::{Analysis, Scope, Simple};
use crate::word::{Part, Word};

/// Programs that start containers, and the subcommands that do so.
const STARTERS: &[&str] = &["docker", "podman", "nerdctl"];
const STARTS: &[&str] = &["run", "create"];

/// A mounted path.
struct Mount {
    /// Its path on this machine, as the command that starts the container has it.
    outside: Word,
    /// Its path in the container, if it is given.
    inside: Option<Word>,
}

/// Adds the mounted files as handed over. For most directories, that means little: which files of the project are read
/// is up to the container.
pub(super) fn handed_over(call: &Call<'_>, accesses: &mut FileAccesses) {
    mounts(call).iter().for_each(|mount| handed(&mount.outside, accesses));
}

/// Adds a path that is handed over: a settings directory (`~/.ssh`) with all its contents.
pub(super) fn handed(outside: &Word, accesses: &mut FileAccesses) {
    let name = outside.known().and_then(|path| path.trim_end_matches('/').rsplit('/').next());
    let is_hidden = name.is_some_and(|name| name.len() > 1 && name.starts_with('.') && !name.starts_with(".."));
    let extent = if is_hidden { Extent::Whole } else { Extent::Alone };
    accesses.reaching(Verb::Reads, outside, extent);
}

/// Returns the paths of this machine that a command mounts.
fn mounts(call: &Call<'_>) -> Vec<Mount> {
    let volumes = call.values(&["-v", "--volume"]).filter_map(|volume| {
        let mut fields = split(volume, ':').into_iter();
        let outside = fields.next()?;
        fields.next().map(|inside| Mount { outside, inside: Some(inside) })
    });
    let mounts = call.values(&["--mount"]).filter_map(|mount| {
        let fields = split(mount, ',');
        let named =
            |starts: &[&str]| fields.iter().find_map(|field| starts.iter().find_map(|start| field.after(start)));
        let is_volume = fields.iter().any(|field| matches!(field.known(), Some("type=volume" | "type=tmpfs")));
        let outside = named(&["source=", "src="]).filter(|_| !is_volume)?;
        Some(Mount { outside, inside: named(&["target=", "destination=", "dst="]) })
    });
    volumes.chain(mounts).filter(Mount::is_of_a_path).collect()
}

impl Mount {
    /// Whether it is a path: a name without a slash is a volume, and an entirely unknown word mostly a directory.
    fn is_of_a_path(&self) -> bool {
        let has_slash = |part: &Part| part.text().is_some_and(|text| text.contains('/'));
        self.outside.parts.iter().any(has_slash)
            || self.outside.known().is_some_and(|text| text.starts_with(['.', '~']))
    }

    /// Returns its path in the container, without a trailing slash.
    fn place(&self) -> Option<&str> {
        let inside = self.inside.as_ref()?.known()?;
        inside.starts_with('/').then(|| inside.trim_end_matches('/'))
    }

    /// Returns the path on this machine of a file in the container, or the mounted part of a directory above the mount.
    fn leads(&self, path: &Word, extent: &Extent) -> Option<Word> {
        let inside = self.place()?;
        let is_below = |rest: &str| rest.is_empty() || rest.starts_with('/');
        if path.prefix().strip_prefix(inside).is_some_and(is_below) {
            let mut outside = self.outside.clone();
            extend(&mut outside, &path.after(inside)?);
            return Some(outside);
        }
        let above = path.known()?.trim_end_matches('/');
        let is_above = *extent != Extent::Alone && inside.strip_prefix(above).is_some_and(is_below);
        is_above.then(|| self.outside.clone())
    }
}

/// Returns the files of this machine that a command in a container touches: those below a mounted path.
pub(super) fn of_this_machine(
    analysis: &Analysis,
    command: &Simple,
    there: impl FnOnce() -> Vec<FileAccess>,
) -> Vec<FileAccess> {
    let starts = |outer: &&Simple| {
        let argv = outer.argv();
        outer.scope == Scope::Local
            && argv.name.is_some_and(|name| STARTERS.contains(&name))
            && argv.commands.iter().any(|word| word.known().is_some_and(|name| STARTS.contains(&name)))
    };
    let Some(outer) = command.via.iter().filter_map(|id| analysis.command(*id)).find(starts) else { return Vec::new() };
    let mounts = mounts(&Call::of(outer, Input::Open));
    if mounts.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for access in there() {
        let path = from_there(&access.path, &command.cwd, &outer.cwd);
        let mut led: Vec<(usize, Word)> = mounts
            .iter()
            .filter_map(|mount| Some((mount.place()?.len(), mount.leads(&path, &access.extent)?)))
            .collect();
        // A mount within another one hides the files there.
        if access.extent == Extent::Alone {
            led = led.into_iter().max_by_key(|(depth, _)| *depth).into_iter().collect();
        }
        found.extend(
            led.iter().map(|(_, outside)| FileAccess {
                path: from_there(outside, &outer.cwd, &command.cwd),
                ..access.clone()
            }),
        );
    }
    found
}

/// Splits a word at a character, in its known parts.
fn split(word: &Word, at: char) -> Vec<Word> {
    let mut fields = vec![Word::default()];
    for part in &word.parts {
        let mut pieces = part.text().map(|text| text.split(at)).into_iter().flatten();
        match (part, pieces.next()) {
            (Part::Text(_), Some(first)) => {
                fields.last_mut().into_iter().for_each(|field| field.push(Part::Text(first.to_owned())));
                fields.extend(pieces.map(Word::text));
            }
            (part, _) => fields.last_mut().into_iter().for_each(|field| field.push(part.clone())),
        }
    }
    fields
}
