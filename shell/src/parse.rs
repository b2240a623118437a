//! Parses shell text into a tree: the grammar only, without expansions.
//!
//! A separate parser exists because it must read one complete line at a time, as bash does: the lines before a syntax
//! error are known to run. Its time is linear in the text, its recursion is limited to [`DEPTH`], and it keeps the
//! source of every word, with its byte range.

mod compound;
mod condition;
mod heredoc;
mod quotes;
mod tree;
mod words;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::dialect::{DialectFeature, DialectReading};

pub(super) use quotes::{DollarConstruct, EnclosingQuotes, dollar};
pub(super) use tree::{
    CaseArm, ChainOperator, CommandKind, CommandNode, DescriptorName, ItemMode, ListItem, LoopKeyword, RawText,
    RedirectOperator, RedirectTarget, Redirection,
};
pub(super) use words::{assigned_name, is_name};

/// The maximum nesting of commands, quotes and substitutions.
const DEPTH: usize = 32;

/// A parsed text, up to its first invalid line.
#[derive(Debug)]
pub(super) struct Parsed {
    /// The complete lines before the first invalid one, each with its here-documents.
    pub lines: Vec<CommandNode>,
    /// The start of the first invalid line, and why it is invalid. Bash runs the lines before it.
    pub failed: Option<(usize, ParseError)>,
}

impl Parsed {
    /// Whether the text is a single simple command, or a pipe of such commands. They may have redirections only if
    /// these discard standard error (`2>/dev/null`).
    pub(super) fn is_one_pipe(&self) -> bool {
        let drops_errors = |redirect: &Redirection| {
            let targets_dev_null = matches!(&redirect.target, RedirectTarget::Word(raw) if raw.text == "/dev/null");
            let writes = matches!(
                redirect.operator,
                RedirectOperator::Write | RedirectOperator::Clobber | RedirectOperator::Append
            );
            redirect.descriptor == DescriptorName::Number(2) && writes && targets_dev_null
        };
        let is_simple = |node: &CommandNode| match &node.kind {
            CommandKind::Simple { words, .. } => !words.is_empty() && node.redirects.iter().all(drops_errors),
            _ => false,
        };
        match (self.lines.as_slice(), &self.failed) {
            ([CommandNode { kind: CommandKind::Pipeline(commands), redirects, .. }], None) => {
                redirects.is_empty() && commands.iter().all(is_simple)
            }
            ([command], None) => is_simple(command),
            _ => false,
        }
    }
}

impl CommandNode {
    /// Whether the command is only `<file`, possibly after `!`: `$(<file)` is the content of the file. `text` is the
    /// parsed text.
    pub(super) fn is_file(&self, text: &str) -> bool {
        let redirects_input = |redirect: &Redirection| {
            redirect.operator == RedirectOperator::Read
                && matches!(redirect.descriptor, DescriptorName::Implied | DescriptorName::Number(0))
        };
        match &self.kind {
            CommandKind::Simple { assignments, words } if assignments.is_empty() && words.is_empty() => {
                matches!(self.redirects.as_slice(), [redirect] if redirects_input(redirect))
            }
            CommandKind::List(items) if self.redirects.is_empty() => {
                matches!(items.as_slice(), [ListItem { node, wait: ItemMode::Foreground }] if node.is_file(text))
            }
            CommandKind::Group(inner) => {
                text.get(self.span.clone()).is_some_and(|source| source.starts_with('!')) && inner.is_file(text)
            }
            _ => false,
        }
    }
}

/// Returns the elements of a list, such as `b` and `c` of `a=(b c)`; `list` is the source between its parentheses.
pub(super) fn elements(list: &str, reading: &DialectReading) -> Vec<RawText> {
    // Without extended globs, a parenthesis could not occur in an element.
    let mut parser = Parser::new(list, Extglob::On, reading);
    let mut elements = Vec::new();
    loop {
        parser.skip_newlines();
        if !parser.starts_word() {
            return elements;
        }
        let Ok(word) = parser.word(words::WordPosition::Element) else { return elements };
        elements.push(word);
    }
}

/// The reason why a text cannot be parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ParseError {
    /// The text is not valid in its dialect.
    Syntax,
    /// It is nested deeper than [`DEPTH`].
    TooDeep,
    /// It is valid in another dialect only: this shell rejects the text and runs nothing of it.
    OtherDialect,
}

type ParseResult<T> = std::result::Result<T, ParseError>;

