//! `rules list`: the rules in evaluation order; or the events of the schema, or the packs.

use std::path::PathBuf;

use super::Outcome;
use super::load::load_whole;
use super::print::{Printer, Style, count};
use crate::diagnostic::nearest;
use crate::escape::line;
use crate::packs::{PACKS, pack, purpose};
use crate::ruleset::{Effect, Mode, Rewrite, Rule};
use crate::schema::{Event, Subject};

/// Up to this many characters of what a rule does, the places of the rules stand below each other.
const WHAT: usize = 48;

/// How many characters of a name that no pack has are shown.
const SHOWN: usize = 60;

/// List the rules in evaluation order
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Files or directories. Default: all layers around the current directory
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// List the events that a rule can name, and what each can answer
    #[arg(long)]
    events: bool,

    /// List the packs that a policy can `use`
    #[arg(long, conflicts_with = "events")]
    packs: bool,

    /// Print the source of a pack, e.g. std/git
    #[arg(long, value_name = "NAME", conflicts_with_all = ["events", "packs", "paths"])]
    pack: Option<String>,
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    if args.events {
        events(printer);
        return Outcome::Clean;
    }
    if args.packs {
        list_packs(printer);
        return Outcome::Clean;
    }
    if let Some(name) = &args.pack {
        return print_pack(name, printer);
    }
    let policy = match load_whole(&args.paths, printer) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let rules = policy.rules.rules();
    let name_width = |rule: &Rule| rule.shown.chars().count();
    let what_width = |rule: &Rule| what(rule).chars().count();
    let width = rules.iter().map(|rule| name_width(rule)).max().unwrap_or(0);
    let column = rules.iter().map(|rule| what_width(rule)).max().unwrap_or(0).min(WHAT);
    for rule in rules {
        let padding = " ".repeat(width - name_width(rule));
        let gap = " ".repeat(column.saturating_sub(what_width(rule)));
        let name = printer.paint(Style::Bold, &rule.shown);
        let place = printer.paint(Style::Dim, &policy.sources.place(rule.name_span));
        printer.out(&format!("{name}{padding}  {}{gap}  {place}\n", what(rule)));
        if let Some(doc) = rule.docs.first() {
            printer.out(&format!("{}  {doc}\n", " ".repeat(width)));
        }
    }
    printer.out(&format!("{}\n", count(rules.len(), "rule")));
    Outcome::Clean
}

fn what(rule: &Rule) -> String {
    let mut words = Vec::new();
    match rule.traits.mode {
        Mode::Active => {}
        Mode::Observe => words.push("@observe".to_owned()),
        Mode::Off => words.push("@off".to_owned()),
    }
    words.extend(rule.traits.labels.severity.iter().map(|severity| format!("@{severity}")));
    let events: Vec<&str> = match rule.head.every_event {
        true => vec!["*"],
        false => rule.head.event_set().into_iter().map(Event::name).collect(),
    };
    words.push(events.join(", "));
    let mut effects: Vec<&str> = rule.effects.iter().map(effect).collect();
    effects.dedup();
    words.push(format!("→ {}", effects.join(", ")));
    words.join(" ")
}

pub(super) fn effect(effect: &Effect) -> &'static str {
    match effect {
        Effect::Vote { decision, .. } => decision.word(),
        Effect::Exit { .. } => "exit",
        Effect::Context(_) => "context",
        Effect::Warn(_) => "warn",
        Effect::Rewrite(Rewrite::Runs(_) | Rewrite::Set(..) | Rewrite::Replace(..)) => "rewrite",
        Effect::Notify { .. } => "notify",
        Effect::Run(_) => "run",
        Effect::Record(_) => "record",
    }
}

fn list_packs(printer: &mut Printer) {
    let width = PACKS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, text) in PACKS {
        let padding = " ".repeat(width - name.len());
        let name = printer.paint(Style::Bold, name);
        printer.out(&format!("{name}{padding}  {}\n", purpose(text)));
    }
}

fn print_pack(name: &str, printer: &mut Printer) -> Outcome {
    match pack(name).or_else(|| pack(&format!("std/{name}"))) {
        Some(text) => {
            printer.out(text);
            Outcome::Clean
        }
        None => {
            let near = nearest(name, PACKS.iter().map(|(name, _)| *name));
            let near = near.map_or("`rules list --packs` lists them".to_owned(), |near| format!("`{near}` exists"));
            printer.err(&format!("rules: unknown pack `{}`; {near}\n", line(name, SHOWN)));
            Outcome::Usage
        }
    }
}

fn events(printer: &mut Printer) {
    let subjects: Vec<String> = Event::ALL
        .iter()
        .map(|event| match event.spec().subject {
            Subject::None => String::new(),
            Subject::Tool => "(tool_name)".to_owned(),
            Subject::Field(name) => format!("({name})"),
            Subject::BaseName(name) => format!("(name of {name})"),
        })
        .collect();
    let heads = || Event::ALL.iter().map(|event| event.name()).zip(&subjects);
    let width = heads().map(|(name, subject)| name.len() + subject.len()).max().unwrap_or(0);
    for (event, (name, subject)) in Event::ALL.iter().zip(heads()) {
        let can: Vec<&str> = event.spec().answers.words().collect();
        let padding = " ".repeat(width - name.len() - subject.len());
        let name = printer.paint(Style::Bold, name);
        printer.out(&format!("{name}{subject}{padding}  {}\n", can.join(" ")));
    }
}
