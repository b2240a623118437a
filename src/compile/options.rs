//! The options after an effect, `{ key: value }`: reports unknown and repeated keys, and values of the wrong type.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::diagnostic::{Code, Diagnostic, nearest_name};
use crate::phrases::{self, PhrasePlace};
use crate::syntax::ast::{self, MapKey, ValueKind};
use crate::syntax::{option_meant, quantity_with_unit};

use super::run::OPTIONS as OPTIONS_OF_RUN;
use super::values::kind_noun;

/// The options of one effect, by name.
pub(super) struct EffectOptions<'a> {
    entries: BTreeMap<String, &'a ast::AstValue>,
}

impl<'a> EffectOptions<'a> {
    /// Reads the options of an effect. Keys that are not in `known` are reported.
    pub(super) fn new(
        map: Option<&'a ast::MapLiteral>,
        effect: &str,
        known: &[&str],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut entries = BTreeMap::new();
        for entry in map.iter().flat_map(|map| &map.entries) {
            let Some((name, value)) = option_entry(entry, diagnostics) else { continue };
            if !known.contains(&name.as_str()) {
                diagnostics.push(unknown_option(entry, &name, effect, known));
            } else if entries.insert(name.clone(), value).is_some() {
                diagnostics.push(
                    Diagnostic::new(Code::DUPLICATE_CLAUSE, format!("`{name}` appears twice"))
                        .label(entry.span, "the second")
                        .help("remove one of them"),
                );
            }
        }
        Self { entries }
    }

    /// Returns the value of an option; `None` if the option is not given.
    pub(super) fn get(&self, name: &str) -> Option<&'a ast::AstValue> {
        self.entries.get(name).copied()
    }

    /// Returns a boolean option; false if it is not given.
    pub(super) fn flag(&self, name: &str, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let Some(value) = self.get(name) else { return false };
        match value.kind {
            ValueKind::Boolean(truth) => truth,
            _ => {
                diagnostics.push(wrong_option_value(name, value, "a boolean", "write `true` or `false`"));
                false
            }
        }
    }

    /// Returns a text option; `None` if it is not given or has another type, which is reported.
    pub(super) fn text(&self, name: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<&'a ast::StringLiteral> {
        let value = self.get(name)?;
        match &value.kind {
            ValueKind::Text(text) => Some(text),
            _ => {
                diagnostics.push(wrong_option_value(name, value, "a string", "write it in quotes"));
                None
            }
        }
    }

    /// Returns an option whose value is one of these words; `None` if it is not given or another word, which is
    /// reported.
    pub(super) fn keyword<T: Copy>(
        &self,
        name: &str,
        words: &[(&str, T)],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<T> {
        let value = self.get(name)?;
        let list = words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        let given = match &value.kind {
            ValueKind::Name(name) => name.text(),
            ValueKind::Text(text) => text.value.clone(),
            _ => {
                diagnostics.push(wrong_option_value(name, value, "a word", &format!("write one of {list}")));
                return None;
            }
        };
        if let Some((_, found)) = words.iter().find(|(word, _)| *word == given) {
            return Some(*found);
        }
        let meant = phrases::meaning(PhrasePlace::Outcome, &given)
            .filter(|meant| name == "on_fail" && words.iter().any(|(word, _)| word == meant));
        let near = meant.or_else(|| nearest_name(&given, words.iter().map(|(word, _)| *word)));
        let diagnostic = Diagnostic::new(Code::BAD_VALUE, format!("`{name}` is never `{given}`"))
            .label(value.span, "not one of its values")
            .help(format!("write one of {list}"));
        diagnostics.push(match near {
            Some(near) => diagnostic.help(format!("write `{near}`: it is one of {list}")).fix(value.span, near),
            None => diagnostic,
        });
        None
    }

    /// Returns a duration option; `None` if it is not given, or is not a duration greater than zero, which is
    /// reported.
    pub(super) fn duration(&self, name: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Duration> {
        let value = self.get(name)?;
        match &value.kind {
            ValueKind::Duration(duration, _) if !duration.is_zero() => Some(*duration),
            // The parser has reported a number with an unknown unit.
            ValueKind::Number(_, digits) if digits.contains(|c: char| c.is_ascii_alphabetic()) => None,
            ValueKind::Number(_, digits) => {
                diagnostics.push(wrong_option_value(
                    name,
                    value,
                    "a duration",
                    &format!("write the unit: {digits}s, or {digits}ms"),
                ));
                None
            }
            ValueKind::Text(text) if quantity_with_unit(&text.value).is_some() => {
                let right = quantity_with_unit(&text.value).unwrap_or_default();
                diagnostics.push(
                    wrong_option_value(name, value, "a duration", &format!("write `{right}`")).fix(value.span, &right),
                );
                None
            }
            _ => {
                diagnostics.push(wrong_option_value(
                    name,
                    value,
                    "a duration",
                    "write a number with its unit: 500ms, 30s, 5m, 1h",
                ));
                None
            }
        }
    }

    /// Returns a whole number of at least 1; `None` if the option is not given or has another value, which is
    /// reported. A number that is too large for the type is replaced by the maximum.
    pub(super) fn count(&self, name: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<u32> {
        let value = self.get(name)?;
        if let ValueKind::Number(_, digits) = &value.kind
            && let Some(count @ 1..) = parse_whole_number(digits)
        {
            return Some(count);
        }
        let mut finding = wrong_option_value(name, value, "a whole number of at least 1", "write 1 or more");
        if let (ValueKind::Number(number, _), Some(label)) = (&value.kind, finding.labels.first_mut()) {
            label.text = if *number < 1.0 { "less than 1" } else { "not whole" }.to_owned();
        }
        diagnostics.push(finding);
        None
    }

    /// Returns an option that maps names to texts; empty if it is not given. Other values are reported.
    pub(super) fn map(&self, name: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<(String, &'a ast::StringLiteral)> {
        let Some(value) = self.get(name) else { return Vec::new() };
        let ValueKind::Map(map) = &value.kind else {
            diagnostics.push(wrong_option_value(name, value, "a map", "write { NAME: \"value\" }"));
            return Vec::new();
        };
        let mut out = Vec::new();
        for entry in &map.entries {
            let Some((key, value)) = option_entry(entry, diagnostics) else { continue };
            match &value.kind {
                ValueKind::Text(text) => out.push((key, text)),
                _ => diagnostics.push(wrong_option_value(&key, value, "a string", "write it in quotes")),
            }
        }
        out
    }
}

/// Parses a whole number; `None` if there are characters other than digits. A number that is too large becomes the
/// maximum.
fn parse_whole_number(digits: &str) -> Option<u32> {
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| digits.parse().unwrap_or(u32::MAX))
}

/// Returns the name and the value of an entry. `None` if one is missing, which is reported.
fn option_entry<'a>(
    entry: &'a ast::MapEntry,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(String, &'a ast::AstValue)> {
    let name = match &entry.key {
        MapKey::Name(name) => Some(name.text()),
        MapKey::Text(text) => Some(text.value.clone()),
        MapKey::File(..) | MapKey::Tree(..) => None,
    };
    match (name, &entry.value) {
        (Some(name), Some(value)) => Some((name, value)),
        _ => {
            diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, "missing value of an option")
                    .label(entry.span, "only `record` takes a name without a value")
                    .help("write `name: value`"),
            );
            None
        }
    }
}

