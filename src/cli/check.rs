//! `rules check`: reports every mistake in a policy with its location, and with `--fix` corrects those that it can.

mod baseline;
mod checked;
mod fix;
mod levels;
mod machine;
mod nested;
mod registered;

use std::borrow::Cow;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::load::{current_directory, directory, load, load_for, load_with_standard_input, missing_policy_message};
use super::print::{Printer, count, is_workflow_log};
use super::uncounted::uncounted_findings;
use super::{CommandOutcome, HostChoice, added_hosts, hosts_or_all};
use crate::added_hosts::AddedHosts;
use crate::diagnostic::{Code, Diagnostic, DiagnosticFormat, Levels, Severity, render_all};
use crate::examples::JudgedDirectories;
use crate::host::Host;
use crate::policy::Policy;
use crate::project::{DIRECTORY, NestedPolicies, has_policy, nested_policies};
use crate::span::Sources;
use crate::{examples, lint};
use baseline::Baseline;
use levels::{DenyArgument, lint_name};

/// Check policies: report mistakes, and run every example and test
///
/// Reads the `.rules` files of each layer, its rules.toml and its records of
/// programs, `programs/*.toml`. Also checks the policies in the directories
/// below, each with those above it, and your own records of hosts.
///
/// Exits with 0 if there are no findings of the `--deny` severity or above, 1 if
/// there are, 2 on a usage error, and 3 if there is no policy or it cannot be read.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct CheckArgs {
    /// Directories with a policy, each checked as a session there has it; or
    /// other files and directories, on their own. Default: all layers around
    /// the current directory
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Check standard input as if it were this file, in its place in the project
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    stdin_filename: Option<PathBuf>,

    /// How to print findings. Default: human; in a step of a GitHub workflow,
    /// annotations and the summary
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Output>,

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

    /// Also report what this host cannot carry, and what happens instead; may be
    /// repeated, and `all` means every host. Default: claude-code
    #[arg(
        long = "host",
        value_name = "HOST",
        value_delimiter = ',',
        value_parser = hosts_or_all(),
        hide_possible_values = true
    )]
    hosts: Vec<HostChoice>,

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
    /// Returns the default format: annotations in a step of a GitHub workflow, otherwise text for people. GitHub shows
    /// an annotation next to the source lines, so the step's log does not need them.
    fn default_here() -> Self {
        if is_workflow_log() { Self::Github } else { Self::Human }
    }

    /// Returns the format in which findings are rendered for this option.
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
    let hosts = HostChoice::hosts(&args.hosts);
    let hosts = if hosts.is_empty() { vec![Host::CLAUDE_CODE] } else { hosts };
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?.unwrap_or_default();
    if args.fix || args.diff {
        let find = |policy: &Policy| check_findings(policy, &hosts, &asked, JudgedDirectories::All).findings;
        let fixed = fix::fix(&args.paths, find, args.unsafe_fixes);
        if args.diff {
            return Ok(fixed.show(printer));
        }
        fixed.write(&args.paths, printer)?;
    }
    let target = CheckTarget::of(args);
    // The program ends with the command, so the parts of the policy need not be freed one by one.
    let mut policy = ManuallyDrop::new(target.load()?);
    let Some(mut checked) = target.findings(&mut policy, (&hosts, &asked)) else {
        let paths = if let CheckTarget::Alone(paths) = target { paths } else { &[] };
        printer.err(&missing_policy_message(paths, printer));
        return Ok(CommandOutcome::Unreadable);
    };
    if let Some(file) = &args.write_baseline {
        return Ok(baseline::write(file, &checked.findings, &policy.sources, printer));
    }
    let known = baseline.remove_known(&mut checked.findings, &policy.sources);
    let format = args.format.unwrap_or_else(Output::default_here);
    printer.out(&render_all(&checked.findings, &policy.sources, format.format(printer)));
    if args.format.is_none_or(|format| format == Output::Human) && !args.quiet {
        print_summary(args, &policy, &checked, known, printer);
    }
    Ok(outcome(&checked.findings, threshold))
}

