//! Glob qualifiers of zsh, parentheses after a glob: `*(.)` matches only files, and `*(e:'rm $REPLY':)` runs code for
//! each.
//!
//! Bash reads `*(…)` and similar groups as patterns. Which shell will run the text is unknown: on macOS it is zsh.

use super::fields::ExpansionMode;

/// The signs of a qualifier that may do more than select names: run code (`e`, `+`), insert words before the names
/// (`P`), change the names (`:`). `#` may begin an explicit qualifier (`#q`), and `$` and backticks are unknown
/// content.
const SIGNS: &[char] = &['e', '+', 'P', ':', '#', '$', '`'];

/// Whether a group in parentheses may do more in zsh than select names. Groups that bash reads as patterns, such as
/// `!(a|b)`, rarely contain such a sign; a false positive only makes a result unknown.
pub(super) fn may_run(group: &str, mode: ExpansionMode) -> bool {
    match mode {
        ExpansionMode::Words | ExpansionMode::File => group.contains(SIGNS),
        // In other contexts, zsh expands a glob only if its qualifier is explicit: `(#q…)`.
        ExpansionMode::One | ExpansionMode::Pattern => group.contains("#q"),
    }
}

/// Returns the part of a group that looks like code: the text after an `e` and its delimiter, or after a `+`. The
/// result is empty for a group that is only a pattern of bash.
pub(super) fn code(group: &str) -> &str {
    let delimits = |c: char| c.is_ascii_punctuation() && !matches!(c, '.' | '-' | '_' | '|' | ')' | '*' | '?');
    let code_start = |(at, c): (usize, char)| match c {
        '+' => Some(at + 1),
        'e' => group.get(at + 1..)?.starts_with(delimits).then_some(at + 2),
        _ => None,
    };
    let start = group.char_indices().find_map(code_start);
    start.and_then(|start| group.get(start..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_in_a_qualifier_is_told_from_a_pattern() {
        for (group, expected) in [
            ("(e:'rm -rf x':)", "'rm -rf x':)"),
            ("(.e{rm x})", "rm x})"),
            ("(N+fn)", "fn)"),
            ("(o+fn)", "fn)"),
            ("(#qe'rm')", "rm')"),
        ] {
            assert!(may_run(group, ExpansionMode::Words), "{group}");
            assert_eq!(code(group), expected, "{group}");
        }
        for group in ["(P:-x:)", "(:s/a/-x/)", "($q)", "(.env|node_modules)"] {
            assert!(may_run(group, ExpansionMode::Words), "{group}");
            assert_eq!(code(group), "", "{group}");
        }
        for group in ["(.)", "(a|b)", "(*.rs)", "(om[1,3])"] {
            assert!(!may_run(group, ExpansionMode::Words), "{group}");
        }
        assert!(!may_run("(a|b.env)", ExpansionMode::One));
        assert!(may_run("(#qe:rm:)", ExpansionMode::One));
    }
}
