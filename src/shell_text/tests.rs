//! Shell texts with values in them: what is refused, and that no value becomes code when the text runs.
#![expect(clippy::disallowed_methods, reason = "the tests run what was rendered")]

use crate::span::{FileId, Span};
use crate::syntax::ast::{Name, Placeholder, QuoteStyle};

use super::*;

/// Makes a text whose `{name}`s are placeholders, except after a `$`.
fn text(value: &str) -> StringLiteral {
    let mut placeholders = Vec::new();
    for (start, _) in value.match_indices('{') {
        let (before, rest) = value.split_at(start);
        let name = rest.split_once('}').and_then(|(name, _)| name.strip_prefix('{')).unwrap_or_default();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
        if is_name && !before.ends_with('$') {
            let range = start..start + name.len() + 2;
            let span = Span::new(FileId(0), range.start, range.end);
            let segments = name.split('.').map(|part| Name { text: part.to_owned(), span }).collect();
            placeholders.push(Placeholder { range, name: FieldName { segments, span }, counted: None });
        }
    }
    let span = Span::new(FileId(0), 0, value.len());
    StringLiteral { value: value.to_owned(), placeholders, quote: QuoteStyle::Double, span }
}

/// Returns the script for one value per placeholder.
#[track_caller]
fn check(value: &str, expected: &str) {
    let text = text(value);
    let template = analyse(&text, &Programs::new()).unwrap();
    let values = vec![vec!["v".to_owned()]; text.placeholders.len()];
    assert_eq!(render(&template, &values).0, expected);
}

fn problems(value: &str) -> Vec<(String, PlaceholderProblemKind)> {
    let found = analyse(&text(value), &Programs::new()).err().unwrap_or_default();
    found.into_iter().map(|problem| (problem.name, problem.kind)).collect()
}

#[track_caller]
fn refused(kind: &PlaceholderProblemKind, values: &[&str]) {
    for value in values {
        let found = problems(value);
        assert!(found.iter().all(|(_, found)| found == kind) && !found.is_empty(), "{value}\n{found:?}");
    }
}

#[track_caller]
fn accepted(values: &[&str]) {
    let found = values.iter().map(|value| (*value, problems(value))).filter(|(_, found)| !found.is_empty());
    assert_eq!(found.collect::<Vec<_>>(), []);
}

fn code(program: &str) -> PlaceholderProblemKind {
    PlaceholderProblemKind::ProgramCode(program.to_owned())
}

#[test]
fn values_become_parameters_in_the_authors_quoting() {
    check("cargo test", "cargo test");
    check("cargo fmt -- {path}", "cargo fmt -- \"${1}\"");
    check("cp {path} {path}.bak", "cp \"${1}\" \"${2}\".bak");
    check("echo \"is {message}.\"", "echo \"is ${1}.\"");
    check("echo \"$(basename {path})\"", "echo \"$(basename \"${1}\")\"");
    check("echo \"$(basename \"{path}\")\" {a}", "echo \"$(basename \"${1}\")\" \"${2}\"");
    check("x={a}; y=\"{b}\" make > {c} 2>{d}", "x=\"${1}\"; y=\"${2}\" make > \"${3}\" 2>\"${4}\"");
    check("echo ${HOME} {a} ${b} {a b}", "echo ${HOME} \"${1}\" ${b} {a b}");
    check("(cd sub && ls {path}) || exit 1", "(cd sub && ls \"${1}\") || exit 1");
    check("echo 'it''s' \\' {a}", "echo 'it''s' \\' \"${1}\"");
    check("a # comment isn't \" open\necho {a}", "a # comment isn't \" open\necho \"${1}\"");
    check("cat <<'E' && echo {a}\n'unclosed\nE\necho {b}", "cat <<'E' && echo \"${1}\"\n'unclosed\nE\necho \"${2}\"");
    check(
        "case {a} in x|y) echo \"$(echo {b})\";; esac; echo {c}",
        "case \"${1}\" in x|y) echo \"$(echo \"${2}\")\";; esac; echo \"${3}\"",
    );
}

#[test]
fn a_value_is_no_file_of_code_no_query_and_no_name_of_a_variable() {
    refused(&code("."), &[". {path}", ". -- {path}", ". lib/{agent}.sh x"]);
    refused(&code("source"), &["source {path}", "true && source \"{path}\""]);
    accepted(&[". {project}/lib.sh", ". ./lib.sh {path}", "source lib.sh && f {path}"]);
    refused(&code("psql"), &["psql -c {x}", "psql db -qc \"select {x}\"", "psql --command={x}"]);
    refused(&code("mysql"), &["mysql -e {x}", "mysql --execute={x}"]);
    refused(&code("sqlite3"), &["sqlite3 a.db {x}", "sqlite3 a.db \"select '\"{x}", "echo {x} | sqlite3 a.db"]);
    accepted(&["psql -f {path}", "psql -v x={x} -f a.sql", "sqlite3 {path} .schema"]);
    refused(&code("make"), &["make X={path}", "make {path}", "make -C sub X={x}", "make --eval={x}"]);
    accepted(&["make -C {project} test", "make -f {path} all", "make --directory={path}"]);
    for builtin in ["read", "unset", "mapfile", "export", "readonly"] {
        refused(&code(builtin), &[&format!("{builtin} {{path}}"), &format!("{builtin} -- {{x}}")]);
    }
    refused(&code("printf"), &["printf -v {path} x", "printf -v{x} x"]);
    refused(&code("test"), &["test -v {path}", "test a = a -a -v {x}"]);
    refused(&code("["), &["[ -v {x} ]", "[ ! -v {x} ]"]);
    accepted(&["export X={x}", "printf '%s' {x}", "printf -v out '%s' {x}", "test -f {path}", "[ {x} = -n ]"]);
    accepted(&["read -r x < {path}", "while read -r x; do echo {x}; done < {path}"]);
}

#[test]
fn only_a_bare_word_is_one_word_for_each_value() {
    let several = |value: &str, values: &[&str]| {
        let text = text(value);
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        let (script, parameters) =
            render(&analyse(&text, &Programs::new()).unwrap(), &vec![values; text.placeholders.len()]);
        (script, parameters.join("|"))
    };
    let says = |script: &str, parameters: &str| (script.to_owned(), parameters.to_owned());
    assert_eq!(several("f {path}", &["a", "b"]), says("f \"${1}\" \"${2}\"", "a|b"));
    assert_eq!(several("f {path} end", &[]), says("f  end", ""));
    assert_eq!(several("f \"{path}\"", &["a", "b"]), says("f \"${1}\"", "a, b"));
    assert_eq!(several("f x{path}", &["a", "b"]), says("f x\"${1}\"", "a, b"));
    assert_eq!(several("f > {path}", &["a", "b"]), says("f > \"${1}\"", "a, b"));
    assert_eq!(several("x={path}", &[]), says("x=\"${1}\"", ""));
    assert_eq!(several("f \"{path}\"", &[]), says("f \"${1}\"", ""));
    assert_eq!(several("case {path} in *) ;; esac", &["a", "b"]), says("case \"${1}\" in *) ;; esac", "a, b"));
    assert_eq!(several("f {path} {path}", &["a", "b"]), says("f \"${1}\" \"${2}\" \"${3}\" \"${4}\"", "a|b|a|b"));
}

