//! Parses a file that the grammar rejects: piece by piece, keeping the valid pieces and diagnosing the others.

mod stray_lines;
mod test_lines;
mod trivia;

use std::ops::Range;

use pest::Parser;

use super::ast::{AstFile, AstRule as RuleItem, Clause, Item, ItemKind, Name, RuleItemKind};
use super::build::{AstBuilder, ItemPreamble};
use super::chunks::{BodyKind, TokenChunk, TokenLayout};
use super::diagnose::{self, ClauseCursor};
use super::grammar::{Grammar, Pair, Rule};
use super::language;
use super::limits::MAX_DIAGNOSTICS;
use super::mistakes::{self, SyntaxMistake};
use super::token::{Token, TokenKind};
use super::words;
use crate::diagnostic::{Diagnostic, nearest_name};
use crate::span::{FileId, SourceFile, Span};
use crate::time::Weekday;

/// The maximum number of tokens in a piece in which a repeated or a misplaced token is searched for: the piece is
/// parsed once for each token.
const MAX_EDITED_TOKENS: usize = 64;

/// Parses a file with mistakes, and adds at least one diagnostic. A file that is recognised as another language gets
/// a single diagnostic and an empty tree.
pub(super) fn recover_file(file: &SourceFile, source: &str, diagnostics: &mut Vec<Diagnostic>) -> AstFile {
    let (id, name) = (file.id, &file.name);
    let layout = TokenLayout::new(source);
    // `clean` has the same length as the source, so offsets are valid in both.
    let clean = trivia::blank_foreign_trivia(id, source, &layout.tokens, diagnostics);
    let before = diagnostics.len();
    let mut recovery = Recovery { id, source: &clean, layout, file: AstFile::default(), blocks: 0, diagnostics };
    recovery.items();
    let Recovery { file, diagnostics, .. } = recovery;
    if let Some(language) = language::identify(source, &file) {
        let place = language::first_line(source);
        diagnostics.clear();
        diagnostics.push(language::language_finding(&language, name, source, Span::new(id, place.start, place.end)));
        return AstFile { parts: file.parts, ..AstFile::default() };
    }
    if diagnostics.len() == before && clean == source {
        // Each piece is valid but the whole is not: report where the grammar stopped.
        if let Err(error) = Grammar::parse(Rule::file, source) {
            diagnostics.push(grammar_error(id, source, 0, &error));
        }
    }
    file
}

