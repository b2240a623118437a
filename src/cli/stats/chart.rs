//! A bar chart for the terminal. Each bar has a part for each kind of decision.

use crate::cli::print::{Printer, Style};
use crate::decision_log::{DecisionCounts, DecisionKind};
use crate::wrap::{columns, window};

/// The maximum width of the longest bar, in columns.
const BAR_WIDTH: usize = 24;

/// The width of the longest bar on a narrow terminal, in columns.
const MIN_BAR_WIDTH: usize = 6;

/// The maximum width of a name, in columns.
const MAX_NAME_WIDTH: usize = 44;

/// The width that names have at least, however long the counts are, in columns.
const MIN_NAME_WIDTH: usize = 12;

/// A row of a chart: a name and its counts.
pub(super) struct Bar<'b> {
    pub(super) name: &'b str,
    pub(super) count: &'b DecisionCounts,
}

/// Returns the colour and the character with which a part of a bar is drawn.
fn bar_sign(kind: DecisionKind, printer: &Printer) -> (Style, &'static str) {
    let (style, unicode, ascii) = match kind {
        DecisionKind::Denied => (Style::Red, "█", "#"),
        DecisionKind::Asked => (Style::Yellow, "▓", "="),
        DecisionKind::Allowed => (Style::Green, "▒", "+"),
        DecisionKind::Observed => (Style::Cyan, "░", "-"),
        DecisionKind::Other => (Style::Dim, "·", "."),
    };
    (style, if printer.is_unicode() { unicode } else { ascii })
}

/// Draws a chart: for each row its name, a bar, and the counts in words. On a narrow terminal, the bars get shorter first,
/// then the names; the counts are cut last.
pub(super) fn chart(bars: &[Bar<'_>], printer: &Printer) -> String {
    let words: Vec<String> = bars.iter().map(|bar| bar.count.words()).collect();
    let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    // The indentation, and a space before and after the bar.
    let room = printer.width().saturating_sub(4);
    let words_width = longest(&mut words.iter().map(|words| words.chars().count()));
    let words_width = words_width.min(room.saturating_sub(MIN_NAME_WIDTH + MIN_BAR_WIDTH));
    let name_width = longest(&mut bars.iter().map(|bar| columns(bar.name)));
    let name_width = name_width.min(MAX_NAME_WIDTH).min(room.saturating_sub(words_width + MIN_BAR_WIDTH));
    let bar_width = room.saturating_sub(words_width + name_width).clamp(MIN_BAR_WIDTH, BAR_WIDTH);
    let highest = bars.iter().map(|bar| bar.count.total()).max().unwrap_or(0).max(1);
    let scale = scale(bars, bar_width, highest);
    let mut out = String::new();
    for (bar, words) in bars.iter().zip(words) {
        // The end of a rule's name tells it from others.
        let name = printer.fit(bar.name, usize::MAX);
        let cut = columns(&name).saturating_sub(name_width);
        let name = window(&name, cut, name_width, printer.signs().more);
        let padding = " ".repeat(name_width.saturating_sub(columns(&name)));
        let mut drawn = String::new();
        let mut drawn_width = 0;
        for (kind, part) in bar.count.parts() {
            let (style, sign) = bar_sign(kind, printer);
            let cells = cells(part, highest, scale);
            drawn_width += cells;
            drawn.push_str(&printer.paint(style, &sign.repeat(cells)));
        }
        let counts = printer.fit(&words, room.saturating_sub(name_width + drawn_width));
        out.push_str(&format!("  {name}{padding} {drawn} {counts}\n"));
    }
    out
}

/// Returns the length of a bar for the highest count with which no bar is longer than `width`: each part has at least
/// one column.
fn scale(bars: &[Bar<'_>], width: usize, highest: u64) -> usize {
    let drawn = |scale: usize| {
        let lengths = bars.iter().map(|bar| bar.count.parts().map(|(_, part)| cells(part, highest, scale)).sum());
        lengths.max().unwrap_or(0_usize)
    };
    (1..=width).rev().find(|scale| drawn(*scale) <= width).unwrap_or(1)
}

/// Returns the width in columns of a part of a bar, at least 1 if the part is not zero. `highest` is the count of the
/// longest bar, which has `scale` columns.
fn cells(part: u64, highest: u64, scale: usize) -> usize {
    let cells = part.saturating_mul(scale as u64) / highest;
    usize::try_from(cells).unwrap_or(scale).max(usize::from(part > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Color;

    #[test]
    fn a_bar_has_a_part_for_each_decision() {
        let much = DecisionCounts { all: 32, denied: 16, asked: 8, allowed: 4, passed: 4, observed: 2, unknown: 0 };
        let little = DecisionCounts { all: 1, passed: 1, ..DecisionCounts::default() };
        let observed = DecisionCounts { observed: 16, ..DecisionCounts::default() };
        let bars = [("a", &much), ("some-rule", &little), ("soon", &observed)].map(|(name, count)| Bar { name, count });
        let expected = "  a         ████████▓▓▓▓▒▒░· 16 denied, 8 asked, 4 allowed, 2 observed, 2 other
  some-rule · 1 other
  soon      ░░░░░░░░ 16 observed
";
        let printer = Printer::new(Color::Never).with_width(80);
        let drawn = chart(&bars, &printer);
        assert_eq!(drawn, expected);
        assert!(drawn.lines().all(|line| line.chars().count() <= 80));
        assert_eq!(chart(&[], &printer), "");
    }

    #[test]
    fn a_narrow_terminal_shortens_bars_then_names_and_keeps_the_counts() {
        let often = DecisionCounts { all: 12, denied: 12, ..DecisionCounts::default() };
        let bars = [Bar { name: "std/filesystem/no-recursive-force-delete", count: &often }];
        let drawn = |width: usize| chart(&bars, &Printer::new(Color::Never).with_width(width));
        assert_eq!(drawn(60), "  std/filesystem/no-recursive-force-delete ███████ 12 denied\n");
        assert_eq!(drawn(40), "  …cursive-force-delete ██████ 12 denied\n");
    }
}
