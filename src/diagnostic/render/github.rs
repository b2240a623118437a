//! Renders findings as workflow commands of GitHub Actions: `::error file=…,line=…::message`.
//!
//! <https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands> defines the commands and the
//! escaping of their values.

use crate::diagnostic::{Diagnostic, Severity};
use crate::span::Sources;

/// Returns the line that annotates the place of a finding, including a newline.
pub(super) fn line(finding: &Diagnostic, sources: &Sources) -> String {
    let command = match finding.severity {
        Severity::Error | Severity::Deny => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let mut properties = String::new();
    if let Some((file, span)) = finding.span().and_then(|span| Some((sources.file(span)?, span))) {
        let ((line, column), (end_line, end_column)) = (file.line_column(span.start), file.line_column(span.end));
        properties.push_str(&format!("file={},line={line},endLine={end_line},", property(&file.name)));
        // GitHub rejects columns on different lines.
        if line == end_line {
            properties.push_str(&format!("col={column},endColumn={end_column},"));
        }
    }
    let title = format!("{} {}", finding.code.id, finding.code.name);
    let help = finding.help.as_deref().map(|help| format!("\n{help}")).unwrap_or_default();
    let text = data(&format!("{}{help}", finding.message));
    format!("::{command} {properties}title={}::{text}\n", property(&title))
}

/// Escapes the text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
