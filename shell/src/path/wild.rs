//! Globs without separators or alternatives: `*`, `?`, `[…]`, and `\` before a literal character.
//!
//! They are matched directly, without an automaton: a hook should not compile anything for a handful of names.

use super::{CharClass, fold};
use crate::bytes::{ByteReader, Encodable, encode_count, encode_pair, encode_text};

/// Globs compiled into one contiguous vector of tokens, so that a list of them takes few allocations.
#[derive(Clone, Default, Debug)]
pub(super) struct CompiledGlobs {
    tokens: Vec<CompiledToken>,
    classes: Vec<CharClass>,
    /// The texts of the tokens, concatenated.
    text: String,
}

/// The range of a glob's tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct GlobId {
    start: usize,
    end: usize,
}

/// A compiled glob. `*` and `?` match every character: the caller splits off what they may not cross.
#[derive(Clone, Copy)]
pub(super) struct CompiledGlob<'w> {
    tokens: &'w [CompiledToken],
    all: &'w CompiledGlobs,
}

/// A part of a glob. There are never two consecutive texts or two consecutive `Many`.
#[derive(Clone, Copy, Debug)]
enum CompiledToken {
    /// A text, by its byte range; never empty.
    Text(usize, usize),
    One,
    Many,
    /// A class, by its index.
    Class(usize),
}

