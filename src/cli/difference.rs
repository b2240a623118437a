//! The lines in which two texts differ, for a human reader.

use similar::{ChangeTag, TextDiff};

use super::print::{Printer, Style};
use crate::escape::line;

/// The number of unchanged lines shown before and after a change.
const CONTEXT_LINES: usize = 2;

/// Returns the differing lines, marked `-` and `+`, with [`CONTEXT_LINES`] around them; an empty text if nothing
/// differs. Escapes the lines for the terminal, because others may have written them.
pub(super) fn difference(before: &str, after: &str, printer: &Printer) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut shown = String::new();
    for (index, group) in diff.grouped_ops(CONTEXT_LINES).iter().enumerate() {
        if index > 0 {
            shown.push_str(&format!("  {}\n", printer.signs().more));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let text = line(change.value().trim_end_matches(['\r', '\n']), usize::MAX);
            let marked = match change.tag() {
                ChangeTag::Delete => printer.paint(Style::Red, &format!("- {text}")),
                ChangeTag::Insert => printer.paint(Style::Green, &format!("+ {text}")),
                ChangeTag::Equal => format!("  {text}"),
            };
            shown.push_str(&marked);
            shown.push('\n');
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Color;

    #[test]
    fn lines_that_differ_are_shown_with_those_around_them() {
        let before = "a\nb\nc\nd\ne\nf\n";
        let printer = Printer::new(Color::Never);
        assert_eq!(difference(before, "a\nb\nc\nx\u{1b}\ne\nf\n", &printer), "  b\n  c\n- d\n+ x\\u{1b}\n  e\n  f\n");
        assert_eq!(difference(before, before, &printer), "");
    }
}
