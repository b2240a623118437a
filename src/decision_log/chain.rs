//! The chain of the decision log: each line contains the fingerprint of the previous line, and the file
//! [`HEAD`](super::HEAD) that of the last.
//!
//! The chain shows changes, additions and removals of lines. It does not show a chain that was rebuilt as a whole,
//! which any account with write access to the log can do. Nothing here reads or writes files.

use std::fmt;

use serde::Deserialize;

use crate::fingerprint::Fingerprint;

/// The beginning of a line, before the fingerprint of the previous line.
const AFTER: &str = "{\"after\":\"";

/// The text between the fingerprint and the number of a line.
const NUMBER: &str = "\",\"number\":";

/// The length of the file [`HEAD`](super::HEAD) in bytes. It is fixed, so one write replaces the whole text.
const WIDTH: usize = 200;

/// The end of the chain, as recorded in the file [`HEAD`](super::HEAD).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChainHead {
    /// The length of the current file, in bytes.
    pub length: u64,
    /// The number of the last line; 0 if there is none.
    pub number: u64,
    /// The fingerprint of the last line, in hexadecimal digits; empty if there is none.
    pub last: String,
    /// The number of the first line of each file, the oldest first; 0 for one that does not exist yet.
    pub starts: [u64; 3],
}

impl ChainHead {
    /// Parses the contents of the file; `None` if they are malformed.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let text = bytes.strip_suffix(b"\n")?;
        let blanks = text.iter().rev().take_while(|byte| **byte == b' ').count();
        let text = std::str::from_utf8(text.get(..text.len() - blanks)?).ok()?;
        let mut words = text.split(' ');
        let words = [
            words.next()?,
            words.next()?,
            words.next()?,
            words.next()?,
            words.next()?,
            words.next()?,
            words.next().unwrap_or_default(),
        ];
        let [length, number, last, first, second, third, ""] = words else { return None };
        let number_of = |word: &str| word.parse::<u64>().ok();
        let last = if last == "-" { String::new() } else { last.to_owned() };
        let starts = [number_of(first)?, number_of(second)?, number_of(third)?];
        Some(Self { length: number_of(length)?, number: number_of(number)?, last, starts })
    }

    /// Returns the contents of the file, padded to the fixed length.
    #[must_use]
    pub fn to_text(&self) -> String {
        let [first, second, third] = self.starts;
        let last = if self.last.is_empty() { "-" } else { &self.last };
        let mut text = format!("{} {} {last} {first} {second} {third}", self.length, self.number);
        text.push_str(" ".repeat((WIDTH - 1).saturating_sub(text.len())).as_str());
        text.push('\n');
        text
    }

    /// Returns the number of the oldest line that should exist.
    #[must_use]
    pub fn oldest_line_number(&self) -> u64 {
        self.starts.iter().copied().find(|start| *start > 0).unwrap_or(1)
    }

    /// Records a rotation of the files: the next line is the first one of a new file.
    pub fn rotate(&mut self) {
        let [_, second, third] = self.starts;
        self.starts = [second, third, self.number.saturating_add(1)];
        self.length = 0;
    }

    /// Adds an object that satisfies [`is_unchained`] as the next line; returns the line to write.
    pub fn add(&mut self, body: &[u8]) -> Vec<u8> {
        if self.starts == [0; 3] {
            self.starts = [0, 0, self.number.saturating_add(1)];
        }
        self.number = self.number.saturating_add(1);
        let mut line = chain_line(body, &self.last, self.number);
        self.last = Fingerprint::digest(&line).hex();
        line.push(b'\n');
        line
    }

    /// Continues from a line of the log, without its newline, as the last one.
    pub fn continue_from_line(&mut self, line: &[u8]) {
        self.last = Fingerprint::digest(line).hex();
        self.number = link(line).map_or(self.number, |link| link.number);
    }
}

/// Returns a JSON object as a line of the chain: with the fingerprint of the previous line, `after`, and a number.
fn chain_line(body: &[u8], after: &str, number: u64) -> Vec<u8> {
    let members = body.trim_ascii().strip_prefix(b"{").unwrap_or_default();
    let comma = if members.starts_with(b"}") { "" } else { "," };
    // Includes room for the longest number and the newline.
    let mut line = Vec::with_capacity(AFTER.len() + after.len() + NUMBER.len() + members.len() + 32);
    for part in [AFTER, after, NUMBER, &number.to_string(), comma] {
        line.extend_from_slice(part.as_bytes());
    }
    line.extend_from_slice(members);
    line
}

