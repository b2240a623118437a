//! Reads the fields, operators and values of a test in another language, and converts them to the syntax of policies.

use super::super::reader::ForeignReader;
use super::{is_field, translate};
use crate::phrases::{self, PhrasePlace};
use crate::syntax::token::TokenKind;
use crate::syntax::words;

impl<'a> ForeignReader<'a> {
    /// Moves past the next token if it is `word` in any case, and returns whether it is.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.text().eq_ignore_ascii_case(word);
        self.at += usize::from(found);
        found
    }

    /// Moves past the next word or sign if it is `written`, which has the form of the phrasebook; case and underscores
    /// do not matter. `None` if another one is next.
    pub(super) fn eat_folded(&mut self, written: &str) -> Option<()> {
        (PhrasePlace::Test.folded(self.text()) == written).then(|| self.at += 1)
    }

    /// Reads a string, and returns it with its quotes; `None` if another token is next.
    pub(super) fn quoted_text(&mut self) -> Option<String> {
        self.take(TokenKind::Text).map(str::to_owned)
    }

    /// Reads a token of a kind, and returns its text; `None` if another token is next.
    pub(super) fn take(&mut self, kind: TokenKind) -> Option<&'a str> {
        (self.kind()? == kind).then(|| self.any())?
    }

    pub(super) fn word(&mut self) -> Option<&'a str> {
        self.take(TokenKind::Word)
    }

    /// Reads the next token of any kind, and returns its text.
    pub(super) fn any(&mut self) -> Option<&'a str> {
        let text = self.peek()?.text(self.source);
        self.at += 1;
        Some(text)
    }

    /// Reads a field (`tool_name`, `$tool_name`, `${CI}`, `"$tool_name"`), and returns it in the syntax of policies
    /// with whether the source was foreign; `None` if there is none.
    pub(super) fn field(&mut self) -> Option<(String, bool)> {
        if self.kind()? == TokenKind::Word {
            return self.named_field();
        }
        let field = match self.substitution() {
            Some(field) => field,
            None => {
                let name = self.variable()?;
                let is_in_capitals = name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
                is_field(name).then(|| if is_in_capitals { format!("env.{name}") } else { name.to_owned() })?
            }
        };
        Some((field, true))
    }

    /// Reads a word as a field, and returns its name in the policy language with whether the source had another name.
    fn named_field(&mut self) -> Option<(String, bool)> {
        let text = self.word()?;
        // Some operators of policies, such as `contains`, are names of functions in other languages.
        let is_call = self.text() == "(" && self.glued(0);
        let is_function = is_call
            && (words::OPERATORS.contains(&text) || matches!(text, "exists" | "all" | "file_exists" | "file_size"));
        (is_field(text) || is_function).then_some(())?;
        let renamed = match text {
            "principal" => Some("agent".to_owned()),
            "CommandLine" | "proc.cmdline" | "process.command_line" => Some("command".to_owned()),
            "resource" => Some("path".to_owned()),
            "action" if self.text_at(1) == "Action" => Some("tool_name".to_owned()),
            _ => {
                let variable = ["process.env.", "os.environ."].iter().find_map(|front| text.strip_prefix(front));
                variable.map(|name| format!("env.{name}")).or(field_of_payload(text).map(str::to_owned))
            }
        };
        let is_foreign = renamed.is_some();
        Some((renamed.unwrap_or_else(|| text.to_owned()), is_foreign))
    }

    /// Reads `$name`, `${name}` or `"$name"`, and returns the name; `None` if there is no variable.
    fn variable(&mut self) -> Option<&'a str> {
        let quoted = self.text().strip_prefix("\"$").and_then(|text| text.strip_suffix('"'));
        if let Some(name) = quoted.filter(|_| self.kind() == Some(TokenKind::Text)) {
            let name = name.trim_start_matches('{').trim_end_matches('}');
            name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')).then_some(())?;
            self.at += 1;
            return Some(name);
        }
        (self.eat("$") && self.glued(0)).then_some(())?;
        let braced = self.eat("{");
        let name = self.word().filter(|name| !name.contains('/'))?;
        (!braced || self.eat("}")).then_some(name)
    }

    /// Reads a command substitution, with or without quotes, that determines a fact known to policies, and returns
    /// the fact: `git.branch` for `$(git branch --show-current)`.
    fn substitution(&mut self) -> Option<String> {
        let rest = self.rest();
        let quoted = rest.starts_with('"');
        let inner = rest.trim_start_matches('"').strip_prefix("$(")?;
        let (command, _) = inner.split_once(')')?;
        let command = command.split_whitespace().collect::<Vec<_>>().join(" ");
        // In make, `$(PWD)` is a variable.
        command.starts_with(|c: char| c.is_ascii_lowercase()).then_some(())?;
        let field = phrases::meaning(PhrasePlace::Value, &format!("$({command})"))?;
        if quoted {
            self.at += 1;
        } else {
            while self.any()? != ")" {}
        }
        Some(field.to_owned())
    }

    /// Reads an operator, and returns the policy operator for it (or `is`, `is not`, which have no single
    /// equivalent); `None` if it is unknown.
    pub(super) fn operator(&mut self) -> Option<&'static str> {
        let word = self.any()?;
        let lower = word.to_ascii_lowercase();
        Some(match lower.as_str() {
            "==" | "!=" | "<" | ">" | "<=" | ">=" => {
                ["==", "!=", "<", ">", "<=", ">="].into_iter().find(|known| *known == lower)?
            }
            "is" if self.eat_word("not") => "is not",
            "is" => "is",
            "not" if self.eat_word("in") => "not in",
            "not" if self.eat_word("like") => "not like",
            "not" if self.eat_word("matches") => "not matches",
            // In other languages, these signs separate a name from its value.
            ":" | ":=" | "->" | "=>" => return None,
            operator if words::OPERATORS.contains(&operator) => {
                words::OPERATORS.iter().copied().find(|known| *known == operator)?
            }
            _ if let Some(operator) = phrases::meaning(PhrasePlace::Operator, word) => operator,
            _ => {
                let operator = phrases::meaning(PhrasePlace::Operator, &format!("{word} {}", self.text()))?;
                self.at += 1;
                operator
            }
        })
    }

    /// Reads the arguments of a call in parentheses, split at its commas; `None` if it is not closed.
    pub(in crate::syntax) fn arguments(&mut self) -> Option<Vec<&'a str>> {
        let mut inside = self.inside(self.at).filter(|_| self.text() == "(")?;
        self.at += inside.length;
        inside.parts.pop_if(|last| last.is_empty());
        (inside.close.text(self.source) == ")").then_some(inside.parts)
    }

    /// Reads a list in brackets, braces or parentheses, and returns it in the syntax of policies.
    pub(super) fn list(&mut self) -> Option<String> {
        Some(format!("[{}]", self.elements()?.join(", ")))
    }

    /// Reads the elements of a list in brackets, braces or parentheses; `None` if there is no list of values.
    fn elements(&mut self) -> Option<Vec<String>> {
        let close = match self.text() {
            "[" => "]",
            "(" => ")",
            "{" => "}",
            _ => return None,
        };
        self.at += 1;
        let mut elements = Vec::new();
        while !self.eat(close) {
            // A query of SQL in parentheses is not a list of values.
            (!self.text().eq_ignore_ascii_case("select")).then_some(())?;
            elements.push(self.value()?.0);
            let _separated = self.eat(",");
        }
        Some(elements)
    }

    /// Reads a value or a list of values, and returns the values.
    pub(super) fn texts(&mut self) -> Option<Vec<String>> {
        if matches!(self.text(), "[" | "(" | "{") {
            return self.elements();
        }
        Some(vec![self.value()?.0])
    }

    /// Reads a value, and returns it in the syntax of policies with whether the source was foreign; `None` if there
    /// is none.
    pub(super) fn value(&mut self) -> Option<(String, bool)> {
        let text = self.text();
        match self.kind()? {
            TokenKind::Text | TokenKind::Number | TokenKind::Regex | TokenKind::JsonPath => {
                self.at += 1;
                Some((text.to_owned(), false))
            }
            TokenKind::OpenBracket => {
                let elements = self.elements()?;
                let is_ours = text == "[" && !self.bare_words_are_text;
                match elements.as_slice() {
                    [only] if text == "(" => Some((only.clone(), true)),
                    [] => None,
                    _ => Some((format!("[{}]", elements.join(", ")), !is_ours)),
                }
            }
            TokenKind::Word if self.text_at(1) == "::" => {
                self.at += 2;
                Some((self.take(TokenKind::Text)?.to_owned(), true))
            }
            TokenKind::Word
                if self.glued(1) && matches!(text, "r" | "b" | "f" | "u") && self.text_at(1).starts_with('"') =>
            {
                self.at += 1;
                Some((self.take(TokenKind::Text)?.to_owned(), true))
            }
            TokenKind::Word if matches!(text, "True" | "TRUE") => self.take_as("true"),
            TokenKind::Word if matches!(text, "False" | "FALSE") => self.take_as("false"),
            TokenKind::Word if self.bare_words_are_text => self.take_as(&format!("\"{text}\"")),
            TokenKind::Word => {
                self.at += 1;
                Some((text.to_owned(), false))
            }
            TokenKind::Punctuation if text == "$" && self.text_at(1).contains('/') => {
                let (variable, rest) = self.text_at(1).split_once('/')?;
                let path = match phrases::meaning(PhrasePlace::Directory, &format!("${variable}"))? {
                    "project" => rest.to_owned(),
                    "home" => format!("~/{rest}"),
                    _ => return None,
                };
                self.at += 2;
                Some((format!("\"{path}\""), true))
            }
            TokenKind::Punctuation if text == "$" => Some((self.field()?.0, true)),
            _ => None,
        }
    }

    /// Moves past the next token, and returns `value` in its place, marked as foreign.
    fn take_as(&mut self, value: &str) -> Option<(String, bool)> {
        self.at += 1;
        Some((value.to_owned(), true))
    }

    /// Reads a value that may lack its quotes, and returns it with quotes; `None` if there is none.
    pub(super) fn bare_value(&mut self) -> Option<String> {
        match self.kind()? {
            TokenKind::Text => self.any().map(str::to_owned),
            TokenKind::Word | TokenKind::Punctuation => {
                let first = self.peek()?;
                let mut end = first.end;
                self.at += 1;
                while self.glued(0) && self.kind() != Some(TokenKind::CloseBracket) {
                    end = self.peek()?.end;
                    self.at += 1;
                }
                Some(format!("\"{}\"", self.source.get(first.start..end)?))
            }
            _ => None,
        }
    }

    /// Reads a regex in any notation (`/a/`, `"a"`, `r"a"`, `m/a/i`, `^a`), and returns it as a regex literal of a
    /// policy; `None` if there is none.
    pub(super) fn regex(&mut self) -> Option<String> {
        let text = self.rest().trim_end();
        let quoted = text.strip_prefix('r').filter(|text| text.starts_with(['"', '\''])).unwrap_or(text);
        let regex = if self.kind() == Some(TokenKind::Regex) {
            return self.any().map(str::to_owned);
        } else if let Some(inner) = quoted.strip_prefix(['"', '\'']) {
            let closing = quoted.get(..1)?;
            let is_raw = quoted.len() < text.len() || closing == "'";
            let end = inner.find(closing)?;
            (end + 1 == inner.len()).then_some(())?;
            let inner = inner.get(..end)?;
            let (case, inner) = match inner.strip_prefix("(?i)") {
                Some(inner) => ("i", inner),
                None => ("", inner),
            };
            let inner = if is_raw { inner.to_owned() } else { inner.replace("\\\\", "\\") };
            format!("/{}/{case}", slashes_escaped(&inner))
        } else if let Some(inner) = text.strip_prefix("m/").or_else(|| text.strip_prefix("m{")) {
            let end = inner.rfind(['/', '}'])?;
            format!("/{}/{}", slashes_escaped(inner.get(..end)?), inner.get(end + 1..)?)
        } else if text.starts_with('^') || text.ends_with('$') {
            let end = text.find(char::is_whitespace).unwrap_or(text.len());
            let inner = text.get(..end)?;
            (end == text.len() || text.ends_with(']')).then_some(())?;
            format!("/{}/", slashes_escaped(inner))
        } else {
            return None;
        };
        while !self.is_done() && self.text() != "]" {
            self.at += 1;
        }
        Some(regex)
    }
}

