//! Records as people write them: their compiled form, and the mistakes that stop the build.

#[path = "../../records/write.rs"]
mod write;

use crate::records;

use write::GeneratedTables;

/// Returns the mistakes in some records, each a file's name and its text.
fn mistakes(files: &[(&str, &str)]) -> Vec<String> {
    compiled(files).err().unwrap_or_default()
}

/// Compiles some records, and returns the generated tables or the mistakes.
fn compiled(files: &[(&str, &str)]) -> Result<GeneratedTables, Vec<String>> {
    let files: Vec<_> = files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
    let compiled = records::compile(&files, None);
    compiled
        .map(|compiled| write::write(&compiled.programs))
        .map_err(|found| found.iter().map(ToString::to_string).collect())
}

#[test]
fn a_mistake_is_reported_with_its_file_and_line() {
    const KEYS: &str = "a record has names, versioned, interpreter, as-written, like, reading, long-options, \
                        short-options, subcommands, aliases, tracks, unlisted, operands, looks, asks, behind-dashes, \
                        plain-values, incidental, incidental-call, input, language, dialect, with, each, shares, options, files, network, runs, variables, startup, prints, project, from, set, command";
    const KINDS: &str = "the kinds are flag, changes, starts, explains, value, reads, writes, runs, enters, attached, \
                         attached-writes, attached-runs, number, long, command, undo, both, implied";
    for (text, expected) in [
        ("", "x.toml:1: `names` is missing; write the names first: `names = [\"tool\"]`"),
        (
            "names = ['y']",
            "x.toml:1: the file is named `x`, and `names` lacks that name; add \"x\", or rename the file",
        ),
        ("names = 'x'", "x.toml:1: `names` expects a list; write `names = [\"…\"]`"),
        ("names = ['x', 1]", "x.toml:1: `names` expects text in quotes; write \"…\""),
        ("names = ['x', '']", "x.toml:1: a name in `names` is empty; write the name, or remove it"),
        (
            "names = ['x', 'a b']",
            "x.toml:1: no command is called `a b`; write the name alone, without a path, options or quotes",
        ),
        (
            "names = ['x']\n[[command]]\nnames = ['-s']",
            "x.toml:3: no command is called `-s`; write the name alone, without a path, options or quotes",
        ),
        ("names = ['x', 'x']", "x.toml:1: the name `x` stands in x.toml:1 too; remove one of them"),
        ("names = ['x', 'kin']", "x.toml:1: the name `kin` stands in kin.toml:1 too; remove one of them"),
        ("names = ['x']\nflags = ['-f']", &format!("x.toml:2: unknown key `flags`; {KEYS}")),
        (
            "names = ['x']\noptions = ['-f']",
            "x.toml:2: `options` expects a table; write `[options]` on a line of its own",
        ),
        ("names = ['x']\n[options]\nflags = ['-f']", &format!("x.toml:3: unknown kind of option `flags`; {KINDS}")),
        ("names = ['x']\n[options]\nflag = '-f'", "x.toml:3: `flag` expects a list; write `flag = [\"…\"]`"),
        (
            "names = ['x']\n[options]\nflag = ['-f', '-g -f']",
            "x.toml:3: the option `-f` stands twice; keep the kind that is right",
        ),
        (
            "names = ['x']\n[options]\nflag = ['-f']\nvalue = ['-f']",
            "x.toml:4: the option `-f` stands twice; keep the kind that is right",
        ),
        (
            "names = ['x']\n[options]\nflag = ['f']",
            "x.toml:3: `f` needs one dash or two; write the option as it is given: \"--force -f\"",
        ),
        (
            "names = ['x']\n[options]\nflag = ['---f']",
            "x.toml:3: `---f` needs one dash or two; write the option as it is given: \"--force -f\"",
        ),
        (
            "names = ['x']\n[set.s]\nflag = ['f']",
            "x.toml:3: `f` needs one dash or two; write the option as it is given: \"--force -f\"",
        ),
        (
            "names = ['x']\nreading = 'pairs'\n[options]\nvalue = ['-f']",
            "x.toml:4: `-f` has a dash, and `pairs` have none; write the name alone",
        ),
        (
            "names = ['x']\n[options]\nvalue = ['--f=']",
            "x.toml:3: `--f=` has a `=`; write the name alone: its kind says whether it takes a value",
        ),
        (
            "names = ['x']\n[options]\nflag = ['-f  -g']",
            "x.toml:3: the name of an option is empty; part spellings by one blank: \"--force -f\"",
        ),
        (
            "names = ['x']\nreading = 'posix'",
            "x.toml:2: unknown reading `posix`; write one of gnu, leading, words, pairs, bundled, operands",
        ),
        (
            "names = ['x']\nlong-options = 'short'",
            "x.toml:2: unknown long-options `short`; write one of shortened, whole",
        ),
        ("names = ['x']\nshort-options = 'x'", "x.toml:2: unknown short-options `x`; write one of attached, equals"),
        (
            "names = ['x']\n[plain-values]\n'-f' = ['a']",
            "x.toml:3: `plain-values`: there is no option `-f`; add it to the options",
        ),
        (
            "names = ['x']\nincidental = ['-q']",
            "x.toml:2: `incidental`: there is no option `-q`; add it to the options",
        ),
        (
            "names = ['x']\nsubcommands = 'x'",
            "x.toml:2: unknown subcommands `x`; write one of whole, shortened, any-case",
        ),
        (
            "names = ['x']\naliases = [['a']]",
            "x.toml:2: `aliases` expects lists of two names or more; write `aliases = [[\"remove\", \"rm\"]]`",
        ),
        (
            "names = ['x']\naliases = [['a', 'b']]\n[[command]]\nnames = ['a']",
            "x.toml:2: `aliases`: there is no subcommand `b`; add it to the `names` of one",
        ),
        (
            "names = ['x']\naliases = [['a', 'a b']]\n[[command]]\nnames = ['a']",
            "x.toml:2: `aliases`: there is no subcommand `a b`; add it to the `names` of one",
        ),
        (
            "names = ['x']\naliases = [['a', 'a']]\n[[command]]\nnames = ['a']",
            "x.toml:2: `aliases`: the name `a` stands twice; keep it where it is right",
        ),
        (
            "names = ['x']\noperands = 'reads'",
            "x.toml:2: unknown operands `reads`; write one of nothing, runs, first-runs, expands, writes",
        ),
        (
            "names = ['x']\ninterpreter = 'yes'",
            "x.toml:2: `interpreter` is `true` or left out; write `true` without quotes",
        ),
        ("names = ['x']\nversioned = ['y']", "x.toml:1: `versioned` has `y`, and `names` lacks it; add it to `names`"),
        (
            "names = ['x']\n[[command]]\nnames = ['c']\ninterpreter = true",
            "x.toml:4: `interpreter` is said of a program, not of a subcommand; move it to the top of the program's file",
        ),
        (
            "names = ['x']\n[[command]]\nnames = ['c']\n[[command]]\nnames = ['d', 'c']",
            "x.toml:4: the name `c` stands in x.toml:2 too; remove one of them",
        ),
        (
            "names = ['x']\nlike = 'z'",
            "x.toml:2: `z`: `like` names no record; name a record beside it, or the words of a command: `\"git push\"`",
        ),
        (
            "names = ['x']\nlike = 'kin hide'",
            "x.toml:2: `kin hide`: `like` names no record; name a record beside it, or the words of a command: `\"git push\"`",
        ),
        ("names = ['x']\nlike = 'x'", "x.toml:2: `x`: `like` leads back to where it began; remove one of the `like`"),
        (
            "names = ['x']\nwith = ['s']",
            "x.toml:2: `s`: it is no `set` of this record or of one above it; write `[set.NAME]`, or name another",
        ),
        (
            "names = ['x']\nshares = ['kin hide']",
            "x.toml:2: `kin hide`: `shares` names no record; name the words of a command: `\"git push\"`, `\"git *\"`",
        ),
        ("names = ['x']\nshares = ['x']", "x.toml:2: `x`: `shares` leads back to where it began; name another command"),
        (
            "names = ['x']\n[options]\nundo = [{ names = '-f', undoes = '-g' }]",
            "x.toml:3: there is no option `-g`; name an option of this record",
        ),
        (
            "names = ['x']\n[options]\nflag = ['--go -g']\nundo = [{ names = '-f', undoes = '-g' }]",
            "x.toml:4: `-g` is known as `--go`; write `--go`",
        ),
        (
            "names = ['x']\n[options]\nboth = [{ names = '-f', means = ['-g'] }]",
            "x.toml:3: there is no option `-g`; name an option of this record",
        ),
        (
            "names = ['x']\n[options]\nflag = ['-h']\nboth = [{ names = '-f', means = ['-g'] },\n  { names = '-g', means = ['-h'] }]",
            "x.toml:4: `-g` stands for others itself; name those",
        ),
        (
            "names = ['x']\n[options]\nboth = [{ names = '-f' }]",
            "x.toml:3: it says no other option; `undo` needs `undoes`, `both` needs `means`",
        ),
        (
            "names = ['x']\n[options]\nflag = ['-g']\nboth = [{ names = '-f', undoes = '-g' }]",
            "x.toml:4: unknown key `undoes`; `undo` has names and undoes, `both` has names and means\nx.toml:4: it says no other option; `undo` needs `undoes`, `both` needs `means`",
        ),
        (
            "names = ['x']\n[options]\nvalue = ['--m']\nimplied = [{ option = '--m=a', by = ['--n'] }]",
            "x.toml:4: there is no option `--n`; name an option of this record",
        ),
        (
            "names = ['x']\n[options]\nvalue = ['--n']\nimplied = [{ option = '--m=a', by = ['--n'] }]",
            "x.toml:4: it implies no option of this record; `implied` has option, `--method=POST`, and by, a list of options",
        ),
        (
            "names = ['x']\n[options]\nvalue = ['--m', '--n']\nimplied = [{ option = '--m', by = ['--n'], if = 'a' }]",
            "x.toml:4: unknown key `if`; `implied` has option, `--method=POST`, and by, a list of options\nx.toml:4: it implies no option of this record; `implied` has option, `--method=POST`, and by, a list of options",
        ),
        (
            "names = ['x']\nfiles = 'operands'",
            "x.toml:2: `files` expects a table; write `[files]` on a line of its own",
        ),
        (
            "names = ['x']\nas-written = 'yes'",
            "x.toml:2: `as-written` is `true` or left out; write `true` without quotes",
        ),
        (
            "names = ['x']\nas-written = true\nreading = 'gnu'",
            "x.toml:1: what is `as-written` has no options; leave out that line, or `reading`, `tracks` and `options`",
        ),
        (
            "names = ['x']\nas-written = true\n[options]\nflag = ['-f']",
            "x.toml:1: what is `as-written` has no options; leave out that line, or `reading`, `tracks` and `options`",
        ),
        ("names = ['x']\nfrom = ' '", "x.toml:2: `from` is one line; write a manual with its version, or a URL"),
        (
            "names = ['x']\nfrom = \"man x\\n1.0\"",
            "x.toml:2: `from` is one line; write a manual with its version, or a URL",
        ),
        ("names = ['x']\nfrom = ['man x']", "x.toml:2: `from` expects text in quotes; write \"…\""),
    ] {
        let kin = ("kin.toml", "names = ['kin']\n[options]\nflag = ['-k']\n[[command]]\nnames = ['show']");
        assert_eq!(mistakes(&[("x.toml", text), kin]).join("\n"), expected, "{text}");
    }
}

