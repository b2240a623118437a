//! An `allow` that tests one command of a text: `git status; rm -rf ~` runs `git status` too.

use super::{Lint, Written, each};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Kind, Rule};

pub(super) const LINT: Lint = Lint { codes: &[Code::ALLOW_ON_PART], check };

fn check(_: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    let Some(when) = rule.when.as_ref().filter(|_| rule.can_allow) else { return };
    let (mut part, mut whole) = (None, false);
    each(when, false, &mut |test, negated| match &test.kind {
        Kind::Command(CommandTest::Runs { .. }) if !negated => part = part.or(Some(test.span)),
        Kind::Command(CommandTest::OnlyRuns { .. }) if !negated => whole = true,
        _ => {}
    });
    if let Some(span) = part.filter(|_| !whole) {
        found.push(
            Diagnostic::new(Code::ALLOW_ON_PART, "an `allow` that tests one command")
                .label(span, "allows every other command of the text too")
                .help("write `only runs`, which applies to the whole text"),
        );
    }
}
