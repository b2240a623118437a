//! Texts in conditions whose placeholders are replaced by values of the event: `file_exists "plans/{session_id}"`.

use std::borrow::Cow;

use super::{Context, PathForm, Reason, Scalar};
use crate::ruleset::{FilledGlobs, Template, TemplatePart, ValueReference};
use hookrules_shell::path::escape_glob;

/// The maximum number of texts that one template makes: one for each combination of the values of its placeholders.
const MAX_TEXTS: usize = 64;

/// The maximum length of a value that replaces a placeholder in a path, in bytes: the longest file name that file
/// systems allow.
const MAX_COMPONENT_BYTES: usize = 255;

impl Context<'_> {
    /// Returns a file name for each combination of the values of the placeholders; none if a placeholder has no
    /// value.
    pub(super) fn filled_names(&self, template: &Template, form: PathForm) -> Result<Vec<String>, Reason> {
        let values = self.combinations(template.references(), form, component)?;
        Ok(values.iter().map(|values| values.fill(template)).collect())
    }

    /// Returns a path for each combination of the values of the placeholders; none if a placeholder has no value.
    pub(super) fn filled_paths(&self, template: &Template, form: PathForm) -> Result<Vec<String>, Reason> {
        let values = self.combinations(template.references(), form, literal_component)?;
        // A value at the beginning is always a file name, even `~`.
        let prefix = if matches!(template.parts.first(), Some(TemplatePart::Value(_))) { "./" } else { "" };
        Ok(values.iter().map(|values| format!("{prefix}{}", values.fill(template))).collect())
    }

    /// Returns a list of globs for each combination of the values of the placeholders in the list; none if a
    /// placeholder has no value.
    pub fn filled_globs(&self, globs: &FilledGlobs, form: PathForm) -> Result<Vec<Vec<String>>, Reason> {
        let literal = |value: &Scalar<'_>| literal_component(value).map(|text| escape_glob(&text));
        let values = self.combinations(globs.references(), form, literal)?;
        let list = |values: &Combination<'_>| globs.globs.iter().map(|glob| values.fill(&glob.pattern)).collect();
        Ok(values.iter().map(list).collect())
    }

    /// Returns each combination of the values of some references, as texts that `as_text` makes. Equal references
    /// have equal values.
    fn combinations<'r>(
        &self,
        references: impl Iterator<Item = &'r ValueReference>,
        form: PathForm,
        as_text: impl Fn(&Scalar<'_>) -> Result<String, Reason>,
    ) -> Result<Vec<Combination<'r>>, Reason> {
        let mut combinations = vec![Combination(Vec::new())];
        let mut seen: Vec<&ValueReference> = Vec::new();
        for reference in references {
            if seen.iter().any(|seen| seen.is_same(reference)) {
                continue;
            }
            seen.push(reference);
            let texts = self.lookup(reference, form)?.iter().map(&as_text).collect::<Result<Vec<_>, _>>()?;
            if combinations.len().saturating_mul(texts.len()) > MAX_TEXTS {
                return Err(Reason::too_many_values(MAX_TEXTS));
            }
            let extended = |combination: &Combination<'r>| {
                texts.iter().map(|text| combination.with(reference, text)).collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(extended).collect();
        }
        Ok(combinations)
    }
}

/// One value for each reference of a template, as a text.
struct Combination<'r>(Vec<(&'r ValueReference, String)>);

impl<'r> Combination<'r> {
    /// Returns the combination with a value for one more reference.
    fn with(&self, reference: &'r ValueReference, text: &str) -> Self {
        Self(self.0.iter().cloned().chain([(reference, text.to_owned())]).collect())
    }

    /// Replaces the placeholders of a template by the values.
    fn fill(&self, template: &Template) -> String {
        let text = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => Cow::from(text.clone()),
            TemplatePart::Value(source) | TemplatePart::Component(source) => {
                let value = self.0.iter().find(|(reference, _)| reference.is_same(source));
                value.map_or(Cow::from(""), |(_, text)| text.clone().into())
            }
        };
        template.parts.iter().map(text).collect()
    }
}

/// Returns a value as the name of one file, unchanged. `Err` if it is empty, too long, `.` or `..`, has a slash, or
/// is a word of which a part is unknown.
fn literal_component(value: &Scalar<'_>) -> Result<String, Reason> {
    let text = match value {
        Scalar::PartlyKnown(word) => {
            return Err(Reason::of_word(word));
        }
        value => value.show(),
    };
    let is_component = !matches!(text.as_str(), "" | "." | "..") && !text.contains(['/', '\\', '\0']);
    match is_component && text.len() <= MAX_COMPONENT_BYTES && !matches!(value, Scalar::Object(_) | Scalar::AtLeast(..))
    {
        true => Ok(text),
        false => Err(Reason::no_component(&text)),
    }
}

/// Returns a value as the name of one file, with other characters replaced. `Err` for a word of which a part is
/// unknown.
fn component(value: &Scalar<'_>) -> Result<String, Reason> {
    match value {
        Scalar::PartlyKnown(word) => Err(Reason::of_word(word)),
        value => Ok(path_component(&value.show())),
    }
}

/// Converts a value to a single path component of at most 128 characters, which cannot leave its directory and does
/// not begin with a dot.
#[must_use]
pub fn path_component(text: &str) -> String {
    let safe = text.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' });
    let safe: String = safe.take(128).collect();
    match safe.trim_start_matches('.') {
        "" => "_".to_owned(),
        rest => rest.to_owned(),
    }
}
