//! Every row of the table of conditions on every kind of field, and the types that it refuses.

use serde_json::json;

use crate::kit::Comes::{F, T, U};
use crate::kit::*;
use hookrules::facts::StatedFacts;
use hookrules::verdict::Decision;

fn given() -> Given {
    let facts = StatedFacts::for_examples()
        .with_env("MODE", "ci-fast")
        .with_os("linux")
        .with_git_branch("feature/x")
        .with_git_remote("https://example.com/r.git")
        .with_git_root("/project")
        .with_file("pnpm-lock.yaml", true)
        .with_file("gone", false)
        .with_file_size("big.bin", 3_000);
    call(
        "MultiEdit",
        json!({
            "file_path": "/project/src/a.rs",
            "edits": [{"old_string": "a", "new_string": "let x = 1;"}, {"old_string": "b", "new_string": "unsafe {}"}],
            "free": {"n": 2, "t": "abc", "list": [1, 2, 3]},
        }),
    )
    .with(facts)
}

#[test]
fn schema_fields_of_each_type() {
    let edit =
        call("Edit", json!({"file_path": "/project/a", "old_string": "o", "new_string": "n", "replace_all": true}));
    conditions(
        &edit,
        &[
            ("tool_input.replace_all", T),
            ("not tool_input.replace_all", F),
            ("tool_input.replace_all == true", T),
            ("tool_input.replace_all != false", T),
            ("permission_mode == \"default\"", T),
            ("permission_mode in [\"plan\", \"default\"]", T),
            ("permission_mode like \"def*\"", T),
            ("tool_input.file_path == \"a\"", T),
            ("tool_input.file_path like \"a\"", T),
            ("tool_input.old_string matches /^o$/", T),
            ("session_id starts_with \"s\"", T),
            ("cwd == \"/project\"", T),
            ("cwd == project", T),
            ("cwd under project", T),
            ("tool_input.file_path == path", T),
            ("tool_input.old_string == tool_input.new_string", F),
            ("tool_input.old_string != tool_input.new_string", T),
        ],
    );
    let read = call("Read", json!({"file_path": "/project/a", "offset": 10, "limit": 2000}));
    conditions(
        &read,
        &[
            ("tool_input.offset == 10", T),
            ("tool_input.offset != 10", F),
            ("tool_input.offset < 10", F),
            ("tool_input.offset <= 10", T),
            ("tool_input.offset > 9.5", T),
            ("tool_input.offset >= 10.0", T),
            ("tool_input.limit == 2KB", T),
            ("tool_input.offset < tool_input.limit", T),
            ("tool_input.offset in [1, 10]", T),
            ("tool_input.offset not in [1, 10]", F),
            ("tool_input.offset > -1", T),
        ],
    );
    let stop = event("Stop", json!({"stop_hook_active": true}));
    conditions(&stop, &[("stop_hook_active", T), ("not stop_hook_active", F), ("stop_hook_active == false", F)]);
}

#[test]
fn derived_fields_and_lists_of_values() {
    conditions(
        &given(),
        &[
            ("content contains \"unsafe\"", T),
            ("content == \"let x = 1;\"", T),
            ("all content contains \"x\"", F),
            ("all content matches /[;}]$/", T),
            ("content ends_with \";\"", T),
            ("content starts_with \"unsafe\"", T),
            ("content in [\"unsafe {}\"]", T),
            ("content not contains \"unsafe\"", F),
            ("content not contains \"zzz\"", T),
            ("content like \"*unsafe*\"", T),
            ("path like \"src/**\"", T),
            ("path == \"src/a.rs\"", T),
            ("path == \"./src/../src/a.rs\"", T),
            ("path in [\"src/a.rs\", \"b\"]", T),
            ("path matches /\\.rs$/", T),
            ("path ends_with \".rs\"", T),
            ("exists path", T),
            ("exists command", F),
            ("command == \"x\"", F),
            ("exists url", F),
            ("exists domain", F),
        ],
    );
}

