//! `rules log`: past decisions, the latest at the bottom; and `rules log verify`, which checks that the log was not
//! changed.

mod show;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;

use super::CommandOutcome;
use super::print::{Printer, Style, count};
use crate::decision_log::{
    AskOutcomes, DecisionLog, LinePosition, LineSelection, LogEntry, LogFollower, LogRecord, find, parse_earliest_time,
};
use crate::escape::line;
use crate::hooks::project_of_environment;
use crate::host::Host;
use crate::platform::paths::{portable, shown};
use crate::project::MachinePlaces;
use crate::time;

pub(super) use show::is_shown;

use show::DecisionPrinter;

/// The interval at which `--follow` reads new lines.
const PAUSE: Duration = Duration::from_millis(200);

/// Show what was decided, and why
///
/// Shows the latest decisions of this project, the last of them at the bottom: when,
/// what was decided and how an ask ended, the call, the rules and their message. A
/// decision of rules under `@observe` is what they would have decided.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(super) struct LogArgs {
    #[command(subcommand)]
    command: Option<LogCommand>,

    /// How many decisions to show
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 20)]
    last: usize,

    /// Wait for more, and show each as it is made
    #[arg(long, short)]
    follow: bool,

    /// Print the lines of the log as they are: one JSON object each
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    selection: SelectionArgs,

    #[command(flatten)]
    place: PlaceArgs,
}

/// What of `rules log` is not about showing.
#[derive(Subcommand, Debug)]
enum LogCommand {
    /// Check that no line was changed, added or removed since it was written
    ///
    /// Each line names the one before it by its fingerprint. The first that does not
    /// fit is named, with exit code 1. An account that can write the log can also
    /// make all of it anew: copy it where the agent cannot write to be sure.
    #[command(verbatim_doc_comment)]
    Verify(PlaceArgs),
}

/// Which log is read.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct PlaceArgs {
    /// The project. Default: the nearest one around this directory with a log
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,

    /// The directory of state and log, instead of ~/.local/state/rules
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

/// Which lines are wanted.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct SelectionArgs {
    /// Only decisions in which a rule took part, e.g. no-force-push
    #[arg(long, value_name = "NAME")]
    rule: Option<String>,

    /// Only this decision, also where `@observe` kept it from being made
    #[arg(long, value_name = "DECISION", value_parser = ["allow", "ask", "deny", "halt", "pass"], hide_possible_values = true)]
    decision: Option<String>,

    /// Only sessions whose id begins like this
    #[arg(long, value_name = "ID")]
    session: Option<String>,

    /// Only this agent, by its type or id; `main` is the session's own
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// Only what this host sent, e.g. codex
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    /// Only lines that contain a text, in whatever case
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,

    /// Only from a time on: 2026-11-21, 2026-11-21T08:00 in UTC, 90m, 24h, 7d
    #[arg(long, value_name = "TIME", value_parser = since_now)]
    since: Option<String>,
}

/// Parses the value of `--since` to a time in the format of the log; `24h` is counted back from now.
fn since_now(text: &str) -> Result<String, String> {
    parse_earliest_time(text, time::unix_time().as_secs(), |seconds| time::rfc3339(Duration::from_secs(seconds)))
}

impl SelectionArgs {
    /// Returns the filter of log lines that the options define.
    fn selection(&self) -> LineSelection {
        let Self { rule, decision, session, agent, host, text, since } = self.clone();
        LineSelection { rule, decision, session, agent, host, text, since }
    }

    /// Returns the entries of a log that the options select, the oldest first.
    pub(super) fn entries(&self, log: &DecisionLog) -> Vec<LogEntry> {
        let selection = self.selection();
        let wanted = |record: LogRecord| selection.is_match(&record.entry, &record.text).then_some(record.entry);
        log.records().filter_map(wanted).collect()
    }
}

impl PlaceArgs {
    /// Creates the arguments for another command, whose own options give the directories.
    pub(super) fn new(project: Option<PathBuf>, state_dir: Option<PathBuf>) -> Self {
        Self { project, state_dir }
    }

    /// Returns the project that the user gave, else the one in the environment, else the current directory.
    #[expect(clippy::disallowed_methods, reason = "a command is about the current directory")]
    pub(super) fn project_directory(&self) -> Option<PathBuf> {
        let here = std::env::current_dir().map(portable).ok();
        let named = self.project.as_ref().map(|project| here.clone().unwrap_or_default().join(project));
        named.or_else(|| project_of_environment(Host::CLAUDE_CODE)).or(here)
    }

    /// Returns the directory of the log; `None` if it is unknown where state is kept, because the account has no home
    /// directory.
    pub(super) fn directory(&self) -> Option<PathBuf> {
        let around = self.project_directory();
        let state = self.state_dir.clone().or_else(|| MachinePlaces::on_this_machine(None).state)?;
        Some(find(&state, around.as_deref()))
    }

