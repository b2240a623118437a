//! Diagnoses items: their first lines, annotations, and text outside of any item.

use super::ClauseCursor;
use super::clause::whole_condition;
use super::{blocks, exceptions, names, one_line};
use crate::diagnostic::nearest_name;
use crate::phrases::{self, PhrasePlace};
use crate::span::Span;
use crate::syntax::ast::Name;
use crate::syntax::mistakes::{self, CompletePart, RequiredString, SyntaxMistake, forms};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::words;

/// Returns the policy keyword for a keyword of another language that begins an item: `let` for `const`; `None` if it
/// is unknown.
pub(super) fn foreign_item(word: &str) -> Option<&'static str> {
    phrases::meaning(PhrasePlace::Item, word)
}

/// Reads the header line of a rule or a test, up to and including its `{`; the tokens are those of the line. Returns
/// the name of a rule in its correct form; `None` for a test, or if the name is missing.
pub(in crate::syntax) fn header(cursor: &mut ClauseCursor<'_>, keyword: &str) -> Option<Name> {
    let first = cursor.advance()?;
    if keyword == "rule" && one_line::clauses_in_header(cursor) {
        let name = cursor.tokens.get(1)?;
        let span = cursor.span_of(*name);
        return Some(Name { text: kebab(name.text(cursor.source)), span });
    }
    if first.text(cursor.source) != keyword {
        unknown_keyword(cursor, first, Some(keyword));
    }
    if keyword == "test" {
        if cursor.text() == "{" {
            let place = cursor.end_of_previous();
            cursor.report(SyntaxMistake::TestWithoutName {}, place);
        } else {
            cursor.string(RequiredString::TEST_NAME);
        }
        brace(cursor, CompletePart::TestName, RequiredString::TEST_NAME.form);
        return None;
    }
    if keyword == "mark" {
        return cursor.mark_name();
    }
    let mistakes_before = cursor.found.len();
    let name = rule_name(cursor);
    // A foreign keyword and a name in the form of the same language are one mistake.
    if cursor.found.len() > mistakes_before && mistakes_before == 1 {
        cursor.found.clear();
        let (word, span) = (first.text(cursor.source), cursor.span_of(first));
        let right = forms::rule_header(name.as_ref().map(|name| name.text.as_str()));
        let mistake = SyntaxMistake::ForeignItem { word, right: &right };
        match &name {
            Some(name) => cursor.report_with_fix_at(
                mistake,
                span,
                span.joined_with(name.span),
                right.trim_end_matches([' ', '{']),
            ),
            None => cursor.report(mistake, span),
        }
    }
    let form = name.as_ref().map(|name| format!("rule {} {{", name.text));
    brace(cursor, CompletePart::RuleName, form.as_deref().unwrap_or(mistakes::keyword_form("rule")));
    name
}

/// Reads the `{` of a header, or reports that it is missing.
pub(super) fn brace(cursor: &mut ClauseCursor<'_>, after: CompletePart, form: &str) {
    if cursor.stopped || cursor.eat("{") {
        return;
    }
    let after = after.name();
    let place = cursor.end_of_previous();
    if cursor.text() == ":" {
        return cursor.report_with_fix(SyntaxMistake::HeaderColon { after }, cursor.here(), "{");
    }
    if !cursor.is_done() {
        let found = cursor.describe();
        return cursor.report(SyntaxMistake::HeaderText { found: &found, after, form }, cursor.here());
    }
    cursor.report_with_fix(SyntaxMistake::MissingBrace { after, form }, place, " {");
}