#[test]
fn a_mistake_about_the_network_is_reported_with_its_line() {
    const KEYS: &str =
        "`network` has urls, hosts, remotes, by, port, only, idle, configured, sends, input, values, variables";
    for (text, expected) in [
        ("[network]\nurl = 'operands'", format!("x.toml:6: unknown key `url`; {KEYS}").as_str()),
        (
            "[network]\nurls = 'rest'",
            "x.toml:6: unknown operands `rest`; write one of operands, first, and options under `[network.values]`",
        ),
        (
            "[network]\nhosts = 'first'\nby = 'clients::curl'",
            "x.toml:7: `by`: what the operands name is defined above; define it once",
        ),
        ("[network]\nport = 'ssh'", "x.toml:6: `ssh` is no port; write a number from 0 to 65535 in quotes"),
        ("[network]\nidle = ['-n']", "x.toml:5: `network`: there is no option `-n`; add it to the options"),
        (
            "[network.values]\nurls = ['-f']\nhosts = ['-f']",
            "x.toml:5: `network.values`: the option `-f` stands twice; keep the use that is right",
        ),
        ("[network]", ""),
    ] {
        let text = format!("names = ['x']\n[options]\nvalue = ['--file -f']\n\n{text}");
        assert_eq!(mistakes(&[("x.toml", &text)]).join("\n"), expected, "{text}");
    }
}

