//! A compiled policy as one run of bytes: where the rules lie in it, and the index of each event.
//!
//! It is used in place, by positioned reads of the few places that an event asks for. It knows neither what the bytes
//! of a rule mean nor those of an index, and not where the image lies: in memory, or in a file.
//!
//! All numbers are little-endian. An image begins with its head:
//!
//! | at | what |
//! |---|---|
//! | 0 | how many rules it holds, `u32` |
//! | 4 | how many events it has room for, `u32` |
//! | 8 | for each event its index: where it begins, `u64`, and how long it is, `u64`; length 0 where no rule names it |
//! | … | for each rule where it begins, `u64`, and behind the last where that ends |
//!
//! Then follow the rules in evaluation order, each by itself, and the indexes.

mod shelf;

use std::borrow::Cow;

pub use shelf::Slots;

/// An image that cannot be what was written: nothing that it says may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damaged;

/// Where the bytes of an image come from.
pub trait Bytes {
    /// Returns so many bytes from a place on.
    ///
    /// # Errors
    /// They are not there, or are not those that were written.
    fn read(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, Damaged>;

    /// Returns the eight bytes of an entry of a table, which are asked for once, and mostly in the order of their places:
    /// nothing is kept of what lies around them.
    ///
    /// # Errors
    /// As [`Bytes::read`].
    fn entry(&self, at: u64) -> Result<[u8; 8], Damaged> {
        self.read(at, 8)?.as_ref().try_into().map_err(|_| Damaged)
    }

    /// Returns so many bytes from a place on, if that costs nothing however many they are: they lie in memory.
    fn at_hand(&self, _at: u64, _len: usize) -> Option<&[u8]> {
        None
    }
}

/// A part of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Section {
    /// Where it begins.
    pub at: u64,
    /// How long it is.
    pub len: u64,
}

/// An image that is read.
#[derive(Clone, Debug)]
pub struct Image<B> {
    bytes: B,
    rules: u32,
    events: u32,
}

/// How long the head is in front of the events.
const HEAD: u64 = 8;

/// How long the entry of an event is.
const ENTRY: u64 = 16;

impl Bytes for [u8] {
    fn read(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, Damaged> {
        let at = usize::try_from(at).map_err(|_| Damaged)?;
        let end = at.checked_add(len).ok_or(Damaged)?;
        self.get(at..end).map(Cow::Borrowed).ok_or(Damaged)
    }

    fn at_hand(&self, at: u64, len: usize) -> Option<&[u8]> {
        let at = usize::try_from(at).ok()?;
        self.get(at..at.checked_add(len)?)
    }
}

impl Bytes for Vec<u8> {
    fn read(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, Damaged> {
        self.as_slice().read(at, len)
    }

    fn at_hand(&self, at: u64, len: usize) -> Option<&[u8]> {
        self.as_slice().at_hand(at, len)
    }
}

impl<B: Bytes + ?Sized> Bytes for &B {
    fn read(&self, at: u64, len: usize) -> Result<Cow<'_, [u8]>, Damaged> {
        (**self).read(at, len)
    }

    fn at_hand(&self, at: u64, len: usize) -> Option<&[u8]> {
        (**self).at_hand(at, len)
    }

