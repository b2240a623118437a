//! Handwritten git directories: what is read from them, and what they cannot claim.

#[cfg(unix)]
use std::os::unix::fs::symlink;

use super::super::MachineFacts;
use super::*;
use crate::facts::Facts;

struct Tree {
    _guard: tempfile::TempDir,
    dir: PathBuf,
}

impl Tree {
    /// Writes files at these paths; `DIR` in a text is the directory of the tree.
    fn with(files: &[(&str, &str)]) -> Self {
        let guard = tempfile::tempdir().unwrap();
        let dir = resolve(guard.path());
        let tree = Self { _guard: guard, dir };
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.replace("DIR", self.dir.to_str().unwrap())).unwrap();
    }

    fn read(&self, path: &str) -> Fact<GitState> {
        MachineFacts::new(None).git(&self.dir.join(path))
    }

    fn worktrees(&self, project: &str) -> Vec<PathBuf> {
        MachineFacts::new(Some(self.dir.join(project))).worktrees()
    }
}

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567\n";

/// A repository in `main` with a linked worktree in `linked`.
fn with_worktree() -> Tree {
    Tree::with(&[
        ("main/.git/HEAD", "ref: refs/heads/main\n"),
        ("main/.git/config", "[remote \"origin\"]\n\turl = https://host/r.git\n"),
        ("main/.git/worktrees/one/HEAD", "ref: refs/heads/topic/x\n"),
        ("main/.git/worktrees/one/commondir", "../..\n"),
        ("main/.git/worktrees/one/gitdir", "DIR/linked/.git\n"),
        ("linked/.git", "gitdir: DIR/main/.git/worktrees/one\n"),
    ])
}

#[test]
fn a_branch_is_read_from_any_directory_below_the_root() {
    let tree = Tree::with(&[("r/.git/HEAD", "ref: refs/heads/feature/a\n"), ("r/x/y/z", "")]);
    let git = tree.read("r/x/y").unwrap().unwrap();
    assert_eq!(git.branch.as_deref(), Some("feature/a"));
    assert_eq!(git.root, Some(tree.dir.join("r")));
    assert_eq!(git.remote, None);
    assert!(!git.worktree);
}

#[test]
fn a_detached_head_has_no_branch() {
    let tree = Tree::with(&[("r/.git/HEAD", COMMIT)]);
    assert_eq!(tree.read("r").unwrap().unwrap().branch, None);
}

#[test]
#[cfg(unix)]
fn a_head_that_is_a_link_names_its_branch() {
    let tree = Tree::with(&[("r/.git/refs/heads/old", COMMIT)]);
    symlink("refs/heads/old", tree.dir.join("r/.git/HEAD")).unwrap();
    assert_eq!(tree.read("r").unwrap().unwrap().branch.as_deref(), Some("old"));
}

#[test]
fn what_cannot_be_read_is_unknown() {
    assert!(Tree::with(&[("r/.git/HEAD", "nonsense\n")]).read("r").is_err());
    assert!(Tree::with(&[("r/.git/HEAD", "ref: refs/heads/.invalid\n")]).read("r").unwrap_err().contains("reftable"));
    assert!(Tree::with(&[("r/.git", "gitdir: DIR/nowhere\n")]).read("r").is_err());
    assert!(Tree::with(&[("r/.git", "hello\n")]).read("r").is_err());
    let big = "x".repeat(usize::try_from(MAX_SMALL_FILE).unwrap() + 1);
    assert!(Tree::with(&[("r/.git/HEAD", &big)]).read("r").is_err());
}

#[test]
fn outside_of_a_repository_there_is_nothing() {
    let tree = Tree::with(&[("r/x", "")]);
    assert_eq!(tree.read("r"), Ok(None));
    assert_eq!(tree.read("missing/deep"), Ok(None));
}

#[test]
fn a_git_directory_without_a_head_is_passed_by() {
    let tree = Tree::with(&[("r/.git/HEAD", "ref: refs/heads/main\n"), ("r/sub/.git/config", "")]);
    assert_eq!(tree.read("r/sub").unwrap().unwrap().root, Some(tree.dir.join("r")));
}

#[test]
fn a_linked_worktree_has_its_own_branch_and_the_common_remote() {
    let tree = with_worktree();
    let git = tree.read("linked/sub").unwrap().unwrap();
    assert_eq!(git.branch.as_deref(), Some("topic/x"));
    assert_eq!(git.remote.as_deref(), Some("https://host/r.git"));
    assert_eq!(git.root, Some(tree.dir.join("linked")));
    assert!(git.worktree);
    assert!(!tree.read("main").unwrap().unwrap().worktree);
}

#[test]
fn a_submodule_is_no_worktree() {
    let tree = Tree::with(&[
        ("r/.git/HEAD", "ref: refs/heads/main\n"),
        ("r/.git/modules/sub/HEAD", COMMIT),
        ("r/sub/.git", "gitdir: ../.git/modules/sub\n"),
    ]);
    let git = tree.read("r/sub").unwrap().unwrap();
    assert!(!git.worktree);
    assert_eq!(git.root, Some(tree.dir.join("r/sub")));
}

