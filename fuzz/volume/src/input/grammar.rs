//! Random derivations of a grammar. Names and literals come from lists if there are any.

use std::collections::BTreeMap;

use pest_meta::ast::{Expr, RuleType};
use pest_meta::parser::{self, Rule};

use crate::mutate::pick;
use crate::random::Random;

/// A grammar, and the lists for its words.
pub struct Grammar {
    rules: BTreeMap<String, (RuleType, Expr)>,
    words: BTreeMap<&'static str, Vec<String>>,
}

/// A derivation.
struct Derivation<'g> {
    grammar: &'g Grammar,
    text: String,
    /// The number of names still to be expanded; then the shortest derivation is taken.
    left: usize,
}

impl Grammar {
    pub fn new(text: &str, words: BTreeMap<&'static str, Vec<String>>) -> Self {
        let pairs = parser::parse(Rule::grammar_rules, text).expect("the grammar is one");
        let rules = parser::consume_rules(pairs).expect("the grammar is one");
        Self { rules: rules.into_iter().map(|rule| (rule.name, (rule.ty, rule.expr))).collect(), words }
    }

    /// Returns a text that a rule of the grammar derives, ignoring negative look-ahead.
    pub fn derive(&self, rule: &str, random: &mut Random) -> String {
        let mut derivation = Derivation { grammar: self, text: String::new(), left: 40 << random.below(6) };
        derivation.name(rule, false, random);
        derivation.text
    }
}

impl Derivation<'_> {
    fn name(&mut self, name: &str, spaced: bool, random: &mut Random) {
        if let Some(words) = self.grammar.words.get(name).filter(|_| random.below(16) > 0) {
            let word: &String = pick(random, words);
            self.text.push_str(word);
            return;
        }
        self.left = self.left.saturating_sub(1);
        match name {
            "newline" => self.text.push('\n'),
            "ASCII_ALPHA" | "ASCII_ALPHA_LOWER" => self.text.push_str(random.one(&["a", "b", "x", "r", "z"])),
            "ASCII_ALPHA_UPPER" => self.text.push_str(random.one(&["A", "P", "S", "Z"])),
            "ASCII_DIGIT" => self.text.push_str(random.one(&["0", "1", "2", "9"])),
            "ASCII_ALPHANUMERIC" => self.text.push_str(random.one(&["a", "x", "0", "9", "Z"])),
            "ANY" => self.text.push_str(random.one(&["a", "é", "{", "*", "\u{1f600}", "\\", "\"", " ", "\u{2028}"])),
            "SOI" | "EOI" => {}
            _ => {
                let grammar = self.grammar;
                let Some((kind, expression)) = grammar.rules.get(name) else { return };
                let spaced = match kind {
                    RuleType::NonAtomic => true,
                    RuleType::Atomic | RuleType::CompoundAtomic => false,
                    RuleType::Normal | RuleType::Silent => spaced,
                };
                self.expression(expression, spaced, random);
            }
        }
    }

    fn expression(&mut self, expression: &Expr, spaced: bool, random: &mut Random) {
        match expression {
            Expr::Str(text) | Expr::Insens(text) => self.text.push_str(text),
            Expr::Range(from, _) => self.text.push_str(from),
            Expr::Ident(name) => self.name(name, spaced, random),
            Expr::Seq(first, second) => {
                self.expression(first, spaced, random);
                if spaced && !self.text.ends_with(char::is_whitespace) {
                    self.text.push(' ');
                }
                self.expression(second, spaced, random);
            }
            Expr::Choice(..) => {
                let mut all = Vec::new();
                let mut rest = expression;
                while let Expr::Choice(first, second) = rest {
                    all.push(&**first);
                    rest = second;
                }
                all.push(rest);
                let chosen: &&Expr = pick(random, &all);
                self.expression(chosen, spaced, random);
            }
            Expr::Opt(inner) if self.left > 0 && random.below(2) == 0 => self.expression(inner, spaced, random),
            Expr::Rep(inner) => self.repeated(inner, 0, spaced, random),
            Expr::RepOnce(inner) => self.repeated(inner, 1, spaced, random),
            Expr::RepExact(inner, count) | Expr::RepMin(inner, count) => {
                self.repeated(inner, usize::try_from(*count).unwrap_or_default(), spaced, random);
            }
            // Look-ahead derives nothing, and other expressions are not used.
            _ => {}
        }
    }

    fn repeated(&mut self, inner: &Expr, least: usize, spaced: bool, random: &mut Random) {
        let more = if self.left > 0 { random.below(4) } else { 0 };
        for _ in 0..least + more {
            self.expression(inner, spaced, random);
        }
    }
}
