//! Tokenises any text, valid or not, for everything that examines a text which the grammar rejects.
//!
//! On a valid text it agrees with the grammar about where strings, regexes and comments are. It never fails: an
//! unclosed token ends with its line, and anything unknown is a token of its own.

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A word, with dots, dashes and slashes inside: `tool_input.url`, `no-push`, `std/git`
    Word,
    /// A number with anything attached to it: `10KB`
    Number,
    /// `"…"`, `'…'`, `"""…"""`
    Text,
    /// A string without its closing quote.
    OpenText,
    /// A block string without its closing quotes.
    OpenBlock,
    /// A string between typographic quotes.
    SmartText,
    /// `/…/flags`
    Regex,
    /// A regex without its closing slash.
    OpenRegex,
    /// `` `…` ``
    JsonPath,
    /// A JSONPath without its closing backtick.
    OpenJsonPath,
    /// `(`, `[`, `{`
    Open,
    /// `)`, `]`, `}`
    Close,
    /// `,` `|` `:` `==` `&&` and every other mark
    Mark,
    /// The end of a line.
    Newline,
    /// `# …`
    Comment,
    /// A comment of another language: `// …`, `/* … */`, `-- …`, `; …`
    ForeignComment,
    /// An invalid space: no-break, zero-width, ideographic.
    OddSpace,
}

/// A token, as a range of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    /// The kind of token.
    pub(crate) kind: Kind,
    /// The offset of its first byte.
    pub(crate) start: usize,
    /// The offset after its last byte.
    pub(crate) end: usize,
}

impl Token {
    /// Returns its text.
    pub(crate) fn text(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or_default()
    }

    /// Whether the grammar ignores it.
    pub(crate) fn is_trivia(self) -> bool {
        matches!(self.kind, Kind::Newline | Kind::Comment | Kind::ForeignComment | Kind::OddSpace)
    }
}

/// Marks of more than one character, of this and other languages, longest first.
const LONG_MARKS: &[&str] = &[
    "===", "!==", "...", "!~*", "==", "!=", "<=", ">=", "&&", "||", "=>", "->", "<>", "=~", "~=", "!~", "~*", ":=",
    "::", "++", "--",
];

/// Spaces that editors and web pages insert, which the grammar does not accept.
const ODD_SPACES: &[char] = &[
    '\u{a0}', '\u{2002}', '\u{2003}', '\u{2007}', '\u{2009}', '\u{200b}', '\u{202f}', '\u{2060}', '\u{3000}',
    '\u{feff}',
];

/// The words after which a regex may follow without a space.
const BEFORE_REGEX: &[&str] = &["matches", "replace", "like", "in", "and", "or", "not", "with", "to"];

/// Splits a text into tokens.
pub(crate) fn tokens(source: &str) -> Tokens<'_> {
    Tokens { source, at: 0, line_start: true, no_block_end: false, no_comment_end: false }
}

/// The tokens of a text, in order, without the white space between them.
pub(crate) struct Tokens<'a> {
    source: &'a str,
    at: usize,
    line_start: bool,
    /// Whether no block string, or foreign comment, is closed from here on: searched once, not each time.
    no_block_end: bool,
    no_comment_end: bool,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let bytes = self.source.as_bytes();
        while let Some(b' ' | b'\t' | b'\r') = bytes.get(self.at) {
            self.at += 1;
        }
        let start = self.at;
        let first = *bytes.get(start)?;
        let (kind, length) = match first {
            b'\n' => (Kind::Newline, 1),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => (Kind::Word, self.word()),
            b'0'..=b'9' => (Kind::Number, self.run(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))),
            b'"' => self.double(),
            b'\'' => self.quoted(b'\'', Kind::Text, Kind::OpenText),
            b'`' => self.quoted(b'`', Kind::JsonPath, Kind::OpenJsonPath),
            b'#' => (Kind::Comment, self.to_line_end()),
            b'(' | b'[' | b'{' => (Kind::Open, 1),
            b')' | b']' | b'}' => (Kind::Close, 1),
            b'/' => self.slash(),
            b';' => self.semicolon(),
            b'-' if self.line_start && self.rest().starts_with("-- ") => (Kind::ForeignComment, self.to_line_end()),
            _ => self.mark(),
        };
        self.at = start + length.max(1);
        self.line_start = kind == Kind::Newline;
        Some(Token { kind, start, end: self.at })
    }
}

