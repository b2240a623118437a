//! Configurations of other programs as policies: text in, text out.
//!
//! The result checks clean, or there is none. It reads and writes no files.

mod conclaude;
mod draft;
mod globs;
mod map;
mod names;
mod read;
mod shell;
mod verify;
mod yaml;

use crate::diagnostic::{Code, Diagnostic};
use crate::escape::{line, present};
use crate::span::{SourceFile, Span};
use crate::syntax::wrapped;
use read::Findings;

/// A policy that was made from a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// The text of a `.rules` file.
    pub policy: String,
    /// The text of a rules.toml.
    pub settings: String,
    /// What that says beside its edition, if it says more.
    pub own_settings: Option<String>,
    /// How many rules the policy has.
    pub rules: usize,
    /// What was not carried over, or not as it stands; the policy begins with them.
    pub notes: Vec<Note>,
}

/// Something that was not carried over, or not as it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Where it stands in the source.
    pub span: Span,
    /// A fragment about it.
    pub text: String,
}

/// Makes a policy from a `.conclaude.yaml`.
///
/// # Errors
/// Every mistake in the source, each at its place: what conclaude itself would refuse, and YAML that is not read.
/// With the code `internal`, a policy that does not check clean: a bug.
pub fn from_conclaude(source: &SourceFile) -> Result<Imported, Vec<Diagnostic>> {
    let tree = yaml::parse(source).map_err(|error| vec![*error])?;
    let mut findings = Findings::new(source);
    let config = conclaude::read(&tree, &mut findings);
    let (Some(config), true) = (config, findings.diagnostics.is_empty()) else { return Err(findings.diagnostics) };
    let map::Mapped { mut draft, settings: own_settings } = map::map(&config, &mut findings);
    let own = own_settings.as_ref().map(|own| format!("\n{own}")).unwrap_or_default();
    let settings = format!("edition = 1\n{own}");
    findings.note_unused(&tree, "");
    let Findings { mut notes, .. } = findings;
    notes.extend(verify::leave_out_broken(&mut draft));
    notes.extend(verify::accept_lints(&mut draft));
    notes.sort_by_key(|note| note.span);
    let policy = format!("{}{}", header(source, &notes), draft.text());
    match verify::check(&policy, &settings) {
        problems if problems.is_empty() => {
            Ok(Imported { policy, settings, own_settings, rules: draft.rules.len(), notes })
        }
        problems => {
            let message = "the policy that was made from this does not check clean";
            let found = Diagnostic::new(Code::INTERNAL, message).label(beginning(source), "made from this file");
            Err(vec![found.help(format!("this is a bug in rules: {}", problems.trim_end()))])
        }
    }
}

/// Returns the first character of a file, for what is about all of it.
fn beginning(source: &SourceFile) -> Span {
    Span::new(source.id, 0, source.text.chars().next().map_or(0, char::len_utf8))
}

/// Characters that a policy cannot hold as they are, not even in a comment.
const UNFIT: [char; 2] = ['\u{feff}', '\u{fffd}'];

/// Writes the comment that a policy begins with.
fn header(source: &SourceFile, notes: &[Note]) -> String {
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
        let text = format!("line {line}: {}", present(&note.text, 300)).replace(UNFIT, "?");
        lines.extend(wrapped(&text, "# - ", "#   "));
    }
    format!("{}\n\n", lines.join("\n"))
}