/// The members of a line that chain it.
#[derive(Deserialize)]
struct Link {
    /// The fingerprint of the previous line.
    after: String,
    /// The number of the line.
    number: u64,
}

/// Whether a line is complete: an object with the members of the chain.
#[must_use]
pub fn is_whole(line: &[u8]) -> bool {
    link(line).is_some()
}

/// Whether a text can be added to the chain: an object without the members of the chain.
#[must_use]
pub fn is_unchained(body: &[u8]) -> bool {
    is_whole(&chain_line(body, "", 1))
}

/// Parses the members that chain a line; `None` if they are missing.
fn link(line: &[u8]) -> Option<Link> {
    serde_json::from_slice(line).ok()
}

/// A break in the chain of a log, and its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChainFinding {
    /// This line was changed: its fingerprint differs from the one in the next line.
    Changed(LinePosition),
    /// This line was added: it does not belong to the chain.
    Added(LinePosition),
    /// These numbers are missing before the line at this position.
    RemovedBefore(LinePosition, std::ops::RangeInclusive<u64>),
    /// The lines with these numbers are missing at the end.
    RemovedFromEnd(std::ops::RangeInclusive<u64>),
    /// There are lines, but the file [`HEAD`](super::HEAD) is missing or records a last line that is not among them.
    NoEnd,
}

/// The position of a line in the files of the log.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct LinePosition {
    /// The file's name.
    pub file: String,
    /// The line number, counted from 1.
    pub line: usize,
}

impl fmt::Display for LinePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl fmt::Display for ChainFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |range: &std::ops::RangeInclusive<u64>| match range.start() == range.end() {
            true => format!("line {} of the log was", range.start()),
            false => format!("lines {} to {} of the log were", range.start(), range.end()),
        };
        match self {
            Self::Changed(place) => write!(f, "{place}: this line was changed"),
            Self::Added(place) => write!(f, "{place}: this line was added"),
            Self::RemovedBefore(place, range) => write!(f, "{place}: {} removed before this one", lines(range)),
            Self::RemovedFromEnd(range) => write!(f, "{} removed from the end", lines(range)),
            Self::NoEnd => write!(f, "nothing says where the log ends: `{}` was removed or changed", super::HEAD),
        }
    }
}

/// The result of verifying a log.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChainVerification {
    /// The number of lines in the chain, up to the first break.
    pub lines: u64,
    /// The numbers of the first and the last of these lines; `None` without lines.
    pub numbers: Option<(u64, u64)>,
    /// The first break in the chain; `None` if it is intact.
    pub finding: Option<ChainFinding>,
    /// The positions of unfinished lines, whose writers were interrupted.
    pub torn: Vec<LinePosition>,
}

/// A valid line, with which the next one is compared.
struct ChainLine {
    place: LinePosition,
    number: u64,
    /// The fingerprint of the line itself.
    fingerprint: String,
    /// The fingerprint of the previous line, as this line states it.
    after: String,
}

/// Verifies the lines of all files, the oldest first, up to the first one that breaks the chain.
pub(super) fn verify_lines<'l>(
    lines: impl IntoIterator<Item = (LinePosition, &'l [u8])>,
    head: Option<&ChainHead>,
) -> ChainVerification {
    let mut walk = ChainWalk::new(head);
    let finding = lines.into_iter().find_map(|(place, bytes)| walk.verify_line(place, bytes));
    match finding {
        Some(finding) => walk.verified.finding = Some(finding),
        None => {
            walk.verified.finding = walk.finding_at_end();
            walk.verified.torn.append(&mut walk.invalid_lines);
        }
    }
    walk.verified
}

/// The state while the lines of a log are verified.
struct ChainWalk<'h> {
    head: Option<&'h ChainHead>,
    /// The result so far.
    verified: ChainVerification,
    /// The last valid line.
    previous: Option<ChainLine>,
    /// The invalid lines since the last valid one. They count as torn, unless the next valid line shows that one of
    /// them was changed.
    invalid_lines: Vec<LinePosition>,
    /// Whether the line that the head records as the last one was found.
    has_head_line: bool,
}

