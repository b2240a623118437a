//! `reads`, `writes`, `deletes`: the file accesses of tools.

use serde_json::json;

use crate::kit::Comes::{F, T, U};
use crate::kit::*;
use hookrules::facts::StatedFacts;

/// Checks what a call does to `/project/x`.
#[track_caller]
fn does(tool: &str, input: serde_json::Value, reads: Comes, writes: Comes, deletes: Comes) {
    let given = call(tool, input).with(StatedFacts::for_examples().with_file("x", true));
    conditions(&given, &[("reads like \"x\"", reads), ("writes like \"x\"", writes), ("deletes like \"x\"", deletes)]);
    conditions(
        &given,
        &[("reads under project", reads), ("writes under project", writes), ("deletes under project", deletes)],
    );
}

#[test]
fn every_built_in_tool_that_takes_a_path_touches_it() {
    does("Read", json!({"file_path": "x"}), T, F, F);
    does("Write", json!({"file_path": "x", "content": ""}), F, T, F);
    does("Edit", json!({"file_path": "x"}), F, T, F);
    does("MultiEdit", json!({"file_path": "x", "edits": []}), F, T, F);
    does("NotebookEdit", json!({"notebook_path": "x"}), F, T, F);
    does("LSP", json!({"filePath": "x"}), T, F, F);
    does("Projects", json!({"local_path": "x"}), T, F, F);
    does("Workflow", json!({"scriptPath": "x"}), T, F, F);
    does("Artifact", json!({"file_paths": ["x", "y"]}), T, F, F);
    does("Grep", json!({"pattern": "p", "path": "x"}), T, F, F);
    does("Grep", json!({"pattern": "p"}), T, F, F);
    does("Glob", json!({"pattern": "*"}), T, F, F);
    does("WebFetch", json!({"url": "https://x"}), F, F, F);
    does("Agent", json!({"prompt": "x"}), F, F, F);
}

#[test]
fn every_file_tool_of_the_schema_is_tested_by_its_table() {
    use hookrules::schema::TOOLS;
    for tool in TOOLS {
        for file in tool.files.iter().filter(|file| !file.glob) {
            let given =
                call(tool.name, json!({file.member: "x"})).with(StatedFacts::for_examples().with_file("x/y", true));
            let expected = |does: bool| if does { T } else { F };
            conditions(
                &given,
                &[
                    ("reads under \"x\"", expected(file.reads)),
                    ("writes under \"x\"", expected(file.writes)),
                    ("deletes under \"x\"", F),
                ],
            );
        }
    }
}

#[test]
fn a_tool_without_a_table_reads_and_writes_what_it_names() {
    does("mcp__fs__thing", json!({"path": "x"}), T, T, F);
    does("mcp__fs__thing", json!({"paths": ["y", "x"]}), T, T, F);
    does("mcp__fs__thing", json!({"target": "y/x"}), T, T, F);
    does("mcp__fs__thing", json!({"target": "x"}), F, F, F);
    does("mcp__fs__thing", json!({"from": "git:y/x"}), F, F, F);
    does("mcp__fs__thing", json!({"name": "@y/x"}), F, F, F);
    does("mcp__fs__thing", json!({"file": "x"}), T, T, F);
    does("mcp__fs__thing", json!({"files": [{"path": "x"}]}), T, T, F);
    does("mcp__fs__thing", json!({"file_path": "x"}), T, T, F);
    does("mcp__fs__thing", json!({"filename": "x"}), T, T, F);
    does("mcp__fs__thing", json!({"uri": "file:///project/x"}), T, T, F);
    does("mcp__fs__thing", json!({"uri": "https://example.com/x"}), F, F, F);
    does("mcp__fs__thing", json!({"source": "x", "destination": "/elsewhere"}), T, T, F);
    does("mcp__fs__thing", json!({"directory": "/project/x"}), T, T, F);
    does("mcp__fs__thing", json!({"other": "x"}), F, F, F);
    does("mcp__fs__delete_file", json!({"path": "x"}), T, T, T);
    does("mcp__fs__move_thing", json!({"source": "x", "destination": "/y"}), T, T, T);
}

#[test]
fn outside_needs_a_file_that_lies_outside() {
    let outside = "writes outside [project, tmp]";
    conditions(&write("/etc/x", ""), &[(outside, T), ("writes outside project", T), ("not writes outside project", F)]);
    conditions(&write("/tmp/x", ""), &[(outside, F), ("writes outside project", T)]);
    conditions(&write("a/../../etc/x", ""), &[(outside, T)]);
    conditions(&read("/etc/x"), &[(outside, F)]);
}

#[test]
fn the_word_that_matched_is_the_file() {
    let rule =
        "rule r {\n  on PreToolUse\n  when reads like [\"*.pem\"] or writes like \"*.key\"\n  deny \"{match}\"\n}\n";
    check(rule, &read("certs/a.pem"), "deny by r: certs/a.pem");
    check(rule, &write("/x/b.key", ""), "deny by r: /x/b.key");
    let all =
        "rule r {\n  on PreToolUse\n  when tool_name == \"Read\" and reads like \"*.pem\"\n  deny \"{match}\"\n}\n";
    check(all, &read("a.pem"), "deny by r: Read");
    let negated =
        "rule r {\n  on PreToolUse\n  when not path like \"*.md\" and path like \"*.pem\"\n  deny \"{match}\"\n}\n";
    check(negated, &read("a.pem"), "deny by r: a.pem");
}