#[test]
fn placeholders_that_quoting_swallows_are_problems() {
    refused(
        &PlaceholderProblemKind::SingleQuotes,
        &["echo '{a}'", "echo 'x'\"y\"'{a}'", "echo $'{a}'", "echo $'\\'{a}'"],
    );
    refused(
        &PlaceholderProblemKind::HereDocument,
        &["cat <<E\n{a}\nE\n", "cat <<-'E' | x\n\t{a}\n\tE\n", "cat <<{a}\nx\n{a}\n", "cat <<A <<B\nA\n{b}\nB\n"],
    );
    refused(&PlaceholderProblemKind::Comment, &["true # {a}", "# {a}\ntrue"]);
    refused(
        &PlaceholderProblemKind::Arithmetic,
        &["echo $(({a} + 1))", "echo \"$(( {a} ))\"", "(( {a} > 1 ))", "echo $[{a}]"],
    );
    refused(&PlaceholderProblemKind::Backticks, &["echo `basename {path}`", "echo \"`basename {path}`\""]);
    refused(&PlaceholderProblemKind::Expansion, &["echo ${x:-{a}}", "echo \"${x#{a}}\""]);
    refused(&PlaceholderProblemKind::Escaped, &["echo \\{a}", "echo \"\\{a}\""]);
    refused(
        &PlaceholderProblemKind::Positional,
        &[
            "f() { echo {a}; }; f x",
            "function f { echo {a}; }; f x",
            "function f() { echo {a}; }; f x",
            "f() (echo {a}); f x",
            "shift; echo {a}",
            "set -- x; echo {a}",
            "for x in {a}; do set x; done",
        ],
    );
    accepted(&["f() { echo \"$1\"; }; f {path}", "set -eu; set -o pipefail; echo {a}"]);
}

#[test]
fn placeholders_in_code_are_problems() {
    refused(
        &code("eval"),
        &["eval {a}", "eval \"echo {a}\"", "X=1 eval echo {a}", "command eval {a}", "eval \"$(echo {a})\""],
    );
    refused(
        &code("sh"),
        &[
            "sh -c {a}",
            "sh -c \"echo {a}\"",
            "/bin/sh -ec \"echo {a}\"",
            "sudo -u root sh -c \"{a}\"",
            "timeout -s KILL 5 sh -c \"{a}\"",
            "env -i A=b sh -c \"{a}\"",
            "find . -exec sh -c \"{a}\" \\;",
            "docker exec box sh -c \"{a}\"",
            "if sh -c \"{a}\"; then x; fi",
            "x=$(sh -c \"{a}\")",
            "sh -c \"$(printf %s {a})\"",
            "echo {a} | sh",
            "echo {a} | tr a b | sh -s",
            "(true; echo {a}) | sh",
            "{ true; echo {a}; true; } | sh",
            "for x in {a}; do echo $x; done | sh",
            "sh <<< {a}",
            "sh <(echo {a})",
        ],
    );
    refused(&code("bash"), &["bash -lc \"echo {a}\"", "bash -O extglob -c {a}"]);
    refused(
        &code("ssh"),
        &[
            "ssh host echo {a}",
            "ssh -p 22 host \"echo {a}\"",
            "ssh -o ProxyCommand={a} h x",
            "ssh -o {a} h",
            "ssh -- host {a}",
            "echo {a} | ssh host",
        ],
    );
    refused(&code("python3"), &["python3 -c \"print('{a}')\"", "python3 -Ic {a}", "echo {a} | python3"]);
    refused(&code("perl"), &["perl -e {a}", "perl -lane {a}", "perl -e\"{a}\"", "perl -e 1 -e {a}"]);
    refused(&code("ruby"), &["ruby -e \"{a}\""]);
    refused(&code("node"), &["node -e {a}", "node --eval={a}", "node --eval {a}", "node -p {a}"]);
    refused(&code("php"), &["php -r {a}"]);
    refused(&code("awk"), &["awk {a} f", "awk \"/{a}/\" f", "awk -F : \"{a}\"", "awk -e {a}"]);
    refused(&code("sed"), &["sed \"s/a/{a}/\" f", "sed -n -e {a}", "sed -i --expression={a} f"]);
    refused(&code("env"), &["env -S {a}", "env --split-string={a}", "env -S \"x {a}\""]);
    refused(
        &PlaceholderProblemKind::Program,
        &["{a} x", "{path}", "sudo {a}", "sudo -- {a}", "X=1 {a}", "true && \"{a}\"", "$(echo {a})", "xargs {a}"],
    );
    accepted(&[
        "sh -c 'echo \"$1\"' sh {a}",
        "python3 -c 'import sys' {a}",
        "awk -v x={a} '{print x}' {path}",
        "sed -n 's/x/y/p' {path}",
        "ssh -- {a} uptime",
        "echo {a} | wc -c; cat x | sh",
        "echo {a} | sh -c 'cat'",
        "\"{project}/check.sh\" --file={a}",
        "git commit -m\"eval {a}\"",
        "echo {a} | ssh host cat",
    ]);
}

/// Texts that only the records of programs cover, not a table here.
#[test]
fn a_value_is_no_code_of_any_program_that_has_a_record() {
    refused(&code("rsync"), &["rsync -e {a} x y", "rsync --rsh={a} -- x y", "sudo rsync -e \"ssh -p {a}\" x y"]);
    refused(
        &code("tar"),
        &["tar --to-command={a} -xf x", "tar -x -I {a} -f x", "tar --to-command \"cat {path}\" -xf x"],
    );
    refused(&code("git"), &["git -c core.pager={a} log", "git submodule foreach {a}"]);
    refused(&code("ssh"), &["x | ssh -o ProxyCommand=\"nc {a}\" host"]);
    refused(&code("xterm"), &["xterm -e {a}"]);
    refused(&code("parallel"), &["parallel {a} ::: x"]);
    refused(&code("git"), &["git -c alias.x={a} x", "git -c alias.x='!'{a} x"]);
    refused(
        &code("GIT_SSH_COMMAND"),
        &[
            "GIT_SSH_COMMAND={a} git fetch",
            "env GIT_SSH_COMMAND={a} git fetch",
            "export GIT_SSH_COMMAND=\"ssh {a}\"; git fetch",
        ],
    );
    refused(&code("BASH_ENV"), &["BASH_ENV={a} bash -c ls"]);
    refused(&code("LESSOPEN"), &["x; LESSOPEN={a} less x"]);
    refused(&PlaceholderProblemKind::Program, &["npx {a}", "find . -exec {a} {} +", "nice -n 5 \"$(echo {a})\""]);
    accepted(&[
        "rsync -e ssh -- {a} {b}",
        "tar -cf {path} --exclude={a} .",
        "git -c user.name={a} commit -m\"{b}\"",
        "RUST_LOG={a} cargo test",
        "git -c alias.x=log x",
        "find {path} -name x{a} -exec \"{project}/check.sh\" {} +",
        "make -f {path} all",
    ]);
}

