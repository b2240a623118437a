//! Prints a tree in one canonical layout: two spaces of indentation, one clause per line, lines of at most 100
//! columns where they can be broken, and parentheses where `and` and `or` are nested.
//!
//! The printed text parses to the same tree. Comments, blank lines and spellings are not in the tree: they are taken
//! from the source text of the tree, if it is given.

mod clause;
mod condition;
mod item;
mod layout;
mod source_cursor;
mod value;

use super::ast::{AstFile, Example, Item, ItemKind, Name, TestCase};
use crate::span::Span;
use layout::{BreakCondition, BreakGroup, GroupIndent, LineBreak, NextIndent, OutputPiece, layout_text};
use source_cursor::{SourceComment, SourceCursor, WordGap};

/// Prints a tree without its source text, and thus without comments.
#[must_use]
pub fn print(file: &AstFile) -> String {
    Printer::new(None).file(file)
}

/// Prints an example on one line if it fits.
#[must_use]
pub fn print_example(example: &Example) -> String {
    let mut printer = Printer::new(None);
    printer.example(example);
    layout_text(&printer.pieces).trim().to_owned()
}

/// Prints a case of a test, each event and `expect` on lines of their own.
#[must_use]
pub fn print_case(case: &TestCase) -> String {
    let mut printer = Printer::new(None);
    printer.case(case);
    layout_text(&printer.pieces).trim().to_owned()
}

/// Prints a tree with the comments of its source text, and preserves the author's line breaks in lists and blank
/// lines.
pub(super) fn print_with_comments(file: &AstFile, text: &str) -> String {
    Printer::new(Some(SourceCursor::new(text))).file(file)
}

/// Whether two items are one-line items of the same kind without documentation, so that no blank line separates them.
fn are_in_one_block(before: &Item, item: &Item) -> bool {
    let bare = |item: &Item| item.docs.is_empty() && item.annotations.is_empty();
    let same = matches!(
        (&before.kind, &item.kind),
        (ItemKind::Use(_), ItemKind::Use(_))
            | (ItemKind::Let(_), ItemKind::Let(_))
            | (ItemKind::Def(_), ItemKind::Def(_))
    );
    same && bare(before) && bare(item)
}

/// Whether an item is a rule or a test, which a blank line always separates from its neighbours.
fn has_body(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Rule(_) | ItemKind::Test(_))
}

/// The pieces printed so far, and the position in the source text.
struct Printer<'s> {
    pieces: Vec<OutputPiece>,
    /// The open groups, as indices of their opening pieces in `pieces`.
    open_groups: Vec<usize>,
    /// The position in the source text; `None` if the tree is printed without it.
    source: Option<SourceCursor<'s>>,
    /// Comments from positions where none can be printed: they are printed at the next line break.
    deferred_comments: Vec<SourceComment>,
    /// The group whose last element is being printed: a block string in that element does not break the group.
    last_element_group: Option<usize>,
}

/// The possible line breaks between the elements of a list, and where the source has line breaks.
#[derive(Default)]
struct ElementBreaks {
    /// For each line break between two elements, its index in the pieces, and whether the source has a line break
    /// there.
    separators: Vec<(usize, SourceLineBreak)>,
    /// Whether the author put the first element on a new line.
    starts_broken: bool,
}

/// Whether the source text has a line break at a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SourceLineBreak {
    Present,
    Absent,
}

impl<'s> Printer<'s> {
    fn new(source: Option<SourceCursor<'s>>) -> Self {
        Self {
            pieces: Vec::new(),
            open_groups: Vec::new(),
            source,
            deferred_comments: Vec::new(),
            last_element_group: None,
        }
    }

    /// Prints all items of a file and returns the text.
    fn file(mut self, file: &AstFile) -> String {
        let mut previous: Option<&Item> = None;
        for item in &file.items {
            self.comments_between(previous, item);
            self.item(item);
            previous = Some(item);
        }
        self.end_of_file();
        layout_text(&self.pieces)
    }

    /// Prints a space, without moving in the source text.
    fn space(&mut self) {
        self.pieces.push(OutputPiece::Text(" ".to_owned()));
    }

    /// Prints a keyword or sign, and moves past it in the source text. Comments before it are deferred.
    fn keyword(&mut self, word: &str) {
        self.collect_gap_comments();
        if let Some(source) = &mut self.source {
            source.eat_word(word);
        }
        self.text_piece(word.to_owned());
    }

    /// Moves past a word or sign in the source text without printing it, if it is the next one there.
    fn skip(&mut self, word: &str) {
        if self.is_next(word) {
            self.collect_gap_comments();
            if let Some(source) = &mut self.source {
                source.eat_word(word);
            }
        }
    }