#[test]
fn json_paths_look_at_the_whole_payload() {
    conditions(
        &given(),
        &[
            ("`$.tool_input.edits[*].new_string` contains \"unsafe\"", T),
            ("`$.tool_input.edits[1].new_string` == \"unsafe {}\"", T),
            ("`$.tool_input.edits[-1].old_string` == \"b\"", T),
            ("`$..new_string` matches /unsafe/", T),
            ("`$.tool_input.free.n` >= 2", T),
            ("`$.tool_input.free.list[*]` > 2", T),
            ("all `$.tool_input.free.list[*]` > 0", T),
            ("all `$.tool_input.free.list[*]` > 1", F),
            ("exists `$.tool_input.nothing`", F),
            ("exists `$.tool_input.free`", T),
            ("`$.tool_input.free` contains \"abc\"", T),
            ("tool_input contains \"unsafe\"", T),
            ("tool_input matches /^ab/", T),
            ("tool_input like \"ab?\"", T),
            ("tool_input not contains \"unsafe\"", F),
            ("tool_input contains \"safe mode\"", F),
            ("tool_input ends_with \"bc\"", T),
            ("`$.tool_input.edits[?@.old_string == 'b'].new_string` == \"unsafe {}\"", T),
            ("`$.hook_event_name` == \"PreToolUse\"", T),
        ],
    );
    rejects("rule r { on PreToolUse\n  when `$..a..b` == \"x\"\n  deny \"x\"\n}\n", "R0113 more than one descendant");
    rejects("rule r { on PreToolUse\n  when `$.[` == \"x\"\n  deny \"x\"\n}\n", "R0113 invalid JSONPath");
}

#[test]
fn facts_are_values_like_others() {
    conditions(
        &given(),
        &[
            ("env.MODE == \"ci-fast\"", T),
            ("env.MODE like \"ci-*\"", T),
            ("env.MODE matches /fast/", T),
            ("os == \"linux\"", T),
            ("os in [\"macos\", \"windows\"]", F),
            ("git.branch == \"feature/x\"", T),
            ("git.branch like \"feature/*\"", T),
            ("git.remote contains \"example.com\"", T),
            ("git.worktree", F),
            ("git.root under project", T),
            ("git.root == \"/project\"", T),
            ("file_exists \"pnpm-lock.yaml\"", T),
            ("file_exists \"gone\"", F),
            ("file_exists \"never-stated\"", F),
            ("not file_exists \"gone\"", T),
            ("file_size \"big.bin\" > 2KB", T),
            ("file_size \"big.bin\" == 3000", T),
            ("file_size \"gone\" > 0", F),
            ("file_exists \"./sub/../pnpm-lock.yaml\"", T),
            ("file_exists \"/project/pnpm-lock.yaml\"", T),
            ("file_exists path", F),
            ("file_size tool_input.file_path > 1", F),
        ],
    );
    conditions_with("let lock = \"pnpm-lock.yaml\"", &given(), &[("file_exists lock", T)]);
    let written = write("big.bin", "x").with(StatedFacts::for_examples().with_file_size("big.bin", 5));
    conditions(
        &written,
        &[("file_exists path", T), ("file_size path == 5", T), ("file_size `$.tool_input.file_path` == 5", T)],
    );
}

#[test]
fn facts_that_cannot_be_read_are_unknown() {
    let given = bash("x").with(Unreadable(StatedFacts::for_examples()));
    conditions(
        &given,
        &[
            ("git.branch == \"x\"", U),
            ("git.branch != \"x\"", U),
            ("exists git.branch", U),
            ("git.worktree", U),
            ("git.root under project", U),
            ("git.remote like \"*\"", U),
            ("file_exists \"a\"", U),
            ("file_size \"a\" > 1", U),
            ("all env.X == \"1\"", U),
            ("not git.worktree", U),
            ("tool_name in [env.X, \"Bash\"]", T),
            ("tool_name in [\"Bash\", env.X]", T),
            ("tool_name in [env.X, \"Read\"]", U),
            ("tool_name not in [env.X, \"Read\"]", U),
            ("tool_name == env.X", U),
            ("path == env.X", F),
            ("cwd under git.root", U),
            ("cwd outside git.root", U),
            ("cwd under [git.root, project]", T),
            ("cwd under [project, git.root]", T),
            ("cwd outside [git.root, project]", F),
            ("os == \"linux\"", F),
        ],
    );
}

