//! What looks like a command in the input of a tool that no table knows: a text, or a program with its arguments.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use hookrules_shell::quote_unless;

/// Members that look like a shell command.
const COMMANDS: &[&str] = &["command", "cmd", "script", "shell_command"];

/// Members that look like the arguments of a program beside it.
const ARGUMENTS: &[&str] = &["args", "arguments", "argv"];

/// A member that looks like a program with its arguments where nothing else does.
const CALL: &str = "argv";

/// Tells whether the arguments of a program stand beside its name.
pub(super) fn has_arguments(input: &Map<String, Json>) -> bool {
    ARGUMENTS.iter().filter_map(|member| input.get(*member)).any(|value| match value {
        Json::Array(words) => !words.is_empty(),
        Json::String(text) => !text.trim().is_empty(),
        _ => false,
    })
}

/// Tells whether what looks like a command is neither a text nor a list of words, or lies a level down.
pub(super) fn is_odd(input: &Map<String, Json>) -> bool {
    let commands = |input: &Map<String, Json>| -> Vec<bool> {
        let held = COMMANDS.iter().filter_map(|member| input.get(*member));
        held.filter(|value| !value.is_null()).map(|value| value.is_string() || words(value).is_some()).collect()
    };
    let inner = input.values().filter_map(Json::as_object);
    commands(input).contains(&false) || inner.map(commands).any(|held| !held.is_empty())
}

/// Returns the shell text that the input comes to, if it has any: a line for each member that looks like a command.
pub(super) fn text(input: &Map<String, Json>) -> Option<Cow<'_, str>> {
    let is_said = |value: &&Json| !value.is_null() && value.as_array().is_none_or(|words| !words.is_empty());
    let commands: Vec<&Json> = COMMANDS.iter().filter_map(|member| input.get(*member)).filter(is_said).collect();
    let arguments = arguments(input);
    if let ([Json::String(text)], true) = (commands.as_slice(), arguments.is_empty()) {
        return Some(Cow::Borrowed(text));
    }
    let mut lines: Vec<String> = Vec::new();
    for command in commands {
        match command {
            Json::String(text) => {
                let behind = behind(text, &arguments);
                let is_word = !text.is_empty() && text.chars().all(is_plain);
                // A name with blanks is one program, or text that a shell gets with the arguments behind it.
                if !is_word && !behind.is_empty() {
                    lines.push(format!("{}{behind}", quoted(text)));
                }
                lines.push(format!("{text}{behind}"));
            }
            list => lines.extend(words(list).map(|words| format!("{}{}", words.join(" "), behind("", &arguments)))),
        }
    }
    if lines.is_empty() {
        let call = input.get(CALL).and_then(words)?;
        lines.push(call.join(" "));
    }
    Some(Cow::Owned(lines.join("\n")))
}

/// One member with arguments.
enum Arguments<'j> {
    /// Words as a shell reads them back.
    Words(Vec<String>),
    /// Text.
    Text(&'j str),
}

fn arguments(input: &Map<String, Json>) -> Vec<Arguments<'_>> {
    let of = |member: &&str| match input.get(*member)? {
        Json::String(text) if !text.trim().is_empty() => Some(Arguments::Text(text)),
        list => words(list).filter(|words| !words.is_empty()).map(Arguments::Words),
    };
    ARGUMENTS.iter().filter_map(of).collect()
}

/// Returns what stands behind a program: its arguments, without its own name at their beginning.
fn behind(program: &str, arguments: &[Arguments<'_>]) -> String {
    let mut text = String::new();
    for one in arguments {
        text.push(' ');
        match one {
            Arguments::Text(arguments) => text.push_str(arguments),
            Arguments::Words(words) => {
                let own = quoted(program);
                let words = words.strip_prefix(std::slice::from_ref(&own)).unwrap_or(words);
                text.push_str(&words.join(" "));
            }
        }
    }
    text
}

/// Returns the words of a list, each so that a shell reads it as it is.
fn words(list: &Json) -> Option<Vec<String>> {
    let word = |word: &Json| match word {
        Json::String(text) => quoted(text),
        other => quoted(&other.to_string()),
    };
    Some(list.as_array()?.iter().map(word).collect())
}

fn quoted(word: &str) -> String {
    quote_unless(word, is_plain)
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "-_./,+%@:".contains(c)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(input: Json) -> Option<String> {
        text(input.as_object().unwrap()).map(Cow::into_owned)
    }

    #[test]
    fn arguments_stand_behind_their_program_word_by_word() {
        for (input, expected) in [
            (json!({"cmd": "git push; ls"}), "git push; ls"),
            (json!({"command": "git", "args": ["push", "--force"]}), "git push --force"),
            (
                json!({"command": "git", "arguments": ["commit", "-m", "a; git push 'x'"]}),
                "git commit -m 'a; git push '\\''x'\\'''",
            ),
            (json!({"command": "git", "argv": ["git", "push"]}), "git push"),
            (json!({"command": ["git", "push", "$X", 1]}), "git push '$X' 1"),
            (json!({"command": ["git"], "args": ["push"]}), "git push"),
            (json!({"command": "git push", "args": ["-f"]}), "'git push' -f\ngit push -f"),
            (json!({"command": "git", "args": "push -f"}), "git push -f"),
            (json!({"command": "git", "args": []}), "git"),
            (json!({"argv": ["git", "push"]}), "git push"),
            (json!({"command": "build", "script": "git push"}), "build\ngit push"),
        ] {
            assert_eq!(of(input.clone()).as_deref(), Some(expected), "{input}");
        }
        for input in [json!({"args": ["push"]}), json!({"argv": "git"}), json!({"path": "x"})] {
            assert_eq!(of(input.clone()), None, "{input}");
        }
    }
}
