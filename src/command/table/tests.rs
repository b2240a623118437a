//! What holds of every entry.

use std::collections::BTreeSet;

use super::super::by_name::SLOTS;
use super::*;

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
fn every_name_is_found_near_its_slot() {
    let mut names = 0;
    for listed_program in GROUPS.iter().copied().flatten() {
        for name in listed_program.names {
            names += 1;
            assert!(listed(name).is_some_and(|found| found.names == listed_program.names), "{name}");
        }
    }
    for name in ["", "no-such-program", "gitt", "GIT"] {
        assert!(listed(name).is_none(), "{name}");
    }
    assert_eq!(BY_NAME.slots.iter().filter(|slot| **slot > 0).count(), names);
    assert!(names < SLOTS / 3, "{names} names stand too close");
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
