//! The placeholders in shell strings of `run`: their values become positional parameters, and never code.
//!
//! This module is pure. A string is parsed once, when the policy is loaded: each placeholder gets its quoting, or a
//! problem if its value would be parsed as code or as an option. This module knows neither fields nor events.

mod code;
mod command;
mod later;
mod scan;

use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::ast::{FieldName, StringLiteral};
use crate::syntax::{payload_path, variable_for};
use hookrules_shell::Programs;
use hookrules_shell::word::WordPart;

/// A shell string, split at its placeholders.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShellTemplate {
    /// The pieces of the string, in order.
    pub pieces: Vec<TemplatePiece>,
}

/// A piece of a shell string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TemplatePiece {
    /// Text of the policy's author.
    Literal(String),
    /// A placeholder, for its value or values.
    Value {
        /// The index of the placeholder in
        /// [`StringLiteral::placeholders`](crate::syntax::ast::StringLiteral::placeholders).
        placeholder: usize,
        /// Whether the placeholder is an unquoted whole word, which becomes one word for each value, and no word if
        /// there is no value.
        whole_word: bool,
        /// Whether the placeholder is inside double quotes of the author.
        quoted: bool,
    },
}

/// A placeholder at an unsafe position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceholderProblem {
    /// The reason why the position is unsafe.
    pub kind: PlaceholderProblemKind,
    /// The dotted name of the placeholder, `tool_input.path`; empty for [`PlaceholderProblemKind::Unterminated`].
    pub name: String,
    /// The position of the placeholder in the policy.
    pub span: Span,
}

/// The reason why the position of a placeholder is unsafe.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PlaceholderProblemKind {
    /// The placeholder is inside `'…'` or `$'…'`, where nothing is replaced.
    SingleQuotes,
    /// The placeholder is inside `'…'`, as the value of this key of a JSON object.
    QuotedJson(String),
    /// The placeholder is inside a here-document.
    HereDocument,
    /// The placeholder is inside a comment.
    Comment,
    /// The placeholder is inside `$(( ))`, `(( ))` or `$[ ]`, whose contents are evaluated.
    Arithmetic,
    /// The placeholder is inside `` `…` ``, where quoting differs between shells.
    Backticks,
    /// The placeholder is inside `${…}`.
    Expansion,
    /// The placeholder is after a backslash, which would escape the quotes around the value.
    Escaped,
    /// The placeholder is in code that this program runs.
    ProgramCode(String),
    /// A shell evaluates the value later: in arithmetic, as a subscript, as the name of a variable.
    Evaluated,
    /// The value would be the program that is started.
    Program,
    /// The value would be parsed as an option if it begins with `-`.
    Option,
    /// The value follows this option, of which it is not known that it takes a value.
    AfterOption(String),
    /// The parameter `$1` has another value there: in a function, or in a string with `shift` or `set --`.
    Positional,
    /// A quote or bracket of the string is not closed.
    Unterminated,
    /// The string is nested too deeply to be parsed.
    TooDeep,
}

