//! Translates rules of policy languages: Rego and Cedar.

use super::super::super::diagnose::translate;
use super::{ForeignRule, message_literal, test_for_command, test_for_regex};

/// Translates the rules of a Rego policy; each line of a rule's body is a test. Adds the lines that could not be
/// translated to `untranslated`.
pub(super) fn rego(source: &str, untranslated: &mut Vec<String>) -> Vec<ForeignRule> {
    let mut rules = Vec::new();
    let mut rule: Option<ForeignRule> = None;
    for line in source.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(head) = line.strip_suffix('{').filter(|_| rule.is_none()) {
            let word = head.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
            let effect = match word {
                "violation" => Some("deny"),
                word => super::effect_for_word(word),
            };
            match effect {
                Some(effect) => {
                    let name = if effect == "allow" { "allowed" } else { "" };
                    rule = Some(ForeignRule { effect, name: name.to_owned(), ..ForeignRule::default() });
                }
                None => untranslated.push(format!("`{line}`")),
            }
        } else if line == "}" {
            rules.extend(rule.take());
        } else if let Some(rule) = &mut rule {
            let is_message = ["msg", "message", "reason"].iter().any(|word| line.starts_with(word));
            if !rego_line(rule, line) {
                rule.is_partial |= !is_message;
                untranslated.push(format!("`{line}`"));
            }
        } else if !(line.starts_with("package ") || line.starts_with("import ")) {
            untranslated.push(format!("`{line}`"));
        }
    }
    for rule in &mut rules {
        name_rule(rule);
    }
    rules
}

/// Adds a line of a rule's body to the rule: the message or a test. Returns false if it could not be translated.
fn rego_line(rule: &mut ForeignRule, line: &str) -> bool {
    let assigned = ["msg :=", "msg =", "message :=", "reason :="].iter().find_map(|front| line.strip_prefix(front));
    if let Some(value) = assigned {
        let text = value.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        rule.message = text.and_then(message_literal);
        return text.is_some();
    }
    let bare = without_prefix(line, "input.");
    // Rego writes a raw string between backticks, and a policy has it between single quotes.
    let parts: Vec<&str> = bare.split('`').collect();
    let bare = match parts.as_slice() {
        [before, pattern, after] => format!("{before}'{pattern}'{after}"),
        _ => bare,
    };
    test_line(rule, &bare)
}

/// Adds a test to a rule; a test of the tool's name becomes a selector. Returns false if the test could not be
/// translated completely.
fn test_line(rule: &mut ForeignRule, line: &str) -> bool {
    let line = line.trim();
    let (not, test) = match line.strip_prefix("not ").or_else(|| line.strip_prefix('!')) {
        Some(test) => ("not ", test.trim()),
        None => ("", line),
    };
    if let Some(tool) = test.strip_prefix("tool_name == ").filter(|_| not.is_empty()) {
        let tool = tool.trim().trim_matches('"');
        rule.tools.push(tool.to_owned());
        return !tool.contains('"');
    }
    // `like "*kubectl delete*"` on a command is a search for that command.
    let searched = test.strip_prefix("command like ").or_else(|| test.strip_prefix("tool_input.command like "));
    if let Some(glob) = searched.map(|glob| glob.trim().trim_matches('"')) {
        rule.when.push(format!("{not}{}", test_for_command(glob)));
        return !glob.trim_matches('*').contains('*');
    }
    let is_policy_syntax = |test: &str| {
        let mut words = test.split_whitespace();
        let (field, operator) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        field.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
            && matches!(operator, "==" | "!=" | "in" | "like" | "contains" | ">" | "<" | ">=" | "<=")
            && words.next().is_some_and(|value| value.starts_with(['"', '[']) || value.parse::<f64>().is_ok())
    };
    let right = match translate(test) {
        Some(translated) => translated.right,
        None if is_policy_syntax(test) => test.to_owned(),
        None => return false,
    };
    // The short names for members of the input that every tool has.
    let right = right
        .replace("tool_input.file_path", "path")
        .replace("tool_input.command ", "command ")
        .replace("tool_input.content ", "content ");
    let right = translate(&right).map_or(right.clone(), |again| again.right);
    let regex = right.strip_prefix("command matches /").and_then(|regex| regex.strip_suffix('/'));
    let right = regex.map_or(right.clone(), |regex| test_for_regex("command", regex));
    // `runs "git push"` and a search for `--force` become one pattern.
    let option = right.strip_prefix("command contains \"").and_then(|text| text.strip_suffix('"'));
    if let Some(option) = option.filter(|option| not.is_empty() && option.starts_with('-') && !option.contains(' '))
        && let Some(pattern) = rule.when.iter_mut().find(|test| test.starts_with("runs \"") && test.ends_with('"'))
    {
        pattern.pop();
        pattern.push_str(&format!(" {option}\""));
        return true;
    }
    rule.when.push(format!("{not}{right}"));
    true
}

