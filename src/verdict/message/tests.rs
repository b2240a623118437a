//! Doubts and other messages, and how several are combined.

use super::*;

const WHY: &str = "`x` cannot be judged: nobody knows";

fn rule(name: &str) -> Author {
    Author::Rule(name.to_owned())
}

fn doubt(own: &str) -> Message {
    Message::doubt(WHY, own, Suspicion::Particular)
}

fn joined(votes: &[(Author, Message)]) -> String {
    join_messages(votes.iter().map(|(by, message)| (by, message))).into_string()
}

#[test]
fn a_doubt_names_the_rule_and_what_it_guards_against() {
    for (own, guards) in [
        ("", "."),
        ("Not here.", ": \"Not here.\""),
        ("Not here. Ask the owner.", ": \"Not here.\""),
        ("Not\n here", ": \"Not here\""),
    ] {
        let expected = format!("{WHY}\nIt may be what `r` guards against{guards}");
        assert_eq!(doubt(own).displayed_text(&rule("r")), expected);
        assert_eq!(joined(&[(rule("r"), doubt(own))]), expected);
    }
    let broken = Message::doubt("a\nb", "", Suspicion::Particular);
    assert_eq!(broken.displayed_text(&rule("r")), "a b\nIt may be what `r` guards against.");
}

#[test]
fn a_doubt_about_the_past_quotes_a_short_message_in_full() {
    let shown =
        |own: &str| Message::doubt_about_past(WHY, own, Suspicion::Particular).displayed_text(&rule("r")).into_owned();
    let expected = format!("{WHY}\nIt may be what `r` guards against: \"Sources changed. Run the tests.\"");
    assert_eq!(shown("Sources changed.\n Run the tests."), expected);
    let long = format!("Sources changed. {}", "Run the tests. ".repeat(20));
    assert_eq!(shown(&long), format!("{WHY}\nIt may be what `r` guards against: \"Sources changed.\""));
}

#[test]
fn what_several_rules_cannot_judge_is_said_once() {
    let votes: Vec<_> = ["a", "b", "b", "c", "d", "e"].map(|name| (rule(name), doubt(&format!("No {name}.")))).into();
    let head = format!("{WHY}\nIt may be what one of these rules guards against:");
    for (count, rest) in [
        (2, "\n- `a`: \"No a.\"\n- `b`: \"No b.\""),
        (3, "\n- `a`: \"No a.\"\n- `b`: \"No b.\""),
        (4, "\n- `a`: \"No a.\"\n- `b`: \"No b.\"\n- `c`: \"No c.\""),
        (5, "\n- `a`: \"No a.\"\n- `b`: \"No b.\"\n- `c`: \"No c.\"\n- and 1 more rule"),
        (6, "\n- `a`: \"No a.\"\n- `b`: \"No b.\"\n- `c`: \"No c.\"\n- and 2 more rules"),
    ] {
        assert_eq!(joined(&votes[..count]), format!("{head}{rest}"), "{count}");
    }
}

#[test]
fn the_rules_that_share_a_word_with_the_command_come_first() {
    let vote = |name: &str, suspicion| (rule(name), Message::doubt(WHY, "", suspicion));
    let any = || ["a", "b", "c", "d"].map(|name| vote(name, Suspicion::AnyProgram));
    assert_eq!(joined(&any()), format!("{WHY}\nIt may be what any of 4 rules guards against."));
    let votes: Vec<_> = any().into_iter().chain([vote("e", Suspicion::SharedWord)]).collect();
    let expected =
        format!("{WHY}\nIt may be what one of these rules guards against:\n- `e`\n- `a`\n- `b`\n- and 2 more rules");
    assert_eq!(joined(&votes), expected);
}

#[test]
fn what_is_certain_is_said_before_what_is_in_doubt() {
    let doubts = ["a", "b"].map(|name| (rule(name), doubt("")));
    let votes: Vec<_> = doubts.into_iter().chain([(rule("c"), "It is.".into())]).collect();
    assert!(joined(&votes).starts_with(&format!("It is.\n{WHY}\n")), "{}", joined(&votes));
    // It keeps its place, regardless of the number of doubts.
    let others = (0..9).map(|at| {
        (rule(&format!("r{at}")), Message::doubt(&format!("`{at}` cannot be judged"), "", Suspicion::Particular))
    });
    let votes: Vec<_> = others.chain(votes).collect();
    let text = joined(&votes);
    assert!(text.starts_with("It is.\n`0`") && text.ends_with("\n(and 9 more rules say so)"), "{text}");
}

#[test]
fn a_plain_message_with_the_words_of_a_doubt_is_none() {
    let said = doubt("No.").displayed_text(&rule("r")).into_owned();
    let plain = Message::from(said.clone());
    // Alone it is displayed as written.
    assert_eq!(plain.displayed_text(&rule("r")), said);
    assert_eq!(joined(&[(rule("r"), plain.clone())]), said);
    // Together with the same words of another rule it is displayed once, and not as a doubt of either rule.
    assert_eq!(joined(&[(rule("r"), plain.clone()), (rule("s"), plain.clone())]), said);
    // Two rules that each write this about themselves have two messages.
    let other = Message::from(doubt("No.").displayed_text(&rule("s")).into_owned());
    let both = format!("{said}\n{}", other.displayed_text(&rule("s")));
    assert_eq!(joined(&[(rule("r"), plain.clone()), (rule("s"), other)]), both);
    // An equal doubt is not merged with it.
    let beside = format!("{said}\n{}", doubt("").displayed_text(&rule("s")));
    assert_eq!(joined(&[(rule("r"), plain), (rule("s"), doubt(""))]), beside);
}

#[test]
fn a_rule_that_is_named_as_the_program_is_counted_beside_it() {
    let texts = ["1", "2", "3"].map(|text| (rule(text), Message::from(text)));
    let more = [(rule("rules"), "4".into()), (Author::Program, "5".into()), (Author::Program, "6".into())];
    let votes: Vec<_> = texts.into_iter().chain(more).collect();
    assert_eq!(joined(&votes), "1\n2\n3\n(and 2 more rules say so)");
}

#[test]
fn a_long_reason_is_cut_and_stays_a_doubt() {
    let long = Message::doubt(&"x".repeat(10_000), "No.", Suspicion::Particular);
    let cut = ["a", "b"].map(|name| (rule(name), long.shorten(1_000)));
    let text = joined(&cut);
    assert!(text.ends_with("\n- `a`: \"No.\"\n- `b`: \"No.\"") && text.len() < 1_200, "{text}");
    assert!(text.contains(" characters left out]"), "{text}");
}
