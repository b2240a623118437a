//! Expansions that only zsh has: `$list[2]`, flags in `${(s: :)x}`, `=program`, glob operators that an option
//! enables.

use super::fields::{ExpansionMode, Quoting};
use super::parameter::ParameterValue;
use super::special::{UnmatchedGlob, element_at};
use super::{Expander, ExpansionContext, braces, qualifier, word};
use crate::dialect::DialectFeature;
use crate::evaluated::EvaluatorKind;
use crate::parse::is_name;
use crate::state::VariableLookup;
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, UnknownPart, WordPart};

/// The directory assumed for the program of `=name`: rules only see the name of the program.
const PROGRAMS: &str = "/usr/bin/";

/// The expansion flags of `${(flags)x}` that run code in the value: `e`, and `%` for prompt escapes.
const RUNNING: &[char] = &['e', '%'];

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

    /// Adds an unknown part, which may be any number of words, for `${(flags)name…}` and other contents of braces that
    /// only zsh accepts. Records the code that they run, and forgets the variables that they assign.
    pub(super) fn add_zsh_expansion(&mut self, inner: &str, whole: &str) {
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
        self.fields.part(WordPart::Unknown(UnknownPart { reason: why, may_split: true }));
    }
}
