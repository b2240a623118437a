//! Output of commands: bounded while it is read, made text, cut to what is shown.
//!
//! It knows nothing of processes; bytes come in chunks and may be of any kind.

use crate::visible::is_bidi;

/// Bytes that are kept of the beginning and of the end each.
const KEPT: usize = 64 * 1024;

/// Characters of output in a message; the host hands longer texts on as a file.
const SHOWN: usize = 6_000;

/// The beginning and the end of a stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Capture {
    head: Vec<u8>,
    /// The bytes after the head, of which the last [`KEPT`] count.
    tail: Vec<u8>,
    /// Bytes of the tail that are gone.
    dropped: u64,
}

impl Capture {
    /// Adds a chunk. Holds at most four times [`KEPT`], whatever comes.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        let room = KEPT.saturating_sub(self.head.len()).min(chunk.len());
        let (first, rest) = chunk.split_at_checked(room).unwrap_or((chunk, &[]));
        self.head.extend_from_slice(first);
        self.tail.extend_from_slice(rest);
        if self.tail.len() > 2 * KEPT {
            self.trim();
        }
    }

    fn trim(&mut self) {
        let excess = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..excess);
        self.dropped += excess as u64;
    }

    /// Returns the stream as text, with a line that says how much was left out.
    pub(super) fn text(mut self) -> String {
        if self.dropped > 0 {
            self.trim();
            let mark = format!("\n[{} bytes left out]\n", self.dropped);
            self.head.extend_from_slice(mark.as_bytes());
        }
        self.head.append(&mut self.tail);
        String::from_utf8_lossy(&self.head).into_owned()
    }
}

/// Makes output fit for a message: no control sequences, at most so many lines and characters, of which
/// the beginning and the end are kept.
pub(super) fn bounded(text: &str, max_lines: Option<usize>) -> String {
    keep_characters(&readable(text, max_lines), SHOWN)
}

/// Makes output fit for a context: no control sequences, at most so many lines. Of what the agent is to know nothing
/// else is left out; a host that finds it too long keeps it in a file.
pub(super) fn readable(text: &str, max_lines: Option<usize>) -> String {
    let plain = plain(text);
    let trimmed = plain.trim_end().trim_start_matches('\n');
    max_lines.map_or_else(|| trimmed.to_owned(), |most| keep_lines(trimmed, most.max(1)))
}

fn keep_lines(text: &str, most: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() <= most {
        return text.to_owned();
    }
    // The end says how it went, so it gets the odd line.
    let head = most / 2;
    let tail = lines.len() - (most - head);
    let left_out = tail - head;
    let unit = if left_out == 1 { "line" } else { "lines" };
    let mark = format!("[{left_out} {unit} left out]");
    let kept: Vec<&str> =
        lines.iter().take(head).copied().chain([mark.as_str()]).chain(lines.iter().skip(tail).copied()).collect();
    kept.join("\n")
}

fn keep_characters(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let half = most / 2;
    let head: String = text.chars().take(half).collect();
    let tail: String = text.chars().skip(count - half).collect();
    format!("{head}\n[{} characters left out]\n{tail}", count - 2 * half)
}

/// Removes terminal sequences and control characters other than newline and tab: colours are noise in a
/// message, and a title sequence must not reach a terminal. What changes the direction of text is made visible.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.next() {
                Some('[') => while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
                // An operating system command ends with BEL or ESC \; an unfinished one must not eat the rest.
                Some(']') => {
                    while let Some(c) = chars.next_if(|c| *c != '\n') {
                        if c == '\u{7}' || (c == '\u{1b}' && chars.next_if_eq(&'\\').is_some()) {
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
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_stream_keeps_its_beginning_and_its_end() {
        let mut capture = Capture::default();
        for number in 0..200_000 {
            capture.push(format!("{number}\n").as_bytes());
        }
        assert!(capture.dropped > 0);
        assert!(capture.tail.len() <= 2 * KEPT);
        let text = capture.text();
        assert!(text.starts_with("0\n1\n2\n"), "{:?}", text.get(..20));
        assert!(text.ends_with("199998\n199999\n"));
        assert!(text.contains("bytes left out]\n"));
        assert!(text.len() < 2 * KEPT + 100);
    }

    #[test]
    fn a_short_stream_is_whole() {
        let mut capture = Capture::default();
        let chunk = vec![b'x'; KEPT + 10];
        capture.push(&chunk);
        assert_eq!(capture.dropped, 0);
        assert_eq!(capture.text().len(), KEPT + 10);
    }

    #[test]
    fn bytes_that_are_no_text_become_replacement_characters() {
        let mut capture = Capture::default();
        capture.push(b"a\xffb");
        assert_eq!(capture.text(), "a\u{fffd}b");
    }

    #[test]
    fn lines_are_kept_from_both_ends() {
        let text = (1..=10).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        assert_eq!(bounded(&text, Some(3)), "1\n[7 lines left out]\n9\n10");
        assert_eq!(bounded(&text, Some(1)), "[9 lines left out]\n10");
        assert_eq!(bounded(&text, Some(10)), text);
        assert_eq!(bounded(&text, None), text);
    }

    #[test]
    fn characters_are_kept_from_both_ends() {
        let text = format!("start{}end", "é".repeat(20_000));
        let cut = bounded(&text, None);
        assert!(cut.starts_with("start") && cut.ends_with("end"));
        assert!(cut.contains("[14008 characters left out]"), "{cut}");
        assert_eq!(readable(&text, None), text);
    }

    #[test]
    fn terminal_sequences_are_removed() {
        assert_eq!(bounded("\u{1b}[1;31mred\u{1b}[0m\r\n\u{1b}]0;title\u{7}x\u{8}", None), "red\nx");
        assert_eq!(bounded("a\u{202e}b", None), "a\\u{202e}b");
        assert_eq!(bounded("\u{1b}]8;;never closed\nnext", None), "next");
    }
}
