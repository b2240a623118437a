//! Builds clauses of rules, examples and the lines of tests.

use super::AstBuilder;
use super::item::SessionLine;
use crate::span::Span;
use crate::syntax::ast::{
    AstEffect, Clause, ClauseKind, EffectKind, EventHead, Example, ExampleHead, ExampleKind, Expectation, MapLiteral,
    Name, PastCall, RuleReference, Selector, SessionStep, StringLiteral,
};
use crate::syntax::grammar::{Pair, Pairs, Rule};

impl AstBuilder<'_> {
    /// Builds a clause of a rule.
    pub(in crate::syntax) fn clause(&mut self, pair: Pair<'_>) -> Option<Clause> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let mut inner = pair.clone().into_inner();
        let kind = match rule {
            Rule::on_clause => {
                ClauseKind::On(inner.skip(1).map(|head| self.event_head(head)).collect::<Option<Vec<_>>>()?)
            }
            Rule::by_clause => ClauseKind::By(self.selectors(inner.nth(1)?)?),
            Rule::when_clause => ClauseKind::When(self.condition(inner.nth(1)?)?),
            Rule::unless_clause => ClauseKind::Unless(self.condition(inner.nth(1)?)?),
            Rule::unknown_clause => ClauseKind::Unknown(self.name(&inner.nth(1)?)),
            Rule::key_clause => ClauseKind::Key(self.operand(inner.nth(1)?)?),
            Rule::examples => {
                let kind = match inner.next()?.as_str().get(..5)? {
                    "fires" => ExampleKind::Fires,
                    "quiet" => ExampleKind::Quiet,
                    _ => ExampleKind::Unknown,
                };
                let examples = inner.map(|example| self.example(example)).collect::<Option<Vec<_>>>()?;
                ClauseKind::Examples(kind, examples.into())
            }
            _ => ClauseKind::Effect(self.effect(pair)?),
        };
        Some(Clause { kind, span })
    }

    /// Builds one event of an `on` clause, with its selectors.
    fn event_head(&mut self, pair: Pair<'_>) -> Option<EventHead> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let event = self.name(&inner.next()?);
        let selectors = match inner.next() {
            Some(selectors) => Some(self.selectors(selectors)?),
            None => None,
        };
        Some(EventHead { event, selectors, span })
    }

    /// Builds the selectors that are separated by `|`.
    fn selectors(&mut self, pair: Pair<'_>) -> Option<Vec<Selector>> {
        pair.into_inner().map(|selector| self.selector(selector)).collect()
    }

    /// Builds a selector, which may be excluded (`!reviewer`) and quoted.
    fn selector(&mut self, pair: Pair<'_>) -> Option<Selector> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let first = inner.next()?;
        let (excludes, glob) = match first.as_rule() {
            Rule::exclusion => (true, inner.next()?),
            _ => (false, first),
        };
        Some(Selector { glob: self.bare_or_quoted_name(&glob).text, excludes, span })
    }

    /// Builds a name that may be in quotes.
    fn bare_or_quoted_name(&mut self, pair: &Pair<'_>) -> Name {
        match pair.as_rule() {
            Rule::bare_glob => self.name(pair),
            _ => {
                let text = self.text(pair);
                Name { text: text.value, span: text.span }
            }
        }
    }

    /// Builds an example: the text after `given`, or one of the list after `fires on`.
    pub(in crate::syntax) fn example(&mut self, pair: Pair<'_>) -> Option<Example> {
        let span = self.span(&pair);
        self.example_of_parts(pair.into_inner(), span)
    }

    /// Builds an example from its parts.
    fn example_of_parts<'p>(&mut self, parts: impl Iterator<Item = Pair<'p>>, span: Span) -> Option<Example> {
        let mut example =
            Example { head: None, text: None, by: None, host: None, with: None, fields: None, after: None, span };
        for part in parts {
            match part.as_rule() {
                Rule::example_head => {
                    let mut inner = part.into_inner();
                    let name = self.name(&inner.next()?);
                    let subject = inner.next().map(|subject| self.bare_or_quoted_name(&subject));
                    example.head = Some(ExampleHead { name, subject });
                }
                Rule::example_by => example.by = Some(self.bare_or_quoted_name(&part.into_inner().nth(1)?)),
                Rule::example_host => example.host = Some(self.name(&part.into_inner().nth(1)?)),
                Rule::example_with => example.with = Some(self.map(part.into_inner().nth(1)?)?),
                Rule::map => example.fields = Some(self.map(part)?),
                Rule::example_after => {
                    let steps = part.into_inner().skip(1).map(|step| self.session_step(step));
                    example.after = Some(steps.collect::<Option<Vec<_>>>()?);
                }
                _ => example.text = Some(self.text(&part)),
            }
        }
        Some(example)
    }

    /// Builds an effect with its options.
    fn effect(&mut self, pair: Pair<'_>) -> Option<AstEffect> {
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        let word = inner.next()?;
        let verb = self.span(&word);
        let kind = match rule {
            Rule::message_effect => {
                let message = self.optional_text(&mut inner);
                match word.as_str() {
                    "deny" => EffectKind::Deny(message),
                    "ask" => EffectKind::Ask(message),
                    "allow" => EffectKind::Allow(message),
                    "halt" => EffectKind::Halt(message),
                    "context" => EffectKind::Context(message),
                    _ => EffectKind::Warn(message),
                }
            }
            Rule::exit_effect => {
                let code = inner.peek().filter(|next| next.as_rule() == Rule::exit_code);
                let place = code.as_ref().map_or(verb.end_position(), |code| self.span(code));
                if code.is_some() {
                    inner.next();
                }
                // A code that is too large for an integer becomes another code that no host knows, and `compile`
                // reports it.
                let code = code.map(|code| code.as_str().parse().unwrap_or(i64::MAX));
                EffectKind::Exit(code, place, self.optional_text(&mut inner))
            }
            Rule::rewrite_effect => self.rewrite(&mut inner)?,
            Rule::notify_effect => {
                let title = self.text(&inner.next()?);
                EffectKind::Notify(title, self.optional_text(&mut inner))
            }
            Rule::run_effect => {
                let command = inner.next()?;
                match command.as_rule() {
                    Rule::argv => {
                        let span = self.span(&command);
                        EffectKind::RunArgv(command.into_inner().map(|word| self.text(&word)).collect(), span)
                    }
                    _ => EffectKind::RunShell(self.text(&command)),
                }
            }
            Rule::record_effect => EffectKind::Record(self.text(&inner.next()?)),
            _ => return None,
        };
        let options = self.optional_map(&mut inner)?;
        Some(AstEffect { kind, options, verb })
    }

    /// Builds a rewrite in one of its three forms: `rewrite runs "P" to "Q"`, `rewrite FIELD replace /re/ with "T"`,
    /// `rewrite FIELD = V`.
    fn rewrite(&mut self, inner: &mut Pairs<'_>) -> Option<EffectKind> {
        let target = inner.next()?;
        if target.as_rule() == Rule::rewrite_runs {
            let mut parts = target.into_inner();
            let from = self.text(&parts.nth(1)?);
            return Some(EffectKind::RewriteRuns(from, self.text(&parts.nth(1)?)));
        }
        let field = self.field(&target);
        let change = inner.next()?;
        if change.as_rule() == Rule::rewrite_replace {
            let mut parts = change.into_inner();
            let pattern = self.value(parts.nth(1)?)?;
            return Some(EffectKind::RewriteReplace(field, pattern, self.text(&parts.nth(1)?)));
        }
        Some(EffectKind::RewriteSet(field, self.value(change)?))
    }

    /// Builds the next string; `None` if there is none. A map is not consumed: it has the options of the effect.
    fn optional_text(&mut self, inner: &mut Pairs<'_>) -> Option<StringLiteral> {
        let next = inner.peek().filter(|next| next.as_rule() != Rule::map)?;
        inner.next();
        Some(self.text(&next))
    }

    /// Builds the next map. Returns `Some(None)` if there is none, and `None` if pest's tree is not as expected.
    #[expect(clippy::option_option, reason = "the outer one is this module's error")]
    fn optional_map(&mut self, inner: &mut Pairs<'_>) -> Option<Option<MapLiteral>> {
        match inner.next() {
            Some(map) => Some(Some(self.map(map)?)),
            None => Some(None),
        }
    }

    /// Builds a line of a test before an `expect`: `given`, `then` or `wait`.
    pub(in crate::syntax) fn session_line(&mut self, pair: Pair<'_>) -> Option<SessionLine> {
        let begins_session = pair.as_rule() == Rule::given;
        let step = match pair.as_rule() {
            Rule::wait => self.session_step(pair)?,
            _ => self.session_step(pair.into_inner().nth(1)?)?,
        };
        Some(SessionLine { begins_session, step })
    }

    /// Builds a step of a session: a call with its end, or a wait.
    fn session_step(&mut self, pair: Pair<'_>) -> Option<SessionStep> {
        if pair.as_rule() == Rule::wait {
            return self.value(pair.into_inner().nth(1)?).map(SessionStep::Wait);
        }
        let mut inner = pair.into_inner().peekable();
        let written = inner.next_if(|part| part.as_rule() == Rule::times);
        // A number that is too large becomes the largest one.
        let times = written.map(|times| (times.as_str().parse().unwrap_or(u32::MAX), self.span(&times)));
        let mut parts: Vec<Pair<'_>> = inner.collect();
        let end = parts.pop_if(|part| part.as_rule() == Rule::call_end).map(|end| self.name(&end));
        // The span leaves out the end of the call (`done`), so that a finding about the call underlines only the call.
        let span = self.span(parts.first()?).joined_with(self.span(parts.last()?));
        self.example_of_parts(parts.into_iter(), span).map(|call| SessionStep::Call(PastCall { times, call, end }))
    }

    /// Builds an `expect` line.
    pub(in crate::syntax) fn expect(&mut self, pair: Pair<'_>) -> Option<Expectation> {
        let mut inner = pair.into_inner();
        let decision = self.name(&inner.nth(1)?);
        let mut expect = Expectation {
            decision,
            by: Vec::new(),
            sends: Vec::new(),
            message: Vec::new(),
            context: Vec::new(),
            rewrites: Vec::new(),
            run: Vec::new(),
        };
        for part in inner {
            let rule = part.as_rule();
            let mut words = part.into_inner().skip(1);
            match rule {
                Rule::expect_by => expect.by.extend(words.map(|rule| self.rule_reference(&rule))),
                Rule::expect_sends => expect.sends.push(self.name(&words.next()?)),
                Rule::expect_message => expect.message.push(self.text(&words.next()?)),
                Rule::expect_context => expect.context.push(self.text(&words.next()?)),
                Rule::expect_run => expect.run.push(self.text(&words.next()?)),
                Rule::expect_rewrites => {
                    let field = self.field(&words.next()?);
                    expect.rewrites.push((field, self.value(words.nth(1)?)?));
                }
                _ => return None,
            }
        }
        Some(expect)
    }

    /// Builds the name or path of a rule after `by`.
    fn rule_reference(&mut self, pair: &Pair<'_>) -> RuleReference {
        match pair.as_rule() {
            Rule::rule_ref | Rule::rule_path => RuleReference::Name(self.name(pair)),
            _ => RuleReference::Text(self.text(pair)),
        }
    }
}
