//! Diagnostics as text: for people, one line each, JSON Lines, or in the formats of code scanning.

mod github;
mod human;
mod sarif;

use super::{Diagnostic, Meaning};
use crate::escape::line;
use crate::span::Sources;

/// How diagnostics are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// With the source lines.
    Human(Look),
    /// `file:line:column: severity R0000 name: message (help)`.
    Short,
    /// One JSON object a line.
    Json,
    /// `::warning file=…::…`, a line that a GitHub workflow shows beside the code.
    Github,
    /// One SARIF 2.1.0 document for all of them.
    Sarif,
}

/// What a terminal, or whoever else shows findings to people, can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Colours, as ANSI escapes.
    pub color: bool,
    /// More than ASCII in frames and marks; the policy's own text stays as it is.
    pub unicode: bool,
    /// How many columns a line has. The lines of a policy are not broken.
    pub width: usize,
}

impl Format {
    /// For people, where nothing is known of what shows it.
    pub const PLAIN: Self = Self::Human(Look { color: false, unicode: true, width: WIDEST });
}

/// Lines longer than this are hard to read, however wide the terminal is.
const WIDEST: usize = 100;

impl Look {
    /// Returns it with lines that are not hard to read, however wide the terminal is.
    fn readable(self) -> Self {
        Self { width: self.width.min(WIDEST), ..self }
    }
}

/// Renders one diagnostic; ends with a newline.
#[must_use]
pub fn render(diagnostic: &Diagnostic, sources: &Sources, format: Format) -> String {
    one(diagnostic, sources, format)
}

fn one(diagnostic: &Diagnostic, sources: &Sources, format: Format) -> String {
    match format {
        Format::Human(look) => human::finding(diagnostic, sources, look.readable()),
        Format::Short => short(diagnostic, sources),
        Format::Json => json(diagnostic, sources),
        Format::Github => github::line(diagnostic, sources),
        Format::Sarif => sarif::document(&[diagnostic], sources),
    }
}

/// Renders diagnostics in the order of their places.
#[must_use]
pub fn render_all(diagnostics: &[Diagnostic], sources: &Sources, format: Format) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|diagnostic| diagnostic.order());
    if format == Format::Sarif {
        return sarif::document(&sorted, sources);
    }
    let separator = if matches!(format, Format::Human(_)) { "\n" } else { "" };
    sorted.into_iter().map(|diagnostic| one(diagnostic, sources, format)).collect::<Vec<_>>().join(separator)
}

fn short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic.span().map(|span| format!("{}: ", sources.place(span))).unwrap_or_default();
    let help = diagnostic.help.as_deref().and_then(in_one_line);
    let help = help.map(|help| format!(" ({help})")).unwrap_or_default();
    let code = diagnostic.code;
    let text = format!("{place}{} {} {}: {}{help}", diagnostic.severity.word(), code.id, code.name, diagnostic.message);
    // What it names may be a file or a text of others.
    format!("{}\n", line(&text, usize::MAX))
}

/// Returns what a help says first, and a text to copy below it if that has one line. One that has more, such as a whole
/// rule, is for those who have room for it.
fn in_one_line(help: &str) -> Option<String> {
    let mut lines = help.lines();
    let first = lines.next()?;
    Some(match (first.strip_suffix(':'), lines.next(), lines.next()) {
        (Some(first), Some(only), None) => format!("{first}: {}", only.trim()),
        (Some(first), Some(_), Some(_)) => format!("{first}: …"),
        (Some(first), None, _) => first.to_owned(),
        (None, ..) => first.to_owned(),
    })
}

fn json(diagnostic: &Diagnostic, sources: &Sources) -> String {
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
            object.insert("keeps_meaning".into(), (fix.meaning == Meaning::Kept).into());
        }
        value
    });
    let value = serde_json::json!({
        "code": diagnostic.code.id, "name": diagnostic.code.name, "severity": diagnostic.severity.word(),
        "message": diagnostic.message, "labels": labels, "help": diagnostic.help, "fix": fix,
    });
    format!("{value}\n")
}
