//! Numbers for the types in the table, so that a compiled policy can refer to them.

use std::sync::OnceLock;

use super::{BASE_FIELDS, EVENTS, Field, TOOLS, Type};

static TYPES: OnceLock<Vec<Type>> = OnceLock::new();

/// Returns every type in the table, including nested ones, always in the same order.
fn types() -> &'static [Type] {
    TYPES.get_or_init(|| {
        let mut types = Vec::new();
        let events = EVENTS.iter().map(|event| event.fields);
        let tools = TOOLS.iter().map(|tool| tool.input);
        std::iter::once(BASE_FIELDS).chain(events).chain(tools).for_each(|fields| of_fields(fields, &mut types));
        types
    })
}

fn of_fields(fields: &[Field], types: &mut Vec<Type>) {
    for field in fields {
        let mut ty = field.ty;
        types.push(ty);
        while let Type::List(inner) = ty {
            ty = *inner;
            types.push(ty);
        }
        if let Type::Object(members) = ty {
            of_fields(members, types);
        }
    }
}

impl Type {
    /// Returns the number of a type, if it is in the table.
    #[must_use]
    pub fn number(self) -> Option<usize> {
        types().iter().position(|ty| *ty == self)
    }

    /// Returns the type with a number.
    #[must_use]
    pub fn of_number(number: usize) -> Option<Self> {
        types().get(number).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_has_a_number() {
        for ty in types() {
            assert_eq!(ty.number().and_then(Type::of_number), Some(*ty));
        }
        assert!(types().iter().any(|ty| matches!(ty, Type::Enum(_))));
        assert_eq!(Type::of_number(types().len()), None);
        assert_eq!(Type::Enum(&["in no table"]).number(), None);
    }
}
