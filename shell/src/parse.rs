//! Parses bash text into a tree: the grammar only, without expansions.
//!
//! Written for this purpose: it reads one complete line at a time, as bash does, so that the lines before a syntax
//! error are known to run; its time is linear in the text and its recursion limited to [`DEPTH`]; it keeps every word
//! as written, with its byte range.

mod compound;
mod condition;
mod heredoc;
mod quotes;
mod tree;
mod words;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::dialect::{Feature, Reading};

pub(super) use quotes::{Dollar, Inside, dollar};
pub(super) use tree::{Arm, Descriptor, Head, Item, Kind, Link, Node, Operator, Raw, Redirection, Target, Wait};
pub(super) use words::{assigned_name, is_name};

/// The maximum nesting of commands, quotes and substitutions.
const DEPTH: usize = 32;

/// The result of parsing a text.
#[derive(Debug)]
pub(super) struct Parsed {
    /// The valid complete lines, each with its here-documents.
    pub lines: Vec<Node>,
    /// The start of the first invalid line, and the reason. Bash runs the lines before it.
    pub failed: Option<(usize, Fault)>,
}

impl Parsed {
    /// Whether it is a single simple command whose output is the output of the whole text: its only redirections may
    /// discard standard error.
    pub(super) fn is_one_command(&self) -> bool {
        let drops_errors = |one: &Redirection| {
            let is_nowhere = matches!(&one.target, Target::Word(raw) if raw.text == "/dev/null");
            let is_written = matches!(one.operator, Operator::Out | Operator::Over | Operator::Append);
            one.descriptor == Descriptor::Number(2) && is_written && is_nowhere
        };
        match (self.lines.as_slice(), &self.failed) {
            ([Node { kind: Kind::Simple { words, .. }, redirects, .. }], None) => {
                !words.is_empty() && redirects.iter().all(drops_errors)
            }
            _ => false,
        }
    }
}

impl Node {
    /// Whether it is `<file` alone, which `$(<file)` reads.
    pub(super) fn is_file(&self, text: &str) -> bool {
        let is_input = |one: &Redirection| {
            one.operator == Operator::In && matches!(one.descriptor, Descriptor::Own | Descriptor::Number(0))
        };
        match &self.kind {
            Kind::Simple { assignments, words } if assignments.is_empty() && words.is_empty() => {
                matches!(self.redirects.as_slice(), [one] if is_input(one))
            }
            Kind::List(items) if self.redirects.is_empty() => {
                matches!(items.as_slice(), [Item { node, wait: Wait::Waited }] if node.is_file(text))
            }
            Kind::Group(inner) => {
                text.get(self.span.clone()).is_some_and(|own| own.starts_with('!')) && inner.is_file(text)
            }
            _ => false,
        }
    }
}

/// Returns the elements of a list, as written between its parentheses.
pub(super) fn elements(list: &str, reading: &Reading) -> Vec<Raw> {
    // Without extended globs, a parenthesis could not occur there.
    let mut parser = Parser::new(list, Extglob::On, reading);
    let mut elements = Vec::new();
    loop {
        parser.newlines();
        if !parser.starts_word() {
            return elements;
        }
        let Ok(word) = parser.word(words::Spot::Element) else { return elements };
        elements.push(word);
    }
}

/// The reason why a text cannot be parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// Not valid bash.
    Syntax,
    /// Nested deeper than [`DEPTH`].
    Deep,
    /// Valid in another dialect only: the shell that reads it rejects it, and runs nothing of it.
    Foreign,
}

type Result<T> = std::result::Result<T, Fault>;

/// Whether `@(…)` and the like are patterns; in bash this depends on `shopt extglob`, which is only known at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extglob {
    Off,
    On,
}

/// Parses a text from an offset on, as far as it is valid.
pub(super) fn parse(text: &str, from: usize, reading: &Reading) -> Parsed {
    read(text, from, Close::End, reading)
}

/// Parses the text between the parentheses of a substitution.
pub(super) fn parse_substituted(text: &str, from: usize, reading: &Reading) -> Parsed {
    read(text, from, Close::Parenthesis, reading)
}

fn read(text: &str, at: usize, close: Close, reading: &Reading) -> Parsed {
    let plain = Parser { close, at, ..Parser::new(text, Extglob::Off, reading) }.lines();
    if matches!(plain.failed, None | Some((_, Fault::Foreign))) {
        return plain;
    }
    let extended = Parser { close, at, ..Parser::new(text, Extglob::On, reading) }.lines();
    if extended.failed.is_none() { extended } else { plain }
}

/// What ends the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Close {
    /// The end of the input.
    End,
    /// The parenthesis that closes a substitution.
    Parenthesis,
}

