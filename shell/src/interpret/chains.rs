//! `a && b || c`: what is known after commands that run only if the previous ones succeed or fail.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use super::compound::merge;
use super::flow::{Flow, Jump};
use super::{Frame, builtins};
use crate::parse::{ChainOperator, CommandKind, CommandNode, RawText, is_name};
use crate::state::ShellState;
use crate::stream::{StreamContent, WrittenFile};
use crate::word::Directory;

/// How certain it is that a command succeeds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SuccessCertainty {
    /// It cannot fail.
    Certain,
    /// It is expected to succeed, so its failure does not make the directory unknown: after `cd build && make`,
    /// policies may rely on the directory `build`. Variables are still joined with the state of a failure.
    Expected,
    /// It may succeed or fail.
    Open,
}

/// The states after a command of the chain that has failed, joined by kind. The right side of a `||` starts in them.
#[derive(Default)]
struct FailureStates {
    /// After commands that may well fail.
    open: Option<ShellState>,
    /// After commands that are expected to succeed. These states do not affect the current directory.
    unexpected: Option<ShellState>,
}

impl FailureStates {
    /// Records the possible failure of a command that began in the directory `before`.
    fn note(&mut self, success: SuccessCertainty, state: &ShellState, before: &Directory) {
        match success {
            SuccessCertainty::Certain => {}
            SuccessCertainty::Open => merge(&mut self.open, state),
            SuccessCertainty::Expected => {
                let state = ShellState { cwd: before.clone(), ..state.clone() };
                match &mut self.unexpected {
                    Some(unexpected) => join_elsewhere(unexpected, &state),
                    None => self.unexpected = Some(state),
                }
            }
        }
    }

    /// Takes the state in which the right side of a `||` starts, and how certain it is that the left side succeeds;
    /// `None` if the left side cannot fail.
    fn take_right_side(&mut self) -> Option<(ShellState, SuccessCertainty)> {
        match (self.open.take(), self.unexpected.take()) {
            (Some(mut open), unexpected) => {
                if let Some(unexpected) = unexpected {
                    join_elsewhere(&mut open, &unexpected);
                }
                Some((open, SuccessCertainty::Open))
            }
            (None, Some(unexpected)) => Some((unexpected, SuccessCertainty::Expected)),
            (None, None) => None,
        }
    }
}

/// Joins another state, but keeps the directory, the previous directory and the directory stack.
fn join_elsewhere(state: &mut ShellState, other: &ShellState) {
    let place = (state.cwd.clone(), state.previous.clone(), state.stack.clone());
    state.join(other);
    (state.cwd, state.previous, state.stack) = place;
}

/// The walk of a chain up to one of its commands.
struct ChainProgress {
    /// The output and the jump so far.
    flow: Flow,
    failures: FailureStates,
    /// The files that were written before the second command. The later commands may not run.
    files: Rc<BTreeMap<PathBuf, WrittenFile>>,
    /// Whether the commands so far jump whenever they succeed, so that the code after them is reached only after a
    /// failure.
    is_dead: bool,
}

impl ChainProgress {
    /// Adds the output of a command that may or may not run.
    fn add(&mut self, next: Flow) {
        let before = std::mem::replace(&mut self.flow, Flow::unknown());
        self.flow = Flow { content: StreamContent::Unknown, ..before }.concat(Flow { jump: Jump::Nothing, ..next });
    }
}

