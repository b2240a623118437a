//! Converts the configurations of other programs to policies: text in, text out.
//!
//! A converted policy passes `rules check`, else there is only an error. This module neither reads nor writes files.

mod conclaude;
mod draft;
mod globs;
mod map;
mod mapping_reader;
mod names;
mod shell;
mod verify;
mod yaml;

use crate::diagnostic::{Code, Diagnostic};
use crate::escape::{line, multiline_text};
use crate::span::{SourceFile, Span};
use crate::syntax::wrap_text;
use mapping_reader::ImportFindings;

/// A policy converted from a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportedPolicy {
    /// The text of a `.rules` file.
    pub policy: String,
    /// The text of a rules.toml.
    pub settings: String,
    /// The lines of `settings` after `edition`, if there are any.
    pub own_settings: Option<String>,
    /// The number of rules in the policy.
    pub rules: usize,
    /// Notes on each value that has no equivalent, or another meaning than before; the policy begins with them.
    pub notes: Vec<ImportNote>,
}

/// A note on a value that has no equivalent here, or another meaning than before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportNote {
    /// The place of the value in the configuration.
    pub span: Span,
    /// The text of the note: a fragment of a sentence.
    pub text: String,
}

/// Converts a `.conclaude.yaml` to a policy.
///
/// # Errors
/// Every mistake in the configuration, each at its place: what conclaude itself would reject, and YAML that is not
/// supported. A finding with the code `internal` is a bug in the conversion: the resulting policy would not pass
/// `rules check`.
pub fn from_conclaude(source: &SourceFile) -> Result<ImportedPolicy, Vec<Diagnostic>> {
    let tree = yaml::parse(source).map_err(|error| vec![*error])?;
    let mut findings = ImportFindings::new(source);
    let config = conclaude::read_config(&tree, &mut findings);
    let (Some(config), true) = (config, findings.diagnostics.is_empty()) else { return Err(findings.diagnostics) };
    let map::MappedPolicy { mut draft, settings: own_settings } = map::map_config(&config, &mut findings);
    let own = own_settings.as_ref().map(|own| format!("\n{own}")).unwrap_or_default();
    let settings = format!("edition = 1\n{own}");
    findings.note_unused(&tree, "");
    let ImportFindings { mut notes, .. } = findings;
    notes.extend(verify::leave_out_broken(&mut draft));
    notes.extend(verify::accept_lints(&mut draft));
    notes.sort_by_key(|note| note.span);
    let policy = format!("{}{}", header(source, &notes), draft.text());
    match verify::check(&policy, &settings) {
        problems if problems.is_empty() => {
            Ok(ImportedPolicy { policy, settings, own_settings, rules: draft.rules.len(), notes })
        }
        problems => {
            let message = "the policy that was made from this does not check clean";
            let found = Diagnostic::new(Code::INTERNAL, message).label(start_of_file(source), "made from this file");
            Err(vec![found.help(format!("this is a bug in rules: {}", problems.trim_end()))])
        }
    }
}

/// Returns the span of a file's first character, for findings about the whole file.
fn start_of_file(source: &SourceFile) -> Span {
    Span::new(source.id, 0, source.text.chars().next().map_or(0, char::len_utf8))
}

/// Characters that a policy cannot contain literally, not even in a comment.
const UNFIT: [char; 2] = ['\u{feff}', '\u{fffd}'];

/// Returns the comment at the beginning of a policy: the name of the configuration, and the notes.
fn header(source: &SourceFile, notes: &[ImportNote]) -> String {
    let name = std::path::Path::new(&source.name)
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name = line(&name, 60).replace(UNFIT, "?");
    let mut lines = vec![format!("# Made from {name} by `rules import conclaude`.")];
    if !notes.is_empty() {
        lines.extend(["#".to_owned(), "# Not carried over, or not unchanged:".to_owned()]);
    }
    for note in notes {
        let (line, _) = source.line_column(note.span.start);
        let text = format!("line {line}: {}", multiline_text(&note.text, 300)).replace(UNFIT, "?");
        lines.extend(wrap_text(&text, "# - ", "#   "));
    }
    format!("{}\n\n", lines.join("\n"))
}
