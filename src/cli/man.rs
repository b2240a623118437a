//! `rules man`: manual pages, one for each command, for packagers.
#![expect(clippy::disallowed_methods, reason = "it writes the pages")]

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::CommandFactory;
use clap_mangen::Man;

use super::print::{Printer, count};
use super::{Cli, CommandOutcome};
use crate::files::{self, ReadError, reason};

/// The examples at the end of `rules man --help`.
const AFTER_HELP: &str = "\
Examples:
  rules man ~/.local/share/man/man1    write rules.1, rules-check.1 and so on";

/// The files of `rules`, in the section FILES of its page. The home directory is the account's, whatever `HOME` is.
const FILES: &[(&str, &str)] = &[
    (".rules/*.rules, .rules/rules.toml", "The policy of a project and its settings."),
    (".rules/local/", "The policy of one person in a project, not committed."),
    ("~/.config/rules/", "The policy of one person in all projects."),
    ("/etc/rules/", "The policy of the machine's administrator."),
    ("~/.local/state/rules/", "The log of decisions, records, and the states of policies that are trusted."),
    ("~/.cache/rules/", "Compiled policies. They can be removed at any time."),
];

/// The variables that `rules` reads, in the section ENVIRONMENT of its page. A policy can test others.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("CLAUDE_PROJECT_DIR", "The directory of the project in a hook of Claude Code. Other agents set others."),
    ("CLAUDE_CONFIG_DIR", "The directory of Claude Code's user settings, instead of ~/.claude."),
    ("AI_AGENT", "The version of Claude Code that starts a hook, which sets it."),
    ("HOME", "The home directory in which settings of agents are looked for."),
    ("PATH", "Where the programs that a policy runs are looked for."),
    ("TMPDIR", "The directory of temporary files, for rules that name it."),
    ("NO_COLOR", "If it is set, nothing is printed in colour without `--color always`."),
    ("COLUMNS", "The width of lines, instead of the terminal's."),
    ("TERM", "If it is `dumb`, only ASCII is printed."),
    ("LC_ALL, LC_CTYPE, LANG", "If none names UTF-8, and one is set, only ASCII is printed."),
    ("GITHUB_ACTIONS", "If it is `true`, and standard output is no terminal, `rules check` prints annotations."),
];

/// The maximum size of an existing page that is read, in bytes.
const MAX_PAGE_BYTES: u64 = 1 << 20;

/// Write the manual pages into a directory
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct ManArgs {
    /// Where the pages go; made if it is missing, and pages of `rules` there are replaced
    #[arg(value_name = "DIR")]
    to: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &ManArgs, printer: &mut Printer) -> CommandOutcome {
    match write(&args.to) {
        Ok(pages) => {
            printer.out(&format!("{} in {}\n", count(pages, "page"), args.to.display()));
            CommandOutcome::Clean
        }
        Err(error) => {
            printer.err(&format!("rules: `{}` cannot be written: {}\n", args.to.display(), reason(&error)));
            CommandOutcome::Findings
        }
    }
}

/// Writes the page of every visible command, and returns their number. Writes nothing if any page would replace a
/// file that is not ours.
fn write(directory: &Path) -> io::Result<usize> {
    let mut commands = vec![Cli::command().disable_help_subcommand(true)];
    commands.iter_mut().for_each(clap::Command::build);
    let mut pages = Vec::new();
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()).cloned());
        let examples = command.get_after_help().map(|text| text.to_string());
        let page = Man::new(command.after_help(None));
        let mut text = Vec::new();
        page.render(&mut text)?;
        if page.get_filename() == "rules.1" {
            text.extend(table_section("FILES", FILES).into_bytes());
            text.extend(table_section("ENVIRONMENT", ENVIRONMENT).into_bytes());
        }
        text.extend(examples.as_deref().map(verbatim_section).unwrap_or_default().into_bytes());
        let path = directory.join(page.get_filename());
        if !can_replace(&path) {
            return Err(io::Error::other(format!("{} is there already and is no page of `rules`", path.display())));
        }
        pages.push((path, text));
    }
    fs::create_dir_all(directory)?;
    for (path, text) in &pages {
        fs::write(path, text)?;
    }
    Ok(pages.len())
}

/// Whether a page may be written to the path: no file is there, or a manual page of the same command.
fn can_replace(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let heading = format!(".TH {name} 1 ");
    match files::read(path, MAX_PAGE_BYTES) {
        // The heading of a page is after a few lines of comments and definitions.
        Ok(text) => String::from_utf8_lossy(&text).lines().take(8).any(|line| line.starts_with(&heading)),
        Err(error) => matches!(error, ReadError::NotFound),
    }
}

/// Converts rows of a name and its meaning to a section of a manual page.
fn table_section(heading: &str, rows: &[(&str, &str)]) -> String {
    let escaped = |text: &str| text.replace('\\', "\\e").replace('-', "\\-");
    let row = |(name, meaning): &(&str, &str)| format!(".TP\n\\fB\\&{}\\fR\n{}\n", escaped(name), escaped(meaning));
    format!(".SH {heading}\n{}", rows.iter().map(row).collect::<String>())
}

/// Converts a text to a section of a manual page. Its first line becomes the heading; the other lines are not joined,
/// because they are examples.
fn verbatim_section(text: &str) -> String {
    let (heading, lines) = text.split_once('\n').unwrap_or((text, ""));
    let line = |line: &str| format!("\\&{}\n", line.replace('\\', "\\e").replace('-', "\\-"));
    let lines: String = lines.lines().map(line).collect();
    format!(".SH {}\n.nf\n{lines}.fi\n", heading.trim_end_matches(':').to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sources name a variable where they read it.
    #[test]
    fn the_page_lists_every_variable_that_is_read() {
        let mut left = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let listed: Vec<&str> = ENVIRONMENT.iter().flat_map(|(names, _)| names.split(", ")).collect();
        let mut read = 0;
        while let Some(path) = left.pop() {
            if path.is_dir() {
                left.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let is_test = path.ends_with("tests.rs") || path.iter().any(|part| part == "tests");
            if is_test || path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let calls =
                text.split("env::var").skip(1).filter_map(|rest| rest.trim_start_matches("_os").strip_prefix("(\""));
            for name in calls.filter_map(|rest| rest.split('"').next()) {
                read += 1;
                assert!(listed.contains(&name), "{}: {name}", path.display());
            }
        }
        assert!(read >= 8, "only {read} variables were found");
    }

    #[test]
    fn only_pages_of_the_program_are_replaced() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("man1");
        let pages = write(&directory).unwrap();
        assert_eq!(write(&directory).unwrap(), pages);
        for text in ["", "#!/bin/sh\n", ".TH rules-extra 1 x\n"] {
            fs::write(directory.join("rules-check.1"), text).unwrap();
            let error = write(&directory).unwrap_err().to_string();
            assert!(error.contains("no page of `rules`"), "{error}");
            assert_eq!(fs::read_to_string(directory.join("rules-check.1")).unwrap(), text);
        }
    }
}
