//! Converts the rules of Codex CLI: `prefix_rule`, `network_rule` and `host_executable` in `.codex/rules/*.rules`.
//! <https://developers.openai.com/codex/rules>, <https://github.com/openai/codex/blob/main/codex-rs/execpolicy/README.md>
//!
//! In both, the strictest matching rule decides. A rule of Codex matches the first words of each command of a text.

use super::commands::{self, CommandPrefix, CommandRule, ImportedDecision, PrefixEnd};
use super::draft::{DraftExample, DraftRule, ExampleClaim, MappedPolicy, PolicyDraft};
use super::mapping_reader::{ImportFindings, MappingReader, PlacedValue, list, text, word};
use super::names::{TakenNames, slug};
use super::node::{ConfigNode, ConfigValue};
use super::starlark::{self, StarlarkCall};
use super::verify::holds;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::escape::shell_word;
use crate::span::{SourceFile, Span};
use crate::syntax::string_literal;

/// The functions of the rule language, each with the names of its parameters in order.
const FUNCTIONS: &[(&str, &[&str])] = &[
    ("prefix_rule", &["pattern", "decision", "match", "not_match", "justification"]),
    ("network_rule", &["host", "protocol", "decision", "justification"]),
    ("host_executable", &["name", "paths"]),
];

/// The decisions of a `prefix_rule`.
const DECISIONS: &[(&str, ImportedDecision)] =
    &[("allow", ImportedDecision::Allow), ("prompt", ImportedDecision::Ask), ("forbidden", ImportedDecision::Deny)];

/// The decisions of a `network_rule`.
const NETWORK_DECISIONS: &[(&str, ImportedDecision)] = &[
    ("allow", ImportedDecision::Allow),
    ("prompt", ImportedDecision::Ask),
    ("forbidden", ImportedDecision::Deny),
    ("deny", ImportedDecision::Deny),
];

/// The protocols of a `network_rule`.
const PROTOCOLS: &[(&str, ())] =
    &[("http", ()), ("https", ()), ("https_connect", ()), ("http-connect", ()), ("socks5_tcp", ()), ("socks5_udp", ())];

/// The rules of all files, by their kind.
#[derive(Default)]
struct CodexRules {
    commands: Vec<CommandRule>,
    hosts: Vec<HostRule>,
    /// The programs that `host_executable` restricts to certain files.
    restricted: Vec<String>,
}

/// A `network_rule`, which is about connections to one host.
struct HostRule {
    source: Span,
    decision: ImportedDecision,
    host: String,
    message: Option<String>,
}

/// Reads and converts the files; `None` if one of them is not valid Starlark.
pub(super) fn import(files: &[&SourceFile], findings: &mut ImportFindings<'_>) -> Option<MappedPolicy> {
    let mut rules = CodexRules::default();
    for file in files {
        match starlark::parse(file) {
            Ok(calls) => calls.into_iter().for_each(|call| rules.read(call, findings)),
            Err(error) => findings.diagnostics.push(*error),
        }
    }
    if !findings.diagnostics.is_empty() {
        return None;
    }
    let CodexRules { mut commands, hosts, restricted } = rules;
    for rule in &mut commands {
        restrict(rule, &restricted);
    }
    let (mut draft, mut names) = (PolicyDraft::default(), TakenNames::default());
    commands::write_rules(commands, &mut names, &mut draft, findings);
    for rule in hosts {
        draft.rules.extend(host_rule(rule, &mut names, findings));
    }
    Some(MappedPolicy { draft, settings: None })
}

/// Excludes commands that name the program by a path from a permission for a program that `host_executable` restricts.
fn restrict(rule: &mut CommandRule, restricted: &[String]) {
    let Some(programs) = rule.prefix.words.first().filter(|_| rule.decision == ImportedDecision::Allow) else { return };
    let named = programs.iter().filter(|program| restricted.contains(program));
    let tests: Vec<String> =
        named.map(|name| format!("command not contains {}", string_literal(&format!("/{name}"), "  "))).collect();
    if !tests.is_empty() {
        rule.and = Some(tests.join(" and "));
    }
}

impl CodexRules {
    /// Reads a call of a Codex function, and reports what Codex would reject.
    fn read(&mut self, call: StarlarkCall, findings: &mut ImportFindings<'_>) {
        let Some((name, parameters)) = FUNCTIONS.iter().find(|(name, _)| *name == call.function) else {
            let found = Diagnostic::new(Code::IMPORT_VALUE, format!("`{}` is no function of Codex", call.function));
            let help = suggest("function", &call.function, FUNCTIONS.iter().map(|(name, _)| *name));
            findings.diagnostics.push(found.label(call.name_span, "not one of its functions").help_if_any(help));
            return;
        };
        let Some(arguments) = named_arguments(call, parameters, findings) else { return };
        let Some(table) = MappingReader::new(&arguments, *name, findings) else { return };
        match *name {
            "prefix_rule" => self.commands.extend(read_prefix_rule(table, findings)),
            "network_rule" => self.hosts.extend(read_network_rule(table, findings)),
            _ => self.restricted.extend(read_host_executable(table, findings)),
        }
    }
}

