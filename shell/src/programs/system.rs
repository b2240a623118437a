//! Programs and builtins about the machine, its users and processes, and the shell itself.

use super::{
    Does, Program, attached, changes, enters, flag, gnu, leading, options, plain, reads, runs, starts, value, words,
    writes,
};

pub(super) const PROGRAMS: &[Program] = &[
    plain(&["echo", "false", ":", "test", "[", "expr"]),
    leading(
        &["printf"],
        options! {
            writes: "-v";
        },
    ),
    gnu(
        &[
            "sleep", "usleep", "yes", "tty", "whoami", "logname", "nproc", "users", "clear", "reset", "groups",
            "hostid", "fg", "bg", "shift", "break", "continue", "return", "exit", "logout", "times", "umask", "true",
            "dirs", "suspend", "pwdx", "pidof",
        ],
        options! {
            flag: "--all" "-a", "-L", "-P", "-p", "-S", "-s", "-h";
        },
    ),
    gnu(
        &["seq", "gseq"],
        options! {
            flag: "--equal-width" "-w";
            value: "--format" "-f", "--separator" "-s";
        },
    ),
    gnu(
        &["date", "gdate"],
        options! {
            flag: "--debug", "--rfc-email" "-R", "--utc" "--universal" "-u", "-j", "-n";
            value: "--date" "-d", "--rfc-3339";
            reads: "--file" "-f", "--reference" "-r";
            writes: "--set" "-s";
            attached: "--iso-8601" "-I";
        },
    ),
    gnu(
        &["cal", "ncal"],
        options! {
            flag: "--one" "-1", "--three" "-3", "--sunday" "-s", "--year" "-y", "--julian" "-j", "-h";
            value: "--months" "-n", "-A", "-B", "-d", "-m";
        },
    ),
    gnu(
        &["id"],
        options! {
            flag: "--context" "-Z", "--group" "-g", "--groups" "-G", "--name" "-n", "--real" "-r", "--user" "-u",
                "--zero" "-z", "-a", "-p";
        },
    ),
    gnu(
        &["uname", "guname"],
        options! {
            flag: "--all" "-a", "--kernel-name" "-s", "--nodename" "-n", "--kernel-release" "-r", "--kernel-version" "-v",
                "--machine" "-m", "--processor" "-p", "--hardware-platform" "-i", "--operating-system" "-o";
        },
    ),
    Program {
        operands: Does::Writes,
        ..gnu(
            &["hostname"],
            options! {
                flag: "--alias" "-a", "--all-fqdns" "-A", "--domain" "-d", "--fqdn" "--long" "-f", "--ip-address" "-i",
                    "--all-ip-addresses" "-I", "--short" "-s", "--yp" "--nis" "-y";
                changes: "--file" "-F", "--boot" "-b";
            },
        )
    },
    gnu(
        &["uptime"],
        options! {
            flag: "--pretty" "-p", "--since" "-s";
        },
    ),
    gnu(
        &["printenv"],
        options! {
            flag: "--null" "-0";
        },
    ),
    gnu(
        &["which", "gwhich"],
        options! {
            flag: "--all" "-a", "-s", "--skip-alias", "--skip-functions", "--show-dot", "--show-tilde", "--tty-only";
        },
    ),
    gnu(
        &["whereis"],
        options! {
            flag: "-b", "-m", "-s", "-u", "-g", "-l";
        },
    ),
    gnu(
        &["whatis", "apropos"],
        options! {
            flag: "--regex" "-r", "--wildcard" "-w", "--exact" "-e", "--long" "-l", "--and" "-a";
            value: "--sections" "-s", "--manpath" "-M", "--locale" "-L";
        },
    ),
    gnu(
        &["type"],
        options! {
            flag: "-a", "-f", "-P", "-p", "-t";
        },
    ),
    gnu(
        &["hash"],
        options! {
            flag: "-d", "-l", "-r", "-t";
            runs: "-p";
        },
    ),
    words(
        &["ps"],
        options! {
            flag: "-A", "-a", "-d", "-e", "-N", "-T", "-r", "-x", "-F", "-f", "-j", "-l", "-y", "-M", "-Z", "-c", "-H",
                "-w", "-L", "-m", "-V", "-v", "--forest", "--headers", "--no-headers", "--deselect";
            value: "-C", "-G", "-g", "-p", "-s", "-t", "-u", "-U", "--pid", "--ppid", "--user", "--User", "--group",
                "--Group", "--tty", "--sort", "--cols", "--rows", "--format" "-o" "-O", "--quick-pid" "-q";
        },
    ),
    gnu(
        &["pgrep"],
        options! {
            flag: "--list-name" "-l", "--list-full" "-a", "--inverse" "-v", "--lightweight" "-w", "--count" "-c",
                "--full" "-f", "--ignore-case" "-i", "--newest" "-n", "--oldest" "-o", "--exact" "-x";
            value: "--delimiter" "-d", "--parent" "-P", "--pgroup" "-g", "--group" "-G", "--session" "-s",
                "--terminal" "-t", "--euid" "-u", "--uid" "-U", "--runstates" "-r", "--ns", "--nslist", "--older" "-O";
            reads: "--pidfile" "-F";
        },
    ),
    words(
        &["pkill", "skill", "snice"],
        options! {
            flag: "--echo" "-e", "--count" "-c", "--full" "-f", "--ignore-case" "-i", "--newest" "-n", "--oldest" "-o",
                "--exact" "-x", "--inverse" "-v", "-KILL" "-9", "-TERM" "-15", "-HUP" "-1", "-INT" "-2";
            value: "--signal", "--queue" "-q", "--parent" "-P", "--pgroup" "-g", "--group" "-G", "--session" "-s",
                "--terminal" "-t", "--euid" "-u", "--uid" "-U", "--ns", "--nslist", "--older" "-O";
            reads: "--pidfile" "-F";
        },
    ),
    words(
        &["kill"],
        options! {
            flag: "--list" "-l", "--table" "-L", "--all" "-a", "--pid" "-p", "-KILL" "-9" "-SIGKILL",
                "-TERM" "-15" "-SIGTERM", "-HUP" "-1" "-SIGHUP", "-INT" "-2" "-SIGINT", "-QUIT" "-3" "-SIGQUIT",
                "-STOP" "-19" "-SIGSTOP", "-CONT" "-18" "-SIGCONT", "-0";
            value: "--signal" "-s", "-n", "--queue" "-q";
        },
    ),
    words(
        &["killall"],
        options! {
            flag: "--exact" "-e", "--ignore-case" "-I", "--interactive" "-i", "--process-group" "-g", "--quiet" "-q",
                "--regexp" "-r", "--verbose" "-v", "--wait" "-w", "-KILL" "-9", "-TERM" "-15", "-HUP" "-1", "-INT" "-2",
                "-l";
            value: "--signal" "-s", "--user" "-u", "--older-than" "-o", "--younger-than" "-y", "--ns" "-n",
                "--context" "-Z";
        },
    ),
    gnu(
        &["lsof"],
        options! {
            flag: "-n", "-P", "-t", "-a", "-l", "-U", "-b", "-w", "-R", "-L", "-N", "-O", "-v", "-V", "-h", "-H";
            value: "-p", "-u", "-c", "-d", "-g", "-s", "-S", "-T", "-r", "-F", "-D";
            attached: "-i", "-o";
        },
    ),
    gnu(
        &["free"],
        options! {
            flag: "--bytes" "-b", "--kibi" "-k", "--mebi" "-m", "--gibi" "-g", "--human" "-h", "--lohi" "-l",
                "--line" "-L", "--total" "-t", "--wide" "-w", "--si", "--kilo", "--mega", "--giga";
            value: "--count" "-c", "--seconds" "-s";
        },
    ),
    gnu(
        &["vmstat", "iostat", "mpstat"],
        options! {
            flag: "--active" "-a", "-d", "-f", "-m", "-n", "-s", "-w", "-t", "-x", "-k", "-c", "-h";
        },
    ),
    gnu(
        &["lscpu", "lsblk", "lsusb", "lspci", "lsmod", "lsns", "blkid"],
        options! {
            flag: "--all" "-a", "--bytes" "-b", "--fs" "-f", "--json" "-J", "--list" "-l", "--noheadings" "-n",
                "--paths" "-p", "--extended" "-e", "-v", "-t", "-k", "-nn";
            value: "--output" "-o", "-s", "-d";
        },
    ),
    gnu(
        &["dmesg"],
        options! {
            flag: "--human" "-H", "--follow" "-w", "--ctime" "-T", "--kernel" "-k", "--color" "-L", "--raw" "-r",
                "--userspace" "-u", "--decode" "-x";
            changes: "--clear" "-C", "--read-clear" "-c", "--console-off" "-D", "--console-on" "-E";
            value: "--level" "-l", "--facility" "-f";
        },
    ),
    plain(&[
        "set", "unset", "export", "declare", "typeset", "local", "readonly", "alias", "unalias", "let", "getopts",
        "wait", "disown", "shopt", "bind", "complete", "compopt", "caller", "help", "history", "fc", "ulimit", "read",
        "enable",
    ]),
    gnu(
        &["mount", "umount", "swapon", "swapoff"],
        options! {
            flag: "--all" "-a", "--bind" "-B", "--rbind" "-R", "--move" "-M", "--read-only" "-r", "--rw" "-w",
                "--verbose" "-v", "--fake" "-f", "--force", "--lazy" "-l", "--recursive";
            value: "--types" "-t", "--options" "-o", "--label" "-L", "--uuid" "-U";
        },
    ),
    Program {
        operands: Does::Writes,
        ..gnu(
            &["crontab"],
            options! {
                flag: "-l", "-i", "-s";
                changes: "-r";
                starts: "-e";
                value: "-u";
            },
        )
    },
    gnu(
        &["apt", "apt-get", "aptitude"],
        options! {
            flag: "--yes" "--assume-yes" "-y", "--assume-no", "--download-only" "-d", "--fix-broken" "-f",
                "--simulate" "--dry-run" "--just-print" "-s", "--quiet" "-q", "--no-install-recommends", "--reinstall",
                "--purge", "--auto-remove" "--autoremove", "--only-upgrade", "--allow-downgrades", "--force-yes",
                "--allow-unauthenticated", "--upgradable", "--installed";
            value: "--target-release" "--default-release" "-t", "-a" "--host-architecture";
            runs: "-o" "--option", "-c" "--config-file";
        },
    ),
    gnu(
        &["yum", "dnf", "microdnf"],
        options! {
            flag: "--assumeyes" "-y", "--assumeno", "--quiet" "-q", "--verbose" "-v", "--best", "--nobest",
                "--nogpgcheck", "--refresh", "--cacheonly" "-C";
            value: "--enablerepo", "--disablerepo", "--exclude" "-x", "--installroot", "--releasever";
            runs: "--setopt", "--config" "-c";
        },
    ),
    gnu(
        &["brew"],
        options! {
            flag: "--verbose" "-v", "--debug" "-d", "--quiet" "-q", "--force" "-f", "--cask", "--formula" "--formulae",
                "--HEAD", "--dry-run" "-n", "--zap", "--versions", "--json";
        },
    ),
    gnu(
        &["apk"],
        options! {
            flag: "--no-cache", "--quiet" "-q", "--update-cache" "-U", "--force" "-f", "--simulate" "-s", "--purge",
                "--verbose" "-v";
            value: "--root" "-p", "--repository" "-X", "--repositories-file", "--virtual" "-t";
        },
    ),
    gnu(
        &["pacman"],
        options! {
            flag: "--sync" "-S", "--remove" "-R", "--upgrade" "-U", "--query" "-Q", "--refresh" "-y", "--sysupgrade" "-u",
                "--noconfirm", "--recursive" "-s", "--nosave" "-n", "--cascade" "-c", "--clean", "--search",
                "--info" "-i";
            value: "--root" "-r", "--dbpath" "-b", "--config", "--cachedir", "--ignore";
        },
    ),
    gnu(
        &["systemctl"],
        options! {
            flag: "--all" "-a", "--recursive" "-r", "--reverse", "--with-dependencies", "--full" "-l", "--show-types",
                "--ignore-inhibitors" "-i", "--dry-run", "--quiet" "-q", "--wait", "--no-block", "--no-wall",
                "--no-reload", "--no-legend", "--no-pager", "--no-ask-password", "--global", "--runtime", "--force" "-f",
                "--failed", "--now", "--user", "--system", "--plain", "--value", "--show-transaction" "-T";
            value: "--type" "-t", "--state", "--property" "-p", "--job-mode", "--kill-whom", "--signal" "-s", "--what",
                "--lines" "-n", "--output" "-o", "--message", "--preset-mode", "--timestamp", "--machine" "-M",
                "--host" "-H", "-P";
            enters: "--root", "--image";
            starts: "--stdin";
        },
    ),
    gnu(
        &["service", "rc-service", "launchctl", "initctl", "update-rc.d", "chkconfig"],
        options! {
            flag: "--status-all", "--full-restart", "--skip-redirect", "-w", "-k", "-p";
        },
    ),
    gnu(
        &["journalctl"],
        options! {
            flag: "--all" "-a", "--follow" "-f", "--pager-end" "-e", "--full" "-l", "--reverse" "-r", "--merge" "-m",
                "--catalog" "-x", "--quiet" "-q", "--dmesg" "-k", "--no-pager", "--utc", "--list-boots", "--no-hostname",
                "--disk-usage", "--fields" "-N", "--header", "--no-full", "--no-tail", "--user", "--system";
            changes: "--rotate", "--flush", "--sync", "--setup-keys", "--update-catalog", "--relinquish-var";
            writes: "--vacuum-size", "--vacuum-files", "--vacuum-time", "--cursor-file";
            value: "--since" "-S", "--until" "-U", "--cursor" "-c", "--after-cursor", "--unit" "-u", "--user-unit",
                "--identifier" "-t", "--priority" "-p", "--facility", "--grep" "-g", "--field" "-F", "--output" "-o",
                "--output-fields", "--machine" "-M";
            attached: "--boot" "-b", "--lines" "-n", "--case-sensitive";
            enters: "--directory" "-D", "--root", "--image";
            reads: "--file";
        },
    ),
];
