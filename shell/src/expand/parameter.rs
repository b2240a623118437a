//! Parameter expansion: `$x`, `${x…}`, `$1`, `$@` and the rest.

use super::change::of_glob;
use super::fallback::Fallback;
use super::fields::{Quoting, Way};
use super::special::{NoMatch, element, special};
use super::{Bounds, Expander, Text, braces};
use crate::dialect::{Feature, Reading};
use crate::escapes::are_of_locale;
use crate::evaluated::Evaluates;
use crate::parse::is_name;
use crate::state::{Binding, Found, Switch};
use crate::stream::Value;
use crate::word::{Cause, Part, Source, Unknown, Word};

/// The characters that may follow a parameter.
const OPERATORS: &[char] = &[':', '-', '=', '?', '+', '#', '%', '/', '^', ',', '~', '@'];

/// The value of a parameter, with its subscript applied.
pub(super) enum Meant {
    Unset,
    One(Value),
    /// `$@`, `${a[@]}`: in quotes, one word per element.
    Each(Vec<Value>),
    /// `$*`, `${a[*]}`: in quotes, one word.
    Joined(Vec<Value>),
    /// Unknown, and the cause.
    Unknown(Cause),
    /// An unknown value that is one word without blanks, such as a number.
    Number,
}

/// The spelling and the context of an expansion.
#[derive(Clone, Copy)]
pub(super) struct Written<'t> {
    /// The whole expansion, for display.
    pub whole: &'t str,
    pub quoting: Quoting,
    /// Whether it is a list, which in quotes may be any number of words.
    is_list: bool,
}

impl Meant {
    pub(super) fn values(&self) -> &[Value] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Each(values) | Self::Joined(values) => values,
            Self::Unset | Self::Unknown(_) | Self::Number => &[],
        }
    }

    /// Returns the value with each of its texts changed; unknown if the result of one of them is.
    pub(super) fn changed_by(self, change: impl Fn(&str) -> Option<String>) -> Self {
        let apply = |value: Value| {
            let text = value.word.known().and_then(&change)?;
            Some(Value { word: Word::text(text), from: value.from })
        };
        let changed = match self {
            Self::One(value) => apply(value).map(Self::One),
            Self::Each(values) => values.into_iter().map(apply).collect::<Option<_>>().map(Self::Each),
            Self::Joined(values) => values.into_iter().map(apply).collect::<Option<_>>().map(Self::Joined),
            Self::Number => None,
            Self::Unset | Self::Unknown(_) => return self,
        };
        changed.unwrap_or(Self::Unknown(Cause::Variable))
    }
}

