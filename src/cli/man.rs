//! `rules man`: the manual pages, one for each command, for whoever packages the program.
#![expect(clippy::disallowed_methods, reason = "it writes the pages")]

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::CommandFactory;
use clap_mangen::Man;

use super::print::{Printer, count};
use super::{Cli, Outcome};
use crate::files::reason;

const AFTER_HELP: &str = "\
Examples:
  rules man ~/.local/share/man/man1    write rules.1, rules-check.1 and so on";

/// Write the manual pages into a directory
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Where the pages go; made if it is missing, and pages of the same names are replaced
    #[arg(value_name = "DIR")]
    to: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    match write(&args.to) {
        Ok(pages) => {
            printer.out(&format!("{} in {}\n", count(pages, "page"), args.to.display()));
            Outcome::Clean
        }
        Err(error) => {
            printer.err(&format!("rules: `{}` cannot be written: {}\n", args.to.display(), reason(&error)));
            Outcome::Findings
        }
    }
}

/// Writes the page of every command that is not hidden, and tells how many there are.
fn write(directory: &Path) -> io::Result<usize> {
    fs::create_dir_all(directory)?;
    let mut left = vec![Cli::command().disable_help_subcommand(true)];
    left.iter_mut().for_each(clap::Command::build);
    let mut pages = 0;
    while let Some(command) = left.pop() {
        left.extend(command.get_subcommands().filter(|one| !one.is_hide_set()).cloned());
        let examples = command.get_after_help().map(|text| text.to_string());
        let page = Man::new(command.after_help(None));
        let mut text = Vec::new();
        page.render(&mut text)?;
        text.extend(examples.as_deref().map(as_written).unwrap_or_default().into_bytes());
        fs::write(directory.join(page.get_filename()), text)?;
        pages += 1;
    }
    Ok(pages)
}

/// Makes a section of a text that begins with its heading. The lines stay as they are: filled, examples are no longer
/// what somebody would type.
fn as_written(text: &str) -> String {
    let (heading, lines) = text.split_once('\n').unwrap_or((text, ""));
    let line = |line: &str| format!("\\&{}\n", line.replace('\\', "\\e").replace('-', "\\-"));
    let lines: String = lines.lines().map(line).collect();
    format!(".SH {}\n.nf\n{lines}.fi\n", heading.trim_end_matches(':').to_uppercase())
}
