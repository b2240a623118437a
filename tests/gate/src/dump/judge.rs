//! The judgement of an event by a policy: the decision, the votes, the effects, and the trace.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use hookrules::eval::PlannedEffect;
use hookrules::verdict::{Command, OnFail, OutputKind, Run, Stdin};
use hookrules::{Engine, EventError, HookEvent, JudgedCondition, JudgedRule, Judgement, MatchOutcome, StatedFacts};
use serde_json::{Value as Json, json};

use crate::case::Case;

/// The most rules of a policy whose judgements are explained: with every rule and every part of its condition. Each
/// pack has fewer, all of them together have more.
const EXPLAINED: usize = 40;

/// A policy that is compiled once it is used; `None` if it does not load.
type Compiled = OnceLock<Option<Arc<Engine>>>;

/// The policies of the inputs.
pub struct Policies(BTreeMap<String, (Case, Compiled)>);

impl Policies {
    pub fn new(cases: &[Case]) -> Self {
        Self(cases.iter().map(|case| (case.name().to_owned(), (case.clone(), OnceLock::new()))).collect())
    }

    fn engine(&self, name: &str) -> Option<Arc<Engine>> {
        let (case, engine) = self.0.get(name)?;
        let paths: Vec<PathBuf> = case.texts("paths").iter().map(PathBuf::from).collect();
        let load = || match paths.as_slice() {
            [] => Engine::parse("project.rules", case.text("text")),
            paths => Engine::load(paths),
        };
        engine.get_or_init(|| load().ok().map(Arc::new)).clone()
    }
}

pub fn dump(case: &Case, policies: &Policies) -> Json {
    let Some(engine) = policies.engine(case.text("policy")) else { return json!({ "unloaded": case.text("policy") }) };
    let event = match HookEvent::from_host(case.text("host"), &case.payload()) {
        Ok(event) => event,
        Err(error) => return json!({ "unread": word_of(&error), "message": error.to_string() }),
    };
    let facts = StatedFacts::for_examples();
    let facts = match case.0.get("facts").and_then(Json::as_object) {
        Some(stated) => match facts.with_json(stated) {
            Ok(facts) => facts,
            Err(error) => return json!({ "unread": "facts", "message": error.to_string() }),
        },
        None => facts,
    };
    let judged = engine.judge(&event, &facts);
    let explained = (engine.rules().count() <= EXPLAINED).then(|| engine.explain(&event, &facts));
    let traced = explained.as_ref().unwrap_or(&judged);
    let trace = |rules: &[JudgedRule]| rules.iter().map(rule).collect::<Vec<Json>>();
    json!({
        "event": event.event().name(),
        "decision": judged.decision().keyword(),
        "message": judged.message(),
        "votes": votes(&judged),
        "rules": trace(traced.rules()),
        "again": trace(traced.rules_after_rewrites()),
        "effects": judged.effects().iter().map(effect).collect::<Vec<Json>>(),
        "observed": observed(&judged),
        // The index leaves out rules that do not match, and nothing else.
        "explained_decision": explained.as_ref().map(|explained| explained.decision().keyword()),
    })
}

fn word_of(error: &EventError) -> &'static str {
    match error {
        EventError::UnknownEvent(_) => "event",
        EventError::UnknownHost(_) => "host",
        EventError::Unreadable(_) => "payload",
        _ => "other",
    }
}

fn votes(judged: &Judgement) -> Vec<Json> {
    let vote = |vote: &hookrules::RuleDecision| {
        json!({
            "rule": vote.rule, "decision": vote.decision.keyword(), "prevails": vote.prevails, "message": vote.message,
        })
    };
    judged.reasons().iter().map(vote).collect()
}

fn rule(judged: &JudgedRule) -> Json {
    let (outcome, why) = outcome(&judged.outcome);
    json!({
        "rule": judged.name,
        "outcome": outcome,
        "why": why,
        "matched": judged.matched,
        "conditions": judged.conditions.iter().map(condition).collect::<Vec<Json>>(),
    })
}

fn condition(judged: &JudgedCondition) -> Json {
    let (outcome, why) = outcome(&judged.outcome);
    json!({
        "condition": judged.text,
        "outcome": outcome,
        "why": why,
        "note": judged.note,
        "parts": judged.parts.iter().map(condition).collect::<Vec<Json>>(),
    })
}

fn outcome(outcome: &MatchOutcome) -> (&'static str, Option<&str>) {
    match outcome {
        MatchOutcome::Match => ("match", None),
        MatchOutcome::NoMatch => ("no-match", None),
        MatchOutcome::Unknown(why) => ("unknown", Some(why)),
    }
}

/// Returns the votes of rules that only observe: the API has them in the JSON of `rules eval`, whose members are
/// documented.
fn observed(judged: &Judgement) -> Json {
    let report = serde_json::to_value(judged).unwrap_or_default();
    report.get("observed").cloned().unwrap_or(Json::Null)
}

fn effect(effect: &PlannedEffect<'_>) -> Json {
    match effect {
        PlannedEffect::RewriteInput { tool_input } => json!({ "effect": "rewrite input", "input": tool_input }),
        PlannedEffect::RewriteOutput { tool_response } => {
            json!({ "effect": "rewrite output", "output": tool_response })
        }
        PlannedEffect::Context { rule, text } => json!({ "effect": "context", "rule": rule, "text": text }),
        PlannedEffect::Warn { rule, text } => json!({ "effect": "warn", "rule": rule, "text": text }),
        PlannedEffect::Exit { rule, code, text } => {
            json!({ "effect": "exit", "rule": rule, "exit_code": code, "text": text })
        }
        PlannedEffect::Run(started) => run(started),
        PlannedEffect::Notify { rule, title, body } => {
            json!({ "effect": "notify", "rule": rule, "title": title, "body": body })
        }
        PlannedEffect::Record { rule, file, fields, times } => {
            json!({ "effect": "record", "rule": rule, "file": file, "fields": fields, "times": times })
        }
    }
}

fn run(run: &Run) -> Json {
    let command = match &run.command {
        Command::Shell { script, parameters } => json!({ "shell": script, "parameters": parameters }),
        Command::Argv(words) => json!({ "argv": words }),
    };
    let options = &run.options;
    let on_fail = options.on_fail.map(|on_fail| match on_fail {
        OnFail::Ignore => "ignore",
        OnFail::Warn => "warn",
        OnFail::Context => "context",
        OnFail::Ask => "ask",
        OnFail::Deny => "deny",
    });
    let stdin = match options.stdin {
        Stdin::Payload => "payload",
        Stdin::None => "none",
    };
    let output = match options.output {
        OutputKind::Text => "text",
        OutputKind::Context => "context",
        OutputKind::Hook => "hook",
    };
    json!({
        "effect": "run",
        "rule": run.rule,
        "command": command,
        "milliseconds": u64::try_from(run.timeout.as_millis()).unwrap_or(u64::MAX),
        "message": run.message,
        "cwd": run.cwd,
        "env": run.env,
        "denies": run.denies,
        "options": {
            "show_stdout": options.show_stdout,
            "show_stderr": options.show_stderr,
            "max_output_lines": options.max_output_lines,
            "on_fail": on_fail,
            "notify": options.notify,
            "background": options.background,
            "stdin": stdin,
            "output": output,
            "attempts": options.attempts,
        },
    })
}
