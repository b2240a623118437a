//! Shells and interpreters.

use super::{Opt, Program, Reading, attached, enters, flag, leading, options, reads, runs, starts, value, words};

pub(super) const PROGRAMS: &[Program] = &[
    leading(&["sh", "bash", "dash", "ash", "ksh", "ksh93", "mksh", "rbash", "zsh", "rzsh", "yash", "posh"], SHELL),
    leading(
        &["csh", "tcsh"],
        options! {
            flag: "-c", "-b", "-d", "-e", "-f", "-i", "-l", "-m", "-n", "-s", "-t", "-v", "-V", "-x", "-X";
        },
    ),
    leading(
        &["fish"],
        options! {
            runs: "--command" "-c", "--init-command" "-C";
            value: "--debug" "-d", "--debug-stack-frames" "-D", "--features" "-f", "--profile", "--profile-startup",
                "--debug-output" "-o";
            flag: "--interactive" "-i", "--login" "-l", "--no-config" "-N", "--no-execute" "-n", "--private" "-P",
                "--print-rusage-self", "--help" "-h", "--version" "-v";
        },
    ),
    leading(
        &["nu", "elvish", "xonsh", "osh", "ysh", "murex", "oil"],
        options! {
            runs: "--commands" "-c", "--execute" "-e";
            flag: "-i", "-l", "-n", "--login", "--interactive", "--no-config-file";
        },
    ),
    words(&["pwsh", "powershell", "pwsh.exe", "powershell.exe"], &[]),
    words(&["cmd", "cmd.exe"], &[]),
    leading(
        &[".", "source"],
        options! {
            value: "-p";
        },
    ),
    leading(&["eval"], &[]),
    leading(
        &["trap"],
        options! {
            flag: "-l", "-p", "-P";
        },
    ),
    leading(
        &["mapfile", "readarray"],
        options! {
            runs: "-C";
            value: "-d", "-n", "-O", "-s", "-u", "-c";
            flag: "-t";
        },
    ),
    leading(
        &["compgen"],
        options! {
            runs: "-C", "-F";
            value: "-A", "-o", "-G", "-W", "-P", "-S", "-X", "-V";
            flag: "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-j", "-k", "-s", "-u", "-v";
        },
    ),
    leading(
        &["jobs"],
        options! {
            flag: "-l", "-n", "-p", "-r", "-s", "-x";
        },
    ),
    leading(
        &["python", "python2", "python3", "pypy", "pypy3", "jython", "micropython", "ipython"],
        options! {
            runs: "-c", "-m";
            value: "-W", "-X", "-Q", "--check-hash-based-pycs";
            flag: "-b", "-B", "-d", "-E", "-h", "-i", "-I", "-O", "-P", "-q", "-R", "-s", "-S", "-t", "-u", "-v", "-V",
                "-x", "-3", "-?", "--help", "--version", "--help-env", "--help-xoptions", "--help-all";
        },
    ),
    leading(
        &["node", "nodejs"],
        options! {
            runs: "--eval" "-e";
            attached: "--inspect", "--inspect-brk", "--inspect-wait", "--env-file", "--env-file-if-exists",
                "--stack-trace-limit", "--max-old-space-size", "--test-name-pattern", "--test-reporter",
                "--test-concurrency";
            reads: "--require" "-r", "--import", "--loader" "--experimental-loader";
            value: "--conditions" "-C", "--run", "--input-type", "--watch-path", "--icu-data-dir", "--title",
                "--openssl-config", "--redirect-warnings", "--cpu-prof-dir", "--diagnostic-dir";
            flag: "--print" "-p", "--check" "-c", "--interactive" "-i", "--version" "-v", "--help" "-h",
                "--watch", "--test", "--no-warnings", "--enable-source-maps", "--experimental-strip-types",
                "--experimental-vm-modules", "--trace-warnings", "--expose-gc", "--preserve-symlinks",
                "--experimental-modules", "--use-strict", "--harmony", "--trace-uncaught", "--unhandled-rejections",
                "--no-deprecation", "--trace-deprecation", "--cpu-prof", "--prof", "--experimental-transform-types";
        },
    ),
    leading(
        &["tsx", "ts-node"],
        options! {
            runs: "--eval" "-e", "--print" "-p";
            reads: "--require" "-r", "--import", "--project" "-P", "--tsconfig", "--env-file";
            value: "--compiler-options" "-O", "--compiler" "-C";
            flag: "--transpile-only" "-T", "--esm", "--files", "--swc", "--no-cache", "--version" "-v", "--help" "-h";
        },
    ),
    Program {
        names: &["deno"],
        reading: Reading::Leading,
        options: options! {
            flag: "--quiet" "-q", "--version" "-V", "--help" "-h";
            value: "--log-level" "-L";
        },
        commands: &[leading(&["eval"], DENO), leading(&["run", "serve"], DENO)],
        ..Program::GNU
    },
    leading(
        &["ruby", "jruby", "irb"],
        options! {
            runs: "-e";
            reads: "-r";
            value: "-I", "-E" "--encoding" "--external-encoding";
            enters: "-C";
            attached: "-i", "-F", "-K", "-T", "-W", "-x", "--disable", "--enable", "--dump";
            flag: "-0", "-a", "-c", "-d", "-h", "-l", "-n", "-p", "-s", "-S", "-U", "-v", "-w", "-y", "--yjit", "--jit",
                "--version", "--help", "--verbose", "--debug", "--copyright";
        },
    ),
    leading(
        &["perl", "perl5"],
        options! {
            runs: "-e", "-E";
            value: "-I";
            attached: "-i", "-d", "-D", "-F", "-m", "-M", "-V", "-x";
            flag: "-0", "-a", "-c", "-C", "-f", "-g", "-h", "-l", "-n", "-p", "-s", "-S", "-t", "-T", "-u", "-U", "-v", "-w", "-W", "-X";
        },
    ),
    leading(
        &["php"],
        options! {
            runs: "--run" "-r", "--process-begin" "-B", "--process-code" "-R", "--process-end" "-E";
            reads: "--file" "-f", "--process-file" "-F";
            value: "--define" "-d", "--php-ini" "-c", "--server" "-S", "--docroot" "-t", "--zend-extension" "-z",
                "--rf", "--rc", "--re", "--ri";
            flag: "--interactive" "-a", "-C", "-H", "-e", "--no-php-ini" "-n", "--info" "-i", "--syntax-check" "-l",
                "--modules" "-m", "-q", "-s", "--version" "-v", "-w", "--ini", "--help" "-h";
        },
    ),
    leading(
        &["lua", "lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit", "texlua"],
        options! {
            runs: "-e";
            reads: "-l";
            value: "-j", "-b";
            attached: "-O";
            flag: "-E", "-i", "-v", "-W";
        },
    ),
    leading(
        &["Rscript"],
        options! {
            runs: "-e";
            flag: "--verbose", "--vanilla", "--no-save", "--version", "--help";
        },
    ),
    Program {
        names: &["R"],
        options: options! {
            runs: "-e";
            reads: "--file" "-f";
            value: "--encoding", "--gui" "-g";
            flag: "--vanilla", "--no-save", "--slave" "--no-echo" "-s", "--quiet" "-q", "--interactive", "--version",
                "--help";
        },
        ..Program::GNU
    },
    leading(
        &["osascript"],
        options! {
            runs: "-e";
            value: "-l", "-s";
            flag: "-i";
        },
    ),
    leading(&["tclsh", "wish"], &[]),
    leading(
        &["expect"],
        options! {
            runs: "-c";
            reads: "-f", "-b";
            flag: "-d", "-D", "-i", "-n", "-N", "-v";
        },
    ),
    leading(
        &["julia"],
        options! {
            runs: "--eval" "-e", "--print" "-E";
            reads: "--load" "-L", "--sysimage" "-J";
            value: "--threads" "-t", "--procs" "-p", "--cpu-target" "-C", "--module" "-m";
            attached: "--project";
            flag: "-i", "--quiet" "-q", "--version" "-v", "--help" "-h";
        },
    ),
    leading(
        &["elixir", "iex"],
        options! {
            runs: "--eval" "-e", "--rpc-eval";
            reads: "-r", "-pr";
            value: "--name", "--sname", "--cookie", "-pa", "-pz", "--erl", "-S";
            flag: "--version" "-v", "--no-halt";
        },
    ),
    leading(
        &["groovy", "scala", "guile", "racket", "sbcl"],
        options! {
            runs: "-e" "--eval", "-c";
            reads: "-l" "--load";
            flag: "-n", "-p", "-q", "-s", "--script", "--version", "--help";
        },
    ),
];

