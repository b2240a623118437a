//! Agents that nobody has defined, where one with nearly that name exists.

use super::found::{Found, each_rule};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::policy::Policy;

/// The agents that the host has of its own, and the word for the main thread.
const BUILT_IN: &[&str] =
    &["main", "general-purpose", "Explore", "Plan", "statusline-setup", "output-style-setup", "claude-code-guide"];

/// Returns what is found about the agents that rules name, given those that the project defines.
#[must_use]
pub fn agents<'p>(policy: &'p Policy, defined: &[String]) -> Vec<Found<'p>> {
    if defined.is_empty() {
        return Vec::new();
    }
    each_rule(policy.rules.rules(), |rule, found| {
        let Some(agents) = &rule.head.agents else { return };
        for (written, span) in agents.0.written.iter() {
            let known = || defined.iter().map(String::as_str).chain(BUILT_IN.iter().copied());
            // An agent of a plugin has the plugin's name in front.
            let is_open = written.contains(['*', '?', '[', '\\', ':']);
            if is_open || known().any(|name| name == written) {
                continue;
            }
            let Some(near) = nearest(written, known()) else { continue };
            found.push(
                Diagnostic::new(Code::UNKNOWN_AGENT, format!("no agent is called `{written}`"))
                    .label(*span, "neither in `.claude/agents` nor one of the host's own")
                    .help(format!("an agent named `{near}` exists"))
                    .fix_that_changes(*span, near),
            );
        }
    })
}
