//! Fields: splits the text and values that are added into words.

use super::brackets;
use super::pattern::class;
use crate::characters::{has_lost_bytes, has_same_splits};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, UnknownPart, Word, WordPart};

/// What the text and the values that are added turn into.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpansionMode {
    /// Any number of words: values are split, and globs are active.
    Words,
    /// One word: globs are text.
    One,
    /// One word: globs are active.
    Pattern,
    /// One word: globs that match file names are active.
    File,
}

/// The treatment of unquoted glob characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GlobMode {
    /// They are globs.
    Counted,
    /// They are globs that match names in any case: `shopt -s nocaseglob`.
    AnyCase,
    /// They are text: if a single word is needed, and after `set -f`.
    Text,
}

/// Whether a text is quoted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    Bare,
    Quoted,
}

/// The most bytes of all words of one expansion.
const LONGEST: usize = 1 << 17;

/// The size of a part, in addition to its text.
const PART: usize = 8;

/// Returns the size of a text that is added as one part.
pub(super) fn size(text: &str) -> usize {
    PART + text.len()
}

pub(super) struct FieldBuilder {
    pub(super) mode: ExpansionMode,
    pub(super) globs: GlobMode,
    /// The size of everything added.
    pub(super) size: usize,
    /// `None` if unknown.
    separators: Option<String>,
    done: Vec<ShellValue>,
    open: Option<ShellValue>,
    /// The word is dropped if nothing else is added: `"$@"` without arguments.
    vanishes: bool,
    /// A blank has just ended a word: a following separator that is not a blank belongs to the same boundary.
    is_behind_blank: bool,
    /// The word has characters that are resolved at its end: see [`brackets`].
    pub(super) has_marks: bool,
}

impl FieldBuilder {
    pub(super) fn new(way: ExpansionMode, globs: GlobMode, separators: Option<String>) -> Self {
        Self {
            mode: way,
            globs,
            size: 0,
            separators,
            done: Vec::new(),
            open: None,
            vanishes: false,
            is_behind_blank: false,
            has_marks: false,
        }
    }

    /// Whether a text may be split into several words.
    pub(super) fn has_separator(&self, text: &str) -> bool {
        self.separators
            .as_ref()
            .is_none_or(|separators| text.contains(|c| separators.contains(c)) || !has_same_splits(text, separators))
    }

    /// Returns the words, or one unknown word if they are too long.
    pub(super) fn finish(mut self) -> Vec<ShellValue> {
        self.close();
        if self.size <= LONGEST {
            return self.done;
        }
        let why = Unknown::new(Cause::TooLong, "…");
        let word = if self.mode == ExpansionMode::Words { Word::unknown_words(why) } else { Word::unknown(why) };
        let mut long = ShellValue { word, writers: Vec::new() };
        self.done.iter().for_each(|value| long.add_writers(&value.writers));
        vec![long]
    }

    /// Starts a word if there is none, even an empty one.
    pub(super) fn begin(&mut self) -> &mut ShellValue {
        self.is_behind_blank = false;
        self.open.get_or_insert_default()
    }

    /// Ends the word.
    pub(super) fn close(&mut self) {
        let vanishes = std::mem::replace(&mut self.vanishes, false);
        if std::mem::take(&mut self.has_marks)
            && let Some(open) = &mut self.open
        {
            open.word = brackets::resolve_brackets(&open.word, self.mode);
        }
        if self.globs == GlobMode::AnyCase
            && let Some(open) = &mut self.open
            && open.word.parts.iter().any(|part| matches!(part, WordPart::Glob(_)))
        {
            open.word = Word::unknown_words(Unknown::new(Cause::Glob, open.word.display_text()));
        }
        let is_there = |value: &ShellValue| !vanishes || !value.word.parts.is_empty();
        self.done.extend(self.open.take().filter(is_there));
    }

    /// Drops the word if nothing else is added.
    pub(super) fn drop_if_empty(&mut self) {
        self.vanishes = true;
    }

    pub(super) fn part(&mut self, part: WordPart) {
        self.size += size(match &part {
            WordPart::Text(text) | WordPart::Glob(text) => text,
            WordPart::Unknown(unknown) => &unknown.reason.word,
        });
        if self.size <= LONGEST {
            self.begin().word.push(part);
        }
    }

    pub(super) fn glob(&mut self, glob: &str) {
        self.part(match self.globs {
            GlobMode::Text => WordPart::Text(glob.to_owned()),
            GlobMode::Counted | GlobMode::AnyCase => WordPart::Glob(glob.to_owned()),
        });
    }