/// A part of a glob, with its contents resolved.
#[derive(Clone, Copy)]
pub(super) enum GlobPart<'w> {
    Text(&'w str),
    One,
    Many,
    Class(&'w CharClass),
}

/// The kind of an encoded part: the low bits of a number, whose other bits are the length of a text.
const KIND_BITS: u32 = 2;
const KIND: usize = 3;
const ONE: usize = 1;
const MANY: usize = 2;
const CLASS: usize = 3;

/// The minimum text length at which a substring searcher is faster than a check of each position.
const LONG: usize = 256;

impl CompiledGlobs {
    /// Compiles a glob; the error describes the problem.
    pub(super) fn add(&mut self, glob: &str) -> Result<GlobId, String> {
        let start = self.tokens.len();
        let mut rest = glob;
        while let Some(first) = rest.chars().next() {
            let mut length = first.len_utf8();
            match first {
                '*' => self.push(GlobPart::Many),
                '?' => self.push(GlobPart::One),
                '[' => {
                    let (class, end) =
                        CharClass::read(rest).ok_or("a `[` without its `]`; write `\\[` for the character")?;
                    if let Some((low, high)) = class.reversed_range() {
                        return Err(format!("the range `{low}-{high}` runs backwards"));
                    }
                    if class.is_strange() {
                        let class = rest.get(..end).unwrap_or_default();
                        return Err(format!("`{class}` names characters that are not known; write them"));
                    }
                    length = end;
                    self.push(GlobPart::Class(&class));
                }
                '\\' => {
                    let escaped = rest.chars().nth(1).ok_or("a `\\` at the end; write `\\\\` for the character")?;
                    length += escaped.len_utf8();
                    self.append(start, rest.get(1..length).unwrap_or_default());
                }
                _ => {
                    length = rest.find(['*', '?', '[', '\\']).unwrap_or(rest.len());
                    self.append(start, rest.get(..length).unwrap_or_default());
                }
            }
            let is_doubled = matches!(self.tokens.get(start..), Some([.., CompiledToken::Many, CompiledToken::Many]));
            if is_doubled {
                self.tokens.pop();
            }
            rest = rest.get(length..).unwrap_or_default();
        }
        Ok(self.glob_from(start))
    }

    /// Adds the glob that matches everything.
    pub(super) fn add_any(&mut self) -> GlobId {
        let start = self.tokens.len();
        self.push(GlobPart::Many);
        self.glob_from(start)
    }

    /// Appends globs: their concatenated texts, and their parts. The number of parts of each is written elsewhere.
    pub(super) fn encode_globs<'w>(globs: impl Iterator<Item = CompiledGlob<'w>>, out: &mut Vec<u8>) {
        let (mut text, mut parts, mut classes) = (String::new(), Vec::new(), Vec::new());
        let mut count = 0;
        for piece in globs.flat_map(CompiledGlob::pieces) {
            count += 1;
            let part = match piece {
                GlobPart::Text(own) => {
                    text.push_str(own);
                    own.len() << KIND_BITS
                }
                GlobPart::One => ONE,
                GlobPart::Many => MANY,
                GlobPart::Class(class) => {
                    class.encode(&mut classes);
                    CLASS
                }
            };
            encode_pair(part, &mut parts);
        }
        encode_text(&text, out);
        encode_count(count, out);
        out.extend_from_slice(&parts);
        out.extend_from_slice(&classes);
    }

    /// Reads what [`CompiledGlobs::encode_globs`] wrote. A list has hundreds of parts, and each hook that uses it reads
    /// them all.
    pub(super) fn decode_globs(input: &mut ByteReader<'_>) -> Option<Self> {
        let text = input.text()?;
        let count = input.count()?;
        let (mut read, mut classes, mut is_sound) = (0_usize, 0, true);
        let token = |part: &[u8; 2]| {
            let part = usize::from(u16::from_le_bytes(*part));
            match part & KIND {
                ONE => CompiledToken::One,
                MANY => CompiledToken::Many,
                CLASS => {
                    classes += 1;
                    CompiledToken::Class(classes - 1)
                }
                _ => {
                    let start = read;
                    read += part >> KIND_BITS;
                    is_sound &= read > start && text.is_char_boundary(read);
                    CompiledToken::Text(start, read)
                }
            }
        };
        let tokens = input.pairs(count)?.iter().map(token).collect();
        if !is_sound || read != text.len() {
            return None;
        }
        let classes = (0..classes).map(|_| CharClass::decode(input)).collect::<Option<_>>()?;
        Some(Self { tokens, classes, text: text.to_owned() })
    }

    /// Whether this is the number of all parts; then every glob made of them is complete.
    pub(super) fn has_part_count(&self, parts: usize) -> bool {
        parts == self.tokens.len()
    }

    /// Adds a glob of another `Wilds`.
    pub(super) fn add_copy(&mut self, wild: CompiledGlob<'_>) -> GlobId {
        let start = self.tokens.len();
        wild.pieces().for_each(|piece| self.push(piece));
        self.glob_from(start)
    }

    /// Returns a glob.
    pub(super) fn get(&self, id: GlobId) -> CompiledGlob<'_> {
        CompiledGlob { tokens: self.tokens.get(id.start..id.end).unwrap_or_default(), all: self }
    }

    /// Returns the same globs, at the same indices, for texts folded with [`fold`].
    pub(super) fn fold_case(&self) -> Self {
        let mut folded = Self::default();
        for token in &self.tokens {
            match self.piece(token) {
                GlobPart::Text(text) => folded.push(GlobPart::Text(&fold(text))),
                GlobPart::Class(class) => folded.push(GlobPart::Class(&class.clone().fold_case())),
                other => folded.push(other),
            }
        }
        folded
    }

    /// Returns the glob of the tokens from an index on.
    fn glob_from(&self, start: usize) -> GlobId {
        GlobId { start, end: self.tokens.len() }
    }

    fn push(&mut self, piece: GlobPart<'_>) {
        let token = match piece {
            GlobPart::Text(text) => {
                let start = self.text.len();
                self.text.push_str(text);
                CompiledToken::Text(start, self.text.len())
            }
            GlobPart::One => CompiledToken::One,
            GlobPart::Many => CompiledToken::Many,
            GlobPart::Class(class) => {
                self.classes.push(class.clone());
                CompiledToken::Class(self.classes.len() - 1)
            }
        };
        self.tokens.push(token);
    }

    /// Adds a text to the glob that begins at `start`: to its last part, if that is a text.
    fn append(&mut self, start: usize, text: &str) {
        match self.tokens.get_mut(start..).and_then(<[CompiledToken]>::last_mut) {
            Some(CompiledToken::Text(_, end)) => {
                self.text.push_str(text);
                *end = self.text.len();
            }
            _ => self.push(GlobPart::Text(text)),
        }
    }

    fn piece(&self, token: &CompiledToken) -> GlobPart<'_> {
        match token {
            CompiledToken::Text(start, end) => GlobPart::Text(self.text.get(*start..*end).unwrap_or_default()),
            CompiledToken::One => GlobPart::One,
            CompiledToken::Many => GlobPart::Many,
            // INVARIANT: the index of a class is in range.
            CompiledToken::Class(class) => self.classes.get(*class).map_or(GlobPart::One, GlobPart::Class),
        }
    }
}

/// Whether a glob of `* ? […] [!…]` and `\` matches a text; an error if the glob is invalid.
pub(super) fn wild_matches(glob: &str, text: &str) -> Result<bool, String> {
    let mut wilds = CompiledGlobs::default();
    let id = wilds.add(glob)?;
    Ok(wilds.get(id).matches(text))
}

