//! A policy with every kind of condition, most of them for tool calls, and calls for it.

use std::ops::Range;

/// Heads and conditions for PreToolUse, in turn; each contains the number of the rule to be unique.
const CALLS: &[(&str, &str)] = &[
    ("", "tool_name == \"mcp__server{n}__write\" or permission_mode == \"plan\""),
    ("(Edit|Write|Read)", "path like [\"vendor/pkg{n}/**\", \"**/*.lock{n}\", \"!vendor/pkg{n}/README.md\"]"),
    ("(Bash)", "tool_input.description matches /\\bticket-{n}-\\d{2,4}\\b/"),
    ("(Bash)", "runs \"tool{n} push --force\""),
    ("", "tool_input.description contains \"marker-{n}-\""),
    ("(Edit|Write|Bash)", "writes under \"generated{n}\""),
    ("(Write)", "path like \"**/*.ext{n}\" and content starts_with \"draft-{n}-\""),
    ("(Bash)", "runs \"pkg{n} (install|add) !--dry-run\""),
];

/// Rules for other events, one of each, written twice.
const OTHERS: &[(&str, &str)] = &[
    ("PostToolUse(Edit|Write)", "path like \"generated/{n}/**\""),
    ("PostToolUse(Bash)", "command contains \"marker-{n}\""),
    ("UserPromptSubmit", "prompt contains \"marker-{n}\""),
    ("SessionStart", "source == \"resume\" and cwd ends_with \"/marker-{n}\""),
    ("SubagentStop(coder{n}*)", "stop_hook_active"),
    ("Stop", "stop_hook_active and cwd ends_with \"/marker-{n}\""),
    ("Notification(idle_prompt)", "message contains \"marker-{n}\""),
    ("SubagentStart(reviewer{n}*)", "exists agent_id"),
    ("PostToolUseFailure", "error contains \"marker-{n}\""),
    ("SessionEnd(clear)", "cwd ends_with \"/marker-{n}\""),
];

/// Writes rules for PreToolUse, each derived from its number, and 20 for other events if the numbers begin at 0.
#[must_use]
pub fn policy(numbers: Range<usize>) -> Vec<String> {
    let others = if numbers.start == 0 { 2 * OTHERS.len() } else { 0 };
    let of_calls = numbers.filter_map(|n| {
        let (selector, condition) = CALLS.get(n % CALLS.len())?;
        let condition = condition.replace("{n}", &n.to_string());
        Some(rule(&format!("bench-{n}"), &format!("PreToolUse{selector}"), &condition, "deny"))
    });
    let of_others = (0..others).filter_map(|n| {
        let (head, condition) = OTHERS.get(n % OTHERS.len())?;
        let at = n.to_string();
        Some(rule(&format!("other-{n}"), &head.replace("{n}", &at), &condition.replace("{n}", &at), "warn"))
    });
    of_calls.chain(of_others).collect()
}

/// Writes one rule.
pub(crate) fn rule(name: &str, head: &str, condition: &str, effect: &str) -> String {
    format!("\nrule {name} {{\n  on {head}\n  when {condition}\n  {effect} \"{name} matched.\"\n}}\n")
}

/// Writes the n-th call, a line of JSON without its newline: calls of four tools in turn; one in a hundred matches a
/// rule of [`policy`].
#[must_use]
pub fn call(n: usize) -> String {
    let hits = n % 100 == 37;
    // No text here needs escapes.
    let (tool, input) = match n % 4 {
        0 => (
            "Bash",
            format!(
                r#""command":"cd crates/part{n} && cargo test --all-features 2>&1 | tail -n 20","description":"Run the tests of part {n}""#
            ),
        ),
        1 if hits => {
            ("Bash", r#""command":"git fetch && tool3 push --force origin main","description":"Push""#.to_owned())
        }
        1 => ("Read", format!(r#""file_path":"/srv/app/src/part{n}/lib.rs""#)),
        2 => (
            "Edit",
            format!(
                r#""file_path":"/srv/app/src/part{n}/main.rs","old_string":"let a = {n};","new_string":"let a = {n} + 1;""#
            ),
        ),
        _ => {
            ("Write", format!(r##""file_path":"/srv/app/docs/part{n}.md","content":"# Part {n}\n\nWhat it does.\n""##))
        }
    };
    format!(
        r#"{{"session_id":"0f6f594c-1c52-467e-91cb-802aeeefb331","transcript_path":"/home/user/.claude/projects/-srv-app/0f6f594c-1c52-467e-91cb-802aeeefb331.jsonl","cwd":"/srv/app","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{{{input}}},"tool_use_id":"toolu_{n}"}}"#
    )
}
