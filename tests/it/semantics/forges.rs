//! Calls of MCP servers for GitHub and GitLab, by the records of tools.

use serde_json::json;

use super::tools::each;
use crate::kit::Comes::{F, T};

#[test]
fn what_changes_a_repository_of_github_is_a_push_or_a_call_of_gh() {
    each(&[
        (
            "mcp__github__delete_branch",
            json!({"owner": "o", "repo": "r", "branch": "main"}),
            r#"runs "git push --delete" where push_target == "main""#,
            T,
        ),
        ("mcp__x__delete_branch", json!({"owner": "o", "repo": "r", "branch": "x"}), r#"runs "git push --delete""#, T),
        (
            "mcp__github__create_branch",
            json!({"owner": "o", "repo": "r", "branch": "x", "from_branch": "main"}),
            r#"runs "git push" where push_target == "x""#,
            T,
        ),
        (
            "mcp__github__create_branch",
            json!({"owner": "o", "repo": "r", "branch": "x"}),
            r#"runs "git push" where push_target == "x""#,
            T,
        ),
        ("mcp__github__delete_repository", json!({"owner": "o", "repo": "r"}), r#"runs "gh repo delete o/r""#, T),
        (
            "mcp__github__create_repository",
            json!({"name": "r", "organization": "o", "private": true}),
            r#"runs "gh repo create o/r --private""#,
            T,
        ),
        ("mcp__github__create_repository", json!({"name": "r"}), r#"runs "gh repo create r --public""#, T),
        (
            "mcp__github__fork_repository",
            json!({"owner": "o", "repo": "r", "organization": "p"}),
            r#"runs "gh repo fork o/r --org=p""#,
            T,
        ),
        (
            "mcp__github__add_repository_collaborator",
            json!({"owner": "o", "repo": "r", "username": "u", "permission": "admin"}),
            r#"runs "gh api --method=PUT */collaborators/*""#,
            T,
        ),
        (
            "mcp__github__create_release",
            json!({"owner": "o", "repo": "r", "tag_name": "v1", "body": "AKIA", "draft": true}),
            r#"runs "gh release create v1 --draft""#,
            T,
        ),
        (
            "mcp__github__create_release",
            json!({"owner": "o", "repo": "r", "tag_name": "v1", "body": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__github__delete_release",
            json!({"owner": "o", "repo": "r", "release_id": 7}),
            r#"runs "gh api --method=DELETE repos/o/r/releases/7""#,
            T,
        ),
        (
            "mcp__github__delete_org_package",
            json!({"org": "o", "package_type": "npm", "package_name": "p"}),
            r#"runs "gh api --method=DELETE""#,
            T,
        ),
        (
            "mcp__github__delete_org_package_version",
            json!({"org": "o", "package_type": "npm", "package_name": "p", "package_version_id": 7}),
            r#"runs "gh api --method=DELETE */versions/7""#,
            T,
        ),
        (
            "mcp__github__delete_user_package",
            json!({"package_type": "npm", "package_name": "p"}),
            r#"runs "gh api --method=DELETE user/packages/npm/p""#,
            T,
        ),
        (
            "mcp__github__label_write",
            json!({"method": "delete", "owner": "o", "repo": "r", "name": "bug"}),
            r#"runs "gh label delete bug""#,
            T,
        ),
        (
            "mcp__github__label_write",
            json!({"method": "update", "owner": "o", "repo": "r", "name": "bug", "new_name": "b"}),
            r#"runs "gh label delete""#,
            F,
        ),
        (
            "mcp__github__get_file_contents",
            json!({"owner": "o", "repo": "r", "path": ".env"}),
            r#"reads like ".env""#,
            T,
        ),
    ]);
}

#[test]
fn reviews_issues_and_workflows_of_github_are_calls_of_gh() {
    each(&[
        (
            "mcp__github__create_pull_request",
            json!({"owner": "o", "repo": "r", "head": "x", "base": "main", "title": "t", "body": "AKIA"}),
            r#"runs "gh pr create --base=main""#,
            T,
        ),
        (
            "mcp__github__create_pull_request",
            json!({"owner": "o", "repo": "r", "head": "x", "base": "main", "title": "t", "body": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__github__update_pull_request",
            json!({"owner": "o", "repo": "r", "pullNumber": 7, "body": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__github__update_pull_request_branch",
            json!({"owner": "o", "repo": "r", "pullNumber": 7}),
            r#"runs "gh pr update-branch 7""#,
            T,
        ),
        (
            "mcp__github__pull_request_review_write",
            json!({"method": "create", "owner": "o", "repo": "r", "pullNumber": 7, "event": "APPROVE"}),
            r#"runs "gh pr review --approve""#,
            T,
        ),
        (
            "mcp__github__pull_request_review_write",
            json!({"method": "create", "owner": "o", "repo": "r", "pullNumber": 7, "event": "COMMENT", "body": "x"}),
            r#"runs "gh pr review --approve""#,
            F,
        ),
        (
            "mcp__github__create_and_submit_pull_request_review",
            json!({"owner": "o", "repo": "r", "pullNumber": 7, "event": "APPROVE", "body": "x"}),
            r#"runs "gh pr review 7 --approve""#,
            T,
        ),
        (
            "mcp__github__create_pull_request_review",
            json!({"owner": "o", "repo": "r", "pull_number": 7, "event": "APPROVE", "body": "x"}),
            r#"runs "gh pr review 7 --approve""#,
            T,
        ),
        (
            "mcp__github__create_issue",
            json!({"owner": "o", "repo": "r", "title": "t", "body": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__github__issue_write",
            json!({"method": "create", "owner": "o", "repo": "r", "title": "t", "body": "AKIA"}),
            r#"runs "gh issue create""#,
            T,
        ),
        (
            "mcp__github__issue_write",
            json!({"method": "update", "owner": "o", "repo": "r", "issue_number": 7, "body": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__github__add_issue_comment",
            json!({"owner": "o", "repo": "r", "issue_number": 7, "body": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__github__create_gist",
            json!({"filename": "a", "content": "AKIA", "public": true}),
            r#"runs "gh gist create --public""#,
            T,
        ),
        (
            "mcp__github__create_gist",
            json!({"filename": "a", "content": "AKIA"}),
            r#"runs "gh gist create --public""#,
            F,
        ),
        ("mcp__github__create_gist", json!({"filename": ".env", "content": "AKIA"}), r#"reads like ".env""#, F),
        (
            "mcp__github__update_gist",
            json!({"gist_id": "g", "filename": "a", "content": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__github__run_workflow",
            json!({"owner": "o", "repo": "r", "workflow_id": "deploy.yml", "ref": "main"}),
            r#"runs "gh workflow run deploy.yml""#,
            T,
        ),
        (
            "mcp__github__actions_run_trigger",
            json!({"method": "run_workflow", "owner": "o", "repo": "r", "workflow_id": "deploy.yml", "ref": "main"}),
            r#"runs "gh workflow run deploy.yml --ref=main""#,
            T,
        ),
        (
            "mcp__github__actions_run_trigger",
            json!({"method": "delete_workflow_run_logs", "owner": "o", "repo": "r", "run_id": 7}),
            r#"runs "gh api --method=DELETE""#,
            T,
        ),
        (
            "mcp__github__actions_run_trigger",
            json!({"method": "cancel_workflow_run", "owner": "o", "repo": "r", "run_id": 7}),
            r#"runs "gh run cancel 7""#,
            T,
        ),
        (
            "mcp__github__rerun_failed_jobs",
            json!({"owner": "o", "repo": "r", "run_id": 7}),
            r#"runs "gh run rerun 7 --failed""#,
            T,
        ),
        (
            "mcp__github__rerun_workflow_run",
            json!({"owner": "o", "repo": "r", "run_id": 7}),
            r#"runs "gh run rerun 7""#,
            T,
        ),
        (
            "mcp__github__cancel_workflow_run",
            json!({"owner": "o", "repo": "r", "run_id": 7}),
            r#"runs "gh run cancel 7""#,
            T,
        ),
        (
            "mcp__github__delete_workflow_run_logs",
            json!({"owner": "o", "repo": "r", "run_id": 7}),
            r#"runs "gh api --method=DELETE */logs""#,
            T,
        ),
        (
            "mcp__github__create_pull_request_with_copilot",
            json!({"owner": "o", "repo": "r", "problem_statement": "AKIA", "title": "t"}),
            r#"runs "gh agent-task create""#,
            T,
        ),
    ]);
}

#[test]
fn what_changes_a_project_of_gitlab_is_a_push_or_a_call_of_glab() {
    each(&[
        (
            "mcp__gitlab__delete_branch",
            json!({"project_id": "1", "branch_name": "main"}),
            r#"runs "git push --delete" where push_target == "main""#,
            T,
        ),
        (
            "mcp__gitlab__create_branch",
            json!({"project_id": "1", "branch": "x", "ref": "main"}),
            r#"runs "git push" where push_target == "x""#,
            T,
        ),
        (
            "mcp__gitlab__unprotect_branch",
            json!({"project_id": "1", "branch_name": "main"}),
            r#"runs "glab api --method=DELETE */protected_branches/main""#,
            T,
        ),
        (
            "mcp__gitlab__protect_branch",
            json!({"project_id": "1", "branch_name": "main", "allow_force_push": true}),
            r#"runs "glab api --method=POST --field=allow_force_push=true""#,
            T,
        ),
        (
            "mcp__gitlab__update_default_branch",
            json!({"project_id": "1", "default_branch": "x"}),
            r#"runs "glab api --method=PUT --field=default_branch=x""#,
            T,
        ),
        (
            "mcp__gitlab__update_project",
            json!({"project_id": "1", "visibility": "public"}),
            r#"runs "glab api --field=visibility=public""#,
            T,
        ),
        (
            "mcp__gitlab__create_tag",
            json!({"project_id": "1", "tag_name": "v1", "ref": "main"}),
            r#"runs "git push origin main:refs/tags/v1""#,
            T,
        ),
        (
            "mcp__gitlab__delete_tag",
            json!({"project_id": "1", "tag_name": "v1"}),
            r#"runs "git push --delete origin refs/tags/v1""#,
            T,
        ),
        (
            "mcp__gitlab__unprotect_tag",
            json!({"project_id": "1", "tag_name": "v*"}),
            r#"runs "glab api --method=DELETE""#,
            T,
        ),
        (
            "mcp__gitlab__create_merge_request",
            json!({
                "project_id": "1",
                "source_branch": "x",
                "target_branch": "main",
                "title": "t",
                "description": "AKIA"
            }),
            r#"runs "glab mr create --target-branch=main""#,
            T,
        ),
        (
            "mcp__gitlab__create_merge_request",
            json!({
                "project_id": "1",
                "source_branch": "x",
                "target_branch": "main",
                "title": "t",
                "description": "AKIA"
            }),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__gitlab__merge_merge_request",
            json!({"project_id": "1", "merge_request_iid": "7", "squash": true}),
            r#"runs "glab mr merge 7 --squash""#,
            T,
        ),
        (
            "mcp__gitlab__approve_merge_request",
            json!({"project_id": "1", "merge_request_iid": "7"}),
            r#"runs "glab mr approve 7""#,
            T,
        ),
        (
            "mcp__gitlab__unapprove_merge_request",
            json!({"project_id": "1", "merge_request_iid": "7"}),
            r#"runs "glab mr approve""#,
            F,
        ),
        (
            "mcp__gitlab__create_pipeline",
            json!({"project_id": "1", "ref": "main"}),
            r#"runs "glab ci run --branch=main""#,
            T,
        ),
        ("mcp__gitlab__play_pipeline_job", json!({"project_id": "1", "job_id": "7"}), r#"runs "glab ci trigger 7""#, T),
        ("mcp__gitlab__retry_pipeline_job", json!({"project_id": "1", "job_id": "7"}), r#"runs "glab ci retry 7""#, T),
        (
            "mcp__gitlab__cancel_pipeline",
            json!({"project_id": "1", "pipeline_id": "7"}),
            r#"runs "glab ci cancel pipeline 7""#,
            T,
        ),
        (
            "mcp__gitlab__cancel_pipeline_job",
            json!({"project_id": "1", "job_id": "7"}),
            r#"runs "glab ci cancel job 7""#,
            T,
        ),
        (
            "mcp__gitlab__download_job_artifacts",
            json!({"project_id": "1", "job_id": "7", "local_path": "out"}),
            r#"writes like "out""#,
            T,
        ),
        (
            "mcp__gitlab__create_release",
            json!({"project_id": "1", "tag_name": "v1", "description": "AKIA"}),
            r#"runs "glab release create v1""#,
            T,
        ),
        (
            "mcp__gitlab__delete_release",
            json!({"project_id": "1", "tag_name": "v1"}),
            r#"runs "glab release delete v1""#,
            T,
        ),
        (
            "mcp__gitlab__create_project_variable",
            json!({"project_id": "1", "key": "K", "value": "AKIA"}),
            r#"runs "glab variable set K""#,
            T,
        ),
        (
            "mcp__gitlab__update_project_variable",
            json!({"project_id": "1", "key": "K", "value": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__gitlab__delete_project_variable",
            json!({"project_id": "1", "key": "K"}),
            r#"runs "glab variable delete K""#,
            T,
        ),
        (
            "mcp__gitlab__get_project_variable",
            json!({"project_id": "1", "key": "K"}),
            r#"runs "glab variable get K""#,
            T,
        ),
        ("mcp__gitlab__list_project_variables", json!({"project_id": "1"}), r#"runs "glab variable list""#, T),
        (
            "mcp__gitlab__create_group_variable",
            json!({"group_id": "1", "key": "K", "value": "AKIA"}),
            r#"runs "glab variable set K --group=1""#,
            T,
        ),
        (
            "mcp__gitlab__update_group_variable",
            json!({"group_id": "1", "key": "K", "value": "AKIA"}),
            r#"content contains "AKIA""#,
            T,
        ),
        (
            "mcp__gitlab__delete_group_variable",
            json!({"group_id": "1", "key": "K"}),
            r#"runs "glab variable delete""#,
            T,
        ),
        ("mcp__gitlab__get_group_variable", json!({"group_id": "1", "key": "K"}), r#"runs "glab variable get""#, T),
        ("mcp__gitlab__list_group_variables", json!({"group_id": "1"}), r#"runs "glab variable list""#, T),
        (
            "mcp__gitlab__create_webhook",
            json!({"project_id": "1", "url": "https://e.example/hook"}),
            r#"domain == "e.example""#,
            T,
        ),
        (
            "mcp__gitlab__update_webhook",
            json!({"project_id": "1", "hook_id": 7, "url": "https://e.example/hook"}),
            r#"runs "glab api --method=PUT */hooks/7""#,
            T,
        ),
        (
            "mcp__gitlab__delete_webhook",
            json!({"project_id": "1", "hook_id": 7}),
            r#"runs "glab api --method=DELETE */hooks/7""#,
            T,
        ),
        ("mcp__gitlab__delete_issue", json!({"project_id": "1", "issue_iid": "7"}), r#"runs "glab issue delete 7""#, T),
        ("mcp__gitlab__get_file_contents", json!({"project_id": "1", "file_path": ".env"}), r#"reads like ".env""#, T),
        (
            "mcp__gitlab__execute_graphql",
            json!({"query": "mutation { destroyX }"}),
            r#"runs "glab api graphql" where args contains "mutation""#,
            T,
        ),
    ]);
}
