//! The records of texts, one per line: the words, then their properties.

mod characters;
mod dialects;
mod loaded;
mod properties;
mod quoted_lists;
mod scripts;
mod streams;
mod values;

use std::path::Path;

use super::*;
use crate::analysis::{Assignment, RedirectKind};
use crate::word::{Word, WordPart};

fn start() -> StartDirectories<'static> {
    StartDirectories { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) }
}

/// Formats a word: quoted where a shell needs it, unknown parts in angle brackets, with a `+` if they split.
fn word(word: &Word) -> String {
    let mut text = String::new();
    for part in &word.parts {
        match part {
            WordPart::Text(known) => text.push_str(known),
            WordPart::Glob(glob) => text.push_str(&format!("«{glob}»")),
            WordPart::Unknown(unknown) => {
                text.push_str(&format!("⟨{}{}⟩", unknown.reason.word, if unknown.may_split { "+" } else { "" }));
            }
        }
    }
    let is_plain = !text.is_empty() && !text.contains([' ', '\n', '\t', '\'']);
    if is_plain { text } else { format!("{text:?}") }
}

fn assignment(assignment: &Assignment) -> String {
    format!("{}={}", assignment.name, assignment.value.as_ref().map_or_else(|| "∅".to_owned(), word))
}

fn ids(ids: &[CommandId]) -> String {
    ids.iter().map(|id| id.0.to_string()).collect::<Vec<_>>().join(",")
}

fn record(command: &SimpleCommand) -> String {
    let mut words: Vec<String> = command.assignments.iter().map(assignment).collect();
    words.extend(command.words.iter().map(word));
    for redirect in &command.redirects {
        let sign = match redirect.kind {
            RedirectKind::Read => "<",
            RedirectKind::Write => ">",
            RedirectKind::ReadWrite => "<>",
            RedirectKind::Text => "<<<",
        };
        words.push(format!("{sign}{}", word(&redirect.target)));
    }
    let mut text = words.join(" ");
    let flags = [
        (!command.outer_commands.is_empty()).then(|| format!("via {}", ids(&command.outer_commands))),
        command.doubt.as_ref().map(|why| format!("doubt {}", why.word)),
        (command.scope != CommandScope::Local).then(|| format!("{:?}", command.scope)),
        match &command.cwd {
            Directory::Known(path) if path == Path::new("/w") => None,
            Directory::Known(path) => Some(format!("in {}", path.display())),
            Directory::Unknown(why) => Some(format!("in ? {}", why.word)),
        },
        command.in_loop.then(|| "loop".to_owned()),
        command.in_background.then(|| "background".to_owned()),
        command.in_substitution.then(|| "substitution".to_owned()),
        command.is_shadowed.then(|| "shadowed".to_owned()),
        (!command.piped_from.is_empty()).then(|| format!("piped from {}", ids(&command.piped_from))),
        (command.stdin_from != command.piped_from).then(|| format!("stdin from {}", ids(&command.stdin_from))),
        (!command.code_from.is_empty()).then(|| format!("code from {}", ids(&command.code_from))),
    ];
    let flags: Vec<String> = flags.into_iter().flatten().collect();
    if !flags.is_empty() {
        text.push_str(&format!(" [{}]", flags.join("; ")));
    }
    text
}

fn shown(text: &str) -> String {
    let analysis = analyse(text, &start());
    let mut lines: Vec<String> = analysis.commands.iter().map(record).collect();
    for opaque in &analysis.opaque {
        let by = opaque.runner.map(|id| format!(" by {}", id.0)).unwrap_or_default();
        let text = opaque.text.as_ref().map(|text| format!(" {:?}", text.as_str())).unwrap_or_default();
        lines.push(format!("?{:?}{by}{text}", opaque.reason.cause));
    }
    lines.join("\n")
}

/// Checks the records of a text, one per line, and its opaque code.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(text), expected.join("\n"), "{text}");
}

#[test]
fn lists_pipelines_and_groups_are_flat() {
    check("a; b &\nc &", &["a", "b [background]", "c [background]"]);
    check("a && b || c | d |& e", &["a", "b", "c", "d [piped from 2]", "e [piped from 3; stdin from 2,3]"]);
    check("a | (b; c) | d", &["a", "b [piped from 0]", "c [piped from 0]", "d [piped from 1,2; stdin from 0,1,2]"]);
    check("! time -p a; { b; }; (c)", &["a", "b", "c"]);
    check("coproc rm x; rm y &", &["rm x [background]", "rm y [background]"]);
    check("if a; then b; elif c; then d; else e; fi", &["a", "b", "c", "d", "e"]);
    check("case $(a) in $(b)) c;; *) d;; esac", &["a [substitution]", "b [substitution]", "c", "d"]);
    check("while a < f; do b; done > g 2>&1", &["a <f >g [loop]", "b >g [loop]"]);
    check("for ((i=0;i<$(n);i++)); do a $i; done", &["n [substitution]", "a ⟨$i⟩ [loop]"]);
    check("select x in a b; do $x; done", &["⟨$x+⟩ [loop]"]);
    check("[ $(a) = b ] && c || d && e", &["[ ⟨$(a)+⟩ = b ]", "a [substitution]", "c", "d", "e"]);
    check("exit; rm x", &["exit", "rm x"]);
}