#[test]
fn letters_in_the_value_of_an_option_are_no_options() {
    accepted(&[
        "ruby -rset {path}",
        "ruby -rset -e 'puts ARGV' {a}",
        "perl -Mre lib.pl {path}",
        "python3 -Werror x.py {path}",
        "node --require ./setup.js x.js {path}",
        "bash -O extglob x.sh {path}",
    ]);
    refused(&code("ruby"), &["ruby -rset -e {a}", "ruby -rset -ne \"{a}\""]);
}

/// Texts that evaluate a value later: in arithmetic, as a subscript, as the name of a variable, as a prompt.
const EVALUATED: &[&str] = &[
    "bash -c '[[ $1 -eq 1 ]]' _ {x}",
    "bash -c '[[ 1 -lt $1 ]]' _ {x}",
    "bash -c '[[ -v $1 ]]' _ {x}",
    "bash -c 'echo $(( $1 ))' _ {x}",
    "bash -c 'echo $(( $1 + 1 ))' _ \"{x}\"",
    "bash -c 'echo $[ $1 ]' _ {x}",
    "bash -c '(( $1 > 3 )) && echo yes' _ {x}",
    "bash -c 'let y=$1' _ {x}",
    "bash -c 'let \"y = $1\"' _ {x}",
    "bash -c 'test -v \"$1\"' _ {x}",
    "bash -c 'printf -v \"$1\" x' _ {x}",
    "bash -c 'declare \"$1=1\"' _ {x}",
    "bash -c 'declare -i n=\"$1\"' _ {x}",
    "bash -c 'declare -i \"n=$1\"' _ {x}",
    "bash -c 'declare -i n; n=$1' _ {x}",
    "bash -c 'declare -n r=\"$1\"; echo $r' _ {x}",
    "bash -c 'echo ${!1}' _ {x}",
    "bash -c 'read -r \"$1\" < f' _ {x}",
    "bash -c 'a=(1 2); echo ${a[$1]}' _ {x}",
    "bash -c 'a[$1]=1' _ {x}",
    "bash -c 'echo ${PATH:$1}' _ {x}",
    "bash -c 'echo ${PATH:0:$1}' _ {x}",
    "bash -c 'for ((i = 0; i < $1; i++)); do break; done' _ {x}",
    "bash -c 'PS4=$1; set -x; true' _ {x}",
    "bash -c 'echo \"${1@P}\"' _ {x}",
    "bash -c 'set -- \"$1\"; echo $(( $1 ))' _ {x}",
    "bash -c 'f() { echo $(( $1 )); }; f \"$1\"' _ {x}",
    "bash -c 'f() { local n=$1; [[ $n -gt 1 ]]; }; f \"$1\"' _ {x}",
    "bash -c 'for v in \"$@\"; do echo $((v)); done' _ {x}",
    "bash -c 'a=(\"$1\"); echo $((a))' _ {x}",
    "bash -c 'read -r n <<< \"$1\"; echo $((n))' _ {x}",
    "bash -c 'while read -r v; do (( v > 1 )); done <<< \"$1\"' _ {x}",
    "bash -c 'n=$(printf %s \"$1\"); echo $((n))' _ {x}",
    "V={x}; bash -c 'echo $(( $1 ))' _ \"$V\"",
    "V={x} bash -c 'echo $((V))'",
    "export V={x}; bash -c 'echo $((V))'",
    "env V={x} bash -c 'echo $((V))'",
    "sudo -u me bash -c '[[ $1 -eq 1 ]]' _ {x}",
    "echo {x} | bash -c 'read -r v; echo $((v))'",
    "echo {x} | xargs bash -c 'echo $(($0))'",
    "echo {x} | xargs -n1 bash -c '[[ $1 -eq 1 ]]' _",
    "bash -c 'declare -A m; k=$1; let \"m[$k]++\"' _ {x}",
    "bash -c 'declare -A m; k=$1; read -r \"m[$k]\" <<< x' _ {x}",
    "bash -c 'declare -A m; k=$1; unset \"m[$k]\"' _ {x}",
    "bash -c 'declare -A m; k=$1; test -v \"m[$k]\"' _ {x}",
    "bash -c 'declare -A m; k=$1; printf -v \"m[$k]\" x' _ {x}",
    "bash -c 'declare -n r=$1; r=1' _ {x}",
    "bash -c 'while [ $# -gt 0 ]; do echo $(($1)); shift; done' _ {x}",
    "bash -c 'echo \"$1\" | tr a a | { read -r v; echo $((v)); }' _ {x}",
    "bash -c 'v=$(echo \"$1\" | sed s/z/y/); echo $((v))' _ {x}",
    "bash -c 'v=$(tail -n 1 <<< \"$1\"); [[ $v -eq 1 ]]' _ {x}",
    "bash -c 'echo 0-9; echo $(($1))' _ {x}",
    "bash -c 'echo \"$1\" | tr -d 0-9; echo $(($1))' _ {x}",
    "bash -c 'y=1; [[ $y =~ ^[0-9]+$ ]] && echo $(($1))' _ {x}",
    "bash -c 'case $2 in (*[!0-9]*) exit;; esac; echo $(($1))' _ {x} 1",
];

/// The same in versions of bash before 5.2.
const EVALUATED_BY_OLDER_BASH: &[&str] = &[
    "bash -c 'declare -A m; k=$1; echo $((m[$k]))' _ {x}",
    "bash -c 'declare -A m; k=$1; (( m[$k]++ ))' _ {x}",
    "bash -c 'declare -A m; k=$1; [[ m[$k] -eq 1 ]]' _ {x}",
    "bash -c 'declare -A m; k=$1; [[ -v m[$k] ]]' _ {x}",
];

/// The same in the shell that runs the text itself: bash evaluates these, also under the name `sh`.
const EVALUATED_BY_SH: &[&str] = &[
    "V={x}; echo $((V))",
    "V={x}; echo $(( $V + 1 ))",
    "echo {x} | while read -r v; do echo $((v)); done",
    "f() { echo $(( $1 )); }; f n{x}",
    "f() { echo $(( $1 )); }; f {x}",
    "function f { [[ $1 -eq 1 ]]; }; f {x}",
];

