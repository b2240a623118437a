//! Tests the canonical layout.

use super::*;
use crate::syntax::token::tokenise;

const OVERVIEW: &str = include_str!("../../../tests/fixtures/language/overview.rules");

/// Formats a valid text, and checks that formatting the result changes nothing.
#[track_caller]
fn formatted(text: &str) -> String {
    let once = format_once(text);
    assert_eq!(format_once(&once), once, "formatted again");
    once
}

#[track_caller]
fn format_once(text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, text);
    format(sources.file_by_id(id).unwrap()).unwrap_or_else(|found| {
        panic!("{}\n{text}", render_all(&found, &sources, DiagnosticFormat::PLAIN));
    })
}

/// Returns a rule with clauses, each on a line that is indented by two columns.
fn in_rule(clauses: &str) -> String {
    format!("rule a {{\n{clauses}\n}}\n")
}

#[track_caller]
fn check(clauses: &str, expected: &str) {
    assert_eq!(formatted(&in_rule(clauses)), in_rule(expected.trim_matches('\n')));
}

#[test]
fn spaces_and_lines_are_canonical() {
    check(
        "on   PreToolUse( Bash |Write ),Stop\n\n\n   when not   runs   \"a\" and b   not   in [1 ,2,]\n deny  \"x\" {timeout:5s,}",
        "
  on PreToolUse(Bash|Write), Stop

  when not runs \"a\" and b not in [1, 2]
  deny \"x\" { timeout: 5s }
",
    );
    assert_eq!(formatted("  let a=1\n\n\n\nlet b =\n 2\nuse 'std/git'   except a ,b with{c:1}\n\n\n"), {
        "let a = 1\n\nlet b = 2\nuse \"std/git\" except a, b with { c: 1 }\n"
    });
    assert_eq!(formatted("rule a {}\nrule b { on Stop }\n"), "rule a {}\n\nrule b {\n  on Stop\n}\n");
    assert_eq!(formatted(""), "");
    assert_eq!(formatted("\n\n# only this  \n\n\n"), "# only this\n");
}

#[test]
fn comments_stay_where_they_are() {
    let text = "\
# top

## Why.
# aside
@off # off
@tags(a)
rule a { # open
  # first

  # second
  on Stop # when
  when a # left
    # between
    and b
  when c in [
    # none
    1, # one

    # two
    2,
    # last
  ]
  # end
} # behind

# bottom
";
    assert_eq!(formatted(text), text);
    let cramped = "let a = [ # c\n1 ] # d\n## doc\nlet b = 2";
    assert_eq!(formatted(cramped), "let a = [ # c\n  1,\n] # d\n## doc\nlet b = 2\n");
    let (file, _) = parse_text(&formatted(cramped), DiagnosticFormat::Short);
    assert_eq!(file.items[1].docs, ["doc"]);
}

#[test]
fn a_comment_does_not_become_documentation() {
    for text in ["  ## no doc\nrule a {}\n", "let x = 1\n  ## no doc\nrule a {}\n", "## no doc\n\nrule a {}\n"] {
        let (file, _) = parse_text(&formatted(text), DiagnosticFormat::Short);
        assert!(file.items.iter().all(|item| item.docs.is_empty()), "{text}");
    }
}

#[test]
fn the_path_of_a_rule_is_no_regex() {
    let text = "test \"x\" {\n  given \"ls\"\n  expect pass # a\n by ../no-push run \"b\" # c\n}\n";
    let printed = "test \"x\" {\n  given \"ls\"\n  expect pass # a\n    by ../no-push\n    run \"b\" # c\n}\n";
    assert_eq!(formatted(text), printed);
}

#[test]
fn what_is_too_long_is_broken() {
    let long = "a".repeat(40);
    check(
        &format!("when runs \"{long}\" and path == \"{long}\" and b"),
        &format!("  when runs \"{long}\"\n    and path == \"{long}\"\n    and b"),
    );
    check(
        &format!("when runs \"{long}\" where (a == \"{long}\" or b == 1)"),
        &format!("  when runs \"{long}\"\n    where (a == \"{long}\" or b == 1)"),
    );
    check(
        &format!("when runs \"a\" where (a == \"{long}\" or b == \"{long}\" or c)"),
        &format!("  when runs \"a\" where (\n    a == \"{long}\"\n    or b == \"{long}\"\n    or c\n  )"),
    );
    check(
        &format!("when a in [\"{long}\", \"{long}\", \"{long}\"]"),
        &format!("  when a in [\n    \"{long}\",\n    \"{long}\",\n    \"{long}\",\n  ]"),
    );
    check(
        &format!("run [\"a\", \"b\"] {{ message: \"{long}\", timeout: 5s, on_fail: \"{long}\" }}"),
        &format!("  run [\"a\", \"b\"] {{\n    message: \"{long}\",\n    timeout: 5s,\n    on_fail: \"{long}\",\n  }}"),
    );
    check(
        &format!("fires on \"{long}\", \"{long}\", Write \"a\" {{ b: 1 }}"),
        &format!("  fires on \"{long}\",\n           \"{long}\",\n           Write \"a\" {{ b: 1 }}"),
    );
    // A row that its author broke continues on the next line.
    check(
        &format!("fires on \"{long}\", \"{long}\", \"b\",\n\"c\", \"d\""),
        &format!("  fires on \"{long}\", \"{long}\",\n           \"b\",\n           \"c\", \"d\""),
    );
    // A single long token is not broken.
    let longer = "a".repeat(120);
    for clause in
        [format!("deny \"{longer}\""), format!("when a in [\"{longer}\"]"), format!("when a matches /{longer}/")]
    {
        check(&clause, &format!("  {clause}"));
    }
}

