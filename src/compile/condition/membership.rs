//! Compiles `in`: the list on its right side.

use super::foreign::bare_texts;
use super::{ConditionCompiler, misfits};
use crate::compile::names::ScopedValue;
use crate::compile::values;
use crate::ruleset::{PolicyValue, ValueTest};
use crate::schema::FieldType;
use crate::syntax::ast::{self, ValueKind};

impl<'a> ConditionCompiler<'_, 'a> {
    /// Compiles the right side of `in`: a list, or a field whose value is a list.
    pub(super) fn membership(
        &mut self,
        compare: &'a ast::AstComparison,
        name: &str,
        ty: FieldType,
        scoped: ScopedValue<'a>,
    ) -> Option<ValueTest> {
        let followed = self.names.resolve_lets(scoped, self.diagnostics);
        match &followed.value.kind {
            ValueKind::List(_) => {}
            // A field whose value is a list.
            ValueKind::Name(_) | ValueKind::JsonPath(_) => {
                let value = self.single_value(scoped)?.0;
                let Some(found) = misfits::membership_in_directory(compare, name, &value) else {
                    return Some(ValueTest::In(vec![value].into()));
                };
                self.diagnostics.push(found);
                return None;
            }
            _ => {
                self.diagnostics.push(misfits::not_a_list(name, followed.value));
                return None;
            }
        }
        let elements = self.names.elements(followed, self.diagnostics);
        if values::is_literally_empty(scoped.value) {
            self.diagnostics.push(values::empty_list(scoped.value.span));
            return None;
        }
        if !self.compares_days
            && let Some(found) = bare_texts(followed, self.head, self.names, self.in_where)
        {
            self.diagnostics.push(found);
            return None;
        }
        let compiled: Vec<Option<PolicyValue>> =
            elements.into_iter().map(|element| self.checked_value(name, ty, element)).collect();
        Some(ValueTest::In(compiled.into_iter().collect::<Option<Vec<PolicyValue>>>()?.into()))
    }
}