/// Texts that later make a value code for a shell.
const SHELL_TEXT: &[&str] = &[
    "printf '%s\\n' {x} | xargs -I@ sh -c 'echo @'",
    "echo {x} | xargs -I {} sh -c 'echo {}'",
    "echo {x} | xargs -I@ bash -c 'bash -c \"echo @\"'",
    "find {path} -exec sh -c 'echo {}' ';'",
    "V={x}; sh -c \"echo $V\"",
    "V={x}; sh -c \"echo '$V'\"",
    "V={x}; sh -c \"echo \\\"$V\\\"\"",
    "V={x}; sh -c \"# $V\"",
    "bash -c 'bash -c \"ls $1\"' _ {x}",
    "bash -c 'bash <<< \"$1\"' _ {x}",
    "V={x}; echo \"$V\" > f; sh f",
    "V={x}; nohup sh -c \"ls $V\"",
    "bash -c 'echo \"$1\" | sh' _ {x}",
    "V={x} sh -c 'eval \"$V\"'",
    "V={x}; eval \"$V\"",
    "V={x}; eval \"echo $V\"",
    "V={x}; eval \"echo '$V'\"",
    "V={x}; trap \"echo $V\" EXIT",
    "V={x}; ssh h \"echo $V\"",
    "bash -c 'ssh h \"$1\"' _ {x}",
    "V={x}; git -c alias.x=\"!$V\" x",
    "f() { eval \"$1\"; }; f {x}",
    "f() { shift; eval \"$1\"; }; f 1 {x}",
    "sh -c 'while [ $# -gt 0 ]; do eval \"$1\"; shift; done' _ {x}",
    "bash -c 'select v in \"$@\"; do eval \"$v\"; break; done <<< 1' _ {x}",
    "bash -c 'cmd=$(echo \"$1\" | tr a a); eval \"$cmd\"' _ {x}",
    "bash -c 'echo \"$1\" | sed s/z/y/ | { read -r v; sh -c \"$v\"; }' _ {x}",
    "python3 -c 'import os, sys; os.system(sys.argv[1])' {x}",
    "python3 -c 'import os, sys; os.system(\"echo \" + sys.argv[1])' {x}",
    "V={x} python3 -c 'import os; os.system(os.environ[\"V\"])'",
    "python3 -c 'import subprocess, sys; subprocess.run(sys.argv[1], shell=True)' {x}",
    "perl -e 'system($ARGV[0])' -- {x}",
    "V={x} perl -e 'system(\"echo \" . $ENV{\"V\"})'",
    "node -e 'require(\"child_process\").execSync(process.argv[1])' -- {x}",
    "ruby -e 'system(ARGV[0])' -- {x}",
    "php -r 'system($argv[1]);' -- {x}",
    "echo {x} | awk '{ system(\"echo \" $0) }'",
    "V={x} awk 'BEGIN { system(\"echo \" ENVIRON[\"V\"]) }'",
    "echo {x} | awk '{ c = \"echo \" $0; c | getline; print }'",
    "echo {x} | awk '{ print | (\"echo \" $0) }'",
    "echo {x} | awk '{ print $0 | \"sh\" }'",
];

/// Texts that later make a value code in another language.
const FOREIGN: &[(&str, &str)] = &[
    ("awk", "V={x}; awk \"$V\" f"),
    ("awk", "bash -c 'awk \"BEGIN { print $1 }\"' _ {x}"),
    ("sed", "V={x}; sed \"s/a/$V/\" f"),
    ("perl", "V={x}; perl -e \"$V\""),
    ("python3", "bash -c 'python3 -c \"print($1)\"' _ {x}"),
    ("node", "V={x}; node -e \"$V\""),
    ("ruby", "V={x}; ruby -e \"puts '$V'\""),
    ("make", "V={x}; make X=\"$V\""),
    ("psql", "V={x}; psql -c \"select '$V'\""),
    (".", "V={x}; . \"$V\""),
    ("source", "bash -c 'source \"$1\"' _ {x}"),
    ("awk", "awk -v c={x} 'BEGIN { system(c) }'"),
    ("python3", "python3 -c 'import sys; exec(sys.argv[1])' {x}"),
    ("python3", "python3 -c 'import sys; print(eval(sys.argv[1]))' {x}"),
    ("python3", "python3 -c 'import sys; v = sys.argv[1]; exec(\"x = \" + v)' {x}"),
    ("python3", "echo {x} | python3 -c 'import sys; exec(sys.stdin.read())'"),
    ("python3", "V={x} python3 -c 'import os; exec(os.environ[\"V\"])'"),
    ("python3", "V={x} python3 -c 'import os; eval(os.environ.get(\"V\"))'"),
    ("perl", "perl -e 'eval $ARGV[0]' -- {x}"),
    ("perl", "V={x} perl -e 'eval $ENV{\"V\"}'"),
    ("perl", "perl -e 'eval shift' -- {x}"),
    ("node", "node -e 'eval(process.argv[1])' -- {x}"),
    ("node", "node -e 'eval(process.argv[1])' {x}"),
    ("node", "node -e 'new Function(process.argv[1])()' -- {x}"),
    ("node", "node -e 'require(\"vm\").runInThisContext(process.argv[1])' -- {x}"),
    ("node", "V={x} node -e 'eval(process.env.V)'"),
    ("ruby", "ruby -e 'eval ARGV[0]' -- {x}"),
    ("ruby", "V={x} ruby -e 'eval ENV[\"V\"]'"),
    ("php", "php -r 'eval($argv[1]);' -- {x}"),
    ("php", "V={x} php -r 'eval(getenv(\"V\"));'"),
];

