//! The values of arithmetic expressions, where they are constant.

use crate::state::{Found, State};
use crate::stream::Value;
use crate::word::{Cause, Source, Unknown, Word};

/// How long an expression may be, in bytes, and how deep its parentheses.
const LONGEST: usize = 256;
const DEPTH: usize = 16;

/// Returns the value of an expression whose variables with a `$` are expanded, and forgets what it assigns.
pub(super) fn value(state: &mut State, expression: &Value, written: &str) -> Value {
    let number = expression.word.known().and_then(|text| evaluate(state, text));
    for name in assigned(written) {
        state.forget(&name);
    }
    let word = match number {
        Some(number) => Word::text(number.to_string()),
        None => Word::unknown(Unknown::of(Cause::Variable, format!("$(({written}))"), Source::Number), false),
    };
    Value { word, from: expression.from.clone() }
}

/// Returns the variables that an expression changes: those beside an assignment, `++` or `--`.
pub(crate) fn assigned(expression: &str) -> Vec<String> {
    let shifted = expression.replace("<<=", "= ").replace(">>=", "= ");
    let compared = ["==", "!=", "<=", ">="].iter().fold(shifted, |text, sign| text.replace(sign, " "));
    if !compared.contains('=') && !compared.contains("++") && !compared.contains("--") {
        return Vec::new();
    }
    // Which of them is changed matters little: all are numbers that a guard seldom asks about.
    let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| crate::parse::is_name(word)).map(str::to_owned).collect()
}

fn evaluate(state: &State, text: &str) -> Option<i64> {
    if text.len() > LONGEST || !assigned(text).is_empty() {
        return None;
    }
    if text.trim().is_empty() {
        return Some(0);
    }
    let mut reader = Evaluator { state, rest: text, depth: 0 };
    let value = reader.sum()?;
    reader.rest.trim_start().is_empty().then_some(value)
}

struct Evaluator<'a> {
    state: &'a State,
    rest: &'a str,
    depth: usize,
}

impl Evaluator<'_> {
    fn takes(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        if let Some(rest) = rest {
            self.rest = rest;
        }
        rest.is_some()
    }

    fn sum(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        loop {
            if self.takes('+') {
                value = value.checked_add(self.product()?)?;
            } else if self.takes('-') {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut value = self.factor()?;
        loop {
            if self.takes('*') {
                value = value.checked_mul(self.factor()?)?;
            } else if self.takes('/') {
                value = value.checked_div(self.factor()?)?;
            } else if self.takes('%') {
                value = value.checked_rem(self.factor()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let value = if self.takes('-') {
            self.factor()?.checked_neg()?
        } else if self.takes('+') {
            self.factor()?
        } else if self.takes('(') {
            let value = self.sum()?;
            self.takes(')').then_some(value)?
        } else {
            self.atom()?
        };
        self.depth -= 1;
        Some(value)
    }

    fn atom(&mut self) -> Option<i64> {
        let rest = self.rest.trim_start();
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let (atom, rest) = rest.split_at_checked(length)?;
        self.rest = rest;
        if let Some(hex) = atom.strip_prefix("0x").or_else(|| atom.strip_prefix("0X")) {
            return i64::from_str_radix(hex, 16).ok();
        }
        match atom.bytes().next()? {
            b'0' if atom.len() > 1 => i64::from_str_radix(atom, 8).ok(),
            b'0'..=b'9' => atom.parse().ok(),
            _ => match self.state.find(atom) {
                // A variable's value is an expression of its own; only numbers are followed.
                Found::One(value) => value.word.known()?.trim().parse().ok(),
                Found::Unset => Some(0),
                Found::List(_) | Found::Unknown => None,
            },
        }
    }
}