    /// Adds an unknown text for a pattern list.
    pub(super) fn add_unknown_text(&mut self, sign: &str) {
        match self.mode {
            ExpansionMode::Pattern => {
                self.part(WordPart::Unknown(UnknownPart { reason: Unknown::new(Cause::Glob, sign), may_split: false }));
            }
            _ => self.glob("*"),
        }
    }

    /// Adds a character that may be part of a glob; it is resolved at the end of the word.
    pub(super) fn add_mark(&mut self, sign: char) {
        if self.globs == GlobMode::Text {
            return self.text(sign.encode_utf8(&mut [0; 4]), Quoting::Bare);
        }
        self.has_marks = true;
        self.part(WordPart::Glob(sign.to_string()));
    }

    /// Adds text that is never split.
    pub(super) fn text(&mut self, text: &str, quoting: Quoting) {
        if !text.is_empty() || quoting == Quoting::Quoted {
            self.part(WordPart::Text(text.to_owned()));
        }
    }

    /// Adds the result of an expansion.
    pub(super) fn value(&mut self, value: &ShellValue, quoting: Quoting) {
        let splits = quoting == Quoting::Bare && self.mode == ExpansionMode::Words;
        if quoting == Quoting::Quoted {
            self.begin();
        }
        // A glob in a value has already been expanded; the value is one of the names.
        if self.mode != ExpansionMode::Pattern
            && let Some(matched) = value.word.as_matched()
        {
            matched.parts.into_iter().for_each(|part| self.part(part));
            self.begin().add_writers(&value.writers);
            return;
        }
        for part in &value.word.parts {
            match part {
                WordPart::Unknown(unknown) if unknown.matched_glob().is_some() => self.part(part.clone()),
                WordPart::Text(text) if has_lost_bytes(text) => {
                    let why = Unknown::new(Cause::Decoded, text.clone());
                    self.part(WordPart::Unknown(UnknownPart { reason: why, may_split: splits }));
                }
                WordPart::Text(text) if splits => match self.separators_for(text) {
                    Some(separators) => self.split(text, &separators, value),
                    None => self.part(WordPart::Unknown(UnknownPart {
                        reason: Unknown::new(Cause::Variable, "$IFS"),
                        may_split: true,
                    })),
                },
                WordPart::Text(text)
                    if quoting == Quoting::Bare
                        && self.globs != GlobMode::Text
                        && matches!(self.mode, ExpansionMode::Pattern | ExpansionMode::File) =>
                {
                    self.globs(text)
                }
                WordPart::Unknown(unknown) => {
                    self.part(WordPart::Unknown(UnknownPart { reason: unknown.reason.clone(), may_split: splits }))
                }
                WordPart::Text(_) | WordPart::Glob(_) => self.part(part.clone()),
            }
            if let Some(open) = &mut self.open {
                open.add_writers(&value.writers);
            }
        }
    }

    /// Returns the separators; `None` if it is unknown where they split a text.
    fn separators_for(&self, text: &str) -> Option<String> {
        self.separators.clone().filter(|separators| has_same_splits(text, separators))
    }

    fn split(&mut self, text: &str, separators: &str, value: &ShellValue) {
        let mut start = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| separators.contains(*c)) {
            let piece = text.get(start..at).unwrap_or_default();
            if !piece.is_empty() {
                self.globs(piece);
            }
            start = at + c.len_utf8();
            if let Some(open) = &mut self.open {
                open.add_writers(&value.writers);
            }
            let is_blank = matches!(c, ' ' | '\t' | '\n');
            if self.open.is_none() && !is_blank && !self.is_behind_blank {
                self.begin();
            }
            let ended = self.open.is_some();
            self.close();
            self.is_behind_blank = is_blank && (ended || self.is_behind_blank);
        }
        let piece = text.get(start..).unwrap_or_default();
        if !piece.is_empty() {
            self.globs(piece);
        }
    }

    /// Adds text in which globs are active.
    fn globs(&mut self, text: &str) {
        if self.globs == GlobMode::Text {
            return self.text(text, Quoting::Bare);
        }
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let is_sign = |c: char| matches!(c, '*' | '?' | '[' | '\\') || c == ']' && self.has_marks;
            let plain = rest.find(is_sign).unwrap_or(rest.len());
            self.text(rest.get(..plain).unwrap_or_default(), Quoting::Bare);
            let behind = rest.get(plain..).unwrap_or_default();
            let mut length = usize::from(!behind.is_empty());
            match behind.chars().next() {
                Some('[') => match class(behind) {
                    0 => self.add_mark('['),
                    class => {
                        length = class;
                        self.glob(behind.get(..class).unwrap_or_default());
                    }
                },
                Some(sign @ (']' | '\\')) => self.add_mark(sign),
                Some(_) => self.glob(behind.get(..1).unwrap_or_default()),
                None => {}
            }
            at += plain + length;
        }
    }
}
