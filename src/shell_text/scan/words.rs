//! The words of each command during the scan: the role of each word, and where the output of the command goes.

use crate::syntax::ast::FieldName;

use super::super::PlaceholderProblemKind;
use super::super::code::Finder;
use super::super::command::{TemplateCommand, TemplateWord, WordUsage, runs_standard_input};
use super::Scanner;

/// A list of commands that is scanned, and the state at the current position.
#[derive(Default)]
pub(super) struct CommandList {
    /// The current command.
    pub(super) simple: TemplateCommand,
    /// The current word; `None` between two words.
    pub(super) word: Option<PendingWord>,
    /// The redirection whose target is the next word.
    pub(super) redirect: Option<Redirect>,
    /// Whether the current command reads the output of the command before it.
    pub(super) reads_pipe: bool,
    /// The placeholders of the pipeline so far, including those of the current command.
    pub(super) pipeline: Vec<usize>,
    /// The number of `case` commands that are open.
    pub(super) open_cases: usize,
    /// Whether the next words are a pattern of a `case`.
    pub(super) is_case_pattern: bool,
    /// All placeholders in the list.
    pub(super) placeholders: Vec<usize>,
    /// The number of `{`, `if` and loops that are open.
    pub(super) open_compounds: usize,
    /// Whether the next compound command is the body of a function, after `name()` or `function`.
    pub(super) is_body_next: bool,
    /// Whether the next word is the name of a function, after `function`.
    pub(super) is_function_name_next: bool,
    /// The number of open compound commands at the `{` of a function's body; `None` outside a function.
    pub(super) body_depth: Option<usize>,
    /// Whether the whole list is the body of a function.
    pub(super) is_function_body: bool,
    /// Whether a `)` ends the list; false for the whole text.
    pub(super) ends_at_parenthesis: bool,
}

impl CommandList {
    /// Updates the state for the first word of a command, which may open or close a compound command.
    fn reserved_word(&mut self, word: &str) {
        match word {
            "{" | "if" | "while" | "until" | "for" | "select" => {
                self.open_compounds += 1;
                if word == "{" && std::mem::take(&mut self.is_body_next) && self.body_depth.is_none() {
                    self.body_depth = Some(self.open_compounds);
                }
            }
            "}" | "fi" | "done" => {
                if self.body_depth == Some(self.open_compounds) {
                    self.body_depth = None;
                }
                self.open_compounds = self.open_compounds.saturating_sub(1);
            }
            "function" => {
                self.is_body_next = true;
                self.is_function_name_next = true;
            }
            "esac" => self.open_cases = self.open_cases.saturating_sub(1),
            _ => {}
        }
    }
}

/// The redirection whose target is the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirect {
    /// A redirection from or to a file.
    File,
    /// `<<<`: the word is the input of the command.
    HereString,
}

/// A word that is not complete yet.
#[derive(Default)]
pub(super) struct PendingWord {
    /// The literal text up to the first value or expansion.
    pub(super) prefix: String,
    /// The word without its quotes, with values and expansions as unknown parts.
    pub(super) whole: hookrules_shell::Word,
    /// The number of values and expansions in the word so far.
    pub(super) parts: usize,
    /// The placeholder at the start of the word.
    pub(super) first: Option<usize>,
    /// The placeholders in the word.
    pub(super) placeholders: Vec<usize>,
    /// The placeholders in commands whose output is part of the word.
    pub(super) inner: Vec<usize>,
    /// Whether the word is the name of a pipe: `<(…)`.
    pub(super) is_pipe: bool,
    /// Whether the word is anything but a single unquoted placeholder.
    pub(super) mixed: bool,
}

