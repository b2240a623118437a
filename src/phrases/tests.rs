//! Tests the table that the build script generates.

use super::*;

#[test]
fn rows_are_sorted_and_each_is_found() {
    for (place, _) in PhrasePlace::ALL.iter().copied() {
        let rows = phrases_of_place(place);
        assert!(!rows.is_empty(), "{place:?}");
        assert!(rows.is_sorted_by(|one, other| one.written < other.written), "{place:?}");
        for row in rows {
            assert_eq!(place.folded(row.written), row.written, "{place:?}");
            assert_eq!(find_phrase(place, row.written).map(|found| found.written), Some(row.written));
        }
    }
}

#[test]
fn names_are_found_however_their_words_are_joined() {
    assert_eq!(meaning(PhrasePlace::Tool, "run_terminal_cmd"), Some("Bash"));
    assert_eq!(meaning(PhrasePlace::Event, "on.tool.call"), Some("PreToolUse"));
    assert_eq!(meaning(PhrasePlace::Event, "WhenItRains"), None);
}

#[test]
fn an_asterisk_is_any_number_of_segments() {
    let found = |name| find_name_phrase(PhrasePlace::Field, name).map(|row| row.written);
    assert_eq!(found("now"), Some("now.*"));
    assert_eq!(found("now.hour"), Some("now.*"));
    assert_eq!(found("now.weekday"), Some("now.weekday"));
    assert_eq!(found("build.tests_failed"), Some("*.tests_failed"));
    assert_eq!(found("later"), None);
}