/// Returns all arguments of a call by name, the positional ones with the names of their parameters; `None` if one is
/// invalid, which is reported.
fn named_arguments(call: StarlarkCall, parameters: &[&str], findings: &mut ImportFindings<'_>) -> Option<ConfigNode> {
    let StarlarkCall { positional, named, .. } = call;
    let ConfigNode { kind: ConfigValue::Map(mut entries), span } = named else { return None };
    // Without this, a denial with a mistyped `decision` would be a permission.
    for (key, _) in &entries {
        let ConfigValue::Text(name) = &key.kind else { continue };
        let is_given_twice = parameters.iter().take(positional.len()).any(|parameter| parameter == name);
        if is_given_twice || !parameters.contains(&name.as_str()) {
            let why = if is_given_twice { "has a value already" } else { "is no parameter" };
            let found = Diagnostic::new(Code::IMPORT_VALUE, format!("the argument `{name}` {why}"));
            let help = suggest("parameter", name, parameters.iter().copied());
            findings.diagnostics.push(found.label(key.span, "Codex rejects this").help_if_any(help));
            return None;
        }
    }
    for (index, value) in positional.into_iter().enumerate() {
        let Some(name) = parameters.get(index) else {
            findings.report_invalid(value.span, "an argument too many", "has no parameter", "remove it");
            return None;
        };
        entries.push((ConfigNode { kind: ConfigValue::Text((*name).to_owned()), span: value.span }, value));
    }
    Some(ConfigNode { kind: ConfigValue::Map(entries), span })
}

/// Reads a `prefix_rule`; `None` if it has mistakes, which are reported.
fn read_prefix_rule(mut table: MappingReader<'_>, findings: &mut ImportFindings<'_>) -> Option<CommandRule> {
    let span = table.span();
    let words = read_pattern(&mut table, findings);
    let decision = table.text("decision", findings).map(|text| word(text, DECISIONS, "decision", findings));
    let message = read_justification(&mut table, findings);
    let matching = read_examples(&mut table, "match", findings);
    let not_matching = read_examples(&mut table, "not_match", findings);
    table.note_unread_keys(findings);
    // Without a decision, Codex allows.
    let decision = decision.map_or(Some(ImportedDecision::Allow), |decision| Some(*decision?.value()))?;
    let prefix = CommandPrefix { words: words?, ..CommandPrefix::of_text("", PrefixEnd::Anything) };
    let message = message.filter(|_| decision != ImportedDecision::Allow);
    Some(CommandRule { message, matching, other: not_matching, ..CommandRule::new(span, decision, prefix) })
}

/// Reads `pattern`: a list of words, each of which is a string or a list of alternatives.
fn read_pattern(table: &mut MappingReader<'_>, findings: &mut ImportFindings<'_>) -> Option<Vec<Vec<String>>> {
    let Some(node) = table.node("pattern") else {
        let found = Diagnostic::new(Code::IMPORT_MISSING, "`prefix_rule.pattern` is missing");
        let found = found.label(table.span(), "`pattern` is missing here");
        findings.diagnostics.push(found.help("add `pattern = [\"git\", \"push\"]`"));
        return None;
    };
    let path = "prefix_rule.pattern";
    let elements = list(node, path, findings);
    let words = elements.iter().map(|element| match &element.kind {
        ConfigValue::List(alternatives) if !alternatives.is_empty() => {
            alternatives.iter().map(|word| read_text(word, path, findings)).collect::<Option<Vec<_>>>()
        }
        ConfigValue::List(_) => {
            findings.report_invalid(
                element.span,
                "no alternative of a word",
                "empty",
                "add a word, or remove the list",
            );
            None
        }
        _ => read_text(element, path, findings).map(|word| vec![word]),
    });
    let words = words.collect::<Option<Vec<_>>>()?;
    for word in words.iter().flatten().filter(|word| word.contains('*')) {
        findings.add_note(node.span, format!("`{word}`: Codex has no wildcards, so only a word with this `*` matches"));
    }
    if words.is_empty() && matches!(node.kind, ConfigValue::List(_)) {
        findings.report_invalid(node.span, "a pattern without a word", "empty", "name at least the program");
    }
    (!words.is_empty()).then_some(words)
}

fn read_text(node: &ConfigNode, path: &str, findings: &mut ImportFindings<'_>) -> Option<String> {
    text(node, path, findings).map(|text| text.value().clone())
}

