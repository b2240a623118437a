//! Globs without separators or alternatives: `*`, `?`, `[…]`, and `\` before a character that is meant.
//!
//! They are matched as they stand, without an automaton: a hook compiles nothing for a handful of names.

use super::{Class, fold};
use crate::bytes::{Bytes, Input, put_count, put_text};

/// Globs that are compiled into one run of tokens, so that a list of them takes a few allocations and lies together.
#[derive(Clone, Default, Debug)]
pub(super) struct Wilds {
    tokens: Vec<Token>,
    classes: Vec<Class>,
    /// The texts of the tokens, one behind the other.
    text: String,
}

/// Where a glob is among others.
#[derive(Clone, Copy, Debug)]
pub(super) struct WildId {
    start: usize,
    end: usize,
}

/// A compiled glob. `*` and `?` cover every character: what they may not cross is cut away before.
#[derive(Clone, Copy)]
pub(super) struct Wild<'w> {
    tokens: &'w [Token],
    all: &'w Wilds,
}

/// A part of a glob. There are never two texts or two `Many` in a row.
#[derive(Clone, Copy, Debug)]
enum Token {
    /// A text, by its first byte and the one behind it; never an empty one.
    Text(usize, usize),
    One,
    Many,
    /// A class, by its number.
    Class(usize),
}

/// A part of a glob, as who looks at one sees it.
#[derive(Clone, Copy)]
pub(super) enum Piece<'w> {
    Text(&'w str),
    One,
    Many,
    Class(&'w Class),
}

/// Globs of which the texts have been read, and how much of these belongs to a glob already.
pub(super) struct Taken {
    wilds: Wilds,
    read: usize,
}

/// The kind of a part in bytes: the lowest bits of a number, of which the others say how long a text is.
const KIND_BITS: u32 = 2;
const KIND: usize = 3;
const ONE: u8 = 1;
const MANY: u8 = 2;
const CLASS: u8 = 3;

/// How long a text is at least in which a searcher finds another sooner than a look at each place.
const LONG: usize = 256;

impl Wilds {
    /// Compiles a glob; the error says what is wrong with it.
    pub(super) fn add(&mut self, glob: &str) -> Result<WildId, String> {
        let start = self.tokens.len();
        let mut rest = glob;
        while let Some(first) = rest.chars().next() {
            let mut length = first.len_utf8();
            match first {
                '*' => self.push(Piece::Many),
                '?' => self.push(Piece::One),
                '[' => {
                    let (class, end) =
                        Class::read(rest).ok_or("a `[` without its `]`; write `\\[` for the character")?;
                    if let Some((low, high)) = class.backwards() {
                        return Err(format!("the range `{low}-{high}` runs backwards"));
                    }
                    if class.is_strange() {
                        let class = rest.get(..end).unwrap_or_default();
                        return Err(format!("`{class}` names characters that are not known; write them"));
                    }
                    length = end;
                    self.push(Piece::Class(&class));
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
            let is_doubled = matches!(self.tokens.get(start..), Some([.., Token::Many, Token::Many]));
            if is_doubled {
                self.tokens.pop();
            }
            rest = rest.get(length..).unwrap_or_default();
        }
        Ok(self.from(start))
    }

    /// Adds the glob that matches everything.
    pub(super) fn add_any(&mut self) -> WildId {
        let start = self.tokens.len();
        self.push(Piece::Many);
        self.from(start)
    }

    /// Appends the texts of globs, one behind the other, and how many parts these have; [`Wild::put`] appends the rest.
    pub(super) fn put_texts<'w>(globs: impl Iterator<Item = Wild<'w>> + Clone, out: &mut Vec<u8>) {
        let pieces = || globs.clone().flat_map(Wild::pieces);
        put_count(pieces().count(), out);
        put_text(&pieces().filter_map(only_text).collect::<String>(), out);
    }

    /// Reads the texts that [`Wilds::put_texts`] wrote: to check and to copy them in one go takes a fraction of what it
    /// takes one by one.
    pub(super) fn take_texts(input: &mut Input<'_>) -> Option<Taken> {
        let tokens = Vec::with_capacity(input.count()?);
        Some(Taken { wilds: Self { tokens, classes: Vec::new(), text: input.text()?.to_owned() }, read: 0 })
    }

    /// Adds a glob from among others.
    pub(super) fn add_copy(&mut self, wild: Wild<'_>) -> WildId {
        let start = self.tokens.len();
        wild.pieces().for_each(|piece| self.push(piece));
        self.from(start)
    }

    /// Returns a glob.
    pub(super) fn get(&self, id: WildId) -> Wild<'_> {
        Wild { tokens: self.tokens.get(id.start..id.end).unwrap_or_default(), all: self }
    }

    /// Returns the same globs, each at its place, for texts that went through [`fold`].
    pub(super) fn folded(&self) -> Self {
        let mut folded = Self::default();
        for token in &self.tokens {
            match self.piece(token) {
                Piece::Text(text) => folded.push(Piece::Text(&fold(text))),
                Piece::Class(class) => folded.push(Piece::Class(&class.clone().folded())),
                other => folded.push(other),
            }
        }
        folded
    }

    /// Returns the glob of the tokens from a place on.
    fn from(&self, start: usize) -> WildId {
        WildId { start, end: self.tokens.len() }
    }

    fn push(&mut self, piece: Piece<'_>) {
        let token = match piece {
            Piece::Text(text) => {
                let start = self.text.len();
                self.text.push_str(text);
                Token::Text(start, self.text.len())
            }
            Piece::One => Token::One,
            Piece::Many => Token::Many,
            Piece::Class(class) => {
                self.classes.push(class.clone());
                Token::Class(self.classes.len() - 1)
            }
        };
        self.tokens.push(token);
    }

    /// Adds a text to a glob that begins at `start`: to its last part, where that is one.
    fn append(&mut self, start: usize, text: &str) {
        match self.tokens.get_mut(start..).and_then(<[Token]>::last_mut) {
            Some(Token::Text(_, end)) => {
                self.text.push_str(text);
                *end = self.text.len();
            }
            _ => self.push(Piece::Text(text)),
        }
    }

    fn piece(&self, token: &Token) -> Piece<'_> {
        match token {
            Token::Text(start, end) => Piece::Text(self.text.get(*start..*end).unwrap_or_default()),
            Token::One => Piece::One,
            Token::Many => Piece::Many,
            // INVARIANT: the number of a class is that of one.
            Token::Class(class) => self.classes.get(*class).map_or(Piece::One, Piece::Class),
        }
    }
}

