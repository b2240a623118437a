//! Findings about text that the grammar accepts although it has a meaning only in other languages: options,
//! annotations, values without quotes.

use crate::diagnostic::{Code, Diagnostic};
use crate::phrases::{self, Phrase, PhrasePlace};
use crate::schema::{Event, FieldType};
use crate::span::Span;
use crate::syntax::ast::{AstComparison, AstValue, FieldName, Operator, ValueKind};
use crate::syntax::quantity::quantity_with_unit;

/// The advice for a word of another language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForeignMeaning {
    /// The text to write in its place.
    Replacement(String),
    /// The help text of the phrasebook.
    Help(&'static str),
}

impl ForeignMeaning {
    /// Returns the advice of a row of the phrasebook: its meaning if it has one, else its help.
    fn from_row(row: &'static Phrase) -> Self {
        if row.means.is_empty() { Self::Help(row.help) } else { Self::Replacement(row.means.to_owned()) }
    }

    /// Adds the advice to a diagnostic, with a fix if there is a text to write. The fix replaces the text at `span`;
    /// `prefix` is the text before it that stays, such as `@`.
    #[must_use]
    pub fn add_to(self, diagnostic: Diagnostic, prefix: &str, span: Span) -> Diagnostic {
        match self {
            Self::Replacement(right) => diagnostic.help(format!("write `{prefix}{right}`")).fix(span, right),
            Self::Help(help) => diagnostic.help(help),
        }
    }
}

/// Returns the advice for an option of an effect that has another name here, given its value: `timeout: 5m` for
/// `timeout_minutes: 5`; `None` if the phrasebook has none.
#[must_use]
pub fn option_meant(name: &str, value: Option<&AstValue>) -> Option<ForeignMeaning> {
    let kind = value.map(|value| &value.kind);
    let name = PhrasePlace::OptionWithValue.folded(name);
    let unit = name.strip_prefix("timeout").map(|unit| unit.trim_start_matches("_in").trim_start_matches('_'));
    if let (Some(unit), Some(ValueKind::Number(_, digits))) = (unit.filter(|unit| !unit.is_empty()), kind) {
        return quantity_with_unit(&format!("{digits}{unit}"))
            .map(|right| ForeignMeaning::Replacement(format!("timeout: {right}")));
    }
    let with = |value: &str| phrases::find_phrase(PhrasePlace::OptionWithValue, &format!("{name}: {value}"));
    let word = match kind {
        Some(ValueKind::Boolean(truth)) => {
            return with(&truth.to_string())
                .or_else(|| phrases::find_phrase(PhrasePlace::OptionWithValue, &name))
                .map(ForeignMeaning::from_row);
        }
        Some(ValueKind::Name(name)) => name.text(),
        Some(ValueKind::Text(text)) => text.value.clone(),
        _ => String::new(),
    };
    if let Some(row) = with("$outcome") {
        let outcome = phrases::meaning(PhrasePlace::Outcome, &word)?;
        return Some(ForeignMeaning::Replacement(row.means.replace("$outcome", outcome)));
    }
    phrases::find_phrase(PhrasePlace::OptionWithValue, &name).map(ForeignMeaning::from_row)
}

/// Returns the advice for an annotation, whose name is given without its `@`; `None` if the phrasebook has none.
#[must_use]
pub fn annotation_meant(name: &str) -> Option<ForeignMeaning> {
    phrases::find_phrase(PhrasePlace::Annotation, name).map(ForeignMeaning::from_row)
}

/// Returns the boolean that a word of another language means, such as `yes`; `None` for any other word.
fn boolean_meant(word: &str) -> Option<bool> {
    phrases::meaning(PhrasePlace::Boolean, word).map(|means| means == "true")
}

