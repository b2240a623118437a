//! Items: the lines that begin them, annotations, and text that belongs to none.

use super::Cursor;
use super::clause::whole_condition;
use crate::diagnostic::{Code, Diagnostic, Fix, nearest};
use crate::syntax::ast::Name;
use crate::syntax::token::{Kind, Token};
use crate::syntax::words;

/// Keywords of other languages for items, with ours.
const FOREIGN_ITEMS: &[(&str, &str)] = &[
    ("policy", "rule"),
    ("hook", "rule"),
    ("guard", "rule"),
    ("check", "rule"),
    ("deny_if", "rule"),
    ("const", "let"),
    ("var", "let"),
    ("set", "let"),
    ("list", "let"),
    ("macro", "def"),
    ("define", "def"),
    ("function", "def"),
    ("func", "def"),
    ("fn", "def"),
    ("condition", "def"),
    ("import", "use"),
    ("include", "use"),
    ("require", "use"),
    ("from", "use"),
    ("describe", "test"),
    ("it", "test"),
    ("case", "test"),
];

/// Reads the line that begins a rule or a test, up to and with its `{`; the tokens are that line. Gives the name of
/// the rule as it would have to be written.
pub(in crate::syntax) fn header(cursor: &mut Cursor<'_>, keyword: &str) -> Option<Name> {
    let first = cursor.advance()?;
    if first.text(cursor.source) != keyword {
        unknown_keyword(cursor, first, Some(keyword));
    }
    if keyword == "test" {
        if cursor.text() == "{" {
            let place = cursor.after();
            cursor.syntax(
                place,
                "a test without a name",
                "its name is missing here",
                "write `test \"what it shows\" {`",
            );
        } else {
            cursor.string("the name of the test", "test \"what it shows\" {");
        }
        brace(cursor, "the name of the test", "test \"what it shows\" {");
        return None;
    }
    let name = rule_name(cursor);
    brace(cursor, "the name of the rule", "rule a-name {");
    name
}

fn brace(cursor: &mut Cursor<'_>, after: &str, form: &str) {
    if cursor.stopped || cursor.eat("{") {
        return;
    }
    let place = cursor.after();
    if cursor.text() == ":" {
        let span = cursor.here();
        return cursor.foreign(span, format!("`:` after {after}"), "begins a body elsewhere", "{");
    }
    if !cursor.done() {
        let span = cursor.here();
        let message = format!("{} after {after}", cursor.describe());
        return cursor.syntax(span, message, "`{` is expected here", format!("write `{form}`"));
    }
    let fix = Fix { span: place, replacement: " {".to_owned() };
    cursor.syntax_fix(place, format!("`{{` is missing after {after}"), "expected here", format!("write `{form}`"), fix);
}

fn rule_name(cursor: &mut Cursor<'_>) -> Option<Name> {
    let from = cursor.peek().filter(|token| token.text(cursor.source) != "{" && token.text(cursor.source) != ":");
    let Some(from) = from else {
        let place = cursor.after();
        cursor.syntax(place, "a rule without a name", "its name is missing here", "write `rule what-it-does {`");
        return None;
    };
    let mut last = from;
    while let Some(token) = cursor.peek() {
        if matches!(cursor.text(), "{" | ":") {
            break;
        }
        last = token;
        cursor.at += 1;
    }
    let span = cursor.span_of(from).to(cursor.span_of(last));
    let written = cursor.slice(from, last);
    let right = kebab(written);
    if right != written {
        let (message, label) = match from.kind {
            Kind::Text | Kind::SmartText | Kind::OpenText => ("the name of a rule in quotes", "names have no quotes"),
            _ if from != last => ("the name of a rule is several words", "names have no spaces"),
            _ => ("the name of a rule is kebab-case", "lower-case words joined by `-`"),
        };
        let form = if right.is_empty() { "what-it-does".to_owned() } else { right.clone() };
        let mut diagnostic =
            Diagnostic::new(Code::SYNTAX, message).label(span, label).help(format!("write `rule {form} {{`"));
        if !right.is_empty() {
            diagnostic = diagnostic.fix(span, right.clone());
        }
        cursor.report(diagnostic);
    }
    Some(Name { text: right, span }).filter(|name| !name.text.is_empty())
}

