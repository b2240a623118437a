//! `rules explain`: shows a person what the policy does with one event, and why; or the page of a code.

mod cost;
mod input;
mod json;
mod layers;
mod rules;
mod sent;
mod unquoted;
mod verdict;
mod why_not;

use std::path::PathBuf;
use std::sync::Arc;

use clap::parser::ValueSource;
use clap::{ArgMatches, ValueEnum};

use super::hook::{self, Registered};
use super::load::{Around, load_whole_around};
use super::print::{Printer, Style, count};
use super::{Outcome, help, hosts, registration as here};
use crate::context::Context;
use crate::diagnostic::nearest;
use crate::escape::line;
use crate::eval::{Detail, Judged, Trace, evaluate};
use crate::facts::{CountedFacts, Facts, MachineFacts, PartlyStated};
use crate::hooks::{Guard, complete, preview};
use crate::host::{Decoded, Host};
use crate::host_settings::Scope;
use crate::policy::Policy;
use crate::project::discover;
use crate::ruleset::Rule;
use crate::schema::tool_elsewhere;
use crate::trust;
use crate::verdict::Verdict;

use input::Input;
use rules::Explainer;
pub(super) use unquoted::separated;

/// Show what the policy does with one event, and why
///
/// EVENT is a call as the examples of a policy write it, or a shell command:
///
///   rules explain git push -f
///   rules explain 'Write "src/x.rs" by "reviewer" { content: "…" }'
///   rules explain 'Bash "git push" with { git.branch: "main" }'
///   rules explain Stop
///
/// What it does not state comes from this machine: the branch, the files, the
/// environment; its directory is the current one. Without EVENT, the payload is
/// read from a file, from standard input, or from the log of decisions.
///
/// Shows the decision and who made it, each rule that voted or cannot be judged,
/// with what came of each part of its condition, and what is sent to the host.
/// Has no side effects. `rules explain R0103` prints the page of a finding's code.
#[derive(clap::Args, Debug)]
// What tells a registration from others has no part in what it decides.
#[command(verbatim_doc_comment, mut_arg("id", |id| id.long("registration-id").hide(true)))]
pub(super) struct Args {
    /// A call, or the code of a finding, e.g. R0103 or unknown-field
    #[arg(value_name = "EVENT", group = "input")]
    call: Vec<String>,

    /// A file with the payload as the host sends it; `-` is standard input
    #[arg(long, value_name = "FILE", group = "input")]
    event: Option<PathBuf>,

    /// The last decision in the log, or the one so many from its end
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", group = "input")]
    last: Option<usize>,

    /// A decision in the log, by the number of its line or the id of its call
    #[arg(id = "line", long = "id", value_name = "ID", group = "input")]
    line: Option<String>,

    /// Show this rule alone, in full, whether or not it matches
    #[arg(long, value_name = "NAME")]
    rule: Option<String>,

    /// Show what keeps this rule from matching, and the smallest change of the
    /// call with which it would
    #[arg(long, value_name = "RULE", conflicts_with = "rule", verbatim_doc_comment)]
    why_not: Option<String>,

    /// Show every rule that the event selects, and all that is sent to the host
    #[arg(long, short = 'v', alias = "verbose")]
    all: bool,

    /// Print the decision alone
    #[arg(long, short, conflicts_with_all = ["all", "rule", "why_not", "cost"])]
    quiet: bool,

    /// How to print it: for people, or as one JSON object
    #[arg(long, value_enum, default_value_t = Output::Human, value_name = "FORMAT", hide_possible_values = true)]
    format: Output,

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

    /// Also count what a hook looks at, and show which rules it skips
    #[arg(long)]
    cost: bool,

    /// Judge as a hook does: say which layers it finds, and where, leave out what
    /// is not trusted, and add what a hook says by itself, as of a policy that does
    /// not load. The hook is the one that is registered here; the options below
    /// name another
    #[arg(long, conflicts_with_all = ["policy", "cost"], verbatim_doc_comment)]
    as_hook: bool,

