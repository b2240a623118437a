//! Reads the part of Starlark that rules about commands use: calls with strings, lists and names as arguments, and
//! comments. Anything else is an error.
//! <https://github.com/bazelbuild/starlark/blob/master/spec.md>
//!
//! This module does not know which functions exist.

use super::node::{ConfigNode, ConfigValue};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::{SourceFile, Span};

/// The maximum nesting depth of lists.
const MAX_DEPTH: usize = 16;

/// A call on the outermost level of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StarlarkCall {
    /// The name of the function.
    pub(super) function: String,
    /// The span of that name.
    pub(super) name_span: Span,
    /// The positional arguments, in order.
    pub(super) positional: Vec<ConfigNode>,
    /// The named arguments, as a mapping.
    pub(super) named: ConfigNode,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Parses a file to its calls.
///
/// # Errors
/// The first position at which the text is not Starlark, or not a call with literal arguments.
pub(super) fn parse(source: &SourceFile) -> Parsed<Vec<StarlarkCall>> {
    let mut reader = StarlarkReader { source, at: 0 };
    if source.text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    let mut calls = Vec::new();
    loop {
        reader.skip_blank();
        if reader.rest().starts_with(';') {
            reader.at += 1;
        } else if reader.rest().is_empty() {
            return Ok(calls);
        } else {
            calls.push(reader.call()?);
        }
    }
}

struct StarlarkReader<'s> {
    source: &'s SourceFile,
    /// The offset of the next byte.
    at: usize,
}

