//! The subcommands of docker and its like that run nothing in a container.

use super::{Program, flag, gnu, group, options, reads, value, writes};

pub(super) const DOCKER: &[Program] = &[
    gnu(
        &["ps"],
        options! {
            flag: "--all" "-a", "--latest" "-l", "--no-trunc", "--quiet" "-q", "--size" "-s";
            value: "--filter" "-f", "--format", "--last" "-n";
        },
    ),
    gnu(
        &["images"],
        options! {
            flag: "--all" "-a", "--digests", "--no-trunc", "--quiet" "-q", "--tree";
            value: "--filter" "-f", "--format";
        },
    ),
    LOGS,
    gnu(
        &["inspect"],
        options! {
            flag: "--size" "-s";
            value: "--format" "-f", "--type";
        },
    ),
    BUILD,
    PULL,
    PUSH,
    RM,
    gnu(
        &["rmi"],
        options! {
            flag: "--force" "-f", "--no-prune";
            value: "--platform";
        },
    ),
    STOP,
    KILL,
    START,
    RESTART,
    gnu(
        &["login"],
        options! {
            flag: "--password-stdin";
            value: "--password" "-p", "--username" "-u";
        },
    ),
    CP,
    SAVE,
    LOAD,
    IMPORT,
    EXPORT,
    COMMIT,
    EVENTS,
    STATS,
    HISTORY,
    gnu(
        &["search"],
        options! {
            flag: "--no-trunc";
            value: "--filter" "-f", "--format", "--limit";
        },
    ),
    gnu(&["wait"], &[]),
    UPDATE,
    gnu(
        &["info", "version", "logout", "diff", "port", "pause", "unpause", "rename", "tag", "attach", "top"],
        options! {
            flag: "--no-stdin";
            value: "--format" "-f";
        },
    ),
    group(
        &["volume"],
        &[],
        &[
            gnu(
                &["create"],
                options! {
                    value: "--availability", "--driver" "-d", "--group", "--label", "--limit-bytes", "--opt" "-o",
                        "--required-bytes", "--scope", "--secret", "--sharing", "--topology-preferred", "--topology-required",
                        "--type";
                },
            ),
            gnu(
                &["inspect"],
                options! {
                    value: "--format" "-f";
                },
            ),
            gnu(
                &["ls"],
                options! {
                    flag: "--cluster", "--quiet" "-q";
                    value: "--filter" "-f", "--format";
                },
            ),
            PRUNE,
            RM_2,
        ],
    ),
    group(
        &["network"],
        &[],
        &[
            gnu(
                &["connect"],
                options! {
                    value: "--alias", "--driver-opt", "--gw-priority", "--ip", "--ip6", "--link", "--link-local-ip";
                },
            ),
            gnu(
                &["create"],
                options! {
                    flag: "--attachable", "--config-only", "--ingress", "--internal", "--ipv4", "--ipv6";
                    value: "--aux-address", "--config-from", "--driver" "-d", "--gateway", "--ip-range", "--ipam-driver",
                        "--ipam-opt", "--label", "--opt" "-o", "--scope", "--subnet";
                },
            ),
            gnu(
                &["disconnect"],
                options! {
                    flag: "--force" "-f";
                },
            ),
            gnu(
                &["inspect"],
                options! {
                    flag: "--verbose" "-v";
                    value: "--format" "-f";
                },
            ),
            gnu(
                &["ls"],
                options! {
                    flag: "--no-trunc", "--quiet" "-q";
                    value: "--filter" "-f", "--format";
                },
            ),
            PRUNE_2,
            RM_2,
        ],
    ),
    group(
        &["system"],
        &[],
        &[
            gnu(
                &["df"],
                options! {
                    flag: "--verbose" "-v";
                    value: "--format";
                },
            ),
            EVENTS,
            gnu(
                &["info"],
                options! {
                    value: "--format" "-f";
                },
            ),
            gnu(
                &["prune"],
                options! {
                    flag: "--all" "-a", "--force" "-f", "--volumes";
                    value: "--filter";
                },
            ),
        ],
    ),
    group(
        &["image"],
        &[],
        &[
            BUILD,
            HISTORY,
            IMPORT,
            gnu(
                &["inspect"],
                options! {
                    value: "--format" "-f", "--platform";
                },
            ),
            LOAD,
            gnu(
                &["ls"],
                options! {
                    flag: "--all" "-a", "--digests", "--no-trunc", "--quiet" "-q", "--tree";
                    value: "--filter" "-f", "--format";
                },
            ),
            PRUNE,
            PULL,
            PUSH,
            gnu(
                &["rm"],
                options! {
                    flag: "--force" "-f", "--no-prune";
                    value: "--platform";
                },
            ),
            SAVE,
            gnu(&["tag"], &[]),
        ],
    ),
];

