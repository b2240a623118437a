//! Globs on one name or string: `*`, `?`, `[…]`, and `\` before a literal character.
//!
//! They are compared directly, without an automaton: a hook should not spend time on compiling globs for a few names.

use super::{CharClass, fold};
use crate::bytes::{ByteReader, Encodable, encode_count, encode_pair, encode_text};

/// Compiled globs, whose tokens are in one vector, so that a list of them needs few allocations.
#[derive(Clone, Default, Debug)]
pub(super) struct CompiledGlobs {
    /// The tokens of all globs.
    tokens: Vec<CompiledToken>,
    /// The character classes that tokens refer to.
    classes: Vec<CharClass>,
    /// The texts that tokens refer to, concatenated.
    text: String,
}

/// A glob in [`CompiledGlobs`], as the range of its tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct GlobId {
    start: usize,
    end: usize,
}

/// A compiled glob. `*` and `?` match every character, also a slash: the caller splits paths at slashes.
#[derive(Clone, Copy)]
pub(super) struct CompiledGlob<'w> {
    tokens: &'w [CompiledToken],
    /// The globs that contain this one, with the texts and classes of its tokens.
    globs: &'w CompiledGlobs,
}

/// A part of a glob, by its position in [`CompiledGlobs`]. Two texts or two `Many` are never adjacent.
#[derive(Clone, Copy, Debug)]
enum CompiledToken {
    /// A text by its byte range, which is never empty.
    Text(usize, usize),
    /// Any one character: `?`.
    One,
    /// Any text: `*`.
    Many,
    /// A character class, by its index.
    Class(usize),
}

