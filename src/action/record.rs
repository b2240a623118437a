//! `record`: one JSON object to a file of objects, beside other writers.
//!
//! JSON Lines, or for `.json` an array. A file that is not ours to write to, a held lock or a damaged array
//! never hangs or destroys: the record goes to a side file, or is refused with a sentence.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path};
use std::time::Duration;

use serde::de::IgnoredAny;
use serde_json::Value as Json;

use crate::verdict::Record;

use super::place::{Access, Directory, lock};
use super::{attempts, log, once, time};

/// How long another writer is waited for.
const PATIENCE: Duration = Duration::from_millis(250);

/// An array is rewritten whole at each record; a larger one is left alone.
const LARGEST_ARRAY: u64 = 8 * 1_000_000;

/// The records that lie in the project.
const IN_PROJECT: [&str; 2] = [".rules", "log"];

/// Appends one record.
///
/// # Errors
///
/// A sentence that says what was not written, or where it was written instead.
pub(super) fn append(record: &Record, project: Option<&Path>, state_dir: Option<&Path>) -> Result<(), String> {
    write(record, project, state_dir)
        .map_err(|error| format!("{}: the record `{}` was not written: {error}", record.rule, record.file))
        .and_then(|side| match side {
            None => Ok(()),
            Some((name, why)) => {
                Err(format!("{}: `{}` {why}; the record is in `{name}` beside it", record.rule, record.file))
            }
        })
}

/// The side file that was written instead, and why.
type Side = Option<(String, String)>;

fn write(record: &Record, project: Option<&Path>, state_dir: Option<&Path>) -> io::Result<Side> {
    let (directory, name) = locate(&record.file, project, state_dir)?;
    let line = line(record)?;
    let refused = if name.ends_with(".json") {
        append_to_array(&directory, &name, &line)?
    } else {
        append_line(&directory, &name, &line)?
    };
    let Some(why) = refused else {
        return Ok(None);
    };
    let side = side_name(&name);
    // It is ours alone, by its name; a lock on it is still taken, for whoever reads it meanwhile.
    match append_line(&directory, &side, &line)? {
        None => Ok(Some((side, why))),
        Some(also) => Err(io::Error::other(format!("it {why}, and `{side}` {also}"))),
    }
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

/// A name beside another that no other writer uses.
fn side_name(name: &str) -> String {
    let stem = name.strip_suffix(".jsonl").or_else(|| name.strip_suffix(".json")).unwrap_or(name);
    format!("{stem}.side-{}.jsonl", std::process::id())
}

/// Appends a line, or returns why it would not.
fn append_line(directory: &Directory, name: &str, line: &[u8]) -> io::Result<Option<String>> {
    let mut file = directory.file(name, Access::Append).map_err(|error| explain(name, &error))?;
    if !lock(&file, PATIENCE) {
        return Ok(Some("is locked by another process".to_owned()));
    }
    // A line that a writer could not finish must not swallow this one.
    let torn = file.seek(SeekFrom::End(-1)).is_ok() && {
        let mut last = [b'\n'];
        file.read_exact(&mut last).is_ok() && last != *b"\n"
    };
    let line: Vec<u8> = if torn { [b"\n", line].concat() } else { line.to_vec() };
    file.write_all(&line)?;
    Ok(None)
}

/// Adds an element to an array, or returns why it would not.
fn append_to_array(directory: &Directory, name: &str, line: &[u8]) -> io::Result<Option<String>> {
    // The array is replaced, so that the lock has to be another file's.
    let guard = directory.file(&format!(".{name}.lock"), Access::Append).map_err(|error| explain(name, &error))?;
    if !lock(&guard, PATIENCE) {
        return Ok(Some("is locked by another process".to_owned()));
    }
    let old = match directory.file(name, Access::Read) {
        Ok(file) => match read_array(file)? {
            Ok(old) => old,
            Err(why) => return Ok(Some(why)),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(explain(name, &error)),
    };
    let temporary = format!(".{name}.new");
    // Under the lock nobody else uses it: one that is there was left behind.
    let _ = directory.remove(&temporary);
    let mut file = directory.file(&temporary, Access::New)?;
    file.write_all(with_element(&old, line).as_bytes())?;
    directory.rename(&temporary, name)?;
    Ok(None)
}

/// Reads an array's text, or returns why it is none to add to.
fn read_array(mut file: File) -> io::Result<Result<String, String>> {
    if file.metadata()?.len() > LARGEST_ARRAY {
        return Ok(Err("is too large to be rewritten".to_owned()));
    }
    let mut bytes = Vec::new();
    Read::by_ref(&mut file).take(LARGEST_ARRAY + 1).read_to_end(&mut bytes)?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(Err("is no text".to_owned()));
    };
    let is_array = text.trim().is_empty() || serde_json::from_str::<Vec<IgnoredAny>>(&text).is_ok();
    Ok(if is_array { Ok(text) } else { Err("does not hold a JSON array".to_owned()) })
}

/// Adds an element behind the others, an element a line; the bytes of the others stay as they are.
fn with_element(old: &str, line: &[u8]) -> String {
    let element = String::from_utf8_lossy(line);
    let element = element.trim_end();
    let inside = old.trim_end().strip_suffix(']').unwrap_or("[").trim_end();
    let comma = if inside.trim_start() == "[" { "" } else { "," };
    format!("{inside}{comma}\n  {element}\n]\n")
}

#[cfg(test)]
mod tests;
