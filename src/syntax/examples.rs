//! Turns the examples of a text into comments. Examples do not affect judging, and in a pack they are two fifths of the
//! text.

/// Whether examples are parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Examples {
    /// They are parsed.
    Read,
    /// They are treated as comments.
    LeftOut,
}

/// Facts about a text that is known to be correct, available before it is parsed.
#[derive(Debug)]
pub struct Outline {
    /// The number of its parts, including its examples.
    pub parts: u64,
    /// The start and end of each clause with examples.
    pub examples: &'static [(usize, usize)],
}

/// Replaces each clause with examples by a comment. Everything else keeps its offset.
pub(super) fn commented(text: &str, examples: &[(usize, usize)]) -> String {
    let length = |(start, end): &(usize, usize)| end.saturating_sub(start + 1);
    let blank = " ".repeat(examples.iter().map(length).max().unwrap_or(0));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for clause @ (start, end) in examples {
        out.push_str(text.get(at..*start).unwrap_or_default());
        out.push('#');
        out.push_str(blank.get(..length(clause)).unwrap_or_default());
        at = *end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::{PACKS, outline};
    use crate::span::Sources;
    use crate::syntax::ast::{ClauseKind, File, ItemKind};
    use crate::syntax::claims::claims;
    use crate::syntax::{parse, parse_known};

    #[test]
    fn only_examples_become_comments() {
        let text = "rule a {\n  on Stop\n  unknown deny\n  fires on Bash \"ü\" with {\n    os: \"x\",\n  },\n    # why\n    Bash \"b\" # c\n\n  \
                    quiet on Read \"a\"\n  deny \"fires on\"\n}\n";
        let blank = |text: &str| " ".repeat(text.len() - 1);
        let fires = blank("fires on Bash \"ü\" with {\n    os: \"x\",\n  },\n    # why\n    Bash \"b\"");
        let quiet = blank("quiet on Read \"a\"");
        let expected =
            format!("rule a {{\n  on Stop\n  unknown deny\n  #{fires} # c\n\n  #{quiet}\n  deny \"fires on\"\n}}\n");
        assert_eq!(commented(text, &claims(text)), expected);
        assert_eq!(text.len(), expected.len());
        for text in ["", "\n", "a", "# fires on\n", "firesome on x\n", "fires on", "  quiet on "] {
            assert_eq!(commented(text, &claims(text)).len(), text.len(), "{text:?}");
        }
    }

    /// Removes the examples from a tree.
    fn without_examples(mut file: File) -> File {
        for item in &mut file.items {
            if let ItemKind::Rule(rule) = &mut item.kind {
                rule.clauses.retain(|clause| !matches!(clause.kind, ClauseKind::Examples(..)));
            }
        }
        file
    }

    #[test]
    fn a_pack_is_the_same_without_its_examples() {
        let mut left_out = 0;
        for (name, text) in PACKS {
            let mut sources = Sources::default();
            let id = sources.add(*name, None, *text);
            let source = sources.get(id).unwrap();
            let (whole, found) = parse(source);
            let outline = outline(name).unwrap();
            let (known, of_known) = parse_known(source, outline, Examples::Read, u64::MAX);
            let (judged_by, of_judged) = parse_known(source, outline, Examples::LeftOut, u64::MAX);
            assert!(found.is_empty() && of_known.is_empty() && of_judged.is_empty(), "{name}");
            assert_eq!(format!("{known:?}"), format!("{whole:?}"), "{name}");
            assert_eq!((known.parts, judged_by.parts), (whole.parts, whole.parts), "{name}");
            assert_eq!(parse_known(source, outline, Examples::Read, whole.parts - 1).0.parts, whole.parts, "{name}");
            let has_examples = |file: &File| format!("{file:?}").contains("Examples(");
            assert!(!has_examples(&judged_by), "{name}");
            left_out += usize::from(has_examples(&whole));
            assert_eq!(format!("{judged_by:?}"), format!("{:?}", without_examples(whole)), "{name}");
        }
        assert_eq!(left_out, PACKS.len());
    }
}
