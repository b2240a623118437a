//! Texts and their trees.

use std::fmt::Write;

use super::{parse as parse_as, parse_substituted as parse_substituted_as, *};
use crate::dialect::Dialect;

const BASH: DialectReading = DialectReading::single(Dialect::Bash);

fn parse(text: &str) -> Parsed {
    parse_as(text, 0, &BASH)
}

fn parse_substituted(text: &str) -> Parsed {
    parse_substituted_as(text, 0, &BASH)
}

/// Formats a tree: each command in parentheses after its kind.
fn shown(node: &CommandNode) -> String {
    let mut text = match &node.kind {
        CommandKind::Empty => "nothing".to_owned(),
        CommandKind::Simple { assignments, words } => {
            let raws: Vec<&str> = assignments.iter().chain(words).map(|raw| raw.text.as_str()).collect();
            format!("{}{}", "=".repeat(assignments.len()), raws.join("·"))
        }
        CommandKind::Pipeline(nodes) => format!("pipe({})", nodes.iter().map(shown).collect::<Vec<_>>().join(", ")),
        CommandKind::Chain(first, rest) => {
            let rest = rest.iter().map(|(link, node)| format!(" {link:?} {}", shown(node)));
            format!("{}{}", shown(first), rest.collect::<String>())
        }
        CommandKind::List(items) => {
            let wait = |item: &ListItem| if item.wait == ItemMode::Foreground { ";" } else { "&" };
            items.iter().map(|item| format!("{}{}", shown(&item.node), wait(item))).collect::<Vec<_>>().join(" ")
        }
        CommandKind::Subshell(body) => format!("({})", shown(body)),
        CommandKind::Group(body) => format!("{{{}}}", shown(body)),
        CommandKind::If(arms, otherwise) => {
            let mut text = String::from("if");
            for (condition, body) in arms {
                write!(text, "({} → {})", shown(condition), shown(body)).unwrap();
            }
            match otherwise {
                Some(node) => format!("{text} else({})", shown(node)),
                None => text,
            }
        }
        CommandKind::While(condition, body) => format!("while({} → {})", shown(condition), shown(body)),
        CommandKind::Until(condition, body) => format!("until({} → {})", shown(condition), shown(body)),
        CommandKind::For { head, name, words, body } => {
            let words: Option<Vec<&str>> =
                words.as_ref().map(|words| words.iter().map(|raw| raw.text.as_str()).collect());
            format!("{head:?} {name} {words:?}({})", shown(body))
        }
        CommandKind::Count(header, body) => format!("for {}({})", header.text, shown(body)),
        CommandKind::Case(word, arms) => {
            let mut text = format!("case {}", word.text);
            for arm in arms {
                let patterns: Vec<&str> = arm.patterns.iter().map(|raw| raw.text.as_str()).collect();
                write!(text, "({} → {})", patterns.join("|"), arm.body.as_ref().map(shown).unwrap_or_default())
                    .unwrap();
            }
            text
        }
        CommandKind::Function(name, body) => format!("function {name}({})", shown(body)),
        CommandKind::Coproc(_, body) => format!("coproc({})", shown(body)),
        CommandKind::Arithmetic(raw) => format!("(({}))", raw.text),
        CommandKind::AnyOf(bodies) => bodies.iter().map(|body| shown(body)).collect(),
        CommandKind::Test(words) => {
            format!("[[{}]]", words.iter().map(|raw| raw.text.as_str()).collect::<Vec<_>>().join("·"))
        }
    };
    for redirect in &node.redirects {
        let target = match &redirect.target {
            RedirectTarget::Word(raw) => raw.text.clone(),
            RedirectTarget::Expanded(body) => format!("~{body:?}"),
            RedirectTarget::Literal(body) => format!("{body:?}"),
            RedirectTarget::Pending(_) => "awaited".to_owned(),
        };
        let descriptor = match redirect.descriptor {
            DescriptorName::Implied => String::new(),
            DescriptorName::Number(number) => number.to_string(),
            DescriptorName::New(_) => "new".to_owned(),
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
        "a <Write o> <2DuplicateOutput 1> <3ReadWrite f> <AppendBoth g> <HereString \"w\"> <newWrite h>",
    );
    check("a <(b) >(c)d 2>(e)", "a·<(b)·>(c)d·2>(e)");
    check("a>b", "a <Write b>");
    check("a1>b a\\ 1>b", "a1·a\\ 1 <Write b> <Write b>");
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
    check("if a; then b; elif c\nthen d; else e; fi >f", "if(a → b)(c → d) else(e) <Write f>");
    check("while a; do b; done < f", "while(a → b) <Read f>");
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
        "function f({a} <Write x>); function g({b}); function h((c));",
    );
    check("coproc N { a; }; coproc a b", "coproc({a}); coproc(a·b);");
}

