//! The section on the output to the host, byte for byte.

use super::ExplainDetail;
use crate::cli::print::{Printer, Style, count};
use crate::escape::line;
use crate::host::{Host, HostOutput, sent_answer};
use crate::types::Payload;
use crate::verdict::Verdict;
use crate::wrap::columns;

/// Prints the exit code, the number of bytes on each stream and, if the host is sent another decision, why. Then prints
/// the text of both streams if each fits on a line, or with `--all`.
pub(super) fn print(
    (host, payload): (Host, &Payload),
    output: &HostOutput,
    verdict: &Verdict,
    shown: ExplainDetail,
    printer: &mut Printer,
) {
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
    // A shortened output is of little use: it is shown if all of it fits, or on request.
    let fits = |text: &str| text.len() <= printer.width() && columns(&line(text, usize::MAX)) <= printer.width() - 2;
    let is_shown = shown == ExplainDetail::All || streams.iter().all(|(_, text)| fits(text.trim_end_matches('\n')));
    let more = if is_shown { "" } else { ": --all" };
    let title = format!("sent to {}: {} and {last}{commands}{more}", host.name(), parts.join(", "));
    let title = printer.wrapped("", "  ", &title);
    printer.out(&format!("\n{}", printer.paint(Style::Bold, title.trim_end())));
    printer.out("\n");
    let answer = sent_answer(host, &payload.origin, verdict);
    if let Some(why) = answer.difference(host.sender(&payload.origin), verdict) {
        printer.out(&printer.wrapped("  ", "  ", &why));
    }
    for (_, text) in streams.into_iter().filter(|(_, text)| !text.is_empty() && is_shown) {
        let text = text.strip_suffix('\n').unwrap_or(text);
        text.lines().for_each(|text| printer.out(&format!("  {}\n", line(text, usize::MAX))));
    }
    if let Some(deferred) = &output.deferred {
        let note = printer.wrapped("", "  ", &format!("the user reads at a later event: {}", line(deferred, 400)));
        printer.out(&printer.paint(Style::Dim, &note));
    }
}
