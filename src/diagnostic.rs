//! A finding about a policy: the problem, its place, and how to fix it.
//!
//! A diagnostic is data; `diagnostic/render.rs` renders it. It knows nothing of events or rules.

mod codes;
mod fix;
mod levels;
mod nearest;
mod render;

#[cfg(feature = "internals")]
pub use codes::SupersededCode;
pub use codes::{CODES, Code, Overlap, Severity, page};
pub use fix::apply;
pub use levels::{Level, Levels};
use nearest::suggestion;
pub use nearest::{nearest_name, suggest};
pub use render::{DiagnosticFormat, DisplayOptions, render, render_all};

use crate::span::{FileId, Span};

/// One finding about a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code, which is stable for ever.
    pub code: &'static Code,
    /// The severity: that of the code, unless settings override it.
    pub severity: Severity,
    /// A lowercase fragment without a final period, complete on one line.
    pub message: String,
    /// The places; the first is the primary one. Empty only if no text is involved (a directory).
    pub labels: Vec<Label>,
    /// Advice on what to write.
    pub help: Option<String>,
    /// The edit that fixes it, if it can be determined.
    pub fix: Option<Box<Fix>>,
}

/// A place with a short text about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The text about it.
    pub text: String,
    /// Whether something opens here and is not closed, which may be the cause of later mistakes.
    pub is_open: bool,
}

/// A kind of finding that is accepted at some place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The code's name.
    pub name: String,
    /// The accepted range: an item with its annotations, or a whole file.
    pub over: Span,
}

/// A replacement of one span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The span to replace.
    pub span: Span,
    /// The new text.
    pub replacement: String,
    /// The effect on the policy.
    pub meaning: FixSafety,
}

/// Whether a fix preserves the decisions of a policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixSafety {
    /// It does, or the policy did not load before.
    Safe,
    /// It may change them, probably as the author intended.
    Unsafe,
}

impl Acceptance {
    /// Whether it accepts a finding. Errors cannot be accepted.
    #[must_use]
    pub fn is_accepting(&self, finding: &Diagnostic) -> bool {
        // Findings about white space before an item are included.
        let in_front = |span: Span| span.file == self.over.file && span.end == self.over.start;
        let place = finding.span().is_some_and(|span| self.over.contains(span) || in_front(span));
        place && !finding.is_error() && finding.code.name == self.name
    }
}

impl Diagnostic {
    /// Makes a finding without a place; add one with [`Diagnostic::label`].
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

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the help, if there is any.
    #[must_use]
    pub fn help_if_any(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Suggests the intended one of some names, with the edit that writes it: the nearest, else all of them if they are
    /// few.
    #[must_use]
    pub fn suggest_name<'n>(
        self,
        span: Span,
        what: &str,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let suggested = suggestion(what, name, names);
        let found = self.help_if_any(suggested.help);
        match suggested.near {
            // The wrong name in a policy that loads selects nothing; the intended name selects something.
            Some(near) if !found.is_error() => found.fix_that_changes(span, near),
            Some(near) => found.fix(span, near),
            None => found,
        }
    }

    /// Sets the fix, after which every policy that loaded decides as before.
    #[must_use]
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Box::new(Fix { span, replacement: replacement.into(), meaning: FixSafety::Safe }));
        self
    }

    /// Sets the fix, after which the policy may decide differently.
    #[must_use]
    pub fn fix_that_changes(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Box::new(Fix { span, replacement: replacement.into(), meaning: FixSafety::Unsafe }));
        self
    }

    /// Whether another mistake may be the cause.
    #[must_use]
    pub fn is_possible_consequence(&self) -> bool {
        self.labels.first().is_some_and(|label| label.is_open)
    }

    /// Whether another finding about the same rule is superfluous while this one is reported.
    #[must_use]
    pub fn is_superseding(&self, other: &Self) -> bool {
        let Some((own, others)) = self.span().zip(other.span()) else { return false };
        let is_at = |at: Overlap| match at {
            Overlap::Same => own == others,
            Overlap::Nested => own.contains(others) || others.contains(own),
        };
        self.code.supersedes.iter().any(|superseded| superseded.code == other.code && is_at(superseded.at))
    }

    /// Returns the sort key of findings: causes precede their possible consequences, then by place.
    #[must_use]
    pub fn order(&self) -> (Option<FileId>, bool, Option<Span>, &'static str) {
        let span = self.span();
        (span.map(|span| span.file), self.is_possible_consequence(), span, self.code.id)
    }

    /// Returns the primary place.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }

    /// Whether it keeps the policy from loading.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
