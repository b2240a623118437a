//! Numbers the types in the table, so that a compiled policy can refer to a type by its number.

use std::sync::OnceLock;

use super::{BASE_FIELDS, EVENTS, Field, FieldType, TOOLS};

/// The types by their numbers, collected at the first use.
static TYPES: OnceLock<Vec<FieldType>> = OnceLock::new();

/// Returns every type in the table, including nested types, always in the same order.
fn numbered_types() -> &'static [FieldType] {
    TYPES.get_or_init(|| {
        let mut types = Vec::new();
        let events = EVENTS.iter().map(|event| event.fields);
        let tools = TOOLS.iter().map(|tool| tool.input);
        std::iter::once(BASE_FIELDS).chain(events).chain(tools).for_each(|fields| collect_types(fields, &mut types));
        types
    })
}

/// Adds the types of some fields, and the types of elements and members within them.
fn collect_types(fields: &[Field], types: &mut Vec<FieldType>) {
    for field in fields {
        let mut ty = field.ty;
        types.push(ty);
        while let FieldType::List(inner) = ty {
            ty = *inner;
            types.push(ty);
        }
        if let FieldType::Object(members) = ty {
            collect_types(members, types);
        }
    }
}

impl FieldType {
    /// Returns the number of the type; `None` if it is not in the table.
    #[must_use]
    pub fn number(self) -> Option<usize> {
        numbered_types().iter().position(|ty| *ty == self)
    }

    /// Returns the type with a number; `None` if there is none.
    #[must_use]
    pub fn from_number(number: usize) -> Option<Self> {
        numbered_types().get(number).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_number() {
        for ty in numbered_types() {
            assert_eq!(ty.number().and_then(FieldType::from_number), Some(*ty));
        }
        assert!(numbered_types().iter().any(|ty| matches!(ty, FieldType::Enum(_))));
        assert_eq!(FieldType::from_number(numbered_types().len()), None);
        assert_eq!(FieldType::Enum(&["in no table"]).number(), None);
    }
}