impl Tokens<'_> {
    /// Continues at an offset.
    pub(crate) fn jump(&mut self, at: usize) {
        self.at = at;
        self.line_start = false;
    }

    fn rest(&self) -> &str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn run(&self, part: impl Fn(u8) -> bool) -> usize {
        self.rest().bytes().take_while(|b| part(*b)).count()
    }

    fn to_line_end(&self) -> usize {
        let line = self.rest();
        let line = line.get(..line.find('\n').unwrap_or(line.len())).unwrap_or_default();
        line.trim_end().len()
    }

    /// Returns the length of a word, which may contain dots and slashes directly followed by a word.
    fn word(&self) -> usize {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let mut length = 0;
        loop {
            length += bytes.iter().skip(length).take_while(|b| is_part(b)).count();
            let glues = match bytes.get(length) {
                Some(b'.') => true,
                Some(b'/') => !rest.get(..length).is_some_and(|word| BEFORE_REGEX.contains(&word)),
                _ => false,
            };
            if !glues || !bytes.get(length + 1).is_some_and(is_part) {
                return length;
            }
            length += 1;
        }
    }

    /// Reads a semicolon: the end of a line in other languages, and a comment if it is the first on its line.
    fn semicolon(&self) -> (Kind, usize) {
        // A line may contain thousands, so the search stops at the next character.
        let behind = self.rest().bytes().skip(1).find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        match behind {
            _ if self.line_start => (Kind::ForeignComment, self.to_line_end()),
            None | Some(b'\n' | b'#') => (Kind::ForeignComment, 1),
            _ => (Kind::Mark, 1),
        }
    }

    fn quoted(&self, quote: u8, closed: Kind, open: Kind) -> (Kind, usize) {
        let bytes = self.rest().as_bytes();
        match bytes.iter().skip(1).position(|b| *b == quote || *b == b'\n') {
            Some(at) if bytes.get(at + 1) == Some(&quote) => (closed, at + 2),
            _ => (open, self.to_line_end()),
        }
    }

    fn double(&mut self) -> (Kind, usize) {
        if self.rest().starts_with("\"\"\"") {
            return self.block();
        }
        match self.escaped(b'"') {
            Some(end) => (Kind::Text, end),
            None => (Kind::OpenText, self.to_line_end()),
        }
    }

    /// Returns the length up to and including the closing byte on the same line; a backslash escapes the next byte.
    fn escaped(&self, close: u8) -> Option<usize> {
        let mut bytes = self.rest().bytes().enumerate().skip(1);
        while let Some((at, byte)) = bytes.find(|(_, byte)| *byte == close || matches!(byte, b'\n' | b'\\')) {
            match byte {
                b'\n' => return None,
                // An escaped byte does not close, but a line end still ends the line.
                b'\\' if bytes.next().is_some_and(|(_, hidden)| hidden == b'\n') => return None,
                b'\\' => {}
                _ => return Some(at + 1),
            }
        }
        None
    }

    fn block(&mut self) -> (Kind, usize) {
        if self.no_block_end {
            return (Kind::OpenBlock, self.to_line_end());
        }
        let bytes = self.rest().as_bytes();
        let mut at = 3;
        while at < bytes.len() {
            match bytes.get(at) {
                Some(b'\\') => at += 1,
                Some(b'"') if bytes.get(at..at + 3) == Some(b"\"\"\"") => return (Kind::Text, at + 3),
                _ => {}
            }
            at += 1;
        }
        self.no_block_end = true;
        (Kind::OpenBlock, self.to_line_end())
    }

    fn slash(&mut self) -> (Kind, usize) {
        let rest = self.rest();
        if rest.starts_with("//") {
            return (Kind::ForeignComment, self.to_line_end());
        }
        if rest.starts_with("/*") && self.is_in_glob() {
            return (Kind::Mark, 1);
        }
        if rest.starts_with("/*") && self.is_after_matches() {
            return match self.escaped(b'/') {
                Some(end) => (Kind::Regex, end + rest.bytes().skip(end).take_while(u8::is_ascii_alphanumeric).count()),
                None => (Kind::OpenRegex, self.to_line_end()),
            };
        }
        if rest.starts_with("/*") {
            let end = if self.no_comment_end { None } else { rest.find("*/") };
            let length = end.map_or_else(|| self.to_line_end(), |at| at + 2);
            self.no_comment_end |= end.is_none();
            return (Kind::ForeignComment, length);
        }
        match self.escaped(b'/') {
            Some(end) => {
                let flags = rest.bytes().skip(end).take_while(u8::is_ascii_alphanumeric).count();
                (Kind::Regex, end + flags)
            }
            None => (Kind::OpenRegex, self.to_line_end()),
        }
    }

    /// Whether a slash directly follows the text before it as in a glob: `src/**`, `**/*.rs`, `~/*`
    fn is_in_glob(&self) -> bool {
        let before = self.source.as_bytes().get(..self.at).and_then(<[u8]>::last);
        before
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'*' | b'~' | b'.' | b'}'))
    }

    /// Whether a regex is expected here.
    fn is_after_matches(&self) -> bool {
        let before = self.source.get(..self.at).unwrap_or_default().trim_end_matches([' ', '\t']);
        before.len() < self.at && before.ends_with(" matches")
    }

    fn mark(&self) -> (Kind, usize) {
        let rest = self.rest();
        // Most marks are single characters: the second byte shows that, and no mark of another alphabet is in the list.
        if let [first, second, ..] = rest.as_bytes()
            && first.is_ascii()
            && !matches!(second, b'=' | b'.' | b'&' | b'|' | b'>' | b'~' | b'*' | b':' | b'+' | b'-')
        {
            return (Kind::Mark, 1);
        }
        if let Some(long) = LONG_MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            return (Kind::Mark, long.len());
        }
        let first = rest.chars().next().map_or(1, char::len_utf8);
        if rest.starts_with(ODD_SPACES) {
            return (Kind::OddSpace, rest.find(|c| !ODD_SPACES.contains(&c)).unwrap_or(rest.len()));
        }
        let closing: &[char] = match rest.chars().next() {
            Some('\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}') => &['\u{201c}', '\u{201d}', '"'],
            Some('\u{2018}' | '\u{2019}' | '\u{201a}') => &['\u{2018}', '\u{2019}', '\''],
            Some('\u{ab}') => &['\u{bb}'],
            _ => return (Kind::Mark, first),
        };
        // A line may contain thousands, so the search stops at the closing one.
        let inner = rest.get(first..).unwrap_or_default();
        let length = match inner.char_indices().find(|(_, c)| *c == '\n' || closing.contains(c)) {
            Some((at, c)) if c != '\n' => first + at + c.len_utf8(),
            Some((at, _)) => rest.get(..first + at).unwrap_or_default().trim_end().len(),
            None => rest.trim_end().len(),
        };
        (Kind::SmartText, length)
    }
}
