//! Programs that look at files and directories, or make, move and remove them.

use super::{
    Does, Opt, Program, Reading, attached, both, changes, enters, flag, gnu, long, options, reads, runs, undo, value,
    words, writes,
};

pub(super) const PROGRAMS: &[Program] = &[
    gnu(
        &["ls", "gls", "dir", "vdir"],
        options! {
            flag: "--all" "-a", "--almost-all" "-A", "--author", "--escape" "-b", "--ignore-backups" "-B", "-c", "-C",
                "--directory" "-d", "--dired" "-D", "-f", "--file-type", "--full-time", "-g", "--group-directories-first",
                "--no-group" "-G", "--human-readable" "-h", "--si", "--dereference-command-line" "-H",
                "--dereference-command-line-symlink-to-dir", "--inode" "-i", "--kibibytes" "-k", "-l",
                "--dereference" "-L", "-m", "--numeric-uid-gid" "-n", "--literal" "-N", "-o", "-p",
                "--hide-control-chars" "-q", "--show-control-chars", "--quote-name" "-Q", "--reverse" "-r",
                "--recursive" "-R", "--size" "-s", "-S", "-t", "-u", "-U", "-v", "-x", "-X", "--context" "-Z", "--zero",
                "-1";
            value: "--block-size", "--format", "--hide", "--indicator-style", "--ignore" "-I", "--quoting-style",
                "--sort", "--time", "--time-style", "--tabsize" "-T", "--width" "-w";
            attached: "--color", "--hyperlink";
            long: "--classify" "-F";
        },
    ),
    gnu(
        &["stat", "gstat"],
        options! {
            flag: "--dereference" "-L", "--file-system" "-f", "--terse" "-t", "-x", "-s", "-r", "-n", "-q", "-l";
            value: "--format" "-c", "--printf", "--cached";
        },
    ),
    gnu(
        &["file"],
        options! {
            flag: "--brief" "-b", "--checking-printout" "-c", "--extension", "--no-dereference" "-h",
                "--dereference" "-L", "--mime" "-i", "--mime-type", "--mime-encoding", "--keep-going" "-k", "--list" "-l",
                "--no-buffer" "-n", "--no-pad" "-N", "--print0" "-0", "--preserve-date" "-p", "--raw" "-r",
                "--special-files" "-s", "--no-sandbox" "-S", "--uncompress" "-z", "--uncompress-noreport" "-Z";
            changes: "--compile" "-C";
            value: "--exclude" "-e", "--exclude-quiet", "--separator" "-F", "--parameter" "-P";
            reads: "--magic-file" "-m", "--files-from" "-f";
        },
    ),
    gnu(
        &["du", "gdu"],
        options! {
            flag: "--null" "-0", "--all" "-a", "--apparent-size", "--bytes" "-b", "--total" "-c",
                "--dereference-args" "-D", "-H", "--human-readable" "-h", "--inodes", "-k", "--dereference" "-L",
                "--count-links" "-l", "-m", "--no-dereference" "-P", "--separate-dirs" "-S", "--si", "--summarize" "-s",
                "--one-file-system" "-x";
            value: "--block-size" "-B", "--max-depth" "-d", "--threshold" "-t", "--time-style", "--exclude";
            reads: "--files0-from", "--exclude-from" "-X";
            attached: "--time";
        },
    ),
    gnu(
        &["df", "gdf"],
        options! {
            flag: "--all" "-a", "--human-readable" "-h", "--si" "-H", "--inodes" "-i", "-k", "--local" "-l", "--no-sync",
                "--portability" "-P", "--sync", "--total", "--print-type" "-T", "-v";
            value: "--block-size" "-B", "--type" "-t", "--exclude-type" "-x";
            attached: "--output";
        },
    ),
    gnu(
        &["tree"],
        options! {
            flag: "-a", "-d", "-l", "-f", "-x", "-q", "-N", "-Q", "-p", "-u", "-g", "-s", "-h", "-D", "-F", "-i",
                "-A", "-S", "-n", "-C", "-X", "-J", "-v", "-t", "-c", "-U", "-r", "--dirsfirst", "--noreport",
                "--gitignore", "--inodes", "--device", "--du", "--si", "--prune", "--matchdirs", "--ignore-case",
                "--filesfirst", "--metafirst";
            value: "-L", "-P", "-I", "--filelimit", "--charset", "--timefmt", "--sort", "-H", "-T";
            reads: "--gitfile", "--infofile", "--fromfile";
            writes: "-o";
            // It starts itself again below, each time with `-o 00Tree.html`.
            changes: "-R";
        },
    ),
    gnu(
        &["eza", "exa", "lsd"],
        options! {
            flag: "--long" "-l", "--oneline" "-1", "--grid" "-G", "--across" "-x", "--recurse" "-R", "--tree" "-T",
                "--all" "-a", "--almost-all" "-A", "--list-dirs" "-d", "--reverse" "-r", "--group-directories-first",
                "--git-ignore", "--only-dirs" "-D", "--only-files" "-f", "--binary" "-b", "--bytes" "-B", "--group" "-g",
                "--header" "-h", "--links" "-H", "--inode" "-i", "--modified" "-m", "--blocksize" "-S", "--accessed" "-u",
                "--created" "-U", "--extended" "-@", "--git", "--classify" "-F", "--human-readable", "--total-size";
            value: "--level" "-L", "--sort" "-s", "--ignore-glob" "-I", "--time" "-t", "--time-style", "--color",
                "--colour", "--icons", "--width" "-w", "--depth";
        },
    ),
    gnu(
        &["realpath", "grealpath"],
        options! {
            flag: "--canonicalize-existing" "-e", "--canonicalize-missing" "-m", "--logical" "-L", "--physical" "-P",
                "--quiet" "-q", "--strip" "--no-symlinks" "-s", "--zero" "-z";
            value: "--relative-to", "--relative-base";
        },
    ),
    gnu(
        &["readlink", "greadlink"],
        options! {
            flag: "--canonicalize" "-f", "--canonicalize-existing" "-e", "--canonicalize-missing" "-m",
                "--no-newline" "-n", "--quiet" "-q", "--silent" "-s", "--verbose" "-v", "--zero" "-z";
        },
    ),
    gnu(
        &["basename"],
        options! {
            flag: "--multiple" "-a", "--zero" "-z";
            value: "--suffix" "-s";
        },
    ),
    gnu(
        &["dirname"],
        options! {
            flag: "--zero" "-z";
        },
    ),
    gnu(
        &["cd", "pushd", "popd", "pwd"],
        options! {
            flag: "-L", "-P", "-e", "-@", "-n";
        },
    ),
    Program {
        shared: &[CP],
        ..gnu(
            &["cp", "gcp"],
            options! {
                flag: "--attributes-only", "--copy-contents", "--force" "-f", "--interactive" "-i", "-H", "--link" "-l",
                    "--dereference" "-L", "--no-clobber" "-n", "--no-dereference" "-P", "--parents", "--recursive" "-R" "-r",
                    "--remove-destination", "--strip-trailing-slashes", "--symbolic-link" "-s", "--no-target-directory" "-T",
                    "--update" "-u", "--verbose" "-v", "--one-file-system" "-x", "-Z";
                value: "--no-preserve", "--sparse", "--suffix" "-S", "--target-directory" "-t";
                attached: "--backup", "--preserve", "--reflink", "--context";
            },
        )
    },
    MV,
    gnu(
        &["rm", "grm"],
        options! {
            flag: "--force" "-f", "-i", "-I", "--one-file-system", "--no-preserve-root", "--recursive" "-r" "-R",
                "--dir" "-d", "--verbose" "-v";
            attached: "--interactive", "--preserve-root";
        },
    ),
    gnu(&["unlink"], &[]),
    gnu(
        &["rmdir"],
        options! {
            flag: "--ignore-fail-on-non-empty", "--parents" "-p", "--verbose" "-v";
        },
    ),
    gnu(
        &["ln", "gln"],
        options! {
            flag: "-b", "--directory" "-d" "-F", "--force" "-f", "--interactive" "-i", "--logical" "-L",
                "--no-dereference" "-n", "--physical" "-P", "--relative" "-r", "--symbolic" "-s",
                "--no-target-directory" "-T", "--verbose" "-v";
            value: "--suffix" "-S", "--target-directory" "-t";
            attached: "--backup";
        },
    ),
    gnu(
        &["install", "ginstall"],
        options! {
            flag: "-b", "--compare" "-C", "-c", "-D", "--directory" "-d", "--preserve-timestamps" "-p", "--strip" "-s",
                "--no-target-directory" "-T", "--verbose" "-v", "-Z";
            value: "--group" "-g", "--mode" "-m", "--owner" "-o", "--suffix" "-S", "--target-directory" "-t";
            runs: "--strip-program";
            attached: "--backup", "--context";
        },
    ),
    gnu(
        &["mkdir", "gmkdir"],
        options! {
            flag: "--parents" "-p", "--verbose" "-v", "-Z";
            value: "--mode" "-m";
            attached: "--context";
        },
    ),
    gnu(
        &["mkfifo"],
        options! {
            flag: "-Z";
            value: "--mode" "-m";
            attached: "--context";
        },
    ),
    gnu(
        &["mknod"],
        options! {
            flag: "-Z";
            value: "--mode" "-m";
            attached: "--context";
        },
    ),
    gnu(
        &["mktemp", "gmktemp"],
        options! {
            flag: "--directory" "-d", "--dry-run" "-u", "--quiet" "-q", "-t";
            value: "--suffix", "-p";
            attached: "--tmpdir";
        },
    ),
    gnu(
        &["touch", "gtouch"],
        options! {
            flag: "-a", "--no-create" "-c", "-f", "--no-dereference" "-h", "-m";
            value: "--date" "-d", "--reference" "-r", "-t", "--time";
        },
    ),
    gnu(
        &["truncate"],
        options! {
            flag: "--no-create" "-c", "--io-blocks" "-o";
            value: "--reference" "-r", "--size" "-s";
        },
    ),
    gnu(
        &["chmod", "gchmod"],
        options! {
            flag: "--changes" "-c", "--silent" "--quiet" "-f", "--verbose" "-v", "--no-preserve-root", "--preserve-root",
                "--recursive" "-R";
            reads: "--reference";
        },
    ),
    gnu(
        &["chown", "chgrp", "gchown", "gchgrp"],
        options! {
            flag: "--changes" "-c", "--silent" "--quiet" "-f", "--verbose" "-v", "--dereference", "--no-dereference" "-h",
                "--no-preserve-root", "--preserve-root", "--recursive" "-R", "-H", "-L", "-P";
            value: "--from";
            reads: "--reference";
        },
    ),
    gnu(
        &["tee", "gtee"],
        options! {
            flag: "--append" "-a", "--ignore-interrupts" "-i", "-p";
            attached: "--output-error";
        },
    ),
    Program {
        reading: Reading::Pairs,
        ..gnu(
            &["dd", "gdd"],
            options! {
                value: "ibs", "obs", "bs", "cbs", "skip" "iseek", "seek" "oseek", "count", "status", "conv", "iflag", "oflag";
                reads: "if";
                writes: "of";
            },
        )
    },
    gnu(
        &["shred", "gshred"],
        options! {
            flag: "--force" "-f", "-u", "--verbose" "-v", "--exact" "-x", "--zero" "-z";
            value: "--iterations" "-n", "--random-source", "--size" "-s";
            attached: "--remove";
        },
    ),
    gnu(
        &["trash", "trash-put", "trash-rm", "rimraf", "del-cli"],
        options! {
            flag: "--force" "-f", "--recursive" "-r" "-R", "--verbose" "-v", "--interactive" "-i", "-d";
        },
    ),
    Program {
        operands: Does::Runs,
        ..gnu(
            &["rename", "prename", "file-rename"],
            options! {
                flag: "--force" "-f", "--no-act" "-n", "--verbose" "-v", "--no-overwrite" "-o", "--symlink" "-s",
                    "--interactive" "-i", "--last" "-l", "--all" "-a", "--filename" "-d";
                runs: "-e";
            },
        )
    },
    gnu(
        &["patch"],
        options! {
            flag: "--backup" "-b", "--context" "-c", "--ed" "-e", "--normal" "-n", "--unified" "-u", "--forward" "-N",
                "--force" "-f", "--batch" "-t", "--reverse" "-R", "--remove-empty-files" "-E", "--ignore-whitespace" "-l",
                "--silent" "--quiet" "-s", "--set-time" "-T", "--set-utc" "-Z", "--verbose", "--dry-run", "--posix",
                "--merge";
            value: "--input" "-i", "--fuzz" "-F", "--strip" "-p", "--ifdef" "-D", "--get" "-g", "--basename-prefix" "-Y",
                "--prefix" "-B", "--suffix" "-z", "--version-control" "-V", "--quoting-style", "--reject-format";
            writes: "--output" "-o", "--reject-file" "-r";
            enters: "--directory" "-d";
        },
    ),
    gnu(
        &["gzip", "gunzip", "zcat", "gzcat", "pigz", "unpigz"],
        options! {
            flag: "-0" "-1" "-2" "-3" "-4" "-5" "-6" "-7" "-8" "-9", "--stdout" "--to-stdout" "-c",
                "--decompress" "--uncompress" "-d", "--force" "-f", "--keep" "-k", "--list" "-l", "--no-name" "-n",
                "--name" "-N", "--quiet" "-q", "--recursive" "-r", "--rsyncable", "--synchronous", "--test" "-t",
                "--verbose" "-v", "--fast", "--best";
            value: "--suffix" "-S", "--processes" "-p", "--blocksize" "-b";
        },
    ),
    gnu(
        &["bzip2", "bunzip2", "bzcat"],
        options! {
            flag: "-0" "-1" "-2" "-3" "-4" "-5" "-6" "-7" "-8" "-9", "--decompress" "-d", "--compress" "-z",
                "--keep" "-k", "--force" "-f", "--test" "-t", "--stdout" "-c", "--quiet" "-q", "--verbose" "-v",
                "--small" "-s", "--fast", "--best";
        },
    ),
    gnu(
        &["xz", "unxz", "xzcat", "lzma", "unlzma"],
        options! {
            flag: "-0" "-1" "-2" "-3" "-4" "-5" "-6" "-7" "-8" "-9", "--compress" "-z", "--decompress" "-d",
                "--test" "-t", "--list" "-l", "--keep" "-k", "--force" "-f", "--stdout" "-c", "--extreme" "-e",
                "--quiet" "-q", "--verbose" "-v", "--robot", "--no-warn" "-Q";
            value: "--suffix" "-S", "--format" "-F", "--check" "-C", "--memlimit" "-M", "--threads" "-T", "--block-size";
            attached: "--files", "--files0";
        },
    ),
    gnu(
        &["zstd", "unzstd", "zstdcat", "zstdmt"],
        options! {
            flag: "-0" "-1" "-2" "-3" "-4" "-5" "-6" "-7" "-8" "-9", "--decompress" "--uncompress" "-d",
                "--compress" "-z", "--force" "-f", "--keep" "-k", "--rm", "--stdout" "-c", "--test" "-t", "--list" "-l",
                "--quiet" "-q", "--verbose" "-v", "--ultra", "--long", "-r", "--adaptive", "--no-progress";
            reads: "-D", "--patch-from";
            writes: "-o", "--output-dir-flat", "--output-dir-mirror";
            attached: "--threads" "-T", "--memory" "-M", "--filelist";
        },
    ),
    words(
        &["unzip"],
        options! {
            flag: "-p", "-l", "-f", "-t", "-u", "-z", "-v", "-T", "-n", "-o", "-j", "-U", "-UU", "-C", "-L", "-X", "-V",
                "-q", "-qq", "-a", "-aa", "-b", "-B", "-D", "-W", "-K", "-M", "-Z", "-Z1";
            value: "-x", "-P";
            writes: "-d";
        },
    ),
    gnu(
        &[
            "mkfs",
            "mkfs.ext2",
            "mkfs.ext3",
            "mkfs.ext4",
            "mkfs.xfs",
            "mkfs.btrfs",
            "mkfs.vfat",
            "mkfs.fat",
            "mke2fs",
            "mkswap",
            "wipefs",
            "fdisk",
            "sfdisk",
            "parted",
            "blkdiscard",
        ],
        options! {
            flag: "--all" "-a", "--force" "-f", "--verbose" "-v", "--no-act" "-n";
            value: "--type" "-t";
        },
    ),
];

const MV: Program = Program {
    names: &["mv", "gmv"],
    options: options! {
        flag: "--interactive" "-i", "-b", "--strip-trailing-slashes", "--no-target-directory" "-T", "--update" "-u",
            "--verbose" "-v", "--context" "-Z", "--exchange", "--debug";
        value: "--suffix" "-S", "--target-directory" "-t";
        attached: "--backup";
    },
    // The last of them counts.
    shared: &[&[undo(&["--force", "-f"], "--no-clobber"), undo(&["--no-clobber", "-n"], "--force")]],
    ..Program::GNU
};

const CP: &[Opt] = &[
    both(&["--archive", "-a"], &["-d", "-R", "--preserve"]),
    both(&["-p"], &["--preserve"]),
    flag(&["-d"]),
    flag(&["-b"]),
];
