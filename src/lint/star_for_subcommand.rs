//! Finds a `*` in `only runs` in place of a subcommand, which allows `git push --force` too: `only runs "git *"`.

use super::alternatives::single_patterns;
use super::comparison::{pattern_of_inner, plainest_command, visit_tests, word_alternatives};
use super::{FindingSink, Lint, SourceTexts, never_fires};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Rule};
use hookrules_shell::Pattern;
use hookrules_shell::programs::{Arity, Program};

pub(super) const LINT: Lint = Lint { codes: &[Code::STAR_FOR_SUBCOMMAND], check };

/// Harmful subcommands, the worst first: the message names one that the pattern allows too.
const HARMFUL_SUBCOMMANDS: &[&str] =
    &["push", "publish", "delete", "destroy", "rm", "remove", "prune", "exec", "run", "set"];

/// Commands whose first operand says what they do, and what of that changes something. Most are also called without it.
const WORD_COMMANDS: &[(&str, &str)] = &[
    ("git reflog", "delete"),
    ("npm access", "grant"),
    ("npm audit", "fix"),
    ("npm cache", "clean"),
    ("npm config", "set"),
    ("npm dist-tag", "rm"),
    ("npm org", "rm"),
    ("npm owner", "add"),
    ("npm pkg", "set"),
    ("npm profile", "set"),
    ("npm team", "destroy"),
    ("npm token", "revoke"),
    ("pnpm config", "set"),
    ("yarn config", "set"),
];

/// Reports patterns in an `allow` whose `*` is in place of a subcommand.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if !rule.can_allow {
        return;
    }
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Command(CommandTest::OnlyRuns { patterns }) = &seen.test.kind else { return };
        if !seen.is_exception {
            findings.extend(patterns.iter().filter_map(|pattern| {
                let inner = pattern_of_inner(pattern);
                let found = finding(written, seen.test, pattern, inner.as_ref().unwrap_or(pattern));
                found.or_else(|| word_finding(written, seen.test, pattern))
            }));
        }
    });
}

/// Returns the finding about a pattern whose `*` is in place of a subcommand; `None` for any other pattern. `inner` is
/// the pattern for the command that a runner runs, or the pattern itself.
fn finding(written: &SourceTexts<'_>, test: &Condition, pattern: &Pattern, inner: &Pattern) -> Option<Diagnostic> {
    let runner = pattern.text().strip_suffix(inner.text()).unwrap_or_default();
    let mut words: Vec<&str> = inner.text().split_whitespace().collect();
    words.pop().filter(|last| *last == "*")?;
    let (first, rest) = words.split_first()?;
    let programs =
        word_alternatives(first).filter_map(|name| Some((name.to_owned(), pattern.programs().program(name)?)));
    let (before, program) = programs.into_iter().find_map(|(name, program)| unnamed_subcommand(name, program, rest))?;
    let names = || program.commands.iter().filter_map(|command| command.names.first().copied());
    let harmful = HARMFUL_SUBCOMMANDS.iter().copied().filter(|name| names().any(|own| own == *name));
    // A `*` may be the value of an option in front of it, as in `git -C *`, so that the subcommand is another word.
    let given = format!("{before} *");
    let fronts = [before.as_str(), given.as_str()].map(|front| format!("{runner}{front}"));
    let approved = |front: &String, name: &str| {
        let command = format!("{} {name}", plainest_command(front));
        is_subcommand(pattern, &command, name) && never_fires::approves(&[pattern.text()], pattern, &command)
    };
    let (front, shown_subcommand) = fronts.iter().find_map(|front| {
        let name = harmful.clone().chain(names()).find(|name| approved(front, name))?;
        Some((front, name))
    })?;
    let shown = format!("{} {shown_subcommand}", plainest_command(front));
    Some(subcommand_finding(written, test, pattern, (&shown, front)))
}

/// Returns the finding about a pattern of a command whose first operand says what it does: see [`WORD_COMMANDS`].
fn word_finding(written: &SourceTexts<'_>, test: &Condition, pattern: &Pattern) -> Option<Diagnostic> {
    let singles = single_patterns(pattern);
    let fronts = singles.iter().filter_map(|single| single.text().strip_suffix(" *"));
    fronts.into_iter().find_map(|front| {
        let (before, word) = WORD_COMMANDS.iter().find(|(before, _)| plainest_command(front) == *before)?;
        let shown = format!("{before} {word}");
        let is_allowed = never_fires::approves(&[pattern.text()], pattern, &shown);
        is_allowed.then(|| subcommand_finding(written, test, pattern, (&shown, front)))
    })
}

/// Returns the finding about a pattern. `shown` is a command that it allows, and `front` its words in front of the `*`.
fn subcommand_finding(
    written: &SourceTexts<'_>,
    test: &Condition,
    pattern: &Pattern,
    (shown, front): (&str, &str),
) -> Diagnostic {
    let literal_span = written.pattern_span(test, pattern.text()).unwrap_or(test.span);
    let message = format!("the `*` of `{}` stands for every subcommand", pattern.text());
    Diagnostic::new(Code::STAR_FOR_SUBCOMMAND, message)
        .label(literal_span, format!("`{shown}` is allowed too"))
        .help(format!("name those that are meant: `\"{front} (…|…) *\"`"))
}

/// Whether a word of a command is a subcommand, and not the value of an option.
fn is_subcommand(pattern: &Pattern, command: &str, name: &str) -> bool {
    let analysis = never_fires::analysis(command);
    let inner = analysis.commands.iter().rev().map(|command| command.argv_with(pattern.programs()));
    inner.into_iter().any(|argv| argv.subcommands.last().is_some_and(|word| word.known_text() == Some(name)))
}

/// Follows the words of a pattern to where a subcommand should be named. Returns the words before that position, and
/// the program or subcommand that has the subcommands. `None` if the pattern names them all, or if a word is unknown.
fn unnamed_subcommand<'p>(before: String, program: &'p Program, words: &[&str]) -> Option<(String, &'p Program)> {
    let Some((word, rest)) = words.split_first() else {
        return Some((before, program)).filter(|_| !program.commands.is_empty());
    };
    if word.starts_with('!') {
        return unnamed_subcommand(before, program, rest);
    }
    if word.starts_with('-') {
        let takes_value = program.option(word).is_some_and(|option| option.arity == Arity::Value);
        let (value, rest) = rest.split_first().filter(|_| takes_value).unwrap_or((&"", rest));
        return unnamed_subcommand(format!("{before} {word} {value}").trim_end().to_owned(), program, rest);
    }
    word_alternatives(word).find_map(|name| {
        let command = program.commands.iter().find(|command| command.names.contains(&name))?;
        unnamed_subcommand(format!("{before} {name}"), command, rest)
    })
}
