//! `rules report`: writes the log as one HTML page, which a browser can show without a network.

mod chart;
mod html;
mod page;

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::load::load_for;
use super::log::{PlaceArgs, SelectionArgs};
use super::print::{Printer, count};
use super::stats::without_marks;
use crate::decision_log::{AskOutcomes, LogStats};
use crate::escape::line;
use crate::files::{self, ReadError, reason};
use crate::platform::rights::with_mode;
use crate::time;

use page::{MARK, PageContents, page};

/// Make one page of the log, to read and search in a browser
///
/// The page needs no network and loads nothing: charts by day, rule and agent, the
/// rules with their text, the time of the hooks, and the latest calls to search in.
/// What it shows is in the file, with what the log has redacted left out: only your
/// account can read it.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct ReportArgs {
    /// The file, or `-` for standard output; a report that exists
    /// is replaced. Default: rules-report.html
    #[arg(
        long,
        short,
        value_name = "FILE",
        default_value = "rules-report.html",
        hide_default_value = true,
        verbatim_doc_comment
    )]
    output: PathBuf,

    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    place: PlaceArgs,
}

/// Runs the command.
pub(super) fn run(args: &ReportArgs, printer: &mut Printer) -> CommandOutcome {
    let (_, log) = match args.place.read_some(CommandOutcome::Findings, printer) {
        Ok(read) => read,
        Err(outcome) => return outcome,
    };
    let finding = log.verify_chain().finding;
    let entries = args.selection.entries(&log);
    let endings = AskOutcomes::from_entries(log.records().map(|record| record.entry));
    let mut stats = LogStats::from_entries(entries.iter(), &endings);
    let project = entries.iter().rev().find_map(|entry| entry.project.as_ref().or(entry.cwd.as_ref()));
    let project = project.map(PathBuf::from).or_else(|| args.place.project_directory());
    let policy = load_for(args.place.project_directory());
    without_marks(&mut stats, &policy);
    let contents = PageContents {
        project: project.as_deref(),
        created: &time::rfc3339_now(),
        entries: &entries,
        endings: &endings,
        stats: &stats,
        policy: &policy,
        finding: finding.as_ref().map(ToString::to_string),
    };
    let text = page(&contents);
    if args.output.as_os_str() == "-" {
        printer.out(&text);
        return CommandOutcome::Clean;
    }
    let shown = line(&args.output.to_string_lossy(), 400);
    if !can_replace(&args.output) {
        let advice = "remove it first, or name another file with `--output`";
        printer.err(&format!("rules: {shown} is there already and is no report: {advice}\n"));
        return CommandOutcome::Findings;
    }
    if let Err(error) = replace(&args.output, &text) {
        printer.err(&format!("rules: {shown} cannot be written: {}\n", reason(&error)));
        return CommandOutcome::Findings;
    }
    let decisions = count(usize::try_from(stats.all.all).unwrap_or(usize::MAX), "decision");
    printer.out(&format!("{shown}: {decisions}; open it in a browser\n"));
    CommandOutcome::Clean
}

/// Whether a report may be written to the path: no file is there, or a report of this command.
fn can_replace(path: &Path) -> bool {
    let mut head = Vec::new();
    match files::open(path) {
        Ok(file) => file.take(MARK.len() as u64).read_to_end(&mut head).is_ok() && head == MARK.as_bytes(),
        Err(error) => matches!(error, ReadError::NotFound),
    }
}

/// Writes a file that only this account can read, and then renames it to the path. A link at the path is replaced,
/// not followed.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it names no file"))?.to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let opened = with_mode(OpenOptions::new().write(true).create_new(true), 0o600).open(&temporary);
    let written =
        opened.and_then(|mut file| file.write_all(text.as_bytes())).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _none = fs::remove_file(&temporary);
    }
    written
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests look at files")]

    #[cfg(unix)]
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    #[cfg(unix)]
    fn only_a_report_is_replaced() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str, text: &str| {
            let path = place.path().join(name);
            fs::write(&path, text).unwrap();
            path
        };
        assert!(can_replace(&place.path().join("none")));
        assert!(can_replace(&at("page.html", &format!("{MARK}\n<body>"))));
        assert!(!can_replace(&at("settings.json", "{}")));
        assert!(!can_replace(&at("empty", "")));
        assert!(!can_replace(&at("other.html", "<!doctype html>\n<html lang=\"en\">\n<head>\n")));
        let link = place.path().join("link");
        symlink(place.path().join("page.html"), &link).unwrap();
        assert!(!can_replace(&link));
        assert!(!can_replace(place.path()));
    }

    #[test]
    #[cfg(unix)]
    fn a_link_in_the_way_is_replaced_and_not_followed() {
        let place = tempfile::tempdir().unwrap();
        let (page, other) = (place.path().join("page.html"), place.path().join("other"));
        fs::write(&other, "kept").unwrap();
        symlink(&other, &page).unwrap();
        replace(&page, "new").unwrap();
        assert_eq!(
            (fs::read_to_string(&other).unwrap(), fs::read_to_string(&page).unwrap()),
            ("kept".into(), "new".into())
        );
        assert_eq!(fs::symlink_metadata(&page).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(replace(&place.path().join("none/page.html"), "x").is_err());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
    }
}
