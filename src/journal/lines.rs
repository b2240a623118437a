//! The lines of a journal: their form on the disk, and their checksums.
//!
//! The length of each line is a multiple of [`BLOCK`], and the fields of a `mark` line are at fixed offsets. So a
//! reader finds the lines that it needs without parsing the others.

use crate::history::Certainty;

/// The length of a block in bytes. The length of each line is a multiple of it.
pub(super) const BLOCK: usize = 128;

/// The length of the end of a line: `#`, the checksum in eight digits, the newline.
const END: usize = 10;

/// A digest as hexadecimal digits.
pub(super) type DigestText = [u8; 16];

/// Returns an entry as a line: padded, with its checksum and a newline.
pub(super) fn line(entry: &str) -> String {
    let length = (entry.len() + 1 + END).next_multiple_of(BLOCK) - END;
    let padded = format!("{entry:length$}");
    let check = check(padded.as_bytes());
    format!("{padded}#{check:08x}\n")
}

/// Returns the entry of a line if its checksum is right; `None` if a part of the line is missing or changed.
pub(super) fn checked(line: &[u8]) -> Option<&str> {
    let (padded, end) = line.split_at_checked(line.len().checked_sub(END)?)?;
    let digits = std::str::from_utf8(end.strip_prefix(b"#")?.strip_suffix(b"\n")?).ok()?;
    let is_whole = line.len().is_multiple_of(BLOCK) && u32::from_str_radix(digits, 16).ok()? == check(padded);
    std::str::from_utf8(padded).ok().filter(|_| is_whole).map(str::trim_ascii_end)
}

/// Returns the padding and newline that complete an unfinished last line, given the length of the file in bytes.
pub(super) fn completion(length: u64) -> String {
    let block = u64::try_from(BLOCK).unwrap_or(u64::MAX);
    let missing = usize::try_from(block - length % block).unwrap_or(BLOCK);
    format!("{}\n", " ".repeat(missing.saturating_sub(1)))
}

/// A line, with the number of its first block.
#[derive(Clone, Copy)]
pub(super) struct PlacedLine<'t> {
    pub(super) block: usize,
    pub(super) bytes: &'t [u8],
}

/// Returns the lines of a journal from the one that begins at block `first` on.
pub(super) fn lines_from(text: &[u8], first: usize) -> impl Iterator<Item = PlacedLine<'_>> {
    let mut block = first;
    std::iter::from_fn(move || {
        let line = line_at(text, block)?;
        block += line.bytes.len().div_ceil(BLOCK);
        Some(line)
    })
}

/// Returns the line that begins at a block; `None` at the end of the journal. The last line may be incomplete.
pub(super) fn line_at(text: &[u8], block: usize) -> Option<PlacedLine<'_>> {
    let rest = text.get(block.checked_mul(BLOCK)?..).filter(|rest| !rest.is_empty())?;
    if let Some(first) = rest.first_chunk::<BLOCK>().filter(|first| first[BLOCK - 1] == b'\n') {
        return Some(PlacedLine { block, bytes: first });
    }
    let mut length = BLOCK;
    while rest.get(length - 1).is_some_and(|byte| *byte != b'\n') {
        length += BLOCK;
    }
    Some(PlacedLine { block, bytes: rest.get(..length).unwrap_or(rest) })
}

/// The offsets in bytes of those fields of a `mark` line that a reader compares.
#[derive(Clone, Copy)]
pub(super) enum MarkColumn {
    /// The mark.
    Mark = 6,
    /// The time, in hexadecimal, so that texts are in the order of times.
    Time = 23,
    /// The event of the host.
    Event = 40,
    /// The call that the event ends, or the tool and input of the one that it precedes. In a `begin` line, the call is
    /// at [`MarkColumn::Time`].
    Call = 57,
    /// The first key.
    Key = 99,
}

impl PlacedLine<'_> {
    /// Returns the text of a field of a `mark` line; `None` if the line is too short.
    pub(super) fn field(&self, field: MarkColumn) -> Option<DigestText> {
        let start = field as usize;
        self.bytes.get(start..start + 16)?.try_into().ok()
    }

    /// Whether the event counts as one that happened.
    pub(super) fn counts(&self) -> bool {
        self.bytes
            .get(74)
            .is_some_and(|letter| Certainty::of_letter(char::from(*letter)).is_some_and(Certainty::counts))
    }

    /// Whether the event may have ended later than it was reported.
    pub(super) fn may_end_later(&self) -> bool {
        self.bytes.get(93) != Some(&b'e')
    }

    /// Whether the event has exactly one key, and certainly no other.
    pub(super) fn has_one_key(&self) -> bool {
        let start = MarkColumn::Key as usize;
        self.bytes.get(start + 16) == Some(&b' ') && self.bytes.get(start) != Some(&b'*')
    }
}

/// Whether a block ends with the end of a line, so no part of the block was lost while it was written.
pub(super) fn has_end(block: &[u8; BLOCK]) -> bool {
    // `completion` fills what was not written with spaces.
    block[BLOCK - 1] == b'\n' && block[BLOCK - 2] != b' ' && block[BLOCK - END] == b'#'
}

/// Returns a checksum of the bytes.
pub(super) fn check(bytes: &[u8]) -> u32 {
    let (whole, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let all = whole.iter().chain(std::iter::once(&last));
    let mixed = all.fold(0x9e37_79b9_7f4a_7c15_u64, |mixed, word| {
        (mixed ^ u64::from_le_bytes(*word)).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29)
    });
    u32::try_from((mixed ^ mixed >> 32) & 0xffff_ffff).unwrap_or_default()
}
