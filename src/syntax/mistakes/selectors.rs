//! The advice for a selector that is written as a regex.

use crate::syntax::quote::string_literal;
use crate::syntax::regex_selector::{OpenEnd, RegexSelector, selector_text};

impl RegexSelector {
    /// Returns the advice after the word `write` for a regex in place of a selector; `None` is a regex that globs
    /// cannot replace.
    #[must_use]
    pub fn replacement_for(selector: Option<&Self>) -> String {
        selector.map_or_else(|| "a glob of `*`, `?`, `[…]` and `[!…]`".to_owned(), Self::replacement)
    }

    /// Returns the advice after the word `write`: the globs, and a second glob if an end of the regex has no anchor.
    #[must_use]
    pub fn replacement(&self) -> String {
        let exact = self.selectors();
        let first = self.globs.first().map_or("", String::as_str);
        match self.open {
            None => format!("`{exact}`"),
            Some(OpenEnd::Start) => {
                format!("`{exact}`, or `{}` for every name that ends so", selector_text(&format!("*{first}")))
            }
            Some(OpenEnd::End) => {
                format!("`{exact}`, or `{}` for every name that begins so", selector_text(&format!("{first}*")))
            }
        }
    }

    /// Returns the advice after the word `write` for a regex in place of a file, which may also be the literal name
    /// of a file.
    pub(in crate::syntax) fn replacement_or_file(&self, regex: &str) -> String {
        format!("{}; a file of this name is `{}`", self.replacement(), string_literal(regex, ""))
    }
}