/// Ordinary texts that only pass a value on.
const PASSED_ON: &[&str] = &[
    "bash -c '[[ $1 == 1 ]]' _ {x}",
    "bash -c '[[ $1 > a && -n $1 ]]' _ {x}",
    "bash -c '[[ $1 =~ a ]]' _ {x}",
    "bash -c '[ \"$1\" -eq 1 ]' _ {x}",
    "sh -c '[ \"$1\" -eq 1 ]' _ {x}",
    "dash -c 'echo $(( $1 ))' _ {x}",
    "test {x} -eq 1",
    "sh -c 'rm -f -- \"$1\"' _ {x}",
    "sh -c 'printf %s \"$1\"' _ {x}",
    "bash -c 'printf %d \"$1\"' _ {x}",
    "bash -c 'x=$1; echo \"$x ${#x} ${x#*:} ${x@Q}\"' _ {x}",
    "bash -c 'export X=\"$1\"; declare Y=\"$1\"; local_=\"$1\"; echo \"$X$Y\"' _ {x}",
    "bash -c 'readonly X=\"$1\"; typeset Y=\"$X\"; echo \"$Y\"' _ {x}",
    "export X={x}; export Y=\"$X\"; env",
    "V={x}; export \"X=$V\"; env",
    "bash -c 'f() { local v=\"$1\"; echo \"$v\"; }; f \"$1\"' _ {x}",
    "bash -c 'case $1 in (*[!0-9]*|\"\") exit 0;; esac; echo $(($1))' _ {x}",
    "bash -c '[[ $1 =~ ^[0-9]+$ ]] && echo $(($1 + 1))' _ {x}",
    "bash -c 'declare -A m; m[$1]=1; echo \"${m[$1]}\"' _ {x}",
    "bash -c 'n=$(printf %s \"$1\" | tr -dc 0-9); echo $((n + 0))' _ {x}",
    "bash -c 'n=$(printf %s \"$1\" | wc -c); echo $((n))' _ {x}",
    "bash -c 'for v in \"$@\"; do echo \"$v\"; done' _ {x}",
    "bash -c 'eval \"echo ${1@Q}\"' _ {x}",
    "bash -c 'printf -v q %q \"$1\"; eval \"echo $q\"' _ {x}",
    "echo {x} | while read -r v; do echo \"$v\"; done",
    "echo {x} | xargs -I@ echo @",
    "echo {x} | xargs sh -c 'echo \"$0\"'",
    "echo {x} | xargs -I@ sh -c 'echo \"$1\"' _ @",
    "V={x}; trap 'echo \"$V\"' EXIT",
    "V={x} sh -c 'echo \"$V\"'",
    "V={x}; sh -c 'echo \"$1\"' _ \"$V\"",
    "V={x}; awk -v v=\"$V\" 'BEGIN { print v }'",
    "bash -c 'python3 -c \"import sys\" \"$1\"' _ {x}",
    "V={x}; perl -e 'print @ARGV' -- \"$V\"",
    "V={x}; git commit -m\"$V\"",
    "V={x}; echo \"$V\" > f; cat f",
    "find . -name \"x\"{x} -exec sh -c 'echo \"$1\"' _ {} ';'",
    "find {path} -exec sh -c 'echo \"$1\"' _ {} ';'",
    "bash -c 'echo \"$1\"' _ {x} | wc -l",
    "cd {project} && bash -c 'ls -- \"$1\"' _ {path}",
    "bash -c '\"$0/check.sh\" \"$1\"' {project} {x}",
    "f() { echo \"$1\"; }; f {x}",
    "f() { shift; printf %s \"$1\"; }; f 1 {x}",
    "f() { rm -f -- \"$1\"; }; f {x}",
    "bash -c 'n=$(echo \"$1\" | tr -cd 0-9); echo $((n + 0))' _ {x}",
    "bash -c 'n=$(echo \"$1\" | sed \"s/[^0-9]//g\"); echo $((n + 0))' _ {x}",
    "bash -c 'grep -qE \"^[0-9]+$\" <<< \"$1\" && echo $(($1))' _ {x}",
    "bash -c 'echo \"$1\" | grep -qE \"^[0-9]+$\" && echo $(($1))' _ {x}",
    "bash -c '[ -z \"${1//[0-9]/}\" ] && echo $(($1 + 0))' _ {x}",
    "bash -c 're=\"^[0-9]+$\"; [[ $1 =~ $re ]] && echo $(($1))' _ {x}",
    "bash -c 'n=${1//[!0-9]/}; echo $((n + 0))' _ {x}",
    "bash -c 'for v in \"$@\"; do echo \"$v\" | tr a b; done' _ {x}",
    "bash -c 'declare -A m; m[$1]=1; [[ -n ${m[$1]} ]] && echo yes' _ {x}",
    "python3 -c 'import sys; print(sys.argv[1])' {x}",
    "python3 -c 'import sys, subprocess; subprocess.run([\"echo\", sys.argv[1]])' {x}",
    "V={x} python3 -c 'import os; print(os.environ[\"V\"])'",
    "node -e 'console.log(process.argv[1])' -- {x}",
    "echo {x} | awk '{ print $1 }'",
    "echo {x} | awk '{ print $1 } END { system(\"true\") }'",
    "echo {x} | awk '{ print $1 | \"sort\" }'",
    "V={x} awk 'BEGIN { print ENVIRON[\"V\"] }'",
    "awk -v v={x} 'BEGIN { print v; system(\"date\") }'",
];

/// Asserts that the problems of a text are values that a shell runs as code.
#[track_caller]
fn refused_as_shell_text(found: &[(String, PlaceholderProblemKind)], value: &str) {
    let is_code = |(_, kind): &(String, PlaceholderProblemKind)| matches!(kind, PlaceholderProblemKind::ProgramCode(_));
    assert!(!found.is_empty() && found.iter().all(is_code), "{value}\n{found:?}");
}

#[test]
fn a_value_is_followed_to_where_a_later_step_evaluates_it() {
    refused(&PlaceholderProblemKind::Evaluated, EVALUATED);
    refused(&PlaceholderProblemKind::Evaluated, EVALUATED_BY_SH);
    refused(&PlaceholderProblemKind::Evaluated, EVALUATED_BY_OLDER_BASH);
    for (program, value) in FOREIGN {
        refused(&code(program), &[value]);
    }
    for value in SHELL_TEXT {
        refused_as_shell_text(&problems(value), value);
    }
    let program = ["bash -c '\"$1\"' _ {x}", "bash -c '$1 x' _ {x}", "V={x}; timeout 5 \"$V\"", "V={x}; $V --version"];
    refused(&PlaceholderProblemKind::Program, &program);
    accepted(PASSED_ON);
    let argv = |words: &[&str]| {
        let words: Vec<StringLiteral> = words.iter().map(|word| text(word)).collect();
        check_argv(&words, &Programs::new()).problems.into_iter().map(|problem| problem.kind).collect::<Vec<_>>()
    };
    assert_eq!(argv(&["bash", "-c", "[[ $1 -eq 1 ]]", "_", "{x}"]), [PlaceholderProblemKind::Evaluated]);
    assert_eq!(argv(&["bash", "-c", "[[ $1 == 1 ]]", "_", "{x}"]), []);
    assert_eq!(argv(&["bash", "-c", "eval \"echo $1\"", "_", "{x}"]), [code("eval")]);
}

#[test]
fn a_variable_that_is_set_for_a_command_is_followed_too() {
    let value = text("{x}");
    let check = |command: &str, name: &str| {
        let found = check_environment(command, &[("OTHER", &text("fixed {y}")), (name, &value)], &Programs::new());
        found.into_iter().map(|problem| (problem.name, problem.kind)).collect::<Vec<_>>()
    };
    let found = |kind: PlaceholderProblemKind| vec![("x".to_owned(), kind)];
    assert_eq!(check("bash -c 'echo $((N))'", "N"), found(PlaceholderProblemKind::Evaluated));
    assert_eq!(check("echo $((N))", "N"), found(PlaceholderProblemKind::Evaluated));
    for command in ["eval \"$N\"", "sh -c \"ls $N\"", "bash <<< \"$N\"", "echo \"$N\" | sh"] {
        refused_as_shell_text(&check(command, "N"), command);
    }
    assert_eq!(check("$N --version", "N"), found(PlaceholderProblemKind::Program));
    for command in ["echo \"$N\"", "sh -c 'ls -- \"$N\"'", "[ \"$N\" -eq 1 ]", "./check.sh", "export M=\"$N\"; env"] {
        assert_eq!(check(command, "N"), [], "{command}");
    }
}

