//! Finds messages that are still a placeholder: `deny "…"`.

use super::sources::{constant_text, effect_texts};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::Rule;

pub(super) const LINT: Lint = Lint { codes: &[Code::UNWRITTEN_MESSAGE], check };

/// Reports each effect with a text that is only a placeholder.
fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        if let Some(text) =
            effect_texts(effect).into_iter().filter_map(constant_text).map(str::trim).find(|text| is_placeholder(text))
        {
            findings.push(
                Diagnostic::new(Code::UNWRITTEN_MESSAGE, format!("a text of `{}` is still `{text}`", rule.name))
                    .label(*span, "stands for a text that nobody has written")
                    .help("write what its reader should know: why, and what to do instead"),
            );
        }
    }
}

/// Whether a text is nothing but a placeholder: `…`, `<why>`, `tbd`.
fn is_placeholder(text: &str) -> bool {
    let is_dots = !text.is_empty() && text.chars().all(|c| matches!(c, '…' | '.' | '_'));
    let is_note = ["todo", "fixme", "tbd", "xxx"].iter().any(|word| text.eq_ignore_ascii_case(word));
    let in_angles = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let is_name =
        |inner: &str| inner.len() < 40 && inner.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    is_dots || is_note || in_angles.is_some_and(is_name)
}