/// Those of `docker container`.
pub(super) const CONTAINER: &[Program] = &[
    gnu(
        &["attach"],
        options! {
            flag: "--no-stdin", "--sig-proxy";
            value: "--detach-keys";
        },
    ),
    COMMIT,
    CP,
    gnu(&["diff"], &[]),
    EXPORT,
    gnu(
        &["inspect"],
        options! {
            flag: "--size" "-s";
            value: "--format" "-f";
        },
    ),
    KILL,
    LOGS,
    gnu(
        &["ls"],
        options! {
            flag: "--all" "-a", "--latest" "-l", "--no-trunc", "--quiet" "-q", "--size" "-s";
            value: "--filter" "-f", "--format", "--last" "-n";
        },
    ),
    PRUNE_2,
    gnu(&["rename"], &[]),
    RESTART,
    RM,
    START,
    STATS,
    STOP,
    gnu(&["top"], &[]),
    UPDATE,
    gnu(&["wait"], &[]),
];

/// Those of `docker compose`.
pub(super) const COMPOSE: &[Program] = &[
    gnu(
        &["up", "create"],
        options! {
            flag: "--abort-on-container-exit", "--abort-on-container-failure", "--always-recreate-deps", "--attach-dependencies",
                "--build", "--detach" "-d", "--force-recreate", "--menu", "--no-build", "--no-color", "--no-deps",
                "--no-log-prefix", "--no-recreate", "--no-start", "--quiet-build", "--quiet-pull", "--remove-orphans",
                "--renew-anon-volumes" "-V", "--timestamps", "--wait", "--watch" "-w", "--yes" "-y";
            value: "--attach", "--exit-code-from", "--no-attach", "--pull", "--scale", "--timeout" "-t", "--wait-timeout";
        },
    ),
    gnu(
        &["down"],
        options! {
            flag: "--remove-orphans", "--volumes" "-v";
            value: "--rmi", "--timeout" "-t";
        },
    ),
    gnu(
        &["rm"],
        options! {
            flag: "--force" "-f", "--stop" "-s", "--volumes" "-v";
        },
    ),
    gnu(
        &["logs"],
        options! {
            flag: "--follow" "-f", "--no-color", "--no-log-prefix", "--timestamps" "-t";
            value: "--index", "--since", "--tail" "-n", "--until";
        },
    ),
    gnu(
        &["ps", "ls", "images", "top", "port", "events", "version", "stats", "volumes"],
        options! {
            flag: "--all" "-a", "--no-trunc", "--orphans", "--quiet" "-q", "--services", "--short" "-f", "--json";
            value: "--filter", "--format", "--status", "--index", "--protocol";
        },
    ),
    gnu(
        &["build", "pull", "push", "bake", "publish", "commit", "export"],
        options! {
            flag: "--check", "--no-cache", "--print", "--pull", "--push", "--quiet" "-q", "--with-dependencies",
                "--ignore-buildable", "--ignore-pull-failures", "--ignore-push-failures", "--include-deps";
            value: "--build-arg", "--builder", "--memory" "-m", "--policy", "--provenance", "--sbom", "--ssh";
            writes: "--output" "-o";
        },
    ),
    gnu(
        &["start", "stop", "restart", "kill", "pause", "unpause", "wait", "scale", "cp", "attach", "watch"],
        options! {
            flag: "--no-deps", "--remove-orphans", "--archive" "-a", "--follow-link" "-L", "--no-up", "--prune", "--quiet";
            value: "--timeout" "-t", "--signal" "-s", "--index";
        },
    ),
    gnu(
        &["config", "convert"],
        options! {
            flag: "--environment", "--hash", "--images", "--no-consistency", "--no-interpolate", "--no-normalize",
                "--no-path-resolution", "--profiles", "--quiet" "-q", "--resolve-image-digests", "--services", "--variables",
                "--volumes", "--networks";
            value: "--format";
            writes: "--output" "-o";
        },
    ),
];

