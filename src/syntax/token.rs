//! Tokenises any text, valid or not, for the code that examines a text which the grammar rejects.
//!
//! On a valid text it agrees with the grammar about the positions of strings, regexes and comments. It never fails:
//! an unclosed token ends with its line, and an unknown character is a token.

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A word, with dots, dashes and slashes inside: `tool_input.url`, `no-push`, `std/git`
    Word,
    /// A number with the letters that are attached to it: `10KB`
    Number,
    /// `"…"`, `'…'`, `"""…"""`
    Text,
    /// A string without its closing quote.
    UnclosedText,
    /// A block string without its closing quotes.
    UnclosedBlock,
    /// A string between typographic quotes: `“…”`
    TypographicText,
    /// `/…/flags`
    Regex,
    /// A regex without its closing slash.
    UnclosedRegex,
    /// `` `…` ``
    JsonPath,
    /// A JSONPath without its closing backtick.
    UnclosedJsonPath,
    /// `(`, `[`, `{`
    OpenBracket,
    /// `)`, `]`, `}`
    CloseBracket,
    /// `,` `|` `:` `==` `&&` and every other sign
    Punctuation,
    /// The end of a line.
    Newline,
    /// `# …`
    Comment,
    /// A comment of another language: `// …`, `/* … */`, `-- …`, `; …`
    ForeignComment,
    /// An invalid space: no-break, zero-width, ideographic.
    InvalidSpace,
}

/// A token, as a range of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    /// The kind of token.
    pub(crate) kind: TokenKind,
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

    /// Whether the grammar ignores the token, or would if it were in the syntax of policies: a comment, a line end,
    /// an invalid space.
    pub(crate) fn is_trivia(self) -> bool {
        matches!(
            self.kind,
            TokenKind::Newline | TokenKind::Comment | TokenKind::ForeignComment | TokenKind::InvalidSpace
        )
    }
}

/// Signs of more than one character, of this and other languages. A longer one precedes those that it begins with.
const LONG_SIGNS: &[&str] = &[
    "===", "!==", "...", "!~*", "==", "!=", "<=", ">=", "&&", "||", "=>", "->", "<>", "=~", "~=", "!~", "~*", ":=",
    "::", "++", "--",
];

/// Spaces that editors and web pages insert, which the grammar does not accept.
const INVALID_SPACES: &[char] = &[
    '\u{a0}', '\u{2002}', '\u{2003}', '\u{2007}', '\u{2009}', '\u{200b}', '\u{202f}', '\u{2060}', '\u{3000}',
    '\u{feff}',
];

/// The words that end at a slash directly after them: in `matches/a/` a regex begins, whereas `std/git` is one word.
const WORDS_BEFORE_REGEX: &[&str] = &["matches", "replace", "like", "in", "and", "or", "not", "with", "to"];

/// Splits a text into tokens.
pub(crate) fn tokenise(source: &str) -> TokenStream<'_> {
    TokenStream { source, at: 0, line_start: true, no_block_end: false, no_comment_end: false }
}

/// The tokens of a text, in order, without the white space between them.
pub(crate) struct TokenStream<'a> {
    source: &'a str,
    /// The offset up to which the text has been read.
    at: usize,
    /// Whether the next token is the first on its line.
    line_start: bool,
    /// Whether the rest of the text is known to contain no end of a block string. Remembered because searching again
    /// for each block would take quadratic time.
    no_block_end: bool,
    /// Whether the rest of the text is known to contain no `*/`, remembered for the same reason.
    no_comment_end: bool,
}