#[test]
fn a_mistake_about_files_is_reported_with_its_line() {
    const KEYS: &str = "`files` has reads, writes, deletes, changes, by, skip, instead, recursive, follows, idle, empties, partly, content, \
         edits, streams, collects, unpacks, values, variables";
    const USES: &str = "`values` has reads, writes, deletes, changes, nothing, at, field, form, named, dest";
    for (text, expected) in [
        ("[files]\nread = 'operands'", format!("x.toml:6: unknown key `read`; {KEYS}").as_str()),
        (
            "[files]\nreads = 'all'",
            "x.toml:6: unknown operands `all`; write one of operands, first, rest, and options under `[files.values]`",
        ),
        ("[files]\nreads = ['--file']", "x.toml:6: `reads` expects text in quotes; write \"…\""),
        (
            "[files]\nreads = 'first'\nwrites = 'rest'",
            "x.toml:7: `writes`: what becomes of the operands is defined above; define it once",
        ),
        (
            "[files]\nby = 'copies::copy'\nwrites = 'rest'",
            "x.toml:7: `writes`: what becomes of the operands is defined above; define it once",
        ),
        (
            "[files]\nreads = 'first'\ninstead = ['-f']",
            "x.toml:5: `instead` needs operands that are `\"rest\"`; write `reads = \"rest\"`, or the like",
        ),
        (
            "[files]\nby = 'copy'",
            "x.toml:6: `copy` is no function of src/files; write its module and its name: `module::function`",
        ),
        (
            "[files]\nby = 'copies::copy(call)'",
            "x.toml:6: `copies::copy(call)` is no function of src/files; write its module and its name: `module::function`",
        ),
        ("[files]\npartly = 'yes'", "x.toml:6: `partly` is `true` or left out; write `true` without quotes"),
        ("[files]\nidle = ['-n']", "x.toml:5: `files`: there is no option `-n`; add it to the options"),
        ("[files]\nrecursive = ['-r']", "x.toml:5: `files`: there is no option `-r`; add it to the options"),
        (
            "[files]\nwrites = 'rest'\ninstead = ['--like']",
            "x.toml:5: `files`: there is no option `--like`; add it to the options",
        ),
        ("[files.values]\nreads = ['-k']", "x.toml:5: `files`: there is no option `-k`; add it to the options"),
        (
            "[files.values]\nreads = ['-f']\nwrites = ['-f']",
            "x.toml:5: `files.values`: the option `-f` stands twice; keep the use that is right",
        ),
        ("[files.values]\nfile = ['-f']", &format!("x.toml:6: unknown key `file`; {USES}")),
        (
            "[[command]]\nnames = ['c']\n[command.files]\nidle = ['-n']",
            "x.toml:7: `files`: there is no option `-n`; add it to the options",
        ),
        (
            "[[command]]\nnames = ['c']\nas-written = true\n[command.files]\nidle = ['n']",
            "x.toml:8: `files`: `n` has no dash; write one dash or two",
        ),
        ("[[command]]\nnames = ['c']\nas-written = true\n[command.files]\nidle = ['-n']", ""),
        ("[files]\nidle = ['-g']\n[[command]]\nnames = ['c']\n[command.options]\nflag = ['-g']", ""),
        ("[[command]]\nnames = ['c']\n[command.files.values]\nreads = ['-f']", ""),
        ("[files]", ""),
    ] {
        let text = format!("names = ['x']\n[options]\nvalue = ['-f']\n\n{text}");
        assert_eq!(mistakes(&[("x.toml", &text)]).join("\n"), expected, "{text}");
    }
    let shared = [
        ("p.toml", "names = ['p']\n[[command]]\nnames = ['c']\n[command.files]\nidle = ['-n']"),
        ("q.toml", "names = ['q']\nshares = ['p c']"),
    ];
    assert_eq!(mistakes(&shared), ["p.toml:4: `files`: there is no option `-n`; add it to the options"], "once");
}

