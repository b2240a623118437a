//! Paths: their base directory, globs on them, containment, case.

use serde_json::json;

use crate::kit::Comes::{F, T, U};
use crate::kit::*;
use hookrules::facts::StatedFacts;

#[test]
fn a_path_of_the_payload_is_read_from_the_cwd_and_one_of_the_policy_from_the_project() {
    let given = read("a.rs").set(json!({"cwd": "/project/sub"}));
    conditions(
        &given,
        &[
            ("path == \"sub/a.rs\"", T),
            ("path == \"a.rs\"", F),
            ("path == \"/project/sub/a.rs\"", T),
            ("path like \"sub/*\"", T),
            ("path like \"a.rs\"", T),
            ("path under \"sub\"", T),
            ("path under \"other\"", F),
            ("path under cwd", T),
            ("tool_input.file_path == \"sub/a.rs\"", T),
        ],
    );
    conditions(&read("../../etc/passwd").set(json!({"cwd": "/project/sub"})), &[("path == \"/etc/passwd\"", T)]);
    conditions(&read("/../../x"), &[("path == \"/x\"", T)]);
}

#[test]
fn home_is_written_in_three_ways() {
    for text in ["~/.ssh/id", "$HOME/.ssh/id", "${HOME}/.ssh/id", "/home/user/.ssh/id", "/home/user/./x/../.ssh//id"] {
        conditions(
            &read(text),
            &[
                ("path like \"~/.ssh/**\"", T),
                ("path under home", T),
                ("path under \"~/.ssh\"", T),
                ("path == \"~/.ssh/id\"", T),
                ("path like \"$HOME/.ssh/*\"", T),
                ("path under project", F),
            ],
        );
    }
    conditions(&read("~other/x"), &[("path == \"/project/~other/x\"", T)]);
}

#[test]
fn globs_on_paths_have_four_beginnings() {
    let table: &[(&str, &str, bool)] = &[
        // Without a slash: at any depth and anywhere.
        (".env", ".env", true),
        (".env", "a/b/.env", true),
        (".env", "/elsewhere/.env", true),
        (".env", ".env.local", false),
        ("*.rs", "src/a.rs", true),
        ("*.rs", "/x/a.rs", true),
        ("**/*.pem", "/x/y.pem", true),
        ("**/*.pem", "y.pem", true),
        ("**/secrets/*", "a/secrets/b", true),
        ("**/secrets/*", "a/secrets/b/c", false),
        // Relative to the root or to home.
        ("/etc/*", "/etc/passwd", true),
        ("/etc/*", "/etc/a/b", false),
        ("/etc/**", "/etc/a/b", true),
        ("/etc/**", "/etcetera", false),
        ("~/.ssh/**", "~/.ssh/a/b", true),
        ("~/.ssh/**", ".ssh/a", false),
        // Otherwise relative to the project.
        ("src/*", "src/a", true),
        ("src/*", "/src/a", false),
        ("src/*", "x/src/a", false),
        ("src/*", "src/a/b", false),
        ("src/**", "src/a/b", true),
        ("./*", "a", true),
        ("./*", "a/b", false),
        ("src/**/*.rs", "src/a.rs", true),
        ("src/**/*.rs", "src/x/y/a.rs", true),
        ("src/**/{a,b}.rs", "src/x/b.rs", true),
        ("src/{a,b}/*", "src/c/x", false),
        ("src/[ab].rs", "src/b.rs", true),
        ("src/?.rs", "src/b.rs", true),
        ("src/*", "src/.hidden", true),
        ("*", ".hidden", true),
        ("**", "/anything/at/all", true),
        ("src/../lib/*", "lib/a", true),
        ("../sibling/*", "/sibling/a", true),
    ];
    for (glob, path, expected) in table {
        let expected = if *expected { T } else { F };
        conditions(&read(path), &[(&format!("path like \"{glob}\""), expected)]);
    }
}

#[test]
fn in_a_list_of_globs_the_last_that_matches_decides() {
    let secrets = "let secrets = [\".env\", \".env.*\", \"!.env.example\", \"**/*.pem\"]";
    for (path, expected) in
        [(".env", T), (".env.local", T), (".env.example", F), ("a/.env.example", F), ("k.pem", T), ("x", F)]
    {
        conditions_with(
            secrets,
            &read(path),
            &[("path like secrets", expected), ("path not like secrets", if expected == T { F } else { T })],
        );
    }
    conditions(&read("a.rs"), &[("path like [\"*\", \"!*.rs\", \"a.*\"]", T), ("path like [\"!*.rs\", \"*\"]", T)]);
}

