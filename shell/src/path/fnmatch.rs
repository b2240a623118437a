//! Globs of other programs (`find -name`, `grep --include`, git's pathspecs), translated to policy globs.
//!
//! Programs differ in the syntax of brackets: an escaped character, a class of the locale. A bracket that not all of
//! them read alike matches more in a glob that includes files, and is rejected in one that excludes.

use super::CharClass;

/// Returns a glob that matches at least everything that an including glob matches.
pub(crate) fn including_glob(glob: &str) -> String {
    let mut taking = String::new();
    let mut rest = glob;
    while let Some((before, bracket)) = split_at_bracket(rest) {
        taking.push_str(before);
        let Some((class, length)) = read(bracket) else {
            // The end of the bracket is not certain.
            taking.push('*');
            return taking;
        };
        let (own, behind) = bracket.split_at_checked(length).unwrap_or((bracket, ""));
        taking.push_str(if class.is_closed() { own } else { "?" });
        rest = behind;
    }
    taking.push_str(rest);
    taking
}

/// Returns an excluding glob, if all programs read it alike.
pub(crate) fn excluding_glob(glob: &str) -> Option<&str> {
    let mut rest = glob;
    while let Some((_, bracket)) = split_at_bracket(rest) {
        let (_, length) = read(bracket).filter(|(class, _)| class.is_closed())?;
        rest = bracket.get(length..)?;
    }
    Some(glob)
}

/// Splits a text at the first bracket that is not escaped by a backslash.
fn split_at_bracket(text: &str) -> Option<(&str, &str)> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '[' => return text.split_at_checked(at),
            _ => {}
        }
    }
    None
}

/// Parses a bracket and its length, if its end and its members are certain.
fn read(bracket: &str) -> Option<(CharClass, usize)> {
    let (class, length) = CharClass::read(bracket)?;
    let body = bracket.get(..length)?;
    (!class.is_strange() && !body.contains('\\')).then_some((class, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_read_in_more_ways_than_one_takes_in_more_and_leaves_out_nothing() {
        for (glob, taken) in [
            ("*.rs", "*.rs"),
            ("a[b-d]c", "a[b-d]c"),
            (".[[:digit:]]nv", ".[[:digit:]]nv"),
            (".[[:alpha:]]n[x]v", ".?n[x]v"),
            ("[[:alpha:]][0-9][[:space:]]", "?[0-9]?"),
            ("é[[:alpha:]]é", "é?é"),
            (".[\\e]nv", ".*"),
            (".[[=e=]]nv", ".*"),
            ("[[:alpha:]].[[.e.]]nv", "?.*"),
            (".[e", ".*"),
            ("\\[[:alpha:]]", "\\[[:alpha:]]"),
        ] {
            let taken = taken.replace("\\\\", "\\");
            let glob = glob.replace("\\\\", "\\");
            assert_eq!(including_glob(&glob), taken, "{glob}");
        }
        for glob in ["*.rs", "a[b-d]c", "[[:digit:]]"] {
            assert_eq!(excluding_glob(glob), Some(glob));
        }
        for glob in ["[[:alpha:]]", "[\\e]", "[[=e=]]", "[e"] {
            assert_eq!(excluding_glob(glob), None, "{glob}");
        }
    }
}