    #[command(flatten)]
    registered: Registered,

    /// Whether `--all` or `--quiet` stands behind the first word of the call.
    #[arg(skip)]
    is_option_behind: bool,
}

impl Args {
    /// Notes where the options stand.
    pub(super) fn note_places(&mut self, matches: &ArgMatches) {
        let call = matches.indices_of("call").and_then(|mut places| places.next());
        let is_behind = |id| {
            let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
            is_given && call.is_some_and(|call| matches.index_of(id) > Some(call))
        };
        self.is_option_behind = is_behind("all") || is_behind("quiet");
    }
}

/// How it is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Output {
    /// For people
    Human,
    /// One JSON object
    Json,
}

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shown {
    /// What decides.
    Decisive,
    /// Everything.
    All,
}

/// Shows what some rules came to, each in full.
pub(super) fn show(policy: &Policy, verdict: &Verdict, judged: &[Judged], printer: &mut Printer) {
    Explainer::new(policy, verdict, Shown::All, printer).rules(judged, None, printer);
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    if let [word] = args.call.as_slice()
        && let Some(outcome) = help::explain_code(word, printer)
    {
        return outcome;
    }
    // The log lies in the state directory of a registration.
    let of_log = args.last.is_some() || args.line.is_some();
    let named = Registered { state_dir: args.registered.state_dir.clone().filter(|_| of_log), ..Registered::default() };
    if !args.as_hook && args.registered != named {
        printer.err("rules: the options of a registration need `--as-hook`\n");
        return Outcome::Usage;
    }
    let input = match Input::of(args, printer) {
        Ok(input) => input,
        Err(outcome) => return outcome,
    };
    let otherwise = if args.as_hook { Scope::User } else { Scope::Project };
    // Without a word about it, the registration is the one that there is.
    let present = Some(()).filter(|()| args.as_hook && args.registered == Registered::default());
    let present = present.and_then(|()| here::present());
    let registered = present.as_ref().map_or(&args.registered, |present| &present.registered);
    let registration = hook::registration(input.host, registered, otherwise, None);
    let fixed = args.project.as_deref().or(input.project.as_deref());
    let around = Around::of(fixed, registration.clone());
    let places = match input.payload() {
        Some(payload) => around.places(payload),
        None => around.without_payload(),
    };
    let is_human = args.format == Output::Human && !args.quiet;
    let policy = if args.as_hook {
        let discovery = discover(&places);
        let (policy, _) = trust::load(&discovery, &places);
        if is_human {
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
            layers::print((&registration, input.payload()), &places, &discovery, &policy, printer);
        }
        policy
    } else {
        match load_whole_around(&places, args.policy.as_slice(), printer) {
            Ok(policy) => policy,
            Err(outcome) => return outcome,
        }
    };
    let decoded = match &input.decoded {
        Ok(decoded) => decoded,
        Err(error) => {
            printer.err(&format!("rules: {error}\n"));
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
            printer.out(&match args.format {
                Output::Human => format!("`{event}` is unknown to this version: it passes\n"),
                Output::Json => json::unknown(event),
            });
            return Outcome::Clean;
        }
        Decoded::Unreadable(reason) => {
            printer.err(&format!("rules: {reason}\n"));
            return Outcome::Findings;
        }
    };
    let machine = MachineFacts::new(places.project.clone());
    let facts = match PartlyStated::new(&input.facts, &machine) {
        Ok(facts) => facts,
        Err(error) => {
            printer.err(&format!("rules: {error}\n"));
            return Outcome::Usage;
        }
    };
    let facts: &dyn Facts = if input.facts.is_empty() { &machine } else { &facts };
    let only = match args.rule.as_ref().or(args.why_not.as_ref()).map(|name| named_rule(&policy, name, printer)) {
        None => None,
        Some(Ok(rule)) => Some(rule),
        Some(Err(outcome)) => return outcome,
    };
    let context = Context::new(payload, input.host.name(), facts, &policy.settings.shell_tools);
    let mut evaluation = evaluate(&policy.rules, &context, Detail::Conditions);
    // What the hook says by itself it says whoever is trusted.
    let by_rules = evaluation.verdict.clone();
    // A policy that is named does not stand where an edit would break it.
    if args.as_hook || (damage.is_some() && args.policy.is_none()) {
        let event = (payload, damage.as_deref());
        complete(event, &context, &policy, (&registration, &places), &mut evaluation.verdict);
    } else if args.policy.is_none() {
        let sources = || policy.files();
        let guard = Guard { payload, context: &context, policy: Some(&policy), sources: &sources, places: &places };
        let Ok(()) = guard.check(&policy.rules, &mut evaluation.verdict);
    }
    let output = preview(input.host, payload, &evaluation.verdict);
    let looked_for = args.why_not.as_ref().and(only).map(|(index, rule)| {
        let call =
            why_not::Call { policy: &policy, payload, host: input.host.name(), base: &machine, facts: &input.facts };
        why_not::look(&call, index, rule, &evaluation)
    });
    if args.format == Output::Json {
        let explained = json::Explained {
            evaluation: &evaluation,
            context: &context,
            policy: &policy,
            output: &output,
            host: input.host,
            only: only.map(|(index, _)| index),
            why_not: looked_for.as_ref(),
            damage: damage.as_deref(),
        };
        printer.out(&explained.text());
        return Outcome::Clean;
    }
    if args.quiet {
        note_of_options(args, printer);
        // A rewrite is no vote, and the call that is decided is another.
        let rewritten = if evaluation.verdict.updated_input.is_some() { ", rewritten" } else { "" };
        printer.out(&format!("{}{rewritten}\n", evaluation.verdict.decision().word()));
        return Outcome::Clean;
    }
    let shown = if args.all { Shown::All } else { Shown::Decisive };
    input.announce(printer);
    note_of_options(args, printer);
    note_of_name(args, &policy, printer);
    note_of_tool(args, printer);
    verdict::headline(&context, &evaluation.verdict, printer);
    let counted = CountedFacts::new(facts);
    let hook = args.cost.then(|| cost::evaluation(&policy, payload, input.host.name(), &counted));
    let looked_at = |trace: fn(&Trace) -> &Vec<Judged>| {
        hook.as_ref().map(|hook| trace(&hook.trace).iter().map(|judged| judged.index).collect())
    };
    let mut explainer = Explainer::new(&policy, &evaluation.verdict, shown, printer);
    explainer.reason_was_said(&evaluation.trace.rules);
    if let Some((index, rule)) = only {
        explainer.only((index, rule), &evaluation, &context, printer);
        if let Some(looked_for) = &looked_for {
            why_not::print(looked_for, rule, &policy, printer);
        }
        return Outcome::Clean;
    }
    verdict::effects(&context, &evaluation.verdict, printer);
    explainer.rules(&evaluation.trace.rules, looked_at(|trace| &trace.rules), printer);
    if !evaluation.trace.again.is_empty() {
        printer.out("\nagain, on the input after the rewrites:\n");
        explainer.rules(&evaluation.trace.again, looked_at(|trace| &trace.again), printer);
    }
    if let Some(hook) = &hook {
        cost::print(&hook.cost, &counted, printer);
    }
    footer(&policy, &context, evaluation.trace.rules.len(), shown, printer);
    if !args.as_hook && args.policy.is_none() {
        layers::note_of_trust(&places, (input.host, payload), facts, &by_rules, printer);
    }
    sent::print(input.host, &output, &evaluation.verdict, shown, printer);
    Outcome::Clean
}