/// Reads the name of a rule, and returns it in kebab-case; `None` if it is missing.
fn rule_name(cursor: &mut ClauseCursor<'_>) -> Option<Name> {
    let from = cursor.peek().filter(|token| token.text(cursor.source) != "{" && token.text(cursor.source) != ":");
    let Some(from) = from else {
        let place = cursor.end_of_previous();
        cursor.report(SyntaxMistake::RuleWithoutName {}, place);
        return None;
    };
    let mut last = from;
    while let Some(token) = cursor.peek() {
        if matches!(cursor.text(), "{" | ":") || names::priority(cursor) || names::severity(cursor) {
            break;
        }
        if cursor.at > 1 && names::punctuation(cursor) {
            break;
        }
        last = token;
        cursor.at += 1;
    }
    let span = cursor.across(from, last);
    let written = cursor.slice(from, last);
    if let Some((name, word)) = inheriting(written) {
        let right = kebab(name);
        cursor.report_with_fix(SyntaxMistake::InheritingRule { word, name: &right }, span, &right);
        return Some(Name { text: right, span });
    }
    let right = kebab(written);
    if right != written {
        let form = if right.is_empty() { "what-it-does" } else { &right };
        let mistake = match from.kind {
            TokenKind::Text | TokenKind::TypographicText | TokenKind::UnclosedText => {
                SyntaxMistake::QuotedRuleHeader { form }
            }
            _ if from != last => SyntaxMistake::SpacedRuleName { form },
            _ => SyntaxMistake::NotKebabCase { form },
        };
        match right.as_str() {
            "" => cursor.report(mistake, span),
            right => cursor.report_with_fix(mistake, span, right),
        }
    }
    Some(Name { text: right, span }).filter(|name| !name.text.is_empty())
}

/// Splits `name extends other` into the name and the foreign keyword; `None` for any other text.
fn inheriting(written: &str) -> Option<(&str, &str)> {
    let mut words = written.split_whitespace();
    let (name, word, _other) = (words.next()?, words.next()?, words.next()?);
    let inherits = ["extends", "inherits", "overrides", "implements"].contains(&word);
    (inherits && words.next().is_none()).then_some((name, word))
}

/// Converts any text to kebab-case: `no-push` for `noPush` and `no push`.
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

/// Reports a word that does not begin an item. `meant` is the keyword that the rest of the item suggests.
fn unknown_keyword(cursor: &mut ClauseCursor<'_>, token: Token, meant: Option<&str>) {
    let word = token.text(cursor.source);
    let span = cursor.span_of(token);
    let foreign = foreign_item(word);
    let near = foreign.or(nearest_name(word, words::ITEMS.iter().copied())).or(meant);
    let name = cursor.nth(usize::from(cursor.at == 0)).filter(|name| name.kind == TokenKind::Word);
    let right = |item: &str| {
        let end = if item == "rule" || item == "test" { " {" } else { " = …" };
        format!("{item} {}{end}", name.map_or("what-it-does", |name| name.text(cursor.source)))
    };
    match near {
        Some("def") if foreign.is_some() => cursor.report(SyntaxMistake::ForeignFunction { word }, span),
        Some(item) if foreign.is_some() => {
            cursor.report_with_fix(SyntaxMistake::ForeignItem { word, right: &right(item) }, span, item);
        }
        Some(near) => cursor.report_with_fix(SyntaxMistake::UnknownItemNear { word, near }, span, near),
        None => cursor.report(SyntaxMistake::UnknownItem { word }, span),
    }
}

/// Reads a `let` or `def`, and returns its name in snake_case; `None` if it is missing.
pub(in crate::syntax) fn definition(cursor: &mut ClauseCursor<'_>, keyword: &str) -> Option<Name> {
    let first = cursor.advance()?;
    if first.text(cursor.source) != keyword {
        unknown_keyword(cursor, first, Some(keyword));
    }
    let Some(token) = cursor.peek().filter(|token| token.kind == TokenKind::Word) else {
        let form = mistakes::definition_form(keyword);
        cursor.report(SyntaxMistake::DefinitionWithoutName { keyword, form }, cursor.here());
        cursor.stop();
        return None;
    };
    cursor.at += 1;
    let span = cursor.span_of(token);
    let written = token.text(cursor.source);
    let right = written.replace(['-', '.', '/'], "_");
    if right != written {
        cursor.report_with_fix(SyntaxMistake::NotSnakeCase { keyword, right: &right }, span, &right);
    }
    blocks::type_after_name(cursor, keyword);
    let is_braced = cursor.text() == "{" || cursor.text() == "=" && cursor.text_at(1) == "{";
    if !is_braced || !braced_definition(cursor, keyword, &right) {
        assignment(cursor, keyword, &right);
        if !cursor.stopped {
            definition_content(cursor, keyword);
        }
    }
    Some(Name { text: right, span })
}

