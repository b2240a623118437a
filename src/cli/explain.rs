//! `rules explain`: what the policy does with one event, and why, for a person.

mod cost;

use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;

use serde_json::Value as Json;

use super::load::{Around, load_whole_around};
use super::print::{Printer, Style, count};
use super::{Outcome, hosts};
use crate::context::{Context, Reason};
use crate::eval::{Detail, Judged, Node, Outcome as Judgement, Role, Trace, Truth, evaluate};
use crate::facts::{CountedFacts, MachineFacts};
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

/// How many lines of each end of a list are shown.
const ENDS: usize = 3;

/// Say what the policy does with one event, and why
///
/// Shows every rule that matches or cannot be judged, and which part of its
/// condition is true, false or unknown. Nothing is performed.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The payload as the host sends it: a file; without it, standard input
    #[arg(long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    event: PathBuf,

    /// The project; without it, the one that a hook would take for the payload:
    /// that which the host names in the environment, else the payload's `cwd`,
    /// whichever exists, else the current directory
    #[arg(long, value_name = "DIR", verbatim_doc_comment)]
    project: Option<PathBuf>,

    /// A file or directory; without it, all layers around the project
    #[arg(long, value_name = "PATH")]
    policy: Option<PathBuf>,

    /// Who sends it
    #[arg(long, value_name = "HOST", default_value = Host::ClaudeCode.name(), value_parser = hosts())]
    host: Host,

    /// Also show the rules that the event selects and that do not match
    #[arg(long)]
    all: bool,

    /// Also count what a hook looks at, and say which rules it need not
    #[arg(long)]
    cost: bool,
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    let around = Around::new(args.project.as_deref(), args.host);
    let decoded = read(args).map(|bytes| decode(args.host, &bytes));
    let project = match &decoded {
        Ok(Decoded::Event { payload, .. }) => around.project(payload),
        _ => around.without_payload(),
    };
    let policy = match load_whole_around(project.clone(), args.policy.as_slice(), printer) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let decoded = match decoded {
        Ok(decoded) => decoded,
        Err(error) => {
            printer.err(&format!("rules: {}: {error}\n", args.event.display()));
            return Outcome::Findings;
        }
    };
    let payload = match decoded {
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
    let facts = MachineFacts::new(project);
    let context = Context::new(&payload, args.host.name(), &facts, &policy.settings.shell_tools);
    let evaluation = evaluate(&policy.rules, &context, Detail::Conditions);
    let counted = CountedFacts::new(&facts);
    let hook = args.cost.then(|| cost::evaluation(&policy, &payload, args.host.name(), &counted));
    headline(&context, &evaluation.verdict, printer);
    let looked_at = |trace: fn(&Trace) -> &Vec<Judged>| {
        hook.as_ref().map(|hook| trace(&hook.trace).iter().map(|judged| judged.index).collect())
    };
    let mut told = Told { policy: &policy, all: args.all, reasons: BTreeSet::new() };
    told.rules(&evaluation.trace.rules, looked_at(|trace| &trace.rules), printer);
    if !evaluation.trace.again.is_empty() {
        printer.out("\nonce more, on the input after the rewrites:\n");
        told.rules(&evaluation.trace.again, looked_at(|trace| &trace.again), printer);
    }
    if let Some(hook) = &hook {
        cost::print(&hook.cost, &counted, printer);
    }
    footer(&policy, &context, evaluation.trace.rules.len(), printer);
    Outcome::Clean
}

#[expect(clippy::disallowed_methods, reason = "the event may come through a pipe that has a name")]
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

/// What is told of rules.
struct Told<'t> {
    policy: &'t Policy,
    /// Also of those that do not match.
    all: bool,
    /// Why something is unknown, each reason once: what a text hides is often hidden from many rules.
    reasons: BTreeSet<String>,
}

