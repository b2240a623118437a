//! Cuts long texts for a reader. Whole lines of the beginning and the end are kept; a line between them has the
//! number of lines left out.
//!
//! All texts for readers are cut here; the caller knows what its reader accepts. Nothing here has side effects.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// The maximum length of the text that one reader gets from one answer. This and all lengths below are in UTF-16 units,
/// which hosts written in JavaScript count.
///
/// Claude Code writes a longer context to a file, and gives the agent only the path.
pub const READER_LIMIT: usize = 10_000;

/// The length reserved for the mark of an omission, such as `[7 lines left out]`.
const MARK_UNITS: usize = 64;

/// The minimum length that each of several texts gets. Texts that do not fit with this length are only counted.
const MIN_SHARE: usize = 500;

/// A text, with the positions of its omission marks: lines such as `[7 lines left out]`. If the text is cut again, a
/// mark counts as the lines that it represents. The positions tell marks from ordinary lines that only look like them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Excerpt {
    text: String,
    /// The positions of the omission marks, in order.
    marks: Vec<OmissionMark>,
}

/// The position of an omission mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OmissionMark {
    /// The byte offset of the line.
    pub offset: usize,
    /// The number of lines that the mark represents.
    pub lines: u64,
}

impl From<String> for Excerpt {
    fn from(text: String) -> Self {
        Self { text, marks: Vec::new() }
    }
}

impl From<&str> for Excerpt {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Deref for Excerpt {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Excerpt {
    /// Creates an excerpt from a text and its marks.
    #[must_use]
    pub fn new(text: String, marks: Vec<OmissionMark>) -> Self {
        Self { text, marks }
    }

    /// Joins the beginning and the end of a text, with a mark such as `[7 lines left out]` between them.
    #[must_use]
    pub fn with_omitted_lines(head: &str, lines: u64, tail: &str) -> Self {
        Self::with_mark(head, &line_mark(lines), lines, tail)
    }

    /// Joins the beginning and the end of a long line, with `[7 bytes left out]` between them.
    #[must_use]
    pub fn with_omitted_bytes(head: &str, bytes: u64, tail: &str) -> Self {
        Self::with_mark(head, &format!("[{bytes} bytes left out]"), 0, tail)
    }

    /// Joins two texts, with a mark between them that represents `lines` lines.
    fn with_mark(head: &str, mark: &str, lines: u64, tail: &str) -> Self {
        Self { text: format!("{head}\n{mark}\n{tail}"), marks: vec![OmissionMark { offset: head.len() + 1, lines }] }
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text, without the positions of its marks.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }

    /// Returns the positions of the marks, in order.
    #[must_use]
    pub fn marks(&self) -> &[OmissionMark] {
        &self.marks
    }

    /// Appends another excerpt.
    pub fn push(&mut self, other: &Self) {
        let at = self.text.len();
        self.marks.extend(other.marks.iter().map(|mark| OmissionMark { offset: at + mark.offset, ..*mark }));
        self.text.push_str(&other.text);
    }

    /// Appends a text without marks.
    pub fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Returns the text without whitespace at its end and empty lines at its beginning.
    #[must_use]
    pub fn trim(&self) -> Self {
        let kept = self.text.trim_end();
        let text = kept.trim_start_matches('\n');
        let (from, to) = (kept.len() - text.len(), kept.len());
        let marks = self.marks.iter().filter(|mark| (from..to).contains(&mark.offset));
        Self {
            text: text.to_owned(),
            marks: marks.map(|mark| OmissionMark { offset: mark.offset - from, ..*mark }).collect(),
        }
    }

    /// Cuts the text to at most `most_lines` lines and `room` units.
    ///
    /// More lines of the end than of the beginning are kept, because the end shows how a command went. A single line
    /// is cut only if it takes more than a quarter of the room; it then contains the number of characters left out.
    #[must_use]
    pub fn shorten_to(&self, most_lines: Option<usize>, room: usize) -> Self {
        shorten_excerpt(self, most_lines, room).into_owned()
    }

