//! Programs that read text and print it, or what they find in it.

use super::{Does, Program, attached, changes, flag, gnu, long, options, reads, runs, value, words, writes};

pub(super) const PROGRAMS: &[Program] = &[
    gnu(
        &["cat", "gcat"],
        options! {
            flag: "--show-all" "-A", "--number-nonblank" "-b", "-e", "--show-ends" "-E", "--number" "-n",
                "--squeeze-blank" "-s", "-t", "--show-tabs" "-T", "-u", "--show-nonprinting" "-v";
        },
    ),
    gnu(
        &["tac"],
        options! {
            flag: "--before" "-b", "--regex" "-r";
            value: "--separator" "-s";
        },
    ),
    gnu(
        &["nl"],
        options! {
            flag: "--no-renumber" "-p";
            value: "--body-numbering" "-b", "--section-delimiter" "-d", "--footer-numbering" "-f",
                "--header-numbering" "-h", "--line-increment" "-i", "--join-blank-lines" "-l", "--number-format" "-n",
                "--number-separator" "-s", "--starting-line-number" "-v", "--number-width" "-w";
        },
    ),
    gnu(
        &["head", "ghead"],
        options! {
            flag: "--quiet" "--silent" "-q", "--verbose" "-v", "--zero-terminated" "-z";
            value: "--bytes" "-c", "--lines" "-n" "-#";
        },
    ),
    gnu(
        &["tail", "gtail"],
        options! {
            flag: "-F", "--quiet" "--silent" "-q", "--retry", "--verbose" "-v", "--zero-terminated" "-z";
            value: "--bytes" "-c", "--lines" "-n" "-#", "--max-unchanged-stats", "--pid", "--sleep-interval" "-s";
            long: "--follow" "-f";
        },
    ),
    gnu(
        &["wc", "gwc"],
        options! {
            flag: "--bytes" "-c", "--chars" "-m", "--lines" "-l", "--max-line-length" "-L", "--words" "-w";
            reads: "--files0-from";
        },
    ),
    gnu(
        &["cut", "gcut"],
        options! {
            flag: "-n", "--complement", "--only-delimited" "-s", "--zero-terminated" "-z";
            value: "--bytes" "-b", "--characters" "-c", "--delimiter" "-d", "--fields" "-f", "--output-delimiter";
        },
    ),
    gnu(
        &["tr", "gtr"],
        options! {
            flag: "--complement" "-c" "-C", "--delete" "-d", "--squeeze-repeats" "-s", "--truncate-set1" "-t";
        },
    ),
    gnu(
        &["paste"],
        options! {
            flag: "--serial" "-s", "--zero-terminated" "-z";
            value: "--delimiters" "-d";
        },
    ),
    gnu(
        &["join"],
        options! {
            flag: "--ignore-case" "-i", "--check-order", "--nocheck-order", "--header", "--zero-terminated" "-z";
            value: "-a", "-e", "-1", "-2", "-j", "-o", "-t", "-v";
        },
    ),
    gnu(
        &["comm"],
        options! {
            flag: "-1", "-2", "-3", "--check-order", "--nocheck-order", "--total", "--zero-terminated" "-z";
            value: "--output-delimiter";
        },
    ),
    Program {
        operands: Does::Writes,
        ..gnu(
            &["uniq", "guniq"],
            options! {
                flag: "--count" "-c", "--repeated" "-d", "-D", "--ignore-case" "-i", "--unique" "-u",
                    "--zero-terminated" "-z";
                value: "--skip-fields" "-f", "--skip-chars" "-s", "--check-chars" "-w";
                attached: "--all-repeated", "--group";
            },
        )
    },
    gnu(
        &["rev"],
        options! {
            flag: "--zero" "-0";
        },
    ),
    gnu(
        &["fold"],
        options! {
            flag: "--bytes" "-b", "--spaces" "-s";
            value: "--width" "-w";
        },
    ),
    gnu(
        &["fmt"],
        options! {
            flag: "--crown-margin" "-c", "--split-only" "-s", "--tagged-paragraph" "-t", "--uniform-spacing" "-u";
            value: "--prefix" "-p", "--width" "-w", "--goal" "-g";
        },
    ),
    gnu(
        &["expand"],
        options! {
            flag: "--initial" "-i";
            value: "--tabs" "-t";
        },
    ),
    gnu(
        &["unexpand"],
        options! {
            flag: "--all" "-a", "--first-only";
            value: "--tabs" "-t";
        },
    ),
    gnu(
        &["column"],
        options! {
            flag: "--table" "-t", "--table-noheadings" "-d", "--table-header-repeat" "-e", "--keep-empty-lines" "-L",
                "--json" "-J", "--fillrows" "-x", "--help" "-h", "--version" "-V";
            value: "--table-name" "-n", "--table-order" "-O", "--table-columns" "-N", "--table-columns-limit" "-l",
                "--table-noextreme" "-E", "--table-hide" "-H", "--table-right" "-R", "--table-truncate" "-T",
                "--table-wrap" "-W", "--tree" "-r", "--tree-id" "-i", "--tree-parent" "-p", "--output-width" "-c",
                "--output-separator" "-o", "--separator" "-s";
        },
    ),
    gnu(
        &["od"],
        options! {
            flag: "-a", "-b", "-c", "-d", "-f", "-i", "-l", "-o", "-s", "-x", "--output-duplicates" "-v", "--traditional";
            value: "--address-radix" "-A", "--endian", "--skip-bytes" "-j", "--read-bytes" "-N", "--format" "-t";
            attached: "--strings" "-S", "--width" "-w";
        },
    ),
    gnu(
        &["hexdump", "hd"],
        options! {
            flag: "--one-byte-octal" "-b", "--canonical" "-C", "--one-byte-char" "-c", "--two-bytes-decimal" "-d",
                "--two-bytes-octal" "-o", "--two-bytes-hex" "-x", "--no-squeezing" "-v";
            value: "--format" "-e", "--length" "-n", "--skip" "-s";
            reads: "--format-file" "-f";
            attached: "--color" "-L";
        },
    ),
    Program {
        operands: Does::Writes,
        ..words(
            &["xxd"],
            options! {
                flag: "-a" "-autoskip", "-b" "-bits", "-C" "-capitalize", "-d", "-E" "-EBCDIC", "-e", "-i" "-include",
                    "-p" "-ps" "-postscript" "-plain", "-r" "-revert", "-u", "-v";
                value: "-c" "-cols", "-g" "-groupsize", "-l" "-len", "-n" "-name", "-o", "-s" "-seek", "-R";
            },
        )
    },
    gnu(
        &["strings"],
        options! {
            flag: "--all" "-a", "--data" "-d", "--print-file-name" "-f", "-o", "--include-all-whitespace" "-w";
            value: "--bytes" "-n", "--radix" "-t", "--encoding" "-e", "--target" "-T", "--output-separator" "-s",
                "--unicode" "-U";
        },
    ),
    gnu(
        &["base64"],
        options! {
            flag: "--decode" "-d", "--ignore-garbage" "-i";
            value: "--wrap" "-w";
        },
    ),
    gnu(
        &["base32"],
        options! {
            flag: "--decode" "-d", "--ignore-garbage" "-i";
            value: "--wrap" "-w";
        },
    ),
    gnu(
        &["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum"],
        options! {
            flag: "--binary" "-b", "--check" "-c", "--tag", "--text" "-t", "--zero" "-z", "--ignore-missing", "--quiet",
                "--status", "--strict", "--warn" "-w";
            value: "--length" "-l";
        },
    ),
    gnu(
        &["cksum", "sum"],
        options! {
            flag: "--base64", "--check" "-c", "--raw", "--tag", "--untagged", "--zero" "-z", "--ignore-missing",
                "--quiet", "--status", "--strict", "--warn" "-w", "-r", "--sysv" "-s";
            value: "--algorithm" "-a", "--length" "-l";
        },
    ),
    gnu(
        &["shasum"],
        options! {
            flag: "--binary" "-b", "--check" "-c", "--text" "-t", "--UNIVERSAL" "-U", "--01" "-0", "--ignore-missing",
                "--quiet" "-q", "--status" "-s", "--strict", "--warn" "-w";
            value: "--algorithm" "-a";
        },
    ),
    Program {
        operands: Does::Runs,
        ..gnu(
            &["less"],
            options! {
                flag: "--search-skip-screen" "-a", "--SEARCH-SKIP-SCREEN" "-A", "--auto-buffers" "-B", "--clear-screen" "-c",
                    "--CLEAR-SCREEN" "-C", "--dumb" "-d", "--quit-at-eof" "-e", "--QUIT-AT-EOF" "-E", "--force" "-f",
                    "--quit-if-one-screen" "-F", "--hilite-search" "-g", "--HILITE-SEARCH" "-G", "--ignore-case" "-i",
                    "--IGNORE-CASE" "-I", "--status-column" "-J", "--quit-on-intr" "-K", "--no-lessopen" "-L",
                    "--long-prompt" "-m", "--LONG-PROMPT" "-M", "--line-numbers" "-n", "--LINE-NUMBERS" "-N", "--quiet" "-q",
                    "--QUIET" "-Q", "--raw-control-chars" "-r", "--RAW-CONTROL-CHARS" "-R", "--squeeze-blank-lines" "-s",
                    "--chop-long-lines" "-S", "--underline-special" "-u", "--UNDERLINE-SPECIAL" "-U", "--hilite-unread" "-w",
                    "--HILITE-UNREAD" "-W", "--no-init" "-X", "--mouse", "--follow-name", "--use-color";
                value: "--buffers" "-b", "--max-back-scroll" "-h", "--jump-target" "-j", "--pattern" "-p", "--prompt" "-P",
                    "--tag" "-t", "--tabs" "-x", "--max-forw-scroll" "-y", "--window" "-z", "--shift" "-#", "--color" "-D",
                    "--quotes";
                reads: "--lesskey-file" "-k", "--tag-file" "-T";
                writes: "--log-file" "-o", "--LOG-FILE" "-O";
                runs: "--lesskey-src", "--lesskey-content";
            },
        )
    },
    Program {
        operands: Does::Runs,
        ..gnu(
            &["more"],
            options! {
                flag: "--silent" "-d", "--logical" "-f", "--no-pause" "-l", "--clean-print" "-c", "--print-over" "-p",
                    "--squeeze" "-s", "--plain" "-u", "--exit-on-eof" "-e";
                value: "--lines" "-n";
            },
        )
    },
    gnu(
        &["bat", "batcat"],
        options! {
            flag: "--show-all" "-A", "--plain" "-p", "--diff" "-d", "--number" "-n", "--chop-long-lines" "-S",
                "--force-colorization" "-f", "--list-themes", "--list-languages" "-L", "--unbuffered" "-u",
                "--squeeze-blank" "-s", "-P";
            value: "--language" "-l", "--highlight-line" "-H", "--file-name", "--tabs", "--wrap", "--terminal-width",
                "--color", "--italic-text", "--decorations", "--paging", "--map-syntax" "-m", "--ignored-suffix",
                "--theme", "--style", "--line-range" "-r", "--diff-context", "--nonprintable-notation", "--squeeze-limit",
                "--strip-ansi", "--binary", "--completion";
            runs: "--pager", "--diagnostic";
        },
    ),
    gnu(
        &["grep", "egrep", "fgrep", "ggrep", "zgrep", "rgrep"],
        options! {
            flag: "--extended-regexp" "-E", "--fixed-strings" "-F", "--basic-regexp" "-G", "--perl-regexp" "-P",
                "--ignore-case" "-i", "--no-ignore-case", "--word-regexp" "-w", "--line-regexp" "-x", "--null-data" "-z",
                "--no-messages" "-s", "--invert-match" "-v", "--version" "-V", "--byte-offset" "-b", "--line-number" "-n",
                "--line-buffered", "--with-filename" "-H", "--no-filename" "-h", "--only-matching" "-o",
                "--quiet" "--silent" "-q", "--text" "-a", "-I", "--recursive" "--dereference-recursive" "-r" "-R", "--files-without-match" "-L",
                "--files-with-matches" "-l", "--count" "-c", "--initial-tab" "-T", "--null" "-Z", "--no-group-separator",
                "--binary" "-U";
            value: "--regexp" "-e", "--max-count" "-m", "--label", "--binary-files", "--directories" "-d",
                "--devices" "-D", "--include", "--exclude", "--exclude-dir", "--before-context" "-B",
                "--after-context" "-A", "--context" "-C" "-#", "--group-separator";
            reads: "--file" "-f", "--exclude-from";
            attached: "--color", "--colour";
        },
    ),
    gnu(
        &["ag"],
        options! {
            flag: "--ackmate", "--all-text" "-a", "--all-types" "-t", "--break", "--nobreak", "--color", "--nocolor",
                "--column", "--count" "-c", "--filename", "--nofilename", "--files-with-matches" "-l",
                "--files-without-matches" "-L", "--follow" "-f", "--group", "--nogroup", "--heading", "--noheading" "-H",
                "--hidden", "--ignore-case" "-i", "--invert-match" "-v", "--line-numbers", "--literal" "-Q",
                "--fixed-strings" "-F", "--multiline", "--nomultiline", "--no-numbers", "--null" "-0", "--numbers",
                "--one-device", "--only-matching" "-o", "--passthrough", "--case-sensitive" "-s", "--search-binary",
                "--search-zip" "-z", "--silent", "--skip-vcs-ignores" "-U", "--smart-case" "-S", "--stats",
                "--unrestricted" "-u", "--vimgrep", "--word-regexp" "-w", "--list-file-types", "--nopager";
            value: "--after" "-A", "--before" "-B", "--context" "-C", "--file-search-regex" "-G", "--ignore",
                "--ignore-dir", "--max-count" "-m", "--depth", "--color-line-number", "--color-match", "--color-path",
                "-g", "--width" "-W", "--workers";
            reads: "--path-to-ignore" "-p";
            runs: "--pager";
        },
    ),
    gnu(
        &["jq", "jaq", "gojq"],
        options! {
            flag: "--compact-output" "-c", "--null-input" "-n", "--exit-status" "-e", "--slurp" "-s", "--raw-output" "-r",
                "--join-output" "-j", "--raw-output0", "--ascii-output" "-a", "--raw-input" "-R", "--color-output" "-C",
                "--monochrome-output" "-M", "--sort-keys" "-S", "--tab", "--unbuffered", "--stream", "--stream-errors",
                "--seq", "--args", "--jsonargs";
            value: "--indent", "--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile";
            reads: "--from-file" "-f", "-L";
        },
    ),
    gnu(
        &["yq", "xq", "tomlq"],
        options! {
            flag: "--colors" "-C", "--no-colors" "-M", "--prettyPrint" "-P", "--exit-status" "-e", "--null-input" "-n",
                "--no-doc" "-N", "--unwrapScalar", "--verbose" "-v", "--raw-output", "--compact-output" "-c";
            changes: "--inplace" "--in-place" "-i", "--yaml-split-exp" "-y";
            value: "--input-format" "-p", "--output-format" "-o", "--indent" "-I", "--front-matter",
                "--header-preprocess", "--xml-attribute-prefix", "--arg", "--argjson";
            reads: "--from-file" "-f", "--split-exp-file", "--arg-file";
            writes: "--split-exp" "-s";
        },
    ),
    gnu(
        &["diff", "gdiff"],
        options! {
            flag: "--normal", "--brief" "-q", "--report-identical-files" "-s", "-c", "-u", "--ed" "-e", "--rcs" "-n",
                "--side-by-side" "-y", "--left-column", "--suppress-common-lines", "--show-c-function" "-p",
                "--expand-tabs" "-t", "--initial-tab" "-T", "--suppress-blank-empty", "--recursive" "-r",
                "--no-dereference", "--new-file" "-N", "--unidirectional-new-file", "--ignore-case" "-i",
                "--ignore-tab-expansion" "-E", "--ignore-trailing-space" "-Z", "--ignore-space-change" "-b",
                "--ignore-all-space" "-w", "--ignore-blank-lines" "-B", "--text" "-a", "--strip-trailing-cr",
                "--minimal" "-d", "--speed-large-files";
            value: "--ifdef" "-D", "--exclude" "-x", "--starting-file" "-S", "--from-file", "--to-file", "--label", "-C",
                "-U", "--show-function-line" "-F", "--width" "-W", "--ignore-matching-lines" "-I", "--tabsize",
                "--horizon-lines", "--color-palette", "--palette";
            reads: "--exclude-from" "-X";
            attached: "--context", "--unified", "--color";
        },
    ),
    gnu(
        &["cmp"],
        options! {
            flag: "--print-bytes" "-b", "--verbose" "-l", "--quiet" "--silent" "-s";
            value: "--ignore-initial" "-i", "--bytes" "-n";
        },
    ),
    gnu(
        &["iconv"],
        options! {
            flag: "--list" "-l", "-c", "--silent" "-s", "--verbose";
            value: "--from-code" "-f", "--to-code" "-t";
            writes: "--output" "-o";
        },
    ),
];
