//! A cursor over bytes that decodes numbers, and bytes after their length.

use crate::image::DamagedImage;

/// The bytes that have not been taken yet.
#[derive(Clone, Debug)]
pub struct ByteCursor<'b> {
    rest: &'b [u8],
}

impl<'b> ByteCursor<'b> {
    /// Creates a cursor at the beginning of the bytes.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns the number of bytes that are left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether no bytes are left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes this many bytes.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn read_bytes(&mut self, len: usize) -> Result<&'b [u8], DamagedImage> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(DamagedImage)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Takes a length, and this many bytes.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn run(&mut self) -> Result<&'b [u8], DamagedImage> {
        let len = self.count()?;
        self.read_bytes(len)
    }

    /// Takes a byte.
    ///
    /// # Errors
    /// No byte is left.
    pub fn read_byte(&mut self) -> Result<u8, DamagedImage> {
        let (first, rest) = self.rest.split_first().ok_or(DamagedImage)?;
        self.rest = rest;
        Ok(*first)
    }

    /// Takes a number in groups of seven bits, the lowest first; the highest bit of a byte is set if another group
    /// follows.
    ///
    /// # Errors
    /// The bytes do not encode a number.
    pub fn read_number(&mut self) -> Result<u64, DamagedImage> {
        let first = self.read_byte()?;
        // Nearly all numbers take one byte.
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let mut number = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.read_byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(DamagedImage)
    }

    /// Takes the number of the items that follow, each of which takes at least one byte.
    ///
    /// # Errors
    /// Fewer bytes than items are left.
    pub fn count(&mut self) -> Result<usize, DamagedImage> {
        let count = usize::try_from(self.read_number()?).map_err(|_| DamagedImage)?;
        if count <= self.rest.len() { Ok(count) } else { Err(DamagedImage) }
    }
}