/// A path begins with a `/`: no shell parses one as an expression.
#[test]
fn a_path_is_code_in_a_script_and_no_number() {
    accepted(&["bash -c '[[ $1 -eq 1 ]]' _ {path}", "bash -c 'python3 \"$1\"' _ {path}", "sh -c 'sh \"$1\"' _ {path}"]);
    for value in ["V={path}; sh -c \"ls $V\"", "echo {path} | xargs -I@ sh -c 'ls @'"] {
        refused_as_shell_text(&problems(value), value);
    }
}

/// Whether a shell creates a file for one of several values that run a command wherever they are evaluated.
fn makes_a_file(shell: &str, value: &str) -> bool {
    let values = ["a[$(:>PWN)]", ";:>PWN;", "';\n:>PWN\n;'", "\";:>PWN;\""];
    values.iter().any(|probe| {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("f"), "x\n").unwrap();
        // If a text names a path, the file exists.
        let file = directory.path().join(probe);
        let _unusual = std::fs::write(&file, "");
        let text = text(value);
        let places = scan::scan(&text, &Programs::new()).unwrap_or_else(|problems| panic!("{value}: {problems:?}"));
        let mut script = text.value.clone();
        for ((at, placeholder), place) in text.placeholders.iter().enumerate().zip(&places).rev() {
            let parameter = if place.quoted { format!("${{{}}}", at + 1) } else { format!("\"${{{}}}\"", at + 1) };
            script.replace_range(placeholder.range.clone(), &parameter);
        }
        let names = text.placeholders.iter().map(|placeholder| placeholder.name.text());
        let arguments: Vec<String> = names
            .map(|name| match name.as_str() {
                "path" => format!("./{probe}"),
                "project" => directory.path().display().to_string(),
                _ => (*probe).to_owned(),
            })
            .collect();
        assert_eq!(arguments.len(), places.len());
        let mut command = std::process::Command::new(shell);
        command.current_dir(directory.path()).args(["-c", &script, "rules"]).args(&arguments).env_remove("BASH_ENV");
        let _whatever = command.stdin(std::process::Stdio::null()).output().unwrap();
        directory.path().join("PWN").exists()
    })
}

/// Whether a program is on the search path.
fn is_installed(program: &str) -> bool {
    std::process::Command::new(program).arg("--version").stdin(std::process::Stdio::null()).output().is_ok()
}

#[test]
fn what_is_refused_runs_the_value_and_what_is_accepted_does_not() {
    let bash = std::process::Command::new("bash").args(["-c", "echo ${BASH_VERSINFO[0]}"]).output().unwrap();
    let is_new = String::from_utf8_lossy(&bash.stdout).trim().parse::<u32>().is_ok_and(|version| version >= 5);
    // Interpreters that are not installed here, and programs that need privileges or another machine or may be absent.
    let interpreters = ["node", "perl", "php", "python3", "ruby"].into_iter();
    let absent: Vec<&str> =
        interpreters.filter(|name| !is_installed(name)).chain(["sudo", "ssh", "git", "dash"]).collect();
    let is_elsewhere = |value: &&&str| absent.iter().any(|name| value.contains(name));
    if is_new {
        for value in EVALUATED.iter().chain(EVALUATED_BY_SH).filter(|value| !is_elsewhere(value)) {
            assert!(makes_a_file("bash", value), "{value}");
        }
    }
    for value in SHELL_TEXT.iter().filter(|value| !is_elsewhere(value)) {
        assert!(makes_a_file("bash", value), "{value}");
    }
    for value in PASSED_ON.iter().filter(|value| !is_elsewhere(value)) {
        assert!(!makes_a_file("bash", value), "{value}");
        assert!(!makes_a_file("sh", value), "{value}");
    }
}

#[test]
fn other_names_of_a_program_take_the_same_code() {
    refused(&code("psql14"), &["psql14 -c {x}", "echo {x} | psql14 -q"]);
    refused(&code("python3.12"), &["python3.12 -c {a}", "echo {a} | sudo python3.12 -"]);
    refused(&code("gsed"), &["gsed \"s/a/{a}/\" f", "gsed -n -e {a}"]);
    refused(&code("mawk"), &["mawk {a} f"]);
    refused(&code("gmake"), &["gmake X={x}", "gmake --eval={x}"]);
    refused(&code("duckdb"), &["duckdb a.db {x}", "echo {x} | duckdb"]);
    refused(&code("oksh"), &["oksh -c {a}", "oksh <(echo {a})"]);
    accepted(&["gmake -C {project} test", "gawk -v x={x} '{print x}' {path}", "oksh -c 'echo \"$1\"' x {a}"]);
}

#[test]
fn a_record_of_a_policy_takes_code_as_its_kin_does() {
    let mut programs = Programs::new();
    let record = "names = ['myrb']\nversioned = ['myrb']\nlike = 'ruby'";
    programs
        .read(&[("myrb.toml".to_owned(), record.to_owned())], hookrules_shell::programs::ReplaceableRecords::Nothing)
        .unwrap();
    for (value, is_code) in [
        ("myrb -e {a}", true),
        ("sudo myrb3.2 -ne \"puts {a}\"", true),
        // A policy's record does not determine which of its operands are code.
        ("myrb -rset {path}", true),
        ("myrb --require={path} -v", false),
    ] {
        let found = analyse(&text(value), &programs).err().unwrap_or_default();
        let is_found = found.iter().any(
            |problem| matches!(&problem.kind, PlaceholderProblemKind::ProgramCode(name) if name.starts_with("myrb")),
        );
        assert_eq!(is_found, is_code, "{value}: {found:?}");
    }
}

#[test]
fn what_wraps_a_program_is_known_by_its_record() {
    let wrappers = [
        "sudo -u root",
        "doas -u root",
        "env -i A=b",
        "nohup",
        "setsid -w",
        "nice -n 5",
        "ionice -c 2",
        "stdbuf -o L",
        "timeout -s KILL 5",
        "gtimeout 5",
        "time -f %e",
        "xargs -n 1",
        "exec -a x",
        "command",
        "builtin",
        "busybox",
        "chrt -r 5",
        "taskset -c 0",
        "sudo -u root nice -n 5",
    ];
    for wrapper in wrappers {
        refused(&PlaceholderProblemKind::Program, &[&format!("{wrapper} {{a}}"), &format!("{wrapper} \"{{a}}\" x")]);
        refused(&PlaceholderProblemKind::Option, &[&format!("{wrapper} rm {{a}}")]);
        refused(&code("sh"), &[&format!("{wrapper} sh -c {{a}}")]);
        accepted(&[&format!("{wrapper} rm -- {{a}}"), &format!("{wrapper} sh -c 'rm \"$1\"' sh {{a}}")]);
    }
    refused(&PlaceholderProblemKind::Option, &["timeout {a} true", "timeout -s KILL {a} true"]);
    accepted(&["sudo -u {a} true", "sudo A={a} true", "env A={a} true"]);
}

