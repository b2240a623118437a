//! The source text of a tree that is being printed: the comments and the line ends between its words.
//!
//! The printer reports each word that it prints, in the order of the source, so that the position in the source is
//! always before the next word.

/// A comment of the source text, and its position relative to other text.
#[derive(Clone, Debug)]
pub(super) struct SourceComment {
    /// The text with its `#`, without trailing white space.
    pub(super) text: String,
    /// Whether only white space precedes it on its line.
    pub(super) is_on_own_line: bool,
    /// Whether it begins in the first column.
    pub(super) is_in_first_column: bool,
    /// Whether the line above it is blank.
    pub(super) is_below_blank_line: bool,
}

/// The space between two words of the source text, with its comments.
#[derive(Clone, Debug, Default)]
pub(super) struct WordGap {
    /// The comments, in order.
    pub(super) comments: Vec<SourceComment>,
    /// Whether a line end is between the words.
    pub(super) has_newline: bool,
    /// Whether there is a blank line directly before the second word.
    pub(super) has_blank_line: bool,
    /// The offset at which the second word starts.
    end: usize,
}

/// A position in the source text.
#[derive(Clone, Copy)]
pub(super) struct SourceCursor<'s> {
    text: &'s str,
    /// The offset up to which the text has been printed.
    at: usize,
}

impl<'s> SourceCursor<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the space before the next word, without moving.
    pub(super) fn gap(&self) -> WordGap {
        let mut gap = WordGap::default();
        let mut lines = 0_usize;
        let mut at = self.at;
        let mut line_start = at;
        while let Some(byte) = self.text.as_bytes().get(at) {
            match byte {
                b' ' | b'\t' | b'\r' => at += 1,
                b'\n' => {
                    lines += 1;
                    at += 1;
                    line_start = at;
                }
                b'#' => {
                    let rest = self.text.get(at..).unwrap_or_default();
                    let comment = rest.split('\n').next().unwrap_or_default();
                    // Before the first word of the file, a comment is on a separate line even though no line end
                    // precedes it.
                    let is_first = at == 0 || gap.comments.is_empty() && self.at == 0;
                    gap.comments.push(SourceComment {
                        text: comment.trim_end().to_owned(),
                        is_on_own_line: lines > 0 || is_first,
                        is_in_first_column: at == line_start && (lines > 0 || is_first),
                        is_below_blank_line: lines > 1,
                    });
                    gap.has_newline |= lines > 0;
                    lines = 0;
                    at += comment.len();
                }
                _ => break,
            }
        }
        gap.has_newline |= lines > 0;
        gap.has_blank_line = lines > 1;
        gap.end = at;
        gap
    }

    /// Moves to the end of the space before a word.
    pub(super) fn skip_gap(&mut self, gap: &WordGap) {
        self.at = gap.end;
    }

    /// Moves to an offset, unless the position is already after it.
    pub(super) fn advance_to(&mut self, end: usize) {
        self.at = self.at.max(end);
    }

    /// Moves past a word if the text at the position begins with it; returns whether it does.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is_here = self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word));
        if is_here {
            self.at += word.len();
        }
        is_here
    }

    /// Whether the next word begins with a text.
    pub(super) fn is_next_word(&self, word: &str) -> bool {
        self.text.get(self.gap().end..).is_some_and(|rest| rest.starts_with(word))
    }

    /// Returns the offset at which the next word starts.
    pub(super) fn next_word_start(&self) -> usize {
        self.gap().end
    }

    /// Returns the text between two offsets.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'s str {
        self.text.get(start..end).unwrap_or_default()
    }
}