impl Scanner<'_> {
    /// Completes the current word, and records the problems of its placeholders.
    pub(super) fn end_word(&mut self) {
        let Some((word, redirect, is_pattern)) = self
            .list()
            .and_then(|list| list.word.take().map(|word| (word, list.redirect.take(), list.is_case_pattern)))
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
            if let Some(quoting) = self.quotings.get_mut(*index) {
                quoting.whole_word = whole_word;
            }
        }
        if let Some(list) = self.list() {
            list.placeholders.extend(&word.placeholders);
            match redirect {
                // The word is the input of the command, like the output of a command in a pipe.
                Some(Redirect::HereString) => {
                    list.reads_pipe = true;
                    list.pipeline.extend(word.placeholders.iter().chain(&word.inner));
                }
                Some(Redirect::File) => {}
                None => list.pipeline.extend(word.placeholders.iter().chain(&word.inner)),
            }
        }
        let concerned: Vec<usize> = match usage {
            WordUsage::Option | WordUsage::AfterOption(_) => word.placeholders.iter().take(1).copied().collect(),
            _ => word.placeholders.iter().chain(&word.inner).copied().collect(),
        };
        if let Some(kind) = usage.problem() {
            self.problems.extend(concerned.into_iter().map(|index| (index, kind.clone())));
        }
    }

    /// Handles a word of a `case` command in a pattern, before the `)`.
    fn pattern_word(&mut self, word: &PendingWord) -> WordUsage {
        let ends = word.parts == 0 && word.prefix == "esac";
        if let Some(list) = self.list().filter(|_| ends) {
            list.open_cases = list.open_cases.saturating_sub(1);
            list.is_case_pattern = false;
        }
        WordUsage::Single
    }

    /// Handles a word of a command, and returns its role.
    fn command_word(&mut self, word: &PendingWord) -> WordUsage {
        let text = self.text;
        let first: Option<&FieldName> = word.first.and_then(|index| text.placeholders.get(index)).map(|p| &p.name);
        let Some(list) = self.list() else {
            return WordUsage::Plain;
        };
        if std::mem::take(&mut list.is_function_name_next) {
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
            list.open_cases += 1;
            list.is_case_pattern = true;
            list.simple = TemplateCommand::default();
        }
        self.moves_parameters |= moves && !self.is_in_function();
        // A function takes no options. `later` examines what its commands do with the value.
        if matches!(usage, WordUsage::Option | WordUsage::AfterOption(_)) && self.is_function_call() {
            for index in &word.placeholders {
                if let Some(quoting) = self.quotings.get_mut(*index) {
                    quoting.is_of_function = true;
                }
            }
            return WordUsage::Plain;
        }
        usage
    }

    /// Whether the current command calls a function that the text has defined before.
    fn is_function_call(&mut self) -> bool {
        let name = self.list().and_then(|list| list.simple.words().first()?.known_text().map(str::to_owned));
        name.is_some_and(|name| self.functions.contains(&name))
    }

    /// Completes the current command, and records the problems that depend on all of its words.
    pub(super) fn end_command(&mut self, separator: Separator) {
        self.end_word();
        let Some(list) = self.list() else {
            return;
        };
        // In a pattern, `|` separates alternatives.
        if list.is_case_pattern {
            return;
        }
        let simple = std::mem::take(&mut list.simple);
        list.redirect = None;
        let reads_values = list.reads_pipe && !list.pipeline.is_empty();
        let reader = if reads_values { runs_standard_input(simple.words()) } else { None };
        let values_read: Vec<usize> = if reader.is_some() { list.pipeline.clone() } else { Vec::new() };
        list.reads_pipe = separator == Separator::Pipe;
        // The output of a compound command is that of all commands in it.
        if separator == Separator::Semicolon && list.open_compounds == 0 {
            list.pipeline.clear();
        }
        if let Some(program) = reader {
            let kind = PlaceholderProblemKind::ProgramCode(program.to_owned());
            self.problems.extend(values_read.into_iter().map(|index| (index, kind.clone())));
        }
        if !simple.has_values() {
            return;
        }
        let text = self.text;
        let name = |index: usize| text.placeholders.get(index).map(|placeholder| &placeholder.name);
        self.problems.extend(Finder { programs: self.programs, name: &name }.find(simple.words()));
    }
}

/// What ends a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    /// `|` or `|&`: the next command reads the output.
    Pipe,
    /// `;`, `&`, `&&`, `||` or a newline.
    Semicolon,
    /// The end of the list of commands.
    End,
}

/// Whether a word after `set` is an option (`-e`, `+x`) or the name of one (`pipefail`); any other word sets `$1`.
fn is_set_option(word: &str) -> bool {
    let is_flag = word.starts_with(['-', '+']) && word != "--" && word != "-";
    is_flag || matches!(word, "pipefail" | "errexit" | "nounset" | "noglob" | "noclobber" | "xtrace")
}
