//! Operations on the words of nested commands: joining, splitting, replacing placeholders.

use crate::analysis::Assignment;
use crate::quote::quote;
use crate::word::{Cause, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// Joins words with spaces, as `eval` and `ssh` do.
pub(crate) fn join(words: &[Word]) -> Word {
    let mut joined = Word::default();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            joined.push(WordPart::Text(" ".to_owned()));
        }
        append(&mut joined, word);
    }
    joined
}

/// Appends the parts of a word to another one.
pub(super) fn append(to: &mut Word, word: &Word) {
    for part in &word.parts {
        to.push(part.clone());
    }
}

/// Quotes a word so that a shell reads it unchanged. An unknown part is not quoted, so that it may expand to several
/// words.
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

/// Returns a known word without the white space and the quotes around it, and any other word unchanged.
pub(super) fn unquoted(word: &Word) -> Word {
    word.known_text().map_or_else(|| word.clone(), |text| Word::text(text.trim().trim_matches(['"', '\''])))
}

/// Parses an assignment `NAME=value`; `None` if the word is none, or begins with a dash.
pub(super) fn assignment(word: &Word) -> Option<Assignment> {
    let (name, value) = word.split_at_equals().filter(|(name, _)| !name.is_empty() && !name.starts_with('-'))?;
    Some(Assignment { name: name.to_owned(), value: Some(value) })
}

/// Whether a word begins with an unknown part, other than a name that a glob expanded to.
pub(super) fn begins_with_unknown(word: &Word) -> bool {
    matches!(word.parts.first(), Some(part @ WordPart::Unknown(_)) if part.matched_glob().is_none())
}

/// Whether a word can be the name of a program: it is not empty and does not begin with a dash.
pub(super) fn may_be_program(word: &Word) -> bool {
    !word.parts.is_empty() && !word.prefix().starts_with('-')
}

/// Returns an unknown word that represents a word which a program inserts; `shown`, which represents it in messages, is
/// the placeholder or the name of the program.
pub(super) fn inserted_word(cause: Cause, shown: &str) -> Word {
    Word::unknown(Unknown::new(cause, shown))
}

/// Replaces every occurrence of a placeholder in a word. Returns the result, and whether there was a placeholder.
pub(super) fn replace(word: &Word, placeholder: &str, by: &Word) -> (Word, PlaceholderPresence) {
    let mut replaced = PlaceholderPresence::No;
    let mut result = Word::default();
    for part in &word.parts {
        let WordPart::Text(text) = part else {
            result.push(part.clone());
            continue;
        };
        for (at, piece) in text.split(placeholder).enumerate() {
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

/// Splits a text into words as `env -S` and git's aliases do: at white space, and with quotes, backslashes and
/// `${NAME}` resolved.
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

/// Splits a text into words, character by character.
#[derive(Default)]
struct WordSplitter {
    /// The finished words.
    words: Vec<Word>,
    /// The current word; `None` between two words.
    word: Option<Word>,
    /// The quote that is open.
    quote: Option<char>,
    /// The last character was a backslash that escapes the next one.
    is_escaped: bool,
    /// The name in an open `${NAME}`, as far as it has been read.
    variable: Option<String>,
}

impl WordSplitter {
    /// Appends a part to the current word.
    fn push(&mut self, part: WordPart) {
        self.word.get_or_insert_default().push(part);
    }

    /// Finishes the current word, if there is one.
    fn end_word(&mut self) {
        if let Some(name) = self.variable.take() {
            self.push(WordPart::Text(format!("${{{name}")));
        }
        self.words.extend(self.word.take());
    }

    /// Adds a character of the text.
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
                // In `env -S`, `\_` separates words outside quotes.
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

    /// Whether the word ends in the `$` of a `${`, which is then removed.
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

/// Returns a package with its arguments as a program with them: the first word without its version.
pub(super) fn package_program(words: &[Word]) -> Vec<Word> {
    words.iter().enumerate().map(|(at, word)| if at == 0 { without_version(word) } else { word.clone() }).collect()
}

/// Returns the name and the value in the value of an option `-o` of `ssh`: `ProxyCommand=x`, `ProxyCommand x`.
pub(crate) fn ssh_setting(given: &Word) -> Option<(&str, Word)> {
    let start = given.prefix();
    let name = start.split(['=', ' ', '\t']).next()?;
    let value = start.get(name.len()..)?.trim_start_matches(['=', ' ', '\t']);
    Some((name, given.strip_prefix(start.get(..start.len() - value.len())?)?))
}

/// Returns the name of a package without the version that a package runner accepts after it: `cowsay` for
/// `cowsay@1.5`. The `@` of a scope, `@types/node`, stays.
pub(super) fn without_version(word: &Word) -> Word {
    match word.known_text() {
        Some(text) => match text.rsplit_once('@') {
            Some((name, _)) if !name.is_empty() => Word::text(name),
            _ => word.clone(),
        },
        None => word.clone(),
    }
}
