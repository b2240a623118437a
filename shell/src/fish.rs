//! fish, translated to bash, which [`crate::interpret`] analyses.
//!
//! Blocks, lists and substitutions become those of bash, so that the same code analyses them. A value without a
//! counterpart becomes a variable that is never set ([`UNKNOWN`]); parts that cannot be read are returned next to the
//! translation. The effects of commands are not its concern.

mod builtins;
mod words;

use std::collections::BTreeSet;

use crate::parse::is_reserved;
use crate::translation::{Bounded, Bounds, Fault, Looks, Outcome, Translation};
use words::FishWord;

/// The variable for an unknown value.
const UNKNOWN: &str = "FISH_VALUE";

/// The separators of a substitution's output: only newlines.
const SEPARATORS: &str = "IFS=$'\\n'\n";

/// The variables of a text.
#[derive(Clone, Default)]
struct Variables {
    /// The variables that the text sets.
    set: BTreeSet<String>,
    /// Those that may not hold exactly one value.
    lists: BTreeSet<String>,
}

/// A translation in progress.
struct Translator<'t> {
    text: &'t str,
    at: usize,
    looks: Looks,
    bounds: Bounds,
    unread: Vec<String>,
    /// The variables that the first pass found.
    known: Variables,
    /// The variables found in this pass.
    found: Variables,
    /// The local variables of the open blocks; `functions` counts those that are functions.
    locals: Vec<Vec<String>>,
    functions: usize,
    /// Whether there are substitutions.
    substitutes: bool,
}

/// Translates a text.
///
/// It never fails: parts that cannot be read are in [`Translation::unread`].
pub(super) fn translate(text: &str) -> Translation {
    // The first pass only finds the variables that are lists, which earlier code may depend on.
    let mut first = Translator::new(text, Variables::default(), Bounds::of(text));
    first.whole();
    let mut second = Translator::new(text, first.found, Bounds::of(text));
    let script = second.whole();
    let script = if second.substitutes { format!("{SEPARATORS}{script}") } else { script };
    Translation { script, unread: second.unread }
}

impl Bounded for Translator<'_> {
    fn bounds(&mut self) -> &mut Bounds {
        &mut self.bounds
    }
}

impl<'t> Translator<'t> {
    fn new(text: &'t str, known: Variables, bounds: Bounds) -> Self {
        Self {
            text,
            at: 0,
            looks: Looks::at(text.len()),
            bounds,
            unread: Vec::new(),
            known,
            found: Variables::default(),
            locals: Vec::new(),
            functions: 0,
            substitutes: false,
        }
    }

    /// Translates statement by statement; after one that cannot be read, the rest is not read either.
    fn whole(&mut self) -> String {
        let mut all: Vec<String> = Vec::new();
        loop {
            self.separators();
            if self.ends() == Ok(true) {
                break;
            }
            let from = self.at;
            let before = self.unread.len();
            let is_read = self.statement(&mut all).is_ok() && self.ends().is_ok() && self.at > from;
            if !is_read {
                self.unread.truncate(before);
                self.unread.push(self.text.get(from..).unwrap_or_default().to_owned());
                break;
            }
        }
        all.join("\n")
    }