impl GlobId {
    /// Makes a glob of this many parts, which follow those of the previous globs.
    pub(super) fn next_range(before: &mut usize, parts: usize) -> Self {
        let start = *before;
        *before += parts;
        Self { start, end: *before }
    }
}

impl<'w> CompiledGlob<'w> {
    /// Returns the number of its parts.
    pub(super) fn len(self) -> usize {
        self.tokens.len()
    }

    /// Returns its parts.
    pub(super) fn pieces(self) -> impl ExactSizeIterator<Item = GlobPart<'w>> {
        self.tokens.iter().map(move |token| self.all.piece(token))
    }

    /// Whether it matches everything.
    pub(super) fn is_any(self) -> bool {
        matches!(self.tokens, [CompiledToken::Many])
    }

    /// Returns the text of a glob without wildcards.
    pub(super) fn literal(self) -> Option<&'w str> {
        match self.tokens {
            [] => Some(""),
            [only] => literal_text(self.all.piece(only)),
            _ => None,
        }
    }

    /// Returns the longest text between its wildcards.
    pub(super) fn longest_text(self) -> Option<&'w str> {
        self.pieces().filter_map(literal_text).max_by_key(|text| text.len())
    }

    /// Returns the text after its last wildcard.
    pub(super) fn last_text(self) -> Option<&'w str> {
        self.pieces().last().and_then(literal_text)
    }

    /// Whether it matches the whole text.
    ///
    /// Backtracking only returns to the last `*`: the match of an earlier one never has to grow.
    pub(super) fn matches(self, text: &str) -> bool {
        // Of the many globs that a path is compared with, nearly all have a different suffix.
        match self.tokens {
            [CompiledToken::Text(start, end)] => return self.all.text.get(*start..*end) == Some(text),
            [.., CompiledToken::Text(start, end)]
                if !self.all.text.get(*start..*end).is_some_and(|end| text.ends_with(end)) =>
            {
                return false;
            }
            _ => {}
        }
        let mut left = self.tokens;
        let mut rest = text;
        let mut last_many: Option<(&[CompiledToken], &str)> = None;
        loop {
            match left {
                [] if rest.is_empty() => return true,
                [CompiledToken::Many] => return true,
                // The text after the last `*` must be the suffix.
                [CompiledToken::Many, end @ CompiledToken::Text(..)] => {
                    return matches!(self.all.piece(end), GlobPart::Text(end) if rest.ends_with(end));
                }
                [CompiledToken::Many, after @ ..] => {
                    left = after;
                    last_many = Some((after, rest));
                    continue;
                }
                [token, after @ ..] => {
                    if let Some(taken) = self.all.piece(token).strip_from(rest) {
                        (left, rest) = (after, taken);
                        continue;
                    }
                }
                [] => {}
            }
            // Extend the last `*` by one character, and further up to the text that follows it.
            let Some((after, covered)) = last_many else { return false };
            let mut grown = covered.chars();
            if grown.next().is_none() {
                return false;
            }
            let grown = match after.first().map(|token| self.all.piece(token)) {
                Some(GlobPart::Text(literal)) => find_from(grown.as_str(), literal),
                _ => Some(grown.as_str()),
            };
            let Some(grown) = grown else { return false };
            (left, rest) = (after, grown);
            last_many = Some((after, grown));
        }
    }
}

impl GlobPart<'_> {
    /// Strips what the part matches from the front of a text. `Many` strips nothing here.
    fn strip_from(self, text: &str) -> Option<&str> {
        let behind_one = |c: char| text.get(c.len_utf8()..);
        match self {
            Self::Text(literal) => text.strip_prefix(literal),
            Self::Many => Some(text),
            Self::One => text.chars().next().and_then(behind_one),
            Self::Class(class) => text.chars().next().filter(|c| class.holds(*c)).and_then(behind_one),
        }
    }
}

fn literal_text(piece: GlobPart<'_>) -> Option<&str> {
    match piece {
        GlobPart::Text(text) => Some(text),
        GlobPart::One | GlobPart::Many | GlobPart::Class(_) => None,
    }
}

/// Returns a text from the first occurrence of another on.
fn find_from<'t>(text: &'t str, wanted: &str) -> Option<&'t str> {
    if text.len() >= LONG {
        return text.find(wanted).and_then(|at| text.get(at..));
    }
    let mut rest = text.chars();
    while !rest.as_str().starts_with(wanted) {
        rest.next()?;
    }
    Some(rest.as_str())
}
