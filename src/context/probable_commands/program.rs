//! The probable command lines of a program, in calls of a server that wraps the program and has no tool record:
//! `{"args": ["push", "--force"]}` for a git server, `{"command": "destroy"}` for a terraform server.

use serde_json::{Map, Value as Json};

use super::{
    COMMANDS, MAX_LEVELS, argument_members, arguments_text, line, members_named, nested_objects, parse_json_strings,
    quote_shell_word,
};
use crate::tool_records::own_name;
use hookrules_shell::programs::{Program, UnlistedSubcommand, program};

/// The members that probably name the subcommand, in addition to those that probably contain a command.
const SUBCOMMANDS: &[&str] = &["subcommand", "verb"];

/// Returns the command lines of the program `name` that a call of the tool `tool` may run.
pub(in super::super) fn lines(name: &str, tool: &str, input: &Map<String, Json>) -> Vec<String> {
    let parsed = parse_json_strings(input, &|_| false);
    let input = parsed.as_ref().unwrap_or(input);
    let record = program(name);
    let objects = nested_objects(input, &|_| false, MAX_LEVELS - 1);
    let mut lines: Vec<String> =
        objects.into_iter().flat_map(|(_, members, _)| command_from_members(name, record, members)).collect();
    if lines.is_empty() {
        lines = commands_from_tool_name(name, record, tool, input);
    }
    lines
}

/// Returns the command lines that the members of one object describe.
fn command_from_members(name: &str, record: Option<&Program>, members: &Map<String, Json>) -> Vec<String> {
    let arguments = argument_members(members, &|_| false);
    let after_subcommand = arguments_text(name, &arguments);
    let texts_named = |names| members_named(members, names, &|_| false).filter_map(line);
    let mut starts: Vec<String> = texts_named(COMMANDS).chain(texts_named(SUBCOMMANDS)).collect();
    if starts.is_empty() && !after_subcommand.is_empty() {
        starts.push(String::new());
    }
    let mut lines = Vec::new();
    for start in starts {
        // The member may have the program, too: `git push` instead of `push`.
        let without_program =
            start.trim_start().strip_prefix(name).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        let words = format!("{}{after_subcommand}", without_program.unwrap_or(&start));
        if is_subcommand(record, words.trim_start().split([' ', ';', '\n']).next().unwrap_or_default()) {
            lines.push(format!("{name} {}", words.trim_start()));
        }
    }
    lines
}

/// Returns the command lines that the name of the tool describes: `remove_volume` is `remove volume` and
/// `volume remove`. Each member with the value `true` is an option.
fn commands_from_tool_name(name: &str, record: Option<&Program>, tool: &str, input: &Map<String, Json>) -> Vec<String> {
    let words = words(own_name(tool));
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != name).collect();
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    let mut options = String::new();
    for (member, _) in input.iter().filter(|(_, value)| value.as_bool() == Some(true)) {
        options.push_str(" --");
        options.push_str(&quote_shell_word(&member.replace('_', "-")));
    }
    let mut subcommands = vec![words.join(" ")];
    if !rest.is_empty() {
        subcommands.push(format!("{} {first}", rest.join(" ")));
    }
    subcommands.retain(|words| is_subcommand(record, words.split(' ').next().unwrap_or_default()));
    subcommands.into_iter().map(|words| format!("{name} {words}{options}")).collect()
}

/// Whether a program may have a subcommand of this name. If users can define aliases for it, as for git, the name
/// must be in its record.
fn is_subcommand(record: Option<&Program>, word: &str) -> bool {
    !word.is_empty()
        && record.is_none_or(|record| {
            record.unlisted != UnlistedSubcommand::Alias || word.starts_with('-') || record.command(word).is_some()
        })
}

/// Splits a name into words in lower case: `delete`, `repo` for `deleteRepo`, `delete_repo` and `delete-repo`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    for c in name.chars() {
        if (c.is_ascii_uppercase() || !c.is_ascii_alphanumeric()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric() {
            words.last_mut().into_iter().for_each(|word| word.push(c.to_ascii_lowercase()));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_comes_to_the_words_of_its_servers_program() {
        for (name, tool, input, expected) in [
            ("git", "run", json!({"args": ["push", "--force"]}), &["git push --force"] as &[&str]),
            ("git", "run", json!({"args": ["git", "push", "a b"]}), &["git push 'a b'"]),
            ("git", "run", json!({"command": "push", "args": "-f"}), &["git push -f"]),
            ("git", "run", json!({"command": "git push -f"}), &["git push -f"]),
            ("git", "run", json!({"command": "ls -l"}), &[]),
            ("git", "call", json!({"input": {"Args": ["reset", "--hard"]}}), &["git reset --hard"]),
            ("git", "git_push", json!({"force": true, "dry_run": false, "branch": "x"}), &["git push --force"]),
            ("git", "gitStatus", json!({}), &["git status"]),
            ("git", "get_status", json!({}), &["git status get"]),
            ("redis-cli", "execute", json!({"command": "FLUSHALL"}), &["redis-cli FLUSHALL"]),
            ("terraform", "destroy", json!({}), &["terraform destroy"]),
            ("docker", "remove_volume", json!({}), &["docker remove volume", "docker volume remove"]),
            ("az", "resource_delete", json!({"id": "x"}), &["az resource delete", "az delete resource"]),
        ] {
            assert_eq!(lines(name, tool, input.as_object().unwrap()), expected, "{tool} {input}");
        }
    }
}
