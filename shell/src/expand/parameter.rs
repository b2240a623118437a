//! Parameter expansion: `$x`, `${x…}`, `$1`, `$@` and the like.

use super::change::change_glob_matches;
use super::fallback::Fallback;
use super::fields::{ExpansionMode, Quoting};
use super::special::{UnmatchedGlob, element, special_parameter};
use super::{Expander, SubstitutionDelimiters, TextKind, braces};
use crate::dialect::{DialectFeature, DialectReading};
use crate::escapes::has_locale_escapes;
use crate::evaluated::EvaluatorKind;
use crate::parse::is_name;
use crate::state::{OptionState, VariableLookup, VariableValue};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, ValueSource, Word, WordPart};

/// The characters that may follow the name of a parameter in `${…}`.
const OPERATORS: &[char] = &[':', '-', '=', '?', '+', '#', '%', '/', '^', ',', '~', '@'];

/// The value of a parameter, with its subscript applied.
pub(super) enum ParameterValue {
    /// The parameter is not set.
    Unset,
    /// One known or partly known value.
    One(ShellValue),
    /// The elements of `$@` or `${a[@]}`: in quotes, one word for each.
    Elements(Vec<ShellValue>),
    /// The elements of `$*` or `${a[*]}`: in quotes, one word for all.
    Joined(Vec<ShellValue>),
    /// The value is unknown, for this cause.
    Unknown(Cause),
    /// An unknown value that is one word without blanks, such as a number.
    Number,
}

/// The source text and the context of an expansion.
#[derive(Clone, Copy)]
pub(super) struct ExpansionText<'t> {
    /// The whole expansion as in the source, for messages: `${x:-y}`.
    pub whole: &'t str,
    pub quoting: Quoting,
    /// Whether the expansion is a list, which in quotes may be any number of words: `"$@"`.
    is_list: bool,
}

impl<'t> ExpansionText<'t> {
    /// Returns the text of an expansion that is not a list.
    pub(super) fn of(whole: &'t str, quoting: Quoting) -> Self {
        Self { whole, quoting, is_list: false }
    }
}

impl ParameterValue {
    /// Returns the known values: all elements of a list, none if the parameter is unset or unknown.
    pub(super) fn values(&self) -> &[ShellValue] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Elements(values) | Self::Joined(values) => values,
            Self::Unset | Self::Unknown(_) | Self::Number => &[],
        }
    }

    /// Returns the value with `change` applied to each of its texts. The result is unknown if a text or a changed text
    /// is unknown.
    pub(super) fn changed_by(self, change: impl Fn(&str) -> Option<String>) -> Self {
        let apply = |value: ShellValue| {
            let text = value.word.known_text().and_then(&change)?;
            Some(ShellValue { word: Word::text(text), writers: value.writers })
        };
        let changed = match self {
            Self::One(value) => apply(value).map(Self::One),
            Self::Elements(values) => values.into_iter().map(apply).collect::<Option<_>>().map(Self::Elements),
            Self::Joined(values) => values.into_iter().map(apply).collect::<Option<_>>().map(Self::Joined),
            Self::Number => None,
            Self::Unset | Self::Unknown(_) => return self,
        };
        changed.unwrap_or(Self::Unknown(Cause::Variable))
    }
}

