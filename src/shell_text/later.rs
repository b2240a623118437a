//! Values that become code later: the shell that parses the string passes them on unchanged, and their recipient
//! evaluates them again. `bash -c '[[ $1 -eq 1 ]]' _ {x}` runs a `$(…)` in the value.
//!
//! The string is analysed with probes for values, which run a token wherever they are evaluated: the tokens that run
//! identify the evaluated values.

use std::collections::BTreeSet;
use std::path::Path;

use hookrules_shell::{
    Cause, Part, Programs, Simple as Ran, Start, What, Word as ShellWord, analyse_with, nested, quote,
};

use super::code::{self, Finder};
use super::command::{Simple, Usage, Word, is_absolute, is_project};
use super::{Piece, ProblemKind, ShellTemplate};
use crate::syntax::ast::FieldName;

/// The maximal nesting of commands that run something for each line of their input: `xargs sh -c` within another one.
const DEPTH: usize = 3;

/// The working directory and the project for the analysis.
const PROJECT: &str = "/project";

/// A variable that nobody sets.
const UNKNOWN: &str = "RULES_UNKNOWN";

/// The beginning and end of a placeholder's token. No policy has a command of such a name.
const TOKEN: (&str, &str) = ("RULESVALUE", "END");

/// Shells without arrays: their arithmetic evaluates no subscripts.
const WITHOUT_SUBSCRIPTS: &[&str] = &["dash", "ash", "busybox"];

/// Texts with which a script checks that a value is a number.
const NUMBER_CHECKS: &[&str] = &["0-9", ":digit:", "\\d"];

/// Texts with which a script declares an associative array, whose subscripts are not evaluated.
const NAME_TABLES: &[&str] = &["declare -A", "typeset -A", "local -A"];

/// A program whose targets the analysis treats as shell text if they contain shell operators. Its record determines
/// which of its words are code.
const MAKE: &str = "make";

/// Builtins whose words the analysis itself follows.
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

/// A substitute for a value, with a token that runs if the value is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Probe {
    /// The token alone, to find the words that contain the value.
    Token,
    /// Runs in arithmetic and in a script, in double quotes too.
    Subscript,
    /// Runs in a script, outside quotes, and as a whole script.
    Bare,
    /// Runs in a script, in single quotes and in a comment.
    Single,
    /// Runs in a script, in double quotes.
    Double,
}

impl Probe {
    const RUN: [Self; 4] = [Self::Subscript, Self::Bare, Self::Single, Self::Double];

    /// Returns the value.
    fn value(self, token: &str) -> String {
        match self {
            Self::Token => token.to_owned(),
            Self::Subscript => format!("a[$({token})]"),
            Self::Bare => format!("{token};{token};{token}"),
            Self::Single => format!("';\n{token}\n;'"),
            Self::Double => format!("\";{token};\""),
        }
    }
}

/// Returns the shell text of a template, with a variable for each value.
pub(super) fn script(template: &ShellTemplate) -> String {
    with_variables(template, &variable)
}

/// As [`script`], with an unset variable for each value, if the values are not to be checked.
pub(super) fn script_without_values(template: &ShellTemplate) -> String {
    with_variables(template, &|_| UNKNOWN.to_owned())
}

fn with_variables(template: &ShellTemplate, name: &dyn Fn(usize) -> String) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Literal(literal) => literal.clone(),
        Piece::Value { placeholder, quoted: true, .. } => format!("${{{}}}", name(*placeholder)),
        Piece::Value { placeholder, .. } => format!("\"${{{}}}\"", name(*placeholder)),
    };
    template.pieces.iter().map(piece).collect()
}

/// Returns the shell text of an argv whose values are numbered parts, with a variable for each of them.
pub(super) fn script_of(words: &[ShellWord]) -> String {
    with_values(words, &code::index)
}

/// An environment variable of a command: its name, and the pieces of its value.
pub(super) type Variable = (String, Vec<Piece>);

/// Finds the values that a later step evaluates, or starts as a program, each with its problem.
pub(super) fn find(script: &str, names: &[&FieldName], programs: &Programs) -> Vec<(usize, ProblemKind)> {
    find_with(script, names, &[], programs)
}