struct Parser<'a> {
    text: &'a str,
    reading: &'a Reading,
    at: usize,
    depth: usize,
    extglob: Extglob,
    close: Close,
    /// Whether the parser only looks for the end of a script, which is parsed again when its word is expanded.
    is_skimming: bool,
    /// The here-documents whose bodies begin after the next newline.
    pending: Vec<heredoc::Pending>,
    /// The bodies read so far, in the order of their operators.
    bodies: Vec<Option<Target>>,
    /// The end of the inner of two parentheses, by the offset after them. Cached, because a new search at every level
    /// would double the work with each level.
    doubles: BTreeMap<usize, usize>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, extglob: Extglob, reading: &'a Reading) -> Self {
        Self {
            text,
            reading,
            at: 0,
            depth: 0,
            extglob,
            close: Close::End,
            is_skimming: false,
            pending: Vec::new(),
            bodies: Vec::new(),
            doubles: BTreeMap::new(),
        }
    }

    fn lines(mut self) -> Parsed {
        let mut lines = Vec::new();
        loop {
            self.newlines();
            let start = self.at;
            if self.is_over() {
                return Parsed { lines, failed: None };
            }
            self.bodies.clear();
            match self.line() {
                Ok(mut line) => {
                    heredoc::place(&mut line, &mut self.bodies);
                    lines.push(line);
                }
                Err(fault) => return Parsed { lines, failed: Some((start, fault)) },
            }
        }
    }

    /// Reads up to the end of a line, and the here-documents after it.
    fn line(&mut self) -> Result<Node> {
        let start = self.at;
        let mut items = Vec::new();
        loop {
            let node = self.chain()?;
            self.blanks();
            let wait = match self.peek() {
                _ if self.takes_background() => Wait::Background,
                Some(b';') if self.is_separator() => {
                    self.takes(";");
                    Wait::Waited
                }
                Some(b'\n') | None => Wait::Waited,
                _ => return Err(Fault::Syntax),
            };
            items.push(Item { node, wait });
            self.blanks();
            match self.peek() {
                None => break,
                Some(b'\n') => {
                    self.newline();
                    break;
                }
                _ => {}
            }
        }
        self.heredocs();
        Ok(self.list_of(items, start))
    }

    /// Reads the commands of a body, up to a closing word or character.
    fn list(&mut self) -> Result<Node> {
        let node = self.list_or_nothing()?;
        if node.kind == Kind::Empty { Err(Fault::Syntax) } else { Ok(node) }
    }

    fn list_or_nothing(&mut self) -> Result<Node> {
        self.newlines();
        let start = self.at;
        let mut items = Vec::new();
        while !self.ends_list() {
            let node = self.chain()?;
            self.blanks();
            let wait = if self.takes_background() {
                Wait::Background
            } else if self.is_separator() {
                self.takes(";");
                Wait::Waited
            } else if self.peek() == Some(b'\n') || self.ends_list() {
                Wait::Waited
            } else {
                return Err(Fault::Syntax);
            };
            items.push(Item { node, wait });
            self.newlines();
        }
        Ok(self.list_of(items, start))
    }

    fn list_of(&self, mut items: Vec<Item>, start: usize) -> Node {
        let is_one = items.len() == 1 && items.iter().all(|item| item.wait == Wait::Waited);
        match items.pop() {
            None => self.node(Kind::Empty, start),
            Some(item) if is_one => item.node,
            Some(item) => {
                items.push(item);
                self.node(Kind::List(items), start)
            }
        }
    }

    /// `a && b || c`
    fn chain(&mut self) -> Result<Node> {
        self.blanks();
        let start = self.at;
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.blanks();
            let link = match self.peek() {
                Some(b'&') if self.takes("&&") => Link::And,
                Some(b'|') if self.takes("||") => Link::Or,
                _ => break,
            };
            self.newlines();
            rest.push((link, self.pipeline()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(self.node(Kind::Chain(Box::new(first), rest), start))
    }

    /// Skips `!` and `time -p` before a pipeline, and returns the last of them; without any, an empty text.
    fn prefix(&mut self) -> &'static str {
        let mut prefix = "";
        loop {
            self.blanks();
            match self.reserved() {
                Some(("!", end)) => {
                    self.at = end;
                    prefix = "!";
                }
                Some(("time", end)) => {
                    self.at = end;
                    prefix = "time";
                    self.blanks();
                    if let Some(end) = self.sees_word("-p") {
                        self.at = end;
                        self.blanks();
                    }
                    if let Some(end) = self.sees_word("--") {
                        self.at = end;
                    }
                }
                _ => return prefix,
            }
        }
    }

    /// `! time -p a | b`
    fn pipeline(&mut self) -> Result<Node> {
        self.blanks();
        let start = self.at;
        let prefix = self.prefix();
        let ends = match self.peek() {
            None | Some(b'\n') => true,
            Some(b')') => prefix == "time" && self.is_skimming,
            _ => self.is_separator(),
        };
        if ends && !prefix.is_empty() {
            return Ok(self.node(Kind::Empty, start));
        }
        let mut commands = vec![self.command()?];
        loop {
            self.blanks();
            if self.peek() != Some(b'|') || self.sees("||").is_some() {
                break;
            }
            if self.takes("|&") {
                self.needs(Feature::OtherSigns)?;
            } else if !self.takes("|") {
                break;
            }
            self.newlines();
            commands.push(self.command()?);
        }
        match commands.len() {
            // Its status is inverted or it is timed: it is not the plain command.
            1 if !prefix.is_empty() => {
                let command = commands.pop().ok_or(Fault::Syntax)?;
                Ok(self.node(Kind::Group(Box::new(command)), start))
            }
            1 => commands.pop().ok_or(Fault::Syntax),
            _ => Ok(self.node(Kind::Pipeline(commands), start)),
        }
    }

    fn node(&self, kind: Kind, start: usize) -> Node {
        Node { kind, redirects: Vec::new(), span: start..self.at.max(start) }
    }

    /// Fails if the dialect lacks a feature.
    fn needs(&self, feature: Feature) -> Result<()> {
        if self.reading.has(feature) { Ok(()) } else { Err(Fault::Foreign) }
    }

    /// Runs a parser one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEPTH {
            return Err(Fault::Deep);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}

