//! The lines of a file that a finding is about, in frames, with what is said of each place under it.

use super::{Canvas, Style};
use crate::diagnostic::Label;
use crate::escape::{in_place, line};
use crate::span::{SourceFile, Span};
use crate::wrap::{columns, shown, window, wrapped};

/// How many columns a tab takes at most.
const TAB: usize = 4;

/// How many columns what is said of a place has at least, where it is broken beside it.
const LEAST: usize = 24;

/// How many lines of each end of a place over many lines are shown.
const ENDS: usize = 3;

/// How wide the frame of a place over several lines is.
const GUTTER: usize = 4;

/// What is said of a place, with the lines it is on.
struct Place<'l> {
    label: &'l Label,
    first: usize,
    last: usize,
    style: Style,
}

/// What is said of a part of one line, in the columns of the whole line.
struct Mark<'l> {
    from: usize,
    to: usize,
    text: &'l str,
    style: Style,
}

/// Draws the lines of a file around some places, the first of which is the one that the finding is about.
pub(super) fn blocks(file: &SourceFile, labels: &[&Label], canvas: &Canvas) -> String {
    let mut places: Vec<Place<'_>> = labels
        .iter()
        .enumerate()
        .map(|(index, label)| {
            let style = if index == 0 { canvas.primary } else { Style::Beside };
            let (first, _) = file.line_column(label.span.start);
            let (last, _) = file.line_column(end_of(file, label.span));
            Place { label, first, last: last.max(first), style }
        })
        .collect();
    places.sort_by_key(|place| (place.label.span.start, place.label.span.end));
    let mut groups: Vec<Vec<Place<'_>>> = Vec::new();
    let mut behind = 0;
    for place in places {
        let last = place.last;
        // One line above and below each is shown: what would touch is one frame.
        match groups.last_mut().filter(|_| place.first <= behind + 3) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
        behind = behind.max(last);
    }
    groups.iter().map(|group| block(file, group, canvas)).collect()
}

/// Returns where a place ends, without white space at its end.
fn end_of(file: &SourceFile, span: Span) -> u32 {
    let text = file.slice(span);
    let blank = text.len() - text.trim_end().len();
    if blank < text.len() { span.end.saturating_sub(u32::try_from(blank).unwrap_or(0)) } else { span.end }
}

/// A frame that is drawn.
struct Frame<'c> {
    canvas: &'c Canvas,
    file: &'c SourceFile,
    /// How wide the numbers of its lines are.
    digits: usize,
    /// How many columns of a line of the file there is room for.
    room: usize,
    out: String,
}

fn block(file: &SourceFile, places: &[Place<'_>], canvas: &Canvas) -> String {
    let (Some(first), Some(last)) =
        (places.iter().map(|place| place.first).min(), places.iter().map(|place| place.last).max())
    else {
        return String::new();
    };
    let start = places.iter().map(|place| place.label.span.start).min().unwrap_or(0);
    let end = places.iter().map(|place| end_of(file, place.label.span)).max().unwrap_or(start);
    let whole = Span { file: file.id, start, end };
    let (at, above, text) = file.lines_around(whole, 1);
    let mut lines: Vec<(usize, usize, &str)> = Vec::new();
    let mut offset = at;
    for (index, text) in text.split_inclusive('\n').enumerate() {
        lines.push((above + index + 1, offset, text));
        offset += text.len();
    }
    // A file's end behind its last newline is a line of its own.
    if lines.last().is_none_or(|(number, ..)| *number < last) {
        lines.push((last, offset, ""));
    }
    // Of places over several lines one at a time has a gutter; another begins on its line.
    let over = places.iter().find(|place| place.last > place.first);
    let is_over = |place: &Place<'_>| over.is_some_and(|over| std::ptr::eq(over, place));
    let digits = lines.last().map_or(1, |(number, ..)| number.to_string().len());
    let gutter = if over.is_some() { GUTTER } else { 0 };
    let room = canvas.look.width.saturating_sub(digits + 4 + gutter).max(LEAST);
    let mut frame = Frame { canvas, file, digits, room, out: String::new() };
    frame.open(places);
    let mut is_cut = false;
    for (number, offset, text) in lines {
        let part = over.map_or("", |over| match number {
            number if number == over.first => canvas.lines.opens,
            number if number == over.last => canvas.lines.closes,
            number if number > over.first && number < over.last => canvas.lines.down,
            _ => "",
        });
        let has_own = places.iter().any(|place| !is_over(place) && place.first == number);
        let is_within = over.is_some_and(|over| number >= over.first + ENDS && number + ENDS <= over.last);
        if is_within && !has_own && last > first + 2 * ENDS {
            if !std::mem::replace(&mut is_cut, true) {
                frame.beside(&frame.gutter(canvas.lines.down, over, gutter), canvas.signs.more);
            }
            continue;
        }
        let text = text.trim_end_matches(['\n', '\r']);
        let marks: Vec<Mark<'_>> = places
            .iter()
            .filter(|place| !is_over(place) && place.first == number)
            .map(|place| mark(place, offset, text, end_of(file, place.label.span)))
            .collect();
        let front = frame.gutter(part, over, gutter);
        let below = over.filter(|over| number >= over.first && number < over.last);
        let below = frame.gutter(if below.is_some() { canvas.lines.down } else { "" }, over, gutter);
        frame.line(number, &expanded(&in_place(text)), &front, &below, marks);
        if let Some(over) = over.filter(|over| number == over.last) {
            let lead = format!("{}{} ", canvas.lines.bottom, canvas.lines.across.repeat(GUTTER));
            let said = shown(&over.label.text, canvas.look.unicode);
            let width = frame.room + gutter;
            let said = wrapped(width, &lead, &" ".repeat(columns(&lead)), &said);
            for said in said.lines() {
                frame.beside("", &canvas.paint(over.style, said));
            }
        }
    }
    frame.close();
    frame.out
}

/// Returns the columns of a place on its line; of one over several lines the part on the first.
fn mark<'l>(place: &Place<'l>, offset: usize, text: &str, end: u32) -> Mark<'l> {
    let column = |at: usize| {
        let within = at.saturating_sub(offset).min(text.len());
        columns(&expanded(&in_place(text.get(..within).unwrap_or_default())))
    };
    let (from, to) = (column(place.label.span.start as usize), column(end as usize));
    Mark { from, to: to.max(from), text: &place.label.text, style: place.style }
}

