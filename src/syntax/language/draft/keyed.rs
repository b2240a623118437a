//! Translates rules that consist of keys and values: YAML, TOML, JSON, the permissions of a settings file.

use serde_json::Value;

use super::super::super::diagnose::test_for_permission;
use super::super::super::quote::string_literal;
use super::{
    ForeignRule, effect_for_word, event_for_word, format_texts, message_literal, test_for_command, test_for_regex,
};
use crate::phrases::{self, PhrasePlace};

/// A key and its values.
struct KeyedEntry {
    /// The key in lower case, without `_` and `-`.
    key: String,
    /// The source form, in backticks: `` `key: value` ``.
    written: String,
    values: Vec<String>,
}

/// Translates the rules in lines of YAML or TOML. Adds the parts that could not be translated to `untranslated`, as the
/// functions below do.
pub(super) fn lines(source: &str, untranslated: &mut Vec<String>) -> Vec<ForeignRule> {
    entries_of_rules(source).into_iter().filter_map(|entries| rule_from_entries(entries, untranslated)).collect()
}

/// Translates rules in JSON: the objects of a list (also of one under a key such as `rules`), or a single object.
pub(super) fn json(source: &str, untranslated: &mut Vec<String>) -> Vec<ForeignRule> {
    let Ok(value) = serde_json::from_str::<Value>(source) else { return Vec::new() };
    let list = match &value {
        Value::Array(list) => Some(list),
        Value::Object(object) => {
            ["rules", "policies", "guards", "hooks"].iter().find_map(|key| object.get(*key)?.as_array())
        }
        _ => None,
    };
    let objects: Vec<&Value> = list.map_or_else(|| vec![&value], |list| list.iter().collect());
    let mut rules = Vec::new();
    for object in objects {
        let mut entries = Vec::new();
        flatten_object(object, &mut entries);
        rules.extend(rule_from_entries(entries, untranslated));
    }
    rules
}

/// Adds the members of an object to the entries of a rule, including the members of nested objects.
fn flatten_object(value: &Value, entries: &mut Vec<KeyedEntry>) {
    let Some(object) = value.as_object() else { return };
    for (key, value) in object {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match value {
            Value::Object(_) => flatten_object(value, entries),
            Value::Array(list) => entries.push(entry(key, list.iter().map(text).collect())),
            _ => entries.push(entry(key, vec![text(value)])),
        }
    }
}

/// Translates the permissions in a settings file of Claude Code.
pub(super) fn settings(source: &str, untranslated: &mut Vec<String>) -> Vec<ForeignRule> {
    let Ok(value) = serde_json::from_str::<Value>(source) else { return Vec::new() };
    if value.get("hooks").is_some() {
        untranslated.push("`hooks`".to_owned());
    }
    let mut rules = Vec::new();
    for (word, effect) in [("deny", "deny"), ("ask", "ask"), ("allow", "allow")] {
        let entries = value.get("permissions").and_then(|permissions| permissions.get(word)?.as_array());
        let texts = entries.into_iter().flatten().filter_map(Value::as_str);
        rules.extend(rules_for_permissions(texts, effect));
    }
    rules
}

