//! Values that are evaluated as code later: the shell that parses the string passes a value on unchanged, and the
//! program that gets it evaluates it again. `bash -c '[[ $1 -eq 1 ]]' _ {x}` runs a `$(…)` in the value.
//!
//! The string is analysed with a token in place of each value, and the analysis records the evaluated texts that a
//! token reaches. Whether a value in a nested script runs depends on the quotes around it. So the value is then
//! replaced by a probe, a text whose tokens run unless they are quoted.

use std::collections::BTreeSet;
use std::path::Path;

use hookrules_shell::analysis::{CommandId, EvaluatedText, EvaluatorKind, RedirectKind, SimpleCommand as Ran};
use hookrules_shell::interpret::analyse_marked;
use hookrules_shell::nested::{CodeSource, Runnable, awk_commands, nested};
use hookrules_shell::programs::program;
use hookrules_shell::word::{Cause, WordPart};
use hookrules_shell::{Analysis, Programs, StartDirectories, Word as ShellWord, quote};

use super::code::{self, Finder};
use super::command::{TemplateCommand, TemplateWord, WordUsage, is_absolute, is_project};
use super::{PlaceholderProblemKind, ShellTemplate, TemplatePiece};
use crate::syntax::ast::FieldName;

/// The maximum nesting of commands that run another command for each line of their input, such as `xargs sh -c`.
const MAX_INPUT_DEPTH: usize = 3;

/// The working directory, and the value of `project`, in the analysis.
const PROJECT: &str = "/project";

/// A variable that no script sets.
const UNKNOWN: &str = "RULES_UNKNOWN";

/// The start and the end of the token that represents a value. No policy runs a command of such a name.
const TOKEN: (&str, &str) = ("RULESVALUE", "END");

/// The shells without arrays, whose arithmetic evaluates no subscripts.
const WITHOUT_SUBSCRIPTS: &[&str] = &["dash", "ash", "busybox"];

/// The texts by which a pattern for numbers is recognised.
const DIGITS: &[&str] = &["0-9", ":digit:", "\\d"];

/// The programs that compare a text with a pattern.
const MATCHERS: &[&str] = &["grep", "egrep", "rg", "expr", "awk", "sed", "perl"];

/// The programs that print their words.
const PRINTERS: &[&str] = &["echo", "printf", "print", "basename"];

/// The programs that pass on most of their input.
const FILTERS: &[&str] =
    &["cat", "cut", "fold", "head", "jq", "rev", "sed", "sort", "tac", "tail", "tee", "tr", "uniq"];

/// The program `make`, whose targets the analysis treats as shell text if they contain shell operators. The record
/// determines which of its words are code, so these texts are ignored here.
const MAKE: &str = "make";

/// The builtins whose words the analysis itself evaluates.
const FOLLOWED: &[&str] = &[
    "eval",
    "trap",
    "let",
    "declare",
    "typeset",
    "[[",
    "read",
    "unset",
    "mapfile",
    "readarray",
    "getopts",
    "export",
    "readonly",
    "local",
    "printf",
    "test",
    "[",
];

/// A text that replaces a value in a script to find out whether the value would run as code. It contains the value's
/// token; if the token runs as a command, so would a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Probe {
    /// The token alone, to find the words that contain the value.
    Token,
    /// The token runs wherever the value is in a script: also in quotes, and in a comment.
    Script,
    /// The token runs if the value is outside of quotes, or is the whole script.
    Bare,
    /// The token runs if the value is in single quotes, or in a comment.
    Single,
    /// The token runs if the value is in double quotes.
    Double,
    /// The token runs if the value is evaluated as arithmetic, or is in double quotes or a here-document.
    Subscript,
}

impl Probe {
    /// The probes for a text that becomes a script. The first one has all quotes, so the others follow: a program
    /// that parses quotes itself, such as `xargs`, may reject the first one.
    const IN_SCRIPT: [Self; 5] = [Self::Script, Self::Bare, Self::Single, Self::Double, Self::Subscript];