impl Taken {
    /// Adds a glob of so many parts that [`Wild::put`] wrote.
    pub(super) fn take(&mut self, parts: usize, input: &mut Input<'_>) -> Option<WildId> {
        let Self { wilds, read } = self;
        let start = wilds.tokens.len();
        for _ in 0..parts {
            let token = match input.size()? {
                length if length & KIND == 0 => {
                    let from = *read;
                    *read = from.checked_add(length >> KIND_BITS)?;
                    (*read > from && wilds.text.is_char_boundary(*read)).then_some(Token::Text(from, *read))?
                }
                one if one == usize::from(ONE) => Token::One,
                many if many == usize::from(MANY) => Token::Many,
                class if class == usize::from(CLASS) => {
                    wilds.classes.push(Class::take(input)?);
                    Token::Class(wilds.classes.len() - 1)
                }
                _ => return None,
            };
            wilds.tokens.push(token);
        }
        Some(wilds.from(start))
    }

    /// Returns the globs, whose texts must all have been read.
    pub(super) fn finish(self) -> Option<Wilds> {
        (self.read == self.wilds.text.len()).then_some(self.wilds)
    }
}

/// Tells whether a glob of `* ? […] [!…]` and `\` matches a text, and what is wrong with one that cannot be read.
pub(super) fn wild_matches(glob: &str, text: &str) -> Result<bool, String> {
    let mut wilds = Wilds::default();
    let id = wilds.add(glob)?;
    Ok(wilds.get(id).matches(text))
}

impl<'w> Wild<'w> {
    /// Appends the parts of the glob as bytes, and of its texts how long they are.
    pub(super) fn put(self, out: &mut Vec<u8>) {
        for piece in self.pieces() {
            match piece {
                Piece::Text(text) => put_count(text.len() << KIND_BITS, out),
                Piece::One => out.push(ONE),
                Piece::Many => out.push(MANY),
                Piece::Class(class) => {
                    out.push(CLASS);
                    class.put(out);
                }
            }
        }
    }

