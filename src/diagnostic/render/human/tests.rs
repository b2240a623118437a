//! The rendering of places in texts of every kind.

use proptest::prelude::*;

use crate::diagnostic::render::{DiagnosticFormat, DisplayOptions, render};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::{Sources, Span};
use crate::wrap::columns;

/// Renders a finding with places in a text.
fn rendered(text: &str, places: &[(usize, usize, &str)], width: usize) -> String {
    let mut sources = Sources::default();
    let file = sources.add("a.rules", None, text);
    let labelled = |finding: Diagnostic, (start, end, said): &(usize, usize, &str)| {
        finding.label(Span::new(file, *start, *end), *said)
    };
    let finding = places.iter().fold(Diagnostic::new(Code::SYNTAX, "a message"), labelled);
    render(&finding, &sources, DiagnosticFormat::Human(DisplayOptions { color: false, unicode: true, width }))
}

#[test]
fn of_a_long_line_the_part_is_shown_that_a_place_is_on() {
    let text = format!("{} here {}\n", "a".repeat(200), "b".repeat(200));
    let shown = rendered(&text, &[(201, 205, "said")], 60);
    assert!(shown.contains("…aaaaaaaaaaaa here bbb"), "{shown}");
    assert!(shown.contains("[a.rules:1:202]"), "{shown}");
    assert!(shown.lines().all(|line| columns(line) <= 60), "{shown}");
}

#[test]
fn what_is_not_drawn_is_told_by_its_place() {
    let text = format!("one {} two\n", "a".repeat(200));
    let far = rendered(&text, &[(0, 3, "the first"), (205, 208, "the second")], 60);
    assert!(far.contains("╰── the first") && far.contains("help: a.rules:1:206: the second"), "{far}");
    let over = rendered("one two three\n", &[(0, 7, "outer"), (4, 7, "inner")], 60);
    assert!(over.contains("╰── outer") && over.contains("help: a.rules:1:5: inner"), "{over}");
}

#[test]
fn places_far_apart_have_frames_of_their_own() {
    let text = "line\n".repeat(40);
    let shown = rendered(&text, &[(5, 9, "above"), (150, 154, "below")], 60);
    assert!(shown.contains("[a.rules:2:1]") && shown.contains("[a.rules:31:1]"), "{shown}");
    assert!(!shown.contains(" 20 │"), "{shown}");
}

#[test]
fn a_place_over_many_lines_is_shown_by_its_first() {
    let text = "line\n".repeat(40);
    let shown = rendered(&text, &[(0, 150, "all of it")], 60);
    assert!(shown.contains("╰── all of it") && !shown.contains("30 │"), "{shown}");
    let several = rendered(&text, &[(0, 14, "three of them")], 60);
    assert!(several.contains("├─▶ line") && several.contains("╰──── three of them"), "{several}");
}

#[test]
fn the_end_of_a_file_is_a_place() {
    for text in ["", "a", "a\n", "a\n\n", "a\r\n"] {
        let shown = rendered(text, &[(text.len(), text.len(), "missing")], 60);
        assert!(shown.contains("╰── missing"), "{text:?}: {shown}");
    }
}

/// The positions at which a text can be cut.
fn cuts(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).collect()
}

proptest! {
    #[test]
    fn every_place_is_drawn_or_told(
        text in r"[a\t 日é\u{301}\n\r🦀\u{202e}\u{0}]{0,90}( {60}|b{120})?[a\n日]{0,9}",
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
        width in 40_usize..120,
    ) {
        let cuts = cuts(&text);
        let said = ["said of one", "of another `place` there is more to say than fits beside it", "x"];
        let places: Vec<(usize, usize, &str)> = places.iter().zip(said).map(|((one, other), said)| {
            let (one, other) = (*one.get(&cuts), *other.get(&cuts));
            (one.min(other), one.max(other), said)
        }).collect();
        let shown = rendered(&text, &places, width);
        prop_assert!(!shown.contains("Failed to read"), "{}", shown);
        for (.., said) in &places {
            let first = said.split(' ').next().unwrap_or_default();
            prop_assert!(shown.contains(first), "{} in {}", said, shown);
        }
    }
}
