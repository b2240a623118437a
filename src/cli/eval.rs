//! `rules eval`: decides payloads given as JSON Lines, without side effects.

mod line_parts;
mod lines;
mod recheck;
mod sessions;
mod several_lines;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{Cursor, ErrorKind, Read};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::thread;

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Map, Value};

use super::hook::{RegistrationArgs, registration};
use super::load::{ProjectLocator, STANDARD_INPUT, load_whole_around};
use super::log::PlaceArgs;
use super::print::Printer;
use super::replayed::facts_of_logged_event;
use super::{CommandOutcome, hosts};
use crate::cache::ReadyPolicy;
use crate::context::{Analyses, Context};
use crate::decision_log::LogEntry;
use crate::escape::line;
use crate::eval::{Evaluation, EvaluationReport, TraceDetail, decide};
use crate::facts::{Facts, MachineFacts, StatedFacts};
use crate::files::reason;
use crate::hooks::{Completed, Guard, NestedPolicySource, load_without_cache};
use crate::host::{DecodedPayload, Host, decode};
use crate::host_settings::SettingsScope;
use crate::policy::Policy;
use crate::project::{self, MachinePlaces, NestedDirectory, is_directory};
use crate::types::Payload;

use line_parts::{AcceptedLines, LineParts};
use lines::{Chunk, process_in_order};
use recheck::{DecisionChange, Recheck};
use sessions::{LineSession, Sessions};
use several_lines::several_lines;

/// Decide payloads given as JSON Lines, without any side effects
///
/// Reads one payload per line from files or standard input, or lines like
/// `{"payload": …, "facts": {…}}`, for which nothing is read from the machine: a
/// fact that is not stated is absent, except the project, which is `--project` or
/// the payload's `cwd`. Prints one JSON object per line, in the same order: the
/// event, the decision and its message, the rules that decided, each rule that
/// matches or is unknown, and the effects that would happen. Uses all cores. Exits
/// with 1 if a line cannot be decided, and prints the reason in its place.
///
/// The lines of a session, which have one `session_id`, are in its past in their
/// order, as far as the policy's marks remember them. `{"payload": …, "facts":
/// {"history": […]}}` states what happened before instead.
///
/// A line of the log of decisions is decided again, as far as it holds the call;
/// `--recheck` lists which of these decisions would be others by now.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct EvalArgs {
    /// Files of payloads, one a line; `-` is standard input, which is the default
    #[arg(value_name = "FILE", conflicts_with = "log")]
    files: Vec<PathBuf>,

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
    #[arg(long, value_name = "HOST", default_value = Host::CLAUDE_CODE.name(), value_parser = hosts())]
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

/// Where the facts that are not in the payload come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum FactOrigin {
    /// What this machine says.
    Machine,
    /// What a line states.
    Stated,
}

/// A stream of lines to decide.
struct EvalInput {
    stream: Box<dyn Read + Send>,
    /// The name of the file; `None` for standard input and the log.
    file: Option<String>,
}

/// Opens the inputs in order: the log of the project with `--log`, else the files, else standard input. A file that
/// cannot be opened is an error in its place.
#[expect(clippy::disallowed_methods, reason = "an input may be a pipe with a name")]
fn open_inputs(args: &EvalArgs, printer: &mut Printer) -> Result<Vec<Result<EvalInput, String>>, CommandOutcome> {
    if args.log {
        let (_, log) = PlaceArgs::new(args.project.clone(), args.state_dir.clone()).read(printer)?;
        let text: String = log.records().map(|record| record.text + "\n").collect();
        return Ok(vec![Ok(EvalInput { stream: Box::new(Cursor::new(text)), file: None })]);
    }
    let standard_input = || Ok(EvalInput { stream: Box::new(std::io::stdin()), file: None });
    if args.files.is_empty() {
        return Ok(vec![standard_input()]);
    }
    let open = |path: &PathBuf| {
        if path == Path::new(STANDARD_INPUT) {
            return standard_input();
        }
        let name = line(&path.to_string_lossy(), usize::MAX);
        let file = std::fs::File::open(path).map_err(|error| format!("{name}: {}", reason(&error)))?;
        Ok(EvalInput { stream: Box::new(file), file: Some(name) })
    };
    Ok(args.files.iter().map(open).collect())
}

