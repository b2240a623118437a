//! Globs of other programs (`find -name`, `grep --include`, git's pathspecs), translated to the globs of policies.
//!
//! Programs parse brackets differently: escaped characters, and classes that depend on the locale. In a glob that
//! includes files, a bracket that not all programs parse alike matches more; a glob that excludes files is rejected
//! if it has one.

use super::CharClass;

/// Translates a glob that includes files. The result matches at least the same names: `?` or `*` replaces a bracket
/// that programs parse differently.
pub(crate) fn including_glob(glob: &str) -> String {
    let mut translated = String::new();
    let mut rest = glob;
    while let Some((before, bracket)) = split_at_bracket(rest) {
        translated.push_str(before);
        let Some((class, length)) = read(bracket) else {
            // Where the bracket ends is not certain.
            translated.push('*');
            return translated;
        };
        let (class_text, after) = bracket.split_at_checked(length).unwrap_or((bracket, ""));
        translated.push_str(if class.is_closed() { class_text } else { "?" });
        rest = after;
    }
    translated.push_str(rest);
    translated
}

/// Returns a glob that excludes files, unchanged; `None` if programs parse it differently, so that the names that it
/// excludes are uncertain.
pub(crate) fn excluding_glob(glob: &str) -> Option<&str> {
    let mut rest = glob;
    while let Some((_, bracket)) = split_at_bracket(rest) {
        let (_, length) = read(bracket).filter(|(class, _)| class.is_closed())?;
        rest = bracket.get(length..)?;
    }
    Some(glob)
}

/// Splits a text at the first bracket without a backslash before it; `None` if there is none.
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

/// Parses the bracket at the start of a text. Returns it with its length; `None` if its end is uncertain, or if any
/// character may be a member.
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
