//! `record`: one JSON object to a file of objects, beside other writers.
//!
//! JSON Lines, or for `.json` an array. A file that is not ours to write to, a held lock or a damaged array
//! never hangs or destroys: the record waits in a side file, or is refused with a sentence.

mod array;
mod lines;
mod side;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Component, Path};
use std::time::Duration;

use serde_json::Value as Json;

use crate::verdict::Record;

use super::place::{Access, Directory};
use super::{attempts, log, once, time};

use side::{Left, Writer};

/// How long another writer is waited for.
const PATIENCE: Duration = Duration::from_millis(250);

/// Why a record waits beside its file, where nothing is wrong with the file.
const BUSY: &str = "is locked by another process";

/// How often one looks again whether somebody left a side file meanwhile.
const LOOKS: u8 = 16;

/// The records that lie in the project.
const IN_PROJECT: [&str; 2] = [".rules", "log"];

/// What came of adding to a file.
#[derive(Debug)]
enum Added {
    /// It is written.
    Written {
        /// How many side files were folded in.
        folded: usize,
        /// What was found beside it and stays there.
        left: Left,
    },
    /// The lock could not be had in time.
    Busy,
    /// The file is not one to add to, and why.
    Refused(String),
}

/// Where a record was put.
#[derive(Debug)]
struct Put {
    /// The side file that it waits in, if it does.
    beside: Option<Beside>,
    /// What is to be told of other side files, a sentence each.
    problems: BTreeSet<String>,
}

#[derive(Debug)]
struct Beside {
    side: String,
    why: String,
}

/// Appends one record, and what waits beside its file.
///
/// Returns what is to be told, a sentence each: what was not written, or lies elsewhere.
pub(super) fn append(record: &Record, project: Option<&Path>, state_dir: Option<&Path>) -> Vec<String> {
    let (rule, file) = (&record.rule, &record.file);
    match write(record, project, state_dir) {
        Ok(problems) => problems.into_iter().map(|problem| format!("{rule}: {problem}")).collect(),
        Err(error) => vec![format!("{rule}: the record `{file}` was not written: {error}")],
    }
}

fn write(record: &Record, project: Option<&Path>, state_dir: Option<&Path>) -> io::Result<Vec<String>> {
    let (directory, name) = locate(&record.file, project, state_dir)?;
    let put = put(&directory, &name, &line(record)?, Writer::Process(std::process::id()), PATIENCE)?;
    let beside = |it: Beside| format!("`{}` {}; the record is in `{}` beside it", record.file, it.why, it.side);
    Ok(put.beside.map(beside).into_iter().chain(put.problems).collect())
}

/// Adds a line to a file, or writes it to a side file.
fn put(directory: &Directory, name: &str, line: &[u8], writer: Writer, patience: Duration) -> io::Result<Put> {
    let (mut left, beside) = match add(directory, name, line, patience)? {
        Added::Written { left, .. } => (left, None),
        Added::Busy => (Left::default(), Some(Beside { side: side::name(name, writer), why: BUSY.to_owned() })),
        Added::Refused(why) => (Left::default(), Some(Beside { side: side::name(name, Writer::Anyone), why })),
    };
    if let Some(Beside { side, why }) = &beside
        && !lines::append(directory, side, line, PATIENCE)?
    {
        return Err(io::Error::other(format!("it {why}, and `{side}` {BUSY}")));
    }
    look_again(directory, name, &mut left);
    Ok(Put { beside: beside.filter(|beside| is_there(directory, &beside.side)), problems: left.problems })
}

/// Adds a line to a file, and before it what waits beside it; an empty line adds nothing of its own.
fn add(directory: &Directory, name: &str, line: &[u8], patience: Duration) -> io::Result<Added> {
    if name.ends_with(".json") {
        array::add(directory, name, line, patience)
    } else {
        lines::add(directory, name, line, patience)
    }
}