impl Frame<'_> {
    /// Walks a chain of `&&` and `||`. What `a` sets is known in `b`; after the chain, only what is the same on all
    /// paths stays known.
    pub(super) fn chain(&mut self, first: &CommandNode, rest: &[(ChainOperator, CommandNode)]) -> Flow {
        let before = (self.state.cwd.clone(), self.interpreter.commands.len());
        let flow = self.walk_node(first);
        let mut chain = ChainProgress {
            is_dead: flow.jump != Jump::Nothing,
            flow,
            failures: FailureStates::default(),
            files: Rc::clone(&self.interpreter.written),
        };
        chain.failures.note(self.success(first, before.1), self.state, &before.0);
        for (link, node) in rest {
            match link {
                ChainOperator::And => self.and(&mut chain, node),
                ChainOperator::Or => self.or(&mut chain, node),
            }
        }
        self.join_chain(chain)
    }

    /// Walks the right side of a `&&`.
    fn and(&mut self, chain: &mut ChainProgress, node: &CommandNode) {
        let before = (self.state.cwd.clone(), self.interpreter.commands.len());
        let next = self.walk_node(node);
        chain.is_dead |= next.jump != Jump::Nothing;
        chain.add(next);
        if !chain.is_dead {
            chain.failures.note(self.success(node, before.1), self.state, &before.0);
        }
    }

    /// Walks the right side of a `||`, in the state after a failure of the left side.
    fn or(&mut self, chain: &mut ChainProgress, node: &CommandNode) {
        // Code that cannot run (`true || rm x`) is walked too: policies see it.
        let (mut other, success) =
            chain.failures.take_right_side().unwrap_or_else(|| (self.state.clone(), SuccessCertainty::Certain));
        let (start, before) = (other.cwd.clone(), self.interpreter.commands.len());
        let setting = self.context;
        self.may_be_written(&chain.files);
        let next = self.with_state(&mut other, setting).walk_node(node);
        let leaves = next.jump != Jump::Nothing;
        chain.add(next);
        // If the right side jumps, the commands after it are reached only from the left side.
        if leaves || success == SuccessCertainty::Certain {
            return;
        }
        if !chain.is_dead && success == SuccessCertainty::Expected && other.cwd == start {
            join_elsewhere(self.state, &other);
            return chain.failures.note(SuccessCertainty::Expected, &other, &start);
        }
        match std::mem::take(&mut chain.is_dead) {
            true => *self.state = other.clone(),
            false => self.state.join(&other),
        }
        chain.failures.note(self.success(node, before), &other, &start);
    }

    /// Joins the states at the end of a chain, and returns the flow of the whole chain.
    fn join_chain(&mut self, chain: ChainProgress) -> Flow {
        let ChainProgress { mut flow, mut failures, files, mut is_dead } = chain;
        self.may_be_written(&files);
        match failures.take_right_side() {
            Some((failed, SuccessCertainty::Open)) if is_dead => {
                *self.state = failed;
                is_dead = false;
            }
            Some((failed, SuccessCertainty::Open)) => self.state.join(&failed),
            Some((failed, _)) if !is_dead => join_elsewhere(self.state, &failed),
            _ => {}
        }
        if !is_dead {
            flow.jump = Jump::Nothing;
        } else if flow.jump == Jump::Nothing {
            flow.jump = Jump::Loop;
        }
        flow
    }

    /// Whether a command may end the shell by failing, because of `set -e`. `before` is the number of commands before
    /// it.
    pub(super) fn may_end_by_failure(&self, node: &CommandNode, before: usize) -> bool {
        self.state.options.errexit && self.success(node, before) != SuccessCertainty::Certain
    }

    /// Returns how certain the success of the command is that was just walked. `before` is the number of commands
    /// before it.
    fn success(&self, node: &CommandNode, before: usize) -> SuccessCertainty {
        const EXPECTED: &[&str] = &[
            "cd", "pushd", "popd", "set", "unset", "alias", "shopt", "mkdir", "printf", "pwd", "export", "declare",
            "local", "readonly", "typeset",
        ];
        // A file that cannot be opened makes any command fail.
        let opens_nothing = node.redirects.is_empty();
        match &node.kind {
            CommandKind::Function(..) | CommandKind::Empty if opens_nothing => SuccessCertainty::Certain,
            CommandKind::Chain(first, rest) => {
                let all = std::iter::once(&**first).chain(rest.iter().map(|(_, node)| node));
                all.map(|node| self.success(node, 0)).fold(SuccessCertainty::Certain, SuccessCertainty::and)
            }
            CommandKind::Simple { words, .. } => {
                let Some((name, arguments)) = words.split_first() else {
                    // Only assignments: the status is that of the last substitution, so a substitution makes it open.
                    let has_run = self.interpreter.commands.len() > before + 1;
                    return if has_run || !opens_nothing { SuccessCertainty::Open } else { SuccessCertainty::Certain };
                };
                let name = name.text.as_str();
                match name {
                    _ if self.state.functions.contains_key(name) && name != "cd" => SuccessCertainty::Open,
                    "true" | ":" | "echo" if opens_nothing => SuccessCertainty::Certain,
                    _ if opens_nothing
                        && builtins::is_declaring(name)
                        && self.is_certain_declaration(name, arguments) =>
                    {
                        SuccessCertainty::Certain
                    }
                    _ if EXPECTED.contains(&name) => SuccessCertainty::Expected,
                    _ => SuccessCertainty::Open,
                }
            }
            _ => SuccessCertainty::Open,
        }
    }

    /// Whether a declaration cannot fail: it has only names and values, and no variable is read-only.
    fn is_certain_declaration(&self, name: &str, arguments: &[RawText]) -> bool {
        let is_declared = |raw: &RawText| match raw.text.split_once('=') {
            Some((name, _)) => is_name(name.trim_end_matches('+')),
            None => is_name(&raw.text),
        };
        self.state.attributes.is_empty()
            && !arguments.is_empty()
            && arguments.iter().all(is_declared)
            && (name != "local" || self.state.locals.is_some())
    }
}

impl SuccessCertainty {
    /// The certainty that both commands succeed.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Certain, other) | (other, Self::Certain) => other,
            (Self::Expected, Self::Expected) => Self::Expected,
            _ => Self::Open,
        }
    }
}