impl<'h> ChainWalk<'h> {
    fn new(head: Option<&'h ChainHead>) -> Self {
        Self {
            head,
            verified: ChainVerification::default(),
            previous: None,
            invalid_lines: Vec::new(),
            has_head_line: false,
        }
    }

    /// Verifies one line; returns the break, if there is one.
    fn verify_line(&mut self, place: LinePosition, bytes: &[u8]) -> Option<ChainFinding> {
        let Some(Link { after, number }) = link(bytes) else {
            self.invalid_lines.push(place);
            return None;
        };
        let finding = match &self.previous {
            None => self.finding_at_start(&place, &after, number),
            Some(previous) => finding_between(previous, &place, &after, number, &self.invalid_lines),
        };
        if finding.is_some() {
            return finding;
        }
        self.verified.torn.append(&mut self.invalid_lines);
        let fingerprint = Fingerprint::digest(bytes).hex();
        if let Some(head) = self.head.filter(|head| head.number == number) {
            if head.last != fingerprint {
                return Some(ChainFinding::Changed(place));
            }
            self.has_head_line = true;
        }
        self.verified.lines += 1;
        self.verified.numbers = Some((self.verified.numbers.map_or(number, |(first, _)| first), number));
        self.previous = Some(ChainLine { place, number, fingerprint, after });
        None
    }

    /// Returns the break that the first valid line shows; `None` if the log may begin with it.
    fn finding_at_start(&self, place: &LinePosition, after: &str, number: u64) -> Option<ChainFinding> {
        let oldest = self.head.map_or(number, ChainHead::oldest_line_number);
        // Only the line with the number 1 has no predecessor.
        let is_consistent = (number == 1) == after.is_empty();
        match (is_consistent, self.invalid_lines.first()) {
            (true, _) if number <= oldest => None,
            (true, Some(invalid)) => Some(ChainFinding::Changed(invalid.clone())),
            (true, None) => Some(ChainFinding::RemovedBefore(place.clone(), oldest..=number.saturating_sub(1))),
            (false, _) => Some(ChainFinding::Changed(place.clone())),
        }
    }

    /// Returns the break at the end: lines before the one that the head records are missing, or there is no head.
    fn finding_at_end(&self) -> Option<ChainFinding> {
        let last = self.previous.as_ref().map_or(0, |line| line.number);
        match (self.head, self.invalid_lines.first()) {
            (None, _) if last == 0 => None,
            (None, _) => Some(ChainFinding::NoEnd),
            (Some(head), Some(invalid)) if head.number > last => Some(ChainFinding::Changed(invalid.clone())),
            (Some(head), None) if head.number > last => {
                Some(ChainFinding::RemovedFromEnd(last.saturating_add(1)..=head.number))
            }
            (Some(head), _) if !self.has_head_line && head.number > 0 => Some(ChainFinding::NoEnd),
            _ => None,
        }
    }
}

/// Returns the break between the previous valid line and the next one, which has this number and states `after` as the
/// fingerprint of its predecessor. `invalid_lines` are those between the two.
fn finding_between(
    previous: &ChainLine,
    place: &LinePosition,
    after: &str,
    number: u64,
    invalid_lines: &[LinePosition],
) -> Option<ChainFinding> {
    let expected = previous.number.saturating_add(1);
    if number == expected && after == previous.fingerprint {
        return None;
    }
    Some(match invalid_lines.first() {
        // The invalid line replaced a missing one.
        Some(invalid) if number > expected => ChainFinding::Changed(invalid.clone()),
        _ if number > expected => ChainFinding::RemovedBefore(place.clone(), expected..=number.saturating_sub(1)),
        _ if number == expected => ChainFinding::Changed(previous.place.clone()),
        // The line continues the second to last one, so the last one was inserted between them.
        _ if number == previous.number && after == previous.after => ChainFinding::Added(previous.place.clone()),
        _ => ChainFinding::Added(place.clone()),
    })
}

#[cfg(test)]
mod tests;