    /// Whether the text ends here; an error if the budget of looks is spent.
    fn ends(&self) -> Outcome<bool> {
        if self.looks.are_spent() { Err(Fault::Deep) } else { Ok(self.at >= self.text.len()) }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).filter(|_| self.looks.take()).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_here = self.rest().starts_with(sign);
        if is_here {
            self.at += sign.len();
        }
        is_here
    }

    /// Skips blanks, line continuations and comments.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\\') if self.rest().starts_with("\\\n") => self.at += 2,
                Some('#') => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                _ => return,
            }
        }
    }

    fn separators(&mut self) {
        loop {
            self.blanks();
            if !matches!(self.peek(), Some(';' | '\n')) {
                return;
            }
            self.at += 1;
        }
    }

    /// Returns the unquoted word that is next, if a delimiter follows it.
    fn keyword(&self) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(length).unwrap_or(("", rest));
        let ends = behind.is_empty() || behind.starts_with([' ', '\t', '\r', '\n', ';', '&', '|', '<', '>', '(', ')']);
        if ends { word } else { "" }
    }

    fn takes_keyword(&mut self, word: &str) -> bool {
        let is_here = self.keyword() == word;
        if is_here {
            self.at += word.len();
            self.blanks();
        }
        is_here
    }

    fn expect(&mut self, word: &str) -> Outcome<()> {
        if self.takes_keyword(word) { Ok(()) } else { Err(Fault::Syntax) }
    }

    /// Reads the statements of a block, up to its end.
    fn block(&mut self) -> Outcome<String> {
        self.locals.push(Vec::new());
        let body = self.deeper(Self::statements);
        let locals = self.locals.pop().unwrap_or_default();
        let mut body = body?;
        for name in locals {
            // After the block it has its outer value, or another.
            body.push_str(&format!("\n{name}=(${UNKNOWN})"));
        }
        self.written(body)
    }

    fn statements(&mut self) -> Outcome<String> {
        let mut all: Vec<String> = Vec::new();
        loop {
            self.separators();
            if self.ends()? || self.peek() == Some(')') {
                break;
            }
            if matches!(self.keyword(), "end" | "else" | "case") {
                break;
            }
            self.statement(&mut all)?;
        }
        Ok(if all.is_empty() { ":".to_owned() } else { all.join("\n") })
    }

    /// Reads a statement; one that begins with `and` or `or` continues the previous one.
    fn statement(&mut self, all: &mut Vec<String>) -> Outcome<()> {
        let link = if self.takes_keyword("and") {
            Some("&&")
        } else if self.takes_keyword("or") {
            Some("||")
        } else {
            None
        };
        let (text, is_background) = self.chain()?;
        let text = match link.zip(all.pop_if(|_| link.is_some())) {
            Some((link, before)) => format!("{before} {link} {text}"),
            None => text,
        };
        all.push(if is_background { format!("{text} &") } else { text });
        self.blanks();
        match self.peek() {
            None | Some(';' | '\n' | ')') => Ok(()),
            _ if is_background => Ok(()),
            _ => Err(Fault::Syntax),
        }
    }

    /// Reads `a && b || c`; the flag is whether it runs in the background.
    fn chain(&mut self) -> Outcome<(String, bool)> {
        let mut text = self.pipeline()?;
        loop {
            self.blanks();
            let link = match () {
                () if self.takes("&&") => "&&",
                () if self.takes("||") => "||",
                () => break,
            };
            self.separators();
            let next = self.pipeline()?;
            text = format!("{text} {link} {next}");
        }
        let is_background = self.peek() == Some('&') && !self.rest().starts_with("&>") && self.takes("&");
        Ok((text, is_background))
    }

    fn pipeline(&mut self) -> Outcome<String> {
        let mut prefix = "";
        loop {
            self.blanks();
            if self.takes_keyword("not") || self.rest().starts_with("! ") && self.takes("!") {
                prefix = "! ";
            } else if !self.takes_keyword("time") && !self.takes_keyword("and") && !self.takes_keyword("or") {
                break;
            }
        }
        let mut text = self.deeper(Self::command)?;
        loop {
            self.blanks();
            let sign = match () {
                () if self.rest().starts_with("||") => break,
                () if self.takes("|") => "|",
                () if self.takes("&|") || self.takes("2>|") => "|&",
                () => break,
            };
            self.separators();
            let next = self.deeper(Self::command)?;
            text = format!("{text} {sign} {next}");
        }
        self.written(format!("{prefix}{text}"))
    }

    fn command(&mut self) -> Outcome<String> {
        self.blanks();
        let body = match self.keyword() {
            "begin" => {
                self.expect("begin")?;
                let body = self.block()?;
                format!("{{ {body}\n}}")
            }
            "if" => return self.branches(),
            "while" => {
                self.expect("while")?;
                let condition = self.condition()?;
                format!("while {condition}\ndo {}\ndone", self.block()?)
            }
            "for" => self.loop_over()?,
            "switch" => self.switch()?,
            "function" => return self.function(),
            "end" | "else" | "case" | "and" | "or" => return Err(Fault::Syntax),
            _ => return self.simple(),
        };
        self.expect("end")?;
        let redirections = self.redirections()?;
        Ok(format!("{body}{redirections}"))
    }

    /// Reads the condition of `if` and `while`, including the `and` and `or` after it.
    fn condition(&mut self) -> Outcome<String> {
        let mut all = Vec::new();
        self.statement(&mut all)?;
        loop {
            let before = self.at;
            self.separators();
            if !matches!(self.keyword(), "and" | "or") {
                self.at = before;
                return Ok(all.join("\n"));
            }
            self.statement(&mut all)?;
        }
    }

    fn branches(&mut self) -> Outcome<String> {
        self.expect("if")?;
        let condition = self.condition()?;
        let mut text = format!("if {condition}\nthen {}", self.block()?);
        while self.takes_keyword("else") {
            if self.takes_keyword("if") {
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

    fn loop_over(&mut self) -> Outcome<String> {
        self.expect("for")?;
        let name = self.word()?.and_then(|word| word.literal).filter(|name| crate::parse::is_name(name));
        let name = name.ok_or(Fault::Syntax)?;
        self.blanks();
        self.expect("in")?;
        let words: Vec<String> = self.words()?.into_iter().map(|word| word.bash).collect();
        self.found.set.insert(name.clone());
        Ok(format!("for {name} in {}\ndo {}\ndone", words.join(" "), self.block()?))
    }

    fn switch(&mut self) -> Outcome<String> {
        self.expect("switch")?;
        self.blanks();
        let word = self.word()?.ok_or(Fault::Syntax)?;
        let mut text = format!("case {} in", word.bash);
        loop {
            self.separators();
            if !self.takes_keyword("case") {
                break;
            }
            let patterns: Vec<String> = self.words()?.into_iter().map(|word| word.bash).collect();
            text.push_str(&format!("\n({}) {}\n;;", patterns.join("|"), self.block()?));
        }
        text.push_str("\nesac");
        Ok(text)
    }

    fn words(&mut self) -> Outcome<Vec<FishWord>> {
        let mut words = Vec::new();
        loop {
            self.blanks();
            match self.word()? {
                Some(word) => words.push(word),
                None => return Ok(words),
            }
        }
    }

    fn redirections(&mut self) -> Outcome<String> {
        let mut text = String::new();
        loop {
            self.blanks();
            match self.redirection()? {
                Some(redirection) => text.push_str(&redirection),
                None => return Ok(text),
            }
        }
    }

    /// Reads `2> file`, `&> file`, `2>&1`, `>? file`.
    fn redirection(&mut self) -> Outcome<Option<String>> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = rest.split_at_checked(digits).unwrap_or(("", rest));
        if behind.starts_with(">|") {
            return Ok(None);
        }
        let signs = ["&>>", "&>?", "&>", ">>", ">?", ">&", ">", "<&", "<?", "<"];
        let Some(sign) = signs.into_iter().find(|sign| behind.starts_with(sign)) else { return Ok(None) };
        if sign.starts_with('&') && !number.is_empty() {
            return Ok(None);
        }
        self.at += digits + sign.len();
        self.blanks();
        let target = self.word()?.ok_or(Fault::Syntax)?;
        let sign = sign.trim_end_matches('?');
        let blank = if sign.ends_with('&') && sign != "&>" { "" } else { " " };
        Ok(Some(format!(" {number}{sign}{blank}{}", target.bash)))
    }

    fn simple(&mut self) -> Outcome<String> {
        let from = self.at;
        let mut words = Vec::new();
        let mut redirections = String::new();
        loop {
            self.blanks();
            if let Some(redirection) = self.redirection()? {
                redirections.push_str(&redirection);
            } else if let Some(word) = self.word()? {
                words.push(word);
            } else {
                break;
            }
        }
        let Some(first) = words.first() else { return Err(Fault::Syntax) };
        // Only later versions have blocks in braces.
        if first.bash.starts_with('{') && !first.bash.contains(',') {
            return Err(Fault::Syntax);
        }
        let written = self.text.get(from..self.at).unwrap_or_default();
        let text = match first.literal.as_deref().filter(|_| first.is_bare) {
            Some(name) => self.builtin(name, &words, written)?,
            None => None,
        };
        let text = text.unwrap_or_else(|| {
            // A keyword of bash is a program here.
            let sign = if first.literal.as_deref().is_some_and(is_reserved) { "\\" } else { "" };
            let all: Vec<&str> = words.iter().map(|word| word.bash.as_str()).collect();
            format!("{sign}{}", all.join(" "))
        });
        self.written(format!("{text}{redirections}"))
    }
}

#[cfg(test)]
mod tests;
