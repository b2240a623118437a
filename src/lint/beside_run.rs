//! A decision beside a command that was meant to make it: `run "grep -q x f"` and `deny "…"`.

use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Effect, Rule, RunSpec};
use crate::verdict::Decision;

pub(super) const LINT: Lint = Lint { codes: &[Code::DECISION_BESIDE_RUN], check };

/// Programs that are asked, and say yes or no by how they end.
const QUESTIONS: &[&str] = &["!", "[", "[[", "test", "grep", "egrep", "fgrep", "rg", "cmp", "diff", "jq", "pgrep"];

fn check(_: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    let all = || rule.effects.iter().zip(rule.effect_spans.iter());
    let decision = all().find_map(|(effect, span)| match effect {
        Effect::Vote { decision, .. } => Some((*decision, *span)),
        Effect::Exit { code: 2, .. } => Some((Decision::Deny, *span)),
        _ => None,
    });
    let command = all().find_map(|(effect, span)| match effect {
        Effect::Run(run) if is_question(run) => Some(*span),
        _ => None,
    });
    let (Some((decision, at)), Some(command)) = (decision, command) else { return };
    let word = decision.word();
    let (message, help) = match decision {
        Decision::Allow => (
            format!("`{word}` does not wait for the command"),
            "a command can only refuse: write `run \"…\" { on_fail: deny }` without the `allow`",
        ),
        _ => (
            format!("`{word}` does not wait for the command"),
            "let the command decide alone: `run \"…\" { on_fail: deny, message: \"…\" }` refuses where it fails, with `!` in front where it succeeds",
        ),
    };
    found.push(
        Diagnostic::new(Code::DECISION_BESIDE_RUN, message)
            .label(at, "holds however the command ends")
            .label(command, "decides nothing here")
            .help(help),
    );
}

/// Tells whether a command is started for how it ends.
fn is_question(run: &RunSpec) -> bool {
    let shown = run.shown.trim_start_matches(['"', '\'', '[', ' ']);
    let first = shown.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',')).next().unwrap_or_default();
    let asks = run.shown.trim_start_matches('"').starts_with("[ ") || QUESTIONS.contains(&first);
    !run.options.background && (run.is_gate() || run.options.on_fail.is_some() || asks)
}
