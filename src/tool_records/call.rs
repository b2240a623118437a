//! Applies a record to the input of a call: returns the values at a path, and the equivalent command.

use std::borrow::Cow;

use serde_json::Value as Json;

use hookrules_shell::quote::quote_unless;

use super::template::{self, MemberState, WordGroup, WordPiece};

/// The error that a member is an object where a command needs a word, so the command is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnexpectedObject;

/// Returns the values at a dotted path. If the path leads through a list, the member of each of its items is
/// returned.
#[must_use]
pub fn values<'j>(input: &'j Json, path: &str) -> Vec<&'j Json> {
    let mut found = vec![input];
    for name in path.split('.') {
        let each = found.into_iter().flat_map(|value| match value {
            Json::Array(items) => items.as_slice(),
            other => std::slice::from_ref(other),
        });
        found = each.filter_map(|value| value.get(name)).collect();
    }
    found
}

/// Returns the equivalent command as shell text, with each word quoted where necessary; `None` if a required member
/// is missing.
///
/// # Errors
/// Fails if a member is an object where a word is needed.
pub fn command(text: &str, input: &Json) -> Result<Option<String>, UnexpectedObject> {
    // The command was validated when the record was parsed.
    let Ok(groups) = template::parse(text) else { return Ok(None) };
    let mut words = Vec::new();
    for group in &groups {
        match group_words(group, input)? {
            Some(words_of_group) => words.extend(words_of_group),
            None if group.is_optional => {}
            None => return Ok(None),
        }
    }
    Ok(Some(words.join(" ")))
}

/// Returns the words of a part of a command; `None` if a condition of the part does not hold, or a member in it has
/// no value.
fn group_words(group: &WordGroup<'_>, input: &Json) -> Result<Option<Vec<String>>, UnexpectedObject> {
    for condition in &group.conditions {
        let given = values(input, condition.member);
        let holds = match condition.state {
            MemberState::True => given.iter().any(|value| is_given(value)),
            MemberState::Empty => !given.iter().any(|value| is_given(value)),
            MemberState::Value(value) => given.iter().any(|given| scalar_text(given).is_some_and(|text| text == value)),
        };
        if !holds {
            return Ok(None);
        }
    }
    let mut words = Vec::new();
    for word in &group.words {
        let mut variants = vec![String::new()];
        for piece in word {
            match piece {
                // A member that is a whole word may become several words.
                WordPiece::Member(member) if word.len() == 1 => {
                    variants.clear();
                    values(input, member).into_iter().try_for_each(|value| collect_words(value, &mut variants))?;
                    if variants.is_empty() {
                        return Ok(None);
                    }
                }
                WordPiece::Text(text) => variants.iter_mut().for_each(|word| word.push_str(text)),
                WordPiece::Member(member) => {
                    let mut texts = Vec::new();
                    values(input, member).into_iter().try_for_each(|value| collect_texts(value, &mut texts))?;
                    if texts.is_empty() {
                        return Ok(None);
                    }
                    // A member within a word makes one word of each of its values.
                    let each = texts.iter().flat_map(|text| variants.iter().map(move |word| format!("{word}{text}")));
                    variants = each.collect();
                }
            }
        }
        words.extend(variants.iter().map(|word| quote_unless(word, is_plain)));
    }
    Ok(Some(words))
}

/// Adds the words of a value: a scalar, each item of a list, or each member of an object as an option
/// (`--name=value`).
fn collect_words(value: &Json, out: &mut Vec<String>) -> Result<(), UnexpectedObject> {
    let Json::Object(options) = value else {
        let mut texts = Vec::new();
        collect_texts(value, &mut texts)?;
        out.extend(texts.into_iter().map(Cow::into_owned));
        return Ok(());
    };
    for (name, value) in options {
        match value {
            Json::Bool(true) => out.push(format!("--{name}")),
            value => {
                let mut texts = Vec::new();
                collect_texts(value, &mut texts)?;
                out.extend(texts.iter().map(|text| format!("--{name}={text}")));
            }
        }
    }
    Ok(())
}

/// Adds the text of a scalar, or of each item of a list.
fn collect_texts<'j>(value: &'j Json, out: &mut Vec<Cow<'j, str>>) -> Result<(), UnexpectedObject> {
    match value {
        Json::Array(items) => items.iter().try_for_each(|item| collect_texts(item, out)),
        Json::Object(_) => Err(UnexpectedObject),
        other => {
            out.extend(scalar_text(other));
            Ok(())
        }
    }
}

/// Returns the text of a string, number or boolean; `None` for another value.
fn scalar_text(value: &Json) -> Option<Cow<'_, str>> {
    match value {
        Json::String(text) => Some(Cow::Borrowed(text)),
        Json::Number(number) => Some(Cow::Owned(number.to_string())),
        Json::Bool(truth) => Some(Cow::Borrowed(if *truth { "true" } else { "false" })),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

/// Whether a value counts as given: it is neither `null` nor empty, and neither `false` nor `"false"`.
fn is_given(value: &Json) -> bool {
    match value {
        Json::Null | Json::Bool(false) => false,
        Json::String(text) => !text.is_empty() && text != "false",
        Json::Array(items) => !items.is_empty(),
        Json::Bool(true) | Json::Number(_) | Json::Object(_) => true,
    }
}

/// Whether a character needs no quotes in a shell word.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "-_./,+%@:".contains(c)
}
