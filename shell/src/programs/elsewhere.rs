//! Programs whose arguments are a command that runs on another machine or in a container.

use super::{
    Opt, Program, attached, cluster, containers, enters, flag, gnu, group, join, leading, options, reads, runs, value,
    writes,
};

pub(super) const PROGRAMS: &[Program] = &[
    leading(&["ssh", "slogin"], SSH),
    leading(&["autossh"], SSH),
    leading(
        &["mosh"],
        options! {
            runs: "--client", "--server", "--ssh";
            value: "--predict", "--family", "--port" "-p", "--bind-server", "--experimental-remote-ip";
            flag: "-a", "-n", "-4", "-6", "-o", "--ssh-pty", "--no-ssh-pty", "--init", "--no-init", "--local",
                "--version", "--help";
        },
    ),
    leading(
        &["sshpass"],
        options! {
            value: "-p", "-d", "-P";
            attached: "-e";
            reads: "-f";
            flag: "-v", "-V", "-h";
        },
    ),
    leading(
        &["rsh", "remsh"],
        options! {
            value: "-l";
            flag: "-n", "-d";
        },
    ),
    leading(
        &["pdsh"],
        options! {
            value: "-w", "-x", "-g", "-l", "-t", "-u", "-f", "-R", "-M";
            flag: "-a", "-A", "-b", "-N", "-S", "-q", "-V";
        },
    ),
    group(&["docker", "podman", "nerdctl"], DOCKER, &DOCKER_COMMANDS),
    group(&["docker-compose", "podman-compose"], COMPOSE, &COMPOSE_COMMANDS),
    Program {
        names: &["kubectl", "oc"],
        options: options! {
            value: "--namespace" "-n", "--context", "--cluster", "--server" "-s", "--token", "--user", "--as",
                "--as-group", "--as-uid", "--request-timeout", "--v" "-v", "--tls-server-name", "--username",
                "--password", "--profile", "--log-flush-frequency";
            runs: "--kubeconfig";
            reads: "--certificate-authority", "--client-certificate", "--client-key";
            writes: "--cache-dir", "--profile-output";
            flag: "--insecure-skip-tls-verify", "--match-server-version", "--warnings-as-errors", "--help" "-h";
        },
        commands: &KUBECTL_COMMANDS,
        ..Program::GNU
    },
    group(
        &["lxc", "incus"],
        options! {
            value: "--project";
            flag: "--debug", "--verbose" "-v", "--quiet" "-q", "--force-local", "--help" "-h";
        },
        &[gnu(
            &["exec"],
            options! {
                enters: "--cwd";
                value: "--env", "--user", "--group", "--mode";
                flag: "--force-interactive" "-t", "--force-noninteractive" "-T", "--disable-stdin" "-n";
            },
        )],
    ),
    leading(
        &["lxc-attach"],
        options! {
            value: "--name" "-n", "--arch" "-a", "--namespaces" "-s", "--set-var" "-v", "--keep-var", "--uid" "-u",
                "--gid" "-g", "--context" "-c", "--logfile" "-o", "--logpriority" "-l", "--lxcpath" "-P",
                "--rcfile" "-f", "--pty-log" "-L";
            flag: "--elevated-privileges" "-e", "--remount-sys-proc" "-R", "--clear-env", "--keep-env", "--quiet" "-q";
        },
    ),
    group(
        &["machinectl"],
        options! {
            value: "--uid", "--setenv" "-E", "--machine" "-M", "--host" "-H", "--property" "-p";
            flag: "--no-pager", "--quiet" "-q", "--no-ask-password";
        },
        &[leading(&["shell"], &[])],
    ),
    leading(
        &["systemd-nspawn"],
        options! {
            enters: "--directory" "-D", "--template", "--root-hash", "--chdir";
            reads: "--image" "-i";
            value: "--machine" "-M", "--hostname", "--uuid", "--slice" "-S", "--property", "--user" "-u",
                "--capability", "--drop-capability", "--bind", "--bind-ro", "--tmpfs", "--overlay", "--setenv" "-E",
                "--console", "--network-interface", "--network-bridge", "--port" "-p", "--link-journal", "--volatile";
            flag: "--boot" "-b", "--as-pid2" "-a", "--ephemeral" "-x", "--read-only", "--quiet" "-q",
                "--network-veth" "-n", "--private-network", "--keep-unit", "--register", "--pipe" "-P";
        },
    ),
    group(&["distrobox"], &[], &[DISTROBOX]),
    leading(&["distrobox-enter"], DISTROBOX.options),
    group(
        &["toolbox"],
        options! {
            flag: "--verbose" "-v", "--assumeyes" "-y";
        },
        &[leading(
            &["run"],
            options! {
                value: "--container" "-c", "--distro" "-d", "--release" "-r", "--preserve-fds";
            },
        )],
    ),
    group(
        &["multipass"],
        &[],
        &[gnu(
            &["exec"],
            options! {
                enters: "--working-directory" "-d";
                flag: "--no-map-working-directory" "-n", "--verbose" "-v";
            },
        )],
    ),
    group(
        &["limactl"],
        options! {
            value: "--log-level";
            flag: "--debug", "--tty";
        },
        &[leading(
            &["shell"],
            options! {
                enters: "--workdir";
                value: "--shell";
            },
        )],
    ),
    leading(
        &["lima"],
        options! {
            enters: "--workdir";
            value: "--shell";
        },
    ),
    group(
        &["vagrant"],
        options! {
            flag: "--no-color", "--debug";
        },
        &[gnu(
            &["ssh"],
            options! {
                runs: "--command" "-c";
                flag: "--plain" "-p", "--tty" "-t", "--no-tty";
            },
        )],
    ),
    leading(
        &["wsl"],
        options! {
            value: "--distribution" "-d", "--user" "-u", "--shell-type";
            enters: "--cd";
            flag: "--exec" "-e", "--system", "--list" "-l", "--shutdown", "--status", "--update", "--help";
        },
    ),
    group(
        &["heroku"],
        &[],
        &[leading(
            &["run"],
            options! {
                value: "--app" "-a", "--remote" "-r", "--env" "-e", "--size" "-s", "--type";
                flag: "--exit-code" "-x", "--no-tty", "--no-notify", "--no-launcher";
            },
        )],
    ),
    group(
        &["devcontainer"],
        &[],
        &[leading(
            &["exec"],
            options! {
                enters: "--workspace-folder";
                value: "--container-id", "--id-label", "--remote-env", "--docker-path", "--log-level";
                reads: "--config", "--override-config";
            },
        )],
    ),
    group(
        &["flyctl", "fly"],
        options! {
            value: "--access-token" "-t";
        },
        &[group(
            &["ssh"],
            &[],
            &[gnu(
                &["console"],
                options! {
                    runs: "--command" "-C";
                    value: "--app" "-a", "--address" "-A", "--config" "-c", "--container", "--machine", "--org" "-o",
                        "--process-group" "-g", "--region" "-r", "--user" "-u";
                    flag: "--pty", "--quiet" "-q", "--select" "-s";
                },
            )],
        )],
    ),
    group(
        &["gcloud"],
        options! {
            value: "--project", "--account", "--configuration", "--verbosity", "--format",
                "--impersonate-service-account";
            flag: "--quiet" "-q";
        },
        &[group(
            &["compute"],
            &[],
            &[gnu(
                &["ssh"],
                options! {
                    runs: "--command";
                    value: "--project", "--zone", "--ssh-flag", "--ssh-key-file", "--container", "--ssh-key-expiration";
                    flag: "--internal-ip", "--tunnel-through-iap", "--dry-run", "--plain", "--troubleshoot";
                },
            )],
        )],
    ),
    gnu(
        &["ansible"],
        options! {
            runs: "--args" "-a";
            value: "--module-name" "-m", "--inventory" "-i", "--limit" "-l", "--forks" "-f", "--user" "-u",
                "--become-user", "--become-method", "--extra-vars" "-e", "--background" "-B", "--poll" "-P",
                "--connection" "-c", "--timeout" "-T", "--module-path" "-M", "--tree" "-t";
            reads: "--private-key", "--vault-password-file";
            flag: "--become" "-b", "--check" "-C", "--diff" "-D", "--one-line" "-o", "--ask-pass" "-k",
                "--ask-become-pass" "-K", "--verbose" "-v", "--list-hosts";
        },
    ),
];

