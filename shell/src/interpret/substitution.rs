//! Substitutions: the shell interface that expansion uses, and the results of `$(…)`, `<(…)` and `>(…)`.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::deferred_streams::StreamName;
use super::flow::Flow;
use super::{Frame, Interpreter, SUBSTITUTION_COST, SpanTracking, WalkContext, WalkedLines, excerpt};
use crate::analysis::SimpleCommand;
use crate::dialect::DialectFeature;
use crate::evaluated::{EvaluatorKind, MarkTracker};
use crate::expand::{self, ExpansionContext, ProcessDirection, SubstitutionDelimiters};
use crate::files;
use crate::parse::{parse, parse_substituted};
use crate::prints;
use crate::stand_ins::StandInMeaning;
use crate::state::{OutputCapture, ShellState};
use crate::stream::{CommandId, InputStream, ShellValue, StreamContent, Writer, insert_ids};
use crate::word::{Cause, PrintedValue, Unknown, ValueSource, Word, WordPart};

/// The number of entries of a map that are copied in one step of the work budget.
const ENTRIES_COPIED_PER_STEP: usize = 4;

impl Frame<'_> {
    /// Walks the script of a substitution in a subshell. Returns its output, and the command that prints all of it if
    /// there is exactly one. `input` is the standard input of the script in a `>(…)`.
    fn run_substitution(
        &mut self,
        script: &str,
        delimiters: SubstitutionDelimiters,
        input: Option<Rc<InputStream>>,
    ) -> (Flow, Option<CommandId>) {
        let mut context =
            WalkContext { in_substitution: true, span_tracking: SpanTracking::Dropped, ..self.context.clone() };
        let has_input = input.is_some();
        if let Some(input) = input {
            context.input = input;
        }
        self.interpreter.spend(SUBSTITUTION_COST + context.via.len() + context.redirects.len());
        let mut state = self.state.clone();
        state.capture = OutputCapture::Output;
        state.descriptors.begin_output();
        state.descriptors.files.set_pipe(1);
        if has_input {
            state.descriptors.restore(0, None);
            state.descriptors.files.set_pipe(0);
        }
        if state.options.errexit
            && !state.options.inherit_errexit
            && !self.state.reading.has(DialectFeature::ErrexitInSubstitutions)
        {
            state.options.errexit = false;
        }
        let read = if delimiters == SubstitutionDelimiters::Backticks { parse } else { parse_substituted };
        let doubts = self.interpreter.doubts;
        let mut printer = None;
        let flow = self.with_state(&mut state, &context).walk_to_end(|frame| {
            let WalkedLines { flow, prints, .. } = frame.walk_parsed(read, script);
            printer = prints;
            flow
        });
        self.state.consumed = state.consumed;
        let may_have_exited = self.interpreter.doubts.possible_exits != doubts.possible_exits;
        self.interpreter.doubts.possible_exits = doubts.possible_exits;
        match self.interpreter.doubts.misdirected_outputs == doubts.misdirected_outputs && !may_have_exited {
            true => (flow, printer),
            false => (Flow { content: StreamContent::Unknown, ..flow }, None),
        }
    }

    /// Whether the output of a text, whose commands are those from the given one on, is that of the first command, or
    /// some of its lines: `ls | sort | head -1`.
    pub(super) fn prints_lines_of(&self, first: CommandId, printing: &[CommandId]) -> bool {
        let commands = self.interpreter.commands.get(first.0 + 1..).unwrap_or_default();
        let filters = self.interpreter.line_filters_behind(first);
        let is_alone = !commands.iter().any(|command| command.piped_from.contains(&first));
        match is_alone {
            true => printing == [first],
            false => filters.len() == commands.len() && printing == [CommandId(first.0 + filters.len())],
        }
    }
}

impl Interpreter {
    /// Returns the commands directly behind a command in its pipe, each of which only passes on lines of its input.
    fn line_filters_behind(&self, first: CommandId) -> &[SimpleCommand] {
        let commands = self.commands.get(first.0 + 1..).unwrap_or_default();
        let is_filter = |(at, command): (usize, &SimpleCommand)| {
            command.piped_from == [CommandId(first.0 + at)] && !command.is_shadowed && files::is_line_filter(command)
        };
        let count = commands.iter().enumerate().take_while(|(at, command)| is_filter((*at, command))).count();
        commands.get(..count).unwrap_or_default()
    }
}

/// Returns the path of a program in a directory that is unknown for this reason.
fn located_program(directory: Unknown, name: &str) -> ShellValue {
    let mut word = Word::unknown(directory);
    word.push(WordPart::Text(format!("/{name}")));
    ShellValue { word, writers: Vec::new() }
}

