//! Texts in conditions that are filled in with values of the event: `file_exists "plans/{session_id}"`.

use super::{Context, PathForm, Reason, Scalar};
use crate::ruleset::{Template, TemplatePart};

/// The most texts that the values of one template make.
const MOST: usize = 64;

impl Context<'_> {
    /// Returns a name of a file for each combination of the values in a text; none if one of them has no value.
    pub(super) fn filled_names(&self, template: &Template, form: PathForm) -> Result<Vec<String>, Reason> {
        let mut names = vec![String::new()];
        for part in &template.parts {
            let values = match part {
                TemplatePart::Text(text) => vec![text.clone()],
                TemplatePart::Value(source) => {
                    self.lookup(source, form)?.iter().map(component).collect::<Result<_, _>>()?
                }
            };
            if names.len().saturating_mul(values.len()) > MOST {
                return Err(Reason::too_many_paths());
            }
            let longer = |name: &String| values.iter().map(|value| format!("{name}{value}")).collect::<Vec<_>>();
            names = names.iter().flat_map(longer).collect();
        }
        Ok(names)
    }
}

/// Returns a value as a component of a path; an error for a word of which a part is not known.
fn component(value: &Scalar<'_>) -> Result<String, Reason> {
    match value {
        Scalar::PartlyKnown(word) => Err(word.unknown_reason().map_or_else(Reason::too_many_paths, Reason::from)),
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
