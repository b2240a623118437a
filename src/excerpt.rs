//! Long texts cut to what their reader gets: whole lines of the beginning and of the end, and between them a line
//! that says how many there were.
//!
//! Pure. Every text that is cut for a reader is cut here; who the reader is, the caller knows.

use std::borrow::Cow;

/// What one reader gets of one answer at most, in UTF-16 units, as hosts written in JavaScript count.
///
/// Claude Code puts a longer context into a file and gives the agent its path.
pub const READER_LIMIT: usize = 10_000;

/// Units that are set aside for the line that says what was left out.
const MARK: usize = 64;

/// Of several texts that are too long together, each gets at least so many units; there are no more of them than fit.
const LEAST: usize = 500;

/// A line that stands for others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    text: String,
    lines: u64,
}

impl Mark {
    /// Makes the mark of lines that were left out.
    #[must_use]
    pub fn lines(lines: u64) -> Self {
        let unit = if lines == 1 { "line" } else { "lines" };
        Self { text: format!("[{lines} {unit} left out]"), lines }
    }

    /// Makes the mark of bytes that were left out of one line.
    #[must_use]
    pub fn bytes(bytes: u64) -> Self {
        Self { text: format!("[{bytes} bytes left out]"), lines: 0 }
    }

    /// Returns the line.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// The marks that stand in texts. A text may be cut again, beside others: what its own mark stands for counts then.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks(Vec<Mark>);

impl Marks {
    /// Adds a mark.
    pub fn add(&mut self, mark: Mark) {
        if !self.0.contains(&mark) {
            self.0.push(mark);
        }
    }

    /// Returns how many lines a line stands for.
    fn lines_of(&self, line: &str) -> u64 {
        self.0.iter().find(|mark| mark.text == line).map_or(1, |mark| mark.lines)
    }
}

/// Returns the length of a text as JavaScript counts it.
#[must_use]
pub fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Cuts a text to so many lines and so many units, and adds the mark that then stands in it to those that do already.
///
/// The end says how it went, so it gets the odd line. Only a line that takes more than a quarter of the room is cut
/// inside, and says of how many characters.
#[must_use]
pub fn excerpt<'t>(text: &'t str, most_lines: Option<usize>, room: usize, marks: &mut Marks) -> Cow<'t, str> {
    let (cut, mark) = cut(text, most_lines, room, marks);
    mark.into_iter().for_each(|mark| marks.add(mark));
    cut
}

/// Joins texts, each once, to at most so many units. What is too long together is cut to equal shares, of which those
/// that need less leave the rest to the others; more than can be shown in part are counted.
#[must_use]
pub fn join<'t>(texts: impl IntoIterator<Item = &'t str>, separator: &str, room: usize, marks: &Marks) -> String {
    let mut all: Vec<&str> = Vec::new();
    for text in texts {
        if !text.is_empty() && !all.contains(&text) {
            all.push(text);
        }
    }
    let length = |texts: &[&str]| texts.iter().map(|text| units(text) + units(separator)).sum::<usize>();
    if length(&all) <= room + units(separator) {
        return all.join(separator);
    }
    let most = (room / LEAST).max(1);
    let more = all.len().saturating_sub(most);
    all.truncate(most);
    let room = room.saturating_sub(MARK + units(separator) * all.len());
    let share = level(all.iter().map(|text| units(text)).collect(), room);
    let mut joined = all.iter().map(|text| cut(text, None, share, marks).0).collect::<Vec<_>>().join(separator);
    if more > 0 {
        joined.push_str(&format!("{separator}(and {more} more)"));
    }
    joined
}

fn cut<'t>(text: &'t str, most_lines: Option<usize>, room: usize, marks: &Marks) -> (Cow<'t, str>, Option<Mark>) {
    let lines: Vec<&str> = text.lines().collect();
    let most = most_lines.unwrap_or(lines.len());
    if lines.len() <= most && units(text) <= room {
        return (Cow::Borrowed(text), None);
    }
    // Without a limit of lines, or below it, both ends may go on until they meet.
    let (first, last) = if lines.len() > most { (most / 2, most - most / 2) } else { (most, most) };
    let ends = lines.iter().take(first).chain(lines.iter().skip(first).rev().take(last));
    let lengths = ends.map(|line| units(line) + 1).collect();
    let mut left = room.saturating_sub(MARK);
    let longest = level(lengths, left).max(left / 4);

    let (mut head, mut tail): (Vec<Cow<'_, str>>, Vec<Cow<'_, str>>) = (Vec::new(), Vec::new());
    let mut between = lines.as_slice();
    let (mut head_goes_on, mut tail_goes_on) = (true, true);
    let mut take = |line: &'t str| {
        let line = shorten(line, longest.saturating_sub(1));
        let length = units(&line) + 1;
        let fits = length <= left;
        left -= if fits { length } else { 0 };
        fits.then_some(line)
    };
    while head_goes_on || tail_goes_on {
        tail_goes_on = tail_goes_on && tail.len() < last;
        if let Some((line, rest)) = between.split_last().filter(|_| tail_goes_on) {
            match take(line) {
                Some(line) => (between, _) = (rest, tail.push(line)),
                None => tail_goes_on = false,
            }
        }
        head_goes_on = head_goes_on && head.len() < first;
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
    let left_out: u64 = between.iter().map(|line| marks.lines_of(line)).sum();
    let mark = (!between.is_empty()).then(|| Mark::lines(left_out));
    head.extend(mark.as_ref().map(|mark| Cow::Owned(mark.text.clone())));
    head.extend(tail.into_iter().rev());
    (Cow::Owned(head.join("\n")), mark)
}

