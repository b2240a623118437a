//! Programs that are nested as deeply as possible, long, or endless: the analysis of each ends, and fits into a small
//! stack.

use std::thread::Builder;

use super::analysed;
use crate::quote::quote;

/// The stack that a hook has for the analysis, in KiB: the minimum of 1 MiB without what the hook uses before.
const STACK: usize = 960;

/// Analyses a command line on a small stack, and returns whether a part of it is not analysed.
fn on_small_stack(text: String) -> bool {
    let named = Builder::new().name(text.chars().take(80).filter(|c| *c != '\0').collect()).stack_size(STACK << 10);
    named.spawn(move || !analysed(&text).opaque.is_empty()).unwrap().join().unwrap()
}

#[test]
fn a_name_that_names_itself_is_called_once() {
    for (interpreter, program) in [
        ("perl -ne", "x=Vix=Vix=\"\"${x~}"),
        ("perl -e", "our $x = \"x\"; &$x();"),
        ("perl -e", "our $a = \"b\"; our $b = \"a\"; &$a();"),
        ("php -r", "$x = \"x\"; $x();"),
        ("php -r", "$x = [\"x\", \"x\"]; $x();"),
    ] {
        on_small_stack(format!("{interpreter} {}", quote(program)));
    }
}

/// Beginnings and ends of texts, which are nested any number of times.
const PYTHON: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{1: ", "}"),
    ("f(", ")"),
    ("print(print, ", ")"),
    ("f\"{", "}\""),
    ("[x for x in ", "]"),
    ("(lambda: ", ")()"),
    ("(lambda f: f(f))(lambda f: ", ")"),
    ("1 + ", ""),
    ("a.b(", ").c"),
    ("x[", "]"),
    ("not ", ""),
    ("map(str, ", ")"),
    ("exec(", ")"),
    ("exec(\"", "\")"),
];

const JAVASCRIPT: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("({a: ", "})"),
    ("f(", ")"),
    ("`${", "}`"),
    ("(() => ", ")()"),
    ("(f => f(f))(f => ", ")"),
    ("[1].map(x => ", ")"),
    ("1 + ", ""),
    ("a.b(", ").c"),
    ("new A(", ")"),
    ("if (1) { ", " }"),
    ("class A { constructor() { ", " } }; new A()"),
    ("function f() { ", " }; f()"),
    ("[", "] = 1"),
    ("({a: ", "} = 1)"),
    ("eval('", "')"),
];

const RUBY: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{a: ", "}"),
    ("f(", ")"),
    ("\"#{", "}\""),
    ("->(x) { ", " }.call(1)"),
    ("[1].each { |x| ", " }"),
    ("1 + ", ""),
    ("a.b(", ").c"),
    ("x[", "]"),
    ("!", ""),
    ("if x then ", " end"),
    ("def f; ", "; end; f"),
    ("class A; ", "; end"),
    ("begin; ", "; rescue; end"),
    ("eval(", ")"),
    ("eval(\"", "\")"),
    ("(a, ", ") = 1"),
    ("f(<<A, ", ")\n1\nA\n"),
];

const PHP: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("['a' => ", "]"),
    ("f(", ")"),
    ("\"{$x[", "]}\""),
    ("(function () { return ", "; })()"),
    ("(fn($x) => ", ")(1)"),
    ("array_map(fn($x) => ", ", [1])"),
    ("1 . ", ""),
    ("$a->b(", ")->c"),
    ("new A(", ")"),
    ("!", ""),
    ("if (1) { ", "; }"),
    ("function f() { ", "; } f()"),
    ("class A { function f() { ", "; } }"),
    ("eval(", ")"),
    ("eval('", "')"),
    ("[", "] = 1"),
];

const PERL: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{a => ", "}"),
    ("f(", ")"),
    ("\"@{[ ", " ]}\""),
    ("sub { ", " }->(1)"),
    ("map { ", " } 1"),
    ("1 . ", ""),
    ("$a->b(", ")"),
    ("$x[", "]"),
    ("!", ""),
    ("if (1) { ", " }"),
    ("sub f { ", " } f()"),
    ("do { ", " }"),
    ("eval { ", " }"),
    ("eval(", ")"),
    ("eval('", "')"),
    ("(my ", ") = 1"),
    ("@{", "}"),
    ("$x =~ s/a/", "/e"),
];

#[test]
fn nothing_is_too_deep() {
    for (interpreter, brackets) in
        [("python3 -c", PYTHON), ("node -e", JAVASCRIPT), ("ruby -e", RUBY), ("php -r", PHP), ("perl -e", PERL)]
    {
        for (open, close) in brackets {
            for depth in [15, 47, 2_000] {
                let text =
                    format!("{interpreter} {}", quote(&format!("{}1{}", open.repeat(depth), close.repeat(depth))));
                on_small_stack(text.clone());
                // With the maximum nesting of shell text in which a program is still read.
                on_small_stack(format!("{}{text}{}", "$(".repeat(9), ")".repeat(9)));
                on_small_stack(format!("{}{text}{}", "{ ".repeat(30), "; }".repeat(30)));
            }
        }
    }
}

