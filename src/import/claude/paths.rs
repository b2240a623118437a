//! Entries about files: `Read(./.env)`, `Edit(src/**)`.
//!
//! The paths follow gitignore: a name without a slash matches at any depth, and the name of a directory covers
//! everything in it. `//` begins an absolute path, `~/` one in the home directory, `/` one in the project. Any other
//! path is relative to the current directory, for which the project is taken.

use super::Entry;
use crate::import::calls::CallRule;
use crate::import::commands::ImportedDecision;
use crate::import::draft::DraftRule;
use crate::import::mapping_reader::ImportFindings;
use crate::import::names::slug;
use crate::import::verify::findings_of;
use crate::span::Span;
use crate::syntax::{format_one_or_list, string_literal};

/// The tools that change files.
const EDITING_TOOLS: &str = "Edit|Write|MultiEdit|NotebookEdit";

/// What a call does with a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum PathAccess {
    Read,
    Edit,
}

impl PathAccess {
    /// Returns what a tool does with files; `None` if its entries are not about files.
    pub(super) fn of_tool(tool: &str) -> Option<Self> {
        match tool {
            "Read" | "Grep" | "Glob" | "LS" => Some(Self::Read),
            "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => Some(Self::Edit),
            _ => None,
        }
    }

    /// Returns the test that is true for calls with such an access.
    fn test(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Edit => "writes",
        }
    }

    /// Returns the tools that a permission is about.
    fn allowed_tools(self) -> &'static str {
        match self {
            Self::Read => "Read",
            Self::Edit => EDITING_TOOLS,
        }
    }

    /// Returns the tool that an example of such an access uses.
    fn example_tool(self) -> &'static str {
        match self {
            Self::Read => "Read",
            Self::Edit => "Write",
        }
    }
}

/// A converted entry about files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PathEntry {
    span: Span,
    globs: Vec<String>,
    /// Whether the globs name files in the project or anywhere.
    place: PathPlace,
    /// A path that the globs match.
    example: String,
}

/// Where the files are that an entry is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PathPlace {
    InProject,
    Anywhere,
}

/// Converts the path in the parentheses of an entry, as in `Edit(src/**)`. `None` if there is no equivalent, which is
/// noted.
pub(super) fn read_path_entry(
    entry: &Entry,
    specifier: &str,
    findings: &mut ImportFindings<'_>,
) -> Option<(PathAccess, PathEntry)> {
    let access = PathAccess::of_tool(&entry.tool)?;
    if !matches!(entry.tool.as_str(), "Read" | "Edit") {
        let compared_tool = if access == PathAccess::Read { "Read" } else { "Edit" };
        let explanation = format!("`{}`: Claude Code compares paths only with `Read` and `Edit`", entry.text);
        // Claude Code ignores such an entry. A denial or a question is kept all the same, as the stricter reading.
        if entry.decision == ImportedDecision::Allow {
            findings.leave_out(entry.span, format!("{explanation}, so it allows nothing; left out"));
            return None;
        }
        findings.add_note(entry.span, format!("{explanation}; here it is one of `{compared_tool}`, and counts"));
    }
    let Some(path) = translate(entry.span, entry.decision, specifier) else {
        let text = format!("`{}`: no glob here says the same; left out", entry.text);
        findings.leave_out(entry.span, text);
        return None;
    };
    Some((access, path))
}

/// Translates a gitignore path to globs; `None` if they would not load without findings.
fn translate(span: Span, decision: ImportedDecision, specifier: &str) -> Option<PathEntry> {
    let is_exact = !specifier.contains(['{', '}', '\\']) && !specifier.starts_with('!');
    if !is_exact {
        return None;
    }
    let (glob, place) = anchored_glob(specifier)?;
    let mut globs = match glob.strip_suffix('/') {
        Some(directory) => vec![format!("{}/**", at_any_depth(directory))],
        None => vec![glob.clone()],
    };
    // A permission covers only the name, a denial also what is in a directory of this name.
    if decision != ImportedDecision::Allow && may_be_directory(&glob) {
        globs.push(format!("{}/**", at_any_depth(&glob)));
    }
    let draft = DraftRule {
        source: span,
        name: "rule".to_owned(),
        on: "PreToolUse".to_owned(),
        when: Some(format!("reads like {}", format_one_or_list(&globs))),
        effects: vec!["deny \"No.\"".to_owned()],
        ..DraftRule::default()
    };
    let example = example_path(globs.first()?);
    findings_of(&draft).is_empty().then_some(PathEntry { span, globs, place, example })
}

