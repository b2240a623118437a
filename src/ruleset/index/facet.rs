//! The facets of a call, such as its programs or the texts of a field, and their encoding in an image.

use crate::image::DamagedImage;
use crate::ruleset::{DerivedField, ValueReference};
use crate::schema::FieldType;
use crate::syntax::ast::FileVerb;

/// A facet of a call: the kind of values that an atom is about, such as the names of its programs.
#[derive(Clone, Debug)]
pub(super) enum CallFacet {
    /// The subject, which the selectors of `on` match.
    Subject,
    /// The acting agent, which the selectors of `by` match.
    Agent,
    /// The names of the programs that the call runs.
    Programs,
    /// The words that the call runs a program with, together with the program: `git push`.
    Words,
    /// The name of a program that the call certainly runs.
    Leading,
    /// The paths of the files that the call reads, writes, deletes or sends.
    Touched(FileVerb),
    /// The hosts that the call connects to.
    Connected,
    /// The values of a field.
    Field(ValueReference),
}

/// The derived fields that can be facets: their values depend only on the payload.
const DERIVED: &[DerivedField] = &[
    DerivedField::Event,
    DerivedField::Agent,
    DerivedField::Host,
    DerivedField::ToolName,
    DerivedField::Path,
    DerivedField::Content,
    DerivedField::Command,
    DerivedField::Url,
    DerivedField::Domain,
    DerivedField::AgentType,
];

/// The maximum number of names in the path of a field.
const MAX_NAMES: usize = 16;

impl CallFacet {
    /// Creates the facet of a field; `None` if its values depend on more than the payload, because an index must read
    /// nothing else.
    pub(super) fn field(source: &ValueReference) -> Option<Self> {
        let fits = match source {
            ValueReference::Raw { path, .. } => path.len() <= MAX_NAMES && path.iter().all(|name| name.len() <= 255),
            ValueReference::Derived(derived) => DERIVED.contains(derived),
            _ => false,
        };
        fits.then(|| Self::Field(source.clone()))
    }

    /// Whether the texts of the facet are paths.
    pub(super) fn is_path(&self) -> bool {
        match self {
            Self::Touched(_) | Self::Field(ValueReference::Derived(DerivedField::Path)) => true,
            Self::Field(ValueReference::Raw { ty, .. }) => {
                matches!(ty, FieldType::Path | FieldType::List(FieldType::Path))
            }
            _ => false,
        }
    }

    /// Whether nearly every call has a value of the facet, so that its presence selects nothing.
    pub(super) fn is_always_there(&self) -> bool {
        match self {
            Self::Subject | Self::Agent => true,
            Self::Programs | Self::Words | Self::Leading | Self::Touched(_) | Self::Connected => false,
            Self::Field(source) => !matches!(source, ValueReference::Derived(derived) if Self::CALLS.contains(derived)),
        }
    }

    /// The derived fields that only calls of some tools have.
    const CALLS: &[DerivedField] =
        &[DerivedField::Path, DerivedField::Content, DerivedField::Command, DerivedField::Url, DerivedField::Domain];

    /// Whether it is expensive to determine a call's values: a shell command may have to be analysed.
    pub(super) fn is_costly(&self) -> bool {
        matches!(self, Self::Programs | Self::Words | Self::Leading | Self::Touched(_) | Self::Connected)
    }

    /// Returns how often, by experience, a call has an atom of this facet that a rule requires. Higher is more often;
    /// only the proportions count.
    pub(super) fn frequency_weight(&self) -> u64 {
        match self {
            // Every call has one, and there are few different ones.
            Self::Subject | Self::Agent => 1 << 16,
            Self::Programs | Self::Leading => 8,
            Self::Touched(_) | Self::Connected | Self::Field(_) => 4,
            // A word counts only for calls that also run its program.
            Self::Words => 2,
        }
    }

