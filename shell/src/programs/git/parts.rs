//! Subcommands of git that have subcommands of their own.

use super::super::{Does, Program, Reading, attached, flag, options, reads, runs, value};
use super::look::{diffing, history};
use super::{HELP, git};

pub(super) const COMMANDS: &[Program] = &[
    Program {
        names: &["stash"],
        options: options! {
            flag: "--keep-index" "-k", "--staged" "-S", "--patch" "-p", "--quiet" "-q", "--include-untracked" "-u",
                "--all" "-a", "--pathspec-file-nul";
            value: "--message" "-m";
            reads: "--pathspec-from-file";
        },
        shared: &[HELP],
        commands: &[
            git(
                &["push"],
                options! {
                    flag: "--keep-index" "-k", "--staged" "-S", "--patch" "-p", "--quiet" "-q",
                        "--include-untracked" "-u", "--all" "-a", "--pathspec-file-nul";
                    value: "--message" "-m";
                    reads: "--pathspec-from-file";
                },
            ),
            git(
                &["pop"],
                options! {
                    flag: "--quiet" "-q", "--index";
                },
            ),
            git(
                &["apply"],
                options! {
                    flag: "--quiet" "-q", "--index";
                },
            ),
            git(
                &["drop"],
                options! {
                    flag: "--quiet" "-q";
                },
            ),
            git(&["clear"], &[]),
            history(&["list"], &[]),
            diffing(
                &["show"],
                options! {
                    flag: "--include-untracked" "-u", "--only-untracked";
                },
            ),
            git(&["branch"], &[]),
            git(&["create"], &[]),
            git(
                &["store"],
                options! {
                    flag: "--quiet" "-q";
                    value: "--message" "-m";
                },
            ),
            git(
                &["save"],
                options! {
                    flag: "--keep-index" "-k", "--staged" "-S", "--patch" "-p", "--quiet" "-q",
                        "--include-untracked" "-u", "--all" "-a";
                    value: "--message" "-m";
                },
            ),
        ],
        ..Program::GNU
    },
    Program {
        names: &["remote"],
        options: options! {
            flag: "--verbose" "-v";
        },
        shared: &[HELP],
        commands: &[
            git(
                &["add"],
                options! {
                    flag: "--fetch" "-f", "--tags";
                    value: "--track" "-t", "--master" "-m";
                    attached: "--mirror";
                },
            ),
            git(
                &["rename"],
                options! {
                    flag: "--progress";
                },
            ),
            git(&["remove", "rm"], &[]),
            git(
                &["set-head"],
                options! {
                    flag: "--auto" "-a", "--delete" "-d";
                },
            ),
            git(
                &["get-url"],
                options! {
                    flag: "--push", "--all";
                },
            ),
            git(
                &["set-url"],
                options! {
                    flag: "--push", "--add", "--delete";
                },
            ),
            git(
                &["set-branches"],
                options! {
                    flag: "--add";
                },
            ),
            git(
                &["show"],
                options! {
                    flag: "-n";
                },
            ),
            git(
                &["prune"],
                options! {
                    flag: "--dry-run" "-n";
                },
            ),
            git(
                &["update"],
                options! {
                    flag: "--prune" "-p";
                },
            ),
        ],
        ..Program::GNU
    },
    Program {
        names: &["worktree"],
        shared: &[HELP],
        commands: &[
            git(
                &["add"],
                options! {
                    flag: "--force" "-f", "--orphan", "--detach" "-d", "--checkout", "--lock", "--quiet" "-q", "--track",
                        "--guess-remote";
                    value: "-b", "-B", "--reason";
                },
            ),
            git(
                &["list"],
                options! {
                    flag: "--porcelain", "--verbose" "-v", "-z";
                    value: "--expire";
                },
            ),
            git(
                &["lock"],
                options! {
                    value: "--reason";
                },
            ),
            git(
                &["move"],
                options! {
                    flag: "--force" "-f";
                },
            ),
            git(
                &["prune"],
                options! {
                    flag: "--dry-run" "-n", "--verbose" "-v";
                    value: "--expire";
                },
            ),
            git(
                &["remove"],
                options! {
                    flag: "--force" "-f";
                },
            ),
            git(&["repair"], &[]),
            git(&["unlock"], &[]),
        ],
        ..Program::GNU
    },
    Program {
        names: &["notes"],
        options: options! {
            value: "--ref";
        },
        shared: &[HELP],
        commands: &[
            git(
                &["add"],
                options! {
                    flag: "--allow-empty", "--force" "-f", "--stripspace";
                    value: "--message" "-m", "--reedit-message" "-c", "--reuse-message" "-C";
                    reads: "--file" "-F";
                    attached: "--separator";
                },
            ),
            git(
                &["append"],
                options! {
                    flag: "--allow-empty", "--stripspace";
                    value: "--message" "-m", "--reedit-message" "-c", "--reuse-message" "-C";
                    reads: "--file" "-F";
                    attached: "--separator";
                },
            ),
            git(
                &["copy"],
                options! {
                    flag: "--force" "-f", "--stdin";
                    value: "--for-rewrite";
                },
            ),
            git(
                &["edit"],
                options! {
                    flag: "--allow-empty", "--stripspace";
                    value: "--message" "-m", "--reedit-message" "-c", "--reuse-message" "-C";
                    reads: "--file" "-F";
                    attached: "--separator";
                },
            ),
            git(&["list"], &[]),
            git(
                &["merge"],
                options! {
                    flag: "--verbose" "-v", "--quiet" "-q", "--commit", "--abort";
                    runs: "--strategy" "-s";
                },
            ),
            git(
                &["prune"],
                options! {
                    flag: "--dry-run" "-n", "--verbose" "-v";
                },
            ),
            git(
                &["remove"],
                options! {
                    flag: "--ignore-missing", "--stdin";
                },
            ),
            git(&["show"], &[]),
            git(&["get-ref"], &[]),
        ],
        ..Program::GNU
    },
    Program {
        names: &["bundle"],
        shared: &[HELP],
        commands: &[
            git(
                &["create"],
                options! {
                    flag: "--quiet" "-q", "--progress";
                    value: "--version";
                },
            ),
            git(
                &["verify"],
                options! {
                    flag: "--quiet" "-q";
                },
            ),
            git(&["list-heads"], &[]),
            git(
                &["unbundle"],
                options! {
                    flag: "--progress";
                },
            ),
        ],
        ..Program::GNU
    },
    Program {
        names: &["maintenance"],
        shared: &[HELP],
        commands: &[
            git(
                &["run"],
                options! {
                    flag: "--auto", "--detach", "--quiet";
                    value: "--schedule", "--task";
                },
            ),
            git(
                &["start"],
                options! {
                    value: "--scheduler";
                },
            ),
            git(&["stop"], &[]),
            git(
                &["register"],
                options! {
                    value: "--config-file";
                },
            ),
            git(
                &["unregister"],
                options! {
                    flag: "--force" "-f";
                    value: "--config-file";
                },
            ),
        ],
        ..Program::GNU
    },
    Program {
        names: &["submodule"],
        options: options! {
            flag: "--quiet" "-q", "--cached";
        },
        shared: &[HELP],
        commands: &[
            git(
                &["add"],
                options! {
                    flag: "--force" "-f", "--progress";
                    value: "--branch" "-b", "--name", "--reference", "--depth";
                },
            ),
            git(
                &["status"],
                options! {
                    flag: "--cached", "--recursive";
                },
            ),
            git(
                &["init", "sync", "absorbgitdirs", "set-url"],
                options! {
                    flag: "--recursive";
                },
            ),
            git(
                &["deinit"],
                options! {
                    flag: "--force" "-f", "--all";
                },
            ),
            git(
                &["update"],
                options! {
                    flag: "--init", "--remote", "--no-fetch" "-N", "--force" "-f", "--checkout", "--merge", "--rebase",
                        "--recursive", "--recommend-shallow", "--no-recommend-shallow", "--single-branch", "--progress";
                    value: "--reference", "--depth", "--jobs" "-j", "--filter";
                },
            ),
            git(
                &["set-branch"],
                options! {
                    flag: "--default" "-d";
                    value: "--branch" "-b";
                },
            ),
            git(
                &["summary"],
                options! {
                    flag: "--cached", "--files";
                    value: "--summary-limit" "-n";
                },
            ),
            Program {
                // The rest is a command of a shell.
                reading: Reading::Leading,
                operands: Does::Runs,
                ..git(
                    &["foreach"],
                    options! {
                        flag: "--recursive";
                    },
                )
            },
        ],
        ..Program::GNU
    },
    Program {
        names: &["bisect"],
        shared: &[HELP],
        commands: &[
            git(
                &["start"],
                options! {
                    flag: "--no-checkout", "--first-parent";
                    value: "--term-new" "--term-bad", "--term-old" "--term-good";
                },
            ),
            git(&["bad", "new", "good", "old", "skip", "next", "reset", "replay", "log", "terms"], &[]),
            diffing(
                &["visualize", "view"],
                options! {
                    flag: "--oneline", "--graph";
                },
            ),
            Program { reading: Reading::Leading, operands: Does::Runs, ..git(&["run"], &[]) },
        ],
        ..Program::GNU
    },
    Program {
        names: &["sparse-checkout"],
        shared: &[HELP],
        commands: &[git(
            &["init", "set", "add", "list", "reapply", "disable", "check-rules"],
            options! {
                flag: "--cone", "--no-cone", "--sparse-index", "--no-sparse-index", "--stdin", "--skip-checks", "-z";
                reads: "--rules-file";
            },
        )],
        ..Program::GNU
    },
];
