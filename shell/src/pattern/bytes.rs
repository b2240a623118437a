//! The encoding of a pattern as bytes: its parsed words, so that nothing is parsed again.
//!
//! A new field or variant must be added here: without it, this does not compile.

use crate::bytes::{Bytes, Input, put_all, put_count, put_option, take_all, take_option};
use crate::glob::{Form, Glob, Token};
use crate::programs::Programs;

use super::{End, Flag, Operand, Pattern, Presence, Spelled};

impl Pattern {
    /// Appends the pattern as bytes, without the records of its programs.
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

    /// Reads a pattern that takes up all of the bytes; `None` if they are malformed.
    #[must_use]
    pub fn take(bytes: &[u8], added: Programs) -> Option<Self> {
        let input = &mut Input::new(bytes);
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
        (is_sound && input.is_empty()).then_some(pattern)
    }
}

impl Bytes for Operand {
    fn put(&self, out: &mut Vec<u8>) {
        let Self { alternatives, behind } = self;
        put_all(alternatives, out);
        put_option(*behind, put_count, out);
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        Some(Self { alternatives: take_all(input)?, behind: take_option(input, |input| input.size())? })
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
                out.push(3);
                class.put(out);
            }
        }
    }

    fn take(input: &mut Input<'_>) -> Option<Self> {
        Some(match input.byte()? {
            0 => Self::Char(char::take(input)?),
            1 => Self::One,
            2 => Self::Many,
            3 => Self::Class(Bytes::take(input)?),
            _ => return None,
        })
    }
}