/// Whether `@(…)`, `!(…)` and the like are parsed as patterns. In bash this depends on `shopt extglob`, which is only
/// known at run time, so a text is parsed both ways if necessary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extglob {
    Off,
    On,
}

/// Parses a text from the offset `from` on, up to its first invalid line.
pub(super) fn parse(text: &str, from: usize, reading: &DialectReading) -> Parsed {
    read(text, from, TextEnd::End, reading)
}

/// Like [`parse`], for the text between the parentheses of a `$(…)`: a here-document in it may end at the
/// parenthesis.
pub(super) fn parse_substituted(text: &str, from: usize, reading: &DialectReading) -> Parsed {
    read(text, from, TextEnd::Parenthesis, reading)
}

/// Parses a text without extended globs and, if that fails, with them. If both fail, returns the result without them.
fn read(text: &str, at: usize, close: TextEnd, reading: &DialectReading) -> Parsed {
    let plain = Parser { close, at, ..Parser::new(text, Extglob::Off, reading) }.lines();
    if matches!(plain.failed, None | Some((_, ParseError::OtherDialect))) {
        return plain;
    }
    let extended = Parser { close, at, ..Parser::new(text, Extglob::On, reading) }.lines();
    if extended.failed.is_none() { extended } else { plain }
}

/// What comes after the parsed text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TextEnd {
    /// The end of the input.
    End,
    /// The parenthesis that closes a substitution, which may be on the line of a here-document's delimiter.
    Parenthesis,
}