/// Names a rule after its effect and its tool, and drops the tool `Bash` if the rule only tests commands.
fn name_rule(rule: &mut ForeignRule) {
    rule.name_by_tool();
    // `runs` considers every call that runs a command.
    let is_command = rule.tools == ["Bash"] && rule.when.iter().all(|test| test.starts_with("runs "));
    if is_command && !rule.when.is_empty() && rule.effect != "allow" {
        rule.tools.clear();
    }
}

/// Removes a prefix from all names: `tool_name` for `input.tool_name`. A name that only contains the prefix keeps it:
/// `tool_input.command`.
fn without_prefix(text: &str, prefix: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(prefix) {
        let before = rest.get(..at).unwrap_or_default();
        out.push_str(before);
        if before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')) {
            out.push_str(prefix);
        }
        rest = rest.get(at + prefix.len()..).unwrap_or_default();
    }
    out + rest
}

/// Translates the statements of a Cedar policy. Adds the parts that could not be translated to `untranslated`.
pub(super) fn cedar(source: &str, untranslated: &mut Vec<String>) -> Vec<ForeignRule> {
    let uncommented: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let whole = uncommented.join("\n");
    let mut rules = Vec::new();
    for statement in whole.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        let mut statement = statement;
        let mut id = "";
        while let Some((annotation, rest)) = statement.strip_prefix('@').and_then(|rest| rest.split_once(')')) {
            if annotation.starts_with("id(") {
                id = annotation.split('"').nth(1).unwrap_or_default();
            }
            statement = rest.trim_start();
        }
        let (head, _) = statement.split_once('(').unwrap_or((statement, ""));
        let Some(word) = head.split_whitespace().last() else { continue };
        let Some(effect) = super::effect_for_word(word) else {
            untranslated.push(format!("`{}`", statement.lines().next().unwrap_or_default()));
            continue;
        };
        let mut rule = ForeignRule { effect, ..ForeignRule::default() };
        let body = statement.split_once('(').map_or("", |(_, body)| body);
        let (scope, conditions) = body.split_once(')').unwrap_or((body, ""));
        add_scope(&mut rule, scope, untranslated);
        add_conditions(&mut rule, conditions, untranslated);
        name_rule(&mut rule);
        if !id.is_empty() {
            rule.name = id.to_owned();
        }
        rules.push(rule);
    }
    rules
}

/// Returns the quoted names in a list of Cedar entities: `Write` and `Edit` for `[Action::"Write", Action::"Edit"]`.
fn entities(text: &str) -> Vec<String> {
    text.split("::\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// Adds the scope of a Cedar statement to a rule: principals become agents, actions tools, and resources paths.
fn add_scope(rule: &mut ForeignRule, scope: &str, untranslated: &mut Vec<String>) {
    let mut depth = 0_i32;
    let parts = scope.split(|c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    });
    for part in parts.map(str::trim) {
        let names = entities(part);
        if names.is_empty() {
            continue;
        }
        match part.split_whitespace().next() {
            Some("principal") => rule.agents.extend(names),
            Some("action") => rule.tools.extend(names),
            Some("resource") => rule.when.push(format!("path like {}", super::format_texts(&names))),
            _ => untranslated.push(format!("`{part}`")),
        }
    }
}

/// Adds the blocks `when { … }` and `unless { … }` of a Cedar statement to a rule.
fn add_conditions(rule: &mut ForeignRule, text: &str, untranslated: &mut Vec<String>) {
    for (word, rest) in text.split('}').filter_map(|block| block.split_once('{')) {
        let is_exception = word.trim() == "unless";
        // The tests of a block are collected in `when`, and moved to `unless` if the block is an exception.
        let earlier_tests = std::mem::take(&mut rule.when);
        for test in rest.split("&&").map(str::trim) {
            let bare =
                ["context.", "resource."].iter().fold(test.to_owned(), |test, front| without_prefix(&test, front));
            // Cedar's `*` also matches slashes, like `**` in a policy.
            let bare = if bare.starts_with("path like ") { bare.replace('*', "**") } else { bare };
            if !test_line(rule, &bare) {
                rule.is_partial = true;
                untranslated.push(format!("`{}`", test.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
        }
        let tests = std::mem::replace(&mut rule.when, earlier_tests);
        if is_exception { rule.unless.extend(tests) } else { rule.when.extend(tests) }
    }
}