#[test]
fn containment_is_by_component() {
    let facts = || StatedFacts::for_examples().with_worktree("/work/tree");
    let of = |path: &str| read(path).with(facts());
    conditions(&of("/project"), &[("path under project", T), ("path outside project", F)]);
    conditions(&of("/projectile/a"), &[("path under project", F), ("path outside project", T)]);
    conditions(&of("/project/../etc/x"), &[("path under project", F), ("path outside project", T)]);
    conditions(&of("/work/tree/a"), &[("path under project", T), ("path outside project", F)]);
    for (path, place) in [("/tmp/x", "tmp"), ("/var/tmp/x", "tmp"), ("~/x", "home"), ("/project/docs/x", "\"docs\"")] {
        conditions(
            &of(path),
            &[
                (&format!("path under {place}"), T),
                (&format!("path outside {place}"), F),
                (&format!("path under [\"/opt\", {place}]"), T),
                (&format!("path outside [\"/opt\", {place}]"), F),
                (&format!("path not outside {place}"), T),
                (&format!("path outside [{place}]"), F),
            ],
        );
    }
    conditions_with(
        "let places = [\"/opt\", \"docs\"]",
        &of("docs/a"),
        &[("path under places", T), ("path outside places", F), ("path outside [...places, tmp]", F)],
    );
}

#[test]
fn a_project_below_the_temporary_directory_is_not_temporary() {
    let facts = || StatedFacts::for_examples().with_project("/tmp/w/p").with_worktree("/var/tmp/tree");
    let of = |path: &str| read(path).with(facts());
    for path in ["/tmp/w/p/a", "/tmp/w/p", "/var/tmp/tree/a"] {
        conditions(
            &of(path),
            &[
                ("path under tmp", F),
                ("path outside [tmp]", T),
                ("path outside [tmp, home]", T),
                ("path under [project, tmp]", T),
                ("reads outside tmp", T),
                ("path under \"/tmp\" or path under \"/var/tmp\"", T),
            ],
        );
    }
    for path in ["/tmp/w/x", "/tmp/w", "/tmp/w/project", "/var/tmp/x"] {
        conditions(&of(path), &[("path under tmp", T), ("path outside tmp", F), ("reads under tmp", T)]);
    }
    // The temporary directory stays temporary if a project contains it.
    for project in ["/tmp", "/"] {
        let given = read("/tmp/x").with(StatedFacts::for_examples().with_project(project));
        conditions(&given, &[("path under tmp", T), ("path under project", T)]);
    }
    let own = facts().with_tmp(["/tmp", "/tmp/w/p/tmp"]);
    conditions(&read("/tmp/w/p/tmp/x").with(own), &[("path under tmp", T)]);
    let shell = |text: &str| bash(text).with(facts().with_file("/tmp/w/p/a", true));
    conditions(&shell("rm -rf /tmp/w"), &[("deletes outside tmp", T), ("deletes outside [project, tmp]", F)]);
    conditions(&shell("rm /tmp/w/x"), &[("deletes outside tmp", F)]);
    conditions(&shell("rm /tmp/w/p/$X"), &[("deletes outside tmp", U), ("deletes under tmp", U)]);
    conditions(&shell("rm /tmp/w/p/a$(date +%F)"), &[("deletes outside tmp", T), ("deletes under tmp", F)]);
    conditions(&shell("touch \"$(mktemp)\""), &[("writes outside tmp", F)]);
}

#[test]
fn a_root_that_nobody_knows_is_unknown() {
    let given = read("/x/y").with(StatedFacts::default());
    conditions(
        &given,
        &[("path under project", U), ("path outside project", U), ("path under home", U), ("path under tmp", F)],
    );
    conditions(
        &read("/tmp/y").with(StatedFacts::default()),
        &[("path under [project, tmp]", T), ("path outside [tmp, home]", F)],
    );
}

#[test]
fn where_names_fold_a_guard_folds_them_and_an_allow_does_not() {
    let on = |os: &str| read("/Project/.ENV").with(StatedFacts::for_examples().with_os(os));
    let table = [
        "path like \".env\"",
        "path == \".env\"",
        "path in [\".env\"]",
        "path under project",
        "path under \"/PROJECT\"",
        "reads like \".env\"",
        "reads under project",
    ];
    for condition in table {
        conditions(&on("macos"), &[(condition, T)]);
        conditions(&on("linux"), &[(condition, F)]);
        allowing(&on("macos"), &[(condition, F)]);
    }
    conditions(&on("macos"), &[("path outside project", F), ("reads outside project", F)]);
    conditions(&on("linux"), &[("path outside project", T), ("reads outside project", T)]);
    // On strings that are not paths, case always counts.
    conditions(&on("macos"), &[("tool_name == \"read\"", F)]);
    let composed = read("/project/caf\u{e9}").with(StatedFacts::for_examples().with_os("macos"));
    conditions(&composed, &[("path == \"cafe\u{301}\"", T), ("path like \"CAFE\u{301}\"", T)]);
}

#[test]
fn an_allow_is_not_opened_by_a_negation_where_names_fold() {
    let mac = |path: &str| read(path).with(StatedFacts::for_examples().with_os("macos"));
    allowing(
        &mac("/project/.ENV"),
        &[("path not like \".env\"", F), ("path under project and path not like \".env\"", F)],
    );
    allowing(&mac("/project/ok"), &[("path not like \".env\"", T)]);
    allowing(&mac("/home/user/.SSH/id"), &[("path outside \"~/.ssh\"", F), ("not reads under \"~/.ssh\"", F)]);
}

#[test]
fn several_paths_are_several_values() {
    let given = call("mcp__fs__move", json!({"source": "/project/a", "destination": "/etc/b"}));
    conditions(&given, &[("path under project", T), ("path outside project", T), ("all path under project", F)]);
}
