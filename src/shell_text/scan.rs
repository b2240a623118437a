//! One pass over a shell string, which finds the quoting of each placeholder and the words of each command.
//!
//! The time is linear in the length. The scanner knows the common language of sh and bash; where they differ, it
//! assumes the reading that is more dangerous for a value.

mod words;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::syntax::ast::StringLiteral;
use hookrules_shell::Programs;
use hookrules_shell::word::WordPart;

use super::{PlaceholderProblem, PlaceholderProblemKind, code, json_key_before, placeholder_problems};

use words::{CommandList, PendingWord, Redirect, Separator};

/// The deepest nesting of constructs in a string.
const MAX_NESTING: usize = 64;

/// The quoting of a placeholder: its position in quotes and words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Quoting {
    /// Whether the placeholder is inside double quotes.
    pub(super) quoted: bool,
    /// Whether the placeholder is an unquoted whole word.
    pub(super) whole_word: bool,
    /// Whether the placeholder is an argument of a function that the string defines.
    pub(super) is_of_function: bool,
}

/// Scans a shell string, and returns the quoting of each placeholder.
///
/// # Errors
///
/// Every problem, in the order of the placeholders.
pub(super) fn scan(text: &StringLiteral, programs: &Programs) -> Result<Vec<Quoting>, Vec<PlaceholderProblem>> {
    let mut scanner = Scanner {
        bytes: text.value.as_bytes(),
        text,
        programs,
        at: 0,
        next: 0,
        frames: vec![Frame::List(Box::default())],
        heredocs: Vec::new(),
        quotings: vec![Quoting::default(); text.placeholders.len()],
        problems: Vec::new(),
        moves_parameters: false,
        functions: BTreeSet::new(),
        unterminated: false,
    };
    scanner.run();
    scanner.finish()
}

/// An open construct around the current position.
enum Frame {
    /// A list of commands: the whole text, `$(…)`, `(…)`, `<(…)`.
    List(Box<CommandList>),
    /// A text in double quotes.
    Double,
}

/// A here-document whose text has not begun yet.
struct HereDoc {
    delimiter: Vec<u8>,
    strips_tabs: bool,
}

/// The scanner of one shell string.
struct Scanner<'a> {
    bytes: &'a [u8],
    text: &'a StringLiteral,
    programs: &'a Programs,
    /// The current position in `bytes`.
    at: usize,
    /// The index of the next placeholder.
    next: usize,
    /// The open constructs, the innermost last.
    frames: Vec<Frame>,
    /// The here-documents of the current line.
    heredocs: Vec<HereDoc>,
    /// The quoting of each placeholder.
    quotings: Vec<Quoting>,
    /// The problems, each with the index of its placeholder.
    problems: Vec<(usize, PlaceholderProblemKind)>,
    /// Whether the string has a `shift` or `set --` outside functions.
    moves_parameters: bool,
    /// The names of the functions that the string has defined so far.
    functions: BTreeSet<String>,
    /// Whether a quote or bracket is not closed.
    unterminated: bool,
}

