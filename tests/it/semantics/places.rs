//! The places of a rule: facts of git belong to the file that a tool names, to the commands that a `runs` matches and to
//! the files that its tests match.

use hookrules::facts::{GitState, StatedFacts};
use serde_json::json;

use crate::kit::Comes::{F, T, U};
use crate::kit::{Comes, Given, allowing, bash, call, check, conditions, event, judge, policy, read, write};

/// The project is on `main`; its linked worktree `/w` is on `topic`, and there is a repository in `/tmp/clone`.
fn trees() -> StatedFacts {
    let on = |branch: &str| GitState { branch: Some(branch.to_owned()), ..GitState::default() };
    StatedFacts::for_examples()
        .with_worktree("/w")
        .with_working_tree("/project", on("main"))
        .with_working_tree("/w", GitState { worktree: true, ..on("topic") })
        .with_working_tree("/tmp/clone", on("main"))
}

const MAIN: &str = "/project";
const LINKED: &str = "/w";

fn from(directory: &str, given: Given) -> Given {
    given.set(json!({ "cwd": directory })).with(trees())
}

/// Checks one condition on calls from a directory.
#[track_caller]
fn each(condition: &str, directory: &str, rows: &[(Given, Comes)]) {
    for (given, expected) in rows {
        let given = Given { payload: given.payload.clone(), facts: Box::new(trees()) };
        println!("from {directory}: {:?}", given.payload);
        conditions(&from(directory, given), &[(condition, *expected)]);
    }
}

#[test]
fn a_file_tool_is_judged_in_the_working_tree_of_its_file() {
    let on_main = r#"git.branch == "main""#;
    let edit = |path: &str| call("Edit", json!({"file_path": path, "old_string": "a", "new_string": "b"}));
    for directory in [MAIN, LINKED, "/", "/tmp"] {
        each(
            on_main,
            directory,
            &[
                (edit("/project/src/a.rs"), T),
                (write("/project/src/new/deep/a.rs", "x"), T),
                (read("/project/a"), T),
                (edit("/w/src/a.rs"), F),
                (write("/w/a", "x"), F),
                (write("/tmp/clone/a", "x"), T),
                (call("NotebookEdit", json!({"notebook_path": "/w/a.ipynb", "new_source": "x"})), F),
                (call("Grep", json!({"pattern": "x", "path": "/w"})), F),
                (call("Grep", json!({"pattern": "x", "path": "/project"})), T),
            ],
        );
    }
    // A file outside of all working trees belongs to the directory of the session.
    each(on_main, MAIN, &[(write("/tmp/a", "x"), T), (read("/etc/hosts"), T)]);
    each(on_main, LINKED, &[(write("/tmp/a", "x"), F), (read("/etc/hosts"), F)]);
    each("git.worktree", MAIN, &[(write("/w/a", "x"), T), (write("/project/a", "x"), F)]);
}

#[test]
fn a_command_is_judged_in_the_working_trees_of_the_files_that_its_tests_match() {
    let on_main = r#"writes like "**" and git.branch == "main""#;
    each(
        on_main,
        LINKED,
        &[
            (bash("echo x > /project/src/a.ts"), T),
            (bash("echo x > ../project/src/a.ts"), T),
            (bash("cd /project && echo x > src/a.ts"), T),
            (bash("cp a.ts /project/b.ts"), T),
            (bash("tee -a /tmp/clone/a < b"), T),
            (bash("sed -i s/a/b/ src/a.ts"), F),
            (bash("cat /project/a > b"), F),
            (bash("cd /project && echo x > /w/a"), F),
            (bash("echo x > a; echo y > /project/b"), T),
            (bash("sed -i s/a/b/ \"$FILE\""), U),
            (bash("cd \"$DIR\" && echo x > a"), U),
            (bash("echo x > /tmp/a"), F),
        ],
    );
    each(
        on_main,
        MAIN,
        &[
            (bash("echo x > /w/a.ts"), F),
            (bash("cd /w && echo x > a.ts"), F),
            (bash("echo x > a.ts"), T),
            (bash("echo x > /tmp/a"), T),
            (bash("cd /w && echo x > /tmp/a"), F),
            // The checkout writes files, too.
            (bash("git checkout other && echo x > a.ts"), T),
            (bash("git checkout -b other && echo x > a.ts"), F),
            (bash("git -C /w checkout main && echo x > /w/a.ts"), U),
            (bash("echo x > a.ts && git checkout other"), T),
        ],
    );
    // Only the files that the test matches count.
    let sources = r#"writes like "src/**" and git.branch == "topic""#;
    each(sources, MAIN, &[(bash("echo x > src/a; echo y > /w/log"), F), (bash("echo x > log; echo y > /w/src/a"), T)]);
}

