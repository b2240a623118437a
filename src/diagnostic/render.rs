//! Renders diagnostics as text: for people, one per line, as JSON Lines, or in the formats of code scanning.

mod github;
mod human;
mod sarif;

use super::{Diagnostic, FixSafety};
use crate::escape::line;
use crate::span::Sources;

/// The output format of diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagnosticFormat {
    /// With the source lines.
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

/// The capabilities of a terminal, or of another display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DisplayOptions {
    /// Colours, as ANSI escapes.
    pub color: bool,
    /// Characters beyond ASCII in frames and marks; the policy's own text stays as it is.
    pub unicode: bool,
    /// The width of a line, in columns. The lines of a policy are not wrapped.
    pub width: usize,
}

impl DiagnosticFormat {
    /// For people, with an unknown display.
    pub const PLAIN: Self = Self::Human(DisplayOptions { color: false, unicode: true, width: WIDEST });
}

/// Longer lines are hard to read, even on a wide terminal.
const WIDEST: usize = 100;

impl DisplayOptions {
    /// Returns it with its width limited to readable lines.
    fn with_readable_width(self) -> Self {
        Self { width: self.width.min(WIDEST), ..self }
    }
}

/// Renders one diagnostic, including a final newline.
#[must_use]
pub fn render(diagnostic: &Diagnostic, sources: &Sources, format: DiagnosticFormat) -> String {
    render_one(diagnostic, sources, format)
}

fn render_one(diagnostic: &Diagnostic, sources: &Sources, format: DiagnosticFormat) -> String {
    match format {
        DiagnosticFormat::Human(look) => human::finding(diagnostic, sources, look.with_readable_width()),
        DiagnosticFormat::Short => render_short(diagnostic, sources),
        DiagnosticFormat::Json => render_json(diagnostic, sources),
        DiagnosticFormat::Github => github::line(diagnostic, sources),
        DiagnosticFormat::Sarif => sarif::document(&[diagnostic], sources),
    }
}

/// Renders diagnostics, sorted by place.
#[must_use]
pub fn render_all(diagnostics: &[Diagnostic], sources: &Sources, format: DiagnosticFormat) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|diagnostic| diagnostic.order());
    if format == DiagnosticFormat::Sarif {
        return sarif::document(&sorted, sources);
    }
    let separator = if matches!(format, DiagnosticFormat::Human(_)) { "\n" } else { "" };
    sorted.into_iter().map(|diagnostic| render_one(diagnostic, sources, format)).collect::<Vec<_>>().join(separator)
}

fn render_short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic.span().map(|span| format!("{}: ", sources.location(span))).unwrap_or_default();
    let help = diagnostic.help.as_deref().and_then(first_sentence);
    let help = help.map(|help| format!(" ({help})")).unwrap_or_default();
    let code = diagnostic.code;
    let text = format!("{place}{} {} {}: {}{help}", diagnostic.severity.name(), code.id, code.name, diagnostic.message);
    // It may name a file, or quote a text from elsewhere.
    format!("{}\n", line(&text, usize::MAX))
}

/// Returns the first sentence of a help, with the text to copy below it if that is a single line. A longer one, such as
/// a whole rule, is left out.
fn first_sentence(help: &str) -> Option<String> {
    let mut lines = help.lines();
    let first = lines.next()?;
    Some(match (first.strip_suffix(':'), lines.next(), lines.next()) {
        (Some(first), Some(only), None) => format!("{first}: {}", only.trim()),
        (Some(first), Some(_), Some(_)) => format!("{first}: …"),
        (Some(first), None, _) => first.to_owned(),
        (None, ..) => first.to_owned(),
    })
}

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
