//! Texts that bash expands a second time: subscripts in the names that builtins take, numbers in `[[ … ]]`, prompts.

use super::{Frame, SpanTracking, WalkContext};
use crate::evaluated::EvaluatorKind;
use crate::expand::{self, ExpansionContext};
use crate::parse::{RawText, is_name};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown};

/// The comparisons of `[[ … ]]` whose operands are arithmetic expressions.
const NUMBER_COMPARISONS: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

/// Prompt variables, which are expanded before they are shown.
const PROMPT_VARIABLES: &[&str] = &["PS0", "PS1", "PS2", "PS4"];

/// Variables whose values are always integers.
const INTEGER_VARIABLES: &[&str] = &["SECONDS", "RANDOM", "LINENO", "HISTCMD", "OPTIND"];

impl Frame<'_> {
    /// Expands the words of `[[ … ]]`, and evaluates the operands that are arithmetic expressions or names.
    pub(super) fn expand_test(&mut self, words: &[RawText]) {
        let values: Vec<ShellValue> = words.iter().map(|word| expand::word(self, &word.text)).collect();
        for (index, operator) in words.iter().enumerate() {
            let operand_indices = match operator.text.as_str() {
                text if NUMBER_COMPARISONS.contains(&text) => [index.checked_sub(1), Some(index + 1)],
                "-v" | "-R" => [None, Some(index + 1)],
                "=~" | "=" | "==" | "!=" => {
                    if self.interpreter.watch.is_some()
                        && let Some(pattern) = values.get(index + 1)
                        && let Some(value) = index.checked_sub(1).and_then(|index| values.get(index))
                    {
                        let written = words.get(index + 1).map_or("", |word| word.text.as_str());
                        self.note_comparison(&format!("{written} {}", pattern.word.literal()), value);
                    }
                    continue;
                }
                _ => continue,
            };
            for value in operand_indices.into_iter().flatten().filter_map(|index| values.get(index)) {
                self.note_evaluation(EvaluatorKind::Expression, value);
                expand::run_expression(self, &value.word.literal());
            }
        }
    }

    /// Expands the subscripts in the names that a builtin takes, and the arithmetic of `let`: `read 'a[$(rm x)]'`
    /// runs `rm`.
    pub(super) fn expand_subscripts(&mut self, builtin: &str, arguments: &[ShellValue]) {
        let words = arguments.iter().map(|value| value.word.literal());
        let names: Vec<String> = match builtin {
            "test" | "[" | "printf" | "wait" => {
                let option = if builtin == "wait" { "-p" } else { "-v" };
                words.clone().zip(words.skip(1)).filter(|(before, _)| before == option).map(|(_, name)| name).collect()
            }
            "let" => words.collect(),
            "read" | "mapfile" | "readarray" | "unset" | "getopts" | "declare" | "typeset" | "local" | "export"
            | "readonly" => {
                let texts: Vec<String> = words.collect();
                let is_prompt =
                    |at: usize| at.checked_sub(1).and_then(|at| texts.get(at)).is_some_and(|word| word == "-p");
                let is_watched = self.interpreter.watch.is_some();
                let may_be_name = |(at, word): &(usize, &String)| (word.contains('[') || is_watched) && !is_prompt(*at);
                texts.iter().enumerate().filter(may_be_name).map(|(_, word)| strip_value(word).to_owned()).collect()
            }
            _ => return,
        };
        for name in &names {
            if builtin == "let" || name.contains('[') && may_run_command(name) {
                expand::run_expression(self, name);
            } else {
                self.note_evaluated_expression(name);
            }
        }
    }

    /// Examines a value that is assigned to a variable. The values of prompts and integers are expanded when they are
    /// used, which may run substitutions in them.
    pub(super) fn note_assigned(&mut self, name: &str, value: &ShellValue) {
        let text = value.word.literal();
        if PROMPT_VARIABLES.contains(&name) {
            self.note_evaluation(EvaluatorKind::Expression, value);
        }
        if INTEGER_VARIABLES.contains(&name)
            || self.state.has_integers && !text.bytes().all(|byte| byte.is_ascii_digit())
        {
            expand::run_expression(self, &text);
        }
        if PROMPT_VARIABLES.contains(&name) && may_run_command(&text) {
            let doubt = Some(Unknown::new(Cause::Variable, format!("${name}")));
            let context = WalkContext { doubt, span_tracking: SpanTracking::Dropped, ..self.context.clone() };
            let mut state = self.state.clone();
            expand::reexpand(&mut self.with_state(&mut state, &context), &text);
        }
    }
}

/// Returns the name of an assignment, whose value is not expanded again unless it is a list; returns any other word
/// unchanged.
fn strip_value(word: &str) -> &str {
    match word.split_once('=') {
        Some((name, value)) if is_name(name.trim_end_matches('+')) && !value.starts_with('(') => name,
        _ => word,
    }
}

/// Whether the expansion of a text may run a command.
fn may_run_command(text: &str) -> bool {
    text.contains("$(") || text.contains('`') || text.contains("${")
}
