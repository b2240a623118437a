//! Translates `cmd` into bash. Its built-in commands become cmdlets with the same effect: `del /s x` is
//! `Remove-Item -Recurse x`.

mod built_in;

use super::cursor::Cursor;
use super::script::{group_command, merge_texts};
use super::strings;
use super::value::{PowerShellObject, PowerShellValue, ValuePiece, WildcardMode, paths, write_word};
use super::{LimitedTranslator, Translation, TranslationError, TranslationLimits, TranslationResult, UNKNOWN, quoted};

/// A translation in progress.
struct BatchTranslator {
    /// The position in the text.
    cursor: Cursor,
    /// The remaining depth and length of the translation.
    bounds: TranslationLimits,
}

/// Translates a text from `cmd` into bash. If a command cannot be translated, it and the rest of the text are in
/// [`Translation::unread`].
pub(crate) fn translate_batch(text: &str) -> Translation {
    let mut batch = BatchTranslator { cursor: Cursor::verbatim(text), bounds: TranslationLimits::new(text) };
    let mut script = String::new();
    loop {
        batch.skip_separators();
        if batch.cursor.is_at_end() == Ok(true) {
            return Translation { script, unread: Vec::new() };
        }
        let from = batch.cursor.position();
        match batch.chain() {
            Ok(text) if batch.cursor.is_at_end().is_ok() && batch.cursor.position() > from => {
                script.push_str(&text);
                script.push('\n');
            }
            _ => return Translation { script, unread: vec![batch.cursor.slice_from(from)] },
        }
    }
}

impl LimitedTranslator for BatchTranslator {
    fn limits(&mut self) -> &mut TranslationLimits {
        &mut self.bounds
    }
}

impl BatchTranslator {
    /// Skips white space and the characters that separate commands or words.
    fn skip_separators(&mut self) {
        self.cursor.take_while(|c| c.is_whitespace() || matches!(c, '&' | ';' | ',' | '='));
    }

    fn skip_blanks(&mut self) {
        self.cursor.take_while(|c| matches!(c, ' ' | '\t' | '\r'));
    }

    /// Translates commands joined by `&&`, `||` and `|`.
    fn chain(&mut self) -> TranslationResult<String> {
        let mut text = self.command()?;
        loop {
            self.skip_blanks();
            let operator = ["&&", "||", "|"].into_iter().find(|operator| self.cursor.take_text(operator));
            let Some(operator) = operator else {
                return self.charged(text);
            };
            self.skip_blanks();
            let next = self.command()?;
            text = format!("{} {operator} {}", group_command(&text), group_command(&next));
        }
    }

    /// Translates one command, one level deeper.
    fn command(&mut self) -> TranslationResult<String> {
        self.read_deeper(Self::single_command)
    }

    /// Translates one command: a group, `if`, `for`, a built-in command or a program.
    fn single_command(&mut self) -> TranslationResult<String> {
        self.cursor.take_while(|c| matches!(c, ' ' | '\t' | '@' | ',' | ';' | '='));
        if self.cursor.take_text("(") {
            return self.group();
        }
        if self.cursor.peek() == Some(':') {
            // A `:` begins a label or a comment.
            self.cursor.take_while(|c| c != '\n');
            return Ok(String::new());
        }
        let name = self.name()?;
        let Some(known) = super::value::known_object_text(&name) else {
            return self.program(write_word(&name));
        };
        let lower = known.to_ascii_lowercase();
        match lower.as_str() {
            "rem" => {
                self.cursor.take_while(|c| c != '\n');
                Ok(String::new())
            }
            "if" => self.conditional(),
            "for" => self.for_command(),
            "call" => {
                self.skip_blanks();
                if self.cursor.peek() == Some(':') {
                    self.cursor.take_while(|c| !matches!(c, '\n' | '&' | '|'));
                    return Ok(String::new());
                }
                self.command()
            }
            "set" => self.set_command(),
            "echo" | "echo." => {
                let words = self.words()?;
                let text: Vec<String> = words.items.iter().map(|item| write_word(item)).collect();
                Ok(format!("Write-Output {}{}", text.join("' '"), words.redirects))
            }
            _ => self.built_in(&lower, &known),
        }
    }

