//! Prints items, with the comments above and between them.

use super::layout::{BreakCondition, GroupIndent, LineBreak, NextIndent, OutputPiece};
use super::source_cursor::SourceComment;
use super::{Printer, SourceLineBreak, are_in_one_block, has_body};
use crate::syntax::ast::{Annotation, AnnotationArg, AstRule, AstTest, Exception, Item, ItemKind, TestCase, Use};

/// A line break in every layout, which preserves the author's blank line.
pub(super) const FORCED_BREAK: LineBreak =
    LineBreak { unbroken_text: "", breaks: BreakCondition::Always, next: NextIndent::Inner, has_blank_line: true };

impl Printer<'_> {
    /// Prints the comments and the line breaks between two items, or above the first item. Documentation is printed
    /// here too, since it consists of comments. A missing blank line around a rule or test is added.
    pub(super) fn comments_between(&mut self, previous: Option<&Item>, item: &Item) {
        let gap = self.next_gap();
        let Some(previous) = previous else {
            self.first_comments(gap.comments);
            if !self.pieces.is_empty() {
                self.pieces.push(OutputPiece::Line(LineBreak { has_blank_line: gap.has_blank_line, ..FORCED_BREAK }));
            }
            return;
        };
        let is_separated = gap.has_blank_line || gap.comments.iter().any(|comment| comment.is_below_blank_line);
        let needs_blank_line = match &self.source {
            Some(_) => has_body(previous) || has_body(item),
            None => !are_in_one_block(previous, item),
        };
        let mut adds_blank_line = needs_blank_line && !is_separated;
        let mut comments = std::mem::take(&mut self.deferred_comments);
        comments.extend(gap.comments);
        for (index, comment) in comments.into_iter().enumerate() {
            let is_after_item = index == 0 && !comment.is_on_own_line;
            let blank = comment.is_below_blank_line || adds_blank_line && !is_after_item;
            adds_blank_line &= is_after_item;
            self.comment(comment, index, NextIndent::Inner, blank);
        }
        self.pieces.push(OutputPiece::Line(LineBreak {
            has_blank_line: gap.has_blank_line || adds_blank_line,
            ..FORCED_BREAK
        }));
    }

    /// Prints the comments after the last item.
    pub(super) fn end_of_file(&mut self) {
        let gap = self.next_gap();
        let mut comments = std::mem::take(&mut self.deferred_comments);
        comments.extend(gap.comments);
        if self.pieces.is_empty() {
            return self.first_comments(comments);
        }
        for (index, comment) in comments.into_iter().enumerate() {
            let blank = comment.is_below_blank_line;
            self.comment(comment, index, NextIndent::Inner, blank);
        }
    }

    /// Prints the comments at the beginning of a file, with no line break before the first one.
    fn first_comments(&mut self, comments: Vec<SourceComment>) {
        for (index, comment) in comments.into_iter().enumerate() {
            let blank = comment.is_below_blank_line;
            match index {
                0 => {
                    let text = self.comment_line(comment, NextIndent::Inner);
                    self.pieces.push(OutputPiece::Text(text));
                }
                _ => self.comment(comment, index, NextIndent::Inner, blank),
            }
        }
    }

    /// Prints an item with its annotations. Its documentation is printed here only if there is no source text.
    pub(super) fn item(&mut self, item: &Item) {
        if self.source.is_none() {
            for doc in &item.docs {
                let line = if doc.is_empty() { "##".to_owned() } else { format!("## {doc}") };
                self.pieces.push(OutputPiece::Text(line));
                self.pieces.push(OutputPiece::Line(LineBreak { has_blank_line: false, ..FORCED_BREAK }));
            }
        }
        for (index, annotation) in item.annotations.iter().enumerate() {
            if index > 0 {
                let has_line_break = self.line_break_in_source() == SourceLineBreak::Present;
                let breaks = if has_line_break { BreakCondition::Always } else { BreakCondition::IfFull };
                self.line_break(LineBreak {
                    unbroken_text: " ",
                    breaks,
                    next: NextIndent::Inner,
                    has_blank_line: true,
                });
            }
            self.annotation(annotation);
        }
        if !item.annotations.is_empty() {
            self.line_break(FORCED_BREAK);
        }
        match &item.kind {
            ItemKind::Use(import) => self.use_item(import),
            ItemKind::Let(definition) => {
                self.keyword("let");
                self.space();
                self.name(&definition.name);
                self.space();
                self.keyword("=");
                self.comment_break(" ");
                self.value(&definition.value);
            }
            ItemKind::Def(definition) => {
                self.keyword("def");
                self.space();
                self.name(&definition.name);
                self.space();
                self.keyword("=");
                self.comment_break(" ");
                self.condition(&definition.condition);
            }
            ItemKind::Rule(rule) => self.rule(rule),
            ItemKind::Test(test) => self.test(test),
        }
    }

    /// Prints an annotation; empty parentheses are dropped.
    fn annotation(&mut self, annotation: &Annotation) {
        self.source_token(annotation.name.span, format!("@{}", annotation.name.text));
        // The arguments are not broken: usually there is a single text, and breaking before it would not make the
        // line much shorter.
        for (index, arg) in annotation.args.iter().enumerate() {
            self.keyword(if index == 0 { "(" } else { "," });
            self.comment_break(if index == 0 { "" } else { " " });
            match arg {
                AnnotationArg::Word(word) => self.name(word),
                AnnotationArg::Text(text) => self.text(text),
            }
        }
        if annotation.args.is_empty() {
            self.skip("(");
            self.skip(")");
            return;
        }
        self.skip(",");
        self.comment_break("");
        self.keyword(")");
    }

    /// Prints a `use` with its `except` and `with`.
    fn use_item(&mut self, import: &Use) {
        self.keyword("use");
        self.space();
        self.text(&import.source);
        if !import.except.is_empty() {
            self.space();
            self.keyword("except");
            self.space();
            self.aligned_elements(&import.except, Self::exception);
        }
        if let Some(with) = &import.with {
            self.space();
            self.keyword("with");
            self.space();
            self.map(with);
        }
    }

    /// Prints an exception of a `use`.
    fn exception(&mut self, exception: &Exception) {
        self.name(&exception.rule);
        let Some(narrowing) = &exception.narrowing else { return };
        self.space();
        self.keyword(narrowing.keyword());
        self.space();
        self.condition(narrowing.condition());
    }

    /// Prints a rule or a mark with its clauses.
    fn rule(&mut self, rule: &AstRule) {
        self.keyword(rule.kind.keyword());
        self.space();
        self.name(&rule.name);
        self.space();
        self.body(&rule.clauses, Self::clause);
    }

    /// Prints a test with its cases.
    fn test(&mut self, test: &AstTest) {
        self.keyword("test");
        self.space();
        self.text(&test.name);
        self.space();
        self.body(&test.cases, Self::case);
    }

    /// Prints parts between braces, each on a new line.
    fn body<T>(&mut self, parts: &[T], mut print: impl FnMut(&mut Self, &T)) {
        self.keyword("{");
        if parts.is_empty() && !self.has_comment_ahead() {
            return self.keyword("}");
        }
        self.open_group(GroupIndent::Bracket);
        self.force_break();
        for (index, part) in parts.iter().enumerate() {
            self.line_break(LineBreak { has_blank_line: index > 0, ..FORCED_BREAK });
            print(self, part);
        }
        self.line_break(LineBreak { next: NextIndent::Outer, has_blank_line: false, ..FORCED_BREAK });
        self.keyword("}");
        self.close_group();
    }

    /// Prints a case of a test, each event and `expect` on lines of their own.
    pub(super) fn case(&mut self, case: &TestCase) {
        let mut word = if case.is_continued { "then" } else { "given" };
        for step in &case.earlier {
            self.session_step(step, Some(word));
            self.line_break(FORCED_BREAK);
            word = "then";
        }
        self.keyword(word);
        self.space();
        self.example(&case.given);
        self.line_break(FORCED_BREAK);
        self.keyword("expect");
        self.space();
        self.expectation(&case.expect);
    }
}
