//! `rules eval`: decides payloads given as JSON Lines, without side effects.

mod lines;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::load::{Around, load_whole_around};
use super::print::Printer;
use super::{Outcome, hosts};
use crate::context::Context;
use crate::eval::{Detail, Report, decide};
use crate::facts::{Facts, MachineFacts, StatedFacts};
use crate::files::reason;
use crate::hooks::Guard;
use crate::host::{Decoded, Host, decode, parse_json};
use crate::policy::Policy;
use crate::project::Places;
use crate::types::Payload;

use lines::{Chunk, in_order};

/// Decide payloads given as JSON Lines, without any side effects
///
/// Reads one payload per line from standard input, or lines like
/// `{"payload": …, "facts": {…}}`, for which nothing is read from the machine: a
/// fact that is not stated is absent. Prints one JSON object per line, in the same
/// order: the event, the decision and its message, the rules that decided, each
/// rule that matches or is unknown, and the effects that would happen. Uses all
/// cores. Exits with 1 if a line cannot be decided, and prints the reason in its
/// place.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The project. Default: the one that a hook would take for each payload, which
    /// is the one that the host names in the environment, the payload's `cwd`, or
    /// the current directory, whichever exists first
    #[arg(long, value_name = "DIR", verbatim_doc_comment)]
    project: Option<PathBuf>,

    /// A file or directory. Default: all layers around the project, the same for all
    /// payloads, whatever their `cwd`
    #[arg(long, value_name = "PATH", verbatim_doc_comment)]
    policy: Option<PathBuf>,

    /// The sending host
    #[arg(long, value_name = "HOST", default_value = Host::ClaudeCode.name(), value_parser = hosts())]
    host: Host,
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    let around = Around::new(args.project.as_deref(), args.host);
    let policy = match load_whole_around(&around.without_payload(), args.policy.as_slice(), printer) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    // What the machine says is remembered for a thread: the answers are the same for all.
    let worker = || {
        let guards = args.policy.is_none();
        let mut judge = Judge { host: args.host, policy: &policy, around: &around, guards, machine: BTreeMap::new() };
        move |chunk: Chunk| judge.decide_all(&chunk)
    };
    let mut outcome = Outcome::Clean;
    let mut unwritten = None;
    let end = in_order(std::io::stdin(), workers, worker, |decided: Decided| {
        if decided.has_errors {
            outcome = Outcome::Findings;
        }
        unwritten = printer.write(&decided.text).err();
        if unwritten.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    // A reader that went away (`| head`) is no failure of ours.
    let unwritten = unwritten.filter(|error| error.kind() != ErrorKind::BrokenPipe);
    for (stream, error) in [("input", end.err()), ("output", unwritten)] {
        if let Some(error) = error {
            printer.err(&format!("rules: standard {stream}: {}\n", reason(&error)));
            outcome = Outcome::Findings;
        }
    }
    outcome
}

/// What is printed of a chunk of lines.
struct Decided {
    text: Vec<u8>,
    has_errors: bool,
}

/// A payload that stands apart from its line, and the facts that are stated beside it.
type Line = (Option<Vec<u8>>, Option<Map<String, Json>>);

/// How many projects' facts are remembered at a time.
const PROJECTS: usize = 64;

/// What one thread judges lines with.
struct Judge<'j> {
    host: Host,
    policy: &'j Policy,
    around: &'j Around,
    /// What the hook says by itself is added: the policy is one that an edit could break.
    guards: bool,
    /// What the machine says, by project.
    machine: BTreeMap<Option<PathBuf>, (MachineFacts, Places)>,
}

impl Judge<'_> {
    fn decide_all(&mut self, chunk: &Chunk) -> Decided {
        let mut decided = Decided { text: Vec::with_capacity(chunk.bytes.len()), has_errors: false };
        for (number, line) in chunk.lines().filter(|(_, line)| !line.trim_ascii().is_empty()) {
            // Writing to memory cannot fail.
            let _written = match self.decide(line, &mut decided.text) {
                Ok(written) => written,
                Err(error) => {
                    decided.has_errors = true;
                    serde_json::to_writer(&mut decided.text, &Failed { line: number, error: &error })
                }
            };
            decided.text.push(b'\n');
        }
        decided
    }

    /// Decides one line and prints what comes of it.
    fn decide(&mut self, line: &[u8], out: &mut Vec<u8>) -> Result<serde_json::Result<()>, String> {
        let (bytes, stated) = split(line)?;
        let stated = stated.as_ref().map(StatedFacts::from_json).transpose().map_err(|error| error.to_string())?;
        let (payload, damage) = match decode(self.host, bytes.as_deref().unwrap_or(line)) {
            Decoded::Event { payload, damage } => (payload, damage),
            Decoded::UnknownEvent(event) => return Ok(serde_json::to_writer(out, &Report::of_unknown(&event))),
            Decoded::Unreadable(reason) => return Err(reason),
        };
        let (host, policy, guards) = (self.host, self.policy, self.guards);
        let (facts, places): (&dyn Facts, _) = match &stated {
            Some(stated) => (stated, None),
            None => {
                let (facts, places) = self.machine(&payload);
                (facts, Some(places))
            }
        };
        let context = Context::new(&payload, host.name(), facts, &policy.settings.shell_tools);
        let Ok(mut evaluation) = decide(&policy.rules, &context, Detail::Outcomes);
        if let Some(places) = places.filter(|_| guards) {
            let sources = || policy.files();
            let guard = Guard { payload: &payload, context: &context, policy: Some(policy), sources: &sources, places };
            let Ok(()) = guard.check(&policy.rules, &mut evaluation.verdict);
        }
        Ok(serde_json::to_writer(out, &Report { damage: damage.as_deref(), ..Report::of(&evaluation) }))
    }

    fn machine(&mut self, payload: &Payload) -> &(MachineFacts, Places) {
        let places = self.around.places(payload);
        let project = places.project.clone();
        if self.machine.len() >= PROJECTS && !self.machine.contains_key(&project) {
            self.machine.clear();
        }
        let known = || (MachineFacts::new(places.project.clone()), places);
        self.machine.entry(project).or_insert_with(known)
    }
}

/// Takes a line with facts apart; any other line is a payload as it stands.
fn split(line: &[u8]) -> Result<Line, String> {
    // A member's name is written as it is or with escapes of this kind; without either the line need not be read twice.
    let text = std::str::from_utf8(line);
    if text.is_ok_and(|text| !text.contains("\"payload\"") && !text.contains("\\u")) {
        return Ok((None, None));
    }
    let Ok(mut outer) = parse_json(line).map(|read| read.members) else { return Ok((None, None)) };
    if outer.contains_key("hook_event_name") || !outer.contains_key("payload") {
        return Ok((None, None));
    }
    if let Some(unknown) = outer.keys().find(|key| !matches!(key.as_str(), "payload" | "facts")) {
        return Err(format!("unexpected `{unknown}` beside `payload`: only `facts` may be there"));
    }
    let payload = outer.get("payload").map(|payload| payload.to_string().into_bytes());
    match outer.remove("facts") {
        Some(Json::Object(facts)) => Ok((payload, Some(facts))),
        None => Ok((payload, Some(Map::new()))),
        Some(_) => Err("`facts` is not an object".to_owned()),
    }
}

/// A line that cannot be decided, as it is printed.
#[derive(Serialize)]
struct Failed<'e> {
    line: usize,
    error: &'e str,
}