    /// Translates `( … )` from after its bracket, with the redirections of the group.
    fn group(&mut self) -> TranslationResult<String> {
        let mut script = String::new();
        loop {
            self.skip_separators();
            if self.cursor.take_text(")") {
                break;
            }
            if self.cursor.is_at_end()? {
                return Err(TranslationError::Syntax);
            }
            let from = self.cursor.position();
            script.push_str(&self.chain()?);
            script.push('\n');
            if self.cursor.position() == from {
                return Err(TranslationError::Syntax);
            }
        }
        let words = self.words()?;
        Ok(format!("{}{}", group_command(&format!("{script}\n")), words.redirects))
    }

    /// Reads the name of a command. A `/` or a path may come directly after a built-in command: `cd\dir`, `del/s`.
    fn name(&mut self) -> TranslationResult<PowerShellObject> {
        const GLUED: &[&str] = &[
            "cd", "chdir", "del", "erase", "rd", "rmdir", "md", "mkdir", "dir", "copy", "move", "type", "echo", "start",
        ];
        for name in GLUED {
            let next = self.cursor.peek_at(name.len());
            if self.cursor.is_at_text(name)
                && matches!(next, Some('/' | '\\' | '.'))
                && !(*name == "start" && next != Some('/'))
            {
                self.cursor.take_text(name);
                return Ok(vec![ValuePiece::Text((*name).to_owned())]);
            }
        }
        self.word(WordEnds::AtBlanks)
    }

    /// Reads a word: removes carets and quotes, and replaces `%NAME%` by a variable. Fails if no word begins here, so
    /// that a loop over words ends.
    fn word(&mut self, ends: WordEnds) -> TranslationResult<PowerShellObject> {
        let from = self.cursor.position();
        let mut item: PowerShellObject = Vec::new();
        let mut text = String::new();
        let mut is_quoted = false;
        while let Some(c) = self.cursor.peek() {
            let is_end = match c {
                '\n' | '\r' => true,
                _ if is_quoted => false,
                '&' | '|' | '<' | '>' | ')' => true,
                ' ' | '\t' => true,
                ',' | ';' | '=' => ends == WordEnds::AtSigns,
                _ => false,
            };
            if is_end {
                break;
            }
            self.cursor.next();
            match c {
                '"' => is_quoted = !is_quoted,
                '^' if !is_quoted => match self.cursor.next() {
                    Some('\n') | None => {}
                    Some(c) => text.push(c),
                },
                '%' | '!' => {
                    let value = self.variable(c);
                    match value {
                        Some(value) => {
                            if !text.is_empty() {
                                item.push(ValuePiece::Text(std::mem::take(&mut text)));
                            }
                            item.extend(value.join_items(" "));
                        }
                        None => text.push(c),
                    }
                }
                c => text.push(c),
            }
        }
        if self.cursor.position() == from {
            return Err(TranslationError::Syntax);
        }
        if !text.is_empty() {
            item.push(ValuePiece::Text(text));
        }
        Ok(item)
    }

