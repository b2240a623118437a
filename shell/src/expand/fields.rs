//! Collects the texts and values that an expansion yields, and splits them into words.

use super::brackets;
use super::pattern::class_length;
use crate::characters::{has_lost_bytes, has_same_splits};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, UnknownPart, Word, WordPart};

/// How many words an expansion results in, and whether globs are active in them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpansionMode {
    /// Any number of words: values are split, and globs are active.
    Words,
    /// One word, in which glob characters are text: the value of an assignment.
    One,
    /// One word, in which all glob characters are active: the pattern of a `case`.
    Pattern,
    /// One word, in which globs are active as for file names: the target of a redirection.
    File,
}

/// The treatment of unquoted glob characters in an expansion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GlobMode {
    /// Glob characters are active.
    Active,
    /// Glob characters are active, and match names in upper and lower case: `shopt -s nocaseglob`.
    AnyCase,
    /// Glob characters are text: because one word is needed, or after `set -f`.
    Literal,
}

/// Whether a text or a value is in quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    Bare,
    Quoted,
}

/// The maximum size of all words that result from one expansion; beyond it they are one unknown word.
const MAX_SIZE: usize = 1 << 17;

/// The size of a part in addition to the bytes of its text.
const PART_OVERHEAD: usize = 8;

/// Returns the size of a text that is added as one part.
pub(super) fn size(text: &str) -> usize {
    PART_OVERHEAD + text.len()
}

/// Collects the results of an expansion and splits them into words.
pub(super) struct FieldBuilder {
    pub(super) mode: ExpansionMode,
    pub(super) globs: GlobMode,
    /// The size of all parts added so far, of which [`MAX_SIZE`] is the limit.
    pub(super) size: usize,
    /// The characters that separate words, the value of `IFS`; `None` if they are unknown.
    separators: Option<String>,
    /// The finished words.
    done: Vec<ShellValue>,
    /// The word that parts are added to; `None` between two words.
    open: Option<ShellValue>,
    /// Whether the current word is dropped if it stays empty: `"$@"` without arguments.
    vanishes: bool,
    /// Whether a blank has just ended a word. If so, a separator that is not a blank and comes next does not end
    /// another, empty word.
    follows_blank: bool,
    /// Whether the current word has characters whose meaning [`brackets`] decides at its end.
    pub(super) has_marks: bool,
}

impl FieldBuilder {
    /// Makes a builder without words.
    pub(super) fn new(mode: ExpansionMode, globs: GlobMode, separators: Option<String>) -> Self {
        Self {
            mode,
            globs,
            size: 0,
            separators,
            done: Vec::new(),
            open: None,
            vanishes: false,
            follows_blank: false,
            has_marks: false,
        }
    }

    /// Whether a text may be split into several words at separators.
    pub(super) fn has_separator(&self, text: &str) -> bool {
        self.separators
            .as_ref()
            .is_none_or(|separators| text.contains(|c| separators.contains(c)) || !has_same_splits(text, separators))
    }

    /// Returns the finished words, or one unknown word if they are too long.
    pub(super) fn finish(mut self) -> Vec<ShellValue> {
        self.close();
        if self.size <= MAX_SIZE {
            return self.done;
        }
        let why = Unknown::new(Cause::TooLong, "…");
        let word = if self.mode == ExpansionMode::Words { Word::unknown_words(why) } else { Word::unknown(why) };
        let mut long = ShellValue { word, writers: Vec::new() };
        self.done.iter().for_each(|value| long.add_writers(&value.writers));
        vec![long]
    }

    /// Returns the current word. If there is none, starts an empty one.
    pub(super) fn begin(&mut self) -> &mut ShellValue {
        self.follows_blank = false;
        self.open.get_or_insert_default()
    }

