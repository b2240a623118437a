//! Converts a selector that its author wrote as a regex (`on PreToolUse(^Edit|Write$)`) to the globs that mean the
//! same.

use super::quote::string_literal;

/// The maximum number of globs that one regex is translated to.
const MAX_GLOBS: usize = 16;

/// The maximum length of a regex that is translated, in bytes.
const MAX_REGEX_LENGTH: usize = 256;

/// The globs that match the same names as a regex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegexSelector {
    /// The globs, in the order of the alternatives.
    pub globs: Vec<String>,
    /// The end of the regex that has no anchor, if the other end has one and there is a single glob without `*` at its
    /// ends: `^Edit` may mean `Edit` or `Edit*`.
    pub(super) open: Option<OpenEnd>,
}

/// An end of a regex that has no anchor (`^`, `$`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OpenEnd {
    /// The start: the regex has `$` but no `^`.
    Start,
    /// The end: the regex has `^` but no `$`.
    End,
}

impl RegexSelector {
    /// Translates a regex: `^(coder|review.*)$` to `coder` and `review*`. `None` if globs cannot mean the same, or
    /// the regex is too long.
    #[must_use]
    pub fn from_regex(regex: &str) -> Option<Self> {
        if regex.len() > MAX_REGEX_LENGTH {
            return None;
        }
        let has_plain_ends = |glob: &str| !glob.ends_with('*') && !glob.starts_with('*');
        let open = match (regex.starts_with('^'), regex.ends_with('$')) {
            (true, false) => Some(OpenEnd::End),
            (false, true) => Some(OpenEnd::Start),
            (true, true) | (false, false) => None,
        };
        let mut globs = Vec::new();
        for alternative in alternatives(regex)? {
            let alternative = alternative.strip_prefix('^').unwrap_or(alternative);
            expand_groups(alternative.strip_suffix('$').unwrap_or(alternative), &mut globs)?;
        }
        let open = open.filter(|_| matches!(globs.as_slice(), [glob] if has_plain_ends(glob)));
        (!globs.is_empty()).then_some(Self { globs, open })
    }

    /// Whether the author can only have meant these globs: no end of the regex lacks an anchor that the other end
    /// has.
    pub(super) fn is_certain(&self) -> bool {
        self.open.is_none()
    }

    /// Returns the globs as selectors, joined by `|`.
    #[must_use]
    pub fn selectors(&self) -> String {
        self.globs.iter().map(|glob| selector_text(glob)).collect::<Vec<_>>().join("|")
    }
}

/// Returns a glob as the text of a selector, in quotes if it needs them.
#[must_use]
pub fn selector_text(glob: &str) -> String {
    let is_bare = glob.chars().all(|c| c.is_ascii_alphanumeric() || "_-.:*?[]!".contains(c));
    if is_bare { glob.to_owned() } else { string_literal(glob, "") }
}

/// Splits a regex at each `|` outside of groups and classes; `None` if a bracket is not closed or the regex ends in a
/// backslash.
fn alternatives(regex: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let (mut is_escaped, mut in_class) = (false, false);
    for (at, c) in regex.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            _ if in_class => {}
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            '|' if depth == 0 => {
                parts.push(regex.get(start..at)?);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(regex.get(start..)?);
    (depth == 0 && !in_class && !is_escaped).then_some(parts)
}

/// Adds the globs for a regex whose only alternatives are in groups: `a(b|c)` adds `ab` and `ac`. `None` if a part
/// has no glob, or there are more than `MAX_GLOBS`.
fn expand_groups(regex: &str, globs: &mut Vec<String>) -> Option<()> {
    let Some((before, rest)) = regex.split_once('(') else {
        let glob = glob_for_regex(regex).filter(|glob| !glob.is_empty())?;
        if !globs.contains(&glob) {
            globs.push(glob);
        }
        return (globs.len() <= MAX_GLOBS).then_some(());
    };
    let end = group_end(rest)?;
    let (group, after) = (rest.get(..end)?, rest.get(end + 1..)?);
    if before.ends_with('\\') || after.starts_with(['*', '+', '?', '{']) {
        return None;
    }
    for alternative in alternatives(group.strip_prefix("?:").unwrap_or(group))? {
        let alternative = alternative.trim_start_matches('^').trim_end_matches('$');
        expand_groups(&format!("{before}{alternative}{after}"), globs)?;
    }
    Some(())
}

/// Returns the offset of the `)` that closes the group whose opening bracket precedes the text; `None` if it is not
/// closed.
fn group_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the glob for a regex without groups and alternatives: `a.*` is `a*`; `None` if no glob means the same.
fn glob_for_regex(regex: &str) -> Option<String> {
    let mut glob = String::new();
    let mut rest = regex;
    while let Some(c) = rest.chars().next() {
        let after_any = ["\\w", "\\S", "."].iter().find_map(|one| rest.strip_prefix(one)?.strip_prefix(['*', '+']));
        if let Some(after) = after_any {
            glob.push('*');
            rest = after.strip_prefix('?').unwrap_or(after);
            continue;
        }
        let after = rest.get(c.len_utf8()..)?;
        rest = match c {
            '\\' => {
                let literal = after.chars().next().filter(char::is_ascii_punctuation)?;
                // These characters have a meaning in a glob too, so they stay escaped.
                match literal {
                    '*' | '?' | '[' | ']' | '{' | '}' | '\\' => glob.extend(['\\', literal]),
                    _ => glob.push(literal),
                }
                after.get(literal.len_utf8()..)?
            }
            '[' => {
                let (class, after) = after.split_once(']')?;
                let class = class.strip_prefix('^').map_or_else(|| class.to_owned(), |class| format!("!{class}"));
                glob.push_str(&format!("[{class}]"));
                after
            }
            '^' | '$' | '+' | '?' | '{' | '}' | ')' => return None,
            c => {
                glob.push(c);
                after
            }
        };
        // Only a repeated `.`, `\w` or `\S` has a glob (`*`); any other repetition has none.
        if c != '*' && rest.starts_with(['+', '?', '{']) || c == '[' && rest.starts_with('*') {
            return None;
        }
    }
    Some(glob)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regex_of_names_is_written_as_globs() {
        for (regex, instead) in [
            ("^coder$", "`coder`"),
            ("^coder", "`coder`, or `coder*` for every name that begins so"),
            ("coder$", "`coder`, or `*coder` for every name that ends so"),
            ("coder.*", "`coder*`"),
            ("^coder.*", "`coder*`"),
            (".*coder$", "`*coder`"),
            ("mcp__.+", "`mcp__*`"),
            ("mcp__\\w+__read", "`mcp__*__read`"),
            ("(coder|x)", "`coder|x`"),
            ("^(?:Bash|Edit)$", "`Bash|Edit`"),
            ("^Bash$|^Edit$", "`Bash|Edit`"),
            ("mcp__(a|b)__.*", "`mcp__a__*|mcp__b__*`"),
            ("^\\.env$", "`.env`"),
            ("^a b$", "`\"a b\"`"),
            ("^v[0-9]$", "`v[0-9]`"),
            ("^v[^0-9]", "`v[!0-9]`, or `v[!0-9]*` for every name that begins so"),
        ] {
            assert_eq!(
                RegexSelector::from_regex(regex).map(|meant| meant.replacement()).as_deref(),
                Some(instead),
                "{regex}"
            );
        }
        for without in ["^\\d{3}$", "^colou?r$", "(a|b)+", "^a^b", "(a", "a)", "^$", "[a-z]+$", "^x+$", "\\("] {
            assert_eq!(RegexSelector::from_regex(without), None, "{without}");
        }
    }
}