    /// Returns the text of the probe.
    fn value(self, token: &str) -> String {
        match self {
            Self::Token => token.to_owned(),
            Self::Script => format!("{token};\";{token};\"';\n{token}\n:'"),
            Self::Subscript => format!("a[$({token})]"),
            Self::Bare => format!("{token};{token};{token}"),
            Self::Single => format!("';\n{token}\n;'"),
            Self::Double => format!("\";{token};\""),
        }
    }
}

/// Returns the shell text of a template, with a variable in place of each value.
pub(super) fn script(template: &ShellTemplate) -> String {
    template_with_variables(template, &variable)
}

/// Like [`script`], with the same unset variable in place of each value, since the values are not checked.
pub(super) fn script_without_values(template: &ShellTemplate) -> String {
    template_with_variables(template, &|_| UNKNOWN.to_owned())
}

/// Returns the shell text of a template, with the variable that `name` returns in place of each value.
fn template_with_variables(template: &ShellTemplate, name: &dyn Fn(usize) -> String) -> String {
    let piece = |piece: &TemplatePiece| match piece {
        TemplatePiece::Literal(literal) => literal.clone(),
        TemplatePiece::Value { placeholder, quoted: true, .. } => format!("${{{}}}", name(*placeholder)),
        TemplatePiece::Value { placeholder, .. } => format!("\"${{{}}}\"", name(*placeholder)),
    };
    template.pieces.iter().map(piece).collect()
}

/// Returns the shell text of words whose values are numbered parts, with a variable in place of each value.
pub(super) fn script_of(words: &[ShellWord]) -> String {
    words_with_variables(words, &code::index)
}

/// The name of an environment variable, and the pieces of its value.
pub(super) type VariablePieces = (String, Vec<TemplatePiece>);

/// The values that a script gets.
#[derive(Clone, Copy)]
pub(super) struct ScriptValues<'v> {
    /// The names of the placeholders; the position of each is the index of its value.
    pub(super) names: &'v [&'v FieldName],
    /// The environment variables of the command that contain values.
    pub(super) variables: &'v [VariablePieces],
    /// The indices of the values that are arguments of functions of the script.
    pub(super) function_arguments: &'v [usize],
}

/// Finds the values that are evaluated later as code or started as a program, each with its problem.
pub(super) fn find(
    script: &str,
    values: ScriptValues<'_>,
    programs: &Programs,
) -> Vec<(usize, PlaceholderProblemKind)> {
    if values.names.is_empty() {
        return Vec::new();
    }
    let mut search = EvaluationSearch {
        values,
        programs,
        values_run: BTreeSet::new(),
        expressions: BTreeSet::new(),
        compared_with_digits: BTreeSet::new(),
        found: Vec::new(),
    };
    search.script(script, MAX_INPUT_DEPTH);
    search.finish()
}

/// The search of one script for values that are evaluated.
struct EvaluationSearch<'s> {
    values: ScriptValues<'s>,
    programs: &'s Programs,
    /// The values that ran in a script, each with the probe that showed this and the program that ran the script.
    values_run: BTreeSet<(usize, Probe, Option<String>)>,
    /// The values that a shell evaluates as an expression, each with the name of the shell.
    expressions: BTreeSet<(usize, Option<String>)>,
    /// The values that a script compares with a pattern for numbers, so that evaluating them is safe.
    compared_with_digits: BTreeSet<usize>,
    /// The problems that are certain.
    found: Vec<(usize, PlaceholderProblemKind)>,
}

