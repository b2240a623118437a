//! Subcommands of git that look, or bring what they find into another form.

use super::super::{Opt, Program, attached, attached_runs, changes, flag, options, reads, runs, starts, value, writes};
use super::{HELP, git};

pub(super) const COMMANDS: &[Program] = &[
    diffing(&["diff", "diff-files", "diff-index", "diff-tree"], &[]),
    history(
        &["log", "show", "whatchanged", "reflog"],
        options! {
            flag: "--quiet" "-q", "--source", "--use-mailmap", "--mailmap", "--clear-decorations";
            value: "--decorate-refs", "--decorate-refs-exclude", "-L";
            attached: "--decorate";
        },
    ),
    git(
        &["blame", "annotate"],
        options! {
            flag: "--incremental", "-b", "--root", "--show-stats", "--progress", "--score-debug", "--show-name" "-f",
                "--show-number" "-n", "--porcelain" "-p", "--line-porcelain", "-c", "-t", "-l", "-s", "--show-email" "-e",
                "-w", "--color-lines", "--color-by-age", "--minimal";
            value: "--ignore-rev", "-L";
            reads: "--contents", "--ignore-revs-file", "-S";
            attached: "-C", "-M", "--abbrev";
        },
    ),
    git(
        &["grep"],
        options! {
            flag: "--cached", "--no-index", "--index", "--untracked", "--exclude-standard", "--recurse-submodules",
                "--invert-match" "-v", "--ignore-case" "-i", "--word-regexp" "-w", "--text" "-a", "-I",
                "--recursive" "-r", "--extended-regexp" "-E", "--basic-regexp" "-G", "--fixed-strings" "-F",
                "--perl-regexp" "-P", "--line-number" "-n", "--column", "-h", "-H", "--full-name",
                "--files-with-matches" "-l", "--name-only", "--files-without-match" "-L", "--null" "-z",
                "--only-matching" "-o", "--count" "-c", "--break", "--heading", "-N", "--show-function" "-p",
                "--function-context" "-W", "--and", "--or", "--not", "--quiet" "-q", "--all-match", "--ext-grep";
            starts: "--textconv";
            value: "--max-depth", "--context" "-C" "-#", "--before-context" "-B", "--after-context" "-A", "--threads", "-e",
                "--max-count" "-m";
            reads: "-f";
            attached: "--color";
            attached_runs: "--open-files-in-pager" "-O";
        },
    ),
    git(
        &["shortlog"],
        options! {
            flag: "--committer" "-c", "--numbered" "-n", "--summary" "-s", "--email" "-e";
            value: "--group";
            attached: "-w";
        },
    ),
    git(
        &["describe"],
        options! {
            flag: "--contains", "--debug", "--all", "--tags", "--long", "--first-parent", "--exact-match", "--always";
            value: "--candidates", "--match", "--exclude";
            attached: "--abbrev", "--dirty", "--broken";
        },
    ),
    git(
        &["status"],
        options! {
            flag: "--verbose" "-v", "--short" "-s", "--branch" "-b", "--show-stash", "--ahead-behind", "--long",
                "--null" "-z", "--no-renames", "--renames";
            attached: "--porcelain", "--untracked-files" "-u", "--ignored", "--ignore-submodules", "--column",
                "--find-renames" "-M";
        },
    ),
    git(
        &["ls-files"],
        options! {
            flag: "-z", "-t", "-v", "-f", "--cached" "-c", "--deleted" "-d", "--modified" "-m", "--others" "-o",
                "--ignored" "-i", "--stage" "-s", "--killed" "-k", "--directory", "--eol", "--empty-directory",
                "--unmerged" "-u", "--resolve-undo", "--exclude-standard", "--full-name", "--recurse-submodules",
                "--error-unmatch", "--debug", "--deduplicate", "--sparse";
            reads: "--exclude-from" "-X";
            value: "--exclude" "-x", "--exclude-per-directory", "--with-tree", "--format";
            attached: "--abbrev";
        },
    ),
    git(
        &["ls-tree"],
        options! {
            flag: "-d", "-r", "-t", "-z", "--long" "-l", "--name-only", "--name-status", "--object-only", "--full-name",
                "--full-tree";
            value: "--format";
            attached: "--abbrev";
        },
    ),
    git(
        &["ls-remote"],
        options! {
            flag: "--quiet" "-q", "--tags" "-t", "--branches" "-b", "--refs", "--get-url", "--exit-code", "--symref",
                "--heads" "-h";
            value: "--sort", "--server-option" "-o";
            runs: "--upload-pack", "--exec";
        },
    ),
    git(
        &["show-ref"],
        options! {
            flag: "--tags", "--branches", "--exists", "--verify", "--head", "--dereference" "-d", "--quiet" "-q";
            attached: "--hash" "-s", "--abbrev", "--exclude-existing";
        },
    ),
    git(
        &["show-branch"],
        options! {
            flag: "--all" "-a", "--remotes" "-r", "--list", "--no-name", "--name", "--current", "--sha1-name",
                "--merge-base", "--independent", "--topo-order", "--topics", "--sparse", "--date-order";
            attached: "--color", "--more", "--reflog" "-g";
        },
    ),
    git(
        &["for-each-ref"],
        options! {
            flag: "--shell" "-s", "--perl" "-p", "--python", "--tcl", "--omit-empty", "--ignore-case", "--stdin",
                "--include-root-refs";
            value: "--count", "--format", "--exclude", "--sort", "--points-at", "--merged", "--no-merged", "--contains",
                "--no-contains";
            attached: "--color";
        },
    ),
    git(
        &["name-rev"],
        options! {
            flag: "--name-only", "--tags", "--all", "--annotate-stdin", "--undefined", "--always";
            value: "--refs", "--exclude";
        },
    ),
    git(
        &["cherry"],
        options! {
            flag: "--verbose" "-v";
            attached: "--abbrev";
        },
    ),
    git(
        &["merge-base"],
        options! {
            flag: "--all" "-a", "--octopus", "--independent", "--is-ancestor", "--fork-point";
        },
    ),
    git(
        &["cat-file"],
        options! {
            flag: "-e", "-p", "-t", "-s", "--allow-unknown-type", "--use-mailmap", "--mailmap", "-Z",
                "--batch-all-objects", "--buffer", "--follow-symlinks", "--unordered";
            value: "--path";
            starts: "--textconv", "--filters";
            attached: "--batch", "--batch-check", "--batch-command";
        },
    ),
    git(
        &["check-ignore"],
        options! {
            flag: "--quiet" "-q", "--verbose" "-v", "--stdin", "-z", "--non-matching" "-n", "--no-index", "--index";
        },
    ),
    git(
        &["check-attr"],
        options! {
            flag: "--all" "-a", "--cached", "--stdin", "-z";
            value: "--source";
        },
    ),
    git(
        &["count-objects"],
        options! {
            flag: "--verbose" "-v", "--human-readable" "-H";
        },
    ),
    git(
        &["fsck"],
        options! {
            flag: "--verbose" "-v", "--unreachable", "--dangling", "--tags", "--root", "--cache", "--reflogs", "--full",
                "--connectivity-only", "--strict", "--lost-found", "--progress", "--name-objects";
        },
    ),
    git(
        &["verify-commit"],
        options! {
            flag: "--verbose" "-v", "--raw";
        },
    ),
    git(
        &["verify-tag"],
        options! {
            flag: "--verbose" "-v", "--raw";
            value: "--format";
        },
    ),
    git(&["var"], &[]),
    git(
        &["archive"],
        options! {
            flag: "--worktree-attributes", "--verbose" "-v", "-N", "--list" "-l";
            value: "--format", "--prefix", "--add-file", "--add-virtual-file", "--mtime", "--remote";
            writes: "--output" "-o";
            runs: "--exec";
        },
    ),
    git(
        &["difftool"],
        options! {
            flag: "--gui" "-g", "--dir-diff" "-d", "--no-prompt" "-y", "--symlinks", "--tool-help", "--trust-exit-code",
                "--no-index", "--index";
            runs: "--tool" "-t", "--extcmd" "-x";
        },
    ),
    diffing(
        &["format-patch"],
        options! {
            flag: "--numbered" "-n", "--no-numbered" "-N", "--signoff" "-s", "--stdout", "--cover-letter",
                "--numbered-files", "--keep-subject" "-k", "--no-binary", "--binary", "--zero-commit",
                "--ignore-if-in-upstream", "--no-stat" "-p", "--quiet" "-q", "--progress", "--force-in-body-from";
            value: "--suffix", "--start-number", "--reroll-count" "-v", "--filename-max-length",
                "--cover-from-description", "--description-file", "--subject-prefix", "--add-header", "--to", "--cc",
                "--in-reply-to", "--signature", "--base", "--signature-file", "--interdiff", "--range-diff",
                "--creation-factor";
            writes: "--output-directory" "-o";
            attached: "--rfc", "--from", "--attach", "--inline", "--thread";
        },
    ),
    git(
        &["interpret-trailers"],
        options! {
            flag: "--trim-empty", "--only-trailers", "--only-input", "--unfold", "--parse", "--no-divider", "--divider";
            changes: "--in-place";
            value: "--where", "--if-exists", "--if-missing", "--trailer";
        },
    ),
    git(
        &["hash-object"],
        options! {
            flag: "--stdin", "--stdin-paths", "--no-filters", "--literally";
            changes: "-w";
            starts: "--filters";
            value: "-t", "--path";
        },
    ),
    git(
        &["update-index"],
        options! {
            flag: "-q", "--ignore-submodules", "--add", "--replace", "--remove", "--unmerged", "--refresh",
                "--really-refresh", "--assume-unchanged", "--no-assume-unchanged", "--skip-worktree",
                "--no-skip-worktree", "--ignore-skip-worktree-entries", "--info-only", "--force-remove", "-z", "--stdin",
                "--index-info", "--unresolve", "--again" "-g", "--ignore-missing", "--verbose", "--clear-resolve-undo",
                "--show-index-version", "--split-index", "--untracked-cache", "--test-untracked-cache",
                "--force-untracked-cache", "--force-write-index", "--fsmonitor", "--fsmonitor-valid",
                "--no-fsmonitor-valid";
            value: "--cacheinfo", "--chmod", "--index-version";
        },
    ),
    git(
        &["update-ref"],
        options! {
            flag: "-d", "--no-deref", "--deref", "-z", "--stdin", "--create-reflog";
            value: "-m";
        },
    ),
    git(
        &["symbolic-ref"],
        options! {
            flag: "--quiet" "-q", "--delete" "-d", "--short", "--recurse";
            value: "-m";
        },
    ),
    diffing(
        &["range-diff"],
        options! {
            flag: "--no-dual-color", "--dual-color", "--left-only", "--right-only";
            value: "--creation-factor";
            attached: "--notes";
        },
    ),
    git(
        &["fast-export"],
        options! {
            flag: "--fake-missing-tagger", "--full-tree", "--use-done-feature", "--no-data", "--data", "--anonymize",
                "--reference-excluded-parents", "--show-original-ids", "--mark-tags";
            value: "--progress", "--signed-tags", "--tag-of-filtered-object", "--reencode", "--refspec",
                "--anonymize-map";
            reads: "--import-marks", "--import-marks-if-exists";
            writes: "--export-marks";
        },
    ),
    git(
        &["merge-tree"],
        options! {
            flag: "--write-tree", "--trivial-merge", "--messages", "-z", "--name-only", "--allow-unrelated-histories",
                "--stdin";
            value: "--merge-base", "--strategy-option" "-X";
        },
    ),
    git(
        &["help"],
        options! {
            flag: "--all" "-a", "--external-commands", "--aliases", "--man" "-m", "--web" "-w", "--info" "-i",
                "--verbose" "-v", "--guides" "-g", "--user-interfaces", "--developer-interfaces", "--config" "-c";
        },
    ),
];

