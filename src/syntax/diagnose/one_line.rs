//! Reports a rule with clauses on its header line.

use pest::Parser;

use super::ClauseCursor;
use crate::schema::TOOLS;
use crate::span::Span;
use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::mistakes::{SyntaxMistake, forms};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

/// Reports `rule a on PreToolUse when runs "b" deny "No."` and `rule a when runs "b" {`. The tokens are those of the
/// rule's first line up to its `{`, and the cursor is after the keyword. Returns whether it is such a line.
pub(super) fn clauses_in_header(cursor: &mut ClauseCursor<'_>) -> bool {
    let Some(name) = cursor.peek().filter(|name| name.kind == TokenKind::Word) else { return false };
    let rest = cursor.tokens.get(cursor.at + 1..).unwrap_or_default();
    let rest = match rest {
        [separator, rest @ ..] if matches!(separator.text(cursor.source), ":" | "," | "=" | "-") => rest,
        rest => rest,
    };
    let (body, opening_brace) = match rest.split_last() {
        Some((last, body)) if last.text(cursor.source) == "{" => (body, Some(*last)),
        _ => (rest, None),
    };
    let Some(clauses) = split_clauses(cursor, body).filter(|clauses| !clauses.is_empty()) else { return false };
    let (Some(keyword), Some(first), Some(last)) =
        (cursor.tokens.first().copied(), body.first().copied(), body.last().copied())
    else {
        return false;
    };
    let header = cursor.slice(keyword, name);
    let lines: String = clauses.iter().map(|clause| format!("\n  {clause}")).collect();
    let span = cursor.across(first, last);
    match opening_brace {
        Some(brace) => {
            let gap = Span { start: cursor.span_of(name).end, ..cursor.span_of(brace) };
            let right = format!(" {{{lines}");
            let shown = forms::backticked_forms(&clauses);
            cursor.report_with_fix_at(SyntaxMistake::ClausesInHeader { clauses: &shown }, span, gap, right);
        }
        None => {
            let rule = format!("{header} {{{lines}\n}}");
            let is_whole = Grammar::parse(Rule::lone_item, &rule).is_ok();
            let mistake = SyntaxMistake::RuleOnOneLine { rule: &rule };
            let whole = cursor.across(keyword, last);
            match is_whole {
                true => cursor.report_with_fix_at(mistake, span, whole, &rule),
                false => return false,
            }
        }
    }
    cursor.stop();
    true
}

/// Whether the `on` at the index `at` belongs to an example and names its host: `fires on "ls" on codex`. `starts` has
/// the indices at which clauses begin.
fn is_host_of_example(cursor: &ClauseCursor<'_>, tokens: &[Token], starts: &[usize], at: usize) -> bool {
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text(cursor.source));
    let is_example = starts.last().is_some_and(|start| matches!(text(*start), "fires" | "quiet" | "unknown"));
    is_example && text(at + 1).starts_with(|c: char| c.is_ascii_lowercase())
}

/// Splits tokens into clauses; `None` if one of the clauses is not valid.
fn split_clauses(cursor: &ClauseCursor<'_>, tokens: &[Token]) -> Option<Vec<String>> {
    let mut starts: Vec<usize> = Vec::new();
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let text = token.text(cursor.source);
        let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map_or("", |token| token.text(cursor.source));
        match token.kind {
            TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseBracket => depth = depth.saturating_sub(1),
            // `fires on`, and `on codex` after an example, do not begin a clause.
            TokenKind::Word if depth == 0 && text == "on" && is_host_of_example(cursor, tokens, &starts, at) => {}
            TokenKind::Word if depth == 0 && text == "on" && matches!(before, "fires" | "quiet" | "unknown") => {}
            TokenKind::Word if depth == 0 && before == "unknown" => {}
            TokenKind::Word if depth == 0 && words::CLAUSES.contains(&text) => starts.push(at),
            _ => {}
        }
    }
    // `rule a for Bash {` has no clause, but a tool.
    let is_tool = |token: &Token| TOOLS.iter().any(|tool| tool.name == token.text(cursor.source));
    if let ([joint, tool], true) = (tokens, starts.is_empty()) {
        let joins = matches!(joint.text(cursor.source), "for" | "of" | "about" | "with" | "matches");
        return (joins && is_tool(tool)).then(|| vec![forms::on_tools(tool.text(cursor.source))]);
    }
    (starts.first() == Some(&0)).then_some(())?;
    let ends = starts.iter().skip(1).copied().chain([tokens.len()]);
    let mut clauses = Vec::new();
    for (start, end) in starts.iter().zip(ends) {
        let (first, last) = (tokens.get(*start)?, tokens.get(end.checked_sub(1)?)?);
        let clause = cursor.slice(*first, *last);
        Grammar::parse(Rule::lone_clause, clause).ok()?;
        clauses.push(clause.to_owned());
    }
    Some(clauses)
}
