//! Programs that run another in an environment of theirs: package runners, versions, virtual environments, secrets.

use super::{
    Opt, Program, attached, enters, flag, gnu, group, join, leading, options, packages, reads, runs, value, writes,
};

pub(super) const PROGRAMS: &[Program] = &[
    leading(&["npx", "pnpx"], NPX),
    manager(&["npm"], NPM, &NPM_COMMANDS),
    manager(&["pnpm"], PNPM, &PNPM_COMMANDS),
    manager(
        &["yarn"],
        options! {
            enters: "--cwd";
            flag: "--silent" "-s", "--verbose";
        },
        &YARN_COMMANDS,
    ),
    leading(&["bunx"], BUNX),
    group(
        &["bun"],
        options! {
            enters: "--cwd";
            runs: "--eval" "-e", "--print" "-p";
            reads: "--preload" "-r", "--require", "--import", "--env-file", "--tsconfig-override";
            value: "--define" "-d", "--loader" "-l", "--port", "--conditions", "--filter" "-F";
            attached: "--config" "-c", "--inspect", "--inspect-brk";
            flag: "--watch", "--hot", "--bun" "-b", "--silent", "--smol", "--if-present", "--version" "-v",
                "--help" "-h";
        },
        &[
            leading(&["x"], BUNX),
            leading(
                &["run"],
                options! {
                    value: "--shell", "--filter" "-F";
                    reads: "--preload" "-r", "--env-file";
                    enters: "--cwd";
                    flag: "--watch", "--hot", "--bun" "-b", "--silent", "--smol", "--if-present";
                },
            ),
        ],
    ),
    group(
        &["lerna"],
        options! {
            value: "--concurrency", "--loglevel";
        },
        &[leading(
            &["exec"],
            options! {
                value: "--scope", "--ignore", "--concurrency", "--since";
                flag: "--stream", "--parallel", "--no-bail", "--no-prefix", "--no-sort";
            },
        )],
    ),
    leading(
        &["corepack"],
        options! {
            flag: "--version" "-v", "--help" "-h";
        },
    ),
    leading(&["cross-env", "cross-env-shell"], &[]),
    leading(
        &["env-cmd"],
        options! {
            value: "--environments" "-e";
            reads: "--file" "-f", "--rc-file" "-r";
            flag: "--expand-envs" "-x", "--fallback", "--no-override", "--silent", "--use-shell", "--verbose";
        },
    ),
    leading(
        &["dotenv", "dotenvx"],
        options! {
            value: "-e", "-f", "--file", "--env-file", "-v", "-c", "-p", "--quote" "-q", "--env", "--env-keys-file";
            flag: "-o", "--override", "--overload", "--no-override", "--debug", "--quiet", "--ignore" "-i";
        },
    ),
    group(
        &["uv"],
        UV,
        &[leading(&["run"], UV_RUN), group(&["tool"], &[], &[leading(&["run"], UV_RUN)]), leading(&["x"], UV_RUN)],
    ),
    leading(&["uvx"], UV_RUN),
    group(
        &["pipx"],
        options! {
            flag: "--quiet" "-q", "--verbose" "-v", "--global";
        },
        &[leading(
            &["run"],
            options! {
                value: "--spec", "--with", "--python", "--index-url" "-i", "--pip-args", "--backend";
                flag: "--no-cache", "--path", "--pypackages", "--system-site-packages", "--editable" "-e", "--verbose",
                    "--quiet" "-q";
            },
        )],
    ),
    group(
        &["poetry"],
        options! {
            enters: "--directory" "-C", "--project" "-P";
            flag: "--quiet" "-q", "--verbose" "-v", "--no-interaction" "-n", "--no-plugins", "--no-cache";
        },
        RUN,
    ),
    group(
        &["pipenv"],
        options! {
            value: "--python";
            flag: "--quiet" "-q", "--verbose" "-v";
        },
        RUN,
    ),
    group(
        &["hatch"],
        options! {
            value: "--env" "-e", "--project" "-p", "--cache-dir", "--data-dir";
            reads: "--config";
            flag: "--verbose" "-v", "--quiet" "-q", "--no-color";
        },
        RUN,
    ),
    group(
        &["rye"],
        &[],
        &[leading(
            &["run"],
            options! {
                reads: "--pyproject";
                flag: "--list" "-l", "--verbose" "-v";
            },
        )],
    ),
    group(
        &["pdm"],
        options! {
            reads: "--config" "-c";
            flag: "--verbose" "-v", "--quiet" "-q";
        },
        &[leading(
            &["run"],
            options! {
                value: "--venv";
                enters: "--project" "-p";
                flag: "--list" "-l", "--site-packages" "-s", "--json" "-j", "--global" "-g", "--recreate";
            },
        )],
    ),
    group(
        &["pixi"],
        options! {
            value: "--color";
            flag: "--verbose" "-v", "--quiet" "-q";
        },
        &[leading(
            &["run"],
            options! {
                reads: "--manifest-path";
                value: "--environment" "-e";
                flag: "--frozen", "--locked", "--clean-env", "--skip-deps", "--executable" "-x";
            },
        )],
    ),
    group(
        &["conda", "mamba", "micromamba"],
        &[],
        &[leading(
            &["run"],
            options! {
                value: "--name" "-n", "--prefix" "-p", "--attach" "-a", "--env" "-e";
                enters: "--cwd";
                flag: "--verbose" "-v", "--dev", "--no-capture-output" "--live-stream", "--debug-wrapper-scripts";
            },
        )],
    ),
    group(
        &["bundle", "bundler"],
        options! {
            flag: "--no-color", "--verbose" "-V";
        },
        &[leading(
            &["exec"],
            options! {
                reads: "--gemfile";
                flag: "--keep-file-descriptors";
            },
        )],
    ),
    group(&["rbenv", "pyenv", "nodenv", "goenv", "jenv"], &[], &[leading(&["exec"], &[])]),
    group(&["asdf"], &[], &[leading(&["exec"], &[])]),
    group(
        &["volta"],
        &[],
        &[leading(
            &["run"],
            options! {
                value: "--node", "--npm", "--yarn", "--pnpm", "--env";
                flag: "--bundled-npm", "--no-npm", "--no-yarn", "--no-pnpm";
            },
        )],
    ),
    group(
        &["fnm"],
        &[],
        &[leading(
            &["exec"],
            options! {
                value: "--using", "--log-level";
            },
        )],
    ),
    group(
        &["nvm"],
        &[],
        &[leading(
            &["exec", "run"],
            options! {
                flag: "--silent";
            },
        )],
    ),
    group(
        &["rustup"],
        options! {
            flag: "--verbose" "-v", "--quiet" "-q";
        },
        &[leading(
            &["run"],
            options! {
                flag: "--install";
            },
        )],
    ),
    group(&["mise", "rtx"], MISE, &[leading(&["exec", "x"], MISE)]),
    group(&["direnv"], &[], &[leading(&["exec"], &[])]),
    gnu(
        &["nix-shell"],
        options! {
            runs: "--run", "--command";
            value: "--attr" "-A", "--expr" "-E", "-I", "--exclude", "--keep", "-i", "--max-jobs" "-j";
            flag: "--pure", "--packages" "-p", "--verbose" "-v", "--keep-going" "-k", "--impure";
        },
    ),
    group(
        &["nix"],
        options! {
            value: "--extra-experimental-features" "--experimental-features";
        },
        &[leading(&["develop", "shell"], NIX), leading(&["run"], NIX)],
    ),
    group(
        &["devbox"],
        &[],
        &[leading(
            &["run"],
            options! {
                reads: "--config" "-c", "--env-file";
                value: "--env" "-e", "--environment";
                flag: "--list" "-l", "--pure", "--quiet" "-q";
            },
        )],
    ),
    group(
        &["doppler"],
        options! {
            value: "--token" "-t";
            flag: "--silent";
        },
        &[leading(
            &["run"],
            options! {
                runs: "--command";
                value: "--project" "-p", "--config" "-c", "--token" "-t", "--fallback", "--mount", "--mount-format";
                flag: "--preserve-env", "--forward-signals", "--no-fallback", "--fallback-only";
            },
        )],
    ),
    group(
        &["infisical"],
        &[],
        &[leading(
            &["run"],
            options! {
                runs: "--command" "-c";
                value: "--env" "-e", "--path", "--projectId", "--token", "--tags" "-t";
                flag: "--expand", "--include-imports", "--recursive", "--watch";
            },
        )],
    ),
    group(
        &["op"],
        options! {
            value: "--account", "--session";
        },
        &[leading(
            &["run"],
            options! {
                reads: "--env-file";
                flag: "--no-masking";
            },
        )],
    ),
    group(
        &["aws-vault"],
        options! {
            value: "--backend", "--prompt";
            flag: "--debug";
        },
        &[leading(
            &["exec"],
            options! {
                value: "--duration" "-d", "--region", "--mfa-token" "-t";
                flag: "--no-session" "-n", "--server" "-s", "--ec2-server", "--ecs-server", "--json" "-j", "--lazy",
                    "--stdout";
            },
        )],
    ),
    group(
        &["chamber"],
        options! {
            value: "--backend" "-b", "--retries" "-r";
            flag: "--verbose" "-v";
        },
        &[leading(
            &["exec"],
            options! {
                flag: "--pristine", "--strict";
                value: "--strict-value";
            },
        )],
    ),
    group(
        &["sops"],
        options! {
            reads: "--config";
        },
        &[leading(
            &["exec-env", "exec-file"],
            options! {
                value: "--user", "--filename";
                flag: "--background", "--no-fifo", "--pristine", "--same-process";
            },
        )],
    ),
];

