//! The words of each command during the scan: their roles, and where its output goes.

use crate::syntax::ast::FieldName;

use super::super::PlaceholderProblemKind;
use super::super::code::Finder;
use super::super::command::{TemplateCommand, TemplateWord, WordUsage, runs_standard_input};
use super::Scanner;

/// A list of commands.
#[derive(Default)]
pub(super) struct CommandList {
    pub(super) simple: TemplateCommand,
    pub(super) word: Option<PendingWord>,
    /// The redirection whose target is the next word.
    pub(super) redirect: Option<Redirect>,
    /// Whether the command reads the output of the one before it.
    pub(super) piped: bool,
    /// The placeholders of the pipeline so far, including the current command's.
    pub(super) pipeline: Vec<usize>,
    /// The number of open `case`s.
    pub(super) cases: usize,
    /// Whether a `case` expects a pattern.
    pub(super) pattern: bool,
    /// Every placeholder in it.
    pub(super) all: Vec<usize>,
    /// The number of open `{`, `if` and loops.
    pub(super) compounds: usize,
    /// Whether the next body is a function's, after `name()` or `function`.
    pub(super) function_next: bool,
    /// Whether the next word is a function's name, after `function`.
    pub(super) function_name: bool,
    /// The depth of the braces around a function's body.
    pub(super) function: Option<usize>,
    /// Whether it is a function's body itself.
    pub(super) is_function: bool,
    /// Whether a `)` ends it, which is not so for the whole text.
    pub(super) closes: bool,
}

