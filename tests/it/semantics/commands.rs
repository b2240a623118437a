//! The meaning of conditions about commands: `runs`, `only runs`, `pipes … into …`, `where`.

use hookrules::eval::RuleOutcome;
use hookrules::facts::StatedFacts;
use serde_json::json;

use crate::kit::Comes::{F, T, U};
use crate::kit::{Unreadable, allowing, bash, call, check, conditions, judge, outcome, policy, read};

#[test]
fn runs_is_true_of_any_command_of_the_text() {
    conditions(
        &bash("cd sub && sudo sh -c 'git -C .. push --force'; echo done"),
        &[
            (r#"runs "git push""#, T),
            (r#"runs "git push -f""#, T),
            (r#"runs ["npm", "sudo"]"#, T),
            (r#"runs "git commit""#, F),
            (r#"not runs "npm""#, T),
            (r#"only runs "git push *""#, F),
        ],
    );
}

#[test]
fn what_only_looks_like_a_command_is_none() {
    for text in
        ["git commit -m 'git push --force'", "echo git push --force", "cat <<'E'\ngit push --force\nE", "# git push -f"]
    {
        conditions(&bash(text), &[(r#"runs "git push""#, F)]);
    }
}

#[test]
fn a_call_without_a_command_runs_none() {
    conditions(
        &read("src/a.rs"),
        &[(r#"runs "*""#, F), (r#"only runs "*""#, F), (r#"pipes "*" into "*""#, F), (r#"not runs "*""#, T)],
    );
    conditions(&bash(""), &[(r#"runs "*""#, F), (r#"only runs "*""#, F)]);
    conditions(
        &call("Bash", json!({"command": ["git", "push"]})),
        &[(r#"runs "git push""#, U), (r#"not runs "ls""#, U)],
    );
}

#[test]
fn an_unknown_belongs_to_a_pattern_that_it_could_match() {
    conditions(&bash("git $SUB origin"), &[(r#"runs "git push""#, U), (r#"runs "npm""#, F)]);
    conditions(&bash("$TOOL push"), &[(r#"runs "git push""#, U), (r#"not runs "git push""#, U)]);
    conditions(&bash("rm -r \"$DIR\""), &[(r#"runs "rm -r""#, T), (r#"runs "git push""#, F)]);
    conditions(&bash("echo Z2l0 | base64 -d | sh"), &[(r#"runs "git push""#, U), (r#"runs "base64""#, T)]);
    conditions(&bash("git push; git $X"), &[(r#"runs "git push""#, T)]);
}

#[test]
fn a_language_that_is_not_parsed_is_unknown_where_its_words_name_the_pattern() {
    let lua = bash("lua -e 'os.execute(\"git push\")'");
    conditions(&lua, &[(r#"runs "git push""#, U), (r#"runs "git commit""#, F), (r#"runs "lua""#, T)]);
    let shell = call("PowerShell", json!({"command": "git push; Remove-Item x"}));
    conditions(&shell, &[(r#"runs "git push""#, T), (r#"runs "npm""#, F), (r#"only runs "git push *""#, F)]);
    conditions(&shell, &[(r#"runs "Remove-Item""#, T), (r#"deletes like "x""#, T), (r#"deletes like "y""#, F)]);
    let unread = call("PowerShell", json!({"command": "[Git]::Run('git push')"}));
    conditions(&unread, &[(r#"runs "git push""#, U), (r#"runs "npm""#, F)]);
}

#[test]
fn a_variable_that_a_language_has_to_set_is_one_that_its_text_names() {
    let is_set = r#"runs "*" where env.X == "0""#;
    let exists = r#"runs "curl" where (exists env.X and operands like "*")"#;
    conditions(&bash("lua -e 1"), &[(is_set, F), (r#"runs "*" where env.X != "0""#, T)]);
    conditions(
        &bash("lua -e 'run(\"curl a\")'"),
        &[(is_set, F), (exists, F), (r#"runs "curl" where env.X != "0""#, U)],
    );
    conditions(&bash("lua -e 'environ[\"X\"] = a; run(\"curl\", \"b\")'"), &[(is_set, U), (exists, U)]);
    conditions(&bash("X=1 lua -e 'run(\"curl a\")'"), &[(is_set, U), (exists, U)]);
    conditions(&bash("X=0 lua -e 1"), &[(is_set, T)]);
    conditions(&bash(". ./env; lua -e 'run(\"curl a\")'"), &[(is_set, U), (exists, U)]);
}

#[test]
fn an_unknown_says_its_word_and_what_to_write() {
    let RuleOutcome::Unknown(reason) = outcome("", r#"runs "git push""#, &bash("$TOOL push")) else {
        panic!("not unknown")
    };
    assert_eq!(
        reason.sentence(),
        "the value of a variable is not known before it runs: `$TOOL`; write the value itself"
    );
}

#[test]
fn only_runs_reads_to_the_letter() {
    for (text, expected) in [
        ("git status", T),
        ("git status && git log -3", T),
        ("/usr/bin/git status", T),
        ("/project/bin/git status", F),
        ("./git status", F),
        ("git status; ls", F),
        ("git -c core.pager=x log", F),
        ("git diff --output=f", F),
        ("GIT_EXTERNAL_DIFF=x git diff", F),
        ("git log > f", F),
        ("git log 2>/dev/null", T),
        ("git log $(ls)", F),
        ("git log &", F),
        ("sudo git status", F),
        ("git $SUB", U),
        ("$GIT status", U),
        ("git() { rm x; }; git status", F),
        ("", F),
    ] {
        allowing(&bash(text), &[(r#"only runs ["git (status|log|diff) *"]"#, expected)]);
    }
}

#[test]
fn what_zsh_would_run_opens_no_allow() {
    for (text, expected) in [
        ("ls *(e:'rm -rf x':)", U),
        ("ls *(.e{rm x})", U),
        ("ls *(+fn)", U),
        ("ls *(P:--hyperlink:)", U),
        ("ls @(#qe:rm:)", U),
        ("ls src/*.rs(e:rm:)", U),
        ("ls \"a${$(rm x)}\"", U),
        ("ls \"a${#${(e)x}}\"", U),
        ("[[ -f *(#qe:rm:) ]]; ls", U),
        ("for i in *(e:rm:); do ls; done", U),
        ("ls -- \"${(e)x}\"", U),
        ("ls \"a${${(e)x}}\"", U),
        ("ls @(a|b)", T),
        ("ls *(.)", T),
        ("ls '*(e:rm:)'", T),
        ("ls *\\(e:rm:\\)", T),
        ("ls -- \"${x%e}\"", T),
    ] {
        allowing(&bash(text), &[(r#"only runs "ls *""#, expected)]);
    }
    allowing(&bash("ls *(e:'sh f':)"), &[("not writes outside project", U)]);
    // For a guard: what bash runs is certain; what zsh would run may be intended.
    conditions(
        &bash("ls *(e:'rm -rf x':)"),
        &[(r#"runs "ls""#, T), (r#"runs "rm""#, U), (r#"runs "git push""#, F), (r#"not runs "ls""#, F)],
    );
    conditions(&bash("ls !(.env|rm)"), &[(r#"runs "rm""#, F), (r#"reads like ".env""#, F)]);
}

#[test]
fn pipes_follow_the_output_to_where_it_is_code() {
    let condition = r#"pipes "curl|wget" into "sh|bash|python*|eval|source""#;
    for (text, expected) in [
        ("curl x | sh", T),
        ("curl x | tee f | sudo bash -s", T),
        ("bash <(curl x)", T),
        ("eval \"$(wget -qO- x)\"", T),
        ("curl -o f x && sh f", T),
        ("curl x | python3 -", T),
        ("curl x | python3 -c 'import sys'", F),
        ("curl x | sh -c 'cat'", F),
        ("curl x > f; sh g", F),
        ("curl x; sh f", F),
        ("$GET x | sh", U),
        ("echo 'curl x | sh'", F),
    ] {
        conditions(&bash(text), &[(condition, expected)]);
    }
    // A program that is not an interpreter only reads it.
    conditions(
        &bash("cat f | grep x | mail a"),
        &[(r#"pipes "cat" into "mail""#, T), (r#"pipes "mail" into "cat""#, F)],
    );
}

#[test]
fn a_tool_without_a_table_counts_against_the_call_alone() {
    let foreign = call("mcp__box__exec", json!({"cmd": "git push --force"}));
    conditions(&foreign, &[(r#"runs "git push""#, T), (r#"only runs "git push *""#, F), (r#"runs "npm""#, F)]);
    allowing(&foreign, &[(r#"runs "git push""#, U), (r#"only runs "git push *""#, U), (r#"not runs "npm""#, U)]);
}

#[test]
fn a_program_with_its_arguments_in_members_of_their_own_is_a_command() {
    for input in [
        json!({"command": "git", "args": ["push", "--force"]}),
        json!({"command": "git", "arguments": ["-C", "x", "push", "-f"]}),
        json!({"cmd": "/usr/bin/git", "argv": ["push", "-uf"]}),
        json!({"command": "git", "argv": ["git", "push", "-f"]}),
        json!({"command": ["git", "push", "--force"]}),
        json!({"command": ["bash", "-lc", "git push --force"]}),
        json!({"command": "git push", "args": ["--force"]}),
        json!({"command": "/opt/my tools/git", "args": ["push", "--force"]}),
        json!({"command": "git", "args": "push --force"}),
        json!({"argv": ["git", "push", "--force"]}),
        json!({"command": "build", "script": "git push --force"}),
        // The input of another tool, as JSON in a text.
        json!({"name": "exec", "arguments": "{\"command\": \"git push --force\"}"}),
        json!({"params": {"arguments": "{\"args\": [\"git\", \"push\", \"-f\"]}"}}),
        json!({"input": " [{\"command\": \"git push -f\"}]\n"}),
    ] {
        let given = call("mcp__box__exec", input);
        conditions(&given, &[(r#"runs "git push --force""#, T), (r#"runs "npm""#, F)]);
        allowing(&given, &[(r#"runs "git push""#, U), (r#"only runs "git push *""#, U), (r#"not runs "npm""#, U)]);
    }
    // A text that is only written somewhere does not count, although it is JSON.
    let text = json!({"note": "{\"command\": \"git push -f\"}", "arguments": "{not JSON}"});
    conditions(&call("mcp__box__exec", text), &[(r#"runs "git push""#, F)]);
    // No word of a list is interpreted as shell text.
    let given =
        call("mcp__box__exec", json!({"command": "echo", "args": ["a; git push", "$(git push)", "`git push`"]}));
    conditions(&given, &[(r#"runs "git push""#, F), (r#"runs "echo""#, T)]);
    conditions(&call("mcp__db__query", json!({"args": ["git", "push"]})), &[(r#"runs "git push""#, T)]);
}

#[test]
fn where_asks_about_the_command_that_matches() {
    let given = bash("cd sub && for i in 1 2; do A=1 sudo git push -o ci.skip origin +topic | tee log; done");
    conditions(
        &given,
        &[
            (r#"runs "git push" where operands starts_with "+""#, T),
            (r#"runs "git push" where operands == "main""#, F),
            (r#"runs "git push" where operands not like "*main*""#, T),
            (r#"runs "git push" where args == "push""#, T),
            (r#"runs "git push" where option "-o" == "ci.skip""#, T),
            (r#"runs "git push" where option "--push-option" contains "skip""#, T),
            (r#"runs "git push" where exists option "--receive-pack""#, F),
            (r#"runs "git push" where via == "sudo""#, T),
            (r#"runs "git push" where program == "sudo""#, F),
            (r#"runs "git push" where in_loop"#, T),
            (r#"runs "git push" where not in_loop"#, F),
            (r#"runs "git push" where remote"#, F),
            (r#"runs "sudo" where piped_to == "tee""#, T),
            (r#"runs "tee" where piped_from == "sudo""#, T),
            (r#"runs "git" where cwd under "sub""#, T),
            (r#"runs "git" where cwd == "sub""#, T),
            (r#"runs "sudo" where env.A == "1""#, T),
            (r#"runs "git push" where not exists variables"#, T),
            (r#"runs "git push" where push_target == "topic""#, T),
            (r#"runs "git push" where (operands == "origin" and push_target != "topic")"#, F),
        ],
    );
    // A word that the pattern names is not an operand, for known and unknown programs; among several patterns, the
    // one that names the fewest words determines the operands.
    conditions(
        &bash("frob rm --quiet s3://dev-x"),
        &[
            (r#"runs "frob rm" where exists operands"#, T),
            (r#"runs "frob rm" where all operands starts_with "s3://dev-""#, T),
            (r#"runs "frob rm" where operands == "rm""#, F),
            (r#"runs "frob" where operands == "rm""#, T),
            (r#"runs ["frob rm", "frob"] where operands == "rm""#, T),
            (r#"runs ["frob", "frob rm"] where operands == "rm""#, T),
            (r#"runs ["frob", "frob add"] where operands == "rm""#, T),
        ],
    );
    conditions(&bash("frob rm"), &[(r#"runs "frob rm" where exists operands"#, F)]);
    conditions(
        &bash("ssh host git push"),
        &[(r#"runs "git push" where remote"#, T), (r#"runs "ssh" where remote"#, F)],
    );
}

#[test]
fn a_command_runs_at_the_furthest_place() {
    for (text, place, phrase) in [
        ("rm x", "here", "on this machine"),
        ("sudo -u me rm x", "here", "on this machine"),
        ("ssh localhost rm x", "here", "on this machine"),
        ("docker exec web rm x", "container", "in a container"),
        ("kubectl exec web -- rm x", "cluster", "in a cluster"),
        ("kubectl exec web -- docker exec db rm x", "cluster", "in a cluster"),
        ("ssh host rm x", "remote", "on another machine"),
        ("ssh host docker exec db rm x", "remote", "on another machine"),
        ("ssh host kubectl exec web -- rm x", "remote", "on another machine"),
    ] {
        for other in ["here", "container", "cluster", "remote"] {
            let expected = if other == place { T } else { F };
            conditions(&bash(text), &[(&format!("runs \"rm\" where place == \"{other}\""), expected)]);
        }
        let told = "rule r {\n  on PreToolUse\n  when runs \"rm\"\n  deny \"`{match}` {place}\"\n}\n";
        let votes = judge(&policy(told), &bash(text)).verdict.votes;
        assert_eq!(votes.first().unwrap().displayed_message(), format!("`rm x` {phrase}"), "{text}");
    }
}

#[test]
fn a_let_called_place_is_what_its_author_wrote() {
    let told = "let place = \"Berlin\"\nrule r {\n  on PreToolUse\n  when runs \"rm\"\n  deny \"{place}\"\n}\n";
    let votes = judge(&policy(told), &bash("ssh host rm x")).verdict.votes;
    assert_eq!(votes.first().unwrap().displayed_message(), "Berlin");
}

#[test]
fn a_push_goes_where_the_text_sets_it_up_to_go() {
    let to_main = r#"runs "git push" where push_target == "main""#;
    for text in [
        "git -c push.default=matching push",
        "git -c remote.origin.push=HEAD:main push",
        "git config push.default matching; git push",
        "git config remote.origin.push HEAD:main; git push",
        "git config --local push.default matching && git push origin",
        "export GIT_CONFIG_COUNT=1; git push",
        "echo x >> .git/config; git push",
    ] {
        conditions(&bash(text), &[(to_main, U)]);
    }
    conditions(&bash("git config push.default matching; git push origin HEAD:x"), &[(to_main, F)]);
    conditions(
        &bash("echo 'ref: refs/heads/main' > .git/HEAD; git commit"),
        &[(r#"runs "git commit" and git.branch == "main""#, U)],
    );
}

#[test]
fn a_variable_that_the_text_may_set_is_unknown() {
    let holds = r#"runs "deploy" where env.ENV == "prod""#;
    for (text, expected) in [
        ("deploy", F),
        ("ENV=prod deploy", T),
        ("export ENV=prod; deploy", T),
        ("export \"ENV=prod\"; deploy", T),
        ("declare -x 'ENV=prod'; deploy", T),
        (". ./x; deploy", U),
        ("export ENV=dev; . ./x; deploy", U),
        (". ./x; ENV=dev deploy", F),
        (". ./x; export ENV=prod; deploy", T),
        ("(. ./x); deploy", F),
        ("bash ./x; deploy", F),
        ("set -a; . ./x; deploy", U),
        ("if a; then . ./x; fi; deploy", U),
        (". ./x; bash -c deploy", U),
        ("export $X; deploy", U),
        ("export \"$(cat x)\"; deploy", U),
        ("export \"EN$X\"; deploy", U),
        ("export \"OTHER=$X\"; deploy", F),
        ("export \"ENV=$X\"; deploy", U),
        ("declare -x $X; deploy", U),
        ("env $X deploy", U),
        ("env \"$X\" deploy", U),
        ("env $(cat .e) deploy", U),
        ("env A=1 $(cat .e) deploy", U),
        ("env A=$X deploy", F),
        ("eval \"$X\"; deploy", U),
    ] {
        conditions(&bash(text), &[(holds, expected)]);
    }
}

#[test]
fn the_input_is_what_the_text_says_of_it() {
    let holds = r#"runs "psql" where input matches /\bdrop\s+table\b/i"#;
    for (text, expected) in [
        ("psql <<< 'DROP TABLE t'", T),
        ("psql <<'SQL'\nselect 1;\ndrop table t;\nSQL", T),
        ("echo 'drop table t' | sudo -u db psql app", T),
        ("printf '%s\n' 'select 1' 'drop table t;' | psql", T),
        ("cat <<SQL | psql\ndrop table $T;\nSQL", T),
        ("{ echo 'begin;'; echo 'drop table t;'; } | psql", T),
        ("Q='drop table t'; echo \"$Q\" | psql", T),
        ("echo 'drop table t' > q.sql; psql < q.sql", T),
        ("(psql; psql) <<< 'drop table t'", T),
        ("docker exec -i db psql -U app <<< 'drop table t'", T),
        ("psql <<< 'select 1'", F),
        ("psql", F),
        ("psql < /dev/null", F),
        ("psql <&-", F),
        ("echo 'drop table t'; psql", F),
        ("psql -c 'select 1' # drop table t", F),
        ("psql <<< \"$QUERY\"", U),
        ("psql <<< \"drop table$X\"", U),
        ("psql < schema.sql", U),
        ("pg_dump app | psql", U),
        ("cat a.sql | psql", U),
    ] {
        conditions(&bash(text), &[(holds, expected)]);
    }
    conditions(
        &bash("printf 'a\n\n' | psql"),
        &[
            (r#"runs "psql" where input == "a""#, T),
            (r#"runs "psql" where exists input"#, T),
            (r#"runs "psql" where input not like "b*""#, T),
            (r#"runs "printf" where exists input"#, F),
        ],
    );
    let RuleOutcome::Unknown(reason) = outcome("", holds, &bash("psql < a.sql")) else { panic!("not unknown") };
    assert_eq!(reason.sentence(), "the contents of the file are not read: `a.sql`; write the text in the command");
}

#[test]
fn a_long_input_of_many_commands_is_not_copied_for_each() {
    let text = format!("{{ {} }} <<'E'\n{}\nE", "psql; ".repeat(5_000), "select 1; ".repeat(3_000));
    let condition = r#"runs "psql" where input matches /drop/"#;
    let start = crate::system::thread_time();
    outcome("", condition, &bash(&text));
    assert!(crate::system::thread_time() - start < std::time::Duration::from_secs(2));
}

#[test]
fn where_knows_what_is_not_waited_for() {
    for (text, expected) in
        [("vite &", T), ("vite", F), ("nohup vite & wait", T), ("(vite) &", T), ("sleep 1 & vite", F)]
    {
        conditions(&bash(text), &[(r#"runs "vite" where in_background"#, expected)]);
    }
}

#[test]
fn a_regex_that_matches_what_is_known_of_a_word_does_so() {
    conditions(
        &bash("psql -c \"drop table $T cascade\""),
        &[
            (r#"runs "psql" where option "-c" matches /^drop table /"#, U),
            (r#"runs "psql" where option "-c" matches /^drop table/"#, T),
            (r#"runs "psql" where option "-c" matches /cascade$/"#, T),
            (r#"runs "psql" where option "-c" matches /^cascade$/"#, U),
            (r#"runs "psql" where option "-c" matches /table users/"#, U),
            (r#"runs "psql" where option "-c" not matches /^drop/"#, F),
        ],
    );
}

#[test]
fn where_is_of_one_command() {
    let given = bash("git push origin topic; git pull origin main");
    conditions(
        &given,
        &[(r#"runs "git push" where operands == "main""#, F), (r#"runs "git" where operands == "main""#, T)],
    );
}

#[test]
fn what_where_cannot_know_is_unknown() {
    conditions(
        &bash("git push \"$REMOTE\" \"x-$BRANCH\""),
        &[
            (r#"runs "git push" where operands == "origin""#, U),
            (r#"runs "git push" where operands starts_with "+""#, U),
            (r#"runs "git push" where operands like "x-*""#, T),
            (r#"runs "git push" where all operands starts_with "x-""#, U),
            (r#"runs "git push" where exists operands"#, T),
            (r#"runs "git push" where push_target == "main""#, F),
            (r#"runs "git push" where push_target == "x-1""#, U),
            (r#"runs "git push" where push_target not in ["x-1", "x-2"]"#, U),
            (r#"runs "git push" where env.HOME == "/root""#, F),
        ],
    );
    conditions(
        &bash("git push $ARGS"),
        &[
            (r#"runs "git push" where exists operands"#, U),
            (r#"runs "git push" where operands outside project"#, U),
            (r#"runs "git push" where not exists operands"#, U),
        ],
    );
    conditions(
        &bash("cd \"$X\" && touch a /etc/b"),
        &[
            (r#"runs "touch" where cwd under project"#, U),
            (r#"runs "touch" where operands outside project"#, T),
            (r#"runs "touch" where operands == "a""#, T),
        ],
    );
}

#[test]
fn facts_in_where_are_those_of_the_command() {
    let on = |text: &str| bash(text).with(StatedFacts::for_examples().with_git_branch("main"));
    let condition = r#"runs "git push" where git.branch == "main""#;
    conditions(&on("git push"), &[(condition, T)]);
    conditions(&on("git checkout topic && git push"), &[(condition, U)]);
    conditions(&on("git checkout -- src && git push"), &[(condition, T)]);
    conditions(&on("cd \"$X\" && git push"), &[(condition, U)]);
    conditions(&bash("git push").with(Unreadable(StatedFacts::for_examples())), &[(condition, U)]);
    conditions(&on("git push"), &[(r#"runs "git push" where push_target == "main""#, T)]);
    conditions(&on("git switch x; git push"), &[(r#"runs "git push" where push_target == "main""#, U)]);
}

#[test]
fn a_branch_that_the_text_checks_out_is_the_one_that_is_pushed() {
    let on =
        |text: &str| bash(text).with(StatedFacts::for_examples().with_git_branch("main").with_git_root("/project"));
    let to_main = r#"runs "git push" where push_target == "main""#;
    let on_main = r#"runs "git push" where git.branch == "main""#;
    let beside = r#"runs "git push" and git.branch == "main""#;
    for text in [
        "git switch -c x && git push",
        "git checkout -b x && git push -u origin HEAD",
        "git switch -c x && git commit -m y && git push -u origin \"$(git branch --show-current)\"",
    ] {
        conditions(&on(text), &[(to_main, F), (on_main, F), (beside, F)]);
    }
    for text in [
        "git switch main && git push",
        "git fetch && git rebase origin/main && git push --force-with-lease",
        "git push -u origin \"$(git branch --show-current)\"",
        "git push origin $(git rev-parse --abbrev-ref HEAD)",
        "git switch -c x && git push && git switch main && git push",
    ] {
        conditions(&on(text), &[(to_main, T), (on_main, T), (beside, T)]);
    }
    for text in [
        "git switch -c x; git push",
        "git checkout -b x || git push",
        "git checkout x && git push",
        "git rebase origin/main topic && git push",
        "git rebase --continue && git push",
        "git switch \"$X\" && git push",
    ] {
        conditions(&on(text), &[(to_main, U), (on_main, U), (beside, U)]);
    }
    conditions(&on("git -C ../other push origin \"$(git branch --show-current)\""), &[(to_main, U)]);
    conditions(&on("git push origin \"$(git branch --show-current)\""), &[(r#"runs "git push --force""#, F)]);
    conditions(&on("git push origin \"$(git branch -a)\""), &[(r#"runs "git push --force""#, U)]);
}

#[test]
fn facts_beside_runs_are_those_of_the_commands_that_match() {
    let on = |text: &str| bash(text).with(StatedFacts::for_examples().with_git_branch("main"));
    let pushes = r#"runs "git push" and git.branch == "main""#;
    conditions(&on("git push"), &[(pushes, T), (r#"runs "git push" and not git.worktree"#, T)]);
    conditions(&on("git checkout topic && git push"), &[(pushes, U), (r#"runs "git push" and not git.worktree"#, T)]);
    conditions(&on("git push && git checkout topic"), &[(pushes, T)]);
    conditions(&on("cd \"$X\" && git push"), &[(pushes, U), (r#"runs "git pull" and git.branch == "main""#, F)]);
    // One of the two pushes is certain.
    conditions(&on("git push; cd \"$X\" && git push"), &[(pushes, T)]);
    conditions(&on("eval \"$X\"; git push"), &[(pushes, U)]);
    // A rule that holds without a `runs` is judged where all commands run.
    conditions(&on("cd \"$X\" && ls"), &[(r#"not runs "git push" and git.branch == "main""#, U)]);
    allowing(&on("git push"), &[(pushes, T)]);
    allowing(&on("git push; cd \"$X\" && git push"), &[(pushes, U)]);
    // Directories in which git's state is the same are one place.
    let places: String = (0..20).map(|place| format!("(cd d{place} && git push); ")).collect();
    allowing(&on(&places), &[(pushes, T)]);
    conditions(&on(&places), &[(pushes, T)]);
}

#[test]
fn definitions_within_definitions_are_gone_through_once() {
    let mut definitions = "def d0 = runs \"git push\"\n".to_owned();
    for level in 1..13 {
        let before = level - 1;
        definitions.push_str(&format!("def d{level} = d{before} or not d{before}\n"));
    }
    let given = bash("git status");
    outcome(&definitions, "d12 and git.branch == \"main\"", &given);
}

#[test]
fn the_match_is_the_command_as_written() {
    let rule =
        "rule r {\n  on PreToolUse\n  when runs \"git push\" where push_target == \"main\"\n  deny \"`{match}`\"\n}\n";
    check(rule, &bash("ls &&  git  push origin \"main\"; true"), "deny by r: `git  push origin \"main\"`");
    check(rule, &bash("sh -c 'git push  origin main'"), "deny by r: `git push origin main`");
}

#[test]
fn what_decided_is_told() {
    let policy =
        policy("rule r {\n  on PreToolUse\n  when runs \"git push\" where operands == \"main\"\n  warn \"w\"\n}\n");
    let note = |text: &str| judge(&policy, &bash(text)).trace.rules[0].parts[0].note.clone().unwrap();
    assert_eq!(note("ls; git push origin main"), "`git push origin main` matches");
    assert_eq!(note("git push origin topic"), "`git push origin topic` does not match");
    assert_eq!(note("ls; pwd"), "it runs `ls`, `pwd`");
    assert_eq!(note("a; b; c; d"), "it runs `a`, `b`, `c` and 1 more");
}

#[test]
fn a_command_without_a_program_is_shown_by_what_it_sets() {
    let only = policy("rule r {\n  on PreToolUse(Bash)\n  when only runs \"git status\"\n  allow\n}\n");
    let note = |text: &str| {
        let evaluation = judge(&only, &bash(text));
        evaluation.trace.rules[0].parts[0].note.clone().unwrap()
    };
    assert_eq!(note("x=push"), "`x=push` is something else");
    assert_eq!(note("> f"), "`a redirection` is something else");
    assert_eq!(note("git push"), "`git push` is something else");
}

#[test]
fn an_option_that_no_pattern_covers_is_named() {
    let note = |patterns: &str, text: &str| {
        let only = policy(&format!("rule r {{\n  on PreToolUse(Bash)\n  when only runs {patterns}\n  allow\n}}\n"));
        judge(&only, &bash(text)).trace.rules[0].parts[0].note.clone().unwrap()
    };
    let writes = "which writes a file: a `*` does not cover it, so the pattern has to name it";
    assert_eq!(
        note("\"git log *\"", "git log -1 --output=f"),
        format!("`git log -1 --output=f` has `--output`, {writes}")
    );
    assert_eq!(
        note("[\"ls *\", \"terraform plan *\"]", "terraform plan -out=p"),
        format!("`terraform plan -out=p` has `-out`, {writes}")
    );
    assert_eq!(
        note("\"git -P log *\"", "git -P -C /d log"),
        "`git -P -C /d log` has `-C`, which changes the directory: a `*` does not cover it, so the pattern has to name it"
    );
    assert_eq!(note("\"git status\"", "git status -s"), "`git status -s` has `-s`, which no pattern names");
    assert_eq!(
        note("\"git status *\"", "git status --nonesuch"),
        "`git status --nonesuch` has `--nonesuch`, which is not in the record of the program: a `*` does not cover it"
    );
    // Something else is wrong as well.
    assert_eq!(note("\"git log *\"", "git push --force"), "`git push --force` is something else");
}
