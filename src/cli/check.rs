//! `rules check`: reports every mistake in a policy with its location, and with `--fix` corrects those that it can.

mod baseline;
mod checked;
mod fix;
mod levels;
mod machine;
mod nested;
mod registered;

use std::borrow::Cow;
use std::path::PathBuf;

use clap::ValueEnum;

use super::load::{directory, load, load_with_standard_input, missing_policy_message};
use super::print::{Printer, count};
use super::{CommandOutcome, hosts};
use crate::diagnostic::{Code, Diagnostic, DiagnosticFormat, Levels, Severity, render_all};
use crate::examples::JudgedDirectories;
use crate::host::Host;
use crate::policy::Policy;
use crate::project::{NestedPolicies, nested_policies};
use crate::{examples, lint};
use baseline::Baseline;
use levels::{DenyArgument, lint_name};

/// Check policies: report mistakes, and run every example and test
///
/// Reads the `.rules` files of each layer, its rules.toml and its records of
/// programs, `programs/*.toml`. Without a PATH it also checks the policies in
/// the directories below, each with those above it.
///
/// Exits with 0 if there are no findings of the `--deny` severity or above, 1 if
/// there are, 2 on a usage error, and 3 if there is no policy or it cannot be read.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct CheckArgs {
    /// Files or directories. Default: all layers around the current directory
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Check standard input as if it were this file, in its place in the project
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    stdin_filename: Option<PathBuf>,

    /// How to print findings
    #[arg(long, value_enum, default_value_t = Output::Human, value_name = "FORMAT")]
    format: Output,

    /// The lowest severity that fails: info, warning, deny (the default) or
    /// error; or a lint by name or code, whose findings then weigh as `deny`
    #[arg(long, value_name = "SEVERITY|LINT", value_parser = DenyArgument::parse)]
    deny: Vec<DenyArgument>,

    /// Report the findings of a lint as warnings, also if it is off by default
    #[arg(long, value_name = "LINT", value_parser = lint_name)]
    warn: Vec<&'static Code>,

    /// Do not report the findings of a lint
    #[arg(long, value_name = "LINT", value_parser = lint_name)]
    allow: Vec<&'static Code>,

    /// Also report what this host cannot carry, and what happens instead
    #[arg(long, value_name = "HOST", default_value = Host::ClaudeCode.name(), value_parser = hosts())]
    host: Host,

    /// Mend what can be mended so that the policy decides as before
    #[arg(long, conflicts_with = "stdin_filename")]
    fix: bool,

    /// With `--fix`, also what changes the decisions of a rule to what was probably meant
    #[arg(long)]
    unsafe_fixes: bool,

    /// Show what `--fix` would change, and change nothing
    #[arg(long, conflicts_with_all = ["format", "stdin_filename"])]
    diff: bool,

    /// Leave out the findings that this file lists
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write the present findings into a file for `--baseline`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "fix", "diff"])]
    write_baseline: Option<PathBuf>,

    /// Print findings and nothing else
    #[arg(short, long)]
    quiet: bool,

    /// Also list what was checked: each file with what it has, and the rules without an example
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Output {
    /// With the source lines
    Human,
    /// One line each
    Short,
    /// One JSON object a line
    Json,
    /// One SARIF 2.1.0 document, for code scanning
    Sarif,
    /// Annotations of a GitHub workflow
    Github,
}

impl Output {
    /// Returns the format of findings for this option.
    fn format(self, printer: &Printer) -> DiagnosticFormat {
        match self {
            Self::Human => printer.format(),
            Self::Short => DiagnosticFormat::Short,
            Self::Json => DiagnosticFormat::Json,
            Self::Sarif => DiagnosticFormat::Sarif,
            Self::Github => DiagnosticFormat::Github,
        }
    }
}

/// Runs the command.
pub(super) fn run(args: &CheckArgs, printer: &mut Printer) -> CommandOutcome {
    let checked = check(args, printer);
    checked.unwrap_or_else(|problem| {
        printer.err(&format!("rules: {problem}\n"));
        CommandOutcome::Unreadable
    })
}

/// Checks the policy and prints the findings. Returns a message as the error if files cannot be read or written.
fn check(args: &CheckArgs, printer: &mut Printer) -> Result<CommandOutcome, String> {
    let (threshold, asked) = levels::levels_from_options(&args.deny, &args.warn, &args.allow);
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?.unwrap_or_default();
    if args.fix || args.diff {
        let find = |policy: &Policy| check_findings(policy, args.host, &asked, JudgedDirectories::All).findings;
        let fixed = fix::fix(&args.paths, find, args.unsafe_fixes);
        if args.diff {
            return Ok(fixed.show(printer));
        }
        fixed.write(&args.paths, printer)?;
    }
    let mut policy = match args.stdin_filename.as_deref() {
        Some(file) => load_with_standard_input(file)?,
        None => load(&args.paths),
    };
    // Explicit paths are checked on their own; otherwise the check covers what a hook would find here.
    let is_whole = args.paths.is_empty() && args.stdin_filename.is_none();
    let around = if is_whole { directory(None) } else { None };
    let around = around.map(|project| (nested_policies(&project), project));
    if !policy.is_found() && around.as_ref().is_none_or(|(below, _)| below.directories.is_empty()) {
        printer.err(&missing_policy_message(&args.paths, printer));
        return Ok(CommandOutcome::Unreadable);
    }
    let mut checked = match is_whole {
        true => check_around(&mut policy, args.host, &asked, around.as_ref()),
        false => check_findings(&policy, args.host, &asked, JudgedDirectories::All),
    };
    if let Some(file) = &args.write_baseline {
        return Ok(baseline::write(file, &checked.findings, &policy.sources, printer));
    }
    let known = baseline.remove_known(&mut checked.findings, &policy.sources);
    printer.out(&render_all(&checked.findings, &policy.sources, args.format.format(printer)));
    if args.format == Output::Human && !args.quiet {
        let separator = if checked.findings.is_empty() { "" } else { "\n" };
        printer.out(separator);
        if args.verbose {
            checked::print(&policy, printer);
        }
        for line in summary(&policy, &checked, known) {
            printer.out(&printer.wrapped("", "  ", &line));
        }
        if checked.is_unregistered && policy.layers.iter().any(|layer| !layer.rules.is_empty()) {
            printer.hint("no hook is registered here: `rules install claude-code`\n");
        }
    }
    Ok(outcome(&checked.findings, threshold))
}