impl CommandList {
    /// Follows the first word of a command into compound commands and out of them.
    fn reserved_word(&mut self, word: &str) {
        match word {
            "{" | "if" | "while" | "until" | "for" | "select" => {
                self.compounds += 1;
                if word == "{" && std::mem::take(&mut self.function_next) && self.function.is_none() {
                    self.function = Some(self.compounds);
                }
            }
            "}" | "fi" | "done" => {
                if self.function == Some(self.compounds) {
                    self.function = None;
                }
                self.compounds = self.compounds.saturating_sub(1);
            }
            "function" => {
                self.function_next = true;
                self.function_name = true;
            }
            "esac" => self.cases = self.cases.saturating_sub(1),
            _ => {}
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirect {
    File,
    /// `<<<`: the word is the command's input.
    HereString,
}

/// An unfinished word.
#[derive(Default)]
pub(super) struct PendingWord {
    /// Its literal text up to the first value or expansion.
    pub(super) prefix: String,
    /// The word as the shell builds it.
    pub(super) whole: hookrules_shell::Word,
    /// The number of values and expansions so far.
    pub(super) parts: usize,
    /// The placeholder at its very beginning.
    pub(super) first: Option<usize>,
    pub(super) placeholders: Vec<usize>,
    /// The placeholders in commands whose output is a part of it.
    pub(super) inner: Vec<usize>,
    /// Whether it is the name of a pipe from other commands: `<(…)`.
    pub(super) is_pipe: bool,
    /// Whether it is more than one bare placeholder.
    pub(super) mixed: bool,
}

impl Scanner<'_> {
    pub(super) fn end_word(&mut self) {
        let Some((word, redirect, is_pattern)) =
            self.list().and_then(|list| list.word.take().map(|word| (word, list.redirect.take(), list.pattern)))
        else {
            return;
        };
        let usage = match redirect {
            Some(_) => WordUsage::Single,
            None if is_pattern => self.pattern_word(&word),
            None => self.command_word(&word),
        };
        let is_value = !word.mixed && word.placeholders.len() == 1;
        let whole_word = is_value && usage == WordUsage::Plain;
        for index in &word.placeholders {
            if let Some(place) = self.places.get_mut(*index) {
                place.whole_word = whole_word;
            }
        }
        if let Some(list) = self.list() {
            list.all.extend(&word.placeholders);
            match redirect {
                // The command reads it like a pipe.
                Some(Redirect::HereString) => {
                    list.piped = true;
                    list.pipeline.extend(word.placeholders.iter().chain(&word.inner));
                }
                Some(Redirect::File) => {}
                None => list.pipeline.extend(word.placeholders.iter().chain(&word.inner)),
            }
        }
        let concerned: Vec<usize> = match usage {
            WordUsage::Option => word.placeholders.iter().take(1).copied().collect(),
            _ => word.placeholders.iter().chain(&word.inner).copied().collect(),
        };
        if let Some(kind) = usage.problem() {
            self.problems.extend(concerned.into_iter().map(|index| (index, kind.clone())));
        }
    }

    /// Handles a word of a `case` before its `)`.
    fn pattern_word(&mut self, word: &PendingWord) -> WordUsage {
        let ends = word.parts == 0 && word.prefix == "esac";
        if let Some(list) = self.list().filter(|_| ends) {
            list.cases = list.cases.saturating_sub(1);
            list.pattern = false;
        }
        WordUsage::Single
    }

    fn command_word(&mut self, word: &PendingWord) -> WordUsage {
        let text = self.text;
        let first: Option<&FieldName> = word.first.and_then(|index| text.placeholders.get(index)).map(|p| &p.name);
        let Some(list) = self.list() else {
            return WordUsage::Plain;
        };
        if std::mem::take(&mut list.function_name) {
            list.simple = TemplateCommand::default();
            self.functions.insert(word.prefix.clone());
            return WordUsage::Single;
        }
        let is_literal = word.parts == 0;
        let is_first = list.simple.program().is_none();
        let usage = list.simple.add_word(&TemplateWord {
            prefix: &word.prefix,
            is_literal,
            first,
            has_values: !word.placeholders.is_empty() || !word.inner.is_empty(),
            whole: &word.whole,
            from_shell: true,
        });
        let usage = match list.simple.runs_files() {
            Some(program) if word.is_pipe && !word.inner.is_empty() => WordUsage::Code(program.to_owned()),
            _ => usage,
        };
        let literal = if is_literal { word.prefix.as_str() } else { "" };
        let moves = match list.simple.program() {
            Some("shift") => true,
            Some("set") => list.simple.argument_count() > 0 && !is_set_option(literal),
            _ => false,
        };
        if is_first {
            list.reserved_word(literal);
        }
        if literal == "in" && list.simple.program() == Some("case") && list.simple.argument_count() > 1 {
            list.cases += 1;
            list.pattern = true;
            list.simple = TemplateCommand::default();
        }
        self.moves_parameters |= moves && !self.is_in_function();
        // A function takes no options; what its commands do with the value is examined later.
        if usage == WordUsage::Option && self.is_function_call() {
            for index in &word.placeholders {
                if let Some(place) = self.places.get_mut(*index) {
                    place.is_of_function = true;
                }
            }
            return WordUsage::Plain;
        }
        usage
    }

    /// Whether the current command calls a function that the text has defined.
    fn is_function_call(&mut self) -> bool {
        let name = self.list().and_then(|list| list.simple.words().first()?.known_text().map(str::to_owned));
        name.is_some_and(|name| self.functions.contains(&name))
    }

    pub(super) fn end_command(&mut self, separator: Separator) {
        self.end_word();
        let Some(list) = self.list() else {
            return;
        };
        // Inside a pattern list, `|` separates patterns.
        if list.pattern {
            return;
        }
        let simple = std::mem::take(&mut list.simple);
        list.redirect = None;
        let is_fed = list.piped && !list.pipeline.is_empty();
        let reader = if is_fed { runs_standard_input(simple.words()) } else { None };
        let fed: Vec<usize> = if reader.is_some() { list.pipeline.clone() } else { Vec::new() };
        list.piped = separator == Separator::Pipe;
        // The output of a compound command is that of all its parts.
        if separator == Separator::Semicolon && list.compounds == 0 {
            list.pipeline.clear();
        }
        if let Some(program) = reader {
            let kind = PlaceholderProblemKind::ProgramCode(program.to_owned());
            self.problems.extend(fed.into_iter().map(|index| (index, kind.clone())));
        }
        if !simple.has_values() {
            return;
        }
        let text = self.text;
        let name = |index: usize| text.placeholders.get(index).map(|placeholder| &placeholder.name);
        self.problems.extend(Finder { programs: self.programs, name: &name }.find(simple.words()));
    }
}

/// The end of a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Pipe,
    Semicolon,
    /// The end of the list.
    End,
}

/// `set -e`, `set +x`, `set -o pipefail`: anything else sets `$1`.
fn is_set_option(word: &str) -> bool {
    let is_flag = word.starts_with(['-', '+']) && word != "--" && word != "-";
    is_flag || matches!(word, "pipefail" | "errexit" | "nounset" | "noglob" | "noclobber" | "xtrace")
}
