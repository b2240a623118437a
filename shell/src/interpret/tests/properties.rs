//! Properties of every text.

use proptest::prelude::*;

use super::*;
use crate::expand::{self, ExpansionContext};
use crate::parse::RawText;
use crate::stand_ins::StandInMeaning;
use crate::state::ShellState;
use crate::stream::ShellValue;

/// Text that resembles bash: pieces of its grammar in any order.
fn grammar() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "rm -rf b",
        "x=1",
        "x+=$x",
        "$x",
        "\"$x\"",
        "${x:-a b}",
        "${x//a/b}",
        "$(a)",
        "`a`",
        "$((x+1))",
        "'q r'",
        "$'\\n'",
        "{a,b}",
        "*",
        "~",
        "<(a)",
        ">(a)",
        " ",
        " ",
        " ",
        ";",
        "\n",
        "&&",
        "||",
        "|",
        "&",
        "!",
        "(",
        ")",
        "{ ",
        "; }",
        "if ",
        "; then ",
        "; else ",
        "; fi",
        "while ",
        "; do ",
        "; done",
        "for x in a b",
        "case x in a) ",
        ";; ",
        "esac",
        "f() { ",
        "f",
        "f a",
        "[[ a == b ]]",
        "((x++))",
        "> f",
        "< f",
        ">> f",
        "2>&1",
        "<<E\n",
        "\nE\n",
        "<<< a",
        "eval ",
        "sh -c '",
        "'",
        "\"",
        "cd a",
        "cd ..",
        "| sh",
        "sudo ",
        "xargs ",
        "set -- a b",
        "$@",
        "\"$1\"",
        "a=(b c)",
        "${a[@]}",
        "alias f=a\n",
        "exit",
        "return",
        "local x",
        "export x=1",
        "#",
        "\\",
        "\\\n",
        "$",
        "é",
        "\0",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A word, and a spelling of it in bash.
fn written() -> impl Strategy<Value = (String, String)> {
    let quoted = |c: char, how: u8| match how % 4 {
        0 if c.is_ascii_alphanumeric() || "-_./,+%".contains(c) => c.to_string(),
        1 if c != '\'' => format!("'{c}'"),
        2 if !"\"$`\\".contains(c) => format!("\"{c}\""),
        3 if c != '\n' => format!("\\{c}"),
        _ => format!("$'\\u{:04x}'", u32::from(c)),
    };
    let character = prop::char::ranges(vec!['!'..='~', ' '..=' ', 'à'..='ö', '一'..='丁', '\n'..='\n'].into());
    prop::collection::vec((character, any::<u8>()), 1..12).prop_map(move |chars| {
        let word = chars.iter().map(|(c, _)| *c).collect();
        let text = chars.iter().map(|(c, how)| quoted(*c, *how)).collect();
        (word, text)
    })
}

fn known(text: &str) -> Vec<Vec<Option<String>>> {
    let words =
        |command: &SimpleCommand| command.words.iter().map(|word| word.known_text().map(str::to_owned)).collect();
    analyse(text, &start()).commands.iter().map(words).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_strange(text in any::<String>()) {
        let _ = analyse(&text, &start());
    }

    #[test]
    fn no_bash_is_too_strange(text in grammar()) {
        let analysis = analyse(&text, &start());
        let ids = 0..analysis.commands.len();
        for command in &analysis.commands {
            for of in [&command.outer_commands, &command.piped_from, &command.piped_to, &command.stdin_from, &command.code_from] {
                prop_assert!(of.iter().all(|id| ids.contains(&id.0)), "{text}");
            }
        }
    }

    /// Anything that is not analysed is reported: no text that bash would run yields an empty result.
    #[test]
    fn what_is_not_valid_is_opaque(text in grammar()) {
        let failed = crate::parse::parse(&text, 0, &crate::dialect::DialectReading::single(crate::dialect::Dialect::Bash)).failed.is_some();
        if failed && !text.contains('\0') {
            prop_assert!(!analyse(&text, &start()).opaque.is_empty(), "{text}");
        }
    }

    #[test]
    fn quoting_does_not_change_words(words in prop::collection::vec(written(), 1..5)) {
        let text: Vec<&str> = words.iter().map(|(_, text)| text.as_str()).collect();
        let expected: Vec<Option<String>> = words.iter().map(|(word, _)| Some(word.clone())).collect();
        let mut is = known(&format!("p {}", text.join(" \t ")));
        let first = is.pop().unwrap_or_default();
        prop_assert!(is.is_empty());
        prop_assert_eq!(first.get(1..).unwrap_or_default(), expected);
    }

    #[test]
    fn separators_put_commands_in_a_row(
        commands in prop::collection::vec(prop::collection::vec(written(), 1..4), 1..6),
        separators in prop::collection::vec(prop::sample::select(vec![";", "\n", "&&", "||", "|", "&", "|&", " ;\\\n"]), 6),
    ) {
        let line = |words: &Vec<(String, String)>| {
            let text: Vec<&str> = words.iter().map(|(_, text)| text.as_str()).collect();
            format!("p {}", text.join(" "))
        };
        let mut text = String::new();
        for (command, separator) in commands.iter().zip(&separators) {
            text.push_str(&line(command));
            text.push_str(separator);
        }
        text.push_str(" p");
        let mut expected: Vec<Vec<Option<String>>> = commands.iter().flat_map(|words| known(&line(words))).collect();
        expected.push(vec![Some("p".to_owned())]);
        prop_assert_eq!(known(&text), expected, "{}", text);
    }

    /// Rewrites edit spans, so the text of a span must be its word.
    #[test]
    fn places_hold_their_words(text in grammar()) {
        for command in analyse(&text, &start()).commands {
            let place = command.span.clone().unwrap_or(0..text.len());
            for word in command.words.iter().filter(|word| word.known_text().is_some()) {
                let Some(span) = word.span.clone() else { continue };
                prop_assert!(place.start <= span.start && span.end <= place.end, "{text}");
                let written = text.get(span.clone());
                prop_assert!(written.is_some(), "{text}");
                let written = written.unwrap_or_default();
                // A value that the text sets is only known at that point of the text.
                if !written.contains(['$', '`', '~']) {
                    prop_assert_eq!(expanded(written), word.known_text().map(str::to_owned), "{} in {}", written, text);
                }
            }
        }
    }
}