#[test]
fn conditions() {
    check("[[ a ]] && [[ -n b && c ]]", "[[a]] And [[-n·b·c]]");
    check("[[\n-f a\n|| ( !(b) && ! ! c ) ]] >f", "[[-f·a·!·b·!·!·c]] <Write f>");
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
        assert_eq!(parse(text).failed, Some((0, ParseError::Syntax)), "{text}");
    }
}

#[test]
fn here_documents() {
    check("cat <<E | sh\na $x\nE\nb", "pipe(cat <HereDocument ~\"a $x\\n\">, sh) / b");
    check("cat <<'E O' <<-\"B\"\nx\nE O\n\ty\n\tB\nz", "cat <HereDocument \"x\\n\"> <HereDocument \"y\\n\"> / z");
    check("cat <<A <<B\nx\nA\nrm\nB", "cat <HereDocument ~\"x\\n\"> <HereDocument ~\"rm\\n\">");
    check("<<E cat; a\nhi\nE", "cat <HereDocument ~\"hi\\n\">; a;");
    check("cat <<$'E'\n$E\nE\nrm x", "cat <HereDocument \"$E\\n\"> / rm·x");
    check("cat <<$'\\x45'$\"F\"\nEF\nrm x", "cat <HereDocument \"\"> / rm·x");
    check("cat <<$(a 'E')\n$(a 'E')\nrm x", "cat <HereDocument ~\"\"> / rm·x");
    check("cat <<$$'E'\n$$E\nrm x", "cat <HereDocument \"\"> / rm·x");
    check("cat <<${x:-$'E'}\nrm x", " !Syntax \"cat <<${x:-$'E'}\\nrm x\"");
    check("cat <<E\nrm", "cat <HereDocument ~\"rm\">");
    check("cat <<E", "cat <HereDocument ~\"\">");
    check("cat <<E\na\\\nE\nE\nb", "cat <HereDocument ~\"aE\\n\"> / b");
    check("while a; do cat <<E\nx\nE\ndone; b", "while(a → cat <HereDocument ~\"x\\n\">); b;");
    check("a $(cat <<E\nE)\nrm x\nE", "a·$(cat <<E\nE) / rm·x / E");
    check("a $(cat <<-E\n\tE b)\nrm x\nE", "a·$(cat <<-E\n\tE b) / rm·x / E");
    check("a $(cat <<EF\nE\\\nF)\nrm x", "a·$(cat <<EF\nE\\\nF) / rm·x");
    check("(cat <<E\nE)\nE\n)", "(cat <HereDocument ~\"E)\\n\">)");
    let substituted = parse_substituted("cat <<E\na\nE rm x");
    assert_eq!(substituted.lines.iter().map(shown).collect::<Vec<_>>(), ["cat <HereDocument ~\"a\\n\">", "rm·x"]);
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
        assert_eq!(parse(text).failed, Some((0, ParseError::Syntax)), "{text}");
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
        assert_eq!(
            failed,
            Some(if matches!(open, "(" | "{ ") { ParseError::Syntax } else { ParseError::TooDeep }),
            "{open}"
        );
        assert!(parse(&open.repeat(5000)).failed.is_some(), "{open}");
    }
    assert_eq!(parse(&"( ".repeat(1000)).failed, Some((0, ParseError::TooDeep)));
    assert_eq!(parse(&format!("[[ {}a ]]", "! ".repeat(30_000))).failed, None);
    assert_eq!(parse(&format!("{}a", "! ".repeat(30_000))).failed, None);
}
