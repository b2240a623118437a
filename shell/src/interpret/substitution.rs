//! Substitutions: the shell interface that expansion uses, and the results of `$(…)`, `<(…)` and `>(…)`.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::deferred_streams::Name;
use super::streams::Flow;
use super::{Frame, Places, SUBSTITUTION, Setting, WalkedLines, shortened};
use crate::dialect::Feature;
use crate::evaluated::{Evaluates, Watch};
use crate::expand::{self, Bounds, Flows, Shell};
use crate::parse::{parse, parse_substituted};
use crate::prints;
use crate::stand_ins::Meant;
use crate::state::{Capture, State};
use crate::stream::{CommandId, Content, Input, Value, Writer, add};
use crate::word::{Cause, Source, Unknown};

impl Frame<'_> {
    /// Runs the script of a substitution in a subshell.
    fn substituted(&mut self, script: &str, bounds: Bounds, input: Option<Rc<Input>>) -> (Flow, Option<CommandId>) {
        let mut setting = Setting { in_substitution: true, places: Places::Dropped, ..self.setting.clone() };
        let has_input = input.is_some();
        if let Some(input) = input {
            setting.input = input;
        }
        self.interpreter.spend(SUBSTITUTION + setting.via.len() + setting.redirects.len());
        let mut state = self.state.clone();
        state.capture = Capture::Output;
        state.descriptors.begin_output();
        state.descriptors.files.set_pipe(1);
        if has_input {
            state.descriptors.put(0, None);
            state.descriptors.files.set_pipe(0);
        }
        if state.options.errexit
            && !state.options.inherit_errexit
            && !self.state.reading.has(Feature::ErrexitInSubstitutions)
        {
            state.options.errexit = false;
        }
        let read = if bounds == Bounds::Backticks { parse } else { parse_substituted };
        let before = self.interpreter.doubts;
        let mut printer = None;
        let flow = self.apart(&mut state, &setting).until_its_end(|frame| {
            let WalkedLines { flow, prints, .. } = frame.read_by(read, script);
            printer = prints;
            flow
        });
        self.state.taken = state.taken;
        let has_ended = self.interpreter.doubts.ends != before.ends;
        self.interpreter.doubts.ends = before.ends;
        match self.interpreter.doubts.past == before.past && !has_ended {
            true => (flow, printer),
            false => (Flow { content: Content::Unknown, ..flow }, None),
        }
    }
}

impl Shell for Frame<'_> {
    fn state(&mut self) -> &mut State {
        self.state
    }

    fn output(&mut self, script: &str, bounds: Bounds, word: &str) -> Value {
        let (flow, printer) = self.substituted(script, bounds, None);
        let from = self.interpreter.with_passed(&flow.out);
        let mut value = match flow.content {
            Content::Known(value) => value.without_newlines(),
            _ => {
                let output = printer.and_then(|id| prints::output(self.interpreter.commands.get(id.0)?));
                let source = output.map_or(Source::Any, |output| Source::Output(Arc::new(output)));
                Value::of_unknown(Unknown::of(Cause::Output, word, source))
            }
        };
        value.joins(&from);
        value
    }

    fn process(&mut self, script: &str, way: Flows, word: &str) -> Value {
        let stream = self.open_stream();
        if way == Flows::In {
            let direct: Vec<CommandId> = self.interpreter.making.into_iter().collect();
            let mut from: Vec<Writer> = direct.iter().copied().map(Writer::Command).collect();
            add(&mut from, &self.stdin().from);
            add(&mut from, self.interpreter.late.mark(&Name::Stream(stream)).map(Writer::Late).as_slice());
            let input = Input { direct, from, content: Content::Unknown, ..Input::default() };
            self.substituted(script, Bounds::Parentheses, Some(Rc::new(input)));
        } else {
            let (flow, _) = self.substituted(script, Bounds::Parentheses, None);
            let from = self.interpreter.with_passed(&flow.out);
            let input = Input { direct: flow.out, from, content: flow.content, stream: Some(stream) };
            self.interpreter.spend(self.interpreter.processes.len() / 4);
            Rc::make_mut(&mut self.interpreter.processes).insert(stream, input);
        }
        Value::of_unknown(Unknown::of(Cause::Output, word, Source::Stream(stream)))
    }

    fn prompt(&mut self, value: &Value) {
        if let Some(id) = self.interpreter.making {
            self.code_from(id, &value.from);
        }
        match value.word.known() {
            Some(text) => expand::again(self, text),
            None => self.opaque(Cause::Variable, value.word.shown(), None),
        }
    }

    fn evaluates(&mut self, how: Evaluates, value: &Value) {
        if let Some(watch) = &mut self.interpreter.watch {
            watch.note(how, value, &self.setting.via);
        }
    }

    fn evaluates_text(&mut self, text: &str) {
        if self.interpreter.watch.is_some() {
            self.evaluates(Evaluates::Expression, &Value::text(text));
        }
    }

    fn tests(&mut self, pattern: &str, value: &Value) {
        if self.interpreter.watch.is_some() {
            self.evaluates(Evaluates::Test(pattern.to_owned()), value);
        }
    }

    fn evaluations(&self) -> usize {
        self.interpreter.watch.as_ref().map_or(0, Watch::len)
    }

    fn drop_keys(&mut self, array: &str, from: usize) {
        if let Some(watch) = &mut self.interpreter.watch {
            watch.drop_keys(array, from);
        }
    }

    fn meant(&self, c: char) -> Option<Meant> {
        self.interpreter.stand_ins.meant(c).cloned()
    }

    fn source(&mut self, text: &str) -> Option<String> {
        let source = self.interpreter.stand_ins.source(text).map(Cow::into_owned);
        if source.is_none() {
            self.opaque(Cause::Long, shortened(text), None);
        }
        source
    }

    fn elsewhere(&mut self, why: Unknown, code: Option<&str>) {
        // The code may call a function of the text.
        let calls = |code: &&str| !self.state.functions.keys().any(|name| code.contains(name.as_str()));
        let code = code.filter(calls).map(str::to_owned);
        self.opaque(why.cause, shortened(&why.word), code);
    }

    fn may_end(&mut self) {
        self.interpreter.doubts.ends += 1;
    }

    fn spend(&mut self, steps: usize) -> bool {
        self.interpreter.spend(steps + self.state.take_charges())
    }

    fn enter(&mut self) -> bool {
        self.interpreter.enter(1)
    }

    fn deep(&mut self, text: &str) {
        self.too_deep(text);
    }

    fn leave(&mut self) {
        self.interpreter.leave(1);
    }
}
