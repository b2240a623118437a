//! Prints everything except the hook's answer, and chooses the colours.
#![expect(clippy::disallowed_methods, reason = "NO_COLOR is a variable")]

use std::io::{IsTerminal, Write};

use super::Color;
use crate::diagnostic::Format;
use crate::escape;

/// Standard output and standard error of a command for people.
pub(super) struct Printer {
    color: bool,
}

/// A colour, as the terminal names it.
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
    pub(super) fn new(color: Color) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => std::io::stdout().is_terminal() && !no_color,
        };
        Self { color }
    }

    /// Returns how diagnostics are rendered for people.
    pub(super) fn format(&self) -> Format {
        if self.color { Format::Color } else { Format::Plain }
    }

    /// Returns a text in a style, if there is colour.
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

    /// Writes to standard output. A reader that went away (`| head`) is no failure of ours.
    pub(super) fn out(&mut self, text: &str) {
        let _closed = std::io::stdout().lock().write_all(text.as_bytes());
    }

    /// Writes much to standard output, and says if that cannot be.
    pub(super) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush())
    }

    /// Says to a person at the terminal what to do next. Nobody else reads it: it is no part of the output.
    pub(super) fn hint(&mut self, text: &str) {
        if std::io::stderr().is_terminal() {
            self.err(text);
        }
    }

    /// Writes to standard error.
    pub(super) fn err(&mut self, text: &str) {
        let _closed = std::io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Returns a count with its word: `1 rule`, `2 rules`.
pub(super) fn count(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

/// Makes a text one line of at most so many columns.
pub(super) fn fit(text: &str, width: usize) -> String {
    let text = escape::line(text, width.saturating_mul(2)).replace('\t', " ");
    if text.chars().count() <= width {
        return text;
    }
    let head: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{head}…")
}
