//! Diagnostics as text: for people (miette), one line each, JSON Lines, or in the formats of code scanning.

mod github;
mod sarif;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
    SpanContents,
};

use super::{Diagnostic, Meaning, Severity};
use crate::escape::{in_place, line};
use crate::span::{FileId, SourceFile, Sources, Span};

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
    fn handler(self) -> GraphicalReportHandler {
        let theme = match (self.unicode, self.color) {
            (true, true) => GraphicalTheme::unicode(),
            (true, false) => GraphicalTheme::unicode_nocolor(),
            (false, true) => GraphicalTheme::ascii(),
            (false, false) => GraphicalTheme::none(),
        };
        GraphicalReportHandler::new_themed(theme)
            .with_width(self.width.min(WIDEST))
            .with_break_words(false)
            .with_context_lines(1)
            .without_cause_chain()
    }
}

/// Renders one diagnostic; ends with a newline.
#[must_use]
pub fn render(diagnostic: &Diagnostic, sources: &Sources, format: Format) -> String {
    one(diagnostic, sources, format, &mut Texts::default())
}

/// The texts of files as they are shown, each made once.
type Texts<'a> = BTreeMap<FileId, Arc<Cow<'a, str>>>;

fn one<'a>(diagnostic: &Diagnostic, sources: &'a Sources, format: Format, texts: &mut Texts<'a>) -> String {
    match format {
        Format::Human(look) => human(diagnostic, sources, look, texts),
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
    let mut texts = Texts::default();
    sorted
        .into_iter()
        .map(|diagnostic| one(diagnostic, sources, format, &mut texts))
        .collect::<Vec<_>>()
        .join(separator)
}

fn short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic.span().map(|span| format!("{}: ", sources.place(span))).unwrap_or_default();
    // What follows on lines of its own, such as a rule to copy, is for those who have room for it.
    let help = diagnostic.help.as_deref().and_then(|help| help.lines().next());
    let help = help.map(|help| format!(" ({})", help.trim_end_matches(':'))).unwrap_or_default();
    let code = diagnostic.code;
    let text = format!("{place}{} {} {}: {}{help}", diagnostic.severity.word(), code.id, code.name, diagnostic.message);
    // What it names may be a file or a text of others.
    format!("{}\n", line(&text, usize::MAX))
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

fn human<'a>(diagnostic: &Diagnostic, sources: &'a Sources, look: Look, texts: &mut Texts<'a>) -> String {
    // miette shows the labels of one file; those in another become part of the help.
    let home = diagnostic.span().and_then(|span| Some((sources.file(span)?, span)));
    let home = home.filter(|(file, span)| file.lines_around(*span, 0).2.len() <= LONGEST_SHOWN).map(|(file, _)| file);
    let mut help = diagnostic.help.clone().unwrap_or_default();
    let mut labels = Vec::new();
    for (index, label) in diagnostic.labels.iter().enumerate() {
        if home.is_some_and(|file| file.id == label.span.file) {
            let (start, length) = (label.span.start as usize, (label.span.end - label.span.start) as usize);
            let text = Some(label.text.clone()).filter(|text| !text.is_empty());
            labels.push(match index {
                0 => LabeledSpan::new_primary_with_span(text, (start, length)),
                _ => LabeledSpan::new_with_span(text, (start, length)),
            });
        } else {
            let separator = if help.is_empty() { "" } else { "\n" };
            help.push_str(&format!("{separator}{}: {}", sources.place(label.span), label.text));
        }
    }
    let mut shown =
        |file: &'a SourceFile| Arc::clone(texts.entry(file.id).or_insert_with(|| in_place(&file.text).into()));
    let source = home.map(|file| Lines { file, shown: shown(file) });
    let report = Report { diagnostic, labels, help: Some(help).filter(|help| !help.is_empty()), source };
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _infallible = look.handler().render_report(&mut out, &report);
    out
}

/// A diagnostic in miette's terms.
struct Report<'a> {
    diagnostic: &'a Diagnostic,
    labels: Vec<LabeledSpan>,
    help: Option<String>,
    source: Option<Lines<'a>>,
}

/// The longest lines that are shown, in bytes: what is on a longer one is told by its place.
const LONGEST_SHOWN: usize = 4_000;

/// A file of which only the lines around a place are looked at, however many places there are.
struct Lines<'a> {
    file: &'a SourceFile,
    /// The text of the file, with nothing in it that would mislead, each character where it is in the file.
    shown: Arc<Cow<'a, str>>,
}

impl SourceCode for Lines<'_> {
    fn read_span<'s>(
        &'s self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'s> + 's>, MietteError> {
        let place = Span::new(self.file.id, span.offset(), span.offset() + span.len());
        let (start, first, text) = self.file.lines_around(place, before.max(after) + 1);
        let text = self.shown.get(start..start + text.len()).unwrap_or_default();
        let within = SourceSpan::from((span.offset().saturating_sub(start), span.len()));
        let found = text.read_span(&within, before, after)?;
        let own = SourceSpan::from((found.span().offset() + start, found.span().len()));
        let (row, column, count) = (found.line() + first, found.column(), found.line_count());
        let name = line(&self.file.name, usize::MAX);
        Ok(Box::new(MietteSpanContents::new_named(name, found.data(), own, row, column, count)))
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&line(&self.diagnostic.message, usize::MAX))
    }
}

impl std::error::Error for Report<'_> {}

impl miette::Diagnostic for Report<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(format!("{} {}", self.diagnostic.code.id, self.diagnostic.code.name)))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error | Severity::Deny => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Info => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }
}
