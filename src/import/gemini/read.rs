//! Reads the rules of a policy file, and reports what Gemini CLI would reject.

use super::regex::{RegexSubject, arguments_subject, command_subject};
use super::selectors::ToolSelection;
use super::{GeminiRule, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::import::NoteRank;
use crate::import::commands::{CommandPrefix, ImportedDecision, PrefixEnd};
use crate::import::mapping_reader::{ImportFindings, MappingReader, PlacedValue, text, word};
use crate::import::node::ConfigValue;
use crate::import::toml_text;
use crate::span::SourceFile;

const DECISIONS: &[(&str, ImportedDecision)] =
    &[("allow", ImportedDecision::Allow), ("deny", ImportedDecision::Deny), ("ask_user", ImportedDecision::Ask)];

/// The approval modes of Gemini CLI.
const MODES: &[(&str, ())] = &[("default", ()), ("autoEdit", ()), ("plan", ()), ("yolo", ())];

/// The highest priority that Gemini CLI accepts.
const MAX_PRIORITY: u32 = 999;

/// Reads the rules of one file.
pub(super) fn read_file(file: &SourceFile, findings: &mut ImportFindings<'_>) -> Vec<GeminiRule> {
    let tree = match toml_text::parse(file) {
        Ok(tree) => tree,
        Err(errors) => {
            findings.diagnostics.extend(errors);
            return Vec::new();
        }
    };
    let Some(mut top) = MappingReader::new(&tree, "", findings) else { return Vec::new() };
    let nodes = top.list("rule", findings);
    let read = |node| read_rule(MappingReader::new(node, "rule", findings)?, findings);
    let rules = nodes.iter().filter_map(read).collect();
    findings.rank = NoteRank::Denial;
    if let Some(node) = top.node("safety_checker") {
        findings.leave_out(node.span, "`safety_checker`: a check by a program; write a rule with a `run`; left out");
    }
    findings.rank = NoteRank::Text;
    top.note_unread_keys(findings);
    rules
}

/// The keys of a rule that restrict it by the session or the tool's properties, which Gemini CLI does not tell a hook.
#[derive(Default)]
struct Qualifiers(Vec<&'static str>);

/// Reads a rule; `None` if it has mistakes, or no equivalent, which is noted.
fn read_rule(mut table: MappingReader<'_>, findings: &mut ImportFindings<'_>) -> Option<GeminiRule> {
    let span = table.span();
    let mistakes = findings.diagnostics.len();
    let decision = table.required("decision", findings);
    let decision = decision.and_then(|text| word(text, DECISIONS, "decision", findings)).map(|word| *word.value());
    findings.rank = decision.map_or(NoteRank::Text, ImportedDecision::rank);
    let priority = read_priority(&mut table, findings);
    let names = read_texts(&mut table, "toolName", findings);
    let server = table.text("mcpName", findings).map(|server| server.value().clone());
    let tools = ToolSelection::new(&names, server.as_deref());
    let qualifiers = read_qualifiers(&mut table, findings);
    let message = [table.text("denyMessage", findings), table.text("deny_message", findings)];
    let message = message.into_iter().flatten().next().map(|message| message.value().trim().to_owned());
    let subject = read_subject(&mut table, &names, &tools, decision, findings);
    note_redirections(&mut table, decision, findings);
    table.note_unread_keys(findings);
    if findings.diagnostics.len() > mistakes {
        return None;
    }
    let (decision, priority, subject) = (decision?, priority?, subject?);
    if !qualifiers.0.is_empty() {
        let which = qualifiers.0.join("`, `");
        if decision == ImportedDecision::Allow {
            findings.leave_out(span, format!("`{which}`: a hook is not told, so that nothing is allowed; left out"));
            return None;
        }
        findings.add_note(span, format!("`{which}`: a hook is not told, so that this holds always"));
    }
    findings.rank = NoteRank::Text;
    let message = message.filter(|message| decision == ImportedDecision::Deny && !message.is_empty());
    Some(GeminiRule { span, decision, priority, tools, subject, message })
}

/// Reads `priority`.
fn read_priority(table: &mut MappingReader<'_>, findings: &mut ImportFindings<'_>) -> Option<u32> {
    if table.node("priority").is_none() {
        let found = Diagnostic::new(Code::IMPORT_MISSING, "`rule.priority` is missing");
        let found = found.label(table.span(), "`priority` is missing here");
        findings.diagnostics.push(found.help("add `priority = 100`"));
        return None;
    }
    table.number("priority", 0..=MAX_PRIORITY, findings).map(|priority| *priority.value())
}

/// Reads the texts at a key, whose value is a single text or a list.
fn read_texts(table: &mut MappingReader<'_>, key: &'static str, findings: &mut ImportFindings<'_>) -> Vec<String> {
    let path = table.path_of(key);
    let read: Vec<PlacedValue<String>> = match table.node(key) {
        Some(node) if matches!(node.kind, ConfigValue::List(_)) => table.texts(key, findings),
        Some(node) => text(node, &path, findings).into_iter().collect(),
        None => Vec::new(),
    };
    read.iter().map(|text| text.value().trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

/// Reads the keys whose values a hook cannot learn. All `modes` together are no restriction.
fn read_qualifiers(table: &mut MappingReader<'_>, findings: &mut ImportFindings<'_>) -> Qualifiers {
    let mut qualifiers = Qualifiers::default();
    let modes = table.texts("modes", findings);
    let modes: Vec<_> = modes.into_iter().filter_map(|mode| word(mode, MODES, "modes", findings)).collect();
    modes.iter().for_each(|mode| *mode.value());
    if !modes.is_empty() && modes.len() < MODES.len() {
        qualifiers.0.push("modes");
    }
    if table.boolean("interactive", findings).map(|value| *value.value()).is_some() {
        qualifiers.0.push("interactive");
    }
    if table.text("subagent", findings).map(|name| name.value().clone()).is_some() {
        qualifiers.0.push("subagent");
    }
    if table.node("toolAnnotations").is_some() {
        qualifiers.0.push("toolAnnotations");
    }
    qualifiers
}

/// Reads which calls of its tools a rule is about; `None` if it has mistakes, or no equivalent, which is noted.
fn read_subject(
    table: &mut MappingReader<'_>,
    names: &[String],
    tools: &ToolSelection,
    decision: Option<ImportedDecision>,
    findings: &mut ImportFindings<'_>,
) -> Option<Subject> {
    let prefixes = read_texts(table, "commandPrefix", findings);
    let command_regex = table.text("commandRegex", findings);
    let arguments_regex = table.text("argsPattern", findings);
    let is_about_commands = !prefixes.is_empty() || command_regex.is_some();
    let pattern_count = [!prefixes.is_empty(), command_regex.is_some(), arguments_regex.is_some()]
        .iter()
        .filter(|is_given| **is_given)
        .count();
    let is_shell = names.len() == 1 && tools.has("Bash");
    if pattern_count > 1 || is_about_commands && !is_shell {
        let (message, help) = match pattern_count {
            0 | 1 => ("a rule about commands of another tool", "write `toolName = \"run_shell_command\"`"),
            _ => ("a rule with two patterns", "keep one of `commandPrefix`, `commandRegex` and `argsPattern`"),
        };
        findings.report_invalid(table.span(), message, "Gemini CLI rejects this", help);
        return None;
    }
    let decision = decision?;
    let subject = match (command_regex, arguments_regex) {
        (Some(regex), _) => command_subject(regex.value(), decision),
        (None, Some(regex)) => arguments_subject(regex.value(), tools, decision),
        (None, None) if prefixes.is_empty() => return Some(Subject::Every),
        (None, None) => {
            let prefix = |text: &String| CommandPrefix::of_text(text, PrefixEnd::Anything);
            return Some(Subject::Commands(prefixes.iter().map(prefix).collect()));
        }
    };
    match subject {
        RegexSubject::Same(subject) => Some(subject),
        RegexSubject::Text(subject) => {
            findings.add_note(table.span(), "compares the text of a command, which quotes and other spellings evade");
            Some(subject)
        }
        RegexSubject::None(why) => {
            findings.leave_out(table.span(), format!("{why}; left out"));
            None
        }
    }
}

/// Notes that a permission here never covers redirections, even with `allowRedirection`.
fn note_redirections(
    table: &mut MappingReader<'_>,
    decision: Option<ImportedDecision>,
    findings: &mut ImportFindings<'_>,
) {
    let values = [table.boolean("allowRedirection", findings), table.boolean("allow_redirection", findings)];
    let is_allowed = values.into_iter().flatten().any(|value| *value.value());
    if is_allowed && decision == Some(ImportedDecision::Allow) {
        findings.add_note(table.span(), "`allowRedirection`: a command that writes a file by `>` is not allowed here");
    }
}
