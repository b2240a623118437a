//! The binary encoding of plain data, for compiled policies.
//!
//! The format is compact and does not describe itself, so it can only be decoded by the program that encoded it,
//! which the reader of a file checks first. Decoding nevertheless trusts no byte: an impossible length, an unknown
//! tag and too deeply nested values result in [`DamagedImage`].

mod cursor;
mod later;

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::image::DamagedImage;
use crate::platform::paths::name_of_bytes;
pub use cursor::ByteCursor;
use later::SharedBytes;
pub use later::{DamageFlag, EncodedPiece, Lazy};

/// The maximum nesting depth of lists and boxes. No value that is encoded is that deep.
const MAX_DEPTH: usize = 400;

/// A type with a binary encoding. Most types get it by `wire_struct!` or `wire_enum!`.
pub trait Wire: Sized {
    /// Appends the bytes of the value.
    fn encode(&self, out: &mut Writer);

    /// Decodes a value.
    ///
    /// # Errors
    /// The bytes do not encode such a value.
    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage>;

    /// Encodes several values.
    fn encode_all(values: &[Self], out: &mut Writer) {
        values.iter().for_each(|value| value.encode(out));
    }

    /// Decodes this many values.
    ///
    /// # Errors
    /// The bytes do not encode such values.
    fn decode_all(count: usize, input: &mut Reader<'_>) -> Result<Vec<Self>, DamagedImage> {
        // A forged count fails when the bytes end, so it must not allocate memory for all items in advance.
        let mut values = Vec::with_capacity(count.min(256));
        input.decode_nested(|input| {
            for _ in 0..count {
                values.push(Self::decode(input)?);
            }
            Ok(())
        })?;
        Ok(values)
    }
}

/// Encodes a value.
#[must_use]
pub fn to_bytes(value: &impl Wire) -> Vec<u8> {
    Writer::default().encoded(value)
}

/// Decodes a value that takes up all of the bytes.
///
/// # Errors
/// The bytes do not encode such a value, or contain more than one.
pub fn from_bytes<T: Wire>(bytes: &[u8]) -> Result<T, DamagedImage> {
    read_as(bytes, &DamageFlag::default())
}

/// Decodes a value that takes up all of the bytes. Damage in parts that are decoded on first use is reported to
/// `damage` when it is found.
///
/// # Errors
/// Like [`from_bytes`].
pub fn read_as<T: Wire>(bytes: &[u8], damage: &DamageFlag) -> Result<T, DamagedImage> {
    Reader::new(bytes, damage).decode_to_end()
}

/// Decodes a value like [`read_as`], but takes over the bytes, so that parts that are decoded on first use need no
/// copy of them.
///
/// # Errors
/// Like [`from_bytes`].
pub fn read_own<T: Wire>(bytes: Vec<u8>, damage: &DamageFlag) -> Result<T, DamagedImage> {
    EncodedPiece::from_bytes(bytes, damage.clone()).read()
}

/// Encodes values to bytes, one after another.
#[derive(Default, Debug)]
pub struct Writer {
    bytes: Vec<u8>,
    /// The shared values (`Arc`) that have been encoded, by address, with their numbers.
    shared: BTreeMap<usize, u64>,
    /// Whether spans are left out, because the bytes are only compared.
    skips_spans: bool,
}

/// Decodes values from bytes, one after another.
#[derive(Debug)]
pub struct Reader<'b> {
    /// All bytes up to the end of the input.
    all: &'b [u8],
    /// The bytes that have not been decoded yet.
    cursor: ByteCursor<'b>,
    /// The number of lists and boxes that contain the current value.
    depth: usize,
    /// The shared values that have been decoded, in the order of their numbers.
    shared: Vec<Arc<dyn Any + Send + Sync>>,
    /// The flag for damage that is found later, in parts that are decoded on first use.
    damage: &'b DamageFlag,
    /// A shared copy of all bytes, made when the first part is to be decoded on first use.
    origin: Option<Arc<SharedBytes>>,
}