#[test]
fn parentheses_are_those_that_are_needed() {
    check("when ((a) and ((b or c)) and (not (d)))", "  when a and (b or c) and not d");
    check("when runs \"a\" where ((b))", "  when runs \"a\" where b");
    check("when runs \"a\" where (not (b and c))", "  when runs \"a\" where not (b and c)");
    check("when runs \"a\" where (deletes outside project)", "  when runs \"a\" where deletes outside project");
    check("when not (not a)", "  when not not a");
    check("when (a or b)", "  when a or b");
    // Redundant parentheses are kept if they contain a comment.
    check("when ( # why\na)", "  when ( # why\n    a\n  )");
}

#[test]
fn strings_are_quoted_twice_where_that_is_enough() {
    check("deny 'plain {} text'", "  deny \"plain {} text\"");
    for kept in [r#"deny 'say "no"'"#, r"deny 'C:\temp'", "deny '{path}'", r#"deny "\u{e9}\t""#] {
        check(kept, &format!("  {kept}"));
    }
    let counted =
        r#"deny "\{path} is \{count a}, {count a}, \{count a of call within 5m}, \"{count a of b} {count a c}""#;
    check(counted, &format!("  {counted}"));
    check("on Stop(\"a\"|'b c')", "  on Stop(a|\"b c\")");
    check("fires on \"x\" by reviewer", "  fires on \"x\" by \"reviewer\"");
    let block = "  deny \"\"\"\n one\n      two\n\n \"\"\" { timeout: 5s }";
    check(block, block);
    let last = "  run [\"sh\", \"-c\", \"\"\"\n    ls\n    \"\"\"] { timeout: 5s }";
    check(last, last);
    let first = "  run [\"\"\"\n    ls\n    \"\"\", \"a\"]";
    check(first, "  run [\n    \"\"\"\n    ls\n    \"\"\",\n    \"a\",\n  ]");
}

#[test]
fn a_broken_list_stays_broken_where_its_first_element_has_a_line() {
    check("when a in [\n1,2,\n3]", "  when a in [\n    1, 2,\n    3,\n  ]");
    check("when a in [1,\n2]", "  when a in [1, 2]");
    check("when a\nand b", "  when a\n    and b");
    check("when (a\nand b)\nor c", "  when (\n      a\n      and b\n    )\n    or c");
    check("fires on \"a\",\n\"b\", \"c\"", "  fires on \"a\",\n           \"b\", \"c\"");
}

#[test]
fn a_file_keeps_its_line_ends() {
    assert_eq!(formatted("let a=1\r\n\r\n# c\r\nlet b = 2"), "let a = 1\r\n\r\n# c\r\nlet b = 2\r\n");
}

#[test]
fn a_text_with_a_mistake_has_no_layout() {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, "let a = \nlet b   = 2\n");
    assert!(format(sources.file_by_id(id).unwrap()).is_err());
}

/// Every construct of the language, in a few words each.
const DENSE: &str = r#"## Doc.
@severity(high) @allow(a-b, "c")
use "std/git" except a, b with { c: ["d"] }
let e = ["f", ...g, { h: 1 }]
def i = not (j or k) and all l in [1] or exists `$.m`
rule n {
  on PreToolUse(A|!B|"C"), Stop
  by d|e
  when runs ["a"] where (option "-b" == "c" or not d) and only runs "e" and pipes "f" into "g"
  unless reads like ["h"] and file_exists "i" and file_size j > 10KB
  unknown deny
  deny "k" { l: 5s, m }
  exit 2 "n"
  rewrite a.b = ["c"]
  rewrite a replace /b/ with "c"
  rewrite runs "a" to "b"
  notify "a" "b"
  run ["a", "b"] { c: 1 }
  record "a" { b, file_exists "c": true }
  fires on Bash(a) "b" by "c" with { d: 1 } { e: 2 }, "f"
}
test "o" {
  given "a"
  expect deny by b, c message contains "d" context contains "e" rewrites f to [1] run "g"
}
"#;

#[test]
fn a_comment_stands_wherever_the_grammar_allows_one() {
    let text = DENSE.replace("and all l in [1] or exists", "and all l in [1] and exists");
    let starts: Vec<usize> = tokenise(&text).map(|token| token.start).chain([text.len()]).collect();
    let mut allowed = 0;
    for at in starts {
        for comment in [" # here\n", "\n\n## here\n\n"] {
            let mut with = text.clone();
            with.insert_str(at, comment);
            if Grammar::parse(Rule::file, &with).is_err() {
                continue;
            }
            allowed += 1;
            let once = formatted(&with);
            assert_eq!(once.matches("# here").count(), 1, "{with}\n{once}");
        }
    }
    assert!(allowed > 200, "{allowed}");
}

#[test]
fn the_overview_with_comments_everywhere_is_laid_out() {
    let mut text = OVERVIEW.to_owned();
    let mut number = 0;
    let starts: Vec<usize> = tokenise(OVERVIEW).map(|token| token.start).collect();
    for at in starts.into_iter().rev().step_by(7) {
        let mut with = text.clone();
        with.insert_str(at, &format!(" # {number}\n"));
        if Grammar::parse(Rule::file, &with).is_ok() {
            text = with;
            number += 1;
        }
    }
    assert!(number > 30, "{number}");
    formatted(&text);
}