const RUN: &[Program] = &[leading(&["run"], &[])];

const NPX: &[Opt] = options! {
    runs: "--call" "-c";
    value: "--package" "-p", "--workspace" "-w", "--registry", "--cache", "--userconfig", "--node-arg" "-n", "--shell",
        "--script-shell", "--loglevel";
    enters: "--prefix" "-C";
    flag: "--yes" "-y", "--no", "--no-install", "--quiet" "-q", "--silent" "-s", "--workspaces" "--ws",
        "--include-workspace-root" "--iwr", "--ignore-existing", "--prefer-offline", "--prefer-online", "--offline",
        "--always-spawn", "--version" "-v", "--help" "-h";
};

const NPM: &[Opt] = options! {
    value: "--workspace" "-w", "--registry", "--loglevel";
    runs: "--userconfig", "--globalconfig", "--script-shell", "--node-options", "--shell", "--git";
    writes: "--cache", "--logs-dir";
    enters: "--prefix" "-C";
    flag: "--silent" "-s", "--global" "-g", "--yes" "-y", "--workspaces" "--ws", "--version" "-v";
};

const PNPM: &[Opt] = options! {
    enters: "--dir" "-C";
    value: "--filter" "-F", "--filter-prod", "--loglevel", "--reporter", "--workspace-concurrency";
    flag: "--recursive" "-r", "--workspace-root" "-w", "--silent" "-s", "--stream", "--parallel", "--if-present",
        "--no-bail", "--global" "-g", "--version" "-v";
};

