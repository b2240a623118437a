//! `rules explain`: what the policy does with one event, and why, for a person.
#![expect(clippy::disallowed_methods, reason = "the event is judged on this machine")]

use std::io::Read;
use std::path::PathBuf;

use serde_json::Value as Json;

use super::load::load_whole;
use super::print::{Printer, Style, count};
use super::{Outcome, hosts};
use crate::context::Context;
use crate::eval::{Detail, Judged, Node, Outcome as Judgement, Role, Truth, evaluate};
use crate::facts::MachineFacts;
use crate::host::{Decoded, Host, decode};
use crate::policy::Policy;
use crate::ruleset::{Mode, Rule};
use crate::span::Span;
use crate::verdict::{Decision, Verdict};
use crate::visible::present;

/// The most bytes of an event.
const LIMIT: u64 = 64 << 20;

/// How many characters of a line of a command are shown.
const LINE: usize = 400;

/// Say what the policy does with one event, and why
///
/// Shows every rule that the event selects, and which part of its condition is
/// true, false or unknown. Nothing is performed.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The payload as the host sends it: a file; without it, standard input
    #[arg(long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    event: PathBuf,

    /// A file or directory; without it, all layers around the current directory
    #[arg(long, value_name = "PATH")]
    policy: Option<PathBuf>,

    /// Who sends it
    #[arg(long, value_name = "HOST", default_value = Host::ClaudeCode.name(), value_parser = hosts())]
    host: Host,
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    let policy = match load_whole(args.policy.as_slice(), printer) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let bytes = match read(args) {
        Ok(bytes) => bytes,
        Err(error) => {
            printer.err(&format!("rules: {}: {error}\n", args.event.display()));
            return Outcome::Findings;
        }
    };
    let payload = match decode(args.host, &bytes) {
        Decoded::Event { payload, damage } => {
            if let Some(damage) = damage {
                printer.err(&format!("rules: the payload cannot be read as it should: {damage}\n"));
            }
            payload
        }
        Decoded::UnknownEvent(event) => {
            printer.out(&format!("`{event}` is an event that this version does not know: it passes\n"));
            return Outcome::Clean;
        }
        Decoded::Unreadable(reason) => {
            printer.err(&format!("rules: {reason}\n"));
            return Outcome::Findings;
        }
    };
    let facts = MachineFacts::new(std::env::current_dir().ok());
    let context = Context::new(&payload, args.host.name(), &facts, &policy.settings.shell_tools);
    let evaluation = evaluate(&policy.rules, &context, Detail::Conditions);
    headline(&context, &evaluation.verdict, printer);
    for judged in &evaluation.trace.rules {
        explain(judged, &policy, printer);
    }
    if !evaluation.trace.again.is_empty() {
        printer.out("\nonce more, on the input after the rewrites:\n");
        for judged in &evaluation.trace.again {
            explain(judged, &policy, printer);
        }
    }
    footer(&policy, &context, evaluation.trace.rules.len(), printer);
    Outcome::Clean
}

fn read(args: &Args) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if args.event.as_os_str() == "-" {
        std::io::stdin().lock().take(LIMIT).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(&args.event)?.take(LIMIT).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn headline(context: &Context<'_>, verdict: &Verdict, printer: &mut Printer) {
    let decision = verdict.decision();
    let style = match decision {
        Decision::Pass => Style::Dim,
        Decision::Allow => Style::Green,
        Decision::Ask => Style::Yellow,
        Decision::Deny | Decision::Halt => Style::Red,
    };
    let subject = context.head_subject().map(|subject| format!("({})", present(subject, 80))).unwrap_or_default();
    if let Some(problem) = context.transcript_problem() {
        printer.err(&format!("rules: which subagent stopped cannot be told: {problem}\n"));
    }
    let event = printer.paint(Style::Bold, &format!("{}{subject}", context.payload().event.name()));
    let note = if decision == Decision::Pass { ": no rule votes, the host decides" } else { "" };
    printer.out(&format!("{event} → {}{note}\n", printer.paint(style, decision.word())));
    for line in verdict.message().lines() {
        printer.out(&format!("  {line}\n"));
    }
    for (word, texts) in [("context", &verdict.contexts), ("warn", &verdict.warnings)] {
        for note in texts {
            printer.out(&format!("  {word} by {}: {}\n", note.rule, note.text));
        }
    }
    for exit in &verdict.exits {
        printer.out(&format!("  exit {} by {}: {}\n", exit.code, exit.rule, exit.message));
    }
    if let Some(input) = &verdict.updated_input {
        printer.out(&format!("  the input becomes {input}\n"));
        let member = context.command_member().unwrap_or_default();
        let text = |input: Option<&Json>| input.and_then(|input| input.get(member)?.as_str().map(str::to_owned));
        if let (Some(before), Some(after)) = (text(context.payload().tool_input()), text(Some(input))) {
            difference(&before, &after, printer);
        }
    }
    for run in &verdict.runs {
        printer.out(&format!("  run by {}: {}\n", run.rule, run.shown));
    }
    for notification in &verdict.notifications {
        printer.out(&format!("  notify by {}: {}\n", notification.rule, notification.title));
    }
    for record in &verdict.records {
        printer.out(&format!("  record by {}: {}\n", record.rule, record.file));
    }
}

/// Prints the lines of a command that are other than before.
fn difference(before: &str, after: &str, printer: &mut Printer) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let is_same = |at: usize| old.len() == new.len() && old.get(at) == new.get(at);
    for (lines, sign, style) in [(&old, '-', Style::Red), (&new, '+', Style::Green)] {
        for (_, line) in lines.iter().enumerate().filter(|(at, _)| !is_same(*at)) {
            printer.out(&format!("    {}\n", printer.paint(style, &format!("{sign} {}", present(line, LINE)))));
        }
    }
}

