//! Loops: the body is walked for each known word or line, or until everything that it changes is unknown.

use super::flow::{Flow, Jump};
use super::read_builtins::NextLine;
use super::{Frame, WalkContext, insert_ids};
use crate::expand;
use crate::parse::{CommandKind, CommandNode, LoopKeyword, RawText};
use crate::state::VariableValue;
use crate::stream::{ShellValue, StreamContent};
use crate::word::{Cause, Directory, PrintedValue, Unknown, UnknownPart, WordPart};

/// The maximum number of times that a command is walked in nested loops: the product of their numbers of words or
/// lines.
const MAX_COPIES: usize = 64;

/// The maximum number of words or lines for each of which the body of a loop is walked. The body of a longer loop is
/// walked with an unknown value.
const MAX_ITERATIONS: usize = 16;

/// The number of passes over the body of a loop after which all variables and the directory become unknown.
const MAX_PASSES: usize = 4;

/// Whether each value is a number: `{1..100}`.
fn are_numbers(values: &[ShellValue]) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    !values.is_empty() && values.iter().all(|value| value.word.known_text().is_some_and(is_number))
}

/// Whether each word of a value is a number that a command prints: `$(seq 1 "$n")`.
fn is_printed_number(value: &ShellValue) -> bool {
    let is_number = |unknown: &UnknownPart| unknown.reason.source.printed_value() == Some(&PrintedValue::Numbers);
    matches!(value.word.parts.as_slice(), [WordPart::Unknown(unknown)] if is_number(unknown))
}

