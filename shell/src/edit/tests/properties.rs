//! Random command lines, constructed together with their expected results.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::tests::JOINED;

/// A text, and its expected result.
type Pair = (String, String);

fn pair(before: &str, after: &str) -> Pair {
    (before.to_owned(), after.to_owned())
}

/// Simple commands: some are rewritten, others only look similar.
fn command() -> impl Strategy<Value = Pair> {
    let rewritten = select(
        &[
            ("git push --force", "git push --force-with-lease"),
            ("git push -f origin main", "git push --force-with-lease origin main"),
            ("git push origin main --force", "git push --force-with-lease origin main"),
            ("git push -uf origin 'a b'", "git push --force-with-lease -u origin 'a b'"),
            ("git push -f -o ci.skip \"$REMOTE\"", "git push --force-with-lease -o ci.skip \"$REMOTE\""),
            ("git -C \"$DIR\" push -fo x", "git -C \"$DIR\" push --force-with-lease -o x"),
            ("'git' pu\"sh\" -\\f", "'git' pu\"sh\" --force-with-lease"),
            ("/usr/bin/git push --force>log", "/usr/bin/git push --force-with-lease >log"),
            ("A=1 git push --force --force-with-lease=x 2>&1", "A=1 git push --force-with-lease=x 2>&1"),
            ("git push \\\n  origin -f", "git push --force-with-lease \\\n  origin"),
            ("sudo -E git push -f ü", "sudo -E git push --force-with-lease ü"),
            ("timeout 5 nice git push -f", "timeout 5 nice git push --force-with-lease"),
            ("echo a | xargs git push -f", "echo a | xargs git push --force-with-lease"),
        ][..],
    );
    let others = select(
        &[
            "git push --force-with-lease",
            "git push",
            "git pull --force",
            "echo git push --force",
            "git commit -m 'git push --force'",
            "X='git push -f'",
            "ls -l > 'git push --force'",
            "cat <<< 'git push -f'",
            "[[ git == push ]]",
            "printf '%s\\n' \"git push --force\"",
            "git push -- --force",
            "rm -rf \"$DIR\"/git",
        ][..],
    );
    prop_oneof![
        3 => rewritten.prop_map(|(before, after)| pair(before, after)),
        2 => others.prop_map(|text| pair(text, text)),
    ]
}

/// Combines texts by a template, in which `{1}` and `{2}` are replaced.
fn line() -> impl Strategy<Value = Pair> {
    command().prop_recursive(4, 24, 2, |inner| {
        let template = select(JOINED);
        (template, inner.clone(), inner).prop_map(|(template, one, two)| {
            let fill = |one: &str, two: &str| template.replace("{1}", one).replace("{2}", two);
            (fill(&one.0, &two.0), fill(&one.1, &two.1))
        })
    })
}

/// Constructs around a whole line.
const OUTER: &[&str] = &[
    "{1}",
    "\n\n  {1}\n",
    "cat <<E\ngit push --force\nE\n{1}",
    "{1}; cat <<'E' | tee f\ngit push -f\nE\n",
    "#!/bin/bash\n{1}\n# git push --force",
];

/// Pieces of shell code in random order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = select(
        &[
            "rm",
            "rm -rf",
            "rm -f x",
            " -f",
            " -r",
            " -fr",
            "f",
            "$x",
            "\"$x\"",
            "x=rm",
            "x=-f",
            "'",
            "\"",
            "`",
            "$(",
            ")",
            "(",
            "{ ",
            "}",
            "; ",
            "\n",
            "&&",
            "||",
            "|",
            "&",
            " ",
            "if ",
            "; then ",
            "; fi",
            "for x in rm -f; do ",
            "; done",
            "f() { rm $1; }; ",
            "f -f; ",
            "eval ",
            "sh -c '",
            "sudo ",
            "env -S ",
            "xargs ",
            "<<E\n",
            "\nE\n",
            "> f",
            "2>",
            "2",
            "alias rm=ls\n",
            "rm() { ls; }; ",
            "é",
            "\\\n",
            "\\",
            "{rm,-f}",
            "*",
            "--",
            "#",
            "\0",
            "cd ..; ",
        ][..],
    );
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_line_becomes_what_it_is_made_for((before, after) in line(), outer in select(OUTER)) {
        let (before, after) = (outer.replace("{1}", &before), outer.replace("{1}", &after));
        let is = edited("git push --force", "git push --force-with-lease", &before);
        let expected = if before == after { "=" } else { after.as_str() };
        prop_assert_eq!(is.as_deref(), Ok(expected), "{}", before);
        let again = edited("git push --force", "git push --force-with-lease", &after);
        prop_assert!(again.is_err() || again.as_deref() == Ok("="), "{}: {:?}", after, again);
    }

    /// In any text, exactly the intended commands are changed, and the others stay the same.
    #[test]
    fn no_text_is_edited_wrongly(text in pieces()) {
        for (from, to) in [("rm -f", "rm -i"), ("rm", "trash"), ("rm", "nice rm"), ("rm -f", "unlink")] {
            let edit = Edit::new(from, to).unwrap();
            let before = analyse(&text, &start());
            let Ok(Some(edited)) = edit.apply(&text, &before, &start()) else { continue };
            let after = analyse(&edited, &start());
            let (old, new) = (Pattern::new(from).unwrap(), Pattern::new(to).unwrap());
            let plain = |analysis: &Analysis| -> Vec<Vec<String>> {
                let is_other = |command: &&SimpleCommand| old.runs(command) == Fit::No && new.runs(command) == Fit::No;
                let words = |command: &SimpleCommand| command.words.iter().map(Word::display_text).collect();
                let others = analysis.commands.iter().filter(is_other).filter(|command| command.outer_commands.is_empty());
                others.filter(|command| !command.words.iter().any(|word| word.known_text() == Some("rm"))).map(words).collect()
            };
            let others = |plain: Vec<Vec<String>>| -> Vec<Vec<String>> {
                plain.into_iter().filter(|words| !["sudo", "xargs", "env", "eval"].iter().any(|name| words.iter().any(|word| word == name))).collect()
            };
            prop_assert_eq!(others(plain(&before)), others(plain(&after)), "{:?} became {:?}", text, edited);
            let runs = |analysis: &Analysis, pattern: &Pattern| {
                let all = analysis.commands.iter().filter(|command| pattern.runs(command) == Fit::Yes);
                all.filter(|command| !edit.is_run_by_new_command(analysis, command)).count()
            };
            prop_assert!(runs(&after, &new) >= runs(&before, &new).max(1), "{:?} became {:?}", text, edited);
            if edit.is_final && !text.contains('$') {
                prop_assert_eq!(runs(&after, &old), 0, "{:?} became {:?}", text, edited);
            }
            let again = edit.apply(&edited, &after, &start());
            prop_assert!(!matches!(again, Ok(Some(_))), "{:?} became {:?} and {:?}", text, edited, again);
        }
    }
}
