//! Programs that do their own work, and run what some option or operand says beside it.

use super::{
    Does, Opt, Program, Reading, attached, attached_runs, attached_writes, changes, command, enters, flag, gnu,
    options, reads, runs, value, words, writes,
};

pub(super) const PROGRAMS: &[Program] = &[
    words(
        &["find", "gfind"],
        options! {
            command: "-exec", "-execdir", "-ok", "-okdir";
            writes: "-fprint", "-fprint0", "-fprintf", "-fls";
            changes: "-delete";
            reads: "-newer", "-anewer", "-cnewer", "-samefile", "-files0-from";
            value: "-name", "-iname", "-path" "-wholename", "-ipath" "-iwholename", "-regex", "-iregex", "-lname",
                "-ilname", "-type", "-xtype", "-size", "-perm", "-user", "-group", "-uid", "-gid", "-mtime", "-atime",
                "-ctime", "-mmin", "-amin", "-cmin", "-used", "-links", "-inum", "-fstype", "-maxdepth", "-mindepth",
                "-regextype", "-printf", "-context";
            flag: "-print", "-print0", "-ls", "-prune", "-quit", "-depth" "-d", "-empty", "-readable",
                "-writable", "-executable", "-nouser", "-nogroup", "-mount" "-xdev", "-follow", "-H", "-L", "-P",
                "-not", "-a" "-and", "-o" "-or", "-true", "-false", "-daystart", "-noleaf", "-ignore_readdir_race";
        },
    ),
    gnu(
        &["fd", "fdfind"],
        options! {
            command: "--exec" "-x", "--exec-batch" "-X";
            value: "--max-depth" "-d", "--min-depth", "--exact-depth", "--exclude" "-E", "--type" "-t",
                "--extension" "-e", "--size" "-S", "--changed-within", "--changed-before", "--owner" "-o", "--format",
                "--batch-size", "--color" "-c", "--threads" "-j", "--max-results", "--and", "--path-separator";
            reads: "--ignore-file";
            enters: "--base-directory" "-C", "--search-path";
            flag: "--hidden" "-H", "--no-ignore" "-I", "--unrestricted" "-u", "--case-sensitive" "-s",
                "--ignore-case" "-i", "--glob" "-g", "--regex", "--fixed-strings" "-F", "--absolute-path" "-a",
                "--list-details" "-l", "--follow" "-L", "--full-path" "-p", "--print0" "-0", "--prune", "-1",
                "--quiet" "-q", "--show-errors", "--help" "-h", "--version" "-V";
        },
    ),
    Program {
        names: &["tar", "gtar", "bsdtar"],
        reading: Reading::Bundled,
        options: options! {
            runs: "--to-command", "--use-compress-program" "-I", "--info-script" "--new-volume-script" "-F",
                "--rsh-command", "--rmt-command", "--checkpoint-action";
            reads: "--files-from" "-T", "--exclude-from" "-X";
            enters: "--directory" "-C";
            value: "--file" "-f", "--blocking-factor" "-b", "--listed-incremental" "-g", "--tape-length" "-L",
                "--newer" "-N", "--starting-file" "-K", "--label" "-V", "--exclude", "--format" "-H", "--owner",
                "--group", "--mode", "--mtime", "--strip-components", "--transform" "--xform", "--suffix",
                "--record-size", "--sort", "--one-top-level";
            attached: "--checkpoint", "--backup", "--totals";
            flag: "--create" "-c", "--extract" "--get" "-x", "--list" "-t", "--append" "-r", "--update" "-u",
                "--catenate" "-A", "--diff" "-d", "--delete", "--gzip" "-z", "--bzip2" "-j", "--xz" "-J", "--zstd",
                "--auto-compress" "-a", "--verbose" "-v", "--to-stdout" "-O", "--preserve-permissions" "-p",
                "--keep-old-files" "-k", "--dereference" "-h", "--absolute-names" "-P", "--verify" "-W",
                "--one-file-system", "--wildcards", "--no-recursion", "--overwrite", "--remove-files";
        },
        ..Program::GNU
    },
    gnu(
        &["rsync"],
        options! {
            runs: "--rsh" "-e", "--rsync-path";
            reads: "--exclude-from", "--include-from", "--files-from", "--password-file";
            writes: "--log-file", "--write-batch";
            enters: "--temp-dir" "-T", "--partial-dir", "--backup-dir", "--compare-dest", "--copy-dest", "--link-dest";
            value: "--filter" "-f", "--exclude", "--include", "--block-size" "-B", "--bwlimit", "--chmod", "--chown",
                "--timeout", "--port", "--suffix", "--max-size", "--min-size", "--modify-window" "-@", "--out-format",
                "--sockopts", "--iconv", "--compress-level", "--rsync-option" "--remote-option" "-M", "--info",
                "--debug";
            flag: "--archive" "-a", "--recursive" "-r", "--verbose" "-v", "--compress" "-z", "--delete",
                "--dry-run" "-n", "--progress", "--partial", "-P", "--update" "-u", "--links" "-l", "--perms" "-p",
                "--times" "-t", "--group" "-g", "--owner" "-o", "-D", "--checksum" "-c", "--relative" "-R",
                "--human-readable" "-h", "--quiet" "-q", "--copy-links" "-L", "--hard-links" "-H", "--acls" "-A",
                "--xattrs" "-X", "--sparse" "-S", "--one-file-system" "-x", "--whole-file" "-W", "--cvs-exclude" "-C",
                "--itemize-changes" "-i", "--backup" "-b", "--inplace", "--ignore-existing", "--remove-source-files",
                "--stats";
        },
    ),
    gnu(
        &["scp", "sftp"],
        options! {
            runs: "-S", "-o", "-D";
            reads: "-F", "-i", "-b";
            value: "-c", "-J", "-l", "-P", "-B", "-R", "-s", "-X";
            flag: "-1", "-3", "-4", "-6", "-A", "-a", "-C", "-f", "-O", "-p", "-q", "-r", "-T", "-v";
        },
    ),
    // Its options end at the program.
    Program {
        reading: Reading::Leading,
        ..code(
            &["awk", "gawk", "mawk", "nawk", "original-awk"],
            options! {
                value: "--field-separator" "-F", "--assign" "-v", "-W";
                runs: "--source" "-e";
                reads: "--file" "-f", "--exec" "-E", "--include" "-i", "--load" "-l";
                attached: "--debug" "-D", "--lint" "-L";
                attached_writes: "--dump-variables" "-d", "--pretty-print" "-o", "--profile" "-p";
                flag: "--characters-as-bytes" "-b", "--traditional" "-c", "--csv" "-k", "--bignum" "-M",
                    "--use-lc-numeric" "-N", "--non-decimal-data" "-n", "--optimize" "-O", "--posix" "-P",
                    "--re-interval" "-r", "--no-optimize" "-s", "--sandbox" "-S", "--lint-old" "-t", "--version" "-V",
                    "--help" "-h";
            },
        )
    },
    code(
        &["sed", "gsed"],
        options! {
            runs: "--expression" "-e";
            reads: "--file" "-f";
            value: "--line-length" "-l";
            attached_writes: "--in-place" "-i";
            flag: "--quiet" "--silent" "-n", "--regexp-extended" "-E" "-r", "--separate" "-s", "--null-data" "-z",
                "--unbuffered" "-u", "--sandbox", "--posix", "--follow-symlinks", "--debug", "--binary" "-b", "--help",
                "--version";
        },
    ),
    gnu(
        &["sort", "gsort"],
        options! {
            runs: "--compress-program";
            writes: "--output" "-o";
            reads: "--files0-from", "--random-source";
            enters: "--temporary-directory" "-T";
            value: "--key" "-k", "--field-separator" "-t", "--buffer-size" "-S", "--batch-size", "--parallel", "--sort";
            flag: "--unique" "-u", "--reverse" "-r", "--numeric-sort" "-n", "--human-numeric-sort" "-h",
                "--version-sort" "-V", "--ignore-case" "-f", "--ignore-leading-blanks" "-b", "--dictionary-order" "-d",
                "--general-numeric-sort" "-g", "--ignore-nonprinting" "-i", "--month-sort" "-M", "--random-sort" "-R",
                "--check" "-c" "-C", "--merge" "-m", "--stable" "-s", "--zero-terminated" "-z", "--debug";
        },
    ),
    gnu(
        &["split", "gsplit"],
        options! {
            runs: "--filter";
            value: "--suffix-length" "-a", "--additional-suffix", "--bytes" "-b", "--line-bytes" "-C", "--lines" "-l",
                "--number" "-n", "--separator" "-t";
            attached: "--numeric-suffixes", "--hex-suffixes";
            flag: "-d", "-x", "--elide-empty-files" "-e", "--unbuffered" "-u", "--verbose";
        },
    ),
    Program {
        operands: Does::Writes,
        ..gnu(
            &["csplit", "gcsplit"],
            options! {
                value: "--suffix-format" "-b", "--prefix" "-f", "--digits" "-n";
                flag: "--keep-files" "-k", "--suppress-matched", "--quiet" "--silent" "-s", "--elide-empty-files" "-z";
            },
        )
    },
    gnu(
        &["pax"],
        options! {
            changes: "-r", "-w", "-a";
            writes: "-f";
            value: "-b", "-o", "-p", "-s", "-x", "-E", "-G", "-T", "-U";
            flag: "-c", "-d", "-i", "-k", "-l", "-n", "-t", "-u", "-v", "-z", "-D", "-H", "-L", "-P", "-X";
        },
    ),
    gnu(
        &["pandoc"],
        options! {
            runs: "--filter" "-F", "--lua-filter" "-L", "--pdf-engine", "--pdf-engine-opt";
            writes: "--output" "-o", "--extract-media", "--log";
            reads: "--defaults" "-d", "--metadata-file", "--template", "--include-in-header" "-H",
                "--include-before-body" "-B", "--include-after-body" "-A", "--bibliography", "--csl", "--css" "-c",
                "--reference-doc", "--syntax-definition", "--abbreviations";
            value: "--from" "-f" "--read" "-r", "--to" "-t" "--write" "-w", "--metadata" "-M", "--variable" "-V",
                "--wrap", "--columns", "--dpi", "--eol", "--toc-depth", "--highlight-style", "--resource-path",
                "--data-dir", "--request-header", "--shift-heading-level-by", "--top-level-division", "--tab-stop",
                "--track-changes", "--slide-level", "--title-prefix" "-T", "--id-prefix", "--email-obfuscation";
            flag: "--standalone" "-s", "--toc" "--table-of-contents", "--number-sections" "-N", "--citeproc" "-C",
                "--embed-resources", "--self-contained", "--verbose", "--quiet", "--sandbox", "--no-highlight",
                "--preserve-tabs" "-p", "--ascii", "--reference-links", "--file-scope", "--incremental" "-i",
                "--mathjax", "--katex", "--mathml", "--list-tables", "--fail-if-warnings", "--strip-comments";
        },
    ),
    gnu(
        &["rg"],
        options! {
            runs: "--pre", "--hostname-bin";
            reads: "--file" "-f", "--ignore-file";
            value: "--regexp" "-e", "--after-context" "-A", "--before-context" "-B", "--context" "-C", "--glob" "-g",
                "--iglob", "--type" "-t", "--type-not" "-T", "--max-count" "-m", "--max-depth" "-d",
                "--max-columns" "-M", "--threads" "-j", "--replace" "-r", "--encoding" "-E", "--engine", "--color",
                "--colors", "--pre-glob", "--sort", "--sortr", "--type-add", "--max-filesize", "--context-separator",
                "--field-match-separator", "--field-context-separator", "--path-separator", "--dfa-size-limit",
                "--regex-size-limit", "--generate", "--hyperlink-format", "--type-clear";
            flag: "--auto-hybrid-regex", "--block-buffered", "--byte-offset" "-b", "--case-sensitive" "-s", "--column",
                "--count" "-c", "--count-matches", "--crlf", "--debug", "--files", "--files-with-matches" "-l",
                "--files-without-match", "--fixed-strings" "-F", "--follow" "-L", "--glob-case-insensitive", "--heading",
                "--no-heading", "--hidden" "-.", "--ignore-case" "-i", "--ignore-file-case-insensitive",
                "--include-zero", "--invert-match" "-v", "--json", "--line-buffered", "--line-number" "-n",
                "--no-line-number" "-N", "--line-regexp" "-x", "--max-columns-preview", "--mmap", "--no-mmap",
                "--multiline" "-U", "--multiline-dotall", "--no-config", "--no-ignore", "--no-ignore-dot",
                "--no-ignore-exclude", "--no-ignore-files", "--no-ignore-global", "--no-ignore-messages",
                "--no-ignore-parent", "--no-ignore-vcs", "--no-messages", "--no-pcre2-unicode", "--no-require-git",
                "--no-unicode", "--null" "-0", "--null-data", "--one-file-system", "--only-matching" "-o",
                "--passthru", "--pcre2" "-P", "--pcre2-version", "--pretty" "-p", "--quiet" "-q", "--smart-case" "-S",
                "--sort-files", "--stats", "--stop-on-nonmatch", "--text" "-a", "--trace", "--trim", "--type-list",
                "--unrestricted" "-u", "--vimgrep", "--with-filename" "-H", "--no-filename" "-I",
                "--word-regexp" "-w", "--search-zip" "-z", "--binary", "--no-binary", "--version" "-V", "--help" "-h";
        },
    ),
    gnu(
        &["zip"],
        options! {
            runs: "--unzip-command" "-TT";
            value: "--suffixes" "-n", "--temp-path" "-b", "--password" "-P", "--output-file" "--out" "-O",
                "--split-size" "-s", "-t", "-tt";
            flag: "--recurse-paths" "-r", "--test" "-T", "--junk-paths" "-j", "--move" "-m", "--delete" "-d",
                "--update" "-u", "--freshen" "-f", "--quiet" "-q", "--verbose" "-v", "--symlinks" "-y",
                "--encrypt" "-e";
        },
    ),
    Program { operands: Does::Runs, ..words(&["vim", "vi", "nvim", "ex", "view", "gvim", "vimdiff", "rvim"], &[]) },
    code(
        &["emacs", "emacsclient"],
        options! {
            runs: "--eval" "--execute" "-eval", "--funcall" "-f";
            reads: "--load" "-l", "--script";
            enters: "--chdir";
            value: "--user" "-u", "--socket-name" "-s", "--alternate-editor" "-a";
            flag: "--batch" "-batch", "--quick" "-Q", "--no-window-system" "-nw", "--no-init-file" "-q",
                "--create-frame" "-c", "--tty" "-t";
        },
    ),
    Program { operands: Does::Runs, ..words(&["gdb", "lldb"], &[]) },
    gnu(
        &["man"],
        options! {
            runs: "--pager" "-P", "--config-file" "-C";
            value: "--locale" "-L", "--manpath" "-M", "--sections" "-S" "-s", "--extension" "-e",
                "--preprocessor" "-p", "--prompt" "-r", "--encoding" "-E", "--recode" "-R", "--systems" "-m";
            flag: "--apropos" "-k", "--whatis" "-f", "--all" "-a", "--where" "-w", "--local-file" "-l";
            attached_runs: "--html" "-H";
            attached: "--troff-device" "-T", "--gxditview" "-X", "--warnings";
        },
    ),
    gnu(
        &["nc", "ncat", "netcat"],
        options! {
            runs: "--exec" "-e", "--sh-exec" "-c", "--lua-exec";
            value: "--source-port" "-p", "--source" "-s", "--wait" "-w", "--idle-timeout" "-i", "-x", "-X", "-q", "-I",
                "-O", "-T", "-V", "--proxy", "--proxy-type", "--proxy-auth", "--max-conns" "-m";
            writes: "--output" "-o";
            flag: "-4", "-6", "--listen" "-l", "--keep-open" "-k", "--nodns" "-n", "--udp" "-u", "--verbose" "-v", "-z",
                "-N", "-d", "--unixsock" "-U", "--crlf" "-C", "--ssl", "--recv-only", "--send-only";
        },
    ),
    code(&["socat"], &[]),
    Program { names: &["cargo-watch"], options: CARGO_WATCH, ..Program::GNU },
];

/// Makes a program of which an operand is code.
const fn code(names: &'static [&'static str], options: &'static [Opt]) -> Program {
    Program { operands: Does::Runs, ..gnu(names, options) }
}

const CARGO_WATCH: &[Opt] = options! {
    runs: "--exec" "-x", "--shell" "-s";
    value: "--watch" "-w", "--ignore" "-i", "--delay" "-d", "--features", "-B", "-E", "-L";
    enters: "--workdir" "-C";
    flag: "--clear" "-c", "--quiet" "-q", "--poll", "--postpone", "--no-gitignore", "--no-vcs-ignores", "--no-restart",
        "--why";
};
