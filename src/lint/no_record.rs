//! Options of programs without a record, of which no other spelling is known: `runs "netlify deploy --prod"`.

use super::each;
use super::glob_as_text::shortened;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Kind, Rule};
use crate::span::Sources;
use crate::syntax::literal;
use hookrules_shell::{Pattern, program};

/// Reports the first such option of each test of a guard.
pub(super) fn check(rule: &Rule, sources: &Sources, found: &mut Vec<Diagnostic>) {
    if !rule.can_block || rule.can_allow {
        return;
    }
    let Some(when) = &rule.when else { return };
    each(when, false, &mut |test, negated| {
        let Kind::Command(CommandTest::Runs { patterns, .. }) = &test.kind else { return };
        let all: Vec<(&str, &str)> = patterns.iter().filter(|_| !negated).filter_map(unrecorded).collect();
        // Both spellings are there, in two patterns.
        let is_long = |flag: &str| flag.starts_with("--");
        let has_other = |name: &str, flag: &str| {
            all.iter().any(|(other, spelled)| *other == name && is_long(spelled) != is_long(flag))
        };
        let Some((name, flag)) = all.iter().copied().find(|(name, flag)| !has_other(name, flag)) else { return };
        let text = sources.file(test.span).map_or("", |file| file.slice(test.span));
        let at = text.find(flag).map_or(test.span, |at| {
            let start = test.span.start as usize + at;
            crate::span::Span::new(test.span.file, start, start + flag.len())
        });
        let both = match flag.starts_with("--") {
            true => format!("({flag}|-…)"),
            false => format!("({flag}|--…)"),
        };
        found.push(
            Diagnostic::new(Code::NO_RECORD, shortened("no record of `", name, "` knows its options"))
                .label(at, format!("only `{flag}` as it is written is found, no other spelling"))
                .help(format!("write each spelling, {}, or add `.rules/programs/{name}.toml`", literal(&both, ""))),
        );
    });
}

/// Returns the program of a pattern and an option that is written in one spelling, where no record has others.
fn unrecorded(pattern: &Pattern) -> Option<(&str, &str)> {
    let mut words = pattern.text().split_whitespace();
    let name = words.next()?;
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+'));
    let is_known = program(name).is_some() || pattern.programs().has(name);
    let flag = words.take_while(|word| *word != "--").find(|word| word.starts_with('-'))?;
    let bare = flag.split('=').next()?;
    (is_plain && !is_known && bare.len() > 1 && !bare.contains(['*', '?'])).then_some((name, bare))
}