#[test]
fn a_value_is_no_code_of_a_program_that_a_policy_describes() {
    let record = "names = ['mycli']\n[options]\nruns = ['--hook']\nvalue = ['--name']\n\
                  [[command]]\nnames = ['exec']\noperands = 'runs'\n[[command]]\nnames = ['show']";
    let mut programs = Programs::new();
    programs
        .read(&[("mycli.toml".to_owned(), record.to_owned())], hookrules_shell::programs::ReplaceableRecords::Nothing)
        .unwrap();
    for (value, is_code) in [
        ("mycli --hook={a}", true),
        ("mycli exec -- {a}", true),
        ("sudo mycli exec {path}", true),
        ("mycli --name={a}", false),
        ("mycli show -- {a}", false),
    ] {
        let found = analyse(&text(value), &programs).err().unwrap_or_default();
        assert_eq!(found.iter().any(|problem| problem.kind == code("mycli")), is_code, "{value}: {found:?}");
        assert!(analyse(&text(value), &Programs::new()).err().unwrap_or_default().is_empty(), "{value}");
    }
}

#[test]
fn a_value_that_could_be_an_option_needs_a_double_dash() {
    refused(
        &PlaceholderProblemKind::Option,
        &[
            "rm {a}",
            "rm \"{a}\"",
            "rm {a}/x",
            "notify-send \"{message}\"",
            "sudo -- rm {a}",
            "rm -- x; rm {a}",
            "ssh {a} uptime",
            "printf {a}",
            "timeout {a} true",
            "cd \"$(dirname {file})\"",
            "tar --to-command cat -xf x {a}",
            "psql -c 'select 1' {a}",
            "git -c alias.x='!ls' x {a}",
        ],
    );
    accepted(&[
        "rm -- {a} {b}",
        "rm {path} {project} \"{path}/x\"",
        "sudo rm -- {a}",
        "notify-send -- \"{message}\"",
        "git commit -m\"{message}\" --author={a}",
        "rm ./{a}",
        "echo \"{message}\" > log",
        "printf '%s' {a}",
        "[ \"{a}\" = x ]",
        "for x in {a}; do echo \"$x\"; done",
        "cat < {a} > {b}",
    ]);
}

#[test]
fn the_value_of_an_option_may_begin_with_a_dash() {
    accepted(&[
        "git commit -m {message}",
        "curl -d {message} -H {a} https://x.example",
        "sudo git commit --message {a}",
        "jq -n --arg c {command} '$c'",
        "jq --argjson c {a} --arg d {b} . f",
        "jq -f x.jq --arg c {a}",
        "yq --arg c \"{a}\" . f",
        "git commit -m {path} x",
    ]);
    refused(
        &PlaceholderProblemKind::Option,
        &[
            "git commit -m a {message}",
            "curl -d a {message}",
            "jq --args '.x' {command}",
            // Without a path, `-m` would take the option behind it.
            "git commit -F {path} -m {a}",
        ],
    );
    let after = |option: &str| PlaceholderProblemKind::AfterOption(option.to_owned());
    refused(&after("--title"), &["mytool --title {a}", "sudo mytool -x --title \"{a}\""]);
    refused(&after("-t"), &["mytool -t {a}"]);
    accepted(&["mytool --title={a}", "mytool -t{a}"]);
    refused(&code("jq"), &["jq {a} f", "jq -n --arg c -- {a} '$c'", "jq -r {a}", "sudo jq -c {a}"]);
}

#[test]
fn a_missing_value_of_an_option_is_an_empty_word() {
    let text = text("git commit -m {message} --author={a}");
    let template = analyse(&text, &Programs::new()).unwrap();
    let (script, parameters) = render(&template, &[Vec::new(), vec!["x".to_owned()]]);
    assert_eq!(script, "git commit -m \"${1}\" --author=\"${2}\"");
    assert_eq!(parameters, ["", "x"]);
    let words = ["git", "commit", "-m", "{message}", "--", "{a}"].map(self::text);
    assert_eq!(check_argv(&words, &Programs::new()).single_words, [3]);
}

#[test]
fn the_helps_name_what_has_the_value() {
    let help = |value: &str| {
        let found = analyse(&text(value), &Programs::new()).unwrap_err();
        found[0].diagnostic().help.unwrap_or_default()
    };
    assert!(help("logger {git.branch}").ends_with("with the option `env: { BRANCH: \"{git.branch}\" }`"));
    assert!(help("logger {tool_input.command}").ends_with("`jq -r '.tool_input.command'`"));
    assert!(help("mytool --title {match}").starts_with("attach it (`--title={match}`), or run a script"));
    assert!(help("jq {command} f").contains("--arg value {command}"));
    assert!(help("curl -d '{\"text\": \"{message}\"}' https://x.example").contains("'{text: $value}'"));
}

#[test]
fn an_argument_of_a_function_is_judged_by_what_the_function_does_with_it() {
    refused(
        &PlaceholderProblemKind::Option,
        &["f() { rm \"$1\"; }; f {a}", "function f { local x=\"$1\"; rm \"$x\"; }; f \"{a}\""],
    );
    refused(&PlaceholderProblemKind::Program, &["f() { \"$1\"; }; f {a}", "f() { sudo \"$@\"; }; f ls && f {a}"]);
    accepted(&["f() { rm -- \"$1\"; }; f {a}", "f() { rm \"x$1\"; }; f {a}", "f() { rm \"$1\"; }; f x{a}"]);
    refused(&PlaceholderProblemKind::Option, &["f {a}; f() { echo \"$1\"; }", "sudo f {a}"]);
}

#[test]
fn what_is_not_closed_is_a_problem() {
    for value in ["echo 'x", "echo \"x", "echo $(x", "echo ${x", "echo `x", "cat <<E\nx", "(x", "echo $((1"] {
        let found = analyse(&text(value), &Programs::new()).unwrap_err();
        assert_eq!(
            found.iter().map(|problem| &problem.kind).collect::<Vec<_>>(),
            [&PlaceholderProblemKind::Unterminated],
            "{value}"
        );
    }
    accepted(&["echo it\\'s", "echo 'a\"b'", "echo \"a'b\"", "cat <<E\n'\nE"]);
}