/// Translates permissions of Claude Code, such as `Bash(git push:*)`, to one rule for each tool that they name.
pub(super) fn rules_for_permissions<'a>(
    texts: impl Iterator<Item = &'a str>,
    effect: &'static str,
) -> Vec<ForeignRule> {
    let mut by_tool: Vec<(&str, Vec<&str>)> = Vec::new();
    for text in texts {
        let (tool, inner) = text.split_once('(').unwrap_or((text, ""));
        let inner = Some(inner.trim_end_matches(')').trim()).filter(|inner| !inner.is_empty());
        match by_tool.iter_mut().find(|(known, _)| *known == tool) {
            Some((_, inners)) => inners.extend(inner),
            None => by_tool.push((tool, inner.into_iter().collect())),
        }
    }
    // Creates the rule for one tool, with a test for the texts in the parentheses of its permissions.
    let rule = |(tool, inners): (&str, Vec<&str>)| {
        let mut rule = ForeignRule { tools: vec![tool.to_owned()], effect, ..ForeignRule::default() };
        rule.name_by_tool();
        if tool == "Bash" && !inners.is_empty() {
            // In an `allow`, patterns must match the whole command, and `*` represents its further words.
            let rest = if effect == "allow" { " *" } else { "" };
            // It is unknown how a script uses its arguments, so `npm run x *` is not allowed with further arguments.
            let is_script = |command: &str| command.starts_with("make ") || command.split(' ').nth(1) == Some("run");
            let pattern = |inner: &&str| match inner.strip_suffix(":*").or_else(|| inner.strip_suffix(" *")) {
                Some(command) if is_script(command) => command.to_owned(),
                Some(command) => format!("{command}{rest}"),
                None => (*inner).to_owned(),
            };
            rule.when = vec![format!("runs {}", format_texts(&inners.iter().map(pattern).collect::<Vec<_>>()))];
            if effect != "allow" {
                rule.tools.clear();
            }
        } else if !inners.is_empty() {
            let tests: Vec<String> = inners.iter().map(|inner| test_for_permission(tool, inner)).collect();
            rule.when = vec![tests.join(" or ")];
        }
        rule
    };
    by_tool.into_iter().map(rule).collect()
}

/// Creates an entry.
fn entry(key: &str, values: Vec<String>) -> KeyedEntry {
    let written = format!("`{key}: {}`", values.join(", "));
    KeyedEntry { key: key.to_ascii_lowercase().replace(['_', '-'], ""), written, values }
}

/// Returns the entries of each rule in lines of YAML or TOML. A rule begins at a dash (`- name: …`) or a TOML table
/// (`[[rules]]`).
fn entries_of_rules(source: &str) -> Vec<Vec<KeyedEntry>> {
    let mut rules: Vec<Vec<KeyedEntry>> = vec![Vec::new()];
    let mut dash = None;
    let mut block: Option<usize> = None;
    for line in source.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#')) {
        let indent = line.len() - line.trim_start().len();
        let last = rules.last_mut().and_then(|entries| entries.last_mut());
        if let (Some(from), Some(last)) = (block, last)
            && indent > from
        {
            last.values = vec![format!("{} {}", last.values.concat(), line.trim()).trim().to_owned()];
            continue;
        }
        block = None;
        let trimmed = line.trim();
        if trimmed.starts_with('[') && trimmed.ends_with(']') {
            rules.push(Vec::new());
            continue;
        }
        let item = trimmed.strip_prefix("- ").map(str::trim_start);
        let pair = split_entry(item.unwrap_or(trimmed));
        let Some((key, value)) = pair else {
            let value = item.map(|item| vec![unquoted(item)]).unwrap_or_default();
            if let Some(last) = rules.last_mut().and_then(|entries| entries.last_mut()) {
                last.values.extend(value);
                last.written = format!("`{}: {}`", last.key, last.values.join(", "));
            }
            continue;
        };
        // The indentation of the first dash before a key is that of the rules; a deeper dash belongs to a rule.
        if item.is_some() && indent <= *dash.get_or_insert(indent) {
            rules.push(Vec::new());
        }
        if matches!(value, "|" | ">" | "|-" | ">-") {
            block = Some(indent);
        }
        let values = if block.is_some() { Vec::new() } else { values(value) };
        if let Some(entries) = rules.last_mut() {
            entries.push(entry(key, values));
        }
    }
    rules
}

/// Splits `key: value` or `key = value`; `None` if the line is neither.
fn split_entry(line: &str) -> Option<(&str, &str)> {
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')))?;
    let rest = line.get(end..)?.trim_start();
    let value = rest.strip_prefix(':').or_else(|| rest.strip_prefix('='))?;
    (end > 0 && (value.is_empty() || value.starts_with(' '))).then_some((line.get(..end)?, value.trim()))
}