#[test]
fn a_mistake_about_what_is_run_is_reported_with_its_line() {
    const KEYS: &str = "`runs` has command, program, by, code-by, all-by, input-by, skip, loads, idle, values, sets, removes, enters, mounts, roots, root-operand, shares, project, shell, \
                        assigns, on, elsewhere, background, repeats, closes-files, by-name, in-this-shell";
    const WHEN: &str = "expects `true` or options; write `true`, `{ with = [\"-f\"] }` or `{ without = [\"-f\"] }`";
    for (text, expected) in [
        ("[runs]\nruns = 'words'", format!("x.toml:6: unknown key `runs`; {KEYS}")),
        (
            "[runs]\ncommand = 'all'",
            "x.toml:6: unknown command `all`; write one of words, joined, each, package, unlisted".to_owned(),
        ),
        (
            "[runs]\ncommand = 'words'\nby = 'wrappers::sudo'",
            "x.toml:7: `by`: what the operands are is defined above; define it once".to_owned(),
        ),
        (
            "[runs]\nall-by = 'sudo'",
            "x.toml:6: `sudo` is no function of src/nested; write its module and its name: `module::function`"
                .to_owned(),
        ),
        ("[runs]\nskip = '1'", "x.toml:6: `skip` expects a number from 1 to 9; write `skip = 1`".to_owned()),
        ("[runs]\nskip = 10", "x.toml:6: `skip` expects a number from 1 to 9; write `skip = 1`".to_owned()),
        ("[runs]\non = 'vm'", "x.toml:6: unknown on `vm`; write one of container, cluster, remote".to_owned()),
        ("[runs]\nelsewhere = false", format!("x.toml:6: `elsewhere` {WHEN}")),
        ("[runs]\nbackground = { with = ['-f'], without = ['-f'] }", format!("x.toml:6: `background` {WHEN}")),
        (
            "[runs]\nbackground = { with = ['-b'] }",
            "x.toml:5: `runs`: there is no option `-b`; add it to the options".to_owned(),
        ),
        ("[runs]\nsets = ['-e']", "x.toml:5: `runs`: there is no option `-e`; add it to the options".to_owned()),
        (
            "[runs.values]\nscript = ['-c']",
            "x.toml:5: `runs`: there is no option `-c`; add it to the options".to_owned(),
        ),
        (
            "[runs.values]\nshell = ['-f']",
            "x.toml:6: unknown key `shell`; `values` has script, here, words, code, code-file".to_owned(),
        ),
        (
            "[[command]]\nnames = ['c']\nas-written = true\n[command.runs]\ncommand = 'words'",
            "x.toml:8: `runs`: what is `as-written` has no subcommands where commands are read; say it of the program"
                .to_owned(),
        ),
        ("[runs.values]\nscript = ['-f']", String::new()),
        ("[runs]", String::new()),
    ] {
        let text = format!("names = ['x']\n[options]\nvalue = ['-f']\n\n{text}");
        assert_eq!(mistakes(&[("x.toml", &text)]).join("\n"), expected, "{text}");
    }
}

