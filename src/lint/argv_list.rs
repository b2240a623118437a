//! The words of one command as a list of patterns: `runs ["git", "push"]` is about every `git`.

use super::comparison::each_test;
use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Kind, Patterns, Rule};
use crate::syntax::literal;
use hookrules_shell::Pattern;

pub(super) const LINT: Lint = Lint { codes: &[Code::WORDS_AS_PATTERNS], check };

fn check(written: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    each_test(rule, &mut |seen| {
        let Kind::Command(CommandTest::Runs { patterns, .. } | CommandTest::OnlyRuns { patterns }) = &seen.test.kind
        else {
            return;
        };
        let Some((program, command)) = one_command(patterns) else { return };
        let place = patterns.iter().next().and_then(|first| written.pattern(seen.test, first.text()));
        found.push(
            Diagnostic::new(Code::WORDS_AS_PATTERNS, "the words of one command, each of them a command here")
                .label(place.unwrap_or(seen.test.span), format!("true for every `{program}`"))
                .help(format!("write it as one pattern: `{}`", literal(&command, ""))),
        );
    });
}

/// Returns the program of a list whose further entries are words behind it, and the command that is meant.
fn one_command(patterns: &Patterns) -> Option<(&str, String)> {
    let mut all = patterns.iter();
    let first = all.next()?;
    let rest: Vec<&str> = all.map(Pattern::text).collect();
    let program = first.programs().program(first.text())?;
    let is_meant = |word: &&str| {
        let is_own = program.commands.iter().any(|command| command.names.contains(word));
        // `["docker", "kill"]` may be two programs.
        is_own && first.programs().program(word).is_none_or(|other| other.names.contains(&"install"))
    };
    rest.first().filter(|word| is_meant(word))?;
    // A flag that was written alone was led to a command of its own: its last word is what is meant.
    let own = |text: &&str| !text.contains(char::is_whitespace);
    let words = rest.iter().take_while(|text| own(text)).copied();
    Some((first.text(), std::iter::once(first.text()).chain(words).collect::<Vec<_>>().join(" ")))
}