impl PlaceholderProblem {
    /// Returns the code of the diagnostic.
    #[must_use]
    pub fn code(&self) -> &'static Code {
        match self.kind {
            PlaceholderProblemKind::Option | PlaceholderProblemKind::AfterOption(_) => Code::OPTION_INJECTION,
            PlaceholderProblemKind::Unterminated => Code::UNTERMINATED,
            _ => Code::UNSAFE_PLACEHOLDER,
        }
    }

    /// Returns the diagnostic, with advice.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let name = &self.name;
        let (message, label) = match &self.kind {
            PlaceholderProblemKind::SingleQuotes | PlaceholderProblemKind::QuotedJson(_) => {
                (format!("`{{{name}}}` is in single quotes"), "not replaced here")
            }
            PlaceholderProblemKind::HereDocument => {
                (format!("`{{{name}}}` is in a here-document"), "this is read as text or code")
            }
            PlaceholderProblemKind::Comment => {
                (format!("`{{{name}}}` is in a shell comment"), "a line break in the value would end it")
            }
            PlaceholderProblemKind::Arithmetic => {
                (format!("`{{{name}}}` is in arithmetic"), "the shell evaluates this")
            }
            PlaceholderProblemKind::Backticks => {
                (format!("`{{{name}}}` is in backticks"), "quoting is unreliable here")
            }
            PlaceholderProblemKind::Expansion => {
                (format!("`{{{name}}}` is in `${{…}}`"), "the shell may read this as a pattern")
            }
            PlaceholderProblemKind::Escaped => {
                (format!("a backslash before `{{{name}}}`"), "it would escape the value's quotes")
            }
            PlaceholderProblemKind::ProgramCode(program) => {
                (format!("`{{{name}}}` would be code of `{program}`"), "a value is run as code here")
            }
            PlaceholderProblemKind::Evaluated => {
                (format!("`{{{name}}}` would be evaluated by the shell"), "a later step runs a `$(…)` in the value")
            }
            PlaceholderProblemKind::Program => {
                (format!("`{{{name}}}` would choose the program"), "a value is started as a program here")
            }
            kind @ (PlaceholderProblemKind::Option | PlaceholderProblemKind::AfterOption(_)) => {
                let message = format!("`{{{name}}}` could be read as an option");
                let is_alone = *kind == PlaceholderProblemKind::Option;
                let unknown = "it is not known that the option in front takes a value";
                (message, if is_alone { "a value may begin with `-`" } else { unknown })
            }
            PlaceholderProblemKind::Positional => (
                format!("`{{{name}}}` is passed as `$1`, which changes here"),
                "a function, `shift` or `set` changes `$1`",
            ),
            PlaceholderProblemKind::Unterminated => {
                ("the shell string is not closed".to_owned(), "a quote or bracket stays open")
            }
            PlaceholderProblemKind::TooDeep => {
                ("the shell string is nested too deeply".to_owned(), "at most 64 levels are read")
            }
        };
        Diagnostic::new(self.code(), message).label(self.span, label).help_if_any(self.help())
    }

    /// Returns advice on how to pass the value safely, if there is any.
    fn help(&self) -> Option<String> {
        let name = &self.name;
        let help = match &self.kind {
            PlaceholderProblemKind::SingleQuotes => {
                format!("write it without quotes or in double quotes: \\\"{{{name}}}\\\"")
            }
            PlaceholderProblemKind::ProgramCode(program) if command::takes_pairs(program) => {
                format!("give it a name: `{program} --arg value {{{name}}} '… $value …'`")
            }
            PlaceholderProblemKind::QuotedJson(key) => format!("let jq write it: {}", json_by_jq(key, name)),
            PlaceholderProblemKind::HereDocument | PlaceholderProblemKind::ProgramCode(_) => {
                format!(
                    "pass it as an argument, as in [\"sh\", \"-c\", 'printf \"%s\" \"$1\"', \"sh\", \"{{{name}}}\"]"
                )
            }
            PlaceholderProblemKind::Comment => "remove it".to_owned(),
            PlaceholderProblemKind::Arithmetic => {
                "check in a script that it is a number, and calculate there".to_owned()
            }
            PlaceholderProblemKind::Backticks => "write `$(…)` for the backticks".to_owned(),
            PlaceholderProblemKind::Expansion => format!("assign it first: x={{{name}}}"),
            PlaceholderProblemKind::Escaped => "remove the backslash: the value needs no quoting".to_owned(),
            PlaceholderProblemKind::Evaluated => {
                "compare it as text (`==`, `case`), or check first that it has only digits".to_owned()
            }
            PlaceholderProblemKind::Program => "name the program, and give the value as an argument".to_owned(),
            PlaceholderProblemKind::Option => {
                format!("put `--` before it, after the last option, or {}", in_a_script(name))
            }
            PlaceholderProblemKind::AfterOption(option) => {
                let sign = if option.starts_with("--") { "=" } else { "" };
                format!("attach it (`{option}{sign}{{{name}}}`), or {}", in_a_script(name))
            }
            PlaceholderProblemKind::Positional => format!("assign it first, outside: x={{{name}}}"),
            PlaceholderProblemKind::Unterminated => return None,
            PlaceholderProblemKind::TooDeep => "put the script into a file".to_owned(),
        };
        Some(help)
    }
}

/// Returns the command that writes a value into a JSON object, and sends that.
#[must_use]
pub fn json_by_jq(key: &str, name: &str) -> String {
    format!("`jq -n --arg value {{{name}}} '{{{key}: $value}}' | curl --json @- …`")
}

/// Returns the key whose value follows a text in a JSON object: `text` for `{"text": "`, with or without backslashes
/// before the quotes.
#[must_use]
pub fn json_key_before(text: &str) -> Option<String> {
    let plain = text.replace('\\', "");
    let (front, value) = plain.rsplit_once("\":")?;
    let key = front.rsplit('"').next()?;
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let inner = value.trim_start();
    let is_inside = inner.is_empty() || inner.strip_prefix('"').is_some_and(|text| !text.contains('"'));
    (is_key && is_inside && front.contains('{')).then(|| key.to_owned())
}

