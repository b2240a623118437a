//! The files that a search visits: the glob of a Grep or Glob, never narrower than the tool itself.

use std::path::Path;

use hookrules_shell::path::{TextGlobs, is_small_enough};

/// A filter by globs. One that cannot be read exactly accepts every file.
pub(super) enum GlobFilter {
    /// Accepts files that match one of these.
    OneOf(Vec<FilterGlob>),
    /// Accepts every file: it has an exclusion, or cannot be read here.
    Anything,
}

/// One glob of a filter.
pub(super) enum FilterGlob {
    /// A file name, or several path components, at any depth.
    Name(String),
    /// A glob of any number of trailing path components.
    Globs(TextGlobs),
}

impl GlobFilter {
    pub(super) fn new(text: &str) -> Self {
        // A payload controls the length and the depth of its text.
        if !is_small_enough(text) {
            return Self::Anything;
        }
        let parts = split(text);
        if parts.is_empty() || text.contains(['!', '(']) {
            return Self::Anything;
        }
        parts.iter().map(|part| FilterGlob::new(part)).collect::<Option<Vec<_>>>().map_or(Self::Anything, Self::OneOf)
    }

    /// Returns the literal names in the filter.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let all = if let Self::OneOf(all) = self { all.as_slice() } else { &[] };
        all.iter().filter_map(|one| if let FilterGlob::Name(name) = one { Some(name.as_str()) } else { None })
    }

    pub(super) fn is_match(&self, path: &Path) -> bool {
        match self {
            Self::OneOf(all) => all.iter().any(|one| one.is_match(path)),
            Self::Anything => true,
        }
    }
}

impl FilterGlob {
    fn new(glob: &str) -> Option<Self> {
        let glob = glob.trim_start_matches("./").trim_start_matches('/');
        let unescaped = unescaped(glob.strip_prefix("**/").unwrap_or(glob))?;
        if unescaped.wild {
            // `**/` also matches no directory, and `*` matches `/` here.
            return TextGlobs::new(&[glob.replace("**/", "*")]).ok().map(Self::Globs);
        }
        (!unescaped.text.is_empty()).then_some(Self::Name(unescaped.text))
    }

    fn is_match(&self, path: &Path) -> bool {
        match self {
            Self::Name(name) => path.ends_with(name),
            // The directory in which the glob is anchored depends on the tool: try every one.
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

/// Removes backslashes, and notes whether there is a wildcard.
fn unescaped(glob: &str) -> Option<Unescaped> {
    let mut out = Unescaped { text: String::new(), wild: false };
    let mut chars = glob.chars();
    while let Some(c) = chars.next() {
        out.wild |= matches!(c, '*' | '?' | '[' | ']' | '{' | '}');
        out.text.push(if c == '\\' { chars.next()? } else { c });
    }
    Some(out)
}

/// Splits at blanks, and at commas outside braces.
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
