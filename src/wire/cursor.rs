//! Bytes from their beginning on: numbers, and runs with their length in front.

use crate::image::Damaged;

/// Where bytes are read from.
#[derive(Clone, Debug)]
pub struct Cursor<'b> {
    rest: &'b [u8],
}

impl<'b> Cursor<'b> {
    /// Reads bytes from their beginning.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns how many are left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Tells whether nothing is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes so many bytes.
    ///
    /// # Errors
    /// There are fewer.
    pub fn raw(&mut self, len: usize) -> Result<&'b [u8], Damaged> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Takes bytes with their length in front.
    ///
    /// # Errors
    /// There are fewer.
    pub fn run(&mut self) -> Result<&'b [u8], Damaged> {
        let len = self.count()?;
        self.raw(len)
    }

    /// Takes a byte.
    ///
    /// # Errors
    /// There is none.
    pub fn byte(&mut self) -> Result<u8, Damaged> {
        let (first, rest) = self.rest.split_first().ok_or(Damaged)?;
        self.rest = rest;
        Ok(*first)
    }

    /// Takes a number.
    ///
    /// # Errors
    /// There is none.
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

    /// Takes how many there are of something that takes a byte at least: never more than there are bytes.
    ///
    /// # Errors
    /// There are fewer.
    pub fn count(&mut self) -> Result<usize, Damaged> {
        let count = usize::try_from(self.number()?).map_err(|_| Damaged)?;
        if count <= self.rest.len() { Ok(count) } else { Err(Damaged) }
    }
}