/// Returns the advice to leave a value to a script, which finds it in the event or in a variable.
fn in_a_script(name: &str) -> String {
    match payload_path(name) {
        Some(path) => format!("read it from the event, which is on standard input: `jq -r '.{path}'`"),
        None => {
            let variable = variable_for(name);
            format!("run a script that reads `${variable}`, with the option `env: {{ {variable}: \"{{{name}}}\" }}`")
        }
    }
}

/// Parses a shell string, and determines how the value of each placeholder can be passed. Programs are looked up in the
/// built-in records and in `programs`.
///
/// # Errors
///
/// Every placeholder at an unsafe position, in order.
pub fn analyse(text: &StringLiteral, programs: &Programs) -> Result<ShellTemplate, Vec<PlaceholderProblem>> {
    let positions = scan::scan(text, programs)?;
    let function_arguments: Vec<usize> =
        positions.iter().enumerate().filter(|(_, position)| position.is_of_function).map(|(index, _)| index).collect();
    let mut pieces = Vec::new();
    let mut done = 0;
    for (index, (placeholder, position)) in text.placeholders.iter().zip(positions).enumerate() {
        push_literal(&mut pieces, text, done..placeholder.range.start);
        pieces.push(TemplatePiece::Value {
            placeholder: index,
            whole_word: position.whole_word,
            quoted: position.quoted,
        });
        done = placeholder.range.end;
    }
    push_literal(&mut pieces, text, done..text.value.len());
    let template = ShellTemplate { pieces };
    let names: Vec<&FieldName> = text.placeholders.iter().map(|placeholder| &placeholder.name).collect();
    let values = later::ScriptValues { names: &names, variables: &[], function_arguments: &function_arguments };
    let found = later::find(&later::script(&template), values, programs);
    if found.is_empty() {
        return Ok(template);
    }
    Err(placeholder_problems(found, &|index| names.get(index).copied()))
}

/// Appends the text of a range as a literal, unless it is empty.
fn push_literal(pieces: &mut Vec<TemplatePiece>, text: &StringLiteral, range: std::ops::Range<usize>) {
    match text.value.get(range) {
        Some(literal) if !literal.is_empty() => pieces.push(TemplatePiece::Literal(literal.to_owned())),
        _ => {}
    }
}

/// Returns the script and its positional parameters, given the values of each placeholder.
///
/// Several values of a placeholder that is not a whole word are joined by `, `.
#[must_use]
pub fn render(template: &ShellTemplate, values: &[Vec<String>]) -> (String, Vec<String>) {
    let mut script = String::new();
    let mut parameters: Vec<String> = Vec::new();
    for piece in &template.pieces {
        match piece {
            TemplatePiece::Literal(literal) => script.push_str(literal),
            TemplatePiece::Value { placeholder, whole_word, quoted } => {
                let values = values.get(*placeholder).map_or(&[][..], Vec::as_slice);
                if *whole_word {
                    let first = parameters.len() + 1;
                    parameters.extend(values.iter().cloned());
                    let words: Vec<String> = (first..=parameters.len()).map(|n| format!("\"${{{n}}}\"")).collect();
                    script.push_str(&words.join(" "));
                } else {
                    parameters.push(values.join(", "));
                    let quote = if *quoted { "" } else { "\"" };
                    script.push_str(&format!("{quote}${{{}}}{quote}", parameters.len()));
                }
            }
        }
    }
    (script, parameters)
}

/// The result of checking the words of a command that runs without a shell.
#[derive(Debug)]
pub struct ArgvCheck {
    /// The placeholders at unsafe positions.
    pub problems: Vec<PlaceholderProblem>,
    /// The indices of the words that must remain single words, whatever the number of their values: a missing value of
    /// an option would make the next word its value.
    pub single_words: Vec<usize>,
}

/// Checks the words of a command that runs without a shell: no value may be the program, code or an option.
#[must_use]
pub fn check_argv(words: &[StringLiteral], programs: &Programs) -> ArgvCheck {
    let placeholders = || words.iter().flat_map(|word| &word.placeholders);
    let names: Vec<&FieldName> = placeholders().map(|placeholder| &placeholder.name).collect();
    let name = |index: usize| names.get(index).copied();
    let mut argv = command::TemplateCommand::default();
    let words_with_values = words_with_unknowns(words);
    let mut found = code::Finder { programs, name: &name }.find(&words_with_values);
    let mut next = 0;
    let mut single_words = Vec::new();
    for (index, (word, whole)) in words.iter().zip(&words_with_values).enumerate() {
        let first = word.placeholders.first();
        let prefix = word.value.get(..first.map_or(word.value.len(), |first| first.range.start)).unwrap_or_default();
        let usage = argv.add_word(&command::TemplateWord {
            prefix,
            is_literal: first.is_none(),
            first: first.filter(|_| prefix.is_empty()).map(|placeholder| &placeholder.name),
            has_values: first.is_some(),
            whole,
            from_shell: false,
        });
        let values = next..next + word.placeholders.len();
        next = values.end;
        if usage == command::WordUsage::Single {
            single_words.push(index);
        }
        if let Some(kind) = usage.problem() {
            // Whether a word is an option or a program depends on its first value alone.
            let depends_on_first = matches!(
                kind,
                PlaceholderProblemKind::Option
                    | PlaceholderProblemKind::AfterOption(_)
                    | PlaceholderProblemKind::Program
            );
            let count = if depends_on_first { 1 } else { values.len() };
            found.extend(values.take(count).map(|index| (index, kind.clone())));
        }
    }
    let values = later::ScriptValues { names: &names, variables: &[], function_arguments: &[] };
    found.extend(later::find(&later::script_of(&words_with_values), values, programs));
    ArgvCheck { problems: placeholder_problems(found, &name), single_words }
}