/// Prints what follows the findings for people: the counts, what else was checked, and advice.
fn print_summary(args: &CheckArgs, policy: &Policy, checked: &CheckFindings, known: usize, printer: &mut Printer) {
    let separator = if checked.findings.is_empty() { "" } else { "\n" };
    printer.out(separator);
    if args.verbose {
        checked::print(policy, printer);
    }
    let about_hosts = args.hosts.is_empty().then(|| note_about_hosts(policy)).flatten();
    let about_machine = machine::note_about_shell(policy);
    for line in summary(policy, checked, known).into_iter().chain(about_hosts).chain(about_machine) {
        printer.out(&printer.wrapped("", "  ", &line));
    }
    if checked.is_unregistered && policy.layers.iter().any(|layer| !layer.rules.is_empty()) {
        printer.hint("no hook is registered here: `rules install claude-code`\n");
    }
}

/// Returns a line about the other hosts that are used in the current directory, if a policy does something else there.
fn note_about_hosts(policy: &Policy) -> Option<String> {
    let here = current_directory()?;
    let is_used = |host: &Host| host.directories().iter().any(|name| here.join(name).is_dir());
    let is_other =
        |host: &Host| lint::rules_on_host(policy, *host).iter().any(|(_, does)| *does != lint::RuleOnHost::AsWritten);
    let others = Host::all().filter(|host| *host != Host::CLAUDE_CODE && is_used(host)).filter(is_other);
    let names: Vec<&str> = others.map(Host::name).collect();
    (!names.is_empty()).then(|| {
        let hosts = names.join(",");
        format!("some rules do something else in other agents that are used here: `rules check --host {hosts}`")
    })
}

