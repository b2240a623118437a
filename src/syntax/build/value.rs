//! Builds values: literals, lists, maps, names.

use super::AstBuilder;
use crate::span::Span;
use crate::syntax::ast::{
    AstElement, AstValue, FileFact, JsonPathLiteral, MapEntry, MapKey, MapLiteral, Name, RegexLiteral, StringLiteral,
    ValueKind,
};
use crate::syntax::grammar::{Pair, Rule};
use crate::syntax::limits::MAX_ELEMENTS;
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::{quantity, text};

impl AstBuilder<'_> {
    /// Builds a string literal of any kind.
    pub(super) fn text(&mut self, pair: &Pair<'_>) -> StringLiteral {
        let span = self.span(pair);
        text::decode_literal(pair.as_str(), span, &mut self.diagnostics)
    }

    /// Builds a value one level deeper in the tree.
    pub(super) fn value(&mut self, pair: Pair<'_>) -> Option<AstValue> {
        let span = self.span(&pair);
        self.build_nested(span, |builder| builder.value_at(pair, span))
    }

    /// Builds a value.
    fn value_at(&mut self, pair: Pair<'_>, span: Span) -> Option<AstValue> {
        let kind = match pair.as_rule() {
            Rule::string | Rule::raw_string | Rule::block_string => ValueKind::Text(self.text(&pair)),
            Rule::quantity => quantity::parse_quantity(pair.as_str(), span, &mut self.diagnostics),
            Rule::boolean => ValueKind::Boolean(pair.as_str() == "true"),
            Rule::null => ValueKind::Null,
            Rule::regex => ValueKind::Regex(self.regex(pair.as_str(), span)?),
            Rule::json_path => ValueKind::JsonPath(self.json_path(&pair)),
            Rule::field | Rule::any_name => ValueKind::Name(self.field(&pair)),
            Rule::time_range => {
                let mut ends = pair.into_inner();
                ValueKind::TimeRange(self.text(&ends.next()?), self.text(&ends.next()?))
            }
            Rule::list => ValueKind::List(self.elements(pair)?),
            Rule::map => ValueKind::Map(self.map(pair)?),
            _ => return None,
        };
        Some(AstValue { kind, span })
    }

    /// Builds a JSONPath, without its backticks.
    pub(super) fn json_path(&self, pair: &Pair<'_>) -> JsonPathLiteral {
        JsonPathLiteral { text: pair.as_str().trim_matches('`').to_owned(), span: self.span(pair) }
    }

    /// Returns the fact for the keyword `file_size` or `file_exists`.
    pub(super) fn file_fact(pair: &Pair<'_>) -> FileFact {
        if pair.as_str() == "file_size" { FileFact::Size } else { FileFact::Exists }
    }

    /// Builds a map, and reports one with too many entries.
    pub(super) fn map(&mut self, pair: Pair<'_>) -> Option<MapLiteral> {
        let span = self.span(&pair);
        let entries = pair.into_inner().map(|entry| self.map_entry(entry)).collect::<Option<Vec<_>>>()?;
        self.check_length(entries.len(), "map", span);
        Some(MapLiteral { entries, span })
    }

    /// Builds an entry of a map; without a value it is a shorthand: `{ field }`.
    fn map_entry(&mut self, pair: Pair<'_>) -> Option<MapEntry> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let key = inner.next()?;
        let key = match key.as_rule() {
            Rule::any_name => MapKey::Name(self.field(&key)),
            Rule::file_key => {
                let span = self.span(&key);
                let mut parts = key.into_inner();
                let fact = Self::file_fact(&parts.next()?);
                MapKey::File(fact, self.text(&parts.next()?), span)
            }
            Rule::tree_key => {
                let span = self.span(&key);
                let mut parts = key.into_inner();
                let fact = self.field(&parts.next()?);
                MapKey::Tree(fact, self.text(&parts.next()?), span)
            }
            _ => MapKey::Text(self.text(&key)),
        };
        let value = match inner.next() {
            Some(value) => Some(self.value(value)?),
            None => None,
        };
        Some(MapEntry { key, value, span })
    }

    /// Builds the elements of a list, and reports too many.
    fn elements(&mut self, pair: Pair<'_>) -> Option<Vec<AstElement>> {
        let span = self.span(&pair);
        let mut elements = Vec::new();
        for element in pair.into_inner() {
            elements.push(match element.as_rule() {
                Rule::spread => {
                    let mut place = self.span(&element);
                    // After the `...`.
                    place.start += 3;
                    let text = element.as_str().trim_start_matches('.').to_owned();
                    AstElement::Spread(Name { text, span: place })
                }
                _ => AstElement::Value(self.value(element)?),
            });
        }
        self.check_length(elements.len(), "list", span);
        Some(elements)
    }

    /// Reports a list or map with too many elements, at its opening bracket.
    fn check_length(&mut self, length: usize, what: &str, span: Span) {
        if length > MAX_ELEMENTS {
            let mistake = SyntaxMistake::TooManyElements { what, count: &length.to_string() };
            self.diagnostics.push(mistake.at(Span { end: span.start + 1, ..span }));
        }
    }

    /// Builds a regex literal from `/pattern/flags`.
    fn regex(&self, source: &str, span: Span) -> Option<RegexLiteral> {
        let (pattern, flags) = source.strip_prefix('/')?.rsplit_once('/')?;
        let start = span.start + 1;
        let length = u32::try_from(pattern.len()).unwrap_or(u32::MAX);
        let pattern_span = Span { start, end: start.saturating_add(length), ..span };
        Some(RegexLiteral { pattern: pattern.to_owned(), pattern_span, flags: flags.to_owned(), span })
    }
}
