//! Compiled data as bytes, and back: what was read once from a policy is not read again.
//!
//! The form is compact and not self-describing. Nothing here trusts a byte: what nobody could have written is none.

/// What has a form in bytes.
pub(crate) trait Bytes: Sized {
    /// Appends the bytes of the value.
    fn put(&self, out: &mut Vec<u8>);

    /// Reads a value; nothing where the bytes are none.
    fn take(input: &mut Input<'_>) -> Option<Self>;
}

/// Where bytes are read from.
pub(crate) struct Input<'b> {
    rest: &'b [u8],
}

impl<'b> Input<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Tells whether all of them were read.
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(crate) fn number(&mut self) -> Option<u32> {
        let first = self.byte()?;
        // Nearly all are this small.
        if first < 0x80 {
            return Some(u32::from(first));
        }
        let mut number = u32::from(first & 0x7f);
        for shift in (7..32).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// Takes a number that counts or names a place.
    pub(crate) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// Takes how many there are of something that takes a byte at least: never more than there are bytes.
    pub(crate) fn count(&mut self) -> Option<usize> {
        self.size().filter(|count| *count <= self.rest.len())
    }

    /// Takes so many numbers of two bytes each: they are gone through as they lie there.
    pub(crate) fn pairs(&mut self, count: usize) -> Option<&'b [[u8; 2]]> {
        let (taken, rest) = self.rest.split_at_checked(count.checked_mul(2)?)?;
        self.rest = rest;
        Some(taken.as_chunks().0)
    }

    /// Takes a text with its length in front.
    pub(crate) fn text(&mut self) -> Option<&'b str> {
        let len = self.count()?;
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        std::str::from_utf8(taken).ok()
    }
}

/// Appends a number, small ones in one byte.
pub(crate) fn put_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// Appends a count. The limits of a file keep it small; one that is not could not be read again.
pub(crate) fn put_count(count: usize, out: &mut Vec<u8>) {
    put_number(u32::try_from(count).unwrap_or(u32::MAX), out);
}

/// Appends a number in two bytes. The limits of a glob keep it small; one that is not could not be read again.
pub(crate) fn put_pair(number: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes());
}

/// Appends a text with its length in front.
pub(crate) fn put_text(text: &str, out: &mut Vec<u8>) {
    put_count(text.len(), out);
    out.extend_from_slice(text.as_bytes());
}

pub(crate) fn put_all(values: &[impl Bytes], out: &mut Vec<u8>) {
    put_count(values.len(), out);
    values.iter().for_each(|value| value.put(out));
}

pub(crate) fn take_all<T: Bytes>(input: &mut Input<'_>) -> Option<Vec<T>> {
    let count = input.count()?;
    // What a count that is a lie would take is not set aside before.
    let mut values = Vec::with_capacity(count.min(64));
    for _ in 0..count {
        values.push(T::take(input)?);
    }
    Some(values)
}

pub(crate) fn put_option<T>(value: Option<T>, put: impl FnOnce(T, &mut Vec<u8>), out: &mut Vec<u8>) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        put(value, out);
    }
}

pub(crate) fn take_option<T>(
    input: &mut Input<'_>,
    take: impl FnOnce(&mut Input<'_>) -> Option<T>,
) -> Option<Option<T>> {
    match input.byte()? {
        0 => Some(None),
        1 => take(input).map(Some),
        _ => None,
    }
}

impl Bytes for String {
    fn put(&self, out: &mut Vec<u8>) {
        put_text(self, out);
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        input.text().map(str::to_owned)
    }
}

impl Bytes for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        match input.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Bytes for char {
    fn put(&self, out: &mut Vec<u8>) {
        put_number(u32::from(*self), out);
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        Self::from_u32(input.number()?)
    }
}

impl Bytes for (char, char) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        Some((char::take(input)?, char::take(input)?))
    }
}
