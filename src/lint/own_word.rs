//! An exception, or an `allow`, that depends on a text that the agent writes about its own call and can choose freely.

use super::comparison::{Aim, RuleTest, each_test};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Kind, Rule, Source};

pub(super) const LINT: Lint = Lint { codes: &[Code::OWN_WORD], check };

/// Members of tools' inputs in which the agent explains a call.
const SAID: &[&str] = &["description", "explanation", "justification", "reason"];

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let mut tests: Vec<RuleTest<'_>> = Vec::new();
    each_test(rule, &mut |seen| {
        if matches!(&seen.test.kind, Kind::Compare { source: Source::Raw { .. }, .. }) {
            tests.push(seen);
        }
    });
    for seen in &tests {
        let Kind::Compare { source: Source::Raw { path, .. }, .. } = &seen.test.kind else { continue };
        let [input, name] = path.as_slice() else { continue };
        let is_said = input == "tool_input" && SAID.contains(&name.as_str());
        // Exceptions of a rule about that text may test it too.
        let is_about_it = tests.iter().any(|other| {
            let Kind::Compare { source: Source::Raw { path: other_path, .. }, .. } = &other.test.kind else {
                return false;
            };
            other_path == path && other.aim(rule) == Some(Aim::Stops)
        });
        if !is_said || is_about_it || seen.commands.is_some() || seen.aim(rule) != Some(Aim::LetsThrough) {
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
