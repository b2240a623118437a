//! `rules man`: manual pages, one for each command, for packagers.
#![expect(clippy::disallowed_methods, reason = "it writes the pages")]

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::CommandFactory;
use clap_mangen::Man;

use super::print::{Printer, count};
use super::{Cli, CommandOutcome};
use crate::files::{self, ReadError, reason};
use crate::host::Host;
use crate::platform::paths::shown;

/// The examples at the end of `rules man --help`.
const AFTER_HELP: &str = "\
Examples:
  rules man ~/.local/share/man/man1    write rules.1, rules-check.1 and so on";

/// The files of `rules`, in the section FILES of its page. The home directory is the account's, whatever `HOME` is.
const FILES: &[(&str, &str)] = &[
    (".rules/*.rules, .rules/rules.toml", "The policy of a project and its settings."),
    (".rules/local/", "The policy of one person in a project, not committed."),
    (".rules/programs/, .rules/local/programs/", "Records of programs for the policy next to them."),
    (".rules/log/", "What rules of a project record."),
    ("~/.config/rules/", "The policy of one person in all projects, with its settings and programs/."),
    ("~/.config/rules/hosts/", "Records of agents that are not built in."),
    ("/etc/rules/", "The policy of the machine's administrator, with its settings, programs/ and hosts/."),
    ("~/.local/state/rules/", "The log of decisions, records, and the states of policies that are trusted."),
    ("~/.cache/rules/", "Compiled policies. They can be removed at any time."),
    (
        ".claude/settings.local.json, .claude/settings.json, ~/.claude/settings.json",
        "Settings of Claude Code, in which `rules install` registers the hook.",
    ),
];

/// The variables that `rules` reads, in the section ENVIRONMENT of its page, apart from those in records of hosts. A
/// policy can test others.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("CLAUDE_CONFIG_DIR", "The directory of Claude Code's user settings, instead of ~/.claude."),
    ("AI_AGENT", "The version of Claude Code that starts a hook, which sets it."),
    ("CLAUDECODE, COPILOT_CLI", "Set by an agent: whether it shows a message of `rules` without a command."),
    ("HOME", "The home directory in which settings of agents are looked for."),
    ("PATH", "Where the programs that a policy runs are looked for."),
    ("TMPDIR", "The directory of temporary files, for rules that name it."),
    ("DISPLAY, WAYLAND_DISPLAY, DBUS_SESSION_BUS_ADDRESS", "If one is set, there is a desktop for notifications."),
    ("NO_COLOR", "If it is set, nothing is printed in colour without `--color always`."),
    ("COLUMNS", "The width of lines, instead of the terminal's."),
    ("TERM", "If it is `dumb`, only ASCII is printed."),
    ("LC_ALL, LC_CTYPE, LANG", "If none names UTF-8, and one is set, only ASCII is printed."),
    ("GITHUB_ACTIONS", "If it is `true`, and standard output is no terminal, `rules check` prints annotations."),
];

/// A name in a table of a page, and its meaning.
type PageRow = (String, String);

/// Returns the rows of FILES. They do not depend on the hosts that the user has added: packagers ship the pages.
fn files_rows() -> Vec<PageRow> {
    let settings = Host::built_in().filter_map(|host| {
        let settings = host.settings()?;
        let of_user = settings.user.map(|place| format!("~/{}/{}", place.directory, place.file));
        let of_project = settings.project.map(|place| place.file.to_owned());
        let paths: Vec<String> = of_project.into_iter().chain(of_user).collect();
        Some((paths.join(", "), format!("Settings of {}, in which `rules install` registers the hook.", host.title())))
    });
    owned(FILES).chain(settings).collect()
}

fn owned(rows: &'static [(&str, &str)]) -> impl Iterator<Item = PageRow> {
    rows.iter().map(|(name, meaning)| ((*name).to_owned(), (*meaning).to_owned()))
}

/// Returns the rows of ENVIRONMENT.
fn environment_rows() -> Vec<PageRow> {
    let projects = Host::built_in().filter_map(|host| {
        let meaning = format!("The directory of the project in a hook of {}.", host.title());
        Some((host.project_variable()?.to_owned(), meaning))
    });
    let settings = Host::built_in().filter_map(|host| {
        let place = host.settings()?.user?;
        let meaning =
            format!("The directory of the user's settings of {}, instead of ~/{}.", host.title(), place.directory);
        Some((place.variable?.to_owned(), meaning))
    });
    projects.chain(settings).chain(owned(ENVIRONMENT)).collect()
}

