//! A word of a command after the shell's expansions, as far as it is known.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::word::{Cause, WordPart};
//! use hookrules_shell::{StartDirectories, analyse};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let analysis = analyse("rm build/$NAME.o", &start);
//! let word = &analysis.commands[0].words[1];
//! assert_eq!((word.known_text(), word.prefix()), (None, "build/"));
//! let [WordPart::Text(_), WordPart::Unknown(name), WordPart::Text(_)] = &word.parts[..] else { panic!() };
//! assert_eq!((name.reason.cause, name.reason.word.as_str()), (Cause::Variable, "$NAME"));
//! ```

mod output;
mod parts;
pub(crate) mod source;
mod unknown;

use std::borrow::Cow;
use std::ops::Range;

pub use output::{CommandOutput, Directory, MktempTemplate, PrintedValue};
pub use parts::{WordParts, WordPartsIter};
pub(crate) use source::CommandId;
pub use source::{DefaultedVariable, ReadVariable, StreamId, ValueSource};
pub use unknown::{Cause, Unknown};

/// A word: a sequence of texts, globs and unknown parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Word {
    /// Its parts. Two texts are never adjacent; an empty word has no parts.
    pub parts: WordParts,
    /// Its byte range in the text of the call; `None` if an expansion or a nested text produced it.
    pub span: Option<Range<usize>>,
}

/// A part of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WordPart {
    /// A literal text, with its quotes removed.
    Text(String),
    /// An unquoted `*`, `?` or `[…]`: replaced by the names of the matching files, if there are any.
    Glob(String),
    /// An unknown part.
    Unknown(UnknownPart),
}

/// An unknown part of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPart {
    /// The reason.
    pub reason: Unknown,
    /// It is unquoted: it may expand to no word, or to several.
    pub may_split: bool,
}

impl UnknownPart {
    /// Whether it consists of letters that a program draws at random: it can only be part of a name.
    #[must_use]
    pub fn is_letters(&self) -> bool {
        matches!(self.reason.source, ValueSource::RandomLetters(_))
    }

    /// Whether it is one of several known files.
    #[must_use]
    pub fn is_one_of_files(&self) -> bool {
        self.reason.source == ValueSource::OneOfFiles
    }

    /// Returns the glob, if it is one of the names to which a glob was already expanded.
    #[must_use]
    pub fn matched_glob(&self) -> Option<&Word> {
        match &self.reason.source {
            ValueSource::GlobMatch(glob) => Some(glob),
            _ => None,
        }
    }

    /// Whether it is the name of the current branch: one word, and not an option.
    #[must_use]
    pub fn is_branch(&self) -> bool {
        self.reason.cause == Cause::Output && self.reason.source.printed_value() == Some(&PrintedValue::Branch)
    }
}