#[test]
fn nesting_is_bounded() {
    let deep = format!("eval {{a}}{}", "$(".repeat(200));
    assert_eq!(problems(&deep), [("a".to_owned(), PlaceholderProblemKind::TooDeep)]);
    let long = format!("{}{{a}}{}", "echo $(".repeat(50), ")".repeat(50));
    assert_eq!(problems(&long), [("a".to_owned(), PlaceholderProblemKind::Program)]);
}

#[test]
fn problems_say_where_and_what_to_write() {
    let found = analyse(&text("rm {a} && eval {b.c}"), &Programs::new()).unwrap_err();
    let diagnostics: Vec<Diagnostic> = found.iter().map(PlaceholderProblem::diagnostic).collect();
    let told: Vec<(&str, &str, u32)> =
        diagnostics.iter().map(|d| (d.code.id, d.message.as_str(), d.labels[0].span.start)).collect();
    assert_eq!(
        told,
        [("R0513", "`{a}` could be read as an option", 3), ("R0512", "`{b.c}` would be code of `eval`", 15)]
    );
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.help.is_some() && diagnostic.message.len() <= 72));
}

#[test]
fn argv_is_checked_like_a_command() {
    let check = |words: &[&str]| {
        let words: Vec<StringLiteral> = words.iter().map(|word| text(word)).collect();
        check_argv(&words, &Programs::new()).problems.into_iter().map(|problem| problem.kind).collect::<Vec<_>>()
    };
    assert_eq!(check(&["cargo", "fmt", "--", "{path}", "{a}"]), []);
    assert_eq!(check(&["rm", "{path}", "--file={a}", "x{a}"]), []);
    assert_eq!(check(&["rm", "{a}"]), [PlaceholderProblemKind::Option]);
    assert_eq!(check(&["{a}", "x"]), [PlaceholderProblemKind::Program]);
    assert_eq!(check(&["sudo", "--", "{a}"]), [PlaceholderProblemKind::Program]);
    assert_eq!(check(&["sh", "-c", "echo {a}"]), [code("sh")]);
    assert_eq!(check(&["sh", "-c", "printf \"%s\" \"$1\"", "sh", "{a}"]), []);
    assert_eq!(check(&["X={a}"]), [], "in argv this is a program's name, and begins as the author says");
}

/// Values that are dangerous to a shell.
fn nasty() -> Vec<String> {
    let fixed = [
        "",
        " ",
        "a b",
        "-n",
        "--",
        "-rf",
        "'",
        "\"",
        "\\",
        "\\\\'",
        "$(touch pwned)",
        "`touch pwned`",
        "${HOME}",
        "$1 $@ $0",
        "'; touch pwned; '",
        "\"; touch pwned; \"",
        "a\nb",
        "\n",
        "a\n",
        "*",
        "?[a-z]*",
        "~",
        "#x",
        "!x",
        "&& touch pwned",
        "| touch pwned",
        "größer 🦀",
        "\t",
        "a\u{1}b",
        "%s%n",
        "{a}",
        "}",
        "$((1+1))",
        "<(x)",
        "\u{202e}",
    ];
    let alphabet: Vec<char> = "'\"\\$`(){}[];&|<>*?~#! \n\t-=%@abé🦀".chars().collect();
    let mut seed = 42_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let made = (0..80).map(|_| (0..random(12)).map(|_| alphabet[random(alphabet.len())]).collect::<String>());
    fixed.map(str::to_owned).into_iter().chain(made.collect::<Vec<_>>()).collect()
}

/// Runs a script with its parameters and returns what it prints.
fn run(shell: &str, (script, parameters): (String, Vec<String>)) -> String {
    let directory = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(shell);
    command.current_dir(directory.path()).args(["-c", &script, "rules"]).args(&parameters);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "{script} {parameters:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn any_value_arrives_as_exactly_one_argument() {
    let nasty = nasty();
    // All values in one script for each kind of place: bare, quoted, attached and nested.
    let places = ["{a}", "\"{a}\"", "x{a}y", "\"x {a} y\"", "x\"{a}\"'y'"];
    for shell in ["sh", "bash"] {
        for place in places {
            let value = vec![format!("printf '%s\\0' {place}"); nasty.len()].join("\n");
            let template = analyse(&text(&value), &Programs::new()).unwrap();
            let values: Vec<Vec<String>> = nasty.iter().map(|value| vec![value.clone()]).collect();
            let printed = run(shell, render(&template, &values));
            let wanted = |value: &String| match place {
                "{a}" | "\"{a}\"" => value.clone(),
                "\"x {a} y\"" => format!("x {value} y"),
                _ => format!("x{value}y"),
            };
            let expected: String = nasty.iter().map(|value| wanted(value) + "\0").collect();
            assert_eq!(printed, expected, "{shell} {place}");
        }
    }
}

#[test]
fn several_values_arrive_as_several_arguments() {
    let nasty = nasty();
    let template = analyse(&text("printf '%s\\0' first {a} last"), &Programs::new()).unwrap();
    let expected: String = ["first"]
        .into_iter()
        .chain(nasty.iter().map(String::as_str))
        .chain(["last"])
        .map(|v| format!("{v}\0"))
        .collect();
    assert_eq!(run("sh", render(&template, &[nasty])), expected);
    assert_eq!(run("sh", render(&template, &[Vec::new()])), "first\0last\0");
}

#[test]
fn nested_places_keep_the_value() {
    // A substitution drops trailing newlines, as for any output.
    for value in nasty().iter().filter(|value| !value.ends_with('\n')) {
        let template = analyse(
            &text("x={a}; printf '%s\\0' \"$x\" \"$(printf %s {a})\" \"$(printf %s \"{a}\")\""),
            &Programs::new(),
        )
        .unwrap();
        let values = vec![vec![value.clone()]; 3];
        assert_eq!(run("sh", render(&template, &values)), format!("{value}\0").repeat(3));
    }
}

#[test]
fn every_text_is_read_without_a_panic() {
    let parts = [
        "{a}",
        "'",
        "\"",
        "$(",
        ")",
        "(",
        "`",
        "${",
        "}",
        "{",
        "<<E\n",
        "E\n",
        "\n",
        " ",
        ";",
        "|",
        "\\",
        "case x in ",
        ";;",
        "esac",
        "sh -c ",
        "f()",
        "é",
        "$((",
        "--",
    ];
    let mut seed = 3_u64;
    for _ in 0..20_000 {
        let mut value = String::new();
        for _ in 0..10 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            value.push_str(parts[usize::try_from(seed >> 33).unwrap() % parts.len()]);
        }
        let text = text(&value);
        if let Ok(template) = analyse(&text, &Programs::new()) {
            let (script, parameters) = render(&template, &vec![vec!["v".to_owned()]; text.placeholders.len()]);
            assert_eq!(parameters.len(), text.placeholders.len());
            assert!(!script.contains("{a}"), "{value}");
        }
    }
}
