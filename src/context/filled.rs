//! Texts in conditions that are filled in with values of the event: `file_exists "plans/{session_id}"`.

use std::borrow::Cow;

use super::{Context, PathForm, Reason, Scalar};
use crate::ruleset::{FilledGlobs, Template, TemplatePart, ValueReference};
use hookrules_shell::path::escape_glob;

/// The most texts that the values of one template make.
const MOST: usize = 64;

/// The longest value that is filled in as a component of a path, in bytes: what file systems allow.
const LONGEST: usize = 255;

impl Context<'_> {
    /// Returns a name of a file for each combination of the values in a text; none if one of them has no value.
    pub(super) fn filled_names(&self, template: &Template, form: PathForm) -> Result<Vec<String>, Reason> {
        let values = self.combinations(template.references(), form, component)?;
        Ok(values.iter().map(|values| values.fill(template)).collect())
    }

    /// Returns a path for each combination of the values in a text; none if one of them has no value.
    pub(super) fn filled_paths(&self, template: &Template, form: PathForm) -> Result<Vec<String>, Reason> {
        let values = self.combinations(template.references(), form, literal_component)?;
        // A value in front is a name, even one such as `~`.
        let front = if matches!(template.parts.first(), Some(TemplatePart::Value(_))) { "./" } else { "" };
        Ok(values.iter().map(|values| format!("{front}{}", values.fill(template))).collect())
    }

    /// Returns a list of globs for each combination of the values in a list; none if one of them has no value.
    pub fn filled_globs(&self, globs: &FilledGlobs, form: PathForm) -> Result<Vec<Vec<String>>, Reason> {
        let literal = |value: &Scalar<'_>| literal_component(value).map(|text| escape_glob(&text));
        let values = self.combinations(globs.references(), form, literal)?;
        let list = |values: &Combination<'_>| globs.globs.iter().map(|glob| values.fill(&glob.pattern)).collect();
        Ok(values.iter().map(list).collect())
    }

    /// Returns each combination of the values of some references, as texts.
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
            if combinations.len().saturating_mul(texts.len()) > MOST {
                return Err(Reason::too_many_values(MOST));
            }
            let longer = |combination: &Combination<'r>| {
                texts.iter().map(|text| combination.with(reference, text)).collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(longer).collect();
        }
        Ok(combinations)
    }
}

/// One value of each reference of a template, as a text.
struct Combination<'r>(Vec<(&'r ValueReference, String)>);

impl<'r> Combination<'r> {
    /// Returns the combination with one more value.
    fn with(&self, reference: &'r ValueReference, text: &str) -> Self {
        Self(self.0.iter().cloned().chain([(reference, text.to_owned())]).collect())
    }

    /// Returns a template with the values filled in.
    fn fill(&self, template: &Template) -> String {
        let text = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => Cow::from(text.clone()),
            TemplatePart::Value(source) => {
                let value = self.0.iter().find(|(reference, _)| reference.is_same(source));
                value.map_or(Cow::from(""), |(_, text)| text.clone().into())
            }
        };
        template.parts.iter().map(text).collect()
    }
}

/// Returns a value that is filled in as it is; an error for one that is no part of a component, and for a word of which
/// a part is not known.
fn literal_component(value: &Scalar<'_>) -> Result<String, Reason> {
    let text = match value {
        Scalar::PartlyKnown(word) => {
            return Err(Reason::of_word(word));
        }
        value => value.show(),
    };
    let is_component = !matches!(text.as_str(), "" | "." | "..") && !text.contains(['/', '\\', '\0']);
    match is_component && text.len() <= LONGEST && !matches!(value, Scalar::Object(_) | Scalar::AtLeast(..)) {
        true => Ok(text),
        false => Err(Reason::no_component(&text)),
    }
}

/// Returns a value as a component of a path; an error for a word of which a part is not known.
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
