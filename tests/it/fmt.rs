//! `rules fmt`: every committed policy is formatted, and formatting never changes its meaning; `RULES_BLESS=1` formats
//! them.

use std::path::{Path, PathBuf};

use hookrules::policy::Policy;
use hookrules::project;
use hookrules::span::Sources;
use hookrules::syntax;

use crate::book::blocks;
use crate::machine::Machine;
use crate::source::{files, read, root};

const UNTIDY: &str = "rule a {\n on   Stop\n\n\n\n warn 'x' # why\n}\n";
const TIDY: &str = "rule a {\n  on Stop\n\n  warn \"x\" # why\n}\n";
const WRONG: &str = "rule a {\n on   Stop\n warn x\n}\n";

fn formatted(name: &str, text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add(name, None, text);
    syntax::format(sources.file_by_id(id).unwrap()).unwrap_or_else(|found| panic!("{name}: {found:?}"))
}

fn is_blessed() -> bool {
    std::env::var_os("RULES_BLESS").is_some()
}

fn policies() -> Vec<PathBuf> {
    ["rules/std", "examples", "tests/fixtures/language", "tests/fixtures/shell"]
        .iter()
        .flat_map(|directory| files(directory, &["rules"]))
        .collect()
}

#[test]
fn every_committed_policy_is_formatted() {
    let policies = policies();
    assert!(policies.len() > 20, "{policies:?}");
    let mut untidy = Vec::new();
    for path in policies {
        let text = read(&path);
        let tidy = formatted(&path.display().to_string(), &text);
        if tidy != text {
            if is_blessed() {
                std::fs::write(root().join(&path), tidy).unwrap();
            }
            untidy.push(path);
        }
    }
    assert!(untidy.is_empty() || is_blessed(), "run `rules fmt` on {untidy:?}");
}

#[test]
fn every_policy_of_the_book_is_formatted() {
    let mut untidy = Vec::new();
    for block in blocks() {
        let place = format!("{}:{}", block.page.display(), block.line);
        let tidy = formatted(&place, &block.text);
        if tidy.trim_end() != block.text.trim_end() {
            if is_blessed() {
                let page = read(&block.page).replace(block.text.trim_end(), tidy.trim_end());
                std::fs::write(root().join(&block.page), page).unwrap();
            }
            untidy.push(place);
        }
    }
    assert!(untidy.is_empty() || is_blessed(), "format the policies at {untidy:?}");
}

/// Returns the compiled form of a policy, without spans.
fn compiled(name: &str, text: &str) -> String {
    let loaded = project::load_text(name, text);
    let policy = Policy::new(loaded.sources, &loaded.layers);
    assert_eq!(policy.errors().count(), 0, "{name}");
    let spans = regex::Regex::new(r"\b\d+\.\.\d+\b").unwrap();
    // The quoting of a string is not compiled.
    spans.replace_all(&format!("{:?}", policy.rules.rules()), "_").into_owned()
}

#[test]
fn a_policy_that_is_formatted_is_compiled_to_the_same() {
    for path in files("rules/std", &["rules"]) {
        let name = path.display().to_string();
        let tidy = read(&path);
        // One line for each clause, no indentation, comments at every possible line end.
        let untidy: String = tidy
            .replace(",\n", ",# c\n\n\n")
            .lines()
            .map(|line| match line.trim_start() {
                inner if inner.starts_with("rule ") || !line.starts_with(' ') => format!("{line}\n"),
                inner => format!(" \t{inner}\n"),
            })
            .collect();
        if untidy.contains("\"\"\"") {
            continue;
        }
        assert_ne!(untidy, tidy);
        let again = formatted(&name, &untidy);
        assert_eq!(again.matches("# c\n").count(), untidy.matches("# c\n").count(), "{name}");
        assert_eq!(compiled(&name, &again), compiled(&name, &tidy), "{name}");
    }
}

#[test]
fn what_other_commands_write_is_formatted() {
    let machine = Machine::new();
    machine.write("project/Cargo.toml", "").write("project/package.json", "{}");
    assert_eq!(machine.rules(&["init", "--yes"], "").exit, 0);
    for name in ["everything", "small", "subagents", "older"] {
        machine.write("project/.conclaude.yaml", &read(format!("tests/fixtures/import/{name}.yaml")));
        let directory = format!("{name}/.rules");
        assert_eq!(machine.rules(&["import", "conclaude", "--to", &directory], "").exit, 0, "{name}");
    }
    for policy in [".rules", "everything", "small", "subagents", "older"] {
        let diff = machine.rules(&["fmt", "--diff", policy], "");
        assert_eq!((diff.exit, diff.stdout.as_str()), (0, ""), "{policy}");
    }
}

#[test]
fn fmt_writes_what_changes_and_nothing_else() {
    let machine = Machine::new();
    machine.write("project/.rules/a.rules", UNTIDY).write("project/.rules/b.rules", TIDY);
    machine.write("project/.rules/rules.toml", "edition   = 1\n").mode("project/.rules/a.rules", 0o640);
    let before = std::fs::metadata(machine.path("project/.rules/b.rules")).unwrap().modified().unwrap();
    let printed = machine.rules(&["fmt"], "");
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""));
    assert_eq!(printed.stdout, "formatted .rules/a.rules\n1 file formatted, 1 file unchanged\n");
    assert_eq!(machine.read("project/.rules/a.rules"), TIDY);
    let mode = crate::system::mode(machine.path("project/.rules/a.rules"));
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(std::fs::metadata(machine.path("project/.rules/b.rules")).unwrap().modified().unwrap(), before);
    assert_eq!(machine.read("project/.rules/rules.toml"), "edition   = 1\n");
    assert_eq!(machine.rules(&["fmt"], "").stdout, "2 files unchanged\n");
    machine.write("project/.rules/a.rules", UNTIDY);
    let quiet = machine.rules(&["fmt", "-q"], "");
    assert_eq!((quiet.exit, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, "", ""));
    assert_eq!(machine.read("project/.rules/a.rules"), TIDY);
}

