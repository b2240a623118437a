//! The values of constant arithmetic expressions.

use crate::dialect::DialectFeature;
use crate::integer;
use crate::state::{ShellState, VariableLookup};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, ValueSource, Word};

/// The maximum length of an expression, in bytes; the value of a longer one is unknown.
const MAX_BYTES: usize = 256;
/// The maximum nesting of parentheses and signs; the value of a deeper expression is unknown.
const DEPTH: usize = 16;

/// Returns the value of an expression in which `$` variables are already expanded, and forgets the values of those
/// that it assigns. `written` is its source.
pub(super) fn value(state: &mut ShellState, expression: &ShellValue, written: &str) -> ShellValue {
    let number = expression.word.known_text().and_then(|text| evaluate(state, text));
    for name in assigned(written) {
        state.forget_digits(&name);
    }
    let word = match number {
        Some(number) => Word::text(number.to_string()),
        None => Word::unknown(Unknown::with_source(Cause::Variable, format!("$(({written}))"), ValueSource::Number)),
    };
    ShellValue { word, writers: expression.writers.clone() }
}

/// Returns all names in an expression, if it has an assignment, `++` or `--`, and no names otherwise.
pub(crate) fn assigned(expression: &str) -> Vec<String> {
    let shifted = expression.replace("<<=", "= ").replace(">>=", "= ");
    let compared = ["==", "!=", "<=", ">="].iter().fold(shifted, |text, sign| text.replace(sign, " "));
    if !compared.contains('=') && !compared.contains("++") && !compared.contains("--") {
        return Vec::new();
    }
    // Which of the names is assigned is not determined, since all of these variables are numbers, which rules seldom
    // test.
    let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| crate::parse::is_name(word)).map(str::to_owned).collect()
}

/// Returns the variables that the header of `for ((i = 0, n = 9; …))` sets to constants before anything else.
pub(crate) fn counters<'h>(header: &'h str) -> Vec<&'h str> {
    let start = header.split(';').next().unwrap_or_default();
    let counter = |assignment: &'h str| {
        let (name, value) = assignment.split_once('=')?;
        (integer::is_plain_decimal(value.trim()) && crate::parse::is_name(name.trim())).then(|| name.trim())
    };
    start.split(',').map(counter).collect::<Option<_>>().unwrap_or_default()
}

/// Whether a variable named in an expression may be unset.
pub(super) fn may_be_unset(state: &ShellState, expression: &str) -> bool {
    let names = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    names
        .filter(|name| crate::parse::is_name(name))
        .any(|name| matches!(state.find(name), VariableLookup::Unset | VariableLookup::Unknown))
}

/// Returns the value of an expression; `None` if it is too long, assigns a variable, or has unknown operators or
/// values.
fn evaluate(state: &ShellState, text: &str) -> Option<i64> {
    if text.len() > MAX_BYTES || !assigned(text).is_empty() {
        return None;
    }
    if text.trim().is_empty() {
        return Some(0);
    }
    let mut reader = ArithmeticEvaluator { state, rest: text, depth: 0 };
    let value = reader.sum()?;
    reader.rest.trim_start().is_empty().then_some(value)
}

/// An evaluator of sums, products, signs and parentheses.
struct ArithmeticEvaluator<'a> {
    state: &'a ShellState,
    rest: &'a str,
    depth: usize,
}

impl ArithmeticEvaluator<'_> {
    /// Skips blanks and a sign, if the rest begins with them. Returns whether it did.
    fn take_sign(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        if let Some(rest) = rest {
            self.rest = rest;
        }
        rest.is_some()
    }

    /// Returns the value of a sum of products.
    fn sum(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        loop {
            if self.take_sign('+') {
                value = value.checked_add(self.product()?)?;
            } else if self.take_sign('-') {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    /// Returns the value of a product of factors.
    fn product(&mut self) -> Option<i64> {
        let mut value = self.factor()?;
        loop {
            if self.take_sign('*') {
                value = value.checked_mul(self.factor()?)?;
            } else if self.take_sign('/') {
                value = value.checked_div(self.factor()?)?;
            } else if self.take_sign('%') {
                value = value.checked_rem(self.factor()?)?;
            } else {
                return Some(value);
            }
        }
    }

    /// Returns the value of a number, a variable or a text in parentheses, with any number of signs before it.
    fn factor(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        // On failure the whole evaluation ends, so the depth need not be restored.
        let value = if self.take_sign('-') {
            self.factor()?.checked_neg()?
        } else if self.take_sign('+') {
            self.factor()?
        } else if self.take_sign('(') {
            let value = self.sum()?;
            self.take_sign(')').then_some(value)?
        } else {
            self.atom()?
        };
        self.depth -= 1;
        Some(value)
    }

    /// Returns the value of a number or a variable, 0 for an unset variable.
    fn atom(&mut self) -> Option<i64> {
        let rest = self.rest.trim_start();
        let is_number = rest.starts_with(|c: char| c.is_ascii_digit());
        let belongs_to_atom = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || is_number && *byte == b'#';
        let (atom, rest) = rest.split_at_checked(rest.bytes().take_while(belongs_to_atom).count())?;
        self.rest = rest;
        if atom.is_empty() || is_number {
            return self.number(atom);
        }
        match self.state.find(atom) {
            // The value of a variable is itself an expression in bash; here it must be a number.
            VariableLookup::One(value) => {
                integer::parse_after_sign(value.word.known_text()?.trim(), |text| self.number(text))
            }
            VariableLookup::Unset => Some(0),
            VariableLookup::List(_) | VariableLookup::Unknown => None,
        }
    }

    /// Returns the value of a number: `10`, `010`, `0xa`, `10#010`.
    fn number(&self, text: &str) -> Option<i64> {
        let reading = &self.state.reading;
        let Some((base, digits)) = text.split_once('#') else {
            // In zsh, the option `OCTAL_ZEROES` makes a number with a leading zero octal.
            let is_certain = !text.starts_with('0') || !self.state.options.other_values;
            return integer::parse_constant(text, reading).filter(|_| is_certain);
        };
        let base = integer::parse_digits(base, 10)
            .filter(|_| !base.starts_with('0'))
            .and_then(|base| u32::try_from(base).ok());
        let base = base.filter(|base| (2..=36).contains(base) && reading.has(DialectFeature::NumberBases))?;
        integer::parse_digits(digits, base)
    }
}
