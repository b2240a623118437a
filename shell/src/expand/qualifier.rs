//! What zsh makes of parentheses behind a glob: `*(.)` are files alone, and `*(e:'rm $REPLY':)` runs code for each.
//!
//! Bash takes `*(…)` and its kin for patterns. Which shell gets the text is not known: on macOS it is zsh.

use super::fields::Way;

/// What stands in a qualifier that runs code (`e`, `+`), puts words before the names (`P`) or changes them (`:`), says
/// that it is one (`#q`), or is not known.
const SIGNS: &[char] = &['e', '+', 'P', ':', '#', '$', '`'];

/// Tells whether a group may do more in zsh than choose names. Those that name patterns for bash, such as `!(a|b)`,
/// mostly hold no such letter, and that one which does is taken for more only costs an allow.
pub(super) fn may_run(group: &str, way: Way) -> bool {
    match way {
        Way::Words | Way::File => group.contains(SIGNS),
        // Elsewhere names take the place of a glob only where it says so.
        Way::One | Way::Pattern => group.contains("#q"),
    }
}

/// Returns what of a group reads like code: behind an `e` with a delimiter, or a `+`. Nothing of one that is only a
/// pattern for bash.
pub(super) fn code(group: &str) -> &str {
    let delimits = |c: char| c.is_ascii_punctuation() && !matches!(c, '.' | '-' | '_' | '|' | ')' | '*' | '?');
    let begins = |(at, c): (usize, char)| match c {
        '+' => Some(at + 1),
        'e' => group.get(at + 1..)?.starts_with(delimits).then_some(at + 2),
        _ => None,
    };
    let start = group.char_indices().find_map(begins);
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
            assert!(may_run(group, Way::Words), "{group}");
            assert_eq!(code(group), expected, "{group}");
        }
        for group in ["(P:-x:)", "(:s/a/-x/)", "($q)", "(.env|node_modules)"] {
            assert!(may_run(group, Way::Words), "{group}");
            assert_eq!(code(group), "", "{group}");
        }
        for group in ["(.)", "(a|b)", "(*.rs)", "(om[1,3])"] {
            assert!(!may_run(group, Way::Words), "{group}");
        }
        assert!(!may_run("(a|b.env)", Way::One));
        assert!(may_run("(#qe:rm:)", Way::One));
    }
}