impl<'s> StarlarkReader<'s> {
    fn rest(&self) -> &'s str {
        self.source.text.get(self.at..).unwrap_or_default()
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.source.id, start, self.at)
    }

    /// Skips white space, line continuations and comments.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let length = match rest.chars().next() {
                Some('#') => rest.find('\n').unwrap_or(rest.len()),
                Some('\\') if rest.starts_with("\\\n") => 2,
                _ => blank,
            };
            if length == 0 {
                return;
            }
            self.at += length;
        }
    }

    /// Skips white space and, if `text` comes next, also `text`; returns whether it did.
    fn take(&mut self, text: &str) -> bool {
        self.skip_blank();
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    /// Reads a name; `None` if no name comes next.
    fn name(&mut self) -> Option<(&'s str, Span)> {
        self.skip_blank();
        let (rest, start) = (self.rest(), self.at);
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = rest.get(..length).filter(|name| name.starts_with(|c: char| !c.is_ascii_digit()))?;
        self.at += length;
        Some((name, self.span_from(start)))
    }

    /// Reads a call with its arguments.
    fn call(&mut self) -> Parsed<StarlarkCall> {
        let Some((name, name_span)) = self.name() else {
            return Err(self.refused("not a call", "write `prefix_rule(…)`"));
        };
        if !self.take("(") {
            let help = "only calls with literal arguments can be imported: write out what the text computes";
            return Err(refusal(name_span, "a statement that is no call", "not a call", help));
        }
        let (mut positional, mut named): (Vec<ConfigNode>, Vec<(ConfigNode, ConfigNode)>) = Default::default();
        while !self.take(")") {
            match self.named_argument()? {
                Some((key, value)) => {
                    if let Some((first, _)) = named.iter().find(|(known, _)| known.kind == key.kind) {
                        let found = Diagnostic::new(Code::IMPORT_SYNTAX, "an argument appears twice in a call");
                        let found = found.label(key.span, "the second").label(first.span, "the first");
                        return Err(Box::new(found.help("remove one of them")));
                    }
                    named.push((key, value));
                }
                None => positional.push(self.value(0)?),
            }
            self.skip_blank();
            if !self.take(",") && !self.rest().starts_with(')') {
                return Err(self.refused("no `,` between two arguments", "write `,` here, or `)` at the end"));
            }
        }
        let span = self.span_from(name_span.range().start);
        let named = ConfigNode { kind: ConfigValue::Map(named), span };
        Ok(StarlarkCall { function: name.to_owned(), name_span, positional, named })
    }

    /// Reads `name = value`; `None` if the argument has no name.
    fn named_argument(&mut self) -> Parsed<Option<(ConfigNode, ConfigNode)>> {
        let start = self.at;
        if let Some((name, span)) = self.name()
            && self.take("=")
        {
            let key = ConfigNode { kind: ConfigValue::Text(name.to_owned()), span };
            return Ok(Some((key, self.value(0)?)));
        }
        self.at = start;
        Ok(None)
    }

    /// Reads a string, a list, `True`, `False` or `None`.
    fn value(&mut self, depth: usize) -> Parsed<ConfigNode> {
        self.skip_blank();
        let start = self.at;
        if depth > MAX_DEPTH {
            return Err(self.refused("nested too deep", "write fewer lists in lists"));
        }
        if let Some(text) = self.string()? {
            self.skip_blank();
            if self.rest().starts_with(['+', '%', '.', '"', '\'']) {
                return Err(self.refused("a string that is computed", "write the string out"));
            }
            return Ok(ConfigNode { kind: ConfigValue::Text(text), span: self.span_from(start) });
        }
        if self.take("[") {
            let mut elements = Vec::new();
            while !self.take("]") {
                elements.push(self.value(depth + 1)?);
                self.skip_blank();
                if !self.take(",") && !self.rest().starts_with(']') {
                    return Err(self.refused("no `,` between two elements", "write `,` here, or `]` at the end"));
                }
            }
            return Ok(ConfigNode { kind: ConfigValue::List(elements), span: self.span_from(start) });
        }
        let kind = match self.name() {
            Some(("True", _)) => ConfigValue::Boolean(true),
            Some(("False", _)) => ConfigValue::Boolean(false),
            Some(("None", _)) => ConfigValue::Null,
            Some((name, span)) => {
                let help = "only strings and lists can be imported: write out the value";
                return Err(refusal(span, &format!("`{name}` is no literal"), "not a string or list", help));
            }
            None => return Err(self.refused("neither a string nor a list", "write a string in quotes, or `[…]`")),
        };
        Ok(ConfigNode { kind, span: self.span_from(start) })
    }

    /// Reads a string literal; `None` if no string comes next.
    fn string(&mut self) -> Parsed<Option<String>> {
        let start = self.at;
        let is_raw = self.rest().starts_with("r\"") || self.rest().starts_with("r'");
        let body = self.source.text.get(self.at + usize::from(is_raw)..).unwrap_or_default();
        let Some(quote) = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| body.starts_with(quote)) else {
            return Ok(None);
        };
        self.at += usize::from(is_raw) + quote.len();
        let mut text = String::new();
        loop {
            let rest = self.rest();
            if rest.starts_with(quote) {
                self.at += quote.len();
                return Ok(Some(text));
            }
            match rest.chars().next() {
                Some('\\') => text.push_str(&self.escape(is_raw)?),
                Some('\n') if quote.len() == 1 => break,
                Some(other) => {
                    text.push(other);
                    self.at += other.len_utf8();
                }
                None => break,
            }
        }
        let end = start + usize::from(is_raw) + quote.len();
        let span = Span::new(self.source.id, start, end);
        Err(refusal(span, "a string without an end", "begins here", &format!("end it with `{quote}`")))
    }

    /// Reads the escape at the current position; a raw string keeps the backslash.
    fn escape(&mut self, is_raw: bool) -> Parsed<String> {
        let start = self.at;
        let mut chars = self.rest().chars().skip(1);
        let escaped = chars.next();
        let digits = |count: usize| -> Option<char> {
            let digits: String = self.rest().chars().skip(2).take(count).collect();
            u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == count).and_then(char::from_u32)
        };
        let (text, length) = match escaped {
            Some(c) if is_raw => (Some(format!("\\{c}")), 1 + c.len_utf8()),
            Some('n') => (Some("\n".to_owned()), 2),
            Some('t') => (Some("\t".to_owned()), 2),
            Some('r') => (Some("\r".to_owned()), 2),
            Some('\n') => (Some(String::new()), 2),
            Some(c @ ('\\' | '\'' | '"')) => (Some(c.to_string()), 2),
            Some('x') => (digits(2).filter(char::is_ascii).map(String::from), 4),
            Some('u') => (digits(4).map(String::from), 6),
            Some('U') => (digits(8).map(String::from), 10),
            _ => (None, 1),
        };
        self.at += length;
        text.ok_or_else(|| {
            let span = Span::new(self.source.id, start, start + 1);
            refusal(span, "an escape that Starlark does not have", "not an escape", "write `\\\\` for a backslash")
        })
    }

    /// Returns the finding about the character at the current position.
    fn refused(&self, message: &str, help: &str) -> Box<Diagnostic> {
        let width = self.rest().chars().next().map_or(0, char::len_utf8);
        refusal(Span::new(self.source.id, self.at, self.at + width), message, "at this place", help)
    }
}

fn refusal(span: Span, message: &str, label: &str, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::IMPORT_SYNTAX, message).label(span, label).help(help))
}
