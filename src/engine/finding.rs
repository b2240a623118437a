//! Findings about a policy, for programs that embed the engine.

use std::error::Error;
use std::fmt;

use serde::{Serialize, Serializer};

use crate::diagnostic::{Diagnostic, DiagnosticFormat, Severity, render_all};
use crate::span::{Sources, Span};

/// The reason why a policy cannot be used: it does not load, or there is none.
///
/// Displayed with `{}`, it has one line per error; with `{:#}`, it has the source lines, as `rules check` prints
/// them.
#[derive(Clone, PartialEq, Eq)]
pub struct PolicyError {
    findings: Vec<Finding>,
    /// The text with one line per error.
    short: String,
    /// The text with the source lines of each error.
    long: String,
}

/// A finding about a policy: a mistake, or something that is probably unintended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The code of the kind of finding, such as `R0301`, which never changes its meaning.
    pub code: &'static str,
    /// The name of the code, such as `unknown-field`.
    pub name: &'static str,
    /// Its severity.
    #[serde(serialize_with = "serialize_severity")]
    pub severity: Severity,
    /// The description, without the place.
    pub message: String,
    /// The place; `None` if the finding is about a directory, or about a file that cannot be read.
    pub place: Option<Place>,
    /// What to write instead.
    pub help: Option<String>,
}

/// A place in a policy.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The file, relative to the project directory if it is in there.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl PolicyError {
    /// Creates the error of a policy with these errors; without any, the error that there is no policy.
    pub(super) fn new(errors: &[Diagnostic], sources: &Sources) -> Self {
        let findings = errors.iter().map(|error| Finding::new(error, sources)).collect();
        let shown = |format| render_all(errors, sources, format).trim_end().to_owned();
        match errors {
            [] => Self { findings, short: NOTHING.to_owned(), long: NOTHING.to_owned() },
            _ => Self { findings, short: shown(DiagnosticFormat::Short), long: shown(DiagnosticFormat::PLAIN) },
        }
    }

    /// Returns the errors; empty if there is no policy at all.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

/// The text of the error that no policy was found.
const NOTHING: &str = "there is no policy";

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if f.alternate() { &self.long } else { &self.short })
    }
}

// `main` prints an error that it returns with `Debug`, so this is a text for people.
impl fmt::Debug for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.long)
    }
}

impl Error for PolicyError {}

impl Finding {
    pub(super) fn new(diagnostic: &Diagnostic, sources: &Sources) -> Self {
        Self {
            code: diagnostic.code.id,
            name: diagnostic.code.name,
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            place: diagnostic.span().and_then(|span| Place::from_span(span, sources)),
            help: diagnostic.help.clone(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{} {} {}: {}", self.severity.name(), self.code, self.name, self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, " ({help})"))
    }
}

impl Place {
    /// Returns the place of a span; `None` if its file is not in the sources.
    pub(super) fn from_span(span: Span, sources: &Sources) -> Option<Self> {
        let file = sources.file(span)?;
        let (line, column) = file.line_column(span.start);
        Some(Self { file: file.name.clone(), line, column })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

fn serialize_severity<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.name())
}
