//! Reads the exceptions of a `use`, and reports other words for `except` and between its names.

use super::ClauseCursor;
use super::condition::ConditionContext;
use crate::syntax::mistakes::SyntaxMistake;
use crate::syntax::token::TokenKind;

/// Reads `except …` if it follows, or reports another word for it.
pub(super) fn exceptions(cursor: &mut ClauseCursor<'_>) {
    let is_exception = matches!(cursor.text(), "without" | "minus" | "excluding" | "excludes" | "but");
    if is_exception && cursor.nth(1).is_some_and(|name| name.kind == TokenKind::Word) {
        let (word, span) = (cursor.text(), cursor.here());
        let not = cursor.nth(1).filter(|not| not.text(cursor.source) == "not");
        let place = not.map_or(span, |not| span.joined_with(cursor.span_of(not)));
        let right = "except";
        cursor.report_with_fix_at(SyntaxMistake::ForeignJoint { word, right }, span, place, right);
        cursor.at += 1 + usize::from(not.is_some());
        bracketed_names(cursor);
    } else if cursor.eat("except") {
        bracketed_names(cursor);
    }
}

/// Reads the names after `except`, and reports brackets around them.
fn bracketed_names(cursor: &mut ClauseCursor<'_>) {
    let Some(opener) = cursor.peek().filter(|open| open.text(cursor.source) == "[") else {
        return excepted_rules(cursor);
    };
    let Some(inside) = cursor.inside(cursor.at) else { return excepted_rules(cursor) };
    let names = inside.text.replace(['"', '\''], "");
    let names = names.trim().trim_end_matches(',').to_owned();
    let right = format!("except {names}");
    let place = cursor.across(opener, inside.close);
    cursor.report_with_fix_at(SyntaxMistake::BracketedNames { right: &right }, cursor.span_of(opener), place, &names);
    cursor.at += inside.length;
}

/// Reads the exceptions of a `use`: names of rules, each perhaps with `where C` or `when C`.
fn excepted_rules(cursor: &mut ClauseCursor<'_>) {
    cursor.commas_end_conditions = true;
    loop {
        if matches!(cursor.text(), "*" | "all" | "any")
            && cursor.nth(1).is_none_or(|next| next.text(cursor.source) != "-")
        {
            cursor.report(SyntaxMistake::ExceptAllRules {}, cursor.here());
            cursor.stop();
            break;
        }
        cursor.rule_name();
        if cursor.stopped {
            break;
        }
        if matches!(cursor.text(), "and" | "or" | "&" | "+")
            && cursor.nth(1).is_some_and(|it| it.kind == TokenKind::Word)
        {
            let (word, place) = (cursor.text(), cursor.end_of_previous().joined_with(cursor.here()));
            cursor.report_with_fix_at(SyntaxMistake::ForeignJoint { word, right: "," }, cursor.here(), place, ",");
            cursor.at += 1;
            continue;
        }
        let word = cursor.text();
        let keyword = match word {
            "where" | "when" => Some(word),
            "if" | "unless" | "on" => Some("when"),
            _ => None,
        };
        if let Some(keyword) = keyword {
            if keyword != word {
                let span = cursor.here();
                cursor.report_with_fix(SyntaxMistake::ExceptionWord { word, right: keyword }, span, keyword);
            }
            cursor.at += 1;
            cursor.condition(ConditionContext::Anywhere);
        }
        if cursor.stopped || !cursor.eat(",") {
            break;
        }
    }
    cursor.commas_end_conditions = false;
}
