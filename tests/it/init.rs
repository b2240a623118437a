//! `rules init`: its proposals for realistic projects, that they check clean for every project, and that
//! nothing is written elsewhere.

mod hostile;
mod process;
mod projects;
#[cfg(unix)]
mod terminal;

use std::collections::BTreeSet;

use hookrules::facts::StatedFacts;
use hookrules::init::{ProposalInput, find_in_project, policy_problems, proposal_text, propose, read_project};
use hookrules::packs::PACKS;
use hookrules::verdict::Decision;
use proptest::prelude::*;
use proptest::sample::subsequence;
use proptest::test_runner::Config;

use serde_json::Value as Json;

use crate::kit::{Given, bash, call, judge, policy, shown};
use crate::machine::Machine;
use crate::source::read;
use projects::{POOL, PROJECTS};

/// Creates a machine with a project of these files; a path that ends in `/` is a directory.
fn machine(files: &[(&str, &str)]) -> Machine {
    let machine = Machine::new();
    std::fs::remove_dir_all(machine.path("project/.git")).unwrap();
    for (path, text) in files {
        match path.ends_with('/') {
            true => std::fs::create_dir_all(machine.path(&format!("project/{path}"))).unwrap(),
            false => drop(machine.write(&format!("project/{path}"), text)),
        }
    }
    machine
}

/// Returns the policy that is proposed for these files.
fn proposed(files: &[(&str, &str)], given: &ProposalInput) -> String {
    let machine = machine(files);
    proposal_text(&propose(&find_in_project(&read_project(&machine.path("project"))), given))
}

/// Returns the packs that a policy uses, without `std/`.
fn packs(policy: &str) -> Vec<&str> {
    let uses = policy.lines().filter_map(|line| line.strip_prefix("use \"std/"));
    uses.map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn a_real_looking_project_gets_what_fits_it() {
    for (name, files, expected) in PROJECTS {
        let policy = proposed(files, &ProposalInput::default());
        assert_eq!(policy_problems("project.rules", &policy), "", "{name}\n{policy}");
        let core = ["secrets", "filesystem", "self-protection"];
        let packs = packs(&policy);
        assert!(core.iter().all(|pack| packs.contains(pack)), "{name}: {packs:?}");
        let own: Vec<&str> = packs.into_iter().filter(|pack| !core.contains(pack)).collect();
        assert_eq!(own.join(" "), *expected, "{name}");
    }
}

#[test]
fn a_package_of_a_workspace_has_its_package_manager() {
    const PACKAGE: &str = r#"{"name": "web", "private": true, "scripts": {"test": "vitest run"}}"#;
    for (lock, text, command) in [
        ("pnpm-lock.yaml", "", Some("`pnpm test`")),
        ("pnpm-workspace.yaml", "packages: [packages/*]\n", Some("`pnpm test`")),
        ("yarn.lock", "", Some("`yarn test`")),
        ("bun.lock", "", Some("`bun run test`")),
        (
            "package.json",
            r#"{"packageManager": "pnpm@10.2.0+sha512.00", "workspaces": ["packages/*"]}"#,
            Some("`pnpm test`"),
        ),
        ("README.md", "", None),
    ] {
        let machine =
            machine(&[(".git/HEAD", "ref: refs/heads/main\n"), (lock, text), ("packages/web/package.json", PACKAGE)]);
        // A lock file above the repository belongs to another project.
        machine.write("bun.lockb", "").write("yarn.lock", "");
        let findings = find_in_project(&read_project(&machine.path("project/packages/web")));
        let policy = proposal_text(&propose(&findings, &ProposalInput::default()));
        assert_eq!(policy_problems("project.rules", &policy), "", "{lock}\n{policy}");
        assert!(policy.contains(command.unwrap_or("`npm test`")), "{lock}\n{policy}");
        assert_eq!(packs(&policy).contains(&"packages"), command.is_some(), "{lock}\n{policy}");
        let note = "of the workspace in `../..`";
        assert_eq!(findings.list.iter().any(|found| found.note.as_deref() == Some(note)), command.is_some(), "{lock}");
    }
}

#[test]
fn working_trees_in_a_project_are_no_parts_of_it() {
    let machine = machine(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("README.md", ""),
        (".worktrees/topic/.git", "gitdir: ../../.git/worktrees/topic\n"),
        (".worktrees/topic/main.tf", ""),
        ("clone/.git/HEAD", "ref: refs/heads/main\n"),
        ("clone/go.mod", "module a\n"),
    ]);
    let findings = find_in_project(&read_project(&machine.path("project")));
    let names: Vec<&str> = findings.list.iter().map(|found| found.name.as_str()).collect();
    assert_eq!(names, ["git"]);
    let apart =
        [".worktrees/topic", "clone"].map(|path| format!("`{path}` is a working tree of its own: not looked at"));
    assert_eq!(BTreeSet::from_iter(findings.not_examined), BTreeSet::from(apart));
}

