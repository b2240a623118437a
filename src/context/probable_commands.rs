//! Finds probable shell commands in the input of an unlisted tool: a text, or a program with its arguments.

mod program;

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::derived::texts_in;
use crate::tool_records::comparable_name;
use hookrules_shell::quote::quote_unless;
pub(super) use program::lines as of_program;

/// The members that probably contain a shell command. Here and below, different spellings of a name are equal:
/// `commandLine`, `command_line`, `COMMAND`.
const COMMANDS: &[&str] = &["command", "cmd", "script", "shell_command", "command_line", "cmdline", "bash", "exec"];

/// The members that probably name a program if there are also arguments.
const PROGRAMS: &[&str] = &["program", "executable", "binary"];

/// The members that probably are the arguments of a program in the same object.
const ARGUMENTS: &[&str] = &["args", "arguments", "argv"];

/// The members that probably contain several commands, or the words of one command.
const SEVERAL: &[&str] = &["commands", "cmds"];

/// More members of a shell tool's input that may contain code, or text that a shell reads.
const CODE: &[&str] = &[
    "code",
    "source_code",
    "snippet",
    "stdin",
    "input",
    "run",
    "eval",
    "expression",
    "pipeline",
    "statement",
    "statements",
    "shell",
    "sh",
    "zsh",
    "python",
];

/// The last words of other names of members with code: `setup_script`, `preCommand`.
const CODE_ENDS: &[&str] = &["command", "commands", "cmd", "cmds", "code", "script", "scripts"];

/// The members of [`CODE`] whose value may be just the name of a shell.
const SHELLS: &[&str] = &["shell", "sh", "zsh", "python"];

/// The members that contain the input of another tool, perhaps as a string of JSON.
const CARRIERS: &[&str] = &["arguments", "args", "input", "params", "parameters", "kwargs", "payload", "request"];

/// The number of levels of nested objects that are searched.
const MAX_LEVELS: usize = 4;

/// Returns the input with the JSON in its strings parsed in place, as for a tool that calls another one:
/// `{"arguments": "{\"command\": \"make\"}"}`. `None` if no string has JSON. Members for which `is_known` holds are
/// unchanged.
pub(super) fn parse_json_strings(
    input: &Map<String, Json>,
    is_known: &dyn Fn(&str) -> bool,
) -> Option<Map<String, Json>> {
    parse_json_strings_to_level(input, is_known, MAX_LEVELS)
}

/// Like [`parse_json_strings`], for this many levels of objects.
fn parse_json_strings_to_level(
    input: &Map<String, Json>,
    is_known: &dyn Fn(&str) -> bool,
    levels: usize,
) -> Option<Map<String, Json>> {
    let levels = levels.checked_sub(1)?;
    let mut replaced: Option<Map<String, Json>> = None;
    for (name, value) in input.iter().filter(|(name, _)| !is_known(name)) {
        let parsed = match value {
            Json::String(text) if CARRIERS.iter().any(|carrier| is_same_name(name, carrier)) => parse_container(text),
            _ => None,
        };
        let inner = parsed.as_ref().unwrap_or(value).as_object();
        let inner = inner.and_then(|inner| parse_json_strings_to_level(inner, &|_| false, levels)).map(Json::Object);
        if let Some(value) = inner.or(parsed) {
            replaced.get_or_insert_with(|| input.clone()).insert(name.clone(), value);
        }
    }
    replaced
}

/// Parses a text that is an object or a list of JSON; `None` for any other text.
fn parse_container(text: &str) -> Option<Json> {
    let is_whole = |ends: (char, char)| text.trim_start().starts_with(ends.0) && text.trim_end().ends_with(ends.1);
    [('{', '}'), ('[', ']')].into_iter().any(is_whole).then(|| serde_json::from_str(text).ok())?
}

