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
    let is_meant = |text: &crate::UnseenText| pattern.is_named_in(text);
    analysis.commands.iter().any(|command| fit(pattern, command) != Fit::No)
        || analysis.opaque.iter().any(|opaque| opaque.text.as_ref().is_none_or(is_meant))
}

fn is_executed(analysis: &Analysis, pattern: &Pattern) -> bool {
    let is_meant = |text: &crate::UnseenText| pattern.is_named_in(text);
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

#[test]
fn a_name_in_code_is_a_program_only_where_it_can_be_one() {
    let start = StartDirectories { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) };
    let mut wrong = Vec::new();
    for (text, pattern, expected) in [
        ("python3 -c 'import numpy as np; print(np.dot([1], [2]))'", "np", false),
        ("python3 -c 'import aws_cdk as cdk; cdk.App()'", "cdk deploy", false),
        ("python3 -c 'from x import mount; mount(1)'", "mount", false),
        ("node -e 'const nc = require(\"netcdf4\"); new nc.File(1)'", "nc", false),
        // A text, or the known value of an argument, may name it.
        ("python3 -c 'import x; x.start(\"np\")'", "np", true),
        ("python3 -c 'import x; name = \"np\"; x.start(name)'", "np", true),
        ("node -e 'require(\"x\").start(`nc`)'", "nc", true),
        ("python3 -c 'import netCDF4 as nc; nc.Dataset(\"a.nc\")'", "nc", false),
        // These libraries make a function of each program.
        ("python3 -c 'from sh import mount; mount(\"x\")'", "mount", true),
        ("python3 -c 'import sh; sh.mount(\"x\")'", "mount", true),
        // A program with its subcommand is also a function of a library.
        ("python3 -c 'import git; git.Repo().git.push()'", "git push", true),
        // In a language in which a word may be a text, each word counts.
        ("ruby -e 'Foo.mount(1)'", "mount", true),
        // The path that a search for a program prints ends in its name.
        ("$(which mount) /dev/sda x", "mount", true),
        ("\"$(command -v mount)\" x", "mount", true),
        ("`type -p mount` x", "mount", true),
        ("$(which python3) x.py", "mount", false),
        // These variables are directories, whose values do not split.
        ("$VIRTUAL_ENV/bin/python x.py", "mount", false),
        ("$VIRTUAL_ENV/bin/mount x", "mount", true),
        ("$SOMETHING/bin/python x.py", "mount", true),
        ("GOPATH=$(x); $GOPATH/bin/lint", "mount", true),
        ("mount() { nc x; }; $(command -v mount) x", "nc", true),
        // A glob names files of the project.
        ("python3 tests/*.py", "esptool.py", false),
        ("node --test *.mjs", "mkfs.mjs", false),
        ("for f in tests/*.py; do python3 $f; done", "esptool.py", false),
        ("python3 tests/esp*.py", "esptool.py", true),
        ("python3 tests/esptool.py", "esptool.py", true),
    ] {
        let (analysis, read) = (analyse(text, &start), Pattern::new(pattern).unwrap());
        let is_script = analysis.scripts().any(|(_, script)| fit(&read, script) != Fit::No);
        if (runs(&analysis, &read) || is_script) != expected {
            wrong.push(format!("{pattern} in {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