/// Runs the command.
pub(super) fn run(args: &EvalArgs, printer: &mut Printer) -> CommandOutcome {
    let around = locator(args);
    let policy = match load_whole_around(&around.places_without_payload(), args.policy.as_slice(), printer) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let elsewhere = PolicyElsewhere { places: around.places_without_payload(), policy: OnceLock::new() };
    let inputs = match open_inputs(args, printer) {
        Ok(inputs) => inputs,
        Err(outcome) => return outcome,
    };
    let mut outcome = CommandOutcome::Clean;
    let mut recheck = Recheck::default();
    let sessions = Sessions::of_policy(&policy);
    for input in inputs {
        // Facts about the machine are cached per thread: they are the same for all payloads.
        let worker = || {
            let guards = args.policy.is_none();
            let mut judge = LineJudge {
                host: args.host,
                policy: &policy,
                elsewhere: guards.then_some(&elsewhere),
                around: &around,
                guards,
                stated: (args.facts == FactOrigin::Stated).then(|| args.project.clone()),
                accepted: if args.recheck { AcceptedLines::OfLog } else { AcceptedLines::Any },
                sessions: sessions.as_ref(),
                analyses: Rc::default(),
                nested: Rc::default(),
                machine: BTreeMap::new(),
                projects: BTreeMap::new(),
            };
            move |chunk: Chunk| judge.decide_chunk(&chunk)
        };
        let decided = match input {
            Ok(input) => decide_input(input, (worker_count(sessions.as_ref()), &worker), &mut recheck, printer),
            Err(problem) => {
                printer.err(&format!("rules: {problem}\n"));
                InputEnd { outcome: CommandOutcome::Findings, is_output_open: true }
            }
        };
        if decided.outcome != CommandOutcome::Clean {
            outcome = decided.outcome;
        }
        if !decided.is_output_open {
            break;
        }
    }
    if args.recheck {
        recheck.print(args.json, printer);
    }
    outcome
}

/// Returns the locator for the project and the state directory that the user gave.
fn locator(args: &EvalArgs) -> ProjectLocator {
    let registered = RegistrationArgs { state_dir: args.state_dir.clone(), ..RegistrationArgs::default() };
    let registration = registration(args.host, &registered, SettingsScope::Project, None);
    ProjectLocator::for_registration(args.project.as_deref(), registration)
}

/// Returns the number of threads that judge lines. Each line of a session depends on the ones before.
fn worker_count(sessions: Option<&Sessions>) -> usize {
    match sessions {
        Some(_) => 1,
        None => thread::available_parallelism().map_or(1, NonZero::get),
    }
}

/// The result of deciding all lines of one input.
struct InputEnd {
    outcome: CommandOutcome,
    /// Whether the output can still be written; `false` if its reader has gone away, as after `| head`.
    is_output_open: bool,
}

