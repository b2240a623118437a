//! Converts the rules of hookify, a plugin of Claude Code: Markdown files `.claude/hookify.*.local.md`, each a rule
//! with its conditions in front matter and its message below.
//! <https://github.com/anthropics/claude-code/tree/main/plugins/hookify>
//!
//! hookify searches the text of a field for a regex, ignoring case. All conditions of a rule must be true.

mod front_matter;

use super::NoteRank;
use super::calls::with_examples;
use super::commands::{CommandPrefix, PrefixEnd, bash_call};
use super::draft::{DraftExample, DraftRule, MappedPolicy, PolicyDraft};
use super::mapping_reader::{ImportFindings, MappingReader, PlacedValue, word};
use super::names::{TakenNames, slug};
use super::node::ConfigNode;
use super::regexes::{regex_literal, regex_sample, regex_words};
use super::verify::{findings_of, holds};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::{SourceFile, Span};
use crate::syntax::string_literal;
use front_matter::FrontMatter;
use hookrules_shell::Programs;

/// The event that a rule of hookify is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HookifyEvent {
    Bash,
    File,
    Stop,
    Prompt,
    All,
}

const EVENTS: &[(&str, HookifyEvent)] = &[
    ("bash", HookifyEvent::Bash),
    ("file", HookifyEvent::File),
    ("stop", HookifyEvent::Stop),
    ("prompt", HookifyEvent::Prompt),
    ("all", HookifyEvent::All),
];

/// What a rule of hookify does when its conditions are true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Warn,
    Ask,
    Block,
}

impl Action {
    fn rank(self) -> NoteRank {
        match self {
            Self::Block => NoteRank::Denial,
            Self::Ask => NoteRank::Question,
            Self::Warn => NoteRank::Text,
        }
    }
}

const ACTIONS: &[(&str, Action)] = &[("warn", Action::Warn), ("ask", Action::Ask), ("block", Action::Block)];

/// How a condition compares the field with its pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Regex,
    Contains,
    NotContains,
    Equals,
    StartsWith,
    EndsWith,
}

const OPERATORS: &[(&str, Operator)] = &[
    ("regex_match", Operator::Regex),
    ("contains", Operator::Contains),
    ("not_contains", Operator::NotContains),
    ("equals", Operator::Equals),
    ("starts_with", Operator::StartsWith),
    ("ends_with", Operator::EndsWith),
];

/// For each event, the names of hookify's fields, and the field of this program that each becomes.
const FIELDS: &[(HookifyEvent, &str, &str)] = &[
    (HookifyEvent::Bash, "command", "command"),
    (HookifyEvent::File, "file_path", "path"),
    (HookifyEvent::File, "new_text", "content"),
    (HookifyEvent::File, "new_string", "content"),
    (HookifyEvent::File, "content", "content"),
    (HookifyEvent::File, "old_text", "tool_input.old_string"),
    (HookifyEvent::File, "old_string", "tool_input.old_string"),
    (HookifyEvent::Prompt, "user_prompt", "prompt"),
    (HookifyEvent::Prompt, "prompt", "prompt"),
    (HookifyEvent::Prompt, "content", "prompt"),
];

/// A condition of a rule: a comparison of one field with a pattern.
#[derive(Clone, Debug)]
struct Condition {
    span: Span,
    field: String,
    operator: Operator,
    pattern: String,
}

/// A rule as it is written in a file.
#[derive(Clone, Debug)]
struct HookifyRule {
    span: Span,
    name: String,
    is_enabled: bool,
    event: HookifyEvent,
    action: Action,
    tools: Option<String>,
    /// A regex for which the main field of the event is searched; `None` if the rule has `conditions`.
    pattern: Option<(Span, String)>,
    conditions: Vec<Condition>,
    message: String,
}

/// Reads and converts the files; `None` if they have mistakes.
pub(super) fn import(files: &[&SourceFile], findings: &mut ImportFindings<'_>) -> Option<MappedPolicy> {
    let rules: Vec<HookifyRule> = files.iter().filter_map(|file| read_file(file, findings)).collect();
    if !findings.diagnostics.is_empty() {
        return None;
    }
    let (mut draft, mut names) = (PolicyDraft::default(), TakenNames::default());
    for rule in rules {
        findings.rank = rule.action.rank();
        draft.rules.extend(convert_rule(&rule, &mut names, findings));
        findings.rank = NoteRank::Text;
    }
    Some(MappedPolicy { draft, settings: None })
}

