//! `rules explain`: shows a person what the policy does with one event, and why.

mod cost;
mod layers;
pub(super) mod lines;
mod rules;

use std::io::Read;
use std::path::PathBuf;

use serde_json::Value as Json;

use super::hook::{self, Registered};
use super::load::{Around, load_whole_around};
use super::print::{Printer, Style, count};
use super::{Outcome, hosts, registration as here};
use crate::context::Context;
use crate::escape;
use crate::eval::{Detail, Judged, Trace, evaluate};
use crate::facts::{CountedFacts, MachineFacts};
use crate::files::reason;
use crate::hooks::{Guard, complete};
use crate::host::{Decoded, Host, decode};
use crate::host_settings::Scope;
use crate::policy::Policy;
use crate::project::discover;
use crate::trust;
use crate::verdict::{Decision, Speaker, Verdict};

use lines::{WIDTH, wrapped};
use rules::Explainer;

/// The most bytes of an event.
const LIMIT: u64 = 64 << 20;

/// How many characters of a line of a command are shown.
const LINE: usize = 400;

/// How many lines of a command of the policy are shown.
const RUN: usize = 8;

/// Show what the policy does with one event, and why
///
/// Shows every rule that matches, or that votes because it is unknown, and which
/// part of its condition is true, false or unknown. Has no side effects.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A file with the payload as the host sends it. Default: standard input
    #[arg(long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    event: PathBuf,

    /// The project. Default: the one that a hook would take for the payload,
    /// which is the one that the host names in the environment, the payload's
    /// `cwd`, or the current directory, whichever exists first
    #[arg(long, value_name = "DIR", verbatim_doc_comment)]
    project: Option<PathBuf>,

    /// A file or directory. Default: all layers around the project
    #[arg(long, value_name = "PATH")]
    policy: Option<PathBuf>,

    /// The host
    #[arg(long, value_name = "HOST", default_value = Host::ClaudeCode.name(), value_parser = hosts())]
    host: Host,

    /// Show every rule that the event selects, even those that do not match
    #[arg(long)]
    all: bool,

    /// Also count what a hook looks at, and show which rules it skips
    #[arg(long)]
    cost: bool,

    /// Judge as the hook of a registration does: say which layers it finds, and
    /// where, leave out what is not trusted, and add what a hook says by itself,
    /// as of a policy that does not load. The options below say how it is
    /// registered
    #[arg(long, conflicts_with_all = ["policy", "cost"], verbatim_doc_comment)]
    as_hook: bool,

    #[command(flatten)]
    registered: Registered,
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    if !args.as_hook && args.registered != Registered::default() {
        printer.err("rules: the options of a registration need `--as-hook`\n");
        return Outcome::Usage;
    }
    let otherwise = if args.as_hook { Scope::User } else { Scope::Project };
    // Without a word about it, the registration is the one that there is.
    let present = Some(()).filter(|()| args.as_hook && args.registered == Registered::default());
    let present = present.and_then(|()| here::present());
    let registered = present.as_ref().map_or(&args.registered, |present| &present.registered);
    let registration = hook::registration(args.host, registered, otherwise, None);
    let around = Around::of(args.project.as_deref(), registration.clone());
    let decoded = read(args).map(|bytes| decode(args.host, &bytes));
    let places = match &decoded {
        Ok(Decoded::Event { payload, .. }) => around.places(payload),
        _ => around.without_payload(),
    };
    let policy = if args.as_hook {
        let discovery = discover(&places);
        let (policy, _) = trust::load(&discovery, &places);
        let payload = match &decoded {
            Ok(Decoded::Event { payload, .. }) => Some(payload),
            _ => None,
        };
        match &present {
            Some(present) => {
                let place = here::shown(&present.file);
                printer.out(&format!("the hook is the one that {place}:{} registers\n", present.line));
            }
            None if args.registered == Registered::default() => {
                printer.out("no hook is registered here; this is what one in the user's settings would do\n");
            }
            None => {}
        }
        layers::print((&registration, payload), &places, &discovery, &policy, printer);
        policy
    } else {
        match load_whole_around(&places, args.policy.as_slice(), printer) {
            Ok(policy) => policy,
            Err(outcome) => return outcome,
        }
    };
    let decoded = match decoded {
        Ok(decoded) => decoded,
        Err(error) => {
            printer.err(&format!("rules: {}: {}\n", args.event.display(), reason(&error)));
            return Outcome::Findings;
        }
    };
    let (payload, damage) = match decoded {
        Decoded::Event { payload, damage } => {
            if let Some(damage) = &damage {
                printer.err(&format!("rules: the payload is damaged: {damage}\n"));
            }
            (payload, damage)
        }
        Decoded::UnknownEvent(event) => {
            printer.out(&format!("`{event}` is unknown to this version: it passes\n"));
            return Outcome::Clean;
        }
        Decoded::Unreadable(reason) => {
            printer.err(&format!("rules: {reason}\n"));
            return Outcome::Findings;
        }
    };
    let facts = MachineFacts::new(places.project.clone());
    let context = Context::new(&payload, args.host.name(), &facts, &policy.settings.shell_tools);
    let mut evaluation = evaluate(&policy.rules, &context, Detail::Conditions);
    // A policy that is named does not stand where an edit would break it.
    if args.as_hook {
        let event = (&payload, damage.as_deref());
        complete(event, &context, &policy, (&registration, &places), &mut evaluation.verdict);
    } else if args.policy.is_none() {
        let sources = || policy.files();
        let guard =
            Guard { payload: &payload, context: &context, policy: Some(&policy), sources: &sources, places: &places };
        let Ok(()) = guard.check(&policy.rules, &mut evaluation.verdict);
    }
    let counted = CountedFacts::new(&facts);
    let hook = args.cost.then(|| cost::evaluation(&policy, &payload, args.host.name(), &counted));
    headline(&context, &evaluation.verdict, printer);
    let looked_at = |trace: fn(&Trace) -> &Vec<Judged>| {
        hook.as_ref().map(|hook| trace(&hook.trace).iter().map(|judged| judged.index).collect())
    };
    let mut explainer = Explainer::new(&policy, &evaluation.verdict, args.all);
    explainer.rules(&evaluation.trace.rules, looked_at(|trace| &trace.rules), printer);
    if !evaluation.trace.again.is_empty() {
        printer.out("\nagain, on the input after the rewrites:\n");
        explainer.rules(&evaluation.trace.again, looked_at(|trace| &trace.again), printer);
    }
    if let Some(hook) = &hook {
        cost::print(&hook.cost, &counted, printer);
    }
    footer(&policy, &context, evaluation.trace.rules.len(), printer);
    if !args.as_hook && args.policy.is_none() {
        layers::note_of_trust(&places, (args.host, &payload), &evaluation.verdict, printer);
    }
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
    let subject = context.head_subject().map(|subject| format!("({})", escape::line(subject, 80))).unwrap_or_default();
    if let Some(problem) = context.transcript_problem() {
        printer
            .err(&format!("rules: it is not known which subagent stopped: {}\n", escape::line(&problem, usize::MAX)));
    }
    let event = printer.paint(Style::Bold, &format!("{}{subject}", context.payload().event.name()));
    let note = if decision == Decision::Pass { ": no rule votes, the host decides" } else { "" };
    printer.out(&format!("{event} → {}{note}\n", printer.paint(style, decision.word())));
    for line in verdict.message().lines() {
        printer.out(&wrapped("  ", "    ", line));
    }
    if verdict.winners().any(|vote| vote.by == Speaker::Program) {
        printer.out(&format!("  {}\n", printer.paint(Style::Dim, "the hook itself says so, whatever the rules say")));
    }
    for (word, texts) in [("context", &verdict.contexts), ("warn", &verdict.warnings)] {
        for note in texts {
            print_text(&format!("{word} by {}", note.by), &note.text, usize::MAX, printer);
        }
    }
    for exit in &verdict.exits {
        print_text(&format!("exit {} by {}", exit.code, exit.rule), &exit.message, usize::MAX, printer);
    }
    if let Some(output) = &verdict.updated_output {
        printer.out(&format!("  the output becomes {output}\n"));
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
        print_text(&format!("run by {}", run.rule), &run.shown, RUN, printer);
    }
    for notification in &verdict.notifications {
        printer.out(&format!("  notify by {}: {}\n", notification.by, notification.title));
    }
    for record in &verdict.records {
        printer.out(&format!("  record by {}: {}\n", record.rule, record.file));
    }
}

