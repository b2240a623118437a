//! `a && b || c`: what is known after commands that only run if others succeed or fail.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use super::compound::merge;
use super::streams::{Ends, Flow};
use super::{Frame, builtins};
use crate::parse::{Kind, Link, Node, Raw, is_name};
use crate::state::State;
use crate::stream::{Content, Written};
use crate::word::Directory;

/// How certain it is that a command succeeds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Success {
    /// It cannot fail.
    Certain,
    /// It is expected to succeed, as far as the directory is concerned: policies may rely on the directory being there,
    /// as in `cd build && make`. Values of variables are not taken for granted.
    Expected,
    Open,
}

/// The states in which a command of the chain has failed.
#[derive(Default)]
struct Failures {
    open: Option<State>,
    /// Of commands that are expected to succeed. These states do not affect the current directory.
    unexpected: Option<State>,
}

impl Failures {
    /// Records the possible failure of a command that began in the directory `before`.
    fn note(&mut self, success: Success, state: &State, before: &Directory) {
        match success {
            Success::Certain => {}
            Success::Open => merge(&mut self.open, state),
            Success::Expected => {
                let state = State { cwd: before.clone(), ..state.clone() };
                match &mut self.unexpected {
                    Some(unexpected) => join_elsewhere(unexpected, &state),
                    None => self.unexpected = Some(state),
                }
            }
        }
    }

    /// Returns the state in which the right side of a `||` starts, and how expected the success of the left side is.
    fn take(&mut self) -> Option<(State, Success)> {
        match (self.open.take(), self.unexpected.take()) {
            (Some(mut open), unexpected) => {
                if let Some(unexpected) = unexpected {
                    join_elsewhere(&mut open, &unexpected);
                }
                Some((open, Success::Open))
            }
            (None, Some(unexpected)) => Some((unexpected, Success::Expected)),
            (None, None) => None,
        }
    }
}

/// Joins another state in everything but the directory.
fn join_elsewhere(state: &mut State, other: &State) {
    let place = (state.cwd.clone(), state.previous.clone(), state.stack.clone());
    state.join(other);
    (state.cwd, state.previous, state.stack) = place;
}

/// A chain up to one of its commands.
struct Progress {
    flow: Flow,
    failures: Failures,
    /// The files that were written before the later commands, which may not run.
    files: Rc<BTreeMap<PathBuf, Written>>,
    /// Whether the commands before leave something wherever they succeed.
    is_dead: bool,
}

impl Progress {
    /// Adds the output of a command that may not run.
    fn add(&mut self, next: Flow) {
        let before = std::mem::replace(&mut self.flow, Flow::unknown());
        self.flow = Flow { content: Content::Unknown, ..before }.then(Flow { ends: Ends::Nothing, ..next });
    }
}