    fn entry(&self, at: u64) -> Result<[u8; 8], Damaged> {
        (**self).entry(at)
    }
}

/// Reads a number.
///
/// # Errors
/// As [`Bytes::read`].
pub fn u16_at(bytes: &(impl Bytes + ?Sized), at: u64) -> Result<u16, Damaged> {
    array(bytes, at).map(u16::from_le_bytes)
}

/// Reads a number.
///
/// # Errors
/// As [`Bytes::read`].
pub fn u32_at(bytes: &(impl Bytes + ?Sized), at: u64) -> Result<u32, Damaged> {
    array(bytes, at).map(u32::from_le_bytes)
}

/// Reads two numbers that stand beside each other.
fn pair_at(bytes: &(impl Bytes + ?Sized), at: u64) -> Result<[u64; 2], Damaged> {
    match bytes.read(at, 16)?.as_chunks().0 {
        [first, second] => Ok([first, second].map(|number| u64::from_le_bytes(*number))),
        _ => Err(Damaged),
    }
}

fn array<const N: usize>(bytes: &(impl Bytes + ?Sized), at: u64) -> Result<[u8; N], Damaged> {
    bytes.read(at, N)?.as_ref().try_into().map_err(|_| Damaged)
}

/// Puts an image together: the rules in evaluation order, each as its bytes, and for each event, in the schema's order,
/// its index.
#[must_use]
pub fn write(rules: &[Vec<u8>], indexes: &[Vec<u8>]) -> Vec<u8> {
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    let long = |len: usize| u64::try_from(len).unwrap_or(u64::MAX);
    let head = HEAD + ENTRY * long(indexes.len()) + 8 * (long(rules.len()) + 1);
    let begins = |at: &mut u64, part: &Vec<u8>| {
        let begins = *at;
        *at = at.saturating_add(long(part.len()));
        begins
    };
    let mut at = head;
    let rule_places: Vec<u64> = rules.iter().map(|rule| begins(&mut at, rule)).collect();
    let rules_end = at;
    let mut out = Vec::new();
    out.extend(count(rules.len()).to_le_bytes());
    out.extend(count(indexes.len()).to_le_bytes());
    for index in indexes {
        out.extend(begins(&mut at, index).to_le_bytes());
        out.extend(long(index.len()).to_le_bytes());
    }
    for place in rule_places.into_iter().chain([rules_end]) {
        out.extend(place.to_le_bytes());
    }
    rules.iter().chain(indexes).for_each(|part| out.extend_from_slice(part));
    out
}

impl<B: Bytes> Image<B> {
    /// Opens an image: reads how much it holds and nothing else.
    ///
    /// # Errors
    /// The bytes are no image.
    pub fn open(bytes: B) -> Result<Self, Damaged> {
        let (rules, events) = (u32_at(&bytes, 0)?, u32_at(&bytes, 4)?);
        Ok(Self { bytes, rules, events })
    }

    /// Returns where the bytes come from.
    pub fn bytes(&self) -> &B {
        &self.bytes
    }

    /// Returns how many rules it holds as bytes.
    pub fn rules(&self) -> u32 {
        self.rules
    }

    /// Returns the bytes of a rule, by its place in evaluation order.
    ///
    /// # Errors
    /// There is no such rule, or it is damaged.
    pub fn rule(&self, id: u32) -> Result<Cow<'_, [u8]>, Damaged> {
        if id >= self.rules {
            return Err(Damaged);
        }
        let at = HEAD + ENTRY * u64::from(self.events) + 8 * u64::from(id);
        let [begin, end] = pair_at(&self.bytes, at)?;
        let len = end.checked_sub(begin).and_then(|len| usize::try_from(len).ok()).ok_or(Damaged)?;
        self.bytes.read(begin, len)
    }

    /// Returns where the index of an event lies, by its place in the schema; nothing where no rule names the event.
    ///
    /// # Errors
    /// The image has no room for the event, or is damaged.
    pub fn index(&self, event: usize) -> Result<Option<Section>, Damaged> {
        let event = u32::try_from(event).ok().filter(|event| *event < self.events).ok_or(Damaged)?;
        let at = HEAD + ENTRY * u64::from(event);
        let [at, len] = pair_at(&self.bytes, at)?;
        let section = Section { at, len };
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
        assert_eq!(image.bytes().read(section.at, 5).unwrap().as_ref(), b"index");
        assert_eq!(image.rule(3), Err(Damaged));
        assert_eq!(image.index(2), Err(Damaged));
    }

    #[test]
    fn a_cut_image_is_damaged_and_no_panic() {
        let bytes = write(&[b"first".to_vec()], &[b"index".to_vec()]);
        for end in 0..bytes.len() {
            let Ok(image) = Image::open(bytes.get(..end).unwrap()) else { continue };
            let whole = image.rule(0).is_ok()
                && image
                    .index(0)
                    .is_ok_and(|section| section.is_none_or(|section| image.bytes().read(section.at, 5).is_ok()));
            assert!(!whole, "cut at {end}");
        }
    }
}
