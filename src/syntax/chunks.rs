//! Cuts a text with mistakes into pieces that can be parsed separately: items, and the clauses of an item.
//!
//! Unmatched brackets are common here, so lines and indentation count too: an item that begins in column 0 closes
//! everything that is still open, and a `}` closes the bracket that was opened on a line with the same indentation.

use std::ops::Range;

use super::token::{Token, TokenKind, tokenise};
use super::words;

/// The tokens of a file, with their columns and the tokens at which items begin.
pub(super) struct TokenLayout<'a> {
    source: &'a str,
    /// All tokens, including comments and line ends.
    pub(super) tokens: Vec<Token>,
    /// For each token its column, if it is the first on its line; else `None`.
    columns: Vec<Option<usize>>,
    /// For each token, whether an item certainly begins there: in column 0, with a keyword, an annotation, or the
    /// documentation of such a line.
    item_starts: Vec<bool>,
}

/// A piece of a file: a line of documentation, an annotation or an item.
pub(super) struct TokenChunk {
    /// The range of its tokens, as indices into `TokenLayout::tokens`.
    pub(super) range: Range<usize>,
    /// Whether all its brackets were closed.
    pub(super) is_closed: bool,
}

/// A bracket that is open, with the indentation of its line.
struct OpenedBracket {
    text: char,
    indent: usize,
}

impl<'a> TokenLayout<'a> {
    /// Tokenises a text.
    pub(super) fn new(source: &'a str) -> Self {
        let tokens = tokenise_by_items(source);
        let mut columns = Vec::with_capacity(tokens.len());
        let mut line = Some(0);
        for token in &tokens {
            columns.push(line.filter(|_| token.kind != TokenKind::Newline).map(|start| token.start - start));
            line = match token.kind {
                TokenKind::Newline => Some(token.end),
                _ => None,
            };
        }
        let mut layout = Self { source, tokens, columns, item_starts: Vec::new() };
        layout.find_item_starts();
        layout
    }