impl Expander<'_> {
    /// Expands the content of `${…}`, displayed as `whole`.
    pub(super) fn parameter(&mut self, inner: &str, whole: &str, quoting: Quoting) {
        // Newer versions of bash run `${ script; }`, older ones reject it.
        if inner.starts_with([' ', '\t', '\n', '|']) {
            let value = self.shell.output(inner.trim_start_matches('|'), Bounds::Parentheses, whole);
            return self.fields.value(&value, quoting);
        }
        let mut written = Written { whole, quoting, is_list: false };
        if let Some(name) = inner
            .strip_prefix('#')
            .filter(|name| !name.is_empty() && parameter_end(name, &self.shell.state().reading) == name.len())
        {
            let length = self.length(name);
            return match length {
                Some(length) => self.number(&Value::text(length.to_string()), quoting),
                None => self.unknown(Cause::Variable, Source::Number, Written { quoting: Quoting::Quoted, ..written }),
            };
        }
        if let Some(rest) = inner.strip_prefix('!').filter(|rest| !rest.is_empty()) {
            return self.indirect(rest, written);
        }
        let end = parameter_end(inner, &self.shell.state().reading);
        let (name, operator) = (inner.get(..end).unwrap_or_default(), inner.get(end..).unwrap_or_default());
        written.is_list = is_list(name, operator);
        let meant = if end == 0 { Meant::Unknown(Cause::Variable) } else { self.meant(name) };
        if !operator.trim_start_matches(':').starts_with(['-', '=', '?', '+']) {
            self.note_unset(name, &meant);
        }
        if end == 0 || operator.chars().next().is_some_and(|sign| !OPERATORS.contains(&sign)) {
            if self.is_zsh() {
                return self.flagged(inner, whole);
            }
            // Bash stops here. In zsh, `${(e)x}` runs code in the value, and `${$(x)}` is `$(x)`.
            self.shell.elsewhere(Unknown::new(Cause::Syntax, whole), Some(inner));
        }
        self.operate(name, meant, operator, written);
    }

    /// Records that the shell may end because a parameter is unset: `set -u`.
    pub(super) fn note_unset(&mut self, name: &str, meant: &Meant) {
        let may_be_unset = match meant {
            Meant::Unset | Meant::Unknown(_) => !matches!(name, "@" | "*" | "-" | "_"),
            // `$!` is unset if no command has run in the background.
            Meant::Number => name == "!",
            // A variable whose value was lost, possibly through `unset`.
            Meant::One(value) => matches!(
                value.word.parts.as_slice(),
                [Part::Unknown(unknown)] if unknown.why.source.variable() == Some(name)
            ),
            Meant::Each(_) | Meant::Joined(_) => false,
        };
        if may_be_unset && self.shell.state().options.nounset != Switch::Off {
            self.shell.may_end();
        }
    }

    /// Looks up a parameter.
    pub(super) fn meant(&mut self, name: &str) -> Meant {
        let (name, subscript) = match name.split_once('[') {
            Some((name, rest)) => (name, Some(rest.strip_suffix(']').unwrap_or(rest))),
            None => (name, None),
        };
        let name = if name == "argv" && self.is_zsh() { "*" } else { name };
        if let Some(special) = special(self.shell.state(), name) {
            let is_part = subscript.is_some_and(|subscript| !matches!(subscript, "@" | "*"));
            return if is_part { Meant::Unknown(Cause::Argument) } else { special };
        }
        let found = self.shell.state().find(name);
        match (found, subscript) {
            (found @ (Found::Unknown | Found::Unset), subscript) => {
                if let Some(subscript) = subscript.filter(|subscript| !matches!(*subscript, "@" | "*")) {
                    super::subscript(self.shell, name, subscript);
                }
                if found == Found::Unset { Meant::Unset } else { Meant::Unknown(Cause::Variable) }
            }
            (Found::One(_), Some("0")) if self.is_zsh() => Meant::Unknown(Cause::Variable),
            (Found::One(value), Some("@" | "*" | "0") | None) => Meant::One(value),
            (Found::List(values), Some("@")) => Meant::Each(values),
            (Found::List(values), Some("*")) => Meant::Joined(values),
            (Found::List(values), None) if self.is_zsh() => match self.shell.state().options.other_values {
                true => Meant::Unknown(Cause::Dialect),
                false => Meant::Joined(values),
            },
            (Found::List(values), None) => values.into_iter().next().map_or(Meant::Unset, Meant::One),
            (Found::List(values), Some(subscript)) if self.is_zsh() => self.element_of_zsh(&values, subscript),
            (Found::List(values), Some(subscript)) => {
                match super::subscript(self.shell, name, subscript).word.known() {
                    Some(index) => element(&values, index, NoMatch::of(self.shell.state())),
                    None => Meant::Unknown(Cause::Variable),
                }
            }
            (Found::One(_), Some(subscript)) => {
                super::subscript(self.shell, name, subscript);
                Meant::Unknown(Cause::Variable)
            }
        }
    }

    /// `${!name}`
    fn indirect(&mut self, rest: &str, written: Written<'_>) {
        let end = parameter_end(rest, &self.shell.state().reading);
        let (name, operator) = (rest.get(..end).unwrap_or_default(), rest.get(end..).unwrap_or_default());
        let written = Written { is_list: is_list(name, operator), ..written };
        if self.is_zsh() {
            // In zsh it is not an indirect expansion.
            self.shell.may_end();
            return self.unknown(Cause::Dialect, Source::Indirect, written);
        }
        let is_listing = name.contains('[') || matches!(operator, "*" | "@");
        let target = match self.meant(name) {
            // In POSIX mode, `${!#}` is `$!` with an operator.
            _ if name == "#" => None,
            Meant::One(value) if !is_listing => {
                self.shell.evaluates(Evaluates::Expression, &value);
                value.word.known().map(str::to_owned)
            }
            _ => None,
        };
        if let Some(target) = target.as_ref().filter(|target| target.contains('[')) {
            super::evaluated(self.shell, target);
        }
        let is_parameter = |target: &String| {
            let base = target.split('[').next().unwrap_or_default();
            is_name(base) && parameter_end(target, &self.shell.state().reading) == target.len()
                || !target.is_empty() && target.bytes().all(|byte| byte.is_ascii_digit())
        };
        match target.filter(is_parameter) {
            Some(target) => {
                let meant = self.meant(&target);
                self.note_unset(&target, &meant);
                let written = Written { is_list: is_list(&target, operator), ..written };
                self.operate(&target, meant, operator, written);
            }
            // The name of the variable is unknown, or there is no such variable.
            None => {
                if !is_listing {
                    self.shell.may_end();
                }
                self.operate("", Meant::Unknown(Cause::Variable), operator, written);
            }
        }
    }

    fn operate(&mut self, name: &str, meant: Meant, operator: &str, written: Written<'_>) {
        let Some(sign) = operator.chars().next() else {
            let source = self.value_of(name);
            return self.emit_of(name, meant, source, written);
        };
        let rest = operator.get(sign.len_utf8()..).unwrap_or_default();
        if let Some(operand) = operator.strip_prefix("::=").filter(|_| self.is_zsh()) {
            let value = super::word(self.shell, operand);
            self.give(name, Binding::One(value.clone()));
            return self.fields.value(&value, written.quoting);
        }
        if let Some(fallback) = Fallback::read(name, operator) {
            return self.fall_back(&fallback, meant, written);
        }
        let is_slice = sign == ':' && matches!(name, "@" | "*");
        let meant = if is_slice { self.with_zero(meant) } else { meant };
        let changed = match &meant {
            Meant::One(value) => of_glob(value, sign, rest, written.whole),
            _ => None,
        };
        let is_of_every_locale = self.is_of_every_locale(&meant) && !are_of_locale(rest);
        let changed = changed.unwrap_or_else(|| self.changed(meant, sign, rest));
        let changed = if is_of_every_locale { changed } else { Meant::Unknown(Cause::Variable) };
        let base = name.split('[').next().unwrap_or_default();
        let source = if is_name(base) { Source::Changed(base.into()) } else { Source::Any };
        self.emit_of(name, changed, source, written);
    }

    /// Adds the value of a parameter. If it is unknown, adds unknown parts for the variables that it contains.
    fn emit_of(&mut self, name: &str, meant: Meant, source: Source, written: Written<'_>) {
        let Meant::Unknown(cause) = meant else { return self.emit(meant, source, written) };
        let mut names = self.variables_within(name).into_iter();
        let source = names.next().map_or(source, Source::Changed);
        self.emit(Meant::Unknown(cause), source, written);
        for name in names {
            let why = Unknown::of(cause, "", Source::Changed(name));
            self.fields.value(&Value::of_unknown(why), written.quoting);
        }
    }

    /// Assigns a value to a parameter: `${x:=word}`. The target of `${!x:=word}` may be unknown.
    pub(super) fn give(&mut self, name: &str, binding: Binding) {
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

    /// Expands the word after an operator in place.
    pub(super) fn operand(&mut self, operand: &str, quoting: Quoting) {
        let outer = std::mem::replace(&mut self.in_operand, true);
        self.text(operand, Text::Word, quoting);
        self.in_operand = outer;
    }

    pub(super) fn emit(&mut self, meant: Meant, source: Source, written: Written<'_>) {
        let Written { quoting, .. } = written;
        match meant {
            Meant::Unset => {
                if quoting == Quoting::Quoted {
                    self.fields.begin();
                }
            }
            Meant::One(value) => self.one(&value, written),
            Meant::Number => {
                let source = match source.variable() {
                    Some("PPID") => Source::Parent,
                    Some("$" | "BASHPID") => Source::Process,
                    _ => Source::Number,
                };
                self.unknown(Cause::Variable, source, Written { quoting: Quoting::Quoted, ..written });
            }
            Meant::Unknown(cause) => self.unknown(cause, source, written),
            Meant::Each(values) if self.joins_elements(&values) => self.joined(&values, quoting),
            Meant::Joined(values) if quoting == Quoting::Quoted || self.fields.way == Way::One => {
                self.joined(&values, quoting);
            }
            Meant::Each(values) | Meant::Joined(values) => self.elements(&values, quoting),
        }
    }

    fn one(&mut self, value: &Value, written: Written<'_>) {
        let whole = self.quoting_of(value, written.quoting);
        if whole != written.quoting && self.shell.state().options.other_values {
            return self.unknown(Cause::Dialect, Source::Any, written);
        }
        self.fields.value(value, whole);
        // An entirely unknown list.
        if written.is_list && matches!(value.word.parts.as_slice(), [Part::Unknown(_)]) {
            self.may_be_several(written);
        }
    }

    /// Whether the elements of `$@` become one word: where nothing is split, unless the shell puts blanks between them.
    fn joins_elements(&mut self, values: &[Value]) -> bool {
        values.len() > 1 && self.fields.way == Way::One && !self.shell.state().reading.has(Feature::BlanksBetween)
    }

    /// Adds a list as one word, with the first separator between its elements.
    fn joined(&mut self, values: &[Value], quoting: Quoting) {
        let separator = match self.shell.state().separators() {
            // Either the first byte of the multi-byte separator is used, or all of it.
            Some(all) if all.starts_with(|first: char| !first.is_ascii()) => Value::unknown(Cause::Variable, "$IFS"),
            Some(all) => Value::text(all.get(..1).unwrap_or_default()),
            None => Value::unknown(Cause::Variable, "$IFS"),
        };
        self.fields.begin();
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.fields.value(&separator, Quoting::Quoted);
            }
            self.fields.value(value, quoting);
        }
    }

    /// Adds a list as one word for each element.
    fn elements(&mut self, values: &[Value], quoting: Quoting) {
        if values.is_empty() {
            self.fields.vanish();
        }
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                self.fields.close();
            }
            // An argument that splits is several words, even in quotes.
            match value.word.splits() {
                true => self.several(value),
                false => {
                    let quoting = self.quoting_of(value, quoting);
                    self.fields.value(value, quoting);
                }
            }
        }
    }

    /// Returns how an unquoted value is treated: zsh does not split it, but drops an empty one.
    fn quoting_of(&mut self, value: &Value, quoting: Quoting) -> Quoting {
        let may_split = |part: &Part| match part {
            Part::Text(text) => !super::is_plain(text) || self.fields.has_separator(text),
            Part::Glob(_) => true,
            Part::Unknown(_) => false,
        };
        let matters = quoting == Quoting::Bare && self.fields.way != Way::One;
        let is_whole =
            matters && value.word.parts.iter().any(may_split) && !self.shell.state().reading.has(Feature::Splitting);
        if is_whole { Quoting::Quoted } else { quoting }
    }

    fn several(&mut self, value: &Value) {
        for part in &value.word.parts {
            self.fields.part(part.clone());
        }
        self.fields.begin().joins(&value.from);
    }

    fn unknown(&mut self, cause: Cause, source: Source, written: Written<'_>) {
        self.fields.value(&Value::of_unknown(Unknown::of(cause, written.whole, source)), written.quoting);
        self.may_be_several(written);
    }

    /// `"$@"` and `"${x[@]}"` may be any number of words.
    fn may_be_several(&mut self, written: Written<'_>) {
        if written.quoting == Quoting::Quoted && written.is_list {
            let word = &mut self.fields.begin().word;
            if let Some(Part::Unknown(unknown)) = word.parts.last_mut() {
                unknown.splits = true;
            }
        }
    }
}

/// Whether an expansion is a list that has a word per element: `$@`, `${a[@]}`, `${!start@}`.
fn is_list(name: &str, operator: &str) -> bool {
    name == "@" || name.ends_with("[@]") || operator.starts_with('@')
}

/// Returns the end of the name of a parameter, including its subscript.
fn parameter_end(text: &str, reading: &Reading) -> usize {
    let Some(first) = text.bytes().next() else { return 0 };
    let length = match first {
        b'0'..=b'9' => text.bytes().take_while(u8::is_ascii_digit).count(),
        b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' => return 1,
        _ => text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count(),
    };
    let rest = text.get(length..).unwrap_or_default();
    if length > 0 && rest.starts_with('[') {
        return length + braces::brackets(rest, reading);
    }
    length
}
