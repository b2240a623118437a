//! The findings about a log that somebody changed.

use super::*;

fn log(count: u64) -> (Vec<Vec<u8>>, ChainHead) {
    let mut head = ChainHead::default();
    let lines = (0..count).map(|at| {
        let mut line = head.add(format!("{{\"decision\":\"deny\",\"at\":{at}}}").as_bytes());
        line.pop();
        line
    });
    (lines.collect(), head)
}

fn verified(lines: &[Vec<u8>], head: Option<&ChainHead>) -> ChainVerification {
    let place = |at: usize| LinePosition { file: "log".to_owned(), line: at + 1 };
    verify_lines(lines.iter().enumerate().map(|(at, line)| (place(at), line.as_slice())), head)
}

/// Checks the findings for five lines after a change.
#[track_caller]
fn check(change: impl Fn(&mut Vec<Vec<u8>>), expected: &str) {
    let (mut lines, head) = log(5);
    change(&mut lines);
    let finding = verified(&lines, Some(&head)).finding;
    assert_eq!(finding.map(|finding| finding.to_string()).unwrap_or_default(), expected);
}

fn change(line: &mut Vec<u8>) {
    *line = String::from_utf8(line.clone()).unwrap().replace("deny", "pass").into_bytes();
}

#[test]
fn a_log_that_nobody_touched_is_whole() {
    let (lines, head) = log(5);
    let expected = ChainVerification { lines: 5, numbers: Some((1, 5)), ..ChainVerification::default() };
    assert_eq!(verified(&lines, Some(&head)), expected);
    assert_eq!(verified(&[], None), ChainVerification::default());
    let text = String::from_utf8(lines[1].clone()).unwrap();
    let first = Fingerprint::digest(&lines[0]).hex();
    assert_eq!(text, format!("{{\"after\":\"{first}\",\"number\":2,\"decision\":\"deny\",\"at\":1}}"));
}

#[test]
fn the_first_line_that_was_changed_is_named() {
    check(|lines| change(&mut lines[0]), "log:1: this line was changed");
    check(|lines| change(&mut lines[2]), "log:3: this line was changed");
    check(|lines| change(&mut lines[4]), "log:5: this line was changed");
    check(|lines| lines[2] = b"no longer an object".to_vec(), "log:3: this line was changed");
    check(|lines| lines[0] = b"{}".to_vec(), "log:1: this line was changed");
    check(|lines| lines[4] = b"{}".to_vec(), "log:5: this line was changed");
}

#[test]
fn lines_that_were_removed_are_counted() {
    check(|lines| drop(lines.remove(2)), "log:3: line 3 of the log was removed before this one");
    check(|lines| drop(lines.drain(1..3)), "log:2: lines 2 to 3 of the log were removed before this one");
    check(|lines| drop(lines.remove(0)), "log:1: line 1 of the log was removed before this one");
    check(|lines| drop(lines.remove(4)), "line 5 of the log was removed from the end");
    check(Vec::clear, "lines 1 to 5 of the log were removed from the end");
}

#[test]
fn a_line_that_was_added_is_named() {
    check(|lines| lines.insert(2, lines[0].clone()), "log:3: this line was added");
    // A forged line that fits its predecessor is revealed by the next line.
    let forged = |lines: &mut Vec<Vec<u8>>| {
        let after = Fingerprint::digest(&lines[1]).hex();
        lines.insert(2, chain_line(b"{\"decision\":\"allow\"}", &after, 3));
    };
    check(forged, "log:3: this line was added");
    check(|lines| lines.swap(1, 2), "log:2: line 2 of the log was removed before this one");
}

#[test]
fn a_torn_line_is_told_of_and_breaks_nothing() {
    let (mut lines, head) = log(5);
    lines.insert(2, b"{\"after\":\"12".to_vec());
    let verified = verified(&lines, Some(&head));
    assert_eq!((verified.finding, verified.lines), (None, 5));
    assert_eq!(verified.torn, [LinePosition { file: "log".to_owned(), line: 3 }]);
}

#[test]
fn what_was_written_after_the_note_belongs_to_the_log() {
    let (lines, _) = log(5);
    let (_, head) = log(3);
    assert_eq!(verified(&lines, Some(&head)).finding, None);
}

#[test]
fn without_the_note_nobody_knows_the_end() {
    let (lines, _) = log(2);
    assert_eq!(verified(&lines, None).finding, Some(ChainFinding::NoEnd));
}

#[test]
fn the_oldest_file_may_go_when_files_are_put_aside_and_not_otherwise() {
    let (mut lines, mut head) = log(3);
    for _ in 0..3 {
        head.rotate();
        let mut line = head.add(b"{}");
        line.pop();
        lines.push(line);
    }
    assert_eq!((head.starts, head.oldest_line_number()), ([4, 5, 6], 4));
    assert_eq!(verified(&lines[3..], Some(&head)).finding, None);
    let finding = verified(&lines[4..], Some(&head)).finding.unwrap();
    assert_eq!(finding.to_string(), "log:1: line 4 of the log was removed before this one");
}

#[test]
fn a_note_is_read_as_it_was_written() {
    let (_, mut head) = log(7);
    head.length = u64::MAX;
    for head in [ChainHead::default(), head] {
        assert_eq!(head.to_text().len(), WIDTH);
        assert_eq!(ChainHead::read(head.to_text().as_bytes()), Some(head));
    }
    for wrong in ["", "1 2 3\n", "1 2 ab 4 5", "x 2 ab 4 5 6\n", "1 2 ab 4 5 6 7\n"] {
        assert_eq!(ChainHead::read(wrong.as_bytes()), None, "{wrong}");
    }
}