const DISTROBOX: Program = leading(
    &["enter"],
    options! {
        value: "--name" "-n", "--additional-flags" "-a";
        flag: "--no-tty" "-T", "--no-workdir" "-nw", "--dry-run" "-d", "--root" "-r", "--verbose" "-v";
    },
);

const SSH: &[Opt] = options! {
    value: "-B", "-b", "-c", "-D", "-e", "-I", "-J", "-L", "-l", "-m", "-M", "-O", "-P", "-p", "-Q", "-R", "-S", "-W",
        "-w";
    runs: "-o";
    reads: "-F", "-i";
    writes: "-E";
    flag: "-4", "-6", "-A", "-a", "-C", "-f", "-G", "-g", "-K", "-k", "-N", "-n", "-q", "-s", "-T", "-t", "-V", "-v",
        "-X", "-x", "-Y", "-y";
};

const DOCKER: &[Opt] = options! {
    value: "--context" "-c", "--host" "-H", "--log-level" "-l", "--connection", "--url", "--namespace" "-n",
        "--address" "-a", "--root", "--runroot", "--storage-driver", "--storage-opt", "--cgroup-manager", "--identity";
    enters: "--config";
    reads: "--tlscacert", "--tlscert", "--tlskey";
    flag: "--debug" "-D", "--tls", "--tlsverify", "--remote" "-r", "--version" "-v", "--help";
};

