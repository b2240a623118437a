//! `rules test`: runs the `test` blocks and the examples of a policy, and measures their coverage.

mod coverage;
mod human;
mod json;
mod junit;
mod problem;

use std::path::PathBuf;

use clap::ValueEnum;

use super::load::{current_directory, load, missing_policy_message, require_loaded};
use super::print::Printer;
use super::{CommandOutcome, below, hosts, watch};
use crate::examples::{
    self, Coverage, CoverageGroup, ExampleHost, ExampleSuite, KeptResults, ObservedResults, SuiteReport, judge_suites,
    suites_on,
};
use crate::host::Host;
use crate::policy::Policy;
use crate::syntax::ast::{Item, ItemKind};
use problem::LoadProblem;

/// Run the `test` blocks and the examples of the policy
///
/// Executes nothing, and reads nothing from the machine. Exits with 0 if everything
/// comes out as written, with 1 if anything fails or is not covered as far as
/// `--min` and `--min-branches` ask, with 2 on a usage error, and with 3 if the
/// policy does not load.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct TestArgs {
    /// Files or directories. Default: all layers around the current directory
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Run only the tests and rules whose names contain this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Run as calls of this agent all that state no `on HOST`. What the agent never
    /// sends, an event or a field, runs as of Claude Code
    #[arg(long, value_name = "HOST", value_parser = hosts())]
    host: Option<Host>,

    /// Print failures and the summary only
    #[arg(short, long)]
    quiet: bool,

    /// Print a line for each example and each case too
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,

    /// How to print what came out
    #[arg(long, value_enum, default_value_t = Output::Human, value_name = "FORMAT")]
    format: Output,

    /// Also tell which rules never match, and which parts of conditions never come
    /// out true or never false
    #[arg(long)]
    coverage: bool,

    /// Fail unless so many percent of the rules match in some example or test
    #[arg(long, value_name = "PERCENT", requires = "coverage", value_parser = clap::value_parser!(u8).range(..=100))]
    min: Option<u8>,

    /// Fail unless so many percent of the branches of conditions are covered
    #[arg(long, value_name = "PERCENT", requires = "coverage", value_parser = clap::value_parser!(u8).range(..=100))]
    min_branches: Option<u8>,

    /// Run again whenever a file of the policy changes, until interrupted
    #[arg(long, conflicts_with = "format")]
    watch: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Output {
    /// A line for each rule and each test, and what is wrong
    Human,
    /// One JSON object a line
    Json,
    /// XML as CI services read it
    Junit,
}

/// How much is printed about examples and tests that pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TestDetail {
    /// Nothing is printed about them.
    Failures,
    /// A line is printed for each rule with examples and each test.
    Suites,
    /// A line is also printed for each example and each case.
    Each,
}

impl TestArgs {
    /// Returns the amount of detail that `--quiet` or `--verbose` asks for.
    fn detail(&self) -> TestDetail {
        match (self.quiet, self.verbose) {
            (true, _) => TestDetail::Failures,
            (false, false) => TestDetail::Suites,
            (false, true) => TestDetail::Each,
        }
    }
}

/// The results of all suites. A suite is a rule with its examples, or a `test` block with its cases.
struct SuiteResults<'p> {
    policy: &'p Policy,
    /// Each suite with its result.
    suites: Vec<(ExampleSuite<'p>, SuiteReport)>,
    /// The coverage, if it was asked for.
    coverage: Option<Coverage>,
}

impl SuiteResults<'_> {
    /// Returns how many examples and cases passed.
    fn passed_count(&self) -> usize {
        self.suites.iter().map(|(_, report)| report.passed).sum()
    }

    /// Returns how many examples and cases failed.
    fn failed_count(&self) -> usize {
        self.suites.iter().map(|(_, report)| report.failures.len()).sum()
    }

    /// Returns the file name and line of a suite; an empty name and 0 if the source is unknown.
    fn suite_location(&self, suite: &ExampleSuite<'_>) -> (&str, usize) {
        let file = self.policy.sources.file(suite.span);
        file.map_or(("", 0), |file| (file.name.as_str(), file.line_column(suite.span.start).0))
    }
}

/// Runs the command.
pub(super) fn run(args: &TestArgs, printer: &mut Printer) -> CommandOutcome {
    if args.watch {
        let load = || {
            let policy = load(&args.paths);
            let files = policy.files();
            (policy, files)
        };
        watch::run(printer, load, |policy, printer| run_once(args, policy, printer))
    } else {
        run_once(args, load(&args.paths), printer)
    }
}

