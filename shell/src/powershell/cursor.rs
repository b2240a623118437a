//! A position in a text of PowerShell or cmd, and the parts that are skipped: blanks, comments, newlines.

use std::rc::Rc;

use super::{TranslationError, TranslationResult};
use crate::translation::LookBudget;

/// A position in a text, in characters.
#[derive(Clone)]
pub(super) struct Cursor {
    /// The characters of the text.
    chars: Rc<[char]>,
    /// The index of the next character.
    at: usize,
    /// How often the text may still be looked at, which bounds the work.
    looks: LookBudget,
}

impl Cursor {
    /// Makes a cursor at the start of a PowerShell text, whose typographic quotes, dashes and blanks become plain
    /// ones.
    pub(super) fn new(text: &str) -> Self {
        Self::from_chars(text.chars().map(normalise_char).collect())
    }

    /// Makes a cursor at the start of a text whose characters all stay the same.
    pub(super) fn verbatim(text: &str) -> Self {
        Self::from_chars(text.chars().collect())
    }

    fn from_chars(chars: Rc<[char]>) -> Self {
        Self { looks: LookBudget::new(chars.len()), chars, at: 0 }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Goes to a position.
    pub(super) fn seek(&mut self, at: usize) {
        self.at = at;
    }

    /// Whether the text ends here. Fails if no looks are left, since the text then only seems to end.
    pub(super) fn is_at_end(&self) -> TranslationResult<bool> {
        if self.looks.is_spent() { Err(TranslationError::LimitExceeded) } else { Ok(self.at >= self.chars.len()) }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    /// Returns the character at a distance from the next one, which has distance 0. Each call uses one look; without
    /// looks left, returns `None`.
    pub(super) fn peek_at(&self, distance: usize) -> Option<char> {
        self.chars.get(self.at + distance).copied().filter(|_| self.looks.charge())
    }

    /// Returns the character before the next one.
    pub(super) fn previous(&self) -> Option<char> {
        self.chars.get(self.at.checked_sub(1)?).copied()
    }

    /// Consumes a character.
    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    /// Consumes a text if it is next, ignoring case. Returns whether it was.
    pub(super) fn take_text(&mut self, text: &str) -> bool {
        let is_here = self.is_at_text(text);
        if is_here {
            self.at += text.chars().count();
        }
        is_here
    }

    /// Whether a text is next, ignoring case.
    pub(super) fn is_at_text(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(at, c)| self.peek_at(at).is_some_and(|own| own.eq_ignore_ascii_case(&c)))
    }

    /// Consumes characters as long as they satisfy a predicate, and returns them.
    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek().filter(|c| fits(*c)) {
            taken.push(c);
            self.at += 1;
        }
        taken
    }

    /// Returns the text from a position on.
    pub(super) fn slice_from(&self, from: usize) -> String {
        self.chars.get(from..).unwrap_or_default().iter().collect()
    }

    /// Returns the text between two positions.
    pub(super) fn slice(&self, from: usize, to: usize) -> String {
        self.chars.get(from..to).unwrap_or_default().iter().collect()
    }

