//! Names of which parts may be anything, character by character: what two of them have in common.

use super::Class;
use super::wild::{Token, Wild};

/// A part of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    /// This character.
    Char(char),
    /// Any one character.
    One,
    /// Any text, none too.
    Many,
    /// Any text without a dot, none too. No glob has it.
    Plain,
    /// Any text of hexadecimal digits, none too. No glob has it.
    Hash,
    /// One character of a class.
    Class(Class),
}

impl Wild {
    /// Returns the glob character by character.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        let of_token = |token: &Token| match token {
            Token::Text(text) => text.chars().map(Symbol::Char).collect(),
            Token::One => vec![Symbol::One],
            Token::Many => vec![Symbol::Many],
            Token::Class(class) => vec![Symbol::Class(class.clone())],
        };
        match self {
            Self::Literal(text) => text.chars().map(Symbol::Char).collect(),
            Self::Any => vec![Symbol::Many],
            Self::Tokens(tokens) => tokens.iter().flat_map(of_token).collect(),
        }
    }
}

impl Symbol {
    /// Tells whether there is a name that both stand for. Of two classes that is taken for granted.
    pub(super) fn meet(a: &[Self], b: &[Self]) -> bool {
        let mut reached = vec![false; a.len() + 1];
        if let Some(start) = reached.first_mut() {
            *start = true;
        }
        spread(a, &mut reached);
        for symbol in b {
            let mut next = vec![false; a.len() + 1];
            for (at, _) in reached.iter().enumerate().filter(|(_, live)| **live) {
                if *symbol == Self::Many {
                    next.iter_mut().skip(at).for_each(|live| *live = true);
                    break;
                }
                if matches!(symbol, Self::Plain | Self::Hash) {
                    let holds = |own: &&Self| match own {
                        Self::Char(c) => {
                            if *symbol == Self::Hash {
                                c.is_ascii_hexdigit()
                            } else {
                                *c != '.'
                            }
                        }
                        _ => true,
                    };
                    let far = a.get(at..).unwrap_or_default().iter().take_while(holds).count();
                    next.iter_mut().skip(at).take(far + 1).for_each(|live| *live = true);
                    continue;
                }
                let lands = match a.get(at) {
                    Some(Self::Many) => Some(at),
                    Some(own) if own.shares(symbol) => Some(at + 1),
                    _ => None,
                };
                if let Some(live) = lands.and_then(|at| next.get_mut(at)) {
                    *live = true;
                }
            }
            spread(a, &mut next);
            reached = next;
        }
        reached.last().copied().unwrap_or(false)
    }

    /// Tells whether the first stands for every name of the second. May say no where it does.
    pub(super) fn covers(a: &[Self], b: &[Self]) -> bool {
        let mut covered: Vec<bool> =
            (0..=a.len()).map(|at| a.get(at..).unwrap_or_default().iter().all(|own| *own == Self::Many)).collect();
        for symbol in b.iter().rev() {
            let mut next = vec![false; a.len() + 1];
            for at in (0..a.len()).rev() {
                let get = |row: &[bool], at: usize| row.get(at).copied().unwrap_or(false);
                let holds = match a.get(at) {
                    Some(Self::Many) => get(&next, at + 1) || get(&covered, at),
                    Some(own) => get(&covered, at + 1) && own.includes(symbol),
                    None => false,
                };
                if let Some(place) = next.get_mut(at) {
                    *place = holds;
                }
            }
            covered = next;
        }
        covered.first().copied().unwrap_or(false)
    }

    /// Tells whether one character can be both.
    fn shares(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Char(own), Self::Char(other)) => own == other,
            (Self::Char(c), Self::Class(class)) | (Self::Class(class), Self::Char(c)) => class.holds(*c),
            (Self::Many | Self::Plain | Self::Hash, _) | (_, Self::Many | Self::Plain | Self::Hash) => false,
            _ => true,
        }
    }

    /// Tells whether it stands for every character of another.
    fn includes(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Self::Many | Self::Plain | Self::Hash) | (Self::Many | Self::Plain | Self::Hash, _) => false,
            (Self::One, _) => true,
            (Self::Char(own), Self::Char(other)) => own == other,
            (Self::Class(class), Self::Char(c)) => class.holds(*c),
            (own, other) => own == other,
        }
    }
}

/// Any text may be none.
fn spread(name: &[Symbol], reached: &mut [bool]) {
    for (at, _) in name.iter().enumerate().filter(|(_, symbol)| **symbol == Symbol::Many) {
        if reached.get(at) == Some(&true)
            && let Some(next) = reached.get_mut(at + 1)
        {
            *next = true;
        }
    }
}