/// Runs all selected suites of a loaded policy, and prints the results.
fn run_once(args: &TestArgs, policy: Policy, printer: &mut Printer) -> CommandOutcome {
    if args.format != Output::Human {
        // A program takes an empty document for a run without tests.
        let problems = LoadProblem::of_policy(&policy, || missing_policy_message(&args.paths, printer));
        if !problems.is_empty() {
            print_problems(args.format, &problems, printer);
        }
    }
    let policy = match require_loaded(policy, &args.paths, printer) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let is_selected = |name: &str| args.filter.as_ref().is_none_or(|text| name.contains(text.as_str()));
    if let Some(why) = args.host.and_then(Host::not_called) {
        printer.err(&format!("rules: {why}\n"));
        return CommandOutcome::Usage;
    }
    let host = args.host.map_or(ExampleHost::Default, ExampleHost::Preferred);
    let mut selected: Vec<ExampleSuite<'_>> = policy.layers.iter().flat_map(|layer| suites_on(layer, host)).collect();
    selected.retain(|suite| is_selected(suite.name));
    if let (Some(text), true) = (&args.filter, selected.is_empty()) {
        let message = format!("rules: no test and no rule with examples has `{text}` in its name\n");
        printer.err(&message);
        print_problems(args.format, &[LoadProblem::without_place(message)], printer);
        return CommandOutcome::Usage;
    }
    let keep = if args.coverage { KeptResults::All } else { KeptResults::Failures };
    let mut reports = judge_suites(&selected, keep);
    let coverage = args.coverage.then(|| {
        let mut observed = ObservedResults::default();
        reports.iter_mut().for_each(|report| observed.add(std::mem::take(&mut report.results)));
        let own_rules = policy.layers.iter().flat_map(examples::own_rules);
        Coverage::from_rules(own_rules.filter(|rule| is_selected(&rule.display_name)), &observed)
    });
    let results = SuiteResults { policy: &policy, suites: selected.into_iter().zip(reports).collect(), coverage };
    match args.format {
        Output::Human => {
            human::print(&results, args.detail(), printer);
            let is_whole = args.paths.is_empty() && !args.quiet;
            let below = is_whole.then(|| below::sentence(current_directory().as_deref())).flatten();
            below.into_iter().for_each(|below| printer.hint(&printer.wrapped("", "  ", &below)));
        }
        Output::Json => json::print(&results, args.quiet, printer),
        Output::Junit => printer.out(&junit::document(&results)),
    }
    let is_short = results.coverage.as_ref().is_some_and(|coverage| report_short_coverage(args, coverage, printer));
    if results.failed_count() > 0 || is_short { CommandOutcome::Findings } else { CommandOutcome::Clean }
}

/// Prints why nothing was tested, for a program. People read it elsewhere.
fn print_problems(format: Output, problems: &[LoadProblem], printer: &mut Printer) {
    match format {
        Output::Junit => printer.out(&junit::document_of_problems(problems)),
        Output::Json => json::print_problems(problems, printer),
        Output::Human => {}
    }
}

/// Returns the name of the `def` whose condition has the parts of a group; `None` if a rule has them.
fn definition<'p>(group: &CoverageGroup, policy: &'p Policy) -> Option<&'p str> {
    let files = policy.layers.iter().flat_map(|layer| &layer.files);
    let name_of_def = |item: &'p Item| match &item.kind {
        ItemKind::Def(def) if def.condition.span == group.span => Some(def.name.text.as_str()),
        _ => None,
    };
    files.flat_map(|file| &file.ast.items).find_map(name_of_def)
}

/// Prints each of `--min` and `--min-branches` that the coverage does not reach. Returns whether there is any.
fn report_short_coverage(args: &TestArgs, coverage: &Coverage, printer: &mut Printer) -> bool {
    let minimums =
        [(args.min, coverage.rules(), "rules match"), (args.min_branches, coverage.branches(), "branches are covered")];
    let mut is_short = false;
    for (min, share, what) in minimums {
        if let Some(min) = min.filter(|min| !share.is_at_least(*min)) {
            is_short = true;
            printer.err(&format!("rules: {} % of the {what}, and {min} % are asked for\n", share.percent()));
        }
    }
    is_short
}
