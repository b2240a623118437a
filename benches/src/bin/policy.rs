//! Writes the policy that the hook is measured on: 100 rules for PreToolUse and 20 for other events.
//!
//! A third of the 100 each uses `==`, `like` and `matches`; none matches the payloads of `benches/payloads`,
//! so that every condition that the index leaves is evaluated. `policy [N]` writes N rules instead of 100.

use std::fmt::Write as _;
use std::io::{self, Write as _};

/// Events without a decision, one rule each, twice over.
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

fn main() -> io::Result<()> {
    let rules = match std::env::args().nth(1).map(|text| text.parse::<usize>()) {
        None => 100,
        Some(Ok(rules)) => rules,
        Some(Err(error)) => return Err(io::Error::new(io::ErrorKind::InvalidInput, error)),
    };
    io::stdout().lock().write_all(policy(rules).as_bytes())
}

/// Writes `rules` rules for PreToolUse, and 20 for other events.
fn policy(rules: usize) -> String {
    let mut out = String::from("# Written by `benches/src/bin/policy.rs`.\n");
    for n in 0..rules {
        let condition = match n % 3 {
            0 => format!("tool_name == \"mcp__server{n}__write\" or permission_mode == \"plan\""),
            1 => format!("path like [\"vendor/pkg{n}/**\", \"**/*.lock{n}\", \"!vendor/pkg{n}/README.md\"]"),
            _ => format!("tool_input.description matches /\\bticket-{n}\\d{{2,4}}\\b/"),
        };
        // Each condition under heads whose calls have the field.
        let selector = match (n % 3, n % 2) {
            (0, 0) => "(mcp__*|Bash|Write)",
            (1, 0) => "(Edit|Write|Read)",
            (2, 0) => "(Bash)",
            _ => "",
        };
        rule(&mut out, &format!("bench-{n}"), &format!("PreToolUse{selector}"), &condition, "deny");
    }
    for n in 0..2 * OTHERS.len() {
        if let Some((head, condition)) = OTHERS.get(n % OTHERS.len()) {
            let at = n.to_string();
            rule(&mut out, &format!("other-{n}"), &head.replace("{n}", &at), &condition.replace("{n}", &at), "warn");
        }
    }
    out
}

/// Writes one rule.
fn rule(out: &mut String, name: &str, head: &str, condition: &str, effect: &str) {
    let text = format!("\nrule {name} {{\n  on {head}\n  when {condition}\n  {effect} \"{name} matched.\"\n}}\n");
    // Writing to a string cannot fail.
    let _ = out.write_str(&text);
}