/// A recursive-descent parser at a position of a text.
struct Parser<'a> {
    text: &'a str,
    reading: &'a DialectReading,
    /// The offset of the next byte.
    at: usize,
    /// The current depth of nesting, at most [`DEPTH`].
    depth: usize,
    extglob: Extglob,
    close: TextEnd,
    /// Whether the parser only looks for the end of a substitution's script, whose text is parsed again when the word
    /// is expanded. The texts in the tree are then empty.
    is_skimming: bool,
    /// The here-documents whose bodies begin at the next newline.
    pending: Vec<heredoc::PendingHeredoc>,
    /// The bodies of the here-documents of the current line, in the order of their operators. A body is `None` until it
    /// is read.
    bodies: Vec<Option<RedirectTarget>>,
    /// For each offset after a `((`, the offset after the `)` that closes the inner parenthesis. Cached, because
    /// searching again at every level of nesting would double the work with each level.
    inner_ends: BTreeMap<usize, usize>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, extglob: Extglob, reading: &'a DialectReading) -> Self {
        Self {
            text,
            reading,
            at: 0,
            depth: 0,
            extglob,
            close: TextEnd::End,
            is_skimming: false,
            pending: Vec::new(),
            bodies: Vec::new(),
            inner_ends: BTreeMap::new(),
        }
    }

    /// Parses all lines of the text, up to the first invalid one.
    fn lines(mut self) -> Parsed {
        let mut lines = Vec::new();
        loop {
            self.skip_newlines();
            let start = self.at;
            if self.is_over() {
                return Parsed { lines, failed: None };
            }
            self.bodies.clear();
            match self.line() {
                Ok(mut line) => {
                    heredoc::fill_placeholders(&mut line, &mut self.bodies);
                    lines.push(line);
                }
                Err(fault) => return Parsed { lines, failed: Some((start, fault)) },
            }
        }
    }

    /// Parses the commands up to the end of a line, and the bodies of their here-documents.
    fn line(&mut self) -> ParseResult<CommandNode> {
        let start = self.at;
        let mut items = Vec::new();
        loop {
            let node = self.chain()?;
            self.skip_blanks();
            let wait = match self.peek() {
                _ if self.take_background() => ItemMode::Background,
                Some(b';') if self.is_separator() => {
                    self.take_token(";");
                    ItemMode::Foreground
                }
                Some(b'\n') | None => ItemMode::Foreground,
                _ => return Err(ParseError::Syntax),
            };
            items.push(ListItem { node, wait });
            self.skip_blanks();
            match self.peek() {
                None => break,
                Some(b'\n') => {
                    self.consume_newline();
                    break;
                }
                _ => {}
            }
        }
        self.read_heredoc_bodies();
        Ok(self.list_node(items, start))
    }

    /// Parses the commands of a body, up to a closing word (`done`) or character; an empty body is an error.
    fn list(&mut self) -> ParseResult<CommandNode> {
        let node = self.list_or_nothing()?;
        if node.kind == CommandKind::Empty { Err(ParseError::Syntax) } else { Ok(node) }
    }

    /// Parses the commands of a body, which may be empty.
    fn list_or_nothing(&mut self) -> ParseResult<CommandNode> {
        self.skip_newlines();
        let start = self.at;
        let mut items = Vec::new();
        while !self.ends_list() {
            let node = self.chain()?;
            self.skip_blanks();
            let wait = if self.take_background() {
                ItemMode::Background
            } else if self.is_separator() {
                self.take_token(";");
                ItemMode::Foreground
            } else if self.peek() == Some(b'\n') || self.ends_list() {
                ItemMode::Foreground
            } else {
                return Err(ParseError::Syntax);
            };
            items.push(ListItem { node, wait });
            self.skip_newlines();
        }
        Ok(self.list_node(items, start))
    }

    /// Returns a node for the items of a list. A single foreground item is its own node.
    fn list_node(&self, mut items: Vec<ListItem>, start: usize) -> CommandNode {
        let is_one = items.len() == 1 && items.iter().all(|item| item.wait == ItemMode::Foreground);
        match items.pop() {
            None => self.make_node(CommandKind::Empty, start),
            Some(item) if is_one => item.node,
            Some(item) => {
                items.push(item);
                self.make_node(CommandKind::List(items), start)
            }
        }
    }

    /// Parses `a && b || c`.
    fn chain(&mut self) -> ParseResult<CommandNode> {
        self.skip_blanks();
        let start = self.at;
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let link = match self.peek() {
                Some(b'&') if self.take_token("&&") => ChainOperator::And,
                Some(b'|') if self.take_token("||") => ChainOperator::Or,
                _ => break,
            };
            self.skip_newlines();
            rest.push((link, self.pipeline()?));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(self.make_node(CommandKind::Chain(Box::new(first), rest), start))
    }

    /// Skips any number of `!` and `time -p` before a pipeline. Returns the last of them, `"!"` or `"time"`, or an
    /// empty text if there is none.
    fn skip_prefix(&mut self) -> &'static str {
        let mut prefix = "";
        loop {
            self.skip_blanks();
            match self.reserved_word() {
                Some(("!", end)) => {
                    self.at = end;
                    prefix = "!";
                }
                Some(("time", end)) => {
                    self.at = end;
                    prefix = "time";
                    self.skip_blanks();
                    if let Some(end) = self.word_end("-p") {
                        self.at = end;
                        self.skip_blanks();
                    }
                    if let Some(end) = self.word_end("--") {
                        self.at = end;
                    }
                }
                _ => return prefix,
            }
        }
    }

    /// Parses `! time -p a | b`.
    fn pipeline(&mut self) -> ParseResult<CommandNode> {
        self.skip_blanks();
        let start = self.at;
        let prefix = self.skip_prefix();
        // A prefix may be alone: `time;`.
        let has_no_command = match self.peek() {
            None | Some(b'\n') => true,
            Some(b')') => prefix == "time" && self.is_skimming,
            _ => self.is_separator(),
        };
        if has_no_command && !prefix.is_empty() {
            return Ok(self.make_node(CommandKind::Empty, start));
        }
        let mut commands = vec![self.command()?];
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'|') || self.token_end("||").is_some() {
                break;
            }
            if self.take_token("|&") {
                self.require_feature(DialectFeature::OtherSigns)?;
            } else if !self.take_token("|") {
                break;
            }
            self.skip_newlines();
            commands.push(self.command()?);
        }
        match commands.len() {
            // An inverted or timed command differs from the plain command, so it becomes a group.
            1 if !prefix.is_empty() => {
                let command = commands.pop().ok_or(ParseError::Syntax)?;
                Ok(self.make_node(CommandKind::Group(Box::new(command)), start))
            }
            1 => commands.pop().ok_or(ParseError::Syntax),
            _ => Ok(self.make_node(CommandKind::Pipeline(commands), start)),
        }
    }

    fn make_node(&self, kind: CommandKind, start: usize) -> CommandNode {
        CommandNode { kind, redirects: Vec::new(), span: start..self.at.max(start) }
    }

    /// Fails if the dialect lacks a feature that the text uses.
    fn require_feature(&self, feature: DialectFeature) -> ParseResult<()> {
        if self.reading.has(feature) { Ok(()) } else { Err(ParseError::OtherDialect) }
    }

    /// Runs a function of the parser one level deeper; fails beyond [`DEPTH`].
    fn parse_deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        if self.depth >= DEPTH {
            return Err(ParseError::TooDeep);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}