impl Writer {
    /// Creates an output without spans, which is only compared and never decoded.
    #[must_use]
    pub fn without_spans() -> Self {
        Self { skips_spans: true, ..Self::default() }
    }

    /// Whether spans are left out.
    #[must_use]
    pub fn skips_spans(&self) -> bool {
        self.skips_spans
    }

    /// Encodes a value alone, with spans only if this output has them.
    #[must_use]
    pub fn encoded(&self, value: &impl Wire) -> Vec<u8> {
        // As much as most values need, so that the buffer is not reallocated.
        let mut out = Self { bytes: Vec::with_capacity(256), skips_spans: self.skips_spans, ..Self::default() };
        value.encode(&mut out);
        out.bytes
    }

    /// Appends raw bytes.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends a number in groups of seven bits, so that a small number takes one byte.
    pub fn write_number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.bytes.push(number.to_le_bytes()[0]);
    }

    /// Appends the length of some bytes, and the bytes.
    pub fn run(&mut self, bytes: &[u8]) {
        self.count(bytes.len());
        self.write_bytes(bytes);
    }

    /// Returns the number of appended bytes.
    #[must_use]
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the appended bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Appends a count.
    pub fn count(&mut self, count: usize) {
        self.write_number(u64::try_from(count).unwrap_or(u64::MAX));
    }
}

impl<'b> Reader<'b> {
    /// Creates a reader of these bytes.
    fn new(bytes: &'b [u8], damage: &'b DamageFlag) -> Self {
        Self { all: bytes, cursor: ByteCursor::new(bytes), depth: 0, shared: Vec::new(), damage, origin: None }
    }

    /// Creates a reader of a part of shared bytes.
    fn from_range(origin: &'b Arc<SharedBytes>, start: usize, end: usize) -> Self {
        // `all` begins with the first shared byte, so that positions in `all` are positions in the shared bytes.
        let all = origin.bytes.get(..end).unwrap_or_default();
        let cursor = ByteCursor::new(all.get(start..).unwrap_or_default());
        let (damage, origin) = (&origin.damage, Some(Arc::clone(origin)));
        Self { all, cursor, depth: 0, shared: Vec::new(), damage, origin }
    }

    /// Decodes a value that takes up all of the bytes.
    fn decode_to_end<T: Wire>(mut self) -> Result<T, DamagedImage> {
        let value = T::decode(&mut self)?;
        if self.cursor.is_empty() { Ok(value) } else { Err(DamagedImage) }
    }

    /// Takes a length, and this many bytes.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn run(&mut self) -> Result<&'b [u8], DamagedImage> {
        self.cursor.run()
    }

    /// Takes this many bytes.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn read_bytes(&mut self, len: usize) -> Result<&'b [u8], DamagedImage> {
        self.cursor.read_bytes(len)
    }

    /// Takes a byte.
    ///
    /// # Errors
    /// No byte is left.
    pub fn read_byte(&mut self) -> Result<u8, DamagedImage> {
        self.cursor.read_byte()
    }

    /// Takes a number, as [`Writer::write_number`] encodes it.
    ///
    /// # Errors
    /// The bytes do not encode a number.
    pub fn read_number(&mut self) -> Result<u64, DamagedImage> {
        self.cursor.read_number()
    }

    /// Takes the number of the items that follow, each of which takes at least one byte.
    ///
    /// # Errors
    /// Fewer bytes than items are left.
    pub fn count(&mut self) -> Result<usize, DamagedImage> {
        self.cursor.count()
    }

    /// Takes a length, and this many bytes to be decoded later.
    ///
    /// # Errors
    /// Fewer bytes are left.
    pub fn piece(&mut self) -> Result<EncodedPiece, DamagedImage> {
        let len = self.run()?.len();
        let end = self.all.len() - self.cursor.len();
        let (all, damage) = (self.all, self.damage);
        let make = || Arc::new(SharedBytes { bytes: all.into(), damage: damage.clone() });
        Ok(EncodedPiece::from_range(self.origin.get_or_insert_with(make), end - len, end))
    }

    /// Decodes the contents of a list or box with `take`, and limits the nesting. Every recursive type contains
    /// itself in a list or box.
    ///
    /// # Errors
    /// The contents are nested too deeply, or do not encode such a value.
    fn decode_nested<T>(&mut self, take: impl FnOnce(&mut Self) -> Result<T, DamagedImage>) -> Result<T, DamagedImage> {
        if self.depth == MAX_DEPTH {
            return Err(DamagedImage);
        }
        self.depth += 1;
        let taken = take(self);
        self.depth -= 1;
        taken
    }
}