/// Reads the `=` after the name of a definition, and reports another sign in its place, such as `:=`.
fn assignment(cursor: &mut ClauseCursor<'_>, keyword: &str, name: &str) {
    if keyword == "def" && cursor.text() == "(" {
        let form = format!("def {}{name} = …", if words::is_reserved(name) { "is_" } else { "" });
        cursor.report(SyntaxMistake::DefWithParameters { form: &form }, cursor.here());
        cursor.stop();
    } else if matches!(cursor.text(), ":" | ":=" | "==" | "=>" | "->" | "as" | "is") {
        cursor.report_with_fix(SyntaxMistake::ForeignAssignment { mark: cursor.text(), keyword }, cursor.here(), "=");
        cursor.at += 1;
    } else if !cursor.eat("=") {
        let (place, form) = (cursor.end_of_previous(), mistakes::definition_form(keyword));
        cursor.report_with_fix(
            SyntaxMistake::MissingAssignment { part: defined_part(keyword).name(), form },
            place,
            " =",
        );
    }
}

/// Reads the condition of a `def` or the value of a `let`.
fn definition_content(cursor: &mut ClauseCursor<'_>, keyword: &str) {
    if keyword == "def" {
        whole_condition(cursor);
    } else if cursor.text() == "{" {
        cursor.report(SyntaxMistake::NotConstant {}, cursor.here());
        cursor.stop();
    } else {
        let from = cursor.at;
        cursor.value("=");
        match cursor.text() {
            "+" => sum_of_lists(cursor, from),
            "," => blocks::several_values(cursor, from),
            _ => {}
        }
    }
    cursor.report_rest(defined_part(keyword));
}

/// Returns the part of a policy that a definition contains after `=`.
fn defined_part(keyword: &str) -> CompletePart {
    if keyword == "let" { CompletePart::Value } else { CompletePart::Condition }
}

/// Reports braces around what is defined: `def a { b == 1 }`, `let a = {"b", "c"}`. Returns whether there were any.
fn braced_definition(cursor: &mut ClauseCursor<'_>, keyword: &str, name: &str) -> bool {
    let skip = usize::from(cursor.text() == "=");
    let (Some(opener), Some(last)) = (cursor.nth(skip), cursor.last()) else { return false };
    let inner = cursor.source.get(opener.end..last.start).unwrap_or_default().trim();
    if last.text(cursor.source) != "}" || inner.is_empty() || inner.contains(['{', '}', '\n']) {
        return false;
    }
    let span = cursor.across(opener, last);
    if keyword == "def" {
        let right = format!("def {name} = {inner}");
        let gap = Span { start: cursor.end_of_previous().end, ..span };
        cursor.report_with_fix_at(SyntaxMistake::BracedDefinition { right: &right }, span, gap, format!(" = {inner}"));
    } else if skip == 1 && !inner.contains(':') {
        let right = format!("[{inner}]");
        cursor.report_with_fix(SyntaxMistake::SetInBraces { right: &right }, span, &right);
    } else {
        return false;
    }
    cursor.stop();
    true
}

/// Reports `a + ["b"]`, and proposes one list of the joined elements: `[...a, "b"]`. `from` is the index of the first
/// list.
fn sum_of_lists(cursor: &mut ClauseCursor<'_>, from: usize) {
    let plus = cursor.here();
    let tokens = cursor.tokens.get(from..).unwrap_or_default();
    sum_of_lists_in(cursor, plus, tokens);
}