/// Whether a shell tool's input has a member that is not known, at any depth that [`probable_shell_text`] searches,
/// whose value may be code that it does not find. `is_known` holds for the names of known members.
pub(super) fn has_possible_code(input: &Map<String, Json>, is_known: &dyn Fn(&str) -> bool) -> bool {
    let has_name = |names: &[&str], name: &str| names.iter().any(|other| is_same_name(name, other));
    let is_found_elsewhere =
        |name: &str| [COMMANDS, SEVERAL, PROGRAMS, ARGUMENTS].iter().any(|names| has_name(names, name));
    let is_name_of_code = |name: &str| {
        has_name(CODE, name) || program::words(name).last().is_some_and(|word| CODE_ENDS.contains(&word.as_str()))
    };
    let is_code = |(name, value): (&String, &Json)| {
        let mut texts = Vec::new();
        if is_name_of_code(name) && !is_found_elsewhere(name) {
            texts_in(value, &mut texts);
        }
        // A single word in a member such as `shell` is the name of a shell, and a number an exit code.
        let is_word = |text: &str| !text.trim().contains(char::is_whitespace);
        let is_no_code = |text: &str| has_name(SHELLS, name) && is_word(text) || text.trim().parse::<f64>().is_ok();
        texts.into_iter().any(|text| !text.trim().is_empty() && !is_no_code(text))
    };
    nested_objects(input, is_known, MAX_LEVELS)
        .into_iter()
        .any(|(_, members, is_known)| members.iter().filter(|(name, _)| !is_known(name)).any(is_code))
}

/// Whether a member for which `is_known` does not hold contains a command, a program or arguments.
pub(super) fn has_possible_command(input: &Map<String, Json>, is_known: &dyn Fn(&str) -> bool) -> bool {
    probable_shell_text(input, is_known).is_some()
        || [PROGRAMS, ARGUMENTS].into_iter().any(|names| {
            members_named(input, names, is_known).any(|value| {
                let mut texts = Vec::new();
                texts_in(value, &mut texts);
                texts.into_iter().any(|text| !text.trim().is_empty())
            })
        })
}

/// Whether the input has a member with the arguments of a program that is not empty.
pub(super) fn has_arguments(input: &Map<String, Json>) -> bool {
    members_named(input, ARGUMENTS, &|_| false).any(|value| match value {
        Json::Array(words) => !words.is_empty(),
        Json::String(text) => !text.trim().is_empty(),
        _ => false,
    })
}

/// Whether a member that is probably a command is in an unreadable form: neither a text nor a list of words, or
/// nested too deeply.
pub(super) fn has_odd_command(input: &Map<String, Json>, is_known: &dyn Fn(&str) -> bool) -> bool {
    let has_odd_member = |(level, members, is_known): Object<'_, '_>| {
        let commands = members_named(members, COMMANDS, is_known);
        commands.filter(|value| !value.is_null()).any(|value| {
            let is_readable =
                value.is_string() || words(value).is_some() || (value.is_object() && has_command_member(value));
            level >= MAX_LEVELS || !is_readable
        })
    };
    nested_objects(input, is_known, MAX_LEVELS).into_iter().any(has_odd_member)
}

/// Whether an object has a text or a list of words in a member for commands or arguments.
fn has_command_member(value: &Json) -> bool {
    let Some(object) = value.as_object() else { return false };
    let members = members_named(object, COMMANDS, &|_| false).chain(members_named(object, ARGUMENTS, &|_| false));
    members.into_iter().any(|value| value.is_string() || words(value).is_some())
}

/// Returns the values of an object's members with one of `names`, in the order of `names`. Members for which
/// `is_known` holds are skipped.
fn members_named<'j>(
    object: &'j Map<String, Json>,
    names: &'static [&'static str],
    is_known: &dyn Fn(&str) -> bool,
) -> impl Iterator<Item = &'j Json> {
    let values = names.iter().flat_map(|name| {
        object.iter().filter(|(member, _)| is_same_name(member, name) && !is_known(member)).map(|(_, value)| value)
    });
    values.collect::<Vec<_>>().into_iter()
}

/// An object in the input: its depth, its members, and a function that says which members to skip, by their names.
type Object<'j, 'k> = (usize, &'j Map<String, Json>, &'k dyn Fn(&str) -> bool);

/// Returns the input and the objects in it, also in lists, for this many levels. `is_known` applies only to the
/// input's own members.
fn nested_objects<'j, 'k>(
    input: &'j Map<String, Json>,
    is_known: &'k dyn Fn(&str) -> bool,
    levels: usize,
) -> Vec<Object<'j, 'k>> {
    let mut objects: Vec<Object<'j, 'k>> = vec![(0, input, is_known)];
    let mut next = 0;
    while let Some(&(level, members, is_known)) = objects.get(next) {
        next += 1;
        if level == levels {
            continue;
        }
        let inner = members.iter().filter(|(name, _)| !is_known(name)).flat_map(|(_, value)| match value {
            Json::Array(items) => items.as_slice(),
            other => std::slice::from_ref(other),
        });
        let inner = inner.filter_map(Json::as_object);
        objects.extend(inner.map(|members| (level + 1, members, (&|_: &str| false) as &dyn Fn(&str) -> bool)));
    }
    objects
}