#[test]
fn what_a_program_runs_becomes_a_row() {
    const X: (&str, &str) = (
        "x.toml",
        "names = ['x']\n[options]\nvalue = ['-c', '-e', '-w']\nflag = ['-d', '-n']\n[runs]\nby = 'wrappers::sudo'\nskip = 1\n\
         on = 'container'\nloads = ['X']\nidle = ['-n']\nsets = ['-e']\nenters = ['-w']\nbackground = { with = ['-d'] }\n\
         input-by = 'databases::psql_input'\n\
         [runs.values]\nscript = ['-c']\n[[command]]\nnames = ['c', 'd']\n[command.runs]\ncommand = 'each'\n\
         elsewhere = { without = ['-n'] }\nshell = true",
    );
    let rows = |files: &[(&str, &str)]| compiled(files).unwrap().runs.replace('\n', " ");
    let text = rows(&[X]);
    for row in [
        "Runner { names: &[\"x\"], under: &[], form: OperandForm::Own(wrappers::sudo), // programs/x.toml:5 program: None, skip: 1, \
         values: &[(\"-c\", OptionValueForm::Script), ], loads: &[\"X\"], idle: &[\"-n\"], sets: &[\"-e\"], removes: &[], enters: &[\"-w\"], \
         bare: BareRun::Nothing, assigns: AssignmentPrefix::No, scope: CommandScope::Container, place: WorkingDirectory::Elsewhere, \
         times: RunRepetition::Once, waits: WaitCondition::NotWith(&[\"-d\"]), process: ProcessSharing::Other, \
         files: InheritedDescriptors::Kept, identity: ProgramIdentity::Fixed, shared: SharedFiles { mounts: &[], roots: &[], has_root_operand: false, unless: None, project: None }, input: Some(databases::psql_input) },",
        "Runner { names: &[\"x\"], under: &[&[\"c\", \"d\"], ], form: OperandForm::Each, // programs/x.toml:19 program: None, skip: 0, \
         values: &[], loads: &[], idle: &[], sets: &[], removes: &[], enters: &[], bare: BareRun::Shell, assigns: AssignmentPrefix::No, \
         scope: CommandScope::Local, place: WorkingDirectory::Without(&[\"-n\"]), times: RunRepetition::Once, waits: WaitCondition::Always, \
         process: ProcessSharing::Other, files: InheritedDescriptors::Kept, identity: ProgramIdentity::Fixed, shared: SharedFiles { mounts: &[], roots: &[], has_root_operand: false, unless: None, project: None }, input: None },",
    ] {
        assert!(text.contains(row), "{row}\n{text}");
    }
    let kin = |text| rows(&[X, ("y.toml", text)]);
    assert!(
        kin("names = ['y']\nlike = 'x'")
            .contains("names: &[\"y\"], under: &[], form: OperandForm::Own(wrappers::sudo)")
    );
    assert_eq!(kin("names = ['y']\nlike = 'x'\n[runs]"), text, "an empty table keeps that of kin away");
    let spelled = rows(&[
        ("x.toml", "names = ['x']\n[options]\nflag = ['--detach -d']\n[runs]\ncommand = 'words'\nidle = ['-d']"),
        ("y.toml", "names = ['y']\nas-written = true\nlike = 'x'"),
    ]);
    assert!(spelled.contains("idle: &[\"--detach\", \"-d\"]"), "{spelled}");
}

#[test]
fn variables_that_hold_what_a_program_runs_become_rows() {
    let x = "names = ['x', 'y']\n[variables]\nscript = ['PAGER']\nfile = ['RC', 'RC2']";
    let rows = |files: &[(&str, &str)]| {
        let text = compiled(files).unwrap().variables;
        text.lines().filter(|line| line.starts_with('(')).map(str::to_owned).collect::<Vec<_>>()
    };
    let own = [
        "(&[\"x\", \"y\"], &[\"PAGER\"], VariableUse::Script),",
        "(&[\"x\", \"y\"], &[\"RC\", \"RC2\"], VariableUse::File),",
    ];
    assert_eq!(rows(&[("x.toml", x)]), own);
    assert_eq!(rows(&[("x.toml", x), ("z.toml", "names = ['z']\nlike = 'x'")]).len(), 4);
    assert_eq!(rows(&[("x.toml", x), ("z.toml", "names = ['z']\nlike = 'x'\n[variables]")]), own);
    for (text, expected) in [
        (
            "[variables]\nPAGER = 'script'",
            "x.toml:3: unknown key `PAGER`; `variables` has script, file, piped, home, options, code, modules, code-text, opener, libraries",
        ),
        ("[variables]\nscript = 'PAGER'", "x.toml:3: `script` expects a list; write `script = [\"…\"]`"),
        (
            "[[command]]\nnames = ['c']\n[command.variables]\nscript = ['PAGER']",
            "x.toml:4: `variables` is said of a program, not of a subcommand; move it to the top of the program's file",
        ),
    ] {
        assert_eq!(mistakes(&[("x.toml", &format!("names = ['x']\n{text}"))]).join("\n"), expected, "{text}");
    }
}

