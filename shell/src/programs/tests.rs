//! What holds of every entry.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::by_name::finds_what_is_there;

/// Calls a check with every entry, under the name that it has in a command.
fn each(check: &mut dyn FnMut(&str, &Program)) {
    fn walk(path: &str, programs: &[Program], check: &mut dyn FnMut(&str, &Program)) {
        for program in programs {
            let path = format!("{path}{}", program.names[0]);
            check(&path, program);
            walk(&format!("{path} "), program.commands, check);
        }
    }
    GROUPS.iter().for_each(|group| walk("", group, check));
}

/// Returns the names that stand more than once.
fn twice<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| !seen.insert(*name)).collect()
}

#[test]
fn a_program_stands_once() {
    assert_eq!(twice(GROUPS.iter().copied().flatten().flat_map(|program| program.names).copied()), [""; 0]);
}

#[test]
fn every_name_is_found() {
    finds_what_is_there(&BY_NAME, |program| program.names);
}

#[test]
fn a_subcommand_stands_once() {
    let mut wrong = Vec::new();
    each(&mut |path, program| {
        let names = program.commands.iter().flat_map(|command| command.names).copied();
        wrong.extend(twice(names).into_iter().map(|name| format!("{path} {name}")));
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_spelling_stands_once() {
    let mut wrong = Vec::new();
    each(&mut |path, program| {
        let names = program.options.iter().flat_map(|option| option.names).copied();
        wrong.extend(twice(names).into_iter().map(|name| format!("{path} {name}")));
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn options_are_spelled_with_their_dashes() {
    let mut wrong = Vec::new();
    each(&mut |path, program| {
        for name in program.all_options().flat_map(|option| option.names) {
            let letters = name.trim_start_matches('-');
            let dashes = name.len() - letters.len();
            let fits = if program.reading == Reading::Pairs { dashes == 0 } else { dashes == 1 || dashes == 2 };
            if !fits || letters.is_empty() || name.contains(['=', ' ']) {
                wrong.push(format!("{path} {name}"));
            }
        }
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn what_an_option_means_or_takes_back_is_an_option() {
    let mut wrong = Vec::new();
    each(&mut |path, program| {
        for option in program.all_options() {
            let others = option.means.iter().copied().chain(option.undoes);
            let lost = others.filter(|name| program.option(name).is_none_or(|meant| !meant.means.is_empty()));
            wrong.extend(lost.map(|name| format!("{path} {} → {name}", option.name())));
        }
    });
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn what_is_taken_back_is_named_as_it_is_known() {
    each(&mut |path, program| {
        for undone in program.all_options().filter_map(|option| option.undoes) {
            assert_eq!(program.option(undone).map(Opt::name), Some(undone), "{path}");
        }
    });
}

#[test]
fn entries_have_names() {
    each(&mut |path, program| {
        assert!(!program.names.is_empty() && program.names.iter().all(|name| !name.is_empty()), "{path}");
        assert!(program.all_options().all(|option| !option.names.is_empty()), "{path}");
    });
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

/// Long options that subcommands of one program read each in its own way, as their manuals say.
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
    for program in GROUPS.iter().copied().flatten() {
        let name = program.names[0];
        let own = OF_THEIR_OWN.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, options)| *options);
        let mut known: BTreeMap<&str, (&str, &Opt)> = BTreeMap::new();
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