/// The options of the shells in the manner of Bourne's. That `-c` is a flag is no mistake: the script is the first operand.
const SHELL: &[Opt] = options! {
    starts: "-c";
    value: "-o", "-O";
    runs: "--rcfile" "--init-file";
    flag: "-a", "-b", "-e", "-f", "-h", "-i", "-k", "-l" "--login", "-m", "-n", "-p", "-r" "--restricted", "-s", "-t",
        "-u", "-v" "--verbose", "-x", "-B", "-C", "-D" "--dump-strings" "--dump-po-strings", "-E", "-H", "-P", "-T",
        "--debugger", "--help", "--noediting", "--noprofile", "--norc", "--posix", "--version";
};

const DENO: &[Opt] = options! {
    value: "--config" "-c", "--import-map", "--location", "--seed", "--ext", "--cert", "--lock-file", "--port",
        "--host";
    attached: "--allow-read" "-R", "--allow-write" "-W", "--allow-net" "-N", "--allow-env" "-E", "--allow-run",
        "--allow-sys" "-S", "--allow-ffi", "--allow-import" "-I", "--deny-read", "--deny-write", "--deny-net",
        "--deny-env", "--deny-run", "--env-file", "--inspect", "--inspect-brk", "--watch", "--reload" "-r", "--lock",
        "--unsafely-ignore-certificate-errors", "--check", "--v8-flags", "--node-modules-dir", "--vendor", "--preload";
    flag: "--allow-all" "-A", "--print" "-p", "--quiet" "-q", "--no-check", "--no-prompt", "--no-remote", "--no-npm",
        "--cached-only", "--no-lock", "--no-config", "--frozen", "--unstable";
};
