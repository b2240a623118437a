//! Words of fish: quotes, variables, substitutions, braces.

use super::{FishTranslator, TranslationError, TranslationResult, UNKNOWN};
use crate::parse::is_name;
use crate::quote::quote_unless;

/// A word of fish, translated into bash.
pub(super) struct FishWord {
    /// The translation.
    pub(super) bash: String,
    /// The text of the word, if it is known.
    pub(super) literal: Option<String>,
    /// Whether no part of it is quoted, so that it may be a keyword or a builtin.
    pub(super) is_bare: bool,
    /// Whether it may expand to no word or to several.
    pub(super) is_several: bool,
}

/// A word that is being translated.
struct WordBuilder {
    /// The word so far.
    word: FishWord,
    /// The open braces, innermost last.
    braces: Vec<OpenBrace>,
    /// The first piece, if it is a variable or a substitution, in two translations: as a whole word, and as a part of a
    /// word.
    alone: Option<(String, String)>,
    /// The number of pieces so far.
    pieces: usize,
}

/// An open brace of a word.
struct OpenBrace {
    /// The offset of the brace in the translation, in bytes.
    start: usize,
    /// Whether a comma is in the braces, so that they expand.
    has_comma: bool,
    /// Whether a variable or a substitution is in the braces.
    has_value: bool,
}

impl WordBuilder {
    /// Appends unquoted text.
    fn push_text(&mut self, text: &str) {
        self.pieces += 1;
        let is_plain = |c: char| c.is_alphanumeric() || "-_./:=+@%~".contains(c);
        self.word.bash.push_str(&quote_unless(text, is_plain));
        if let Some(literal) = &mut self.word.literal {
            literal.push_str(text);
        }
    }

    /// Appends text that is quoted or escaped in the source.
    fn push_quoted(&mut self, text: &str) {
        self.pieces += 1;
        self.word.is_bare = false;
        let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
        self.word.bash.push_str(&quote_unless(text, is_plain));
        if let Some(literal) = &mut self.word.literal {
            literal.push_str(text);
        }
    }

    /// Appends a character that is special in bash too, such as `*`.
    fn push_special(&mut self, sign: &str) {
        self.pieces += 1;
        self.word.bash.push_str(sign);
        self.word.literal = None;
        self.word.is_several = true;
    }

