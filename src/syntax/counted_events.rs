//! Parses the events that a placeholder counts: `{count called of call since tested within 10m}`.

use super::ast::{AstValue, FieldName, Name, Operand, PastActor, PastEvents, ValueKind};
use super::quantity::parse_quantity;
use super::text::{is_dotted_name, name_segments};
use crate::span::Span;

/// Parses a mark and what narrows its events, up to a closing brace. Returns the events, and the length of the text in
/// front of the brace; `None` for any other text. `span_at` returns the span of a part of the text.
pub(super) fn counted_events(rest: &str, span_at: impl Fn(usize, usize) -> Span) -> Option<(PastEvents, usize)> {
    let is_of_events = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    let length = rest.find(|c| !is_of_events(c))?;
    let (written, _) = rest.split_at_checked(length).filter(|(_, after)| after.starts_with('}'))?;
    let mut words = EventWords { rest: written.split(' '), at: 0 };
    let mark = words.name(&span_at)?;
    let mut events =
        PastEvents { mark, of: None, by: None, since: None, within: None, span: span_at(0, written.trim_end().len()) };
    // The parts are in the order of a condition.
    let mut last_part = 0;
    while let Some((keyword, _)) = words.next() {
        let part = ["of", "by", "since", "within"].into_iter().position(|known| known == keyword)? + 1;
        if part <= last_part {
            return None;
        }
        last_part = part;
        match keyword {
            "of" => events.of = Some(Box::new(Operand::Field(words.field(&span_at)?))),
            "by" => {
                events.by = Some(match words.next()?.0 {
                    "same" => PastActor::Same,
                    "another" => PastActor::Another,
                    _ => return None,
                });
                words.next().filter(|(word, _)| *word == "agent")?;
            }
            "since" => events.since = Some(words.name(&span_at)?),
            _ => events.within = Some(Box::new(words.time(&span_at)?)),
        }
    }
    Some((events, length))
}

/// The words of a placeholder, each with its offset.
struct EventWords<'t> {
    rest: std::str::Split<'t, char>,
    at: usize,
}

impl<'t> Iterator for EventWords<'t> {
    type Item = (&'t str, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let word = self.rest.next()?;
        let at = self.at;
        self.at += word.len() + 1;
        Some((word, at))
    }
}

impl EventWords<'_> {
    /// Returns the next word as the name of a mark.
    fn name(&mut self, span_at: impl Fn(usize, usize) -> Span) -> Option<Name> {
        let (word, at) = self.next().filter(|(word, _)| is_dotted_name(word))?;
        Some(Name { text: word.to_owned(), span: span_at(at, at + word.len()) })
    }

    /// Returns the next word as a dotted name.
    fn field(&mut self, span_at: impl Fn(usize, usize) -> Span) -> Option<FieldName> {
        let (word, at) = self.next().filter(|(word, _)| is_dotted_name(word))?;
        let span = span_at(at, at + word.len());
        Some(FieldName { segments: name_segments(word, span), span })
    }

    /// Returns the next word as a duration, or as the name of one.
    fn time(&mut self, span_at: impl Fn(usize, usize) -> Span) -> Option<AstValue> {
        let (word, at) = self.next()?;
        let span = span_at(at, at + word.len());
        if is_dotted_name(word) {
            let name = FieldName { segments: name_segments(word, span), span };
            return Some(AstValue { kind: ValueKind::Name(name), span });
        }
        let mut found = Vec::new();
        let kind = parse_quantity(word, span, &mut found);
        (found.is_empty() && word.starts_with(|c: char| c.is_ascii_digit())).then_some(AstValue { kind, span })
    }
}
