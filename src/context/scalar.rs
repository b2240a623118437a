//! The values of fields and facts.

use std::borrow::Cow;
use std::path::Path;

use serde_json::Value as Json;

use super::Reason;
use super::derived::texts_in;
use crate::ruleset::Literal;
use crate::time::TimeOfDay;
use hookrules_shell::Word;

/// The values of a field or a fact; several if it is a list.
pub type ScalarValues<'a> = Vec<Scalar<'a>>;

/// One value of a field or a fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Scalar<'a> {
    /// A text or path.
    Text(Cow<'a, str>),
    /// A number.
    Number(f64),
    /// A boolean.
    Boolean(bool),
    /// A time of day.
    Time(TimeOfDay),
    /// An object or a list. The value exists, but no comparison with it is true.
    Object(&'a Json),
    /// A word of a command that is only partly known. If the shell splits it, it may become several values, or none.
    PartlyKnown(Word),
    /// A number that is at least this. The reason explains why it may be greater.
    AtLeast(f64, Box<Reason>),
}

impl<'a> Scalar<'a> {
    /// Makes a text value.
    #[must_use]
    pub fn from_text(text: String) -> Self {
        Self::Text(text.into())
    }

    /// Makes a value from one that a policy states.
    #[must_use]
    pub fn from_literal(literal: &'a Literal) -> Self {
        match literal {
            Literal::Text(text) => Self::Text(text.as_str().into()),
            Literal::Number(number) => Self::Number(*number),
            Literal::Boolean(truth) => Self::Boolean(*truth),
        }
    }

    /// Makes a text value from a path. Bytes that are not UTF-8 become U+FFFD.
    #[must_use]
    pub fn path(path: &Path) -> Self {
        Self::from_text(path.to_string_lossy().into_owned())
    }

    /// Converts a JSON value; `None` for `null`, and for a number that does not fit into an `f64`.
    #[must_use]
    pub fn from_json(json: &'a Json) -> Option<Self> {
        match json {
            Json::Null => None,
            Json::String(text) => Some(Self::Text(text.as_str().into())),
            Json::Number(number) => number.as_f64().map(Self::Number),
            Json::Bool(truth) => Some(Self::Boolean(*truth)),
            Json::Array(_) | Json::Object(_) => Some(Self::Object(json)),
        }
    }

    /// Returns the texts in an object, at any depth.
    pub fn texts_of_object(json: &'a Json) -> impl Iterator<Item = Self> {
        let mut texts = Vec::new();
        texts_in(json, &mut texts);
        texts.into_iter().map(|text| Self::Text(text.into()))
    }

    /// Returns the content of a text; `None` for any other value.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value as messages show it. A text is cut to a length that is still more than any message shows.
    #[must_use]
    pub(super) fn show_beginning(&self) -> String {
        self.as_text().map_or_else(|| self.show(), displayed_beginning)
    }

    /// Returns the value as messages show it.
    #[must_use]
    pub fn show(&self) -> String {
        match self {
            Self::Text(text) => text.clone().into_owned(),
            Self::Number(number) => number.to_string(),
            Self::Boolean(truth) => truth.to_string(),
            Self::Time(time) => time.to_string(),
            Self::Object(json) => json.to_string(),
            Self::PartlyKnown(word) => word.display_text(),
            Self::AtLeast(least, _) if *least > 0.0 => format!("at least {least}"),
            Self::AtLeast(..) => "some".to_owned(),
        }
    }
}

/// Cuts a text to a length that is still more than any message shows.
pub(super) fn displayed_beginning(text: &str) -> String {
    const MAX_CHARS: usize = 4_096;
    text.chars().take(MAX_CHARS).collect()
}
