//! A bar chart for the terminal. Each bar has a part for each kind of decision.

use crate::cli::print::{Printer, Style};
use crate::decision_log::{DecisionCounts, DecisionKind};

/// The width of the longest bar, in columns.
const BAR_WIDTH: usize = 24;

/// The maximum width of a name, in columns.
const MAX_NAME_WIDTH: usize = 28;

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

/// Draws a chart: for each row its name, a bar, and the counts in words.
pub(super) fn chart(bars: &[Bar<'_>], printer: &Printer) -> String {
    let names: Vec<String> = bars.iter().map(|bar| printer.fit(bar.name, MAX_NAME_WIDTH)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let highest = bars.iter().map(|bar| bar.count.total()).max().unwrap_or(0).max(1);
    let mut out = String::new();
    for (bar, name) in bars.iter().zip(names) {
        let padding = " ".repeat(width - name.chars().count());
        let mut drawn = String::new();
        let mut bar_width = 0;
        for (kind, part) in bar.count.parts() {
            let (style, sign) = bar_sign(kind, printer);
            let cells = cells(part, highest);
            bar_width += cells;
            drawn.push_str(&printer.paint(style, &sign.repeat(cells)));
        }
        let counts = printer.fit(&bar.count.words(), printer.width().saturating_sub(width + 4 + bar_width));
        out.push_str(&format!("  {name}{padding} {drawn} {counts}\n"));
    }
    out
}

/// Returns the width in columns of a part of a bar, at least 1 if the part is not zero. `highest` is the count of the
/// longest bar.
fn cells(part: u64, highest: u64) -> usize {
    let cells = part.saturating_mul(BAR_WIDTH as u64) / highest;
    usize::try_from(cells).unwrap_or(BAR_WIDTH).max(usize::from(part > 0))
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
        let expected = "  a         ████████████▓▓▓▓▓▓▒▒▒░· 16 denied, 8 asked, 4 allowed, 2 observed, …
  some-rule · 1 other
  soon      ░░░░░░░░░░░░ 16 observed
";
        let printer = Printer::new(Color::Never).with_width(80);
        let drawn = chart(&bars, &printer);
        assert_eq!(drawn, expected);
        assert!(drawn.lines().all(|line| line.chars().count() <= 80));
        assert_eq!(chart(&[], &printer), "");
    }
}
