//! Translates fish into bash, which [`crate::interpret`] analyses.
//!
//! Blocks, lists and substitutions become those of bash, so that the same code analyses them. A value that bash
//! cannot express becomes a variable that is never set ([`UNKNOWN`]). Parts that cannot be translated are returned
//! with the translation. What commands do is not examined here.

mod builtins;
mod words;

use std::collections::BTreeSet;

use crate::parse::is_reserved;
use crate::translation::{
    LimitedTranslator, LookBudget, Translation, TranslationError, TranslationLimits, TranslationResult,
};
use words::FishWord;

/// The variable that represents an unknown value. It is never set.
const UNKNOWN: &str = "FISH_VALUE";

/// The assignment that makes bash split the output of a substitution as fish does: at newlines only.
const SEPARATORS: &str = "IFS=$'\\n'\n";

/// The variables that a text sets.
#[derive(Clone, Default)]
struct FishVariables {
    /// The names of all of them.
    names: BTreeSet<String>,
    /// The names of those that may have a number of elements other than one.
    lists: BTreeSet<String>,
}

/// A translation in progress.
struct FishTranslator<'t> {
    /// The text that is translated.
    text: &'t str,
    /// The offset of the next character.
    at: usize,
    /// How often the text may still be looked at, which bounds the work.
    looks: LookBudget,
    /// The remaining depth and length of the translation.
    bounds: TranslationLimits,
    /// The parts that cannot be translated.
    unread: Vec<String>,
    /// The variables that an earlier pass over the whole text found; none in the first pass.
    known: FishVariables,
    /// The variables that this pass found so far.
    found: FishVariables,
    /// The local variables of each open block, innermost last.
    locals: Vec<Vec<String>>,
    /// The number of open blocks that are functions.
    functions: usize,
    /// Whether the text has substitutions, so that the separators must be set.
    has_substitutions: bool,
}

/// Translates a text from fish into bash.
///
/// It never fails: parts that cannot be translated are in [`Translation::unread`].
pub(super) fn translate(text: &str) -> Translation {
    // The first pass only finds the variables that are lists: they affect the translation of code before their
    // assignment.
    let mut first_pass = FishTranslator::new(text, FishVariables::default(), TranslationLimits::new(text));
    first_pass.translate_all();
    let mut second_pass = FishTranslator::new(text, first_pass.found, TranslationLimits::new(text));
    let script = second_pass.translate_all();
    let script = if second_pass.has_substitutions { format!("{SEPARATORS}{script}") } else { script };
    Translation { script, unread: second_pass.unread }
}

impl LimitedTranslator for FishTranslator<'_> {
    fn limits(&mut self) -> &mut TranslationLimits {
        &mut self.bounds
    }
}

impl<'t> FishTranslator<'t> {
    fn new(text: &'t str, known: FishVariables, bounds: TranslationLimits) -> Self {
        Self {
            text,
            at: 0,
            looks: LookBudget::new(text.len()),
            bounds,
            unread: Vec::new(),
            known,
            found: FishVariables::default(),
            locals: Vec::new(),
            functions: 0,
            has_substitutions: false,
        }
    }

    /// Translates statement by statement. If one cannot be translated, it and the rest of the text are recorded as
    /// unread.
    fn translate_all(&mut self) -> String {
        let mut statements: Vec<String> = Vec::new();
        loop {
            self.skip_separators();
            if self.is_at_end() == Ok(true) {
                break;
            }
            let from = self.at;
            let before = self.unread.len();
            let is_read = self.statement(&mut statements).is_ok() && self.is_at_end().is_ok() && self.at > from;
            if !is_read {
                self.unread.truncate(before);
                self.unread.push(self.text.get(from..).unwrap_or_default().to_owned());
                break;
            }
        }
        statements.join("\n")
    }

    /// Whether the text ends here. Fails if no looks are left, since the text then only seems to end.
    fn is_at_end(&self) -> TranslationResult<bool> {
        if self.looks.is_spent() { Err(TranslationError::LimitExceeded) } else { Ok(self.at >= self.text.len()) }
    }