/// Decides all lines of an input, and prints the results.
fn decide_input<W: FnMut(Chunk) -> ChunkOutput>(
    EvalInput { stream, file }: EvalInput,
    (workers, worker): (usize, &(impl Fn() -> W + Sync)),
    recheck: &mut Recheck,
    printer: &mut Printer,
) -> InputEnd {
    let mut outcome = CommandOutcome::Clean;
    let mut unwritten = None;
    let end = process_in_order(stream, workers, worker, |decided: ChunkOutput| {
        if !decided.failures.is_empty() {
            outcome = CommandOutcome::Findings;
        }
        recheck.add(decided.lines, decided.changes);
        unwritten = printer.write(&decided.text).err();
        // The output of a file has many lines, so a failure is also said where a person sees it.
        for (number, error) in file.iter().flat_map(|_| &decided.failures) {
            let file = file.as_deref().unwrap_or_default();
            printer.err(&format!("rules: {file}:{number}: {}\n", line(error, usize::MAX)));
        }
        if unwritten.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let is_output_open = unwritten.is_none();
    // A reader that has gone away (`| head`) is not an error.
    let unwritten = unwritten.filter(|error| error.kind() != ErrorKind::BrokenPipe);
    let input = file.as_deref().unwrap_or("standard input");
    for (stream, error) in [(input, end.err()), ("standard output", unwritten)] {
        if let Some(error) = error {
            printer.err(&format!("rules: {stream}: {}\n", reason(&error)));
            outcome = CommandOutcome::Findings;
        }
    }
    InputEnd { outcome, is_output_open }
}

/// The result of judging one chunk of lines.
struct ChunkOutput {
    /// The printed lines, with their newlines.
    text: Vec<u8>,
    /// The lines that could not be decided: their numbers, and why.
    failures: Vec<(usize, String)>,
    /// The number of log lines that were decided again.
    lines: usize,
    /// The log lines with another decision now; filled only with `--recheck`.
    changes: Vec<DecisionChange>,
}

/// The maximum number of projects whose facts a thread caches; a full cache is cleared.
const MAX_PROJECTS: usize = 64;

/// The session's policy, compiled for payloads of other projects: a relative name in it still refers to the directory
/// of the policy, not to the payload's project.
struct PolicyElsewhere {
    /// The directories from which the policy is loaded.
    places: MachinePlaces,
    /// The policy; compiled when the first payload needs it.
    policy: OnceLock<Policy>,
}

impl PolicyElsewhere {
    /// Whether a payload's project is the one of the policy or a directory below it, where the same policy holds.
    fn is_here(&self, places: &MachinePlaces) -> bool {
        match (&places.project, &self.places.project) {
            (Some(project), Some(around)) => project.starts_with(around),
            (project, around) => project == around,
        }
    }

    /// Returns this policy for a payload of another project; `None` for a payload of the project itself.
    fn policy_for(&self, places: &MachinePlaces) -> Option<&Policy> {
        if places.project == self.places.project {
            return None;
        }
        Some(self.policy.get_or_init(|| {
            let loaded = project::load_for_other_projects(&self.places);
            Policy::new(loaded.sources, &loaded.layers)
        }))
    }
}

/// The nested policies that calls reach, each compiled once: those of directories that the session does not start in.
#[derive(Default)]
struct NestedCache {
    policies: RefCell<BTreeMap<NestedKey, Arc<ReadyPolicy>>>,
}

/// The project of a session, and the directory of a nested policy.
type NestedKey = (Option<PathBuf>, NestedDirectory);

impl NestedCache {
    /// Adds the votes of nested policies and of the guard, as a hook does.
    fn complete(
        &self,
        evaluation: Evaluation,
        context: &Context<'_>,
        policy: &Policy,
        places: &MachinePlaces,
    ) -> Completed {
        let (payload, sources) = (context.payload(), || policy.files());
        let guard = Guard { payload, context, policy: Some(policy), sources: &sources, places, nested: &[] };
        let load = |places: &MachinePlaces, directory: &NestedDirectory| self.policy(places, directory);
        let policies = NestedPolicySource { load: &load, detail: TraceDetail::Outcomes };
        let Ok(completed) = Completed::with_guard_only(evaluation, guard, &policy.rules, policies);
        completed
    }

    fn policy(&self, places: &MachinePlaces, directory: &NestedDirectory) -> Arc<ReadyPolicy> {
        let key = (places.project.clone(), directory.clone());
        let mut policies = self.policies.borrow_mut();
        Arc::clone(policies.entry(key).or_insert_with(|| load_without_cache(places, directory)))
    }
}

/// The state of a thread that judges lines.
struct LineJudge<'j> {
    /// The host that sent the payloads, unless a log line names another one.
    host: Host,
    policy: &'j Policy,
    /// The same policy for payloads of other projects; `None` for a policy given by `--policy`.
    elsewhere: Option<&'j PolicyElsewhere>,
    /// Finds the project of a payload.
    around: &'j ProjectLocator,
    /// Whether the guard's questions are added to the decision, as a hook does; not for a policy given by `--policy`.
    guards: bool,
    /// `Some` with `--facts stated`, when nothing is read from the machine; then the value of `--project`.
    stated: Option<Option<PathBuf>>,
    /// The lines that are accepted. With `--recheck`, their decisions are compared instead of printed.
    accepted: AcceptedLines,
    /// The sessions of the lines; `None` if the policy remembers nothing.
    sessions: Option<&'j Sessions>,
    /// A cache of the analyses of shell texts, for texts that occur in several lines.
    analyses: Rc<Analyses>,
    /// The nested policies that calls reach.
    nested: Rc<NestedCache>,
    /// A cache of the machine's facts and directories, by project.
    machine: BTreeMap<Option<PathBuf>, (MachineFacts, MachinePlaces)>,
    /// A cache of the payloads' projects, by `cwd`; the key is empty for a payload without one.
    projects: BTreeMap<String, Option<PathBuf>>,
}

impl LineJudge<'_> {
    /// Decides all lines of a chunk except empty ones, and prints the reason in place of a line that cannot be
    /// decided. A payload on several lines is one failure.
    fn decide_chunk(&mut self, chunk: &Chunk) -> ChunkOutput {
        let rechecks = self.accepted == AcceptedLines::OfLog;
        let text = Vec::with_capacity(if rechecks { 0 } else { chunk.bytes.len() });
        let mut decided = ChunkOutput { text, failures: Vec::new(), lines: 0, changes: Vec::new() };
        // Positions in the chunk: where the next line starts, and where the last payload on several lines ends.
        let (mut next_start, mut reported_end) = (0_usize, 0_usize);
        for (number, line) in chunk.lines() {
            let start = next_start;
            next_start = next_start.saturating_add(line.len()).saturating_add(1);
            if line.trim_ascii().is_empty() || start < reported_end {
                continue;
            }
            let result = match several_lines(chunk.bytes.get(start..).unwrap_or_default(), line) {
                Some(payload) => {
                    reported_end = start.saturating_add(payload.length);
                    Err(payload.problem())
                }
                None => self.decide(line, &mut decided),
            };
            // Writing to memory cannot fail.
            let _written = match result {
                Ok(_) if rechecks => continue,
                Ok(written) => written,
                Err(error) => {
                    let written =
                        serde_json::to_writer(&mut decided.text, &LineFailure { line: number, error: &error });
                    decided.failures.push((number, error));
                    written
                }
            };
            decided.text.push(b'\n');
        }
        decided
    }

    /// Decides one line. Prints the result to `decided.text` or, with `--recheck`, adds to `decided.changes` if the
    /// decision is not the logged one.
    ///
    /// # Errors
    /// The reason why the line cannot be decided. The inner error is that of writing to memory.
    fn decide(&mut self, line: &[u8], decided: &mut ChunkOutput) -> Result<serde_json::Result<()>, String> {
        let LineParts { bytes, stated, history, time, entry } = LineParts::parse(line, self.host, self.accepted)?;
        let host = entry.as_ref().and_then(|entry| Host::from_name(&entry.host)).unwrap_or(self.host);
        let (payload, damage) = match decode(host, bytes.as_deref().unwrap_or(line)) {
            DecodedPayload::Event { payload, damage } => (payload, damage),
            DecodedPayload::UnknownEvent(event) => {
                return Ok(serde_json::to_writer(&mut decided.text, &EvaluationReport::from_unknown_event(&event)));
            }
            DecodedPayload::Unreadable { reason, .. } => return Err(reason),
        };
        // The directory of the project whose policy judged the event of a log line.
        let project = entry.as_ref().and_then(|entry| entry.project.as_ref().or(entry.cwd.as_ref())).map(PathBuf::from);
        let stated = self.stated_facts(stated.as_ref(), project.as_ref(), &payload)?;
        let at = |facts: StatedFacts| match time {
            Some(milliseconds) => facts.with_moment(milliseconds / 1_000),
            None => facts,
        };
        let stated = stated.map(at);
        let (mut policy, guards) = (self.policy, self.guards);
        let (analyses, nested) = (Rc::clone(&self.analyses), Rc::clone(&self.nested));
        let (elsewhere, sessions) = (self.elsewhere, self.sessions);
        let (facts, places): (&dyn Facts, _) = match &stated {
            Some(stated) => (stated, None),
            None => {
                let (facts, places) = self.cached_machine(project, &payload);
                policy = elsewhere.and_then(|elsewhere| elsewhere.policy_for(places)).unwrap_or(policy);
                // Where the session's policy holds, policies between it and the payload's project are nested.
                let around = elsewhere.filter(|elsewhere| elsewhere.is_here(places)).map(|elsewhere| &elsewhere.places);
                (facts, Some(around.unwrap_or(places)))
            }
        };
        let logged = entry.as_deref().zip(places);
        let replayed = logged.map(|(entry, places)| facts_of_logged_event(entry, places.state.as_deref(), facts));
        let facts = replayed.as_ref().map_or(facts, |facts| facts as &dyn Facts);
        // The log lacks parts of a session, so its lines remember nothing.
        let sessions = sessions.filter(|_| entry.is_none());
        let session = LineSession::new(sessions, &payload, (history, time), (policy, host, facts));
        let remembering = session.facts(facts);
        let facts = remembering.as_ref().map_or(facts, |facts| facts as &dyn Facts);
        let context = Context::new(&payload, host.name(), facts, &policy.settings.shell_tools).with_analyses(&analyses);
        let Ok(evaluation) = decide(&policy.rules, &context, TraceDetail::Outcomes);
        session.add(&payload, &evaluation.verdict.marks, policy);
        let completed = match places.filter(|_| guards) {
            Some(places) => nested.complete(evaluation, &context, policy, places),
            None => Completed::from_rules_only(evaluation),
        };
        Ok(self.print(&completed, damage.as_deref(), entry.as_deref(), decided))
    }

    /// Returns the facts that a line states, or that take the place of the machine's with `--facts stated`; `None` if
    /// the machine's count. Facts that state no project are about the one that the payload is judged in.
    ///
    /// # Errors
    /// The reason why the line states no facts.
    fn stated_facts(
        &self,
        line: Option<&Map<String, Value>>,
        logged: Option<&PathBuf>,
        payload: &Payload,
    ) -> Result<Option<StatedFacts>, String> {
        Ok(match (line, &self.stated) {
            (Some(stated), _) => {
                let facts = facts_of_project(self.around.fixed().or(logged.cloned()), payload).with_json(stated);
                Some(facts.map_err(|error| error.to_string())?)
            }
            (None, Some(named)) => Some(facts_of_project(named.clone().or(logged.cloned()), payload)),
            (None, None) => None,
        })
    }

    /// Prints the result of a line or, with `--recheck`, notes a change of the decision.
    ///
    /// # Errors
    /// That of writing to memory.
    fn print(
        &self,
        completed: &Completed,
        damage: Option<&str>,
        entry: Option<&LogEntry>,
        decided: &mut ChunkOutput,
    ) -> serde_json::Result<()> {
        let evaluation = completed.evaluation();
        let report = EvaluationReport { damage, ..EvaluationReport::from_evaluation(evaluation) };
        let Some(entry) = entry else { return serde_json::to_writer(&mut decided.text, &report) };
        decided.lines += 1;
        if self.accepted == AcceptedLines::OfLog {
            decided.changes.extend(DecisionChange::compare(entry, &evaluation.verdict));
            return Ok(());
        }
        let line = RecheckedLine { report, logged: LoggedDecision::from_entry(entry) };
        serde_json::to_writer(&mut decided.text, &line)
    }

    /// Returns the machine's facts and directories for a payload, cached by project. `logged` is the project in a log
    /// line; it is used if it still exists and the command line names no project.
    fn cached_machine(&mut self, logged: Option<PathBuf>, payload: &Payload) -> &(MachineFacts, MachinePlaces) {
        let logged = logged.filter(|project| project.is_absolute() && is_directory(project));
        let project = match logged.filter(|_| self.around.fixed().is_none()) {
            Some(logged) => Some(logged),
            None => self.cached_project(payload),
        };
        if self.machine.len() >= MAX_PROJECTS && !self.machine.contains_key(&project) {
            self.machine.clear();
        }
        let around = self.around;
        let read_machine = || {
            let places = MachinePlaces { project: project.clone(), ..around.places(payload) };
            (MachineFacts::new(project.clone()), places)
        };
        self.machine.entry(project.clone()).or_insert_with(read_machine)
    }

    /// Returns the project of a payload, cached by `cwd`, so each is looked up in the file system once.
    fn cached_project(&mut self, payload: &Payload) -> Option<PathBuf> {
        let cwd = payload.nonempty_text("cwd").unwrap_or_default();
        if let Some(project) = self.projects.get(cwd) {
            return project.clone();
        }
        if self.projects.len() >= MAX_PROJECTS {
            self.projects.clear();
        }
        let project = self.around.places(payload).project;
        self.projects.insert(cwd.to_owned(), project.clone());
        project
    }
}

