//! Symbolic links, on a real directory: a link neither hides what a guard looks for nor opens what an allow grants.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::kit::Comes::{F, T};
use crate::kit::*;
use crate::system::link;
use hookrules::facts::{MachineFacts, resolve};

struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    /// Creates `real/` with a secret, `outside/`, and links between them.
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["real/src", "outside"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        fs::write(at("real/.env"), "A=1").unwrap();
        fs::write(at("real/src/a.rs"), "").unwrap();
        fs::write(at("outside/.env"), "B=1").unwrap();
        link(at("outside"), at("real/out"));
        link(at("real/.env"), at("real/notes.txt"));
        link(at("real"), at("project"));
        link(at("real/src"), at("outside/in"));
        Self { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn read(&self, project: &str, file: &str) -> Given {
        self.call(project, "Read", json!({"file_path": self.path(file)}))
    }

    fn call(&self, project: &str, tool: &str, input: serde_json::Value) -> Given {
        let project = self.path(project);
        call(tool, input).set(json!({"cwd": project})).with(MachineFacts::new(Some(project)))
    }
}

#[test]
fn a_link_hides_nothing_from_a_guard() {
    let machine = Machine::new();
    let given = machine.read("real", "real/notes.txt");
    conditions(&given, &[("path like \".env\"", T), ("reads like \".env\"", T), ("path like \"notes.txt\"", T)]);
    let out = machine.read("real", "real/out/x");
    conditions(&out, &[("path outside project", T), ("path under project", T), ("reads outside project", T)]);
}

#[test]
fn what_one_form_of_a_path_comes_to_is_not_taken_for_the_other() {
    let machine = Machine::new();
    // The directory has the same path in both forms, and the project has that path in one of them.
    let searched = machine.call("project", "Grep", json!({"pattern": "A", "path": machine.path("real")}));
    conditions(&searched, &[("reads like \"src/*.rs\"", T), ("reads like \"src/*.py\"", F)]);
    // The project is the same, and the directory is elsewhere.
    let linked = machine.call("real", "Grep", json!({"pattern": "A", "path": machine.path("real/out")}));
    conditions(&linked, &[("reads like \"**/outside/.env\"", T), ("reads like \"out/.env\"", T)]);
    let own = machine.call("real", "Grep", json!({"pattern": "A", "path": machine.path("real")}));
    conditions(&own, &[("reads like \".env\"", T), ("reads like \"src/*.rs\"", T), ("reads like \"src/*.py\"", F)]);
}

#[test]
fn a_link_opens_nothing_for_an_allow() {
    let machine = Machine::new();
    allowing(
        &machine.read("real", "real/out/x"),
        &[("path under project", F), ("reads under project", F), ("path like \"out/*\"", F)],
    );
    allowing(&machine.read("real", "real/notes.txt"), &[("path like \"*.txt\"", F), ("path not like \".env\"", F)]);
    allowing(&machine.read("real", "real/src/a.rs"), &[("path under project", T), ("path like \"src/*\"", T)]);
    // Into the project through a link from outside: the lexical form is not in the project.
    allowing(&machine.read("real", "outside/in/a.rs"), &[("path under project", F)]);
}

#[test]
fn negations_and_exceptions_are_judged_in_both_forms_too() {
    let machine = Machine::new();
    let given = machine.read("real", "real/out/x");
    conditions(&given, &[("path not under project", T), ("not path under project", T)]);
    let unless = policy("rule r {\n  on PreToolUse\n  unless path under project\n  deny \"{match}\"\n}\n");
    assert!(judge(&unless, &given).verdict.decision() == hookrules::verdict::Decision::Deny);
    let allow = policy("rule r {\n  on PreToolUse\n  unless path outside project\n  allow\n}\n");
    assert!(judge(&allow, &given).verdict.decision() == hookrules::verdict::Decision::Pass);
}

#[test]
fn a_project_that_is_reached_through_a_link_is_the_same_project() {
    let machine = Machine::new();
    let by_link = machine.read("project", "project/src/a.rs");
    allowing(
        &by_link,
        &[
            ("path under project", T),
            ("path like \"src/*\"", T),
            ("reads like \"src/**\"", T),
            ("path == \"src/a.rs\"", T),
        ],
    );
    let physical = machine.read("project", "real/src/a.rs");
    conditions(&physical, &[("path under project", T), ("path like \"src/*\"", T)]);
}

#[test]
fn a_policy_that_names_a_link_means_where_it_leads() {
    let machine = Machine::new();
    let at = |name: &str| machine.path(name).to_str().unwrap().to_owned();
    let given = machine.read("real", "outside/x");
    conditions(&given, &[(&format!("path under \"{}\"", at("real/out")), T)]);
}

#[test]
fn a_search_reads_the_files_below_that_exist() {
    let machine = Machine::new();
    let grep = |input: serde_json::Value| machine.call("real", "Grep", input);
    conditions(
        &grep(json!({"pattern": "A"})),
        &[("reads like \".env\"", T), ("reads like \"*.pem\"", F), ("reads like \"src/*\"", T)],
    );
    let at = |name: &str| machine.path(name);
    conditions(
        &grep(json!({"pattern": "A", "path": at("real/src")})),
        &[("reads like \".env\"", F), ("reads like \"*.rs\"", T)],
    );
    conditions(
        &grep(json!({"pattern": "A", "glob": "*.rs"})),
        &[("reads like \".env\"", F), ("reads like \"*.rs\"", T)],
    );
    conditions(
        &grep(json!({"pattern": "A", "glob": ".env"})),
        &[("reads like \".env\"", T), ("reads like \"*.rs\"", F)],
    );
    conditions(&grep(json!({"pattern": "A", "glob": "a.rs"})), &[("reads like \"src/a.rs\"", T)]);
    conditions(&grep(json!({"pattern": "A", "glob": "*.md .env"})), &[("reads like \".env\"", T)]);
    conditions(&grep(json!({"pattern": "A", "glob": "*.md,.env"})), &[("reads like \".env\"", T)]);
    conditions(&grep(json!({"pattern": "A", "glob": "!*.rs"})), &[("reads like \".env\"", T)]);
    conditions(&grep(json!({"pattern": "A", "path": at("real/.env")})), &[("reads like \".env\"", T)]);
    conditions(
        &grep(json!({"pattern": "A", "path": at("")})),
        &[("reads under project", T), ("reads outside project", T)],
    );
    conditions(&grep(json!({"pattern": "A"})), &[("reads under project", T), ("reads outside project", F)]);
}

#[test]
fn a_glob_reads_from_where_its_pattern_begins() {
    let machine = Machine::new();
    let glob = |input: serde_json::Value| machine.call("real", "Glob", input);
    let outside = machine.path("outside");
    let below = |rest: &str| format!("{}/{rest}", outside.display());
    let under = format!("reads under \"{}\"", outside.display());
    for pattern in [below("*"), below("**/.env"), "../outside/*".to_owned(), "src/../../outside/.e*".to_owned()] {
        conditions(
            &glob(json!({"pattern": pattern})),
            &[(&under, T), ("reads outside project", T), ("reads like \".env\"", T)],
        );
    }
    conditions(
        &glob(json!({"pattern": "**/*.rs"})),
        &[(&under, F), ("reads outside project", F), ("reads like \".env\"", F)],
    );
    conditions(&glob(json!({"pattern": "**/.env"})), &[("reads like \".env\"", T)]);
    conditions(&glob(json!({"pattern": "*", "path": outside})), &[(&under, T), ("reads outside project", T)]);
}

#[test]
fn git_is_read_from_files() {
    let machine = Machine::new();
    fs::create_dir_all(machine.path("real/.git")).unwrap();
    fs::write(machine.path("real/.git/HEAD"), "ref: refs/heads/release/1.0\n").unwrap();
    fs::write(machine.path("real/.git/config"), "[remote \"origin\"]\n\turl = https://example.com/r.git\n").unwrap();
    let given = machine.read("real", "real/src/a.rs");
    let root = format!("git.root == \"{}\"", resolve(&machine.path("real")).display());
    conditions(
        &given,
        &[
            ("git.branch == \"release/1.0\"", T),
            ("git.remote == \"https://example.com/r.git\"", T),
            ("git.worktree", F),
            (&root, T),
            ("path under git.root", T),
            ("file_exists \"src/a.rs\"", T),
            ("file_size \".env\" == 3", T),
            ("file_exists \"notes.txt\"", T),
            ("file_exists \"nowhere\"", F),
        ],
    );
    fs::write(machine.path("real/.git/HEAD"), "0123456789012345678901234567890123456789\n").unwrap();
    conditions(&machine.read("real", "real/a"), &[("exists git.branch", F), ("git.branch != \"main\"", T)]);
    let nowhere = call("Read", json!({"file_path": "/x"}))
        .set(json!({"cwd": "/"}))
        .with(MachineFacts::new(Some(Path::new("/").to_path_buf())));
    conditions(&nowhere, &[("exists git.root", F)]);
}
