//! Word expansion as in bash: braces, tilde, variables, substitutions, arithmetic, splitting, quote removal.
//!
//! The caller runs the substitutions of a word ([`ExpansionContext`]). A part whose value the caller does not know
//! becomes an unknown part.

mod arithmetic;
mod backticks;
mod braces;
mod brackets;
mod change;
mod context;
mod fallback;
mod fields;
mod length;
mod modifiers;
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
use crate::dialect::DialectFeature;
use crate::escapes::ansi;
use crate::evaluated::EvaluatorKind;
use crate::parse::{DollarConstruct, EnclosingQuotes, ParseError, RawText, assigned_name, dollar, is_name};
use crate::stand_ins::{ScriptPiece, StandInMeaning, is_stand_in, pieces};
use crate::state::{OptionState, ShellState, VariableLookup};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, Word, WordPart};
pub(super) use arithmetic::{assigned as assigned_by_arithmetic, counters};
pub(super) use change::base_name_of_match;
pub(super) use context::{ExpansionContext, ProcessDirection, SubstitutionDelimiters};
use fields::{ExpansionMode, FieldBuilder, GlobMode, Quoting};
use parameter::ExpansionText;

/// The kind of a text that is expanded, which determines which characters are special.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextKind {
    /// A word of a command: a tilde is special only at the start.
    Word,
    /// The value of an assignment: a tilde is also special after each `:`.
    AssignedValue,
    /// An argument that looks like an assignment: a tilde is also special after the `=` and after each `:`.
    ArgumentAssignment,
    /// A here-document: the backslash is the only quote.
    HeredocBody,
    /// An arithmetic expression: quotes are removed, and nothing is split.
    Expression,
}

/// Expands a word of a command into any number of words, and appends them.
pub(super) fn words(shell: &mut dyn ExpansionContext, raw: &RawText, values: &mut Vec<ShellValue>) {
    let before = values.len();
    let is_single_text = expand_alternatives(shell, raw, values);
    if let (Some([value]), true) = (values.get_mut(before..), is_single_text) {
        value.word.span = Some(raw.span.clone());
    }
}

/// Appends the words that a word expands to. Returns whether brace expansion resulted in a single text.
fn expand_alternatives(shell: &mut dyn ExpansionContext, raw: &RawText, values: &mut Vec<ShellValue>) -> bool {
    // The budget is checked before braces turn one word into many.
    let is_in_budget = shell.spend(1);
    if is_in_budget && is_plain(&raw.text) {
        fields(shell, &raw.text, (TextKind::Word, ExpansionMode::Words), values);
        return true;
    }
    let alternatives = if is_in_budget { expand_braces(shell.state(), &raw.text) } else { None };
    let Some(alternatives) = alternatives else {
        let word = Word::unknown_words(Unknown::new(Cause::TooLong, raw.text.clone()));
        values.push(ShellValue { word, writers: Vec::new() });
        return false;
    };
    let is_single_text = alternatives.len() == 1;
    shell.spend(4 * alternatives.len().saturating_sub(1));
    for text in alternatives {
        let reading = &shell.state().reading;
        let has_tilde = text.contains('~') && assigned_name(&text, reading).is_some();
        let expands_tildes = has_tilde && reading.has(DialectFeature::TildeInArguments);
        let kind = if expands_tildes { TextKind::ArgumentAssignment } else { TextKind::Word };
        fields(shell, &text, (kind, ExpansionMode::Words), values);
    }
    is_single_text
}

/// Returns the brace expansions of an argument of a declaring builtin that is an assignment: `declare x={a,b}`. If
/// they are unknown, returns the text itself.
pub(super) fn alternatives(shell: &mut dyn ExpansionContext, text: &str) -> Vec<String> {
    let is_list = assigned_name(text, &shell.state().reading).is_some_and(|(_, value)| value.starts_with('('));
    if is_list || !shell.spend(1) {
        return vec![text.to_owned()];
    }
    let alternatives = expand_braces(shell.state(), text);
    let count = alternatives.as_ref().map_or(0, Vec::len);
    shell.spend(4 * count);
    alternatives.unwrap_or_else(|| vec![text.to_owned()])
}

/// Returns the brace expansions of a word; `None` if there are too many, or if it is unknown whether braces are plain
/// text (`set +B`).
fn expand_braces(state: &ShellState, text: &str) -> Option<Vec<String>> {
    match state.options.nobraces {
        OptionState::On => Some(vec![text.to_owned()]),
        OptionState::Unclear if text.contains('{') => None,
        OptionState::Off | OptionState::Unclear => braces::expand(text, &state.reading),
    }
}

