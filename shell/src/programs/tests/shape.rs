//! Records as people write them: what a record comes to, and the mistakes that stop the build.

#[path = "../../records/write.rs"]
mod write;

use crate::records;

/// Compiles records, each a file and its text, and returns what is wrong with them.
fn mistakes(files: &[(&str, &str)]) -> Vec<String> {
    compiled(files).err().unwrap_or_default()
}

fn compiled(files: &[(&str, &str)]) -> Result<String, Vec<String>> {
    let files: Vec<_> = files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
    let compiled = records::compile(&files, None);
    compiled
        .map(|compiled| write::write(&compiled.programs))
        .map_err(|found| found.iter().map(ToString::to_string).collect())
}

#[test]
fn a_mistake_is_reported_with_its_file_and_line() {
    const KEYS: &str = "a record has names, versioned, interpreter, like, reading, unlisted, operands, with, each, shares, \
                        options, set, command";
    const KINDS: &str = "the kinds are flag, changes, starts, explains, value, reads, writes, runs, enters, attached, \
                         attached-writes, attached-runs, long, command, undo, both";
    for (text, expected) in [
        ("", "x.toml:1: `names` is missing; write the names first: `names = [\"tool\"]`"),
        (
            "names = ['y']",
            "x.toml:1: the file is named `x`, and `names` lacks that name; add \"x\", or rename the file",
        ),
        ("names = 'x'", "x.toml:1: `names` expects a list; write `names = [\"…\"]`"),
        ("names = ['x', 1]", "x.toml:1: `names` expects text in quotes; write \"…\""),
        ("names = ['x', '']", "x.toml:1: a name in `names` is empty; write the name, or remove it"),
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
        ("names = ['x']\noperands = 'reads'", "x.toml:2: unknown operands `reads`; write one of nothing, runs, writes"),
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
    ] {
        let kin = ("kin.toml", "names = ['kin']\n[options]\nflag = ['-k']\n[[command]]\nnames = ['show']");
        assert_eq!(mistakes(&[("x.toml", text), kin]).join("\n"), expected, "{text}");
    }
}

/// Returns the row of the program `x`, in one line, and the lists of options that it names.
#[track_caller]
fn row(files: &[(&str, &str)]) -> String {
    let text = compiled(files).unwrap().replace('\n', " ");
    let row = text.split("const PROGRAMS").nth(1).unwrap();
    row.split("Program { ")
        .find(|row| row.starts_with("names: &[\"x\"]"))
        .unwrap()
        .split_inclusive("},")
        .next()
        .unwrap()
        .to_owned()
}

#[test]
fn a_record_takes_from_others_what_it_names() {
    const KIN: (&str, &str) = (
        "kin.toml",
        "names = ['kin']\nreading = 'words'\noperands = 'runs'\nunlisted = 'alias'\n[options]\nflag = ['-k']",
    );
    const SETS: (&str, &str) = (
        "s.toml",
        "names = ['s']\neach = ['all']\n[set.all]\nflag = ['-a']\n[set.some]\nflag = ['-s']\n[options]\nflag = ['-o']",
    );
    const ROW: &str = "reading: Reading::Words, options: &[], shared: &[OPTIONS_0], commands: &[ ], \
                       unlisted: Unlisted::Alias, operands: Does::Runs, is_interpreter: false },";
    let like = |text| row(&[KIN, ("x.toml", text)]);
    assert_eq!(like("names = ['x']\nlike = 'kin'"), format!("names: &[\"x\"], {ROW}"));
    let own = like("names = ['x']\nlike = 'kin'\nreading = 'gnu'\n[options]\nvalue = ['-v']");
    assert!(own.contains("Reading::Gnu, options: OPTIONS_1, shared: &[OPTIONS_0]"), "{own}");

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
