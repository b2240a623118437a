//! Kleene's three truth values: true, false, and unknown with a reason.

use crate::context::Reason;
use hookrules_shell::glob::Fit;

/// The result of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// It is unknown whether the condition holds, for this reason.
    Unknown(Box<Reason>),
}

impl Truth {
    /// Creates an unknown result.
    #[must_use]
    pub fn unknown(reason: Reason) -> Self {
        Self::Unknown(Box::new(reason))
    }

    /// Returns the opposite; an unknown result remains unknown.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            unknown @ Self::Unknown(_) => unknown,
        }
    }

    /// Returns the word that is displayed: `true`, `false` or `unknown`.
    #[must_use]
    pub fn display_word(&self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Unknown(_) => "unknown",
        }
    }
}

impl From<bool> for Truth {
    fn from(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

impl From<Result<bool, Reason>> for Truth {
    fn from(result: Result<bool, Reason>) -> Self {
        result.map_or_else(Self::unknown, Self::from)
    }
}

impl From<Fit> for Truth {
    fn from(fit: Fit) -> Self {
        match fit {
            Fit::Yes => Self::True,
            Fit::No => Self::False,
            Fit::Maybe(why) => Self::unknown(why.into()),
        }
    }
}