    /// Returns the rest of the text, and uses one look. Returns an empty text if no looks are left.
    fn remaining_text(&self) -> &'t str {
        self.text.get(self.at..).filter(|_| self.looks.charge()).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.remaining_text().chars().next()
    }

    /// Consumes a sign if it is next. Returns whether it was.
    fn take_sign(&mut self, sign: &str) -> bool {
        let is_here = self.remaining_text().starts_with(sign);
        if is_here {
            self.at += sign.len();
        }
        is_here
    }

    /// Skips blanks, line continuations and comments.
    fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\\') if self.remaining_text().starts_with("\\\n") => self.at += 2,
                Some('#') => self.at += self.remaining_text().find('\n').unwrap_or(self.remaining_text().len()),
                _ => return,
            }
        }
    }

    /// Skips blanks, semicolons and newlines.
    fn skip_separators(&mut self) {
        loop {
            self.skip_blanks();
            if !matches!(self.peek(), Some(';' | '\n')) {
                return;
            }
            self.at += 1;
        }
    }

    /// Returns the unquoted word of lowercase letters that is next, or an empty text if none is next or no delimiter
    /// follows it.
    fn peek_keyword(&self) -> &'t str {
        let rest = self.remaining_text();
        let length = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(length).unwrap_or(("", rest));
        let is_whole =
            after.is_empty() || after.starts_with([' ', '\t', '\r', '\n', ';', '&', '|', '<', '>', '(', ')']);
        if is_whole { word } else { "" }
    }

    /// Consumes a keyword and the blanks after it, if it is next. Returns whether it was.
    fn take_keyword(&mut self, word: &str) -> bool {
        let is_here = self.peek_keyword() == word;
        if is_here {
            self.at += word.len();
            self.skip_blanks();
        }
        is_here
    }

    /// Consumes a keyword; fails if it is not next.
    fn expect(&mut self, word: &str) -> TranslationResult<()> {
        if self.take_keyword(word) { Ok(()) } else { Err(TranslationError::Syntax) }
    }

    /// Translates the statements of a block, up to the word that ends it. Its local variables are unknown afterwards.
    fn block(&mut self) -> TranslationResult<String> {
        self.locals.push(Vec::new());
        let body = self.read_deeper(Self::statements);
        let locals = self.locals.pop().unwrap_or_default();
        let mut body = body?;
        for name in locals {
            // After the block, the variable has its outer value again, if there is one.
            body.push_str(&format!("\n{name}=(${UNKNOWN})"));
        }
        self.charged(body)
    }

    /// Translates statements up to `end`, `else`, `case` or `)`.
    fn statements(&mut self) -> TranslationResult<String> {
        let mut translated: Vec<String> = Vec::new();
        loop {
            self.skip_separators();
            if self.is_at_end()? || self.peek() == Some(')') {
                break;
            }
            if matches!(self.peek_keyword(), "end" | "else" | "case") {
                break;
            }
            self.statement(&mut translated)?;
        }
        Ok(if translated.is_empty() { ":".to_owned() } else { translated.join("\n") })
    }

    /// Translates a statement and adds it to the list. One that begins with `and` or `or` is joined with the
    /// statement before it.
    fn statement(&mut self, statements: &mut Vec<String>) -> TranslationResult<()> {
        let link = if self.take_keyword("and") {
            Some("&&")
        } else if self.take_keyword("or") {
            Some("||")
        } else {
            None
        };
        let (text, is_background) = self.chain()?;
        let text = match link.zip(statements.pop_if(|_| link.is_some())) {
            Some((link, before)) => format!("{before} {link} {text}"),
            None => text,
        };
        statements.push(if is_background { format!("{text} &") } else { text });
        self.skip_blanks();
        match self.peek() {
            None | Some(';' | '\n' | ')') => Ok(()),
            _ if is_background => Ok(()),
            _ => Err(TranslationError::Syntax),
        }
    }

    /// Translates `a && b || c`. Also returns whether it runs in the background.
    fn chain(&mut self) -> TranslationResult<(String, bool)> {
        let mut text = self.pipeline()?;
        loop {
            self.skip_blanks();
            let link = match () {
                () if self.take_sign("&&") => "&&",
                () if self.take_sign("||") => "||",
                () => break,
            };
            self.skip_separators();
            let next = self.pipeline()?;
            text = format!("{text} {link} {next}");
        }
        let is_background = self.peek() == Some('&') && !self.remaining_text().starts_with("&>") && self.take_sign("&");
        Ok((text, is_background))
    }

    /// Translates `not a | b`.
    fn pipeline(&mut self) -> TranslationResult<String> {
        let mut prefix = "";
        loop {
            self.skip_blanks();
            if self.take_keyword("not") || self.remaining_text().starts_with("! ") && self.take_sign("!") {
                prefix = "! ";
            } else if !self.take_keyword("time") && !self.take_keyword("and") && !self.take_keyword("or") {
                break;
            }
        }
        let mut text = self.read_deeper(Self::command)?;
        loop {
            self.skip_blanks();
            let sign = match () {
                () if self.remaining_text().starts_with("||") => break,
                () if self.take_sign("|") => "|",
                () if self.take_sign("&|") || self.take_sign("2>|") => "|&",
                () => break,
            };
            self.skip_separators();
            let next = self.read_deeper(Self::command)?;
            text = format!("{text} {sign} {next}");
        }
        self.charged(format!("{prefix}{text}"))
    }

    /// Translates a compound or a simple command.
    fn command(&mut self) -> TranslationResult<String> {
        self.skip_blanks();
        let body = match self.peek_keyword() {
            "begin" => {
                self.expect("begin")?;
                let body = self.block()?;
                format!("{{ {body}\n}}")
            }
            "if" => return self.if_statement(),
            "while" => {
                self.expect("while")?;
                let condition = self.condition()?;
                format!("while {condition}\ndo {}\ndone", self.block()?)
            }
            "for" => self.for_loop()?,
            "switch" => self.switch_statement()?,
            "function" => return self.function(),
            "end" | "else" | "case" | "and" | "or" => return Err(TranslationError::Syntax),
            _ => return self.simple_command(),
        };
        self.expect("end")?;
        let redirections = self.redirections()?;
        Ok(format!("{body}{redirections}"))
    }

    /// Translates the condition of `if` or `while`, including the statements after it that begin with `and` or `or`.
    fn condition(&mut self) -> TranslationResult<String> {
        let mut statements = Vec::new();
        self.statement(&mut statements)?;
        loop {
            let before = self.at;
            self.skip_separators();
            if !matches!(self.peek_keyword(), "and" | "or") {
                self.at = before;
                return Ok(statements.join("\n"));
            }
            self.statement(&mut statements)?;
        }
    }

    /// Translates `if`.
    fn if_statement(&mut self) -> TranslationResult<String> {
        self.expect("if")?;
        let condition = self.condition()?;
        let mut text = format!("if {condition}\nthen {}", self.block()?);
        while self.take_keyword("else") {
            if self.take_keyword("if") {
                let condition = self.condition()?;
                text.push_str(&format!("\nelif {condition}\nthen {}", self.block()?));
            } else {
                text.push_str(&format!("\nelse {}", self.block()?));
            }
        }
        self.expect("end")?;
        let redirections = self.redirections()?;
        Ok(format!("{text}\nfi{redirections}"))
    }

    /// Translates `for`, up to its `end`.
    fn for_loop(&mut self) -> TranslationResult<String> {
        self.expect("for")?;
        let name = self.word()?.and_then(|word| word.literal).filter(|name| crate::parse::is_name(name));
        let name = name.ok_or(TranslationError::Syntax)?;
        self.skip_blanks();
        self.expect("in")?;
        let words: Vec<String> = self.words()?.into_iter().map(|word| word.bash).collect();
        self.found.names.insert(name.clone());
        Ok(format!("for {name} in {}\ndo {}\ndone", words.join(" "), self.block()?))
    }

    /// Translates `switch` into `case`, up to its `end`.
    fn switch_statement(&mut self) -> TranslationResult<String> {
        self.expect("switch")?;
        self.skip_blanks();
        let word = self.word()?.ok_or(TranslationError::Syntax)?;
        let mut text = format!("case {} in", word.bash);
        loop {
            self.skip_separators();
            if !self.take_keyword("case") {
                break;
            }
            let patterns: Vec<String> = self.words()?.into_iter().map(|word| word.bash).collect();
            text.push_str(&format!("\n({}) {}\n;;", patterns.join("|"), self.block()?));
        }
        text.push_str("\nesac");
        Ok(text)
    }

    /// Reads words, up to the first character that begins no word.
    fn words(&mut self) -> TranslationResult<Vec<FishWord>> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            match self.word()? {
                Some(word) => words.push(word),
                None => return Ok(words),
            }
        }
    }

    /// Translates consecutive redirections.
    fn redirections(&mut self) -> TranslationResult<String> {
        let mut text = String::new();
        loop {
            self.skip_blanks();
            match self.redirection()? {
                Some(redirection) => text.push_str(&redirection),
                None => return Ok(text),
            }
        }
    }

    /// Translates one redirection: `2> file`, `&> file`, `2>&1`, `>? file`; `None` if none begins here.
    fn redirection(&mut self) -> TranslationResult<Option<String>> {
        let rest = self.remaining_text();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after_number) = rest.split_at_checked(digits).unwrap_or(("", rest));
        if after_number.starts_with(">|") {
            return Ok(None);
        }
        let signs = ["&>>", "&>?", "&>", ">>", ">?", ">&", ">", "<&", "<?", "<"];
        let Some(sign) = signs.into_iter().find(|sign| after_number.starts_with(sign)) else { return Ok(None) };
        if sign.starts_with('&') && !number.is_empty() {
            return Ok(None);
        }
        self.at += digits + sign.len();
        self.skip_blanks();
        let target = self.word()?.ok_or(TranslationError::Syntax)?;
        let sign = sign.trim_end_matches('?');
        let blank = if sign.ends_with('&') && sign != "&>" { "" } else { " " };
        Ok(Some(format!(" {number}{sign}{blank}{}", target.bash)))
    }

    /// Translates a simple command with its redirections.
    fn simple_command(&mut self) -> TranslationResult<String> {
        let from = self.at;
        let mut words = Vec::new();
        let mut redirections = String::new();
        loop {
            self.skip_blanks();
            if let Some(redirection) = self.redirection()? {
                redirections.push_str(&redirection);
            } else if let Some(word) = self.word()? {
                words.push(word);
            } else {
                break;
            }
        }
        let Some(first) = words.first() else { return Err(TranslationError::Syntax) };
        // Blocks in braces exist only in later versions of fish, and are not supported.
        if first.bash.starts_with('{') && !first.bash.contains(',') {
            return Err(TranslationError::Syntax);
        }
        let written = self.text.get(from..self.at).unwrap_or_default();
        let text = match first.literal.as_deref().filter(|_| first.is_bare) {
            Some(name) => self.builtin(name, &words, written)?,
            None => None,
        };
        let text = text.unwrap_or_else(|| {
            // A keyword of bash is the name of a program in fish, so it is escaped.
            let sign = if first.literal.as_deref().is_some_and(is_reserved) { "\\" } else { "" };
            let all: Vec<&str> = words.iter().map(|word| word.bash.as_str()).collect();
            format!("{sign}{}", all.join(" "))
        });
        self.charged(format!("{text}{redirections}"))
    }
}

#[cfg(test)]
mod tests;
