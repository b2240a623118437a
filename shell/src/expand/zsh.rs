//! Expansions that only zsh has: `$list[2]`, flags in `${(s: :)x}`, `=program`, glob operators that an option
//! enables.

use super::fields::{ExpansionMode, Quoting};
use super::parameter::{ExpansionText, ParameterValue};
use super::special::{UnmatchedGlob, element_at};
use super::{Expander, ExpansionContext, braces, qualifier, word};
use crate::dialect::DialectFeature;
use crate::evaluated::EvaluatorKind;
use crate::parse::is_name;
use crate::state::VariableLookup;
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// The directory assumed for the program of `=name`: rules only see the name of the program.
const PROGRAMS: &str = "/usr/bin/";

/// The expansion flags of `${(flags)x}` that run code in the value: `e`, and `%` for prompt escapes.
const RUNNING: &[char] = &['e', '%'];

/// The maximum number of variables in one expansion whose values are looked at.
const MAX_NAMES: usize = 16;

/// The character at which an expansion splits a value.
#[derive(Clone, Copy)]
enum Separator {
    /// Blanks and newlines: `${=x}`, and `${(z)x}` if the value has no quotes.
    Blanks,
    /// One character: `${(f)x}`, `${(s:,:)x}`.
    Character(char),
}

/// Parses the flags and signs at the start of an expansion that only split its value. Returns the separator and the
/// rest, which is a name or `:-text`.
fn separator(inner: &str) -> Option<(Separator, &str)> {
    let (flags, rest) = match inner.strip_prefix('(') {
        Some(inner) => inner.split_once(')')?,
        None => ("", inner),
    };
    let mut found = None;
    let mut flags = flags.chars();
    while let Some(flag) = flags.next() {
        match flag {
            '@' => {}
            'z' => found = Some(Separator::Blanks),
            'f' => found = Some(Separator::Character('\n')),
            's' => {
                let delimiter = flags.next()?;
                let sign = flags.next()?;
                found = Some(if sign == ' ' { Separator::Blanks } else { Separator::Character(sign) });
                if flags.next() != Some(delimiter) {
                    return None;
                }
            }
            _ => return None,
        }
    }
    match rest.strip_prefix('=') {
        Some(rest) => Some((Separator::Blanks, rest)),
        None => Some((found?, rest)),
    }
}

/// Returns `=(script)`, which in zsh is a temporary file with the output of the script, as the process substitution
/// `<(script)`; `None` for any other text.
pub(super) fn as_process_substitution(shell: &mut dyn ExpansionContext, text: &str) -> Option<String> {
    let script = text.strip_prefix("=(").filter(|_| shell.state().reading.has(DialectFeature::ZshSyntax))?;
    Some(format!("<({script}"))
}

/// Whether a word has a glob that only zsh recognises: groups, qualifiers, and the operators of `EXTENDED_GLOB`.
/// Records the code in qualifiers.
pub(super) fn has_other_globs(shell: &mut dyn ExpansionContext, text: &str) -> bool {
    let may_have_glob = |text: &str| text.contains(['(', '^', '~', '#', '*', '?', '[']);
    if !may_have_glob(text) || !shell.state().reading.has(DialectFeature::ZshSyntax) {
        return false;
    }
    let has_option = shell.state().options.extended_glob;
    let mut found = false;
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if c == '(' {
            let group = text.get(at..).unwrap_or_default();
            let length = braces::parens_length(group, &shell.state().reading);
            let group = group.get(..length).unwrap_or_default();
            if qualifier::may_run(group, ExpansionMode::Words) {
                shell.note_other_dialect(Unknown::new(Cause::Qualifier, group), Some(qualifier::code(group)));
            }
            found = true;
            at += length.max(1);
            continue;
        }
        // At the start, a tilde is the home directory.
        found |= has_option && (matches!(c, '^' | '#' | '*' | '?' | '[') || c == '~' && at > 0);
        at += braces::step_length(text, at, c, &shell.state().reading);
    }
    found
}

