//! Bars of a terminal chart: a part for each decision.

use crate::cli::print::{Printer, Style, fit};
use crate::decision_log::Count;

/// How wide the longest bar is.
const BAR: usize = 24;

/// How wide a name is at most.
const NAME: usize = 28;

/// A row of a chart.
pub(super) struct Bar<'b> {
    pub(super) name: &'b str,
    pub(super) count: &'b Count,
}

/// The parts of a bar: how it is drawn, with colour and without.
const PARTS: [(Style, char, fn(&Count) -> u64, &str); 5] = [
    (Style::Red, '█', |count| count.denied, "denied"),
    (Style::Yellow, '▓', |count| count.asked, "asked"),
    (Style::Green, '▒', |count| count.allowed, "allowed"),
    (Style::Cyan, '░', observed_alone, "observed"),
    (Style::Dim, '·', |count| count.passed.saturating_sub(observed_alone(count)), "other"),
];

/// Of what passed, how much was observed.
fn observed_alone(count: &Count) -> u64 {
    if count.all == 0 { count.observed } else { count.observed.min(count.passed) }
}

/// Returns how much a bar stands for.
pub(super) fn total(count: &Count) -> u64 {
    PARTS.iter().map(|(_, _, part, _)| part(count)).sum()
}

/// Draws a chart.
pub(super) fn chart(bars: &[Bar<'_>], printer: &Printer) -> String {
    let names: Vec<String> = bars.iter().map(|bar| fit(bar.name, NAME)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let most = bars.iter().map(|bar| total(bar.count)).max().unwrap_or(0).max(1);
    let mut out = String::new();
    for (bar, name) in bars.iter().zip(names) {
        let padding = " ".repeat(width - name.chars().count());
        let mut drawn = String::new();
        let mut counts = Vec::new();
        for (style, sign, part, word) in PARTS {
            let part = part(bar.count);
            if part > 0 {
                drawn.push_str(&printer.paint(style, &sign.to_string().repeat(cells(part, most))));
                counts.push(format!("{part} {word}"));
            }
        }
        let cells: usize = PARTS.iter().map(|(_, _, part, _)| cells(part(bar.count), most)).sum();
        let counts = fit(&counts.join(", "), 80usize.saturating_sub(width + 4 + cells));
        out.push_str(&format!("  {name}{padding} {drawn} {counts}\n"));
    }
    out
}

/// Returns how many cells a part takes; one that is there takes one.
fn cells(part: u64, most: u64) -> usize {
    let cells = part.saturating_mul(BAR as u64) / most;
    usize::try_from(cells).unwrap_or(BAR).max(usize::from(part > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Color;

    #[test]
    fn a_bar_has_a_part_for_each_decision() {
        let much = Count { all: 32, denied: 16, asked: 8, allowed: 4, passed: 4, observed: 2, unknown: 0 };
        let little = Count { all: 1, passed: 1, ..Count::default() };
        let observed = Count { observed: 16, ..Count::default() };
        let bars =
            [("a", &much), ("some-rule", &little), ("soon", &observed)].map(|(name, count)| Bar { name, count });
        let expected = "  a         ████████████▓▓▓▓▓▓▒▒▒░· 16 denied, 8 asked, 4 allowed, 2 observed, …
  some-rule · 1 other
  soon      ░░░░░░░░░░░░ 16 observed
";
        let drawn = chart(&bars, &Printer::new(Color::Never));
        assert_eq!(drawn, expected);
        assert!(drawn.lines().all(|line| line.chars().count() <= 80));
        assert_eq!(chart(&[], &Printer::new(Color::Never)), "");
    }
}
