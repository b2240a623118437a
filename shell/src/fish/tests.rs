//! Translations of fish texts, and their unread parts.

use super::*;

#[track_caller]
fn becomes(text: &str, expected: &str) {
    let Translation { script, unread } = translate(text);
    assert_eq!((script.replace('\n', "⏎").as_str(), unread), (expected, Vec::new()), "{text}");
}

#[test]
fn blocks_become_those_of_bash() {
    becomes("ls; and rm x; or true", "ls && rm x || true");
    becomes("not ls | wc", "! ls | wc");
    becomes("begin; ls; rm x; end > f", "{ ls⏎rm x⏎} > f");
    becomes(
        "if test a; and ls; rm x; else if ls; rm y; else; rm z; end",
        "if test a && ls⏎then rm x⏎elif ls⏎then rm y⏎else rm z⏎fi",
    );
    becomes("while true; rm x; end", "while true⏎do rm x⏎done");
    becomes("for f in a b; rm $f; end", "for f in a b⏎do rm \"${f[@]}\"⏎done");
    becomes("switch a; case b 'c d'; rm x; case '*'; ls; end", "case a in⏎(b|'c d') rm x⏎;;⏎('*') ls⏎;;⏎esac");
    becomes("function f -a x; rm $x $argv; end; f y", "f() { local x=\"${1}\"⏎rm \"${x[@]}\" \"$@\"⏎}⏎f y");
    becomes("function f --on-event fish_exit; rm x; end", "f() { rm x⏎}⏎trap 'f' EXIT");
    becomes("ls &; rm x", "ls &⏎rm x");
}

#[test]
fn words_become_those_of_bash() {
    becomes("echo \"c $x\" \\$y", "echo '''c '\"$x\" '$'y");
    becomes(r"echo 'x\' ; echo ' ; rm -rf v", "echo 'x'\\'' ; echo '⏎rm -rf v");
    becomes("rm (ls)", "IFS=$'\\n'⏎rm $( ls⏎)");
    becomes("cat (ls | psub)", "IFS=$'\\n'⏎cat <( ls⏎)");
    becomes("rm {a,b}.rs *.c", "rm {a,b}.rs *.c");
    becomes("echo `ls` [a]", "echo '`'ls'`' '['a']'");
    becomes("echo \\x41 \\u00e9", "echo A é");
    becomes("ls 2>&1 >f <g &>h", "ls 2>&1 > f < g &> h");
}

#[test]
fn variables_are_lists() {
    becomes("set x rm; $x v", "x=rm⏎\"${x[@]}\" v");
    becomes("set x rm -rf; $x v; r$x", "x=(rm -rf)⏎\"${x[@]}\" v⏎r$FISH_VALUE");
    becomes("set -gx x a; set -e x; set -a x b", "export x=a⏎unset x⏎x+=(b)");
    becomes("begin; set -l x a; end", "{ x=a⏎x=($FISH_VALUE)⏎}");
    becomes("set x a b; set x c; $x", "x=(a b)⏎x=(c)⏎\"${x[@]}\"");
    becomes("set x a b; echo $x[2] $argv[1] $argv[2..]", "x=(a b)⏎echo \"${x[1]}\" \"${1}\" \"${@:2}\"");
}

#[test]
fn builtins_of_its_own_are_those_of_bash() {
    becomes("alias x 'rm -rf'; x v", "x() { rm -rf \"$@\"⏎}⏎x v");
    becomes("eval 'ls; and rm x'", "{ ls && rm x⏎}");
    becomes("echo ls | source", "echo ls | fish");
    becomes("read -l x", "read -r x");
}

#[test]
fn what_is_no_fish_is_not_read() {
    let Translation { script, unread } = translate("ls\nif true; rm x");
    assert_eq!((script.as_str(), unread), ("ls", vec!["if true; rm x".to_owned()]));
    let deep = format!("{}ls{}", "(".repeat(200), ")".repeat(200));
    assert_eq!(translate(&format!("echo {deep}")).unread.len(), 1);
}