// What stands both under `docker` and under the group of what it is about.

const LOGS: Program = gnu(
    &["logs"],
    options! {
        flag: "--details", "--follow" "-f", "--timestamps" "-t";
        value: "--since", "--tail" "-n", "--until";
    },
);

const BUILD: Program = gnu(
    &["build"],
    options! {
        flag: "--compress", "--disable-content-trust", "--force-rm", "--no-cache", "--pull", "--quiet" "-q", "--rm",
            "--squash";
        value: "--add-host", "--build-arg", "--cache-from", "--cgroup-parent", "--cpu-period", "--cpu-quota",
            "--cpu-shares" "-c", "--cpuset-cpus", "--cpuset-mems", "--isolation", "--label", "--memory" "-m",
            "--memory-swap", "--network", "--platform", "--security-opt", "--shm-size", "--tag" "-t", "--target",
            "--ulimit";
        reads: "--file" "-f";
        writes: "--iidfile";
    },
);

const PULL: Program = gnu(
    &["pull"],
    options! {
        flag: "--all-tags" "-a", "--disable-content-trust", "--quiet" "-q";
        value: "--platform";
    },
);

const PUSH: Program = gnu(
    &["push"],
    options! {
        flag: "--all-tags" "-a", "--disable-content-trust", "--quiet" "-q";
        value: "--platform";
    },
);

const RM: Program = gnu(
    &["rm"],
    options! {
        flag: "--force" "-f", "--link" "-l", "--volumes" "-v";
    },
);

const STOP: Program = gnu(
    &["stop"],
    options! {
        value: "--signal" "-s", "--timeout" "-t";
    },
);

const KILL: Program = gnu(
    &["kill"],
    options! {
        value: "--signal" "-s";
    },
);

const START: Program = gnu(
    &["start"],
    options! {
        flag: "--attach" "-a", "--interactive" "-i";
        value: "--checkpoint", "--checkpoint-dir", "--detach-keys";
    },
);

const RESTART: Program = gnu(
    &["restart"],
    options! {
        value: "--signal" "-s", "--timeout" "-t";
    },
);

const CP: Program = gnu(
    &["cp"],
    options! {
        flag: "--archive" "-a", "--follow-link" "-L", "--quiet" "-q";
    },
);

const SAVE: Program = gnu(
    &["save"],
    options! {
        value: "--platform";
        writes: "--output" "-o";
    },
);

const LOAD: Program = gnu(
    &["load"],
    options! {
        flag: "--quiet" "-q";
        value: "--platform";
        reads: "--input" "-i";
    },
);

const IMPORT: Program = gnu(
    &["import"],
    options! {
        value: "--change" "-c", "--message" "-m", "--platform";
    },
);

const EXPORT: Program = gnu(
    &["export"],
    options! {
        writes: "--output" "-o";
    },
);

const COMMIT: Program = gnu(
    &["commit"],
    options! {
        flag: "--pause" "-p";
        value: "--author" "-a", "--change" "-c", "--message" "-m";
    },
);

const EVENTS: Program = gnu(
    &["events"],
    options! {
        value: "--filter" "-f", "--format", "--since", "--until";
    },
);

const STATS: Program = gnu(
    &["stats"],
    options! {
        flag: "--all" "-a", "--no-stream", "--no-trunc";
        value: "--format";
    },
);

const HISTORY: Program = gnu(
    &["history"],
    options! {
        flag: "--human" "-H", "--no-trunc", "--quiet" "-q";
        value: "--format", "--platform";
    },
);

const UPDATE: Program = gnu(
    &["update"],
    options! {
        value: "--blkio-weight", "--cpu-period", "--cpu-quota", "--cpu-rt-period", "--cpu-rt-runtime",
            "--cpu-shares" "-c", "--cpus", "--cpuset-cpus", "--cpuset-mems", "--memory" "-m", "--memory-reservation",
            "--memory-swap", "--pids-limit", "--restart";
    },
);

const PRUNE: Program = gnu(
    &["prune"],
    options! {
        flag: "--all" "-a", "--force" "-f";
        value: "--filter";
    },
);

const RM_2: Program = gnu(
    &["rm"],
    options! {
        flag: "--force" "-f";
    },
);

const PRUNE_2: Program = gnu(
    &["prune"],
    options! {
        flag: "--force" "-f";
        value: "--filter";
    },
);