/// The kebab form of any text.
fn kebab(written: &str) -> String {
    let mut right = String::new();
    let mut after_lower = false;
    for c in written.chars() {
        if c.is_ascii_alphanumeric() {
            if c.is_ascii_uppercase() && after_lower {
                right.push('-');
            }
            right.push(c.to_ascii_lowercase());
            after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        } else {
            if !right.ends_with('-') && !right.is_empty() && c != '\'' {
                right.push('-');
            }
            after_lower = false;
        }
    }
    right.trim_end_matches('-').to_owned()
}

/// Reports a keyword that begins no item. `meant` is what the rest looks like.
fn unknown_keyword(cursor: &mut Cursor<'_>, token: Token, meant: Option<&str>) {
    let word = token.text(cursor.source);
    let span = cursor.span_of(token);
    let foreign = FOREIGN_ITEMS.iter().find(|(foreign, _)| word.eq_ignore_ascii_case(foreign)).map(|(_, ours)| *ours);
    let near = nearest(word, words::ITEMS.iter().copied()).or(foreign).or(meant);
    let mut diagnostic =
        Diagnostic::new(Code::SYNTAX, format!("unknown item `{word}`")).label(span, "no item begins so");
    diagnostic = match near {
        Some("def") if foreign.is_some() => diagnostic.help("write `def name = condition`; it takes no parameters"),
        Some(near) => diagnostic.help(format!("an item named `{near}` exists")).fix(span, near),
        None => diagnostic.help("items: `rule` `let` `def` `use` `test`"),
    };
    cursor.report(diagnostic);
}

/// Reads a `let` or `def`. Gives its name.
pub(in crate::syntax) fn definition(cursor: &mut Cursor<'_>, keyword: &str) -> Option<Name> {
    let first = cursor.advance()?;
    if first.text(cursor.source) != keyword {
        unknown_keyword(cursor, first, Some(keyword));
    }
    let what = if keyword == "let" { "value" } else { "condition" };
    let form = if keyword == "let" { "let name = \"…\"" } else { "def name = git.branch == \"main\"" };
    let Some(token) = cursor.peek().filter(|token| token.kind == Kind::Word) else {
        let span = cursor.here();
        cursor.syntax(
            span,
            format!("a `{keyword}` without a name"),
            "a name is expected here",
            format!("write `{form}`"),
        );
        cursor.stop();
        return None;
    };
    cursor.at += 1;
    let span = cursor.span_of(token);
    let written = token.text(cursor.source);
    let right = written.replace(['-', '.', '/'], "_");
    if right != written {
        let fix = Fix { span, replacement: right.clone() };
        cursor.syntax_fix(
            span,
            format!("the name of a `{keyword}` is snake_case"),
            "words joined by `_`",
            format!("write `{right}`"),
            fix,
        );
    }
    if keyword == "def" && cursor.text() == "(" {
        let span = cursor.here();
        cursor.syntax(
            span,
            "a `def` with parameters",
            "takes none",
            "write a `def` for each case, without parentheses",
        );
        cursor.stop();
    } else if !cursor.eat("=") {
        let here = cursor.here();
        if matches!(cursor.text(), ":" | ":=" | "==" | "=>" | "->" | "as" | "is") {
            let mark = cursor.text();
            cursor.foreign(here, format!("`{mark}` after the name of a `{keyword}`"), "expected `=`", "=");
            cursor.at += 1;
        } else {
            let place = cursor.after();
            let fix = Fix { span: place, replacement: " =".to_owned() };
            cursor.syntax_fix(place, "`=` is missing", format!("before the {what}"), format!("write `{form}`"), fix);
        }
    }
    if !cursor.stopped {
        if keyword == "def" {
            whole_condition(cursor);
        } else {
            cursor.value("=");
        }
        cursor.finish(&format!("the {what}"));
    }
    Some(Name { text: right, span })
}