/// Cuts one line in its middle.
fn shorten(line: &str, most: usize) -> Cow<'_, str> {
    if units(line) <= most {
        return Cow::Borrowed(line);
    }
    let half = most.saturating_sub(MARK) / 2;
    let head = reach(line.chars(), half);
    let tail = reach(line.chars().rev(), half);
    let middle = line.get(head..line.len() - tail).unwrap_or_default();
    let (head, tail) = (line.get(..head).unwrap_or_default(), line.get(line.len() - tail..).unwrap_or_default());
    Cow::Owned(format!("{head}[{} characters left out]{tail}", middle.chars().count()))
}

/// Returns how many bytes of characters come to at most so many units.
fn reach(chars: impl Iterator<Item = char>, most: usize) -> usize {
    let (mut length, mut bytes) = (0, 0);
    for c in chars {
        length += c.len_utf16();
        if length > most {
            break;
        }
        bytes += c.len_utf8();
    }
    bytes
}

/// Returns the length at which lengths must be cut for their sum to be at most `room`; the greatest if it is so
/// already.
fn level(mut lengths: Vec<usize>, mut room: usize) -> usize {
    lengths.sort_unstable();
    let mut left = lengths.len();
    for length in &lengths {
        if length.saturating_mul(left) > room {
            return room / left.max(1);
        }
        room -= length;
        left -= 1;
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
        excerpt(text, lines, room, &mut Marks::default()).into_owned()
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
        assert!(units(&cut) <= 2_000 && units(&cut) > 1_800, "{}", units(&cut));
        assert_eq!((lines[0], *lines.last().unwrap()), ("line 0: é😀", "line 999: é😀"));
        let marks: Vec<&&str> = lines.iter().filter(|line| !text.lines().any(|whole| whole == **line)).collect();
        assert_eq!(marks, [&format!("[{} lines left out]", 1_001 - lines.len()).as_str()]);
    }

    #[test]
    fn a_line_is_cut_inside_only_where_it_takes_too_much_of_the_room() {
        let one = "😀".repeat(20_000);
        let cut = shown(&one, None, READER_LIMIT);
        assert!(units(&cut) <= READER_LIMIT && units(&cut) > READER_LIMIT - 200, "{}", units(&cut));
        assert!(cut.starts_with('😀') && cut.ends_with('😀') && cut.contains(" characters left out]"), "{cut}");
        let said: usize = cut.split_once('[').unwrap().1.split_once(' ').unwrap().0.parse().unwrap();
        assert_eq!(cut.chars().filter(|c| *c == '😀').count() + said, 20_000);

        let beside = format!("first\n{}\nlast", "x".repeat(20_000));
        let cut = shown(&beside, None, READER_LIMIT);
        assert!(cut.starts_with("first\nxx") && cut.ends_with("xx\nlast"), "{cut}");
        assert!(units(&cut) <= READER_LIMIT && units(&cut) > READER_LIMIT - 200, "{}", units(&cut));

        let many = format!("{}\n{}", numbers(3_000), "x".repeat(9_000));
        let cut = shown(&many, None, READER_LIMIT);
        assert!(cut.starts_with("1\n2\n3\n") && cut.ends_with('x') && units(&cut) <= READER_LIMIT, "{cut}");
    }

    #[test]
    fn what_is_cut_again_counts_what_there_was() {
        let mut marks = Marks::default();
        marks.add(Mark::lines(5_000));
        let held = format!("{}\n[5000 lines left out]\n{}", numbers(100), numbers(100));
        assert_eq!(excerpt(&held, Some(2), READER_LIMIT, &mut marks), "1\n[5198 lines left out]\n100");
        // And once more.
        let again = "a\nb\n1\n[5198 lines left out]\n100\nc\nd";
        assert_eq!(excerpt(again, Some(2), READER_LIMIT, &mut marks), "a\n[5202 lines left out]\nd");
    }

    #[test]
    fn several_texts_share_the_room_and_short_ones_stay_whole() {
        let long = numbers(5_000);
        let joined =
            join(["short", long.as_str(), "", "short", long.get(1..).unwrap()], "\n\n", 4_000, &Marks::default());
        assert!(units(&joined) <= 4_000 && units(&joined) > 3_700, "{}", units(&joined));
        let parts: Vec<&str> = joined.split("\n\n").collect();
        assert_eq!((parts.len(), parts[0]), (3, "short"));
        assert!(parts[1].starts_with("1\n2\n") && parts[1].ends_with("\n5000") && parts[2].ends_with("\n5000"));
        let many: Vec<String> = (0..100).map(|n| format!("{n} {}", "x".repeat(300))).collect();
        let joined = join(many.iter().map(String::as_str), "\n", 2_000, &Marks::default());
        assert!(joined.ends_with("\n(and 96 more)") && units(&joined) <= 2_000, "{joined}");
    }

    #[test]
    fn no_text_and_no_room_is_too_odd() {
        let texts =
            ["", "\n", "\n\n\n", "a\r\nb\r\n", "é\u{300}😀", &numbers(50), &"x\n".repeat(400), &"y".repeat(9_999)];
        for text in texts {
            for room in [0, 1, 63, 64, 65, 100, 500, 10_000] {
                for lines in [None, Some(1), Some(2), Some(7)] {
                    let cut = shown(text, lines, room);
                    assert!(units(&cut) <= room.max(2 * MARK) || cut == text, "{room} {lines:?}: {cut}");
                }
            }
        }
    }
}
