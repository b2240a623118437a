//! Translates calls of functions and methods.

use super::super::reader::reading;
use super::values::in_policy_syntax;
use super::{ForeignConstruct, LeftOperand, LeftOperandKind, left_operand, phrase};
use crate::phrases::{self, PhrasePlace};
use crate::syntax::token::{TokenKind, tokenise};

/// Returns the field for the member `name` of an object: `object.name`, or `env.NAME` for `os.environ` and
/// `process.env`.
pub(super) fn member(object: &str, name: &str) -> String {
    match object {
        "os.environ" | "process.env" => format!("env.{name}"),
        _ => format!("{object}.{name}"),
    }
}

/// Returns the field that an argument names, in the syntax of policies; `None` if the argument is anything else.
pub(super) fn field_of(argument: &str) -> Option<String> {
    reading(argument, |reader| {
        let left = left_operand(reader)?;
        (reader.is_done() && matches!(left.kind, LeftOperandKind::Field)).then_some(left.text)
    })
}

/// Returns tests of a field against each of several texts, joined by `join`. A search for a program in the command
/// becomes `runs`.
pub(super) fn test_each_text(field: &str, operator: &str, texts: &[String], join: &str) -> String {
    let is_command = matches!(field, "command" | "tool_input.command");
    let one = |text: &String| {
        let begins_with_program =
            text.get(1..).is_some_and(|text| text.starts_with(|c: char| c.is_ascii_alphanumeric()));
        let is_plain = !text.contains(['|', '&', ';', '>', '<', '$', '\\', '(', ')', '!']);
        // Other spellings of a command would evade a comparison of its text.
        if is_command && begins_with_program && is_plain && matches!(operator, "starts_with" | "contains") {
            format!("runs {text}")
        } else if let Some(directory) = directory(field, operator, text) {
            format!("{field} under {directory}")
        } else {
            format!("{field} {operator} {text}")
        }
    };
    let tests: Vec<String> = texts.iter().map(one).collect();
    match tests.as_slice() {
        [only] => only.clone(),
        _ => format!("({})", tests.join(&format!(" {join} "))),
    }
}

/// Returns the directory, as a string literal, if a test asks whether a path starts with a relative directory
/// (`"src/"`); else `None`. Paths are absolute when they are compared as texts, so such a test would never hold.
fn directory(field: &str, operator: &str, text: &str) -> Option<String> {
    let is_path = matches!(field, "path" | "all path" | "tool_input.file_path");
    let name = text.trim_matches(['"', '\'']).strip_suffix('/').filter(|_| is_path && operator == "starts_with")?;
    (!name.is_empty() && !name.starts_with(['/', '~', '$'])).then(|| format!("\"{name}\""))
}

/// Returns the directory, as a string literal, that a regex on a path spells out: `"src"` for `/^src\//`; else
/// `None`.
pub(super) fn directory_of_regex(field: &str, regex: &str) -> Option<String> {
    let inner = regex.strip_prefix("/^")?.strip_suffix("\\//")?;
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    inner.bytes().all(is_plain).then(|| directory(field, "starts_with", &format!("\"{inner}/\"")))?
}

/// Translates a call, given its name and its arguments: `field.startsWith`, `startswith`, `re.search`, `len`. `None`
/// if the function is unknown.
pub(super) fn call(name: &str, arguments: &[&str]) -> Option<LeftOperand> {
    let (receiver, function) = match name.rsplit_once('.') {
        Some((receiver, function)) => (Some(receiver), function),
        None => (None, name),
    };
    let folded = PhrasePlace::Test.folded(function);
    let translated = |text: String, kind: LeftOperandKind| {
        Some(LeftOperand { text, kind, what: Some(ForeignConstruct::Call(name.to_owned())) })
    };
    if let Some(test) = quantified(receiver, &folded, arguments) {
        return translated(test, LeftOperandKind::Test);
    }
    // A search in a list that is written out: `contains(fromJSON('["a", "b"]'), field)`
    if let (true, None, [list, field]) = (is_search(&folded), receiver, arguments)
        && let (Some(list), Some(field)) = (list_in(list), field_of(field))
    {
        return translated(format!("{field} in {list}"), LeftOperandKind::Test);
    }
    // A search in a list that may be a `let`: `secrets.includes(path)`
    if let (true, Some(list), [argument]) =
        (is_search(&folded) && receiver.is_some_and(is_plain_name), receiver, arguments)
        && let Some(tested) = field_of(argument)
    {
        return translated(format!("{tested} in {list}"), LeftOperandKind::Test);
    }
    let (text, kind) = phrase::call(receiver, &folded, arguments)?;
    translated(text, kind)
}

/// Whether a function searches for one value in a text or a list, as `includes` does.
fn is_search(function: &str) -> bool {
    let method = phrases::meaning(PhrasePlace::Test, &format!("$field.{function}($texts)"));
    method == Some("$field contains $texts") && !function.ends_with("any") && !function.ends_with("anyof")
}

