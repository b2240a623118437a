//! The binary image of a compiled policy: the positions of its rules, and the index of each event.
//!
//! An image is used in place: only the few parts that an event needs are read, by their positions. This module does
//! not interpret the bytes of a rule or an index, and does not know whether the image is in memory or in a file.
//!
//! All numbers are little-endian. An image begins with its head:
//!
//! | at | what |
//! |---|---|
//! | 0 | the number of rules, `u32` |
//! | 4 | the number of events, `u32` |
//! | 8 | for each event the position of its index, `u64`, and its length, `u64`; length 0 if no rule names the event |
//! | … | for each rule its position, `u64`, and the end of the last one |
//!
//! The rules follow in evaluation order, each encoded separately, and then the indexes.

mod slots;

use std::borrow::Cow;

pub use slots::Slots;

/// The error that an image is damaged, so that none of its contents may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DamagedImage;

/// Access to the bytes of an image.
pub trait ByteSource {
    /// Returns `len` bytes from a position.
    ///
    /// # Errors
    /// The image is shorter, or its checksum shows that the bytes are damaged.
    fn read(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, DamagedImage>;

    /// Returns the eight bytes of a table entry. Entries are read once, and mostly in order, so the bytes around them
    /// are not cached.
    ///
    /// # Errors
    /// Like [`ByteSource::read`].
    fn entry(&self, at: u64) -> Result<[u8; 8], DamagedImage> {
        self.read(at, 8)?.as_ref().try_into().map_err(|_| DamagedImage)
    }

    /// Returns `len` bytes from a position if they are in memory, so that they can be used without reading; else
    /// `None`.
    fn in_memory(&self, _at: u64, _len: usize) -> Option<&[u8]> {
        None
    }
}

/// The position and length of a part of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ImageSection {
    /// The offset of the part in the image.
    pub position: u64,
    /// The number of its bytes.
    pub len: u64,
}

/// An opened image. Only its counts have been read.
#[derive(Clone, Debug)]
pub struct Image<B> {
    bytes: B,
    /// The number of rules.
    rules: u32,
    /// The number of events.
    events: u32,
}

/// The length in bytes of the part of the head before the entries of the events.
const HEAD: u64 = 8;

/// The length in bytes of the entry of an event.
const ENTRY: u64 = 16;

impl ByteSource for [u8] {
    fn read(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, DamagedImage> {
        let at = usize::try_from(at).map_err(|_| DamagedImage)?;
        let end = at.checked_add(len).ok_or(DamagedImage)?;
        self.get(at..end).map(Cow::Borrowed).ok_or(DamagedImage)
    }

    fn in_memory(&self, at: u64, len: usize) -> Option<&[u8]> {
        let at = usize::try_from(at).ok()?;
        self.get(at..at.checked_add(len)?)
    }
}

impl ByteSource for Vec<u8> {
    fn read(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, DamagedImage> {
        self.as_slice().read(at, len)
    }

    fn in_memory(&self, at: u64, len: usize) -> Option<&[u8]> {
        self.as_slice().in_memory(at, len)
    }
}

impl<B: ByteSource + ?Sized> ByteSource for &B {
    fn read(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, DamagedImage> {
        (**self).read(at, len)
    }

    fn in_memory(&self, at: u64, len: usize) -> Option<&[u8]> {
        (**self).in_memory(at, len)
    }

    fn entry(&self, at: u64) -> Result<[u8; 8], DamagedImage> {
        (**self).entry(at)
    }
}

/// Reads a number of two bytes.
///
/// # Errors
/// Like [`ByteSource::read`].
pub fn u16_at(bytes: &(impl ByteSource + ?Sized), at: u64) -> Result<u16, DamagedImage> {
    array(bytes, at).map(u16::from_le_bytes)
}

/// Reads a number of four bytes.
///
/// # Errors
/// Like [`ByteSource::read`].
pub fn u32_at(bytes: &(impl ByteSource + ?Sized), at: u64) -> Result<u32, DamagedImage> {
    array(bytes, at).map(u32::from_le_bytes)
}

/// Reads two adjacent numbers of eight bytes.
fn pair_at(bytes: &(impl ByteSource + ?Sized), at: u64) -> Result<[u64; 2], DamagedImage> {
    match bytes.read(at, 16)?.as_chunks().0 {
        [first, second] => Ok([first, second].map(|number| u64::from_le_bytes(*number))),
        _ => Err(DamagedImage),
    }
}

/// Reads `N` bytes.
fn array<const N: usize>(bytes: &(impl ByteSource + ?Sized), at: u64) -> Result<[u8; N], DamagedImage> {
    bytes.read(at, N)?.as_ref().try_into().map_err(|_| DamagedImage)
}

/// Encodes an image of the encoded rules, in evaluation order, and the index of each event, in the order of the
/// schema.
#[must_use]
pub fn write(rules: &[Vec<u8>], indexes: &[Vec<u8>]) -> Vec<u8> {
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    let as_u64 = |len: usize| u64::try_from(len).unwrap_or(u64::MAX);
    let head = HEAD + ENTRY * as_u64(indexes.len()) + 8 * (as_u64(rules.len()) + 1);
    // Returns the position at which the next part begins, and moves `at` to its end.
    let next_position = |at: &mut u64, part: &Vec<u8>| {
        let position = *at;
        *at = at.saturating_add(as_u64(part.len()));
        position
    };
    let mut at = head;
    let rule_positions: Vec<u64> = rules.iter().map(|rule| next_position(&mut at, rule)).collect();
    let rules_end = at;
    let mut out = Vec::new();
    out.extend(count(rules.len()).to_le_bytes());
    out.extend(count(indexes.len()).to_le_bytes());
    for index in indexes {
        out.extend(next_position(&mut at, index).to_le_bytes());
        out.extend(as_u64(index.len()).to_le_bytes());
    }
    for position in rule_positions.into_iter().chain([rules_end]) {
        out.extend(position.to_le_bytes());
    }
    rules.iter().chain(indexes).for_each(|part| out.extend_from_slice(part));
    out
}

impl<B: ByteSource> Image<B> {
    /// Opens an image, and reads only its counts.
    ///
    /// # Errors
    /// The bytes are not an image.
    pub fn open(bytes: B) -> Result<Self, DamagedImage> {
        let (rules, events) = (u32_at(&bytes, 0)?, u32_at(&bytes, 4)?);
        Ok(Self { bytes, rules, events })
    }