impl Frame<'_> {
    /// Walks a `for` or `select` loop: the body for each word if the words are few and known, and otherwise with an
    /// unknown value.
    pub(super) fn for_loop(
        &mut self,
        head: LoopKeyword,
        name: &str,
        words: Option<&[RawText]>,
        body: &CommandNode,
    ) -> Flow {
        let positional_parameters = [RawText { text: "\"$@\"".to_owned(), span: 0..0 }];
        let mut values = Vec::new();
        for raw in words.unwrap_or(&positional_parameters) {
            expand::words(self, raw, &mut values);
        }
        for value in &mut values {
            value.word.span = None;
        }
        if head == LoopKeyword::Select {
            self.state.forget("REPLY");
        }
        let is_known = |value: &ShellValue| !value.word.may_split() || value.word.as_glob_match().is_some();
        let takes_each = head == LoopKeyword::For || self.interpreter.watch.is_some();
        let is_known_list = takes_each && !values.is_empty() && values.iter().all(is_known);
        let copies = self.context.loop_copies * values.len();
        if is_known_list && values.len() <= MAX_ITERATIONS && copies <= MAX_COPIES {
            return self.walk_each_value(name, values, copies, body);
        }
        let mut writers = Vec::new();
        values.iter().for_each(|value| insert_ids(&mut writers, &value.writers));
        let value = match values.as_slice() {
            [value] if head == LoopKeyword::For && is_printed_number(value) => {
                ShellValue { writers, ..ShellValue::number(name) }
            }
            // The value of a single glob (`for f in *.c`) is still partly known: it matches the glob.
            [value] if head == LoopKeyword::For => value.clone().into_one_word(),
            values if head == LoopKeyword::For && are_numbers(values) => {
                ShellValue { writers, ..ShellValue::number(name) }
            }
            _ => ShellValue { writers, ..ShellValue::variable(name) },
        };
        self.walk_repeated(|frame| {
            frame.state.set(name, VariableValue::One(value.clone()));
            frame.state.export_like_inherited(name);
            if head == LoopKeyword::Select {
                frame.state.forget("REPLY");
            }
            frame.walk_node(body)
        })
    }

    /// Walks the body of a loop for each value.
    fn walk_each_value(&mut self, name: &str, values: Vec<ShellValue>, copies: usize, body: &CommandNode) -> Flow {
        let context = WalkContext { in_loop: true, loop_copies: copies, ..self.context.clone() };
        let outer = std::mem::take(&mut self.interpreter.jumps);
        let mut frame = self.with_context(&context);
        let mut flow = Flow::empty();
        for value in values {
            // The value of a glob may be any number of names.
            let next = if value.word.may_split() {
                frame.walk_repeated(|frame| {
                    frame.state.assign_text(name, value.clone());
                    frame.state.export_like_inherited(name);
                    frame.walk_node(body)
                })
            } else {
                frame.note_assigned(name, &value);
                frame.state.assign_text(name, value);
                frame.state.export_like_inherited(name);
                frame.walk_node(body)
            };
            // If this iteration may end the loop by a jump, the following ones may write nothing.
            flow = flow.concat(next);
        }
        self.join_jumps(outer, Jump::Loop);
        flow.stop_jump(Jump::Loop)
    }

    /// Walks a `while` loop. If the condition is a `read` of a known text, walks the body for each line. Any other loop
    /// is walked until everything that it changes is unknown.
    pub(super) fn while_loop(&mut self, condition: &CommandNode, body: &CommandNode) -> Flow {
        let Some(words) = read_condition(condition) else { return self.until_loop(condition, body) };
        let input = self.stdin();
        let count = match &input.content {
            StreamContent::Known(value) => value.word.known_text().map(|text| text.matches('\n').count()),
            _ => None,
        };
        let copies = self.context.loop_copies * count.unwrap_or_default().max(1);
        if count.is_none_or(|count| count > MAX_ITERATIONS) || copies > MAX_COPIES {
            return self.until_loop(condition, body);
        }
        let context = WalkContext { in_loop: true, loop_copies: copies, ..self.context.clone() };
        let outer = std::mem::take(&mut self.interpreter.jumps);
        let mut flow = Flow::empty();
        let mut iterations = 0;
        let mut frame = self.with_context(&context);
        loop {
            let Some(next) = frame.next_line(&words, &input).filter(|_| iterations <= MAX_ITERATIONS) else {
                // Another command of the loop reads from the same input, so the next line is not known.
                let rest = frame.until_loop(condition, body);
                flow = flow.concat(rest);
                break;
            };
            let condition_flow = frame.walk_node(condition);
            flow = flow.concat(condition_flow);
            if next == NextLine::Missing {
                break;
            }
            let body_flow = frame.walk_node(body);
            flow = flow.concat(body_flow);
            iterations += 1;
        }
        self.join_jumps(outer, Jump::Loop);
        flow.stop_jump(Jump::Loop)
    }

    /// Walks an `until` loop, or a `while` loop with any condition: both parts may run any number of times.
    pub(super) fn until_loop(&mut self, condition: &CommandNode, body: &CommandNode) -> Flow {
        self.walk_repeated(|frame| {
            let flow = frame.walk_node(condition);
            flow.concat(frame.walk_node(body))
        })
    }

    /// Walks a body that may run any number of times: repeats the walk, and joins the states, until a pass changes
    /// nothing. Each pass replaces the commands that the previous one recorded. After [`MAX_PASSES`], all variables and
    /// the directory become unknown, and one more pass is made.
    pub(super) fn walk_repeated(&mut self, mut walk: impl FnMut(&mut Frame<'_>) -> Flow) -> Flow {
        let context = WalkContext { in_loop: true, ..self.context.clone() };
        let checkpoint = self.interpreter.checkpoint();
        let mut pass = 1;
        loop {
            let start = self.state.clone();
            let outer = std::mem::take(&mut self.interpreter.jumps);
            let flow = walk(&mut self.with_context(&context)).stop_jump(Jump::Loop);
            self.join_jumps(outer, Jump::Loop);
            let mut joined = start.clone();
            joined.join(self.state);
            let is_stable = start.can_absorb(&joined);
            *self.state = joined;
            if is_stable || pass > MAX_PASSES || self.interpreter.steps == 0 {
                // The body may not run at all, so the files that it writes may keep their previous content.
                self.merge_written_files(&checkpoint.written);
                return Flow { content: StreamContent::Unknown, jump: Jump::Nothing, ..flow };
            }
            if pass == MAX_PASSES {
                self.state.forget_variables();
                self.state.cwd = Directory::Unknown(Unknown::new(Cause::Directory, "cd"));
            }
            pass += 1;
            self.interpreter.roll_back(&checkpoint);
        }
    }
}

/// Returns the arguments of a condition that is just a `read` of standard input, without quotes, expansions or
/// redirections; `None` for other conditions.
fn read_condition(condition: &CommandNode) -> Option<Vec<&str>> {
    let CommandKind::Simple { words, .. } = &unwrap_list(condition).kind else { return None };
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let (name, words) = words.split_first()?;
    let is_plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (*name == "read" && condition.redirects.is_empty() && words.iter().all(is_plain)).then(|| words.to_vec())
}

/// Returns the only command of a list, or of the lists in it; any other node is returned unchanged.
fn unwrap_list(node: &CommandNode) -> &CommandNode {
    match &node.kind {
        CommandKind::List(items) if node.redirects.is_empty() => match items.as_slice() {
            [one] => unwrap_list(&one.node),
            _ => node,
        },
        _ => node,
    }
}
