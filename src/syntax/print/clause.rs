//! Prints clauses of rules, examples and the expectations of tests.

use super::layout::{BreakCondition, GroupIndent, LineBreak, NextIndent};
use super::{Printer, SourceLineBreak};
use crate::span::Span;
use crate::syntax::ast::{
    AstEffect, AstValue, Clause, ClauseKind, EffectKind, EventHead, Example, Expectation, FieldName, MapLiteral, Name,
    PastCall, RuleReference, Selector, SessionStep, StringLiteral,
};

impl Printer<'_> {
    /// Prints a clause of a rule.
    pub(super) fn clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::On(heads) => {
                self.keyword("on");
                self.space();
                self.aligned_elements(heads, Self::head);
            }
            ClauseKind::By(selectors) => {
                self.keyword("by");
                self.space();
                self.selectors(selectors);
            }
            ClauseKind::When(condition) => {
                self.keyword("when");
                self.space();
                self.condition(condition);
            }
            ClauseKind::Unless(condition) => {
                self.keyword("unless");
                self.space();
                self.condition(condition);
            }
            ClauseKind::Unknown(vote) => {
                self.keyword("unknown");
                self.space();
                self.name(vote);
            }
            ClauseKind::Key(key) => {
                self.keyword("key");
                self.space();
                self.operand(key);
            }
            ClauseKind::Effect(effect) => self.effect(effect),
            ClauseKind::Examples(kind, examples) => {
                self.keyword(kind.keyword());
                self.space();
                self.keyword("on");
                self.space();
                self.aligned_elements(examples, Self::example);
            }
        }
    }

    /// Prints one event of an `on` clause, with its selectors.
    fn head(&mut self, head: &EventHead) {
        self.name(&head.event);
        if let Some(selectors) = &head.selectors {
            self.keyword("(");
            self.comment_break("");
            self.selectors(selectors);
            self.comment_break("");
            self.keyword(")");
        }
    }

    /// Prints selectors joined by `|`; a line that is too long continues after a `|`.
    fn selectors(&mut self, selectors: &[Selector]) {
        self.open_group(GroupIndent::Hanging);
        for (index, selector) in selectors.iter().enumerate() {
            if index > 0 {
                self.comment_break("");
                self.keyword("|");
                self.line_break(LineBreak {
                    unbroken_text: "",
                    breaks: BreakCondition::IfFull,
                    next: NextIndent::Inner,
                    has_blank_line: false,
                });
            }
            self.selector(selector);
        }
        self.close_group();
    }

    /// Prints a selector, with `!` if it excludes.
    fn selector(&mut self, selector: &Selector) {
        let written = self.slice(selector.span).map(|written| written.strip_prefix('!').unwrap_or(written));
        let exclusion = if selector.excludes { "!" } else { "" };
        // Only the `!` of an exclusion is removed: a name may itself begin with `!`.
        let written = if selector.excludes { written } else { self.slice(selector.span) };
        self.source_token(selector.span, format!("{exclusion}{}", Self::glob(&selector.glob, written)));
    }

    /// Prints a name, without quotes if possible.
    fn bare_or_quoted(&mut self, name: &Name) {
        let glob = Self::glob(&name.text, self.slice(name.span));
        self.source_token(name.span, glob);
    }

    /// Prints an example; its parts are separated by spaces.
    pub(super) fn example(&mut self, example: &Example) {
        let mut is_first = true;
        let mut separate = |printer: &mut Self| {
            if !std::mem::take(&mut is_first) {
                printer.space();
            }
        };
        if let Some(head) = &example.head {
            separate(self);
            self.name(&head.name);
            if let Some(subject) = &head.subject {
                self.keyword("(");
                self.comment_break("");
                self.bare_or_quoted(subject);
                self.comment_break("");
                self.keyword(")");
            }
        }
        if let Some(text) = &example.text {
            separate(self);
            self.text(text);
        }
        if let Some(by) = &example.by {
            separate(self);
            self.keyword("by");
            self.space();
            let quoted = Self::quoted(&by.text, self.slice(by.span));
            self.source_token(by.span, quoted);
        }
        if let Some(host) = &example.host {
            separate(self);
            self.spaced_word("on");
            self.name(host);
        }
        if let Some(with) = &example.with {
            separate(self);
            self.keyword("with");
            self.space();
            self.map(with);
        }
        if let Some(fields) = &example.fields {
            separate(self);
            self.map(fields);
        }
        if let Some(steps) = &example.after {
            separate(self);
            self.keyword("after");
            self.space();
            self.bracketed_elements(("[", "", "]"), steps, |printer, step| printer.session_step(step, None));
        }
    }

    /// Prints a step of a session. `word` is the keyword before a call (`given` or `then`); `None` in an `after` list.
    pub(super) fn session_step(&mut self, step: &SessionStep, word: Option<&'static str>) {
        match step {
            SessionStep::Call(PastCall { times, call, end }) => {
                if let Some(word) = word {
                    self.spaced_word(word);
                }
                if let Some((times, span)) = times {
                    self.source_token(*span, times.to_string());
                    self.space();
                }
                self.example(call);
                if let Some(end) = end {
                    self.space();
                    self.name(end);
                }
            }
            SessionStep::Wait(time) => {
                self.spaced_word("wait");
                self.value(time);
            }
        }
    }

    /// Prints an effect with its options.
    fn effect(&mut self, effect: &AstEffect) {
        match &effect.kind {
            EffectKind::Deny(message) => self.message("deny", message.as_ref()),
            EffectKind::Ask(message) => self.message("ask", message.as_ref()),
            EffectKind::Allow(message) => self.message("allow", message.as_ref()),
            EffectKind::Halt(message) => self.message("halt", message.as_ref()),
            EffectKind::Context(message) => self.message("context", message.as_ref()),
            EffectKind::Warn(message) => self.message("warn", message.as_ref()),
            EffectKind::Exit(code, place, message) => {
                self.keyword("exit");
                if let Some(code) = code {
                    self.space();
                    let written = self.slice(*place).map_or_else(|| code.to_string(), str::to_owned);
                    self.source_token(*place, written);
                }
                self.optional_text(message.as_ref());
            }
            EffectKind::RewriteSet(field, value) => {
                self.rewrite(field);
                self.keyword("=");
                self.comment_break(" ");
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
                self.optional_text(body.as_ref());
            }
            EffectKind::RunShell(command) => self.message("run", Some(command)),
            EffectKind::RunArgv(words, _) => {
                self.spaced_word("run");
                self.bracketed_elements(("[", "", "]"), words, Self::text);
            }
            EffectKind::Record(file) => self.message("record", Some(file)),
        }
        self.options(effect.options.as_ref());
    }

    /// Prints a keyword and a space.
    fn spaced_word(&mut self, word: &'static str) {
        self.keyword(word);
        self.space();
    }

    /// Prints `rewrite FIELD` and a space.
    fn rewrite(&mut self, field: &FieldName) {
        self.spaced_word("rewrite");
        self.field(field);
        self.space();
    }

    /// Prints a keyword, and the string after it if there is one.
    fn message(&mut self, verb: &str, message: Option<&StringLiteral>) {
        self.keyword(verb);
        self.optional_text(message);
    }

    /// Prints a space and a string, if there is one.
    fn optional_text(&mut self, text: Option<&StringLiteral>) {
        if let Some(text) = text {
            self.space();
            self.text(text);
        }
    }

    /// Prints a space and the options of an effect, if it has any.
    fn options(&mut self, options: Option<&MapLiteral>) {
        if let Some(options) = options {
            self.space();
            self.map(options);
        }
    }

    /// Prints the decision of an `expect` and its further parts, in the order of the source.
    pub(super) fn expectation(&mut self, expect: &Expectation) {
        self.name(&expect.decision);
        // The tree groups the parts by kind; sorting by position restores the order of the source.
        let mut parts: Vec<(Span, ExpectationPart<'_>)> = Vec::new();
        parts.extend(expect.by.iter().map(|rule| (rule.span(), ExpectationPart::By(rule))));
        parts.extend(expect.sends.iter().map(|answer| (answer.span, ExpectationPart::Sends(answer))));
        parts.extend(expect.message.iter().map(|text| (text.span, ExpectationPart::Contains("message", text))));
        parts.extend(expect.context.iter().map(|text| (text.span, ExpectationPart::Contains("context", text))));
        parts.extend(expect.run.iter().map(|text| (text.span, ExpectationPart::Run(text))));
        parts
            .extend(expect.rewrites.iter().map(|(field, value)| (field.span, ExpectationPart::Rewrites(field, value))));
        parts.sort_by_key(|(span, _)| span.start);
        self.open_group(GroupIndent::Hanging);
        let mut after_rule = false;
        for (_, part) in parts {
            let is_rule = matches!(part, ExpectationPart::By(_));
            if after_rule && is_rule && !self.is_next("by") {
                self.keyword(",");
                self.comment_break(" ");
            } else {
                if self.line_break_in_source() == SourceLineBreak::Present {
                    self.force_break();
                }
                self.line_break(LineBreak {
                    unbroken_text: " ",
                    breaks: BreakCondition::IfGroupBroken,
                    next: NextIndent::Inner,
                    has_blank_line: false,
                });
                self.expectation_keyword(&part);
            }
            self.expectation_part(&part);
            after_rule = is_rule;
        }
        self.close_group();
    }

    /// Prints the keywords of a part of an expectation, such as `message contains`.
    fn expectation_keyword(&mut self, part: &ExpectationPart<'_>) {
        match part {
            ExpectationPart::By(_) => self.keyword("by"),
            ExpectationPart::Sends(_) => self.keyword("sends"),
            ExpectationPart::Contains(what, _) => {
                self.keyword(what);
                self.space();
                self.keyword("contains");
            }
            ExpectationPart::Run(_) => self.keyword("run"),
            ExpectationPart::Rewrites(..) => self.keyword("rewrites"),
        }
        self.space();
    }

    /// Prints a part of an expectation after its keywords.
    fn expectation_part(&mut self, part: &ExpectationPart<'_>) {
        match part {
            ExpectationPart::By(RuleReference::Name(rule)) => self.name(rule),
            ExpectationPart::Sends(answer) => self.name(answer),
            ExpectationPart::By(RuleReference::Text(rule)) => self.text(rule),
            ExpectationPart::Contains(_, text) | ExpectationPart::Run(text) => self.text(text),
            ExpectationPart::Rewrites(field, value) => {
                self.field(field);
                self.space();
                self.keyword("to");
                self.space();
                self.value(value);
            }
        }
    }
}

/// The parts of an expectation other than the decision.
enum ExpectationPart<'a> {
    /// `by RULE`
    By(&'a RuleReference),
    /// `sends ANSWER`
    Sends(&'a Name),
    /// `message contains "…"` or `context contains "…"`, with the first keyword.
    Contains(&'static str, &'a StringLiteral),
    /// `run "…"`
    Run(&'a StringLiteral),
    /// `rewrites FIELD to V`
    Rewrites(&'a FieldName, &'a AstValue),
}