#[test]
fn below_a_negation_the_files_count_that_a_test_does_not_match() {
    let outside_docs = r#"not writes under "docs" and git.branch == "main""#;
    each(outside_docs, LINKED, &[(bash("echo x > /project/src/a"), T), (bash("ls"), F)]);
    let elsewhere = r#"writes like "**" and not git.branch == "topic""#;
    each(
        elsewhere,
        LINKED,
        &[(bash("echo x > a"), F), (bash("echo x > /project/a"), T), (bash("echo x > a > /project/a"), T)],
    );
}

#[test]
fn without_runs_and_files_all_commands_count() {
    let on_main = r#"git.branch == "main""#;
    each(
        on_main,
        LINKED,
        &[
            (bash("ls"), F),
            (bash("cd /project && make"), T),
            (bash("git -C /project status"), T),
            (bash("ls; (cd /project; make)"), T),
            (bash("cd \"$X\" && make"), U),
        ],
    );
    each(on_main, MAIN, &[(bash("ls"), T), (bash("cd /w && make"), F), (bash("cd /w/a/b && make"), F)]);
    each(r#"tool_name == "Bash" and git.worktree"#, MAIN, &[(bash("cd /w && make"), T), (bash("make"), F)]);
}

#[test]
fn the_commands_that_runs_matches_count() {
    let publishes = r#"runs "npm publish" and git.branch == "main""#;
    each(
        publishes,
        LINKED,
        &[
            (bash("npm publish"), F),
            (bash("npm publish 2>/dev/null"), F),
            (bash("cd /project && npm publish"), T),
            (bash("cd /project && npm test; cd /w && npm publish"), F),
        ],
    );
    each(publishes, MAIN, &[(bash("npm publish > /w/log"), T), (bash("npm publish > /dev/null"), T)]);
    let commits = r#"runs "git commit" and git.worktree"#;
    each(commits, MAIN, &[(bash("git -C /w commit -m x"), T), (bash("git commit -m x"), F)]);
}

#[test]
fn a_where_with_files_is_judged_in_their_working_trees() {
    let any = r#"runs "*" where (writes like "**" and git.branch == "main")"#;
    each(
        any,
        LINKED,
        &[
            (bash("echo x > /project/src/a.ts"), T),
            (bash("cd /project && echo x > src/a.ts"), T),
            (bash("echo x > a.ts"), F),
            (bash("echo x > a > /project/b"), T),
            (bash("cd /project && echo x > /w/a"), F),
            (bash("echo x > \"$F\""), U),
        ],
    );
    each(any, MAIN, &[(bash("echo x > /w/a.ts"), F), (bash("echo x > a.ts"), T)]);
    // Without a test of files, the command's directory counts.
    let pushes = r#"runs "git push" where git.branch == "main""#;
    each(pushes, LINKED, &[(bash("git push"), F), (bash("cd /project && git push"), T)]);
}

#[test]
fn an_allow_holds_in_every_place() {
    let on = |directory: &str, text: &str| from(directory, bash(text));
    let topic = r#"writes like "**" and git.branch == "topic""#;
    allowing(&on(LINKED, "echo x > a"), &[(topic, T)]);
    allowing(&on(MAIN, "cd /w && echo x > a"), &[(topic, T)]);
    allowing(&on(MAIN, "echo x > /w/a"), &[(topic, F)]);
    allowing(&on(LINKED, "echo x > a; echo y > /project/b"), &[(topic, F)]);
    allowing(&on(LINKED, "cat /project/a > b"), &[(topic, F)]);
    allowing(&on(LINKED, "echo x > \"$F\""), &[(topic, U)]);
    let file = r#"git.branch == "topic""#;
    allowing(&from(MAIN, write("/w/a", "x")), &[(file, T)]);
    allowing(&from(LINKED, write("/project/a", "x")), &[(file, F)]);
    allowing(&on(LINKED, "ls && cd /project && ls"), &[(r#"only runs "ls" and git.branch == "topic""#, F)]);
    allowing(&on(LINKED, "ls && cd /w/sub && ls"), &[(r#"only runs ["ls", "cd *"] and git.branch == "topic""#, T)]);
    let negated = r#"only runs ["ls", "cd *"] and not git.branch == "main""#;
    allowing(&on(LINKED, "ls && cd /project && ls"), &[(negated, F)]);
}

#[test]
fn comparing_with_the_working_tree_itself_is_about_that_of_the_session() {
    each("path outside git.root", MAIN, &[(write("/w/a", "x"), T), (write("/project/a", "x"), F)]);
    each("writes outside git.root", MAIN, &[(bash("echo x > /w/a"), T), (bash("echo x > a"), F)]);
}

#[test]
fn more_places_than_are_judged_are_unknown() {
    let many = |count: usize| {
        let facts = (0..count).fold(trees(), |facts, n| {
            facts.with_working_tree(format!("/t{n}"), GitState { branch: Some(format!("b{n}")), ..GitState::default() })
        });
        let text: Vec<String> = (0..count).map(|n| format!("echo x > /t{n}/a")).collect();
        bash(&text.join("; ")).with(facts)
    };
    let on = |branch: &str| format!("writes like \"**\" and git.branch == \"{branch}\"");
    conditions(&many(16), &[(&on("b15"), T), (&on("none"), F)]);
    conditions(&many(17), &[(&on("b15"), T), (&on("b16"), U), (&on("none"), U)]);
    // What holds in no place of any branch is false.
    conditions(&many(17), &[("reads like \"*.pem\" and git.branch == \"x\"", F)]);
}

#[test]
fn texts_name_the_place_that_matched() {
    let rule = "rule r {\n  on PreToolUse\n  when writes like \"**\" and git.branch == \"main\"\n  \
                deny \"no edits on {git.branch} of {git.root}\"\n}\n";
    check(rule, &from(LINKED, bash("echo x > /project/a")), "deny by r: no edits on main of /project");
    check(rule, &from(LINKED, write("/tmp/clone/a", "x")), "deny by r: no edits on main of /tmp/clone");
}

#[test]
fn a_command_that_may_be_overtaken_sees_the_state_before_or_after() {
    let pushes = r#"runs "git push" and git.branch == "main""#;
    each(
        pushes,
        MAIN,
        &[
            (bash("git push & git checkout topic"), U),
            (bash("(sleep 1; git push) & git checkout topic"), U),
            (bash("git checkout topic & git push"), U),
            (bash("trap 'git push' EXIT; git checkout topic"), U),
            (bash("git push | git checkout topic"), U),
            (bash("git push; git checkout topic &"), T),
            (bash("git push && git checkout topic"), T),
            (bash("while true; do git push; git checkout topic; done"), U),
        ],
    );
    let here = r#"runs "npm" and file_exists "a""#;
    let files = |text: &str| bash(text).with(StatedFacts::for_examples().with_file("a", true));
    conditions(&files("(sleep 1; npm i) & rm a"), &[(here, U)]);
    conditions(&files("npm i & rm a"), &[(here, U)]);
    conditions(&files("npm i; rm a &"), &[(here, T)]);
}

#[test]
fn a_directory_that_the_call_makes_may_be_a_working_tree_of_its_own() {
    let pushes = r#"runs "git push" and git.branch == "main""#;
    let to_origin = r#"runs "git push" and git.remote == "x""#;
    each(
        pushes,
        LINKED,
        &[
            (bash("git worktree add /n main && cd /n && git push"), U),
            (bash("ln -sfn /project l && cd l && git push"), U),
            (bash("cp -r /project n && cd n && git push"), U),
            (bash("tar xf repository.tar -C n && cd n && git push"), U),
            (bash("mkdir -p n && cd n && git push"), F),
            (bash("tar xf sources.tar && git push"), F),
            (bash("cp -r assets public && cd src && git push"), F),
        ],
    );
    each(to_origin, LINKED, &[(bash("git worktree add /n main && cd /n && git push"), U)]);
}

/// The project has a file `FROZEN`, and its linked worktree another one, `DONE`.
fn files() -> StatedFacts {
    trees().with_file("FROZEN", true).with_file("/w/DONE", true)
}

#[test]
fn a_file_with_a_relative_name_is_the_one_in_the_working_tree_of_the_place() {
    let check = |directory: &str, given: Given, rows: &[(&str, Comes)]| {
        println!("from {directory}: {:?}", given.payload);
        conditions(&given.set(json!({ "cwd": directory })).with(files()), rows);
    };
    let (frozen, done) = (r#"writes like "**" and file_exists "FROZEN""#, r#"writes like "**" and file_exists "DONE""#);
    let not_frozen = r#"writes like "**" and not file_exists "FROZEN""#;
    let absolute = r#"writes like "**" and file_exists "/project/FROZEN""#;
    for directory in [MAIN, LINKED] {
        let rows = [(frozen, T), (done, F), (not_frozen, F), (absolute, T)];
        check(directory, write("/project/src/a", "x"), &rows);
        check(directory, bash("echo x > /project/a"), &rows);
        let rows = [(frozen, F), (done, T), (not_frozen, T), (absolute, T)];
        check(directory, write("/w/src/a", "x"), &rows);
        check(directory, bash("echo x > /w/a"), &rows);
        // One of the two places is enough.
        check(directory, bash("echo x > /w/a; echo x > /project/a"), &[(frozen, T), (done, T), (not_frozen, T)]);
        // Another repository has no such directory: the project is meant.
        check(directory, write("/tmp/clone/a", "x"), &[(frozen, T), (done, F)]);
    }
    let (npm_frozen, npm_done) = (r#"runs "npm" and file_exists "FROZEN""#, r#"runs "npm" and file_exists "DONE""#);
    let where_done = r#"runs "npm" where file_exists "DONE""#;
    check(MAIN, bash("npm i"), &[(npm_frozen, T), (npm_done, F), (where_done, F)]);
    check(LINKED, bash("npm i"), &[(npm_frozen, F), (npm_done, T), (where_done, T)]);
    check(MAIN, bash("cd /w && npm i"), &[(npm_frozen, F), (npm_done, T), (where_done, T)]);
    check(MAIN, bash("rm /w/DONE; cd /w && npm i"), &[(npm_frozen, F), (npm_done, U)]);
    check(MAIN, bash("cd \"$D\" && npm i"), &[(npm_frozen, U), (npm_done, U)]);
    let logs_there = r#"runs "npm" where (writes like "**" and file_exists "DONE")"#;
    check(MAIN, bash("npm i > /w/log"), &[(logs_there, T)]);
    check(MAIN, bash("npm i > log"), &[(logs_there, F)]);
    // An event has the working tree of the session.
    check(LINKED, event("Stop", json!({})), &[(r#"file_exists "DONE""#, T), (r#"file_exists "FROZEN""#, F)]);
    // A name from the event is relative to the project of the session.
    let named = r#"file_exists `$.tool_input.content`"#;
    check(MAIN, write("/w/a", "FROZEN"), &[(named, T)]);
    check(MAIN, write("/w/a", "DONE"), &[(named, F)]);
    // Without linked worktrees, there is one project.
    let alone = StatedFacts::for_examples().with_file("FROZEN", true);
    conditions(&bash("cd \"$D\" && npm i").with(alone), &[(npm_frozen, T)]);
}

#[test]
fn the_texts_of_a_rule_are_about_the_place_that_matched() {
    let says = |condition: &str, directory: &str, given: Given, expected: &str| {
        let rule =
            format!("rule r {{\n  on PreToolUse\n  when {condition}\n  deny \"{{match}} on {{git.branch}}\"\n}}\n");
        let judged = judge(&policy(&rule), &from(directory, given));
        assert_eq!(judged.verdict.message(), expected, "{condition}");
    };
    let writes = r#"writes like "**" and git.branch == "main""#;
    for text in
        ["echo x > /w/a; echo x > /project/b", "echo x > /project/b; echo x > /w/a", "touch /w/a /tmp/c /project/b"]
    {
        says(writes, LINKED, bash(text), "b on main");
    }
    says(writes, LINKED, bash("touch /w/a /project/b /project/c"), "b on main");
    let pushes = r#"runs "git push" and git.branch == "main""#;
    let filtered = r#"runs "git push" where operand 1 == "origin" and git.branch == "main""#;
    for condition in [pushes, filtered] {
        says(condition, MAIN, bash("git -C /w push origin; git push origin"), "git push origin on main");
        says(
            condition,
            LINKED,
            bash("git push origin; git -C /project push origin"),
            "git -C /project push origin on main",
        );
    }
    says(pushes, MAIN, bash("(cd /w; git push origin a); git push b; git push c"), "git push b on main");
}

#[test]
fn git_that_only_looks_writes_no_other_repository() {
    let on_main = r#"writes like "**" and git.branch == "main""#;
    let rows = [
        ("git -C /project fetch", F),
        ("git -C /project status", F),
        ("git -C /project remote -v", F),
        ("git -C /project branch -a", F),
        ("git -C /project stash list", F),
        ("git -C /project fetch origin x:topic", T),
        ("git -C /project pull", T),
        ("git -C /project commit -m x", T),
        ("git -C /w commit -m x", F),
    ];
    for (text, expected) in rows {
        each(on_main, LINKED, &[(bash(text), expected)]);
    }
}
