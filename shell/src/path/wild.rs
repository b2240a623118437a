//! One glob without separators or alternatives: `*`, `?`, `[…]`, and `\` before a character that is meant.
//!
//! It is matched as it stands, without an automaton: a hook compiles nothing for a handful of names.

use super::{Class, fold};

/// A compiled glob. `*` and `?` cover every character: what they may not cross is cut away before.
#[derive(Clone, Debug)]
pub(super) enum Wild {
    /// A text without wildcards.
    Literal(String),
    /// `*`
    Any,
    /// Everything else. Never two `Many` in a row.
    Tokens(Vec<Token>),
}

#[derive(Clone, Debug)]
pub(super) enum Token {
    Text(String),
    One,
    Many,
    Class(Class),
}

impl Wild {
    /// Compiles a glob; the error says what is wrong with it.
    pub(super) fn parse(glob: &str) -> Result<Self, String> {
        if glob == "*" {
            return Ok(Self::Any);
        }
        if !glob.contains(['*', '?', '[', '\\']) {
            return Ok(Self::Literal(glob.to_owned()));
        }
        let mut tokens = Vec::new();
        let mut text = String::new();
        let mut rest = glob;
        while let Some(first) = rest.chars().next() {
            let mut length = first.len_utf8();
            let token = match first {
                '*' => Token::Many,
                '?' => Token::One,
                '[' => {
                    let (class, end) =
                        Class::read(rest).ok_or("a `[` without its `]`; write `\\[` for the character")?;
                    if let Some((low, high)) = class.backwards() {
                        return Err(format!("the range `{low}-{high}` runs backwards"));
                    }
                    length = end;
                    Token::Class(class)
                }
                '\\' => {
                    let escaped = rest.chars().nth(1).ok_or("a `\\` at the end; write `\\\\` for the character")?;
                    text.push(escaped);
                    rest = rest.get(1 + escaped.len_utf8()..).unwrap_or_default();
                    continue;
                }
                other => {
                    text.push(other);
                    rest = rest.get(length..).unwrap_or_default();
                    continue;
                }
            };
            if !text.is_empty() {
                tokens.push(Token::Text(std::mem::take(&mut text)));
            }
            if !(matches!(token, Token::Many) && matches!(tokens.last(), Some(Token::Many))) {
                tokens.push(token);
            }
            rest = rest.get(length..).unwrap_or_default();
        }
        if tokens.is_empty() {
            return Ok(Self::Literal(text));
        }
        if !text.is_empty() {
            tokens.push(Token::Text(text));
        }
        Ok(match tokens.as_slice() {
            [Token::Many] => Self::Any,
            _ => Self::Tokens(tokens),
        })
    }

    /// Returns the glob for texts that went through [`fold`].
    pub(super) fn folded(self) -> Self {
        match self {
            Self::Literal(text) => Self::Literal(fold(&text).into_owned()),
            Self::Any => Self::Any,
            Self::Tokens(tokens) => Self::Tokens(tokens.into_iter().map(Token::folded).collect()),
        }
    }

    /// Returns the text that it is without wildcards.
    pub(super) fn literal(&self) -> Option<&str> {
        match self {
            Self::Literal(text) => Some(text),
            Self::Any | Self::Tokens(_) => None,
        }
    }

    /// Returns the longest text between its wildcards.
    pub(super) fn longest_text(&self) -> Option<&str> {
        let Self::Tokens(tokens) = self else { return self.literal() };
        tokens.iter().filter_map(Token::text).max_by_key(|text| text.len())
    }

    /// Returns the text behind its last wildcard.
    pub(super) fn last_text(&self) -> Option<&str> {
        let Self::Tokens(tokens) = self else { return self.literal() };
        tokens.last().and_then(Token::text)
    }

    /// Tells whether the whole text matches.
    pub(super) fn matches(&self, text: &str) -> bool {
        match self {
            Self::Literal(literal) => literal == text,
            Self::Any => true,
            Self::Tokens(tokens) => match_tokens(tokens, text),
        }
    }
}

impl Token {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::One | Self::Many | Self::Class(_) => None,
        }
    }

    fn folded(self) -> Self {
        match self {
            Self::Text(text) => Self::Text(fold(&text).into_owned()),
            Self::Class(class) => Self::Class(class.folded()),
            other => other,
        }
    }

    /// Takes what the token covers off the front of a text. `Many` takes nothing here.
    fn take<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Text(literal) => text.strip_prefix(literal.as_str()),
            Self::Many => Some(text),
            Self::One => text.chars().next().and_then(|c| text.get(c.len_utf8()..)),
            Self::Class(class) => {
                text.chars().next().filter(|c| class.holds(*c)).and_then(|c| text.get(c.len_utf8()..))
            }
        }
    }
}

/// Matches with a single point of return, the last `*`: what an earlier one covers never has to grow.
fn match_tokens(tokens: &[Token], text: &str) -> bool {
    let mut left = tokens;
    let mut rest = text;
    let mut last_many: Option<(&[Token], &str)> = None;
    loop {
        match left.split_first() {
            None if rest.is_empty() => return true,
            Some((Token::Many, [])) => return true,
            Some((Token::Many, after)) => {
                left = after;
                last_many = Some((after, rest));
                continue;
            }
            Some((token, after)) => {
                if let Some(taken) = token.take(rest) {
                    (left, rest) = (after, taken);
                    continue;
                }
            }
            None => {}
        }
        // The last `*` covers one character more, and as many as lead to the text that follows it.
        let Some((after, covered)) = last_many else { return false };
        let mut grown = covered.chars();
        if grown.next().is_none() {
            return false;
        }
        let grown = match after.first() {
            Some(Token::Text(literal)) => grown.as_str().find(literal.as_str()).and_then(|at| grown.as_str().get(at..)),
            _ => Some(grown.as_str()),
        };
        let Some(grown) = grown else { return false };
        (left, rest) = (after, grown);
        last_many = Some((after, grown));
    }
}
