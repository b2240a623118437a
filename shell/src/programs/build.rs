//! Programs that build, check and test what others wrote.

use super::{
    Opt, Program, Reading, attached, changes, enters, explains, flag, gnu, leading, options, reads, runs, value, words,
    writes,
};

/// `cargo check`, and what is like it.
const CHECK: &[Opt] = options! {
    flag: "--future-incompat-report", "--verbose" "-v", "--quiet" "-q", "--workspace", "--all", "--lib", "--bins",
        "--examples", "--tests", "--benches", "--all-targets", "--all-features", "--no-default-features", "--keep-going",
        "--release" "-r", "--unit-graph", "--ignore-rust-version", "--locked", "--offline", "--frozen";
    runs: "-Z", "--config";
    value: "--message-format", "--color", "--package" "-p", "--exclude", "--bin", "--example", "--test", "--bench",
        "--features" "-F", "--jobs" "-j", "--profile", "--target";
    writes: "--target-dir";
    enters: "--manifest-path";
    attached: "--timings";
};

pub(super) const PROGRAMS: &[Program] = &[
    gnu(
        &["make", "gmake"],
        options! {
            flag: "-b", "-m", "--always-make" "-B", "-d", "--environment-overrides" "-e", "--ignore-errors" "-i",
                "--keep-going" "-k", "--check-symlink-times" "-L", "--just-print" "--dry-run" "--recon" "-n",
                "--print-data-base" "-p", "--question" "-q", "--no-builtin-rules" "-r", "--no-builtin-variables" "-R",
                "--silent" "--quiet" "-s", "--no-silent", "--no-keep-going" "--stop" "-S", "--touch" "-t", "--trace",
                "--version" "-v", "--print-directory" "-w", "--no-print-directory", "--warn-undefined-variables";
            value: "--old-file" "--assume-old" "-o", "--what-if" "--new-file" "--assume-new" "-W";
            reads: "--file" "--makefile" "-f", "--include-dir" "-I";
            runs: "--eval" "-E";
            enters: "--directory" "-C";
            attached: "--jobs" "-j", "--load-average" "--max-load" "-l", "--output-sync" "-O", "--debug";
        },
    ),
    gnu(
        &["just"],
        options! {
            flag: "--list" "-l", "--dry-run" "-n", "--quiet" "-q", "--verbose" "-v", "--summary", "--yes", "--show" "-s",
                "--evaluate", "--dump", "--unstable", "--highlight", "--choose";
            value: "--color", "--list-heading", "--list-prefix", "--dump-format";
            reads: "--justfile" "-f", "--dotenv-path" "-E", "--dotenv-filename";
            runs: "--shell", "--command" "-c", "--set", "--chooser", "--shell-arg";
            enters: "--working-directory" "-d";
        },
    ),
    gnu(
        &["ninja", "samu"],
        options! {
            flag: "-n", "-v", "--verbose", "--quiet";
            value: "-j", "-k", "-l", "-t", "-d", "-w";
            reads: "-f";
            enters: "-C";
        },
    ),
    words(
        &["cmake"],
        options! {
            value: "-S", "-B", "-C", "-D", "-U", "-G", "-T", "-A", "-P", "-E", "--build", "--install", "--target" "-t",
                "--config", "--parallel" "-j", "--preset", "--prefix", "--open", "--log-level", "--toolchain";
        },
    ),
    words(
        &["gcc", "g++", "cc", "c++", "clang", "clang++", "cpp", "tcc"],
        options! {
            flag: "-c", "-S", "-E", "-v", "-g", "-w", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-static",
                "-pthread", "-fPIC", "-fsyntax-only", "-M", "-MM", "-MD", "-MMD", "-MP", "-O", "-O0", "-O1", "-O2", "-O3",
                "-Os", "-Og", "-Ofast";
            value: "-I", "-L", "-l", "-D", "-U", "-x", "-include", "-isystem", "-iquote", "-idirafter", "-imacros",
                "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xclang", "-u", "-T", "-arch", "-target", "-e", "-z";
            writes: "-o", "-MF", "-MT", "-MQ", "-dumpdir", "-dumpbase";
            runs: "-B", "-wrapper", "-specs", "-fplugin", "-plugin";
        },
    ),
    gnu(
        &["rustc"],
        options! {
            flag: "-g", "-O", "--test", "--verbose" "-v", "--version" "-V", "--help" "-h";
            value: "--crate-type", "--crate-name", "--edition", "--emit", "--print", "--target", "--cfg", "--check-cfg",
                "-L", "-l", "--extern", "--color", "--error-format", "--cap-lints", "--allow" "-A", "--warn" "-W",
                "--deny" "-D", "--forbid" "-F", "--sysroot", "--remap-path-prefix";
            writes: "-o", "--out-dir";
            runs: "-C" "--codegen", "-Z";
        },
    ),
    gnu(
        &["rustfmt"],
        options! {
            flag: "--check", "--backup", "--files-with-diff" "-l", "--quiet" "-q", "--verbose" "-v";
            value: "--config", "--config-path", "--edition", "--emit", "--color";
        },
    ),
    Program {
        names: &["go"],
        reading: Reading::Words,
        options: options! {
            enters: "-C";
        },
        commands: &[
            words(
                &["build", "test", "run", "vet", "install", "list", "generate", "get", "fix", "fmt", "clean"],
                options! {
                    flag: "-a", "-n", "-race", "-msan", "-asan", "-v", "-x", "-work", "-linkshared", "-modcacherw",
                        "-trimpath", "-json", "-short", "-failfast", "-cover", "-benchmem", "-c", "-i", "-m", "-u", "-t",
                        "-deps", "-test", "-compiled", "-export", "-find", "-e", "-fullpath", "-cache", "-testcache";
                    value: "-p", "-asmflags", "-buildmode", "-buildvcs", "-compiler", "-gcflags", "-installsuffix",
                        "-ldflags", "-mod", "-pgo", "-tags", "-run", "-skip", "-bench", "-benchtime", "-count", "-timeout",
                        "-cpu", "-parallel", "-covermode", "-coverpkg", "-shuffle", "-list", "-fuzz", "-fuzztime", "-f";
                    runs: "-exec", "-toolexec", "-vettool", "-gccgoflags", "-modfile", "-overlay", "-pkgdir";
                    writes: "-o", "-coverprofile", "-cpuprofile", "-memprofile", "-blockprofile", "-mutexprofile", "-trace",
                        "-outputdir";
                    enters: "-C";
                },
            ),
            words(
                &["mod", "work", "env", "doc", "version", "tool", "telemetry", "bug", "help"],
                options! {
                    flag: "-json", "-v", "-m", "-u", "-all", "-short", "-src";
                    changes: "-w";
                    enters: "-C";
                },
            ),
        ],
        ..Program::GNU
    },
    Program {
        names: &["cargo"],
        options: options! {
            flag: "--verbose" "-v", "--quiet" "-q", "--locked", "--offline", "--frozen", "--list", "--version" "-V";
            value: "--color", "--explain";
            runs: "--config", "-Z";
            enters: "-C", "--manifest-path";
            explains: "--help" "-h";
        },
        commands: &[
            gnu(
                &["build", "b"],
                options! {
                    flag: "--future-incompat-report", "--verbose" "-v", "--quiet" "-q", "--workspace", "--all", "--lib",
                        "--bins", "--examples", "--tests", "--benches", "--all-targets", "--all-features",
                        "--no-default-features", "--release" "-r", "--keep-going", "--unit-graph",
                        "--ignore-rust-version", "--locked", "--offline", "--frozen";
                    runs: "-Z";
                    value: "--message-format", "--color", "--package" "-p", "--exclude", "--bin", "--example",
                        "--test", "--bench", "--features" "-F", "--profile", "--jobs" "-j", "--target";
                    writes: "--target-dir", "--artifact-dir";
                    runs: "--config";
                    enters: "--manifest-path";
                    attached: "--timings";
                },
            ),
            gnu(&["check", "c"], CHECK),
            gnu(
                &["test", "t"],
                options! {
                    flag: "--no-run", "--no-fail-fast", "--future-incompat-report", "--quiet" "-q", "--verbose" "-v",
                        "--workspace", "--all", "--lib", "--bins", "--examples", "--tests", "--benches", "--all-targets",
                        "--doc", "--all-features", "--no-default-features", "--release" "-r", "--unit-graph",
                        "--ignore-rust-version", "--locked", "--offline", "--frozen";
                    runs: "-Z";
                    value: "--message-format", "--color", "--package" "-p", "--exclude", "--bin", "--example",
                        "--test", "--bench", "--features" "-F", "--jobs" "-j", "--profile", "--target";
                    writes: "--target-dir";
                    runs: "--config";
                    enters: "--manifest-path";
                    attached: "--timings";
                },
            ),
            Program {
                names: &["clippy"],
                options: options! { flag: "--no-deps", "--fix", "--version" "-V"; },
                shared: &[CHECK],
                ..Program::GNU
            },
            leading(
                &["run", "r"],
                options! {
                    flag: "--verbose" "-v", "--quiet" "-q", "--all-features", "--no-default-features", "--keep-going",
                        "--release" "-r", "--unit-graph", "--ignore-rust-version", "--locked", "--offline", "--frozen";
                    runs: "-Z";
                    value: "--message-format", "--color", "--package" "-p", "--bin", "--example", "--features" "-F",
                        "--jobs" "-j", "--profile", "--target";
                    writes: "--target-dir";
                    runs: "--config";
                    enters: "--manifest-path";
                    attached: "--timings";
                },
            ),
            gnu(
                &["clean"],
                options! {
                    flag: "--doc", "--dry-run" "-n", "--verbose" "-v", "--quiet" "-q", "--workspace", "--release" "-r",
                        "--locked", "--offline", "--frozen";
                    value: "--color", "--package" "-p", "--profile", "--target";
                    writes: "--target-dir";
                    runs: "--config";
                    enters: "--manifest-path";
                },
            ),
            gnu(
                &["doc", "d"],
                options! {
                    flag: "--open", "--no-deps", "--document-private-items", "--verbose" "-v", "--quiet" "-q",
                        "--workspace", "--all", "--all-features", "--no-default-features", "--lib", "--bins",
                        "--examples", "--keep-going", "--release" "-r", "--unit-graph", "--ignore-rust-version",
                        "--locked", "--offline", "--frozen";
                    runs: "-Z";
                    value: "--message-format", "--color", "--package" "-p", "--exclude", "--features" "-F", "--bin",
                        "--example", "--jobs" "-j", "--profile", "--target";
                    writes: "--target-dir";
                    runs: "--config";
                    enters: "--manifest-path";
                    attached: "--timings";
                },
            ),
            gnu(
                &["bench"],
                options! {
                    flag: "--no-run", "--no-fail-fast", "--verbose" "-v", "--quiet" "-q", "--workspace", "--all", "--lib",
                        "--bins", "--examples", "--tests", "--benches", "--all-targets", "--all-features",
                        "--no-default-features", "--unit-graph", "--ignore-rust-version", "--locked", "--offline",
                        "--frozen";
                    runs: "-Z";
                    value: "--message-format", "--color", "--package" "-p", "--exclude", "--bin", "--example",
                        "--test", "--bench", "--features" "-F", "--jobs" "-j", "--profile", "--target";
                    writes: "--target-dir";
                    runs: "--config";
                    enters: "--manifest-path";
                    attached: "--timings";
                },
            ),
            gnu(
                &["new", "init"],
                options! {
                    flag: "--bin", "--lib", "--verbose" "-v", "--quiet" "-q", "--locked", "--offline", "--frozen";
                    value: "--vcs", "--edition", "--name", "--registry", "--color", "-Z";
                    runs: "--config";
                },
            ),
            gnu(
                &["add"],
                options! {
                    flag: "--no-default-features", "--default-features", "--optional", "--no-optional", "--public",
                        "--no-public", "--dry-run" "-n", "--verbose" "-v", "--quiet" "-q", "--ignore-rust-version",
                        "--locked", "--offline", "--frozen", "--dev", "--build";
                    value: "--features" "-F", "--rename", "--color", "--package" "-p", "--path", "--base", "--git",
                        "--branch", "--tag", "--rev", "--registry", "--target";
                    runs: "--config";
                    enters: "--manifest-path";
                },
            ),
            gnu(
                &["remove", "rm"],
                options! {
                    flag: "--dry-run" "-n", "--verbose" "-v", "--quiet" "-q", "--dev", "--build", "--locked", "--offline",
                        "--frozen";
                    value: "--color", "--target", "--package" "-p";
                    runs: "--config";
                    enters: "--manifest-path";
                },
            ),
            gnu(
                &["update"],
                options! {
                    flag: "--dry-run" "-n", "--recursive", "--breaking" "-b", "--verbose" "-v", "--quiet" "-q",
                        "--workspace" "-w", "--ignore-rust-version", "--locked", "--offline", "--frozen";
                    value: "--precise", "--color", "-Z";
                    runs: "--config";
                    enters: "--manifest-path";
                },
            ),
            gnu(
                &["search"],
                options! {
                    flag: "--verbose" "-v", "--quiet" "-q", "--locked", "--offline", "--frozen";
                    value: "--limit", "--index", "--registry", "--color", "-Z";
                    runs: "--config";
                },
            ),
            gnu(
                &["publish"],
                options! {
                    flag: "--dry-run" "-n", "--no-verify", "--allow-dirty", "--verbose" "-v", "--quiet" "-q",
                        "--workspace", "--all-features", "--no-default-features", "--keep-going", "--locked", "--offline",
                        "--frozen";
                    value: "--index", "--registry", "--color", "--package" "-p", "--exclude", "--features" "-F",
                        "--jobs" "-j", "--target";
                    writes: "--target-dir";
                    runs: "--config";
                    enters: "--manifest-path";
                },
            ),
            gnu(
                &["install"],
                options! {
                    flag: "--force" "-f", "--dry-run" "-n", "--no-track", "--list", "--debug", "--verbose" "-v",
                        "--quiet" "-q", "--ignore-rust-version", "--locked", "--offline", "--frozen", "--bins",
                        "--examples", "--all-features", "--no-default-features", "--keep-going";
                    value: "--version", "--index", "--registry", "--git", "--branch", "--tag", "--rev", "--path",
                        "--root", "--message-format", "--color", "--bin", "--example", "--features" "-F",
                        "--jobs" "-j", "--profile", "--target";
                    writes: "--target-dir";
                    runs: "--config";
                    attached: "--timings";
                },
            ),
            gnu(
                &["uninstall"],
                options! {
                    flag: "--verbose" "-v", "--quiet" "-q", "--locked", "--offline", "--frozen";
                    value: "--root", "--color", "--package" "-p", "--bin";
                    runs: "--config";
                },
            ),
            gnu(
                &["tree"],
                options! {
                    flag: "--no-dedupe", "--duplicates" "-d", "--verbose" "-v", "--quiet" "-q", "--workspace",
                        "--all-features", "--no-default-features", "--locked", "--offline", "--frozen";
                    value: "--edges" "-e", "--invert" "-i", "--prune", "--depth", "--prefix", "--charset",
                        "--format" "-f", "--color", "--package" "-p", "--exclude", "--features" "-F", "--target";
                    runs: "--config";
                    enters: "--manifest-path";
                },
            ),
            gnu(
                &["metadata"],
                options! {
                    flag: "--no-deps", "--verbose" "-v", "--quiet" "-q", "--all-features", "--no-default-features",
                        "--locked", "--offline", "--frozen";
                    value: "--filter-platform", "--format-version", "--color", "--features" "-F";
                    runs: "--config";
                    enters: "--manifest-path";
                },
            ),
            gnu(
                &["fix"],
                options! {
                    flag: "--edition", "--edition-idioms", "--broken-code", "--allow-no-vcs", "--allow-dirty",
                        "--allow-staged", "--verbose" "-v", "--quiet" "-q", "--workspace", "--all", "--lib", "--bins",
                        "--examples", "--tests", "--benches", "--all-targets", "--all-features", "--no-default-features",
                        "--keep-going", "--release" "-r", "--ignore-rust-version", "--locked", "--offline", "--frozen";
                    runs: "-Z";
                    value: "--message-format", "--color", "--package" "-p", "--exclude", "--bin", "--example",
                        "--test", "--bench", "--features" "-F", "--jobs" "-j", "--profile", "--target";
                    writes: "--target-dir";
                    runs: "--config";
                    enters: "--manifest-path";
                    attached: "--timings";
                },
            ),
            gnu(
                &["fetch"],
                options! {
                    flag: "--verbose" "-v", "--quiet" "-q", "--locked", "--offline", "--frozen";
                    value: "--color", "--target";
                    runs: "--config";
                    enters: "--manifest-path";
                },
            ),
            gnu(
                &["package"],
                options! {
                    flag: "--list" "-l", "--no-verify", "--no-metadata", "--allow-dirty", "--exclude-lockfile",
                        "--verbose" "-v", "--quiet" "-q", "--workspace", "--all-features", "--no-default-features",
                        "--keep-going", "--locked", "--offline", "--frozen";
                    value: "--index", "--registry", "--message-format", "--color", "--package" "-p", "--exclude",
                        "--features" "-F", "--target", "--jobs" "-j";
                    writes: "--target-dir";
                    runs: "--config";
                    enters: "--manifest-path";
                },
            ),
            gnu(
                &["owner"],
                options! {
                    flag: "--list" "-l", "--verbose" "-v", "--quiet" "-q", "--locked", "--offline", "--frozen";
                    value: "--add" "-a", "--remove" "-r", "--index", "--registry", "--token", "--color", "-Z";
                    runs: "--config";
                },
            ),
            gnu(
                &["yank"],
                options! {
                    flag: "--undo", "--verbose" "-v", "--quiet" "-q", "--locked", "--offline", "--frozen";
                    value: "--version", "--index", "--registry", "--token", "--color", "-Z";
                    runs: "--config";
                },
            ),
            gnu(
                &["login"],
                options! {
                    flag: "--verbose" "-v", "--quiet" "-q", "--locked", "--offline", "--frozen";
                    value: "--registry", "--color", "-Z";
                    runs: "--config";
                },
            ),
            gnu(
                &["vendor"],
                options! {
                    flag: "--no-delete", "--respect-source-config", "--versioned-dirs", "--verbose" "-v", "--quiet" "-q",
                        "--locked", "--offline", "--frozen";
                    value: "--sync" "-s", "--color", "-Z";
                    runs: "--config";
                    enters: "--manifest-path";
                },
            ),
        ],
        ..Program::GNU
    },
];