impl Word {
    /// Makes a fully known word.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() { Self::default() } else { Self::of(WordPart::Text(text)) }
    }

    /// Makes a word of one part.
    pub(crate) fn of(part: WordPart) -> Self {
        Self { parts: part.into(), span: None }
    }

    /// Makes a single, fully unknown word.
    #[must_use]
    pub fn unknown(why: Unknown) -> Self {
        Self::of(WordPart::Unknown(UnknownPart { reason: why, may_split: false }))
    }

    /// Makes an unknown word that may expand to none, or to several.
    #[must_use]
    pub fn unknown_words(why: Unknown) -> Self {
        Self::of(WordPart::Unknown(UnknownPart { reason: why, may_split: true }))
    }

    /// Appends a part; adjacent texts are joined.
    pub fn push(&mut self, part: WordPart) {
        match (self.parts.last_mut(), part) {
            (_, WordPart::Text(text)) if text.is_empty() => {}
            (Some(WordPart::Text(before)), WordPart::Text(text)) => before.push_str(&text),
            (_, part) => self.parts.push(part),
        }
    }

    /// Returns the word, if it is fully known.
    #[must_use]
    pub fn known_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [WordPart::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns the known beginning of the word.
    #[must_use]
    pub fn prefix(&self) -> &str {
        match self.parts.first() {
            Some(WordPart::Text(text)) => text,
            Some(WordPart::Unknown(unknown)) => unknown.matched_glob().map_or("", Self::prefix),
            _ => "",
        }
    }

    /// Returns the names of the variables whose values it contains.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            WordPart::Unknown(unknown) => unknown.reason.source.base_variable(),
            WordPart::Text(_) | WordPart::Glob(_) => None,
        })
    }

    /// Whether it is a pipe between two commands: `<(…)`, `>(…)`, a `coproc`.
    pub(crate) fn is_pipe(&self) -> bool {
        matches!(self.parts.as_slice(), [WordPart::Unknown(unknown)] if matches!(unknown.reason.source, ValueSource::Stream(_)))
    }

    /// Whether it contains a name to which a glob was already expanded.
    #[must_use]
    pub fn has_matched(&self) -> bool {
        self.parts.iter().any(|part| part.matched_glob().is_some())
    }

    /// Returns the word with globs in place of the names to which they were expanded.
    #[must_use]
    pub fn as_globs(&self) -> Cow<'_, Self> {
        if !self.has_matched() {
            return Cow::Borrowed(self);
        }
        let mut word = Self { parts: WordParts::new(), span: self.span.clone() };
        for part in &self.parts {
            match part.matched_glob() {
                Some(glob) => glob.as_globs().parts.iter().for_each(|part| word.push(part.clone())),
                None => word.push(part.clone()),
            }
        }
        Cow::Owned(word)
    }

    /// Returns the word as one of the names that its globs expand to, if it has globs and is known otherwise.
    pub(crate) fn as_matched(&self) -> Option<Self> {
        let is_plain = |part: &WordPart| part.matched_glob().is_some() || !matches!(part, WordPart::Unknown(_));
        let has_glob = self.parts.iter().any(|part| matches!(part, WordPart::Glob(_)));
        if !has_glob || !self.parts.iter().all(is_plain) {
            return None;
        }
        let glob = Self { parts: self.parts.clone(), span: None };
        Some(Self::unknown(Unknown::with_source(Cause::Glob, self.display_text(), ValueSource::GlobMatch(glob.into()))))
    }

    /// Returns the reason why it is not known, if so; a glob only counts if nothing is unknown.
    #[must_use]
    pub fn unknown_reason(&self) -> Option<Unknown> {
        let unknown = self.parts.iter().find_map(|part| match part {
            WordPart::Unknown(unknown) if !unknown.is_letters() => Some(unknown.reason.clone()),
            _ => None,
        });
        let glob = || self.parts.iter().any(|part| !matches!(part, WordPart::Text(_)));
        unknown.or_else(|| glob().then(|| Unknown::new(Cause::Glob, self.display_text())))
    }

    /// Returns the word with the name of the current branch in place of the command that prints it.
    #[must_use]
    pub fn with_branch(&self, branch: &str) -> Self {
        let mut known = Self { parts: WordParts::new(), span: self.span.clone() };
        for part in &self.parts {
            known.push(match part {
                WordPart::Unknown(unknown) if unknown.is_branch() => WordPart::Text(branch.to_owned()),
                part => part.clone(),
            });
        }
        known
    }

    /// Whether it may expand to no word or to several.
    #[must_use]
    pub fn may_split(&self) -> bool {
        self.parts.iter().any(|part| match part {
            WordPart::Unknown(unknown) => unknown.may_split,
            WordPart::Glob(_) => true,
            WordPart::Text(_) => false,
        })
    }

    /// Whether its unknown parts may contain blanks that split it into arbitrary words.
    #[must_use]
    pub fn may_split_at_blanks(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, WordPart::Unknown(unknown) if unknown.may_split && !unknown.is_branch()))
    }

    /// Returns the known parts: globs as written, and a blank for each unknown part.
    #[must_use]
    pub fn literal(&self) -> String {
        self.parts.iter().map(|part| part.literal_text().unwrap_or(" ")).collect()
    }

    /// Whether one of its known parts contains a text.
    #[must_use]
    pub fn has_known_text(&self, text: &str) -> bool {
        self.parts.iter().filter_map(WordPart::literal_text).any(|part| part.contains(text))
    }

    /// Returns the last character, if it is known.
    #[must_use]
    pub fn last_char(&self) -> Option<char> {
        self.parts.last()?.literal_text()?.chars().next_back()
    }

    /// Returns the rest of the word after `start`, if it is known to begin with that.
    #[must_use]
    pub fn strip_prefix(&self, start: &str) -> Option<Self> {
        if self.parts.first().and_then(WordPart::matched_glob).is_some() {
            return self.as_globs().strip_prefix(start);
        }
        let rest = self.prefix().strip_prefix(start)?;
        let mut word = Self::text(rest);
        word.parts.extend(self.parts.iter().skip(usize::from(!self.prefix().is_empty())).cloned());
        Some(word)
    }

    /// Returns the texts before and after its first `=`, if that much is known: `NAME=value`.
    #[must_use]
    pub fn split_at_equals(&self) -> Option<(&str, Self)> {
        let (name, _) = self.prefix().split_once('=')?;
        Some((name, self.strip_prefix(self.prefix().get(..=name.len())?)?))
    }

    /// Whether it is the path of some shell: `$SHELL`.
    pub(crate) fn is_shell(&self) -> bool {
        matches!(self.parts.as_slice(), [WordPart::Unknown(unknown)] if unknown.reason.source == ValueSource::Shell)
    }

    /// Returns the `HOST/PORT` of a path for which bash opens a connection: `/dev/tcp/HOST/PORT`.
    pub(crate) fn socket(&self) -> Option<Self> {
        if !self.prefix().starts_with("/dev/") {
            return None;
        }
        ["/dev/tcp/", "/dev/udp/"].into_iter().find_map(|start| self.strip_prefix(start))
    }

    /// Returns the word for display: known text as it is, globs and unknown parts as written.
    #[must_use]
    pub fn display_text(&self) -> String {
        self.parts.iter().map(WordPart::display_text).collect()
    }
}

