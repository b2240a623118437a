//! Builds files and items, with the documentation and annotations above the items.

use std::sync::Arc;

use super::AstBuilder;
use super::condition::is_constant;
use crate::span::Span;
use crate::syntax::ast::{
    Annotation, AnnotationArg, AstFile, AstRule as RuleItem, AstTest, Def, Exception, ExceptionNarrowing, Expectation,
    Item, ItemKind, Let, Name, PastCall, RuleItemKind, SessionStep, TestCase, Use,
};
use crate::syntax::grammar::{Pair, Pairs, Rule};
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::words;

impl AstBuilder<'_> {
    /// Builds a whole file.
    pub(in crate::syntax) fn file(&mut self, pairs: Pairs<'_>) -> AstFile {
        let mut above = ItemPreamble::default();
        let mut items = Vec::new();
        for pair in pairs.flat_map(Pair::into_inner) {
            let span = self.span(&pair);
            match pair.as_rule() {
                Rule::EOI => {}
                Rule::doc => above.add_doc(pair.as_str(), span, self.source),
                Rule::annotation => match self.annotation(pair) {
                    Some(annotation) => above.annotations.push(annotation),
                    None => self.report_disagreement(span),
                },
                _ => match self.item(pair) {
                    Some(kind) => {
                        self.check_column(span, above.annotations.first());
                        items.push(above.build_item(kind, span, self.source));
                    }
                    None => self.report_disagreement(span),
                },
            }
        }
        self.report_dangling(&above);
        AstFile { items, ..AstFile::default() }
    }

    /// Reports the first annotation that is not followed by an item.
    pub(in crate::syntax) fn report_dangling(&mut self, above: &ItemPreamble) {
        if let Some(annotation) = above.annotations.first() {
            self.diagnostics.push(SyntaxMistake::LooseAnnotation {}.at(annotation.span));
        }
    }

    /// Reports an indented item, at its first annotation if it has one.
    pub(in crate::syntax) fn check_column(&mut self, span: Span, annotation: Option<&Annotation>) {
        let start = annotation.map_or(span, |annotation| annotation.span).start as usize;
        let before = self.source.get(..start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        if !line.is_empty() && line.trim().is_empty() {
            let indent = Span::new(self.file, start - line.len(), start);
            self.diagnostics.push(SyntaxMistake::IndentedItem {}.at(indent).fix(indent, ""));
        }
    }

    /// Builds an annotation.
    pub(in crate::syntax) fn annotation(&mut self, pair: Pair<'_>) -> Option<Annotation> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let mut name = self.name(&inner.next()?);
        // Removes the `@`.
        name.text.remove(0);
        name.span.start += 1;
        let args = inner.map(|arg| match arg.as_rule() {
            Rule::word => AnnotationArg::Word(self.name(&arg)),
            _ => AnnotationArg::Text(self.text(&arg)),
        });
        let args = args.collect();
        Some(Annotation { name, args, span })
    }

    /// Builds an item.
    pub(in crate::syntax) fn item(&mut self, pair: Pair<'_>) -> Option<ItemKind> {
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        inner.next()?;
        // The name of the item, the source of a `use`, or the description of a `test`.
        let first = inner.next()?;
        Some(match rule {
            Rule::rule_item => ItemKind::Rule(self.rule_item(RuleItemKind::Rule, &first, inner)?),
            Rule::mark_item => ItemKind::Rule(RuleItem {
                name: self.defined_name(&first),
                ..self.rule_item(RuleItemKind::Mark, &first, inner)?
            }),
            Rule::let_item => {
                let name = self.defined_name(&first);
                let value = self.value(inner.next()?)?;
                if !is_constant(&value) {
                    self.diagnostics.push(SyntaxMistake::NotConstant {}.at(value.span));
                }
                ItemKind::Let(Let { name, value })
            }
            Rule::def_item => {
                let name = self.defined_name(&first);
                ItemKind::Def(Def { name, condition: self.condition(inner.next()?)? })
            }
            Rule::use_item => {
                let source = self.text(&first);
                let mut except = Vec::new();
                let mut with = None;
                for part in inner {
                    match part.as_rule() {
                        Rule::exception => except.push(self.exception(part)?),
                        Rule::map => with = Some(self.map(part)?),
                        _ => {}
                    }
                }
                ItemKind::Use(Use { source, except, with })
            }
            Rule::test_item => {
                let cases = inner.map(|case| self.case(case)).collect::<Option<Vec<_>>>()?;
                let mut cases = cases.concat();
                if let Some(first) = cases.first().filter(|first| first.is_continued) {
                    self.diagnostics.push(SyntaxMistake::LoneThen { word: "then" }.at(first.given.span));
                }
                TestCase::join_sessions(&mut cases);
                ItemKind::Test(AstTest { name: self.text(&first), cases })
            }
            _ => return None,
        })
    }

    /// Builds a rule or a mark.
    fn rule_item(&mut self, kind: RuleItemKind, name: &Pair<'_>, clauses: Pairs<'_>) -> Option<RuleItem> {
        let clauses = clauses.map(|clause| self.clause(clause)).collect::<Option<Vec<_>>>()?;
        Some(RuleItem { kind, name: self.name(name), clauses, has_unparsed_clause: false })
    }

    /// Builds an exception of a `use`.
    fn exception(&mut self, pair: Pair<'_>) -> Option<Exception> {
        let mut inner = pair.into_inner();
        let rule = self.name(&inner.next()?);
        let narrowing = match inner.next() {
            None => None,
            Some(part) => {
                let is_of_commands = part.as_rule() == Rule::except_where;
                let condition = self.condition(part.into_inner().nth(1)?)?;
                Some(match is_of_commands {
                    true => ExceptionNarrowing::Where(condition),
                    false => ExceptionNarrowing::When(condition),
                })
            }
        };
        Some(Exception { rule, narrowing })
    }

    /// Builds a case of a test: the steps of its session, and the `expect` about the last of them. Returns an empty
    /// list if the last step is no event, which is reported.
    fn case(&mut self, pair: Pair<'_>) -> Option<Vec<TestCase>> {
        let mut steps = Vec::new();
        for line in pair.into_inner() {
            let span = self.span(&line);
            match line.as_rule() {
                Rule::expect => {
                    let expect = self.expect(line)?;
                    return Some(self.case_of_steps(steps, expect, span));
                }
                _ => steps.push(self.session_line(line)?),
            }
        }
        None
    }

    /// Builds a case from the lines before its `expect`; `span` is that of the `expect`. The last line is the judged
    /// event: an end (`done`) or a number of times there is reported. If it is a `wait`, that is reported too, and
    /// there is no case.
    pub(in crate::syntax) fn case_of_steps(
        &mut self,
        mut steps: Vec<SessionLine>,
        expect: Expectation,
        span: Span,
    ) -> Vec<TestCase> {
        let is_continued = steps.first().is_some_and(|first| !first.begins_session);
        let Some(last) = steps.pop() else { return Vec::new() };
        let earlier = steps.into_iter().map(|line| line.step).collect();
        match last.step {
            SessionStep::Call(PastCall { times, call, end }) => {
                if let Some((_, span)) = times {
                    self.diagnostics.push(SyntaxMistake::ExpectAfterSeveral {}.at(span));
                }
                if let Some(end) = end {
                    self.diagnostics.push(SyntaxMistake::ExpectAfterEnd { end: &end.text }.at(end.span));
                }
                vec![TestCase { is_continued, earlier, session: Arc::default(), given: call, expect }]
            }
            SessionStep::Wait(_) => {
                self.diagnostics.push(SyntaxMistake::ExpectAfterWait {}.at(span));
                Vec::new()
            }
        }
    }

    /// Builds the name of a `let` or `def`, and reports a name that is a keyword.
    fn defined_name(&mut self, pair: &Pair<'_>) -> Name {
        let name = self.name(pair);
        if words::is_reserved(&name.text) {
            self.diagnostics.push(SyntaxMistake::ReservedName { name: &name.text }.at(name.span));
        }
        name
    }
}