/// Reads a file, which is one rule; `None` if it has mistakes, which are reported.
fn read_file(file: &SourceFile, findings: &mut ImportFindings<'_>) -> Option<HookifyRule> {
    let FrontMatter { values, message } = match front_matter::parse(file) {
        Ok(parsed) => parsed,
        Err(error) => {
            findings.diagnostics.push(*error);
            return None;
        }
    };
    let mut table = MappingReader::new(&values, "", findings)?;
    let name = table.required("name", findings);
    let event = table.required("event", findings).map(|text| word(text, EVENTS, "event", findings));
    let action = table.text("action", findings).map(|text| word(text, ACTIONS, "action", findings));
    let is_enabled = table.boolean("enabled", findings);
    let pattern = table.text("pattern", findings);
    let conditions = read_conditions(file, &mut table, findings);
    let tools = table.text("tool_matcher", findings);
    table.note_unread_keys(findings);
    if pattern.is_none() && conditions.is_empty() && findings.diagnostics.is_empty() {
        let found = Diagnostic::new(Code::IMPORT_MISSING, "neither `pattern` nor `conditions`");
        let found = found.label(values.span, "without them, the rule matches nothing");
        findings.diagnostics.push(found.help("add `pattern: …`"));
    }
    let (name, event) = (name?, event??);
    let action = action.map_or(Some(Action::Warn), |action| Some(*action?.value()))?;
    Some(HookifyRule {
        span: name.span,
        event: *event.value(),
        action,
        is_enabled: is_enabled.is_none_or(|is_enabled| *is_enabled.value()),
        tools: tools.map(|tools| tools.value().clone()),
        pattern: pattern.filter(|_| conditions.is_empty()).map(|pattern| (pattern.span, pattern.value().clone())),
        message: if message.trim().is_empty() { name.value().clone() } else { message.trim().to_owned() },
        name: name.value().clone(),
        conditions,
    })
}

/// Reads the list `conditions`. Invalid ones are reported and left out.
fn read_conditions(
    file: &SourceFile,
    table: &mut MappingReader<'_>,
    findings: &mut ImportFindings<'_>,
) -> Vec<Condition> {
    let path = table.path_of("conditions");
    let nodes = table.list("conditions", findings);
    let read = |node: &ConfigNode, findings: &mut ImportFindings<'_>| {
        if file.slice(node.span).starts_with('{') {
            let text = "hookify reads no `{…}`, so its condition is never true there; here it counts as it is meant";
            findings.add_note(node.span, text);
        }
        let mut table = MappingReader::new(node, path.clone(), findings)?;
        let span = table.span();
        let field = table.required("field", findings);
        let operator = table.text("operator", findings).map(|text| word(text, OPERATORS, "operator", findings));
        let pattern: Option<PlacedValue<String>> = table.required("pattern", findings);
        table.note_unread_keys(findings);
        let operator = operator.map_or(Some(Operator::Regex), |operator| Some(*operator?.value()))?;
        Some(Condition { span, field: field?.value().clone(), operator, pattern: pattern?.value().clone() })
    };
    nodes.iter().filter_map(|node| read(node, findings)).collect()
}

/// The parts of a converted rule that follow from its event and action.
struct EventParts {
    on: String,
    effect: &'static str,
    unless: Option<&'static str>,
}

/// Converts a rule; `None` if a condition has no equivalent, which is noted.
fn convert_rule(rule: &HookifyRule, names: &mut TakenNames, findings: &mut ImportFindings<'_>) -> Option<DraftRule> {
    let event = concrete_event(rule, findings)?;
    let conditions = conditions_of(rule, event, findings)?;
    let parts = event_parts(rule, event, findings);
    let draft = DraftRule {
        source: rule.span,
        annotations: if rule.is_enabled { Vec::new() } else { vec!["off"] },
        name: "rule".to_owned(),
        on: parts.on,
        unless: parts.unless.map(str::to_owned),
        effects: vec![format!("{} {}", parts.effect, string_literal(&rule.message, "  "))],
        ..DraftRule::default()
    };
    let name = names.reserve(&slug(&rule.name.replace(['_', ' '], "-"), "hookify-rule"));
    if let Some(draft) = command_rule(rule, event, &conditions, &draft, findings) {
        return Some(DraftRule { name, ..draft });
    }
    let tests: Vec<String> = conditions.iter().map(|condition| condition.test.clone()).collect();
    let draft = DraftRule { when: (!tests.is_empty()).then(|| tests.join("\n    and ")), ..draft };
    if event == HookifyEvent::Bash && !findings_of(&draft).iter().any(Diagnostic::is_error) {
        findings.rank = NoteRank::Text;
        findings.add_note(rule.span, "compares the text of a command, as hookify does: `runs` would test the commands");
    }
    let calls: Vec<String> = matching_calls(event, &conditions)
        .iter()
        .filter_map(|calls| calls.iter().find(|call| holds(&draft, DraftExample::fires(call))).cloned())
        .collect();
    let draft = with_examples(draft, &calls, &[other_call(event)]);
    Some(DraftRule { name, ..draft })
}

