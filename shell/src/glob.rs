//! Globs, matched against words that may have unknown parts: yes, no, or maybe.
//!
//! `*` and `?` match every character, including slashes: a word is not a path here.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::glob::{Fit, Glob};
//! use hookrules_shell::{StartDirectories, analyse};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let analysis = analyse("echo release-1 release-$N $X", &start);
//! let glob = Glob::new("release-*");
//! let [_, known, prefixed, open] = &analysis.commands[0].words[..] else { panic!() };
//! assert_eq!((glob.test(known), glob.test(prefixed)), (Fit::Yes, Fit::Yes));
//! assert!(matches!(glob.test(open), Fit::Maybe(why) if why.word == "$X"));
//! ```

use std::borrow::Cow;

use crate::characters::{byte_characters, bytes_of_char};
use crate::path::CharClass;
use crate::word::{Unknown, Word, WordPart};

/// Whether a word satisfies a test, whose unknown parts may have any value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fit {
    /// The test holds for every value of the unknown parts.
    Yes,
    /// The test holds for no value of the unknown parts.
    No,
    /// The result depends on the unknown parts.
    Maybe(Unknown),
}

impl Fit {
    /// Returns whether both tests hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, other) => other,
            (maybe, _) => maybe,
        }
    }

    /// Returns whether at least one of the tests holds.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Yes, _) | (_, Self::Yes) => Self::Yes,
            (Self::No, other) => other,
            (maybe, _) => maybe,
        }
    }

    /// Returns the opposite result.
    #[must_use]
    pub fn negate(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            maybe @ Self::Maybe(_) => maybe,
        }
    }
}

impl From<bool> for Fit {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

/// A glob over whole words: `*`, `?`, `[…]`, `[!…]`, and `\` before a literal character.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glob {
    form: GlobForm,
}

/// The form of a glob. Most are plain texts, which are compared as strings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GlobForm {
    /// A glob without wildcards: the only text that it matches.
    Text(String),
    /// A glob with at least one wildcard.
    Wild(Vec<GlobToken>),
}

/// A token of a glob.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GlobToken {
    /// A literal character.
    Char(char),
    /// `?`: one character.
    One,
    /// `*`: any text.
    Many,
    /// `[…]`: one character of a class.
    Class(CharClass),
}

/// An element of a word that a glob is matched against.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordSymbol {
    /// A known character.
    Char(char),
    /// Exactly one unknown character.
    One,
    /// One unknown character, or a byte of one, depending on the locale: a `?` or `[…]` in the word next to another.
    Byte,
    /// An unknown text, possibly empty.
    Any,
}

impl Glob {
    /// Parses a glob. A `[` without a closing bracket is literal.
    #[must_use]
    pub fn new(glob: &str) -> Self {
        // Most globs have no special characters.
        if !glob.bytes().any(|byte| matches!(byte, b'*' | b'?' | b'[' | b'\\')) {
            return Self::from_text(glob.to_owned());
        }
        Self::from_tokens(tokens_of(glob))
    }

    /// Creates a glob that matches exactly a text.
    pub(crate) fn from_text(text: String) -> Self {
        Self { form: GlobForm::Text(text) }
    }

    /// Creates a glob from its tokens, as a plain text if there is no wildcard.
    pub(crate) fn from_tokens(tokens: Vec<GlobToken>) -> Self {
        let text: Option<String> = tokens.iter().map(GlobToken::char).collect();
        Self { form: text.map_or(GlobForm::Wild(tokens), GlobForm::Text) }
    }

    /// Returns the glob as a text or as tokens.
    pub(crate) fn form(&self) -> &GlobForm {
        &self.form
    }

