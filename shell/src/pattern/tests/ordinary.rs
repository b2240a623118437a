//! `only runs`: ordinary options that a `*` covers, and what looks like these.

use super::*;

#[test]
fn a_star_covers_ordinary_options() {
    let rows: &[(&str, &str)] = &[
        ("git commit *", "git commit --amend --no-edit"),
        ("git merge *", "git merge --no-ff --no-edit topic"),
        ("git revert *", "git revert --no-edit HEAD"),
        ("git pull *", "git pull --no-rebase --no-edit"),
        ("git stash push *", "git stash push -u -m x"),
        ("uv sync *", "uv sync --all-extras --dev"),
        ("uv lock *", "uv lock --check"),
        ("bun test *", "bun test --timeout 1000"),
        ("terraform test *", "terraform test -filter=x"),
        ("go test *", "go test -vet=off ./..."),
    ];
    for (pattern, command) in rows {
        only(pattern, &[(command, "yes")]);
    }
}

#[test]
fn a_star_covers_no_words_for_git_that_run_something() {
    only(
        "gh repo clone *",
        &[
            ("gh repo clone a/b", "yes"),
            ("gh repo clone a/b -- --depth=1", "yes"),
            ("gh repo clone a/b -- --template=/tmp/h", "no"),
            ("gh repo clone a/b -- -c core.hooksPath=/tmp/h", "no"),
        ],
    );
}

#[test]
fn a_star_covers_no_module_of_another_host() {
    only(
        "go test *",
        &[
            ("go test ./...", "yes"),
            ("go test internal/x.y/z", "yes"),
            ("go test -mod=mod evil.example/x", "no"),
            ("go vet evil.example/x", "no"),
        ],
    );
    only("pytest *", &[("pytest a.tests/x", "yes")]);
}