/// Reports a sum of lists that consists of these tokens.
pub(super) fn sum_of_lists_in(cursor: &mut ClauseCursor<'_>, plus: Span, tokens: &[Token]) {
    let mut elements = Vec::new();
    for part in tokens.split(|token| token.text(cursor.source) == "+") {
        let inner = match part {
            [name] if name.kind == TokenKind::Word => format!("...{}", name.text(cursor.source)),
            [open, .., close] if open.text(cursor.source) == "[" && close.text(cursor.source) == "]" => {
                cursor.source.get(open.end..close.start).unwrap_or_default().trim().to_owned()
            }
            _ => return,
        };
        elements.extend(Some(inner).filter(|inner| !inner.is_empty()));
    }
    let right = format!("[{}]", elements.join(", "));
    if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
        let place = cursor.across(*first, *last);
        cursor.report_with_fix_at(SyntaxMistake::SumOfLists { right: &right }, plus, place, &right);
        cursor.stop();
    }
}

/// Reads a `use`.
pub(in crate::syntax) fn import(cursor: &mut ClauseCursor<'_>) {
    if let Some(first) = cursor.advance().filter(|first| first.text(cursor.source) != "use") {
        unknown_keyword(cursor, first, Some("use"));
    }
    if cursor.text_at(1) == "::" {
        return colons_in_source(cursor);
    }
    if blocks::several_sources(cursor) {
        return;
    }
    if !cursor.string(RequiredString::USE_SOURCE) || cursor.stopped {
        return;
    }
    if cursor.text() == "as" && cursor.nth(1).is_some_and(|name| name.kind == TokenKind::Word) {
        let (span, place) = (cursor.here(), cursor.end_of_previous());
        let last = cursor.nth(1).map_or(span, |name| cursor.span_of(name));
        let word = cursor.written(span.joined_with(last));
        cursor.report_with_fix_at(SyntaxMistake::UseAs { word }, span.joined_with(last), place.joined_with(last), "");
        cursor.at += 2;
    }
    exceptions::exceptions(cursor);
    if matches!(cursor.text(), "unless" | "when" | "if") && !cursor.stopped && cursor.nth(1).is_some() {
        return exception_of_use(cursor);
    }
    if !cursor.stopped && cursor.eat("with") {
        if cursor.text() == "{" {
            cursor.map();
        } else {
            let place = cursor.end_of_previous();
            cursor.report(SyntaxMistake::UseWithoutBraces {}, place);
            cursor.stop();
        }
    }
    if cursor.text() == "except" && !cursor.stopped {
        cursor.report(SyntaxMistake::ExceptAfterWith {}, cursor.here());
        cursor.stop();
    }
    cursor.report_rest(CompletePart::Use);
}

/// Reports `use "std/git" unless agent == "x"`: an exception names the rule that it is about.
fn exception_of_use(cursor: &mut ClauseCursor<'_>) {
    let (word, span) = (cursor.text(), cursor.here());
    let condition = cursor.nth(1).zip(cursor.last()).map_or("…", |(first, last)| cursor.slice(first, last));
    let condition = if condition.contains('\n') || condition.len() > 50 { "…" } else { condition };
    // Where the pack holds only if something is true, it is excepted if that is not.
    let right = match word {
        "unless" => condition.to_owned(),
        _ => format!("not ({condition})"),
    };
    cursor.report(SyntaxMistake::ExceptionOfUse { word, right: &right }, span);
    cursor.stop();
}

/// Reports a source with colons: `use std::git`.
fn colons_in_source(cursor: &mut ClauseCursor<'_>) {
    let (Some(first), Some(last)) = (cursor.peek(), cursor.last()) else { return };
    let right = format!("\"{}\"", cursor.slice(first, last).replace("::", "/").trim_end_matches(';').trim());
    let span = cursor.across(first, last);
    cursor.report_with_fix(SyntaxMistake::ColonsInSource { right: &right }, span, &right);
    cursor.stop();
}

