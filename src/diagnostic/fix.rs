//! Edits applied to a text.

use super::Fix;

/// Applies edits of one text from its beginning to its end, and tells how many. One that overlaps an earlier one waits
/// for another time.
#[must_use]
pub fn apply<'f>(text: &str, fixes: impl IntoIterator<Item = &'f Fix>) -> (String, usize) {
    let mut fixes: Vec<&Fix> = fixes.into_iter().collect();
    fixes.sort_by_key(|fix| (fix.span.start, fix.span.end));
    let (mut out, mut behind, mut applied) = (String::with_capacity(text.len()), 0, 0);
    for fix in fixes {
        let range = fix.span.range();
        // An insertion where the last edit ended might be meant for what stood there.
        if range.start < behind || range.is_empty() && applied > 0 && range.start == behind {
            continue;
        }
        let Some(between) = text.get(behind..range.start).filter(|_| text.get(range.clone()).is_some()) else {
            continue;
        };
        out.push_str(between);
        out.push_str(&fix.replacement);
        behind = range.end;
        applied += 1;
    }
    out.push_str(text.get(behind..).unwrap_or_default());
    (out, applied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Meaning;
    use crate::span::{FileId, Span};

    #[test]
    fn edits_are_applied_in_order_and_those_that_overlap_wait() {
        let fix = |start, end, text: &str| Fix {
            span: Span::new(FileId(0), start, end),
            replacement: text.to_owned(),
            meaning: Meaning::Kept,
        };
        let check = |fixes: &[Fix], after: &str, applied| {
            assert_eq!(apply("abcdef", fixes), (after.to_owned(), applied), "{fixes:?}");
        };
        check(&[fix(4, 5, "X"), fix(0, 1, "YY")], "YYbcdXf", 2);
        check(&[fix(0, 3, "x"), fix(2, 4, "y")], "xdef", 1);
        check(&[fix(1, 1, "x"), fix(1, 1, "y")], "axbcdef", 1);
        check(&[fix(6, 6, "x"), fix(9, 12, "y")], "abcdefx", 1);
    }
}
