//! Prints the output of all commands except the hook's answer, with the colours, signs and line width that the
//! terminal can show.
#![expect(clippy::disallowed_methods, reason = "NO_COLOR, COLUMNS, TERM, GITHUB_ACTIONS and the locale are variables")]

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use super::Color;
use crate::diagnostic::{DiagnosticFormat, DisplayOptions};
use crate::escape;
use crate::wrap::{self, ASCII, DEFAULT, LEAST, Signs, UNICODE};

/// Writes to standard output and standard error for a human reader.
pub(super) struct Printer {
    /// Whether text is printed in colours.
    color: bool,
    /// The number of columns of a line.
    width: usize,
    /// Whether the terminal can show more than ASCII.
    unicode: bool,
}

/// A terminal style or colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Bold,
    Dim,
    Green,
    Red,
    Yellow,
    Cyan,
}

impl Printer {
    /// Creates a printer for the terminal that the environment describes.
    pub(super) fn new(color: Color) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => std::io::stdout().is_terminal() && !no_color,
        };
        Self { color, width: width(), unicode: is_unicode_terminal(|name| std::env::var(name).ok()) }
    }

    /// Returns a printer for lines of this many columns, which can show Unicode.
    #[cfg(test)]
    pub(super) fn with_width(self, width: usize) -> Self {
        Self { width, unicode: true, ..self }
    }

    /// Returns the number of columns of a line.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Whether the terminal can show more than ASCII.
    pub(super) fn is_unicode(&self) -> bool {
        self.unicode
    }

    /// Returns the signs (arrows, bars, bullets) in characters that the terminal can show.
    pub(super) fn signs(&self) -> &'static Signs {
        if self.unicode { &UNICODE } else { &ASCII }
    }

    /// Wraps a text at its blanks to the terminal's width: the first line begins with `lead`, the others with `rest`.
    pub(super) fn wrapped(&self, lead: &str, rest: &str, text: &str) -> String {
        wrap::wrapped(self.width, lead, rest, text)
    }

    /// Returns a text of the program in characters that the terminal can show: without Unicode, `…` becomes `...`.
    pub(super) fn displayable<'t>(&self, text: &'t str) -> Cow<'t, str> {
        wrap::in_terminal_characters(text, self.unicode)
    }

    /// Escapes a foreign text so that it is safe to print on one line, and truncates it to `width` columns.
    pub(super) fn fit(&self, text: &str, width: usize) -> String {
        wrap::truncate(&escape::line(text, usize::MAX).replace('\t', " "), width, self.signs().more)
    }

    /// Returns the format of findings for a human reader at this terminal.
    pub(super) fn format(&self) -> DiagnosticFormat {
        DiagnosticFormat::Human(DisplayOptions { color: self.color, unicode: self.unicode, width: self.width })
    }

    /// Returns a text in a style, or unchanged if colours are off.
    pub(super) fn paint(&self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Bold => "1",
            Style::Dim => "2",
            Style::Green => "32",
            Style::Red => "31",
            Style::Yellow => "33",
            Style::Cyan => "36",
        };
        if self.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Writes to standard output. A reader that has gone away (`| head`) is not an error.
    pub(super) fn out(&mut self, text: &str) {
        let _closed = std::io::stdout().lock().write_all(text.as_bytes());
    }

    /// Writes to standard output at once, and returns any error: a command with much output then stops.
    pub(super) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush())
    }

    /// Prints a hint about the next step to standard error if that is a terminal, because a hint is only for people.
    pub(super) fn hint(&mut self, text: &str) {
        if std::io::stderr().is_terminal() {
            self.err(text);
        }
    }

    /// Writes to standard error. A reader that has gone away is not an error.
    pub(super) fn err(&mut self, text: &str) {
        let _closed = std::io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Returns the number of columns of a line: the variable `COLUMNS`, else the terminal's width, else 80.
fn width() -> usize {
    let stated = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let terminal = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    stated.or_else(terminal).filter(|width| *width > 0).unwrap_or(DEFAULT).max(LEAST)
}

/// Whether the terminal can show more than ASCII: `TERM` is not `dumb`, and the locale names UTF-8 or is not set.
fn is_unicode_terminal(variable: impl Fn(&str) -> Option<String>) -> bool {
    if variable("TERM").is_some_and(|term| term == "dumb") {
        return false;
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| variable(name).filter(|it| !it.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Whether standard output goes to the log of a step of a GitHub workflow, which turns some lines into annotations.
pub(super) fn is_workflow_log() -> bool {
    std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true") && !std::io::stdout().is_terminal()
}

/// Returns a number with its noun, in the plural if needed: `1 rule`, `2 rules`.
pub(super) fn count(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dumb_terminal_and_another_character_set_get_ascii() {
        let shows = |variables: &[(&str, &str)]| {
            is_unicode_terminal(|name| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(shows(&[]) && shows(&[("LANG", "")]) && shows(&[("TERM", "xterm-256color")]));
        assert!(shows(&[("LANG", "en_GB.UTF-8")]) && shows(&[("LC_ALL", "C.utf8"), ("LANG", "C")]));
        assert!(!shows(&[("TERM", "dumb"), ("LANG", "en_GB.UTF-8")]));
        assert!(!shows(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]));
        assert!(!shows(&[("LANG", "de_DE.ISO-8859-1")]) && !shows(&[("LC_CTYPE", "POSIX")]));
    }
}
