//! Shell texts: from the fixtures, random ones, and mutations of them.

use crate::mutate::{self, amount, pick, repeat};
use crate::random::Random;
use crate::texts;

/// The sources of texts.
pub struct Texts {
    texts: Vec<String>,
    words: Vec<String>,
}

impl Texts {
    pub fn new() -> Self {
        let texts =
            texts::of(&["tests/fixtures/shell", "shell/fixtures"].map(|directory| super::root().join(directory)))
                .expect("the fixtures can be read");
        let mut words = super::words(&texts);
        words.extend(WORDS.iter().chain(NAMES).map(|word| (*word).to_owned()));
        Self { texts, words }
    }

    pub fn text(&self, random: &mut Random) -> String {
        let mut text = match random.below(14) {
            0..=3 => pick(random, &self.texts).clone(),
            4 => format!("{}{}{}", pick(random, &self.texts), random.one(JOINTS), pick(random, &self.texts)),
            5 => random.text(),
            6..=9 => {
                let depth = 1 + random.below(6);
                statements(random, depth)
            }
            10 => {
                let inner = pick(random, &self.texts).clone();
                wrapped(random, inner)
            }
            11 => circle(random),
            12 => chain(random),
            _ => nest(random),
        };
        for _ in 0..random.below(5) {
            mutate::text(random, &mut text, &self.words, &self.texts);
        }
        if random.below(24) == 0 {
            text = wrapped(random, text);
        }
        text
    }
}

const JOINTS: &[&str] = &["; ", "\n", " && ", " || ", " | ", " & ", "\ncd src\n", "; x=$(", "; : ${x:-", " <<E\n"];

const NAMES: &[&str] =
    &["x", "y", "a", "x", "PATH", "IFS", "HOME", "f", "_", "1", "@", "*", "#", "?", "BASH_ENV", "PWD"];

/// Words that the fixtures lack.
const WORDS: &[&str] = &[
    "$((",
    "))",
    "${x@P}",
    "${!x}",
    "${!x@}",
    "${x[@]}",
    "${#x}",
    "declare -n x=y",
    "local -i x",
    "readonly x",
    "export x",
    "typeset -A x",
    "let x",
    "mapfile x",
    "read x <<<",
    "printf -v x",
    "shopt -s extglob",
    "set -- ",
    "trap",
    "coproc",
    "select x in",
    "alias x=",
    "unalias",
    "eval",
    "exec",
    "source",
    "command",
    "builtin",
    "time",
    "<<<",
    "<<E\n",
    "<<-'E'\n",
    "\nE\n",
    "&>",
    ">|",
    "<>",
    "{1..9999}",
    "{a..z}",
    "{a,{b,{c,d}}}",
    "!(x|*)",
    "[[:alpha:]]",
    "/*/*/*",
    "**/",
    "~root",
    "$'\\x41\\u20ac'",
    "$\"x\"",
    "\\\n",
    "${x:0:1}",
    "${x^^}",
    "${x//?/${x}}",
    "${x:=${y:-$x}}",
    "[[ -eq ]]",
    "=~",
    "xargs",
    "find . -exec",
    "sudo -u x",
    "env -S",
    "bash -c",
    "sh -s",
    "python3 -c",
    "ssh h",
    "docker run",
    "git -c alias.x=!",
    "jq",
];

/// Returns statements that expand, calculate and assign a few names repeatedly, so that they interact.
fn statements(random: &mut Random, depth: usize) -> String {
    let mut text = statement(random, depth);
    for _ in 0..random.below(4) {
        text.push_str(random.one(&["; ", "\n", " && ", " || ", "; "]));
        text.push_str(&statement(random, depth));
    }
    text
}

