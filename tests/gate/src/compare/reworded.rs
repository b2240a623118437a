//! The sentences that were changed on purpose: `tests/gate/reworded.tsv`, one a line, the old one, a tab, the new one.
//!
//! `{1}` to `{9}` in both are the same text, any one: the name in a message. A sentence may be a part of a longer text.
//! Newlines, tabs and backslashes are written `\n`, `\t` and `\\`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;

use regex::{Captures, Regex};

/// The reviewed sentences.
pub struct Reworded {
    rows: Vec<Row>,
    /// What is known of pairs of texts: many cases have the same.
    known: RefCell<BTreeMap<(String, String), bool>>,
    explained: Cell<usize>,
}

/// A changed sentence.
pub struct Row {
    /// Its line in the file, from 1.
    pub line: usize,
    old: Regex,
    new: Vec<Piece>,
    written: String,
    is_used: Cell<bool>,
}

/// A part of a sentence.
enum Piece {
    Text(String),
    Hole(usize),
}

impl Reworded {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Self::of(&text).map_err(|problem| format!("{}:{problem}", path.display()))
    }

    pub fn of(text: &str) -> Result<Self, String> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let rows = lines.map(|(at, line)| Row::read(at + 1, line)).collect::<Result<_, String>>()?;
        Ok(Self { rows, known: RefCell::default(), explained: Cell::default() })
    }

    /// Whether rows of the file make the new text of the old one.
    pub fn explains(&self, old: &str, new: &str) -> bool {
        let pair = (old.to_owned(), new.to_owned());
        let known = self.known.borrow().get(&pair).copied();
        let is_explained = known.unwrap_or_else(|| leads(&self.rows, old, new));
        self.known.borrow_mut().insert(pair, is_explained);
        self.explained.set(self.explained.get() + usize::from(is_explained));
        is_explained
    }

    /// Returns how often a text was explained.
    pub fn count(&self) -> usize {
        self.explained.get()
    }

    /// Returns the rows that explained nothing.
    pub fn unused(&self) -> Vec<&Row> {
        self.rows.iter().filter(|row| !row.is_used.get()).collect()
    }
}

/// Whether some of the rows, applied in order, lead from one text to another.
fn leads(rows: &[Row], from: &str, to: &str) -> bool {
    if from == to {
        return true;
    }
    rows.iter().enumerate().any(|(at, row)| {
        let changed = row.apply(from);
        let leads = changed != from && leads(rows.get(at + 1..).unwrap_or_default(), &changed, to);
        row.is_used.set(row.is_used.get() || leads);
        leads
    })
}

impl Row {
    fn read(line: usize, text: &str) -> Result<Self, String> {
        let (old, new) = text.split_once('\t').ok_or_else(|| format!("{line}: no tab between the sentences"))?;
        let mut pattern = String::from("(?s)");
        let mut seen = Vec::new();
        for piece in pieces(old) {
            match piece {
                Piece::Text(text) => pattern.push_str(&regex::escape(&text)),
                Piece::Hole(number) if seen.contains(&number) => {
                    return Err(format!("{line}: {{{number}}} is there twice"));
                }
                Piece::Hole(number) => {
                    seen.push(number);
                    pattern.push_str(&format!("(?P<hole{number}>.+?)"));
                }
            }
        }
        let new = pieces(new);
        if let Some(number) = new.iter().find_map(|piece| match piece {
            Piece::Hole(number) if !seen.contains(number) => Some(number),
            _ => None,
        }) {
            return Err(format!("{line}: {{{number}}} is only in the new sentence"));
        }
        let old = Regex::new(&pattern).map_err(|error| format!("{line}: {error}"))?;
        Ok(Self { line, old, new, written: text.to_owned(), is_used: Cell::new(false) })
    }

    fn apply(&self, text: &str) -> String {
        let new = |holes: &Captures<'_>| {
            let piece = |piece: &Piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Hole(number) => {
                    holes.name(&format!("hole{number}")).map(|hole| hole.as_str()).unwrap_or_default().to_owned()
                }
            };
            self.new.iter().map(piece).collect::<String>()
        };
        self.old.replace_all(text, new).into_owned()
    }

    pub fn shown(&self) -> String {
        self.written.replacen('\t', " → ", 1)
    }
}

/// Splits a sentence at its holes.
fn pieces(text: &str) -> Vec<Piece> {
    let (mut pieces, mut open) = (Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mut rest = chars.clone();
        match (c, rest.next(), rest.next()) {
            ('{', Some(digit @ '1'..='9'), Some('}')) => {
                pieces.push(Piece::Text(std::mem::take(&mut open)));
                pieces
                    .push(Piece::Hole(digit.to_digit(10).and_then(|digit| digit.try_into().ok()).unwrap_or_default()));
                chars = rest;
            }
            ('\\', Some(escaped @ ('n' | 't' | '\\')), _) => {
                open.push(match escaped {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                });
                chars.next();
            }
            _ => open.push(c),
        }
    }
    pieces.push(Piece::Text(open));
    pieces
}

/// Writes a changed sentence as a line of the file.
pub fn written(old: &str, new: &str) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t");
    format!("{}\t{}\n", escaped(old), escaped(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_explained_with_its_holes_and_within_others() {
        let reworded =
            Reworded::of("# why\n`{1}` is no event\tno event is named `{1}`\nstands here\tis here\n").unwrap();
        assert!(reworded.explains("`Stopp` is no event", "no event is named `Stopp`"));
        assert!(reworded.explains("a: `x` is no event; stands here", "a: no event is named `x`; is here"));
        assert!(reworded.unused().is_empty());
        assert!(!reworded.explains("`Stopp` is no event", "no event is named `Stop`"));
        assert!(!reworded.explains("other", "another"));
    }

    #[test]
    fn a_row_that_explains_nothing_is_stale() {
        let reworded = Reworded::of("a\tb\nc\td\n").unwrap();
        assert!(reworded.explains("a c", "a d"));
        assert_eq!(reworded.unused().iter().map(|row| row.line).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn what_is_proposed_explains_itself() {
        let (old, new) = ("a\tb\n\\n {0}", "a\tb\n\\n {0}!");
        assert!(Reworded::of(&written(old, new)).unwrap().explains(old, new));
        assert!(Reworded::of("no tab").is_err());
        assert!(Reworded::of("a\t{1}").is_err());
    }
}