/// Finds a rule by its name, of which the last part is enough where only one rule has it.
fn named_rule<'p>(policy: &'p Policy, name: &str, printer: &mut Printer) -> Result<(usize, &'p Rule), Outcome> {
    let rules = || policy.rules.rules().iter().enumerate().map(|(index, rule)| (index, rule.as_ref()));
    let full: Vec<_> = rules().filter(|(_, rule)| rule.shown == name || rule.name == name).collect();
    let short = || rules().filter(|(_, rule)| rule.shown.rsplit('/').next() == Some(name)).collect();
    let found: Vec<(usize, &Rule)> = if full.is_empty() { short() } else { full };
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let known =
                rules().flat_map(|(_, rule)| [rule.shown.as_str(), rule.shown.rsplit('/').next().unwrap_or_default()]);
            let near = nearest(name, known);
            let near = near.map_or("`rules list` lists them".to_owned(), |near| format!("`{near}` exists"));
            printer.err(&format!("rules: unknown rule `{}`; {near}\n", line(name, 60)));
            Err(Outcome::Usage)
        }
        several => {
            let names: Vec<String> = several.iter().map(|(_, rule)| format!("`{}`", rule.shown)).collect();
            printer.err(&format!("rules: `{}` may be {}\n", line(name, 60), names.join(" or ")));
            Err(Outcome::Usage)
        }
    }
}