/// Returns the field after another language's name for the whole payload: `tool_name` for `input.tool_name`; else
/// `None`.
fn field_of_payload(text: &str) -> Option<&str> {
    let rest = ["input.", "payload.", "event.", "hook.", "data."].iter().find_map(|front| text.strip_prefix(front))?;
    let first = rest.split('.').next().unwrap_or_default();
    matches!(first, "tool_input" | "tool_name" | "tool_response" | "prompt" | "cwd" | "session_id").then_some(rest)
}

/// Returns a regex with all its slashes escaped.
pub(super) fn slashes_escaped(regex: &str) -> String {
    regex.replace("\\/", "/").replace('/', "\\/")
}

/// Returns a regex that matches exactly a text.
pub(in crate::syntax::diagnose) fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        if "\\.+*?()|[]{}^$/".contains(c) {
            out.push('\\');
        }
        out.push(c);
        out
    })
}

/// Returns a test in the syntax of policies, translated if it is of another language. A leading `not` or `!` is
/// preserved.
pub(super) fn in_policy_syntax(text: &str) -> String {
    let text = text.trim();
    let (not, test) = match text.strip_prefix("not ").or_else(|| text.strip_prefix('!')) {
        Some(test) => ("not ", test.trim()),
        None => ("", text),
    };
    let translated = translate(test).map(|translated| translated.right);
    format!("{not}{}", translated.unwrap_or_else(|| test.to_owned()))
}
