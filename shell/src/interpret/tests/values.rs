//! The arguments of the last command of a text: a known value must be the one that bash computes.

use super::*;

fn last(text: &str) -> String {
    let analysis = analyse(text, &start());
    analysis
        .commands
        .last()
        .map(|command| command.words.iter().map(word).collect::<Vec<_>>().join(" "))
        .unwrap_or_default()
}

#[track_caller]
fn check_known(rows: &[&str]) {
    for text in rows {
        assert_eq!(last(text), "rm secret", "{text}");
    }
}

#[track_caller]
fn check_unknown(rows: &[&str]) {
    for text in rows {
        assert!(last(text).contains('⟨'), "{text}: {}", last(text));
    }
}

#[test]
fn arguments_are_behind_the_options_of_set() {
    check_known(&[
        "f() { set -euo pipefail; rm \"$1\"; }; f secret",
        "set -euo pipefail secret; rm \"$1\"",
        "set -oe pipefail secret; rm \"$1\"",
        "set - secret; rm \"$1\"",
        "set secret; set -; rm \"$1\"",
        "set -- secret b; shift 5; rm \"$1\"",
        "set -- a secret; shift; rm \"$1\"",
    ]);
    check_unknown(&["set \"$X\" secret; rm \"$1\"", "set -o nosuch secret; rm \"$1\"", "set -$X secret; rm \"$1\""]);
}

#[test]
fn output_is_what_is_on_standard_output() {
    check_known(&[
        "x=$(echo c >&2; echo secret); rm \"$x\"",
        "x=$(echo c >&-; echo secret); rm \"$x\"",
        "x=$(echo c >/dev/stderr; echo secret); rm \"$x\"",
        "log() { { echo c; } >&2; }; x=$(log; echo secret); rm \"$x\"",
        "x=$(echo secret >/dev/stdout); rm \"$x\"",
        "x=$(echo secret 3>&1 >/dev/null >&3); rm \"$x\"",
        "x=$(exec 3>&1 >/dev/null; echo c; echo secret >&3); rm \"$x\"",
        "x=$({ echo secret >&2; } 2>&1); rm \"$x\"",
        "x=$(echo c >f; echo secret); rm \"$x\"",
    ]);
    check_unknown(&[
        "x=$(echo c >&$N; echo secret); rm \"$x\"",
        "x=$(echo c >\"$LOG\"; echo secret); rm \"$x\"",
        "x=$({ echo c; echo secret >&2; } 2>&1 >/dev/null); rm \"$x\"",
        "x=$({ echo secret >&3; } 3>&1 >/dev/null); rm \"$x\"",
        "x=$(cd d 2>&1; echo secret); rm \"$x\"",
        "x=$(if a; then exec >&2; fi; echo secret); rm \"$x\"",
        "x=$(exec 3>&1; y=$(echo secret >&3); echo \"$y\"); rm \"$x\"",
        "x=$(echo secret | tee /dev/stdout); rm \"$x\"",
    ]);
    let analysis = analyse("echo ': > q' >&2 | sh", &start());
    assert!(
        !analysis
            .commands
            .iter()
            .any(|command| command.redirects.iter().any(|one| one.target.known_text() == Some("q")))
    );
}

#[test]
fn a_callback_of_mapfile_gets_the_place_and_the_line() {
    check_known(&[
        "f() { rm \"$2\"; }; mapfile -t -c 1 -C f <<< secret",
        "f() { $2; }; mapfile -t -c 1 -C f <<< 'rm secret'",
        "f() { $2; }; readarray -tc1 -Cf a <<< $'true\nrm secret'",
        "f() { $2; }; mapfile -t -c 2 -C f <<< $'a\nrm secret\nb'",
        "f() { $2; }; echo 'rm secret' > p; mapfile -t -c 1 -C f < p",
        "f() { $2; }; mapfile -t -u 3 -c 1 -C f 3<<< 'rm secret'",
        "f() { $2; }; command mapfile -t -c 1 -C f <<< 'rm secret'",
        "f() { [ \"$1\" = 5 ]; rm \"$2\"; }; mapfile -t -O 5 -c 1 -C f <<< secret",
        "mapfile -c 1 -C 'rm secret #' <<< a",
        "mapfile -c 1 -C 'rm secret #' < p",
        "mapfile -t -c 1 -C 'shift 0; f' <<< secret; f() { rm secret; }; mapfile -t -c 1 -C f <<< a",
    ]);
    check_unknown(&[
        "f() { rm \"$2\"; }; mapfile -t -c 1 -C f < p",
        "f() { rm \"$2\"; }; mapfile -t -C f <<< secret",
        "f() { rm \"$2\"; }; mapfile -t -c $n -C f <<< secret",
        "f() { rm \"$2\"; }; mapfile -t -d e -c 1 -C f <<< secret",
        "f() { rm \"$2\"; }; mapfile -t -s 1 -c 1 -C f <<< $'a\nb'",
        "f() { read y; $y; }; mapfile -t -c 1 -C f <<< $'a\nrm secret'",
        "f() { read -n 1 x; rm \"$2\"; }; mapfile -t -c 1 -C f <<< $'a\nb\nc'",
    ]);
}