/// A line of a test before an `expect`.
pub(in crate::syntax) struct SessionLine {
    /// Whether it is a `given`.
    pub(in crate::syntax) begins_session: bool,
    /// The event or wait on the line.
    pub(in crate::syntax) step: SessionStep,
}

/// The documentation and annotations collected above the next item.
#[derive(Default)]
pub(in crate::syntax) struct ItemPreamble {
    docs: Vec<String>,
    /// The end of the last line of documentation; 0 without documentation.
    docs_end: u32,
    /// The annotations so far.
    pub(in crate::syntax) annotations: Vec<Annotation>,
}

impl ItemPreamble {
    /// Adds a `##` line to the documentation. A line that is indented, shares its line with other text, or has no
    /// space after the marks is an ordinary comment, and is ignored.
    pub(in crate::syntax) fn add_doc(&mut self, text: &str, span: Span, source: &str) {
        let line_start = source.get(..span.start as usize).unwrap_or_default();
        let before = line_start.rsplit('\n').next().unwrap_or_default();
        let text = text.trim_start_matches('#');
        if !before.is_empty() || !(text.trim().is_empty() || text.starts_with([' ', '\t'])) {
            return;
        }
        self.drop_detached_docs(span.start, source);
        self.docs.push(text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned());
        self.docs_end = span.end;
    }

    /// Creates an item with the documentation and annotations collected above it, and resets the collection.
    pub(in crate::syntax) fn build_item(&mut self, kind: ItemKind, span: Span, source: &str) -> Item {
        let next = self.annotations.first().map_or(span.start, |first| first.span.start.max(self.docs_end));
        self.drop_detached_docs(next, source);
        let Self { docs, annotations, .. } = std::mem::take(self);
        Item { docs, annotations, kind, span }
    }

    /// Drops the documentation if a blank line separates it from the text at `next`: it is then an ordinary comment.
    fn drop_detached_docs(&mut self, next: u32, source: &str) {
        // Without documentation, `docs_end` is 0, and the whole preceding file would be scanned for each item.
        if self.docs.is_empty() {
            return;
        }
        let between = source.get(self.docs_end as usize..next as usize).unwrap_or_default();
        if has_blank_line(between) {
            self.docs.clear();
        }
    }
}

/// Whether a text contains a blank line between its first line end and its last one. What is before and after them
/// belongs to lines that begin or end outside of the text.
fn has_blank_line(text: &str) -> bool {
    let whole_lines = text.split_once('\n').and_then(|(_, rest)| rest.rsplit_once('\n')).map(|(lines, _)| lines);
    whole_lines.is_some_and(|lines| lines.split('\n').any(|line| line.trim().is_empty()))
}
