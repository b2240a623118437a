//! Calls of functions and methods, and the equivalent tests.

use super::super::reader::reading;
use super::values::ours;
use super::{ForeignConstruct, LeftOperand, LeftOperandKind, left, phrase};
use crate::phrases::{self, PhrasePlace};
use crate::syntax::token::{TokenKind, tokenise};

/// Returns a member of an object.
pub(super) fn member(object: &str, name: &str) -> String {
    match object {
        "os.environ" | "process.env" => format!("env.{name}"),
        _ => format!("{object}.{name}"),
    }
}

/// Returns the field that an argument names.
pub(super) fn field_of(argument: &str) -> Option<String> {
    reading(argument, |reader| {
        let left = left(reader)?;
        (reader.is_done() && matches!(left.kind, LeftOperandKind::Field)).then_some(left.text)
    })
}

/// Returns the tests of a field against each of some texts.
pub(super) fn each(field: &str, operator: &str, texts: &[String], join: &str) -> String {
    let is_command = matches!(field, "command" | "tool_input.command");
    let one = |text: &String| {
        let begins_with_program =
            text.get(1..).is_some_and(|text| text.starts_with(|c: char| c.is_ascii_alphanumeric()));
        let is_plain = !text.contains(['|', '&', ';', '>', '<', '$', '\\', '(', ')', '!']);
        // A comparison of a command's text is evaded by other spellings.
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

/// Returns the directory of the project that is meant by the beginning of a path: paths are absolute when they are
/// compared as texts.
fn directory(field: &str, operator: &str, text: &str) -> Option<String> {
    let is_path = matches!(field, "path" | "all path" | "tool_input.file_path");
    let name = text.trim_matches(['"', '\'']).strip_suffix('/').filter(|_| is_path && operator == "starts_with")?;
    (!name.is_empty() && !name.starts_with(['/', '~', '$'])).then(|| format!("\"{name}\""))
}

/// Returns the directory that a regex for a path spells out: `/^src\//`.
pub(super) fn below(field: &str, regex: &str) -> Option<String> {
    let inner = regex.strip_prefix("/^")?.strip_suffix("\\//")?;
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    inner.bytes().all(is_plain).then(|| directory(field, "starts_with", &format!("\"{inner}/\"")))?
}

/// Translates a call: `field.startsWith`, `startswith`, `re.search`, `len`, with its arguments.
pub(super) fn call(name: &str, arguments: &[&str]) -> Option<LeftOperand> {
    let (receiver, function) = match name.rsplit_once('.') {
        Some((receiver, function)) => (Some(receiver), function),
        None => (None, name),
    };
    let plain = PhrasePlace::Test.folded(function);
    let made = |text: String, kind: LeftOperandKind| {
        Some(LeftOperand { text, kind, what: Some(ForeignConstruct::Call(name.to_owned())) })
    };
    if let Some(test) = quantified(receiver, &plain, arguments) {
        return made(test, LeftOperandKind::Test);
    }
    // `contains(fromJSON('["a", "b"]'), field)`
    if let (true, None, [list, field]) = (is_search(&plain), receiver, arguments)
        && let (Some(list), Some(field)) = (list_in(list), field_of(field))
    {
        return made(format!("{field} in {list}"), LeftOperandKind::Test);
    }
    // `secrets.includes(path)`, if the list is in a `let`.
    if let (true, Some(list), [argument]) =
        (is_search(&plain) && receiver.is_some_and(is_plain_name), receiver, arguments)
        && let Some(tested) = field_of(argument)
    {
        return made(format!("{tested} in {list}"), LeftOperandKind::Test);
    }
    let (text, kind) = phrase::call(receiver, &plain, arguments)?;
    made(text, kind)
}

/// Whether a function searches a text or a list for one value.
fn is_search(function: &str) -> bool {
    let method = phrases::meaning(PhrasePlace::Test, &format!("$field.{function}($texts)"));
    method == Some("$field contains $texts") && !function.ends_with("any") && !function.ends_with("anyof")
}

/// Returns the list that an argument is, or contains as a text: `fromJSON('["a", "b"]')`.
fn list_in(argument: &str) -> Option<String> {
    let inner = argument.strip_prefix("fromJSON(").and_then(|rest| rest.strip_suffix(')')).map(str::trim);
    let text = inner.map_or(argument, |inner| inner.trim_matches('\''));
    let is_list = text.starts_with('[');
    reading(text, |reader| reader.list().filter(|_| is_list && reader.is_done()))
}

/// Whether a name may be that of a `let`, being neither a member nor a field with a text of the event.
fn is_plain_name(name: &str) -> bool {
    !name.contains('.') && !matches!(name, "path" | "command" | "content" | "url" | "prompt" | "domain" | "agent")
}

/// Returns the texts of an argument: one, or the elements of a tuple or list.
pub(super) fn literals(argument: &str) -> Option<Vec<String>> {
    reading(argument, |reader| {
        let texts = reader.texts()?;
        (reader.is_done() && texts.iter().all(|text| text.starts_with(['"', '\'']))).then_some(texts)
    })
}

/// `any(p.endswith("a") for p in path)`, `path.exists(p, …)`, `path.some(p => …)`
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

/// Converts a test of a variable that ranges over a field's values to a test of the field.
pub(in crate::syntax::diagnose) fn bound_to(field: &str, variable: &str, inner: &str) -> Option<String> {
    Some(ours(&filled(inner, variable, field)?))
}

/// Splits `x => test` into the variable and the test.
pub(super) fn lambda(text: &str) -> Option<(&str, &str)> {
    let (variable, test) = text.split_once("=>").or_else(|| text.split_once("->"))?;
    Some((variable.trim().trim_matches(['(', ')', '|']), test.trim()))
}

/// Expands a test for each of some texts, which replace its variable.
pub(super) fn for_each(list: &str, variable: &str, inner: &str, all: bool) -> Option<String> {
    let bracketed = list.replace('(', "[").replace(')', "]");
    let tests: Vec<String> =
        literals(&bracketed)?.iter().map(|text| Some(ours(&filled(inner, variable, text)?))).collect::<Option<_>>()?;
    // A test that is still foreign is not proposed.
    let is_known = |test: &String| !test.contains('(') && test.contains(' ');
    tests.iter().all(is_known).then_some(())?;
    match tests.as_slice() {
        [only] => Some(only.clone()),
        _ => Some(format!("({})", tests.join(if all { " and " } else { " or " }))),
    }
}

/// Replaces a variable in a text.
fn filled(text: &str, variable: &str, value: &str) -> Option<String> {
    let is_name = !variable.is_empty() && variable.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    is_name.then_some(())?;
    let mut out = String::new();
    let mut behind = 0;
    for token in tokenise(text).filter(|token| token.kind == TokenKind::Word) {
        let word = token.text(text);
        if word == variable || word.strip_prefix(variable).is_some_and(|rest| rest.starts_with('.')) {
            out.push_str(text.get(behind..token.start)?);
            out.push_str(value);
            behind = token.start + variable.len();
        }
    }
    out.push_str(text.get(behind..)?);
    Some(out)
}
