//! Lays out printed pieces as lines: text is broken at possible line breaks where it does not fit.
//!
//! This module does not depend on the language. A group is on one line, or is broken at its line breaks; the contents
//! of a broken bracket are indented by two columns relative to the line on which the bracket opens.

use crate::syntax::WIDTH;

/// The number of columns by which broken contents are indented.
const INDENT: usize = 2;

/// A piece of the output.
#[derive(Clone, Debug)]
pub(super) enum OutputPiece {
    /// Text; a block string has several lines.
    Text(String),
    /// A possible line break.
    Line(LineBreak),
    /// A comment at the end of its line; the next piece is a line break with [`BreakCondition::Always`].
    Comment(String),
    /// A comma that is printed only if the group is broken.
    Comma,
    /// The beginning of a group.
    Open(BreakGroup),
    /// The end of a group.
    Close,
}

/// A possible line break.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineBreak {
    /// The text to print if the line does not end.
    pub(super) unbroken_text: &'static str,
    /// The condition under which the line ends.
    pub(super) breaks: BreakCondition,
    /// The indentation of the line after it.
    pub(super) next: NextIndent,
    /// Whether a blank line follows if the line ends.
    pub(super) has_blank_line: bool,
}

/// The condition of a line break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BreakCondition {
    /// The line does not end. The printer uses this where only a comment can end the line.
    Never,
    /// The line ends if the group is broken.
    IfGroupBroken,
    /// The line ends if the group is broken and the following pieces do not fit on the line.
    IfFull,
    /// The line ends if the group is broken, the following pieces do not fit on the line, and they fit on a new line.
    IfFullAndFitsAlone,
    /// The line ends.
    Always,
}

/// The indentation of the line after a line break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NextIndent {
    /// The indentation of the group's contents.
    Inner,
    /// The indentation of the group's closing bracket.
    Outer,
    /// One step deeper than the group's contents.
    Deeper,
}

/// The properties of a group of pieces that are broken together.
#[derive(Clone, Copy, Debug)]
pub(super) struct BreakGroup {
    /// The indentation of the lines in the group.
    pub(super) shape: GroupIndent,
    /// Whether the group is broken even if it fits on the line.
    pub(super) is_forced: bool,
}

/// The indentation of a group's lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GroupIndent {
    /// The contents are indented relative to the line on which the group opens, and the closing bracket like that
    /// line.
    Bracket,
    /// Like `Bracket`, for a single element. The group is not broken if the element would not fit on a new line
    /// either.
    SingleElement,
    /// The contents are indented relative to the line on which the group opens, and brackets in them relative to the
    /// contents.
    Hanging,
    /// The contents are indented to the column in which the group opens.
    Aligned,
}

/// A group that is open while the pieces are laid out.
#[derive(Clone, Copy)]
struct OpenedGroup {
    is_broken: bool,
    /// The indentation of the contents.
    inner: usize,
    /// The indentation of the closing bracket.
    outer: usize,
    /// The minimum indentation relative to which nested brackets are indented.
    base: usize,
}

/// The text so far, and the state at its end.
struct OutputLayout<'p> {
    pieces: &'p [OutputPiece],
    /// The open groups; the first one is the whole text and is never closed.
    frames: Vec<OpenedGroup>,
    out: String,
    /// The number of characters in the current line.
    column: usize,
    /// The indentation of the current line.
    indent: usize,
}

/// Returns the pieces laid out as text, with a final line end.
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
    /// Adds the piece at an index to the text.
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

    /// Adds a text and updates the column.
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => width(last),
            None => self.column + width(text),
        };
    }

    /// Returns the innermost open group.
    fn frame(&self) -> OpenedGroup {
        // The root is never closed.
        self.frames.last().copied().unwrap_or(OpenedGroup { is_broken: true, inner: 0, outer: 0, base: 0 })
    }

    /// Returns the column relative to which the contents of a new group are indented.
    fn base(&self) -> usize {
        self.indent.max(self.frame().base)
    }

    /// Opens a group, and determines whether it is broken.
    fn open_group(&mut self, at: usize, group: BreakGroup) {
        let outer = self.base();
        let inner = if group.shape == GroupIndent::Aligned { self.column } else { outer + INDENT };
        let fits = |column| self.fits(at + 1, column, FitScope::Group);
        // A group of one element stays whole if the element is too long for the next line too: breaking would not
        // help.
        let is_broken =
            group.is_forced || !fits(self.column) && (group.shape != GroupIndent::SingleElement || fits(inner));
        // Brackets in an aligned or a broken hanging group are indented relative to its contents.
        let base = match group.shape {
            GroupIndent::Aligned => inner,
            GroupIndent::Hanging if is_broken => inner,
            _ => self.frame().base,
        };
        self.frames.push(OpenedGroup { is_broken, inner, outer, base });
    }

    /// Adds a line break with its indentation, or the text that replaces it if the line does not end.
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

    /// Whether the pieces from the index `from` on fit on the line, up to the first line break that may end it.
    /// `column` is the column of the first piece.
    fn fits(&self, from: usize, column: usize, scope: FitScope) -> bool {
        let mut column = column;
        let mut outer_groups = self.frames.iter().rev().peekable();
        // For each group that is opened on the way, whether it may be broken.
        let mut opened_groups = if scope == FitScope::Group { vec![false] } else { Vec::new() };
        let mut is_after_group = false;
        for piece in self.pieces.get(from..).unwrap_or_default() {
            match piece {
                OutputPiece::Text(text) => match text.split_once('\n') {
                    Some((first, _)) => return column + width(first) <= WIDTH,
                    None => column += width(text),
                },
                // A comment may extend beyond the width.
                OutputPiece::Comment(_) => return true,
                OutputPiece::Comma => {}
                OutputPiece::Open(group) => opened_groups.push(group.is_forced || is_after_group),
                OutputPiece::Close => {
                    if opened_groups.pop().is_none() {
                        outer_groups.next();
                    }
                    // The pieces after the group only need to fit up to their first possible line break.
                    is_after_group |= scope == FitScope::Group && opened_groups.is_empty();
                }
                OutputPiece::Line(line) => {
                    let frame = || outer_groups.peek().is_some_and(|frame| frame.is_broken);
                    let can_end = opened_groups.last().copied().unwrap_or_else(frame);
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
    /// All pieces of a group up to its end. The groups after it may be broken.
    Group,
    /// The following pieces up to the next possible line break; groups in them are broken only if they must be.
    FollowingPieces,
}

/// Returns the number of columns of a text: its characters.
fn width(text: &str) -> usize {
    text.chars().count()
}