/// Reads examples: each is a command, or the list of its words.
fn read_examples(table: &mut MappingReader<'_>, key: &'static str, findings: &mut ImportFindings<'_>) -> Vec<String> {
    let path = table.path_of(key);
    let nodes = table.list(key, findings);
    nodes.iter().filter_map(|node| read_example(node, &path, findings)).collect()
}

/// Reads an example as shell text.
fn read_example(node: &ConfigNode, path: &str, findings: &mut ImportFindings<'_>) -> Option<String> {
    let command = match &node.kind {
        ConfigValue::List(words) => {
            let words = words.iter().map(|word| Some(shell_word(&read_text(word, path, findings)?)));
            words.collect::<Option<Vec<_>>>()?.join(" ")
        }
        _ => read_text(node, path, findings)?,
    };
    if command.trim().is_empty() {
        findings.report_invalid(node.span, "an example without a word", "empty", "write a command, or remove it");
        return None;
    }
    Some(command)
}

/// Reads `justification`, the text that a refused call gets.
fn read_justification(table: &mut MappingReader<'_>, findings: &mut ImportFindings<'_>) -> Option<String> {
    let text = table.text("justification", findings)?;
    if text.peek().trim().is_empty() {
        findings.report_invalid(text.span, "a `justification` without a text", "empty", "write it, or remove it");
        return None;
    }
    Some(text.value().trim().to_owned())
}

/// Reads a `network_rule`; `None` if it has mistakes, which are reported.
fn read_network_rule(mut table: MappingReader<'_>, findings: &mut ImportFindings<'_>) -> Option<HostRule> {
    let source = table.span();
    let host = table.required("host", findings);
    let decision = table.required("decision", findings);
    let decision = decision.and_then(|text| word(text, NETWORK_DECISIONS, "decision", findings));
    let protocol = table.required("protocol", findings);
    let _protocol = protocol.and_then(|text| word(text, PROTOCOLS, "protocol", findings));
    let message = read_justification(&mut table, findings);
    table.note_unread_keys(findings);
    let (host, decision): (PlacedValue<String>, PlacedValue<ImportedDecision>) = (host?, decision?);
    Some(HostRule { source, decision: *decision.value(), host: host.value().trim().to_owned(), message })
}

/// Reads a `host_executable`, notes the paths that it allows, and returns the name of the program.
fn read_host_executable(mut table: MappingReader<'_>, findings: &mut ImportFindings<'_>) -> Option<String> {
    let name = table.required("name", findings);
    let paths = table.texts("paths", findings);
    let source = table.span();
    table.note_unread_keys(findings);
    let name = name?.value().clone();
    let paths: Vec<String> = paths.iter().map(|path| format!("`{}`", path.value())).collect();
    findings.rank = super::NoteRank::Permission;
    let listed = if paths.is_empty() { "no path".to_owned() } else { paths.join(", ") };
    findings.add_note(source, format!("`{name}` by an absolute path is never allowed here; Codex allows {listed}"));
    findings.rank = super::NoteRank::Text;
    Some(name)
}

/// Returns the rule about a host. A permission is left out: a rule here allows a call as a whole, not a part of it.
fn host_rule(rule: HostRule, names: &mut TakenNames, findings: &mut ImportFindings<'_>) -> Option<DraftRule> {
    let HostRule { source, decision, host, message } = rule;
    findings.rank = decision.rank();
    if decision == ImportedDecision::Allow {
        findings.leave_out(source, format!("connections to `{host}`: no rule here allows a part of a call; left out"));
    } else {
        let note = format!("connections to `{host}`: seen in the call, not when a program opens them");
        findings.add_note(source, note);
    }
    findings.rank = super::NoteRank::Text;
    let (verb, default_message) = match decision {
        ImportedDecision::Deny => ("no", format!("Nothing may connect to {host}.")),
        ImportedDecision::Ask => ("ask", format!("Connect to {host}?")),
        ImportedDecision::Allow => return None,
    };
    let message = message.unwrap_or(default_message);
    let mut draft = DraftRule {
        source,
        name: names.reserve(&format!("{verb}-connection-to-{}", slug(&host, "host"))),
        on: "PreToolUse".to_owned(),
        when: Some(format!("connects like {}", string_literal(&host, "  "))),
        effects: vec![decision.effect(&string_literal(&message, "  "))],
        ..DraftRule::default()
    };
    let calls =
        [(ExampleClaim::Fires, format!("Bash \"curl https://{host}/\"")), (ExampleClaim::Quiet, "Bash \"ls\"".into())];
    for (claim, call) in calls {
        let example = DraftExample { claim, call };
        if holds(&draft, example.clone()) {
            draft.examples.push(example);
        }
    }
    Some(draft)
}
