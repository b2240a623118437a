//! `rules eval`: decisions for payloads given as JSON Lines. Nothing is performed.
#![expect(clippy::disallowed_methods, reason = "payloads without facts are judged on this machine")]

use std::io::BufRead;
use std::path::PathBuf;

use serde_json::{Map, Value as Json, json};

use super::load::load_whole;
use super::print::Printer;
use super::{Outcome, hosts};
use crate::context::Context;
use crate::eval::{Detail, Evaluation, Judged, evaluate};
use crate::facts::{Facts, MachineFacts, StatedFacts};
use crate::host::{Decoded, Host, decode, parse_json};
use crate::policy::Policy;
use crate::verdict::{Command, Verdict};

/// Decide payloads given as JSON Lines; nothing is performed
///
/// Reads one payload a line from standard input, or a line like
/// `{"payload": …, "facts": {…}}`: it reads nothing from the machine, and a fact
/// that it does not state is absent. Prints one JSON object a line: the event, the
/// decision and its message, what came of each selected rule, and the effects that
/// would happen. Exits with 1 if a line cannot be decided, and says why in its place.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A file or directory; without it, all layers around the current directory
    #[arg(long, value_name = "PATH")]
    policy: Option<PathBuf>,

    /// Who sends them
    #[arg(long, value_name = "HOST", default_value = Host::ClaudeCode.name(), value_parser = hosts())]
    host: Host,
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    let policy = match load_whole(args.policy.as_slice(), printer) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let machine = MachineFacts::new(std::env::current_dir().ok());
    let mut outcome = Outcome::Clean;
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) if line.trim_ascii().is_empty() => continue,
            Ok(_) => {}
            Err(error) => {
                printer.err(&format!("rules: standard input: {error}\n"));
                return Outcome::Findings;
            }
        }
        let result = decide(&line, args.host, &policy, &machine).unwrap_or_else(|error| {
            outcome = Outcome::Findings;
            json!({ "line": number, "error": error })
        });
        printer.out(&format!("{result}\n"));
    }
    outcome
}

/// A payload that stands apart from its line, and the facts that are stated beside it.
type Line = (Option<Vec<u8>>, Option<Map<String, Json>>);

/// Decides one line.
fn decide(line: &[u8], host: Host, policy: &Policy, machine: &MachineFacts) -> Result<Json, String> {
    let (bytes, stated) = split(line)?;
    let stated = stated.as_ref().map(StatedFacts::from_json).transpose()?;
    let facts: &dyn Facts = match &stated {
        Some(stated) => stated,
        None => machine,
    };
    let (payload, damage) = match decode(host, bytes.as_deref().unwrap_or(line)) {
        Decoded::Event { payload, damage } => (payload, damage),
        Decoded::UnknownEvent(event) => {
            return Ok(json!({ "event": event, "decision": "pass", "message": "", "rules": [], "effects": [] }));
        }
        Decoded::Unreadable(reason) => return Err(reason),
    };
    let context = Context::new(&payload, host.name(), facts, &policy.settings.shell_tools);
    let evaluation = evaluate(&policy.rules, &context, Detail::Outcomes);
    let mut result = report(&evaluation);
    if let (Some(damage), Some(object)) = (damage, result.as_object_mut()) {
        object.insert("damage".into(), damage.into());
    }
    Ok(result)
}

/// Takes a line with facts apart; any other line is a payload as it stands.
fn split(line: &[u8]) -> Result<Line, String> {
    let Ok(mut outer) = parse_json(line).map(|read| read.members) else { return Ok((None, None)) };
    if outer.contains_key("hook_event_name") || !outer.contains_key("payload") {
        return Ok((None, None));
    }
    if let Some(unknown) = outer.keys().find(|key| !matches!(key.as_str(), "payload" | "facts")) {
        return Err(format!("`{unknown}` stands beside `payload`; only `facts` can"));
    }
    let payload = outer.get("payload").map(|payload| payload.to_string().into_bytes());
    match outer.remove("facts") {
        Some(Json::Object(facts)) => Ok((payload, Some(facts))),
        None => Ok((payload, Some(Map::new()))),
        Some(_) => Err("`facts` is not an object".to_owned()),
    }
}

/// Puts an evaluation into the form that is printed.
fn report(evaluation: &Evaluation) -> Json {
    let verdict = &evaluation.verdict;
    let rules: Vec<Json> = evaluation.trace.rules.iter().map(judgement).collect();
    let again: Vec<Json> = evaluation.trace.again.iter().map(judgement).collect();
    let observed: Vec<Json> = evaluation
        .observed
        .iter()
        .map(|vote| json!({ "rule": vote.rule, "decision": vote.decision.word(), "message": vote.message }))
        .collect();
    let mut result = json!({
        "event": verdict.event.name(),
        "decision": verdict.decision().word(),
        "message": verdict.message(),
        "rules": rules,
        "effects": effects(verdict),
    });
    if let Some(object) = result.as_object_mut() {
        for (name, list) in [("again", again), ("observed", observed)] {
            if !list.is_empty() {
                object.insert(name.into(), list.into());
            }
        }
    }
    result
}

fn judgement(judged: &Judged) -> Json {
    let mut rule = Map::new();
    rule.insert("rule".into(), judged.shown.clone().into());
    rule.insert("outcome".into(), judged.outcome.word().into());
    if let Some(reason) = judged.outcome.reason() {
        rule.insert("reason".into(), reason.sentence().into());
    }
    Json::Object(rule)
}

/// Returns the effects that would happen, in evaluation order within each kind.
fn effects(verdict: &Verdict) -> Vec<Json> {
    let mut all = Vec::new();
    let note =
        |effect: &str, note: &crate::verdict::Note| json!({ "effect": effect, "rule": note.rule, "text": note.text });
    all.extend(verdict.updated_input.iter().map(|input| json!({ "effect": "rewrite", "tool_input": input })));
    all.extend(verdict.contexts.iter().map(|context| note("context", context)));
    all.extend(verdict.warnings.iter().map(|warning| note("warn", warning)));
    all.extend(
        verdict
            .exits
            .iter()
            .map(|exit| json!({ "effect": "exit", "rule": exit.rule, "code": exit.code, "text": exit.message })),
    );
    all.extend(verdict.runs.iter().map(|run| match &run.command {
        Command::Argv(argv) => json!({ "effect": "run", "rule": run.rule, "argv": argv }),
        Command::Shell { script, parameters } => {
            json!({ "effect": "run", "rule": run.rule, "shell": script, "parameters": parameters })
        }
    }));
    all.extend(verdict.notifications.iter().map(|notification| {
        json!({ "effect": "notify", "rule": notification.rule, "title": notification.title, "body": notification.body })
    }));
    all.extend(verdict.records.iter().map(|record| {
        json!({ "effect": "record", "rule": record.rule, "file": record.file, "fields": record.fields, "times": record.times })
    }));
    all
}
