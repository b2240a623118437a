//! `a && b || c`: what is known behind commands that run only if others succeed or fail.

use std::rc::Rc;

use super::compound::merge;
use super::streams::{Ends, Flow};
use super::{Frame, builtins};
use crate::parse::{Kind, Link, Node, Raw, is_name};
use crate::state::State;
use crate::stream::Content;
use crate::word::Directory;

/// How sure it is that a command succeeds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Success {
    /// It cannot fail.
    Certain,
    /// It is expected to, as far as the directory is concerned: that one may not be there is the failure that policies may
    /// rely on not to happen, as in `cd build && make`. What variables hold is not taken for granted.
    Expected,
    Open,
}

/// The states in which a chain has come to a failure.
#[derive(Default)]
struct Failures {
    open: Option<State>,
    /// Of commands that are expected to succeed. They have no say in where the shell is.
    unexpected: Option<State>,
}

impl Failures {
    /// Notes that a command may have failed, which began in a directory.
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

    /// Returns the state in which what stands behind a `||` begins, and whether it is not expected to run.
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

/// Joins another way in all but the directory.
fn join_elsewhere(state: &mut State, other: &State) {
    let place = (state.cwd.clone(), state.previous.clone(), state.stack.clone());
    state.join(other);
    (state.cwd, state.previous, state.stack) = place;
}

impl Frame<'_> {
    /// What `a` sets is known in `b`; behind all, only what every way through agrees on.
    pub(super) fn chain(&mut self, first: &Node, rest: &[(Link, Node)]) -> Flow {
        let before = (self.state.cwd.clone(), self.interpreter.commands.len());
        let mut flow = self.node(first);
        // What the others write may not be written.
        let files = Rc::clone(&self.interpreter.written);
        let mut failures = Failures::default();
        failures.note(self.success(first, before.1), self.state, &before.0);
        let mut is_dead = flow.ends != Ends::Nothing;
        for (link, node) in rest {
            match link {
                Link::And => {
                    let before = (self.state.cwd.clone(), self.interpreter.commands.len());
                    let next = self.node(node);
                    is_dead |= next.ends != Ends::Nothing;
                    flow = Flow { content: Content::Unknown, ..flow }.then(Flow { ends: Ends::Nothing, ..next });
                    if !is_dead {
                        failures.note(self.success(node, before.1), self.state, &before.0);
                    }
                }
                Link::Or => {
                    // What cannot run is walked nonetheless: policies see it.
                    let (mut other, success) =
                        failures.take().unwrap_or_else(|| (self.state.clone(), Success::Certain));
                    let (start, before) = (other.cwd.clone(), self.interpreter.commands.len());
                    let setting = self.setting;
                    self.may_be_written(&files);
                    let next = self.apart(&mut other, setting).node(node);
                    let leaves = next.ends != Ends::Nothing;
                    flow = Flow { content: Content::Unknown, ..flow }.then(Flow { ends: Ends::Nothing, ..next });
                    if leaves {
                        // Whoever is behind it came by the other way.
                        continue;
                    }
                    match success {
                        Success::Certain => {}
                        _ if is_dead => {
                            *self.state = other.clone();
                            is_dead = false;
                            failures.note(self.success(node, before), &other, &start);
                        }
                        Success::Expected if other.cwd == start => {
                            join_elsewhere(self.state, &other);
                            failures.note(Success::Expected, &other, &start);
                        }
                        _ => {
                            self.state.join(&other);
                            failures.note(self.success(node, before), &other, &start);
                        }
                    }
                }
            }
        }
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

    /// Tells whether a command may end the shell by its failure, other than as a condition: `set -e`.
    pub(super) fn may_end_by_failure(&self, node: &Node, before: usize) -> bool {
        self.state.options.errexit && self.success(node, before) != Success::Certain
    }

    /// Tells how sure it is that a command succeeds that was just run. `before` is how many commands there were until then.
    fn success(&self, node: &Node, before: usize) -> Success {
        const EXPECTED: &[&str] = &[
            "cd", "pushd", "popd", "set", "unset", "alias", "shopt", "mkdir", "printf", "pwd", "export", "declare",
            "local", "readonly", "typeset",
        ];
        // A file that cannot be opened makes anything fail.
        let opens_nothing = node.redirects.is_empty();
        match &node.kind {
            Kind::Function(..) | Kind::Empty if opens_nothing => Success::Certain,
            Kind::Chain(first, rest) => {
                let all = std::iter::once(&**first).chain(rest.iter().map(|(_, node)| node));
                all.map(|node| self.success(node, 0)).fold(Success::Certain, Success::and)
            }
            Kind::Simple { words, .. } => {
                let Some((name, arguments)) = words.split_first() else {
                    // It ends as the last substitution in it does.
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

    /// Tells whether a declaration is one that cannot fail: names and values alone, and nothing is read-only.
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
    /// All of several commands.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Certain, other) | (other, Self::Certain) => other,
            (Self::Expected, Self::Expected) => Self::Expected,
            _ => Self::Open,
        }
    }
}
