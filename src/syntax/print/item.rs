//! Prints items, with the comments above and between them.

use super::lines::{Breaks, Line, Next, Piece, Shape};
use super::written::Comment;
use super::{Ends, Printer, belong_together, has_body};
use crate::syntax::ast::{Annotation, AnnotationArg, Case, Item, ItemKind, Rule, Test, Use};

/// A line break that always applies, with the author's blank line.
pub(super) const ALWAYS: Line = Line { flat: "", breaks: Breaks::Always, next: Next::Inner, blank: true };

impl Printer<'_> {
    /// Prints the comments between two items, or above the first one; they include documentation.
    pub(super) fn between_items(&mut self, previous: Option<&Item>, item: &Item) {
        let gap = self.take_gap();
        let Some(previous) = previous else {
            self.first_comments(gap.comments);
            if !self.pieces.is_empty() {
                self.pieces.push(Piece::Line(Line { blank: gap.ends_blank, ..ALWAYS }));
            }
            return;
        };
        let is_apart = gap.ends_blank || gap.comments.iter().any(|comment| comment.below_blank);
        let belongs_apart = match &self.written {
            Some(_) => has_body(previous) || has_body(item),
            None => !belong_together(previous, item),
        };
        let mut missing = belongs_apart && !is_apart;
        let mut comments = std::mem::take(&mut self.waiting);
        comments.extend(gap.comments);
        for (index, comment) in comments.into_iter().enumerate() {
            let is_behind = index == 0 && !comment.on_its_own_line;
            let blank = comment.below_blank || missing && !is_behind;
            missing &= is_behind;
            self.comment(comment, index, Next::Inner, blank);
        }
        self.pieces.push(Piece::Line(Line { blank: gap.ends_blank || missing, ..ALWAYS }));
    }

    /// Prints the comments at the end of a file.
    pub(super) fn end_of_file(&mut self) {
        let gap = self.take_gap();
        let mut comments = std::mem::take(&mut self.waiting);
        comments.extend(gap.comments);
        if self.pieces.is_empty() {
            return self.first_comments(comments);
        }
        for (index, comment) in comments.into_iter().enumerate() {
            let blank = comment.below_blank;
            self.comment(comment, index, Next::Inner, blank);
        }
    }

    /// Prints the comments at the beginning of a file, the first of which is not preceded by a line end.
    fn first_comments(&mut self, comments: Vec<Comment>) {
        for (index, comment) in comments.into_iter().enumerate() {
            let blank = comment.below_blank;
            match index {
                0 => {
                    let text = self.own_line(comment, Next::Inner);
                    self.pieces.push(Piece::Text(text));
                }
                _ => self.comment(comment, index, Next::Inner, blank),
            }
        }
    }

    pub(super) fn item(&mut self, item: &Item) {
        if self.written.is_none() {
            for doc in &item.docs {
                let line = if doc.is_empty() { "##".to_owned() } else { format!("## {doc}") };
                self.pieces.push(Piece::Text(line));
                self.pieces.push(Piece::Line(Line { blank: false, ..ALWAYS }));
            }
        }
        for (index, annotation) in item.annotations.iter().enumerate() {
            if index > 0 {
                let own = self.ends_here() == Ends::Here;
                let breaks = if own { Breaks::Always } else { Breaks::Filling };
                self.line(Line { flat: " ", breaks, next: Next::Inner, blank: true });
            }
            self.annotation(annotation);
        }
        if !item.annotations.is_empty() {
            self.line(ALWAYS);
        }
        match &item.kind {
            ItemKind::Use(import) => self.import(import),
            ItemKind::Let(definition) => {
                self.word("let");
                self.space();
                self.name(&definition.name);
                self.space();
                self.word("=");
                self.glue(" ");
                self.value(&definition.value);
            }
            ItemKind::Def(definition) => {
                self.word("def");
                self.space();
                self.name(&definition.name);
                self.space();
                self.word("=");
                self.glue(" ");
                self.condition(&definition.condition);
            }
            ItemKind::Rule(rule) => self.rule(rule),
            ItemKind::Test(test) => self.test(test),
        }
    }

    fn annotation(&mut self, annotation: &Annotation) {
        self.leaf(annotation.name.span, format!("@{}", annotation.name.text));
        // A reason is a single text: breaking before it would hardly make the line shorter.
        for (index, arg) in annotation.args.iter().enumerate() {
            self.word(if index == 0 { "(" } else { "," });
            self.glue(if index == 0 { "" } else { " " });
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
        self.glue("");
        self.word(")");
    }

    fn import(&mut self, import: &Use) {
        self.word("use");
        self.space();
        self.text(&import.source);
        if !import.except.is_empty() {
            self.space();
            self.word("except");
            self.space();
            self.aligned(&import.except, Self::name);
        }
        if let Some(with) = &import.with {
            self.space();
            self.word("with");
            self.space();
            self.map(with);
        }
    }

    fn rule(&mut self, rule: &Rule) {
        self.word("rule");
        self.space();
        self.name(&rule.name);
        self.space();
        self.body(&rule.clauses, Self::clause);
    }

    fn test(&mut self, test: &Test) {
        self.word("test");
        self.space();
        self.text(&test.name);
        self.space();
        self.body(&test.cases, Self::case);
    }

    /// Prints parts between braces, each on lines of its own.
    fn body<T>(&mut self, parts: &[T], mut print: impl FnMut(&mut Self, &T)) {
        self.word("{");
        if parts.is_empty() && !self.has_comment_ahead() {
            return self.word("}");
        }
        self.open(Shape::Bracket);
        self.force();
        for (index, part) in parts.iter().enumerate() {
            self.line(Line { blank: index > 0, ..ALWAYS });
            print(self, part);
        }
        self.line(Line { next: Next::Outer, blank: false, ..ALWAYS });
        self.word("}");
        self.close();
    }

    fn case(&mut self, case: &Case) {
        self.word("given");
        self.space();
        self.example(&case.given);
        self.line(ALWAYS);
        self.word("expect");
        self.space();
        self.expect(&case.expect);
    }
}
