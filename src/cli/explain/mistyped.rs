//! Words that `rules explain` would take for a shell command, although the user probably meant a call, a rule or a
//! code.

use super::input::is_known;
use crate::cli::load::load;
use crate::diagnostic::{CODES, nearest_name};
use crate::escape::line;
use crate::ruleset::RuleNames;
use crate::schema::{Event, OTHER_TOOLS, TOOLS};
use crate::syntax::{escape_double_quoted, string_literal};
use hookrules_shell::programs::program;
use hookrules_shell::quote::quote;

/// The maximum number of characters of a typed word that a message shows.
const MAX_WORD_CHARS: usize = 60;

/// The minimum length of a word that may be a misspelled name; a shorter one is similar to too many names.
const MIN_NAME_LENGTH: usize = 5;

/// Shell builtins without a record that could be taken for a tool or an event in another case: `read` for `Read`.
const SHELL_WORDS: &[&str] = &["read", "exec", "stop", "wait", "bg", "fg", "jobs", "kill"];

/// Returns the message that the typed words are probably no shell command, and what to write instead; `None` if they
/// are a command, or a call in the language.
///
/// A known program is always a command: `ls`, `make`, `grep "x"`. Any other first word probably means an event or a
/// tool if it is one in another case (`edit "x"`), and a single word a rule or a code if it is similar to its name.
pub(super) fn problem(call: &[String], policy: Option<&std::path::Path>) -> Option<String> {
    let (head, rest) = split_head(call)?;
    if is_known(head) || is_program(head) {
        return None;
    }
    if let Some(name) = other_case(head) {
        let meant = selected_call(name, head, call).unwrap_or_else(|| {
            let text = rest.as_deref().map(|text| format!(" {}", written_text(text))).unwrap_or_default();
            format!("{name}{text}")
        });
        return Some(message(
            &format!("`{}` is no known program, but `{name}` is {}", shown(head), kind(name)),
            &meant,
            call,
        ));
    }
    if rest.is_some() || !is_name(head) {
        return None;
    }
    let (what, name, command) = named_rule(head, policy).or_else(|| named_code(head))?;
    let is = match name == head {
        true => format!("is a {what}"),
        false => format!("is no known program, but similar to the {what} `{}`", shown(&name)),
    };
    Some(format!("`{}` {is}: `{command}` shows it; {}", shown(head), as_command(call)))
}

/// Returns the call of an event with a tool, `PreToolUse(Bash) "ls"`, if the typed words are one in another case, or
/// with a blank in place of the parentheses. `None` for any other words.
fn selected_call(event: &str, head: &str, call: &[String]) -> Option<String> {
    Event::from_name(event)?;
    let typed = call.join(" ");
    let rest = typed.trim().strip_prefix(head)?;
    if let Some((subject, text)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        let text = text.trim();
        let text = if text.is_empty() { String::new() } else { format!(" {}", written_text(text)) };
        return is_name_of_subject(subject).then(|| format!("{event}({subject}){text}"));
    }
    let (word, text) = rest.trim().split_once(' ')?;
    let tool = TOOLS.iter().map(|tool| tool.name).find(|name| name.eq_ignore_ascii_case(word))?;
    Some(format!("{event}({tool}) {}", written_text(text.trim())))
}

/// Whether a text may be the subject of an event: a name without blanks and quotes.
fn is_name_of_subject(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '*'))
}

/// Splits the typed words into the first word and the text after it, if there is any.
fn split_head(call: &[String]) -> Option<(&str, Option<String>)> {
    let (first, others) = call.split_first()?;
    let first = first.trim();
    if others.is_empty() {
        return Some(match first.split_once([' ', '\t', '(']) {
            Some((head, rest)) => (head, Some(rest.trim().trim_end_matches(')').to_owned())),
            None => (first, None),
        });
    }
    Some((first, Some(others.join(" "))))
}

/// Whether a word is a program with a record, or a word of the shell.
fn is_program(word: &str) -> bool {
    program(word).is_some() || SHELL_WORDS.contains(&word)
}

/// Whether a word may be the name of a rule or a code: no path, no option, no text of a shell.
fn is_name(word: &str) -> bool {
    word.len() >= MIN_NAME_LENGTH && word.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_' || c == '/')
}

