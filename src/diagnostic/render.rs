//! Renders findings as text: for people, one per line, as JSON Lines, or in the formats of code scanning tools.

mod github;
mod human;
mod sarif;

use super::{Diagnostic, FixSafety};
use crate::escape::line;
use crate::parallel;
use crate::span::Sources;

/// The output format of findings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagnosticFormat {
    /// For people, with the source lines.
    Human(DisplayOptions),
    /// `file:line:column: severity R0000 name: message (help)`.
    Short,
    /// One JSON object per line.
    Json,
    /// `::warning file=…::…`, a line that a GitHub workflow shows next to the code.
    Github,
    /// A single SARIF 2.1.0 document.
    Sarif,
}

/// The capabilities of a terminal or another display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DisplayOptions {
    /// Whether colours are used, as ANSI escapes.
    pub color: bool,
    /// Whether frames and signs may have characters beyond ASCII. The policy's own text is not affected.
    pub unicode: bool,
    /// The width of a line, in columns. The lines of a policy are cut, not wrapped.
    pub width: usize,
}

impl DiagnosticFormat {
    /// The format for people if the display is unknown.
    pub const PLAIN: Self = Self::Human(DisplayOptions { color: false, unicode: true, width: MAX_WIDTH });
}

/// The maximum width of a line, in columns. Longer lines are hard to read, even on a wide terminal.
const MAX_WIDTH: usize = 100;

impl DisplayOptions {
    /// Returns the options with the width limited to [`MAX_WIDTH`].
    fn with_readable_width(self) -> Self {
        Self { width: self.width.min(MAX_WIDTH), ..self }
    }
}

/// Renders one finding, including a final newline.
#[must_use]
pub fn render(diagnostic: &Diagnostic, sources: &Sources, format: DiagnosticFormat) -> String {
    match format {
        DiagnosticFormat::Human(display) => human::finding(diagnostic, sources, display.with_readable_width()),
        DiagnosticFormat::Short => render_short(diagnostic, sources),
        DiagnosticFormat::Json => render_json(diagnostic, sources),
        DiagnosticFormat::Github => github::line(diagnostic, sources),
        DiagnosticFormat::Sarif => sarif::document(&[diagnostic], sources),
    }
}

/// Renders findings, sorted by file and place.
#[must_use]
pub fn render_all(diagnostics: &[Diagnostic], sources: &Sources, format: DiagnosticFormat) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|diagnostic| diagnostic.order());
    if format == DiagnosticFormat::Sarif {
        return sarif::document(&sorted, sources);
    }
    let separator = if matches!(format, DiagnosticFormat::Human(_)) { "\n" } else { "" };
    parallel::map(&sorted, |diagnostic| render(diagnostic, sources, format)).join(separator)
}

/// Renders a finding as one line.
fn render_short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic.span().map(|span| format!("{}: ", sources.location(span))).unwrap_or_default();
    let help = diagnostic.help.as_deref().and_then(short_help);
    let help = help.map(|help| format!(" ({help})")).unwrap_or_default();
    let code = diagnostic.code;
    let text = format!("{place}{} {} {}: {}{help}", diagnostic.severity.name(), code.id, code.name, diagnostic.message);
    // The message may contain a file name, or a text that somebody else wrote, so it is made safe to display.
    format!("{}\n", line(&text, usize::MAX))
}

/// Returns the first line of a help. If it ends with a colon, a single line after it (the text to copy) is included;
/// several lines, such as a whole rule, are replaced by `…`.
fn short_help(help: &str) -> Option<String> {
    let mut lines = help.lines();
    let first = lines.next()?;
    Some(match (first.strip_suffix(':'), lines.next(), lines.next()) {
        (Some(first), Some(only), None) => format!("{first}: {}", only.trim()),
        (Some(first), Some(_), Some(_)) => format!("{first}: …"),
        (Some(first), None, _) => first.to_owned(),
        (None, ..) => first.to_owned(),
    })
}

/// Renders a finding as one line of JSON.
fn render_json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = |span| {
        let file = sources.file(span);
        let (line, column) = file.map_or((0, 0), |file| file.line_column(span.start));
        serde_json::json!({
            "file": file.map(|file| file.name.as_str()), "line": line, "column": column,
            "start": span.start, "end": span.end,
        })
    };
    let labels: Vec<_> = diagnostic
        .labels
        .iter()
        .map(|label| {
            let mut value = place(label.span);
            if let Some(object) = value.as_object_mut() {
                object.insert("text".into(), label.text.clone().into());
            }
            value
        })
        .collect();
    let fix = diagnostic.fix.as_ref().map(|fix| {
        let mut value = place(fix.span);
        if let Some(object) = value.as_object_mut() {
            object.insert("replacement".into(), fix.replacement.clone().into());
            object.insert("keeps_meaning".into(), (fix.meaning == FixSafety::Safe).into());
        }
        value
    });
    let value = serde_json::json!({
        "code": diagnostic.code.id, "name": diagnostic.code.name, "severity": diagnostic.severity.name(),
        "message": diagnostic.message, "labels": labels, "help": diagnostic.help, "fix": fix,
    });
    format!("{value}\n")
}
