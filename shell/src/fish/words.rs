//! fish's words: quotes, variables, substitutions, braces.

use super::{FishTranslator, TranslationError, TranslationResult, UNKNOWN};
use crate::parse::is_name;
use crate::quote::quote_unless;

/// A word in bash syntax.
pub(super) struct FishWord {
    pub(super) bash: String,
    /// Its text, if it is known.
    pub(super) literal: Option<String>,
    /// Whether it is unquoted.
    pub(super) is_bare: bool,
    /// Whether it may expand to other than one word.
    pub(super) is_several: bool,
}

/// A word under construction.
struct WordBuilder {
    word: FishWord,
    braces: Vec<OpenBrace>,
    /// The only piece so far: its bash text as a whole word, and within a word.
    alone: Option<(String, String)>,
    pieces: usize,
}

/// An open brace.
struct OpenBrace {
    /// Its offset in the bash text, in bytes.
    start: usize,
    has_comma: bool,
    has_value: bool,
}

impl WordBuilder {
    fn text(&mut self, text: &str) {
        self.pieces += 1;
        let is_plain = |c: char| c.is_alphanumeric() || "-_./:=+@%~".contains(c);
        self.word.bash.push_str(&quote_unless(text, is_plain));
        if let Some(literal) = &mut self.word.literal {
            literal.push_str(text);
        }
    }

    /// Appends text that is quoted or escaped.
    fn quoted(&mut self, text: &str) {
        self.pieces += 1;
        self.word.is_bare = false;
        let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
        self.word.bash.push_str(&quote_unless(text, is_plain));
        if let Some(literal) = &mut self.word.literal {
            literal.push_str(text);
        }
    }

    /// Appends a character that is special in bash, too.
    fn sign(&mut self, sign: &str) {
        self.pieces += 1;
        self.word.bash.push_str(sign);
        self.word.literal = None;
        self.word.is_several = true;
    }

    /// Appends a variable or a substitution: its text as a whole word, and within a word.
    fn value(&mut self, whole: String, part: String) {
        self.pieces += 1;
        self.word.literal = None;
        self.word.is_bare = false;
        if let Some(brace) = self.braces.last_mut() {
            brace.has_value = true;
        }
        if self.pieces == 1 {
            self.alone = Some((whole, part.clone()));
        }
        self.word.bash.push_str(&part);
    }

    /// Appends a brace, or a sign within braces.
    fn brace(&mut self, sign: char) {
        match sign {
            '{' => {
                self.braces.push(OpenBrace { start: self.word.bash.len(), has_comma: false, has_value: false });
                self.sign("{");
            }
            '}' => match self.braces.pop() {
                // Braces around a single variable are removed.
                Some(OpenBrace { start, has_comma: false, has_value: true }) => {
                    self.word.bash.remove(start);
                }
                _ => self.sign("}"),
            },
            ',' => {
                if let Some(brace) = self.braces.last_mut() {
                    brace.has_comma = true;
                }
                self.sign(",");
            }
            // `{1..3}` is not a range.
            _ => self.sign("\\."),
        }
    }

    fn finish(mut self) -> FishWord {
        if let (Some((whole, _)), 1) = (self.alone, self.pieces) {
            self.word.bash = whole;
            self.word.is_several = true;
        }
        self.word
    }
}