impl Expander<'_> {
    /// Adds the expansion of `${inner}`; `whole` is the expansion as in the source.
    pub(super) fn parameter(&mut self, inner: &str, whole: &str, quoting: Quoting) {
        // New versions of bash run `${ script; }`, and old versions reject it.
        if inner.starts_with([' ', '\t', '\n', '|']) {
            let value = self.shell.output(inner.trim_start_matches('|'), SubstitutionDelimiters::Parentheses, whole);
            return self.fields.value(&value, quoting);
        }
        let mut written = ExpansionText { whole, quoting, is_list: false };
        if let Some(name) = inner
            .strip_prefix('#')
            .filter(|name| !name.is_empty() && parameter_end(name, &self.shell.state().reading) == name.len())
        {
            let length = self.length(name);
            return match length {
                Some(length) => self.number(&ShellValue::text(length.to_string()), quoting),
                None => self.add_unknown(
                    Cause::Variable,
                    ValueSource::Number,
                    ExpansionText { quoting: Quoting::Quoted, ..written },
                ),
            };
        }
        if let Some(rest) = inner.strip_prefix('!').filter(|rest| !rest.is_empty()) {
            return self.indirect(rest, written);
        }
        let end = parameter_end(inner, &self.shell.state().reading);
        let (name, operator) = (inner.get(..end).unwrap_or_default(), inner.get(end..).unwrap_or_default());
        written.is_list = is_list(name, operator);
        let parameter = if end == 0 { ParameterValue::Unknown(Cause::Variable) } else { self.parameter_value(name) };
        if !operator.trim_start_matches(':').starts_with(['-', '=', '?', '+']) {
            self.note_unset(name, &parameter);
        }
        if end == 0 || operator.chars().next().is_some_and(|sign| !OPERATORS.contains(&sign)) {
            if self.is_zsh() {
                return self.add_zsh_expansion(inner, written);
            }
            // Bash stops here. In zsh, `${(e)x}` runs code in the value, and `${$(x)}` is `$(x)`.
            let text = self.with_named_values(inner);
            self.shell.note_other_dialect(Unknown::new(Cause::Syntax, whole), Some(text.as_deref().unwrap_or(inner)));
        }
        self.operate(name, parameter, operator, written);
    }

    /// Records that the shell may end here because the parameter may be unset, which is an error after `set -u`.
    pub(super) fn note_unset(&mut self, name: &str, parameter: &ParameterValue) {
        let may_be_unset = match parameter {
            ParameterValue::Unset | ParameterValue::Unknown(_) => !matches!(name, "@" | "*" | "-" | "_"),
            // `$!` is unset if no command has run in the background.
            ParameterValue::Number => name == "!",
            // The value of the variable was lost, possibly because `unset` removed the variable.
            ParameterValue::One(value) => matches!(
                value.word.parts.as_slice(),
                [WordPart::Unknown(unknown)] if unknown.reason.source.variable() == Some(name)
            ),
            ParameterValue::Elements(_) | ParameterValue::Joined(_) => false,
        };
        if may_be_unset && self.shell.state().options.nounset != OptionState::Off {
            self.shell.note_possible_exit();
        }
    }

    /// Returns the value of a parameter, perhaps with a subscript: `x`, `x[1]`, `@`.
    pub(super) fn parameter_value(&mut self, name: &str) -> ParameterValue {
        let (name, subscript) = match name.split_once('[') {
            Some((name, rest)) => (name, Some(rest.strip_suffix(']').unwrap_or(rest))),
            None => (name, None),
        };
        let name = if name == "argv" && self.is_zsh() { "*" } else { name };
        if let Some(special) = special_parameter(self.shell.state(), name) {
            let is_part = subscript.is_some_and(|subscript| !matches!(subscript, "@" | "*"));
            return if is_part { ParameterValue::Unknown(Cause::Argument) } else { special };
        }
        let lookup = self.shell.state().find(name);
        match (lookup, subscript) {
            (lookup @ (VariableLookup::Unknown | VariableLookup::Unset), subscript) => {
                if let Some(subscript) = subscript.filter(|subscript| !matches!(*subscript, "@" | "*")) {
                    super::subscript(self.shell, name, subscript);
                }
                if lookup == VariableLookup::Unset {
                    ParameterValue::Unset
                } else {
                    ParameterValue::Unknown(Cause::Variable)
                }
            }
            (VariableLookup::One(_), Some("0")) if self.is_zsh() => ParameterValue::Unknown(Cause::Variable),
            (VariableLookup::One(value), Some("@" | "*" | "0") | None) => ParameterValue::One(value),
            (VariableLookup::List(values), Some("@")) => ParameterValue::Elements(values),
            (VariableLookup::List(values), Some("*")) => ParameterValue::Joined(values),
            (VariableLookup::List(values), None) if self.is_zsh() => match self.shell.state().options.other_values {
                true => ParameterValue::Unknown(Cause::Dialect),
                false => ParameterValue::Joined(values),
            },
            // In bash, a list without a subscript is its first element.
            (VariableLookup::List(values), None) => {
                values.into_iter().next().map_or(ParameterValue::Unset, ParameterValue::One)
            }
            (VariableLookup::List(values), Some(subscript)) if self.is_zsh() => self.element_of_zsh(&values, subscript),
            (VariableLookup::List(values), Some(subscript)) => {
                match super::subscript(self.shell, name, subscript).word.known_text() {
                    Some(index) => element(&values, index, UnmatchedGlob::from_state(self.shell.state())),
                    None => ParameterValue::Unknown(Cause::Variable),
                }
            }
            (VariableLookup::One(_), Some(subscript)) => {
                super::subscript(self.shell, name, subscript);
                ParameterValue::Unknown(Cause::Variable)
            }
        }
    }

    /// Adds the expansion of `${!rest}`: the value of the variable whose name another variable contains.
    fn indirect(&mut self, rest: &str, written: ExpansionText<'_>) {
        let end = parameter_end(rest, &self.shell.state().reading);
        let (name, operator) = (rest.get(..end).unwrap_or_default(), rest.get(end..).unwrap_or_default());
        let written = ExpansionText { is_list: is_list(name, operator), ..written };
        if self.is_zsh() {
            // In zsh, `${!x}` is not an indirect expansion.
            self.shell.note_possible_exit();
            return self.add_unknown(Cause::Dialect, ValueSource::IndirectVariable, written);
        }
        let lists_names = name.contains('[') || matches!(operator, "*" | "@");
        let target = match self.parameter_value(name) {
            // In POSIX mode, `${!#}` is `$!` with the operator `#`.
            _ if name == "#" => None,
            ParameterValue::One(value) if !lists_names => {
                self.shell.note_evaluation(EvaluatorKind::Expression, &value);
                value.word.known_text().map(str::to_owned)
            }
            _ => None,
        };
        if let Some(target) = target.as_ref().filter(|target| target.contains('[')) {
            super::run_expression(self.shell, target);
        }
        let is_parameter = |target: &String| {
            let base = target.split('[').next().unwrap_or_default();
            is_name(base) && parameter_end(target, &self.shell.state().reading) == target.len()
                || !target.is_empty() && target.bytes().all(|byte| byte.is_ascii_digit())
        };
        match target.filter(is_parameter) {
            Some(target) => {
                let parameter = self.parameter_value(&target);
                self.note_unset(&target, &parameter);
                let written = ExpansionText { is_list: is_list(&target, operator), ..written };
                self.operate(&target, parameter, operator, written);
            }
            // The name of the variable is unknown or not a valid name. The latter is an error, unless the expansion
            // lists names.
            None => {
                if !lists_names {
                    self.shell.note_possible_exit();
                }
                self.operate("", ParameterValue::Unknown(Cause::Variable), operator, written);
            }
        }
    }

    /// Applies the operator of `${name…}` to the value `parameter` and adds the result. The operator may be empty.
    fn operate(&mut self, name: &str, parameter: ParameterValue, operator: &str, written: ExpansionText<'_>) {
        let Some(sign) = operator.chars().next() else {
            let source = self.value_source(name);
            return self.emit_sources(name, parameter, source, written);
        };
        let rest = operator.get(sign.len_utf8()..).unwrap_or_default();
        if let Some(operand) = operator.strip_prefix("::=").filter(|_| self.is_zsh()) {
            let value = super::word(self.shell, operand);
            self.assign_default(name, VariableValue::One(value.clone()));
            return self.fields.value(&value, written.quoting);
        }
        if let Some(fallback) = Fallback::read(name, operator) {
            return self.fall_back(&fallback, parameter, written);
        }
        let is_slice = sign == ':' && matches!(name, "@" | "*");
        let parameter = if is_slice { self.prepend_zero(parameter) } else { parameter };
        let is_exact = sign != '/' || !self.shell.state().options.nocasematch;
        let changed = match &parameter {
            ParameterValue::One(value) if is_exact => change_glob_matches(value, sign, rest, written.whole),
            _ => None,
        };
        let is_locale_independent = self.is_same_in_locales(&parameter) && !has_locale_escapes(rest);
        let changed = changed.unwrap_or_else(|| self.apply_operator(parameter, sign, rest));
        let changed = if is_locale_independent { changed } else { ParameterValue::Unknown(Cause::Variable) };
        self.add_changed(name, changed, written);
    }

    /// Adds `changed`, the value of a parameter after an operator has changed it.
    pub(super) fn add_changed(&mut self, name: &str, changed: ParameterValue, written: ExpansionText<'_>) {
        let base = name.split('[').next().unwrap_or_default();
        let source = if is_name(base) { ValueSource::DerivedVariable(base.into()) } else { ValueSource::Any };
        self.emit_sources(name, changed, source, written);
    }

    /// Adds the value of a parameter. An unknown value becomes one unknown part for each variable that it is derived
    /// from.
    fn emit_sources(&mut self, name: &str, parameter: ParameterValue, source: ValueSource, written: ExpansionText<'_>) {
        let ParameterValue::Unknown(cause) = parameter else { return self.add_parameter(parameter, source, written) };
        let mut names = self.source_variables(name).into_iter();
        let source = names.next().map_or(source, ValueSource::DerivedVariable);
        self.add_parameter(ParameterValue::Unknown(cause), source, written);
        for name in names {
            let why = Unknown::with_source(cause, "", ValueSource::DerivedVariable(name));
            self.fields.value(&ShellValue::from_unknown(why), written.quoting);
        }
    }

    /// Assigns a value to a parameter, for `${x:=word}`. Without a valid name, as may be with `${!x:=word}`, all
    /// variables become unknown.
    pub(super) fn assign_default(&mut self, name: &str, binding: VariableValue) {
        let state = self.shell.state();
        let base = name.split('[').next().unwrap_or_default();
        if is_name(name) {
            state.set(name, binding);
        } else if is_name(base) {
            state.forget(base);
        } else {
            state.charge(8 * state.variables.len());
            state.forget_variables();
        }
    }

    /// Expands the word of `${x:-word}`, as a part of the text around it.
    pub(super) fn operand(&mut self, operand: &str, quoting: Quoting) {
        let outer = std::mem::replace(&mut self.in_operand, true);
        self.text(operand, TextKind::Word, quoting);
        self.in_operand = outer;
    }

    /// Adds the value of a parameter as one or several words, depending on its quotes and on the mode of the expansion.
    /// `source` is the source of an unknown value.
    pub(super) fn add_parameter(&mut self, parameter: ParameterValue, source: ValueSource, written: ExpansionText<'_>) {
        let ExpansionText { quoting, .. } = written;
        match parameter {
            ParameterValue::Unset => {
                if quoting == Quoting::Quoted {
                    self.fields.begin();
                }
            }
            ParameterValue::One(value) => self.add_one(&value, written),
            ParameterValue::Number => {
                let source = match source.variable() {
                    Some("PPID") => ValueSource::Parent,
                    Some("$" | "BASHPID") => ValueSource::Process,
                    _ => ValueSource::Number,
                };
                self.add_unknown(Cause::Variable, source, ExpansionText { quoting: Quoting::Quoted, ..written });
            }
            ParameterValue::Unknown(cause) => self.add_unknown(cause, source, written),
            ParameterValue::Elements(values) if self.joins_elements(&values) => self.add_joined(&values, quoting),
            ParameterValue::Joined(values) if quoting == Quoting::Quoted || self.fields.mode == ExpansionMode::One => {
                self.add_joined(&values, quoting);
            }
            ParameterValue::Elements(values) | ParameterValue::Joined(values) => self.add_elements(&values, quoting),
        }
    }

    /// Adds the value of a parameter that has a single value.
    fn add_one(&mut self, value: &ShellValue, written: ExpansionText<'_>) {
        let quoting = self.effective_quoting(value, written.quoting);
        if quoting != written.quoting && self.shell.state().options.other_values {
            // With `setopt shwordsplit`, a value in the position of the program may be a whole command.
            self.shell.note_other_dialect(Unknown::new(Cause::Dialect, written.whole), value.word.known_text());
            return self.add_unknown(Cause::Dialect, ValueSource::Any, written);
        }
        self.fields.value(value, quoting);
        // A list whose elements are all unknown is represented by one unknown part.
        if written.is_list && matches!(value.word.parts.as_slice(), [WordPart::Unknown(_)]) {
            self.may_be_several(written);
        }
    }

    /// Whether the elements of `$@` become one word because the caller needs one, as in an assignment. Some shells
    /// put a blank between the elements in any case.
    fn joins_elements(&mut self, values: &[ShellValue]) -> bool {
        values.len() > 1
            && self.fields.mode == ExpansionMode::One
            && !self.shell.state().reading.has(DialectFeature::BlanksBetween)
    }

    /// Adds a list as one word, with the first character of `IFS` between the elements.
    fn add_joined(&mut self, values: &[ShellValue], quoting: Quoting) {
        let separator = match self.shell.state().separators() {
            // Some shells use the first byte of a character, others the whole character.
            Some(separators) if separators.starts_with(|first: char| !first.is_ascii()) => {
                ShellValue::unknown(Cause::Variable, "$IFS")
            }
            Some(separators) => ShellValue::text(separators.get(..1).unwrap_or_default()),
            None => ShellValue::unknown(Cause::Variable, "$IFS"),
        };
        self.fields.begin();
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.fields.value(&separator, Quoting::Quoted);
            }
            self.fields.value(value, quoting);
        }
    }

    /// Adds a list as separate words, one for each element.
    fn add_elements(&mut self, values: &[ShellValue], quoting: Quoting) {
        if values.is_empty() {
            self.fields.drop_if_empty();
        }
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.fields.close();
            }
            // An element that may be several words, such as an unquoted `$X` in `set -- $X`, may be several even in
            // quotes.
            match value.word.may_split() {
                true => self.add_unquoted_parts(value),
                false => {
                    let quoting = self.effective_quoting(value, quoting);
                    self.fields.value(value, quoting);
                }
            }
        }
    }

    /// Returns the given quoting, or [`Quoting::Quoted`] if the value is unquoted but the shell, as zsh does, neither
    /// splits it nor expands globs in it. An empty value stays unquoted, since it is dropped.
    fn effective_quoting(&mut self, value: &ShellValue, quoting: Quoting) -> Quoting {
        let may_split = |part: &WordPart| match part {
            WordPart::Text(text) => !super::is_plain(text) || self.fields.has_separator(text),
            WordPart::Glob(_) => true,
            WordPart::Unknown(_) => false,
        };
        let matters = quoting == Quoting::Bare && self.fields.mode != ExpansionMode::One;
        let stays_whole = matters
            && value.word.parts.iter().any(may_split)
            && !self.shell.state().reading.has(DialectFeature::Splitting);
        if stays_whole { Quoting::Quoted } else { quoting }
    }

    /// Adds the parts of a value as they are: an unquoted unknown part stays unquoted.
    fn add_unquoted_parts(&mut self, value: &ShellValue) {
        for part in &value.word.parts {
            self.fields.part(part.clone());
        }
        self.fields.begin().add_writers(&value.writers);
    }

    /// Adds an unknown value.
    fn add_unknown(&mut self, cause: Cause, source: ValueSource, written: ExpansionText<'_>) {
        self.fields
            .value(&ShellValue::from_unknown(Unknown::with_source(cause, written.whole, source)), written.quoting);
        self.may_be_several(written);
    }

    /// Marks the last unknown part of the word as any number of words, if the expansion is a list in quotes: `"$@"`,
    /// `"${x[@]}"`.
    fn may_be_several(&mut self, written: ExpansionText<'_>) {
        if written.quoting == Quoting::Quoted && written.is_list {
            let word = &mut self.fields.begin().word;
            if let Some(WordPart::Unknown(unknown)) = word.parts.last_mut() {
                unknown.may_split = true;
            }
        }
    }
}

/// Whether an expansion is a list with a word for each element: `$@`, `${a[@]}`, `${!start@}`.
fn is_list(name: &str, operator: &str) -> bool {
    name == "@" || name.ends_with("[@]") || operator.starts_with('@')
}

/// Returns the length of the name of a parameter at the start of a text, including its subscript: 4 for `x[1]:-y`.
fn parameter_end(text: &str, reading: &DialectReading) -> usize {
    let Some(first) = text.bytes().next() else { return 0 };
    let length = match first {
        b'0'..=b'9' => text.bytes().take_while(u8::is_ascii_digit).count(),
        b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' => return 1,
        _ => text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count(),
    };
    let rest = text.get(length..).unwrap_or_default();
    if length > 0 && rest.starts_with('[') {
        return length + braces::brackets_length(rest, reading);
    }
    length
}