impl ExpansionContext for Frame<'_> {
    fn state(&mut self) -> &mut ShellState {
        self.state
    }

    fn output(&mut self, script: &str, bounds: SubstitutionDelimiters, word: &str) -> ShellValue {
        let (flow, printer) = self.run_substitution(script, bounds, None);
        let from = self.interpreter.with_passed_writers(&flow.out);
        let mut value = match flow.content {
            StreamContent::Known(value) => value.without_nul().without_newlines(),
            _ => {
                let output = printer.and_then(|id| {
                    let output = prints::output(self.interpreter.commands.get(id.0)?)?;
                    Some(output.filtered(self.interpreter.line_filters_behind(id).iter().map(|filter| &*filter.words)))
                });
                let program = match output.as_ref().and_then(|output| output.prints.as_ref()) {
                    // For a function, its name alone is printed.
                    Some(PrintedValue::Program(name)) if !self.state.functions.contains_key(&**name) => {
                        Some(Arc::clone(name))
                    }
                    _ => None,
                };
                let source = output.map_or(ValueSource::Any, |output| ValueSource::Output(Arc::new(output)));
                let why = Unknown::with_source(Cause::Output, word, source);
                match program {
                    Some(name) => located_program(why, &name),
                    None => ShellValue::from_unknown(why),
                }
            }
        };
        value.add_writers(&from);
        value
    }

    fn process(&mut self, script: &str, way: ProcessDirection, word: &str) -> ShellValue {
        let stream = self.open_stream();
        if way == ProcessDirection::In {
            // `>(…)`: the script reads what the command of this word writes, and what that passes on from its own
            // input.
            let direct: Vec<CommandId> = self.interpreter.expanding.into_iter().collect();
            let mut writers: Vec<Writer> = direct.iter().copied().map(Writer::Command).collect();
            insert_ids(&mut writers, &self.stdin().writers);
            // Later commands may write to the stream, too. A mark represents them until the end of the walk.
            let later = self.interpreter.deferred.mark_for(&StreamName::Stream(stream));
            insert_ids(&mut writers, later.map(Writer::Deferred).as_slice());
            let input = InputStream { direct, writers, content: StreamContent::Unknown, ..InputStream::default() };
            self.run_substitution(script, SubstitutionDelimiters::Parentheses, Some(Rc::new(input)));
        } else {
            // `<(…)`: the output of the script waits for the command that reads the stream.
            let (flow, _) = self.run_substitution(script, SubstitutionDelimiters::Parentheses, None);
            let writers = self.interpreter.with_passed_writers(&flow.out);
            let input = InputStream { direct: flow.out, writers, content: flow.content, stream: Some(stream) };
            // A checkpoint may share the map, which is then copied.
            self.interpreter.spend(self.interpreter.processes.len() / ENTRIES_COPIED_PER_STEP);
            Rc::make_mut(&mut self.interpreter.processes).insert(stream, input);
        }
        ShellValue::from_unknown(Unknown::with_source(Cause::Output, word, ValueSource::Stream(stream)))
    }

    fn prompt(&mut self, value: &ShellValue) {
        if let Some(id) = self.interpreter.expanding {
            self.add_code_writers(id, &value.writers);
        }
        match value.word.known_text() {
            Some(text) => expand::reexpand(self, text),
            None => self.add_opaque(Cause::Variable, value.word.display_text(), None),
        }
    }

    fn note_evaluation(&mut self, how: EvaluatorKind, value: &ShellValue) {
        if let Some(watch) = &mut self.interpreter.watch {
            watch.note(how, value, &self.context.via);
        }
    }

    fn note_evaluated_expression(&mut self, text: &str) {
        if self.interpreter.watch.is_some() {
            self.note_evaluation(EvaluatorKind::Expression, &ShellValue::text(text));
        }
    }

    fn note_comparison(&mut self, pattern: &str, value: &ShellValue) {
        if self.interpreter.watch.is_some() {
            self.note_evaluation(EvaluatorKind::Test(pattern.to_owned()), value);
        }
    }

    fn evaluation_count(&self) -> usize {
        self.interpreter.watch.as_ref().map_or(0, MarkTracker::len)
    }

    fn drop_keys(&mut self, array: &str, from: usize) {
        if let Some(watch) = &mut self.interpreter.watch {
            watch.drop_keys(array, from);
        }
    }

    fn stand_in_meaning(&self, c: char) -> Option<StandInMeaning> {
        self.interpreter.stand_ins.meaning(c).cloned()
    }

    fn source(&mut self, text: &str) -> Option<String> {
        let source = self.interpreter.stand_ins.source(text).map(Cow::into_owned);
        if source.is_none() {
            self.add_opaque(Cause::TooLong, excerpt(text), None);
        }
        source
    }

    fn note_other_dialect(&mut self, why: Unknown, code: Option<&str>) {
        // The code may call a function of the text.
        let calls = |code: &&str| !self.state.functions.keys().any(|name| code.contains(name.as_str()));
        let code = code.filter(calls).map(str::to_owned);
        self.add_opaque(why.cause, excerpt(&why.word), code);
    }

    fn note_possible_exit(&mut self) {
        self.interpreter.doubts.possible_exits += 1;
    }

    fn spend(&mut self, steps: usize) -> bool {
        self.interpreter.spend(steps + self.state.take_charges())
    }

    fn enter(&mut self) -> bool {
        self.interpreter.enter(1)
    }

    fn note_too_deep(&mut self, text: &str) {
        self.too_deep_flow(text);
    }

    fn leave(&mut self) {
        self.interpreter.leave(1);
    }
}
