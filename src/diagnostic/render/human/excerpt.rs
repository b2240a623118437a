//! The excerpt of a finding: the relevant source lines, cut to the width of a terminal.
//!
//! miette, which draws the lines, takes the excerpt for the file. The excerpt is a separate text with only the
//! relevant part of each line, tabs expanded, and with the line numbers of the file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use unicode_width::UnicodeWidthChar;

use crate::diagnostic::Label;
use crate::diagnostic::render::DisplayOptions;
use crate::escape::{line, same_length};
use crate::span::{SourceFile, Span};
use crate::wrap::{ASCII, UNICODE, columns, in_terminal_characters, window, wrapped};

/// The number of context lines above and below a place.
pub(super) const CONTEXT: usize = 1;

/// The maximum width of a tab, in columns.
const TAB: usize = 4;

/// The maximum number of lines of a place that is displayed whole. Of a longer place, only the first line is displayed.
const MAX_LINES: usize = 6;

/// The minimum width of a label's text, in columns.
const MIN_LABEL_WIDTH: usize = 20;

/// The width of what miette draws between an underlined place and its label, in columns.
const ELBOW: usize = 4;

/// The width of what miette draws before each line, next to its number, in columns.
const MARGIN: usize = 4;

/// The width of what miette draws before each line for a place on several lines, in columns.
const GUTTER: usize = 3;

/// The width of what miette draws before the label of a place on several lines, in columns.
const GUTTER_END: usize = 2;

/// Parts of the lines of a file, with the labels of places in them.
#[derive(Debug)]
pub(super) struct SourceExcerpt<'l> {
    name: String,
    /// The lines, including newlines.
    text: String,
    rows: Vec<ExcerptRow>,
    /// The labels that are drawn, in the order of their places.
    drawn: Vec<DrawnLabel<'l>>,
}

/// A line of an excerpt.
#[derive(Debug)]
struct ExcerptRow {
    /// The number of the line in the file, from 1.
    number: usize,
    /// The byte offset of the row in the excerpt.
    at: usize,
    /// The byte offset of the line in the file.
    offset: usize,
    /// The first column of the line that is displayed, from 0.
    start: usize,
}

/// A label that is drawn.
#[derive(Debug)]
struct DrawnLabel<'l> {
    label: &'l Label,
    /// The column of its place in the file, from 1.
    column: usize,
    /// The label in miette's form, with its place in the excerpt.
    span: LabeledSpan,
}

/// A label with the lines and the column of its place in the file.
#[derive(Clone, Copy)]
struct PlacedLabel<'l> {
    label: &'l Label,
    /// Whether it is the primary label.
    is_primary: bool,
    /// The first line.
    first: usize,
    /// The last line.
    last: usize,
    /// The column at which the place begins, from 1.
    column: usize,
}

