//! Breaks a stream of words and possible line ends into lines; what fits on one line is not broken.
//!
//! It knows nothing of the language. A group is on one line, or is broken at its own line ends; the contents of a
//! broken bracket are indented by two columns relative to the line on which the bracket opens.

use crate::syntax::WIDTH;

/// The indentation of broken contents.
const INDENT: usize = 2;

/// A piece of the output.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// Text; a block string has several lines.
    Text(String),
    /// A possible line end.
    Line(Line),
    /// A comment at the end of its line; a [`Breaks::Always`] follows.
    Comment(String),
    /// A comma if the group is broken.
    Comma,
    /// The beginning of a group.
    Open(Group),
    /// The end of a group.
    Close,
}

/// A possible line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The text to print if the line does not end.
    pub(super) flat: &'static str,
    /// When the line ends.
    pub(super) breaks: Breaks,
    /// The indentation of the next line.
    pub(super) next: Next,
    /// Whether the line end is followed by a blank line.
    pub(super) blank: bool,
}

/// When a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Breaks {
    /// Only for a comment.
    Never,
    /// If the group is broken.
    WithGroup,
    /// If the group is broken and what follows does not fit.
    Filling,
    /// If the group is broken, what follows does not fit, and would fit on a line of its own.
    IfItHelps,
    /// Always.
    Always,
}

/// The indentation of the next line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// That of the contents of the group.
    Inner,
    /// That of the closing bracket of the group.
    Outer,
    /// Deeper than the contents of the group.
    Deeper,
}

/// Pieces that are broken together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The indentation of its lines.
    pub(super) shape: Shape,
    /// Whether it is broken even if it fits.
    pub(super) is_forced: bool,
}

/// The indentation of a group's lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// Deeper than the line on which it opens; the closing bracket is indented like that line.
    Bracket,
    /// Like `Bracket`, but with one element: it is not broken if the element would not fit even then.
    Single,
    /// Deeper than the line on which it opens, including nested brackets.
    Hanging,
    /// The column where it opens.
    Aligned,
}

/// An open group.
#[derive(Clone, Copy)]
struct Frame {
    is_broken: bool,
    inner: usize,
    outer: usize,
    /// The minimum indentation to which nested brackets are relative.
    base: usize,
}

/// The text so far.
struct Layout<'p> {
    pieces: &'p [Piece],
    frames: Vec<Frame>,
    out: String,
    column: usize,
    /// The indentation of the current line.
    indent: usize,
}

/// Lays out the pieces as text, with a final line end.
pub(super) fn lay_out(pieces: &[Piece]) -> String {
    let root = Frame { is_broken: true, inner: 0, outer: 0, base: 0 };
    let mut layout = Layout { pieces, frames: vec![root], out: String::new(), column: 0, indent: 0 };
    for (at, piece) in pieces.iter().enumerate() {
        layout.piece(at, piece);
    }
    if !layout.out.is_empty() {
        layout.out.push('\n');
    }
    layout.out
}

impl Layout<'_> {
    fn piece(&mut self, at: usize, piece: &Piece) {
        match piece {
            Piece::Text(text) => self.text(text),
            Piece::Comment(text) => {
                self.text(" ");
                self.text(text);
            }
            Piece::Comma if self.frame().is_broken => self.text(","),
            Piece::Comma => {}
            Piece::Open(group) => self.open(at, *group),
            Piece::Close => {
                self.frames.pop();
            }
            Piece::Line(line) => self.line(at, *line),
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => width(last),
            None => self.column + width(text),
        };
    }

    fn frame(&self) -> Frame {
        // The root is never closed.
        self.frames.last().copied().unwrap_or(Frame { is_broken: true, inner: 0, outer: 0, base: 0 })
    }

    /// Returns the column relative to which contents are indented.
    fn base(&self) -> usize {
        self.indent.max(self.frame().base)
    }

    fn open(&mut self, at: usize, group: Group) {
        let outer = self.base();
        let inner = if group.shape == Shape::Aligned { self.column } else { outer + INDENT };
        let fits = |column| self.fits(at + 1, column, Ahead::Group);
        let is_broken = group.is_forced || !fits(self.column) && (group.shape != Shape::Single || fits(inner));
        let base = match group.shape {
            Shape::Aligned => inner,
            Shape::Hanging if is_broken => inner,
            _ => self.frame().base,
        };
        self.frames.push(Frame { is_broken, inner, outer, base });
    }

    fn line(&mut self, at: usize, line: Line) {
        let frame = self.frame();
        let start = match line.next {
            Next::Inner => frame.inner,
            Next::Outer => frame.outer,
            Next::Deeper => frame.inner + INDENT,
        };
        let fits = |layout: &Self, column| layout.fits(at + 1, column, Ahead::Stretch);
        let ends = match line.breaks {
            Breaks::Never => false,
            Breaks::Always => true,
            Breaks::WithGroup => frame.is_broken,
            Breaks::Filling => frame.is_broken && !fits(self, self.column + width(line.flat)),
            Breaks::IfItHelps => frame.is_broken && !fits(self, self.column + width(line.flat)) && fits(self, start),
        };
        if !ends {
            return self.text(line.flat);
        }
        self.out.push_str(if line.blank { "\n\n" } else { "\n" });
        self.out.extend(std::iter::repeat_n(' ', start));
        self.column = start;
        self.indent = start;
    }

    /// Whether the pieces from an index on fit on the line, up to the next possible line end.
    fn fits(&self, from: usize, column: usize, ahead: Ahead) -> bool {
        let mut column = column;
        let mut outer = self.frames.iter().rev().peekable();
        // For each group opened on the way, whether it may be broken.
        let mut opened = if ahead == Ahead::Group { vec![false] } else { Vec::new() };
        let mut is_behind = false;
        for piece in self.pieces.get(from..).unwrap_or_default() {
            match piece {
                Piece::Text(text) => match text.split_once('\n') {
                    Some((first, _)) => return column + width(first) <= WIDTH,
                    None => column += width(text),
                },
                Piece::Comment(_) => return true,
                Piece::Comma => {}
                Piece::Open(group) => opened.push(group.is_forced || is_behind),
                Piece::Close => {
                    if opened.pop().is_none() {
                        outer.next();
                    }
                    is_behind |= ahead == Ahead::Group && opened.is_empty();
                }
                Piece::Line(line) => {
                    let frame = || outer.peek().is_some_and(|frame| frame.is_broken);
                    let can_end = opened.last().copied().unwrap_or_else(frame);
                    match line.breaks {
                        Breaks::Always => return true,
                        Breaks::WithGroup | Breaks::Filling | Breaks::IfItHelps if can_end => return true,
                        _ => column += width(line.flat),
                    }
                }
            }
            if column > WIDTH {
                return false;
            }
        }
        true
    }
}

/// The pieces that are tried on a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    /// An unbroken group. The pieces after it may be broken.
    Group,
    /// The following pieces, with only those groups broken that must be.
    Stretch,
}

fn width(text: &str) -> usize {
    text.chars().count()
}
