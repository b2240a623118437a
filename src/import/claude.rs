//! Converts the permissions of Claude Code, `permissions.allow`, `ask` and `deny` in `.claude/settings.json`.
//! <https://code.claude.com/docs/en/permissions>
//!
//! In both, a denial takes precedence over a question, and a question over a permission.

mod command;
mod paths;
mod tools;

use std::collections::BTreeMap;

use super::NoteRank;
use super::calls::CallRule;
use super::commands::{self, CommandRule, ImportedDecision};
use super::draft::{MappedPolicy, PolicyDraft};
use super::json;
use super::mapping_reader::{ImportFindings, MappingReader, PlacedValue};
use super::names::TakenNames;
use crate::diagnostic::{Code, Diagnostic};
use crate::span::{SourceFile, Span};
use paths::{PathAccess, PathEntry};

/// The lists of permissions, and the decision on a call that one of their entries matches.
const LISTS: [(&str, ImportedDecision); 3] =
    [("deny", ImportedDecision::Deny), ("ask", ImportedDecision::Ask), ("allow", ImportedDecision::Allow)];

/// Further keys of `permissions`, which configure the host and have no equivalent in a policy.
const HOST_KEYS: [&str; 4] =
    ["defaultMode", "additionalDirectories", "disableBypassPermissionsMode", "disableAutoMode"];

/// An entry of a list, such as `Bash(git push:*)`: a tool, and what it says about the tool's calls.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    span: Span,
    decision: ImportedDecision,
    /// The entry as written in the settings.
    text: String,
    tool: String,
    /// The text in parentheses; `None` if the entry is about every call of the tool.
    specifier: Option<String>,
}

/// The entries, grouped by the way in which they are converted.
#[derive(Default)]
struct Permissions {
    commands: Vec<CommandRule>,
    paths: BTreeMap<(ImportedDecision, PathAccess), Vec<PathEntry>>,
    calls: Vec<CallRule>,
}

/// Reads and converts the files; `None` if they have mistakes.
pub(super) fn import(files: &[&SourceFile], findings: &mut ImportFindings<'_>) -> Option<MappedPolicy> {
    let mut entries = Vec::new();
    let mut has_permissions = false;
    for file in files {
        match json::parse(file) {
            Ok(tree) => {
                let Some(mut top) = MappingReader::new(&tree, "the settings", findings) else { continue };
                if let Some(node) = top.node("permissions") {
                    has_permissions = true;
                    let table = MappingReader::new(node, "permissions", findings);
                    entries.extend(table.map(|table| read_lists(table, findings)).unwrap_or_default());
                }
            }
            Err(error) => findings.diagnostics.push(*error),
        }
    }
    if let (false, true, Some(first)) = (has_permissions, findings.diagnostics.is_empty(), files.first()) {
        let found = Diagnostic::new(Code::IMPORT_MISSING, "no `permissions` in these settings");
        let found = found.label(super::start_of_file(first), "`permissions` is missing");
        findings.diagnostics.push(found.help("name the settings that have `permissions`"));
    }
    if !findings.diagnostics.is_empty() {
        return None;
    }
    let mut permissions = Permissions::default();
    for entry in entries {
        permissions.add(entry, findings);
    }
    Some(MappedPolicy { draft: permissions.draft(findings), settings: None })
}

/// Reads the lists of `permissions`, and notes its other keys.
fn read_lists(mut table: MappingReader<'_>, findings: &mut ImportFindings<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (key, decision) in LISTS {
        let texts = table.texts(key, findings);
        entries.extend(texts.iter().filter_map(|text| read_entry(text, decision, findings)));
    }
    for key in HOST_KEYS {
        if let Some(node) = table.node(key) {
            findings
                .leave_out(node.span, format!("`permissions.{key}`: keep it in the settings of the host; left out"));
        }
    }
    table.note_unread_keys(findings);
    entries
}

/// Reads an entry, `Tool` or `Tool(specifier)`.
fn read_entry(
    text: &PlacedValue<String>,
    decision: ImportedDecision,
    findings: &mut ImportFindings<'_>,
) -> Option<Entry> {
    let written = text.value().trim();
    let (tool, specifier) = match written.split_once('(') {
        Some((tool, rest)) => match rest.strip_suffix(')') {
            Some(inner) => (tool.trim(), Some(inner.trim().to_owned())),
            None => {
                let help = "write `Tool` or `Tool(what it is about)`";
                findings.report_invalid(text.span, "a permission without its `)`", "not closed", help);
                return None;
            }
        },
        None => (written, None),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-*.:".contains(c);
    if tool.is_empty() || !tool.chars().all(is_name) {
        let help = "write `Bash(git status)`, `Read(./.env)` or `mcp__server__tool`";
        findings.report_invalid(text.span, "a permission that names no tool", "not a name", help);
        return None;
    }
    let specifier = specifier.filter(|inner| !matches!(inner.as_str(), "" | "*"));
    Some(Entry { span: text.span, decision, text: written.to_owned(), tool: tool.to_owned(), specifier })
}

impl Permissions {
    /// Adds an entry, or notes why it is left out.
    fn add(&mut self, entry: Entry, findings: &mut ImportFindings<'_>) {
        findings.rank = entry.decision.rank();
        match (entry.tool.as_str(), &entry.specifier) {
            ("Bash", Some(specifier)) => match command::read(&entry, specifier, findings) {
                Some(command::CommandEntry::Words(rule)) => self.commands.push(rule),
                Some(command::CommandEntry::Text(rule)) => self.calls.push(rule),
                None => {}
            },
            (tool, Some(specifier)) if PathAccess::of_tool(tool).is_some() => {
                if let Some((access, path)) = paths::read_path_entry(&entry, specifier, findings) {
                    self.paths.entry((entry.decision, access)).or_default().push(path);
                }
            }
            _ => self.calls.extend(tools::read(&entry, findings)),
        }
        findings.rank = NoteRank::Text;
    }

    /// Converts the entries to the rules of a policy.
    fn draft(self, findings: &mut ImportFindings<'_>) -> PolicyDraft {
        let (mut draft, mut names) = (PolicyDraft::default(), TakenNames::default());
        commands::write_rules(self.commands, &mut names, &mut draft, findings);
        for ((decision, access), entries) in self.paths {
            for rule in paths::rules(decision, access, entries) {
                rule.write(&mut names, &mut draft);
            }
        }
        for rule in self.calls {
            rule.write(&mut names, &mut draft);
        }
        draft.rules.sort_by_key(super::verify::rank_of);
        draft
    }
}