/// Folds in what others wrote beside a file while its lock was held.
///
/// Each writer looks once its own lock is free again, so that nothing waits when the last of them is done.
/// What goes wrong here is the next one's to try.
fn look_again(directory: &Directory, name: &str, left: &mut Left) {
    for _ in 0..LOOKS {
        if !side::waits(directory, name, left).unwrap_or(false) {
            return;
        }
        match add(directory, name, b"", Duration::ZERO) {
            Ok(Added::Written { folded: 1.., left: more }) => left.extend(more),
            Ok(Added::Written { left: more, .. }) => return left.extend(more),
            Ok(Added::Busy | Added::Refused(_)) | Err(_) => return,
        }
    }
}

/// Tells whether a side file has not been folded in yet.
fn is_there(directory: &Directory, side: &str) -> bool {
    !matches!(directory.file(side, Access::Read), Err(error) if error.kind() == io::ErrorKind::NotFound)
}

/// Opens the directory of a record and returns its file's name.
fn locate(file: &str, project: Option<&Path>, state_dir: Option<&Path>) -> io::Result<(Directory, String)> {
    let refused = |why: &str| io::Error::other(why.to_owned());
    let components: Vec<&str> = Path::new(file)
        .components()
        .map(|component| match component {
            Component::Normal(name) => name.to_str().ok_or_else(|| refused("its name is no text")),
            Component::CurDir => Ok("."),
            Component::ParentDir => Err(refused("`..` is not allowed in it")),
            Component::RootDir | Component::Prefix(_) => Err(refused("it is an absolute path")),
        })
        .collect::<io::Result<_>>()?;
    let components: Vec<&str> = components.into_iter().filter(|name| *name != ".").collect();
    let Some((name, parents)) = components.split_last() else {
        return Err(refused("it has no name"));
    };
    let in_project = parents.starts_with(&IN_PROJECT);
    let base = if in_project { project } else { state_dir };
    let base =
        base.ok_or_else(|| refused(if in_project { "there is no project" } else { "there is no state directory" }))?;
    let own = [attempts::DIRECTORY, log::DIRECTORY, once::DIRECTORY];
    if !in_project && parents.first().is_some_and(|first| own.contains(first)) {
        return Err(refused("this directory is kept for the program's own files"));
    }
    if side::target(name).is_some() {
        return Err(refused("this name is kept for the program's own side files"));
    }
    if components.first() == Some(&".rules") && !in_project {
        return Err(refused("records of a project lie below `.rules/log/`"));
    }
    let mut directory = if in_project { Directory::open(base)? } else { Directory::of_state(base)? };
    for (depth, parent) in parents.iter().enumerate() {
        directory = directory.enter(parent).map_err(|error| explain(parent, &error))?;
        if in_project && depth + 1 == IN_PROJECT.len() {
            keep_out_of_git(&directory);
        }
    }
    Ok((directory, (*name).to_owned()))
}

/// Says of which component an error is; a link shows as a loop or as no directory.
fn explain(name: &str, error: &io::Error) -> io::Error {
    match error.raw_os_error().map(nix::errno::Errno::from_raw) {
        Some(nix::errno::Errno::ELOOP | nix::errno::Errno::ENOTDIR) => {
            io::Error::other(format!("`{name}` is a link or no directory"))
        }
        _ => io::Error::other(format!("`{name}`: {error}")),
    }
}

/// A log that is committed by accident is a log that is published. Whoever removes the file or writes
/// another one is right.
fn keep_out_of_git(directory: &Directory) {
    if let Ok(mut file) = directory.file(".gitignore", Access::New) {
        let _ = file.write_all(b"*\n");
    }
}

/// Returns the object as a line, with the times filled in.
fn line(record: &Record) -> io::Result<Vec<u8>> {
    let mut fields = record.fields.clone();
    let now = time::now();
    for key in &record.times {
        fields.insert(key.clone(), Json::String(now.clone()));
    }
    let mut line = serde_json::to_vec(&fields)?;
    line.push(b'\n');
    Ok(line)
}

#[cfg(test)]
mod tests;
