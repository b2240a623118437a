//! An `exit` with a code that votes nothing, where its author wanted to stop something: in a shell every code but 0 is a
//! failure.

use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Effect, Rule};
use crate::span::Span;

pub(super) const LINT: Lint = Lint { codes: &[Code::EXIT_WITHOUT_VOTE], check };

fn check(written: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    let decides = |effect: &Effect| effect.decision().is_some() || matches!(effect, Effect::Run(_));
    let Some(event) = rule.head.event_set().into_iter().find(|event| event.spec().answers.deny) else { return };
    if rule.effects.iter().any(decides) {
        return;
    }
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let Effect::Exit { code, .. } = effect else { continue };
        // A failure in a shell; another code is one that somebody has chosen.
        if *code != 1 {
            continue;
        }
        let finding = Diagnostic::new(Code::EXIT_WITHOUT_VOTE, format!("`exit {code}` stops nothing"))
            .label(*span, format!("only 2 denies: `{}` goes ahead, and the user reads the text", event.name()))
            .help("write `deny \"…\"`, or `warn \"…\"` if the user is only to be told");
        found.push(match number(written, *span, *code) {
            Some(place) => finding.fix_that_changes(place, "deny"),
            None => finding,
        });
    }
}

/// Returns the place of `exit N`, where it is written so.
fn number(written: &Written<'_>, at: Span, code: i32) -> Option<Span> {
    let text = format!("exit {code}");
    let place = Span::new(at.file, at.start as usize, at.start as usize + text.len());
    (written.text(place) == text).then_some(place)
}