fn statement(random: &mut Random, depth: usize) -> String {
    let name = random.one(NAMES);
    let Some(depth) = depth.checked_sub(1) else { return format!("{name}={}", word(random, 0)) };
    let mut next = || word(random, depth);
    let (a, b) = (next(), next());
    let sum = sum(random, depth);
    match random.below(26) {
        0..=5 => format!("{name}={a}"),
        6 => format!("{name}+={a}"),
        7 => format!("{name}[{sum}]={a}"),
        8 => format!("{name}=({a} [{sum}]={b})"),
        9 => format!("let {name}={sum} '{sum}'"),
        10 => format!("(({sum}))"),
        11 => format!("for (({sum}; {name}<{sum}; {name}++)); do {}; done", statements(random, depth)),
        12 => format!("for {name} in {a} {b}; do {}; done", statements(random, depth)),
        13 => format!("[[ {a} {} {b} ]]", random.one(&["==", "=~", "-eq", "-lt", "<", "-nt", "&&", "|| -n"])),
        14 => format!("declare {} {name}={a}", random.one(&["-i", "-n", "-a", "-A", "-x", "-r", "-u", "-g", "-f"])),
        15 => format!("read {name} <<<{a}"),
        16 => format!("printf -v {name} {a} {b}"),
        17 => format!("{name}() {{ {}; }}; {name} {a}", statements(random, depth)),
        18 => format!("eval {a} {b}"),
        19 => format!("bash -c {a} {b}"),
        20 => format!("case {a} in {b}) {} ;; *) {name}={b} ;; esac", statements(random, depth)),
        21 => format!("if {}; then {}; fi", statement(random, depth), statements(random, depth)),
        22 => format!("{a} | while read {name}; do {}; done", statements(random, depth)),
        23 => format!("cat <<E > {a}\n{b}\nE\n"),
        24 => format!("({}) | xargs {a} {b}", statements(random, depth)),
        _ => format!(": {a} {b}"),
    }
}

fn word(random: &mut Random, depth: usize) -> String {
    let name = random.one(NAMES);
    let Some(depth) = depth.checked_sub(1) else {
        return match random.below(5) {
            0 => format!("${name}"),
            1 => format!("'${name}'"),
            2 => format!("\"${{{name}}}\""),
            3 => random.one(WORDS).to_owned(),
            _ => random.one(&["a", "rm", "-rf", "/", "*.c", "git push", "1", "''", "x.sh", "~/x", "x", "y"]).to_owned(),
        };
    };
    let inner = word(random, depth);
    match random.below(20) {
        0 => format!("${{{name}{}{inner}}}", random.one(OPERATORS)),
        1 => format!("\"${{{name}{}{inner}}}\"", random.one(OPERATORS)),
        2 => format!("${{{name}@{}}}", random.one(&["P", "Q", "E", "A", "a", "K", "U", "L"])),
        3 => format!("${{{name}[{}]}}", sum(random, depth)),
        4 => format!("${{!{name}}}"),
        5 | 6 => format!("$(({}))", sum(random, depth)),
        7 => format!("'$(({}))'", sum(random, depth)),
        8 => format!("$({})", statements(random, depth)),
        9 => format!("\"$({})\"", statements(random, depth)),
        10 => format!("`{}`", statement(random, depth.min(1))),
        11 => format!("<({})", statements(random, depth)),
        12 => format!("{{{inner},{}}}", word(random, depth)),
        13 => format!("{inner}{}", word(random, depth)),
        14 => format!("\"{inner} ${name}\""),
        15 => format!("'{}'", statement(random, depth).replace('\'', "\"")),
        16 => format!("@({inner}|{})", word(random, depth)),
        17 => format!("${{{name}:{}:{}}}", sum(random, depth), sum(random, depth)),
        _ => word(random, 0),
    }
}

const OPERATORS: &[&str] = &[
    ":-", "-", ":=", "=", ":+", "+", ":?", "#", "##", "%", "%%", "/", "//", "/#", "/%", "^", "^^", ",", ",,", ":", "@",
    "[", "!",
];