impl EvaluationSearch<'_> {
    /// Searches a script, and the scripts that its commands run for each line of their input, down to a depth.
    fn script(&mut self, script: &str, depth: usize) {
        let analysis = self.analysis(script, Probe::Token);
        for (_, command) in analysis.iter() {
            let words: Vec<ShellWord> = command.words.iter().map(number_tokens).collect();
            self.command(command, &words);
            self.record_digit_checks(&analysis, command);
            self.awk(&analysis, command, &words);
            let writers = command.stdin_from.iter().filter_map(|id| analysis.command(*id));
            self.search_input_lines(command, writers, depth);
        }
        let mut scripts = BTreeSet::new();
        for evaluated in &analysis.evaluated {
            let values_in_text = indices_within(&evaluated.text);
            let printed = match evaluated.text.known_text() {
                Some(_) => BTreeSet::new(),
                None => printed_into(&analysis, &evaluated.writers),
            };
            let evaluating = evaluating_program(&analysis, evaluated);
            let code = || PlaceholderProblemKind::ProgramCode(evaluating.clone().unwrap_or_else(|| "sh".to_owned()));
            match &evaluated.evaluator {
                EvaluatorKind::Test(pattern) if is_of_digits(pattern) => {
                    self.compared_with_digits.extend(values_in_text.union(&printed))
                }
                EvaluatorKind::Test(_) | EvaluatorKind::Program => {}
                EvaluatorKind::Expression => {
                    self.expressions.extend(values_in_text.union(&printed).map(|index| (*index, evaluating.clone())));
                }
                EvaluatorKind::Script if evaluating.as_deref() == Some(MAKE) => {}
                EvaluatorKind::Script => {
                    scripts.extend(values_in_text);
                    self.found.extend(printed.into_iter().map(|index| (index, code())));
                }
                EvaluatorKind::Code => self.found.extend(values_in_text.union(&printed).map(|index| (*index, code()))),
            }
        }
        self.probe_scripts(script, scripts);
    }

    /// Analyses a script with a probe in place of each value.
    fn analysis(&self, script: &str, probe: Probe) -> Analysis {
        let names = self.values.names;
        let value = |index: usize| match names.get(index).copied() {
            // The author of the policy has chosen the programs in the project.
            name if is_project(name) => PROJECT.to_owned(),
            Some(name) if probe != Probe::Token && is_absolute(name) => {
                format!("{PROJECT}/{}", probe.value(&token(index)))
            }
            _ => probe.value(&token(index)),
        };
        let piece = |piece: &TemplatePiece| match piece {
            TemplatePiece::Literal(literal) => literal.clone(),
            TemplatePiece::Value { placeholder, .. } => value(*placeholder),
        };
        let value_variables = (0..names.len()).map(|index| (variable(index), value(index)));
        let variables = self.values.variables.iter();
        let variables = variables.map(|(name, pieces)| (name.clone(), pieces.iter().map(piece).collect()));
        let environment: Vec<(String, String)> = value_variables.chain(variables).collect();
        let environment: Vec<(&str, Option<String>)> =
            environment.iter().map(|(name, value)| (name.as_str(), Some(value.clone()))).collect();
        let start = StartDirectories { cwd: Path::new(PROJECT), home: None };
        analyse_marked(script, &start, &environment, TOKEN.0)
    }

    /// Records which of the values in nested scripts run there, by analysing the script with each probe: quotes may
    /// prevent that a value runs.
    fn probe_scripts(&mut self, script: &str, mut values: BTreeSet<usize>) {
        for probe in Probe::IN_SCRIPT {
            if values.is_empty() {
                return;
            }
            let analysis = self.analysis(script, probe);
            for evaluated in analysis.evaluated.iter().filter(|one| one.evaluator == EvaluatorKind::Program) {
                let Some(index) = evaluated.text.known_text().and_then(index_of) else { continue };
                let by = evaluating_program(&analysis, evaluated);
                if by.as_deref() != Some(MAKE) {
                    values.remove(&index);
                    self.values_run.insert((index, probe, by));
                }
            }
        }
    }

    /// Records the values that a command compares with a pattern for numbers.
    fn record_digit_checks(&mut self, analysis: &Analysis, command: &Ran) {
        let name = command.argv().name.unwrap_or_default().to_owned();
        // This test also compares: `[ -z "$(printf %s "$1" | tr -d 0-9)" ]`.
        let is_match = MATCHERS.contains(&name.as_str()) || name == "tr" && command.in_substitution;
        if is_match && command.words.iter().any(|word| is_of_digits(&word.literal())) {
            self.compared_with_digits.extend(command.words.iter().flat_map(indices_within));
            self.compared_with_digits.extend(texts_of(command));
            self.compared_with_digits.extend(printed_into(analysis, &command.stdin_from));
        }
    }

    /// Finds the values that reach commands which an awk program runs.
    fn awk(&mut self, analysis: &Analysis, command: &Ran, words: &[ShellWord]) {
        let Some(name) = command.argv().name.map(str::to_owned) else { return };
        if program(&name).is_none_or(|record| record.names.first() != Some(&"awk")) {
            return;
        }
        let mut found = BTreeSet::new();
        for nested in nested(words) {
            let Runnable::Foreign(CodeSource::Text(text)) = nested.runnable else { continue };
            let sources = awk_commands(&text);
            if sources.uses_input {
                found.extend(texts_of(command));
                found.extend(printed_into(analysis, &command.stdin_from));
            }
            for word in words {
                let prefix = word.prefix();
                // `-v NAME=VALUE`, or an operand `NAME=VALUE`.
                let assignment = prefix.strip_prefix("-v").unwrap_or(prefix).split_once('=');
                if assignment.is_some_and(|(name, _)| sources.variables.iter().any(|variable| variable == name)) {
                    found.extend(word.parts.iter().filter_map(code::index));
                }
            }
            found.extend(sources.environment.iter().flat_map(|name| self.values_in_variable(command, name)));
        }
        self.found.extend(found.into_iter().map(|index| (index, PlaceholderProblemKind::ProgramCode(name.clone()))));
    }

    /// Returns the values in an environment variable of a command, which the script or the option `env` sets.
    fn values_in_variable(&self, command: &Ran, name: &str) -> BTreeSet<usize> {
        let assignments = command.environment.iter().filter(|assignment| assignment.name == *name);
        let of_script = assignments.filter_map(|assignment| assignment.value.as_ref()).flat_map(indices_within);
        let variables = self.values.variables.iter().filter(|(variable, _)| variable == name);
        let of_option = variables.flat_map(|(_, pieces)| pieces).filter_map(|piece| match piece {
            TemplatePiece::Value { placeholder, .. } => Some(*placeholder),
            TemplatePiece::Literal(_) => None,
        });
        of_script.chain(of_option).collect()
    }

    /// Finds the values that a command treats as code in a language other than the shell's, as a program or as an
    /// option.
    fn command(&mut self, command: &Ran, words: &[ShellWord]) {
        let mut template_command = TemplateCommand::default();
        for whole in words {
            let indices: Vec<usize> = whole.parts.iter().filter_map(code::index).collect();
            // The call of a function takes no options, but the commands in the function may.
            let first = whole.parts.first().and_then(code::index);
            let first = first.filter(|index| !command.is_shadowed && self.values.function_arguments.contains(index));
            let usage = template_command.add_word(&TemplateWord {
                prefix: whole.prefix(),
                is_literal: indices.is_empty() && whole.known_text().is_some(),
                first: first.and_then(|index| self.values.names.get(index).copied()),
                has_values: !indices.is_empty(),
                whole,
                from_shell: false,
            });
            let is_followed = template_command.program().is_some_and(|name| FOLLOWED.contains(&name));
            match usage {
                WordUsage::Program => {
                    self.found.extend(indices.first().map(|index| (*index, PlaceholderProblemKind::Program)))
                }
                WordUsage::Code(_) if is_followed || is_script_argument(words) => {}
                WordUsage::Code(name) => {
                    self.found.extend(
                        indices.into_iter().map(|index| (index, PlaceholderProblemKind::ProgramCode(name.clone()))),
                    );
                }
                WordUsage::Option => self.found.extend(first.map(|index| (index, PlaceholderProblemKind::Option))),
                WordUsage::AfterOption(option) => {
                    self.found.extend(first.map(|index| (index, PlaceholderProblemKind::AfterOption(option))));
                }
                WordUsage::Plain | WordUsage::Single => {}
            }
        }
        let names = self.values.names;
        let finder = Finder { programs: self.programs, name: &|index| names.get(index).copied() };
        let found = finder.find_foreign(words);
        self.found.extend(found);
    }

    /// Searches the scripts that a command runs for each line of its input, or for each of its words, if these
    /// contain a value.
    fn search_input_lines<'w>(&mut self, command: &Ran, writers: impl Iterator<Item = &'w Ran>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let targets = command.redirects.iter().map(|redirect| &*redirect.target);
        let sources = targets.chain(&command.words).chain(writers.flat_map(|writer| &writer.words));
        let Some(index) = sources.flat_map(|word| word.parts.iter()).filter_map(WordPart::text).find_map(index_within)
        else {
            return;
        };
        let is_input_line =
            |part: &WordPart| matches!(part, WordPart::Unknown(unknown) if unknown.reason.cause == Cause::Input);
        let has_input_line = |words: &[ShellWord]| words.iter().flat_map(|word| &word.parts).any(is_input_line);
        for found in nested(&command.words) {
            let words = match found.runnable {
                Runnable::Argv(words) => words,
                Runnable::Script(text, _) => vec![ShellWord::text("sh"), ShellWord::text("-c"), text],
                Runnable::Input(_) | Runnable::File(_) | Runnable::Foreign(_) => continue,
            };
            if has_input_line(&words) {
                let script = words_with_variables(&words, &|part| is_input_line(part).then_some(index));
                self.script(&script, depth);
            }
        }
    }

    /// Returns all problems. Evaluating a value as an expression is no problem if the value is compared with a pattern
    /// for numbers.
    fn finish(self) -> Vec<(usize, PlaceholderProblemKind)> {
        let Self { values, values_run: ran, expressions, compared_with_digits: checked, mut found, .. } = self;
        let is_expression = |index: usize, by: Option<&str>| {
            let is_path = values.names.get(index).is_some_and(|name| is_absolute(name));
            !is_path && !checked.contains(&index) && !by.is_some_and(|by| WITHOUT_SUBSCRIPTS.contains(&by))
        };
        for (index, probe, by) in ran {
            if probe != Probe::Subscript {
                found.push((index, PlaceholderProblemKind::ProgramCode(by.unwrap_or_else(|| "sh".to_owned()))));
            } else if is_expression(index, by.as_deref()) {
                found.push((index, PlaceholderProblemKind::Evaluated));
            }
        }
        let expressions = expressions.iter().filter(|(index, by)| is_expression(*index, by.as_deref()));
        found.extend(expressions.map(|(index, _)| (*index, PlaceholderProblemKind::Evaluated)));
        found
    }
}

