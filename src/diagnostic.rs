//! What is wrong with a policy, where, and how to fix it.
//!
//! A diagnostic is data; rendering it is `diagnostic/render.rs`. It knows nothing of events or rules.

mod codes;
mod fix;
mod levels;
mod nearest;
mod render;

pub use codes::{CODES, Code, Severity, page};
pub use fix::apply;
pub use levels::{Level, Levels};
use nearest::suggestion;
pub use nearest::{nearest, suggest};
pub use render::{Format, Look, render, render_all};

use crate::span::{FileId, Span};

/// One finding about a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code, for ever.
    pub code: &'static Code,
    /// How much it weighs: as its code does, unless settings say otherwise.
    pub severity: Severity,
    /// A lowercase fragment without a final period that stands alone on one line.
    pub message: String,
    /// The places; the first is the primary one. Empty only where no text is involved (a directory).
    pub labels: Vec<Label>,
    /// What to write.
    pub help: Option<String>,
    /// The edit that mends it, where a machine can tell.
    pub fix: Option<Box<Fix>>,
}

/// A place with a word about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is here.
    pub text: String,
    /// Something opens here and is not closed, for which another mistake behind it may be the cause.
    pub is_open: bool,
}

/// A kind of finding that is meant so at some place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The code's name.
    pub name: String,
    /// An item with its annotations, or a whole file.
    pub over: Span,
}

/// A replacement of one span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced.
    pub span: Span,
    /// By what.
    pub replacement: String,
    /// What it does to the policy.
    pub meaning: Meaning,
}

/// Whether a policy decides the same once a fix is applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// It does, or it did not load before.
    Kept,
    /// It may decide otherwise, as its author probably meant it.
    Changed,
}

impl Acceptance {
    /// Tells whether a finding is meant so. Errors cannot be accepted.
    #[must_use]
    pub fn covers(&self, finding: &Diagnostic) -> bool {
        // White space in front of an item is reported too.
        let in_front = |span: Span| span.file == self.over.file && span.end == self.over.start;
        let place = finding.span().is_some_and(|span| self.over.contains(span) || in_front(span));
        place && !finding.is_error() && finding.code.name == self.name
    }
}

impl Diagnostic {
    /// Makes a finding without a place; follow with [`Diagnostic::label`].
    #[must_use]
    pub fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self { code, severity: code.severity, message: message.into(), labels: Vec::new(), help: None, fix: None }
    }

    /// Adds a place. The first one added is the primary one.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), is_open: false });
        self
    }

    /// Says what to write.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what to write, where there is something to say.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Says which of some names is meant, with the edit that writes it: the nearest, else all where they are few.
    #[must_use]
    pub fn meant<'n>(self, span: Span, what: &str, name: &str, names: impl IntoIterator<Item = &'n str>) -> Self {
        let suggested = suggestion(what, name, names);
        let found = self.maybe_help(suggested.help);
        match suggested.near {
            // The name in a policy that loads selects nothing; the one that is meant selects something.
            Some(near) if !found.is_error() => found.fix_that_changes(span, near),
            Some(near) => found.fix(span, near),
            None => found,
        }
    }

    /// Gives the edit that mends it, and after which every policy that loaded decides as before.
    #[must_use]
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Box::new(Fix { span, replacement: replacement.into(), meaning: Meaning::Kept }));
        self
    }

    /// Gives the edit that mends it, and after which the policy may decide otherwise.
    #[must_use]
    pub fn fix_that_changes(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Box::new(Fix { span, replacement: replacement.into(), meaning: Meaning::Changed }));
        self
    }

    /// Tells whether another mistake may be the cause.
    #[must_use]
    pub fn may_follow(&self) -> bool {
        self.labels.first().is_some_and(|label| label.is_open)
    }

    /// Returns what findings are sorted by: causes before what may follow from them, and then by place.
    #[must_use]
    pub fn order(&self) -> (Option<FileId>, bool, Option<Span>, &'static str) {
        let span = self.span();
        (span.map(|span| span.file), self.may_follow(), span, self.code.id)
    }

    /// Returns the primary place.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }

    /// Tells whether the policy does not load because of it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
