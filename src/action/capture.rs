//! Captures the output of commands: its length is limited while it is read, and then it is converted to text and cut
//! for display.
//!
//! The bytes arrive in chunks and need not be UTF-8. Nothing here depends on processes.

use crate::escape::is_bidi;
use crate::excerpt::{Excerpt, OmissionMark, READER_LIMIT};

/// How many bytes are kept of the beginning of a stream, and also of its end.
const KEPT: usize = 64 * 1024;

/// The beginning and the end of a stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Capture {
    /// The first bytes, at most [`KEPT`].
    head: Vec<u8>,
    /// The bytes after the head. In the end, only the last [`KEPT`] of them remain.
    tail: Vec<u8>,
    /// The number of bytes dropped from the tail.
    dropped: u64,
    /// The number of newlines among the dropped bytes.
    dropped_newlines: u64,
}

impl Capture {
    /// Adds a chunk. Between calls, at most three times [`KEPT`] bytes are held, however long the stream is.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        let room = KEPT.saturating_sub(self.head.len()).min(chunk.len());
        let (first, rest) = chunk.split_at_checked(room).unwrap_or((chunk, &[]));
        self.head.extend_from_slice(first);
        self.tail.extend_from_slice(rest);
        if self.tail.len() > 2 * KEPT {
            self.trim();
        }
    }

    /// Drops all but the last [`KEPT`] bytes of the tail.
    fn trim(&mut self) {
        let excess = self.tail.len().saturating_sub(KEPT);
        self.dropped += excess as u64;
        self.dropped_newlines += self.tail.drain(..excess).filter(|byte| *byte == b'\n').count() as u64;
    }

    /// Returns the stream as text. If bytes were dropped, a line such as `[2 lines left out]` takes their place.
    pub(super) fn into_text(mut self) -> Excerpt {
        if self.dropped == 0 {
            self.head.append(&mut self.tail);
            return String::from_utf8_lossy(&self.head).into_owned().into();
        }
        self.trim();
        let lines = self.join_at_lines();
        let (head, tail) = (String::from_utf8_lossy(&self.head), String::from_utf8_lossy(&self.tail));
        match lines {
            Some(lines) => Excerpt::with_omitted_lines(&head, lines, &tail),
            None => Excerpt::with_omitted_bytes(&head, self.dropped, &tail),
        }
    }

    /// Cuts the head and the tail to whole lines, and returns the number of lines that are left out. `None` if all
    /// dropped bytes belong to a single line.
    fn join_at_lines(&mut self) -> Option<u64> {
        if self.dropped_newlines == 0 {
            return None;
        }
        if let Some(end) = self.head.iter().rposition(|byte| *byte == b'\n') {
            self.head.truncate(end);
        }
        if let Some(end) = self.tail.iter().position(|byte| *byte == b'\n') {
            self.tail.drain(..=end);
            self.dropped_newlines += 1;
        }
        Some(self.dropped_newlines)
    }
}

/// Prepares output for display: removes control sequences, and cuts it to `max_lines` and to the length that a reader
/// accepts.
pub(super) fn shown(text: &Excerpt, max_lines: Option<usize>) -> Excerpt {
    strip_control_sequences(text).trim().shorten_to(max_lines.map(|most| most.max(1)), READER_LIMIT)
}

