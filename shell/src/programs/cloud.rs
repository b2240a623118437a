//! Clients of services: forges, clouds, databases.

use super::{
    Does, Opt, Program, Reading, Unlisted, attached, enters, explains, flag, gnu, options, reads, runs, value, words,
    writes,
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["gh"],
        options: options! {
            explains: "--help" "-h", "--version";
        },
        commands: &[
            nested(
                &["pr"],
                &[],
                &[
                    gnu(
                        &["create", "new"],
                        options! {
                            flag: "--draft" "-d", "--fill" "-f", "--fill-first", "--fill-verbose", "--web" "-w", "--dry-run",
                                "--no-maintainer-edit", "--editor" "-e";
                            value: "--title" "-t", "--body" "-b", "--base" "-B", "--head" "-H", "--assignee" "-a",
                                "--label" "-l", "--milestone" "-m", "--project" "-p", "--reviewer" "-r", "--template" "-T",
                                "--recover", "--repo" "-R";
                            reads: "--body-file" "-F";
                        },
                    ),
                    gnu(
                        &["merge"],
                        options! {
                            flag: "--admin", "--auto", "--delete-branch" "-d", "--disable-auto", "--merge" "-m",
                                "--rebase" "-r", "--squash" "-s";
                            value: "--body" "-b", "--subject" "-t", "--author-email" "-A", "--match-head-commit",
                                "--repo" "-R";
                            reads: "--body-file" "-F";
                        },
                    ),
                    gnu(
                        &["view", "list", "ls", "status"],
                        options! {
                            flag: "--comments" "-c", "--web" "-w", "--draft" "-d", "--conflict-status";
                            value: "--assignee" "-a", "--author" "-A", "--app", "--base" "-B", "--head" "-H", "--label" "-l",
                                "--limit" "-L", "--search" "-S", "--state" "-s", "--json", "--jq" "-q", "--template" "-t",
                                "--repo" "-R";
                        },
                    ),
                    gnu(
                        &["checkout", "co"],
                        options! {
                            flag: "--detach", "--force" "-f", "--recurse-submodules";
                            value: "--branch" "-b", "--repo" "-R";
                        },
                    ),
                    gnu(
                        &["close", "reopen", "ready", "lock", "unlock", "update-branch", "revert"],
                        options! {
                            flag: "--delete-branch" "-d", "--undo", "--rebase";
                            value: "--comment" "-c", "--reason" "-r", "--body" "-b", "--title" "-t", "--repo" "-R";
                        },
                    ),
                    gnu(
                        &["comment", "review", "edit"],
                        options! {
                            flag: "--approve" "-a", "--request-changes" "-r", "--comment" "-c", "--edit-last", "--web" "-w",
                                "--editor" "-e", "--delete-last";
                            value: "--body" "-b", "--title" "-t", "--base" "-B", "--add-assignee", "--add-label",
                                "--add-project", "--add-reviewer", "--remove-assignee", "--remove-label", "--remove-project",
                                "--remove-reviewer", "--milestone" "-m", "--repo" "-R";
                            reads: "--body-file" "-F";
                        },
                    ),
                    gnu(
                        &["diff", "checks"],
                        options! {
                            flag: "--name-only", "--patch", "--web" "-w", "--watch", "--fail-fast", "--required";
                            value: "--color", "--exclude" "-e", "--interval" "-i", "--json", "--jq" "-q", "--template" "-t",
                                "--repo" "-R";
                        },
                    ),
                ],
            ),
            nested(
                &["issue"],
                &[],
                &[
                    gnu(
                        &["create", "new"],
                        options! {
                            flag: "--web" "-w", "--editor" "-e";
                            value: "--title" "-t", "--body" "-b", "--assignee" "-a", "--label" "-l", "--milestone" "-m",
                                "--project" "-p", "--template" "-T", "--recover", "--repo" "-R";
                            reads: "--body-file" "-F";
                        },
                    ),
                    gnu(
                        &["view", "list", "ls", "status"],
                        options! {
                            flag: "--comments" "-c", "--web" "-w";
                            value: "--assignee" "-a", "--author" "-A", "--app", "--label" "-l", "--limit" "-L", "--mention",
                                "--milestone" "-m", "--search" "-S", "--state" "-s", "--json", "--jq" "-q", "--template" "-t",
                                "--repo" "-R";
                        },
                    ),
                    gnu(
                        &["close", "reopen", "delete", "transfer", "lock", "unlock", "pin", "unpin", "develop"],
                        options! {
                            flag: "--yes", "--checkout", "--list" "-l";
                            value: "--comment" "-c", "--reason" "-r", "--base" "-b", "--name" "-n", "--repo" "-R";
                        },
                    ),
                    gnu(
                        &["comment", "edit"],
                        options! {
                            flag: "--edit-last", "--web" "-w", "--editor" "-e", "--delete-last", "--yes";
                            value: "--body" "-b", "--title" "-t", "--add-assignee", "--add-label", "--add-project",
                                "--remove-assignee", "--remove-label", "--remove-project", "--milestone" "-m", "--repo" "-R";
                            reads: "--body-file" "-F";
                        },
                    ),
                ],
            ),
            nested(
                &["repo"],
                &[],
                &[
                    gnu(
                        &["create", "new"],
                        options! {
                            flag: "--public", "--private", "--internal", "--clone" "-c", "--push", "--add-readme",
                                "--disable-issues", "--disable-wiki", "--include-all-branches";
                            value: "--description" "-d", "--homepage" "-h", "--gitignore" "-g", "--license" "-l",
                                "--remote" "-r", "--source" "-s", "--team" "-t", "--template" "-p", "--repo" "-R";
                        },
                    ),
                    gnu(
                        &[
                            "delete",
                            "archive",
                            "unarchive",
                            "rename",
                            "edit",
                            "fork",
                            "sync",
                            "set-default",
                            "clone",
                            "view",
                            "list",
                            "ls",
                            "deploy-key",
                            "autolink",
                            "gitignore",
                            "license",
                        ],
                        options! {
                            flag: "--yes" "-y", "--confirm", "--force", "--clone", "--web" "-w", "--fork",
                                "--archived", "--no-archived", "--view" "-v", "--unset" "-u",
                                "--accept-visibility-change-consequences";
                            value: "--visibility", "--branch" "-b", "--source", "--default-branch", "--description" "-d",
                                "--homepage" "-h", "--remote-name", "--org", "--fork-name", "--limit" "-L", "--language" "-l",
                                "--topic", "--json", "--jq" "-q", "--template" "-t", "--repo" "-R";
                        },
                    ),
                ],
            ),
            nested(
                &["release"],
                &[],
                &[
                    gnu(
                        &["create", "new", "edit"],
                        options! {
                            flag: "--draft" "-d", "--prerelease" "-p", "--generate-notes", "--latest", "--verify-tag",
                                "--notes-from-tag";
                            value: "--title" "-t", "--notes" "-n", "--target", "--discussion-category", "--notes-start-tag",
                                "--tag", "--repo" "-R";
                            reads: "--notes-file" "-F";
                        },
                    ),
                    gnu(
                        &["delete", "delete-asset", "upload", "view", "list", "ls", "verify", "verify-asset"],
                        options! {
                            flag: "--yes" "-y", "--cleanup-tag", "--clobber", "--web" "-w", "--exclude-drafts",
                                "--exclude-pre-releases";
                            value: "--limit" "-L", "--order" "-O", "--json", "--jq" "-q", "--template" "-t", "--repo" "-R";
                        },
                    ),
                    gnu(
                        &["download"],
                        options! {
                            flag: "--clobber", "--skip-existing";
                            value: "--pattern" "-p", "--archive" "-A", "--repo" "-R";
                            writes: "--dir" "-D", "--output" "-O";
                        },
                    ),
                ],
            ),
            nested(
                &["gist"],
                &[],
                &[
                    gnu(
                        &["create", "new"],
                        options! {
                            flag: "--public" "-p", "--web" "-w";
                            value: "--desc" "-d", "--filename" "-f", "--repo" "-R";
                        },
                    ),
                    gnu(
                        &["edit", "delete", "list", "ls", "view", "clone", "rename"],
                        options! {
                            flag: "--yes", "--public", "--secret", "--raw", "--web" "-w", "--files";
                            value: "--add" "-a", "--desc" "-d", "--filename" "-f", "--remove" "-r", "--limit" "-L",
                                "--repo" "-R";
                        },
                    ),
                ],
            ),
            nested(
                &["run", "workflow", "cache"],
                &[],
                &[
                    gnu(
                        &["list", "ls", "view", "watch", "rerun", "cancel", "delete", "enable", "disable"],
                        options! {
                            flag: "--all", "--exit-status", "--log", "--log-failed", "--verbose" "-v", "--web",
                                "--failed", "--debug" "-d", "--compact", "--yaml" "-y";
                            value: "--branch" "-b", "--commit" "-c", "--created", "--event" "-e", "--limit" "-L",
                                "--status" "-s", "--user" "-u", "--workflow" "-w", "--job" "-j", "--attempt" "-a",
                                "--interval" "-i", "--ref" "-r", "--key" "-k", "--order" "-O", "--sort" "-S", "--json",
                                "--jq" "-q", "--template" "-t", "--repo" "-R";
                        },
                    ),
                    gnu(
                        &["run"],
                        options! {
                            value: "--field" "-F", "--raw-field" "-f", "--ref" "-r", "--repo" "-R";
                        },
                    ),
                    gnu(
                        &["download"],
                        options! {
                            value: "--name" "-n", "--pattern" "-p", "--repo" "-R";
                            writes: "--dir" "-D";
                        },
                    ),
                ],
            ),
            gnu(
                &["api"],
                options! {
                    flag: "--include" "-i", "--paginate", "--silent", "--slurp", "--verbose";
                    value: "--method" "-X", "--header" "-H", "--field" "-F", "--raw-field" "-f", "--jq" "-q",
                        "--template" "-t", "--hostname", "--preview" "-p", "--cache";
                    reads: "--input";
                },
            ),
            nested(
                &["secret", "variable"],
                &[],
                &[gnu(
                    &["set", "delete", "remove", "list", "ls", "get"],
                    options! {
                        flag: "--no-repos-selected", "--user" "-u", "--no-store";
                        value: "--app" "-a", "--body" "-b", "--env" "-e", "--org" "-o", "--repos" "-r",
                            "--visibility" "-v", "--json", "--jq" "-q", "--template" "-t", "--repo" "-R";
                        reads: "--env-file" "-f";
                    },
                )],
            ),
            nested(
                &["auth"],
                &[],
                &[gnu(
                    &["login", "logout", "refresh", "status", "token", "setup-git", "switch"],
                    options! {
                        flag: "--with-token", "--web" "-w", "--insecure-storage", "--skip-ssh-key", "--show-token" "-t",
                            "--active" "-a", "--force" "-f", "--clipboard" "-c";
                        value: "--hostname" "-h", "--scopes" "-s", "--git-protocol" "-p", "--user" "-u",
                            "--remove-scopes" "-r";
                    },
                )],
            ),
            gnu(
                &[
                    "search",
                    "browse",
                    "status",
                    "label",
                    "project",
                    "org",
                    "ruleset",
                    "rs",
                    "codespace",
                    "cs",
                    "config",
                    "completion",
                    "gpg-key",
                    "ssh-key",
                    "attestation",
                    "at",
                    "help",
                    "version",
                    "copilot",
                    "dash",
                    "poi",
                    "agent-task",
                    "preview",
                    "accessibility",
                ],
                options! {
                    flag: "--web" "-w", "--closed", "--archived";
                    value: "--limit" "-L", "--owner", "--state", "--author", "--language", "--match", "--order", "--sort",
                        "--hostname", "--branch" "-b", "--org" "-o", "--exclude" "-e", "--repo" "-R", "--json",
                        "--jq" "-q", "--template" "-t";
                },
            ),
            Program { operands: Does::Runs, ..gnu(&["alias", "extension", "ext", "extensions"], &[]) },
        ],
        unlisted: Unlisted::Alias,
        ..Program::GNU
    },
    Program {
        names: &["terraform", "tofu", "terragrunt"],
        reading: Reading::Words,
        options: options! {
            enters: "-chdir";
            explains: "-help", "-h", "-version", "-v";
        },
        commands: &[
            words(
                &["plan", "apply", "destroy", "refresh", "import", "test"],
                options! {
                    flag: "-auto-approve", "-destroy", "-detailed-exitcode", "-refresh-only", "-json", "-no-color",
                        "-compact-warnings", "-concise", "-verbose";
                    reads: "-var-file";
                    writes: "-out", "-state", "-state-out", "-backup", "-generate-config-out", "-junit-xml";
                    attached: "-input", "-lock", "-lock-timeout", "-parallelism", "-refresh", "-replace", "-target",
                        "-exclude", "-var", "-show-sensitive";
                },
            ),
            words(
                &["init"],
                options! {
                    flag: "-upgrade", "-reconfigure", "-migrate-state", "-force-copy", "-no-color", "-json";
                    runs: "-plugin-dir", "-from-module", "-backend-config";
                    attached: "-backend", "-input", "-lock", "-lock-timeout", "-get", "-lockfile";
                },
            ),
            words(
                &["fmt"],
                options! {
                    flag: "-check", "-diff", "-recursive", "-no-color";
                    attached: "-list", "-write";
                },
            ),
            words(
                &[
                    "validate",
                    "show",
                    "output",
                    "graph",
                    "providers",
                    "version",
                    "metadata",
                    "modules",
                    "get",
                    "console",
                    "login",
                    "logout",
                    "force-unlock",
                    "taint",
                    "untaint",
                    "workspace",
                    "state",
                    "stacks",
                    "run",
                ],
                options! {
                    flag: "-json", "-no-color", "-raw", "-force", "-allow-missing", "-update", "-draw-cycles", "-lock";
                    reads: "-var-file";
                    attached: "-state", "-plan", "-type", "-module-depth", "-var", "-lock-timeout", "-show-sensitive";
                },
            ),
        ],
        ..Program::GNU
    },
    Program {
        names: &["helm"],
        options: options! {
            value: "--namespace" "-n", "--kube-context", "--kube-apiserver", "--kube-token", "--burst-limit", "--qps";
            reads: "--kube-ca-file", "--registry-config", "--repository-config";
            runs: "--kubeconfig";
            writes: "--repository-cache";
            flag: "--debug", "--kube-insecure-skip-tls-verify";
        },
        commands: &[
            gnu(
                &["install", "upgrade", "template"],
                options! {
                    flag: "--install" "-i", "--atomic", "--wait", "--wait-for-jobs", "--force", "--create-namespace",
                        "--dependency-update", "--devel", "--dry-run", "--generate-name" "-g", "--no-hooks", "--replace",
                        "--reset-values", "--reuse-values", "--skip-crds", "--include-crds", "--is-upgrade", "--validate";
                    value: "--set", "--set-string", "--set-json", "--set-literal", "--version", "--timeout", "--repo",
                        "--description", "--output" "-o", "--history-max", "--labels" "-l", "--show-only" "-s",
                        "--api-versions" "-a", "--kube-version", "--name-template";
                    reads: "--values" "-f", "--set-file", "--ca-file", "--cert-file", "--key-file", "--keyring";
                    writes: "--output-dir";
                    runs: "--post-renderer", "--post-renderer-args";
                },
            ),
            gnu(
                &[
                    "uninstall",
                    "delete",
                    "del",
                    "rollback",
                    "test",
                    "list",
                    "ls",
                    "status",
                    "history",
                    "get",
                    "show",
                    "search",
                    "repo",
                    "dependency",
                    "dep",
                    "lint",
                    "package",
                    "pull",
                    "push",
                    "create",
                    "env",
                    "registry",
                    "verify",
                    "version",
                    "plugin",
                    "completion",
                ],
                options! {
                    flag: "--all" "-a", "--all-namespaces" "-A", "--keep-history", "--dry-run", "--no-hooks", "--wait",
                        "--force", "--short" "-q", "--devel", "--versions" "-l";
                    value: "--output" "-o", "--filter" "-f", "--max" "-m", "--revision", "--timeout", "--version",
                        "--set", "--username", "--password";
                    writes: "--destination" "-d";
                },
            ),
        ],
        ..Program::GNU
    },
    gnu(
        &["aws"],
        options! {
            flag: "--debug", "--no-verify-ssl", "--no-paginate", "--no-sign-request", "--no-cli-pager", "--version",
                "--dry-run", "--no-dry-run", "--recursive", "--force", "--quiet", "--delete", "--only-show-errors",
                "--human-readable", "--summarize", "--exact-timestamps", "--size-only";
            runs: "--endpoint-url";
            value: "--profile", "--region", "--output", "--query", "--color", "--ca-bundle",
                "--cli-read-timeout", "--cli-connect-timeout", "--cli-binary-format", "--instance-ids", "--bucket",
                "--key", "--filters", "--max-items", "--page-size", "--exclude", "--include", "--acl", "--storage-class",
                "--function-name", "--stack-name", "--template-body", "--parameters", "--capabilities", "--tags",
                "--cli-input-json", "--cli-input-yaml", "--name", "--cluster", "--service", "--user-name", "--role-name",
                "--policy-arn", "--group-name", "--log-group-name", "--table-name", "--secret-id", "--document-name",
                "--targets";
        },
    ),
    gnu(
        &["az"],
        options! {
            flag: "--debug", "--verbose", "--only-show-errors", "--yes" "-y", "--no-wait", "--help" "-h";
            value: "--output" "-o", "--query", "--subscription", "--resource-group" "-g", "--name" "-n",
                "--location" "-l", "--ids", "--tags";
            reads: "--parameters", "--template-file" "-f";
        },
    ),
    gnu(
        &["psql"],
        options! {
            flag: "--echo-all" "-a", "--no-align" "-A", "--echo-errors" "-b", "--echo-queries" "-e", "--echo-hidden" "-E",
                "--html" "-H", "--list" "-l", "--no-readline" "-n", "--quiet" "-q", "--single-step" "-s",
                "--single-line" "-S", "--tuples-only" "-t", "--version" "-V", "--no-password" "-w", "--password" "-W",
                "--expanded" "-x", "--no-psqlrc" "-X", "--field-separator-zero" "-z", "--record-separator-zero" "-0",
                "--single-transaction" "-1", "--csv", "--help" "-?";
            value: "--dbname" "-d", "--field-separator" "-F", "--host" "-h", "--port" "-p", "--pset" "-P",
                "--record-separator" "-R", "--table-attr" "-T", "--username" "-U", "--set" "--variable" "-v";
            writes: "--log-file" "-L", "--output" "-o";
            runs: "--command" "-c", "--file" "-f";
        },
    ),
    gnu(
        &["mysql", "mariadb"],
        options! {
            flag: "--batch" "-B", "--column-names", "--skip-column-names" "-N", "--force" "-f", "--html" "-H",
                "--quick" "-q", "--raw" "-r", "--silent" "-s", "--table" "-t", "--verbose" "-v", "--vertical" "-E",
                "--wait" "-w", "--xml" "-X", "--no-auto-rehash" "-A", "--compress" "-C", "--safe-updates" "-U";
            value: "--database" "-D", "--host" "-h", "--port" "-P", "--user" "-u", "--socket" "-S", "--protocol",
                "--default-character-set", "--delimiter", "--connect-timeout", "--ssl-ca", "--ssl-cert", "--ssl-key",
                "--ssl-mode";
            writes: "--tee";
            runs: "--execute" "-e", "--init-command", "--pager", "--plugin-dir", "--defaults-file",
                "--defaults-extra-file";
            attached: "--password" "-p";
        },
    ),
    gnu(
        &[
            "mysqldump",
            "pg_dump",
            "pg_dumpall",
            "mysqladmin",
            "pg_restore",
            "createdb",
            "dropdb",
            "createuser",
            "dropuser",
            "mongodump",
            "mongorestore",
        ],
        options! {
            flag: "--clean" "-c", "--create" "-C", "--data-only" "-a", "--schema-only" "-s", "--verbose" "-v",
                "--no-owner" "-O", "--force", "--if-exists";
            value: "--host" "-h", "--port" "-p", "--username" "-U" "-u", "--dbname" "-d", "--format" "-F", "--table" "-t",
                "--schema" "-n", "--jobs" "-j";
            writes: "--file" "-f", "--result-file", "--out";
        },
    ),
    Program {
        operands: Does::Runs,
        ..words(
            &["sqlite3", "sqlite"],
            options! {
                flag: "-append", "-ascii", "-bail", "-batch", "-box", "-column", "-csv", "-echo", "-header", "-noheader",
                    "-html", "-interactive", "-json", "-line", "-list", "-markdown", "-quote", "-readonly", "-safe", "-stats",
                    "-table", "-tabs", "-version", "-help";
                value: "-separator", "-newline", "-nullvalue", "-mmap", "-vfs", "-maxsize", "-lookaside", "-pagecache";
                runs: "-cmd", "-init", "-A";
            },
        )
    },
];

/// Makes a subcommand that has subcommands of its own, whose options may stand in front of them.
const fn nested(names: &'static [&'static str], options: &'static [Opt], commands: &'static [Program]) -> Program {
    Program { names, options, commands, ..Program::GNU }
}
