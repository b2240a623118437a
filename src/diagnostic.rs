//! Findings about a policy: the problem, its place, and how to fix it.
//!
//! A finding is data, and `diagnostic/render.rs` renders it. This module knows nothing about events or rules.

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
    /// The kind of the finding.
    pub code: &'static Code,
    /// The severity: the default of the code, unless settings override it.
    pub severity: Severity,
    /// The problem, on one line: a part of a sentence in lower case, without a final full stop.
    pub message: String,
    /// The places, of which the first is the primary one. Empty only if the finding is about no text, such as one
    /// about a directory.
    pub labels: Vec<Label>,
    /// Advice on what to write instead.
    pub help: Option<String>,
    /// The edit that fixes the problem, if it can be determined.
    pub fix: Option<Box<Fix>>,
}

/// A place in a source file, with a short comment on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The part of the file that the label marks.
    pub span: Span,
    /// What is wrong there, or why the place matters; one line.
    pub text: String,
    /// Whether a bracket or string that opens at the place is not closed, which may cause the mistakes after it.
    pub is_open: bool,
}

/// The acceptance of a kind of finding for some part of a policy, by `@allow`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The name of the code that is accepted.
    pub name: String,
    /// The span in which findings are accepted: an item with its annotations, or a whole file.
    pub over: Span,
}

/// An edit that fixes a finding: the replacement of one span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The span to replace.
    pub span: Span,
    /// The new text.
    pub replacement: String,
    /// Whether the edit preserves the decisions of the policy.
    pub meaning: FixSafety,
}

/// Whether a fix preserves the decisions of a policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FixSafety {
    /// The policy decides as before, or did not load before.
    Safe,
    /// The policy may decide differently, probably as the author intended.
    Unsafe,
}

impl Acceptance {
    /// Whether a finding is accepted. Errors cannot be accepted.
    #[must_use]
    pub fn is_accepting(&self, finding: &Diagnostic) -> bool {
        // A finding about white space directly before the item is accepted, too.
        let in_front = |span: Span| span.file == self.over.file && span.end == self.over.start;
        let place = finding.span().is_some_and(|span| self.over.contains(span) || in_front(span));
        place && !finding.is_error() && finding.code.name == self.name
    }
}

impl Diagnostic {
    /// Creates a finding without a place; [`Diagnostic::label`] adds one.
    #[must_use]
    pub fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self { code, severity: code.severity, message: message.into(), labels: Vec::new(), help: None, fix: None }
    }

    /// Adds a place with a comment. The first place is the primary one.
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

    /// Sets the help if there is one; otherwise keeps the current help.
    #[must_use]
    pub fn help_if_any(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Suggests one of `names` in place of an unknown `name`: the most similar one, with the edit that writes it; or
    /// all of them if they are few. `what` is the noun for a name, such as "event".
    #[must_use]
    pub fn suggest_name<'n>(
        self,
        span: Span,
        what: &str,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let suggested = suggestion(what, name, names);
        let finding = self.help_if_any(suggested.help);
        match suggested.near {
            // In a policy that loads, the unknown name selects nothing and the suggested one selects something, so
            // the policy decides differently.
            Some(near) if !finding.is_error() => finding.fix_that_changes(span, near),
            Some(near) => finding.fix(span, near),
            None => finding,
        }
    }

    /// Sets a fix after which a policy that loads decides as before.
    #[must_use]
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Box::new(Fix { span, replacement: replacement.into(), meaning: FixSafety::Safe }));
        self
    }

    /// Sets a fix after which a policy that loads may decide differently.
    #[must_use]
    pub fn fix_that_changes(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Box::new(Fix { span, replacement: replacement.into(), meaning: FixSafety::Unsafe }));
        self
    }

    /// Whether the finding may be the consequence of another mistake: the primary place is one that is not closed.
    #[must_use]
    pub fn is_possible_consequence(&self) -> bool {
        self.labels.first().is_some_and(|label| label.is_open)
    }

    /// Whether another finding about the same rule is superfluous while this finding is reported.
    #[must_use]
    pub fn is_superseding(&self, other: &Self) -> bool {
        let Some((span, other_span)) = self.span().zip(other.span()) else { return false };
        let is_at = |at: Overlap| match at {
            Overlap::Same => span == other_span,
            Overlap::Nested => span.contains(other_span) || other_span.contains(span),
        };
        self.code.supersedes.iter().any(|superseded| superseded.code == other.code && is_at(superseded.at))
    }

    /// Returns the key by which findings are sorted: by file; within a file, possible consequences come last; then by
    /// place.
    #[must_use]
    pub fn order(&self) -> (Option<FileId>, bool, Option<Span>, &'static str) {
        let span = self.span();
        (span.map(|span| span.file), self.is_possible_consequence(), span, self.code.id)
    }

    /// Returns the primary place; `None` if there is no place.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }

    /// Whether the finding keeps its layer from loading.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
