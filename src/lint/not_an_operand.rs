//! A subcommand or an option that is looked for among the operands of a command: `operands == "push"`, `"--force"`.

use super::comparison::each_test;
use super::glob_as_text::shortened;
use super::{Lint, Written, as_pattern};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, Kind, Rule, Source, Test, Value, WhereField};
use crate::syntax::literal;
use hookrules_shell::Pattern;

pub(super) const LINT: Lint = Lint { codes: &[Code::NOT_AN_OPERAND], check };

/// A word that no program has as a subcommand: where it is known not to be one, the subcommands are known.
const NO_SUBCOMMAND: &str = "no-such-subcommand";

fn check(written: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    each_test(rule, &mut |seen| {
        let Kind::Compare { source: Source::Where(WhereField::Operands), test, .. } = &seen.test.kind else { return };
        if let Some(finding) = of_option(written, seen.test, test) {
            found.push(finding);
            return;
        }
        let words = words(test);
        let Some(patterns) = seen.commands else { return };
        let Some(word) = words.first() else { return };
        let mut instead = Vec::new();
        for pattern in patterns.iter() {
            if !words.iter().all(|word| is_subcommand(pattern, word)) {
                return;
            }
            let with = match words.as_slice() {
                [only] => only.clone(),
                several => format!("({})", several.join("|")),
            };
            instead.push(literal(&format!("{} {with}", bare(pattern)), ""));
        }
        let Some(program) = patterns.iter().next().and_then(|pattern| pattern.text().split_whitespace().next()) else {
            return;
        };
        let instead = match instead.as_slice() {
            [only] => only.clone(),
            several => format!("[{}]", several.join(", ")),
        };
        let place = written.comparison(seen.test).and_then(|it| it.place_of(word));
        let message = shortened(&format!("`{program}` has the subcommand `"), word, "`, which is no operand");
        found.push(
            Diagnostic::new(Code::NOT_AN_OPERAND, message)
                .label(place.unwrap_or(seen.test.span), "operands are the words behind the subcommand")
                .help(format!("write it into the pattern: `runs {instead}`")),
        );
    });
}

/// Reports an option among the operands: `operands contains "--force"`.
fn of_option(written: &Written<'_>, at: &Condition, test: &Test) -> Option<Diagnostic> {
    let texts: Vec<&str> = match test {
        Test::Equal(value) | Test::StartsWith(value) | Test::Contains(value) => value.text().into_iter().collect(),
        Test::In(values) => values.iter().filter_map(Value::text).collect(),
        _ => Vec::new(),
    };
    let is_option = |text: &&str| {
        let name = text.trim_start_matches('-');
        name.len() < text.len() && !text.contains(' ') && name.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    let option = texts.into_iter().find(is_option)?;
    let place = written.comparison(at).and_then(|it| it.place_of(option));
    let name = option.split('=').next().unwrap_or(option);
    Some(
        Diagnostic::new(Code::NOT_AN_OPERAND, shortened("`", option, "` is an option, which is no operand"))
            .label(place.unwrap_or(at.span), "operands are the words that are no options")
            .help(format!("write it into the pattern of `runs`, or `exists option {}`", literal(name, ""))),
    )
}

/// Returns the words that a test compares operands with, where that is all it does.
fn words(test: &Test) -> Vec<String> {
    let owned = |text: &str| text.to_owned();
    let words: Vec<String> = match test {
        Test::Equal(value) | Test::StartsWith(value) | Test::Contains(value) => {
            value.text().map(owned).into_iter().collect()
        }
        Test::In(values) => {
            values.iter().map(|value: &Value| value.text().map(owned)).collect::<Option<_>>().unwrap_or_default()
        }
        Test::LikeText(globs) => {
            globs.patterns().map(|glob| glob.trim_end_matches('*').trim_start_matches('*').to_owned()).collect()
        }
        Test::Matches(regex) => as_pattern::alternatives(regex.pattern()).unwrap_or_default(),
        _ => Vec::new(),
    };
    let is_word =
        |word: &String| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if words.iter().all(is_word) { words } else { Vec::new() }
}

/// Returns the words of a pattern without the `*` at its end.
fn bare(pattern: &Pattern) -> &str {
    pattern.text().trim_end_matches(['*', '!', ' '])
}

/// Tells whether a word behind those of a pattern is a subcommand.
fn is_subcommand(pattern: &Pattern, word: &str) -> bool {
    let is_unknown = |word: &str| {
        let with = Pattern::with(&format!("{} {word}", bare(pattern)), pattern.programs());
        with.is_ok_and(|with| with.unknown_words().iter().any(|unknown| unknown.word == word))
    };
    is_unknown(NO_SUBCOMMAND) && !is_unknown(word)
}