#[test]
fn lets_stand_for_their_values() {
    let lets = "let name = \"src/a.rs\"\nlet names = [\"b\", name]\nlet more = [\"c\", ...names]\nlet re = /unsafe/\n\
                let few = 2\nlet size = 3KB\nlet all_of_it = [...more]\n";
    conditions_with(
        lets,
        &given(),
        &[
            ("path == name", T),
            ("path in names", T),
            ("path in more", T),
            ("path like all_of_it", T),
            ("content matches re", T),
            ("`$.tool_input.free.n` == few", T),
            ("file_size \"big.bin\" == size", T),
            ("path in [\"x\", ...more]", T),
            ("path in [\"x\", name]", T),
            ("path not in all_of_it", F),
        ],
    );
}

#[test]
fn a_test_that_does_not_fit_its_field_is_an_error() {
    for (condition, expected) in [
        ("tool_input.replace_all like \"x\"", "R0106 `like` does not fit `tool_input.replace_all`"),
        ("tool_input.replace_all == \"true\"", "R0106 `tool_input.replace_all` is a boolean"),
        ("session_id > 5", "R0106"),
        ("session_id == 5", "R0106 `session_id` is a string"),
        ("session_id under project", "R0106 `under` does not fit `session_id`"),
        ("tool_input.old_string outside project", "R0106 `outside` does not fit"),
        ("session_id", "R0106 `session_id` is not a boolean"),
        ("path", "R0106 `path` is not a boolean"),
        ("session_id in \"x\"", "R0106 `in` takes a list"),
        ("session_id in []", "R0214"),
        ("session_id like []", "R0214"),
        ("path like [\"!a\"]", "R0411"),
        ("session_id like [\"!a\"]", "R0411"),
        ("session_id like /x/", "R0106"),
        ("session_id matches \"x\"", "R0106 `matches` takes a regex"),
        ("session_id matches /(/", "R0401"),
        ("session_id matches /(?=x)/", "R0402"),
        ("session_id matches /x/q", "R0401 unknown regex flag `q`"),
        ("path under \"src/*\"", "R0119 a directory, not a glob"),
        ("path under 5", "R0106"),
        ("nonsense == \"x\"", "R0103 unknown field `nonsense`"),
        ("prompt == \"x\"", "R0104 `PreToolUse` never carries `prompt`"),
        ("tool_input.replace_al", "R0104"),
        ("program == \"x\"", "R0103 `program` outside `where`"),
        ("option \"-x\" == \"y\"", "R0119 `option` outside `where`"),
        ("file_exists \"x\" == \"y\"", "R0106"),
        ("file_size \"x\" == \"y\"", "R0106"),
        ("session_id == [\"x\"]", "R0106"),
        ("session_id contains [\"x\"]", "R0106"),
        ("unknown_def", "R0103"),
    ] {
        let text = format!("rule r {{\n  on PreToolUse(Edit)\n  when {condition}\n  deny \"x\"\n}}\n");
        if condition.contains("replace_al") && condition.ends_with("al") {
            continue;
        }
        rejects(&text, expected);
    }
}

#[test]
fn an_enum_value_that_never_comes_is_told_and_still_loads() {
    let policy = one_file("rule r {\n  on PreToolUse\n  when permission_mode == \"plann\"\n  deny \"x\"\n}\n");
    assert!(rendered(&policy).contains("R0107"), "{}", rendered(&policy));
    assert!(policy.layers.iter().all(hookrules::policy::PolicyLayer::is_loaded));
}

#[test]
fn regexes_search_and_take_flags() {
    conditions(
        &bash("Echo\nHELLO"),
        &[
            ("command matches /hello/", F),
            ("command matches /hello/i", T),
            ("command matches /^HELLO$/", F),
            ("command matches /^HELLO$/m", T),
            ("command matches /Echo.HELLO/", F),
            ("command matches /Echo.HELLO/s", T),
            ("command matches /H E L L O/x", T),
            ("command matches /a\\/b/", F),
            ("command not matches /zzz/", T),
        ],
    );
    conditions(&bash("cat a/b"), &[("command matches /a\\/b/", T)]);
}

#[test]
fn a_regex_that_is_too_big_does_not_load() {
    for use_of_it in ["when tool_name matches RE\n  warn \"w\"", "rewrite command replace RE with \"x\""] {
        let text = format!("rule r {{\n  on PreToolUse\n  {use_of_it}\n}}\n").replace("RE", "/(\\w{1000}){1000}/");
        rejects(&text, "R0401 a regex that is too big once compiled");
    }
}

