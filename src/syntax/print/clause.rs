//! Prints clauses of rules, examples and the expectations of tests.

use super::lines::{Breaks, Line, Next, Shape};
use super::{Ends, Printer};
use crate::span::Span;
use crate::syntax::ast::{
    Clause, ClauseKind, Effect, EffectKind, EventHead, Example, Expect, FieldName, Map, Name, Selector, Text, Value,
};

impl Printer<'_> {
    pub(super) fn clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::On(heads) => {
                self.word("on");
                self.space();
                self.aligned(heads, Self::head);
            }
            ClauseKind::By(selectors) => {
                self.word("by");
                self.space();
                self.selectors(selectors);
            }
            ClauseKind::When(condition) => {
                self.word("when");
                self.space();
                self.condition(condition);
            }
            ClauseKind::Unless(condition) => {
                self.word("unless");
                self.space();
                self.condition(condition);
            }
            ClauseKind::Unknown(vote) => {
                self.word("unknown");
                self.space();
                self.name(vote);
            }
            ClauseKind::Effect(effect) => self.effect(effect),
            ClauseKind::Examples(kind, examples) => {
                self.word(kind.word());
                self.space();
                self.word("on");
                self.space();
                self.aligned(examples, Self::example);
            }
        }
    }

    fn head(&mut self, head: &EventHead) {
        self.name(&head.event);
        if let Some(selectors) = &head.selectors {
            self.word("(");
            self.glue("");
            self.selectors(selectors);
            self.glue("");
            self.word(")");
        }
    }

    fn selectors(&mut self, selectors: &[Selector]) {
        self.open(Shape::Hanging);
        for (index, selector) in selectors.iter().enumerate() {
            if index > 0 {
                self.glue("");
                self.word("|");
                self.line(Line { flat: "", breaks: Breaks::Filling, next: Next::Inner, blank: false });
            }
            self.selector(selector);
        }
        self.close();
    }

    fn selector(&mut self, selector: &Selector) {
        let written = self.slice(selector.span).map(|written| written.strip_prefix('!').unwrap_or(written));
        let mark = if selector.excludes { "!" } else { "" };
        // If the name itself begins with the mark, the exclusion is a part of the name.
        let written = if selector.excludes { written } else { self.slice(selector.span) };
        self.leaf(selector.span, format!("{mark}{}", Self::glob(&selector.glob, written)));
    }

    /// Prints a name as a glob, without quotes if possible.
    fn bare_or_quoted(&mut self, name: &Name) {
        let glob = Self::glob(&name.text, self.slice(name.span));
        self.leaf(name.span, glob);
    }

    pub(super) fn example(&mut self, example: &Example) {
        let mut is_first = true;
        let mut apart = |printer: &mut Self| {
            if !std::mem::take(&mut is_first) {
                printer.space();
            }
        };
        if let Some(head) = &example.head {
            apart(self);
            self.name(&head.name);
            if let Some(subject) = &head.subject {
                self.word("(");
                self.glue("");
                self.bare_or_quoted(subject);
                self.glue("");
                self.word(")");
            }
        }
        if let Some(text) = &example.text {
            apart(self);
            self.text(text);
        }
        if let Some(by) = &example.by {
            apart(self);
            self.word("by");
            self.space();
            let quoted = Self::quoted(&by.text, self.slice(by.span));
            self.leaf(by.span, quoted);
        }
        if let Some(with) = &example.with {
            apart(self);
            self.word("with");
            self.space();
            self.map(with);
        }
        if let Some(fields) = &example.fields {
            apart(self);
            self.map(fields);
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match &effect.kind {
            EffectKind::Deny(message) => self.message("deny", message.as_ref()),
            EffectKind::Ask(message) => self.message("ask", message.as_ref()),
            EffectKind::Allow(message) => self.message("allow", message.as_ref()),
            EffectKind::Halt(message) => self.message("halt", message.as_ref()),
            EffectKind::Context(message) => self.message("context", message.as_ref()),
            EffectKind::Warn(message) => self.message("warn", message.as_ref()),
            EffectKind::Exit(code, place, message) => {
                self.word("exit");
                if let Some(code) = code {
                    self.space();
                    let written = self.slice(*place).map_or_else(|| code.to_string(), str::to_owned);
                    self.leaf(*place, written);
                }
                self.maybe_text(message.as_ref());
            }
            EffectKind::RewriteSet(field, value) => {
                self.rewrite(field);
                self.word("=");
                self.glue(" ");
                self.value(value);
            }
            EffectKind::RewriteReplace(field, pattern, text) => {
                self.rewrite(field);
                self.spaced_word("replace");
                self.value(pattern);
                self.space();
                self.message("with", Some(text));
            }
            EffectKind::RewriteRuns(from, to) => {
                self.spaced_word("rewrite");
                self.message("runs", Some(from));
                self.space();
                self.message("to", Some(to));
            }
            EffectKind::Notify(title, body) => {
                self.message("notify", Some(title));
                self.maybe_text(body.as_ref());
            }
            EffectKind::RunShell(command) => self.message("run", Some(command)),
            EffectKind::RunArgv(words, _) => {
                self.spaced_word("run");
                self.bracketed(("[", "", "]"), words, Self::text);
            }
            EffectKind::Record(file) => self.message("record", Some(file)),
        }
        self.options(effect.options.as_ref());
    }

    fn spaced_word(&mut self, word: &'static str) {
        self.word(word);
        self.space();
    }

    fn rewrite(&mut self, field: &FieldName) {
        self.spaced_word("rewrite");
        self.field(field);
        self.space();
    }

    fn message(&mut self, verb: &str, message: Option<&Text>) {
        self.word(verb);
        self.maybe_text(message);
    }

    fn maybe_text(&mut self, text: Option<&Text>) {
        if let Some(text) = text {
            self.space();
            self.text(text);
        }
    }

    fn options(&mut self, options: Option<&Map>) {
        if let Some(options) = options {
            self.space();
            self.map(options);
        }
    }

    pub(super) fn expect(&mut self, expect: &Expect) {
        self.name(&expect.decision);
        // In source order; the tree groups them by kind.
        let mut parts: Vec<(Span, Part<'_>)> = Vec::new();
        parts.extend(expect.by.iter().map(|rule| (rule.span, Part::By(rule))));
        parts.extend(expect.message.iter().map(|text| (text.span, Part::Contains("message", text))));
        parts.extend(expect.context.iter().map(|text| (text.span, Part::Contains("context", text))));
        parts.extend(expect.run.iter().map(|text| (text.span, Part::Run(text))));
        parts.extend(expect.rewrites.iter().map(|(field, value)| (field.span, Part::Rewrites(field, value))));
        parts.sort_by_key(|(span, _)| span.start);
        self.open(Shape::Hanging);
        let mut after_rule = false;
        for (_, part) in parts {
            let is_rule = matches!(part, Part::By(_));
            if after_rule && is_rule && !self.is_next("by") {
                self.word(",");
                self.glue(" ");
            } else {
                if self.ends_here() == Ends::Here {
                    self.force();
                }
                self.line(Line { flat: " ", breaks: Breaks::WithGroup, next: Next::Inner, blank: false });
                self.expect_word(&part);
            }
            self.expect_part(&part);
            after_rule = is_rule;
        }
        self.close();
    }

    /// Prints the keyword of a part of an expectation.
    fn expect_word(&mut self, part: &Part<'_>) {
        match part {
            Part::By(_) => self.word("by"),
            Part::Contains(what, _) => {
                self.word(what);
                self.space();
                self.word("contains");
            }
            Part::Run(_) => self.word("run"),
            Part::Rewrites(..) => self.word("rewrites"),
        }
        self.space();
    }

    fn expect_part(&mut self, part: &Part<'_>) {
        match part {
            Part::By(rule) => self.name(rule),
            Part::Contains(_, text) | Part::Run(text) => self.text(text),
            Part::Rewrites(field, value) => {
                self.field(field);
                self.space();
                self.word("to");
                self.space();
                self.value(value);
            }
        }
    }
}

/// The parts of an expectation other than the decision.
enum Part<'a> {
    By(&'a Name),
    Contains(&'static str, &'a Text),
    Run(&'a Text),
    Rewrites(&'a FieldName, &'a Value),
}
