//! Breaks a stream of words and possible line ends into lines; what fits on one line is not broken.
//!
//! It knows nothing of the language. A group is on one line, or is broken at its own line ends; the contents of a
//! broken bracket are indented by two columns relative to the line on which the bracket opens.

use crate::syntax::WIDTH;

/// The indentation of broken contents.
const INDENT: usize = 2;

/// A piece of the output.
#[derive(Clone, Debug)]
pub(super) enum OutputPiece {
    /// Text; a block string has several lines.
    Text(String),
    /// A possible line end.
    Line(LineBreak),
    /// A comment at the end of its line; a [`BreakCondition::Always`] follows.
    Comment(String),
    /// A comma if the group is broken.
    Comma,
    /// The beginning of a group.
    Open(BreakGroup),
    /// The end of a group.
    Close,
}

/// A possible line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineBreak {
    /// The text to print if the line does not end.
    pub(super) unbroken_text: &'static str,
    /// When the line ends.
    pub(super) breaks: BreakCondition,
    /// The indentation of the next line.
    pub(super) next: NextIndent,
    /// Whether the line end is followed by a blank line.
    pub(super) has_blank_line: bool,
}

/// The condition of a line break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BreakCondition {
    /// Only for a comment.
    Never,
    /// If the group is broken.
    IfGroupBroken,
    /// If the group is broken and what follows does not fit.
    IfFull,
    /// If the group is broken, what follows does not fit, and would fit on a line of its own.
    IfFullAndFitsAlone,
    /// Always.
    Always,
}

/// The indentation of the next line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NextIndent {
    /// That of the contents of the group.
    Inner,
    /// That of the closing bracket of the group.
    Outer,
    /// Deeper than the contents of the group.
    Deeper,
}

/// Pieces that are broken together.
#[derive(Clone, Copy, Debug)]
pub(super) struct BreakGroup {
    /// The indentation of its lines.
    pub(super) shape: GroupIndent,
    /// Whether it is broken even if it fits.
    pub(super) is_forced: bool,
}

/// The indentation of a group's lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GroupIndent {
    /// Deeper than the line on which it opens; the closing bracket is indented like that line.
    Bracket,
    /// Like `Bracket`, but with one element: it is not broken if the element would not fit even then.
    SingleElement,
    /// Deeper than the line on which it opens, including nested brackets.
    Hanging,
    /// The column where it opens.
    Aligned,
}

/// An open group.
#[derive(Clone, Copy)]
struct OpenedGroup {
    is_broken: bool,
    inner: usize,
    outer: usize,
    /// The minimum indentation to which nested brackets are relative.
    base: usize,
}

/// The text so far.
struct OutputLayout<'p> {
    pieces: &'p [OutputPiece],
    frames: Vec<OpenedGroup>,
    out: String,
    column: usize,
    /// The indentation of the current line.
    indent: usize,
}

/// Lays out the pieces as text, with a final line end.
pub(super) fn layout_text(pieces: &[OutputPiece]) -> String {
    let root = OpenedGroup { is_broken: true, inner: 0, outer: 0, base: 0 };
    let mut layout = OutputLayout { pieces, frames: vec![root], out: String::new(), column: 0, indent: 0 };
    for (at, piece) in pieces.iter().enumerate() {
        layout.piece(at, piece);
    }
    if !layout.out.is_empty() {
        layout.out.push('\n');
    }
    layout.out
}

