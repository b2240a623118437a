//! Computes the texts that library functions return: formats, joins, replaces, strips and splits.

use super::super::CodeLanguage;
use super::super::arguments::LibraryCall;
use super::super::call::either_of;
use super::super::evaluate::{Evaluator, IterationElements, NodeRef};
use super::super::library::ArgumentRef;
use super::super::library::returned::{ReturnedText, TextEnds, TextReplacement, TextSplit};
use super::super::operators::text_within_limit;
use super::super::value::{CodeValue, DataOrigin};
use crate::word::{Word, WordPart};

impl Evaluator<'_> {
    /// Returns a text made of other texts, or the parts of one.
    pub(super) fn returned_text(&mut self, call: LibraryCall<'_>, text: ReturnedText) -> CodeValue {
        let positional = &call.given.positional;
        match text {
            ReturnedText::Formatted => self.format_text(call),
            ReturnedText::Filled(format) => self.fill_format(call, format),
            ReturnedText::JoinedBy(separator, list) => {
                self.join_text(call.at, call.argument(separator), call.argument(list))
            }
            ReturnedText::Replaced(mode) => {
                let has_count = positional.len() > 2 || !call.given.named.is_empty();
                let to = positional.get(1).filter(|_| !has_count);
                replace_text(call.this, positional.first(), to, mode)
            }
            ReturnedText::Stripped(ends) => strip_text(call.this, positional.first(), ends),
            ReturnedText::Dedented(argument) => match call.argument(argument) {
                Some(CodeValue::Text(word, origin)) => match word.known_text() {
                    Some(text) => CodeValue::Text(Word::text(dedented(text)), origin),
                    None => CodeValue::Data(origin),
                },
                other => CodeValue::Data(other.map_or(DataOrigin::Computed, |value| value.origin())),
            },
            ReturnedText::Split(mode) => {
                // A named argument is a limit or the separator.
                if call.given.named.is_empty() {
                    self.split(call.this, positional, mode)
                } else {
                    unknown_parts(call.this)
                }
            }
            ReturnedText::ShellWords(argument) => {
                let text = call.argument(argument);
                match text.as_ref().and_then(CodeValue::known_text).and_then(shell_words) {
                    Some(words) => self.new_list(words.into_iter().map(CodeValue::text).collect()),
                    None => {
                        CodeValue::several(CodeValue::Data(text.map_or(DataOrigin::Computed, |text| text.origin())))
                    }
                }
            }
        }
    }

    /// Evaluates `"{} {0} {name}".format(…)`. The result is unknown data if the format is unknown or malformed.
    fn format_text(&self, call: LibraryCall<'_>) -> CodeValue {
        let Some(format) = call.this.and_then(CodeValue::known_text).map(str::to_owned) else {
            return CodeValue::COMPUTED;
        };
        let mut word = Word::default();
        let mut origin = DataOrigin::Computed;
        let mut next = 0;
        let mut rest = format.as_str();
        while let Some(start) = rest.find(['{', '}']) {
            word.push(WordPart::Text(rest.get(..start).unwrap_or_default().to_owned()));
            let after_sign = rest.get(start + 1..).unwrap_or_default();
            let sign = rest.get(start..=start).unwrap_or_default();
            if let Some(doubled) = after_sign.strip_prefix(sign) {
                word.push(WordPart::Text(sign.to_owned()));
                rest = doubled;
                continue;
            }
            let Some((field, after_sign)) = after_sign.split_once('}') else { return CodeValue::Data(origin) };
            let value = match field {
                "" => {
                    next += 1;
                    call.given.positional.get(next - 1)
                }
                field => match field.parse::<usize>() {
                    Ok(index) => call.given.positional.get(index),
                    Err(_) => call.given.named_value(field),
                },
            };
            let value = value.cloned().unwrap_or(CodeValue::COMPUTED);
            origin = origin.max(value.origin());
            self.word(&value, call.at).parts.into_iter().for_each(|part| word.push(part));
            rest = after_sign;
        }
        word.push(WordPart::Text(rest.to_owned()));
        text_within_limit(word, origin)
    }

    /// Evaluates `sprintf("%s", …)`, or Ruby's `"%s" % value` if the format is the receiver.
    fn fill_format(&mut self, call: LibraryCall<'_>, format: ArgumentRef) -> CodeValue {
        let (format, rest) = match format {
            ArgumentRef::Receiver => (call.this.cloned(), call.given.positional.first().cloned()),
            argument => {
                let rest = call.given.positional.iter().skip(1).cloned().collect();
                (call.argument(argument), Some(self.new_list(rest)))
            }
        };
        self.remainder(call.at, &format.unwrap_or(CodeValue::COMPUTED), &rest.unwrap_or(CodeValue::COMPUTED))
    }

    /// Evaluates `", ".join(list)`. The result is unknown data if the number of elements is unknown.
    pub(in super::super) fn join_text(
        &mut self,
        at: NodeRef,
        separator: Option<CodeValue>,
        list: Option<CodeValue>,
    ) -> CodeValue {
        let list = list.unwrap_or(CodeValue::Nothing);
        let separator = match separator {
            Some(separator) => self.word(&separator, at),
            None => Word::text(if self.language == CodeLanguage::JavaScript { "," } else { "" }),
        };
        match self.elements(&list) {
            IterationElements::Known(values) if values.iter().all(|value| !matches!(value, CodeValue::Several(_))) => {
                let mut word = Word::default();
                let mut origin = DataOrigin::Computed;
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        separator.parts.iter().for_each(|part| word.push(part.clone()));
                    }
                    origin = origin.max(value.origin());
                    self.word(value, at).parts.into_iter().for_each(|part| word.push(part));
                }
                self.spend(word.literal().len() / 16);
                text_within_limit(word, origin)
            }
            IterationElements::Known(values) => CodeValue::Data(either_of(values).origin()),
            IterationElements::Several(value) => CodeValue::Data(value.origin()),
        }
    }

    /// Splits a text, at the separator in the arguments if there is one. The result is an unknown number of unknown
    /// texts if something is unknown, or if there are more arguments, such as a limit.
    pub(in super::super) fn split(
        &mut self,
        text: Option<&CodeValue>,
        arguments: &[CodeValue],
        mode: TextSplit,
    ) -> CodeValue {
        let parts = text.and_then(CodeValue::known_text).and_then(|text| match arguments {
            [] => split_parts(text, None, mode),
            [separator] => split_parts(text, Some(separator.known_text()?), mode),
            _ => None,
        });
        match parts {
            Some(parts) => self.new_list(parts.into_iter().map(CodeValue::text).collect()),
            None => unknown_parts(text),
        }
    }
}