    /// Returns the lines of the text, with the marks among them.
    fn lines_with_counts(&self) -> Vec<ExcerptLine<'_>> {
        let mut marks = self.marks.iter().peekable();
        let mut at = 0;
        let lines = self.text.split_inclusive('\n').map(|whole| {
            while marks.next_if(|mark| mark.offset < at).is_some() {}
            let mark = marks.next_if(|mark| mark.offset == at).map(|mark| mark.lines);
            at += whole.len();
            let text = whole.strip_suffix('\n').map_or(whole, |line| line.strip_suffix('\r').unwrap_or(line));
            ExcerptLine { text: text.into(), mark }
        });
        lines.collect()
    }
}

/// A line of an excerpt.
#[derive(Clone, Debug)]
struct ExcerptLine<'t> {
    text: Cow<'t, str>,
    /// The number of omitted lines that the line represents; `None` for an ordinary line.
    mark: Option<u64>,
}

/// Returns the text of a mark for omitted lines.
fn line_mark(lines: u64) -> String {
    let unit = if lines == 1 { "line" } else { "lines" };
    format!("[{lines} {unit} left out]")
}

/// Returns the length of a text in UTF-16 units, as JavaScript counts it.
#[must_use]
pub fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Joins texts, without duplicates, to at most `room` units. If they are too long, each gets an equal share, and
/// longer texts get what shorter ones do not need. Texts for which there is no room are only counted.
#[must_use]
pub fn join<'t>(texts: impl IntoIterator<Item = &'t Excerpt>, separator: &str, room: usize) -> Excerpt {
    let mut unique: Vec<&Excerpt> = Vec::new();
    for text in texts {
        if !text.is_empty() && !unique.iter().any(|known| known.text == text.text) {
            unique.push(text);
        }
    }
    let length = |texts: &[&Excerpt]| texts.iter().map(|text| utf16_len(text) + utf16_len(separator)).sum::<usize>();
    if length(&unique) <= room + utf16_len(separator) {
        return concatenated(unique.into_iter().map(Cow::Borrowed), separator);
    }
    let max_texts = (room / MIN_SHARE).max(1);
    let omitted = unique.len().saturating_sub(max_texts);
    unique.truncate(max_texts);
    let room = room.saturating_sub(MARK_UNITS + utf16_len(separator) * unique.len());
    let share = max_equal_length(unique.iter().map(|text| utf16_len(text)).collect(), room);
    let mut joined = concatenated(unique.iter().map(|text| shorten_excerpt(text, None, share)), separator);
    if omitted > 0 {
        joined.push_str(&format!("{separator}(and {omitted} more)"));
    }
    joined
}

/// Joins texts unchanged.
#[must_use]
pub fn concatenated<'t>(texts: impl Iterator<Item = Cow<'t, Excerpt>>, separator: &str) -> Excerpt {
    let mut whole = Excerpt::default();
    for (at, text) in texts.enumerate() {
        if at > 0 {
            whole.push_str(separator);
        }
        whole.push(&text);
    }
    whole
}

/// Cuts a text like [`Excerpt::shorten_to`], but does not copy a text that is short enough.
fn shorten_excerpt<'t>(text: &'t Excerpt, most_lines: Option<usize>, room: usize) -> Cow<'t, Excerpt> {
    let lines = text.lines_with_counts();
    let max_lines = most_lines.unwrap_or(lines.len());
    if lines.len() <= max_lines && utf16_len(text) <= room {
        return Cow::Borrowed(text);
    }
    // If the lines are few enough, only `room` limits the two ends, and they may grow until they meet.
    let (max_head, max_tail) =
        if lines.len() > max_lines { (max_lines / 2, max_lines - max_lines / 2) } else { (max_lines, max_lines) };
    let ends = lines.iter().take(max_head).chain(lines.iter().skip(max_head).rev().take(max_tail));
    let lengths = ends.map(|line| utf16_len(&line.text) + 1).collect();
    let mut room_left = room.saturating_sub(MARK_UNITS);
    let max_line = max_equal_length(lengths, room_left).max(room_left / 4);

    let (mut head, mut tail): (Vec<ExcerptLine<'_>>, Vec<ExcerptLine<'_>>) = (Vec::new(), Vec::new());
    let mut between = lines.as_slice();
    let (mut head_goes_on, mut tail_goes_on) = (true, true);
    let mut take = |line: &ExcerptLine<'t>| {
        let line = ExcerptLine { text: shorten(line.text.clone(), max_line.saturating_sub(1)), mark: line.mark };
        let length = utf16_len(&line.text) + 1;
        let fits = length <= room_left;
        room_left -= if fits { length } else { 0 };
        fits.then_some(line)
    };
    // Takes lines from both ends in turn, until no further line fits or the ends meet.
    while head_goes_on || tail_goes_on {
        tail_goes_on = tail_goes_on && tail.len() < max_tail;
        if let Some((line, rest)) = between.split_last().filter(|_| tail_goes_on) {
            match take(line) {
                Some(line) => (between, _) = (rest, tail.push(line)),
                None => tail_goes_on = false,
            }
        }
        head_goes_on = head_goes_on && head.len() < max_head;
        if let Some((line, rest)) = between.split_first().filter(|_| head_goes_on) {
            match take(line) {
                Some(line) => (between, _) = (rest, head.push(line)),
                None => head_goes_on = false,
            }
        }
        if between.is_empty() {
            break;
        }
    }
    if !between.is_empty() {
        let omitted: u64 = between.iter().map(|line| line.mark.unwrap_or(1)).sum();
        head.push(ExcerptLine { text: line_mark(omitted).into(), mark: Some(omitted) });
    }
    Cow::Owned(joined(head.iter().chain(tail.iter().rev())))
}

