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

/// How certain the success of a command is.
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

/// The states in which the right side of a `||` may start: those after a command of the chain that failed.
#[derive(Default)]
struct FailureStates {
    /// The joined states after commands that may well fail.
    open: Option<ShellState>,
    /// The joined states after commands that are expected to succeed. They do not affect the current directory.
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

/// Joins another state into this one, except for the directory, the previous directory and the directory stack.
fn join_elsewhere(state: &mut ShellState, other: &ShellState) {
    let directories = (state.cwd.clone(), state.previous.clone(), state.stack.clone());
    state.join(other);
    (state.cwd, state.previous, state.stack) = directories;
}

/// The walk of a chain up to one of its commands.
struct ChainProgress {
    /// The output and the jump so far.
    flow: Flow,
    failures: FailureStates,
    /// The files that were written before the second command: the later commands may not run.
    files: Rc<BTreeMap<PathBuf, WrittenFile>>,
    /// Whether the commands so far jump away if they succeed: `cd x && exit`. The code after them is then only reached
    /// after a failure.
    jumps_on_success: bool,
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
    pub(super) fn walk_chain(&mut self, first: &CommandNode, rest: &[(ChainOperator, CommandNode)]) -> Flow {
        let (cwd, command_count) = (self.state.cwd.clone(), self.interpreter.commands.len());
        let flow = self.walk_node(first);
        let mut chain = ChainProgress {
            jumps_on_success: flow.jump != Jump::Nothing,
            flow,
            failures: FailureStates::default(),
            files: Rc::clone(&self.interpreter.written),
        };
        chain.failures.note(self.success_certainty(first, command_count), self.state, &cwd);
        for (operator, node) in rest {
            match operator {
                ChainOperator::And => self.walk_and(&mut chain, node),
                ChainOperator::Or => self.walk_or(&mut chain, node),
            }
        }
        self.join_chain(chain)
    }

    /// Walks the right side of a `&&`.
    fn walk_and(&mut self, chain: &mut ChainProgress, node: &CommandNode) {
        let (cwd, command_count) = (self.state.cwd.clone(), self.interpreter.commands.len());
        let next = self.walk_node(node);
        chain.jumps_on_success |= next.jump != Jump::Nothing;
        chain.add(next);
        if !chain.jumps_on_success {
            chain.failures.note(self.success_certainty(node, command_count), self.state, &cwd);
        }
    }

    /// Walks the right side of a `||`, in the state after a failure of the left side.
    fn walk_or(&mut self, chain: &mut ChainProgress, node: &CommandNode) {
        // Code that cannot run (`true || rm x`) is walked too: policies see it.
        let (mut failed, success) =
            chain.failures.take_right_side().unwrap_or_else(|| (self.state.clone(), SuccessCertainty::Certain));
        let (cwd, command_count) = (failed.cwd.clone(), self.interpreter.commands.len());
        let context = self.context;
        self.merge_written_files(&chain.files);
        let next = self.with_state(&mut failed, context).walk_node(node);
        let jumps = next.jump != Jump::Nothing;
        chain.add(next);
        // If the right side jumps, the commands after it are reached only from the left side.
        if jumps || success == SuccessCertainty::Certain {
            return;
        }
        if !chain.jumps_on_success && success == SuccessCertainty::Expected && failed.cwd == cwd {
            join_elsewhere(self.state, &failed);
            return chain.failures.note(SuccessCertainty::Expected, &failed, &cwd);
        }
        match std::mem::take(&mut chain.jumps_on_success) {
            true => *self.state = failed.clone(),
            false => self.state.join(&failed),
        }
        chain.failures.note(self.success_certainty(node, command_count), &failed, &cwd);
    }

    /// Joins the states at the end of a chain, and returns the flow of the whole chain.
    fn join_chain(&mut self, chain: ChainProgress) -> Flow {
        let ChainProgress { mut flow, mut failures, files, mut jumps_on_success } = chain;
        self.merge_written_files(&files);
        match failures.take_right_side() {
            Some((failed, SuccessCertainty::Open)) if jumps_on_success => {
                *self.state = failed;
                jumps_on_success = false;
            }
            Some((failed, SuccessCertainty::Open)) => self.state.join(&failed),
            Some((failed, _)) if !jumps_on_success => join_elsewhere(self.state, &failed),
            _ => {}
        }
        if !jumps_on_success {
            flow.jump = Jump::Nothing;
        } else if flow.jump == Jump::Nothing {
            flow.jump = Jump::Loop;
        }
        flow
    }

    /// Whether the failure of a command may end the shell, because of `set -e`. `command_count` is the number of
    /// commands that were recorded before it.
    pub(super) fn may_end_by_failure(&self, node: &CommandNode, command_count: usize) -> bool {
        self.state.options.errexit && self.success_certainty(node, command_count) != SuccessCertainty::Certain
    }

    /// Returns how certain it is that `node`, which was walked last, succeeds. `command_count` is the number of
    /// commands that were recorded before it.
    fn success_certainty(&self, node: &CommandNode, command_count: usize) -> SuccessCertainty {
        const EXPECTED: &[&str] = &[
            "cd", "pushd", "popd", "set", "unset", "alias", "shopt", "mkdir", "printf", "pwd", "export", "declare",
            "local", "readonly", "typeset",
        ];
        // A file that cannot be opened makes any command fail.
        let opens_nothing = node.redirects.is_empty();
        match &node.kind {
            CommandKind::Function(..) | CommandKind::Empty if opens_nothing => SuccessCertainty::Certain,
            CommandKind::Chain(first, rest) => {
                let commands = std::iter::once(&**first).chain(rest.iter().map(|(_, node)| node));
                commands
                    .map(|node| self.success_certainty(node, 0))
                    .fold(SuccessCertainty::Certain, SuccessCertainty::and)
            }
            CommandKind::Simple { words, .. } => {
                let Some((name, arguments)) = words.split_first() else {
                    // The status of a command that only assigns variables is that of its last substitution.
                    let has_substitution = self.interpreter.commands.len() > command_count + 1;
                    return if has_substitution || !opens_nothing {
                        SuccessCertainty::Open
                    } else {
                        SuccessCertainty::Certain
                    };
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
    /// Returns the certainty that both commands succeed.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Certain, other) | (other, Self::Certain) => other,
            (Self::Expected, Self::Expected) => Self::Expected,
            _ => Self::Open,
        }
    }
}