/// Says so where an option that was read as ours may have been meant as one of the command: `git push --all`.
fn note_of_options(args: &Args, printer: &mut Printer) {
    let typed = args.call.join(" ");
    let option = match (args.all, args.quiet) {
        (true, _) => "`--all` (`-v`)",
        (_, true) => "`--quiet` (`-q`)",
        _ => return,
    };
    if args.is_option_behind && args.call.len() > 1 && !typed.contains(['"', '\'', '{']) {
        let note = format!(
            "{option} is read as an option of `rules explain`; where it is one of the command, put the command in quotes: \
             rules explain '{} …'",
            line(&typed, 60)
        );
        printer.err(&printer.wrapped("", "  ", &printer.text(&note)));
    }
}

/// Says so where what was typed is the name of a rule: it is judged as a command, and was hardly meant as one.
fn note_of_name(args: &Args, policy: &Policy, printer: &mut Printer) {
    let [word] = args.call.as_slice() else { return };
    let is_it = |rule: &&Arc<Rule>| rule.shown == *word || rule.shown.rsplit('/').next() == Some(word);
    if let Some(rule) = policy.rules.rules().iter().find(is_it) {
        let note = format!(
            "`{word}` is a rule, and is judged here as a command; `rules list {word}` shows the rule, and `--rule {}` \
             what a call is to it",
            rule.shown
        );
        printer.err(&printer.wrapped("", "  ", &note));
    }
}

/// Says so where what was typed is a word and a text, as a call is written, and the word names no tool.
fn note_of_tool(args: &Args, printer: &mut Printer) {
    let [typed] = args.call.as_slice() else { return };
    let Some((name, rest)) = typed.trim().split_once(' ') else { return };
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(|b| b.is_ascii_alphanumeric());
    let rest = rest.trim_start();
    if !is_name || !rest.starts_with('"') || !rest.ends_with(['"', '}']) || input::is_known(name) {
        return;
    }
    let meant = match tool_elsewhere(name) {
        Some(tool) => format!("; `{tool}` is its name here: rules explain '{tool} {}'", line(rest, 60)),
        None => "; `rules list --events` lists the events, and the book the tools".to_owned(),
    };
    let note = format!("`{name}` is no tool and no event, and is judged here as a command{meant}");
    printer.err(&printer.wrapped("", "  ", &printer.text(&note)));
}

fn footer(policy: &Policy, context: &Context<'_>, selected: usize, shown: Shown, printer: &mut Printer) {
    let mut lines = Vec::new();
    if shown == Shown::All {
        let total = count(policy.rules.rules().len(), "rule");
        lines.push(format!("{selected} of {total} selected by `on` and `by`"));
    }
    let project = context.roots().project.as_ref().map(|project| format!("in the project {}", project.display()));
    lines.push(format!("judged {}", project.unwrap_or_else(|| "without a project".to_owned())));
    printer.out("\n");
    for line in lines {
        printer.out(&format!("{}\n", printer.paint(Style::Dim, &line)));
    }
}
