//! What a text or path must hold for a glob to match it at all: for an index, which looks before a glob does.

use super::wild::Wild;

/// A part that everything has that a glob matches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Required {
    /// It is this.
    Whole(String),
    /// It has this in it.
    Part(String),
    /// A name on the path is this.
    Name(String),
    /// A name on the path ends with a dot and this.
    Extension(String),
}

/// Returns what a text must be, or have in it, to match a glob without alternatives; nothing where there is no such
/// thing.
#[must_use]
pub fn required_text(glob: &str) -> Option<Required> {
    let wild = Wild::parse(glob).ok()?;
    match wild.literal() {
        Some(text) => Some(Required::Whole(text.to_owned())),
        None => wild.longest_text().map(|text| Required::Part(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_must_have_the_longest_part() {
        let part = |text: &str| Some(Required::Part(text.to_owned()));
        assert_eq!(required_text("git *"), part("git "));
        assert_eq!(required_text("*.example.com"), part(".example.com"));
        assert_eq!(required_text("a*bc[d]e"), part("bc"));
        assert_eq!(required_text("a\\*b"), Some(Required::Whole("a*b".to_owned())));
        assert_eq!(required_text("*"), None);
        assert_eq!(required_text("?[ab]*"), None);
    }
}