#[test]
fn the_policy_reads_as_written_by_hand() {
    for name in ["rust", "monorepo", "empty"] {
        let (_, files, _) = PROJECTS.iter().find(|(known, _, _)| *known == name).unwrap();
        let policy = proposed(files, &ProposalInput::default());
        let long: Vec<&str> = policy.lines().filter(|line| line.chars().count() > 100).collect();
        assert!(long.is_empty(), "{long:?}");
        insta::with_settings!({
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/init"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name, policy);
        });
    }
}

#[test]
fn every_pack_can_be_added_and_left_out() {
    let all: Vec<&'static str> = PACKS.iter().map(|(name, _)| *name).collect();
    let files: Vec<(&str, &str)> = POOL.to_vec();
    let with = proposed(&files, &ProposalInput { requested: all.clone(), ..ProposalInput::default() });
    assert_eq!(packs(&with).len(), PACKS.len(), "{with}");
    assert_eq!(policy_problems("project.rules", &with), "");
    let without = proposed(&files, &ProposalInput { excluded: all.clone(), ..ProposalInput::default() });
    assert_eq!((packs(&without).len(), policy_problems("project.rules", &without)), (0, String::new()), "{without}");
    let used: BTreeSet<String> = all.iter().map(|name| (*name).to_owned()).collect();
    let taken = BTreeSet::from(["brief-the-session".to_owned()]);
    let beside =
        proposed(&files, &ProposalInput { used_packs: used, existing_rules: taken, ..ProposalInput::default() });
    assert_eq!(packs(&beside).len(), 0, "{beside}");
    assert!(!beside.contains("brief-the-session") && beside.contains("generated"), "{beside}");
    assert_eq!(policy_problems("init.rules", &beside), "");
}

#[test]
fn what_is_proposed_lets_a_days_calls_through() {
    let commands = read("tests/fixtures/shell/another-day.txt");
    let commands = commands.lines().filter(|line| !line.starts_with("# ")).map(|line| bash(&line.replace('⏎', "\n")));
    let calls = read("tests/fixtures/tools/ordinary.jsonl");
    let calls = calls.lines().map(|line| {
        let one: Json = serde_json::from_str(line).unwrap();
        call(one["tool"].as_str().unwrap(), one["input"].clone())
    });
    let day: Vec<Given> = commands.chain(calls).collect();
    let facts = || StatedFacts::for_examples().with_git_branch("topic").with_git_root("/project");
    let day: Vec<Given> = day.into_iter().map(|given| given.with(facts())).collect();
    assert!(day.len() > 200);
    // It has nearly every pack, and its own rules.
    for (name, files, _) in PROJECTS.iter().filter(|(name, _, _)| *name == "monorepo") {
        let policy = policy(&proposed(files, &ProposalInput::default()));
        let told: Vec<String> = day
            .iter()
            .map(|given| judge(&policy, given).verdict)
            .filter(|it| it.decision() > Decision::Allow)
            .map(|it| shown(&it))
            .collect();
        assert!(told.is_empty(), "{name}: {told:#?}");
    }
}

proptest! {
    #![proptest_config(Config { cases: 24, failure_persistence: None, ..Config::default() })]

    #[test]
    fn whatever_a_project_holds_the_policy_checks_clean(
        files in subsequence(POOL, 0..=POOL.len()),
        with in subsequence(PACKS.iter().map(|(name, _)| *name).collect::<Vec<_>>(), 0..3),
    ) {
        let policy = proposed(&files, &ProposalInput { requested: with, ..ProposalInput::default() });
        prop_assert_eq!(policy_problems("project.rules", &policy), "", "{}", policy);
    }
}