/// Returns the values in the text after a key: the elements of `[a, b]`, or a single value.
fn values(value: &str) -> Vec<String> {
    match value.strip_prefix('[').and_then(|value| value.strip_suffix(']')) {
        Some(list) => list.split(',').map(unquoted).filter(|value| !value.is_empty()).collect(),
        None if value.is_empty() => Vec::new(),
        None => vec![unquoted(value)],
    }
}

/// Returns a value without its quotes; in double quotes, `\\` is one backslash.
fn unquoted(value: &str) -> String {
    let value = value.trim();
    let is_single = value.starts_with('\'');
    let bare = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    bare.map_or_else(|| value.to_owned(), |bare| if is_single { bare.to_owned() } else { bare.replace("\\\\", "\\") })
}

/// The values of a rule that become tests.
#[derive(Default)]
struct TestValues {
    /// Regexes.
    patterns: Vec<String>,
    /// Commands, or texts to search for.
    texts: Vec<String>,
    /// Globs of paths.
    paths: Vec<String>,
    /// Globs of hosts.
    hosts: Vec<String>,
    /// The field to which hookify's next `pattern` applies.
    field: Option<String>,
    /// The operator to which hookify's next `pattern` applies.
    operator: Option<String>,
}

/// The result of translating an entry of a rule.
enum EntryTranslation {
    /// The entry is in the rule.
    Whole,
    /// The entry is not in the rule, and does not affect to which calls the rule applies.
    Irrelevant,
    /// The entry is not in the rule, which therefore applies to other calls than in the source.
    Untranslated,
}

/// Creates a rule from its entries; `None` if it has neither an effect nor a test.
fn rule_from_entries(entries: Vec<KeyedEntry>, untranslated: &mut Vec<String>) -> Option<ForeignRule> {
    let (mut rule, mut tested) = (ForeignRule::default(), TestValues::default());
    let mut description = None;
    for entry in entries.into_iter().filter(|entry| !entry.values.is_empty()) {
        if entry.key == "description" {
            description = message_literal(entry.first());
            continue;
        }
        let translation = rule.add_entry(&entry, &mut tested);
        rule.is_partial |= matches!(translation, EntryTranslation::Untranslated);
        untranslated.extend((!matches!(translation, EntryTranslation::Whole)).then_some(entry.written));
    }
    rule.message = rule.message.take().or(description);
    rule.add_tests(&tested);
    if rule.name.is_empty() {
        rule.name_by_tool();
    }
    // `runs` and `pipes` examine the commands of every tool, so the tool need not be selected.
    let only_commands = rule.tools.iter().all(|tool| tool == "Bash")
        && rule.when.iter().all(|test| test.starts_with("runs ") || test.starts_with("pipes "));
    if only_commands && !rule.when.is_empty() {
        rule.tools.clear();
    }
    (!rule.effect.is_empty() || !rule.when.is_empty()).then_some(rule)
}