/// The end of every other page.
const SEE_ALSO: &str =
    ".SH \"SEE ALSO\"\n\\fBrules\\fR(1), which lists the files and the variables that all commands use.\n";

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
            printer.out(&format!("{} in {}\n", count(pages, "page"), shown(&args.to)));
            CommandOutcome::Clean
        }
        Err(error) => {
            printer.err(&format!("rules: `{}` cannot be written: {}\n", shown(&args.to), reason(&error)));
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
        // Without a date, a page is the same whenever it is written.
        let source = concat!("rules ", env!("CARGO_PKG_VERSION"));
        let page = Man::new(command.after_help(None)).source(source).manual("User Commands");
        let mut text = Vec::new();
        page.render(&mut text)?;
        if page.get_filename() == "rules.1" {
            text.extend(table_section("FILES", &files_rows()).into_bytes());
            text.extend(table_section("ENVIRONMENT", &environment_rows()).into_bytes());
        }
        text.extend(examples.as_deref().map(verbatim_section).unwrap_or_default().into_bytes());
        if page.get_filename() != "rules.1" {
            text.extend(SEE_ALSO.as_bytes());
        }
        let text = in_ascii(&String::from_utf8_lossy(&text));
        let path = directory.join(page.get_filename());
        if !can_replace(&path) {
            return Err(io::Error::other(format!("{} is there already and is no page of `rules`", shown(&path))));
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

/// Writes each character that is not ASCII as roff names it: raw, it depends on the reader's locale.
fn in_ascii(text: &str) -> String {
    let named = |character: char| match character {
        _ if character.is_ascii() => character.to_string(),
        _ => format!("\\[u{:04X}]", u32::from(character)),
    };
    text.chars().map(named).collect()
}

/// Converts rows of a name and its meaning to a section of a manual page.
fn table_section(heading: &str, rows: &[PageRow]) -> String {
    let escaped = |text: &str| text.replace('\\', "\\e").replace('-', "\\-");
    let row = |(name, meaning): &PageRow| format!(".TP\n\\fB\\&{}\\fR\n{}\n", escaped(name), escaped(meaning));
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

    /// The sources name a variable where they read it, or in a list of names, and records of hosts name others.
    #[test]
    fn the_page_lists_every_variable_that_is_read() {
        let mut left = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let rows = environment_rows();
        let listed: Vec<&str> = rows.iter().flat_map(|(names, _)| names.split(", ")).collect();
        let mut read = Vec::new();
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
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            for reader in ["env::var(\"", "env::var_os(\"", "is_set(\"", "variable(\""] {
                let names = code.split(reader).skip(1).filter_map(|rest| rest.split('"').next());
                read.extend(names.map(|name| (name.to_owned(), path.clone())));
            }
            if path.ends_with("action/notify.rs") {
                let list = code.split("let names = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
                read.extend(list.split('"').skip(1).step_by(2).map(|name| (name.to_owned(), path.clone())));
            }
        }
        let records = Path::new("a record");
        for host in Host::built_in() {
            let settings = host.settings().and_then(|settings| settings.user?.variable);
            read.extend(
                host.project_variable().into_iter().chain(settings).map(|name| (name.to_owned(), records.into())),
            );
        }
        for (name, path) in &read {
            assert!(listed.contains(&name.as_str()), "{}: {name}", path.display());
        }
        for name in ["CODEX_HOME", "COPILOT_CLI", "DBUS_SESSION_BUS_ADDRESS", "TERM", "GEMINI_PROJECT_DIR", "PATH"] {
            assert!(read.iter().any(|(read, _)| read == name), "{name}");
        }
    }

    #[test]
    fn the_page_lists_the_settings_that_installing_writes() {
        let rows = files_rows();
        let listed: Vec<&str> = rows.iter().flat_map(|(names, _)| names.split(", ")).collect();
        for host in Host::built_in().filter(|host| host.not_installable().is_none()) {
            for path in host.registration_paths() {
                let is_in = |listed: &&str| listed.starts_with(path.trim_end_matches('/'));
                assert!(listed.iter().any(is_in), "{}: {path} is not in {listed:?}", host.name());
            }
        }
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