#[test]
fn a_search_is_judged_by_the_files_that_are_stated() {
    let facts = StatedFacts::for_examples().with_file(".env", true).with_file("src/a.rs", true).with_file("old", false);
    let grep = |input: serde_json::Value| call("Grep", input).with(facts.clone());
    conditions(
        &grep(json!({"pattern": "KEY"})),
        &[
            ("reads like \".env\"", T),
            ("reads like \"*.pem\"", F),
            ("reads like \"old\"", F),
            ("reads like [\"**\", \"!.env\"]", T),
        ],
    );
    conditions(
        &grep(json!({"pattern": "KEY", "path": "src"})),
        &[("reads like \".env\"", F), ("reads like \"src/*\"", T)],
    );
    let glob = |pattern: &str| call("Glob", json!({"pattern": pattern})).with(facts.clone());
    conditions(&glob("**/.env"), &[("reads like \".env\"", T)]);
    conditions(&glob("src/**"), &[("reads like \".env\"", F), ("reads under \"src\"", T)]);
    conditions(
        &glob("/etc/*"),
        &[("reads under \"/etc\"", T), ("reads outside project", T), ("reads under project", F)],
    );
    let blind = call("Grep", json!({"pattern": "x"})).with(Unreadable(StatedFacts::for_examples()));
    conditions(&blind, &[("reads like \".env\"", U), ("reads like \"/etc/*\"", F), ("reads under project", T)]);
}

#[test]
fn a_search_reads_what_its_filter_names_at_any_depth() {
    let files = ["secrets/deploy.key", ".env", "c/.env", "vault/deploy.key", "a/b.rs"];
    let facts = files.iter().fold(StatedFacts::for_examples(), |facts, file| facts.with_file(*file, true));
    let grep = |glob: &str| call("Grep", json!({"pattern": "p", "glob": glob})).with(facts.clone());
    conditions(
        &grep("deploy.key"),
        &[("reads like [\"secrets/deploy.key\"]", T), ("reads under \"vault\"", T), ("reads like \".env\"", F)],
    );
    for glob in ["**/.env", "\\.env", "*.rs,.env", "*.rs .env", "*.{ts,rs},.env", "/.env", "{.env,x}", "!*.rs", "*env"]
    {
        conditions(&grep(glob), &[("reads like [\".env\", \"c/.env\"]", T)]);
    }
    conditions(&grep("**/c/.env"), &[("reads like \"c/.env\"", T)]);
    conditions(&grep("a/**/*.rs"), &[("reads like \"a/b.rs\"", T), ("reads like \".env\"", F)]);
    conditions(&grep("*.rs, *.ts"), &[("reads like \".env\"", F)]);
}

#[test]
fn a_glob_s_pattern_leads_outside() {
    for pattern in ["/etc/*", "../../*", "*/../../../etc/*", "{/etc,a}/*", "~/.ssh/*"] {
        conditions(&call("Glob", json!({"pattern": pattern})), &[("reads outside [project]", T)]);
    }
    conditions(&call("Glob", json!({"pattern": "src/**"})), &[("reads outside [project]", F)]);
}

#[test]
fn a_resource_of_a_server_may_be_a_file() {
    let read = |uri: &str| call("ReadMcpResourceTool", json!({"server": "s", "uri": uri}));
    for uri in ["file:///project/.env", "FILE:///project/%2eenv", "file://localhost/project/.env"] {
        conditions(&read(uri), &[("reads like \".env\"", T), ("path like \".env\"", T)]);
    }
    conditions(&read("db://x/.env"), &[("reads like \".env\"", F)]);
}

#[test]
fn a_foreign_deletion_takes_everything_below() {
    for tool in
        ["mcp__fs__delete", "mcp__fs__rm", "mcp__fs__rmDir", "mcp__fs__purge_all", "mcp__fs__doClean", "mcp__x__fileRm"]
    {
        let given = call(tool, json!({"path": "/project"}));
        conditions(
            &given,
            &[("deletes under \"src\"", T), ("deletes like \"src/a.rs\"", T), ("deletes under \"/etc\"", F)],
        );
        allowing(&given, &[("deletes under \"src\"", U), ("not deletes under \"src\"", U)]);
    }
    for tool in ["mcp__fs__transform", "mcp__dropbox__read_file"] {
        conditions(&call(tool, json!({"path": "/project"})), &[("deletes under \"src\"", F)]);
    }
}

#[test]
fn a_foreign_tool_s_files_may_stand_a_level_down_and_below_a_directory() {
    does("mcp__fs__thing", json!({"args": {"path": "x"}}), T, T, F);
    does("mcp__fs__thing", json!({"edits": [{"path": "x"}]}), T, T, F);
    let tree = call("mcp__fs__pack", json!({"path": "/project"}));
    let tree = tree.with(StatedFacts::for_examples().with_file("src/.env", true));
    conditions(&tree, &[("reads like \"src/.env\"", T), ("reads like \"other\"", F)]);
    allowing(&tree, &[("reads under \"src\"", U)]);
}