/// Expands a text that is a single word.
fn expanded(text: &str) -> Option<String> {
    struct Alone(ShellState);
    impl ExpansionContext for Alone {
        fn state(&mut self) -> &mut ShellState {
            &mut self.0
        }
        fn output(&mut self, _: &str, _: expand::SubstitutionDelimiters, word: &str) -> ShellValue {
            ShellValue::unknown(Cause::Output, word)
        }
        fn process(&mut self, _: &str, _: expand::ProcessDirection, word: &str) -> ShellValue {
            ShellValue::unknown(Cause::Output, word)
        }
        fn prompt(&mut self, _: &ShellValue) {}
        fn stand_in_meaning(&self, _: char) -> Option<StandInMeaning> {
            None
        }
        fn source(&mut self, text: &str) -> Option<String> {
            Some(text.to_owned())
        }
        fn note_other_dialect(&mut self, _: Unknown, _: Option<&str>) {}
        fn note_possible_exit(&mut self) {}
        fn spend(&mut self, _: usize) -> bool {
            true
        }
        fn enter(&mut self) -> bool {
            true
        }
        fn leave(&mut self) {}
        fn note_too_deep(&mut self, _: &str) {}
    }
    let start = start();
    let raw = RawText { text: text.to_owned(), span: 0..text.len() };
    let mut values = Vec::new();
    expand::words(&mut Alone(ShellState::new(start.cwd, start.home)), &raw, &mut values);
    match values.as_slice() {
        [one] => one.word.known_text().map(str::to_owned),
        _ => None,
    }
}

/// Measured in steps, not in time: the most expensive texts for their length are cut off, and that is reported.
#[test]
fn no_text_is_worth_more_than_its_steps() {
    let fill = |text: &str| text.repeat(MAX_LENGTH / text.len());
    let costly = [
        fill("a;"),
        fill("x=$x$x;"),
        fill("sudo "),
        fill("eval "),
        fill("cd a;"),
        fill("f(){ f;f;};f;"),
        fill("export A=1;"),
        fill("a[ "),
        fill("[a"),
        fill("{a,{"),
        format!("{}{}{}", "echo $(".repeat(12), "a ".repeat(20_000), ")".repeat(12)),
        format!("x={};{}", "a".repeat(240), "echo ${x#*a*a*a*a*b};".repeat(2000)),
        format!("x=({});{}", "a ".repeat(20_000), "echo \"${x[@]}\";".repeat(1000)),
        format!("{}{}", (0..3000).map(|i| format!("export A{i}=1;")).collect::<String>(), "a;".repeat(6000)),
        format!("{}a{}", "for x in 1 2; do ".repeat(20), "; done".repeat(20)),
        format!("{}a{}", "while a; do y=$z; z=$y; ".repeat(20), "; done".repeat(20)),
    ];
    for text in costly {
        let analysis = analyse(&text, &start());
        let words: usize =
            analysis.commands.iter().map(|command| command.words.len() + command.environment.len()).sum();
        assert!(analysis.commands.len() < STEP_BUDGET / 40 && words < STEP_BUDGET, "{}", excerpt(&text));
    }
    let long = "a".repeat(MAX_LENGTH + 1);
    assert_eq!(analyse(&long, &start()).opaque.first().map(|opaque| opaque.reason.cause), Some(Cause::TooLong));
}

#[test]
fn what_is_too_deep_is_opaque() {
    for (open, close) in [
        ("eval ", ""),
        ("$(", ")"),
        ("sudo ", ""),
        ("( ", ")"),
        ("echo \"$(", ")\""),
        ("( { if b \"${x:-$(", ")}\"; then c; fi; }; )"),
    ] {
        let text = format!("{}a{}", open.repeat(40), close.repeat(40));
        assert!(analyse(&text, &start()).opaque.iter().any(|opaque| opaque.reason.cause == Cause::TooDeep), "{text}");
    }
}
