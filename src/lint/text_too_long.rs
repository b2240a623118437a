//! Finds texts that are longer than what their reader is shown: the middle is cut out.

use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::excerpt::{READER_LIMIT, utf16_len};
use crate::ruleset::{Effect, Rule, Template, TemplatePart, ValueReference};
use crate::verdict::{NOTIFICATION_BODY, NOTIFICATION_TITLE};

pub(super) const LINT: Lint = Lint { codes: &[Code::TEXT_TOO_LONG], check };

/// Reports the first text of each effect that is too long even without the values of its placeholders.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let too_long = shown_texts(effect).into_iter().find(|(_, text, limit)| constant_length(text) > *limit);
        if let Some((word, text, limit)) = too_long {
            let message = format!("this `{word}` is longer than its reader is shown");
            let label = format!("{} UTF-16 units, of which {limit} are shown", constant_length(text));
            let help = "only the beginning and the end are shown; shorten it, or name a file to read";
            findings.push(Diagnostic::new(Code::TEXT_TOO_LONG, message).label(*span, label).help(help));
        }
    }
}

/// Returns the texts of an effect that people or agents read, each with its name and the length up to which it is
/// shown.
fn shown_texts(effect: &Effect) -> Vec<(&'static str, &Template, usize)> {
    match effect {
        Effect::Vote { message, .. } | Effect::Exit { message, .. } => vec![("message", message, READER_LIMIT)],
        Effect::Context(text) => vec![("context", text, READER_LIMIT)],
        Effect::Warn(text) => vec![("warn", text, READER_LIMIT)],
        Effect::Notify { title, body } => {
            vec![("title", title, NOTIFICATION_TITLE), ("body", body, NOTIFICATION_BODY)]
        }
        Effect::Run(run) => run.message.iter().map(|message| ("message", message, READER_LIMIT)).collect(),
        Effect::Rewrite(_) | Effect::Record(_) | Effect::Mark(_) => Vec::new(),
    }
}

/// Returns the length of the parts of a text that are always the same, in UTF-16 units.
fn constant_length(text: &Template) -> usize {
    let part = |part: &TemplatePart| match part {
        TemplatePart::Text(text) => utf16_len(text),
        TemplatePart::Value(ValueReference::Constant(text)) => utf16_len(text),
        TemplatePart::Value(_) | TemplatePart::Component(_) => 0,
    };
    text.parts.iter().map(part).sum()
}
