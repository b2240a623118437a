//! Translates tests of other languages to the policy language. Each function maps text to text, and reports nothing.
//!
//! A valid test of the policy language is not translated, and neither is a test whose meaning is uncertain.

mod calls;
mod phrase;
mod shell;
mod values;

pub(super) use calls::bound_to as bound_test;
pub(in crate::syntax) use phrase::clause as foreign_clause;

use super::quantified::{is_condition, test_of_members};
use super::reader::{ForeignReader, reading};
use crate::schema::{FieldType, TOOLS};
use crate::syntax::token::TokenKind;
use crate::syntax::words;
use shell::{grep_test, shell_test, template_expression};
pub(super) use values::escaped;

/// The translation of a test.
#[derive(PartialEq, Eq, Debug)]
pub(in crate::syntax) struct Translation {
    /// The foreign construct in the test, which determines the message.
    pub(in crate::syntax) what: ForeignConstruct,
    /// The equivalent test; for [`ForeignConstruct::Run`], the command as a string literal.
    pub(in crate::syntax) right: String,
}

/// The foreign construct in a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::syntax) enum ForeignConstruct {
    /// A call of a function or method, by its name.
    Call(String),
    /// A key or an index in brackets: `tool_input["url"]`.
    Index,
    /// Any other foreign operator, value or form.
    Form,
    /// A test of a fact that only a command can determine.
    Run,
}

/// The left operand of a test, translated.
struct LeftOperand {
    /// The field or test in the syntax of policies.
    text: String,
    kind: LeftOperandKind,
    /// The foreign construct in the operand; `None` if it is in the syntax of policies.
    what: Option<ForeignConstruct>,
}

/// The kind of a left operand, which determines how it can be compared.
enum LeftOperandKind {
    /// A field, or an expression that means one.
    Field,
    /// A whole test, such as a call of `startsWith`.
    Test,
    /// The length of a field; the text is the field.
    Length,
    /// A field that is compared without regard to case; the text is the field.
    CaseInsensitive,
}

/// Words of other languages for a missing value.
const NOTHING: [&str; 5] = ["null", "none", "nil", "undefined", "missing"];

/// Names of other systems for the program that a command runs.
const PROGRAMS: [&str; 4] = ["proc.name", "process.name", "process.executable.name", "proc.exe"];

