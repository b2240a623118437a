//! The problems that keep a policy from being tested, as the formats for programs print them.

use crate::diagnostic::{Diagnostic, DiagnosticFormat, render};
use crate::policy::Policy;

/// A problem that keeps a policy from being tested.
pub(super) struct LoadProblem {
    /// The name of the file; empty if the problem is about none.
    pub(super) file: String,
    /// The number of the line, counted from 1.
    pub(super) line: Option<usize>,
    pub(super) message: String,
    /// The id of the error's code (`R0401`); `None` if there is no policy.
    pub(super) code: Option<&'static str>,
    /// The whole problem, as it is printed.
    pub(super) text: String,
}

impl LoadProblem {
    /// Returns the problems of a policy that [`require_loaded`] refuses: its errors, else that there is none.
    ///
    /// [`require_loaded`]: crate::cli::load::require_loaded
    pub(super) fn of_policy(policy: &Policy, missing: impl FnOnce() -> String) -> Vec<Self> {
        let problem = |error: &Diagnostic| {
            let place = error.labels.first().and_then(|label| Some((policy.sources.file(label.span)?, label.span)));
            Self {
                file: place.map(|(file, _)| file.name.clone()).unwrap_or_default(),
                line: place.map(|(file, span)| file.line_column(span.start).0),
                message: error.message.clone(),
                code: Some(error.code.id),
                text: render(error, &policy.sources, DiagnosticFormat::PLAIN),
            }
        };
        let found: Vec<Self> = policy.errors().map(problem).collect();
        if !found.is_empty() || policy.is_found() {
            return found;
        }
        vec![Self::without_place(missing())]
    }

    /// Returns the problem that a message states, which is about no file.
    pub(super) fn without_place(text: String) -> Self {
        let message = text.lines().next().unwrap_or_default().trim_start_matches("rules: ").to_owned();
        Self { file: String::new(), line: None, message, code: None, text }
    }
}
