//! A pattern as bytes, and back: the words that were read, so that nothing is parsed again.
//!
//! The form is compact and not self-describing. Nothing here trusts a byte: what no pattern could have written is none.
//! A new field or variant must be added here: otherwise this does not compile.

use crate::glob::{Form, Glob, Token};
use crate::path::Class;
use crate::programs::Programs;

use super::{End, Flag, Operand, Pattern, Presence, Spelled};

impl Pattern {
    /// Appends the pattern as bytes, without the records that its programs are read by.
    pub fn put(&self, out: &mut Vec<u8>) {
        let Self { text, added: _, programs, front, behind, flags, end } = self;
        put_all(programs, out);
        put_all(front, out);
        put_option(behind.as_ref(), |behind, out| put_all(behind, out), out);
        put_all(flags, out);
        out.push(match end {
            End::Open => 0,
            End::Anything => 1,
            End::Nothing => 2,
        });
        text.put(out);
    }

    /// Reads a pattern that takes all of the bytes; nothing where they are none.
    #[must_use]
    pub fn take(bytes: &[u8], added: Programs) -> Option<Self> {
        let input = &mut Input { rest: bytes };
        let programs = take_all(input)?;
        let front: Vec<Operand> = take_all(input)?;
        let behind: Option<Vec<Operand>> = take_option(input, take_all)?;
        let flags: Vec<Flag> = take_all(input)?;
        let end = match input.byte()? {
            0 => End::Open,
            1 => End::Anything,
            2 => End::Nothing,
            _ => return None,
        };
        let text = String::take(input)?;
        let mut operands = front.iter().chain(behind.iter().flatten());
        let is_sound = operands.all(|operand| operand.behind.is_none_or(|at| at < flags.len()));
        let pattern = Self { text, added, programs, front, behind, flags, end };
        (is_sound && input.rest.is_empty()).then_some(pattern)
    }
}

/// Where bytes are read from.
struct Input<'b> {
    rest: &'b [u8],
}

/// What a pattern is made of.
trait Bytes: Sized {
    fn put(&self, out: &mut Vec<u8>);

    fn take(input: &mut Input<'_>) -> Option<Self>;
}

impl<'b> Input<'b> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// Takes how many there are of something that takes a byte at least: never more than there are bytes.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.rest.len()).then_some(count)
    }

    fn raw(&mut self, len: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }
}

/// Appends a number, small ones in one byte.
fn put_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// Appends a count. The limits of a file keep it small; one that is not could not be read again.
fn put_count(count: usize, out: &mut Vec<u8>) {
    put_number(u32::try_from(count).unwrap_or(u32::MAX), out);
}

fn put_all(values: &[impl Bytes], out: &mut Vec<u8>) {
    put_count(values.len(), out);
    values.iter().for_each(|value| value.put(out));
}

fn take_all<T: Bytes>(input: &mut Input<'_>) -> Option<Vec<T>> {
    let count = input.count()?;
    // What a count that is a lie would take is not set aside before.
    let mut values = Vec::with_capacity(count.min(64));
    for _ in 0..count {
        values.push(T::take(input)?);
    }
    Some(values)
}

fn put_option<T>(value: Option<T>, put: impl FnOnce(T, &mut Vec<u8>), out: &mut Vec<u8>) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        put(value, out);
    }
}

fn take_option<T>(input: &mut Input<'_>, take: impl FnOnce(&mut Input<'_>) -> Option<T>) -> Option<Option<T>> {
    match input.byte()? {
        0 => Some(None),
        1 => take(input).map(Some),
        _ => None,
    }
}

impl Bytes for String {
    fn put(&self, out: &mut Vec<u8>) {
        put_count(self.len(), out);
        out.extend_from_slice(self.as_bytes());
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        let len = input.count()?;
        std::str::from_utf8(input.raw(len)?).ok().map(str::to_owned)
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

impl Bytes for Operand {
    fn put(&self, out: &mut Vec<u8>) {
        let Self { alternatives, behind } = self;
        put_all(alternatives, out);
        put_option(*behind, put_count, out);
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        let number = |input: &mut Input<'_>| usize::try_from(input.number()?).ok();
        Some(Self { alternatives: take_all(input)?, behind: take_option(input, number)? })
    }
}

impl Bytes for Flag {
    fn put(&self, out: &mut Vec<u8>) {
        let Self { presence, alternatives } = self;
        out.push(match presence {
            Presence::Given => 0,
            Presence::Absent => 1,
        });
        put_all(alternatives, out);
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        let presence = match input.byte()? {
            0 => Presence::Given,
            1 => Presence::Absent,
            _ => return None,
        };
        Some(Self { presence, alternatives: take_all(input)? })
    }
}

impl Bytes for Spelled {
    fn put(&self, out: &mut Vec<u8>) {
        let Self { name, glob, value, leads } = self;
        name.put(out);
        put_option(glob.as_ref(), Glob::put, out);
        put_option(value.as_ref(), Glob::put, out);
        leads.put(out);
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        Some(Self {
            name: String::take(input)?,
            glob: take_option(input, Glob::take)?,
            value: take_option(input, Glob::take)?,
            leads: bool::take(input)?,
        })
    }
}

impl Bytes for Glob {
    fn put(&self, out: &mut Vec<u8>) {
        match self.form() {
            Form::Text(text) => {
                out.push(0);
                text.put(out);
            }
            Form::Wild(tokens) => {
                out.push(1);
                put_all(tokens, out);
            }
        }
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        match input.byte()? {
            0 => String::take(input).map(Self::of_text),
            1 => take_all(input).map(Self::of),
            _ => None,
        }
    }
}

impl Bytes for Token {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Char(c) => {
                out.push(0);
                c.put(out);
            }
            Self::One => out.push(1),
            Self::Many => out.push(2),
            Self::Class(class) => {
                let (negated, folds, ranges) = class.parts();
                out.push(3);
                negated.put(out);
                folds.put(out);
                put_all(ranges, out);
            }
        }
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        Some(match input.byte()? {
            0 => Self::Char(char::take(input)?),
            1 => Self::One,
            2 => Self::Many,
            3 => Self::Class(Class::of(bool::take(input)?, bool::take(input)?, take_all(input)?)),
            _ => return None,
        })
    }
}
