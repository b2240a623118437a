//! The matches of patterns, in rows: a command, a pattern, the result.

use std::path::PathBuf;

use super::*;
use crate::analysis::{Assignment, CommandScope, Redirect, RedirectKind, SimpleCommand};
use crate::path::Roots;
use crate::tests::{simple, word};
use crate::word::Word;

fn shown(fit: &Fit) -> String {
    match fit {
        Fit::Yes => "yes".to_owned(),
        Fit::No => "no".to_owned(),
        Fit::Maybe(why) => format!("maybe {}", why.word),
    }
}

/// Parses a pattern, and checks that it equals its decoded binary form.
#[track_caller]
fn pattern(text: &str) -> Pattern {
    let read = Pattern::new(text).unwrap();
    let back = bytes::read_back(&read).unwrap();
    assert_eq!((&back, back.text()), (&read, text));
    back
}

/// Returns the result of a pattern for a command; a pattern that names none of the possible programs must not match.
#[track_caller]
fn held(pattern: &Pattern, called: PossibleProgram<'_>, fit: Fit) -> String {
    let names = pattern.program_names();
    let may_be = names.is_none_or(|names| names.iter().any(|name| called.may_be_named(name.as_bytes())));
    assert!(fit == Fit::No || (may_be && called != PossibleProgram::Nothing), "{called:?} is no {}", pattern.text());
    shown(&fit)
}

/// Checks generous matching of a pattern against rows of `command → fit`.
#[track_caller]
fn runs(pattern: &str, rows: &[(&str, &str)]) {
    let read = self::pattern(pattern);
    let is = |command: &SimpleCommand| held(&read, command.possible_program(), read.runs(command));
    let wrong: Vec<String> = rows
        .iter()
        .map(|(command, expected)| (command, expected, is(&simple(command))))
        .filter(|(_, expected, is)| is != *expected)
        .map(|(command, expected, is)| format!("{command}: {is}, not {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{pattern}\n{}", wrong.join("\n"));
}

fn roots() -> Roots {
    Roots {
        project: Some(PathBuf::from("/home/dev/proj")),
        worktrees: vec![PathBuf::from("/srv/tree")],
        home: Some(PathBuf::from("/home/dev")),
        tmp: vec![PathBuf::from("/tmp")],
    }
}

/// Checks strict matching of a pattern against rows of `command → fit`.
#[track_caller]
fn only(pattern: &str, rows: &[(&str, &str)]) {
    let read = self::pattern(pattern);
    let is = |command: &SimpleCommand| held(&read, command.exact_program(), read.runs_only(command, &roots()));
    let wrong: Vec<String> = rows
        .iter()
        .map(|(command, expected)| (command, expected, is(&simple(command))))
        .filter(|(_, expected, is)| is != *expected)
        .map(|(command, expected, is)| format!("{command}: {is}, not {expected}"))
        .collect();
    assert!(wrong.is_empty(), "only {pattern}\n{}", wrong.join("\n"));
}

mod bytes;
mod covering;
mod generous;
mod incidental;
mod ordinary;
mod routes;
mod sent;
mod shape;
mod strict;
mod undone;