#[test]
fn text_that_only_looks_like_a_command_is_none() {
    check("git commit -m 'x; rm -rf b `c`' # d", &[r#"git commit -m "x; rm -rf b `c`""#]);
    check(r#"echo "rm -rf b" 'sudo x'"#, &[r#"echo "rm -rf b" "sudo x""#]);
    check("cat > f <<'E'\nrm -rf / $(x)\nE", &[r#"cat >f <<<"rm -rf / $(x)\n""#]);
    check("[[ a > /tmp && b < c ]]", &[]);
    check("f() { rm x; }", &[]);
}

#[test]
fn quotes_and_escapes_vanish() {
    check("r\"\"m -\"r\"f x; \\r\\m x; 'rm' x; $'rm' x; r\\\nm x", &["rm -rf x", "rm x", "rm x", "rm x", "rm x"]);
    check(
        r#"echo $'a\tb\x41\u00e9\'q' $"loc $HOME" "a\$b\"c\\d\e" 'a\b' a\ b ''"#,
        &[r#"echo "a\tbAé'q" "loc /home/dev" a$b"c\d\e a\b "a b" """#],
    );
    check(r#"$'\162\155' $'\u0072m' $'a\0b'c"#, &["rm rm ac"]);
    check("rm \\\n  -rf\\\nx \"a\\\nb\"", &["rm -rfx ab"]);
    check("rm -rf b", &["rm -rf b"]);
}

#[test]
fn braces_make_words() {
    check("{rm,-rf,b}", &["rm -rf b"]);
    check(
        r#"echo {a,b}{1..3} {x} {} a{b,}c {01..03} {a..c} {5..1..2} "{a,b}" \{a,b} {a,'b c'}"#,
        &[r#"echo a1 a2 a3 b1 b2 b3 {x} {} abc ac 01 02 03 a b c 5 3 1 {a,b} {a,b} a "b c""#],
    );
    check("{a,b", &["{a,b"]);
    check("echo {a,{b,c}d} a{b,$(c)}", &["echo a bd cd ab a⟨$(c)+⟩", "c [substitution]"]);
    check("echo {1..1000}", &["echo ⟨{1..1000}+⟩"]);
}

#[test]
fn tildes_are_directories() {
    check(
        r#"echo ~ ~/a ~+/b ~- ~bob/x "~" a~ x=~ --p=~/y a=b:~/c; v=~/z:~/w; echo $v"#,
        &[
            "echo /home/dev /home/dev/a /w/b ⟨~-⟩ ⟨~bob⟩/x ~ a~ x=/home/dev --p=~/y a=b:/home/dev/c",
            "v=/home/dev/z:/home/dev/w",
            "echo /home/dev/z:/home/dev/w",
        ],
    );
    check("HOME=/x; cd; echo ~", &["HOME=/x", "cd", "echo /x [in /x]"]);
}

#[test]
fn globs_stay() {
    check(
        r#"echo a*b "a*b" a\*b [ab]c [ a? [!x]; g='*.o'; echo $g "$g""#,
        &["echo a«*»b a*b a*b «[ab]»c [ a«?» «[!x]»", "g=*.o", "echo «*».o *.o"],
    );
    check("shopt -s extglob\nrm !(a) @(b|c)", &["shopt -s extglob", "rm «*» «*»"]);
}

#[test]
fn values_are_known_where_the_text_sets_them() {
    check(
        r#"x='a b'; y="$x"; rm $x "$y" ${x}c; z=$x; rm $z"#,
        &[r#"x="a b""#, r#"y="a b""#, r#"rm a b "a b" a bc"#, r#"z="a b""#, "rm a b"],
    );
    check("x=ls; x=rm y=$x; $y", &["x=ls", "x=rm y=rm", "rm"]);
    check("X=1 Y=$X cmd $X; echo $X", &["X=1 Y=1 cmd ⟨$X+⟩", "echo ⟨$X+⟩"]);
    check("c=r; c+=m; $c", &["c=r", "c=rm", "rm"]);
    check(
        r#"a=(1 2 "3 4"); echo ${a[1]} "${a[@]}" ${#a[@]} $a ${a[-1]} "${a[*]}"; a+=(5); echo "${a[@]:1:2}"; a[4]=z; echo "${a[@]}""#,
        &[
            "a=⟨$a⟩",
            r#"echo 2 1 2 "3 4" 3 1 3 4 "1 2 3 4""#,
            "a=⟨$a⟩",
            r#"echo 2 "3 4""#,
            "a=⟨$a⟩",
            r#"echo 1 2 "3 4" 5 z"#,
        ],
    );
    check(
        "declare -A m; m[k]=v; echo ${m[k]}; declare -i n=3; echo $n; readonly r=5; echo $r",
        &["declare -A m", "m=⟨$m⟩", "echo ⟨${m[k]}+⟩", "declare -i n=3", "echo ⟨$n+⟩", "readonly r=5", "echo 5"],
    );
    check(
        r#"IFS=:; p=a:b::c; echo $p "$p"; IFS=; echo $p"#,
        &["IFS=:", "p=a:b::c", r#"echo a b "" c a:b::c"#, r#"IFS="""#, "echo a:b::c"],
    );
    check(r#"rm${IFS}-rf${IFS}b; "rm${IFS}x""#, &["rm -rf b", r#""rm \t\nx""#]);
    check(
        r#"read -r a b <<< 'x y'; read c <<< "z w"; echo $a $c; printf -v d %s rm; $d"#,
        &[r#"read -r a b <<<"x y\n""#, r#"read c <<<"z w\n""#, "echo x z w", "printf -v d %s rm", "rm"],
    );
    check(
        r#"echo "$@" $# $1 "$*" $0; set -- a 'b c'; echo "$@" $# $2 "$*"; shift; echo $1"#,
        &[
            "echo ⟨$@+⟩ ⟨$#⟩ ⟨$1+⟩ ⟨$*⟩ ⟨$0+⟩",
            r#"set -- a "b c""#,
            r#"echo a "b c" 2 b c "a b c""#,
            "shift",
            "echo b c",
        ],
    );
    check(r#"rm -rf "$HOME"/x $PWD/y "$OLDPWD" $?"#, &["rm -rf /home/dev/x /w/y ⟨$OLDPWD⟩ ⟨$?⟩"]);
    check(
        "export $(x); a=1; export $V; echo $a",
        &["export ⟨$(x)+⟩", "x [substitution]", "a=1", "export ⟨$V+⟩", "echo ⟨$a+⟩"],
    );
}

#[test]
fn expansions_change_values() {
    check(
        "x=path/to/file.txt; echo ${x##*/} ${x%.*} ${x%%/*} ${x#*/} ${x/to/from} ${x//t/T} ${x:0:4} ${x: -3} ${#x} ${x^^} ${x,} ${x@Q} ${x/#path/a} ${x/%txt/md}",
        &[
            "x=path/to/file.txt",
            "echo file.txt path/to/file path to/file.txt path/from/file.txt paTh/To/file.TxT path txt 16 PATH/TO/FILE.TXT path/to/file.txt \"'path/to/file.txt'\" a/to/file.txt path/to/file.md",
        ],
    );
    check(
        r#"echo ${u:-d} "${u:-d}" ${u:+z}; u=; echo "${u:-d e}" ${u-d} ${u:+z} x${u}y "$u" $u; unset u; echo ${u:-a b} ${u:=c} $u"#,
        &["echo ⟨${u:-d}+⟩ ⟨${u:-d}⟩ ⟨${u:+z}+⟩", r#"u="""#, r#"echo "d e" xy """#, "unset u", "echo a b c c"],
    );
    check("n=x; x=val; echo ${!n} ${!u}", &["n=x", "x=val", "echo val ⟨${!u}+⟩"]);
    check(
        "x=3; echo $((x*2+1)) $((x==3)) $((1+a)) $(( (2+3) % 4 )) $[7/2] $((0x1f)); echo $((x=5)) $x; ((y++)); echo $y",
        &["x=3", "echo 7 ⟨$((x==3))⟩ ⟨$((1+a))⟩ 1 3 31", "echo ⟨$((x=5))⟩ ⟨$x⟩", "echo ⟨$y+⟩"],
    );
    check(
        r#"x=010; echo $((x)) $((-010)) $((10#010)) $((16#fF)) $((08)) $((0b1)) $(printf '%d|%x|%03d' 010 255 7) $(printf %d 08)"#,
        &[
            "x=010",
            "echo 8 -8 10 255 ⟨$((08))⟩ ⟨$((0b1))⟩ 8|ff|007 ⟨08⟩",
            "printf %d|%x|%03d 010 255 7 [substitution]",
            "printf %d 08 [substitution]",
        ],
    );
    check(
        r#"echo ${x:?err} ${1:-d} ${@:2} ${10} "${x[@]}" ${!p*}"#,
        &["echo ⟨${x:?err}+⟩ ⟨${1:-d}+⟩ ⟨${@:2}+⟩ ⟨${10}+⟩ ⟨${x[@]}+⟩ ⟨${!p*}+⟩"],
    );
}

#[test]
fn what_is_not_known_is_a_hole() {
    check(
        r#"$CMD -rf b; "$TOOL" b; r${X}m b"#,
        &[
            "⟨$CMD+⟩ -rf b",
            "b [via 0; doubt $CMD]",
            "⟨$TOOL⟩ b",
            "b [via 2; doubt $TOOL]",
            "r⟨${X}+⟩m b",
            "b [via 4; doubt ${X}]",
        ],
    );
    check(
        r#"rm $F "$F" -- $(cat l) `ls`"#,
        &[r#"rm ⟨$F+⟩ ⟨$F⟩ -- "⟨$(cat l)+⟩" ⟨`ls`+⟩"#, "cat l [substitution]", "ls [substitution]"],
    );
    check(
        r#""$(cat f)" x; X=$(cat f); $X"#,
        &[
            r#""⟨$(cat f)⟩" x [code from 1]"#,
            "cat f [substitution]",
            "x [via 0; doubt $(cat f)]",
            r#"X="⟨$(cat f)⟩""#,
            "cat f [substitution]",
            r#""⟨$(cat f)+⟩" [code from 4]"#,
        ],
    );
}

#[test]
fn substitutions_run_and_literal_output_is_text() {
    check(
        "$(echo rm) -rf x; `printf 'r%s' m` y",
        &["rm -rf x", "echo rm [substitution]", "rm y", "printf r%s m [substitution]"],
    );
    check(
        r#"x=$(a; echo b); echo "$x"; x=$(echo a; echo b); echo "$x" $x"#,
        &[
            r#"x="⟨$(a; echo b)⟩""#,
            "a [substitution]",
            "echo b [substitution]",
            r#"echo "⟨$(a; echo b)⟩""#,
            r#"x="a\nb""#,
            "echo a [substitution]",
            "echo b [substitution]",
            r#"echo "a\nb" a b"#,
        ],
    );
    check(
        r#"a "$(b "$(c)")" <(d) >(e)"#,
        &[
            r#"a "⟨$(b \"$(c)\")⟩" ⟨<(d)⟩ ⟨>(e)⟩"#,
            "b ⟨$(c)⟩ [substitution]",
            "c [substitution]",
            "d [substitution]",
            "e [substitution; piped from 0]",
        ],
    );
    check(
        "x=$(<f); echo ${Z:=$(w)} $(( $(n) + 1 )) ; [[ -f $(t) ]]",
        &[
            "x=⟨$(<f)⟩",
            "<f [substitution]",
            r#"echo ⟨${Z:=$(w)}+⟩ "⟨$(( $(n) + 1 ))⟩""#,
            "w [substitution]",
            "n [substitution]",
            "t [substitution]",
        ],
    );
    check(
        "cat <<E\n$(a) `b` $HOME \\$z\nE",
        &[r#"cat <<<"⟨$(a)⟩ ⟨`b`⟩ /home/dev $z\n" [stdin from 1,2]"#, "a [substitution]", "b [substitution]"],
    );
    check("cat .en$(echo v) $(pwd)/f", &["cat .env /w/f", "echo v [substitution]", "pwd [substitution]"]);
}

#[test]
fn branches_keep_what_they_agree_on() {
    check("x=1; if a; then x=2; fi; echo $x", &["x=1", "a", "x=2", "echo ⟨$x⟩"]);
    check("if a; then x=2; else x=2; fi; echo $x", &["a", "x=2", "x=2", "echo 2"]);
    check("x=1; if a; then exit; else x=3; fi; echo $x", &["x=1", "a", "exit", "x=3", "echo 3"]);
    check("a && x=1; echo $x", &["a", "x=1", "echo ⟨$x+⟩"]);
    check("x=1 && echo $x; echo $x", &["x=1", "echo 1", "echo 1"]);
    check("x=1; case $y in a) x=2;; *) x=2;; esac; echo $x", &["x=1", "x=2", "x=2", "echo 2"]);
}

#[test]
fn loops_are_gone_through() {
    check("for x in a 'b c'; do rm $x; done", &["rm a [loop]", "rm b c [loop]"]);
    check(
        "i=0; while [ $i -lt 3 ]; do rm $i; i=$((i+1)); done; echo $i",
        &["i=0", "[ ⟨$i⟩ -lt 3 ] [loop]", "rm ⟨$i⟩ [loop]", "i=⟨$((i+1))⟩ [loop]", "echo ⟨$i⟩"],
    );
    check(r#"for f in *.o; do rm "$f"; done"#, &["rm «*».o [loop]"]);
    check("for f in $(l); do rm $f; done", &["l [substitution]", "rm ⟨$(l)+⟩ [loop]"]);
    check("while :; do c=rm; $c x; break; done", &[": [loop]", "c=rm [loop]", "rm x [loop]", "break [loop]"]);
    check("for x in {1..20}; do rm $x; done", &["rm ⟨$x⟩ [loop]"]);
    check(
        "for d in a b; do cd $d; make; cd ..; done",
        &[
            "cd a [loop]",
            "make [in /w/a; loop]",
            "cd .. [in /w/a; loop]",
            "cd b [loop]",
            "make [in /w/b; loop]",
            "cd .. [in /w/b; loop]",
        ],
    );
    check(
        "while a; do cd b; c; done; d",
        &["a [in ? cd; loop]", "cd b [in ? cd; loop]", "c [in ? b; loop]", "d [in ? cd]"],
    );
}

#[test]
fn directories_are_followed() {
    check(
        "cd a; b; cd ..; c; cd; d; cd -; e; cd /x; f",
        &[
            "cd a",
            "b [in /w/a]",
            "cd .. [in /w/a]",
            "c",
            "cd",
            "d [in /home/dev]",
            "cd - [in /home/dev]",
            "e",
            "cd /x",
            "f [in /x]",
        ],
    );
    check(
        "cd $X; a; cd /abs; b; cd ../$Y; c",
        &["cd ⟨$X+⟩", "a [in ? $X]", "cd /abs [in ? $X]", "b [in /abs]", "cd ../⟨$Y+⟩ [in /abs]", "c [in ? ../$Y]"],
    );
    check("(cd a; b); c; { cd d; }; e", &["cd a", "b [in /w/a]", "c", "cd d", "e [in /w/d]"]);
    check("cd a | b; c; cd d & e", &["cd a", "b [piped from 0]", "c", "cd d [background]", "e"]);
    check("cd b || exit; ls", &["cd b", "exit", "ls [in /w/b]"]);
    check("cd b || echo failed; ls", &["cd b", "echo failed", "ls [in /w/b]"]);
    check(
        r#"die() { echo "$1"; exit 1; }; cd b || die x; ls"#,
        &["cd b", "die x [shadowed]", "echo x", "exit 1", "ls [in /w/b]"],
    );
    check("if ! cd b; then exit; fi; ls", &["cd b", "exit [in /w/b]", "ls [in /w/b]"]);
    check("mkdir -p b && cd b && make; ls", &["mkdir -p b", "cd b", "make [in /w/b]", "ls [in /w/b]"]);
    check("[ -d b ] && cd b; ls", &["[ -d b ]", "cd b", "ls [in ? cd]"]);
    check(
        "pushd a; pushd b; popd; ls; popd; ls; popd; ls",
        &[
            "pushd a",
            "pushd b [in /w/a]",
            "popd [in /w/a/b]",
            "ls [in /w/a]",
            "popd [in /w/a]",
            "ls",
            "popd",
            "ls [in ? popd]",
        ],
    );
    check("CDPATH=/x; cd a; ls; cd ./b; ls", &["CDPATH=/x", "cd a", "ls [in ? a]", "cd ./b [in ? a]", "ls [in ? ./b]"]);
    check("(cd a; make) > log", &["cd a >log", "make >/w/log [in /w/a]"]);
}

#[test]
fn redirections_are_kept() {
    check("{ a; b; } > f 2>&1; while c; do d; done < g", &["a >f", "b >f", "c <g [loop]", "d <g [loop]"]);
    check(
        "echo a >&2 2>/dev/null </dev/null &>x >>y >&- 3>&1 {fd}>z 4<>w",
        &["echo a >/dev/null </dev/null >x >y >z <>w"],
    );
    check("f() { a; } > g; f", &["f [shadowed]", "a >g"]);
    check(r#"a > "$F" < $G >| h"#, &["a >⟨$F⟩ <⟨$G⟩ >h"]);
    check("[[ -f $(a) ]] > f; ((1)) > g", &["a >f [substitution]", ">g"]);
    check("exec 3<f; exec > log", &["exec <f", "exec >log"]);
}

#[test]
fn a_function_within_itself_is_another_one_where_anything_has_changed() {
    check("f() { f() { rm x; }; f; }; f", &["f [shadowed]", "f [shadowed]", "rm x"]);
    check(
        "x=ls; f() { $x a; x=rm; f; }; f",
        &["x=ls", "f [shadowed]", "ls a", "x=rm", "f [shadowed]", "rm a", "x=rm", "f [shadowed]"],
    );
    check("f() { f; }; f", &["f [shadowed]", "f [shadowed]"]);
}

#[test]
fn functions_run_when_they_are_called() {
    check(
        r#"f() { rm "$1"; }; f a; f "b c"; \f d"#,
        &["f a [shadowed]", "rm a", r#"f "b c" [shadowed]"#, r#"rm "b c""#, "f d [shadowed]", "rm d"],
    );
    check(r#"f() { "$@"; }; f rm -rf x"#, &["f rm -rf x [shadowed]", "rm -rf x"]);
    check(
        r#"run() { eval "$*"; }; run rm -rf x"#,
        &["run rm -rf x [shadowed]", r#"eval "rm -rf x""#, "rm -rf x [via 1]"],
    );
    check("f() { local x=rm; $x a; }; x=ls; f; $x", &["x=ls", "f [shadowed]", "local x=rm", "rm a", "ls"]);
    check("f() { return 1; rm x; }; f; rm y", &["f [shadowed]", "return 1", "rm x", "rm y"]);
    check("f() { f a; rm b; }; f", &["f [shadowed]", "f a [shadowed]", "f a [shadowed]", "rm b", "rm b"]);
    check(":(){ :|:& };:", &[": [shadowed]", ": [background; shadowed]", ": [background; shadowed; piped from 1]"]);
    check("function a:b { c; }; a:b", &["a:b [shadowed]", "c"]);
}

#[test]
fn names_that_the_text_defines_are_shadowed() {
    check(
        "git() { echo; }; git push; command git status; /bin/git log",
        &["git push [shadowed]", "echo", "command git status", "git status [via 2]", "/bin/git log"],
    );
    check("PATH=/x:$PATH; ls; /bin/ls", &["PATH=/x:⟨$PATH⟩", "ls [shadowed]", "/bin/ls"]);
    check("PATH=/x ls; ls", &["PATH=/x ls [shadowed]", "ls"]);
    check("hash -p /x ls; ls a", &["hash -p /x ls", "ls a [shadowed]", "/x a"]);
    check(
        "command_not_found_handle() { a; }; foo",
        &["a [doubt command_not_found_handle; shadowed]", "foo [shadowed]"],
    );
    check("alias r='rm -rf'\nr x 'y z'", &[r#"alias "r=rm -rf""#, r#"r x "y z" [shadowed]"#, r#"rm -rf x "y z""#]);
    check("alias r=rm; r x", &["alias r=rm", "r x [shadowed]"]);
}

#[test]
fn a_character_for_private_use_stands_for_itself() {
    for c in ['\u{F0000}', '\u{F0001}', '\u{10FFFD}'] {
        check(
            &format!("eval \"echo $Y\"; rm {c}/a; rm '{c}' \"x{c}\" \\{c}"),
            &["eval \"echo ⟨$Y⟩\"", "echo ⟨$Y+⟩ [via 0]", &format!("rm {c}/a"), &format!("rm {c} x{c} {c}")],
        );
        // From an expansion, from an escape, and in a nested text.
        check(&format!("x={c}; rm $x"), &[&format!("x={c}"), &format!("rm {c}")]);
        check(&format!("rm $'\\U{:08x}'", u32::from(c)), &[&format!("rm {c}")]);
        let escaped = c.escape_debug();
        check(
            &format!("eval \"rm {c} $Y\""),
            &[&format!("eval \"rm {escaped} ⟨$Y⟩\""), &format!("rm {c} ⟨$Y+⟩ [via 0]")],
        );
        check(
            &format!("eval eval 'rm {c}'"),
            &[&format!("eval eval \"rm {escaped}\""), &format!("eval rm {c} [via 0]"), &format!("rm {c} [via 0,1]")],
        );
    }
}

#[test]
fn nested_texts_are_read() {
    check("eval 'set -- rm x'; $@", &["eval \"set -- rm x\"", "set -- rm x [via 0]", "rm x"]);
    check(
        r#"bash -c "bash -c 'rm -rf b'""#,
        &[r#"bash -c "bash -c 'rm -rf b'""#, r#"bash -c "rm -rf b" [via 0]"#, "rm -rf b [via 0,1]"],
    );
    check(r#"bash -c '"$@"' _ rm -rf b"#, &[r#"bash -c "$@" _ rm -rf b"#, "rm -rf b [via 0]"]);
    check(r#"sh -c 'a $0 $1' z "$(b)""#, &[r#"sh -c "a $0 $1" z ⟨$(b)⟩"#, "b [substitution]", "a z ⟨$(b)+⟩ [via 0]"]);
    check(
        r#"eval "x=rm"; $x a; eval 'f() { rm b; }'; f"#,
        &["eval x=rm", "x=rm [via 0]", "rm a", r#"eval "f() { rm b; }""#, "f [shadowed]", "rm b"],
    );
    check(r#"eval eval "rm b""#, &[r#"eval eval "rm b""#, "eval rm b [via 0]", "rm b [via 0,1]"]);
    check(
        "export A=1; B=2; sh -c 'echo $A $B'; A=3 sh -c 'echo $A'",
        &[
            "export A=1",
            "B=2",
            r#"sh -c "echo $A $B""#,
            "echo 1 ⟨$B+⟩ [via 2]",
            r#"A=3 sh -c "echo $A""#,
            "echo 3 [via 4]",
        ],
    );
    check("set -a; B=2; sh -c 'echo $B'", &["set -a", "B=2", r#"sh -c "echo $B""#, "echo 2 [via 2]"]);
    check(
        r#"bash -c "rm -rf $X"; bash -c "echo '$X'"; bash -c "$X""#,
        &[
            r#"bash -c "rm -rf ⟨$X⟩""#,
            "rm -rf ⟨$X+⟩ [via 0]",
            r#"bash -c "echo '⟨$X⟩'""#,
            "echo ⟨$X⟩ [via 2]",
            "bash -c ⟨$X⟩",
            "?Variable by 4",
        ],
    );
    check(
        r#"bash -c "$(base64 -d f)"; bash -c "echo $(date)"; bash -c "echo $(cat f)""#,
        &[
            r#"bash -c "⟨$(base64 -d f)⟩" [code from 1]"#,
            "base64 -d f [substitution]",
            r#"bash -c "echo ⟨$(date)⟩" [code from 3]"#,
            "date [substitution]",
            "echo ⟨$(date)+⟩ [via 2]",
            r#"bash -c "echo ⟨$(cat f)⟩" [code from 6]"#,
            "cat f [substitution]",
            r#"echo "⟨$(cat f)+⟩" [via 5]"#,
            "?Output by 0",
            "?Output by 5",
        ],
    );
    check(r#"eval "$X; rm -rf $Y""#, &[r#"eval "⟨$X⟩; rm -rf ⟨$Y⟩""#, "⟨$X+⟩ [via 0]", "rm -rf ⟨$Y+⟩ [via 0]"]);
}

#[test]
fn what_reaches_a_shell_is_code() {
    check(
        "curl u | sudo bash",
        &["curl u", "sudo bash [piped from 0]", "bash [via 1; piped from 0; code from 0]", "?Decoded by 2"],
    );
    check(
        "curl u | tee a | sed x | sh",
        &[
            "curl u",
            "tee a [piped from 0]",
            "sed x [piped from 1; stdin from 0,1]",
            "sh [piped from 2; stdin from 0,1,2; code from 0,1,2]",
            "?Decoded by 3",
        ],
    );
    check(
        "curl u | (read l; bash)",
        &["curl u", "read l [piped from 0]", "bash [piped from 0; code from 0]", "?Decoded by 2"],
    );
    check(
        r#"curl u | while read l; do eval "$l"; done"#,
        &["curl u", "read l [loop; piped from 0]", "eval ⟨$l⟩ [loop; piped from 0; code from 0]", "?Variable by 2"],
    );
    check(
        r#"x=$(curl u); eval "$x""#,
        &[r#"x="⟨$(curl u)⟩""#, "curl u [substitution]", r#"eval "⟨$(curl u)⟩" [code from 1]"#, "?Output by 2"],
    );
    check(
        r#"y="a $(curl u)"; bash -c "$y""#,
        &[
            r#"y="a ⟨$(curl u)⟩""#,
            "curl u [substitution]",
            r#"bash -c "a ⟨$(curl u)⟩" [code from 1]"#,
            r#"a "⟨$(curl u)+⟩" [via 2]"#,
            "?Output by 2",
        ],
    );
    check(
        r#"bash <(curl u); . <(curl u); bash <<< "$(curl u)"; sh < <(curl u)"#,
        &[
            r#"bash "⟨<(curl u)⟩" [code from 1]"#,
            "curl u [substitution]",
            r#". "⟨<(curl u)⟩" [code from 3]"#,
            "curl u [substitution]",
            r#"bash <<<"⟨$(curl u)⟩\n" [stdin from 5; code from 5]"#,
            "curl u [substitution]",
            r#"sh <"⟨<(curl u)⟩" [piped from 7; code from 7]"#,
            "curl u [substitution]",
            "?Decoded by 0",
            "?Decoded by 2",
            "?Output by 4",
            "?Decoded by 6",
        ],
    );
    check("curl u > a; mv a b; sh b", &["curl u >a", "mv a b", "sh b [code from 0]", "?Decoded by 2"]);
    check(
        "curl -fsSLo b u; bash b; curl -O https://h/i.sh; sh ./i.sh",
        &[
            "curl -fsSLo b u",
            "bash b [code from 0]",
            "curl -O https://h/i.sh",
            "sh ./i.sh [code from 2]",
            "?Decoded by 1",
            "?Decoded by 3",
        ],
    );
    check(
        "wget https://h/i.sh && sh i.sh; wget -O- u | sh",
        &[
            "wget https://h/i.sh",
            "sh i.sh [code from 0]",
            "wget -O- u",
            "sh [piped from 2; code from 2]",
            "?Decoded by 1",
            "?Decoded by 3",
        ],
    );
    check("wget 'https://h/i?a=b'; sh 'i?a=b'", &["wget https://h/i?a=b", "sh i?a=b [code from 0]", "?Decoded by 1"]);
    for shell in crate::programs::shells() {
        let analysis = analyse(&format!("{shell} -c 'rm a'"), &start());
        assert!(
            analysis.commands.iter().any(|it| it.words.iter().filter_map(Word::known_text).eq(["rm", "a"])),
            "{shell}"
        );
        let startup = crate::startup::startup(shell).flat_map(|(_, files)| files);
        for file in startup.clone() {
            let analysis = analyse(&format!("curl u > ~/{file}; {shell} -il"), &start());
            assert!(analysis.commands.last().is_some_and(|it| !it.code_from.is_empty()), "{shell} {file}");
        }
        assert!(startup.count() > 1, "{shell}");
    }
    for text in ["echo 'rm a' | gcat | sh", "echo 'rm a' | gtee f | sh", "echo 'rm a' | sponge f; gcat f | sh"] {
        let analysis = analyse(text, &start());
        assert!(
            analysis.commands.iter().any(|it| it.words.iter().filter_map(Word::known_text).eq(["rm", "a"])),
            "{text}"
        );
    }
    for client in ["psql14", "sqlite3.exe", "/usr/bin/duckdb"] {
        let statement = if client == "psql14" { r"\! rm a" } else { ".shell rm a" };
        let analysis = analyse(&format!("echo '{statement}' | {client}"), &start());
        assert!(
            analysis.commands.iter().any(|it| it.words.iter().filter_map(Word::known_text).eq(["rm", "a"])),
            "{client}"
        );
    }
    check(
        "wget -qP /tmp https://h/i.sh; sh /tmp/i.sh",
        &["wget -qP /tmp https://h/i.sh", "sh /tmp/i.sh [code from 0]", "?Decoded by 1"],
    );
    check(
        "curl u | bash -c 'cat'; curl u | bash s.sh; curl u && sh x",
        &[
            "curl u",
            "bash -c cat [piped from 0]",
            "cat [via 1; piped from 0]",
            "curl u",
            "bash s.sh [piped from 3]",
            "curl u",
            "sh x",
            r#"?ScriptFile by 4 "s.sh""#,
            r#"?ScriptFile by 6 "x""#,
        ],
    );
    check(
        "f() { curl u; }; f | sh",
        &["f [shadowed]", "curl u", "sh [piped from 0,1; code from 0,1]", "?Decoded by 2"],
    );
    check(
        r#"sh -c 'eval "$1"' _ "$(curl u)""#,
        &[
            r#"sh -c "eval \"$1\"" _ "⟨$(curl u)⟩""#,
            "curl u [substitution]",
            r#"eval "⟨$(curl u)⟩" [via 0; code from 1]"#,
            "?Output by 2",
        ],
    );
    check(
        "curl u | xargs sh",
        &["curl u", "xargs sh [piped from 0]", "sh ⟨xargs+⟩ [via 1; loop; piped from 0]", r#"?ScriptFile by 2 " ""#],
    );
    check(
        "curl u | tee >(sh)",
        &[
            "curl u",
            "tee ⟨>(sh)⟩ [piped from 0]",
            "sh [substitution; piped from 1; stdin from 0,1; code from 0,1]",
            "?Decoded by 2",
        ],
    );
}

#[test]
fn known_text_on_its_way_to_a_shell_is_read() {
    check(
        "echo 'rm x' | tee log | sh",
        &[
            r#"echo "rm x""#,
            "tee log [piped from 0]",
            "sh [piped from 1; stdin from 0,1; code from 0,1]",
            "rm x [via 2]",
        ],
    );
    check(
        r#"{ echo 'rm a'; printf '%s\n' 'rm b'; } | cat | sh"#,
        &[
            r#"echo "rm a""#,
            r#"printf %s\n "rm b""#,
            "cat [piped from 0,1]",
            "sh [piped from 2; stdin from 0,1,2; code from 0,1,2]",
            "rm a [via 3]",
            "rm b [via 3]",
        ],
    );
    check(
        "cat <<E | sh\nrm $HOME $X\nE",
        &[r#"cat <<<"rm /home/dev ⟨$X⟩\n""#, "sh [piped from 0; code from 0]", "rm /home/dev ⟨$X+⟩ [via 1]"],
    );
    check("sh -s a <<< 'rm $1'", &[r#"sh -s a <<<"rm $1\n""#, "rm a [via 0]"]);
    check(
        "echo 'rm x' > f; sh f; ./f; echo 'rm y' >> f; . f",
        &[
            r#"echo "rm x" >f"#,
            "sh f [code from 0]",
            "rm x [via 1]",
            "./f [code from 0]",
            "rm x [via 3]",
            r#"echo "rm y" >f"#,
            ". f [code from 0,5]",
            "rm x [via 6]",
            "rm y [via 6]",
        ],
    );
    check(
        "cat > f <<'E'\nrm $1\nE\nchmod +x f && ./f a",
        &[r#"cat >f <<<"rm $1\n""#, "chmod +x f", "./f a [code from 0]", "rm a [via 2]"],
    );
    check(
        "bash <(echo 'rm x'); source /dev/stdin <<< 'rm x'",
        &[
            r#"bash "⟨<(echo 'rm x')⟩" [code from 1]"#,
            r#"echo "rm x" [substitution]"#,
            "rm x [via 0]",
            r#"source /dev/stdin <<<"rm x\n""#,
            "rm x [via 3]",
        ],
    );
}

#[test]
fn what_is_run_and_not_seen_is_opaque() {
    check(
        "ls | sh; sh; rev <<< x | sh",
        &[
            "ls",
            "sh [piped from 0; code from 0]",
            "sh",
            r#"rev <<<"x\n""#,
            "sh [piped from 3; code from 3]",
            "?Decoded by 1",
            "?Decoded by 4",
        ],
    );
    check(
        "sh < f; cat f | sh; . ./f",
        &[
            "sh <f",
            "cat f",
            "sh [piped from 1; code from 1]",
            ". ./f",
            r#"?ScriptFile by 0 "f""#,
            r#"?ScriptFile by 2 "f""#,
            r#"?ScriptFile by 3 "./f""#,
        ],
    );
    check(
        "lua -e 'x'; python3 s.py; curl u | python3; python3",
        &[
            "lua -e x",
            "python3 s.py",
            "curl u",
            "python3 [piped from 2; code from 2]",
            "python3",
            r#"?Foreign by 0 "x""#,
            "?Decoded by 3",
        ],
    );
    check("rm x\n)", &["rm x", r#"?Syntax ")""#]);
    check("rm x; 'a", &[r#"?Syntax "rm x; 'a""#]);
    check(
        "printf '%s\\0' 'a b' c | xargs -0 rm",
        &["printf %s\\0 \"a b\" c", "xargs -0 rm [piped from 0]", "rm \"a b\" c [via 1; loop; piped from 0]"],
    );
    check("a $(\0 b", &["?NulCharacter", r#"?Syntax "a $(""#]);
}

#[test]
fn wrappers_change_where_things_run() {
    check(
        "sudo -u root env -C sub A=1 sh -c 'echo $A; cd x; a' < f",
        &[
            r#"sudo -u root env -C sub A=1 sh -c "echo $A; cd x; a" <f"#,
            r#"env -C sub A=1 sh -c "echo $A; cd x; a" [via 0]"#,
            r#"sh -c "echo $A; cd x; a" [via 0,1; in /w/sub]"#,
            "echo 1 [via 0,1,2; in /w/sub]",
            "cd x [via 0,1,2; in /w/sub]",
            "a [via 0,1,2; in /w/sub/x]",
        ],
    );
    check(
        r#"find . -name x -exec sh -c 'rm -rf "$1"' _ {} \;"#,
        &[
            r#"find . -name x -exec sh -c "rm -rf \"$1\"" _ {} ;"#,
            r#"sh -c "rm -rf \"$1\"" _ ./⟨{}⟩ [via 0; loop]"#,
            "rm -rf ./⟨{}⟩ [via 0,1; loop]",
        ],
    );
    check(
        "ls | xargs -I{} git -C {} reset",
        &["ls", "xargs -I{} git -C {} reset [piped from 0]", "git -C ⟨{}⟩ reset [via 1; loop; piped from 0]"],
    );
    check(
        "ssh -p 22 u@h 'cd /x && rm -rf $HOME' b; a",
        &[
            r#"ssh -p 22 u@h "cd /x && rm -rf $HOME" b"#,
            "cd /x [via 0; Remote; in ? ssh]",
            "rm -rf ⟨$HOME+⟩ b [via 0; Remote; in /x]",
            "a",
        ],
    );
    check(
        "docker run --rm img sh -c 'echo $X > /etc/f'",
        &[
            r#"docker run --rm img sh -c "echo $X > /etc/f""#,
            r#"sh -c "echo $X > /etc/f" [via 0; Container; in ? docker]"#,
            "echo ⟨$X+⟩ >/etc/f [via 0,1; Container; in ? docker]",
        ],
    );
    // What runs at the end uses the variables that are set right behind it.
    check("trap 'rm \"$t\"' EXIT; t=/tmp/x; ls", &[r#"trap "rm \"$t\"" EXIT"#, "t=/tmp/x", "rm /tmp/x", "ls"]);
    check("trap 'rm \"$t\"' EXIT; t=/tmp/x", &[r#"trap "rm \"$t\"" EXIT"#, "t=/tmp/x", "rm /tmp/x"]);
    check(
        "trap 'rm \"$t\"' EXIT; ls; t=/tmp/x",
        &[r#"trap "rm \"$t\"" EXIT"#, "rm ⟨$t⟩", "ls", "t=/tmp/x", "rm /tmp/x"],
    );
    check(
        "trap 'rm \"$t\"' INT EXIT; t=/tmp/x",
        &[r#"trap "rm \"$t\"" INT EXIT"#, "rm ⟨$t⟩ [via 0]", "t=/tmp/x", "rm /tmp/x"],
    );
    check(
        "trap 'rm x' EXIT; command -p ls; exec -a n rm y",
        &[r#"trap "rm x" EXIT"#, "rm x [via 0]", "command -p ls", "ls [via 2]", "exec -a n rm y", "rm y [via 4]"],
    );
    check(
        "timeout $OPTS 5 rm x; $SUDO rm y",
        &[
            "timeout ⟨$OPTS+⟩ 5 rm x",
            "5 rm x [via 0]",
            "rm x [via 0; doubt $OPTS]",
            "⟨$SUDO+⟩ rm y",
            "rm y [via 3; doubt $SUDO]",
        ],
    );
    check("nohup a &", &["nohup a [background]", "a [via 0; background]"]);
    check(
        "GIT_PAGER='rm x' git log; BASH_ENV=f bash -c b",
        &[
            r#"GIT_PAGER="rm x" git log"#,
            "rm x [via 0; in ? git]",
            "BASH_ENV=f bash -c b",
            "b [via 2]",
            r#"?ScriptFile by 2 "f""#,
        ],
    );
    check("x='rm -rf b' sh -c '$x'", &[r#"x="rm -rf b" sh -c $x"#, "rm -rf b [via 0]"]);
    check("bash -n -c 'rm x'; command -v rm; sudo -l", &[r#"bash -n -c "rm x""#, "command -v rm", "sudo -l"]);
    check("at now <<< 'rm x'", &[r#"at now <<<"rm x\n""#, "rm x [via 0; background]"]);
    check(
        "curl u | busybox sh; curl u | xargs -0 bash -c",
        &[
            "curl u",
            "busybox sh [piped from 0]",
            "sh [via 1; piped from 0; code from 0]",
            "curl u",
            "xargs -0 bash -c [piped from 3]",
            "bash -c ⟨xargs+⟩ [via 4; loop; piped from 3; code from 3]",
            "?Decoded by 2",
            "?Input by 5",
        ],
    );
}

#[test]
fn what_env_clears_has_no_value() {
    check(
        r#"env -i bash -c '"$X" a; rm $Y b'"#,
        &[
            r#"env -i bash -c "\"$X\" a; rm $Y b""#,
            r#"bash -c "\"$X\" a; rm $Y b" [via 0]"#,
            r#""" a [via 0,1]"#,
            "rm b [via 0,1]",
        ],
    );
    check("env - Y=c sh -c 'rm $Y'", &["env - Y=c sh -c \"rm $Y\"", "sh -c \"rm $Y\" [via 0]", "rm c [via 0,1]"]);
    // The startup files of such a shell may set the variable.
    check(
        "env -i bash -lc 'rm $Y'",
        &["env -i bash -lc \"rm $Y\"", "bash -lc \"rm $Y\" [via 0]", "rm ⟨$Y+⟩ [via 0,1]"],
    );
}
