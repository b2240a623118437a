//! Tests of the whole table. `shape` tests how each record is compiled, and `added` the records that a policy adds.

mod added;
mod shape;

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::by_name::check_lookups;

#[test]
fn every_name_is_found() {
    check_lookups(&BY_NAME, |program| program.names);
}

#[test]
fn a_version_in_the_name_is_passed_over() {
    for (name, expected) in [
        ("python3.12", Some("python")),
        ("pip3.11", Some("pip")),
        ("gcc-13", Some("gcc")),
        ("git", Some("git")),
        ("git2", None),
        ("su2", None),
        ("base64", Some("base64")),
        ("python-config", None),
        ("", None),
    ] {
        assert_eq!(program(name).map(|program| program.names[0]), expected, "{name}");
    }
}

#[test]
fn the_table_covers_what_policies_name() {
    for name in [
        "git rm cp mv ln mkdir touch chmod chown find fd grep egrep rg ag sed awk sort uniq head tail cat less wc diff",
        "tar zip unzip gzip curl wget nc dd tee rsync scp ssh npm npx pnpm yarn bun cargo pip uv poetry gh docker",
        "podman kubectl helm terraform tofu aws gcloud az psql mysql sqlite3 make python node ruby perl php jq yq echo",
        "pytest tsc eslint prettier jest vitest ruff black mypy pyright shellcheck gofmt golangci-lint rubocop rspec",
        "printf test true ls pwd env printenv date whoami which type systemctl service crontab kill pkill",
    ]
    .into_iter()
    .flat_map(str::split_whitespace)
    {
        assert!(program(name).is_some(), "{name}");
    }
}

/// Long options that the subcommands of a program define differently, according to the manuals of the program.
const OF_THEIR_OWN: &[(&str, &[&str])] = &[
    ("cargo", &["--bin", "--edition", "--version"]),
    ("docker", &["--attach", "--link", "--pull"]),
    ("docker-compose", &["--pull"]),
    (
        "git",
        &[
            "--base",
            "--branch",
            "--branches",
            "--cc",
            "--column",
            "--committer",
            "--config",
            "--contains",
            "--count",
            "--directory",
            "--edit",
            "--format",
            "--ignore-submodules",
            "--ignored",
            "--include",
            "--jobs",
            "--merge-base",
            "--porcelain",
            "--progress",
            "--prune",
            "--recurse-submodules",
            "--recursive",
            "--reference",
            "--reflog",
            "--refs",
            "--remotes",
            "--shared",
            "--short",
            "--show-current-patch",
            "--signoff",
            "--skip",
            "--source",
            "--squash",
            "--stat",
            "--tags",
            "--template",
        ],
    ),
    ("kubectl", &["--raw"]),
];

#[test]
fn an_option_means_the_same_in_each_subcommand_that_has_it() {
    let (mut apart, mut seen) = (Vec::new(), BTreeSet::new());
    for program in programs() {
        let name = program.names[0];
        let own = OF_THEIR_OWN.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, options)| *options);
        let mut known: BTreeMap<&str, (&str, &ProgramOption)> = BTreeMap::new();
        for command in program.commands {
            for option in command.all_options() {
                for spelling in option.names.iter().filter(|spelling| spelling.starts_with("--")) {
                    let (first, other) = *known.entry(spelling).or_insert((command.names[0], option));
                    if (other.arity, other.does) == (option.arity, option.does) {
                        continue;
                    }
                    seen.insert((name, *spelling));
                    if !own.contains(spelling) {
                        apart.push(format!("{name} {spelling}: {first} {other:?}, {} {option:?}", command.names[0]));
                    }
                }
            }
        }
    }
    assert!(apart.is_empty(), "{}", apart.join("\n"));
    let listed = OF_THEIR_OWN.iter().flat_map(|(name, options)| options.iter().map(move |option| (*name, *option)));
    let alike: Vec<_> = listed.filter(|pair| !seen.contains(pair)).collect();
    assert!(alike.is_empty(), "alike by now: {alike:?}");
}

#[test]
fn a_subcommand_that_is_like_another_has_all_of_its_options() {
    let cargo = program("cargo").unwrap();
    let (check, clippy) = (cargo.command("check").unwrap(), cargo.command("clippy").unwrap());
    for option in check.all_options() {
        assert_eq!(clippy.option(option.name()), Some(option));
    }
}
