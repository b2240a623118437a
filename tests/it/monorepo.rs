//! The example of a monorepo: each row of the tables in its README.md holds in a real repository with worktrees,
//! wherever the session starts.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::{Value as Json, json};

use crate::book::fenced;
use crate::machine::{Machine, Printed, Reply, send};
use crate::source::{files, read, root};

const README: &str = "examples/monorepo/README.md";
/// The names of the working trees that the example's script makes.
const TREES: [&str; 3] = ["main", "topic", "release"];
/// The directories of the example with a policy, besides its root.
const PACKAGES: [&str; 3] = ["packages/api", "packages/ui", "infra"];
/// The author of the hook's own votes, in the log of decisions and in the README.
const HOOK_ITSELF: (&str, &str) = ("rules", "the hook itself");

/// Makes the working trees of the example, below `acme`.
#[track_caller]
fn working_trees() -> Machine {
    let machine = Machine::new();
    let mut script = Command::new("sh");
    script
        .arg(root().join("examples/monorepo/worktrees.sh"))
        .arg(machine.path("acme"))
        .env("HOME", machine.path("home"));
    for role in ["AUTHOR", "COMMITTER"] {
        script.env(format!("GIT_{role}_NAME"), "Ann").env(format!("GIT_{role}_EMAIL"), "ann@example.org");
    }
    let made = script.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    machine
}

/// Returns the cells of the rows below a header in the README.
#[track_caller]
fn table(header: &str) -> Vec<Vec<String>> {
    let readme = read(README);
    let (_, rest) = readme.split_once(&format!("{header}\n")).expect("the header");
    let rows = rest.lines().skip(1).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" |").map(without_backticks).collect()).collect()
}

/// Returns a text without the blanks and backticks around it.
fn without_backticks(text: &str) -> String {
    text.trim().trim_matches('`').to_owned()
}

/// Returns the names in a cell: those of rules, and perhaps the hook's.
fn names(cell: &str) -> BTreeSet<String> {
    cell.split(", ").filter(|name| !name.is_empty()).map(without_backticks).collect()
}

/// Sends a call to a hook whose session starts in a directory, and returns the decision and the rules that made it. The
/// relative paths in the call are relative to the root of a working tree.
#[track_caller]
fn play(machine: &Machine, call: &str, tree: &str, session: &str) -> (String, BTreeSet<String>) {
    let (tool, text) = call.split_once(' ').expect("a tool and its text");
    let text = text.trim_matches('"');
    let root = format!("acme/{tree}");
    let mut payload = match tool {
        "Bash" if tree == session => machine.bash(text),
        "Bash" => machine.bash(&format!("cd {} && {text}", machine.in_shell(&root))),
        _ => machine.file(tool, &format!("{root}/{text}")),
    };
    if tool == "Edit" {
        payload["tool_input"]["old_string"] = json!("a");
        payload["tool_input"]["new_string"] = json!("b");
    }
    let start = machine.path("acme").join(session);
    payload["cwd"] = json!(start);
    let mut hook = machine.hook_command(&[]);
    hook.env("CLAUDE_PROJECT_DIR", start);
    machine.forget_claims();
    let reply = Reply::of(&send(hook, payload.to_string().as_bytes()));
    let decision = if reply.decision().is_empty() { "pass" } else { reply.decision() };
    (decision.to_owned(), take_deciding_rules(machine, decision))
}

/// Takes the line of the last call out of the log of decisions, and returns the rules that cast the decision. A rule of
/// a directory that the session is not in has the directory behind its name, which is left out.
#[track_caller]
fn take_deciding_rules(machine: &Machine, decision: &str) -> BTreeSet<String> {
    let logs = machine.path("state/log");
    let Ok(projects) = fs::read_dir(&logs) else { return BTreeSet::new() };
    let mut found = BTreeSet::new();
    for project in projects {
        let Ok(log) = fs::read_to_string(project.unwrap().path().join("decisions.jsonl")) else { continue };
        for line in log.lines() {
            let line: Json = serde_json::from_str(line).unwrap();
            let votes = line["rules"].as_array().into_iter().flatten().filter(|vote| vote["decision"] == decision);
            let names = votes.filter_map(|vote| vote["rule"].as_str()?.split(" (").next());
            found.extend(names.map(|name| if name == HOOK_ITSELF.0 { HOOK_ITSELF.1 } else { name }.to_owned()));
        }
    }
    fs::remove_dir_all(logs).unwrap();
    found
}

