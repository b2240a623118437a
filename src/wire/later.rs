//! Values that are decoded on first use.
//!
//! Most of a rule is needed only if it matches. If the bytes of such a part do not encode the value, that is found
//! when it is too late to return an error, so the damage is reported to a flag. The flag must be checked before any
//! result is used. (Usually the checksum of the file already excludes such damage.)

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::{Reader, Wire, Writer};
use crate::image::DamagedImage;

/// Whether bytes turned out to be damaged after they were accepted. Clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct DamageFlag(Arc<AtomicBool>);

/// The encoded bytes of a value that is decoded on first use.
#[derive(Clone)]
pub struct EncodedPiece {
    /// The bytes that contain the piece.
    origin: Arc<SharedBytes>,
    /// The beginning of the range of the piece in these bytes.
    start: usize,
    /// The end of that range.
    end: usize,
}

/// Encoded bytes that several pieces share.
#[derive(Debug)]
pub(super) struct SharedBytes {
    pub(super) bytes: Vec<u8>,
    /// The flag for damage in the bytes.
    pub(super) damage: DamageFlag,
}

/// A value that is decoded on first use. If its bytes are damaged, the value is empty (the default), and the damage
/// is reported.
#[derive(Clone)]
pub struct Lazy<T> {
    /// The value, once it is decoded. It is boxed because most values are never used, and what contains the `Lazy` is
    /// moved often.
    value: OnceLock<Box<T>>,
    /// The encoded value; `None` for a value that was not decoded.
    piece: Option<EncodedPiece>,
}

impl DamageFlag {
    /// Reports that bytes do not encode the expected value.
    pub fn report(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Fails if damage has been reported.
    ///
    /// # Errors
    /// Damage has been reported.
    pub fn check(&self) -> Result<(), DamagedImage> {
        if self.0.load(Ordering::Relaxed) { Err(DamagedImage) } else { Ok(()) }
    }
}

impl EncodedPiece {
    /// Creates a piece of bytes that were just encoded.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        Self::from_bytes(bytes, DamageFlag::default())
    }

    /// Creates a piece of all these bytes.
    pub(super) fn from_bytes(bytes: Vec<u8>, damage: DamageFlag) -> Self {
        let end = bytes.len();
        Self { origin: Arc::new(SharedBytes { bytes, damage }), start: 0, end }
    }

    /// Creates a piece of a part of shared bytes.
    pub(super) fn from_range(origin: &Arc<SharedBytes>, start: usize, end: usize) -> Self {
        Self { origin: Arc::clone(origin), start, end }
    }

    /// Returns the bytes of the piece.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.origin.bytes.get(self.start..self.end).unwrap_or_default()
    }

    /// Decodes a value that takes up all of the bytes.
    pub(super) fn read<T: Wire>(&self) -> Result<T, DamagedImage> {
        Reader::from_range(&self.origin, self.start, self.end).decode_to_end()
    }

    /// Returns the flag for damage in the bytes.
    #[must_use]
    pub fn damage(&self) -> &DamageFlag {
        &self.origin.damage
    }
}

impl Wire for EncodedPiece {
    fn encode(&self, out: &mut Writer) {
        out.run(self.bytes());
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        input.piece()
    }
}

impl fmt::Debug for EncodedPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Piece").field(&self.bytes()).finish()
    }
}

impl<T: Wire + Default> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.get_or_init(|| {
            let Some(piece) = &self.piece else { return Box::default() };
            piece.read().map(Box::new).unwrap_or_else(|DamagedImage| {
                piece.damage().report();
                Box::default()
            })
        })
    }
}

impl<T: Wire + Default + PartialEq> Lazy<T> {
    /// Whether another value is equal. Two encoded values are compared by their bytes, without being decoded.
    pub fn is_equal_when_encoded(&self, other: &Self) -> bool {
        match (&self.piece, &other.piece) {
            (Some(piece), Some(other)) => piece.bytes() == other.bytes(),
            _ => **self == **other,
        }
    }
}

impl<T> From<T> for Lazy<T> {
    fn from(value: T) -> Self {
        Self { value: OnceLock::from(Box::new(value)), piece: None }
    }
}

impl<T: Wire + Default> Wire for Lazy<T> {
    fn encode(&self, out: &mut Writer) {
        match &self.piece {
            Some(piece) => piece.encode(out),
            None => {
                let bytes = out.encoded(&**self);
                out.run(&bytes);
            }
        }
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Ok(Self { value: OnceLock::new(), piece: Some(EncodedPiece::decode(input)?) })
    }
}

impl<T: Wire + Default> Default for Lazy<T> {
    fn default() -> Self {
        T::default().into()
    }
}

impl<T: Wire + Default + fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{from_bytes, read_as, to_bytes};
    use super::*;

    type Texts = Lazy<Vec<String>>;

    #[test]
    fn what_is_read_later_is_what_was_written() {
        let texts = vec!["one".to_owned(), "two".to_owned()];
        let bytes = to_bytes(&(Texts::from(texts.clone()), 7_u32));
        let (read, number): (Texts, u32) = from_bytes(&bytes).unwrap();
        assert_eq!((&*read, number), (&texts, 7));
        assert_eq!(to_bytes(&(read, 7_u32)), bytes);
    }

    #[test]
    fn damage_that_is_found_later_is_reported_once_it_is_looked_at() {
        let mut bytes = to_bytes(&Texts::from(vec!["one".to_owned()]));
        *bytes.get_mut(3).unwrap() = 0xff;
        let damage = DamageFlag::default();
        let read: Texts = read_as(&bytes, &damage).unwrap();
        assert_eq!(damage.check(), Ok(()));
        assert!(read.is_empty());
        assert_eq!(damage.check(), Err(DamagedImage));
    }

    #[test]
    fn a_piece_that_is_cut_off_is_damaged_at_once() {
        let bytes = to_bytes(&Texts::from(vec!["one".to_owned()]));
        for end in 0..bytes.len() {
            assert!(from_bytes::<Texts>(bytes.get(..end).unwrap()).is_err(), "cut at {end}");
        }
    }
}
