//! The globs by which a call of `Grep` or `Glob` restricts the files that it searches. If the tool may read a glob
//! differently, the filter here must not select fewer files than the tool.

use std::path::Path;

use hookrules_shell::path::{TextGlobs, is_small_enough};

/// A filter by globs. If a glob cannot be interpreted exactly, the filter selects every file.
pub(super) enum GlobFilter {
    /// The files that match one of these globs.
    OneOf(Vec<FilterGlob>),
    /// Every file, because the filter has an exclusion, or cannot be interpreted here.
    Anything,
}

/// One glob of a filter, in a form that can be compared with a path.
pub(super) enum FilterGlob {
    /// A literal file name, or several literal path components, in any directory.
    Name(String),
    /// A glob with wildcards, which is compared with every number of components at the end of a path.
    Globs(TextGlobs),
}

impl GlobFilter {
    /// Parses the filter of a call: globs that are separated by blanks or commas.
    pub(super) fn new(text: &str) -> Self {
        // The payload determines the length and the nesting of the text.
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
        let globs = if let Self::OneOf(globs) = self { globs.as_slice() } else { &[] };
        globs.iter().filter_map(|glob| if let FilterGlob::Name(name) = glob { Some(name.as_str()) } else { None })
    }

    /// Whether the filter selects a file.
    pub(super) fn is_match(&self, path: &Path) -> bool {
        match self {
            Self::OneOf(globs) => globs.iter().any(|glob| glob.is_match(path)),
            Self::Anything => true,
        }
    }
}

impl FilterGlob {
    /// Parses one glob; `None` if it cannot be interpreted.
    fn new(glob: &str) -> Option<Self> {
        let glob = glob.trim_start_matches("./").trim_start_matches('/');
        let unescaped = unescaped(glob.strip_prefix("**/").unwrap_or(glob))?;
        if unescaped.has_wildcard {
            // `**/` also matches no directory, and `*` matches `/` here.
            return TextGlobs::new(&[glob.replace("**/", "*")]).ok().map(Self::Globs);
        }
        (!unescaped.text.is_empty()).then_some(Self::Name(unescaped.text))
    }

    /// Whether the glob matches a file, in whatever directory the tool starts.
    fn is_match(&self, path: &Path) -> bool {
        match self {
            Self::Name(name) => path.ends_with(name),
            // The directory to which the glob is relative depends on the tool, so every suffix of the path is tried.
            Self::Globs(globs) => {
                let text = path.to_string_lossy();
                let from = text.match_indices('/').filter_map(|(at, _)| text.get(at + 1..));
                globs.matches(&text) || from.into_iter().any(|names| globs.matches(names))
            }
        }
    }
}

/// A glob without backslashes, and whether it has a wildcard that was not escaped.
struct Unescaped {
    text: String,
    /// Whether a wildcard was not escaped.
    has_wildcard: bool,
}

/// Removes the backslashes from a glob, and determines whether it has a wildcard; `None` if it ends with a backslash.
fn unescaped(glob: &str) -> Option<Unescaped> {
    let mut out = Unescaped { text: String::new(), has_wildcard: false };
    let mut chars = glob.chars();
    while let Some(c) = chars.next() {
        out.has_wildcard |= matches!(c, '*' | '?' | '[' | ']' | '{' | '}');
        out.text.push(if c == '\\' { chars.next()? } else { c });
    }
    Some(out)
}

/// Splits a filter into its globs, at blanks and at commas outside of brackets and braces.
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
