//! A `timeout` that the host does not wait for.

use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::host::Host;
use crate::ruleset::{Effect, Rule};
use std::time::Duration;

pub(super) const LINT: Lint = Lint { codes: &[Code::TIMEOUT_BEYOND_HOST], check };

/// What the hook keeps at most for its answer, of the time that the host waits.
const FOR_THE_ANSWER: Duration = Duration::from_secs(5);

fn check(_: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let Effect::Run(run) = effect else { continue };
        let Some(timeout) = run.timeout.filter(|_| !run.options.background) else { continue };
        let waits = |event| {
            let patience = Host::ClaudeCode.patience(event);
            (event, patience, patience + FOR_THE_ANSWER.min(patience / 4))
        };
        let shortest = rule.head.event_set().into_iter().map(waits).min_by_key(|(_, _, waited)| *waited);
        let Some((event, patience, _)) = shortest.filter(|(_, _, waited)| timeout > *waited) else { continue };
        found.push(
            Diagnostic::new(Code::TIMEOUT_BEYOND_HOST, format!("the host does not wait so long on `{}`", event.name()))
                .label(*span, format!("ends after {} at the latest", shown(patience)))
                .help("write a shorter `timeout`, or `background: true` where nothing depends on the command"),
        );
    }
}

fn shown(time: Duration) -> String {
    match time.subsec_millis() {
        0 => format!("{} seconds", time.as_secs()),
        _ => format!("{} milliseconds", time.as_millis()),
    }
}
