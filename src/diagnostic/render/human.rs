//! A finding as people read it: what it is, the lines that it is about with what is said of each place, and the help.
//!
//! miette draws. What it gets fits the terminal already, so that it breaks no line: texts are broken at their blanks, and
//! of a line that is too long the [excerpt] has the part that the finding is about. Nothing is wider than the terminal
//! but a word or a name of a file that is.

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

/// The longest lines that are shown, in bytes: what is on a longer one is told by its place.
const LONGEST_SHOWN: usize = 4_000;

/// What miette puts in front of a message and of a help, in columns.
const MESSAGE_INDENT: usize = 4;
const HELP_INDENT: usize = 8;

/// Renders a finding; ends with a newline.
pub(super) fn finding(diagnostic: &Diagnostic, sources: &Sources, look: Look) -> String {
    let home = home(diagnostic, sources);
    let is_home = |label: &Label| home.is_some_and(|file| file.id == label.span.file);
    let labels: Vec<&Label> = diagnostic.labels.iter().filter(|label| is_home(label)).collect();
    let excerpt = home.map(|file| Excerpt::new(file, &labels, look));
    // Only the lines of one file are shown, and of each line one part.
    let is_seen = |label: &Label| excerpt.as_ref().is_some_and(|excerpt| excerpt.shows(label));
    let elsewhere = diagnostic.labels.iter().filter(|label| !is_seen(label));
    let elsewhere = elsewhere.map(|label| format!("{}: {}", sources.place(label.span), label.text));
    let help = diagnostic.help.iter().flat_map(|help| help.lines().map(str::to_owned)).chain(elsewhere);
    let help: Vec<String> = help.map(|text| help_line(&text, look)).collect();
    // What it names may be a file or a text of others.
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
    // It puts a blank in front of lines that are empty.
    out.lines().flat_map(|line| [line.trim_end_matches(' '), "\n"]).collect()
}

/// Returns a line of a help as it is shown. What is to be copied is indented, and not broken.
fn help_line(text: &str, look: Look) -> String {
    let text = shown(text, look.unicode);
    if text.starts_with(' ') {
        return text.into_owned();
    }
    wrapped(look.width - HELP_INDENT, "", "", &text).trim_end().to_owned()
}

/// Returns the file whose lines are shown: that of the first place, unless its lines are too long.
fn home<'s>(diagnostic: &Diagnostic, sources: &'s Sources) -> Option<&'s SourceFile> {
    let span = diagnostic.span()?;
    let file = sources.file(span)?;
    let is_short = |label: &Label| {
        label.span.file != span.file
            || file.lines_around(label.span, 1).2.lines().all(|line| line.len() <= LONGEST_SHOWN)
    };
    diagnostic.labels.iter().all(is_short).then_some(file)
}

/// Returns the style of a severity, and of the place that the finding is about.
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

/// Returns the style of what stands beside the place that a finding is about.
fn beside(look: Look) -> Style {
    if look.color { Style::new().cyan() } else { Style::new() }
}

/// Returns what stands in front of a message: a sign for each severity.
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

/// Returns miette's renderer for a finding. To it each of our severities is an error with its own sign and style: it has
/// one severity less.
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
    /// Returns the style of each place, in the order in which miette draws them.
    fn highlights(&self, look: Look, severity: Severity) -> Vec<Style> {
        let labels = self.excerpt.iter().flat_map(Excerpt::labels);
        let styles = labels.map(|label| if label.primary() { primary(severity, look) } else { beside(look) });
        // It goes through them again and again, and none would be no style at all.
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