    /// Appends the encoded facet. A value that cannot occur is encoded as a byte that cannot be decoded.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        let position = |of: Option<usize>| of.and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX);
        let length = |of: usize| u8::try_from(of).unwrap_or(u8::MAX);
        match self {
            Self::Subject => out.push(0),
            Self::Agent => out.push(1),
            Self::Programs => out.push(2),
            Self::Leading => out.push(3),
            Self::Touched(verb) => out.extend([4, position(FileVerb::ALL.iter().position(|other| other == verb))]),
            Self::Field(ValueReference::Derived(derived)) => {
                out.extend([5, position(DERIVED.iter().position(|other| other == derived))]);
            }
            Self::Field(ValueReference::Raw { path, ty }) => {
                let class = match ty {
                    FieldType::Path | FieldType::List(FieldType::Path) => 2,
                    FieldType::String | FieldType::List(FieldType::String) => 1,
                    _ => 0,
                };
                out.extend([6, class, length(path.len())]);
                for name in path {
                    out.push(length(name.len()));
                    out.extend_from_slice(name.as_bytes());
                }
            }
            Self::Words => out.push(7),
            Self::Connected => out.push(8),
            Self::Field(_) => out.push(u8::MAX),
        }
    }

    /// Decodes a facet from the beginning of the bytes. Also returns the rest.
    pub(super) fn decode<'b>(bytes: &'b [u8]) -> Result<(Self, &'b [u8]), DamagedImage> {
        let byte =
            |bytes: &'b [u8]| bytes.split_first().map(|(first, rest)| (usize::from(*first), rest)).ok_or(DamagedImage);
        let (tag, rest) = byte(bytes)?;
        Ok(match tag {
            0 => (Self::Subject, rest),
            1 => (Self::Agent, rest),
            2 => (Self::Programs, rest),
            3 => (Self::Leading, rest),
            4 => {
                let (at, rest) = byte(rest)?;
                (Self::Touched(*FileVerb::ALL.get(at).ok_or(DamagedImage)?), rest)
            }
            5 => {
                let (at, rest) = byte(rest)?;
                (Self::Field(ValueReference::Derived(*DERIVED.get(at).ok_or(DamagedImage)?)), rest)
            }
            6 => {
                let (class, rest) = byte(rest)?;
                // Looking up a member depends on nothing else of its type.
                let ty = match class {
                    0 => FieldType::Any,
                    1 => FieldType::String,
                    2 => FieldType::Path,
                    _ => return Err(DamagedImage),
                };
                let (count, mut rest) = byte(rest)?;
                let mut path = Vec::new();
                for _ in 0..count {
                    let (length, after) = byte(rest)?;
                    let (name, after) = after.split_at_checked(length).ok_or(DamagedImage)?;
                    path.push(std::str::from_utf8(name).map_err(|_| DamagedImage)?.to_owned());
                    rest = after;
                }
                (Self::Field(ValueReference::Raw { path, ty }), rest)
            }
            7 => (Self::Words, rest),
            8 => (Self::Connected, rest),
            _ => return Err(DamagedImage),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        let raw = |path: &[&str], ty| {
            CallFacet::Field(ValueReference::Raw { path: path.iter().map(|s| (*s).to_owned()).collect(), ty })
        };
        let mut facets = vec![CallFacet::Subject, CallFacet::Agent, CallFacet::Programs];
        facets.extend([CallFacet::Words, CallFacet::Leading, CallFacet::Connected]);
        facets.extend(FileVerb::ALL.map(CallFacet::Touched));
        facets.extend(DERIVED.iter().map(|derived| CallFacet::Field(ValueReference::Derived(*derived))));
        facets.extend([
            raw(&["tool_input", "é"], FieldType::String),
            raw(&["cwd"], FieldType::Path),
            raw(&["n"], FieldType::Any),
        ]);
        let mut bytes = Vec::new();
        facets.iter().for_each(|facet| facet.encode(&mut bytes));
        let mut rest = bytes.as_slice();
        for facet in &facets {
            let (read, behind) = CallFacet::decode(rest).unwrap();
            assert_eq!(format!("{read:?}"), format!("{facet:?}"));
            rest = behind;
        }
        assert!(rest.is_empty());
        for end in 0..bytes.len() {
            let mut rest = bytes.get(..end).unwrap();
            while let Ok((_, behind)) = CallFacet::decode(rest) {
                rest = behind;
            }
        }
    }
}
