//! Loops: the body is walked for each known word or line, or until everything that it changes is unknown.

use super::read_builtins::NextLine;
use super::streams::{Ends, Flow};
use super::{Frame, Setting, add};
use crate::expand;
use crate::parse::{Head, Kind, Node, Raw};
use crate::state::Binding;
use crate::stream::{Content, Value};
use crate::word::{Cause, Directory, Unknown};

/// How many copies of a command its enclosing loops may record, one per word or line.
const COPIES: usize = 64;

/// How many words or lines a loop goes through individually.
const WORDS: usize = 16;

/// How many passes over a body are made before all that it may change becomes unknown.
const PASSES: usize = 4;

impl Frame<'_> {
    /// `for`, `select`
    pub(super) fn over(&mut self, head: Head, name: &str, words: Option<&[Raw]>, body: &Node) -> Flow {
        let all = [Raw { text: "\"$@\"".to_owned(), span: 0..0 }];
        let mut values = Vec::new();
        for raw in words.unwrap_or(&all) {
            expand::words(self, raw, &mut values);
        }
        for value in &mut values {
            value.word.span = None;
        }
        if head == Head::Select {
            self.state.forget("REPLY");
        }
        let is_known = |value: &Value| !value.word.splits() || value.word.as_matched().is_some();
        let is_all = head == Head::For || self.interpreter.watch.is_some();
        let is_listed = is_all && !values.is_empty() && values.iter().all(is_known);
        let copies = self.setting.copies * values.len();
        if is_listed && values.len() <= WORDS && copies <= COPIES {
            return self.over_each(name, values, copies, body);
        }
        let mut from = Vec::new();
        values.iter().for_each(|value| add(&mut from, &value.from));
        let value = match values.as_slice() {
            // A single glob is better than an unknown value.
            [value] if head == Head::For => value.clone().whole(),
            _ => Value { from, ..Value::variable(name) },
        };
        self.repeated(|frame| {
            frame.state.set(name, Binding::One(value.clone()));
            if head == Head::Select {
                frame.state.forget("REPLY");
            }
            frame.node(body)
        })
    }

    /// Walks the body of a loop for each value.
    fn over_each(&mut self, name: &str, values: Vec<Value>, copies: usize, body: &Node) -> Flow {
        let setting = Setting { in_loop: true, copies, ..self.setting.clone() };
        let outer = std::mem::take(&mut self.interpreter.jumps);
        let mut frame = self.within(&setting);
        let mut flow = Flow::nothing();
        for value in values {
            // A glob expands to any number of names.
            let next = if value.word.splits() {
                frame.repeated(|frame| {
                    frame.state.give(name, value.clone());
                    frame.node(body)
                })
            } else {
                frame.note_assigned(name, &value);
                frame.state.give(name, value);
                frame.node(body)
            };
            // After a jump, another iteration may write nothing.
            flow = flow.then(next);
        }
        self.land(outer, Ends::Loop);
        flow.contained(Ends::Loop)
    }

    /// `while`: goes through the lines of a known text individually, if the condition is a `read`.
    pub(super) fn while_loop(&mut self, condition: &Node, body: &Node) -> Flow {
        let Some(words) = plain_read(condition) else { return self.until_loop(condition, body) };
        let input = self.stdin();
        let count = match &input.content {
            Content::Known(value) => value.word.known().map(|text| text.matches('\n').count()),
            _ => None,
        };
        let copies = self.setting.copies * count.unwrap_or_default().max(1);
        if count.is_none_or(|count| count > WORDS) || copies > COPIES {
            return self.until_loop(condition, body);
        }
        let setting = Setting { in_loop: true, copies, ..self.setting.clone() };
        let outer = std::mem::take(&mut self.interpreter.jumps);
        let mut flow = Flow::nothing();
        let mut turns = 0;
        let mut frame = self.within(&setting);
        loop {
            let Some(next) = frame.next_line(&words, &input).filter(|_| turns <= WORDS) else {
                // Something else has read from it.
                let rest = frame.until_loop(condition, body);
                flow = flow.then(rest);
                break;
            };
            let read = frame.node(condition);
            flow = flow.then(read);
            if next == NextLine::Missing {
                break;
            }
            let turn = frame.node(body);
            flow = flow.then(turn);
            turns += 1;
        }
        self.land(outer, Ends::Loop);
        flow.contained(Ends::Loop)
    }

    /// A loop whose body runs any number of times after its condition.
    pub(super) fn until_loop(&mut self, condition: &Node, body: &Node) -> Flow {
        self.repeated(|frame| {
            let flow = frame.node(condition);
            flow.then(frame.node(body))
        })
    }

    /// Walks a body that runs any number of times, until everything that changes between iterations is unknown.
    pub(super) fn repeated(&mut self, mut walk: impl FnMut(&mut Frame<'_>) -> Flow) -> Flow {
        let setting = Setting { in_loop: true, ..self.setting.clone() };
        let mark = self.interpreter.checkpoint();
        let mut pass = 1;
        loop {
            let start = self.state.clone();
            let outer = std::mem::take(&mut self.interpreter.jumps);
            let flow = walk(&mut self.within(&setting)).contained(Ends::Loop);
            self.land(outer, Ends::Loop);
            let mut joined = start.clone();
            joined.join(self.state);
            let is_stable = start.covers(&joined);
            *self.state = joined;
            if is_stable || pass > PASSES || self.interpreter.steps == 0 {
                // The body may not run at all.
                self.may_be_written(&mark.written);
                return Flow { content: Content::Unknown, ends: Ends::Nothing, ..flow };
            }
            if pass == PASSES {
                self.state.forget_variables();
                self.state.cwd = Directory::Unknown(Unknown::new(Cause::Directory, "cd"));
            }
            pass += 1;
            self.interpreter.back_to(&mark);
        }
    }
}

/// Returns the arguments of a condition that is just a `read` of standard input.
fn plain_read(condition: &Node) -> Option<Vec<&str>> {
    let Kind::Simple { words, .. } = &unwrapped(condition).kind else { return None };
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let (name, words) = words.split_first()?;
    let is_plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (*name == "read" && condition.redirects.is_empty() && words.iter().all(is_plain)).then(|| words.to_vec())
}

/// Unwraps lists with a single command.
fn unwrapped(node: &Node) -> &Node {
    match &node.kind {
        Kind::List(items) if node.redirects.is_empty() => match items.as_slice() {
            [one] => unwrapped(&one.node),
            _ => node,
        },
        _ => node,
    }
}
