//! Globs on plain names: the selectors of a head and of `by`.

use super::wild::Wild;

/// A list of selectors, as in `on PreToolUse(Edit|mcp__*|!mcp__x)`.
#[derive(Clone, Debug)]
pub struct Selector {
    entries: Vec<(String, bool)>,
}

impl Selector {
    /// Makes a selector from globs and whether each excludes. Globs were checked by [`check_glob`].
    #[must_use]
    pub fn new(entries: impl IntoIterator<Item = (String, bool)>) -> Self {
        Self { entries: entries.into_iter().collect() }
    }

    /// Tells whether a name is selected: by one of the globs, or by none where all exclude, and excluded by none.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let mut selects = self.entries.iter().filter(|(_, excludes)| !excludes).peekable();
        let selected = selects.peek().is_none() || selects.any(|(glob, _)| glob_matches(glob, name));
        selected && !self.entries.iter().any(|(glob, excludes)| *excludes && glob_matches(glob, name))
    }

    /// Tells whether every name, and a subject without a value, is selected: the selector is `*` alone.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        matches!(self.entries.as_slice(), [(glob, false)] if glob == "*")
    }
}

/// Tells whether a glob of `* ? […] [!…]` matches a whole name. A glob that cannot be read is text.
#[must_use]
pub fn glob_matches(glob: &str, name: &str) -> bool {
    if !glob.contains(['*', '?', '[', '\\']) {
        return glob == name;
    }
    Wild::parse(glob).map_or(glob == name, |wild| wild.matches(name))
}

/// Checks that a glob can be read; the error says what is wrong with it.
///
/// # Errors
/// A class that is not closed or runs backwards, a `\` at the end, or no text at all.
pub fn check_glob(glob: &str) -> Result<(), String> {
    if glob.is_empty() {
        return Err("an empty glob matches nothing".to_owned());
    }
    Wild::parse(glob).map(|_| ())
}