#[test]
fn what_may_fail_is_not_taken_for_done() {
    check_known(&[
        "x=secret; y=$(a) || exit 1; rm \"$x\"",
        "export x=secret && rm \"$x\"",
        "x=secret; y=1 || x=a; rm \"$x\"",
        "x=secret; true || x=a; rm \"$x\"",
        "x=secret; y='$(a)' || x=a; rm \"$x\"",
    ]);
    check_unknown(&[
        "x=a; y=$(b) || x=secret; rm \"$x\"",
        "x=a; y=`b` && x=secret; rm \"$x\"",
        "x=a; declare -F b || x=secret; rm \"$x\"",
        "x=a; mkdir b || x=secret; rm \"$x\"",
        "x=a; cd b || x=secret; rm \"$x\"",
        "x=a; ! true || x=secret; rm \"$x\"",
        "true() { b; }; x=a; true || x=secret; rm \"$x\"",
    ]);
    // The directory is the one that results if every command succeeds that is expected to.
    for text in [
        "export A=1 && cd d && make; rm x",
        "mkdir -p d && cd d; rm x",
        "cd d 2>/dev/null || true; rm x",
        "x=1 && cd d && make || true; rm x",
    ] {
        let analysis = analyse(text, &start());
        assert_eq!(analysis.commands.last().unwrap().cwd, Directory::Known("/w/d".into()), "{text}");
    }
}

#[test]
fn patterns_match_at_the_ends() {
    check_known(&[
        "x=ecret; rm \"${x/#/s}\"",
        "x=secre; rm \"${x/%/t}\"",
        "x=se/cret; rm \"${x////}\"",
        "x=sePcret; rm \"${x/P}\"",
        "x=; rm \"${x/*/secret}\"",
        "x=secret; rm \"${x//}\"",
    ]);
    check_unknown(&[
        "x=secret; rm \"${x/secret/&}\"",
        "x=ecret; p='#'; rm \"${x/$p/s}\"",
        "x=ß; rm \"${x^^}\"",
        "set -- a b; rm \"${@:1:-1}\"",
    ]);
}

#[test]
fn builtins_print_in_some_forms() {
    check_known(&["x=$(cd d; echo secret); rm \"$x\"", "x=$(export y=1; echo secret); rm \"$x\""]);
    check_unknown(&[
        "x=$(declare -p y); rm \"$x\"",
        "x=$(export); rm \"$x\"",
        "x=$(cd -); rm \"$x\"",
        "x=$(set); rm \"$x\"",
        "x=$(shopt nullglob); rm \"$x\"",
        "x=$(/bin/true --help); rm \"$x\"",
        "x=$(cat -n <<< secret); rm \"$x\"",
    ]);
}

#[test]
fn what_stands_behind_an_end_may_be_missing() {
    check_known(&["x=$(echo secret; exit); rm \"$x\"", "x=$(f() { echo secret; return; }; f); rm \"$x\""]);
    check_unknown(&[
        "x=$(echo secret; exit; echo b); rm \"$x\"",
        "x=$(for i in 1 2; do echo secret; break; done); rm \"$x\"",
        "x=$(for i in a; do if b; then continue; fi; echo c; done; echo d); rm \"$x\"",
        "x=$(set -e; echo secret; a; echo b); rm \"$x\"",
    ]);
}

#[test]
fn a_line_is_read_as_the_separators_say() {
    check_known(&[
        "read -r x <<< ' secret '; rm \"$x\"",
        "IFS=: read -r x <<< 'secret'; rm \"$x\"",
        "read x y <<< 'secret a'; rm \"$x\"",
        "read x y <<< 'a secret'; rm \"$y\"",
        "{ read x; read y; rm \"$y\"; } <<< $'a\\nsecret'",
        "exec 3<<< $'a\\nsecret'; read -u 3 x; read y <&3; rm \"$y\"",
        "mapfile -t a <<< $'b\\nsecret'; rm \"${a[1]}\"",
    ]);
    check_unknown(&[
        "IFS=: read x <<< 'secret:'; rm \"$x\"",
        "read <<< ' secret'; rm \"$REPLY\"",
        "{ head -n 1; read x; rm \"$x\"; } <<< $'a\\nsecret'",
        "{ read x < f; read x; rm \"$x\"; } < <(f)",
    ]);
    let text = "printf 'a\\nsecret\\n' | while read x; do rm \"$x\"; done";
    let analysis = super::analyse(text, &super::start());
    let removed: Vec<_> = analysis.commands.iter().filter_map(|command| command.words.get(1)?.known_text()).collect();
    assert!(removed.contains(&"secret") && removed.contains(&"a"), "{removed:?}");
    assert_eq!(last("IFS= read -r x <<< ' a'; rm \"$x\""), "rm \" a\"");
}
