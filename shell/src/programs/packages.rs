//! Package managers, and the subcommands of those that run programs too.

use super::{Program, flag, gnu, options, reads, value, writes};

pub(super) const PROGRAMS: &[Program] = &[gnu(
    &["pip", "pip3", "pip2"],
    options! {
        flag: "--isolated", "--require-virtualenv", "--verbose" "-v", "--version" "-V", "--quiet" "-q", "--no-input",
            "--debug", "--keyring-provider", "--no-cache-dir", "--disable-pip-version-check", "--no-color",
            "--no-deps", "--dry-run", "--upgrade" "-U", "--force-reinstall", "--ignore-installed" "-I",
            "--ignore-requires-python", "--no-build-isolation", "--use-pep517", "--no-use-pep517",
            "--check-build-dependencies", "--break-system-packages", "--compile", "--no-compile",
            "--no-warn-script-location", "--no-warn-conflicts", "--prefer-binary", "--require-hashes", "--no-clean",
            "--no-index", "--pre", "--user", "--yes" "-y", "--outdated" "-o", "--uptodate", "--local" "-l",
            "--not-required", "--all", "--files";
        value: "--python", "--build", "--config-settings" "-C", "--global-option", "--install-option",
            "--editable" "-e", "--find-links" "-f", "--index-url" "-i" "--pypi-url", "--extra-index-url",
            "--platform", "--python-version", "--implementation", "--abi", "--upgrade-strategy", "--no-binary",
            "--only-binary", "--progress-bar", "--root-user-action", "--proxy", "--retries", "--timeout",
            "--exists-action", "--trusted-host", "--cert", "--client-cert", "--use-feature", "--use-deprecated",
            "--format", "--exclude", "--path";
        reads: "--requirement" "-r", "--constraint" "-c";
        writes: "--target" "-t", "--prefix", "--root", "--src", "--log", "--cache-dir", "--report", "--dest" "-d",
            "--wheel-dir" "-w";
    },
)];

/// The subcommands of npm, pnpm, yarn and bun that run nothing else.
pub(super) const NPM: &[Program] = &[
    gnu(
        &[
            "install",
            "i",
            "add",
            "in",
            "ins",
            "isntall",
            "ci",
            "clean-install",
            "uninstall",
            "un",
            "remove",
            "rm",
            "r",
            "unlink",
            "update",
            "up",
            "upgrade",
            "dedupe",
            "ddp",
            "prune",
            "link",
            "ln",
            "rebuild",
            "rb",
            "audit",
            "outdated",
            "ls",
            "list",
            "ll",
            "la",
            "install-test",
            "it",
            "install-ci-test",
            "cit",
        ],
        options! {
            flag: "--save" "-S", "--save-dev" "-D", "--save-optional" "-O", "--save-peer", "--save-exact" "-E",
                "--no-save", "--save-prod" "-P", "--force" "-f", "--legacy-peer-deps", "--strict-peer-deps", "--no-audit",
                "--no-fund", "--ignore-scripts", "--dry-run", "--prefer-offline", "--offline", "--package-lock-only",
                "--no-package-lock", "--production", "--json", "--long" "-l", "--parseable" "-p", "--all" "-a",
                "--foreground-scripts", "--if-present", "--include-workspace-root", "--audit", "--fund", "--verbose",
                "--quiet" "-q", "--link", "--fix";
            value: "--omit", "--include", "--install-strategy", "--depth", "--audit-level", "--before", "--tag", "--otp";
        },
    ),
    gnu(
        &["publish", "unpublish", "deprecate", "dist-tag", "version", "pack"],
        options! {
            flag: "--dry-run", "--force" "-f", "--provenance", "--no-git-tag-version", "--allow-same-version", "--json",
                "--sign-git-tag";
            value: "--access", "--tag", "--otp", "--preid", "--message" "-m", "--pack-destination";
        },
    ),
    gnu(
        &["run", "run-script", "rum", "urn", "test", "t", "tst", "start", "stop", "restart"],
        options! {
            flag: "--if-present", "--ignore-scripts", "--foreground-scripts";
        },
    ),
    gnu(
        &[
            "init",
            "create",
            "innit",
            "access",
            "adduser",
            "login",
            "logout",
            "bin",
            "bugs",
            "cache",
            "completion",
            "config",
            "c",
            "get",
            "set",
            "diff",
            "docs",
            "home",
            "doctor",
            "edit",
            "explain",
            "why",
            "find-dupes",
            "fund",
            "help",
            "help-search",
            "hook",
            "org",
            "owner",
            "author",
            "ping",
            "pkg",
            "prefix",
            "profile",
            "query",
            "repo",
            "root",
            "sbom",
            "search",
            "s",
            "se",
            "find",
            "shrinkwrap",
            "star",
            "stars",
            "unstar",
            "team",
            "token",
            "view",
            "v",
            "info",
            "show",
            "whoami",
        ],
        options! {
            flag: "--json", "--force" "-f", "--scope";
            value: "--otp";
        },
    ),
];