/// Returns the event or tool whose name is this word in another case.
fn other_case(word: &str) -> Option<&'static str> {
    let tools = TOOLS.iter().map(|tool| tool.name).chain(OTHER_TOOLS.iter().copied());
    let mut known = tools.chain(Event::ALL.iter().map(|event| event.name()));
    known.find(|name| name.eq_ignore_ascii_case(word))
}

fn kind(name: &str) -> &'static str {
    if Event::from_name(name).is_some() { "an event" } else { "a tool" }
}

/// Returns the text after the first word as an example spells it: in quotes, unless it begins with a quote or a brace.
fn written_text(text: &str) -> String {
    if text.starts_with(['"', '{']) { text.to_owned() } else { string_literal(text, "") }
}

/// Returns the rule with this name or a similar one: what it is, its name, and the command that shows it.
fn named_rule(word: &str, policy: Option<&std::path::Path>) -> Option<(&'static str, String, String)> {
    let policy = load(policy.map(std::path::Path::to_path_buf).as_slice());
    let names: RuleNames = policy.rule_names(None);
    let known: Vec<String> = policy.rules.rules().iter().map(|rule| names.unique_name(rule)).collect();
    let short = known.iter().filter_map(|name| name.rsplit('/').next());
    let near = nearest_name(word, known.iter().map(String::as_str).chain(short))?.to_owned();
    let command = format!("rules list -v {near}");
    Some(("rule", near, command))
}

/// Returns the code with a similar name.
fn named_code(word: &str) -> Option<(&'static str, String, String)> {
    let near = nearest_name(word, CODES.iter().map(|(code, _)| code.name))?;
    Some(("code", near.to_owned(), format!("rules explain {near}")))
}

/// Returns a message with what was meant, and how to explain the words as a command.
fn message(what: &str, meant: &str, call: &[String]) -> String {
    format!("{what}: write `rules explain {}`; {}", quote(meant), as_command(call))
}

/// Returns the advice on how to have the words explained as a command.
fn as_command(call: &[String]) -> String {
    let command = format!("Bash \"{}\"", escape_double_quoted(&line(&call.join(" "), usize::MAX)));
    format!("for a command of that name, write `rules explain {}`", quote(&command))
}

fn shown(word: &str) -> String {
    line(word, MAX_WORD_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &[&str]) -> Option<String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        // A policy that is not there has no rules.
        problem(&words, Some(std::path::Path::new("/nowhere/none.rules")))
    }

    #[test]
    fn what_a_shell_can_run_is_a_command() {
        for words in [
            &["ls"][..],
            &["make"],
            &["git push -f"],
            &["grep \"x\" a"],
            &["read", "x"],
            &["bash", "x.sh"],
            &["./unknown-field"],
            &["my-own-tool"],
            &["Edit \"x\""],
            &["Stop"],
            &["unknown-fild", "x"],
        ] {
            assert_eq!(said(words), None, "{words:?}");
        }
    }

    #[test]
    fn another_case_of_a_tool_or_an_event_is_a_call() {
        for (words, meant) in [
            (&["edit \"x\""][..], "rules explain 'Edit \"x\"'"),
            (&["write \"x\""], "rules explain 'Write \"x\"'"),
            (&["edit", "x"], "rules explain 'Edit \"x\"'"),
            (&["EDIT"], "rules explain 'Edit'`"),
            (&["pretooluse"], "rules explain 'PreToolUse'`"),
            (&["multiedit \"a\""], "rules explain 'MultiEdit \"a\"'"),
        ] {
            let said = said(words).unwrap_or_else(|| panic!("{words:?} is taken for a command"));
            assert!(said.contains(meant), "{words:?}: {said}");
        }
        let said = said(&["edit \"x\""]).unwrap();
        assert!(said.contains("`rules explain 'Bash \"edit \\\"x\\\"\"'`"), "what is to be typed is not: {said}");
    }

    #[test]
    fn one_word_near_a_code_is_that_code() {
        let said = said(&["unknown-fild"]).unwrap();
        assert!(said.contains("`rules explain unknown-field`") && said.contains("'Bash \"unknown-fild\"'"), "{said}");
    }
}