/// Returns the finding about a name in place of a value: a directory such as `project`, a boolean of another
/// language, or a string without quotes.
#[must_use]
pub fn bare_value(name: &FieldName) -> Diagnostic {
    let word = name.text();
    if matches!(word.as_str(), "project" | "home" | "tmp") {
        return Diagnostic::new(Code::TYPE_MISMATCH, format!("`{word}` is a directory, not a value"))
            .label(name.span, "what lies below it is meant?")
            .help(format!("write `… under {word}`, or `… outside {word}`"));
    }
    if let Some(help) = only_in_texts(&word) {
        return Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{word}` has a value in texts only"))
            .label(name.span, "not known to a condition")
            .help(help);
    }
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{word}`"));
    if let Some(truth) = boolean_meant(&word) {
        let found = found.label(name.span, "not a field: a boolean of another language?");
        return ForeignMeaning::Replacement(truth.to_string()).add_to(found, "", name.span);
    }
    let right = format!("\"{word}\"");
    found
        .label(name.span, "not a field: a string without quotes?")
        .help(format!("write `{right}`"))
        // The author may also have misspelled or not defined a name, so the fix is not certain.
        .fix_that_changes(name.span, right)
}

/// Returns the path of a field's value in the payload, in the notation of jq without the first dot:
/// `tool_input.command` for the derived field `command`. `None` for what no payload has: facts, `{match}`, a capture.
#[must_use]
pub fn payload_path(field: &str) -> Option<String> {
    match field {
        "command" | "content" | "url" => Some(format!("tool_input.{field}")),
        "path" => Some("tool_input.file_path".to_owned()),
        field => {
            let first = field.split('.').next().unwrap_or(field);
            let is_carried = Event::ALL.iter().any(|event| event.fields().any(|known| known.name == first));
            is_carried.then(|| field.to_owned())
        }
    }
}

/// Returns the name of a variable for the value of a placeholder: `BRANCH` for `git.branch`.
#[must_use]
pub fn variable_for(field: &str) -> String {
    let last = field.rsplit('.').next().unwrap_or(field);
    last.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect()
}

/// Returns the help for a placeholder of texts that is used as a field in a condition; `None` for any other word.
fn only_in_texts(word: &str) -> Option<&'static str> {
    match word {
        "match" => Some("write `path`, the file that the call names, or `tool_input.…`, a member of its input"),
        "now" => Some("the time of day is `time in \"22:00\"..\"06:00\"`, the day `weekday in [sat, sun]`"),
        _ => None,
    }
}

/// Returns the finding about a comparison of a field with `null`, or of a boolean field with a boolean of another
/// language; `None` for any other comparison. `is_name` returns whether a word is defined in the policy.
#[must_use]
pub fn foreign_constant(
    compare: &AstComparison,
    name: &str,
    ty: FieldType,
    is_name: &dyn Fn(&str) -> bool,
) -> Option<Diagnostic> {
    let truth = || report_boolean_comparison(compare, name, is_name).filter(|_| ty == FieldType::Boolean);
    report_null_comparison(compare, name).or_else(truth)
}

/// Returns the finding about a comparison with `null`.
#[must_use]
pub fn compared_with_null(name: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::TYPE_MISMATCH, "a comparison with `null` is never true")
        .label(at, "a field without a value fails every comparison")
        .help(format!("write `exists {name}` or `not exists {name}`"))
}

/// Returns the finding about `F == null` or `F != null`; `None` for any other comparison.
fn report_null_comparison(compare: &AstComparison, name: &str) -> Option<Diagnostic> {
    let wants_value = match compare.operator {
        Operator::Equal => compare.negated,
        Operator::NotEqual => !compare.negated,
        _ => return None,
    };
    if !matches!(compare.value.kind, ValueKind::Null) {
        return None;
    }
    let right = format!("{}exists {name}", if wants_value { "" } else { "not " });
    let found = compared_with_null(name, compare.value.span).help(format!("write `{right}`"));
    let span = compare.operand.span().joined_with(compare.value.span);
    // A fix would leave a preceding `all` in place.
    Some(if compare.all { found } else { found.fix(span, right) })
}

/// Returns the finding about `F == True`, where F is a boolean field; `None` for any other comparison, or if the
/// policy defines the word.
fn report_boolean_comparison(
    compare: &AstComparison,
    name: &str,
    is_name: &dyn Fn(&str) -> bool,
) -> Option<Diagnostic> {
    let ValueKind::Name(value) = &compare.value.kind else { return None };
    let word = value.as_single_name().filter(|word| !is_name(&word.text))?;
    let holds = match compare.operator {
        Operator::Equal => boolean_meant(&word.text)? != compare.negated,
        Operator::NotEqual => boolean_meant(&word.text)? == compare.negated,
        _ => return None,
    };
    let right = format!("{}{name}", if holds { "" } else { "not " });
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", word.text))
        .label(value.span, "not a field: a boolean of another language?")
        .help(format!("write `{right}`"));
    Some(if compare.all { found } else { found.fix(compare.operand.span().joined_with(compare.value.span), right) })
}
