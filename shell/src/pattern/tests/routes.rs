//! Every known way in which bash runs a program indirectly: none of them is missed.

use std::path::Path;

use crate::analysis::{Analysis, SimpleCommand, StartDirectories};
use crate::glob::Fit;
use crate::interpret::analyse;
use crate::pattern::Pattern;

/// Tests a command as `runs` does.
fn fit(pattern: &Pattern, command: &SimpleCommand) -> Fit {
    pattern.runs(command).and(command.doubt.clone().map_or(Fit::Yes, Fit::Maybe))
}

fn runs(analysis: &Analysis, pattern: &Pattern) -> bool {
    let is_meant = |text: &String| pattern.is_named_in(text);
    analysis.commands.iter().any(|command| fit(pattern, command) != Fit::No)
        || analysis.opaque.iter().any(|opaque| opaque.text.as_ref().is_none_or(is_meant))
}

fn is_executed(analysis: &Analysis, pattern: &Pattern) -> bool {
    let is_meant = |text: &String| pattern.is_named_in(text);
    let mut sources = analysis.commands.iter().flat_map(|command| &command.code_from);
    sources.any(|id| analysis.command(*id).is_some_and(|source| fit(pattern, source) != Fit::No))
        || analysis.opaque.iter().any(|opaque| opaque.text.as_ref().is_none_or(is_meant))
}

#[test]
fn no_route_is_missed() {
    let fixture = include_str!("../../../fixtures/routes.txt");
    let start = StartDirectories { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) };
    let pattern = |text: &str| Pattern::new(text).unwrap();
    let mut missed = Vec::new();
    let mut count = 0;
    for block in fixture.split("\n%% ").skip(1) {
        let (kind, text) = block.split_once('\n').unwrap();
        let analysis = analyse(text, &start);
        count += 1;
        let is_seen = match kind {
            "runs" => runs(&analysis, &pattern("target")),
            "pipes" => is_executed(&analysis, &pattern("curl")),
            other => panic!("{other}"),
        };
        if !is_seen {
            missed.push(format!("{kind}: {text}"));
        }
    }
    assert!(count > 700, "{count}");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
