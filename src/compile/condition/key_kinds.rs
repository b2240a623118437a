//! The kinds of keys of marks: which keys no event of a mark can have, because its own keys are of another kind.

use crate::ruleset::{DerivedField, FactName, KeySource, ValueReference};
use crate::schema::FieldType;

/// A kind of key. A reference whose values can be any text has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::compile) enum KeyKind {
    /// The call itself.
    Call,
    /// Absolute paths.
    Path,
    /// Numbers.
    Number,
    /// `true` and `false`.
    Boolean,
    /// One of these words.
    Words(&'static [&'static str]),
    /// Names and ids, which never begin with a slash.
    Name,
}

/// The fields of payloads that are ids or names which the host assigns.
const NAMES: &[&str] =
    &["agent_id", "agent_type", "command_name", "prompt_id", "session_id", "tool_name", "tool_use_id"];

impl KeyKind {
    /// Returns the kind of the keys that a source gives; `None` if they can be any text.
    pub(in crate::compile) fn of(source: &KeySource) -> Option<Self> {
        match source {
            KeySource::Call => Some(Self::Call),
            KeySource::Match => Some(Self::Path),
            KeySource::Value(reference) => Self::of_reference(reference),
        }
    }

    fn of_reference(reference: &ValueReference) -> Option<Self> {
        match reference {
            ValueReference::Raw { path, ty } => match path.as_slice() {
                [name] if NAMES.contains(&name.as_str()) => Some(Self::Name),
                _ => Self::of_type(*ty),
            },
            ValueReference::Derived(derived) => match derived {
                DerivedField::Path
                | DerivedField::Match
                | DerivedField::Project
                | DerivedField::Home
                | DerivedField::Tmp => Some(Self::Path),
                DerivedField::Event
                | DerivedField::Agent
                | DerivedField::AgentType
                | DerivedField::Host
                | DerivedField::ToolName
                | DerivedField::Domain => Some(Self::Name),
                DerivedField::Content
                | DerivedField::Command
                | DerivedField::Url
                | DerivedField::Place
                | DerivedField::Now => None,
            },
            ValueReference::Fact(fact) => match fact {
                FactName::GitRoot => Some(Self::Path),
                FactName::GitWorktree => Some(Self::Boolean),
                FactName::GitBranch | FactName::Os | FactName::Time(_) | FactName::Weekday(_) => Some(Self::Name),
                _ => None,
            },
            ValueReference::Measured(_) => Some(Self::Number),
            ValueReference::JsonPath(_)
            | ValueReference::Where(_)
            | ValueReference::Constant(_)
            | ValueReference::Capture(_) => None,
        }
    }

    fn of_type(ty: FieldType) -> Option<Self> {
        match ty {
            FieldType::Path => Some(Self::Path),
            FieldType::Number => Some(Self::Number),
            FieldType::Boolean => Some(Self::Boolean),
            FieldType::Enum(words) => Some(Self::Words(words)),
            FieldType::List(element) => Self::of_type(*element),
            FieldType::String | FieldType::Object(_) | FieldType::Any => None,
        }
    }

    /// Whether a key of this kind may equal one of the other kind, as a text.
    pub(in crate::compile) fn may_equal(self, other: Self) -> bool {
        match (self, other) {
            (Self::Call, _) | (_, Self::Call) | (Self::Path, _) | (_, Self::Path) => self == other,
            (Self::Words(words), Self::Words(others)) => words.iter().any(|word| others.contains(word)),
            (Self::Words(words), kind) | (kind, Self::Words(words)) => words.iter().any(|word| kind.may_be(word)),
            (Self::Number, Self::Boolean) | (Self::Boolean, Self::Number) => false,
            _ => true,
        }
    }

    /// Whether a key of this kind may be a word.
    fn may_be(self, word: &str) -> bool {
        match self {
            Self::Number => word.parse::<f64>().is_ok(),
            Self::Boolean => matches!(word, "true" | "false"),
            Self::Words(words) => words.contains(&word),
            Self::Name => true,
            Self::Call | Self::Path => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KeyKind;

    #[test]
    fn only_kinds_without_a_common_text_are_told_apart() {
        let modes = KeyKind::Words(&["plan", "auto"]);
        let pairs = [
            (KeyKind::Path, KeyKind::Path, true),
            (KeyKind::Path, KeyKind::Name, false),
            (KeyKind::Path, modes, false),
            (KeyKind::Number, KeyKind::Name, true),
            (KeyKind::Number, KeyKind::Boolean, false),
            (KeyKind::Number, modes, false),
            (KeyKind::Name, modes, true),
            (modes, KeyKind::Words(&["auto"]), true),
            (modes, KeyKind::Words(&["manual"]), false),
            (KeyKind::Call, KeyKind::Name, false),
            (KeyKind::Call, KeyKind::Call, true),
        ];
        for (one, other, expected) in pairs {
            assert_eq!(one.may_equal(other), expected, "{one:?} {other:?}");
            assert_eq!(other.may_equal(one), expected, "{other:?} {one:?}");
        }
    }
}
