//! Decodes string literals (escapes, block strings, placeholders), and splits dotted names.

use super::ast::{FieldName, Name, Placeholder, QuoteStyle, StringLiteral};
use super::counted_events::counted_events;
use super::limits::MAX_DIAGNOSTICS;
use super::mistakes::{ANOTHER_ESCAPE, SyntaxMistake};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Decodes a string literal, and reports its mistakes. `source` is the literal with its quotes, `span` its span in the
/// file.
pub(super) fn decode_literal(source: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> StringLiteral {
    if let Some(inner) = source.strip_prefix("\"\"\"").and_then(|rest| rest.strip_suffix("\"\"\"")) {
        let mut decoder = LiteralDecoder::new(span);
        decode_block(inner, &mut decoder, diagnostics);
        return decoder.finish(QuoteStyle::Block, source, diagnostics);
    }
    let inner = source.get(1..source.len().saturating_sub(1)).unwrap_or_default();
    if source.starts_with('\'') {
        return StringLiteral { value: inner.to_owned(), placeholders: Vec::new(), quote: QuoteStyle::Raw, span };
    }
    let mut decoder = LiteralDecoder::new(span);
    decoder.value.reserve_exact(inner.len());
    decoder.decode_run(inner, 1);
    decoder.finish(QuoteStyle::Double, source, diagnostics)
}

/// Splits a dotted name into its segments, each with its span; `span` is the span of the whole name.
pub(super) fn name_segments(text: &str, span: Span) -> Vec<Name> {
    let mut at = span.start as usize;
    let names = text.split('.').map(|segment| {
        let start = at;
        at += segment.len() + 1;
        Name { text: segment.to_owned(), span: Span::new(span.file, start, start + segment.len()) }
    });
    names.collect()
}

/// The text before the name of a mark in a placeholder that counts its events: `{count NAME of F}`.
const COUNT: &str = "count ";

/// The part of a string literal that is decoded so far.
struct LiteralDecoder {
    span: Span,
    value: String,
    placeholders: Vec<Placeholder>,
    /// The unknown escapes: the offset of each in the literal, and its length.
    unknown: Vec<(usize, usize)>,
    /// The number of known escapes.
    escapes: usize,
}

impl LiteralDecoder {
    fn new(span: Span) -> Self {
        Self { span, value: String::new(), placeholders: Vec::new(), unknown: Vec::new(), escapes: 0 }
    }

    /// Returns the span of a part of the literal, given by offsets into the literal.
    fn span_at(&self, start: usize, end: usize) -> Span {
        let base = self.span.start as usize;
        Span::new(self.span.file, base + start, base + end)
    }

    /// Decodes a piece of the literal, which begins at `offset` in it.
    fn decode_run(&mut self, piece: &str, offset: usize) {
        let mut rest = piece;
        loop {
            let Some(stop) = rest.bytes().position(|byte| matches!(byte, b'\\' | b'{')) else {
                self.value.push_str(rest);
                return;
            };
            let (plain, special) = rest.split_at_checked(stop).unwrap_or((rest, ""));
            self.value.push_str(plain);
            let at = offset + piece.len() - special.len();
            let length = if special.starts_with('\\') {
                self.decode_escape(special, at)
            } else {
                self.decode_brace(special, at)
            };
            rest = special.get(length..).unwrap_or_default();
        }
    }

    /// Decodes the escape at the start of `rest`, which is at the offset `at` in the literal, and returns its length.
    /// An unknown escape is noted and copied.
    fn decode_escape(&mut self, rest: &str, at: usize) -> usize {
        let known = match rest.chars().nth(1) {
            Some('n') => Some(('\n', 2)),
            Some('t') => Some(('\t', 2)),
            Some('"') => Some(('"', 2)),
            Some('\\') => Some(('\\', 2)),
            Some('{') => Some(('{', 2)),
            Some('u') => decode_unicode_escape(rest),
            _ => None,
        };
        if let Some((decoded, length)) = known {
            self.escapes += 1;
            self.value.push(decoded);
            return length;
        }
        let length = 1 + rest.chars().nth(1).map_or(0, char::len_utf8);
        self.unknown.push((at, length));
        self.value.push_str(rest.get(..length).unwrap_or_default());
        length
    }

    /// Decodes a `{` at the start of `rest`, which is at the offset `at` in the literal, and returns the number of
    /// bytes used: a whole placeholder, or the brace alone. A brace after `$` is not a placeholder.
    fn decode_brace(&mut self, rest: &str, at: usize) -> usize {
        let counted = rest.strip_prefix('{').and_then(|rest| rest.strip_prefix(COUNT));
        let counted = counted.and_then(|rest| {
            counted_events(rest, |start, end| self.span_at(at + COUNT.len() + 1 + start, at + COUNT.len() + 1 + end))
        });
        let (name, length, counted) = match counted {
            _ if self.value.ends_with('$') => (None, 1, None),
            Some((events, length)) => {
                let name = FieldName { segments: vec![events.mark.clone()], span: events.mark.span };
                (Some(name), COUNT.len() + length + 2, Some(Box::new(events)))
            }
            None => match placeholder_name(rest) {
                Some(name) => {
                    let span = self.span_at(at + 1, at + 1 + name.len());
                    let length = name.len() + 2;
                    (Some(FieldName { segments: name_segments(name, span), span }), length, None)
                }
                None => (None, 1, None),
            },
        };
        let Some(name) = name else {
            self.value.push('{');
            return 1;
        };
        let start = self.value.len();
        self.value.push_str(rest.get(..length).unwrap_or_default());
        self.placeholders.push(Placeholder { range: start..self.value.len(), name, counted });
        length
    }

    /// Returns the first unknown escape as a policy writes it (`\u{e9}`), and the literal with all of them corrected.
    /// `None` if an unknown escape is not in the notation of other languages, `\u00e9`.
    fn bare_unicode(&self, source: &str) -> Option<(String, String)> {
        let mut fixed = source.to_owned();
        let mut first = String::new();
        for (at, _) in self.unknown.iter().rev() {
            let digits = source.get(at + 2..at + 6).filter(|_| source.get(*at..at + 2) == Some("\\u"))?;
            let written = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?;
            let escape = format!("\\u{{{:x}}}", u32::from(written));
            fixed.replace_range(*at..at + 6, &escape);
            first = escape;
        }
        Some((first, fixed))
    }

    /// Returns the decoded literal. Reports its unknown escapes as one mistake, with the fix that fits them: `\u{…}`,
    /// slashes in a path, single quotes, or doubled backslashes.
    fn finish(self, quote: QuoteStyle, source: &str, diagnostics: &mut Vec<Diagnostic>) -> StringLiteral {
        let mut unknown = self.unknown.iter().map(|(at, length)| (self.span_at(*at, at + length), *at, *length));
        if let Some((first, at, length)) = unknown.next() {
            let escape = source.get(at..at + length).unwrap_or_default();
            let escape = &escape.escape_debug().to_string().replace("\\\\", "\\");
            let inner = source.get(1..source.len().saturating_sub(1)).unwrap_or_default();
            // Single quotes give the same value if nothing in the string is an escape or a placeholder.
            let can_be_raw = quote == QuoteStyle::Double
                && !inner.contains('\'')
                && self.escapes == 0
                && self.placeholders.is_empty();
            // Each fix takes time proportional to the text; nobody applies thousands of them.
            let has_fix = self.unknown.len() <= MAX_DIAGNOSTICS;
            let unicode = has_fix.then(|| self.bare_unicode(source)).flatten();
            let quoted = format!("'{inner}'");
            let slashed =
                (quote == QuoteStyle::Double && has_path_separators(inner)).then(|| source.replace('\\', "/"));
            // In order of certainty: the notation of other languages for a code point, a Windows path, a regex,
            // anything else.
            let (mistake, fix) = if !has_fix {
                (SyntaxMistake::UnknownEscape { escape }, String::new())
            } else if let Some((right, fix)) = &unicode {
                (SyntaxMistake::UnicodeEscape { escape, right }, fix.clone())
            } else if let Some(right) = &slashed {
                (SyntaxMistake::BackslashInPath { escape, right }, right.clone())
            } else if can_be_raw {
                (SyntaxMistake::EscapeForRaw { escape, right: &quoted }, quoted.clone())
            } else {
                let mut fixed = source.to_owned();
                for (at, _) in self.unknown.iter().rev() {
                    fixed.insert(*at, '\\');
                }
                (SyntaxMistake::UnknownEscape { escape }, fixed)
            };
            let mut diagnostic = mistake.at(first);
            for (span, ..) in unknown.take(MAX_DIAGNOSTICS) {
                diagnostic = diagnostic.label(span, ANOTHER_ESCAPE);
            }
            diagnostics.push(if has_fix { diagnostic.fix(self.span, fix) } else { diagnostic });
        }
        StringLiteral { value: self.value, placeholders: self.placeholders, quote, span: self.span }
    }
}

/// Whether the backslashes of a text are Windows path separators, as in `src\*.rs`, rather than escapes of a regex.
fn has_path_separators(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_path = !text.contains(['^', '$', '(', ')', '|', '+', '[', ' ', '/']) && !text.contains(".*");
    let mut parts = text.split('\\');
    let first = parts.next().unwrap_or_default();
    let starts = first.ends_with(is_name) || first.ends_with(['*', ':', '.']);
    // A single letter may be a regex class: `\d`.
    let is_part =
        |part: &str| part.starts_with(['*', '.', '_']) || part.chars().take_while(|c| is_name(*c)).count() > 1;
    is_path && starts && parts.all(is_part)
}

/// Decodes `\u{1F600}` at the start of a text: returns the character and the length of the escape; `None` if it is
/// not a valid one.
fn decode_unicode_escape(rest: &str) -> Option<(char, usize)> {
    let (digits, _) = rest.strip_prefix("\\u{")?.split_once('}')?;
    let valid = (1..=6).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let decoded = u32::from_str_radix(digits, 16).ok().filter(|_| valid).and_then(char::from_u32)?;
    Some((decoded, digits.len() + 4))
}

/// Returns the name in `{name}` or `{name.name}` at the start of a text; `None` if the text does not begin with a
/// placeholder. Reads no further than the name.
fn placeholder_name(text: &str) -> Option<&str> {
    name_before_brace(text.strip_prefix('{')?)
}

/// Whether a text begins with a placeholder: `{name}`, `{count NAME}`.
pub(super) fn begins_placeholder(text: &str) -> bool {
    let counts = |rest| counted_events(rest, |_, _| Span::default()).is_some();
    placeholder_name(text).is_some()
        || text.strip_prefix('{').and_then(|rest| rest.strip_prefix(COUNT)).is_some_and(counts)
}

/// Returns the dotted name at the beginning of a text if a closing brace follows it.
fn name_before_brace(rest: &str) -> Option<&str> {
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')))?;
    let (name, after) = rest.split_at_checked(end)?;
    (after.starts_with('}') && is_dotted_name(name)).then_some(name)
}

/// Whether a text is `name` or `name.name`.
pub(super) fn is_dotted_name(text: &str) -> bool {
    let mut segments = text.split('.');
    let first = segments.next().unwrap_or_default();
    let starts = first.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = first.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let rest = |segment: &str| {
        !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    };
    starts && plain && segments.all(rest)
}

/// Decodes the content of a block string. Removes the common indentation, and the first and the last line if they are
/// blank. Indentation that mixes tabs and spaces is reported and not removed.
fn decode_block(inner: &str, decoder: &mut LiteralDecoder, diagnostics: &mut Vec<Diagnostic>) {
    let mut offset = 3;
    let mut lines: Vec<(usize, &str)> = Vec::new();
    for line in inner.split('\n') {
        lines.push((offset, line.strip_suffix('\r').unwrap_or(line)));
        offset += line.len() + 1;
    }
    let opener_has_text = lines.first().is_some_and(|(_, line)| !is_blank(line)) || lines.len() == 1;
    let body = lines.get(usize::from(!opener_has_text)..).unwrap_or_default();
    let body = match body.split_last() {
        Some(((_, last), rest)) if !rest.is_empty() && is_blank(last) => rest,
        Some(((_, last), _)) if is_blank(last) && !opener_has_text => &[],
        _ => body,
    };
    // The text on the line of the opening quotes has no indentation.
    let indented = body.iter().skip(usize::from(opener_has_text)).filter(|(_, line)| !is_blank(line));
    let mut common: Option<&str> = None;
    let mut mixed = None;
    for (at, line) in indented {
        let indent = indentation(line);
        match common {
            Some(before) if indent.starts_with(before) => {}
            Some(before) if before.starts_with(indent) => common = Some(indent),
            Some(_) => mixed = mixed.or(Some((*at, indent.len()))),
            None => common = Some(indent),
        }
    }
    if let Some((at, length)) = mixed {
        diagnostics.push(SyntaxMistake::MixedIndentation {}.at(decoder.span_at(at, at + length)));
    }
    let common_length = common.filter(|_| mixed.is_none()).map_or(0, str::len);
    for (index, (at, line)) in body.iter().enumerate() {
        if index > 0 {
            decoder.value.push('\n');
        }
        // A blank line may be shorter than the common indentation.
        let removed = if index == 0 && opener_has_text { 0 } else { common_length.min(line.len()) };
        decoder.decode_run(line.get(removed..).unwrap_or_default(), at + removed);
    }
}

/// Whether a line of a block string consists only of spaces and tabs; other white space counts as text.
pub(super) fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Returns the spaces and tabs at the beginning of a line.
fn indentation(line: &str) -> &str {
    let text = line.trim_start_matches([' ', '\t']);
    line.get(..line.len() - text.len()).unwrap_or_default()
}
