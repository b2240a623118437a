//! `mapfile -C text`: the text is evaluated for some of the lines, with the index of the line and the line appended.

use std::rc::Rc;

use super::flow::Flow;
use super::simple::ExpandedCommand;
use super::{Frame, WalkContext};
use crate::nested::NestedCommand;
use crate::quote::quote;
use crate::stream::{InputStream, ShellValue, StreamContent};
use crate::word::WordPart;

/// The maximum number of lines for each of which the text is walked.
const MAX_LINES: usize = 16;

/// The options of `mapfile` that determine for which lines the text is evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallbackLines<'o> {
    /// The number of lines between two evaluations: `-c 1`.
    pub every: Option<&'o str>,
    /// The index of the first line in the array: `-O 1`.
    pub origin: Option<&'o str>,
    /// Whether the newline of each line is removed: `-t`.
    pub is_trimmed: bool,
    /// Whether lines end in another delimiter, are skipped or are limited in number: the lines are then unknown.
    pub are_unknown: bool,
}

/// A line of the input, its index in the array, and the input after it.
struct NumberedLine<'t> {
    text: &'t str,
    index: usize,
    rest: &'t str,
}

impl Frame<'_> {
    /// Walks the text that `mapfile` evaluates, once for each line for which it does so. If the lines are unknown or
    /// too many, the text is walked with an unknown line.
    pub(super) fn walk_callback(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &WalkContext,
        text: &ShellValue,
        callback_lines: CallbackLines<'_>,
        input: &Rc<InputStream>,
    ) -> Flow {
        let content = input.content.clone();
        let known = match &content {
            StreamContent::Known(value) => value.word.known_text(),
            _ => None,
        };
        let mut flow = Flow::empty();
        if let Some(lines) = known.and_then(|text| callback_lines.lines(text)) {
            for (count, line) in lines.iter().enumerate() {
                let rest = StreamContent::Known(ShellValue::text(line.rest));
                self.leave_rest(input, rest.clone());
                let line_text = if callback_lines.is_trimmed { line.text.trim_end_matches('\n') } else { line.text };
                let words = ShellValue::text(format!(" {} {}", line.index, quote(line_text)));
                flow = flow.concat(self.walk_with_line(command, inner, context, text, words, input));
                // The text may read lines itself; then the next line is unknown.
                let is_input_untouched =
                    input.stream.is_none() || self.state.consumed.remaining_input(input).content == rest;
                if count + 1 >= MAX_LINES || !is_input_untouched {
                    return flow.concat_perhaps(self.walk_with_any_line(command, inner, context, text, input));
                }
            }
            self.leave_rest(input, StreamContent::empty());
            return flow;
        }
        flow.concat_perhaps(self.walk_with_any_line(command, inner, context, text, input))
    }

    /// Walks the text with an unknown index and an unknown line from the input.
    fn walk_with_any_line(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &WalkContext,
        text: &ShellValue,
        input: &Rc<InputStream>,
    ) -> Flow {
        self.leave_rest(input, StreamContent::Unknown);
        let mut words = ShellValue::text(" ");
        words.append(&ShellValue::number("1"));
        words.append(&ShellValue::text(" "));
        words.append(&ShellValue::line("MAPFILE", command.id, input).into_one_word());
        self.walk_with_line(command, inner, context, text, words, input)
    }

    /// Walks the text with the index and the line appended.
    fn walk_with_line(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &WalkContext,
        text: &ShellValue,
        mut words: ShellValue,
        input: &Rc<InputStream>,
    ) -> Flow {
        words.add_writers(&input.writers);
        let mut script = text.clone();
        // A wholly unknown text stays unknown when words are appended.
        if text.word.parts.iter().filter_map(WordPart::text).any(|text| !text.trim().is_empty()) {
            script.append(&words);
        }
        self.walk_nested_script(command, inner, &mut context.clone(), &script, None)
    }
}

impl CallbackLines<'_> {
    /// Returns the lines for which the text is evaluated, at most one more than [`MAX_LINES`]; `None` if an option
    /// makes them unknown.
    fn lines<'t>(&self, text: &'t str) -> Option<Vec<NumberedLine<'t>>> {
        if self.are_unknown {
            return None;
        }
        let every = self.every?.parse::<usize>().ok().filter(|every| *every > 0)?;
        let origin = self.origin.map_or(Some(0), |origin| origin.parse::<usize>().ok())?;
        let mut lines = Vec::new();
        let mut end = 0;
        for (at, line) in text.split_inclusive('\n').enumerate() {
            end += line.len();
            if (at + 1).is_multiple_of(every) && lines.len() <= MAX_LINES {
                lines.push(NumberedLine {
                    text: line,
                    index: origin.checked_add(at)?,
                    rest: text.get(end..).unwrap_or_default(),
                });
            }
        }
        Some(lines)
    }
}