/// Returns an unknown number of unknown parts of a text.
pub(in super::super) fn unknown_parts(text: Option<&CodeValue>) -> CodeValue {
    CodeValue::several(CodeValue::Data(text.map_or(DataOrigin::Computed, CodeValue::origin)))
}

/// Splits a text; `None` if it is not certain into which parts.
fn split_parts<'t>(text: &'t str, separator: Option<&str>, mode: TextSplit) -> Option<Vec<&'t str>> {
    Some(match (mode, separator) {
        (TextSplit::Lines, None) => text.lines().collect(),
        (TextSplit::LinesWithEnds, None) => text.split_inclusive('\n').collect(),
        (TextSplit::Lines | TextSplit::LinesWithEnds, Some(_)) => return None,
        (TextSplit::AtBlanks, None) | (TextSplit::AtBlanksOrSpace, None | Some(" ")) => {
            text.split_whitespace().collect()
        }
        (TextSplit::AtSeparator, None) => vec![text],
        (_, Some("")) => return None,
        (_, Some(separator)) => {
            let mut parts: Vec<&str> = text.split(separator).collect();
            while mode == TextSplit::AtBlanksOrSpace && parts.last().is_some_and(|part| part.is_empty()) {
                parts.pop();
            }
            parts
        }
    })
}

/// Returns a text in which one text is replaced by another; unknown data if one of the three is unknown, or if a part
/// of the new text may have a meaning.
pub(in super::super) fn replace_text(
    text: Option<&CodeValue>,
    from: Option<&CodeValue>,
    to: Option<&CodeValue>,
    mode: TextReplacement,
) -> CodeValue {
    let origin = text.map_or(DataOrigin::Computed, CodeValue::origin);
    let known = (
        text.and_then(CodeValue::known_text),
        from.and_then(CodeValue::known_text),
        to.and_then(CodeValue::known_text),
    );
    let (Some(text), Some(from), Some(to)) = known else {
        return CodeValue::Data(origin);
    };
    if from.is_empty() || mode != TextReplacement::AllByText && to.contains(['$', '\\']) {
        return CodeValue::Data(origin);
    }
    let count = if mode == TextReplacement::FirstByTemplate { 1 } else { usize::MAX };
    text_within_limit(Word::text(text.replacen(from, to, count)), origin)
}

/// Returns a text without the indentation that all of its lines share, apart from blank ones.
fn dedented(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let margin = text.lines().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or_default();
    text.split('\n').map(|line| line.get(margin..).unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Returns a text without blanks at some ends. If the call names the characters to remove, the result is unknown data.
pub(in super::super) fn strip_text(
    text: Option<&CodeValue>,
    characters: Option<&CodeValue>,
    ends: TextEnds,
) -> CodeValue {
    match (text, characters) {
        (Some(CodeValue::Text(word, origin)), None) if word.known_text().is_some() => {
            let text = word.known_text().unwrap_or_default();
            let stripped = match ends {
                TextEnds::Both => text.trim(),
                TextEnds::Start => text.trim_start(),
                TextEnds::End => text.trim_end(),
                TextEnds::LastNewline => text.strip_suffix("\r\n").or(text.strip_suffix('\n')).unwrap_or(text),
            };
            CodeValue::Text(Word::text(stripped), *origin)
        }
        // The blanks around a partly known text are kept, as they do not matter in a path.
        (Some(value @ CodeValue::Text(..)), None) => value.clone(),
        (text, _) => CodeValue::Data(text.map_or(DataOrigin::Computed, CodeValue::origin)),
    }
}

/// Splits a text into words as a shell does, with quotes and backslashes only; `None` if a quote is not closed.
fn shell_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            quote @ ('\'' | '"') => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        c if c == quote => break,
                        '\\' if quote == '"' => word.push(rest.next()?),
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(rest.next()?),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}
