//! Lists, pipelines, branches and loops.

use std::rc::Rc;

use super::late::Name;
use super::opened::nameless;
use super::streams::{Ends, Flow};
use super::{Frame, Setting, add};
use crate::dialect::Feature;
use crate::expand;
use crate::parse::{Arm, Head, Item, Kind, Node, Raw, Wait};
use crate::state::{Binding, State};
use crate::stream::{Content, Input, Value, Writer};
use crate::word::{Cause, Directory, Unknown};

/// How many times the bodies of loops around a command are written out, one for each word they go over.
const COPIES: usize = 64;

/// How many words a loop goes over one by one.
const WORDS: usize = 16;

/// How many jumps out of a loop or function are followed one by one.
const JUMPS: usize = 64;

/// How often a body is gone through until what it changes is known to be unknown.
const PASSES: usize = 4;

impl Frame<'_> {
    pub(super) fn node(&mut self, node: &Node) -> Flow {
        if !self.interpreter.spend(4 + self.state.take_charges()) {
            return Flow::unknown();
        }
        if !self.interpreter.enter(1) {
            return self.too_deep("");
        }
        let flow = match &node.kind {
            Kind::Simple { assignments, words } => self.simple(assignments, words, &node.redirects),
            _ if node.redirects.is_empty() => self.kind(&node.kind),
            _ => self.redirected(node),
        };
        self.interpreter.leave(1);
        flow
    }

    /// Walks a compound command with redirections, which hold for all that is in it.
    fn redirected(&mut self, node: &Node) -> Flow {
        let redirection = self.redirects(&node.redirects);
        let stdin = self.stdin();
        let past = self.interpreter.past;
        let outside = self.enter(&redirection);
        let mut setting = self.setting.clone();
        Rc::make_mut(&mut setting.redirects).splice(0..0, redirection.placed(&self.state.cwd));
        setting.input = redirection.input.clone().unwrap_or(stdin);
        let before = self.interpreter.commands.len();
        let flow = self.within(&setting).kind(&node.kind);
        self.leave(&outside, &redirection);
        if self.interpreter.commands.len() == before {
            // Nothing in it is a command, and its files are opened nonetheless.
            let id = self.reserve();
            self.fill(id, Vec::new(), Vec::new(), &redirection);
        }
        self.sent(&redirection, flow, past)
    }

    fn kind(&mut self, kind: &Kind) -> Flow {
        match kind {
            Kind::Empty => Flow::nothing(),
            Kind::Simple { assignments, words } => self.simple(assignments, words, &[]),
            Kind::Pipeline(nodes) => self.pipeline(nodes),
            Kind::Chain(first, rest) => self.chain(first, rest),
            Kind::List(items) => self.list(items),
            Kind::Subshell(body) => self.subshell(body),
            Kind::Group(body) => self.node(body),
            Kind::If(arms, otherwise) => self.branches(arms, otherwise.as_deref()),
            Kind::While(condition, body) => self.repeated(|frame| {
                let flow = frame.node(condition);
                flow.then(frame.node(body))
            }),
            Kind::For { head, name, words, body } => self.over(*head, name, words.as_deref(), body),
            Kind::Count(header, body) => {
                expand::arithmetic(self, &header.text);
                for name in expand::assigned_by_arithmetic(&header.text) {
                    self.state.forget(&name);
                }
                self.repeated(|frame| frame.node(body))
            }
            Kind::Case(word, arms) => self.case(word, arms),
            Kind::Function(name, body) => {
                self.define(name, body);
                Flow::nothing()
            }
            Kind::Coproc(name, body) => {
                self.coproc(name, body);
                Flow::nothing()
            }
            Kind::Arithmetic(expression) => {
                expand::arithmetic(self, &expression.text);
                Flow::nothing()
            }
            Kind::Test(words) => {
                self.test(words);
                Flow::nothing()
            }
            Kind::Either(bodies) => self.either(bodies),
        }
    }

    fn list(&mut self, items: &[Item]) -> Flow {
        let mut flow = Flow::nothing();
        let mut is_sure = true;
        for item in items {
            let before = self.interpreter.commands.len();
            let next = match item.wait {
                Wait::Waited => self.node(&item.node),
                Wait::Background => self.background(&item.node),
            };
            flow = if is_sure { flow.then(next) } else { flow.then_perhaps(next) };
            is_sure &= !self.state.options.errexit || !self.may_end(&item.node, before);
        }
        flow
    }

    fn background(&mut self, node: &Node) -> Flow {
        let setting = Setting { in_background: true, ..self.setting.clone() };
        let mut state = self.state.clone();
        let flow = self.apart(&mut state, &setting).node(node);
        Flow { content: Content::Unknown, ends: Ends::Nothing, ..flow }
    }

    fn coproc(&mut self, name: &str, body: &Node) {
        let stream = self.interpreter.stream();
        let from = self.interpreter.late.mark(&Name::Stream(stream)).map(Writer::Late).into_iter().collect();
        let mut setting = Setting { in_background: true, ..self.setting.clone() };
        setting.input = Rc::new(Input { direct: Vec::new(), from, content: Content::Unknown });
        let mut state = self.state.clone();
        state.descriptors = state.descriptors.beyond_standard();
        state.descriptors.begin_output();
        let flow = self.apart(&mut state, &setting).node(body);
        let from = self.interpreter.with_passed(&flow.out);
        let output = Input { direct: flow.out, from, content: Content::Unknown };
        self.open_coproc(name, output, nameless(format!("coproc {name}"), stream));
    }

    fn subshell(&mut self, body: &Node) -> Flow {
        let mut state = self.state.clone();
        let setting = self.setting;
        self.apart(&mut state, setting).node(body).contained(Ends::Shell)
    }

    fn pipeline(&mut self, nodes: &[Node]) -> Flow {
        let mut flow = Flow::nothing();
        let mut past = Vec::new();
        let before = self.interpreter.past;
        for (at, node) in nodes.iter().enumerate() {
            let mut setting = self.setting.clone();
            if at > 0 {
                let from = self.interpreter.with_passed(&flow.out);
                setting.input = Rc::new(Input { direct: flow.out, from, content: flow.content });
            }
            let mut state = self.state.clone();
            if at > 0 {
                state.descriptors.put(0, None);
            }
            if at + 1 < nodes.len() {
                state.descriptors.begin_output();
            }
            flow = self.apart(&mut state, &setting).node(node).contained(Ends::Shell);
            if at > 0 && at + 1 == nodes.len() {
                self.behind_pipeline(state);
            }
            if self.state.descriptors.keeps_output() {
                // What is written to a copy of the output that was before goes past the pipe.
                add(&mut past, &flow.out);
            }
        }
        add(&mut flow.out, &past);
        if self.interpreter.past != before {
            flow.content = Content::Unknown;
        }
        flow
    }

    /// The last command of a pipeline may run in the shell itself: with `shopt -s lastpipe`, and in zsh. A variable that
    /// it sets is not known behind it, whatever the shell.
    fn behind_pipeline(&mut self, mut last: State) {
        self.state.join_variables(&last);
        let has_gone = last.cwd != self.state.cwd || !last.has_same_names(self.state);
        if has_gone && (self.state.options.lastpipe || self.state.reading.has(Feature::LastPipe)) {
            last.descriptors = self.state.descriptors.clone();
            self.state.join(&last);
        }
    }

    fn branches(&mut self, arms: &[(Node, Node)], otherwise: Option<&Node>) -> Flow {
        let mut flow: Option<Flow> = None;
        let mut reached: Option<State> = None;
        let mut conditions = Flow::nothing();
        let mut take = |way: Flow, state: &State| {
            if way.ends == Ends::Nothing {
                merge(&mut reached, state);
            }
            flow = Some(match flow.take() {
                Some(flow) => flow.or(way),
                None => way,
            });
        };
        for (condition, body) in arms {
            conditions = conditions.then(self.node(condition));
            let mut state = self.state.clone();
            let setting = self.setting;
            let way = self.apart(&mut state, setting).node(body);
            take(way, &state);
        }
        let way = otherwise.map_or_else(Flow::nothing, |node| self.node(node));
        take(way, self.state);
        if let Some(reached) = reached {
            *self.state = reached;
        }
        conditions.then(flow.unwrap_or_else(Flow::nothing))
    }

    fn either(&mut self, bodies: &[Rc<Node>]) -> Flow {
        let mut reached: Option<State> = None;
        let mut flow: Option<Flow> = None;
        for body in bodies {
            let mut state = self.state.clone();
            let setting = self.setting;
            let way = self.apart(&mut state, setting).node(body);
            merge(&mut reached, &state);
            flow = Some(match flow {
                Some(flow) => flow.or(way),
                None => way,
            });
        }
        if let Some(reached) = reached {
            *self.state = reached;
        }
        flow.unwrap_or_else(Flow::nothing)
    }

    /// Goes on behind a loop or a function, where the jumps that leave it go on too.
    pub(super) fn land(&mut self, outer: Vec<(Ends, State)>, unit: Ends) {
        for (ends, state) in std::mem::replace(&mut self.interpreter.jumps, outer) {
            let locals = self.state.locals.clone();
            self.state.join(&state);
            self.state.locals = locals;
            if ends > unit {
                self.interpreter.jumps.push((ends, state));
            }
        }
    }

    /// Notes where a jump leaves a loop or a function.
    pub(super) fn jump(&mut self, ends: Ends) {
        if self.interpreter.jumps.len() < JUMPS {
            self.interpreter.jumps.push((ends, self.state.clone()));
        } else if let Some((last, state)) = self.interpreter.jumps.last_mut() {
            *last = ends.max(*last);
            state.join(self.state);
        }
    }

    fn case(&mut self, word: &Raw, arms: &[Arm]) -> Flow {
        expand::word(self, &word.text);
        let mut reached: Option<State> = None;
        let mut flow: Option<Flow> = None;
        let mut is_complete = false;
        let mut falling: Option<State> = None;
        for arm in arms {
            for pattern in &arm.patterns {
                expand::word(self, &pattern.text);
                is_complete |= pattern.text == "*";
            }
            let mut state = self.state.clone();
            if let Some(before) = falling.take() {
                state.join(&before);
            }
            let setting = self.setting;
            let way = match &arm.body {
                Some(body) => self.apart(&mut state, setting).node(body),
                None => Flow::nothing(),
            };
            if way.ends == Ends::Nothing {
                merge(&mut reached, &state);
            }
            falling = arm.falls_through.then_some(state);
            flow = Some(match flow {
                Some(flow) => flow.or(way),
                None => way,
            });
        }
        if !is_complete {
            merge(&mut reached, self.state);
            flow = flow.map(|flow| flow.or(Flow::nothing()));
        }
        if let Some(reached) = reached {
            *self.state = reached;
        }
        flow.unwrap_or_else(Flow::nothing)
    }

    fn over(&mut self, head: Head, name: &str, words: Option<&[Raw]>, body: &Node) -> Flow {
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
        let is_listed = head == Head::For && !values.is_empty() && values.iter().all(is_known);
        let copies = self.setting.copies * values.len();
        if is_listed && values.len() <= WORDS && copies <= COPIES {
            let setting = Setting { in_loop: true, copies, ..self.setting.clone() };
            let outer = std::mem::take(&mut self.interpreter.jumps);
            let mut frame = self.within(&setting);
            let mut flow = Flow::nothing();
            for value in values {
                // What a glob becomes is any number of names.
                let next = if value.word.splits() {
                    frame.repeated(|frame| {
                        frame.state.set(name, Binding::One(value.clone()));
                        frame.node(body)
                    })
                } else {
                    frame.note_assigned(name, &value);
                    frame.state.set(name, Binding::One(value));
                    frame.node(body)
                };
                // Behind a jump another turn may write nothing.
                flow = flow.then(next);
            }
            self.land(outer, Ends::Loop);
            return flow.contained(Ends::Loop);
        }
        let mut from = Vec::new();
        values.iter().for_each(|value| super::add(&mut from, &value.from));
        let value = match values.as_slice() {
            // A single glob says more than that it is not known.
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

    /// Walks a body that runs any number of times, until what it changes from one time to the next is not known.
    fn repeated(&mut self, mut walk: impl FnMut(&mut Frame<'_>) -> Flow) -> Flow {
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
                return Flow { content: Content::Unknown, ends: Ends::Nothing, ..flow };
            }
            if pass == PASSES {
                let names: Vec<String> = self.state.variables.keys().cloned().collect();
                names.iter().for_each(|name| self.state.forget(name));
                self.state.cwd = Directory::Unknown(Unknown::new(Cause::Directory, "cd"));
            }
            pass += 1;
            self.interpreter.back_to(&mark);
        }
    }
}

/// Joins a way to the same point.
pub(super) fn merge(reached: &mut Option<State>, state: &State) {
    match reached {
        Some(reached) => reached.join(state),
        None => *reached = Some(state.clone()),
    }
}