impl Expander<'_> {
    /// Whether the shell is zsh.
    pub(super) fn is_zsh(&mut self) -> bool {
        self.shell.state().reading.has(DialectFeature::ZshSyntax)
    }

    /// Expands the `=` of `=program` at the start of a word to the program's directory. Returns the offset of the rest.
    pub(super) fn expand_equals(&mut self, text: &str) -> usize {
        let begins = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if !text.strip_prefix('=').is_some_and(begins) || !self.is_zsh() {
            return 0;
        }
        self.fields.text(PROGRAMS, Quoting::Quoted);
        1
    }

    /// Returns the length of the subscript after a name, as in `$list[2]`, which only zsh accepts without braces; 0
    /// if there is none.
    pub(super) fn subscript_of_zsh(&mut self, name: &str, after: &str) -> usize {
        let takes = is_name(name) || matches!(name, "@" | "*") || name.starts_with(|c: char| c.is_ascii_digit());
        if !takes || !after.starts_with('[') || !self.is_zsh() {
            return 0;
        }
        braces::brackets_length(after, &self.shell.state().reading)
    }

    /// Returns the element of a list at an index, which starts at 1 in zsh.
    pub(super) fn element_of_zsh(&mut self, values: &[ShellValue], subscript: &str) -> ParameterValue {
        let index =
            super::arithmetic(self.shell, subscript).word.known_text().and_then(|index| index.parse::<i64>().ok());
        let is_usual = !self.shell.state().options.other_values && !subscript.contains([',', '(']);
        let index =
            index.filter(|index| is_usual && *index != 0).map(|index| if index > 0 { index - 1 } else { index });
        let found = index.and_then(|index| element_at(values, index, UnmatchedGlob::Literal));
        found.map_or(ParameterValue::Unknown(Cause::Variable), ParameterValue::One)
    }

    /// Adds the words of an expansion that only splits known values: `${=x}`, `${(f)x}`. For `${(flags)name…}` and
    /// other contents of braces that only zsh accepts, adds an unknown part, which may be any number of words, records
    /// the code that they run, and forgets the variables that they assign.
    pub(super) fn add_zsh_expansion(&mut self, inner: &str, written: ExpansionText<'_>) {
        if let Some(words) = self.split_values(inner) {
            return self.add_parameter(ParameterValue::Elements(words), ValueSource::Any, written);
        }
        let whole = written.whole;
        let (flags, rest) = match inner.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
            Some((flags, rest)) => (flags, rest),
            None => ("", inner),
        };
        // Substitutions in the rest run in any case.
        word(self.shell, rest);
        if flags.contains(RUNNING) {
            let names = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| is_name(name));
            let mut is_noted = false;
            for name in names {
                let known = match self.shell.state().find(name) {
                    VariableLookup::One(value) => {
                        self.shell.note_evaluation(EvaluatorKind::Expression, &value);
                        value.word.known_text().map(str::to_owned)
                    }
                    VariableLookup::Unset => Some(String::new()),
                    VariableLookup::List(_) | VariableLookup::Unknown => None,
                };
                is_noted = true;
                self.shell.note_other_dialect(Unknown::new(Cause::Dialect, whole), known.as_deref());
            }
            if !is_noted {
                self.shell.note_other_dialect(Unknown::new(Cause::Dialect, whole), None);
            }
        }
        if let Some((name, _)) = rest.split_once("::=").or_else(|| rest.split_once(":=")) {
            // With the flag `P`, another variable may name the target.
            let state = self.shell.state();
            state.charge(8 * state.variables.len());
            let names: Vec<String> = state.variables.keys().cloned().collect();
            names
                .iter()
                .filter(|variable| flags.contains('P') || *variable == name)
                .for_each(|variable| state.forget(variable));
        }
        let why = Unknown::new(Cause::Dialect, whole);
        if let Some(text) = self.with_named_values(inner) {
            self.shell.note_other_dialect(why.clone(), Some(&text));
        }
        self.fields.part(WordPart::Unknown(UnknownPart { reason: why, may_split: true }));
    }

    /// Returns the words into which an expansion such as `${=x}`, `${(z)x}`, `${(s:,:)x}` or `${=:-text}` splits known
    /// values; `None` if it does more than that, or if a value is not known.
    fn split_values(&mut self, inner: &str) -> Option<Vec<ShellValue>> {
        let (separator, rest) = separator(inner)?;
        let values = match rest.strip_prefix(":-") {
            Some(text) => vec![word(self.shell, text)],
            None if is_name(rest) || matches!(rest, "@" | "*") => self.parameter_value(rest).values().to_vec(),
            None => return None,
        };
        let mut words = Vec::new();
        for value in &values {
            let text = value.word.known_text()?;
            let is_end = |c: char| match separator {
                Separator::Blanks => c.is_ascii_whitespace(),
                Separator::Character(sign) => c == sign,
            };
            let pieces = text.split(is_end).filter(|piece| !piece.is_empty());
            words.extend(pieces.map(|piece| ShellValue { word: Word::text(piece), writers: value.writers.clone() }));
        }
        (!words.is_empty()).then_some(words)
    }

    /// Returns the contents of braces followed by the known values of the variables that they name; `None` if no value
    /// is known.
    pub(super) fn with_named_values(&mut self, inner: &str) -> Option<String> {
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        let mut text = inner.to_owned();
        for name in inner.split(is_end).filter(|name| is_name(name)).take(MAX_NAMES) {
            let values = match self.shell.state().find(name) {
                VariableLookup::One(value) => vec![value],
                VariableLookup::List(values) => values,
                VariableLookup::Unset | VariableLookup::Unknown => Vec::new(),
            };
            for known in values.iter().filter_map(|value| value.word.known_text()) {
                text.push(' ');
                text.push_str(known);
            }
        }
        (text.len() > inner.len()).then_some(text)
    }
}