/// Returns the name of the program that evaluates a text; `None` if it is the shell of the script.
fn evaluating_program(analysis: &Analysis, evaluated: &EvaluatedText) -> Option<String> {
    let by = evaluated.outer_commands.last().and_then(|id| analysis.command(*id));
    by.and_then(|by| by.argv().name.map(str::to_owned))
}

/// Whether a pattern is one for digits.
fn is_of_digits(pattern: &str) -> bool {
    DIGITS.iter().any(|text| pattern.contains(text))
}

/// Returns the values in the texts that redirections put on a command's standard input: `<<< "$1"`, here-documents.
fn texts_of(command: &Ran) -> BTreeSet<usize> {
    let texts = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Text);
    texts.flat_map(|redirect| indices_within(&redirect.target)).collect()
}

/// Returns the values that some commands print, if each of them prints its words or passes its input on; else none.
fn printed_into(analysis: &Analysis, from: &[CommandId]) -> BTreeSet<usize> {
    let mut printed = BTreeSet::new();
    for command in from.iter().filter_map(|id| analysis.command(*id)) {
        let argv = command.argv();
        let name = argv.name.unwrap_or_default();
        let has_word = |text: &str| command.words.iter().any(|word| word.has_known_text(text));
        let keeps_values = match name {
            "printf" => has_word("%s") || has_word("%b"),
            // Without `-c`, `tr` removes only some characters, so a dangerous value may pass.
            "tr" => {
                !command.words.iter().any(|word| word.prefix().starts_with('-') && word.prefix().contains(['c', 'C']))
            }
            "sed" => !has_word("[^"),
            "jq" => argv.options.iter().any(|given| given.has_spelling(&["-r", "--raw-output", "-j"])),
            _ => true,
        };
        if !keeps_values || !PRINTERS.contains(&name) && !FILTERS.contains(&name) {
            return BTreeSet::new();
        }
        if PRINTERS.contains(&name) {
            printed.extend(command.words.iter().skip(1).flat_map(indices_within));
        }
        printed.extend(texts_of(command));
    }
    printed
}