#[test]
fn the_records_of_the_readme_are_right() {
    let readme = include_str!("../../../programs/README.md");
    let blocks = readme.split("```toml\n").skip(1).filter_map(|block| block.split("```").next());
    let names = blocks.map(|text| {
        let name = text.split('"').nth(1).unwrap();
        assert_eq!(mistakes(&[(&format!("{name}.toml"), text)]), Vec::<String>::new(), "{text}");
        name
    });
    assert_eq!(names.collect::<Vec<_>>(), ["cp", "chown", "upload", "sshexec"]);
}

/// Returns the generated rows for what the programs do to files, each on one line.
#[track_caller]
fn file_rows(files: &[(&str, &str)]) -> Vec<String> {
    let text = compiled(files).unwrap().files.replace("],\n];", "");
    text.split("FileRow { ").skip(1).map(|row| row.trim_end().replace('\n', " ")).collect()
}

#[test]
fn what_a_program_does_to_files_becomes_a_row() {
    let full = "names = ['x', 'y']\n[options]\nflag = ['-r', '-n', '-k']\nvalue = ['-o', '-i']\n[files]\nwrites = 'rest'\n\
                instead = ['-k']\nrecursive = ['-r']\nfollows = ['-k']\nidle = ['-n']\nempties = ['V']\npartly = true\n\
                [files.values]\nwrites = ['-o']\nat = ['-i']\n[files.variables]\nwrites = ['X_*']\n\
                [[command]]\nnames = ['c', 'd']\n[command.files]\nby = 'copies::copy'";
    assert_eq!(
        file_rows(&[("x.toml", full)]),
        [
            "names: &[\"x\", \"y\"], under: &[], operands: FileOperands::Rest(&[\"-k\"], FileUse::Write), // programs/x.toml:5 \
             skip: 0, recursive: &[\"-r\"], follows: &[\"-k\"], values: &[(&[\"-o\"], FileUse::Write), (&[\"-i\"], FileUse::At), ], idle: &[\"-n\"], \
             variables: &[(&[\"X_*\"], FileUse::Write), ], empties: &[\"V\"], is_partial: true },",
            "names: &[\"x\", \"y\"], under: &[&[\"c\", \"d\"], ], operands: FileOperands::By(copies::copy), \
             // programs/x.toml:20 skip: 0, recursive: &[], follows: &[], values: &[], idle: &[], variables: &[], empties: &[], \
             is_partial: true },",
        ]
    );
}

#[test]
fn kin_does_to_files_what_the_other_does_unless_it_has_a_table_of_its_own() {
    const KIN: (&str, &str) = (
        "kin.toml",
        "names = ['kin']\n[options]\nflag = ['--all -r']\nreads = ['--file -f']\n[files]\ndeletes = 'operands'\nrecursive = ['-r']",
    );
    let of_x = |text| {
        let mut rows = file_rows(&[KIN, ("x.toml", text)]);
        rows.retain(|row| row.starts_with("names: &[\"x\"]"));
        rows.join("\n")
    };
    let like = of_x("names = ['x']\nlike = 'kin'");
    assert!(
        like.contains(
            "FileOperands::Each(FileUse::Delete), // programs/kin.toml:5 skip: 0, recursive: &[\"-r\"], follows: &[], values: &[]"
        ),
        "{like}"
    );
    let as_written = of_x("names = ['x']\nas-written = true\nlike = 'kin'");
    assert!(
        as_written.contains(
            "recursive: &[\"--all\", \"-r\"], follows: &[], values: &[(&[\"--file\", \"-f\"], FileUse::Read), ]"
        ),
        "without options of its own it has every spelling: {as_written}"
    );
    let own = of_x("names = ['x']\nlike = 'kin'\n[files]\npartly = true");
    assert!(
        own.contains("FileOperands::None, // programs/x.toml:3 skip: 0, recursive: &[], follows: &[], values: &[], idle: &[], variables: &[], empties: &[], is_partial: true"),
        "{own}"
    );
    assert_eq!(of_x("names = ['x']"), "");
}

#[test]
fn what_is_as_written_is_in_the_rows_alone() {
    let files = [
        ("x.toml", "names = ['x']\nas-written = true\n[files]\nreads = 'operands'"),
        ("y.toml", "names = ['y']\n[[command]]\nnames = ['c']\nas-written = true\n[command.files]\nreads = 'operands'"),
    ];
    assert_eq!(file_rows(&files).len(), 2);
    let without = [("y.toml", "names = ['y']")];
    assert_eq!(compiled(&files).unwrap().programs, compiled(&without).unwrap().programs);
}

/// Returns the generated row of the program `x`, on one line.
#[track_caller]
fn row(files: &[(&str, &str)]) -> String {
    let text = compiled(files).unwrap().programs.replace('\n', " ");
    let row = text.split("const PROGRAMS").nth(1).unwrap();
    let row = row.split("Program { ").find(|row| row.starts_with("names: &[\"x\"]")).unwrap();
    let (start, rest) = row.split_once("dialects: ").unwrap();
    format!("{start}dialects: {},", rest.split_once(',').unwrap().0)
}