const DOCKER_RUN: &[Opt] = options! {
    value: "--add-host", "--annotation", "--attach" "-a", "--arch", "--blkio-weight", "--blkio-weight-device",
        "--cap-add", "--cap-drop", "--cgroup-parent", "--cgroupns", "--cpu-count", "--cpu-percent", "--cpu-period",
        "--cpu-quota", "--cpu-rt-period", "--cpu-rt-runtime", "--cpu-shares" "-c", "--cpus", "--cpuset-cpus",
        "--cpuset-mems", "--detach-keys", "--device", "--device-cgroup-rule", "--device-read-bps", "--device-read-iops",
        "--device-write-bps", "--device-write-iops", "--dns", "--dns-option" "--dns-opt", "--dns-search",
        "--domainname", "--env" "-e", "--expose", "--gpus", "--group-add", "--health-interval", "--health-retries",
        "--health-start-interval", "--health-start-period", "--health-timeout", "--hostname" "-h", "--io-maxbandwidth",
        "--io-maxiops", "--ip", "--ip6", "--ipc", "--isolation", "--kernel-memory", "--label" "-l", "--link",
        "--link-local-ip", "--log-driver", "--log-opt", "--mac-address", "--memory" "-m", "--memory-reservation",
        "--memory-swap", "--memory-swappiness", "--mount", "--name", "--network" "--net",
        "--network-alias" "--net-alias", "--oom-score-adj", "--os", "--pid", "--pids-limit", "--platform", "--pod",
        "--publish" "-p", "--pull", "--restart", "--runtime", "--secret", "--security-opt", "--shm-size",
        "--stop-signal", "--stop-timeout", "--storage-opt", "--sysctl", "--tmpfs", "--ulimit", "--user" "-u",
        "--userns", "--uts", "--variant", "--volume" "-v", "--volume-driver", "--volumes-from", "--workdir" "-w";
    runs: "--entrypoint", "--health-cmd";
    reads: "--env-file", "--label-file";
    writes: "--cidfile";
    flag: "--detach" "-d", "--disable-content-trust", "--init", "--interactive" "-i", "--no-healthcheck",
        "--oom-kill-disable", "--privileged", "--publish-all" "-P", "--quiet" "-q", "--read-only", "--replace", "--rm",
        "--rmi", "--sig-proxy", "--tty" "-t", "--use-api-socket", "--help";
};

const DOCKER_EXEC: &[Opt] = options! {
    value: "--detach-keys", "--env" "-e", "--user" "-u", "--workdir" "-w";
    reads: "--env-file";
    flag: "--detach" "-d", "--interactive" "-i", "--latest" "-l", "--privileged", "--tty" "-t", "--help";
};