    /// Prints a name or literal, and moves to the end of its span in the source text. Comments before it are
    /// deferred.
    fn source_token(&mut self, span: Span, text: impl Into<String>) {
        self.collect_gap_comments();
        if let Some(source) = &mut self.source {
            source.advance_to(span.end as usize);
        }
        self.text_piece(text.into());
    }

    fn name(&mut self, name: &Name) {
        self.source_token(name.span, &name.text);
    }

    /// Adds a piece of text. A text of several lines breaks the groups around it, except for a group whose last
    /// element it is.
    fn text_piece(&mut self, text: String) {
        if text.contains('\n') {
            // A block string that is the last element need not break the list: its lines follow the opening quotes.
            let hugged =
                self.open_groups.last().copied().filter(|innermost| self.last_element_group == Some(*innermost));
            self.force_outer_breaks(hugged);
        }
        self.pieces.push(OutputPiece::Text(text));
    }

    /// Moves past the space before the next word, and defers the comments in it.
    fn collect_gap_comments(&mut self) {
        let gap = self.next_gap();
        self.deferred_comments.extend(gap.comments);
    }

    /// Moves past the space before the next word of the source text, and returns it; empty without a source.
    fn next_gap(&mut self) -> WordGap {
        let Some(source) = &mut self.source else { return WordGap::default() };
        let gap = source.gap();
        source.skip_gap(&gap);
        gap
    }

