//! Finds exceptions and `allow`s that depend on a text in which the agent explains its call: the agent can write there
//! what it wants.

use super::comparison::{MatchEffect, RuleTest, visit_tests};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, Rule, ValueReference};

pub(super) const LINT: Lint = Lint { codes: &[Code::OWN_WORD], check };

/// The members of tools' inputs in which the agent explains a call.
const EXPLANATION_MEMBERS: &[&str] = &["description", "explanation", "justification", "reason"];

/// Reports each test of an explanation that lets a matching call through.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let mut tests: Vec<RuleTest<'_>> = Vec::new();
    visit_tests(rule, &mut |seen| {
        if matches!(&seen.test.kind, ConditionExpr::Compare { source: ValueReference::Raw { .. }, .. }) {
            tests.push(seen);
        }
    });
    for seen in &tests {
        let ConditionExpr::Compare { source: ValueReference::Raw { path, .. }, .. } = &seen.test.kind else { continue };
        let [input, name] = path.as_slice() else { continue };
        let is_explanation = input == "tool_input" && EXPLANATION_MEMBERS.contains(&name.as_str());
        // If the rule also stops calls by this text, its exceptions may test the text too.
        let stops_by_same_text = tests.iter().any(|other| {
            let ConditionExpr::Compare { source: ValueReference::Raw { path: other_path, .. }, .. } = &other.test.kind
            else {
                return false;
            };
            other_path == path && other.match_effect(rule) == Some(MatchEffect::Stops)
        });
        if !is_explanation
            || stops_by_same_text
            || seen.filtered_patterns.is_some()
            || seen.match_effect(rule) != Some(MatchEffect::LetsThrough)
        {
            continue;
        }
        let text = written.text(seen.test.span);
        let message = shortened("`", text, "` is the agent's own word");
        findings.push(
            Diagnostic::new(Code::OWN_WORD, message)
                .label(seen.test.span, format!("the agent writes `{name}`, and can write this"))
                .help("test what the call does, or let the user decide: `ask \"…\"`"),
        );
    }
}