    /// Whether the glob has no wildcards.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        self.literal().is_some()
    }

    /// Returns the only text that the glob matches, if it has no wildcards.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match &self.form {
            GlobForm::Text(text) => Some(text),
            GlobForm::Wild(_) => None,
        }
    }

    /// Returns the longest literal text in the glob, which every matching text contains; `None` if there is none.
    #[must_use]
    pub fn longest_text(&self) -> Option<String> {
        match &self.form {
            GlobForm::Text(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            GlobForm::Wild(tokens) => {
                let runs = tokens.split(|token| token.char().is_none());
                let longest = runs.max_by_key(|run| run.len()).filter(|run| !run.is_empty())?;
                Some(longest.iter().filter_map(GlobToken::char).collect())
            }
        }
    }

    /// Whether the glob is exactly `*`.
    #[must_use]
    pub fn is_any(&self) -> bool {
        matches!(&self.form, GlobForm::Wild(tokens) if *tokens == [GlobToken::Many])
    }

    /// Whether a known text matches.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let tokens = match &self.form {
            GlobForm::Text(literal) => return literal == text,
            GlobForm::Wild(tokens) => tokens,
        };
        // Most words differ before the first wildcard, and most globs end in one.
        let mut chars = text.chars();
        let mut rest = tokens.as_slice();
        while let [GlobToken::Char(literal), after @ ..] = rest {
            if chars.next() != Some(*literal) {
                return false;
            }
            rest = after;
        }
        if let [GlobToken::Many] = rest {
            return true;
        }
        self.matches_text(text, TestMode::Always)
    }

    /// Tests whether a word matches. Unquoted values in the word are assumed not to split it.
    #[must_use]
    pub fn test(&self, word: &Word) -> Fit {
        if let Some(text) = word.known_text() {
            return self.matches(text).into();
        }
        let symbols = symbols(word);
        let tokens = self.tokens();
        if run(&tokens, &symbols, TestMode::Always) {
            return Fit::Yes;
        }
        let may_fit = run(&tokens, &symbols, TestMode::Perhaps) || matches_bytes(&tokens, &symbols);
        match (may_fit, word.unknown_reason()) {
            (true, Some(reason)) => Fit::Maybe(reason),
            _ => Fit::No,
        }
    }

    /// Whether a known text matches in at least one locale.
    #[must_use]
    pub fn may_match(&self, text: &str) -> bool {
        self.matches(text)
            || !self.is_certain_for(text) && self.matches_text(text, TestMode::Perhaps)
            || !text.is_ascii() && self.may_match_bytes(text)
    }

    /// Whether a text matches if the glob is applied to its bytes, as under `LC_ALL=C`.
    fn may_match_bytes(&self, text: &str) -> bool {
        let GlobForm::Wild(tokens) = &self.form else { return false };
        let symbols: Vec<WordSymbol> = byte_characters(text).chars().map(WordSymbol::Char).collect();
        run(&GlobToken::byte_tokens(tokens, GlobToken::clone), &symbols, TestMode::Bytes)
    }

    /// Whether the result for a text is the same in every locale: classes such as `[a-z]` depend on it.
    pub(crate) fn is_certain_for(&self, text: &str) -> bool {
        let GlobForm::Wild(tokens) = &self.form else { return true };
        let mut classes =
            tokens.iter().filter_map(|token| if let GlobToken::Class(class) = token { Some(class) } else { None });
        classes.all(|class| class.is_closed() || !class.is_strange() && text.is_ascii())
    }

    /// Whether the glob matches a known text in a mode.
    fn matches_text(&self, text: &str, mode: TestMode) -> bool {
        let symbols: Vec<WordSymbol> = text.chars().map(WordSymbol::Char).collect();
        run(&self.tokens(), &symbols, mode)
    }

    /// Returns the tokens of the glob, also of a plain text.
    pub(crate) fn tokens(&self) -> Cow<'_, [GlobToken]> {
        match &self.form {
            GlobForm::Text(text) => text.chars().map(GlobToken::Char).collect(),
            GlobForm::Wild(tokens) => Cow::Borrowed(tokens),
        }
    }
}

