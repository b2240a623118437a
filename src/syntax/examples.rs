//! A text whose examples are comments, for whoever only judges by it: examples judge nothing, and in a pack they are
//! two fifths of what there is to read.

use super::token::{Kind, Token, tokens};

/// What an example claims.
const CLAIMS: [&str; 3] = ["fires", "quiet", "unknown"];

/// Makes a comment of each clause with examples. All else stays, and stays where it is.
///
/// It is for a text that is known to be right and laid out with each clause on a line of its own: nobody is told of a
/// mistake in what is left out.
pub(super) fn commented(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut line_at = 0;
    // A clause may take several lines; those that belong to one are not looked at again.
    while let Some(line) = text.get(line_at..).filter(|rest| !rest.is_empty()) {
        let length = line.find('\n').map_or(line.len(), |at| at + 1);
        let clause = line.get(..length).unwrap_or_default();
        let begins_at = clause.len() - clause.trim_start_matches([' ', '\t']).len();
        let length = match is_claim(clause.get(begins_at..).unwrap_or_default()) {
            true => {
                let end = begins_at + end_of_clause(line.get(begins_at..).unwrap_or_default());
                let inside = line.get(begins_at + 1..end).unwrap_or_default();
                out.push_str(line.get(..begins_at).unwrap_or_default());
                out.push('#');
                out.extend(inside.split('\n').enumerate().flat_map(|(at, part)| [if at > 0 { " " } else { "" }, part]));
                end
            }
            false => {
                out.push_str(clause);
                length
            }
        };
        line_at += length;
    }
    out
}

/// Tells whether a clause with examples begins here.
fn is_claim(text: &str) -> bool {
    CLAIMS.iter().any(|claim| text.strip_prefix(claim).is_some_and(|rest| rest.starts_with(" on ")))
}

/// Returns where the clause ends that a text begins with: with its line, if no bracket is open there and no comma says
/// that there is more.
fn end_of_clause(text: &str) -> usize {
    let (mut open, mut last) = (0_usize, None::<Token>);
    for token in tokens(text) {
        match token.kind {
            Kind::Open => open += 1,
            Kind::Close => open = open.saturating_sub(1),
            Kind::Newline if open == 0 && last.is_none_or(|last| last.text(text) != ",") => break,
            _ => {}
        }
        if !token.is_trivia() {
            last = Some(token);
        }
    }
    last.map_or(text.len(), |last| last.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packs::PACKS;
    use crate::span::Sources;
    use crate::syntax::ast::{ClauseKind, File, ItemKind};
    use crate::syntax::{parse, parse_to_judge};

    #[test]
    fn only_examples_become_comments() {
        let text = "rule a {\n  on Stop\n  unknown deny\n  fires on Bash \"ü\" with {\n    os: \"x\",\n  },\n    # why\n    Bash \"b\" # c\n\n  \
                    quiet on Read \"a\"\n  deny \"fires on\"\n}\n";
        let expected = "rule a {\n  on Stop\n  unknown deny\n  #ires on Bash \"ü\" with {     os: \"x\",   },     # why     Bash \"b\" # c\n\n  \
                        #uiet on Read \"a\"\n  deny \"fires on\"\n}\n";
        assert_eq!(commented(text), expected);
        assert_eq!(text.len(), expected.len());
        for text in ["", "\n", "a", "# fires on\n", "firesome on x\n", "fires on", "  quiet on "] {
            assert_eq!(commented(text).len(), text.len(), "{text:?}");
        }
    }

    /// Takes the examples out of a tree.
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
            let (judged_by, of_judged) = parse_to_judge(source, u64::MAX);
            assert!(found.is_empty() && of_judged.is_empty(), "{name}");
            assert_eq!(judged_by.parts, whole.parts, "{name}");
            let has_examples = |file: &File| format!("{file:?}").contains("Examples(");
            assert!(!has_examples(&judged_by), "{name}");
            left_out += usize::from(has_examples(&whole));
            assert_eq!(format!("{judged_by:?}"), format!("{:?}", without_examples(whole)), "{name}");
        }
        assert_eq!(left_out, PACKS.len());
    }
}