/// Returns the finding about an unknown option, with a suggestion.
fn unknown_option(entry: &ast::MapEntry, name: &str, effect: &str, known: &[&str]) -> Diagnostic {
    let span = match &entry.key {
        MapKey::Name(name) => name.span,
        MapKey::Text(text) => text.span,
        MapKey::File(_, _, span) | MapKey::Tree(_, _, span) => *span,
    };
    if matches!(name, "once" | "every" | "throttle" | "cooldown" | "debounce" | "limit" | "rate_limit" | "interval") {
        let time = if name == "once" { "" } else { " within 5m" };
        return Diagnostic::new(Code::UNKNOWN_OPTION, format!("`{effect}` has no option `{name}`"))
            .label(span, "only a mark knows what happened before")
            .help(format!(
                "delete it, and write `mark NAME {{ … }}` with the head of this rule above it, and `when not happened \
                 NAME{time}`"
            ));
    }
    if known.is_empty() {
        return Diagnostic::new(Code::UNKNOWN_OPTION, format!("`{effect}` takes no options"))
            .label(span, "not an option")
            .help("remove the braces");
    }
    let found = Diagnostic::new(Code::UNKNOWN_OPTION, format!("`{effect}` has no option `{name}`"))
        .label(span, "not an option")
        .help(format!("valid: {}", known.join(", ")));
    if known.contains(&"on_fail")
        && let Some(instead) = option_meant(name, entry.value.as_ref())
    {
        return instead.add_to(found, "", entry.span);
    }
    if OPTIONS_OF_RUN.contains(&name) && effect != "run" {
        return found.help(format!("delete it: `{name}` is an option of `run`"));
    }
    if matches!(name, "severity" | "tags" | "owner" | "url") {
        return found.help(format!("write `@{name}(…)` on the line above the rule"));
    }
    match phrases::meaning(PhrasePlace::EffectOption, name).filter(|option| known.contains(option)) {
        Some(option) => found.help(format!("the option is called `{option}`")).fix(span, option),
        None => found.suggest_name(span, "option", name, known.iter().copied()),
    }
}

/// Returns the finding about an option whose value has the wrong type. `wanted` is the noun for the right one.
fn wrong_option_value(name: &str, value: &ast::AstValue, wanted: &str, help: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_VALUE, format!("`{name}` is {wanted}"))
        .label(value.span, format!("this is {}", kind_noun(&value.kind)))
        .help(help)
}