impl ForeignRule {
    /// Adds an entry to the rule, or to the values that become tests.
    fn add_entry(&mut self, entry: &KeyedEntry, tested: &mut TestValues) -> EntryTranslation {
        let (first, values) = (entry.first(), entry.values.iter().cloned());
        let Some(meaning) = phrases::meaning(PhrasePlace::RuleKey, &entry.key) else {
            return EntryTranslation::Untranslated;
        };
        match meaning {
            "name" => self.name = first.to_owned(),
            "event" => {
                let Some(head) = event_for_word(first) else { return EntryTranslation::Untranslated };
                let (name, tools) = head.trim_end_matches(')').split_once('(').unwrap_or((head, ""));
                self.event = name.to_owned();
                self.tools.extend(tools.split('|').filter(|tool| !tool.is_empty()).map(str::to_owned));
            }
            "tool" => {
                let names = entry.values.iter().flat_map(|value| value.split(['|', ',']));
                self.tools.extend(names.map(|name| name.trim().to_owned()).filter(|name| name != "*"));
            }
            "agent" => self.agents.extend(values),
            "field" => tested.field = Some(first.to_owned()),
            "operator" => tested.operator = Some(first.to_owned()),
            // In hookify, `field`, `operator` and `pattern` are separate entries of one condition.
            _ if matches!(entry.key.as_str(), "pattern" | "value") && tested.field.is_some() => {
                let test = condition(tested.field.take().as_deref(), tested.operator.take().as_deref(), first);
                let Some(test) = test else { return EntryTranslation::Untranslated };
                self.when.push(test);
            }
            "pattern" => tested.patterns.extend(values),
            "command" => tested.texts.extend(values),
            "path" => tested.paths.extend(values),
            "host" => tested.hosts.extend(values),
            "decision" => {
                let Some(effect) = effect_for_word(first) else { return EntryTranslation::Irrelevant };
                self.effect = effect;
            }
            "message" => self.message = message_literal(first),
            "enabled" => self.is_off = first.eq_ignore_ascii_case("false"),
            "nothing" => {}
            "note" => return EntryTranslation::Irrelevant,
            _ => return EntryTranslation::Untranslated,
        }
        EntryTranslation::Whole
    }

    /// Adds the tests for the collected values. Texts and regexes are tested on the prompt, the content of a file or
    /// the command, depending on the rule's event and tools.
    fn add_tests(&mut self, tested: &TestValues) {
        let is_file = self.tools.iter().any(|tool| matches!(tool.as_str(), "Edit" | "Write" | "MultiEdit"));
        let field = match self.event.as_str() {
            "UserPromptSubmit" => "prompt",
            _ if is_file => "content",
            _ => "command",
        };
        let one_of = |tests: Vec<String>| match tests.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            _ => Some(format!("({})", tests.join(" or "))),
        };
        let of_text = |text: &String| match field {
            "command" => test_for_command(text),
            field => format!("{field} contains {}", string_literal(text, "")),
        };
        let TestValues { patterns, texts, paths, hosts, .. } = tested;
        self.when.extend(one_of(patterns.iter().map(|pattern| test_for_regex(field, pattern)).collect()));
        self.when.extend(one_of(texts.iter().map(of_text).collect()));
        self.when.extend((!paths.is_empty()).then(|| format!("path like {}", format_texts(paths))));
        self.when.extend((!hosts.is_empty()).then(|| format!("connects like {}", format_texts(hosts))));
    }
}

impl KeyedEntry {
    /// Returns the first value; empty if there is none.
    fn first(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }
}

/// Converts a condition of hookify (field, operator and value) to a test; `None` if the field or operator is unknown.
/// Without an operator, the value is a regex.
fn condition(field: Option<&str>, operator: Option<&str>, value: &str) -> Option<String> {
    let field = match field? {
        "command" => "command",
        "file_path" | "path" => "path",
        "new_text" | "content" | "new_string" => "content",
        "old_text" | "old_string" => "tool_input.old_string",
        "user_prompt" | "prompt" => "prompt",
        _ => return None,
    };
    let text = string_literal(value, "");
    Some(match (operator.unwrap_or("regex_match"), field) {
        ("regex_match" | "matches", _) => test_for_regex(field, value),
        ("contains" | "starts_with" | "equals", "command") => test_for_command(value),
        ("contains", _) => format!("{field} contains {text}"),
        ("not_contains", _) => format!("not {field} contains {text}"),
        ("starts_with", "path") => format!("path under {}", string_literal(value.trim_end_matches('/'), "")),
        ("starts_with", _) => format!("{field} starts_with {text}"),
        ("ends_with", _) => format!("{field} ends_with {text}"),
        ("equals", "path") => format!("path like {text}"),
        ("equals", _) => format!("{field} == {text}"),
        _ => return None,
    })
}
