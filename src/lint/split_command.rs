//! Finds command patterns that are split in the wrong places: a `|` that should separate two commands, `"git push|git
//! pull"`, or a list with the words of one command, `["git", "push"]`.

use super::comparison::{pattern_lists, visit_patterns, visit_tests};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, Patterns, Rule};
use crate::syntax::{format_one_or_list, string_literal};
use hookrules_shell::Pattern;
use hookrules_shell::programs::{Program, program};

pub(super) const LINT: Lint = Lint { codes: &[Code::SPLIT_COMMAND, Code::WORDS_AS_PATTERNS], check };

/// Reports patterns and lists that are split in the wrong places.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        findings.extend(pattern_lists(seen.test).filter_map(|list| one_command_as_list(written, seen.test, list)));
    });
    visit_patterns(rule, &mut |seen, pattern| {
        if let Some((word, intended)) = alternative_of_words(pattern) {
            let span = written.pattern_span(seen.test, pattern.text()).unwrap_or(seen.test.span);
            findings.push(
                Diagnostic::new(Code::SPLIT_COMMAND, shortened("`", word, "` stands for one word"))
                    .label(span, "no program and no subcommand has a blank in its name")
                    .help(format!("write a pattern for each: `{}`", format_one_or_list(&intended))),
            );
            return;
        }
        let Some((word, intended)) = split_pattern(pattern) else { return };
        let literal_span = written.pattern_span(seen.test, pattern.text());
        let instead = format_one_or_list(&intended);
        let is_alone = pattern_lists(seen.test).map(Patterns::count).sum::<usize>() == 1;
        let finding = Diagnostic::new(Code::SPLIT_COMMAND, shortened("`", word, "` stands for one word"))
            .label(literal_span.unwrap_or(seen.test.span), "`|` does not begin another command here")
            .help(format!("write two patterns: `{instead}`"));
        findings.push(match literal_span.filter(|_| is_alone) {
            Some(literal_span) => finding.fix_that_changes(literal_span, instead),
            None => finding,
        });
    });
}

/// Returns the finding about a list with the words of one command, whose first element matches any command of that
/// program.
fn one_command_as_list(written: &SourceTexts<'_>, test: &Condition, patterns: &Patterns) -> Option<Diagnostic> {
    if patterns.count() < 2 {
        return None;
    }
    let words: Vec<&str> = patterns.iter().map(Pattern::text).collect();
    let (first, rest) = words.split_first()?;
    let record = patterns.programs().program(first).or_else(|| program(first))?;
    let (second, others) = rest.split_first()?;
    let is_command = |word: &str| program(word).is_some() || patterns.programs().has(word);
    // `["git", "diff"]` may well be two programs.
    let is_certain = record.command(second).is_some()
        && rest.iter().all(|word| !word.contains([' ', '|', '*']))
        && !(is_command(second) && others.iter().all(|word| is_command(word)));
    if !is_certain {
        return None;
    }
    let joined = string_literal(&words.join(" "), "");
    let written_patterns = written.patterns(test);
    let list_span =
        written_patterns.first().zip(written_patterns.last()).map(|(first, last)| first.span.joined_with(last.span));
    let finding = Diagnostic::new(Code::WORDS_AS_PATTERNS, "the words of one command as a list of patterns")
        .label(list_span.unwrap_or(test.span), shortened("each is a pattern of its own: any `", first, "` is meant"))
        .help(format!("write `{joined}`"));
    Some(match list_span.filter(|_| written_patterns.len() == words.len()) {
        Some(list_span) => finding.fix_that_changes(list_span, joined),
        None => finding,
    })
}

/// Returns a group with an alternative of several words, `(pytest|ruff check)`, in place of a program or a subcommand, and
/// a pattern for each alternative; `None` if there is no such group.
fn alternative_of_words(pattern: &Pattern) -> Option<(&str, Vec<String>)> {
    let text = pattern.text();
    let (before, rest) = text.split_once('(')?;
    let (inner, after) = rest.split_once(')')?;
    let alternatives: Vec<&str> = inner.split('|').map(str::trim).collect();
    let first_words = || alternatives.iter().filter_map(|words| words.split_once(' ').map(|(first, _)| first));
    let record = before.split_whitespace().next().and_then(program);
    // The words of a message may have blanks: `git commit -m (wip|fix it)`.
    let is_name = |word: &str| record.is_some_and(|record| record.command(word).is_some());
    let is_reported = match before.split_whitespace().count() {
        0 => first_words().next().is_some(),
        1 if first_words().any(is_name) => true,
        _ => record.is_some_and(Program::only_runs_command) && first_words().any(|word| program(word).is_some()),
    };
    let word = text.get(before.len()..before.len() + inner.len() + 2)?;
    let each = alternatives.iter().map(|alternative| [before, alternative, after].concat()).collect();
    is_reported.then_some((word, each))
}

/// Returns the word with a `|` that should separate two commands, and the two patterns that the author means; `None` if
/// there is no such word.
fn split_pattern(pattern: &Pattern) -> Option<(&str, Vec<String>)> {
    if !pattern.text().contains('|') {
        return None;
    }
    let words: Vec<&str> = pattern.text().split_whitespace().collect();
    let first = words.first()?.split('|').next()?;
    let unknown = pattern.unknown_words();
    let (index, word) = words.iter().enumerate().skip(1).find(|(_, word)| {
        let has_bare_bar = word.contains('|') && !word.starts_with(['(', '!', '-']);
        let mut others = word.split('|').skip(1);
        let is_unknown = |other: &str| unknown.iter().any(|unknown| unknown.word == other);
        // `install` is a program too, but not the one that is meant in `npm add|install`.
        let has_subcommands =
            |other: &str| pattern.programs().program(other).is_some_and(|program| !program.commands.is_empty());
        // The name of a variant of a program begins with the name of that program: `docker-compose`.
        let is_variant = |other: &str| other.strip_prefix(first).is_some_and(|rest| rest.starts_with('-'));
        has_bare_bar
            && others.any(|other| other == first || is_unknown(other) && (has_subcommands(other) || is_variant(other)))
    })?;
    let (left_word, right_word) = word.split_once('|')?;
    let before = words.get(..index)?.iter().copied();
    let words_after = || words.get(index + 1..).unwrap_or_default().iter().copied();
    // Words after the alternatives belong to the second command; if that is a variant of the program, to both
    // commands.
    let is_variant = right_word.strip_prefix(first).is_some_and(|rest| rest.starts_with('-'));
    let first_command: Vec<&str> = match is_variant {
        true => before.chain([left_word]).chain(words_after()).collect(),
        false => before.chain([left_word]).collect(),
    };
    let second_command: Vec<&str> = [right_word].into_iter().chain(words_after()).collect();
    Some((word, vec![first_command.join(" "), second_command.join(" ")]))
}
