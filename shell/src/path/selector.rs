//! Globs on plain names, such as those of tools and agents in the head of a rule (`on Bash*`, `by reviewer*`).

use super::braces::{expand, unit_length};
use super::wild::{CompiledGlobs, wild_matches};

/// Whether a glob of `*`, `?`, `[…]` and `[!…]` matches a whole name. An invalid glob is compared as text.
#[must_use]
pub fn glob_matches(glob: &str, name: &str) -> bool {
    if !glob.bytes().any(|byte| matches!(byte, b'*' | b'?' | b'[' | b'\\')) {
        return glob == name;
    }
    wild_matches(glob, name).unwrap_or(glob == name)
}

/// Checks that a glob is valid.
///
/// # Errors
/// A message: the glob has an unclosed or reversed class or a trailing `\`, or is empty.
pub fn check_glob(glob: &str) -> Result<(), String> {
    if glob.is_empty() {
        return Err("an empty glob matches nothing".to_owned());
    }
    CompiledGlobs::default().add(glob).map(|_| ())
}

/// Returns the globs that the author of a glob with `a|b` or `{a,b}` probably meant, since these selectors have no
/// alternatives; `None` if there are none. In `[|]` and `[{]`, the characters mean themselves.
#[must_use]
pub fn intended_alternatives(glob: &str) -> Option<Vec<String>> {
    let expanded = if glob.contains('{') { expand(glob).ok()? } else { vec![glob.to_owned()] };
    let intended: Vec<String> =
        expanded.iter().flat_map(|glob| split_at_bars(glob)).filter(|glob| !glob.is_empty()).collect();
    (intended != [glob] && !intended.is_empty()).then_some(intended)
}

/// Splits a glob at each `|` that is neither escaped nor in a class.
fn split_at_bars(glob: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut rest = glob;
    while let Some(c) = rest.chars().next() {
        let (part, after) = rest.split_at_checked(unit_length(rest)).unwrap_or((rest, ""));
        match parts.last_mut().filter(|_| c != '|') {
            Some(last) => last.push_str(part),
            None => parts.push(String::new()),
        }
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_of_other_languages_are_told_from_names() {
        for (glob, meant) in [
            ("coder|tester", vec!["coder", "tester"]),
            ("{coder,tester}", vec!["coder", "tester"]),
            ("a{b,c}*|d", vec!["ab*", "d", "ac*", "d"]),
            ("coder|", vec!["coder"]),
        ] {
            assert_eq!(intended_alternatives(glob).unwrap(), meant, "{glob}");
        }
        for itself in ["coder", "a[|]b", "a\\|b", "[{]a,b}", "a{b", "*", "[a|b]", "", "|"] {
            assert_eq!(intended_alternatives(itself), None, "{itself}");
        }
    }
}
