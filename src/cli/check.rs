//! `rules check`: reports every mistake of a policy at its place.

use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;

use super::load::{load, nothing};
use super::print::{Printer, count};
use super::{Outcome, hosts, registration};
use crate::diagnostic::{Code, Diagnostic, Format, Severity, render_all};
use crate::host::Host;
use crate::host_settings::{Finding, Problem, Settings, events_of};
use crate::policy::Policy;
use crate::ruleset::Rule;
use crate::span::{Sources, Span};
use crate::{examples, lint};

/// Check policies: report every mistake, and run every example
///
/// Reads the `.rules` files of each layer, its rules.toml and its records of
/// programs, `programs/*.toml`.
///
/// Exits with 0 if there are no findings of the `--deny` severity or above, 1 if
/// there are, 2 on a usage error, and 3 if there is no policy or it cannot be read.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Files or directories. Default: all layers around the current directory
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// How to print findings
    #[arg(long, value_enum, default_value_t = Output::Human, value_name = "FORMAT")]
    format: Output,

    /// The lowest severity that fails the check
    #[arg(long, value_enum, default_value_t = Level::Deny, value_name = "SEVERITY")]
    deny: Level,

    /// Also report what this host cannot carry, and what happens instead
    #[arg(long, value_name = "HOST", default_value = Host::ClaudeCode.name(), value_parser = hosts())]
    host: Host,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Output {
    /// With the source lines
    Human,
    /// One line each
    Short,
    /// One JSON object a line
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Level {
    /// Everything
    Info,
    /// Warnings and above
    Warning,
    /// What fails by default
    Deny,
    /// Only what keeps a policy from loading
    Error,
}

impl Level {
    fn severity(self) -> Severity {
        match self {
            Self::Info => Severity::Info,
            Self::Warning => Severity::Warning,
            Self::Deny => Severity::Deny,
            Self::Error => Severity::Error,
        }
    }
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    let mut policy = load(&args.paths);
    if !policy.is_found() {
        printer.err(&nothing(&args.paths));
        return Outcome::Unreadable;
    }
    let mut report = examples::Report::default();
    for layer in &policy.layers {
        report.add(examples::own_examples(layer));
    }
    let rules = policy.rules.rules();
    let mut findings = lint::all(policy.diagnostics(), rules, args.host, &policy.accepted());
    findings.extend(report.failed.iter().cloned());
    // What is named is about itself; else it is about what a hook would find here.
    let is_registered = if args.paths.is_empty() { Some(registered(&mut policy, &mut findings)) } else { None };
    let format = match args.format {
        Output::Human => printer.format(),
        Output::Short => Format::Short,
        Output::Json => Format::Json,
    };
    printer.out(&render_all(&findings, &policy.sources, format));
    if args.format == Output::Human {
        printer.out(&summary(&policy, &findings, &report));
        if is_registered == Some(false) && policy.layers.iter().any(|layer| !layer.rules.is_empty()) {
            printer.hint("no hook is registered here: `rules install claude-code`\n");
        }
    }
    if findings.iter().any(|finding| *finding.code == *Code::LAYER_REFUSED) {
        return Outcome::Unreadable;
    }
    let fails = |finding: &Diagnostic| finding.code.severity >= args.deny.severity();
    if findings.iter().any(fails) { Outcome::Findings } else { Outcome::Clean }
}

/// Adds what is wrong with the registration in the host's settings around the current directory; tells whether there is
/// one.
fn registered(policy: &mut Policy, findings: &mut Vec<Diagnostic>) -> bool {
    let settings = registration::settings(None);
    let events = events_of(policy);
    let review = registration::review(&settings, &events);
    let mut without_rule = Vec::new();
    for finding in review.findings() {
        let code = match finding.problem.severity() {
            Severity::Deny | Severity::Error => Code::REGISTRATION,
            Severity::Warning => Code::REGISTRATION_RISK,
            Severity::Info => continue,
        };
        let found = |code| Diagnostic::new(code, finding.problem.message()).help(finding.problem.help());
        if let Problem::Missing(event) = finding.problem {
            let names = |rule: &&Arc<Rule>| rule.head.event_set().contains(&event);
            match policy.rules.rules().iter().find(names) {
                Some(rule) => {
                    let found = found(Code::EVENT_UNREGISTERED).label(rule.name_span, "this rule cannot fire");
                    findings.push(found);
                }
                None => without_rule.push(event.name()),
            }
            continue;
        }
        let place = place_of(&finding, &settings, &mut policy.sources);
        findings.push(match place {
            Some(span) => found(code).label(span, "here"),
            None => found(code),
        });
    }
    if !without_rule.is_empty() {
        let message = format!("no hook is registered for {}, which any policy needs", without_rule.join(", "));
        findings.push(Diagnostic::new(Code::EVENT_UNREGISTERED, message).help("run `rules install claude-code` again"));
    }
    review.is_registered()
}

/// Returns the place of a finding in its file, which becomes one of the sources.
fn place_of(finding: &Finding, settings: &[Settings], sources: &mut Sources) -> Option<Span> {
    let path = finding.file.as_deref()?;
    let file = settings.iter().find(|settings| settings.path == path)?;
    let name = registration::shown(path);
    let known = sources.iter().find(|source| source.name == name).map(|source| source.id);
    let id = known.unwrap_or_else(|| sources.add(name, None, file.text.clone()));
    let place = finding.place.clone()?;
    Some(Span::new(id, place.start, place.end))
}

fn summary(policy: &Policy, findings: &[Diagnostic], report: &examples::Report) -> String {
    let files = policy.sources.iter().filter(|source| source.path.is_some()).count();
    let rules = policy.rules.rules().len();
    let found = match findings.len() {
        0 => "no findings".to_owned(),
        several => count(several, "finding"),
    };
    let separator = if findings.is_empty() { "" } else { "\n" };
    let mut line = format!("{separator}{found}");
    match (rules, files) {
        (_, 0) => {}
        // The rules of a layer that does not load are not counted.
        (0, _) => line.push_str(&format!(" in {}", count(files, "file"))),
        (_, _) => line.push_str(&format!(" in {} and {}", count(rules, "rule"), count(files, "file"))),
    }
    if report.passed > 0 {
        line.push_str(&format!("; {} passed", count(report.passed, "example")));
    }
    let broken: Vec<&str> = policy.broken().map(|layer| layer.kind.word()).collect();
    if !broken.is_empty() {
        line.push_str(&format!("; the {} policy does not load", broken.join(" and ")));
    }
    line.push('\n');
    line
}
