//! One word of a command after the shell's expansions, as far as it is known.

mod output;
mod source;
mod unknown;

use std::borrow::Cow;
use std::ops::Range;

use smallvec::{SmallVec, smallvec};

pub use output::{Directory, Output, Prints, Template};
pub use source::{CommandId, Defaulted, Line, Source, StreamId};
pub use unknown::{Cause, Unknown};

/// What a word is made of: mostly one part.
pub(crate) type Parts = SmallVec<[Part; 1]>;

/// A word: texts, globs and unknown parts in a row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Word {
    /// What it is made of. Two texts never stand side by side; an empty word has no parts.
    pub parts: Parts,
    /// Where it stands in the text of the call, in bytes; none where an expansion or a nested text made it.
    pub span: Option<Range<usize>>,
}

/// A part of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Exactly this, quotes removed.
    Text(String),
    /// An unquoted `*`, `?` or `[…]`: files' names take its place, if any match.
    Glob(String),
    /// Not known.
    Unknown(UnknownPart),
}

/// What is not known of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPart {
    /// Why.
    pub why: Unknown,
    /// It stands unquoted: there may be no word, or several.
    pub splits: bool,
}

impl UnknownPart {
    /// Tells whether it is letters that a program draws: a name is all that it may be.
    #[must_use]
    pub fn is_letters(&self) -> bool {
        matches!(self.why.source, Source::Letters(_))
    }

    /// Tells whether it is one of several files that are known.
    #[must_use]
    pub fn is_each(&self) -> bool {
        self.why.source == Source::Each
    }

    /// Returns the glob, where it is one of the names that this became before.
    #[must_use]
    pub fn matched(&self) -> Option<&Word> {
        match &self.why.source {
            Source::Matched(glob) => Some(glob),
            _ => None,
        }
    }

    /// Tells whether it is the name of the branch that is checked out: one word, and no option.
    #[must_use]
    pub fn is_branch(&self) -> bool {
        self.why.cause == Cause::Output && self.why.source.prints() == Some(&Prints::Branch)
    }
}

impl Word {
    /// Makes a word that is known.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        let parts = if text.is_empty() { Parts::new() } else { smallvec![Part::Text(text)] };
        Self { parts, span: None }
    }

    /// Makes one word of which nothing is known.
    #[must_use]
    pub fn unknown(why: Unknown) -> Self {
        Self { parts: smallvec![Part::Unknown(UnknownPart { why, splits: false })], span: None }
    }

    /// Makes a word that may be none, or several.
    #[must_use]
    pub fn several(why: Unknown) -> Self {
        Self { parts: smallvec![Part::Unknown(UnknownPart { why, splits: true })], span: None }
    }

    /// Adds a part behind the others; texts are joined.
    pub fn push(&mut self, part: Part) {
        match (self.parts.last_mut(), part) {
            (_, Part::Text(text)) if text.is_empty() => {}
            (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
            (_, part) => self.parts.push(part),
        }
    }

    /// Returns the word, if it is known.
    #[must_use]
    pub fn known(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns how far it is known from its beginning.
    #[must_use]
    pub fn prefix(&self) -> &str {
        match self.parts.first() {
            Some(Part::Text(text)) => text,
            Some(Part::Unknown(unknown)) => unknown.matched().map_or("", Self::prefix),
            _ => "",
        }
    }

    /// Returns the names of the variables whose values stand in it.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Unknown(unknown) => unknown.why.source.variable_within(),
            Part::Text(_) | Part::Glob(_) => None,
        })
    }

    /// Returns whether it is a pipe between two commands: `<(…)`, `>(…)`, a `coproc`.
    pub(crate) fn is_pipe(&self) -> bool {
        matches!(self.parts.as_slice(), [Part::Unknown(unknown)] if matches!(unknown.why.source, Source::Stream(_)))
    }

    /// Tells whether a glob in it became names before.
    #[must_use]
    pub fn has_matched(&self) -> bool {
        self.parts.iter().any(|part| part.matched().is_some())
    }

    /// Returns the word with the globs themselves in place of the names that they became before.
    #[must_use]
    pub fn as_globs(&self) -> Cow<'_, Self> {
        if !self.has_matched() {
            return Cow::Borrowed(self);
        }
        let mut word = Self { parts: Parts::new(), span: self.span.clone() };
        for part in &self.parts {
            match part.matched() {
                Some(glob) => glob.as_globs().parts.iter().for_each(|part| word.push(part.clone())),
                None => word.push(part.clone()),
            }
        }
        Cow::Owned(word)
    }

    /// Returns the word as one of the names that the globs in it become, where it has some and all else is known.
    pub(crate) fn as_matched(&self) -> Option<Self> {
        let is_plain = |part: &Part| part.matched().is_some() || !matches!(part, Part::Unknown(_));
        let has_glob = self.parts.iter().any(|part| matches!(part, Part::Glob(_)));
        if !has_glob || !self.parts.iter().all(is_plain) {
            return None;
        }
        let glob = Self { parts: self.parts.clone(), span: None };
        Some(Self::unknown(Unknown::of(Cause::Glob, self.shown(), Source::Matched(glob.into()))))
    }

    /// Returns why it is not known, if so. A glob is one only where nothing is unknown.
    #[must_use]
    pub fn why(&self) -> Option<Unknown> {
        let unknown = self.parts.iter().find_map(|part| match part {
            Part::Unknown(unknown) if !unknown.is_letters() => Some(unknown.why.clone()),
            _ => None,
        });
        let glob = || self.parts.iter().any(|part| !matches!(part, Part::Text(_)));
        unknown.or_else(|| glob().then(|| Unknown::new(Cause::Glob, self.shown())))
    }

    /// Returns the word with the branch that is checked out in place of what asks for it.
    #[must_use]
    pub fn with_branch(&self, branch: &str) -> Self {
        let mut known = Self { parts: Parts::new(), span: self.span.clone() };
        for part in &self.parts {
            known.push(match part {
                Part::Unknown(unknown) if unknown.is_branch() => Part::Text(branch.to_owned()),
                part => part.clone(),
            });
        }
        known
    }

    /// Tells whether it may be no word or several.
    #[must_use]
    pub fn splits(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Unknown(unknown) => unknown.splits,
            Part::Glob(_) => true,
            Part::Text(_) => false,
        })
    }

    /// Tells whether what is not known of it may hold blanks that make several words of it, whatever they are.
    #[must_use]
    pub fn may_break(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Unknown(unknown) if unknown.splits && !unknown.is_branch()))
    }

    /// Returns what of it is known: globs as they are written, and a blank for each part that is not known.
    #[must_use]
    pub fn literal(&self) -> String {
        self.parts.iter().map(|part| part.written().unwrap_or(" ")).collect()
    }

    /// Tells whether what is known of it holds a text, within one of its parts.
    #[must_use]
    pub fn mentions(&self, text: &str) -> bool {
        self.parts.iter().filter_map(Part::written).any(|part| part.contains(text))
    }

    /// Returns the last character, if that is known.
    #[must_use]
    pub fn last_char(&self) -> Option<char> {
        self.parts.last()?.written()?.chars().next_back()
    }

    /// Returns what follows its first characters, where these are known to be `start`.
    #[must_use]
    pub fn after(&self, start: &str) -> Option<Self> {
        if self.parts.first().and_then(Part::matched).is_some() {
            return self.as_globs().after(start);
        }
        let rest = self.prefix().strip_prefix(start)?;
        let mut word = Self::text(rest);
        word.parts.extend(self.parts.iter().skip(usize::from(!self.prefix().is_empty())).cloned());
        Some(word)
    }

    /// Returns what stands in front of its first `=` and what stands behind it, where that much is known: `NAME=value`.
    #[must_use]
    pub fn pair(&self) -> Option<(&str, Self)> {
        let (name, _) = self.prefix().split_once('=')?;
        Some((name, self.after(self.prefix().get(..=name.len())?)?))
    }

    /// Tells whether it is the path of a shell, whichever: `$SHELL`.
    pub(crate) fn is_shell(&self) -> bool {
        matches!(self.parts.as_slice(), [Part::Unknown(unknown)] if unknown.why.source == Source::Shell)
    }

    /// Returns `HOST/PORT` of a file that bash opens a connection in place of: `/dev/tcp/HOST/PORT`.
    pub(crate) fn socket(&self) -> Option<Self> {
        if !self.prefix().starts_with("/dev/") {
            return None;
        }
        ["/dev/tcp/", "/dev/udp/"].into_iter().find_map(|start| self.after(start))
    }

    /// Returns the word for people: what is known as it is, globs as written, unknown parts as written.
    #[must_use]
    pub fn shown(&self) -> String {
        self.parts.iter().map(Part::shown).collect()
    }
}

