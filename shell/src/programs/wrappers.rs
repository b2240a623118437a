//! Programs of this machine whose arguments are a command: users, priorities, limits, environments, namespaces.

use super::{Opt, Program, Reading, attached, enters, flag, leading, options, reads, runs, value, words, writes};

pub(super) const PROGRAMS: &[Program] = &[
    leading(
        &["sudo"],
        options! {
            value: "--close-from" "-C", "--group" "-g", "--host" "-h", "--prompt" "-p", "--role" "-r", "--type" "-t",
                "--command-timeout" "-T", "--other-user" "-U", "--user" "-u", "--auth-type" "-a", "--login-class" "-c";
            enters: "--chdir" "-D", "--chroot" "-R";
            attached: "--preserve-env";
            flag: "--askpass" "-A", "--background" "-b", "--bell" "-B", "-E", "--edit" "-e", "--set-home" "-H",
                "--login" "-i", "--remove-timestamp" "-K", "--reset-timestamp" "-k", "--list" "-l",
                "--non-interactive" "-n", "--no-update" "-N", "--preserve-groups" "-P", "--stdin" "-S", "--shell" "-s",
                "--version" "-V", "--validate" "-v", "--help";
        },
    ),
    leading(
        &["doas"],
        options! {
            value: "-a", "-u";
            reads: "-C";
            flag: "-L", "-n", "-s";
        },
    ),
    leading(
        &["pkexec"],
        options! {
            value: "--user";
            flag: "--disable-internal-agent", "--keep-cwd", "--version", "--help";
        },
    ),
    leading(
        &["run0"],
        options! {
            value: "--unit", "--property", "--description", "--slice", "--user" "-u", "--group" "-g", "--nice",
                "--setenv", "--background", "--machine", "--shell-prompt-prefix";
            enters: "--chdir" "-D";
            flag: "--no-ask-password", "--slice-inherit", "--pty", "--pipe", "--via-shell" "-i", "--lightweight",
                "--version" "-V", "--help" "-h";
        },
    ),
    Program { names: &["su"], options: SU, ..Program::GNU },
    Program { names: &["runuser"], options: SU, ..Program::GNU },
    leading(&["gosu", "su-exec", "setuidgid"], &[]),
    leading(
        &["chpst"],
        options! {
            value: "-u", "-U", "-b", "-n", "-l", "-L", "-m", "-d", "-o", "-p", "-f", "-c", "-t";
            enters: "-/", "-C";
            reads: "-e";
            flag: "-v", "-P", "-0", "-1", "-2";
        },
    ),
    leading(
        &["env", "genv"],
        options! {
            value: "--unset" "-u", "--argv0" "-a", "-P", "-L", "-U";
            runs: "--split-string" "-S";
            enters: "--chdir" "-C";
            attached: "--block-signal", "--default-signal", "--ignore-signal";
            flag: "--ignore-environment" "-i", "--null" "-0", "--debug" "-v", "--list-signal-handling", "--help",
                "--version";
        },
    ),
    leading(
        &["command"],
        options! {
            flag: "-p", "-v", "-V";
        },
    ),
    leading(&["builtin"], &[]),
    leading(
        &["exec"],
        options! {
            value: "-a";
            flag: "-c", "-l";
        },
    ),
    leading(
        &["nohup", "gnohup"],
        options! {
            flag: "--help", "--version";
        },
    ),
    leading(
        &["nice", "gnice"],
        options! {
            value: "--adjustment" "-n";
            flag: "--help", "--version";
        },
    ),
    leading(
        &["ionice"],
        options! {
            value: "--class" "-c", "--classdata" "-n", "--pid" "-p", "--pgid" "-P", "--uid" "-u";
            flag: "--ignore" "-t", "--help" "-h", "--version" "-V";
        },
    ),
    leading(
        &["chrt"],
        options! {
            value: "--sched-runtime" "-T", "--sched-period" "-P", "--sched-deadline" "-D";
            flag: "--batch" "-b", "--deadline" "-d", "--fifo" "-f", "--idle" "-i", "--other" "-o", "--rr" "-r",
                "--reset-on-fork" "-R", "--all-tasks" "-a", "--max" "-m", "--pid" "-p", "--verbose" "-v", "--help" "-h",
                "--version" "-V";
        },
    ),
    leading(
        &["timeout", "gtimeout"],
        options! {
            value: "--kill-after" "-k", "--signal" "-s";
            flag: "--preserve-status" "-p", "--foreground" "-f", "--verbose" "-v", "--help", "--version";
        },
    ),
    leading(
        &["time", "gtime"],
        options! {
            value: "--format" "-f";
            writes: "--output" "-o";
            flag: "--append" "-a", "--portability" "-p", "--quiet" "-q", "--verbose" "-v", "--help", "--version" "-V";
        },
    ),
    leading(
        &["stdbuf", "gstdbuf"],
        options! {
            value: "--input" "-i", "--output" "-o", "--error" "-e";
            flag: "--help", "--version";
        },
    ),
    leading(
        &["unbuffer"],
        options! {
            flag: "-p";
        },
    ),
    leading(
        &["setsid"],
        options! {
            flag: "--ctty" "-c", "--fork" "-f", "--wait" "-w", "--help" "-h", "--version" "-V";
        },
    ),
    leading(
        &["flock"],
        options! {
            value: "--timeout" "--wait" "-w", "--conflict-exit-code" "-E";
            runs: "--command" "-c";
            flag: "--shared" "-s", "--exclusive" "-x" "-e", "--unlock" "-u", "--nonblock" "--nb" "-n", "--close" "-o",
                "--no-fork" "-F", "--verbose", "--help" "-h", "--version" "-V";
        },
    ),
    Program {
        names: &["script"],
        options: options! {
            runs: "--command" "-c";
            writes: "--log-in" "-I", "--log-out" "-O", "--log-io" "-B", "--log-timing" "-T";
            value: "--logging-format" "-m", "--echo" "-E", "--output-limit" "-o";
            attached: "--timing" "-t";
            flag: "--append" "-a", "--return" "-e", "--flush" "-f", "--force", "--quiet" "-q", "--help" "-h",
                "--version" "-V";
        },
        ..Program::GNU
    },
    leading(
        &["chroot", "gchroot"],
        options! {
            value: "--groups" "-G", "--userspec" "-u", "-g";
            flag: "--skip-chdir" "-n", "--help", "--version";
        },
    ),
    leading(
        &["busybox", "toybox"],
        options! {
            flag: "--list", "--list-full", "--install", "--help";
        },
    ),
    leading(
        &["nsenter"],
        options! {
            value: "--target" "-t", "--setuid" "-S", "--setgid" "-G";
            enters: "--wdns" "-W";
            attached: "--mount" "-m", "--uts" "-u", "--ipc" "-i", "--net" "-n", "--pid" "-p", "--cgroup" "-C",
                "--user" "-U", "--time" "-T", "--root" "-r", "--wd" "-w";
            flag: "--all" "-a", "--preserve-credentials", "--no-fork" "-F", "--follow-context" "-Z", "--env" "-e",
                "--help" "-h", "--version" "-V";
        },
    ),
    leading(
        &["unshare"],
        options! {
            value: "--map-user", "--map-group", "--map-users", "--map-groups", "--propagation", "--setgroups",
                "--setuid" "-S", "--setgid" "-G", "--monotonic", "--boottime", "--load-interp" "-l";
            enters: "--root" "-R", "--wd" "-w";
            attached: "--mount" "-m", "--uts" "-u", "--ipc" "-i", "--net" "-n", "--pid" "-p", "--user" "-U",
                "--cgroup" "-C", "--time" "-T", "--kill-child", "--mount-proc", "--mount-binfmt";
            flag: "--fork" "-f", "--map-root-user" "-r", "--map-current-user" "-c", "--map-auto", "--keep-caps",
                "--help" "-h", "--version" "-V";
        },
    ),
    leading(
        &["setpriv"],
        options! {
            value: "--ambient-caps", "--inh-caps", "--bounding-set", "--ruid", "--euid", "--rgid", "--egid", "--reuid",
                "--regid", "--groups", "--securebits", "--pdeathsig", "--selinux-label", "--apparmor-profile",
                "--landlock-access", "--landlock-rule", "--seccomp-filter", "--ptracer";
            flag: "--dump" "-d", "--nnp" "--no-new-privs", "--clear-groups", "--keep-groups", "--init-groups",
                "--reset-env", "--list-caps", "--help" "-h", "--version" "-V";
        },
    ),
    leading(
        &["setarch", "linux32", "linux64", "i386", "i486", "i586", "i686", "x86_64", "uname26", "personality"],
        options! {
            flag: "--32bit" "-B", "--fdpic-funcptrs" "-F", "--short-inode" "-I", "--addr-compat-layout" "-L",
                "--addr-no-randomize" "-R", "--whole-seconds" "-S", "--sticky-timeouts" "-T",
                "--read-implies-exec" "-X", "--mmap-page-zero" "-Z", "--3gb" "-3", "--4gb", "--uname-2.6",
                "--verbose" "-v", "--list", "--show", "--help" "-h", "--version" "-V";
        },
    ),
    leading(
        &["prlimit"],
        options! {
            value: "--pid" "-p", "--output" "-o";
            attached: "--core" "-c", "--data" "-d", "--nice" "-e", "--fsize" "-f", "--sigpending" "-i",
                "--memlock" "-l", "--rss" "-m", "--nofile" "-n", "--msgqueue" "-q", "--rtprio" "-r", "--stack" "-s",
                "--cpu" "-t", "--nproc" "-u", "--as" "-v", "--locks" "-x", "--rttime" "-y";
            flag: "--noheadings", "--raw", "--verbose", "--help" "-h", "--version" "-V";
        },
    ),
    leading(
        &["taskset"],
        options! {
            flag: "--all-tasks" "-a", "--pid" "-p", "--cpu-list" "-c", "--help" "-h", "--version" "-V";
        },
    ),
    leading(
        &["numactl"],
        options! {
            value: "--interleave" "-i", "--cpunodebind" "-N", "--physcpubind" "-C", "--membind" "-m",
                "--preferred" "-p", "--preferred-many" "-P", "--weighted-interleave" "-w", "--file" "-f", "--shm" "-S",
                "--length" "-L", "--offset" "-O", "--shmmode" "-M", "--shmid" "-I";
            flag: "--localalloc" "-l", "--balancing" "-b", "--all" "-a", "--hardware" "-H", "--show" "-s",
                "--huge" "-u", "--touch" "-T", "--strict" "-t";
        },
    ),
    leading(
        &["cpulimit"],
        options! {
            value: "--limit" "-l", "--exe" "-e", "--path" "-P", "--cpu" "-c", "--pid" "-p";
            flag: "--lazy" "-z", "--include-children" "-i", "--background" "-b", "--foreground" "-f", "--kill" "-k",
                "--restore" "-r", "--monitor-forks" "-m", "--quiet" "-q", "--verbose" "-v";
        },
    ),
    leading(
        &["cgexec"],
        options! {
            value: "-g";
            flag: "--sticky";
        },
    ),
    leading(
        &["strace"],
        options! {
            value: "--trace" "-e", "--trace-path" "-P", "--attach" "-p", "--columns" "-a", "--interruptible" "-I",
                "--summary-sort-by" "-S", "--summary-columns" "-U", "--string-limit" "-s", "--user" "-u", "--env" "-E",
                "--detach-on" "-b", "--summary-syscall-overhead" "-O", "--const-print-style" "-X", "--argv0";
            writes: "--output" "-o";
            attached: "--daemonize" "-D", "--stack-traces" "-k";
            flag: "--follow-forks" "-f", "--output-separately" "-ff", "--instruction-pointer" "-i",
                "--summary-only" "-c", "--summary" "-C", "--successful-only" "-z", "--failed-only" "-Z",
                "--decode-fds" "-y", "--decode-pids" "-Y", "--syscall-number" "-n", "--no-abbrev" "-v",
                "--strings-in-hex" "-x", "--relative-timestamps" "-r", "--absolute-timestamps" "-t",
                "--syscall-times" "-T", "--summary-wall-clock" "-w", "--quiet" "-q", "--debug" "-d",
                "--output-append-mode" "-A", "--version" "-V", "--help" "-h";
        },
    ),
    leading(
        &["ltrace"],
        options! {
            value: "--align" "-a", "-A", "--debug" "-D", "-e", "--config" "-F", "--library" "-l", "--indent" "-n", "-p",
                "-s", "-u", "-x", "--where" "-w";
            writes: "--output" "-o";
            flag: "-b", "-c", "-C", "--demangle", "-f", "-i", "-L", "-r", "-S", "-t", "-T", "-V", "--version",
                "--help" "-h";
        },
    ),
    Program {
        names: &["perf"],
        reading: Reading::Leading,
        options: options! {
            flag: "--version" "-v", "--help" "-h";
            attached: "--debug", "--exec-path";
        },
        commands: &[leading(
            &["stat", "record", "trace", "top"],
            options! {
                value: "--event" "-e", "--filter", "--pid" "-p", "--tid" "-t", "--cpu" "-C", "--repeat" "-r",
                    "--field-separator" "-x", "--cgroup" "-G", "--delay" "-D", "--interval-print" "-I", "--timeout",
                    "--count" "-c", "--freq" "-F", "--mmap-pages" "-m", "--call-graph", "--metrics" "-M", "--uid" "-u",
                    "--vmlinux" "-k", "--max-size", "--clockid";
                runs: "--pre", "--post";
                writes: "--output" "-o";
                flag: "-g", "--no-inherit" "-i", "--all-cpus" "-a", "--verbose" "-v", "--quiet" "-q", "--detailed" "-d",
                    "--null" "-n", "--sync" "-S", "--append", "--no-aggr" "-A", "--summary" "-s", "--json" "-j";
            },
        )],
        ..Program::GNU
    },
    leading(
        &["valgrind"],
        options! {
            flag: "--verbose" "-v", "--quiet" "-q", "-d", "--help" "-h", "--version";
        },
    ),
    leading(
        &["catchsegv", "eatmydata", "chronic", "torsocks", "torify", "tsocks", "gameoverlayrun"],
        options! {
            flag: "--help", "--version";
        },
    ),
    leading(
        &["ifne"],
        options! {
            flag: "-n";
        },
    ),
    leading(
        &["proxychains", "proxychains4"],
        options! {
            reads: "-f";
            flag: "-q";
        },
    ),
    leading(
        &["rlwrap"],
        options! {
            value: "--ansi-colour-aware" "-A", "--break-chars" "-b", "--command-name" "-C", "--histsize" "-s",
                "--substitute-prompt" "-S", "--set-terminal-name" "-t", "--quote-characters" "-q";
            runs: "--filter" "-z";
            reads: "--file" "-f";
            writes: "--history-filename" "-H", "--logfile" "-l";
            flag: "--always-readline" "-a", "--complete-filenames" "-c", "--case-insensitive" "-i",
                "--no-children" "-n", "--no-warnings" "-w", "--remember" "-r";
        },
    ),
    leading(
        &["faketime"],
        options! {
            value: "-p", "--date-prog";
            flag: "-m", "-f", "--exclude-monotonic", "--help" "-h", "--version" "-v";
        },
    ),
    leading(
        &["firejail"],
        options! {
            flag: "--help" "-?", "--version", "--quiet", "--private", "--noprofile";
        },
    ),
    leading(
        &["proot"],
        options! {
            value: "--bind" "-b" "-m", "--qemu" "-q", "--kernel-release" "-k", "--verbose" "-v", "--change-id" "-i";
            enters: "--rootfs" "-r", "-R", "-S", "--cwd" "--pwd" "-w";
            flag: "--root-id" "-0", "--link2symlink", "--kill-on-exit", "--help" "-h", "--version" "-V";
        },
    ),
    leading(
        &["fakeroot", "fakeroot-ng", "fakechroot"],
        options! {
            value: "--lib" "-l", "--faked" "-f", "--fd-base" "-b", "--use-system" "-e", "--config-dir" "-d";
            reads: "-i";
            writes: "-s";
            flag: "--unknown-is-real" "-u", "--help" "-h", "--version" "-v";
        },
    ),
    leading(
        &["ssh-agent"],
        options! {
            value: "-a", "-E", "-O", "-P", "-t";
            flag: "-c", "-D", "-d", "-k", "-s", "-T", "-u", "-U";
        },
    ),
    leading(
        &["dbus-run-session"],
        options! {
            value: "--config-file", "--dbus-daemon";
            flag: "--help", "--version";
        },
    ),
    leading(
        &["dbus-launch"],
        options! {
            value: "--autolaunch", "--config-file";
            flag: "--exit-with-session", "--exit-with-x11", "--sh-syntax", "--csh-syntax", "--close-stderr";
        },
    ),
    leading(
        &["xvfb-run"],
        options! {
            value: "--server-num" "-n", "--auth-file" "-f", "--xauth-protocol" "-p", "--server-args" "-s",
                "--wait" "-w";
            writes: "--error-file" "-e";
            flag: "--auto-servernum" "-a", "--auto-display" "-d", "--listen-tcp" "-l", "--help" "-h";
        },
    ),
    leading(
        &["caffeinate"],
        options! {
            value: "-t", "-w";
            flag: "-d", "-i", "-m", "-s", "-u";
        },
    ),
    leading(
        &["systemd-inhibit"],
        options! {
            value: "--what", "--who", "--why", "--mode";
            flag: "--list", "--no-pager", "--help" "-h", "--version";
        },
    ),
    leading(
        &["systemd-cat"],
        options! {
            value: "--identifier" "-t", "--priority" "-p", "--stderr-priority", "--level-prefix";
            flag: "--help" "-h", "--version";
        },
    ),
    leading(
        &["systemd-run"],
        options! {
            value: "--host" "-H", "--machine" "-M", "--unit" "-u", "--property" "-p", "--description", "--slice",
                "--service-type", "--uid", "--gid", "--nice", "--setenv" "-E", "--path-property", "--socket-property",
                "--on-active", "--on-boot", "--on-startup", "--on-unit-active", "--on-unit-inactive", "--on-calendar",
                "--timer-property", "--background", "--job-mode", "--capsule" "-C";
            enters: "--working-directory";
            flag: "--no-ask-password", "--user", "--system", "--scope", "--slice-inherit", "--expand-environment",
                "--no-block", "--remain-after-exit" "-r", "--wait", "--send-sighup", "--same-dir" "-d", "--pty" "-t",
                "--pipe" "-P", "--quiet" "-q", "--collect" "-G", "--shell" "-S", "--on-timezone-change",
                "--on-clock-change", "--ignore-failure", "--help" "-h", "--version";
        },
    ),
    leading(
        &["start-stop-daemon"],
        options! {
            runs: "--exec" "-x", "--startas" "-a";
            value: "--pidfile" "-p", "--ppid", "--pid", "--user" "-u", "--name" "-n", "--group" "-g", "--signal" "-s",
                "--retry" "-R", "--chuid" "-c", "--nicelevel" "-N", "--procsched" "-P", "--iosched" "-I",
                "--umask" "-k";
            enters: "--chdir" "-d", "--chroot" "-r";
            writes: "--output" "-O";
            flag: "--start" "-S", "--stop" "-K", "--status" "-T", "--test" "-t", "--oknodo" "-o", "--quiet" "-q",
                "--background" "-b", "--no-close" "-C", "--make-pidfile" "-m", "--remove-pidfile", "--verbose" "-v",
                "--notify-await";
        },
    ),
    leading(
        &["tini", "dumb-init", "catatonit"],
        options! {
            value: "-p", "-e", "--rewrite" "-r";
            flag: "-s", "-v", "-w", "-g", "--single-child" "-c", "--verbose", "--version" "-V", "--help" "-h";
        },
    ),
    words(
        &["arch"],
        options! {
            value: "-e";
            flag: "-arch", "-x86_64", "-x86_64h", "-arm64", "-arm64e", "-i386", "-32", "-64", "-c", "-h";
        },
    ),
    leading(
        &["xcrun"],
        options! {
            value: "--sdk" "-sdk", "--toolchain" "-toolchain";
            flag: "--run" "-r", "--log" "-l", "--verbose" "-v", "--no-cache" "-n", "--find" "-f";
        },
    ),
];

const SU: &[Opt] = options! {
    runs: "--command" "-c", "--session-command";
    value: "--shell" "-s", "--group" "-g", "--supp-group" "-G", "--whitelist-environment" "-w", "--user" "-u";
    flag: "--login" "-l", "--preserve-environment" "-m" "-p", "--fast" "-f", "--pty" "-P", "--no-pty" "-T",
        "--help" "-h", "--version" "-V";
};
