//! What a search lets through: the glob of a Grep or Glob, and never less than the tool itself.

use std::path::Path;

use hookrules_shell::path::{TextGlobs, is_modest};

/// A filter. What cannot be read exactly lets everything through.
pub(super) enum Filter {
    /// One of these passes it.
    Any(Vec<One>),
    /// Exclusions alone, or something that we cannot read.
    Anything,
}

/// One glob of a filter.
pub(super) enum One {
    /// A name, or names down to one, at any depth.
    Name(String),
    /// A glob of the last names of a path, however many.
    Globs(TextGlobs),
}

impl Filter {
    pub(super) fn new(text: &str) -> Self {
        // What comes from a payload may be as long and as deep as it likes.
        if !is_modest(text) {
            return Self::Anything;
        }
        let parts = split(text);
        if parts.is_empty() || text.contains(['!', '(']) {
            return Self::Anything;
        }
        parts.iter().map(|part| One::new(part)).collect::<Option<Vec<_>>>().map_or(Self::Anything, Self::Any)
    }

    /// Returns the names that the filter spells out.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let all = if let Self::Any(all) = self { all.as_slice() } else { &[] };
        all.iter().filter_map(|one| if let One::Name(name) = one { Some(name.as_str()) } else { None })
    }

    pub(super) fn passes(&self, path: &Path) -> bool {
        match self {
            Self::Any(all) => all.iter().any(|one| one.passes(path)),
            Self::Anything => true,
        }
    }
}

impl One {
    fn new(glob: &str) -> Option<Self> {
        let glob = glob.trim_start_matches("./").trim_start_matches('/');
        let unescaped = unescaped(glob.strip_prefix("**/").unwrap_or(glob))?;
        if unescaped.wild {
            // `**/` stands for no directory as well, and `*` covers `/` here.
            return TextGlobs::new(&[glob.replace("**/", "*")]).ok().map(Self::Globs);
        }
        (!unescaped.text.is_empty()).then_some(Self::Name(unescaped.text))
    }

    fn passes(&self, path: &Path) -> bool {
        match self {
            Self::Name(name) => path.ends_with(name),
            // Where the glob is anchored depends on the tool: every directory may be it.
            Self::Globs(globs) => {
                let text = path.to_string_lossy();
                let from = text.match_indices('/').filter_map(|(at, _)| text.get(at + 1..));
                globs.matches(&text) || from.into_iter().any(|names| globs.matches(names))
            }
        }
    }
}

struct Unescaped {
    text: String,
    wild: bool,
}

/// Takes the backslashes away, and tells whether a wildcard is left.
fn unescaped(glob: &str) -> Option<Unescaped> {
    let mut out = Unescaped { text: String::new(), wild: false };
    let mut chars = glob.chars();
    while let Some(c) = chars.next() {
        out.wild |= matches!(c, '*' | '?' | '[' | ']' | '{' | '}');
        out.text.push(if c == '\\' { chars.next()? } else { c });
    }
    Some(out)
}

/// Splits at blanks, and at commas that stand in no braces.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut depth) = (Vec::new(), String::new(), 0_u32);
    for c in text.chars() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() || (c == ',' && depth == 0) {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}