    /// Returns how many parts it has.
    pub(super) fn len(self) -> usize {
        self.tokens.len()
    }

    /// Returns its parts.
    pub(super) fn pieces(self) -> impl ExactSizeIterator<Item = Piece<'w>> {
        self.tokens.iter().map(move |token| self.all.piece(token))
    }

    /// Tells whether it matches everything.
    pub(super) fn is_any(self) -> bool {
        matches!(self.tokens, [Token::Many])
    }

    /// Returns the text that it is without wildcards.
    pub(super) fn literal(self) -> Option<&'w str> {
        match self.tokens {
            [] => Some(""),
            [only] => only_text(self.all.piece(only)),
            _ => None,
        }
    }

    /// Returns the longest text between its wildcards.
    pub(super) fn longest_text(self) -> Option<&'w str> {
        self.pieces().filter_map(only_text).max_by_key(|text| text.len())
    }

    /// Returns the text behind its last wildcard.
    pub(super) fn last_text(self) -> Option<&'w str> {
        self.pieces().last().and_then(only_text)
    }

    /// Tells whether the whole text matches.
    ///
    /// There is a single point of return, the last `*`: what an earlier one covers never has to grow.
    pub(super) fn matches(self, text: &str) -> bool {
        // Of many globs that a path is compared with, nearly all end in another text.
        match self.tokens {
            [Token::Text(start, end)] => return self.all.text.get(*start..*end) == Some(text),
            [.., Token::Text(start, end)]
                if !self.all.text.get(*start..*end).is_some_and(|end| text.ends_with(end)) =>
            {
                return false;
            }
            _ => {}
        }
        let mut left = self.tokens;
        let mut rest = text;
        let mut last_many: Option<(&[Token], &str)> = None;
        loop {
            match left {
                [] if rest.is_empty() => return true,
                [Token::Many] => return true,
                // What follows the last `*` is at the end, or nowhere.
                [Token::Many, end @ Token::Text(..)] => {
                    return matches!(self.all.piece(end), Piece::Text(end) if rest.ends_with(end));
                }
                [Token::Many, after @ ..] => {
                    left = after;
                    last_many = Some((after, rest));
                    continue;
                }
                [token, after @ ..] => {
                    if let Some(taken) = self.all.piece(token).take(rest) {
                        (left, rest) = (after, taken);
                        continue;
                    }
                }
                [] => {}
            }
            // The last `*` covers one character more, and as many as lead to the text that follows it.
            let Some((after, covered)) = last_many else { return false };
            let mut grown = covered.chars();
            if grown.next().is_none() {
                return false;
            }
            let grown = match after.first().map(|token| self.all.piece(token)) {
                Some(Piece::Text(literal)) => from_first(grown.as_str(), literal),
                _ => Some(grown.as_str()),
            };
            let Some(grown) = grown else { return false };
            (left, rest) = (after, grown);
            last_many = Some((after, grown));
        }
    }
}

impl Piece<'_> {
    /// Takes what the part covers off the front of a text. `Many` takes nothing here.
    fn take(self, text: &str) -> Option<&str> {
        let behind_one = |c: char| text.get(c.len_utf8()..);
        match self {
            Self::Text(literal) => text.strip_prefix(literal),
            Self::Many => Some(text),
            Self::One => text.chars().next().and_then(behind_one),
            Self::Class(class) => text.chars().next().filter(|c| class.holds(*c)).and_then(behind_one),
        }
    }
}

fn only_text(piece: Piece<'_>) -> Option<&str> {
    match piece {
        Piece::Text(text) => Some(text),
        Piece::One | Piece::Many | Piece::Class(_) => None,
    }
}

/// Returns a text from where another first stands in it.
fn from_first<'t>(text: &'t str, wanted: &str) -> Option<&'t str> {
    if text.len() >= LONG {
        return text.find(wanted).and_then(|at| text.get(at..));
    }
    let mut rest = text.chars();
    while !rest.as_str().starts_with(wanted) {
        rest.next()?;
    }
    Some(rest.as_str())
}
