//! Lists, pipelines and branches.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use super::deferred_streams::Name;
use super::descriptors::nameless;
use super::streams::{Ends, Flow};
use super::{Frame, Setting, add};
use crate::dialect::Feature;
use crate::expand::{self, Shell};
use crate::parse::{Arm, Item, Kind, Node, Raw, Wait};
use crate::state::State;
use crate::stream::{Content, Input, Writer, Written};

/// How many jumps out of loops and functions are tracked individually.
const JUMPS: usize = 64;

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
        if !self.interpreter.traps.is_empty() {
            self.traps_so_far();
        }
        flow
    }

    /// Walks a compound command with redirections, which apply to everything in it.
    fn redirected(&mut self, node: &Node) -> Flow {
        let mut redirection = self.redirects(&node.redirects);
        redirection.share_files();
        let stdin = self.stdin();
        let doubts = self.interpreter.doubts;
        let outside = self.enter(&redirection);
        let mut setting = self.setting.clone();
        Rc::make_mut(&mut setting.redirects).splice(0..0, redirection.placed(&self.state.cwd));
        setting.input = redirection.input.clone().unwrap_or(stdin);
        let before = self.interpreter.commands.len();
        let flow = self.within(&setting).kind(&node.kind);
        self.leave(&outside, &redirection);
        if self.interpreter.commands.len() == before {
            // There is no command in it, but its files are opened all the same.
            let id = self.reserve();
            self.fill(id, Vec::new(), Vec::new(), &redirection);
        }
        self.sent(&redirection, flow, doubts)
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
            Kind::While(condition, body) => self.while_loop(condition, body),
            Kind::Until(condition, body) => self.until_loop(condition, body),
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
            is_sure &= !self.may_end_by_failure(&item.node, before);
        }
        flow
    }

    fn background(&mut self, node: &Node) -> Flow {
        let setting = Setting { in_background: true, ..self.setting.clone() };
        let mut state = self.state.clone();
        // Without job control, its standard input is empty.
        state.descriptors.files.may_be_stream(0);
        let before = Rc::clone(&self.interpreter.written);
        let flow = self.in_own_shell(&mut state, &setting, node);
        self.may_be_written(&before);
        self.state.taken.join(&state.taken);
        Flow { content: Content::Unknown, ends: Ends::Nothing, ..flow }
    }

    fn coproc(&mut self, name: &str, body: &Node) {
        let stream = self.interpreter.stream();
        let from = self.interpreter.late.mark(&Name::Stream(stream)).map(Writer::Late).into_iter().collect();
        let mut setting = Setting { in_background: true, ..self.setting.clone() };
        setting.input = Rc::new(Input { from, content: Content::Unknown, ..Input::default() });
        let mut state = self.state.clone();
        state.descriptors = state.descriptors.beyond_standard();
        state.descriptors.begin_output();
        [0, 1].into_iter().for_each(|number| state.descriptors.files.set_pipe(number));
        let flow = self.in_own_shell(&mut state, &setting, body);
        self.state.taken.join(&state.taken);
        let from = self.interpreter.with_passed(&flow.out);
        let output = Input { direct: flow.out, from, content: Content::Unknown, ..Input::default() };
        self.open_coproc(name, output, nameless(format!("coproc {name}"), stream));
    }

    fn subshell(&mut self, body: &Node) -> Flow {
        let mut state = self.state.clone();
        let flow = self.in_own_shell(&mut state, self.setting, body);
        self.state.taken = state.taken;
        flow.contained(Ends::Shell)
    }

    /// Walks a part of the text in a subshell, to its end; the parent shell goes on.
    fn in_own_shell(&mut self, state: &mut State, setting: &Setting, node: &Node) -> Flow {
        let doubts = self.interpreter.doubts;
        let flow = self.apart(state, setting).until_its_end(|frame| frame.node(node));
        self.outlived(flow, doubts)
    }

    fn pipeline(&mut self, nodes: &[Node]) -> Flow {
        let mut flow = Flow::nothing();
        let mut past = Vec::new();
        let before = self.interpreter.doubts;
        for (at, node) in nodes.iter().enumerate() {
            let mut setting = self.setting.clone();
            if at > 0 {
                let from = self.interpreter.with_passed(&flow.out);
                let stream = Some(self.open_stream());
                setting.input = Rc::new(Input { direct: flow.out, from, content: flow.content, stream });
            }
            let mut state = self.state.clone();
            if at > 0 {
                state.descriptors.put(0, None);
                state.descriptors.files.set_pipe(0);
            }
            if at + 1 < nodes.len() {
                state.descriptors.begin_output();
                state.descriptors.files.set_pipe(1);
            }
            flow = self.in_own_shell(&mut state, &setting, node).contained(Ends::Shell);
            self.state.taken.clone_from(&state.taken);
            if at > 0 && at + 1 == nodes.len() {
                self.behind_pipeline(state);
            }
            if self.state.descriptors.keeps_output() {
                // Output to a copy of the previous standard output bypasses the pipe.
                add(&mut past, &flow.out);
            }
        }
        add(&mut flow.out, &past);
        if self.interpreter.doubts.past != before.past {
            flow.content = Content::Unknown;
        }
        flow
    }

    /// The last command of a pipeline may run in the shell itself: with `shopt -s lastpipe`, and in zsh. In any shell,
    /// the variables that it sets are unknown afterwards.
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
        let mut files = WrittenByWays::default();
        for (condition, body) in arms {
            conditions = conditions.then(self.node(condition));
            let mut state = self.state.clone();
            let setting = self.setting;
            let start = Rc::clone(&self.interpreter.written);
            let way = self.apart(&mut state, setting).node(body);
            take(way, &state);
            files.end_way(self, start);
        }
        let way = otherwise.map_or_else(Flow::nothing, |node| self.node(node));
        take(way, self.state);
        files.join_into(self);
        if let Some(reached) = reached {
            *self.state = reached;
        }
        conditions.then(flow.unwrap_or_else(Flow::nothing))
    }

    fn either(&mut self, bodies: &[Rc<Node>]) -> Flow {
        let mut reached: Option<State> = None;
        let mut flow: Option<Flow> = None;
        let mut files = WrittenByWays::default();
        for body in bodies {
            let mut state = self.state.clone();
            let setting = self.setting;
            let start = Rc::clone(&self.interpreter.written);
            let way = self.apart(&mut state, setting).node(body);
            files.end_way(self, start);
            merge(&mut reached, &state);
            flow = Some(match flow {
                Some(flow) => flow.or(way),
                None => way,
            });
        }
        files.join_into(self);
        if let Some(reached) = reached {
            *self.state = reached;
        }
        flow.unwrap_or_else(Flow::nothing)
    }

    /// Continues after a loop or a function: joins the states of the jumps that leave it, and keeps those that go
    /// further.
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

    /// Records the state at a jump out of a loop or a function.
    pub(super) fn jump(&mut self, ends: Ends) {
        if self.interpreter.jumps.len() < JUMPS {
            self.interpreter.jumps.push((ends, self.state.clone()));
        } else if let Some((last, state)) = self.interpreter.jumps.last_mut() {
            *last = ends.max(*last);
            state.join(self.state);
        }
    }

    fn case(&mut self, word: &Raw, arms: &[Arm]) -> Flow {
        let subject = expand::word(self, &word.text);
        let mut reached: Option<State> = None;
        let mut flow: Option<Flow> = None;
        let mut is_complete = false;
        let mut falling: Option<State> = None;
        let mut files = WrittenByWays::default();
        for arm in arms {
            for pattern in &arm.patterns {
                expand::word(self, &pattern.text);
                self.tests(&pattern.text, &subject);
                is_complete |= pattern.text == "*";
            }
            let mut state = self.state.clone();
            if let Some(before) = falling.take() {
                state.join(&before);
            }
            let setting = self.setting;
            let start = Rc::clone(&self.interpreter.written);
            let way = match &arm.body {
                Some(body) => self.apart(&mut state, setting).node(body),
                None => Flow::nothing(),
            };
            if way.ends == Ends::Nothing {
                merge(&mut reached, &state);
            }
            match arm.falls_through {
                true => self.may_be_written(&start),
                false => files.end_way(self, start),
            }
            falling = arm.falls_through.then_some(state);
            flow = Some(match flow {
                Some(flow) => flow.or(way),
                None => way,
            });
        }
        files.join_into(self);
        if !is_complete {
            merge(&mut reached, self.state);
            flow = flow.map(|flow| flow.or(Flow::nothing()));
        }
        if let Some(reached) = reached {
            *self.state = reached;
        }
        flow.unwrap_or_else(Flow::nothing)
    }
}

/// The files written on different paths to the same point.
#[derive(Default)]
struct WrittenByWays(Vec<Rc<BTreeMap<PathBuf, Written>>>);

impl WrittenByWays {
    /// Ends a path: records its files, and goes back to those at its start.
    fn end_way(&mut self, frame: &mut Frame<'_>, start: Rc<BTreeMap<PathBuf, Written>>) {
        self.0.push(std::mem::replace(&mut frame.interpreter.written, start));
    }

    /// Joins all paths into the last one.
    fn join_into(self, frame: &mut Frame<'_>) {
        self.0.iter().for_each(|written| frame.may_be_written(written));
    }
}

/// Joins another path to the same point.
pub(super) fn merge(reached: &mut Option<State>, state: &State) {
    match reached {
        Some(reached) => reached.join(state),
        None => *reached = Some(state.clone()),
    }
}
