//! `rules test`: the `test` blocks and the examples of a policy.

use std::path::PathBuf;

use super::Outcome;
use super::load::load_whole;
use super::print::{Printer, Style};
use crate::diagnostic::render_all;
use crate::examples::{Report, run as judge};

/// Run the `test` blocks and the examples of the policy
///
/// Executes nothing, and reads nothing from the machine. Exits with 1 if anything
/// fails, and with 3 if the policy does not load.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Files or directories. Default: all layers around the current directory
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    let policy = match load_whole(&args.paths, printer) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    let mut report = Report::default();
    for layer in &policy.layers {
        report.add(judge(layer));
    }
    let failed = report.failed.len();
    if failed > 0 {
        printer.out(&render_all(&report.failed, &policy.sources, printer.format()));
        printer.out("\n");
    }
    let style = if failed > 0 { Style::Red } else { Style::Green };
    let line = printer.paint(style, &format!("{} passed, {failed} failed", report.passed));
    printer.out(&format!("{line}\n"));
    if report.passed == 0 && failed == 0 {
        printer
            .out("the policy has no tests or examples of its own; those of the packs apply to the packs as shipped\n");
    }
    if failed > 0 { Outcome::Findings } else { Outcome::Clean }
}
