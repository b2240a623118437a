//! Renders a finding for people: the title, the relevant lines with labels, and the help.
//!
//! miette draws the lines. Everything that it gets already fits the terminal, so that miette wraps nothing: texts are
//! wrapped at spaces, and the [excerpt] contains only the relevant part of a line that is too long. Only single words
//! and file names can be wider than the terminal.

mod excerpt;
#[cfg(test)]
mod tests;

use std::fmt;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode, ThemeCharacters, ThemeStyles};
use owo_colors::Style;

use self::excerpt::SourceExcerpt;
use super::DisplayOptions;
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::escape::line;
use crate::span::{SourceFile, Sources};
use crate::wrap::{in_terminal_characters, wrapped};

/// The maximum length of displayed lines, in bytes. If a line is longer, only the position is printed.
const MAX_SHOWN_BYTES: usize = 4_000;

/// The indentation that miette gives to a message and to a help, in columns.
const MESSAGE_INDENT: usize = 4;
const HELP_INDENT: usize = 8;

/// Renders a finding, including a final newline.
pub(super) fn finding(diagnostic: &Diagnostic, sources: &Sources, display: DisplayOptions) -> String {
    let shown_file = shown_file(diagnostic, sources);
    let is_in_shown_file = |label: &Label| shown_file.is_some_and(|file| file.id == label.span.file);
    let labels: Vec<&Label> = diagnostic.labels.iter().filter(|label| is_in_shown_file(label)).collect();
    let excerpt = shown_file.map(|file| SourceExcerpt::new(file, &labels, display));
    // Only the lines of one file are shown, and only one part of each.
    let is_drawn = |label: &Label| excerpt.as_ref().is_some_and(|excerpt| excerpt.is_drawn(label));
    let undrawn = diagnostic.labels.iter().filter(|label| !is_drawn(label));
    let undrawn = undrawn.map(|label| format!("{}: {}", sources.location(label.span), label.text));
    let help = diagnostic.help.iter().flat_map(|help| help.lines().map(str::to_owned)).chain(undrawn);
    let help: Vec<String> = help.map(|text| help_line(&text, display)).collect();
    // The message may contain a file name, or a text that somebody else wrote, so it is made safe to display.
    let message = line(&diagnostic.message, usize::MAX);
    let message = wrapped(display.width - MESSAGE_INDENT, "", "", &in_terminal_characters(&message, display.unicode));
    let report = MietteReport {
        title: format!("{} {} {}", diagnostic.severity.name(), diagnostic.code.id, diagnostic.code.name),
        message: message.trim_end().to_owned(),
        help: Some(help.join("\n")).filter(|help| !help.is_empty()),
        excerpt,
    };
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _infallible = handler(diagnostic.severity, display, report.highlights(display, diagnostic.severity))
        .render_report(&mut out, &report);
    // miette writes trailing spaces on empty lines.
    out.lines().flat_map(|line| [line.trim_end_matches(' '), "\n"]).collect()
}

/// Formats a line of a help. A text to copy is indented and not wrapped.
fn help_line(text: &str, display: DisplayOptions) -> String {
    let text = in_terminal_characters(text, display.unicode);
    if text.starts_with(' ') {
        return text.into_owned();
    }
    wrapped(display.width - HELP_INDENT, "", "", &text).trim_end().to_owned()
}

/// Returns the file whose lines are displayed: the file of the primary label. `None` if one of the lines is too long.
fn shown_file<'s>(diagnostic: &Diagnostic, sources: &'s Sources) -> Option<&'s SourceFile> {
    let span = diagnostic.span()?;
    let file = sources.file(span)?;
    let is_short = |label: &Label| {
        label.span.file != span.file
            || file.lines_around(label.span, 1).2.lines().all(|line| line.len() <= MAX_SHOWN_BYTES)
    };
    diagnostic.labels.iter().all(is_short).then_some(file)
}

/// Returns the style of a severity, which is also the style of the primary label.
fn primary_style(severity: Severity, display: DisplayOptions) -> Style {
    let style = Style::new();
    match severity {
        _ if !display.color => style,
        Severity::Error => style.red().bold(),
        Severity::Deny => style.magenta().bold(),
        Severity::Warning => style.yellow().bold(),
        Severity::Info => style.blue().bold(),
    }
}

/// Returns the style of the secondary labels.
fn secondary_style(display: DisplayOptions) -> Style {
    if display.color { Style::new().cyan() } else { Style::new() }
}

/// Returns the sign of a severity, which is printed before the message.
fn severity_sign(severity: Severity, unicode: bool) -> &'static str {
    match (severity, unicode) {
        (Severity::Error, true) => "×",
        (Severity::Error, false) => "x",
        (Severity::Deny, true) => "■",
        (Severity::Deny, false) => "#",
        (Severity::Warning, true) => "⚠",
        (Severity::Warning, false) => "!",
        (Severity::Info, true) => "☞",
        (Severity::Info, false) => ">",
    }
}

/// Returns miette's renderer for a finding. miette has fewer severities than this program, so each severity is an
/// error for miette, with a sign and a style of its own.
fn handler(severity: Severity, display: DisplayOptions, highlights: Vec<Style>) -> GraphicalReportHandler {
    let drawn = if display.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
    let characters = ThemeCharacters { error: severity_sign(severity, display.unicode).to_owned(), ..drawn };
    let styles = ThemeStyles {
        error: primary_style(severity, display),
        help: secondary_style(display),
        link: secondary_style(display),
        linum: if display.color { Style::new().dimmed() } else { Style::new() },
        highlights,
        ..ThemeStyles::none()
    };
    GraphicalReportHandler::new_themed(GraphicalTheme { characters, styles })
        .with_wrap_lines(false)
        .with_context_lines(excerpt::CONTEXT)
        .without_cause_chain()
        .without_syntax_highlighting()
}

/// A finding in the form that miette renders.
#[derive(Debug)]
struct MietteReport<'l> {
    title: String,
    message: String,
    help: Option<String>,
    excerpt: Option<SourceExcerpt<'l>>,
}

impl MietteReport<'_> {
    /// Returns the style of each label, in miette's drawing order.
    fn highlights(&self, display: DisplayOptions, severity: Severity) -> Vec<Style> {
        let labels = self.excerpt.iter().flat_map(SourceExcerpt::labels);
        let styles = labels
            .map(|label| if label.primary() { primary_style(severity, display) } else { secondary_style(display) });
        // miette uses the styles in a cycle, and an empty list would mean no style at all.
        styles.chain([secondary_style(display)]).collect()
    }
}

impl fmt::Display for MietteReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MietteReport<'_> {}

impl miette::Diagnostic for MietteReport<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.title))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let excerpt = self.excerpt.as_ref()?;
        Some(Box::new(excerpt.labels().cloned()))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }
}
