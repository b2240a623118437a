//! An alternative in a command pattern that was meant to begin another command: `"git push|git pull"`.

use super::comparison::each_test;
use super::glob_as_text::shortened;
use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Kind, Patterns, Rule};
use crate::syntax::one_or_list;
use hookrules_shell::Pattern;

pub(super) const LINT: Lint = Lint { codes: &[Code::SPLIT_COMMAND], check };

fn check(written: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    each_test(rule, &mut |seen| {
        let lists: &[&Patterns] = match &seen.test.kind {
            Kind::Command(CommandTest::Runs { patterns, .. } | CommandTest::OnlyRuns { patterns }) => &[patterns],
            Kind::Command(CommandTest::Pipes { from, into }) => &[from, into],
            _ => return,
        };
        for pattern in lists.iter().flat_map(|list| list.iter()) {
            let Some((word, both)) = split(pattern) else { continue };
            let place = written.pattern(seen.test, pattern.text());
            let instead = one_or_list(&both);
            let is_alone = lists.len() == 1 && lists.iter().all(|list| list.count() == 1);
            let finding = Diagnostic::new(Code::SPLIT_COMMAND, shortened("`", word, "` stands for one word"))
                .label(place.unwrap_or(seen.test.span), "`|` does not begin another command here")
                .help(format!("write two patterns: `{instead}`"));
            found.push(match place.filter(|_| is_alone) {
                Some(place) => finding.fix_that_changes(place, instead),
                None => finding,
            });
        }
    });
}

/// Returns the word that was meant to begin a command in its middle, and the two patterns that are meant.
fn split(pattern: &Pattern) -> Option<(&str, Vec<String>)> {
    if !pattern.text().contains('|') {
        return None;
    }
    let words: Vec<&str> = pattern.text().split_whitespace().collect();
    let first = words.first()?.split('|').next()?;
    let unknown = pattern.unknown_words();
    let (at, word) = words.iter().enumerate().skip(1).find(|(_, word)| {
        let plain = word.contains('|') && !word.starts_with(['(', '!', '-']);
        let mut others = word.split('|').skip(1);
        let is_unknown = |other: &str| unknown.iter().any(|unknown| unknown.word == other);
        // `install` is a program too, but nothing that a `npm add|install` would begin.
        let has_subcommands =
            |other: &str| pattern.programs().program(other).is_some_and(|program| !program.commands.is_empty());
        // A variant of the program has its name in front: `docker-compose`.
        let is_variant = |other: &str| other.strip_prefix(first).is_some_and(|rest| rest.starts_with('-'));
        plain
            && others.any(|other| other == first || is_unknown(other) && (has_subcommands(other) || is_variant(other)))
    })?;
    let (left, right) = word.split_once('|')?;
    let before = words.get(..at)?.iter().copied();
    let behind = || words.get(at + 1..).unwrap_or_default().iter().copied();
    let is_variant = right.strip_prefix(first).is_some_and(|rest| rest.starts_with('-'));
    let left: Vec<&str> = match is_variant {
        true => before.chain([left]).chain(behind()).collect(),
        false => before.chain([left]).collect(),
    };
    let right: Vec<&str> = [right].into_iter().chain(behind()).collect();
    Some((word, vec![left.join(" "), right.join(" ")]))
}
