//! Binary encoding of compiled data, so that a policy is compiled only once.
//!
//! The format is compact and not self-describing. Decoding trusts no byte: it rejects bytes that encoding could not
//! have produced.

/// A type with a binary encoding.
pub(crate) trait Encodable: Sized {
    /// Appends the bytes of the value.
    fn encode(&self, out: &mut Vec<u8>);

    /// Decodes a value; `None` if the bytes are malformed.
    fn decode(input: &mut ByteReader<'_>) -> Option<Self>;
}

/// The bytes that are still to be decoded.
pub(crate) struct ByteReader<'b> {
    rest: &'b [u8],
}

impl<'b> ByteReader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Whether all bytes were read.
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes one byte; `None` at the end.
    pub(crate) fn take_byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// Takes a number of up to 32 bits: seven bits in each byte, the lowest first, with the highest bit set in all
    /// bytes but the last. `None` if it is malformed.
    pub(crate) fn number(&mut self) -> Option<u32> {
        let first = self.take_byte()?;
        // Nearly all numbers are this small.
        if first < 0x80 {
            return Some(u32::from(first));
        }
        let mut number = u32::from(first & 0x7f);
        for shift in (7..32).step_by(7) {
            let byte = self.take_byte()?;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// Takes a number that is a size or an index.
    pub(crate) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    /// Takes the number of items that follow. `None` if fewer bytes are left, because each item has at least one.
    pub(crate) fn count(&mut self) -> Option<usize> {
        self.size().filter(|count| *count <= self.rest.len())
    }

    /// Takes `count` pairs of bytes, without copying them.
    pub(crate) fn pairs(&mut self, count: usize) -> Option<&'b [[u8; 2]]> {
        let (taken, rest) = self.rest.split_at_checked(count.checked_mul(2)?)?;
        self.rest = rest;
        Some(taken.as_chunks().0)
    }

    /// Takes a text that was encoded with its length.
    pub(crate) fn text(&mut self) -> Option<&'b str> {
        let len = self.count()?;
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        std::str::from_utf8(taken).ok()
    }
}

/// Appends a number of up to 32 bits; one below 128 takes one byte.
pub(crate) fn encode_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// Appends a number of items. The limits on files keep it small; a number above 32 bits would not decode.
pub(crate) fn encode_count(count: usize, out: &mut Vec<u8>) {
    encode_number(u32::try_from(count).unwrap_or(u32::MAX), out);
}

/// Appends a number in two bytes. The limits on globs keep it small; a number above 16 bits would not decode.
pub(crate) fn encode_pair(number: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&u16::try_from(number).unwrap_or(u16::MAX).to_le_bytes());
}

/// Appends a text with its length.
pub(crate) fn encode_text(text: &str, out: &mut Vec<u8>) {
    encode_count(text.len(), out);
    out.extend_from_slice(text.as_bytes());
}

/// Appends a list of values with its length.
pub(crate) fn encode_all(values: &[impl Encodable], out: &mut Vec<u8>) {
    encode_count(values.len(), out);
    values.iter().for_each(|value| value.encode(out));
}

/// Decodes a list of values; `None` if one is malformed.
pub(crate) fn decode_all<T: Encodable>(input: &mut ByteReader<'_>) -> Option<Vec<T>> {
    let count = input.count()?;
    // Allocate little in advance: the count may be forged.
    let mut values = Vec::with_capacity(count.min(64));
    for _ in 0..count {
        values.push(T::decode(input)?);
    }
    Some(values)
}

/// Appends an optional value: the byte 0 for `None`, or the byte 1 and what `encode` appends for the value.
pub(crate) fn encode_option<T>(value: Option<T>, encode: impl FnOnce(T, &mut Vec<u8>), out: &mut Vec<u8>) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        encode(value, out);
    }
}

/// Decodes an optional value, whose value `decode` decodes. The outer `None` means that the bytes are malformed.
pub(crate) fn decode_option<T>(
    input: &mut ByteReader<'_>,
    decode: impl FnOnce(&mut ByteReader<'_>) -> Option<T>,
) -> Option<Option<T>> {
    match input.take_byte()? {
        0 => Some(None),
        1 => decode(input).map(Some),
        _ => None,
    }
}

impl Encodable for String {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_text(self, out);
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        input.text().map(str::to_owned)
    }
}

impl Encodable for bool {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        match input.take_byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Encodable for char {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_number(u32::from(*self), out);
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        Self::from_u32(input.number()?)
    }
}

impl Encodable for (char, char) {
    fn encode(&self, out: &mut Vec<u8>) {
        self.0.encode(out);
        self.1.encode(out);
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        Some((char::decode(input)?, char::decode(input)?))
    }
}