impl FishTranslator<'_> {
    /// Reads a word, if one begins here.
    pub(super) fn word(&mut self) -> TranslationResult<Option<FishWord>> {
        let word = FishWord { bash: String::new(), literal: Some(String::new()), is_bare: true, is_several: false };
        let mut open = WordBuilder { word, alone: None, pieces: 0, braces: Vec::new() };
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' | '\n' if !open.braces.is_empty() => self.at += 1,
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '<' | '>' | ')' => break,
                '\\' if self.remaining_text().starts_with("\\\n") => break,
                '\'' | '"' | '\\' => self.quotation(c, &mut open)?,
                '$' if self.remaining_text().starts_with("$(") => {
                    self.at += 1;
                    self.substitution(&mut open)?;
                }
                '$' => self.variable(&mut open, QuoteContext::None)?,
                '(' => self.substitution(&mut open)?,
                '*' | '?' => {
                    self.at += 1;
                    open.sign(c.encode_utf8(&mut [0; 4]));
                }
                '{' => {
                    self.at += 1;
                    open.brace(c);
                }
                '}' | ',' | '.' if !open.braces.is_empty() => {
                    self.at += 1;
                    open.brace(c);
                }
                _ => {
                    self.at += c.len_utf8();
                    open.text(c.encode_utf8(&mut [0; 4]));
                }
            }
        }
        if !open.braces.is_empty() {
            return Err(TranslationError::Syntax);
        }
        if open.pieces == 0 && open.word.bash.is_empty() {
            return Ok(None);
        }
        Ok(Some(open.finish()))
    }

    /// Reads a quoted text or an escaped character.
    fn quotation(&mut self, sign: char, open: &mut WordBuilder) -> TranslationResult<()> {
        self.at += 1;
        match sign {
            '"' => return self.double_quoted(open),
            '\'' => open.quoted(&self.single_quoted()?),
            _ => open.quoted(&self.escape()?),
        }
        Ok(())
    }

    fn single_quoted(&mut self) -> TranslationResult<String> {
        let mut text = String::new();
        loop {
            let c = self.peek().ok_or(TranslationError::Syntax)?;
            self.at += c.len_utf8();
            match (c, self.peek()) {
                ('\'', _) => return Ok(text),
                ('\\', Some(next @ ('\'' | '\\'))) => {
                    self.at += 1;
                    text.push(next);
                }
                _ => text.push(c),
            }
        }
    }

    fn double_quoted(&mut self, open: &mut WordBuilder) -> TranslationResult<()> {
        open.word.is_bare = false;
        // Even an empty string is a word.
        open.word.bash.push_str("''");
        loop {
            let c = self.peek().ok_or(TranslationError::Syntax)?;
            match c {
                '"' => {
                    self.at += 1;
                    open.pieces += 1;
                    return Ok(());
                }
                '\\' => {
                    self.at += 1;
                    match self.peek() {
                        Some(next @ ('"' | '\\' | '$')) => {
                            self.at += 1;
                            open.quoted(next.encode_utf8(&mut [0; 4]));
                        }
                        Some('\n') => self.at += 1,
                        _ => open.quoted("\\"),
                    }
                }
                '$' if self.remaining_text().starts_with("$(") => {
                    self.at += 2;
                    let (script, _) = self.script()?;
                    open.value(format!("\"$({script})\""), format!("\"$({script})\""));
                    // It is not a list.
                    open.pieces += 1;
                }
                '$' => {
                    self.variable(open, QuoteContext::Double)?;
                    open.pieces += 1;
                }
                _ => {
                    let rest = self.remaining_text();
                    let length = rest.find(['"', '\\', '$']).unwrap_or(rest.len());
                    self.at += length;
                    open.quoted(rest.get(..length).unwrap_or_default());
                }
            }
        }
    }

    fn escape(&mut self) -> TranslationResult<String> {
        let c = self.peek().ok_or(TranslationError::Syntax)?;
        self.at += c.len_utf8();
        let simple = match c {
            'n' => "\n",
            't' => "\t",
            'r' => "\r",
            'a' => "\u{7}",
            'b' => "\u{8}",
            'e' => "\u{1b}",
            'f' => "\u{c}",
            'v' => "\u{b}",
            _ => "",
        };
        if !simple.is_empty() {
            return Ok(simple.to_owned());
        }
        let (radix, most, from) = match c {
            'x' | 'X' => (16, 2, self.at),
            'u' => (16, 4, self.at),
            'U' => (16, 8, self.at),
            '0'..='7' => (8, 3, self.at - 1),
            'c' => {
                let c = self.peek().ok_or(TranslationError::Syntax)?;
                self.at += c.len_utf8();
                let code = u32::from(c.to_ascii_uppercase()) & 0x1f;
                return char::from_u32(code).filter(|c| *c != '\0').map(String::from).ok_or(TranslationError::Syntax);
            }
            _ => return Ok(c.to_string()),
        };
        let digits: String = self.text.get(from..).unwrap_or_default().chars().take(most).collect();
        let digits: String = digits.chars().take_while(|c| c.is_digit(radix)).collect();
        self.at = from + digits.len();
        let code = u32::from_str_radix(&digits, radix).map_err(|_| TranslationError::Syntax)?;
        char::from_u32(code).filter(|c| *c != '\0').map(String::from).ok_or(TranslationError::Syntax)
    }

    /// Reads `(…)` from its parenthesis on, and a following subscript.
    fn substitution(&mut self, open: &mut WordBuilder) -> TranslationResult<()> {
        self.at += 1;
        let (script, is_file) = self.script()?;
        self.substitutes = true;
        if self.peek() == Some('[') {
            self.subscript()?;
            let unknown = format!("${{{UNKNOWN}:-$({script})}}");
            open.value(unknown.clone(), unknown);
        } else if is_file {
            open.value(format!("<({script})"), format!("<({script})"));
        } else {
            open.value(format!("$({script})"), format!("$({script})"));
        }
        open.word.is_several = true;
        Ok(())
    }

    /// Reads the statements of a substitution including the `)`; the flag is whether its output becomes a file.
    fn script(&mut self) -> TranslationResult<(String, bool)> {
        let script = self.block()?;
        if !self.take_sign(")") {
            return Err(TranslationError::Syntax);
        }
        let file = script.strip_suffix(" | psub").map(str::to_owned);
        let is_file = file.is_some();
        let script = file.unwrap_or(script);
        // Two adjacent parentheses would be arithmetic.
        Ok((format!(" {script}\n"), is_file))
    }

    /// Reads `[…]` and returns its contents.
    fn subscript(&mut self) -> TranslationResult<String> {
        let rest = self.remaining_text();
        let end = rest.find(']').ok_or(TranslationError::Syntax)?;
        self.at += end + 1;
        let inner = rest.get(1..end).unwrap_or_default();
        if inner.contains(['(', '"', '\'']) { Err(TranslationError::Syntax) } else { Ok(inner.trim().to_owned()) }
    }

    /// Reads `$name` with its subscript; a `$` without a name is literal.
    fn variable(&mut self, open: &mut WordBuilder, quotes: QuoteContext) -> TranslationResult<()> {
        self.at += 1;
        let unknown = match quotes {
            QuoteContext::None => format!("${UNKNOWN}"),
            QuoteContext::Double => format!("\"${UNKNOWN}\""),
        };
        let mut depth = 1;
        while self.take_sign("$") {
            depth += 1;
        }
        let rest = self.remaining_text();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default().to_owned();
        if name.is_empty() {
            open.text("$");
            return Ok(());
        }
        self.at += length;
        let mut subscripts = Vec::new();
        while self.peek() == Some('[') {
            subscripts.push(self.subscript()?);
        }
        let (whole, part) = match subscripts.as_slice() {
            _ if depth > 1 => (unknown.clone(), unknown),
            [] => self.variable_text(&name, unknown),
            [one] => {
                let text = self.element(&name, one).unwrap_or(unknown);
                (text.clone(), text)
            }
            _ => (unknown.clone(), unknown),
        };
        let whole = if quotes == QuoteContext::Double { part.clone() } else { whole };
        open.value(whole, part);
        Ok(())
    }

    /// Returns a variable as a whole word, and within a word.
    fn variable_text(&self, name: &str, unknown: String) -> (String, String) {
        let is_list = self.known.lists.contains(name);
        match name {
            "argv" => ("\"$@\"".to_owned(), unknown),
            "status" => ("$?".to_owned(), "$?".to_owned()),
            "fish_pid" => ("$$".to_owned(), "$$".to_owned()),
            _ if !is_name(name) => (unknown.clone(), unknown),
            _ if is_list => (format!("\"${{{name}[@]}}\""), unknown),
            _ if self.known.set.contains(name) => (format!("\"${{{name}[@]}}\""), format!("\"${{{name}[*]}}\"")),
            _ => (format!("${name}"), format!("\"${name}\"")),
        }
    }

    fn element(&self, name: &str, index: &str) -> Option<String> {
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number > 0);
        match (name, index.split_once("..")) {
            ("argv", None) => number(index).map(|number| format!("\"${{{number}}}\"")),
            ("argv", Some((from, "" | "-1"))) => number(from).map(|from| format!("\"${{@:{from}}}\"")),
            (_, None) if self.known.set.contains(name) => {
                number(index).map(|number| format!("\"${{{name}[{}]}}\"", number - 1))
            }
            _ => None,
        }
    }
}

/// The quotes around a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QuoteContext {
    None,
    Double,
}
