//! Compiles texts of conditions in which values are filled in: `file_exists "plans/{session_id}"`.

use super::ConditionCompiler;
use crate::compile::field::{self, TypedReference};
use crate::compile::names::ScopedValue;
use crate::diagnostic::{Code, Diagnostic, nearest_name};
use crate::ruleset::{Template, TemplatePart};
use crate::syntax::ast::{FieldName, Placeholder, StringLiteral, ValueKind};

impl<'a> ConditionCompiler<'_, 'a> {
    /// Compiles a file's name with placeholders; `None` for a value without any.
    pub(super) fn file_name(&mut self, value: ScopedValue<'a>) -> Option<Template> {
        let ValueKind::Text(text) = &value.value.kind else { return None };
        let base = self.names.base(value.file);
        let filled = self.filled_parts(value.file, text);
        (!filled.is_empty()).then(|| {
            let mut parts = Vec::new();
            let mut at = 0;
            for (placeholder, typed) in filled {
                let before = text.value.get(at..placeholder.range.start).unwrap_or_default();
                // The directory of the policy is in front of a relative name, which may begin with a value.
                let before = if at == 0 { base.in_session(before).into_owned() } else { before.to_owned() };
                parts.push(TemplatePart::Text(before));
                parts.push(TemplatePart::Value(typed.source));
                at = placeholder.range.end;
            }
            parts.push(TemplatePart::Text(text.value.get(at..).unwrap_or_default().to_owned()));
            parts.retain(|part| !matches!(part, TemplatePart::Text(text) if text.is_empty()));
            Template { parts }
        })
    }

    /// Returns the placeholders of a text that name a field or a fact. Reports a single word that names none, and
    /// leaves every other brace as it is.
    fn filled_parts(&mut self, file: usize, text: &'a StringLiteral) -> Vec<(&'a Placeholder, TypedReference)> {
        let mut filled = Vec::new();
        for placeholder in &text.placeholders {
            let names = self.names;
            match self.resolve_value(&placeholder.name, &|| names.visible_names(file)) {
                Ok(typed) => {
                    self.note_reference(&typed);
                    filled.push((placeholder, typed));
                }
                // Without events, no field is known, and the mistake in the head has been reported.
                Err(_) if self.head.events.is_empty() => {}
                Err(error) => self.report_unfilled(file, placeholder, &error),
            }
        }
        filled
    }

    /// Resolves the name of a placeholder as a field or a fact.
    fn resolve_value(
        &self,
        name: &FieldName,
        visible: field::VisibleNames<'_>,
    ) -> Result<TypedReference, Box<Diagnostic>> {
        match self.in_where {
            true => field::resolve_where(name),
            false => field::resolve(name, self.head, visible),
        }
    }

    /// Reports `push_target == "{git.branch}"`: a field that is compared needs neither quotes nor braces.
    pub(super) fn report_value_in_text(&mut self, value: ScopedValue<'a>) {
        let ValueKind::Text(text) = &value.value.kind else { return };
        let [placeholder] = text.placeholders.as_slice() else { return };
        if placeholder.range != (0..text.value.len()) || self.resolve_value(&placeholder.name, &Vec::new).is_err() {
            return;
        }
        let name = placeholder.name.text();
        let found =
            Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("nothing fills in `{{{name}}}` in a comparison"))
                .label(text.span, "the braces and the word, as a text")
                .help(format!("write `{name}`, or `\\{{{name}}}` for the braces themselves"))
                .fix_that_changes(text.span, name);
        if !self.diagnostics.contains(&found) {
            self.diagnostics.push(found);
        }
    }

    /// Reports a brace in a condition whose word is no field.
    fn report_unfilled(&mut self, file: usize, placeholder: &Placeholder, error: &Diagnostic) {
        let Some(word) = placeholder.name.as_single_name() else { return };
        if self.names.may_be_unparsed(file, &word.text) || self.names.account.charge_unknown(word.span).is_none() {
            return;
        }
        let text = &word.text;
        let found = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("nothing fills in `{{{text}}}`"))
            .label(word.span, "not a field: the braces are part of the name");
        let is_let = self.names.definition(file, text).is_some();
        let near = error.fix.as_ref().map(|fix| fix.replacement.clone());
        let near = near.or_else(|| nearest_name(text, ["session_id", "agent"]).map(str::to_owned));
        let found = match near {
            _ if is_let => found.help("only fields and facts are filled in: write the text of the `let` here"),
            Some(near) => found.help(format!("a field named `{near}` exists")).fix(word.span, near),
            None => found.help(format!("name a field, or write `\\{{{text}}}` for the braces themselves")),
        };
        // A definition is compiled once for each head that uses it.
        if !self.diagnostics.contains(&found) {
            self.diagnostics.push(found);
        }
    }
}
