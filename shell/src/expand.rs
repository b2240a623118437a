//! Word expansion as in bash: braces, tilde, variables, substitutions, arithmetic, splitting, quote removal.
//!
//! The caller runs the substitutions of a word ([`Shell`]); a part whose value it does not know is an unknown part.

mod arithmetic;
mod backticks;
mod braces;
mod brackets;
mod change;
mod fallback;
mod fields;
mod length;
mod origin;
mod parameter;
mod pattern;
mod qualifier;
mod slice;
mod special;
mod zsh;

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::characters::has_lost_bytes;
use crate::dialect::Feature;
use crate::escapes::ansi;
use crate::evaluated::Evaluates;
use crate::parse::{Dollar, Fault, Inside, Raw, assigned_name, dollar, is_name};
use crate::stand_ins::{Meant, Piece, is_drawn, pieces};
use crate::state::{Found, State, Switch};
use crate::stream::Value;
use crate::word::{Cause, Part, Unknown, UnknownPart, Word};
pub(super) use arithmetic::assigned as assigned_by_arithmetic;
use fields::{Fields, Globs, Quoting, Way};

/// What expansion needs from the shell.
pub(super) trait Shell {
    fn state(&mut self) -> &mut State;
    /// Runs the script of `$(…)` and returns its output, or an unknown part that is displayed as `word`.
    fn output(&mut self, script: &str, bounds: Bounds, word: &str) -> Value;
    /// Runs the script of `<(…)` or `>(…)` and returns the name of its file.
    fn process(&mut self, script: &str, way: Flows, word: &str) -> Value;
    /// Expands a value as a prompt: substitutions in it run.
    fn prompt(&mut self, value: &Value);
    /// Records a value that is evaluated, if the caller of the analysis follows it.
    fn evaluates(&mut self, _how: Evaluates, _value: &Value) {}
    /// Records an expression that is evaluated, if the caller of the analysis follows a value in it.
    fn evaluates_text(&mut self, _text: &str) {}
    /// Records a value that is compared with a pattern, if the caller of the analysis follows it.
    fn tests(&mut self, _pattern: &str, _value: &Value) {}
    /// Returns the number of evaluated texts so far.
    fn evaluations(&self) -> usize {
        0
    }
    /// Drops the evaluated expressions from an index on if they are the subscript of an associative array.
    fn drop_keys(&mut self, _array: &str, _from: usize) {}
    /// Returns what a stand-in character of a script means; `None` for any other character.
    fn meant(&self, c: char) -> Option<Meant>;
    /// Returns a text as source text; `None`, with a record, if that is not possible.
    fn source(&mut self, text: &str) -> Option<String>;
    /// Records text that bash takes for a pattern, or rejects, and that another shell which gets the text may run:
    /// `code`, or any code if it is `None`.
    fn elsewhere(&mut self, why: Unknown, code: Option<&str>);
    /// Records that the shell may end here with an error message.
    fn may_end(&mut self);
    /// Spends steps. Returns `false` once the budget is spent.
    fn spend(&mut self, steps: usize) -> bool;
    /// Enters a text nested in another, or reached through another. Returns `false` if that is too deep; every `true`
    /// needs a [`Self::leave`].
    fn enter(&mut self) -> bool;
    fn leave(&mut self);
    /// Records a text as too deeply nested to expand.
    fn deep(&mut self, text: &str);
}

/// The delimiters of a substitution's script.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    Parentheses,
    Backticks,
}

/// The direction of a process substitution.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flows {
    /// `<(…)`: the command reads what the script writes.
    Out,
    /// `>(…)`: the script reads what the command writes.
    In,
}

/// The kind of a text: it determines which characters are special.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    /// A word.
    Word,
    /// The value of an assignment: tildes also after `:`.
    Assigned,
    /// An argument that looks like an assignment: tildes also after its `=`.
    Likewise,
    /// A here-document: the backslash is the only quote.
    Body,
    /// An arithmetic expression: quotes are removed, and nothing is split.
    Expression,
}

/// Expands a word of a command into any number of words, and appends them.
pub(super) fn words(shell: &mut dyn Shell, raw: &Raw, values: &mut Vec<Value>) {
    let before = values.len();
    let is_one = one_by_one(shell, raw, values);
    if let (Some([value]), true) = (values.get_mut(before..), is_one) {
        value.word.span = Some(raw.span.clone());
    }
}