/// Returns the event of a rule. For `all`, it is the event that has the field of the rule's first condition, or the
/// contents of files for a pattern without a field; `None` if no event has it, which is noted.
fn concrete_event(rule: &HookifyRule, findings: &mut ImportFindings<'_>) -> Option<HookifyEvent> {
    if rule.event != HookifyEvent::All {
        return Some(rule.event);
    }
    let pattern_field = rule.pattern.as_ref().map(|_| "content");
    let first_field = rule.conditions.first().map(|condition| condition.field.as_str()).or(pattern_field);
    let row = first_field.and_then(|field| FIELDS.iter().find(|(_, name, _)| *name == field));
    if row.is_none() {
        findings.leave_out(rule.span, format!("`{}`: no event has its field; left out", rule.name));
    }
    row.map(|(event, _, _)| *event)
}

/// Returns the parts of a rule that follow from its event and action, and notes what differs from hookify.
fn event_parts(rule: &HookifyRule, event: HookifyEvent, findings: &mut ImportFindings<'_>) -> EventParts {
    let effect = match rule.action {
        Action::Block => "deny",
        Action::Ask if matches!(event, HookifyEvent::Bash | HookifyEvent::File) => "ask",
        Action::Ask | Action::Warn => "warn",
    };
    let tools = rule.tools.as_deref().filter(|tools| *tools != "*");
    let on = match event {
        HookifyEvent::Bash => format!("PreToolUse({})", tools.unwrap_or("Bash")),
        HookifyEvent::File => format!("PreToolUse({})", tools.unwrap_or("Edit|Write|MultiEdit")),
        HookifyEvent::Stop | HookifyEvent::All => "Stop".to_owned(),
        HookifyEvent::Prompt => "UserPromptSubmit".to_owned(),
    };
    if event == HookifyEvent::Prompt && rule.action == Action::Block {
        findings
            .add_note(rule.span, format!("`{}`: refuses the prompt here; hookify only shows its message", rule.name));
    }
    let is_stop_gate = event == HookifyEvent::Stop && effect == "deny";
    if is_stop_gate {
        findings.add_note(rule.span, format!("`{}`: refuses a stop once; hookify refuses each", rule.name));
    }
    EventParts { on, effect, unless: is_stop_gate.then_some("stop_hook_active") }
}

/// A condition as the source text of a test, with what an example needs.
struct ConvertedCondition {
    field: &'static str,
    operator: Operator,
    pattern: String,
    test: String,
}

/// Converts the conditions of a rule; `None` if one of them has no equivalent, which is noted.
fn conditions_of(
    rule: &HookifyRule,
    event: HookifyEvent,
    findings: &mut ImportFindings<'_>,
) -> Option<Vec<ConvertedCondition>> {
    if let Some((span, pattern)) = &rule.pattern {
        let field = match event {
            HookifyEvent::Bash => "command",
            HookifyEvent::File => "new_text",
            HookifyEvent::Prompt => "user_prompt",
            HookifyEvent::Stop | HookifyEvent::All if matches!(pattern.as_str(), ".*" | "") => return Some(Vec::new()),
            HookifyEvent::Stop | HookifyEvent::All => "reason",
        };
        let condition =
            Condition { span: *span, field: field.to_owned(), operator: Operator::Regex, pattern: pattern.clone() };
        return Some(vec![convert_condition(rule, event, &condition, findings)?]);
    }
    rule.conditions.iter().map(|condition| convert_condition(rule, event, condition, findings)).collect()
}

/// Converts a condition; `None` if it has no equivalent, which is noted.
fn convert_condition(
    rule: &HookifyRule,
    event: HookifyEvent,
    condition: &Condition,
    findings: &mut ImportFindings<'_>,
) -> Option<ConvertedCondition> {
    let known = FIELDS.iter().find(|(of, name, _)| *of == event && *name == condition.field);
    let Some((_, _, field)) = known else {
        let text = format!("`{}`: no test is about its field `{}`; left out", rule.name, condition.field);
        findings.leave_out(condition.span, text);
        return None;
    };
    let literal = string_literal(&condition.pattern, "  ");
    let test = match condition.operator {
        Operator::Regex => match regex_literal(&condition.pattern) {
            Some(regex) => format!("{field} matches /{regex}/i"),
            None => {
                let text = format!("`{}`: its regex cannot be written as a literal; left out", rule.name);
                findings.leave_out(condition.span, text);
                return None;
            }
        },
        Operator::Contains => format!("{field} contains {literal}"),
        Operator::NotContains => format!("{field} not contains {literal}"),
        Operator::Equals => format!("{field} == {literal}"),
        Operator::StartsWith => format!("{field} starts_with {literal}"),
        Operator::EndsWith => format!("{field} ends_with {literal}"),
    };
    Some(ConvertedCondition { field, operator: condition.operator, pattern: condition.pattern.clone(), test })
}

