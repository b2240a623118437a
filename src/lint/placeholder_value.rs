//! Placeholders that are empty for some of the calls that a rule matches: `{path}` for a command.

use super::calls::{Call, Calls, Lacking, joined, name_of};
use super::comparison::{SourceTexts, each_test};
use super::sources::of_effect;
use super::{FindingSink, Lint};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Derived, Effect, Kind, Rule, Source};

pub(super) const LINT: Lint = Lint { codes: &[Code::PLACEHOLDER_WITHOUT_VALUE], check };

fn check(_: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let mut calls: Option<Calls> = None;
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        // A record has `null` there, which shows that there was no value.
        if matches!(effect, Effect::Record(_)) {
            continue;
        }
        for source in of_effect(effect) {
            let name = match source {
                Source::Derived(derived) => name_of(*derived).map(str::to_owned),
                Source::Raw { path, .. } if path.len() > 1 => Some(path.join(".")),
                _ => None,
            };
            let Some(name) = name else { continue };
            let calls = calls.get_or_insert_with(|| Calls::of(rule));
            findings.extend(of_source(rule, calls, effect, source, &name).map(|it| it.label(*span, EMPTY)));
        }
    }
}

/// The effect of a placeholder without a value.
const EMPTY: &str = "the text lacks it there, and the rule matches all the same";

fn of_source(rule: &Rule, calls: &Calls, effect: &Effect, source: &Source, name: &str) -> Option<Diagnostic> {
    let matches = |call: &Call| call.matches(rule, Lacking::Decides) != Some(false);
    let lacking = calls.tools(|call| matches(call) && call.lacks(source));
    let is_everywhere = !calls.known.iter().any(|call| matches(call) && !call.lacks(source));
    let of_files = has_files(rule);
    let is_path = matches!(source, Source::Derived(Derived::Path));
    // A text about calls of any kind may well name a field that only some of the tools have.
    if lacking.is_empty() || !(is_path && of_files || is_everywhere && !calls.names_others) {
        return None;
    }
    let help = match source {
        Source::Derived(Derived::Path) if of_files && matches!(effect, Effect::Run(_)) => {
            "write `{match}`, the file that the test found; as a word of its own it follows `\"--\"`".to_owned()
        }
        // A record has field names instead of placeholders.
        Source::Derived(Derived::Path) if of_files && matches!(effect, Effect::Record(_)) => {
            "write `match`, the file that the test found; with `path` beside it, `@allow` this".to_owned()
        }
        Source::Derived(Derived::Path) if of_files => "write `{match}`, the file that the test found".to_owned(),
        _ => format!("select tools that have `{name}`, or leave it out"),
    };
    Some(
        Diagnostic::new(Code::PLACEHOLDER_WITHOUT_VALUE, format!("`{{{name}}}` has no value on {}", joined(&lacking)))
            .help(help),
    )
}

/// Whether a rule tests accesses to files, however a call makes them.
fn has_files(rule: &Rule) -> bool {
    let mut has = false;
    each_test(rule, &mut |seen| {
        has |= matches!(seen.test.kind, Kind::Touches { .. }) && !seen.is_exception && seen.commands.is_none();
    });
    has
}
