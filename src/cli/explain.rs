//! `rules explain`: shows what the policy does with one event, and why; or the page of a code.

mod answer;
mod asked;
mod cost;
mod input;
mod json;
mod layers;
mod mistyped;
mod notes;
mod question;
mod rules;
mod sent;
mod unquoted;
mod verdict;
mod why_not;

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, ValueEnum};

use super::hook::RegistrationArgs;
use super::print::Printer;
use super::replayed::facts_of_logged_event;
use super::{CommandOutcome, help, hosts};
use crate::context::Context;
use crate::eval::{RuleJudgement, TraceDetail, evaluate};
use crate::facts::{Facts, MachineFacts, PartlyStatedFacts};
use crate::host::Host;
use crate::policy::Policy;
use crate::verdict::Verdict;

use answer::Explanation;
use asked::AskedRule;
use question::Question;
use rules::Explainer;
pub(super) use unquoted::separate_command;

/// Show what the policy does with one event, and why
///
/// EVENT is a call as the examples of a policy write it, or a shell command:
///
///   rules explain git push -f
///   rules explain 'Write "src/x.rs" by "reviewer" { content: "…" }'
///   rules explain 'Bash "git push" with { git.branch: "main" }'
///   rules explain 'Bash "git push -f" on codex'
///   rules explain 'Stop after [Edit "src/a.ts" done, "npm test" failed]'
///
/// What it does not state comes from this machine: the branch, the files, the
/// environment, the time; its directory is the current one. Without EVENT, the payload is
/// read from a file, from standard input, or from the log of decisions.
///
/// Shows the decision and who made it, each rule that voted or cannot be judged,
/// with what came of each part of its condition, and what is sent to the host.
/// Has no side effects. `rules explain R0103` prints the page of a finding's code.
#[derive(clap::Args, Debug)]
// The id of a registration only distinguishes it from others, and has no effect on decisions.
#[command(verbatim_doc_comment, mut_arg("id", |id| id.long("registration-id").hide(true)))]
pub(super) struct ExplainArgs {
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
    #[arg(long, value_name = "RULE", conflicts_with = "rule")]
    why_not: Option<String>,

    /// Show every rule that the event selects, and all that is sent to the host
    #[arg(long, short = 'v', alias = "verbose")]
    all: bool,

    /// Print the decision alone
    #[arg(long, short, conflicts_with_all = ["all", "rule", "why_not", "cost"])]
    quiet: bool,

    /// How to print it: for people, or as one JSON object
    #[arg(long, value_enum, default_value_t = ExplainOutput::Human, value_name = "FORMAT", hide_possible_values = true)]
    format: ExplainOutput,

    /// The project. Default: the one that a hook would take for the payload,
    /// which is the one that the host names in the environment, the payload's
    /// `cwd`, or the current directory, whichever exists first
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,

    /// A file or directory. Default: all layers around the project
    #[arg(long, value_name = "PATH")]
    policy: Option<PathBuf>,

    /// The agent that calls the hook. Shows all that is sent to it, and why that is
    /// not what the policy decides
    #[arg(long, value_name = "HOST", default_value = Host::CLAUDE_CODE.name(), value_parser = hosts())]
    host: Host,

    /// Also count what a hook looks at, and show which rules it skips
    #[arg(long)]
    cost: bool,

    /// Judge as a hook does: say which layers it finds, and where, leave out what
    /// is not trusted, and add what a hook says without a rule, as of a policy that
    /// does not load. The hook is the one that is registered here; the options below
    /// name another
    #[arg(long, conflicts_with_all = ["policy", "cost"])]
    as_hook: bool,

    #[command(flatten)]
    registered: RegistrationArgs,

    /// Whether `--all` or `--quiet` follows the first word of the call.
    #[arg(skip)]
    is_option_after_call: bool,

    /// Whether `--host` is given.
    #[arg(skip)]
    is_host_given: bool,
}

impl ExplainArgs {
    /// Records whether options are after the start of the call, and whether the host is given.
    pub(super) fn note_option_positions(&mut self, matches: &ArgMatches) {
        let call_start = matches.indices_of("call").and_then(|mut indices| indices.next());
        let is_after_call = |id| {
            let is_given = matches.value_source(id) == Some(ValueSource::CommandLine);
            is_given && call_start.is_some_and(|start| matches.index_of(id) > Some(start))
        };
        self.is_option_after_call = is_after_call("all") || is_after_call("quiet");
        self.is_host_given = matches.value_source("host") == Some(ValueSource::CommandLine);
    }
}

