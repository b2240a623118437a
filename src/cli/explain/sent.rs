//! What is sent to the host, byte for byte.

use super::Shown;
use crate::cli::print::{Printer, Style, count};
use crate::escape::line;
use crate::host::{Host, HostOutput};
use crate::verdict::Verdict;
use crate::wrap::cut;

/// Prints what is sent: on one line each, unless all of it is asked for.
pub(super) fn print(host: Host, output: &HostOutput, verdict: &Verdict, shown: Shown, printer: &mut Printer) {
    let mut parts = vec![format!("exit {}", output.exit)];
    let streams = [("standard output", &output.stdout), ("standard error", &output.stderr)];
    for (name, text) in streams.into_iter().filter(|(_, text)| !text.is_empty()) {
        parts.push(format!("{} on {name}", count(text.len(), "byte")));
    }
    if parts.len() == 1 {
        parts.push("nothing else".to_owned());
    }
    let commands = match verdict.runs.len() {
        0 => String::new(),
        runs => format!("; {} may add to it", count(runs, "command")),
    };
    let last = parts.pop().unwrap_or_default();
    let title = format!("sent to {}: {} and {last}{commands}", host.name(), parts.join(", "));
    let title = printer.wrapped("", "  ", &title);
    printer.out(&format!("\n{}", printer.paint(Style::Bold, title.trim_end())));
    printer.out("\n");
    for (_, text) in streams.into_iter().filter(|(_, text)| !text.is_empty()) {
        let text = text.strip_suffix('\n').unwrap_or(text);
        match shown {
            Shown::All => text.lines().for_each(|text| printer.out(&format!("  {}\n", line(text, usize::MAX)))),
            Shown::Decisive => {
                // Each character may take six on the screen, and no more than the line has are looked at.
                let one =
                    cut(&line(text, printer.width().saturating_mul(2)), printer.width() - 2, printer.signs().more);
                printer.out(&format!("  {}\n", printer.paint(Style::Dim, &one)));
            }
        }
    }
    if let Some(held) = &output.held {
        let held = printer.wrapped("", "  ", &format!("the user reads at a later event: {}", line(held, 400)));
        printer.out(&printer.paint(Style::Dim, &held));
    }
}
