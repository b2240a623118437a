//! Subcommands of git that change the tree, the index, references, settings or other repositories.

use super::super::{Opt, Program, attached, both, flag, options, reads, runs, starts, value, writes};
use super::{HELP, git};

pub(super) const COMMANDS: &[Program] = &[
    git(
        &["add", "stage"],
        options! {
            flag: "--dry-run" "-n", "--verbose" "-v", "--interactive" "-i", "--patch" "-p", "--edit" "-e", "--force" "-f",
                "--update" "-u", "--renormalize", "--intent-to-add" "-N", "--all" "-A", "--ignore-removal", "--refresh",
                "--ignore-errors", "--ignore-missing", "--sparse", "--pathspec-file-nul";
            value: "--chmod";
            reads: "--pathspec-from-file";
        },
    ),
    git(
        &["am"],
        options! {
            flag: "--interactive" "-i", "--no-verify" "-n", "--verify", "--3way" "-3", "--quiet" "-q", "--signoff" "-s",
                "--utf8" "-u", "--keep" "-k", "--keep-non-patch", "--message-id" "-m", "--keep-cr", "--scissors" "-c",
                "--ignore-space-change", "--ignore-whitespace", "--reject", "--resolvemsg", "--continue",
                "--resolved" "-r", "--skip", "--abort", "--quit", "--retry", "--allow-empty",
                "--committer-date-is-author-date", "--ignore-date", "--rerere-autoupdate";
            value: "--quoted-cr", "--whitespace", "--directory", "--exclude", "--include", "-C", "-p", "--patch-format",
                "--empty";
            attached: "--show-current-patch", "--gpg-sign" "-S";
        },
    ),
    git(
        &["apply"],
        options! {
            flag: "--no-add", "--add", "--stat", "--numstat", "--summary", "--check", "--index", "--intent-to-add" "-N",
                "--cached", "--unsafe-paths", "--apply", "--3way" "-3", "--ours", "--theirs", "--union", "-z",
                "--ignore-space-change", "--ignore-whitespace", "--reverse" "-R", "--unidiff-zero", "--reject",
                "--allow-overlap", "--verbose" "-v", "--quiet" "-q", "--inaccurate-eof", "--recount", "--allow-empty";
            value: "--exclude", "--include", "-p", "--build-fake-ancestor", "-C", "--whitespace", "--directory";
        },
    ),
    Program {
        shared: &[BRANCH, HELP],
        ..git(
            &["branch"],
            options! {
                flag: "--verbose" "-v", "--quiet" "-q", "--unset-upstream", "--remotes" "-r", "--all" "-a", "--delete" "-d",
                    "--move" "-m", "--omit-empty", "--copy" "-c", "--list" "-l", "--show-current",
                    "--create-reflog", "--force" "-f", "--ignore-case" "-i", "--recurse-submodules";
                starts: "--edit-description";
                value: "--set-upstream-to" "-u", "--contains", "--no-contains", "--merged", "--no-merged", "--sort",
                    "--points-at", "--format";
                attached: "--track" "-t", "--color", "--abbrev", "--column";
            },
        )
    },
    git(
        &["checkout"],
        options! {
            flag: "-l", "--guess", "--overlay", "--quiet" "-q", "--progress", "--merge" "-m", "--detach" "-d",
                "--force" "-f", "--overwrite-ignore", "--ignore-other-worktrees", "--ours" "-2", "--theirs" "-3",
                "--patch" "-p", "--ignore-skip-worktree-bits", "--pathspec-file-nul";
            value: "-b", "-B", "--conflict", "--orphan";
            reads: "--pathspec-from-file";
            attached: "--recurse-submodules", "--track" "-t";
        },
    ),
    git(
        &["cherry-pick"],
        options! {
            flag: "--quit", "--continue", "--abort", "--skip", "--no-commit" "-n", "--commit", "--edit" "-e",
                "--signoff" "-s", "--rerere-autoupdate", "-x", "--ff", "--allow-empty", "--allow-empty-message",
                "--keep-redundant-commits";
            value: "--cleanup", "--mainline" "-m", "--strategy-option" "-X", "--empty";
            runs: "--strategy";
            attached: "--gpg-sign" "-S";
        },
    ),
    git(
        &["clean"],
        options! {
            flag: "--quiet" "-q", "--dry-run" "-n", "--force" "-f", "--interactive" "-i", "-d", "-x", "-X";
            value: "--exclude" "-e";
        },
    ),
    git(
        &["clone"],
        options! {
            flag: "--verbose" "-v", "--quiet" "-q", "--progress", "--reject-shallow", "--no-checkout" "-n", "--checkout",
                "--bare", "--mirror", "--local" "-l", "--no-hardlinks", "--hardlinks", "--shared" "-s", "--dissociate",
                "--single-branch", "--no-tags", "--tags", "--shallow-submodules", "--ipv4" "-4", "--ipv6" "-6",
                "--also-filter-submodules", "--remote-submodules", "--sparse";
            value: "--jobs" "-j", "--reference", "--reference-if-able", "--origin" "-o", "--branch" "-b", "--depth",
                "--shallow-since", "--shallow-exclude", "--ref-format", "--server-option", "--filter", "--bundle-uri";
            writes: "--separate-git-dir";
            runs: "--template", "--upload-pack" "-u", "--config" "-c";
            attached: "--recurse-submodules", "--recursive";
        },
    ),
    git(
        &["commit"],
        options! {
            flag: "--quiet" "-q", "--verbose" "-v", "--reset-author", "--signoff" "-s", "--edit" "-e", "--status",
                "--all" "-a", "--include" "-i", "--interactive", "--patch" "-p", "--only" "-o", "--no-verify" "-n",
                "--verify", "--dry-run", "--short", "--branch", "--ahead-behind", "--porcelain", "--long", "--null" "-z",
                "--amend", "--no-post-rewrite", "--post-rewrite", "--pathspec-file-nul";
            value: "--author", "--date", "--message" "-m", "--reedit-message" "-c", "--reuse-message" "-C", "--squash",
                "--trailer", "--cleanup";
            reads: "--file" "-F", "--template" "-t", "--pathspec-from-file";
            attached: "--fixup", "--gpg-sign" "-S", "--untracked-files" "-u";
        },
    ),
    git(
        &["fetch"],
        options! {
            flag: "--verbose" "-v", "--quiet" "-q", "--all", "--set-upstream", "--append" "-a", "--atomic",
                "--force" "-f", "--multiple" "-m", "--tags" "-t", "-n", "--prefetch", "--prune" "-p", "--prune-tags" "-P",
                "--dry-run", "--porcelain", "--write-fetch-head", "--keep" "-k", "--update-head-ok" "-u", "--progress",
                "--unshallow", "--refetch", "--update-shallow", "--ipv4" "-4", "--ipv6" "-6", "--negotiate-only",
                "--auto-maintenance", "--auto-gc", "--show-forced-updates", "--write-commit-graph", "--stdin";
            value: "--jobs" "-j", "--depth", "--shallow-since", "--shallow-exclude", "--deepen", "--refmap",
                "--server-option" "-o", "--negotiation-tip", "--filter";
            runs: "--upload-pack";
            attached: "--recurse-submodules";
        },
    ),
    git(
        &["init", "init-db"],
        options! {
            flag: "--bare", "--quiet" "-q";
            value: "--initial-branch" "-b", "--object-format", "--ref-format";
            writes: "--separate-git-dir";
            runs: "--template";
            attached: "--shared";
        },
    ),
    git(
        &["merge"],
        options! {
            flag: "-n", "--stat", "--summary", "--squash", "--commit", "--edit" "-e", "--ff", "--ff-only",
                "--rerere-autoupdate", "--verify-signatures", "--verbose" "-v", "--quiet" "-q", "--abort", "--quit",
                "--continue", "--allow-unrelated-histories", "--progress", "--autostash", "--overwrite-ignore",
                "--signoff", "--no-verify", "--verify";
            value: "--cleanup", "--strategy-option" "-X", "--message" "-m", "--into-name";
            reads: "--file" "-F";
            runs: "--strategy" "-s";
            attached: "--log", "--gpg-sign" "-S";
        },
    ),
    git(
        &["mv"],
        options! {
            flag: "--verbose" "-v", "--dry-run" "-n", "--force" "-f", "-k", "--sparse";
        },
    ),
    git(
        &["pull"],
        options! {
            flag: "--verbose" "-v", "--quiet" "-q", "--progress", "-n", "--stat", "--squash", "--commit", "--edit",
                "--ff", "--ff-only", "--verify", "--verify-signatures", "--autostash", "--allow-unrelated-histories",
                "--all", "--append" "-a", "--force" "-f", "--tags" "-t", "--prune" "-p", "--dry-run", "--keep" "-k",
                "--unshallow", "--update-shallow", "--ipv4" "-4", "--ipv6" "-6", "--show-forced-updates",
                "--set-upstream";
            value: "--cleanup", "--strategy-option" "-X", "--depth", "--shallow-since", "--shallow-exclude", "--deepen",
                "--refmap", "--server-option" "-o", "--negotiation-tip";
            runs: "--strategy" "-s", "--upload-pack";
            attached: "--recurse-submodules", "--rebase" "-r", "--log", "--signoff", "--gpg-sign" "-S", "--jobs" "-j";
        },
    ),
    git(
        &["push"],
        options! {
            flag: "--verbose" "-v", "--quiet" "-q", "--all" "--branches", "--mirror", "--delete" "-d", "--tags",
                "--dry-run" "-n", "--porcelain", "--force" "-f", "--force-if-includes", "--thin", "--set-upstream" "-u",
                "--progress", "--prune", "--no-verify", "--verify", "--follow-tags", "--atomic", "--ipv4" "-4",
                "--ipv6" "-6";
            value: "--repo", "--recurse-submodules", "--push-option" "-o";
            runs: "--receive-pack", "--exec";
            attached: "--force-with-lease", "--signed";
        },
    ),
    git(
        &["rebase"],
        options! {
            flag: "--keep-base", "--no-verify", "--verify", "--quiet" "-q", "--verbose" "-v", "--no-stat" "-n", "--stat",
                "--signoff", "--committer-date-is-author-date", "--reset-author-date", "--ignore-whitespace",
                "--force-rebase" "-f", "--no-ff", "--ff", "--continue", "--skip", "--abort", "--quit", "--edit-todo",
                "--show-current-patch", "--apply", "--merge" "-m", "--interactive" "-i", "--rerere-autoupdate",
                "--autosquash", "--update-refs", "--autostash", "--fork-point", "--root", "--reschedule-failed-exec",
                "--reapply-cherry-picks";
            value: "--onto", "-C", "--whitespace", "--empty", "--strategy-option" "-X";
            runs: "--exec" "-x", "--strategy" "-s";
            attached: "--gpg-sign" "-S", "--rebase-merges" "-r";
        },
    ),
    git(
        &["reset"],
        options! {
            flag: "--quiet" "-q", "--no-refresh", "--refresh", "--mixed", "--soft", "--hard", "--merge", "--keep",
                "--patch" "-p", "--intent-to-add" "-N", "--pathspec-file-nul";
            reads: "--pathspec-from-file";
            attached: "--recurse-submodules";
        },
    ),
    git(
        &["restore"],
        options! {
            flag: "--staged" "-S", "--worktree" "-W", "--ignore-unmerged", "--overlay", "--quiet" "-q", "--progress",
                "--merge" "-m", "--ours" "-2", "--theirs" "-3", "--patch" "-p", "--ignore-skip-worktree-bits",
                "--pathspec-file-nul";
            value: "--source" "-s", "--conflict";
            reads: "--pathspec-from-file";
            attached: "--recurse-submodules";
        },
    ),
    git(
        &["revert"],
        options! {
            flag: "--quit", "--continue", "--abort", "--skip", "--no-commit" "-n", "--commit", "--edit" "-e",
                "--signoff" "-s", "--rerere-autoupdate", "--reference";
            value: "--cleanup", "--mainline" "-m", "--strategy-option" "-X";
            runs: "--strategy";
            attached: "--gpg-sign" "-S";
        },
    ),
    git(
        &["rm"],
        options! {
            flag: "--dry-run" "-n", "--quiet" "-q", "--cached", "--force" "-f", "-r", "--ignore-unmatch", "--sparse",
                "--pathspec-file-nul";
            reads: "--pathspec-from-file";
        },
    ),
    git(
        &["switch"],
        options! {
            flag: "--guess", "--discard-changes", "--quiet" "-q", "--progress", "--merge" "-m", "--detach" "-d",
                "--force" "-f", "--overwrite-ignore", "--ignore-other-worktrees";
            value: "--create" "-c", "--force-create" "-C", "--conflict", "--orphan";
            attached: "--recurse-submodules", "--track" "-t";
        },
    ),
    git(
        &["tag"],
        options! {
            flag: "--list" "-l", "--delete" "-d", "--verify" "-v", "--annotate" "-a", "--edit" "-e", "--sign" "-s",
                "--force" "-f", "--create-reflog", "--omit-empty", "--ignore-case" "-i";
            value: "--message" "-m", "--trailer", "--cleanup", "--local-user" "-u", "--contains", "--no-contains",
                "--merged", "--no-merged", "--sort", "--points-at", "--format";
            reads: "--file" "-F";
            attached: "-n", "--column", "--color";
        },
    ),
    git(
        &["gc"],
        options! {
            flag: "--quiet" "-q", "--cruft", "--aggressive", "--auto", "--detach", "--force", "--keep-largest-pack";
            value: "--max-cruft-size";
            attached: "--prune";
        },
    ),
    git(
        &["bugreport"],
        options! {
            value: "--suffix" "-s";
            writes: "--output-directory" "-o";
            attached: "--diagnose";
        },
    ),
    git(
        &["repack"],
        options! {
            flag: "-a", "-A", "--cruft", "-d", "-f", "-F", "-n", "--quiet" "-q", "--local" "-l",
                "--write-bitmap-index" "-b", "--delta-islands" "-i", "--keep-unreachable" "-k", "--pack-kept-objects",
                "--write-midx" "-m";
            value: "--cruft-expiration", "--max-cruft-size", "--unpack-unreachable", "--window", "--window-memory",
                "--depth", "--threads", "--max-pack-size", "--filter", "--keep-pack", "--geometric" "-g", "--expire-to",
                "--filter-to";
        },
    ),
    git(
        &["prune"],
        options! {
            flag: "--dry-run" "-n", "--verbose" "-v", "--progress", "--exclude-promisor-objects";
            value: "--expire";
        },
    ),
    git(
        &["rerere"],
        options! {
            flag: "--rerere-autoupdate";
        },
    ),
    git(
        &["config"],
        options! {
            flag: "--list" "-l", "--unset", "--unset-all", "--get", "--get-all", "--get-regexp", "--add", "--replace-all",
                "--global", "--system", "--local", "--worktree", "--bool", "--int", "--show-origin", "--show-scope",
                "--name-only", "--null" "-z", "--includes", "--remove-section", "--rename-section", "--get-urlmatch";
            starts: "--edit" "-e";
            value: "--blob", "--type" "-t", "--default";
            reads: "--file" "-f";
        },
    ),
];

const BRANCH: &[Opt] = &[both(&["-D"], &["-d", "-f"]), both(&["-M"], &["-m", "-f"]), both(&["-C"], &["-c", "-f"])];