/// Removes terminal sequences, such as colours, and all control characters except newline and tab. Characters that
/// change the direction of text are made visible.
fn strip_control_sequences(text: &Excerpt) -> Excerpt {
    let mut out = String::with_capacity(text.len());
    let (mut marks, mut kept_marks) = (text.marks().iter().peekable(), Vec::new());
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        // An unfinished sequence may have consumed the text at which an omission mark begins; that mark is dropped.
        while marks.next_if(|mark| mark.offset < at).is_some() {}
        kept_marks
            .extend(marks.next_if(|mark| mark.offset == at).map(|mark| OmissionMark { offset: out.len(), ..*mark }));
        match c {
            '\u{1b}' => match chars.next() {
                Some((_, '[')) => while chars.next().is_some_and(|(_, c)| !('@'..='~').contains(&c)) {},
                // An operating system command ends with BEL or ESC \. An unfinished one ends with the line, so that it
                // cannot remove all of the text after it.
                Some((_, ']')) => {
                    while let Some((_, c)) = chars.next_if(|(_, c)| *c != '\n') {
                        if c == '\u{7}' || (c == '\u{1b}' && chars.next_if(|(_, c)| *c == '\\').is_some()) {
                            break;
                        }
                    }
                }
                _ => {}
            },
            '\n' | '\t' => out.push(c),
            _ if c.is_control() => {}
            _ if is_bidi(c) => out.extend(c.escape_unicode()),
            _ => out.push(c),
        }
    }
    Excerpt::new(out, kept_marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, max_lines: Option<usize>) -> String {
        super::shown(&text.into(), max_lines).into_string()
    }

    #[test]
    fn a_long_stream_keeps_its_beginning_and_its_end() {
        let mut capture = Capture::default();
        for number in 0..200_000 {
            capture.push(format!("{number}\n").as_bytes());
        }
        assert!(capture.dropped > 0);
        assert!(capture.tail.len() <= 2 * KEPT);
        let text = capture.into_text();
        assert!(text.starts_with("0\n1\n2\n"), "{:?}", text.get(..20));
        assert!(text.ends_with("199998\n199999\n"));
        let lines: Vec<&str> = text.lines().collect();
        let is_mark = |line: &str| line.starts_with('[');
        let mark = lines.iter().find(|line| is_mark(line)).unwrap();
        assert_eq!(*mark, format!("[{} lines left out]", 200_000 - (lines.len() - 1)));
        assert!(lines.iter().all(|line| is_mark(line) || line.parse::<u32>().is_ok()), "no line is cut inside");
        assert!(text.len() < 2 * KEPT + 100);
    }

    /// The count is of the lines in the stream, not of those held.
    #[test]
    fn the_lines_of_a_long_stream_that_are_not_shown_are_all_counted() {
        for end in ["\n", ""] {
            let mut capture = Capture::default();
            let all: String = (1..=272_700).map(|number| format!("{number}\n")).collect();
            capture.push(all.trim_end().as_bytes());
            capture.push(end.as_bytes());
            let shown = super::shown(&capture.into_text(), Some(4));
            assert_eq!(shown.as_str(), "1\n2\n[272696 lines left out]\n272699\n272700");
        }
    }

    #[test]
    fn a_line_that_is_longer_than_what_is_held_says_how_much_of_it_is_gone() {
        let text = |text: String| {
            let mut capture = Capture::default();
            capture.push(text.as_bytes());
            capture.into_text()
        };
        let long = "x".repeat(5 * KEPT);
        let one = text(long.clone());
        assert_eq!(one.lines().map(str::len).collect::<Vec<_>>(), [KEPT, "[196608 bytes left out]".len(), KEPT]);
        // The first and the last line are partly visible.
        let two = text(format!("{long}\nmiddle\n{long}"));
        assert_eq!(two.lines().nth(1), Some("[2 lines left out]"));
        assert_eq!(two.lines().count(), 3);
    }

    #[test]
    fn a_short_stream_is_whole() {
        let mut capture = Capture::default();
        let chunk = vec![b'x'; KEPT + 10];
        capture.push(&chunk);
        assert_eq!(capture.dropped, 0);
        assert_eq!(capture.into_text().len(), KEPT + 10);
    }

    #[test]
    fn bytes_that_are_no_text_become_replacement_characters() {
        let mut capture = Capture::default();
        capture.push(b"a\xffb");
        assert_eq!(capture.into_text().as_str(), "a\u{fffd}b");
    }

    #[test]
    fn as_many_lines_are_shown_as_are_asked_for() {
        let line = "x".repeat(70);
        let hundred = vec![line.as_str(); 100].join("\n");
        assert_eq!(shown(&hundred, Some(100)), hundred);
        let more = vec![line.as_str(); 300].join("\n");
        assert_eq!(shown(&more, Some(100)).lines().count(), 101);
    }

    #[test]
    fn terminal_sequences_are_removed() {
        assert_eq!(shown("\u{1b}[1;31mred\u{1b}[0m\r\n\u{1b}]0;title\u{7}x\u{8}", None), "red\nx");
        assert_eq!(shown("a\u{202e}b", None), "a\\u{202e}b");
        assert_eq!(shown("\u{1b}]8;;never closed\nnext", None), "next");
    }
}