/// As [`find`], with values in environment variables of the command.
pub(super) fn find_with(
    script: &str,
    names: &[&FieldName],
    variables: &[Variable],
    programs: &Programs,
) -> Vec<(usize, ProblemKind)> {
    if names.is_empty() {
        return Vec::new();
    }
    let mut search = Search { names, variables, programs, ran: BTreeSet::new(), found: Vec::new() };
    search.script(script, DEPTH);
    search.finish(script)
}

/// A value that ran, the probe that ran, and the program that ran it.
type Evaluation = (usize, Probe, Option<String>);

struct Search<'s> {
    names: &'s [&'s FieldName],
    variables: &'s [Variable],
    programs: &'s Programs,
    ran: BTreeSet<Evaluation>,
    found: Vec<(usize, ProblemKind)>,
}

impl Search<'_> {
    fn script(&mut self, script: &str, depth: usize) {
        for probe in std::iter::once(Probe::Token).chain(Probe::RUN) {
            let value = |index: usize| match self.names.get(index).copied() {
                // The policy's author chose the programs below the project.
                name if is_project(name) => PROJECT.to_owned(),
                Some(name) if probe != Probe::Token && is_absolute(name) => {
                    format!("{PROJECT}/{}", probe.value(&token(index)))
                }
                _ => probe.value(&token(index)),
            };
            let piece = |piece: &Piece| match piece {
                Piece::Literal(literal) => literal.clone(),
                Piece::Value { placeholder, .. } => value(*placeholder),
            };
            let own = (0..self.names.len()).map(|index| (variable(index), value(index)));
            let given = self.variables.iter().map(|(name, pieces)| (name.clone(), pieces.iter().map(piece).collect()));
            let environment: Vec<(String, String)> = own.chain(given).collect();
            let environment: Vec<(&str, Option<String>)> =
                environment.iter().map(|(name, value)| (name.as_str(), Some(value.clone()))).collect();
            let start = Start { cwd: Path::new(PROJECT), home: None };
            let analysis = analyse_with(script, &start, &environment);
            for (_, command) in analysis.iter() {
                if probe != Probe::Token {
                    let name = command.words.first().and_then(ShellWord::known);
                    if let Some(index) = name.and_then(index_of) {
                        let by = command.via.last().and_then(|id| analysis.command(*id));
                        if !by.is_some_and(|by| by.argv().is_of(MAKE)) {
                            let by = by.and_then(|by| by.argv().name.map(str::to_owned));
                            self.ran.insert((index, probe, by));
                        }
                    }
                    continue;
                }
                let words: Vec<ShellWord> = command.words.iter().map(with_indices).collect();
                self.command(&words);
                let writers = command.stdin_from.iter().filter_map(|id| analysis.command(*id));
                self.each_line(command, writers, depth);
            }
        }
    }

    /// Finds the values that a command treats as code or as a program, other than in shell text.
    fn command(&mut self, words: &[ShellWord]) {
        let mut simple = Simple::default();
        for whole in words {
            let indices: Vec<usize> = whole.parts.iter().filter_map(code::index).collect();
            let usage = simple.word(&Word {
                prefix: whole.prefix(),
                is_literal: indices.is_empty() && whole.known().is_some(),
                first: None,
                has_values: !indices.is_empty(),
                whole,
                from_shell: false,
            });
            let is_followed = simple.program().is_some_and(|name| FOLLOWED.contains(&name));
            match usage {
                Usage::Program => self.found.extend(indices.first().map(|index| (*index, ProblemKind::Program))),
                Usage::Code(_) if is_followed || takes_shell_text(words) => {}
                Usage::Code(name) => {
                    self.found.extend(indices.into_iter().map(|index| (index, ProblemKind::CodeOf(name.clone()))));
                }
                Usage::Plain | Usage::Single | Usage::Option => {}
            }
        }
        let finder = Finder { programs: self.programs, name: &|index| self.names.get(index).copied() };
        let found = finder.find_foreign(words);
        self.found.extend(found);
    }

    /// Analyses what a command runs for each line of its input, or for each of its words, if a value is among these.
    fn each_line<'w>(&mut self, command: &Ran, writers: impl Iterator<Item = &'w Ran>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let texts = command.redirects.iter().map(|redirect| &*redirect.target);
        let given = texts.chain(&command.words).chain(writers.flat_map(|writer| &writer.words));
        let Some(index) = given.flat_map(|word| word.parts.iter()).filter_map(Part::text).find_map(index_within) else {
            return;
        };
        let is_each = |part: &Part| matches!(part, Part::Unknown(unknown) if unknown.why.cause == Cause::Input);
        let has_each = |words: &[ShellWord]| words.iter().flat_map(|word| &word.parts).any(is_each);
        for found in nested(&command.words) {
            let words = match found.what {
                What::Argv(words) => words,
                What::Script(text, _) => vec![ShellWord::text("sh"), ShellWord::text("-c"), text],
                What::Input(_) | What::File(_) | What::Foreign(_) => continue,
            };
            if has_each(&words) {
                let script = with_values(&words, &|part| is_each(part).then_some(index));
                self.script(&script, depth);
            }
        }
    }

    fn finish(self, script: &str) -> Vec<(usize, ProblemKind)> {
        let Self { names, ran, mut found, .. } = self;
        let is_checked = NUMBER_CHECKS.iter().chain(NAME_TABLES).any(|text| script.contains(text));
        for (index, probe, by) in &ran {
            // In arithmetic, only a subscript runs.
            let is_code = ran.iter().any(|(own, probe, _)| own == index && *probe != Probe::Subscript);
            if is_code {
                let by = by.clone().unwrap_or_else(|| "sh".to_owned());
                found.push((*index, ProblemKind::CodeOf(by)));
                continue;
            }
            let is_path = names.get(*index).is_some_and(|name| is_absolute(name));
            let is_plain = by.as_deref().is_some_and(|by| WITHOUT_SUBSCRIPTS.contains(&by));
            if *probe == Probe::Subscript && !is_checked && !is_path && !is_plain {
                found.push((*index, ProblemKind::Evaluated));
            }
        }
        found
    }
}

