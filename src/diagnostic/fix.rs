//! Applies edits to a text.

use std::ops::Range;

use super::Fix;

/// Applies the edits of one text, and returns the new text and the number of edits that were applied. An edit that
/// overlaps an earlier one is skipped, so that a later run can apply it.
#[must_use]
pub fn apply<'f>(text: &str, fixes: impl IntoIterator<Item = &'f Fix>) -> (String, usize) {
    let mut fixes: Vec<&Fix> = fixes.into_iter().collect();
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
    let (mut out, mut copied_to, mut applied) = (String::with_capacity(text.len()), 0, 0);
    for fix in fixes {
        let range = range_with_white_space(text, fix);
        // An insertion at the end of the previous edit is skipped as well: it might refer to the text that was
        // replaced.
        if range.start < copied_to || range.is_empty() && applied > 0 && range.start == copied_to {
            continue;
        }
        let Some(between) = text.get(copied_to..range.start).filter(|_| text.get(range.clone()).is_some()) else {
            continue;
        };
        out.push_str(between);
        out.push_str(&fix.replacement);
        copied_to = range.end;
        applied += 1;
    }
    out.push_str(text.get(copied_to..).unwrap_or_default());
    (out, applied)
}

/// Returns the range that an edit replaces. If the edit only deletes, the range includes the spaces, or the empty line,
/// that would remain. If it begins a new line, the range includes the spaces before it.
fn range_with_white_space(text: &str, fix: &Fix) -> Range<usize> {
    let range = fix.span.range();
    let (Some(before), Some(after)) = (text.get(..range.start), text.get(range.end..)) else { return range };
    let is_blank = |c: char| matches!(c, ' ' | '\t');
    if fix.replacement.starts_with('\n') && !is_inside_string(before) {
        return before.trim_end_matches(is_blank).len()..range.end;
    }
    if !fix.replacement.is_empty() || range.is_empty() || is_inside_string(before) {
        return range;
    }
    // Whole lines are deleted. If they were between empty lines, one of the empty lines is removed, too.
    if text.get(range.clone()).is_some_and(|deleted| deleted.ends_with('\n')) {
        let is_between = before.is_empty() || before.ends_with("\n\n");
        return range.start..range.end + if is_between { line_break(after) } else { 0 };
    }
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let before_spaces = before.trim_end_matches(is_blank);
    let rest = after.trim_start_matches(is_blank);
    let ends_line = rest.is_empty() || rest.starts_with(['\n', '\r']);
    let gap = after.len() - rest.len();
    match (before_spaces.len() <= line, ends_line) {
        // Nothing else is on the line: the line is removed, and one of two empty lines around it.
        (true, true) => {
            let end = range.end + gap + line_break(rest);
            let is_between = before.get(..line).is_some_and(|above| above.is_empty() || above.ends_with("\n\n"));
            let below = text.get(end..).map_or(0, line_break);
            line..end + if is_between { below } else { 0 }
        }
        (false, true) => before_spaces.len()..range.end + gap,
        // Text follows on the line: its indentation remains, and between two words, one space.
        (true, false) => range.start..range.end + gap,
        (false, false) if before_spaces.len() < before.len() => range.start..range.end + gap,
        (false, false) => range,
    }
}

/// Returns the length of the line break at the beginning of a text.
fn line_break(text: &str) -> usize {
    if text.starts_with("\r\n") { 2 } else { usize::from(text.starts_with('\n')) }
}

/// Whether the end of a text is inside a string or a comment, where spaces are part of the text.
fn is_inside_string(before: &str) -> bool {
    if before.matches("\"\"\"").count() % 2 == 1 {
        return true;
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let mut open = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match open {
            None if c == '#' => return true,
            None if matches!(c, '"' | '\'' | '`') => open = Some(c),
            Some('"') if c == '\\' => {
                chars.next();
            }
            Some(quote) if c == quote => open = None,
            _ => {}
        }
    }
    open.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::FixSafety;
    use crate::span::{FileId, Span};

    #[test]
    fn edits_are_applied_in_order_and_those_that_overlap_wait() {
        let fix = |start, end, text: &str| Fix {
            span: Span::new(FileId(0), start, end),
            replacement: text.to_owned(),
            meaning: FixSafety::Safe,
        };
        let check = |fixes: &[Fix], after: &str, applied| {
            assert_eq!(apply("abcdef", fixes), (after.to_owned(), applied), "{fixes:?}");
        };
        check(&[fix(4, 5, "X"), fix(0, 1, "YY")], "YYbcdXf", 2);
        check(&[fix(0, 3, "x"), fix(2, 4, "y")], "xdef", 1);
        check(&[fix(1, 1, "x"), fix(1, 1, "y")], "axbcdef", 1);
        check(&[fix(6, 6, "x"), fix(9, 12, "y")], "abcdefx", 1);
    }

    #[test]
    fn what_is_deleted_leaves_no_gap() {
        let check = |text: &str, deleted: &str, after: &str| {
            let start = text.find(deleted).unwrap();
            let span = Span::new(FileId(0), start, start + deleted.len());
            let fix = Fix { span, replacement: String::new(), meaning: FixSafety::Safe };
            assert_eq!(apply(text, [&fix]).0, after, "{text:?} without {deleted:?}");
        };
        check("  on Stop\n  end\n}\n", "end", "  on Stop\n}\n");
        check("let a = 1\n\nlet b = 2\n\nlet c = 3\n", "let b = 2\n", "let a = 1\n\nlet c = 3\n");
        check("package a\n\nrule b {\n", "package a", "rule b {\n");
        check("let a = 1\n\nlet b = 2\n\nlet c = 3\n", "let b = 2", "let a = 1\n\nlet c = 3\n");
        check("deny \"No.\" ;\n", ";", "deny \"No.\"\n");
        check("when a and b\n", "and", "when a b\n");
        check("  - deny \"No.\"\n", "-", "  deny \"No.\"\n");
        check("a\r\nb\r\nc", "b", "a\r\nc");
        check("f(a)", "(a)", "f");
        check("deny \"a  b c\"\n", "b", "deny \"a   c\"\n");
        check("# a b c\n", "b", "# a  c\n");
        check("\"\"\"\n  a\n  b\n\"\"\"", "b", "\"\"\"\n  a\n  \n\"\"\"");
    }
}
