//! `--baseline`: a file of known findings, which do not fail the check.
#![expect(clippy::disallowed_methods, reason = "it writes the file that the user names")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cli::CommandOutcome;
use crate::cli::print::{Printer, count};
use crate::diagnostic::Diagnostic;
use crate::files::{self, reason};
use crate::platform::paths::shown;
use crate::span::Sources;

/// The maximum size of a baseline file, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The known findings of a baseline file, each with the number of its occurrences.
#[derive(Default, Debug)]
pub(super) struct Baseline(BTreeMap<KnownFinding, usize>);

/// A finding without its line number, so that it is recognised after lines were added above it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownFinding {
    /// The file's name in the check; `None` for a finding without a file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    file: Option<String>,
    /// The code of the finding: `R0401`.
    code: String,
    /// The text of the source line of the finding, or its message if it has no line.
    line: String,
}

/// An entry of the file: a known finding and its count.
#[derive(Serialize, Deserialize)]
struct BaselineEntry {
    #[serde(flatten)]
    known: KnownFinding,
    count: usize,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct BaselineFile {
    findings: Vec<BaselineEntry>,
}

impl Baseline {
    /// Reads a baseline file, as `--write-baseline` writes it.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let named = shown(&path);
        let bytes = files::read_following(path, MAX_BYTES).map_err(|problem| format!("`{named}` {problem}"))?;
        let file: BaselineFile = serde_json::from_slice(&bytes)
            .map_err(|error| format!("`{named}` is no baseline: {error}; write it with `--write-baseline`"))?;
        let mut counts = BTreeMap::new();
        for entry in file.findings {
            *counts.entry(entry.known).or_default() += entry.count;
        }
        Ok(Self(counts))
    }

    /// Removes known findings, at most as many as the baseline records, and returns how many were removed. Errors
    /// stay, because a policy that does not load guards nothing.
    pub(super) fn remove_known(mut self, findings: &mut Vec<Diagnostic>, sources: &Sources) -> usize {
        let before = findings.len();
        findings.retain(|finding| {
            let count = self.0.get_mut(&KnownFinding::from_finding(finding, sources)).filter(|count| **count > 0);
            match count {
                Some(count) if !finding.is_error() => {
                    *count -= 1;
                    false
                }
                _ => true,
            }
        });
        before - findings.len()
    }
}

impl KnownFinding {
    /// Reduces a finding to its file, code and source line, which a baseline file records.
    fn from_finding(finding: &Diagnostic, sources: &Sources) -> Self {
        let place = finding.span().and_then(|span| Some((sources.file(span)?, span)));
        let line = place.map_or_else(
            || finding.message.clone(),
            |(file, span)| file.line(file.line_column(span.start).0).trim().to_owned(),
        );
        Self { file: place.map(|(file, _)| file.name.clone()), code: finding.code.id.to_owned(), line }
    }
}

/// Whether the path is a file that is neither empty nor a baseline.
fn has_other_content(path: &Path) -> bool {
    files::read_following(path, MAX_BYTES).is_ok_and(|bytes| !bytes.is_empty()) && Baseline::read(path).is_err()
}

/// Writes the findings to a baseline file, except errors. A file with other content is not replaced.
pub(super) fn write(path: &Path, findings: &[Diagnostic], sources: &Sources, printer: &mut Printer) -> CommandOutcome {
    if has_other_content(path) {
        printer.err(&format!("rules: `{}` is no baseline, and is left alone\n", shown(&path)));
        return CommandOutcome::Unreadable;
    }
    let mut counts: BTreeMap<KnownFinding, usize> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| !finding.is_error()) {
        *counts.entry(KnownFinding::from_finding(finding, sources)).or_default() += 1;
    }
    let listed = counts.values().sum();
    let errors = findings.len().saturating_sub(listed);
    let file =
        BaselineFile { findings: counts.into_iter().map(|(known, count)| BaselineEntry { known, count }).collect() };
    let text = serde_json::to_string_pretty(&file).map(|text| text + "\n").map_err(std::io::Error::other);
    if let Err(error) = text.and_then(|text| fs::write(path, text)) {
        printer.err(&format!("rules: `{}` cannot be written: {}\n", shown(&path), reason(&error)));
        return CommandOutcome::Unreadable;
    }
    printer.out(&format!("{} written to {}\n", count(listed, "finding"), shown(&path)));
    if errors == 0 {
        return CommandOutcome::Clean;
    }
    printer.err(&format!("rules: {} left out: an error cannot be accepted\n", count(errors, "error")));
    CommandOutcome::Findings
}
