//! Texts that shells read differently, and variables that something other than an assignment sets.

use super::*;

/// Returns the commands of a text, with a `?` before doubtful ones.
fn commands(text: &str) -> Vec<String> {
    let analysis = analyse(text, &start());
    let shown = |command: &SimpleCommand| {
        let words: Vec<String> = command.words.iter().map(word).collect();
        format!("{}{}", if command.doubt.is_some() { "?" } else { "" }, words.join(" "))
    };
    analysis.commands.iter().map(shown).collect()
}

#[track_caller]
fn runs(text: &str, expected: &str) {
    let found = commands(text);
    assert!(found.iter().any(|command| command == expected), "{text}: {found:?}");
}

#[track_caller]
fn runs_not(text: &str, expected: &str) {
    let found = commands(text);
    assert!(!found.iter().any(|command| command.ends_with(expected)), "{text}: {found:?}");
}

#[test]
fn what_one_of_the_shells_runs_is_doubtful() {
    for text in [
        "sh -c 'echo &>x rm v'",
        "sh -c '((rm v))'",
        "sh -c 'T=rm; T+=x; $T v'",
        "sh -c 'T=rm; declare T=true; $T v'",
        "sh -c 'T=rm; printf -v T true; $T v'",
        "sh -c \"echo \\$'\\\\'; rm v #'\"",
        "sh -c '[[ a || rm v ]]; rm v'",
        "ash -c '((rm v))'",
        "awk 'BEGIN { system(\"((rm v))\") }'",
    ] {
        let found = commands(text);
        assert!(found.iter().any(|command| command.trim_start_matches('?').starts_with("rm v")), "{text}: {found:?}");
    }
    runs("sh -c 'echo &>x rm v'", "?rm v");
    runs("sh -c 'rm v &>x'", "rm v");
}

#[test]
fn a_shell_that_is_known_reads_alone() {
    runs("dash -c '((rm v))'", "rm v");
    runs_not("bash -c '((rm v))'", "rm v");
    runs_not("bash --posix -c '((rm v))'", "rm v");
    runs_not("((rm v))", "rm v");
    for text in [
        "bash --posix -c 'T=true; T=rm :; $T v'",
        "bash -o posix -c 'T=true; T=rm :; $T v'",
        "POSIXLY_CORRECT=1 bash -c 'T=true; T=rm :; $T v'",
        "set -o posix; T=true; T=rm :; $T v",
        "dash -c 'T=true; T=rm :; $T v'",
        "set -o posix\necho \"${x:-'}\"; rm v; echo \"'}\"",
    ] {
        runs(text, "rm v");
    }
    runs_not("T=true; T=rm :; $T v", "rm v");
    runs_not("echo \"${x:-'}\"; rm v; echo \"'}\"", "rm v");
}

#[test]
fn texts_that_all_shells_read_alike_are_read_once() {
    assert_eq!(commands("sh -c 'cd x && ls | wc -l > y'").len(), 4);
    assert_eq!(commands("sh -c 'make >x 2>&1'").len(), 2);
}

#[test]
fn where_two_ways_read_the_rest_differently_both_count() {
    let text = "if a; then set -o posix; fi\necho \"${x:-'}\"; rm v; echo \"'}\"";
    runs(text, "?rm v");
}

#[test]
fn scripts_are_read_by_the_shell_of_their_first_line() {
    runs("printf '#!/bin/dash\\n((rm v))\\n' >s; ./s", "rm v");
    runs_not("printf '#!/bin/bash\\n((rm v))\\n' >s; ./s", "rm v");
}

/// Covers every builtin of bash 5.2: those that set variables are tracked.
#[test]
fn every_builtin_that_sets_a_variable_is_followed() {
    // They set no variable that a text can name, or are tracked through the code that they run.
    const SETS_NOTHING: &[&str] = &[
        ":", "[", "alias", "bg", "bind", "break", "caller", "command", "compgen", "complete", "compopt", "continue",
        "dirs", "disown", "echo", "enable", "exit", "false", "fc", "fg", "hash", "help", "history", "jobs", "kill",
        "logout", "pwd", "return", "set", "shift", "shopt", "suspend", "test", "times", "true", "type", "ulimit",
        "umask", "unalias",
    ];
    const SETS: &[(&str, &str)] = &[
        (".", "echo T=rm >x; . ./x"),
        ("builtin", "builtin eval T=rm"),
        ("cd", "T=true; cd d; T=${PWD/*/rm}"),
        ("declare", "declare T=rm"),
        ("eval", "eval T=rm"),
        ("exec", "exec {T}>x"),
        ("export", "export T=rm"),
        ("getopts", "getopts a T"),
        ("let", "let T=1"),
        ("local", "f() { local T=rm; $T v; }; f"),
        ("mapfile", "mapfile T"),
        ("popd", "popd; T=$PWD"),
        ("printf", "printf -v T rm"),
        ("pushd", "pushd; T=$PWD"),
        ("read", "read T"),
        ("readarray", "readarray T"),
        ("readonly", "readonly T=rm"),
        ("source", "echo T=rm >x; source ./x"),
        ("trap", "trap T=rm DEBUG"),
        ("typeset", "typeset T=rm"),
        ("unset", "unset T; T=${T:-rm}"),
        ("wait", "wait -n -p T"),
    ];
    assert_eq!(SETS_NOTHING.len() + SETS.len(), 61, "`compgen -b` has so many");
    for (builtin, text) in SETS {
        assert!(text.contains(builtin), "{builtin}");
        let found = commands(&format!("T=true; {text}; $T v"));
        let is_other = |command: &String| command.ends_with(" v") && !command.contains("true v");
        assert!(found.iter().any(is_other), "{text}: {found:?}");
    }
}