fn explain(judged: &Judged, policy: &Policy, printer: &mut Printer) {
    let Some(rule) = policy.rules.rules().get(judged.index) else { return };
    let (style, outcome) = match &judged.outcome {
        Judgement::Match => (Style::Cyan, format!("matches → {}", effects(rule))),
        Judgement::NoMatch => (Style::Dim, "does not match".to_owned()),
        Judgement::Unknown(reason) => (Style::Yellow, format!("is unknown: {}", reason.sentence())),
    };
    let mut notes = Vec::new();
    if rule.traits.mode == Mode::Observe {
        notes.push("only observed");
    }
    if judged.role == Role::VotesOfPreToolUse {
        notes.push("for its votes on PreToolUse");
    }
    if judged.through_link {
        notes.push("through a symbolic link");
    }
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    let place = printer.paint(Style::Dim, &policy.sources.place(rule.name_span));
    let name = printer.paint(Style::Bold, &rule.shown);
    printer.out(&format!("\n{name} {}{notes}  {place}\n", printer.paint(style, &outcome)));
    if judged.parts.is_empty() {
        let why = if rule.when.is_none() && rule.unless.is_none() { "it has no condition" } else { "its head decides" };
        printer.out(&format!("    {}\n", printer.paint(Style::Dim, why)));
    }
    let mut leaves = Vec::new();
    judged.parts.iter().for_each(|part| collect(part, &mut leaves));
    underline(&leaves, policy, printer);
}

fn effects(rule: &Rule) -> String {
    let mut words: Vec<&str> = rule.effects.iter().map(super::list::effect).collect();
    words.dedup();
    words.join(", ")
}

/// Collects the parts that were judged by themselves, in the order in which they were.
fn collect<'n>(node: &'n Node, leaves: &mut Vec<&'n Node>) {
    if node.parts.is_empty() {
        leaves.push(node);
    }
    node.parts.iter().for_each(|part| collect(part, leaves));
}

/// Prints the lines that the parts stand on, each once, and under them what each part came to.
fn underline(leaves: &[&Node], policy: &Policy, printer: &mut Printer) {
    let mut shown: Option<(Span, usize)> = None;
    for leaf in leaves {
        let Some(file) = policy.sources.file(leaf.span) else { continue };
        let (number, column) = file.line_column(leaf.span.start);
        let line = file.line(number);
        let same = shown.is_some_and(|(span, earlier)| span.file == leaf.span.file && earlier == number);
        if !same {
            printer.out(&format!("  {number:>4} │ {line}\n"));
            shown = Some((leaf.span, number));
        }
        let width = file.slice(leaf.span).lines().next().unwrap_or_default().chars().count().max(1);
        let (style, mark) = match leaf.truth {
            Truth::True => (Style::Green, '━'),
            Truth::False => (Style::Red, '━'),
            Truth::Unknown(_) => (Style::Yellow, '┅'),
        };
        // A tab before the part is as wide under it as in the line above.
        let lead: String = line.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        let bar = printer.paint(style, &mark.to_string().repeat(width));
        let note = match (&leaf.truth, &leaf.note) {
            (Truth::Unknown(reason), _) => format!(": {}", reason.sentence()),
            (_, Some(note)) => format!(": {note}"),
            (_, None) => String::new(),
        };
        printer.out(&format!("       │ {lead}{bar} {}{note}\n", printer.paint(style, leaf.truth.word())));
    }
}

fn footer(policy: &Policy, context: &Context<'_>, selected: usize, printer: &mut Printer) {
    let line =
        format!("{selected} of {} selected by what stands in `on` and `by`", count(policy.rules.rules().len(), "rule"));
    printer.out(&format!("\n{}\n", printer.paint(Style::Dim, &line)));
    let project = context.roots().project.as_ref().map(|project| format!("in the project {}", project.display()));
    let place = format!("judged {}", project.unwrap_or_else(|| "without a project".to_owned()));
    printer.out(&format!("{}\n", printer.paint(Style::Dim, &place)));
}