/// Returns the list that an argument is, or contains as a text: `["a", "b"]` for `fromJSON('["a", "b"]')`.
fn list_in(argument: &str) -> Option<String> {
    let inner = argument.strip_prefix("fromJSON(").and_then(|rest| rest.strip_suffix(')')).map(str::trim);
    let text = inner.map_or(argument, |inner| inner.trim_matches('\''));
    let is_list = text.starts_with('[');
    reading(text, |reader| reader.list().filter(|_| is_list && reader.is_done()))
}

/// Whether a name may be the name of a `let`: neither a member nor a field whose value is a text.
fn is_plain_name(name: &str) -> bool {
    !name.contains('.') && !matches!(name, "path" | "command" | "content" | "url" | "prompt" | "domain" | "agent")
}

/// Returns the strings of an argument, which is one string or a list or tuple of strings; `None` if it is anything
/// else.
pub(super) fn literals(argument: &str) -> Option<Vec<String>> {
    reading(argument, |reader| {
        let texts = reader.texts()?;
        (reader.is_done() && texts.iter().all(|text| text.starts_with(['"', '\'']))).then_some(texts)
    })
}

/// Translates a quantified test of a field: `any(p.endswith("a") for p in path)`, `path.exists(p, …)`, `path.some(p
/// => …)`
fn quantified(receiver: Option<&str>, function: &str, arguments: &[&str]) -> Option<String> {
    let all = matches!(function, "all" | "every" | "forall");
    (all || matches!(function, "any" | "some" | "exists")).then_some(())?;
    let (variable, field, inner) = match (receiver, arguments) {
        (None, [comprehension]) => {
            let (inner, domain) = comprehension.split_once(" for ")?;
            let (variable, field) = domain.split_once(" in ")?;
            if field.trim_start().starts_with(['[', '(']) {
                return for_each(field.trim(), variable.trim(), inner, all);
            }
            (variable.trim(), field.trim(), inner)
        }
        (Some(field), [variable, inner]) => (*variable, field, *inner),
        (Some(field), [lambda]) => {
            let (variable, inner) = self::lambda(lambda)?;
            (variable, field, inner)
        }
        _ => return None,
    };
    let field = field_of(field)?;
    let test = bound_to(&field, variable, inner)?;
    let is_comparison = !test.starts_with(['(', '!']) && !test.starts_with("not ") && !test.starts_with("runs ");
    match all {
        true if is_comparison => Some(format!("all {test}")),
        true => None,
        false => Some(test),
    }
}

/// Converts a test of a variable, which takes each value of a field, to a test of the field.
pub(in crate::syntax::diagnose) fn bound_to(field: &str, variable: &str, inner: &str) -> Option<String> {
    Some(in_policy_syntax(&replace_variable(inner, variable, field)?))
}

/// Splits `x => test` into the variable and the test; `None` if there is no arrow.
pub(super) fn lambda(text: &str) -> Option<(&str, &str)> {
    let (variable, test) = text.split_once("=>").or_else(|| text.split_once("->"))?;
    Some((variable.trim().trim_matches(['(', ')', '|']), test.trim()))
}

/// Returns the tests that result if the variable of a test is replaced by each string of a list, joined by `or`, or
/// by `and` if `all`. `None` if a test cannot be translated.
pub(super) fn for_each(list: &str, variable: &str, inner: &str, all: bool) -> Option<String> {
    let bracketed = list.replace('(', "[").replace(')', "]");
    let tests: Vec<String> = literals(&bracketed)?
        .iter()
        .map(|text| Some(in_policy_syntax(&replace_variable(inner, variable, text)?)))
        .collect::<Option<_>>()?;
    // A test with a call in it is still foreign, and is not proposed.
    let is_known = |test: &String| !test.contains('(') && test.contains(' ');
    tests.iter().all(is_known).then_some(())?;
    match tests.as_slice() {
        [only] => Some(only.clone()),
        _ => Some(format!("({})", tests.join(if all { " and " } else { " or " }))),
    }
}

/// Replaces a variable in a text by a value; `None` if the variable is not a name.
fn replace_variable(text: &str, variable: &str, value: &str) -> Option<String> {
    let is_name = !variable.is_empty() && variable.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_name.then_some(())?;
    let mut out = String::new();
    let mut copied_to = 0;
    for token in tokenise(text).filter(|token| token.kind == TokenKind::Word) {
        let word = token.text(text);
        if word == variable || word.strip_prefix(variable).is_some_and(|rest| rest.starts_with('.')) {
            out.push_str(text.get(copied_to..token.start)?);
            out.push_str(value);
            copied_to = token.start + variable.len();
        }
    }
    out.push_str(text.get(copied_to..)?);
    Some(out)
}