/// Reads an annotation.
pub(in crate::syntax) fn annotation(cursor: &mut ClauseCursor<'_>) {
    cursor.at += 1;
    if cursor.kind() != Some(TokenKind::Word) || !cursor.glued(0) {
        let place = cursor.end_of_previous();
        return cursor.report(SyntaxMistake::AnnotationWithoutName {}, place);
    }
    let name = cursor.text();
    let is_priority = matches!(name, "priority" | "order" | "weight" | "salience" | "precedence");
    if let (true, Some(first), Some(last)) = (is_priority, cursor.tokens.first(), cursor.tokens.last()) {
        let whole = cursor.across(*first, *last);
        return cursor.report_with_fix_at(SyntaxMistake::PriorityAnnotation { name }, cursor.here(), whole, "");
    }
    cursor.at += 1;
    if text_in_annotation(cursor, name) {
        return;
    }
    if cursor.text() == "(" {
        cursor.bracketed(")", |cursor| match cursor.kind() {
            Some(TokenKind::Word) => cursor.at += 1,
            Some(TokenKind::Text | TokenKind::UnclosedText | TokenKind::UnclosedBlock | TokenKind::TypographicText) => {
                cursor.literal()
            }
            _ => {
                let span = cursor.here();
                let found = cursor.describe_unexpected();
                cursor.report(SyntaxMistake::AnnotationArgument { found: &found }, span);
                cursor.stop();
            }
        });
    } else if !cursor.is_done() {
        let span = cursor.here();
        let (found, argument) = (&cursor.describe_unexpected(), &meant_argument(cursor));
        return cursor.report(SyntaxMistake::AnnotationWithoutBrackets { found, name, argument }, span);
    }
    cursor.report_rest(CompletePart::Annotation);
}

