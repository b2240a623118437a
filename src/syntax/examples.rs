//! Turns the examples of a text into comments, to parse it faster: examples do not affect judging, and are two fifths
//! of a pack's text.

/// Whether the examples of a file are parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExampleParsing {
    /// Examples are parsed.
    Enabled,
    /// Examples are treated as comments.
    Disabled,
}

/// The number of parts and the positions of the examples of a text that is known to be correct. For packs, the build
/// script computes both.
#[derive(Debug)]
pub struct Outline {
    /// The number of its parts, including its examples.
    pub parts: u64,
    /// The start and end of each clause with examples (`fires on …`), as byte offsets.
    pub examples: &'static [(usize, usize)],
}

/// Replaces each clause with examples by a comment of the same length, so that the rest of the text keeps its
/// offsets.
pub(super) fn comment_out_examples(text: &str, examples: &[(usize, usize)]) -> String {
    let length = |(start, end): &(usize, usize)| end.saturating_sub(start + 1);
    let blank = " ".repeat(examples.iter().map(length).max().unwrap_or(0));
    let mut out = String::with_capacity(text.len());
    let mut copied_to = 0;
    for clause @ (start, end) in examples {
        out.push_str(text.get(copied_to..*start).unwrap_or_default());
        out.push('#');
        out.push_str(blank.get(..length(clause)).unwrap_or_default());
        copied_to = *end;
    }
    out.push_str(text.get(copied_to..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::{PACKS, pack_outline};
    use crate::span::Sources;
    use crate::syntax::ast::{AstFile, ClauseKind, ItemKind};
    use crate::syntax::example_clauses::example_clauses;
    use crate::syntax::{parse, parse_with_outline};

    #[test]
    fn only_examples_become_comments() {
        let text = "rule a {\n  on Stop\n  unknown deny\n  fires on Bash \"ü\" with {\n    os: \"x\",\n  },\n    # why\n    Bash \"b\" # c\n\n  \
                    quiet on Read \"a\"\n  deny \"fires on\"\n}\n";
        let blank = |text: &str| " ".repeat(text.len() - 1);
        let fires = blank("fires on Bash \"ü\" with {\n    os: \"x\",\n  },\n    # why\n    Bash \"b\"");
        let quiet = blank("quiet on Read \"a\"");
        let expected =
            format!("rule a {{\n  on Stop\n  unknown deny\n  #{fires} # c\n\n  #{quiet}\n  deny \"fires on\"\n}}\n");
        assert_eq!(comment_out_examples(text, &example_clauses(text)), expected);
        assert_eq!(text.len(), expected.len());
        for text in ["", "\n", "a", "# fires on\n", "firesome on x\n", "fires on", "  quiet on "] {
            assert_eq!(comment_out_examples(text, &example_clauses(text)).len(), text.len(), "{text:?}");
        }
    }

    /// Removes the examples from a tree.
    fn without_examples(mut file: AstFile) -> AstFile {
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
            let source = sources.file_by_id(id).unwrap();
            let (whole, found) = parse(source);
            let outline = pack_outline(name).unwrap();
            let (known, of_known) = parse_with_outline(source, outline, ExampleParsing::Enabled, u64::MAX);
            let (judged_by, of_judged) = parse_with_outline(source, outline, ExampleParsing::Disabled, u64::MAX);
            assert!(found.is_empty() && of_known.is_empty() && of_judged.is_empty(), "{name}");
            assert_eq!(format!("{known:?}"), format!("{whole:?}"), "{name}");
            assert_eq!((known.parts, judged_by.parts), (whole.parts, whole.parts), "{name}");
            assert_eq!(
                parse_with_outline(source, outline, ExampleParsing::Enabled, whole.parts - 1).0.parts,
                whole.parts,
                "{name}"
            );
            let has_examples = |file: &AstFile| format!("{file:?}").contains("Examples(");
            assert!(!has_examples(&judged_by), "{name}");
            left_out += usize::from(has_examples(&whole));
            assert_eq!(format!("{judged_by:?}"), format!("{:?}", without_examples(whole)), "{name}");
        }
        assert_eq!(left_out, PACKS.len());
    }
}
