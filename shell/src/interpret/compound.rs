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
use crate::stream::{InputStream, ShellValue, StreamContent, Writer, WrittenFile};

/// The maximum number of jumps out of loops and functions that are recorded separately. Further jumps are joined into
/// the last one.
const MAX_JUMPS: usize = 64;

impl Frame<'_> {
    /// Walks a command of any kind. Returns an unknown flow if the work budget is spent or the nesting is too deep.
    pub(super) fn walk_node(&mut self, node: &CommandNode) -> Flow {
        if !self.interpreter.spend(4 + self.state.take_charges()) {
            return Flow::unknown();
        }
        if !self.interpreter.enter(1) {
            return self.too_deep_flow("");
        }
        if !self.interpreter.traps.is_empty() {
            self.walk_delayed_traps(node);
        }
        let flow = match &node.kind {
            CommandKind::Simple { assignments, words } => self.walk_simple(assignments, words, &node.redirects),
            _ if node.redirects.is_empty() => self.walk_kind(&node.kind),
            _ => self.walk_redirected(node),
        };
        self.interpreter.leave(1);
        if !self.interpreter.traps.is_empty() {
            self.walk_changed_traps();
        }
        flow
    }

    /// Walks a compound command with redirections, which apply to everything in it.
    fn walk_redirected(&mut self, node: &CommandNode) -> Flow {
        let mut redirection = self.evaluate_redirects(&node.redirects);
        redirection.share_files();
        let stdin = self.stdin();
        let doubts = self.interpreter.doubts;
        let outer_descriptors = self.enter_body(&redirection);
        let mut context = self.context.clone();
        Rc::make_mut(&mut context.redirects).splice(0..0, redirection.with_directory(&self.state.cwd));
        context.input = redirection.input.clone().unwrap_or(stdin);
        let before = self.interpreter.commands.len();
        let flow = self.with_context(&context).walk_kind(&node.kind);
        self.leave_body(&outer_descriptors, &redirection);
        if self.interpreter.commands.len() == before {
            // The shell opens the files of the redirections even if there is no command in the body. A command without
            // words records that.
            let id = self.reserve_command();
            self.fill_record(id, Vec::new(), Vec::new(), &redirection);
        }
        self.send_output(&redirection, flow, doubts)
    }

    /// Walks a command that has no redirections, or whose redirections the caller has evaluated.
    fn walk_kind(&mut self, kind: &CommandKind) -> Flow {
        match kind {
            CommandKind::Empty => Flow::empty(),
            CommandKind::Simple { assignments, words } => self.walk_simple(assignments, words, &[]),
            CommandKind::Pipeline(nodes) => self.walk_pipeline(nodes),
            CommandKind::Chain(first, rest) => self.walk_chain(first, rest),
            CommandKind::List(items) => self.walk_list(items),
            CommandKind::Subshell(body) => self.subshell(body),
            CommandKind::Group(body) => self.walk_node(body),
            CommandKind::If(arms, otherwise) => self.walk_if(arms, otherwise.as_deref()),
            CommandKind::While(condition, body) => self.while_loop(condition, body),
            CommandKind::Until(condition, body) => self.until_loop(condition, body),
            CommandKind::For { head, name, words, body } => self.for_loop(*head, name, words.as_deref(), body),
            CommandKind::Count(header, body) => {
                for name in expand::counters(&header.text) {
                    self.state.assign_text(name, ShellValue::number(name));
                }
                expand::arithmetic(self, &header.text);
                self.walk_repeated(|frame| frame.walk_node(body))
            }
            CommandKind::Case(word, arms) => self.walk_case(word, arms),
            CommandKind::Function(name, body) => {
                self.define_function(name, body);
                Flow::empty()
            }
            CommandKind::Coproc(name, body) => {
                self.walk_coproc(name, body);
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
    fn walk_list(&mut self, items: &[ListItem]) -> Flow {
        let mut flow = Flow::empty();
        let mut certainly_runs = true;
        for item in items {
            let before = self.interpreter.commands.len();
            let next = match item.wait {
                ItemMode::Foreground => self.walk_node(&item.node),
                ItemMode::Background => self.walk_background(&item.node),
            };
            flow = if certainly_runs { flow.concat(next) } else { flow.concat_perhaps(next) };
            certainly_runs &= !self.may_end_by_failure(&item.node, before);
        }
        flow
    }

    /// Walks `command &` in a subshell. Its output may be written at any time, and is unknown.
    fn walk_background(&mut self, node: &CommandNode) -> Flow {
        let context = WalkContext { in_background: true, ..self.context.clone() };
        let mut state = self.state.clone();
        // Without job control, the standard input of the command is empty.
        state.descriptors.files.may_be_stream(0);
        let before = Rc::clone(&self.interpreter.written);
        let flow = self.walk_subshell(&mut state, &context, node);
        self.merge_written_files(&before);
        self.state.consumed.join(&state.consumed);
        Flow { content: StreamContent::Unknown, jump: Jump::Nothing, ..flow }
    }

    /// Walks `coproc NAME command`. Commands that come later in the text write the input of the body.
    fn walk_coproc(&mut self, name: &str, body: &CommandNode) {
        let stream = self.interpreter.stream();
        let from =
            self.interpreter.deferred.mark_for(&StreamName::Stream(stream)).map(Writer::Deferred).into_iter().collect();
        let mut context = WalkContext { in_background: true, ..self.context.clone() };
        context.input =
            Rc::new(InputStream { writers: from, content: StreamContent::Unknown, ..InputStream::default() });
        let mut state = self.state.clone();
        state.descriptors = state.descriptors.without_standard();
        state.descriptors.begin_output();
        [0, 1].into_iter().for_each(|number| state.descriptors.files.set_pipe(number));
        let flow = self.walk_subshell(&mut state, &context, body);
        self.state.consumed.join(&state.consumed);
        let from = self.interpreter.with_passed_writers(&flow.out);
        let output =
            InputStream { direct: flow.out, writers: from, content: StreamContent::Unknown, ..InputStream::default() };
        self.open_coproc(name, output, stream_word(format!("coproc {name}"), stream));
    }

    /// Walks `( … )`. The body changes nothing of this shell's state, except for what it consumes from shared streams.
    fn subshell(&mut self, body: &CommandNode) -> Flow {
        let mut state = self.state.clone();
        let flow = self.walk_subshell(&mut state, self.context, body);
        self.state.consumed = state.consumed;
        flow.stop_jump(Jump::Shell)
    }

    /// Walks a command in a subshell to its end, including the subshell's traps. An `exit` in it does not end the
    /// parent shell.
    fn walk_subshell(&mut self, state: &mut ShellState, context: &WalkContext, node: &CommandNode) -> Flow {
        let doubts = self.interpreter.doubts;
        let flow = self.with_state(state, context).walk_to_end(|frame| frame.walk_node(node));
        self.after_subshell(flow, doubts)
    }

    /// Walks `a | b | c`: each part in a subshell, whose input is the output of the part before it.
    fn walk_pipeline(&mut self, nodes: &[CommandNode]) -> Flow {
        let mut flow = Flow::empty();
        let mut bypassing = Vec::new();
        let before = self.interpreter.doubts;
        for (index, node) in nodes.iter().enumerate() {
            let mut context = self.context.clone();
            if index > 0 {
                let from = self.interpreter.with_passed_writers(&flow.out);
                let stream = Some(self.open_stream());
                context.input = Rc::new(InputStream { direct: flow.out, writers: from, content: flow.content, stream });
            }
            let mut state = self.state.clone();
            if index > 0 {
                state.descriptors.restore(0, None);
                state.descriptors.files.set_pipe(0);
            }
            if index + 1 < nodes.len() {
                state.descriptors.begin_output();
                state.descriptors.files.set_pipe(1);
            }
            flow = self.walk_subshell(&mut state, &context, node).stop_jump(Jump::Shell);
            self.state.consumed.clone_from(&state.consumed);
            if index > 0 && index + 1 == nodes.len() {
                self.join_last_command(state);
            }
            if self.state.descriptors.has_previous_output() {
                // Output to a copy of the previous standard output bypasses the pipe.
                insert_ids(&mut bypassing, &flow.out);
            }
        }
        insert_ids(&mut flow.out, &bypassing);
        if self.interpreter.doubts.misdirected_outputs != before.misdirected_outputs {
            flow.content = StreamContent::Unknown;
        }
        flow
    }

    /// Joins the state of the last command of a pipeline, which runs in the shell itself after `shopt -s lastpipe`, and
    /// in zsh. In every shell, the variables that it sets to other values are unknown afterwards.
    fn join_last_command(&mut self, mut last: ShellState) {
        self.state.join_variables(&last);
        let changes_shell = last.cwd != self.state.cwd || !last.has_same_names(self.state);
        if changes_shell && (self.state.options.lastpipe || self.state.reading.has(DialectFeature::LastPipe)) {
            last.descriptors = self.state.descriptors.clone();
            self.state.join(&last);
        }
    }

    /// Walks `if a; then b; elif c; then d; else e; fi`, and joins the states after the branches that do not end in a
    /// jump. `arms` has the conditions and their bodies.
    fn walk_if(&mut self, arms: &[(CommandNode, CommandNode)], otherwise: Option<&CommandNode>) -> Flow {
        let mut flow: Option<Flow> = None;
        let mut joined: Option<ShellState> = None;
        let mut conditions = Flow::empty();
        let mut add_branch = |branch: Flow, state: &ShellState| {
            if branch.jump == Jump::Nothing {
                merge(&mut joined, state);
            }
            flow = Some(match flow.take() {
                Some(flow) => flow.merge(branch),
                None => branch,
            });
        };
        let mut writes = BranchWrites::default();
        for (condition, body) in arms {
            conditions = conditions.concat(self.walk_node(condition));
            let mut state = self.state.clone();
            let context = self.context;
            let start = Rc::clone(&self.interpreter.written);
            let branch = self.with_state(&mut state, context).walk_node(body);
            add_branch(branch, &state);
            writes.end_path(self, start);
        }
        let branch = otherwise.map_or_else(Flow::empty, |node| self.walk_node(node));
        add_branch(branch, self.state);
        writes.join_into(self);
        if let Some(joined) = joined {
            *self.state = joined;
        }
        conditions.concat(flow.unwrap_or_else(Flow::empty))
    }

    /// Walks several definitions of one function, any of which may be the current one, and joins the states.
    fn walk_either(&mut self, bodies: &[Rc<CommandNode>]) -> Flow {
        let mut joined: Option<ShellState> = None;
        let mut flow: Option<Flow> = None;
        let mut writes = BranchWrites::default();
        for body in bodies {
            let mut state = self.state.clone();
            let context = self.context;
            let start = Rc::clone(&self.interpreter.written);
            let body_flow = self.with_state(&mut state, context).walk_node(body);
            writes.end_path(self, start);
            merge(&mut joined, &state);
            flow = Some(match flow {
                Some(flow) => flow.merge(body_flow),
                None => body_flow,
            });
        }
        writes.join_into(self);
        if let Some(joined) = joined {
            *self.state = joined;
        }
        flow.unwrap_or_else(Flow::empty)
    }

    /// Continues after a loop or a function: joins the states at the jumps out of it into the current state. A jump
    /// that also leaves an enclosing loop or function is added to `outer`, the jumps out of that one.
    pub(super) fn join_jumps(&mut self, outer: Vec<(Jump, ShellState)>, unit: Jump) {
        for (jump, state) in std::mem::replace(&mut self.interpreter.jumps, outer) {
            let locals = self.state.locals.clone();
            self.state.join(&state);
            self.state.locals = locals;
            if jump > unit {
                self.interpreter.jumps.push((jump, state));
            }
        }
    }

    /// Records the state at a jump out of a loop or a function. If too many are recorded, joins the state with the
    /// last one.
    pub(super) fn record_jump(&mut self, jump: Jump) {
        if self.interpreter.jumps.len() < MAX_JUMPS {
            self.interpreter.jumps.push((jump, self.state.clone()));
        } else if let Some((last, state)) = self.interpreter.jumps.last_mut() {
            *last = jump.max(*last);
            state.join(self.state);
        }
    }

    /// Walks `case word in pattern) … esac`: every arm may run, whether its pattern matches or not.
    fn walk_case(&mut self, word: &RawText, arms: &[CaseArm]) -> Flow {
        let subject = expand::word(self, &word.text);
        let mut joined: Option<ShellState> = None;
        let mut flow: Option<Flow> = None;
        let mut has_default = false;
        let mut falls_into_next: Option<ShellState> = None;
        let mut writes = BranchWrites::default();
        for arm in arms {
            for pattern in &arm.patterns {
                expand::word(self, &pattern.text);
                self.note_comparison(&pattern.text, &subject);
                has_default |= pattern.text == "*";
            }
            let mut state = self.state.clone();
            if let Some(before) = falls_into_next.take() {
                state.join(&before);
            }
            let context = self.context;
            let start = Rc::clone(&self.interpreter.written);
            let arm_flow = match &arm.body {
                Some(body) => self.with_state(&mut state, context).walk_node(body),
                None => Flow::empty(),
            };
            if arm_flow.jump == Jump::Nothing {
                merge(&mut joined, &state);
            }
            match arm.falls_through {
                true => self.merge_written_files(&start),
                false => writes.end_path(self, start),
            }
            falls_into_next = arm.falls_through.then_some(state);
            flow = Some(match flow {
                Some(flow) => flow.merge(arm_flow),
                None => arm_flow,
            });
        }
        writes.join_into(self);
        if !has_default {
            merge(&mut joined, self.state);
            flow = flow.map(|flow| flow.merge(Flow::empty()));
        }
        if let Some(joined) = joined {
            *self.state = joined;
        }
        flow.unwrap_or_else(Flow::empty)
    }
}

/// The files written on different paths to the same point, such as the branches of an `if`.
#[derive(Default)]
struct BranchWrites(Vec<Rc<BTreeMap<PathBuf, WrittenFile>>>);

impl BranchWrites {
    /// Ends a path: records the files written on it, and restores `start`, the files at its beginning.
    fn end_path(&mut self, frame: &mut Frame<'_>, start: Rc<BTreeMap<PathBuf, WrittenFile>>) {
        self.0.push(std::mem::replace(&mut frame.interpreter.written, start));
    }

    /// Joins the files of all paths into the current ones.
    fn join_into(self, frame: &mut Frame<'_>) {
        self.0.iter().for_each(|written| frame.merge_written_files(written));
    }
}

/// Joins the state at the end of a path into the joined state of several paths, which is `None` before the first one.
pub(super) fn merge(joined: &mut Option<ShellState>, state: &ShellState) {
    match joined {
        Some(joined) => joined.join(state),
        None => *joined = Some(state.clone()),
    }
}