    /// Reads the rest of a variable after its sign: `%NAME%`, `%NAME:a=b%`, `%%i`, `%i`, `%~dp0`, `%1`. `None` if the
    /// sign is literal.
    fn variable(&mut self, sign: char) -> Option<PowerShellValue> {
        let from = self.cursor.position();
        if sign == '%' && self.cursor.peek() == Some('%') {
            self.cursor.next();
        }
        let name = self.cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '(' | ')') || c == '~');
        let has_modification = self.cursor.peek() == Some(':') && self.closing_sign() == Some(sign);
        if has_modification {
            // A substring or a replacement of the value, which is then unknown.
            self.cursor.take_while(|c| c != sign);
            self.cursor.next();
            return Some(PowerShellValue::unknown_from([&strings::variable_value(&format!("env:{name}"))]));
        }
        if !name.is_empty() && self.cursor.peek() == Some(sign) {
            self.cursor.next();
            return Some(match name.to_ascii_lowercase().as_str() {
                "cd" => PowerShellValue::variable("PWD"),
                _ => strings::variable_value(&format!("env:{name}")),
            });
        }
        self.cursor.seek(from);
        if sign == '!' {
            return None;
        }
        self.cursor.take_text("%");
        let is_modified = self.cursor.take_text("~");
        match self.cursor.peek() {
            // An argument of the batch file.
            Some(c) if c.is_ascii_digit() || c == '*' => {
                self.cursor.next();
                Some(PowerShellValue::unknown())
            }
            Some(_) if is_modified => {
                self.cursor.take_while(char::is_alphanumeric);
                Some(PowerShellValue::unknown())
            }
            // The variable of a `for` loop.
            Some(c) if c.is_ascii_alphabetic() => {
                self.cursor.next();
                Some(PowerShellValue::variable(format!("each_{}", c.to_ascii_lowercase())))
            }
            _ => {
                self.cursor.seek(from);
                None
            }
        }
    }

    /// Returns the next `%` or `!` on this line, within 200 characters; `None` if there is none.
    fn closing_sign(&self) -> Option<char> {
        (1..200).map_while(|at| self.cursor.peek_at(at)).take_while(|c| *c != '\n').find(|c| matches!(c, '%' | '!'))
    }

    /// Reads the arguments and redirections of a command.
    fn words(&mut self) -> TranslationResult<BatchWords> {
        let mut words = BatchWords::default();
        loop {
            self.skip_blanks();
            match self.cursor.peek() {
                None | Some('\n' | '\r' | '&' | '|' | ')') => return Ok(words),
                _ => {}
            }
            if let Some(redirect) = self.redirect()? {
                words.redirects.push_str(&redirect);
                continue;
            }
            let from = self.cursor.position();
            let item = self.word(WordEnds::AtBlanks)?;
            words.raw.push(self.cursor.slice(from, self.cursor.position()));
            words.items.push(item);
        }
    }

    /// Translates a redirection: `> file`, `2>> file`, `2>&1`, `< file`; `None` if none begins here.
    fn redirect(&mut self) -> TranslationResult<Option<String>> {
        let number = self.cursor.peek().filter(char::is_ascii_digit);
        let sign_at = usize::from(number.is_some());
        let Some(sign @ ('<' | '>')) = self.cursor.peek_at(sign_at) else { return Ok(None) };
        if number.is_some() {
            self.cursor.next();
        }
        self.cursor.next();
        let appends = self.cursor.take_text(">");
        let number = number.map(String::from).unwrap_or_default();
        if self.cursor.take_text("&") {
            let to = self.cursor.take_while(|c| c.is_ascii_digit());
            if to.is_empty() {
                return Err(TranslationError::Syntax);
            }
            return Ok(Some(format!(" {number}{sign}&{to}")));
        }
        self.skip_blanks();
        let target = self.word(WordEnds::AtBlanks)?;
        let is_nothing = super::value::known_object_text(&target).is_some_and(|name| name.eq_ignore_ascii_case("nul"));
        let target = if is_nothing { "/dev/null".to_owned() } else { paths(&target, WildcardMode::Literal).concat() };
        if target.is_empty() {
            return Err(TranslationError::Syntax);
        }
        Ok(Some(format!(" {number}{sign}{} {target}", if appends { ">" } else { "" })))
    }

    /// Translates the call of a program, given its name in bash.
    fn program(&mut self, name: String) -> TranslationResult<String> {
        let words = self.words()?;
        let mut text = name;
        for item in &words.items {
            text.push(' ');
            text.push_str(&write_word(item));
        }
        text.push_str(&words.redirects);
        Ok(text)
    }

    /// Translates `set NAME=value`, `set "NAME=value"`, `set /p` and `set /a`: into an assignment, or into `printenv`
    /// without a value.
    fn set_command(&mut self) -> TranslationResult<String> {
        let words = self.words()?;
        let item = merge_texts(with_blanks(&words.items));
        let Some(ValuePiece::Text(first)) = item.first().cloned() else {
            return Ok(format!("printenv{}", words.redirects));
        };
        // With `/p`, the user enters the value; with `/a`, it is computed. Both are unknown.
        let has_switch = is_switch(&item);
        let text = first.trim_start_matches(|c: char| c == '/' || c.is_whitespace());
        let text = if has_switch { text.get(1..).unwrap_or_default().trim_start() } else { text };
        let Some((name, value)) = text.split_once('=') else {
            return Ok(format!("printenv {}{}", quoted(text), words.redirects));
        };
        let mut value_item: PowerShellObject =
            if value.is_empty() { PowerShellObject::new() } else { vec![ValuePiece::Text(value.to_owned())] };
        value_item.extend(item.into_iter().skip(1));
        let value = if has_switch { PowerShellValue::unknown() } else { PowerShellValue::single(value_item) };
        match strings::variable(&format!("env:{}", name.trim())) {
            strings::VariableTranslation::Variable(name) => {
                Ok(format!("export {name}={}{}", value.word(), words.redirects))
            }
            _ => Ok(value.commands()),
        }
    }

    /// Translates `if [/i] [not] exist file command`, `if a==b command` and the like, from after the `if`, into a `case`
    /// of bash on an unknown value: either the command or the one after `else` may run.
    fn conditional(&mut self) -> TranslationResult<String> {
        loop {
            self.skip_blanks();
            if !(self.cursor.take_text("/i ") || self.cursor.take_keyword("not")) {
                break;
            }
        }
        self.skip_blanks();
        let is_unary_test =
            ["exist", "defined", "errorlevel", "cmdextversion"].into_iter().any(|word| self.cursor.take_keyword(word));
        if is_unary_test {
            self.skip_blanks();
            self.word(WordEnds::AtBlanks)?;
        } else {
            // A comparison: `a==b`, `a EQU b`.
            self.word(WordEnds::AtSigns)?;
            self.skip_blanks();
            if self.cursor.take_text("==") {
                self.skip_blanks();
            } else {
                self.word(WordEnds::AtBlanks)?;
                self.skip_blanks();
            }
            self.word(WordEnds::AtSigns)?;
        }
        self.skip_blanks();
        let body = self.chain()?;
        self.skip_blanks();
        let other = if self.cursor.take_keyword("else") {
            self.skip_blanks();
            self.chain()?
        } else {
            String::new()
        };
        Ok(format!("case \"${{{UNKNOWN}}}\" in\n1)\n{body}\n;;\n*)\n{other}\n;;\nesac"))
    }

    /// Translates `for [/d|/r|/l|/f …] %i in (…) do command`, from after the `for`.
    fn for_command(&mut self) -> TranslationResult<String> {
        let kind = self.loop_kind()?;
        self.cursor.take_text("%");
        self.cursor.take_text("%");
        let name = self.cursor.next().filter(char::is_ascii_alphabetic).ok_or(TranslationError::Syntax)?;
        self.expect_keyword("in")?;
        let set = self.set_text()?;
        self.expect_keyword("do")?;
        self.skip_blanks();
        let body = self.chain()?;
        let list = self.looped_words(kind, &set)?;
        let body = if body.trim().is_empty() { "psloop=" } else { &body };
        let list = if list.trim().is_empty() { "''" } else { &list };
        Ok(format!("for each_{} in {list}; do\n{body}\ndone", name.to_ascii_lowercase()))
    }

    /// Reads the switches of `for`, and returns the letter of the last one; `None` if there are none.
    fn loop_kind(&mut self) -> TranslationResult<Option<char>> {
        self.skip_blanks();
        let mut kind = None;
        while self.cursor.peek() == Some('/') {
            self.cursor.next();
            kind = self.cursor.next().map(|c| c.to_ascii_lowercase());
            self.skip_blanks();
            while self.cursor.peek().is_some_and(|c| c != '%' && c != '/') {
                self.word(WordEnds::AtBlanks)?;
                self.skip_blanks();
            }
        }
        Ok(kind)
    }

    /// Consumes a keyword; fails if it is not next.
    fn expect_keyword(&mut self, keyword: &str) -> TranslationResult<()> {
        self.skip_blanks();
        if self.cursor.take_keyword(keyword) { Ok(()) } else { Err(TranslationError::Syntax) }
    }

    /// Reads the `( … )` of `for`, and returns the text in the brackets.
    fn set_text(&mut self) -> TranslationResult<String> {
        self.skip_blanks();
        if !self.cursor.take_text("(") {
            return Err(TranslationError::Syntax);
        }
        let from = self.cursor.position();
        self.cursor.take_while(|c| c != ')');
        let set = self.cursor.slice(from, self.cursor.position());
        if self.cursor.take_text(")") { Ok(set) } else { Err(TranslationError::Syntax) }
    }

    /// Returns the words of a loop in bash. `kind` is the letter of its switch, and `set` the text in its brackets.
    fn looped_words(&mut self, kind: Option<char>, set: &str) -> TranslationResult<String> {
        match kind {
            None | Some('d') => self.set_words(set),
            Some('f') => match set.trim().strip_prefix('\'').and_then(|set| set.strip_suffix('\'')) {
                Some(command) => {
                    let output = self.translate_nested(command, |batch| {
                        batch.skip_separators();
                        batch.command()
                    });
                    Ok(PowerShellValue::output(output?).word())
                }
                // A text in quotes; the option `usebackq`, with which it is a file, is not told apart here.
                None if set.trim().starts_with('"') => Ok(PowerShellValue::unknown().word()),
                None => Ok(PowerShellValue::output(format!("Get-Content {}", self.set_words(set)?)).word()),
            },
            _ => Ok(format!("${{{UNKNOWN}}}")),
        }
    }

    /// Returns the words in the brackets of `for`, as paths in bash.
    fn set_words(&mut self, set: &str) -> TranslationResult<String> {
        self.translate_nested(set, |batch| {
            let mut words = Vec::new();
            loop {
                batch.cursor.take_while(|c| c.is_whitespace() || matches!(c, ',' | ';' | '='));
                if batch.cursor.is_at_end()? {
                    return Ok(words.join(" "));
                }
                words.extend(paths(&batch.word(WordEnds::AtSigns)?, WildcardMode::Expanded));
            }
        })
    }

    /// Translates a nested text with `read`.
    fn translate_nested<T>(
        &mut self,
        text: &str,
        read: impl FnOnce(&mut Self) -> TranslationResult<T>,
    ) -> TranslationResult<T> {
        let outer = std::mem::replace(&mut self.cursor, Cursor::verbatim(text));
        let result = read(self);
        let inner = std::mem::replace(&mut self.cursor, outer);
        inner.is_at_end().and(result)
    }
}

