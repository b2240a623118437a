//! Calls of MCP servers for git, by the records of tools.

use serde_json::json;

use super::tools::each;
use crate::kit::Comes::{F, T};

#[test]
fn branches_and_tags_of_git_servers_are_named_by_their_modes() {
    each(&[
        (
            "mcp__git__git_branch",
            json!({"path": ".", "operation": "delete", "name": "x", "force": true}),
            r#"runs "git branch -D""#,
            T,
        ),
        (
            "mcp__git__git_branch",
            json!({"path": ".", "operation": "delete", "name": "x", "force": false}),
            r#"runs "git branch -D""#,
            F,
        ),
        (
            "mcp__git__git_branch",
            json!({"path": ".", "operation": "delete", "name": "x"}),
            r#"runs "git branch --delete x""#,
            T,
        ),
        (
            "mcp__git__git_branch",
            json!({"operation": "rename", "name": "a", "newName": "b", "force": true}),
            r#"runs "git branch -M a b""#,
            T,
        ),
        (
            "mcp__git__git_branch",
            json!({"operation": "create", "name": "a", "startPoint": "main"}),
            r#"runs "git branch a main""#,
            T,
        ),
        ("mcp__git__git_branch", json!({"operation": "list", "all": true}), r#"runs "git branch -D""#, F),
        (
            "mcp__git__git_branch",
            json!({"path": ".", "mode": "delete", "branchName": "x", "force": true}),
            r#"runs "git branch -D x""#,
            T,
        ),
        (
            "mcp__git__git_branch",
            json!({"mode": "rename", "branchName": "a", "newBranchName": "b"}),
            r#"runs "git branch -m a b""#,
            T,
        ),
        ("mcp__git__git_branch", json!({"mode": "show-current"}), r#"runs "git branch -D""#, F),
        ("mcp__git__git_branch", json!({"repo_path": "/project", "branch_type": "local"}), r#"runs "git branch""#, T),
        (
            "mcp__git__git_branch_delete",
            json!({"path": ".", "branch": "x", "force": true}),
            r#"runs "git branch -D x""#,
            T,
        ),
        ("mcp__git__git_branch_delete", json!({"path": ".", "branch": "x"}), r#"runs "git branch -D""#, F),
        (
            "mcp__git__git_branch_create",
            json!({"path": ".", "name": "x", "checkout": true}),
            r#"runs "git checkout -b x""#,
            T,
        ),
        ("mcp__git__git_branch_list", json!({"path": "."}), r#"runs "git branch""#, T),
        (
            "mcp__git__git_create_branch",
            json!({"repo_path": "/project", "branch_name": "a", "base_branch": "b"}),
            r#"runs "git branch a b""#,
            T,
        ),
        ("mcp__git__git_tag", json!({"mode": "delete", "tagName": "v1"}), r#"runs "git tag -d v1""#, T),
        (
            "mcp__git__git_tag",
            json!({"mode": "create", "tagName": "v1", "force": true, "message": "x"}),
            r#"runs "git tag -f -m x v1""#,
            T,
        ),
        (
            "mcp__git__git_tag",
            json!({"mode": "create", "tagName": "v1", "commitRef": "abc"}),
            r#"runs "git tag v1 abc""#,
            T,
        ),
        ("mcp__git__git_tag", json!({"mode": "list"}), r#"runs "git tag -d""#, F),
        ("mcp__git__git_tag_create", json!({"path": ".", "name": "v1", "ref": "abc"}), r#"runs "git tag v1 abc""#, T),
        ("mcp__git__git_tag_list", json!({"path": "."}), r#"runs "git tag --list""#, T),
    ]);
}

#[test]
fn what_git_servers_do_to_a_working_tree_is_seen() {
    each(&[
        ("mcp__git__git_add", json!({"path": ".", "paths": [".env"]}), r#"runs "git add .env""#, T),
        ("mcp__git__git_add", json!({"path": ".", "all": true}), r#"runs "git add -A""#, T),
        ("mcp__git__git_add", json!({"path": "."}), r#"runs "git add .""#, T),
        ("mcp__git__git_add", json!({"path": ".", "paths": ["a"], "force": true}), r#"runs "git add --force""#, T),
        (
            "mcp__git__git_commit",
            json!({"path": ".", "message": "x", "filesToStage": [".env"]}),
            r#"runs "git add .env""#,
            T,
        ),
        (
            "mcp__git__git_commit",
            json!({"path": ".", "message": "x", "filesToStage": [".env"]}),
            r#"runs "git commit""#,
            T,
        ),
        (
            "mcp__git__git_commit",
            json!({"path": ".", "message": "x", "noVerify": true}),
            r#"runs "git commit --no-verify""#,
            T,
        ),
        (
            "mcp__git__git_reset",
            json!({"path": ".", "mode": "hard", "target": "HEAD~1"}),
            r#"runs "git reset --hard HEAD~1""#,
            T,
        ),
        (
            "mcp__git__git_reset",
            json!({"path": ".", "mode": "merge", "commit": "abc"}),
            r#"runs "git reset --merge abc""#,
            T,
        ),
        ("mcp__git__git_reset", json!({"path": ".", "paths": ["a"]}), r#"runs "git reset --hard""#, F),
        (
            "mcp__git__git_reset_commit",
            json!({"path": ".", "ref": "HEAD~2", "mode": "hard"}),
            r#"runs "git reset --hard HEAD~2""#,
            T,
        ),
        (
            "mcp__git__git_clean",
            json!({"path": ".", "force": true, "directories": true, "ignored": true}),
            r#"runs "git clean -fdx""#,
            T,
        ),
        (
            "mcp__git__git_clean",
            json!({"path": ".", "force": true, "dryRun": true}),
            r#"runs "git clean --force !--dry-run""#,
            F,
        ),
        (
            "mcp__git__git_checkout",
            json!({"path": ".", "target": "HEAD", "paths": ["src/a.rs"]}),
            r#"writes like "src/a.rs""#,
            T,
        ),
        (
            "mcp__git__git_checkout",
            json!({"path": ".", "target": "x", "force": true}),
            r#"runs "git checkout --force""#,
            T,
        ),
        (
            "mcp__git__git_checkout",
            json!({"path": ".", "target": "x", "createBranch": true}),
            r#"runs "git checkout -b x""#,
            T,
        ),
        (
            "mcp__git__git_checkout",
            json!({"path": ".", "branchOrPath": "main", "newBranch": "x"}),
            r#"runs "git checkout -b x main""#,
            T,
        ),
        ("mcp__git__git_checkout", json!({"repo_path": "/project", "branch_name": "x"}), r#"runs "git checkout x""#, T),
        ("mcp__git__git_stash", json!({"path": "."}), r#"runs "git stash push""#, T),
        ("mcp__git__git_stash", json!({"path": ".", "mode": "clear"}), r#"runs "git stash clear""#, T),
        (
            "mcp__git__git_stash",
            json!({"path": ".", "mode": "drop", "stashRef": "stash@{0}"}),
            r#"runs "git stash drop""#,
            T,
        ),
        ("mcp__git__git_stash", json!({"path": ".", "mode": "list"}), r#"runs "git stash push""#, F),
        (
            "mcp__git__git_stash_create",
            json!({"path": ".", "includeUntracked": true}),
            r#"runs "git stash push -u""#,
            T,
        ),
        ("mcp__git__git_stash_apply", json!({"path": "."}), r#"runs "git stash apply""#, T),
        ("mcp__git__git_stash_pop", json!({"path": ".", "stashId": "stash@{1}"}), r#"runs "git stash pop""#, T),
        ("mcp__git__git_stash_list", json!({"path": "."}), r#"runs "git stash list""#, T),
        (
            "mcp__git__git_worktree",
            json!({"path": ".", "mode": "remove", "worktreePath": "../b", "force": true}),
            r#"runs "git worktree remove --force""#,
            T,
        ),
        (
            "mcp__git__git_worktree",
            json!({"path": ".", "mode": "add", "worktreePath": "../b", "branch": "x"}),
            r#"runs "git worktree add""#,
            T,
        ),
        ("mcp__git__git_worktree", json!({"path": "."}), r#"runs "git worktree list""#, T),
        ("mcp__git__git_set_working_dir", json!({"path": "/project"}), r#"reads under "/project""#, F),
    ]);
}

#[test]
fn what_git_servers_do_to_history_and_remotes_is_seen() {
    each(&[
        (
            "mcp__git__git_merge",
            json!({"path": ".", "branch": "x", "noFastForward": true}),
            r#"runs "git merge --no-ff x""#,
            T,
        ),
        ("mcp__git__git_merge", json!({"path": ".", "branch": "x", "abort": true}), r#"runs "git merge --abort""#, T),
        (
            "mcp__git__git_rebase",
            json!({"path": ".", "upstream": "main", "onto": "b"}),
            r#"runs "git rebase --onto=b main""#,
            T,
        ),
        (
            "mcp__git__git_rebase",
            json!({"path": ".", "branch": "main", "interactive": true}),
            r#"runs "git rebase -i main""#,
            T,
        ),
        ("mcp__git__git_rebase", json!({"path": ".", "mode": "skip"}), r#"runs "git rebase --skip""#, T),
        (
            "mcp__git__git_cherry_pick",
            json!({"path": ".", "commits": ["a", "b"], "noCommit": true}),
            r#"runs "git cherry-pick -n a b""#,
            T,
        ),
        (
            "mcp__git__git_remote",
            json!({"path": ".", "mode": "remove", "name": "origin"}),
            r#"runs "git remote remove origin""#,
            T,
        ),
        (
            "mcp__git__git_remote",
            json!({"path": ".", "mode": "set-url", "name": "origin", "url": "https://e.example/x"}),
            r#"runs "git remote set-url origin https://e.example/x""#,
            T,
        ),
        ("mcp__git__git_remote", json!({"path": ".", "mode": "list"}), r#"runs "git remote (add|remove|set-url)""#, F),
        (
            "mcp__git__git_remote_add",
            json!({"path": ".", "name": "x", "url": "https://e.example/x"}),
            r#"runs "git remote add x https://e.example/x""#,
            T,
        ),
        ("mcp__git__git_remote_list", json!({"path": "."}), r#"runs "git remote add""#, F),
        ("mcp__git__git_fetch", json!({"path": ".", "prune": true, "remote": "o"}), r#"runs "git fetch --prune o""#, T),
        (
            "mcp__git__git_pull",
            json!({"path": ".", "branch": "main", "rebase": true}),
            r#"runs "git pull --rebase origin main""#,
            T,
        ),
        (
            "mcp__git__git_clone",
            json!({"url": "https://e.example/x.git", "localPath": "/elsewhere/x", "depth": 1}),
            r#"runs "git clone --depth=1""#,
            T,
        ),
        (
            "mcp__git__git_clone",
            json!({"url": "https://e.example/x.git", "localPath": "/elsewhere/x"}),
            r#"domain == "e.example""#,
            T,
        ),
        (
            "mcp__git__git_push",
            json!({"branch": "main", "force": true, "dryRun": true}),
            r#"runs "git push --force !--dry-run""#,
            F,
        ),
        ("mcp__git__git_push", json!({"branch": "x", "delete": true}), r#"runs "git push --delete origin x""#, T),
        ("mcp__git__git_show", json!({"path": ".", "object": "HEAD", "filePath": ".env"}), r#"reads like ".env""#, T),
        ("mcp__git__git_show", json!({"path": ".", "ref": "HEAD", "filePath": "a"}), r#"runs "git show HEAD:a""#, T),
        ("mcp__git__git_show", json!({"path": ".", "object": "HEAD", "filePath": ".env"}), r#"writes like ".env""#, F),
        (
            "mcp__git__git_blame",
            json!({"path": ".", "filePath": ".env", "startLine": 1, "endLine": 9}),
            r#"reads like ".env""#,
            T,
        ),
        ("mcp__git__git_log", json!({"path": ".", "patch": true, "filePath": "a"}), r#"runs "git log -p""#, T),
        ("mcp__git__git_diff", json!({"path": ".", "staged": true}), r#"runs "git diff --staged""#, T),
        (
            "mcp__git__git_diff",
            json!({"path": ".", "source": "a", "target": "b", "paths": ["c"]}),
            r#"runs "git diff a b""#,
            T,
        ),
        ("mcp__git__git_diff_unstaged", json!({"path": ".", "file": "a"}), r#"runs "git diff""#, T),
        ("mcp__git__git_diff_staged", json!({"path": ".", "file": "a"}), r#"runs "git diff --staged""#, T),
    ]);
}