/// Parses a glob into tokens.
fn tokens_of(glob: &str) -> Vec<GlobToken> {
    // A `[` after the last closing bracket is literal, and need not be searched for one.
    let last_end = glob.rfind(']').unwrap_or(0);
    let mut tokens = Vec::new();
    let mut rest = glob;
    while let Some(first) = rest.chars().next() {
        let single = (GlobToken::Char(first), first.len_utf8());
        let (token, length) = match first {
            '*' => (GlobToken::Many, 1),
            '?' => (GlobToken::One, 1),
            '\\' => rest.chars().nth(1).map_or(single, |next| (GlobToken::Char(next), 1 + next.len_utf8())),
            '[' if glob.len() - rest.len() < last_end => {
                CharClass::read(rest).map_or(single, |(class, length)| (GlobToken::Class(class), length))
            }
            _ => single,
        };
        if !(token == GlobToken::Many && tokens.last() == Some(&GlobToken::Many)) {
            tokens.push(token);
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    tokens
}

/// Whether a glob may match a word if adjacent unknown bytes of the word ([`WordSymbol::Byte`]) are one character.
fn matches_bytes(tokens: &[GlobToken], symbols: &[WordSymbol]) -> bool {
    let may_be_multibyte =
        |token: &GlobToken| !matches!(token, GlobToken::Many) && token.char().is_none_or(|c| !c.is_ascii());
    if !symbols.contains(&WordSymbol::Byte) || !tokens.iter().any(may_be_multibyte) {
        return false;
    }
    // From here on, each `Char` is one byte.
    let mut bytes = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        match symbol {
            WordSymbol::Char(c) => bytes.extend(bytes_of_char(*c).map(WordSymbol::Char)),
            other => bytes.push(*other),
        }
    }
    // A wildcard of the glob may match a character of several bytes.
    run(&GlobToken::byte_tokens(tokens, |_| GlobToken::Many), &bytes, TestMode::Bytes)
}

/// Returns the elements of a word. A name to which a glob was expanded counts as the glob.
fn symbols(word: &Word) -> Vec<WordSymbol> {
    let mut symbols = Vec::new();
    for part in &word.parts {
        match part {
            WordPart::Text(text) => symbols.extend(text.chars().map(WordSymbol::Char)),
            WordPart::Unknown(unknown) => match unknown.matched_glob() {
                Some(glob) => symbols.extend(self::symbols(glob)),
                None => symbols.push(WordSymbol::Any),
            },
            WordPart::Glob(glob) => symbols.extend(tokens_of(glob).into_iter().map(|token| match token {
                GlobToken::Char(c) => WordSymbol::Char(c),
                GlobToken::One | GlobToken::Class(_) => WordSymbol::One,
                GlobToken::Many => WordSymbol::Any,
            })),
        }
    }
    // Adjacent wildcards for single characters may be the bytes of one character.
    for at in 1..symbols.len() {
        if let Some(pair @ [WordSymbol::One | WordSymbol::Byte, WordSymbol::One]) = symbols.get_mut(at - 1..=at) {
            pair.fill(WordSymbol::Byte);
        }
    }
    symbols
}

/// What a match means for a word with unknown parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TestMode {
    /// Every possible text of the word matches.
    Always,
    /// At least one possible text of the word matches.
    Perhaps,
    /// At least one possible text matches byte by byte: each byte is represented by the character of the same number.
    Bytes,
}

/// Whether tokens match symbols. Simulates an automaton with one state per position in the glob, so the work is the
/// product of both lengths.
fn run(tokens: &[GlobToken], symbols: &[WordSymbol], mode: TestMode) -> bool {
    let mut states = vec![false; tokens.len() + 1];
    if let Some(first) = states.first_mut() {
        *first = true;
    }
    close(tokens, &mut states);
    let mut next = vec![false; tokens.len() + 1];
    for symbol in symbols {
        next.fill(false);
        let mut is_alive = false;
        for (state, _) in states.iter().enumerate().filter(|(_, live)| **live) {
            advance_states(tokens, state, *symbol, mode, &mut next);
            is_alive = true;
        }
        // Without a live state the match has failed, and the rest of the word may be long.
        if !is_alive {
            return false;
        }
        close(tokens, &mut next);
        std::mem::swap(&mut states, &mut next);
    }
    states.last().copied().unwrap_or(false)
}

/// Marks the states after each `*` in a live state, because a `*` may match the empty text.
fn close(tokens: &[GlobToken], states: &mut [bool]) {
    for state in 0..tokens.len() {
        if states.get(state) == Some(&true)
            && tokens.get(state) == Some(&GlobToken::Many)
            && let Some(next) = states.get_mut(state + 1)
        {
            *next = true;
        }
    }
}

/// Marks in `next` the states that are live after a symbol, given the live state `state`.
fn advance_states(tokens: &[GlobToken], state: usize, symbol: WordSymbol, mode: TestMode, next: &mut [bool]) {
    let mut mark_live = |state: usize| {
        if let Some(is_live) = next.get_mut(state) {
            *is_live = true;
        }
    };
    match (tokens.get(state), symbol) {
        (Some(GlobToken::Many), _) => mark_live(state),
        // An unknown part may match any part of the rest of the glob, including none.
        (_, WordSymbol::Any) if mode != TestMode::Always => (state..=tokens.len()).for_each(mark_live),
        (None, _) | (_, WordSymbol::Any) => {}
        // A byte of a character is not certainly a whole character.
        (Some(GlobToken::One), WordSymbol::Byte) if mode == TestMode::Always => {}
        (Some(GlobToken::One), _) => mark_live(state + 1),
        (Some(token), WordSymbol::Char(c)) => {
            let is_match = match (token, mode) {
                (GlobToken::Class(class), TestMode::Perhaps) => class.may_hold(c),
                // The bytes of the characters in a class are not compared individually: any byte above ASCII may be
                // one.
                (GlobToken::Class(class), TestMode::Bytes) => class.may_hold(c) || !c.is_ascii(),
                (token, _) => token.matches_char(c),
            };
            if is_match {
                mark_live(state + 1);
            }
        }
        (Some(_), WordSymbol::One | WordSymbol::Byte) => {
            if mode != TestMode::Always {
                mark_live(state + 1);
            }
        }
    }
}

