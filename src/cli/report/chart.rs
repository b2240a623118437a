//! Draws charts as SVG, so that the page shows them without scripts.
//!
//! It is pure. The colours are CSS classes, which the page's style defines for light and dark mode.

use std::fmt::Write;

use crate::decision_log::{DecisionCounts, DecisionKind};

use super::html::escape_html;

/// Returns the CSS class of a kind of decision.
pub(super) fn css_class(kind: DecisionKind) -> &'static str {
    match kind {
        DecisionKind::Denied => "deny",
        DecisionKind::Asked => "ask",
        DecisionKind::Allowed => "allow",
        DecisionKind::Observed => "observe",
        DecisionKind::Other => "pass",
    }
}

/// Draws one horizontal bar with a part for each kind of decision. `highest` is the count of the longest bar.
pub(super) fn bar(count: &DecisionCounts, highest: u64) -> String {
    const WIDTH: u64 = 1_000;
    let mut out =
        format!(r#"<svg class="bar" viewBox="0 0 {WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">"#);
    let mut x = 0;
    for (kind, part) in count.parts() {
        // A small part stays visible.
        let width = (part.saturating_mul(WIDTH) / highest.max(1)).max(4);
        // Writing to a string does not fail.
        let _ = write!(out, r#"<rect class="{}" x="{x}" width="{width}" height="10"/>"#, css_class(kind));
        x += width;
    }
    out.push_str("</svg>");
    out
}

/// Draws the counts of days as columns, each with a part for each kind of decision.
pub(super) fn columns(days: &[(&str, DecisionCounts)]) -> String {
    const HEIGHT: u64 = 180;
    const STEP: u64 = 28;
    let most = days.iter().map(|(_, count)| count.total()).max().unwrap_or(0).max(1);
    let count = u64::try_from(days.len()).unwrap_or(u64::MAX).max(1);
    let width = 44 + count * STEP;
    let mut out = format!(
        r#"<svg class="columns" viewBox="0 0 {width} {}" role="img" aria-label="Decisions by day" width="{width}">"#,
        HEIGHT + 34
    );
    for share in [0, 50, 100] {
        let y = 10 + HEIGHT - HEIGHT * share / 100;
        let value = most * share / 100;
        let _ = write!(
            out,
            r#"<line class="grid" x1="36" x2="{width}" y1="{y}" y2="{y}"/><text class="axis" x="30" y="{}" text-anchor="end">{value}</text>"#,
            y + 4
        );
    }
    for (at, (day, count)) in (0_u64..).zip(days) {
        let x = 42 + at * STEP;
        let _ = write!(out, "<g><title>{}: {}</title>", escape_html(day), count.words());
        let _ = write!(out, r#"<rect class="hit" x="{x}" y="10" width="22" height="{HEIGHT}"/>"#);
        let mut y = 10 + HEIGHT;
        for (kind, part) in count.parts() {
            let height = (part.saturating_mul(HEIGHT) / most).max(2);
            y = y.saturating_sub(height);
            let class = css_class(kind);
            let _ = write!(out, r#"<rect class="{class}" x="{x}" y="{y}" width="22" height="{height}" rx="2"/>"#);
        }
        // With many days, only every fifth has room for its label.
        let is_named = days.len() <= 12 || at % 5 == 0;
        if is_named {
            let short = escape_html(day.get(5..).unwrap_or(day));
            let _ = write!(
                out,
                r#"<text class="axis" x="{}" y="{}" text-anchor="middle">{short}</text>"#,
                x + 11,
                HEIGHT + 28
            );
        }
        out.push_str("</g>");
    }
    out.push_str("</svg>");
    out
}

/// The bins of the histogram, each with its upper bound in microseconds and its label.
const BINS: [(u64, &str); 9] = [
    (500, "0.5"),
    (1_000, "1"),
    (2_000, "2"),
    (5_000, "5"),
    (10_000, "10"),
    (50_000, "50"),
    (200_000, "200"),
    (1_000_000, "1 s"),
    (u64::MAX, "more"),
];

/// Draws how many hooks took how long, from their times in microseconds.
pub(super) fn histogram(times: &[u64]) -> String {
    const HEIGHT: u64 = 120;
    const STEP: u64 = 48;
    let mut counts = [0_u64; BINS.len()];
    for time in times {
        let bin = BINS.iter().position(|(end, _)| time <= end).unwrap_or(0);
        if let Some(count) = counts.get_mut(bin) {
            *count += 1;
        }
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let width = STEP * BINS.len() as u64 + 8;
    let mut out = format!(
        r#"<svg class="histogram" viewBox="0 0 {width} {}" role="img" aria-label="Time of hooks in milliseconds">"#,
        HEIGHT + 40
    );
    for (at, (count, (_, label))) in (0_u64..).zip(counts.iter().zip(BINS)) {
        let x = 4 + at * STEP;
        let height = count.saturating_mul(HEIGHT) / most;
        let height = if *count > 0 { height.max(2) } else { 0 };
        let y = 20 + HEIGHT - height;
        let _ = write!(out, r#"<rect class="time" x="{x}" y="{y}" width="40" height="{height}" rx="2"/>"#);
        let middle = x + 20;
        if *count > 0 {
            let _ = write!(out, r#"<text class="axis" x="{middle}" y="{}" text-anchor="middle">{count}</text>"#, y - 5);
        }
        let label = if label == "more" { "more".to_owned() } else { format!("≤ {label}") };
        let _ =
            write!(out, r#"<text class="axis" x="{middle}" y="{}" text-anchor="middle">{label}</text>"#, HEIGHT + 36);
    }
    out.push_str("</svg>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_column_with_a_part_for_each_decision() {
        let count = DecisionCounts { all: 4, denied: 2, asked: 1, passed: 1, ..DecisionCounts::default() };
        let drawn = columns(&[("2026-11-21", count), ("<b>\"", DecisionCounts::default())]);
        assert_eq!(drawn.matches("<rect class=\"deny\"").count(), 1);
        assert!(drawn.contains("<title>2026-11-21: 2 denied, 1 asked, 1 other</title>"), "{drawn}");
        assert!(!drawn.contains("<b>") && drawn.contains("&lt;b&gt;&quot;"), "{drawn}");
        assert!(columns(&[]).ends_with("</svg>"));
    }

    #[test]
    fn every_time_is_in_one_step() {
        let drawn = histogram(&[0, 500, 501, 3_000_000, u64::MAX]);
        for (count, times) in [(">2<", 2), (">1<", 1)] {
            assert_eq!(drawn.matches(count).count(), times, "{drawn}");
        }
    }

    #[test]
    fn a_bar_is_as_long_as_its_part_of_the_most() {
        let count = DecisionCounts { all: 1, denied: 1, ..DecisionCounts::default() };
        assert!(bar(&count, 4).contains(r#"<rect class="deny" x="0" width="250" height="10"/>"#));
        assert!(bar(&count, 0).contains("1000"));
    }
}