#[test]
fn nothing_goes_on_for_ever() {
    let texts = [
        ("python3 -c", "def f(x): f(x + 'a')\nf('a')"),
        (
            "python3 -c",
            "def f(x):\n  f(x)\n  f(x)\n  f(x)\n  g(x)\ndef g(x):\n  f(x)\n  g(x)\n  h(x)\ndef h(x):\n  f(x)\n  g(x)\n  h(x)\nf(1)",
        ),
        ("python3 -c", "f = lambda f: f(f)\nf(f)"),
        ("python3 -c", "x = 'exec(x); exec(x)'\nexec(x)"),
        ("python3 -c", "x = 'a'\nfor i in range(64):\n  for j in range(64):\n    for k in range(64):\n      x += x"),
        ("python3 -c", "x = [1]\nfor i in range(64): x = x + x"),
        ("python3 -c", "x = [1]\nfor i in range(64): x.append(x)\nprint(*x)\nprint(f'{x}')"),
        (
            "python3 -c",
            "def f():\n  g = None\n  for i in range(64):\n    g = lambda: g\n  return g\nx = f()\nfor i in range(64):\n  for j in range(64): x = x()",
        ),
        ("python3 -c", "import os\nfor i in range(64):\n  for j in range(64): os.system('ls')"),
        (
            "python3 -c",
            "import os, subprocess\nx = 'import os; os.system(\"python3 -c \" + repr(x))'\nos.system('python3 -c \"$X\"')",
        ),
        ("node -e", "const f = x => f(x + 'a'); f('a')"),
        ("node -e", "const f = f => [f, f, f].map(f => f(f)); f(f)"),
        ("node -e", "let x = [1]; for (let i = 0; i < 9; i++) x = [...x, ...x]; x.forEach(x => x)"),
        ("node -e", "class A { constructor() { this.a = new A() } } new A()"),
        ("node -e", "const x = 'eval(x); eval(x)'; eval(x)"),
        ("ruby -e", "def f(x) f(x + 'a') end; f('a')"),
        ("ruby -e", "def f(x) f(x); g(x) end; def g(x) f(x); g(x); h(x) end; def h(x) f(x); g(x); h(x) end; f 1"),
        ("ruby -e", "f = ->(g) { [g, g, g].map { |h| h.call(h) } }; f.call(f)"),
        (
            "ruby -e",
            "def f; yield; end; f { f { f { f { f { f { 1 } } } } } }; def g(&b) g(&b); b.call end; g { g { 1 } }",
        ),
        ("ruby -e", "x = [1]; 64.times { x += x }; x.each { |y| x << y }"),
        ("ruby -e", "x = 'a'; [*1..64].each { |i| [*1..64].each { |j| x << x } }"),
        ("ruby -e", "x = 'eval x; eval x'; eval x"),
        ("ruby -e", "class A; def initialize; @a = A.new; end; def go; go; A.new.go; end; end; A.new.go"),
        ("perl -e", "sub f { f($_[0] . 'a') } f('a')"),
        ("perl -e", "my $f = sub { map { $_[0]->($_[0]) } 1, 2, 3 }; $f->($f)"),
        ("perl -e", "@x = (1); for (1 .. 9) { @x = (@x, @x, \\@x) } print \"@x\"; print @$_ for @x"),
        ("perl -e", "$x = 'eval $x; eval $x'; eval $x"),
        ("perl -e", "$x = 's/a/s!b!eval $x!ee/e'; $_ = 'a'; eval $x"),
        ("perl -e", "sub AUTOLOAD { &$AUTOLOAD; AUTOLOAD(@_) } f(1)"),
        ("php -r", "function f($x) { f($x . 'a'); } f('a');"),
        ("php -r", "$f = function ($g) { return array_map(fn($h) => $h($h), [$g, $g, $g]); }; $f($f);"),
        ("php -r", "$f = 'array_map'; array_map($f, [$f, $f]); array_map('array_map', ['array_map', 'array_map']);"),
        ("php -r", "$x = [1]; for (;;) { $x[] = $x; } foreach ($x as $y) { foreach ($x as $z) { $x[] = $z; } }"),
        ("php -r", "$x = 'eval($x); eval($x);'; eval($x);"),
        ("php -r", "$x = 'a'; foreach ([1,2,3,4,5,6,7,8] as $i) foreach ([1,2,3,4,5,6,7,8] as $j) $x = $x . $x;"),
        ("php -r", "class A { function __construct() { $this->a = new A; } } new A;"),
        ("ruby -e", "def method_missing(*a) send(*a) end; send(:send, :send, :send, :send)"),
    ];
    for (interpreter, text) in texts {
        on_small_stack(format!("{interpreter} {}", quote(text)));
    }
    let script = "export X='import os; os.system(\"python3 -c \\\"$X\\\"\")'; python3 -c \"$X\"";
    on_small_stack(script.to_owned());
}

/// A text whose parsing would take seconds is not parsed.
#[test]
fn what_is_costly_to_parse_is_unknown() {
    let texts = [
        ("perl -e", "if (1) { 1 } ".repeat(4_000)),
        ("perl -e", "qw(\n".repeat(12_000)),
        ("perl -e", "y{".repeat(20_000)),
        ("perl -e", "c 3-) pus-".repeat(80)),
        ("ruby -e", "%w(".repeat(15_000)),
    ];
    for (interpreter, text) in texts {
        assert!(on_small_stack(format!("{interpreter} {}", quote(&text))), "{interpreter}");
    }
    assert!(!on_small_stack(format!("perl -e {}", quote(&"print 1;\n".repeat(500)))));
}

#[test]
fn a_long_program_is_read_or_unknown() {
    let long = format!("python3 -c {}", quote(&"import os; os.remove('a')\n".repeat(2_000)));
    assert!(on_small_stack(long));
    let wide = format!("python3 -c {}", quote(&format!("x = [{}]", "1, ".repeat(9_000))));
    on_small_stack(wide);
}