/// Translates the beginning of a path, which says what it is relative to; `None` for a path that names nothing.
fn anchored_glob(specifier: &str) -> Option<(String, PathPlace)> {
    use PathPlace::{Anywhere, InProject};
    Some(match specifier {
        "" | "/" | "." | "./" => return None,
        "//" => ("/**".to_owned(), Anywhere),
        path if path.starts_with("//") => (path.get(1..)?.to_owned(), Anywhere),
        path if path.starts_with("~/") => (path.to_owned(), Anywhere),
        path if path.starts_with('/') => (format!(".{path}"), InProject),
        path if path.starts_with("./") || path.starts_with("../") => (path.to_owned(), InProject),
        path => (path.to_owned(), InProject),
    })
}

/// Returns a glob for a path at which something else can be appended: a name without a slash gets `**/`, because it
/// matches at any depth.
fn at_any_depth(glob: &str) -> String {
    if glob.contains('/') { glob.to_owned() } else { format!("**/{glob}") }
}

/// Whether a glob may be the name of a directory: it ends neither with `**` nor with an extension.
fn may_be_directory(glob: &str) -> bool {
    let name = glob.rsplit('/').next().unwrap_or_default();
    !name.is_empty() && name != "**" && !name.get(1..).is_some_and(|rest| rest.contains('.'))
}

/// Returns a path that a glob matches.
fn example_path(glob: &str) -> String {
    let path = glob.replace("**/", "").replace("**", "a").replace(['*', '?'], "a");
    path.strip_prefix("./").map(str::to_owned).unwrap_or(path)
}

/// Returns the rules for entries with the same decision and access: one, but two for a permission with files both
/// inside and outside the project.
pub(super) fn rules(decision: ImportedDecision, access: PathAccess, entries: Vec<PathEntry>) -> Vec<CallRule> {
    if decision != ImportedDecision::Allow {
        return rule(decision, access, &entries, None).into_iter().collect();
    }
    let (inside, anywhere): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|entry| entry.place == PathPlace::InProject);
    let inside = rule(decision, access, &inside, Some("path under project"));
    inside.into_iter().chain(rule(decision, access, &anywhere, None)).collect()
}

/// Returns one rule about the files of all these entries, with a further condition; `None` if there is no entry.
fn rule(
    decision: ImportedDecision,
    access: PathAccess,
    entries: &[PathEntry],
    further: Option<&str>,
) -> Option<CallRule> {
    let first = entries.first()?;
    let mut globs: Vec<String> = Vec::new();
    for glob in entries.iter().flat_map(|entry| &entry.globs) {
        if !globs.contains(glob) {
            globs.push(glob.clone());
        }
    }
    let (tools, when, message) = rule_parts(decision, access, &format_one_or_list(&globs), further);
    let about = if entries.len() == 1 {
        slug(first.globs.first().map_or("", String::as_str), "files")
    } else {
        "files".to_owned()
    };
    let verb = access.test();
    let name = match decision {
        ImportedDecision::Deny => format!("no-{verb}-of-{about}"),
        ImportedDecision::Ask => format!("ask-{verb}-of-{about}"),
        ImportedDecision::Allow => format!("allow-{verb}-of-{about}"),
    };
    let call = |path: &str| format!("{} {}", access.example_tool(), string_literal(path, "  "));
    let mut fires: Vec<String> = entries.iter().map(|entry| call(&entry.example)).collect();
    if decision != ImportedDecision::Allow && access == PathAccess::Read {
        fires.push(format!("Bash {}", string_literal(&format!("cat {}", first.example), "  ")));
    }
    let quiet = vec![call("README.md"), call("/etc/passwd")];
    let message = format!("\"{message}\"");
    Some(CallRule {
        source: first.span,
        decision,
        name,
        tools,
        by: None,
        when: Some(when),
        unless: None,
        message,
        fires,
        quiet,
    })
}

/// Returns the selectors, the condition and the message of a rule about files.
fn rule_parts(
    decision: ImportedDecision,
    access: PathAccess,
    globs: &str,
    further: Option<&str>,
) -> (String, String, String) {
    let touched = format!("{} like {globs}", access.test());
    let (question_verb, verb) = match access {
        PathAccess::Read => ("Read", "read"),
        PathAccess::Edit => ("Change", "changed"),
    };
    match decision {
        ImportedDecision::Deny => (String::new(), touched, format!("`{{match}}` must not be {verb} here.")),
        ImportedDecision::Ask => (String::new(), touched, format!("{question_verb} `{{match}}`?")),
        ImportedDecision::Allow => {
            let further = further.map_or_else(String::new, |further| format!(" and {further}"));
            (access.allowed_tools().to_owned(), format!("path like {globs}{further}"), String::new())
        }
    }
}