/// Returns a rule that tests commands with `runs`, if the only condition is a regex that consists of the words of a
/// command; notes what differs. `None` for any other rule.
fn command_rule(
    rule: &HookifyRule,
    event: HookifyEvent,
    conditions: &[ConvertedCondition],
    draft: &DraftRule,
    findings: &mut ImportFindings<'_>,
) -> Option<DraftRule> {
    let [ConvertedCondition { operator: Operator::Regex, pattern, .. }] = conditions else { return None };
    let words = regex_words(pattern).filter(|words| event == HookifyEvent::Bash && begins_with_program(words))?;
    let prefix = CommandPrefix { words, ..CommandPrefix::of_text("", PrefixEnd::Anything) };
    let when = format!("runs {}", string_literal(&prefix.wide_pattern()?, "  "));
    let draft = DraftRule { when: Some(when), ..draft.clone() };
    if !findings_of(&draft).is_empty() {
        return None;
    }
    let command = prefix.command();
    let quiet = format!("git commit -m '{command}'");
    let draft = with_examples(draft, &[bash_call(&command)], &[bash_call(&quiet)]);
    let has_firing_example = draft.examples.iter().any(|example| example.call == bash_call(&command));
    if has_firing_example {
        let text =
            format!("`{pattern}`: tests the commands that run, in any spelling, and no longer every text with it");
        findings.add_note(rule.span, text);
    }
    has_firing_example.then_some(draft)
}

/// Whether the first word is the name of a known program. If it is not, the words may be those of a file or of another
/// language.
fn begins_with_program(words: &[Vec<String>]) -> bool {
    let programs = Programs::default();
    words.first().is_some_and(|names| names.iter().all(|name| programs.program(name).is_some()))
}

/// Returns calls that probably meet the conditions. Each list has alternatives, of which the first that meets them is
/// used.
fn matching_calls(event: HookifyEvent, conditions: &[ConvertedCondition]) -> Vec<Vec<String>> {
    let sample = |field: &str| {
        let on_field = conditions.iter().filter(|condition| condition.field == field);
        let texts = on_field.filter_map(|condition| match condition.operator {
            Operator::Regex => regex_sample(&condition.pattern),
            Operator::NotContains => None,
            _ => Some(condition.pattern.clone()),
        });
        texts.collect::<Vec<_>>().join(" ")
    };
    let sample_literal = |field: &str| string_literal(&sample(field), "  ");
    match event {
        HookifyEvent::Bash => vec![vec![bash_call(&sample("command"))]],
        HookifyEvent::File => {
            let path = sample("path");
            let path = if path.is_empty() { "src/a.rs".to_owned() } else { path };
            let paths = [format!("src/a{path}"), format!("src/{path}"), path];
            let paths = paths.map(|path| string_literal(&path, "  "));
            let (content, old) = (sample_literal("content"), sample_literal("tool_input.old_string"));
            let edited = format!("{{ tool_input.old_string: {old}, tool_input.new_string: {content} }}");
            vec![
                paths.iter().map(|path| format!("Write {path} {{ tool_input.content: {content} }}")).collect(),
                paths.iter().map(|path| format!("Edit {path} {edited}")).collect(),
            ]
        }
        HookifyEvent::Prompt => vec![vec![format!("UserPromptSubmit {}", sample_literal("prompt"))]],
        HookifyEvent::Stop | HookifyEvent::All => vec![vec!["Stop".to_owned()]],
    }
}

/// Returns a call that probably does not meet the conditions.
fn other_call(event: HookifyEvent) -> String {
    match event {
        HookifyEvent::Bash => bash_call("ls"),
        HookifyEvent::File => "Write \"notes/plan.txt\" { tool_input.content: \"x\" }".to_owned(),
        HookifyEvent::Prompt => "UserPromptSubmit \"Hello\"".to_owned(),
        HookifyEvent::Stop | HookifyEvent::All => "Stop { stop_hook_active: true }".to_owned(),
    }
}