/// Makes a subcommand that takes the options of differences.
pub(super) const fn diffing(names: &'static [&'static str], options: &'static [Opt]) -> Program {
    Program { shared: &[DIFF, HELP], ..git(names, options) }
}

/// Makes a subcommand that walks through history, and shows it.
pub(super) const fn history(names: &'static [&'static str], options: &'static [Opt]) -> Program {
    Program { shared: &[REVISIONS, DIFF, HELP], ..git(names, options) }
}

const REVISIONS: &[Opt] = options! {
    flag: "--regexp-ignore-case" "-i", "--extended-regexp" "-E", "--fixed-strings" "-F", "--perl-regexp" "-P",
        "--basic-regexp", "--all-match", "--invert-grep", "--merges", "--no-merges", "--no-min-parents",
        "--no-max-parents", "--remove-empty", "--all", "--reflog", "--alternate-refs", "--single-worktree",
        "--ignore-missing", "--stdin", "--first-parent", "--not", "--cherry-mark", "--cherry-pick", "--cherry",
        "--left-only", "--right-only", "--left-right", "--walk-reflogs" "-g", "--boundary", "--simplify-by-decoration",
        "--show-pulls", "--full-history", "--dense", "--sparse", "--simplify-merges", "--date-order",
        "--author-date-order", "--topo-order", "--reverse", "--do-walk", "--graph", "--oneline", "--abbrev-commit",
        "--no-abbrev-commit", "--no-expand-tabs", "--no-notes", "--standard-notes", "--no-standard-notes",
        "--show-signature", "--relative-date", "--parents", "--children", "--log-size", "--full-diff", "--no-decorate",
        "--no-walk", "--cc", "-c", "-m", "-t", "-r", "--root", "--no-diff-merges", "--dd", "--remerge-diff",
        "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--no-indent-heuristic", "--pretty-format";
    value: "--max-count" "-n" "-#", "--skip", "--since" "--after", "--since-as-filter", "--until" "--before", "--max-age",
        "--min-age", "--author", "--committer", "--grep", "--grep-reflog", "--min-parents", "--max-parents", "--glob",
        "--exclude", "--exclude-hidden", "--date", "--encoding", "--diff-merges";
    attached: "--pretty", "--format", "--branches", "--tags", "--remotes", "--ancestry-path", "--notes",
        "--show-notes", "--expand-tabs", "--show-linear-break";
};