/// Returns a line with blanks in the place of tabs.
fn expanded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str(&" ".repeat(TAB - columns(&out) % TAB)),
            c => out.push(c),
        }
    }
    out
}

impl Frame<'_> {
    fn open(&mut self, places: &[Place<'_>]) {
        let primary = places.iter().find(|place| place.style == self.canvas.primary).or(places.first());
        let Some(place) = primary else { return };
        let (number, column) = self.file.line_column(place.label.span.start);
        let name = format!("{}:{number}:{column}", line(&self.file.name, usize::MAX));
        let lines = self.canvas.lines;
        let margin = " ".repeat(self.digits + 2);
        self.out.push_str(&format!(
            "{margin}{}{}[{}]\n",
            lines.top,
            lines.across,
            self.canvas.paint(Style::Name, &name)
        ));
    }

    fn close(&mut self) {
        let lines = self.canvas.lines;
        let margin = " ".repeat(self.digits + 2);
        self.out.push_str(&format!("{margin}{}{}\n", lines.bottom, lines.across.repeat(4)));
    }

    /// Returns what the gutter has on a line.
    fn gutter(&self, part: &str, over: Option<&Place<'_>>, width: usize) -> String {
        let style = over.map_or(self.canvas.primary, |over| over.style);
        let blank = " ".repeat(width.saturating_sub(columns(part)));
        if part.is_empty() { blank } else { format!("{}{blank}", self.canvas.paint(style, part)) }
    }

    /// Draws what is no line of the file.
    fn beside(&mut self, gutter: &str, text: &str) {
        let margin = " ".repeat(self.digits + 2);
        let row = format!("{margin}{} {gutter}{text}", self.canvas.lines.beside);
        self.out.push_str(row.trim_end());
        self.out.push('\n');
    }

    /// Draws a line of the file with what is said of its parts. Parts that overlap, or that do not fit on a line
    /// together, are drawn one after the other.
    fn line(&mut self, number: usize, text: &str, front: &str, below: &str, mut marks: Vec<Mark<'_>>) {
        marks.sort_by_key(|mark| (mark.from, mark.to));
        let mut groups: Vec<Vec<Mark<'_>>> = Vec::new();
        for mark in marks {
            let fits = |group: &&mut Vec<Mark<'_>>| {
                let (from, to) = extent(group);
                mark.from >= to
                    && mark.from > from
                    && (columns(text) <= self.room || mark.to.saturating_sub(from) <= self.room / 2)
            };
            match groups.last_mut().filter(fits) {
                Some(group) => group.push(mark),
                None => groups.push(vec![mark]),
            }
        }
        let mut shown_from = None;
        for group in &groups {
            let start = self.start(text, group);
            if shown_from != Some(start) {
                self.source(number, text, front, start);
                shown_from = Some(start);
            }
            self.marks(group, start, below);
        }
        if groups.is_empty() {
            self.source(number, text, front, 0);
        }
    }

    fn source(&mut self, number: usize, text: &str, front: &str, start: usize) {
        let canvas = self.canvas;
        let text = window(text, start, self.room, canvas.signs.more);
        let number = canvas.paint(Style::Dim, &format!("{number:>width$}", width = self.digits));
        let row = format!(" {number} {} {front}{text}", canvas.lines.down);
        self.out.push_str(row.trim_end());
        self.out.push('\n');
    }

    /// Returns the column from which a line is shown, so that some parts of it are seen.
    fn start(&self, text: &str, group: &[Mark<'_>]) -> usize {
        let (from, to) = extent(group);
        let sign = columns(self.canvas.signs.more);
        if columns(text) <= self.room || to + sign <= self.room {
            return 0;
        }
        let spare = self.room.saturating_sub(to - from).saturating_sub(2 * sign);
        from.saturating_sub(spare.min(self.room / 4)).saturating_sub(sign)
    }

    /// Underlines parts of a line that do not overlap, and says of each what there is to say, the last one first.
    fn marks(&mut self, group: &[Mark<'_>], start: usize, below: &str) {
        let (canvas, lines) = (self.canvas, self.canvas.lines);
        // Where each is, where what is said of it hangs, and how long it is seen.
        let placed: Vec<(&Mark<'_>, usize, usize)> = group
            .iter()
            .map(|mark| {
                let from = mark.from.saturating_sub(start).min(self.room.saturating_sub(1));
                let length = (mark.to - mark.from).min(self.room - from);
                (mark, from, length)
            })
            .collect();
        let mut row = String::new();
        let mut column = 0;
        for (mark, from, length) in &placed {
            row.push_str(&" ".repeat(from.saturating_sub(column)));
            let drawn = match length {
                0 => lines.between.to_owned(),
                length => {
                    let half = length / 2;
                    format!("{}{}{}", lines.under.repeat(half), lines.hook, lines.under.repeat(length - half - 1))
                }
            };
            row.push_str(&canvas.paint(mark.style, &drawn));
            column = from + (*length).max(1);
        }
        self.beside(below, &row);
        for (index, (mark, from, length)) in placed.iter().enumerate().rev() {
            let mut bars = String::new();
            let mut column = 0;
            for (other, from, length) in placed.iter().take(index) {
                let hook = from + length / 2;
                bars.push_str(&" ".repeat(hook.saturating_sub(column)));
                bars.push_str(&canvas.paint(other.style, lines.down));
                column = hook + 1;
            }
            self.say(mark, from + length / 2, (&bars, column), below);
        }
    }

    /// Says what there is to say of a part: behind its hook, in front of it, or below it, wherever there is room.
    fn say(&mut self, mark: &Mark<'_>, hook: usize, (bars, column): (&str, usize), below: &str) {
        let (canvas, lines) = (self.canvas, self.canvas.lines);
        let text = shown(mark.text, canvas.look.unicode);
        let elbow = columns(lines.elbow);
        let room = self.room.saturating_sub(hook + elbow);
        let gap = " ".repeat(hook.saturating_sub(column));
        let taken = columns(&text) + columns(lines.elbow_left);
        if columns(&text) > room && column == 0 && taken <= hook + 1 {
            let lead = " ".repeat(hook + 1 - taken);
            let said = canvas.paint(mark.style, &format!("{text}{}", lines.elbow_left));
            return self.beside(below, &format!("{lead}{said}"));
        }
        if columns(&text) <= room || room >= LEAST {
            let rows = wrapped(room, "", "", &text);
            for (index, said) in rows.lines().enumerate() {
                let lead = if index == 0 { lines.elbow.to_owned() } else { " ".repeat(elbow) };
                let said = canvas.paint(mark.style, &format!("{lead}{said}"));
                self.beside(below, &format!("{bars}{gap}{said}"));
            }
            return;
        }
        self.beside(below, &format!("{bars}{gap}{}", canvas.paint(mark.style, lines.elbow.trim_end())));
        for said in wrapped(self.room, "  ", "  ", &text).lines() {
            self.beside(below, &canvas.paint(mark.style, said));
        }
    }
}

/// Returns the first column of some parts and the one behind the last.
fn extent(marks: &[Mark<'_>]) -> (usize, usize) {
    let from = marks.iter().map(|mark| mark.from).min().unwrap_or(0);
    (from, marks.iter().map(|mark| mark.to).max().unwrap_or(from))
}