impl<'l> SourceExcerpt<'l> {
    /// Creates the excerpt of a file with the lines of these labels, of which the first is the primary one.
    pub(super) fn new(file: &SourceFile, labels: &[&'l Label], display: DisplayOptions) -> Self {
        let places: Vec<PlacedLabel<'l>> =
            labels.iter().enumerate().map(|(at, label)| placed_label(file, label, at == 0)).collect();
        let lines = lines(file, labels, &places);
        let digits = lines.last_key_value().map_or(1, |(number, _)| number.to_string().len());
        let multi_line_count = places.iter().filter(|place| place.last > place.first).count();
        let gutter = if multi_line_count > 0 { multi_line_count + GUTTER } else { 0 };
        let room = display.width.saturating_sub(digits + MARGIN + gutter).max(ELBOW + MIN_LABEL_WIDTH);
        let omission_sign = if display.unicode { UNICODE.more } else { ASCII.more };
        let mut excerpt =
            Self { name: line(&file.name, usize::MAX), text: String::new(), rows: Vec::new(), drawn: Vec::new() };
        for (number, (offset, text)) in &lines {
            let on_line = places.iter().filter(|place| place.first == *number && place.last == *number);
            let label_columns: Vec<LabelColumns> =
                on_line.map(|place| label_columns(file, place, *offset, text)).collect();
            let start = first_column(columns(&expand_tabs(text)), &label_columns, room, columns(omission_sign));
            excerpt.rows.push(ExcerptRow { number: *number, at: excerpt.text.len(), offset: *offset, start });
            excerpt.text.push_str(&window(&expand_tabs(text), start, room, omission_sign));
            excerpt.text.push('\n');
        }
        for place in &places {
            let Some((_, text)) = lines.get(&place.first) else { continue };
            let span = if place.last > place.first {
                excerpt.multi_line_label(file, place, room, display)
            } else {
                excerpt.single_line_label(file, place, text, room, display)
            };
            excerpt.drawn.extend(span.map(|span| DrawnLabel { label: place.label, column: place.column, span }));
        }
        excerpt.drawn.sort_by_key(|drawn| drawn.span.offset());
        excerpt
    }

    /// Whether a label is drawn.
    pub(super) fn is_drawn(&self, label: &Label) -> bool {
        self.drawn.iter().any(|drawn| std::ptr::eq(drawn.label, label))
    }

    /// Returns the drawn labels, in order.
    pub(super) fn labels(&self) -> impl Iterator<Item = &LabeledSpan> {
        self.drawn.iter().map(|drawn| &drawn.span)
    }

    /// Returns a row by its line number, and its displayed text.
    fn shown_row(&self, number: usize) -> Option<(&ExcerptRow, &str)> {
        let index = self.rows.binary_search_by_key(&number, |row| row.number).ok()?;
        let row = self.rows.get(index)?;
        Some((row, self.text.get(row.at..)?.lines().next().unwrap_or_default()))
    }

    /// Returns the label of a place on a single line; `None` if the place is not in the displayed part, overlaps the
    /// place of a drawn label, or leaves no room for the comment. The underlined part is shortened to make room.
    fn single_line_label(
        &self,
        file: &SourceFile,
        place: &PlacedLabel<'l>,
        text: &str,
        room: usize,
        display: DisplayOptions,
    ) -> Option<LabeledSpan> {
        let (row, part) = self.shown_row(place.first)?;
        let mark = label_columns(file, place, row.offset, text);
        let comment = in_terminal_characters(&place.label.text, display.unicode);
        // miette attaches the comment below the middle of the underlined part, the hook.
        let max_hook = room.saturating_sub(ELBOW + MIN_LABEL_WIDTH.min(columns(&comment)));
        let from = mark.from.checked_sub(row.start).filter(|from| *from <= max_hook)?;
        let to = (mark.to - row.start).min(room);
        let to = if usize::midpoint(from, to) > max_hook { (2 * max_hook).saturating_sub(from) } else { to };
        let (start, end) = (row.at + byte_at(part, from), row.at + byte_at(part, to.max(from)));
        let end = if mark.to > mark.from { end.max(start + 1) } else { end };
        let is_free = |drawn: &DrawnLabel<'_>| {
            let (other, length) = (drawn.span.offset(), drawn.span.len());
            end <= other || start >= other + length.max(1) || columns(part) < from
        };
        if !self.drawn.iter().all(is_free) {
            return None;
        }
        let hook = usize::midpoint(from, to.max(from + 1));
        Some(position_label(
            place,
            start,
            end,
            &wrapped(room.saturating_sub(hook + ELBOW).max(MIN_LABEL_WIDTH), "", "", &comment),
        ))
    }

    /// Returns the label of a place on several lines; `None` if one of its ends is not displayed.
    fn multi_line_label(
        &self,
        file: &SourceFile,
        place: &PlacedLabel<'l>,
        room: usize,
        display: DisplayOptions,
    ) -> Option<LabeledSpan> {
        let (first, part) = self.shown_row(place.first)?;
        let begins = (place.label.span.start as usize).saturating_sub(first.offset);
        let begin = first.at + floor_boundary(part, begins.min(part.len()));
        let (last, part) = self.shown_row(place.last)?;
        let ends = (trimmed_end(file, place.label.span) as usize).saturating_sub(last.offset);
        let end = last.at + floor_boundary(part, ends.min(part.len()));
        let comment = in_terminal_characters(&place.label.text, display.unicode);
        Some(position_label(place, begin, end, &wrapped(room - GUTTER_END, "", "", &comment)))
    }
}

impl SourceCode for SourceExcerpt<'_> {
    fn read_span<'s>(
        &'s self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'s> + 's>, MietteError> {
        let row_of = |at: usize| self.rows.partition_point(|row| row.at <= at).saturating_sub(1);
        let end = span.offset() + span.len().saturating_sub(1);
        let (mut first, mut last) = (row_of(span.offset()), row_of(end));
        // Lines between two places may be missing from the excerpt.
        let follows = |above: usize, below: usize| {
            let number = |index: usize| self.rows.get(index).map(|row| row.number);
            number(above).zip(number(below)).is_some_and(|(above, below)| above + 1 == below)
        };
        if !(first..last).all(|above| follows(above, above + 1)) {
            return Err(MietteError::OutOfBounds);
        }
        for _ in 0..before {
            first -= usize::from(first > 0 && follows(first - 1, first));
        }
        for _ in 0..after {
            last += usize::from(follows(last, last + 1));
        }
        let row = self.rows.get(first).ok_or(MietteError::OutOfBounds)?;
        let end_offset = self.rows.get(last + 1).map_or(self.text.len(), |row| row.at);
        let text = self.text.get(row.at..end_offset).ok_or(MietteError::OutOfBounds)?;
        let begins_at_span = |drawn: &&DrawnLabel<'_>| drawn.span.offset() == span.offset();
        let column = self.drawn.iter().find(begins_at_span).filter(|_| before == 0).map_or(0, |drawn| drawn.column - 1);
        let place = SourceSpan::from((row.at, text.len()));
        let count = last - first + 1;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            text.as_bytes(),
            place,
            row.number - 1,
            column,
            count,
        )))
    }
}