const BUNX: &[Opt] = options! {
    value: "--package" "-p";
    flag: "--bun", "--verbose", "--silent", "--no-install", "--yes" "-y";
};

const UV: &[Opt] = options! {
    enters: "--directory", "--project";
    value: "--color", "--cache-dir", "--allow-insecure-host";
    reads: "--config-file";
    flag: "--quiet" "-q", "--verbose" "-v", "--offline", "--no-cache" "-n", "--no-progress", "--no-config",
        "--native-tls", "--managed-python", "--no-managed-python", "--no-python-downloads", "--version" "-V";
};

const UV_RUN: &[Opt] = options! {
    value: "--with" "-w", "--with-editable", "--extra", "--no-extra", "--group", "--no-group", "--only-group",
        "--package", "--python" "-p", "--index", "--default-index", "--index-url" "-i", "--extra-index-url",
        "--find-links" "-f", "--upgrade-package" "-P", "--reinstall-package", "--refresh-package", "--cache-dir",
        "--color", "--exclude-newer", "--link-mode", "--index-strategy", "--keyring-provider", "--resolution",
        "--prerelease", "--config-setting" "-C", "--python-platform", "--allow-insecure-host", "--from",
        "--no-build-package", "--no-binary-package", "--fork-strategy", "--no-build-isolation-package",
        "--torch-backend";
    reads: "--with-requirements", "--env-file", "--config-file", "--constraints" "-c", "--overrides",
        "--build-constraints" "-b";
    enters: "--directory", "--project";
    flag: "--module" "-m", "--script" "-s", "--gui-script", "--all-extras", "--no-dev", "--dev", "--only-dev",
        "--no-default-groups", "--all-groups", "--no-editable", "--inexact", "--exact", "--isolated", "--active",
        "--no-sync", "--locked", "--frozen", "--all-packages", "--no-project", "--no-env-file", "--no-index",
        "--upgrade" "-U", "--reinstall", "--no-sources", "--no-build", "--no-binary", "--compile-bytecode",
        "--no-cache" "-n", "--refresh", "--quiet" "-q", "--verbose" "-v", "--offline", "--no-progress", "--no-config",
        "--native-tls", "--managed-python", "--no-managed-python", "--no-python-downloads", "--help" "-h",
        "--version" "-V";
};