/// Expands a text to one word: in a `case`, in `[[ … ]]`, in an operand of `${x…}`.
pub(super) fn word(shell: &mut dyn ExpansionContext, text: &str) -> ShellValue {
    expand_joined(shell, text, TextKind::Word, ExpansionMode::One)
}

/// Expands the target of a redirection, where globs are active.
pub(super) fn redirect_target(shell: &mut dyn ExpansionContext, text: &str) -> ShellValue {
    expand_joined(shell, text, TextKind::Word, ExpansionMode::File)
}

/// Expands the value of an assignment.
pub(super) fn assigned_value(shell: &mut dyn ExpansionContext, text: &str) -> ShellValue {
    expand_joined(shell, text, TextKind::AssignedValue, ExpansionMode::One)
}

/// Expands a here-document.
pub(super) fn heredoc_body(shell: &mut dyn ExpansionContext, text: &str) -> ShellValue {
    expand_joined(shell, text, TextKind::HeredocBody, ExpansionMode::One)
}

/// Expands the value of a prompt a second time, so that the substitutions in it run. The result is dropped.
pub(super) fn reexpand(shell: &mut dyn ExpansionContext, text: &str) {
    if let Some(source) = shell.source(text) {
        heredoc_body(shell, &source);
    }
}

/// Expands an arithmetic expression and returns its value, which is an unknown number if the expression is not
/// constant.
pub(super) fn arithmetic(shell: &mut dyn ExpansionContext, text: &str) -> ShellValue {
    let expression = expand_joined(shell, text, TextKind::Expression, ExpansionMode::One);
    let known_parts: String = expression.word.parts.iter().filter_map(|part| part.text()).collect();
    let has_unset_variable =
        shell.state().options.nounset != OptionState::Off && arithmetic::may_be_unset(shell.state(), &known_parts);
    shell.note_evaluation(EvaluatorKind::Expression, &expression);
    run_expression(shell, &known_parts);
    let value = arithmetic::value(shell.state(), &expression, text);
    if has_unset_variable || value.word.known_text().is_none() && may_fail(&known_parts) {
        shell.note_possible_exit();
    }
    value
}

/// Expands the subscript of an array's element as an arithmetic expression. In an associative array the subscript is a
/// key, so its evaluation is not recorded.
pub(super) fn subscript(shell: &mut dyn ExpansionContext, array: &str, text: &str) -> ShellValue {
    let before = shell.evaluation_count();
    let value = arithmetic(shell, text);
    shell.drop_keys(array, before);
    value
}

/// Whether an expression may be an error, which ends the command in bash: `1/0`, `08`, `a[x]`.
fn may_fail(expression: &str) -> bool {
    let is_octal = |number: &str| number.len() > 1 && number.starts_with('0');
    expression.contains(['/', '%', '#', '[', '.', '"', '\'', '\\'])
        || expression.split(|c: char| !c.is_ascii_alphanumeric()).any(is_octal)
}

/// Runs the substitutions in an arithmetic expression whose `$` expansions are done, and in the values of the
/// variables that it names, since bash evaluates these as expressions too. Makes the assigned variables unknown.
pub(super) fn run_expression(shell: &mut dyn ExpansionContext, text: &str) {
    let mut seen_names = BTreeSet::new();
    let mut pending = vec![text.to_owned()];
    let mut assigned_names = BTreeSet::new();
    while let Some(text) = pending.pop() {
        if !shell.spend(text.len() + 1) {
            break;
        }
        shell.note_evaluated_expression(&text);
        if text.contains("$(") || text.contains('`') || text.contains("${") {
            let Some(source) = shell.source(&text) else { break };
            expand_joined(shell, &source, TextKind::Expression, ExpansionMode::One);
        }
        assigned_names.extend(arithmetic::assigned(&text));
        let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| is_name(name));
        for name in names {
            if !seen_names.insert(name.to_owned()) {
                continue;
            }
            let values = match shell.state().find(name) {
                VariableLookup::One(value) => vec![value],
                VariableLookup::List(values) => values,
                VariableLookup::Unset | VariableLookup::Unknown => continue,
            };
            for value in values {
                match value.word.known_text() {
                    Some(text) => pending.push(text.to_owned()),
                    None => shell.note_evaluation(EvaluatorKind::Expression, &value),
                }
            }
        }
    }
    // Assignments take effect only after the whole expression is evaluated.
    assigned_names.iter().for_each(|name| shell.state().forget_digits(name));
}

