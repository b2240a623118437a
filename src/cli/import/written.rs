//! Writes an imported policy and its settings, and overwrites nothing.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::super::CommandOutcome;
use super::super::print::{Printer, count};
use super::places::{files_in, policy_path};
use super::{quoted, refused};
use crate::files::reason;
use crate::import::{ImportFormat, ImportedPolicy};
use crate::platform::paths::shown;
use crate::platform::rights::{create_directories, with_mode};

/// Writes the policy and `rules.toml` into a directory, and prints what to do next. An existing file is not
/// overwritten; if it is `rules.toml`, prints the settings to add there.
pub(super) fn write(
    format: &ImportFormat,
    files: &[PathBuf],
    imported: &ImportedPolicy,
    directory: &Path,
    printer: &mut Printer,
) -> CommandOutcome {
    let policy = policy_path(format, files, directory);
    let settings = directory.join("rules.toml");
    if policy.symlink_metadata().is_ok() {
        let problem = format!("`{}` exists; move it away, or see the new one with `--print`", shown(&policy));
        return refused(&problem, CommandOutcome::Findings, printer);
    }
    // Discovery refuses a directory that other accounts can write; with this mode it is accepted under any umask.
    let created = create_directories(directory, 0o755);
    if let Err(error) = created.and_then(|()| create(&policy, &imported.policy)) {
        return unwritable(&policy, &error, printer);
    }
    let notes = match imported.notes.len() {
        0 => "nothing was left out".to_owned(),
        notes => format!("{} at its top", count(notes, "note")),
    };
    printer.out(&format!("read {}\n", quoted(files)));
    printer.out(&format!("{}: {}, {notes}\n", shown(&policy), count(imported.rules, "rule")));
    match create(&settings, &imported.settings) {
        Ok(()) => printer.out(&format!("{}: the settings\n", shown(&settings))),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // Apart from the edition, which is in that file or has its default, there may be nothing to add.
            let message = match &imported.own_settings {
                Some(own) => format!("{} exists; add what is missing in it:\n\n{own}\n", shown(&settings)),
                None => format!("{} exists and is unchanged\n", shown(&settings)),
            };
            printer.out(&message);
        }
        Err(error) => return unwritable(&settings, &error, printer),
    }
    // `rules check` without an argument checks `.rules` here.
    let named = if directory == Path::new(".rules") { String::new() } else { format!(" {}", shown(&directory)) };
    let away = files_in(files, directory);
    let first = match away.as_slice() {
        [] => String::new(),
        away => format!("move {} out of `{}`, where only policies belong, then ", quoted(away), shown(&directory)),
    };
    printer.out(&format!("next: {first}rules check{named}\n"));
    CommandOutcome::Clean
}

fn unwritable(path: &Path, error: &io::Error, printer: &mut Printer) -> CommandOutcome {
    let problem = format!("`{}` cannot be written: {}", shown(&path), reason(error));
    refused(&problem, CommandOutcome::Findings, printer)
}

/// Creates a file with a text; fails if the file exists.
fn create(path: &Path, text: &str) -> io::Result<()> {
    with_mode(OpenOptions::new().write(true).create_new(true), 0o644).open(path)?.write_all(text.as_bytes())
}
