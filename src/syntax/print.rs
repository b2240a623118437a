//! Prints a tree in one canonical layout: two spaces, one clause per line, lines of at most 100 columns where they can
//! be broken, parentheses where `and` and `or` are nested.
//!
//! The printed text parses to the same tree. Comments, blank lines and spellings are not in the tree: they are taken
//! from the text that it was parsed from, if there is one.

mod clause;
mod condition;
mod item;
mod lines;
mod value;
mod written;

use super::ast::{Example, File, Item, ItemKind, Name};
use crate::span::Span;
use lines::{Breaks, Group, Line, Next, Piece, Shape, lay_out};
use written::{Comment, Gap, Written};

/// Prints a tree.
#[must_use]
pub fn print(file: &File) -> String {
    Printer::new(None).file(file)
}

/// Prints an example.
#[must_use]
pub fn print_example(example: &Example) -> String {
    let mut printer = Printer::new(None);
    printer.example(example);
    lay_out(&printer.pieces).trim().to_owned()
}

/// Prints a tree with the comments of its text, preserving its line breaks and blank lines.
pub(super) fn print_written(file: &File, text: &str) -> String {
    Printer::new(Some(Written::new(text))).file(file)
}

/// Whether two items are one-line items of the same kind, which form a block.
fn belong_together(before: &Item, item: &Item) -> bool {
    let bare = |item: &Item| item.docs.is_empty() && item.annotations.is_empty();
    let same = matches!(
        (&before.kind, &item.kind),
        (ItemKind::Use(_), ItemKind::Use(_))
            | (ItemKind::Let(_), ItemKind::Let(_))
            | (ItemKind::Def(_), ItemKind::Def(_))
    );
    same && bare(before) && bare(item)
}

/// Whether a blank line always separates an item from its neighbours.
fn has_body(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Rule(_) | ItemKind::Test(_))
}

/// The pieces printed so far, and the position in the source text.
struct Printer<'s> {
    pieces: Vec<Piece>,
    /// The open groups, as indices of pieces.
    open: Vec<usize>,
    written: Option<Written<'s>>,
    /// Comments from places where none can be printed: they are deferred to the next line end.
    waiting: Vec<Comment>,
    /// The group whose last element is being printed: a block string there does not break it.
    at_last: Option<usize>,
}

/// The possible line breaks in a list of elements.
#[derive(Default)]
struct Rows {
    /// The line ends between its elements, as indices of pieces.
    separators: Vec<(usize, Ends)>,
    /// Whether the author put the first element on a new line.
    starts_broken: bool,
}

/// Whether there is a line break at a position in the source text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Here,
    Elsewhere,
}

impl<'s> Printer<'s> {
    fn new(written: Option<Written<'s>>) -> Self {
        Self { pieces: Vec::new(), open: Vec::new(), written, waiting: Vec::new(), at_last: None }
    }

    fn file(mut self, file: &File) -> String {
        let mut previous: Option<&Item> = None;
        for item in &file.items {
            self.between_items(previous, item);
            self.item(item);
            previous = Some(item);
        }
        self.end_of_file();
        lay_out(&self.pieces)
    }

    /// Prints a space, which does not advance in the source text.
    fn space(&mut self) {
        self.pieces.push(Piece::Text(" ".to_owned()));
    }

    /// Prints a keyword or a mark.
    fn word(&mut self, word: &str) {
        self.pass_gap();
        if let Some(written) = &mut self.written {
            written.take(word);
        }
        self.text_piece(word.to_owned());
    }

    /// Skips a word or a mark in the source text without printing it, if it is there.
    fn skip(&mut self, word: &str) {
        if self.is_next(word) {
            self.pass_gap();
            if let Some(written) = &mut self.written {
                written.take(word);
            }
        }
    }

    /// Prints a name or literal of the source text, which has a span.
    fn leaf(&mut self, span: Span, text: impl Into<String>) {
        self.pass_gap();
        if let Some(written) = &mut self.written {
            written.go_to(span.end as usize);
        }
        self.text_piece(text.into());
    }

    fn name(&mut self, name: &Name) {
        self.leaf(name.span, &name.text);
    }

    fn text_piece(&mut self, text: String) {
        if text.contains('\n') {
            let hugged = self.open.last().copied().filter(|innermost| self.at_last == Some(*innermost));
            self.force_around(hugged);
        }
        self.pieces.push(Piece::Text(text));
    }

    /// Collects the comments before a word that no line end precedes.
    fn pass_gap(&mut self) {
        let gap = self.take_gap();
        self.waiting.extend(gap.comments);
    }

    fn take_gap(&mut self) -> Gap {
        let Some(written) = &mut self.written else { return Gap::default() };
        let gap = written.gap();
        written.pass(&gap);
        gap
    }