/// Expands a text to a pattern: quoted text is literal, and the rest is a glob.
fn pattern(shell: &mut dyn ExpansionContext, text: &str) -> ShellValue {
    expand_joined(shell, text, TextKind::Word, ExpansionMode::Pattern)
}

/// Expands a text to one word. The elements of a list are joined with blanks.
fn expand_joined(shell: &mut dyn ExpansionContext, text: &str, kind: TextKind, mode: ExpansionMode) -> ShellValue {
    let mut values = Vec::new();
    fields(shell, text, (kind, mode), &mut values);
    let mut joined = ShellValue::default();
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            // Only a list yields several values.
            joined.word.push(WordPart::Text(" ".to_owned()));
        }
        joined.append(value);
    }
    joined
}

/// The steps of the budget that each resulting word costs.
const WORD_COST: usize = 16;

/// The maximum length of a text, in bytes, that [`is_plain`] accepts.
const MAX_PLAIN_BYTES: usize = 256;

/// Whether a text has only characters that expansion never changes: true for most words.
fn is_plain(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'/' | b'_' | b',' | b'%');
    !text.is_empty() && text.len() <= MAX_PLAIN_BYTES && text.bytes().all(is_plain)
}

/// Expands a text and appends the resulting values: any number of words, or one if `mode` demands that.
fn fields(
    shell: &mut dyn ExpansionContext,
    text: &str,
    (kind, mode): (TextKind, ExpansionMode),
    values: &mut Vec<ShellValue>,
) {
    if !shell.spend(text.len() + 1) {
        return values.push(ShellValue::unknown(Cause::TooLong, text));
    }
    // The shortcut for plain text charges the same steps as the code below. If no nesting level is left, the code
    // below reports the text as too deep.
    if is_plain(text) && !shell.state().variables.contains_key("IFS") && shell.enter() {
        shell.leave();
        shell.spend(fields::size(text));
        shell.spend(WORD_COST);
        return values.push(ShellValue::text(text));
    }
    let separators = shell.state().separators();
    let process = zsh::as_process_substitution(shell, text);
    let text = process.as_deref().unwrap_or(text);
    if mode == ExpansionMode::Words && kind == TextKind::Word && zsh::has_other_globs(shell, text) {
        // The substitutions in the word run, but which files it matches is unknown.
        word(shell, text);
        let word = Word::unknown_words(Unknown::new(Cause::Dialect, text));
        return values.push(ShellValue { word, writers: Vec::new() });
    }
    let text = match kind {
        TextKind::HeredocBody => Cow::Borrowed(text),
        _ => braces::joined_lines(text, &shell.state().reading),
    };
    let options = shell.state().options;
    let globs = match (mode, options.noglob) {
        (ExpansionMode::One, _) | (ExpansionMode::Words | ExpansionMode::File, OptionState::On) => GlobMode::Literal,
        (ExpansionMode::Pattern, _) => GlobMode::Active,
        _ if options.nocaseglob => GlobMode::AnyCase,
        _ => GlobMode::Active,
    };
    let mut expander = Expander { shell, fields: FieldBuilder::new(mode, globs, separators), in_operand: false };
    expander.text(&text, kind, Quoting::Bare);
    let Expander { fields, .. } = expander;
    shell.spend(fields.size);
    let words = fields.finish();
    shell.spend(WORD_COST * words.len());
    values.extend(words);
}

/// Decodes the content of `$'…'`; `None` if an escape in it makes bytes that are not UTF-8 (`\xff`).
fn decode_dollar_quotes(text: &str) -> Option<String> {
    let decoded = ansi(text);
    (!has_lost_bytes(&decoded) || has_lost_bytes(text)).then_some(decoded)
}

/// The expansion of one text, field by field.
struct Expander<'s> {
    shell: &'s mut dyn ExpansionContext,
    fields: FieldBuilder,
    /// Whether the text is in the word of a `${x:-word}`, whose blanks separate words.
    in_operand: bool,
}

