//! Compound commands: lists, pipelines, subshells, branches.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use super::deferred_streams::StreamName;
use super::descriptors::stream_word;
use super::flow::{Flow, Jump};
use super::{Frame, WalkContext, insert_ids};
use crate::dialect::DialectFeature;
use crate::expand::{self, ExpansionContext};
use crate::parse::{CaseArm, CommandKind, CommandNode, ItemMode, ListItem, RawText};
use crate::state::ShellState;
use crate::stream::{InputStream, StreamContent, Writer, WrittenFile};

/// How many jumps out of loops and functions are recorded individually; later ones are joined into the last.
const JUMPS: usize = 64;

impl Frame<'_> {
    /// Walks a command of any kind. Returns an unknown flow if the work budget is spent or the nesting is too deep.
    pub(super) fn walk_node(&mut self, node: &CommandNode) -> Flow {
        if !self.interpreter.spend(4 + self.state.take_charges()) {
            return Flow::unknown();
        }
        if !self.interpreter.enter(1) {
            return self.too_deep_flow("");
        }
        let flow = match &node.kind {
            CommandKind::Simple { assignments, words } => self.walk_simple(assignments, words, &node.redirects),
            _ if node.redirects.is_empty() => self.walk_kind(&node.kind),
            _ => self.walk_redirected(node),
        };
        self.interpreter.leave(1);
        if !self.interpreter.traps.is_empty() {
            self.traps_so_far();
        }
        flow
    }

    /// Walks a compound command with redirections, which apply to everything in it.
    fn walk_redirected(&mut self, node: &CommandNode) -> Flow {
        let mut redirection = self.redirects(&node.redirects);
        redirection.share_files();
        let stdin = self.stdin();
        let doubts = self.interpreter.doubts;
        let outside = self.enter_body(&redirection);
        let mut setting = self.context.clone();
        Rc::make_mut(&mut setting.redirects).splice(0..0, redirection.with_directory(&self.state.cwd));
        setting.input = redirection.input.clone().unwrap_or(stdin);
        let before = self.interpreter.commands.len();
        let flow = self.with_context(&setting).walk_kind(&node.kind);
        self.leave_body(&outside, &redirection);
        if self.interpreter.commands.len() == before {
            // No command in it carries the redirections, but its files are opened: record a command without words.
            let id = self.reserve();
            self.fill_record(id, Vec::new(), Vec::new(), &redirection);
        }
        self.send_output(&redirection, flow, doubts)
    }

    /// Walks a command without its own redirections.
    fn walk_kind(&mut self, kind: &CommandKind) -> Flow {
        match kind {
            CommandKind::Empty => Flow::empty(),
            CommandKind::Simple { assignments, words } => self.walk_simple(assignments, words, &[]),
            CommandKind::Pipeline(nodes) => self.pipeline(nodes),
            CommandKind::Chain(first, rest) => self.chain(first, rest),
            CommandKind::List(items) => self.list(items),
            CommandKind::Subshell(body) => self.subshell(body),
            CommandKind::Group(body) => self.walk_node(body),
            CommandKind::If(arms, otherwise) => self.branches(arms, otherwise.as_deref()),
            CommandKind::While(condition, body) => self.while_loop(condition, body),
            CommandKind::Until(condition, body) => self.until_loop(condition, body),
            CommandKind::For { head, name, words, body } => self.for_loop(*head, name, words.as_deref(), body),
            CommandKind::Count(header, body) => {
                expand::arithmetic(self, &header.text);
                for name in expand::assigned_by_arithmetic(&header.text) {
                    self.state.forget(&name);
                }
                self.walk_repeated(|frame| frame.walk_node(body))
            }
            CommandKind::Case(word, arms) => self.case(word, arms),
            CommandKind::Function(name, body) => {
                self.define(name, body);
                Flow::empty()
            }
            CommandKind::Coproc(name, body) => {
                self.coproc(name, body);
                Flow::empty()
            }
            CommandKind::Arithmetic(expression) => {
                expand::arithmetic(self, &expression.text);
                Flow::empty()
            }
            CommandKind::Test(words) => {
                self.expand_test(words);
                Flow::empty()
            }
            CommandKind::AnyOf(bodies) => self.walk_either(bodies),
        }
    }

    /// Walks commands separated by `;`, `&` or newlines, in order.
    fn list(&mut self, items: &[ListItem]) -> Flow {
        let mut flow = Flow::empty();
        let mut is_sure = true;
        for item in items {
            let before = self.interpreter.commands.len();
            let next = match item.wait {
                ItemMode::Foreground => self.walk_node(&item.node),
                ItemMode::Background => self.background(&item.node),
            };
            flow = if is_sure { flow.concat(next) } else { flow.concat_perhaps(next) };
            is_sure &= !self.may_end_by_failure(&item.node, before);
        }
        flow
    }

    /// Walks `command &`: in a subshell whose output may be written at any time.
    fn background(&mut self, node: &CommandNode) -> Flow {
        let setting = WalkContext { in_background: true, ..self.context.clone() };
        let mut state = self.state.clone();
        // Without job control, its standard input is empty.
        state.descriptors.files.may_be_stream(0);
        let before = Rc::clone(&self.interpreter.written);
        let flow = self.walk_subshell(&mut state, &setting, node);
        self.may_be_written(&before);
        self.state.consumed.join(&state.consumed);
        Flow { content: StreamContent::Unknown, jump: Jump::Nothing, ..flow }
    }

    /// Walks `coproc NAME command`. The input of the body is written by commands that come later in the text.
    fn coproc(&mut self, name: &str, body: &CommandNode) {
        let stream = self.interpreter.stream();
        let from =
            self.interpreter.deferred.mark_for(&StreamName::Stream(stream)).map(Writer::Deferred).into_iter().collect();
        let mut setting = WalkContext { in_background: true, ..self.context.clone() };
        setting.input =
            Rc::new(InputStream { writers: from, content: StreamContent::Unknown, ..InputStream::default() });
        let mut state = self.state.clone();
        state.descriptors = state.descriptors.without_standard();
        state.descriptors.begin_output();
        [0, 1].into_iter().for_each(|number| state.descriptors.files.set_pipe(number));
        let flow = self.walk_subshell(&mut state, &setting, body);
        self.state.consumed.join(&state.consumed);
        let from = self.interpreter.with_passed_writers(&flow.out);
        let output =
            InputStream { direct: flow.out, writers: from, content: StreamContent::Unknown, ..InputStream::default() };
        self.open_coproc(name, output, stream_word(format!("coproc {name}"), stream));
    }

    /// Walks `( … )`: changes of the state stay inside, except for what is consumed from shared streams.
    fn subshell(&mut self, body: &CommandNode) -> Flow {
        let mut state = self.state.clone();
        let flow = self.walk_subshell(&mut state, self.context, body);
        self.state.consumed = state.consumed;
        flow.stop_jump(Jump::Shell)
    }

    /// Walks a command in a subshell to its end, including the subshell's traps. An `exit` in it does not end the
    /// parent shell.
    fn walk_subshell(&mut self, state: &mut ShellState, setting: &WalkContext, node: &CommandNode) -> Flow {
        let doubts = self.interpreter.doubts;
        let flow = self.with_state(state, setting).walk_to_end(|frame| frame.walk_node(node));
        self.after_subshell(flow, doubts)
    }

    /// Walks `a | b | c`: each part in a subshell, whose input is the output of the part before it.
    fn pipeline(&mut self, nodes: &[CommandNode]) -> Flow {
        let mut flow = Flow::empty();
        let mut past = Vec::new();
        let before = self.interpreter.doubts;
        for (at, node) in nodes.iter().enumerate() {
            let mut setting = self.context.clone();
            if at > 0 {
                let from = self.interpreter.with_passed_writers(&flow.out);
                let stream = Some(self.open_stream());
                setting.input = Rc::new(InputStream { direct: flow.out, writers: from, content: flow.content, stream });
            }
            let mut state = self.state.clone();
            if at > 0 {
                state.descriptors.restore(0, None);
                state.descriptors.files.set_pipe(0);
            }
            if at + 1 < nodes.len() {
                state.descriptors.begin_output();
                state.descriptors.files.set_pipe(1);
            }
            flow = self.walk_subshell(&mut state, &setting, node).stop_jump(Jump::Shell);
            self.state.consumed.clone_from(&state.consumed);
            if at > 0 && at + 1 == nodes.len() {
                self.join_last_command(state);
            }
            if self.state.descriptors.has_previous_output() {
                // Output to a copy of the previous standard output bypasses the pipe.
                insert_ids(&mut past, &flow.out);
            }
        }
        insert_ids(&mut flow.out, &past);
        if self.interpreter.doubts.misdirected_outputs != before.misdirected_outputs {
            flow.content = StreamContent::Unknown;
        }
        flow
    }

    /// Joins the state of the last command of a pipeline, which may run in the shell itself: with
    /// `shopt -s lastpipe`, and in zsh. In any shell, variables that it sets to other values are unknown afterwards.
    fn join_last_command(&mut self, mut last: ShellState) {
        self.state.join_variables(&last);
        let has_gone = last.cwd != self.state.cwd || !last.has_same_names(self.state);
        if has_gone && (self.state.options.lastpipe || self.state.reading.has(DialectFeature::LastPipe)) {
            last.descriptors = self.state.descriptors.clone();
            self.state.join(&last);
        }
    }

    /// Walks `if a; then b; elif c; then d; else e; fi`, and joins the states of the branches that do not end in a
    /// jump. `arms` has the conditions and their bodies.
    fn branches(&mut self, arms: &[(CommandNode, CommandNode)], otherwise: Option<&CommandNode>) -> Flow {
        let mut flow: Option<Flow> = None;
        let mut reached: Option<ShellState> = None;
        let mut conditions = Flow::empty();
        let mut take = |way: Flow, state: &ShellState| {
            if way.jump == Jump::Nothing {
                merge(&mut reached, state);
            }
            flow = Some(match flow.take() {
                Some(flow) => flow.merge(way),
                None => way,
            });
        };
        let mut files = BranchWrites::default();
        for (condition, body) in arms {
            conditions = conditions.concat(self.walk_node(condition));
            let mut state = self.state.clone();
            let setting = self.context;
            let start = Rc::clone(&self.interpreter.written);
            let way = self.with_state(&mut state, setting).walk_node(body);
            take(way, &state);
            files.end_way(self, start);
        }
        let way = otherwise.map_or_else(Flow::empty, |node| self.walk_node(node));
        take(way, self.state);
        files.join_into(self);
        if let Some(reached) = reached {
            *self.state = reached;
        }
        conditions.concat(flow.unwrap_or_else(Flow::empty))
    }

    /// Walks several definitions of one function, any of which may be the current one, and joins the states.
    fn walk_either(&mut self, bodies: &[Rc<CommandNode>]) -> Flow {
        let mut reached: Option<ShellState> = None;
        let mut flow: Option<Flow> = None;
        let mut files = BranchWrites::default();
        for body in bodies {
            let mut state = self.state.clone();
            let setting = self.context;
            let start = Rc::clone(&self.interpreter.written);
            let way = self.with_state(&mut state, setting).walk_node(body);
            files.end_way(self, start);
            merge(&mut reached, &state);
            flow = Some(match flow {
                Some(flow) => flow.merge(way),
                None => way,
            });
        }
        files.join_into(self);
        if let Some(reached) = reached {
            *self.state = reached;
        }
        flow.unwrap_or_else(Flow::empty)
    }

    /// Continues after a loop or a function: joins the states at the jumps that leave it, and keeps those at jumps
    /// that also leave an enclosing one.
    pub(super) fn join_jumps(&mut self, outer: Vec<(Jump, ShellState)>, unit: Jump) {
        for (ends, state) in std::mem::replace(&mut self.interpreter.jumps, outer) {
            let locals = self.state.locals.clone();
            self.state.join(&state);
            self.state.locals = locals;
            if ends > unit {
                self.interpreter.jumps.push((ends, state));
            }
        }
    }

    /// Records the state at a jump out of a loop or a function. If too many are recorded, joins the state with the
    /// last one.
    pub(super) fn record_jump(&mut self, ends: Jump) {
        if self.interpreter.jumps.len() < JUMPS {
            self.interpreter.jumps.push((ends, self.state.clone()));
        } else if let Some((last, state)) = self.interpreter.jumps.last_mut() {
            *last = ends.max(*last);
            state.join(self.state);
        }
    }

    /// Walks `case word in pattern) … esac`: every arm may run, whether its pattern matches or not.
    fn case(&mut self, word: &RawText, arms: &[CaseArm]) -> Flow {
        let subject = expand::word(self, &word.text);
        let mut reached: Option<ShellState> = None;
        let mut flow: Option<Flow> = None;
        let mut is_complete = false;
        let mut falling: Option<ShellState> = None;
        let mut files = BranchWrites::default();
        for arm in arms {
            for pattern in &arm.patterns {
                expand::word(self, &pattern.text);
                self.note_comparison(&pattern.text, &subject);
                is_complete |= pattern.text == "*";
            }
            let mut state = self.state.clone();
            if let Some(before) = falling.take() {
                state.join(&before);
            }
            let setting = self.context;
            let start = Rc::clone(&self.interpreter.written);
            let way = match &arm.body {
                Some(body) => self.with_state(&mut state, setting).walk_node(body),
                None => Flow::empty(),
            };
            if way.jump == Jump::Nothing {
                merge(&mut reached, &state);
            }
            match arm.falls_through {
                true => self.may_be_written(&start),
                false => files.end_way(self, start),
            }
            falling = arm.falls_through.then_some(state);
            flow = Some(match flow {
                Some(flow) => flow.merge(way),
                None => way,
            });
        }
        files.join_into(self);
        if !is_complete {
            merge(&mut reached, self.state);
            flow = flow.map(|flow| flow.merge(Flow::empty()));
        }
        if let Some(reached) = reached {
            *self.state = reached;
        }
        flow.unwrap_or_else(Flow::empty)
    }
}

/// The files written on different paths to the same point, such as the branches of an `if`.
#[derive(Default)]
struct BranchWrites(Vec<Rc<BTreeMap<PathBuf, WrittenFile>>>);

impl BranchWrites {
    /// Ends a path: records the files written on it, and goes back to the files at its start.
    fn end_way(&mut self, frame: &mut Frame<'_>, start: Rc<BTreeMap<PathBuf, WrittenFile>>) {
        self.0.push(std::mem::replace(&mut frame.interpreter.written, start));
    }

    /// Joins the files of all paths into the current ones.
    fn join_into(self, frame: &mut Frame<'_>) {
        self.0.iter().for_each(|written| frame.may_be_written(written));
    }
}

/// Joins the state of another path to the same point; the first path sets it.
pub(super) fn merge(reached: &mut Option<ShellState>, state: &ShellState) {
    match reached {
        Some(reached) => reached.join(state),
        None => *reached = Some(state.clone()),
    }
}