const DIFF: &[Opt] = options! {
    flag: "--patch" "-p", "--no-patch" "-s", "-u", "--function-context" "-W", "--raw", "--patch-with-raw",
        "--patch-with-stat", "--numstat", "--shortstat", "--cumulative", "--check", "--summary", "--name-only",
        "--name-status", "--compact-summary", "--binary", "--full-index", "-z", "--no-prefix", "--default-prefix",
        "--irreversible-delete" "-D", "--find-copies-harder", "--no-renames", "--rename-empty", "--follow",
        "--minimal", "--ignore-all-space" "-w", "--ignore-space-change" "-b", "--ignore-space-at-eol",
        "--ignore-cr-at-eol", "--ignore-blank-lines", "--indent-heuristic", "--patience", "--histogram",
        "--text" "-a", "-R", "--exit-code", "--quiet", "--ita-invisible-in-index", "--ita-visible-in-index",
        "--pickaxe-all", "--pickaxe-regex", "--cached", "--staged", "--merge-base", "--no-index", "--base" "-1",
        "--ours" "-2", "--theirs" "-3", "-0";
    starts: "--ext-diff", "--textconv";
    value: "--stat-width", "--stat-name-width", "--stat-graph-width", "--stat-count", "--ws-error-highlight",
        "--src-prefix", "--dst-prefix", "--line-prefix", "--inter-hunk-context", "--output-indicator-new",
        "--output-indicator-old", "--output-indicator-context", "-l", "--ignore-matching-lines" "-I",
        "--diff-algorithm", "--anchored", "--word-diff-regex", "--color-moved-ws", "-S", "-G", "--rotate-to",
        "--skip-to", "--find-object";
    reads: "-O";
    writes: "--output";
    attached: "--unified" "-U", "--dirstat" "-X", "--dirstat-by-file", "--stat", "--color", "--abbrev",
        "--break-rewrites" "-B", "--find-renames" "-M", "--find-copies" "-C", "--word-diff", "--color-words",
        "--color-moved", "--relative", "--ignore-submodules", "--submodule", "--diff-filter";
};