impl OutputLayout<'_> {
    fn piece(&mut self, at: usize, piece: &OutputPiece) {
        match piece {
            OutputPiece::Text(text) => self.text(text),
            OutputPiece::Comment(text) => {
                self.text(" ");
                self.text(text);
            }
            OutputPiece::Comma if self.frame().is_broken => self.text(","),
            OutputPiece::Comma => {}
            OutputPiece::Open(group) => self.open_group(at, *group),
            OutputPiece::Close => {
                self.frames.pop();
            }
            OutputPiece::Line(line) => self.line(at, *line),
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => width(last),
            None => self.column + width(text),
        };
    }

    fn frame(&self) -> OpenedGroup {
        // The root is never closed.
        self.frames.last().copied().unwrap_or(OpenedGroup { is_broken: true, inner: 0, outer: 0, base: 0 })
    }

    /// Returns the column relative to which contents are indented.
    fn base(&self) -> usize {
        self.indent.max(self.frame().base)
    }

    fn open_group(&mut self, at: usize, group: BreakGroup) {
        let outer = self.base();
        let inner = if group.shape == GroupIndent::Aligned { self.column } else { outer + INDENT };
        let fits = |column| self.fits(at + 1, column, FitScope::Group);
        let is_broken =
            group.is_forced || !fits(self.column) && (group.shape != GroupIndent::SingleElement || fits(inner));
        let base = match group.shape {
            GroupIndent::Aligned => inner,
            GroupIndent::Hanging if is_broken => inner,
            _ => self.frame().base,
        };
        self.frames.push(OpenedGroup { is_broken, inner, outer, base });
    }

    fn line(&mut self, at: usize, line: LineBreak) {
        let frame = self.frame();
        let start = match line.next {
            NextIndent::Inner => frame.inner,
            NextIndent::Outer => frame.outer,
            NextIndent::Deeper => frame.inner + INDENT,
        };
        let fits = |layout: &Self, column| layout.fits(at + 1, column, FitScope::FollowingPieces);
        let ends = match line.breaks {
            BreakCondition::Never => false,
            BreakCondition::Always => true,
            BreakCondition::IfGroupBroken => frame.is_broken,
            BreakCondition::IfFull => frame.is_broken && !fits(self, self.column + width(line.unbroken_text)),
            BreakCondition::IfFullAndFitsAlone => {
                frame.is_broken && !fits(self, self.column + width(line.unbroken_text)) && fits(self, start)
            }
        };
        if !ends {
            return self.text(line.unbroken_text);
        }
        self.out.push_str(if line.has_blank_line { "\n\n" } else { "\n" });
        self.out.extend(std::iter::repeat_n(' ', start));
        self.column = start;
        self.indent = start;
    }

    /// Whether the pieces from an index on fit on the line, up to the next possible line end.
    fn fits(&self, from: usize, column: usize, ahead: FitScope) -> bool {
        let mut column = column;
        let mut outer = self.frames.iter().rev().peekable();
        // For each group opened on the way, whether it may be broken.
        let mut opened = if ahead == FitScope::Group { vec![false] } else { Vec::new() };
        let mut is_behind = false;
        for piece in self.pieces.get(from..).unwrap_or_default() {
            match piece {
                OutputPiece::Text(text) => match text.split_once('\n') {
                    Some((first, _)) => return column + width(first) <= WIDTH,
                    None => column += width(text),
                },
                OutputPiece::Comment(_) => return true,
                OutputPiece::Comma => {}
                OutputPiece::Open(group) => opened.push(group.is_forced || is_behind),
                OutputPiece::Close => {
                    if opened.pop().is_none() {
                        outer.next();
                    }
                    is_behind |= ahead == FitScope::Group && opened.is_empty();
                }
                OutputPiece::Line(line) => {
                    let frame = || outer.peek().is_some_and(|frame| frame.is_broken);
                    let can_end = opened.last().copied().unwrap_or_else(frame);
                    match line.breaks {
                        BreakCondition::Always => return true,
                        BreakCondition::IfGroupBroken | BreakCondition::IfFull | BreakCondition::IfFullAndFitsAlone
                            if can_end =>
                        {
                            return true;
                        }
                        _ => column += width(line.unbroken_text),
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

/// The pieces that must fit on a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FitScope {
    /// An unbroken group. The pieces after it may be broken.
    Group,
    /// The following pieces, with only those groups broken that must be.
    FollowingPieces,
}

fn width(text: &str) -> usize {
    text.chars().count()
}