/// Whether a shell reads a word of a command as a script.
fn is_script_argument(words: &[ShellWord]) -> bool {
    nested(words).iter().any(|found| matches!(found.runnable, Runnable::Script(..)))
}

/// Returns the shell text of words, with a variable in place of each part that is a value.
fn words_with_variables(words: &[ShellWord], index: &dyn Fn(&WordPart) -> Option<usize>) -> String {
    let part = |part: &WordPart| match (index(part), part) {
        (Some(index), _) => format!("\"${{{}}}\"", variable(index)),
        (None, WordPart::Text(text)) => quote(text),
        (None, WordPart::Glob(glob)) => glob.clone(),
        (None, WordPart::Unknown(_)) => format!("\"${UNKNOWN}\""),
    };
    let word = |word: &ShellWord| {
        let text: String = word.parts.iter().map(part).collect();
        if text.is_empty() { "''".to_owned() } else { text }
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Returns a word in which numbered parts replace the tokens.
fn number_tokens(word: &ShellWord) -> ShellWord {
    let mut numbered = ShellWord { span: word.span.clone(), ..ShellWord::default() };
    for part in &word.parts {
        let WordPart::Text(text) = part else {
            numbered.push(part.clone());
            continue;
        };
        let mut rest = text.as_str();
        while let Some((before, index, after)) = split(rest) {
            numbered.push(WordPart::Text(before.to_owned()));
            numbered.push(code::value(index));
            rest = after;
        }
        numbered.push(WordPart::Text(rest.to_owned()));
    }
    numbered
}

/// Returns the name of the variable that contains a value.
fn variable(index: usize) -> String {
    format!("RULES_VALUE_{index}")
}

/// Returns the token of a value.
fn token(index: usize) -> String {
    format!("{}{index}{}", TOKEN.0, TOKEN.1)
}

/// Splits a text at its first token into the text before it, the index of its value, and the text after it.
fn split(text: &str) -> Option<(&str, usize, &str)> {
    let (before, rest) = text.split_once(TOKEN.0)?;
    let (number, after) = rest.split_once(TOKEN.1)?;
    Some((before, number.parse().ok()?, after))
}

/// Returns the index of the value whose token is the whole text.
fn index_of(text: &str) -> Option<usize> {
    split(text).filter(|(before, _, after)| before.is_empty() && after.is_empty()).map(|(_, index, _)| index)
}

/// Returns the index of the value whose token is the first in the text.
fn index_within(text: &str) -> Option<usize> {
    split(text).map(|(_, index, _)| index)
}

/// Returns the indices of the values whose tokens are in the known parts of a word.
fn indices_within(word: &ShellWord) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for text in word.parts.iter().filter_map(WordPart::text) {
        let mut rest = text;
        while let Some((_, index, after)) = split(rest) {
            found.insert(index);
            rest = after;
        }
    }
    found
}
