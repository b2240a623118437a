//! Lists in the values of declaring builtins.

use super::*;

#[track_caller]
fn runs(text: &str, expected: &str) {
    let shown = shown(text);
    assert!(shown.lines().any(|line| line == expected), "{text}\n{shown}");
}

#[track_caller]
fn does_not_run(text: &str, unexpected: &str) {
    let shown = shown(text);
    assert!(!shown.lines().any(|line| line.starts_with(unexpected)), "{text}\n{shown}");
}

/// Checks that the last command of a text is unknown.
#[track_caller]
fn is_not_known(text: &str) {
    let shown = shown(text);
    let last = shown.lines().last().unwrap_or_default();
    assert!(last.starts_with('⟨') && last.ends_with('⟩'), "{text}\n{shown}");
}

#[test]
fn a_value_in_parentheses_is_a_list() {
    for declaration in [
        "declare -a a='(git push --force)'",
        "typeset -a a='(git push --force)'",
        "readonly -a a='(git push --force)'",
        "export -a a='(git push --force)'",
        "declare -ax a='(git push --force)'",
        "declare -a 'a=(git push --force)'",
        "declare -a a[1]='(git push --force)'",
        "x='git push --force'; declare -a a=\"($x)\"",
        "x='(git push --force)'; declare -a a=\"$x\"",
        "x='git push --force'; declare -a a='($x)'",
        "declare -a a='($(echo git push --force))'",
        "command declare -a a='(git push --force)'",
    ] {
        runs(&format!("{declaration}; \"${{a[@]}}\""), "git push --force");
    }
    runs("f() { local -a a='(git push --force)'; \"${a[@]}\"; }; f", "git push --force");
    runs("declare -a a=git; declare -a a+='(push --force)'; \"${a[@]}\"", "git push --force");
}

#[test]
fn a_list_that_a_variable_may_be_is_not_known() {
    for before in ["declare -a a", "a=()", "a=(x)", "a[0]=x", "((a[0] = 1))", "mapfile -t a < f", "declare -n a=b"] {
        is_not_known(&format!("{before}; declare a='(git push --force)'; \"${{a[@]}}\""));
    }
    for keys in ["declare -A a='([k]=rm)'", "declare -a a='([1]=rm)'", "declare -A a; declare a='([k]=rm)'"] {
        is_not_known(&format!("{keys}; ${{a[k]}}"));
    }
}

#[test]
fn what_is_in_a_list_runs() {
    for declaration in [
        "declare -a a='($(rm x))'",
        "declare -a a='(`rm x`)'",
        "declare -a a='(y \"$(rm x)\")'",
        "declare -A a='([k]=$(rm x))'",
        "declare -a 'a=($(rm x))'",
        "declare -a 'a[0]=($(rm x))'",
        "readonly -a a='($(rm x))'",
        "export -a a='($(rm x))'",
        "x='($(rm x))'; declare -a a=\"$x\"",
        "x='a=($(rm x))'; declare -a \"$x\"",
    ] {
        runs(declaration, "rm x [substitution]");
    }
    runs("a=(); declare a='($(rm x))'", "rm x [doubt $a; substitution]");
}

#[test]
fn another_value_is_text() {
    for (text, expected) in [
        ("declare a='(git push)'; b \"$a\"", "b \"(git push)\""),
        ("a=x; declare a='(git push)'; b \"$a\"", "b \"(git push)\""),
        ("declare -a a='git push'; b \"$a\"", "b \"git push\""),
        ("declare -a a='(git push) '; b \"$a\"", "b \"(git push) \""),
        ("export a='(see $(rm x))'; b \"$a\"", "b \"(see $(rm x))\""),
        ("a=(1); export a='(git push)'; b \"$a\"", "b \"(git push)\""),
        ("a='(git push)'; b \"$a\"", "b \"(git push)\""),
    ] {
        runs(text, expected);
        does_not_run(text, "rm");
    }
    // Zsh rejects it, and dash has no lists.
    does_not_run("zsh -c \"declare -a a='(\\$(rm x))'\"", "rm");
    does_not_run("dash -c \"export a='(\\$(rm x))'\"", "rm");
}
