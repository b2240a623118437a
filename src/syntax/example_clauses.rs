//! Finds the clauses with examples (`fires on …`) in a text. The build script uses this for the packs.

use super::token::{Token, TokenKind, tokenise};

/// The keywords that begin a clause with examples, before `on`.
const CLAIMS: [&str; 3] = ["fires", "quiet", "unknown"];

/// Returns the start and end of each clause with examples, as byte offsets.
///
/// The text must be correct, and laid out with each clause on lines of its own.
pub(crate) fn example_clauses(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut line_at = 0;
    // A clause may take several lines, so the loop continues after the clause and not at the next line.
    while let Some(rest) = text.get(line_at..).filter(|rest| !rest.is_empty()) {
        let line = rest.split_inclusive('\n').next().unwrap_or(rest);
        let begins_at = line.len() - line.trim_start_matches([' ', '\t']).len();
        let clause = rest.get(begins_at..).unwrap_or_default();
        line_at += if is_example_clause(clause) {
            let length = end_of_clause(clause);
            found.push((line_at + begins_at, line_at + begins_at + length));
            begins_at + length
        } else {
            line.len()
        };
    }
    found
}

/// Whether a text begins with a clause with examples, such as `fires on "…"`.
fn is_example_clause(text: &str) -> bool {
    CLAIMS.iter().any(|claim| text.strip_prefix(claim).is_some_and(|rest| rest.starts_with(" on ")))
}

/// Returns the end of the clause that a text begins with. The clause continues on the next line if a bracket is open
/// or the line ends in a comma.
fn end_of_clause(text: &str) -> usize {
    let (mut open, mut last) = (0_usize, None::<Token>);
    for token in tokenise(text) {
        match token.kind {
            TokenKind::OpenBracket => open += 1,
            TokenKind::CloseBracket => open = open.saturating_sub(1),
            TokenKind::Newline if open == 0 && last.is_none_or(|last| last.text(text) != ",") => break,
            _ => {}
        }
        if !token.is_trivia() {
            last = Some(token);
        }
    }
    last.map_or(text.len(), |last| last.end)
}