    /// Returns the source text of a span.
    fn slice(&self, span: Span) -> Option<&'s str> {
        let written = self.written.as_ref()?;
        Some(written.slice(span.start as usize, span.end as usize)).filter(|slice| !slice.is_empty())
    }

    fn is_next(&self, word: &str) -> bool {
        self.written.as_ref().is_some_and(|written| written.is_next(word))
    }

    /// Whether the author ended the line here.
    fn ends_here(&self) -> Ends {
        match &self.written {
            Some(written) if written.gap().has_newline => Ends::Here,
            _ => Ends::Elsewhere,
        }
    }

    fn has_comment_ahead(&self) -> bool {
        self.written.as_ref().is_some_and(|written| !written.gap().comments.is_empty())
    }

    /// Prints a possible line end, with the comments there.
    fn line(&mut self, line: Line) {
        let gap = self.take_gap();
        let mut comments = std::mem::take(&mut self.waiting);
        comments.extend(gap.comments);
        if comments.is_empty() {
            self.pieces.push(Piece::Line(Line { blank: line.blank && gap.ends_blank, ..line }));
            return;
        }
        self.force();
        let inner = if line.next == Next::Outer { Next::Inner } else { line.next };
        for (index, comment) in comments.into_iter().enumerate() {
            let blank = comment.below_blank && (line.blank || index > 0 || line.next == Next::Outer);
            self.comment(comment, index, inner, blank);
        }
        let blank = gap.ends_blank && line.next != Next::Outer;
        self.pieces.push(Piece::Line(Line { breaks: Breaks::Always, blank, ..line }));
    }

    /// Prints a comment: the first one of a gap stays on the line of the text before it, if it was there.
    fn comment(&mut self, comment: Comment, index: usize, next: Next, blank: bool) {
        if index == 0 && !comment.on_its_own_line {
            self.pieces.push(Piece::Comment(comment.text));
            return;
        }
        self.pieces.push(Piece::Line(Line { flat: "", breaks: Breaks::Always, next, blank }));
        let text = self.own_line(comment, next);
        self.pieces.push(Piece::Text(text));
    }

    /// Returns the text of a comment for a line of its own.
    fn own_line(&self, comment: Comment, next: Next) -> String {
        // In the first column it would become the documentation of the next item.
        let moves = self.open.is_empty() && next == Next::Inner && !comment.in_first_column;
        if moves && comment.text.starts_with("##") { format!("  {}", comment.text) } else { comment.text }
    }

    /// Prints a place where a line ends only for a comment.
    fn glue(&mut self, flat: &'static str) {
        self.line(Line { flat, breaks: Breaks::Never, next: Next::Deeper, blank: false });
    }

    fn open(&mut self, shape: Shape) {
        self.open.push(self.pieces.len());
        self.pieces.push(Piece::Open(Group { shape, is_forced: false }));
    }

    fn close(&mut self) {
        self.open.pop();
        self.pieces.push(Piece::Close);
    }

    /// Breaks the innermost group, and the groups around it.
    fn force(&mut self) {
        if let Some(Piece::Open(group)) = self.open.last().and_then(|at| self.pieces.get_mut(*at)) {
            group.is_forced = true;
        }
        self.force_around(None);
    }

    /// Breaks the groups around something that takes several lines, except for the brackets of a single element, and
    /// for a group that is to be left alone.
    fn force_around(&mut self, left: Option<usize>) {
        for at in &self.open {
            if let Some(Piece::Open(group)) = self.pieces.get_mut(*at)
                && group.shape != Shape::Single
                && left != Some(*at)
            {
                group.is_forced = true;
            }
        }
    }

    /// Prints elements in brackets, one per line if they do not fit or their author began them so.
    fn bracketed<T>(
        &mut self,
        (open, pad, close): (&str, &'static str, &str),
        elements: &[T],
        mut print: impl FnMut(&mut Self, &T),
    ) {
        self.word(open);
        if elements.is_empty() && !self.has_comment_ahead() {
            return self.word(close);
        }
        self.open(if elements.len() == 1 { Shape::Single } else { Shape::Bracket });
        let mut rows = Rows { starts_broken: self.ends_here() == Ends::Here, ..Rows::default() };
        if rows.starts_broken && !elements.is_empty() {
            self.force();
        }
        let edge = Line { flat: pad, breaks: Breaks::WithGroup, next: Next::Inner, blank: false };
        if !elements.is_empty() {
            self.line(edge);
        }
        self.elements(elements, &mut rows, &mut print);
        if !elements.is_empty() {
            self.skip(",");
            self.pieces.push(Piece::Comma);
        }
        self.line(Line { next: Next::Outer, ..edge });
        self.word(close);
        self.close();
    }

    /// Prints elements without brackets, separated by commas, and aligned below each other if they do not fit.
    fn aligned<T>(&mut self, elements: &[T], mut print: impl FnMut(&mut Self, &T)) {
        self.open(Shape::Aligned);
        let mut rows = Rows::default();
        self.elements(elements, &mut rows, &mut print);
        if rows.separators.iter().any(|(_, ends)| *ends == Ends::Here) {
            self.force();
        }
        self.close();
    }

    fn elements<T>(&mut self, elements: &[T], rows: &mut Rows, print: &mut impl FnMut(&mut Self, &T)) {
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.word(",");
                let ends = self.ends_here();
                let line = Line { flat: " ", breaks: Breaks::WithGroup, next: Next::Inner, blank: true };
                self.line(line);
                rows.separators.push((self.pieces.len() - 1, ends));
            }
            let group = self.open.last().copied().filter(|_| index + 1 == elements.len());
            let around = std::mem::replace(&mut self.at_last, group);
            print(self, element);
            self.at_last = around;
        }
        let has_rows = rows.starts_broken || rows.separators.iter().any(|(_, ends)| *ends == Ends::Here);
        if !has_rows {
            return;
        }
        // The author's rows are kept; one that is too long continues on the next line.
        for (at, ends) in &rows.separators {
            if *ends == Ends::Elsewhere
                && let Some(Piece::Line(line)) = self.pieces.get_mut(*at)
                && line.breaks == Breaks::WithGroup
            {
                line.breaks = Breaks::Filling;
            }
        }
    }
}