impl Wire for bool {
    fn encode(&self, out: &mut Writer) {
        out.write_bytes(&[u8::from(*self)]);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        match input.read_byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(DamagedImage),
        }
    }
}

/// Implements `Wire` for unsigned numbers, encoded by [`Writer::write_number`].
macro_rules! unsigned {
    ($($number:ty),*) => {
        $(impl Wire for $number {
            fn encode(&self, out: &mut Writer) {
                out.write_number(u64::try_from(*self).unwrap_or(u64::MAX));
            }

            fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
                input.read_number()?.try_into().map_err(|_| DamagedImage)
            }
        })*
    };
}

unsigned!(u16, u32, usize);

/// A byte is encoded as itself, and a list of bytes is copied at once, which is fast: every hook decodes the content
/// of a file that has just changed.
impl Wire for u8 {
    fn encode(&self, out: &mut Writer) {
        out.write_bytes(&[*self]);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        input.read_byte()
    }

    fn encode_all(values: &[Self], out: &mut Writer) {
        out.write_bytes(values);
    }

    fn decode_all(count: usize, input: &mut Reader<'_>) -> Result<Vec<Self>, DamagedImage> {
        input.read_bytes(count).map(<[Self]>::to_vec)
    }
}

impl Wire for u64 {
    fn encode(&self, out: &mut Writer) {
        out.write_number(*self);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        input.read_number()
    }
}

/// Implements `Wire` for numbers with a fixed width.
macro_rules! fixed {
    ($($number:ty),*) => {
        $(impl Wire for $number {
            fn encode(&self, out: &mut Writer) {
                out.write_bytes(&self.to_le_bytes());
            }

            fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
                let bytes = input.read_bytes(size_of::<Self>())?;
                Ok(Self::from_le_bytes(bytes.try_into().map_err(|_| DamagedImage)?))
            }
        })*
    };
}

fixed!(i32, i64, f64);

impl Wire for String {
    fn encode(&self, out: &mut Writer) {
        out.run(self.as_bytes());
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        std::str::from_utf8(input.run()?).map(str::to_owned).map_err(|_| DamagedImage)
    }
}

impl Wire for Arc<str> {
    fn encode(&self, out: &mut Writer) {
        out.run(self.as_bytes());
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        String::decode(input).map(Self::from)
    }
}

impl Wire for PathBuf {
    fn encode(&self, out: &mut Writer) {
        let bytes = self.as_os_str().as_encoded_bytes();
        out.run(bytes);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        let text = name_of_bytes(input.run()?).ok_or(DamagedImage)?;
        Ok(Self::from(text))
    }
}

impl Wire for Duration {
    fn encode(&self, out: &mut Writer) {
        self.as_secs().encode(out);
        self.subsec_nanos().encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        let (seconds, nanos) = (u64::decode(input)?, u32::decode(input)?);
        if nanos < 1_000_000_000 { Ok(Self::new(seconds, nanos)) } else { Err(DamagedImage) }
    }
}

impl<T: Wire> Wire for Option<T> {
    fn encode(&self, out: &mut Writer) {
        self.is_some().encode(out);
        if let Some(value) = self {
            value.encode(out);
        }
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Ok(if bool::decode(input)? { Some(T::decode(input)?) } else { None })
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn encode(&self, out: &mut Writer) {
        out.count(self.len());
        T::encode_all(self, out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        let count = input.count()?;
        T::decode_all(count, input)
    }
}

impl Wire for Cow<'static, str> {
    fn encode(&self, out: &mut Writer) {
        self.clone().into_owned().encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        String::decode(input).map(Self::Owned)
    }
}

impl<T: Wire + Clone> Wire for Cow<'static, [T]> {
    fn encode(&self, out: &mut Writer) {
        self.to_vec().encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Vec::decode(input).map(Self::Owned)
    }
}