impl GlobToken {
    /// Returns the tokens of a glob over bytes: literal characters become their bytes, and `wild` replaces each
    /// wildcard.
    fn byte_tokens(tokens: &[Self], wild: impl Fn(&Self) -> Self) -> Vec<Self> {
        let mut bytes = Vec::with_capacity(tokens.len());
        for token in tokens {
            match token {
                Self::Char(c) => bytes.extend(bytes_of_char(*c).map(Self::Char)),
                other => bytes.push(wild(other)),
            }
        }
        bytes
    }

    /// Returns the character of a literal token.
    pub(crate) fn char(&self) -> Option<char> {
        match self {
            Self::Char(c) => Some(*c),
            _ => None,
        }
    }

    /// Whether a token matches a character.
    fn matches_char(&self, c: char) -> bool {
        match self {
            Self::Char(literal) => *literal == c,
            Self::One | Self::Many => true,
            Self::Class(class) => class.holds(c),
        }
    }
}

/// Returns a glob for any single name.
pub(crate) fn any_name() -> WordPart {
    WordPart::Glob("*".to_owned())
}

/// Parses a text that a program treats as a glob into a word with globs.
pub(crate) fn glob_word(text: &str) -> Word {
    let mut word = Word::default();
    let mut rest = text;
    while let Some(at) = rest.find(['*', '?', '[', '\\']) {
        let (plain, sign) = rest.split_at_checked(at).unwrap_or((rest, ""));
        word.push(WordPart::Text(plain.to_owned()));
        let mut chars = sign.chars();
        match (chars.next(), chars.clone().next()) {
            (Some('\\'), Some(escaped)) => {
                chars.next();
                word.push(WordPart::Text(escaped.to_string()));
                rest = chars.as_str();
            }
            (Some('['), _) => match CharClass::read(sign).and_then(|(_, length)| sign.split_at_checked(length)) {
                Some((class, behind)) if !class.contains('\\') => {
                    word.push(WordPart::Glob(class.to_owned()));
                    rest = behind;
                }
                // Shells disagree on where this class ends, so the rest may be any name.
                _ => {
                    word.push(any_name());
                    return word;
                }
            },
            (sign, _) => {
                word.push(sign.map_or(WordPart::Text(String::new()), |sign| WordPart::Glob(sign.to_string())));
                rest = chars.as_str();
            }
        }
    }
    word.push(WordPart::Text(rest.to_owned()));
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::word;

    #[track_caller]
    fn check(glob: &str, text: &str, expected: &str) {
        let fit = match Glob::new(glob).test(&word(text)) {
            Fit::Yes => "yes",
            Fit::No => "no",
            Fit::Maybe(_) => "maybe",
        };
        assert_eq!(fit, expected, "{glob} on {text}");
    }

    #[test]
    fn known_words_match_or_do_not() {
        check("git", "git", "yes");
        check("git", "gi", "no");
        check("*", "", "yes");
        check("python*", "python3.11", "yes");
        check("agent_[0-9]*", "agent_9x", "yes");
        check("agent_[!0-9]", "agent_9", "no");
        check("a\\*", "a*b", "no");
        check("a[", "a[", "yes");
        check("[]]", "]", "yes");
        check("?", "é", "yes");
    }

    #[test]
    fn an_unknown_part_may_be_anything() {
        check("rm", "$", "maybe");
        check("rm", "r$m", "maybe");
        check("rm", "x$", "no");
        check("rm", "$x", "no");
        check("*", "$", "yes");
        check("src/*", "src/$", "yes");
        check("src/*", "$/a", "maybe");
        check("-*", "./$", "no");
        check("?", "$", "maybe");
    }

    #[test]
    fn a_glob_may_be_what_it_covers() {
        check("rm", "r?", "maybe");
        check("rm", "?m?", "no");
        check("*.o", "*.o", "yes");
        check("??", "a?", "yes");
        check(".env", ".e*", "maybe");
        check("-f", "./*", "no");
        check("größe", "gr??e", "maybe");
        check("größe", "gr????e", "maybe");
        check("größe", "gr???e", "no");
        check("gr?ße", "gr????e", "maybe");
        check("?", "??", "maybe");
        check("a", "??", "no");
    }

    #[test]
    fn a_long_word_costs_glob_times_word() {
        let glob = Glob::new(&"*a".repeat(50));
        assert!(!glob.matches(&format!("{}b", "a".repeat(50_000))));
    }
}
