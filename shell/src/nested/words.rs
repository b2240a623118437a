//! Operations on the words of nested commands: joining, splitting, replacing.

use crate::analysis::Assignment;
use crate::quote::quote;
use crate::word::{Cause, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// Joins words by blanks, as `eval` and `ssh` do.
pub(super) fn join(words: &[Word]) -> Word {
    let mut joined = Word::default();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            joined.push(WordPart::Text(" ".to_owned()));
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
        quoted.push(WordPart::Text("''".to_owned()));
    }
    for part in &word.parts {
        quoted.push(match part {
            WordPart::Text(text) if !text.chars().all(is_plain) => WordPart::Text(quote(text)),
            part => part.clone(),
        });
    }
    quoted
}

/// Parses `NAME=value`.
pub(super) fn assignment(word: &Word) -> Option<Assignment> {
    let (name, value) = word.split_at_equals().filter(|(name, _)| !name.is_empty() && !name.starts_with('-'))?;
    Some(Assignment { name: name.to_owned(), value: Some(value) })
}

/// Whether a word begins with an unknown part.
pub(super) fn is_open(word: &Word) -> bool {
    matches!(word.parts.first(), Some(part @ WordPart::Unknown(_)) if part.matched_glob().is_none())
}

/// Whether a word can be a program's name: it is not empty and does not begin with a dash.
pub(super) fn may_be_program(word: &Word) -> bool {
    !word.parts.is_empty() && !word.prefix().starts_with('-')
}

/// Returns an unknown word, in place of a word that a wrapper inserts.
pub(super) fn inserted_word(cause: Cause, mark: &str) -> Word {
    Word::unknown(Unknown::new(cause, mark))
}

/// Replaces every placeholder in a word, and returns whether there was one.
pub(super) fn replace(word: &Word, mark: &str, by: &Word) -> (Word, PlaceholderPresence) {
    let mut replaced = PlaceholderPresence::No;
    let mut result = Word::default();
    for part in &word.parts {
        let WordPart::Text(text) = part else {
            result.push(part.clone());
            continue;
        };
        for (at, piece) in text.split(mark).enumerate() {
            if at > 0 {
                replaced = PlaceholderPresence::Yes;
                append(&mut result, by);
            }
            result.push(WordPart::Text(piece.to_owned()));
        }
    }
    match replaced {
        PlaceholderPresence::No => (word.clone(), PlaceholderPresence::No),
        PlaceholderPresence::Yes => (result, PlaceholderPresence::Yes),
    }
}

/// Whether there was a placeholder in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlaceholderPresence {
    Yes,
    No,
}

/// Splits a text into words as `env -S` and git's aliases do: at blanks, with quotes and backslashes.
pub(super) fn split(text: &Word) -> Vec<Word> {
    let mut splitter = WordSplitter::default();
    for part in &text.parts {
        match part {
            WordPart::Text(text) => text.chars().for_each(|c| splitter.char(c)),
            WordPart::Glob(glob) => glob.chars().for_each(|c| splitter.char(c)),
            WordPart::Unknown(unknown) => {
                splitter.push(WordPart::Unknown(UnknownPart { may_split: splitter.quote.is_none(), ..unknown.clone() }))
            }
        }
    }
    splitter.end_word();
    splitter.words
}

#[derive(Default)]
struct WordSplitter {
    words: Vec<Word>,
    word: Option<Word>,
    quote: Option<char>,
    is_escaped: bool,
    /// The name of a `${NAME}` so far.
    variable: Option<String>,
}

impl WordSplitter {
    fn push(&mut self, part: WordPart) {
        self.word.get_or_insert_default().push(part);
    }

    fn end_word(&mut self) {
        if let Some(name) = self.variable.take() {
            self.push(WordPart::Text(format!("$ {{{name}")));
        }
        self.words.extend(self.word.take());
    }

    fn char(&mut self, c: char) {
        if let Some(name) = &mut self.variable {
            if c == '}' {
                let source = ValueSource::Variable(name.as_str().into());
                let why = Unknown::with_source(Cause::Variable, format!("${{{name}}}"), source);
                self.variable = None;
                // `env` inserts the value without splitting it.
                return self.push(WordPart::Unknown(UnknownPart { reason: why, may_split: false }));
            }
            return name.push(c);
        }
        if self.is_escaped {
            self.is_escaped = false;
            return match c {
                '_' if self.quote.is_none() => self.end_word(),
                'n' => self.push(WordPart::Text("\n".to_owned())),
                't' => self.push(WordPart::Text("\t".to_owned())),
                other => self.push(WordPart::Text(other.to_string())),
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
            (None, c) if c.is_ascii_whitespace() => self.end_word(),
            (_, c) => self.push(WordPart::Text(c.to_string())),
        }
    }

    /// Removes the `$` of a `${` from the word.
    fn ends_in_dollar(&mut self) -> bool {
        let Some(WordPart::Text(text)) = self.word.as_mut().and_then(|word| word.parts.last_mut()) else {
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
    match word.known_text() {
        Some(text) => match text.rsplit_once('@') {
            Some((name, _)) if !name.is_empty() => Word::text(name),
            _ => word.clone(),
        },
        None => word.clone(),
    }
}
