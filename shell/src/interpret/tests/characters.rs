//! Operations that count bytes or characters, depending on the locale of the shell.

use super::*;

/// Returns the last command of a text, as `shown` formats it.
fn last(text: &str) -> String {
    shown(text).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn what_bytes_and_characters_make_different_is_not_known() {
    for (value, expansion) in [
        ("égit", "${x#??}"),
        ("égit", "${x#?}"),
        ("égit", "${x#[é]}"),
        ("égit", "${x:2}"),
        ("égit", "${x:1}"),
        ("gité", "${x:0:4}"),
        ("gité", "${x%?}"),
        ("gité", "${x%??}"),
        ("égit", "${x/??/}"),
        ("égit", "${x/#?/}"),
        ("éé", "${x//?/x}"),
        ("é", "${#x}"),
        ("é", "${x#?}"),
        ("É", "${x,}"),
        ("日本git", "${x#??????}"),
        ("😀git", "${x:4}"),
    ] {
        assert_eq!(
            last(&format!("x={value}; a {expansion}")),
            format!("a ⟨{expansion}{}⟩", if expansion == "${#x}" { "" } else { "+" })
        );
        assert!(!last(&format!("x={value}; {expansion} push")).starts_with("git"), "{value} {expansion}");
    }
}

#[test]
fn an_analysis_leaves_no_trace_in_the_next_one() {
    let known = || last("x=größe; a ${x:0:2}");
    assert_eq!(known(), "a gr");
    shown("x=$'gr\\u00f6\\u00dfe'; a ${x:0:2}");
    assert_eq!(known(), "a gr");
}

#[test]
fn what_both_make_alike_is_known() {
    for (value, expansion, made) in [
        ("grün.txt", "${x%.txt}", "grün"),
        ("grün.txt", "${x%.*}", "grün"),
        ("grün.txt", "${x##*.}", "txt"),
        ("grün.txt", "${x/ü/ue}", "gruen.txt"),
        ("grün.txt", "${x#grü}", "n.txt"),
        ("é-git", "${x#*-}", "git"),
        ("é/git", "${x##*/}", "git"),
        ("größe", "${x//e/E}", "größE"),
        ("größe", "${x:0:2}", "gr"),
        ("größe", "${x:0}", "größe"),
        ("größe", "${x#x}", "größe"),
        ("égit", "${x//[!a-z]/}", "git"),
        ("gité", "${x^}", "Gité"),
        ("größe", "${x:-y}", "größe"),
        ("größe", "$x", "größe"),
        ("git", "${#x}", "3"),
    ] {
        assert_eq!(last(&format!("x={value}; a {expansion}")), format!("a {made}"), "{value} {expansion}");
    }
    check("git commit -m \"é: größer\"", &[r#"git commit -m "é: größer""#]);
    check("grep ü $(echo größe)", &["grep ü größe", "echo größe [substitution]"]);
    check("x=$'\\u00e9'; a $'\\u2713' $x", &["x=é", "a ✓ é"]);
}

#[test]
fn separators_may_be_bytes() {
    assert_eq!(last("IFS=é; x=gitàpush; a $x"), "a ⟨$IFS+⟩");
    assert_eq!(last("IFS=é; x=git; a $x"), "a git");
    assert_eq!(last("IFS=,; x=é,ö; a $x"), "a é ö");
    assert_eq!(last("IFS=é; set -- b c; a \"$*\""), "a b⟨$IFS⟩c");
    assert_eq!(last("IFS=é; read x y <<< 'bàc'; a \"$x\" \"$y\""), "a ⟨$x⟩ ⟨$y⟩");
    assert_eq!(last("IFS=é; read x y <<< 'b c'; a \"$x\""), "a \"b c\"");
}

#[test]
fn an_escape_may_be_another_text() {
    assert_eq!(last("x=$'\\u00e9git'; a ${x:6}"), "a ⟨${x:6}+⟩");
    assert_eq!(last("x=$(printf '\\u00e9git'); a ${x:6}"), "a ⟨${x:6}+⟩");
    assert_eq!(last("printf -v x '\\u00e9git'; a ${x:6}"), "a ⟨${x:6}+⟩");
    assert_eq!(last("a $'\\xe9git'"), "a ⟨\\\\xe9git⟩".replace("\\\\", "\\"));
    assert_eq!(last("x=$(printf '\\351git'); a ${x#?}"), "a ⟨${x#?}+⟩");
}

#[test]
fn a_parameter_whose_number_is_not_known_is_not_known() {
    assert_eq!(last("n=$N; eval \"a \\$$n\""), "a ⟨$…+⟩ [via 1]");
}