#[test]
fn fmt_check_and_diff_write_nothing() {
    let machine = Machine::with(UNTIDY);
    let file = files_of(&machine);
    let check = machine.rules(&["fmt", "--check"], "");
    assert_eq!((check.exit, check.stdout.as_str()), (1, ".rules/project.rules\n"));
    assert_eq!(check.stderr, "1 file would be formatted\n");
    let diff = machine.rules(&["fmt", "--diff"], "");
    assert_eq!(diff.exit, 1);
    assert!(
        diff.stdout.starts_with("--- .rules/project.rules\n+++ .rules/project.rules (formatted)\n@@ -1,7 +1,5 @@\n")
    );
    assert!(diff.stdout.contains("\n- warn 'x' # why\n+  warn \"x\" # why\n"), "{}", diff.stdout);
    assert_eq!(machine.read(&file), UNTIDY);
    machine.write(&file, TIDY);
    let clean = machine.rules(&["fmt", "--check", "--diff"], "");
    assert_eq!((clean.exit, clean.stdout.as_str()), (0, ""));
}

/// Returns the policy file of a machine.
fn files_of(machine: &Machine) -> String {
    let file = "project/.rules/project.rules";
    assert!(machine.exists(file));
    file.to_owned()
}

#[test]
fn fmt_leaves_a_file_with_a_mistake_alone() {
    let machine = Machine::new();
    machine.write("project/.rules/a.rules", WRONG).write("project/.rules/b.rules", UNTIDY);
    let printed = machine.rules(&["fmt"], "");
    assert_eq!(printed.exit, 3);
    assert!(printed.stderr.contains(".rules/a.rules:3:"), "{}", printed.stderr);
    assert_eq!(printed.stdout, "formatted .rules/b.rules\n1 file formatted, 1 file with errors\n");
    assert_eq!(machine.read("project/.rules/a.rules"), WRONG);
    let named = machine.rules(&["fmt", "--check", ".rules/a.rules"], "");
    assert_eq!((named.exit, named.stdout.as_str()), (3, ""));
}

#[test]
fn a_file_that_is_named_and_used_is_formatted_once() {
    let machine = Machine::new();
    let uses = format!("use \"./part.rules\"\n\n{TIDY}");
    machine.write("project/part.rules", &UNTIDY.replace("rule a", "rule b")).write("project/all.rules", &uses);
    let printed = machine.rules(&["fmt", "part.rules", "all.rules"], "");
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""));
    assert_eq!(printed.stdout, "formatted part.rules\n1 file formatted, 1 file unchanged\n");
}

#[test]
fn fmt_follows_no_link_out_of_the_project() {
    let machine = Machine::new();
    machine.write("elsewhere/a.rules", UNTIDY).write("project/.rules/own.rules", UNTIDY);
    machine.link(machine.path("elsewhere/a.rules"), "project/.rules/b.rules");
    for args in [&["fmt"][..], &["fmt", ".rules/b.rules"]] {
        let printed = machine.rules(args, "");
        assert_eq!(printed.exit, 3, "{}", printed.stdout);
        assert_ne!(printed.stderr, "");
    }
    assert_eq!(machine.read("elsewhere/a.rules"), UNTIDY);
    assert_eq!(machine.read("project/.rules/own.rules"), TIDY);
    // A link within the project is one of its files.
    machine.write("project/policies/c.rules", UNTIDY);
    machine.link(machine.path("project/policies/c.rules"), "project/linked.rules");
    let printed = machine.rules(&["fmt", "linked.rules"], "");
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""));
    assert_eq!(machine.read("project/policies/c.rules"), TIDY);
    assert!(machine.path("project/linked.rules").symlink_metadata().unwrap().is_symlink());
}

#[test]
fn fmt_reads_standard_input_for_editors() {
    let machine = Machine::new();
    for args in [&["fmt", "-"][..], &["fmt", "--stdin-filename", ".rules/a.rules"]] {
        let printed = machine.rules(args, UNTIDY);
        assert_eq!((printed.exit, printed.stdout.as_str(), printed.stderr.as_str()), (0, TIDY, ""));
        let wrong = machine.rules(args, WRONG);
        assert_eq!((wrong.exit, wrong.stdout.as_str()), (3, ""));
        let name = if args.len() == 2 { "<stdin>:3:" } else { ".rules/a.rules:3:" };
        assert!(wrong.stderr.contains(name), "{}", wrong.stderr);
    }
    let check = machine.rules(&["fmt", "--check", "--stdin-filename", "x.rules"], UNTIDY);
    assert_eq!((check.exit, check.stdout.as_str()), (1, "x.rules\n"));
    assert_eq!(machine.rules(&["fmt", "-", "a.rules"], "").exit, 2);
    assert_eq!(machine.rules(&["fmt"], "").exit, 3);
    assert!(!Path::new(&machine.path("project/.rules/a.rules")).exists());
}
