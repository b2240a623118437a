//! `rules import`: converts the configuration of another program into a policy.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory")]

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::CommandOutcome;
use super::print::{Printer, count};
use crate::diagnostic::render_all;
use crate::files::{read_following, reason};
use crate::import::{ImportedPolicy, from_conclaude};
use crate::span::Sources;

/// The names of a configuration of conclaude, in the order in which it searches for them.
const CONCLAUDE: [&str; 2] = [".conclaude.yaml", ".conclaude.yml"];

/// The number of directories that conclaude searches, starting with the current one and going upwards.
const LEVELS: usize = 12;

/// The most bytes that are read of a configuration.
const MAX_BYTES: u64 = 1 << 20;

/// Convert the configuration of another program into a policy
///
/// The result checks clean, and no existing file is overwritten.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct ImportArgs {
    #[command(subcommand)]
    source: Source,
}

#[derive(Subcommand, Debug)]
enum Source {
    /// Convert a `.conclaude.yaml` into a policy
    ///
    /// Writes `conclaude.rules` and `rules.toml` into the directory `.rules` next to it.
    /// What has no equivalent is listed at the top of the policy. Exits with 0 if it
    /// was written, 1 if the file has mistakes or would be overwritten, 2 on a usage
    /// error, and 3 if the file does not exist or cannot be read.
    #[command(verbatim_doc_comment)]
    Conclaude(Conclaude),
}

#[derive(clap::Args, Debug)]
struct Conclaude {
    /// The file. Default: `.conclaude.yaml` or `.conclaude.yml` here or in a directory above
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Write into this directory
    #[arg(long, value_name = "DIR", conflicts_with = "print")]
    to: Option<PathBuf>,

    /// Print the policy and, as comments, the settings, instead of writing them
    #[arg(long)]
    print: bool,
}

/// Runs the command.
pub(super) fn run(args: &ImportArgs, printer: &mut Printer) -> CommandOutcome {
    let Source::Conclaude(args) = &args.source;
    let file = match args.file.clone().map_or_else(find, Ok) {
        Ok(file) => file,
        Err(problem) => return refused(&problem, CommandOutcome::Unreadable, printer),
    };
    let text = match read_following(&file, MAX_BYTES) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(_) => {
                return refused(&format!("`{}` is not UTF-8", file.display()), CommandOutcome::Unreadable, printer);
            }
        },
        Err(error) => return refused(&format!("`{}` {error}", file.display()), CommandOutcome::Unreadable, printer),
    };
    let mut sources = Sources::default();
    let id = sources.add(file.display().to_string(), Some(file.clone()), text);
    let Some(imported) = sources.file_by_id(id).map(from_conclaude) else { return CommandOutcome::Unreadable };
    let imported = match imported {
        Ok(imported) => imported,
        Err(found) => {
            printer.err(&render_all(&found, &sources, printer.format()));
            return refused(
                &format!("nothing was imported from `{}`", file.display()),
                CommandOutcome::Findings,
                printer,
            );
        }
    };
    if args.print {
        let settings = imported.settings.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n");
        let settings: String = settings.collect();
        printer.out(&format!("{}\n# rules.toml:\n#\n{settings}", imported.policy));
        return CommandOutcome::Clean;
    }
    let beside = || file.parent().unwrap_or(Path::new("")).join(".rules");
    let directory = args.to.clone().unwrap_or_else(beside);
    let outcome = write(&imported, &directory, printer);
    if outcome == CommandOutcome::Clean {
        // `rules check` without an argument checks `.rules` here.
        let named = if directory == Path::new(".rules") { String::new() } else { format!(" {}", directory.display()) };
        printer.out(&format!("next: rules check{named}\n"));
    }
    outcome
}

/// Searches for a configuration of conclaude in the current directory and above, as conclaude does.
fn find() -> Result<PathBuf, String> {
    let here =
        std::env::current_dir().map_err(|error| format!("the current directory is unknown: {}", reason(&error)))?;
    let candidates = here.ancestors().take(LEVELS).flat_map(|directory| CONCLAUDE.map(|name| directory.join(name)));
    let mut found = candidates.filter(|path| path.is_file());
    let path = found.next().ok_or("no `.conclaude.yaml` here or in a directory above; name the file")?;
    // Relative to the current directory, as a user would type it.
    Ok(path.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(path))
}

/// Writes `conclaude.rules` and `rules.toml` into a directory. An existing file is not overwritten; if it is
/// `rules.toml`, prints the settings to add there.
fn write(imported: &ImportedPolicy, directory: &Path, printer: &mut Printer) -> CommandOutcome {
    let policy = directory.join("conclaude.rules");
    let settings = directory.join("rules.toml");
    if policy.symlink_metadata().is_ok() {
        let problem = format!("`{}` exists; move it away, or see the new one with `--print`", policy.display());
        return refused(&problem, CommandOutcome::Findings, printer);
    }
    // Discovery refuses a directory that other accounts can write; with this mode it is accepted under any umask.
    let made = DirBuilder::new().recursive(true).mode(0o755).create(directory);
    let written = made.and_then(|()| create(&policy, &imported.policy));
    if let Err(error) = written {
        return refused(
            &format!("`{}` cannot be written: {}", policy.display(), reason(&error)),
            CommandOutcome::Findings,
            printer,
        );
    }
    let notes = match imported.notes.len() {
        0 => "nothing was left out".to_owned(),
        notes => format!("{} at its top", count(notes, "note")),
    };
    printer.out(&format!("{}: {}, {notes}\n", policy.display(), count(imported.rules, "rule")));
    match create(&settings, &imported.settings) {
        Ok(()) => printer.out(&format!("{}: the settings\n", settings.display())),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // Apart from the edition, which is in that file or has its default, there may be nothing to add.
            match &imported.own_settings {
                Some(own) => {
                    printer.out(&format!("{} exists; add what is missing in it:\n\n{own}\n", settings.display()));
                }
                None => printer.out(&format!("{} exists and is unchanged\n", settings.display())),
            }
        }
        Err(error) => {
            let problem = format!("`{}` cannot be written: {}", settings.display(), reason(&error));
            return refused(&problem, CommandOutcome::Findings, printer);
        }
    }
    CommandOutcome::Clean
}

/// Creates a file with a text; fails if the file exists.
fn create(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(0o644).open(path)?.write_all(text.as_bytes())
}

/// Prints a problem and returns the outcome.
fn refused(problem: &str, outcome: CommandOutcome, printer: &mut Printer) -> CommandOutcome {
    printer.err(&format!("rules: {problem}\n"));
    outcome
}
