//! A cursor over bytes: numbers, and runs with a length prefix.

use crate::image::DamagedImage;

/// The remaining bytes.
#[derive(Clone, Debug)]
pub struct ByteCursor<'b> {
    rest: &'b [u8],
}

impl<'b> ByteCursor<'b> {
    /// Starts at the beginning of bytes.
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

    /// Takes bytes with a length prefix.
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

    /// Takes a number.
    ///
    /// # Errors
    /// The bytes do not encode a number.
    pub fn read_number(&mut self) -> Result<u64, DamagedImage> {
        let first = self.read_byte()?;
        // Nearly all are this small.
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

    /// Takes a count of items of at least one byte each: never more than there are bytes.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn count(&mut self) -> Result<usize, DamagedImage> {
        let count = usize::try_from(self.read_number()?).map_err(|_| DamagedImage)?;
        if count <= self.rest.len() { Ok(count) } else { Err(DamagedImage) }
    }
}