impl<K: Wire + Ord, V: Wire> Wire for BTreeMap<K, V> {
    fn encode(&self, out: &mut Writer) {
        out.count(self.len());
        for (key, value) in self {
            key.encode(out);
            value.encode(out);
        }
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Ok(Vec::<(K, V)>::decode(input)?.into_iter().collect())
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn encode(&self, out: &mut Writer) {
        self.0.encode(out);
        self.1.encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Ok((A::decode(input)?, B::decode(input)?))
    }
}

impl<T: Wire> Wire for Box<T> {
    fn encode(&self, out: &mut Writer) {
        (**self).encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        input.decode_nested(T::decode).map(Self::new)
    }
}

/// A shared value is encoded only where it first occurs, and is shared again after decoding. If it were encoded at
/// each occurrence, the size could grow exponentially.
impl<T: Wire + Send + Sync + 'static> Wire for Arc<T> {
    fn encode(&self, out: &mut Writer) {
        let address = Self::as_ptr(self).addr();
        if let Some(number) = out.shared.get(&address) {
            out.write_number(*number);
            return;
        }
        out.write_number(0);
        (**self).encode(out);
        // A value gets its number, counted from 1, when its encoding ends. Values are decoded in the same order, so
        // they get the same numbers.
        let number = u64::try_from(out.shared.len()).unwrap_or(u64::MAX).saturating_add(1);
        out.shared.insert(address, number);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        let number = usize::try_from(input.read_number()?).map_err(|_| DamagedImage)?;
        let Some(index) = number.checked_sub(1) else {
            let value = Self::new(input.decode_nested(T::decode)?);
            input.shared.push(value.clone());
            return Ok(value);
        };
        let shared = input.shared.get(index).cloned().ok_or(DamagedImage)?;
        shared.downcast().map_err(|_| DamagedImage)
    }
}

/// Implements `Wire` for a struct, by its fields in this order. A missing field does not compile.
macro_rules! wire_struct {
    ($name:ty { $($field:ident),* $(,)? }) => {
        impl $crate::wire::Wire for $name {
            fn encode(&self, out: &mut $crate::wire::Writer) {
                let Self { $($field),* } = self;
                $($field.encode(out);)*
            }

            fn decode(input: &mut $crate::wire::Reader<'_>) -> Result<Self, $crate::image::DamagedImage> {
                $(let $field = $crate::wire::Wire::decode(input)?;)*
                Ok(Self { $($field),* })
            }
        }
    };
}

/// Implements `Wire` for an enum, by a tag and the fields of the variant. A missing variant does not compile.
///
/// The inner functions keep the stack frame of a recursion small, because it then does not contain the fields of all
/// variants.
macro_rules! wire_enum {
    ($name:ident { $($tag:literal = $variant:ident $(($($tuple:ident),*))? $({ $($field:ident),* })?),* $(,)? }) => {
        impl $crate::wire::Wire for $name {
            fn encode(&self, out: &mut $crate::wire::Writer) {
                match self {
                    $(Self::$variant $(($($tuple),*))? $({ $($field),* })? => {
                        out.write_bytes(&[$tag]);
                        $($($tuple.encode(out);)*)?
                        $($($field.encode(out);)*)?
                    })*
                }
            }

            fn decode(input: &mut $crate::wire::Reader<'_>) -> Result<Self, $crate::image::DamagedImage> {
                match input.read_byte()? {
                    $($tag => {
                        #[inline(never)]
                        fn variant(_input: &mut $crate::wire::Reader<'_>) -> Result<$name, $crate::image::DamagedImage> {
                            $($(let $tuple = $crate::wire::Wire::decode(_input)?;)*)?
                            $($(let $field = $crate::wire::Wire::decode(_input)?;)*)?
                            Ok($name::$variant $(($($tuple),*))? $({ $($field),* })?)
                        }
                        variant(input)
                    })*
                    _ => Err($crate::image::DamagedImage),
                }
            }
        }
    };
}