/// Returns an arithmetic expression.
fn sum(random: &mut Random, depth: usize) -> String {
    let name = random.one(NAMES);
    let Some(depth) = depth.checked_sub(1) else {
        return match random.below(4) {
            0 => random.one(&["0", "1", "-1", "9223372036854775807", "16#ff", "08", "2#2", "64#@_", "1.5"]).to_owned(),
            1 => format!("${name}"),
            _ => name.to_owned(),
        };
    };
    let (a, b) = (sum(random, depth), sum(random, depth));
    match random.below(12) {
        0..=3 => {
            let operator =
                random.one(&["+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^", "&&", "||", ",", "=="]);
            format!("{a}{operator}{b}")
        }
        4 => format!("({a})"),
        5 => format!("{a}?{b}:{a}"),
        6 => format!("{name}[{a}]"),
        7 => format!("{name}{}{a}", random.one(&["=", "+=", "-=", "*=", "/=", "<<=", "**="])),
        8 => format!("{}{name}", random.one(&["++", "--", "-", "!", "~", "- -", "!!"])),
        9 => format!("$(({a}))"),
        10 => format!("${{{name}:-{a}}}"),
        _ => sum(random, 0),
    }
}

/// Embeds a text in another one that runs it.
fn wrapped(random: &mut Random, text: String) -> String {
    let quoted = || format!("'{}'", text.replace('\'', "'\\''"));
    match random.below(14) {
        0 => format!("bash -c {}", quoted()),
        1 => format!("eval {}", quoted()),
        2 => format!("x={}; eval \"$x\"", quoted()),
        3 => format!("echo $({text})"),
        4 => format!("f() {{ {text}; }}; f; f"),
        5 => format!("sh <<'E'\n{text}\nE"),
        6 => format!("trap {} EXIT", quoted()),
        7 => format!("find . -name x -exec sh -c {} \\;", quoted()),
        8 => format!("printf '%s' {} | bash", quoted()),
        9 => format!("ssh h {}", quoted()),
        10 => format!("sudo env X=1 timeout 5 bash -c {}", quoted()),
        11 => format!("python3 -c 'import os; os.system({:?})'", text),
        12 => format!("x={}; : \"${{x@P}}\" $((x)) ${{x:x}}", quoted()),
        _ => format!("for i in 1 2; do {text}; done"),
    }
}

/// Returns values that refer to each other, in every way that evaluates a name again, and a command that follows them.
fn circle(random: &mut Random) -> String {
    const READ: &[&str] = &[
        "$((N))",
        "${N@P}",
        "$N",
        "${!N}",
        "${a[N]}",
        "${a:N}",
        "N",
        "N+1",
        "N[N]",
        "$(eval \"$N\")",
        "N?N:N",
        "`$N`",
        "bash -c \"$N\"",
        "${N:-$N}",
        "${a:N:N}",
        "N=N",
        "$((N[N]))",
        "eval \"$N\"",
        ": $((N))",
        "${#a[N]}",
        "N++",
        "-N",
        "(N)",
        "${N//?/$N}",
    ];
    const FOLLOWED: &[&str] = &[
        ": $((N))",
        "let N",
        "((N))",
        "[[ N -eq 1 ]]",
        "for ((N; N; N)); do :; done",
        "read N <<<\"$N\"",
        "eval \"$N\"",
        "declare -i z=N",
        "a[N]=1",
        ": ${a[N]}",
        ": ${a:N}",
        ": \"${N@P}\"",
        "bash -c \"$N\"",
        "trap \"$N\" EXIT",
        "a=([N]=1)",
        "printf -v a[N] x",
        "f() { $N; f; }; f",
        ": \"${!N}\"",
        "declare -n N=M; : $N",
        "[ -v a[N] ]",
        "unset a[N]",
        "test $((N)) -eq 1",
        "${N}",
        "$N",
    ];
    let names = ["x", "y", "z", "a"];
    let count = 1 + random.below(names.len());
    let mut text = random.one(&["rm -rf x; ", "", "git push; "]).to_owned();
    for at in 0..count {
        let (name, next) = (names[at], names[(at + 1) % count]);
        let value = random.one(READ).replace('N', next);
        let quote = random.one(&["'", "'", "\""]);
        text.push_str(&format!("{name}{}{quote}{value}{quote}; ", random.one(&["=", "=", "+="])));
    }
    for _ in 0..=random.below(3) {
        text.push_str(&random.one(FOLLOWED).replace('N', random.one(&names)).replace('M', random.one(&names)));
        text.push_str(random.one(&["; ", "\n"]));
    }
    text
}