impl Frame<'_> {
    /// What `a` sets is known in `b`; after the chain, only what all paths agree on.
    pub(super) fn chain(&mut self, first: &Node, rest: &[(Link, Node)]) -> Flow {
        let before = (self.state.cwd.clone(), self.interpreter.commands.len());
        let flow = self.node(first);
        let mut chain = Progress {
            is_dead: flow.ends != Ends::Nothing,
            flow,
            failures: Failures::default(),
            files: Rc::clone(&self.interpreter.written),
        };
        chain.failures.note(self.success(first, before.1), self.state, &before.0);
        for (link, node) in rest {
            match link {
                Link::And => self.and(&mut chain, node),
                Link::Or => self.or(&mut chain, node),
            }
        }
        self.chained(chain)
    }

    fn and(&mut self, chain: &mut Progress, node: &Node) {
        let before = (self.state.cwd.clone(), self.interpreter.commands.len());
        let next = self.node(node);
        chain.is_dead |= next.ends != Ends::Nothing;
        chain.add(next);
        if !chain.is_dead {
            chain.failures.note(self.success(node, before.1), self.state, &before.0);
        }
    }

    fn or(&mut self, chain: &mut Progress, node: &Node) {
        // Even code that cannot run is walked: policies see it.
        let (mut other, success) = chain.failures.take().unwrap_or_else(|| (self.state.clone(), Success::Certain));
        let (start, before) = (other.cwd.clone(), self.interpreter.commands.len());
        let setting = self.setting;
        self.may_be_written(&chain.files);
        let next = self.apart(&mut other, setting).node(node);
        let leaves = next.ends != Ends::Nothing;
        chain.add(next);
        // If it leaves something, the commands after it are reached by the other path.
        if leaves || success == Success::Certain {
            return;
        }
        if !chain.is_dead && success == Success::Expected && other.cwd == start {
            join_elsewhere(self.state, &other);
            return chain.failures.note(Success::Expected, &other, &start);
        }
        match std::mem::take(&mut chain.is_dead) {
            true => *self.state = other.clone(),
            false => self.state.join(&other),
        }
        chain.failures.note(self.success(node, before), &other, &start);
    }

    /// Joins the states at the end of a chain, and returns its flow.
    fn chained(&mut self, chain: Progress) -> Flow {
        let Progress { mut flow, mut failures, files, mut is_dead } = chain;
        self.may_be_written(&files);
        match failures.take() {
            Some((failed, Success::Open)) if is_dead => {
                *self.state = failed;
                is_dead = false;
            }
            Some((failed, Success::Open)) => self.state.join(&failed),
            Some((failed, _)) if !is_dead => join_elsewhere(self.state, &failed),
            _ => {}
        }
        if !is_dead {
            flow.ends = Ends::Nothing;
        } else if flow.ends == Ends::Nothing {
            flow.ends = Ends::Loop;
        }
        flow
    }

    /// Whether a command, outside a condition, may end the shell by failing: `set -e`.
    pub(super) fn may_end_by_failure(&self, node: &Node, before: usize) -> bool {
        self.state.options.errexit && self.success(node, before) != Success::Certain
    }

    /// Returns how certain the success of a command is that was just run. `before` is the number of commands before it.
    fn success(&self, node: &Node, before: usize) -> Success {
        const EXPECTED: &[&str] = &[
            "cd", "pushd", "popd", "set", "unset", "alias", "shopt", "mkdir", "printf", "pwd", "export", "declare",
            "local", "readonly", "typeset",
        ];
        // A file that cannot be opened makes any command fail.
        let opens_nothing = node.redirects.is_empty();
        match &node.kind {
            Kind::Function(..) | Kind::Empty if opens_nothing => Success::Certain,
            Kind::Chain(first, rest) => {
                let all = std::iter::once(&**first).chain(rest.iter().map(|(_, node)| node));
                all.map(|node| self.success(node, 0)).fold(Success::Certain, Success::and)
            }
            Kind::Simple { words, .. } => {
                let Some((name, arguments)) = words.split_first() else {
                    // Its status is that of its last substitution.
                    let has_run = self.interpreter.commands.len() > before + 1;
                    return if has_run || !opens_nothing { Success::Open } else { Success::Certain };
                };
                let name = name.text.as_str();
                match name {
                    _ if self.state.functions.contains_key(name) && name != "cd" => Success::Open,
                    "true" | ":" | "echo" if opens_nothing => Success::Certain,
                    _ if opens_nothing && builtins::declares(name) && self.declares_certainly(name, arguments) => {
                        Success::Certain
                    }
                    _ if EXPECTED.contains(&name) => Success::Expected,
                    _ => Success::Open,
                }
            }
            _ => Success::Open,
        }
    }

    /// Whether a declaration cannot fail: it has only names and values, and no variable is read-only.
    fn declares_certainly(&self, name: &str, arguments: &[Raw]) -> bool {
        let is_declared = |raw: &Raw| match raw.text.split_once('=') {
            Some((name, _)) => is_name(name.trim_end_matches('+')),
            None => is_name(&raw.text),
        };
        self.state.attributes.is_empty()
            && !arguments.is_empty()
            && arguments.iter().all(is_declared)
            && (name != "local" || self.state.locals.is_some())
    }
}

impl Success {
    /// The success of several commands together.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Certain, other) | (other, Self::Certain) => other,
            (Self::Expected, Self::Expected) => Self::Expected,
            _ => Self::Open,
        }
    }
}