    /// Returns the source text of a span; `None` without a source or if the span is empty.
    fn slice(&self, span: Span) -> Option<&'s str> {
        let source = self.source.as_ref()?;
        Some(source.slice(span.start as usize, span.end as usize)).filter(|slice| !slice.is_empty())
    }

    /// Whether the next word of the source text begins with a text; false without a source.
    fn is_next(&self, word: &str) -> bool {
        self.source.as_ref().is_some_and(|source| source.is_next_word(word))
    }

    /// Returns whether the author ended the line here.
    fn line_break_in_source(&self) -> SourceLineBreak {
        match &self.source {
            Some(source) if source.gap().has_newline => SourceLineBreak::Present,
            _ => SourceLineBreak::Absent,
        }
    }

    /// Whether the source text has a comment before its next word.
    fn has_comment_ahead(&self) -> bool {
        self.source.as_ref().is_some_and(|source| !source.gap().comments.is_empty())
    }

    /// Prints a possible line break, with the deferred comments and those at this position. A comment forces the line
    /// to end and the groups around it to break.
    fn line_break(&mut self, line: LineBreak) {
        let gap = self.next_gap();
        let mut comments = std::mem::take(&mut self.deferred_comments);
        comments.extend(gap.comments);
        if comments.is_empty() {
            self.pieces.push(OutputPiece::Line(LineBreak {
                has_blank_line: line.has_blank_line && gap.has_blank_line,
                ..line
            }));
            return;
        }
        self.force_break();
        // A comment before a closing bracket is indented like the contents.
        let inner = if line.next == NextIndent::Outer { NextIndent::Inner } else { line.next };
        for (index, comment) in comments.into_iter().enumerate() {
            let blank =
                comment.is_below_blank_line && (line.has_blank_line || index > 0 || line.next == NextIndent::Outer);
            self.comment(comment, index, inner, blank);
        }
        let blank = gap.has_blank_line && line.next != NextIndent::Outer;
        self.pieces.push(OutputPiece::Line(LineBreak {
            breaks: BreakCondition::Always,
            has_blank_line: blank,
            ..line
        }));
    }

    /// Prints a comment. The first comment of a gap (`index` 0) stays on the line of the text before it, if it was
    /// there in the source.
    fn comment(&mut self, comment: SourceComment, index: usize, next: NextIndent, blank: bool) {
        if index == 0 && !comment.is_on_own_line {
            self.pieces.push(OutputPiece::Comment(comment.text));
            return;
        }
        self.pieces.push(OutputPiece::Line(LineBreak {
            unbroken_text: "",
            breaks: BreakCondition::Always,
            next,
            has_blank_line: blank,
        }));
        let text = self.comment_line(comment, next);
        self.pieces.push(OutputPiece::Text(text));
    }

    /// Returns the text of a comment that has a line to itself, indented if it would otherwise become documentation.
    fn comment_line(&self, comment: SourceComment, next: NextIndent) -> String {
        // A comment with `##` in the first column would become the documentation of the next item.
        let is_moved_left = self.open_groups.is_empty() && next == NextIndent::Inner && !comment.is_in_first_column;
        if is_moved_left && comment.text.starts_with("##") { format!("  {}", comment.text) } else { comment.text }
    }

    /// Prints `flat`, and a line break only if there is a comment here.
    fn comment_break(&mut self, flat: &'static str) {
        self.line_break(LineBreak {
            unbroken_text: flat,
            breaks: BreakCondition::Never,
            next: NextIndent::Deeper,
            has_blank_line: false,
        });
    }

    /// Begins a group of pieces that are broken together.
    fn open_group(&mut self, shape: GroupIndent) {
        self.open_groups.push(self.pieces.len());
        self.pieces.push(OutputPiece::Open(BreakGroup { shape, is_forced: false }));
    }

    fn close_group(&mut self) {
        self.open_groups.pop();
        self.pieces.push(OutputPiece::Close);
    }

    /// Breaks the innermost group and the groups around it.
    fn force_break(&mut self) {
        if let Some(OutputPiece::Open(group)) = self.open_groups.last().and_then(|at| self.pieces.get_mut(*at)) {
            group.is_forced = true;
        }
        self.force_outer_breaks(None);
    }

    /// Breaks all open groups, except for the brackets around a single element and the group `unbroken`.
    fn force_outer_breaks(&mut self, unbroken: Option<usize>) {
        for at in &self.open_groups {
            if let Some(OutputPiece::Open(group)) = self.pieces.get_mut(*at)
                && group.shape != GroupIndent::SingleElement
                && unbroken != Some(*at)
            {
                group.is_forced = true;
            }
        }
    }

    /// Prints elements between brackets; they are on separate lines if they do not fit on one, or if the author put
    /// the first one on a new line. `pad` is the text inside the brackets if they are not broken.
    fn bracketed_elements<T>(
        &mut self,
        (open, pad, close): (&str, &'static str, &str),
        elements: &[T],
        mut print: impl FnMut(&mut Self, &T),
    ) {
        self.keyword(open);
        if elements.is_empty() && !self.has_comment_ahead() {
            return self.keyword(close);
        }
        self.open_group(if elements.len() == 1 { GroupIndent::SingleElement } else { GroupIndent::Bracket });
        let mut rows = ElementBreaks {
            starts_broken: self.line_break_in_source() == SourceLineBreak::Present,
            ..ElementBreaks::default()
        };
        if rows.starts_broken && !elements.is_empty() {
            self.force_break();
        }
        let edge = LineBreak {
            unbroken_text: pad,
            breaks: BreakCondition::IfGroupBroken,
            next: NextIndent::Inner,
            has_blank_line: false,
        };
        if !elements.is_empty() {
            self.line_break(edge);
        }
        self.elements(elements, &mut rows, &mut print);
        if !elements.is_empty() {
            self.skip(",");
            self.pieces.push(OutputPiece::Comma);
        }
        self.line_break(LineBreak { next: NextIndent::Outer, ..edge });
        self.keyword(close);
        self.close_group();
    }

    /// Prints elements separated by commas without brackets; on several lines, they are aligned below each other.
    fn aligned_elements<T>(&mut self, elements: &[T], mut print: impl FnMut(&mut Self, &T)) {
        self.open_group(GroupIndent::Aligned);
        let mut rows = ElementBreaks::default();
        self.elements(elements, &mut rows, &mut print);
        if rows.separators.iter().any(|(_, source_break)| *source_break == SourceLineBreak::Present) {
            self.force_break();
        }
        self.close_group();
    }

    /// Prints elements and the commas between them, and notes the line breaks of the source in `rows`.
    fn elements<T>(&mut self, elements: &[T], rows: &mut ElementBreaks, print: &mut impl FnMut(&mut Self, &T)) {
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.keyword(",");
                let source_break = self.line_break_in_source();
                let line = LineBreak {
                    unbroken_text: " ",
                    breaks: BreakCondition::IfGroupBroken,
                    next: NextIndent::Inner,
                    has_blank_line: true,
                };
                self.line_break(line);
                rows.separators.push((self.pieces.len() - 1, source_break));
            }
            let group = self.open_groups.last().copied().filter(|_| index + 1 == elements.len());
            // Elements may be nested, so the previous value is restored after the element.
            let outer_group = std::mem::replace(&mut self.last_element_group, group);
            print(self, element);
            self.last_element_group = outer_group;
        }
        let has_rows = rows.starts_broken
            || rows.separators.iter().any(|(_, source_break)| *source_break == SourceLineBreak::Present);
        if !has_rows {
            return;
        }
        // Elements that the author put on one line stay on one line, and continue on the next if they do not fit.
        for (at, source_break) in &rows.separators {
            if *source_break == SourceLineBreak::Absent
                && let Some(OutputPiece::Line(line)) = self.pieces.get_mut(*at)
                && line.breaks == BreakCondition::IfGroupBroken
            {
                line.breaks = BreakCondition::IfFull;
            }
        }
    }
}
