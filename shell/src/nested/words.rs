//! Operations on the words of nested commands: joining, splitting, replacing.

use crate::analysis::Assignment;
use crate::quote::quote;
use crate::word::{Cause, Part, Source, Unknown, UnknownPart, Word};

/// Joins words by blanks, as `eval` and `ssh` do.
pub(super) fn join(words: &[Word]) -> Word {
    let mut joined = Word::default();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            joined.push(Part::Text(" ".to_owned()));
        }
        append(&mut joined, word);
    }
    joined
}

/// Appends a word to another.
pub(super) fn append(to: &mut Word, word: &Word) {
    for part in &word.parts {
        to.push(part.clone());
    }
}

/// Quotes a word so that a shell reads it unchanged. An unknown part stays, and may expand to more.
pub(super) fn quoted(word: &Word) -> Word {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=@%+,".contains(c);
    let mut quoted = Word::default();
    if word.parts.is_empty() {
        quoted.push(Part::Text("''".to_owned()));
    }
    for part in &word.parts {
        quoted.push(match part {
            Part::Text(text) if !text.chars().all(is_plain) => Part::Text(quote(text)),
            part => part.clone(),
        });
    }
    quoted
}

/// Parses `NAME=value`.
pub(super) fn assignment(word: &Word) -> Option<Assignment> {
    let (name, value) = word.pair().filter(|(name, _)| !name.is_empty() && !name.starts_with('-'))?;
    Some(Assignment { name: name.to_owned(), value: Some(value) })
}

/// Whether a word begins with an unknown part.
pub(super) fn is_open(word: &Word) -> bool {
    matches!(word.parts.first(), Some(part @ Part::Unknown(_)) if part.matched().is_none())
}

/// Whether a word can be a program's name: it is not empty and does not begin with a dash.
pub(super) fn may_be_program(word: &Word) -> bool {
    !word.parts.is_empty() && !word.prefix().starts_with('-')
}

/// Returns an unknown word, in place of a word that a wrapper inserts.
pub(super) fn placed(cause: Cause, mark: &str) -> Word {
    Word::unknown(Unknown::new(cause, mark))
}

/// Replaces every placeholder in a word, and returns whether there was one.
pub(super) fn replace(word: &Word, mark: &str, by: &Word) -> (Word, Replaced) {
    let mut replaced = Replaced::No;
    let mut result = Word::default();
    for part in &word.parts {
        let Part::Text(text) = part else {
            result.push(part.clone());
            continue;
        };
        for (at, piece) in text.split(mark).enumerate() {
            if at > 0 {
                replaced = Replaced::Yes;
                append(&mut result, by);
            }
            result.push(Part::Text(piece.to_owned()));
        }
    }
    match replaced {
        Replaced::No => (word.clone(), Replaced::No),
        Replaced::Yes => (result, Replaced::Yes),
    }
}

/// Whether there was a placeholder in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Replaced {
    Yes,
    No,
}

/// Splits a text into words as `env -S` and git's aliases do: at blanks, with quotes and backslashes.
pub(super) fn split(text: &Word) -> Vec<Word> {
    let mut splitter = Splitter::default();
    for part in &text.parts {
        match part {
            Part::Text(text) => text.chars().for_each(|c| splitter.char(c)),
            Part::Glob(glob) => glob.chars().for_each(|c| splitter.char(c)),
            Part::Unknown(unknown) => {
                splitter.push(Part::Unknown(UnknownPart { splits: splitter.quote.is_none(), ..unknown.clone() }))
            }
        }
    }
    splitter.end();
    splitter.words
}

#[derive(Default)]
struct Splitter {
    words: Vec<Word>,
    word: Option<Word>,
    quote: Option<char>,
    is_escaped: bool,
    /// The name of a `${NAME}` so far.
    variable: Option<String>,
}

impl Splitter {
    fn push(&mut self, part: Part) {
        self.word.get_or_insert_default().push(part);
    }

    fn end(&mut self) {
        if let Some(name) = self.variable.take() {
            self.push(Part::Text(format!("$ {{{name}")));
        }
        self.words.extend(self.word.take());
    }

    fn char(&mut self, c: char) {
        if let Some(name) = &mut self.variable {
            if c == '}' {
                let source = Source::Variable(name.as_str().into());
                let why = Unknown::of(Cause::Variable, format!("${{{name}}}"), source);
                self.variable = None;
                // `env` inserts the value without splitting it.
                return self.push(Part::Unknown(UnknownPart { why, splits: false }));
            }
            return name.push(c);
        }
        if self.is_escaped {
            self.is_escaped = false;
            return match c {
                '_' if self.quote.is_none() => self.end(),
                'n' => self.push(Part::Text("\n".to_owned())),
                't' => self.push(Part::Text("\t".to_owned())),
                other => self.push(Part::Text(other.to_string())),
            };
        }
        match (self.quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => self.quote = None,
            (None, '\'' | '"') => {
                self.quote = Some(c);
                self.word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => self.is_escaped = true,
            (None | Some('"'), '{') if self.ends_in_dollar() => self.variable = Some(String::new()),
            (None, c) if c.is_ascii_whitespace() => self.end(),
            (_, c) => self.push(Part::Text(c.to_string())),
        }
    }

    /// Removes the `$` of a `${` from the word.
    fn ends_in_dollar(&mut self) -> bool {
        let Some(Part::Text(text)) = self.word.as_mut().and_then(|word| word.parts.last_mut()) else {
            return false;
        };
        let ends = text.ends_with('$');
        if ends {
            text.pop();
        }
        if text.is_empty()
            && let Some(word) = &mut self.word
        {
            word.parts.pop();
        }
        ends
    }
}

/// Returns a package's name without the version that a package runner accepts after it (`cowsay@1.5`).
pub(super) fn without_version(word: &Word) -> Word {
    match word.known() {
        Some(text) => match text.rsplit_once('@') {
            Some((name, _)) if !name.is_empty() => Word::text(name),
            _ => word.clone(),
        },
        None => word.clone(),
    }
}
