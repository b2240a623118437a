//! Compiles what a condition asks about the past: `happened M`, `count M`.

use super::{ConditionCompiler, KeyKind};
use crate::compile::field::{TypedReference, resolve_placeholder};
use crate::compile::marks::visible_marks;
use crate::compile::names::{NameDefinition, ScopedValue};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::ruleset::{ConditionExpr, KeySource, MarkedEvents, PastTest};
use crate::schema::Event;
use crate::span::Span;
use crate::syntax::ast::{self, Operand, PastEvents, ValueKind};

/// The key that is the call itself.
const CALL: &str = "call";

/// The key that consists of the files for which the tests of the rule hold.
const MATCH: &str = "match";

impl<'a> ConditionCompiler<'_, 'a> {
    /// Compiles `happened M …`.
    pub(super) fn happened(&mut self, file: usize, events: &'a PastEvents) -> Option<ConditionExpr> {
        self.past_test(file, events).map(ConditionExpr::Happened)
    }

    /// Compiles a mark and what narrows its events: `of`, `by`, `since` and `within`.
    pub(super) fn past_test(&mut self, file: usize, events: &'a PastEvents) -> Option<PastTest> {
        if self.names.marks.are_compiling() {
            self.diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, "a mark that asks about the past")
                    .label(events.span, "a mark is about one event alone")
                    .help("ask about both marks in the rule: `happened A and not happened B`"),
            );
            return None;
        }
        self.reject_in_where("happened", events.span)?;
        let of = events.of.as_deref().map(|of| self.key_source(file, of));
        let within = events.within.as_deref().map(|time| self.milliseconds(file, time));
        self.narrowed_events(file, events, (of, within))
    }

    /// Compiles `{count M …}` in a text.
    pub(in crate::compile) fn counted_in_text(&mut self, file: usize, events: &PastEvents) -> Option<PastTest> {
        let of = events.of.as_deref().map(|of| match of {
            Operand::Field(name) => self.key_in_text(file, name),
            _ => None,
        });
        let within = events.within.as_deref().map(|time| self.milliseconds_in_text(file, time));
        self.narrowed_events(file, events, (of, within))
    }

    /// Returns the test of a mark with what narrows its events; an inner `None` is a part whose mistake was reported.
    fn narrowed_events(
        &mut self,
        file: usize,
        events: &PastEvents,
        (of, within): (Option<Option<KeySource>>, Option<Option<u64>>),
    ) -> Option<PastTest> {
        let mark = self.marked_events(file, &events.mark);
        let since = match &events.since {
            Some(since) => Some(self.marked_events(file, since)?),
            None => None,
        };
        let of = match of {
            Some(key) => Some(key?),
            None => None,
        };
        let within = match within {
            Some(time) => Some(time?),
            None => None,
        };
        let (mark, has_key) = mark?;
        if of.is_some() && !has_key {
            self.diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, format!("`{}` has no key", events.mark.text))
                    .label(events.span, "its events cannot be told apart")
                    .help(format!("add `key path`, `key match` or `key call` to `mark {}`", events.mark.text)),
            );
            return None;
        }
        self.check_key(file, of.as_ref(), &mark, events)?;
        let since = since.map(|(since, _)| since);
        Some(PastTest { mark, of, by: events.by, since, within })
    }

    /// Reports a key of another kind than the mark's, which no event of the mark can have. `None` if it did.
    fn check_key(
        &mut self,
        file: usize,
        of: Option<&KeySource>,
        mark: &MarkedEvents,
        events: &PastEvents,
    ) -> Option<()> {
        let Some(of) = of else { return Some(()) };
        let is_call = matches!(of, KeySource::Call);
        if is_call == mark.has_calls_as_keys && self.may_have_key(file, of, &events.mark.text) {
            return Some(());
        }
        let name = &events.mark.text;
        let help = match (is_call, mark.has_calls_as_keys) {
            (true, _) => format!("write `key call` in `mark {name}`, or ask `of path`"),
            (false, true) => format!("ask `of call`, as `mark {name}` has `key call`"),
            (false, false) => format!("ask `of` the field after `key` in `mark {name}`, or change that key"),
        };
        self.diagnostics.push(
            Diagnostic::new(Code::BAD_VALUE, format!("no event of `{name}` has such a key"))
                .label(events.span, "another key than that of the mark")
                .help(help),
        );
        None
    }

    /// Whether an event of a mark may have a key of a source; also true if the kind of one of the two is not known.
    fn may_have_key(&self, file: usize, of: &KeySource, mark: &str) -> bool {
        let Some(NameDefinition::Mark(home, _)) = self.names.definition(file, mark) else { return true };
        let kinds = self.names.marks.key_kind(home, mark).zip(KeyKind::of(of));
        kinds.is_none_or(|(key, of)| key.may_equal(of))
    }

    /// Compiles `count M` for a mark, with nothing that narrows its events. `None` if the name is not a mark,
    /// `Some(None)` if a mistake was reported.
    pub(super) fn counted_mark(&mut self, file: usize, operand: &Operand) -> Option<Option<PastTest>> {
        let Operand::Field(name) = operand else { return None };
        let name = name.as_single_name()?;
        let Some(NameDefinition::Mark(..)) = self.names.definition(file, &name.text) else { return None };
        if self.reject_in_where("count", name.span).is_none() {
            return Some(None);
        }
        let mark = self.marked_events(file, name).map(|(mark, _)| mark);
        Some(mark.map(|mark| PastTest { mark, of: None, by: None, since: None, within: None }))
    }

    /// Returns the mark that a name refers to, and whether its events have keys; `None` if a mistake was reported.
    fn marked_events(&mut self, file: usize, name: &ast::Name) -> Option<(MarkedEvents, bool)> {
        let names = self.names;
        match names.definition(file, &name.text) {
            Some(NameDefinition::Mark(home, _)) => names.marks.named(home, &name.text),
            _ if names.may_be_unparsed(file, &name.text) => None,
            _ => {
                let marks = visible_marks(names, file);
                if let Some(event) = Event::from_name(&name.text) {
                    let right = format!("mark begun {{ on {} }}", event.name());
                    let found =
                        Diagnostic::new(Code::UNKNOWN_NAME, format!("`{}` is an event, and no mark", name.text))
                            .label(name.span, "not a mark")
                            .help(format!("write `{right}` above the rule, and `begun` here"));
                    names.account.report_unknown(name.span, found, self.diagnostics);
                    return None;
                }
                let help = suggest("mark", &name.text, marks).unwrap_or_else(|| {
                    format!("define it above the rule: `mark {} {{ on PostToolUse(…) }}`", name.text)
                });
                let found = Diagnostic::new(Code::UNKNOWN_NAME, format!("unknown mark `{}`", name.text))
                    .label(name.span, "not a mark")
                    .help(help);
                names.account.report_unknown(name.span, found, self.diagnostics);
                None
            }
        }
    }

    /// Compiles the duration after `within`.
    fn milliseconds(&mut self, file: usize, time: &'a ast::AstValue) -> Option<u64> {
        let resolved = self.names.resolve_lets(ScopedValue { file, value: time }, self.diagnostics);
        self.duration(resolved.value, time.span)
    }

    /// Compiles the duration after `within` in a text, which is a literal or the name of a `let`.
    fn milliseconds_in_text(&mut self, file: usize, time: &ast::AstValue) -> Option<u64> {
        let ValueKind::Name(name) = &time.kind else { return self.duration(time, time.span) };
        let named = name.as_single_name().and_then(|single| self.names.definition(file, &single.text));
        let Some(NameDefinition::Let(scoped)) = named else { return self.duration(time, time.span) };
        let resolved = self.names.resolve_lets(scoped, self.diagnostics);
        self.duration(resolved.value, time.span)
    }

    /// Returns a duration in milliseconds, and reports another value at `span`.
    fn duration(&mut self, time: &ast::AstValue, span: Span) -> Option<u64> {
        match &time.kind {
            ValueKind::Duration(duration, _) if !duration.is_zero() => {
                Some(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
            }
            _ => {
                self.diagnostics.push(
                    Diagnostic::new(Code::BAD_VALUE, "`within` takes a duration")
                        .label(span, "not a duration")
                        .help("write a number and a unit: `within 30s`, `within 10m`, `within 1h`"),
                );
                None
            }
        }
    }

    /// Compiles a key: a field, `match` or `call`.
    pub(in crate::compile) fn key_source(&mut self, file: usize, key: &'a Operand) -> Option<KeySource> {
        if let Operand::Field(name) = key
            && let Some(single) = name.as_single_name()
            && self.names.definition(file, &single.text).is_none()
        {
            match single.text.as_str() {
                CALL => return Some(KeySource::Call),
                MATCH => return Some(KeySource::Match),
                _ => {}
            }
        }
        let TypedReference { source, .. } = self.operand(file, key)?;
        Some(KeySource::Value(source))
    }

    /// Compiles the key of `{count M of F}` in a text: a field or `call`.
    fn key_in_text(&mut self, file: usize, name: &ast::FieldName) -> Option<KeySource> {
        let own_key = name.as_single_name().filter(|single| self.names.definition(file, &single.text).is_none());
        match own_key.map(|single| single.text.as_str()) {
            Some(CALL) => Some(KeySource::Call),
            Some(MATCH) => {
                self.diagnostics.push(
                    Diagnostic::new(Code::BAD_VALUE, "`of match` in a text")
                        .label(name.span, "only a condition knows which files match")
                        .help("leave it out, or write `of path`"),
                );
                None
            }
            _ => match resolve_placeholder(name, self.head, &Vec::new) {
                Ok(typed) => Some(KeySource::Value(typed.source)),
                Err(error) => {
                    self.diagnostics.push(*error);
                    None
                }
            },
        }
    }
}