/// Prints a text of a rule: behind what it is, or below it, if it has several lines, up to so many of them.
fn print_text(what: &str, text: &str, limit: usize, printer: &mut Printer) {
    let text = text.trim_end();
    if !text.contains('\n') {
        printer.out(&wrapped("  ", "    ", &format!("{what}: {text}")));
        return;
    }
    printer.out(&format!("  {what}:\n"));
    let lines: Vec<&str> = text.lines().collect();
    for line in lines.iter().take(limit) {
        printer.out(&format!("    {}\n", escape::line(line, WIDTH)));
    }
    if let Some(more) = lines.len().checked_sub(limit).filter(|more| *more > 0) {
        printer.out(&format!("    … and {}\n", count(more, "more line")));
    }
}

/// Prints the lines of a command that are other than before.
fn difference(before: &str, after: &str, printer: &mut Printer) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let is_same = |at: usize| old.len() == new.len() && old.get(at) == new.get(at);
    for (lines, sign, style) in [(&old, '-', Style::Red), (&new, '+', Style::Green)] {
        for (_, line) in lines.iter().enumerate().filter(|(at, _)| !is_same(*at)) {
            printer.out(&format!("    {}\n", printer.paint(style, &format!("{sign} {}", escape::line(line, LINE)))));
        }
    }
}

fn footer(policy: &Policy, context: &Context<'_>, selected: usize, printer: &mut Printer) {
    let total = count(policy.rules.rules().len(), "rule");
    let line = format!("{selected} of {total} selected by `on` and `by`");
    printer.out(&format!("\n{}\n", printer.paint(Style::Dim, &line)));
    let project = context.roots().project.as_ref().map(|project| format!("in the project {}", project.display()));
    let place = format!("judged {}", project.unwrap_or_else(|| "without a project".to_owned()));
    printer.out(&format!("{}\n", printer.paint(Style::Dim, &place)));
}