const COMPOSE: &[Opt] = options! {
    value: "--ansi", "--parallel", "--profile", "--progress", "--project-name" "-p", "--host" "-H", "--context" "-c",
        "--log-level";
    reads: "--env-file", "--file" "-f";
    enters: "--project-directory";
    flag: "--all-resources", "--compatibility", "--dry-run", "--verbose", "--no-ansi", "--version" "-v";
};

const DOCKER_COMMANDS: [Program; containers::DOCKER.len() + DOCKER_RUNNERS.len()] =
    join(&[DOCKER_RUNNERS, containers::DOCKER]);

const DOCKER_RUNNERS: &[Program] = &[
    leading(&["run", "create"], DOCKER_RUN),
    leading(&["exec"], DOCKER_EXEC),
    group(&["container"], &[], &CONTAINER_COMMANDS),
    group(&["compose"], COMPOSE, &COMPOSE_COMMANDS),
];

const CONTAINER_COMMANDS: [Program; containers::CONTAINER.len() + CONTAINER_RUNNERS.len()] =
    join(&[CONTAINER_RUNNERS, containers::CONTAINER]);

const CONTAINER_RUNNERS: &[Program] = &[leading(&["run", "create"], DOCKER_RUN), leading(&["exec"], DOCKER_EXEC)];

const KUBECTL_COMMANDS: [Program; cluster::KUBECTL.len() + KUBECTL_RUNNERS.len()] =
    join(&[KUBECTL_RUNNERS, cluster::KUBECTL]);

const KUBECTL_RUNNERS: &[Program] = &[
    gnu(
        &["exec", "rsh"],
        options! {
            value: "--container" "-c", "--pod-running-timeout", "--timeout", "--shell";
            reads: "--filename" "-f";
            flag: "--stdin" "-i", "--tty" "-t", "--quiet" "-q", "--no-tty" "-T";
        },
    ),
    gnu(
        &["run"],
        options! {
            value: "--image", "--annotations", "--env", "--field-manager", "--image-pull-policy",
                "--labels" "-l", "--limits", "--output" "-o", "--overrides", "--override-type",
                "--pod-running-timeout", "--port", "--requests", "--restart", "--serviceaccount", "--timeout",
                "--grace-period";
            reads: "--filename" "-f";
            attached: "--dry-run";
            flag: "--attach", "--command", "--expose", "--leave-stdin-open", "--privileged", "--quiet" "-q",
                "--rm", "--stdin" "-i", "--tty" "-t", "--wait";
        },
    ),
    gnu(
        &["debug"],
        options! {
            value: "--image", "--container" "-c", "--copy-to", "--env", "--image-pull-policy", "--profile",
                "--set-image", "--target";
            reads: "--filename" "-f", "--custom";
            flag: "--arguments-only", "--attach", "--quiet" "-q", "--replace", "--same-node",
                "--share-processes", "--stdin" "-i", "--tty" "-t";
        },
    ),
];

const COMPOSE_COMMANDS: [Program; containers::COMPOSE.len() + COMPOSE_RUNNERS.len()] =
    join(&[COMPOSE_RUNNERS, containers::COMPOSE]);

const COMPOSE_RUNNERS: &[Program] = &[
    leading(
        &["exec"],
        options! {
            value: "--env" "-e", "--index", "--user" "-u", "--workdir" "-w";
            flag: "--detach" "-d", "--no-tty" "-T", "--interactive" "-i", "--privileged", "--tty" "-t";
        },
    ),
    leading(
        &["run"],
        options! {
            value: "--cap-add", "--cap-drop", "--env" "-e", "--label" "-l", "--name", "--publish" "-p", "--pull",
                "--user" "-u", "--volume" "-v", "--workdir" "-w";
            runs: "--entrypoint";
            reads: "--env-from-file";
            flag: "--build", "--detach" "-d", "--interactive" "-i", "--no-tty" "-T", "--no-deps", "--quiet" "-q",
                "--quiet-build", "--quiet-pull", "--remove-orphans", "--rm", "--service-ports" "-P", "--tty" "-t",
                "--use-aliases";
        },
    ),
];
