//! Converts the configurations of other programs to policies: text in, text out.
//!
//! A converted policy passes `rules check`; if it would not, the conversion fails. This module neither reads nor writes
//! files.
//!
//! ```text
//!   texts ──► values with places ──► draft of a policy, notes ──► the policy, checked
//!      yaml, json, toml, starlark       one module a format              verify
//! ```

mod calls;
mod claude;
mod codex;
mod commands;
mod conclaude;
mod draft;
mod formats;
mod gemini;
mod globs;
mod hookify;
mod json;
mod map;
mod mapping_reader;
mod names;
mod node;
mod refused;
mod regexes;
mod samples;
mod shell;
mod starlark;
mod toml_text;
mod verify;
mod yaml;

pub use formats::ImportFormat;

use crate::diagnostic::{Code, Diagnostic};
use crate::escape::{line, multiline_text};
use crate::span::{SourceFile, Sources, Span};
use crate::syntax::wrap_text;
use draft::{MappedPolicy, PolicyDraft};
use mapping_reader::ImportFindings;

/// A policy converted from a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedPolicy {
    /// The text of a `.rules` file.
    pub policy: String,
    /// The text of a rules.toml.
    pub settings: String,
    /// The lines of `settings` after `edition`; `None` if the configuration needs none.
    pub own_settings: Option<String>,
    /// The number of rules in the policy.
    pub rules: usize,
    /// A note on each value that has no equivalent, or another meaning than before, ordered by what the values guard.
    /// The policy begins with these notes.
    pub notes: Vec<ImportNote>,
}

/// A note for the reader of the policy: a value has no equivalent, or means something else than before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportNote {
    /// The span of the value in the configuration.
    pub span: Span,
    /// What the rule that contains the value does, by which the notes are ordered.
    pub rank: NoteRank,
    /// The text of the note: a fragment of a sentence.
    pub text: String,
}

/// What the rule that contains a value does, the most important first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NoteRank {
    /// It denies calls.
    Denial,
    /// It asks before calls.
    Question,
    /// It allows calls without a question.
    Permission,
    /// It guards nothing.
    Text,
}

impl NoteRank {
    /// Returns the line above the notes of this rank.
    fn heading(self) -> &'static str {
        match self {
            Self::Denial => "# Denials that are not carried over, or not unchanged:",
            Self::Question => "# Questions that are not carried over, or not unchanged:",
            Self::Permission => "# Permissions that are not carried over, or not unchanged:",
            Self::Text => "# Not carried over, or not unchanged:",
        }
    }
}

/// Converts the configuration of a program, all of its files, to one policy.
///
/// # Errors
/// Every mistake in the files, each with its position: what the program itself would reject, and what this conversion
/// does not support. A finding with the code `internal` is a bug in the conversion: the resulting policy would not pass
/// `rules check`.
pub fn import(format: &ImportFormat, sources: &Sources) -> Result<ImportedPolicy, Vec<Diagnostic>> {
    let files: Vec<&SourceFile> = sources.iter().collect();
    let mut findings = ImportFindings::new(sources, format.program, format.notation);
    let mapped = (format.convert)(&files, &mut findings);
    let (Some(mapped), true) = (mapped, findings.diagnostics.is_empty()) else { return Err(findings.diagnostics) };
    let MappedPolicy { mut draft, settings: own_settings } = mapped;
    let settings_lines = own_settings.as_ref().map(|settings_lines| format!("\n{settings_lines}")).unwrap_or_default();
    let settings = format!("edition = 1\n{settings_lines}");
    let ImportFindings { mut notes, .. } = findings;
    notes.extend(verify::leave_out_broken(&mut draft));
    notes.extend(verify::accept_lints(&mut draft, &format!("as {} has it", format.author)));
    notes.sort_by_key(|note| (note.rank, note.span));
    let policy = policy_text(format, &files, &notes, &draft);
    match verify::check(&policy, &settings) {
        problems if problems.is_empty() => {
            Ok(ImportedPolicy { policy, settings, own_settings, rules: draft.rules.len(), notes })
        }
        problems => {
            let message = "the policy that was made from this does not check clean";
            let found = Diagnostic::new(Code::INTERNAL, message);
            let found = files.iter().fold(found, |found, file| found.label(start_of_file(file), "made from this file"));
            Err(vec![found.help(format!("this is a bug in rules: {}", problems.trim_end()))])
        }
    }
}

/// Returns the span of a file's first character, for findings about the whole file.
fn start_of_file(source: &SourceFile) -> Span {
    Span::new(source.id, 0, source.text.chars().next().map_or(0, char::len_utf8))
}

/// Returns the text of a policy: the comment at its beginning, and its rules.
fn policy_text(format: &ImportFormat, files: &[&SourceFile], notes: &[ImportNote], draft: &PolicyDraft) -> String {
    format!("{}{}", header(format, files, notes), draft.text())
}

/// Characters that a policy cannot contain literally, not even in a comment.
const FORBIDDEN_CHARS: [char; 2] = ['\u{feff}', '\u{fffd}'];

/// The maximum number of file names in the comment at the beginning of a policy.
const MAX_LISTED_FILES: usize = 8;

/// Returns the comment at the beginning of a policy: the names of the files, and the notes.
fn header(format: &ImportFormat, files: &[&SourceFile], notes: &[ImportNote]) -> String {
    let mut names: Vec<String> = files.iter().take(MAX_LISTED_FILES).map(|file| file_name(file)).collect();
    if files.len() > MAX_LISTED_FILES {
        names.push(format!("{} more files", files.len() - MAX_LISTED_FILES));
    }
    let origin = format!("Made from {} by `rules import {}`.", names.join(", "), format.name);
    let mut lines = wrap_text(&origin, "# ", "# ");
    let mut rank = None;
    for note in notes {
        if rank != Some(note.rank) {
            lines.extend(["#".to_owned(), note.rank.heading().to_owned()]);
            rank = Some(note.rank);
        }
        let Some(file) = files.iter().find(|file| file.id == note.span.file) else { continue };
        let (line, _) = file.line_column(note.span.start);
        let named = if files.len() > 1 { format!("{}, ", file_name(file)) } else { String::new() };
        let text = format!("{named}line {line}: {}", multiline_text(&note.text, 300)).replace(FORBIDDEN_CHARS, "?");
        lines.extend(wrap_text(&text, "# - ", "#   "));
    }
    format!("{}\n\n", lines.join("\n"))
}

/// Returns the name of a file without its directories, safe to show in a comment.
fn file_name(source: &SourceFile) -> String {
    let name = std::path::Path::new(&source.name)
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    line(&name, 60).replace(FORBIDDEN_CHARS, "?")
}
