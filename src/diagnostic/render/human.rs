//! A finding for people: its title, the relevant lines with labels, and the help.
//!
//! miette draws it. Its input already fits the terminal, so that it wraps no line: texts are wrapped at blanks, and the
//! [excerpt] contains only the relevant part of a line that is too long. Nothing is wider than the terminal except for
//! single words or file names.

mod excerpt;
#[cfg(test)]
mod tests;

use std::fmt;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode, ThemeCharacters, ThemeStyles};
use owo_colors::Style;

use self::excerpt::Excerpt;
use super::Look;
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::escape::line;
use crate::span::{SourceFile, Sources};
use crate::wrap::{shown, wrapped};

/// The maximum length of displayed lines, in bytes: for a longer line only the position is printed.
const LONGEST_SHOWN: usize = 4_000;

/// The indentation of a message and of a help by miette, in columns.
const MESSAGE_INDENT: usize = 4;
const HELP_INDENT: usize = 8;

/// Renders a finding, including a final newline.
pub(super) fn finding(diagnostic: &Diagnostic, sources: &Sources, look: Look) -> String {
    let home = home(diagnostic, sources);
    let is_home = |label: &Label| home.is_some_and(|file| file.id == label.span.file);
    let labels: Vec<&Label> = diagnostic.labels.iter().filter(|label| is_home(label)).collect();
    let excerpt = home.map(|file| Excerpt::new(file, &labels, look));
    // Only the lines of one file are shown, and only one part of each.
    let is_seen = |label: &Label| excerpt.as_ref().is_some_and(|excerpt| excerpt.shows(label));
    let elsewhere = diagnostic.labels.iter().filter(|label| !is_seen(label));
    let elsewhere = elsewhere.map(|label| format!("{}: {}", sources.place(label.span), label.text));
    let help = diagnostic.help.iter().flat_map(|help| help.lines().map(str::to_owned)).chain(elsewhere);
    let help: Vec<String> = help.map(|text| help_line(&text, look)).collect();
    // It may name a file, or quote a text from elsewhere.
    let message = line(&diagnostic.message, usize::MAX);
    let message = wrapped(look.width - MESSAGE_INDENT, "", "", &shown(&message, look.unicode));
    let report = Report {
        title: format!("{} {} {}", diagnostic.severity.word(), diagnostic.code.id, diagnostic.code.name),
        message: message.trim_end().to_owned(),
        help: Some(help.join("\n")).filter(|help| !help.is_empty()),
        excerpt,
    };
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _infallible = handler(diagnostic.severity, look, report.highlights(look, diagnostic.severity))
        .render_report(&mut out, &report);
    // miette writes trailing blanks on empty lines.
    out.lines().flat_map(|line| [line.trim_end_matches(' '), "\n"]).collect()
}

/// Returns a line of a help for display. Text to copy is indented, and not wrapped.
fn help_line(text: &str, look: Look) -> String {
    let text = shown(text, look.unicode);
    if text.starts_with(' ') {
        return text.into_owned();
    }
    wrapped(look.width - HELP_INDENT, "", "", &text).trim_end().to_owned()
}

/// Returns the file whose lines are shown: that of the primary label, unless its lines are too long.
fn home<'s>(diagnostic: &Diagnostic, sources: &'s Sources) -> Option<&'s SourceFile> {
    let span = diagnostic.span()?;
    let file = sources.file(span)?;
    let is_short = |label: &Label| {
        label.span.file != span.file
            || file.lines_around(label.span, 1).2.lines().all(|line| line.len() <= LONGEST_SHOWN)
    };
    diagnostic.labels.iter().all(is_short).then_some(file)
}

/// Returns the style of a severity and of the primary label.
fn primary(severity: Severity, look: Look) -> Style {
    let style = Style::new();
    match severity {
        _ if !look.color => style,
        Severity::Error => style.red().bold(),
        Severity::Deny => style.magenta().bold(),
        Severity::Warning => style.yellow().bold(),
        Severity::Info => style.blue().bold(),
    }
}

/// Returns the style of the secondary labels.
fn beside(look: Look) -> Style {
    if look.color { Style::new().cyan() } else { Style::new() }
}

/// Returns the sign of a severity, which precedes the message.
fn sign(severity: Severity, unicode: bool) -> &'static str {
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

/// Returns miette's renderer for a finding. miette has one severity less than we have, so each of ours is an error with
/// its own sign and style.
fn handler(severity: Severity, look: Look, highlights: Vec<Style>) -> GraphicalReportHandler {
    let drawn = if look.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
    let characters = ThemeCharacters { error: sign(severity, look.unicode).to_owned(), ..drawn };
    let styles = ThemeStyles {
        error: primary(severity, look),
        help: beside(look),
        link: beside(look),
        linum: if look.color { Style::new().dimmed() } else { Style::new() },
        highlights,
        ..ThemeStyles::none()
    };
    GraphicalReportHandler::new_themed(GraphicalTheme { characters, styles })
        .with_wrap_lines(false)
        .with_context_lines(excerpt::CONTEXT)
        .without_cause_chain()
        .without_syntax_highlighting()
}

/// A finding in miette's terms.
#[derive(Debug)]
struct Report<'l> {
    title: String,
    message: String,
    help: Option<String>,
    excerpt: Option<Excerpt<'l>>,
}

impl Report<'_> {
    /// Returns the style of each label, in miette's drawing order.
    fn highlights(&self, look: Look, severity: Severity) -> Vec<Style> {
        let labels = self.excerpt.iter().flat_map(Excerpt::labels);
        let styles = labels.map(|label| if label.primary() { primary(severity, look) } else { beside(look) });
        // miette cycles through them, and an empty list would mean no style at all.
        styles.chain([beside(look)]).collect()
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Report<'_> {}

impl miette::Diagnostic for Report<'_> {
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
