//! Programs that run others again and again, for each word, side by side, later or in a terminal.

use super::{Program, Reading, attached, enters, flag, gnu, group, leading, options, reads, runs, value, writes};

pub(super) const PROGRAMS: &[Program] = &[
    leading(
        &["watch"],
        options! {
            value: "--interval" "-n", "--equexit" "-q";
            attached: "--differences" "-d";
            flag: "--beep" "-b", "--color" "-c", "--no-color" "-C", "--errexit" "-e", "--chgexit" "-g",
                "--precise" "-p", "--no-rerun" "-r", "--no-title" "-t", "--no-wrap" "-w", "--exec" "-x", "--help" "-h",
                "--version" "-v";
        },
    ),
    leading(
        &["entr"],
        options! {
            flag: "-a", "-c", "-d", "-n", "-p", "-r", "-s", "-x", "-z";
        },
    ),
    leading(
        &["watchexec"],
        options! {
            enters: "--workdir";
            value: "--watch" "-w", "--watch-non-recursive" "-W", "--exts" "-e", "--filter" "-f", "--ignore" "-i",
                "--debounce" "-d", "--signal" "-s", "--stop-signal", "--stop-timeout", "--shell",
                "--on-busy-update" "-o", "--delay-run", "--env" "-E", "--fs-events", "--project-origin", "--poll",
                "--map-signal", "--wrap-process", "--filter-prog" "-j";
            reads: "--watch-file" "-F", "--ignore-file", "--filter-file";
            writes: "--log-file";
            flag: "--clear" "-c", "--restart" "-r", "--postpone" "-p", "--no-shell" "-n", "--notify" "-N",
                "--quiet" "-q", "--verbose" "-v", "--no-vcs-ignore", "--no-project-ignore", "--no-default-ignore",
                "--stdin-quit", "--once" "-1";
        },
    ),
    leading(
        &["reflex"],
        options! {
            value: "--regex" "-r", "--glob" "-g", "--inverse-regex" "-R", "--inverse-glob" "-G", "--substitute",
                "--shutdown-timeout" "-t", "--decoration" "-d";
            reads: "--config" "-c";
            flag: "--start-service" "-s", "--sequential" "-e", "--only-files", "--only-dirs", "--verbose" "-v", "--all";
        },
    ),
    leading(
        &["nodemon"],
        options! {
            runs: "--exec" "-x";
            value: "--ext" "-e", "--watch" "-w", "--ignore" "-i", "--delay" "-d", "--signal" "-s";
            reads: "--config";
            enters: "--cwd";
            flag: "--verbose" "-V", "--quiet" "-q", "--on-change-only" "-C", "--legacy-watch" "-L", "--no-stdin" "-I",
                "--exitcrash", "--version" "-v", "--help" "-h";
        },
    ),
    gnu(
        &["concurrently"],
        options! {
            runs: "--teardown";
            value: "--max-processes" "-m", "--names" "-n", "--name-separator", "--success" "-s", "--prefix" "-p",
                "--prefix-colors" "-c", "--prefix-length" "-l", "--timestamp-format" "-t", "--default-input-target",
                "--restart-tries", "--restart-after", "--hide", "--kill-signal", "--kill-timeout", "--cwd";
            flag: "--raw" "-r", "--no-color", "--kill-others" "-k", "--kill-others-on-fail", "--handle-input" "-i",
                "--group" "-g", "--pad-prefix", "--timings", "--passthrough-arguments" "-P";
        },
    ),
    gnu(
        &["hyperfine"],
        options! {
            runs: "--setup" "-s", "--prepare" "-p", "--conclude" "-C", "--cleanup" "-c", "--reference";
            value: "--warmup" "-w", "--min-runs" "-m", "--max-runs" "-M", "--runs" "-r", "--shell" "-S", "--style",
                "--sort", "--time-unit" "-u", "--parameter-scan" "-P", "--parameter-step-size" "-D",
                "--parameter-list" "-L", "--command-name" "-n", "--min-benchmarking-time", "--reference-name";
            reads: "--input";
            writes: "--export-json", "--export-csv", "--export-markdown", "--export-asciidoc", "--export-orgmode",
                "--output";
            attached: "--ignore-failure" "-i";
            flag: "-N", "--show-output";
        },
    ),
    gnu(&["mispipe"], &[]),
    gnu(
        &["at", "batch"],
        options! {
            reads: "-f";
            value: "-q", "-t";
            flag: "-V", "-m", "-M", "-l", "-v", "-b", "-r", "-d", "-c", "-u";
        },
    ),
    group(
        &["tmux"],
        options! {
            runs: "-c";
            reads: "-f";
            value: "-L", "-S", "-T";
            flag: "-2", "-C", "-D", "-h", "-l", "-N", "-u", "-V", "-v";
        },
        &[
            leading(
                &["new-session", "new"],
                options! {
                    enters: "-c";
                    value: "-e", "-f", "-F", "-n", "-s", "-t", "-x", "-y";
                    flag: "-A", "-d", "-D", "-E", "-P", "-X";
                },
            ),
            leading(
                &[
                    "new-window",
                    "neww",
                    "split-window",
                    "splitw",
                    "respawn-pane",
                    "respawnp",
                    "respawn-window",
                    "respawnw",
                ],
                options! {
                    enters: "-c";
                    value: "-e", "-F", "-n", "-t", "-l", "-p", "-m";
                    flag: "-a", "-b", "-d", "-k", "-P", "-S", "-f", "-h", "-I", "-v", "-Z";
                },
            ),
            leading(
                &["display-popup", "popup"],
                options! {
                    value: "-b", "-c", "-e", "-h", "-s", "-S", "-t", "-T", "-w", "-x", "-y";
                    enters: "-d";
                    flag: "-B", "-C", "-E", "-k", "-N";
                },
            ),
            leading(
                &["run-shell", "run"],
                options! {
                    enters: "-c";
                    value: "-d", "-t";
                    flag: "-b", "-C", "-E";
                },
            ),
            leading(
                &["if-shell", "if"],
                options! {
                    value: "-t";
                    flag: "-b", "-F";
                },
            ),
            leading(
                &["pipe-pane", "pipep"],
                options! {
                    value: "-t";
                    flag: "-I", "-O", "-o";
                },
            ),
            leading(
                &["send-keys", "send"],
                options! {
                    value: "-c", "-N", "-t";
                    flag: "-F", "-H", "-K", "-l", "-M", "-R", "-X";
                },
            ),
        ],
    ),
    leading(
        &["screen"],
        options! {
            value: "-e", "-h", "-p", "-s", "-S", "-t", "-T";
            reads: "-c";
            attached: "-L";
            flag: "-4", "-6", "-a", "-A", "-d", "-D", "-f", "-i", "-l", "-ls", "-list", "-m", "-n", "-O", "-q", "-Q",
                "-r", "-R", "-U", "-v", "-wipe", "-x", "-X";
        },
    ),
    leading(
        &["dtach", "abduco"],
        options! {
            value: "-e", "-r";
            flag: "-A", "-a", "-c", "-n", "-N", "-p", "-E", "-z", "-l", "-f";
        },
    ),
    Program {
        names: &[
            "xterm",
            "uxterm",
            "gnome-terminal",
            "konsole",
            "alacritty",
            "kitty",
            "foot",
            "x-terminal-emulator",
            "xfce4-terminal",
        ],
        reading: Reading::Words,
        options: &[],
        ..Program::GNU
    },
    leading(
        &["xargs", "gxargs"],
        options! {
            value: "--delimiter" "-d", "-E", "-I", "-J", "-L", "--max-args" "-n", "--max-procs" "-P",
                "--max-chars" "-s", "--process-slot-var", "-R", "-S";
            reads: "--arg-file" "-a";
            attached: "--eof" "-e", "--replace" "-i", "--max-lines" "-l";
            flag: "--null" "-0", "--interactive" "-p", "--no-run-if-empty" "-r", "--verbose" "-t", "--exit" "-x",
                "--open-tty" "-o", "--show-limits", "--help", "--version";
        },
    ),
    leading(
        &["parallel", "sem"],
        options! {
            value: "--jobs" "-j" "--max-procs" "-P", "-I", "--max-args" "-n", "--max-replace-args" "-N",
                "--max-lines" "-L", "--max-chars" "-s", "--sshlogin" "-S", "--colsep" "-C", "--delay", "--retries",
                "--timeout", "--tmpdir", "--tagstring", "--block", "--recstart", "--recend", "--delimiter" "-d",
                "--env", "--basefile", "--return", "--halt", "--load", "--nice", "--memfree", "--id", "--semaphorename",
                "--arg-sep", "--arg-file-sep", "--limit", "--shellquote", "-i", "-U", "-E";
            reads: "--arg-file" "-a", "--sshloginfile" "--slf";
            writes: "--joblog", "--results" "--res";
            enters: "--workdir" "--wd";
            flag: "--null" "-0", "--keep-order" "-k", "--xargs" "-X", "-m", "--quote" "-q", "--dry-run" "--dryrun",
                "--bar", "--progress", "--eta", "--will-cite", "--pipe" "--spreadstdin", "--pipepart", "--group",
                "--ungroup" "-u", "--line-buffer" "--lb", "--tag", "--no-run-if-empty" "-r", "--verbose" "-t", "-v",
                "--resume", "--resume-failed", "--shuf", "--link" "--xapply", "--round-robin", "--bg", "--fg", "--wait",
                "--semaphore", "--tmux", "--onall", "--nonall", "--interactive" "-p", "--trim", "--plus", "--no-notice",
                "--version" "-V", "--help" "-h";
        },
    ),
];