/// A part of a glob, with its contents.
#[derive(Clone, Copy)]
pub(super) enum GlobPart<'w> {
    Text(&'w str),
    /// Any one character: `?`.
    One,
    /// Any text: `*`.
    Many,
    Class(&'w CharClass),
}

/// The number of low bits of an encoded part that hold its kind. The other bits hold the length of a text.
const KIND_BITS: u32 = 2;
/// The mask of these bits. The kind 0 is a text.
const KIND: usize = 3;
/// The kind of [`GlobPart::One`].
const ONE: usize = 1;
/// The kind of [`GlobPart::Many`].
const MANY: usize = 2;
/// The kind of [`GlobPart::Class`].
const CLASS: usize = 3;

/// The length in bytes from which on std's substring search in a text is faster than comparing at each position.
const LONG_TEXT: usize = 256;

impl CompiledGlobs {
    /// Compiles a glob. The error is a message about the first problem in the glob.
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

    /// Adds the glob `*`, which matches everything.
    pub(super) fn add_any(&mut self) -> GlobId {
        let start = self.tokens.len();
        self.push(GlobPart::Many);
        self.glob_from(start)
    }

    /// Appends globs, encoded as bytes: their texts, concatenated, and their parts. The caller encodes the number of
    /// parts of each glob.
    pub(super) fn encode_globs<'w>(globs: impl Iterator<Item = CompiledGlob<'w>>, out: &mut Vec<u8>) {
        let (mut text, mut parts, mut classes) = (String::new(), Vec::new(), Vec::new());
        let mut count = 0;
        for piece in globs.flat_map(CompiledGlob::pieces) {
            count += 1;
            let part = match piece {
                GlobPart::Text(literal) => {
                    text.push_str(literal);
                    literal.len() << KIND_BITS
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

    /// Decodes the globs that [`CompiledGlobs::encode_globs`] encoded; `None` if the bytes are malformed. This must
    /// be fast, since a list has hundreds of parts and each hook decodes the lists that it uses.
    pub(super) fn decode_globs(input: &mut ByteReader<'_>) -> Option<Self> {
        let text = input.text()?;
        let count = input.count()?;
        let (mut text_end, mut classes, mut is_sound) = (0_usize, 0, true);
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
                    let start = text_end;
                    text_end += part >> KIND_BITS;
                    is_sound &= text_end > start && text.is_char_boundary(text_end);
                    CompiledToken::Text(start, text_end)
                }
            }
        };
        let tokens = input.pairs(count)?.iter().map(token).collect();
        if !is_sound || text_end != text.len() {
            return None;
        }
        let classes = (0..classes).map(|_| CharClass::decode(input)).collect::<Option<_>>()?;
        Some(Self { tokens, classes, text: text.to_owned() })
    }

    /// Whether all globs together have `parts` tokens. If so, the ranges of decoded globs are all complete.
    pub(super) fn has_part_count(&self, parts: usize) -> bool {
        parts == self.tokens.len()
    }

    /// Adds a copy of a glob of another [`CompiledGlobs`].
    pub(super) fn add_copy(&mut self, wild: CompiledGlob<'_>) -> GlobId {
        let start = self.tokens.len();
        wild.pieces().for_each(|piece| self.push(piece));
        self.glob_from(start)
    }

    /// Returns a glob of this list.
    pub(super) fn get(&self, id: GlobId) -> CompiledGlob<'_> {
        CompiledGlob { tokens: self.tokens.get(id.start..id.end).unwrap_or_default(), globs: self }
    }

    /// Returns the same globs with the same ids, for comparison with texts folded by [`fold`].
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

    /// Returns the glob whose tokens begin at an index and end at the last one.
    fn glob_from(&self, start: usize) -> GlobId {
        GlobId { start, end: self.tokens.len() }
    }

    /// Appends a part as a token.
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

    /// Appends a text to the glob whose tokens begin at `start`: to its last token if that is a text, else as a new
    /// one.
    fn append(&mut self, start: usize, text: &str) {
        match self.tokens.get_mut(start..).and_then(<[CompiledToken]>::last_mut) {
            Some(CompiledToken::Text(_, end)) => {
                self.text.push_str(text);
                *end = self.text.len();
            }
            _ => self.push(GlobPart::Text(text)),
        }
    }

    /// Returns a token with its contents.
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

/// Whether a glob of `*`, `?`, `[…]`, `[!…]` and `\` matches a text. The error is a message about an invalid glob.
pub(super) fn wild_matches(glob: &str, text: &str) -> Result<bool, String> {
    let mut wilds = CompiledGlobs::default();
    let id = wilds.add(glob)?;
    Ok(wilds.get(id).matches(text))
}

impl GlobId {
    /// Returns the glob of the next `parts` tokens. `before` is the number of tokens of the previous globs, to which it
    /// adds `parts`.
    pub(super) fn next_range(before: &mut usize, parts: usize) -> Self {
        let start = *before;
        *before += parts;
        Self { start, end: *before }
    }
}

impl<'w> CompiledGlob<'w> {
    /// Returns the number of parts of the glob.
    pub(super) fn len(self) -> usize {
        self.tokens.len()
    }

    /// Returns the parts of the glob, in order.
    pub(super) fn pieces(self) -> impl ExactSizeIterator<Item = GlobPart<'w>> {
        self.tokens.iter().map(move |token| self.globs.piece(token))
    }

    /// Whether the glob is `*`, which matches everything.
    pub(super) fn is_any(self) -> bool {
        matches!(self.tokens, [CompiledToken::Many])
    }

    /// Returns the text that the glob matches if it has no wildcards; `None` if it has.
    pub(super) fn literal(self) -> Option<&'w str> {
        match self.tokens {
            [] => Some(""),
            [only] => literal_text(self.globs.piece(only)),
            _ => None,
        }
    }

    /// Returns the longest text between the wildcards of the glob; `None` if it has only wildcards.
    pub(super) fn longest_text(self) -> Option<&'w str> {
        self.pieces().filter_map(literal_text).max_by_key(|text| text.len())
    }

    /// Returns the text after the last wildcard; `None` if the glob ends in a wildcard.
    pub(super) fn last_text(self) -> Option<&'w str> {
        self.pieces().last().and_then(literal_text)
    }

    /// Whether the glob matches a whole text.
    ///
    /// If a comparison fails, only the text of the last `*` is extended: extending that of an earlier one never
    /// helps.
    pub(super) fn matches(self, text: &str) -> bool {
        // This check excludes nearly all of the globs that a path is compared with.
        match self.tokens {
            [CompiledToken::Text(start, end)] => return self.globs.text.get(*start..*end) == Some(text),
            [.., CompiledToken::Text(start, end)]
                if !self.globs.text.get(*start..*end).is_some_and(|end| text.ends_with(end)) =>
            {
                return false;
            }
            _ => {}
        }
        let mut tokens = self.tokens;
        let mut rest = text;
        // The tokens after the last `*`, and the text at which they were last last_start.
        let mut last_many: Option<(&[CompiledToken], &str)> = None;
        loop {
            match tokens {
                [] if rest.is_empty() => return true,
                [CompiledToken::Many] => return true,
                // The text after the last `*` must be the suffix.
                [CompiledToken::Many, end @ CompiledToken::Text(..)] => {
                    return matches!(self.globs.piece(end), GlobPart::Text(end) if rest.ends_with(end));
                }
                [CompiledToken::Many, after @ ..] => {
                    tokens = after;
                    last_many = Some((after, rest));
                    continue;
                }
                [token, after @ ..] => {
                    if let Some(unmatched) = self.globs.piece(token).strip_from(rest) {
                        (tokens, rest) = (after, unmatched);
                        continue;
                    }
                }
                [] => {}
            }
            // Extend the text of the last `*` by one character, and then up to the next occurrence of the text after
            // the `*`.
            let Some((after, last_start)) = last_many else { return false };
            let mut later = last_start.chars();
            if later.next().is_none() {
                return false;
            }
            let retry_at = match after.first().map(|token| self.globs.piece(token)) {
                Some(GlobPart::Text(literal)) => find_from(later.as_str(), literal),
                _ => Some(later.as_str()),
            };
            let Some(retry_at) = retry_at else { return false };
            (tokens, rest) = (after, retry_at);
            last_many = Some((after, retry_at));
        }
    }
}

impl GlobPart<'_> {
    /// Strips what the part matches from the start of a text, and returns the rest; `None` if the part does not match
    /// there. `Many` matches the empty text here.
    fn strip_from(self, text: &str) -> Option<&str> {
        let text_after = |c: char| text.get(c.len_utf8()..);
        match self {
            Self::Text(literal) => text.strip_prefix(literal),
            Self::Many => Some(text),
            Self::One => text.chars().next().and_then(text_after),
            Self::Class(class) => text.chars().next().filter(|c| class.holds(*c)).and_then(text_after),
        }
    }
}

/// Returns the text of a part; `None` for a wildcard or a class.
fn literal_text(piece: GlobPart<'_>) -> Option<&str> {
    match piece {
        GlobPart::Text(text) => Some(text),
        GlobPart::One | GlobPart::Many | GlobPart::Class(_) => None,
    }
}

/// Returns the rest of a text from the first occurrence of `wanted` on; `None` if there is none.
fn find_from<'t>(text: &'t str, wanted: &str) -> Option<&'t str> {
    if text.len() >= LONG_TEXT {
        return text.find(wanted).and_then(|at| text.get(at..));
    }
    let mut rest = text.chars();
    while !rest.as_str().starts_with(wanted) {
        rest.next()?;
    }
    Some(rest.as_str())
}