/// Returns where sessions start that make one and the same call: at the root, in a package that the call is not about,
/// in one that it is about, and in another working tree.
fn sessions(call: &str, tree: &str) -> BTreeSet<String> {
    let named = PACKAGES.iter().find(|package| call.contains(*package)).unwrap_or(&PACKAGES[0]);
    let other =
        PACKAGES.iter().rev().find(|package| !call.contains(*package)).expect("a call is not about all packages");
    let another = TREES.iter().rev().find(|other| **other != tree).expect("several working trees");
    let found = ["main".to_owned(), format!("main/{other}"), format!("{tree}/{named}"), (*another).to_owned()];
    BTreeSet::from(found)
}

#[test]
fn each_row_of_the_example_holds_wherever_the_session_starts() {
    let machine = working_trees();
    let rows = table("| call | working tree | decision | rule |");
    assert!(rows.len() >= 24, "{rows:?}");
    let mut wrong = Vec::new();
    for row in &rows {
        let [call, tree, decision, rules] = &row[..] else { panic!("{row:?}") };
        let expected = names(rules);
        for session in sessions(call, tree) {
            let (answer, by) = play(&machine, call, tree, &session);
            // A policy that a call meets does not judge it if those of the session deny it.
            let is_enough = answer == "deny" && !by.is_empty() && by.is_subset(&expected);
            if answer != *decision || (by != expected && !is_enough) {
                wrong.push(format!("{call} in {tree}, by a session in {session}: {answer} by {by:?}, not {row:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let column = |column: usize| rows.iter().map(|row| row[column].as_str()).collect::<BTreeSet<_>>();
    assert_eq!(column(1), BTreeSet::from(TREES));
    assert_eq!(column(2), BTreeSet::from(["ask", "deny", "pass"]));
}

#[test]
fn what_a_package_allows_counts_in_a_session_that_starts_there() {
    let machine = working_trees();
    let rows = table("| call | working tree | session starts in | decision | rule |");
    for row in &rows {
        let [call, tree, session, decision, rules] = &row[..] else { panic!("{row:?}") };
        assert_eq!(play(&machine, call, tree, session), (decision.clone(), names(rules)), "{row:?}");
    }
    assert!(rows.iter().any(|row| row[3] == "allow") && rows.iter().any(|row| row[3] == "pass"), "{rows:?}");
}

#[test]
fn each_rule_of_the_example_decides_in_a_row() {
    let rows = table("| call | working tree | decision | rule |").into_iter();
    let rows = rows.chain(table("| call | working tree | session starts in | decision | rule |"));
    let shown: BTreeSet<String> = rows.flat_map(|row| names(row.last().unwrap())).collect();
    let policies = files("examples/monorepo", &["rules"]);
    assert_eq!(policies.len(), PACKAGES.len() + 1);
    for policy in policies {
        for name in read(&policy).lines().filter_map(|line| line.strip_prefix("rule ")?.strip_suffix(" {")) {
            assert!(shown.contains(name), "{}: no row shows `{name}`", policy.display());
        }
    }
}

/// Runs a command of the program in a directory of the main working tree.
fn inside(machine: &Machine, directory: &str, args: &[&str]) -> Printed {
    let mut command = machine.command(args);
    command.current_dir(machine.path("acme/main").join(directory));
    Printed::of(&send(command, b""))
}

#[test]
fn the_check_of_the_example_prints_what_its_readme_shows() {
    let machine = working_trees();
    let steps = fenced(README, "yaml");
    let [step] = &steps[..] else { panic!("{steps:?}") };
    let check: Vec<&str> = step.trim().strip_prefix("- run: rules ").expect("the step").split(' ').collect();
    let shown = fenced(README, "text");
    let [clean, misspelt] = &shown[..] else { panic!("{shown:?}") };
    let printed = inside(&machine, "", &check);
    assert_eq!((printed.exit, printed.stdout.as_str(), printed.stderr.as_str()), (0, clean.as_str(), ""));

    let policy = "acme/main/packages/api/.rules/api.rules";
    machine.write(policy, &machine.read(policy).replacen("  deny ", "  dney ", 1));
    let printed = inside(&machine, "", &[&check[..], &["--format", "short"]].concat());
    assert_eq!((printed.exit, printed.stdout.as_str()), (1, misspelt.as_str()));
}

#[test]
fn each_policy_of_the_example_is_held_by_its_examples_and_tests() {
    let machine = working_trees();
    for directory in ["", PACKAGES[0], PACKAGES[1], PACKAGES[2]] {
        for args in [
            &["check", "--deny", "info"][..],
            &["test", "--coverage", "--min", "100", "--min-branches", "100"],
            &["mutate"],
        ] {
            let printed = inside(&machine, directory, args);
            assert_eq!(printed.exit, 0, "`{directory}`: {args:?}: {}{}", printed.stdout, printed.stderr);
        }
    }
}