    /// Returns the text of a token.
    pub(super) fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.text(self.source))
    }

    /// Returns the kind of a token; `None` after the last one.
    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// Whether a token is the first on its line.
    pub(super) fn is_first_on_line(&self, at: usize) -> bool {
        self.columns.get(at).copied().flatten().is_some()
    }

    /// Returns the tokens of a range without comments and line ends.
    pub(super) fn significant(&self, range: Range<usize>) -> Vec<Token> {
        let tokens = self.tokens.get(range).unwrap_or_default();
        tokens.iter().filter(|token| !token.is_trivia()).copied().collect()
    }

    /// Whether a token is a `##` line in column 0.
    pub(super) fn is_doc(&self, at: usize) -> bool {
        self.kind(at) == Some(TokenKind::Comment)
            && self.text(at).starts_with("##")
            && self.columns.get(at) == Some(&Some(0))
    }

    /// Computes `item_starts`. A line of documentation begins an item if the next line that is not a comment does.
    fn find_item_starts(&mut self) {
        let mut item_starts = vec![false; self.tokens.len()];
        // The loop goes backwards, so that `item_follows` is known: whether an item begins on the next line that is no
        // comment.
        let mut item_follows = false;
        for at in (0..self.tokens.len()).rev() {
            let trivia = self.tokens.get(at).is_some_and(|token| token.is_trivia());
            let is_start = self.columns.get(at) == Some(&Some(0))
                && if trivia { self.is_doc(at) && item_follows } else { self.is_item_start(at) };
            if let Some(slot) = item_starts.get_mut(at) {
                *slot = is_start;
            }
            if self.is_first_on_line(at) && !trivia {
                item_follows = is_start;
            }
        }
        self.item_starts = item_starts;
    }

    /// Whether a token and the tokens after it look like the beginning of an item: `rule NAME`, `let NAME`, `use
    /// "…"`, `@name`, or a misspelled `rul NAME {`.
    fn is_item_start(&self, at: usize) -> bool {
        let next = self.kind(at + 1);
        match self.text(at) {
            "@" => next == Some(TokenKind::Word),
            "rule" => {
                matches!(next, Some(TokenKind::Word | TokenKind::Text | TokenKind::Number)) || self.text(at + 1) == "{"
            }
            "let" | "def" => next == Some(TokenKind::Word),
            "mark" => next == Some(TokenKind::Word) && self.text(at + 2) == "{",
            "use" => matches!(next, Some(TokenKind::Text | TokenKind::UnclosedText | TokenKind::Word)),
            "test" => matches!(next, Some(TokenKind::Text | TokenKind::UnclosedText)) || self.text(at + 1) == "{",
            word => {
                // A misspelled keyword, as in `rul a-name {`; nothing follows the brace on its line.
                let is_clause = words::CLAUSES.contains(&word) || matches!(word, "given" | "expect");
                let has_name = matches!(next, Some(TokenKind::Word | TokenKind::Text));
                let ends_line = matches!(self.kind(at + 3), None | Some(TokenKind::Newline | TokenKind::Comment));
                self.kind(at) == Some(TokenKind::Word)
                    && !is_clause
                    && has_name
                    && self.text(at + 2) == "{"
                    && ends_line
            }
        }
    }

    /// Cuts the file into lines of documentation, annotations and items.
    pub(super) fn items(&self) -> Vec<TokenChunk> {
        let mut pieces = Vec::new();
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            if token.is_trivia() {
                if self.is_doc(at) {
                    pieces.push(TokenChunk { range: at..at + 1, is_closed: true });
                }
                at += 1;
                continue;
            }
            let (end, closed) = if self.text(at) == "@" { (self.annotation_end(at), true) } else { self.item_end(at) };
            pieces.push(TokenChunk { range: at..end, is_closed: closed });
            at = end.max(at + 1);
        }
        pieces
    }

    /// Returns the index after an annotation: after its parentheses, or at the end of its line if it has none.
    /// Parentheses that are not closed end where the next item begins.
    fn annotation_end(&self, at: usize) -> usize {
        // After the `@` and the name, if there is one.
        let mut end = at + 1 + usize::from(self.kind(at + 1) == Some(TokenKind::Word));
        if self.text(end) != "(" {
            while self.kind(end).is_some_and(|kind| !matches!(kind, TokenKind::Newline | TokenKind::Comment)) {
                if self.text(end) == "@" || (words::ITEMS.contains(&self.text(end)) && self.is_item_start(end)) {
                    break;
                }
                end += 1;
            }
            return end;
        }
        let mut depth = 0_usize;
        while let Some(kind) = self.kind(end) {
            match kind {
                TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                _ if self.item_starts.get(end) == Some(&true) => return end,
                _ => {}
            }
            end += 1;
            if depth == 0 {
                break;
            }
        }
        end
    }

    /// Returns the index after the item that begins at a token, and whether all its brackets were closed.
    fn item_end(&self, at: usize) -> (usize, bool) {
        let word = self.text(at);
        let is_braceless = matches!(word, "let" | "def" | "use");
        // A word that begins an item and is no keyword is a misspelled or foreign word for `rule` or `test`.
        let has_body = matches!(word, "rule" | "mark" | "test") || self.is_item_start(at) && !is_braceless;
        let mut openers: Vec<OpenedBracket> = Vec::new();
        let mut indent = self.columns.get(at).copied().flatten().unwrap_or(0);
        let mut previous = at;
        let mut body_seen = false;
        for index in at..self.tokens.len() {
            let Some(token) = self.tokens.get(index) else { break };
            if token.is_trivia() && self.item_starts.get(index) != Some(&true) {
                continue;
            }
            // At the beginning of a further line.
            if let Some(column) = self.columns.get(index).copied().flatten().filter(|_| index > at) {
                indent = column;
                let begins_item = self.item_starts.get(index) == Some(&true);
                // Before its `{`, a rule may continue on the next line.
                let waits_for_body = has_body && !body_seen;
                let is_open = !openers.is_empty();
                if (is_open || waits_for_body) && begins_item {
                    return (index, false);
                }
                // An `=` or a comma at the end of a line does not continue beyond the next item.
                if !is_open && !waits_for_body && (begins_item || !self.is_continuation(previous, index)) {
                    return (index, true);
                }
            }
            match token.kind {
                TokenKind::OpenBracket => {
                    body_seen |= self.text(index) == "{";
                    let text = self.text(index).chars().next().unwrap_or('(');
                    openers.push(OpenedBracket { text, indent });
                }
                TokenKind::CloseBracket => {
                    let column = self.columns.get(index).copied().flatten();
                    close_bracket(&mut openers, self.text(index), column);
                    if openers.is_empty() && self.text(index) == "}" && !is_braceless {
                        return (index + 1, true);
                    }
                }
                _ => {}
            }
            previous = index;
        }
        (self.tokens.len(), openers.is_empty())
    }

    /// Whether a statement continues from the end of a line to the token `next` that begins the following line: a
    /// comma, `=` or `and` at the end, or `or`, `where` or `)` at the beginning.
    fn is_continuation(&self, previous: usize, next: usize) -> bool {
        let joins = |text: &str| {
            matches!(text, "and" | "or" | "|" | "&&" | "||")
                || text.eq_ignore_ascii_case("and")
                || text.eq_ignore_ascii_case("or")
        };
        let before = self.text(previous);
        let after = self.text(next);
        let opens = matches!(before, "," | "=" | "not" | "(" | "[" | "{") || joins(before);
        // A string with the content `and` joins nothing.
        let word_before = self.kind(previous) != Some(TokenKind::Text);
        (opens && word_before) || joins(after) || matches!(after, "where" | ")" | "]")
    }

    /// Cuts the body of an item into the clauses of a rule, or into the lines of a test.
    pub(super) fn clauses(&self, body: Range<usize>, kind: BodyKind) -> Vec<Range<usize>> {
        let mut pieces: Vec<Range<usize>> = Vec::new();
        let mut depth = 0_usize;
        let mut previous = body.start;
        for at in body {
            let Some(token) = self.tokens.get(at).filter(|token| !token.is_trivia()) else { continue };
            let begins_piece = match pieces.last() {
                None => true,
                Some(piece) if self.is_first_on_line(at) => match depth {
                    0 if !self.is_continuation(previous, at) => !self.is_part_of_piece(piece.start, at, kind),
                    _ => self.is_certain_clause_start(at, kind),
                },
                Some(_) => false,
            };
            if begins_piece {
                depth = 0;
                pieces.push(at..at + 1);
            } else if let Some(piece) = pieces.last_mut() {
                piece.end = at + 1;
            }
            match token.kind {
                TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            previous = at;
        }
        pieces
    }

    /// Returns the text of the next token after `at` that is not a comment or line end; empty if there is none.
    fn text_after(&self, at: usize) -> &str {
        let next = (at + 1..self.tokens.len()).find(|at| self.tokens.get(*at).is_some_and(|token| !token.is_trivia()));
        next.map_or("", |next| self.text(next))
    }

    /// Whether the line at `at` belongs to the piece that begins at `start`, as its content shows: a further example of
    /// `fires on`, an element of a YAML list, `by` after `expect`.
    fn is_part_of_piece(&self, start: usize, at: usize, kind: BodyKind) -> bool {
        let first = self.text(start);
        match kind {
            BodyKind::RuleClauses => {
                // An element of a YAML list: `- "…"`.
                let is_dashed_string = self.text(at) == "-"
                    && matches!(self.kind(at + 1), Some(TokenKind::Text | TokenKind::UnclosedText));
                // A line of a YAML block scalar (`message: |`), which is indented deeper than its key.
                let has_colon = self.text(start + 1) == ":";
                let after_key = self.text_after(if has_colon { start + 1 } else { start });
                let is_block_scalar = matches!(after_key, "|" | ">");
                let column = |at: usize| self.columns.get(at).copied().flatten();
                if is_block_scalar && column(at) > column(start) && words::CLAUSES.contains(&first) {
                    return true;
                }
                // An element of a YAML list that is a mapping: `- event: PreToolUse`.
                let is_mapping_element = self.text(at) == "-"
                    && matches!(first, "on" | "when" | "unless")
                    && (has_colon || after_key == "-")
                    && self.kind(at + 1) == Some(TokenKind::Word);
                if is_mapping_element {
                    return true;
                }
                let is_string_element =
                    is_dashed_string || matches!(self.kind(at), Some(TokenKind::Text | TokenKind::UnclosedText));
                is_string_element
                    && (matches!(first, "fires" | "quiet") || first == "unknown" && self.text(start + 1) == "on")
            }
            BodyKind::TestLines => {
                let is_expectation =
                    matches!(self.text(at), "by" | "sends" | "message" | "context" | "rewrites" | "run");
                first == "expect" && is_expectation
            }
        }
    }

    /// Whether a line certainly begins a clause although a bracket is open, so that the bracket must be unclosed. A
    /// word before `:` or `,` is a key or an element instead.
    fn is_certain_clause_start(&self, at: usize, kind: BodyKind) -> bool {
        let word = self.text(at);
        let begins = match kind {
            BodyKind::RuleClauses => words::CLAUSES.contains(&word),
            BodyKind::TestLines => matches!(word, "given" | "then" | "wait" | "expect"),
        };
        begins && !matches!(self.text(at + 1), ":" | "," | "]" | ")" | "}" | "=" | "\n")
    }
}