/// Functions that inspect the text at the current position.
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

    /// Returns a range of the text with its source, which stays empty while skimming.
    fn make_raw(&self, span: Range<usize>) -> RawText {
        let text = if self.is_skimming { String::new() } else { self.slice(span.clone()).to_owned() };
        RawText { text, span }
    }

    /// Returns the source of a raw text, even if it was made while skimming.
    fn text_of(&self, raw: &RawText) -> &'a str {
        self.slice(raw.span.clone())
    }

    /// Returns the offset after line continuations (a backslash and a newline): lines are joined before they are
    /// parsed.
    fn skip_continuations(&self, mut at: usize) -> usize {
        while self.peek_at(at) == Some(b'\\') && self.peek_at(at + 1) == Some(b'\n') {
            at += 2;
        }
        at
    }

    /// Skips blanks, line continuations, and a comment up to the end of its line.
    fn skip_blanks(&mut self) {
        loop {
            self.at = self.skip_continuations(self.at);
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

    /// Skips blanks and newlines, and reads the here-documents after each newline.
    fn skip_newlines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.consume_newline();
        }
    }

    fn consume_newline(&mut self) {
        self.at += 1;
        self.read_heredoc_bodies();
    }

    /// Returns the offset after `token`, if it is next. In the source, it may contain line continuations.
    fn token_end(&self, token: &str) -> Option<usize> {
        let mut at = self.at;
        for byte in token.bytes() {
            at = self.skip_continuations(at);
            if self.peek_at(at) != Some(byte) {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// Consumes `token` if it is next. Returns whether it was.
    fn take_token(&mut self, token: &str) -> bool {
        match self.token_end(token) {
            Some(end) => {
                self.at = end;
                true
            }
            None => false,
        }
    }

    /// Returns the offset after `word`, if it is next, unquoted and not part of a longer word.
    fn word_end(&self, word: &str) -> Option<usize> {
        self.token_end(word).filter(|end| self.peek_at(self.skip_continuations(*end)).is_none_or(is_meta))
    }

    /// Whether a `;` is next that is not part of `;;` or `;&`.
    fn is_separator(&self) -> bool {
        self.peek() == Some(b';') && self.token_end(";;").is_none() && self.token_end(";&").is_none()
    }

    /// Consumes the `&` that runs a command in the background, in zsh also `&!` and `&|`; not `&&` or `&>`. Returns
    /// whether it was next.
    fn take_background(&mut self) -> bool {
        let takes = self.peek() == Some(b'&')
            && self.token_end("&&").is_none()
            && !self.is_at_both_outputs()
            && self.take_token("&");
        if takes && matches!(self.peek(), Some(b'!' | b'|')) && self.reading.has(DialectFeature::ZshSyntax) {
            self.at += 1;
        }
        takes
    }

    /// Whether `&>` is next, in a dialect where it redirects both outputs.
    fn is_at_both_outputs(&self) -> bool {
        self.token_end("&>").is_some() && self.reading.has(DialectFeature::BothOutputs)
    }

    /// Whether a list ends here: at the end of the text, `)`, `;;`, or a word such as `done`.
    fn ends_list(&self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => !self.is_separator(),
            _ => self.reserved_word().is_some_and(|(word, _)| CLOSERS.contains(&word)),
        }
    }

    /// Returns the reserved word of this dialect that is next, and the offset after it.
    fn reserved_word(&self) -> Option<(&'static str, usize)> {
        let first = self.peek()?;
        if first == b'!' && self.extglob == Extglob::On && self.token_end("!(").is_some() {
            return None;
        }
        let starts = |word: &&&str| word.as_bytes().first() == Some(&first);
        let (word, end) = RESERVED.iter().filter(starts).find_map(|word| Some((*word, self.word_end(word)?)))?;
        let is_reserved = match word {
            "function" | "select" | "coproc" | "time" => self.reading.has(DialectFeature::Keywords),
            "[[" | "]]" => self.reading.has(DialectFeature::Conditions),
            _ => true,
        };
        is_reserved.then_some((word, end))
    }
}

/// The reserved words. They are recognised only at the beginning of a command.
const RESERVED: &[&str] = &[
    "if", "then", "elif", "else", "fi", "while", "until", "for", "select", "do", "done", "case", "esac", "function",
    "coproc", "time", "{", "}", "!", "[[", "in", "]]",
];

/// The reserved words that end a list of commands.
const CLOSERS: &[&str] = &["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/// Whether a name is a reserved word.
pub(crate) fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// Whether an unquoted byte ends a word.
fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

#[cfg(test)]
mod tests;