    /// Skips blanks, comments, and newlines escaped by a backtick.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match (self.peek(), self.peek_at(1)) {
                (Some('\n' | '\r'), _) => return,
                (Some(c), _) if c.is_whitespace() => self.at += 1,
                (Some('`'), Some('\n')) => self.at += 2,
                (Some('`'), Some('\r')) => self.at += if self.peek_at(2) == Some('\n') { 3 } else { 2 },
                (Some('<'), Some('#')) => self.skip_comment(),
                (Some('#'), _) => {
                    while self.peek().is_some_and(|c| !matches!(c, '\n' | '\r')) {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    /// Skips `<# … #>`.
    fn skip_comment(&mut self) {
        self.at += 2;
        while !self.take_text("#>") && self.next().is_some() {}
    }

    /// Skips blanks, comments and newlines.
    pub(super) fn skip_lines(&mut self) {
        self.skip_blanks();
        while matches!(self.peek(), Some('\n' | '\r')) {
            self.at += 1;
            self.skip_blanks();
        }
    }

    /// Skips newlines and semicolons between statements.
    pub(super) fn skip_separators(&mut self) {
        self.skip_lines();
        while self.peek() == Some(';') {
            self.at += 1;
            self.skip_lines();
        }
    }

    /// Consumes a keyword if it is next, ignoring case, and no character of a name comes after it.
    pub(super) fn take_keyword(&mut self, keyword: &str) -> bool {
        let next = self.peek_at(keyword.chars().count());
        let is_whole = !next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\\' | '/' | ':'));
        is_whole && self.take_text(keyword)
    }

    /// Returns the names of all functions of the text, in lower case: the words after `function` and `filter`.
    pub(super) fn function_names(&self) -> Vec<String> {
        let text: String = self.chars.iter().collect();
        let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';'));
        let mut names = Vec::new();
        while let Some(word) = words.next() {
            if word.eq_ignore_ascii_case("function") || word.eq_ignore_ascii_case("filter") {
                let name = words.find(|word| !word.is_empty());
                names.extend(name.map(function_name));
            }
        }
        names
    }
}

/// Returns the key of a function in tables: its name in lower case, without its scope.
pub(super) fn function_name(name: &str) -> String {
    let name = name.rsplit(':').next().unwrap_or(name);
    name.to_lowercase()
}

/// Replaces typographic quotes, dashes and blanks, which PowerShell treats like plain ones.
fn normalise_char(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        '\u{2013}' | '\u{2014}' | '\u{2015}' => '-',
        '\u{00a0}' | '\u{0085}' => ' ',
        c => c,
    }
}

impl Cursor {
    /// Moves after the bracket that closes the one just opened, over nested brackets, strings and comments. Returns
    /// `false` if there is none.
    pub(super) fn skip_to_closing(&mut self, close: char) -> bool {
        let mut open = vec![close];
        while let Some(c) = self.peek() {
            let in_string = open.last() == Some(&'"');
            match c {
                '`' => self.at += 1,
                '$' if in_string && self.peek_at(1) == Some('(') => {
                    self.at += 1;
                    open.push(')');
                }
                '"' if in_string => {
                    open.pop();
                }
                _ if in_string => {}
                '\'' => {
                    self.at += 1;
                    while self.peek().is_some_and(|c| c != '\'') {
                        self.at += 1;
                    }
                }
                '@' if matches!(self.peek_at(1), Some('\'' | '"')) && self.skip_here_string() => continue,
                '"' => open.push('"'),
                '#' if self.begins_comment() => {
                    self.skip_blanks();
                    continue;
                }
                '<' if self.peek_at(1) == Some('#') => {
                    self.skip_comment();
                    continue;
                }
                '(' => open.push(')'),
                '{' => open.push('}'),
                c if open.last() == Some(&c) => {
                    open.pop();
                }
                _ => {}
            }
            self.at += 1;
            if open.is_empty() {
                return true;
            }
        }
        false
    }

    /// Whether a `#` begins a comment. Within a word, it does not.
    fn begins_comment(&self) -> bool {
        self.previous().is_none_or(|c| c.is_whitespace() || matches!(c, ';' | '{' | '}' | '(' | ')' | '|' | '&' | ','))
    }

    /// Moves after the here-string that begins here; returns `false` if none does.
    fn skip_here_string(&mut self) -> bool {
        let from = self.at;
        let quote = self.peek_at(1);
        self.at += 2;
        self.take_while(|c| matches!(c, ' ' | '\t' | '\r'));
        let mut at_start = false;
        while let Some(c) = self.next() {
            if at_start && Some(c) == quote && self.peek() == Some('@') {
                self.at += 1;
                return true;
            }
            at_start = c == '\n';
        }
        self.at = from;
        false
    }
}