impl Iterator for TokenStream<'_> {
    type Item = Token;

    /// Reads the next token; `None` at the end of the text.
    fn next(&mut self) -> Option<Token> {
        let bytes = self.source.as_bytes();
        while let Some(b' ' | b'\t' | b'\r') = bytes.get(self.at) {
            self.at += 1;
        }
        let start = self.at;
        let first = *bytes.get(start)?;
        let (kind, length) = match first {
            b'\n' => (TokenKind::Newline, 1),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => (TokenKind::Word, self.word_length()),
            b'0'..=b'9' => {
                (TokenKind::Number, self.run_length(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')))
            }
            b'"' => self.double_quoted_token(),
            b'\'' => self.quoted_token(b'\'', TokenKind::Text, TokenKind::UnclosedText),
            b'`' => self.quoted_token(b'`', TokenKind::JsonPath, TokenKind::UnclosedJsonPath),
            b'#' => (TokenKind::Comment, self.length_to_line_end()),
            b'(' | b'[' | b'{' => (TokenKind::OpenBracket, 1),
            b')' | b']' | b'}' => (TokenKind::CloseBracket, 1),
            b'/' => self.slash_token(),
            b';' => self.semicolon_token(),
            b'-' if self.line_start && self.rest().starts_with("-- ") => {
                (TokenKind::ForeignComment, self.length_to_line_end())
            }
            _ => self.punctuation_token(),
        };
        self.at = start + length.max(1);
        self.line_start = kind == TokenKind::Newline;
        Some(Token { kind, start, end: self.at })
    }
}

impl TokenStream<'_> {
    /// Continues at an offset within a line.
    pub(crate) fn jump_to(&mut self, at: usize) {
        self.at = at;
        self.line_start = false;
    }

    /// Returns the text from the current position on.
    fn rest(&self) -> &str {
        self.source.get(self.at..).unwrap_or_default()
    }

    /// Returns the number of bytes from the current position on that satisfy a test.
    fn run_length(&self, part: impl Fn(u8) -> bool) -> usize {
        self.rest().bytes().take_while(|b| part(*b)).count()
    }

    /// Returns the length of the rest of the line, without trailing white space.
    fn length_to_line_end(&self) -> usize {
        let line = self.rest();
        let line = line.get(..line.find('\n').unwrap_or(line.len())).unwrap_or_default();
        line.trim_end().len()
    }

    /// Returns the length of a word. A dot or slash belongs to it if another part of the word directly follows:
    /// `std/git`.
    fn word_length(&self) -> usize {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        let mut length = 0;
        loop {
            length += bytes.iter().skip(length).take_while(|b| is_part(b)).count();
            let glues = match bytes.get(length) {
                Some(b'.') => true,
                Some(b'/') => !rest.get(..length).is_some_and(|word| WORDS_BEFORE_REGEX.contains(&word)),
                _ => false,
            };
            if !glues || !bytes.get(length + 1).is_some_and(is_part) {
                return length;
            }
            length += 1;
        }
    }

    /// Returns the kind and length of a semicolon: one that is first on its line begins a comment, and one at the end
    /// of a line counts as a comment of another language.
    fn semicolon_token(&self) -> (TokenKind, usize) {
        // The search stops at the next visible character, since a line may contain thousands of semicolons.
        let next = self.rest().bytes().skip(1).find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        match next {
            _ if self.line_start => (TokenKind::ForeignComment, self.length_to_line_end()),
            None | Some(b'\n' | b'#') => (TokenKind::ForeignComment, 1),
            _ => (TokenKind::Punctuation, 1),
        }
    }

    /// Returns the kind and length of a token between two equal quotes without escapes; `open` is the kind if it is
    /// not closed on its line.
    fn quoted_token(&self, quote: u8, closed: TokenKind, open: TokenKind) -> (TokenKind, usize) {
        let bytes = self.rest().as_bytes();
        match bytes.iter().skip(1).position(|b| *b == quote || *b == b'\n') {
            Some(at) if bytes.get(at + 1) == Some(&quote) => (closed, at + 2),
            _ => (open, self.length_to_line_end()),
        }
    }

    /// Returns the kind and length of a token that begins with `"`: a string or a block string.
    fn double_quoted_token(&mut self) -> (TokenKind, usize) {
        if self.rest().starts_with("\"\"\"") {
            return self.block_token();
        }
        match self.escaped_length(b'"') {
            Some(end) => (TokenKind::Text, end),
            None => (TokenKind::UnclosedText, self.length_to_line_end()),
        }
    }

    /// Returns the length of the token up to and including the closing byte on the same line; a backslash escapes the
    /// next byte. `None` if it is not closed on its line.
    fn escaped_length(&self, close: u8) -> Option<usize> {
        let mut bytes = self.rest().bytes().enumerate().skip(1);
        while let Some((at, byte)) = bytes.find(|(_, byte)| *byte == close || matches!(byte, b'\n' | b'\\')) {
            match byte {
                b'\n' => return None,
                // An escaped byte does not close the token, but an escaped line end still ends the line.
                b'\\' if bytes.next().is_some_and(|(_, hidden)| hidden == b'\n') => return None,
                b'\\' => {}
                _ => return Some(at + 1),
            }
        }
        None
    }

    /// Returns the kind and length of a block string: up to its closing quotes, or to the end of its line if it is
    /// not closed.
    fn block_token(&mut self) -> (TokenKind, usize) {
        if self.no_block_end {
            return (TokenKind::UnclosedBlock, self.length_to_line_end());
        }
        let bytes = self.rest().as_bytes();
        let mut at = 3;
        while at < bytes.len() {
            match bytes.get(at) {
                Some(b'\\') => at += 1,
                Some(b'"') if bytes.get(at..at + 3) == Some(b"\"\"\"") => return (TokenKind::Text, at + 3),
                _ => {}
            }
            at += 1;
        }
        self.no_block_end = true;
        (TokenKind::UnclosedBlock, self.length_to_line_end())
    }

    /// Returns the kind and length of a token that begins with `/`: a comment of another language, a regex, a slash
    /// within a glob, or the rest of a relative path.
    fn slash_token(&mut self) -> (TokenKind, usize) {
        let rest = self.rest();
        if let Some(length) = self.relative_path_length() {
            return (TokenKind::Word, length);
        }
        if rest.starts_with("//") {
            return (TokenKind::ForeignComment, self.length_to_line_end());
        }
        if rest.starts_with("/*") && self.is_in_glob() {
            return (TokenKind::Punctuation, 1);
        }
        if rest.starts_with("/*") && self.is_after_matches() {
            return match self.escaped_length(b'/') {
                Some(end) => {
                    (TokenKind::Regex, end + rest.bytes().skip(end).take_while(u8::is_ascii_alphanumeric).count())
                }
                None => (TokenKind::UnclosedRegex, self.length_to_line_end()),
            };
        }
        if rest.starts_with("/*") {
            let end = if self.no_comment_end { None } else { rest.find("*/") };
            let length = end.map_or_else(|| self.length_to_line_end(), |at| at + 2);
            self.no_comment_end |= end.is_none();
            return (TokenKind::ForeignComment, length);
        }
        match self.escaped_length(b'/') {
            Some(end) => {
                let flags = rest.bytes().skip(end).take_while(u8::is_ascii_alphanumeric).count();
                (TokenKind::Regex, end + flags)
            }
            None => (TokenKind::UnclosedRegex, self.length_to_line_end()),
        }
    }

    /// Returns the length of the rest of a path of a rule from the slash behind its dots: `/no-push` of `../no-push`.
    fn relative_path_length(&self) -> Option<usize> {
        let before = self.source.as_bytes().get(..self.at).and_then(<[u8]>::last);
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
        let is_path =
            before == Some(&b'.') && self.rest().as_bytes().get(1).is_some_and(|byte| is_part(*byte) && *byte != b'/');
        is_path.then(|| self.run_length(is_part))
    }

    /// Whether the slash at the current position directly follows a character of a glob: `src/**`, `**/*.rs`, `~/*`
    fn is_in_glob(&self) -> bool {
        let before = self.source.as_bytes().get(..self.at).and_then(<[u8]>::last);
        before
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'*' | b'~' | b'.' | b'}'))
    }

    /// Whether the word before the current position is `matches`, so that `/*` begins a regex and not a comment.
    fn is_after_matches(&self) -> bool {
        let before = self.source.get(..self.at).unwrap_or_default().trim_end_matches([' ', '\t']);
        before.len() < self.at && before.ends_with(" matches")
    }

    /// Returns the kind and length of a token that begins with any other character: a sign, an invalid space, or a
    /// string between typographic quotes.
    fn punctuation_token(&self) -> (TokenKind, usize) {
        let rest = self.rest();
        // Most signs are single characters. The second byte shows that without a search in the list: every sign in the
        // list has one of these characters there.
        if let [first, second, ..] = rest.as_bytes()
            && first.is_ascii()
            && !matches!(second, b'=' | b'.' | b'&' | b'|' | b'>' | b'~' | b'*' | b':' | b'+' | b'-')
        {
            return (TokenKind::Punctuation, 1);
        }
        if let Some(long) = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            return (TokenKind::Punctuation, long.len());
        }
        let first = rest.chars().next().map_or(1, char::len_utf8);
        if rest.starts_with(INVALID_SPACES) {
            return (TokenKind::InvalidSpace, rest.find(|c| !INVALID_SPACES.contains(&c)).unwrap_or(rest.len()));
        }
        let closing: &[char] = match rest.chars().next() {
            Some('\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}') => &['\u{201c}', '\u{201d}', '"'],
            Some('\u{2018}' | '\u{2019}' | '\u{201a}') => &['\u{2018}', '\u{2019}', '\''],
            Some('\u{ab}') => &['\u{bb}'],
            _ => return (TokenKind::Punctuation, first),
        };
        // The search stops at the closing quote, since a line may contain thousands of quotes.
        let inner = rest.get(first..).unwrap_or_default();
        let length = match inner.char_indices().find(|(_, c)| *c == '\n' || closing.contains(c)) {
            Some((at, c)) if c != '\n' => first + at + c.len_utf8(),
            Some((at, _)) => rest.get(..first + at).unwrap_or_default().trim_end().len(),
            None => rest.trim_end().len(),
        };
        (TokenKind::TypographicText, length)
    }
}