/// Joins lines to an excerpt.
fn joined<'l, 't: 'l>(lines: impl Iterator<Item = &'l ExcerptLine<'t>>) -> Excerpt {
    let mut joined = Excerpt::default();
    for (at, line) in lines.enumerate() {
        if at > 0 {
            joined.push_str("\n");
        }
        joined.marks.extend(line.mark.map(|lines| OmissionMark { offset: joined.text.len(), lines }));
        joined.push_str(&line.text);
    }
    joined
}

/// Cuts the middle out of a line that is longer than `max_length` units.
fn shorten(line: Cow<'_, str>, max_length: usize) -> Cow<'_, str> {
    if utf16_len(&line) <= max_length {
        return line;
    }
    let half = max_length.saturating_sub(MARK_UNITS) / 2;
    let head = longest_prefix(line.chars(), half);
    let tail = longest_prefix(line.chars().rev(), half);
    let middle = line.get(head..line.len() - tail).unwrap_or_default();
    let (head, tail) = (line.get(..head).unwrap_or_default(), line.get(line.len() - tail..).unwrap_or_default());
    Cow::Owned(format!("{head}[{} characters left out]{tail}", middle.chars().count()))
}

/// Returns the length in bytes of the longest prefix of some characters that has at most `max_units` units.
fn longest_prefix(chars: impl Iterator<Item = char>, max_units: usize) -> usize {
    let (mut length, mut bytes) = (0, 0);
    for c in chars {
        length += c.len_utf16();
        if length > max_units {
            break;
        }
        bytes += c.len_utf8();
    }
    bytes
}

/// Returns the greatest length that each text may keep so that all together have at most `room` units; the length of
/// the longest text if nothing has to be cut.
fn max_equal_length(mut lengths: Vec<usize>, mut room: usize) -> usize {
    lengths.sort_unstable();
    let mut remaining = lengths.len();
    for length in &lengths {
        if length.saturating_mul(remaining) > room {
            return room / remaining.max(1);
        }
        room -= length;
        remaining -= 1;
    }
    lengths.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(to: usize) -> String {
        (1..=to).map(|n| n.to_string()).collect::<Vec<_>>().join("\n")
    }

    fn shown(text: &str, lines: Option<usize>, room: usize) -> String {
        Excerpt::from(text).shorten_to(lines, room).into_string()
    }

    #[test]
    fn lines_are_kept_from_both_ends() {
        let ten = numbers(10);
        for (most, expected) in [
            (Some(3), "1\n[7 lines left out]\n9\n10"),
            (Some(1), "[9 lines left out]\n10"),
            (Some(9), "1\n2\n3\n4\n[1 line left out]\n6\n7\n8\n9\n10"),
            (Some(10), &ten),
            (None, &ten),
        ] {
            assert_eq!(shown(&ten, most, READER_LIMIT), expected, "{most:?}");
        }
    }

    #[test]
    fn what_is_too_long_is_cut_at_line_ends() {
        let text = (0..1_000).map(|n| format!("line {n}: é😀")).collect::<Vec<_>>().join("\n");
        let cut = shown(&text, None, 2_000);
        let lines: Vec<&str> = cut.lines().collect();
        assert!(utf16_len(&cut) <= 2_000 && utf16_len(&cut) > 1_800, "{}", utf16_len(&cut));
        assert_eq!((lines[0], *lines.last().unwrap()), ("line 0: é😀", "line 999: é😀"));
        let marks: Vec<&&str> = lines.iter().filter(|line| !text.lines().any(|whole| whole == **line)).collect();
        assert_eq!(marks, [&format!("[{} lines left out]", 1_001 - lines.len()).as_str()]);
    }

    #[test]
    fn a_line_is_cut_inside_only_where_it_takes_too_much_of_the_room() {
        let one = "😀".repeat(20_000);
        let cut = shown(&one, None, READER_LIMIT);
        assert!(utf16_len(&cut) <= READER_LIMIT && utf16_len(&cut) > READER_LIMIT - 200, "{}", utf16_len(&cut));
        assert!(cut.starts_with('😀') && cut.ends_with('😀') && cut.contains(" characters left out]"), "{cut}");
        let said: usize = cut.split_once('[').unwrap().1.split_once(' ').unwrap().0.parse().unwrap();
        assert_eq!(cut.chars().filter(|c| *c == '😀').count() + said, 20_000);

        let beside = format!("first\n{}\nlast", "x".repeat(20_000));
        let cut = shown(&beside, None, READER_LIMIT);
        assert!(cut.starts_with("first\nxx") && cut.ends_with("xx\nlast"), "{cut}");
        assert!(utf16_len(&cut) <= READER_LIMIT && utf16_len(&cut) > READER_LIMIT - 200, "{}", utf16_len(&cut));

        let many = format!("{}\n{}", numbers(3_000), "x".repeat(9_000));
        let cut = shown(&many, None, READER_LIMIT);
        assert!(cut.starts_with("1\n2\n3\n") && cut.ends_with('x') && utf16_len(&cut) <= READER_LIMIT, "{cut}");
    }

    #[test]
    fn what_is_cut_again_counts_what_there_was() {
        let hundred = numbers(100);
        let held = Excerpt::with_omitted_lines(&hundred, 5_000, &hundred);
        let cut = held.shorten_to(Some(2), READER_LIMIT);
        assert_eq!(cut.as_str(), "1\n[5198 lines left out]\n100");
        // Cut once more, together with other texts.
        let again = join([&"a\nb".into(), &cut, &"c\nd".into()], "\n", READER_LIMIT).shorten_to(Some(2), READER_LIMIT);
        assert_eq!(again.as_str(), "a\n[5202 lines left out]\nd");
    }

    #[test]
    fn a_line_that_reads_like_a_mark_counts_as_one() {
        let mark = "[5000 lines left out]";
        let own = format!("1\n{mark}\n3\n4");
        assert_eq!(shown(&own, Some(2), READER_LIMIT), "1\n[2 lines left out]\n4");
        // Also next to a text in which the same line is a mark.
        let held = Excerpt::with_omitted_lines("a", 5_000, "b");
        let joined = join([&own.as_str().into(), &held], "\n", READER_LIMIT);
        assert_eq!(joined.as_str(), format!("{own}\na\n{mark}\nb"));
        assert_eq!(joined.shorten_to(Some(2), READER_LIMIT).as_str(), "1\n[5004 lines left out]\nb");
    }

    #[test]
    fn several_texts_share_the_room_and_short_ones_stay_whole() {
        let long = numbers(5_000);
        let texts = ["short", long.as_str(), "", "short", long.get(1..).unwrap()].map(Excerpt::from);
        let joined = join(&texts, "\n\n", 4_000);
        assert!(utf16_len(&joined) <= 4_000 && utf16_len(&joined) > 3_700, "{}", utf16_len(&joined));
        let parts: Vec<&str> = joined.split("\n\n").collect();
        assert_eq!((parts.len(), parts[0]), (3, "short"));
        assert!(parts[1].starts_with("1\n2\n") && parts[1].ends_with("\n5000") && parts[2].ends_with("\n5000"));
        let many: Vec<Excerpt> = (0..100).map(|n| format!("{n} {}", "x".repeat(300)).into()).collect();
        let joined = join(&many, "\n", 2_000);
        assert!(joined.ends_with("\n(and 96 more)") && utf16_len(&joined) <= 2_000, "{joined}");
    }

    #[test]
    fn no_text_and_no_room_is_too_odd() {
        let texts =
            ["", "\n", "\n\n\n", "a\r\nb\r\n", "é\u{300}😀", &numbers(50), &"x\n".repeat(400), &"y".repeat(9_999)];
        for text in texts {
            for room in [0, 1, 63, 64, 65, 100, 500, 10_000] {
                for lines in [None, Some(1), Some(2), Some(7)] {
                    let cut = shown(text, lines, room);
                    assert!(utf16_len(&cut) <= room.max(2 * MARK_UNITS) || cut == text, "{room} {lines:?}: {cut}");
                }
            }
        }
    }
}
