//! `rules mutate`: changes a policy in small ways, and reports the changes that no example and no test notices.

mod fix;

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::json;

use super::CommandOutcome;
use super::load::load_layers;
use super::print::{Printer, Style, count};
use crate::diagnostic::{Diagnostic, DiagnosticFormat, render_all};
use crate::examples;
use crate::layer::Layer;
use crate::mutants::{MutantSurvey, item_name, mutated_files, survey_mutants};
use crate::syntax::ast::{Item, ItemKind};

/// Change the policy in small ways, and list what no test notices
///
/// Each change is made alone: a test of a condition or an element of a list is
/// removed, an operator is turned round, an `unless`, a `where`, a selector or a
/// rule is removed, an effect is weakened. What no example and no `test` notices
/// is not held by anything; `@allow(surviving-mutant, "reason")` accepts it.
/// `--fix` adds the examples and tests that it proposes to the policy.
///
/// Exits with 0 if every change is noticed or accepted, or as many percent as
/// `--min` asks for, with 1 if not, with 2 on a usage error, a `--filter` that
/// chooses nothing included, and with 3 if the policy does not load, or `--fix`
/// cannot write.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct MutateArgs {
    /// Files or directories. Default: all layers around the current directory
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Change only the rules and definitions whose names contain this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,

    /// Print the summary only
    #[arg(short, long, conflicts_with = "format")]
    quiet: bool,

    /// How to print what survives
    #[arg(long, value_enum, default_value_t = Output::Human, value_name = "FORMAT")]
    format: Output,

    /// Write the proposed examples and tests into the policy, and list what has no
    /// proposal
    #[arg(long)]
    fix: bool,

    /// Exit with 0 if so many percent of the changes are noticed
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(..=100))]
    min: Option<u8>,
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

/// Runs the command.
pub(super) fn run(args: &MutateArgs, printer: &mut Printer) -> CommandOutcome {
    let (policy, layers) = match load_layers(&args.paths, printer) {
        Ok(loaded) => loaded,
        Err(outcome) => return outcome,
    };
    let failed: Vec<Diagnostic> = policy.layers.iter().flat_map(|layer| examples::judge_layer(layer).failed).collect();
    if !failed.is_empty() {
        printer.err(&render_all(&failed, &policy.sources, printer.format()));
        printer.err("\nrules: an example or a test fails before anything is changed: mend it first\n");
        return CommandOutcome::Findings;
    }
    let is_selected = |name: &str| args.filter.as_ref().is_none_or(|text| name.contains(text.as_str()));
    if let Some(problem) = nothing_to_mutate(&layers, args.filter.as_deref()) {
        printer.err(&format!("rules: {problem}\n"));
        return CommandOutcome::Usage;
    }
    let MutantSurvey { mutants: made, mut noticed, mut survivors } = survey_mutants(&policy, &layers, &is_selected);
    let acceptances = policy.accepted();
    let unnoticed = survivors.len();
    survivors.retain(|survivor| !acceptances.iter().any(|acceptance| acceptance.is_accepting(&survivor.finding)));
    let accepted = unnoticed.saturating_sub(survivors.len());
    if args.fix {
        let unfixed = match fix::write(&policy, &survivors, &args.paths, printer) {
            Ok(unfixed) => unfixed,
            Err(problem) => {
                printer.err(&format!("rules: {problem}\n"));
                return CommandOutcome::Unreadable;
            }
        };
        noticed += survivors.len().saturating_sub(unfixed.len());
        survivors = unfixed;
    }
    let survivors: Vec<Diagnostic> = survivors.into_iter().map(|survivor| survivor.finding).collect();
    let survive = survivors.len();
    if !args.quiet {
        let format = match args.format {
            Output::Human => printer.format(),
            Output::Short => DiagnosticFormat::Short,
            Output::Json => DiagnosticFormat::Json,
        };
        printer.out(&render_all(&survivors, &policy.sources, format));
    }
    SurveyCounts { made, noticed, accepted, survive }.print(args, printer);
    // Accepted survivors do not count for the percentage.
    let judged = noticed.saturating_add(survive);
    let is_enough = match args.min {
        Some(min) => noticed.saturating_mul(100) >= judged.saturating_mul(usize::from(min)),
        None => survive == 0,
    };
    if is_enough { CommandOutcome::Clean } else { CommandOutcome::Findings }
}

/// The numbers of mutants by result.
struct SurveyCounts {
    /// All mutants.
    made: usize,
    /// Mutants that make an example or a test fail.
    noticed: usize,
    /// Survivors that an `@allow` accepts.
    accepted: usize,
    /// Survivors that no `@allow` accepts.
    survive: usize,
}

impl SurveyCounts {
    /// Prints the summary.
    fn print(&self, args: &MutateArgs, printer: &mut Printer) {
        let Self { made, noticed, accepted, survive } = *self;
        match args.format {
            Output::Json => {
                let summary = json!({ "kind": "summary", "made": made, "noticed": noticed, "accepted": accepted, "survive": survive });
                printer.out(&format!("{summary}\n"));
            }
            Output::Human | Output::Short => {
                let style = if survive > 0 { Style::Yellow } else { Style::Green };
                let blank = if survive > 0 && args.format == Output::Human && !args.quiet { "\n" } else { "" };
                let verb = if survive == 1 { "survives" } else { "survive" };
                let line =
                    format!("{}: {noticed} noticed, {accepted} accepted, {survive} {verb}", count(made, "mutant"));
                printer.out(&format!("{blank}{}\n", printer.paint(style, &line)));
            }
        }
    }
}

/// Returns why nothing would be mutated; `None` if something would, or if the policy consists of packs only.
fn nothing_to_mutate(layers: &[Layer], filter: Option<&str>) -> Option<String> {
    let has_own_files = |layer: &Layer| layer.files.iter().any(|file| file.pack.is_none());
    match filter {
        None if names(layers).next().is_none() && layers.iter().any(has_own_files) => {
            let is_mutable = |item: &Item| matches!(item.kind, ItemKind::Rule(_) | ItemKind::Def(_) | ItemKind::Let(_));
            let own_files = layers.iter().flat_map(|layer| &layer.files).filter(|file| file.pack.is_none());
            Some(match own_files.flat_map(|file| &file.ast.items).any(is_mutable) {
                true => "the rules here are of directories above, and are mutated there".to_owned(),
                false => {
                    "no rule or definition is written here: the rules of packs are tested with the packs".to_owned()
                }
            })
        }
        Some(text) if !names(layers).any(|name| name.contains(text)) => {
            Some(format!("no rule and no definition has `{text}` in its name"))
        }
        _ => None,
    }
}

/// Returns the names of all rules and definitions that can be changed. Packs are left out: they are tested where they
/// are written.
fn names(layers: &[Layer]) -> impl Iterator<Item = &str> {
    layers.iter().flat_map(mutated_files).flat_map(|(_, file)| &file.ast.items).filter_map(item_name)
}