/// Appends the words that a word expands to. Returns whether brace expansion left a single word.
fn one_by_one(shell: &mut dyn Shell, raw: &Raw, values: &mut Vec<Value>) -> bool {
    // The budget is checked before braces turn one word into many.
    let has_steps = shell.spend(1);
    if has_steps && is_plain(&raw.text) {
        fields(shell, &raw.text, (Text::Word, Way::Words), values);
        return true;
    }
    let alternatives = if has_steps { braced(shell.state(), &raw.text) } else { None };
    let Some(alternatives) = alternatives else {
        let word = Word::several(Unknown::new(Cause::Long, raw.text.clone()));
        values.push(Value { word, from: Vec::new() });
        return false;
    };
    let is_plain = alternatives.len() == 1;
    shell.spend(4 * alternatives.len().saturating_sub(1));
    for text in alternatives {
        let reading = &shell.state().reading;
        let has_tilde = text.contains('~') && assigned_name(&text, reading).is_some();
        let is_likewise = has_tilde && reading.has(Feature::TildeInArguments);
        let kind = if is_likewise { Text::Likewise } else { Text::Word };
        fields(shell, &text, (kind, Way::Words), values);
    }
    is_plain
}

/// Returns the brace expansions of an assignment among the arguments of a declaring builtin. If they are unknown,
/// returns the text itself.
pub(super) fn alternatives(shell: &mut dyn Shell, text: &str) -> Vec<String> {
    let is_list = assigned_name(text, &shell.state().reading).is_some_and(|(_, value)| value.starts_with('('));
    if is_list || !shell.spend(1) {
        return vec![text.to_owned()];
    }
    let alternatives = braced(shell.state(), text);
    let count = alternatives.as_ref().map_or(0, Vec::len);
    shell.spend(4 * count);
    alternatives.unwrap_or_else(|| vec![text.to_owned()])
}

/// Returns the brace expansions of a word; `None` if there are too many, or if braces may be plain text.
fn braced(state: &State, text: &str) -> Option<Vec<String>> {
    match state.options.nobraces {
        Switch::On => Some(vec![text.to_owned()]),
        Switch::Unclear if text.contains('{') => None,
        Switch::Off | Switch::Unclear => braces::expand(text, &state.reading),
    }
}

/// Expands a text to one word: after a redirection, in a `case`, in `[[ … ]]`.
pub(super) fn word(shell: &mut dyn Shell, text: &str) -> Value {
    one(shell, text, Text::Word, Way::One)
}

/// Expands the target of a redirection, where globs are active.
pub(super) fn target(shell: &mut dyn Shell, text: &str) -> Value {
    one(shell, text, Text::Word, Way::File)
}

/// Expands the value of an assignment.
pub(super) fn assigned(shell: &mut dyn Shell, text: &str) -> Value {
    one(shell, text, Text::Assigned, Way::One)
}

/// Expands a here-document.
pub(super) fn body(shell: &mut dyn Shell, text: &str) -> Value {
    one(shell, text, Text::Body, Way::One)
}

/// Expands the result of an expansion again, as a here-document: a prompt.
pub(super) fn again(shell: &mut dyn Shell, text: &str) {
    if let Some(source) = shell.source(text) {
        body(shell, &source);
    }
}

/// Expands an arithmetic expression and returns its value.
pub(super) fn arithmetic(shell: &mut dyn Shell, text: &str) -> Value {
    let expression = one(shell, text, Text::Expression, Way::One);
    let known: String = expression.word.parts.iter().filter_map(|part| part.text()).collect();
    let is_unset = shell.state().options.nounset != Switch::Off && arithmetic::may_be_unset(shell.state(), &known);
    shell.evaluates(Evaluates::Expression, &expression);
    evaluated(shell, &known);
    let value = arithmetic::value(shell.state(), &expression, text);
    if is_unset || value.word.known().is_none() && may_fail(&known) {
        shell.may_end();
    }
    value
}

/// Expands the subscript of an array's element. In an associative array it is a key.
pub(super) fn subscript(shell: &mut dyn Shell, array: &str, text: &str) -> Value {
    let before = shell.evaluations();
    let value = arithmetic(shell, text);
    shell.drop_keys(array, before);
    value
}

