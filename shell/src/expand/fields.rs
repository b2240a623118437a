//! Fields: splits the text and values that are added into words.

use super::brackets;
use super::pattern::class;
use crate::characters::{has_lost_bytes, splits_alike};
use crate::stream::Value;
use crate::word::{Cause, Part, Unknown, UnknownPart, Word};

/// What the text and the values that are added turn into.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
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
pub(super) enum Globs {
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

pub(super) struct Fields {
    pub(super) way: Way,
    pub(super) globs: Globs,
    /// The size of everything added.
    pub(super) size: usize,
    /// `None` if unknown.
    separators: Option<String>,
    done: Vec<Value>,
    open: Option<Value>,
    /// The word is dropped if nothing else is added: `"$@"` without arguments.
    vanishes: bool,
    /// A blank has just ended a word: a following separator that is not a blank belongs to the same boundary.
    is_behind_blank: bool,
    /// The word has characters that are resolved at its end: see [`brackets`].
    pub(super) has_marks: bool,
}

impl Fields {
    pub(super) fn new(way: Way, globs: Globs, separators: Option<String>) -> Self {
        Self {
            way,
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
            .is_none_or(|separators| text.contains(|c| separators.contains(c)) || !splits_alike(text, separators))
    }

    /// Returns the words, or one unknown word if they are too long.
    pub(super) fn finish(mut self) -> Vec<Value> {
        self.close();
        if self.size <= LONGEST {
            return self.done;
        }
        let why = Unknown::new(Cause::Long, "…");
        let word = if self.way == Way::Words { Word::several(why) } else { Word::unknown(why) };
        let mut long = Value { word, from: Vec::new() };
        self.done.iter().for_each(|value| long.joins(&value.from));
        vec![long]
    }

    /// Starts a word if there is none, even an empty one.
    pub(super) fn begin(&mut self) -> &mut Value {
        self.is_behind_blank = false;
        self.open.get_or_insert_default()
    }

    /// Ends the word.
    pub(super) fn close(&mut self) {
        let vanishes = std::mem::replace(&mut self.vanishes, false);
        if std::mem::take(&mut self.has_marks)
            && let Some(open) = &mut self.open
        {
            open.word = brackets::resolved(&open.word, self.way);
        }
        if self.globs == Globs::AnyCase
            && let Some(open) = &mut self.open
            && open.word.parts.iter().any(|part| matches!(part, Part::Glob(_)))
        {
            open.word = Word::several(Unknown::new(Cause::Glob, open.word.shown()));
        }
        let is_there = |value: &Value| !vanishes || !value.word.parts.is_empty();
        self.done.extend(self.open.take().filter(is_there));
    }

    /// Drops the word if nothing else is added.
    pub(super) fn vanish(&mut self) {
        self.vanishes = true;
    }

    pub(super) fn part(&mut self, part: Part) {
        self.size += size(match &part {
            Part::Text(text) | Part::Glob(text) => text,
            Part::Unknown(unknown) => &unknown.why.word,
        });
        if self.size <= LONGEST {
            self.begin().word.push(part);
        }
    }

    pub(super) fn glob(&mut self, glob: &str) {
        self.part(match self.globs {
            Globs::Text => Part::Text(glob.to_owned()),
            Globs::Counted | Globs::AnyCase => Part::Glob(glob.to_owned()),
        });
    }

    /// Adds an unknown text for a pattern list.
    pub(super) fn some_text(&mut self, sign: &str) {
        match self.way {
            Way::Pattern => {
                self.part(Part::Unknown(UnknownPart { why: Unknown::new(Cause::Glob, sign), splits: false }));
            }
            _ => self.glob("*"),
        }
    }

    /// Adds a character that may be part of a glob; it is resolved at the end of the word.
    pub(super) fn mark(&mut self, sign: char) {
        if self.globs == Globs::Text {
            return self.text(sign.encode_utf8(&mut [0; 4]), Quoting::Bare);
        }
        self.has_marks = true;
        self.part(Part::Glob(sign.to_string()));
    }

    /// Adds text that is never split.
    pub(super) fn text(&mut self, text: &str, quoting: Quoting) {
        if !text.is_empty() || quoting == Quoting::Quoted {
            self.part(Part::Text(text.to_owned()));
        }
    }

    /// Adds the result of an expansion.
    pub(super) fn value(&mut self, value: &Value, quoting: Quoting) {
        let splits = quoting == Quoting::Bare && self.way == Way::Words;
        if quoting == Quoting::Quoted {
            self.begin();
        }
        // A glob in a value has already been expanded; the value is one of the names.
        if self.way != Way::Pattern
            && let Some(matched) = value.word.as_matched()
        {
            matched.parts.into_iter().for_each(|part| self.part(part));
            self.begin().joins(&value.from);
            return;
        }
        for part in &value.word.parts {
            match part {
                Part::Unknown(unknown) if unknown.matched().is_some() => self.part(part.clone()),
                Part::Text(text) if has_lost_bytes(text) => {
                    let why = Unknown::new(Cause::Decoded, text.clone());
                    self.part(Part::Unknown(UnknownPart { why, splits }));
                }
                Part::Text(text) if splits => match self.separators_of(text) {
                    Some(separators) => self.split(text, &separators, value),
                    None => self
                        .part(Part::Unknown(UnknownPart { why: Unknown::new(Cause::Variable, "$IFS"), splits: true })),
                },
                Part::Text(text)
                    if quoting == Quoting::Bare
                        && self.globs != Globs::Text
                        && matches!(self.way, Way::Pattern | Way::File) =>
                {
                    self.globs(text)
                }
                Part::Unknown(unknown) => self.part(Part::Unknown(UnknownPart { why: unknown.why.clone(), splits })),
                Part::Text(_) | Part::Glob(_) => self.part(part.clone()),
            }
            if let Some(open) = &mut self.open {
                open.joins(&value.from);
            }
        }
    }

    /// Returns the separators; `None` if it is unknown where they split a text.
    fn separators_of(&self, text: &str) -> Option<String> {
        self.separators.clone().filter(|separators| splits_alike(text, separators))
    }

    fn split(&mut self, text: &str, separators: &str, value: &Value) {
        let mut start = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| separators.contains(*c)) {
            let piece = text.get(start..at).unwrap_or_default();
            if !piece.is_empty() {
                self.globs(piece);
            }
            start = at + c.len_utf8();
            if let Some(open) = &mut self.open {
                open.joins(&value.from);
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
        if self.globs == Globs::Text {
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
                    0 => self.mark('['),
                    class => {
                        length = class;
                        self.glob(behind.get(..class).unwrap_or_default());
                    }
                },
                Some(sign @ (']' | '\\')) => self.mark(sign),
                Some(_) => self.glob(behind.get(..1).unwrap_or_default()),
                None => {}
            }
            at += plain + length;
        }
    }
}