#[test]
fn what_something_may_have_set_is_not_known() {
    for text in [
        "T=true; declare -n r=T; r=rm; $T v",
        "T=true; f() { local -n r=$1; r=rm; }; f T; $T v",
        "T=true; read T[0]; $T v",
        "T=true; printf -v T[0] rm; $T v",
        "shopt -s lastpipe; T=true; echo rm | read T; $T v",
        "BASH_REMATCH=true; [[ rm =~ rm ]]; $BASH_REMATCH v",
        "REPLY=true; select x in a; do $REPLY v; done",
        "readonly T=rm; declare T=true; $T v",
        "declare -l T; T=true; $T v",
        "for T in rm true; do [ a ] && break; done; $T v",
        "f() { T=rm; [ a ] && return; T=true; }; f; $T v",
        "T=true; case x in x) T=rm ;& y) $T v;; esac",
    ] {
        runs_not(text, "true v");
    }
    runs("declare T={true,rm}; $T v", "rm v");
    runs("if a; then f() { rm v; }; else f() { :; }; fi; f", "rm v");
    runs("T=true; trap '$T v' EXIT; T=rm", "rm v");
}

#[test]
fn the_shell_of_the_user_reads_a_text_as_any_would() {
    runs("$SHELL -c 'rm v'", "rm v");
    runs("exec \"${SHELL}\" -lc 'rm v; ls'", "rm v");
    runs("$SHELL -c 'x=(rm v); $x'", "?rm v");
    runs("SHELL=/bin/dash; $SHELL -c 'rm v'", "rm v");
    runs("echo 'rm v' | $SHELL", "rm v");
    runs_not("SHELL=/bin/true; $SHELL -c 'rm v'", "rm v");
}

#[test]
fn a_text_for_a_user_of_zsh_is_read_as_that_too() {
    let read = |text: &str, shell: &str| {
        let analysis = analyse_with(text, &start(), &[("SHELL", Some(shell.to_owned()))]);
        let shown = |command: &SimpleCommand| {
            let words: Vec<String> = command.words.iter().map(word).collect();
            format!("{}{}", if command.doubt.is_some() { "?" } else { "" }, words.join(" "))
        };
        analysis.commands.iter().map(shown).collect::<Vec<_>>()
    };
    assert_eq!(read("x=(rm v); $x", "/bin/bash").last().unwrap(), "rm");
    assert!(read("x=(rm v); $x", "/bin/zsh").contains(&"?rm v".to_owned()));
    assert_eq!(
        read("cd d && git status; for f in a b; do ls \"$f\"; done", "/usr/bin/zsh"),
        ["cd d", "git status", "ls a", "ls b"]
    );
}