impl Part {
    /// Returns what is known of it.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Glob(_) | Self::Unknown(_) => None,
        }
    }

    /// Tells whether it is one of several files that are known.
    pub(crate) fn is_each(&self) -> bool {
        matches!(self, Self::Unknown(unknown) if unknown.is_each())
    }

    /// Returns the glob, where it is one of the names that this became before.
    #[must_use]
    pub fn matched(&self) -> Option<&Word> {
        match self {
            Self::Unknown(unknown) => unknown.matched(),
            Self::Text(_) | Self::Glob(_) => None,
        }
    }

    /// Returns the text of it, a glob's included; none where it is not known.
    pub(crate) fn written(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Glob(text) => Some(text),
            Self::Unknown(unknown) => unknown.matched().map(|_| &*unknown.why.word),
        }
    }

    fn shown(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) | Self::Glob(text) => Cow::Borrowed(text),
            // What a program reads has no text of its own; the word is the program's then.
            Self::Unknown(UnknownPart { why: Unknown { source: Source::Listed, .. }, splits: true }) => "…".into(),
            Self::Unknown(unknown) => Cow::Borrowed(&unknown.why.word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_joined_and_the_empty_word_is_known() {
        let mut word = Word::default();
        assert_eq!(word.known(), Some(""));
        word.push(Part::Text("a".to_owned()));
        word.push(Part::Text(String::new()));
        word.push(Part::Text("b".to_owned()));
        assert_eq!(word.known(), Some("ab"));
        word.push(Part::Glob("*".to_owned()));
        assert_eq!((word.known(), word.prefix(), word.shown().as_str()), (None, "ab", "ab*"));
        assert_eq!(word.why(), Some(Unknown::new(Cause::Glob, "ab*")));
    }

    #[test]
    fn what_follows_a_known_start_keeps_the_rest() {
        let mut word = Word::text("--out=");
        word.push(Part::Unknown(UnknownPart { why: Unknown::new(Cause::Variable, "$X"), splits: false }));
        let value = word.after("--out=").unwrap();
        assert_eq!(value, Word::unknown(Unknown::new(Cause::Variable, "$X")));
        assert_eq!(word.after("--in="), None);
        assert_eq!(Word::text("-m").after("-m"), Some(Word::default()));
    }
}