/// The value of `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum ExplainOutput {
    /// For people
    Human,
    /// One JSON object
    Json,
}

/// Which rules are explained in full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ExplainDetail {
    /// Rules that match, and unknown ones that vote; the rest is counted or listed by name.
    Decisive,
    /// All rules that the event selects.
    All,
}

/// Explains the results of rules, each in full, without the headline and the other parts of `rules explain`.
pub(super) fn show(policy: &Policy, verdict: &Verdict, judged: &[RuleJudgement], printer: &mut Printer) {
    Explainer::new(policy, verdict, ExplainDetail::All, printer).print_rules(judged, None, printer);
}

/// Runs the command: prints the page of a finding's code if the only word is one, otherwise explains the event.
pub(super) fn run(args: &ExplainArgs, printer: &mut Printer) -> CommandOutcome {
    if let [word] = args.call.as_slice()
        && let Some(outcome) = help::explain_code(word, printer)
    {
        return outcome;
    }
    if let Some(problem) = mistyped::problem(&args.call, args.policy.as_deref()) {
        printer.err(&printer.wrapped("", "  ", &format!("rules: {problem}")));
        return CommandOutcome::Usage;
    }
    match explain(args, printer) {
        Ok(()) => CommandOutcome::Clean,
        Err(outcome) => outcome,
    }
}

/// Judges an event, completes it as a hook would, and prints the answer.
///
/// # Errors
/// The outcome with which the program ends if the event, the policy, the facts or the named rule are missing or
/// wrong. The message is already printed.
fn explain(args: &ExplainArgs, printer: &mut Printer) -> Result<(), CommandOutcome> {
    let question = Question::from_args(args, printer)?;
    let Question { input, policy, places, .. } = &question;
    let (payload, damage) = question.event(printer)?;
    let session = payload.nonempty_text("session_id");
    let machine = MachineFacts::new(places.project.clone()).in_session(places.state.as_deref(), session);
    let replayed = input.logged.as_deref().map(|entry| facts_of_logged_event(entry, places.state.as_deref(), &machine));
    let base: &dyn Facts = replayed.as_ref().map_or(&machine, |replayed| replayed);
    let stated;
    let facts: &dyn Facts = if input.facts.is_empty() && input.typed.is_none() {
        base
    } else {
        let partly = PartlyStatedFacts::new(&input.facts, base).map_err(|error| {
            printer.err(&format!("rules: {error}\n"));
            CommandOutcome::Usage
        })?;
        // A call typed on the command line belongs to a new session, without a journal.
        stated = match question.past_of_typed_call(printer)? {
            Some(past) => partly.with_past(past),
            None => partly,
        };
        &stated
    };
    let host = input.host.name();
    let context = Context::new(payload, host, facts, &policy.settings.shell_tools);
    let evaluation = evaluate(&policy.rules, &context, TraceDetail::Conditions);
    // The verdict before the votes of the guard and the failure policy: only the rules' part depends on trust.
    let by_rules = evaluation.verdict.clone();
    let completed = question.complete((payload, damage), &context, evaluation);
    let named = args.rule.as_ref().or(args.why_not.as_ref());
    let asked_rule = named.map(|name| AskedRule::find(policy, completed.nested(), name, printer)).transpose()?;
    let of_session = asked_rule.as_ref().filter(|asked| args.why_not.is_some() && asked.nested.is_none());
    let why_not_report = of_session.map(|asked| {
        let call = why_not::UnmatchedCall { policy, payload, host, base, facts: &input.facts };
        why_not::search_change(&call, asked.index, &asked.rule, completed.evaluation())
    });
    let answer = Explanation {
        question: &question,
        output: completed.preview(input.host, payload),
        context: &context,
        facts,
        completed,
        by_rules,
        asked_rule,
        why_not_report,
        payload_damage: damage,
    };
    match args.format {
        ExplainOutput::Json => answer.print_json(printer),
        ExplainOutput::Human if args.quiet => answer.print_decision(printer),
        ExplainOutput::Human => answer.print(printer),
    }
    Ok(())
}
