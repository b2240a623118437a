//! Programs that copy, move and link files: `cp`, `mv`, `ln`, `install`, `rsync`, `scp`.

use std::sync::Arc;

use super::accesses::FileAccesses;
use super::call::Call;
use super::paths::{any, base_name, ends_in_slash, extend, is_directory, is_remote, join, parent, with};
use super::search;
use crate::access::{Certainty, Extent, FileAccess, Filter, Verb};
use crate::word::{Cause, Unknown, Word};

/// Options of `rsync` that leave out files which the words do not reveal.
const PICKING: &[&str] = &[
    "--include",
    "--include-from",
    "--exclude-from",
    "--filter",
    "-f",
    "-F",
    "-C",
    "--cvs-exclude",
    "--files-from",
    "--existing",
    "--max-size",
    "--min-size",
];

const TARGET: &[&str] = &["-t", "--target-directory"];

/// The files to copy or move, and their target.
struct Move<'a> {
    sources: Vec<&'a Word>,
    target: Target<'a>,
}

/// The target of a copy.
enum Target<'a> {
    /// Into this directory.
    Directory(&'a Word),
    /// To this path, or into it if it is a directory.
    Path(&'a Word),
    /// To this path, directory or not.
    Exactly(&'a Word),
}

impl<'a> Move<'a> {
    fn of(call: &'a Call<'_>) -> Option<Self> {
        let operands = call.operands();
        if let Some(directory) = call.value(TARGET) {
            return Some(Self { sources: operands.to_vec(), target: Target::Directory(directory) });
        }
        let (last, before) = operands.split_last()?;
        let target = match before {
            // One word that splits may be all of them.
            [] if last.splits() => return Some(Self { sources: vec![last], target: Target::Exactly(last) }),
            [] => return None,
            _ if call.has(&["-T", "--no-target-directory"]) => Target::Exactly(last),
            [_] if !is_directory(last) => Target::Path(last),
            _ => Target::Directory(last),
        };
        Some(Self { sources: before.to_vec(), target })
    }

    /// Adds the written paths: each source's name in the directory, or the target itself.
    fn arrive(&self, reach: Reach, accesses: &mut FileAccesses) {
        for source in &self.sources {
            let extent = match reach {
                Reach::File => Extent::Alone,
                Reach::Tree => Extent::Mirror((*source).clone(), Filter::default()),
            };
            let access = |path: Word, certainty: Certainty| FileAccess {
                verb: Verb::Writes,
                path,
                extent: extent.clone(),
                certainty,
            };
            let named = |directory: &Word| within(directory, source);
            match &self.target {
                Target::Directory(directory) => match named(directory) {
                    Some(path) => accesses.add(access(path, Certainty::Sure)),
                    // The contents of a directory (`src/.`), or an unknown name.
                    None => accesses.add(access((*directory).clone(), Certainty::Sure)),
                },
                Target::Exactly(path) => accesses.add(access((*path).clone(), Certainty::Sure)),
                Target::Path(path) => {
                    accesses.add(access((*path).clone(), Certainty::Sure));
                    if let Some(path) = named(path) {
                        accesses.add(access(path, Certainty::InDirectory));
                    }
                }
            }
        }
    }
}

/// Whether a directory is copied with all its contents.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    File,
    Tree,
}

/// Returns the path that a file gets in a directory.
fn within(directory: &Word, source: &Word) -> Option<Word> {
    let name = base_name(source)?;
    Some(if directory.known() == Some(".") { name } else { join(directory, &name) })
}

pub(super) fn copy(call: &Call<'_>, accesses: &mut FileAccesses) {
    let is_tree = call.has(&["-r", "-R", "-a", "--recursive", "--archive", "-Recurse"]);
    copied(call, if is_tree { Reach::Tree } else { Reach::File }, accesses);
}

pub(super) fn copy_below(call: &Call<'_>, accesses: &mut FileAccesses) {
    copied(call, Reach::Tree, accesses);
}

fn copied(call: &Call<'_>, reach: Reach, accesses: &mut FileAccesses) {
    let Some(copy) = Move::of(call) else { return };
    for source in &copy.sources {
        match reach {
            Reach::File => accesses.reads(source),
            Reach::Tree => accesses.below(Verb::Reads, source, &Filter::default()),
        }
    }
    if call.has(&["--parents"]) {
        // The whole path of the source is recreated below the directory.
        for source in &copy.sources {
            let (Target::Directory(directory) | Target::Path(directory) | Target::Exactly(directory)) = &copy.target;
            let mut path = with(directory, "/");
            extend(&mut path, source);
            accesses.writes(&path);
        }
        return;
    }
    copy.arrive(reach, accesses);
}

/// `mv`: a directory moves with all its contents, and the source is deleted.
pub(super) fn shift(call: &Call<'_>, accesses: &mut FileAccesses) {
    let Some(moved) = Move::of(call) else { return };
    for source in &moved.sources {
        accesses.below(Verb::Reads, source, &Filter::default());
        accesses.reaching(Verb::Deletes, source, Extent::Whole);
    }
    moved.arrive(Reach::Tree, accesses);
}

/// `ln`: a link is another name for its target, whose contents can be read through it.
pub(super) fn link(call: &Call<'_>, accesses: &mut FileAccesses) {
    let is_symbolic = call.has(&["-s", "--symbolic"]) && !call.has(&["-r", "--relative"]);
    if let [only] = call.operands()
        && call.value(TARGET).is_none()
        && !only.splits()
    {
        accesses.below(Verb::Reads, only, &Filter::default());
        base_name(only).iter().for_each(|name| accesses.writes(name));
        return;
    }
    let Some(link) = Move::of(call) else { return };
    let directory = match &link.target {
        Target::Directory(directory) => Some((*directory).clone()),
        Target::Path(path) | Target::Exactly(path) => parent(path),
    };
    for source in &link.sources {
        // The target of a symbolic link is relative to the link's directory.
        let path = match directory.as_ref().filter(|_| is_symbolic) {
            Some(directory) => join(directory, source),
            None => (*source).clone(),
        };
        accesses.below(Verb::Reads, &path, &Filter::default());
        if is_symbolic && matches!(link.target, Target::Path(_)) {
            accesses.below(Verb::Reads, source, &Filter::default());
        }
    }
    link.arrive(Reach::File, accesses);
}

pub(super) fn install(call: &Call<'_>, accesses: &mut FileAccesses) {
    if call.has(&["-d", "--directory"]) {
        return call.operands().iter().for_each(|directory| accesses.writes(directory));
    }
    copied(call, Reach::File, accesses);
}

pub(super) fn scp(call: &Call<'_>, accesses: &mut FileAccesses) {
    let is_tree = call.has(&["-r"]);
    let reach = if is_tree { Reach::Tree } else { Reach::File };
    transferred(call, reach, &Filter::default(), accesses);
}

pub(super) fn rsync(call: &Call<'_>, accesses: &mut FileAccesses) {
    let is_tree = call.has(&["-a", "--archive", "-r", "--recursive"]);
    let doubt = call.given(PICKING).next().map(|given| Unknown::new(Cause::Picked, given.name.to_string()));
    // A later filter cannot exclude what an earlier one includes.
    let takes_back = call.has(&["--include", "--include-from", "--filter", "-f"]);
    let except = if takes_back { Arc::default() } else { search::excepted(call, &["--exclude"]) };
    let filter = Filter { except, ..Filter::default() };
    let reach = if is_tree { Reach::Tree } else { Reach::File };
    let known = accesses.found.len();
    transferred(call, reach, &filter, accesses);
    if let Some(why) = doubt {
        accesses.doubt(known, &why);
    }
    let operands = call.operands();
    let (Some((target, sources)), true) = (operands.split_last(), operands.len() > 1) else { return };
    let deletes = |given: &crate::argv::GivenOption| given.name.starts_with("--del");
    if !is_remote(target) && call.argv.options.iter().any(deletes) {
        let why = Unknown::new(Cause::Contents, sources.first().map(|source| source.shown()).unwrap_or_default());
        accesses.reaching(Verb::Deletes, target, Extent::Part(why));
    }
    if call.has(&["--remove-source-files", "--remove-sent-files"]) {
        for source in sources.iter().filter(|source| !is_remote(source)) {
            accesses.below(Verb::Deletes, source, &filter);
        }
    }
}

/// Copies between machines: only the files on this one are touched.
fn transferred(call: &Call<'_>, reach: Reach, filter: &Filter, accesses: &mut FileAccesses) {
    let Some((target, sources)) = call.operands().split_last() else { return };
    for source in sources.iter().filter(|source| !is_remote(source)) {
        match reach {
            Reach::File => accesses.reads(source),
            Reach::Tree => accesses.below(Verb::Reads, source, filter),
        }
    }
    if is_remote(target) || sources.is_empty() {
        return;
    }
    for source in sources {
        let name = host_path(source).as_ref().and_then(base_name);
        let is_contents = ends_in_slash(source);
        let is_single = sources.len() == 1 && !is_directory(target);
        let extent = match reach {
            Reach::File => Extent::Alone,
            Reach::Tree if is_remote(source) => Extent::Part(Unknown::new(Cause::Contents, source.shown())),
            Reach::Tree => Extent::Mirror((*source).clone(), filter.clone()),
        };
        let access = |path: Word, certainty: Certainty| FileAccess {
            verb: Verb::Writes,
            path,
            extent: extent.clone(),
            certainty,
        };
        match name.filter(|_| !is_contents) {
            Some(name) => {
                if is_single {
                    accesses.add(access((*target).clone(), Certainty::Sure));
                }
                let certainty = if is_single { Certainty::InDirectory } else { Certainty::Sure };
                let path = if target.known() == Some(".") { name } else { join(target, &name) };
                accesses.add(access(path, certainty));
            }
            None => accesses.add(access((*target).clone(), Certainty::Sure)),
        }
    }
}

/// Returns the path of `host:path`, or the word itself if it names no host.
fn host_path(word: &Word) -> Option<Word> {
    if !is_remote(word) {
        return Some(word.clone());
    }
    match word.prefix().split_once(':') {
        Some((host, _)) => word.after(&format!("{host}:")),
        None => Some(Word::of(any())),
    }
}

/// `robocopy SOURCE TARGET [FILE…] [/MIR]`: `/MIR` and `/PURGE` delete what only the target has, `/MOVE` the source.
pub(super) fn robocopy(call: &Call<'_>, accesses: &mut FileAccesses) {
    let is_switch = |word: &&&Word| {
        word.prefix().starts_with('/') && !word.prefix().get(1..).is_some_and(|rest| rest.contains('/'))
    };
    let has = |names: &[&str]| {
        let mut switches = call.operands().iter().filter(is_switch);
        switches.any(|word| word.known().is_some_and(|text| names.contains(&text.to_ascii_lowercase().as_str())))
    };
    let mut operands = call.operands().iter().filter(|word| !is_switch(word));
    let (Some(source), Some(target)) = (operands.next(), operands.next()) else { return };
    accesses.below(Verb::Reads, source, &Filter::default());
    let why = || Unknown::new(Cause::Contents, source.shown());
    accesses.reaching(Verb::Writes, target, Extent::Part(why()));
    if has(&["/mir", "/purge"]) {
        accesses.reaching(Verb::Deletes, target, Extent::Part(why()));
    }
    if has(&["/mov", "/move"]) {
        accesses.below(Verb::Deletes, source, &Filter::default());
    }
}

/// `unison ROOT ROOT`: changes and deletions on one side are made on the other, except on the side that `-force` names.
pub(super) fn unison(call: &Call<'_>, accesses: &mut FileAccesses) {
    let operands = call.operands();
    let kept = call.value(&["-force"]).and_then(|root| root.known());
    for root in operands.iter().filter(|root| operands.len() > 1 && !is_remote(root)) {
        accesses.below(Verb::Reads, root, &Filter::default());
        if kept.is_none() || kept != root.known() {
            let why = Unknown::new(Cause::Contents, root.shown());
            accesses.reaching(Verb::Writes, root, Extent::Part(why.clone()));
            accesses.reaching(Verb::Deletes, root, Extent::Part(why));
        }
    }
}
