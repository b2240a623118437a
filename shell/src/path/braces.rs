//! Braces in a glob: `{a,b}` is expanded as if each alternative were an entry of the list.

use super::CharClass;

/// The maximum number of globs that one glob may expand to.
const MAX_GLOBS: usize = 256;

/// The maximum length of a glob, in bytes.
pub(super) const MAX_BYTES: usize = 4_096;

/// The maximum nesting of braces in a glob. The parser of globset is recursive, and [`expand`] copies the glob for each
/// level.
pub(super) const MAX_BRACES: usize = 8;

/// Returns the globs that a glob with `{a,b}` expands to; escapes and classes stay as they are. The error is a
/// message about the first problem in the glob.
pub(super) fn expand(pattern: &str) -> Result<Vec<String>, String> {
    if pattern.len() > MAX_BYTES {
        return Err(format!("longer than {MAX_BYTES} bytes"));
    }
    if brace_depth(pattern) > MAX_BRACES {
        return Err(format!("more than {MAX_BRACES} `{{` within each other"));
    }
    let mut done = Vec::new();
    // Each glob that still has to be expanded, and an offset: the text before the offset contains no braces.
    let mut pending = vec![(pattern.to_owned(), 0)];
    while let Some((glob, from)) = pending.pop() {
        match first_group(&glob, from)? {
            None => done.push(glob),
            Some(BraceGroup { before, alternatives, after }) => {
                let written_out = alternatives.iter().rev().map(|alternative| format!("{before}{alternative}{after}"));
                pending.extend(written_out.map(|pattern| (pattern, before.len())));
            }
        }
        if done.len() + pending.len() > MAX_GLOBS {
            return Err(format!("more than {MAX_GLOBS} alternatives"));
        }
    }
    Ok(done)
}

/// Returns the deepest nesting of braces in a glob. Escaped braces count, too.
pub(super) fn brace_depth(glob: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in glob.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Whether the braces of a glob without escapes and classes are balanced.
pub(super) fn are_paired(glob: &str) -> bool {
    let step = |open: usize, byte| match byte {
        b'{' => open.checked_add(1),
        b'}' => open.checked_sub(1),
        _ => Some(open),
    };
    glob.bytes().try_fold(0, step) == Some(0)
}

/// A glob split at its first outermost `{…}`.
struct BraceGroup<'p> {
    before: &'p str,
    alternatives: Vec<&'p str>,
    after: &'p str,
}

/// Splits a glob at its first outermost `{…}` at or after an offset; `None` if there is none. The error is a message
/// about an unbalanced brace.
fn first_group(pattern: &str, from: usize) -> Result<Option<BraceGroup<'_>>, String> {
    let mut depth = 0_usize;
    let mut group = 0;
    let mut starts = Vec::new();
    let mut at = from;
    while let Some(rest) = pattern.get(at..).filter(|rest| !rest.is_empty()) {
        let length = unit_length(rest);
        match rest.as_bytes().first() {
            Some(b'{') => {
                depth += 1;
                if depth == 1 {
                    group = at;
                    starts.push(at + 1);
                }
            }
            Some(b',') if depth == 1 => starts.push(at + 1),
            Some(b'}') if depth == 1 => {
                let ends = starts.iter().skip(1).map(|cut| cut - 1).chain([at]);
                let alternatives =
                    starts.iter().zip(ends).filter_map(|(start, end)| pattern.get(*start..end)).collect();
                let before = pattern.get(..group).unwrap_or_default();
                let after = pattern.get(at + 1..).unwrap_or_default();
                return Ok(Some(BraceGroup { before, alternatives, after }));
            }
            Some(b'}') if depth == 0 => return Err("a `}` without its `{`; write `\\}` for the character".to_owned()),
            Some(b'}') => depth -= 1,
            _ => {}
        }
        at += length;
    }
    match depth {
        0 => Ok(None),
        _ => Err("a `{` without its `}`; write `\\{` for the character".to_owned()),
    }
}

/// Returns the length in bytes of the unit at the start of a glob: an escaped character, a class, or a character; 0
/// for an empty glob.
pub(super) fn unit_length(glob: &str) -> usize {
    match glob.chars().next() {
        Some('\\') => 1 + glob.chars().nth(1).map_or(0, char::len_utf8),
        Some('[') => CharClass::length(glob).unwrap_or(1),
        Some(other) => other.len_utf8(),
        None => 0,
    }
}

/// Whether a unit of a glob begins at an offset: the character there is neither escaped nor in a class.
#[must_use]
pub fn is_glob_unit_at(glob: &str, offset: usize) -> bool {
    let mut at = 0;
    while at < offset {
        match glob.get(at..).map_or(0, unit_length) {
            0 => return false,
            length => at += length,
        }
    }
    at == offset
}

/// Returns the number of globs that a glob with `{a,b}` expands to, without expanding it. For an invalid glob, the
/// number has no meaning.
pub(super) fn alternatives(pattern: &str) -> u64 {
    // For each open brace: the number of globs of its finished alternatives, and that of the current alternative.
    let mut open: Vec<(u64, u64)> = vec![(0, 1)];
    let mut at = 0;
    while let Some(rest) = pattern.get(at..).filter(|rest| !rest.is_empty()) {
        let length = unit_length(rest);
        match rest.as_bytes().first() {
            Some(b'{') => open.push((0, 1)),
            Some(b',') if open.len() > 1 => {
                if let Some((sum, product)) = open.last_mut() {
                    *sum = sum.saturating_add(std::mem::replace(product, 1));
                }
            }
            Some(b'}') if open.len() > 1 => {
                let inner = open.pop().map_or(1, |(sum, product)| sum.saturating_add(product));
                if let Some((_, product)) = open.last_mut() {
                    *product = product.saturating_mul(inner);
                }
            }
            _ => {}
        }
        at += length;
    }
    open.iter().fold(1, |total, (sum, product)| total.saturating_mul(sum.saturating_add(*product)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_counted_as_they_are_written_out() {
        for pattern in [
            "",
            "a",
            "{a,b}",
            "{a,b}{c,d,e}",
            "x{a,{b,c}d{e,f}}y",
            "{a,}",
            "{}",
            r"\{a,b\}",
            "[{a,b}]{c,d}",
            "a,b",
            "{a,b}/{c,[,}]}/é{ö,ü}",
        ] {
            let written = expand(pattern).map(|patterns| patterns.len()).unwrap_or_default();
            assert_eq!(alternatives(pattern), u64::try_from(written).unwrap(), "{pattern}");
        }
    }

    #[test]
    fn what_multiplies_without_end_is_counted_without_being_written_out() {
        assert_eq!(alternatives(&"{a,b}".repeat(100)), u64::MAX);
        assert!(alternatives("{a,b") > 0 && alternatives("a}") > 0);
    }
}
