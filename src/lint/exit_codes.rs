//! Finds `exit 1`, which is no vote: in a shell, any code except 0 is a failure, but here only `exit 2` denies.

use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Effect, Rule};
use crate::span::Span;

pub(super) const LINT: Lint = Lint { codes: &[Code::EXIT_WITHOUT_VOTE], check };

/// Reports `exit 1` in a rule that decides nothing, on an event that can be denied.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    // 1 is the usual failure code in a shell; any other code is a deliberate choice.
    let mut effects = rule.effects.iter().zip(rule.effect_spans.iter());
    let Some((_, span)) = effects.find(|(effect, _)| matches!(effect, Effect::Exit { code: 1, .. })) else { return };
    let decides = |effect: &Effect| effect.decision().is_some() || matches!(effect, Effect::Run(_));
    let event = rule.head.event_set().into_iter().find(|event| event.spec().answers.deny);
    let Some(event) = event.filter(|_| !rule.effects.iter().any(decides)) else { return };
    let finding = Diagnostic::new(Code::EXIT_WITHOUT_VOTE, "`exit 1` stops nothing")
        .label(*span, format!("only 2 denies: `{}` goes ahead, and the user reads the text", event.name()))
        .help("write `deny \"…\"`, or `warn \"…\"` if the user is only to be told");
    let effect_span = Span::new(span.file, span.start as usize, span.start as usize + TYPICAL_EFFECT.len());
    findings.push(match written.text(effect_span) == TYPICAL_EFFECT {
        true => finding.fix_that_changes(effect_span, "deny"),
        false => finding,
    });
}

/// The source text of an `exit 1` without further arguments, which a fix can replace by `deny`.
const TYPICAL_EFFECT: &str = "exit 1";