/// The kind of lines in a body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// The clauses of a rule.
    RuleClauses,
    /// The lines of a test: `given` and `expect`.
    TestLines,
}

/// Removes from the open brackets the one that a closing bracket closes, and all that were opened after it. If the
/// closing bracket begins a line, a bracket of the same kind on a line with the same indentation takes precedence.
/// Without a matching bracket, nothing is removed.
fn close_bracket(openers: &mut Vec<OpenedBracket>, text: &str, column: Option<usize>) {
    let wanted = match text {
        ")" => '(',
        "]" => '[',
        _ => '{',
    };
    // Only if a bracket on a deeper line is still open: that bracket is then the unclosed one.
    let by_indent = column.and_then(|column| {
        let found = openers.iter().rposition(|opener| opener.text == wanted && opener.indent == column);
        found.filter(|_| openers.last().is_some_and(|last| last.indent > column))
    });
    if let Some(at) = by_indent.or_else(|| openers.iter().rposition(|opener| opener.text == wanted)) {
        openers.truncate(at);
    }
}

/// Tokenises a text. A block string that is unclosed, or would contain the beginning of a rule or test, becomes an
/// unclosed token that ends where the next item begins.
fn tokenise_by_items(source: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut reader = tokenise(source);
    while let Some(token) = reader.next() {
        let text = token.text(source);
        let swallows =
            token.kind == TokenKind::Text && text.starts_with("\"\"\"") && text.lines().skip(1).any(is_item_like);
        if swallows || token.kind == TokenKind::UnclosedBlock {
            let rest = source.get(token.start..).unwrap_or_default();
            let mut length = rest.split_inclusive('\n').next().map_or(3, str::len);
            for line in rest.split_inclusive('\n').skip(1) {
                if line.starts_with(['}', '@']) || words::ITEMS.iter().any(|item| starts_with_keyword(line, item)) {
                    break;
                }
                length += line.len();
            }
            // The line end before the next item is a separate token.
            let end = token.start + rest.get(..length).unwrap_or("\"\"\"").trim_end().len();
            found.push(Token { kind: TokenKind::UnclosedBlock, end, ..token });
            reader.jump_to(end);
            continue;
        }
        found.push(token);
    }
    found
}

/// Whether a line begins a rule or test: `rule NAME {`.
fn is_item_like(line: &str) -> bool {
    ["rule", "mark", "test"].iter().any(|item| starts_with_keyword(line, item)) && line.trim_end().ends_with('{')
}

/// Whether a line begins with a keyword and white space.
fn starts_with_keyword(line: &str, keyword: &str) -> bool {
    line.strip_prefix(keyword).is_some_and(|rest| rest.starts_with([' ', '\t']))
}