/// Returns the findings about the policy of a session in the current directory, about this machine, and about the policies
/// of the directories above and below.
fn check_around(
    policy: &mut Policy,
    host: Host,
    asked: &Levels,
    around: Option<&(NestedPolicies, PathBuf)>,
) -> CheckFindings {
    let mut checked = check_findings(policy, host, asked, JudgedDirectories::Innermost);
    let mut about = machine::missing_program_findings(policy);
    checked.is_unregistered = !registered::add_registration_findings(policy, &mut about);
    checked.findings.extend(policy.apply_levels(about, asked));
    if let Some((below, project)) = around {
        nested::add_directories_above(&mut checked, project, policy, (host, asked));
        nested::add_directories_below(&mut checked, project, policy, (host, asked), below);
    }
    checked
}

/// Returns the outcome: unreadable if a layer was refused, otherwise whether a finding is at least as severe as the
/// threshold.
fn outcome(findings: &[Diagnostic], threshold: Severity) -> CommandOutcome {
    if findings.iter().any(|finding| *finding.code == *Code::LAYER_REFUSED) {
        return CommandOutcome::Unreadable;
    }
    let fails = |finding: &Diagnostic| finding.severity >= threshold;
    if findings.iter().any(fails) { CommandOutcome::Findings } else { CommandOutcome::Clean }
}

/// The result of a check.
struct CheckFindings {
    findings: Vec<Diagnostic>,
    passed: PassedCounts,
    /// Lines about the policies of other directories that were checked, or were not.
    notes: Vec<String>,
    /// Whether the host's settings register no hook here.
    is_unregistered: bool,
}

/// The numbers of examples and tests that passed.
#[derive(Clone, Copy, Default)]
struct PassedCounts {
    examples: usize,
    tests: usize,
}

impl PassedCounts {
    /// Returns the sums with other numbers.
    fn plus(self, other: Self) -> Self {
        Self { examples: self.examples + other.examples, tests: self.tests + other.tests }
    }
}

/// Returns the findings about a policy: its rules, its examples and tests, and the files of its project. `asked` has
/// the levels of lints that options set.
fn check_findings(policy: &Policy, host: Host, asked: &Levels, directories: JudgedDirectories) -> CheckFindings {
    let (mut examples, mut tests) = (examples::ExampleReport::default(), examples::ExampleReport::default());
    for layer in &policy.layers {
        examples.add(examples::judge_own_examples(layer, directories));
        tests.add(examples::judge_tests(layer, directories));
    }
    let passed = PassedCounts { examples: examples.passed, tests: tests.passed };
    let judged = match directories {
        JudgedDirectories::All => Cow::Borrowed(policy),
        JudgedDirectories::Innermost => policy.of_project_directory(),
    };
    let mut findings = lint::check_policy(&judged, Some(host), asked);
    findings.extend(policy.apply_levels(machine::project_findings(&judged), asked));
    findings.extend(examples.failed.into_iter().chain(tests.failed));
    CheckFindings { findings, passed, notes: Vec::new(), is_unregistered: false }
}

/// Returns the lines below the findings: the counts, and where to read more. `known` is the number of findings in the
/// baseline.
fn summary(policy: &Policy, checked: &CheckFindings, known: usize) -> Vec<String> {
    let CheckFindings { findings, passed, notes, .. } = checked;
    let files = policy.sources.iter().filter(|source| source.path.is_some()).count();
    let rules = policy.rules.rules().len();
    let found = match findings.len() {
        0 => "no findings".to_owned(),
        several => count(several, "finding"),
    };
    let mut line = found;
    match (rules, files) {
        (_, 0) => {}
        // A layer that does not load has no rules to count.
        (0, _) => line.push_str(&format!(" in {}", count(files, "file"))),
        (_, _) => line.push_str(&format!(" in {} and {}", count(rules, "rule"), count(files, "file"))),
    }
    let passed: Vec<String> = [(passed.examples, "example"), (passed.tests, "test")]
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| count(*n, what))
        .collect();
    if !passed.is_empty() {
        line.push_str(&format!("; {} passed", passed.join(" and ")));
    }
    let untested: usize = policy.layers.iter().map(|layer| lint::untested_rules(layer).count()).sum();
    if untested > 0 {
        line.push_str(&format!("; {} without an example", count(untested, "rule")));
    }
    let broken: Vec<&str> = policy.broken_layers().map(|layer| layer.kind.name()).collect();
    if !broken.is_empty() {
        line.push_str(&format!("; the {} policy does not load, and is not checked further", broken.join(" and ")));
    }
    if known > 0 {
        line.push_str(&format!("; {} in the baseline", count(known, "finding")));
    }
    let first = findings.iter().min_by_key(|finding| finding.order());
    let more = first.map(|finding| format!("`rules explain {}` says more about such a finding", finding.code.id));
    std::iter::once(line).chain(more).chain(notes.iter().cloned()).collect()
}