    /// Appends a variable or a substitution: `whole` is its translation as a whole word, `part` that within a word.
    fn push_value(&mut self, whole: String, part: String) {
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

    /// Appends a brace, or a comma or dot within braces.
    fn push_brace(&mut self, sign: char) {
        match sign {
            '{' => {
                self.braces.push(OpenBrace { start: self.word.bash.len(), has_comma: false, has_value: false });
                self.push_special("{");
            }
            '}' => match self.braces.pop() {
                // In fish, braces around a single variable delimit its name: they are removed.
                Some(OpenBrace { start, has_comma: false, has_value: true }) => {
                    self.word.bash.remove(start);
                }
                _ => self.push_special("}"),
            },
            ',' => {
                if let Some(brace) = self.braces.last_mut() {
                    brace.has_comma = true;
                }
                self.push_special(",");
            }
            // In fish, `{1..3}` is not a range, so the dots are escaped.
            _ => self.push_special("\\."),
        }
    }

    /// Returns the finished word. If a variable or substitution is the whole word, it may be several words.
    fn finish(mut self) -> FishWord {
        if let (Some((whole, _)), 1) = (self.alone, self.pieces) {
            self.word.bash = whole;
            self.word.is_several = true;
        }
        self.word
    }
}

impl FishTranslator<'_> {
    /// Translates a word; `None` if none begins here.
    pub(super) fn word(&mut self) -> TranslationResult<Option<FishWord>> {
        let word = FishWord { bash: String::new(), literal: Some(String::new()), is_bare: true, is_several: false };
        let mut builder = WordBuilder { word, alone: None, pieces: 0, braces: Vec::new() };
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\r' | '\n' if !builder.braces.is_empty() => self.at += 1,
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '<' | '>' | ')' => break,
                '\\' if self.remaining_text().starts_with("\\\n") => break,
                '\'' | '"' | '\\' => self.quoted_or_escaped(c, &mut builder)?,
                '$' if self.remaining_text().starts_with("$(") => {
                    self.at += 1;
                    self.substitution(&mut builder)?;
                }
                '$' => self.variable(&mut builder, QuoteContext::None)?,
                '(' => self.substitution(&mut builder)?,
                '*' | '?' => {
                    self.at += 1;
                    builder.push_special(c.encode_utf8(&mut [0; 4]));
                }
                '{' => {
                    self.at += 1;
                    builder.push_brace(c);
                }
                '}' | ',' | '.' if !builder.braces.is_empty() => {
                    self.at += 1;
                    builder.push_brace(c);
                }
                _ => {
                    self.at += c.len_utf8();
                    builder.push_text(c.encode_utf8(&mut [0; 4]));
                }
            }
        }
        if !builder.braces.is_empty() {
            return Err(TranslationError::Syntax);
        }
        if builder.pieces == 0 && builder.word.bash.is_empty() {
            return Ok(None);
        }
        Ok(Some(builder.finish()))
    }

    /// Translates a quoted text, or an escaped character.
    fn quoted_or_escaped(&mut self, sign: char, builder: &mut WordBuilder) -> TranslationResult<()> {
        self.at += 1;
        match sign {
            '"' => return self.double_quoted(builder),
            '\'' => builder.push_quoted(&self.single_quoted()?),
            _ => builder.push_quoted(&self.escape()?),
        }
        Ok(())
    }

    /// Reads the rest of `'…'`, and returns its text.
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

    /// Translates the rest of `"…"`.
    fn double_quoted(&mut self, builder: &mut WordBuilder) -> TranslationResult<()> {
        builder.word.is_bare = false;
        // `''` makes a word even of an empty text.
        builder.word.bash.push_str("''");
        loop {
            let c = self.peek().ok_or(TranslationError::Syntax)?;
            match c {
                '"' => {
                    self.at += 1;
                    builder.pieces += 1;
                    return Ok(());
                }
                '\\' => {
                    self.at += 1;
                    match self.peek() {
                        Some(next @ ('"' | '\\' | '$')) => {
                            self.at += 1;
                            builder.push_quoted(next.encode_utf8(&mut [0; 4]));
                        }
                        Some('\n') => self.at += 1,
                        _ => builder.push_quoted("\\"),
                    }
                }
                '$' if self.remaining_text().starts_with("$(") => {
                    self.at += 2;
                    let (script, _) = self.script()?;
                    builder.push_value(format!("\"$({script})\""), format!("\"$({script})\""));
                    // Within quotes, a substitution is one text: count another piece, so that it is not a list.
                    builder.pieces += 1;
                }
                '$' => {
                    self.variable(builder, QuoteContext::Double)?;
                    builder.pieces += 1;
                }
                _ => {
                    let rest = self.remaining_text();
                    let length = rest.find(['"', '\\', '$']).unwrap_or(rest.len());
                    self.at += length;
                    builder.push_quoted(rest.get(..length).unwrap_or_default());
                }
            }
        }
    }

    /// Reads the rest of an escape, and returns the character that it represents.
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
        let (radix, max_digits, from) = match c {
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
        let digits: String = self.text.get(from..).unwrap_or_default().chars().take(max_digits).collect();
        let digits: String = digits.chars().take_while(|c| c.is_digit(radix)).collect();
        self.at = from + digits.len();
        let code = u32::from_str_radix(&digits, radix).map_err(|_| TranslationError::Syntax)?;
        char::from_u32(code).filter(|c| *c != '\0').map(String::from).ok_or(TranslationError::Syntax)
    }

    /// Translates `(…)`, from its parenthesis on, and a subscript after it. With a subscript, the value is unknown.
    fn substitution(&mut self, builder: &mut WordBuilder) -> TranslationResult<()> {
        self.at += 1;
        let (script, is_file) = self.script()?;
        self.has_substitutions = true;
        if self.peek() == Some('[') {
            self.subscript()?;
            let unknown = format!("${{{UNKNOWN}:-$({script})}}");
            builder.push_value(unknown.clone(), unknown);
        } else if is_file {
            builder.push_value(format!("<({script})"), format!("<({script})"));
        } else {
            builder.push_value(format!("$({script})"), format!("$({script})"));
        }
        builder.word.is_several = true;
        Ok(())
    }

    /// Translates the script of a substitution, up to and including its `)`. Also returns whether `psub` turns its
    /// output into a file.
    fn script(&mut self) -> TranslationResult<(String, bool)> {
        let script = self.block()?;
        if !self.take_sign(")") {
            return Err(TranslationError::Syntax);
        }
        let file = script.strip_suffix(" | psub").map(str::to_owned);
        let is_file = file.is_some();
        let script = file.unwrap_or(script);
        // The blank keeps two adjacent parentheses from being arithmetic in bash.
        Ok((format!(" {script}\n"), is_file))
    }

    /// Reads `[…]`, and returns the text in the brackets. A subscript with quotes or substitutions is not supported.
    fn subscript(&mut self) -> TranslationResult<String> {
        let rest = self.remaining_text();
        let end = rest.find(']').ok_or(TranslationError::Syntax)?;
        self.at += end + 1;
        let inner = rest.get(1..end).unwrap_or_default();
        if inner.contains(['(', '"', '\'']) { Err(TranslationError::Syntax) } else { Ok(inner.trim().to_owned()) }
    }

    /// Translates `$name` and its subscripts. A `$` without a name is literal.
    fn variable(&mut self, builder: &mut WordBuilder, quotes: QuoteContext) -> TranslationResult<()> {
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
            builder.push_text("$");
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
        builder.push_value(whole, part);
        Ok(())
    }

    /// Returns the translation of a variable as a whole word, and as a part of a word.
    fn variable_text(&self, name: &str, unknown: String) -> (String, String) {
        let is_list = self.known.lists.contains(name);
        match name {
            "argv" => ("\"$@\"".to_owned(), unknown),
            "status" => ("$?".to_owned(), "$?".to_owned()),
            "fish_pid" => ("$$".to_owned(), "$$".to_owned()),
            _ if !is_name(name) => (unknown.clone(), unknown),
            _ if is_list => (format!("\"${{{name}[@]}}\""), unknown),
            _ if self.known.names.contains(name) => (format!("\"${{{name}[@]}}\""), format!("\"${{{name}[*]}}\"")),
            _ => (format!("${name}"), format!("\"${name}\"")),
        }
    }

    /// Returns the translation of one or several elements of a list: `$x[1]`, `$argv[2..-1]`. `None` if they are
    /// unknown.
    fn element(&self, name: &str, index: &str) -> Option<String> {
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number > 0);
        match (name, index.split_once("..")) {
            ("argv", None) => number(index).map(|number| format!("\"${{{number}}}\"")),
            ("argv", Some((from, "" | "-1"))) => number(from).map(|from| format!("\"${{@:{from}}}\"")),
            (_, None) if self.known.names.contains(name) => {
                number(index).map(|number| format!("\"${{{name}[{}]}}\"", number - 1))
            }
            _ => None,
        }
    }
}

/// Whether a variable is within double quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QuoteContext {
    None,
    Double,
}