impl Expander<'_> {
    /// Expands a text that is nested in another, and adds the result. Every expansion uses this method, so that one
    /// limit bounds the nesting.
    fn text(&mut self, text: &str, kind: TextKind, outside: Quoting) {
        if self.shell.enter() {
            self.expand(text, kind, outside);
            self.shell.leave();
        } else {
            self.add_too_deep(text, outside);
        }
    }

    /// Adds a text that is nested too deeply as an unknown part.
    fn add_too_deep(&mut self, text: &str, quoting: Quoting) {
        self.shell.note_too_deep(text);
        self.fields.value(&ShellValue::unknown(Cause::TooDeep, text), quoting);
    }

    /// Adds the expansion of a text character by character; `outside` is the quoting of the text around it.
    fn expand(&mut self, text: &str, kind: TextKind, outside: Quoting) {
        let mut quoting =
            if matches!(kind, TextKind::HeredocBody | TextKind::Expression) { Quoting::Quoted } else { outside };
        let mut at = self.tilde(text, 0, kind, quoting);
        if at == 0 && quoting == Quoting::Bare && matches!(kind, TextKind::Word | TextKind::AssignedValue) {
            at = self.expand_equals(text);
        }
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let next = at + c.len_utf8();
            let is_bare = quoting == Quoting::Bare;
            let opens_parenthesis = || text.get(next..).is_some_and(|rest| rest.starts_with('('));
            at = match c {
                '"' if kind == TextKind::Expression => next,
                '"' if kind != TextKind::HeredocBody => {
                    quoting = if is_bare { Quoting::Quoted } else { outside };
                    self.fields.begin();
                    next
                }
                '\'' if is_bare => self.single_quoted(text, next),
                '\\' => self.backslash(text, next, kind, quoting),
                '$' | '`' => self.dollar(text, at, quoting),
                '<' | '>' if is_bare && opens_parenthesis() => self.dollar(text, at, quoting),
                '@' | '+' | '!' | '?' | '*' if is_bare && opens_parenthesis() => self.pattern_list(text, at),
                '*' | '?' if is_bare => {
                    self.fields.glob(text.get(at..next).unwrap_or_default());
                    next
                }
                '[' if is_bare => self.class(text, at),
                ']' if is_bare && self.fields.has_marks => {
                    self.fields.add_mark(']');
                    next
                }
                ':' | '='
                    if is_bare
                        && (kind == TextKind::ArgumentAssignment || kind == TextKind::AssignedValue && c == ':') =>
                {
                    self.fields.text(text.get(at..next).unwrap_or_default(), quoting);
                    self.tilde(text, next, kind, quoting)
                }
                _ => self.add_plain(text, at, quoting),
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

    /// Adds the list of patterns at an offset, `@(a|b)`, or only its sign if globs are text here. Returns the offset
    /// after what was added.
    fn pattern_list(&mut self, text: &str, at: usize) -> usize {
        let (sign, list) = text.get(at..).and_then(|rest| rest.split_at_checked(1)).unwrap_or_default();
        let inner = list.get(..braces::parens_length(list, &self.shell.state().reading)).unwrap_or_default();
        let next = at + sign.len();
        let end = next + inner.len();
        if qualifier::may_run(inner, self.fields.mode) {
            let why = Unknown::new(Cause::Qualifier, text.get(at..end).unwrap_or_default());
            self.shell.note_other_dialect(why, Some(qualifier::code(inner)));
        }
        if self.fields.globs == GlobMode::Literal {
            self.fields.text(sign, Quoting::Bare);
            return next;
        }
        // The list may match any text, even an empty one, and its substitutions run in any case.
        self.fields.add_unknown_text(sign);
        if inner.contains(['$', '`']) {
            word(self.shell, inner.get(1..).unwrap_or_default());
        }
        end
    }

    /// Adds the bracket expression `[…]` at an offset, or a `[` that later parts of the word may complete. Returns
    /// the offset after it.
    fn class(&mut self, text: &str, at: usize) -> usize {
        let length = pattern::class_length(text.get(at..).unwrap_or_default());
        match text.get(at..at + length).filter(|class| !class.is_empty()) {
            Some(class) => self.fields.glob(class),
            None => self.fields.add_mark('['),
        }
        at + length.max(1)
    }

    /// Adds the character at an offset, and all that follow up to the next one that may be special. Returns the
    /// offset after them.
    fn add_plain(&mut self, text: &str, at: usize, quoting: Quoting) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let after = rest.get(first..).unwrap_or_default();
        let special = |c: char| "\"'\\$`<>@+!?*[]:=~".contains(c);
        let length = first + after.find(special).unwrap_or(after.len());
        self.literal(rest.get(..length).unwrap_or_default(), quoting);
        at + length
    }

    /// Adds a text without special characters. Stand-in characters in it represent unknown parts.
    fn literal(&mut self, text: &str, quoting: Quoting) {
        match text.contains(is_stand_in) {
            true => self.pieces(text, quoting, |text| Some(text.to_owned())),
            false => self.add_known(text, quoting),
        }
    }

    /// Adds a text in which stand-in characters represent unknown parts. `decode` converts each text between them; an
    /// unknown part replaces a text for which `decode` returns `None`.
    fn pieces(&mut self, text: &str, quoting: Quoting, decode: fn(&str) -> Option<String>) {
        for piece in pieces(text, |c| self.shell.stand_in_meaning(c)) {
            match piece {
                ScriptPiece::Known(text) => match decode(&text) {
                    Some(decoded) => self.add_known(&decoded, quoting),
                    None => self.fields.value(&ShellValue::unknown(Cause::Decoded, text), quoting),
                },
                ScriptPiece::Unknown(value) => self.fields.value(&value, quoting),
            }
        }
    }

    /// Adds a known text. In the word of `${x:-word}`, unquoted text is split at blanks like a value.
    fn add_known(&mut self, text: &str, quoting: Quoting) {
        match (quoting, self.in_operand) {
            (Quoting::Bare, true)
                if !self.fields.has_separator(text) || self.shell.state().reading.has(DialectFeature::Splitting) =>
            {
                self.fields.value(&ShellValue::text(text), quoting);
            }
            _ => self.fields.text(text, quoting),
        }
    }

    /// Adds the character after a backslash, or the backslash itself where it is no escape. Returns the offset after
    /// it.
    fn backslash(&mut self, text: &str, next: usize, kind: TextKind, quoting: Quoting) -> usize {
        let Some(c) = text.get(next..).and_then(|rest| rest.chars().next()) else {
            self.fields.text("\\", Quoting::Quoted);
            return next;
        };
        let is_escape = match kind {
            _ if quoting == Quoting::Bare => true,
            TextKind::HeredocBody => matches!(c, '$' | '`' | '\\' | '\n'),
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

    /// Adds a number. It is only split if `IFS` contains a digit or a minus sign.
    fn number(&mut self, value: &ShellValue, quoting: Quoting) {
        let keeps_numbers_whole = |separators: String| !separators.contains(|c: char| c.is_ascii_digit() || c == '-');
        let state = self.shell.state();
        let is_whole = quoting == Quoting::Quoted
            || state.separators().is_some_and(keeps_numbers_whole)
            || !state.reading.has(DialectFeature::Splitting);
        self.fields.value(value, if is_whole { Quoting::Quoted } else { quoting });
    }

    /// Expands the `$`, backtick, `<(` or `>(` at an offset. Returns the offset after the expansion.
    fn dollar(&mut self, text: &str, at: usize, quoting: Quoting) -> usize {
        // Finding the end of the expansion requires parsing, whose cost grows with the length.
        if !self.shell.spend(1) {
            return text.len();
        }
        let inside = if quoting == Quoting::Quoted { EnclosingQuotes::DoubleQuotes } else { EnclosingQuotes::Nothing };
        let (construct, end) = match dollar(text, at, inside, &self.shell.state().reading) {
            Ok(Some(found)) => found,
            Ok(None) => return self.name(text, at, quoting),
            Err(ParseError::Syntax | ParseError::OtherDialect) => {
                self.shell.spend(text.len().saturating_sub(at) / 4);
                return self.name(text, at, quoting);
            }
            Err(ParseError::TooDeep) => {
                self.add_too_deep(text.get(at..).unwrap_or_default(), quoting);
                return text.len();
            }
        };
        self.shell.spend(4 * end.saturating_sub(at));
        let whole = text.get(at..end).unwrap_or_default();
        let inner = |span: &std::ops::Range<usize>| text.get(span.clone()).unwrap_or_default();
        match &construct {
            DollarConstruct::Command(span) => {
                let value = self.shell.output(inner(span), SubstitutionDelimiters::Parentheses, whole);
                self.fields.value(&value, quoting);
            }
            DollarConstruct::Backticks(span) => {
                let script = backticks::backticks(inner(span), quoting);
                let value = self.shell.output(&script, SubstitutionDelimiters::Backticks, whole);
                self.fields.value(&value, quoting);
            }
            DollarConstruct::Arithmetic(span) => {
                let value = arithmetic(self.shell, inner(span));
                self.number(&value, quoting);
            }
            DollarConstruct::Braces(span) => self.parameter(inner(span), whole, quoting),
            DollarConstruct::Escaped(span) => {
                self.shell.state().note_escape(inner(span));
                self.pieces(inner(span), Quoting::Quoted, decode_dollar_quotes);
            }
            DollarConstruct::Translated(span) => self.text(&format!("\"{}\"", inner(span)), TextKind::Word, quoting),
            DollarConstruct::Process(span) => {
                let direction =
                    if text.as_bytes().get(at) == Some(&b'>') { ProcessDirection::In } else { ProcessDirection::Out };
                let value = self.shell.process(inner(span), direction, whole);
                self.fields.value(&value, Quoting::Quoted);
            }
        }
        end
    }

    /// Expands `$name`, `$1` or `$@`; any other `$` is literal. Returns the offset after it.
    fn name(&mut self, text: &str, at: usize, quoting: Quoting) -> usize {
        let rest = text.get(at + 1..).unwrap_or_default();
        if quoting == Quoting::Bare
            && let Some(after) = rest.strip_prefix(['=', '~', '^'])
        {
            let length = after.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            let name = after.get(..length).unwrap_or_default();
            let found = if name.is_empty() { VariableLookup::Unset } else { self.shell.state().find(name) };
            let whole = text.get(at..at + 2 + length).unwrap_or_default();
            // In zsh, `$=x`, `$~x` and `$^x` are the value of `x`, split or with active globs; in other shells the
            // `$` and the sign are literal.
            if found != VariableLookup::Unset && !self.shell.state().reading.has(DialectFeature::Splitting) {
                let written = ExpansionText::of(whole, quoting);
                self.add_zsh_expansion(whole.strip_prefix('$').unwrap_or_default(), written);
                return at + 2 + length;
            }
            if let VariableLookup::One(value) = found {
                self.shell.note_other_dialect(Unknown::new(Cause::Dialect, whole), Some(&value.word.literal()));
            }
        }
        let length = match rest.bytes().next() {
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
            }
            Some(byte) if byte.is_ascii_digit() || b"@*#?-$!".contains(&byte) => 1,
            _ => match rest.chars().next().filter(|c| is_stand_in(*c)).map(|c| (c, self.shell.stand_in_meaning(c))) {
                // The name of the parameter is unknown.
                Some((c, Some(StandInMeaning::Value(_)))) => {
                    self.fields.value(&ShellValue::unknown(Cause::Variable, "$…"), quoting);
                    return at + 1 + c.len_utf8();
                }
                _ => {
                    self.fields.text(text.get(at..at + 1).unwrap_or_default(), Quoting::Quoted);
                    return at + 1;
                }
            },
        };
        let name = rest.get(..length).unwrap_or_default();
        let after = rest.get(length..).unwrap_or_default();
        let length = length + self.subscript_of_zsh(name, after);
        let end = at + 1 + length;
        let name = rest.get(..length).unwrap_or_default().to_owned();
        let whole = text.get(at..end).unwrap_or_default();
        let after = text.get(end..).unwrap_or_default();
        if let Some(modifiers) = self.modified_by_zsh(&name, after, whole, quoting) {
            return end + modifiers;
        }
        self.parameter(&name, whole, quoting);
        end
    }

    /// Expands the tilde at an offset, as in `~/x`. Returns the offset after it, or the same offset if there is no
    /// tilde to expand.
    fn tilde(&mut self, text: &str, at: usize, kind: TextKind, quoting: Quoting) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        let may_expand = matches!(kind, TextKind::Word | TextKind::AssignedValue | TextKind::ArgumentAssignment)
            && quoting == Quoting::Bare
            && !self.in_operand;
        if !may_expand || !rest.starts_with('~') {
            return at;
        }
        let ends: &[char] = if kind == TextKind::Word { &['/'] } else { &['/', ':'] };
        let prefix = rest.split(ends).next().unwrap_or_default();
        if prefix.contains(['\'', '"', '\\', '$', '`']) {
            return at;
        }
        let state = self.shell.state();
        if matches!(prefix, "~+" | "~-") && !state.reading.has(DialectFeature::TildeDirectories) {
            return at;
        }
        let directory = match prefix {
            "~" => state.find("HOME"),
            "~+" => state.find("PWD"),
            "~-" => state.find("OLDPWD"),
            _ => VariableLookup::Unknown,
        };
        let value = match directory {
            VariableLookup::One(value) => value,
            _ if matches!(prefix, "~" | "~+" | "~-") => ShellValue::unknown(Cause::Variable, prefix),
            _ => ShellValue::unknown(Cause::Account, prefix),
        };
        self.fields.value(&value, Quoting::Quoted);
        at + prefix.len()
    }
}