/// Translates a single test, without a leading `not` and without `and` or `or`. `None` if it is a test of the policy
/// language, or its meaning is not known.
pub(in crate::syntax) fn translate(text: &str) -> Option<Translation> {
    let attempts: [fn(&mut ForeignReader<'_>) -> Option<Translation>; 10] = [
        grep_test,
        template_expression,
        shell_test,
        phrase::test,
        ilike,
        test_of_list_elements,
        outcome,
        test_of_bound_variable,
        number_comparison,
        comparison_test,
    ];
    reading(text, |reader| {
        attempts.into_iter().find_map(|attempt| {
            (reader.at, reader.bare_words_are_text) = (0, false);
            attempt(reader).filter(|_| reader.is_done())
        })
    })
}

/// Returns a translation with the construct [`ForeignConstruct::Form`].
fn form(right: String) -> Option<Translation> {
    Some(Translation { what: ForeignConstruct::Form, right })
}

/// Translates a test of each element of a list: `["a", "b"].some(x => field.includes(x))`
fn test_of_list_elements(reader: &mut ForeignReader<'_>) -> Option<Translation> {
    let list = reader.list()?;
    reader.eat(".").then_some(())?;
    let name = reader.word()?;
    matches!(name, "some" | "every" | "any" | "all" | "exists" | "exists_one").then_some(())?;
    let (variable, inner) = match reader.arguments()?.as_slice() {
        [lambda] => calls::lambda(lambda)?,
        [variable, inner] => (*variable, *inner),
        _ => return None,
    };
    // An equality with any element is `field in […]`.
    let other = inner.split_once(" == ").and_then(|(one, other)| match variable {
        _ if one.trim() == variable => Some(other),
        _ if other.trim() == variable => Some(one),
        _ => None,
    });
    let right = match other.and_then(calls::field_of).filter(|_| !matches!(name, "every" | "all")) {
        Some(field) => format!("{field} in {list}"),
        None => calls::for_each(&list, variable, inner, matches!(name, "every" | "all"))?,
    };
    Some(Translation { what: ForeignConstruct::Call(name.to_owned()), right })
}

/// Translates SQL's case-insensitive `field ilike "%text%"` to a regex.
fn ilike(reader: &mut ForeignReader<'_>) -> Option<Translation> {
    let field = left_operand(reader)?;
    matches!(field.kind, LeftOperandKind::Field).then_some(())?;
    reader.eat_folded("ilike")?;
    let text = reader.take(TokenKind::Text)?;
    let inner = text.trim_matches(['"', '\'']).replace('*', "%");
    let (begins, ends) = (inner.starts_with('%'), inner.ends_with('%'));
    let middle = values::escaped(inner.trim_matches('%')).replace('%', ".*");
    let (from, to) = (if begins { "" } else { "^" }, if ends { "" } else { "$" });
    form(format!("{} matches /{from}{middle}{to}/i", field.text))
}

/// Translates a test of a command's result to that command: `command "npm test" fails`, `run "make lint" != 0`
fn outcome(reader: &mut ForeignReader<'_>) -> Option<Translation> {
    let word = reader.word();
    let command = reader.take(TokenKind::Text)?;
    // A comparison with the exit code: `run "make lint" != 0`, `exit_code "make lint" > 0`
    let is_run = matches!(word, Some("run" | "exec" | "system" | "sh" | "exit_code" | "shell"));
    if let Some(operator) = is_run.then(|| reader.operator()).flatten() {
        let number = reader.take(TokenKind::Number)?;
        let right = match (operator, number) {
            ("!=" | ">", "0") | ("==" | ">=", "1") => command.to_owned(),
            ("==", "0") => format!("\"! {}", command.strip_prefix('"')?),
            _ => return None,
        };
        return Some(Translation { what: ForeignConstruct::Run, right });
    }
    let outcome = reader.word()?;
    matches!(outcome, "fails" | "failed" | "fail" | "errors" | "exits" | "returns" | "succeeds" | "passes")
        .then_some(())?;
    reader.skip_rest();
    Some(Translation { what: ForeignConstruct::Run, right: command.to_owned() })
}

/// Translates a test of any value of a field: `some x in field`, `some x in field; startswith(x, "a")`
fn test_of_bound_variable(reader: &mut ForeignReader<'_>) -> Option<Translation> {
    matches!(reader.word()?, "some" | "any" | "exists").then_some(())?;
    let variable = reader.word()?;
    reader.eat("in").then_some(())?;
    let field = left_operand(reader)?;
    matches!(field.kind, LeftOperandKind::Field).then_some(())?;
    if reader.is_done() {
        return form(format!("exists {}", field.text));
    }
    matches!(reader.any()?, ";" | ":" | "and" | "&&" | "satisfies" | "where").then_some(())?;
    let inner = reader.rest();
    reader.skip_rest();
    let member_test = test_of_members(&field.text, variable, inner).filter(|test| is_condition(test));
    form(member_test.or_else(|| calls::bound_to(&field.text, variable, inner))?)
}

/// Translates a comparison with a number on the left, or on both sides: `3 < len(field) < 10`, `0 <
/// tool_input.timeout <= 1000`
fn number_comparison(reader: &mut ForeignReader<'_>) -> Option<Translation> {
    let low = reader.take(TokenKind::Number)?;
    let mirrored = match reader.operator()? {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        operator @ ("==" | "!=") => operator,
        _ => return None,
    };
    let left = left_operand(reader)?;
    let test = |operator: &str, number: &str| match left.kind {
        LeftOperandKind::Field => Some(format!("{} {operator} {number}", left.text)),
        LeftOperandKind::Length => length(&left, operator, number),
        LeftOperandKind::Test | LeftOperandKind::CaseInsensitive => None,
    };
    let first = test(mirrored, low)?;
    if reader.is_done() {
        // A field with only a number on its left is reported elsewhere.
        return matches!(left.kind, LeftOperandKind::Length).then(|| form(first))?;
    }
    let operator = reader.operator().filter(|operator| operator.starts_with(['<', '>']))?;
    form(format!("({first} and {})", test(operator, reader.take(TokenKind::Number)?)?))
}

/// Translates a comparison of a field, a call or a member of the payload.
fn comparison_test(reader: &mut ForeignReader<'_>) -> Option<Translation> {
    let left = left_operand(reader)?;
    let translated = |what: Option<ForeignConstruct>, right: String| {
        Some(Translation { what: what.unwrap_or(ForeignConstruct::Form), right })
    };
    match left.kind {
        LeftOperandKind::Test if reader.is_done() => translated(left.what, left.text),
        LeftOperandKind::Test => {
            let holds = expected_truth(reader)?;
            translated(left.what, if holds { left.text } else { format!("not {}", left.text) })
        }
        LeftOperandKind::Length => {
            let right = length(&left, reader.operator()?, reader.take(TokenKind::Number)?)?;
            translated(left.what, right)
        }
        LeftOperandKind::CaseInsensitive => {
            let right = case_insensitive_test(&left.text, reader)?;
            translated(left.what, right)
        }
        LeftOperandKind::Field => {
            let Comparison { right, is_foreign } = field_comparison(&left.text, reader)?;
            (is_foreign || left.what.is_some()).then_some(())?;
            translated(left.what, right)
        }
    }
}

/// Whether a length is a number of elements and not of bytes: of a list, of the words of a command, or of what a
/// function `count` in the source counts in a member of a tool's input.
fn counts_elements(left: &LeftOperand) -> bool {
    let is_count = matches!(&left.what, Some(ForeignConstruct::Call(name)) if name.rsplit('.').next() == Some("count"));
    let field = left.text.as_str();
    matches!(field, "operands" | "args") || is_list(field) || is_count && field.starts_with("tool_input.")
}

/// Reads the comparison of a whole test with a value, such as `== false` or `!= -1`, and returns whether the test
/// must hold; `None` if the comparison has no such meaning.
fn expected_truth(reader: &mut ForeignReader<'_>) -> Option<bool> {
    let operator = reader.operator()?;
    let minus = reader.eat("-");
    let value = reader.any()?;
    let negated = matches!(operator, "!=" | "is not");
    match value.to_ascii_lowercase().as_str() {
        "true" => Some(!negated),
        "false" => Some(negated),
        "null" | "none" | "nil" | "undefined" => Some(negated),
        // The position of a text in another, which is -1 if there is none.
        "1" if minus => Some(negated || operator == ">"),
        "0" if operator == ">=" => Some(true),
        "0" if operator == "<" => Some(false),
        _ => None,
    }
}

/// Reads a field with the constructs that other languages attach to it: calls, indices, `.length`. `None` if a
/// construct has no equivalent.
fn left_operand(reader: &mut ForeignReader<'_>) -> Option<LeftOperand> {
    let (text, is_foreign) = reader.field()?;
    let mut left =
        LeftOperand { text, kind: LeftOperandKind::Field, what: is_foreign.then_some(ForeignConstruct::Form) };
    loop {
        let whole = [".split", ".strip", ".trim", ".splitlines"].iter().find_map(|end| left.text.strip_suffix(end));
        if let Some(whole) = whole.map(str::to_owned).filter(|_| reader.text() == "(" && reader.glued(0)) {
            // A search in the words of a text is translated to a search in the whole text.
            reader.arguments()?;
            left = LeftOperand { text: whole, kind: LeftOperandKind::Field, what: Some(ForeignConstruct::Form) };
        } else if reader.text() == "(" && reader.glued(0) {
            left = calls::call(&left.text, &reader.arguments()?)?;
        } else if reader.text() == "[" && reader.glued(0) {
            reader.at += 1;
            let key = reader.any()?;
            reader.eat("]").then_some(())?;
            let name = key.trim_matches(['"', '\'']);
            // Any element, in Rego's notation: a comparison applies to any of them anyway.
            if matches!(key, "_" | "*") {
                left.what = Some(ForeignConstruct::Index);
                continue;
            }
            let is_name = key.starts_with(['"', '\'']) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            match left.text.as_str() {
                "operands" if !is_name => left.text = operand_at(key).unwrap_or(left.text),
                // Any operand, and any argument: rules have no index of arguments.
                "args" if !is_name => {}
                _ if !is_name || name.is_empty() => return None,
                _ => left.text = calls::member(&left.text, name),
            }
            left.what = Some(ForeignConstruct::Index);
        } else if reader.text() == "?" && reader.text_at(1) == "." && reader.glued(0) {
            reader.at += 1;
            left.what = Some(ForeignConstruct::Form);
        } else if reader.text() == "." && reader.glued(0) {
            reader.at += 1;
            left.text = calls::member(&left.text, reader.word()?);
        } else {
            break;
        }
    }
    let length = left.text.strip_suffix(".length").filter(|_| matches!(left.kind, LeftOperandKind::Field));
    if let Some(field) = length.filter(|field| !field.is_empty()) {
        let what = Some(ForeignConstruct::Call("length".to_owned()));
        return Some(LeftOperand { text: field.to_owned(), kind: LeftOperandKind::Length, what });
    }
    Some(left)
}

/// Returns the operand with an index from 0, or the last one for -1; `None` for any other index.
pub(super) fn operand_at(index: &str) -> Option<String> {
    match index {
        "-1" => Some("last operand".to_owned()),
        index => Some(format!("operand {}", index.parse::<u32>().ok()?.checked_add(1)?)),
    }
}

/// A comparison of a field in the syntax of policies.
struct Comparison {
    /// The text of the comparison.
    right: String,
    /// Whether the source was in the notation of another language.
    is_foreign: bool,
}

impl Comparison {
    /// Returns a comparison whose source was in another language.
    fn foreign(right: String) -> Option<Self> {
        Some(Self { right, is_foreign: true })
    }

    /// Returns a comparison whose source was already in the policy language.
    fn unchanged(right: String) -> Option<Self> {
        Some(Self { right, is_foreign: false })
    }
}

/// Reads the operator and the value after a field, and returns the comparison in the syntax of policies.
fn field_comparison(field: &str, reader: &mut ForeignReader<'_>) -> Option<Comparison> {
    if reader.is_done() {
        return Comparison::unchanged(field.to_owned());
    }
    let written = reader.rest();
    let operator = reader.operator()?;
    let negated = matches!(operator, "!=" | "is not");
    match operator {
        "==" | "!=" | "is" | "is not" if NOTHING.iter().any(|word| reader.text().eq_ignore_ascii_case(word)) => {
            // A comparison with the policy language's `null` is reported elsewhere.
            let is_foreign = reader.any()? != "null" || operator.starts_with("is");
            let not = if negated { "" } else { "not " };
            Some(Comparison { right: format!("{not}exists {field}"), is_foreign })
        }
        "==" | "in" if PROGRAMS.contains(&field) => {
            Comparison::foreign(format!("runs {}", patterns_of(reader.texts()?)))
        }
        "is" | "is not" => {
            let (value, is_foreign) = reader.value()?;
            let policy_operator = if negated { "!=" } else { "==" };
            Some(Comparison { right: format!("{field} {policy_operator} {value}"), is_foreign })
        }
        "like" | "not like" if reader.text().contains('%') => {
            let glob = glob_of_sql(field, reader.take(TokenKind::Text)?);
            Comparison::foreign(format!("{field} {operator} \"{glob}\""))
        }
        "contains" | "starts_with" | "ends_with"
            if matches!(reader.text(), "any" | "any_of" | "one_of" | "either") && reader.text_at(1) == "[" =>
        {
            reader.at += 1;
            Comparison::foreign(calls::test_each_text(field, operator, &reader.texts()?, "or"))
        }
        "matches" | "not matches" => regex_comparison(field, operator, reader),
        _ => {
            let is_folder = operator == "in" && field == "path" && reader.text_at(1) == "::";
            let is_in_capitals = written.split_whitespace().next().is_some_and(|word| word == "IN");
            let (value, is_foreign) = reader.value()?;
            let operator = if is_folder { "under" } else { operator };
            let is_foreign = is_foreign || is_in_capitals && value.starts_with('[');
            Some(Comparison { right: format!("{field} {operator} {value}"), is_foreign })
        }
    }
}

/// Returns the command patterns for the names of programs: a string or a list.
fn patterns_of(programs: Vec<String>) -> String {
    let quoted = |text: String| if text.starts_with(['"', '\'']) { text } else { format!("\"{text}\"") };
    let programs: Vec<String> = programs.into_iter().map(quoted).collect();
    match programs.as_slice() {
        [only] => only.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}

/// Returns the glob for a pattern of SQL, in which `%` is any text. On a path, `dir/%` becomes `dir/**`.
fn glob_of_sql(field: &str, pattern: &str) -> String {
    let inner = pattern.trim_matches(['"', '\'']);
    // In the glob of a path, `*` does not match slashes.
    let is_path = field == "path" || field.ends_with("_path");
    let inner = match inner.strip_suffix("/%").filter(|_| is_path) {
        Some(directory) => format!("{directory}/**"),
        None => inner.to_owned(),
    };
    let inner = match inner.strip_prefix("%/").filter(|_| is_path) {
        Some(rest) => format!("**/{rest}"),
        None => inner,
    };
    inner.replace('%', "*")
}

/// Reads the regex after `matches` or `not matches`, and returns the comparison in the syntax of policies.
fn regex_comparison(field: &str, operator: &str, reader: &mut ForeignReader<'_>) -> Option<Comparison> {
    let needs_no_change = matches!(reader.kind(), Some(TokenKind::Regex | TokenKind::Text)) || reader.text().is_empty();
    let is_name = reader.kind() == Some(TokenKind::Word) && reader.nth(1).is_none() && !reader.text().contains('/');
    if needs_no_change || is_name {
        return Comparison::unchanged(format!("{field} {operator} {}", reader.any()?));
    }
    let regex = reader.regex()?;
    Comparison::foreign(match calls::directory_of_regex(field, &regex) {
        Some(directory) if operator == "matches" => format!("{field} under {directory}"),
        Some(directory) => format!("{field} outside {directory}"),
        None => format!("{field} {operator} {regex}"),
    })
}

/// Reads a comparison without regard to case, and returns a test by a regex with the flag `i`, or by a glob for a
/// path.
fn case_insensitive_test(field: &str, reader: &mut ForeignReader<'_>) -> Option<String> {
    let operator = reader.operator()?;
    let text = reader.take(TokenKind::Text)?;
    let inner = text.trim_matches(['"', '\'']);
    // Globs of paths are compared without regard to case if the file system does so.
    if field == "path" || field.ends_with("_path") {
        return matches!(operator, "==" | "!=").then(|| match operator {
            "==" => format!("{field} like {text}"),
            _ => format!("{field} not like {text}"),
        });
    }
    let escaped = values::escaped(inner);
    let (pattern, not) = match operator {
        "==" => (format!("^{escaped}$"), ""),
        "!=" => (format!("^{escaped}$"), "not "),
        "contains" => (escaped, ""),
        "starts_with" => (format!("^{escaped}"), ""),
        "ends_with" => (format!("{escaped}$"), ""),
        _ => return None,
    };
    Some(format!("{not}{field} matches /{pattern}/i"))
}

/// Returns a test of the length of a text, or of the number of a list's elements. `None` for another operator, or a
/// number that is not a size.
fn length(left: &LeftOperand, operator: &str, number: &str) -> Option<String> {
    let digits = number.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match number.get(digits.len()..)?.to_ascii_uppercase().as_str() {
        "" | "B" => "",
        "KB" | "K" => "KB",
        "MB" | "M" => "MB",
        _ => return None,
    };
    let is_order = matches!(operator, "<" | "<=" | ">" | ">=" | "==" | "!=");
    (is_order && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(())?;
    let field = &left.text;
    let word = if counts_elements(left) { "count" } else { "length" };
    Some(format!("{word} {field} {operator} {digits}{unit}"))
}

/// Returns the test equivalent to a permission of the host, given its tool and the text in its parentheses: `runs
/// "git push"` for `Bash(git push:*)`.
pub(in crate::syntax) fn test_for_permission(tool: &str, inner: &str) -> String {
    let inner = inner.trim();
    match (tool, inner.strip_prefix("domain:")) {
        ("Bash", _) => format!("runs \"{}\"", inner.trim_end_matches(":*").trim_end_matches(" *").trim()),
        (_, Some(domain)) => format!("domain == \"{domain}\""),
        _ => {
            // In the host's notation, `/src` is a path in the project, and `//etc` an absolute path.
            let path = inner.strip_prefix("//").map(|path| format!("/{path}"));
            let path = path.or_else(|| inner.strip_prefix('/').map(str::to_owned)).unwrap_or_else(|| inner.to_owned());
            format!("path like \"{path}\"")
        }
    }
}

/// Whether a field is a member of a tool's input that is a list.
fn is_list(field: &str) -> bool {
    let Some(member) = field.strip_prefix("tool_input.") else { return false };
    let mut fields = TOOLS.iter().flat_map(|tool| tool.input).filter(|field| field.name == member);
    fields.any(|field| matches!(field.ty, FieldType::List(_)))
}

/// Whether a word can be the name of a field: neither reserved nor a word for a missing value.
fn is_field(word: &str) -> bool {
    let first = word.split('.').next().unwrap_or_default();
    !words::is_reserved(first) && !NOTHING.contains(&first) && !first.is_empty()
}

#[cfg(test)]
mod tests;
