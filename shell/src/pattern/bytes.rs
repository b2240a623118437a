//! The encoding of parsed patterns as bytes, so that nothing is parsed again.
//!
//! A new field or variant must be added here: the patterns below name every field, so that the compiler reports a
//! missing one.

use crate::bytes::{
    ByteReader, Encodable, decode_all, decode_option, encode_all, encode_count, encode_option, encode_text,
};
use crate::glob::{Glob, GlobForm, GlobToken};
use crate::programs::Programs;

use super::{FlagSpelling, Looks, Pattern, PatternEnd, PatternFlag, PatternOperand, Presence, ProgramPlace};

impl Pattern {
    /// Appends the encoded pattern to `out`, without the records of its programs.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let Self { text, added: _, programs, place: _, front, after_dashes, flags, end } = self;
        encode_all(programs, out);
        encode_option(self.project_directory(), encode_text, out);
        encode_all(front, out);
        encode_option(after_dashes.as_ref(), |operands, out| encode_all(operands, out), out);
        encode_all(flags, out);
        out.push(match end {
            PatternEnd::Open => 0,
            PatternEnd::Anything => 1,
            PatternEnd::Nothing => 2,
            PatternEnd::Looks(Looks::All) => 3,
            PatternEnd::Looks(Looks::Reading) => 4,
        });
        text.encode(out);
    }

    /// Decodes a pattern from exactly these bytes; `None` if they are malformed. `added` are the records of its
    /// programs.
    #[must_use]
    pub fn decode(bytes: &[u8], added: Programs) -> Option<Self> {
        let input = &mut ByteReader::new(bytes);
        let programs = decode_all(input)?;
        let directory = decode_option(input, String::decode)?;
        let place = directory.map_or(ProgramPlace::Installed, ProgramPlace::Project);
        let front: Vec<PatternOperand> = decode_all(input)?;
        let after_dashes: Option<Vec<PatternOperand>> = decode_option(input, decode_all)?;
        let flags: Vec<PatternFlag> = decode_all(input)?;
        let end = match input.take_byte()? {
            0 => PatternEnd::Open,
            1 => PatternEnd::Anything,
            2 => PatternEnd::Nothing,
            3 => PatternEnd::Looks(Looks::All),
            4 => PatternEnd::Looks(Looks::Reading),
            _ => return None,
        };
        let text = String::decode(input)?;
        let mut operands = front.iter().chain(after_dashes.iter().flatten());
        let is_sound = operands.all(|operand| operand.preceding_flag.is_none_or(|at| at < flags.len()));
        let pattern = Self { text, added, programs, place, front, after_dashes, flags, end };
        (is_sound && input.is_empty()).then_some(pattern)
    }
}

impl Encodable for PatternOperand {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { alternatives, preceding_flag } = self;
        encode_all(alternatives, out);
        encode_option(*preceding_flag, encode_count, out);
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self { alternatives: decode_all(input)?, preceding_flag: decode_option(input, |input| input.size())? })
    }
}

impl Encodable for PatternFlag {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { presence, alternatives } = self;
        out.push(match presence {
            Presence::Given => 0,
            Presence::Absent => 1,
        });
        encode_all(alternatives, out);
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        let presence = match input.take_byte()? {
            0 => Presence::Given,
            1 => Presence::Absent,
            _ => return None,
        };
        Some(Self { presence, alternatives: decode_all(input)? })
    }
}

impl Encodable for FlagSpelling {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { name, glob, value, precedes_operands, operands_before, plain_before } = self;
        name.encode(out);
        encode_option(glob.as_ref(), Glob::encode, out);
        encode_option(value.as_ref(), Glob::encode, out);
        precedes_operands.encode(out);
        out.extend([*operands_before, *plain_before]);
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self {
            name: String::decode(input)?,
            glob: decode_option(input, Glob::decode)?,
            value: decode_option(input, Glob::decode)?,
            precedes_operands: bool::decode(input)?,
            operands_before: input.take_byte()?,
            plain_before: input.take_byte()?,
        })
    }
}

impl Encodable for Glob {
    fn encode(&self, out: &mut Vec<u8>) {
        match self.form() {
            GlobForm::Text(text) => {
                out.push(0);
                text.encode(out);
            }
            GlobForm::Wild(tokens) => {
                out.push(1);
                encode_all(tokens, out);
            }
        }
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        match input.take_byte()? {
            0 => String::decode(input).map(Self::from_text),
            1 => decode_all(input).map(Self::from_tokens),
            _ => None,
        }
    }
}

impl Encodable for GlobToken {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Char(c) => {
                out.push(0);
                c.encode(out);
            }
            Self::One => out.push(1),
            Self::Many => out.push(2),
            Self::Class(class) => {
                out.push(3);
                class.encode(out);
            }
        }
    }

    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        Some(match input.take_byte()? {
            0 => Self::Char(char::decode(input)?),
            1 => Self::One,
            2 => Self::Many,
            3 => Self::Class(Encodable::decode(input)?),
            _ => return None,
        })
    }
}
