//! Text that bash expands a second time: subscripts in the names that builtins take, numbers of `[[ … ]]`, prompts.

use super::{Frame, SpanTracking, WalkContext};
use crate::evaluated::EvaluatorKind;
use crate::expand::{self, ExpansionContext};
use crate::parse::{RawText, is_name};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown};

/// The comparisons of `[[ … ]]` whose operands are arithmetic expressions.
const NUMBERS: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// Prompt variables, which are expanded before they are shown.
const PROMPTS: &[&str] = &["PS0", "PS1", "PS2", "PS4"];

/// Variables whose values are always integers.
const INTEGERS: &[&str] = &["SECONDS", "RANDOM", "LINENO", "HISTCMD", "OPTIND"];

impl Frame<'_> {
    /// Expands the words of `[[ … ]]`, and evaluates the operands that are arithmetic expressions or names.
    pub(super) fn expand_test(&mut self, words: &[RawText]) {
        let values: Vec<ShellValue> = words.iter().map(|word| expand::word(self, &word.text)).collect();
        for (at, operator) in words.iter().enumerate() {
            let sides = match operator.text.as_str() {
                text if NUMBERS.contains(&text) => [at.checked_sub(1), Some(at + 1)],
                "-v" | "-R" => [None, Some(at + 1)],
                "=~" | "=" | "==" | "!=" => {
                    if self.interpreter.watch.is_some()
                        && let Some(pattern) = values.get(at + 1)
                        && let Some(value) = at.checked_sub(1).and_then(|at| values.get(at))
                    {
                        let written = words.get(at + 1).map_or("", |word| word.text.as_str());
                        self.note_comparison(&format!("{written} {}", pattern.word.literal()), value);
                    }
                    continue;
                }
                _ => continue,
            };
            for value in sides.into_iter().flatten().filter_map(|at| values.get(at)) {
                self.note_evaluation(EvaluatorKind::Expression, value);
                expand::run_expression(self, &value.word.literal());
            }
        }
    }

    /// Expands the subscripts in the names that a builtin takes, and the arithmetic of `let`: `read 'a[$(rm x)]'`
    /// runs `rm`.
    pub(super) fn subscripts(&mut self, builtin: &str, arguments: &[ShellValue]) {
        let words = arguments.iter().map(|value| value.word.literal());
        let names: Vec<String> = match builtin {
            "test" | "[" | "printf" | "wait" => {
                let option = if builtin == "wait" { "-p" } else { "-v" };
                words.clone().zip(words.skip(1)).filter(|(before, _)| before == option).map(|(_, name)| name).collect()
            }
            "let" => words.collect(),
            "read" | "mapfile" | "readarray" | "unset" | "getopts" | "declare" | "typeset" | "local" | "export"
            | "readonly" => {
                let all: Vec<String> = words.collect();
                let is_prompt =
                    |at: usize| at.checked_sub(1).and_then(|at| all.get(at)).is_some_and(|word| word == "-p");
                let is_watched = self.interpreter.watch.is_some();
                let named = |(at, word): &(usize, &String)| (word.contains('[') || is_watched) && !is_prompt(*at);
                all.iter().enumerate().filter(named).map(|(_, word)| strip_value(word).to_owned()).collect()
            }
            _ => return,
        };
        for name in &names {
            if builtin == "let" || name.contains('[') && runs(name) {
                expand::run_expression(self, name);
            } else {
                self.note_evaluated_expression(name);
            }
        }
    }

    /// Examines a value that is assigned to a variable: values of prompts and integers are expanded when they are
    /// used.
    pub(super) fn note_assigned(&mut self, name: &str, value: &ShellValue) {
        let text = value.word.literal();
        if PROMPTS.contains(&name) {
            self.note_evaluation(EvaluatorKind::Expression, value);
        }
        if INTEGERS.contains(&name) || self.state.has_integers && !text.bytes().all(|byte| byte.is_ascii_digit()) {
            expand::run_expression(self, &text);
        }
        if PROMPTS.contains(&name) && runs(&text) {
            let doubt = Some(Unknown::new(Cause::Variable, format!("${name}")));
            let setting = WalkContext { doubt, span_tracking: SpanTracking::Dropped, ..self.context.clone() };
            let mut state = self.state.clone();
            expand::reexpand(&mut self.with_state(&mut state, &setting), &text);
        }
    }
}

/// Returns the name of an assignment whose value is not a list, and any other word as it is: such a value is not
/// expanded again.
fn strip_value(word: &str) -> &str {
    match word.split_once('=') {
        Some((name, value)) if is_name(name.trim_end_matches('+')) && !value.starts_with('(') => name,
        _ => word,
    }
}

/// Whether the expansion of a text may run a command.
fn runs(text: &str) -> bool {
    text.contains("$(") || text.contains('`') || text.contains("${")
}