impl Told<'_> {
    /// Explains rules: what matches, what is unknown, and what does not match, if that is wanted. Where it is known
    /// which of them a hook looks at, the others are marked.
    fn rules(&mut self, rules: &[Judged], looked_at: Option<BTreeSet<usize>>, printer: &mut Printer) {
        let is_left_out = |judged: &Judged| looked_at.as_ref().is_some_and(|looked| !looked.contains(&judged.index));
        let mut sorted: Vec<&Judged> = rules.iter().collect();
        sorted.sort_by_key(|judged| match judged.outcome {
            Judgement::Match => 0,
            Judgement::Unknown(_) => 1,
            Judgement::NoMatch => 2,
        });
        let is_quiet = |judged: &&Judged| !self.all && judged.outcome == Judgement::NoMatch;
        let (quiet, shown): (Vec<&Judged>, Vec<&Judged>) = sorted.into_iter().partition(is_quiet);
        for judged in shown {
            self.rule(judged, is_left_out(judged).then_some("left out by the index"), printer);
        }
        let left_out = match quiet.iter().filter(|judged| is_left_out(judged)).count() {
            0 => String::new(),
            left_out => format!(", {left_out} of them left out by the index"),
        };
        let line = match quiet.len() {
            0 => return,
            1 => format!("1 rule does not match{left_out}; `--all` shows it"),
            several => format!("{several} rules do not match{left_out}; `--all` shows them"),
        };
        printer.out(&format!("\n{}\n", printer.paint(Style::Dim, &line)));
    }

    fn rule(&mut self, judged: &Judged, note: Option<&str>, printer: &mut Printer) {
        let policy = self.policy;
        let Some(rule) = policy.rules.rules().get(judged.index) else { return };
        let mut leaves = Vec::new();
        judged.parts.iter().for_each(|part| collect(part, &mut leaves));
        // Where a part says why, the rule need not.
        let is_told = |reason: &Reason| leaves.iter().any(|leaf| leaf.truth == Truth::unknown(reason.clone()));
        let (style, outcome) = match &judged.outcome {
            Judgement::Match => (Style::Cyan, format!("matches → {}", effects(rule))),
            Judgement::NoMatch => (Style::Dim, "does not match".to_owned()),
            Judgement::Unknown(reason) if is_told(reason) => (Style::Yellow, "is unknown".to_owned()),
            Judgement::Unknown(reason) => (Style::Yellow, format!("is unknown: {}", self.reason(reason))),
        };
        let mut notes: Vec<&str> = note.into_iter().collect();
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
            let unconditional = rule.when.is_none() && rule.unless.is_none();
            let why = if unconditional { "it has no condition" } else { "its head decides" };
            printer.out(&format!("    {}\n", printer.paint(Style::Dim, why)));
        }
        self.underline(&leaves, printer);
    }

    /// Returns a reason where it is new.
    fn reason(&mut self, reason: &Reason) -> String {
        let sentence = reason.sentence();
        if self.reasons.insert(sentence.clone()) { sentence } else { "for the same reason as above".to_owned() }
    }

    /// Prints the lines that the parts stand on, each once, and under them what each part came to.
    fn underline(&mut self, leaves: &[&Node], printer: &mut Printer) {
        let mut shown: Option<(Span, usize)> = None;
        for leaf in leaves {
            let Some(file) = self.policy.sources.file(leaf.span) else { continue };
            let (first, column) = file.line_column(leaf.span.start);
            let (last, end) = file.line_column(leaf.span.end);
            let known = shown.filter(|(span, _)| span.file == leaf.span.file).map_or(0, |(_, line)| line);
            // Of a long list its ends are shown.
            let (head, tail) = (first.saturating_add(ENDS), last.saturating_sub(ENDS));
            let mut is_cut = false;
            for number in (first..=last).filter(|number| *number > known || known > last) {
                if number < head || number > tail {
                    printer.out(&format!("  {number:>4} │ {}\n", file.line(number)));
                } else if !std::mem::replace(&mut is_cut, true) {
                    printer.out("       │ …\n");
                }
            }
            shown = Some((leaf.span, last));
            let line = file.line(last);
            let blank = line.chars().take_while(|c| c.is_whitespace()).count();
            let from = if first == last { column.saturating_sub(1) } else { blank };
            let width = end.saturating_sub(1).saturating_sub(from).max(1);
            let (style, mark) = match leaf.truth {
                Truth::True => (Style::Green, '━'),
                Truth::False => (Style::Red, '━'),
                Truth::Unknown(_) => (Style::Yellow, '┅'),
            };
            // A tab before the part is as wide under it as in the line above.
            let lead: String = line.chars().take(from).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            let bar = printer.paint(style, &mark.to_string().repeat(width));
            let note = match (&leaf.truth, &leaf.note) {
                (Truth::Unknown(reason), _) => format!(": {}", self.reason(reason)),
                (_, Some(note)) => format!(": {note}"),
                (_, None) => String::new(),
            };
            printer.out(&format!("       │ {lead}{bar} {}{note}\n", printer.paint(style, leaf.truth.word())));
        }
    }
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

fn footer(policy: &Policy, context: &Context<'_>, selected: usize, printer: &mut Printer) {
    let line =
        format!("{selected} of {} selected by what stands in `on` and `by`", count(policy.rules.rules().len(), "rule"));
    printer.out(&format!("\n{}\n", printer.paint(Style::Dim, &line)));
    let project = context.roots().project.as_ref().map(|project| format!("in the project {}", project.display()));
    let place = format!("judged {}", project.unwrap_or_else(|| "without a project".to_owned()));
    printer.out(&format!("{}\n", printer.paint(Style::Dim, &place)));
}
