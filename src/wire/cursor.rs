//! A cursor over bytes: numbers, and runs with a length prefix.

use crate::image::Damaged;

/// The remaining bytes.
#[derive(Clone, Debug)]
pub struct Cursor<'b> {
    rest: &'b [u8],
}

impl<'b> Cursor<'b> {
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
    pub fn raw(&mut self, len: usize) -> Result<&'b [u8], Damaged> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Takes bytes with a length prefix.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn run(&mut self) -> Result<&'b [u8], Damaged> {
        let len = self.count()?;
        self.raw(len)
    }

    /// Takes a byte.
    ///
    /// # Errors
    /// No byte is left.
    pub fn byte(&mut self) -> Result<u8, Damaged> {
        let (first, rest) = self.rest.split_first().ok_or(Damaged)?;
        self.rest = rest;
        Ok(*first)
    }

    /// Takes a number.
    ///
    /// # Errors
    /// The bytes do not encode a number.
    pub fn number(&mut self) -> Result<u64, Damaged> {
        let first = self.byte()?;
        // Nearly all are this small.
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let mut number = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    /// Takes a count of items of at least one byte each: never more than there are bytes.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn count(&mut self) -> Result<usize, Damaged> {
        let count = usize::try_from(self.number()?).map_err(|_| Damaged)?;
        if count <= self.rest.len() { Ok(count) } else { Err(Damaged) }
    }
}