/// Primitives that inspect the text.
impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.peek_at(self.at)
    }

    fn peek_at(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    fn is_over(&self) -> bool {
        self.at >= self.text.len()
    }

    fn slice(&self, span: Range<usize>) -> &'a str {
        self.text.get(span).unwrap_or_default()
    }

    /// Stores a piece of the text; while skimming, only its range.
    fn raw(&self, span: Range<usize>) -> Raw {
        let text = if self.is_skimming { String::new() } else { self.slice(span.clone()).to_owned() };
        Raw { text, span }
    }

    /// Returns the text of a piece.
    fn text_of(&self, raw: &Raw) -> &'a str {
        self.slice(raw.span.clone())
    }

    /// Skips line continuations at an offset: lines are joined before they are parsed.
    fn joined(&self, mut at: usize) -> usize {
        while self.peek_at(at) == Some(b'\\') && self.peek_at(at + 1) == Some(b'\n') {
            at += 2;
        }
        at
    }

    /// Skips blanks, line continuations, and a comment.
    fn blanks(&mut self) {
        loop {
            self.at = self.joined(self.at);
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'#') => {
                    let rest = self.slice(self.at..self.text.len());
                    self.at += rest.find('\n').unwrap_or(rest.len());
                    return;
                }
                _ => return,
            }
        }
    }

    /// Skips blanks and newlines, and reads the here-documents after these.
    fn newlines(&mut self) {
        loop {
            self.blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.newline();
        }
    }

    fn newline(&mut self) {
        self.at += 1;
        self.heredocs();
    }

    /// Returns the end of a token, if it is next.
    fn sees(&self, sign: &str) -> Option<usize> {
        let mut at = self.at;
        for byte in sign.bytes() {
            at = self.joined(at);
            if self.peek_at(at) != Some(byte) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    fn takes(&mut self, sign: &str) -> bool {
        match self.sees(sign) {
            Some(end) => {
                self.at = end;
                true
            }
            None => false,
        }
    }

    /// Returns the end of an unquoted whole word, if it is next.
    fn sees_word(&self, word: &str) -> Option<usize> {
        self.sees(word).filter(|end| self.peek_at(self.joined(*end)).is_none_or(is_meta))
    }

    /// Whether a `;` is next, and neither `;;` nor `;&`.
    fn is_separator(&self) -> bool {
        self.peek() == Some(b';') && self.sees(";;").is_none() && self.sees(";&").is_none()
    }

    /// Consumes `&`, but neither `&&` nor `&>`. Zsh also has `&!` and `&|`.
    fn takes_background(&mut self) -> bool {
        let takes =
            self.peek() == Some(b'&') && self.sees("&&").is_none() && !self.sees_both_outputs() && self.takes("&");
        if takes && matches!(self.peek(), Some(b'!' | b'|')) && self.reading.has(Feature::OfZsh) {
            self.at += 1;
        }
        takes
    }

    fn sees_both_outputs(&self) -> bool {
        self.sees("&>").is_some() && self.reading.has(Feature::BothOutputs)
    }

    fn ends_list(&self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => !self.is_separator(),
            _ => self.reserved().is_some_and(|(word, _)| CLOSERS.contains(&word)),
        }
    }

    /// Returns the reserved word that is next, and its end.
    fn reserved(&self) -> Option<(&'static str, usize)> {
        let first = self.peek()?;
        if first == b'!' && self.extglob == Extglob::On && self.sees("!(").is_some() {
            return None;
        }
        let starts = |word: &&&str| word.as_bytes().first() == Some(&first);
        let found = RESERVED.iter().filter(starts).find_map(|word| Some((*word, self.sees_word(word)?)))?;
        let is_known = match found.0 {
            "function" | "select" | "coproc" | "time" => self.reading.has(Feature::Keywords),
            "[[" | "]]" => self.reading.has(Feature::Conditions),
            _ => true,
        };
        is_known.then_some(found)
    }
}

/// The reserved words, which are recognised where a command may begin.
const RESERVED: &[&str] = &[
    "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "do", "done", "case", "esac", "function",
    "coproc", "time", "{", "}", "!", "[[", "in", "]]",
];

/// The reserved words that close a construct.
const CLOSERS: &[&str] = &["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/// Whether a name is a reserved word.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// Whether a byte ends a word.
fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

#[cfg(test)]
mod tests;