pub(crate) use {wire_enum, wire_struct};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, PartialEq, Debug)]
    enum Tree {
        Leaf,
        Fork(Vec<Tree>),
        Shared(Arc<Tree>),
    }

    impl Wire for Tree {
        fn encode(&self, out: &mut Writer) {
            match self {
                Self::Leaf => out.write_bytes(&[0]),
                Self::Fork(inner) => {
                    out.write_bytes(&[1]);
                    inner.encode(out);
                }
                Self::Shared(inner) => {
                    out.write_bytes(&[2]);
                    inner.encode(out);
                }
            }
        }

        fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
            match input.read_byte()? {
                0 => Ok(Self::Leaf),
                1 => Vec::decode(input).map(Self::Fork),
                2 => Arc::decode(input).map(Self::Shared),
                _ => Err(DamagedImage),
            }
        }
    }

    #[test]
    fn what_is_shared_is_written_once_and_shared_again() {
        let mut tree = Arc::new(Tree::Leaf);
        for _ in 0..64 {
            tree = Arc::new(Tree::Fork(vec![Tree::Shared(tree.clone()), Tree::Shared(tree)]));
        }
        let bytes = to_bytes(&tree);
        assert!(bytes.len() < 1000, "{}", bytes.len());
        let mut read: Arc<Tree> = from_bytes(&bytes).unwrap();
        let mut depth = 0;
        while let Tree::Fork(inner) = &*read.clone() {
            let [Tree::Shared(left), Tree::Shared(right)] = inner.as_slice() else { panic!("{inner:?}") };
            assert!(Arc::ptr_eq(left, right));
            read = left.clone();
            depth += 1;
        }
        assert_eq!(depth, 64);
    }

    #[test]
    fn what_is_too_deep_is_damaged() {
        let deep = |levels: usize| [[1, 1].repeat(levels), vec![0]].concat();
        assert!(from_bytes::<Tree>(&deep(MAX_DEPTH)).is_ok());
        assert_eq!(from_bytes::<Tree>(&deep(MAX_DEPTH + 1)), Err(DamagedImage));
        assert_eq!(from_bytes::<Tree>(&deep(100_000)), Err(DamagedImage));
    }

    #[test]
    fn a_byte_takes_a_byte() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(to_bytes(&bytes).get(2..), Some(&bytes[..]));
        assert_eq!(from_bytes(&to_bytes(&0xff_u8)), Ok(0xff_u8));
    }

    #[test]
    fn a_count_that_is_a_lie_is_damaged() {
        let mut out = Writer::default();
        out.write_number(1 << 40);
        assert_eq!(from_bytes::<Vec<u8>>(&out.bytes), Err(DamagedImage));
        assert_eq!(from_bytes::<String>(&out.bytes), Err(DamagedImage));
        assert_eq!(from_bytes::<u8>(&[0xff; 12]), Err(DamagedImage));
        assert_eq!(from_bytes::<u8>(&[1, 1]), Err(DamagedImage));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            numbers: Vec<(u64, i64)>,
            bytes: Vec<u8>,
            text: Option<String>,
            map: BTreeMap<String, bool>,
            seconds: u64,
            float: f64,
        ) {
            prop_assert_eq!(from_bytes(&to_bytes(&numbers)), Ok(numbers));
            prop_assert_eq!(from_bytes(&to_bytes(&bytes)), Ok(bytes));
            prop_assert_eq!(from_bytes(&to_bytes(&text)), Ok(text));
            prop_assert_eq!(from_bytes(&to_bytes(&map)), Ok(map));
            let duration = Duration::new(seconds, 5);
            prop_assert_eq!(from_bytes(&to_bytes(&duration)), Ok(duration));
            let read: f64 = from_bytes(&to_bytes(&float)).unwrap();
            prop_assert_eq!(read.to_bits(), float.to_bits());
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>) {
            let _any = from_bytes::<Vec<(String, Option<u32>)>>(&bytes);
            let _any = from_bytes::<Tree>(&bytes);
        }
    }
}