#[test]
fn modifiers_of_zsh_change_values() {
    for (text, expected) in [
        ("x=v.c; rm $x:r", "rm v"),
        ("x=a/v.c; rm $x:t:r", "rm v"),
        ("x=a/v/c; rm \"$x:h\"", "rm a/v"),
        ("x=V; rm $x:l", "rm v"),
        ("x=V; rm \"$x:l\"-$x:u", "rm v-V"),
        ("x=v; rm $x:a", "rm /w/v"),
        ("x=v; rm $x:Q", "rm v"),
        ("x=vX; rm $x:s/X/w", "rm vw"),
        ("x=v.c; rm ${x:r} ${x:e:u}", "rm v C"),
        ("x=V; rm $x:lw", "rm vw"),
        ("x=v; rm $x:main $x/y:r", "rm v:main v/y:r"),
        ("set -- v.c; rm $1:r:x", "rm v:x"),
        ("rm $y:r", "rm ⟨$y+⟩"),
        ("docker pull $y:latest", "docker pull ⟨$y+⟩:latest"),
        ("typeset -L1 x=vw; rm \"$x\"", "rm ⟨$x⟩"),
        ("typeset -R 1 x=vw; rm \"$x\"", "rm ⟨$x⟩"),
        ("export -Z 3 x=1; rm \"$x\"", "rm ⟨$x⟩"),
    ] {
        runs(&format!("zsh -c '{text}'"), expected);
    }
    // The text may be for the user's zsh.
    let named = |text: &str| {
        analyse(text, &start())
            .opaque
            .iter()
            .filter_map(|opaque| Some(opaque.text.as_ref()?.as_str().to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(named("x=V; rm $x:l"), ["v"]);
    assert_eq!(named("x=v; rm \"$x:r\"; rm $x:latest $x:/y $y:r"), ["v"]);
}

#[test]
fn zsh_runs_code_in_the_words_of_its_builtins() {
    for (text, expected) in [
        ("sched +1 rm v", "?rm v"),
        ("zstyle -e ':x' y 'rm v'", "?rm v"),
        ("zstyle ':x' y 'rm v'; zpty p rm v", "?rm v"),
        ("zargs -- a b -- rm -f", "?rm -f a b"),
        ("zargs -l 1 -- a -- rm", "?rm a"),
        ("zmv v w", "?mv v w"),
        ("zmv -f '(*).v' '$1.w'", "?mv «*».v ⟨$1.w⟩"),
        ("zmv -C '(v|w)' '$1'", "?cp ⟨(v|w)⟩ ⟨$1⟩"),
        ("zmv -p rm v w", "?rm v w"),
        ("zcp 'v[12]' w", "?cp v«[12]» w"),
        ("f() { rm v; }; add-zsh-hook precmd f", "?rm v"),
        ("zsh -c \"<<< 'rm v' | sh\"", "rm v"),
        ("echo 'rm v' > d/.zshenv; ZDOTDIR=d zsh -c :", "rm v"),
    ] {
        runs(text, expected);
    }
    assert!(analyse("<<E | sh\nrm v\nE", &start()).opaque.iter().any(|opaque| opaque.text.is_none()));
    runs_not("zmv -n v w", "mv v w");
    runs_not("zstyle ':x' y 'rm v'", "rm v");
}

#[test]
fn shells_load_functions_and_histories_that_the_text_writes() {
    for (text, expected) in [
        ("echo 'rm v' > z; ksh -c 'FPATH=.; z'", "?rm v"),
        ("echo 'function z { rm v; }' > z; ksh -c 'FPATH=.; z'", "?rm v"),
        ("echo 'function z; rm v; end' > z.fish; fish -c 'set fish_function_path .; z'", "?rm v"),
        ("echo 'rm v' > h; HISTFILE=h bash -i <<< '!!'", "?rm v"),
        ("fish -c 'complete -c x -a \"(rm v)\"'", "rm v"),
        ("fish -c 'complete -c x -n \"rm v\"'", "rm v"),
    ] {
        runs(text, expected);
    }
}

#[test]
fn a_script_of_the_text_may_be_in_an_unknown_directory() {
    for text in
        ["echo 'rm v' > q; cd $X; sh q", "echo 'rm v' > q; cd $X; ./q", "echo 'rm v' > q; GIT_SSH=./q git fetch"]
    {
        runs(text, "?rm v");
    }
    runs_not("echo 'rm v' > q; cd $X; sh other/q", "rm v");
}

#[test]
fn the_name_of_a_program_may_be_that_of_another() {
    for (text, expected) in [
        ("exec -a rm busybox v", "rm v"),
        ("(exec -ca rm /bin/toybox -f v)", "rm -f v"),
        ("exec -a -sh busybox -c 'rm v'", "rm v"),
        ("env -a rm busybox v", "rm v"),
        ("env --argv0=rm X=1 coreutils v", "rm v"),
        ("exec -a rm bash -c 'ls v'", "ls v"),
        ("RM -f v", "?rm -f v"),
        ("/bin/Rm v", "?rm v"),
        ("'C:\\bin\\RM.EXE' v", "?rm v"),
        ("ARGV0=rm busybox v", "?rm v"),
        ("coreutils --coreutils-prog=rm v", "rm v"),
        ("node -e 'require(\"child_process\").spawnSync(\"busybox\", [\"v\"], {argv0: \"rm\"})'", "rm v"),
        ("python3 -c 'import subprocess; subprocess.run([\"rm\", \"v\"], executable=\"busybox\")'", "rm v"),
        ("python3 -c 'import os; os.execv(\"/bin/busybox\", [\"rm\", \"v\"])'", "rm v"),
        ("python3 -c 'import os; os.execl(\"/bin/busybox\", \"rm\", \"v\")'", "rm v"),
    ] {
        runs(text, expected);
    }
}