/// The state of parsing a file with mistakes.
struct Recovery<'a> {
    id: FileId,
    /// The text of the file, in which comments, semicolons and spaces of other languages are replaced by spaces.
    source: &'a str,
    layout: TokenLayout<'a>,
    /// The tree of everything parsed so far.
    file: AstFile,
    /// The number of opening braces inside the current rule that were reported as mistakes: as many closing braces
    /// are skipped.
    blocks: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Recovery<'_> {
    /// Parses all items of the file into the tree, and diagnoses those that are invalid.
    fn items(&mut self) {
        let mut above = ItemPreamble::default();
        let mut after_item = false;
        for piece in self.layout.items() {
            if self.has_enough() {
                break;
            }
            let Some(first) = self.layout.tokens.get(piece.range.start).copied() else { continue };
            let span = Span::new(self.id, first.start, first.end);
            if first.kind == TokenKind::Comment {
                above.add_doc(first.text(self.source), span, self.source);
                continue;
            }
            if first.text(self.source) == "@" {
                self.annotation(&piece, &mut above);
                after_item = false;
                continue;
            }
            if after_item
                && !self.layout.is_first_on_line(piece.range.start)
                && !matches!(first.kind, TokenKind::CloseBracket)
            {
                self.diagnostics.push(SyntaxMistake::AfterItem {}.at(span));
                continue;
            }
            after_item = true;
            let annotation = above.annotations.first().cloned();
            match self.item(&piece) {
                Some((kind, span)) => {
                    let mut builder = AstBuilder::new(self.id, self.source, 0);
                    builder.check_column(span, annotation.as_ref());
                    self.diagnostics.append(&mut builder.diagnostics);
                    let item: Item = above.build_item(kind, span, self.source);
                    self.file.items.push(item);
                }
                None => above = ItemPreamble::default(),
            }
        }
        let mut builder = AstBuilder::new(self.id, self.source, 0);
        builder.report_dangling(&above);
        self.diagnostics.append(&mut builder.diagnostics);
    }

    /// Whether there are more diagnostics than are shown. Continuing could take long, and no further one would be
    /// shown.
    fn has_enough(&self) -> bool {
        self.diagnostics.len() > MAX_DIAGNOSTICS
    }

    /// Parses some tokens by a rule of the grammar, and builds their tree. Returns the grammar's error if it rejects
    /// them, or `Err(None)` if the tree could not be built, which is already reported.
    fn parse_tokens<T>(
        &mut self,
        rule: Rule,
        tokens: &[Token],
        build: impl FnOnce(&mut AstBuilder<'_>, Pair<'_>) -> Option<T>,
    ) -> Result<T, Option<Diagnostic>> {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return Err(None) };
        let text = self.source.get(first.start..last.end).unwrap_or_default();
        let mut pairs = match Grammar::parse(rule, text) {
            Ok(pairs) => pairs,
            Err(error) => return Err(Some(grammar_error(self.id, text, first.start, &error))),
        };
        let mut builder = AstBuilder::new(self.id, self.source, first.start);
        let built = pairs.next().and_then(|lone| lone.into_inner().next()).and_then(|pair| build(&mut builder, pair));
        if built.is_none() {
            builder.report_disagreement(Span::new(self.id, first.start, last.end));
        }
        self.diagnostics.append(&mut builder.diagnostics);
        built.ok_or(None)
    }

    /// Diagnoses some tokens with `read`; if it finds nothing, the grammar's error is reported. Returns the result of
    /// `read`, and the index of the token at which a second clause begins.
    fn diagnose_tokens<T>(
        &mut self,
        tokens: &[Token],
        error: Option<Diagnostic>,
        read: impl FnOnce(&mut ClauseCursor<'_>) -> T,
    ) -> (T, Option<usize>) {
        let mut cursor = ClauseCursor::new(self.id, self.source, tokens);
        let result = read(&mut cursor);
        let (mut mistakes, split) = (cursor.found, cursor.split);
        self.blocks += usize::from(cursor.opens_block);
        self.file.unparsed_names.extend(cursor.names.into_iter().map(|(text, span)| Name { text, span }));
        if mistakes.is_empty() && split.is_none() {
            mistakes.extend(error);
        }
        self.diagnostics.append(&mut mistakes);
        (result, split)
    }

    /// Reports a repeated word or sign (`when when …`), if the piece is valid without it. Returns whether there was
    /// one.
    fn report_repeated_token(&mut self, rule: Rule, tokens: &[Token]) -> bool {
        let repeated = self.find_valid_edit(rule, tokens, |first, second| {
            let (one, other) = (first.text(self.source), second.text(self.source));
            // In `mon..fri` nothing is repeated by mistake.
            let before = self.source.get(..first.start).unwrap_or_default();
            let is_range = one == "." && Weekday::NAMES.iter().any(|day| before.ends_with(day));
            (one == other && !is_range && first.kind != TokenKind::CloseBracket).then(|| one.to_owned())
        });
        let Some((first, second, word)) = repeated else { return false };
        let place = Span::new(self.id, second.start, second.end);
        let gap = Span::new(self.id, first.end, second.end);
        let shown = if word.chars().count() > 40 { "it" } else { &word };
        self.diagnostics.push(SyntaxMistake::Repeated { word: shown }.at(place).fix(gap, ""));
        true
    }

    /// Replaces the diagnostics since `diagnostics_before` by one about two adjacent tokens in the wrong order, if the
    /// piece is valid with them exchanged and has at least two diagnostics. Returns whether it did.
    fn report_swapped_tokens(&mut self, rule: Rule, tokens: &[Token], diagnostics_before: usize) -> bool {
        if self.diagnostics.len() < diagnostics_before + 2 {
            return false;
        }
        let swapped = self.find_valid_edit(rule, tokens, |first, second| {
            let (one, other) = (first.text(self.source), second.text(self.source));
            let between = self.source.get(first.end..second.start)?;
            (one != other && !between.contains('\n')).then(|| format!("{other}{between}{one}"))
        });
        let Some((first, second, right)) = swapped.filter(|(.., right)| right.chars().count() <= 60) else {
            return false;
        };
        let place = Span::new(self.id, first.start, second.end);
        self.diagnostics.truncate(diagnostics_before);
        self.diagnostics.push(SyntaxMistake::Swapped { right: &right }.at(place).fix(place, right.as_str()));
        true
    }

    /// Returns the first two adjacent tokens for which `edit` returns a replacement that makes the piece valid, and
    /// the replacement; `None` if there are none or the piece is too long.
    fn find_valid_edit(
        &self,
        rule: Rule,
        tokens: &[Token],
        edit: impl Fn(Token, Token) -> Option<String>,
    ) -> Option<(Token, Token, String)> {
        let (from, to) = (tokens.first()?.start, tokens.last()?.end);
        if tokens.len() > MAX_EDITED_TOKENS {
            return None;
        }
        tokens.iter().zip(tokens.iter().skip(1)).find_map(|(first, second)| {
            let text = edit(*first, *second)?;
            let (before, after) = (self.source.get(from..first.start)?, self.source.get(second.end..to)?);
            Grammar::parse(rule, &format!("{before}{text}{after}")).ok()?;
            Some((*first, *second, text))
        })
    }

    /// Parses an annotation and adds it to those above the next item, or diagnoses it.
    fn annotation(&mut self, piece: &TokenChunk, above: &mut ItemPreamble) {
        let tokens = self.layout.significant(piece.range.clone());
        match self.parse_tokens(Rule::lone_annotation, &tokens, |builder, pair| builder.annotation(pair)) {
            Ok(annotation) => above.annotations.push(annotation),
            Err(error) => {
                self.diagnose_tokens(&tokens, error, diagnose::annotation);
            }
        }
    }

    /// Parses an item. An invalid rule or test is returned with the parts that are valid; any other invalid item is
    /// diagnosed, its name noted as unparsed, and `None` returned.
    fn item(&mut self, piece: &TokenChunk) -> Option<(ItemKind, Span)> {
        let tokens = self.layout.significant(piece.range.clone());
        let (first, last) = (*tokens.first()?, *tokens.last()?);
        let error = match self.parse_tokens(Rule::lone_item, &tokens, |builder, pair| {
            let span = builder.span(&pair);
            Some((builder.item(pair)?, span))
        }) {
            Ok(item) => return Some(item),
            Err(error) => error,
        };
        match self.intended_keyword(&tokens) {
            Some(keyword @ ("rule" | "mark")) => {
                let kind = if keyword == "rule" { RuleItemKind::Rule } else { RuleItemKind::Mark };
                self.rule(piece, kind).map(|rule| (ItemKind::Rule(rule), Span::new(self.id, first.start, last.end)))
            }
            Some("test") => {
                self.test(piece, &tokens).map(|test| (ItemKind::Test(test), Span::new(self.id, first.start, last.end)))
            }
            Some(keyword @ ("let" | "def")) => {
                let before = self.diagnostics.len();
                let repeated = self.report_repeated_token(Rule::lone_item, &tokens);
                let (name, _) = self.diagnose_tokens(&tokens, error, |cursor| diagnose::definition(cursor, keyword));
                // A repeated word causes further findings, which are dropped.
                if repeated {
                    self.diagnostics.truncate(before + 1);
                }
                let _replaced = self.report_swapped_tokens(Rule::lone_item, &tokens, before);
                // After a repeated word, the name is one of the next two words.
                let words = tokens.iter().skip(1).filter(|token| token.kind == TokenKind::Word);
                self.file.unparsed_names.extend(words.take(2 * usize::from(repeated)).map(|token| Name {
                    text: token.text(self.source).to_owned(),
                    span: Span::new(self.id, token.start, token.end),
                }));
                if name.is_none() {
                    self.file
                        .unparsed_names
                        .push(Name { text: "*".to_owned(), span: Span::new(self.id, first.start, last.end) });
                }
                self.file.unparsed_names.extend(name);
                None
            }
            Some("use") => {
                self.diagnose_tokens(&tokens, error, diagnose::import);
                self.file
                    .unparsed_names
                    .push(Name { text: "*".to_owned(), span: Span::new(self.id, first.start, last.end) });
                None
            }
            _ => {
                self.diagnose_tokens(&tokens, error, diagnose::outside);
                None
            }
        }
    }

    /// Returns the keyword of the item that the author meant, from the first word and the form: `rul`, `policy NAME
    /// {` and `describe "…" {` are recognised. `None` if it cannot be determined.
    fn intended_keyword(&self, tokens: &[Token]) -> Option<&'static str> {
        let text = |at: usize| tokens.get(at).map_or("", |token| token.text(self.source));
        let first = tokens.first().filter(|token| token.kind == TokenKind::Word)?.text(self.source);
        if let Some(exact) = words::ITEMS.iter().find(|item| **item == first) {
            return Some(exact);
        }
        if words::CLAUSES.contains(&first) {
            return None;
        }
        let second = tokens.get(1).map(|token| token.kind);
        let near = nearest_name(first, words::ITEMS.iter().copied());
        match near {
            Some("rule" | "mark" | "test") if tokens.iter().any(|token| token.text(self.source) == "{") => near,
            Some("let" | "def") if text(2) == "=" => near,
            Some("use") if second == Some(TokenKind::Text) => near,
            _ if diagnose::holds_definitions(first) => None,
            _ if text(1) == "{" && matches!(first, "policy" | "guard" | "hook") => Some("rule"),
            _ if text(2) == "{" && second == Some(TokenKind::Word) => Some("rule"),
            _ if text(2) == "{" && second == Some(TokenKind::Text) => {
                Some(if matches!(first, "describe" | "it" | "case" | "spec" | "scenario") { "test" } else { "rule" })
            }
            _ => None,
        }
    }

    /// Splits a piece into the tokens of its header line up to and including `{`, and the range of its body.
    fn header(&self, piece: &TokenChunk) -> (Vec<Token>, Range<usize>) {
        let mut end = piece.range.start;
        for at in piece.range.clone() {
            let is_brace = self.layout.text(at) == "{";
            if at > piece.range.start && self.layout.is_first_on_line(at) && !is_brace {
                break;
            }
            end = at + 1;
            if is_brace {
                break;
            }
        }
        let closing = piece.is_closed && piece.range.end > end && self.layout.text(piece.range.end - 1) == "}";
        let body = end..piece.range.end - usize::from(closing);
        (self.layout.significant(piece.range.start..end), body)
    }

    /// Reports a second `{` at the beginning of a rule's body if a bracket of the rule is not closed. Returns whether
    /// there was one, and the body without it.
    fn report_second_brace(
        &mut self,
        piece: &TokenChunk,
        header: &[Token],
        body: Range<usize>,
    ) -> (bool, Range<usize>) {
        let second = self.layout.tokens.get(body.start).copied().filter(|token| token.text(self.source) == "{");
        let (Some(first), Some(second), false) = (header.last(), second, piece.is_closed) else { return (false, body) };
        let place = Span::new(self.id, second.start, second.end);
        let gap = Span::new(self.id, first.end, second.end);
        self.diagnostics.push(SyntaxMistake::Repeated { word: "{" }.at(place).fix(gap, ""));
        (true, body.start + 1..body.end)
    }

    /// Reports the `{` of a header if the item is not closed, with a fix if only the closing brace is missing. `what`
    /// is `rule` or `test`.
    fn report_unclosed(&mut self, piece: &TokenChunk, header: &[Token], what: &str) {
        let Some(opener) = header.last().filter(|token| token.text(self.source) == "{" && !piece.is_closed) else {
            return;
        };
        let place = Span::new(self.id, opener.start, opener.end);
        let mistake = SyntaxMistake::UnclosedItem { what }.at_opener(place);
        self.diagnostics.push(match self.last_line_end(piece) {
            Some(last) => mistake.fix(last, "\n}"),
            None => mistake,
        });
    }

    /// Returns the end of the last line of a piece, where its closing brace belongs; `None` if anything other than one
    /// closing brace is missing.
    fn last_line_end(&self, piece: &TokenChunk) -> Option<Span> {
        let tokens = self.layout.significant(piece.range.clone());
        let count = |bracket: &str| tokens.iter().filter(|token| token.text(self.source) == bracket).count();
        let lacks_one = count("{") == count("}") + 1 && count("(") == count(")") && count("[") == count("]");
        let last = tokens.last().filter(|_| lacks_one)?;
        let rest = self.source.get(last.end..)?;
        let end = last.end + rest.find(['\n', '\r']).unwrap_or(rest.len());
        Some(Span::new(self.id, end, end))
    }

    /// Parses a rule clause by clause, and diagnoses the invalid clauses. The rule is returned even if clauses are
    /// missing.
    fn rule(&mut self, piece: &TokenChunk, kind: RuleItemKind) -> Option<RuleItem> {
        let (header, body) = self.header(piece);
        let before = self.diagnostics.len();
        let (name, _) = self.diagnose_tokens(&header, None, |cursor| diagnose::header(cursor, kind.keyword()));
        let begins_clause = |word: &str| words::CLAUSES.contains(&word) || matches!(word, "for" | "of" | "about");
        let has_clauses = header.iter().skip(2).any(|token| begins_clause(token.text(self.source)));
        let (has_second_brace, body) = self.report_second_brace(piece, &header, body);
        let mut ranges = self.layout.clauses(body, BodyKind::RuleClauses);
        let ends_with_brace = piece.range.end > piece.range.start && self.layout.text(piece.range.end - 1) == "}";
        let ends_with_word = !ends_with_brace && self.report_closing_word(&mut ranges);
        if !has_second_brace && !ends_with_word {
            self.report_unclosed(piece, &header, kind.keyword());
        }
        let mut rule = RuleItem {
            kind,
            name: name.unwrap_or_else(|| missing_rule_name(self.id, &header)),
            clauses: Vec::new(),
            has_unparsed_clause: false,
        };
        // A clause of an unclosed rule may be in the text after it, and a clause in the header is not in the body.
        rule.has_unparsed_clause |= !piece.is_closed || has_clauses;
        self.blocks = usize::from(has_second_brace);
        rule.has_unparsed_clause |= self.report_separate_messages(&mut ranges);
        for range in ranges {
            if self.has_enough() {
                break;
            }
            let mut tokens = self.layout.significant(range);
            // Skips the closing braces of blocks that were reported.
            while self.blocks > 0 && tokens.first().is_some_and(|token| token.text(self.source) == "}") {
                self.blocks -= 1;
                tokens.remove(0);
            }
            rule.has_unparsed_clause |= !self.parse_clauses(&tokens, &mut rule.clauses);
        }
        if self.diagnostics.len() == before {
            self.report_stray_line_break(piece, &header);
        }
        Some(rule)
    }

    /// Reports an item whose parts are all valid although the whole is not: a line break is in the wrong place, such
    /// as the opening brace on a separate line.
    fn report_stray_line_break(&mut self, piece: &TokenChunk, header: &[Token]) {
        let last = self.layout.significant(piece.range.clone()).last().copied();
        let Some((brace, last)) = header.last().copied().zip(last) else { return };
        let on_own_line =
            self.source.get(..brace.start).is_some_and(|before| before.trim_end_matches([' ', '\t']).ends_with('\n'));
        let (token, mistake) = match on_own_line {
            true => (brace, SyntaxMistake::BraceOnOwnLine {}),
            false => (last, SyntaxMistake::BrokenItem {}),
        };
        self.diagnostics.push(mistake.at(Span::new(self.id, token.start, token.end)));
    }

    /// Parses a clause, and any further clauses on its line. Returns false if one of them is invalid.
    fn parse_clauses(&mut self, tokens: &[Token], clauses: &mut Vec<Clause>) -> bool {
        let mut rest = tokens;
        let mut are_valid = true;
        while !rest.is_empty() && !self.has_enough() {
            let error = match self.parse_tokens(Rule::lone_clause, rest, |builder, pair| builder.clause(pair)) {
                Ok(clause) => {
                    clauses.push(clause);
                    break;
                }
                Err(error) => error,
            };
            let diagnostics_before = self.diagnostics.len();
            if self.report_repeated_token(Rule::lone_clause, rest) {
                return false;
            }
            let (_, split) = self.diagnose_tokens(rest, error, diagnose::clause);
            if self.report_swapped_tokens(Rule::lone_clause, rest, diagnostics_before) {
                return false;
            }
            // The clause before `split` was reported only because another one follows on its line; it may itself be
            // valid.
            let Some((before, after)) = split.filter(|at| *at > 0).and_then(|at| rest.split_at_checked(at)) else {
                return false;
            };
            // A semicolon between the two clauses belongs to neither.
            let separated =
                before.split_last().filter(|(last, _)| last.text(self.source) == ";").map(|(_, first)| first);
            match self
                .parse_tokens(Rule::lone_clause, separated.unwrap_or(before), |builder, pair| builder.clause(pair))
            {
                Ok(clause) => clauses.push(clause),
                Err(_) => are_valid = false,
            }
            rest = after;
        }
        are_valid
    }
}

/// Returns an empty name, positioned after the first word of a header.
fn missing_rule_name(id: FileId, header: &[Token]) -> Name {
    let place = header.first().map_or_else(Span::default, |token| Span::new(id, token.end, token.end));
    Name { text: String::new(), span: place }
}

/// Returns the diagnostic for a mistake that no other code recognises: the word at which the grammar stopped, and the
/// form of the clause. `base` is the offset of the text in the file.
pub(super) fn grammar_error(id: FileId, text: &str, base: usize, error: &pest::error::Error<Rule>) -> Diagnostic {
    let at = match error.location {
        pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
    };
    let rest = text.get(at..).unwrap_or_default();
    let word = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum::<usize>();
    let length = word.max(rest.chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8));
    let span = Span::new(id, base + at, base + at + length);
    if matches!(error.variant, pest::error::ErrorVariant::CustomError { .. }) {
        return SyntaxMistake::TooDeepForGrammar {}.at(span);
    }
    let found = &mistakes::describe_stop(rest.get(..length).unwrap_or_default());
    let first = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    SyntaxMistake::Unexpected { found, form: mistakes::keyword_form(first) }.at(span)
}
