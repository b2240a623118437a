//! `rules eval`: decides payloads given as JSON Lines, without side effects.

mod lines;
mod recheck;

use std::collections::BTreeMap;
use std::io::{Cursor, ErrorKind, Read};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::rc::Rc;
use std::thread;

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::load::{ProjectLocator, load_whole_around};
use super::log::PlaceArgs;
use super::print::Printer;
use super::{CommandOutcome, hosts};
use crate::context::{Analyses, Context};
use crate::decision_log::{LogEntry, is_line_of_log, replay};
use crate::eval::{EvaluationReport, TraceDetail, decide};
use crate::facts::{Facts, MachineFacts, StatedFacts};
use crate::files::reason;
use crate::hooks::{Completed, Guard};
use crate::host::{DecodedPayload, Host, decode, parse_json};
use crate::policy::Policy;
use crate::project::{MachinePlaces, is_directory};
use crate::types::Payload;

use lines::{Chunk, process_in_order};
use recheck::{DecisionChange, Recheck};

/// Decide payloads given as JSON Lines, without any side effects
///
/// Reads one payload per line from standard input, or lines like
/// `{"payload": …, "facts": {…}}`, for which nothing is read from the machine: a
/// fact that is not stated is absent. Prints one JSON object per line, in the same
/// order: the event, the decision and its message, the rules that decided, each
/// rule that matches or is unknown, and the effects that would happen. Uses all
/// cores. Exits with 1 if a line cannot be decided, and prints the reason in its
/// place.
///
/// A line of the log of decisions is decided again, as far as it holds the call;
/// `--recheck` lists which of these decisions would be others by now.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct EvalArgs {
    /// The project. Default: the one that a hook would take for each payload, which
    /// is the one that the host names in the environment, the payload's `cwd`, or
    /// the current directory, whichever exists first
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,

    /// A file or directory. Default: all layers around the project, the same for all
    /// payloads, whatever their `cwd`
    #[arg(long, value_name = "PATH")]
    policy: Option<PathBuf>,

    /// The sending host
    #[arg(long, value_name = "HOST", default_value = Host::ClaudeCode.name(), value_parser = hosts())]
    host: Host,

    /// Facts besides the payload: `machine` reads this machine; `stated` reads
    /// nothing, and what a line does not state is absent, except that its project is
    /// `--project` or its own directory
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = FactOrigin::Machine, hide_possible_values = true)]
    facts: FactOrigin,

    /// Read the log of this project instead of standard input
    #[arg(long)]
    log: bool,

    /// List what the present policy would decide differently from the log
    #[arg(long)]
    recheck: bool,

    /// With `--recheck`, print a JSON object for each change
    #[arg(long, requires = "recheck")]
    json: bool,

    /// The directory of state and log, instead of ~/.local/state/rules
    #[arg(long, value_name = "DIR", requires = "log", hide = true)]
    state_dir: Option<PathBuf>,
}

/// Where facts besides the payload come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum FactOrigin {
    /// What this machine says.
    Machine,
    /// What a line states.
    Stated,
}

/// Returns the input: standard input, or the log.
fn input(args: &EvalArgs, printer: &mut Printer) -> Result<Box<dyn Read + Send>, CommandOutcome> {
    if !args.log {
        return Ok(Box::new(std::io::stdin()));
    }
    let (_, log) = PlaceArgs::new(args.project.clone(), args.state_dir.clone()).read(printer)?;
    let text: String = log.records().map(|record| record.text + "\n").collect();
    Ok(Box::new(Cursor::new(text)))
}

