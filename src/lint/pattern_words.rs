//! Operands of a command whose program has no record of its subcommands: the words of the pattern are among them.

use super::comparison::each_test;
use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Kind, Rule, Source, Test, Value, WhereField};
use hookrules_shell::Pattern;

pub(super) const LINT: Lint = Lint { codes: &[Code::PATTERN_WORDS], check };

fn check(_: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    each_test(rule, &mut |seen| {
        let Some(patterns) = seen.commands else { return };
        // One of several values is found among others too; what is asked of all of them, and of their being there, is not.
        let is_of_all = match &seen.test.kind {
            Kind::Compare { source, all, .. } => *all && is_operands(source),
            Kind::Exists(source) => is_operands(source),
            _ => false,
        };
        if !is_of_all {
            return;
        }
        // Of several programs, one may be meant here that takes no such word.
        let Some(all) = patterns.iter().map(named).collect::<Option<Vec<_>>>() else { return };
        let Some((program, word)) = all.first().filter(|(_, word)| !allows_for(&seen.test.kind, word)) else { return };
        found.push(
            Diagnostic::new(Code::PATTERN_WORDS, format!("`{word}` of the pattern is one of the operands"))
                .label(seen.test.span, format!("asked of `{word}` too: no record says what `{program} {word}` is"))
                .help(format!("name its subcommands in `.rules/programs/{program}.toml`, or allow for `{word}` here")),
        );
    });
}

fn is_operands(source: &Source) -> bool {
    matches!(source, Source::Where(WhereField::Operands))
}

/// Tells whether a test has the word among what it compares with.
fn allows_for(test: &Kind, word: &str) -> bool {
    let Kind::Compare { test, .. } = test else { return false };
    match test {
        Test::In(values) => values.iter().filter_map(Value::text).any(|text| text == word),
        Test::LikeText(globs) => globs.patterns().any(|glob| glob == word || glob == "*"),
        _ => false,
    }
}

/// Returns the program of a pattern and a word behind it, where that is no subcommand by any record.
fn named(pattern: &Pattern) -> Option<(&str, &str)> {
    let mut words = pattern.text().split_whitespace();
    let (program, word) = (words.next()?, words.next()?);
    let is_plain = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let has_subcommands = pattern.programs().program(program).is_some_and(|table| !table.commands.is_empty());
    (is_plain(program) && is_plain(word) && !has_subcommands).then_some((program, word))
}
