//! The records that apply to a call, and its equivalent commands.

use std::borrow::Cow;

use serde_json::json;

use super::kinds::RecordText;
use super::template::{MemberCondition, MemberState, WordGroup, WordPiece, parse};
use super::*;

#[test]
fn a_template_is_read_by_its_groups() {
    let group = |is_optional, asks, words| WordGroup { is_optional, conditions: asks, words };
    assert_eq!(
        parse("git push [--force {force?}] {remote}"),
        Ok(vec![
            group(false, vec![], vec![vec![WordPiece::Text("git")], vec![WordPiece::Text("push")]]),
            group(
                true,
                vec![MemberCondition { member: "force", state: MemberState::True }],
                vec![vec![WordPiece::Text("--force")]]
            ),
            group(false, vec![], vec![vec![WordPiece::Member("remote")]]),
        ])
    );
    for wrong in ["", "[git]", "git [a [b]]", "git [a", "git {a", "git {force?}", "git [{force?}]", "git {a b}", "x {}"]
    {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_command_is_made_word_by_word() {
    let push = "git [-C {repo}] push [--force {force?}] [-{short}] [--soft {mode=soft}] {refs} [behind {!mode}]";
    for (input, expected) in [
        (json!({"refs": ["a", "b c"]}), Ok(Some("git push a 'b c' behind"))),
        (json!({"repo": "/x y", "force": true, "refs": "m"}), Ok(Some("git -C '/x y' push --force m behind"))),
        (json!({"force": false, "mode": "soft", "refs": "m"}), Ok(Some("git push --soft m"))),
        (json!({"force": "false", "mode": "hard", "short": ["n", "v"], "refs": "$X"}), Ok(Some("git push -n -v '$X'"))),
        (json!({"force": true}), Ok(None)),
        (json!({"refs": {"a": "b", "c": true}}), Ok(Some("git push '--a=b' --c behind"))),
        (json!({"refs": {"a": {"b": 1}}}), Err(UnexpectedObject)),
        (json!({"refs": "m", "short": {"b": 1}}), Err(UnexpectedObject)),
        (json!({"refs": 7}), Ok(Some("git push 7 behind"))),
    ] {
        assert_eq!(
            command(push, &input).as_ref().map(Option::as_deref),
            expected.as_ref().map(|text| *text),
            "{input}"
        );
    }
}

#[test]
fn what_a_record_needs_and_the_servers_name_choose_it() {
    let record =
        |origin: &'static str, servers: &'static [RecordText], by_server, needs: &'static [RecordText]| ToolRecord {
            origin: origin.into(),
            names: Cow::Borrowed(&[Cow::Borrowed("delete_file")]),
            servers: servers.into(),
            by_server,
            needs: needs.into(),
            commands: Cow::Borrowed(&[]),
            members: Cow::Borrowed(&[]),
        };
    let all = [
        record("github", &[Cow::Borrowed("github"), Cow::Borrowed("gh")], false, &[Cow::Borrowed("repo")]),
        record("files", &[Cow::Borrowed("filesystem")], false, &[Cow::Borrowed("path")]),
        record("drive", &[Cow::Borrowed("drive")], true, &[]),
    ];
    let (remote, local) = (json!({"repo": "r", "path": "p"}), json!({"path": "p"}));
    for (tool, input, expected) in [
        ("mcp__my-gh__delete_file", &remote, vec!["github"]),
        ("mcp__x__deleteFile", &remote, vec!["github", "files"]),
        ("mcp__x__delete-file", &local, vec!["files"]),
        ("mcp__plugin_a_FileSystem__delete_file", &remote, vec!["files"]),
        ("mcp__ghost__delete_file", &remote, vec!["github", "files"]),
        ("mcp__drive__delete_file", &local, vec!["drive"]),
        ("mcp__x__delete_files", &local, vec![]),
    ] {
        let origins: Vec<String> = applicable_records(all.iter().enumerate(), tool, input)
            .iter()
            .map(|at| all[*at].origin.to_string())
            .collect();
        assert_eq!(origins, expected, "{tool} {input}");
    }
}