/// Joins words with blanks into one.
fn with_blanks(words: &[PowerShellObject]) -> PowerShellObject {
    let mut item = PowerShellObject::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            item.push(ValuePiece::Text(" ".to_owned()));
        }
        item.extend(word.iter().cloned());
    }
    item
}

/// The characters that end a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WordEnds {
    /// A word ends at blanks and operators.
    AtBlanks,
    /// A word also ends at `,`, `;` and `=`.
    AtSigns,
}

/// The arguments and redirections of a command.
#[derive(Default)]
struct BatchWords {
    /// The words.
    items: Vec<PowerShellObject>,
    /// The sources of the words.
    raw: Vec<String>,
    /// The redirections, in bash.
    redirects: String,
}

impl BatchWords {
    /// Separates the switches, in lower case, from the operands: `/s/q x` has two switches and one operand.
    fn split_switches(&self) -> (Vec<String>, Vec<PowerShellObject>) {
        let mut switches = Vec::new();
        let mut operands = Vec::new();
        for item in &self.items {
            match super::value::known_object_text(item).filter(|_| is_switch(item)) {
                Some(text) => {
                    let letters = text.split('/').filter(|switch| !switch.is_empty());
                    switches.extend(letters.map(str::to_ascii_lowercase));
                }
                None => operands.push(item.clone()),
            }
        }
        (switches, operands)
    }
}

/// Whether a word begins with `/`.
fn is_switch(item: &PowerShellObject) -> bool {
    matches!(item.first(), Some(ValuePiece::Text(text)) if text.starts_with('/'))
}

/// Returns the name of a program without the extension `.exe` or `.com`.
fn program_name(name: &str) -> &str {
    let end = name.len().saturating_sub(4);
    match (name.get(..end), name.get(end..)) {
        (Some(stem), Some(end)) if [".exe", ".com"].iter().any(|own| own.eq_ignore_ascii_case(end)) => stem,
        _ => name,
    }
}