/// Whether the operators or the numbers of an expression may make it fail, which ends the command in bash.
fn may_fail(expression: &str) -> bool {
    let is_octal = |number: &str| number.len() > 1 && number.starts_with('0');
    expression.contains(['/', '%', '#', '[', '.', '"', '\'', '\\'])
        || expression.split(|c: char| !c.is_ascii_alphanumeric()).any(is_octal)
}

/// Runs the substitutions in an expression whose words are expanded. A variable in it may contain another expression,
/// and subscripts in these are expanded again.
pub(super) fn evaluated(shell: &mut dyn Shell, text: &str) {
    let mut seen = BTreeSet::new();
    let mut open = vec![text.to_owned()];
    let mut given = BTreeSet::new();
    while let Some(text) = open.pop() {
        if !shell.spend(text.len() + 1) {
            break;
        }
        shell.evaluates_text(&text);
        if text.contains("$(") || text.contains('`') || text.contains("${") {
            let Some(source) = shell.source(&text) else { break };
            one(shell, &source, Text::Expression, Way::One);
        }
        given.extend(arithmetic::assigned(&text));
        let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| is_name(name));
        for name in names {
            if !seen.insert(name.to_owned()) {
                continue;
            }
            let values = match shell.state().find(name) {
                Found::One(value) => vec![value],
                Found::List(values) => values,
                Found::Unset | Found::Unknown => continue,
            };
            for value in values {
                match value.word.known() {
                    Some(text) => open.push(text.to_owned()),
                    None => shell.evaluates(Evaluates::Expression, &value),
                }
            }
        }
    }
    // Assignments take effect only after the whole expression is evaluated.
    given.iter().for_each(|name| shell.state().forget(name));
}

/// Expands a text to a pattern: quoted text is literal, the rest is a glob.
fn pattern(shell: &mut dyn Shell, text: &str) -> Value {
    one(shell, text, Text::Word, Way::Pattern)
}

fn one(shell: &mut dyn Shell, text: &str, kind: Text, way: Way) -> Value {
    let mut values = Vec::new();
    fields(shell, text, (kind, way), &mut values);
    let mut joined = Value::default();
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            // Only a list yields several values.
            joined.word.push(Part::Text(" ".to_owned()));
        }
        joined.append(value);
    }
    joined
}

/// The cost of a word, in steps.
const WORD: usize = 16;

/// The longest text that is checked for being plain.
const PLAIN: usize = 256;

/// Whether expansion never changes a text, in any context: true for most words.
fn is_plain(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'/' | b'_' | b',' | b'%');
    !text.is_empty() && text.len() <= PLAIN && text.bytes().all(is_plain)
}

fn fields(shell: &mut dyn Shell, text: &str, (kind, way): (Text, Way), values: &mut Vec<Value>) {
    if !shell.spend(text.len() + 1) {
        return values.push(Value::unknown(Cause::Long, text));
    }
    // The cost is that of any other text.
    if is_plain(text) && !shell.state().variables.contains_key("IFS") && shell.enter() {
        shell.leave();
        shell.spend(fields::size(text));
        shell.spend(WORD);
        return values.push(Value::text(text));
    }
    let separators = shell.state().separators();
    let file = zsh::file_of_output(shell, text);
    let text = file.as_deref().unwrap_or(text);
    if way == Way::Words && kind == Text::Word && zsh::has_other_globs(shell, text) {
        // Substitutions in it run; which files it matches is unknown.
        word(shell, text);
        let word = Word::several(Unknown::new(Cause::Dialect, text));
        return values.push(Value { word, from: Vec::new() });
    }
    let text = match kind {
        Text::Body => Cow::Borrowed(text),
        _ => braces::joined_lines(text, &shell.state().reading),
    };
    let options = shell.state().options;
    let globs = match (way, options.noglob) {
        (Way::One, _) | (Way::Words | Way::File, Switch::On) => Globs::Text,
        (Way::Pattern, _) => Globs::Counted,
        _ if options.nocaseglob => Globs::AnyCase,
        _ => Globs::Counted,
    };
    let mut expander = Expander { shell, fields: Fields::new(way, globs, separators), in_operand: false };
    expander.text(&text, kind, Quoting::Bare);
    let Expander { fields, .. } = expander;
    shell.spend(fields.size);
    let made = fields.finish();
    shell.spend(WORD * made.len());
    values.extend(made);
}

/// Decodes the content of `$'…'`; `None` if the result is not valid text.
fn unescaped(text: &str) -> Option<String> {
    let made = ansi(text);
    (!has_lost_bytes(&made) || has_lost_bytes(text)).then_some(made)
}