/// Returns facts that consist of nothing but the project: the given one, else the payload's `cwd`; no fact at all if
/// that is not an absolute path.
fn facts_of_project(project: Option<PathBuf>, payload: &Payload) -> StatedFacts {
    let cwd = || payload.nonempty_text("cwd").map(PathBuf::from);
    let project = project.or_else(cwd).filter(|project| project.is_absolute());
    project.map_or_else(StatedFacts::default, |project| StatedFacts::default().with_project(project))
}

/// The JSON object printed for a log line that was decided again: the new decision, and the logged one.
#[derive(Serialize)]
struct RecheckedLine<'e> {
    #[serde(flatten)]
    report: EvaluationReport<'e>,
    logged: LoggedDecision<'e>,
}

/// The member `logged` of a [`RecheckedLine`]: the decision in the log.
#[derive(Serialize)]
struct LoggedDecision<'e> {
    /// The number of the log line, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    time: &'e str,
    decision: &'e str,
    /// The parts of the payload that the log line lacks or shortens. A rule that tests one of them may decide
    /// differently than it did about the real call.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    incomplete: &'e [String],
}

impl<'e> LoggedDecision<'e> {
    fn from_entry(entry: &'e LogEntry) -> Self {
        let LogEntry { number, time, decision, incomplete, .. } = entry;
        Self { number: *number, time, decision, incomplete }
    }
}

/// The JSON object printed for a line that cannot be decided: its number and the reason.
#[derive(Serialize)]
struct LineFailure<'e> {
    /// The number of the line, counted from 1.
    line: usize,
    error: &'e str,
}

#[cfg(test)]
mod tests;