#[test]
fn worktrees_that_name_each_other_belong_to_the_project() {
    let tree = with_worktree();
    let linked = tree.worktrees("main");
    let expected = hookrules_shell::path::join(&tree.dir, "linked".as_ref());
    assert_eq!(linked.first().map(|dir| dir.as_os_str()), Some(expected.as_os_str()));
    assert_eq!(tree.worktrees("main/crate"), [tree.dir.join("linked/crate")]);
    assert_eq!(tree.worktrees("linked"), Vec::<PathBuf>::new());
}

#[test]
fn relative_links_between_worktrees_count() {
    let tree = with_worktree();
    tree.write("main/.git/worktrees/one/gitdir", "../../../../linked/.git\n");
    tree.write("linked/.git", "gitdir: ../main/.git/worktrees/one\n");
    assert_eq!(tree.worktrees("main"), [tree.dir.join("linked")]);
}

#[test]
fn an_entry_that_only_claims_a_directory_is_ignored() {
    let tree = with_worktree();
    tree.write("main/.git/worktrees/claim/gitdir", "DIR/home/.git\n");
    tree.write("main/.git/worktrees/claim/commondir", "../..\n");
    tree.write("home/file", "");
    assert_eq!(tree.worktrees("main"), [tree.dir.join("linked")]);
    // Another repository's worktree, claimed by an entry here.
    tree.write("home/.git", "gitdir: DIR/main/.git/worktrees/one\n");
    assert_eq!(tree.worktrees("main"), [tree.dir.join("linked")]);
}

#[test]
fn a_project_that_only_claims_a_repository_gets_no_worktrees() {
    let tree = with_worktree();
    tree.write("hostile/.git", "gitdir: DIR/main/.git/worktrees/one\n");
    assert_eq!(tree.worktrees("hostile"), Vec::<PathBuf>::new());
}

#[track_caller]
fn check_origin(config: &str, url: Option<&str>) {
    assert_eq!(origin_url(config).as_deref(), url, "{config}");
}

#[test]
fn the_origin_is_read_as_git_reads_its_config() {
    check_origin("[remote \"origin\"]\n\turl = a\n\turl = b\n", Some("a"));
    check_origin("[Remote \"origin\"] URL=a # comment\n", Some("a"));
    check_origin("[remote.origin]\nurl = a\n", Some("a"));
    check_origin("[remote \"ORIGIN\"]\nurl = a\n", None);
    check_origin("[remote \"x\"]\nurl = a\n[remote \"origin\"]\nfetch = f\nurl = \"b ; c\" ; d\n", Some("b ; c"));
    check_origin("[remote \"origin\"]\nurl = a\\\nb\n", Some("ab"));
    check_origin("[remote \"origin\"]\n# url = a\n;url = b\n", None);
    check_origin("[a \"]\"]\nx = 1\n[remote \"origin\"]\nurl = a\n", Some("a"));
    check_origin("[include]\npath = other\n", None);
}

#[test]
fn user_info_is_left_out() {
    assert_eq!(strip_user_info("https://me:secret@host/r.git"), "https://host/r.git");
    assert_eq!(strip_user_info("https://token@host:8/r@2"), "https://host:8/r@2");
    assert_eq!(strip_user_info("ssh://git@host/r"), "ssh://host/r");
    assert_eq!(strip_user_info("git@host:o/r.git"), "git@host:o/r.git");
    assert_eq!(strip_user_info("https://host/a@b"), "https://host/a@b");
}

#[test]
fn a_directory_that_is_a_repository_itself_is_one_without_a_root() {
    let tree = Tree::with(&[
        ("r/.git/HEAD", "ref: refs/heads/main\n"),
        ("r/x/HEAD", "ref: refs/heads/other\n"),
        ("r/x/config", "[core]\n\tfsmonitor = ./evil\n"),
        ("r/x/objects/pack/p", ""),
        ("r/x/refs/heads/h", ""),
        ("r/x/src/a.rs", ""),
        ("r/y/HEAD", "ref: refs/heads/other\n"),
        ("r/y/objects/p", ""),
        ("r/z/.git/config", ""),
        ("r/z/HEAD", "ref: refs/heads/third\n"),
        ("r/z/objects/p", ""),
        ("r/z/refs/h", ""),
    ]);
    for inside in ["r/x", "r/x/src"] {
        let git = tree.read(inside).unwrap().unwrap();
        assert_eq!((git.branch.as_deref(), git.root), (Some("other"), None), "{inside}");
    }
    let lacks_refs = tree.read("r/y").unwrap().unwrap();
    assert_eq!((lacks_refs.branch.as_deref(), lacks_refs.root), (Some("main"), Some(tree.dir.join("r"))));
    // git skips an invalid `.git`, and then checks the directory itself.
    let beside = tree.read("r/z").unwrap().unwrap();
    assert_eq!((beside.branch.as_deref(), beside.root), (Some("third"), None));
    assert_eq!(tree.worktrees("r/x"), Vec::<PathBuf>::new());
}
