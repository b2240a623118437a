//! A finding as people read it: what it is, the lines that it is about with what is said of each place, and the help.
//!
//! Nothing is wider than the terminal but a word or a name of a file that is; a line of a policy is never broken: of one
//! that is too long the part is shown that the finding is about.

mod block;

use super::Look;
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::escape::line;
use crate::span::{SourceFile, Sources};
use crate::wrap::{ASCII, Signs, UNICODE, shown, wrapped};

/// The longest lines that are shown, in bytes: what is on a longer one is told by its place.
const LONGEST_SHOWN: usize = 4_000;

/// What stands in front of the lines of a help.
const HELP: &str = "  help: ";

/// A colour or weight, as the terminal names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    Error,
    Deny,
    Warning,
    Info,
    /// A name that can be opened.
    Name,
    /// A place beside the one that the finding is about.
    Beside,
    Dim,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Error => "1;31",
            Self::Deny => "1;35",
            Self::Warning => "1;33",
            Self::Info => "1;34",
            Self::Name => "36",
            Self::Beside => "36",
            Self::Dim => "2",
        }
    }
}

/// Paints and draws as a terminal can show it.
#[derive(Clone, Copy)]
struct Canvas {
    look: Look,
    /// How a place is drawn that the finding is about.
    primary: Style,
    lines: &'static Lines,
    signs: &'static Signs,
}

/// The lines that frames are drawn with.
struct Lines {
    top: &'static str,
    bottom: &'static str,
    across: &'static str,
    down: &'static str,
    /// Stands in front of what is no line of the file.
    beside: &'static str,
    under: &'static str,
    /// Where what is said hangs from an underlined place.
    hook: &'static str,
    /// Points to a place between two characters.
    between: &'static str,
    elbow: &'static str,
    elbow_left: &'static str,
    opens: &'static str,
    closes: &'static str,
}

const ROUND: Lines = Lines {
    top: "╭",
    bottom: "╰",
    across: "─",
    down: "│",
    beside: "·",
    under: "─",
    hook: "┬",
    between: "▲",
    elbow: "╰── ",
    elbow_left: " ──╯",
    opens: "╭─▶ ",
    closes: "├─▶ ",
};

const PLAIN: Lines = Lines {
    top: ",",
    bottom: "`",
    across: "-",
    down: "|",
    beside: ":",
    under: "-",
    hook: "+",
    between: "^",
    elbow: "`-- ",
    elbow_left: " --'",
    opens: ",-> ",
    closes: "|-> ",
};

impl Canvas {
    fn new(look: Look, severity: Severity) -> Self {
        let primary = match severity {
            Severity::Error => Style::Error,
            Severity::Deny => Style::Deny,
            Severity::Warning => Style::Warning,
            Severity::Info => Style::Info,
        };
        let (lines, signs) = if look.unicode { (&ROUND, &UNICODE) } else { (&PLAIN, &ASCII) };
        Self { look, primary, lines, signs }
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if self.look.color { format!("\u{1b}[{}m{text}\u{1b}[0m", style.code()) } else { text.to_owned() }
    }
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

/// Renders a finding; ends with a newline.
pub(super) fn finding(diagnostic: &Diagnostic, sources: &Sources, look: Look) -> String {
    let canvas = Canvas::new(look, diagnostic.severity);
    let code = diagnostic.code;
    let title = format!("{} {} {}", diagnostic.severity.word(), code.id, code.name);
    let mut out = format!("{}\n\n", canvas.paint(canvas.primary, &title));
    let lead = canvas.paint(canvas.primary, sign(diagnostic.severity, look.unicode));
    // What it names may be a file or a text of others.
    let message = line(&diagnostic.message, usize::MAX);
    let message = wrapped(look.width, "    ", "    ", &shown(&message, look.unicode));
    out.push_str(&format!("  {lead} {}", message.trim_start()));
    let home = home(diagnostic, sources);
    let is_home = |label: &&Label| home.is_some_and(|file| file.id == label.span.file);
    if let Some(file) = home {
        let labels: Vec<&Label> = diagnostic.labels.iter().filter(is_home).collect();
        out.push_str(&block::blocks(file, &labels, &canvas));
    }
    let mut help: Vec<String> = diagnostic.help.iter().flat_map(|help| help.lines().map(str::to_owned)).collect();
    // Only the lines of one file are shown.
    help.extend(
        diagnostic
            .labels
            .iter()
            .filter(|label| !is_home(label))
            .map(|label| format!("{}: {}", sources.place(label.span), label.text)),
    );
    for (index, text) in help.iter().enumerate() {
        let text = shown(text, look.unicode);
        let lead = if index == 0 { HELP } else { "        " };
        // What is to be copied is not broken.
        let is_code = text.starts_with(' ');
        let width = if is_code { usize::MAX } else { look.width };
        let text = wrapped(width, lead, "        ", &text);
        match text.strip_prefix(HELP) {
            Some(rest) => out.push_str(&format!("{}{rest}", canvas.paint(Style::Beside, HELP))),
            None => out.push_str(&text),
        }
    }
    out
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