    /// Reads a log that must have entries. If it is empty, prints that with a possible reason and returns `if_empty` as
    /// the error.
    pub(super) fn read_some(
        &self,
        if_empty: CommandOutcome,
        printer: &mut Printer,
    ) -> Result<(PathBuf, DecisionLog), CommandOutcome> {
        let (directory, log) = self.read(printer)?;
        if log.is_empty() {
            let place = line(&directory.to_string_lossy(), 400);
            printer.err(&format!(
                "rules: no decision is logged for this project yet (in {place})\n  a hook logs what rules decide, \
                 unless `[log] level` is \"off\"\n"
            ));
            return Err(if_empty);
        }
        Ok((directory, log))
    }

    /// Reads the log, which may be empty, and returns it with its directory. If it cannot be read, prints why and
    /// returns the outcome as the error.
    pub(super) fn read(&self, printer: &mut Printer) -> Result<(PathBuf, DecisionLog), CommandOutcome> {
        let Some(directory) = self.directory() else {
            printer.err("rules: this account has no home directory; name the log's with `--state-dir`\n");
            return Err(CommandOutcome::Unreadable);
        };
        match DecisionLog::read(&directory) {
            Ok(log) => Ok((directory, log)),
            Err((name, error)) => {
                printer.err(&format!("rules: {} {error}\n", line(&shown(&directory.join(name)).to_string(), 400)));
                Err(CommandOutcome::Unreadable)
            }
        }
    }
}

/// Runs the command.
pub(super) fn run(args: &LogArgs, printer: &mut Printer) -> CommandOutcome {
    if let Some(LogCommand::Verify(place)) = &args.command {
        return run_verify(place, printer);
    }
    let read =
        if args.follow { args.place.read(printer) } else { args.place.read_some(CommandOutcome::Clean, printer) };
    let (directory, log) = match read {
        Ok(read) => read,
        Err(outcome) => return outcome,
    };
    let selection = args.selection.selection();
    let mut endings = AskOutcomes::default();
    let mut wanted = VecDeque::new();
    for record in log.newest_first() {
        endings.note(&record.entry);
        if selection.is_match(&record.entry, &record.text) && (args.json || is_shown(&record.entry)) {
            wanted.push_front(record);
        }
        // The remaining records are older, so none of them can tell how a shown question (`ask`) ended.
        if wanted.len() >= args.last {
            break;
        }
    }
    // With `--last 0`, the loop adds one record before it ends.
    wanted.truncate(args.last);
    let mut records =
        RecordPrinter { is_json: args.json, decision_printer: DecisionPrinter::default(), endings, printer };
    if wanted.iter().any(|record| records.print(record).is_err()) {
        return CommandOutcome::Clean;
    }
    if wanted.is_empty() && !args.follow {
        records.printer.err("rules: no decision in the log matches\n");
    }
    if !args.follow {
        return CommandOutcome::Clean;
    }
    let mut follower = LogFollower::start_at_end(&log, &directory);
    drop(log);
    loop {
        for record in follower.read_new_records() {
            let is_wanted = selection.is_match(&record.entry, &record.text);
            // With `--follow`, the line about how a question ended is printed when it is written, because its
            // question was already printed.
            if is_wanted && records.print(&record).is_err() {
                return CommandOutcome::Clean;
            }
        }
        std::thread::sleep(PAUSE);
    }
}

/// Prints log records: the JSON lines unchanged, or decisions for people.
struct RecordPrinter<'p> {
    is_json: bool,
    decision_printer: DecisionPrinter,
    /// How the questions (`ask`) of the log ended.
    endings: AskOutcomes,
    printer: &'p mut Printer,
}

impl RecordPrinter<'_> {
    /// Prints one record. An error means that nobody reads the output any more.
    fn print(&mut self, record: &LogRecord) -> std::io::Result<()> {
        let text = match self.is_json {
            true => format!("{}\n", record.text),
            false => self.decision_printer.show(&record.entry, self.endings.outcome(&record.entry), self.printer),
        };
        self.printer.write(text.as_bytes())
    }
}

/// Runs `rules log verify`: prints the incomplete lines, the number of lines that wait to be added to the log, and the
/// first line that was changed, if any.
fn run_verify(place: &PlaceArgs, printer: &mut Printer) -> CommandOutcome {
    let (directory, log) = match place.read_some(CommandOutcome::Clean, printer) {
        Ok(read) => read,
        Err(outcome) => return outcome,
    };
    let verified = log.verify_chain();
    for LinePosition { file, line } in &verified.torn {
        printer.out(&format!("{file}:{line}: this line is not whole: its writer was stopped\n"));
    }
    if !log.waiting.is_empty() {
        let lines = count(log.waiting.len(), "line");
        printer.out(&format!("{lines} beside the log: the next decision takes them in\n"));
    }
    let place = line(&directory.to_string_lossy(), 400);
    if let Some(finding) = &verified.finding {
        printer.out(&format!("{}\n", printer.paint(Style::Red, &finding.to_string())));
        printer.out(&format!("  in {place}\n"));
        return CommandOutcome::Findings;
    }
    let numbers = verified.numbers.map(|(first, last)| format!(", numbers {first} to {last}")).unwrap_or_default();
    let lines = count(usize::try_from(verified.lines).unwrap_or(usize::MAX), "line");
    printer.out(&format!("{}: {lines}{numbers}, none changed\n", printer.paint(Style::Green, "whole")));
    printer.out(&format!("  in {place}\n"));
    CommandOutcome::Clean
}
