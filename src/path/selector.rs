//! Globs on plain names: the selectors of a head and of `by`.

use super::wild::Wild;

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