const MISE: &[Opt] = options! {
    enters: "--cd" "-C";
    value: "--env" "-E", "--jobs" "-j";
    runs: "--command" "-c";
    flag: "--raw", "--quiet" "-q", "--silent", "--verbose" "-v", "--yes" "-y", "--fresh-env", "--no-prepare";
};

const NIX: &[Opt] = options! {
    runs: "--command" "-c", "--run";
    value: "--file" "-f", "--expr", "--profile", "--redirect", "--include" "-I", "--inputs-from", "--unset" "-u",
        "--keep" "-k", "--extra-experimental-features" "--experimental-features", "--phase";
    flag: "--impure", "--ignore-environment" "--ignore-env" "-i", "--refresh", "--offline", "--no-write-lock-file",
        "--accept-flake-config", "--print-build-logs" "-L", "--verbose" "-v", "--quiet";
};

/// Makes a package manager: its options may stand behind its subcommands too.
const fn manager(names: &'static [&'static str], options: &'static [Opt], commands: &'static [Program]) -> Program {
    Program { names, options, commands, ..Program::GNU }
}

const NPM_COMMANDS: [Program; packages::NPM.len() + NPM_RUNNERS.len()] = join(&[NPM_RUNNERS, packages::NPM]);

const NPM_RUNNERS: &[Program] = &[leading(&["exec", "x"], NPX), leading(&["explore"], &[])];

const PNPM_COMMANDS: [Program; packages::NPM.len() + PNPM_RUNNERS.len()] = join(&[PNPM_RUNNERS, packages::NPM]);

const PNPM_RUNNERS: &[Program] = &[
    leading(
        &["exec"],
        options! {
            flag: "--recursive" "-r", "--parallel", "--no-bail", "--shell-mode" "-c";
        },
    ),
    leading(
        &["dlx"],
        options! {
            value: "--package", "--allow-build", "--reporter";
            flag: "--shell-mode" "-c", "--silent" "-s";
        },
    ),
];

const YARN_COMMANDS: [Program; packages::NPM.len() + YARN_RUNNERS.len()] = join(&[YARN_RUNNERS, packages::NPM]);

const YARN_RUNNERS: &[Program] = &[
    leading(&["exec"], &[]),
    leading(
        &["dlx"],
        options! {
            value: "--package" "-p";
            flag: "--quiet" "-q";
        },
    ),
];