impl WordPart {
    /// Returns its text, if it is known.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Glob(_) | Self::Unknown(_) => None,
        }
    }

    /// Whether it is one of several known files.
    pub(crate) fn is_one_of_files(&self) -> bool {
        matches!(self, Self::Unknown(unknown) if unknown.is_one_of_files())
    }

    /// Returns the glob, if it is one of the names to which a glob was already expanded.
    #[must_use]
    pub fn matched_glob(&self) -> Option<&Word> {
        match self {
            Self::Unknown(unknown) => unknown.matched_glob(),
            Self::Text(_) | Self::Glob(_) => None,
        }
    }

    /// Returns its text, including that of a glob; `None` if it is unknown.
    pub(crate) fn literal_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Glob(text) => Some(text),
            Self::Unknown(unknown) => unknown.matched_glob().map(|_| &*unknown.reason.word),
        }
    }

    fn display_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) | Self::Glob(text) => Cow::Borrowed(text),
            // Words from a program's input have no source text; the word is the program's own then.
            Self::Unknown(UnknownPart { reason: Unknown { source: ValueSource::InputWords, .. }, may_split: true }) => {
                "…".into()
            }
            Self::Unknown(unknown) => Cow::Borrowed(&unknown.reason.word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_joined_and_the_empty_word_is_known() {
        let mut word = Word::default();
        assert_eq!(word.known_text(), Some(""));
        word.push(WordPart::Text("a".to_owned()));
        word.push(WordPart::Text(String::new()));
        word.push(WordPart::Text("b".to_owned()));
        assert_eq!(word.known_text(), Some("ab"));
        word.push(WordPart::Glob("*".to_owned()));
        assert_eq!((word.known_text(), word.prefix(), word.display_text().as_str()), (None, "ab", "ab*"));
        assert_eq!(word.unknown_reason(), Some(Unknown::new(Cause::Glob, "ab*")));
    }

    #[test]
    fn what_follows_a_known_start_keeps_the_rest() {
        let mut word = Word::text("--out=");
        word.push(WordPart::Unknown(UnknownPart { reason: Unknown::new(Cause::Variable, "$X"), may_split: false }));
        let value = word.strip_prefix("--out=").unwrap();
        assert_eq!(value, Word::unknown(Unknown::new(Cause::Variable, "$X")));
        assert_eq!(word.strip_prefix("--in="), None);
        assert_eq!(Word::text("-m").strip_prefix("-m"), Some(Word::default()));
    }
}
