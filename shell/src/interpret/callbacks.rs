//! `mapfile -C text`: the text is evaluated for some of the lines, with the line's index and the line appended.

use std::rc::Rc;

use super::simple::Made;
use super::streams::Flow;
use super::{Frame, Setting};
use crate::nested::Nested;
use crate::quote::quote;
use crate::stream::{Content, Input, Value};
use crate::word::{Cause, Part, Source, Unknown, UnknownPart, Word};

/// The number of lines for which the text is walked individually.
const LINES: usize = 16;

/// The lines for which the text is evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Called<'o> {
    /// The interval between two of them, in lines: `-c 1`.
    pub every: Option<&'o str>,
    /// The index of the first line in the list: `-O 1`.
    pub origin: Option<&'o str>,
    /// Whether the newline of each line is removed: `-t`.
    pub is_trimmed: bool,
    /// Whether there are other delimiters or skipped lines, which are not tracked.
    pub is_other: bool,
}

/// A line, its index in the list, and the text after it.
struct Line<'t> {
    text: &'t str,
    place: usize,
    rest: &'t str,
}

impl Frame<'_> {
    /// Walks the text that `mapfile` evaluates, for each of those lines.
    pub(super) fn callback(
        &mut self,
        made: &Made<'_>,
        inner: &Nested,
        setting: &Setting,
        text: &Value,
        called: Called<'_>,
        input: &Rc<Input>,
    ) -> Flow {
        let content = input.content.clone();
        let known = match &content {
            Content::Known(value) => value.word.known(),
            _ => None,
        };
        let mut flow = Flow::nothing();
        if let Some(lines) = known.and_then(|text| called.lines(text)) {
            for (at, line) in lines.iter().enumerate() {
                let rest = Content::Known(Value::text(line.rest));
                self.leave_rest(input, rest.clone());
                let line_text = if called.is_trimmed { line.text.trim_end_matches('\n') } else { line.text };
                let words = Value::text(format!(" {} {}", line.place, quote(line_text)));
                flow = flow.then(self.evaluated_with(made, inner, setting, text, words, input));
                // The text may read lines itself; the next line is then unknown.
                let is_left = input.stream.is_none() || self.state.taken.rest_of(input).content == rest;
                if at + 1 >= LINES || !is_left {
                    return flow.then_perhaps(self.with_any_line(made, inner, setting, text, input));
                }
            }
            self.leave_rest(input, Content::nothing());
            return flow;
        }
        flow.then_perhaps(self.with_any_line(made, inner, setting, text, input))
    }

    /// Walks the text with an unknown line, of which only the source is known.
    fn with_any_line(
        &mut self,
        made: &Made<'_>,
        inner: &Nested,
        setting: &Setting,
        text: &Value,
        input: &Rc<Input>,
    ) -> Flow {
        self.leave_rest(input, Content::Unknown);
        let number = Unknown::of(Cause::Variable, "$1", Source::Number);
        let number = Word::of(Part::Unknown(UnknownPart { why: number, splits: false }));
        let mut words = Value::text(" ");
        words.append(&Value { word: number, from: Vec::new() });
        words.append(&Value::text(" "));
        words.append(&Value::line("MAPFILE", made.id, input).whole());
        self.evaluated_with(made, inner, setting, text, words, input)
    }

    /// Walks the text with words appended.
    fn evaluated_with(
        &mut self,
        made: &Made<'_>,
        inner: &Nested,
        setting: &Setting,
        text: &Value,
        mut words: Value,
        input: &Rc<Input>,
    ) -> Flow {
        words.joins(&input.from);
        let mut whole = text.clone();
        // If the text is entirely unknown, appending words adds nothing.
        if text.word.parts.iter().filter_map(Part::text).any(|text| !text.trim().is_empty()) {
            whole.append(&words);
        }
        self.script_in(made, inner, &mut setting.clone(), &whole, None)
    }
}

impl Called<'_> {
    /// Returns the lines for which the text is evaluated; `None` if they are unknown.
    fn lines<'t>(&self, text: &'t str) -> Option<Vec<Line<'t>>> {
        if self.is_other {
            return None;
        }
        let every = self.every?.parse::<usize>().ok().filter(|every| *every > 0)?;
        let origin = self.origin.map_or(Some(0), |origin| origin.parse::<usize>().ok())?;
        let mut found = Vec::new();
        let mut end = 0;
        for (at, line) in text.split_inclusive('\n').enumerate() {
            end += line.len();
            if (at + 1).is_multiple_of(every) && found.len() <= LINES {
                found.push(Line {
                    text: line,
                    place: origin.checked_add(at)?,
                    rest: text.get(end..).unwrap_or_default(),
                });
            }
        }
        Some(found)
    }
}