/// Whether a command has a shell read one of its words as a script.
fn takes_shell_text(words: &[ShellWord]) -> bool {
    nested(words).iter().any(|found| matches!(found.what, What::Script(..)))
}

/// Returns the shell text of these words, with a variable for each part that is a value.
fn with_values(words: &[ShellWord], index: &dyn Fn(&Part) -> Option<usize>) -> String {
    let part = |part: &Part| match (index(part), part) {
        (Some(index), _) => format!("\"${{{}}}\"", variable(index)),
        (None, Part::Text(text)) => quote(text),
        (None, Part::Glob(glob)) => glob.clone(),
        (None, Part::Unknown(_)) => format!("\"${UNKNOWN}\""),
    };
    let word = |word: &ShellWord| {
        let text: String = word.parts.iter().map(part).collect();
        if text.is_empty() { "''".to_owned() } else { text }
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Returns a word with its tokens as numbered parts.
fn with_indices(word: &ShellWord) -> ShellWord {
    let mut numbered = ShellWord { span: word.span.clone(), ..ShellWord::default() };
    for part in &word.parts {
        let Part::Text(text) = part else {
            numbered.push(part.clone());
            continue;
        };
        let mut rest = text.as_str();
        while let Some((before, index, behind)) = split(rest) {
            numbered.push(Part::Text(before.to_owned()));
            numbered.push(code::value(index));
            rest = behind;
        }
        numbered.push(Part::Text(rest.to_owned()));
    }
    numbered
}

fn variable(index: usize) -> String {
    format!("RULES_VALUE_{index}")
}

fn token(index: usize) -> String {
    format!("{}{index}{}", TOKEN.0, TOKEN.1)
}

/// Splits a text at its first token.
fn split(text: &str) -> Option<(&str, usize, &str)> {
    let (before, rest) = text.split_once(TOKEN.0)?;
    let (number, behind) = rest.split_once(TOKEN.1)?;
    Some((before, number.parse().ok()?, behind))
}

/// Returns the index of the value whose token the text is.
fn index_of(text: &str) -> Option<usize> {
    split(text).filter(|(before, _, behind)| before.is_empty() && behind.is_empty()).map(|(_, index, _)| index)
}

/// Returns the index of the value whose token is in the text.
fn index_within(text: &str) -> Option<usize> {
    split(text).map(|(_, index, _)| index)
}
