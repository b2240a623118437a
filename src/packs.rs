//! The packs: policies that are part of the binary, for `use "std/NAME"`.

/// Every pack by the name that `use` takes, with its text.
pub const PACKS: &[(&str, &str)] = &[
    ("std/git", include_str!("../rules/std/git.rules")),
    ("std/subagents", include_str!("../rules/std/subagents.rules")),
];

/// Returns the text of a pack.
#[must_use]
pub fn pack(name: &str) -> Option<&'static str> {
    PACKS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Sources;
    use crate::syntax;

    #[test]
    fn every_pack_parses() {
        for (name, text) in PACKS {
            let mut sources = Sources::default();
            let id = sources.add(*name, None, *text);
            let (file, diagnostics) = syntax::parse(sources.get(id).unwrap());
            assert_eq!(diagnostics, [], "{name}");
            assert!(!file.items.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_pack_is_found_by_its_whole_name() {
        assert!(pack("std/git").is_some());
        assert!(pack("git").is_none());
    }
}
