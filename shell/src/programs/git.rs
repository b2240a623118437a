//! git.

mod look;
mod parts;
mod work;

use super::{
    Does, Opt, Program, Reading, Unlisted, attached_runs, enters, explains, flag, join, options, runs, starts, value,
};

pub(super) const PROGRAMS: &[Program] = &[Program {
    names: &["git"],
    reading: Reading::Leading,
    options: GLOBAL,
    commands: &COMMANDS,
    unlisted: Unlisted::Alias,
    ..Program::GNU
}];

/// Makes a subcommand.
const fn git(names: &'static [&'static str], options: &'static [Opt]) -> Program {
    Program { names, options, shared: &[HELP], ..Program::GNU }
}

const GLOBAL: &[Opt] = options! {
    explains: "--help" "-h", "--version" "-v";
    // A repository's settings say what the pager is.
    starts: "--paginate" "-p";
    flag: "--no-pager" "-P", "--no-replace-objects", "--no-lazy-fetch", "--no-optional-locks",
        "--no-advice", "--bare", "--literal-pathspecs", "--glob-pathspecs", "--noglob-pathspecs", "--icase-pathspecs",
        "--html-path", "--man-path", "--info-path";
    value: "--namespace", "--super-prefix", "--attr-source", "--list-cmds";
    runs: "-c", "--config-env";
    enters: "-C", "--git-dir", "--work-tree";
    attached_runs: "--exec-path";
};

const HELP: &[Opt] = options! {
    explains: "--help";
};

const COMMANDS: [Program; work::COMMANDS.len() + look::COMMANDS.len() + parts::COMMANDS.len() + OTHERS.len()] =
    join(&[work::COMMANDS, look::COMMANDS, parts::COMMANDS, OTHERS]);

const OTHERS: &[Program] = &[
    // What runs commands that the words hold.
    Program {
        operands: Does::Runs,
        ..git(&["filter-branch", "hook", "for-each-repo", "shell", "submodule--helper"], &[])
    },
    // The rest of git's own: known to be no alias.
    git(
        &[
            "archimport",
            "check-mailmap",
            "check-ref-format",
            "checkout--worker",
            "checkout-index",
            "citool",
            "column",
            "commit-graph",
            "commit-tree",
            "credential",
            "credential-cache",
            "credential-cache--daemon",
            "credential-store",
            "cvsexportcommit",
            "cvsimport",
            "cvsserver",
            "daemon",
            "diagnose",
            "difftool--helper",
            "fast-import",
            "fetch-pack",
            "fmt-merge-msg",
            "fsck-objects",
            "fsmonitor--daemon",
            "get-tar-commit-id",
            "gitk",
            "gui",
            "http-backend",
            "http-fetch",
            "http-push",
            "imap-send",
            "index-pack",
            "instaweb",
            "mailinfo",
            "mailsplit",
            "merge-file",
            "merge-index",
            "merge-octopus",
            "merge-one-file",
            "merge-ours",
            "merge-recursive",
            "merge-resolve",
            "merge-subtree",
            "mergetool",
            "mktag",
            "mktree",
            "multi-pack-index",
            "p4",
            "pack-objects",
            "pack-redundant",
            "pack-refs",
            "patch-id",
            "pickaxe",
            "prune-packed",
            "quiltimport",
            "read-tree",
            "receive-pack",
            "refs",
            "remote-ext",
            "remote-fd",
            "remote-ftp",
            "remote-ftps",
            "remote-http",
            "remote-https",
            "replace",
            "replay",
            "request-pull",
            "rev-list",
            "rev-parse",
            "scalar",
            "send-email",
            "send-pack",
            "sh-i18n--envsubst",
            "show-index",
            "stripspace",
            "subtree",
            "svn",
            "unpack-file",
            "unpack-objects",
            "update-server-info",
            "upload-archive",
            "upload-archive--writer",
            "upload-pack",
            "verify-pack",
            "version",
            "web--browse",
            "write-tree",
        ],
        &[],
    ),
    // Well-known programs that git finds by their names.
    git(
        &[
            "absorb",
            "annex",
            "big-picture",
            "branchless",
            "bug",
            "cinnabar",
            "cliff",
            "cola",
            "crypt",
            "delta",
            "filter-repo",
            "flow",
            "gerrit",
            "git-tfs",
            "gone",
            "hub",
            "imerge",
            "lfs",
            "machete",
            "octopus",
            "review",
            "revise",
            "secret",
            "secrets",
            "standup",
            "stg",
            "subrepo",
            "tfs",
            "town",
            "wip",
            "xet",
        ],
        &[],
    ),
];