/// Returns a chain of values, each computed from the previous one, with two branches that are merged.
fn chain(random: &mut Random) -> String {
    const LINKS: &[&str] = &[
        "x=$(a $x);",
        "x=$(a $x $x);",
        "x=\"$(a \"$x\" $x)\";",
        "x=$(cd $x; git rev-parse --show-toplevel);",
        "x=${x:-$(a $x $x)};",
        "x=(\"${x[@]}\" $(a $x));",
        "x+=$(a $x);",
        "x=<(a $x $x);",
        "f() { a $(f $x $x); };",
        "cd \"$(a $PWD $OLDPWD)\";",
        "read x <<< $(a $x $x);",
        "set -- $(a $@ $1);",
        "exec 3< <(a $x <&3);",
        "x=$(find $x $x);",
    ];
    const COMPARED: &[(&str, &str, &str)] = &[
        ("", "", "echo $x"),
        ("if b; then ", " else ", " fi; rm $x"),
        ("while b; do ", " ", " done; rm $x"),
        ("case $b in a) ", " ;; *) ", " ;; esac; rm $x"),
        ("f() { ", " ", " f $x; }; f 1"),
        ("b && { ", " } || { ", " }; rm $x"),
        ("( ", " ) & ( ", " ) | xargs rm $x"),
    ];
    let link = random.one(LINKS);
    let (before, between, after) = *pick(random, COMPARED);
    let links = link.repeat(*pick(random, &[8, 30, 300, 900]));
    format!("{before}{links}{between}{links}{after}")
}

/// Nests or repeats one construct.
fn nest(random: &mut Random) -> String {
    const NESTS: &[(&str, &str, &str)] = &[
        ("(", ":", ")"),
        ("{ ", ":", "; }"),
        ("$(", "ls", ")"),
        ("\"$(", "ls", ")\""),
        ("$((", "1", "))"),
        ("(( ", "1", " ))"),
        ("${x:-", "y", "}"),
        ("\"${x:-", "y", "}\""),
        ("<(", "ls", ")"),
        ("if ", ":", "; then :; fi"),
        ("while ", ":", "; do :; done"),
        ("f() { ", ":", "; }"),
        ("case x in x) ", ":", " ;; esac"),
        ("! ", "ls", ""),
        ("- ", "1", ""),
        ("[[ ! ( ", "x", " ) ]]"),
        ("{a,", "b", "}"),
        ("@(a|", "b", ")"),
        ("a[", "1", "]"),
        ("x=(", "1", ")"),
        ("`", "ls", "`"),
        ("$((x?", "1", ":2))"),
        ("eval ", "ls", ""),
        ("sudo ", "ls", ""),
        ("env ", "ls", ""),
        ("time ", "ls", ""),
        ("coproc ", "ls", ""),
        ("ls | ", "ls", ""),
        ("ls && ", "ls", ""),
        ("((1+(", "1", ")))"),
        ("$((x=", "1", "))"),
        ("${x[", "1", "]}"),
        ("[", "a", "]"),
        ("\\", "a", ""),
        ("x=", "y", ""),
        (">", "f", ""),
        ("<<E\n", "", "\nE"),
        ("bash -c '", "ls", "'"),
        ("bash -c \"", "ls", "\""),
        ("'", "x", "'"),
        ("${x//", "y", "/z}"),
        ("$(( ", "1", " ? 1 : "),
        ("[[ (", "-n x", ") ]]"),
        ("for x in ", "y", "; do "),
        ("$((~", "1", "))"),
    ];
    let (open, core, close) = *pick(random, NESTS);
    let core = if random.below(3) == 0 { statement(random, 2) } else { core.to_owned() };
    let depth = match random.below(16) {
        0 => 1 << (8 + random.below(9)),
        1 | 2 => 16 << random.below(6),
        _ => 1 + random.below(60),
    };
    let closed = if random.below(6) == 0 { amount(random) } else { depth };
    let text = format!(
        "{}{core}{}",
        repeat(open, depth),
        if close.is_empty() { String::new() } else { repeat(close, closed) }
    );
    match random.below(6) {
        0 => format!("x='{text}'; : $((x)) ${{x@P}} \"$x\""),
        1 => format!("ls {text}"),
        2 => format!("x={text}"),
        3 => format!("(( {text} ))"),
        _ => text,
    }
}