/// Reports a text without quotes in an annotation: `@owner(@a/b)`, `@url(https://a.example)`. Returns whether there
/// was one.
fn text_in_annotation(cursor: &mut ClauseCursor<'_>, name: &str) -> bool {
    let (Some(opener), Some(first)) = (cursor.peek(), cursor.nth(1)) else { return false };
    let line = cursor.source.get(opener.end..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let Some(inner) = line.trim_end().strip_suffix(')').map(str::trim) else { return false };
    let is_text = inner.contains(['@', '/', ':', '#']) && !inner.contains(['"', '\'', '[', '(', ',']);
    if opener.text(cursor.source) != "(" || !is_text {
        return false;
    }
    let right = format!("\"{inner}\"");
    let span = Span::new(cursor.file, first.start, first.start + inner.len());
    cursor.report_with_fix(SyntaxMistake::BareAnnotation { name, right: &right }, span, &right);
    cursor.stop();
    true
}

/// Returns the argument that was probably meant for an annotation without parentheses, or `…`.
fn meant_argument(cursor: &ClauseCursor<'_>) -> String {
    let skip = usize::from(matches!(cursor.text(), ":" | "="));
    match cursor.nth(skip) {
        Some(token) if matches!(token.kind, TokenKind::Word | TokenKind::Text) => token.text(cursor.source).to_owned(),
        _ => "…".to_owned(),
    }
}

/// Reports a definition of another language: `const a = ["b"]`. Returns whether it is one, and adds its name to
/// `names`.
fn foreign_definition(cursor: &mut ClauseCursor<'_>, word: &str, span: Span) -> bool {
    let meaning = foreign_item(word);
    let Some(name) =
        cursor.nth(1).filter(|name| name.kind == TokenKind::Word && !words::is_reserved(cursor.text_at(1)))
    else {
        return false;
    };
    let equals = usize::from(cursor.text_at(2) == "=");
    let value_ahead = 2 + equals;
    let is_value = cursor.text_at(value_ahead) == "["
        || cursor
            .nth(value_ahead)
            .is_some_and(|value| matches!(value.kind, TokenKind::Text | TokenKind::Number | TokenKind::Regex));
    let Some(keyword) = meaning.filter(|meaning| matches!(*meaning, "let" | "def") && (equals == 1 || is_value)) else {
        return false;
    };
    // A list or a single literal is the value of a `let`, even after a word that means `def`.
    let keyword = if is_value && cursor.nth(value_ahead + 1).is_none_or(|_| cursor.text_at(value_ahead) == "[") {
        "let"
    } else {
        keyword
    };
    let written = name.text(cursor.source);
    let right = format!("{keyword} {}", written.replace(['-', '.', '/'], "_"));
    let place = span.joined_with(cursor.span_of(name));
    cursor.names.push((written.to_owned(), cursor.span_of(name)));
    let edit = if equals == 1 { right.clone() } else { format!("{right} =") };
    cursor.report_with_fix_at(SyntaxMistake::ForeignDefinition { word, right: &right }, span, place, edit);
    true
}

/// Reports a superfluous word before an item: `export rule a {`. Returns whether there was one.
fn word_before_item(cursor: &mut ClauseCursor<'_>, word: &str, span: Span) -> bool {
    let says_nothing = |_: &Token| phrases::says_nothing(&format!("{word} $item"));
    let Some(next) = cursor.nth(1).filter(says_nothing) else { return false };
    let Some(item) = words::ITEMS.iter().find(|item| **item == next.text(cursor.source)) else { return false };
    let gap = Span { end: cursor.span_of(next).start, ..span };
    cursor.report_with_fix_at(SyntaxMistake::WordBeforeItem { word, item }, span, gap, "");
    true
}

/// Reports lines at the beginning of files in other languages: `package x`, `import data.lib`, `import std/git`.
/// Returns whether it is one.
fn foreign_header(cursor: &mut ClauseCursor<'_>, word: &str, span: Span) -> bool {
    let (Some(second), Some(last)) = (cursor.nth(1), cursor.last()) else { return false };
    let rest = cursor.slice(second, last);
    let whole = span.joined_with(cursor.span_of(last));
    if rest.contains('\n') {
        return false;
    }
    match word {
        "package" | "module" | "namespace" | "version" | "apiVersion" | "kind" | "schema" => {
            cursor.report_with_fix_at(SyntaxMistake::FileHeader { word }, span, whole, "");
        }
        _ if foreign_item(word) == Some("use") => {
            let bare = rest.trim_matches(['"', '\'', '(', ')', ';']).replace("::", "/");
            let pack = bare.strip_prefix("std/").or_else(|| bare.strip_prefix("std.")).filter(|name| {
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
            });
            let is_file =
                rest.trim_end_matches(';').ends_with(['"', '\'']) && bare.ends_with(".rules") && !bare.contains(' ');
            if is_file {
                let right = format!("use \"{bare}\"");
                cursor.report_with_fix_at(SyntaxMistake::OtherFile { right: &right }, span, whole, &right);
                return true;
            }
            match pack {
                Some(pack) => {
                    let right = format!("use \"std/{pack}\"");
                    cursor.report_with_fix_at(SyntaxMistake::ImportedPack { word, right: &right }, span, whole, &right);
                }
                None => cursor.report_with_fix_at(SyntaxMistake::ForeignImport { word }, span, whole, ""),
            }
        }
        "set" | "source" | "export" | "cd" | "exec"
            if matches!(second.kind, TokenKind::Punctuation | TokenKind::Word) =>
        {
            cursor.report_with_fix_at(SyntaxMistake::ShellLine { word }, span, whole, "");
        }
        _ => return false,
    }
    true
}

/// Reports the default decision of a firewall: `policy DROP`. Returns whether it is one.
fn default_of_firewall(cursor: &mut ClauseCursor<'_>, word: &str, span: Span) -> bool {
    let target = cursor.text_at(1).trim_end_matches(';');
    if word != "policy" || cursor.nth(2).is_some_and(|next| next.text(cursor.source) != ";") {
        return false;
    }
    match target.to_ascii_lowercase().as_str() {
        "drop" | "deny" | "reject" | "block" => cursor.report(SyntaxMistake::DefaultDecision { word }, span),
        "accept" | "allow" | "permit" => {
            let last = cursor.tokens.last().map_or(span, |last| cursor.span_of(*last));
            cursor.report_with_fix_at(SyntaxMistake::DefaultPermission { word }, span, span.joined_with(last), "");
        }
        _ => return false,
    }
    true
}

/// Diagnoses a line that does not begin an item.
pub(in crate::syntax) fn outside(cursor: &mut ClauseCursor<'_>) {
    let Some(first) = cursor.peek() else { return };
    if cursor.report_malformed_token() {
        return;
    }
    match first.kind {
        TokenKind::CloseBracket => cursor.report_rest(CompletePart::Items),
        TokenKind::Word => word_outside(cursor, first),
        _ => {
            let found = cursor.describe();
            cursor.report(SyntaxMistake::NotAnItem { found: &found }, cursor.here());
        }
    }
    cursor.stop();
}

/// Diagnoses a line that begins with a word but is not an item.
fn word_outside(cursor: &mut ClauseCursor<'_>, first: Token) {
    let (word, span) = (cursor.text(), cursor.here());
    match cursor.text_at(1) {
        _ if matches!(word, "given" | "expect") => {
            cursor.report(SyntaxMistake::ClauseOutside { word, owner: "test" }, span)
        }
        "" => unknown_keyword(cursor, first, None),
        _ if matches!(word, "except" | "with" | "without") => {
            cursor.report(SyntaxMistake::ContinuedUse { word }, span);
        }
        _ if words::CLAUSES.contains(&word) => {
            cursor.report(SyntaxMistake::ClauseOutside { word, owner: "rule" }, span)
        }
        mark @ ("=" | ":=") if !words::is_reserved(word) => {
            let right = format!("let {}", word.replace(['-', '.', '/'], "_"));
            cursor.names.push((word.to_owned(), span));
            let last = cursor.nth(1).map_or(span, |mark| cursor.span_of(mark));
            let (place, edit) = match mark {
                "=" => (span, right.clone()),
                _ => (span.joined_with(last), format!("{right} =")),
            };
            cursor.report_with_fix_at(SyntaxMistake::MissingLet { right: &right }, span, place, edit);
        }
        _ if word_before_item(cursor, word, span)
            || blocks::of_definitions(cursor, word)
            || foreign_definition(cursor, word, span)
            || default_of_policy(cursor, word, span)
            || default_of_firewall(cursor, word, span) => {}
        _ if word == "case" && cursor.text_at(2) == "in" => cursor.report(SyntaxMistake::CaseOutside {}, span),
        _ if foreign_header(cursor, word, span) => {}
        ":" if cursor.glued(1) && foreign_item(word).is_none() => {
            cursor.report(SyntaxMistake::KeyOutside { word }, span)
        }
        _ => unknown_keyword(cursor, first, None),
    }
}

/// Reports a default decision: `default deny`, `default allow = false`. Returns whether it is one.
fn default_of_policy(cursor: &mut ClauseCursor<'_>, word: &str, span: Span) -> bool {
    if word != "default" {
        return false;
    }
    let has = |word: &str| cursor.tokens.iter().any(|token| token.text(cursor.source) == word);
    if has("allow") && !has("false") {
        let last = cursor.last().map_or(span, |last| cursor.span_of(last));
        cursor.report_with_fix_at(SyntaxMistake::DefaultPermission { word }, span, span.joined_with(last), "");
    } else {
        cursor.report(SyntaxMistake::DefaultDecision { word }, span);
    }
    true
}