/// Reads a `use`.
pub(in crate::syntax) fn import(cursor: &mut Cursor<'_>) {
    if let Some(first) = cursor.advance().filter(|first| first.text(cursor.source) != "use") {
        unknown_keyword(cursor, first, Some("use"));
    }
    if !cursor.string("the source of a `use`", "use \"std/git\"") || cursor.stopped {
        return;
    }
    if cursor.eat("except") {
        cursor.rule_names();
    }
    if !cursor.stopped && cursor.eat("with") {
        if cursor.text() == "{" {
            cursor.map();
        } else {
            let place = cursor.after();
            cursor.syntax(place, "`with` without braces", "`{` is expected here", "write `with { name: value }`");
            cursor.stop();
        }
    }
    if cursor.text() == "except" && !cursor.stopped {
        let span = cursor.here();
        cursor.syntax(span, "`except` after `with`", "comes first", "write `use \"…\" except NAME with { … }`");
        cursor.stop();
    }
    cursor.finish("the `use`");
}

/// Reads an annotation.
pub(in crate::syntax) fn annotation(cursor: &mut Cursor<'_>) {
    cursor.at += 1;
    if cursor.kind() != Some(Kind::Word) || !cursor.glued(0) {
        let place = cursor.after();
        return cursor.syntax(
            place,
            "an annotation without a name",
            "expected here",
            "write `@off`, `@severity(high)`, …",
        );
    }
    let name = cursor.text();
    cursor.at += 1;
    if cursor.text() == "(" {
        cursor.bracketed(")", |cursor| match cursor.kind() {
            Some(Kind::Word) => cursor.at += 1,
            Some(Kind::Text | Kind::OpenText | Kind::OpenBlock | Kind::SmartText) => cursor.literal(),
            _ => {
                let span = cursor.here();
                let message = format!("{} in an annotation", cursor.describe());
                cursor.syntax(span, message, "not expected here", "an annotation takes words and strings");
                cursor.stop();
            }
        });
    } else if !cursor.done() {
        let span = cursor.here();
        let argument = meant_argument(cursor);
        let help = format!("write `@{name}({argument})`");
        return cursor.syntax(
            span,
            format!("{} after `@{name}`", cursor.describe()),
            "arguments stand in parentheses",
            help,
        );
    }
    cursor.finish("the annotation");
}

/// What an annotation without parentheses was meant to take.
fn meant_argument(cursor: &Cursor<'_>) -> String {
    let skip = usize::from(matches!(cursor.text(), ":" | "="));
    match cursor.nth(skip) {
        Some(token) if matches!(token.kind, Kind::Word | Kind::Text) => token.text(cursor.source).to_owned(),
        _ => "…".to_owned(),
    }
}

/// Says what is wrong with a line that begins no item.
pub(in crate::syntax) fn outside(cursor: &mut Cursor<'_>) {
    let Some(first) = cursor.peek() else { return };
    let span = cursor.here();
    let word = cursor.text();
    if cursor.open_token() {
        return;
    }
    match first.kind {
        Kind::Close => cursor.finish("the items"),
        Kind::Word if words::CLAUSES.contains(&word) || matches!(word, "given" | "expect") => {
            let owner = if matches!(word, "given" | "expect") { "test" } else { "rule" };
            let help = format!("move it into the `{{ … }}` of a {owner}");
            cursor.syntax(span, format!("`{word}` outside of a {owner}"), "stands by itself", help);
        }
        Kind::Word => unknown_keyword(cursor, first, None),
        _ => {
            let message = format!("{} where an item should begin", cursor.describe());
            cursor.syntax(span, message, "no item begins so", "items: `rule` `let` `def` `use` `test`");
        }
    }
    cursor.stop();
}