/// Checks an environment variable of a command: if a program runs the variable, each placeholder in it is a problem.
#[must_use]
pub fn check_variable(name: &str, text: &StringLiteral) -> Vec<PlaceholderProblem> {
    if !hookrules_shell::nested::is_run_variable(name) {
        return Vec::new();
    }
    let problem = |placeholder: &crate::syntax::ast::Placeholder| PlaceholderProblem {
        kind: PlaceholderProblemKind::ProgramCode(name.to_owned()),
        name: placeholder.name.text(),
        span: placeholder.name.span,
    };
    text.placeholders.iter().map(problem).collect()
}

/// Checks the environment variables of a command for values that the command evaluates as code.
#[must_use]
pub fn check_environment(
    command: &str,
    variables: &[(&str, &StringLiteral)],
    programs: &Programs,
) -> Vec<PlaceholderProblem> {
    // `check_variable` reports the variables that programs run in any case.
    let variables = || variables.iter().filter(|(name, _)| !hookrules_shell::nested::is_run_variable(name));
    let placeholders = variables().flat_map(|(_, text)| &text.placeholders);
    let names: Vec<&FieldName> = placeholders.map(|placeholder| &placeholder.name).collect();
    let mut first = 0;
    let mut variable = |(name, text): &(&str, &StringLiteral)| {
        let mut pieces = Vec::new();
        let mut done = 0;
        for (at, placeholder) in text.placeholders.iter().enumerate() {
            push_literal(&mut pieces, text, done..placeholder.range.start);
            pieces.push(TemplatePiece::Value { placeholder: first + at, whole_word: false, quoted: true });
            done = placeholder.range.end;
        }
        push_literal(&mut pieces, text, done..text.value.len());
        first += text.placeholders.len();
        ((*name).to_owned(), pieces)
    };
    let variables: Vec<later::VariablePieces> = variables().map(&mut variable).collect();
    let values = later::ScriptValues { names: &names, variables: &variables, function_arguments: &[] };
    placeholder_problems(later::find(command, values, programs), &|index| names.get(index).copied())
}

/// Returns the text of a command for [`check_environment`], without the values in the command, which are checked
/// separately.
#[must_use]
pub fn command_text(template: &ShellTemplate) -> String {
    later::script_without_values(template)
}

/// Returns words with each placeholder as an unknown part, numbered across all words.
fn words_with_unknowns(words: &[StringLiteral]) -> Vec<hookrules_shell::Word> {
    let mut next = 0..;
    let mut word = |text: &StringLiteral| {
        let mut word = hookrules_shell::Word::default();
        let mut done = 0;
        let literal =
            |range: std::ops::Range<usize>| WordPart::Text(text.value.get(range).unwrap_or_default().to_owned());
        for (placeholder, index) in text.placeholders.iter().zip(&mut next) {
            word.push(literal(done..placeholder.range.start));
            word.push(code::value(index));
            done = placeholder.range.end;
        }
        word.push(literal(done..text.value.len()));
        word
    };
    words.iter().map(&mut word).collect()
}

/// Returns one problem for each placeholder, in their order. If there are several, the one whose kind is first in the
/// enum is the most specific.
fn placeholder_problems<'n>(
    mut found: Vec<(usize, PlaceholderProblemKind)>,
    name: &dyn Fn(usize) -> Option<&'n FieldName>,
) -> Vec<PlaceholderProblem> {
    found.sort();
    found.dedup_by_key(|(index, _)| *index);
    let problem =
        |(index, kind)| name(index).map(|name| PlaceholderProblem { kind, name: name.text(), span: name.span });
    found.into_iter().filter_map(problem).collect()
}

#[cfg(test)]
mod tests;