struct Expander<'s> {
    shell: &'s mut dyn Shell,
    fields: Fields,
    /// Whether the text is in the word of a `${x:-word}`, whose blanks separate words.
    in_operand: bool,
}

impl Expander<'_> {
    /// Expands a text. Every expansion goes through this method, so that one limit bounds the nesting.
    fn text(&mut self, text: &str, kind: Text, outside: Quoting) {
        if self.shell.enter() {
            self.expand(text, kind, outside);
            self.shell.leave();
        } else {
            self.too_deep(text, outside);
        }
    }

    fn too_deep(&mut self, text: &str, quoting: Quoting) {
        self.shell.deep(text);
        self.fields.value(&Value::unknown(Cause::Deep, text), quoting);
    }

    fn expand(&mut self, text: &str, kind: Text, outside: Quoting) {
        let mut quoting = if matches!(kind, Text::Body | Text::Expression) { Quoting::Quoted } else { outside };
        let mut at = self.tilde(text, 0, kind, quoting);
        if at == 0 && quoting == Quoting::Bare && matches!(kind, Text::Word | Text::Assigned) {
            at = self.path_of_program(text);
        }
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let next = at + c.len_utf8();
            let is_bare = quoting == Quoting::Bare;
            let opens = || text.get(next..).is_some_and(|rest| rest.starts_with('('));
            at = match c {
                '"' if kind == Text::Expression => next,
                '"' if kind != Text::Body => {
                    quoting = if is_bare { Quoting::Quoted } else { outside };
                    self.fields.begin();
                    next
                }
                '\'' if is_bare => self.single_quoted(text, next),
                '\\' => self.backslash(text, next, kind, quoting),
                '$' | '`' => self.dollar(text, at, quoting),
                '<' | '>' if is_bare && opens() => self.dollar(text, at, quoting),
                '@' | '+' | '!' | '?' | '*' if is_bare && opens() => self.pattern_list(text, at),
                '*' | '?' if is_bare => {
                    self.fields.glob(text.get(at..next).unwrap_or_default());
                    next
                }
                '[' if is_bare => self.class(text, at),
                ']' if is_bare && self.fields.has_marks => {
                    self.fields.mark(']');
                    next
                }
                ':' | '=' if is_bare && (kind == Text::Likewise || kind == Text::Assigned && c == ':') => {
                    self.fields.text(text.get(at..next).unwrap_or_default(), quoting);
                    self.tilde(text, next, kind, quoting)
                }
                _ => self.plain(text, at, quoting),
            };
        }
    }

    /// Adds the text after a single quote, and returns the offset after the closing one.
    fn single_quoted(&mut self, text: &str, at: usize) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        let inner = rest.split('\'').next().unwrap_or_default();
        self.literal(inner, Quoting::Quoted);
        (at + inner.len() + 1).min(text.len())
    }

    /// Adds a list of patterns, `@(a|b)`, or only its sign if globs are text here. Returns the offset after it.
    fn pattern_list(&mut self, text: &str, at: usize) -> usize {
        let (sign, list) = text.get(at..).and_then(|rest| rest.split_at_checked(1)).unwrap_or_default();
        let inner = list.get(..braces::parens(list, &self.shell.state().reading)).unwrap_or_default();
        let next = at + sign.len();
        let end = next + inner.len();
        if qualifier::may_run(inner, self.fields.way) {
            let why = Unknown::new(Cause::Qualifier, text.get(at..end).unwrap_or_default());
            self.shell.elsewhere(why, Some(qualifier::code(inner)));
        }
        if self.fields.globs == Globs::Text {
            self.fields.text(sign, Quoting::Bare);
            return next;
        }
        // It matches anything from the empty text to any text, and its substitutions run all the same.
        self.fields.some_text(sign);
        if inner.contains(['$', '`']) {
            word(self.shell, inner.get(1..).unwrap_or_default());
        }
        end
    }

    /// Adds a `[…]`, or a bracket that may become one. Returns the offset after it.
    fn class(&mut self, text: &str, at: usize) -> usize {
        let length = pattern::class(text.get(at..).unwrap_or_default());
        match text.get(at..at + length).filter(|class| !class.is_empty()) {
            Some(class) => self.fields.glob(class),
            None => self.fields.mark('['),
        }
        at + length.max(1)
    }

    /// Adds the characters up to the next one that may be special.
    fn plain(&mut self, text: &str, at: usize, quoting: Quoting) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let behind = rest.get(first..).unwrap_or_default();
        let special = |c: char| "\"'\\$`<>@+!?*[]:=~".contains(c);
        let length = first + behind.find(special).unwrap_or(behind.len());
        self.literal(rest.get(..length).unwrap_or_default(), quoting);
        at + length
    }

    /// Adds a piece of a script that is literal to the shell.
    fn literal(&mut self, text: &str, quoting: Quoting) {
        match text.contains(is_drawn) {
            true => self.pieces(text, quoting, |text| Some(text.to_owned())),
            false => self.known(text, quoting),
        }
    }

    /// Adds a piece of a script, and converts the text between the unknown parts with `made`: `None` means that the
    /// text is unknown too.
    fn pieces(&mut self, text: &str, quoting: Quoting, made: fn(&str) -> Option<String>) {
        for piece in pieces(text, |c| self.shell.meant(c)) {
            match piece {
                Piece::Known(text) => match made(&text) {
                    Some(made) => self.known(&made, quoting),
                    None => self.fields.value(&Value::unknown(Cause::Decoded, text), quoting),
                },
                Piece::Unknown(value) => self.fields.value(&value, quoting),
            }
        }
    }

    fn known(&mut self, text: &str, quoting: Quoting) {
        match (quoting, self.in_operand) {
            (Quoting::Bare, true)
                if !self.fields.has_separator(text) || self.shell.state().reading.has(Feature::Splitting) =>
            {
                self.fields.value(&Value::text(text), quoting);
            }
            _ => self.fields.text(text, quoting),
        }
    }

    fn backslash(&mut self, text: &str, next: usize, kind: Text, quoting: Quoting) -> usize {
        let Some(c) = text.get(next..).and_then(|rest| rest.chars().next()) else {
            self.fields.text("\\", Quoting::Quoted);
            return next;
        };
        let is_escape = match kind {
            _ if quoting == Quoting::Bare => true,
            Text::Body => matches!(c, '$' | '`' | '\\' | '\n'),
            _ => matches!(c, '$' | '`' | '"' | '\\' | '\n'),
        };
        if !is_escape {
            self.fields.text("\\", Quoting::Quoted);
            return next;
        }
        let end = next + c.len_utf8();
        if c != '\n' {
            self.literal(text.get(next..end).unwrap_or_default(), Quoting::Quoted);
        }
        end
    }

    /// Adds a number. It is only split if a digit or a minus sign is a separator.
    fn number(&mut self, value: &Value, quoting: Quoting) {
        let usual = |separators: String| !separators.contains(|c: char| c.is_ascii_digit() || c == '-');
        let state = self.shell.state();
        let is_whole = quoting == Quoting::Quoted
            || state.separators().is_some_and(usual)
            || !state.reading.has(Feature::Splitting);
        self.fields.value(value, if is_whole { Quoting::Quoted } else { quoting });
    }

    /// Expands the `$`, backtick, `<(` or `>(` expansion that starts here, and returns its end.
    fn dollar(&mut self, text: &str, at: usize, quoting: Quoting) -> usize {
        // Finding its end takes parsing, whose cost grows with the length.
        if !self.shell.spend(1) {
            return text.len();
        }
        let inside = if quoting == Quoting::Quoted { Inside::DoubleQuotes } else { Inside::Nothing };
        let (what, end) = match dollar(text, at, inside, &self.shell.state().reading) {
            Ok(Some(found)) => found,
            Ok(None) => return self.name(text, at, quoting),
            Err(Fault::Syntax | Fault::Foreign) => {
                self.shell.spend(text.len().saturating_sub(at) / 4);
                return self.name(text, at, quoting);
            }
            Err(Fault::Deep) => {
                self.too_deep(text.get(at..).unwrap_or_default(), quoting);
                return text.len();
            }
        };
        self.shell.spend(4 * end.saturating_sub(at));
        let whole = text.get(at..end).unwrap_or_default();
        let inner = |span: &std::ops::Range<usize>| text.get(span.clone()).unwrap_or_default();
        match &what {
            Dollar::Command(span) => {
                let value = self.shell.output(inner(span), Bounds::Parentheses, whole);
                self.fields.value(&value, quoting);
            }
            Dollar::Backticks(span) => {
                let script = backticks::backticks(inner(span), quoting);
                let value = self.shell.output(&script, Bounds::Backticks, whole);
                self.fields.value(&value, quoting);
            }
            Dollar::Arithmetic(span) => {
                let value = arithmetic(self.shell, inner(span));
                self.number(&value, quoting);
            }
            Dollar::Braces(span) => self.parameter(inner(span), whole, quoting),
            Dollar::Escaped(span) => {
                self.shell.state().note_escape(inner(span));
                self.pieces(inner(span), Quoting::Quoted, unescaped);
            }
            Dollar::Translated(span) => self.text(&format!("\"{}\"", inner(span)), Text::Word, quoting),
            Dollar::Process(span) => {
                let way = if text.as_bytes().get(at) == Some(&b'>') { Flows::In } else { Flows::Out };
                let value = self.shell.process(inner(span), way, whole);
                self.fields.value(&value, Quoting::Quoted);
            }
        }
        end
    }

    /// Expands `$name`, `$1`, `$@`; otherwise the `$` is literal.
    fn name(&mut self, text: &str, at: usize, quoting: Quoting) -> usize {
        let rest = text.get(at + 1..).unwrap_or_default();
        if quoting == Quoting::Bare
            && let Some(behind) = rest.strip_prefix(['=', '~', '^'])
        {
            let length = behind.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            let name = behind.get(..length).unwrap_or_default();
            let found = if name.is_empty() { Found::Unset } else { self.shell.state().find(name) };
            let whole = text.get(at..at + 2 + length).unwrap_or_default();
            // In zsh these give the value, split or with active globs; in other shells the signs are literal.
            if found != Found::Unset && !self.shell.state().reading.has(Feature::Splitting) {
                let why = Unknown::new(Cause::Dialect, whole);
                self.fields.part(Part::Unknown(UnknownPart { why, splits: true }));
                return at + 2 + length;
            }
            if let Found::One(value) = found {
                self.shell.elsewhere(Unknown::new(Cause::Dialect, whole), Some(&value.word.literal()));
            }
        }
        let length = match rest.bytes().next() {
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
            }
            Some(byte) if byte.is_ascii_digit() || b"@*#?-$!".contains(&byte) => 1,
            _ => match rest.chars().next().filter(|c| is_drawn(*c)).map(|c| (c, self.shell.meant(c))) {
                // The parameter is unknown.
                Some((c, Some(Meant::Value(_)))) => {
                    self.fields.value(&Value::unknown(Cause::Variable, "$…"), quoting);
                    return at + 1 + c.len_utf8();
                }
                _ => {
                    self.fields.text(text.get(at..at + 1).unwrap_or_default(), Quoting::Quoted);
                    return at + 1;
                }
            },
        };
        let name = rest.get(..length).unwrap_or_default();
        let behind = rest.get(length..).unwrap_or_default();
        let length = length + self.subscript_of_zsh(name, behind);
        let end = at + 1 + length;
        let name = rest.get(..length).unwrap_or_default().to_owned();
        self.parameter(&name, text.get(at..end).unwrap_or_default(), quoting);
        end
    }

    /// Expands a tilde that starts here, and returns its end.
    fn tilde(&mut self, text: &str, at: usize, kind: Text, quoting: Quoting) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        let takes = matches!(kind, Text::Word | Text::Assigned | Text::Likewise)
            && quoting == Quoting::Bare
            && !self.in_operand;
        if !takes || !rest.starts_with('~') {
            return at;
        }
        let ends: &[char] = if kind == Text::Word { &['/'] } else { &['/', ':'] };
        let prefix = rest.split(ends).next().unwrap_or_default();
        if prefix.contains(['\'', '"', '\\', '$', '`']) {
            return at;
        }
        let state = self.shell.state();
        if matches!(prefix, "~+" | "~-") && !state.reading.has(Feature::TildeDirectories) {
            return at;
        }
        let known = match prefix {
            "~" => state.find("HOME"),
            "~+" => state.find("PWD"),
            "~-" => state.find("OLDPWD"),
            _ => Found::Unknown,
        };
        let value = match known {
            Found::One(value) => value,
            _ if matches!(prefix, "~" | "~+" | "~-") => Value::unknown(Cause::Variable, prefix),
            _ => Value::unknown(Cause::Account, prefix),
        };
        self.fields.value(&value, Quoting::Quoted);
        at + prefix.len()
    }
}