    /// Finishes the current word, if there is one.
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
        let is_kept = |value: &ShellValue| !vanishes || !value.word.parts.is_empty();
        self.done.extend(self.open.take().filter(is_kept));
    }

    /// Makes [`Self::close`] drop the current word if it stays empty.
    pub(super) fn drop_if_empty(&mut self) {
        self.vanishes = true;
    }

    /// Adds a part to the current word. Past the limit of the size, the part is only counted.
    pub(super) fn part(&mut self, part: WordPart) {
        self.size += size(match &part {
            WordPart::Text(text) | WordPart::Glob(text) => text,
            WordPart::Unknown(unknown) => &unknown.reason.word,
        });
        if self.size <= MAX_SIZE {
            self.begin().word.push(part);
        }
    }

    /// Adds an unquoted glob.
    pub(super) fn glob(&mut self, glob: &str) {
        self.part(match self.globs {
            GlobMode::Literal => WordPart::Text(glob.to_owned()),
            GlobMode::Active | GlobMode::AnyCase => WordPart::Glob(glob.to_owned()),
        });
    }

    /// Adds a part that matches any text, in place of a pattern list such as `@(a|b)`: an unknown part in a pattern,
    /// and `*` otherwise.
    pub(super) fn add_unknown_text(&mut self, sign: &str) {
        match self.mode {
            ExpansionMode::Pattern => {
                self.part(WordPart::Unknown(UnknownPart { reason: Unknown::new(Cause::Glob, sign), may_split: false }));
            }
            _ => self.glob("*"),
        }
    }

    /// Adds a `[`, a `]` or a backslash that may be part of a glob. [`Self::close`] decides this, when the whole word
    /// is known.
    pub(super) fn add_mark(&mut self, sign: char) {
        if self.globs == GlobMode::Literal {
            return self.text(sign.encode_utf8(&mut [0; 4]), Quoting::Bare);
        }
        self.has_marks = true;
        self.part(WordPart::Glob(sign.to_string()));
    }

    /// Adds text that is not split. A quoted empty text makes an empty word.
    pub(super) fn text(&mut self, text: &str, quoting: Quoting) {
        if !text.is_empty() || quoting == Quoting::Quoted {
            self.part(WordPart::Text(text.to_owned()));
        }
    }

    /// Adds the result of an expansion. It is split if it is unquoted and the mode is [`ExpansionMode::Words`].
    pub(super) fn value(&mut self, value: &ShellValue, quoting: Quoting) {
        let splits = quoting == Quoting::Bare && self.mode == ExpansionMode::Words;
        if quoting == Quoting::Quoted {
            self.begin();
        }
        // A glob in the value of a variable was expanded before: the value is one of the matching names.
        if self.mode != ExpansionMode::Pattern
            && let Some(matched) = value.word.as_glob_match()
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
                        && self.globs != GlobMode::Literal
                        && matches!(self.mode, ExpansionMode::Pattern | ExpansionMode::File) =>
                {
                    self.globs(text)
                }
                WordPart::Unknown(unknown) => {
                    // Programs are not started from directories with blanks, which would break at them.
                    let is_whole = unknown.is_directory() || unknown.is_plain() && self.separates_at_blanks();
                    let splits = splits && !is_whole;
                    self.part(WordPart::Unknown(UnknownPart { reason: unknown.reason.clone(), may_split: splits }))
                }
                WordPart::Text(_) | WordPart::Glob(_) => self.part(part.clone()),
            }
            if let Some(open) = &mut self.open {
                open.add_writers(&value.writers);
            }
        }
    }

    /// Whether words are certainly split at blanks only.
    fn separates_at_blanks(&self) -> bool {
        self.separators.as_deref().is_some_and(|separators| separators.chars().all(|c| matches!(c, ' ' | '\t' | '\n')))
    }

    /// Returns the separators; `None` if they are unknown, or if shells split the text at different offsets.
    fn separators_for(&self, text: &str) -> Option<String> {
        self.separators.clone().filter(|separators| has_same_splits(text, separators))
    }

    /// Adds a known text, and starts a new word after each separator in it. The text is a part of `value`, whose
    /// writers the words get.
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
            // With `IFS=:`, the value `a::b` has an empty word between the colons.
            if self.open.is_none() && !is_blank && !self.follows_blank {
                self.begin();
            }
            let ended = self.open.is_some();
            self.close();
            self.follows_blank = is_blank && (ended || self.follows_blank);
        }
        let piece = text.get(start..).unwrap_or_default();
        if !piece.is_empty() {
            self.globs(piece);
        }
    }

    /// Adds text in which glob characters are active.
    fn globs(&mut self, text: &str) {
        if self.globs == GlobMode::Literal {
            return self.text(text, Quoting::Bare);
        }
        let mut at = 0;
        while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
            let is_sign = |c: char| matches!(c, '*' | '?' | '[' | '\\') || c == ']' && self.has_marks;
            let plain = rest.find(is_sign).unwrap_or(rest.len());
            self.text(rest.get(..plain).unwrap_or_default(), Quoting::Bare);
            let after = rest.get(plain..).unwrap_or_default();
            let mut length = usize::from(!after.is_empty());
            match after.chars().next() {
                Some('[') => match class_length(after) {
                    0 => self.add_mark('['),
                    class => {
                        length = class;
                        self.glob(after.get(..class).unwrap_or_default());
                    }
                },
                Some(sign @ (']' | '\\')) => self.add_mark(sign),
                Some(_) => self.glob(after.get(..1).unwrap_or_default()),
                None => {}
            }
            at += plain + length;
        }
    }
}