/// Runs the command.
pub(super) fn run(args: &EvalArgs, printer: &mut Printer) -> CommandOutcome {
    let around = ProjectLocator::new(args.project.as_deref(), args.host);
    let policy = match load_whole_around(&around.places_without_payload(), args.policy.as_slice(), printer) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    // Facts about the machine are cached per thread: they are the same for all payloads.
    let worker = || {
        let guards = args.policy.is_none();
        let (host, stated) = (args.host, (args.facts == FactOrigin::Stated).then(|| args.project.clone()));
        let mut judge = LineJudge {
            host,
            policy: &policy,
            around: &around,
            guards,
            stated,
            rechecks: args.recheck,
            analyses: Rc::default(),
            machine: BTreeMap::new(),
            projects: BTreeMap::new(),
        };
        move |chunk: Chunk| judge.decide_chunk(&chunk)
    };
    let input = match input(args, printer) {
        Ok(input) => input,
        Err(outcome) => return outcome,
    };
    let mut outcome = CommandOutcome::Clean;
    let mut unwritten = None;
    let mut recheck = Recheck::default();
    let end = process_in_order(input, workers, worker, |decided: ChunkOutput| {
        if decided.has_errors {
            outcome = CommandOutcome::Findings;
        }
        recheck.add(decided.lines, decided.changes);
        unwritten = printer.write(&decided.text).err();
        if unwritten.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    // A reader that has gone away (`| head`) is not an error.
    let unwritten = unwritten.filter(|error| error.kind() != ErrorKind::BrokenPipe);
    for (stream, error) in [("input", end.err()), ("output", unwritten)] {
        if let Some(error) = error {
            printer.err(&format!("rules: standard {stream}: {}\n", reason(&error)));
            outcome = CommandOutcome::Findings;
        }
    }
    if args.recheck {
        recheck.print(args.json, printer);
    }
    outcome
}

/// The output for a chunk of lines.
struct ChunkOutput {
    text: Vec<u8>,
    has_errors: bool,
    /// The number of log lines that were decided again.
    lines: usize,
    /// Those whose decision is now different.
    changes: Vec<DecisionChange>,
}

/// The content of a line.
enum InputLine {
    /// A bare payload.
    Payload,
    /// A payload as a member of its line, with the facts stated there.
    Stated(Option<Vec<u8>>, Map<String, Json>),
    /// A line of the log.
    Logged(Box<LogEntry>),
}

/// What a line says about a call.
struct LineParts {
    /// The payload, if it is not the whole line.
    bytes: Option<Vec<u8>>,
    /// The stated facts.
    stated: Option<Map<String, Json>>,
    /// The line of the log.
    entry: Option<Box<LogEntry>>,
}

/// The number of projects whose facts are cached at a time.
const PROJECTS: usize = 64;

/// The state with which one thread judges lines.
struct LineJudge<'j> {
    host: Host,
    policy: &'j Policy,
    around: &'j ProjectLocator,
    /// Whether the hook's own protection of the policy applies: not for a policy given by path.
    guards: bool,
    /// Set if nothing is read from the machine; holds the project that the user gave, if any.
    stated: Option<Option<PathBuf>>,
    /// Whether only lines of the log are accepted, and compared with the new decision.
    rechecks: bool,
    /// Cached analyses of the shell texts of other lines.
    analyses: Rc<Analyses>,
    /// Facts about the machine, by project.
    machine: BTreeMap<Option<PathBuf>, (MachineFacts, MachinePlaces)>,
    /// The projects of payloads, by working directory; the empty key is for payloads without one.
    projects: BTreeMap<String, Option<PathBuf>>,
}

impl LineJudge<'_> {
    fn decide_chunk(&mut self, chunk: &Chunk) -> ChunkOutput {
        let text = Vec::with_capacity(if self.rechecks { 0 } else { chunk.bytes.len() });
        let mut decided = ChunkOutput { text, has_errors: false, lines: 0, changes: Vec::new() };
        for (number, line) in chunk.lines().filter(|(_, line)| !line.trim_ascii().is_empty()) {
            // Writing to memory cannot fail.
            let _written = match self.decide(line, &mut decided) {
                Ok(_) if self.rechecks => continue,
                Ok(written) => written,
                Err(error) => {
                    decided.has_errors = true;
                    serde_json::to_writer(&mut decided.text, &LineFailure { line: number, error: &error })
                }
            };
            decided.text.push(b'\n');
        }
        decided
    }

    fn parts(&self, line: &[u8]) -> Result<LineParts, String> {
        let parts = LineParts { bytes: None, stated: None, entry: None };
        match split(line)? {
            InputLine::Logged(logged) => {
                let replayed = replay(&logged).ok_or("this line of the log holds no call")?;
                let bytes = Json::Object(replayed.payload).to_string().into_bytes();
                Ok(LineParts { bytes: Some(bytes), entry: Some(logged), ..parts })
            }
            _ if self.rechecks => Err("not a line of the log of decisions".to_owned()),
            InputLine::Payload => Ok(parts),
            InputLine::Stated(payload, facts) => Ok(LineParts { bytes: payload, stated: Some(facts), ..parts }),
        }
    }

    /// Decides one line and prints the result, or compares it with the log.
    fn decide(&mut self, line: &[u8], decided: &mut ChunkOutput) -> Result<serde_json::Result<()>, String> {
        let LineParts { bytes, stated, entry } = self.parts(line)?;
        let host = entry.as_ref().and_then(|entry| Host::from_name(&entry.host)).unwrap_or(self.host);
        let (payload, damage) = match decode(host, bytes.as_deref().unwrap_or(line)) {
            DecodedPayload::Event { payload, damage } => (payload, damage),
            DecodedPayload::UnknownEvent(event) => {
                return Ok(serde_json::to_writer(&mut decided.text, &EvaluationReport::from_unknown_event(&event)));
            }
            DecodedPayload::Unreadable { reason, .. } => return Err(reason),
        };
        let project = entry.as_ref().and_then(|entry| entry.project.as_ref().or(entry.cwd.as_ref())).map(PathBuf::from);
        let stated = match (stated, &self.stated) {
            (Some(stated), _) => Some(StatedFacts::from_json(&stated).map_err(|error| error.to_string())?),
            (None, Some(named)) => Some(facts_of_project(named.clone().or(project.clone()), &payload)),
            (None, None) => None,
        };
        let (policy, guards, analyses) = (self.policy, self.guards, Rc::clone(&self.analyses));
        let (facts, places): (&dyn Facts, _) = match &stated {
            Some(stated) => (stated, None),
            None => {
                let (facts, places) = self.machine(project, &payload);
                (facts, Some(places))
            }
        };
        let context = Context::new(&payload, host.name(), facts, &policy.settings.shell_tools).with_analyses(&analyses);
        let Ok(evaluation) = decide(&policy.rules, &context, TraceDetail::Outcomes);
        let completed = match places.filter(|_| guards) {
            Some(places) => {
                let (payload, sources) = (&payload, || policy.files());
                let guard = Guard { payload, context: &context, policy: Some(policy), sources: &sources, places };
                let Ok(completed) = Completed::with_guard_only(evaluation, &guard, &policy.rules);
                completed
            }
            None => Completed::from_rules_only(evaluation),
        };
        let evaluation = completed.evaluation();
        let report = EvaluationReport { damage: damage.as_deref(), ..EvaluationReport::from_evaluation(evaluation) };
        let Some(entry) = entry else { return Ok(serde_json::to_writer(&mut decided.text, &report)) };
        decided.lines += 1;
        if self.rechecks {
            decided.changes.extend(DecisionChange::compare(&entry, &evaluation.verdict));
            return Ok(Ok(()));
        }
        Ok(serde_json::to_writer(
            &mut decided.text,
            &RecheckedLine { report, logged: LoggedDecision::from_entry(&entry) },
        ))
    }

    fn machine(&mut self, logged: Option<PathBuf>, payload: &Payload) -> &(MachineFacts, MachinePlaces) {
        let logged = logged.filter(|project| project.is_absolute() && is_directory(project));
        let project = match logged.filter(|_| self.around.fixed().is_none()) {
            Some(logged) => Some(logged),
            None => self.project(payload),
        };
        if self.machine.len() >= PROJECTS && !self.machine.contains_key(&project) {
            self.machine.clear();
        }
        let around = self.around;
        let known = || {
            let places = MachinePlaces { project: project.clone(), ..around.places(payload) };
            (MachineFacts::new(project.clone()), places)
        };
        self.machine.entry(project.clone()).or_insert_with(known)
    }

    /// Returns the project of a payload. The file system is examined once per working directory.
    fn project(&mut self, payload: &Payload) -> Option<PathBuf> {
        let cwd = payload.nonempty_text("cwd").unwrap_or_default();
        if let Some(project) = self.projects.get(cwd) {
            return project.clone();
        }
        if self.projects.len() >= PROJECTS {
            self.projects.clear();
        }
        let project = self.around.places(payload).project;
        self.projects.insert(cwd.to_owned(), project.clone());
        project
    }
}