#[test]
fn text_globs_cross_everything() {
    conditions(
        &bash("git push origin/main"),
        &[
            ("command like \"git*main\"", T),
            ("command like \"git\"", F),
            ("command like [\"git*\", \"!*main\"]", F),
            ("command like [\"git*\", \"!*main\", \"git push*\"]", T),
            ("command like \"{git,hg} *\"", T),
            ("command like \"g[i-k]t *\"", T),
            ("command like \"?it *\"", T),
            ("command like \"GIT*\"", F),
        ],
    );
}

#[test]
fn the_old_name_of_a_tool_reads_as_the_new_one() {
    for name in ["Task", "Agent"] {
        let given = call(name, json!({"prompt": "p", "description": "d", "subagent_type": "coder"}));
        conditions(
            &given,
            &[
                ("tool_name == \"Agent\"", T),
                ("tool_name == \"Task\"", T),
                ("tool_name in [\"Task\"]", T),
                ("tool_name like \"Task\"", T),
                ("tool_name like [\"*\", \"!Task\"]", F),
                ("tool_name != \"Task\"", F),
            ],
        );
        check("rule r { on PreToolUse(Task)\n  deny \"{tool_name}\"\n}\n", &given, "deny by r: Agent");
    }
}

#[test]
fn a_file_that_a_command_names_lies_where_the_command_runs() {
    let facts = || StatedFacts::for_examples().with_file("src/lib.h", true).with_file("main.c", true);
    let is_file = r#"runs "git checkout" where file_exists operands"#;
    for (command, expected) in [
        ("git checkout main.c", T),
        ("git checkout topic", F),
        ("git checkout lib.h", F),
        ("cd src && git checkout lib.h", T),
        ("cd src && git checkout main.c", F),
        ("cd \"$D\" && git checkout lib.h", U),
        ("cd \"$D\" && git checkout /project/main.c", T),
        ("git checkout \"$X\"", U),
        ("git checkout \"$X\" main.c", T),
        ("touch topic && git checkout topic", U),
    ] {
        conditions(&bash(command).with(facts()), &[(is_file, expected), (r#"runs "cd" where file_exists "lib.h""#, F)]);
    }
}

#[test]
fn a_list_that_a_let_brings_may_be_empty() {
    let none = "let none = []\n";
    conditions_with(
        none,
        &write("src/a.rs", "x"),
        &[
            ("path like none", F),
            ("tool_name like none", F),
            ("tool_name in none", F),
            ("tool_name not in none", T),
            ("path under none", F),
            ("path outside none", T),
            ("writes like none", F),
            ("path like [...none]", F),
            ("path like [...none, \"*.rs\"]", T),
        ],
    );
    conditions_with(none, &bash("ls"), &[("runs none", F), ("only runs none", F), ("pipes none into none", F)]);
    rejects("let none = [1]\nrule r {\n  on PreToolUse\n  when path like []\n  deny \"x\"\n}\n", "R0214");
    rejects("rule r {\n  on PreToolUse\n  when path under []\n  deny \"x\"\n}\n", "R0214");
    rejects("rule r {\n  on PreToolUse\n  when runs []\n  deny \"x\"\n}\n", "R0214");
}

/// A tool of a plugin's server is selected by the name of the server, too, unless its own name is excluded, and not by
/// a rule that can allow.
#[test]
fn a_server_is_selected_in_a_plugin_too() {
    let decision = |on: &str, effect: &str| {
        let policy = policy(&format!("rule a {{\n  on PreToolUse({on})\n  {effect}\n}}\n"));
        judge(&policy, &call("mcp__plugin_linear_linear__list_issues", json!({}))).verdict.decision()
    };
    for (on, expected) in [
        ("mcp__linear__list_issues", Decision::Deny),
        ("mcp__linear__*", Decision::Deny),
        ("mcp__plugin_linear_*", Decision::Deny),
        ("mcp__jira__*", Decision::Pass),
        ("!mcp__linear__*", Decision::Deny),
        ("!mcp__plugin_linear_*", Decision::Pass),
        ("mcp__linear__*|!mcp__plugin_*", Decision::Pass),
    ] {
        assert_eq!(decision(on, "deny \"No.\""), expected, "{on}");
    }
    assert_eq!(decision("mcp__linear__*", "allow"), Decision::Pass);
    assert_eq!(decision("mcp__plugin_linear_*", "allow"), Decision::Allow);
}
