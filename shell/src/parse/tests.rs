//! Texts and their trees.

use std::fmt::Write;

use super::{parse as parse_as, parse_substituted as parse_substituted_as, *};
use crate::dialect::Dialect;

const BASH: Reading = Reading::sole(Dialect::Bash);

fn parse(text: &str) -> Parsed {
    parse_as(text, 0, &BASH)
}

fn parse_substituted(text: &str) -> Parsed {
    parse_substituted_as(text, 0, &BASH)
}

/// Formats a tree: each command in parentheses after its kind.
fn shown(node: &Node) -> String {
    let mut text = match &node.kind {
        Kind::Empty => "nothing".to_owned(),
        Kind::Simple { assignments, words } => {
            let raws: Vec<&str> = assignments.iter().chain(words).map(|raw| raw.text.as_str()).collect();
            format!("{}{}", "=".repeat(assignments.len()), raws.join("·"))
        }
        Kind::Pipeline(nodes) => format!("pipe({})", nodes.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Kind::Chain(first, rest) => {
            let rest = rest.iter().map(|(link, node)| format!(" {link:?} {}", shown(node)));
            format!("{}{}", shown(first), rest.collect::<String>())
        }
        Kind::List(items) => {
            let wait = |item: &Item| if item.wait == Wait::Waited { ";" } else { "&" };
            items.iter().map(|item| format!("{}{}", shown(&item.node), wait(item))).collect::<Vec<_>>().join(" ")
        }
        Kind::Subshell(body) => format!("({})", shown(body)),
        Kind::Group(body) => format!("{{{}}}", shown(body)),
        Kind::If(arms, otherwise) => {
            let mut text = String::from("if");
            for (condition, body) in arms {
                write!(text, "({} → {})", shown(condition), shown(body)).unwrap();
            }
            match otherwise {
                Some(node) => format!("{text} else({})", shown(node)),
                None => text,
            }
        }
        Kind::While(condition, body) => format!("while({} → {})", shown(condition), shown(body)),
        Kind::Until(condition, body) => format!("until({} → {})", shown(condition), shown(body)),
        Kind::For { head, name, words, body } => {
            let words: Option<Vec<&str>> =
                words.as_ref().map(|words| words.iter().map(|raw| raw.text.as_str()).collect());
            format!("{head:?} {name} {words:?}({})", shown(body))
        }
        Kind::Count(header, body) => format!("for {}({})", header.text, shown(body)),
        Kind::Case(word, arms) => {
            let mut text = format!("case {}", word.text);
            for arm in arms {
                let patterns: Vec<&str> = arm.patterns.iter().map(|raw| raw.text.as_str()).collect();
                write!(text, "({} → {})", patterns.join("|"), arm.body.as_ref().map(shown).unwrap_or_default())
                    .unwrap();
            }
            text
        }
        Kind::Function(name, body) => format!("function {name}({})", shown(body)),
        Kind::Coproc(_, body) => format!("coproc({})", shown(body)),
        Kind::Arithmetic(raw) => format!("(({}))", raw.text),
        Kind::Either(bodies) => bodies.iter().map(|body| shown(body)).collect(),
        Kind::Test(words) => {
            format!("[[{}]]", words.iter().map(|raw| raw.text.as_str()).collect::<Vec<_>>().join("·"))
        }
    };
    for redirect in &node.redirects {
        let target = match &redirect.target {
            Target::Word(raw) => raw.text.clone(),
            Target::Expanded(body) => format!("~{body:?}"),
            Target::Literal(body) => format!("{body:?}"),
            Target::Awaited(_) => "awaited".to_owned(),
        };
        let descriptor = match redirect.descriptor {
            Descriptor::Own => String::new(),
            Descriptor::Number(number) => number.to_string(),
            Descriptor::New(_) => "new".to_owned(),
        };
        write!(text, " <{descriptor}{:?} {target}>", redirect.operator).unwrap();
    }
    text
}

/// Checks the lines of a text, joined by ` / `, and its unparsed rest.
#[track_caller]
fn check(text: &str, expected: &str) {
    let parsed = parse(text);
    let mut is = parsed.lines.iter().map(shown).collect::<Vec<_>>().join(" / ");
    if let Some((at, fault)) = parsed.failed {
        write!(is, " !{fault:?} {:?}", text.get(at..).unwrap()).unwrap();
    }
    assert_eq!(is, expected, "{text}");
}

#[test]
fn lists_and_pipelines() {
    check("a b;c&d&&e||f|g|&h", "a·b; c& d And e Or pipe(f, g, h);");
    check("a\nb;\n\n#x\nc # d", "a / b / c");
    check("a &&\n\n b |\n c", "a And pipe(b, c)");
    check("! time -p a | b", "pipe(a, b)");
    check("time", "nothing");
    check("a | time b", "pipe(a, time·b)");
    check("a \\\n b\\\nc &\\\n& d", "a·b\\\nc And d");
    check("echo foo#; x", "echo·foo#; x;");
}

#[test]
fn words_and_redirections() {
    check("A=1 b+=2 c[x y]=3 cmd D=4", "===A=1·b+=2·c[x y]=3·cmd·D=4");
    check("x=(a 'b c' # d\n e)", "=x=(a 'b c' # d\n e)");
    check("x=(a)#; rm y", "=x=(a)#; rm·y;");
    check("declare -a x=(a b) y", "declare·-a·x=(a b)·y");
    check("x[1 ;rm a] b; y=([1 2]=c)", "x[1 ;rm a]·b; =y=([1 2]=c);");
    check("x[$(y=(b [2]=c))]=(d)", "=x[$(y=(b [2]=c))]=(d)");
    check("declare x[1 ;rm a]=2", "declare·x[1; rm·a]=2;");
    check("echo x=(a)", " !Syntax \"echo x=(a)\"");
    check(
        ">o a 2>&1 3<>f &>>g <<<\"w\" {fd}>h",
        "a <Out o> <2OutTo 1> <3InOut f> <BothAppend g> <Text \"w\"> <newOut h>",
    );
    check("a <(b) >(c)d 2>(e)", "a·<(b)·>(c)d·2>(e)");
    check("a>b", "a <Out b>");
    check("a1>b a\\ 1>b", "a1·a\\ 1 <Out b> <Out b>");
    check(r#"a "$(b ")" 'c')" `d \`e` ${f:-"}"} $((1 << (2)))"#, r#"a·"$(b ")" 'c')"·`d \`e`·${f:-"}"}·$((1 << (2)))"#);
    check("a $( (b) ) $((b) ; (c))", "a·$( (b) )·$((b) ; (c))");
    check("a $(case x in y) z;; esac)", "a·$(case x in y) z;; esac)");
    check("a $(b # )\n)", "a·$(b # )\n)");
    check("a $(( ${x:-))}\nrm y", "a·$(( ${x:-))} / rm·y");
    check("a $(( $(case x in a) b;; esac) ))", "a·$(( $(case x in a) b;; esac) ))");
    check("a @(${x:-)}\nrm y\n[[ a =~ (${x:-)} ]]", "a·@(${x:-)} / rm·y / [[a·=~·(${x:-)}]]");
    check("a[${x:-]}]=b", "=a[${x:-]}]=b");
    check("a $((b) # )\nc <((d <<E) # )\nE", "a·$((b) # ) / c·<((d <<E) # ) / E");
    check("a \"${b%'}'}\" \"${b:-'}\"'}\"; rm y #'", "a·\"${b%'}'}\"·\"${b:-'}\"'}\"; rm·y;");
    check("a $'b\\'c' $\"d\"", "a·$'b\\'c'·$\"d\"");
    check("a !(b|c)", "a·!(b|c)");
    check("!(a)", "{(a)}");
    check("!(a) b; c !(d)", "!(a)·b; c·!(d);");
    check("a \"$${x\"; rm y; \"}\" $$", "a·\"$${x\"; rm·y; \"}\"·$$;");
}

#[test]
fn compound_commands() {
    check("if a; then b; elif c\nthen d; else e; fi >f", "if(a → b)(c → d) else(e) <Out f>");
    check("while a; do b; done < f", "while(a → b) <In f>");
    check("until a\ndo b\ndone", "until(a → b)");
    check("for x in a \"b c\"; do d; done", "For x Some([\"a\", \"\\\"b c\\\"\"])(d)");
    check("for x\ndo d; done; for x; { d; }", "For x None(d); For x None(d);");
    check("select x in a; do b; done", "Select x Some([\"a\"])(b)");
    check("for ((i=0; i<3; i++)); do a; done", "for i=0; i<3; i++(a)");
    check("case $x in a|b) c;; (d) e;& *) esac", "case $x(a|b → c)(d → e)(* → )");
    check("( a; b ) | { c; }", "pipe((a; b;), {c})");
    check("((x++)) && [[ -f a && ! ( $b =~ ^(c|d)$ ) || e < f ]]", "((x++)) And [[-f·a·!·$b·=~·^(c|d)$·e·f]]");
    check("((a); (b))", "((a); (b);)");
    check("for 1x in a; do b; done; c", "For 1x Some([\"a\"])(b); c;");
    check("$x() { a; }; 'f'() (b)", "function $x({a}); function 'f'((b));");
    check(
        "f() { a; } >x; function g { b; }; function h() (c)",
        "function f({a} <Out x>); function g({b}); function h((c));",
    );
    check("coproc N { a; }; coproc a b", "coproc({a}); coproc(a·b);");
}

#[test]
fn conditions() {
    check("[[ a ]] && [[ -n b && c ]]", "[[a]] And [[-n·b·c]]");
    check("[[\n-f a\n|| ( !(b) && ! ! c ) ]] >f", "[[-f·a·!·b·!·!·c]] <Out f>");
    check("[[ (a =~ b) && x -lt 3 || -q == !(c|d) ]]", "[[a·=~·b·x·-lt·3·-q·==·!(c|d)]]");
    check("[[ a =~ |b ]]; [[ !a ]]; [[ a<b ]]; [[ !(a|b) ]]", "[[a·=~·|b]]; [[!a]]; [[a·b]]; [[!(a|b)]];");
    for text in [
        "[[ ]]",
        "[[ a b ]]",
        "[[ a b c ]]",
        "[[ a == ]]",
        "[[ a \"==\" b ]]",
        "[[ a ==\nb ]]",
        "[[ a\n]]",
        "[[ -f ]]",
        "[[ ! ]]",
        "[[ a && ]]",
        "[[ ( a ]]",
        "[[ a ) ]]",
        "[[ a == a|b ]]",
        "[[ a =~ b<c ]]",
        "[[ a; b ]]",
        "[[ a ]]b",
    ] {
        assert_eq!(parse(text).failed, Some((0, Fault::Syntax)), "{text}");
    }
}

#[test]
fn here_documents() {
    check("cat <<E | sh\na $x\nE\nb", "pipe(cat <Here ~\"a $x\\n\">, sh) / b");
    check("cat <<'E O' <<-\"B\"\nx\nE O\n\ty\n\tB\nz", "cat <Here \"x\\n\"> <Here \"y\\n\"> / z");
    check("cat <<A <<B\nx\nA\nrm\nB", "cat <Here ~\"x\\n\"> <Here ~\"rm\\n\">");
    check("<<E cat; a\nhi\nE", "cat <Here ~\"hi\\n\">; a;");
    check("cat <<$'E'\n$E\nE\nrm x", "cat <Here \"$E\\n\"> / rm·x");
    check("cat <<$'\\x45'$\"F\"\nEF\nrm x", "cat <Here \"\"> / rm·x");
    check("cat <<$(a 'E')\n$(a 'E')\nrm x", "cat <Here ~\"\"> / rm·x");
    check("cat <<$$'E'\n$$E\nrm x", "cat <Here \"\"> / rm·x");
    check("cat <<${x:-$'E'}\nrm x", " !Syntax \"cat <<${x:-$'E'}\\nrm x\"");
    check("cat <<E\nrm", "cat <Here ~\"rm\">");
    check("cat <<E", "cat <Here ~\"\">");
    check("cat <<E\na\\\nE\nE\nb", "cat <Here ~\"aE\\n\"> / b");
    check("while a; do cat <<E\nx\nE\ndone; b", "while(a → cat <Here ~\"x\\n\">); b;");
    check("a $(cat <<E\nE)\nrm x\nE", "a·$(cat <<E\nE) / rm·x / E");
    check("a $(cat <<-E\n\tE b)\nrm x\nE", "a·$(cat <<-E\n\tE b) / rm·x / E");
    check("a $(cat <<EF\nE\\\nF)\nrm x", "a·$(cat <<EF\nE\\\nF) / rm·x");
    check("(cat <<E\nE)\nE\n)", "(cat <Here ~\"E)\\n\">)");
    let substituted = parse_substituted("cat <<E\na\nE rm x");
    assert_eq!(substituted.lines.iter().map(shown).collect::<Vec<_>>(), ["cat <Here ~\"a\\n\">", "rm·x"]);
    check("a \"$(cat <<'E'\nit's )\nE\n)\" b", "a·\"$(cat <<'E'\nit's )\nE\n)\"·b");
}

#[test]
fn what_is_no_bash_stops_at_its_line() {
    check("rm x\n)", "rm·x !Syntax \")\"");
    check("a; b )", " !Syntax \"a; b )\"");
    check("a\n'b\nc", "a !Syntax \"'b\\nc\"");
    for text in [
        "a;;b",
        "a & & b",
        "a | ! b",
        "if ; then a; fi",
        "()",
        "a &&",
        "}",
        "fi",
        "a (b)",
        "[[ a",
        "f() a",
        "f() coproc { a; }",
        "f() function g { a; }",
        ">",
        "a > 2>&1",
        "x[1",
        "a $(cat <<E)\nb <<'F'\nE\nrm x\nF",
        "x[",
        "( ! )",
        "if a; then ! fi",
        "case x in a) ! ;; esac",
        "case x in",
        "for ((a; b)); do c; done",
        "for ((a; b; c; d)); do e; done",
    ] {
        assert_eq!(parse(text).failed, Some((0, Fault::Syntax)), "{text}");
    }
}

#[test]
fn nesting_is_bounded_and_costs_no_power() {
    for (open, close) in [
        ("$(", ")"),
        ("(", ")"),
        ("{ ", "; }"),
        ("\"$(", ")\""),
        ("$((", ") )"),
        ("$((", "))"),
        ("${a:-", "}"),
        ("<(", ")"),
    ] {
        let nested = |depth: usize| format!("x {}a{}", open.repeat(depth), close.repeat(depth));
        let failed = parse(&nested(1000)).failed.map(|(_, fault)| fault);
        assert_eq!(failed, Some(if matches!(open, "(" | "{ ") { Fault::Syntax } else { Fault::Deep }), "{open}");
        assert!(parse(&open.repeat(5000)).failed.is_some(), "{open}");
    }
    assert_eq!(parse(&"( ".repeat(1000)).failed, Some((0, Fault::Deep)));
    assert_eq!(parse(&format!("[[ {}a ]]", "! ".repeat(30_000))).failed, None);
    assert_eq!(parse(&format!("{}a", "! ".repeat(30_000))).failed, None);
}
