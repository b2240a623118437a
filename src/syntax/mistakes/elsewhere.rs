//! What the grammar accepts, and only other languages mean: options, annotations, values without quotes.

use crate::diagnostic::{Code, Diagnostic};
use crate::phrases::{self, Phrase, PhrasePlace};
use crate::schema::FieldType;
use crate::span::Span;
use crate::syntax::ast::{AstComparison, AstValue, FieldName, Operator, ValueKind};
use crate::syntax::quantity::quantity_with_unit;

/// What to do instead of something that other languages have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ForeignMeaning {
    /// Write this.
    Written(String),
    /// Do what this help says.
    Help(&'static str),
}

impl ForeignMeaning {
    fn of(row: &'static Phrase) -> Self {
        if row.means.is_empty() { Self::Help(row.help) } else { Self::Written(row.means.to_owned()) }
    }

    /// Adds the help, and the fix of the text at a span, which follows a mark.
    #[must_use]
    pub fn told(self, found: Diagnostic, mark: &str, span: Span) -> Diagnostic {
        match self {
            Self::Written(right) => found.help(format!("write `{mark}{right}`")).fix(span, right),
            Self::Help(help) => found.help(help),
        }
    }
}

/// Returns the equivalent of an option of an effect, given its value: `timeout_minutes: 5`, `continue_on_error: true`.
#[must_use]
pub fn option_meant(name: &str, value: Option<&AstValue>) -> Option<ForeignMeaning> {
    let kind = value.map(|value| &value.kind);
    let name = PhrasePlace::OptionWithValue.folded(name);
    let unit = name.strip_prefix("timeout").map(|unit| unit.trim_start_matches("_in").trim_start_matches('_'));
    if let (Some(unit), Some(ValueKind::Number(_, digits))) = (unit.filter(|unit| !unit.is_empty()), kind) {
        return quantity_with_unit(&format!("{digits}{unit}"))
            .map(|right| ForeignMeaning::Written(format!("timeout: {right}")));
    }
    let with = |value: &str| phrases::find_phrase(PhrasePlace::OptionWithValue, &format!("{name}: {value}"));
    let word = match kind {
        Some(ValueKind::Boolean(truth)) => {
            return with(&truth.to_string())
                .or_else(|| phrases::find_phrase(PhrasePlace::OptionWithValue, &name))
                .map(ForeignMeaning::of);
        }
        Some(ValueKind::Name(name)) => name.text(),
        Some(ValueKind::Text(text)) => text.value.clone(),
        _ => String::new(),
    };
    if let Some(row) = with("$outcome") {
        let outcome = phrases::meaning(PhrasePlace::Outcome, &word)?;
        return Some(ForeignMeaning::Written(row.means.replace("$outcome", outcome)));
    }
    phrases::find_phrase(PhrasePlace::OptionWithValue, &name).map(ForeignMeaning::of)
}

/// Returns the equivalent of an annotation, without its `@`.
#[must_use]
pub fn annotation_meant(name: &str) -> Option<ForeignMeaning> {
    phrases::find_phrase(PhrasePlace::Annotation, name).map(ForeignMeaning::of)
}

/// Returns the boolean that a word means.
fn boolean_meant(word: &str) -> Option<bool> {
    phrases::meaning(PhrasePlace::Boolean, word).map(|means| means == "true")
}

/// Returns the finding about a word in place of a value: a text that lacks its quotes, a directory or a boolean.
#[must_use]
pub fn bare_value(name: &FieldName) -> Diagnostic {
    let word = name.text();
    if matches!(word.as_str(), "project" | "home" | "tmp") {
        return Diagnostic::new(Code::TYPE_MISMATCH, format!("`{word}` is a directory, not a value"))
            .label(name.span, "what lies below it is meant?")
            .help(format!("write `… under {word}`, or `… outside {word}`"));
    }
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{word}`"));
    if let Some(truth) = boolean_meant(&word) {
        let found = found.label(name.span, "not a field: a boolean of another language?");
        return ForeignMeaning::Written(truth.to_string()).told(found, "", name.span);
    }
    let right = format!("\"{word}\"");
    found
        .label(name.span, "not a field: a string without quotes?")
        .help(format!("write `{right}`"))
        // It may be a misspelled or undefined name.
        .fix_that_changes(name.span, right)
}

/// Reports a comparison of a field with another language's notation for a missing value or a boolean. `is_name`
/// returns whether a word is defined.
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

/// Reports `F == null` and `F != null`.
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
    // The fix would keep a preceding `all`.
    Some(if compare.all { found } else { found.fix(span, right) })
}

/// Reports `F == True`, where F is a boolean.
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