#[test]
fn a_record_takes_from_others_what_it_names() {
    const KIN: (&str, &str) = (
        "kin.toml",
        "names = ['kin']\nreading = 'words'\nlong-options = 'whole'\nshort-options = 'equals'\nsubcommands = 'shortened'\n\
         operands = 'runs'\nunlisted = 'alias'\n[options]\nflag = ['-k']",
    );
    const SETS: (&str, &str) = (
        "s.toml",
        "names = ['s']\neach = ['all']\n[set.all]\nflag = ['-a']\n[set.some]\nflag = ['-s']\n[options]\nflag = ['-o']",
    );
    const ROW: &str = "reading: WordSyntax::Words, long_options: LongOptionSyntax::Whole, short_options: ShortOptionSyntax::Equals, \
                       subcommands: SubcommandSyntax::Shortened, aliases: &[], far_aliases: &[], tracks: &[], options: &[], shared: &[OPTIONS_0], \
                       commands: &[ ], unlisted: UnlistedSubcommand::Alias, operands: OperandEffect::Runs, is_interpreter: false, is_runner: false, \
                       looks: LookEnds { reading: &[], asking: &[] }, behind_dashes: &[], plain_values: &[], incidental: &[], incidental_call: None, runs_scripts: false, reads_input: true, language: None, dialects: DialectSet::NONE },";
    let like = |text| row(&[KIN, ("x.toml", text)]);
    assert_eq!(like("names = ['x']\nlike = 'kin'"), format!("names: &[\"x\"], {ROW}"));
    let own = like("names = ['x']\nlike = 'kin'\nreading = 'gnu'\n[options]\nvalue = ['-v']");
    assert!(own.contains("WordSyntax::Gnu, ") && own.contains("options: OPTIONS_1, shared: &[OPTIONS_0]"), "{own}");

    let of_a_set = row(&[SETS, ("s/x.toml", "names = ['x']\nwith = ['some']")]);
    assert!(of_a_set.contains("options: &[], shared: &[OPTIONS_1, OPTIONS_2]"), "{of_a_set}");
    let below = row(&[SETS, ("s/y.toml", "names = ['y']\n[[command]]\nnames = ['x']")]);
    assert!(below.contains("shared: &[OPTIONS_1]"), "{below}");
}

#[test]
fn a_file_in_a_directory_is_a_subcommand() {
    let inline = [("p.toml", "names = ['p']\n[[command]]\nnames = ['c']\n[command.options]\nflag = ['-f']")];
    let apart = [("p.toml", "names = ['p']"), ("p/c.toml", "names = ['c']\n[options]\nflag = ['-f']")];
    assert_eq!(compiled(&inline), compiled(&apart));
    assert_eq!(
        mistakes(&[("p/c.toml", "names = ['c']")]),
        ["p/c.toml:1: `p.toml` is missing; a directory has the subcommands of the record beside it"]
    );
    let deeper = [inline[0], ("p/c/d.toml", "names = ['d']"), ("p/p/d.toml", "names = ['d']")];
    assert_eq!(
        mistakes(&deeper),
        [
            "p/c/d.toml:1: `p/c.toml` is missing; a directory has the subcommands of the record beside it",
            "p/p/d.toml:1: `p/p.toml` is missing; a directory has the subcommands of the record beside it"
        ],
        "a subcommand in a file of its program has no directory"
    );
}

#[test]
fn a_shared_subcommand_is_the_one_of_the_other_program() {
    let written = [
        ("p.toml", "names = ['p']\n[[command]]\nnames = ['c', 'd']\n[[command]]\nnames = ['e']"),
        ("q.toml", "names = ['q']\n[[command]]\nnames = ['c', 'd']\n[[command]]\nnames = ['e']"),
    ];
    for shares in ["'p c', 'p e'", "'p *'"] {
        let text = format!("names = ['q']\nshares = [{shares}]");
        assert_eq!(compiled(&[written[0], ("q.toml", &text)]), compiled(&written), "{shares}");
    }
}

#[test]
fn what_a_program_prints_becomes_a_row() {
    let text = compiled(&[(
        "x.toml",
        "names = ['x', 'gx']\n[prints]\nname = ['x', 'x -s']\ntemporary-file = ['x -t f']\nby = 'prints::x'\n\
         data = true\nsettings = ['x hook']\nenvironment = ['x init']",
    )]);
    let row = "Row { names: &[\"x\", \"gx\"], commands: &[(&[], PrintedValue::Name), (&[\"-s\"], PrintedValue::Name), \
               (&[\"-t\", \"f\"], PrintedValue::TemporaryFile), ], generates: &[(&[\"hook\"], EvaluationEffect::Settings), \
               (&[\"init\"], EvaluationEffect::Environment), ], is_data: true,\nby: Some(prints::x), // programs/x.toml:2\n},";
    let text = text.unwrap().prints;
    assert!(text.contains(row), "{text}");
    for (text, expected) in [
        (
            "[prints]\ndate = ['x']",
            "x.toml:3: unknown key `date`; `prints` has name, plain, temporary-file, temporary-directory, data, settings, \
             environment, by",
        ),
        ("[prints]\nsettings = ['-s']", "x.toml:2: `prints`: `-s` does not begin with `x`; write the whole command"),
        ("[prints]\nname = ['-s']", "x.toml:2: `prints`: `-s` does not begin with `x`; write the whole command"),
        (
            "[prints]\nby = 'x'",
            "x.toml:3: `x` is no function of src/prints.rs; write its module and its name: `module::function`",
        ),
        (
            "[[command]]\nnames = ['c']\n[command.prints]\nname = ['c']",
            "x.toml:4: `prints` is said of a program, not of a subcommand; move it to the top of the program's file",
        ),
    ] {
        assert_eq!(mistakes(&[("x.toml", &format!("names = ['x']\n{text}"))]).join("\n"), expected, "{text}");
    }
}