/// The policies that `rules check` checks.
enum CheckTarget<'a> {
    /// The policy of a session in the current directory, and the policies of the directories above and below.
    Session(PathBuf),
    /// The policies of sessions in these directories, and in those below them.
    Directories(Vec<PathBuf>),
    /// Files and directories, each without the policies around it.
    Alone(&'a [PathBuf]),
    /// Standard input, as the text of this file.
    Input(&'a Path),
}

impl<'a> CheckTarget<'a> {
    fn of(args: &'a CheckArgs) -> Self {
        if let Some(file) = &args.stdin_filename {
            return Self::Input(file);
        }
        let here = current_directory().unwrap_or_default();
        let named: Vec<PathBuf> = args.paths.iter().filter_map(|path| directory(Some(path))).collect();
        match named.as_slice() {
            [] => Self::Session(here),
            [one] if *one == here => Self::Session(here),
            _ if named.iter().all(|path| has_session_policy(path)) => Self::Directories(named),
            _ => Self::Alone(&args.paths),
        }
    }

    /// Loads the policy. For [`CheckTarget::Directories`], it is empty: [`Self::findings`] adds the texts of each
    /// directory's policy to its sources.
    fn load(&self) -> Result<Policy, String> {
        match self {
            Self::Session(_) => Ok(load(&[])),
            Self::Directories(_) => Ok(Policy::new(Sources::default(), &[])),
            Self::Alone(paths) => Ok(load(paths)),
            Self::Input(file) => load_with_standard_input(file),
        }
    }

    /// Returns the findings; `None` if there is no policy.
    fn findings(&self, policy: &mut Policy, (hosts, asked): (&[Host], &Levels)) -> Option<CheckFindings> {
        match self {
            Self::Session(project) => {
                let below = nested_policies(project);
                let uncounted = uncounted_findings(policy, Some(project));
                let mut others = added_hosts::read().findings(&mut policy.sources);
                others.extend(uncounted);
                let is_there = policy.is_found() || !below.directories.is_empty() || !others.is_empty();
                is_there.then(|| check_around(policy, (hosts, asked), (&below, project), others))
            }
            Self::Directories(directories) => Some(nested::check_directories(directories, policy, (hosts, asked))),
            Self::Alone(paths) => {
                let records = AddedHosts::read_paths(paths);
                (policy.is_found() || !records.is_empty()).then(|| {
                    let mut checked = check_findings(policy, hosts, asked, JudgedDirectories::All);
                    let mut others = uncounted_findings(policy, None);
                    others.extend(records.findings(&mut policy.sources));
                    checked.findings.extend(policy.apply_levels(others, asked));
                    checked
                })
            }
            Self::Input(_) => policy.is_found().then(|| check_findings(policy, hosts, asked, JudgedDirectories::All)),
        }
    }
}

/// Whether a path is a directory in which a session could start and find a project's policy, there, above or below.
/// `.rules`, or a directory that contains policy files directly, is none: its files are checked alone.
fn has_session_policy(path: &Path) -> bool {
    if !path.is_dir() || path.file_name().is_some_and(|name| name == DIRECTORY) {
        return false;
    }
    let is_above = || {
        let around = load_for(Some(path.to_path_buf()));
        around.layers.iter().any(|layer| layer.kind.is_of_project() && layer.exists)
    };
    path.join(DIRECTORY).is_dir() || !has_policy(path) && (is_above() || !nested_policies(path).directories.is_empty())
}

/// Returns the findings about a session in the current directory: about its policy, programs that this machine lacks,
/// and the policies of the directories above and below; and `others`, about files that belong to no policy.
fn check_around(
    policy: &mut Policy,
    (hosts, asked): (&[Host], &Levels),
    (below, project): (&NestedPolicies, &Path),
    others: Vec<Diagnostic>,
) -> CheckFindings {
    let mut checked = check_findings(policy, hosts, asked, JudgedDirectories::Innermost);
    let mut around = machine::missing_program_findings(policy);
    around.extend(machine::unknown_zone_findings(policy));
    around.extend(others);
    checked.is_unregistered = !registered::add_registration_findings(policy, &mut around);
    checked.findings.extend(policy.apply_levels(around, asked));
    nested::add_directories_above(&mut checked, project, policy, (hosts, asked));
    nested::add_directories_below(&mut checked, project, policy, (hosts, asked), below);
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
    /// The number of rules checked in the directories below.
    rules_below: usize,
    /// Lines on which policies of other directories were checked, and which were not.
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
    /// Returns the sums of both counts.
    fn plus(self, other: Self) -> Self {
        Self { examples: self.examples + other.examples, tests: self.tests + other.tests }
    }
}

/// Returns the findings about a policy: its rules, its examples and tests, and the files of its project. `asked` are
/// the levels of lints that options set.
fn check_findings(policy: &Policy, hosts: &[Host], asked: &Levels, directories: JudgedDirectories) -> CheckFindings {
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
    let mut findings = lint::check_policy(&judged, hosts, asked);
    findings.extend(policy.apply_levels(machine::project_findings(&judged), asked));
    findings.extend(examples.failed.into_iter().chain(tests.failed));
    CheckFindings { findings, passed, rules_below: 0, notes: Vec::new(), is_unregistered: false }
}

/// Returns the lines below the findings: the counts, and where to read more. `known` is the number of findings in the
/// baseline.
fn summary(policy: &Policy, checked: &CheckFindings, known: usize) -> Vec<String> {
    let CheckFindings { findings, passed, rules_below, notes, .. } = checked;
    let files = policy.sources.iter().filter(|source| source.path.is_some()).count();
    let rules = policy.rules.count_without_marks() + rules_below;
    let mut line = match findings.len() {
        0 => "no findings".to_owned(),
        several => count(several, "finding"),
    };
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
    let untested = policy.layers.iter().flat_map(lint::untested_rules);
    let (quiet, bare): (Vec<_>, Vec<_>) = untested.partition(|rule| lint::has_only_quiet_examples(rule));
    for (rules, what) in [(bare, "without an example"), (quiet, "without an example that it fires on")] {
        if !rules.is_empty() {
            line.push_str(&format!("; {} {what}", count(rules.len(), "rule")));
        }
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