/// Returns the probable commands of the input and of the objects in it as shell text, a line for each; `None` if
/// there are none. Members for which `is_known` holds are skipped.
pub(super) fn probable_shell_text<'j>(
    input: &'j Map<String, Json>,
    is_known: &dyn Fn(&str) -> bool,
) -> Option<Cow<'j, str>> {
    let objects = nested_objects(input, is_known, MAX_LEVELS - 1);
    let mut texts = objects.into_iter().filter_map(|(_, members, is_known)| object_shell_text(members, is_known));
    let first = texts.next()?;
    let more: Vec<_> = texts.collect();
    if more.is_empty() {
        return Some(first);
    }
    let lines: Vec<_> = std::iter::once(first).chain(more).collect();
    Some(Cow::Owned(lines.join("\n")))
}

/// Returns the shell text of a value that certainly is a command: a text, or a list of words.
pub(super) fn line(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        list => words(list).filter(|words| !words.is_empty()).map(|words| words.join(" ")),
    }
}

/// Returns a `cd` line that changes to `directory`.
pub(super) fn cd_line(directory: &str) -> String {
    format!("cd {}", quote_shell_word(directory))
}

/// Returns the probable commands of one object as shell text, a line for each; `None` if there are none.
fn object_shell_text<'j>(input: &'j Map<String, Json>, is_known: &dyn Fn(&str) -> bool) -> Option<Cow<'j, str>> {
    let is_present = |value: &&Json| !value.is_null() && value.as_array().is_none_or(|words| !words.is_empty());
    let unknown = |members: &'static [&'static str]| members_named(input, members, is_known).filter(is_present);
    let mut commands: Vec<&Json> = unknown(COMMANDS).collect();
    let command_lists: Vec<&Json> = unknown(SEVERAL).collect();
    let arguments = argument_members(input, is_known);
    if commands.is_empty() && !arguments.is_empty() {
        commands.extend(unknown(PROGRAMS).filter(|program| program.is_string()));
    }
    if let ([Json::String(text)], true, true) = (commands.as_slice(), command_lists.is_empty(), arguments.is_empty()) {
        return Some(Cow::Borrowed(text));
    }
    let mut lines: Vec<String> = Vec::new();
    for command in commands {
        match command {
            Json::String(text) => {
                let after_program = arguments_text(text, &arguments);
                let is_word = !text.is_empty() && text.chars().all(is_plain);
                // A text with blanks may be the name of one program, or shell text to which the arguments are
                // appended, so there is a line for each.
                if !is_word && !after_program.is_empty() {
                    lines.push(format!("{}{after_program}", quote_shell_word(text)));
                }
                lines.push(format!("{text}{after_program}"));
            }
            list => {
                lines.extend(words(list).map(|words| format!("{}{}", words.join(" "), arguments_text("", &arguments))))
            }
        }
    }
    for list in command_lists {
        match list {
            Json::String(text) => lines.push(text.clone()),
            Json::Array(items) => {
                lines.extend(items.iter().filter_map(line));
                // A list of words without blanks may also be one command.
                if items.len() > 1
                    && items.iter().all(|item| item.as_str().is_some_and(|text| text.chars().all(is_plain)))
                {
                    lines.extend(words(list).map(|words| words.join(" ")));
                }
            }
            _ => {}
        }
    }
    if lines.is_empty() {
        // If there is no program, the arguments may be a whole command. Arguments for the program that the tool
        // itself runs usually begin with an option, a whole command with a program.
        let words_of_command = arguments.iter().find_map(|arguments| match arguments {
            Arguments::Words(words) if words.first().is_some_and(|word| !word.starts_with('-')) => Some(words),
            _ => None,
        })?;
        lines.push(words_of_command.join(" "));
    }
    Some(Cow::Owned(lines.join("\n")))
}