    /// Returns the source of the bytes.
    pub fn bytes(&self) -> &B {
        &self.bytes
    }

    /// Returns the number of rules.
    pub fn rules(&self) -> u32 {
        self.rules
    }

    /// Returns the bytes of a rule, by its position in evaluation order.
    ///
    /// # Errors
    /// There is no such rule, or it is damaged.
    pub fn rule(&self, id: u32) -> Result<Cow<'_, [u8]>, DamagedImage> {
        if id >= self.rules {
            return Err(DamagedImage);
        }
        let at = HEAD + ENTRY * u64::from(self.events) + 8 * u64::from(id);
        let [begin, end] = pair_at(&self.bytes, at)?;
        let len = end.checked_sub(begin).and_then(|len| usize::try_from(len).ok()).ok_or(DamagedImage)?;
        self.bytes.read(begin, len)
    }

    /// Returns the section with the index of an event, which is given by its position in the schema; `None` if no
    /// rule names the event.
    ///
    /// # Errors
    /// The image does not have the event, or is damaged.
    pub fn index(&self, event: usize) -> Result<Option<ImageSection>, DamagedImage> {
        let event = u32::try_from(event).ok().filter(|event| *event < self.events).ok_or(DamagedImage)?;
        let at = HEAD + ENTRY * u64::from(event);
        let [at, len] = pair_at(&self.bytes, at)?;
        let section = ImageSection { position: at, len };
        Ok((section.len != 0).then_some(section))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_comes_out() {
        let rules = [b"first".to_vec(), Vec::new(), b"third".to_vec()];
        let bytes = write(&rules, &[Vec::new(), b"index".to_vec()]);
        let image = Image::open(&bytes).unwrap();
        assert_eq!(image.rules(), 3);
        for (id, rule) in (0..).zip(&rules) {
            assert_eq!(image.rule(id).unwrap().as_ref(), rule);
        }
        assert_eq!(image.index(0), Ok(None));
        let section = image.index(1).unwrap().unwrap();
        assert_eq!(image.bytes().read(section.position, 5).unwrap().as_ref(), b"index");
        assert_eq!(image.rule(3), Err(DamagedImage));
        assert_eq!(image.index(2), Err(DamagedImage));
    }

    #[test]
    fn a_cut_image_is_damaged_and_no_panic() {
        let bytes = write(&[b"first".to_vec()], &[b"index".to_vec()]);
        for end in 0..bytes.len() {
            let Ok(image) = Image::open(bytes.get(..end).unwrap()) else { continue };
            let whole = image.rule(0).is_ok()
                && image
                    .index(0)
                    .is_ok_and(|section| section.is_none_or(|section| image.bytes().read(section.position, 5).is_ok()));
            assert!(!whole, "cut at {end}");
        }
    }
}