/// Returns the facts of a payload if nothing is known but its project.
fn facts_of_project(project: Option<PathBuf>, payload: &Payload) -> StatedFacts {
    let cwd = || payload.nonempty_text("cwd").map(PathBuf::from);
    let project = project.or_else(cwd).filter(|project| project.is_absolute());
    project.map_or_else(StatedFacts::default, |project| StatedFacts::default().with_project(project))
}

/// Splits a line with facts, or a line of the log; any other line is a bare payload.
fn split(line: &[u8]) -> Result<InputLine, String> {
    // A member's name is written literally or with escapes of this form; without any of them the line need not be
    // parsed twice.
    let text = std::str::from_utf8(line);
    let marks = ["\"payload\"", "\"decision\"", "\\u"];
    if text.is_ok_and(|text| !marks.iter().any(|mark| text.contains(mark))) {
        return Ok(InputLine::Payload);
    }
    let Ok(mut outer) = parse_json(line).map(|read| read.members) else { return Ok(InputLine::Payload) };
    if is_line_of_log(&outer) {
        let entry = serde_json::from_value(Json::Object(outer));
        return entry
            .map(|entry| InputLine::Logged(Box::new(entry)))
            .map_err(|error| format!("a damaged line of the log: {error}"));
    }
    if outer.contains_key("hook_event_name") || !outer.contains_key("payload") {
        return Ok(InputLine::Payload);
    }
    if let Some(unknown) = outer.keys().find(|key| !matches!(key.as_str(), "payload" | "facts")) {
        return Err(format!("unexpected `{unknown}` beside `payload`: only `facts` may be there"));
    }
    let payload = outer.get("payload").map(|payload| payload.to_string().into_bytes());
    match outer.remove("facts") {
        Some(Json::Object(facts)) => Ok(InputLine::Stated(payload, facts)),
        None => Ok(InputLine::Stated(payload, Map::new())),
        Some(_) => Err("`facts` is not an object".to_owned()),
    }
}

/// The printed form of a log line that was decided again.
#[derive(Serialize)]
struct RecheckedLine<'e> {
    #[serde(flatten)]
    report: EvaluationReport<'e>,
    logged: LoggedDecision<'e>,
}

/// The content of the log line.
#[derive(Serialize)]
struct LoggedDecision<'e> {
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    time: &'e str,
    decision: &'e str,
    /// The parts of the payload that the line does not hold in full: a rule that tests one may decide differently than
    /// it would about the call.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    incomplete: &'e [String],
}

impl<'e> LoggedDecision<'e> {
    fn from_entry(entry: &'e LogEntry) -> Self {
        let LogEntry { number, time, decision, incomplete, .. } = entry;
        Self { number: *number, time, decision, incomplete }
    }
}

/// The printed form of a line that cannot be decided.
#[derive(Serialize)]
struct LineFailure<'e> {
    line: usize,
    error: &'e str,
}