/// The value of a member for arguments.
enum Arguments<'j> {
    /// The words of a list, quoted for a shell.
    Words(Vec<String>),
    /// A text, which a shell would split.
    Text(&'j str),
}

/// Returns the values of an object's members for arguments.
fn argument_members<'j>(input: &'j Map<String, Json>, is_known: &dyn Fn(&str) -> bool) -> Vec<Arguments<'j>> {
    let arguments = |value: &'j Json| match value {
        Json::String(text) if !text.trim().is_empty() => Some(Arguments::Text(text)),
        list => words(list).filter(|words| !words.is_empty()).map(Arguments::Words),
    };
    members_named(input, ARGUMENTS, is_known).filter_map(arguments).collect()
}

/// Returns all arguments as the shell text that follows the program, with a blank before each. A first argument that
/// repeats the name of the program is dropped.
fn arguments_text(program: &str, arguments: &[Arguments<'_>]) -> String {
    let mut text = String::new();
    for one in arguments {
        text.push(' ');
        match one {
            Arguments::Text(arguments) => text.push_str(arguments),
            Arguments::Words(words) => {
                let quoted_program = quote_shell_word(program);
                let words = words.strip_prefix(std::slice::from_ref(&quoted_program)).unwrap_or(words);
                text.push_str(&words.join(" "));
            }
        }
    }
    text
}

/// Returns the words of a list, each quoted for a shell; `None` if the value is not a list.
fn words(list: &Json) -> Option<Vec<String>> {
    let word = |word: &Json| match word {
        Json::String(text) => quote_shell_word(text),
        other => quote_shell_word(&other.to_string()),
    };
    Some(list.as_array()?.iter().map(word).collect())
}

/// Whether a member has this name, in any spelling: `commandLine`, `command-line`.
pub(super) fn is_same_name(member: &str, name: &str) -> bool {
    // In most cases the first letters already differ.
    let first_letter =
        |text: &str| text.bytes().find(|byte| byte.is_ascii_alphanumeric()).map(|byte| byte.to_ascii_lowercase());
    first_letter(member) == first_letter(name) && comparable_name(member).eq(comparable_name(name))
}

/// Quotes a word for a shell, if necessary.
fn quote_shell_word(word: &str) -> String {
    quote_unless(word, is_plain)
}

/// Whether a character needs no quotes in shell text.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "-_./,+%@:".contains(c)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(input: Json) -> Option<String> {
        probable_shell_text(input.as_object().unwrap(), &|_| false).map(Cow::into_owned)
    }

    #[test]
    fn what_is_deeper_or_no_text_is_not_read() {
        let is_odd = |input: Json| has_odd_command(input.as_object().unwrap(), &|member| member == "known");
        assert!(is_odd(json!({"command": {"x": 1}})));
        assert!(is_odd(json!({"a": {"b": {"c": {"d": {"cmd": "ls"}}}}})));
        assert!(!is_odd(json!({"a": {"b": {"c": {"cmd": "ls"}}}})));
        assert!(!is_odd(json!({"command": {"cmd": "ls"}})));
        assert!(!is_odd(json!({"known": {"command": {"x": 1}}})));
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
            (json!({"args": ["git", "push", "--force"]}), "git push --force"),
            (json!({"program": "git", "args": ["push"]}), "git push"),
            (json!({"executable": "git", "arguments": "push -f"}), "git push -f"),
            (json!({"commandLine": "git push"}), "git push"),
            (json!({"COMMAND": "git", "Args": ["push"]}), "git push"),
            (json!({"input": {"command": "git push"}}), "git push"),
            (json!({"a": {"b": [{"args": ["git", "push", "a b"]}, {"cmd": "ls"}]}}), "git push 'a b'\nls"),
            (json!({"commands": ["git push", "ls -l"]}), "git push\nls -l"),
            (json!({"commands": ["git", "push"]}), "git\npush\ngit push"),
            (json!({"command": "ls", "then": {"command": "git push"}}), "ls\ngit push"),
        ] {
            assert_eq!(of(input.clone()).as_deref(), Some(expected), "{input}");
        }
        for input in [
            json!({"args": ["--push", "x"]}),
            json!({"argv": "git"}),
            json!({"path": "x"}),
            json!({"args": []}),
            json!({"program": "git"}),
        ] {
            assert_eq!(of(input.clone()), None, "{input}");
        }
    }
}
