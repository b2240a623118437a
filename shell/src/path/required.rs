//! The parts that a text or path must contain for a glob to match it: the keys of an index that selects globs before
//! they are compared.

use std::borrow::Cow;

use super::wild::CompiledGlobs;

/// What every text or path that a glob matches is or contains.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RequiredPart<'g> {
    /// The text is exactly this.
    ExactText(Cow<'g, str>),
    /// The text contains this.
    Substring(Cow<'g, str>),
    /// A name in the path is exactly this.
    Name(Cow<'g, str>),
    /// A name in the path ends in a dot and this.
    Extension(Cow<'g, str>),
}

/// Returns what a text must be or contain for a glob without braces to match it; `None` if the glob is invalid or has
/// only wildcards.
#[must_use]
pub fn required_text(glob: &str) -> Option<RequiredPart<'static>> {
    let mut wilds = CompiledGlobs::default();
    let id = wilds.add(glob).ok()?;
    let wild = wilds.get(id);
    match wild.literal() {
        Some(text) => Some(RequiredPart::ExactText(text.to_owned().into())),
        None => wild.longest_text().map(|text| RequiredPart::Substring(text.to_owned().into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::PathGlobs;

    #[test]
    fn a_text_must_have_the_longest_part() {
        let part = |text: &str| Some(RequiredPart::Substring(text.to_owned().into()));
        assert_eq!(required_text("git *"), part("git "));
        assert_eq!(required_text("*.example.com"), part(".example.com"));
        assert_eq!(required_text("a*bc[d]e"), part("bc"));
        assert_eq!(required_text("a\\*b"), Some(RequiredPart::ExactText("a*b".into())));
        assert_eq!(required_text("*"), None);
        assert_eq!(required_text("?[ab]*"), None);
    }

    #[test]
    fn a_path_must_have_the_names_and_the_extension() {
        let shown = |required: &RequiredPart<'_>| match required {
            RequiredPart::ExactText(text) => format!("={text}"),
            RequiredPart::Substring(text) => format!("~{text}"),
            RequiredPart::Name(text) => text.to_string(),
            RequiredPart::Extension(text) => format!(".{text}"),
        };
        let required = |globs: &[&str]| {
            let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
            let list = PathGlobs::new(&globs).unwrap();
            let all = list.required();
            all.iter().map(|one| one.iter().map(shown).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
        };
        assert_eq!(required(&["Src/**/*.RS"]), ["src .rs ~.rs"]);
        assert_eq!(required(&["**/.env", "!.env.example"]), [".env"]);
        assert_eq!(required(&["*.{toml,gz}"]), [".toml ~.toml", ".gz ~.gz"]);
        assert_eq!(required(&["a/../b/x*"]), ["b ~x"]);
        assert_eq!(required(&["~/.ssh/**", "**"]), [".ssh", ""]);
        // Names that fold alike have the same required parts.
        assert_eq!(required(&["é/x"]), ["x"]);
    }
}