#[test]
fn what_becomes_of_what_is_in_files_becomes_a_row() {
    let text = compiled(&[
        ("x.toml", "names = ['x']\n[files]\ncontent = 'lines'\nedits = true\nunpacks = ['.q']"),
        ("y.toml", "names = ['y']\nlike = 'x'"),
        ("z.toml", "names = ['z']\n[files]\ncollects = true"),
        ("none.toml", "names = ['none']\n[files]\nreads = 'operands'"),
    ]);
    let text = text.unwrap().contents;
    let row = |name: &str, rest: &str| format!("&[\nContentRow {{ names: &[\"{name}\"], {rest} }},\n],\n");
    let lines =
        "content: Some(WrittenContent::Lines), edits: true, streams: false, collects: false, unpacks: &[\".q\"]";
    let collects = "content: None, edits: false, streams: false, collects: true, unpacks: &[]";
    let rows = row("x", lines) + &row("y", lines) + &row("z", collects);
    assert!(text.ends_with(&format!("= &[\n{rows}];\n")), "{text}");
    for (text, expected) in [
        (
            "[files]\ncontent = 'much'",
            "x.toml:3: unknown content `much`; write one of copies, input, lines, values, compiled, other",
        ),
        (
            "[[command]]\nnames = ['c']\n[command.files]\nedits = true",
            "x.toml:4: `content`, `edits`, `streams`, `collects` and `unpacks` are said of a program, not of a subcommand; \
             move it to `[files]` of the program",
        ),
    ] {
        assert_eq!(mistakes(&[("x.toml", &format!("names = ['x']\n{text}"))]).join("\n"), expected, "{text}");
    }
}

#[test]
fn what_a_program_is_becomes_a_part_of_its_row() {
    for (text, expected) in [
        ("", "reads_input: true, language: None, dialects: DialectSet::NONE }"),
        ("input = 'read'", "reads_input: true, "),
        ("input = 'ignored'", "reads_input: false, "),
        ("language = 'php'", "language: Some(InterpreterLanguage::Php), "),
        ("dialect = 'any'", "dialects: DialectSet::BOURNE }"),
        // These keys are not inherited from a similar program.
        ("like = 'kin'", "reads_input: true, language: None, dialects: DialectSet::NONE }"),
    ] {
        let kin = ("kin.toml", "names = ['kin']\ninput = 'ignored'\nlanguage = 'r'\ndialect = 'sh'");
        let row = row(&[kin, ("x.toml", &format!("names = ['x']\n{text}"))]);
        assert!(row.contains(expected), "{text}: {row}");
    }
    for (text, expected) in [
        ("input = 'none'", "x.toml:2: unknown input `none`; write one of read, ignored"),
        (
            "language = 'basic'",
            "x.toml:2: unknown language `basic`; write one of applescript, awk, javascript, julia, lua, perl, php, \
             python, r, ruby",
        ),
        ("dialect = 'fish'", "x.toml:2: unknown dialect `fish`; write one of any, bash, dash, sh, zsh"),
        (
            "[[command]]\nnames = ['c']\ninput = 'ignored'",
            "x.toml:4: `input` is said of a program, not of a subcommand; move it to the top of the program's file",
        ),
        ("[startup]\nlast = ['.x']", "x.toml:3: unknown key `last`; `startup` has always, interactive, login"),
    ] {
        assert_eq!(mistakes(&[("x.toml", &format!("names = ['x']\n{text}"))]).join("\n"), expected, "{text}");
    }
}

#[test]
fn the_files_that_a_shell_runs_by_itself_become_rows() {
    let text = compiled(&[
        ("x.toml", "names = ['x', 'rx']\ndialect = 'any'\n[startup]\nalways = ['.xenv']\nlogin = ['.xlogin', '.xout']"),
        ("y.toml", "names = ['y']\nlike = 'x'"),
    ])
    .unwrap();
    let rows = "= &[\n(&[\"x\", \"rx\"], StartupCondition::Always, &[\".xenv\"]),\n\
                (&[\"x\", \"rx\"], StartupCondition::Login, &[\".xlogin\", \".xout\"]),\n];\n";
    assert!(text.startup.ends_with(rows), "{}", text.startup);
    assert!(text.programs.contains("const SHELLS: &[&str] = &[\"x\", \"rx\"];"), "{}", text.programs);
}