/// Determines the lines and the column of a label's place. A place of many lines is reduced to its first line.
fn placed_label<'l>(file: &SourceFile, label: &'l Label, is_primary: bool) -> PlacedLabel<'l> {
    let (first, column) = file.line_column(label.span.start);
    let (last, _) = file.line_column(trimmed_end(file, label.span));
    let last = if last >= first + MAX_LINES { first } else { last.max(first) };
    PlacedLabel { label, is_primary, first, last, column }
}

/// Returns the end of a place without white space at its end; the end itself if the place has only white space.
fn trimmed_end(file: &SourceFile, span: Span) -> u32 {
    let text = file.slice(span);
    let blank = text.len() - text.trim_end().len();
    if blank < text.len() { span.end.saturating_sub(u32::try_from(blank).unwrap_or(0)) } else { span.end }
}

/// Returns the lines of some places, with one line of context above and below. For each line number, the result has
/// the offset of the line and its text, in which misleading characters are replaced.
fn lines<'f>(
    file: &'f SourceFile,
    labels: &[&Label],
    places: &[PlacedLabel<'_>],
) -> BTreeMap<usize, (usize, Cow<'f, str>)> {
    let mut lines = BTreeMap::new();
    for (label, place) in labels.iter().zip(places) {
        let (mut offset, above, text) = file.lines_around(label.span, CONTEXT);
        for (index, text) in text.split_inclusive('\n').take(place.last + CONTEXT - above).enumerate() {
            lines
                .entry(above + index + 1)
                .or_insert_with(|| (offset, same_length(text.trim_end_matches(['\n', '\r']))));
            offset += text.len();
        }
        // A place may be after the last newline of the file, on a line without text.
        lines.entry(place.first).or_insert((file.text.len(), Cow::Borrowed("")));
    }
    lines
}

/// The columns of a place on its line, and the width of its comment.
#[derive(Clone, Copy)]
struct LabelColumns {
    /// The first column of the place, from 0.
    from: usize,
    /// The column after the place.
    to: usize,
    /// The width of the comment.
    comment_width: usize,
}

/// Returns the columns of a label on its line.
fn label_columns(file: &SourceFile, place: &PlacedLabel<'_>, offset: usize, text: &str) -> LabelColumns {
    let (last, _) = file.line_column(trimmed_end(file, place.label.span));
    let column = |at: usize| columns(&expand_tabs(text.get(..at.saturating_sub(offset)).unwrap_or(text)));
    let from = column(place.label.span.start as usize);
    let to = if last > place.first {
        columns(&expand_tabs(text))
    } else {
        column(trimmed_end(file, place.label.span) as usize)
    };
    LabelColumns { from, to: to.max(from), comment_width: columns(&place.label.text) }
}

/// Returns the first column of a line to display, so that all its places are visible and their comments have room. If
/// that is impossible, only the first place is taken into account. `sign` is the width of the sign for omitted text.
fn first_column(width: usize, columns_of_labels: &[LabelColumns], room: usize, sign: usize) -> usize {
    let needs = |label: &LabelColumns| {
        let comment_end = usize::midpoint(label.from, label.to) + ELBOW + label.comment_width.min(MIN_LABEL_WIDTH);
        comment_end.max(if width > room { label.to + sign } else { 0 })
    };
    let union = LabelColumns {
        from: columns_of_labels.iter().map(|label| label.from).min().unwrap_or(0),
        to: columns_of_labels.iter().map(|label| label.to).max().unwrap_or(0),
        comment_width: 0,
    };
    if columns_of_labels.iter().all(|label| needs(label) <= room) {
        return 0;
    }
    let fits = union.to - union.from + 2 * sign <= room;
    let Some(visible) = columns_of_labels.first().map(|first| if fits { union } else { *first }) else { return 0 };
    let spare = room.saturating_sub(visible.to - visible.from + 2 * sign);
    let start = visible.from.saturating_sub(spare.min(room / 4) + sign);
    // Otherwise the sign takes up as many columns as are saved.
    if start > sign { start } else { 0 }
}

/// Returns a label in miette's form, with its place in the excerpt.
fn position_label(place: &PlacedLabel<'_>, start: usize, end: usize, comment: &str) -> LabeledSpan {
    let comment = Some(comment.trim_end().to_owned()).filter(|comment| !comment.is_empty());
    let span = (start, end.saturating_sub(start));
    if place.is_primary {
        LabeledSpan::new_primary_with_span(comment, span)
    } else {
        LabeledSpan::new_with_span(comment, span)
    }
}

/// Replaces the tabs of a line by spaces.
fn expand_tabs(text: &str) -> String {
    if !text.contains('\t') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str(&" ".repeat(TAB - columns(&out) % TAB)),
            c => out.push(c),
        }
    }
    out
}

/// Returns the byte offset of a column in a line.
fn byte_at(text: &str, column: usize) -> usize {
    let mut taken = 0;
    let reaches = |(_, c): &(usize, char)| {
        let is_there = taken >= column;
        taken += c.width().unwrap_or(0);
        is_there
    };
    text.char_indices().find(reaches).map_or(text.len(), |(at, _)| at)
}

/// Returns the last character boundary at or before an index.
fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
