//! What patterns match, row by row: a command, a pattern, what comes out.

use std::path::PathBuf;

use super::*;
use crate::analysis::{Assignment, Redirect, RedirectKind, Scope, Simple};
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

/// Holds the generous reading of a pattern to rows of `command → fit`.
#[track_caller]
fn runs(pattern: &str, rows: &[(&str, &str)]) {
    let read = Pattern::new(pattern).unwrap();
    let wrong: Vec<String> = rows
        .iter()
        .map(|(command, expected)| (command, expected, shown(&read.runs(&simple(command)))))
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

/// Holds the strict reading of a pattern to rows of `command → fit`.
#[track_caller]
fn only(pattern: &str, rows: &[(&str, &str)]) {
    let read = Pattern::new(pattern).unwrap();
    let wrong: Vec<String> = rows
        .iter()
        .map(|(command, expected)| (command, expected, shown(&read.only(&simple(command), &roots()))))
        .filter(|(_, expected, is)| is != *expected)
        .map(|(command, expected, is)| format!("{command}: {is}, not {expected}"))
        .collect();
    assert!(wrong.is_empty(), "only {pattern}\n{}", wrong.join("\n"));
}

mod generous;
mod routes;
mod shape;
mod strict;
