//! The effects of tools of MCP servers, by the records of tools and by the form of their input.

use serde_json::{Value as Json, json};

use crate::kit::Comes::{F, T, U};
use crate::kit::{allowing, call, conditions};

/// Checks conditions of calls.
#[track_caller]
pub(super) fn each(cases: &[(&str, Json, &str, crate::kit::Comes)]) {
    for (tool, input, condition, comes) in cases {
        conditions(&call(tool, input.clone()), &[(condition, *comes)]);
    }
}

#[test]
fn a_tool_of_a_git_server_is_the_command_that_it_runs() {
    each(&[
        ("mcp__git__git_push", json!({"path": "/project", "force": true}), r#"runs "git push --force""#, T),
        ("mcp__git__git_push", json!({"path": "/project", "force": false}), r#"runs "git push --force""#, F),
        (
            "mcp__my-repo__gitPush",
            json!({"force": true, "branch": "main"}),
            r#"runs "git push" where push_target == "main""#,
            T,
        ),
        (
            "mcp__git__git_push",
            json!({"branch": "main", "remoteBranch": "x"}),
            r#"runs "git push" where push_target == "main""#,
            F,
        ),
        (
            "mcp__git__git_push",
            json!({"branch": "x", "remoteBranch": "main", "remote": "o"}),
            r#"runs "git push o" where push_target == "main""#,
            T,
        ),
        ("mcp__git__git_reset", json!({"repo_path": "/project", "mode": "hard"}), r#"runs "git reset --hard""#, T),
        ("mcp__git__git_reset", json!({"repo_path": "/project"}), r#"runs "git reset --hard""#, F),
        (
            "mcp__git__git_commit",
            json!({"repo_path": "/a b", "message": "x; rm -rf /"}),
            r#"runs "git commit" where cwd == "/a b""#,
            T,
        ),
        ("mcp__git__git_commit", json!({"repo_path": "/project", "message": "x; rm -rf /"}), r#"runs "rm""#, F),
        (
            "mcp__git__git_commit",
            json!({"repo_path": "/project", "message": {"a": {"b": "c"}}}),
            r#"runs "git push""#,
            U,
        ),
    ]);
}

#[test]
fn no_allow_hangs_on_a_record() {
    let status = call("mcp__git__git_status", json!({"repo_path": "/project"}));
    allowing(&status, &[(r#"only runs "git *""#, U), (r#"runs "git status""#, U)]);
    let listing = call("mcp__fs__list_directory", json!({"path": "docs"}));
    allowing(
        &listing,
        &[(r#"reads under "docs""#, T), ("not writes outside project", T), (r#"not writes like "docs""#, F)],
    );
}

#[test]
fn what_a_record_says_of_a_file_is_all_that_happens_to_it() {
    each(&[
        ("mcp__filesystem__list_directory", json!({"path": "."}), r#"reads like ".env""#, F),
        ("mcp__x__directory_tree", json!({"path": "/project"}), r#"reads like ".env""#, F),
        ("mcp__x__read_text_file", json!({"path": ".env"}), r#"reads like ".env""#, T),
        ("mcp__x__read_text_file", json!({"path": ".env"}), r#"writes like ".env""#, F),
        ("mcp__x__write_file", json!({"path": ".env", "content": ""}), r#"reads like ".env""#, F),
        ("mcp__x__write_file", json!({"path": ".env", "content": ""}), r#"writes like ".env""#, T),
        ("mcp__x__move_file", json!({"source": ".env", "destination": "a"}), r#"deletes like ".env""#, T),
        ("mcp__x__move_file", json!({"source": "a", "destination": ".env"}), r#"writes like ".env""#, T),
        ("mcp__x__move_file", json!({"source": "a", "destination": ".env"}), r#"runs "mv""#, T),
        // A member that is not in the record is judged by its name.
        ("mcp__x__list_directory", json!({"path": ".", "file": ".env"}), r#"reads like ".env""#, T),
        // So is a member of a tool without a record.
        ("mcp__x__frobnicate", json!({"path": ".env"}), r#"writes like ".env""#, T),
        (
            "mcp__filesystem__edit_file",
            json!({"path": "a", "edits": [{"oldText": "x", "newText": "sk_live"}]}),
            r#"content contains "sk_live""#,
            T,
        ),
    ]);
}

#[test]
fn a_command_may_lie_in_lists_and_objects() {
    each(&[
        ("mcp__x__frobnicate", json!({"args": ["git", "push", "--force"]}), r#"runs "git push --force""#, T),
        ("mcp__x__frobnicate", json!({"input": {"command": "git push -f"}}), r#"runs "git push --force""#, T),
        ("mcp__x__frobnicate", json!({"steps": [{"run": 1}, {"cmd": ["git", "push"]}]}), r#"runs "git push""#, T),
        ("mcp__x__frobnicate", json!({"args": ["--force", "push"]}), r#"runs "*""#, F),
    ]);
}

#[test]
fn a_tool_without_a_record_starts_the_program_that_its_server_is_about() {
    each(&[
        ("mcp__git__run", json!({"args": ["push", "--force"]}), r#"runs "git push --force""#, T),
        ("mcp__my-git__exec", json!({"command": "push", "args": "-f"}), r#"runs "git push --force""#, T),
        ("mcp__x__run", json!({"args": ["push", "--force"]}), r#"runs "git push --force""#, F),
        // Tools under other names than in the records of these servers are treated the same way.
        ("mcp__git__push", json!({"path": "/project", "force": true}), r#"runs "git push --force""#, T),
        ("mcp__git__reset", json!({"repo_path": "/project", "mode": "hard"}), r#"runs "git reset --hard""#, T),
        ("mcp__redis__execute", json!({"command": "FLUSHALL"}), r#"runs "redis-cli FLUSHALL""#, T),
        ("mcp__terraform__run", json!({"command": "destroy"}), r#"runs "terraform destroy""#, T),
        ("mcp__docker__prune_system", json!({"volumes": true}), r#"runs "docker system prune --volumes""#, T),
        ("mcp__azure__resource_delete", json!({"id": "x"}), r#"runs "az resource delete""#, T),
        // A server of a shell is not about a program, and a possible alias of git is not one of its subcommands.
        ("mcp__bash__run", json!({"args": ["push"]}), r#"runs "bash""#, F),
        ("mcp__git__frobnicate", json!({}), r#"runs "git""#, F),
        // Creating or updating the ref is a push.
        (
            "mcp__github__update_ref",
            json!({"owner": "a", "repo": "b", "ref": "heads/main", "sha": "c", "force": true}),
            r#"runs "git push --force" where push_target == "main""#,
            T,
        ),
        (
            "mcp__kubernetes__exec_in_pod",
            json!({"name": "web", "command": "cd /data; rm -rf a"}),
            r#"runs "rm -rf""#,
            T,
        ),
        ("mcp__kubernetes__pods_exec", json!({"name": "web", "command": ["rm", "-rf", "a"]}), r#"runs "rm -rf a""#, T),
    ]);
}

#[test]
fn tools_of_further_servers_are_what_they_do() {
    let (file, repo) =
        (r#"deletes like "src/a.rs""#, json!({"owner": "o", "repo": "r", "branch": "main", "path": "src/a.rs"}));
    let to_main = r#"runs "git push" where push_target == "main""#;
    let (key, keys) = (r#"content contains "AKIA""#, json!({"channel_id": "C1", "payload": "AKIA"}));
    each(&[
        ("mcp__aws-api__call_aws", json!({"cli_command": "aws s3 rm s3://b"}), r#"runs "aws s3 rm""#, T),
        ("mcp__slack__conversations_add_message", keys, key, T),
        ("mcp__puppeteer__puppeteer_navigate", json!({"url": "file:///x"}), r#"url like "file:*""#, T),
        ("mcp__chrome-devtools__new_page", json!({"url": "https://a.b/"}), r#"domain == "a.b""#, T),
        ("mcp__chrome-devtools__upload_file", json!({"uid": "1", "filePath": ".env"}), r#"reads like ".env""#, T),
        ("mcp__chrome-devtools__upload_file", json!({"uid": "1", "filePath": ".env"}), r#"writes like ".env""#, F),
        ("mcp__chrome-devtools__take_screenshot", json!({"filePath": "a.png"}), r#"writes like "a.png""#, T),
        ("mcp__mongodb__drop-database", json!({"database": "app"}), r#"runs "mongosh app""#, T),
        ("mcp__mongodb__delete-many", json!({"database": "app", "collection": "c"}), r#"runs "mongosh app""#, T),
        ("mcp__supabase__delete_branch", json!({"branch_id": "b"}), r#"runs "supabase branches delete""#, T),
        ("mcp__x__delete_branch", json!({"branch_id": "b"}), r#"runs "supabase""#, F),
        ("mcp__supabase__deploy_edge_function", json!({"name": "f"}), r#"runs "supabase functions deploy""#, T),
        (
            "mcp__k8s__kubectl_get",
            json!({"resourceType": "secrets", "output": "yaml"}),
            r#"runs "kubectl get --output=yaml""#,
            T,
        ),
        ("mcp__my-gh__delete_file", repo.clone(), file, T),
        ("mcp__my-gh__delete_file", repo.clone(), to_main, T),
        ("mcp__x__create_or_update_file", repo.clone(), to_main, T),
        (
            "mcp__x__push_files",
            json!({"owner": "o", "repo": "r", "branch": "x", "files": [{"path": ".env", "content": "A=1"}]}),
            to_main,
            F,
        ),
        (
            "mcp__x__push_files",
            json!({"owner": "o", "repo": "r", "branch": "x", "files": [{"path": ".env", "content": "A=1"}]}),
            r#"writes like ".env""#,
            T,
        ),
        (
            "mcp__x__push_files",
            json!({"project_id": "1", "branch": "main", "files": [{"file_path": "a", "content": "b"}]}),
            to_main,
            T,
        ),
        (
            "mcp__gh__merge_pull_request",
            json!({"owner": "o", "repo": "r", "pullNumber": 7, "merge_method": "squash"}),
            r#"runs "gh pr merge --squash""#,
            T,
        ),
        (
            "mcp__gitlab__create_destructive_commit",
            json!({"project": "g/p", "branch": "main", "force": true}),
            r#"runs "git push --force""#,
            T,
        ),
        ("mcp__dc__start_process", json!({"command": "rm -r x", "timeout_ms": 1}), r#"deletes like "x""#, T),
        (
            "mcp__dc__start_process",
            json!({"command": "rm -r x", "cwd": "/elsewhere"}),
            r#"deletes under "/elsewhere""#,
            T,
        ),
        ("mcp__dc__interact_with_process", json!({"pid": 1, "input": "git push -f"}), r#"runs "git push --force""#, T),
        (
            "mcp__k__kubectl_delete",
            json!({"resourceType": "namespace", "name": "prod"}),
            r#"runs "kubectl delete namespace""#,
            T,
        ),
        (
            "mcp__k__kubectl_generic",
            json!({"command": "delete", "resourceType": "ns", "flags": {"force": true}}),
            r#"runs "kubectl delete --force""#,
            T,
        ),
        ("mcp__kube__delete", json!({"resource": "pod", "name": "a"}), r#"runs "kubectl delete""#, T),
        ("mcp__other__delete", json!({"resource": "pod", "name": "a"}), r#"runs "kubectl delete""#, F),
        ("mcp__docker__remove_container", json!({"id": "a", "force": true}), r#"runs "docker rm -f""#, T),
        (
            "mcp__x__execute_sql",
            json!({"query": "drop table users"}),
            r#"runs "psql" where option "-c" contains "drop""#,
            T,
        ),
        (
            "mcp__mongo__drop-collection",
            json!({"database": "d", "collection": "c"}),
            r#"runs "mongosh" where args contains ".drop()""#,
            T,
        ),
        ("mcp__playwright__browser_file_upload", json!({"paths": ["/project/.env"]}), r#"reads like ".env""#, T),
        ("mcp__tf__ExecuteTerragruntCommand", json!({"command": "destroy"}), r#"runs "terragrunt destroy""#, T),
        ("mcp__git__push", json!({"branch": "main", "force": true}), r#"runs "git push --force""#, T),
        ("mcp__ide__executeCode", json!({"code": "!git push -f"}), r#"runs "git push --force""#, T),
        (
            "mcp__ide__executeCode",
            json!({"code": "import shutil\nshutil.rmtree('/srv/data')"}),
            r#"deletes under "/srv""#,
            T,
        ),
        ("mcp__ide__executeCode", json!({"code": "print('git push -f')"}), r#"runs "git push --force""#, F),
        (
            "mcp__jupyter__insert_execute_code_cell",
            json!({"cell_index": 1, "cell_source": "%%bash\ngit push -f"}),
            r#"runs "git push --force""#,
            T,
        ),
        ("mcp__py__run_python_code", json!({"python_code": "open('.env').read()"}), r#"reads like ".env""#, T),
        ("mcp__jetbrains__get_file_text_by_path", json!({"pathInProject": ".env"}), r#"reads like ".env""#, T),
        ("mcp__idea__create_new_file", json!({"pathInProject": ".env", "text": "A=1"}), r#"writes like ".env""#, T),
        ("mcp__idea__replace_text_in_file", json!({"pathInProject": "a", "newText": "A=1"}), r#"content == "A=1""#, T),
        (
            "mcp__serena__execute_shell_command",
            json!({"command": "git push -f", "cwd": "/x"}),
            r#"runs "git push --force""#,
            T,
        ),
        ("mcp__serena__create_text_file", json!({"relative_path": ".env", "content": "x"}), r#"writes like ".env""#, T),
        ("mcp__k8s__kubectl_scale", json!({"name": "a", "replicas": 0}), r#"runs "kubectl scale""#, T),
        ("mcp__k8s__uninstall_helm_chart", json!({"name": "a", "namespace": "n"}), r#"runs "helm uninstall""#, T),
        ("mcp__k8s__upgrade_helm_chart", json!({"name": "a", "chart": "c"}), r#"runs "helm upgrade""#, T),
        ("mcp__k8s__install_helm_chart", json!({"name": "a", "chart": "c"}), r#"runs "helm install""#, T),
        ("mcp__k8s__helm_install", json!({"chart": "c"}), r#"runs "helm install""#, T),
        ("mcp__k8s__pods_delete", json!({"name": "a"}), r#"runs "kubectl delete pod""#, T),
        ("mcp__k8s__resources_delete", json!({"kind": "Namespace", "name": "a"}), r#"runs "kubectl delete""#, T),
        (
            "mcp__k8s__resources_scale",
            json!({"kind": "Deployment", "name": "a", "scale": 0}),
            r#"runs "kubectl scale""#,
            T,
        ),
        ("mcp__k8s__resources_get", json!({"kind": "Secret", "name": "a"}), r#"runs "kubectl get --output=yaml""#, T),
        (
            "mcp__k8s__kubectl_rollout",
            json!({"subCommand": "undo", "resourceType": "deployment", "name": "a"}),
            r#"runs "kubectl rollout undo""#,
            T,
        ),
        (
            "mcp__github__merge_pull_request",
            json!({"owner": "o", "repo": "r", "pull_number": 7}),
            r#"runs "gh pr merge""#,
            T,
        ),
        ("mcp__tf__ExecuteTerraformCommand", json!({"command": "destroy"}), r#"runs "terraform destroy""#, T),
        ("mcp__x__send", json!({"localFilePath": ".env"}), r#"reads like ".env""#, T),
        ("mcp__x__send", json!({"PATH": ".env"}), r#"reads like ".env""#, T),
        ("mcp__x__send", json!({"a": {"b": {"c": {"path": ".env"}}}}), r#"reads like ".env""#, T),
        ("mcp__x__send", json!({"attachments": [".env"]}), r#"reads like ".env""#, T),
        ("mcp__x__send", json!({"target": "./.env"}), r#"reads like ".env""#, T),
        ("mcp__x__send", json!({"resource": "file:///project/.env"}), r#"reads like ".env""#, T),
        ("mcp__x__send", json!({"from": "a@b.example", "name": "env"}), r#"reads like "**""#, F),
        ("mcp__x__send", json!({"commandLine": "git push -f"}), r#"runs "git push --force""#, T),
        ("mcp__x__send", json!({"program": "git", "args": ["push", "-f"]}), r#"runs "git push --force""#, T),
        ("mcp__deploy__push", json!({"branch": "main", "force": true}), r#"runs "git push --force""#, F),
    ]);
}

/// A record without servers would apply to every call with its name.
#[test]
fn a_built_in_record_has_servers() {
    for record in hookrules::tool_records::built_in() {
        assert!(!record.servers.is_empty(), "{}: {:?}", record.origin, record.names);
    }
}