impl Scanner<'_> {
    /// Scans the whole string.
    fn run(&mut self) {
        while self.at < self.bytes.len() {
            if self.frames.len() > MAX_NESTING {
                // The words that are not complete have no role yet, so all placeholders count as problems.
                self.problems.extend((0..self.quotings.len()).map(|index| (index, PlaceholderProblemKind::TooDeep)));
                return;
            }
            if let Some(range) = self.placeholder_here() {
                self.handle_placeholder(range);
            } else if matches!(self.frames.last(), Some(Frame::Double)) {
                self.scan_double_quotes_step();
            } else {
                self.scan_list_step();
            }
        }
        self.end_command(Separator::End);
        self.unterminated |= self.frames.len() > 1 || !self.heredocs.is_empty();
    }

    /// Returns the quoting of all placeholders, or the problems.
    fn finish(mut self) -> Result<Vec<Quoting>, Vec<PlaceholderProblem>> {
        if self.moves_parameters {
            self.problems.extend((0..self.quotings.len()).map(|index| (index, PlaceholderProblemKind::Positional)));
        }
        let text = self.text;
        for (index, kind) in self.problems.iter_mut().filter(|it| it.1 == PlaceholderProblemKind::SingleQuotes) {
            let start = text.placeholders.get(*index).map_or(0, |placeholder| placeholder.range.start);
            if let Some(key) = text.value.get(..start).and_then(json_key_before) {
                *kind = PlaceholderProblemKind::QuotedJson(key);
            }
        }
        let mut problems = placeholder_problems(self.problems, &|index| Some(&text.placeholders.get(index)?.name));
        if self.unterminated && problems.is_empty() {
            problems.push(PlaceholderProblem {
                kind: PlaceholderProblemKind::Unterminated,
                name: String::new(),
                span: text.span,
            });
        }
        if problems.is_empty() { Ok(self.quotings) } else { Err(problems) }
    }

    /// Returns a byte of the string; 0 after its end.
    fn byte_at(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// Whether the rest of the string begins with some bytes.
    fn is_at(&self, what: &[u8]) -> bool {
        self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(what))
    }

    /// Returns the innermost list of commands.
    fn list(&mut self) -> Option<&mut CommandList> {
        self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::List(list) => Some(&mut **list),
            Frame::Double => None,
        })
    }

    /// Whether the position is in the body of a function.
    fn is_in_function(&self) -> bool {
        let is_function_open = |list: &CommandList| list.body_depth.is_some() || list.is_function_body;
        self.frames.iter().any(|frame| matches!(frame, Frame::List(list) if is_function_open(list)))
    }

    /// Returns the current word of the innermost list of commands; creates it if there is none.
    fn current_word(&mut self) -> Option<&mut PendingWord> {
        self.list().map(|list| list.word.get_or_insert_default())
    }

    /// Returns the range of the placeholder at the position, if there is one.
    fn placeholder_here(&mut self) -> Option<Range<usize>> {
        // Skip placeholders inside a construct that was skipped as a whole: each already has its problem.
        while self.text.placeholders.get(self.next).is_some_and(|placeholder| placeholder.range.start < self.at) {
            self.next += 1;
        }
        self.text
            .placeholders
            .get(self.next)
            .map(|placeholder| placeholder.range.clone())
            .filter(|r| r.start == self.at)
    }

    /// Adds the placeholder at the position to the current word.
    fn handle_placeholder(&mut self, range: Range<usize>) {
        let index = self.next;
        let quoted = matches!(self.frames.last(), Some(Frame::Double));
        if let Some(quoting) = self.quotings.get_mut(index) {
            quoting.quoted = quoted;
        }
        if self.is_in_function() {
            self.problems.push((index, PlaceholderProblemKind::Positional));
        }
        if let Some(word) = self.current_word() {
            if word.prefix.is_empty() && word.parts == 0 {
                word.first = Some(index);
            }
            word.mixed |= quoted || word.parts > 0;
            word.parts += 1;
            word.placeholders.push(index);
            word.whole.push(code::value(index));
        }
        self.at = range.end;
        self.next += 1;
    }

    /// Adds bytes of literal text to the current word.
    fn append_literal(&mut self, count: usize) {
        let piece = self.bytes.get(self.at..self.at + count).map(String::from_utf8_lossy).unwrap_or_default();
        let piece = piece.into_owned();
        if let Some(word) = self.current_word() {
            if word.parts == 0 {
                word.prefix.push_str(&piece);
            }
            word.mixed = true;
            word.whole.push(WordPart::Text(piece));
        }
        self.at += count;
    }

    /// Skips an expansion up to a position; each placeholder in it is a problem of this kind.
    fn skip_expansion(&mut self, end: Option<usize>, kind: &PlaceholderProblemKind) {
        if let Some(word) = self.current_word() {
            word.parts += 1;
            word.mixed = true;
            word.whole.push(code::expansion());
        }
        self.skip(end, kind);
    }

    /// Skips text up to a position, or up to the end of the string if it is `None`; each placeholder in it is a
    /// problem of this kind.
    fn skip(&mut self, end: Option<usize>, kind: &PlaceholderProblemKind) {
        self.unterminated |= end.is_none();
        let end = end.unwrap_or(self.bytes.len());
        for (index, placeholder) in self.text.placeholders.iter().enumerate().skip(self.next) {
            if placeholder.range.start >= end {
                break;
            }
            self.problems.push((index, kind.clone()));
        }
        self.at = end.max(self.at);
    }

    /// Returns the position after the next occurrence of a byte at or after `from`.
    fn position_after(&self, from: usize, byte: u8) -> Option<usize> {
        let rest = self.bytes.get(from..)?;
        rest.iter().position(|b| *b == byte).map(|found| from + found + 1)
    }

    /// Scans the next piece of a text in double quotes: the closing quote, an escape, an expansion, or a literal byte.
    fn scan_double_quotes_step(&mut self) {
        match self.byte_at(self.at) {
            b'"' => {
                self.at += 1;
                self.frames.pop();
            }
            b'\\' => self.escape(),
            b'$' | b'`' => self.expansion(),
            _ => self.append_literal(1),
        }
    }

    /// Scans the next piece of a list of commands: an operator, a quote, a comment, an expansion, or a literal byte.
    fn scan_list_step(&mut self) {
        let byte = self.byte_at(self.at);
        match byte {
            b'\'' => {
                let end = self.position_after(self.at + 1, b'\'');
                let inside = self.bytes.get(self.at + 1..end.unwrap_or(0).saturating_sub(1)).unwrap_or_default();
                let inside = String::from_utf8_lossy(inside).into_owned();
                if let Some(word) = self.current_word() {
                    if word.parts == 0 {
                        word.prefix.push_str(&inside);
                    }
                    word.mixed = true;
                    word.whole.push(WordPart::Text(inside));
                }
                self.skip(end, &PlaceholderProblemKind::SingleQuotes);
            }
            b'"' => {
                if let Some(word) = self.current_word() {
                    word.mixed = true;
                }
                self.at += 1;
                self.frames.push(Frame::Double);
            }
            b'\\' => self.escape(),
            b'$' | b'`' => self.expansion(),
            b'#' if self.list().is_some_and(|list| list.word.is_none()) => {
                let end = self.position_after(self.at, b'\n').map_or(self.bytes.len(), |end| end - 1);
                self.skip(Some(end), &PlaceholderProblemKind::Comment);
            }
            b' ' | b'\t' | b'\r' => {
                self.end_word();
                self.at += 1;
            }
            b'\n' => {
                self.end_command(Separator::Semicolon);
                self.at += 1;
                self.here_documents();
            }
            b'<' | b'>' => self.redirection(),
            b'(' | b')' | b';' | b'&' | b'|' => self.operator(byte),
            _ => self.append_literal(1),
        }
    }

    /// Scans a backslash and the character after it.
    fn escape(&mut self) {
        let before_placeholder =
            self.text.placeholders.get(self.next).is_some_and(|placeholder| placeholder.range.start == self.at + 1);
        if before_placeholder {
            self.problems.push((self.next, PlaceholderProblemKind::Escaped));
        }
        let quoted = matches!(self.frames.last(), Some(Frame::Double));
        self.at += 1;
        if before_placeholder || self.at >= self.bytes.len() {
            return;
        }
        match self.byte_at(self.at) {
            // The backslash continues the line.
            b'\n' => self.at += 1,
            b'$' | b'`' | b'"' | b'\\' => self.append_literal(1),
            _ if quoted => {
                self.at -= 1;
                self.append_literal(2);
            }
            _ => self.append_literal(1),
        }
    }

    /// Scans the `$` or backtick at the position, unquoted or in double quotes.
    fn expansion(&mut self) {
        let quoted = matches!(self.frames.last(), Some(Frame::Double));
        let start = self.at;
        if self.is_at(b"$((") {
            let end = self.closing(start + 3, b'(', b')', 2);
            self.skip_expansion(end, &PlaceholderProblemKind::Arithmetic);
        } else if self.is_at(b"$[") {
            let end = self.closing(start + 2, b'[', b']', 1);
            self.skip_expansion(end, &PlaceholderProblemKind::Arithmetic);
        } else if self.is_at(b"$(") {
            self.open(2);
        } else if self.is_at(b"${") {
            let end = self.closing(start + 2, b'{', b'}', 1);
            self.skip_expansion(end, &PlaceholderProblemKind::Expansion);
        } else if self.is_at(b"$'") && !quoted {
            let mut end = start + 2;
            while end < self.bytes.len() && self.byte_at(end) != b'\'' {
                end += if self.byte_at(end) == b'\\' { 2 } else { 1 };
            }
            self.skip_expansion((end < self.bytes.len()).then_some(end + 1), &PlaceholderProblemKind::SingleQuotes);
        } else if self.is_at(b"`") {
            let mut end = start + 1;
            while end < self.bytes.len() && self.byte_at(end) != b'`' {
                end += if self.byte_at(end) == b'\\' { 2 } else { 1 };
            }
            self.skip_expansion((end < self.bytes.len()).then_some(end + 1), &PlaceholderProblemKind::Backticks);
        } else {
            let name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let mut end = start + 1;
            while name(self.byte_at(end)) {
                end += 1;
            }
            // Special parameters such as `$?` have one character; a `$` alone is literal.
            if end == start + 1 && matches!(self.byte_at(end), b'?' | b'!' | b'#' | b'*' | b'@' | b'-' | b'$') {
                end += 1;
            }
            if end == start + 1 {
                self.append_literal(1)
            } else {
                self.skip_expansion(Some(end), &PlaceholderProblemKind::Expansion)
            }
        }
    }

    /// Returns the position after the bracket that closes the last of `depth` open ones; brackets in quotes do not
    /// count.
    fn closing(&self, from: usize, open: u8, close: u8, depth: usize) -> Option<usize> {
        let mut depth = depth;
        let mut at = from;
        let mut double = false;
        while at < self.bytes.len() {
            match self.byte_at(at) {
                b'\\' => at += 1,
                b'\'' if !double => at = self.position_after(at + 1, b'\'')? - 1,
                b'"' => double = !double,
                byte if byte == open && !double => depth += 1,
                byte if byte == close && !double => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Enters the list of commands of a substitution, after `marks` bytes that open it.
    fn open(&mut self, marks: usize) {
        if let Some(word) = self.current_word() {
            word.parts += 1;
            word.mixed = true;
        }
        self.at += marks;
        self.frames.push(Frame::List(Box::new(CommandList { ends_at_parenthesis: true, ..CommandList::default() })));
    }

    /// Scans a redirection operator.
    fn redirection(&mut self) {
        // In `2>`, the digits are a descriptor, not a word.
        if let Some(list) = self.list() {
            let is_number = |word: &PendingWord| {
                word.parts == 0 && !word.prefix.is_empty() && word.prefix.bytes().all(|byte| byte.is_ascii_digit())
            };
            if list.word.as_ref().is_some_and(is_number) {
                list.word = None;
            }
        }
        if self.is_at(b"<(") || self.is_at(b">(") {
            self.end_word();
            if let Some(word) = self.current_word() {
                word.is_pipe = true;
            }
            self.open(2);
            return;
        }
        self.end_word();
        let (redirect, length) = if self.is_at(b"<<<") {
            (Redirect::HereString, 3)
        } else if self.is_at(b"<<") {
            return self.here_document_mark();
        } else if [&b">>"[..], b">&", b"<&", b">|", b"<>"].iter().any(|operator| self.is_at(operator)) {
            (Redirect::File, 2)
        } else {
            (Redirect::File, 1)
        };
        self.at += length;
        if let Some(list) = self.list() {
            list.redirect = Some(redirect);
        }
    }

    /// Scans `<<WORD` or `<<-WORD`; the text of the document begins on the next line.
    fn here_document_mark(&mut self) {
        self.at += 2;
        let strips_tabs = self.byte_at(self.at) == b'-';
        self.at += usize::from(strips_tabs);
        while matches!(self.byte_at(self.at), b' ' | b'\t') {
            self.at += 1;
        }
        let start = self.at;
        let mut end = start;
        let mut delimiter = Vec::new();
        while end < self.bytes.len() {
            match self.byte_at(end) {
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
                b'\'' | b'"' | b'\\' => {}
                byte => delimiter.push(byte),
            }
            end += 1;
        }
        self.skip(Some(end), &PlaceholderProblemKind::HereDocument);
        self.heredocs.push(HereDoc { delimiter, strips_tabs });
    }

    /// Skips the texts of the here-documents that the last line began.
    fn here_documents(&mut self) {
        for document in std::mem::take(&mut self.heredocs) {
            let mut end = self.at;
            let mut closed = false;
            while end < self.bytes.len() && !closed {
                let next = self.position_after(end, b'\n').unwrap_or(self.bytes.len() + 1);
                let line = self.bytes.get(end..next - 1).unwrap_or_default();
                let tabs = line.iter().take_while(|byte| document.strips_tabs && **byte == b'\t').count();
                closed = line.get(tabs..) == Some(document.delimiter.as_slice());
                end = next.min(self.bytes.len());
            }
            // A shell only warns about a document without its end, but it is a mistake in a policy.
            self.unterminated |= !closed;
            self.skip(Some(end), &PlaceholderProblemKind::HereDocument);
        }
    }

    /// Scans an operator that ends a command or begins a list.
    fn operator(&mut self, byte: u8) {
        match byte {
            b'(' => self.parenthesis(),
            b')' => self.close_frame(),
            b'|' => {
                let (separator, length) = if self.is_at(b"||") {
                    (Separator::Semicolon, 2)
                } else if self.is_at(b"|&") {
                    (Separator::Pipe, 2)
                } else {
                    (Separator::Pipe, 1)
                };
                self.end_command(separator);
                self.at += length;
            }
            b'&' if self.is_at(b"&>") => {
                self.end_word();
                self.at += 1;
            }
            b';' if self.is_at(b";;") => {
                self.end_command(Separator::Semicolon);
                self.at += 2;
                if let Some(list) = self.list() {
                    list.is_case_pattern = list.open_cases > 0;
                }
            }
            _ => {
                self.end_command(Separator::Semicolon);
                self.at += 1;
            }
        }
    }

    /// Scans a `(`: of a pattern, of arithmetic, of a function, or of a subshell.
    fn parenthesis(&mut self) {
        let is_command_start = self.list().is_some_and(|list| list.simple.program().is_none() && list.word.is_none());
        if self.list().is_some_and(|list| list.is_case_pattern && list.word.is_none()) {
            // The parenthesis begins a pattern of a `case`: `(pattern)`.
            self.at += 1;
        } else if self.is_at(b"((") && is_command_start {
            let end = self.closing(self.at + 2, b'(', b')', 2);
            self.skip_expansion(end, &PlaceholderProblemKind::Arithmetic);
            self.end_command(Separator::Semicolon);
        } else if !is_command_start || self.is_at(b"()") {
            // This is `name()`, and the body of the function has parameters of its own.
            self.end_word();
            let name = self.list().and_then(|list| list.simple.words().first()?.known_text().map(str::to_owned));
            self.functions.extend(name);
            self.end_command(Separator::Semicolon);
            self.at = self.position_after(self.at, b')').unwrap_or(self.bytes.len());
            if let Some(list) = self.list() {
                list.is_body_next = true;
            }
        } else {
            let is_function_body = self.list().is_some_and(|list| std::mem::take(&mut list.is_body_next));
            self.at += 1;
            self.frames.push(Frame::List(Box::new(CommandList {
                ends_at_parenthesis: true,
                is_function_body,
                ..CommandList::default()
            })));
        }
    }

    /// Scans a `)`, which ends a pattern or a list of commands.
    fn close_frame(&mut self) {
        self.end_command(Separator::End);
        self.at += 1;
        let Some(Frame::List(list)) = self.frames.last_mut() else {
            return;
        };
        if list.is_case_pattern {
            list.is_case_pattern = false;
        } else if list.ends_at_parenthesis {
            let inner = std::mem::take(&mut list.placeholders);
            self.frames.pop();
            if let Some(outer) = self.list() {
                outer.placeholders.extend(&inner);
                match &mut outer.word {
                    // The output of the commands becomes part of a word.
                    Some(word) => {
                        word.whole.push(code::expansion());
                        inner.iter().for_each(|index| word.whole.push(code::value(*index)));
                        word.inner.extend(inner);
                    }
                    // The output of the subshell goes into the pipeline.
                    None => outer.pipeline.extend(inner),
                }
            }
        }
    }
}
