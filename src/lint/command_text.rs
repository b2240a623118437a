//! Tests of a command's text where a test of the commands is meant.

use super::{Lint, each};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, Derived, Effect, Kind, Rule, Source, Test};
use crate::verdict::Decision;

pub(super) const LINT: Lint = Lint { codes: &[Code::SUBSTRING_GUARD, Code::RAW_COMMAND_REGEX], check };

/// Reports the first test of each kind: the others of the rule are mended with it.
fn check(rule: &Rule, found: &mut Vec<Diagnostic>) {
    if !rule.can_allow && !rule.can_block || is_unparsed(rule) {
        return;
    }
    let (mut substring, mut regex) = (None, None);
    for condition in [&rule.when, &rule.unless].into_iter().flatten() {
        each(condition, false, &mut |test, _| match text_test(test) {
            Some(Test::Matches(_)) => regex = regex.or(Some(test.span)),
            Some(Test::Contains(_) | Test::StartsWith(_)) => substring = substring.or(Some(test.span)),
            _ => {}
        });
    }
    // A reminder that asks may be evaded by who means to; a denial and an allow say that they cannot.
    if let Some(span) = substring.filter(|_| rule.can_allow || denies(rule)) {
        found.push(
            Diagnostic::new(Code::SUBSTRING_GUARD, "a guard on the text of a command")
                .label(span, "quotes, the order of flags and wrappers evade this")
                .help("test the commands: `runs \"rm -r\"`, or `only runs \"…\"` for an allow"),
        );
    }
    if let Some(span) = regex {
        found.push(
            Diagnostic::new(Code::RAW_COMMAND_REGEX, "a regex on the text of a command")
                .label(span, "other spellings evade this, and quoted words trigger it")
                .help("test the commands: `runs \"git push --force\"`, with `where` for their words"),
        );
    }
}

fn denies(rule: &Rule) -> bool {
    rule.effects.iter().any(|effect| match effect {
        Effect::Vote { decision, .. } => *decision >= Decision::Deny,
        Effect::Exit { code, .. } => *code == 2,
        Effect::Run(run) => run.is_gate(),
        _ => false,
    })
}

/// Tells whether the rule is about a language alone that `runs` does not read.
fn is_unparsed(rule: &Rule) -> bool {
    let only = |selector: &crate::ruleset::EventSelector| {
        let list = selector.subjects.as_ref();
        list.is_some_and(|list| !list.includes.is_empty() && list.includes.iter().all(|name| name == "PowerShell"))
    };
    !rule.head.events.is_empty() && rule.head.events.iter().all(only)
}

fn text_test(condition: &Condition) -> Option<&Test> {
    let Kind::Compare { source, test, .. } = &condition.kind else { return None };
    let is_command = match source {
        Source::Derived(Derived::Command) => true,
        Source::Raw { path, .. } => path.iter().map(String::as_str).eq(["tool_input", "command"]),
        _ => false,
    };
    is_command.then_some(test)
}
